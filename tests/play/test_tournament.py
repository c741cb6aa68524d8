"""Tournaments: every bot equally often on every seat, the same outcome on any number of threads, ratings by hand."""

from math import log10

import numpy as np
import pytest

from kibitz.catan import Board, Rules
from kibitz.play.series import play
from kibitz.play.share import Share
from kibitz.play.tournament import (
    Ends,
    Standings,
    as_rows,
    duel,
    duels,
    ratings,
    standings,
    tables,
    tournament,
    with_interval,
)

RULES = Rules(max_turns=60, victory_points=5)


def board(number: int) -> Board:
    return Board.random(number)


@pytest.mark.plain
@pytest.mark.parametrize(("bots", "seats"), [(["a", "b"], 2), (["a", "b"], 4), (["a", "b", "c"], 3), (["a", "b", "c", "d"], 4)])
def test_every_bot_sits_equally_often_on_every_seat(bots, seats):
    drawn = tables(bots, seats)
    assert len(drawn) == len(set(drawn)) == len(bots) ** seats - len(bots)
    counts = {sum(table[seat] == bot for table in drawn) for bot in bots for seat in range(seats)}
    assert len(counts) == 1
    assert all(len(set(table)) > 1 for table in drawn)


@pytest.mark.plain
def test_shares_have_wilson_intervals():
    """For 0 of 10 the upper end is z^2 / (n + z^2)."""
    assert Share(0, 10).interval == (0.0, pytest.approx(1.96**2 / (10 + 1.96**2)))
    assert Share(10, 10).interval == (pytest.approx(10 / (10 + 1.96**2)), 1.0)
    low, high = Share(50, 100).interval
    assert low + high == pytest.approx(1.0)
    assert (Share(0, 0).rate, Share(0, 0).interval) == (0.0, (0.0, 1.0))
    assert with_interval(Share(1, 2)) == "50.0 % (9.5-90.5)"


@pytest.mark.plain
def test_who_won_is_above_everybody_and_points_decide_the_rest():
    # a wins with fewer points than b at seat 1; the two b's are not compared; an unfinished game by points alone
    ends = Ends(np.array([0, -1]), np.array([[10, 11, 3], [4, 4, 5]]))
    found = standings(("a", "b"), 3, [(("a", "b", "b"), ends)])
    assert found.above == {"a": {"a": 0, "b": 2}, "b": {"a": 1, "b": 0}}
    assert (found.games, found.tables, found.unfinished) == (2, 1, 1)
    assert found.wins == {"a": Share(1, 2), "b": Share(0, 4)}
    assert found.seats["a"] == (Share(1, 2), Share(0, 0), Share(0, 0))
    assert found.pair("a", "b") == Share(2, 3)
    assert found.order() == ["a", "b"]


@pytest.mark.plain
def test_ratings_of_two_are_the_odds():
    strong, weak = ratings([[0, 300], [100, 0]])
    odds = (300 + 0.5) / (100 + 0.5)
    assert strong.rating == pytest.approx(200 * log10(odds), abs=1e-6)
    assert weak.rating == pytest.approx(-strong.rating)
    assert strong.margin == pytest.approx(weak.margin)
    more, _ = ratings([[0, 30000], [10000, 0]])
    assert more.margin == pytest.approx(strong.margin / 10, rel=0.05)


@pytest.mark.plain
def test_ratings_of_three_agree_with_the_model():
    """Counts drawn exactly from strengths 4 : 2 : 1 give these strengths back."""
    strength = [4, 2, 1]
    above = [[0 if i == j else 1e6 * a / (a + b) for j, b in enumerate(strength)] for i, a in enumerate(strength)]
    found = [rating.rating for rating in ratings(above)]
    assert found[0] - found[1] == pytest.approx(400 * log10(2), abs=0.01)
    assert found[1] - found[2] == pytest.approx(400 * log10(2), abs=0.01)
    assert sum(found) == pytest.approx(0, abs=1e-6)


def meet(
    bots: list[str], seed: int = 3, rules: Rules = RULES, rounds: int = 6, seats: int = 3, jobs=None, progress=lambda done: None
) -> Standings:
    def at(table, seed, games, first):
        results = play("catan", table, seed, games, first=first, rules=rules, board=board, jobs=jobs, progress=progress)
        return Ends(np.asarray(results.states["winner"]), results.scores())

    return tournament(bots, at, seed, rounds, seats)


def test_threads_do_not_matter_and_the_seed_does():
    heard: list[int] = []
    bots = ["builder", "seed"]
    one = meet(bots, jobs=1, progress=heard.append)
    assert one == meet(bots, jobs=3)
    assert one != meet(bots, seed=4)
    assert sum(heard) == one.games == 6 * 6
    assert one.tables == 6
    assert sum(share.won for share in one.wins.values()) + one.unfinished == one.games


def test_the_builder_beats_the_seed_and_the_seed_beats_chance():
    standings = meet(["random", "seed", "builder"], rounds=12, seats=4, rules=Rules())
    assert standings.order() == ["builder", "seed", "random"]
    assert standings.pair("builder", "seed").interval[0] > 0.6
    assert standings.pair("seed", "random").interval[0] > 0.9


@pytest.mark.plain
def test_a_small_tournament_and_its_json():
    standings = meet(["random", "seed"], rounds=1, seats=2, rules=Rules(max_turns=4))
    data = standings.to_json()
    assert (data["games"], data["tables"]) == (2, 2)
    assert {bot["name"] for bot in data["bots"]} == {"random", "seed"}
    assert [row[0] for row in as_rows(standings)] == standings.order()
    assert [len(row) for row in as_rows(standings)] == [6, 6]


@pytest.mark.plain
@pytest.mark.parametrize("bots", [["seed"], ["seed", "seed"]])
def test_one_bot_is_no_tournament(bots):
    with pytest.raises(ValueError, match="at least two different bots"):
        meet(bots)


@pytest.mark.plain
def test_a_duel_takes_every_seat_and_counts_the_one():
    """The made-up game is won by the seat of the one in even games, else by the next; nobody wins the last."""
    tables_played = []

    def at(table, seed, games, first):
        tables_played.append(tuple(table))
        seat = table.index("a")
        winners = [-1 if i == 4 else seat if i % 2 == 0 else (seat + 1) % 3 for i in range(first, first + games)]
        return Ends(np.array(winners), np.zeros((games, 3), np.int64))

    found = duel("a", "b", at, 0, 5, 3)
    assert (found.wins, found.by_seat) == (Share(6, 15), (Share(2, 5),) * 3)
    assert (found.unfinished, found.drawn) == (3, 0)
    assert found.to_json()["wins"] == Share(6, 15).to_json()
    assert found.to_json()["parity"] == 1 / 3
    assert tables_played == [("a", "b", "b"), ("b", "a", "b"), ("b", "b", "a")] * 5


@pytest.mark.plain
@pytest.mark.parametrize("stopped_after", [7, 40, 200])
def test_who_stops_a_tournament_has_met_everybody_about_equally_often(stopped_after):
    """As long as nobody says stop, the first of the table wins; 12 tables of 20 games each would be 240."""
    played = []

    def at(table, seed, games, first):
        n = min(games, stopped_after - len(played))
        played.extend((tuple(table), game) for game in range(first, first + n))
        return Ends(np.zeros(n, np.int64), np.tile(np.array([1, 0]), (n, 1)))

    found = tournament(["a", "b", "c", "d"], at, 0, 20, 2)
    counts = [sum(table == one for table, _ in played) for one in tables(["a", "b", "c", "d"], 2)]
    assert (found.games, found.tables) == (stopped_after, min(stopped_after, 12))
    assert max(counts) - min(counts) <= 3
    assert [game for table, game in played if table == ("a", "b")] == [*range(counts[0])]


@pytest.mark.plain
def test_of_two_bots_the_first_plays_alone_and_of_more_everybody_does():
    assert duels(["a", "b"]) == [("a", "b")]
    assert duels(["a", "b", "c"]) == [("a", "b"), ("a", "c"), ("b", "a"), ("b", "c"), ("c", "a"), ("c", "b")]
