"""The table of the One Piece card game as one piece of HTML: both fields, piles, hands; and a list of what the person may do.

Nothing here knows the rules. Everything that can be chosen or read about is a button with ``data-id``; what a card says about
itself in full is in a hidden part of it, which the page shows when the pointer or the focus is there. The choices have keys, as
far as there are keys.
"""

from collections.abc import Collection, Iterable, Sequence
from html import escape
from typing import NamedTuple

from kibitz.onepiece.core.actions import PLACES
from kibitz.onepiece.core.cards import CHARACTER, KEYWORDS, LEADER, Card
from kibitz.onepiece.core.svg import draw_art
from kibitz.onepiece.core.words import short
from kibitz.onepiece.pages.moment import Held, Moment, Option, Side, Unit

#: Keywords as they are printed, and where there is little room.
NAMES = {
    "rush": ("Rush", "RU"),
    "rushCharacter": ("Rush: Character", "RC"),
    "doubleAttack": ("Double Attack", "x2"),
    "banish": ("Banish", "BA"),
    "unblockable": ("Unblockable", "UB"),
    "blocker": ("Blocker", "BL"),
}
#: What a card says is shown where the pointer or the focus is: a large copy of its face, and its hidden words.
READ = """(event) => {
  const found = event.target.closest(".op-card[data-id]"), shown = document.querySelector(".op-preview");
  if (!found || !shown) return;
  const large = document.createElement("span");
  const passing = ["can", "chosen", "target", "rested", "attacks", "attacked", "tiny"];
  large.className = [...found.classList].filter((name) => !passing.includes(name)).join(" ");
  large.append(found.querySelector(".op-face").cloneNode(true));
  shown.replaceChildren(large, found.querySelector(".op-words").cloneNode(true));
  if (event.type === "focusin") window.kibitzCard = found.dataset.id;
}"""
CHARACTERS = PLACES[1:6]
ROLES = {"attacks": ("⚔", "attacks"), "attacked": ("◎", "is attacked")}


def keywords_of(card: Card) -> tuple[str, ...]:
    """The printed keywords."""
    return tuple(word for word, bit in KEYWORDS.items() if card.keywords & bit)


def draw_table(moment: Moment, chosen: str = "", targets: Collection[str] = ()) -> str:
    """Both fields. `chosen` is the card that something is to be done with, `targets` what it can be done to."""
    legal = {option.source for option in moment.options if option.source}
    return (
        draw_side(moment.opponent, "theirs", legal, chosen, targets)
        + _middle(moment)
        + draw_side(moment.me, "mine", legal, chosen, targets)
    )


def _middle(moment: Moment) -> str:
    whose = "Your turn" if moment.me.acts else f"{moment.opponent.name}'s turn"
    turn = f"Turn {moment.turn} · {whose}" if moment.turn and not moment.over else "Set-up" if not moment.over else "The end"
    battle = f'<span class="op-battle">⚔ {escape(moment.battle)}</span>' if moment.battle else ""
    return f'<div class="op-middle"><span class="op-turn">{escape(turn)}</span>{battle}</div>'


def draw_side(side: Side, look: str, legal: Collection[str], chosen: str, targets: Collection[str]) -> str:
    """One player's field, with the piles beside it."""

    def slot(place: str, classes: str, name: str) -> str:
        unit = side.units.get(place)
        inner = "" if unit is None else draw_unit(unit, unit.id in legal, unit.id == chosen, unit.id in targets)
        return f'<div class="op-slot {classes}">{inner or f"<i>{name}</i>"}</div>'

    characters = "".join(slot(place, "", str(i)) for i, place in enumerate(CHARACTERS, start=1))
    field = (
        f'<div class="op-field">{slot("L", "lead", "Leader")}<div class="op-chars">{characters}</div>'
        f"{slot('S', 'stage', 'Stage')}</div>"
    )
    acts = " acts" if side.acts else ""
    who = f"{side.name}, {side.deck_name}"
    return f'<section class="op-side {look}{acts}" aria-label="{escape(who, quote=True)}">{_line(side)}{field}</section>'


def _line(side: Side) -> str:
    """Who it is, the piles and the DON!!."""
    trash = f"{len(side.trash)} cards in the trash: look at them" if side.trash else "The trash is empty"
    hand = "".join(draw_held(held, False, False, "tiny") for held in side.hand if held.card) if side.id == "op" else ""
    lives = f'<span class="op-lives" aria-hidden="true">{"<i></i>" * min(side.life, 8)}</span>'
    return (
        f'<div class="op-line"><span class="op-who"><b>{escape(side.name)}</b> <span>{escape(side.deck_name)}</span></span>'
        f'<span class="op-pile life" title="Life"><b>{side.life}</b> Life {lives}</span>'
        f'<span class="op-pile" title="Cards in the deck"><b>{side.deck}</b> deck</span>'
        f'<span class="op-pile" title="Cards in the hand"><b>{len(side.hand)}</b> hand</span>'
        f'<button type="button" class="op-pile" data-id="trash-{side.id}" aria-label="{trash}">'
        f"<b>{len(side.trash)}</b> trash</button>"
        f"{_don(side)}{f'<span class=op-shown>{hand}</span>' if hand else ''}</div>"
    )


def _don(side: Side) -> str:
    """The DON!! cards: active ones stand, rested ones lie, those in the DON!! deck are only outlines."""
    said = f"DON!!: {side.active} active, {side.rested} rested, {side.don_deck} in the DON!! deck"
    kinds = ("on",) * side.active + ("rest",) * side.rested + ("off",) * side.don_deck
    tokens = "".join(f'<i class="{kind}"></i>' for kind in kinds)
    return (
        f'<span class="op-dons" role="img" aria-label="{said}" title="{said}"><span aria-hidden="true">{tokens}</span>'
        f'<b>{side.active}</b><span class="op-of">/{side.active + side.rested} DON!!</span></span>'
    )


def draw_hand(hand: Collection[Held], legal: Collection[str], chosen: str) -> str:
    """The person's hand."""
    known = [held for held in hand if held.card is not None]
    first = [held.id for held in known].index(chosen) if any(held.id == chosen for held in known) else -1
    return "".join(draw_held(held, held.id in legal, i == first) for i, held in enumerate(known))


def draw_held(held: Held, legal: bool, chosen: bool, look: str = "") -> str:
    """A card off the field."""
    assert held.card is not None
    unit = Unit(held.id, held.card, held.card.power, held.cost, keywords_of(held.card))
    return draw_unit(unit, legal, chosen, look=look)


def draw_printed(id: str, card: Card, copies: int = 1, legal: bool = False) -> str:
    """A card as it is printed, with the number of its copies."""
    times = f'<span class="op-times">{copies}x</span>' if copies > 1 else ""
    return draw_held(Held(id, card, card.cost), legal, False) + times


def draw_unit(unit: Unit, legal: bool = False, chosen: bool = False, target: bool = False, look: str = "") -> str:
    """A card as it is now, a button; a rested one is turned."""
    said = ["rested"] * unit.rested + [f"{unit.don} DON!! given"] * (unit.don > 0) + ["played this turn"] * unit.fresh
    extra = f'<span class="op-given" aria-hidden="true">+{unit.don} DON!!</span>' if unit.don else ""
    if unit.role:
        mark, words = ROLES[unit.role]
        said.append(words)
        extra += f'<span class="op-role" aria-hidden="true">{mark}</span>'
    states = {"rested": unit.rested, unit.role: unit.role, "can": legal, "chosen": chosen, "target": target}
    looks = " ".join([_colour(unit.card), unit.card.kind, look, *(name for name, on in states.items() if on)])
    facts = unit.card, unit.power, unit.cost, unit.keywords
    spoken = ", ".join([unit.card.name, *facts_of(*facts), *said, *(["can be chosen"] if legal or target else [])])
    return (
        f'<button type="button" class="op-card {looks}" data-id="{escape(unit.id)}"'
        f' aria-label="{escape(spoken, quote=True)}" aria-pressed="{str(chosen).lower()}">'
        f'{draw_face(*facts)}{extra}<span class="op-about" hidden>{draw_about(*facts, said)}</span></button>'
    )


def draw_face(card: Card, power: int, cost: int, keywords: Collection[str]) -> str:
    """What lies on the table: picture, cost, power now, counter, keywords, name."""
    change = "" if power == card.power else " up" if power > card.power else " down"
    arrow = {"": "", " up": "▲", " down": "▼"}[change]
    price = "" if card.kind == LEADER else f'<span class="op-cost">{cost}</span>'
    strength = f'<span class="op-power{change}">{arrow}{power}</span>' if card.kind in (LEADER, CHARACTER) else ""
    counter = f'<span class="op-counter">+{card.counter}</span>' if card.counter else ""
    marks = "".join(f"<b>{NAMES[word][1]}</b>" for word in keywords)
    kind = "" if card.kind == CHARACTER else f'<span class="op-kind">{card.kind}</span>'
    return (
        f'<span class="op-face" aria-hidden="true">{draw_art(card)}{price}{strength}{kind}'
        f'<span class="op-marks">{marks}</span>'
        f'<span class="op-foot">{counter}<span class="op-name">{escape(short(card))}</span></span></span>'
    )


def draw_about(card: Card, power: int, cost: int, keywords: Collection[str], said: Collection[str] = ()) -> str:
    """All that there is to read about a card."""
    facts = " · ".join([card.kind.capitalize(), *facts_of(card, power, cost, keywords), *card.types])
    state = f'<span class="op-now">{escape(" · ".join(said))}</span>' if said else ""
    text = escape(card.text) if card.text else "No effect."
    return (
        f'<span class="op-words"><b>{escape(card.name)}</b><span class="op-facts">{escape(facts)}</span>{state}'
        f'<span class="op-text">{text}</span></span>'
    )


def draw_large(card: Card) -> str:
    """A card as it is printed, and all that there is to read about it."""
    printed = card.power, card.cost, keywords_of(card)
    return f'<span class="op-card {_colour(card)} {card.kind}">{draw_face(card, *printed)}</span>{draw_about(card, *printed)}'


def facts_of(card: Card, power: int, cost: int, keywords: Collection[str]) -> list[str]:
    """``cost 2``, ``1000 power``, ``counter 1000``, ``Blocker``."""
    facts = [] if card.kind == LEADER else [f"cost {cost}"]
    if card.kind in (LEADER, CHARACTER):
        facts.append(f"{power} power" if power == card.power else f"{power} power ({card.power} printed)")
    facts += [f"counter {card.counter}"] * (card.counter > 0) + [f"Life {card.life}"] * (card.life > 0)
    return facts + [NAMES[word][0] for word in keywords]


def _colour(card: Card) -> str:
    return card.colours[0] if card.colours else "black"


#: The keys of choices that are always the same; all others have numbers.
KEYS = {"end_turn": "e", "keep": "k", "redraw": "r", "pass": "p", "done": "d", "yes": "y", "no": "n"}
#: The kinds of the Main Phase, in the order of their groups.
GROUPS = {"attack": "Attack", "play": "Play", "activate": "Use an effect", "give": "Give a DON!!"}


class Choice(NamedTuple):
    """An option with its key; empty where the keys have run out."""

    option: Option
    key: str


def offered(moment: Moment, chosen: str) -> list[Choice]:
    """The options that are shown, in their order: those of the chosen card, if it has any, and what always goes."""
    mine = [option for option in moment.options if chosen and option.source == chosen]
    rest = [option for option in moment.options if not option.source and option.card is None]
    shown = [*mine, *rest] if mine else list(moment.options)
    order = list(GROUPS)
    shown.sort(
        key=lambda option: (option in rest and option.kind in KEYS, order.index(option.kind) if option.kind in order else 0)
    )
    numbers = iter("123456789")
    return [Choice(option, KEYS.get(option.kind) or next(numbers, "")) for option in shown]


def draw_choices(moment: Moment, choices: Sequence[Choice], chosen: str) -> str:
    """The list, in groups where it is long."""
    grouped = moment.main and not any(choice.option.source == chosen for choice in choices if chosen)
    parts: list[str] = []
    last = ""
    for choice in choices:
        kind = choice.option.kind
        if grouped and kind in GROUPS and kind != last:
            parts.append(f"<h3>{GROUPS[kind]}</h3>")
        last = kind
        parts.append(_choice(choice))
    return _tray(choices) + "".join(parts)


def _choice(choice: Choice) -> str:
    option, key = choice
    words = f"<small>{escape(option.words)}</small>" if option.words else ""
    cap = f'<kbd aria-hidden="true">{key.upper()}</kbd>' if key else ""
    return (
        f'<button type="button" class="op-option {option.kind}" data-code="{option.code}" data-from="{escape(option.source)}">'
        f"<span>{escape(option.label)}{words}</span>{cap}</button>"
    )


def _tray(choices: Iterable[Choice]) -> str:
    """The cards that can be picked and lie on no field and in no hand of the person."""
    faces = [
        draw_printed(f"pick-{option.card.id}", option.card, legal=True)
        for option, _ in choices
        if option.card is not None and not option.source
    ]
    return f'<div class="op-tray">{"".join(faces)}</div>' if faces else ""
