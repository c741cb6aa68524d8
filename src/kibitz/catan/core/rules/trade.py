"""Maritime trade, with the supply, and domestic trade, with other players."""

from kibitz.catan.core import reasons as no
from kibitz.catan.core.codes import (
    ACCEPT, BANK_TRADE, BEST_RATE, CANCEL, CONFIRM, DECLINE, DIGITS, PLACES, RATES, SMALL_OFFER_COUNT, SMALL_OFFER_GIVES,
    SMALL_OFFERS, WORST_RATE,
)  # fmt: skip
from kibitz.catan.core.rules.costs import take
from kibitz.catan.core.rules.turn import resume
from kibitz.catan.core.state import ACCEPTED, KINDS, NOBODY, SUPPLY, TRADE_ANSWER, TRADE_CHOICE, CatanState
from kibitz.game import Scratch
from kibitz.ground.jit import jit


@jit
def has_rate(s: CatanState, seat: int, resource: int, rate: int) -> bool:
    """4:1 always, 3:1 at a generic harbour, 2:1 at the harbour of the resource: any rate you qualify for."""
    if rate == WORST_RATE:
        return True
    harbour = 0 if rate == 3 else 1 + resource
    return (s.settlements[seat] | s.cities[seat]) & s.harbours[harbour] != 0


@jit
def rate_at(s: CatanState, corners: int, resource: int) -> int:
    """The best rate with buildings on `corners`."""
    if corners & s.harbours[1 + resource]:
        return 2
    return 3 if corners & s.harbours[0] else 4


@jit
def best_rate(s: CatanState, seat: int, resource: int) -> int:
    """The fewest cards of a resource that a player can give for one of another."""
    return rate_at(s, s.settlements[seat] | s.cities[seat], resource)


@jit
def list_bank_trades(s: CatanState, x: Scratch, n: int) -> int:
    """Give 2, 3 or 4 alike, take one of another kind that the supply holds; in phased turns at the best rate only."""
    seat = s.player
    if s.hand_size[seat] < BEST_RATE:
        return n
    for give in range(KINDS):
        worst = best_rate(s, seat, give) if s.phased_turns else WORST_RATE
        for rate in range(BEST_RATE, min(worst, s.hand[seat, give]) + 1):
            if has_rate(s, seat, give, rate):
                for get in range(KINDS):
                    if get != give and s.bank[get]:
                        x.actions[n] = BANK_TRADE + (give * RATES + rate - BEST_RATE) * KINDS + get
                        n += 1
    return n


@jit
def trade_gives(trade: int) -> int:
    """The resource that a bank trade gives."""
    return trade // (RATES * KINDS)


@jit
def trade_rate(trade: int) -> int:
    """How many cards a bank trade gives for one."""
    return BEST_RATE + trade // KINDS % RATES


@jit
def trade_gets(trade: int) -> int:
    """The resource that a bank trade gets."""
    return trade % KINDS


@jit
def refuse_bank_trade(s: CatanState, trade: int) -> int:
    """The counterpart of `list_bank_trades` for one trade."""
    give, rate, get = trade_gives(trade), trade_rate(trade), trade_gets(trade)
    if give == get:
        return no.SAME_RESOURCE
    if not has_rate(s, s.player, give, rate):
        return no.NO_SUCH_RATE
    if s.phased_turns and rate > best_rate(s, s.player, give):
        return no.BETTER_RATE
    if s.hand[s.player, give] < rate:
        return no.CANNOT_PAY
    return 0 if s.bank[get] else no.BANK_HAS_NONE


@jit
def bank_trade(s: CatanState, trade: int) -> None:
    """The exchange with the supply."""
    take(s, s.player, trade_gives(trade), -trade_rate(trade))
    take(s, s.player, trade_gets(trade), 1)


@jit
def offered(bundle: int, resource: int) -> int:
    """How many cards of a resource an offer gives (+) or wants (-)."""
    return bundle // PLACES[resource] % DIGITS - SUPPLY


@jit
def list_offers(s: CatanState, x: Scratch, n: int) -> int:
    """A small set of offers (one or two alike for one or two alike), so that they can be enumerated."""
    if s.domestic_trade and s.offers < s.offer_limit:
        for i in range(len(SMALL_OFFERS)):
            if s.hand[s.player, SMALL_OFFER_GIVES[i]] >= SMALL_OFFER_COUNT[i]:
                x.actions[n] = SMALL_OFFERS[i]
                n += 1
    return n


@jit
def refuse_offer(s: CatanState, bundle: int) -> int:
    """Any bundle may be offered that the player holds; no gifts."""
    if not s.domestic_trade:
        return no.NO_DOMESTIC_TRADE
    if s.offers >= s.offer_limit:
        return no.TOO_MANY_OFFERS
    gives, wants = False, False
    for resource in range(KINDS):
        n = offered(bundle, resource)
        if n > s.hand[s.player, resource]:
            return no.NOT_YOUR_CARD
        gives |= n > 0
        wants |= n < 0
    return 0 if gives and wants else no.NO_GIFTS


@jit
def make_offer(s: CatanState, bundle: int) -> None:
    """The offer goes to all others, who answer in turn."""
    for resource in range(KINDS):
        s.offer[resource] = offered(bundle, resource)
    s.offers += 1
    s.phase = TRADE_ANSWER


@jit
def answerer(s: CatanState) -> int:
    """Who answers next: clockwise from the player whose turn it is; `NOBODY` when all have."""
    for i in range(1, s.seats):
        seat = (s.player + i) % s.seats
        if s.answers[seat] == 0:
            return seat
    return NOBODY


@jit
def can_accept(s: CatanState, seat: int) -> bool:
    """Whether a player holds what the offer asks for."""
    for resource in range(KINDS):
        if s.hand[seat, resource] < -s.offer[resource]:
            return False
    return True


@jit
def list_answers(s: CatanState, x: Scratch) -> int:
    """Yes, for those who hold the cards, or no."""
    n = 0
    if can_accept(s, answerer(s)):
        x.actions[n] = ACCEPT
        n += 1
    x.actions[n] = DECLINE
    return n + 1


@jit
def answer(s: CatanState, reply: int) -> None:
    """When all have answered and somebody accepts, the player whose turn it is chooses among them."""
    s.answers[answerer(s)] = reply
    if answerer(s) == NOBODY:
        s.phase = TRADE_CHOICE
        for seat in range(s.seats):
            if s.answers[seat] == ACCEPTED:
                return
        withdraw(s)


@jit
def withdraw(s: CatanState) -> None:
    """The offer is off the table."""
    for resource in range(KINDS):
        s.offer[resource] = 0
    for seat in range(s.seats):
        s.answers[seat] = 0
    resume(s)


@jit
def list_partners(s: CatanState, x: Scratch) -> int:
    """Those who accepted, or nobody."""
    n = 0
    for seat in range(s.seats):
        if s.answers[seat] == ACCEPTED:
            x.actions[n] = CONFIRM + seat
            n += 1
    x.actions[n] = CANCEL
    return n + 1


@jit
def trade_with(s: CatanState, partner: int) -> None:
    """The exchange with the chosen partner."""
    for resource in range(KINDS):
        n = s.offer[resource]
        s.hand[s.player, resource] -= n
        s.hand_size[s.player] -= n
        s.hand[partner, resource] += n
        s.hand_size[partner] += n
    withdraw(s)
