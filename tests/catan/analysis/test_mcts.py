"""The search of the draft: a game of its own, the same for any workers, stopped and resumed, right where it is obvious."""

import json
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from kibitz import game
from kibitz.catan import Action, Board, GameState, Rules
from kibitz.catan.analysis import mcts
from kibitz.catan.analysis.corners import rank_corners
from kibitz.catan.analysis.draft import predict, seat_of
from kibitz.catan.analysis.explain import hexes_at
from kibitz.catan.analysis.mcts import BEST, LEAVE, DraftGame, DraftSearch, Ledger, MctsAnalyzer, best_corners
from kibitz.catan.analysis.position import InvalidPosition, Position
from kibitz.catan.analysis.rollouts import Unit, play_unit
from kibitz.catan.analysis.types import AnalysisConfig, AnalysisResult, InvalidConfig
from kibitz.catan.core.codes import PLACE_ROAD, PLACE_SETTLEMENT
from kibitz.catan.core.policy import BUILDER
from kibitz.catan.core.scores import score_vertex
from kibitz.catan.core.state import ORE, WHEAT
from kibitz.compute.checkpoint import Checkpoint, CheckpointError
from kibitz.compute.cuda import Gpu
from kibitz.compute.runtime import Info, Limit, Runtime, Threads
from kibitz.game import OVER
from tests.catan.analysis.drafts import setup_plan

BOARD = Board.random(3)
#: Short games, so that many fit into a test.
RULES = Rules(victory_points=5)
SMALL = AnalysisConfig(mcts_iterations=200, mcts_trees=3, mcts_candidates=4)


def search(
    position: Position | None = None, config: AnalysisConfig = SMALL, runtime: Runtime | None = None, workers: Any = None
) -> AnalysisResult:
    return MctsAnalyzer().analyze(position or opening(), config, runtime, workers or Threads(1))


def opening(seats: int = 3, seat: int = 0) -> Position:
    return Position.opening(BOARD, seats, seat, RULES)


def late(picks: int, seats: int = 2) -> Position:
    """The draft of the bots after so many picks, for whoever picks next."""
    states = opening(seats).states
    for pick in predict(opening(seats), "builder")[:picks]:
        game.apply_at(states, 0, PLACE_SETTLEMENT + pick.vertex_id)
        game.apply_at(states, 0, PLACE_ROAD + pick.road)
    return Position.of(states)


# --- the tree ---------------------------------------------------------------------------------------------


def drafts(seats: int = 2, picks: int = 0, candidates: int = 3) -> DraftGame:
    """The draft of the bots after so many picks, as a game."""
    return DraftGame(late(picks, seats).states, Ledger("builder", candidates, None))


def scratch(seed: int = 0) -> Any:
    return SimpleNamespace(actions=[0] * 64, seed=seed)


@pytest.mark.plain
def test_the_draft_is_a_game_of_its_own():
    draft, x = drafts(seats=2, candidates=3), scratch(seed=5)
    turns = []
    while (seat := draft.actor()) != OVER:
        turns.append(seat)
        n = draft.legal(x)
        best = best_corners(draft.states, seat, 3)
        assert x.actions[:n] == sorted(best)
        assert draft.choose(x, BEST) == best[0]
        assert [draft.seen(a, 1 - seat) for a in best] == best, "everybody sees everything"
        before, path = draft.copy(), draft.path
        draft.apply(best[0])
        assert (before.path, draft.path) == (path, (*path, best[0]))
        assert before.states["placed"][0] + 1 == draft.states["placed"][0]
    assert turns == [seat_of(pick, 2) for pick in range(4)]
    assert [pick.vertex_id for pick in predict(opening(2), "builder-0.1")] == list(draft.path)


def test_the_end_of_a_draft_is_worth_a_whole_game():
    draft, x = drafts(picks=2), scratch(seed=77)
    draft.legal(x)
    first = draft.choose(x, BEST)
    draft.apply(first)
    draft.apply(draft.choose(x, LEAVE))
    assert draft.actor() == OVER
    winner = int(play_unit(Unit(draft.states, 0, 0, 1, (BUILDER,) * 4))["winner"][0])
    prizes = [draft.prize(seat) for seat in range(2)]
    assert sum(prizes) == 1
    assert draft.ledger.began == {77: first}
    assert prizes[int(draft.ledger.ends[77]["winner"])] == 1
    again = drafts(picks=2)
    again.ledger.ends[77] = draft.ledger.ends[77]
    again.legal(x)
    again.apply(first)
    assert [again.prize(seat) for seat in range(2)] == prizes, "a known game is not played again"
    assert winner in (0, 1)


@pytest.mark.plain
def test_roads_are_those_of_the_policy():
    draft = drafts(picks=1)
    corner = best_corners(draft.states, draft.actor(), 1)[0]
    first, second = draft.copy(), draft.copy()
    first.apply(corner)
    second.apply(corner)  # from the ledger this time
    assert first.states.tobytes() == second.states.tobytes() == setup_plan(late(1), corner).tobytes()


@pytest.mark.plain
def test_candidates_are_the_best_open_corners():
    position = Position.opening(BOARD, 2, seat=1, policy="builder-0.1")
    ranking = [score.vertex_id for score in rank_corners(position)]
    assert best_corners(position.states, 1, 5) == ranking[:5]
    assert best_corners(position.states, 1, 54) == ranking
    assert best_corners(position.states, 1, 1) == [pick.vertex_id for pick in predict(position, "builder")][1:2]


def grown(position: Position, config: AnalysisConfig, iterations: int) -> DraftSearch:
    found = DraftSearch(position, config, iterations)
    with Checkpoint(None, {}) as memory:
        while found.done < iterations:
            found.grow(Threads(2), memory)
    return found


def test_visits_add_up():
    found = grown(opening(), SMALL, 200)
    outcomes, corners = found.games()
    shares = found.first_picks()
    assert sum(share.games for share in shares.values()) == len(outcomes) == 200
    assert len(shares) == SMALL.mcts_candidates
    for corner, share in shares.items():
        games = outcomes[corners == corner]
        assert (share.games, share.won) == (len(games), int((games["winner"] == 0).sum()))


# --- the answer -------------------------------------------------------------------------------------------


def test_the_answer_holds_together():
    position = opening(seat=1)
    result = search(position)
    tried = [score for score in result.global_ranking if score.simulated]
    shares = [score.win_rate for score in tried if score.win_rate]
    assert len(tried) == len(shares) == SMALL.mcts_candidates
    assert sum(share.games for share in shares) == result.games == 200
    assert [share.games for share in shares] == sorted((share.games for share in shares), reverse=True)
    summary = result.full_game_summary
    assert summary is not None
    assert summary.rollout_count == 200
    assert sum(share.won for share in shares) == round(200 * summary.player_win_rates[1])
    static = rank_corners(position)
    assert sorted(score.vertex_id for score in result.global_ranking) == sorted(score.vertex_id for score in static)
    rest = [score for score in result.global_ranking if not score.simulated]
    assert rest == [score for score in static if score in rest]
    assert result.global_ranking == (*tried, *rest)
    assert result.top_recommendations == result.global_ranking[:5]
    for score, share in zip(tried, shares, strict=True):
        assert score.summary is not None
        assert score.summary.rollout_count == share.games
        assert score.recipe_coverage_score == pytest.approx(5 * share.rate)
        turn = 100 / score.tempo_score
        assert score.total == pytest.approx(0.45 * score.baseline_total + 8 * share.rate - turn / 60)
    assert AnalysisResult.from_json(json.loads(json.dumps(result.to_json()))) == result


def test_lines_can_be_played():
    position = opening(seat=1)
    result = search(position)
    before = [Action.from_code(code) for code in position.assumed]
    assert [line.label for line in result.explain_lines] == [
        f"MCTS#{i} V{score.vertex_id} (sim)" for i, score in enumerate(result.global_ranking[:4], start=1)
    ]
    for line, score in zip(result.explain_lines, result.global_ranking, strict=False):
        assert score.win_rate is not None
        assert (line.vertex_id, line.visits, line.value) == (score.vertex_id, score.win_rate.games, score.win_rate.rate)
        assert line.sentences[0].startswith(f"Tried in {line.visits} of 200 games")
        actions = [Action.from_text(text) for text in line.actions]
        assert actions[0] == Action("place_setup_settlement", {"corner": score.vertex_id})
        state = GameState.new(BOARD, 3, RULES)
        for action in before + actions:
            state = state.apply(action)
    best = [text for line in result.explain_lines[:1] for text in line.actions]
    picks = [pick for pick in result.predicted_sequence if pick.pick >= 1]
    assert [f"place_setup_settlement {pick.vertex_id}" for pick in picks][: len(best) // 2] == best[::2]
    assert [(pick.pick, pick.seat) for pick in result.predicted_sequence] == [(i, seat_of(i, 3)) for i in range(6)]


def test_the_most_visited_line_is_followed():
    found = grown(late(2), SMALL, 60)
    shares, lines = found.first_picks(), found.lines()
    assert set(lines) == set(shares)
    for corner, line in lines.items():
        assert line[0] == (corner, shares[corner].games)
        assert len(line) <= 2
        assert all(later <= sooner for (_, sooner), (_, later) in pairwise(line))


def test_the_last_pick_has_one_ply():
    position = late(3)
    result = search(position, AnalysisConfig(mcts_iterations=60, mcts_trees=2, mcts_candidates=3))
    assert result.seat == 0
    assert [score.simulated for score in result.global_ranking][:4] == [True, True, True, False]
    assert all(len(line.actions) == 2 for line in result.explain_lines)
    assert [pick.vertex_id for pick in result.predicted_sequence] == [result.global_ranking[0].vertex_id]


def test_a_single_candidate_gets_every_game():
    result = search(opening(), AnalysisConfig(mcts_iterations=30, mcts_trees=2, mcts_candidates=1))
    first, second = result.global_ranking[:2]
    assert first.win_rate is not None
    assert first.win_rate.games == 30
    assert first.vertex_id == rank_corners(opening())[0].vertex_id
    assert not second.simulated
    assert result.predicted_sequence == predict(opening(), "builder-0.1")
    assert result.warnings == ()


def test_a_pick_that_wins_at_once_is_found():
    """With two wheat and two ore in hand, one ore from the second settlement makes a city: the third point."""
    position = late(3)
    states = position.states.copy()
    states["victory_points"] = 3
    for resource in (WHEAT, ORE):
        states["bank"][0, resource] -= 2 - int(states["hand"][0, 0, resource])
        states["hand"][0, 0, resource] = 2
    states["hand_size"][0, 0] = int(states["hand"][0, 0].sum())
    ore = [corner for corner in range(54) if any(hex.resource == "ore" for hex in hexes_at(BOARD, corner))]
    free = int(states["open"][0])
    winning = min((c for c in ore if free >> c & 1), key=lambda c: score_vertex(states[0], 0, c))
    others = [c for c in best_corners(states, 0, 54) if c not in ore][:5]
    states["open"] = sum(1 << c for c in [winning, *others])
    rigged = Position.of(states)
    assert rank_corners(rigged)[0].vertex_id != winning
    result = search(rigged, AnalysisConfig(mcts_iterations=800, mcts_trees=2))
    best = result.top_recommendations[0]
    assert best.vertex_id == winning
    assert best.win_rate is not None
    assert best.win_rate.won == best.win_rate.games > 40
    assert result.warnings == ()


def test_rank_by_win_rate():
    config = AnalysisConfig(mcts_iterations=60, mcts_trees=2, mcts_candidates=5, rank_by="win_rate")
    result = search(config=config)
    rates = [score.win_rate.rate for score in result.global_ranking if score.win_rate]
    assert rates == sorted(rates, reverse=True)
    assert len(rates) == 5
    assert "cannot be told apart yet" in result.warnings[0]


# --- the same everywhere ----------------------------------------------------------------------------------


class Elsewhere:
    """Workers that get and give back bytes, as other processes do, and finish in reverse order."""

    def map(self, function: Callable[[Any], Any], pieces: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        for number in reversed(range(len(pieces))):
            yield number, pickle.loads(pickle.dumps(function(pickle.loads(pickle.dumps(pieces[number])))))


@pytest.mark.parametrize("workers", [Threads(2), Threads(3), Elsewhere()])
def test_workers_do_not_matter_and_the_seed_does(workers, monkeypatch):
    monkeypatch.setattr(mcts, "SLICE", 30)
    one = search()
    assert search(workers=workers) == one
    other = search(config=AnalysisConfig(**{**SMALL.to_json(), "mc_seed": 1}))
    assert other.global_ranking != one.global_ranking


def test_slices_do_not_matter(monkeypatch):
    one = search()
    monkeypatch.setattr(mcts, "SLICE", 7)
    assert search() == one


def test_another_process_gives_the_same():
    script = (
        "import json; from kibitz.catan.analysis.mcts import *; from kibitz.catan import Board, Rules;"
        "position = Position.opening(Board.random(3), 3, 0, Rules(victory_points=5));"
        "config = AnalysisConfig(mcts_iterations=200, mcts_trees=3, mcts_candidates=4);"
        "print(json.dumps(MctsAnalyzer().analyze(position, config).to_json()))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert AnalysisResult.from_json(json.loads(run.stdout)) == search()


# --- stopped, bounded, resumed, refused -------------------------------------------------------------------


def test_progress_is_heard_and_a_cancelled_search_returns_what_it_has(monkeypatch):
    monkeypatch.setattr(mcts, "SLICE", 30)
    heard: list[Info] = []

    def on_info(info: Info) -> None:
        heard.append(info)
        if len(heard) == 2:
            runtime.cancel()

    runtime = Runtime(on_info=on_info)
    result = search(runtime=runtime)
    assert (result.stopped, result.games) == ("cancelled", 60)
    assert [(info.done, info.total) for info in heard] == [(30, 200), (60, 200)]
    standing = heard[-1].ranking[0]
    assert standing.name == f"V{result.global_ranking[0].vertex_id}"
    assert standing.win_rate == result.global_ranking[0].win_rate
    whole = search(config=AnalysisConfig(**{**SMALL.to_json(), "mcts_iterations": 60}))
    assert whole.global_ranking == result.global_ranking


@pytest.mark.plain
def test_a_search_that_never_began_ranks_by_static_score():
    runtime = Runtime()
    runtime.cancel()
    position = opening(2)
    result = search(position, runtime=runtime)
    assert (result.stopped, result.games, result.explain_lines) == ("cancelled", 0, ())
    assert result.global_ranking == rank_corners(position)
    assert result.predicted_sequence == predict(position, "builder")
    assert AnalysisResult.from_json(json.loads(json.dumps(result.to_json()))) == result


@pytest.mark.parametrize(
    ("limit", "games"),
    [(Limit(iterations=50), 50), (Limit(games=2), 2), (Limit(games=90, iterations=70), 70), (Limit(games=999), 200)],
)
def test_limits_bound_the_iterations(limit, games):
    result = search(runtime=Runtime(limit))
    assert (result.games, result.stopped) == (games, None)


def test_time_is_a_limit():
    assert search(runtime=Runtime(Limit(time=1e-9))).stopped == "time"


def test_a_search_goes_on_where_it_was_killed(tmp_path, monkeypatch):
    monkeypatch.setattr(mcts, "SLICE", 30)
    file = tmp_path / "search"
    runtime = Runtime(on_info=lambda info: runtime.cancel() if info.done >= 90 else None, checkpoint=file)
    assert search(runtime=runtime).games == 90
    text = file.read_bytes()
    file.write_bytes(text[:-20])
    played = []
    monkeypatch.setattr(mcts, "play_list", lambda *args, real=mcts.play_list: played.append(args) or real(*args))
    assert search(runtime=Runtime(checkpoint=file)) == search()
    assert len(played) == (200 - 80) + 200
    played.clear()
    longer = AnalysisConfig(**{**SMALL.to_json(), "mcts_iterations": 230})
    assert search(config=longer, runtime=Runtime(checkpoint=file)).games == 230
    assert len(played) < 60
    with pytest.raises(CheckpointError, match="another analysis"):
        search(opening(seat=1), runtime=Runtime(checkpoint=file))


@pytest.mark.plain
def test_only_the_draft_is_searched_and_only_on_cpus():
    states = setup_plan(late(3), best_corners(late(3).states, 0, 1)[0])
    with pytest.raises(InvalidPosition, match="mcts searches the draft"):
        search(Position.of(states))
    with pytest.raises(InvalidConfig, match="runs on CPUs only"):
        search(workers=object.__new__(Gpu))
