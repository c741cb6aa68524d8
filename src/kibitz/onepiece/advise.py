"""Advice for the player who is to decide in a game of One Piece: how likely each option wins.

>>> from kibitz.onepiece.core.record import simulate
>>> record = simulate(["greedy", "greedy"], seed=3)
>>> state = next(state for (state,) in record.states() if state.turn == 3 and state.actor() >= 0)
>>> advice = advise(record.decks, state, Limit(iterations=20))
>>> advice.position, advice.games, len(advice.options) > 1
({'phase': 'MAIN', 'turn': 3}, 20, True)
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from kibitz.compute.runtime import Limit, Runtime
from kibitz.game import hide_at
from kibitz.ground.plain_states import PlainStates
from kibitz.onepiece.bots import DEFAULT, thinking
from kibitz.onepiece.core.actions import Action
from kibitz.onepiece.core.decks import Deck
from kibitz.onepiece.core.engine import State, game_with
from kibitz.onepiece.core.words import action_words
from kibitz.play.advice import Advice, guide_of, options_of, position_told, search_warnings
from kibitz.play.search_bot import ENDLESS, AnyDeal
from kibitz.search.ismcts import SearchConfig


@dataclass(frozen=True, kw_only=True)
class OnePieceAdvice(Advice):
    """What there is to say about a position of One Piece."""

    NAME = "onepiece"

    config: SearchConfig


def advise(
    decks: tuple[Deck, Deck],
    state: State,
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
    view = PlainStates(game, [state.copy()])
    hide_at(view, 0, seat)
    how = thinking(limit)
    found = how.search(AnyDeal(game, seat, view), view, seat, seed, runtime)

    def action_of(code: int) -> Action:
        return Action.from_code(code, state.table)

    guide = guide_of(how.config, game.policies)
    options = options_of(found, action_of, lambda code: action_words(view[0], action_of(code)), guide)
    return OnePieceAdvice(
        mode="ismcts",
        seats=len(decks),
        seat=seat,
        position=position_told(state.waiting.name, state.turn, step),
        seed=seed,
        options=tuple(option for _, option in options),
        warnings=tuple(search_warnings(found)),
        games=found.iterations,
        stopped=found.stopped,
        config=replace(how.config, iterations=limit.iterations or ENDLESS, seed=seed),
    )
