"""Clauses of effect texts: which cards are meant, conditions, costs, how long something lasts.

>>> read_cards("up to 2 of your opponent's rested Characters with a cost of 3 or less").select
{'of': 'opponent', 'max': 2, 'rested': True, 'cost': {'max': 3}}
>>> read_condition("you have 2 or less Life cards and your Leader has the {Crew} type")
{'all': [{'life': {'max': 2}}, {'leader': {'types': ['Crew']}}]}
>>> read_costs("rest this Character and trash 1 card from your hand")
[{'restSelf': True}, {'discard': 1}]

Whatever is not understood to its last word is None.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from kibitz.onepiece.core.cards import COLOURS

Step = dict[str, Any]
Steps = list[Step]
T = TypeVar("T")
#: Patterns, and what is made of a text that one of them fits; None if it makes no sense all the same.
Table = list[tuple[str, Callable[[re.Match[str]], T | None]]]

KEYWORD_TAGS = {
    "rush": "rush",
    "rush: character": "rushCharacter",
    "double attack": "doubleAttack",
    "banish": "banish",
    "unblockable": "unblockable",
    "blocker": "blocker",
}
DURATIONS = {
    "during this battle": "battle",
    "during this turn": "turn",
    "until the start of your next turn": "yourNextStart",
    "until the end of your opponent's next turn": "opponentsNextEnd",
    "until the end of your opponent's next end phase": "opponentsNextEnd",
}
#: Cards that need not be chosen.
FIXED = {
    "this character": "self",
    "this leader": "self",
    "this stage": "self",
    "this card": "self",
    "your leader": "leader",
    "your opponent's leader": "opponentLeader",
    "that character": "x",
    "that card": "x",
    "it": "x",
}
#: Where a phrase says that cards are, and which it then means: from, kinds.
KINDS: list[tuple[str, str, list[str]]] = [
    (r"leader (?:or|and) characters?(?: cards?)?", "field", []),
    (r"characters?(?: cards?)?", "characters", ["character"]),
    (r"leaders?(?: cards?)?", "leaders", []),
    (r"stages?(?: cards?)?", "stages", ["stage"]),
    (r"events?(?: cards?)?", "", ["event"]),
    (r"cards?", "", []),
]
LIFE = r"life(?: cards?| area)?"


class Scanner:
    """A text that is read from left to right, piece by piece."""

    def __init__(self, text: str) -> None:
        self.rest = text.strip()

    def take(self, pattern: str) -> re.Match[str] | None:
        """The pattern at the beginning, which is then read; None if it is not there."""
        found = re.match(rf"(?:{pattern})(?![a-z0-9])\s*", self.rest, re.IGNORECASE)
        if found:
            self.rest = self.rest[found.end() :]
        return found


def read_by(table: Table[T], text: str) -> T | None:
    """What the first pattern of a table that fits a whole text makes of it."""
    for pattern, make in table:
        found = re.fullmatch(pattern, text.strip(), re.IGNORECASE)
        made = make(found) if found else None
        if made is not None:
            return made
    return None


def read_joined(text: str, links: str, read: Callable[[str], T | None]) -> list[T] | None:
    """The parts of a text, joined by words such as "and", as few as can be read."""
    whole = read(text)
    if whole is not None:
        return [whole]
    for link in re.finditer(links, text):
        first = read(text[: link.start()])
        rest = read_joined(text[link.end() :], links, read) if first is not None else None
        if first is not None and rest is not None:
            return [first, *rest]
    return None


@dataclass
class Cards:
    """The cards that a phrase means: a name that needs no choice, or a selection; `every` means all of them."""

    name: str = "x"
    select: dict[str, Any] = field(default_factory=dict)
    every: bool = False
    on_field: bool = True

    def then(self, make: Callable[[str], Steps]) -> Steps:
        """The steps that select the cards and do something with them."""
        if self.every:
            return [{"forEach": {k: v for k, v in self.select.items() if k != "max"}, "do": make("it")}]
        chosen = [{"select": self.select, "as": self.name}] if self.select else []
        return [*chosen, *make(self.name)]


def read_cards(text: str) -> Cards | None:
    """The cards that a phrase means, such as "up to 1 of your Characters"."""
    plain = text.strip().lower()
    if plain in FIXED:
        return Cards(FIXED[plain])
    s = Scanner(text)
    every = s.take("all(?: of)?") is not None
    upto = s.take("up to") is not None
    number = None if every else s.take(r"(\d+)(?: of)?")
    if not every and number is None:
        return None
    chosen: dict[str, Any] = {}
    owner = s.take("your opponent's|your")
    chosen["of"] = "both" if owner is None else "opponent" if "opponent" in owner[0].lower() else "you"
    if number is not None:
        chosen["max"] = int(number[1])
        if not upto:
            chosen["min"] = int(number[1])
    described = read_filter(s)
    if described is None:
        return None
    place, which = described
    zone = s.take(r"from your (hand|trash)")
    if s.rest:
        return None
    if zone is not None:
        place, chosen["of"] = zone[1].lower(), "you"
        if every or "other" in which:
            return None
    else:
        place = place or ("characters" if "name" in which else "")
        which.pop("kinds", None)  # the place says it
    if not place:
        return None
    if place != "characters":
        chosen["from"] = place
    if chosen["of"] == "you":
        del chosen["of"]
    # Cards off the field have a name of their own: "that Character" means cards on the field.
    return Cards("x" if zone is None else "y", chosen | which, every, on_field=zone is None)


def read_filter(s: Scanner) -> tuple[str, dict[str, Any]] | None:
    """What a phrase asks of cards, and where on the field such cards are."""
    which: dict[str, Any] = {}
    if state := s.take("rested|active"):
        which["rested"] = state[0].strip().lower() == "rested"
    colours = "|".join(COLOURS)
    if colour := s.take(rf"({colours})(?: or ({colours}))?"):
        which["colours"] = [word.lower() for word in colour.groups() if word]
    words = []
    while word := s.take(r"(?:or )?[{\"<]([^}\">]+)[}\">](?: type)?"):
        words.append(word[1])
    if words:
        which["types"] = words
    if name := s.take(r"\[([^\]]+)\]"):
        which["name"] = name[1]
    place = None
    for pattern, where, kinds in KINDS:
        if s.take(pattern):
            place = where
            if kinds:
                which["kinds"] = kinds
            break
    if place is None and "name" not in which:
        return None
    while _take_clause(s, which):
        pass
    return place or "", which


def read_whole_filter(text: str) -> tuple[str, dict[str, Any]] | None:
    """The same for a text that says nothing else."""
    s = Scanner(text)
    found = read_filter(s)
    return None if s.rest else found


def _take_clause(s: Scanner, which: dict[str, Any]) -> bool:
    """One more "with ..." or "other than ..."; False if there is none."""
    link = r"(?:with|and|that has|that have) "
    if found := s.take(link + r"(?:a cost of )?(\d+) to (\d+)(?: cost)?"):
        which["cost"] = {"min": int(found[1]), "max": int(found[2])}
    elif found := s.take(link + r"(?:a cost of )(\d+)(?: or (less|more))?"):
        which["cost"] = _bounds(found[1], found[2])
    elif found := s.take(link + r"(\d+) power(?: or (less|more))?"):
        which["power"] = _bounds(found[1], found[2])
    elif found := s.take(link + r"(?:a )?\[([^\]]+)\]"):
        word = found[1].lower()
        if word == "trigger":
            which["trigger"] = True
        elif word in KEYWORD_TAGS:
            which["keyword"] = KEYWORD_TAGS[word]
        else:
            s.rest = found[0] + s.rest
            return False
    elif s.take("other than this (?:character|card)"):
        which["other"] = True
    elif found := s.take(r"other than \[([^\]]+)\]"):
        which["notName"] = found[1]
    else:
        return False
    return True


def _bounds(number: str, how: str | None) -> Any:
    if how is None:
        return int(number)
    return {"min" if how.lower() == "more" else "max": int(number)}


# --- conditions -------------------------------------------------------------------------------------------------------


def read_condition(text: str) -> dict[str, Any] | None:
    """What "if" asks, without the word and the comma; several are joined by "and"."""
    parts = read_joined(text, r" and (?:if )?", lambda part: read_by(CONDITIONS, part))
    if parts is None:
        return None
    return parts[0] if len(parts) == 1 else {"all": parts}


def conditions_before(text: str) -> Iterator[tuple[dict[str, Any], str]]:
    """What a text that begins with "if" can ask, up to one of its commas, and what follows."""
    for comma in re.finditer(", ", text):
        condition = read_condition(text[3 : comma.start()])
        if condition is not None:
            yield condition, text[comma.end() :]


def _whose(text: str) -> dict[str, str]:
    return {"who": "opponent"} if "opponent" in text.lower() else {}


def _within(n: int, how: str) -> dict[str, int]:
    """The bounds that "or less", "or fewer" and "or more" mean; without them just this number."""
    return {"max": n} if "less" in how or "fewer" in how else {"min": n} if "more" in how else {"min": n, "max": n}


def _counted(name: str) -> Callable[[re.Match[str]], Step]:
    return lambda m: {name: _within(int(m["n"]), (m["how"] or "").lower()) | _whose(m["who"])}


def _present(m: re.Match[str]) -> dict[str, Any] | None:
    """Cards are there: "you have a ...", "your opponent has 2 or more ...", "there is a ..."."""
    found = read_whole_filter(m["cards"])
    if found is None:
        return None
    place, which = found
    if place == "leaders" or (not place and "name" not in which):
        return None
    if place == "field":
        which["kinds"] = ["leader", "character"]
    amount = m["amount"].lower()
    number = re.match(r"\d+", amount)
    if amount in ("no", "no other") or "don't" in m["who"].lower():
        bounds = {"max": 0}
    else:
        bounds = _within(int(number[0]), amount) if number else {"min": 1}
    if "other" in amount:
        which["other"] = True
    who = {"who": "both"} if m["who"].lower().startswith("there") else _whose(m["who"])
    return {"count": which | bounds | who}


_HAS = r"(?P<who>you have|your opponent has)"
_NUMBER = r"(?P<n>\d+)(?: or (?P<how>less|fewer|more))?"

CONDITIONS: Table[Step] = [
    (rf"{_HAS} {_NUMBER} {LIFE}", _counted("life")),
    (rf"{_HAS} {_NUMBER} cards? in (?:your|their) hand", _counted("hand")),
    (rf"{_HAS} {_NUMBER} cards? in (?:your|their) trash", _counted("trash")),
    (rf"{_HAS} {_NUMBER} cards? in (?:your|their) deck", _counted("deck")),
    (rf"{_HAS} {_NUMBER} active don!! cards?(?: on (?:your|their) field)?", _counted("activeDon")),
    (rf"{_HAS} {_NUMBER} don!! cards?(?: on (?:your|their) field)?", _counted("don")),
    (r"your leader has the [{\"<](?P<type>[^}\">]+)[}\">] type", lambda m: {"leader": {"types": [m["type"]]}}),
    (r"your leader is \[(?P<name>[^\]]+)\]", lambda m: {"leader": {"name": m["name"]}}),
    (r"your leader is (?P<how>active|rested)", lambda m: {"leader": {"rested": m["how"].lower() == "rested"}}),
    (r"this character is (?P<how>active|rested)", lambda m: {"self": {"rested": m["how"].lower() == "rested"}}),
    (r"this (?:character|leader) has (\d+) power or (less|more)", lambda m: {"self": {"power": _bounds(m[1], m[2])}}),
    (r"it is your turn", lambda m: {"turn": "yours"}),
    (r"it is your opponent's turn", lambda m: {"turn": "opponents"}),
    (
        r"(?P<who>you have|you don't have|your opponent has|there is|there are) "
        r"(?P<amount>an?(?:other)?|no(?: other)?|\d+(?: or (?:less|fewer|more))?(?: other)?|(?=\[)) ?(?P<cards>.+)",
        _present,
    ),
]  # fmt: skip


# --- costs ------------------------------------------------------------------------------------------------------------


def read_costs(text: str) -> Steps | None:
    """What is paid: clauses joined by "and" or commas."""
    return read_joined(text, r",? and |, ", lambda part: read_by(COSTS, part))


def _discard(m: re.Match[str]) -> Step | None:
    found = read_whole_filter(m["cards"])
    return None if found is None or "other" in found[1] else {"discard": int(m["n"]), **found[1]}


def _character(name: str) -> Callable[[re.Match[str]], Step | None]:
    def make(m: re.Match[str]) -> Step | None:
        place, which = read_whole_filter(m["cards"]) or ("", {})
        return {name: {k: v for k, v in which.items() if k != "kinds"}} if place == "characters" else None

    return make


COSTS: Table[Step] = [
    (r"rest this (?:character|stage|card)", lambda m: {"restSelf": True}),
    (r"rest (?:this|your) leader", lambda m: {"restLeader": True}),
    (r"trash this (?:character|stage|card)", lambda m: {"trashSelf": True}),
    (r"rest (\d+) of your (?:active )?don!! cards?", lambda m: {"restDon": int(m[1])}),
    (r"return (\d+) (?:of your )?don!! cards? from your field to your don!! deck", lambda m: {"returnDon": int(m[1])}),
    (r"don!! -(\d+)", lambda m: {"returnDon": int(m[1])}),
    (rf"add (\d+) cards? from the top of your {LIFE} to your hand", lambda m: {"lifeToHand": int(m[1])}),
    (rf"trash (\d+) cards? from the top of your {LIFE}", lambda m: {"lifeTrash": int(m[1])}),
    (r"(?:trash|discard) (?P<n>\d+) (?P<cards>.+?) from your hand", _discard),
    (r"rest 1 of your (?P<cards>characters?.*|[{\"<\[].+)", _character("restCharacter")),
    (r"return 1 of your (?P<cards>.+?) to (?:the owner's|its owner's|your) hand", _character("returnCharacter")),
    (r"trash 1 of your (?P<cards>.+)", _character("trashCharacter")),
]  # fmt: skip
