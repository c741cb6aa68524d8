"""The vocabulary: one class for each kind of event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from kibitz.catan.core.events.event import (
    AwardName, Change, Corner, Count, Counts, DevCard, Edge, Event, Flag, Gains, Held, Hex, InvalidEvent, Losses, Piece,
    PlayerEvent, Resource, Seat, Total, name_of,
)  # fmt: skip
from kibitz.ground.texts import counted


class StartingResources(PlayerEvent, kind="starting_resources", words="{player} received {cards} to start with"):
    """The cards of the second settlement."""

    cards: Held


class Roll(PlayerEvent, kind="roll", words="{player} rolled {total}{gains}"):
    """The dice, and what everybody got."""

    total: Total
    gains: Gains = field(default_factory=dict, hash=False)


class Gain(PlayerEvent, kind="gain", words="{player} got {cards}"):
    """Cards from the bank outside of a roll (or of a roll whose line is missing in the log)."""

    cards: Held


class Build(PlayerEvent, kind="build", words="{player} built a {piece}{free}"):
    """A road, a settlement or a city; free in the set-up and with Road Building. Where, if the log says it."""

    piece: Piece
    free: Flag = False
    corner: Corner | None = None
    edge: Edge | None = None


class BuyDevCard(PlayerEvent, kind="buy_dev_card", words="{player} bought a {card}"):
    """A development card; which one, only its buyer sees."""

    card: DevCard | None = None


class PlayDevCard(PlayerEvent, kind="play_dev_card", words="{player} played {card}"):
    """A development card is played (a victory point: shown). What it brings follows as an event of its own."""

    card: DevCard


class YearOfPlenty(PlayerEvent, kind="year_of_plenty", words="{player} took {cards} from the bank"):
    """The cards that Year of Plenty brought."""

    cards: Held


class Monopoly(PlayerEvent, kind="monopoly", words="{player} took all {resource}{total}{losses}"):
    """Everybody gave all cards of a resource: the total, or what each victim gave, if the log says it."""

    resource: Resource
    total: Count | None = None
    losses: Losses | None = field(default=None, hash=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.losses is not None:
            if self.player in self.losses:
                raise InvalidEvent(f"monopoly: losses {dict(self.losses)}: seat {self.player} takes them")
            if self.total not in (None, sum(self.losses.values())):
                raise InvalidEvent(f"monopoly: total {self.total} is not the sum of losses {dict(self.losses)}")


class BankTrade(PlayerEvent, kind="bank_trade", words="{player} gave {give} to the bank for {receive}"):
    """A trade with the bank or over a harbour."""

    give: Held
    receive: Held


class PlayerTrade(PlayerEvent, kind="player_trade", words="{player} gave {give} to {partner} for {receive}"):
    """A trade between two players."""

    partner: Seat
    give: Held
    receive: Held


class Offer(PlayerEvent, kind="offer", words="{player} offered {give} for {receive}"):
    """An offer to all: who makes it holds what is given. A wanted card of any kind ("?") is not in `receive`."""

    give: Held
    receive: Held


class CounterOffer(PlayerEvent, kind="counter_offer", words="{player} offered {partner} {give} for {receive} instead"):
    """An answer with other cards: who makes it holds what is given."""

    partner: Seat
    give: Held
    receive: Held


class Accept(PlayerEvent, kind="accept", words="{player} would give {give} to {partner} for {receive}"):
    """An offer is accepted: who accepts holds what would be given. The trade itself is a `PlayerTrade`."""

    partner: Seat
    give: Held
    receive: Held


class Decline(PlayerEvent, kind="decline", words="{player} declined the offer of {partner}"):
    """An offer is declined, which proves nothing."""

    partner: Seat


class MoveRobber(PlayerEvent, kind="move_robber", words="{player} moved the robber to {hex}"):
    """The robber moves."""

    hex: Hex | None = None


class Steal(PlayerEvent, kind="steal", words="{player} stole {resource} from {victim}"):
    """The robber's owner takes a card at random; which one, only thief and victim see."""

    victim: Seat
    resource: Resource | None = None


class Discard(PlayerEvent, kind="discard", words="{player} discarded {cards}"):
    """Half of a hand after a seven: card by card, or only how many.

    >>> Discard(0, {"wood": 3, "ore": 1}).count
    4
    """

    cards: Held | None = None
    count: Count | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.cards is None and self.count is None:
            raise InvalidEvent("discard: neither cards nor count is given")
        if self.cards is not None:
            if self.count not in (None, self.cards.size):
                raise InvalidEvent(f"discard: {self.cards.size} cards are given, but count is {self.count}")
            object.__setattr__(self, "count", self.cards.size)

    def text(self, names: Sequence[str] = ()) -> str:
        """One line for people."""
        what = counted(self.count or 0, "card") if self.cards is None else self.cards.text()
        return f"{name_of(self.player, names)} discarded {what}"


class HandCount(PlayerEvent, kind="hand_count", words="{player} holds {count}"):
    """The size of a hand, as the table shows it."""

    count: Count


class HandSeen(PlayerEvent, kind="hand_seen", words="{player} holds {cards}"):
    """A whole hand, as its owner sees it."""

    cards: Held


class UnknownCards(PlayerEvent, kind="unknown_cards", words="{player} holds {count} that nobody saw"):
    """Cards that the log does not explain, because it begins in the middle of a game: any that the bank still had."""

    count: Count


class BankCount(Event, kind="bank_count", words="the bank holds {counts}"):
    """What the bank holds, of some or of all resources."""

    counts: Counts = field(hash=False)


class Correction(PlayerEvent, kind="correction", words="by hand: {change} for {player}"):
    """Cards added to (or, negative, taken from) a hand by whoever keeps the log."""

    change: Change


class Award(Event, kind="award", words="{player} has {award}"):
    """Longest Road or Largest Army changes hands; None: nobody has it any more."""

    player: Seat | None
    award: AwardName


class EndTurn(PlayerEvent, kind="end_turn", words="{player} ended the turn"):
    """The dice are passed."""


class Win(PlayerEvent, kind="win", words="{player} won"):
    """The end."""
