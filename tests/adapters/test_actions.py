"""Ids of actions: they never change, and they are the legal actions, no more and no less.

A new kind of action may be appended to the tables in `tests/golden/`; what is there already stays as it is:

    python -m tests.adapters.test_actions --write
"""

import sys
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from kibitz import GAMES as NAMES
from kibitz import game
from kibitz.adapters.setting import action_table, setting
from kibitz.catan.core.state import Rules
from kibitz.examples import kuhn
from kibitz.game import CHANCE, OVER, legal_actions
from kibitz.ground.rng import Stream
from kibitz.play.registry import profile
from tests.playthrough import FOLDER, check_golden, write_golden

pytestmark = pytest.mark.plain

HOW = "python -m tests.adapters.test_actions --write"


def ids(name):
    """What all ids mean, in their order: actions, and what chance does."""
    table = setting(name).actions
    return "".join(f"{number} {table.describe(number)}\n" for number in range(len(table)))


def outcome_ids(name):
    table = setting(name).actions
    return "".join(f"{number} {table.game.describe(code)}\n" for number, code in enumerate(table.outcomes))


TEXTS = {f"ids-{name}{kind}.txt": partial(of, name) for name in NAMES for kind, of in (("", ids), ("-chance", outcome_ids))}


@pytest.mark.parametrize("file", TEXTS)
def test_the_ids_of_all_versions_mean_the_same(file):
    check_golden(file, TEXTS[file](), HOW)


@pytest.mark.parametrize("name", NAMES)
def test_ids_and_texts_are_one_to_one(name):
    table = setting(name).actions
    assert [table.number(table.describe(number)) for number in range(len(table))] == list(range(len(table)))


def positions(name, steps, seats=None, **options):
    """Positions of a random game, chance included."""
    here = setting(name, seats, **options)
    states, stream = here.start(3), Stream(5)
    for _ in range(steps):
        if game.actor_at(states, 0) == OVER:
            return
        yield here, states
        game.apply_at(states, 0, stream.choice(legal_actions(states)))


@pytest.mark.parametrize("name", NAMES)
def test_the_mask_is_the_list_of_legal_actions(name):
    for here, states in positions(name, 120):
        legal, table = legal_actions(states), here.actions
        if game.actor_at(states, 0) == CHANCE:
            assert {*legal} <= {*table.outcomes}
        else:
            mask = table.mask(table.legal(states))
            assert sorted(table.codes[number] for number in mask.nonzero()[0]) == legal
            assert table.default(table.legal(states)) in table.legal(states)
            assert mask.dtype == np.int8


def test_phased_turns_have_ids_and_defaults_too():
    phased = {}
    for here, states in positions("catan", 400, 2, rules=Rules(phased_turns=True)):
        if game.actor_at(states, 0) >= 0:
            table = here.actions
            phased[int(states["phase"][0])] = table.describe(table.default(table.legal(states))).split()[0]
    assert {"end_trade_phase", "end_build_phase", "end_turn"} <= {*phased.values()}


def test_the_default_passes_where_it_can():
    table = setting("catan").actions
    turn = [table.number(text) for text in ("trade_bank 4 wood for ore", "build_road 17-18", "end_turn")]
    assert table.describe(table.default(sorted(turn))) == "end_turn"
    discard = [table.number("discard_resource ore"), table.number("discard_resource brick")]
    assert table.describe(table.default(sorted(discard))) == "discard_resource brick"


def test_a_game_that_says_nothing_has_the_codes_that_it_declares():
    table = setting("kuhn").actions
    assert [table.describe(number) for number in range(len(table))] == ["pass", "bet"]
    assert [table.game.describe(code) for code in table.outcomes] == ["deal jack", "deal queen", "deal king"]
    known = profile("kuhn")
    with pytest.raises(ValueError, match=r"kuhn: its actions have no numbers; declare them: Game\(..., codes="):
        action_table(known, replace(kuhn.GAME, codes=None))
    states, lacking = dealt(kuhn.new(2, 0)), action_table(known, replace(kuhn.GAME, codes=((0,), (2, 3, 4))))
    with pytest.raises(ValueError, match="kuhn: 1 is legal, but is not among the codes that the game declares"):
        lacking.legal(states)


def dealt(states):
    for _ in range(2):
        game.apply_at(states, 0, legal_actions(states)[0])
    return states


if __name__ == "__main__":
    for file, text in TEXTS.items():
        if (FOLDER / file).exists() and not text().startswith((FOLDER / file).read_text(encoding="utf-8")):
            sys.exit(f"{file}: an id would change its meaning; put what is new behind the others")
    write_golden(TEXTS, __doc__ or "")
