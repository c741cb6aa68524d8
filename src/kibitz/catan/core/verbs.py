"""What the rules of Catan mean to `kibitz.game`: whose move it is, what is legal and why not, what an action does.

The chapters of `kibitz.catan.core.rules` say it; here the phases of the game and the codes of actions lead to them.
"""

from kibitz.catan.core import reasons as no
from kibitz.catan.core.codes import (
    ACCEPT, ALL_CODES, BANK_TRADE, BUILD_CITY, BUILD_ROAD, BUILD_SETTLEMENT, BUY_DEV, CANCEL, CONFIRM, DECLINE, DISCARD,
    DRAWN, END_BUILD, END_ROADS, END_TRADE, END_TURN, MOVE_ROBBER, OFFER, PLACE_FREE_ROAD, PLACE_ROAD, PLACE_SETTLEMENT,
    PLAY_KNIGHT, PLAY_MONOPOLY, PLAY_ROAD_BUILDING, PLAY_YEAR_OF_PLENTY, REVEAL_VP, ROLL_DICE, ROLLED, SKIP_STEAL, STEAL,
    STOLEN, list_each,
)  # fmt: skip
from kibitz.catan.core.rules.building import (
    build_city, build_road, build_settlement, end_road_building, has_road_site, list_builds, list_road_sites, refuse_city,
    refuse_corner, refuse_edge, refuse_end_roads, refuse_payment, refuse_road, refuse_settlement,
)  # fmt: skip
from kibitz.catan.core.rules.costs import A_CARD, A_CITY, A_ROAD, A_SETTLEMENT
from kibitz.catan.core.rules.dev_cards import (
    buy_card, drawn, list_cards, play_knight, play_monopoly, play_road_building, play_year_of_plenty, refuse_card,
    refuse_plenty, reveal_vp,
)  # fmt: skip
from kibitz.catan.core.rules.production import DICE, earned, rolled
from kibitz.catan.core.rules.robber import (
    discard, discarder, list_discards, list_victims, move_robber, refuse_hex, refuse_victim, robber_hexes, somebody_to_rob,
    steal, stolen,
)  # fmt: skip
from kibitz.catan.core.rules.setup import setup_settlement
from kibitz.catan.core.rules.trade import (
    answer, answerer, bank_trade, can_accept, list_answers, list_bank_trades, list_offers, list_partners, make_offer,
    refuse_bank_trade, refuse_offer, trade_with, withdraw,
)  # fmt: skip
from kibitz.catan.core.rules.turn import (
    check_victory, end_turn, may_build, may_end_turn, may_play_card, may_trade, resume, total_points,
)  # fmt: skip
from kibitz.catan.core.state import (
    ACCEPTED, BUILD, DECLINED, DEV_PLAY, DRAWING, FREE_ROADS, GAME_OVER, KINDS, KNIGHT, MAIN, MONOPOLY, ROAD_BUILDING,
    ROBBER_DISCARD, ROBBER_MOVE, ROBBER_STEAL, ROLLING, SETUP_ROAD, SETUP_SETTLEMENT, STEALING, TRADE, TRADE_ANSWER,
    TRADE_CHOICE, TURN_START, VICTORY_POINT, YEAR_OF_PLENTY, CatanState,
)  # fmt: skip
from kibitz.catan.core.topology import NONE
from kibitz.game import CHANCE, OVER, Scratch
from kibitz.ground.jit import jit


@jit
def actor(s: CatanState) -> int:
    """Whose move it is."""
    phase = s.phase
    if phase == ROLLING or phase == STEALING or phase == DRAWING:
        return CHANCE
    if phase == GAME_OVER:
        return OVER
    if phase == ROBBER_DISCARD:
        return discarder(s)
    if phase == TRADE_ANSWER:
        return answerer(s)
    return s.player


@jit
def kind(s: CatanState) -> int:
    """The phase."""
    return s.phase


# --- what is legal ----------------------------------------------------------------------------------------


@jit
def legal(s: CatanState, x: Scratch) -> int:
    """The legal actions of the player to move, ascending."""
    phase = s.phase
    if phase == MAIN or phase == TURN_START or TRADE <= phase <= DEV_PLAY:
        return list_turn(s, x)
    if phase == ROBBER_MOVE:
        return list_each(x, 0, MOVE_ROBBER, robber_hexes(s))
    if phase == ROBBER_STEAL:
        return list_victims(s, x)
    if phase == ROBBER_DISCARD:
        return list_discards(s, x)
    if phase == SETUP_SETTLEMENT:
        return list_each(x, 0, PLACE_SETTLEMENT, s.open)
    if phase == SETUP_ROAD or phase == FREE_ROADS:
        return list_road_sites(s, x)
    if phase == TRADE_ANSWER:
        return list_answers(s, x)
    if phase == TRADE_CHOICE:
        return list_partners(s, x)
    return 0


@jit
def list_turn(s: CatanState, x: Scratch) -> int:
    """What a player may do in their own turn."""
    n = 0
    if s.phase == TURN_START:
        x.actions[n] = ROLL_DICE
        n += 1
    if may_trade(s):
        n = list_bank_trades(s, x, n)
    if s.phase == TRADE:
        x.actions[n] = END_TRADE
        n += 1
    if may_build(s):
        n = list_builds(s, x, n)
    if s.phase == BUILD:
        x.actions[n] = END_BUILD
        n += 1
    if may_play_card(s):
        n = list_cards(s, x, n)
    if s.phase == DEV_PLAY and s.dev[s.player, VICTORY_POINT]:
        x.actions[n] = REVEAL_VP
        n += 1
    if may_end_turn(s):
        x.actions[n] = END_TURN
        n += 1
    if may_trade(s):
        n = list_offers(s, x, n)
    return n


# --- what is not ------------------------------------------------------------------------------------------


@jit
def why_not(s: CatanState, a: int) -> int:
    """0 if `a` is legal, else a number of `kibitz.catan.core.reasons`. Judges every code, even offers that `legal` omits."""
    if a < 0 or a >= ALL_CODES:
        return no.UNKNOWN_ACTION
    if s.phase == GAME_OVER:
        return no.GAME_IS_OVER
    if ROLLED <= a < OFFER:
        return refuse_outcome(s, a)
    if a == END_ROADS:
        return refuse_end_roads(s) if s.phase == FREE_ROADS else no.WRONG_PHASE
    if a >= OFFER:
        return refuse_offer(s, a - OFFER) if may_trade(s) else no.WRONG_PHASE
    if a >= END_BUILD:
        return refuse_in_cards(s, a)
    if a >= END_TRADE:
        return refuse_in_building(s, a)
    if a >= BANK_TRADE:
        return refuse_in_trade(s, a)
    return refuse_before_trade(s, a)


@jit
def refuse_outcome(s: CatanState, a: int) -> int:
    """Outcomes of chance must have a positive weight."""
    if a >= DRAWN:
        if s.phase != DRAWING:
            return no.CHANCE_DECIDES
        return 0 if s.deck[a - DRAWN] else no.NO_SUCH_OUTCOME
    if a >= STOLEN:
        if s.phase != STEALING:
            return no.CHANCE_DECIDES
        return 0 if s.hand[s.victim, a - STOLEN] else no.NO_SUCH_OUTCOME
    return 0 if s.phase == ROLLING else no.CHANCE_DECIDES


@jit
def refuse_before_trade(s: CatanState, a: int) -> int:
    """Set-up, the roll and the robber."""
    if a < PLACE_ROAD:
        return refuse_corner(s, a - PLACE_SETTLEMENT) if s.phase == SETUP_SETTLEMENT else no.WRONG_PHASE
    if a < ROLL_DICE:
        if s.phase != SETUP_ROAD:
            return no.WRONG_PHASE
        return refuse_edge(s, a - PLACE_ROAD, 1 << s.corner, no.NOT_AT_NEW_SETTLEMENT)
    if a == ROLL_DICE:
        return 0 if s.phase == TURN_START else no.WRONG_PHASE
    if a < MOVE_ROBBER:
        if s.phase != ROBBER_DISCARD:
            return no.WRONG_PHASE
        return 0 if s.hand[discarder(s), a - DISCARD] else no.NOT_YOUR_CARD
    if a < STEAL:
        return refuse_hex(s, a - MOVE_ROBBER) if s.phase == ROBBER_MOVE else no.WRONG_PHASE
    if s.phase != ROBBER_STEAL:
        return no.WRONG_PHASE
    if a == SKIP_STEAL:
        return no.MUST_STEAL if somebody_to_rob(s) else 0
    return refuse_victim(s, a - STEAL)


@jit
def refuse_in_trade(s: CatanState, a: int) -> int:
    """Maritime trade, and the answers to an offer."""
    if a < ACCEPT:
        return refuse_bank_trade(s, a - BANK_TRADE) if may_trade(s) else no.WRONG_PHASE
    if a == ACCEPT or a == DECLINE:
        if s.phase != TRADE_ANSWER:
            return no.WRONG_PHASE
        return 0 if a == DECLINE or can_accept(s, answerer(s)) else no.NOT_YOUR_CARD
    if s.phase != TRADE_CHOICE:
        return no.WRONG_PHASE
    return 0 if a == CANCEL or s.answers[a - CONFIRM] == ACCEPTED else no.DID_NOT_ACCEPT


@jit
def refuse_in_building(s: CatanState, a: int) -> int:
    """Roads, settlements, cities and the purchase of a card."""
    if a == END_TRADE:
        return 0 if s.phase == TRADE else no.WRONG_PHASE
    if not may_build(s):
        return no.WRONG_PHASE
    if a < BUILD_SETTLEMENT:
        return refuse_payment(s, refuse_road(s, a - BUILD_ROAD), A_ROAD)
    if a < BUILD_CITY:
        return refuse_payment(s, refuse_settlement(s, a - BUILD_SETTLEMENT), A_SETTLEMENT)
    if a < BUY_DEV:
        return refuse_payment(s, refuse_city(s, a - BUILD_CITY), A_CITY)
    return refuse_payment(s, 0 if s.deck_size else no.DECK_EMPTY, A_CARD)


@jit
def refuse_in_cards(s: CatanState, a: int) -> int:
    """Development cards and the end of the turn."""
    if a == END_BUILD:
        return 0 if s.phase == BUILD else no.WRONG_PHASE
    if a == END_TURN:
        return 0 if may_end_turn(s) else no.WRONG_PHASE
    if PLACE_FREE_ROAD <= a < PLAY_YEAR_OF_PLENTY:
        return refuse_road(s, a - PLACE_FREE_ROAD) if s.phase == FREE_ROADS else no.WRONG_PHASE
    if a == REVEAL_VP:
        if s.phase != DEV_PLAY:
            return no.WRONG_PHASE
        return 0 if s.dev[s.player, VICTORY_POINT] else no.NO_SUCH_CARD
    if not may_play_card(s):
        return no.WRONG_PHASE
    if a == PLAY_KNIGHT:
        return refuse_card(s, KNIGHT)
    if a == PLAY_ROAD_BUILDING:
        reason = refuse_card(s, ROAD_BUILDING)
        return reason if reason or has_road_site(s) else no.NOWHERE_TO_BUILD
    if a < PLAY_MONOPOLY:
        reason = refuse_card(s, YEAR_OF_PLENTY)
        return reason if reason else refuse_plenty(s, a - PLAY_YEAR_OF_PLENTY)
    return refuse_card(s, MONOPOLY)


# --- what it does -----------------------------------------------------------------------------------------


@jit
def apply(s: CatanState, a: int) -> None:
    """Do what `a` says (it is legal, or an outcome of the chance event at hand); then see whether the game is won."""
    edge = road_edge(a)
    if a == END_ROADS:
        end_road_building(s)
    elif a >= ROLLED:
        apply_outcome_or_offer(s, a)
    elif edge != NONE:
        build_road(s, edge)
    elif a < BANK_TRADE:
        apply_before_trade(s, a)
    elif a < BUILD_ROAD:
        apply_in_trade(s, a)
    else:
        apply_in_building_or_cards(s, a)
    check_victory(s)


@jit
def road_edge(a: int) -> int:
    """The edge of an action that places a road, `NONE` for any other."""
    if PLACE_ROAD <= a < ROLL_DICE:
        return a - PLACE_ROAD
    if BUILD_ROAD <= a < BUILD_SETTLEMENT:
        return a - BUILD_ROAD
    if PLACE_FREE_ROAD <= a < PLAY_YEAR_OF_PLENTY:
        return a - PLACE_FREE_ROAD
    return NONE


@jit
def apply_outcome_or_offer(s: CatanState, a: int) -> None:
    """Dice, stolen and drawn cards; offers."""
    if a < STOLEN:
        rolled(s, a - ROLLED + 2)
    elif a < DRAWN:
        stolen(s, a - STOLEN)
    elif a < OFFER:
        drawn(s, a - DRAWN)
    else:
        make_offer(s, a - OFFER)


@jit
def apply_before_trade(s: CatanState, a: int) -> None:
    """Set-up, the roll and the robber."""
    if a == ROLL_DICE:
        s.phase = ROLLING
    elif a < PLACE_ROAD:
        setup_settlement(s, a - PLACE_SETTLEMENT)
    elif a < MOVE_ROBBER:
        discard(s, a - DISCARD)
    elif a < STEAL:
        move_robber(s, a - MOVE_ROBBER)
    elif a < SKIP_STEAL:
        steal(s, a - STEAL)
    else:
        resume(s)


@jit
def apply_in_trade(s: CatanState, a: int) -> None:
    """Maritime trade, and the answers to an offer."""
    if a < ACCEPT:
        bank_trade(s, a - BANK_TRADE)
    elif a <= DECLINE:
        answer(s, ACCEPTED if a == ACCEPT else DECLINED)
    elif a < CANCEL:
        trade_with(s, a - CONFIRM)
    elif a == CANCEL:
        withdraw(s)
    else:
        s.phase = BUILD


@jit
def apply_in_building_or_cards(s: CatanState, a: int) -> None:
    """Settlements, cities, development cards and the end of the turn."""
    if a == END_TURN:
        end_turn(s)
    elif a < BUILD_CITY:
        build_settlement(s, a - BUILD_SETTLEMENT)
    elif a < BUY_DEV:
        build_city(s, a - BUILD_CITY)
    elif a == BUY_DEV:
        buy_card(s)
    elif a == END_BUILD:
        s.phase = DEV_PLAY
    elif a == PLAY_KNIGHT:
        play_knight(s)
    elif a == PLAY_ROAD_BUILDING:
        play_road_building(s)
    elif a < PLAY_MONOPOLY:
        play_year_of_plenty(s, a - PLAY_YEAR_OF_PLENTY)
    elif a < REVEAL_VP:
        play_monopoly(s, a - PLAY_MONOPOLY)
    else:
        reveal_vp(s)


# --- chance -----------------------------------------------------------------------------------------------


@jit
def weights(s: CatanState, x: Scratch) -> int:
    """Chance: two dice, a card out of the victim's hand, a card from the deck (a count per type)."""
    n = 0
    if s.phase == ROLLING:
        for i in range(len(DICE)):
            x.actions[i] = ROLLED + i
            x.weights[i] = DICE[i]
        return len(DICE)
    for kind in range(KINDS):
        cards = s.hand[s.victim, kind] if s.phase == STEALING else s.deck[kind]
        if cards:
            x.actions[n] = (STOLEN if s.phase == STEALING else DRAWN) + kind
            x.weights[n] = cards
            n += 1
    return n


@jit
def moment(s: CatanState) -> int:
    """Dice by turn; a theft by turn and whether a seven or a knight caused it; a drawn card by turn and deck size."""
    if s.phase == ROLLING:
        return s.turn * 64
    if s.phase == STEALING:
        return s.turn * 64 + 1 + (2 if s.roll else 0) + s.dev_done
    return s.turn * 64 + 8 + s.deck_size


# --- the end ----------------------------------------------------------------------------------------------


@jit
def score(s: CatanState, seat: int) -> int:
    """Victory points, hidden ones included."""
    return total_points(s, seat)


@jit
def prize(s: CatanState, seat: int) -> int:
    """Only winning counts."""
    return 1 if s.winner == seat else 0


@jit
def settled(s: CatanState) -> int:
    """Between two turns: nobody has done anything in the next one."""
    return 1 if s.phase == TURN_START and not s.dev_done else 0


# --- what the end does not tell -----------------------------------------------------------------------------


@jit
def tally(s: CatanState, x: Scratch, a: int) -> None:
    """Count the cards that each seat loses to a blocked hex, to a steal and to a seven.

    A blocked hex counts with what it would have paid, whether or not the supply could have paid it.
    """
    if ROLLED <= a < STOLEN:
        if s.number[s.robber] == a - ROLLED + 2:
            for seat in range(s.seats):
                x.tally[seat] += earned(s, seat, 1 << s.robber)
    elif STOLEN <= a < DRAWN:
        x.tally[s.victim] += 1
    elif DISCARD <= a < MOVE_ROBBER:
        x.tally[actor(s)] += 1
