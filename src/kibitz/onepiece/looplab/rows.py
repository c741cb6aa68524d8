"""The loop lab with real cards: the rows of `kibitz.onepiece.looplab.cards` as `kibitz.loops.trial` plays them.

>>> row = CARD_LAB["mandatory"]
>>> row.title, row.expected, row.flipped_to
('two mandatory triggers feeding each other', 'draw', 'player 1 declares')
>>> row.change
'Cracked Waking Bell instead of Waking Bell'
"""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.loops.drive import Choose
from kibitz.loops.lab import LabRow
from kibitz.loops.protocol import PlainGame, Position
from kibitz.onepiece.core.actions import PLACES, Action
from kibitz.onepiece.core.arena import Wait
from kibitz.onepiece.core.codes import END_TURN
from kibitz.onepiece.core.effects.control import Branch
from kibitz.onepiece.core.engine import OnePieceState
from kibitz.onepiece.core.interpreter import instruction
from kibitz.onepiece.core.permanent import power
from kibitz.onepiece.core.triggers import waiting_effects
from kibitz.onepiece.looplab.cards import ROWS, Row, lab, lab_cards


@dataclass(frozen=True)
class CardRow:
    """A row of the table of loops, played with cards."""

    name: str

    @property
    def row(self) -> Row:
        """The cards."""
        return ROWS[self.name]

    @property
    def title(self) -> str:
        """What goes round."""
        return self.row.title

    @property
    def expected(self) -> str:
        """The verdict."""
        return self.row.verdict

    @property
    def change(self) -> str:
        """The card that is changed."""
        cards = lab_cards()
        return f"{cards[self.row.new].name} instead of {cards[self.row.old].name}"

    @property
    def flipped_to(self) -> str:
        """The verdict then."""
        return self.row.changed_verdict

    def start(self, flipped: bool = False) -> PlainGame:
        """Turn 3, player 1 in the Main Phase."""
        return PlainGame(lab(self.name, flipped).state)

    def choose(self, flipped: bool = False) -> Choose:
        """The opening, and then whatever keeps the loop going."""
        bench = lab(self.name, flipped)
        opening = iter(bench.opening)

        def chosen(position: Position, allowed: list[int]) -> int:
            action = next(opening, None)
            return bench.follow(_state(position)) if action is None else action

        return chosen

    def go_on(self) -> Choose:
        """End the turn, and take the first of all other choices."""

        def chosen(position: Position, allowed: list[int]) -> int:
            return END_TURN if END_TURN in allowed else allowed[0]

        return chosen

    def describe(self, position: Position, action: int) -> str:
        """An action with the names of its cards."""
        return at_position(position, action)

    def texts(self, flipped: bool = False) -> list[str]:
        """The Characters on the field (and the card to be played) with their texts."""
        state, row, cards = lab(self.name, flipped).state, self.row, lab_cards()
        lines = [
            f"player {seat + 1}: {_printed(state.card(unit).name, state.card(unit).text)}"
            for seat in range(2)
            for unit in state.characters(seat)
        ]
        return [f"player 1, in hand: {_printed(cards[name].name, cards[name].text)}" for name in row.hand] + lines


def _printed(name: str, text: str) -> str:
    return f"{name}: {text or 'no effect.'}"


def _state(position: Position) -> OnePieceState:
    if not isinstance(position, PlainGame) or not isinstance(position.state, OnePieceState):
        raise TypeError("this is no position of One Piece")
    return position.state


def at_position(position: Position, action: int) -> str:
    """An action in a position of a game of One Piece, with the names of the cards."""
    return in_words(_state(position), action)


def in_words(s: OnePieceState, code: int) -> str:
    """An action in a position, with the names of the cards instead of numbers and places."""
    action = Action.from_code(code, s.table)
    if action.kind in ("resolve", "decline"):
        _, (_, design, *_) = waiting_effects(s)[(action.number or 1) - 1]
        return f"{action.kind} {s.table.cards[design].name}"
    if action.kind == "option":
        branch = instruction(s).args
        return branch.labels[(action.number or 1) - 1] if isinstance(branch, Branch) else action.to_text()
    if action.kind == "settle":
        powers = [f"{s.card(unit).name} {power(s, unit)}" for seat in range(2) for unit in s.characters(seat)]
        return f"permanent effects: {', '.join(powers)}"
    if action.kind == "no" and s.waiting == Wait.LIFE_TRIGGER:
        return "take the Life card into the hand"
    if action.card is not None:
        return f"{action.kind} {s.table.cards[s.table.number[action.card]].name}"
    if action.kind in ("attack", "give", "block", "activate", "choose") and action.place is not None:
        unit = s.field[s.asked if action.player is None else action.player][PLACES.index(action.place)]
        doing = {"attack": "attack with", "give": "give 1 DON!! to"}.get(action.kind, action.kind)
        return f"{doing} {s.card(unit).name}" if unit is not None else action.to_text()
    return action.to_text().replace("_", " ")


#: The rows by name: the same names as in `kibitz.loops.lab`.
CARD_LAB: dict[str, LabRow] = {name: CardRow(name) for name in ROWS}
