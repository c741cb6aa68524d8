"""Tournaments: bots meet at every table, equally often on each seat; win rates, pairs and ratings with intervals.

The *tables* are all choices of bots for the seats with at least two different ones, and every order of each: with two bots
and four seats, one against three, two against two and three against one. All tables play the same number of games with the
same luck: the same boards with the same dice, the same deals. The game itself is handed in, as a function that plays a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product
from math import exp, log, sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.ground.intervals import Z
from kibitz.ground.rng import derive_seed
from kibitz.ground.signs import signed
from kibitz.ground.texts import percent
from kibitz.play.bots import Conduct, Conducts, together
from kibitz.play.share import Share

if TYPE_CHECKING:
    from kibitz.play.match import Results

#: Rating points for odds of 10 to 1, as in chess.
ELO = 400
#: A virtual draw between each pair, so that a bot that lost every game has a rating, too.
PRIOR = 0.5
#: In so many parts, and some smaller ones to begin with, the games of a tournament are played, all tables in each.
PASSES = 8


class Ends(NamedTuple):
    """How the games at a table ended: who won each (-1: nobody), and the points that rank the other seats."""

    winners: npt.NDArray[np.int64]  # [game]
    points: npt.NDArray[np.int64]  # [game, seat]
    drawn: int = 0
    """How many of them are draws by a loop rule."""
    conduct: Conducts = MappingProxyType({})
    """How bots from outside behaved."""


def ends_of(results: Results) -> Ends:
    """How some games ended, if any were played; in a draw by a loop rule nobody is above anybody."""
    if not len(results.states):
        return Ends(np.zeros(0, np.int64), np.zeros((0, 0), np.int64))
    return Ends(results.winners, results.ranking(), int(results.loops.drawn.sum()) if results.loops else 0, results.conduct)


PlayTable = Callable[[Sequence[str], int, int, int], Ends]
"""Plays a table: the bots by seat, the seed of the series, how many games, and the number of the first.

Game i has the same luck at every table. Fewer games are played, or none, where somebody has said stop.
"""


@dataclass(frozen=True)
class Rating:
    """Strength on the scale of chess: a difference of 400 points means odds of 10 to 1; the average of all bots is 0."""

    rating: float
    margin: float


@dataclass(frozen=True)
class Standings:
    """The outcome of a tournament.

    `seats` holds, for each bot, its wins by seat among the games that it played there. `above[a][b]` counts the pairs of
    seats in a game at which `a` finished above `b`: by winning, else by points (equal points count for neither).
    """

    bots: tuple[str, ...]
    games: int
    tables: int
    unfinished: int
    """How many games nobody won, those drawn by a loop rule excepted."""
    drawn: int
    """How many games a loop rule made a draw."""
    wins: dict[str, Share]
    seats: dict[str, tuple[Share, ...]]
    above: dict[str, dict[str, int]]
    ratings: dict[str, Rating]
    conduct: Conducts = field(default_factory=dict)
    """How bots from outside behaved."""

    def pair(self, a: str, b: str) -> Share:
        """How often `a` finished above `b`, of all times that one of them finished above the other."""
        return Share(self.above[a][b], self.above[a][b] + self.above[b][a])

    def order(self) -> list[str]:
        """The bots, the strongest first."""
        return sorted(self.bots, key=lambda bot: -self.ratings[bot].rating)

    def to_json(self) -> dict[str, Any]:
        """Everything, by name."""
        return {
            "games": self.games,
            "tables": self.tables,
            "unfinished": self.unfinished,
            "drawn": self.drawn,
            "bots": [
                {
                    "name": bot,
                    "rating": self.ratings[bot].rating,
                    "margin": self.ratings[bot].margin,
                    "wins": self.wins[bot].to_json(),
                    "seats": [share.to_json() for share in self.seats[bot]],
                    "above": {other: self.pair(bot, other).to_json() for other in self.bots if other != bot},
                    **({"conduct": self.conduct[bot].to_json()} if bot in self.conduct else {}),
                }
                for bot in self.order()
            ],
        }


@dataclass(frozen=True)
class Duel:
    """How one bot did alone against a table of another, from every seat equally often."""

    one: str
    others: str
    by_seat: tuple[Share, ...]
    """What the one won on each seat."""
    drawn: int = 0
    """How many games a loop rule made a draw."""
    unfinished: int = 0
    """How many games nobody won for another reason."""

    @property
    def wins(self) -> Share:
        """What the one won on all seats together."""
        return Share(sum(seat.won for seat in self.by_seat), sum(seat.games for seat in self.by_seat))

    def to_json(self) -> dict[str, Any]:
        """Everything, by name; `parity` is what equals would win."""
        return {
            "bot": self.one,
            "against": self.others,
            "wins": self.wins.to_json(),
            "by_seat": [seat.to_json() for seat in self.by_seat],
            "parity": 1 / len(self.by_seat),
            "drawn": self.drawn,
            "unfinished": self.unfinished,
        }


def tables(bots: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """All ways to seat at least two different bots.

    >>> tables(["a", "b"], 2)
    [('a', 'b'), ('b', 'a')]
    >>> len(tables(["a", "b"], 4)), len(tables(["a", "b", "c"], 4))
    (14, 78)
    """
    return [table for table in product(bots, repeat=seats) if len(set(table)) > 1]


def tournament(bots: Sequence[str], play: PlayTable, seed: int, rounds: int, seats: int) -> Standings:
    """Play `rounds` games at each of the `tables`; the outcome depends on nothing else."""
    names = tuple(bots)
    if len(set(names)) != len(names) or len(names) < 2:
        raise ValueError("a tournament needs at least two different bots")
    return standings(names, seats, _in_passes(tables(names, seats), play, derive_seed(seed, "tournament"), rounds))


def _in_passes(
    tables: Sequence[tuple[str, ...]], play: PlayTable, seed: int, rounds: int
) -> Iterator[tuple[tuple[str, ...], Ends]]:
    """Play `rounds` games at each table, some at a time: who stops has met everybody, and about equally often."""
    first = 0
    while first < rounds:
        games = min(max(1, first), -(-rounds // PASSES), rounds - first)
        for table in tables:
            ends = play(table, seed, games, first)
            if not len(ends.winners):
                return
            yield table, ends
        first += games


def duel(one: str, others: str, play: PlayTable, seed: int, rounds: int, seats: int) -> Duel:
    """How often a bot wins alone against `others` on all other seats: `rounds` games from each seat."""
    by_seat, drawn, unfinished = [Share(0, 0)] * seats, 0, 0
    tables = [tuple(one if at == seat else others for at in range(seats)) for seat in range(seats)]
    for table, ends in _in_passes(tables, play, derive_seed(seed, "duel"), rounds):
        seat = tables.index(table)
        won, games = by_seat[seat].won + int((ends.winners == seat).sum()), by_seat[seat].games + len(ends.winners)
        by_seat[seat] = Share(won, games)
        drawn, unfinished = drawn + ends.drawn, unfinished + int((ends.winners < 0).sum()) - ends.drawn
    return Duel(one, others, tuple(by_seat), drawn, unfinished)


def duels(bots: Sequence[str]) -> list[tuple[str, str]]:
    """Who plays alone against a table of whom: of two bots the first against the second, of more everybody against everybody.

    >>> duels(["a", "b"]), len(duels(["a", "b", "c"]))
    ([('a', 'b')], 6)
    """
    return [(bots[0], bots[1])] if len(bots) == 2 else list(permutations(bots, 2))


def standings(bots: tuple[str, ...], seats: int, played: Iterable[tuple[Sequence[str], Ends]]) -> Standings:
    """The outcome of the games at some tables of so many seats."""
    won, sat = np.zeros((2, len(bots), seats), np.int64)
    above = np.zeros((len(bots), len(bots)), np.int64)
    games = unfinished = draws = 0
    met: set[tuple[str, ...]] = set()
    conducts: dict[str, Conduct] = {}
    for table, (winner, points, drawn, conduct) in played:
        games += len(winner)
        met.add(tuple(table))
        conducts = together([conducts, conduct])
        draws, unfinished = draws + drawn, unfinished + int((winner < 0).sum()) - drawn
        # who won is above everybody, whatever the points
        rank = points + (1 + np.ptp(points)) * (winner[:, None] == np.arange(seats))
        numbers = [bots.index(bot) for bot in table]
        for seat, bot in enumerate(numbers):
            won[bot, seat] += (winner == seat).sum()
            sat[bot, seat] += len(winner)
            for other_seat, other in enumerate(numbers):
                if bot != other:
                    above[bot, other] += (rank[:, seat] > rank[:, other_seat]).sum()
    shares = {bot: tuple(map(Share, won[i].tolist(), sat[i].tolist())) for i, bot in enumerate(bots)}
    return Standings(
        bots=bots,
        games=games,
        tables=len(met),
        unfinished=unfinished,
        drawn=draws,
        wins={bot: Share(sum(one.won for one in found), sum(one.games for one in found)) for bot, found in shares.items()},
        seats=shares,
        above={bot: dict(zip(bots, above[i].tolist(), strict=True)) for i, bot in enumerate(bots)},
        ratings=dict(zip(bots, ratings(above.tolist()), strict=True)),
        conduct=conducts,
    )


def ratings(above: Sequence[Sequence[float]]) -> list[Rating]:
    """The most likely strengths under the model of Bradley and Terry, from how often each finished above each other.

    The margins are 95 % intervals from the curvature of the likelihood at its peak. Pairs within one game depend on each
    other a little, which the model does not know. Equal counts are equal strengths:

    >>> [round(r.rating) for r in ratings([[0, 50], [50, 0]])]
    [0, 0]
    >>> strong, weak = ratings([[0, 100_000], [10_000, 0]])
    >>> round(strong.rating - weak.rating)
    400
    """
    counts = np.array(above, float) + PRIOR * (1 - np.eye(len(above)))
    met = counts + counts.T
    strength = np.ones(len(counts))
    for _ in range(10_000):  # Hunter's minorisation: each step raises the likelihood
        before = strength
        strength = counts.sum(axis=1) / (met / (strength[:, None] + strength)).sum(axis=1)
        strength /= exp(float(np.mean(np.log(strength))))
        if np.allclose(strength, before, rtol=1e-12, atol=0):
            break
    chance = strength[:, None] / (strength[:, None] + strength)
    information = -met * chance * (1 - chance)
    np.fill_diagonal(information, -information.sum(axis=1))
    variances = np.diag(np.linalg.pinv(information))
    unit = ELO / log(10)
    # Rounded, since the last bits depend on the version of NumPy.
    return [
        Rating(round(unit * log(p), 6), round(Z * unit * sqrt(max(0.0, v)), 6))
        for p, v in zip(strength.tolist(), variances.tolist(), strict=True)
    ]


def as_rows(standings: Standings) -> Iterable[tuple[str, ...]]:
    """A row of text for each bot, the strongest first: rating, win rate, and how often it finished above each other bot."""
    order = standings.order()
    for bot in order:
        won, rating = standings.wins[bot], standings.ratings[bot]
        pairs = ("-" if other == bot else with_interval(standings.pair(bot, other)) for other in order)
        yield bot, f"{signed(rating.rating)} ± {rating.margin:.0f}", f"{won.won:,} of {won.games:,}", with_interval(won), *pairs


def with_interval(share: Share) -> str:
    """A share with its interval.

    >>> with_interval(Share(30, 100))
    '30.0 % (21.9-39.6)'
    """
    low, high = share.interval
    return f"{percent(share.rate)} ({100 * low:.1f}-{100 * high:.1f})"
