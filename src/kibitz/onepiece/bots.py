"""The bots of One Piece by name: random, greedy, and a search that looks at nothing its seat cannot see; and its advice.

>>> from kibitz.onepiece.core.record import simulate
>>> states = map(GameState, simulate(["greedy", "greedy"], seed=3).states())
>>> state = next(state for state in states if state.turn_number == 3 and isinstance(state.actor, int))
>>> advice = advise(state, Limit(iterations=20))
>>> advice.position, advice.games, len(advice.options) > 1
({'phase': 'MAIN', 'turn': 3}, 20, True)
"""

from collections.abc import Callable
from dataclasses import dataclass

from kibitz.compute.runtime import Limit, Runtime
from kibitz.game import game_of
from kibitz.onepiece.core.actions import Action
from kibitz.onepiece.core.engine import POLICIES
from kibitz.onepiece.core.game_state import GameState
from kibitz.onepiece.profile import PROFILE
from kibitz.play import outside
from kibitz.play.advice import SearchAdvice, searched
from kibitz.play.bots import Bot, Player
from kibitz.play.search_bot import AnyDeal, SearchPlayer, Thinking
from kibitz.search.ismcts import SearchConfig

#: How long a search thinks about a decision unless its name says something else: games in plain Python are slow.
DEFAULT = Limit(iterations=100)
#: How many deals are drawn for a search.
WORLDS = 50
GREEDY = POLICIES["greedy"]
#: The choice of `greedy` is tried first, and kept unless another one is better by more than the standard error.
CONFIG = SearchConfig(policy=GREEDY, guide=GREEDY, caution=1.0, trees=1)


def thinking(limit: Limit | None) -> Thinking[AnyDeal]:
    """How the search bot thinks, for so long a decision. What it has seen is in the position: cards shown stay known."""
    return Thinking(CONFIG, limit or DEFAULT, WORLDS, AnyDeal)


#: The bots that search.
SEARCHES: dict[str, Callable[[Limit | None], Player]] = {"ismcts": lambda limit: SearchPlayer(thinking(limit))}
#: The friendly objects of the game, for bots from outside.
FRIENDLY = outside.Friendly(GameState, Action.from_text, PROFILE.quiet)


def bot_named(text: str) -> Bot:
    """The bot that a text names: ``greedy``, ``ismcts``, ``ismcts:500`` (iterations), ``ismcts:2s`` (time).

    ``my_bot.py:MyBot`` is one from outside (see `kibitz.play.outside`).

    >>> bot_named("greedy").policy, bot_named("ismcts:500").policy
    (1, None)
    """
    return outside.any_bot(text, POLICIES, SEARCHES, FRIENDLY, PROFILE.levels)


@dataclass(frozen=True, kw_only=True)
class OnePieceAdvice(SearchAdvice):
    """What there is to say about a position of One Piece."""

    NAME = "onepiece"


def advise(
    state: GameState, limit: Limit = DEFAULT, seed: int = 0, runtime: Runtime | None = None, step: int | None = None
) -> OnePieceAdvice:
    """What the player who is to move should do, as the search bot finds out; only what that seat sees is used.

    The `step` of a record is told again in the advice. Raises a ValueError where no player is to decide.
    """
    seat = state.actor
    if not isinstance(seat, int):
        raise ValueError("advice is for the player who is to decide")
    view = state.observe(seat)
    belief = AnyDeal(game_of(view.states), seat, view.states)
    return searched(OnePieceAdvice, view, thinking(limit), belief, seed, runtime, step)
