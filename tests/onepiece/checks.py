"""What every game of plain Python promises: the checks of `tests/conformance.py`, for states with the verbs as methods."""

import json
from typing import Any

from kibitz.game import CHANCE, OVER
from kibitz.onepiece.actions import Action
from kibitz.onepiece.arena import UNKNOWN
from kibitz.onepiece.effects.movement import held_cards
from kibitz.onepiece.engine import State, decide, scratch
from kibitz.onepiece.hidden import World, count_pool
from kibitz.onepiece.position import position

#: No game that a test plays is longer.
MANY_STEPS = 5_000


def facts(s: State) -> dict[str, Any]:
    """Everything in a state, comparable."""
    hands = [sorted(hand) for hand in s.hand]
    return {**position(s), "pool": s.pool, "zones": s.zones, "hands": hands, "drawn": s.drawn, "key": s.key()}


def is_consistent(s: State) -> bool:
    """Whether every card of both decks is somewhere, exactly once, and all ten DON!! of each player are there."""
    for seat in range(2):
        placed = [*s.hand[seat], *s.trash[seat], *held_cards(s, seat), *(u.design for u in s.units(seat) if u.slot)]
        placed += [e >> 2 for e in (*s.top[seat], *s.bottom[seat], *s.life[seat]) if e != UNKNOWN]
        for d, n, free in zip(s.table.kinds[seat], s.table.counts[seat], s.pool[seat], strict=True):
            if placed.count(d) + free != n:
                return False
        holes = s.unknown[seat] + sum(e == UNKNOWN for e in (*s.top[seat], *s.bottom[seat], *s.life[seat], *s.hand[seat]))
        given = sum(u.don for u in s.units(seat))
        if holes != sum(s.pool[seat]) or s.don_deck[seat] + s.active[seat] + s.rested[seat] + given != 10:
            return False
    return True


def hidden(s: State, seat: int) -> State:
    view = s.copy()
    view.hide(seat)
    return view


def check_actions(s: State, met: dict[int, str]) -> None:
    """Legal actions ascend, each with a name of its own; `why_not` allows all of them and no other that was met."""
    actions = s.actions()
    assert actions == sorted(set(actions))
    assert bool(actions) == (s.actor() != OVER)
    assert [a for a in actions if s.why_not(a)] == []
    assert [a for a in {*met, -1, 2**31 - 1}.difference(actions) if s.why_not(a) == 0] == []
    for a in actions:
        if a not in met:
            action = Action.from_code(a, s.table)
            assert Action.from_text(action.to_text()) == action
            assert Action.from_json(json.loads(json.dumps(action.to_json()))) == action
            assert action.code(s.table) == a
            assert action.to_text() not in met.values()
            met[a] = action.to_text()
    if s.actor() >= 0:
        x = scratch()
        n = s.sensible(x)
        assert n > 0
        assert set(x.actions[:n]) <= set(actions)
        assert s.legal(x) == len(actions)


def check_chance(s: State) -> None:
    """Outcomes have positive weights and are the actions of chance."""
    x = scratch()
    n = s.weights(x)
    assert x.actions[:n] == s.actions()
    assert min(x.weights[:n]) > 0


def check_copy(s: State, action: int) -> None:
    """What happens to a copy leaves the original alone, and the same action leads to the same position."""
    before = facts(s)
    one, two = s.copy(), s.copy()
    one.apply(action)
    assert facts(s) == before
    two.apply(action)
    assert facts(one) == facts(two)
    assert one.fingerprint() == two.fingerprint()


def check_hiding(s: State, seat: int) -> None:
    """Hiding is idempotent; the true world, dealt to what a seat sees, restores the position; own choices stay."""
    view = hidden(s, seat)
    assert facts(hidden(view, seat)) == facts(view)
    assert view.actor() == s.actor()
    if s.actor() == seat:
        assert view.actions() == s.actions()
    world = World()
    s.peek(world)
    view.deal(world)
    assert facts(view) == facts(s)


def check_world(s: State, seat: int, x: Any) -> State:
    """A random world of a seat looks the same to it, leaves it the same choice, and holds all cards."""
    world = s.copy()
    world.redeal(x, seat)
    assert is_consistent(world)
    assert facts(hidden(world, seat)) == facts(hidden(s, seat))
    if s.actor() == seat:
        assert world.actions() == s.actions()
    return world


def check_seen(s: State) -> None:
    """Players know what they do; outcomes that look alike to a seat leave it with equal views."""
    actions = s.actions()
    if s.actor() >= 0:
        assert [s.seen(a, s.actor()) for a in actions] == actions
        return
    for seat in range(2):
        views: dict[int, Any] = {}
        for a in actions:
            after = s.copy()
            after.apply(a)
            if after.actor() != OVER:
                view = facts(hidden(after, seat))
                assert views.setdefault(s.seen(a, seat), view) == view


def check_fingerprint(s: State, met: dict[Any, int]) -> None:
    """The running fingerprint is what a fresh computation gives, and equal keys have equal fingerprints."""
    fresh = s.copy()
    for unit in (*fresh.units(0), *fresh.units(1)):
        unit.hashed = 0
    count_pool(fresh)  # the sum of the zones and the hash of what is ordered, too
    assert fresh.fingerprint() == s.fingerprint()
    assert met.setdefault(s.key(), s.fingerprint()) == s.fingerprint()


def play_checked(s: State, seed: int, policies: list[int], met: dict[int, str]) -> int:
    """Play a game to its end and check every promise at every step; how many steps there were."""
    x, other = scratch(seed), scratch(seed + 1)
    x.policy = policies
    keys: dict[Any, int] = {}
    for step in range(MANY_STEPS):
        assert is_consistent(s)
        check_actions(s, met)
        check_fingerprint(s, keys)
        for seat in range(2):
            check_hiding(s, seat)
            check_world(s, seat, other)
        if s.actor() == OVER:
            return step
        if s.actor() == CHANCE:
            check_chance(s)
        if step % 4 == 0:
            check_seen(s)
        action = decide(s, x)
        check_copy(s, action)
        s.apply(action)
    raise AssertionError(f"no end after {MANY_STEPS} steps")
