"""A ladder: ratings of all bots of a game, from all games that any of them have played at any tables.

The model is that of Bradley and Terry for more than two (Luce 1959): every bot has a strength, and the chance of a seat to win
is its strength as a share of all strengths at the table. Strengths are told on the scale of chess: 400 points more are odds of
10 to 1 between two seats; one bot, the *anchor*, has a fixed rating.

>>> met = [Meeting(("a", "b", "b", "b"), (400, 200, 200, 200)), Meeting(("b", "a", "a", "a"), (14_286, 28_571, 28_571, 28_571))]
>>> found = rated(met, anchor="b")
>>> round(found["a"].rating), found["b"].rating
(1120, 1000.0)

What a command has measured is kept with the game, in one file (`Ladder`); pages, commands and docs read it there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources
from math import log
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kibitz.ground.intervals import Z
from kibitz.ground.signs import minus
from kibitz.play.tournament import ELO, Rating

if TYPE_CHECKING:
    from kibitz.play.profile import Profile

#: The rating of the anchor.
ANCHORED = 1000.0
#: Virtual games at every kind of table, won by all seats alike, so that a bot that lost every game has a rating, too.
PRIOR = 1.0
#: Steps of Newton's method, and the size of the last one.
STEPS, SMALL = 200, 1e-10


class Meeting(NamedTuple):
    """Some games at one table: who sat where, and how often each seat won."""

    table: tuple[str, ...]
    won: tuple[int, ...]


def alone(one: str, others: str, seats: int, won: int, lost: int) -> Meeting:
    """Games of one bot against a table of others, of which only is known whether the one won.

    >>> alone("a", "b", 4, won=30, lost=70)
    Meeting(table=('a', 'b', 'b', 'b'), won=(30, 70, 0, 0))
    """
    return Meeting((one, *[others] * (seats - 1)), (won, lost, *[0] * (seats - 2)))


def rated(meetings: Sequence[Meeting], anchor: str, at: float = ANCHORED) -> dict[str, Rating]:
    """The most likely ratings, with 95 % intervals from the curvature of the likelihood at its peak.

    One number for each bot never tells everything. Where the results of a bot at different tables contradict each other by more
    than luck explains, its interval is as wide as that demands.
    """
    names = list(dict.fromkeys([anchor, *(name for meeting in meetings for name in meeting.table)]))
    tables: dict[tuple[str, ...], np.ndarray[Any, np.dtype[np.float64]]] = {}
    for table, won in meetings:
        tables[table] = tables.get(table, np.full(len(table), PRIOR / len(table))) + np.array(won, float)
    seats = [(np.array([names.index(name) for name in table]), won) for table, won in tables.items()]
    strength = np.zeros(len(names))  # logarithms; the first is the anchor's and stays
    for _ in range(STEPS):
        slope, bend = _derivatives(strength, seats)
        step = np.linalg.solve(bend, slope)
        strength[1:] += np.clip(step, -1, 1)
        if np.abs(step).max(initial=0) < SMALL:
            break
    spread = _spread(strength, seats)
    unit = ELO / log(10)
    found = [Rating(at, 0.0)]
    found += [Rating(at + unit * float(s), Z * unit * float(d)) for s, d in zip(strength[1:], spread, strict=True)]
    return dict(zip(names, found, strict=True))


def _derivatives(strength: Any, seats: Sequence[tuple[Any, Any]]) -> tuple[Any, Any]:
    """How the logarithm of the likelihood rises with each strength but the anchor's, and how that bends (its sign turned)."""
    n = len(strength)
    slope, bend = np.zeros(n), np.zeros((n, n))
    for numbers, won in seats:
        power = np.exp(strength[numbers] - strength[numbers].max())
        chance = np.bincount(numbers, power / power.sum(), n)
        games = won.sum()
        slope += np.bincount(numbers, won, n) - games * chance
        bend += games * (np.diag(chance) - np.outer(chance, chance))
    return slope[1:], bend[1:, 1:]


def _spread(strength: Any, seats: Sequence[tuple[Any, Any]]) -> Any:
    """The standard errors of all strengths but the anchor's: from the number of games, or from how badly the model fits.

    The latter is the sandwich estimate with one cluster for each composition of a table (Liang and Zeger 1986).
    """
    inverse = np.linalg.inv(_derivatives(strength, seats)[1])
    slopes: dict[tuple[int, ...], Any] = {}
    for numbers, won in seats:
        kind = tuple(sorted(numbers.tolist()))
        slopes[kind] = slopes.get(kind, 0) + _derivatives(strength, [(numbers, won)])[0]
    clusters = len(slopes)
    meat = sum(np.outer(slope, slope) for slope in slopes.values()) * clusters / max(1, clusters - 1)
    return np.sqrt(np.maximum(np.diag(inverse), np.diag(inverse @ meat @ inverse)))


def expected(ratings: Mapping[str, Rating], table: Sequence[str]) -> list[float]:
    """What each seat of a table should win by the ratings of those who sit there.

    >>> [round(share, 3) for share in expected({"a": Rating(1400, 0), "b": Rating(1000, 0)}, ["a", "b", "b", "b"])]
    [0.769, 0.077, 0.077, 0.077]
    """
    power = np.array([10 ** ((ratings[name].rating - ratings[table[0]].rating) / ELO) for name in table])
    shares: list[float] = (power / power.sum()).tolist()
    return shares


@dataclass(frozen=True)
class Rung:
    """What was measured of a bot."""

    rating: float
    margin: float
    """Half of the 95 % interval."""
    games: int
    """In which it took a seat."""
    seconds: float
    """Processor time of a game in which it sits alone among cheap bots."""

    def __str__(self) -> str:
        rating = minus(self.rating, 0)
        return f"{rating} ± {self.margin:.0f}" if self.margin else rating


@dataclass(frozen=True)
class Ladder:
    """The measured ratings of a game's bots, by name, and how they were made."""

    bots: Mapping[str, Rung]
    anchor: str = ""
    made: str = ""
    """The command, and the commit."""

    def of(self, name: str) -> Rung | None:
        """What was measured of a bot."""
        return self.bots.get(name)

    def to_text(self) -> str:
        """As it is kept."""
        bots = {name: {**asdict(rung), "rating": round(rung.rating, 1), "margin": round(rung.margin, 1)} for name, rung in
                self.bots.items()}  # fmt: skip
        return json.dumps({"anchor": self.anchor, "made": self.made, "bots": bots}, indent=1) + "\n"

    @classmethod
    def from_text(cls, text: str) -> Ladder:
        """Read what `to_text` wrote."""
        kept = json.loads(text)
        return cls({name: Rung(**rung) for name, rung in kept["bots"].items()}, kept["anchor"], kept["made"])


#: Nothing was measured.
NONE = Ladder({})


def ladder_of(profile: Profile) -> Ladder:
    """What was measured of the bots of a game.

    >>> from kibitz.play.registry import profile
    >>> ladder_of(profile("catan")).anchor, ladder_of(profile("kuhn")).bots
    ('builder-0.1', {})
    """
    return _kept(profile.ratings) if profile.ratings else NONE


@cache
def _kept(where: str) -> Ladder:
    package, _, name = where.partition(":")
    file = resources.files(package) / name
    return Ladder.from_text(file.read_text(encoding="utf-8")) if file.is_file() else NONE
