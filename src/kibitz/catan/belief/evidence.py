"""What each event proves about the hands, and how it changes them: the likelihoods of the tracker, in one place.

A cell is a player's number of cards of one resource. A build proves the price in the builder's hand and takes it:

>>> proof = evidence_of(Build(1, "road"), players=2, supply=19)
>>> [(rule.cells, rule.at_least) for rule in proof.rules]
[((5,), 1), ((6,), 1)]
>>> proof.change
(0, 0, 0, 0, 0, -1, -1, 0, 0, 0)

Steals, hidden discards and a monopoly of which only the total is known also branch or merge worlds: `hands` does that.

When a log contradicts itself (because a line is missing), `repair` finds the fewest unknown cards that explain it.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, reduce
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.belief.pieces import Rule
from kibitz.belief.worlds import Impossible, Resolved, WeightedWorlds
from kibitz.catan.core.events import (
    Accept, BankCount, BankTrade, Build, BuyDevCard, Cards, Correction, CounterOffer, Discard, Event, Gain, HandCount,
    HandSeen, Monopoly, Offer, PlayerTrade, Roll, StartingResources, Steal, UnknownCards, YearOfPlenty,
)  # fmt: skip
from kibitz.catan.core.rules.costs import CITY_COST, DEV_COST, ROAD_COST, SETTLEMENT_COST

RESOURCES = Cards._fields
KINDS = len(RESOURCES)
#: What things cost.
COSTS = {
    "road": Cards(*ROAD_COST),
    "settlement": Cards(*SETTLEMENT_COST),
    "city": Cards(*CITY_COST),
    "dev_card": Cards(*DEV_COST),
}


class Evidence(NamedTuple):
    """What must hold before an event, and what it adds to every hand [players x resources]."""

    rules: tuple[Rule, ...] = ()
    change: tuple[int, ...] = ()


@lru_cache
def hand(player: int) -> tuple[int, ...]:
    """The cells of a hand."""
    return tuple(range(KINDS * player, KINDS * player + KINDS))


@lru_cache
def column(resource: int, players: int, but: int | None = None) -> tuple[int, ...]:
    """The cells of a resource in all hands (`but` one)."""
    return tuple(KINDS * player + resource for player in range(players) if player != but)


@lru_cache(1024)
def holding(player: int, cards: Cards) -> tuple[Rule, ...]:
    """The player holds these cards."""
    return tuple(Rule((cell,), at_least=n) for cell, n in zip(hand(player), cards, strict=True) if n)


@lru_cache(1024)
def in_bank(cards: Cards, players: int, supply: int) -> tuple[Rule, ...]:
    """The bank holds these cards."""
    return tuple(Rule(column(r, players), at_most=supply - n) for r, n in enumerate(cards) if n)


@lru_cache(4096)
def moved(players: int, *moves: tuple[int, Cards, int]) -> tuple[int, ...]:
    """The change when cards are given to (1) or taken from (-1) players."""
    change = [0] * (KINDS * players)
    for player, cards, sign in moves:
        for cell, n in zip(hand(player), cards, strict=True):
            change[cell] += sign * n
    return tuple(change)


def evidence_of(event: Event, players: int, supply: int) -> Evidence:
    """What an event proves and changes; nothing for events that do not touch the hands (a decline proves nothing)."""
    match event:
        case Roll():
            return _gains(event.gains, players, supply)
        case StartingResources() | Gain() | YearOfPlenty():
            return _gains({event.player: event.cards}, players, supply)
        case Build():
            return _build(event, players)
        case BuyDevCard():
            return _payment(event.player, COSTS["dev_card"], players)
        case BankTrade(player, give, receive):
            rules = holding(player, give) + in_bank(receive, players, supply)
            return Evidence(rules, moved(players, (player, give, -1), (player, receive, 1)))
        case PlayerTrade(player, partner, give, receive):
            moves = (player, give, -1), (player, receive, 1), (partner, receive, -1), (partner, give, 1)
            return Evidence(holding(player, give) + holding(partner, receive), moved(players, *moves))
        case Offer() | CounterOffer() | Accept():  # whoever offers or accepts holds what would be given; nothing moves
            return Evidence(holding(event.player, event.give))
        case Steal(resource=None):  # its likelihood is count / total, whether the observer sees it or not
            return Evidence((Rule(hand(event.victim), at_least=1),))
        case Steal(resource=str(resource)):
            return Evidence(holding(event.victim, Cards.of({resource: 1})))
        case Discard(player, Cards() as cards):
            return _payment(player, cards, players)
        case Discard():
            return Evidence((Rule(hand(event.player), at_least=event.count or 0),))
        case Monopoly():
            return _monopoly(event, players)
        case UnknownCards():
            return Evidence((Rule(tuple(range(KINDS * players)), at_most=KINDS * supply - event.count),))
        case HandCount(player, count):
            return Evidence((Rule(hand(player), count, count),))
        case HandSeen(player, cards):
            return Evidence(tuple(Rule((cell,), n, n) for cell, n in zip(hand(player), cards, strict=True)))
        case BankCount(counts):
            held = {RESOURCES.index(resource): supply - n for resource, n in counts.items()}
            return Evidence(tuple(Rule(column(r, players), n, n) for r, n in held.items()))
        case Correction(player, change):
            rules = holding(player, Cards(*(max(-n, 0) for n in change)))
            rules += in_bank(Cards(*(max(n, 0) for n in change)), players, supply)
            return Evidence(rules, moved(players, (player, change, 1)))
        case _:
            return Evidence()


def _gains(gains: Mapping[int, Cards], players: int, supply: int) -> Evidence:
    """Cards from the bank, which must have held them."""
    if not gains:
        return Evidence()
    total = reduce(Cards.plus, gains.values())
    return Evidence(in_bank(total, players, supply), moved(players, *((player, cards, 1) for player, cards in gains.items())))


def _payment(player: int, price: Cards, players: int) -> Evidence:
    return Evidence(holding(player, price), moved(players, (player, price, -1)))


def _build(e: Build, players: int) -> Evidence:
    return Evidence() if e.free else _payment(e.player, COSTS[e.piece], players)


def _monopoly(e: Monopoly, players: int) -> Evidence:
    """Each victim had exactly what they gave; or all together exactly the total."""
    resource = RESOURCES.index(e.resource)
    if e.losses is not None:
        losses = {player: e.losses.get(player, 0) for player in range(players) if player != e.player}
        rules = tuple(Rule((hand(player)[resource],), n, n) for player, n in losses.items())
        taken = ((player, Cards.of({e.resource: n}), -1) for player, n in losses.items())
        return Evidence(rules, moved(players, (e.player, Cards.of({e.resource: sum(losses.values())}), 1), *taken))
    if e.total is not None:
        return Evidence((Rule(column(resource, players, e.player), e.total, e.total),))
    return Evidence()


def explain(rules: Sequence[Rule], worlds: WeightedWorlds, names: Sequence[str], supply: int) -> tuple[int | None, str, str]:
    """For evidence that no world meets: the player it is about, what it needs and what is possible."""
    counts = worlds.counts()[worlds.probabilities() > 0]
    needed, possible, players = [], [], []
    for rule in rules:
        held = counts[:, list(rule.cells)].sum(axis=1, dtype=int)
        if ((held >= rule.at_least) & (held <= rule.at_most)).any() and len(rules) > 1:
            continue
        owners = {cell // KINDS for cell in rule.cells}
        what = RESOURCES[rule.cells[0] % KINDS] if len({cell % KINDS for cell in rule.cells}) == 1 else "cards"
        low, high = int(held.min()), int(held.max())
        if len(owners) == len(names):
            where, at_least, at_most = "in the bank", supply - rule.at_most, supply - rule.at_least
            low, high = supply - high, supply - low
        else:
            where = f"with {' and '.join(names[owner] for owner in sorted(owners))}"
            at_least, at_most = rule.at_least, rule.at_most
            players += list(owners) if len(owners) == 1 else []
        exactly = at_least if at_least == at_most else f"at least {max(at_least, 0)}"
        one = "card" if what == "cards" else what
        needed.append(f"{exactly} {one if max(at_least, 0) == 1 else what} {where}")
        possible.append(f"{low if low == high else f'{low} to {high}'} {one if low == high == 1 else what}")
    if not needed:  # each alone would be possible, not all together
        needed, possible = ["all of it at once"], ["only one or the other"]
    return (players[0] if players else None), ", ".join(needed), ", ".join(possible)


#: How likely a card that nobody noticed lies in each of some cells, given the counts [worlds, cells] -> [worlds, places].
Guess = Callable[[npt.NDArray[np.int64], Sequence[int]], npt.NDArray[np.float64]]

#: Evidence that would take more unknown cards than this says nothing.
MOST_CARDS = 12
#: Unknown cards branch quickly; of more worlds than this a sample is kept (a larger one where whole hands are unknown).
MOST_WORLDS, MOST_DEALS = 10_000, 20_000


def repair(worlds: WeightedWorlds, rules: Sequence[Rule], guess: Guess) -> tuple[int, list[Resolved]]:
    """Change the worlds so that the rules hold in some of them, with the fewest cards; how many, and what that resolved.

    Only the worlds that need the fewest are kept. Cards that are missing are added to the cells as `guess` says, cards
    too many are taken away, each with the same chance. Raises `Impossible` if that would take more than `MOST_CARDS`, or
    does not help.
    """
    counts = worlds.counts().astype(np.int64)
    away = sum((_away(counts, rule) for rule in rules), start=np.zeros(len(worlds), np.int64))
    fewest = int(away.min())
    if fewest > MOST_CARDS:
        raise Impossible
    resolved = worlds.weigh((away == fewest).astype(np.float64))
    for rule in rules:
        while True:
            counts = worlds.counts().astype(np.int64)
            if not _away(counts, rule).any():
                break
            resolved += _change_one(worlds, counts, rule, guess)
            resolved += worlds.thin(MOST_WORLDS)
    return fewest, resolved


def deal_unknown(worlds: WeightedWorlds, cells: tuple[int, ...], event: UnknownCards, guess: Guess) -> list[Resolved]:
    """Put cards that nobody saw into some cells, one after the other, as `guess` says; what that resolved.

    Of several numbers of cards each is as likely. They branch quickly: of too many worlds a sample is kept.
    """
    resolved: list[Resolved] = []
    base = worlds.counts()[:, list(cells)].sum(axis=1, dtype=np.int64)
    whole = int(base.max()) if base.min() == base.max() else None
    most = event.count if event.most is None or whole is None else event.most
    for dealt in range(most):
        counts = worlds.counts().astype(np.int64)
        held = counts[:, list(cells)].sum(axis=1)
        if dealt < event.count:
            resolved += _change_one(worlds, counts, Rule(cells, at_least=int(held.max()) + 1), guess)
        else:
            more = (most - dealt) / (most - dealt + 1)
            resolved += _perhaps_one(worlds, counts, np.where(held == (whole or 0) + dealt, more, 0.0), cells, guess)
        resolved += worlds.thin(MOST_DEALS)
    return resolved


def _perhaps_one(
    worlds: WeightedWorlds, counts: npt.NDArray[np.int64], chance: npt.NDArray[np.float64], cells: Sequence[int], guess: Guess
) -> list[Resolved]:
    """Add one card to each world with its chance; what that resolved."""
    weights = guess(counts, cells)
    total = weights.sum(axis=1)
    weights *= (chance * (total > 0) / np.maximum(total, 1e-300))[:, None]
    ways = np.hstack([1 - weights.sum(axis=1, keepdims=True), weights])
    parents, places = np.nonzero(ways > 0)
    fresh = counts[parents]
    added = places > 0
    fresh[added, np.array(cells)[places[added] - 1]] += 1
    return worlds.branch(parents.astype(np.int32), fresh, worlds.prob[parents] * ways[parents, places])


def _away(counts: npt.NDArray[np.int64], rule: Rule) -> npt.NDArray[np.int64]:
    """How many cards each world is away from a rule."""
    held = counts[:, list(rule.cells)].sum(axis=1)
    away: npt.NDArray[np.int64] = np.maximum(rule.at_least - held, 0) + np.maximum(held - rule.at_most, 0)
    return away


def _change_one(worlds: WeightedWorlds, counts: npt.NDArray[np.int64], rule: Rule, guess: Guess) -> list[Resolved]:
    """Add one card to each world that has too few, and take one from each that has too many; what that resolved."""
    cells = np.array(rule.cells)
    held = counts[:, cells].sum(axis=1)
    by = np.where(held < rule.at_least, 1, np.where(held > rule.at_most, -1, 0))
    weights = np.where((by > 0)[:, None], guess(counts, rule.cells), counts[:, cells].astype(np.float64))
    weights[by == 0] = 0.0
    weights[by == 0, 0] = 1.0  # nothing to change: one way, and no card moves
    parents, places = np.nonzero(weights)
    if not len(parents):
        raise Impossible
    fresh = counts[parents]
    fresh[np.arange(len(parents)), cells[places]] += by[parents]
    flow = worlds.prob[parents] * weights[parents, places] / weights.sum(axis=1)[parents]
    return worlds.branch(parents.astype(np.int32), fresh, flow)
