"""Actions and outcomes: their integer codes; and typed objects with constructors, a text notation and JSON.

Places on the field are written ``L`` (the Leader), ``C1`` to ``C5`` (Characters) and ``S`` (the Stage); where it could be
either player's, ``P2.C3``. Cards are named by their ids; the `CardTable` of a match turns actions into codes and back.

>>> attack("C2", "L").to_text()
'attack C2 L'
>>> Action.from_text("choose P2.C3")
Action('choose', place='C3', player=1)

Codes are integers in ranges, one range for each kind of action. A slot is a place on the field (0 the Leader, 1 to 5 the
Characters, 6 the Stage); a design is the number of a card in the match's `CardTable`. Codes of designs begin at multiples of
`DESIGNS`.
"""

from bisect import bisect
from dataclasses import dataclass
from math import prod
from typing import Any, Self

from kibitz.game.actions import InvalidAction, kind_and_data
from kibitz.onepiece.core.arena import SLOTS
from kibitz.onepiece.core.cards import CardTable

DESIGNS = 1000
PASS, END_TURN, KEEP, REDRAW, YES, NO, DONE, SETTLE, RETURN_RESTED, RETURN_ACTIVE = range(10)
#: So many abilities of a card, options of a choice and waiting effects can be told apart.
ABILITIES, OPTIONS, WAITING = 4, 10, 30
OPTION = 20
RESOLVE = 40
DECLINE = RESOLVE + WAITING
GIVE = 100
BLOCK = GIVE + SLOTS
RETURN_GIVEN = BLOCK + SLOTS
TARGET = RETURN_GIVEN + SLOTS
"""A card on the field is chosen: TARGET + seat * SLOTS + slot."""
ATTACK = TARGET + 2 * SLOTS
"""ATTACK + attacker's slot * SLOTS + target's slot."""
ACTIVATE = ATTACK + SLOTS * SLOTS
"""ACTIVATE + slot * ABILITIES + ability."""
PLAY = DESIGNS
COUNTER = 2 * DESIGNS
PICK = 3 * DESIGNS
DRAWN = 4 * DESIGNS
END = 5 * DESIGNS

#: What others perceive of a card that they do not see.
UNSEEN_DRAW, UNSEEN_PICK = -1, -2

PLACES = ("L", "C1", "C2", "C3", "C4", "C5", "S")
#: The kinds without data, in the order of their codes.
PLAIN = ("pass", "end_turn", "keep", "redraw", "yes", "no", "done", "settle", "return_rested", "return_active")
#: The first code of each kind, and what its data are called, in the order of the text, with how many values each can have.
SHAPES: dict[str, tuple[int, dict[str, int]]] = {
    **{kind: (code, {}) for code, kind in enumerate(PLAIN)},
    "play": (PLAY, {"card": DESIGNS}),
    "counter": (COUNTER, {"card": DESIGNS}),
    "pick": (PICK, {"card": DESIGNS}),
    "drawn": (DRAWN, {"card": DESIGNS}),
    "give": (GIVE, {"place": SLOTS}),
    "block": (BLOCK, {"place": SLOTS}),
    "return_given": (RETURN_GIVEN, {"place": SLOTS}),
    "option": (OPTION, {"number": OPTIONS}),
    "resolve": (RESOLVE, {"number": WAITING}),
    "decline": (DECLINE, {"number": WAITING}),
    "choose": (TARGET, {"player": 2, "place": SLOTS}),
    "attack": (ATTACK, {"place": SLOTS, "target": SLOTS}),
    "activate": (ACTIVATE, {"place": SLOTS, "number": ABILITIES}),
}
KINDS = tuple(SHAPES)
#: The kinds again, ascending by their codes.
ASCENDING = sorted(KINDS, key=lambda kind: SHAPES[kind][0])
_FIRST_CODES = [SHAPES[kind][0] for kind in ASCENDING]


def codes_of(kind: str, designs: int) -> range:
    """The codes of a kind in a match with so many cards."""
    first, data = SHAPES[kind]
    return range(first, first + (designs if "card" in data else prod(data.values())))


def _data_of(kind: str, text: str) -> dict[str, int]:
    if kind not in SHAPES:
        raise InvalidAction(f"{text!r}: no such action; these are {', '.join(KINDS)}")
    return SHAPES[kind][1]


@dataclass(frozen=True, repr=False)
class Action:
    """What a player does, or what chance decides: a kind, and what the kind needs (see `SHAPES`). Raises `InvalidAction`."""

    kind: str
    place: str | None = None
    target: str | None = None
    player: int | None = None
    number: int | None = None
    card: str | None = None

    def __post_init__(self) -> None:
        data = _data_of(self.kind, self.kind)
        for name in ("place", "target", "player", "number", "card"):
            value = getattr(self, name)
            if (value is not None) != (name in data):
                raise InvalidAction(f"{self.kind}: {'expected' if name in data else 'there is no'} {name}")
            if value is None:
                continue
            if name in ("place", "target") and value not in PLACES:
                raise InvalidAction(f"{self.kind}: {name} {value!r}: expected {', '.join(PLACES)}")
            if name == "player" and value not in (0, 1):
                raise InvalidAction(f"{self.kind}: player {value!r}: expected seat 0 or 1")
            if name == "number" and (type(value) is not int or not 1 <= value <= data[name]):
                raise InvalidAction(f"{self.kind}: number {value!r}: expected 1 to {data[name]}")
            if name == "card" and not isinstance(value, str):
                raise InvalidAction(f"{self.kind}: card {value!r}: expected the id of a card")

    def code(self, table: CardTable | None) -> int:
        """The integer that the rules use; only kinds with a card need the table of the match."""
        first, data = SHAPES[self.kind]
        code = 0
        for name, n in data.items():
            code = n * code + self._index(name, table)
        return first + code

    def _index(self, name: str, table: CardTable | None) -> int:
        """Which of its values a datum has, from 0."""
        value = getattr(self, name)
        if name in ("place", "target"):
            return PLACES.index(value)
        if name == "card":
            if table is None or value not in table.number:
                raise InvalidAction(f"{self.kind}: {value!r}: no such card in this match")
            return table.number[value]
        return int(value) - (name == "number")

    @classmethod
    def from_code(cls, code: int, table: CardTable) -> Self:
        """The action of an integer code."""
        kind = ASCENDING[bisect(_FIRST_CODES, code) - 1]
        if code not in codes_of(kind, len(table.cards)):
            raise InvalidAction(f"{code} is not an action")
        first, data = SHAPES[kind]
        rest = code - first
        values: dict[str, Any] = {}
        for name, n in reversed(data.items()):
            rest, i = divmod(rest, n)
            if name == "card":
                values[name] = table.cards[i].id
            else:
                values[name] = PLACES[i] if name in ("place", "target") else i + (name == "number")
        return cls(kind, **values)

    def to_text(self) -> str:
        """One line, as people write it: players count from 1."""
        if self.kind == "choose":
            return f"choose P{(self.player or 0) + 1}.{self.place}"
        return " ".join([self.kind, *(str(getattr(self, name)) for name in SHAPES[self.kind][1])])

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read what `to_text` wrote."""
        kind, *words = text.split() or [""]
        names = _data_of(kind, text[:40])
        if kind == "choose" and len(words) == 1:
            player, _, place = words[0].partition(".")
            words = [{"P1": "0", "P2": "1"}.get(player, player), place]
        if len(words) != len(names):
            raise InvalidAction(f"{text[:40]!r}: expected {kind} {' '.join(names)}".rstrip())
        data: dict[str, Any] = {}
        for name, word in zip(names, words, strict=True):
            whole = name in ("number", "player") and word.isascii() and word.isdigit() and len(word) < 4
            data[name] = int(word) if whole else word
        return cls(kind, **data)

    def to_json(self) -> dict[str, Any]:
        """`kind` and `data`, by the names of ``docs/onepiece.md``."""
        return {"kind": self.kind, "data": {name: getattr(self, name) for name in SHAPES[self.kind][1]}}

    @classmethod
    def from_json(cls, value: Any) -> Self:
        """Read what `to_json` wrote."""
        kind, data = kind_and_data(value)
        names = _data_of(kind, kind)
        if set(data) != set(names):
            raise InvalidAction(f"{kind}: expected {', '.join(names) or 'no data'}, found {', '.join(data) or 'none'}")
        return cls(kind, **data)

    def __repr__(self) -> str:
        data = "".join(f", {name}={getattr(self, name)!r}" for name in reversed(SHAPES[self.kind][1]))
        return f"Action({self.kind!r}{data})"


def play(card: str) -> Action:
    """Pay for a card in hand and play it."""
    return Action("play", card=card)


def attack(attacker: str, target: str) -> Action:
    """A Leader or Character attacks the opponent's Leader or a rested Character."""
    return Action("attack", attacker, target)


def give(place: str) -> Action:
    """Give one active DON!! to a card."""
    return Action("give", place)


def activate(place: str, number: int = 1) -> Action:
    """Use an [Activate: Main] effect; effects of a card count from 1."""
    return Action("activate", place, number=number)


def choose(player: int, place: str) -> Action:
    """Choose a card on the field of a seat."""
    return Action("choose", place, player=player)


def pick(card: str) -> Action:
    """Choose a card off the field."""
    return Action("pick", card=card)


def simple(kind: str) -> Action:
    """An action without data: pass, end_turn, keep, redraw, yes, no, done, settle, return_rested, return_active."""
    return Action(kind)
