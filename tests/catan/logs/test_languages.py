"""The chat log in other languages: each kind of row in each, whole pages, and languages that are only named."""

import pytest

from kibitz.catan.core.events import (
    Award,
    BankTrade,
    Build,
    BuyDevCard,
    Cards,
    CounterOffer,
    Discard,
    Gain,
    Monopoly,
    MoveRobber,
    Offer,
    PlayDevCard,
    PlayerTrade,
    Roll,
    StartingResources,
    Steal,
    Win,
    YearOfPlenty,
)
from kibitz.catan.logs import LogError, read, recognise
from kibitz.catan.logs.colonist.wordings import LANGUAGES, likeliest

pytestmark = pytest.mark.plain

ANN, BOB = 0, 1
#: What each kind of row tells, with Ann as who reads it.
TOLD = {
    "placed": Build(ANN, "settlement", free=True),
    "start": StartingResources(BOB, Cards(sheep=1, ore=1)),
    "roll": Roll(ANN, 6),
    "got": Gain(BOB, Cards(wood=1, brick=1)),
    "built": Build(ANN, "road"),
    "bought": BuyDevCard(ANN),
    "bank": BankTrade(ANN, Cards(wood=4), Cards(ore=1)),
    "trade": PlayerTrade(ANN, BOB, Cards(sheep=1), Cards(wheat=2)),
    "offer": Offer(ANN, Cards(brick=1), Cards(ore=1)),
    "counter": CounterOffer(BOB, ANN, Cards(wheat=1), Cards(sheep=1)),
    "monopoly": Monopoly(BOB, "ore", 4),
    "steal": Steal(BOB, 2),
    "steal_by_you": Steal(ANN, BOB, "sheep"),
    "steal_from_you": Steal(BOB, ANN, "wood"),
    "used": PlayDevCard(BOB, "knight"),
    "plenty": YearOfPlenty(ANN, Cards(wood=1, wheat=1)),
    "discard": Discard(BOB, Cards(ore=2, brick=1)),
    "robber": MoveRobber(BOB),
    "award": Award(ANN, "longest_road"),
    "passed": Award(BOB, "largest_army"),
    "lost": Award(None, "longest_road"),
    "won": Win(BOB),
}
ROWS = {
    "en": {
        "placed": "Ann placed a Settlement",
        "start": "Bob received starting resources Wool Ore",
        "roll": "Ann rolled dice_5 dice_1",
        "got": "Bob got Lumber Brick",
        "built": "Ann built a Road",
        "bought": "Ann bought Development Card",
        "bank": "Ann gave bank Lumber Lumber Lumber Lumber and took Ore",
        "trade": "Ann gave Wool and got Grain Grain from Bob",
        "offer": "Ann wants to give Brick for Ore",
        "counter": "Bob proposed counter offer to Ann, offering Grain for Wool",
        "monopoly": "Bob stole 4 Ore",
        "steal": "Bob stole Resource Card from Cem",
        "steal_by_you": "You stole Wool from Bob",
        "steal_from_you": "Bob stole Lumber from you",
        "used": "Bob used Knight Knight",
        "plenty": "Ann took from bank Lumber Grain",
        "discard": "Bob discarded Ore Ore Brick",
        "robber": "Bob moved Robber to prob_5 wool tile",
        "award": "Ann received Longest Road (+2 VPs)",
        "passed": "Largest Army passed from Ann to Bob (+2 VPs)",
        "lost": "Ann lost Longest Road",
        "won": "trophy Bob won the game!",
    },
    "de": {
        "placed": "Ann hat einen Siedlung platziert",
        "start": "Bob hat Startrohstoffe erhalten Wolle Erz",
        "roll": "Ann hat dice_5 dice_1 gewürfelt",
        "got": "Bob bekam Holz Lehm",
        "built": "Ann hat ein Straße gebaut",
        "bought": "Ann hat Entwicklungskarte gekauft",
        "bank": "Ann gab der Bank Holz Holz Holz Holz und nahm Erz",
        "trade": "Ann gab Wolle und bekam Getreide Getreide von Bob",
        "offer": "Ann möchte Lehm für Erz geben",
        "counter": "Bob macht Ann ein Gegenangebot: Getreide für Wolle",
        "monopoly": "Bob hat 4 Erz gestohlen",
        "steal": "Bob hat Rohstoffkarte von Cem gestohlen",
        "steal_by_you": "Du hast Wolle von Bob gestohlen",
        "steal_from_you": "Bob hat dir Holz gestohlen",
        "used": "Bob verwendete Ritter Ritter",
        "plenty": "Ann nahm Holz Getreide von der Bank",
        "discard": "Bob hat Erz Erz Ziegel Karten abgelegt",
        "robber": "Bob hat den Räuber auf prob_5 bewegt",
        "award": "Ann hat Längste Handelsstraße erhalten (+2 SP)",
        "passed": "Größte Rittermacht ging von Ann zu Bob",
        "lost": "Ann hat Längste Handelsstraße verloren",
        "won": "Bob hat das Spiel gewonnen!",
    },
    "fr": {
        "placed": "Ann a placé un Colonie",
        "start": "Bob a reçu les ressources de départ Laine Minerai",
        "roll": "Ann a lancé dice_5 dice_1",
        "got": "Bob a obtenu Bois Argile",
        "built": "Ann a construit Route",
        "bought": "Ann a acheté Carte développement",
        "bank": "Ann a échangé à la banque Bois Bois Bois Bois contre Minerai",
        "trade": "Ann a donné Laine et a obtenu Blé Blé de Bob",
        "offer": "Ann veut donner Argile contre Minerai",
        "counter": "Bob a proposé une contre-offre à Ann, offrant Blé contre Laine",
        "monopoly": "Bob a volé 4 Minerai",
        "steal": "Bob a volé Carte ressource à Cem",
        "steal_by_you": "Vous avez volé Laine à Bob",
        "steal_from_you": "Bob vous a volé Bois",
        "used": "Bob a utilisé Chevalier Chevalier",
        "plenty": "Ann a pris à la banque Bois Blé",
        "discard": "Bob a supprimé Minerai Minerai Brique",
        "robber": "Bob a déplacé le voleur sur prob_5",
        "award": "Ann a reçu Route la plus longue (+2 PV)",
        "passed": "Plus grande armée est passée de Ann à Bob",
        "lost": "Ann a perdu Route la plus longue",
        "won": "Bob a gagné la partie !",
    },
    "es": {
        "placed": "Ann ha colocado un Poblado",
        "start": "Bob recibió los Recursos Iniciales Lana Mineral",
        "roll": "Ann ha sacado dice_5 dice_1",
        "got": "Bob ha conseguido Madera Ladrillo",
        "built": "Ann ha construido un Carretera",
        "bought": "Ann ha comprado Carta de desarrollo",
        "bank": "Ann ha dado al Banco Madera Madera Madera Madera y ha tomado Mineral",
        "trade": "Ann dio Lana y obtuvo Trigo Trigo de Bob",
        "offer": "Ann quiere dar Ladrillo por Mineral",
        "counter": "Bob hizo una contraoferta a Ann, ofreciendo Trigo por Lana",
        "monopoly": "Bob ha robado 4 Mineral",
        "steal": "Bob robó Carta de recurso de Cem",
        "steal_by_you": "Has robado Lana de Bob",
        "steal_from_you": "Bob te robó Madera",
        "used": "Bob ha usado Caballero Caballero",
        "plenty": "Ann tomó Madera Trigo del Banco",
        "discard": "Bob ha descartado Mineral Mineral Ladrillo",
        "robber": "Bob movió el ladrón a prob_5",
        "award": "Ann ha recibido Carretera más larga (+2 PV)",
        "passed": "Mayor ejército pasó de Ann a Bob",
        "lost": "Ann ha perdido Carretera más larga",
        "won": "Bob ha ganado la partida!",
    },
    "pt": {
        "placed": "Ann colocou um Assentamento",
        "start": "Bob recebeu recursos iniciais Lã Minério",
        "roll": "Ann lançou dice_5 dice_1",
        "got": "Bob obteve Madeira Tijolo",
        "built": "Ann construiu Estrada",
        "bought": "Ann comprou Carta de desenvolvimento",
        "bank": "Ann deu Madeira Madeira Madeira Madeira ao banco e pegou Minério",
        "trade": "Ann deu Lã e recebeu Trigo Trigo de Bob",
        "offer": "Ann quer dar Tijolo por Minério",
        "counter": "Bob fez uma contraproposta para Ann, oferecendo Trigo por Lã",
        "monopoly": "Bob roubou 4 Minério",
        "steal": "Bob roubou Carta de recurso de Cem",
        "steal_by_you": "Você roubou Lã de Bob",
        "steal_from_you": "Bob roubou Madeira de você",
        "used": "Bob usou Cavaleiro Cavaleiro",
        "plenty": "Ann tirou Madeira Trigo do banco",
        "discard": "Bob descartou Minério Minério Tijolo",
        "robber": "Bob moveu o ladrão para prob_5",
        "award": "Ann recebeu Maior estrada (+2 PV)",
        "passed": "Maior exército passou de Ann para Bob",
        "lost": "Ann perdeu Maior estrada",
        "won": "Bob venceu o jogo!",
    },
    "it": {
        "placed": "Ann ha piazzato un Insediamento",
        "start": "Bob ha ricevuto risorse iniziali Lana Minerale",
        "roll": "Ann tirato dice_5 dice_1",
        "got": "Bob ho ottenuto Legno Argilla",
        "built": "Ann ha creato un Strada",
        "bought": "Ann acquistato Carta sviluppo",
        "bank": "Ann ha dato alla banca Legno Legno Legno Legno e ha preso Minerale",
        "trade": "Ann ha dato Lana e ha ricevuto Grano Grano da Bob",
        "offer": "Ann vuole dare Argilla per Minerale",
        "counter": "Bob ha proposto una controfferta a Ann, offrendo Grano per Lana",
        "monopoly": "Bob ha rubato 4 Minerale",
        "steal": "Bob ha rubato Carta risorsa da Cem",
        "steal_by_you": "Hai rubato Lana da Bob",
        "steal_from_you": "Bob ti ha rubato Legno",
        "used": "Bob usato Cavaliere Cavaliere",
        "plenty": "Ann prelevato dalla banca Legno Grano",
        "discard": "Bob scartato Minerale Minerale Mattone",
        "robber": "Bob ha spostato il ladro su prob_5",
        "award": "Ann ricevuto Strada più lunga (+2 PV)",
        "passed": "Esercito più grande è passato da Ann a Bob",
        "lost": "Ann ha perso Strada più lunga",
        "won": "Bob ha vinto la partita!",
    },
    "ru": {
        "placed": "Ann разместил Поселение",
        "start": "Bob получил стартовые ресурсы Шерсть Руда",
        "roll": "Ann выбросил dice_5 dice_1",
        "got": "Bob получил Дерево Кирпич",
        "built": "Ann построил Дорога",
        "bought": "Ann купил Карта развития",
        "bank": "Ann дал/а банку Дерево Дерево Дерево Дерево и взял Руда",
        "trade": "Ann дал Шерсть и получил Зерно Зерно от Bob",
        "offer": "Ann хочет отдать Кирпич за Руда",
        "counter": "Bob сделал встречное предложение Ann, предлагая Зерно за Шерсть",
        "monopoly": "Bob украл 4 Руда",
        "steal": "Bob украл Карта ресурса у Cem",
        "steal_by_you": "Вы украли Шерсть у Bob",
        "steal_from_you": "Bob украл у тебя Дерево",
        "used": "Bob использовано Рыцарь Рыцарь",
        "plenty": "Ann взял из банка Дерево Зерно",
        "discard": "Bob сбросил Руда Руда Глина",
        "robber": "Bob переместил разбойника на prob_5",
        "award": "Ann получил Самая длинная дорога (+2 ПО)",
        "passed": "Самая большая армия перешла от Ann к Bob",
        "lost": "Ann потерял Самая длинная дорога",
        "won": "Bob выиграл игру!",
    },
    "pl": {
        "placed": "Ann umieścił Osada",
        "start": "Bob otrzymał zasoby początkowe Wełna Ruda",
        "roll": "Ann wyrzucił dice_5 dice_1",
        "got": "Bob otrzymał Drewno Cegła",
        "built": "Ann zbudował Droga",
        "bought": "Ann kupił Karta rozwoju",
        "bank": "Ann dał bankowi Drewno Drewno Drewno Drewno i w zamian wziął Ruda",
        "trade": "Ann dał Wełna i w zamian otrzymał Zboże Zboże od Bob",
        "offer": "Ann chce dać Cegła za Ruda",
        "counter": "Bob zaproponował kontrofertę Ann, oferując Zboże za Wełna",
        "monopoly": "Bob ukradł 4 Ruda",
        "steal": "Bob ukradł Karta surowca od Cem",
        "steal_by_you": "Ukradłeś Wełna od Bob",
        "steal_from_you": "Bob ukradł ci Drewno",
        "used": "Bob użył Rycerz Rycerz",
        "plenty": "Ann pobrał z banku Drewno Zboże",
        "discard": "Bob odrzucił Ruda Ruda Cegła",
        "robber": "Bob przesunął złodzieja na prob_5",
        "award": "Ann otrzymał Najdłuższa droga (+2 PZ)",
        "passed": "Największa armia przeszła od Ann do Bob",
        "lost": "Ann stracił Najdłuższa droga",
        "won": "Bob wygrał grę!",
    },
    "tr": {
        "placed": "Ann Köy yerleştirdi",
        "start": "Bob başlangıç kaynakları alındı Yün Cevher",
        "roll": "Ann yuvarlandı dice_5 dice_1",
        "got": "Bob elde edildi Odun Tuğla",
        "built": "Ann bir Yol inşa etti",
        "bought": "Ann satın aldım Gelişim kartı",
        "bank": "Ann bankaya Odun Odun Odun Odun verdi ve Cevher aldı",
        "trade": "Ann Yün verdi ve Bob'den Tahıl Tahıl aldı",
        "offer": "Ann Tuğla karşılığında Cevher istiyor",
        "counter": "Bob Ann'e karşı teklif sundu: Tahıl karşılığında Yün",
        "monopoly": "Bob çaldı 4 Cevher",
        "steal": "Bob Cem'den Kaynak kartı çaldı",
        "steal_by_you": "Bob'den Yün çaldın",
        "steal_from_you": "Bob senden Odun çaldım",
        "used": "Bob kullanıldı Şövalye Şövalye",
        "plenty": "Ann bankadan aldı Odun Tahıl",
        "discard": "Bob atıldı Cevher Cevher Tuğla",
        "robber": "Bob hırsızı prob_5 taşıdı",
        "award": "Ann alındı En uzun yol (+2 ZP)",
        "passed": "En büyük ordu Ann'den Bob'e geçti",
        "lost": "Ann En uzun yol kaybetti",
        "won": "Bob oyunu kazandı!",
    },
}


def table(rows: dict[str, str]) -> str:
    """A set-up of three in the words of a language."""
    seats = ["Ann", "Bob", "Cem"]
    return "\n".join(rows["placed"].replace("Ann", name) for name in [*seats, *reversed(seats)]) + "\n"


def test_every_language_has_a_row_of_every_kind():
    assert set(ROWS) == {language.code for language in LANGUAGES}
    assert all(list(rows) == list(TOLD) for rows in ROWS.values())


@pytest.mark.parametrize("kind", TOLD)
@pytest.mark.parametrize("code", ROWS)
def test_a_row(code, kind):
    text = table(ROWS[code]) + ROWS[code][kind] + "\n"
    imported = read(text, me="Ann")
    assert imported.log.players == ("Ann", "Bob", "Cem")
    assert (imported.problems, imported.log.events[-1]) == ((), TOLD[kind])


@pytest.mark.parametrize("code", ROWS)
def test_the_language_is_found_by_the_rows(code):
    assert likeliest(list(ROWS[code].values())).code == code
    assert recognise("\n".join(ROWS[code].values())) == "colonist-text"


@pytest.mark.parametrize("code", ROWS)
def test_a_page_in_which_cards_are_pictures(code):
    """Files have English names, whatever their alternative texts say."""
    words = {
        word: f'<img alt="{word}" src="a/card_{next(w for w in LANGUAGES[0].resources[name] if w).lower()}.1.svg">'
        for language in LANGUAGES
        if language.code == code
        for name, known in language.resources.items()
        for word in known
    }
    rows = table(ROWS[code]).splitlines()
    rows += [ROWS[code][kind] for kind in ("roll", "got", "bank", "steal_from_you")]
    words |= {name: f'<span style="font-weight: 600">{name}</span>' for name in ("Ann", "Bob", "Cem")}
    cells = [[words.get(word, word) for word in row.split(" ")] for row in rows]
    page = "".join(f'<div data-index="{index}">{" ".join(row)}</div>\n' for index, row in enumerate(cells))
    imported = read(page, me="Ann")
    assert imported.problems == ()
    assert imported.log.events[-3:] == (Roll(ANN, 6, {BOB: Cards(wood=1, brick=1)}), TOLD["bank"], TOLD["steal_from_you"])


OTHERS = {
    "Dutch": "Ann heeft een dorp geplaatst\nAnn gerold dice_5 dice_1\nBob kreeg wol\nAnn kocht kaart\n",
    "Swedish": "Ann placerade en by\nAnn rullade dice_5 dice_1\nBob fick ull\n",
    "Korean": "Ann \uad74\ub824 dice_5 dice_1\nBob \ubc1b\uc558\uc5b4\uc694\n",
    "Japanese": "Ann \u3055\u3044\u3053\u308d dice_5 dice_1\nBob \u5f97\u307e\u3057\u305f\n",
    "Chinese": "Ann \u63b7\u51fa dice_5 dice_1\nBob \u5f97\u5230\n",
    "Ukrainian": "Ann отримав деревину dice_5\nBob купив і взяв\n",
    "Hungarian": "Ann dobott dice_5 dice_1\nBob kapott gyapj\u00fa\n",
}


@pytest.mark.parametrize("language", OTHERS)
def test_of_other_languages_it_is_said_which_it_seems_to_be(language):
    with pytest.raises(LogError, match=f"seems? to be {language}; languages that can be read: English, German"):
        read(OTHERS[language])
    page = "".join(f'<div data-index="{n}">{row}</div>' for n, row in enumerate(OTHERS[language].splitlines()))
    with pytest.raises(LogError, match=f"rows seem to be {language}"):
        read(page)


def test_other_texts_seem_to_be_nothing():
    with pytest.raises(LogError, match="no known format"):
        read("Dear Bob,\nhe gaf me a book.\n")
