"""Compiled games under a guard: the watch finds what the guard in Python finds, and changes nothing else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kibitz.catan.core.board import Board
from kibitz.catan.core.engine import GAME as CATAN
from kibitz.catan.core.state import Rules as CatanRules
from kibitz.catan.core.state import new_states as catan_states
from kibitz.compute import local
from kibitz.compute.local import Games, series
from kibitz.coup import GAME as COUP
from kibitz.coup.core.state import new_states as coup_states
from kibitz.loops import watch
from kibitz.loops.config import MODELS, Config
from kibitz.loops.protocol import StructGame

HEURISTIC = COUP.policies["heuristic"]


def coup(n: int, seats: int = 4, policy: int = HEURISTIC, seed: int = 0) -> Games:
    return series(COUP, coup_states(seats), n, seed, [policy] * seats)


def catan(n: int, policy: str, max_turns: int = 40) -> Games:
    """Two seats, on one board."""
    starts = catan_states(Board.beginner(), 2, CatanRules(max_turns=max_turns, offer_limit=4))
    return series(CATAN, starts, n, 1, [CATAN.policies[policy]] * 2)


def by_the_guard(games: Games, config: Config) -> watch.Watched:
    """The slow way: every game in Python, with the guard looking at every state."""
    states, tallies = games.game.room(len(games)), np.zeros((len(games), games.game.seats[1]), np.int32)
    drawn, looped, steps = np.zeros(len(games), np.bool_), np.zeros(len(games), np.bool_), 0
    for i in range(len(games)):
        drawn[i], looped[i], taken = watch._judge(games, states, tallies, i, config)
        steps += taken
    return watch.Watched(local.Batch(states, tallies, steps), drawn, looped)


def same(one: watch.Watched, other: watch.Watched) -> bool:
    assert one.looped.tolist() == other.looped.tolist()
    assert one.drawn.tolist() == other.drawn.tolist()
    assert one.batch.steps == other.batch.steps
    assert one.batch.tallies.tolist() == other.batch.tallies.tolist()
    return one.batch.states.tobytes() == other.batch.states.tobytes()


DRAW = MODELS["draw"]


@pytest.mark.parametrize(
    ("games", "config", "least"),
    [
        (coup(80), DRAW, 1),
        (coup(60, seats=3), replace(DRAW, max_repeats=1), 10),
        (coup(60, seats=3), replace(DRAW, max_repeats=2, window=40), 1),
        (coup(60, seats=3), replace(DRAW, max_repeats=2, window=5), 0),
        (coup(60, seats=3), replace(DRAW, max_repeats=2, window=None), 1),
        (coup(60, seats=3), replace(DRAW, max_repeats=2, max_age=2), 0),
        (coup(100, seats=2, policy=0), replace(DRAW, max_repeats=1), 1),
        (catan(2, "random", 20), replace(DRAW, max_repeats=2), 1),
        (catan(3, "random"), DRAW, 0),
        (catan(4, "builder", 300), DRAW, 0),
    ],
)
def test_by_the_plain_rule_the_watch_finds_what_the_guard_finds(games: Games, config: Config, least: int) -> None:
    watched = watch.play(games, config)
    assert same(watched, by_the_guard(games, config))
    assert watched.looped.sum() >= least
    free = local.play(games)
    straight = ~watched.looped
    assert np.array_equal(np.asarray(free.states)[straight], np.asarray(watched.batch.states)[straight])
    assert np.array_equal(free.tallies[straight], watched.batch.tallies[straight])


@pytest.mark.parametrize("model", ["declare", "seed"])
def test_what_has_to_be_judged_is_judged_by_the_guard(model: str) -> None:
    games, config = coup(30, seats=3), replace(MODELS[model], max_repeats=2, search_nodes=50)
    watched = watch.play(games, config)
    assert watched.looped.any()
    assert same(watched, by_the_guard(games, config))


def test_limits_on_actions_are_kept_from_the_first_turn_on() -> None:
    games = coup(3, seats=2)
    watched = watch.play(games, Config(action_limits={"steal": 1}))
    assert same(watched, by_the_guard(games, Config(action_limits={"steal": 1})))


def test_any_number_of_threads_gives_the_same() -> None:
    games, config = coup(200, seats=3), replace(DRAW, max_repeats=2)
    assert same(watch.play(games, config, jobs=1), watch.play(games, config, jobs=3))


def test_a_guard_that_never_forgets_gets_what_a_watch_has_no_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "MOST_ROOM", 64)
    games, config = coup(20, seats=3), replace(DRAW, max_repeats=2, window=None)
    assert same(watch.play(games, config), by_the_guard(games, config))


@pytest.mark.plain
def test_a_few_games_with_and_without_the_compiler() -> None:
    games, config = coup(2, seats=2, policy=0, seed=3), replace(DRAW, max_repeats=1)
    assert same(watch.play(games, config, jobs=1), by_the_guard(games, config))


@pytest.mark.plain
def test_the_watch_leaves_out_the_same_bytes_as_the_guard() -> None:
    """Each byte of a state counts for the one if and only if it counts for the other."""
    for game in (COUP, CATAN):
        kept = watch._kept(game).view(np.uint8)
        states = coup_states(2) if game is COUP else catan_states(Board.beginner(), 2)
        key = StructGame(states).key()
        raw = np.asarray(states).view(np.uint8)
        for at in range(game.state.itemsize):
            raw[at] ^= 1
            assert (StructGame(states).key() != key) == bool(kept[at])
            raw[at] ^= 1
