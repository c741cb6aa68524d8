"""What a review finds: chances, luck, a verdict on every decision, and what it comes to for each seat.

Chances and luck are in the evaluator's integers: `kibitz.game.evaluator.SURE` of them are a sure win. Losses are shares of
games.
"""

from dataclasses import dataclass, field
from typing import Any, Self

from kibitz.catan.analysis.types import Difference
from kibitz.game.evaluator import SURE
from kibitz.ground.codec import decode, encode_fields

BEST, GOOD, INACCURACY, MISTAKE, BLUNDER = GRADES = ("best", "good", "inaccuracy", "mistake", "blunder")
#: From which loss on a decision has a grade; `best` is anything below.
LEAST = {GOOD: 0.005, INACCURACY: 0.02, MISTAKE: 0.05, BLUNDER: 0.10}
#: What is worth two points to whoever holds it.
AWARDS = ("road", "army")
#: What happens by chance.
DICE, STOLEN, DRAWN = FORTUNES = ("dice", "stolen card", "drawn card")


def grade_of(loss: float) -> str:
    """The grade of a decision that costs so much.

    >>> [grade_of(loss) for loss in (-0.01, 0.01, 0.02, 0.07, 0.3)]
    ['best', 'good', 'inaccuracy', 'mistake', 'blunder']
    """
    return next((grade for grade in reversed(GRADES[1:]) if loss >= LEAST[grade]), BEST)


@dataclass(frozen=True)
class ReviewConfig:
    """How closely a game is looked at."""

    seed: int = 0
    """What the games that are played on depend on."""
    seat: int | None = None
    """Whose decisions are measured first; all are in the end."""
    worlds: int = 48
    """Worlds in which the evaluator judges a decision."""
    games: int = 48_000
    """Games for the decisions of one seat, at most."""
    tries: int = 64
    """Games with each of a few moves that seem good, to find the best; the two that are left have as many more."""
    pairs: int = 1_600
    """Games with the best and with what was played, at most, to measure what a decision cost."""


@dataclass(frozen=True)
class Moment:
    """A point of the chart: before a settlement of the draft, at the beginning of a turn, or at the end."""

    step: int
    turn: int
    """0 during the draft."""
    pick: int
    """Which settlement of the draft is next, from 1; 0 after the draft."""
    chances: tuple[int, ...]
    luck: tuple[int, ...]
    """Each seat's luck up to here."""


@dataclass(frozen=True)
class Fortune:
    """A roll, a stolen or a drawn card: what it was worth to each seat, beyond what was to be expected."""

    step: int
    turn: int
    seat: int
    """Who rolled, stole or drew."""
    kind: str
    what: str
    """The sum of the dice, or the card."""
    worth: tuple[int, ...]


@dataclass(frozen=True)
class Verdict:
    """What is thought of a decision: what was played, what would have been best, and the difference (a share of games)."""

    step: int
    turn: int
    seat: int
    played: str
    best: str
    loss: Difference
    games: int
    """Pairs of games by which the loss was measured; 0 if only the evaluator was asked."""
    grade: str


@dataclass(frozen=True)
class Option:
    """A move that was possible, and how much less it is worth than the best one, by the evaluator or by games."""

    move: str
    loss: float


@dataclass(frozen=True)
class Award:
    """In how many games (a share) a seat holds one of `AWARDS` after the best move, and after what was played."""

    name: str
    seat: int
    best: float
    played: float


@dataclass(frozen=True)
class Why:
    """What the best move leads to, and how that differs from what was played; means over games with the same dice."""

    line: tuple[str, ...] = ()
    """What the player does in this turn, beginning with the best move."""
    income: tuple[float, ...] = ()
    """By resource: how many cards more 36 throws bring the player, when the turn is over."""
    blocked: tuple[float, ...] = ()
    """By seat: how many cards fewer 36 throws bring the others."""
    cards: float = 0.0
    """How many cards more the player holds when the turn is over."""
    points: tuple[tuple[int, float, float], ...] = ()
    """After so many rounds: the player's points after the best move, and after what was played."""
    lost: tuple[int, int, float] | None = None
    """A corner that somebody else settles after what was played: the corner, who, and in how many games (a share)."""
    award: Award | None = None
    """Who holds the Longest Road or the Largest Army more or less often, where that makes a difference."""


@dataclass(frozen=True)
class Entry:
    """One idea that was missed, once or several times: the costliest of these decisions stands for all."""

    verdict: Verdict
    steps: tuple[int, ...]
    """All decisions in which it was missed."""
    options: tuple[Option, ...] = ()
    """All that could have been played in the costliest of them."""
    why: Why = Why()

    @property
    def seat(self) -> int:
        """Whose it is."""
        return self.verdict.seat


@dataclass(frozen=True)
class Account:
    """What a game came to for a seat, to the last unit.

    start + dice + stolen + drawn + own + others = result, and own = correction - losses.
    """

    start: int
    dice: int
    stolen: int
    drawn: int
    own: int
    """By how much the evaluator's opinion changed with the seat's own decisions."""
    others: int
    """The same with those of all others."""
    result: int
    losses: int
    """What the seat's decisions cost, as they were judged: by look-ahead, and by games where these were played."""
    correction: int
    """By how much that differs from the evaluator's first opinion."""
    decisions: int = 0
    grades: dict[str, int] = field(default_factory=dict)
    accuracy: float | None = None
    """1 for whoever always found the best; 0 for who does no better than to pick any sensible move. None without decisions."""

    @property
    def luck(self) -> int:
        """All luck together."""
        return self.dice + self.stolen + self.drawn

    @property
    def adjusted(self) -> int:
        """What the result would have been without luck."""
        return self.result - self.luck


@dataclass(frozen=True)
class Review:
    """What was found so far. `to_json` and `from_json` are inverse to each other."""

    seats: int
    moments: tuple[Moment, ...] = ()
    fortunes: tuple[Fortune, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    """On every decision, in their order; where there is one sensible way there is none."""
    entries: tuple[Entry, ...] = ()
    """Mistakes that games have confirmed, the costliest first."""
    accounts: tuple[Account, ...] = ()
    """By seat."""
    served: bool = True
    """Whether the evaluator was trained for these rules; else its chances are rough, and only what games measured counts."""
    partial: str | None = "running"
    """Why it is not complete: ``running``, ``cancelled`` or ``time``; None once it is."""

    def to_json(self) -> dict[str, Any]:
        """Everything, by name."""
        return encode_fields(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Read what `to_json` wrote. Raises a ValueError for what it did not."""
        return decode(cls, data)

    def of_seat(self, seat: int | None) -> tuple[Entry, ...]:
        """The entries of a seat, or all."""
        return tuple(entry for entry in self.entries if seat is None or entry.seat == seat)


def points(worth: float) -> float:
    """The evaluator's integers as points of a hundred.

    >>> points(SURE // 4)
    25.0
    """
    return 100 * worth / SURE
