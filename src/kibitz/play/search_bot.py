"""A player that searches: information-set MCTS over worlds drawn from what its seat believes.

A game brings its `Belief`, the rest is the same for all.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from kibitz.compute.runtime import Limit, Runtime, Threads, Workers
from kibitz.game import Game, States, apply_at, copied, game_of, seen_at
from kibitz.game.definition import repeated
from kibitz.game.doors import hidden_from, redeal_all, sensible_actions
from kibitz.game.nets import NoNetwork
from kibitz.ground.jit import uint64
from kibitz.ground.rng import derive_seed
from kibitz.search.ismcts import SearchConfig, SearchResult, search

if TYPE_CHECKING:
    from kibitz.play.profile import Profile

T = TypeVar("T")
R = TypeVar("R")

#: The bot of a game that searches; how many iterations it takes for a decision where nobody says anything else, in compiled
#: games and in others, and how many deals it draws.
SEARCH, ITERATIONS, PLAIN_ITERATIONS, WORLDS = "ismcts", 1000, 100, 64
#: How many times as long an adviser thinks about a decision, in compiled games and in others; and in how many trees.
PATIENCE, PLAIN_PATIENCE, TREES = 10, 5, 4
#: More iterations than any clock allows.
ENDLESS = 1_000_000_000


class Belief(Protocol):
    """What a seat makes of all that it has seen in a game."""

    def saw(self, before: States, code: int, after: States) -> None:
        """A step was taken, as `kibitz.play.bots.Player.saw` tells it."""

    def worlds(self, view: States, n: int, seed: int) -> States:
        """`n` whole states that agree with the view, drawn by how likely they are."""


B = TypeVar("B", bound=Belief)


class AnyDeal:
    """The belief of somebody who remembers nothing: all deals that agree with the view are equally likely."""

    def __init__(self, game: Game, seat: int, view: States) -> None:
        self._game, self._seat = game, seat

    def saw(self, before: States, code: int, after: States) -> None:
        """Nothing is remembered."""

    def worlds(self, view: States, n: int, seed: int) -> States:
        """`n` deals of what the seat does not see."""
        states = repeated(view, n)
        redeal_all(states, self._game.scratches(), self._seat, uint64(seed))
        return states


def belief_after(
    believes: Callable[[Game, int, States], Belief],
    start: States,
    codes: Sequence[int],
    seat: int,
    worlds: Mapping[int, States] = {},
) -> tuple[States, Belief]:
    """What a seat sees after some steps, and what it could make of all that led there.

    A step that is among `worlds` is taken there instead: the seat sees no difference.
    """
    states = copied(start)
    view = hidden_from(states, seat)
    belief = believes(game_of(states), seat, copied(view))
    for step, code in enumerate(codes):
        if step in worlds:
            states = copied(worlds[step])
        label = int(seen_at(states, 0, code, seat))
        apply_at(states, 0, code)
        before, view = view, hidden_from(states, seat)
        belief.saw(before, label, copied(view))
    return view, belief


class Here:
    """The thread that asks does the work: where many games are played at once, each has its thread already."""

    def map(self, function: Callable[[T], R], pieces: Sequence[T]) -> Generator[tuple[int, R], None, None]:
        """As `kibitz.compute.runtime.Workers.map`, in order."""
        for number, piece in enumerate(pieces):
            yield number, function(piece)


@dataclass(frozen=True)
class Thinking(Generic[B]):
    """How a player searches."""

    config: SearchConfig
    """The search itself; each decision has its own seed."""
    limit: Limit
    """How many iterations or how many seconds a decision takes."""
    worlds: int
    """How many worlds are drawn for a decision, at most (no more than there are iterations)."""
    belief: Callable[[Game, int, States], B]
    """What a seat believes, beginning at the start of a game; `AnyDeal` for nothing in particular."""
    doubts: Callable[[B, States, int], States] | None = None
    """Worlds as the others may imagine them, from the belief, some worlds and a seed (see `kibitz.search.ismcts.search`)."""
    workers: Workers = Here()  # noqa: RUF009
    """Who does the work."""
    for_advice: SearchConfig | None = None
    """Another search for advice, where the player's own does not play games to their ends: a win rate is then one of games."""
    unjudged: SearchConfig | None = None
    """The search of a player under rules for which the evaluator has no network."""

    def fitting(self, view: States) -> Thinking[B]:
        """The same, or `unjudged` under rules for which the evaluator has no network."""
        if self.unjudged is None or self.config.horizon is None:
            return self
        try:
            game_of(view).school.check_served(view, self.config.book)
        except NoNetwork:
            return replace(self, config=self.unjudged)
        return self

    def search(self, belief: B, view: States, seat: int, seed: int, runtime: Runtime | None = None) -> SearchResult:
        """Search for what `seat`, which sees `view`, should do; a `runtime` hears how it goes, and has a limit of its own."""
        return self.search_in(*self.deals(belief, view, seed), seat, seed, runtime)

    def deals(self, belief: B, view: States, seed: int) -> tuple[States, States | None]:
        """The worlds to be searched, and those that the others may imagine: all that a search needs of a belief."""
        n = min(self.worlds, self.limit.iterations or self.worlds)
        worlds = belief.worlds(view, n, derive_seed(seed, "worlds"))
        return worlds, self.doubts(belief, worlds, derive_seed(seed, "doubts")) if self.doubts else None

    def search_in(
        self, worlds: States, doubts: States | None, seat: int, seed: int, runtime: Runtime | None = None
    ) -> SearchResult:
        """Search these worlds."""
        config = replace(self.config, iterations=self.limit.iterations or ENDLESS, seed=derive_seed(seed, "search"))
        return search(worlds, seat, config, doubts=doubts, runtime=runtime or Runtime(self.limit), workers=self.workers)


class SearchPlayer(Generic[B]):
    """Plays what a search of its own tried most often."""

    def __init__(self, thinking: Thinking[B]) -> None:
        self.thinking = thinking

    def begin(self, game: Game, seat: int, view: States, seed: int) -> None:
        """Begin to believe, and look for a network."""
        self._how = self.thinking.fitting(view)
        self.seat, self.seed, self.decisions = seat, seed, 0
        self.belief = self._how.belief(game, seat, view)

    def saw(self, before: States, code: int, after: States) -> None:
        """Let the belief follow."""
        self.belief.saw(before, code, after)

    def decide(self, view: States) -> int:
        """The best action; where there is only one that makes sense, without a search."""
        actions = sensible_actions(view)
        if len(actions) == 1:
            return actions[0]
        self.decisions += 1
        return self.think(view).best.action

    def decide_among(self, view: States, allowed: Sequence[int]) -> int:
        """What the search tried most often of these; the first, if it tried none."""
        return next((one.action for one in self.think(view).actions if one.action in allowed), allowed[0])

    def think(self, view: States, runtime: Runtime | None = None) -> SearchResult:
        """What the search finds; the same for the same seed, the same number of decisions before, and the same views."""
        seed = derive_seed(self.seed, "decision", self.decisions)
        return self._how.search(self.belief, view, self.seat, seed, runtime)


def any_thinking(game: Game, belief: Callable[[Game, int, States], B], limit: Limit | None = None) -> Thinking[B]:
    """How a search thinks about any game: worlds that the seat believes in, played out at random."""
    usual = Limit(iterations=PLAIN_ITERATIONS if game.is_plain else ITERATIONS)
    return Thinking(SearchConfig(trees=1), limit or usual, WORLDS, belief)


def thinking_of(profile: Profile, limit: Limit | None = None) -> Thinking[Any]:
    """How the search bot of a game thinks, perhaps for as long as another limit says; or else as any game can be searched."""
    found = profile.bot_named(SEARCH).player() if SEARCH in profile.bots else None
    usual = found.thinking if isinstance(found, SearchPlayer) else any_thinking(profile.setup().game, profile.belief)
    return replace(usual, limit=limit or usual.limit)


def adviser(profile: Profile) -> SearchPlayer[Any]:
    """Somebody who looks over the shoulder of a person: the search of the game's bots, with more time and on all cores."""
    usual = thinking_of(profile)
    patience = PATIENCE if profile.compiled else PLAIN_PATIENCE
    limit = Limit(iterations=patience * (usual.limit.iterations or ITERATIONS))
    config = replace(usual.for_advice or usual.config, trees=TREES)
    return SearchPlayer(replace(usual, limit=limit, config=config, workers=Threads()))
