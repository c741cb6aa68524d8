"""The compiled part of `kibitz.loops.watch`: games in which every state is observed, and laps that are played once more.

It imports nothing of the guard, so that an edit there recompiles nothing.
"""

from typing import Any

from kibitz.game import CHANCE, OVER
from kibitz.game.doors import door
from kibitz.game.drivers import begin, decide, do
from kibitz.game.verbs import actor, apply, why_not
from kibitz.ground.jit import int64, jit, uint64

#: What is found in a game: nothing, a loop that is to be judged, a draw.
NO_LOOP, LOOPED, DRAWN = 0, 1, 2
#: What is kept of an observation.
FINGERPRINT, LINK, TIMES, HEAD, BEFORE, CODE = 0, 1, 2, 3, 4, 5
ROWS = 6
_MASK = 0xFFFFFFFFFFFFFFFF


def _fingerprint_plain(words: Any, kept: Any) -> int:
    h = 0
    for i in range(len(words)):
        h = ((h ^ (words[i] & kept[i])) * 0x9E3779B97F4A7C15) & _MASK
        h ^= h >> 29
    return h >> 1


@jit(twin=_fingerprint_plain)
def fingerprint(words: Any, kept: Any) -> int:
    """63 bits that stand for the state that lies in `words`, as far as its bits are `kept`."""
    h = uint64(0)
    for i in range(len(words)):
        h = (h ^ (words[i] & kept[i])) * uint64(0x9E3779B97F4A7C15)
        h ^= h >> uint64(29)
    return int64(h >> uint64(1))


@jit
def times_seen(ring: Any, h: int, now: int, oldest: int, code: int) -> int:
    """Observe the state with fingerprint `h`, to which `code` led, as number `now`: how often it was seen since `oldest`.

    ``ring[row, number & mask]`` holds what the names of the rows say; `HEAD`, by bucket, the latest observation. A link to one
    before `oldest` is the end of a chain, so that nothing has to be deleted, not even between games (`kibitz.loops.memory` does
    the same).
    """
    mask = ring.shape[1] - 1
    bucket = h & mask
    times = 1
    at = ring[HEAD, bucket]
    while at >= oldest:
        if ring[FINGERPRINT, at & mask] == h:
            times = ring[TIMES, at & mask] + 1
            break
        at = ring[LINK, at & mask]
    i = now & mask
    ring[FINGERPRINT, i] = h
    ring[LINK, i] = ring[HEAD, bucket]
    ring[TIMES, i] = times
    ring[BEFORE, i] = at
    ring[CODE, i] = code
    ring[HEAD, bucket] = now
    return times


@jit
def comes_back(one: Any, two: Any, words: Any, kept: Any, ring: Any, now: int) -> int:
    """Play the lap that led to observation `now` once more, in ``two[0]``: `LOOPED` if it leads back to ``one[0]``.

    `DRAWN` if chance has no part in it either: then only a player can end it.
    """
    mask = ring.shape[1] - 1
    two[0] = one[0]
    s = two[0]
    found = DRAWN
    for number in range(ring[BEFORE, now & mask] + 1, now + 1):
        code = ring[CODE, number & mask]
        if actor(s) == OVER or why_not(s, code) != 0:
            return NO_LOOP
        if actor(s) == CHANCE:
            found = LOOPED
        apply(s, code)
    for i in range(len(kept)):
        if words[0, i] & kept[i] != words[1, i] & kept[i]:
            return NO_LOOP
    return found


@jit
def look(one: Any, two: Any, words: Any, kept: Any, ring: Any, now: int, oldest: int, code: int, max_repeats: int) -> int:
    """Observe ``one[0]``: whether it is part of a loop.

    A lap that cannot be repeated is not a loop, as with the guard; if the state comes up once more all the same, the guard
    has to look.
    """
    times = times_seen(ring, fingerprint(words[0], kept), now, oldest, code)
    if times <= max_repeats:
        return NO_LOOP
    found = comes_back(one, two, words, kept, ring, now)
    return LOOPED if found == NO_LOOP and times > max_repeats + 1 else found


@jit
def watch_range(
    starts: Any,
    which: Any,
    seeds: Any,
    states: Any,
    tallies: Any,
    verdicts: Any,
    one: Any,
    two: Any,
    words: Any,
    kept: Any,
    ring: Any,
    xs: Any,
    first: int,
    last: int,
    window: int,
    max_repeats: int,
    always_drawn: bool,
) -> int:
    """As `kibitz.game.doors.play_range`, but a game is broken off where it goes round, and ``verdicts[i]`` says so.

    With `always_drawn` it ends there, unless chance can end the loop; other loops have to be judged. The game under way lies in
    ``one[0]``, a lap that is played again in ``two[0]``: the same memory as ``words[0]`` and ``words[1]``.
    """
    room = ring.shape[1]
    x = xs[0]
    steps = 0
    now = 0
    for i in range(first, last):
        one[0] = starts[which[i]]
        begin(x, seeds[i])
        s = one[0]
        code = 0
        begun = now + 1
        while True:
            now += 1
            found = look(one, two, words, kept, ring, now, max(begun, now - window), code, max_repeats)
            if now - begun >= room and window > room:  # what came before is overwritten, but a guard would remember it
                found = LOOPED
            seat = actor(s)
            if found != NO_LOOP or seat == OVER:
                break
            code = decide(s, x, seat)
            do(s, x, code)
        verdicts[i] = found if always_drawn else min(found, LOOPED)
        if verdicts[i] != LOOPED:
            steps += now - begun
            states[i] = one[0]
            for k in range(len(x.tally)):
                tallies[i, k] = x.tally[k]
    return steps


@door
def redo(states: Any, tallies: Any, i: int, codes: Any, xs: Any) -> None:
    """Do some actions in ``states[i]``, and count what they count."""
    x = xs[0]
    for k in range(len(codes)):
        do(states[i], x, codes[k])
    for k in range(len(x.tally)):
        tallies[i, k] = x.tally[k]
