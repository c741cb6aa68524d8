"""Advice for the player who is to decide in a game of One Piece: how likely each option wins.

>>> from kibitz.onepiece.core.record import simulate
>>> record = simulate(["greedy", "greedy"], seed=3)
>>> state = next(state for (state,) in record.states() if state.turn == 3 and state.actor() >= 0)
>>> advice = advise(record.decks, state, Limit(iterations=20))
>>> advice.position, advice.games, len(advice.options) > 1
({'phase': 'MAIN', 'turn': 3}, 20, True)
"""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.compute.runtime import Limit, Runtime
from kibitz.game.doors import hidden_from
from kibitz.ground.plain_states import PlainStates
from kibitz.onepiece.bots import DEFAULT, thinking
from kibitz.onepiece.core.decks import Deck
from kibitz.onepiece.core.engine import OnePieceState, game_with
from kibitz.onepiece.core.game_state import GameState
from kibitz.play.advice import SearchAdvice, searched
from kibitz.play.search_bot import AnyDeal


@dataclass(frozen=True, kw_only=True)
class OnePieceAdvice(SearchAdvice):
    """What there is to say about a position of One Piece."""

    NAME = "onepiece"


def advise(
    decks: tuple[Deck, Deck],
    state: OnePieceState,
    limit: Limit = DEFAULT,
    seed: int = 0,
    runtime: Runtime | None = None,
    *,
    step: int | None = None,
) -> OnePieceAdvice:
    """What the player who is to move should do, as the search bot finds out; only what that seat sees is used.

    The `step` of a record is told again in the advice. Raises a ValueError where no player is to decide.
    """
    seat = state.actor()
    if seat < 0:
        raise ValueError("advice is for the player who is to decide")
    game = game_with(*decks)
    view = hidden_from(PlainStates(game, [state]), seat)
    belief = AnyDeal(game, seat, view)
    return searched(OnePieceAdvice, GameState(view, observer=seat), thinking(limit), belief, seed, runtime, step)
