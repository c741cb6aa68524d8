"""Development cards: what everybody hides equals the sum over every order of the deck."""

from fractions import Fraction

import pytest

from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.core.events import (
    Award,
    BankTrade,
    Build,
    BuyDevCard,
    Cards,
    EndTurn,
    Event,
    Gain,
    PlayDevCard,
    Roll,
    Win,
)
from tests.catan.belief.brute import COSTS, DECK, Impossible, Reference
from tests.catan.belief.proof import Tally, check_everything, check_refused

ANN, BOB = range(2)
PRICE = COSTS["dev_card"]
pytestmark = pytest.mark.plain


def after(*events: Event, victory_points: int = 10, observer: int | None = None) -> Reference:
    """The reference after a log, with which the tracker agrees. Everybody can pay for everything."""
    reference, tracker = Reference(2, victory_points), HandTracker(2, observer, victory_points=victory_points)
    for event in (Gain(ANN, [8] * 5), Gain(BOB, [8] * 5), *events):
        reference.process(event)
        tracker.process(event)
        check_everything(tracker, reference, Tally())
    return reference


def refused(*events: Event, victory_points: int = 10) -> None:
    reference, tracker = Reference(2, victory_points), HandTracker(2, victory_points=victory_points)
    for event in (Gain(ANN, [8] * 5), Gain(BOB, [8] * 5), *events[:-1]):
        reference.process(event)
        tracker.process(event)
    with pytest.raises(Impossible):
        reference.process(events[-1])
    check_refused(tracker, lambda: tracker.process(events[-1]))


def parts(of: int, **counts: int) -> dict[str, Fraction]:
    return {card: Fraction(counts.get(card, 0), of) for card in DECK}


def one_of_each(reference: Reference, player: int) -> dict[str, Fraction]:
    """For a player with one hidden card: how likely each kind is."""
    return {card: reference.hidden_cards(player, card).get(1, Fraction(0)) for card in DECK}


# --- worked out by hand -----------------------------------------------------------------------------------------


def test_a_card_is_any_of_the_twenty_five():
    assert one_of_each(after(BuyDevCard(ANN)), ANN) == parts(25, **DECK)


def test_a_card_that_is_seen_leaves_the_deck():
    known = after(BuyDevCard(ANN, "monopoly"), BuyDevCard(BOB), observer=ANN)
    assert one_of_each(known, BOB) == parts(24, **{**DECK, "monopoly": 1})
    assert one_of_each(known, ANN) == parts(1, monopoly=1)
    # The order does not matter.
    assert one_of_each(after(BuyDevCard(BOB), BuyDevCard(ANN, "monopoly")), BOB) == one_of_each(known, BOB)


def test_a_played_card_is_one_of_those_that_were_bought_before():
    # Pairs with a knight: 14*13 with two, 2*14*11 with one, of which 2*14*5 beside a victory point; 490 in all.
    known = after(BuyDevCard(ANN), BuyDevCard(ANN), EndTurn(ANN), EndTurn(BOB), PlayDevCard(ANN, "knight"))
    assert one_of_each(known, ANN) == {
        "knight": Fraction(182, 490),
        "victory_point": Fraction(140, 490),
        "road_building": Fraction(56, 490),
        "year_of_plenty": Fraction(56, 490),
        "monopoly": Fraction(56, 490),
    }


def test_a_card_bought_in_this_turn_is_not_the_one_that_is_played():
    # The knight is the first card; of the other 24, 13 are knights.
    known = after(BuyDevCard(ANN), EndTurn(ANN), EndTurn(BOB), BuyDevCard(ANN), PlayDevCard(ANN, "knight"))
    assert one_of_each(known, ANN) == parts(24, **{**DECK, "knight": 13})
    refused(BuyDevCard(ANN), PlayDevCard(ANN, "knight"))
    refused(BuyDevCard(ANN), EndTurn(ANN), BuyDevCard(BOB), PlayDevCard(BOB, "knight"))


def test_a_new_victory_point_can_be_shown():
    known = after(BuyDevCard(ANN), PlayDevCard(ANN, "victory_point"))
    assert one_of_each(known, ANN) == parts(1)
    assert known.table.points(ANN) == 1


@pytest.mark.parametrize(
    "goes_on",
    [
        Roll(ANN, 6),
        Build(ANN, "road"),
        BuyDevCard(ANN),
        BankTrade(ANN, Cards(wood=4), Cards(ore=1)),
        EndTurn(ANN),
    ],
    ids=lambda event: event.kind,
)
def test_who_goes_on_has_not_won(goes_on):
    # Of three points Ann has two: the card is none of the 5 victory points.
    settled = Build(ANN, "settlement", free=True), Build(ANN, "settlement", free=True), BuyDevCard(ANN)
    before = after(*settled, victory_points=3)
    assert one_of_each(before, ANN) == parts(25, **DECK)
    assert before.wins_now(ANN) == Fraction(5, 25)
    known = after(*settled, goes_on, victory_points=3)
    if isinstance(goes_on, BuyDevCard):
        # The second card may be one: of 24 cards, 5.
        assert known.wins_now(ANN) == Fraction(5, 24)
    else:
        assert one_of_each(known, ANN) == parts(20, **{**DECK, "victory_point": 0})
        assert known.wins_now(ANN) == 0


@pytest.mark.parametrize("says_nothing", [Build(ANN, "road", free=True), Roll(BOB, 6), EndTurn(BOB), Gain(ANN, Cards())])
def test_what_is_not_ones_own_turn_proves_nothing(says_nothing):
    settled = Build(ANN, "settlement", free=True), Build(ANN, "settlement", free=True), BuyDevCard(ANN)
    assert one_of_each(after(*settled, says_nothing, victory_points=3), ANN) == parts(25, **DECK)


def test_points_on_the_table():
    # A settlement, a city (which was a settlement), two awards, a shown point: 1 + 2 + 4 + 1; then an award is lost.
    known = after(
        *[Build(ANN, "settlement", free=True)] * 2,
        Build(ANN, "city"),
        Award(ANN, "longest_road"),
        Award(ANN, "largest_army"),
        BuyDevCard(ANN),
        PlayDevCard(ANN, "victory_point"),
        BuyDevCard(ANN),
        Award(BOB, "longest_road"),
        EndTurn(ANN),
    )
    assert [known.table.points(player) for player in (ANN, BOB)] == [6, 2]
    assert known.wins_now(ANN) == 0


def test_two_hidden_points_and_what_silence_says_of_them():
    # Two of three cards at most: C(5,3) = 10 of C(25,3) = 2300 deals fall away, with two points 10 * 20 = 200 of 2290.
    start = [Build(ANN, "settlement", free=True)] * 2
    known = after(*start, *[BuyDevCard(ANN)] * 3, EndTurn(ANN), victory_points=5)
    assert known.hidden_cards(ANN, "victory_point") == {
        0: Fraction(1140, 2290),
        1: Fraction(950, 2290),
        2: Fraction(200, 2290),
    }


def test_hidden_points_are_shown_to_win():
    # Two points on the table and two in the hand win with four: showing them is not going on.
    start = [Build(ANN, "settlement", free=True)] * 2
    buys = BuyDevCard(ANN), EndTurn(ANN), EndTurn(BOB), BuyDevCard(ANN)
    shows = PlayDevCard(ANN, "victory_point"), PlayDevCard(ANN, "victory_point"), Win(ANN)
    known = after(*start, *buys, *shows, victory_points=4)
    assert known.wins_now(ANN) == 1


@pytest.mark.parametrize("card", DECK)
def test_there_are_no_more_than_the_deck_holds(card):
    copies = [BuyDevCard(BOB, card)] * DECK[card]
    rich = [Gain(BOB, PRICE)] * max(0, DECK[card] - 8)
    refused(*rich[:3], *copies[:11], *rich[3:], *copies[11:], Gain(BOB, PRICE), BuyDevCard(BOB, card), victory_points=20)


def test_what_nobody_hides_is_not_played():
    refused(PlayDevCard(ANN, "knight"))
    refused(BuyDevCard(ANN, "monopoly"), EndTurn(ANN), EndTurn(BOB), PlayDevCard(ANN, "knight"))
    refused(BuyDevCard(ANN), EndTurn(ANN), PlayDevCard(ANN, "knight"), PlayDevCard(ANN, "knight"))
