"""The quick soak, one round of each part at once: everything is killed once, and nothing is lost."""

import os

import pytest

from benchmarks.soak.__main__ import main
from benchmarks.soak.ledger import Ledger

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are of Unix")


@pytest.fixture(scope="module")
def ledger():
    ledger = Ledger()
    assert main(["--quick"], ledger) == (1 if ledger.losses else 0)
    return ledger


def test_nothing_is_lost(ledger):
    assert ledger.losses == []
    assert ledger.total.lost == 0


@pytest.mark.parametrize(
    "kind",
    ["recorded games", "replayed games", "bots from outside", "exported logs", "tracked logs", "damaged logs", "analyses",
     "analyses on a cluster", "the server", "answers of the server", "saved answers", "tracking sessions", "kept logs"],
)  # fmt: skip
def test_something_of_every_kind_is_done_and_checked(ledger, kind):
    assert ledger.lines[kind].done > 0
    assert ledger.lines[kind].checks > 0


def test_what_runs_until_it_is_killed_is_killed(ledger):
    assert ledger.lines["the server"].killed == 1
    assert ledger.lines["analyses on a cluster"].killed == 1


def test_a_loss_is_counted_and_told():
    ledger = Ledger()
    ledger.did("games", 3)
    ledger.check("games", True, "")
    ledger.check("games", False, "game 2 is gone")
    assert (ledger.total.done, ledger.total.checks, ledger.total.lost) == (3, 2, 1)
    assert ledger.losses == ["games: game 2 is gone"]
