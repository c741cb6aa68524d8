"""A seat's view of a game of catanatron, as our verb `hide` leaves it, kept in step with that game action by action.

Our rules are applied to the view itself: others' cards are blank in it, and blanked again after each step. Discards and answers
to offers come in another order there; the view then leaves out those who in our order would come first.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence

from kibitz.catan.core.codes import DISCARD, DRAWN, END_ROADS, PLAY_MONOPOLY, STEAL, STOLEN, UNSEEN_DRAW, UNSEEN_STEAL
from kibitz.catan.core.state import (
    ACCEPTED,
    DECLINED,
    FREE_ROADS,
    KINDS,
    MAIN,
    ROBBER_DISCARD,
    ROBBER_STEAL,
    STEALING,
    TRADE_ANSWER,
    TRADE_CHOICE,
    Rules,
    new_states,
)
from kibitz.catan.versus.translate import code_of, outcome_code, victim_code
from kibitz.catan.versus.window import RESOURCES, Places, Told
from kibitz.game import States, apply_at, copied, hide_at
from kibitz.game.doors import hidden_from, legal_actions

#: A step as `kibitz.play.bots.Player.saw` tells it: the view before, what was perceived, the view after.
Step = tuple[States, int, States]
#: More points than there are: catanatron alone says when a game is won.
_NO_GOAL = 100
#: Of roads that Road Building gives.
_FREE = 2


class Unclear(ValueError):
    """More happened since the seat last looked than it can tell apart: two Monopolies."""


class SeatView:
    """What a seat sees, from the start of a game on."""

    def __init__(self, places: Places, rules: Rules, seats: int, seat: int) -> None:
        self.places, self.seat, self.seats = places, seat, seats
        self.states: States = hidden_from(new_states(places.board, seats, rules), seat)
        self._owed = [0] * seats
        self._free = 0
        self._offer = [0] * KINDS
        self._replies: dict[int, int] = {}

    @property
    def phase(self) -> int:
        """What our game waits for."""
        return int(self.states["phase"][0])

    @property
    def player(self) -> int:
        """Whose turn it is."""
        return int(self.states["player"][0])

    # --- following ------------------------------------------------------------------------------------------------

    def follow(self, told: Sequence[Told], sizes: Sequence[int]) -> Iterator[Step]:
        """The steps that these actions are to us; `sizes` are those of all hands after them.

        Raises `Unclear` before anything is done.
        """
        losses = self._losses(told, sizes)
        for one in told:
            yield from self.take_in(one, losses)

    def take_in(self, told: Told, losses: Mapping[int, int] = {}) -> Iterator[Step]:
        """The steps of one action; `losses` is what a Monopoly takes from seats whose hands are hidden."""
        if not self._prepare(told):
            return
        for code in self._codes(told):
            yield self.step(code, losses)
            if DISCARD <= code < DISCARD + KINDS:
                self._owed[told.seat] -= 1
        if told.kind == "ROLL":
            self._owed = self.states["discards"][0, : self.seats].tolist()
        elif told.kind == "OFFER_TRADE":
            self._offer, self._replies = self.states["offer"][0].tolist(), {}
        elif told.kind == "PLAY_ROAD_BUILDING":
            self._free = _FREE

    def step(self, code: int, losses: Mapping[int, int] = {}) -> Step:
        """Do one step of ours, seen or not."""
        before, states = copied(self.states), self.states
        goal = int(states["victory_points"][0])
        states["victory_points"] = _NO_GOAL
        apply_at(states, 0, {UNSEEN_STEAL: STOLEN, UNSEEN_DRAW: DRAWN}.get(code, code))
        states["victory_points"] = goal
        if PLAY_MONOPOLY <= code < PLAY_MONOPOLY + KINDS:
            for seat, cards in losses.items():
                states["hand_size"][0, seat] -= cards
                states["hand_size"][0, self.player] += cards
                states["hand"][0, self.player, code - PLAY_MONOPOLY] += cards
        hide_at(states, 0, self.seat)
        return before, code, copied(states)

    def _codes(self, told: Told) -> Iterator[int]:
        """Our steps of an action; what comes later may depend on what came before."""
        places = self.places
        if told.kind == "DISCARD":  # release 3.2: a whole discard, chosen at random
            yield from (DISCARD + RESOURCES.index(card) for card in told.value)
            return
        code = code_of(places, told.kind, told.value, self.phase)
        if told.kind == "MOVE_ROBBER":
            if self.phase != ROBBER_STEAL:  # else the seat has moved it already, and then chosen whom to rob
                yield code
            victim = victim_code(places, told.value)
            if self.phase == ROBBER_STEAL:  # to rob somebody without cards is nothing there, and a step here
                yield legal_actions(self.states)[0] if victim is None else victim
            if victim is not None:  # who in a trial (`_losses`) may not have the cards of a Monopoly yet
                self.states["phase"], self.states["victim"] = STEALING, victim - STEAL
        else:
            yield code
        outcome = outcome_code(told)
        if outcome is not None:
            yield outcome

    def _losses(self, told: Sequence[Told], sizes: Sequence[int]) -> dict[int, int]:
        """What a Monopoly took from others: everybody saw it, and the log leaves it out, but it shows in the sizes of hands."""
        takers = [one.seat for one in told if one.kind == "PLAY_MONOPOLY"]
        if not takers:
            return {}
        trial = copy.copy(self)
        trial.states, trial._owed, trial._replies = copied(self.states), self._owed.copy(), self._replies.copy()
        for one in told:
            for _ in trial.take_in(one):
                pass
        without = trial.states["hand_size"][0].tolist()
        losses = {seat: without[seat] - sizes[seat] for seat in range(self.seats) if seat not in (self.seat, takers[0])}
        if len(takers) > 1 or min(losses.values(), default=0) < 0:
            raise Unclear("two Monopolies since the seat last looked")
        return losses

    # --- where our order is another -------------------------------------------------------------------------------

    def _prepare(self, told: Told) -> bool:
        """Make the view one in which this action is next; False for what is nothing to us."""
        if told.kind.startswith("DISCARD"):
            self.ask_discard(told.seat)
        elif told.kind in ("ACCEPT_TRADE", "REJECT_TRADE"):
            if told.seat == self.player:  # catanatron asks some players about their own offer
                if len(self._replies) == self.seats - 1 and ACCEPTED not in self._replies.values():
                    self._withdraw()
                return False
            self.ask_answer(told.seat)
            self._replies[told.seat] = ACCEPTED if told.kind == "ACCEPT_TRADE" else DECLINED
        elif told.kind in ("CONFIRM_TRADE", "CANCEL_TRADE"):
            self.ask_choice()
        elif self.phase in (TRADE_ANSWER, TRADE_CHOICE):
            self._withdraw()
        self._prepare_roads(told)
        return True

    def _prepare_roads(self, told: Told) -> None:
        """Road Building lasts as long as catanatron says."""
        if told.kind != "BUILD_ROAD":
            self._free = 0
            if self.phase == FREE_ROADS:
                self.step(END_ROADS)
        elif self._free:
            self._free -= 1
            self.states["phase"] = FREE_ROADS
            self.states["free_roads"] = max(1, int(self.states["free_roads"][0]))

    def _before(self, seat: int, first: int) -> list[int]:
        """The seats that come before one, clockwise from `first`."""
        return [(first + i) % self.seats for i in range((seat - first) % self.seats)]

    def ask_discard(self, seat: int) -> None:
        """Let it be a seat's turn to discard."""
        for other in range(self.seats):
            self.states["discards"][0, other] = 0 if other in self._before(seat, self.player) else self._owed[other]
        self.states["discards"][0, seat] = max(1, self._owed[seat])
        self.states["phase"] = ROBBER_DISCARD

    def ask_answer(self, seat: int) -> None:
        """Let it be a seat's turn to answer the offer."""
        self._lay_offer(TRADE_ANSWER)
        for other in self._before(seat, self.player)[1:]:
            self.states["answers"][0, other] = self._replies.get(other, DECLINED)

    def ask_choice(self) -> None:
        """Let the player whose turn it is choose among those who accepted."""
        self._lay_offer(TRADE_CHOICE)

    def _lay_offer(self, phase: int) -> None:
        self.states["phase"] = phase
        self.states["offer"][0] = self._offer
        for other in range(self.seats):
            self.states["answers"][0, other] = self._replies.get(other, 0)

    def _withdraw(self) -> None:
        self.states["phase"] = MAIN
        self.states["offer"] = 0
        self.states["answers"] = 0
