"""``kibitz analyze``: what it prints and draws, how it is stopped and resumed, and what it refuses."""

import gzip
import json
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import get_type_hints

import pytest

from kibitz.catan import Board
from kibitz.catan.analysis import AnalysisConfig, AnalysisResult, Position, create_analyzer
from kibitz.catan.analysis.draft import predict
from kibitz.catan.analysis.types import AnalysisMode
from kibitz.catan.commands.analyze import SETTINGS, Settings
from kibitz.catan.core.record import Record, simulate
from kibitz.compute import cluster, cuda
from kibitz.compute.runtime import Threads
from kibitz.ground.signs import MINUS
from tests.cli.results import refused

ROOT = Path(__file__).parents[2]
QUICK = ("--rollouts", 12, "--candidates", 4)
MODES = {
    "static": (),
    "monte_carlo": ("--samples", 30, "--candidates", 4),
    "mcts": ("--iterations", 40),
    "full_game": QUICK,
    "ismcts": ("--iterations", 60),
}


@pytest.fixture
def kibitz(kibitz):
    return partial(kibitz, "analyze", columns=150)


def told(kibitz, *arguments: object, columns: int = 150) -> str:
    code, out, err = kibitz(*arguments, columns=columns)
    assert (code, err.strip()) == (0, "")
    return out


def answered(kibitz, *arguments: object) -> AnalysisResult:
    return AnalysisResult.from_json(json.loads(told(kibitz, *arguments, "--json")))


@pytest.fixture(scope="module")
def game() -> Record:
    return simulate(Board.beginner(), ["builder"] * 4, seed=1)


@pytest.fixture
def record(game, tmp_path) -> Path:
    file = tmp_path / "game.jsonl"
    file.write_text("\n".join(game.lines()) + "\n")
    return file


def step_of(game: Record, phase: int, after: int = 0) -> int:
    """The first step from `after` on at which the game waits for `phase`."""
    return next(step for step, states in enumerate(game.states()) if step >= after and states["phase"][0] == phase)


# --- what is told -------------------------------------------------------------------------------------------------


def test_full_games_on_the_beginner_board(kibitz):
    out = told(kibitz, "beginner", *QUICK, "--top", 2)
    assert out.startswith("Board beginner · seat 1 of 4 · full_game · 4 candidates · 48 games\n")
    rows = re.findall(r"^ *(\d+) +V(\d+) +(\d+\.\d) % ± \d+\.\d +(\d+) +(\w.*)$", out, re.MULTILINE)
    expected = create_analyzer("full_game").analyze(
        Position.opening(Board.beginner()), AnalysisConfig(full_game_rollouts=12, full_game_candidate_vertices=4, top=2)
    )
    best = [score for score in expected.global_ranking if score.simulated]
    assert [int(row[1]) for row in rows] == [score.vertex_id for score in best]
    assert [int(row[3]) for row in rows] == [score.win_rate.games for score in best]
    assert "wheat 6 · brick 5 · ore 3" in out
    assert "50 not simulated, by static score: " in out
    for line in expected.explain_lines:
        assert f"\n{line.label}\n" in out
    assert "Predicted draft\n  you V" in out
    assert "All 48 games of all candidates together" in out
    assert re.search(r"A game lasts \d+\.\d turns on average", out)


def test_leaders_that_cannot_be_told_apart_are_told_in_their_row(kibitz):
    out = told(kibitz, "beginner", *QUICK)
    (warning,) = answered(kibitz, "beginner", *QUICK).warnings
    corner, _, doubt = warning.partition(" ")
    assert re.search(rf"^ *2 +{corner} .*{re.escape(doubt)}", out, re.MULTILINE)
    assert out.count("cannot be told apart") == 1


def test_static_scores_show_every_term(kibitz):
    out = told(kibitz, "beginner", "--mode", "static", "--top", 3)
    assert re.search(r"corner +score +pips +diversity +scarcity +recipes +harbour +room +robber", out)
    assert len(re.findall(r"^ *\d +V\d+ +\d\.\d\d ", out, re.MULTILINE)) == 3


def test_dice_show_income_and_waiting_times(kibitz):
    out = told(kibitz, "beginner", *("--mode", "monte_carlo"), *MODES["monte_carlo"], "--throws", 40, "--top", 1)
    assert "4 candidates · 120 sequences of 40 throws" in out
    assert re.search(r"corner +wood +brick +sheep +wheat +ore +all", out)
    assert "Throws until it can be paid for, of 40" in out
    assert len(re.findall(r"^V\d+ +(?:road|settlement|city|development card) +\d+\.\d ", out, re.MULTILINE)) == 4


def test_a_search_shows_its_visits_and_its_line(kibitz):
    out = told(kibitz, "beginner", "--mode", "mcts", *MODES["mcts"], "--seat", 2)
    assert out.startswith("Board beginner · seat 2 of 4 · mcts · 40 games\n")
    assert re.search(r"MCTS#1 V\d+ \(sim\)\n  Tried in \d+ of 40 games", out)
    assert re.search(r"Predicted draft\n  seat 1 V\d+, you V\d+, seat 3 V\d+", out)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("columns", [30, 80])
def test_no_line_is_wider_than_the_terminal(kibitz, mode, columns):
    out = told(kibitz, "--seed", 5, "--mode", mode, *MODES[mode], columns=columns)
    assert max(map(len, out.splitlines())) <= columns
    assert "\x1b" not in out


def test_headings_fit_into_eighty_columns(kibitz):
    assert "robber" in told(kibitz, "--seed", 5, "--mode", "static", columns=80)


def figures(out: str) -> set[str]:
    """Rates with their margins, and numbers with decimals."""
    return set(re.findall(r"\d+\.\d % ± \d+\.\d|[+-]?\d+\.\d+ ± \d+\.\d|-?\d+\.\d+", out))


@pytest.mark.parametrize("mode", MODES)
def test_a_narrow_terminal_breaks_no_figure_and_no_word(kibitz, mode):
    wide, narrow = (told(kibitz, "--seed", 5, "--mode", mode, *MODES[mode], columns=columns) for columns in (200, 40))
    if mode == "monte_carlo":
        wide = re.sub(r"(?<=\d) +\d+% [ ▁-█]*$", "", wide, flags=re.MULTILINE)  # columns that a narrow table leaves out
    assert figures(wide) <= figures(narrow)
    letters = r"[^\W\d_]{2,}"
    assert set(re.findall(letters, narrow)) <= set(re.findall(letters, wide))


def test_a_narrow_table_of_moves_breaks_nothing(kibitz, record, game):
    from kibitz.catan.core.state import ROBBER_MOVE

    arguments = (record, "--at", step_of(game, ROBBER_MOVE), "--rollouts", 4, "--top", 1)
    wide, narrow = (told(kibitz, *arguments, columns=columns) for columns in (200, 40))
    assert max(map(len, narrow.splitlines())) <= 40
    assert figures(wide) <= figures(narrow)
    assert re.search(r"^1 the robber to hex \d+ \(\w+ ?\d*\)$", narrow, re.MULTILINE)


def test_readme_and_docs_show_what_is_printed_and_drawn(kibitz, tmp_path):
    """To show the new output where this fails: ``COLUMNS=100 kibitz analyze --seed 42 --svg docs/images/analysis.svg``."""
    out = told(kibitz, "--seed", 42, "--svg", tmp_path / "analysis.svg", columns=100)
    printed = {line.rstrip() for line in out.splitlines()}
    for page in ("README.md", "docs/analysis.md"):
        shown = re.search(r"```text\n(Board 42 .*?)```", (ROOT / page).read_text(), re.DOTALL)[1]
        assert {line for line in shown.splitlines() if line != " ..."} <= printed
    assert (tmp_path / "analysis.svg").read_bytes() == (ROOT / "docs/images/analysis.svg").read_bytes()


# --- boards and records -------------------------------------------------------------------------------------------


def test_a_random_board_tells_its_seed(kibitz):
    first = told(kibitz, *QUICK)
    seed = re.match(r"Board (\d+) \(random, spiral\) · seat 1 of 4", first)[1]
    assert told(kibitz, *QUICK, "--seed", seed) == first
    assert answered(kibitz, "random", *QUICK, "--seed", seed).board == Board.random(int(seed)).to_text()
    assert told(kibitz, *QUICK, "--seed", int(seed) + 1) != first


def test_boards_by_text_and_file(kibitz, tmp_path):
    board = Board.random(77)
    (tmp_path / "island.txt").write_text(board.to_text() + "\n")
    (tmp_path / "island.json").write_text(json.dumps(board.to_json(), indent=1))
    answers = [told(kibitz, place, "--mode", "static") for place in (board.to_text(), *tmp_path.iterdir())]
    assert sorted(answer.partition(" · ")[0] for answer in answers) == [
        "Board as typed",
        "Board island.json",
        "Board island.txt",
    ]
    assert len({answer.partition(" · ")[2] for answer in answers}) == 1
    assert answered(kibitz, board.to_text(), "--mode", "static").board == board.to_text()


def test_a_record_begins_with_its_draft(kibitz, record, game):
    out = told(kibitz, record, "--mode", "static")
    assert out.startswith("game.jsonl, game 0 · step 0, set-up: seat 1 of 4 to place a settlement · static\n")
    plain = answered(kibitz, "beginner", "--mode", "static")
    assert answered(kibitz, record, "--mode", "static").global_ranking == plain.global_ranking


def test_a_record_is_known_by_its_content(kibitz, record):
    other = record.rename(record.with_name("[red]game"))
    assert told(kibitz, other, "--mode", "static").startswith("[red]game, game 0 · step 0")
    packed = record.with_name("game.gz")
    packed.write_bytes(gzip.compress(other.read_bytes()))
    assert told(kibitz, packed, "--mode", "static").startswith("game.gz, game 0 · step 0")


def test_the_second_settlement_comes_with_its_road(kibitz, record):
    result = answered(kibitz, record, "--at", 8, *QUICK)
    assert (result.seat, result.position["step"]) == (3, 8)
    simulated = [score for score in result.global_ranking if score.simulated]
    assert all(score.road is not None for score in simulated)
    out = told(kibitz, record, "--at", 8, *QUICK)
    assert f"V{simulated[0].vertex_id} → V" in out
    assert "step 8, set-up: seat 4 of 4 to place a settlement · full_game · 4 corners, each with its roads · " in out


def test_another_seat_of_the_draft_may_ask(kibitz, record):
    assert answered(kibitz, record, "--at", 2, "--seat", 4, "--mode", "static").seat == 3


def test_moves_of_a_running_game(kibitz, record, game):
    from kibitz.catan.core.state import ROBBER_MOVE

    step = step_of(game, ROBBER_MOVE)
    out = told(kibitz, record, "--at", step, "--rollouts", 20, "--top", 3)
    result = answered(kibitz, record, "--at", step, "--rollouts", 20, "--top", 3)
    assert out.startswith(
        f"game.jsonl, game 0 · step {step}, turn {result.position['turn']}: seat {result.seat + 1} of 4 to move the robber"
        f" · full_game · {result.games} games\n"
    )
    robber, rate = r"the robber to hex \d+ \(\w+(?: \d+)?\)", r"\d+\.\d % ± \d+\.\d"
    assert re.search(rf"^ *1 +{robber} +{rate} +\d+ *$", out, re.MULTILINE)
    assert re.search(rf"^ *2 +{robber} +{rate} +[+{MINUS}]\d+\.\d ± \d+\.\d +\d+ *$", out, re.MULTILINE)
    assert re.search(rf"^FG#1 {robber}$", out, re.MULTILINE)


def test_a_move_that_is_the_only_one(kibitz, record, game):
    from kibitz.catan.core.state import TURN_START

    out = told(kibitz, record, "--at", step_of(game, TURN_START), "--rollouts", 2)
    assert re.search(r"^ *1 +roll the dice +.* the only move +2 *$", out, re.MULTILINE)


def test_what_retired_stands_below_a_line(kibitz):
    arguments = ("beginner", "--rollouts", 300, "--candidates", 6)
    out, result = told(kibitz, *arguments), answered(kibitz, *arguments)
    games = [score.win_rate.games for score in result.global_ranking if score.simulated]
    finalists = [n for n in games if 3 * n >= 2 * games[0]]
    assert 0 < len(finalists) < len(games)
    assert games[: len(finalists)] == finalists
    assert "Below the line: dropped earlier, after fewer games; ranked by how long they stayed." in out
    table = out.split("\n\n")[1].splitlines()
    numbers = [match[1] if (match := re.match(r" *(\d+) +V", line)) else "" for line in table]
    assert set(table[numbers.index(str(len(finalists) + 1)) - 1].strip()) == {"─"}
    assert "Below the line" not in told(kibitz, *arguments, "--uniform")


def test_a_search_and_its_table_agree(kibitz):
    """What a row expects of the draft is what its line expects, also where the bot alone would pick otherwise."""
    arguments = ("beginner", "--mode", "mcts", "--iterations", 300, "--candidates", 4, "--seats", 2, "--policy", "builder-0.1")
    out, result = told(kibitz, *arguments, columns=200), answered(kibitz, *arguments)
    table = dict(re.findall(r"^ *\d +V(\d+) .* comes? from V(\d+)", out, re.MULTILINE))
    said = {str(line.vertex_id): re.search(r"comes? from V(\d+) in your next pick", line.text) for line in result.explain_lines}
    assert {corner: found[1] for corner, found in said.items() if found} == table
    alone = {corner: predict(Position.opening(Board.beginner(), seats=2), "builder-0.1", [int(corner)])[3] for corner in table}
    assert any(str(pick.vertex_id) != table[corner] for corner, pick in alone.items())


def test_what_is_assumed_of_others_is_told(kibitz, record):
    out = told(kibitz, "beginner", "--seat", 3, "--mode", "static")
    first, second = answered(kibitz, "beginner", "--seat", 3, "--mode", "static").predicted_sequence[:2]
    assert out.splitlines()[1] == f"assumed: seat 1 V{first.vertex_id}, seat 2 V{second.vertex_id}"
    assert "assumed" not in told(kibitz, "beginner", "--mode", "static")
    assert "assumed" not in told(kibitz, record, "--at", 8, "--mode", "static")


def test_corners_of_a_running_game_come_with_a_warning(kibitz, record):
    assert "Corners for a next settlement, whether or not a road leads there." in told(
        kibitz, record, "--at", 16, "--mode", "static", "--top", 1
    )


def test_another_game_of_the_file(kibitz, record):
    other = simulate(Board.random(9), ["builder"] * 3, seed=2, number=1)
    record.write_text(record.read_text() + "\n".join(other.lines()) + "\n")
    result = answered(kibitz, record, "--game", 1, "--mode", "static")
    assert (result.board, result.seats) == (Board.random(9).to_text(), 3)


# --- options ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "field", "value"),
    [
        (("--rollouts", 3, "--candidates", 2), "full_game_rollouts", 3),
        (("--rollouts", 3, "--candidates", 2), "full_game_candidate_vertices", 2),
        ((*QUICK, "--max-turns", 20), "full_game_max_turns", 20),
        ((*QUICK, "--trade-offers", 0), "full_game_trade_offer_limit", 0),
        ((*QUICK, "--finalists", 2), "finalists", 2),
        ((*QUICK, "--seed", -7), "mc_seed", -7),
        (QUICK, "mc_seed", 0),
        ((*QUICK, "--policy", "seed"), "policy", "seed"),
        ((*QUICK, "--rank-by", "win_rate"), "rank_by", "win_rate"),
        ((*QUICK, "--uniform"), "adaptive", False),
        (QUICK, "adaptive", True),
        ((*QUICK, "--top", 2), "top", 2),
        (("--mode", "monte_carlo", "--candidates", 2, "--samples", 5), "mc_samples", 5),
        (("--mode", "monte_carlo", "--candidates", 2, "--samples", 5, "--throws", 9), "mc_throws", 9),
        (("--mode", "mcts", "--iterations", 6), "mcts_iterations", 6),
        (("--mode", "mcts", "--iterations", 6, "--candidates", 3), "mcts_candidates", 3),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, tuple) else "",
)
def test_options_become_settings(kibitz, arguments, field, value):
    config = answered(kibitz, "beginner", *arguments).config
    assert getattr(config, field) == value


def test_seats_seat_and_rules(kibitz):
    result = answered(kibitz, "beginner", "--seats", 3, "--seat", 3, "--mode", "static")
    assert (result.seats, result.seat) == (3, 2)
    assert [pick.seat for pick in result.predicted_sequence] == [0, 1, 2, 2, 1, 0]
    short = answered(kibitz, "beginner", *QUICK, "--rule", "victory_points=4")
    long = answered(kibitz, "beginner", *QUICK)
    assert short.full_game_summary.average_game_length_turns < long.full_game_summary.average_game_length_turns


def lengths(result: AnalysisResult) -> float:
    return result.full_game_summary.average_game_length_turns


def test_a_turn_cap_ends_games(kibitz):
    capped = answered(kibitz, "beginner", *QUICK, "--max-turns", 20)
    assert capped.full_game_summary.unfinished > 0
    assert lengths(capped) <= 40, "40 turns are played at least"
    assert answered(kibitz, "beginner", *QUICK).full_game_summary.unfinished == 0


@pytest.mark.parametrize("option", [("--trade-offers", 0), ("--policy", "seed"), ("--rule", "domestic_trade=off")])
@pytest.mark.parametrize("mode", ["full_game", "mcts"])
def test_other_games_are_played_by_other_rules_and_bots(kibitz, mode, option):
    arguments = ("beginner", "--mode", mode, *MODES[mode])
    assert lengths(answered(kibitz, *arguments, *option)) != lengths(answered(kibitz, *arguments))


def test_offers_are_limited_by_the_rules_too(kibitz):
    none = lengths(answered(kibitz, "beginner", *QUICK, "--trade-offers", 0))
    assert lengths(answered(kibitz, "beginner", *QUICK, "--rule", "offer_limit=0")) == none


def test_candidates_are_ranked_as_asked(kibitz):
    """Of those with equally many games: by score or by win rate."""
    arguments = ("--seed", 8, "--rollouts", 20, "--candidates", 8, "--uniform")
    by_score, by_rate = (answered(kibitz, *arguments, "--rank-by", how).global_ranking[:8] for how in ("score", "win_rate"))
    assert [score.total for score in by_score] == sorted((score.total for score in by_score), reverse=True)
    rates = [score.win_rate.rate for score in by_rate]
    assert rates == sorted(rates, reverse=True)
    assert {score.vertex_id: score.total for score in by_score} == {score.vertex_id: score.total for score in by_rate}
    assert [score.vertex_id for score in by_score] != [score.vertex_id for score in by_rate]


def test_every_candidate_plays_as_many_games_if_uniform(kibitz):
    result = answered(kibitz, "beginner", "--rollouts", 30, "--candidates", 5, "--uniform")
    assert [score.win_rate.games for score in result.global_ranking if score.simulated] == [30] * 5


def test_help_tells_the_defaults_of_the_settings():
    hints = get_type_hints(Settings, include_extras=True)
    for option, fields in SETTINGS.items():
        shown = hints[option.removeprefix("--").replace("-", "_")].__metadata__[0].show_default
        for field in set(fields.values()) - {"adaptive", "guard"}:
            assert re.search(rf"\b{getattr(AnalysisConfig(), field)}\b", str(shown)), option


# --- the same answer ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_json_is_the_result_and_back(kibitz, mode):
    out = told(kibitz, "--seed", 3, "--mode", mode, *MODES[mode], "--json")
    data = json.loads(out)
    assert AnalysisResult.from_json(data).to_json() == data
    assert (data["mode"], data["board"], data["seat"]) == (mode, Board.random(3).to_text(), 0)
    assert {"global_ranking", "predicted_sequence", "top_recommendations", "explain_lines", "full_game_summary"} <= set(data)
    if mode == "full_game":
        names = {"player_win_rates", "expected_turns_to_victory", "average_game_length_turns", "rollout_count"}
        assert names <= set(data["full_game_summary"])


@pytest.mark.parametrize("mode", ["monte_carlo", "mcts", "full_game"])
def test_any_number_of_threads_gives_the_same(kibitz, mode):
    arguments = ("--seed", 3, "--mode", mode, *MODES[mode], "--json")
    first = told(kibitz, *arguments, "--jobs", 1)
    assert first == told(kibitz, *arguments, "--jobs", 3) == told(kibitz, *arguments)


def test_a_cluster_gives_the_same(kibitz, monkeypatch):
    class Fake(Threads):
        """Threads that say that they are a cluster."""

        def __init__(self, address: str) -> None:
            super().__init__(2)
            met.append(address)

        def __enter__(self) -> "Fake":
            return self

        def __exit__(self, *_: object) -> None:
            met.append("closed")

    met: list[str] = []
    monkeypatch.setattr(cluster, "Cluster", Fake)
    out = told(kibitz, "beginner", *QUICK, "--json", "--cluster", "tcp://host:8786")
    assert met == ["tcp://host:8786", "closed"]
    assert out == told(kibitz, "beginner", *QUICK, "--json")


# --- pictures -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_a_picture_of_every_mode(kibitz, tmp_path, mode):
    target = tmp_path / "board.svg"
    out = told(kibitz, "beginner", "--mode", mode, *MODES[mode], "--svg", target)
    assert out.endswith(f"drawn: {target}\n")
    ids = [element.get("id") for element in ET.parse(target).iter() if element.get("id")]
    best = answered(kibitz, "beginner", "--mode", mode, *MODES[mode]).top_recommendations[0].vertex_id
    assert {f"mark-corner-{best}", f"badge-{best}", "legend"} <= set(ids)


def test_json_stays_alone_on_standard_output(kibitz, tmp_path):
    out = told(kibitz, "beginner", *QUICK, "--json", "--svg", tmp_path / "board.svg")
    assert json.loads(out)["games"] == 48
    assert (tmp_path / "board.svg").read_text().startswith("<svg")


# --- stopping and going on ----------------------------------------------------------------------------------------


def test_the_time_may_be_limited(kibitz, monkeypatch):
    """The clock of the analysis goes on by a second whenever it is looked at."""
    seconds = count()
    monkeypatch.setattr("kibitz.compute.runtime.time.monotonic", lambda: float(next(seconds)))
    monkeypatch.setattr("kibitz.catan.analysis.race.REPORT_EVERY", -1.0)
    out = told(kibitz, "beginner", "--rollouts", 2000, "--time", 9, "--jobs", 1)
    assert re.search(r"^Partial: the time was up after [\d,]+ of 20,000 games\.$", out, re.MULTILINE)
    assert answered(kibitz, "beginner", "--rollouts", 2000, "--time", 9, "--jobs", 1).stopped == "time"


def test_a_time_too_short_for_any_game_leaves_the_static_scores(kibitz):
    out = told(kibitz, "beginner", "--rollouts", 20_000, "--time", 1e-9)
    assert "Partial: the time was up.\n" in out
    assert re.search(r"^ *1 +V41 +1\.43 +wheat 6", out, re.MULTILINE)


def interruptible() -> None:
    """Tests that run in the background inherit that Ctrl-C is ignored; who is interrupted here must not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def started(*command: object) -> Iterator[subprocess.Popen[str]]:
    pipe = subprocess.PIPE
    words = [sys.executable, *map(str, command)]
    with subprocess.Popen(words, stdout=pipe, stderr=pipe, text=True, preexec_fn=interruptible) as process:  # noqa: PLW1509
        try:
            yield process
        finally:
            process.kill()


def test_an_interrupt_gives_what_there_is():
    with started("-m", "kibitz.cli", "analyze", "beginner", "--rollouts", 20_000) as process:
        assert "200,000 games" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert re.search(r"^Partial: stopped after [\d,]+ of 200,000 games\.$", out, re.MULTILINE)
    assert re.search(r"^ *1 +V\d+ +\d+\.\d % ± ", out, re.MULTILINE)
    assert "press Ctrl-C again to quit at once" in err
    assert "Traceback" not in err


def test_a_second_interrupt_ends_the_program():
    script = (
        "import time; from kibitz.cli.common import stops_on_interrupt\n"
        "with stops_on_interrupt(lambda: print('stop', flush=True), 'once more'):\n"
        "    print('ready', flush=True)\n"
        "    time.sleep(60)\n"
    )
    with started("-c", script) as process:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "stop\n"
        assert [process.stderr.readline(), process.stderr.readline()] == ["\n", "kibitz: once more\n"]
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == -signal.SIGINT


@pytest.mark.parametrize("mode", [("full_game", "--rollouts", 150, "--candidates", 5), ("mcts", "--iterations", 500)])
def test_a_killed_analysis_goes_on_from_its_checkpoint(kibitz, tmp_path, mode):
    file = tmp_path / "analysis.jsonl"
    arguments = ("beginner", "--seed", 4, "--mode", *mode, "--json")
    with started("-m", "kibitz.cli", "analyze", *arguments, "--jobs", 1, "--checkpoint", file) as process:
        deadline = time.monotonic() + 120
        while (not file.exists() or file.read_bytes().count(b"\n") < 4) and time.monotonic() < deadline:
            assert process.poll() is None
            time.sleep(0.005)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    code, resumed, err = kibitz(*arguments, "--checkpoint", file)
    assert code == 0
    games = int(re.fullmatch(rf"kibitz: {re.escape(str(file))}: ([\d,]+) games resumed", err.rstrip("\n"))[1].replace(",", ""))
    result = AnalysisResult.from_json(json.loads(resumed))
    assert 0 < games < result.games
    assert resumed == told(kibitz, *arguments)
    code, again, err = kibitz(*arguments, "--checkpoint", file)
    assert (code, again) == (0, resumed)
    assert f"{result.games:,} games resumed" in err


# --- what the user can mend ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--mode", "guess"], "--mode guess: expected static, monte_carlo, mcts, full_game or ismcts"),
        (["--seat", 0], "--seat 0: the seats are 1 to 4"),
        (["--seat", 5], "--seat 5: the seats are 1 to 4"),
        (["--seat", 3, "--seats", 2], "--seat 3: the seats are 1 to 2"),
        (["--seats", 5], "--seats 5: Catan is for 2 to 4 players"),
        (["--seats", 0], "--seats 0: Catan is for 2 to 4 players"),
        (["--rollouts", "abc"], "--rollouts: "),
        (["--rollouts"], "'--rollouts' requires an argument"),
        (["--nonsense"], "--nonsense"),
        (["extra"], "unexpected extra argument"),
        (["--rollouts", 0], "--rollouts 0: expected a whole number from 1 to"),
        (["--candidates", 55], "--candidates 55: expected a whole number from 1 to 54"),
        (["--mode", "mcts", "--candidates", 0], "--candidates 0: expected a whole number from 1 to 54"),
        (["--max-turns", 19], "--max-turns 19: expected a whole number from 20 to"),
        (["--trade-offers", -1], "--trade-offers -1: expected a whole number from 0 to"),
        (["--top", 0], "--top 0: expected a whole number from 1 to 54"),
        (["--seed", 2**70], f"--seed {2**70}: expected a whole number"),
        (["--policy", "nobody"], "--policy 'nobody': no such bot; these are "),
        (["--rank-by", "luck"], "--rank-by luck: expected score or win_rate"),
        (["--mode", "monte_carlo", "--samples", 0], "--samples 0: expected a whole number from 1 to"),
        (["--mode", "monte_carlo", "--throws", 0], "--throws 0: expected a whole number from 1 to"),
        (["--mode", "mcts", "--iterations", 0], "--iterations: "),
        (["--time", 0], "--time 0.0: expected a number of seconds greater than 0"),
        (["--time", "nan"], "--time nan: expected a number of seconds greater than 0"),
        (["--jobs", 0], "--jobs: "),
        (["--device", "tpu"], "--device tpu: expected cpu or cuda"),
        (["--rule", "dragons"], "--rule unknown rule 'dragons'"),
        (["--mode", "static", "--uniform"], "--uniform: only for full_game, not for static"),
        (["--mode", "static", "--rollouts", 5], "--rollouts: only for full_game, not for static"),
        (["--mode", "mcts", "--rollouts", 5], "--rollouts: only for full_game, not for mcts"),
        (["--iterations", 5], "--iterations: only for mcts and ismcts, not for full_game"),
        (["--samples", 5], "--samples: only for monte_carlo, not for full_game"),
        (["--mode", "static", "--time", 5], "--time: only for monte_carlo, mcts, full_game and ismcts, not for static"),
        (["--mode", "mcts", "--device", "cuda"], "--device cuda: only for full_game, not for mcts"),
        (["--mode", "monte_carlo", "--checkpoint", "x"], "--checkpoint: only for mcts and full_game, not for monte_carlo"),
        (["--cluster", "tcp://host:1", "--device", "cuda"], "--cluster and --device cuda: games run in only one place"),
        (["--cluster", "tcp://host:1", "--jobs", 2], "--cluster and --jobs: games run in only one place"),
        (["--cluster", "nonsense:x"], "--cluster nonsense:x: "),
        (["--at", 3], "--at: only for game records"),
        (["--game", 1], "--game: only for game records"),
        (["--svg", "."], "is not a file"),
        (["--svg", "nowhere/board.svg"], "nowhere/board.svg: there is no folder nowhere"),
        (["--checkpoint", "nowhere/file"], "nowhere/file: there is no folder nowhere"),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else "",
)
def test_one_line_says_what_is_wrong(kibitz, monkeypatch, tmp_path, arguments, message):
    monkeypatch.chdir(tmp_path)
    assert message in refused(kibitz("beginner", *arguments))
    assert list(tmp_path.iterdir()) == []


def test_bad_boards_are_refused_in_one_line(kibitz, tmp_path):
    assert refused(kibitz("nowhere.txt")) == (
        "nowhere.txt: no such file; it can also be random, beginner, or the text of a board"
    )
    assert refused(kibitz(tmp_path)).startswith(f"{str(tmp_path)[:80]}: is a folder")
    assert refused(kibitz("")) == "'': no such file; it can also be random, beginner, or the text of a board"
    text = Board.beginner().to_text()
    assert "hex 0: cannot read 'q10'" in refused(kibitz(text.replace("o10", "q10", 1)))
    for content, message in ((b"{", "not JSON"), (b"\xff\xfe", "not a text in UTF-8"), (b"", "expected the hexes")):
        (tmp_path / "board").write_bytes(content)
        error = refused(kibitz(tmp_path / "board"))
        assert error.startswith(str(tmp_path / "board")[:80])
        assert message in error


def test_positions_that_leave_nothing_to_decide_are_refused(kibitz, record, game):
    steps = len(game.codes)
    assert "the game is over" in refused(kibitz(record, "--at", steps))
    assert refused(kibitz(record, "--at", steps + 1)) == f"--at {steps + 1}: the game has steps 0 to {steps}"
    assert refused(kibitz(record, "--at", -1)) == f"--at -1: the game has steps 0 to {steps}"
    assert refused(kibitz(record, "--at", 17)).startswith("--at 17: it is chance to move here")
    assert refused(kibitz(record, "--at", 16, "--seat", 2)) == "--at 16 and --seat 2: it is seat 1 to move, not seat 2"
    assert refused(kibitz(record, "--at", 16, "--seat", 5)) == "--seat 5: the seats are 1 to 4"
    assert refused(kibitz(record, "--at", 16, "--candidates", 3)) == (
        "--candidates: is for corners; after the draft, every sensible move is tried"
    )
    assert "mcts searches the draft" in refused(kibitz(record, "--at", 16, "--mode", "mcts"))


def test_what_does_not_fit_a_record_is_refused(kibitz, record):
    assert refused(kibitz(record, "--seats", 3)) == "--seats: only for boards; a record has its own"
    assert refused(kibitz(record, "--rule", "victory_points=5")) == "--rule: only for boards; a record has its own"
    assert refused(kibitz(record, "--game", 1)) == f"{record}: there is no game 1; the file holds 1"
    record.write_text(record.read_text()[:5000])
    assert refused(kibitz(record)).startswith(f"{record}: line ")


def test_a_checkpoint_of_other_work_is_refused_and_kept(kibitz, tmp_path):
    file = tmp_path / "checkpoint"
    told(kibitz, "beginner", *QUICK, "--checkpoint", file)
    before = file.read_bytes()
    assert refused(kibitz("beginner", *QUICK, "--seed", 1, "--checkpoint", file)).startswith(
        f"{file}: the checkpoint of another analysis"
    )
    assert file.read_bytes() == before
    file.write_text("something else\n")
    assert refused(kibitz("beginner", *QUICK, "--checkpoint", file)).startswith(f"{file}: line 1 is not that of a checkpoint")


def test_a_checkpoint_asks_for_a_board_that_can_be_had_again(kibitz, tmp_path):
    assert "also give a board or --seed" in refused(kibitz(*QUICK, "--checkpoint", tmp_path / "file"))
    assert not list(tmp_path.iterdir())
    told(kibitz, *QUICK, "--seed", 3, "--checkpoint", tmp_path / "file")


def test_a_gpu_that_is_not_there_is_said_in_one_line(kibitz, monkeypatch):
    def missing() -> None:
        raise cuda.NoGpu("no GPU: none here")

    monkeypatch.setattr(cuda, "require_gpu", missing)
    assert refused(kibitz("beginner", "--device", "cuda")) == "--device cuda: no GPU: none here"


def test_a_cluster_that_is_lost_is_said_in_one_line(kibitz, monkeypatch):
    class Lost:
        def __init__(self, address: str) -> None:
            pass

        def __enter__(self) -> "Lost":
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def map(self, function: object, pieces: object) -> Iterator[tuple[int, object]]:
            yield from ()
            raise cluster.NoCluster("the Dask scheduler at tcp://host:8786 is gone")

    monkeypatch.setattr(cluster, "Cluster", Lost)
    assert refused(kibitz("beginner", *QUICK, "--cluster", "x")) == "the Dask scheduler at tcp://host:8786 is gone"


def test_all_modes_are_tested():
    assert set(MODES) == set(AnalysisMode)
