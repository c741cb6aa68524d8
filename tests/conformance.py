"""What every game promises, whatever its rules: `check_game` plays games and asks for all of it before every step.

    check_game(catan.GAME, seats=4, seeds=range(3))

Each promise is a function of its own; `check_twin` compares the compiled rules with their uncompiled twins. Plain games (see
`kibitz.game`) promise the same; their positions have no files, but the names of the actions lead to every one of them.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from kibitz import game as verbs
from kibitz.game import CHANCE, OVER, Game
from kibitz.ground.jit import rows, uint64
from kibitz.ground.plain_states import PlainScratches, PlainStates

#: How many random worlds of each seat are looked at in a position.
WORLDS = 2
#: No game that a test plays is longer: one that is has no end.
MANY_STEPS = 100_000
KINDS = range(63)

Start = Callable[[int], Any]


def scratch(game: Game, seed: int, policies: Sequence[int] = ()) -> Any:
    """A seeded scratch struct with these policies at the table."""
    xs = game.scratches()
    verbs.seat_policies(xs, policies)
    verbs.reseed_at(xs, 0, uint64(seed))
    return xs


def facts(states: Any, i: int = 0) -> Any:
    """Everything in ``states[i]``, to be compared: its bytes, or what a plain state says."""
    return states[i].exact() if isinstance(states, PlainStates) else states[i : i + 1].tobytes()


def walk(game: Game, states: Any, seed: int, policies: Sequence[int]) -> Iterator[int | None]:
    """Play on in `states` until the end; yields each action before it is applied, and None when the game is over."""
    xs = scratch(game, seed, policies)
    for _ in range(MANY_STEPS):
        if verbs.actor_at(states, 0) == OVER:
            yield None
            return
        action = int(verbs.decide_at(states, 0, xs, 0))
        yield action
        verbs.apply_at(states, 0, action)
    raise AssertionError(f"{game.name}: no end after {MANY_STEPS} steps")


# --- every step -----------------------------------------------------------------------------------------------


def check_actor(states: Any, seats: int) -> None:
    """The actor sits at the table, or is chance, or nobody; the kind of the step is a small number."""
    assert verbs.actor_at(states, 0) in (CHANCE, OVER, *range(seats))
    assert verbs.kind(states[0]) in KINDS


def check_legal(states: Any, met: Iterable[int]) -> list[int]:
    """Legal actions ascend, each once; `why_not` allows all of them, and of the other actions met so far none.

    The sensible ones are among them.
    """
    actions = verbs.legal_actions(states)
    assert actions == sorted(set(actions))
    assert bool(actions) == (verbs.actor_at(states, 0) != OVER)
    assert [a for a in actions if verbs.why_not_at(states, 0, a) != 0] == []
    assert [a for a in {*met, -1, 2**31 - 1}.difference(actions) if verbs.why_not_at(states, 0, a) == 0] == []
    if verbs.actor_at(states, 0) >= 0:
        sensible = verbs.sensible_actions(states)
        assert sensible
        assert sensible == [a for a in actions if a in sensible]
    return actions


def check_chance(states: Any) -> None:
    """Chance's outcomes have positive probabilities that sum to one, and ascend."""
    outcomes = verbs.outcomes(states)
    assert all(isinstance(p, Fraction) and p > 0 for _, p in outcomes)
    assert sum(p for _, p in outcomes) == 1
    assert [a for a, _ in outcomes] == verbs.legal_actions(states)


def check_names(game: Game, actions: Iterable[int], met: dict[int, str]) -> None:
    """Every action has a name of its own, which is read back as the action."""
    for a in actions:
        if a not in met:
            name = game.describe(a)
            assert game.parse(name) == a
            assert name not in met.values()
            met[a] = name


def check_copies(states: Any, action: int) -> None:
    """What happens to a copy leaves the original alone, and the same action leads to the same position."""
    before = facts(states)
    pair = verbs.repeated(states, 2)
    verbs.apply_at(pair, 0, action)
    assert facts(pair, 1) == facts(states) == before
    after = facts(pair)
    verbs.copy(pair, 0, 1)
    assert facts(pair) == before
    verbs.apply_at(pair, 1, action)
    assert (facts(pair), facts(pair, 1)) == (before, after)


def check_files(game: Game, states: Any) -> None:
    """A position survives a file byte for byte."""
    text = json.dumps(verbs.to_dict(states))
    assert verbs.from_dict(game, json.loads(text)).tobytes() == states.tobytes()


def check_names_lead_there(game: Game, start: Any, names: Iterable[str], end: Any) -> None:
    """From the same start, the names of all actions and outcomes lead to the same end."""
    states = start.copy()
    for name in names:
        verbs.apply_at(states, 0, game.parse(name))
    assert facts(states) == facts(end)


def hidden(states: Any, seat: int) -> Any:
    """A copy without what `seat` cannot know."""
    view = states.copy()
    verbs.hide_at(view, 0, seat)
    return view


def true_world(game: Game, states: Any) -> Any:
    """The hidden things of a position."""
    worlds = [game.world()] if game.is_plain else verbs.structs(game.world)
    verbs.peek_at(states, 0, worlds, 0)
    return worlds


def check_hiding(game: Game, states: Any, seat: int) -> None:
    """Hiding is idempotent; the true world, dealt to what a seat sees, restores the position exactly."""
    view = hidden(states, seat)
    assert facts(hidden(view, seat)) == facts(view)
    assert verbs.actor_at(view, 0) == verbs.actor_at(states, 0)
    verbs.deal_at(view, 0, true_world(game, states), 0)
    assert facts(view) == facts(states)


def check_worlds(game: Game, states: Any, seat: int, xs: Any) -> list[Any]:
    """All worlds of a seat look alike to it and leave it the same choice; each is a position to be dealt again."""
    view = hidden(states, seat)
    mine = verbs.actor_at(states, 0) == seat
    worlds = []
    for _ in range(WORLDS):
        world = states.copy()
        verbs.redeal_at(world, 0, xs, 0, seat)
        assert facts(hidden(world, seat)) == facts(view)
        if mine:
            assert verbs.legal_actions(world) == verbs.legal_actions(states)
        again = view.copy()
        verbs.deal_at(again, 0, true_world(game, world), 0)
        assert facts(again) == facts(world)
        worlds.append(world)
    return worlds


def check_seen(states: Any, actions: list[int], seats: int) -> None:
    """Players know what they do; outcomes of chance that look alike to a seat leave it with equal observations.

    (Unless one of them ends the game, which everybody sees.)
    """
    actor = verbs.actor_at(states, 0)
    if actor != CHANCE:
        assert [a for a in actions if verbs.seen_at(states, 0, a, actor) != a] == []
        return
    for seat in range(seats):
        views: dict[int, Any] = {}
        for a in actions:
            after = states.copy()
            verbs.apply_at(after, 0, a)
            if verbs.actor_at(after, 0) == OVER:
                continue
            view = facts(hidden(after, seat))
            assert views.setdefault(verbs.seen_at(states, 0, a, seat), view) == view


# --- the end --------------------------------------------------------------------------------------------------


def check_end(game: Game, states: Any, seats: int, met: Iterable[int]) -> None:
    """Nothing is legal any more; scores, prizes and turns are within the declared bounds."""
    assert verbs.legal_actions(states) == []
    assert [a for a in met if verbs.why_not_at(states, 0, a) == 0] == []
    low, high = game.scores
    assert [seat for seat in range(seats) if not low <= verbs.score_at(states, 0, seat) <= high] == []
    low, high = game.stakes
    assert [seat for seat in range(seats) if not low <= verbs.prize(states[0], seat) <= high] == []
    if game.is_plain or "turn" in game.state.names:
        assert (states[0].turn if game.is_plain else int(states["turn"][0])) <= game.max_turns


def check_world_ends(game: Game, states: Any, seat: int, xs: Any, policies: Sequence[int], seats: int) -> None:
    """A random world is a position like any other: it can be played to its end."""
    world = states.copy()
    verbs.redeal_at(world, 0, xs, 0, seat)
    for _ in walk(game, world, seat, policies):
        pass
    check_end(game, world, seats, ())


# --- all of it ------------------------------------------------------------------------------------------------


def check_game(
    game: Game,
    seats: int,
    seeds: Iterable[int],
    policies: Sequence[int] = (),
    start: Start | None = None,
    endless: int | None = None,
    also: Callable[[Any], None] = lambda states: None,
) -> int:
    """Play one game for each seed and check every promise at every step; how many steps were checked.

    `policies` sit at the table (random players by default), `start` makes the first position (``game.new`` by default).
    Games that loops may keep from ending, where no guard watches them, are left after `endless` steps. `also` is what a game
    promises beside; it is asked of every position, and of every world that could be the true one.
    """
    assert game.seats[0] <= seats <= game.seats[1]
    policies = policies or [verbs.RANDOM] * seats
    met: dict[int, str] = {}
    steps = 0
    for seed in seeds:
        states = start(seed) if start else game.new(seats, seed)
        xs = scratch(game, seed)
        first, names = states.copy(), []
        for action in islice(walk(game, states, seed, policies), endless):
            check_actor(states, seats)
            also(states)
            actions = check_legal(states, met)
            check_names(game, actions, met)
            if not game.is_plain:
                check_files(game, states)
            for seat in range(seats):
                check_hiding(game, states, seat)
                for world in check_worlds(game, states, seat, xs):
                    also(world)
            if action is None:
                check_end(game, states, seats, met)
                check_names_lead_there(game, first, names, states)
                continue
            assert action in actions
            names.append(met[action])
            check_copies(states, action)
            check_seen(states, actions, seats)
            if verbs.actor_at(states, 0) == CHANCE:
                check_chance(states)
            if steps % 200 == 0 and endless is None:
                for seat in range(seats):
                    check_world_ends(game, states, seat, xs, policies, seats)
            steps += 1
    return steps


def check_twin(
    game: Game,
    seats: int,
    seed: int,
    policies: Sequence[int] = (),
    start: Start | None = None,
    endless: int = MANY_STEPS,
) -> int:
    """Play one game and compare every verb with its uncompiled twin at every step; how many steps were compared.

    Of a plain game the doors that Python uses are compared with the methods of its states.
    """
    policies = policies or [verbs.RANDOM] * seats
    states = start(seed) if start else game.new(seats, seed)
    xs, twins = scratch(game, seed, policies), game.rules if game.is_plain else game.plain
    plain_states, plain_xs = _twin(states.copy()), _twin(scratch(game, seed, policies))
    steps = 0
    while (actor := verbs.actor_at(states, 0)) != OVER and steps < endless:
        s, x = plain_states[0], plain_xs[0]
        assert twins.actor(s) == actor
        assert twins.kind(s) == verbs.kind(states[0])
        n = twins.weights(s, x) if actor == CHANCE else twins.legal(s, x)
        actions = verbs.legal_actions(states)
        assert [int(a) for a in x.actions[:n]] == actions
        if actor == CHANCE:
            assert twins.moment(s) == verbs.moment(states[0])
            weights = [int(w) for w in x.weights[:n]]
            assert [Fraction(w, sum(weights)) for w in weights] == [p for _, p in verbs.outcomes(states)]
        else:
            for name, policy in game.policies.items():
                if policy != verbs.RANDOM:
                    assert twins.choose(s, x, policy) == verbs.choose(states[0], xs[0], policy), name
        assert [twins.why_not(s, a) for a in actions] == [0] * n
        for a in (-1, *(a + 1 for a in actions), 2**31 - 1):
            assert twins.why_not(s, a) == verbs.why_not_at(states, 0, a)
        _compare_hidden(game, twins, states, plain_states, xs, plain_xs, seats)
        action = int(verbs.decide_at(states, 0, xs, 0))
        for seat in range(seats):
            assert twins.seen(s, action, seat) == verbs.seen_at(states, 0, action, seat)
        verbs.apply_at(states, 0, action)
        twins.apply(s, action)
        assert facts(plain_states) == facts(states)
        plain_xs["random"] = int(xs["random"][0])
        steps += 1
    assert twins.actor(plain_states[0]) == verbs.actor_at(states, 0)
    for seat in range(seats):
        assert twins.score(plain_states[0], seat) == verbs.score_at(states, 0, seat)
    return steps


def _twin(array: Any) -> Any:
    """An array as uncompiled verbs want it."""
    return array if isinstance(array, PlainStates | PlainScratches) else rows(np.asarray(array))


def _compare_hidden(game: Game, twins: Any, states: Any, plain_states: Any, xs: Any, plain_xs: Any, seats: int) -> None:
    """The verbs about hidden things, for every seat; both sides draw the same random world."""
    for seat in range(seats):
        view = plain_states.copy()
        twins.hide(view[0], seat)
        assert facts(view) == facts(hidden(states, seat))
        world, plain_world = states.copy(), plain_states.copy()
        verbs.redeal_at(world, 0, xs, 0, seat)
        twins.redeal(plain_world[0], plain_xs[0], seat)
        assert facts(plain_world) == facts(world)
        assert int(plain_xs["random"][0]) == int(xs["random"][0])
        peeked = [game.world()] if game.is_plain else rows(np.zeros(1, game.world))
        twins.peek(plain_world[0], peeked[0])
        found = true_world(game, world)
        assert peeked[0].exact() == found[0].exact() if game.is_plain else peeked.tobytes() == found.tobytes()
        twins.deal(view[0], peeked[0])
        assert facts(view) == facts(world)
