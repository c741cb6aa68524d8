"""``kibitz train``: what is said on the way and in the end, and what is refused. Who learns is a stand-in."""

import json
import re
import sys

import pytest

from kibitz.learn import generation
from tests.learn.duels import network
from tests.learn.pupil import Pupil, stand_in

QUICK = ("--players", 2, "--rule", "victory_points=3", "--rule", "domestic_trade=false", "--games", 12, "--measured", 10)


@pytest.fixture
def trained(tmp_path, kibitz, monkeypatch):
    """Trains in a folder, by a pupil that learns nothing."""
    stand_in(monkeypatch)
    return lambda *more: kibitz("train", "catan", tmp_path / "own", *QUICK, *more)


def test_each_phase_is_told_with_its_time_and_the_best_player_is_named(trained, kibitz, tmp_path, monkeypatch):
    monkeypatch.setattr(generation.SequentialTest, "verdict", lambda self, wins, games: True if games >= 16 else None)
    code, out, err = trained()
    assert code == 0, err
    said = err.splitlines()
    assert [line.split(" (")[1].partition(" s,")[1] for line in said] == [" s,"] * 4  # seconds, then processor time
    assert "positions of games of builder" in said[0]
    assert "learned, loss 0.333" in said[1]
    assert "where 10 games give" in said[2]
    assert "of 16 games won, equals win 50.0 %: better" in said[3]
    assert re.search(r"generation 1: games \d+ s, learning \d+ s, measuring \d+ s, match \d+ s", out)
    net = f"net:{tmp_path / 'own/generation-1.net'}"
    assert f"the best player: {net}" in out.replace("\n", "")
    table = ("--players", f"{net},builder-0.1", "--one-against", "--seats", 2)
    code, out, err = kibitz("catan", "tournament", *table, *QUICK[2:6], "--games", 2, "--json")
    assert code == 0, err
    assert json.loads(out)["bot"] == net


def test_a_training_that_is_done_is_told_again_without_being_done(trained):
    code, first, _ = trained("--json")
    taught = Pupil.taught
    assert code == 0
    code, again, err = trained("--json")
    assert (code, err, Pupil.taught) == (0, "", taught)
    assert again == first
    assert set(json.loads(again)[0]["processor"]) == {"positions", "training", "measuring", "match"}


def test_a_training_begins_with_the_networks_that_are_named(trained, tmp_path):
    own = ("--rule", "max_turns=40", "--later-games", 4)
    files = [network(tmp_path / f"{name}.net", strength) for name, strength in (("first", 3), ("second", 8))]
    code, out, err = trained("--from", ",".join(files), *own, "--json")
    assert code == 0, err
    (report,) = json.loads(out)
    assert (report["teacher"], report["judges"]) == (files[0], files)
    said = err.splitlines()
    assert re.fullmatch(r"generation 1: \d+ positions of games of builder, judged by 2 networks \(.*\)", said[0])
    assert re.fullmatch(rf"generation 1: \d+ positions of games of {files[0]}, and \d+ judged ones after those \(.*\)", said[1])
    assert "in games of builder, where 10 games give" in said[3]
    code, out, err = trained("--from", ",".join(files), *own)
    assert (code, err) == (0, "")
    assert "judged by 2 networks" in " ".join(out.split())


def test_a_network_that_cannot_judge_is_refused_before_anything_is_kept(trained, kibitz, tmp_path):
    good = network(tmp_path / "first.net", 3)
    (tmp_path / "bad.net").write_bytes(b"{}")
    for texts, said in {
        "nothing.net": "nothing.net: neither a file nor a network that comes with Kibitz (2-players, ",
        f"{good},{tmp_path / 'bad.net'}": "bad.net: not a network of Kibitz",
        f"{good},2-players": "2-players: the network for 2-players games is for victory_points=10, not 3",
        f"{good},{good}": "first.net: the same network as ",
    }.items():
        code, out, err = trained("--from", texts)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert said in err
    assert not (tmp_path / "own").exists()
    code, out, err = kibitz("train", "coup", tmp_path / "own", "--blueprint", "--from", "2-players")
    assert (code, out, err) == (2, "", "kibitz: --from is for training an evaluator, not for --blueprint\n")


def test_what_cannot_be_trained_is_refused_in_one_line(trained, kibitz, tmp_path, monkeypatch):
    (tmp_path / "own").mkdir()
    (tmp_path / "own/training.json").write_text("{")
    for more, said in {
        (): "training.json: damaged; remove it, or name another folder",
        ("--generations", "16"): "at most 15 generations can be trained in one folder, not 16",
        ("--measured", "3"): "--measured: input should be greater than or equal to 10",
    }.items():
        code, out, err = trained(*more)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert said in err
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "torch", None)
    code, out, err = kibitz("train", "catan", tmp_path / "other")
    assert (code, err) == (2, "kibitz: training needs PyTorch, which is not installed (pip install 'kibitz[train]')\n")
    assert not (tmp_path / "other").exists()
