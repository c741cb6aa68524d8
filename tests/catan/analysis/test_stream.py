"""An analysis in the background: what is heard of it, how it is stopped, and that errors are not lost."""

import threading
from dataclasses import replace
from functools import cache
from math import inf

import pytest

from kibitz.catan import Board
from kibitz.catan.analysis import create_analyzer
from kibitz.catan.analysis.base import Analysis
from kibitz.catan.analysis.full_game import FullGameAnalyzer
from kibitz.catan.analysis.position import Position
from kibitz.catan.analysis.types import AnalysisConfig, AnalysisMode, AnalysisResult
from kibitz.compute.runtime import Limit, Runtime, Threads
from kibitz.play.share import Standing

CONFIG = AnalysisConfig(full_game_rollouts=60, full_game_candidate_vertices=5, top=1, mc_samples=1, mc_throws=1)
LONG = replace(CONFIG, full_game_rollouts=20_000)


@cache
def opening() -> Position:
    return Position.opening(Board.beginner())


class Script:
    """An analyser that does what it is told."""

    mode = AnalysisMode.STATIC

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error
        self.waiting = threading.Event()

    def analyze(
        self, position: Position, config: AnalysisConfig = CONFIG, runtime: Runtime | None = None, workers: object = None
    ) -> AnalysisResult:
        """Report twice, wait to be cancelled if nothing is wrong."""
        assert runtime is not None
        runtime.report(1, 4, "one")
        runtime.report(2, 4, "two")
        if self.error is not None:
            raise self.error
        while runtime.stopped is None:
            self.waiting.wait(0.001)
        return AnalysisResult(mode=self.mode, board="", seats=4, seat=0, config=config, games=2, stopped=runtime.stopped)


@pytest.mark.plain
def test_what_is_heard_and_the_result():
    with Analysis(Script(), opening()) as analysis:
        infos = iter(analysis)
        assert [(next(infos).done, next(infos).ranking)] == [(1, "two")]
        analysis.cancel()
        assert list(infos) == []
        assert analysis.result().games == 2
        assert list(analysis) == [], "asked again it has nothing new to tell"
    assert analysis.result().stopped == "cancelled"


@pytest.mark.plain
def test_leaving_early_cancels_it():
    with Analysis(Script(), opening()) as analysis:
        pass
    assert analysis.result().stopped == "cancelled"
    with pytest.raises(KeyError), Analysis(Script(), opening()) as other:
        raise KeyError
    assert other.result().stopped == "cancelled"


@pytest.mark.plain
def test_an_error_is_raised_by_the_result():
    for error in (ZeroDivisionError("why not"), KeyboardInterrupt()):
        with Analysis(Script(error), opening()) as analysis:
            assert [info.done for info in analysis] == [1, 2]
            for _ in range(2):
                with pytest.raises(type(error)) as found:
                    analysis.result()
                assert found.value is error


@pytest.mark.plain
def test_a_limit_of_time():
    with Analysis(Script(), opening(), limit=Limit(time=1e-6)) as analysis:
        analysis._runtime.begin()
        assert analysis.result().stopped == "time"


def test_whole_games_with_everything_that_is_heard(monkeypatch):
    monkeypatch.setattr("kibitz.catan.analysis.race.REPORT_EVERY", -1.0)
    monkeypatch.setattr("kibitz.catan.analysis.race.REPORT_COST", inf)
    with Analysis(FullGameAnalyzer(), opening(), CONFIG, workers=Threads(2)) as analysis:
        infos = list(analysis)
    done = [info.done for info in infos]
    assert done == sorted(done)
    assert done[-1] == 300
    assert {info.total for info in infos} == {300}
    assert all(info.eta is not None and info.eta >= 0 for info in infos)
    assert all(isinstance(standing, Standing) for info in infos for standing in info.ranking)
    assert analysis.result() == FullGameAnalyzer().analyze(opening(), CONFIG)
    assert analysis.result().stopped is None


def test_cancelled_in_the_loop():
    with Analysis(create_analyzer("full_game"), opening(), LONG) as analysis:
        for _ in analysis:
            analysis.cancel()
    result = analysis.result()
    assert result.stopped == "cancelled"
    assert 0 < result.games < 100_000


def test_left_in_the_loop_and_gone_on_later(tmp_path):
    for _ in range(2):
        with Analysis(FullGameAnalyzer(), opening(), LONG, checkpoint=tmp_path / "games") as analysis:
            next(iter(analysis))
    limit = Limit(games=500)
    with Analysis(FullGameAnalyzer(), opening(), LONG, limit, checkpoint=tmp_path / "games") as analysis:
        resumed = analysis.result()
    assert resumed.games == 500
    assert resumed == FullGameAnalyzer().analyze(opening(), LONG, Runtime(limit))
