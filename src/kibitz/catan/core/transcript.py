"""A recorded game as the events that a seat or a spectator sees.

>>> from kibitz.catan import Board
>>> from kibitz.catan.core.record import simulate
>>> record = simulate(Board.beginner(), ["builder"] * 4, seed=1)
>>> log = events_of(record)
>>> log.events[0].text(log.players)
'Player 1 built a settlement for free'
>>> log.events[-1].text(log.players)
'Player 3 won'
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from typing import Any

import numpy as np

from kibitz import game
from kibitz.catan.core.actions import Action
from kibitz.catan.core.events import (
    Accept, Award, BankTrade, Build, BuyDevCard, Cards, Decline, Discard, EndTurn, Event, EventLog, Monopoly, MoveRobber,
    Offer, PlayDevCard, PlayerTrade, Roll, StartingResources, Steal, Win, YearOfPlenty,
)  # fmt: skip
from kibitz.catan.core.record import Record
from kibitz.game import States
from kibitz.game.definition import seat_or_none


def events_of(
    record: Record,
    observer: int | None = None,
    *,
    players: Sequence[str] | None = None,
    all_seeing: bool = False,
    hidden_discards: bool = False,
) -> EventLog:
    """The game as `observer` saw it: a seat, or None for a spectator; `all_seeing` knows every stolen and drawn card.

    With `hidden_discards` others see only how many cards somebody discards (as at some tables, and in JSettlers).
    """
    seats = len(record.seats)
    names = tuple(players) if players is not None else tuple(f"Player {seat + 1}" for seat in range(seats))
    if len(names) != seats:
        raise ValueError(f"{len(names)} names for {seats} players")
    if observer is not None and not 0 <= observer < seats:
        raise ValueError(f"observer {observer}: expected None or a seat from 0 to {seats - 1}")
    view = Onlooker(observer, all_seeing, hidden_discards)
    return EventLog(names, tuple(whole_discards(view.events(record))), observer, record.rules.victory_points)


@dataclass(frozen=True)
class Onlooker:
    """Tells a game as an observer perceives it."""

    observer: int | None
    all_seeing: bool = False
    hidden_discards: bool = False

    def sees(self, *seats: int) -> bool:
        """Whether a secret between these seats is open to the observer."""
        return self.all_seeing or self.observer in seats

    def events(self, record: Record) -> Iterator[Event]:
        """All events of a game."""
        states = record.start()
        before = seen_row(states)
        for code in record.codes:
            actor = game.actor_at(states, 0)
            game.apply_at(states, 0, code)
            after = seen_row(states)
            yield from self.step(actor, Action.from_code(code), before, changes(before["hand"], after["hand"]))
            yield from awards(before, after)
            before = after
        winner = seat_or_none(before["winner"])
        if winner is not None:
            yield Win(winner)

    def step(self, actor: int, action: Action, before: dict[str, Any], changes: Sequence[Cards]) -> Iterator[Event]:
        """The events of one step, given the position before it and how it changes the hands of all seats."""
        data, player = action.data, before["player"]
        match action.kind:
            case "place_setup_settlement":
                yield Build(actor, "settlement", free=True, corner=data["corner"])
                if changes[actor].size:
                    yield StartingResources(actor, changes[actor])
            case "place_setup_road" | "place_free_road":
                yield Build(actor, "road", free=True, edge=data["edge"])
            case "rolled":
                yield Roll(player, data["total"], dict(enumerate(changes[: before["seats"]])))
            case "discard_resource":
                card = Cards.of({data["resource"]: 1})
                yield Discard(actor, card) if not self.hidden_discards or self.sees(actor) else Discard(actor, count=1)
            case "move_robber":
                yield MoveRobber(actor, data["hex"])
            case "stolen":
                yield Steal(player, before["victim"], data["resource"] if self.sees(player, before["victim"]) else None)
            case "trade_bank":
                yield BankTrade(actor, data["give"], data["receive"])
            case "offer_trade":
                yield Offer(actor, data["give"], data["receive"])
            case "accept_offer":
                yield Accept(actor, player, *_offered(before)[::-1])
            case "decline_offer":
                yield Decline(actor, player)
            case "confirm_trade":
                yield PlayerTrade(actor, data["partner"], *_offered(before))
            case "build_road":
                yield Build(actor, "road", edge=data["edge"])
            case "build_settlement" | "build_city":
                yield Build(actor, action.kind.removeprefix("build_"), corner=data["corner"])
            case "drawn":
                yield BuyDevCard(player, data["card"] if self.sees(player) else None)
            case "play_knight" | "play_road_building":
                yield PlayDevCard(actor, action.kind.removeprefix("play_"))
            case "reveal_vp":
                yield PlayDevCard(actor, "victory_point")
            case "play_year_of_plenty":
                yield PlayDevCard(actor, "year_of_plenty")
                yield YearOfPlenty(actor, Cards.of([str(r) for r in data["resources"]]))
            case "play_monopoly":
                yield PlayDevCard(actor, "monopoly")
                resource = data["resource"]
                losses = {seat: -changes[seat].size for seat in range(before["seats"]) if seat != actor}
                yield Monopoly(actor, resource, sum(losses.values()), losses)
            case "end_turn":
                yield EndTurn(actor)
            case _:  # what the table cannot see, or what an outcome or a later step says
                pass


def seen_row(states: States) -> dict[str, Any]:
    """The fields of a position that events are made from: reading all of them would take most of the time."""
    row = np.asarray(states)[0]
    return {name: row[name].tolist() for name in _LOOKED_AT}


_LOOKED_AT = ("hand", "hand_size", "player", "seats", "victim", "offer", "road_holder", "army_holder", "winner")


def changes(before: Sequence[Sequence[int]], after: Sequence[Sequence[int]]) -> list[Cards]:
    """What hands have more (or less) than before."""
    return [Cards(*new).minus(Cards(*old)) for old, new in zip(before, after, strict=True)]


def awards(before: dict[str, Any], after: dict[str, Any]) -> Iterator[Event]:
    """Who has won or lost Longest Road or Largest Army in a step."""
    for award, holder in (("longest_road", "road_holder"), ("largest_army", "army_holder")):
        if after[holder] != before[holder]:
            yield Award(seat_or_none(after[holder]), award)


def _offered(before: dict[str, Any]) -> tuple[Cards, Cards]:
    """What the open offer gives and wants."""
    return Cards(*(max(n, 0) for n in before["offer"])), Cards(*(max(-n, 0) for n in before["offer"]))


def whole_discards(events: Iterator[Event]) -> Iterator[Event]:
    """The single cards of one player's discard as one event."""
    for player, run in groupby(events, lambda event: event.player if isinstance(event, Discard) else None):
        if player is None:
            yield from run
        else:
            yield reduce(_sum, run)


def _sum(one: Any, other: Any) -> Discard:
    """Two discards of one player as one."""
    if one.cards is None or other.cards is None:
        return Discard(one.player, count=(one.count or 0) + (other.count or 0))
    return Discard(one.player, one.cards.plus(other.cards))
