"""What a seat knows: hidden are the other hands, the other development cards and the deck; their sizes are public."""

from kibitz.catan.core.codes import DRAWN, OFFER, PLAY_MONOPOLY, REVEAL_VP, STOLEN, UNSEEN_DRAW, UNSEEN_STEAL
from kibitz.catan.core.rules.turn import visible_points
from kibitz.catan.core.state import ACCEPTED, DECK, GAME_OVER, KINDS, SUPPLY, VICTORY_POINT, CatanState, CatanWorld
from kibitz.game import Scratch
from kibitz.ground.jit import Vector, jit, table
from kibitz.ground.rng import below

_DECK: Vector = table(DECK)
#: After so many failed deals there is hardly one that the open offer allows.
MANY_DEALS = 1000
# Where `redeal` counts the unseen cards in the scratch struct.
RESOURCE_POOL, CARD_POOL = 0, KINDS


@jit
def seen(s: CatanState, a: int, seat: int) -> int:
    """Only thief and victim see a stolen card, only the buyer a drawn one; everything else is public."""
    if STOLEN <= a < DRAWN and seat != s.player and seat != s.victim:
        return UNSEEN_STEAL
    if DRAWN <= a < OFFER and seat != s.player:
        return UNSEEN_DRAW
    return a


@jit
def news(s: CatanState, a: int, seat: int) -> int:
    """A Monopoly shows everybody how many cards each of the others hands over, also that it is none.

    A revealed victory point shows whether it is one of the cards that were bought this turn, which lie apart.
    """
    told = 0
    if a == REVEAL_VP:
        told = 2 if s.new_dev[VICTORY_POINT] else 1
    if PLAY_MONOPOLY <= a < PLAY_MONOPOLY + KINDS:
        told = 1
        for other in range(s.seats):
            if other != s.player:
                told = (SUPPLY + 1) * told + s.hand[other, a - PLAY_MONOPOLY]
    return told


@jit
def hide(s: CatanState, seat: int) -> None:
    """Blank the other hands and development cards, and what the deck holds."""
    for kind in range(KINDS):
        for other in range(s.seats):
            if other != seat:
                s.hand[other, kind] = 0
                s.dev[other, kind] = 0
        if s.player != seat:
            s.new_dev[kind] = 0
        s.deck[kind] = 0


@jit
def peek(s: CatanState, w: CatanWorld) -> None:
    """The hidden things of a state (with the observer's own, so that one world serves every seat)."""
    for kind in range(KINDS):
        for seat in range(s.seats):
            w.hand[seat, kind] = s.hand[seat, kind]
            w.dev[seat, kind] = s.dev[seat, kind]
        w.new_dev[kind] = s.new_dev[kind]


@jit
def deal(s: CatanState, w: CatanWorld) -> None:
    """Give everybody the cards of a world; the deck holds the rest."""
    for kind in range(KINDS):
        s.deck[kind] = _DECK[kind]
        for seat in range(s.seats):
            s.hand[seat, kind] = w.hand[seat, kind]
            s.dev[seat, kind] = w.dev[seat, kind]
            s.deck[kind] -= w.dev[seat, kind] + s.played[seat, kind]
        s.new_dev[kind] = w.new_dev[kind]


@jit
def draw_card(x: Scratch, pool: int) -> int:
    """Take one of the cards counted in the five weights that begin at `pool`, all equally likely."""
    cards = 0
    for kind in range(KINDS):
        cards += x.weights[pool + kind]
    at = below(x, cards)
    kind = 0
    while at >= x.weights[pool + kind]:
        at -= x.weights[pool + kind]
        kind += 1
    x.weights[pool + kind] -= 1
    return kind


@jit
def deal_cards_to_player(s: CatanState, x: Scratch) -> None:
    """Development cards for the player whose turn it is; a deal with which they would have won is dealt again."""
    hidden_points = s.victory_points - visible_points(s, s.player)
    while True:
        for _ in range(s.dev_size[s.player]):
            s.dev[s.player, draw_card(x, CARD_POOL)] += 1
        if s.phase == GAME_OVER or s.dev[s.player, VICTORY_POINT] < hidden_points:
            return
        for kind in range(KINDS):
            x.weights[CARD_POOL + kind] += s.dev[s.player, kind]
            s.dev[s.player, kind] = 0


@jit
def redeal(s: CatanState, x: Scratch, seat: int) -> None:
    """Deal the cards that `seat` does not see at random, all possible deals being equally likely.

    Where an offer asks for so much that hardly any deal has it, what is promised is dealt first.
    """
    for _ in range(MANY_DEALS):
        deal_unseen(s, x, seat, promised_first=0)
        if holds_offered(s):
            return
    deal_unseen(s, x, seat, promised_first=1)


@jit
def promised(s: CatanState, seat: int, resource: int) -> int:
    """How many cards of a resource a seat must hold for the offer on the table."""
    if seat == s.player:
        return max(0, s.offer[resource])
    return max(0, -s.offer[resource]) if s.answers[seat] == ACCEPTED else 0


@jit
def holds_offered(s: CatanState) -> bool:
    """Whether the player holds what is offered, and whoever accepted what is asked for."""
    for seat in range(s.seats):
        for resource in range(KINDS):
            if s.hand[seat, resource] < promised(s, seat, resource):
                return False
    return True


@jit
def deal_promised(s: CatanState, x: Scratch, seat: int) -> int:
    """Deal a seat what it must hold, as far as there are such cards; how many they are."""
    dealt = 0
    for resource in range(KINDS):
        cards = min(promised(s, seat, resource), x.weights[RESOURCE_POOL + resource], s.hand_size[seat] - dealt)
        s.hand[seat, resource] += cards
        x.weights[RESOURCE_POOL + resource] -= cards
        dealt += cards
    return dealt


@jit
def deal_unseen(s: CatanState, x: Scratch, seat: int, promised_first: int) -> None:
    """Deal the cards that `seat` does not see at random into hands of the right sizes."""
    hide(s, seat)
    for kind in range(KINDS):
        x.weights[RESOURCE_POOL + kind] = SUPPLY - s.bank[kind] - s.hand[seat, kind]
        x.weights[CARD_POOL + kind] = _DECK[kind] - s.dev[seat, kind]
        for other in range(s.seats):
            x.weights[CARD_POOL + kind] -= s.played[other, kind]
    if s.player != seat:
        deal_cards_to_player(s, x)
    for other in range(s.seats):
        if other != seat:
            left = s.hand_size[other]
            if promised_first:
                left -= deal_promised(s, x, other)
            for _ in range(left):
                s.hand[other, draw_card(x, RESOURCE_POOL)] += 1
            if other != s.player:
                for _ in range(s.dev_size[other]):
                    s.dev[other, draw_card(x, CARD_POOL)] += 1
    for kind in range(KINDS):
        s.deck[kind] = x.weights[CARD_POOL + kind]
        x.weights[CARD_POOL + kind] = s.dev[s.player, kind]
    if s.player != seat:
        for _ in range(s.new_dev_size):
            s.new_dev[draw_card(x, CARD_POOL)] += 1
