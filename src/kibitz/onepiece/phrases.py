"""Effect texts in the usual wording, read into the effect language as far as the phrases are known.

>>> read_text("[On Play] Draw 2 cards. Then, trash 1 card from your hand.").abilities
[{'on': 'play', 'do': [{'draw': 2}, {'discard': 1}]}]
>>> read_text("[Blocker] [On Play] Win the lottery.")
Reading(keywords=['blocker'], abilities=[], unread=['[On Play] Win the lottery.'])
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

KEYWORD_TAGS = {
    "rush": "rush",
    "rush: character": "rushCharacter",
    "double attack": "doubleAttack",
    "banish": "banish",
    "unblockable": "unblockable",
    "blocker": "blocker",
}
TIMING_TAGS = {
    "on play": "play",
    "when attacking": "attack",
    "on your opponent's attack": "opponentAttack",
    "on block": "block",
    "on k.o.": "ko",
    "activate: main": "activate",
    "main": "main",
    "counter": "counter",
    "trigger": "trigger",
    "end of your turn": "turnEnd",
}
TURN_TAGS = {"your turn": "yours", "opponent's turn": "opponents"}
CIRCLED = "①②③④⑤⑥⑦⑧⑨"

Step = dict[str, Any]
Steps = list[Step]


@dataclass
class Reading:
    """What a text says: printed keywords, abilities in JSON, and the sentences that could not be read."""

    keywords: list[str] = field(default_factory=list)
    abilities: list[dict[str, Any]] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)


def read_text(text: str) -> Reading:
    """Read the effect text of a card. An ability is read whole or not at all."""
    found = Reading()
    plain = _plain(text)
    for part in _parts(plain):
        tags, body = _tags(part)
        words = [KEYWORD_TAGS[tag] for tag in tags if tag in KEYWORD_TAGS]
        if words and not body and not any(tag in TIMING_TAGS or tag in TURN_TAGS or tag.startswith("don!!") for tag in tags):
            found.keywords += words
            continue
        ability = _ability(tags, body, words)
        if ability is None:
            found.unread.append(part)
        else:
            found.abilities += ability
    return found


def _plain(text: str) -> str:
    """One kind of dash, minus, quote and space; no reminders in parentheses."""
    text = re.sub(r"\([^)]*\)", " ", text)
    for old, new in (("−", "-"), ("–", "-"), ("’", "'"), ("×", "x"), ("\u00a0", " ")):  # noqa: RUF001
        text = text.replace(old, new)
    return " ".join(text.split())


def _parts(text: str) -> list[str]:
    """The abilities of a text: each begins with tags (or at the beginning); tags alone that are keywords stand alone."""
    starts = [m.start() for m in re.finditer(r"(?:\[[^\]]+\]\s*/?\s*)+", text) if _begins_part(text, m.start(), m.group())]
    if not starts or starts[0] > 0:
        starts = [0, *starts]
    pieces = [text[a:b].strip() for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
    found: list[str] = []
    for piece in pieces:
        leading = re.match(r"((?:\[[^\]]+\]\s*)+)(.*)", piece)
        if leading is None:
            found += [piece] if piece else []
            continue
        tags = re.findall(r"\[[^\]]+\]", leading[1])
        while tags and tags[0][1:-1].lower() in KEYWORD_TAGS:
            found.append(tags.pop(0))
        rest = " ".join([*tags, leading[2]]).strip()
        found += [rest] if rest else []
    return found


def _begins_part(text: str, at: int, tags: str) -> bool:
    """Whether tags begin an ability: after a full stop, or at the beginning, and not in the middle of a sentence."""
    before = text[:at].rstrip()
    names = [tag.lower() for tag in re.findall(r"\[([^\]]+)\]", tags)]
    known = all(
        name in {*KEYWORD_TAGS, *TIMING_TAGS, *TURN_TAGS, "once per turn"} or name.startswith("don!!") for name in names
    )
    return known and (not before or before[-1] in ".]")


def _tags(part: str) -> tuple[list[str], str]:
    leading = re.match(r"((?:\[[^\]]+\]\s*/?\s*)*)(.*)", part)
    assert leading is not None
    return [tag.lower() for tag in re.findall(r"\[([^\]]+)\]", leading[1])], leading[2].strip()


def _ability(tags: list[str], body: str, words: list[str]) -> list[dict[str, Any]] | None:
    head: dict[str, Any] = {}
    timings = []
    for tag in tags:
        if tag in TIMING_TAGS:
            timings.append(TIMING_TAGS[tag])
        elif tag in TURN_TAGS:
            head["turn"] = TURN_TAGS[tag]
        elif tag == "once per turn":
            head["once"] = True
        elif match := re.fullmatch(r"don!! x(\d+)", tag):
            head["don"] = int(match[1])
        elif tag not in KEYWORD_TAGS:
            return None
    if not timings:
        return _permanent(head, body, words)
    costs, body = _costs(body)
    if costs is None:
        return None
    condition, body = _condition(body)
    steps = _steps(body)
    if steps is None or words:
        return None
    if costs:
        head["cost"] = costs
        if not set(timings) <= {"activate", "main", "counter", "trigger"}:
            head["optional"] = True
    if condition:
        head["if"] = condition
    return [{"on": timing, **head, "do": steps} for timing in timings]


def _permanent(head: dict[str, Any], body: str, words: list[str]) -> list[dict[str, Any]] | None:
    """Effects without a timing are permanent: power, cost and keywords."""
    ability: dict[str, Any] = {"on": "permanent"}
    if "don" in head:
        ability["don"] = head["don"]
    condition, body = _condition(body)
    if "turn" in head:
        condition = {**(condition or {}), "turn": head["turn"]}
    if condition:
        ability["if"] = condition
    if match := re.fullmatch(r"this character gains \+(\d+) power\.?", body, re.IGNORECASE):
        return [{**ability, "power": int(match[1])}]
    if match := re.fullmatch(r"all of your characters gain \+(\d+) power\.?", body, re.IGNORECASE):
        return [{**ability, "whose": "you", "which": {"kinds": ["character"]}, "power": int(match[1])}]
    granted = re.fullmatch(r"this character gains \[([^\]]+)\]\.?", body, re.IGNORECASE)
    if granted and granted[1].lower() in KEYWORD_TAGS:
        return [{**ability, "keywords": [KEYWORD_TAGS[granted[1].lower()]]}]
    return [{**ability, "keywords": words}] if words and not body and len(ability) > 1 else None


def _costs(body: str) -> tuple[list[Step] | None, str]:
    """What is paid, before the colon; None if it cannot be read."""
    found: list[Step] = []
    if match := re.match(rf"([{CIRCLED}])\s*:?\s*", body):
        found.append({"restDon": CIRCLED.index(match[1]) + 1})
        body = body[match.end() :]
    if match := re.match(r"don!! -(\d+)\s*:?\s*", body, re.IGNORECASE):
        found.append({"returnDon": int(match[1])})
        body = body[match.end() :]
    paid = re.match(r"you may ([^:.]+):\s*", body, re.IGNORECASE)
    if paid is None:
        return found, body
    for clause in re.split(r" and ", paid[1]):
        for pattern, cost in COSTS:
            if match := re.fullmatch(pattern, clause.strip(), re.IGNORECASE):
                found.append(cost(match))
                break
        else:
            return None, body
    return found, body[paid.end() :]


COSTS: list[tuple[str, Callable[[re.Match[str]], Step]]] = [
    (r"rest this (?:character|leader|stage|card)", lambda m: {"restSelf": True}),
    (r"trash this (?:character|stage|card)", lambda m: {"trashSelf": True}),
    (r"trash (\d+) cards? from your hand", lambda m: {"discard": int(m[1])}),
    (r"rest (\d+) of your don!! cards?", lambda m: {"restDon": int(m[1])}),
    (r"add (\d+) cards? from the top of your life cards to your hand", lambda m: {"lifeToHand": int(m[1])}),
    (r"return 1 of your characters to (?:the owner's|your) hand", lambda m: {"returnCharacter": {}}),
]


def _condition(body: str) -> tuple[dict[str, Any] | None, str]:
    for pattern, make in CONDITIONS:
        if match := re.match(pattern + r",\s*", body, re.IGNORECASE):
            return make(match), body[match.end() :]
    return None, body


def _bound(match: re.Match[str]) -> dict[str, int]:
    return {"max" if match["how"].lower().startswith(("less", "fewer")) else "min": int(match["n"])}


CONDITIONS: list[tuple[str, Callable[[re.Match[str]], dict[str, Any]]]] = [
    (r"if you have (?P<n>\d+) or (?P<how>less|fewer|more) life cards?", lambda m: {"life": _bound(m)}),
    (
        r"if your opponent has (?P<n>\d+) or (?P<how>less|fewer|more) life cards?",
        lambda m: {"life": {"who": "opponent", **_bound(m)}},
    ),
    (r"if you have (?P<n>\d+) or (?P<how>less|fewer|more) cards in your hand", lambda m: {"hand": _bound(m)}),
    (r"if you have (?P<n>\d+) or (?P<how>less|fewer|more) don!! cards on your field", lambda m: {"don": _bound(m)}),
    (r"if you have (?P<n>\d+) or (?P<how>less|fewer|more) cards in your trash", lambda m: {"trash": _bound(m)}),
    (r"if your leader has the \{(?P<type>[^}]+)\} type", lambda m: {"leader": {"types": [m["type"]]}}),
    (r"if your leader is \[(?P<name>[^\]]+)\]", lambda m: {"leader": {"name": m["name"]}}),
]


# --- sentences ----------------------------------------------------------------------------------------------------------

_OPPONENTS = (
    r"up to (?P<n>\d+) of your opponent's (?P<rested>rested )?characters?"
    r"(?: with a cost of (?P<cost>\d+) or less| with (?P<power>\d+) power or less)?"
)


def _theirs(m: re.Match[str]) -> Step:
    """The selection of the opponent's Characters that a sentence describes."""
    chosen: dict[str, Any] = {"of": "opponent", "max": int(m["n"])}
    if m["rested"]:
        chosen["rested"] = True
    if m["cost"]:
        chosen["cost"] = {"max": int(m["cost"])}
    if m["power"]:
        chosen["power"] = {"max": int(m["power"])}
    return {"select": chosen, "as": "x"}


def _span(text: str) -> str:
    return "battle" if "battle" in text.lower() else "turn"


def _search(m: re.Match[str]) -> Steps:
    chosen: dict[str, Any] = {"from": "top", "max": int(m["n"]), "types": [m["type"]]}
    if m["name"]:
        chosen["notName"] = m["name"]
    return [{"lookTop": int(m["look"])}, {"select": chosen, "as": "x"}, {"toHand": "x"}, {"orderRest": "bottom"}]


SENTENCES: list[tuple[str, Callable[[re.Match[str]], Steps]]] = [
    (
        r"look at (?P<look>\d+) cards from the top of your deck; reveal up to (?P<n>\d+) \{(?P<type>[^}]+)\} type cards?"
        r"(?: other than \[(?P<name>[^\]]+)\])? and add (?:it|them) to your hand\."
        r" then, place the rest at the bottom of your deck in any order",
        _search,
    ),
    (r"draw (\d+) cards?", lambda m: [{"draw": int(m[1])}]),
    (r"trash (\d+) cards? from your hand", lambda m: [{"discard": int(m[1])}]),
    (r"your opponent trashes (\d+) cards? from their hand", lambda m: [{"discard": int(m[1]), "who": "opponent"}]),
    (r"trash (\d+) cards? from the top of your deck", lambda m: [{"mill": int(m[1])}]),
    (rf"k\.o\. {_OPPONENTS}", lambda m: [_theirs(m), {"ko": "x"}]),
    (rf"rest {_OPPONENTS}", lambda m: [_theirs(m), {"rest": "x"}]),
    (rf"return {_OPPONENTS} to the owner's hand", lambda m: [_theirs(m), {"returnToHand": "x"}]),
    (
        r"return up to (\d+) characters? with a cost of (\d+) or less to the owner's hand",
        lambda m: [{"select": {"of": "both", "max": int(m[1]), "cost": {"max": int(m[2])}}, "as": "x"}, {"returnToHand": "x"}],
    ),
    (
        rf"give {_OPPONENTS} -(?P<less>\d+) power during this turn",
        lambda m: [_theirs(m), {"addPower": -int(m["less"]), "to": "x"}],
    ),
    (
        r"(?:up to (?P<n>\d+) of )?your leader or characters?(?: cards?)? gains? \+(?P<p>\d+) power"
        r" during this (?P<d>battle|turn)",
        lambda m: [
            {"select": {"from": "field", "max": int(m["n"] or 1)}, "as": "x"},
            {"addPower": int(m["p"]), "to": "x", "for": _span(m["d"])},
        ],
    ),
    (
        r"this (?:character|leader) gains \+(\d+) power during this (battle|turn)",
        lambda m: [{"addPower": int(m[1]), "to": "self", "for": _span(m[2])}],
    ),
    (
        r"your leader gains \+(\d+) power during this (battle|turn)",
        lambda m: [{"addPower": int(m[1]), "to": "leader", "for": _span(m[2])}],
    ),
    (
        r"give up to (\d+) rested don!! cards? to your leader or 1 of your characters",
        lambda m: [{"select": {"from": "field"}, "as": "x"}, {"giveDon": int(m[1]), "rested": True, "to": "x"}],
    ),
    (r"set up to (\d+) of your don!! cards? as active", lambda m: [{"orientDon": int(m[1])}]),
    (r"add up to (\d+) don!! cards? from your don!! deck and set (?:it|them) as active", lambda m: [{"addDon": int(m[1])}]),
    (
        r"add up to (\d+) don!! cards? from your don!! deck and rest (?:it|them)",
        lambda m: [{"addDon": int(m[1]), "rested": True}],
    ),
    (r"set this (?:character|leader) as active", lambda m: [{"setActive": "self"}]),
    (r"add up to (\d+) cards? from the top of your deck to the top of your life cards", lambda m: [{"deckToLife": int(m[1])}]),
    (r"play this card", lambda m: [{"playSelf": True}]),
    (r"activate this card's \[main\] effect", lambda m: [{"reuse": "main"}]),
]


def _steps(body: str) -> Steps | None:
    """All sentences as steps; None if one of them cannot be read."""
    found: Steps = []
    rest = body.strip()
    while rest:
        rest = re.sub(r"^(?:then,? |and )", "", rest, flags=re.IGNORECASE)
        for pattern, make in SENTENCES:
            match = re.match(rf"{pattern}(?:\.|;|,|$| and )\s*", rest, re.IGNORECASE)
            if match:
                found += make(match)
                rest = rest[match.end() :].strip()
                break
        else:
            return None
    return found or None
