"""Sentences of effect texts, read into steps of the effect language.

>>> read_steps("Draw 2 cards and trash 1 card from your hand.")
[{'draw': 2}, {'discard': 1}]
>>> read_steps("Sing a song.") is None
True

A text is read whole or not at all. "If" and "If you do" govern everything that follows them; "Then" does not.
"""

import re
from collections.abc import Callable
from copy import deepcopy
from functools import lru_cache
from typing import Any

from kibitz.onepiece.core.importing.clauses import (
    DURATIONS, KEYWORD_TAGS, LIFE, Steps, Table, conditions_before, read_by, read_cards, read_joined, read_whole_filter,
)  # fmt: skip

#: Where a sentence can end and the next begin.
_ENDS = re.compile(r"(?:[.;,]|,? (?:and|then))(?:\s+|$)", re.IGNORECASE)
_FOR = rf"(?P<for>{'|'.join(DURATIONS)})"
_HAND = r"to (?:the owner's|its owner's|their owners?'?s?|your|the owners?') hands?"
_BOTTOM = r"(?:at|to) the bottom of (?:the owner's|its owner's|their owners?'?s?|your) decks?(?: in any order)?"


def read_steps(text: str, timing: str = "") -> Steps | None:
    """All sentences of a text as steps; None if one of them cannot be read."""
    return deepcopy(_steps(text, timing))


@lru_cache(maxsize=1024)
def _steps(text: str, timing: str) -> Steps | None:
    """The same, kept: a text can be cut into sentences in many ways, and each asks for the same endings again."""
    rest = re.sub(r"^(?:then,? |and )", "", text.strip(" .;,"), flags=re.IGNORECASE)
    if not rest:
        return []
    if found := re.match(r"if you do,? ", rest, re.IGNORECASE):
        steps = _steps(rest[found.end() :], timing)
        return [{"ifYouDo": steps}] if steps else None
    if re.match(r"if ", rest, re.IGNORECASE):
        return _conditional(rest, timing)
    if found := re.match(r"you may ", rest, re.IGNORECASE):
        return _may(rest[found.end() :], timing)
    if found := re.match(r"choose one:", rest, re.IGNORECASE):
        return _choice(rest[found.end() :], timing)
    cuts = [(m.start(), m.end()) for m in _ENDS.finditer(rest)]
    for end, following in [(len(rest), len(rest)), *reversed(cuts)]:  # the longest sentence first
        steps = _sentence(rest[:end], timing)
        if steps is not None:
            more = _steps(rest[following:], timing)
            if more is not None:
                return steps + more
    return None


def _conditional(text: str, timing: str) -> Steps | None:
    """A failed "if" blocks all that follows."""
    for condition, rest in conditions_before(text):
        if steps := _steps(rest, timing):
            return [{"if": condition, "then": steps}]
    return None


def _may(text: str, timing: str) -> Steps | None:
    """The player decides about all of a sentence; what follows as "If you do" belongs to it."""
    stops = [(m.start(), m.end()) for m in re.finditer(r"\.(?:\s+|$)", text)]
    for end, following in [*stops, (len(text), len(text))]:
        steps = _steps(text[:end], timing)
        more = _steps(text[following:], timing) if steps else None
        if not steps or more is None:
            continue
        if more and "ifYouDo" in more[0]:
            return [{"may": [*steps, more[0]]}, *more[1:]]
        return [{"may": steps}, *more]
    return None


def _choice(text: str, timing: str) -> Steps | None:
    """After "Choose one:", a bullet before each option; nothing can follow the last one."""
    options = [part.strip() for part in re.split(r"[•・·]", text) if part.strip()]
    found = [{"label": option.rstrip("."), "do": _steps(option, timing)} for option in options]
    return [{"choice": found}] if len(found) > 1 and all(option["do"] for option in found) else None


def _sentence(text: str, timing: str) -> Steps | None:
    steps = read_by(SENTENCES, text)
    if steps is not None:
        return steps
    # The attacker cannot be blocked: that is the same, as long as this card is the attacker.
    unblocked = re.fullmatch(r"your opponent cannot activate \[blocker\] during this battle", text.strip(), re.IGNORECASE)
    return [{"grantKeyword": "unblockable", "to": "self", "for": "battle"}] if unblocked and timing == "attack" else None


Make = Callable[[re.Match[str]], Steps | None]


def _each(make: Callable[[str, re.Match[str]], Steps], zone: bool = False) -> Make:
    """Do something with the cards that the group `cards` means: cards on the field, or with `zone` of hand or trash."""

    def steps(m: re.Match[str]) -> Steps | None:
        found = read_joined(m["cards"], r" and (?=up to|\d)", read_cards)
        if found is None or any(cards.on_field == zone for cards in found):
            return None
        return [step for cards in found for step in cards.then(lambda name: make(name, m))]

    return steps


def _do(step: str, zone: bool = False, **fields: Any) -> Make:
    """One step with each of the cards."""
    return _each(lambda name, m: [{step: name, **fields}], zone)


def _for(m: re.Match[str]) -> str:
    return DURATIONS[m["for"].lower()]


def _n(name: str, **fields: Any) -> Make:
    """A step with a number."""
    return lambda m: [{name: int(m["n"]), **fields}]


def _or_none(name: str, **fields: Any) -> Make:
    """The same; "up to" lets the player decide."""

    def steps(m: re.Match[str]) -> Steps:
        step = {name: int(m["n"]), **fields}
        return [{"may": [step]}] if m["upto"] else [step]

    return steps


def _change(name: str, m: re.Match[str]) -> Steps:
    """Power or cost of cards, for a while."""
    return [{"addPower" if m["what"].lower() == "power" else "modifyCost": int(m["sign"] + m["n"]), "to": name, "for": _for(m)}]


def read_gains(text: str) -> tuple[int, list[str]] | None:
    """Power and keywords: "+1000 power", "[Rush]", or both, joined by "and"."""
    power, words = 0, []
    for part in re.split(r",? and |, ", text.strip()):
        if found := re.fullmatch(r"([+-]\d+) power", part, re.IGNORECASE):
            power += int(found[1])
        elif part[:1] == "[" and part[1:-1].lower() in KEYWORD_TAGS:
            words.append(KEYWORD_TAGS[part[1:-1].lower()])
        else:
            return None
    return power, words


def _gain(m: re.Match[str]) -> Steps | None:
    gains = read_gains(m["gains"])
    if gains is None:
        return None
    power, words = gains
    changes = [{"addPower": power}] * bool(power) + [{"grantKeyword": word} for word in words]
    return _each(lambda name, m: [{**change, "to": name, "for": _for(m)} for change in changes])(m)


def _give_don(m: re.Match[str]) -> Steps | None:
    either = re.fullmatch(r"(?:your|this) leader or (?:up to )?1 of your characters", m["cards"], re.IGNORECASE)
    cards = read_cards("up to 1 of your Leader or Character cards" if either else m["cards"])
    if cards is None or cards.every or not cards.on_field:
        return None
    cards.select.pop("min", None)  # up to so many DON!!: none is enough
    return cards.then(lambda name: [{"giveDon": int(m["n"]), "rested": bool(m["rested"]), "to": name}])


def _look(m: re.Match[str]) -> Steps | None:
    """Look at the top of the deck and take what fits, openly (reveal) or not; or play it."""
    found, how = read_whole_filter(m["cards"]), m["how"].lower()
    if found is None or "other" in found[1] or "rested" in found[1]:
        return None
    hidden = {"hidden": True} if how == "add" else {}
    select = {"from": "top", "max": int(m["n"]), **found[1], **hidden}
    return [{"lookTop": int(m["look"])}, {"select": select, "as": "y"}, {"play" if how == "play" else "toHand": "y", **hidden}]


def _to_life(m: re.Match[str]) -> Steps | None:
    cards = read_cards(m["cards"])
    if cards is None or cards.select.get("from") != "hand":
        return None
    hidden = {} if m["up"] else {"hidden": True}
    return [{"select": cards.select | hidden, "as": "y"}, {"addToLife": "y", **hidden}]


def _hand_to_deck(m: re.Match[str]) -> Steps:
    n = int(m["n"])
    chosen = {"from": "hand", "of": "opponent", "by": "opponent", "min": n, "max": n, "hidden": True}
    return [{"select": chosen, "as": "y"}, {"returnToDeck": "y", "at": "bottom", "hidden": True}]


_LOOK = r"look at (?P<look>\d+) cards? from the top of your deck[;,]? (?:and )?"
_UP_TO = r"(?P<upto>up to )?(?P<n>\d+)"

SENTENCES: Table[Steps] = [
    (_LOOK + r"(?P<how>reveal) up to (?P<n>\d+) (?P<cards>.+?) and add (?:it|them) to your hand", _look),
    (_LOOK + r"(?P<how>add) up to (?P<n>\d+) (?P<cards>.+?) to your hand", _look),
    (_LOOK + r"(?P<how>play) up to (?P<n>\d+) (?P<cards>.+)", _look),
    (r"place the rest at the (?P<n>top|bottom) of your deck(?: in any order)?", lambda m: [{"orderRest": m["n"].lower()}]),
    (r"trash the rest", lambda m: [{"orderRest": "trash"}]),
    (r"draw (?P<n>\d+) cards?", _n("draw")),
    (r"your opponent draws (?P<n>\d+) cards?", _n("draw", who="opponent")),
    (r"(?:trash|discard) (?P<n>\d+) cards? from your hand", _n("discard")),
    (r"your opponent (?:trashes|discards) (?P<n>\d+) cards? from their hand", _n("discard", who="opponent")),
    (
        r"your opponent places (?P<n>\d+) cards? from their hand at the bottom of their deck(?: in any order)?",
        _hand_to_deck,
    ),
    (r"trash (?P<n>\d+) cards? from the top of your deck", _n("mill")),
    (r"trash (?P<n>\d+) cards? from the top of your opponent's deck", _n("mill", who="opponent")),
    (r"your opponent trashes (?P<n>\d+) cards? from the top of their deck", _n("mill", who="opponent")),
    (r"k\.o\. (?P<cards>.+)", _do("ko")),
    (r"rest up to (?P<n>\d+) of your opponent's don!! cards?", _n("orientDon", rested=True, who="opponent")),
    (r"rest (?P<cards>.+)", _do("rest")),
    (r"set up to (?P<n>\d+) of your don!! cards? as active", _n("orientDon")),
    (r"set (?P<cards>.+) as active", _do("setActive")),
    (rf"return (?P<cards>.+?) {_HAND}", _do("returnToHand")),
    (rf"(?:place|return) (?P<cards>.+?) {_BOTTOM}", _do("returnToDeck", at="bottom")),
    (r"add (?P<cards>.+? from your trash) to your hand", _do("toHand", zone=True)),
    (r"play this card(?P<rested> rested)?", lambda m: [{"playSelf": True, **({"rested": True} if m["rested"] else {})}]),
    (r"play (?P<cards>.+? from your (?:hand|trash))", _do("play", zone=True)),
    (r"play (?P<cards>.+? from your (?:hand|trash)) rested", _do("play", zone=True, rested=True)),
    (rf"give (?P<cards>.+?) (?P<sign>[+-])(?P<n>\d+) (?P<what>power|cost) {_FOR}", _each(_change)),
    (rf"(?P<cards>.+?) gains? (?:an additional )?(?P<gains>.+?) {_FOR}", _gain),
    (
        rf"(?P<cards>.+?)(?:'s|')? base power becomes (?P<n>\d+) {_FOR}",
        _each(lambda name, m: [{"setBasePower": int(m["n"]), "to": name, "for": _for(m)}]),
    ),
    (rf"(?P<cards>.+?) cannot attack {_FOR}", _each(lambda name, m: [{"setLegality": "attack", "to": name, "for": _for(m)}])),
    (
        r"(?P<cards>.+?) will not become active in (?:your opponent's|the) next refresh phase",
        _each(lambda name, m: [{"setLegality": "refresh", "to": name, "for": "opponentsNextEnd"}]),
    ),
    (r"give up to (?P<n>\d+) (?P<rested>rested )?don!! cards? to (?P<cards>.+)", _give_don),
    (r"give (?P<cards>.+?) up to (?P<n>\d+) (?P<rested>rested )?don!! cards?", _give_don),
    (r"(?:select|choose) (?P<cards>.+)", _each(lambda name, m: [])),
    (r"add up to (?P<n>\d+) don!! cards? from your don!! deck and set (?:it|them) as active", _n("addDon")),
    (r"add up to (?P<n>\d+) don!! cards? from your don!! deck and rest (?:it|them)", _n("addDon", rested=True)),
    (r"your opponent returns (?P<n>\d+) don!! cards? from their field to their don!! deck", _n("returnDon", who="opponent")),
    (
        rf"add up to (?P<n>\d+) cards? from the top of your deck to the top of your {LIFE}(?P<up> face-up)?",
        lambda m: [{"may": [{"deckToLife": int(m["n"]), **({"faceUp": True} if m["up"] else {})}]}],
    ),
    (rf"add {_UP_TO} cards? from the top of your {LIFE} to your hand", _or_none("lifeToHand")),
    (rf"trash {_UP_TO} cards? from the top of your {LIFE}", _or_none("lifeTrash")),
    (rf"trash {_UP_TO} cards? from the top of your opponent's {LIFE}", _or_none("lifeTrash", who="opponent")),
    (rf"add (?P<cards>.+? from your hand) to the top of your {LIFE}(?P<up> face-up)?", _to_life),
    (r"deal (?P<n>\d+) damage to your opponent(?:'s leader)?", _n("damage", who="opponent")),
    (r"trash (?P<cards>.+)", _do("trash")),
    (r"activate this card's \[(?:on )?(?P<what>main|counter|play)\] effect", lambda m: [{"reuse": m["what"].lower()}]),
    (r"shuffle your deck", lambda m: [{"shuffle": True}]),
]  # fmt: skip
