"""The settings of a tracker of hands, and what it says of the hands: single cards, whole hands, the bank, what can be paid.

>>> TrackerConfig(max_worlds=0)
Traceback (most recent call last):
...
ValueError: max_worlds=0: expected a whole number from 1 to 1000000000
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, islice
from math import fsum, log
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from kibitz.belief.kernels import Floats
from kibitz.belief.worlds import Impossible, WeightedWorlds
from kibitz.catan.belief.evidence import COSTS, KINDS, RESOURCES, column, evidence_of, explain, hand, holding
from kibitz.catan.core.events import Cards, Event
from kibitz.ground.codec import check_settings
from kibitz.ground.rng import Stream, derive_seed

#: The points that win, unless a log says otherwise.
USUAL_GOAL = 10


@dataclass(frozen=True)
class TrackerConfig:
    """The settings of a `kibitz.catan.belief.hands.HandTracker`. Raises a ValueError for a value out of its bounds."""

    victory_points: int | None = USUAL_GOAL
    """The points that win: whoever plays on has fewer. None where that is not known."""
    hidden_discards: Literal["cards", "bundles"] = "cards"
    """What a discard is of which only the number is known: any cards, each equally likely, or any different choice."""
    on_contradiction: Literal["raise", "repair"] = "raise"
    """What becomes of an impossible event: it is refused, or explained by the fewest unknown cards."""
    max_worlds: int | None = None
    """Of more worlds than this only the likeliest are kept; None keeps all."""
    prune_threshold: float = 0.0
    """Worlds that are less likely than this are dropped."""
    memory: int = 1 << 30
    """Bytes that the worlds may take; rather than outgrow them the least likely half is dropped."""

    _BOUNDS: ClassVar[dict[str, tuple[int, int]]] = {
        "victory_points": (3, 20),
        "max_worlds": (1, 10**9),
        "prune_threshold": (0, 1),
        "memory": (1, 2**40),
    }

    def __post_init__(self) -> None:
        check_settings(self, self._BOUNDS)
        if self.prune_threshold == 1:
            raise ValueError("prune_threshold=1: expected a probability below 1")


class Contradiction(ValueError):
    """An event that is impossible in every world. The tracker is as it was; `index` counts from 0, the message from 1."""

    def __init__(
        self, index: int, event: Event, player: int | None, needed: str, possible: str, names: Sequence[str] = ()
    ) -> None:
        super().__init__(index, event, player, needed, possible, tuple(names))
        self.index, self.event, self.player = index, event, player
        self.needed, self.possible, self.names = needed, possible, tuple(names)

    def __str__(self) -> str:
        what = self.event.text(self.names)
        return f"event {self.index + 1} ({what}) is impossible: it needs {self.needed}; possible: {self.possible}"


class Marginal:
    """The distribution of one number.

    >>> import numpy as np
    >>> cards = Marginal(np.array([0.25, 0.5, 0.25]))
    >>> cards
    Marginal(expected=1.00, min=0, max=2)
    >>> cards.at_least
    (1.0, 0.75, 0.25)
    """

    __slots__ = ("_values",)
    _values: list[float]  # so few that NumPy would take longer

    def __init__(self, probabilities: Floats) -> None:
        self._values = probabilities.tolist()

    @property
    def distribution(self) -> dict[int, float]:
        """Every possible number with its probability."""
        return {n: p for n, p in enumerate(self._values) if p > 0}

    @property
    def expected(self) -> float:
        """The mean."""
        return fsum(n * p for n, p in enumerate(self._values))

    @property
    def min(self) -> int:
        """The smallest possible number."""
        return next(n for n, p in enumerate(self._values) if p)

    @property
    def max(self) -> int:
        """The largest possible number."""
        return max(n for n, p in enumerate(self._values) if p)

    @property
    def most_likely(self) -> int:
        """The number with the largest probability; of several the smallest."""
        return self._values.index(max(self._values))

    @property
    def at_least(self) -> tuple[float, ...]:
        """The ladder: at_least[n] is the probability of n or more, up to the largest possible number."""
        ladder = [*accumulate(reversed(self._values))][::-1]
        return (1.0, *ladder[1 : self.max + 1])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Marginal) and self.distribution == other.distribution

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Marginal(expected={self.expected:.2f}, min={self.min}, max={self.max})"


@dataclass(frozen=True)
class PossibleWorld:
    """One way in which the cards can lie."""

    hands: tuple[Cards, ...]
    probability: float


@dataclass(frozen=True)
class UnknownSteal:
    """A steal whose card the observer did not see."""

    #: For people and programs: ``s12`` is the steal of event 12, as people count, from 1.
    id: str
    thief: int
    victim: int
    turn: int
    #: The number of its event, from 0.
    event: int
    #: The posterior over the resources that are still possible.
    odds: dict[str, float] = field(default_factory=dict)
    #: The resource, as soon as only one is left (or somebody said so: `by_hand`), and the event that made it so.
    resolved: str | None = None
    resolved_by: int | None = None
    by_hand: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the log has not settled it: a person may say which card it was, or has said so."""
        return self.resolved is None or self.by_hand


@dataclass(frozen=True)
class Repair:
    """A contradiction that was mended with some unknown cards; None: the event's evidence had to be ignored."""

    event: int
    cards: int | None
    reason: str


class Posterior:
    """The hands of all players as one distribution; what changes it is a `kibitz.catan.belief.hands.HandTracker`."""

    names: tuple[str, ...]
    #: Cards of each resource in the box.
    supply: int
    _worlds: WeightedWorlds

    def seat(self, player: int | str) -> int:
        """The seat of a name (or of a seat)."""
        if isinstance(player, str):
            if player not in self.names:
                raise ValueError(f"there is no player {player!r}; the players are {', '.join(self.names)}")
            return self.names.index(player)
        if not 0 <= player < len(self.names):
            raise ValueError(f"seat {player}: expected 0 to {len(self.names) - 1}")
        return player

    def distributions(self) -> Floats:
        """All marginals at once: the probability of each number [players, resources, numbers]."""
        return self._worlds.distributions().reshape(len(self.names), KINDS, -1)

    def marginals(self, player: int | str) -> dict[str, Marginal]:
        """The distribution of each resource in a hand."""
        table = self.distributions()[self.seat(player)]
        return {resource: Marginal(table[r]) for r, resource in enumerate(RESOURCES)}

    def marginal(self, player: int | str, resource: str) -> Marginal:
        """The distribution of one resource in a hand."""
        return Marginal(self.distributions()[self.seat(player), resource_number(resource)])

    def total(self, player: int | str) -> Marginal:
        """The distribution of the size of a hand."""
        return Marginal(self._worlds.distribution_of_sum(hand(self.seat(player))))

    def bank(self) -> dict[str, Marginal]:
        """The distribution of what the bank holds of each resource."""
        found = {}
        for r, resource in enumerate(RESOURCES):
            held = self._worlds.distribution_of_sum(column(r, len(self.names)))[: self.supply + 1]
            found[resource] = Marginal(held[::-1])
        return found

    def hand(self, player: int | str) -> Cards | None:
        """The hand, if only one is possible."""
        table = self.distributions()[self.seat(player)]
        if (table.max(axis=1) < 1 - 1e-12).any():
            return None
        return Cards(*np.argmax(table, axis=1).tolist())

    def confidence(self, player: int | str) -> float:
        """How well a hand is known: 1 - H(hand) / log(hands of that size that the supply allows); 1 if only one is possible."""
        seat = self.seat(player)
        counts = self._worlds.counts()[:, KINDS * seat : KINDS * seat + KINDS]
        if len(counts) == 1:
            return 1.0
        hands, which = np.unique(counts, axis=0, return_inverse=True)
        chances = np.bincount(which.reshape(-1), self._worlds.probabilities())
        chances = chances[chances > 0]
        if len(chances) == 1:
            return 1.0
        sizes = {int(n) for n in hands.sum(axis=1)}
        entropy = float(-(chances * np.log(chances)).sum())
        return max(0.0, 1.0 - entropy / log(sum(_hands_of_size(size, self.supply) for size in sizes)))

    @property
    def world_count(self) -> int:
        """How many worlds are possible."""
        return int((self._worlds.probabilities() > 0).sum())

    def worlds(self, limit: int | None = None) -> list[PossibleWorld]:
        """The possible worlds, most likely first."""
        return [world_of(counts, chance) for counts, chance in islice(self._worlds, limit)]

    def sample(self, size: int, seed: int = 0) -> list[tuple[Cards, ...]]:
        """Hands of all players drawn from the posterior; the same seed draws the same."""
        return [tuple(Cards(*cards) for cards in hands) for hands in self.draw(size, seed).tolist()]

    def draw(self, size: int, seed: int = 0, given: Iterable[Event] = ()) -> npt.NDArray[np.uint8]:
        """The same as an array [size, players, resources].

        What `given` proves about the present hands counts too, but is not taken in. Raises a ValueError where no world agrees.
        """
        rules = tuple(rule for event in given for rule in evidence_of(event, len(self.names), self.supply).rules)
        try:
            places = self._worlds.sample(Stream(derive_seed(seed, "worlds")), size, rules)
        except Impossible:
            _, needed, possible = explain(rules, self._worlds, self.names, self.supply)
            raise ValueError(f"no possible world has {needed}; possible: {possible}") from None
        return self._worlds.counts(places).reshape(size, len(self.names), KINDS)

    def can_afford(self, player: int | str, item: str) -> float:
        """How likely it is that a player can pay for a road, a settlement, a city or a dev_card."""
        if item not in COSTS:
            raise ValueError(f"{item!r}: expected one of {', '.join(COSTS)}")
        return self._worlds.probability(holding(self.seat(player), COSTS[item]))

    def steal_probabilities(self, thief: int | str, victim: int | str) -> dict[str, float]:
        """What a steal would bring now, by resource; empty if the victim cannot hold a card."""
        robber, robbed = self.seat(thief), self.seat(victim)
        if robber == robbed:
            raise ValueError(f"{self.names[robber]} cannot rob {self.names[robbed]}")
        hands = self._worlds.counts()[:, KINDS * robbed : KINDS * robbed + KINDS].astype(np.float64)
        sizes = hands.sum(axis=1)
        chances = self._worlds.probabilities() * (sizes > 0)
        if chances.sum() <= 0:
            return {}
        odds = (chances / np.maximum(sizes, 1)) @ hands / chances.sum()
        return {resource: float(p) for resource, p in zip(RESOURCES, odds, strict=True)}

    @property
    def nbytes(self) -> int:
        """The memory of the worlds."""
        return self._worlds.nbytes

    @property
    def error_bound(self) -> float:
        """No probability is off by more than this because of worlds that were dropped; 0 if none were."""
        return self._worlds.error_bound

    def check(self) -> None:
        """Assert that the worlds are a probability distribution."""
        self._worlds.check()


def resource_number(name: str) -> int:
    """The number of a resource by its name."""
    if name not in RESOURCES:
        raise ValueError(f"{name!r}: not a resource; these are {', '.join(RESOURCES)}")
    return RESOURCES.index(name)


def world_of(counts: npt.NDArray[np.uint8], probability: float) -> PossibleWorld:
    """A row of counts as people see it."""
    return PossibleWorld(tuple(Cards(*cards) for cards in counts.reshape(-1, KINDS).tolist()), probability)


@lru_cache
def _hands_of_size(size: int, supply: int) -> int:
    """How many different hands of a size there are."""
    ways = [1] + [0] * size
    for _ in range(KINDS):
        ways = [sum(ways[s - n] for n in range(min(s, supply) + 1)) for s in range(size + 1)]
    return ways[size]
