"""``kibitz train``: what is said on the way and in the end, and what is refused. Who learns is a stand-in."""

import json
import re
import sys
from types import SimpleNamespace

import pytest

from kibitz.cli import train
from kibitz.compute import cuda
from kibitz.coup.resolving import training
from kibitz.learn import fit, generation
from kibitz.learn.regrets import Progressed
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


@pytest.mark.plain
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


@pytest.mark.plain
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


# --- the bot resolver ---------------------------------------------------------------------------------------


@pytest.fixture
def resolver(tmp_path, kibitz, monkeypatch):
    """Trains a resolver in a folder, by a stand-in that learns nothing, and keeps what that was asked for."""
    asked = []

    def learns(folder, *, progress, **more):
        asked.append(more)
        progress(Progressed(1, 64, 0.5))
        return folder / "2-players.resolver", Progressed(2, 1128, 1.5)

    sees_no_gpu = SimpleNamespace(cuda=SimpleNamespace(is_available=lambda: False))
    monkeypatch.setattr(training, "train_resolver", learns)
    monkeypatch.setattr(fit, "torch_or_say", lambda: sees_no_gpu)
    return lambda *more: (kibitz("train", "coup", tmp_path / "own", "--resolver", *more), asked)


@pytest.mark.plain
def test_a_resolver_is_trained_for_so_long_or_for_so_many_rounds(resolver, tmp_path):
    path = tmp_path / "own/2-players.resolver"
    (code, out, err), asked = resolver("--rounds", 2, "--games", 64, "--seed", 3)
    assert (code, out, err) == (0, f"{path}: 2 rounds, 1,128 turns\n", "")
    usual = {"rounds": 2, "seconds": None, "seed": 3, "jobs": None, "gpu": False, "games": 64, "begin_with": None}
    assert asked.pop() == usual
    resolver("--rounds", 2, "--games", 64, "--seed", 3, "--from", "2-players")
    assert asked.pop() == usual | {"begin_with": "2-players"}
    (code, out, err), asked = resolver("--seconds", 5, "--jobs", 1, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == {"file": str(path), "rounds": 2, "decisions": 1128, "seconds": 1.5}
    assert asked.pop() == usual | {"rounds": None, "seconds": 5.0, "seed": 0, "jobs": 1, "games": None}
    resolver()
    assert asked.pop()["seconds"] == train.USUAL_SECONDS


@pytest.mark.plain
def test_where_there_is_no_gpu_a_resolver_is_trained_on_the_cores(resolver, monkeypatch):
    def none_there():
        raise cuda.NoGpu("no GPU: there is none")

    monkeypatch.setattr(cuda, "require_gpu", none_there)
    (code, _, err), asked = resolver("--device", "cuda")
    assert (code, err) == (0, "no GPU: there is none; playing on the CPU instead\n")
    assert asked.pop()["gpu"] is False
    monkeypatch.setattr(cuda, "require_gpu", lambda: None)
    (code, _, err), asked = resolver("--device", "cuda")
    assert (code, err) == (0, "no GPU: PyTorch is installed without CUDA; playing on the CPU instead\n")
    assert asked.pop()["gpu"] is False


@pytest.mark.plain
def test_a_resolver_that_cannot_be_trained_is_refused_in_one_line(kibitz, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    needs = "training needs PyTorch, which is not installed (pip install 'kibitz[train]')"
    for more, said in {
        ("--resolver", "--players", 3): "--resolver is for two players, not for 3",
        ("--resolver", "--rule", "steal_from_zero"): "--rule is for training an evaluator, not for --resolver",
        ("--resolver", "--generations", 2): "--generations is for training an evaluator, not for --resolver",
        ("--resolver", "--later-games", 9): "--later-games is for training an evaluator, not for --resolver",
        ("--blueprint", "--measured", 20): "--measured is for training an evaluator, not for --blueprint",
        ("--blueprint", "--games", 20): "--games is for training an evaluator, not for --blueprint",
        ("--resolver", "--blueprint"): "--blueprint and --resolver train different things: choose one",
        ("--resolver", "--evaluator"): "--evaluator and --resolver train different things: choose one",
        ("--evaluator", "--blueprint"): "--evaluator and --blueprint train different things: choose one",
        ("--blueprint", "--device", "cuda"): "--device cuda is not for --blueprint",
        ("--device", "cuda"): "--device cuda is not for an evaluator of this game",
        ("--rounds", 3): "--rounds and --seconds need --blueprint or --resolver",
        ("--resolver",): needs,
        ("--resolver", "--device", "cuda"): needs,
    }.items():
        assert kibitz("train", "coup", tmp_path / "own", *more) == (2, "", f"kibitz: {said}\n")
    assert not (tmp_path / "own").exists()
    code, _, err = kibitz("train", "catan", tmp_path / "own", "--resolver")
    assert (code, err.count("\n")) == (2, 1)
    assert "no such option: --resolver" in err


@pytest.mark.plain
def test_a_resolver_is_named_by_its_walks_or_by_its_file(kibitz, tmp_path):
    none, bad = tmp_path / "none.resolver", tmp_path / "bad.resolver"
    bad.write_text("nothing")
    expected = "expected a number of walks from 1 to 2,000, or a file (FOLDER/2-players.resolver)"
    for name, said in {
        "resolver:0.5s": f"its time cannot be limited; {expected}",
        "resolver:0": expected,
        "resolver:2001": expected,
        "resolver:": expected,
        "resolver:many": expected,
        f"resolver:{none}": f"{none}: No such file or directory",
        f"resolver:{bad}": f"{bad}: not a table of Kibitz",
    }.items():
        code, out, err = kibitz("coup", "simulate", "--players", f"{name},random")
        assert (code, out) == (2, "")
        assert err == f"kibitz: --players '{name}': {said}\n"
