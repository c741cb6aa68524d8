"""Points and development cards: what everybody sees of them, and what it says about the hidden ones.

Whoever acts in his own turn has not won. With nine visible points he therefore holds no victory point card.

>>> from kibitz.catan.core.events import Build, BuyDevCard, EndTurn
>>> points = Points.start(players=2, goal=2)
>>> for event in (Build(0, "settlement", free=True), BuyDevCard(0), EndTurn(0)):
...     points = points.after(event)
>>> points.visible, points.cards.cards.distribution(0, VICTORY_POINT).tolist()
((1, 0), [1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from kibitz.catan.belief.dev_card_log import DevCardLog
from kibitz.catan.belief.dev_cards import DECK, LARGE_DECK, VICTORY_POINT, ImpossibleCards
from kibitz.catan.core.events import Award, BankTrade, Build, BuyDevCard, EndTurn, Event, PlayDevCard, PlayerEvent, Roll
from kibitz.catan.core.notation import CARDS

DEV_CARDS = tuple(card.value for card in CARDS)
_POINTS = {"road": 0, "settlement": 1, "city": 1}  # a city replaces a settlement
_AWARD = 2
#: What a player does only in his own turn.
_OWN_TURN = {Roll, PlayDevCard, BankTrade, EndTurn}


@dataclass(frozen=True)
class Points:
    """Who has how many points, and what is known about hidden cards. It does not change: `after` gives a new one."""

    cards: DevCardLog
    visible: tuple[int, ...]
    #: The points that win; None: unknown, and then silence says nothing.
    goal: int | None
    awards: Mapping[str, int | None] = field(default_factory=dict)

    @classmethod
    def start(cls, players: int, goal: int | None) -> Points:
        """Before the game."""
        return cls(DevCardLog(players, DECK if players <= 4 else LARGE_DECK), (0,) * players, goal)

    def after(self, event: Event) -> Points:
        """The points after an event. Raises `ImpossibleCards` if no deck explains it."""
        return self._silent(event)._counted(event)

    def mended(self, event: Event) -> tuple[Points, int | None]:
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

    def _silent(self, event: Event) -> Points:
        """Whoever acts in his own turn holds fewer victory point cards than would win."""
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

    def _counted(self, event: Event) -> Points:
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
        if isinstance(event, EndTurn) and self.cards.has_new:
            return replace(self, cards=self.cards.turn_ended())
        if isinstance(event, Award):
            lost, awards = self.awards.get(event.award), {**self.awards, event.award: event.player}
            return replace(self, awards=awards)._scored(lost, -_AWARD)._scored(event.player, _AWARD)
        return self

    def _scored(self, player: int | None, points: int) -> Points:
        if player is None or not points:
            return self
        visible = list(self.visible)
        visible[player] += points
        return replace(self, visible=tuple(visible))
