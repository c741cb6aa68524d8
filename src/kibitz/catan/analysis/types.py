"""What an analysis is asked and what it answers. Seats count from 0 here and in JSON; people read them from 1.

People meet the settings one by one (`Setting`): which ones a mode heeds, what each means, what it may be.

>>> [setting.name for setting in settings_of("static")]
['policy', 'top', 'mc_seed']
>>> describe("mc_throws")
Setting(name='mc_throws', meaning='How many throws a sequence lasts.', default=60, low=1, high=10000, choices=())
"""

from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from functools import cache
from typing import Any, ClassVar, Literal, Self, get_args, get_type_hints

from kibitz.catan.core.policy import BOTS
from kibitz.ground.codec import check_settings, decode, docstrings, parse_json
from kibitz.ground.intervals import margin_of
from kibitz.ground.texts import Mistake
from kibitz.loops.config import Config
from kibitz.play.advice import Advice, Option
from kibitz.play.guarded import guards
from kibitz.play.share import Share


class InvalidConfig(Mistake):
    """A setting out of its bounds; the message names it."""


class AnalysisMode(StrEnum):
    """The five ways to look at a position; `describe` says in a sentence what each does."""

    STATIC = "static"
    MONTE_CARLO = "monte_carlo"
    MCTS = "mcts"
    FULL_GAME = "full_game"
    ISMCTS = "ismcts"

    @classmethod
    def named(cls, mode: Any) -> Self:
        """The mode of this name. Raises `InvalidConfig`."""
        if mode not in list(cls):
            *names, last = cls
            raise InvalidConfig(f"mode={str(mode)!r}: expected {', '.join(names)} or {last}")
        return cls(mode)

    @property
    def describe(self) -> str:
        """One sentence for people."""
        return {
            "static": "Scores every corner by what lies around it, term by term; at once.",
            "monte_carlo": "Rolls dice over a placement: what it earns, and how long the first buildings take.",
            "mcts": "Searches the draft itself: what everybody picks if you take a corner, judged by whole games.",
            "full_game": "Plays thousands of whole games from each of the best candidates and counts who wins.",
            "ismcts": "Searches what may follow each action over everything that may be hidden, and says the likely line.",
        }[self.value]


#: Rollouts play at least so many turns, however low the cap: hardly any game is won before that.
LEAST_TURNS = 40


@dataclass(frozen=True)
class AnalysisConfig:
    """Every setting of every mode. The same settings give the same answer.

    >>> AnalysisConfig(full_game_max_turns=10)
    Traceback (most recent call last):
    ...
    kibitz.catan.analysis.types.InvalidConfig: full_game_max_turns=10: expected a whole number from 20 to 30000
    """

    mc_seed: int = 0
    """The seed of everything that is random."""
    policy: str = "builder"
    """The bot that plays all seats in simulated games."""
    rank_by: Literal["score", "win_rate"] = "score"
    """How simulated candidates are ranked: by a blend of static score, win rate and speed, or by win rate alone."""
    top: int = 5
    """How many corners are recommended."""
    full_game_rollouts: int = 800
    """Whole games for each candidate, on average (a corner, a corner with a road, or a move)."""
    full_game_max_turns: int = 300
    """A simulated game that reaches the end of this turn ends without a winner (at least 40 are played)."""
    full_game_candidate_vertices: int = 10
    """How many corners, the best by static score, are simulated."""
    full_game_trade_offer_limit: int = 4
    """Offers that a player may make in one turn of a simulated game."""
    finalists: int = 0
    """For how many moves, or twice as many corners, the best by a glance of the evaluator, games are played; 0: for all."""
    common_random_numbers: bool = True
    """Whether game i has the same dice for every candidate, which makes differences sharper."""
    adaptive: bool = True
    """Whether games are spent where they decide, or evenly."""
    mc_samples: int = 2000
    """Sequences of dice for each placement."""
    mc_throws: int = 60
    """How many throws a sequence lasts."""
    mcts_iterations: int = 4000
    """Whole games in a search of the draft, in all trees together."""
    mcts_candidates: int = 6
    """How many corners a player considers at each pick: the best by static score, at the first pick the evaluator's."""
    mcts_trees: int = 8
    """Independent trees whose visits are added up."""
    mcts_exploration: float = 0.7
    """How much a search prefers what it has seldom tried."""
    ismcts_iterations: int = 20_000
    """Whole games in a search of a running game, in all forests together."""
    ismcts_trees: int = 4
    """Independent forests whose visits are added up; at most so many threads are of use."""
    ismcts_exploration: float = 0.3
    """How much that search prefers what it has seldom tried."""
    guard: str | None = None
    """The loop rules of simulated games: the name of a model, or the text of a rules file; none by default."""

    MOST_ROLLOUTS: ClassVar[int] = 10**7
    MOST_ITERATIONS: ClassVar[int] = 10**9
    _BOUNDS: ClassVar[dict[str, tuple[int, int]]] = {
        "mc_seed": (-(2**63), 2**63 - 1),
        "top": (1, 54),
        "full_game_rollouts": (1, MOST_ROLLOUTS),
        "full_game_max_turns": (20, 30000),
        "full_game_candidate_vertices": (1, 54),
        "full_game_trade_offer_limit": (0, 100),
        "finalists": (0, 54),
        "mc_samples": (1, 10**7),
        "mc_throws": (1, 10**4),
        "mcts_iterations": (1, 10**7),
        "mcts_candidates": (1, 54),
        "mcts_trees": (1, 1024),
        "mcts_exploration": (0, 100),
        "ismcts_iterations": (1, MOST_ITERATIONS),
        "ismcts_trees": (1, 1024),
        "ismcts_exploration": (0, 100),
    }

    def __post_init__(self) -> None:
        check_settings(self, self._BOUNDS, InvalidConfig)
        if not isinstance(self.policy, str) or self.policy not in BOTS:
            raise InvalidConfig(f"policy={self.policy!r}: no such bot; these are {', '.join(BOTS)}")
        _guard_rules(self.guard)

    @property
    def guard_rules(self) -> Config | None:
        """What `guard` says."""
        return _guard_rules(self.guard)

    @property
    def turn_cap(self) -> int:
        """How many turns a simulated game lasts at most."""
        return max(LEAST_TURNS, self.full_game_max_turns)

    def to_json(self) -> dict[str, Any]:
        """Every setting by name."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """The settings by name; an unknown one is refused."""
        unknown = set(data) - {f.name for f in fields(cls)}
        if unknown:
            raise InvalidConfig(f"unknown setting {min(unknown)!r}; the settings are {', '.join(f.name for f in fields(cls))}")
        return cls(**data)


def _guard_rules(guard: str | None) -> Config | None:
    if guard is None or (isinstance(guard, str) and guard in guards()):
        return guards()[guard] if guard else None
    try:
        return Config.from_json(parse_json(guard), guards())
    except (ValueError, TypeError) as error:
        models = ", ".join(guards())
        raise InvalidConfig(f"guard={guard!r:.40}: expected {models} or the text of a rules file ({error})") from None


# --- the settings as people meet them ---------------------------------------------------------------------


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
        "full_game_rollouts", "full_game_candidate_vertices", "finalists", "rank_by", "adaptive", "common_random_numbers",
        "guard", *_GAMES, *_ALWAYS,
    ),
    AnalysisMode.ISMCTS: ("ismcts_iterations", "ismcts_trees", "ismcts_exploration", *_GAMES, *_ALWAYS),
}  # fmt: skip


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


def settings_of(mode: AnalysisMode | str) -> list[Setting]:
    """The settings that a mode heeds, the most important first."""
    return [describe(name) for name in SETTINGS[AnalysisMode.named(mode)]]


@cache
def describe(name: str) -> Setting:
    """One setting by its name."""
    default = next(f.default for f in fields(AnalysisConfig) if f.name == name)
    low, high = AnalysisConfig._BOUNDS.get(name, (None, None))
    words = {"policy": tuple(BOTS), "guard": tuple(guards())}
    choices = words.get(name) or get_args(get_type_hints(AnalysisConfig)[name])
    return Setting(name, docstrings(AnalysisConfig)[name], default, low, high, choices)


# --- the answer ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FullGameSummary:
    """What became of some simulated games. Turns are single players' turns."""

    rollout_count: int
    player_win_rates: dict[int, float]
    player_win_intervals: dict[int, tuple[float, float]]
    """95 % intervals of the rates."""
    expected_turns_to_victory: dict[int, float | None]
    """The mean turn in which a seat won, over the games that it won; None if it won none."""
    average_game_length_turns: float
    unfinished: int = 0
    """Games that nobody had won when the turn cap came."""
    drawn: int = 0
    """Games that the loop guard made a draw."""


@dataclass(frozen=True)
class VertexScore:
    """A corner, what it is worth, and every term of it.

    Where whole games were played, `total` blends static score, win rate and speed, and the three scores and `robber_penalty`
    come from the games; elsewhere they are the static ones.
    """

    vertex_id: int
    total: float
    baseline_total: float
    """The static score: the sum of `terms`."""
    terms: dict[str, float]
    """Every term of the static score, by its weight."""
    tempo_score: float
    """100 by the mean turn of victory; static: cards that ten throws bring."""
    recipe_coverage_score: float
    """5 times the win rate; static: the terms that say what the corner's resources pay for."""
    robber_penalty: float
    """Cards lost to the robber in a game; static: what the exposure of the best hex costs."""
    simulated: bool = False
    win_rate: Share | None = None
    """Of the games that did not decide who was simulated longer; the seat under analysis."""
    road: int | None = None
    """The road that was simulated with the settlement."""
    summary: FullGameSummary | None = None
    """Of those games alone."""


@dataclass(frozen=True)
class Difference:
    """How much better or worse than the best, in win rate, with its 95 % interval; from games with the same dice."""

    mean: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """The number after the ±."""
        return margin_of(self.mean, self.low, self.high)

    @property
    def tells_apart(self) -> bool:
        """Whether the games show which of the two wins more often."""
        return not self.low <= 0 <= self.high


@dataclass(frozen=True, kw_only=True)
class MoveScore(Option):
    """An action in a running game and how often the seat wins after it."""

    difference: Difference | None = None
    """To the best action, from games with the same dice; 0 for the best itself, None where no such games were played."""
    summary: FullGameSummary | None = None
    """Of its games, where they were kept."""


@dataclass(frozen=True)
class DraftPick:
    """A settlement and its road in the draft, recommended or expected."""

    pick: int
    """Which pick of the draft it is, from 0."""
    seat: int
    vertex_id: int
    road: int | None
    score: float
    """The static score of the corner for this seat at that moment."""


@dataclass(frozen=True)
class LineExplanation:
    """Why a corner: a label (``FG#1 V23 (sim)``), sentences for people, and the picks that the line holds."""

    label: str
    sentences: tuple[str, ...]
    vertex_id: int | None = None
    actions: tuple[str, ...] = ()
    value: float | None = None
    visits: int | None = None

    @property
    def text(self) -> str:
        """All in one line."""
        return f"{self.label}: {' '.join(self.sentences)}"


@dataclass(frozen=True)
class Waiting:
    """How many throws pass until something can be paid for the first time.

    `distribution[t]` is the chance that it is throw t (0: at once), `later` that it is none of them; the mean counts those as
    the last throw.
    """

    mean: float
    median: int | None
    distribution: tuple[float, ...]
    later: float


@dataclass(frozen=True)
class PlacementReport:
    """What dice bring to a placement: cards of each resource a throw, and how long the first purchases take."""

    vertex_id: int | None
    """The corner that was added to what the seat has; None for what it has alone."""
    income: dict[str, float]
    income_deviation: dict[str, float]
    """The standard deviation of the cards of a whole sequence, by resource."""
    waiting: dict[str, Waiting]
    """By purchase: road, settlement, city, development card."""


@dataclass(frozen=True, kw_only=True)
class AnalysisResult(Advice):
    """The answer. `to_json` and `from_json` are inverse to each other."""

    NAME = "catan"

    mode: AnalysisMode
    position: dict[str, Any] = field(default_factory=dict)
    """What was analysed: phase, turn, and the step of a record where it came from one."""
    options: tuple[MoveScore, ...] = ()
    """In a running game (and for `ismcts` in the draft): what may be done, the best first."""
    board: str
    config: AnalysisConfig
    global_ranking: tuple[VertexScore, ...] = ()
    predicted_sequence: tuple[DraftPick, ...] = ()
    top_recommendations: tuple[VertexScore, ...] = ()
    explain_lines: tuple[LineExplanation, ...] = ()
    """Of corners; a move has its `reason`."""
    full_game_summary: FullGameSummary | None = None
    placements: tuple[PlacementReport, ...] = ()

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Read what `to_json` wrote."""
        return decode(cls, data)

    def _repr_html_(self) -> str:
        from kibitz.catan.analysis.report import result_html

        return result_html(self)
