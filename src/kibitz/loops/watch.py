"""Thousands of compiled games under a guard, not much slower than without one.

A *watch* counts in compiled code how often the fingerprint of a state has come up. Once one has come up more often than
`max_repeats` times, the last lap is played once more on a copy and must lead back to exactly the same state. If every loop is a
draw, the game then ends there. By other rules it is broken off and played again from its start in Python, under the guard,
which finds out who can stop the loop and judges it. So the games are those that Python would play; where nothing goes round
they are the games without a guard, bit for bit.

>>> from kibitz.compute.local import series
>>> from kibitz.coup import GAME
>>> from kibitz.loops.config import MODELS
>>> watched = play(series(GAME, GAME.new(2, 0), 100, seed=1, policies=[0, 0]), MODELS["draw"])
>>> len(watched.batch.states), int(watched.drawn.sum())
(100, 0)
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.compute.local import NEVER, Batch, Games, Until, in_chunks
from kibitz.game import Game, States, copied, game_of
from kibitz.game.definition import as_structs, seat_policies
from kibitz.ground.jit import integers
from kibitz.loops.config import MODELS, Config
from kibitz.loops.drive import Ending, Guarded, Policies, position_of
from kibitz.loops.drive import play as drive
from kibitz.loops.guard import LoopGuard
from kibitz.loops.kernels import DRAWN, LOOPED, ROWS, redo, watch_range
from kibitz.loops.protocol import kept_parts

#: The most states of a game that a watch remembers; a longer game under a guard that never forgets is left to Python.
MOST_ROOM = 1 << 16


@dataclass(frozen=True)
class Watched:
    """Games that were played under a guard."""

    batch: Batch
    drawn: npt.NDArray[np.bool_]  # [game]
    """Which of them are draws by the loop rule."""
    looped: npt.NDArray[np.bool_]  # [game]
    """In which of them a loop was found."""


def play(
    games: Games,
    config: Config,
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
    until: Until = NEVER,
) -> Watched:
    """As `kibitz.compute.local.play`, under a guard; whoever is asked to declare a number of laps stops at once.

    Nothing but loops is looked for: no repetition of what is public, no progress.
    """
    n = len(games)
    states = games.game.room(n)
    tallies = np.zeros((n, games.game.seats[1]), np.int32)
    verdicts = np.zeros(n, np.int8)
    drawn, looped = np.zeros(n, np.bool_), np.zeros(n, np.bool_)

    def chunk(part: range) -> int:
        steps = _watch(games, states, tallies, verdicts, part.start, part.stop, config)
        for i in part:
            drawn[i] = looped[i] = verdicts[i] == DRAWN
            if verdicts[i] == LOOPED:
                drawn[i], looped[i], taken = _judge(games, states, tallies, i, config)
                steps += taken
        return steps

    steps, played = in_chunks(games, chunk, jobs, progress, until)
    if not played.all():
        states, tallies, drawn, looped = states[played], tallies[played], drawn[played], looped[played]
    return Watched(Batch(states, tallies, steps), drawn, looped)


def _watch(games: Games, states: Any, tallies: Any, verdicts: Any, first: int, last: int, config: Config) -> int:
    """Play some games in compiled code; how many steps those took that need not be judged."""
    if games.game.is_plain or config.action_limits:  # limits change a game long before anything is repeated
        verdicts[first:last] = LOOPED
        return 0
    xs = games.game.scratches()
    seat_policies(xs, games.policies)
    size = games.game.state.itemsize
    words = np.zeros((2, -(-size // 8)), np.uint64)
    one, two = (as_structs(row.view(np.uint8)[:size].view(games.game.state)) for row in words)
    window = config.window or 1 << 62
    room = 1 << (min(window, MOST_ROOM) - 1).bit_length()
    ring = integers(np.zeros((ROWS, room), np.int64))
    lists = games.starts, games.which, games.seeds, states, tallies, verdicts
    bits = integers(words), integers(_kept(games.game))
    # How old a state is in turns only the guard knows: what is too often for the watch may not be so for it.
    always_drawn = config.resolution == MODELS["draw"].resolution and config.max_age is None
    return int(watch_range(*lists, one, two, *bits, ring, xs, first, last, window, config.max_repeats, always_drawn))


def _judge(games: Games, states: Any, tallies: Any, i: int, config: Config) -> tuple[bool, bool, int]:
    """Play game i in Python under a guard: whether it is a draw, whether there was a loop, and its steps."""
    at = int(games.which[i])
    judged = play_judged(games.starts[at : at + 1], games.policies, int(games.seeds[i]), config)
    states[i] = games.starts[at]
    redo(states, tallies, i, integers(np.array(judged.codes, np.int64)), games.game.scratches())
    return judged.drawn, judged.looped, len(judged.codes)


class Judged(NamedTuple):
    """A game that was played in Python under a guard."""

    codes: tuple[int, ...]
    end: States
    looped: bool
    drawn: bool


def play_judged(start: States, policies: Sequence[int], seed: int, config: Config) -> Judged:
    """One game of policies step by step, under a guard of its own. `seed` is the seed of this very game."""
    end, hook, codes = copied(start[:1]), Guarded(LoopGuard(config)), list[int]()
    ending, _ = drive(position_of(end), Policies(game_of(start), policies, seed), hook, max_steps=1 << 62, told=codes.append)
    return Judged(tuple(codes), end, hook.loops > 0, ending == Ending.DRAW)


def _kept(game: Game) -> npt.NDArray[np.uint64]:
    """The bits of a state that are part of its key, as `StructGame` has it."""
    size = game.state.itemsize
    kept = np.zeros(size + -size % 8, np.uint8)
    for part in kept_parts(game.state, game.guarded.excluded):
        kept[part] = 0xFF
    return kept.view(np.uint64)
