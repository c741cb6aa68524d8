"""Luck: exactly 0 on average, whatever its weights say; the same on any workers; and it takes chance out of results."""

from dataclasses import replace

import numpy as np
import pytest

from kibitz import game
from kibitz.catan import GAME, Board, Rules
from kibitz.catan.core import luck
from kibitz.catan.core.codes import ROLLED
from kibitz.catan.core.record import simulate
from kibitz.catan.core.state import DRAWING, ROLLING, new_states
from kibitz.compute.local import play, series
from kibitz.game import doors
from kibitz.game.drivers import do
from kibitz.ground.jit import plain, rows

WEIGHTS = (
    "CARD_WORTH", "DISCARD_WORTH", "POINT_WORTH", "ROBBER_WORTH", "OUTLOOK_CARDS", "OUTLOOK_HAND", "OUTLOOK_INCOME",
    "OUTLOOK_KINDS", "OUTLOOK_KNIGHTS", "OUTLOOK_NEXT", "OUTLOOK_ROAD", "OUTLOOK_TO_GO",
)  # fmt: skip


OFFICIAL = Rules()


def chance_events(seats=4, seed=3, rules=OFFICIAL):
    """All states of a game in which chance is to move."""
    record = simulate(Board.random(seed), ["builder"] * seats, seed, rules)
    return [states.copy() for states in record.states() if game.actor_at(states, 0) == game.CHANCE]


def plain_luck(states, action):
    """The luck of each seat, by plain Python."""
    xs = rows(np.zeros(1, GAME.scratch))
    plain(luck.luck)(rows(np.asarray(states))[0], xs[0], action)
    return [int(n) for n in xs[0].luck]


def fair(games):
    return replace(games, given={"weighing": 1})


def enumerated(states):
    """The luck of every outcome, with its probability."""
    return [(chance, plain_luck(states, action)) for action, chance in doors.outcomes(states)]


@pytest.mark.plain
@pytest.mark.parametrize("seats", [2, 4])
def test_over_the_outcomes_of_a_chance_event_luck_is_exactly_0(seats):
    kinds = set()
    events = chance_events(seats, rules=Rules(victory_points=8))
    for states in events[::5] + [states for states in events if states["phase"][0] == DRAWING]:
        found = enumerated(states)
        assert [sum(chance * lucks[seat] for chance, lucks in found) for seat in range(4)] == [0] * 4
        assert all(sum(lucks) == 0 for _, lucks in found), "what one seat gains the others lose"
        assert not any(any(lucks[seats:]) for _, lucks in found)
        if any(any(lucks) for _, lucks in found):
            kinds.add(int(states["phase"][0]))
    assert kinds == {ROLLING, DRAWING}


@pytest.mark.plain
def test_so_it_is_with_any_weights(monkeypatch):
    """Weights say how much it helps, never whether it is fair."""
    rng = np.random.default_rng(1)
    names = plain(luck.luck_of_dice).__globals__
    for name in WEIGHTS:
        monkeypatch.setitem(names, name, rng.integers(-900, 900, np.shape(names[name])).astype(object))
    for states in chance_events(3, rules=Rules(victory_points=5))[::9]:
        found = enumerated(states)
        assert [sum(chance * lucks[seat] for chance, lucks in found) for seat in range(4)] == [0] * 4


@pytest.mark.plain
def test_a_throw_that_pays_one_seat_is_its_luck():
    states = next(s for s in chance_events(2) if s["phase"][0] == ROLLING)
    gains = {action: plain_luck(states, action)[0] for action, _ in doors.outcomes(states) if action != ROLLED + 5}
    cards = {}
    for action in gains:
        after = states.copy()
        game.apply_at(after, 0, action)
        cards[action] = np.asarray(after["hand_size"])[0, :2].astype(int) - np.asarray(states["hand_size"])[0, :2]
    best, worst = max(gains, key=gains.__getitem__), min(gains, key=gains.__getitem__)
    assert cards[best][0] > cards[best][1]
    assert cards[worst][0] < cards[worst][1]


def test_compiled_and_plain_games_have_the_same_luck():
    record = simulate(Board.beginner(), ["builder"] * 3, 7, Rules(max_turns=25))
    total = np.zeros(4, int)
    for states, code in zip(record.states(), record.codes, strict=False):
        if game.actor_at(states, 0) == game.CHANCE:
            total += plain_luck(states, code)
    states, xs = record.start(), GAME.scratches()
    xs["weighing"] = 1
    for code in record.codes:
        do_at(states, 0, xs, code)
    assert xs["luck"][0].tolist() == total.tolist()
    assert total.any()


@doors.door
def do_at(states, i, xs, a):
    """`do` of ``states[i]``."""
    do(states[i], xs[0], a)


def test_it_is_weighed_only_where_that_is_wanted_and_changes_no_game():
    games = series(GAME, new_states(Board.beginner(), 4), 40, 5, [1] * 4)
    free, weighed = play(games), play(fair(games))
    assert not free.lucks.any()
    assert weighed.lucks.any(axis=1).all()
    assert np.asarray(free.states).tobytes() == np.asarray(weighed.states).tobytes()


def test_every_game_begins_without_luck_on_any_number_of_threads():
    games = fair(series(GAME, new_states(Board.beginner(), 4), 200, 5, [1] * 4))
    found = play(games, jobs=1).lucks
    assert np.array_equal(found, play(games, jobs=3).lucks)
    alone = [play(fair(series(GAME, new_states(Board.beginner(), 4), 1, 5, [1] * 4, number=i))).lucks[0] for i in range(5)]
    assert np.array_equal(found[:5], alone)


def test_over_many_games_it_is_0_and_explains_a_third_of_what_comes_of_them():
    n = 4000
    batch = play(fair(series(GAME, new_states(Board.random(2), 4), n, 8, [1] * 4)))
    lucks = batch.lucks / GAME.luck
    wins = (np.asarray(batch.states)["winner"][:, None] == np.arange(4)).astype(float)
    assert (np.abs(lucks.mean(axis=0)) < 3.5 * lucks.std(axis=0) / np.sqrt(n)).all()
    assert (wins.var(axis=0) / (wins - lucks).var(axis=0)).mean() > 1.35
