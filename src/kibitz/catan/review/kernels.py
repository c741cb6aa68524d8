"""The compiled part of a review: what positions and moves are worth by the evaluator, and how a game goes on after a move.

Everything is in the evaluator's integers, of which `kibitz.game.evaluator.SURE` stand for a sure win.
"""

from typing import Any

from kibitz.catan.core.builder_policy import choose_builder
from kibitz.catan.core.evaluator import value
from kibitz.catan.core.habits import EVOLVED
from kibitz.catan.core.state import GAME_OVER, TURN_START, CatanState, Notes
from kibitz.catan.core.verbs import actor, apply, weights
from kibitz.game import CHANCE
from kibitz.game.drivers import draw
from kibitz.ground.jit import jit
from kibitz.ground.rng import child, reseed


@jit
def play_until(s: CatanState, x: Notes, turn: int) -> None:
    """Let everybody play as `builder` until the beginning of a turn (or the end of the game)."""
    while s.phase != GAME_OVER and (s.turn < turn or s.phase != TURN_START):
        seat = actor(s)
        apply(s, draw(s, x) if seat == CHANCE else choose_builder(s, x, seat, EVOLVED))


@jit
def worth_all(states: Any, room: Any, xs: Any, found: Any) -> None:
    """``found[state, seat]``: every seat's chance to win by the evaluator; at a chance event the mean over what may happen.

    The mean is rounded down. No chance event follows another one directly.
    """
    x = xs[0]
    for k in range(len(found)):
        s = states[k]
        if actor(s) != CHANCE:
            value(s, x)
            for seat in range(found.shape[1]):
                found[k, seat] = x.values[seat]
        else:
            total = 0
            n = weights(s, x)
            for i in range(n):
                total += x.weights[i]
            for i in range(n):
                weights(s, x)  # the scratch struct is the evaluator's, too
                a, weight = x.actions[i], x.weights[i]
                room[0] = s
                apply(room[0], a)
                value(room[0], x)
                for seat in range(found.shape[1]):
                    found[k, seat] += weight * x.values[seat]
            for seat in range(found.shape[1]):
                found[k, seat] = found[k, seat] // total


@jit
def try_moves(worlds: Any, moves: Any, room: Any, xs: Any, seat: int, turn: int, seed: int, found: Any) -> None:
    """``found[world, move]``: what each move is worth to a seat, by the evaluator, when a later turn begins.

    Until then all play as `builder`. In one world all moves meet the same dice and cards.
    """
    x = xs[0]
    for i in range(found.shape[0]):
        for j in range(found.shape[1]):
            reseed(x, child(seed, i))
            room[0] = worlds[i]
            apply(room[0], moves[j])
            play_until(room[0], x, turn)
            value(room[0], x)
            found[i, j] = x.values[seat]


@jit
def follow_move(worlds: Any, move: int, turns: Any, seen: Any, xs: Any, seed: int) -> None:
    """``seen[world * len(turns) + k]``: the position when turn ``turns[k]`` begins, after a move and with `builder`."""
    x = xs[0]
    for i in range(len(worlds)):
        reseed(x, child(seed, i))
        at = i * len(turns)
        seen[at] = worlds[i]
        apply(seen[at], move)
        play_until(seen[at], x, turns[0])
        for k in range(1, len(turns)):
            seen[at + k] = seen[at + k - 1]
            play_until(seen[at + k], x, turns[k])


@jit
def line_after(worlds: Any, i: int, move: int, turn: int, room: Any, xs: Any, seed: int, codes: Any) -> int:
    """What is done in ``worlds[i]`` from a move to the beginning of a later turn, into `codes`; how many steps that takes."""
    x = xs[0]
    reseed(x, child(seed, i))
    room[0] = worlds[i]
    s = room[0]
    steps, a = 0, move
    while steps < len(codes):
        codes[steps] = a
        apply(s, a)
        steps += 1
        if s.phase == GAME_OVER or (s.turn >= turn and s.phase == TURN_START):
            break
        seat = actor(s)
        a = draw(s, x) if seat == CHANCE else choose_builder(s, x, seat, EVOLVED)
    return steps
