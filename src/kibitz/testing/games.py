"""Whole games in which every position keeps every promise (`check_game`), or agrees with its uncompiled twin (`check_twin`)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from kibitz.game import CHANCE, OVER, RANDOM, Game, States, copied, legal_actions, outcomes, score_at, seen_at, why_not_at
from kibitz.game.definition import exact, seat_policies
from kibitz.game.doors import actor_at, apply_at, decide_at, hidden_from, perceived_at, redeal_at, reseed_at
from kibitz.game.verbs import choose, kind, lacking, moment, uncompiled, value
from kibitz.ground.jit import rows, uint64
from kibitz.ground.plain_states import PlainScratches, PlainStates
from kibitz.testing.promises import BrokenPromise, CheckedPosition, applied, true_world

#: No game that is checked is longer: one that is has no end.
MANY_STEPS = 100_000
#: Every so many steps a random world of every seat is played to its end.
WORLD_ENDS = 200
#: Every so many steps the evaluator is compared with its plain twin, and a policy that asks it often.
NOW_AND_THEN, SELDOM = 8, 60
#: How many worlds go along with the true one for each seat.
SHADOWS = 2

Start = Callable[[int], States]


def check_game(
    game: Game,
    seats: int,
    seeds: Iterable[int],
    policies: Sequence[int] = (),
    start: Start | None = None,
    endless: int | None = None,
    also: Callable[[States], None] = lambda states: None,
    forgetful: bool = False,
) -> int:
    """Play one game for each seed and check every promise at every step; how many steps were checked.

    `policies` sit at the table (random players by default), `start` makes the first position (``game.new`` by default).
    Games that loops may keep from ending, where no guard watches them, are left after `endless` steps. `also` is what else a
    game promises; it is asked of every position, and of every world that could be the true one. Raises `BrokenPromise`.

    Whatever a seat learns must be in a label (`CheckedPosition.check_perceived`). That is checked in worlds in which the seat
    has perceived the same since the start, and in random ones that look the same now. Where views are `forgetful`, leaving
    out what everybody noticed earlier (that a player knows the next cards of a deck, say), the latter do not count.

    >>> from kibitz.examples import kuhn
    >>> check_game(kuhn.GAME, seats=2, seeds=range(10)) >= 40
    True
    """
    if missing := lacking(game.rules):
        raise TypeError(f"{game.name}: the rules lack {', '.join(missing)}")
    if not game.seats[0] <= seats <= game.seats[1]:
        raise ValueError(f"{seats} seats: {game.name} declares {game.seats[0]} to {game.seats[1]}")
    names: dict[int, str] = {}
    steps = 0
    for seed in seeds:
        states = start(seed) if start else game.new(seats, seed)
        steps += _Play(game, seats, seed, policies or [RANDOM] * seats, states, names, forgetful).check(endless, also)
    return steps


def scratch(game: Game, seed: int, policies: Sequence[int] = ()) -> Any:
    """A seeded scratch struct with these policies at the table."""
    xs = game.scratches()
    seat_policies(xs, policies)
    reseed_at(xs, 0, uint64(seed))
    return xs


@contextmanager
def _noted(position: CheckedPosition) -> Iterator[None]:
    """Whatever else goes wrong says where it was met."""
    try:
        yield
    except BrokenPromise:
        raise
    except Exception as error:
        error.add_note(f"while checking {position.game.name}, seed {position.seed}, step {position.step}")
        raise


@dataclass
class _Play:
    """One game that is checked from its first position to its end."""

    game: Game
    seats: int
    seed: int
    policies: Sequence[int]
    states: States
    names: dict[int, str]
    forgetful: bool

    def __post_init__(self) -> None:
        self.xs, self.players = scratch(self.game, self.seed), scratch(self.game, self.seed, self.policies)
        self.moments: set[int] = set()
        #: For each seat worlds that it cannot tell from the true one: it has perceived the same since the start.
        self.shadows = [[copied(self.states) for _ in range(SHADOWS)] for _ in range(self.seats)]

    def check(self, endless: int | None, also: Callable[[States], None]) -> int:
        """Play on to the end, or for so many steps; how many there were."""
        start, step = copied(self.states), 0
        played: list[str] = []
        worlds: list[tuple[CheckedPosition, States]] = []
        for step in range(endless or MANY_STEPS):
            position = CheckedPosition(self.game, self.states, self.seats, self.seed, step, self.names)
            with _noted(position):
                alike = self._check_position(position, also)
                if position.actor == OVER:
                    position.check_end()
                    position.check_replay(start, played)
                    break
                action = int(decide_at(self.states, 0, self.players, 0))
                self._check_step(position, action, alike)
                if step % WORLD_ENDS == 0 and endless is None:
                    worlds += [(position, copied(some[-1])) for some in alike]
                self._shadow(position, action)
                played.append(self.names[action])
                apply_at(self.states, 0, action)
        else:
            position.demand(endless is not None, f"no end after {MANY_STEPS:,} steps")
            return step + 1
        for position, world in worlds:
            self._check_world_ends(position, world)
        return step

    def _check_position(self, position: CheckedPosition, also: Callable[[States], None]) -> list[list[States]]:
        """What is promised about a position itself; for each seat, worlds that it cannot tell from this one."""
        position.check_actor()
        also(self.states)
        position.check_names(position.check_legal())
        position.check_files()
        alike = []
        for seat in range(self.seats):
            position.check_hiding(seat)
            worlds = position.check_worlds(seat, self.xs)
            for world in worlds:
                also(world)
            alike.append(self.shadows[seat] if self.forgetful else [*self.shadows[seat], *worlds])
        return alike

    def _check_step(self, position: CheckedPosition, action: int, alike: Sequence[Sequence[States]]) -> None:
        """What is promised about the next step."""
        actions = legal_actions(self.states)
        position.demand(action in actions, "a policy chooses what is not legal", max(position.actor, 0), action)
        position.check_copies(action)
        if position.actor == CHANCE:
            position.check_chance()
            if len(actions) > 1:  # what happens depends on the seed and on the number of the chance event alone
                at = moment(self.states[0])
                position.demand(at not in self.moments, f"moment says {at}, as at an earlier chance event of this game")
                self.moments.add(at)
        else:
            position.check_own_actions(actions)
        for seat in range(self.seats):
            position.check_perceived(seat, alike[seat], action)

    def _check_world_ends(self, position: CheckedPosition, world: States) -> None:
        """A world that could be the true one is a position like any other: it can be played to its end."""
        with _noted(position):
            for _ in range(MANY_STEPS):
                if actor_at(world, 0) == OVER:
                    CheckedPosition(self.game, world, self.seats, self.seed, position.step).check_end()
                    return
                apply_at(world, 0, int(decide_at(world, 0, self.players, 0)))
            position.demand(False, f"no end after {MANY_STEPS:,} steps from a world that could be the true one")

    def _shadow(self, position: CheckedPosition, action: int) -> None:
        """In each shadow do something that its seat perceives as it does the true `action`; the views must stay the same.

        A shadow in which there is no such thing is left; another begins at the true position.
        """
        after = applied(self.states, action)
        for seat, shadows in enumerate(self.shadows):
            view, label = exact(hidden_from(after, seat)), perceived_at(self.states, 0, action, seat)
            for i, shadow in enumerate(shadows):
                twins = [a for a in legal_actions(shadow) if perceived_at(shadow, 0, a, seat) == label]
                if twins:
                    apply_at(shadow, 0, twins[(position.step + i) % len(twins)])
                if not twins or OVER in (actor_at(shadow, 0), actor_at(after, 0)):
                    shadows[i] = copied(after)
                    continue
                same = exact(hidden_from(shadow, seat)) == view
                position.demand(same, "what the seat sees differs where it perceived the same since the start", seat, action)


def check_twin(
    game: Game, seats: int, seed: int, policies: Sequence[int] = (), start: Start | None = None, endless: int = MANY_STEPS
) -> int:
    """Play one game and compare every verb with its uncompiled twin at every step; how many steps were compared.

    Of a plain game the doors that Python uses are compared with the methods of its states. Raises `BrokenPromise`.
    """
    policies = policies or [RANDOM] * seats
    states = start(seed) if start else game.new(seats, seed)
    xs, plain_xs = scratch(game, seed, policies), _twin(scratch(game, seed, policies))
    plain_states, twins = _twin(states.copy()), uncompiled(game)
    for step in range(endless + 1):
        pair = _Pair(CheckedPosition(game, states, seats, seed, step), twins, plain_states, plain_xs, xs)
        if pair.position.actor == OVER or step == endless:
            break
        pair.check_choice()
        if game.nets and step % NOW_AND_THEN == 0:
            pair.check_evaluator()
        for seat in range(seats):
            pair.check_hidden(seat)
        action = int(decide_at(states, 0, xs, 0))
        for seat in range(seats):
            pair.same(f"seen for seat {seat}", twins.seen(plain_states[0], action, seat), seen_at(states, 0, action, seat))
        apply_at(states, 0, action)
        twins.apply(plain_states[0], action)
        pair.same("apply", exact(plain_states), exact(states))
        plain_xs["random"] = int(xs["random"][0])
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
        states, actor = self.position.states, self.position.actor
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
            for name, policy in self._compared():
                self.same(f"choose ({name})", twins.choose(s, x, policy), choose(states[0], self.xs[0], policy))
        for a in (-1, *actions, *(a + 1 for a in actions), 2**31 - 1):
            self.same(f"why_not of {a}", twins.why_not(s, a), why_not_at(states, 0, a))

    def _compared(self) -> Iterator[tuple[str, int]]:
        """The policies that are compared here: the one that asks the evaluator takes seconds in plain Python, so seldom."""
        asks_evaluator = self.position.game.school.player if self.position.game.school else None
        names = {policy: name for name, policy in self.position.game.policies.items() if policy != RANDOM}
        for policy, name in names.items():
            if policy != asks_evaluator or self.position.step % SELDOM == SELDOM // 2:
                yield name, policy

    def check_evaluator(self) -> None:
        """What the evaluator is told, and what it says of every seat."""
        x, compiled = self.plain_xs[0], rows(np.asarray(self.xs))[0]
        self.same("value", self.twins.value(self.plain_states[0], x), value(self.position.states[0], self.xs[0]))
        self.same("inputs", x.inputs.tolist(), compiled.inputs.tolist())
        self.same("values", x.values.tolist(), compiled.values.tolist())

    def check_hidden(self, seat: int) -> None:
        """The verbs about hidden things, for a seat; both sides draw the same random world."""
        game, states, twins = self.position.game, self.position.states, self.twins
        view = self.plain_states.copy()
        twins.hide(view[0], seat)
        self.same("hide", exact(view), exact(hidden_from(states, seat)))
        world, plain_world = states.copy(), self.plain_states.copy()
        redeal_at(world, 0, self.xs, 0, seat)
        twins.redeal(plain_world[0], self.plain_xs[0], seat)
        self.same("redeal", exact(plain_world), exact(world))
        self.same("redeal's random numbers", int(self.plain_xs["random"][0]), int(self.xs["random"][0]))
        peeked: Any = [game.world()] if game.is_plain else rows(np.zeros(1, game.world))
        twins.peek(plain_world[0], peeked[0])
        found = true_world(game, world)
        self.same("peek", *((peeked[0].exact(), found[0].exact()) if game.is_plain else (peeked.tobytes(), found.tobytes())))
        twins.deal(view[0], peeked[0])
        self.same("deal", exact(view), exact(world))
