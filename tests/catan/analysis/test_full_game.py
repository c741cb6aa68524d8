"""Openings by whole games: formulas by hand, how many games and for whom, the same on any workers, stopped and resumed."""

import json
import os
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Generator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz import game
from kibitz.catan import Board, GameState, Rules
from kibitz.catan.analysis.corners import rank_corners
from kibitz.catan.analysis.draft import predict
from kibitz.catan.analysis.explain import production
from kibitz.catan.analysis.full_game import FullGameAnalyzer, full_game_boost, full_game_total, simulated_score
from kibitz.catan.analysis.position import Position
from kibitz.catan.analysis.race import schedule
from kibitz.catan.analysis.rollouts import OUTCOME, Unit
from kibitz.catan.analysis.types import AnalysisConfig, AnalysisResult, VertexScore
from kibitz.catan.core.actions import place_setup_road, place_setup_settlement
from kibitz.catan.core.topology import CORNERS, EDGE_ENDS
from kibitz.compute.checkpoint import CheckpointError
from kibitz.compute.runtime import Info, Limit, Runtime, Threads
from kibitz.play.series import play
from kibitz.play.share import Share
from tests.catan.analysis.drafts import partial_draft, still_places

BEGINNER = Board.beginner()
plain = pytest.mark.plain
#: Sentences take no time.
BRIEF = AnalysisConfig(top=1, mc_samples=1, mc_throws=1)


def config(rollouts: int, candidates: int = 4, **changes: Any) -> AnalysisConfig:
    return replace(BRIEF, full_game_rollouts=rollouts, full_game_candidate_vertices=candidates, **changes)


def analyze(position: Position, config: AnalysisConfig, runtime: Runtime | None = None, jobs: int = 2) -> AnalysisResult:
    return FullGameAnalyzer().analyze(position, config, runtime, Threads(jobs))


@cache
def opening(seats: int = 4, seat: int = 0) -> Position:
    return Position.opening(BEGINNER, seats, seat)


class Listener:
    """Workers who only look: seat 0 wins everything, in turn 50."""

    def __init__(self) -> None:
        self.units: list[Unit] = []

    def map(self, function: object, pieces: Sequence[Any]) -> Generator[tuple[int, Any], None, None]:
        """Every unit, in order."""
        for number, unit in enumerate(pieces):
            self.units.append(unit)
            found = np.zeros(unit.count, OUTCOME)
            found["turn"] = 50
            yield number, found


# --- formulas ---------------------------------------------------------------------------------------------------


@plain
def test_what_games_add_to_a_corner():
    assert full_game_boost(0.5, 90.0) == 8.0 * 0.5 - 1.5
    assert full_game_boost(0.0, 300.0) == -5.0
    assert full_game_total(1.4, 2.5) == pytest.approx(0.45 * 1.4 + 2.5)


NO_LUCK = (0, 0, 0, 0)
STATIC = VertexScore(23, 1.2, 1.2, {"pips: ore": 1.2}, 0.1, 0.2, 0.3)


@plain
def test_a_simulated_corner_by_hand():
    """Seat 1 wins two of five games, in turns 70 and 80, and loses 12 cards in all; one game is not finished."""
    rows = [
        (1, 70, (0, 3, 0, 0)),
        (0, 30, (0, 4, 0, 0)),
        (1, 80, (9, 0, 0, 0)),
        (2, 50, (0, 0, 0, 0)),
        (-1, 300, (0, 5, 0, 0)),
    ]
    outcomes = np.array([(*row, NO_LUCK) for row in rows], OUTCOME)
    score = simulated_score(STATIC, outcomes, seat=1, cap=300, road=7)
    assert score.total == pytest.approx(0.45 * 1.2 + 8 * 0.4 - 75 / 60)
    assert score.tempo_score == pytest.approx(100 / 75)
    assert score.recipe_coverage_score == pytest.approx(2.0)
    assert score.robber_penalty == pytest.approx(12 / 5)
    assert (score.win_rate, score.simulated, score.road) == (Share(2, 5), True, 7)
    assert (score.vertex_id, score.baseline_total, score.terms) == (23, 1.2, {"pips: ore": 1.2})


@plain
def test_a_corner_that_never_wins_counts_the_turn_cap():
    score = simulated_score(STATIC, np.array([(0, 60, (0, 0, 0, 0), NO_LUCK)], OUTCOME), seat=3, cap=120)
    assert score.total == pytest.approx(0.45 * 1.2 - 120 / 60)
    assert score.tempo_score == pytest.approx(100 / 120)
    assert score.recipe_coverage_score == 0


def test_the_cap_is_that_of_the_game_where_it_is_shorter():
    """Nobody has ten points after two turns: the average turn of victory is the cap of these rules."""
    position = Position.opening(BEGINNER, 2, rules=Rules(max_turns=2))
    for score in analyze(position, config(2, 2)).global_ranking[:2]:
        assert score.tempo_score == 50
        assert score.total == pytest.approx(0.45 * score.baseline_total - 2 / 60)


# --- what is simulated ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rank_by", ["score", "win_rate"])
def test_simulated_corners_come_first_the_rest_follows_by_static_score(rank_by):
    static = rank_corners(opening())
    result = analyze(opening(), config(30, 5, rank_by=rank_by, adaptive=False, top=7))
    ranking = result.global_ranking
    assert [score.simulated for score in ranking] == [True] * 5 + [False] * (CORNERS - 5)
    assert {score.vertex_id for score in ranking[:5]} == {score.vertex_id for score in static[:5]}
    assert ranking[5:] == static[5:]
    assert all(score.win_rate is None and score.summary is None for score in ranking[5:])
    values = [score.total if rank_by == "score" else rate(score) for score in ranking[:5]]
    assert values == sorted(values, reverse=True)
    assert result.top_recommendations == ranking[:7]
    assert result.predicted_sequence == predict(opening(), "builder", [ranking[0].vertex_id])
    labels = [f"FG#{n} V{s.vertex_id}{' (sim)' if n <= 5 else ''}" for n, s in enumerate(ranking[:7], start=1)]
    assert [line.label for line in result.explain_lines] == labels


def rate(score: VertexScore) -> float:
    assert score.win_rate is not None
    return score.win_rate.rate


def test_scores_and_summaries_agree_with_each_other():
    result = analyze(opening(), config(60, 3, adaptive=False))
    whole = result.full_game_summary
    assert whole is not None
    assert result.games == whole.rollout_count == 180
    won: dict[int, float] = defaultdict(float)
    for score in result.global_ranking[:3]:
        summary = score.summary
        assert summary is not None
        assert summary.rollout_count == 60
        assert summary.player_win_rates[0] == rate(score)
        turn = summary.expected_turns_to_victory[0]
        assert turn is not None
        assert score.total == full_game_total(score.baseline_total, full_game_boost(rate(score), turn))
        assert score.tempo_score == 100 / turn
        assert score.recipe_coverage_score == 5 * rate(score)
        assert 0 < score.robber_penalty < 60
        for seat in range(4):
            won[seat] += 60 * summary.player_win_rates[seat]
    assert {seat: n / 180 for seat, n in won.items()} == pytest.approx(whole.player_win_rates)
    assert sum(whole.player_win_rates.values()) + whole.unfinished / 180 == pytest.approx(1)


@pytest.mark.parametrize(("candidates", "rollouts"), [(1, 1), (1, 50), (2, 3), (4, 1), (10, 1), (10, 13), (54, 1), (54, 6)])
@pytest.mark.parametrize("adaptive", [True, False])
def test_as_many_games_as_were_asked_for(candidates, rollouts, adaptive):
    result = FullGameAnalyzer().analyze(opening(), config(rollouts, candidates, adaptive=adaptive), workers=Listener())
    assert result.games == candidates * rollouts
    assert sum(score.simulated for score in result.global_ranking) == candidates
    assert len(result.global_ranking) == CORNERS
    if not adaptive or len(schedule(candidates, candidates * rollouts)) == 1:
        assert [s.win_rate for s in result.global_ranking[:candidates]] == [Share(rollouts, rollouts)] * candidates


@plain
def test_fewer_open_corners_than_candidates():
    position = Position.of(partial_draft(4, 14, seed=5))
    free = len(rank_corners(position))
    assert free < 40
    listener = Listener()
    result = FullGameAnalyzer().analyze(position, config(1, 40), workers=listener)
    assert result.games == len({unit.starts.tobytes() for unit in listener.units}) > free, "one for each corner with a road"
    assert sum(score.simulated for score in result.global_ranking) == len(result.global_ranking) == free


@plain
def test_ties_go_to_the_better_static_score_while_they_race_and_to_the_lower_corner_in_the_end():
    """Seat 0 wins everything: the two best by static score are left."""
    static = [score.vertex_id for score in rank_corners(opening())]
    result = FullGameAnalyzer().analyze(opening(), config(200, 10, rank_by="win_rate"), workers=Listener())
    assert [score.vertex_id for score in result.global_ranking[:2]] == sorted(static[:2])


@pytest.mark.untraced
@plain
def test_the_same_dice_for_all_or_dice_of_their_own():
    common, own = Listener(), Listener()
    FullGameAnalyzer().analyze(opening(), config(2, 6), workers=common)
    FullGameAnalyzer().analyze(opening(), config(2, 6, common_random_numbers=False), workers=own)
    assert len({unit.seed for unit in common.units}) == 1
    assert len({unit.seed for unit in own.units}) == 6
    again = Listener()
    FullGameAnalyzer().analyze(opening(), config(2, 6, common_random_numbers=False), workers=again)
    assert [unit.seed for unit in again.units] == [unit.seed for unit in own.units]
    other = Listener()
    FullGameAnalyzer().analyze(opening(), config(2, 6, mc_seed=1), workers=other)
    assert {unit.seed for unit in other.units}.isdisjoint({unit.seed for unit in common.units})


@plain
def test_all_seats_are_played_by_the_bot_of_the_config():
    for policy, number in (("random", 0), ("builder", 1), ("seed", 2)):
        listener = Listener()
        FullGameAnalyzer().analyze(opening(3), config(1, 2, policy=policy), workers=listener)
        assert {unit.policies for unit in listener.units} == {(number,) * 3}


def test_simulated_games_end_at_the_cap_but_not_before_turn_forty():
    result = analyze(opening(), config(100, 2, full_game_max_turns=20))
    summary = result.full_game_summary
    assert summary is not None
    assert 20 < summary.average_game_length_turns <= 40
    assert summary.unfinished > 0
    later = analyze(opening(), config(100, 2, full_game_max_turns=41))
    assert later.full_game_summary != summary
    assert analyze(opening(), config(100, 2, full_game_max_turns=40)).full_game_summary == summary


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("bot", ["builder", "seed"])
def test_hardly_a_game_reaches_the_default_cap(bot, seats):
    """None of 500. If 1 % of them did, that would happen once in 150 times."""
    ends = play("catan", [bot] * seats, 7, 500, rules=Rules(max_turns=AnalysisConfig().turn_cap), board=Board.random).states
    assert (ends["winner"] >= 0).all()


@plain
def test_simulated_games_follow_the_rules_of_the_config_and_of_the_game():
    listener = Listener()
    position = Position.opening(BEGINNER, 2, rules=Rules(victory_points=7, domestic_trade=False))
    FullGameAnalyzer().analyze(position, config(1, 1, full_game_trade_offer_limit=2, full_game_max_turns=77), workers=listener)
    start = listener.units[0].starts
    assert (start["offer_limit"][0], start["max_turns"][0]) == (2, 77)
    assert (start["victory_points"][0], start["domestic_trade"][0]) == (7, 0)


# --- the same everywhere ----------------------------------------------------------------------------------------

SMALL = config(40, 6, mc_seed=3)


@cache
def small() -> AnalysisResult:
    return analyze(opening(), SMALL)


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_the_same_on_any_number_of_threads(jobs):
    assert analyze(opening(), SMALL, jobs=jobs) == small()


def test_the_same_in_another_process():
    script = (
        "import json; from kibitz.catan.analysis import *; from kibitz.catan import Board\n"
        f"config = AnalysisConfig.from_json({SMALL.to_json()!r})\n"
        "print(json.dumps(create_analyzer('full_game').analyze(Position.opening(Board.beginner()), config).to_json()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONHASHSEED": "12345"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert AnalysisResult.from_json(json.loads(done.stdout)) == small()


def test_another_seed_gives_other_games():
    assert analyze(opening(), replace(SMALL, mc_seed=4)).full_game_summary != small().full_game_summary


def test_a_result_of_games_to_json_and_back():
    assert AnalysisResult.from_json(json.loads(json.dumps(small().to_json()))) == small()


# --- stopped and resumed ----------------------------------------------------------------------------------------


def test_resumed_from_a_checkpoint_cut_anywhere(tmp_path):
    file = tmp_path / "games"
    assert analyze(opening(), SMALL, Runtime(checkpoint=file)) == small()
    lines = file.read_bytes().splitlines(keepends=True)
    assert len(lines) > 5
    for kept in range(0, len(lines), 2):
        file.write_bytes(b"".join(lines[:kept]) + lines[kept][:20])
        assert analyze(opening(), SMALL, Runtime(checkpoint=file)) == small()
        assert sorted(file.read_bytes().splitlines()) == sorted(line.strip() for line in lines)


def test_the_checkpoint_of_another_analysis_is_refused(tmp_path):
    file = tmp_path / "games"
    analyze(opening(), config(2), Runtime(checkpoint=file))
    for position, other, different in (
        (opening(), config(2, mc_seed=1), "mc_seed, position"),
        (opening(), config(2, policy="seed"), "policy"),
        (opening(seat=1), config(2), "seat, position"),
        (opening(3), config(2), "seats, position"),
    ):
        with pytest.raises(CheckpointError, match=rf"the checkpoint of another analysis \(different: {different}\)"):
            analyze(position, other, Runtime(checkpoint=file))


def test_more_rollouts_go_on_from_a_checkpoint(tmp_path):
    """What decides a game is the same, however many of them are played, and whatever is shown of them."""
    file, heard = tmp_path / "games", []
    analyze(opening(), config(100, 4, adaptive=False), Runtime(checkpoint=file))
    more = config(300, 4, top=2)
    assert analyze(opening(), more, Runtime(checkpoint=file, on_info=heard.append)) == analyze(opening(), more)
    assert heard[-1].resumed >= 4 * 64


def test_a_checkpoint_that_holds_too_little_is_refused(tmp_path):
    file = tmp_path / "games"
    analyze(opening(), config(2), Runtime(checkpoint=file))
    header, *lines = file.read_text().splitlines(keepends=True)
    entry = json.loads(lines[0])
    file.write_text(header + json.dumps(entry | {"result": entry["result"][:12]}) + "\n")
    with pytest.raises(CheckpointError, match="the checkpoint holds 9 bytes where 2 games have 54"):
        analyze(opening(), config(2), Runtime(checkpoint=file))


def test_cancelled_from_another_thread_it_has_what_was_played_and_loses_nothing(tmp_path):
    started = threading.Event()
    runtime = Runtime(on_info=lambda info: started.set(), checkpoint=tmp_path / "games")
    long = config(400, 4)

    def cancel() -> None:
        started.wait()
        runtime.cancel()

    canceller = threading.Thread(target=cancel)
    canceller.start()
    result = analyze(opening(), long, runtime)
    canceller.join()
    assert result.stopped == "cancelled"
    assert 0 < result.games < 1600
    assert result.full_game_summary is not None
    assert result.full_game_summary.rollout_count == result.games
    assert len(result.global_ranking) == CORNERS
    assert result.explain_lines
    assert AnalysisResult.from_json(result.to_json()) == result
    held = (tmp_path / "games").read_bytes().count(b"\n") - 1
    assert held >= result.games // 64
    resumed = analyze(opening(), long, Runtime(checkpoint=tmp_path / "games"))
    assert resumed == analyze(opening(), long)
    assert resumed.stopped is None


def test_cancelled_before_the_start_there_is_the_static_ranking():
    runtime = Runtime()
    runtime.cancel()
    result = analyze(opening(), SMALL, runtime)
    assert (result.stopped, result.games) == ("cancelled", 0)
    assert result.global_ranking == rank_corners(opening())
    assert result.warnings == ()


def test_out_of_time_it_is_partial():
    result = analyze(opening(), config(30_000, 4), Runtime(Limit(time=0.2)))
    assert result.stopped == "time"
    assert result.games < 120_000


def test_a_limit_of_games_is_kept_and_gives_the_same_every_time():
    result = analyze(opening(), SMALL, Runtime(Limit(games=100)))
    assert (result.games, result.stopped) == (100, None)
    assert analyze(opening(), SMALL, Runtime(Limit(games=100)), jobs=1) == result
    assert analyze(opening(), SMALL, Runtime(Limit(games=10**6))) == small()
    three = analyze(opening(), SMALL, Runtime(Limit(games=3)))
    assert [score.simulated for score in three.global_ranking] == [True] * 3 + [False] * 51


def test_what_is_heard_of_it():
    heard: list[Info] = []
    result = analyze(opening(), SMALL, Runtime(on_info=heard.append))
    assert heard[-1].done == heard[-1].total == result.games
    leader = f"V{result.global_ranking[0].vertex_id}"
    assert leader in [standing.name for standing in heard[-1].ranking[:2]]
    assert all(info.eta is not None and info.eta >= 0 for info in heard)


# --- who leads, and whether that is certain -----------------------------------------------------------------------


def test_a_warning_where_leaders_cannot_be_told_apart():
    few = analyze(opening(), config(2, 2, adaptive=False))
    first, second = (score.vertex_id for score in few.global_ranking[:2])
    assert few.warnings == (f"V{second} cannot be told apart from V{first} yet",), "nothing can be said about how many it takes"
    some = analyze(opening(), config(60, 2, adaptive=False, rank_by="win_rate"))
    first, second = (score.vertex_id for score in some.global_ranking[:2])
    (warning,) = some.warnings
    told, _, rollouts = warning.partition(" (--rollouts ")
    assert told == f"V{second} cannot be told apart from V{first} yet"
    assert 120 <= int(rollouts.rstrip(")")) <= 6000


def test_a_warning_where_many_games_have_no_winner():
    result = analyze(opening(), config(5, 2, full_game_max_turns=20))
    assert "100 % of the games had no winner by turn 40" in result.warnings


def test_the_rules_of_the_position_bound_those_of_simulated_games():
    """Nobody may offer more than the rules allow, nor more than the settings say."""
    without = analyze(Position.opening(BEGINNER, rules=Rules(offer_limit=0)), SMALL)
    assert without.full_game_summary == analyze(opening(), replace(SMALL, full_game_trade_offer_limit=0)).full_game_summary
    assert without.full_game_summary != small().full_game_summary


def test_no_warning_where_they_can():
    """Seat 0 of 2 either has the best corner or, of the whole board, the worst: every game tells."""
    static = rank_corners(opening(2))
    worst = static[-1].vertex_id
    assert sum(production(BEGINNER, worst).values()) <= 2
    result = analyze(opening(2), config(60, CORNERS, adaptive=False, rank_by="win_rate"))
    place = {score.vertex_id: score for score in result.global_ranking}
    assert rate(place[worst]) + 0.2 < rate(result.global_ranking[0])
    alone = analyze(opening(2), config(5, 1))
    assert alone.warnings == ()


# --- any point of the draft ---------------------------------------------------------------------------------------


@settings(derandomize=True, database=None, deadline=None, max_examples=40)
@given(st.integers(2, 4), st.integers(0, 15), st.integers(0, 3), st.integers(0, 2**32))
def test_any_point_of_the_draft(seats, steps, seat, seed):
    states = partial_draft(seats, min(steps, 4 * seats - 1), seed)
    seat %= seats
    if still_places(states, seat):
        position = Position.of(states, seat)
        check(states, position, analyze(position, config(2, 3, mc_seed=seed % 100)))


def check(states: Any, position: Position, result: AnalysisResult) -> None:
    """The result is sound: who asks, what is ranked, and how the draft goes on from `states`."""
    assert (result.seat, result.seats) == (position.seat, position.seats)
    assert result.games % 2 == 0, "two for each candidate"
    assert result.full_game_summary is not None
    assert set(result.full_game_summary.player_win_rates) == set(range(position.seats))
    assert AnalysisResult.from_json(json.loads(json.dumps(result.to_json()))) == result
    free = int(position.states["open"][0])
    assert sorted(score.vertex_id for score in result.global_ranking) == [c for c in range(CORNERS) if free >> c & 1]
    if not position.in_draft:
        assert {move.kind for move in result.options} == {"place_setup_road"}
        return
    simulated = [score for score in result.global_ranking if score.simulated]
    assert len(simulated) == 3
    best = result.global_ranking[0]
    second = position.picks_made >= position.seats
    for score in simulated:
        assert (score.road is not None) == second
        assert score.road is None or score.vertex_id in EDGE_ENDS[score.road]
    after = GameState(states)
    if states["corner"][0] >= 0:  # a road comes first, and belongs to the first pick
        after = after.apply(place_setup_road(EDGE_ENDS[result.predicted_sequence[0].road or 0]))
    for pick in result.predicted_sequence:
        if pick.vertex_id not in after.players[pick.seat].settlements:
            assert after.setup_index == pick.pick
            assert after.actor == pick.seat
            assert pick.road is not None
            after = after.apply(place_setup_settlement(pick.vertex_id)).apply(place_setup_road(EDGE_ENDS[pick.road]))
    assert after.turn_number == 1, "the draft is over"
    own = next(pick for pick in result.predicted_sequence if pick.pick == position.picks_made)
    assert (own.seat, own.vertex_id) == (position.seat, best.vertex_id)
    if second:
        assert own.road == best.road


def test_the_second_settlement_comes_with_each_of_its_roads():
    position = Position.of(partial_draft(2, 6, seed=1))
    assert (position.seat, position.picks_made) == (0, 3)
    listener = Listener()
    result = FullGameAnalyzer().analyze(position, config(30, 3), workers=listener)
    tried = {unit.starts.tobytes() for unit in listener.units}
    assert 6 <= len(tried) <= 9
    assert result.games == 30 * len(tried)
    assert [score.simulated for score in result.global_ranking[:4]] == [True] * 3 + [False]


def test_a_few_games_reach_every_corner():
    """Three corners with three roads each and three games: one for each corner."""
    position = Position.of(partial_draft(2, 6, seed=1))
    result = analyze(position, config(1, 3), Runtime(Limit(games=3)))
    assert result.games == 3
    assert [score.simulated for score in result.global_ranking[:4]] == [True] * 3 + [False]


@pytest.mark.parametrize("seat", range(3))
def test_every_seat_may_ask_about_the_empty_board(seat):
    result = analyze(opening(3, seat), config(20, 3))
    assert result.seat == seat
    assert [pick.seat for pick in result.predicted_sequence] == [0, 1, 2, 2, 1, 0]
    assert result.predicted_sequence[seat].vertex_id == result.global_ranking[0].vertex_id


def test_the_openings_of_a_game_that_began():
    """As asked about a record: nothing is known of what came later."""
    states = partial_draft(4, 4, seed=2)
    position = Position.of(GameState(states))
    assert analyze(position, config(3, 2)) == analyze(Position.of(states), config(3, 2))
    assert game.actor_at(position.states, 0) == 2
