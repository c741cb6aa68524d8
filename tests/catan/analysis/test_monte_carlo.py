"""Dice over placements: sampled waiting times against exact ones, harbours by hand, the same counts for any threads.

The beginner board: corner 1 touches only ore 10 (3 pips) at a 3:1 harbour, corner 7 only wheat 12 (1 pip) at the wood
harbour, corner 45 sheep 5 (4 pips) and sheep 11 (2 pips) at the sheep harbour, corner 41 wheat 6 (5 pips), brick 5 (4) and
ore 3 (2), corner 20 brick 6 (5), wood 11 (2) and the desert.
"""

import pickle
from collections import Counter
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Any

import numpy as np
import pytest

from kibitz.catan import Board
from kibitz.catan.analysis import placement as placing
from kibitz.catan.analysis.corners import MonteCarloAnalyzer, rank_corners, ranked, simulated_score
from kibitz.catan.analysis.placement import (
    INCOME,
    Income,
    Piece,
    Placement,
    cut,
    pays_for,
    report_of,
    throw_piece,
    throw_placement,
    throw_sequences,
    waiting,
)
from kibitz.catan.analysis.position import Position, analysis_seed
from kibitz.catan.analysis.types import AnalysisConfig, AnalysisResult, InvalidConfig, PlacementReport, Waiting
from kibitz.compute.cuda import Gpu
from kibitz.compute.runtime import Info, Limit, Runtime, Threads
from kibitz.ground.jit import plain, rows
from kibitz.ground.rng import Stream
from tests.catan.analysis.drafts import setup_plan
from tests.catan.positions import Table
from tests.structs import mismatches

BEGINNER = Board.beginner()
ROAD, SETTLEMENT, CITY, CARD = range(4)
PRICES = ((1, 1, 0, 0, 0), (1, 1, 1, 1, 0), (0, 0, 0, 2, 3), (0, 0, 1, 1, 1))
NAMES = ("road", "settlement", "city", "development card")
BANK = (4, 4, 4, 4, 4)

Hand = tuple[int, ...]


@cache
def opening() -> Position:
    return Position.opening(BEGINNER)


# --- an exact reference -----------------------------------------------------------------------------------------


@cache
def can_buy(hand: Hand, rates: Hand, item: int) -> bool:
    """By trying every exchange with the bank, one after the other."""
    if all(have >= price for have, price in zip(hand, PRICES[item], strict=True)):
        return True
    for give in range(5):
        if hand[give] >= rates[give]:
            for take in range(5):
                after = list(hand)
                after[give] -= rates[give]
                after[take] += 1
                if can_buy(tuple(after), rates, item):
                    return True
    return False


def exact_waiting(placement: Placement, item: int, throws: int) -> list[Fraction]:
    """The chances that a purchase can first be paid for after 0, 1, ... throws, and that it cannot after all of them."""
    outcomes: Counter[Hand] = Counter()
    for one in range(1, 7):
        for other in range(1, 7):
            outcomes[placement.yields[one + other]] += 1
    waiting_hands = {placement.start: Fraction(1)}
    chances = []
    for _ in range(throws + 1):
        still = {hand: p for hand, p in waiting_hands.items() if not can_buy(hand, placement.rates, item)}
        chances.append(sum((p for hand, p in waiting_hands.items() if hand not in still), Fraction(0)))
        waiting_hands = {}
        for hand, p in still.items():
            for cards, ways in outcomes.items():
                after = tuple(a + b for a, b in zip(hand, cards, strict=True))
                waiting_hands[after] = waiting_hands.get(after, Fraction(0)) + p * ways / 36
    return [*chances, 1 - sum(chances)]


def agrees(counts: list[int], chances: list[Fraction]) -> bool:
    """A chi-square test that hardly one true sample in ten thousand would fail; rare outcomes are pooled."""
    n = sum(counts)
    bins, seen, expected = [], 0, Fraction(0)
    for count, chance in zip(counts, chances, strict=True):
        if not chance and count:
            return False
        seen, expected = seen + count, expected + chance * n
        if expected >= 5:
            bins.append((seen, float(expected)))
            seen, expected = 0, Fraction(0)
    if expected and bins:
        bins[-1] = (bins[-1][0] + seen, bins[-1][1] + float(expected))
    degrees = max(1, len(bins) - 1)
    return sum((seen - mean) ** 2 / mean for seen, mean in bins) <= degrees + 6 * sqrt(2 * degrees) + 6


def test_the_chi_square_test_can_tell_a_wrong_distribution():
    exact = exact_waiting(Placement.of(opening(), 20), ROAD, 25)
    shifted = [Fraction(0), *exact[:-2], exact[-2] + exact[-1]]
    n = 20000
    assert agrees([round(p * n) for p in exact], exact)
    assert not agrees([round(p * n) for p in shifted], exact)


@pytest.mark.parametrize(
    ("corner", "item", "throws"),
    [
        (1, ROAD, 120),
        (1, CITY, 150),
        (7, ROAD, 300),
        (45, ROAD, 40),
        (45, SETTLEMENT, 60),
        (20, ROAD, 25),
        (20, CARD, 30),
        (41, CITY, 16),
    ],
)
def test_waiting_times_against_exact_ones(corner, item, throws):
    placement = Placement.of(opening(), corner)
    _, waits = throw_piece(Piece(placement, 12345, 0, 20000, throws))
    exact = exact_waiting(placement, item, throws)
    assert agrees(waits[item].tolist(), exact)
    found = throw_placement(placement, 20000, throws, 12345).waiting[NAMES[item]]
    assert found.mean == pytest.approx(float(sum(min(t, throws) * p for t, p in enumerate(exact))), rel=0.02)
    assert found.later == pytest.approx(float(exact[-1]), abs=0.02)


@pytest.mark.plain
def test_the_reference_by_hand():
    """Corner 1, three to one: a road wants 6 ore, each with chance 3/36 a throw; a negative binomial distribution."""
    exact = exact_waiting(Placement.of(opening(), 1), ROAD, 8)
    assert exact[:6] == [0] * 6
    assert exact[6] == Fraction(1, 12) ** 6
    assert exact[7] == 6 * Fraction(1, 12) ** 6 * Fraction(11, 12)
    assert sum(exact) == 1


def test_two_settlements_wait_together():
    """The second pick of a seat: the first settlement, and the cards of the second."""
    position = Position.of(setup_plan(opening(), 41), seat=0)
    placement = Placement.of(position, 20)
    assert placement.start == (1, 1, 0, 0, 0)
    exact = exact_waiting(placement, SETTLEMENT, 10)
    _, waits = throw_piece(Piece(placement, 7, 0, 20000, 10))
    assert agrees(waits[SETTLEMENT].tolist(), exact)
    assert waits[ROAD, 0] == 20000


# --- income -------------------------------------------------------------------------------------------------------


def test_income_is_the_pips():
    """Sequences of 60 throws; the sum of 20,000 of them lies within five standard deviations."""
    report = throw_placement(Placement.of(opening(), 41), 20000, 60, 99)
    for resource, pips in {"wood": 0, "brick": 4, "sheep": 0, "wheat": 5, "ore": 2}.items():
        p = pips / 36
        spread = sqrt(60 * p * (1 - p))
        assert report.income[resource] == pytest.approx(p, abs=5 * spread / 60 / sqrt(20000))
        assert report.income_deviation[resource] == pytest.approx(spread, rel=0.03)


@pytest.mark.plain
def test_every_number_brings_what_lies_around_the_buildings():
    """Cities count twice; corners 41 and 42 share wheat 6 and ore 3."""
    state = Table(seats=2).build(0, settlements=[20], cities=[41]).build(1, settlements=[43]).main(player=0)
    bare = Placement.of(Position.of(state), None)
    yields = {number: cards for number, cards in enumerate(bare.yields) if any(cards)}
    assert yields == {3: (0, 0, 0, 0, 2), 5: (0, 2, 0, 0, 0), 6: (0, 1, 0, 2, 0), 11: (1, 0, 0, 0, 0)}
    more = Placement.of(Position.of(state), 45)
    assert more.yields[5] == (0, 2, 1, 0, 0)
    assert more.yields[11] == (1, 0, 1, 0, 0)
    assert bare.yields[7] == more.yields[7] == (0,) * 5


@pytest.mark.plain
def test_the_robber_blocks_its_hex():
    wheat_six = next(h for h, hex in enumerate(BEGINNER.hexes) if hex == ("wheat", 6))
    free = Table(seats=2).build(0, settlements=[41])
    blocked = Table(seats=2).build(0, settlements=[41]).robber(wheat_six)
    assert Placement.of(Position.of(free.main(player=0)), None).yields[6] == (0, 0, 0, 1, 0)
    assert Placement.of(Position.of(blocked.main(player=0)), None).yields[6] == (0, 0, 0, 0, 0)


@pytest.mark.plain
def test_cards_at_the_beginning():
    assert Placement.of(opening(), 41).start == (0,) * 5, "a first settlement brings nothing"
    assert Placement.of(opening(), 41, following=39).start == (1, 1, 0, 0, 0)
    second = Position.of(setup_plan(opening(), 41), seat=3)
    assert second.picks_made == 3
    assert Placement.of(second, 20).start == (0,) * 5
    last = Position.of(setup_plan(opening(), 41), seat=0)
    assert Placement.of(last, 1).start == (0, 0, 0, 0, 1)
    assert Placement.of(last, None).start == (0,) * 5
    running = Table(seats=2).build(0, settlements=[41]).give(0, wood=2, ore=1).give(1, sheep=3).main(player=0)
    assert Placement.of(Position.of(running), 20).start == (2, 0, 0, 0, 1)


@pytest.mark.plain
def test_rates_follow_the_harbours_of_the_placement():
    assert Placement.of(opening(), 41).rates == BANK
    assert Placement.of(opening(), 1).rates == (3, 3, 3, 3, 3)
    assert Placement.of(opening(), 7).rates == (2, 4, 4, 4, 4)
    state = Table(seats=2).build(0, settlements=[1]).build(1, settlements=[45]).main(player=0)
    assert Placement.of(Position.of(state), None).rates == (3, 3, 3, 3, 3)
    assert Placement.of(Position.of(state), 7).rates == (2, 3, 3, 3, 3)


# --- what cards pay for -------------------------------------------------------------------------------------------


def pays(hand: Hand, rates: Hand, item: int) -> bool:
    xs = np.zeros(1, INCOME)
    xs["cards"], xs["rates"] = hand, rates
    function: Any = plain(pays_for)
    return bool(function(rows(xs)[0], item))


@pytest.mark.plain
@pytest.mark.parametrize(
    ("hand", "rates", "item", "answer"),
    [
        ((1, 1, 0, 0, 0), BANK, ROAD, True),
        ((1, 0, 3, 0, 0), BANK, ROAD, False),
        ((1, 0, 4, 0, 0), BANK, ROAD, True),
        ((5, 0, 0, 0, 0), BANK, ROAD, True),  # four of five for a brick
        ((4, 0, 0, 0, 0), BANK, ROAD, False),
        ((3, 0, 0, 0, 0), (2, 4, 4, 4, 4), ROAD, True),  # the wood harbour
        ((0, 0, 0, 0, 6), (3, 3, 3, 3, 3), ROAD, True),
        ((0, 0, 0, 0, 5), (3, 3, 3, 3, 3), ROAD, False),
        ((2, 2, 0, 0, 5), (3, 3, 3, 3, 3), ROAD, True),
        ((0, 0, 2, 0, 4), (4, 4, 2, 4, 4), ROAD, True),  # one by the sheep harbour, one by the bank
        ((0, 0, 3, 3, 3), BANK, ROAD, False),  # nine cards, but no four alike
        ((0, 0, 0, 2, 3), BANK, CITY, True),
        ((0, 0, 0, 6, 2), BANK, CITY, True),
        ((0, 0, 0, 5, 2), BANK, CITY, False),
        ((1, 1, 1, 0, 4), BANK, SETTLEMENT, True),
        ((0, 0, 0, 1, 5), BANK, CARD, True),
        ((0, 0, 0, 1, 4), BANK, CARD, False),
    ],
)
def test_what_cards_pay_for(hand, rates, item, answer):
    assert pays(hand, rates, item) is answer
    assert can_buy(hand, rates, item) is answer


@pytest.mark.plain
def test_surplus_trading_is_as_good_as_every_other_way_to_trade():
    stream = Stream(5)
    for _ in range(400):
        hand = tuple(stream.below(7) for _ in range(5))
        rates = tuple(2 + stream.below(3) for _ in range(5))
        item = stream.below(4)
        assert pays(hand, rates, item) == can_buy(hand, rates, item), (hand, rates, item)


# --- counts -------------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_the_struct_is_what_its_protocol_says():
    assert mismatches(INCOME, Income) == []


@pytest.mark.plain
def test_waiting_times_as_figures():
    assert waiting([2, 1, 1, 0]) == Waiting(mean=0.75, median=0, distribution=(0.5, 0.25, 0.25), later=0.0)
    assert waiting([0, 0, 1, 3]) == Waiting(mean=2.0, median=None, distribution=(0.0, 0.0, 0.25), later=0.75)
    assert waiting([0, 4, 0, 4]) == Waiting(mean=1.5, median=1, distribution=(0.0, 0.5, 0.0), later=0.5)


@pytest.mark.plain
def test_a_report_by_hand():
    """Two sequences of two throws: 1 and 3 wheat; one road at once, one never."""
    sums = np.array([[0, 0, 0, 4, 0], [0, 0, 0, 10, 0]])
    waits = np.array([[1, 0, 0, 1], [0, 0, 2, 0], [0, 1, 1, 0], [0, 0, 0, 2]])
    zeros = np.zeros_like(sums), np.zeros_like(waits)
    report = report_of(41, [(sums, waits), zeros])
    assert report.income == {"wood": 0.0, "brick": 0.0, "sheep": 0.0, "wheat": 1.0, "ore": 0.0}
    assert report.income_deviation["wheat"] == 1.0
    assert report.waiting["road"] == Waiting(1.0, 0, (0.5, 0.0, 0.0), 0.5)
    assert report.waiting["settlement"] == Waiting(2.0, 2, (0.0, 0.0, 1.0), 0.0)
    assert report.waiting["city"].mean == 1.5
    assert report.waiting["development card"] == Waiting(2.0, None, (0.0, 0.0, 0.0), 1.0)


@pytest.mark.plain
def test_any_split_gives_the_same_counts(monkeypatch):
    placement = Placement.of(opening(), 41)
    whole = throw_placement(placement, 17, 9, 3)
    monkeypatch.setattr(placing, "PIECE_THROWS", 40)
    pieces = cut(placement, 3, 17, 9)
    assert [(piece.first, piece.last) for piece in pieces] == [(0, 4), (4, 8), (8, 12), (12, 16), (16, 17)]
    assert throw_placement(placement, 17, 9, 3) == whole
    assert report_of(41, [throw_piece(pickle.loads(pickle.dumps(piece))) for piece in reversed(pieces)]) == whole


@pytest.mark.plain
def test_the_same_dice_in_every_process_and_without_the_compiler():
    """The counts themselves, so that a change of the dice is noticed."""
    placement = Placement.of(opening(), 41, following=39)
    sums, waits = throw_piece(Piece(placement, 2**64 - 1, 0, 8, 20))
    assert sums.tolist() == [[23, 36, 0, 16, 10], [85, 224, 0, 32, 20]]
    assert waits[ROAD].tolist() == [8] + [0] * 21
    assert waits[SETTLEMENT].tolist() == [0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 1, 1, 0, 0, 0, 0, 0, 0, 2, 0, 1]
    xs = np.zeros(1, INCOME)
    for name in ("start", "yields", "rates"):
        xs[name][0] = getattr(placement, name)
    again = np.zeros_like(sums), np.zeros_like(waits)
    function: Any = plain(throw_sequences)
    function(rows(xs), *again, 2**64 - 1, 0, 8, 20)
    assert again[0].tolist() == sums.tolist()
    assert again[1].tolist() == waits.tolist()


# --- the mode -----------------------------------------------------------------------------------------------------

SMALL = AnalysisConfig(mc_seed=11, mc_samples=60, mc_throws=30, full_game_candidate_vertices=4, top=3)


@pytest.mark.plain
def test_the_score_by_hand():
    """Four seats: waits of 4, 8, 12 and 4 throws are 1, 2, 3 and 1 rounds."""
    means = dict(zip(NAMES, (4.0, 8.0, 12.0, 4.0), strict=True))
    report = PlacementReport(41, {}, {}, {name: Waiting(mean, 1, (), 0.0) for name, mean in means.items()})
    static = rank_corners(opening())[0]
    score = simulated_score(static, report, 4)
    assert score.total == pytest.approx(1.0 / 2 + 3.0 / 3 + 3.2 / 4 + 2.2 / 2)
    assert score.tempo_score == pytest.approx(100 / 9)
    assert (score.baseline_total, score.terms, score.simulated) == (static.total, static.terms, True)
    assert ranked([static], {}, 4) == (static,)


def test_simulated_corners_come_first_and_placements_in_their_order():
    static = rank_corners(opening())
    result = MonteCarloAnalyzer().analyze(opening(), SMALL)
    ranking = result.global_ranking
    assert [score.simulated for score in ranking] == [True] * 4 + [False] * 50
    assert {score.vertex_id for score in ranking[:4]} == {score.vertex_id for score in static[:4]}
    assert ranking[4:] == static[4:]
    assert [score.total for score in ranking[:4]] == sorted((score.total for score in ranking[:4]), reverse=True)
    assert [report.vertex_id for report in result.placements] == [score.vertex_id for score in ranking[:4]]
    assert [line.label for line in result.explain_lines] == [
        f"MC#{number} V{score.vertex_id} (sim)" for number, score in enumerate(ranking[:3], start=1)
    ]
    assert result.top_recommendations == ranking[:3]
    assert result.predicted_sequence[0].vertex_id == ranking[0].vertex_id
    assert result.stopped is None
    assert AnalysisResult.from_json(result.to_json()) == result


def test_the_seat_may_have_something_already():
    last = Position.of(setup_plan(opening(), 41), seat=0)
    result = MonteCarloAnalyzer().analyze(last, SMALL)
    assert [report.vertex_id for report in result.placements] == [score.vertex_id for score in result.global_ranking[:4]] + [
        None
    ]
    assert result.placements[-1] == throw_placement(
        Placement.of(last, None), 60, 30, analysis_seed(BEGINNER, 11, "monte_carlo")
    )
    state = Table(seats=2).build(0, settlements=[20, 40]).build(1, settlements=[10]).main(player=0)
    running = MonteCarloAnalyzer().analyze(Position.of(state), SMALL)
    assert running.predicted_sequence == ()
    assert running.placements[-1].vertex_id is None
    assert running.warnings == ("Corners for a next settlement, whether or not a road leads there",)
    assert result.warnings == ()


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_any_number_of_threads_gives_the_same(monkeypatch, jobs):
    whole = MonteCarloAnalyzer().analyze(opening(), SMALL)
    monkeypatch.setattr(placing, "PIECE_THROWS", 100)
    assert MonteCarloAnalyzer().analyze(opening(), SMALL, workers=Threads(jobs)) == whole


def test_common_dice_or_dice_of_their_own():
    seed = analysis_seed(BEGINNER, 11, "monte_carlo")
    common = MonteCarloAnalyzer().analyze(opening(), SMALL)
    for report in common.placements:
        assert report == throw_placement(Placement.of(opening(), report.vertex_id), 60, 30, seed)
    own = MonteCarloAnalyzer().analyze(opening(), AnalysisConfig(**{**SMALL.to_json(), "common_random_numbers": False}))
    for report in own.placements:
        assert report != throw_placement(Placement.of(opening(), report.vertex_id), 60, 30, seed)
    other = MonteCarloAnalyzer().analyze(opening(), AnalysisConfig(**{**SMALL.to_json(), "mc_seed": 12}))
    assert other.placements != common.placements


def test_progress(monkeypatch):
    monkeypatch.setattr(placing, "PIECE_THROWS", 600)
    heard: list[Info] = []
    result = MonteCarloAnalyzer().analyze(opening(), SMALL, Runtime(on_info=heard.append), Threads(1))
    assert [info.done for info in heard] == [20 * n for n in range(1, 13)]
    assert {info.total for info in heard} == {240}
    assert [len(info.ranking) for info in heard] == [0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4]
    assert [standing.name for standing in heard[-1].ranking] == [f"V{report.vertex_id}" for report in result.placements]


def test_cancelled_it_returns_what_it_has(monkeypatch):
    monkeypatch.setattr(placing, "PIECE_THROWS", 600)
    runtime = Runtime(on_info=lambda info: runtime.cancel() if info.done == 100 else None)
    result = MonteCarloAnalyzer().analyze(opening(), SMALL, runtime, Threads(1))
    assert result.stopped == "cancelled"
    first = rank_corners(opening())[0].vertex_id
    assert [report.vertex_id for report in result.placements] == [first]
    assert result.placements[0] in MonteCarloAnalyzer().analyze(opening(), SMALL).placements
    assert len(result.global_ranking) == 54
    assert result.global_ranking[0].vertex_id == first


def test_cancelled_after_the_end_it_is_whole():
    runtime = Runtime(on_info=lambda info: runtime.cancel() if info.done == info.total else None)
    assert MonteCarloAnalyzer().analyze(opening(), SMALL, runtime) == MonteCarloAnalyzer().analyze(opening(), SMALL)


def test_a_limit_of_iterations_is_one_of_sequences():
    heard: list[Info] = []
    MonteCarloAnalyzer().analyze(opening(), SMALL, Runtime(Limit(iterations=42), heard.append))
    assert heard[-1].done == heard[-1].total == 40


@pytest.mark.plain
def test_a_gpu_is_refused():
    with pytest.raises(InvalidConfig, match="monte_carlo: runs on CPUs only"):
        MonteCarloAnalyzer().analyze(opening(), SMALL, workers=object.__new__(Gpu))
