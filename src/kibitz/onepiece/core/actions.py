"""Actions and outcomes as typed objects, with constructors, a text notation, JSON, and their integer codes.

Places on the field are written ``L`` (the Leader), ``C1`` to ``C5`` (Characters) and ``S`` (the Stage); where it could be
either player's, ``P2.C3``. Cards are named by their ids; the `CardTable` of a match turns actions into codes and back.

>>> attack("C2", "L").to_text()
'attack C2 L'
>>> Action.from_text("choose P2.C3")
Action('choose', place='C3', player=1)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kibitz.game.actions import InvalidAction, kind_and_data
from kibitz.onepiece.core.arena import SLOTS
from kibitz.onepiece.core.cards import CardTable
from kibitz.onepiece.core.codes import (
    ABILITIES, ACTIVATE, ATTACK, BLOCK, COUNTER, DECLINE, DONE, DRAWN, END, END_TURN, GIVE, KEEP, NO, OPTION, OPTIONS, PASS,
    PICK, PLAY, REDRAW, RESOLVE, RETURN_ACTIVE, RETURN_GIVEN, RETURN_RESTED, SETTLE, TARGET, WAITING, YES,
)  # fmt: skip

PLACES = ("L", "C1", "C2", "C3", "C4", "C5", "S")
#: Kinds without data, kinds with a card, kinds with a place, kinds with a number from 1: the first code of each.
PLAIN = {
    "pass": PASS,
    "end_turn": END_TURN,
    "keep": KEEP,
    "redraw": REDRAW,
    "yes": YES,
    "no": NO,
    "done": DONE,
    "settle": SETTLE,
    "return_rested": RETURN_RESTED,
    "return_active": RETURN_ACTIVE,
}
WITH_CARD = {"play": PLAY, "counter": COUNTER, "pick": PICK, "drawn": DRAWN}
WITH_PLACE = {"give": GIVE, "block": BLOCK, "return_given": RETURN_GIVEN}
WITH_NUMBER = {"option": (OPTION, OPTIONS), "resolve": (RESOLVE, WAITING), "decline": (DECLINE, WAITING)}
#: What the data of each kind are called, in the order of the text.
DATA = {
    **dict.fromkeys(PLAIN, ()),
    **dict.fromkeys(WITH_CARD, ("card",)),
    **dict.fromkeys(WITH_PLACE, ("place",)),
    **dict.fromkeys(WITH_NUMBER, ("number",)),
    "choose": ("player", "place"),
    "attack": ("place", "target"),
    "activate": ("place", "number"),
}
KINDS = tuple(DATA)
_PLACE_OF_CODE = {code + slot: (kind, slot) for kind, code in WITH_PLACE.items() for slot in range(SLOTS)}
_PLAIN_OF_CODE = {code: kind for kind, code in PLAIN.items()}


@dataclass(frozen=True, repr=False)
class Action:
    """What a player does, or what chance decides: a kind, and what the kind needs (see `DATA`). Raises `InvalidAction`."""

    kind: str
    place: str | None = None
    target: str | None = None
    player: int | None = None
    number: int | None = None
    card: str | None = None

    def __post_init__(self) -> None:
        if self.kind not in DATA:
            raise InvalidAction(f"{self.kind!r}: no such action; these are {', '.join(KINDS)}")
        for name in ("place", "target", "player", "number", "card"):
            if (getattr(self, name) is not None) != (name in DATA[self.kind]):
                raise InvalidAction(f"{self.kind}: {'expected' if name in DATA[self.kind] else 'there is no'} {name}")
        for name in ("place", "target"):
            if getattr(self, name) is not None and getattr(self, name) not in PLACES:
                raise InvalidAction(f"{self.kind}: {name} {getattr(self, name)!r}: expected {', '.join(PLACES)}")
        if self.player is not None and self.player not in (0, 1):
            raise InvalidAction(f"{self.kind}: player {self.player!r}: expected seat 0 or 1")
        if self.number is not None and (type(self.number) is not int or not 1 <= self.number <= self._most()):
            raise InvalidAction(f"{self.kind}: number {self.number!r}: expected 1 to {self._most()}")
        if self.card is not None and not isinstance(self.card, str):
            raise InvalidAction(f"{self.kind}: card {self.card!r}: expected the id of a card")

    def _most(self) -> int:
        return ABILITIES if self.kind == "activate" else WITH_NUMBER[self.kind][1]

    def code(self, table: CardTable | None) -> int:
        """The integer that the rules use; only kinds with a card need the table of the match."""
        kind = self.kind
        if kind in PLAIN:
            return PLAIN[kind]
        if self.card is not None:
            if table is None or self.card not in table.number:
                raise InvalidAction(f"{kind}: {self.card!r}: no such card in this match")
            return WITH_CARD[kind] + table.number[self.card]
        if kind in WITH_NUMBER:
            return WITH_NUMBER[kind][0] + (self.number or 0) - 1
        slot = PLACES.index(self.place or "")
        if kind == "choose":
            return TARGET + (self.player or 0) * SLOTS + slot
        if kind == "attack":
            return ATTACK + slot * SLOTS + PLACES.index(self.target or "")
        if kind == "activate":
            return ACTIVATE + slot * ABILITIES + (self.number or 0) - 1
        return WITH_PLACE[kind] + slot

    @classmethod
    def from_code(cls, code: int, table: CardTable) -> Action:
        """The action of an integer code."""
        if code in _PLAIN_OF_CODE:
            return cls(_PLAIN_OF_CODE[code])
        for kind, first in WITH_CARD.items():
            if first <= code < min(first + len(table.cards), END):
                return cls(kind, card=table.cards[code - first].id)
        for kind, (first, n) in WITH_NUMBER.items():
            if first <= code < first + n:
                return cls(kind, number=code - first + 1)
        if code in _PLACE_OF_CODE:
            kind, slot = _PLACE_OF_CODE[code]
            return cls(kind, PLACES[slot])
        if TARGET <= code < ATTACK:
            seat, slot = divmod(code - TARGET, SLOTS)
            return cls("choose", PLACES[slot], player=seat)
        if ATTACK <= code < ACTIVATE:
            slot, goal = divmod(code - ATTACK, SLOTS)
            return cls("attack", PLACES[slot], PLACES[goal])
        if ACTIVATE <= code < ACTIVATE + SLOTS * ABILITIES:
            slot, number = divmod(code - ACTIVATE, ABILITIES)
            return cls("activate", PLACES[slot], number=number + 1)
        raise InvalidAction(f"{code} is not an action")

    def to_text(self) -> str:
        """One line, as people write it: players count from 1."""
        if self.kind == "choose":
            return f"choose P{(self.player or 0) + 1}.{self.place}"
        return " ".join([self.kind, *(str(getattr(self, name)) for name in DATA[self.kind])])

    @classmethod
    def from_text(cls, text: str) -> Action:
        """Read what `to_text` wrote."""
        kind, *words = text.split() or [""]
        if kind not in DATA:
            raise InvalidAction(f"{text[:40]!r}: no such action; these are {', '.join(KINDS)}")
        names = DATA[kind]
        if kind == "choose" and len(words) == 1:
            player, _, place = words[0].partition(".")
            words = ["0" if player == "P1" else "1" if player == "P2" else player, place]
        if len(words) != len(names):
            raise InvalidAction(f"{text[:40]!r}: expected {kind} {' '.join(names)}".rstrip())
        data: dict[str, Any] = {}
        for name, word in zip(names, words, strict=True):
            whole = name in ("number", "player") and word.isascii() and word.isdigit() and len(word) < 4
            data[name] = int(word) if whole else word
        return cls(kind, **data)

    def to_json(self) -> dict[str, Any]:
        """`kind` and `data`, by the names of ``docs/onepiece.md``."""
        return {"kind": self.kind, "data": {name: getattr(self, name) for name in DATA[self.kind]}}

    @classmethod
    def from_json(cls, value: Any) -> Action:
        """Read what `to_json` wrote."""
        kind, data = kind_and_data(value)
        if kind not in DATA:
            raise InvalidAction(f"{kind!r}: no such action; these are {', '.join(KINDS)}")
        if set(data) != set(DATA[kind]):
            raise InvalidAction(f"{kind}: expected {', '.join(DATA[kind]) or 'no data'}, found {', '.join(data) or 'none'}")
        return cls(kind, **data)

    def __repr__(self) -> str:
        data = "".join(f", {name}={getattr(self, name)!r}" for name in DATA[self.kind][::-1])
        return f"Action({self.kind!r}{data})"


# --- constructors -----------------------------------------------------------------------------------------------------


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
