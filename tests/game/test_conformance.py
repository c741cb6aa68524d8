"""Every game keeps the promises of `kibitz.testing`."""

from typing import Any

import pytest

from kibitz import catan, coup
from kibitz.catan.core.state import new_states
from kibitz.coup.core.state import new_states as new_coup
from kibitz.examples import kuhn, leduc, liars_dice
from kibitz.ground.jit import COMPILED
from kibitz.testing import check_game, check_twin
from tests.search.boxed import boxed

RANDOM, BUILDER, SEED = 0, 1, 2
#: Games of an example, which plain Python plays for minutes.
MANY, FEW = (24, 8) if COMPILED else (8, 2)
#: Options, and for each number of seats who sits there. Random players who trade take thousands of steps to win.
CATAN = {
    "default-2": (catan.Rules(), [BUILDER, BUILDER]),
    "default-3": (catan.Rules(), [BUILDER, RANDOM, BUILDER]),
    "default-4": (catan.Rules(), [BUILDER, BUILDER, RANDOM, BUILDER]),
    "seed-4": (catan.Rules(), [SEED, BUILDER, SEED, SEED]),
    "random-2": (catan.Rules(max_turns=60), [RANDOM, RANDOM]),
    "random-4": (catan.Rules(max_turns=40), [RANDOM] * 4),
    "no-trade-3": (catan.Rules(domestic_trade=False, discard_limit=4, max_turns=90), [RANDOM] * 3),
    "friendly-4": (catan.Rules(friendly_robber=True, victory_points=7), [BUILDER, RANDOM, BUILDER, BUILDER]),
    "phased-2": (catan.Rules(phased_turns=True, max_turns=80), [RANDOM, BUILDER]),
    "phased-3": (catan.Rules(phased_turns=True, all_or_nothing_bank=True), [BUILDER, SEED, BUILDER]),
    "phased-4": (catan.Rules(phased_turns=True, max_turns=40), [RANDOM, RANDOM, BUILDER, RANDOM]),
}


def start_with(rules: catan.Rules, seats: int) -> Any:
    return lambda seed: new_states(catan.Board.random(seed), seats, rules)


@pytest.mark.untraced
@pytest.mark.plain
@pytest.mark.parametrize("policies", [[0, 0], [0, 1], [1, 0], [1, 1]])
def test_kuhn_keeps_its_promises(policies):
    assert check_game(kuhn.GAME, 2, range(24), policies) >= 24 * 4


@pytest.mark.untraced
@pytest.mark.plain
@pytest.mark.parametrize("policies", [[0, 0], [0, 1], [1, 0], [1, 1]])
def test_leduc_keeps_its_promises(policies):
    assert check_game(leduc.GAME, 2, range(MANY), policies) >= MANY * 3


@pytest.mark.untraced
@pytest.mark.plain
@pytest.mark.parametrize(("dice", "sides"), [(1, 6), (1, 2), (2, 3), (5, 6)])
@pytest.mark.parametrize("policies", [[0, 0], [0, 1]])
def test_liars_dice_keeps_its_promises(dice, sides, policies):
    assert check_game(liars_dice.GAME, 2, range(FEW), policies, lambda seed: liars_dice.start(dice, sides)) >= FEW * 4


@pytest.mark.parametrize("name", CATAN)
def test_catan_keeps_its_promises(name):
    rules, bots = CATAN[name]
    assert check_game(catan.GAME, len(bots), [11], bots, start_with(rules, len(bots))) > 100


@pytest.mark.plain
@pytest.mark.parametrize("phased", [False, True])
def test_catan_keeps_its_promises_in_a_short_game(phased):
    rules = catan.Rules(max_turns=3, phased_turns=phased)
    assert check_game(catan.GAME, 2, [5], [RANDOM, BUILDER], start_with(rules, 2)) > 12


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
        ([BUILDER, RANDOM, BUILDER, RANDOM], catan.Rules(max_turns=12)),
        (
            [BUILDER, BUILDER, BUILDER],
            catan.Rules(phased_turns=True, friendly_robber=True, all_or_nothing_bank=True, max_turns=16),
        ),
        ([RANDOM, RANDOM], catan.Rules(domestic_trade=False, max_turns=90, discard_limit=5)),
    ],
    ids=["trade-4", "phased-3", "random-2"],
)
def test_compiled_catan_equals_its_plain_twin(bots, rules):
    assert check_twin(catan.GAME, len(bots), 3, bots, start_with(rules, len(bots))) > 150


HONEST, HEURISTIC = 1, 2
#: Options of Coup, and who sits at the table.
COUP = {
    "random-2": (coup.Rules(), [RANDOM] * 2),
    "random-3": (coup.Rules(steal_from_zero=True), [RANDOM] * 3),
    "random-6": (coup.Rules(), [RANDOM] * 6),
    "honest-2": (coup.Rules(max_turns=40), [HONEST] * 2),
    "heuristic-4": (coup.Rules(target_may_block_after_failed_challenge=False, max_turns=60), [HEURISTIC] * 4),
    "mixed-5": (coup.Rules(refund_on_caught_bluff=False, max_turns=60), [HONEST, RANDOM, HEURISTIC, RANDOM, HEURISTIC]),
}


def coup_with(rules: coup.Rules, seats: int) -> Any:
    return lambda seed: new_coup(seats, rules)


@pytest.mark.parametrize("name", COUP)
def test_coup_keeps_its_promises(name):
    rules, bots = COUP[name]
    assert check_game(coup.GAME, len(bots), range(4), bots, coup_with(rules, len(bots))) > 4 * 10


@pytest.mark.plain
def test_coup_keeps_its_promises_in_a_short_game():
    assert check_game(coup.GAME, 3, [5], [HONEST, RANDOM, HEURISTIC], coup_with(coup.Rules(max_turns=6), 3)) > 12


@pytest.mark.plain
@pytest.mark.parametrize("bots", [[RANDOM] * 2, [HEURISTIC, HONEST, RANDOM]], ids=["random-2", "mixed-3"])
def test_compiled_coup_equals_its_plain_twin(bots):
    steps = [check_twin(coup.GAME, len(bots), seed, bots, coup_with(coup.Rules(max_turns=20), len(bots))) for seed in range(3)]
    assert sum(steps) > 30


@pytest.mark.plain
def test_a_boxed_game_keeps_the_promises_of_its_structs():
    for original in (kuhn, leduc):
        plain = boxed(original.new(2, 0)).game
        steps = check_game(plain, 2, range(6), [0, 1])
        assert steps == check_game(original.GAME, 2, range(6), [0, 1])
