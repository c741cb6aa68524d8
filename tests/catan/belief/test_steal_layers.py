"""Steals: what each one took, however the worlds were merged after it, and what happens when somebody knows it."""

from fractions import Fraction

import pytest

from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.core.events import Build, Cards, EndTurn, Event, Gain, Offer, StartingResources, Steal
from tests.catan.belief.brute import Reference
from tests.catan.belief.proof import Tally, answers, check_everything, check_refused, check_same, prove

ANN, BOB, CEM = range(3)
LOGS = 60


def both(*events: Event) -> tuple[HandTracker, Reference]:
    """The tracker and the reference, which agree all the way."""
    tracker, reference = HandTracker(3), Reference(3)
    for event in events:
        tracker.process(event)
        reference.process(event)
        check_everything(tracker, reference, Tally())
    return tracker, reference


BOB_HAS = StartingResources(BOB, Cards(wood=1, ore=1))
THERE_AND_BACK = BOB_HAS, Steal(ANN, BOB), Steal(BOB, ANN)


def test_one_world_remembers_both_cards_of_a_steal_and_its_return():
    # Whatever Ann took came back: one world, and either card with chance 1/2, the same one both times.
    tracker, reference = both(*THERE_AND_BACK)
    assert tracker.world_count == 1
    assert reference.histories() == {
        ((card, card), (Cards(), Cards(wood=1, ore=1), Cards())): Fraction(1, 2) for card in ("wood", "ore")
    }
    first, second = (steal.id for steal in tracker.steals)
    (world,) = tracker.worlds()
    assert [steal for steal, _ in tracker.chain(world)] == [first, second]


@pytest.mark.parametrize(("known", "follows"), [(0, 1), (1, 0)])
def test_who_knows_one_of_the_two_knows_the_other(known, follows):
    tracker, reference = both(*THERE_AND_BACK)
    before = answers(tracker)
    tracker.resolve(tracker.steals[known].id, "wood")
    reference.resolve(known, "wood")
    check_everything(tracker, reference, Tally())
    assert [steal.resolved for steal in tracker.steals] == ["wood", "wood"]
    assert [steal.by_hand for steal in tracker.steals] == [known == 0, known == 1]
    check_refused(tracker, lambda: tracker.resolve(tracker.steals[follows].id, "ore"), ValueError)
    tracker.unresolve(tracker.steals[known].id)
    assert answers(tracker) == before


def test_a_later_event_settles_an_old_steal_behind_merged_worlds():
    # Ann takes one of two cards, Bob takes one of hers; then Ann shows ore.
    tracker, reference = both(
        StartingResources(ANN, Cards(wood=1)),
        BOB_HAS,
        Steal(ANN, BOB),
        Steal(BOB, ANN),
        Gain(CEM, Cards(sheep=1)),
        Offer(ANN, Cards(ore=1), Cards()),
    )
    # She has kept the ore, so she took it, and Bob took wood.
    assert [steal.resolved for steal in tracker.steals] == ["ore", "wood"]
    assert [steal.resolved_by for steal in tracker.steals] == [5, 5]
    assert reference.settled_by == {0: 5, 1: 5}


def test_a_resolution_counts_for_what_follows():
    tracker, reference = both(BOB_HAS, Steal(ANN, BOB))
    tracker.resolve(tracker.steals[0].id, "wood")
    reference.resolve(0, "wood")
    check_refused(tracker, lambda: tracker.process(Offer(ANN, Cards(ore=1), Cards())))
    for event in (Steal(CEM, ANN), EndTurn(ANN), Steal(BOB, CEM)):
        tracker.process(event)
        reference.process(event)
        check_everything(tracker, reference, Tally())
    assert [steal.resolved for steal in tracker.steals] == ["wood"] * 3
    plain, _ = both(BOB_HAS, Steal(ANN, BOB), Steal(CEM, ANN), EndTurn(ANN), Steal(BOB, CEM))
    tracker.unresolve(tracker.steals[0].id)
    check_same(tracker, plain)


def test_what_an_event_proves_meanwhile_counts_from_that_event():
    tracker, reference = both(BOB_HAS, Steal(ANN, BOB))
    tracker.resolve(tracker.steals[0].id, "ore")
    for event in (Offer(ANN, Cards(ore=1), Cards()), EndTurn(ANN)):
        tracker.process(event)
        reference.process(event)
    tracker.unresolve(tracker.steals[0].id)
    check_everything(tracker, reference, Tally())
    assert (tracker.steals[0].resolved, tracker.steals[0].resolved_by) == ("ore", 2)


def test_a_card_that_cannot_have_been_stolen_is_refused():
    tracker, reference = both(BOB_HAS, Steal(ANN, BOB), Gain(BOB, Cards(brick=1, wood=1)), Build(BOB, "road"))
    for resource in ("sheep", "brick"):
        check_refused(tracker, lambda resource=resource: tracker.resolve(tracker.steals[0].id, resource), ValueError)
    check_everything(tracker, reference, Tally())


def test_steals_of_the_same_pair_in_one_turn_have_names_of_their_own():
    tracker, _ = both(StartingResources(BOB, Cards(wood=3, ore=3)), *[Steal(ANN, BOB)] * 3, EndTurn(ANN), Steal(ANN, BOB))
    names = [steal.id for steal in tracker.steals]
    assert names == ["s2", "s3", "s4", "s6"]
    turns = [steal.turn for steal in tracker.steals]
    assert turns == [turns[0]] * 3 + [turns[0] + 1]


def test_resolutions_of_short_logs():
    tally = prove("resolutions", range(LOGS))
    assert tally.resolved > LOGS // 2
    assert tally.refused > LOGS // 2
