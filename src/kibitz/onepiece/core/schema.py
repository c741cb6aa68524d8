"""Card files: JSON read into `Card` objects, each field checked.

A file is ``{"set": "...", "cards": [...]}``; ``docs/onepiece_cards.md`` describes every field. A mistake is a `CardError` that
names the file, the card and the field:

>>> read_card({"id": "X-1", "name": "Nobody", "kind": "pirate", "colours": ["red"]}, "cards.json")
Traceback (most recent call last):
...
kibitz.onepiece.core.reading.CardError: cards.json: X-1: kind: expected one of leader, character, event, stage, found 'pirate'
"""

from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from kibitz.ground.codec import parse_json
from kibitz.ground.folders import text_in
from kibitz.onepiece.core.actions import ABILITIES
from kibitz.onepiece.core.cards import (
    BANS, CHARACTER, COLOURS, EVENT, EVENTS, KEYWORDS, KINDS, LEADER, STAGE, TIMINGS, Ability, Card, Permanent, Watch,
)  # fmt: skip
from kibitz.onepiece.core.effects import life_and_don, movement, power, select  # noqa: F401 (each registers its primitives)
from kibitz.onepiece.core.effects.base import Program, read_steps
from kibitz.onepiece.core.effects.conditions import Filter, read_condition, read_filter
from kibitz.onepiece.core.effects.control import jump_unless
from kibitz.onepiece.core.effects.costs import publicly, read_costs
from kibitz.onepiece.core.reading import CardError, FieldReader

#: Which timings make sense on which kind of card.
ON_THE_FIELD = {
    "attack", "opponentAttack", "activate", "turnStart", "turnEnd", "opponentTurnEnd", "when", "replace", "permanent",
}  # fmt: skip
TIMINGS_OF = {
    LEADER: ON_THE_FIELD,
    CHARACTER: ON_THE_FIELD | {"play", "block", "ko", "trigger"},
    STAGE: (ON_THE_FIELD | {"play", "trigger"}) - {"attack"},
    EVENT: {"main", "counter", "trigger"},
}
#: Effects that a player activates: nobody has to.
CHOSEN = ("activate", "main", "counter", "trigger")
MOST_COST, MOST_POWER = 20, 20_000
#: What a replacement stands in for: what threatens the card.
REPLACED_BY = ("any", "battle", "effect", "opponentsEffect")


def read_card(value: Any, file: str) -> Card:
    """One card from its JSON object."""
    name = value.get("id") if isinstance(value, dict) else None
    r = FieldReader(value, f"{file}: {name}" if isinstance(name, str) and name else file)
    identity, kind = r.text("id"), r.one_of("kind", KINDS)
    if " " in identity:
        raise r.fail("id", f"expected a text without spaces, found {identity!r:.60}")
    colours = r.some_of("colours", COLOURS)
    if not 1 <= len(colours) <= 2:
        raise r.fail("colours", "expected one or two colours")
    keywords = _bits(r, "keywords", KEYWORDS)
    if keywords and kind != CHARACTER:
        raise r.fail("keywords", "only Characters have them printed")
    abilities, permanents = _read_abilities(r, kind)
    card = Card(
        id=identity,
        name=r.text("name"),
        kind=kind,
        colours=colours,
        cost=0 if kind == LEADER else r.number("cost", 0, MOST_COST),
        power=r.number("power", 0, MOST_POWER) if kind in (LEADER, CHARACTER) else 0,
        counter=r.number("counter", 0, 5000, 0) if kind == CHARACTER else 0,
        life=r.number("life", 1, 10) if kind == LEADER else 0,
        types=r.some_of("types"),
        attribute=r.text("attribute", ""),
        keywords=keywords,
        abilities=abilities,
        permanents=permanents,
        text=r.text("text", ""),
    )
    r.finish()
    return card


def _read_abilities(r: FieldReader, kind: str) -> tuple[tuple[Ability, ...], tuple[Permanent, ...]]:
    abilities: list[Ability] = []
    permanents: list[Permanent] = []
    for part in r.objects("abilities"):
        timing = part.one_of("on", TIMINGS)
        if timing not in TIMINGS_OF[kind]:
            raise part.fail("on", f"{timing}: not on a card of the kind {kind}")
        if timing == "permanent":
            permanents.append(_read_permanent(part, len(permanents)))
        else:
            if kind == EVENT and any(ability.on == timing for ability in abilities):
                raise part.fail("on", f"{timing}: the Event has such an effect already")
            abilities.append(_read_ability(part, timing))
        part.finish()
    if len(abilities) > ABILITIES:
        raise r.fail("abilities", f"expected at most {ABILITIES}")
    return tuple(abilities), tuple(permanents)


def _read_ability(r: FieldReader, timing: str) -> Ability:
    program = Program()
    payable = read_costs(r.objects("cost"), program)
    condition = read_condition(r.object("if")) if r.has("if") else None
    at = program.reserve() if condition is not None and timing != "replace" else None
    steps = r.objects("do")
    if not steps and timing != "replace":
        raise r.fail("do", "expected at least one step")
    read_steps(steps, program)
    if at is not None:
        program.fill(at, jump_unless, condition)
    optional = r.flag("optional")
    if payable and timing not in CHOSEN and not optional:
        raise r.fail("optional", "an effect with a cost is optional: expected true")
    return Ability(
        on=timing,
        code=tuple(program.code),
        payable=payable,
        askable=publicly(payable),
        condition=condition,
        optional=optional,
        once=r.flag("once"),
        don=r.number("don", 0, 10, 0),
        turn=r.one_of("turn", ("yours", "opponents", "any"), "any"),
        watch=_read_watch(r, timing) if timing in ("when", "replace") else None,
        text=r.text("text", ""),
    )


def _read_which(r: FieldReader) -> Filter | None:
    if not r.has("which"):
        return None
    which = r.object("which")
    found = read_filter(which)
    which.finish()
    return found


def _read_watch(r: FieldReader, timing: str) -> Watch:
    event = r.one_of("event", EVENTS if timing == "when" else ("ko", "left"))
    whose = r.one_of("whose", ("you", "opponent", "any", "self"), "you")
    which = _read_which(r)
    by = r.one_of("by", REPLACED_BY, "any") if timing == "replace" else "any"
    return Watch(event, "you" if whose == "self" else whose, which, whose == "self", r.flag("other"), by)


def _read_permanent(r: FieldReader, number: int) -> Permanent:
    which = _read_which(r)
    if which is not None and which.volatile:
        raise r.fail("which", "power, cost and keywords are what permanent effects change; they cannot choose by them")
    changes = {
        power.POWER: r.number("power", -99_000, 99_000, 0),
        power.COST: r.number("cost", -20, 20, 0),
        power.KEYWORD: _bits(r, "keywords", KEYWORDS),
        power.BAN: _bits(r, "cannot", BANS),
    }
    return Permanent(
        number=number,
        condition=read_condition(r.object("if")) if r.has("if") else None,
        don=r.number("don", 0, 10, 0),
        whose=r.one_of("whose", ("self", "you", "opponent", "both", "hand"), "self"),
        which=which,
        other=r.flag("other"),
        changes={what: value for what, value in changes.items() if value},
    )


def _bits(r: FieldReader, name: str, bits: Mapping[str, int]) -> int:
    return sum({bits[word] for word in r.some_of(name, bits)})


def read_cards(text: str, file: str) -> dict[str, Card]:
    """All cards of a file, by id."""
    try:
        value = parse_json(text)
    except ValueError as error:
        raise CardError(f"{file}: {error}") from None
    r = FieldReader(value, file)
    r.text("set", "")
    found: dict[str, Card] = {}
    if not isinstance(r.raw("cards"), list):
        raise r.fail("cards", "expected a list of cards")
    for item in r.raw("cards"):
        card = read_card(item, file)
        if card.id in found:
            raise CardError(f"{file}: {card.id}: id: there is another card with this id")
        found[card.id] = card
    r.raw("decks")
    r.finish()
    return found


def load_cards(path: Path) -> dict[str, Card]:
    """All cards of a file, by id."""
    return read_cards(text_in(path), path.name)


def builtin_text(name: str) -> str:
    """A file of the cards that come with Kibitz."""
    return (resources.files("kibitz.onepiece.core") / "data" / name).read_text(encoding="utf-8")
