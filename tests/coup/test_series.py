"""Series of Coup games between bots of all kinds: recorded games are the played ones, and the order of the bots."""

import numpy as np
import pytest

from kibitz.compute.local import game_seed
from kibitz.coup.core.record import check, read, simulate
from kibitz.play.series import play
from kibitz.play.tournament import duel, ends_of


def at(table, seed, games, first=0):
    return ends_of(play("coup", table, seed, games, first=first))


@pytest.mark.parametrize(
    "bots", [["heuristic", "honest", "random"], ["ismcts:30", "honest"], ["solver:30", "ismcts:20", "random"]]
)
def test_recorded_games_are_the_played_ones_and_replay(bots, tmp_path):
    file = tmp_path / "games.jsonl"
    heard: list[int] = []
    written = play("coup", bots, 4, 3, record=file, full=True, progress=heard.append)
    played = play("coup", bots, 4, 3, jobs=2)
    assert np.asarray(written.states).tobytes() == np.asarray(played.states).tobytes()
    assert written.steps == played.steps
    assert heard == [1, 1, 1]
    records = list(check(file.read_text().splitlines()))
    assert [record.game for record in records] == [0, 1, 2]
    assert [record.seed for record in records] == [game_seed(4, i) for i in range(3)]
    assert all(record.seats == tuple(bots) for record in read(file))


def test_compiled_tables_are_recorded_as_ever(tmp_path):
    play("coup", ["honest", "heuristic"], 4, 2, record=tmp_path / "a.jsonl")
    lines = [line for i in range(2) for line in simulate(["honest", "heuristic"], game_seed(4, i), number=i).lines()]
    assert (tmp_path / "a.jsonl").read_text().splitlines() == lines


def test_a_series_may_be_split():
    for bots in (["heuristic", "random"], ["ismcts:20", "random"]):
        whole = play("coup", bots, 2, 4)
        parts = [play("coup", bots, 2, 2, first=first) for first in (0, 2)]
        assert np.asarray(whole.states).tobytes() == b"".join(np.asarray(part.states).tobytes() for part in parts)


@pytest.mark.parametrize("seats", [2, 4, 6])
@pytest.mark.parametrize(("stronger", "weaker"), [("heuristic", "honest"), ("honest", "random")])
def test_the_policies_are_in_order(stronger, weaker, seats):
    """One seat of the stronger against the weaker everywhere else wins more than its share, by more than the interval."""
    share = duel(stronger, weaker, at, 1, 3000 // seats, seats).wins
    assert share.interval[0] > 1 / seats


def test_the_ends_of_a_series_for_a_tournament():
    winners, points, *_ = at(["heuristic", "honest", "random"], 3, 50)
    assert winners.shape == (50,)
    assert points.shape == (50, 3)
    assert (points.sum(axis=1) == 60).all()
    assert (points[np.arange(50), winners][winners >= 0] == 60).all()
