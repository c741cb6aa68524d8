"""``kibitz onepiece advise``: chances of each option in a position of a record, and what it refuses in one line."""

import json
from functools import partial

import pytest

from kibitz.onepiece.core.arena import Wait
from kibitz.onepiece.core.record import Record, simulate
from tests.cli.results import done, refused

FEW = ("--iterations", 20)


@pytest.fixture(scope="module")
def played() -> Record:
    return simulate(["greedy", "greedy"], seed=3)


@pytest.fixture(scope="module")
def step(played: Record) -> int:
    return next(i for i, (s,) in enumerate(played.states()) if s.waiting is Wait.MAIN and len(s.actions()) > 2)


@pytest.fixture
def advise(kibitz, file):
    return partial(kibitz, "onepiece", "advise", file)


def test_every_option_has_its_chance_the_best_first(advise, played, step):
    out = done(advise("--at", step, *FEW))
    value = json.loads(done(advise("--at", step, *FEW, "--json")))
    state = [states[0].copy() for states in played.states()][step]
    assert value["seat"] == state.actor()
    assert {option["action"] for option in value["options"]} <= {played.action_text(code) for code in state.actions()}
    assert (value["games"], value["position"]["step"]) == (20, step)
    best = value["options"][0]["action"]
    assert f"Player {state.actor() + 1} in turn {state.turn}. The search advises: {best}\n" in out
    assert max(map(len, out.splitlines())) <= 80


def test_the_same_seed_gives_the_same_advice(advise, step):
    assert done(advise("--at", step, *FEW, "--seed", 4)) == done(advise("--at", step, *FEW, "--seed", 4))


def test_where_others_won_more_often_the_reason_is_told(advise, played, step):
    """The advice is what `greedy` would do, unless another option is better by more than chance."""
    told = 0
    for seed in range(6):
        value = json.loads(done(advise("--at", step, *FEW, "--seed", seed, "--json")))
        text = " ".join(done(advise("--at", step, *FEW, "--seed", seed)).split())
        chances = [option["value"] for option in value["options"]]
        assert (chances[0] < max(chances)) == ("others won more often, but by no more than chance explains." in text)
        told += chances[0] < max(chances)
    assert 0 < told < 6


def test_time_ends_it(advise, step):
    assert ", until the time was up" in done(advise("--at", step, "--time", 0.2))


def test_what_it_refuses(advise, played):
    last = len(played.codes)
    assert refused(advise("--at", last)) == f"--at {last}: nobody decides there, the game is over"
    assert refused(advise()) == f"the game is over: choose a position before its end with --at STEP (0 to {last - 1})"
    assert refused(advise("--at", last + 1)) == f"--at {last + 1}: the game has steps 0 to {last}"
    assert refused(advise("--at", 0)) == "--at 0: nobody decides there, chance does"
