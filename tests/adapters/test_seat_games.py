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
    compare(name, seats, seat, opponents, options, games=5 if seats < 6 else 2)


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
        mask = alike(compiled.begin_game(), told.begin_game())
        over = False
        while not over:
            action = dice.choice([*mask.nonzero()[0], -1, 10**6])
            done, other = compiled.step(action), told.step(action)
            mask, over = alike((done[0], done[3]), (other[0], other[3])), done[2]
            assert done[1:3] == other[1:3]
            assert mask.any() != over


def alike(shown, other):
    """Both show the same; the mask."""
    (observation, info), (same, told) = shown, other
    assert (observation == same).all()
    assert observation.dtype == same.dtype
    assert (info["action_mask"] == told["action_mask"]).all()
    assert info["action_mask"].dtype == told["action_mask"].dtype
    assert without_mask(info) == without_mask(told)
    return info["action_mask"]


def without_mask(info):
    return {name: value for name, value in info.items() if name != "action_mask"}


@pytest.mark.plain
@pytest.mark.parametrize("kind", [games_of, TableGames])
def test_a_deep_copy_goes_its_own_way(kind):
    """Searches copy an environment to look ahead."""
    here = setting("coup", 2)
    games = kind(here, 0, here.table(0, "heuristic"))
    games.begin_series(1)
    _, info = games.begin_game()
    first, second = deepcopy(games), deepcopy(games)
    ahead = line(first, info, -1)
    assert line(games, info, 0) == line(second, info, 0) != ahead


def line(games, info, which):
    """What comes of thirty decisions, always for the first or the last legal id."""
    found = []
    for _ in range(30):
        observation, worth, over, done = games.step(info["action_mask"].nonzero()[0][which])
        observation, info = games.begin_game() if over else (observation, done)
        found.append((observation.tolist(), worth, over, without_mask(done)))
    return found


@pytest.mark.plain
def test_what_was_shown_stays():
    """Learning code keeps observations and masks."""
    here = setting("coup", 2)
    games = games_of(here, 0, here.table(0, "random"))
    games.begin_series(1)
    observation, info = games.begin_game()
    kept, mask = observation.copy(), info["action_mask"].copy()
    games.step(0)
    assert (observation == kept).all()
    assert (info["action_mask"] == mask).all()
