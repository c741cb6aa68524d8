"""The bots of Coup by name: compiled policies, and searches over what a seat believes about the others' cards."""

import re
from collections.abc import Callable
from dataclasses import replace
from math import comb
from pathlib import Path

import numpy as np

from kibitz.compute.runtime import Limit
from kibitz.coup.belief import InfluenceBelief
from kibitz.coup.blueprint.reading import TRUST
from kibitz.coup.core.actions import Action
from kibitz.coup.core.blueprint import BLUEPRINT
from kibitz.coup.core.engine import GAME
from kibitz.coup.core.game_state import GameState
from kibitz.coup.core.policy import BOTS, HEURISTIC
from kibitz.coup.core.state import COPIES
from kibitz.coup.core.tree import HANDS
from kibitz.coup.endgames.policy import equilibrium, fits_claims
from kibitz.coup.profile import PROFILE
from kibitz.coup.resolving.network import SUFFIX, read
from kibitz.coup.resolving.player import Resolver, drawn
from kibitz.game import Game, States
from kibitz.game.doors import number_seeds
from kibitz.game.tables import InvalidTable
from kibitz.ground.jit import integers, uint64
from kibitz.ground.rng import derive_seed
from kibitz.play import outside
from kibitz.play.bots import Bot, Player, UnknownBot, net_bot, policy_bot
from kibitz.play.search_bot import SearchPlayer, Thinking
from kibitz.search.ismcts import SearchConfig

#: How long a search thinks about a decision unless its name says something else.
DEFAULT = Limit(iterations=2000)
#: How often somebody claims a card without holding it, for each time that one who holds it does; None: everybody is taken for a
#: player of the blueprint, and whatever they do tells something.
BLUFF: float | None = None
#: How often somebody who could show a card does not: next to never, but it must not be thought impossible.
DECLINE = 0.02
#: How many deals are drawn for a search.
WORLDS = 500
#: The choice of `heuristic` is tried first, and kept unless another one is better by more than the standard error.
TO_THE_END = SearchConfig(policy=HEURISTIC, guide=HEURISTIC, caution=1.0, trees=1)
#: With two players a turn is played to its end, and then the evaluator is asked.
CONFIG = replace(TO_THE_END, horizon=0)

#: [cards of a character, of which so many are taken] in how many ways.
WAYS = np.array([[comb(n, k) for k in range(COPIES + 2)] for n in range(COPIES + 1)])
#: How often a turn may be walked at most: longer, nobody would wait.
MOST_WALKS = 2000


class Cards:
    """What a seat believes about everybody's cards, from all that it saw; claims count by how likely they are bluffs."""

    def __init__(self, game: Game, seat: int, view: States, bluff: float | None = BLUFF, trust: float = TRUST) -> None:
        self.influence = InfluenceBelief.at(view, seat, bluff=bluff, decline=DECLINE, trust=trust)

    def saw(self, before: States, code: int, after: States) -> None:
        """One event more."""
        self.influence = self.influence.see(before, 0, code)

    def worlds(self, view: States, n: int, seed: int) -> States:
        """`n` deals by how likely they are."""
        return self.influence.deal(view, n, seed)

    def doubts(self, worlds: States, seed: int) -> States:
        """The same deals, but with the seat's own cards as the others may imagine them."""
        return doubts_of(self.influence, worlds, seed)


def doubts_of(belief: InfluenceBelief, worlds: States, seed: int) -> States:
    """The same deals, but with the observer's cards as the others may imagine them: by counting, and by its claims.

    The other hands stay: with three players and more they were drawn by what the observer alone knows, so that what the others
    think of each other is a little too true. `InfluenceBelief.public` knows better, but is far too slow for six.
    """
    seat = belief.observer
    states: States = worlds.copy()
    pool = np.asarray(states)["hand"][:, seat].astype(np.int64) + np.asarray(states)["deck"]
    held = np.array(HANDS[int(states["hand"][0, seat].sum())])
    likely = WAYS[pool[:, None, :], held].prod(axis=2) * fits_claims(belief, held)
    ladder = likely.cumsum(axis=1)
    seeds = integers(np.zeros(len(states), np.uint64))
    number_seeds(seeds, uint64(seed), 0)
    uniform = np.asarray(seeds >> np.uint64(11), np.float64) * 0.5**53
    chosen = held[(uniform[:, None] * ladder[:, -1:] >= ladder).sum(axis=1)]
    states["hand"][:, seat] = chosen
    states["deck"] = pool - chosen
    return states


class Solver(SearchPlayer[Cards]):
    """Searches until an endgame is reached, and then plays as its `equilibrium` does (or, if it is too large, searches on)."""

    def decide(self, view: States) -> int:
        """Draw from the mixed strategy of an endgame, or search."""
        solved = equilibrium(view, self.belief.influence)
        if solved is None:
            return super().decide(view)
        self.decisions += 1
        return drawn(solved.actions, derive_seed(self.seed, "endgame", self.decisions))


def thinking(limit: Limit | None) -> Thinking[Cards]:
    """How the search bots think, for so long a decision."""
    return Thinking(CONFIG, limit or DEFAULT, WORLDS, Cards, Cards.doubts, for_advice=TO_THE_END, unjudged=TO_THE_END)


#: The bots that search.
SEARCHES: dict[str, Callable[[Limit | None], Player]] = {
    "ismcts": lambda limit: SearchPlayer(thinking(limit)),
    "solver": lambda limit: Solver(thinking(limit)),
    "resolver": lambda limit: Resolver(),
}
#: The friendly objects of the game, for bots from outside.
FRIENDLY = outside.Friendly(GameState, Action.from_text, PROFILE.quiet)


def bot_named(text: str) -> Bot:
    """The bot that a text names: ``heuristic``, ``ismcts``, ``ismcts:2000`` (iterations), ``solver:0.5s`` (time).

    ``my_bot.py:MyBot`` is one from outside (see `kibitz.play.outside`). ``equilibrium:FILE.blueprint`` plays by a blueprint of
    one's own, and so does every `equilibrium` of this process from then on; ``net:FILE.net`` asks a network of one's own, and
    so does ``resolver:FILE.resolver``; ``resolver:200`` walks every turn so often.

    >>> bot_named("heuristic").policy, bot_named("ismcts:500").policy
    (2, None)
    """
    name, colon, file = text.partition(":")
    if name == "net" and file:
        return net_bot(GAME, text, BOTS[name], Path(file))
    if name == "equilibrium" and file:
        try:
            BLUEPRINT.use_file(Path(file))
        except InvalidTable as error:
            raise UnknownBot(f"{text!r}: {error}") from None
        return policy_bot(text, BOTS[name])
    if name == "resolver" and colon:
        return resolver_named(text, file)
    return outside.any_bot(text, BOTS, SEARCHES, FRIENDLY, PROFILE.levels)


def resolver_named(text: str, parameter: str) -> Bot:
    """The bot that solves every turn: by a network of one's own, or by so many walks."""
    if parameter.endswith(SUFFIX):
        try:
            network = read(Path(parameter))
        except InvalidTable as error:
            raise UnknownBot(f"{text!r}: {error}") from None
        return Bot(text, lambda: Resolver(network))
    walks = int(parameter) if re.fullmatch(r"\d{1,9}", parameter, re.ASCII) else 0
    if not 1 <= walks <= MOST_WALKS:
        time = "its time cannot be limited; " if re.fullmatch(r"[\d.]+s", parameter, re.ASCII) else ""
        expected = f"expected a number of walks from 1 to {MOST_WALKS:,}, or a file (FOLDER/2-players{SUFFIX})"
        raise UnknownBot(f"{text[:40]!r}: {time}{expected}")
    return Bot(text, lambda: Resolver(walks=walks))
