"""What moves on the table when something happens: dice, hexes that pay, cards on their way, the robber.

A motion is plain data for the browser (``kibitz.motion`` in ``table.js``): from where to where, by the names of places. A place
is an element of the board (``hex-4``), a seat (``seat-1``), a card of your own (``own-ore``), or the ``bank``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kibitz.catan.core.board import RESOURCES
from kibitz.catan.core.events import (
    BankTrade,
    BuyDevCard,
    Cards,
    Discard,
    Event,
    Monopoly,
    MoveRobber,
    PlayerTrade,
    Roll,
    Steal,
    YearOfPlenty,
)  # fmt: skip
from kibitz.catan.core.topology import HEX_MASK, HEXES
from kibitz.ground.rng import derive_seed

Motion = dict[str, Any]
BANK = "bank"
#: At most so many cards of one event fly.
MOST = 24
_NAMES = tuple(resource.value for resource in RESOURCES)


def two_dice(total: int, turn: int) -> tuple[int, int]:
    """Two dice that show a total; the rules know no more than that, so which ones they are hangs on the turn alone.

    >>> two_dice(12, 3), two_dice(2, 4), sum(two_dice(7, 5))
    ((6, 6), (1, 1), 7)
    """
    pairs = [(a, total - a) for a in range(1, 7) if 1 <= total - a <= 6]
    return pairs[derive_seed(turn, "dice") % len(pairs)]


def motions(events: Iterable[Event], row: Mapping[str, Any], robber: int, seat: int) -> list[Motion]:
    """How some events look, in a position in plain values; `robber` is the hex where it stood before, `seat` the person's."""
    found: list[Motion] = []
    for event in events:
        if isinstance(event, Roll):
            found.append(_thrown(event, row, seat))
        elif isinstance(event, MoveRobber) and event.hex is not None:
            found.append({"walks": {"piece": "robber", "from": f"hex-{robber}", "to": f"hex-{event.hex}"}})
            robber = event.hex
        elif cards := [*_cards(event, seat)][:MOST]:
            found.append({"cards": cards})
    return found


def _thrown(event: Roll, row: Mapping[str, Any], seat: int) -> Motion:
    """The dice, the hexes that pay, and each card from a hex to who gets it."""
    paying = [h for h in range(HEXES) if row["number"][h] == event.total and h != row["robber"]]
    cards = []
    for who, got in event.gains.items():
        built = row["settlements"][who] | row["cities"][who]
        for name, n in _named(got):
            kind = _NAMES.index(name)
            sources = [h for h in paying if row["terrain"][h] == kind and int(HEX_MASK[h]) & built] or paying
            cards += [
                _flight(f"hex-{sources[i % len(sources)]}", _place(who, name, seat), name) for i in range(n if sources else 0)
            ]
    dice = [*two_dice(event.total, row["turn"])]
    return {"dice": dice, "lit": [f"hex-{h}" for h in paying if event.total != 7], "cards": cards[:MOST]}


def _cards(event: Event, seat: int) -> Iterator[Motion]:
    """The cards that change hands."""
    match event:
        case PlayerTrade(player=who, partner=other):
            yield from _all(event.give, who, other, seat)
            yield from _all(event.receive, other, who, seat)
        case BankTrade(player=who):
            yield from _all(event.give, who, None, seat)
            yield from _all(event.receive, None, who, seat)
        case YearOfPlenty(player=who):
            yield from _all(event.cards, None, who, seat)
        case Discard(player=who):
            yield from _all(event.cards or Cards(), who, None, seat)
        case Steal(player=who, victim=victim):
            name = "" if event.resource is None else str(event.resource)
            yield _flight(_place(victim, name, seat), _place(who, name, seat), name)
        case Monopoly(player=who):
            for victim, n in (event.losses or {}).items():
                yield from _all(Cards.of({str(event.resource): n}), victim, who, seat)
        case BuyDevCard(player=who):
            yield _flight(BANK, f"seat-{who}", "")


def _all(cards: Cards, giver: int | None, taker: int | None, seat: int) -> Iterator[Motion]:
    for name, n in _named(cards):
        for _ in range(n):
            yield _flight(_place(giver, name, seat), _place(taker, name, seat), name)


def _named(cards: Sequence[int]) -> list[tuple[str, int]]:
    return [(name, n) for name, n in zip(_NAMES, cards, strict=True) if n > 0]


def _place(who: int | None, name: str, seat: int) -> str:
    """Where the cards of a resource lie: in the bank, with another player, or among one's own."""
    if who is None:
        return BANK
    return f"own-{name}" if who == seat and name else f"seat-{who}"


def _flight(start: str, end: str, name: str) -> Motion:
    """A card on its way; one without a name is face down."""
    return {"from": start, "to": end, "picture": name}
