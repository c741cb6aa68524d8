"""A position as one seat sees it, from a log that hides what the seat did not see.

>>> from kibitz.catan import Board
>>> from kibitz.catan.core.record import simulate
>>> from kibitz.catan.core.transcript import events_of
>>> record = simulate(Board.beginner(), ["builder-0.1"] * 4, seed=1)
>>> begun = replace(record, codes=record.codes[:300])
>>> found = reconstruct(begun.board, begun.rules, events_of(begun, observer=2))
>>> found.states["hand"][0].tolist()
[[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 0, 0]]
>>> found.states["hand_size"][0].tolist()
[6, 6, 1, 3]

Our engine is driven through the log as in `kibitz.catan.logs.rebuild`. A hand that the seat does not see holds whatever its
owner must hold for what the log says, and any cards besides; only its size is known. In the end all of that is blanked. What
the seat knows about those hands is left to a hand tracker, which follows the same log.

Some steps of our engine are not events. So a position is told apart from others by what everybody could see: dice that lie on
the table, a victim that was named and a card that was paid for count when the outcome is known, and an offer that somebody
accepted lies on the table until something else happens.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from kibitz import game
from kibitz.catan.belief.deals import deals
from kibitz.catan.belief.hands import Contradiction, HandTracker
from kibitz.catan.core import events
from kibitz.catan.core.actions import Action
from kibitz.catan.core.board import RESOURCES, Board
from kibitz.catan.core.events import Cards, Event, EventLog
from kibitz.catan.core.notation import CARDS
from kibitz.catan.core.state import KNIGHT, Rules
from kibitz.catan.logs.base import ImportedLog, LogError
from kibitz.catan.logs.island import CARD_COST, PIECE_COST
from kibitz.catan.logs.rebuild import Replay
from kibitz.catan.logs.table import Broken

#: What is certain but for rounding.
CERTAIN = 1 - 1e-9
#: What a step costs, by its kind.
_PRICES = {**{f"build_{piece}": price for piece, price in PIECE_COST.items()}, "buy_dev_card": CARD_COST}


@dataclass(frozen=True)
class Reconstruction:
    """A position as a seat sees it, and what the seat can know about the rest."""

    states: npt.NDArray[np.void]
    """One state, blanked as `kibitz.game.verbs.hide` does it."""
    tracker: HandTracker
    bank_assumed: bool
    """Whether a likely bank was assumed, because nobody saw which cards others discarded."""


def reconstruct_log(imported: ImportedLog) -> Reconstruction:
    """The position at the end of an imported log, as its observer sees it. Raises `LogError` with the line in the file."""
    if imported.board is None:
        raise LogError(1, f"this {imported.format} log holds no board")
    if imported.incomplete:
        raise LogError(1, "a part of the game is missing; the log must begin before the first settlement")
    try:
        return reconstruct(imported.board, imported.rules or Rules(), imported.log)
    except LogError as error:
        raise error.found_in(imported.lines) from None


def reconstruct(board: Board, rules: Rules, log: EventLog) -> Reconstruction:
    """The position after all events of a log, as its observer sees it.

    Raises `LogError` with the number of the event that breaks a rule, contradicts those before it, or does not say what the
    observer must have seen.
    """
    if log.observer is None:
        raise LogError(1, "the log shows what a spectator saw: nobody's own cards are known")
    tracker = HandTracker.of(replace(log, events=()), victory_points=rules.victory_points)
    view = _View(board, rules, log.players, log.observer, tracker)
    view.follow_all(log.events)
    try:
        states = view.seen()
        if view.winner is None:
            deals(tracker, states, log.observer, 1, seed=0)
    except ValueError as error:  # the rules and the tracker have followed the same log: they must agree
        raise LogError(len(log.events), f"after the last event: {error}") from None
    return Reconstruction(states, tracker, view.bank_unknown)


class _View(Replay):
    """The game as one seat follows it: hands and cards of the others are made up as they are needed."""

    def __init__(self, board: Board, rules: Rules, names: Sequence[str], seat: int, tracker: HandTracker) -> None:
        super().__init__(board, rules, names)
        self.seat = seat
        self.tracker = tracker
        self.bank_unknown = False

    def seen(self) -> npt.NDArray[np.void]:
        """The position as the seat sees it."""
        states = self.states.copy()
        states["offer_limit"] = self.rules.offer_limit
        if self.bank_unknown:
            hands = self.tracker.draw(1, given=[events.HandSeen(self.seat, self.hand(self.seat))])
            states["bank"] = self.tracker.supply - hands.sum(axis=1)
        game.hide_at(states, 0, self.seat)
        return states

    def suppose(self, seat: int, cards: Cards) -> None:
        """Let a hand that is not seen hold some cards, if it is large enough; its size stays as it is."""
        needed = cards.plus(self.discards.get(seat, Cards()))
        held = self.states["hand"][0][seat]
        missing = sum(max(0, n - int(had)) for n, had in zip(needed, held, strict=True))
        if seat != self.seat and missing and needed.size <= held.sum():
            rest = int(held.sum()) - needed.size
            self.states["hand"][0, seat] = needed.plus(Cards(wood=rest))

    def suppose_bank(self, cards: Cards) -> None:
        """Where it is not known what the bank holds, let it hold some cards."""
        if self.bank_unknown:
            self.states["bank"][0] = np.maximum(self.states["bank"][0], cards)

    def suppose_card(self, kind: int) -> None:
        """Let the player whose turn it is hold a development card from an earlier turn, if there is one."""
        states, player = self.states, self.player
        size, new = int(states["dev_size"][0, player]), int(states["new_dev_size"][0])
        if player != self.seat and size > new:
            states["dev"][0, player] = 0
            states["dev"][0, player, KNIGHT] = size - 1
            states["dev"][0, player, kind] += 1

    def prepare(self, step: Action) -> None:
        """Suppose whatever a step asks of cards that are not seen."""
        actor, offer = int(game.actor_at(self.states, 0)), self.states["offer"][0].tolist()
        match step.kind:
            case kind if kind in _PRICES:
                self.suppose(actor, _PRICES[kind])
            case "trade_bank" | "offer_trade":
                self.suppose(actor, Cards.of(step.data["give"]))
            case "accept_offer":
                self.suppose(actor, Cards(*(max(0, -n) for n in offer)))
            case "discard_resource":
                self.suppose(actor, Cards.of({step.data["resource"]: 1}))
            case "drawn":
                card = CARDS.index(step.data["card"])
                self.states["deck"][0, card] = max(1, int(self.states["deck"][0, card]))
            case "play_knight" | "play_road_building" | "play_year_of_plenty" | "play_monopoly":
                self.suppose_card(CARDS.index(step.kind.removeprefix("play_")))

    def do(self, *steps: Action) -> None:
        """Apply steps, each of which must be legal as far as the seat can see."""
        for step in steps:
            self.prepare(step)
            super().do(step)

    def legal(self, action: Action) -> bool:
        """Whether an action is legal as far as the seat can see."""
        self.prepare(action)
        return super().legal(action)

    def check_held(self, seat: int, cards: Cards) -> None:
        """Whether a hand can hold some cards."""
        self.suppose(seat, cards)
        super().check_held(seat, cards)

    def follow(self, event: Event) -> None:
        """Do what an event says; the tracker hears of it, too."""
        if isinstance(event, events.Win):
            raise Broken(f"the game is over: {self.names[event.player]} has won")
        super().follow(event)
        if not isinstance(event, events.StartingResources):  # they follow from the settlement, and the log may not tell them
            self.tell(event)
        if isinstance(event, events.Build) and event.piece == "settlement" and event.free and self.starting[event.player].size:
            self.tell(events.StartingResources(event.player, self.starting[event.player]))

    def tell(self, event: Event) -> None:
        """Let the tracker hear of an event."""
        try:
            self.tracker.process(event)
        except Contradiction as error:
            raise Broken(str(error)) from None

    def finish(self) -> None:
        """A card on the table whose effect the log does not tell leaves the position open."""
        super().finish()
        if self.card is not None:
            raise Broken(f"the log does not say what the last card did ({self.card.text(self.names)})")

    def act(self, event: Event) -> None:
        """Do what an event says; what is not told about others' cards is made up."""
        if isinstance(event, events.BuyDevCard) and event.card is None and event.player != self.seat:
            event = replace(event, card=CARDS[KNIGHT])
        if isinstance(event, events.YearOfPlenty):
            self.suppose_bank(event.cards)
        super().act(event)

    def roll(self, event: events.Roll) -> None:
        """Where it is not known what the bank held, it held what it handed out."""
        if self.bank_unknown:
            given = [event.gains.get(seat, Cards()) for seat in range(len(self.names))]
            self.states["bank"][0] = np.sum(given, axis=0)
        super().roll(event)

    def discard(self, event: events.Discard) -> None:
        """Of others perhaps only the number of cards is known: then nobody knows what the bank holds."""
        if event.cards is None and event.player != self.seat:
            held = self.hand(event.player).names()
            self.bank_unknown = True
            event = events.Discard(event.player, Cards.of(held[: event.count or 0]))
        super().discard(event)

    def steal(self, event: events.Steal) -> None:
        """A card that moved between others can have been any."""
        if event.resource is None and self.seat not in (event.player, event.victim):
            held = self.hand(event.victim).names()
            event = replace(event, resource=held[0] if held else RESOURCES[0])
        super().steal(event)

    def trade_with_bank(self, event: events.BankTrade) -> None:
        """The bank holds what it gives."""
        self.suppose(event.player, event.give)
        self.suppose_bank(event.receive)
        super().trade_with_bank(event)

    def monopoly(self, event: events.Monopoly) -> None:
        """What each player gave, as the log says it or as it follows from what came before."""
        kind = Cards._fields.index(event.resource)
        for seat in self.others():
            if seat != self.seat:
                lost = self.loss(event, seat)
                rest = int(self.states["hand"][0, seat].sum()) - lost
                if rest < 0:
                    raise Broken(f"by the rules {self.names[seat]} holds only {lost + rest} cards")
                self.states["hand"][0, seat] = 0
                self.states["hand"][0, seat, kind] = lost
                self.states["hand"][0, seat, kind - 1] = rest
        super().monopoly(event)

    def loss(self, event: events.Monopoly, seat: int) -> int:
        """How many cards a monopoly took from another player."""
        if event.losses is not None:
            return event.losses.get(seat, 0)
        held = self.tracker.marginal(seat, event.resource)
        if held.distribution[held.most_likely] < CERTAIN:
            raise Broken(f"the log does not say how many cards {self.names[seat]} gave")
        return held.most_likely

    def compare(self, event: Event) -> None:
        """What an event says about the table must be so, as far as the seat can see it."""
        if isinstance(event, events.HandSeen) and event.player != self.seat:
            self.suppose(event.player, event.cards)
        if isinstance(event, events.BankCount) and self.bank_unknown:
            return
        super().compare(event)
