"""The ladder: games add up over runs, none is played twice, and what has changed can be forgotten."""

import importlib
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from kibitz.play.registry import known

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def ladder(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module("ladder")


def field(ladder):
    return ladder.Field("b", 4, {"a": ladder.CHEAP, "b": ladder.CHEAP, "s": ladder.SEARCH}, ("b",))


def batches(ladder, games, before=()):
    return ladder.due("catan", field(ladder), games, before, 1, None)


def outcome(ladder, batch):
    return ladder.Outcome(batch, (1, 0, 0, batch.games - 1), 0.5)


@pytest.mark.plain
def test_searches_meet_cheap_tables_and_nobody_meets_a_table_of_them(ladder):
    assert [pair[:2] for pair in ladder.pairs(field(ladder))] == [("b", "b"), ("a", "b"), ("b", "a"), ("s", "b")]


@pytest.mark.plain
def test_games_add_up_and_none_is_played_twice(ladder, tmp_path):
    file = tmp_path / "games.jsonl"
    first = batches(ladder, [1000, 0, 0, 8, 0])
    assert sum(batch.games for batch in first if batch.one != "s") == 3 * 1000
    assert sum(batch.games for batch in first if batch.one == "s") == 8
    assert {batch.seat for batch in first if batch.one == "s"} == {0, 1, 2, 3}
    assert first[-1].one == "s"  # what is cheap comes first
    file.write_text("".join(ladder.line_of(outcome(ladder, batch)) for batch in first) + '{"batch": {"gam', encoding="utf-8")
    before = ladder.kept(file)
    assert [one.batch for one in before] == first
    assert batches(ladder, [1000, 0, 0, 8, 0], before) == []
    more = batches(ladder, [2000, 0, 0, 8, 0], before)
    assert {batch.first for batch in more} == {250}
    assert not set(more) & set(first)


@pytest.mark.plain
def test_holes_that_several_processes_left_are_filled_and_nothing_is_played_twice(ladder):
    first = batches(ladder, [4000, 0, 0, 0, 0])
    killed = [outcome(ladder, batch) for batch in first if batch.first in (250, 750)]
    left = batches(ladder, [4000, 0, 0, 0, 0], killed)
    assert {batch.first for batch in left} == {0, 500}
    assert sorted(map(str, left)) == sorted(str(batch) for batch in first if batch.first in (0, 500))
    odd = [replace(one, batch=replace(one.batch, games=100)) for one in killed]
    assert {(batch.first, batch.games) for batch in batches(ladder, [4000, 0, 0, 0, 0], odd)} == {
        (0, 250), (350, 250), (600, 150), (850, 150),
    }  # fmt: skip


@pytest.mark.plain
def test_the_games_of_a_bot_that_changed_are_forgotten(ladder, tmp_path):
    file = tmp_path / "games.jsonl"
    played = [outcome(ladder, batch) for batch in batches(ladder, [4, 0, 0, 4, 0])]
    played += [replace(one, batch=replace(one.batch, one="s:2000")) for one in played if one.batch.one == "s"]
    file.write_text("".join(map(ladder.line_of, played)), encoding="utf-8")
    left = ladder.forget(file, played, ["s"])
    assert {one.batch.one for one in left} == {"a", "b"}
    assert ladder.kept(file) == left


@pytest.mark.plain
def test_levels_and_other_names_are_found_in_the_field(ladder):
    for game in ladder.FIELDS:
        bench = SimpleNamespace(quick=False, options=SimpleNamespace(game=game))
        same = ladder.aliases(game, ladder.climbers(bench))
        levels = known(game).levels
        assert {level.name: level.name if level.slips else level.bot for level in levels} == {
            level.name: same[level.name] for level in levels
        }
