"""A training in a folder, without PyTorch: who learns is a stand-in; what is kept, taken up again and refused is real."""

import json
import math
import re
import sys
from dataclasses import replace
from functools import partial
from xml.etree import ElementTree

import pytest

from kibitz.catan import Rules
from kibitz.catan.core.engine import GAME
from kibitz.catan.setup import setup
from kibitz.ground.texts import Mistake
from kibitz.learn import fit, generation
from kibitz.learn.folder import InvalidTraining, held
from kibitz.learn.generation import Generation
from kibitz.learn.lessons import Lessons
from kibitz.learn.positions import NoPositions
from kibitz.learn.report import page, ratings
from kibitz.learn.results import Report
from kibitz.learn.training import Settings, Training
from tests.learn.duels import DUELS
from tests.learn.pupil import Lenient, Pupil, stand_in

BOARDS = setup(seed=1, rules=Rules(victory_points=4, max_turns=60))
TINY = Settings(games=30, later_games=10, measured=8, played_on=4, keep=3, later_keep=4, passes=2)
#: Two generations.
BOTH = replace(TINY, generations=2, measured=7)


@pytest.fixture(autouse=True)
def _pupil(monkeypatch):
    stand_in(monkeypatch)


def train(folder, settings=TINY):
    return Training(GAME, partial(BOARDS.starts, 4), BOARDS.facts(), settings, folder, jobs=1)


def both(folder):
    found = Training(GAME, partial(DUELS.starts, 2), DUELS.facts(), BOTH, folder, jobs=1)
    found.school = replace(found.school, switch=4)  # in so short games mistakes end early
    return found


def tables_of(training, teacher, league):
    """Who plays the games of a generation with this teacher."""
    return Generation(training, 1, teacher, "", league, None).tables()


#: What is done in each phase, again and again.
PHASES = {
    "games": (generation, "sample"),
    "learning": (Pupil, "learn"),
    "measuring": (generation, "win_rates"),
    "match": (generation.local, "play"),
}


def watched(patch, phase, calls, dies_at=()):
    """Count what is done in a phase; some of these calls are killed."""
    where, name = PHASES[phase]
    real = getattr(where, name)

    def counted(*given, **more):
        calls.append(phase)
        if calls.count(phase) in dies_at:
            raise KeyboardInterrupt
        return real(*given, **more)

    patch.setattr(where, name, counted)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A training of two generations that nobody stopped: its folder, what became of it, and what was done."""
    folder, calls = tmp_path_factory.mktemp("whole"), []
    with pytest.MonkeyPatch.context() as patch:
        stand_in(patch)
        patch.setattr(generation, "SequentialTest", Lenient)
        for phase in PHASES:
            watched(patch, phase, calls)
        return folder, both(folder).run(), calls


def results(reports):
    """All that must not depend on how often a training was stopped."""
    return [replace(report, seconds={}, processor={}) for report in reports]


@pytest.mark.parametrize("phase", PHASES)
def test_a_training_that_is_killed_goes_on_and_ends_as_if_it_had_not_been(tmp_path, monkeypatch, whole, phase):
    folder, reports, done = whole
    often = done.count(phase)
    calls = []
    monkeypatch.setattr(generation, "SequentialTest", Lenient)
    watched(monkeypatch, phase, calls, dies_at={2, often})
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            both(tmp_path).run()
    again = both(tmp_path).run()
    if phase != "match":  # of which the whole round is played again
        assert len(calls) == often + 2
    assert results(again) == results(reports)
    for name in ("generation-1.net", "generation-2.net"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()
    assert not [*tmp_path.glob("steps-*"), *tmp_path.glob("learning-*")]


def test_the_second_generation_learns_from_games_that_ask_the_first(tmp_path, whole, monkeypatch):
    first, second = whole[1]
    assert (first.teacher, second.teacher) == ("builder", "generation 1")
    tables, measured, shares = [], [], []
    real, play_on, targets = generation.sample, generation.win_rates, Lessons.targets
    monkeypatch.setattr(generation, "win_rates", lambda game, states, games, table, *rest: (
        measured.append(table), play_on(game, states, games, table, *rest)
    )[1])  # fmt: skip
    monkeypatch.setattr(Lessons, "targets", lambda self, values, share: (shares.append(share), targets(self, values, share))[1])
    monkeypatch.setattr(generation, "SequentialTest", Lenient)
    monkeypatch.setattr(generation, "sample", lambda game, starts, table, *rest, **more: (
        tables.append(table), real(game, starts, table, *rest, **more)
    )[1])  # fmt: skip
    trained = both(tmp_path)
    trained.run()
    school, book = GAME.school, GAME.nets.add([GAME.nets.read(tmp_path / "generation-1.net")])
    assert tables[:3] == [[[school.teacher] * 2]] * 3  # the games of the first, in parts
    assert tables[3] == tables[4] == tables_of(trained, school.player + book, [school.teacher])
    assert tables[3][0] == measured[-1] == [school.practice + book] * 2
    assert measured[0] == [school.teacher] * 2
    assert shares == [school.share] * BOTH.passes + [school.later_share] * BOTH.passes
    assert [start is None for start in Pupil.begun_with] == [True, False]  # it knows what the first one knew


def test_a_generation_that_is_not_better_teaches_nobody(tmp_path, monkeypatch):
    monkeypatch.setattr(generation, "SequentialTest", type("Strict", (Lenient,), {"verdict": lambda *_: None}))
    first, second = both(tmp_path).run()
    assert (first.accepted, second.accepted) == (False, False)
    assert second.teacher == "builder"
    assert len([*tmp_path.glob("positions-2-*.npz")]) == 3  # as many games as the first: the teacher is as quick


def test_time_is_counted_over_all_runs(whole):
    for report in whole[1]:
        assert list(report.seconds) == list(report.processor) == ["positions", "training", "measuring", "match"]
        assert all(seconds > 0 for seconds in report.seconds.values())
    assert f"games {report.seconds['positions']:.0f} s" in (whole[0] / "report.html").read_text(encoding="utf-8")


def test_what_is_done_is_not_done_again_and_generations_can_be_added(tmp_path):
    first = train(tmp_path).run()
    taught = Pupil.taught
    assert train(tmp_path).run() == first
    assert Pupil.taught == taught
    more = train(tmp_path, replace(TINY, generations=2)).run()
    assert more[0] == first[0]
    assert more[1].generation == 2
    assert train(tmp_path).run() == more  # whoever asks for fewer is told of all


def test_a_folder_of_another_training_is_refused(tmp_path):
    train(tmp_path)
    with pytest.raises(InvalidTraining, match="holds a training with seed 0 instead of 5; name another folder"):
        train(tmp_path, replace(TINY, seed=5))
    with pytest.raises(InvalidTraining, match="players 4 instead of 3"):
        Training(GAME, partial(BOARDS.starts, 3), BOARDS.facts(), TINY, tmp_path)
    usual = setup(seed=1)
    with pytest.raises(InvalidTraining, match=r"victory_points 4 instead of 10, max_turns 60 instead of 1000, .* and 1 more"):
        Training(GAME, partial(usual.starts, 4), usual.facts(), replace(TINY, seed=5, games=3), tmp_path)
    with pytest.raises(InvalidTraining, match="at most 15 generations"):
        train(tmp_path, replace(TINY, generations=16))


def test_two_trainings_at_once_in_one_folder_are_refused(tmp_path):
    trained = train(tmp_path)
    with held(tmp_path), pytest.raises(InvalidTraining, match="another training is under way"):
        trained.run()
    assert trained.run()


@pytest.mark.parametrize("name", ["training.json", "positions-1-1.npz", "generation-1.json", "generation-1.net"])
def test_a_damaged_file_is_named(tmp_path, name):
    train(tmp_path).run()
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:-100])
    if name.endswith((".npz", ".net")):  # which are not read where all is done
        (tmp_path / "generation-1.json").unlink()
    with pytest.raises(Mistake, match=rf"{name}: damaged"):
        train(tmp_path, replace(TINY, generations=2)).run()


def test_games_that_nobody_wins_teach_nothing(tmp_path):
    endless = setup(seed=1, rules=Rules(victory_points=10, max_turns=8))
    with pytest.raises(NoPositions, match="none of 30 games was won by anybody"):
        Training(GAME, partial(endless.starts, 4), endless.facts(), TINY, tmp_path, jobs=1).run()


def test_a_report_says_how_good_the_network_is(tmp_path):
    report = train(tmp_path).run()[0]
    assert 0 < report.error < 0.5
    assert report.games_error[1] > report.games_error[100]
    assert report.match["games"] == 16
    assert sum(one["positions"] for one in report.phases.values()) == TINY.measured
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
        assert f"won {report.match['wins']} of 16 games" in text
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
    assert f"won {kept['match']['wins']} of 16 games" in text


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
    assert page("a game", {}, 4, [older]).count("No generation beat") == 1


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
    assert tables_of(train(tmp_path), school.teacher, []) == [[school.teacher] * 4]
    tables = tables_of(train(tmp_path), school.player + 1, [school.teacher, school.player + 2])
    hasty = school.practice
    assert {policy for table in tables for policy in table} == {hasty + 1, hasty + 2, school.teacher, *school.styles}
    assert tables.count([hasty + 1] * 4) * 2 >= len(tables)


@pytest.mark.plain
def test_a_game_without_a_hasty_policy_learns_from_games_of_the_player_itself():
    school = GAME.school
    assert school.practising(school.player + 3) == school.practising(school.practice + 3) == school.practice + 3
    assert school.practising(school.teacher) == school.teacher
    assert replace(school, practice=None).practising(school.player + 3) == school.player + 3


@pytest.mark.plain
def test_without_pytorch_one_is_told_what_to_install(monkeypatch):
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(fit.NoTorch, match=r"pip install 'kibitz\[train\]'"):
        fit.torch_or_say()
