"""The games for OpenSpiel. Importing this module registers the built-in games, as ``python_kibitz_`` and their names.

    import pyspiel
    from kibitz.adapters import spiel
    game = pyspiel.load_game(f"{spiel.register('my_game.py')}(players=3)")  # a game of your own

Parameters are ``players`` and the numbers by which a game can be set up (`kibitz.play.profile.Profile.numbers`), such as
``max_turns``. Actions are the ids of `kibitz.adapters.setting`; what chance does has ids of its own. The end is worth 0 to 1 to
each seat.

The information state of a seat is a chain of hashes over everything that it perceived, so that it is short however long the
game. `SpielState.resample_from_infostate` draws a world from what Kibitz believes, given all that the seat saw. In such a world
the seat's own information state is as before; those of the others start anew, from what everybody saw and what they hold now.
Its ``history()`` remains the true one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np

from kibitz.ground.extras import missing

try:
    import pyspiel
except ImportError as error:
    raise missing(error, "spiel") from None

import kibitz
from kibitz.adapters.setting import Setting, setting_of
from kibitz.game import CHANCE, OVER, States, actor_at, apply_at, copied, outcomes
from kibitz.game.definition import SPECTATOR, exact
from kibitz.game.doors import hidden_from, perceived_at
from kibitz.ground.rng import derive_seed
from kibitz.play.any_game import packed, unpacked
from kibitz.play.profile import Profile
from kibitz.play.registry import profile, source_of
from kibitz.play.search_bot import AnyDeal, Belief, belief_after

#: More actions than a turn can have.
STEPS_A_TURN = 1000
#: A probability as one of so many seeds.
FINE = 1 << 53


def chained(past: str, *news: object) -> str:
    """The name of a past to which something is added."""
    return hashlib.blake2b(repr((past, *news)).encode(), digest_size=12).hexdigest()


@dataclass(frozen=True)
class Key:
    """Which game is played, by its name or its file, with which parameters: all that has to be kept, and sent elsewhere."""

    source: str
    parameters: tuple[tuple[str, int], ...]

    @property
    def here(self) -> Setting:
        """The game itself."""
        return _begun(self)[0]

    @property
    def start(self) -> States:
        """Where it begins."""
        return _begun(self)[1]


def parameters(game: Profile) -> dict[str, int]:
    """What can be chosen, with the defaults."""
    return {"players": game.usual_seats, **game.numbers}


@lru_cache(maxsize=64)
def _begun(key: Key) -> tuple[Setting, States]:
    played, numbers = profile(key.source), dict(key.parameters)
    players = numbers.pop("players")
    setup = played.numbered(**numbers) if played.numbered else played.setup()
    here = setting_of(played, setup, players)
    return here, here.start(0)


class Imagined(NamedTuple):
    """How a line left the true game: whose past is still the true one (`SPECTATOR`: nobody's), and the worlds by step."""

    seat: int
    worlds: dict[int, States]


class Line:
    """A game under way: the state, the codes so far, and the chain of what each seat perceived (the last: a spectator)."""

    def __init__(
        self, key: Key, states: States, codes: Sequence[int] = (), pasts: tuple[str, ...] = (), imagined: Imagined | None = None
    ) -> None:
        self.key, self.states, self.codes, self.imagined = key, states, [*codes], imagined
        self._beliefs: dict[int, Belief] = {}
        self.pasts = pasts or tuple(chained("", seat) for seat in (*range(self.here.seats), SPECTATOR))

    @property
    def here(self) -> Setting:
        """What is played."""
        return self.key.here

    def __deepcopy__(self, memo: Any) -> Line:
        return Line(self.key, copied(self.states), self.codes, self.pasts, self.imagined)

    def __reduce__(self) -> tuple[Any, ...]:
        seat, worlds = self.imagined or (None, {})
        dream = {step: packed(world) for step, world in worlds.items()}
        return _revived, (self.key, packed(self.states), self.codes, self.pasts, seat, dream)

    def apply(self, code: int) -> None:
        """One step, as everybody perceives it."""
        seats = (*range(self.here.seats), SPECTATOR)
        mover = int(actor_at(self.states, 0))
        perceived = [int(perceived_at(self.states, 0, code, seat)) for seat in seats]
        self.pasts = tuple(chained(past, mover, seen) for past, seen in zip(self.pasts, perceived, strict=True))
        apply_at(self.states, 0, code)
        self.codes.append(code)
        self._beliefs.clear()

    def belief(self, seat: int) -> Belief:
        """What a seat makes of all that it saw, worked out when it is first asked for; a copy starts without."""
        if seat not in self._beliefs:
            self._beliefs[seat] = self._believed(seat)
        return self._beliefs[seat]

    def _believed(self, seat: int) -> Belief:
        """The same; whoever is only imagined to be as it is has seen nothing before."""
        if self.imagined and seat != self.imagined.seat:
            return AnyDeal(self.here.game, seat, hidden_from(self.key.start, seat))
        worlds = self.imagined.worlds if self.imagined else {}
        return belief_after(self.here.profile.belief, self.key.start, self.codes, seat, worlds)[1]

    def imagine(self, world: States, seat: int) -> Line:
        """The same game as `seat` knows it, in another world."""
        pasts = list(self.pasts)
        for other in range(self.here.seats):
            if other != seat:
                pasts[other] = chained(self.pasts[SPECTATOR], exact(hidden_from(world, other)))
        before = self.imagined or Imagined(seat, {})
        imagined = Imagined(seat if seat == before.seat else SPECTATOR, {**before.worlds, len(self.codes): world.copy()})
        return Line(self.key, world, self.codes, tuple(pasts), imagined)


def _revived(
    key: Key, state: Any, codes: Sequence[int], pasts: tuple[str, ...], seat: int | None, dream: dict[int, Any]
) -> Line:
    """A line that was pickled."""
    game = key.here.game
    worlds = {step: unpacked(game, world) for step, world in dream.items()}
    return Line(key, unpacked(game, state), codes, pasts, None if seat is None else Imagined(seat, worlds))


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state as OpenSpiel knows it."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.line = Line(game.key, game.key.start.copy())

    def current_player(self) -> int:
        """A seat, chance or the end."""
        seat = int(actor_at(self.line.states, 0))
        return int({CHANCE: pyspiel.PlayerId.CHANCE, OVER: pyspiel.PlayerId.TERMINAL}.get(seat, seat))

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return int(actor_at(self.line.states, 0)) == OVER

    def _legal_actions(self, player: int) -> list[int]:
        return self.line.here.actions.legal(self.line.states)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance can do, with the probabilities."""
        ids = self.line.here.actions.outcome_ids
        return sorted((ids[code], float(probability)) for code, probability in outcomes(self.line.states))

    def _apply_action(self, action: int) -> None:
        table = self.line.here.actions
        self.line.apply((table.outcomes if self.is_chance_node() else table.codes)[action])

    def _action_to_string(self, player: int, action: int) -> str:
        table = self.line.here.actions
        return table.game.describe((table.outcomes if player == pyspiel.PlayerId.CHANCE else table.codes)[action])

    def returns(self) -> list[float]:
        """What the end is worth to each seat; nothing before."""
        here = self.line.here
        if not self.is_terminal():
            return [0.0] * here.seats
        return [here.worth(self.line.states, seat) for seat in range(here.seats)]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """A state that looks the same to `player`, drawn from what it believes; `sampler` gives numbers from 0 to 1."""
        view, seed = hidden_from(self.line.states, player), derive_seed(int(sampler() * FINE))
        world = self.line.belief(player).worlds(view, 1, seed)
        state: SpielState = self.clone()
        state.line = self.line.imagine(world, player)
        return state

    def __str__(self) -> str:
        return " ".join(map(self.line.here.game.describe, self.line.codes))


class Observer:
    """OpenSpiel's observer: with perfect recall the information state as a string, else the observation as a tensor, too."""

    def __init__(self, here: Setting, recall: bool) -> None:
        self._layout, self._recall = here.layout, recall
        self.tensor = None if recall else np.zeros(here.layout.size, np.float32)
        self.dict = {} if self.tensor is None else here.layout.split(self.tensor)

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a seat sees into the tensor."""
        if self.tensor is not None:
            self.tensor[:] = self._layout.observe(state.line.states, player)[0]

    def string_from(self, state: SpielState, player: int) -> str:
        """A name of what a seat knows (with perfect recall), or the numbers that it sees."""
        if self._recall:
            return f"player {player + 1}, step {len(state.line.codes)}: {state.line.pasts[player]}"
        return " ".join(map(str, self._layout.observe(state.line.states, player)[0].tolist()))


def _game_type(game: Profile) -> Any:
    least, most = game.seats
    return pyspiel.GameType(
        short_name=f"python_kibitz_{game.name}",
        long_name=f"Kibitz: {game.title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=least,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters(game),
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game as OpenSpiel knows it; which one, a subclass says."""

    profile: Profile
    kind: Any

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**parameters(self.profile), **(params or {})}
        self.key = Key(source_of(self.profile.name), tuple(given.items()))
        here = self.key.here
        turns = given.get("max_turns", here.game.max_turns)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(here.actions),
            max_chance_outcomes=len(here.actions.outcomes),
            num_players=here.seats,
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=None,
            max_game_length=(turns + 1) * STEPS_A_TURN,
        )
        super().__init__(self.kind, info, params or {})

    def new_initial_state(self) -> SpielState:
        """Before the first step."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What OpenSpiel asks for strings and tensors."""
        return Observer(self.key.here, iig_obs_type is not None and iig_obs_type.perfect_recall)


@cache
def register(name: str) -> str:
    """Make a game known to OpenSpiel, by its name or its file; what it is called there."""
    played = profile(name)
    kind = _game_type(played)
    pyspiel.register_game(kind, type(f"{played.name.title()}Game", (SpielGame,), {"profile": played, "kind": kind}))
    return f"python_kibitz_{played.name}"


for _name in kibitz.GAMES:
    register(_name)
