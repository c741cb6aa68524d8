"""Actions and outcomes as typed objects, with constructors, a text notation, JSON, and their integer codes.

>>> assassinate(2)
Action('assassinate', target=2)
>>> assassinate(2).to_text()
'assassinate 3'
>>> Action.from_text("block contessa")
Action('block', cards=('contessa',))
>>> Action.from_text("return_cards duke assassin") == return_cards("assassin", "duke")
True
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.coup.core.state import (
    ACTIONS, ALL_CODES, BLOCKED_BY, BLOCKED_BY_TOO, CHARACTERS, CLAIMS, NONE, PAIRS, RANGES, SEATS, Character,
)  # fmt: skip
from kibitz.game.actions import InvalidAction, kind_and_data

#: The kinds of actions that take a target, and those that take cards, with how many.
TARGETED = ("coup", "assassinate", "steal")
CARD_COUNTS = {"block": (1,), "show": (1,), "lose": (1,), "return_cards": (2,), "drawn": (1, 2)}
_CLAIMS = {kind: CHARACTERS[CLAIMS[i]].value for i, kind in enumerate(ACTIONS) if CLAIMS[i] != NONE}
#: The characters that block what may be announced.
BLOCKERS = {
    kind: tuple(CHARACTERS[card].value for card in (BLOCKED_BY[i], BLOCKED_BY_TOO[i]) if card != NONE)
    for i, kind in enumerate(ACTIONS)
}
# How players are written.
_NUMBERS = [str(seat + 1) for seat in range(SEATS)]
#: The kinds of actions, in the order of their codes.
KINDS = tuple(kind for kind in RANGES if kind != "drawn_two")


@dataclass(frozen=True, repr=False)
class Action:
    """What a player does, or what chance decides: a kind, and for some kinds a target (a seat) or one or two cards.

    Cards are put in their order, so that equal actions are equal. Raises `InvalidAction` for what is not an action.
    """

    kind: str
    target: int | None = None
    cards: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if (self.target is not None) != (_data_name(self.kind) == "target"):
            raise InvalidAction(f"{self.kind}: {'expected' if self.target is None else 'there is no'} target")
        if self.target is not None and (type(self.target) is not int or not 0 <= self.target < SEATS):
            raise InvalidAction(f"{self.kind}: target {self.target!r}: expected a seat from 0 to {SEATS - 1}")
        object.__setattr__(self, "cards", _in_order(self.cards))
        allowed = CARD_COUNTS.get(self.kind, (0,))
        if len(self.cards) not in allowed:
            raise InvalidAction(f"{self.kind}: expected {' or '.join(map(str, allowed))} cards, found {len(self.cards)}")

    @property
    def claim(self) -> str | None:
        """The character that it claims.

        >>> tax().claim, block("contessa").claim, income().claim
        ('duke', 'contessa', None)
        """
        return self.cards[0] if self.kind == "block" else _CLAIMS.get(self.kind)

    @property
    def blockers(self) -> tuple[str, ...]:
        """The characters with which it can be blocked.

        >>> steal(1).blockers, foreign_aid().blockers, tax().blockers
        (('captain', 'ambassador'), ('duke',), ())
        """
        return BLOCKERS.get(self.kind, ())

    @property
    def code(self) -> int:
        """The integer that compiled code uses."""
        return _CODES[self]

    @classmethod
    def from_code(cls, code: int) -> Action:
        """The action of an integer code."""
        if not 0 <= code < ALL_CODES:
            raise InvalidAction(f"{code} is not an action; codes run from 0 to {ALL_CODES - 1}")
        return _ACTIONS[code]

    def to_text(self) -> str:
        """One line, as people write it: players count from 1."""
        return " ".join([self.kind, *([] if self.target is None else [str(self.target + 1)]), *self.cards])

    @classmethod
    def from_text(cls, text: str) -> Action:
        """Read what `to_text` wrote; a player may also be written ``P3``."""
        kind, *words = text.split() or [""]
        if kind not in TARGETED:
            return cls(kind, cards=tuple(words))
        number = words[0].removeprefix("P") if len(words) == 1 else ""
        if number not in _NUMBERS:
            raise InvalidAction(f"{text[:40]!r}: expected a player from 1 to {SEATS}, as in '{kind} 2'")
        return cls(kind, _NUMBERS.index(number))

    def to_json(self) -> dict[str, Any]:
        """`kind` and `data`: the seat `target`, the name `card` or the names `cards`, or nothing."""
        name = _data_name(self.kind)
        if name is None:
            return {"kind": self.kind, "data": {}}
        value = self.target if name == "target" else self.cards[0] if name == "card" else list(self.cards)
        return {"kind": self.kind, "data": {name: value}}

    @classmethod
    def from_json(cls, value: Any) -> Action:
        """Read what `to_json` wrote."""
        kind, data = kind_and_data(value)
        name = _data_name(kind)
        if [*data] != [name] * (name is not None):
            raise InvalidAction(f"{kind}: expected {name or 'no data'}, found {', '.join(map(str, data)) or 'none'}")
        if name == "target":
            return cls(kind, data["target"])
        cards = [data["card"]] if name == "card" else data.get("cards", [])
        if not isinstance(cards, (list, tuple)):
            raise InvalidAction(f"{kind}: cards {cards!r}: expected a list")
        return cls(kind, cards=tuple(cards))

    def __repr__(self) -> str:
        target = "" if self.target is None else f", target={self.target}"
        return f"Action({self.kind!r}{target}{f', cards={self.cards!r}' if self.cards else ''})"


def _data_name(kind: str) -> str | None:
    """What the data of a kind of action are called, if there are any; refuses other kinds."""
    if kind not in KINDS:
        raise InvalidAction(f"{kind!r}: no such action; these are {', '.join(KINDS)}")
    if kind in TARGETED:
        return "target"
    return None if kind not in CARD_COUNTS else "card" if CARD_COUNTS[kind] == (1,) else "cards"


def _in_order(cards: Iterable[Any]) -> tuple[str, ...]:
    """The names of cards, checked, in the order of the characters."""
    try:
        return tuple(sorted((Character(card).value for card in cards), key=CHARACTERS.index))
    except ValueError as error:
        raise InvalidAction(f"{str(error).partition(' is ')[0]}: not a character; these are {', '.join(CHARACTERS)}") from None


def _all_actions() -> list[Action]:
    """Every action, in the order of the codes."""
    names = [character.value for character in CHARACTERS]
    pairs = [(names[a], names[b]) for a, b in PAIRS]
    # By how many codes a kind has.
    cards: dict[int, Sequence[tuple[str, ...]]] = {1: [()], len(names): [(name,) for name in names], len(pairs): pairs}
    return [
        Action(kind, number) if kind in TARGETED else Action(kind.removesuffix("_two"), cards=cards[count][number])
        for kind, count in RANGES.items()
        for number in range(count)
    ]


_ACTIONS = _all_actions()
_CODES = {action: code for code, action in enumerate(_ACTIONS)}


def describe(code: int) -> str:
    """The text of an action code."""
    return Action.from_code(code).to_text()


def parse(text: str) -> int:
    """The code of an action's text."""
    return Action.from_text(text).code


def income() -> Action:
    """One coin."""
    return Action("income")


def foreign_aid() -> Action:
    """Two coins, unless a Duke blocks it."""
    return Action("foreign_aid")


def tax() -> Action:
    """Three coins, claiming the Duke."""
    return Action("tax")


def exchange() -> Action:
    """Two cards from the deck, two back to it, claiming the Ambassador."""
    return Action("exchange")


def coup(target: int) -> Action:
    """Seven coins, and a seat loses an influence."""
    return Action("coup", target)


def assassinate(target: int) -> Action:
    """Three coins, and a seat loses an influence, claiming the Assassin."""
    return Action("assassinate", target)


def steal(target: int) -> Action:
    """Two coins of a seat, claiming the Captain."""
    return Action("steal", target)


def allow() -> Action:
    """Neither challenge nor block."""
    return Action("allow")


def challenge() -> Action:
    """Doubt the claim on the table."""
    return Action("challenge")


def block(card: str) -> Action:
    """Block the action, claiming a character."""
    return Action("block", cards=(card,))


def show(card: str) -> Action:
    """Prove a claim."""
    return Action("show", cards=(card,))


def lose(card: str) -> Action:
    """Turn up a card for good."""
    return Action("lose", cards=(card,))


def return_cards(first: str, second: str) -> Action:
    """Exchange: put two cards back into the deck."""
    return Action("return_cards", cards=(first, second))


def drawn(*cards: str) -> Action:
    """Chance: one or two cards from the deck."""
    return Action("drawn", cards=cards)
