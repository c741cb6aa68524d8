"""Cards that come and go in a game of JSettlers, where the log only says who gains and loses what.

Newer servers say most things by a message of their own. What something costs, and in old logs everything else, is told by
what a player's elements are: such lines are gathered and understood together once another message follows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from kibitz.catan.core.events import Cards, Gain, HandCount, HandSeen, Roll, StartingResources, YearOfPlenty
from kibitz.catan.logs.jsettlers.journal import Journal
from kibitz.catan.logs.jsettlers.messages import RESOURCES, UNKNOWN, Message, Unreadable, resource_name

#: Elements 1 to 6 are resources; this one is how many cards a player holds.
_RESOURCE_COUNT = 17
_ACTIONS = {"SET": "SET", "GAIN": "GAIN", "LOSE": "LOSE", "100": "SET", "101": "GAIN", "102": "LOSE"}


@dataclass
class _Flow:
    """Cards that one player gains and loses, by number of the resource."""

    gains: Counter[int] = field(default_factory=Counter)
    losses: Counter[int] = field(default_factory=Counter)


@dataclass
class Hands(Journal):
    """Reads what players gain, lose and hold."""

    #: Cards that came and went since the last other message, and the first message that said so.
    flows: dict[int, _Flow] = field(default_factory=dict)
    flow_message: Message | None = None
    #: Hands that are shown one resource at a time.
    snapshots: dict[int, dict[int, int]] = field(default_factory=dict)
    #: Settlements of the set-up.
    settlements: Counter[int] = field(default_factory=Counter)
    #: Cards of the second settlement: who has them, and whose were worked out from the board.
    starting: set[int] = field(default_factory=set)
    derived: dict[int, Cards] = field(default_factory=dict)
    #: Whether gains belong to the dice, and losses to a seven.
    rolling: bool = False
    discarding: bool = False

    def on_player_element(self, message: Message) -> None:
        """SOCPlayerElement: one element of a player."""
        element = message.get("elementType") or ""
        if element.isascii() and element.isdigit() and len(element) < 4:
            self.elements(message, {int(element): message.number("amount", "value")})

    def on_player_elements(self, message: Message) -> None:
        """SOCPlayerElements: several elements of a player, all that are to be said at once."""
        if message.audience is not None:
            self.settle()
        self.elements(message, message.elements())

    def elements(self, message: Message, elements: dict[int, int]) -> None:
        """Elements are set, gained or lost."""
        number, action = message.number("playerNum", "playerNumber"), _ACTIONS.get(message.get("actionType") or "")
        if action is None:
            raise Unreadable("actionType: expected SET, GAIN or LOSE")
        if number < 0:  # of all players at once: never cards
            return
        cards = {element: n for element, n in elements.items() if 1 <= element <= UNKNOWN}
        if action == "SET" and _RESOURCE_COUNT in elements:
            self.count(message.line, number, elements[_RESOURCE_COUNT])
        if not cards:
            return
        self.seat(number)
        if any(not 0 <= n <= 200 for n in cards.values()):
            raise Unreadable("expected numbers of cards")
        if action == "SET":
            self.set_cards(message, number, cards)
        elif action == "GAIN" and self.monopoly is not None and number == self.current and len(cards) == 1:
            [(kind, amount)] = cards.items()
            self.monopoly.resource, self.monopoly.total = resource_name(kind), amount
        else:
            flow = self.flows.setdefault(number, _Flow())
            self.flow_message = self.flow_message or message
            for kind, n in cards.items():
                (flow.gains if action == "GAIN" else flow.losses)[kind] += n

    def set_cards(self, message: Message, number: int, cards: dict[int, int]) -> None:
        """A hand is shown to its owner, or what a monopoly left."""
        known = {kind: n for kind, n in cards.items() if kind != UNKNOWN}
        if self.monopoly is not None and len(known) == 1 and message.audience in (None, "all"):
            self.monopoly.resource = resource_name(*known)
            return
        if self.observer != number and message.audience is None:
            return
        snapshot = self.snapshots.setdefault(number, {})
        snapshot.update(known)
        if len(snapshot) < len(RESOURCES):
            return
        del self.snapshots[number]
        self.settle()
        if not cards.get(UNKNOWN):
            seat, hand = self.seat(number), cards_by_number(snapshot)
            if self.setup and self.settlements[number] >= 2 and number not in self.starting:
                self.starting.add(number)
                self.add(message.line, StartingResources(seat, hand))
            else:
                self.evidence(message.line, HandSeen(seat, hand))

    def on_resource_count(self, message: Message) -> None:
        """SOCResourceCount: the size of a hand."""
        self.count(message.line, message.number("playerNum", "playerNumber"), message.number("count"))

    def count(self, line: int, number: int, count: int) -> None:
        """A hand has this size; after a monopoly that tells what its owner lost."""
        event = HandCount(self.seat(number), count)
        if self.monopoly is not None:
            self.monopoly.counts[number] = count
        else:
            self.settle()
            self.evidence(line, event)

    def settle(self) -> None:
        """Understand the cards that players gained and lost since the last other message."""
        flows, message = self.flows, self.flow_message
        self.flows, self.flow_message = {}, None
        if message is None:
            return
        takers = [number for number, flow in flows.items() if any(flow.gains.values())]
        givers = [number for number, flow in flows.items() if any(flow.losses.values())]
        if not givers:
            for number in takers:
                self.gained(message, number, cards_by_number(flows[number].gains), flows[number].gains[UNKNOWN])
        elif not takers:
            for number in givers:
                self.lost(message, number, cards_by_number(flows[number].losses), flows[number].losses[UNKNOWN])
        elif takers == givers and len(takers) == 1:
            give, receive = cards_by_number(flows[takers[0]].losses), cards_by_number(flows[takers[0]].gains)
            self.bank(message.line, self.seat(takers[0]), give, receive, "elements")
        elif len(takers) == 1 and len(givers) == 1:
            kinds = [kind for kind in range(1, UNKNOWN) if flows[takers[0]].gains[kind]]
            resource = resource_name(kinds[0]) if kinds and self.shown(message, takers[0], givers[0]) else None
            self.steal(message.line, takers[0], givers[0], resource)
        elif set(takers) == set(givers) and len(takers) == 2:
            goods = {number: (cards_by_number(flows[number].losses), cards_by_number(flows[number].gains)) for number in takers}
            offering, accepting = sorted(takers, key=lambda n: (self.offers.get(n) != goods[n], n != self.current))
            self.trade(message.line, offering, accepting, *goods[offering])
        else:
            raise Unreadable("cards change hands for no known reason")

    def gained(self, message: Message, number: int, cards: Cards, unknown: int) -> None:
        """A player gains cards."""
        seat, latest = self.seat(number), self.latest
        if unknown:
            raise Unreadable("a player gains cards of unknown kinds")
        if self.paid.get(number) == cards:  # what was to be built is not
            del self.paid[number]
        elif self.plenty and number == self.current:
            self.plenty = False
            self.add(message.line, YearOfPlenty(seat, cards))
        elif latest == YearOfPlenty(seat, cards) and message.audience is None:
            return
        elif self.rolling and isinstance(latest, Roll):
            self.gain_by_roll(message.line, {seat: cards})
        elif self.setup and self.derived.pop(number, None) == cards:
            return
        elif self.setup and self.settlements[number] >= 2 and number not in self.starting:
            self.starting.add(number)
            self.add(message.line, StartingResources(seat, cards))
        else:
            self.add(message.line, Gain(seat, cards))

    def lost(self, message: Message, number: int, cards: Cards, unknown: int) -> None:
        """A player discards cards, or pays for something that follows."""
        if self.discarding or unknown:
            self.throw(message, number, cards, unknown)
            return
        self.write_off(message.line, number)
        self.paid[number] = cards


def cards_by_number(counts: Mapping[int, int]) -> Cards:
    """Cards from counts by the numbers of the resources."""
    return Cards.of({name: counts[kind] for kind, name in enumerate(RESOURCES, start=1)})
