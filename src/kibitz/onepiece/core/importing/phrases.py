"""Effect texts in the usual wording, read into the effect language as far as their sentences are known.

>>> read_text("[On Play] Draw 2 cards. Then, trash 1 card from your hand.").abilities
[{'on': 'play', 'do': [{'draw': 2}, {'discard': 1}]}]
>>> read_text("[Blocker] [On Play] Win the lottery.")
Reading(keywords=['blocker'], abilities=[], unread=['[On Play] Win the lottery.'])

A text consists of parts, each with tags in brackets; a part is read whole or not at all.
`kibitz.onepiece.core.importing.clauses` reads what cards, conditions and costs are meant,
`kibitz.onepiece.core.importing.sentences` what is done.
"""

import re
from dataclasses import dataclass, field
from typing import Any
from unicodedata import numeric

from kibitz.onepiece.core.importing.clauses import (
    KEYWORD_TAGS, Cards, Steps, conditions_before, read_cards, read_costs, read_whole_filter,
)  # fmt: skip
from kibitz.onepiece.core.importing.sentences import read_gains, read_steps

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
    "end of your opponent's turn": "opponentTurnEnd",
}
TURN_TAGS = {"your turn": "yours", "opponent's turn": "opponents"}
#: Timings that some texts write out.
SPELT_OUT = {
    "at the start of your turn, ": "turnStart",
    "at the end of your turn, ": "turnEnd",
    "when this character attacks, ": "attack",
    "when this character is k.o.'d, ": "ko",
}
#: Effects that their player activates: a cost does not make them optional.
ACTIVATED = {"activate", "main", "counter", "trigger"}

#: A longer part of a text is not an effect, and would take long to be understood.
LONGEST = 800

Head = dict[str, Any]
Abilities = list[dict[str, Any]]


@dataclass
class Reading:
    """What a text says: printed keywords, abilities in JSON, what was not read; `parts` are the texts of the abilities."""

    keywords: list[str] = field(default_factory=list)
    abilities: list[dict[str, Any]] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list, repr=False)


def read_text(text: str) -> Reading:
    """Read the effect text of a card. An ability is read whole or not at all."""
    found = Reading()
    for part in _parts(_plain(text)):
        tags, body = _tags(part)
        if len(part) > LONGEST:
            found.unread.append(part)
            continue
        words = [KEYWORD_TAGS[tag] for tag in tags if tag in KEYWORD_TAGS]
        if words and not body and not any(tag in TIMING_TAGS or tag in TURN_TAGS or tag.startswith("don!!") for tag in tags):
            found.keywords += words
            continue
        abilities = _ability(tags, body, words)
        if abilities is None:
            found.unread.append(part)
        else:
            found.abilities += abilities
            found.parts += [part] * len(abilities)
    return found


def part_of(text: str, timing: str) -> str:
    """The part of a text that has a timing; the whole text if it is not exactly one.

    >>> part_of("[Blocker] [On K.O.] Draw 1 card.", "ko")
    '[On K.O.] Draw 1 card.'
    """
    found = [part for part in _parts(_plain(text)) if timing in (TIMING_TAGS.get(tag) for tag in _tags(part)[0])]
    return found[0] if len(found) == 1 else text


def _plain(text: str) -> str:
    """One kind of dash, minus and quote; no reminders in parentheses; line breaks stay."""
    text = re.sub(r"<br\s*/?>", "\n", text, flags=re.IGNORECASE)
    text = re.sub(r"\([^)]*\)", " ", text)
    for old, new in (("−", "-"), ("–", "-"), ("’", "'"), ("“", '"'), ("”", '"'), ("×", "x"), ("\u00a0", " ")):  # noqa: RUF001
        text = text.replace(old, new)
    return text


def _parts(text: str) -> list[str]:
    """The abilities of a text: each begins a line, or a sentence, with tags; keywords stand alone."""
    return [part for line in re.split(r"\n(?=\s*\[)", text) for part in _line_parts(" ".join(line.split()))]


def _line_parts(text: str) -> list[str]:
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


def _ability(tags: list[str], body: str, words: list[str]) -> Abilities | None:
    """The abilities of one part: several if it has several timings; None if it cannot be read."""
    head: Head = {}
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
    for words_of, timing in SPELT_OUT.items():
        if not timings and body.lower().startswith(words_of):
            timings, body = [timing], body[len(words_of) :]
    if timings:
        return None if words else _timed(head, timings, body)
    return _replacement(head, body) or _waiting(head, body) or _permanent(head, body, words)


def _timed(head: Head, timings: list[str], body: str) -> Abilities | None:
    """Costs, condition and steps of an effect with timings."""
    bodies = [(timing, _body(body, timing)) for timing in timings]
    found = [{"on": timing, **head, **ability} for timing, ability in bodies if ability is not None]
    return found if len(found) == len(timings) else None


def _body(body: str, timing: str) -> dict[str, Any] | None:
    costs, body = _paid(body)
    steps = read_steps(body, timing) if costs is not None else None
    if not steps:
        return None
    ability: dict[str, Any] = {"cost": costs} if costs else {}
    if costs and timing not in ACTIVATED:
        ability["optional"] = True
    if list(steps[0]) == ["if", "then"] and len(steps) == 1:
        return {**ability, "if": steps[0]["if"], "do": steps[0]["then"]}
    return {**ability, "do": steps}


def _paid(body: str) -> tuple[Steps | None, str]:
    """What is paid, before the colon, and what follows; None if it cannot be read."""
    found: Steps = []
    if match := re.match(r"([①-⑩➀-➉])\s*:?\s*", body):  # a number in a circle: so many DON!! are rested
        found.append({"restDon": int(numeric(match[1]))})
        body = body[match.end() :]
    if match := re.match(r"don!! -(\d+)\s*[:,]?\s*", body, re.IGNORECASE):
        found.append({"returnDon": int(match[1])})
        body = body[match.end() :]
    paid = re.match(r"you (?:may|can) ([^:.]+):\s*", body, re.IGNORECASE)
    if paid is None:
        return found, body
    costs = read_costs(paid[1])
    return (None, body) if costs is None else (found + costs, body[paid.end() :])


def _replacement(head: Head, body: str) -> Abilities | None:
    """A replacement: "If ... would be K.O.'d, you may ... instead"."""
    found = re.fullmatch(
        r"if (?P<cards>.+?) would be (?P<how>k\.o\.'d|removed from the field)"
        r"(?P<by> in battle| by your opponent's effects?| by (?:an )?effects?)?, (?P<may>you may )?(?P<what>.+) instead\.?",
        body,
        re.IGNORECASE,
    )
    whose = _replaced(found["cards"]) if found else None
    if found is None or whose is None:
        return None
    by = (found["by"] or "").lower()
    ability: dict[str, Any] = {"on": "replace", **head, "event": "ko" if "k.o." in found["how"].lower() else "left", **whose}
    if by:
        ability["by"] = "battle" if "battle" in by else "opponentsEffect" if "opponent" in by else "effect"
    if found["may"]:
        ability["optional"] = True
        costs = read_costs(found["what"])
        if costs is not None:
            return [{**ability, "cost": costs, "do": []}]
    steps = read_steps(found["what"])
    return [{**ability, "do": steps}] if steps else None


def _replaced(text: str) -> dict[str, Any] | None:
    """Which cards a replacement saves."""
    if text.lower() in ("this character", "this stage", "this card"):
        return {"whose": "self"}
    yours = re.match(r"(?:any of |one of |1 of )?your ", text, re.IGNORECASE)
    found = read_whole_filter(text[yours.end() :]) if yours else None
    if found is None:
        return None
    which = found[1]
    return {"which": which} | ({"other": True} if which.pop("other", False) else {})


def _waiting(head: Head, body: str) -> Abilities | None:
    """An effect that waits for an event: "When ..., ..."."""
    for pattern, watch in EVENTS.items():
        if match := re.match(rf"when {pattern}, ", body, re.IGNORECASE):
            ability = _body(body[match.end() :], "when")
            return [{"on": "when", **head, **watch, **ability}] if ability is not None else None
    return None


EVENTS: dict[str, dict[str, Any]] = {
    "your opponent activates an event": {"event": "event", "whose": "opponent"},
    "you activate an event": {"event": "event", "whose": "you"},
    "a don!! card on your field is returned to your don!! deck": {"event": "donReturned", "whose": "you"},
    "a card is trashed from your hand": {"event": "discarded", "whose": "you"},
    "a card is removed from your life(?: cards| area)?": {"event": "lifeLost", "whose": "you"},
    "a card is removed from your opponent's life(?: cards| area)?": {"event": "lifeLost", "whose": "opponent"},
    "this character becomes rested": {"event": "rested", "whose": "self"},
    "(?:a|one of your) characters? is k.o.'d": {"event": "ko", "whose": "you", "which": {"kinds": ["character"]}},
    "(?:a|one) of your opponent's characters? is k.o.'d": {
        "event": "ko", "whose": "opponent", "which": {"kinds": ["character"]},
    },
    "you play a character": {"event": "played", "whose": "you", "which": {"kinds": ["character"]}},
    "your opponent plays a character": {"event": "played", "whose": "opponent", "which": {"kinds": ["character"]}},
    "a don!! card is given to this character": {"event": "donGiven", "whose": "self"},
}  # fmt: skip


# --- permanent effects --------------------------------------------------------------------------------------------------


def _permanent(head: Head, body: str, words: list[str]) -> Abilities | None:
    """Effects without a timing are permanent: power, cost, keywords, what is forbidden."""
    if "once" in head:
        return None
    ability: dict[str, Any] = {"on": "permanent"} | {k: v for k, v in head.items() if k == "don"}
    conditions = [{"turn": head["turn"]}] if "turn" in head else []
    if body.lower().startswith("if "):
        condition, body = next(conditions_before(body), (None, ""))
        if condition is None:
            return None
        conditions += condition.get("all", [condition])
    if conditions:
        ability["if"] = conditions[0] if len(conditions) == 1 else {"all": conditions}
    if words:
        return [{**ability, "keywords": words}] if not body and len(ability) > 1 else None
    changes = _lasting(body.strip().rstrip("."))
    return None if changes is None else [{**ability, **changes}]


def _lasting(text: str) -> dict[str, Any] | None:
    """What a permanent effect changes, and whose cards."""
    if found := re.fullmatch(r"(?P<cards>.+?) gains? (?P<gains>.+)", text, re.IGNORECASE):
        gains, cards = read_gains(found["gains"]), _reached(found["cards"])
        if gains is None or cards is None:
            return None
        power, words = gains
        return cards | ({"power": power} if power else {}) | ({"keywords": words} if words else {})
    if found := re.fullmatch(r"give (?P<cards>.+?) (?P<n>[+-]\d+) (?P<what>power|cost)", text, re.IGNORECASE):
        cards = _reached(found["cards"])
        return None if cards is None else cards | {found["what"].lower(): int(found["n"])}
    if found := re.fullmatch(r"(?P<cards>.+?) cannot (?P<what>.+)", text, re.IGNORECASE):
        cards, ban = _reached(found["cards"]), FORBIDDEN.get(found["what"].lower())
        return None if cards is None or ban is None else cards | {"cannot": [ban]}
    return None


FORBIDDEN = {
    "attack": "attack",
    "attack leaders": "attackLeader",
    "attack a leader": "attackLeader",
    "be k.o.'d in battle": "koInBattle",
    "be k.o.'d by effects": "koByEffect",
    "activate [blocker]": "block",
}


def _reached(text: str) -> dict[str, Any] | None:
    """Whose cards a permanent effect concerns."""
    cards = read_cards(text)
    if cards is None and re.match(r"your ", text, re.IGNORECASE):
        cards = read_cards(f"all of {text}")
    if cards is None or not cards.on_field:
        return None
    if cards.every:
        return _aura(cards)
    fixed = {"self": {}, "leader": {"whose": "you", "which": {"kinds": ["leader"]}}}
    return None if cards.select else fixed.get(cards.name)


def _aura(cards: Cards) -> dict[str, Any] | None:
    which = dict(cards.select)
    place, whose, other = which.pop("from", "characters"), which.pop("of", "you"), which.pop("other", False)
    if {"cost", "power", "keyword"} & set(which):
        return None  # permanent effects cannot choose by what permanent effects change
    kinds = {"characters": ["character"], "leaders": ["leader"], "stages": ["stage"], "field": ["leader", "character"]}
    found = {"whose": whose, "which": {"kinds": kinds[place], **which}}
    return found | ({"other": True} if other else {})
