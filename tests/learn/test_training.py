"""A training in a folder, without PyTorch: who learns is a stand-in; what is kept, taken up again and refused is real."""

import json
import math
import re
import sys
from dataclasses import replace
from functools import partial
from xml.etree import ElementTree

import numpy as np
import pytest

from kibitz.catan import Rules
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.layout import INPUTS
from kibitz.catan.setup import setup
from kibitz.game.evaluator import MIDDLE, NARROW, WIDE
from kibitz.game.nets import FloatLayers
from kibitz.learn import fit, training
from kibitz.learn.report import page, ratings
from kibitz.learn.training import InvalidTraining, Report, Settings, Training

BOARDS = setup(seed=1, rules=Rules(victory_points=4, max_turns=60))
TINY = Settings(games=30, later_games=10, measured=8, played_on=4, keep=3, later_keep=4, passes=2)


class Pupil:
    """Learns nothing: whoever has more points is thought to stand better."""

    taught = 0

    def __init__(self, scale, seed, start):
        self.start = start

    @staticmethod
    def scale_of(inputs):
        return np.ones(inputs.shape[2])

    def values(self, inputs):
        return np.full(inputs.shape[:2], 0.25, np.float32)

    def learn(self, inputs, targets, schedule, progress):
        assert targets.sum(axis=1) == pytest.approx(1)
        Pupil.taught += 1
        progress(len(inputs), 1.0)
        return 1.0

    @property
    def layers(self):
        first = np.zeros((INPUTS, WIDE))
        first[12] = 0.3  # points
        second, third = np.zeros((3 * WIDE, MIDDLE)), np.full((MIDDLE, NARROW), 0.05)
        second[:WIDE] = 0.05
        biases = np.zeros(WIDE), np.zeros(MIDDLE), np.zeros(NARROW)
        return FloatLayers(first, biases[0], second, biases[1], third, biases[2], np.full(NARROW, 0.1), np.zeros(1))


@pytest.fixture(autouse=True)
def _pupil(monkeypatch):
    monkeypatch.setattr(fit, "Learner", Pupil)
    monkeypatch.setattr(training, "PART", 10)
    monkeypatch.setattr(training, "ROUND", 8)
    monkeypatch.setattr(training, "LONGEST_MATCH", 8)


def train(folder, settings=TINY):
    return Training(GAME, partial(BOARDS.starts, 4), BOARDS.facts(), settings, folder, jobs=1)


def test_a_training_that_was_killed_goes_on_and_ends_as_if_it_had_not_been(tmp_path, monkeypatch):
    whole = train(tmp_path / "whole").run()
    broken = train(tmp_path / "broken")
    real, played = training.sample, []

    def dies(*given, **more):
        played.append(1)
        if len(played) == 3:
            raise KeyboardInterrupt
        return real(*given, **more)

    monkeypatch.setattr(training, "sample", dies)
    with pytest.raises(KeyboardInterrupt):
        broken.run()
    assert len([*(tmp_path / "broken").glob("positions-1-*.npz")]) == 2
    monkeypatch.setattr(training, "sample", real)
    again = train(tmp_path / "broken").run()
    assert [replace(report, seconds={}) for report in again] == [replace(report, seconds={}) for report in whole]
    assert (tmp_path / "broken/generation-1.net").read_bytes() == (tmp_path / "whole/generation-1.net").read_bytes()


def test_what_is_done_is_not_done_again_and_generations_can_be_added(tmp_path):
    first = train(tmp_path).run()
    taught = Pupil.taught
    assert train(tmp_path).run() == first
    assert Pupil.taught == taught
    both = train(tmp_path, replace(TINY, generations=2)).run()
    assert both[0] == first[0]
    assert both[1].generation == 2


def test_a_folder_of_another_training_is_refused(tmp_path):
    train(tmp_path)
    with pytest.raises(InvalidTraining, match="holds a training with other settings"):
        train(tmp_path, replace(TINY, seed=5))


def test_a_report_says_how_good_the_network_is(tmp_path):
    report = train(tmp_path).run()[0]
    assert 0 < report.error < 0.5
    assert report.games_error[1] > report.games_error[100]
    assert report.match["games"] == 8
    assert sum(one["positions"] for one in report.calibration) <= 4 * TINY.measured
    assert json.loads((tmp_path / "generation-1.json").read_text())["checksum"] == report.checksum


def test_the_report_can_be_read_and_holds_everything(tmp_path):
    reports = train(tmp_path, replace(TINY, generations=2)).run()
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    pictures = [ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL)]
    titles = [picture.get("aria-label") for picture in pictures]
    phases = [phase.capitalize() for phase in reports[-1].by_phase]
    own = ["Loss on the way", "All positions", *phases, "Seat 1", "Seat 4"]
    assert all(title in titles for title in own)
    assert len(pictures) == sum(4 + len(one.by_phase) + 4 for one in reports)
    for report in reports:
        assert f"<td>{report.error:.3f}</td>" in text
        assert f"won {report.match['wins']} of 8 games" in text
    assert "http" not in text  # nothing is loaded from elsewhere


def test_the_report_is_written_again_where_a_training_goes_on(tmp_path):
    train(tmp_path).run()
    file = tmp_path / "report.html"
    text = file.read_text(encoding="utf-8")
    file.unlink()
    train(tmp_path).run()
    assert file.read_text(encoding="utf-8") == text
    assert "Generation 2" not in text
    train(tmp_path, replace(TINY, generations=2)).run()
    assert "Generation 2" in file.read_text(encoding="utf-8")


def test_what_an_older_version_kept_is_told_as_far_as_it_goes(tmp_path):
    train(tmp_path).run()
    path = tmp_path / "generation-1.json"
    kept = json.loads(path.read_text())
    for name in ("curve", "phases", "calibration_by"):
        del kept[name]
    for name in ("course", "sought", "error"):
        del kept["match"][name]
    path.write_text(json.dumps(kept))
    train(tmp_path).run()
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Loss on the way" not in text
    assert f"won {kept['match']['wins']} of 8 games" in text


@pytest.mark.plain
def test_a_page_is_made_of_what_was_measured():
    bins = [
        {"positions": 40, "said": 0.2, "seen": 0.21, "error": 0.01},
        {"positions": 9, "said": 0.9, "seen": 0.7, "error": 0.02},
    ]
    beside = {1: 0.4, 10: 0.13, 100: 0.04}
    match = {"wins": 90, "games": 200, "equal": 0.25, "better": True}
    first = Report(
        1, "teacher", 5000, [0.9, 0.8], 0.11, beside, bins, {"draft": 0.1, "later": 0.2},
        match={**match, "course": [[100, 40], [200, 90]], "sought": 0.29, "error": 0.05},
        seconds={"match": 4000.0}, checksum="", accepted=True, curve=[[1.2, 0.9], [0.8]],
        phases={"draft": {"positions": 12, "games_error": beside}, "later": {"positions": 37, "games_error": beside}},
        calibration_by={"phase": {"draft": bins, "later": bins}, "seat": {1: bins, 2: []}},
    )  # fmt: skip
    older = Report(2, "generation 1", 700, [], 0.2, beside, bins, {"draft": 0.3}, match, {"match": 9.0}, "", accepted=False)
    text = page("a game", {"rules": {"points": 3}}, 4, [first, older])
    titles = [ElementTree.fromstring(svg).get("aria-label") for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL)]
    assert titles.count("All positions") == 2
    assert {"Loss on the way", "Draft", "Later", "Seat 1", "Seat 2"} <= set(titles)
    assert "The best player is generation 1." in text
    assert "points 3" in text
    assert "<td>1.1 h</td>" in text
    assert text.count('class="dot off"') == 5  # the second bin, wherever it is drawn
    assert page("a game", {}, 4, [older]).count("No generation is better") == 1


@pytest.mark.plain
def test_ratings_of_generations_add_up():
    def report(generation, wins, accepted):
        match = {"wins": wins, "games": 1000, "equal": 0.25, "better": accepted}
        return Report(generation, "", 0, [], 0, {}, [], {}, match, {}, "", accepted)

    first, second, third = ratings([report(1, 400, True), report(2, 250, False), report(3, 400, True)], 4)
    assert first[0] == pytest.approx(400 * math.log10(2))
    assert second[0] == pytest.approx(first[0])  # an equal of the first
    assert third[0] == pytest.approx(2 * first[0])
    assert third[2] - third[0] > first[2] - first[0]
    assert all(low < rating < high for rating, low, high in (first, second, third))


def test_tables_of_a_league_seat_older_players_and_other_styles(tmp_path):
    school = GAME.school
    assert train(tmp_path).tables(school.teacher, []) == [[school.teacher] * 4]
    tables = train(tmp_path).tables(school.player + 1, [school.teacher])
    assert {policy for table in tables for policy in table} == {school.player + 1, school.teacher, *school.styles}
    assert tables.count([school.player + 1] * 4) * 2 >= len(tables)


@pytest.mark.plain
def test_without_pytorch_one_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(fit.NoTorch, match=r"pip install 'kibitz\[train\]'"):
        fit.torch_or_say()
