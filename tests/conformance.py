"""What every game promises, whatever its rules: `check_game` plays games and asks for all of it before every step.

    check_game(catan.GAME, seats=4, seeds=range(3))

Each promise is a function of its own; `check_twin` compares the compiled rules with their uncompiled twins.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from kibitz import game as verbs
from kibitz.game import CHANCE, OVER, Game
from kibitz.jit import rows, uint64

#: How many random worlds of each seat are looked at in a position.
WORLDS = 2
#: No game that a test plays is longer: one that is has no end.
MANY_STEPS = 100_000
KINDS = range(63)

Start = Callable[[int], Any]


def scratch(game: Game, seed: int, policies: Sequence[int] = ()) -> Any:
    """A seeded scratch struct with these policies at the table."""
    xs = game.scratches()
    xs["policy"][0, : len(policies)] = policies
    verbs.reseed_at(xs, 0, uint64(seed))
    return xs


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
    before = states.tobytes()
    pair = np.concatenate([states, states])
    pair = rows(pair) if isinstance(states[0], verbs.Row) else pair
    verbs.apply_at(pair, 0, action)
    assert pair[1:].tobytes() == states.tobytes() == before
    after = pair[:1].tobytes()
    verbs.copy(pair, 0, 1)
    assert pair[:1].tobytes() == before
    verbs.apply_at(pair, 1, action)
    assert (pair[:1].tobytes(), pair[1:].tobytes()) == (before, after)


def check_files(game: Game, states: Any) -> None:
    """A position survives a file byte for byte."""
    text = json.dumps(verbs.to_dict(states))
    assert verbs.from_dict(game, json.loads(text)).tobytes() == states.tobytes()


def hidden(states: Any, seat: int) -> Any:
    """A copy without what `seat` cannot know."""
    view = states.copy()
    verbs.hide_at(view, 0, seat)
    return view


def true_world(game: Game, states: Any) -> Any:
    """The hidden things of a position."""
    worlds = verbs.structs(game.world)
    verbs.peek_at(states, 0, worlds, 0)
    return worlds


def check_hiding(game: Game, states: Any, seat: int) -> None:
    """Hiding is idempotent; the true world, dealt to what a seat sees, restores the position byte for byte."""
    view = hidden(states, seat)
    assert hidden(view, seat).tobytes() == view.tobytes()
    assert verbs.actor_at(view, 0) == verbs.actor_at(states, 0)
    verbs.deal_at(view, 0, true_world(game, states), 0)
    assert view.tobytes() == states.tobytes()


def check_worlds(game: Game, states: Any, seat: int, xs: Any) -> None:
    """All worlds of a seat look alike to it and leave it the same choice; each is a position to be dealt again."""
    view = hidden(states, seat)
    mine = verbs.actor_at(states, 0) == seat
    for _ in range(WORLDS):
        world = states.copy()
        verbs.redeal_at(world, 0, xs, 0, seat)
        assert hidden(world, seat).tobytes() == view.tobytes()
        if mine:
            assert verbs.legal_actions(world) == verbs.legal_actions(states)
        again = view.copy()
        verbs.deal_at(again, 0, true_world(game, world), 0)
        assert again.tobytes() == world.tobytes()


def check_seen(states: Any, actions: list[int], seats: int) -> None:
    """Players know what they do; outcomes of chance that look alike to a seat leave it with equal observations.

    (Unless one of them ends the game, which everybody sees.)
    """
    actor = verbs.actor_at(states, 0)
    if actor != CHANCE:
        assert [a for a in actions if verbs.seen_at(states, 0, a, actor) != a] == []
        return
    for seat in range(seats):
        views: dict[int, bytes] = {}
        for a in actions:
            after = states.copy()
            verbs.apply_at(after, 0, a)
            if verbs.actor_at(after, 0) == OVER:
                continue
            view = hidden(after, seat).tobytes()
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
    if "turn" in game.state.names:
        assert int(states["turn"][0]) <= game.max_turns


def check_world_ends(game: Game, states: Any, seat: int, xs: Any, policies: Sequence[int], seats: int) -> None:
    """A random world is a position like any other: it can be played to its end."""
    world = states.copy()
    verbs.redeal_at(world, 0, xs, 0, seat)
    for _ in walk(game, world, seat, policies):
        pass
    check_end(game, world, seats, ())


# --- all of it ------------------------------------------------------------------------------------------------


def check_game(game: Game, seats: int, seeds: Iterable[int], policies: Sequence[int] = (), start: Start | None = None) -> int:
    """Play one game for each seed and check every promise at every step; how many steps were checked.

    `policies` sit at the table (random players by default), `start` makes the first position (``game.new`` by default).
    """
    assert game.seats[0] <= seats <= game.seats[1]
    policies = policies or [verbs.RANDOM] * seats
    met: dict[int, str] = {}
    steps = 0
    for seed in seeds:
        states = start(seed) if start else game.new(seats, seed)
        xs = scratch(game, seed)
        for action in walk(game, states, seed, policies):
            check_actor(states, seats)
            actions = check_legal(states, met)
            check_names(game, actions, met)
            check_files(game, states)
            for seat in range(seats):
                check_hiding(game, states, seat)
                check_worlds(game, states, seat, xs)
            if action is None:
                check_end(game, states, seats, met)
                continue
            assert action in actions
            check_copies(states, action)
            check_seen(states, actions, seats)
            if verbs.actor_at(states, 0) == CHANCE:
                check_chance(states)
            if steps % 200 == 0:
                for seat in range(seats):
                    check_world_ends(game, states, seat, xs, policies, seats)
            steps += 1
    return steps


def check_twin(game: Game, seats: int, seed: int, policies: Sequence[int] = (), start: Start | None = None) -> int:
    """Play one game and compare every verb with its uncompiled twin at every step; how many steps were compared."""
    policies = policies or [verbs.RANDOM] * seats
    states = start(seed) if start else game.new(seats, seed)
    xs = scratch(game, seed, policies)
    twins, plain_states, plain_xs = game.plain, rows(np.asarray(states).copy()), rows(np.asarray(xs).copy())
    steps = 0
    while (actor := verbs.actor_at(states, 0)) != OVER:
        s, x = plain_states[0], plain_xs[0]
        assert twins.actor(s) == actor
        assert twins.kind(s) == verbs.kind(states[0])
        n = twins.weights(s, x) if actor == CHANCE else twins.legal(s, x)
        actions = verbs.legal_actions(states)
        assert x.actions[:n].tolist() == actions
        if actor == CHANCE:
            assert twins.moment(s) == verbs.moment(states[0])
            weights = x.weights[:n].tolist()
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
        assert plain_states.tobytes() == states.tobytes()
        plain_xs["random"] = xs["random"]
        steps += 1
    assert twins.actor(plain_states[0]) == OVER
    for seat in range(seats):
        assert twins.score(plain_states[0], seat) == verbs.score_at(states, 0, seat)
    return steps


def _compare_hidden(game: Game, twins: Any, states: Any, plain_states: Any, xs: Any, plain_xs: Any, seats: int) -> None:
    """The verbs about hidden things, for every seat; both sides draw the same random world."""
    for seat in range(seats):
        view = plain_states.copy()
        twins.hide(view[0], seat)
        assert view.tobytes() == hidden(states, seat).tobytes()
        world, plain_world = states.copy(), plain_states.copy()
        verbs.redeal_at(world, 0, xs, 0, seat)
        twins.redeal(plain_world[0], plain_xs[0], seat)
        assert plain_world.tobytes() == world.tobytes()
        assert plain_xs["random"].tobytes() == xs["random"].tobytes()
        peeked = rows(np.zeros(1, game.world))
        twins.peek(plain_world[0], peeked[0])
        assert peeked.tobytes() == true_world(game, world).tobytes()
        twins.deal(view[0], peeked[0])
        assert view.tobytes() == world.tobytes()
