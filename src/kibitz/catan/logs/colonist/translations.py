"""The chat log of colonist.io in other languages: the verb of each kind of row, the order of its parts, and words for cards.

The site's translations are partly made by machine, and its wording changes. So a pattern asks for as few words as it takes to
distinguish a kind of row from the others, in every form that fits. English words and rows count in every language, because
whatever is not translated stays English.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from kibitz.catan.logs.colonist.language import Language

_Words = Mapping[str, str]


def translations(english: Language) -> list[Language]:
    """All tables but the English one."""
    return [table(english) for table in (_german, _french, _spanish, _portuguese, _italian, _russian, _polish, _turkish)]


def _both(words: _Words, english: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Words (with bars between them) of another language, and the English ones."""
    return {name: (*filter(None, words.get(name, "").split("|")), *known) for name, known in english.items()}


def _language(
    english: Language,
    code: str,
    name: str,
    you: tuple[str, str],
    points: str,
    backs: tuple[str, str, str],
    cards: _Words,
    pieces: _Words,
    dev_cards: _Words,
    awards: _Words,
    rows: Mapping[str, Sequence[str]],
    notes: Sequence[str],
) -> Language:
    """A table; `backs` are a hidden card, a card of any kind and a development card from behind."""
    hidden, any_card, dev_back = (tuple(words.split("|")) for words in backs)
    kinds = dict.fromkeys((*english.templates, *rows))
    return replace(
        english,
        code=code,
        name=name,
        you=you,
        points=(*points.split("|"), *english.points),
        hidden=(*hidden, *english.hidden),
        any=(*any_card, *english.any),
        dev_back=(*dev_back, *english.dev_back),
        resources=_both(cards, english.resources),
        pieces=_both(pieces, english.pieces),
        dev_cards=_both(dev_cards, english.dev_cards),
        awards=_both(awards, english.awards),
        templates={kind: (*rows.get(kind, ()), *english.templates.get(kind, ())) for kind in kinds},
        notes=(*notes, *english.notes),
    )


def _german(english: Language) -> Language:
    return _language(
        english, "de", "German", ("Du", "dir"), "SP|Siegpunkt|Siegpunkte|Siegpunkten",
        ("Rohstoffkarte|Rohstoffkarten", "Beliebig|beliebiger Rohstoff", "Entwicklungskarte|Ereigniskarte"),
        {"wood": "Holz", "brick": "Lehm|Ziegel|Backstein", "sheep": "Wolle|Schaf|Schafe",
         "wheat": "Getreide|Weizen|Korn", "ore": "Erz"},
        {"road": "Straße|Strasse", "settlement": "Siedlung", "city": "Stadt"},
        {"knight": "Ritter", "victory_point": "Siegpunkt", "road_building": "Straßenbau|Strassenbau",
         "year_of_plenty": "Erfindung|Jahr des Überflusses|Überfluss", "monopoly": "Monopol"},
        {"longest_road": "Längste Handelsstraße|Längste Straße|Längste Strasse",
         "largest_army": "Größte Rittermacht|Größte Armee|Größte Ritterarmee"},
        {
            "placed": ("{player} hat? ein|eine|einen? {piece} platziert|gesetzt|gestellt|aufgestellt",
                       "{player} platzierte|setzte ein|eine|einen? {piece}"),
            "start": ("{player} hat? Startrohstoffe|Startressourcen erhalten|bekommen {cards}",
                      "{player} erhielt|bekam Startrohstoffe|Startressourcen {cards}"),
            "roll": ("{player} hat {dice} gewürfelt", "{player} würfelte|würfelt {dice}"),
            "built": ("{player} hat ein|eine|einen? {piece} gebaut|errichtet", "{player} baute ein|eine|einen? {piece}"),
            "bought": ("{player} hat eine? {dev_back} gekauft", "{player} kaufte eine? {dev_back}"),
            "bank": ("{player} gab der Bank {give} und nahm|bekam|erhielt {receive}",
                     "{player} hat der Bank {give} gegeben und {receive} genommen|bekommen|erhalten"),
            "trade": ("{player} gab {give} und bekam|erhielt {receive} von {partner}",
                      "{player} tauschte {give} gegen {receive} mit {partner}",
                      "{player} hat {give} gegen {receive} mit {partner} getauscht"),
            "offer": ("{player} möchte|will {give} für|gegen {receive} geben|tauschen|abgeben?",
                      "{player} bietet {give} für|gegen {receive} an?"),
            "counter": (
                "{player} hat? {partner} ein? Gegenangebot gemacht|unterbreitet|vorgeschlagen, {give} für|gegen {receive}",
                        "{player} macht|machte {partner} ein? Gegenangebot: {give} für|gegen {receive}"),
            "monopoly": ("{player} hat {count} {card} gestohlen", "{player} stahl {count} {card}"),
            "steal_by_you": ("Du hast {cards} von {partner} gestohlen",),
            "steal_from_you": ("{player} hat dir {cards} gestohlen", "{player} hat {cards} von dir gestohlen"),
            "steal": ("{player} hat {cards} von {partner} gestohlen", "{player} stahl {cards} von {partner}"),
            "got": ("{player} bekam|erhielt|bekommt|erhält {cards}", "{player} hat {cards} bekommen"),
            "gain": ("{player} hat {cards} aus einer? Goldkachel|Goldfeld ausgewählt|gewählt",
                "{player} hat {cards} erhalten"),
            "used": ("{player} verwendete|benutzte|spielte|nutzte|verwendet|benutzt|spielt {dev_card}",
                     "{player} hat {dev_card} verwendet|benutzt|gespielt|ausgespielt",
                     "{player} verwendete|benutzte|spielte {any} {dev_card}"),
            "plenty": ("{player} nahm {cards} von|aus der Bank", "{player} hat {cards} von|aus der Bank genommen"),
            "discard": ("{player} hat {cards} Karten? abgelegt|abgeworfen|weggeworfen", "{player} warf|legte {cards} ab?"),
            "robber": ("{player} hat den? Räuber {any} bewegt|versetzt|gesetzt|verschoben",
                       "{player} bewegte|versetzte|setzte den? Räuber {any}"),
            "award": ("{player} hat {award} erhalten|bekommen {any}", "{player} erhielt|bekam {award} {any}"),
            "passed": ("{award} ging|wechselte|geht von {partner} zu|an|auf {player} über?",),
            "lost": ("{player} hat {award} verloren {any}", "{player} verlor {award} {any}"),
            "won": ("{player} hat das Spiel gewonnen! {any}", "{player} gewann das Spiel! {any}",
                "{player} gewinnt das Spiel! {any}"),
        },
        ("{any} Räuber blockiert{any}", "{any} blockiert{any}Räuber{any}", "{any} kein Spieler{any}", "Kein Spieler{any}",
         "{any} keine Karten{any}", "{any} Verbindung{any}", "{any} wieder verbunden{any}", "{any} Bot {any}",
         "{any} nicht genug {any}", "Nicht genug {any}", "{any} verlassen{any}"),
    )  # fmt: skip


def _french(english: Language) -> Language:
    return _language(
        english, "fr", "French", ("Vous", "vous"), "PV|point de victoire|points de victoire",
        ("Carte ressource|carte de ressource|carte", "N'importe|n'importe quelle ressource",
         "Carte développement|carte de développement"),
        {"wood": "Bois", "brick": "Argile|Briques|Brique", "sheep": "Laine|Moutons|Mouton",
         "wheat": "Céréales|Céréale|Blé|Grain", "ore": "Minerai|Pierre"},
        {"road": "Route", "settlement": "Colonie", "city": "Ville|Cité"},
        {"knight": "Chevalier", "victory_point": "Point de victoire",
         "road_building": "Construction de routes|Construction de route",
         "year_of_plenty": "Année d'abondance|Année de l'abondance|Invention|Découverte", "monopoly": "Monopole"},
        {"longest_road": "Route la plus longue|La plus longue route|Plus longue route|Route de commerce la plus longue",
         "largest_army": "Armée la plus puissante|Plus grande armée|La plus grande armée|Armée la plus grande"},
        {
            "placed": ("{player} a placé|posé un|une? {piece}",),
            "start": ("{player} a reçu|obtenu les? ressources de départ {cards}",
                "{player} a reçu|obtenu ses? ressources initiales {cards}"),
            "roll": ("{player} a lancé|obtenu|fait les? dés? {dice}",),
            "built": ("{player} a construit|bâti un|une? {piece}",),
            "bought": ("{player} a acheté un|une? {dev_back}",),
            "bank": ("{player} a échangé à|avec la banque {give} contre {receive}",
                     "{player} a donné {give} à la banque et a? pris|reçu|obtenu {receive}",
                     "{player} a donné à la banque {give} et a? pris|reçu|obtenu {receive}"),
            "trade": ("{player} a donné {give} et a? obtenu|reçu {receive} de {partner}",
                      "{player} a échangé {give} contre {receive} avec {partner}"),
            "offer": ("{player} veut|souhaite donner|échanger {give} contre|pour {receive}",
                "{player} propose|offre {give} contre|pour {receive}"),
            "counter": (
                "{player} a proposé une? contre-offre|contre-proposition à {partner}, offrant|proposant? {give} "
                "contre|pour {receive}",
                        "{player} a fait une? contre-offre|contre-proposition à {partner}: {give} contre|pour {receive}"),
            "monopoly": ("{player} a volé {count} {card}",),
            "steal_by_you": ("Vous avez volé {cards} à|de {partner}", "Tu as volé {cards} à|de {partner}"),
            "steal_from_you": ("{player} vous a volé {cards}", "{player} t'a volé {cards}"),
            "steal": ("{player} a volé {cards} à|de {partner}",),
            "got": ("{player} a obtenu|gagné {cards}",),
            "gain": ("{player} a sélectionné|choisi {cards} à partir d'une|de tuile d'or", "{player} a reçu {cards}"),
            "used": ("{player} a utilisé|joué {dev_card}", "{player} a utilisé|joué {any} {dev_card}"),
            "plenty": ("{player} a pris à|de la banque {cards}", "{player} a pris {cards} à|de la banque"),
            "discard": ("{player} a supprimé|défaussé|jeté {cards}", "{player} s'est défaussé de? {cards}"),
            "robber": ("{player} a déplacé le? voleur|brigand {any}",),
            "award": ("{player} a reçu|obtenu {award} {any}",),
            "passed": ("{award} est? passé|passée|passe de {partner} à {player}",),
            "lost": ("{player} a perdu {award} {any}",),
            "won": ("{player} a gagné|remporté la partie! {any}", "{player} a gagné le jeu! {any}"),
        },
        ("{any} bloqué{any} voleur{any}", "{any} bloqué{any} brigand{any}", "{any} aucun joueur{any}", "Aucun joueur{any}",
         "{any} n'a pas de cartes{any}", "{any} déconnecté{any}", "{any} reconnecté{any}", "{any} bot {any}",
         "Pas assez {any}", "{any} a quitté{any}"),
    )  # fmt: skip


def _spanish(english: Language) -> Language:
    return _language(
        english, "es", "Spanish", ("Tú", "ti"), "PV|PPV|punto de victoria|puntos de victoria",
        ("Carta de recurso|carta de materia prima|carta", "Cualquiera|cualquier recurso", "Carta de desarrollo"),
        {"wood": "Madera|Leña", "brick": "Ladrillos|Ladrillo|Arcilla", "sheep": "Lana|Ovejas|Oveja",
         "wheat": "Trigo|Cereales|Cereal|Grano", "ore": "Mineral|Mena|Piedra"},
        {"road": "Carretera|Camino", "settlement": "Asentamiento|Poblado", "city": "Ciudad"},
        {"knight": "Caballero", "victory_point": "Punto de victoria",
         "road_building": "Construcción de carreteras|Construcción de caminos|Construcción de carretera",
         "year_of_plenty": "Año de abundancia|Año de la abundancia|Invento|Descubrimiento", "monopoly": "Monopolio"},
        {"longest_road": "Carretera más larga|Camino más largo|Ruta más larga|Ruta comercial más larga",
         "largest_army": "Ejército más grande|Mayor ejército|Gran ejército"},
        {
            "placed": ("{player} ha colocado|puesto un|una? {piece}", "{player} colocó|puso un|una? {piece}"),
            "start": ("{player} recibió|obtuvo los? recursos iniciales {cards}",
                "{player} ha recibido|obtenido los? recursos iniciales {cards}"),
            "roll": ("{player} ha sacado|tirado|lanzado {dice}", "{player} sacó|tiró|lanzó {dice}"),
            "built": ("{player} ha construido un|una? {piece}", "{player} construyó un|una? {piece}"),
            "bought": ("{player} ha comprado una? {dev_back}", "{player} compró una? {dev_back}"),
            "bank": ("{player} ha dado al banco {give} y ha? tomado|recibido|cogido {receive}",
                     "{player} dio al banco {give} y tomó|recibió|cogió {receive}",
                     "{player} dio {give} al banco y tomó|recibió|cogió {receive}"),
            "trade": ("{player} dio {give} y obtuvo|recibió {receive} de {partner}",
                      "{player} ha dado {give} y ha? obtenido|recibido {receive} de {partner}",
                      "{player} cambió|intercambió {give} por {receive} con {partner}"),
            "offer": ("{player} quiere|desea dar|cambiar|ofrecer {give} por|a {receive}",
                "{player} ofrece {give} por|a {receive}"),
            "counter": (
                "{player} ha? propuso|propuesto|hizo|hecho una? contraoferta a {partner}, ofreciendo? {give} por {receive}",),
            "monopoly": ("{player} ha robado {count} {card}", "{player} robó {count} {card}"),
            "steal_by_you": ("Has robado {cards} de|a {partner}", "Robaste {cards} de|a {partner}"),
            "steal_from_you": ("{player} te robó {cards}", "{player} te ha robado {cards}"),
            "steal": ("{player} robó {cards} de|a {partner}", "{player} ha robado {cards} de|a {partner}"),
            "got": ("{player} ha conseguido|obtenido {cards}", "{player} consiguió|obtuvo {cards}"),
            "gain": ("{player} ha seleccionado|elegido {cards} del hexágono dorado", "{player} recibió {cards}",
                "{player} ha recibido {cards}"),
            "used": ("{player} ha usado|utilizado|jugado {dev_card}", "{player} usó|utilizó|jugó {dev_card}",
                     "{player} ha usado|utilizado|jugado {any} {dev_card}"),
            "plenty": ("{player} tomó|cogió {cards} del banco", "{player} ha tomado|cogido {cards} del banco",
                "{player} tomó|cogió del banco {cards}"),
            "discard": ("{player} ha descartado {cards}", "{player} descartó {cards}"),
            "robber": ("{player} ha movido el|al? ladrón {any}", "{player} movió el|al? ladrón {any}"),
            "award": ("{player} ha recibido|obtenido {award} {any}", "{player} recibió|obtuvo {award} {any}"),
            "passed": ("{award} ha? pasado|pasó|pasa de {partner} a {player}",),
            "lost": ("{player} ha perdido {award} {any}", "{player} perdió {award} {any}"),
            "won": ("{player} ha ganado la? partida|juego! {any}", "{player} ganó la|el? partida|juego! {any}",
                "{player} ha ganado el juego! {any}"),
        },
        ("{any} bloquead{any} ladrón{any}", "{any} ningún jugador{any}", "Ningún jugador{any}", "{any} no tiene cartas{any}",
         "{any} desconectado{any}", "{any} reconectado{any}", "{any} bot {any}", "No hay suficiente{any}",
         "{any} ha abandonado{any}"),
    )  # fmt: skip


def _portuguese(english: Language) -> Language:
    return _language(
        english, "pt", "Portuguese", ("Você", "você"), "PV|PVs|ponto de vitória|pontos de vitória",
        ("Carta de recurso|carta de matéria-prima|carta", "Qualquer|qualquer recurso", "Carta de desenvolvimento"),
        {"wood": "Madeira|Lenha", "brick": "Tijolos|Tijolo|Argila|Barro", "sheep": "Lã|Ovelhas|Ovelha",
         "wheat": "Trigo|Cereais|Cereal|Grãos|Grão", "ore": "Minério|Minérios|Pedra"},
        {"road": "Estrada", "settlement": "Assentamento|Povoado|Aldeia|Vila", "city": "Cidade"},
        {"knight": "Cavaleiro", "victory_point": "Ponto de vitória",
         "road_building": "Construção de estradas|Construção de estrada",
         "year_of_plenty": "Ano de fartura|Ano da abundância|Ano de abundância|Ano da fartura|Invenção",
         "monopoly": "Monopólio"},
        {"longest_road": "Maior estrada|Estrada mais longa|Estrada mais comprida|Maior rota comercial",
         "largest_army": "Maior exército|Exército maior"},
        {
            "placed": ("{player} colocou|posicionou um|uma? {piece}",),
            "start": ("{player} recebeu|obteve matérias-primas|recursos iniciais {cards}",),
            "roll": ("{player} lançou|rolou|tirou|jogou {dice}",),
            "built": ("{player} construiu um|uma? {piece}",),
            "bought": ("{player} comprou|comprei uma? {dev_back}",),
            "bank": ("{player} deu {give} ao banco e pegou|recebeu|tomou|levou {receive}",
                     "{player} deu ao banco {give} e pegou|recebeu|tomou|levou {receive}"),
            "trade": ("{player} deu {give} e recebeu|obteve {receive} de|do|da {partner}",
                      "{player} trocou {give} por {receive} com {partner}"),
            "offer": ("{player} quer|deseja dar|trocar|oferecer {give} por|em {receive}",
                "{player} oferece {give} por {receive}"),
            "counter": (
                "{player} propôs|fez uma? contraproposta|contraoferta a|para|ao|à {partner}, oferecendo? {give} por "
                "{receive}",),
            "monopoly": ("{player} roubou {count} {card}",),
            "steal_by_you": ("Roubaste {cards} de|a {partner}",),
            "steal_from_you": ("{player} roubou-te {cards}", "{player} te roubou {cards}"),
            "steal": ("{player} roubou {cards} de {partner}",),
            "got": ("{player} obteve|ganhou|conseguiu {cards}",),
            "gain": ("{player} selecionou|selecionado|escolheu {cards} do|da filão|telha de|dourada ouro?",
                "{player} recebeu {cards}"),
            "used": ("{player} usou|usado|utilizou|jogou {dev_card}", "{player} usou|usado|utilizou|jogou {any} {dev_card}"),
            "plenty": ("{player} tirou|pegou {cards} do banco", "{player} tirou|pegou do banco {cards}"),
            "discard": ("{player} descartou|descartado {cards}",),
            "robber": ("{player} moveu|movimentou o? ladrão {any}",),
            "award": ("{player} recebeu|obteve|ganhou {award} {any}",),
            "passed": ("{award} passou de {partner} para|a {player}",),
            "lost": ("{player} perdeu {award} {any}",),
            "won": ("{player} venceu|ganhou o|a? jogo|partida! {any}",),
        },
        ("{any} bloquead{any} ladrão{any}", "{any} nenhum jogador{any}", "Nenhum jogador{any}", "{any} não tem cartas{any}",
         "{any} desconectou{any}", "{any} reconectou{any}", "{any} bot {any}", "Não há {any}", "{any} saiu {any}"),
    )  # fmt: skip


def _italian(english: Language) -> Language:
    return _language(
        english, "it", "Italian", ("Tu", "te"), "PV|punto vittoria|punti vittoria",
        ("Carta risorsa|carta", "Qualsiasi|qualsiasi risorsa", "Carta sviluppo|carta di sviluppo"),
        {"wood": "Legname|Legno|Legna", "brick": "Argilla|Mattoni|Mattone", "sheep": "Lana|Pecore|Pecora",
         "wheat": "Grano|Frumento|Cereali", "ore": "Minerali|Minerale|Roccia|Pietra"},
        {"road": "Strada", "settlement": "Insediamento|Colonia", "city": "Città"},
        {"knight": "Cavaliere", "victory_point": "Punto vittoria",
         "road_building": "Costruzione di strade|Costruzione stradale|Costruzione strade",
         "year_of_plenty": "Anno dell'abbondanza|Anno di abbondanza|Invenzione|Scoperta", "monopoly": "Monopolio"},
        {"longest_road": "Strada più lunga|La strada più lunga|Strada commerciale più lunga",
         "largest_army": "Esercito più grande|Armata più grande|L'esercito più grande|Cavalleria più potente"},
        {
            "placed": ("{player} ha? piazzato|posizionato|messo un|una|uno? {piece}",),
            "start": ("{player} ha? ricevuto|ottenuto le? risorse iniziali {cards}",),
            "roll": ("{player} ha? tirato|lanciato|ottenuto {dice}",),
            "built": ("{player} ha? creato|costruito un|una|uno? {piece}",),
            "bought": ("{player} ha? acquistato|comprato una? {dev_back}",),
            "bank": ("{player} ha? dato alla banca {give} e ha? preso|ricevuto {receive}",
                "{player} ha? dato {give} alla banca e ha? preso|ricevuto {receive}"),
            "trade": ("{player} ha? dato {give} e ha? ricevuto|ottenuto {receive} da|di {partner}",
                      "{player} ha? scambiato {give} per|con {receive} con {partner}"),
            "offer": ("{player} vuole|vorrebbe dare|scambiare|offrire {give} per|con {receive}",
                "{player} offre {give} per {receive}"),
            "counter": (
                "{player} ha? proposto|fatto una? controfferta|controproposta a {partner}, offrendo? {give} per {receive}",),
            "monopoly": ("{player} ha? rubato {count} {card}",),
            "steal_by_you": ("Hai rubato {cards} da|a {partner}",),
            "steal_from_you": ("{player} ti ha rubato {cards}",),
            "steal": ("{player} ha rubato {cards} da|a {partner}",),
            "got": ("{player} ho|ha? ottenuto|guadagnato {cards}",),
            "gain": ("{player} ha? selezionato|scelto {cards} dalla tessera dorata|d'oro", "{player} ha? ricevuto {cards}"),
            "used": ("{player} ha? usato|utilizzato|giocato {dev_card}",
                "{player} ha? usato|utilizzato|giocato {any} {dev_card}"),
            "plenty": ("{player} ha? prelevato|preso dalla banca {cards}",
                "{player} ha? prelevato|preso {cards} dalla banca"),
            "discard": ("{player} ha? scartato {cards}",),
            "robber": ("{player} ha? spostato|mosso il? ladro|brigante|predone {any}",),
            "award": ("{player} ha? ricevuto|ottenuto {award} {any}",),
            "passed": ("{award} è? passato|passata|passa da {partner} a {player}",),
            "lost": ("{player} ha? perso {award} {any}",),
            "won": ("{player} ha? vinto la|il? partita|gioco! {any}",),
        },
        ("{any} bloccat{any} ladro{any}", "{any} bloccat{any} brigante{any}", "{any} nessun giocatore{any}",
         "Nessun giocatore{any}",
         "{any} non ha carte{any}", "{any} disconness{any}", "{any} riconness{any}", "{any} bot {any}",
         "Non ci sono {any}", "{any} ha lasciato{any}"),
    )  # fmt: skip


def _russian(english: Language) -> Language:
    return _language(
        english, "ru", "Russian", ("Вы", "вас"), "ПО|очко|очка|очков|победное очко|победных очка|победных очков",
        ("Карта ресурса|карту ресурса|карту|карта", "Любой|любой ресурс", "Карта развития|карту развития"),
        {"wood": "Древесина|Древесину|Дерево|Лес|Брёвна", "brick": "Кирпич|Глина|Глину", "sheep": "Шерсть|Овца|Овцу|Овцы",
         "wheat": "Зерно|Пшеница|Пшеницу", "ore": "Руда|Руду|Камень"},
        {"road": "Дорога|Дорогу", "settlement": "Поселение|Посёлок|Поселок", "city": "Город"},
        {"knight": "Рыцарь|Рыцаря", "victory_point": "Победное очко",
         "road_building": "Строительство дорог|Строительство дороги",
         "year_of_plenty": "Год изобилия|Изобретение|Урожайный год", "monopoly": "Монополия|Монополию"},
        {"longest_road": "Самая длинная дорога|Самую длинную дорогу|Самый длинный путь|Самый длинный тракт",
         "largest_army": "Самая большая армия|Самую большую армию|Самое большое войско|Крупнейшая армия"},
        {
            "placed": ("{player} разместил|разместила|поставил|поставила {piece}",),
            "start": ("{player} получил|получила стартовые|начальные ресурсы {cards}",),
            "roll": ("{player} выбросил|выбросила|бросил|бросила {dice}",),
            "built": ("{player} построил|построила {piece}",),
            "bought": ("{player} купил|купила {dev_back}",),
            "bank": ("{player} дал/а|дал|дала|отдал|отдала банку {give} и взял|взяла|получил|получила {receive}",),
            "trade": ("{player} дал/а|дал|дала|отдал|отдала {give} и получил|получила|взял|взяла {receive} от|у {partner}",
                      "{player} обменял|обменяла {give} на {receive} с|у {partner}"),
            "offer": ("{player} хочет отдать|дать|обменять {give} за|на {receive}",
                "{player} предлагает {give} за|на {receive}"),
            "counter": (
                "{player} предложил|предложила|сделал|сделала встречное предложение {partner}, предлагая? {give} за|на "
                "{receive}",),
            "monopoly": ("{player} украл|украла {count} {card}",),
            "steal_by_you": ("Вы украли {cards} у {partner}", "Ты украл|украла {cards} у {partner}"),
            "steal_from_you": ("{player} украл|украла у тебя|вас {cards}",),
            "steal": ("{player} украл|украла {cards} у {partner}",),
            "got": ("{player} получил|получила {cards}",),
            "gain": ("{player} выбрал|выбрала {cards} с золотой плитки",),
            "used": ("{player} использовано|использовал|использовала|сыграл|сыграла|разыграл|разыграла {dev_card}",
                     "{player} использовано|использовал|использовала|сыграл|сыграла {any} {dev_card}"),
            "plenty": ("{player} взял|взяла из банка {cards}", "{player} взял|взяла {cards} из банка"),
            "discard": ("{player} сбросил|сбросила {cards}",),
            "robber": ("{player} переместил|переместила|передвинул|передвинула разбойника|грабителя {any}",),
            "award": ("{player} получил|получила {award} {any}",),
            "passed": ("{award} перешла|перешёл|перешло|переходит от {partner} к {player}",),
            "lost": ("{player} потерял|потеряла {award} {any}",),
            "won": ("{player} выиграл|выиграла игру|партию! {any}", "{player} победил|победила! {any}"),
        },
        ("{any} заблокирован{any}", "{any} нет карт{any}", "Нет игрок{any}", "{any} отключил{any}",
         "{any} переподключил{any}",
         "{any} бот {any}", "Недостаточно {any}", "{any} покинул{any}"),
    )  # fmt: skip


def _polish(english: Language) -> Language:
    return _language(
        english, "pl", "Polish", ("Ty", "ci"), "PZ|punkt zwycięstwa|punkty zwycięstwa|pkt",
        ("Karta surowca|kartę surowca|kartę|karta", "Dowolny|dowolny surowiec", "Karta rozwoju|kartę rozwoju"),
        {"wood": "Drewno|Drewna", "brick": "Cegła|Cegłę|Cegły|Glina|Glinę", "sheep": "Wełna|Wełnę|Owca|Owcę",
         "wheat": "Zboże|Zboża|Pszenica|Pszenicę|Ziarno", "ore": "Ruda|Rudę|Rudy|Kamień"},
        {"road": "Droga|Drogę", "settlement": "Osada|Osadę", "city": "Miasto"},
        {"knight": "Rycerz|Rycerza", "victory_point": "Punkt zwycięstwa",
         "road_building": "Budowa dróg|Budowę dróg|Budowa drogi",
         "year_of_plenty": "Rok urodzaju|Rok obfitości|Rok dostatku|Wynalazek", "monopoly": "Monopol"},
        {"longest_road": "Najdłuższa droga|Najdłuższą drogę|Najdłuższy trakt|Najdłuższa droga handlowa",
         "largest_army": "Największa armia|Największą armię|Najwyższa władza rycerska"},
        {
            "placed": ("{player} umieścił|umieściła|postawił|postawiła {piece}",),
            "start": ("{player} otrzymał|otrzymała zasoby|surowce początkowe|startowe {cards}",),
            "roll": ("{player} wyrzucił|wyrzuciła|rzucił|rzuciła {dice}",),
            "built": ("{player} zbudował|zbudowała|wybudował|wybudowała {piece}",),
            "bought": ("{player} kupił|kupiła {dev_back}",),
            "bank": ("{player} dał|dała|oddał|oddała bankowi {give} i w? zamian? wziął|wzięła|otrzymał|otrzymała {receive}",),
            "trade": (
                "{player} dał|dała|oddał|oddała {give} i w? zamian? otrzymał|otrzymała|dostał|dostała {receive} od {partner}",
                      "{player} wymienił|wymieniła {give} na|za {receive} z {partner}"),
            "offer": ("{player} chce dać|oddać|wymienić {give} za|na {receive}", "{player} oferuje {give} za|na {receive}"),
            "counter": (
                "{player} zaproponował|zaproponowała|złożył|złożyła kontrofertę|kontrpropozycję {partner}, oferując? "
                "{give} za|na {receive}",),
            "monopoly": ("{player} ukradł|ukradła {count} {card}",),
            "steal_by_you": ("Ukradłeś|Ukradłaś {cards} od {partner}", "Ukradłeś|Ukradłaś {cards} graczowi {partner}"),
            "steal_from_you": ("{player} ukradł|ukradła ci {cards}",),
            "steal": ("{player} ukradł|ukradła {cards} od {partner}",),
            "got": ("{player} otrzymał|otrzymała|dostał|dostała {cards}",),
            "gain": ("{player} wybrał|wybrała {cards} z pola złota",),
            "used": ("{player} użył|użyła|zagrał|zagrała|wykorzystał|wykorzystała {dev_card}",
                     "{player} użył|użyła|zagrał|zagrała {any} {dev_card}"),
            "plenty": ("{player} pobrał|pobrała|wziął|wzięła z banku {cards}",
                "{player} pobrał|pobrała|wziął|wzięła {cards} z banku"),
            "discard": ("{player} odrzucił|odrzuciła {cards}",),
            "robber": ("{player} przesunął|przesunęła|przeniósł|przeniosła złodzieja|rozbójnika {any}",),
            "award": ("{player} otrzymał|otrzymała|zdobył|zdobyła {award} {any}",),
            "passed": ("{award} przeszła|przeszedł|przechodzi od|z {partner} do|na {player}",),
            "lost": ("{player} stracił|straciła {award} {any}",),
            "won": ("{player} wygrał|wygrała grę|partię! {any}",),
        },
        ("{any} zablokowan{any}", "{any} nie ma kart{any}", "Brak gracz{any}", "{any} rozłączył{any}",
         "{any} połączył{any} ponownie{any}",
         "{any} bot {any}", "Za mało {any}", "{any} opuścił{any}"),
    )  # fmt: skip


def _turkish(english: Language) -> Language:
    return _language(
        english, "tr", "Turkish", ("Sen", "senden"), "ZP|puan|zafer puanı",
        ("Kaynak kartı|kart", "Herhangi|herhangi bir kaynak", "Gelişim kartı|Geliştirme kartı"),
        {"wood": "Odun|Kereste|Tahta", "brick": "Tuğla|Kil", "sheep": "Yün|Koyun", "wheat": "Tahıl|Buğday",
         "ore": "Cevher|Maden|Taş"},
        {"road": "Yol", "settlement": "Yerleşim yeri|Yerleşim|Yerleşke|Köy", "city": "Şehir"},
        {"knight": "Şövalye", "victory_point": "Zafer puanı", "road_building": "Yol yapımı|Yol inşası|Yol inşaatı",
         "year_of_plenty": "Bolluk yılı|Bereket yılı", "monopoly": "Tekel"},
        {"longest_road": "En uzun yol", "largest_army": "En büyük ordu"},
        {
            "placed": ("{player} bir? {piece} yerleştirdi|koydu",),
            "start": ("{player} başlangıç kaynakları|kaynaklarını alındı|aldı {cards}",),
            "roll": ("{player} yuvarlandı|attı {dice}", "{player} zar attı {dice}", "{player} {dice} attı"),
            "built": ("{player} bir? {piece} inşa etti", "{player} bir? {piece} kurdu|yaptı"),
            "bought": ("{player} satın aldım|aldı {dev_back}", "{player} {dev_back} satın aldı"),
            "bank": ("{player} bankaya {give} verdi ve {receive} aldı",),
            "trade": ("{player} {give} verdi ve {partner}'den|'dan|'ten|'tan {receive} aldı",),
            "offer": ("{player} {give} karşılığında {receive} istiyor", "{player} {receive} için {give} vermek istiyor"),
            "counter": ("{player} {partner}'e|'a|'ye|'ya karşı teklif sundu|yaptı: {give} karşılığında {receive}",),
            "monopoly": ("{player} çaldı {count} {card}", "{player} {count} {card} çaldı"),
            "steal_by_you": ("{partner}'den|'dan|'ten|'tan {cards} çaldın",),
            "steal_from_you": ("{player} senden {cards} çaldım|çaldı",),
            "steal": ("{player} {partner}'den|'dan|'ten|'tan {cards} çaldı",),
            "got": ("{player} elde edildi|etti {cards}", "{player} {cards} aldı|kazandı"),
            "gain": ("{player} altın döşemeden {cards} seçildi|seçti",),
            "used": ("{player} kullanıldı|kullandı|oynadı {dev_card}", "{player} {dev_card} kullandı|oynadı",
                "{player} kullanıldı|kullandı|oynadı {any} {dev_card}"),
            "plenty": ("{player} bankadan aldı {cards}", "{player} bankadan {cards} aldı"),
            "discard": ("{player} atıldı|attı {cards}", "{player} {cards} attı"),
            "robber": ("{player} hırsızı|soyguncuyu|haydudu {any} taşıdı",
                "{player} hırsızı|soyguncuyu|haydudu {any} hareket ettirdi"),
            "award": ("{player} alındı|aldı {award} {any}", "{player} {award} aldı|kazandı"),
            "passed": ("{award} {partner}'den|'dan|'ten|'tan {player}'e|'a|'ye|'ya geçti",),
            "lost": ("{player} {award} kaybetti",),
            "won": ("{player} oyunu kazandı! {any}",),
        },
        ("{any} engellendi{any}", "{any} hırsız tarafından{any}", "{any} kartı yok{any}", "{any} bağlantısı{any}",
         "{any} yeniden bağlandı{any}",
         "{any} bot {any}", "Yeterli {any}", "{any} ayrıldı{any}"),
    )  # fmt: skip
