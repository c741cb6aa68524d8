"""Many games at once, stepped in compiled code: some seats are asked from outside, compiled policies play the others.

A step in one place is a function of its own structs (`advance`): the loop over places is all that a thread, or a GPU, adds.
"""

import os
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from kibitz.adapters.observations import Observations, octets_of, plan_of, spread_difference, spread_one
from kibitz.adapters.setting import ActionTable, Setting
from kibitz.compute.runtime import Threads
from kibitz.game import CHANCE, OVER, Scratch, States, structs
from kibitz.game.definition import concatenated
from kibitz.game.doors import door
from kibitz.game.drivers import decide_by, draw
from kibitz.game.verbs import actor, apply, hide, inputs, legal, prize, value
from kibitz.ground.jit import Vector, int64, integers, jit, struct, uint64
from kibitz.ground.rng import below, child, derive_seed, reseed, word_number
from kibitz.play.bots import Bot

Numbers = npt.NDArray[np.int64]
#: ``[seat]`` the compiled policy that plays it; None: somebody outside.
Table: TypeAlias = "Sequence[int | None]"

#: What the streams of a place hold: the seed of its series of games, how many of them have begun, the seed of chance in this
#: one, and then the random state of each player.
SERIES, GAMES, CHANCES, PLAYERS = range(4)
#: In place of a seat: whoever is to move (after the end, seat 0).
ACTOR = -1
#: What hangs on the seed of a game (see `kibitz.play.match.Table`): its players; and the choice of where it begins.
PLAYER, START = word_number("player"), word_number("start")


class Place(Protocol):
    """A place with a game, or with none yet."""

    outside: int  # the seats that are asked from outside, a bit each
    actor: int  # which of them is to move, or OVER
    id: int  # what it wants; after the step, what was done
    prizes: Vector  # [seat] what the end is worth; 0 before
    policies: Vector  # [seat] who plays the other seats
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
    numbers = [(name, np.int64) for name in ("outside", "actor", "id")]
    of_seats = [(name, np.int64, (seats,)) for name in ("prizes", "policies")]
    flags = [(name, np.bool_) for name in ("over", "illegal")]
    return struct(f"adapter_place_{seats}", [("streams", np.uint64, (PLAYERS + seats,)), *numbers, *of_seats, *flags])


class Games(NamedTuple):
    """The games of all places: [places] each."""

    states: Any
    masks: Any
    """[places, ids] what is legal for who is to move."""
    places: Any


class Eyes(NamedTuple):
    """Whose eyes see a place after a step."""

    seats: Any
    """[eye] a seat, or `ACTOR`."""
    plans: Any
    """[seat, field, 5] what `spread_one` is told."""
    views: Any
    """[2 * threads] room for what the first of them sees, and another."""
    octets: Any
    """[2 * threads, bytes] the same as bytes."""


@jit
def play_on(s: Any, x: Scratch, place: Place) -> int:
    """Let chance and the policies, each with its own stream, play until somebody outside is to move or the game is over."""
    at = actor(s)
    while at == CHANCE or (at != OVER and not place.outside >> at & 1):
        policy = 0
        if at != CHANCE:
            x.random = place.streams[PLAYERS + at]
            policy = place.policies[at]
        apply(s, decide_by(s, x, at, policy))
        if at != CHANCE:
            place.streams[PLAYERS + at] = x.random
        at = actor(s)
    place.actor = at
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
def let_chance_play(s: Any, x: Scratch, place: Place) -> int:
    """As `play_on`, where nobody but chance and those outside plays."""
    at = actor(s)
    while at == CHANCE:
        apply(s, draw(s, x))
        at = actor(s)
    place.actor = at
    return at


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
def lay_out(states: Any, i: int, place: Place, starts: Any, x: Scratch) -> None:
    """Set up the next game of a place, with the seeds that `kibitz.adapters.gym.SeatEnv` and its table give to theirs."""
    streams = place.streams
    seed = child(streams[SERIES], int64(streams[GAMES]))
    streams[GAMES] += uint64(1)
    streams[CHANCES] = seed
    x.random = child(seed, START)
    states[i] = starts[below(x, len(starts))]
    for player in range(len(streams) - PLAYERS):
        reseed(x, child(child(seed, PLAYER), player))
        streams[PLAYERS + player] = x.random
    x.seed = seed


@jit
def begin_game(games: Games, i: int, starts: Any, x: Scratch) -> None:
    """The next game of place i."""
    place = games.places[i]
    at = OVER
    while at == OVER:  # the policies may end a game before anybody outside has had a move
        lay_out(games.states, i, place, starts, x)
        at = play_on(games.states[i], x, place)


@jit
def do_action(games: Games, i: int, ids: Any, x: Scratch) -> None:
    """What is wanted in place i, or the default; then the policies play."""
    place = games.places[i]
    if place.id < 0 or place.id >= len(ids) or not games.masks[i, place.id]:
        place.illegal = True
        place.id = default_id(games.masks, i, ids)
    x.seed = place.streams[CHANCES]
    apply(games.states[i], ids[place.id].code)
    if play_on(games.states[i], x, place) == OVER:
        place.over = True
        for seat in range(len(place.prizes)):
            place.prizes[seat] = prize(games.states[i], seat)


@jit
def advance(games: Games, i: int, starts: Any, ids: Any, x: Scratch) -> None:
    """One step in place i, and what is legal then; where the game is over, the next one begins."""
    place = games.places[i]
    place.illegal = False
    for seat in range(len(place.prizes)):
        place.prizes[seat] = 0
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


@jit
def look(games: Games, i: int, eyes: Eyes, job: int, out: Any, row: int) -> None:
    """Write what each of the eyes sees in place i to the rows of `out` from `row` on."""
    first = 2 * job
    for e in range(len(eyes.seats)):
        seat, at = eyes.seats[e], first + (e > 0)
        if seat == ACTOR:
            seat = max(games.places[i].actor, 0)
        eyes.views[at] = games.states[i]
        hide(eyes.views[at], seat)
        if e:
            spread_difference(eyes.octets, first, eyes.plans, eyes.seats[0], seat, out, row, row + e)
        else:
            spread_one(eyes.octets, at, eyes.plans, seat, out, row)
        out[row + e, 0] = seat


@jit
def step_places(games: Games, some: Any, starts: Any, ids: Any, eyes: Eyes, xs: Any, job: int, out: Any) -> None:
    """`advance` and `look` in some of the places: those of ``some[k]`` see what is in the k-th rows of `out`."""
    for k in range(len(some)):
        advance(games, some[k], starts, ids, xs[job])
        look(games, some[k], eyes, job, out, k * len(eyes.seats))


@door
def judge_places(states: Any, xs: Any, job: int, some: Any, places: Any, potentials: Any) -> None:
    """Write what the evaluator gives every seat in some of the places to ``potentials[place, seat]``; 0 at the end."""
    x = xs[job]
    for k in range(len(some)):
        i = some[k]
        judged = 0 if places[i].over else value(states[i], x)
        for seat in range(potentials.shape[1]):
            potentials[i, seat] = x.values[seat] if judged else 0


@jit
def look_closer(views: Any, at: int, seat: int, x: Any, out: Any, row: int) -> None:
    """Write what the evaluator looks at (the verb `inputs`) in a view to ``out[row]``, the numbers of the observer first."""
    n, seats = inputs(views[at], x), out.shape[1]
    for k in range(seats):
        other = seat + k if seat + k < seats else seat + k - seats
        for j in range(n):
            out[row, k, j] = x.inputs[other * n + j]


@door
def describe_places(states: Any, views: Any, xs: Any, job: int, some: Any, places: Any, eyes: Any, out: Any) -> None:
    """`look_closer` for each of the eyes in some of the places: those of ``some[k]`` go to the k-th rows of `out`."""
    for k in range(len(some)):
        for e in range(len(eyes)):
            seat = max(places[some[k]].actor, 0) if eyes[e] == ACTOR else eyes[e]
            views[2 * job] = states[some[k]]
            hide(views[2 * job], seat)
            look_closer(views, 2 * job, seat, xs[job], out, k * len(eyes) + e)


def compiled_policies(here: Setting, bots: Sequence[Bot]) -> list[int] | None:
    """The policies of these bots, or None where the rules or one of the bots are not compiled."""
    policies = [bot.policy for bot in bots if bot.policy is not None]
    return None if here.game.is_plain or len(policies) < len(bots) else policies


def wanted_ids(actions: npt.ArrayLike, n: int) -> Numbers:
    """What is wanted in each place; -1 where it is not a whole number, and so not an id."""
    given = np.asarray(actions).reshape(n)
    return given.astype(np.int64) if given.dtype.kind in "iu" else np.full(n, -1)


def looked_up(table: ActionTable) -> States:
    """The ids of a table, a row of `Id` for each."""
    ids = structs(ID, len(table))
    ids["code"] = table.codes
    ids["ascending"], ids["number"] = np.sort(table.codes), np.argsort(table.codes)
    ids["default"] = -1
    ids["default"][: len(table.defaults)] = table.defaults
    return ids


def seated(here: Setting, tables: Sequence[Table], n: int) -> States:
    """`n` places without a game yet; place i has the table ``i % len(tables)``."""
    places = structs(place_struct(here.game.seats[1]), n)
    places["over"] = True
    for i, table in enumerate(tables):
        places["outside"][i :: len(tables)] = sum(1 << seat for seat, policy in enumerate(table) if policy is None)
        places["policies"][i :: len(tables), : here.seats] = [policy or 0 for policy in table]
    return places


def starts_of(here: Setting, series: int, n: int) -> States:
    """`n` positions where games begin, which depend on the series of the first place."""
    return concatenated([here.start(derive_seed(series, "start", i)) for i in range(n)])


class Places:
    """`n` places with a game each, or none yet; `jobs` threads may step some of them at once."""

    over: npt.NDArray[np.bool_]
    """``[place]`` whether its game is over, or none has begun."""
    illegal: npt.NDArray[np.bool_]
    """``[place]`` whether what was wanted was not legal."""
    actors: Numbers
    """``[place]`` who is to move, or `OVER`."""
    prizes: Numbers
    """``[place, seat]`` what the end is worth; 0 before."""
    ids: Numbers
    """``[place]`` the id that is wanted; after the step, that of what was done."""
    games: npt.NDArray[np.uint64]
    """``[place]`` how many games of its series have begun."""

    def __init__(self, here: Setting, tables: Sequence[Table], eyes: Sequence[int], n: int, jobs: int | None = None) -> None:
        """Place i has the table ``i % len(tables)``; `eyes` are the seats whose observations are written, or `ACTOR`."""
        game = here.game
        self.starts: States = game.room(0)
        """Where games begin: at any of these."""
        self.masks = np.zeros((n, len(here.actions)), np.int8)
        """``[place, id]`` 1 for what is legal for who is to move."""
        self.states = game.room(n)
        """``[place]`` the games themselves, with everything that is hidden."""
        self.here, self.eyes, self.jobs = here, list(eyes), jobs or os.cpu_count() or 1
        self._places = seated(here, tables, n)
        self._xs, self._views = game.scratches(self.jobs), game.room(2 * self.jobs)
        self._ids, self._threads = looked_up(here.actions), Threads(jobs)
        self._plans = np.stack([plan_of(here.layout, game.state, seat) for seat in range(here.seats)])
        self._look_inside()

    def _look_inside(self) -> None:
        """Arrays that share their memory with the structs; a copy has to make its own."""
        rows = np.asarray(self._places)
        self.over, self.illegal, self.ids = (rows[name] for name in ("over", "illegal", "id"))
        self.actors, self.prizes = rows["actor"], rows["prizes"][:, : self.here.seats]
        self._streams, self.games = rows["streams"], rows["streams"][:, GAMES]
        self._games = Games(self.states, self.masks, self._places)
        eyes, octets = integers(np.array(self.eyes, np.int64)), integers(octets_of(self._views))
        self._eyes = Eyes(eyes, integers(self._plans), self._views, octets)

    def __getstate__(self) -> dict[str, Any]:
        shared = ("over", "illegal", "actors", "prizes", "ids", "games", "_streams", "_games", "_eyes")
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

    def make_starts(self, n: int) -> None:
        """Let games begin at any of `n` positions, which depend on the series of the first place."""
        self.starts = starts_of(self.here, self.series(0), n)

    def room(self, n: int) -> Observations:
        """Room for what is seen in n places."""
        return np.empty((n, len(self.eyes), self.here.layout.size), np.int16)

    def step(self, some: Numbers, out: Observations | None = None) -> Observations:
        """A step in some of the places: ``[place of them, eye, number]`` what is seen then, in `out` or in new room.

        Where the game is over, the next one begins.
        """
        seen = self.room(len(some)) if out is None else out
        rows = seen.reshape(-1, self.here.layout.size)

        def step(part: slice, job: int) -> None:
            own = rows[part.start * len(self.eyes) : part.stop * len(self.eyes)]
            step_places(self._games, integers(some[part]), self.starts, self._ids, self._eyes, self._xs, job, own)

        self._spread(step, len(some))
        return seen

    def judge(self, some: Numbers, potentials: npt.NDArray[np.int64]) -> None:
        """Write what the evaluator says of some of the places to ``potentials[place, seat]``; 0 where the game is over."""

        def judge(part: slice, job: int) -> None:
            judge_places(self.states, self._xs, job, integers(some[part]), self._places, potentials)

        self._spread(judge, len(some))

    def describe(self, some: Numbers, out: Observations) -> None:
        """Write what the evaluator looks at in some of the places to ``out[place of them, eye, seat, number]``."""
        rows = out.reshape(-1, *out.shape[2:])

        def describe(part: slice, job: int) -> None:
            own = rows[part.start * len(self.eyes) : part.stop * len(self.eyes)]
            describe_places(self.states, self._views, self._xs, job, integers(some[part]), self._places, self._eyes.seats, own)

        self._spread(describe, len(some))

    def seen(self) -> Observations:
        """``[place, eye, number]`` what is seen now, without a step."""
        out = self.room(len(self.states))
        for e, eye in enumerate(self.eyes):
            seats = self.actors.clip(0) if eye == ACTOR else np.full(len(out), eye)
            for seat in np.unique(seats):
                out[seats == seat, e] = self.here.layout.observe(self.states[seats == seat], int(seat))
        return out

    def _spread(self, work: Callable[[slice, int], None], n: int) -> None:
        """Do some work for n places in as many threads as there are jobs; each has a scratch struct of its own."""
        size = max(1, -(-n // self.jobs))
        if n <= size:
            work(slice(0, n), 0)
            return
        parts = [slice(at, min(at + size, n)) for at in range(0, n, size)]
        for _ in self._threads.map(lambda part: work(part, part.start // size), parts):
            pass
