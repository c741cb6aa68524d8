"""What has happened in a game of JSettlers so far, as events: each thing once, however often the log tells it.

A log tells a robbery to the thief, to the victim and to the others; old logs also hold what a player asked for next to what
was done. The journal knows the last event, and what came before it that something may still follow from.

Newer servers say most things by a message of their own. What something costs, and in old logs everything else, is told by
what a player's elements are: such lines are gathered and understood together once another message follows.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from kibitz.catan.core import events
from kibitz.catan.core.events import Cards, Event
from kibitz.catan.logs.base import Notebook
from kibitz.catan.logs.island import cards_moved
from kibitz.catan.logs.jsettlers.messages import RESOURCES, UNKNOWN, Layout, Message, Unreadable, resource_name

#: Elements 1 to 6 are resources; this one is how many cards a player holds.
_RESOURCE_COUNT = 17
_ACTIONS = {"SET": "SET", "GAIN": "GAIN", "LOSE": "LOSE", "100": "SET", "101": "GAIN", "102": "LOSE"}


@dataclass(frozen=True)
class ServerTable:
    """Who plays, and on what."""

    #: The players' numbers in turn order, and their names.
    numbers: tuple[int, ...]
    names: tuple[str, ...]
    layout: Layout | None = None


@dataclass
class OpenMonopoly:
    """What is known so far of a monopoly that was played."""

    resource: str | None = None
    total: int | None = None
    #: The victims' (and the thief's) hand sizes afterwards.
    counts: dict[int, int] = field(default_factory=dict)


@dataclass
class Journal:
    """The events of a game, as one player (by number), a spectator or somebody all-seeing saw them."""

    table: ServerTable
    notebook: Notebook
    observer: int | None
    all_seeing: bool = False
    current: int | None = None
    setup: bool = True
    over: bool = False
    #: Whether anything happened in this turn, and whether it is one of special building.
    acted: bool = False
    special: bool = False
    #: Where in the notebook the events are that are not evidence.
    places: list[int] = field(default_factory=list)
    #: The sizes of the hands, by seat.
    sizes: Counter[int] = field(default_factory=Counter)
    #: What a player paid for something that is not there yet.
    paid: dict[int, Cards] = field(default_factory=dict)
    free_roads: int = 0
    plenty: bool = False
    monopoly: OpenMonopoly | None = None
    holders: dict[str, int | None] = field(default_factory=dict)
    offers: dict[int, tuple[Cards, Cards]] = field(default_factory=dict)
    draw_audience: str | None = None
    bank_source: str = ""
    #: Cards that came and went since the last other message, by player and number of the resource; and the first message that
    #: said so.
    gains: dict[int, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    losses: dict[int, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
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

    def add(self, line: int, event: Event) -> None:
        """One more event of the game."""
        place = self.notebook.add(line, event)
        if place is not None:
            self.places.append(place)
            self.acted = self.acted or not self.setup
            self._resize(event, 1)

    def evidence(self, line: int, event: events.HandCount | events.HandSeen) -> None:
        """What the table shows of a hand, once there are hands."""
        if not self.places:
            return
        self.sizes[event.player] = event.count if isinstance(event, events.HandCount) else event.cards.size
        if not self.all_seeing:
            self.notebook.add(line, event)

    def replace(self, event: Event) -> None:
        """The last event, now that more is known of it."""
        if self.places:
            self._resize(self.notebook.events[self.places[-1]], -1)
            self.notebook.events[self.places[-1]] = event
            self._resize(event, 1)

    def undo(self) -> None:
        """The last event is taken back."""
        if self.places:
            last = self.places.pop()
            self._resize(self.notebook.events[last], -1)
            del self.notebook.events[last], self.notebook.lines[last]

    @property
    def latest(self) -> Event | None:
        """The last event that is not evidence."""
        return self.notebook.events[self.places[-1]] if self.places else None

    def _resize(self, event: Event, sign: int) -> None:
        """Hands grow and shrink, by hidden cards too."""
        match event:
            case events.Discard(player, None, int(count)):
                changes = [(player, -count)]
            case events.Steal(player, victim, None):
                changes = [(player, 1), (victim, -1)]
            case events.Monopoly(player, _, int(total), None):
                changes = [(player, total)]
            case _:
                changes = [(seat, cards.size) for seat, cards in cards_moved(event)]
        for seat, change in changes:
            self.sizes[seat] += sign * change

    def seat(self, number: int) -> int:
        """Our seat of a player. Raises `Unreadable`."""
        if number not in self.table.numbers:
            raise Unreadable(f"there is no player {number}")
        return self.table.numbers.index(number)

    def shown(self, message: Message, *numbers: int) -> bool:
        """Whether a secret between players is open to the observer: an audience says it, else being one of them does."""
        return self.all_seeing or message.audience is not None or self.observer in numbers

    def win(self, line: int, number: int | None) -> None:
        """Somebody wins, once."""
        if number is not None and not self.over:
            self.add(line, events.Win(self.seat(number)))
            self.over = True

    def award(self, line: int, award: str, number: int) -> None:
        """An award changes hands."""
        holder = self.seat(number) if number >= 0 else None
        if self.places and holder != self.holders.get(award):
            self.add(line, events.Award(holder, award))
            self.holders[award] = holder

    def gain_by_roll(self, line: int, gains: dict[int, Cards]) -> None:
        """Cards that belong to the roll just made."""
        roll = self.latest
        if isinstance(roll, events.Roll):
            sums = {seat: cards.plus(roll.gains.get(seat, Cards())) for seat, cards in gains.items()}
            self.replace(replace(roll, gains={**roll.gains, **sums}))
        else:
            for seat, cards in gains.items():
                self.add(line, events.Gain(seat, cards))

    def write_off(self, line: int, number: int) -> None:
        """What a player paid for something that never came is gone."""
        cards = self.paid.pop(number, None)
        if cards is not None:
            self.add(line, events.Correction(self.seat(number), Cards().minus(cards)))

    def draw(self, message: Message, number: int, card: str | None) -> None:
        """A card is bought; what others see of it may follow as a message of its own."""
        seat, latest = self.seat(number), self.latest
        event = events.BuyDevCard(seat, card if self.shown(message, number) else None)
        again = message.audience is None or message.audience != self.draw_audience
        if number not in self.paid and again and isinstance(latest, events.BuyDevCard) and latest.player == seat:
            if latest.card is None:
                self.replace(event)
            return
        self.paid.pop(number, None)
        self.add(message.line, event)
        self.draw_audience = message.audience

    def play(self, line: int, seat: int, card: str) -> None:
        """A card is played; what it brings follows."""
        self.add(line, events.PlayDevCard(seat, card))
        self.plenty = card == "year_of_plenty"
        self.monopoly = OpenMonopoly() if card == "monopoly" else None
        self.free_roads = 2 if card == "road_building" else 0

    def end_monopoly(self, line: int) -> None:
        """All is said of a monopoly: what each victim lost is the difference of its hand's sizes."""
        monopoly, self.monopoly = self.monopoly, None
        if monopoly is None or self.current is None:
            return
        if monopoly.resource is None:
            raise Unreadable("a monopoly without its result")
        thief = self.seat(self.current)
        changes = {self.seat(number): n - self.sizes[self.seat(number)] for number, n in monopoly.counts.items()}
        taken = changes.pop(thief, None)
        losses = {seat: -change for seat, change in changes.items()}
        lost = sum(losses.values())
        total = monopoly.total if monopoly.total is not None else taken if taken is not None else lost
        exact = lost == total and all(n >= 0 for n in losses.values())
        self.add(line, events.Monopoly(thief, monopoly.resource, total, losses if exact else None))
        for number, n in monopoly.counts.items():
            self.evidence(line, events.HandCount(self.seat(number), n))

    def steal(self, line: int, perpetrator: int, victim: int, resource: str | None) -> None:
        """A card is stolen; thief, victim and the others may be told one after the other."""
        event, latest = events.Steal(self.seat(perpetrator), self.seat(victim), resource), self.latest
        if isinstance(latest, events.Steal) and (latest.player, latest.victim) == (event.player, event.victim):
            if latest.resource is None:
                self.replace(event)
        else:
            self.add(line, event)

    def throw(self, message: Message, number: int, cards: Cards, unknown: int) -> None:
        """A player discards; to the others only the number is shown."""
        seat, latest = self.seat(number), self.latest
        known = cards.size and self.shown(message, number)
        event = events.Discard(seat, cards) if known else events.Discard(seat, count=cards.size or unknown)
        if isinstance(latest, events.Discard) and latest.player == seat:
            if latest.cards is None and latest.count == event.count:
                self.replace(event)
        elif event.count:
            self.add(message.line, event)

    def bank(self, line: int, seat: int, give: Cards, receive: Cards, source: str) -> None:
        """A trade with the bank, of which old logs tell twice: as it was asked for, and by the cards that moved."""
        event = events.BankTrade(seat, give, receive)
        if self.latest == event and self.bank_source not in (source, ""):
            self.bank_source = ""
        else:
            self.add(line, event)
            self.bank_source = source

    def trade(self, line: int, offering: int, accepting: int, give: Cards, receive: Cards) -> None:
        """A trade between players, once."""
        event = events.PlayerTrade(self.seat(offering), self.seat(accepting), give, receive)
        if self.latest not in (event, events.PlayerTrade(event.partner, event.player, receive, give)):
            self.add(line, event)
        self.offers.clear()

    # --- cards that come and go ---------------------------------------------------------------------------

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
            self.flow_message = self.flow_message or message
            (self.gains if action == "GAIN" else self.losses)[number].update(cards)

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
                self.add(message.line, events.StartingResources(seat, hand))
            else:
                self.evidence(message.line, events.HandSeen(seat, hand))

    def on_resource_count(self, message: Message) -> None:
        """SOCResourceCount: the size of a hand."""
        self.count(message.line, message.number("playerNum", "playerNumber"), message.number("count"))

    def count(self, line: int, number: int, count: int) -> None:
        """A hand has this size; after a monopoly that tells what its owner lost."""
        event = events.HandCount(self.seat(number), count)
        if self.monopoly is not None:
            self.monopoly.counts[number] = count
        else:
            self.settle()
            self.evidence(line, event)

    def settle(self) -> None:
        """Understand the cards that players gained and lost since the last other message."""
        message, self.flow_message = self.flow_message, None
        if message is None:
            return
        gains, losses = ({n: +cards for n, cards in flow.items() if +cards} for flow in (self.gains, self.losses))
        self.gains.clear()
        self.losses.clear()
        takers, givers = list(gains), list(losses)
        if not givers:
            for number, cards in gains.items():
                self.gained(message, number, cards_by_number(cards), cards[UNKNOWN])
        elif not takers:
            for number, cards in losses.items():
                self.lost(message, number, cards_by_number(cards), cards[UNKNOWN])
        elif takers == givers and len(takers) == 1:
            give, receive = cards_by_number(losses[takers[0]]), cards_by_number(gains[takers[0]])
            self.bank(message.line, self.seat(takers[0]), give, receive, "elements")
        elif len(takers) == 1 and len(givers) == 1:
            kinds = [kind for kind in range(1, UNKNOWN) if gains[takers[0]][kind]]
            resource = resource_name(kinds[0]) if kinds and self.shown(message, takers[0], givers[0]) else None
            self.steal(message.line, takers[0], givers[0], resource)
        elif set(takers) == set(givers) and len(takers) == 2:
            goods = {number: (cards_by_number(losses[number]), cards_by_number(gains[number])) for number in takers}
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
            self.add(message.line, events.YearOfPlenty(seat, cards))
        elif latest == events.YearOfPlenty(seat, cards) and message.audience is None:
            return
        elif self.rolling and isinstance(latest, events.Roll):
            self.gain_by_roll(message.line, {seat: cards})
        elif self.setup and self.derived.pop(number, None) == cards:
            return
        elif self.setup and self.settlements[number] >= 2 and number not in self.starting:
            self.starting.add(number)
            self.add(message.line, events.StartingResources(seat, cards))
        else:
            self.add(message.line, events.Gain(seat, cards))

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
