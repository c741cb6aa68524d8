"""A running analysis in the library: there when the server is killed, as far as it was, and marked as ended early."""

from pathlib import Path

import pytest

from kibitz.catan.analysis.question import InvalidQuestion, Question
from kibitz.catan.pages import diary
from kibitz.catan.pages.diary import Diary, Unfinished, is_unfinished, unfinished
from kibitz.compute.runtime import Info, Runtime
from kibitz.play.share import Share, Standing
from kibitz.web.services import ENDED_EARLY
from kibitz.web.store import NotSaved, Store

pytestmark = pytest.mark.plain
QUESTION = Question.from_json({"board": "beginner", "seats": 3})
STANDINGS = (Standing("V41", Share(30, 100, 0.31, 150.0), 0.7, True), Standing("V23", Share(1, 20), 0.2, False))


@pytest.fixture
def store(tmp_path: Path):
    opened = Store(tmp_path / "library.sqlite3")
    yield opened
    opened.close()


@pytest.fixture
def runtime(monkeypatch):
    monkeypatch.setattr(diary, "EVERY", 0.0)
    return Runtime()


def test_what_there_is_so_far_is_in_the_library_after_a_kill(store, runtime):
    heard = []
    runtime.on_info = heard.append
    Diary(store, QUESTION, "Whole games, seat 1", "analysis1").follow(runtime)
    assert Unfinished.of(store.load("analysis1").data).told.endswith("before there were any results.")
    runtime.report(120, 8000, STANDINGS)
    assert [info.done for info in heard] == [120]
    (item,) = store.items()
    assert (item.over, item.title) == (False, "Whole games, seat 1: 120 of 8,000 games")
    assert store.end_all("analysis", ENDED_EARLY) == 1  # as the next server does at its start
    (item,) = store.items()
    assert (item.over, item.title) == (True, "Whole games, seat 1: 120 of 8,000 games · ended early")
    found = Unfinished.of(store.load("analysis1").data)
    assert (found.question, found.done, found.total, found.standings) == (QUESTION, 120, 8000, STANDINGS)
    assert "after 120 of 8,000 games" in found.told
    assert 'id="mark-corner-41"' in found.drawing()
    assert store.end_all("analysis", ENDED_EARLY) == 0


def test_the_answer_takes_its_place(store, runtime):
    kept = Diary(store, QUESTION, "Whole games", "analysis1")
    kept.follow(runtime)
    runtime.report(1, 2, STANDINGS)
    assert kept.end("Whole games: V41", {"result": 42}) == "analysis1"
    (item,) = store.items()
    assert (item.title, item.over, store.load(item.id).data) == ("Whole games: V41", True, {"result": 42})
    assert not is_unfinished(store.load(item.id).data)


def test_what_was_deleted_meanwhile_does_not_come_back(store, runtime):
    kept = Diary(store, QUESTION, "Whole games", "analysis1")
    kept.follow(runtime)
    store.delete("analysis1")
    runtime.report(1, 2, STANDINGS)
    assert kept.end("Whole games: V41", {}) == ""
    assert store.items() == []


def full(*given, **options):
    raise NotSaved("the disk is full")


def test_an_analysis_goes_on_where_nothing_can_be_saved(store, runtime, monkeypatch):
    """The answer may still find room; until then nothing is kept, and nothing is lost but what stands in between."""
    heard = []
    runtime.on_info = heard.append
    with monkeypatch.context() as broken:
        broken.setattr(store, "save", full)
        kept = Diary(store, QUESTION, "Whole games", "analysis1")
        kept.follow(runtime)
        runtime.report(1, 2, STANDINGS)
        assert [info.done for info in heard] == [1]
        assert store.items() == []
        with pytest.raises(NotSaved, match="the disk is full"):
            kept.end("Whole games: V41", {"result": 42})
    runtime.report(2, 2, STANDINGS)
    assert [item.title for item in store.items()] == ["Whole games: 2 of 2 games"]
    assert kept.end("Whole games: V41", {"result": 42}) == "analysis1"


def test_what_has_no_answer_is_dropped_if_it_can_be(store, runtime, monkeypatch):
    kept = Diary(store, QUESTION, "Whole games", "analysis1")
    with monkeypatch.context() as broken:
        broken.setattr(store, "delete", full)
        kept.drop()  # the store has said why; the next server marks it as ended early
    assert [item.id for item in store.items()] == ["analysis1"]
    kept.drop()
    assert store.items() == []


@pytest.mark.parametrize("name", ["V54", "V1-E72", "Vx", "", "build_city", "no such move", "V12-V13"])
def test_candidates_that_cannot_be_are_refused(name):
    data = unfinished(QUESTION, Info(1, 2, 1.0, (Standing(name, Share(1, 2), 0.5, True),)))
    with pytest.raises(InvalidQuestion, match="this analysis cannot be read"):
        Unfinished.of(data)


def test_what_cannot_be_read_is_said():
    with pytest.raises(InvalidQuestion, match="cannot be read"):
        Unfinished.of({"question": QUESTION.to_json(), "so_far": {"done": 1}})
