"""The searching bot at the market: its offers are worth accepting, and it does not feed the leader."""

from dataclasses import replace

from kibitz.catan import GAME, Action, GameState
from kibitz.catan.bots import bot_named
from kibitz.catan.core.habits import BUILDER
from kibitz.game import verbs
from kibitz.game.doors import hidden_from
from kibitz.learn.measure import evaluated
from kibitz.play.search_bot import AnyDeal
from kibitz.search.ismcts import SearchResult
from tests.catan.positions import Table, chain, hand, play

ORE_FOR_WOOD = Action.from_text("offer_trade 1 ore for 1 wood")


def thinks(state: GameState, seat: int) -> SearchResult:
    """What `ismcts` makes of what a seat sees of a position; nobody knows how it came about."""
    thinking = replace(bot_named("ismcts:600").player().thinking, belief=AnyDeal)  # type: ignore[attr-defined]
    view = hidden_from(state._states, seat)
    return thinking.search(AnyDeal(GAME, seat, view), view, seat, seed=1)


def decides(state: GameState, seat: int) -> Action:
    return Action.from_code(thinks(state, seat).best.action)


def test_what_it_offers_is_accepted_by_somebody_who_gains():
    """The first player lacks an ore for a city and has wood to spare; the second lacks a wood for a settlement."""
    state = (
        Table(3)
        .build(0, settlements=[42, 20], roads=chain(42, 32) + chain(20, 31))
        .build(1, settlements=[40, 10], roads=chain(40, 30, 29) + chain(10, 2))
        .build(2, settlements=[0, 46], roads=chain(0, 8) + chain(46, 36))
        .give(0, wheat=2, ore=2, wood=2)
        .give(1, ore=1, brick=1, sheep=1, wheat=1)
        .give(2, sheep=2, ore=1, brick=1)
        .main()
    )
    offer = decides(state, 0)
    assert offer.to_text() == "offer_trade 1 wood for 1 ore"
    offered = play(state, offer)
    answer = verbs.choose(offered._states[0], GAME.scratches()[0], BUILDER)
    assert Action.from_code(answer).kind == "accept_offer"
    traded = play(offered, *map(Action.from_text, ("accept_offer", "decline_offer", "confirm_trade P2")))
    before, after = (evaluated(GAME, one._states)[0, 0] for one in (state, traded))
    assert after > before
    assert hand(traded, 1) == {"wood": 1, "brick": 1, "sheep": 1, "wheat": 1}  # a settlement


def test_it_takes_a_fair_trade():
    """An ore makes a city of the second player's, and the first does not gain much by a wood."""
    state = (
        Table(3)
        .build(0, settlements=[42, 20], roads=chain(42, 32))
        .build(1, settlements=[40, 10], roads=chain(40, 39) + chain(10, 9))
        .build(2, settlements=[0, 46], roads=chain(0, 8) + chain(46, 45))
        .give(0, ore=1, sheep=1)
        .give(1, ore=2, wheat=2, wood=2)
        .give(2, sheep=2)
        .main()
    )
    assert decides(play(state, ORE_FOR_WOOD), 1).kind == "accept_offer"


def test_it_refuses_what_helps_the_leader():
    """The same offer, but a wood may be all that the first player needs for a settlement and the last point."""
    state = (
        Table(3)
        .build(0, cities=[42, 20, 22, 24], settlements=[44], roads=chain(44, 45, 46))
        .build(1, cities=[40, 10, 48], settlements=[4, 6], roads=chain(40, 39) + chain(10, 9))
        .build(2, settlements=[0, 50], roads=chain(0, 8))
        .give(0, ore=1, brick=1, sheep=1, wheat=1)
        .give(1, ore=3, wheat=2, wood=1)
        .give(2, sheep=1)
        .main()
    )
    assert decides(play(state, ORE_FOR_WOOD), 1).kind == "decline_offer"
