"""A complete game record from events that hide nothing: our engine is driven through them, and checks every one.

>>> from kibitz.catan import Board, Rules
>>> from kibitz.catan.core.record import simulate
>>> from kibitz.catan.core.transcript import events_of
>>> record = simulate(Board.beginner(), ["builder"] * 3, seed=1)
>>> log = events_of(record, all_seeing=True)
>>> again = rebuild(record.board, record.rules, log.players, log.events)
>>> len(again.codes) == len(record.codes), again.seats
(True, ('Player 1', 'Player 2', 'Player 3'))

Logs say less than our engine asks, and in another order: who answers an offer, who discards first, whom a robber visits
that finds nobody with a card. What is missing is filled in so that every card and every piece goes where the log says.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product, takewhile

from kibitz import game
from kibitz.catan.core import actions, events
from kibitz.catan.core.actions import Action
from kibitz.catan.core.board import Board
from kibitz.catan.core.events import Cards, Event, InvalidEvent, check_seats
from kibitz.catan.core.record import Record
from kibitz.catan.core.state import FREE_ROADS, ROBBER_DISCARD, ROBBER_STEAL, SETUP_ROAD, SETUP_SETTLEMENT, VICTORY_POINT, Rules
from kibitz.catan.logs.base import LogError
from kibitz.catan.logs.table import MOST_OFFERS, REMARKS, Broken, EngineTable
from kibitz.game.actions import IllegalAction, InvalidAction

#: Offers in a turn that lead to nothing; the rest of what our rules allow is kept for those that lead to a trade.
_MOST_IDLE_OFFERS = MOST_OFFERS // 2
_MOST_TURNS = 30000

#: Cards whose effect is an event of its own, together with which they are one step of ours.
_EFFECTS = {"year_of_plenty": events.YearOfPlenty, "monopoly": events.Monopoly}


def rebuild(board: Board, rules: Rules, players: Sequence[str], events: Sequence[Event]) -> Record:
    """Drive the engine through all-seeing events; the seats of the record are the players' names.

    The limits of offers and of turns are raised where the game went beyond them. A game that was broken off gives a
    record that ends there. Raises `LogError` with the number of the event that breaks a rule, or that differs from what
    the rules say.
    """
    replay = Replay(board, rules, players)
    replay.follow_all(events)
    return Record(board, replay.rules, seats=tuple(players), codes=tuple(replay.codes))


def _undone_trades(log: Sequence[Event]) -> set[int]:
    """The places of trades with the bank that the next event takes back, and of those that do so."""
    undone: set[int] = set()
    open_trades: list[int] = []
    for at, event in enumerate(log):
        if not isinstance(event, events.BankTrade):
            open_trades = []
        elif open_trades and log[open_trades[-1]] == events.BankTrade(event.player, event.receive, event.give):
            undone |= {open_trades.pop(), at}
        else:
            open_trades.append(at)
    return undone


def _turn_limit(rules: Rules, log: Sequence[Event]) -> int:
    """High enough for every turn in which something happened."""
    turns, last = 1, 1
    for event in log:
        if isinstance(event, events.EndTurn):
            turns += 1
        elif not isinstance(event, REMARKS):
            last = turns
    if last > _MOST_TURNS:
        raise LogError(len(log), f"the game has {last} turns; our rules allow {_MOST_TURNS}")
    return max(rules.max_turns, last)


class Replay(EngineTable):
    """Follows a log, event by event, and keeps what waits for a later one."""

    def __init__(self, board: Board, rules: Rules, names: Sequence[str]) -> None:
        super().__init__(board, rules, names)
        #: A card on the table whose effect is still to come.
        self.card: events.PlayDevCard | None = None
        #: An offer on the table, and whether those who have answered accept it.
        self.offer: events.Offer | None = None
        self.answers: dict[int, bool] = {}

    # --- following the log --------------------------------------------------------------------------------

    def follow_all(self, log: Sequence[Event]) -> None:
        """Follow a log to its end. Raises `LogError` with the number of the event that breaks a rule."""
        self._rules = replace(self._rules, max_turns=_turn_limit(self._rules, log))
        self.states["max_turns"] = self._rules.max_turns
        undone = _undone_trades(log)
        for number, event in enumerate(log, start=1):
            try:
                check_seats(event, len(self.names))
                if number - 1 not in undone:
                    self.follow(event)
            except (Broken, IllegalAction, InvalidAction, InvalidEvent) as error:
                raise LogError(number, f"event {number} ({event.text(self.names)}): {error}") from None
        try:
            self.finish()
        except (Broken, IllegalAction, InvalidAction) as error:
            raise LogError(len(log), f"after the last event: {error}") from None

    def follow(self, event: Event) -> None:
        """Do what an event says, after what the events before it left open."""
        if isinstance(event, REMARKS):
            self.compare(event)
        elif isinstance(event, events.Accept | events.Decline):
            self.answer(event)
        elif not self.belongs_to_the_end(event):
            self.settle(event)
            self.act(event)

    def belongs_to_the_end(self, event: Event) -> bool:
        """Whether the winner only finishes what won: the game is over as soon as it is won."""
        if self.winner is None or getattr(event, "player", None) != self.winner:
            return False
        free = isinstance(event, events.Build) and event.free
        return free or isinstance(event, events.MoveRobber | events.Steal | events.EndTurn)

    def settle(self, event: Event) -> None:
        """Finish what is open before an event that changes the table; what must be said first is missed here."""
        if self.phase == ROBBER_DISCARD and not isinstance(event, events.Discard):
            raise Broken(f"{self.still_to_discard()} must discard first")
        if self.card is not None and not isinstance(event, _EFFECTS[self.card.card]):
            raise Broken(f"the log does not say what the card before did ({self.card.text(self.names)})")
        if self.phase == ROBBER_STEAL and not isinstance(event, events.Steal):
            self.rob_nobody()
        if self.phase == FREE_ROADS and not (isinstance(event, events.Build) and event.free):
            self.do(actions.end_road_building())
        taken = events.Offer(event.player, event.give, event.receive) if isinstance(event, events.PlayerTrade) else None
        if self.offer not in (None, taken):
            self.withdraw_offer()
        if isinstance(event, events.Monopoly | events.YearOfPlenty) and self.card is None:
            raise Broken("the card for it was not played")
        any_time = isinstance(event, events.Discard | events.PlayerTrade | events.Offer)
        if not any_time and getattr(event, "player", self.player) != self.player and self.winner is None:
            raise Broken(f"it is the turn of {self.names[self.player]}")

    def finish(self) -> None:
        """After the last event: a theft that brings nothing is done, and what lies on the table is part of the position."""
        if self.phase == ROBBER_STEAL and not any(self.hand(seat).size for seat in self.victims()):
            self.rob_nobody()
        if self.phase == ROBBER_DISCARD:
            self.discard_in_turn()
        if step := self.step_of_offer():
            self.do(step)
            self.reply(takewhile(self.answers.__contains__, self.others()))

    def act(self, event: Event) -> None:
        """Do what an event says."""
        match event:
            case events.Build():
                self.build(event)
            case events.Roll():
                self.roll(event)
            case events.Discard():
                self.discard(event)
            case events.MoveRobber(hex=None):
                raise Broken("the log does not say where")
            case events.MoveRobber(hex=int(hex)):
                self.do(actions.move_robber(hex))
            case events.Steal():
                self.steal(event)
            case events.BankTrade():
                self.trade_with_bank(event)
            case events.Offer():
                self.offer = event
            case events.PlayerTrade():
                self.trade(event)
            case events.BuyDevCard(card=None):
                raise Broken("the log does not say which card")
            case events.BuyDevCard(card=str(card)):
                self.do(actions.buy_dev_card(), actions.drawn(card))
            case events.PlayDevCard():
                self.play_card(event)
            case events.YearOfPlenty():
                self.card = None
                self.do(Action("play_year_of_plenty", {"resources": event.cards.names()}))
            case events.Monopoly():
                self.monopoly(event)
            case events.EndTurn():
                self.do(actions.end_turn())
            case _:
                raise Broken("our rules know nothing like it")

    # --- pieces and dice ----------------------------------------------------------------------------------

    def build(self, event: events.Build) -> None:
        """In set-up a placement, else paid for, or with Road Building free."""
        at = event.edge if event.piece == "road" else event.corner
        if at is None:
            raise Broken("the log does not say where")
        where = {"edge" if event.piece == "road" else "corner": at}
        if self.phase in (SETUP_SETTLEMENT, SETUP_ROAD) and event.piece != "city":
            self.do(Action(f"place_setup_{event.piece}", where))
            if event.piece == "settlement":
                self.starting[event.player] = self.hand(event.player)
        elif event.free and event.piece != "road":
            raise Broken("it is free only in the setup")
        else:
            self.do(Action("place_free_road" if event.free else f"build_{event.piece}", where))

    def roll(self, event: events.Roll) -> None:
        """The dice; what everybody gets must be what our rules hand out."""
        before = [self.hand(seat) for seat in range(len(self.names))]
        self.do(actions.roll_dice(), actions.rolled(event.total))
        for seat, held in enumerate(before):
            gain = self.hand(seat).minus(held)
            logged = event.gains.get(seat, Cards())
            if gain != logged:
                raise Broken(f"by the rules {self.names[seat]} gets {gain.text()}, not {logged.text()}")

    # --- the robber ---------------------------------------------------------------------------------------

    def still_to_discard(self) -> str:
        """The names of those who still owe cards."""
        owed = self.states["discards"][0].tolist()
        return ", ".join(name for seat, name in enumerate(self.names) if owed[seat] > self.discards.get(seat, Cards()).size)

    def discard(self, event: events.Discard) -> None:
        """Logs list players in any order; the engine takes them clockwise from the roller, once all are known."""
        if event.cards is None:
            raise Broken("the log does not say which cards")
        owed = self.states["discards"][0].tolist()
        given = event.cards.plus(self.discards.get(event.player, Cards()))
        if given.size > owed[event.player]:
            raise Broken(f"by the rules {self.names[event.player]} discards {owed[event.player]} cards")
        self.check_held(event.player, event.cards)
        self.discards[event.player] = given
        if not self.still_to_discard():
            self.discard_in_turn()

    def discard_in_turn(self) -> None:
        """Clockwise from the roller, up to the first who still owes cards."""
        given, self.discards = self.discards, {}
        for seat in [self.player, *self.others()]:
            self.do(*(actions.discard_resource(name) for name in given.get(seat, Cards()).names()))
            if self.states["discards"][0, seat]:
                return

    def rob_nobody(self) -> None:
        """The log names no victim: our rules choose one all the same, who then holds no card."""
        victims = self.victims()
        empty = [seat for seat in victims if not self.hand(seat).size]
        if not empty:
            raise Broken(f"the robber's victim is missing; {self.names[victims[0]]} could be robbed")
        self.do(actions.steal_resource(empty[0]))

    def steal(self, event: events.Steal) -> None:
        """The robber takes a card."""
        if event.resource is None:
            raise Broken("the log does not say which card")
        if self.legal(actions.steal_resource(event.victim)):
            self.check_held(event.victim, Cards.of({event.resource: 1}))
        self.do(actions.steal_resource(event.victim), actions.stolen(event.resource))

    # --- trade --------------------------------------------------------------------------------------------

    def trade_with_bank(self, event: events.BankTrade) -> None:
        """One trade, or several that the log joins: then each resource goes at one rate."""
        if event.receive.size < 2:
            self.do(Action("trade_bank", {"give": event.give.as_dict(), "receive": event.receive.as_dict()}))
            return
        for trades in _bank_trades(event.give, event.receive):
            if all(game.why_not_at(self.states, 0, trade.code) == 0 for trade in trades):
                self.do(*trades)
                return
        raise Broken(f"the harbours of {self.names[event.player]} allow no such trade")

    def answer(self, event: events.Accept | events.Decline) -> None:
        """Answers to the offer on the table; others (to a counter-offer, say) change nothing."""
        offer = self.offer
        if offer is None or event.partner != offer.player:
            return
        accepts = isinstance(event, events.Accept) and (event.give, event.receive) == (offer.receive, offer.give)
        self.answers[event.player] = accepts

    def step_of_offer(self) -> Action | None:
        """The offer on the table as a step of ours, if our rules can hold it."""
        offer = self.offer
        if offer is None or offer.player != self.player or int(self.states["offers"][0]) >= _MOST_IDLE_OFFERS:
            return None
        try:
            step = actions.offer_trade(offer.give.as_dict(), offer.receive.as_dict())
        except InvalidAction:
            return None
        return step if self.legal(step) else None

    def withdraw_offer(self) -> None:
        """An offer that led to nothing is kept if our rules can hold it."""
        if step := self.step_of_offer():
            self.do(step)
            if self.reply(self.others()):
                self.do(actions.cancel_offer())
        self.offer, self.answers = None, {}

    def trade(self, event: events.PlayerTrade) -> None:
        """As an offer of the player whose turn it is, whoever asked first."""
        partner, give, receive = event.partner, event.give, event.receive
        if event.partner == self.player:
            partner, give, receive = event.player, event.receive, event.give
        elif event.player != self.player:
            raise Broken(f"it is the turn of {self.names[self.player]}, who takes no part")
        step = actions.offer_trade(give.as_dict(), receive.as_dict())
        if self.legal(step):
            self.check_held(partner, receive)
        self.do(step)
        self.answers = {**self.answers, partner: True} if event.player == self.player else {partner: True}
        self.reply(self.others())
        self.do(actions.confirm_trade(partner))
        self.offer, self.answers = None, {}

    def reply(self, seats: Iterable[int]) -> bool:
        """Players answer, clockwise; who has not answered or cannot accept declines. Whether anybody accepts."""
        accepted = False
        for seat in seats:
            accepts = self.answers.get(seat, False) and self.legal(actions.accept_offer())
            self.do(actions.accept_offer() if accepts else actions.decline_offer())
            accepted |= accepts
        return accepted

    # --- development cards --------------------------------------------------------------------------------

    def play_card(self, event: events.PlayDevCard) -> None:
        """Some take effect with a later event; a victory point counts while it is hidden, so showing it is not a step."""
        if event.card in _EFFECTS:
            self.card = event
        elif event.card == "victory_point":
            if not self.states["dev"][0][event.player][VICTORY_POINT]:
                raise Broken(f"by the rules {self.names[event.player]} holds no such card")
        else:
            self.do(Action(f"play_{event.card}"))

    def monopoly(self, event: events.Monopoly) -> None:
        """Everybody gives all cards of a resource: as many as the log says."""
        self.card = None
        losses = {seat: getattr(self.hand(seat), event.resource) for seat in self.others()}
        total = sum(losses.values())
        self.do(actions.play_monopoly(event.resource))
        if event.total not in (None, total):
            raise Broken(f"by the rules it takes {total} cards")
        for seat, n in losses.items():
            if event.losses is not None and event.losses.get(seat, 0) != n:
                raise Broken(f"by the rules {self.names[seat]} gives {n} cards")


def _bank_trades(give: Cards, receive: Cards) -> Iterator[list[Action]]:
    """The ways to split a joined trade into trades for one card each, with one rate for each resource given."""
    given, wanted = give.as_dict(), receive.names()
    for rates in product((2, 3, 4), repeat=len(given)):
        parts = [(name, rate) for (name, n), rate in zip(given.items(), rates, strict=True) for _ in range(n // rate)]
        exact = all(n % rate == 0 for n, rate in zip(given.values(), rates, strict=True))
        if exact and len(parts) == len(wanted):
            yield [actions.trade_bank(name, want, rate) for (name, rate), want in zip(parts, wanted, strict=True)]
