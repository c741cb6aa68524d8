"""A training that begins with networks, with PyTorch: ``make test-train`` installs it and runs this."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (make test-train)")

from kibitz.catan.core.engine import GAME
from kibitz.catan.core.evaluator import NETS
from kibitz.catan.core.policy import BUILDER
from kibitz.learn import generation
from kibitz.learn.judges import Judges, Looks
from kibitz.learn.measure import evaluated
from kibitz.learn.positions import Sampling, sample
from kibitz.learn.training import Settings, Training
from tests.learn.duels import DUELS, network


def test_a_network_learns_what_others_say_a_round_later_and_the_same_seed_gives_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(generation, "ROUND", 8)
    monkeypatch.setattr(generation, "LONGEST_MATCH", 16)
    files = [network(tmp_path / f"{name}.net", strength) for name, strength in (("first", 3), ("second", 8))]
    judges = Judges.named(GAME, files, DUELS.starts(2, 0, 1))
    settings = Settings(games=3000, later_games=16, keep=4, measured=10, played_on=10, passes=2, seed=3)
    for folder in ("own", "again"):
        how = {"judges": judges, "looks": Looks(after=2), "jobs": 2}
        trained = Training(GAME, partial(DUELS.starts, 2), DUELS.facts(), settings, tmp_path / folder, **how)
        trained.school = replace(trained.school, switch=4)  # in so short games mistakes end early
        trained.run()
    made = NETS.read(tmp_path / "own/generation-1.net")
    assert made.checksum == NETS.read(tmp_path / "again/generation-1.net").checksum
    fresh = sample(GAME, DUELS.starts(2, 5000, 200), [[BUILDER] * 2], 200, 9, Sampling(2, switch=4), states=True)
    said = judges.judge(GAME, fresh, Looks(rounds=30), seed=5).values

    def error(book):
        return float(np.sqrt(np.mean((evaluated(GAME, fresh.states, book) - said) ** 2)))

    assert error(NETS.add([made])) < 0.8 * min(map(error, judges.books))
