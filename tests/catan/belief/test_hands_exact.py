"""Hands: the tracker's posteriors equal the sum over every history, and it refuses exactly what cannot have happened.

The cases that are worked out here in comments are asked of the reference, exactly, and of the tracker.
"""

from fractions import Fraction

import pytest

from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.core.events import (
    EVENTS,
    Accept,
    BankCount,
    BankTrade,
    Build,
    BuyDevCard,
    Cards,
    Correction,
    CounterOffer,
    Decline,
    Discard,
    EndTurn,
    Event,
    Gain,
    HandCount,
    HandSeen,
    Monopoly,
    Offer,
    PlayerTrade,
    Roll,
    StartingResources,
    Steal,
    YearOfPlenty,
)
from tests.catan.belief.brute import Impossible, Reference, bank_of
from tests.catan.belief.proof import Tally, check_everything, check_refused, prove
from tests.catan.belief.short_logs import short_log

ANN, BOB, CEM = range(3)
LOGS, ENGINE_LOGS, WILD_LOGS = 60, 5, 60


def worked_out(*events: Event, players: int = 3) -> Reference:
    """The reference after a log, with which the tracker agrees."""
    reference, tracker = Reference(players), HandTracker(players)
    for event in events:
        reference.process(event)
        tracker.process(event)
        check_everything(tracker, reference, Tally())
    return reference


def refused(*events: Event, players: int = 3) -> None:
    """The last event cannot happen after the others."""
    reference, tracker = Reference(players), HandTracker(players)
    for event in events[:-1]:
        reference.process(event)
        tracker.process(event)
    with pytest.raises(Impossible):
        reference.process(events[-1])
    check_refused(tracker, lambda: tracker.process(events[-1]))
    check_everything(tracker, reference, Tally())


def of(**parts: tuple[int, int]) -> dict[str, Fraction]:
    return {name: Fraction(*part) for name, part in parts.items()}


BOB_HAS = StartingResources(BOB, Cards(wood=2, ore=1))

# --- worked out by hand -----------------------------------------------------------------------------------------


def test_a_stolen_card_is_any_card_of_the_hand():
    known = worked_out(BOB_HAS, Steal(ANN, BOB))
    assert known.odds(0) == of(wood=(2, 3), ore=(1, 3))
    assert known.worlds() == {
        (Cards(wood=1), Cards(wood=1, ore=1), Cards()): Fraction(2, 3),
        (Cards(ore=1), Cards(wood=2), Cards()): Fraction(1, 3),
    }
    assert known.marginal(BOB, "wood") == {1: Fraction(2, 3), 2: Fraction(1, 3)}
    assert known.total(ANN) == {1: Fraction(1)}
    # A card of Bob's two: wood in 2/3 * 1/2 + 1/3 * 1 = 2/3.
    assert known.next_stolen(BOB) == of(wood=(2, 3), ore=(1, 3))


def test_the_second_card_is_as_likely_wood_as_the_first():
    # Two of three cards, the order does not matter: both wood in 1 of 3, wood and ore in 2 of 3.
    known = worked_out(BOB_HAS, Steal(ANN, BOB), Steal(ANN, BOB))
    assert known.odds(0) == known.odds(1) == of(wood=(2, 3), ore=(1, 3))
    assert known.marginal(ANN, "wood") == {1: Fraction(2, 3), 2: Fraction(1, 3)}


def test_what_is_built_was_not_stolen():
    # Of 3 wood, 2 brick and 1 ore, two roads leave wood (3 of 6) or ore (1 of 6) for the thief.
    start = [StartingResources(BOB, Cards(wood=3, brick=2, ore=1)), Steal(ANN, BOB)]
    known = worked_out(*start, Build(BOB, "road"), Build(BOB, "road"))
    assert known.odds(0) == of(wood=(3, 4), ore=(1, 4))
    refused(*start, Build(BOB, "road"), Build(BOB, "road"), Build(BOB, "road"))


def test_free_pieces_prove_nothing():
    known = worked_out(BOB_HAS, Steal(ANN, BOB), Build(ANN, "road", free=True), Build(ANN, "settlement", free=True))
    assert known.odds(0) == of(wood=(2, 3), ore=(1, 3))


@pytest.mark.parametrize(
    "shown",
    [
        Offer(ANN, Cards(ore=1), Cards(wood=1)),
        CounterOffer(ANN, BOB, Cards(ore=1), Cards(wood=1)),
        Accept(ANN, BOB, Cards(ore=1), Cards(wood=1)),
        HandSeen(ANN, Cards(ore=1)),
        HandSeen(BOB, Cards(wood=2)),
        BankTrade(ANN, Cards(ore=1), Cards(wood=1)),
        PlayerTrade(ANN, CEM, Cards(ore=1), Cards()),
        PlayerTrade(CEM, ANN, Cards(), Cards(ore=1)),
        Discard(ANN, Cards(ore=1)),
        Monopoly(CEM, "ore", losses={ANN: 1}),
        Monopoly(BOB, "wood", total=0),
        Correction(ANN, Cards(ore=-1)),
        Offer(BOB, Cards(wood=2), Cards(ore=1)),
    ],
    ids=lambda event: event.text(["Ann", "Bob", "Cem"]),
)
def test_who_shows_the_ore_has_stolen_it(shown):
    known = worked_out(BOB_HAS, Steal(ANN, BOB), shown)
    assert known.odds(0) == of(ore=(1, 1))
    assert known.settled_by == {0: 2}


@pytest.mark.parametrize(
    "said",
    [
        Decline(ANN, BOB),
        HandCount(ANN, 1),
        BankCount({"wood": 17, "ore": 18, "sheep": 19}),
        Monopoly(CEM, "ore", total=1),
        Monopoly(CEM, "ore"),
        Gain(ANN, Cards(ore=1)),
        Discard(ANN, count=0),
        EndTurn(ANN),
    ],
    ids=lambda event: event.text(["Ann", "Bob", "Cem"]),
)
def test_what_both_worlds_allow_alike_proves_nothing(said):
    assert worked_out(BOB_HAS, Steal(ANN, BOB), said).odds(0) == of(wood=(2, 3), ore=(1, 3))


@pytest.mark.parametrize(
    "event",
    [
        Steal(BOB, ANN),
        Steal(ANN, BOB, "brick"),
        Build(BOB, "road"),
        BuyDevCard(BOB),
        BankTrade(BOB, Cards(wood=4), Cards(ore=1)),
        PlayerTrade(ANN, BOB, Cards(ore=1), Cards(wood=1)),
        PlayerTrade(BOB, ANN, Cards(wood=1), Cards(ore=1)),
        Offer(BOB, Cards(wood=3), Cards()),
        Discard(BOB, Cards(ore=2)),
        Discard(BOB, count=4),
        Monopoly(ANN, "wood", total=1),
        Monopoly(ANN, "wood", losses={BOB: 1}),
        Monopoly(ANN, "wood", losses={BOB: 2, CEM: 1}),
        Monopoly(ANN, "wood", losses={}),
        HandCount(BOB, 2),
        HandSeen(BOB, Cards(wood=3)),
        BankCount({"wood": 16}),
        Correction(BOB, Cards(ore=-2)),
        Gain(CEM, Cards(wood=18)),
        Roll(ANN, 8, {ANN: Cards(wood=9), CEM: Cards(wood=9)}),
        YearOfPlenty(ANN, Cards(ore=19)),
    ],
    ids=lambda event: event.text(["Ann", "Bob", "Cem"]),
)
def test_what_nobody_can_do_is_refused(event):
    refused(BOB_HAS, event)


def test_a_hidden_discard_takes_any_cards_alike():
    # 2 of 3 wood and 2 ore: C(3,2) = 3, 3 * 2 = 6 and C(2,2) = 1 of C(5,2) = 10 ways.
    start = StartingResources(BOB, Cards(wood=3, ore=2)), Discard(BOB, count=2)
    assert worked_out(*start).marginal(BOB, "wood") == {1: Fraction(3, 10), 2: Fraction(6, 10), 3: Fraction(1, 10)}
    assert worked_out(*start, BankCount({"ore": 18})).marginal(BOB, "wood") == {2: Fraction(1)}
    # Which one of the rest is stolen: wood in (1*3 + 2*6 + 3*1) / 30 = 6/10.
    assert worked_out(*start, Steal(ANN, BOB)).odds(0) == of(wood=(3, 5), ore=(2, 5))


def test_a_card_that_is_seen_later_weighs_by_its_chance():
    # Ann has wood, and steals wood or ore, 1/2 each. That Cem then takes wood of her has chance 1 or 1/2: 2/3 to 1/3.
    start = StartingResources(ANN, Cards(wood=1)), StartingResources(BOB, Cards(wood=1, ore=1)), Steal(ANN, BOB)
    assert worked_out(*start, Steal(CEM, ANN, "wood")).odds(0) == of(wood=(2, 3), ore=(1, 3))
    assert worked_out(*start, Steal(CEM, ANN, "ore")).odds(0) == of(ore=(1, 1))


def test_the_bank_has_nineteen_of_each():
    # Bob has 18 wood and 2 ore and discards one card, wood with chance 18/20. Only then the bank has 2 wood for Cem.
    start = StartingResources(BOB, Cards(wood=18, ore=2)), Discard(BOB, count=1)
    assert worked_out(*start).marginal(BOB, "ore") == {1: Fraction(1, 10), 2: Fraction(9, 10)}
    for gain in (
        Gain(CEM, Cards(wood=2)),
        YearOfPlenty(CEM, Cards(wood=2)),
        Roll(ANN, 6, {ANN: (1, 0, 0, 0, 0), CEM: (1, 0, 0, 0, 0)}),
    ):
        assert worked_out(*start, gain).marginal(BOB, "ore") == {2: Fraction(1)}
    refused(*start, Gain(CEM, Cards(wood=3)))


def test_a_monopoly_of_which_nothing_is_said_leaves_the_sizes_open():
    # Bob has 1 wood and 1 ore and loses one, 1/2 each, to Ann; then Cem takes all wood, wherever it is.
    known = worked_out(StartingResources(BOB, Cards(wood=1, ore=1)), Steal(ANN, BOB), Monopoly(CEM, "wood"))
    assert known.total(ANN) == known.total(BOB) == {0: Fraction(1, 2), 1: Fraction(1, 2)}
    assert known.total(CEM) == {1: Fraction(1)}
    assert known.next_stolen(BOB) == of(ore=(1, 1))


# --- hundreds of random logs (`benchmarks/prove_tracker.py` proves thousands) -------------------------------


def test_posteriors_of_short_logs():
    tally = prove("posteriors", range(LOGS))
    assert tally.logs > 3 * LOGS  # a spectator and 2 to 4 seats
    assert tally.steals > 4 * LOGS
    assert tally.most_merged > 100  # histories that end in the same hands


def test_posteriors_of_real_games():
    tally = prove("real games", range(ENGINE_LOGS))
    assert tally.steals > tally.logs


def test_refusals_of_wild_events():
    tally = prove("refusals", range(WILD_LOGS))
    assert tally.refused > 10 * WILD_LOGS


def test_short_logs_are_possible_and_rich():
    kinds: dict[str, int] = {}
    for index in range(100):
        log = short_log(index)
        assert log == short_log(index)
        reference = Reference(log.players, log.victory_points)
        for event in log.events:  # with nothing hidden there is one history
            reference.process(event)
            kinds[event.kind] = kinds.get(event.kind, 0) + 1
        (hands,) = reference.worlds()
        assert min(bank_of(hands)) >= 0
    assert set(kinds) == {*EVENTS} - {"unknown_cards"}
    assert kinds["steal"] > 300
