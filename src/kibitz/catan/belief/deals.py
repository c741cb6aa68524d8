"""Whole positions drawn from what a seat can know, to be played on: the hidden cards are dealt, never read.

>>> from kibitz.catan import Board
>>> from kibitz.catan.core.record import simulate
>>> record = simulate(Board.beginner(), ["builder-0.1"] * 4, seed=1)
>>> step = 400
>>> (position,) = (states.copy() for number, states in enumerate(record.states()) if number == step)
>>> dealt = deals(belief_at(record, step, seat=2), position, seat=2, n=1000, seed=7)
>>> len(dealt), (dealt["hand"][:, 2] == position["hand"][0, 2]).all().item()  # the seat's own hand is what it is
(1000, True)
>>> len(np.unique(dealt["hand"][:, 3], axis=0)) > 1  # that of another may be this or that
True

Draw number i depends on the seed and on i alone: whoever asks for more later gets the same ones first.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import game
from kibitz.catan.belief.dev_cards import Hand, ImpossibleCards
from kibitz.catan.belief.evidence import COSTS, KINDS, RESOURCES
from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.events import Accept, BankCount, BuyDevCard, Cards, Event, HandCount, HandSeen, Offer
from kibitz.catan.core.position import points_of
from kibitz.catan.core.record import Record
from kibitz.catan.core.state import ACCEPTED, DRAWING, VICTORY_POINT
from kibitz.catan.core.transcript import events_of
from kibitz.game import OVER, States, structs
from kibitz.game.doors import deal_all, redeal_all
from kibitz.ground.jit import uint64
from kibitz.ground.rng import derive_seed


def belief_at(record: Record, step: int, seat: int) -> HandTracker:
    """What a seat knew in a recorded game before step `step` (an index into its codes; their number: at the end)."""
    if not 0 <= step <= len(record.codes):
        raise ValueError(f"step {step}: expected 0 to {len(record.codes)}")
    return HandTracker.of(events_of(replace(record, codes=record.codes[:step]), seat))


def deals(tracker: HandTracker, states: States, seat: int, n: int, seed: int) -> States:
    """`n` positions drawn from the posterior of a tracker, given what `seat` sees in ``states[0]``.

    All of them look to `seat` like that position. Of ``states`` only what the seat sees is used; the tracker follows what
    this seat, or a spectator, saw. Raises a ValueError where the two do not fit together.
    """
    view = _view(states, seat)
    row = game.to_dict(view)
    if len(tracker.names) != row["seats"]:
        raise ValueError(f"the belief is about {len(tracker.names)} players, the position has {row['seats']}")
    if tracker.observer not in (None, seat):
        raise ValueError(f"the belief is that of seat {tracker.observer}, not of seat {seat}")
    worlds = structs(GAME.world, n)
    worlds["hand"][:, : row["seats"]] = _hands(tracker, row, seat, n, seed)
    cards = _dev_cards(tracker, row, seat, n, seed)
    worlds["dev"][:, : row["seats"]] = cards.sum(axis=2)
    worlds["new_dev"] = cards[:, row["player"], 1]
    dealt = _copies(view, n)
    deal_all(dealt, worlds)
    return dealt


def uniform_deals(states: States, seat: int, n: int, seed: int) -> States:
    """`n` positions that look to `seat` like ``states[0]``, all deals of the unseen cards being equally likely.

    For a position of which nobody knows how it came about.
    """
    dealt = _copies(_view(states, seat), n)
    redeal_all(dealt, GAME.scratches(), seat, uint64(derive_seed(seed, "deals")))
    return dealt


def _view(states: States, seat: int) -> States:
    """What a seat sees of ``states[0]``. Raises a ValueError if there is nothing to play on."""
    view = _copies(states, 1)
    seats = int(view["seats"][0])
    if not 0 <= seat < seats:
        raise ValueError(f"seat {seat}: expected 0 to {seats - 1}")
    if game.actor_at(view, 0) == OVER:
        raise ValueError("the game is over: there is nothing to play on")
    game.hide_at(view, 0, seat)
    return view


def _copies(states: States, n: int) -> States:
    """``states[0]``, `n` times."""
    copies = structs(GAME.state, n)
    copies[:] = np.asarray(states)[0]
    return copies


def _hands(tracker: HandTracker, row: dict[str, Any], seat: int, n: int, seed: int) -> npt.NDArray[np.int64]:
    """The hands of all players [n, players, resources]."""
    paid = np.zeros((row["seats"], KINDS), np.int64)
    if row["phase"] == DRAWING:  # paid already, while the log tells of a purchase when the card is drawn
        paid[row["player"]] = COSTS["dev_card"]
    return tracker.draw(n, seed, _seen_of_hands(row, seat, paid)).astype(np.int64) - paid


def _seen_of_hands(row: dict[str, Any], seat: int, paid: npt.NDArray[np.int64]) -> Iterator[Event]:
    """What a seat sees of the hands, as events; what is `paid` [players, resources] is still in the hands."""
    player = row["player"]
    yield BankCount(dict(zip(RESOURCES, (row["bank"] - paid.sum(axis=0)).tolist(), strict=True)))
    yield HandSeen(seat, Cards(*(paid[seat] + row["hand"][seat]).tolist()))
    for other in range(row["seats"]):
        yield HandCount(other, row["hand_size"][other] + int(paid[other].sum()))
    if row["phase"] == DRAWING:
        yield BuyDevCard(player)
    if any(row["offer"]):
        give, receive = (Cards(*(max(sign * n, 0) for n in row["offer"])) for sign in (1, -1))
        yield Offer(player, give, receive)
        for other in range(row["seats"]):
            if row["answers"][other] == ACCEPTED:
                yield Accept(other, player, receive, give)


def _dev_cards(tracker: HandTracker, row: dict[str, Any], seat: int, n: int, seed: int) -> npt.NDArray[np.int64]:
    """The development cards of all players [n, players, 0 of earlier turns or 1 of this one, kinds]."""
    cards, player = tracker.all_dev_cards, row["player"]
    own, new = tuple(row["dev"][seat]), tuple(row["new_dev"])
    bought_now: int = row["new_dev_size"]
    to_win: int = row["victory_points"] - points_of(row, player)[0]

    def as_held(earlier: Hand, bought: Hand) -> bool:
        return tuple(a + b for a, b in zip(earlier, bought, strict=True)) == own and (seat != player or bought == new)

    def not_won(earlier: Hand, bought: Hand) -> bool:
        return sum(bought) == bought_now and earlier[VICTORY_POINT] + bought[VICTORY_POINT] < to_win

    shown = tuple(sum(kind) for kind in zip(*row["played"], strict=True))
    sizes = [cards.size(other) for other in range(row["seats"])]
    try:
        if shown != cards.shown or sizes != row["dev_size"][: row["seats"]]:
            raise ImpossibleCards
        cards = cards.given(seat, as_held).given(player, not_won)
    except ImpossibleCards:
        raise ValueError("the belief and the position do not agree about the development cards") from None
    return cards.sample(n, derive_seed(seed, "development cards"))
