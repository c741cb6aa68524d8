"""Whole games for the proofs of the tracker: the true hands beside the log that an observer saw.

Game `index` depends on the index alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from kibitz.catan import Board, Rules
from kibitz.catan.belief.hands import HandTracker, PossibleWorld
from kibitz.catan.core.events import BuyDevCard, Cards, EndTurn, Event, PlayDevCard, Steal
from kibitz.catan.core.record import Record, simulate
from kibitz.catan.core.transcript import events_of
from kibitz.ground.rng import derive_seed
from tests.catan.belief.brute import Hands, Leaf, leaves_after

#: The tables, taken in turn: bots and rules.
TABLES: dict[str, tuple[tuple[str, ...], Rules]] = {
    "4 builders": (("builder",) * 4, Rules()),
    "3 builders, no trade": (("builder",) * 3, Rules(domestic_trade=False)),
    "4 random": (("random",) * 4, Rules(max_turns=120)),
    "3 mixed, large discards": (("builder", "random", "builder"), Rules(discard_limit=4, victory_points=8)),
    "2 builders": (("builder",) * 2, Rules()),
    "3 random, no trade": (("random",) * 3, Rules(domestic_trade=False, max_turns=120)),
    "2 mixed, no trade": (("builder", "random"), Rules(domestic_trade=False, victory_points=8, max_turns=200)),
}


def table_of(index: int) -> str:
    """At which table a game is played."""
    return [*TABLES][index % len(TABLES)]


def game(index: int) -> Record:
    """One game of bots."""
    bots, rules = TABLES[table_of(index)]
    seed = derive_seed(2026, "tracker", index)
    return simulate(Board.random(seed), bots, seed, rules, number=index)


# --- the truth ------------------------------------------------------------------------------------------------------


@dataclass
class Truth:
    """What everybody really holds, told by the events of somebody who sees everything."""

    hands: Hands
    dev_cards: list[list[str]]
    #: The card of every steal, by the number of its event; and those events that hide it from the observer.
    stolen: dict[int, str] = field(default_factory=dict)
    hidden: list[int] = field(default_factory=list)
    events: int = 0

    @classmethod
    def of(cls, players: int) -> "Truth":
        """Before the first event."""
        return cls((Cards(),) * players, [[] for _ in range(players)])

    def process(self, event: Event) -> None:
        """Go on by one event that hides nothing."""
        (leaf,) = leaves_after(Leaf(self.hands, Fraction(1)), event)
        self.hands = leaf.hands
        match event:
            case BuyDevCard(player, str(card)):
                self.dev_cards[player].append(card)
            case PlayDevCard(player, card):
                self.dev_cards[player].remove(card)
            case Steal(resource=str(resource)):
                self.stolen[self.events] = resource
        self.events += 1


def hands_at_turns(record: Record) -> Iterator[Hands]:
    """The hands in the positions of a record at the end of each turn, and at the end."""
    turn = 0
    hands: Hands = ()
    for states in record.states():
        hands = tuple(Cards(*hand) for hand in states["hand"][0].tolist()[: len(record.seats)])
        if int(states["turn"][0]) > turn > 0:
            yield hands
        turn = int(states["turn"][0])
    yield hands


# --- the truth is never lost ----------------------------------------------------------------------------------------


@dataclass
class Followed:
    """What a tracker went through in a game, or several."""

    logs: int = 0
    events: int = 0
    steals: int = 0
    resolved: int = 0
    known: int = 0
    hands: int = 0
    most_worlds: int = 0

    def add(self, other: "Followed") -> None:
        """Sum up."""
        for name in ("logs", "events", "steals", "resolved", "known", "hands"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.most_worlds = max(self.most_worlds, other.most_worlds)


def follow(record: Record, observer: int | None, hidden_discards: bool) -> Followed:
    """Track a game as an observer saw it. Raises an AssertionError where the truth is not among what is possible."""
    seen = events_of(record, observer, hidden_discards=hidden_discards)
    true = events_of(record, all_seeing=True)
    assert len(seen.events) == len(true.events)
    players = len(seen.players)
    tracker = HandTracker(seen.players, observer, victory_points=seen.victory_points)
    truth = Truth.of(players)
    recorded = [*hands_at_turns(record)]
    turns = iter(recorded)
    found = Followed(logs=1, events=len(seen.events))
    for number, (event, known) in enumerate(zip(seen.events, true.events, strict=True)):
        if isinstance(event, Steal) and event.resource is None:
            truth.hidden.append(number)
        truth.process(known)
        tracker.process(event)
        where = f"game {record.game}, observer {observer}, event {number} ({event})"
        if isinstance(event, EndTurn):
            assert truth.hands == next(turns), f"{where}: the events do not lead to the hands of the record"
            check_totals(tracker, truth, where)
        found.known += check_hands(tracker, truth, where)
        found.hands += players
        if isinstance(event, BuyDevCard | PlayDevCard):
            check_dev_cards(tracker, truth, where)
        found.most_worlds = max(found.most_worlds, tracker.world_count)
    assert truth.hands == recorded[-1], f"game {record.game}: the events do not lead to the last hands of the record"
    tracker.check()
    assert not tracker.approximate
    found.steals = len(tracker.steals)
    found.resolved = sum(steal.resolved is not None for steal in tracker.steals)
    return found


def check_hands(tracker: HandTracker, truth: Truth, where: str) -> int:
    """The true hands are one of the worlds, and within all bounds; how many hands are known for certain."""
    try:
        chain = tracker.chain(PossibleWorld(truth.hands, 0.0))
    except ValueError as error:
        raise AssertionError(f"{where}: the true hands are not possible: {error}") from error
    for steal, (_, odds) in zip(truth.hidden, chain, strict=True):
        assert odds.get(truth.stolen[steal], 0) > 0, f"{where}: with the true hands steal {steal} was not {truth.stolen[steal]}"
    table = tracker.distributions()
    for seat, hand in enumerate(truth.hands):
        for resource, n in enumerate(hand):
            assert table[seat, resource, n] > 0, f"{where}: {n} cards of resource {resource} are not possible"
    return int((table.max(axis=2) > 1 - 1e-12).all(axis=1).sum())


def check_totals(tracker: HandTracker, truth: Truth, where: str) -> None:
    """Everybody sees how many cards the others hold."""
    for seat, hand in enumerate(truth.hands):
        assert set(tracker.total(seat).distribution) == {hand.size}, f"{where}: {hand.size} cards"


def check_dev_cards(tracker: HandTracker, truth: Truth, where: str) -> None:
    """What everybody hides is possible."""
    for seat, held in enumerate(truth.dev_cards):
        assert tracker.dev_card_count(seat) == len(held), f"{where}: seat {seat} hides {len(held)} development cards"
        for card, marginal in tracker.dev_cards(seat).items():
            assert marginal.distribution.get(held.count(card), 0) > 0, f"{where}: seat {seat} hides {held.count(card)} {card}"
