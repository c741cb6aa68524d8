"""The names that help and completion know without loading a game are those of the games."""

from dataclasses import fields

import pytest

from kibitz import formats
from kibitz.analysis.types import AnalysisMode
from kibitz.catan import Rules as CatanRules
from kibitz.cli import names
from kibitz.coup import Rules as CoupRules
from kibitz.coup.cards import CHARACTERS
from kibitz.loops.config import MODELS
from kibitz.loops.lab import LAB
from kibitz.onepiece.decks import STARTERS
from kibitz.play import catan_bots, coup_bots, onepiece_bots


def options_of(rules: type) -> tuple[str, ...]:
    return tuple(option.name for option in fields(rules))


@pytest.mark.plain
@pytest.mark.parametrize(
    ("known", "true"),
    [
        (names.BOTS["catan"], catan_bots.NAMES),
        (names.BOTS["coup"], coup_bots.NAMES),
        (names.BOTS["onepiece"], onepiece_bots.NAMES),
        (names.RULES["catan"], options_of(CatanRules)),
        (names.RULES["coup"], options_of(CoupRules)),
        (names.GUARDS, tuple(MODELS)),
        (names.MODES, tuple(AnalysisMode)),
        (names.DECKS, tuple(STARTERS)),
        (names.LOGS, tuple(formats.FORMATS)),
        (names.WRITTEN_LOGS, formats.WRITERS),
        (names.CARDS, tuple(CHARACTERS)),
        (names.LOOPS, tuple(LAB)),
    ],
    ids=lambda value: value[0],
)
def test_names_are_those_of_the_games(known, true):
    assert known == true
