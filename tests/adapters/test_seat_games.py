"""The games of one seat: compiled, they are those of a table at which every bot is told what it sees."""

from copy import deepcopy

import numpy as np
import pytest

from kibitz.adapters.gym import CompiledGames, TableGames, games_of
from kibitz.adapters.setting import setting
from kibitz.catan.core.state import Rules
from kibitz.coup.core.state import Rules as CoupRules

#: Short games, so that many end; on random boards.
TABLES = [
    ("catan", 2, 0, "random", {"rules": Rules(max_turns=8, domestic_trade=False)}),
    ("catan", 3, 1, ("builder", "seed"), {"rules": Rules(max_turns=8)}),
    ("catan", 4, 3, ("random", "builder", "seed"), {"rules": Rules(max_turns=8, phased_turns=True)}),
    ("coup", 2, 1, "random", {}),
    ("coup", 3, 2, ("honest", "heuristic"), {"rules": CoupRules(max_turns=1)}),
    ("coup", 6, 4, "heuristic", {}),
]


@pytest.mark.plain
@pytest.mark.parametrize(("name", "seats", "seat", "opponents", "options"), TABLES[3:])
def test_they_are_the_same_games(name, seats, seat, opponents, options):
    compare(name, seats, seat, opponents, options, games=5)


@pytest.mark.parametrize(("name", "seats", "seat", "opponents", "options"), TABLES[:3])
def test_they_are_the_same_games_on_random_boards(name, seats, seat, opponents, options):
    compare(name, seats, seat, opponents, options, games=4)


def compare(name, seats, seat, opponents, options, games):
    """Random and illegal decisions in both: they show the same, step by step."""
    here = setting(name, seats, **options)
    bots = here.table(seat, opponents)
    compiled, told = games_of(here, seat, bots), TableGames(here, seat, bots)
    assert isinstance(compiled, CompiledGames)
    dice = np.random.default_rng(1)
    for game in range(games):
        if game % 4 == 0:
            for one in (compiled, told):
                one.begin_series(game)
        shown = alike(compiled.begin_game(), told.begin_game())
        over = False
        while not over:
            action = dice.choice([*shown.mask.nonzero()[0], -1, 10**6])
            done, other = compiled.step(action), told.step(action)
            shown, over = alike(done.shown, other.shown), done.over
            assert done[1:] == other[1:]
            assert shown.mask.any() != over


def alike(shown, other):
    """What both show."""
    assert (shown.observation == other.observation).all()
    assert (shown.mask == other.mask).all()
    assert [array.dtype for array in shown] == [array.dtype for array in other]
    return shown


@pytest.mark.plain
@pytest.mark.parametrize("kind", [games_of, TableGames])
def test_a_deep_copy_goes_its_own_way(kind):
    """Searches copy an environment to look ahead."""
    here = setting("coup", 2)
    games = kind(here, 0, here.table(0, "heuristic"))
    games.begin_series(1)
    shown = games.begin_game()
    first, second = deepcopy(games), deepcopy(games)
    ahead = line(first, shown, -1)
    assert line(games, shown, 0) == line(second, shown, 0) != ahead


def line(games, shown, which):
    """What comes of thirty decisions, always for the first or the last legal id."""
    found = []
    for _ in range(30):
        done = games.step(shown.mask.nonzero()[0][which])
        shown = games.begin_game() if done.over else done.shown
        found.append((shown.observation.tolist(), done[1:]))
    return found


@pytest.mark.plain
def test_what_was_shown_stays():
    """Learning code keeps observations and masks."""
    here = setting("coup", 2)
    games = games_of(here, 0, here.table(0, "random"))
    games.begin_series(1)
    first = games.begin_game()
    kept = [array.copy() for array in first]
    games.step(0)
    assert all((array == copy).all() for array, copy in zip(first, kept, strict=True))
