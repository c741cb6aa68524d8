"""The compiled parts of the adapters: a step in many games at once, and observations out of the bytes of structs."""

from __future__ import annotations

from typing import Any

from kibitz.game import CHANCE, OVER, Scratch, actor, apply, decide, door, hide, legal, prize
from kibitz.ground.jit import Grid, Vector, int64, jit, uint64
from kibitz.ground.rng import below, child, reseed, word_number

#: What ``streams[place]`` holds: the seed of its series of games, how many of them have begun, the seed of chance in this one,
#: and from here on the random state of each player.
SERIES, GAMES, CHANCES, PLAYERS = range(4)
#: What hangs on the seed of a game (see `kibitz.play.match.Table`): its players; and the choice of where it begins.
PLAYER, START = word_number("player"), word_number("start")


@jit
def play_on(s: Any, x: Scratch, seat: int, streams: Any, i: int) -> int:
    """Let chance and the others play until it is the move of `seat` or the game is over; each draws from its own stream."""
    at = actor(s)
    while at != OVER and at != seat:
        if at != CHANCE:
            x.random = streams[i, PLAYERS + at]
        apply(s, decide(s, x, at))
        if at != CHANCE:
            streams[i, PLAYERS + at] = x.random
        at = actor(s)
    return at


@jit
def id_of(codes: Vector, ids: Vector, code: int) -> int:
    """The id of a code: `codes` are in ascending order, `ids` in the same."""
    low, high = 0, len(codes) - 1
    while low < high:
        middle = (low + high) // 2
        if codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    return ids[low]


@jit
def default_id(masks: Grid, i: int, defaults: Vector) -> int:
    """What place i does instead of an illegal action (see `kibitz.adapters.actions.ActionTable.default`)."""
    for j in range(len(defaults)):
        if masks[i, defaults[j]]:
            return defaults[j]
    a = 0
    while not masks[i, a]:
        a += 1
    return a


@jit
def begin_game(states: Any, i: int, starts: Any, streams: Any, x: Scratch, seat: int) -> None:
    """The next game of place i, with the seeds that `kibitz.adapters.gym.SeatEnv` and its table give to their games."""
    at = OVER
    while at == OVER:  # the others may end a game before the seat has had a move
        seed = child(streams[i, SERIES], int64(streams[i, GAMES]))
        streams[i, GAMES] += uint64(1)
        streams[i, CHANCES] = seed
        x.random = child(seed, START)
        states[i] = starts[below(x, len(starts))]
        for player in range(streams.shape[1] - PLAYERS):
            reseed(x, child(child(seed, PLAYER), player))
            streams[i, PLAYERS + player] = x.random
        x.seed = seed
        at = play_on(states[i], x, seat, streams, i)


@jit
def spread_one(octets: Any, i: int, plan: Any, out: Any, k: int) -> None:
    """Write the fields of struct i, given as ``octets[i, byte]``, to ``out[k]``, as `plan` says.

    ``plan[field]`` says where a field begins and in `out` goes to, how many numbers it has, of how many bytes, and, if they are
    masks, of how many bits.
    """
    for f in range(len(plan)):
        offset, at, count, width, bits = plan[f, 0], plan[f, 1], plan[f, 2], plan[f, 3], plan[f, 4]
        for _ in range(count):
            value = int64(octets[i, offset + width - 1])
            value -= 256 * (value >> 7)
            for byte in range(width - 1):
                value = 256 * value + octets[i, offset + width - 2 - byte]
            if bits:
                for bit in range(bits):
                    out[k, uint64(at) + uint64(bit)] = value >> bit & 1  # unsigned: no check for an index below 0
                at += bits
            else:
                out[k, at] = value
                at += 1
            offset += width


@door
def spread(octets: Any, plan: Any, out: Any) -> None:
    """`spread_one` of each struct into the same row."""
    for i in range(len(octets)):
        spread_one(octets, i, plan, out, i)


@door
def step_places(
    states: Any, starts: Any, views: Any, octets: Any, streams: Any, xs: Any, j: int, seat: int, codes: Any, ascending: Any,
    ids: Any, defaults: Any, plan: Any, actions: Any, masks: Any, prizes: Any, over: Any, illegal: Any, out: Any, places: Any,
    first: int, last: int,
) -> None:  # fmt: skip
    """One step in the places ``places[first:last]``: where the game is over, the next one begins.

    What the seat then sees in ``places[k]`` is written to ``out[k]``; `octets` are the bytes of `views`.
    """
    x = xs[j]
    for k in range(first, last):
        i = places[k]
        illegal[i] = 0
        prizes[i] = 0
        if over[i]:
            begin_game(states, i, starts, streams, x, seat)
            over[i] = 0
        else:
            x.seed = streams[i, CHANCES]
            a = actions[i]
            if a < 0 or a >= len(codes) or not masks[i, a]:
                illegal[i] = 1
                a = default_id(masks, i, defaults)
                actions[i] = a
            apply(states[i], codes[a])
            if play_on(states[i], x, seat, streams, i) == OVER:
                over[i] = 1
                prizes[i] = prize(states[i], seat)
        for a in range(len(codes)):
            masks[i, a] = 0
        if not over[i]:
            for m in range(legal(states[i], x)):
                masks[i, id_of(ascending, ids, x.actions[m])] = 1
        views[i] = states[i]
        hide(views[i], seat)
        out[k, 0] = seat
        spread_one(octets, i, plan, out, k)
