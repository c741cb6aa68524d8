"""Development cards: bought, and played."""

from kibitz.catan.core import reasons as no
from kibitz.catan.core.codes import (
    PLAY_KNIGHT, PLAY_MONOPOLY, PLAY_ROAD_BUILDING, PLAY_YEAR_OF_PLENTY, PLENTY_FIRST, PLENTY_SECOND,
)  # fmt: skip
from kibitz.catan.core.rules.awards import award_largest_army
from kibitz.catan.core.rules.building import FREE, has_road_site
from kibitz.catan.core.rules.costs import A_CARD, pay, take
from kibitz.catan.core.state import (
    BUILD, DRAWING, FREE_ROADS, KINDS, KNIGHT, MAIN, MONOPOLY, ROAD_BUILDING, ROBBER_MOVE, VICTORY_POINT, YEAR_OF_PLENTY,
    CatanState,
)  # fmt: skip
from kibitz.catan.core.topology import NONE
from kibitz.game import Scratch
from kibitz.ground.jit import jit


@jit
def buy_card(s: CatanState) -> None:
    """Pay; chance draws the card."""
    pay(s, s.player, A_CARD)
    s.phase = DRAWING


@jit
def drawn(s: CatanState, card: int) -> None:
    """The card is kept hidden; only victory points count at once."""
    s.deck[card] -= 1
    s.deck_size -= 1
    s.dev[s.player, card] += 1
    s.dev_size[s.player] += 1
    s.new_dev[card] += 1
    s.new_dev_size += 1
    s.phase = BUILD if s.phased_turns else MAIN


@jit
def playable(s: CatanState, card: int) -> bool:
    """One card a turn, at any time in your own turn; not one that was bought this turn."""
    return not s.dev_done and s.dev[s.player, card] > s.new_dev[card]


@jit
def supply_size(s: CatanState) -> int:
    """All resource cards in the supply."""
    cards = 0
    for resource in range(KINDS):
        cards += s.bank[resource]
    return cards


@jit
def refuse_plenty(s: CatanState, choice: int) -> int:
    """Year of Plenty: two cards that the supply holds; a single one only if the whole supply holds no second."""
    first, second = PLENTY_FIRST[choice], PLENTY_SECOND[choice]
    if second == NONE:
        if supply_size(s) >= 2:
            return no.TAKE_TWO
        return 0 if s.bank[first] else no.BANK_HAS_NONE
    if first == second:
        return 0 if s.bank[first] >= 2 else no.BANK_HAS_NONE
    return 0 if s.bank[first] and s.bank[second] else no.BANK_HAS_NONE


@jit
def list_cards(s: CatanState, x: Scratch, n: int) -> int:
    """The development cards that may be played now."""
    if s.dev_done or s.dev_size[s.player] == 0:
        return n
    if playable(s, KNIGHT):
        x.actions[n] = PLAY_KNIGHT
        n += 1
    if playable(s, ROAD_BUILDING) and has_road_site(s):
        x.actions[n] = PLAY_ROAD_BUILDING
        n += 1
    if playable(s, YEAR_OF_PLENTY):
        for choice in range(len(PLENTY_FIRST)):
            if refuse_plenty(s, choice) == 0:
                x.actions[n] = PLAY_YEAR_OF_PLENTY + choice
                n += 1
    if playable(s, MONOPOLY):
        for resource in range(KINDS):
            x.actions[n] = PLAY_MONOPOLY + resource
            n += 1
    return n


@jit
def refuse_card(s: CatanState, card: int) -> int:
    """The counterpart of `playable`, with the reason."""
    if s.dev[s.player, card] == 0:
        return no.NO_SUCH_CARD
    if s.dev_done:
        return no.ONE_CARD_A_TURN
    return 0 if playable(s, card) else no.BOUGHT_THIS_TURN


@jit
def play_card(s: CatanState, card: int) -> None:
    """Put a development card on the table."""
    s.dev[s.player, card] -= 1
    s.dev_size[s.player] -= 1
    s.played[s.player, card] += 1
    if card != VICTORY_POINT:
        s.dev_done = 1


@jit
def play_knight(s: CatanState) -> None:
    """Knight: move the robber."""
    play_card(s, KNIGHT)
    award_largest_army(s, s.player)
    s.phase = ROBBER_MOVE


@jit
def play_road_building(s: CatanState) -> None:
    """Road Building: up to two free roads, as many as can be placed and the player wants."""
    play_card(s, ROAD_BUILDING)
    s.free_roads = FREE
    s.phase = FREE_ROADS


@jit
def play_year_of_plenty(s: CatanState, choice: int) -> None:
    """Year of Plenty: cards of the player's choice from the supply."""
    play_card(s, YEAR_OF_PLENTY)
    take(s, s.player, PLENTY_FIRST[choice], 1)
    if PLENTY_SECOND[choice] != NONE:
        take(s, s.player, PLENTY_SECOND[choice], 1)


@jit
def play_monopoly(s: CatanState, resource: int) -> None:
    """Monopoly: all others hand over all their cards of one resource."""
    play_card(s, MONOPOLY)
    for seat in range(s.seats):
        if seat != s.player:
            cards = s.hand[seat, resource]
            s.hand[seat, resource] = 0
            s.hand_size[seat] -= cards
            s.hand[s.player, resource] += cards
            s.hand_size[s.player] += cards


@jit
def reveal_vp(s: CatanState) -> None:
    """Phased turns only: show a victory point card (it counts while hidden too)."""
    if s.new_dev[VICTORY_POINT]:
        s.new_dev[VICTORY_POINT] -= 1
        s.new_dev_size -= 1
    play_card(s, VICTORY_POINT)
