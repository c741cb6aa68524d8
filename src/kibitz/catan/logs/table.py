"""The engine's game beside a log: the position so far, its rules, and what the log may remark about it."""

from collections.abc import Sequence
from dataclasses import replace

from kibitz import game
from kibitz.catan.core import actions, events
from kibitz.catan.core.actions import Action
from kibitz.catan.core.board import Board
from kibitz.catan.core.events import Cards, Event
from kibitz.catan.core.position import PHASES, points_of
from kibitz.catan.core.reasons import refuse
from kibitz.catan.core.state import SEATS, Rules, new_states
from kibitz.catan.logs.base import LogError
from kibitz.game.definition import seat_or_none

#: As many offers as our rules can allow a turn.
MOST_OFFERS = 100
#: Events that change nothing on the table: they are compared with it, or passed over.
REMARKS = (
    events.Award,
    events.BankCount,
    events.Correction,
    events.CounterOffer,
    events.Gain,
    events.HandCount,
    events.HandSeen,
    events.StartingResources,
    events.Win,
)


class Broken(ValueError):
    """Why an event cannot have happened under our rules."""


class EngineTable:
    """The engine's game beside a log: one position, and the steps that led to it."""

    def __init__(self, board: Board, rules: Rules, names: Sequence[str]) -> None:
        if not 2 <= len(names) <= SEATS:
            raise LogError(1, f"{len(names)} players: our rules are for 2 to {SEATS}")
        if rules.phased_turns:
            raise LogError(1, "phased turns: the ends of the phases are not events")
        self.states = new_states(board, len(names), replace(rules, offer_limit=max(rules.offer_limit, MOST_OFFERS)))
        self.names = names
        self._rules = rules
        self.codes: list[int] = []
        self.most_offers = 0
        self.starting: dict[int, Cards] = {}
        #: What players have discarded by the log; the engine takes it when everybody has.
        self.discards: dict[int, Cards] = {}

    @property
    def rules(self) -> Rules:
        """Those of the game, with limits as high as it went."""
        return replace(self._rules, offer_limit=max(self._rules.offer_limit, self.most_offers))

    @property
    def phase(self) -> int:
        """What the game waits for."""
        return int(self.states["phase"][0])

    @property
    def player(self) -> int:
        """Whose turn it is."""
        return int(self.states["player"][0])

    @property
    def winner(self) -> int | None:
        """Who has won; None while nobody has."""
        return seat_or_none(int(self.states["winner"][0]))

    def hand(self, seat: int) -> Cards:
        """As the log has it: without cards whose discard the engine still waits for."""
        gone = self.discards.get(seat, Cards())
        return Cards(*self.states["hand"][0][seat].tolist()).minus(gone)

    def others(self) -> list[int]:
        """Clockwise from the player whose turn it is."""
        seats = len(self.names)
        return [(self.player + i) % seats for i in range(1, seats)]

    def legal(self, action: Action) -> bool:
        """Whether the rules allow an action now."""
        return game.why_not_at(self.states, 0, action.code) == 0

    def do(self, *steps: Action) -> None:
        """Apply steps, each of which must be legal."""
        for step in steps:
            reason = game.why_not_at(self.states, 0, step.code)
            if reason:
                raise refuse(self.states, step.code, reason)
            self.codes.append(step.code)
            game.apply_at(self.states, 0, step.code)
        self.most_offers = max(self.most_offers, int(self.states["offers"][0]))

    def victims(self) -> list[int]:
        """Who can be robbed now, by the rules."""
        return [seat for seat in self.others() if self.legal(actions.steal_resource(seat))]

    def check_held(self, seat: int, cards: Cards) -> None:
        """Refuse cards that a player does not hold."""
        hand = self.hand(seat)
        if any(n > held for n, held in zip(cards, hand, strict=True)):
            raise Broken(f"by the rules {self.names[seat]} holds {hand.text()}")

    def compare(self, event: Event) -> None:
        """What an event says about the table must be so."""
        match event:
            case events.StartingResources():
                self.expect(event.player, event.cards, self.starting.get(event.player, Cards()), "receives")
            case events.HandSeen():
                self.expect(event.player, event.cards, self.hand(event.player), "holds")
            case events.HandCount():
                if self.hand(event.player).size != event.count:
                    raise Broken(f"by the rules {self.names[event.player]} holds {self.hand(event.player).text()}")
            case events.BankCount():
                bank = Cards(*self.states["bank"][0].tolist())
                if not self.discards and any(getattr(bank, name) != n for name, n in event.counts.items()):
                    raise Broken(f"by the rules the bank holds {bank.text()}")
            case events.Award():
                holder = self.states["road_holder" if event.award == "longest_road" else "army_holder"][0]
                if event.player != seat_or_none(int(holder)):
                    raise Broken(f"by the rules {self.somebody(seat_or_none(int(holder)))} has it")
            case events.Win():
                if event.player != self.winner:
                    points = points_of(game.to_dict(self.states), event.player)[1]
                    raise Broken(
                        f"by the rules {self.somebody(self.winner)} has won, and {self.names[event.player]} has {points} points"
                        f" (the game waits for {PHASES[self.phase]})"
                    )
            case events.Gain(cards=cards) | events.Correction(change=cards):
                if cards != Cards():
                    raise Broken("our rules know no cards from outside of a roll")
            case _:  # a counter-offer changes nothing
                pass

    def expect(self, seat: int, logged: Cards, actual: Cards, verb: str) -> None:
        """Cards must be what the log says."""
        if logged != actual:
            raise Broken(f"by the rules {self.names[seat]} {verb} {actual.text()}")

    def somebody(self, seat: int | None) -> str:
        """A name, or nobody."""
        return "nobody" if seat is None else self.names[seat]
