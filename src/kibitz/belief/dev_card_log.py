"""Development cards, worked out only when somebody asks.

A log of purchases and plays is almost always plainly possible, and exact posteriors cost time: so a log keeps the steps,
and asks `DevCards` when a question comes, or when it is not plain that a step is possible.
"""

from __future__ import annotations

from typing import Any

from kibitz.belief.dev_cards import DECK, KINDS, VICTORY_POINT, DevCards, Hand


class DevCardLog:
    """Steps of `DevCards`, as long as they are plain: hidden cards can be any kinds of which enough are left.

    It does not change: `after` gives a new one, or raises `ImpossibleCards`.

    >>> from kibitz.belief.dev_cards import KNIGHT
    >>> log = DevCardLog(players=2).after("bought", 0).after("turn_ended").after("played", 0, KNIGHT)
    >>> log.after("played", 0, KNIGHT)
    Traceback (most recent call last):
    ...
    kibitz.belief.dev_cards.ImpossibleCards: a knight that was bought before this turn
    """

    __slots__ = ("_done", "_known", "_new", "_old", "_pending", "_plain", "_points", "_shown", "deck")

    def __init__(self, players: int, deck: Hand = DECK) -> None:
        self.deck = deck
        self._done = DevCards(players, deck)
        self._pending: tuple[tuple[Any, ...], ...] = ()
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
            (name, *arguments), *rest = self._pending
            self._done = getattr(self._done, name)(*arguments)
            self._pending = tuple(rest)
        return self._done

    def size(self, player: int) -> int:
        """How many cards a player holds."""
        return self._old[player] + self._new[player] if self._plain else self.cards.size(player)

    @property
    def has_new(self) -> bool:
        """Whether a card was bought this turn (or it is not plain that none was)."""
        return any(self._new) or not self._plain

    def after(self, name: str, *arguments: Any) -> DevCardLog:
        """One more step: a method of `DevCards` and its arguments. Raises `ImpossibleCards`."""
        log = object.__new__(DevCardLog)
        log.deck, log._done, log._plain = self.deck, self._done, self._plain
        log._pending = (*self._pending, (name, *arguments))
        log._old, log._new, log._known = self._old[:], self._new[:], dict(self._known)
        log._shown, log._points = self._shown[:], self._points[:]
        log._plain = self._plain and getattr(log, f"_{name}")(*arguments)
        if not log._plain:
            self.cards  # noqa: B018  (work the past out once, not once for each attempt)
            log._done, log._pending = self._done, ((name, *arguments),)
            log.cards  # noqa: B018  (raises if it is impossible)
        return log

    # --- the plain explanation: each says whether it goes on ------------------------------------------------------

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

    def _bought(self, player: int, card: int | None = None) -> bool:
        self._new[player] += 1
        if card is not None:
            self._count(player, card, new=True, by=1)
        return self._enough_left()

    def _found(self, player: int) -> bool:
        self._old[player] += 1
        return self._enough_left()

    def _played(self, player: int, card: int) -> bool:
        known = sum(n for (p, _, new), n in self._known.items() if p == player and not new)
        if self._known.get((player, card, False)):
            self._count(player, card, new=False, by=-1)
        elif self._old[player] <= known or (card == VICTORY_POINT and self._points[player] < 1):
            return False
        elif card == VICTORY_POINT:
            self._points[player] -= 1
        self._old[player] -= 1
        self._shown[card] += 1
        return self._enough_left()

    def _turn_ended(self) -> bool:
        self._old = [old + new for old, new in zip(self._old, self._new, strict=True)]
        self._new = [0] * len(self._new)
        for player, kind, new in list(self._known):
            if new:
                self._count(player, kind, new=False, by=self._known.pop((player, kind, new)))
        return True

    def _not_won(self, player: int, most_points: int) -> bool:
        known = sum(self._known.get((player, VICTORY_POINT, new), 0) for new in (False, True))
        self._points[player] = min(self._points[player], most_points - known)
        return known <= most_points and self._enough_left()

    def _count(self, player: int, card: int, *, new: bool, by: int) -> None:
        self._known[player, card, new] = self._known.get((player, card, new), 0) + by
