"""Every game keeps the promises of `tests/conformance.py`."""

from typing import Any

import pytest

from kibitz import catan
from kibitz.catan.state import new_states
from kibitz.examples import kuhn, leduc, liars_dice
from tests.conformance import check_game, check_twin

RANDOM, BUILDER, SEED = 0, 1, 2
#: Options, and for each number of seats who sits there. Random players who trade take thousands of steps to win.
CATAN = {
    "default-2": (catan.Rules(), [BUILDER, BUILDER]),
    "default-3": (catan.Rules(), [BUILDER, RANDOM, BUILDER]),
    "default-4": (catan.Rules(), [BUILDER, BUILDER, RANDOM, BUILDER]),
    "seed-4": (catan.Rules(), [SEED, BUILDER, SEED, SEED]),
    "random-2": (catan.Rules(max_turns=60), [RANDOM, RANDOM]),
    "random-4": (catan.Rules(max_turns=40), [RANDOM] * 4),
    "no-trade-3": (catan.Rules(domestic_trade=False, discard_limit=4), [RANDOM] * 3),
    "friendly-4": (catan.Rules(friendly_robber=True, victory_points=7), [BUILDER, RANDOM, BUILDER, BUILDER]),
    "phased-2": (catan.Rules(phased_turns=True, max_turns=80), [RANDOM, BUILDER]),
    "phased-3": (catan.Rules(phased_turns=True, all_or_nothing_bank=True), [BUILDER, SEED, BUILDER]),
    "phased-4": (catan.Rules(phased_turns=True, max_turns=40), [RANDOM, RANDOM, BUILDER, RANDOM]),
}


def start_with(rules: catan.Rules, seats: int) -> Any:
    return lambda seed: new_states(catan.Board.random(seed), seats, rules)


@pytest.mark.plain
@pytest.mark.parametrize("policies", [[0, 0], [0, 1], [1, 0], [1, 1]])
def test_kuhn_keeps_its_promises(policies):
    assert check_game(kuhn.GAME, 2, range(24), policies) >= 24 * 4


@pytest.mark.plain
@pytest.mark.parametrize("policies", [[0, 0], [0, 1], [1, 0], [1, 1]])
def test_leduc_keeps_its_promises(policies):
    assert check_game(leduc.GAME, 2, range(24), policies) >= 24 * 3


@pytest.mark.plain
@pytest.mark.parametrize(("dice", "sides"), [(1, 6), (1, 2), (2, 3), (5, 6)])
@pytest.mark.parametrize("policies", [[0, 0], [0, 1]])
def test_liars_dice_keeps_its_promises(dice, sides, policies):
    assert check_game(liars_dice.GAME, 2, range(8), policies, lambda seed: liars_dice.start(dice, sides)) >= 8 * 4


@pytest.mark.parametrize("name", CATAN)
def test_catan_keeps_its_promises(name):
    rules, bots = CATAN[name]
    assert check_game(catan.GAME, len(bots), [11], bots, start_with(rules, len(bots))) > 100


@pytest.mark.plain
@pytest.mark.parametrize("phased", [False, True])
def test_catan_keeps_its_promises_in_a_short_game(phased):
    rules = catan.Rules(max_turns=3, phased_turns=phased)
    assert check_game(catan.GAME, 3, [5], [RANDOM, BUILDER, RANDOM], start_with(rules, 3)) > 12


@pytest.mark.plain
def test_compiled_kuhn_equals_its_plain_twin():
    assert sum(check_twin(kuhn.GAME, 2, seed, policies) for seed in range(12) for policies in ([0, 0], [1, 0])) >= 24 * 4


@pytest.mark.plain
def test_compiled_leduc_equals_its_plain_twin():
    assert sum(check_twin(leduc.GAME, 2, seed, policies) for seed in range(12) for policies in ([0, 0], [1, 0])) >= 24 * 3


@pytest.mark.plain
def test_compiled_liars_dice_equals_its_plain_twin():
    def start(seed: int) -> Any:
        return liars_dice.start(1 + seed % 5, 2 + seed % 5)

    runs = [check_twin(liars_dice.GAME, 2, seed, policies, start) for seed in range(10) for policies in ([0, 0], [1, 0])]
    assert sum(runs) >= 20 * 4


@pytest.mark.parametrize(
    ("bots", "rules"),
    [
        ([BUILDER, RANDOM, BUILDER, RANDOM], catan.Rules(max_turns=36)),
        (
            [BUILDER, BUILDER, BUILDER],
            catan.Rules(phased_turns=True, friendly_robber=True, all_or_nothing_bank=True, max_turns=45),
        ),
        ([RANDOM, RANDOM], catan.Rules(domestic_trade=False, max_turns=150, discard_limit=5)),
    ],
    ids=["trade-4", "phased-3", "random-2"],
)
def test_compiled_catan_equals_its_plain_twin(bots, rules):
    assert check_twin(catan.GAME, len(bots), 3, bots, start_with(rules, len(bots))) > 300
