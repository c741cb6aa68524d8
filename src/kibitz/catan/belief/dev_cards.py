"""Who holds which development cards: exact posteriors from purchases, plays and silence.

The deck is a random order of known cards, so every arrangement of kinds over its places is equally likely. What is
known about a player's cards (a play proves that there was such a card, bought before this turn; somebody who goes on
playing has not won) concerns only the places that this player bought. So it is enough to count, for each player alone, the
arrangements of those places that lead to each hidden hand, and to combine the players in the end:

    P(hands) ~ product of the players' counts x the arrangements of what the deck still holds

>>> cards = DevCards(players=2)
>>> cards = cards.bought(0).bought(0).bought(1).turn_ended()
>>> cards.hands(0).shape  # the hands that player 0 can hold, and their probabilities
(15, 5)
>>> round(float(cards.distribution(1, VICTORY_POINT)[1]), 3)  # 5 of 25 cards
0.2
>>> cards = cards.played(0, KNIGHT)
>>> round(float(cards.distribution(0, VICTORY_POINT)[1]), 3)
0.286

`Points` adds what everybody sees: whoever acts in their own turn has not won, so with nine visible points they hold no victory
point card.

>>> from kibitz.catan.core.events import Build, BuyDevCard, EndTurn
>>> points = Points.start(players=2, goal=2)
>>> for event in (Build(0, "settlement", free=True), BuyDevCard(0), EndTurn(0)):
...     points = points.after(event)
>>> points.visible, points.cards.distribution(0, VICTORY_POINT).tolist()
((1, 0), [1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import factorial, prod
from typing import Self, TypeAlias

import numpy as np
import numpy.typing as npt

from kibitz.belief.kernels import Floats
from kibitz.belief.pieces import fractions, pick
from kibitz.catan.core.events import Award, BankTrade, Build, BuyDevCard, EndTurn, Event, PlayDevCard, PlayerEvent, Roll
from kibitz.catan.core.notation import CARDS
from kibitz.catan.core.state import DECK, KINDS, KNIGHT, VICTORY_POINT
from kibitz.ground.jit import jit
from kibitz.ground.rng import Stream, derive_seed

DEV_CARDS = tuple(card.value for card in CARDS)
CARD_NAMES = tuple(card.replace("_", " ") for card in DEV_CARDS)
#: The deck of 5 and 6 players.
LARGE_DECK = (20, 5, 3, 3, 3)

Hand: TypeAlias = tuple[int, ...]
#: (cards of earlier turns, cards bought this turn) -> in how many ways they can have come about.
Ways: TypeAlias = Mapping[tuple[Hand, Hand], float]

_NONE: Hand = (0,) * KINDS


class ImpossibleCards(ValueError):
    """No deck explains what was bought, played and not shown."""


@dataclass(frozen=True)
class DevCards:
    """What is known about everybody's development cards. It does not change: each event gives a new one."""

    players: int
    deck: Hand = DECK
    #: Cards that were played or shown, by kind.
    shown: Hand = _NONE
    ways: tuple[Ways, ...] = ()

    def __post_init__(self) -> None:
        if not self.ways:
            object.__setattr__(self, "ways", ({(_NONE, _NONE): 1.0},) * self.players)

    # --- events -------------------------------------------------------------------------------------------------

    def bought(self, player: int, card: int | None = None) -> Self:
        """The player buys a card; `card` if the observer sees it."""
        return self._one_more(player, range(KINDS) if card is None else (card,), new=True)

    def found(self, player: int) -> Self:
        """The player turns out to hold one more card, bought in some earlier turn that nobody noticed."""
        return self._one_more(player, range(KINDS), new=False)

    def _one_more(self, player: int, kinds: Sequence[int], *, new: bool) -> Self:
        """A player has one more card, of one of these kinds, of this turn or of an earlier one."""
        ways: defaultdict[tuple[Hand, Hand], float] = defaultdict(float)
        for (old, fresh), n in self.ways[player].items():
            for kind in kinds:
                if old[kind] + fresh[kind] + self.shown[kind] < self.deck[kind]:
                    ways[(old, _changed(fresh, kind, 1)) if new else (_changed(old, kind, 1), fresh)] += n
        return self._with(player, ways, f"a {CARD_NAMES[kinds[0]] if len(kinds) == 1 else 'card'} in the deck")

    def played(self, player: int, card: int) -> Self:
        """The player plays a card, which proves that it was held, and bought before this turn (a victory point: held).

        Of the victory points a new one is shown first: that is what the rules count.
        """
        ways: defaultdict[tuple[Hand, Hand], float] = defaultdict(float)
        for (old, new), n in self.ways[player].items():
            if card == VICTORY_POINT and new[card]:
                ways[old, _changed(new, card, -1)] += n
            elif old[card]:
                ways[_changed(old, card, -1), new] += n
        shown = replace(self, shown=_changed(self.shown, card, 1))
        return shown._with(player, ways, f"a {CARD_NAMES[card]} that was bought before this turn")

    def turn_ended(self) -> Self:
        """What was bought this turn may be played from now on."""
        if not any(map(_any_new, self.ways)):
            return self
        return replace(self, ways=tuple(_aged(ways) if _any_new(ways) else ways for ways in self.ways))

    def not_won(self, player: int, most_points: int) -> Self:
        """The player, in their own turn, has not won, and therefore holds at most so many victory point cards."""
        kept = {
            cards: n
            for cards, n in self.ways[player].items()
            if cards[0][VICTORY_POINT] + cards[1][VICTORY_POINT] <= most_points
        }
        needed = (
            f"at most {most_points} hidden victory points" if most_points >= 0 else "fewer visible points, for the game goes on"
        )
        return self if len(kept) == len(self.ways[player]) else self._with(player, kept, needed)

    def given(self, player: int, holds: Callable[[Hand, Hand], bool]) -> Self:
        """The player's cards (those of earlier turns, those of this one) are seen to be such that `holds`."""
        return self._with(player, {cards: n for cards, n in self.ways[player].items() if holds(*cards)}, "other cards")

    def _with(self, player: int, ways: Ways, needed: str) -> Self:
        """The same with other ways for one player, scaled so that they never grow out of range; `needed` if there are none."""
        if not ways:
            raise ImpossibleCards(needed)
        most = max(ways.values())
        scaled = {cards: n / most for cards, n in ways.items()}
        after = replace(self, ways=(*self.ways[:player], scaled, *self.ways[player + 1 :]))
        if not after._has_witness and not after._total:
            raise ImpossibleCards(needed)
        return after

    @property
    def _has_witness(self) -> bool:
        """Whether a deck is plain to see that explains everything: hidden cards are knights wherever they can be."""
        hands = [max(ways, key=lambda pair: pair[0][KNIGHT] + pair[1][KNIGHT]) for ways in self.ways]
        used = (sum(old[kind] + new[kind] for old, new in hands) for kind in range(KINDS))
        return all(n <= room for n, room in zip(used, self._room, strict=True))

    # --- questions ----------------------------------------------------------------------------------------------

    def size(self, player: int) -> int:
        """How many cards the player holds."""
        old, new = next(iter(self.ways[player]))
        return sum(old) + sum(new)

    @property
    def left(self) -> int:
        """How many cards the deck still holds."""
        return sum(self.deck) - sum(self.shown) - sum(self.size(p) for p in range(self.players))

    def hands(self, player: int) -> npt.NDArray[np.int64]:
        """The hands that a player can hold [hands, kinds], in the order of `probabilities`."""
        return self._tables[player][0]

    def probabilities(self, player: int) -> Floats:
        """The probability of each of `hands`."""
        return self._posteriors[player]

    @cached_property
    def _posteriors(self) -> list[Floats]:
        found = []
        for player, (hands, ways) in enumerate(self._tables):
            others = _spread_all([self._tables[p] for p in range(self.players) if p != player], self._room)
            weights = ways * _completions(hands, others, self._room, _arrangements(self.deck))
            found.append(np.asarray(weights / weights.sum()))
        return found

    def distribution(self, player: int, kind: int) -> Floats:
        """The distribution of how many cards of a kind a player holds."""
        found = np.zeros(self.deck[kind] + 1)
        np.add.at(found, self.hands(player)[:, kind], self.probabilities(player))
        return found

    def sample(self, size: int, seed: int) -> npt.NDArray[np.int64]:
        """Everybody's cards drawn from the joint posterior [size, players, 0 of earlier turns or 1 of this one, kinds].

        Player by player: the cards of each, given those of the players before, by the ways of those after and of the deck.
        """
        inverse = _arrangements(self.deck)
        drawn = np.zeros((size, self.players, 2, KINDS), np.int64)
        for player, ways in enumerate(self.ways):
            cards, counts = np.array(list(ways), np.int64), np.array(list(ways.values()))
            later = _spread_all(self._tables[player + 1 :], self._room)
            points = fractions(Stream(derive_seed(seed, player)), size)
            before, which = np.unique(drawn.sum(axis=(1, 2)), axis=0, return_inverse=True)
            for number, used in enumerate(before):
                alike = np.flatnonzero(which.reshape(-1) == number)
                weights = counts * _completions(cards.sum(axis=1) + used, later, self._room, inverse)
                drawn[alike, player] = cards[pick(weights, points[alike])]
        return drawn

    @cached_property
    def _tables(self) -> list[tuple[npt.NDArray[np.int64], Floats]]:
        """Of each player the possible hands and in how many ways each came about."""
        tables = []
        for ways in self.ways:
            sums: defaultdict[Hand, float] = defaultdict(float)
            for (old, new), n in ways.items():
                sums[tuple(a + b for a, b in zip(old, new, strict=True))] += n
            tables.append((np.array(list(sums), np.int64), np.array(list(sums.values()))))
        return tables

    @cached_property
    def _room(self) -> npt.NDArray[np.int64]:
        """How many cards of each kind are neither played nor shown."""
        return np.array([n - shown for n, shown in zip(self.deck, self.shown, strict=True)], np.int64)

    @cached_property
    def _total(self) -> float:
        """How many decks explain everything (up to a factor)."""
        if min(self._room) < 0:
            return 0.0
        hands, ways = self._tables[0]
        others = _spread_all(self._tables[1:], self._room)
        return float((ways * _completions(hands, others, self._room, _arrangements(self.deck))).sum())


def _any_new(ways: Ways) -> bool:
    """Whether a player may hold cards that were bought in this turn."""
    return any(any(new) for _, new in ways)


def _aged(ways: Ways) -> Ways:
    """The same cards, none of them new."""
    aged: defaultdict[tuple[Hand, Hand], float] = defaultdict(float)
    for (old, new), n in ways.items():
        aged[tuple(a + b for a, b in zip(old, new, strict=True)), _NONE] += n
    return aged


def _changed(hand: Hand, kind: int, by: int) -> Hand:
    return (*hand[:kind], hand[kind] + by, *hand[kind + 1 :])


def _arrangements(deck: Sequence[int]) -> Floats:
    """1 / n! for n up to the size of the deck: the arrangements of what is left are the product, times a constant."""
    return np.array([1 / factorial(n) for n in range(sum(deck) + 1)])


def _spread_all(tables: Sequence[tuple[npt.NDArray[np.int64], Floats]], room: npt.NDArray[np.int64]) -> Floats:
    """The ways of several players together by the cards that they use, as a table in mixed radix over `room`."""
    table = np.zeros(prod(int(n) + 1 for n in room))
    table[0] = 1.0
    for hands, ways in tables:
        table = _spread(table, hands, ways, room)
    return table


@jit
def _spread(table: Floats, hands: npt.NDArray[np.int64], ways: Floats, room: npt.NDArray[np.int64]) -> Floats:
    """Let one more player take each possible hand out of what the others leave."""
    out = np.zeros_like(table)
    used = np.empty(room.shape[0], np.int64)
    for at in range(table.shape[0]):
        if table[at] == 0.0:
            continue
        rest = at
        for kind in range(room.shape[0]):
            used[kind] = rest % (room[kind] + 1)
            rest //= room[kind] + 1
        for h in range(hands.shape[0]):
            to, place, fits = 0, 1, True
            for kind in range(room.shape[0]):
                n = used[kind] + hands[h, kind]
                if n > room[kind]:
                    fits = False
                    break
                to += n * place
                place *= room[kind] + 1
            if fits:
                out[to] += table[at] * ways[h]
    return out


@jit
def _completions(hands: npt.NDArray[np.int64], table: Floats, room: npt.NDArray[np.int64], inverse: Floats) -> Floats:
    """For each hand the ways of the others and of the deck that go with it."""
    out = np.zeros(hands.shape[0])
    used = np.empty(room.shape[0], np.int64)
    for at in range(table.shape[0]):
        if table[at] == 0.0:
            continue
        rest = at
        for kind in range(room.shape[0]):
            used[kind] = rest % (room[kind] + 1)
            rest //= room[kind] + 1
        for h in range(hands.shape[0]):
            ways = table[at]
            for kind in range(room.shape[0]):
                left = room[kind] - used[kind] - hands[h, kind]
                if left < 0:
                    ways = 0.0
                    break
                ways *= inverse[left]
            out[h] += ways
    return out


# --- points -----------------------------------------------------------------------------------------------


_POINTS = {"road": 0, "settlement": 1, "city": 1}  # a city replaces a settlement
_AWARD = 2
#: What a player does only in their own turn.
_OWN_TURN = {Roll, PlayDevCard, BankTrade, EndTurn}


@dataclass(frozen=True)
class Points:
    """Who has how many points, and what is known about hidden cards. It does not change: `after` gives a new one."""

    cards: DevCards
    visible: tuple[int, ...]
    #: The points that win; None: unknown, and then silence says nothing.
    goal: int | None
    awards: Mapping[str, int | None] = field(default_factory=dict)

    @classmethod
    def start(cls, players: int, goal: int | None) -> Self:
        """Before the game."""
        return cls(DevCards(players, DECK if players <= 4 else LARGE_DECK), (0,) * players, goal)

    def after(self, event: Event) -> Self:
        """The points after an event. Raises `ImpossibleCards` if no deck explains it."""
        return self._silent(event)._counted(event)

    def mended(self, event: Event) -> tuple[Self, int | None]:
        """The points after an event that no deck explains, and how many unknown cards that took; None: it was ignored."""
        assert isinstance(event, PlayerEvent)
        if self.goal is not None and self.visible[event.player] >= self.goal:  # the game is played for more points
            return replace(self, goal=None)._counted(event), None
        for unknown in (0, 1):  # without what silence says; then with a card that nobody saw being bought
            try:
                cards = self.cards.found(event.player) if unknown else self.cards
                return replace(self, cards=cards)._counted(event), unknown or None
            except ImpossibleCards:
                continue
        return self, None

    def _silent(self, event: Event) -> Self:
        """Whoever acts in their own turn holds fewer victory point cards than would win."""
        if self.goal is None or not self._in_own_turn(event):
            return self
        assert isinstance(event, PlayerEvent)
        most = self.goal - 1 - self.visible[event.player]
        if most < self.cards.deck[VICTORY_POINT] and most < self.cards.size(event.player):
            return replace(self, cards=self.cards.not_won(event.player, most))
        return self

    def _in_own_turn(self, event: Event) -> bool:
        if isinstance(event, PlayDevCard):
            return event.card != DEV_CARDS[VICTORY_POINT]  # points are shown to win
        if isinstance(event, BuyDevCard) or (isinstance(event, Build) and not event.free):
            return len(self.visible) <= 4  # five and six players build in each other's turns, too
        return type(event) in _OWN_TURN

    def _counted(self, event: Event) -> Self:
        """What an event does to points and cards."""
        if isinstance(event, Build):
            return self._scored(event.player, _POINTS[event.piece])
        if isinstance(event, BuyDevCard):
            kind = None if event.card is None else DEV_CARDS.index(event.card)
            return replace(self, cards=self.cards.bought(event.player, kind))
        if isinstance(event, PlayDevCard):
            kind = DEV_CARDS.index(event.card)
            played = replace(self, cards=self.cards.played(event.player, kind))
            return played._scored(event.player, int(kind == VICTORY_POINT))
        if isinstance(event, EndTurn):
            cards = self.cards.turn_ended()
            return self if cards is self.cards else replace(self, cards=cards)
        if isinstance(event, Award):
            lost, awards = self.awards.get(event.award), {**self.awards, event.award: event.player}
            return replace(self, awards=awards)._scored(lost, -_AWARD)._scored(event.player, _AWARD)
        return self

    def _scored(self, player: int | None, points: int) -> Self:
        if player is None or not points:
            return self
        visible = list(self.visible)
        visible[player] += points
        return replace(self, visible=tuple(visible))
