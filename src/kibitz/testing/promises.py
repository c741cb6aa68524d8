"""What every game promises about each of its positions, whatever its rules: a method of `CheckedPosition` for each promise."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from kibitz.game import legal_actions, outcomes, score_at, seen_at, why_not_at
from kibitz.game.definition import CHANCE, OVER, Game, States, copied, exact, from_dict, repeated, structs, to_dict
from kibitz.game.doors import actor_at, apply_at, deal_at, hidden_from, peek_at, perceived_at, redeal_at, sensible_actions
from kibitz.game.verbs import copy, kind, prize
from kibitz.ground.plain_states import PlainStates

#: The kinds of steps that a game may tell apart.
KINDS = range(63)
#: How many random worlds of each seat are looked at in a position.
WORLDS = 2
#: How many things a player might do, and how many that chance might do, are tried to compare what a seat sees of them.
CHOICES, OUTCOMES = 4, 32


class BrokenPromise(AssertionError):
    """A game does not keep a promise; the message is one line that says which, and where it was seen.

    >>> raise BrokenPromise("nothing is legal", game="chess", seed=3, step=7, seat=1)
    Traceback (most recent call last):
    ...
    kibitz.testing.promises.BrokenPromise: chess, seed 3, step 7, seat 1: nothing is legal
    """

    def __init__(
        self, promise: str, *, game: str, seed: int, step: int, seat: int | None = None, action: str | None = None
    ) -> None:
        self.promise, self.game, self.seed, self.step, self.seat, self.action = promise, game, seed, step, seat, action
        where = [game, f"seed {seed}", f"step {step}"]
        where += [] if seat is None else [f"seat {seat}"]
        where += [] if action is None else [f"action {action!r}"]
        super().__init__(f"{', '.join(where)}: {promise}")


def true_world(game: Game, states: States) -> Any:
    """The hidden things of a position."""
    worlds = [game.world()] if game.is_plain else structs(game.world)
    peek_at(states, 0, worlds, 0)
    return worlds


def applied(states: States, action: int) -> States:
    """A copy after an action."""
    after = copied(states)
    apply_at(after, 0, action)
    return after


def differing(one: States, other: States) -> str:
    """In parentheses, the fields in which two structs differ; nothing for plain states."""
    if isinstance(one, PlainStates):
        return ""
    first, second = np.asarray(one)[0], np.asarray(other)[0]
    names = [name for name in one.dtype.names or () if not np.array_equal(first[name], second[name])]
    return f" ({', '.join(names)})"


class CheckedPosition:
    """One position of a game that is checked, and where in which game it was met."""

    def __init__(
        self, game: Game, states: States, seats: int, seed: int = 0, step: int = 0, names: dict[int, str] | None = None
    ) -> None:
        """`names` are those of the actions met so far; `check_names` adds to them."""
        self.game, self.states, self.seats, self.seed, self.step = game, states, seats, seed, step
        self.names = {} if names is None else names
        self.actor = int(actor_at(states, 0))

    def demand(self, kept: bool, promise: str, seat: int | None = None, action: int | None = None) -> None:
        """Raise `BrokenPromise` unless it is kept; `promise` says what is wrong."""
        if not kept:
            named = None if action is None else self.name(action)
            raise BrokenPromise(promise, game=self.game.name, seed=self.seed, step=self.step, seat=seat, action=named)

    def demand_same(self, one: States, other: States, promise: str, seat: int | None = None, action: int | None = None) -> None:
        """The same, unless two positions are equal; the message names the fields in which structs differ."""
        if exact(one) != exact(other):
            self.demand(False, promise.replace("{fields}", differing(one, other)), seat, action)

    def name(self, action: int) -> str:
        """An action as people write it."""
        return self.names[action] if action in self.names else self.game.describe(action)

    def check_actor(self) -> None:
        """The actor sits at the table, or is chance, or nobody; the kind of the step is a small number."""
        self.demand(self.actor in (CHANCE, OVER, *range(self.seats)), f"actor says {self.actor}, which is nobody here")
        step = kind(self.states[0])
        self.demand(step in KINDS, f"kind says {step}: expected {KINDS.start} to {KINDS.stop - 1}")

    def check_legal(self) -> list[int]:
        """Legal actions ascend, each once; `why_not` allows all of them, and of the other actions met so far none.

        The sensible ones are among them. At a chance event the outcomes are what is legal.
        """
        states, actions = self.states, legal_actions(self.states)
        source = "weights" if self.actor == CHANCE else "legal"
        self.demand(actions == sorted(set(actions)), f"{source} lists {actions[:8]}: expected each once, in ascending order")
        self.demand(bool(actions) or self.actor == OVER, f"{source} lists nothing, but the game is not over")
        for a in actions:
            reason = why_not_at(states, 0, a)
            self.demand(reason == 0, f"{source} lists it, but why_not says {reason}", action=a)
        for a in {*self.names, -1, 2**31 - 1}.difference(actions):
            met = a if a in self.names else None
            self.demand(why_not_at(states, 0, a) != 0, f"why_not allows {a}, but {source} does not list it", action=met)
        if self.actor >= 0:
            sensible = sensible_actions(states)
            self.demand(bool(sensible), "sensible lists nothing")
            self.demand(sensible == [a for a in actions if a in sensible], "sensible lists what legal does not, or in disorder")
        return actions

    def check_chance(self) -> None:
        """Chance's outcomes have positive probabilities."""
        for a, probability in outcomes(self.states):
            self.demand(probability > 0, f"weights gives it the probability {probability}", action=a)

    def check_names(self, actions: Iterable[int]) -> None:
        """Every action has a name of its own, which is read back as the action; declared codes, if any, list it."""
        declared = self.game.codes and self.game.codes[self.actor == CHANCE]
        for a in actions:
            if a not in self.names:
                self.demand(declared is None or a in declared, f"Game.codes does not list {a}", action=a)
                name = self.game.describe(a)
                read = self.game.parse(name)
                self.demand(read == a, f"parse reads {read}, not {a}", action=a)
                self.demand(name not in self.names.values(), "two actions have this name", action=a)
                self.names[a] = name

    def check_copies(self, action: int) -> None:
        """What happens to a copy leaves the original alone, and the same action leads to the same position."""
        before, pair = exact(self.states), repeated(self.states, 2)
        apply_at(pair, 0, action)
        alone = exact(pair[1:]) == exact(self.states) == before
        self.demand(alone, "done to a copy, it changes the original", action=action)
        after = exact(pair)
        copy(pair, 0, 1)
        self.demand(exact(pair) == before, "a copy is not equal to its original", action=action)
        apply_at(pair, 1, action)
        self.demand((exact(pair), exact(pair[1:])) == (before, after), "done twice, it leads to two positions", action=action)

    def check_files(self) -> None:
        """A position of structs survives a file byte for byte."""
        if not self.game.is_plain:
            back = from_dict(self.game, json.loads(json.dumps(to_dict(self.states))))
            self.demand_same(back, self.states, "a file does not bring it back{fields}")

    def check_hiding(self, seat: int) -> None:
        """Hiding is idempotent and tells whose move it is; the true world, dealt to what a seat sees, restores the position."""
        view = hidden_from(self.states, seat)
        self.demand_same(hidden_from(view, seat), view, "to hide what is hidden changes the view{fields}", seat)
        self.demand(actor_at(view, 0) == self.actor, "hide changes whose move it is", seat)
        deal_at(view, 0, true_world(self.game, self.states), 0)
        self.demand_same(view, self.states, "the peeked world, dealt to the view, is another position{fields}", seat)

    def check_worlds(self, seat: int, xs: Any) -> list[States]:
        """Random worlds of a seat look alike to it and leave it the same choice; each can be peeked at and dealt again."""
        view, worlds = hidden_from(self.states, seat), []
        for _ in range(WORLDS):
            world = copied(self.states)
            redeal_at(world, 0, xs, 0, seat)
            self.demand_same(hidden_from(world, seat), view, "redeal changes what the seat sees{fields}", seat)
            if self.actor == seat:
                same = legal_actions(world) == legal_actions(self.states)
                self.demand(same, "what the seat may do depends on what it cannot know", seat)
            again = copied(view)
            deal_at(again, 0, true_world(self.game, world), 0)
            self.demand_same(again, world, "a random world is not dealt again{fields}", seat)
            worlds.append(world)
        return worlds

    def check_own_actions(self, actions: Iterable[int]) -> None:
        """Players perceive what they do."""
        for a in actions:
            label = seen_at(self.states, 0, a, self.actor)
            self.demand(label == a, f"seen says {label} to the seat that does it: expected {a}", self.actor, a)

    def check_perceived(self, seat: int, alike: Sequence[States] = (), played: int | None = None) -> None:
        """What a seat sees after a step follows from what it saw before and what it perceives of the step.

        In this position and in those `alike` to the seat some actions are tried. Where it perceives the same (`seen` and
        `news`), it must then see the same and, at its move, have the same choice. Else it would have learned what no label
        tells, and whoever builds information sets of labels would solve another game. (Everybody notices the end.)
        """
        chosen = self._some(legal_actions(self.states), played)
        met: dict[int, tuple[States, int]] = {}
        for states in (self.states, *alike):
            possible = legal_actions(states)
            for a in {*(a for a in chosen if a in possible), *self._some(possible)}:
                after, label = applied(states, a), int(perceived_at(states, 0, a, seat))
                if actor_at(after, 0) != OVER:
                    self._compare_views(seat, label, met.setdefault(label, (after, a)), (after, a))

    def _some(self, actions: Sequence[int], played: int | None = None) -> list[int]:
        """A few of the actions, at the next step others; the one that is played is among them."""
        n = len(actions)
        few = min(n, OUTCOMES if self.actor == CHANCE else CHOICES)
        return [*({played} - {None}), *(actions[(self.step + i * n // few) % n] for i in range(few))]  # type: ignore[list-item]

    def _compare_views(self, seat: int, label: int, one: tuple[States, int], other: tuple[States, int]) -> None:
        (first, a), (second, b) = one, other
        if first is second:
            return
        what = "it has" if a == b else f"it and {self.name(a)!r} have"
        where = f"in worlds that look the same to the seat {what} one label ({label}, of seen and news), but different"
        promise = f"{where} views follow{{fields}}: the seat learns what no label tells"
        self.demand_same(hidden_from(first, seat), hidden_from(second, seat), promise, seat, b)
        if actor_at(first, 0) == actor_at(second, 0) == seat:
            self.demand(legal_actions(first) == legal_actions(second), f"{where} choices follow", seat, b)

    def check_end(self) -> None:
        """Nothing is legal any more; scores, prizes and turns are within the declared bounds."""
        game, states = self.game, self.states
        self.demand(self.actor == OVER, "the game is not over")
        for a in self.names:
            self.demand(why_not_at(states, 0, a) != 0, "why_not allows it after the end", action=a)
        for seat in range(self.seats):
            for what, found, (low, high) in (
                ("score", score_at(states, 0, seat), game.scores),
                ("prize", prize(states[0], seat), game.stakes),
            ):
                self.demand(low <= found <= high, f"the {what} is {found}: declared are {low} to {high}", seat)
        if game.is_plain or "turn" in (game.state.names or ()):
            turn = states[0].turn if game.is_plain else int(states["turn"][0])
            self.demand(turn <= game.max_turns, f"turn {turn}: declared are at most {game.max_turns}")

    def check_replay(self, start: States, actions: Iterable[str]) -> None:
        """From the same start, the names of all actions and outcomes lead here."""
        states = copied(start)
        for name in actions:
            apply_at(states, 0, self.game.parse(name))
        self.demand(exact(states) == exact(self.states), "the names of all steps, replayed from the start, lead elsewhere")
