"""Ratings from tables of any size: known strengths are found again, intervals hold, and what is kept is read back."""

import numpy as np
import pytest

from kibitz import GAMES
from kibitz.play.ladder import Ladder, Meeting, Rung, alone, expected, ladder_of, rated
from kibitz.play.registry import known
from kibitz.play.tournament import Rating

pytestmark = pytest.mark.plain
STRENGTH = {"a": 1.0, "b": 2.0, "c": 5.0, "d": 0.2}
TABLES = [
    ("a", "b", "b", "b"),
    ("b", "a", "a", "a"),
    ("c", "a", "a", "a"),
    ("a", "b", "c", "d"),
    ("d", "a", "a", "a"),
    ("c", "d"),
]


def chances(table):
    total = sum(STRENGTH[name] for name in table)
    return [STRENGTH[name] / total for name in table]


def truth(name):
    return 1000 + 400 * np.log10(STRENGTH[name] / STRENGTH["a"])


def test_known_strengths_are_found_again():
    met = [Meeting(table, tuple(round(10_000_000 * share) for share in chances(table))) for table in TABLES]
    found = rated(met, "a")
    assert found["a"] == Rating(1000.0, 0.0)
    for name in "bcd":
        assert found[name].rating == pytest.approx(truth(name), abs=0.1)
        assert found[name].margin < 2
    assert expected(found, TABLES[3]) == pytest.approx(chances(TABLES[3]), abs=1e-3)


def test_intervals_hold_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(4)
    inside = []
    for _ in range(150):
        met = [Meeting(table, tuple(rng.multinomial(300, chances(table)).tolist())) for table in TABLES]
        found = rated(met, "a")
        inside += [abs(found[name].rating - truth(name)) <= found[name].margin for name in "bcd"]
    assert 0.92 < np.mean(inside) < 0.99


def test_intervals_are_wider_where_one_number_does_not_tell_everything():
    fits = [Meeting(("a", "b"), (500, 500)), Meeting(("b", "c"), (500, 500)), Meeting(("a", "c"), (500, 500))]
    circle = [Meeting(("a", "b"), (700, 300)), Meeting(("b", "c"), (700, 300)), Meeting(("c", "a"), (700, 300))]
    assert rated(circle, "a")["b"].rating == pytest.approx(1000, abs=1)
    assert rated(circle, "a")["b"].margin > 10 * rated(fits, "a")["b"].margin > 0


def test_whoever_never_wins_has_a_rating_and_a_wide_interval():
    found = rated([alone("x", "a", 4, won=0, lost=100), alone("a", "b", 4, won=25, lost=75)], "a")
    assert found["x"].rating < 700
    assert found["x"].margin > 5 * found["b"].margin > 0


def test_games_of_which_only_the_one_is_known_count_the_same():
    whole = rated([Meeting(("b", "a", "a", "a"), (40, 20, 20, 20))], "a")
    assert rated([alone("b", "a", 4, won=40, lost=60)], "a")["b"].rating == pytest.approx(whole["b"].rating)


def test_what_is_kept_is_read_back():
    ladder = Ladder({"b": Rung(1234.5, 12.3, 400, 0.05), "a": Rung(1000.0, 0.0, 400, 0.001)}, "a", "a command")
    assert Ladder.from_text(ladder.to_text()) == ladder
    assert (str(ladder.of("b")), str(ladder.of("a")), ladder.of("z")) == ("1234 ± 12", "1000", None)


@pytest.mark.parametrize("game", GAMES)
def test_what_comes_with_a_game_names_its_bots(game):
    profile = known(game)
    for name in ladder_of(profile).bots:
        assert name.startswith("catanatron") or profile.bot_named(name)
