"""Many games at once, one seat of each against compiled policies, stepped in compiled code."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from kibitz.adapters.observations import Observations, octets_of, plan_of, spread_one
from kibitz.adapters.setting import ActionTable, Setting
from kibitz.game import CHANCE, OVER, Scratch, States, structs
from kibitz.game.drivers import decide
from kibitz.game.verbs import actor, apply, hide, legal, prize
from kibitz.ground.jit import Vector, int64, integers, jit, struct, uint64
from kibitz.ground.rng import below, child, reseed, word_number
from kibitz.play.bots import Bot

Numbers = npt.NDArray[np.int64]

#: What the streams of a place hold: the seed of its series of games, how many of them have begun, the seed of chance in this
#: one, and then the random state of each player.
SERIES, GAMES, CHANCES, PLAYERS = range(4)
#: What hangs on the seed of a game (see `kibitz.play.match.Table`): its players; and the choice of where it begins.
PLAYER, START = word_number("player"), word_number("start")


class Place(Protocol):
    """A place with a game, or with none yet."""

    seat: int  # whose place it is
    id: int  # what the seat wants; after the step, what was done
    prize: int  # what the end is worth to it
    over: bool  # whether the game is over: with the next step another begins
    illegal: bool  # whether what was wanted was not legal
    streams: Vector  # where all randomness comes from


class Id(Protocol):
    """A row of the table by which compiled code looks up ids."""

    code: int  # what the rules call the id of this row
    ascending: int  # the codes once more, in ascending order
    number: int  # the id of the latter
    default: int  # in the first rows what is tried in place of an illegal id; -1 in the others


ID = struct("adapter_id", [(name, np.int64) for name in ("code", "ascending", "number", "default")])


@cache
def place_struct(seats: int) -> np.dtype[np.void]:
    """The struct of a `Place` at a table of at most so many seats."""
    numbers = [(name, np.int64) for name in ("seat", "id", "prize")]
    flags = [(name, np.bool_) for name in ("over", "illegal")]
    return struct(f"adapter_place_{seats}", [("streams", np.uint64, (PLAYERS + seats,)), *numbers, *flags])


class Games(NamedTuple):
    """The games of all places: [places] each."""

    states: Any
    views: Any
    """What the seat sees of the states."""
    octets: Any
    """[places, bytes] the views as bytes."""
    masks: Any
    """[places, ids] what is legal."""
    places: Any


@jit
def play_on(s: Any, x: Scratch, place: Place) -> int:
    """Let chance and the others play until it is the seat's move or the game is over; each draws from its own stream."""
    at = actor(s)
    while at != OVER and at != place.seat:
        if at != CHANCE:
            x.random = place.streams[PLAYERS + at]
        apply(s, decide(s, x, at))
        if at != CHANCE:
            place.streams[PLAYERS + at] = x.random
        at = actor(s)
    return at


@jit
def id_of(ids: Any, code: int) -> int:
    """The id of a code."""
    low, high = 0, len(ids) - 1
    while low < high:
        middle = (low + high) // 2
        if ids[middle].ascending < code:
            low = middle + 1
        else:
            high = middle
    return ids[low].number  # type: ignore[no-any-return]


@jit
def default_id(masks: Any, i: int, ids: Any) -> int:
    """What place i does instead of an illegal action (see `kibitz.adapters.setting.ActionTable.default`)."""
    for j in range(len(ids)):
        if ids[j].default < 0:
            break
        if masks[i, ids[j].default]:
            return ids[j].default  # type: ignore[no-any-return]
    a = 0
    while not masks[i, a]:
        a += 1
    return a


@jit
def begin_game(games: Games, i: int, starts: Any, x: Scratch) -> None:
    """The next game of place i, with the seeds that `kibitz.adapters.gym.SeatEnv` and its table give to their games."""
    place = games.places[i]
    streams = place.streams
    at = OVER
    while at == OVER:  # the others may end a game before the seat has had a move
        seed = child(streams[SERIES], int64(streams[GAMES]))
        streams[GAMES] += uint64(1)
        streams[CHANCES] = seed
        x.random = child(seed, START)
        games.states[i] = starts[below(x, len(starts))]
        for player in range(len(streams) - PLAYERS):
            reseed(x, child(child(seed, PLAYER), player))
            streams[PLAYERS + player] = x.random
        x.seed = seed
        at = play_on(games.states[i], x, place)


@jit
def do_action(games: Games, i: int, ids: Any, x: Scratch) -> None:
    """What is wanted in place i, or the default; then the others play."""
    place = games.places[i]
    if place.id < 0 or place.id >= len(ids) or not games.masks[i, place.id]:
        place.illegal = True
        place.id = default_id(games.masks, i, ids)
    x.seed = place.streams[CHANCES]
    apply(games.states[i], ids[place.id].code)
    if play_on(games.states[i], x, place) == OVER:
        place.over = True
        place.prize = prize(games.states[i], place.seat)


@jit
def step_places(games: Games, some: Any, starts: Any, ids: Any, plan: Any, xs: Any, out: Any) -> None:
    """One step in some of the places: where the game is over, the next one begins.

    What the seat then sees in ``some[k]`` is written to ``out[k]``, as `plan` says (see `spread_one`).
    """
    x = xs[0]
    for k in range(len(some)):
        i = some[k]
        place = games.places[i]
        place.illegal = False
        place.prize = 0
        if place.over:
            begin_game(games, i, starts, x)
            place.over = False
        else:
            do_action(games, i, ids, x)
        for a in range(len(ids)):
            games.masks[i, a] = 0
        if not place.over:
            for m in range(legal(games.states[i], x)):
                games.masks[i, id_of(ids, x.actions[m])] = 1
        games.views[i] = games.states[i]
        hide(games.views[i], place.seat)
        out[k, 0] = place.seat
        spread_one(games.octets, i, plan, out, k)


def compiled_policies(here: Setting, bots: Sequence[Bot]) -> list[int] | None:
    """The policies of these bots, or None where the rules or one of the bots are not compiled."""
    policies = [bot.policy for bot in bots if bot.policy is not None]
    return None if here.game.is_plain or len(policies) < len(bots) else policies


def looked_up(table: ActionTable) -> States:
    """The ids of a table, a row of `Id` for each."""
    ids = structs(ID, len(table))
    ids["code"] = table.codes
    ids["ascending"], ids["number"] = np.sort(table.codes), np.argsort(table.codes)
    ids["default"] = -1
    ids["default"][: len(table.defaults)] = table.defaults
    return ids


class Places:
    """`n` places with a game each, or none yet; `jobs` threads may step some of them at once."""

    over: npt.NDArray[np.bool_]
    """``[place]`` whether its game is over, or none has begun."""
    illegal: npt.NDArray[np.bool_]
    """``[place]`` whether what was wanted was not legal."""
    prizes: Numbers
    """``[place]`` what the end is worth; 0 before."""
    ids: Numbers
    """``[place]`` the id that is wanted; after the step, that of what was done."""
    games: npt.NDArray[np.uint64]
    """``[place]`` how many games of its series have begun."""

    def __init__(self, here: Setting, seat: int, policies: Sequence[int], n: int, jobs: int = 1) -> None:
        """`policies` are those of the other seats, in their order."""
        game = here.game
        self.starts: States = game.room(0)
        """Where games begin: at any of these."""
        self.masks = np.zeros((n, len(here.actions)), np.int8)
        """``[place, id]`` 1 for what is legal."""
        self.views = game.room(n)
        self._states = game.room(n)
        self._places = structs(place_struct(game.seats[1]), n)
        self._places["seat"], self._places["over"] = seat, True
        self._xs = game.scratches(jobs)
        self._xs["policy"][:, : here.seats] = [*policies[:seat], 0, *policies[seat:]]
        self._ids, self._plan = looked_up(here.actions), integers(plan_of(here.layout, game.state, seat))
        self._look_inside()

    def _look_inside(self) -> None:
        """Arrays that share their memory with the structs; a copy has to make its own."""
        rows = np.asarray(self._places)
        self.over, self.illegal, self.prizes, self.ids = (rows[name] for name in ("over", "illegal", "prize", "id"))
        self._streams, self.games = rows["streams"], rows["streams"][:, GAMES]
        self._games = Games(self._states, self.views, integers(octets_of(self.views)), self.masks, self._places)

    def __getstate__(self) -> dict[str, Any]:
        shared = ("over", "illegal", "prizes", "ids", "games", "_streams", "_games")
        return {name: value for name, value in vars(self).items() if name not in shared}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._look_inside()

    def series(self, place: int) -> int:
        """The seed of a place's series of games."""
        return int(self._streams[place, SERIES])

    def begin_series(self, place: int, seed: int) -> None:
        """Let the next game of a place be the first of this series."""
        self._streams[place, SERIES], self._streams[place, GAMES] = seed, 0
        self.over[place] = True

    def step(self, some: Numbers, out: Observations, job: int = 0) -> None:
        """A step in some of the places: what is seen then comes to `out`. Where the game is over, the next one begins."""
        step_places(self._games, some, self.starts, self._ids, self._plan, self._xs[job : job + 1], out)
