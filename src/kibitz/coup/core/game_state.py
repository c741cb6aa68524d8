"""`GameState`: a friendly, immutable view of one game. It has no rules of its own: it encodes, asks the rules, decodes.

>>> from kibitz.coup import GameState, allow, challenge, tax
>>> state = GameState.new(seats=2, seed=4).resolve()
>>> state
<GameState: turn 1, player 1 to act>
>>> state.players[0].cards
('assassin', 'captain')
>>> after = state.apply(tax()).apply(allow())
>>> after.players[0].coins, state.players[0].coins
(4, 1)
>>> after.apply(challenge())
Traceback (most recent call last):
...
kibitz.game.actions.IllegalAction: challenge is not possible now: the game waits for ACTION
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from kibitz.coup.core.actions import Action
from kibitz.coup.core.cards import hand_size
from kibitz.coup.core.rules import window
from kibitz.coup.core.state import (
    ACTIONS, CHARACTERS, PHASES, UNSEEN_CARD, UNSEEN_CARDS, UNSEEN_RETURN, Character, GamePhase, Rules, cards_of, new_states,
    rules_of,
)  # fmt: skip
from kibitz.game import States, actor_at, to_dict
from kibitz.game.definition import actor_name, seat_or_none
from kibitz.game.state import StructState

_WAITS_FOR = {
    "ACTION": "to act",
    "CHALLENGE": "to challenge or not",
    "SHOW": "to answer a challenge",
    "LOSE": "to lose an influence",
    "BLOCK": "to block or not",
    "RETURN": "to return two cards",
}


@dataclass(frozen=True)
class PlayerState:
    """One player, as the table (or one observer) sees it. What an observer cannot know is None."""

    seat: int
    coins: int
    influence: int
    cards: tuple[str, ...] | None
    card_count: int
    revealed: tuple[str, ...]

    @property
    def is_out(self) -> bool:
        """Whether all influence is lost."""
        return self.influence == 0


class GameState(StructState[Action]):
    """One game of Coup at one moment. `apply` returns a new state; nothing changes this one."""

    __slots__ = ()

    UNSEEN: ClassVar[Mapping[int, str]] = {
        UNSEEN_CARD: "drawn a card",
        UNSEEN_CARDS: "drawn two cards",
        UNSEEN_RETURN: "return_cards (unseen)",
    }
    OPENING = "the deal"

    @classmethod
    def new(cls, seats: int = 2, rules: Rules = Rules(), seed: int = 0) -> Self:  # noqa: B008
        """A game before the deal, which `resolve` does. `seed` decides what it draws."""
        return cls(new_states(seats, rules), seed)

    @property
    def rules(self) -> Rules:
        """The rule options of this game."""
        return rules_of(self._states)

    @property
    def phase(self) -> GamePhase:
        """What the game waits for."""
        return GamePhase(PHASES[self._row["phase"]])

    @property
    def players(self) -> tuple[PlayerState, ...]:
        """All players in seat order."""
        return tuple(self._player(seat) for seat in range(self._row["seats"]))

    def _player(self, seat: int) -> PlayerState:
        row = self._row
        known = self.observer is None or self.observer == seat
        return PlayerState(
            seat=seat,
            coins=row["coins"][seat],
            influence=row["influence"][seat],
            cards=tuple(cards_of(row["hand"][seat])) if known else None,
            card_count=int(hand_size(self._states[0], seat)),
            revealed=tuple(cards_of(row["revealed"][seat])),
        )

    @property
    def treasury(self) -> int:
        """The coins that nobody has."""
        return int(self._row["treasury"])

    @property
    def deck(self) -> tuple[str, ...] | None:
        """What the deck holds, by character; None for an observer."""
        return tuple(cards_of(self._row["deck"])) if self.observer is None else None

    @property
    def announced(self) -> Action | None:
        """The action on the table, with its target."""
        if self._row["action"] < 0:
            return None
        return Action(ACTIONS[self._row["action"]], seat_or_none(self._row["target"]))

    @property
    def claim(self) -> Character | None:
        """The character that was claimed last: for the action, or for the block."""
        return CHARACTERS[self._row["claim"]] if self._row["claim"] >= 0 else None

    @property
    def blocker(self) -> int | None:
        """Who claims to block the action."""
        return seat_or_none(self._row["blocker"])

    @property
    def challenger(self) -> int | None:
        """Whose challenge is being answered."""
        return seat_or_none(self._row["challenger"])

    @property
    def may_respond(self) -> list[int]:
        """Who may still challenge or block in the open window, in seat order; the rules ask them one after another."""
        mask = int(window(self._states[0]))
        return [seat for seat in range(self._row["seats"]) if mask >> seat & 1]

    def action_of(self, code: int) -> Action:
        """The action of a code."""
        return Action.from_code(code)

    def code_of(self, action: Action) -> int:
        """The code of an action."""
        return action.code

    def concerns(self) -> int:
        """Whose step comes next; cards concern the player who is dealt them."""
        return int(self._row["active"])

    def _waits_for(self) -> str:
        return _WAITS_FOR[self.phase.name]

    def _facts(self) -> dict[str, Any]:
        return position(self._states)

    def _repr_html_(self) -> str:
        from kibitz.coup.core.svg import draw_card, draw_coins

        rows = []
        for player in self.players:
            shown = player.cards if player.cards is not None else (None,) * player.card_count
            cards = "".join(map(draw_card, shown)) + "".join(draw_card(card, lost=True) for card in player.revealed)
            coins = f"{draw_coins(player.coins)} {player.coins}"
            rows.append(f"<tr><th>player {player.seat + 1}</th><td>{cards}</td><td>{coins}</td></tr>")
        return f"<table><tbody>{''.join(rows)}</tbody></table>"


def position(states: States, i: int = 0) -> dict[str, Any]:
    """Everything true in ``states[i]``, hidden or not, by the names of ``docs/coup.md``."""
    row = to_dict(states, i)
    seats = range(row["seats"])
    return {
        "phase": PHASES[row["phase"]],
        "actor": actor_name(actor_at(states, i)),
        "player": row["player"],
        "turn": row["turn"],
        "hands": [cards_of(row["hand"][seat]) for seat in seats],
        "revealed": [cards_of(row["revealed"][seat]) for seat in seats],
        "deck": cards_of(row["deck"]),
        "coins": row["coins"][: len(seats)],
        "treasury": row["treasury"],
        "action": ACTIONS[row["action"]] if row["action"] >= 0 else None,
        "target": seat_or_none(row["target"]),
        "claim": CHARACTERS[row["claim"]].value if row["claim"] >= 0 else None,
        "blocker": seat_or_none(row["blocker"]),
        "challenger": seat_or_none(row["challenger"]),
        "winner": seat_or_none(row["winner"]),
    }
