"""Calibration of the tracker: of all statements "this is so with probability p", the part p should be so.

Statements about one log depend on each other, so that one of each kind is taken at the end of each log, of those that are
open (neither certain nor impossible), without a look at the truth.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from benchmarks.logs.chance_logs import chance_log
from benchmarks.logs.tracker_games import TABLES, Truth, game
from kibitz.catan.belief.evidence import COSTS, RESOURCES
from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.core.events import Event
from kibitz.catan.core.transcript import events_of
from kibitz.ground.rng import derive_seed

BINS = 20
#: Less likely than this (or its opposite) is settled: what is left is rounding.
SETTLED = 1e-9
#: A bin with fewer statements tells nothing about a normal distribution.
FEWEST = 25
#: As many standard errors are chance.
MOST_ERRORS = 4.0


class Statement(NamedTuple):
    """Something that a tracker says, and whether it is so."""

    kind: str
    probability: float
    true: bool


class Log(NamedTuple):
    """A game up to a random moment, as somebody saw it, and as it was."""

    players: int
    observer: int | None
    victory_points: int
    seen: Sequence[Event]
    true: Sequence[Event]


def by_chance(index: int) -> Log:
    """A log under the assumptions of the tracker."""
    log = chance_log(index)
    return Log(log.players, log.observer, log.victory_points, log.seen, log.true)


def by_bots(index: int) -> Log:
    """A game of bots, which play by what they hold."""
    record = game(index)
    observer = (None, *range(len(record.seats)))[index // len(TABLES) % (1 + len(record.seats))]
    seen, true = events_of(record, observer).events, events_of(record, all_seeing=True).events
    moment = random.Random(derive_seed(2026, "moment", index)).randint(1, len(seen))
    return Log(len(record.seats), observer, record.rules.victory_points, seen[:moment], true[:moment])


def statements(log: Log, seed: int) -> Iterator[Statement]:
    """One statement of each kind that is open at the end of a log."""
    chance = random.Random(derive_seed(seed, "statements"))
    tracker = HandTracker(log.players, log.observer, victory_points=log.victory_points)
    tracker.process_all(log.seen)
    truth = Truth.of(log.players)
    for event in log.true:
        truth.process(event)
    for kind, ask in KINDS.items():
        found = [(p, so) for p, so in ask(tracker, truth) if SETTLED < p < 1 - SETTLED]
        if found:
            yield Statement(kind, *chance.choice(found))


# --- what is said -----------------------------------------------------------------------------------------------------

Said = Iterator[tuple[float, bool]]


def _holds(tracker: HandTracker, truth: Truth) -> Said:
    for seat, hand in enumerate(truth.hands):
        for name, marginal in tracker.marginals(seat).items():
            yield from ((p, getattr(hand, name) >= n) for n, p in enumerate(marginal.at_least))


def _stolen(tracker: HandTracker, truth: Truth) -> Said:
    for steal in tracker.steals:
        yield from ((p, truth.stolen[steal.event] == name) for name, p in steal.odds.items())


def _points(tracker: HandTracker, truth: Truth) -> Said:
    for seat, cards in enumerate(truth.dev_cards):
        yield from ((p, cards.count("victory_point") >= n) for n, p in enumerate(tracker.hidden_points(seat)))


def _affords(tracker: HandTracker, truth: Truth) -> Said:
    for seat, hand in enumerate(truth.hands):
        for item, price in COSTS.items():
            yield tracker.can_afford(seat, item), all(held >= n for held, n in zip(hand, price, strict=True))


def _next(tracker: HandTracker, truth: Truth) -> Said:
    """The first card of a hand in a random order is what a steal would bring."""
    for seat, hand in enumerate(truth.hands):
        if hand.size:
            card = random.Random(repr(truth.hands)).choice(hand.names())
            odds = tracker.steal_probabilities((seat + 1) % len(truth.hands), seat)
            yield from ((odds[name], name == card) for name in RESOURCES)


KINDS: Mapping[str, Callable[[HandTracker, Truth], Said]] = {
    "holds n or more of a resource": _holds,
    "the card of an open steal": _stolen,
    "the card of the next steal": _next,
    "hides n or more victory points": _points,
    "can pay for something": _affords,
}


# --- how often it is so -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bin:
    """Statements that are about equally sure: what they say on average, and how often they are right."""

    kind: str
    low: float
    number: int
    predicted: float
    observed: float
    #: How many standard errors lie between.
    z: float

    @classmethod
    def of(cls, kind: str, low: float, group: Sequence[Statement]) -> "Bin":
        """What some statements are worth together."""
        n = len(group)
        predicted = sum(statement.probability for statement in group) / n
        observed = sum(statement.true for statement in group) / n
        error = sqrt(sum(s.probability * (1 - s.probability) for s in group)) / n
        return cls(kind, low, n, predicted, observed, (observed - predicted) / error)


def overall(found: Sequence[Statement]) -> dict[str, Bin]:
    """All statements of each kind together."""
    groups = {kind: [statement for statement in found if statement.kind == kind] for kind in KINDS}
    return {kind: Bin.of(kind, 0.0, group) for kind, group in groups.items() if group}


def binned(found: Iterable[Statement]) -> list[Bin]:
    """The statements of each kind in bins of 5 %."""
    groups: defaultdict[tuple[str, int], list[Statement]] = defaultdict(list)
    for statement in found:
        groups[statement.kind, int(statement.probability * BINS)].append(statement)
    in_order = sorted(groups.items(), key=lambda item: ([*KINDS].index(item[0][0]), item[0][1]))
    return [Bin.of(kind, low / BINS, group) for (kind, low), group in in_order]


def chi_square(bins: Iterable[Bin]) -> tuple[float, int]:
    """The sum of the squares of all z, and of how many; alike, if all is chance."""
    large = [bin.z for bin in bins if bin.number >= FEWEST]
    return sum(z * z for z in large), len(large)


def calibrated(bins: Sequence[Bin]) -> bool:
    """Whether what is observed is chance."""
    total, number = chi_square(bins)
    # a chi-square has the mean `number` and the variance 2 * number
    return all(abs(bin.z) < MOST_ERRORS for bin in bins if bin.number >= FEWEST) and (
        total <= number + MOST_ERRORS * sqrt(2 * number)
    )
