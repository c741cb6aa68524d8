"""The hand tracker as a user knows it: what each event proves, steals and what resolves them, memory, and whole games."""

import json
import pickle
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import comb, log
from typing import Any

import pytest

from kibitz.belief.pieces import Rule
from kibitz.catan import Board, Rules
from kibitz.catan.belief import evidence
from kibitz.catan.belief.dev_cards import KNIGHT, VICTORY_POINT, DevCards, ImpossibleCards
from kibitz.catan.belief.evidence import COSTS
from kibitz.catan.belief.hands import Contradiction, HandTracker, Marginal
from kibitz.catan.core.events import (
    Accept,
    Award,
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
    InvalidEvent,
    Monopoly,
    MoveRobber,
    Offer,
    PlayDevCard,
    PlayerTrade,
    Roll,
    StartingResources,
    Steal,
    UnknownCards,
    Win,
    YearOfPlenty,
)
from kibitz.catan.core.record import Record, simulate
from kibitz.catan.core.transcript import events_of
from tests.catan.belief.brute import Hands, Leaf, leaves_after

NAMES = ["Ann", "Bob", "Cem"]
ANN, BOB, CEM = range(3)
RESOURCES = Cards._fields
plain = pytest.mark.plain


def tracked(*events: Event, players: list[str] | int = NAMES, **options: Any) -> HandTracker:
    tracker = HandTracker(players, **options)
    tracker.process_all(events)
    tracker.check()
    return tracker


def robbed(**hand: int) -> HandTracker:
    """Bob robs Ann, who held these cards; nobody sees which he got."""
    return tracked(Gain(ANN, hand), Steal(BOB, ANN))


def worlds(tracker: HandTracker, *seats: int) -> dict[tuple[Cards, ...], float]:
    return {tuple(world.hands[seat] for seat in seats): world.probability for world in tracker.worlds()}


def approx(expected: dict) -> dict:
    return pytest.approx(expected, abs=1e-12)


def everything(tracker: HandTracker) -> list[Any]:
    """All that a tracker says, to the last bit."""
    players = range(len(tracker.names))
    found = tracker.worlds()
    return [
        found,
        [tracker.chain(world) for world in found],
        [(tracker.marginals(p), tracker.total(p), tracker.hand(p), tracker.confidence(p)) for p in players],
        tracker.bank(),
        tracker.steals,
        [(tracker.dev_cards(p), tracker.hidden_points(p), tracker.wins_now(p), tracker.visible_points(p)) for p in players],
        tracker.events,
        tracker.turn,
        tracker.repairs,
        (tracker.error_bound, tracker.approximate),
        tracker.snapshot(),
    ]


def refused(tracker: HandTracker, event: Event) -> Contradiction:
    """The event is refused, and the tracker is as it was."""
    before = everything(tracker)
    with pytest.raises(Contradiction) as caught:
        tracker.process(event)
    assert everything(tracker) == before
    tracker.check()
    return caught.value


# --- facts that trackers get wrong ----------------------------------------------------------------------------


@plain
def test_a_seen_steal_is_evidence_about_the_hand():
    """Cem is seen to draw a wood from Ann: a hand with more wood among its cards makes that likelier."""
    tracker = robbed(wood=1, brick=1)
    tracker.process(Gain(ANN, Cards(wood=2)))  # Ann: 2 wood 1 brick, or 3 wood
    tracker.process(Steal(CEM, ANN, "wood"))  # 2 of 3, or 3 of 3
    assert worlds(tracker, ANN) == approx({(Cards(wood=1, brick=1),): 2 / 5, (Cards(wood=2),): 3 / 5})
    assert tracker.steals[0].odds == approx({"wood": 2 / 5, "brick": 3 / 5})


@plain
def test_figures_are_plain_values():
    tracker = robbed(wood=3, ore=1)
    tracker.process(Offer(BOB, Cards(ore=1), Cards()))
    assert type(tracker.approximate) is bool
    assert type(tracker.error_bound) is float
    assert type(tracker.can_afford(ANN, "road")) is float


@plain
def test_the_mass_of_refuted_worlds_is_shared_over_all_others():
    tracker = robbed(wood=3, brick=2, ore=1)
    tracker.process(Offer(ANN, Cards(wood=3), Cards()))
    assert tracker.steals[0].odds == approx({"brick": 2 / 3, "ore": 1 / 3})
    assert sum(world.probability for world in tracker.worlds()) == pytest.approx(1, abs=1e-12)


@plain
def test_a_monopoly_proves_that_each_victim_had_exactly_what_he_gave():
    tracker = robbed(wood=2, ore=1)
    tracker.process(Monopoly(CEM, "wood", 2, {ANN: 2, BOB: 0}))
    assert tracker.steals[0].resolved == "ore"
    assert [tracker.hand(p) for p in (ANN, BOB, CEM)] == [Cards(), Cards(ore=1), Cards(wood=2)]
    tracker = robbed(wood=2, ore=1)
    tracker.process(Monopoly(CEM, "wood", losses={ANN: 1, BOB: 1}))
    assert tracker.steals[0].resolved == "wood"
    for losses in ({ANN: 1}, {}):  # fewer than she has: impossible, although she holds at least so many
        refused(tracked(Gain(ANN, Cards(wood=2))), Monopoly(CEM, "wood", losses=losses))


@plain
def test_the_total_of_a_monopoly_is_an_equality_too():
    tracker = tracked(Gain(ANN, Cards(wood=1, ore=1)), Gain(BOB, Cards(wood=2)), Steal(CEM, ANN))
    tracker.process(Monopoly(CEM, "wood", 2))  # so Cem had the third wood already
    assert tracker.steals[0].resolved == "wood"
    assert tracker.hand(CEM) == Cards(wood=3)
    refused(tracked(Gain(ANN, Cards(wood=2))), Monopoly(CEM, "wood", 1))


@plain
def test_a_monopoly_without_numbers_takes_all_and_proves_nothing():
    tracker = robbed(wood=1, ore=1)
    tracker.process(Monopoly(CEM, "wood"))
    assert tracker.steals[0].odds == approx({"wood": 1 / 2, "ore": 1 / 2})
    assert tracker.hand(CEM) == Cards(wood=1)
    assert tracker.marginal(ANN, "wood").max == tracker.marginal(BOB, "wood").max == 0


@plain
@pytest.mark.parametrize(
    "event",
    [
        Offer(BOB, Cards(ore=1), Cards(sheep=1)),
        CounterOffer(BOB, CEM, Cards(ore=1), Cards(sheep=1)),
        Accept(BOB, CEM, Cards(ore=1), Cards(sheep=1)),
    ],
    ids=lambda event: event.kind,
)
def test_who_offers_or_accepts_holds_what_would_be_given(event):
    tracker = robbed(wood=3, ore=1)
    tracker.process(event)
    assert tracker.steals[0].resolved == "ore"
    assert tracker.hand(BOB) == Cards(ore=1)  # and nothing has moved


@plain
def test_a_declined_offer_proves_nothing():
    tracker = robbed(wood=3, ore=1)
    before = worlds(tracker, ANN, BOB, CEM)
    tracker.process(Decline(BOB, CEM))
    assert worlds(tracker, ANN, BOB, CEM) == before


IMPOSSIBLE = [
    (Build(BOB, "city"), BOB, "at least 2 wheat with Bob, at least 3 ore with Bob"),
    (BuyDevCard(CEM), CEM, "at least 1 sheep with Cem, at least 1 wheat with Cem, at least 1 ore with Cem"),
    (BankTrade(ANN, Cards(ore=4), Cards(wood=1)), ANN, "at least 4 ore with Ann"),
    (PlayerTrade(ANN, CEM, Cards(wood=1), Cards(sheep=1)), CEM, "at least 1 sheep with Cem"),
    (Offer(CEM, Cards(brick=1), Cards()), CEM, "at least 1 brick with Cem"),
    (Steal(ANN, CEM), CEM, "at least 1 card with Cem"),
    (Steal(CEM, BOB, "sheep"), BOB, "at least 1 sheep with Bob"),
    (Discard(ANN, Cards(sheep=1)), ANN, "at least 1 sheep with Ann"),
    (Discard(ANN, count=4), ANN, "at least 4 cards with Ann"),
    (HandCount(BOB, 2), BOB, "2 cards with Bob"),
    (HandSeen(BOB, Cards()), BOB, "0 wood with Bob"),
    (Monopoly(CEM, "wood", losses={ANN: 4}), ANN, "4 wood with Ann"),
    (Monopoly(CEM, "wood", 1), None, "1 wood with Ann and Bob"),
    (BankCount({"wood": 19}), None, "19 wood in the bank"),
    (Gain(CEM, Cards(wood=18)), None, "at least 18 wood in the bank"),
    (YearOfPlenty(CEM, Cards(wood=17)), None, "at least 17 wood in the bank"),
    (Correction(CEM, Cards(ore=-1)), CEM, "at least 1 ore with Cem"),
    (PlayDevCard(ANN, "knight"), ANN, "a knight that was bought before this turn"),
]


@plain
@pytest.mark.parametrize(("event", "player", "needed"), IMPOSSIBLE, ids=[event.text(NAMES) for event, *_ in IMPOSSIBLE])
def test_a_contradiction_names_the_event_and_changes_nothing(event, player, needed):
    tracker = robbed(wood=3, brick=1)
    tracker.process(EndTurn(BOB))
    if isinstance(event, HandSeen):
        tracker.process(Offer(BOB, Cards(wood=1), Cards()))
    error = refused(tracker, event)
    assert (error.index, error.event, error.player) == (len(tracker.events), event, player)
    assert error.needed.startswith(needed)
    assert str(error).startswith(f"event {len(tracker.events) + 1} ({event.text(NAMES)}) is impossible: it needs {needed}")
    assert error.possible in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@plain
def test_a_contradiction_says_what_is_possible():
    error = refused(robbed(wood=3, brick=1), Offer(ANN, Cards(wood=4), Cards()))
    assert (error.needed, error.possible) == ("at least 4 wood with Ann", "2 to 3 wood")


@plain
def test_cards_that_are_possible_alone_but_not_together_are_refused():
    error = refused(robbed(wood=1, brick=1), Build(ANN, "road"))
    assert (error.needed, error.possible) == ("all of it at once", "only one or the other")


@plain
def test_events_of_seats_that_do_not_exist_are_refused():
    tracker = robbed(wood=1)
    before = everything(tracker)
    for event in (Roll(3, 8), Steal(0, 5), Steal(1, 1)):
        with pytest.raises(InvalidEvent):
            tracker.process(event)
        assert everything(tracker) == before


# --- the variant tree's example -------------------------------------------------------------------------------


@plain
def test_three_steals_in_a_chain_keep_all_ids_and_every_world_knows_its_chain():
    """Alice robs Bob, Bob robs Alice, Charlie robs Bob."""
    alice, bob, charlie = range(3)
    tracker = tracked(
        Gain(alice, Cards(sheep=1)),
        Gain(bob, Cards(wood=1, ore=1)),
        Steal(alice, bob),
        Steal(bob, alice),
        Steal(charlie, bob),
        players=["Alice", "Bob", "Charlie"],
    )
    ids = [steal.id for steal in tracker.steals]
    assert ids == ["s3", "s4", "s5"]
    assert [(steal.thief, steal.victim, steal.event) for steal in tracker.steals] == [(0, 1, 2), (1, 0, 3), (2, 1, 4)]
    # Bob keeps one card of two after the first; then he takes the sheep or his own card back (evenly)
    first, second, third = (steal.odds for steal in tracker.steals)
    assert first == approx({"wood": 1 / 2, "ore": 1 / 2})
    assert second == approx({"sheep": 1 / 2, "wood": 1 / 4, "ore": 1 / 4})
    assert third == approx({"wood": 3 / 8, "ore": 3 / 8, "sheep": 1 / 4})
    for world in tracker.worlds():
        chain = tracker.chain(world)
        assert [id for id, _ in chain] == ids
        assert chain[2][1] == dict.fromkeys(world.hands[charlie].as_dict(), 1.0)
        for id, odds in chain:
            assert sum(odds.values()) == pytest.approx(1)
            for resource, p in odds.items():
                carried = {found.hands: both for found, both in tracker.carriers(id, resource)}
                assert carried[world.hands] == pytest.approx(p * world.probability)
    # Charlie shows a sheep: the second steal was it, the first is still open
    tracker.process(Offer(charlie, Cards(sheep=1), Cards()))
    assert [steal.resolved for steal in tracker.steals] == [None, "sheep", "sheep"]
    assert [steal.resolved_by for steal in tracker.steals] == [None, 5, 5]
    assert tracker.steals[0].odds == approx({"wood": 1 / 2, "ore": 1 / 2})
    tracker.process(Offer(alice, Cards(ore=1), Cards()))
    assert (tracker.steals[0].resolved, tracker.steals[0].resolved_by) == ("ore", 6)
    assert tracker.world_count == 1


# --- the card tracker's example and methods -------------------------------------------------------------------


@plain
def test_a_build_resolves_an_earlier_steal():
    tracker = robbed(wood=2, brick=2, ore=1)
    assert tracker.world_count == 3
    tracker.process(Build(ANN, "road"))
    assert tracker.steals[0].resolved is None
    tracker.process(Build(ANN, "road"))
    assert (tracker.steals[0].resolved, tracker.steals[0].resolved_by) == ("ore", 3)
    assert (tracker.hand(ANN), tracker.hand(BOB)) == (Cards(), Cards(ore=1))


@plain
@pytest.mark.parametrize(
    ("event", "ann", "bob"),
    [
        (Roll(CEM, 8, {ANN: {"wood": 1}, BOB: {"ore": 2}}), Cards(4, 4, 4, 4, 3), Cards(1, 1, 1, 1, 3)),
        (StartingResources(ANN, {"wood": 1}), Cards(4, 4, 4, 4, 3), None),
        (Build(ANN, "road"), Cards(2, 3, 4, 4, 3), None),
        (Build(ANN, "settlement"), Cards(2, 3, 3, 3, 3), None),
        (Build(ANN, "city"), Cards(3, 4, 4, 2), None),
        (Build(ANN, "city", free=True), Cards(3, 4, 4, 4, 3), None),
        (BuyDevCard(ANN), Cards(3, 4, 3, 3, 2), None),
        (BankTrade(ANN, {"brick": 4}, {"ore": 1}), Cards(3, 0, 4, 4, 4), None),
        (PlayerTrade(ANN, BOB, {"wood": 1}, {"sheep": 1}), Cards(2, 4, 5, 4, 3), Cards(2, 1, 0, 1, 1)),
        (Steal(BOB, ANN, "wheat"), Cards(3, 4, 4, 3, 3), Cards(1, 1, 1, 2, 1)),
        (Discard(ANN, {"wood": 2}), Cards(1, 4, 4, 4, 3), None),
        (Discard(ANN, count=18), Cards(), None),
        (Discard(ANN, count=0), Cards(3, 4, 4, 4, 3), None),
        (Monopoly(ANN, "ore", losses={BOB: 1}), Cards(3, 4, 4, 4, 4), Cards(1, 1, 1, 1)),
        (YearOfPlenty(ANN, {"wood": 1, "brick": 1}), Cards(4, 5, 4, 4, 3), None),
        (Correction(ANN, {"wood": -1, "ore": 2}), Cards(2, 4, 4, 4, 5), None),
        (MoveRobber(ANN, 3), Cards(3, 4, 4, 4, 3), None),
        (Award(ANN, "longest_road"), Cards(3, 4, 4, 4, 3), None),
        (Win(ANN), Cards(3, 4, 4, 4, 3), None),
    ],
    ids=lambda value: value.text(NAMES) if isinstance(value, Event) else "",
)
def test_every_event_changes_the_hands_as_the_rules_say(event, ann, bob):
    tracker = tracked(Gain(ANN, Cards(3, 4, 4, 4, 3)), Gain(BOB, Cards(1, 1, 1, 1, 1)))
    tracker.process(event)
    assert (tracker.hand("Ann"), tracker.hand("Bob")) == (ann, bob or Cards(1, 1, 1, 1, 1))
    tracker.check()


@plain
def test_the_bank_is_evidence_about_all_hands():
    """Somebody discards two unknown cards; the bank tells which."""
    tracker = tracked(Gain(ANN, Cards(wood=2, ore=2)), Discard(ANN, count=2))
    assert tracker.world_count == 3
    assert tracker.bank()["ore"].distribution == approx({17: 1 / 6, 18: 4 / 6, 19: 1 / 6})
    tracker.set_bank({"ore": 18})
    assert tracker.hand(ANN) == Cards(wood=1, ore=1)
    assert tracker.events[-1] == BankCount({"ore": 18})


@plain
def test_the_size_of_a_hand_is_evidence():
    tracker = robbed(wood=1, ore=1)
    tracker.process(Monopoly(CEM, "wood"))  # from Ann or from Bob: one of them holds nothing now
    assert tracker.total("Ann").distribution == approx({0: 1 / 2, 1: 1 / 2})
    tracker.set_card_count("Ann", 0)
    assert tracker.hand("Bob") == Cards(ore=1)
    assert tracker.steals[0].resolved == "ore"
    assert tracker.events[-1] == HandCount(ANN, 0)


@plain
def test_marginals_are_whole_distributions_with_mean_limits_and_ladder():
    tracker = robbed(wood=3, brick=2, ore=1)
    found = tracker.marginals("Ann")
    assert list(found) == list(RESOURCES)
    wood = found["wood"]
    assert wood == tracker.marginal("Ann", "wood") == tracker.marginal(ANN, "wood")
    assert wood.distribution == approx({2: 1 / 2, 3: 1 / 2})
    assert (wood.expected, wood.min, wood.max, wood.most_likely) == (pytest.approx(2.5), 2, 3, 2)
    assert wood.at_least == pytest.approx((1, 1, 1, 1 / 2))
    assert (found["sheep"].distribution, found["sheep"].at_least) == (approx({0: 1.0}), (1.0,))
    total = tracker.total("Ann")
    assert (total.distribution, total.expected, total.min, total.max) == (approx({5: 1.0}), pytest.approx(5), 5, 5)
    assert wood != found["brick"]
    assert wood != 5
    assert repr(wood) == "Marginal(expected=2.50, min=2, max=3)"
    table = tracker.distributions()
    assert table.shape[:2] == (3, 5)
    assert table.sum(axis=2) == pytest.approx(1)


@plain
def test_the_bank_and_all_hands_are_the_whole_supply():
    tracker = robbed(wood=3, ore=1)
    assert {name: marginal.expected for name, marginal in tracker.bank().items()} == approx(
        {"wood": 16.0, "brick": 19.0, "sheep": 19.0, "wheat": 19.0, "ore": 18.0}
    )
    assert tracked(players=6).bank()["wood"].distribution == {24: 1.0}
    assert tracked(players=2).bank()["wood"].distribution == {19: 1.0}


@plain
def test_confidence_is_one_less_the_entropy_over_its_maximum():
    tracker = robbed(wood=3, ore=1)
    entropy = -(3 / 4 * log(3 / 4) + 1 / 4 * log(1 / 4))
    assert tracker.confidence("Ann") == pytest.approx(1 - entropy / log(comb(3 + 4, 4)))  # hands of 3 cards
    assert tracker.confidence("Bob") == pytest.approx(1 - entropy / log(5))  # hands of 1 card
    assert tracker.confidence("Cem") == 1.0  # the empty hand


@plain
def test_confidence_counts_only_the_hands_that_the_supply_allows():
    """Of 20 cards no 20 can be of one kind: the five such hands do not count."""
    hand = Cards(wood=19, ore=2)
    tracker = tracked(Gain(ANN, hand), Steal(BOB, ANN))
    entropy = -(19 / 21 * log(19 / 21) + 2 / 21 * log(2 / 21))
    assert tracker.confidence("Ann") == pytest.approx(1 - entropy / log(comb(24, 4) - 5))


@plain
def test_confidence_is_one_when_only_one_hand_is_possible():
    tracker = robbed(wood=3, ore=1)
    tracker.process(Offer(BOB, Cards(ore=1), Cards()))
    assert [tracker.confidence(p) for p in NAMES] == [1.0, 1.0, 1.0]


@plain
def test_the_options_of_the_card_tracker_are_off_by_default():
    tracker = HandTracker(4)
    assert (tracker.config.max_worlds, tracker.config.prune_threshold) == (None, 0.0)
    assert tracker.names == ("Player 1", "Player 2", "Player 3", "Player 4")
    few = tracked(Gain(0, Cards(4, 3, 2, 1)), Steal(1, 0), players=4, max_worlds=2)
    assert (few.world_count, few.error_bound, few.approximate) == (2, pytest.approx(0.3), True)
    likely = tracked(Gain(0, Cards(4, 3, 2, 1)), Steal(1, 0), players=4, prune_threshold=0.15)
    assert (likely.world_count, likely.error_bound, likely.approximate) == (3, pytest.approx(0.1), True)


@plain
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": 1}, "players 1: expected 2 to 6"),
        ({"players": 7}, "players 7: expected 2 to 6"),
        ({"players": ["Ann", "Ann"]}, "with different names"),
        ({"players": 3, "observer": 3}, "observer 3: expected None or a seat from 0 to 2"),
        ({"players": 3, "on_contradiction": "panic"}, "on_contradiction='panic': expected 'raise' or 'repair'"),
        ({"players": 3, "hidden_discards": "dice"}, "hidden_discards='dice': expected 'cards' or 'bundles'"),
        ({"players": 3, "max_worlds": 0}, "max_worlds=0: expected a whole number from 1 to 1000000000"),
        ({"players": 3, "memory": None}, "memory=None: expected a whole number from 1 to"),
        ({"players": 3, "victory_points": 21}, "victory_points=21: expected a whole number from 3 to 20"),
        ({"players": 3, "prune_threshold": 1}, "prune_threshold=1: expected a probability below 1"),
        ({"players": 3, "prune_threshold": -0.1}, "prune_threshold=-0.1"),
    ],
    ids=str,
)
def test_wrong_options_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        HandTracker(**arguments)


@plain
def test_a_hidden_discard_is_any_cards_or_any_bundle():
    events = [Gain(ANN, Cards(wood=3, ore=1)), Discard(ANN, count=2)]
    by_card, by_bundle = tracked(*events), tracked(*events, hidden_discards="bundles")
    assert by_card.marginal(ANN, "ore").distribution == approx({0: 1 / 2, 1: 1 / 2})  # 3 of 6 pairs hold the ore
    assert by_bundle.marginal(ANN, "ore").distribution == approx({0: 1 / 2, 1: 1 / 2})  # 1 of 2 bundles does
    events = [Gain(ANN, Cards(wood=3, ore=1)), Discard(ANN, count=1)]
    by_card, by_bundle = tracked(*events), tracked(*events, hidden_discards="bundles")
    assert by_card.marginal(ANN, "ore").distribution == approx({0: 1 / 4, 1: 3 / 4})
    assert by_bundle.marginal(ANN, "ore").distribution == approx({0: 1 / 2, 1: 1 / 2})
    assert HandTracker.restore(by_bundle.snapshot()).worlds() == by_bundle.worlds()


# --- questions ------------------------------------------------------------------------------------------------


@plain
def test_worlds_are_listed_the_most_likely_first():
    tracker = robbed(wood=3, brick=2, ore=1)
    found = tracker.worlds()
    assert [world.probability for world in found] == pytest.approx([1 / 2, 1 / 3, 1 / 6])
    assert found[0].hands == (Cards(wood=2, brick=2, ore=1), Cards(wood=1), Cards())
    assert tracker.worlds(2) == found[:2]
    assert tracker.world_count == len(found) == 3


@plain
def test_what_a_player_can_afford():
    tracker = robbed(wood=1, brick=3)
    assert tracker.can_afford("Ann", "road") == pytest.approx(3 / 4)
    assert tracker.can_afford("Bob", "road") == 0
    tracker.process(Gain(BOB, Cards(1, 0, 1, 2, 3)))
    assert tracker.can_afford(BOB, "settlement") == pytest.approx(3 / 4)
    assert tracker.can_afford(BOB, "city") == tracker.can_afford(BOB, "dev_card") == pytest.approx(1)
    with pytest.raises(ValueError, match="'castle': expected one of road, settlement, city, dev_card"):
        tracker.can_afford(BOB, "castle")


@plain
def test_what_a_steal_would_bring():
    tracker = robbed(wood=1, brick=1)
    tracker.process(Gain(ANN, Cards(wood=2)))  # Ann: 3 wood, or 2 wood and 1 brick
    assert tracker.steal_probabilities("Cem", "Ann") == approx(
        {"wood": 5 / 6, "brick": 1 / 6, "sheep": 0, "wheat": 0, "ore": 0}
    )
    assert tracker.steal_probabilities(ANN, CEM) == {}
    with pytest.raises(ValueError, match="Ann cannot rob Ann"):
        tracker.steal_probabilities("Ann", ANN)


@plain
def test_players_have_seats_and_names():
    tracker = HandTracker(NAMES)
    assert [tracker.seat(name) for name in NAMES] == [tracker.seat(seat) for seat in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="there is no player 'Dan'; the players are Ann, Bob, Cem"):
        tracker.seat("Dan")
    for seat in (-1, 3):
        with pytest.raises(ValueError, match=f"seat {seat}: expected 0 to 2"):
            tracker.seat(seat)
    with pytest.raises(ValueError, match="'gold': not a resource; these are wood, brick, sheep, wheat, ore"):
        tracker.marginal("Ann", "gold")


@plain
def test_samples_come_from_the_posterior():
    tracker = robbed(wood=3, ore=1)
    drawn = tracker.sample(400, seed=1)
    assert drawn == tracker.sample(400, seed=1) != tracker.sample(400, seed=2)
    assert set(drawn) == {world.hands for world in tracker.worlds()}
    assert abs(sum(hands[BOB].wood for hands in drawn) / 400 - 3 / 4) < 0.1
    assert [tuple(map(tuple, hands)) for hands in tracker.draw(400, seed=1).tolist()] == drawn


@plain
def test_samples_can_be_asked_to_agree_with_what_is_seen():
    tracker = robbed(wood=3, ore=1)
    given = HandSeen(ANN, Cards(wood=3)), BankCount({"ore": 18})
    assert {tuple(hands[BOB]) for hands in tracker.draw(30, given=given).tolist()} == {Cards(ore=1)}
    assert tracker.world_count == 2
    with pytest.raises(ValueError, match="no possible world has 2 cards with Bob; possible: 1 card"):
        tracker.draw(30, given=[HandCount(BOB, 2)])


@plain
def test_the_turn_counts_from_the_first_roll():
    tracker = tracked(Build(ANN, "road", free=True), StartingResources(ANN, Cards(wood=1)))
    assert tracker.turn == 0
    tracker.process_all([Roll(ANN, 8), EndTurn(ANN), Roll(BOB, 7), Steal(BOB, ANN)])
    assert tracker.turn == 2
    assert (tracker.steals[0].id, tracker.steals[0].turn) == ("s6", 2)


# --- steals ---------------------------------------------------------------------------------------------------


@plain
def test_ids_are_the_numbers_of_events_as_people_count_them():
    tracker = tracked(Gain(ANN, Cards(3, 3, 3)), Gain(BOB, Cards(3, 3, 3)))
    for turn in range(1, 4):
        tracker.process_all([Roll(CEM, 7), Steal(CEM, ANN), Steal(CEM, ANN), Steal(BOB, ANN, "wood"), EndTurn(CEM)])
        assert tracker.turn == turn + 1
    assert tracker_ids(tracker) == ["s4", "s5", "s9", "s10", "s14", "s15"]
    assert all(tracker.steal(id).id == id for id in tracker_ids(tracker))


def tracker_ids(tracker: HandTracker) -> list[str]:
    return [steal.id for steal in tracker.steals]


@plain
def test_a_steal_from_a_hand_of_one_kind_is_known_at_once():
    tracker = tracked(Gain(ANN, Cards(wood=2)), Steal(BOB, ANN))
    assert (tracker.steals[0].resolved, tracker.steals[0].resolved_by, tracker.world_count) == ("wood", 1, 1)


@plain
def test_a_steal_that_the_observer_saw_is_no_unknown_steal():
    assert tracked(Gain(ANN, Cards(wood=1, ore=1)), Steal(BOB, ANN, "ore"), observer=ANN).steals == []


@plain
def test_only_a_possible_world_has_a_chain():
    tracker = robbed(wood=3, ore=1)
    wood, ore = tracker.worlds()
    assert tracker.chain(ore) == [("s2", {"ore": 1.0})]
    tracker.process(Offer(BOB, Cards(wood=1), Cards()))
    assert tracker.chain(wood) == [("s2", {"wood": 1.0})]
    with pytest.raises(ValueError, match="is not possible now"):
        tracker.chain(ore)


@plain
def test_whoever_can_have_the_stolen_card_now_is_a_holder():
    """Bob robs Ann of wood or ore, Cem robs Bob, who also holds sheep."""
    tracker = tracked(Gain(ANN, Cards(wood=3, ore=1)), Gain(BOB, Cards(sheep=1)), Steal(BOB, ANN), Steal(CEM, BOB))
    assert tracker.holders("s3", "ore") == approx((0, 1 / 2, 1 / 2))
    assert tracker.holders("s3", "wood") == approx((1, 1 / 2, 1 / 2))
    assert tracker.holders("s3", "brick") == ()
    for steal in tracker.steals:
        for resource in steal.odds:
            worlds = [(world, both / steal.odds[resource]) for world, both in tracker.carriers(steal.id, resource)]
            held = (sum(p for world, p in worlds if resource in world.hands[seat].as_dict()) for seat in (ANN, BOB, CEM))
            assert tracker.holders(steal.id, resource) == approx(tuple(held))
    tracker.process(Offer(CEM, Cards(ore=1), Cards()))
    assert tracker.holders("s3", "ore") == (0.0, 0.0, 1.0)


@plain
def test_a_steal_can_be_resolved_by_hand_and_unresolved():
    tracker = robbed(wood=3, ore=1)
    before = everything(tracker)
    (id,) = tracker_ids(tracker)
    tracker.resolve(id, "ore")
    steal = tracker.steal(id)
    assert (steal.resolved, steal.odds, steal.by_hand, steal.resolved_by) == ("ore", {"ore": 1.0}, True, None)
    assert tracker.hand(BOB) == Cards(ore=1)
    assert tracker.world_count == len(tracker.worlds()) == 1
    assert tracker.confidence(BOB) == 1.0
    assert tracker.carriers(id, "wood") == []
    assert (tracker.holders(id, "ore"), tracker.holders(id, "wood")) == ((0.0, 1.0, 0.0), ())
    tracker.unresolve(id)
    assert everything(tracker) == before


@plain
def test_a_resolution_holds_for_what_comes_later():
    tracker = robbed(wood=3, ore=1)
    (id,) = tracker_ids(tracker)
    tracker.resolve(id, "ore")
    tracker.process(Steal(CEM, ANN))
    assert tracker.steals[1].odds == {"wood": 1.0}
    error = refused(tracker, Offer(ANN, Cards(ore=1), Cards()))
    assert "resolved by hand" in error.possible
    tracker.unresolve(id)
    tracker.process(Offer(ANN, Cards(ore=1), Cards()))
    assert tracker.steal(id).resolved == "wood"


@plain
def test_wrong_resolutions_are_refused():
    tracker = robbed(wood=3, ore=1)
    (id,) = tracker_ids(tracker)
    before = everything(tracker)
    for arguments, message in (
        ((id, "sheep"), f"steal {id} cannot have been sheep; possible: wood, ore"),
        ((id, "gold"), "'gold': not a resource"),
        (("s9", "ore"), f"there is no steal 's9'; these are {id}"),
    ):
        with pytest.raises(ValueError, match=message):
            tracker.resolve(*arguments)
    with pytest.raises(ValueError, match=f"steal {id} was not resolved by hand"):
        tracker.unresolve(id)
    with pytest.raises(ValueError, match="there is no steal 'x'"):
        tracker.unresolve("x")
    with pytest.raises(ValueError, match="these are none"):
        HandTracker(3).steal("x")
    assert everything(tracker) == before
    tracker.process(Offer(BOB, Cards(ore=1), Cards()))
    tracker.resolve(id, "ore")  # as it was proved
    with pytest.raises(ValueError, match=f"steal {id} was ore, as event 3 proved"):
        tracker.resolve(id, "wood")
    assert tracker.carriers(id, "wood") == []
    assert [p for _, p in tracker.carriers(id, "ore")] == [1.0]


# --- replay, undo, snapshot -----------------------------------------------------------------------------------

#: A little game with everything in it.
STORY: list[Event] = [
    Build(ANN, "settlement", free=True),
    StartingResources(ANN, Cards(wood=1, brick=1, ore=1)),
    StartingResources(BOB, Cards(sheep=1, wheat=1, ore=1)),
    Roll(ANN, 8, {ANN: Cards(wood=2), CEM: Cards(wheat=2, ore=1)}),
    EndTurn(ANN),
    Roll(BOB, 7),
    Discard(ANN, count=2),
    MoveRobber(BOB, 4),
    Steal(BOB, ANN),
    Steal(CEM, BOB),
    EndTurn(BOB),
    Roll(CEM, 6, {CEM: Cards(sheep=2), BOB: Cards(sheep=1, wheat=1, ore=1)}),
    BuyDevCard(CEM),
    Award(CEM, "longest_road"),
    EndTurn(CEM),
    Roll(ANN, 10, {ANN: Cards(sheep=1, wheat=1, ore=1)}),
    BuyDevCard(ANN, "monopoly"),
    Steal(ANN, CEM, "ore"),
    Monopoly(ANN, "wheat"),
]


@plain
def test_the_same_events_give_the_same_tracker():
    assert everything(tracked(*STORY)) == everything(tracked(*STORY))


@plain
def test_undo_goes_back_step_by_step_to_the_start():
    tracker = HandTracker(NAMES)
    states = [everything(tracker)]
    for event in STORY:
        tracker.process(event)
        states.append(everything(tracker))
    for event in reversed(STORY):
        assert everything(tracker) == states.pop()
        assert tracker.undo() == event
    assert [everything(tracker)] == states
    with pytest.raises(ValueError, match="there is no event to undo"):
        tracker.undo()


@plain
def test_undo_keeps_what_was_resolved_by_hand():
    tracker = tracked(*STORY[:10])
    first, second = tracker_ids(tracker)
    tracker.resolve(first, "wood")
    tracker.resolve(second, "sheep")
    tracker.process(STORY[10])
    tracker.undo()
    assert [steal.by_hand for steal in tracker.steals] == [True, True]
    tracker.undo()  # the second steal itself
    assert [(steal.id, steal.by_hand, steal.resolved) for steal in tracker.steals] == [(first, True, "wood")]


@plain
@pytest.mark.parametrize(
    "options", [{}, {"observer": 1, "victory_points": 12, "max_worlds": 9, "prune_threshold": 1e-4}], ids=str
)
def test_a_snapshot_restores_everything(options):
    tracker = tracked(*STORY, **options)
    again = HandTracker.restore(json.loads(json.dumps(tracker.snapshot())))
    assert everything(again) == everything(tracker)
    assert (again.observer, again.config) == (tracker.observer, tracker.config)
    for one in (tracker, again):
        one.process(Steal(BOB, ANN))
    assert everything(again) == everything(tracker)


@plain
def test_a_snapshot_keeps_what_was_resolved_by_hand():
    tracker = tracked(*STORY[:10])
    tracker.resolve(tracker.steals[0].id, "wood")
    again = HandTracker.restore(json.loads(json.dumps(tracker.snapshot())))
    assert everything(again) == everything(tracker)
    again.unresolve(again.steals[0].id)
    assert everything(again) == everything(tracked(*STORY[:10]))


@plain
def test_a_snapshot_keeps_what_was_resolved_by_hand_and_proved_since():
    tracker = robbed(wood=1, brick=1)
    tracker.resolve(tracker.steals[0].id, "wood")
    tracker.process(Offer(BOB, Cards(wood=1), Cards()))
    assert everything(HandTracker.restore(tracker.snapshot())) == everything(tracker)


@plain
def test_a_snapshot_keeps_repairs():
    tracker = tracked(Gain(ANN, Cards(wood=1)), Build(ANN, "city"), Steal(BOB, ANN), on_contradiction="repair")
    assert tracker.repairs
    again = HandTracker.restore(json.loads(json.dumps(tracker.snapshot())))
    assert everything(again) == everything(tracker)


def damaged(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    snapshot = json.loads(json.dumps(tracked(*STORY).snapshot()))
    change(snapshot)
    return snapshot


DAMAGE = [
    lambda s: s.update(tracker="go"),
    lambda s: s.update(version=2),
    lambda s: s.update(players=["Ann"]),
    lambda s: s.update(players=None),
    lambda s: s.update(observer=7),
    lambda s: s.update(observer="Ann"),
    lambda s: s.update(victory_points="ten"),
    lambda s: s.update(on_contradiction=None),
    lambda s: s.update(max_worlds="many"),
    lambda s: s.update(prune_threshold=None),
    lambda s: s.update(events=None),
    lambda s: s.update(events=[5]),
    lambda s: s["events"].insert(0, {"event": "roll"}),
    lambda s: s["events"].insert(0, {"event": "steal", "player": 0, "victim": 1}),
    lambda s: s["events"].insert(0, {"event": "win", "player": 5}),
    lambda s: s.update(answers={}) or s.pop("tracker"),
    lambda s: s.update(answers=[[12, "s9"]]),
    lambda s: s.update(answers=[[12, "s9", "gold"]]),
    lambda s: s.update(answers=[None]),
    *(lambda s, name=name: s.pop(name) for name in HandTracker(2).snapshot()),
]


@plain
@pytest.mark.parametrize("change", DAMAGE, ids=range(len(DAMAGE)))
def test_a_damaged_snapshot_is_refused(change):
    with pytest.raises(ValueError, match=r"."):
        HandTracker.restore(damaged(change))


@plain
def test_a_snapshot_that_resolves_a_steal_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="there is no steal 's99'"):
        HandTracker.restore(damaged(lambda s: s.update(answers=[[99, "s99", "ore"]])))


@plain
@pytest.mark.parametrize("nothing", [None, [], "x", 5, {}], ids=str)
def test_what_is_no_snapshot_is_refused(nothing):
    with pytest.raises(ValueError, match="expected a snapshot"):
        HandTracker.restore(nothing)


@plain
@pytest.mark.parametrize(
    "change",
    [
        lambda s: s.update(players=[1, 2, 3]),
        lambda s: s.update(players="ABC"),
        lambda s: s.update(observer=0.5),
        lambda s: s.update(max_worlds=2.5, events=[]),
        lambda s: s.update(memory=None, events=[]),
    ],
    ids=range(5),
)
def test_a_snapshot_with_wrong_types_is_refused(change):
    with pytest.raises(ValueError, match=r"."):
        HandTracker.restore(damaged(change))


# --- development cards ----------------------------------------------------------------------------------------

PRICE = Cards(sheep=1, wheat=1, ore=1)


def bought(*seats: int, card: str | None = None) -> list[Event]:
    """Each buys a development card and ends the turn."""
    return [event for seat in seats for event in (Gain(seat, PRICE), BuyDevCard(seat, card), EndTurn(seat))]


@plain
def test_a_hidden_card_is_any_card_of_the_deck():
    tracker = tracked(*bought(ANN))
    assert tracker.dev_card_count("Ann") == 1
    found = {card: marginal.expected for card, marginal in tracker.dev_cards("Ann").items()}
    assert found == approx(
        {"knight": 14 / 25, "victory_point": 5 / 25, "road_building": 2 / 25, "year_of_plenty": 2 / 25, "monopoly": 2 / 25}
    )
    assert tracker.dev_cards("Bob")["knight"].distribution == {0: 1.0}


@plain
def test_the_deck_of_six_players_is_larger():
    tracker = tracked(*bought(0), players=6)
    assert tracker.dev_cards(0)["knight"].expected == pytest.approx(20 / 34)


@plain
def test_a_played_card_proves_that_it_was_held_and_nothing_else():
    tracker = tracked(*bought(ANN, ANN), PlayDevCard(ANN, "knight"))
    assert tracker.dev_card_count("Ann") == 1
    # of all pairs with a knight: two knights 14 * 13, one of each 2 * 14 * n
    pairs = {"knight": 14 * 13, "victory_point": 2 * 14 * 5, "road_building": 2 * 14 * 2}
    total = 14 * 13 + 2 * 14 * 11
    for card, ways in pairs.items():
        assert tracker.dev_cards("Ann")[card].expected == pytest.approx(ways / total)


@plain
def test_a_card_bought_this_turn_cannot_be_played():
    tracker = tracked(Gain(ANN, PRICE), BuyDevCard(ANN))
    error = refused(tracker, PlayDevCard(ANN, "knight"))
    assert (error.needed, error.possible) == (
        "a knight that was bought before this turn",
        "1 hidden card, none of which can be that",
    )
    tracker.process(EndTurn(ANN))
    tracker.process(PlayDevCard(ANN, "knight"))


@plain
def test_a_victory_point_bought_this_turn_may_be_shown():
    tracker = tracked(Gain(ANN, PRICE), BuyDevCard(ANN), PlayDevCard(ANN, "victory_point"))
    assert (tracker.dev_card_count(ANN), tracker.visible_points(ANN)) == (0, 1)


@plain
def test_own_purchases_are_known():
    tracker = tracked(*bought(ANN, card="victory_point"), *bought(BOB), observer=ANN)
    assert tracker.dev_cards("Ann")["victory_point"].distribution == {1: 1.0}
    assert tracker.dev_cards("Bob")["victory_point"].expected == pytest.approx(4 / 24)
    refused(tracker, PlayDevCard(ANN, "knight"))


@plain
def test_the_ladder_of_hidden_points():
    tracker = tracked(*bought(ANN, ANN))
    assert tracker.hidden_points("Ann")[:3] == pytest.approx((1, 1 - comb(20, 2) / comb(25, 2), comb(5, 2) / comb(25, 2)))
    assert sum(tracker.hidden_points("Ann")[3:]) == 0


@plain
def test_visible_points_come_from_buildings_awards_and_shown_cards():
    tracker = tracked(
        Build(ANN, "settlement", free=True),
        Build(ANN, "settlement", free=True),
        Build(ANN, "city", free=True),
        Build(BOB, "road", free=True),
        Award(ANN, "longest_road"),
        Award(BOB, "largest_army"),
    )
    assert [tracker.visible_points(p) for p in NAMES] == [5, 2, 0]
    tracker.process(Award(BOB, "longest_road"))
    assert [tracker.visible_points(p) for p in NAMES] == [3, 4, 0]
    tracker.process(Award(None, "longest_road"))
    assert [tracker.visible_points(p) for p in NAMES] == [3, 2, 0]


def at_nine_points() -> list[Event]:
    return [*[Build(ANN, "settlement", free=True) for _ in range(5)], *[Build(ANN, "city", free=True) for _ in range(4)]]


@plain
def test_a_player_at_nine_who_buys_a_card_may_have_won():
    tracker = tracked(*at_nine_points(), Gain(ANN, PRICE), BuyDevCard(ANN))
    assert tracker.visible_points("Ann") == 9
    assert tracker.wins_now("Ann") == pytest.approx(5 / 25)
    assert tracker.wins_now("Bob") == 0


@plain
def test_silence_at_nine_points_proves_that_no_point_is_hidden():
    tracker = tracked(*at_nine_points(), Gain(ANN, PRICE), BuyDevCard(ANN))
    tracker.process(EndTurn(ANN))
    assert tracker.hidden_points("Ann") == (1.0,)
    assert tracker.wins_now("Ann") == 0
    assert tracker.dev_cards("Ann")["knight"].expected == pytest.approx(14 / 20)
    tracker.process_all(bought(BOB))  # and all five points are somewhere else
    assert tracker.hidden_points("Bob")[1] == pytest.approx(5 / 24)


@plain
def test_silence_counts_from_where_the_points_of_the_table_are():
    tracker = tracked(*at_nine_points(), Gain(ANN, PRICE), BuyDevCard(ANN), EndTurn(ANN), victory_points=12)
    assert tracker.hidden_points("Ann")[1] == pytest.approx(5 / 25)
    assert tracker.wins_now("Ann") == 0


@plain
def test_a_player_with_enough_points_wins_for_sure():
    tracker = tracked(*at_nine_points(), Award(ANN, "longest_road"))
    assert tracker.wins_now("Ann") == 1.0
    assert refused(tracker, Roll(ANN, 8)).needed == "fewer visible points, for the game goes on"
    tracker.process(Win(ANN))


def test_the_deck_runs_out_and_everything_left_is_known():
    seats = [k % 3 for k in range(25)]
    tracker = HandTracker(NAMES)
    for seat in seats[:24]:
        tracker.process_all(bought(seat))
    tracker.process_all(bought(seats[24]))
    assert sum(tracker.dev_cards(p)["victory_point"].expected for p in NAMES) == pytest.approx(5)
    assert sum(tracker.dev_card_count(p) for p in NAMES) == 25
    tracker.process(Gain(BOB, PRICE))
    assert refused(tracker, BuyDevCard(BOB)).needed == "a card in the deck"


@plain
def test_two_cards_of_a_deck_of_two_exclude_each_other():
    cards = DevCards(players=2, deck=(1, 1, 0, 0, 0)).bought(0).bought(1).turn_ended()
    assert cards.distribution(0, KNIGHT).tolist() == pytest.approx([1 / 2, 1 / 2])
    assert cards.left == 0
    with pytest.raises(ImpossibleCards, match="a card in the deck"):
        cards.bought(0)
    cards = cards.played(0, KNIGHT)
    assert cards.distribution(1, VICTORY_POINT).tolist() == pytest.approx([0, 1])
    with pytest.raises(ImpossibleCards, match="a knight that was bought before this turn"):
        cards.played(1, KNIGHT)


@plain
def test_after_a_turn_no_card_is_new_whichever_point_was_shown():
    """The point may be the card of this turn or an older one: the other card is new in one case only."""
    cards = DevCards(players=2).bought(0).turn_ended().bought(0).played(0, VICTORY_POINT).turn_ended()
    assert {new for _, new in cards.ways[0]} == {(0, 0, 0, 0, 0)}
    assert cards.played(0, KNIGHT).size(0) == 0


@plain
def test_only_so_many_cards_of_a_kind_can_be_played():
    tracker = tracked(*bought(ANN, ANN, BOB), PlayDevCard(ANN, "monopoly"), PlayDevCard(BOB, "monopoly"))
    refused(tracker, PlayDevCard(ANN, "monopoly"))
    assert tracker.dev_cards("Ann")["monopoly"].distribution == {0: 1.0}


# --- whole games ----------------------------------------------------------------------------------------------

GAMES = {
    "four": (11, ["builder"] * 4, Rules()),
    "three": (12, ["builder"] * 3, Rules(discard_limit=4)),
    "two": (13, ["builder"] * 2, Rules()),
    "random": (14, ["random"] * 4, Rules(max_turns=60)),
    "short": (15, ["builder"] * 2, Rules(max_turns=14, discard_limit=4)),
}


@cache
def recorded(name: str) -> Record:
    seed, bots, rules = GAMES[name]
    return simulate(Board.random(seed), bots, seed, rules)


@cache
def true_hands(name: str) -> list[Hands]:
    """The hands after each event (`test_transcript` proves that they are those of the record)."""
    record = recorded(name)
    leaf = Leaf((Cards(),) * len(record.seats), Fraction(1))
    found = []
    for event in events_of(record, all_seeing=True).events:
        (leaf,) = leaves_after(leaf, event)
        found.append(leaf.hands)
    return found


def contains(tracker: HandTracker, hands: Hands) -> bool:
    """Whether these hands are among the worlds, by a search that does not build them all."""
    rules = tuple(Rule((5 * seat + r,), n, n) for seat, hand in enumerate(hands) for r, n in enumerate(hand))
    return tracker._worlds.probability(rules) > 0


def follow(name: str, observer: int | None, hidden_discards: bool = False, **options: Any) -> HandTracker:
    """Follow a game and see after every event that the truth is possible."""
    seen = events_of(recorded(name), observer, hidden_discards=hidden_discards)
    tracker = HandTracker(seen.players, observer, victory_points=seen.victory_points, **options)
    for number, (event, hands) in enumerate(zip(seen.events, true_hands(name), strict=True)):
        tracker.process(event)
        assert contains(tracker, hands), (number, event, hands)
        if observer is not None:
            assert tracker.hand(observer) == hands[observer]
        if number % 10 == 0:
            check_against(tracker, hands)
    check_against(tracker, true_hands(name)[-1])
    return tracker


def check_against(tracker: HandTracker, hands: Hands) -> None:
    """The truth lies within the limits of every figure."""
    tracker.check()
    table = tracker.distributions()
    for seat, hand in enumerate(hands):
        total = tracker.total(seat)
        assert total.distribution == approx({hand.size: 1.0})
        for r, n in enumerate(hand):
            marginal = Marginal(table[seat, r])
            assert marginal.min <= n <= marginal.max
            assert marginal.distribution[n] > 0
    bank = tracker.bank()
    for r, resource in enumerate(RESOURCES):
        left = 19 - sum(hand[r] for hand in hands)
        assert bank[resource].min <= left <= bank[resource].max


@pytest.mark.parametrize(
    ("name", "observer"),
    [
        ("four", None),
        ("four", 0),
        ("four", 1),
        ("four", 2),
        ("four", 3),
        ("three", None),
        ("three", 2),
        ("two", 0),
        ("random", None),
    ],
)
def test_the_truth_is_always_among_the_worlds(name, observer):
    tracker = follow(name, observer)
    assert (tracker.error_bound, tracker.approximate) == (0, False)


@plain
@pytest.mark.parametrize("observer", [None, 1])
def test_the_truth_is_always_among_the_worlds_of_a_short_game(observer):
    follow("short", observer, hidden_discards=True)


@pytest.mark.parametrize(("name", "observer"), [("three", None), ("four", None), ("four", 1), ("two", None)])
def test_the_truth_is_always_among_the_worlds_with_hidden_discards(name, observer):
    follow(name, observer, hidden_discards=True)


def test_two_players_who_both_look_leave_nothing_unknown():
    for observer in (0, 1):
        tracker = follow("two", observer)
        assert tracker.world_count == 1
        assert tracker.steals == []


def test_the_steals_of_a_whole_game_are_what_the_record_says():
    truth = [event for event in events_of(recorded("four"), all_seeing=True).events if isinstance(event, Steal)]
    tracker = HandTracker.of(events_of(recorded("four")))
    assert len(tracker.steals) == len(truth)
    for steal, true in zip(tracker.steals, truth, strict=True):
        assert (steal.thief, steal.victim) == (true.player, true.victim)
        assert true.resource in steal.odds
        assert steal.resolved in (None, true.resource)
        assert (steal.resolved is None) == (steal.resolved_by is None)
        if steal.resolved_by is not None:
            assert steal.event <= steal.resolved_by


def test_a_steal_is_resolved_by_the_very_event_that_is_named():
    log = events_of(recorded("four"))
    steals = HandTracker.of(log).steals
    named = sorted({steal.resolved_by for steal in steals if steal.resolved_by is not None})
    tracker, done = HandTracker(log.players), 0
    for event in named:
        tracker.process_all(log.events[done:event])
        before = {steal.id: steal.resolved for steal in tracker.steals}
        tracker.process(log.events[event])
        for steal in tracker.steals:
            if steal.resolved_by == event:
                assert before.get(steal.id) is None
                assert steal.resolved is not None
        done = event + 1
    assert named


def test_resolved_by_hand_as_it_was_the_truth_stays_possible():
    truth = [event for event in events_of(recorded("three"), all_seeing=True).events if isinstance(event, Steal)]
    log = events_of(recorded("three"))
    tracker = HandTracker(log.players)
    for number, event in enumerate(log.events):
        tracker.process(event)
        if isinstance(event, Steal) and len(tracker.steals) % 2:
            true = truth[len(tracker.steals) - 1].resource
            assert true is not None
            tracker.resolve(tracker.steals[-1].id, true)
        assert contains(tracker, true_hands("three")[number])
    tracker.check()


# --- pruning --------------------------------------------------------------------------------------------------


def check_bound(exact: HandTracker, pruned: HandTracker) -> None:
    """No figure is off by more than the bound."""
    bound = pruned.error_bound + 1e-9
    assert 0 <= pruned.error_bound <= 1
    assert abs(exact.distributions() - pruned.distributions()).max() <= bound
    assert pruned.approximate == (pruned.error_bound > 0)
    for one, other in zip(exact.steals, pruned.steals, strict=True):
        assert one.id == other.id
        for resource in RESOURCES:
            assert abs(one.odds.get(resource, 0) - other.odds.get(resource, 0)) <= bound
    for seat in range(len(exact.names)):
        assert abs(exact.can_afford(seat, "road") - pruned.can_afford(seat, "road")) <= bound


@pytest.mark.parametrize(
    "options",
    [{"max_worlds": 40}, {"max_worlds": 300}, {"prune_threshold": 0.001}],
    ids=lambda o: "-".join(map(str, o.items())),
)
def test_pruning_is_never_further_off_than_it_says(options):
    """Every marginal, the whole game (as long as the truth, which the pruned worlds may have lost, contradicts none)."""
    log = events_of(recorded("three"), hidden_discards=True)
    exact, pruned = HandTracker(log.players), HandTracker(log.players, **options)
    dropped = False
    for number, event in enumerate(log.events):
        exact.process(event)
        try:
            pruned.process(event)
        except Contradiction:
            assert pruned.error_bound > 0
            break
        bound = pruned.error_bound + 1e-9
        assert abs(exact.distributions() - pruned.distributions()).max() <= bound
        dropped |= pruned.error_bound > 0
        if number % 20 == 0:
            check_bound(exact, pruned)
            pruned.check()
        if "max_worlds" in options:
            assert pruned.world_count <= options["max_worlds"]
    assert dropped


@pytest.mark.untraced
@plain
def test_little_memory_drops_worlds_of_hidden_discards_and_says_so():
    events = [Gain(ANN, Cards(4, 4, 4, 4, 4)), Discard(ANN, count=8), Gain(ANN, Cards(2, 2, 2, 2, 2)), Discard(ANN, count=6)]
    exact, beam = tracked(*events), tracked(*events, memory=40_000)
    assert exact.error_bound == 0
    assert 0 < beam.error_bound < 1
    assert beam.approximate
    assert beam.world_count < exact.world_count
    check_bound(exact, beam)


HIDDEN_STEALS = [
    *(Gain(seat, Cards(2, 1, 1)) for seat in range(3)),
    *(Steal(k % 3, (k + 1) % 3) for k in range(4)),
    Discard(ANN, count=2),
    *(Steal(k % 3, (k + 1) % 3) for k in range(2)),
]


@plain
def test_little_memory_drops_worlds_of_hidden_steals_and_says_so():
    exact, beam = tracked(*HIDDEN_STEALS), tracked(*HIDDEN_STEALS, memory=20_000)
    assert 0 < beam.error_bound < 1
    check_bound(exact, beam)


@plain
@pytest.mark.parametrize("memory", [4_000, 400, 1])
def test_next_to_no_memory_leaves_few_worlds_and_all_steals(memory):
    exact, beam = tracked(*HIDDEN_STEALS), tracked(*HIDDEN_STEALS, memory=memory)
    assert 0 < beam.error_bound < 1
    check_bound(exact, beam)


@plain
def test_little_memory_keeps_worlds_that_agree_with_what_was_resolved_by_hand():
    tracker = tracked(Gain(ANN, Cards(wood=9, ore=1)), Steal(BOB, ANN), memory=1)
    tracker.resolve(tracker.steals[0].id, "ore")
    tracker.process(Gain(CEM, Cards(wood=5, sheep=5)))
    tracker.process(Steal(BOB, CEM))
    assert tracker.hand(ANN) == Cards(wood=9)


@plain
def test_pruning_keeps_worlds_that_agree_with_what_was_resolved_by_hand():
    tracker = tracked(Gain(ANN, Cards(wood=9, ore=1)), Steal(BOB, ANN), max_worlds=2)
    tracker.resolve(tracker.steals[0].id, "ore")
    tracker.process(Gain(CEM, Cards(wood=5, sheep=5)))
    tracker.process(Steal(BOB, CEM))
    assert tracker.hand(ANN) == Cards(wood=9)


# --- a log that begins in the middle --------------------------------------------------------------------------


@plain
def test_cards_that_nobody_saw_are_drawn_from_the_bank():
    tracker = tracked(Gain(ANN, Cards(wood=17, brick=19)), UnknownCards(BOB, 2))
    assert tracker.total(BOB).distribution == pytest.approx({2: 1})
    assert tracker.marginal(BOB, "brick").max == 0
    left = 2 + 3 * 19  # wood, sheep, wheat and ore that the bank still has
    assert tracker.marginal(BOB, "wood").distribution[2] == pytest.approx(2 * 1 / (left * (left - 1)))
    assert tracker.marginal(BOB, "ore").expected == pytest.approx(2 * 19 / left)
    tracker.check()


@plain
def test_a_hand_of_unknown_size_may_have_any_number():
    tracker = tracked(UnknownCards(BOB, 1, 3))
    assert tracker.total(BOB).distribution == pytest.approx({1: 1 / 3, 2: 1 / 3, 3: 1 / 3})
    assert tracker.marginal(BOB, "ore").expected == pytest.approx(2 / 5)
    assert tracker.hand(BOB) is None
    assert UnknownCards(BOB, 0, 7).text(["Ann", "Bob"]) == "Bob holds 0 cards (or more, up to 7) that nobody saw"
    with pytest.raises(InvalidEvent, match="most 1 is less than count 2"):
        UnknownCards(BOB, 2, 1)


@plain
def test_four_unknown_hands_are_a_sample(monkeypatch):
    monkeypatch.setattr(evidence, "MOST_DEALS", 2000)  # a tenth of what is usual
    tracker = tracked(*(UnknownCards(seat, 0, 7) for seat in range(3)))
    tracker.check()
    assert tracker.world_count <= 2000
    assert tracker.approximate
    for seat in range(3):
        assert tracker.total(seat).distribution == pytest.approx(dict.fromkeys(range(8), 1 / 8), abs=0.03)
        assert tracker.marginal(seat, "ore").expected == pytest.approx(0.7, abs=0.05)


@plain
def test_a_mended_log_stays_small():
    # Hands of a dozen cards that are not known, and all discard half of them unseen: millions of worlds, if all were kept.
    tracker = HandTracker(["Ann", "Bob", "Cem"], on_contradiction="repair")
    tracker.process(Build(ANN, "city"))  # nobody saw the cards for it
    for seat in range(3):
        tracker.process(Gain(seat, Cards(3, 3, 3, 3, 3)))
    for seat in (0, 1, 2):
        tracker.process(Discard(seat, None, 7))
    assert tracker.repairs
    assert tracker.nbytes < 16 << 20
    assert tracker.total(ANN).distribution == pytest.approx({8: 1})


@plain
def test_more_cards_than_the_bank_has_are_refused():
    tracker = tracked(Gain(ANN, Cards(19, 19, 19, 19, 15)))
    with pytest.raises(Contradiction, match="in the bank"):
        tracker.process(UnknownCards(BOB, 5))


@plain
def test_the_largest_army_may_be_announced_after_the_robber():
    # Nine points and the third knight: the robber moves before the award is told.
    start = [Build(ANN, "settlement", free=True)] * 5 + [Build(ANN, "city", free=True)] * 3
    cards = [Gain(ANN, Cards(sheep=3, wheat=3, ore=3)), *[BuyDevCard(ANN)] * 3, EndTurn(ANN)]
    knights = [event for _ in range(3) for event in (PlayDevCard(ANN, "knight"), MoveRobber(ANN, 3), EndTurn(ANN))]
    tracker = tracked(*start, *cards, *knights[:-1], Award(ANN, "largest_army"), Win(ANN))
    assert tracker.visible_points(ANN) == 10


def test_an_unknown_goal_makes_silence_say_nothing():
    events = [Build(ANN, "settlement", free=True)] * 5 + [Build(ANN, "city", free=True)] * 4
    events += [Gain(ANN, COSTS["dev_card"]), BuyDevCard(ANN), EndTurn(ANN)]
    assert tracked(*events).hidden_points(ANN)[1:] == ()
    assert tracked(*events, victory_points=None).hidden_points(ANN)[1] == pytest.approx(5 / 25)
