"""What a player remembers of the turns before this one, and which cards it was dealt, if that is true.

>>> dealt_to(0, ["duke"], [Fact("lost", 0, ("captain",))])
('duke', 'captain')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from kibitz.coup.core.setup import SetupError
from kibitz.coup.core.state import INFLUENCES


class Fact(NamedTuple):
    """Something that happened before this turn.

    The kinds: ``claimed`` and ``lost`` a card; ``showed`` one, which was then replaced; ``declined`` to show the first
    card and lost the second; ``exchanged``. What they `drew` and `returned` is known of oneself alone.
    """

    kind: str
    seat: int
    cards: tuple[str, ...] = ()
    drew: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()


def dealt_to(observer: int, cards: Sequence[str], facts: Sequence[Fact]) -> tuple[str, ...]:
    """The observer's cards at the deal: back from those of today, through all that changed them.

    Raises a `SetupError` where that cannot be.
    """
    held = Counter(cards)
    for fact in reversed(facts):
        own = fact.seat == observer
        if not _is_complete(fact, own):
            raise SetupError(f"{_WHAT_IS_KNOWN[own]} (player {fact.seat + 1} {fact.kind})")
        if own:
            held.update(fact.returned)
            held.subtract(fact.drew)
            if min(held.values()) < 0:
                drawn = " ".join(fact.drew)
                raise SetupError(f"you {fact.kind} and drew {drawn}, which you neither returned nor hold now")
            if fact.kind in ("showed", "lost", "declined"):
                held.update(fact.cards[-1:])
    if held.total() != INFLUENCES:
        lost = held.total() - len(cards)
        raise SetupError(f"you hold {len(cards)} and have lost {lost} of your cards, but two were dealt")
    return tuple(held.elements())


_WHAT_IS_KNOWN = {
    True: "you know your own cards: say '1 showed duke, drew captain' and '1 exchanged, drew duke duke, returned duke captain'",
    False: "only your own cards are known to you, and who does not show a card loses another",
}


def _is_complete(fact: Fact, own: bool) -> bool:
    """Whether a fact tells as many cards as can be known."""
    expected = {"showed": (1, 1, 0), "exchanged": (0, 2, 2), "declined": (2, 0, 0)}.get(fact.kind, (1, 0, 0))
    if not own:
        expected = (expected[0], 0, 0)
    return (len(fact.cards), len(fact.drew), len(fact.returned)) == expected
