"""The settings of an analysis as people meet them: which ones a mode heeds, what each means, what it may be.

>>> [setting.name for setting in settings_of("static")]
['policy', 'top', 'mc_seed']
>>> describe("mc_throws")
Setting(name='mc_throws', meaning='How many throws a sequence lasts.', default=60, low=1, high=10000, choices=())
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import Any, get_args, get_type_hints

from kibitz.catan.analysis.types import AnalysisConfig, AnalysisMode
from kibitz.catan.core.policy import BOTS
from kibitz.ground.codec import docstrings
from kibitz.play.guarded import guards

_GAMES = ("full_game_max_turns", "full_game_trade_offer_limit")
_ALWAYS = ("policy", "top", "mc_seed")
#: The settings that mean something in a mode, the most important first.
SETTINGS: dict[AnalysisMode, tuple[str, ...]] = {
    AnalysisMode.STATIC: _ALWAYS,
    AnalysisMode.MONTE_CARLO: ("mc_samples", "mc_throws", "full_game_candidate_vertices", "common_random_numbers", *_ALWAYS),
    AnalysisMode.MCTS: (
        "mcts_iterations", "mcts_candidates", "mcts_trees", "mcts_exploration", "rank_by", "guard", *_GAMES, *_ALWAYS,
    ),
    AnalysisMode.FULL_GAME: (
        "full_game_rollouts", "full_game_candidate_vertices", "rank_by", "adaptive", "common_random_numbers", "guard",
        *_GAMES, *_ALWAYS,
    ),
    AnalysisMode.ISMCTS: ("ismcts_iterations", "ismcts_trees", "ismcts_exploration", *_GAMES, *_ALWAYS),
}  # fmt: skip
#: The bounds of a setting that is no whole number.
_EXPLORATION = (0, 100)


@dataclass(frozen=True)
class Setting:
    """One setting: its bounds where it is a number, its choices where it is a word."""

    name: str
    meaning: str
    default: Any
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The name for people.

        >>> describe("full_game_rollouts").words
        'Rollouts'
        """
        text = self.name
        for prefix in ("full_game_", "ismcts_", "mcts_", "mc_"):
            text = text.removeprefix(prefix)
        return text.replace("candidate_vertices", "candidates").replace("_", " ").capitalize()


def heeds(mode: AnalysisMode, name: str) -> bool:
    """Whether a setting means something in a mode."""
    return name in SETTINGS[mode]


def settings_of(mode: AnalysisMode | str) -> list[Setting]:
    """The settings that a mode heeds, the most important first."""
    return [describe(name) for name in SETTINGS[AnalysisMode(mode)]]


@cache
def describe(name: str) -> Setting:
    """One setting by its name."""
    default = next(f.default for f in fields(AnalysisConfig) if f.name == name)
    low, high = AnalysisConfig._BOUNDS.get(name, _EXPLORATION if isinstance(default, float) else (None, None))
    words = {"policy": tuple(BOTS), "guard": tuple(guards())}
    choices = words.get(name) or get_args(get_type_hints(AnalysisConfig)[name])
    return Setting(name, docstrings(AnalysisConfig)[name], default, low, high, choices)
