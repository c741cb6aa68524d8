"""Matches: their games are counted in a file that is kept, add up over runs, and know which bots played them."""

import doctest
import importlib
import json
import sys
from pathlib import Path

import pytest

from kibitz.catan.core.evaluator import NETS
from kibitz.ground.jit import PACKAGE

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def counted(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module("counted")


@pytest.fixture
def matches(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module("matches")


def stretch(counted, first, games, won=1, seat=0, one="a", seconds=0.5):
    return counted.Stretch(one, "b", seat, first, games, won, seconds)


# --- the file ---------------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_games_of_many_batches_become_one_short_line_and_none_counts_twice(counted, tmp_path):
    file = tmp_path / "games.jsonl"
    known = counted.Counted(file, "v1")
    for one in (
        stretch(counted, 4, 4, 2), stretch(counted, 0, 4), stretch(counted, 20, 1, 0), stretch(counted, 4, 4, 2),
        stretch(counted, 6, 4), stretch(counted, 0, 4, 3, seat=1),
    ):  # fmt: skip
        known.add(one)
    together = [stretch(counted, 0, 8, 3, seconds=1.0), stretch(counted, 20, 1, 0), stretch(counted, 0, 4, 3, seat=1)]
    assert known.stretches == together
    assert len(file.read_text().splitlines()) == 6  # each counted at once
    assert counted.Counted(file, "v1").stretches == together
    known.tidy()
    assert [json.loads(line) for line in file.read_text().splitlines()] == [
        {"version": "v1", "one": "a", "others": "b", "seat": 0, "played": [[0, 8, 3, 1.0], [20, 1, 0, 0.5]]},
        {"version": "v1", "one": "a", "others": "b", "seat": 1, "played": [[0, 4, 3, 0.5]]},
    ]
    assert counted.Counted(file, "v1").stretches == together
    text = file.read_text()
    counted.Counted(file, "v1").tidy()
    assert file.read_text() == text


@pytest.mark.plain
def test_what_was_cut_off_by_a_kill_is_passed_over_and_what_another_run_adds_is_kept(counted, tmp_path):
    file = tmp_path / "games.jsonl"
    first = counted.Counted(file, "v1")
    first.add(stretch(counted, 0, 4))
    file.write_text(file.read_text() + '{"version": "v1", "one": "a", "oth')
    again = counted.Counted(file, "v1")
    again.add(stretch(counted, 4, 4))
    first.add(stretch(counted, 8, 4))
    again.tidy()
    assert counted.Counted(file, "v1").stretches == [stretch(counted, 0, 12, 3, seconds=1.5)]
    assert len(file.read_text().splitlines()) == 1


@pytest.mark.plain
def test_games_of_another_version_stay_and_are_not_counted_until_they_are_forgotten(counted, tmp_path):
    file = tmp_path / "games.jsonl"
    old = counted.Counted(file, "v1")
    old.turn("a:1s", "a:500")
    old.add(stretch(counted, 0, 30))
    new = counted.Counted(file, "v2")
    assert (new.stretches, new.iterations, new.other) == ([], {}, 30)
    new.turn("a:1s", "a:700")
    new.add(stretch(counted, 0, 5))
    new.tidy()
    assert counted.Counted(file, "v1").stretches == old.stretches
    assert counted.Counted(file, "v1").iterations == {"a:1s": "a:500"}
    new.tidy(forget=True)
    left = counted.Counted(file, "v2")
    assert (left.stretches, left.iterations, left.other) == (new.stretches, {"a:1s": "a:700"}, 0)
    assert counted.Counted(file, "v1").stretches == []


@pytest.mark.plain
def test_without_a_file_games_are_counted_and_nothing_is_kept(counted):
    known = counted.Counted(None, "v1")
    known.add(stretch(counted, 0, 4))
    known.tidy(forget=True)
    assert known.stretches == [stretch(counted, 0, 4)]


# --- the version ------------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_words_do_not_make_another_version_and_code_does(counted):
    source = 'VALUE = 3\n\n\ndef f(x):\n    """What it does."""\n    return x + VALUE\n'
    worded = '"""A module\nof two lines."""\n# why\nVALUE = 3  # of what\n#: and this\ndef f(x):\n    return x + VALUE\n'
    named = {"a.py": source}
    assert counted.version_of(named, ["1"]) == counted.version_of({"a.py": worded}, ["1"])
    for other in (source.replace("3", "4"), source.replace("x + ", "x - "), source.replace('"""What it does."""', 'x = "# 1"')):
        assert counted.version_of(named, ["1"]) != counted.version_of({"a.py": other}, ["1"])
    assert counted.version_of(named, ["1"]) != counted.version_of({"b.py": source}, ["1"])
    assert counted.version_of(named, ["1"]) != counted.version_of(named, ["2"])
    assert counted.code_of('x = "# no comment"  # one') == 'x = "# no comment"'


@pytest.mark.plain
def test_the_examples_hold(counted):
    assert doctest.testmod(counted) == (0, 2)


def test_the_version_is_that_of_the_sources_that_decide_and_of_the_weights(counted):
    files = counted.deciding()
    assert {
        "catan/core/builder_policy.py", "catan/core/net_policy.py", "catan/core/rules/trade.py", "game/evaluator.py",
        "search/walk.py", "search/ismcts.py", "play/search_bot.py", "catan/bots.py", "catan/belief/deals.py",
    } < set(files)  # fmt: skip
    assert not [name for name in files if name.startswith(("coup/", "learn/", "web/", "cli/")) or "svg" in name]
    assert all(file == PACKAGE / name for name, file in files.items())
    texts = {name: file.read_text(encoding="utf-8") for name, file in files.items()}
    one, other = counted.version("4-players-offers"), counted.version("4-players")
    assert one != other
    assert one == counted.version_of(texts, [NETS.book(0)["4-players-offers"].checksum])


# --- matches ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def run(matches, monkeypatch, capsys):
    """Plays a short match, and prints its table."""
    monkeypatch.setattr(matches, "MATCHES", (matches.Match("builder", "builder-0.1", 40, 0.35, 3),))

    def main(file, *words):
        monkeypatch.setattr(sys, "argv", [str(BENCHMARKS / "matches.py"), "--outcomes", str(file), "--jobs", "1", *words])
        matches.main()
        return capsys.readouterr().out

    return main


def without_time(file):
    found = [json.loads(line) for line in file.read_text().splitlines()]
    return [{**line, "played": [stretch[:3] for stretch in line["played"]]} for line in found]


def test_a_match_goes_on_where_it_stopped_and_ends_as_if_it_had_been_played_at_once(run, matches, tmp_path, monkeypatch):
    once, often = tmp_path / "once.jsonl", tmp_path / "often.jsonl"
    assert "40 of 40" in run(once)
    played = []
    real = matches.played
    monkeypatch.setattr(matches, "played", lambda batch: (played.append(batch.games), real(batch))[1])
    assert "8 of 8" in run(often, "--games", "8")
    assert "11 of 40" in run(often, "--most", "0")  # one batch more
    assert "40 of 40" in run(often)
    assert sum(played) == 40
    assert without_time(often) == without_time(once)
    assert len(without_time(often)) == 4  # a line for each seat
    played.clear()
    assert "40 of 40" in run(often)
    assert "40 of 40" in run(often, "--report")
    assert played == []


def test_games_of_a_run_that_is_killed_are_counted(run, matches, tmp_path, monkeypatch):
    file = tmp_path / "games.jsonl"
    real, batches = matches.played, []

    def dies(batch):
        batches.append(batch)
        if len(batches) == 6:
            raise KeyboardInterrupt
        return real(batch)

    monkeypatch.setattr(matches, "played", dies)
    with pytest.raises(KeyboardInterrupt):
        run(file)
    assert "15 of 40" in run(file, "--report")
    run(file)
    assert sum(batch.games for batch in batches) - batches[5].games == 40


def test_games_that_another_version_played_are_played_again(run, matches, tmp_path, monkeypatch):
    file = tmp_path / "games.jsonl"
    run(file, "--games", "8")
    monkeypatch.setattr(matches, "version", lambda variant: "another")
    assert "8 games were played by bots that have changed since: not counted" in run(file, "--report")
    assert "12 of 12" in run(file, "--games", "12")
    assert "forgotten" in run(file, "--games", "12", "--forget")
    assert {line["version"] for line in without_time(file)} == {f"another-{matches.SEED}"}


def test_the_file_that_is_kept_is_short_and_can_be_read(counted):
    file = BENCHMARKS / "results" / "matches.jsonl"
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    games = sum(stretch[1] for line in lines for stretch in line.get("played", []))
    assert file.stat().st_size < 100_000
    for version in {line["version"] for line in lines}:
        known = counted.Counted(file, version)
        assert known.other + sum(one.games for one in known._found) == games  # every line was understood
        assert all(0 <= one.won <= one.games and one.seat in range(4) for one in known.stretches)
