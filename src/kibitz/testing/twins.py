"""`check_twin`: compiled rules and the same rules uncompiled, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from kibitz.game.definition import CHANCE, OVER, RANDOM, Game
from kibitz.game.doors import (
    actor_at,
    apply_at,
    decide_at,
    legal_actions,
    outcomes,
    redeal_at,
    score_at,
    seen_at,
    why_not_at,
)  # fmt: skip
from kibitz.game.verbs import choose, kind, moment, uncompiled
from kibitz.ground.jit import rows
from kibitz.ground.plain_states import PlainScratches, PlainStates
from kibitz.testing.games import MANY_STEPS, Start, scratch
from kibitz.testing.promises import CheckedPosition, facts, hidden, true_world


def check_twin(
    game: Game,
    seats: int,
    seed: int,
    policies: Sequence[int] = (),
    start: Start | None = None,
    endless: int = MANY_STEPS,
) -> int:
    """Play one game and compare every verb with its uncompiled twin at every step; how many steps were compared.

    Of a plain game the doors that Python uses are compared with the methods of its states. Raises `BrokenPromise`.
    """
    policies = policies or [RANDOM] * seats
    states = start(seed) if start else game.new(seats, seed)
    xs, twins = scratch(game, seed, policies), uncompiled(game)
    plain_states, plain_xs = _twin(states.copy()), _twin(scratch(game, seed, policies))
    step = 0
    while actor_at(states, 0) != OVER and step < endless:
        position = CheckedPosition(game, states, seats, seed, step)
        pair = _Pair(position, twins, plain_states, plain_xs, xs)
        pair.check_choice()
        for seat in range(seats):
            pair.check_hidden(seat)
        action = int(decide_at(states, 0, xs, 0))
        for seat in range(seats):
            pair.same(f"seen for seat {seat}", twins.seen(plain_states[0], action, seat), seen_at(states, 0, action, seat))
        apply_at(states, 0, action)
        twins.apply(plain_states[0], action)
        pair.same("apply", facts(plain_states), facts(states))
        plain_xs["random"] = int(xs["random"][0])
        step += 1
    pair = _Pair(CheckedPosition(game, states, seats, seed, step), twins, plain_states, plain_xs, xs)
    pair.same("actor", twins.actor(plain_states[0]), actor_at(states, 0))
    for seat in range(seats):
        pair.same("score", twins.score(plain_states[0], seat), score_at(states, 0, seat))
    return step


def _twin(array: Any) -> Any:
    """An array as uncompiled verbs want it."""
    return array if isinstance(array, PlainStates | PlainScratches) else rows(np.asarray(array))


class _Pair:
    """A position and its uncompiled twin."""

    def __init__(self, position: CheckedPosition, twins: Any, plain_states: Any, plain_xs: Any, xs: Any) -> None:
        self.position, self.twins, self.plain_states, self.plain_xs, self.xs = position, twins, plain_states, plain_xs, xs

    def same(self, verb: str, plain: Any, compiled: Any) -> None:
        """Both must say the same."""
        shown = "" if isinstance(plain, bytes) else f": {plain} and {compiled}"
        self.position.demand(plain == compiled, f"{verb}: the plain rules and the compiled ones differ{shown}"[:200])

    def check_choice(self) -> None:
        """Whose move it is, what may be done, what may not, and what policies do."""
        game, states, actor = self.position.game, self.position.states, self.position.actor
        s, x, twins = self.plain_states[0], self.plain_xs[0], self.twins
        self.same("actor", twins.actor(s), actor)
        self.same("kind", twins.kind(s), kind(states[0]))
        n = twins.weights(s, x) if actor == CHANCE else twins.legal(s, x)
        actions = legal_actions(states)
        self.same("weights" if actor == CHANCE else "legal", [int(a) for a in x.actions[:n]], actions)
        if actor == CHANCE:
            self.same("moment", twins.moment(s), moment(states[0]))
            weights = [int(w) for w in x.weights[:n]]
            self.same("weights", [Fraction(w, sum(weights)) for w in weights], [p for _, p in outcomes(states)])
        else:
            for name, policy in game.policies.items():
                if policy != RANDOM:
                    self.same(f"choose ({name})", twins.choose(s, x, policy), choose(states[0], self.xs[0], policy))
        for a in (-1, *actions, *(a + 1 for a in actions), 2**31 - 1):
            self.same(f"why_not of {a}", twins.why_not(s, a), why_not_at(states, 0, a))

    def check_hidden(self, seat: int) -> None:
        """The verbs about hidden things, for a seat; both sides draw the same random world."""
        game, states, twins = self.position.game, self.position.states, self.twins
        view = self.plain_states.copy()
        twins.hide(view[0], seat)
        self.same("hide", facts(view), facts(hidden(states, seat)))
        world, plain_world = states.copy(), self.plain_states.copy()
        redeal_at(world, 0, self.xs, 0, seat)
        twins.redeal(plain_world[0], self.plain_xs[0], seat)
        self.same("redeal", facts(plain_world), facts(world))
        self.same("redeal's random numbers", int(self.plain_xs["random"][0]), int(self.xs["random"][0]))
        peeked: Any = [game.world()] if game.is_plain else rows(np.zeros(1, game.world))
        twins.peek(plain_world[0], peeked[0])
        found = true_world(game, world)
        self.same("peek", *((peeked[0].exact(), found[0].exact()) if game.is_plain else (peeked.tobytes(), found.tobytes())))
        twins.deal(view[0], peeked[0])
        self.same("deal", facts(view), facts(world))
