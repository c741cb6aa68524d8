"""The doors by which Python comes to compiled code: verbs and drivers of ``states[i]``; and what any states tell.

An array and an index are handed over, since handing over a struct itself costs ten times as much.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

from kibitz.game.definition import CHANCE, OVER, SPECTATOR, States, copied
from kibitz.game.drivers import begin, decide, perceived, play_out
from kibitz.game.verbs import (
    actor, apply, deal, game_of, hide, legal, peek, redeal, score, seats_of, seen, sensible, weights,
    why_not,
)  # fmt: skip
from kibitz.ground.jit import COMPILED, Ints, jit, plain
from kibitz.ground.plain_states import PlainScratches, PlainStates
from kibitz.ground.rng import child, reseed

P = ParamSpec("P")
R = TypeVar("R")


def _for_plain(argument: Any) -> Any:
    """Numbers as Python's own, which do not overflow."""
    if isinstance(argument, np.integer):
        return int(argument)
    return argument.view(Ints) if type(argument) is np.ndarray and argument.dtype.kind in "iu" else argument


def door(f: Callable[P, R]) -> Callable[P, R]:
    """Compile `f` for Python's use; states or scratch structs of a plain game are left to its uncompiled twin."""
    compiled: Any = jit(f)
    if not COMPILED:
        return compiled  # type: ignore[no-any-return]

    @wraps(f)
    def enter(*args: P.args, **kwargs: P.kwargs) -> R:
        if type(args[0]) is PlainStates or type(args[0]) is PlainScratches:
            return plain(compiled)(*map(_for_plain, args), **kwargs)  # type: ignore[no-any-return]
        return compiled(*args, **kwargs)  # type: ignore[no-any-return]

    enter.py_func = f  # type: ignore[attr-defined]
    return enter


@door
def actor_at(states: Any, i: int) -> int:
    """`actor` of ``states[i]``."""
    return actor(states[i])


@door
def legal_at(states: Any, i: int, xs: Any, j: int) -> int:
    """`legal` of ``states[i]`` into ``xs[j]``."""
    return legal(states[i], xs[j])


@door
def sensible_at(states: Any, i: int, xs: Any, j: int) -> int:
    """`sensible` of ``states[i]`` into ``xs[j]``."""
    return sensible(states[i], xs[j])


@door
def weights_at(states: Any, i: int, xs: Any, j: int) -> int:
    """`weights` of ``states[i]`` into ``xs[j]``."""
    return weights(states[i], xs[j])


@door
def why_not_at(states: Any, i: int, a: int) -> int:
    """`why_not` of ``states[i]``."""
    return why_not(states[i], a)


@door
def apply_at(states: Any, i: int, a: int) -> None:
    """`apply` to ``states[i]``."""
    apply(states[i], a)


@door
def decide_at(states: Any, i: int, xs: Any, j: int) -> int:
    """`decide` for ``states[i]``, which must not be over."""
    return decide(states[i], xs[j], actor(states[i]))


@door
def seen_at(states: Any, i: int, a: int, seat: int) -> int:
    """`seen` of ``states[i]``."""
    return seen(states[i], a, seat)


@door
def perceived_at(states: Any, i: int, a: int, seat: int) -> int:
    """`perceived` of ``states[i]``."""
    return perceived(states[i], a, seat)


@door
def hide_at(states: Any, i: int, seat: int) -> None:
    """`hide` in ``states[i]``."""
    hide(states[i], seat)


def hidden_from(states: States, seat: int) -> States:
    """What a seat may know of all these states: copies in which everything else is blank."""
    views = copied(states)
    for i in range(len(views)):
        hide_at(views, i, seat)
    return views


@door
def peek_at(states: Any, i: int, worlds: Any, j: int) -> None:
    """`peek` of ``states[i]`` into ``worlds[j]``."""
    peek(states[i], worlds[j])


@door
def deal_at(states: Any, i: int, worlds: Any, j: int) -> None:
    """`deal` of ``worlds[j]`` into ``states[i]``."""
    deal(states[i], worlds[j])


@door
def redeal_at(states: Any, i: int, xs: Any, j: int, seat: int) -> None:
    """`redeal` in ``states[i]``."""
    redeal(states[i], xs[j], seat)


@door
def deal_all(states: Any, worlds: Any) -> None:
    """`deal` of ``worlds[i]`` into ``states[i]``, for all."""
    for i in range(len(states)):
        deal(states[i], worlds[i])


@door
def redeal_all(states: Any, xs: Any, seat: int, seed: int) -> None:
    """`redeal` in all states; what comes of number i depends on `seed` and i alone."""
    for i in range(len(states)):
        reseed(xs[0], child(seed, i))
        redeal(states[i], xs[0], seat)


@door
def score_at(states: Any, i: int, seat: int) -> int:
    """`score` of ``states[i]``."""
    return score(states[i], seat)


@door
def reseed_at(xs: Any, j: int, seed: int) -> None:
    """`kibitz.ground.rng.reseed` of ``xs[j]``."""
    reseed(xs[j], seed)


@jit
def number_seeds(seeds: Any, seed: int, number: int) -> None:
    """The seeds of the games `number`, ``number + 1``, ... of a series: ``child(seed, number)`` and so on."""
    for i in range(len(seeds)):
        seeds[i] = child(seed, number + i)


@door
def play_range(
    starts: Any, which: Any, seeds: Any, states: Any, tallies: Any, lucks: Any, xs: Any, j: int, first: int, last: int
) -> int:
    """Games `first` to `last - 1` of a list to their ends in ``states``, with their tallies and luck; how many steps they took.

    Game i begins at ``starts[which[i]]`` with the seed ``seeds[i]`` and depends on nothing else.
    """
    steps = 0
    x = xs[j]
    for i in range(first, last):
        states[i] = starts[which[i]]
        begin(x, seeds[i])
        steps += play_out(states[i], x)
        for seat in range(len(x.tally)):
            tallies[i, seat] = x.tally[seat]
            lucks[i, seat] = x.luck[seat]
    return steps


@door
def score_all(states: Any, scores: Any) -> None:
    """The `score` of every seat in every state, into ``scores[state, seat]``."""
    for i in range(len(scores)):
        for seat in range(scores.shape[1]):
            scores[i, seat] = score(states[i], seat)


def outcomes(states: States, i: int = 0) -> list[tuple[int, Fraction]]:
    """The outcomes of the chance event in ``states[i]`` with their exact probabilities.

    >>> from kibitz.examples import kuhn
    >>> outcomes(kuhn.GAME.new(2, 0))
    [(2, Fraction(1, 3)), (3, Fraction(1, 3)), (4, Fraction(1, 3))]
    """
    xs = game_of(states).scratches()
    n = weights_at(states, i, xs, 0)
    actions, counts = _written(xs, "actions", n), _written(xs, "weights", n)
    return [(a, Fraction(w, sum(counts))) for a, w in zip(actions, counts, strict=True)]


def legal_actions(states: States, i: int = 0) -> list[int]:
    """The legal actions in ``states[i]``, ascending; at a chance event its outcomes, at the end none."""
    xs = game_of(states).scratches()
    seat = actor_at(states, i)
    if seat == OVER:
        return []
    n = weights_at(states, i, xs, 0) if seat == CHANCE else legal_at(states, i, xs, 0)
    return _written(xs, "actions", n)


def sensible_actions(states: States, i: int = 0) -> list[int]:
    """The actions in ``states[i]`` that a search should try, ascending; a player is to move."""
    xs = game_of(states).scratches()
    n = sensible_at(states, i, xs, 0)
    return _written(xs, "actions", n)


def _written(xs: Any, name: str, n: int) -> list[int]:
    """The first numbers of a field of ``xs[0]``."""
    return [int(number) for number in xs[name][0][:n]]


def counts_turns(states: States) -> bool:
    """Whether these states, of any game, tell the number of their turn."""
    return game_of(states).max_turns > 0 if isinstance(states, PlainStates) else "turn" in (states.dtype.names or ())


def turns_of(states: States) -> npt.NDArray[np.int64]:
    """``[state]`` the number of the turn, which any game may have as a field or an attribute; 0 where it has none."""
    found = _told(states, "turn")
    return np.zeros(len(states), np.int64) if found is None else found


def winners_of(states: States, scores: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """``[state]`` who has won: what the game says, else the one seat with the highest of ``scores[state, seat]``; or -1."""
    found = _told(states, "winner")
    best = scores == scores.max(axis=1, keepdims=True)
    return np.where(best.sum(axis=1) == 1, best.argmax(axis=1), SPECTATOR) if found is None else found


def turn_of(states: States) -> int:
    """The number of the turn in ``states[0]``; 0 where the game does not count them."""
    return int(turns_of(states[:1])[0])


def winner_of(states: States) -> int:
    """Who has won in ``states[0]``, or -1: nobody has before the end."""
    if actor_at(states, 0) != OVER:
        return SPECTATOR
    scores = np.zeros((1, seats_of(states)), np.int64)
    score_all(states[:1], scores)
    return int(winners_of(states[:1], scores)[0])


def _told(states: States, name: str) -> npt.NDArray[np.int64] | None:
    """A number that states may tell: a field of structs, an attribute or a method of objects."""
    if not isinstance(states, PlainStates):
        return np.asarray(states)[name].astype(np.int64) if name in (states.dtype.names or ()) else None
    if not all(hasattr(state, name) for state in states):
        return None
    found = [getattr(state, name) for state in states]
    return np.array([value() if callable(value) else value for value in found], np.int64)
