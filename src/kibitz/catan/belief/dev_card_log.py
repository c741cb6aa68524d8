"""Development cards, worked out only when somebody asks.

A log of purchases and plays is almost always plainly possible, and exact posteriors cost time: so a log keeps the steps,
and asks `DevCards` when a question comes, or when it is not plain that a step is possible.
"""

from __future__ import annotations

from collections.abc import Callable

from kibitz.catan.belief.dev_cards import DECK, KINDS, VICTORY_POINT, DevCards, Hand


class DevCardLog:
    """Steps of `DevCards`, as long as they are plain: hidden cards can be any kinds of which enough are left.

    It does not change: each step gives a new one, or raises `ImpossibleCards`.

    >>> from kibitz.catan.belief.dev_cards import KNIGHT
    >>> log = DevCardLog(players=2).bought(0).turn_ended().played(0, KNIGHT)
    >>> log.played(0, KNIGHT)
    Traceback (most recent call last):
    ...
    kibitz.catan.belief.dev_cards.ImpossibleCards: a knight that was bought before this turn
    """

    __slots__ = ("_done", "_known", "_new", "_old", "_pending", "_plain", "_points", "_shown", "deck")

    def __init__(self, players: int, deck: Hand = DECK) -> None:
        self.deck = deck
        self._done = DevCards(players, deck)
        self._pending: tuple[Callable[[DevCards], DevCards], ...] = ()
        # What is needed to see that a step is possible: hidden cards of earlier turns and of this one by player, those of
        # them that the observer saw by kind, what was played, and how many points each may hide since he last acted.
        self._plain = True
        self._old = [0] * players
        self._new = [0] * players
        self._known: dict[tuple[int, int, bool], int] = {}
        self._shown = [0] * KINDS
        self._points = [deck[VICTORY_POINT]] * players

    @property
    def cards(self) -> DevCards:
        """The exact posterior."""
        while self._pending:
            step, *rest = self._pending
            self._done = step(self._done)
            self._pending = tuple(rest)
        return self._done

    def size(self, player: int) -> int:
        """How many cards a player holds."""
        return self._old[player] + self._new[player] if self._plain else self.cards.size(player)

    @property
    def has_new(self) -> bool:
        """Whether a card was bought this turn (or it is not plain that none was)."""
        return any(self._new) or not self._plain

    # --- steps: each says how it is plain, and what `DevCards` makes of it ----------------------------------------

    def bought(self, player: int, card: int | None = None) -> DevCardLog:
        """A card is bought; `card` if the observer sees it."""
        log = self._copy()
        log._new[player] += 1
        if card is not None:
            log._count(player, card, new=True, by=1)
        return log._settled(self, log._enough_left(), lambda cards: cards.bought(player, card))

    def found(self, player: int) -> DevCardLog:
        """Somebody turns out to hold one more card, bought in some earlier turn that nobody noticed."""
        log = self._copy()
        log._old[player] += 1
        return log._settled(self, log._enough_left(), lambda cards: cards.found(player))

    def played(self, player: int, card: int) -> DevCardLog:
        """A card is played, or a victory point shown."""
        log = self._copy()
        seen = sum(n for (p, _, new), n in log._known.items() if p == player and not new)
        plain = True
        if log._known.get((player, card, False)):
            log._count(player, card, new=False, by=-1)
        elif log._old[player] <= seen:
            plain = False
        elif card == VICTORY_POINT:
            log._points[player] -= 1
            plain = log._points[player] >= 0
        log._old[player] -= 1
        log._shown[card] += 1
        return log._settled(self, plain and log._enough_left(), lambda cards: cards.played(player, card))

    def turn_ended(self) -> DevCardLog:
        """What was bought this turn may be played from now on."""
        log = self._copy()
        log._old = [old + new for old, new in zip(log._old, log._new, strict=True)]
        log._new = [0] * len(log._new)
        for player, kind, new in list(log._known):
            if new:
                log._count(player, kind, new=False, by=log._known.pop((player, kind, new)))
        return log._settled(self, True, lambda cards: cards.turn_ended())

    def not_won(self, player: int, most_points: int) -> DevCardLog:
        """Somebody, in his own turn, has not won: he holds at most so many victory point cards."""
        log = self._copy()
        seen = sum(log._known.get((player, VICTORY_POINT, new), 0) for new in (False, True))
        log._points[player] = min(log._points[player], most_points - seen)
        plain = seen <= most_points and log._enough_left()
        return log._settled(self, plain, lambda cards: cards.not_won(player, most_points))

    def _copy(self) -> DevCardLog:
        log = object.__new__(DevCardLog)
        log.deck, log._done, log._pending, log._plain = self.deck, self._done, self._pending, self._plain
        log._old, log._new, log._known = self._old[:], self._new[:], dict(self._known)
        log._shown, log._points = self._shown[:], self._points[:]
        return log

    def _settled(self, before: DevCardLog, plain: bool, step: Callable[[DevCards], DevCards]) -> DevCardLog:
        """This log after a step: put off while everything is plain, else worked out now."""
        self._plain = before._plain and plain
        if self._plain:
            self._pending = (*self._pending, step)
        else:
            self._done, self._pending = step(before.cards), ()
        return self

    def _count(self, player: int, card: int, *, new: bool, by: int) -> None:
        self._known[player, card, new] = self._known.get((player, card, new), 0) + by

    def _enough_left(self) -> bool:
        """Whether the cards that nobody saw can be dealt from what is neither played nor known."""
        left = [n - shown for n, shown in zip(self.deck, self._shown, strict=True)]
        unseen = [old + new for old, new in zip(self._old, self._new, strict=True)]
        for (player, kind, _), n in self._known.items():
            left[kind] -= n
            unseen[player] -= n
        points = sum(min(n, most) for n, most in zip(unseen, self._points, strict=True))
        others = sum(left) - left[VICTORY_POINT]
        return min(left) >= 0 and sum(unseen) <= others + min(points, left[VICTORY_POINT])
