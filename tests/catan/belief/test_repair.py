"""Logs that contradict themselves: mended with the fewest unknown cards, flagged, and refused in strict mode."""

import random
from typing import Any

import numpy as np
import pytest

from kibitz.belief.pieces import Rule
from kibitz.belief.worlds import Impossible, WeightedWorlds
from kibitz.catan import Board, Rules
from kibitz.catan.belief.evidence import repair
from kibitz.catan.belief.hands import Contradiction, HandTracker
from kibitz.catan.core.events import (
    BankCount,
    BankTrade,
    Build,
    BuyDevCard,
    Cards,
    Discard,
    Event,
    Gain,
    HandCount,
    HandSeen,
    Monopoly,
    Offer,
    PlayDevCard,
    PlayerTrade,
    Roll,
    Steal,
)
from kibitz.catan.core.record import simulate
from kibitz.catan.core.transcript import events_of
from tests.catan.belief.short_logs import wild_event

NAMES = ["Ann", "Bob", "Cem"]
ANN, BOB, CEM = range(3)
PRICE = Cards(sheep=1, wheat=1, ore=1)
plain = pytest.mark.plain


def mended(*events: Event, players: list[str] | int = NAMES, **options: Any) -> HandTracker:
    tracker = HandTracker(players, on_contradiction="repair", **options)
    tracker.process_all(events)
    ask_everything(tracker)
    return tracker


def ask_everything(tracker: HandTracker) -> None:
    """Every question has an answer that makes sense."""
    tracker.check()
    players = range(len(tracker.names))
    for player in players:
        for marginal in (tracker.total(player), *tracker.marginals(player).values(), *tracker.dev_cards(player).values()):
            assert sum(marginal.distribution.values()) == pytest.approx(1, abs=1e-9)
            assert 0 <= marginal.min <= marginal.max
        assert -1e-12 <= tracker.confidence(player) <= 1 + 1e-12
        assert 0 <= tracker.wins_now(player) <= 1
        for other in players:
            if other != player:
                odds = tracker.steal_probabilities(player, other)
                assert not odds or sum(odds.values()) == pytest.approx(1)
    for marginal in tracker.bank().values():
        assert sum(marginal.distribution.values()) == pytest.approx(1, abs=1e-9)
        assert marginal.min >= 0
    for steal in tracker.steals:
        assert sum(steal.odds.values()) == pytest.approx(1)
    for world in tracker.worlds(3):
        tracker.chain(world)


# --- the fewest cards -----------------------------------------------------------------------------------------


@plain
@pytest.mark.parametrize(
    ("held", "event", "cards", "left"),
    [
        (Cards(), Build(ANN, "road"), 2, Cards()),
        (Cards(wood=1), Build(ANN, "road"), 1, Cards()),
        (Cards(sheep=4), Build(ANN, "road"), 2, Cards(sheep=4)),
        (Cards(wheat=2, ore=1), Build(ANN, "city"), 2, Cards()),
        (Cards(ore=2), BankTrade(ANN, Cards(ore=4), Cards(wood=1)), 2, Cards(wood=1)),
        (Cards(), Offer(ANN, Cards(ore=2), Cards()), 2, Cards(ore=2)),
        (Cards(wood=1), Discard(ANN, Cards(wood=1, ore=1)), 1, Cards()),
        (Cards(wood=3), HandSeen(ANN, Cards(wood=1, ore=1)), 3, Cards(wood=1, ore=1)),
        (Cards(wood=3), HandCount(ANN, 1), 2, Cards(wood=1)),
        (Cards(wood=3), Monopoly(BOB, "wood", losses={ANN: 1}), 2, Cards()),
        (Cards(wood=3), BankCount({"wood": 19}), 3, Cards()),
        (Cards(), Steal(BOB, ANN, "ore"), 1, Cards()),
        (Cards(), BuyDevCard(ANN), 3, Cards()),
    ],
    ids=lambda value: value.text(NAMES) if isinstance(value, Event) else "",
)
def test_a_contradiction_is_mended_with_the_fewest_cards(held, event, cards, left):
    tracker = mended(Gain(ANN, held), event)
    (found,) = tracker.repairs
    assert (found.event, found.cards) == (1, cards)
    assert found.reason.startswith(f"event 2 ({event.text(NAMES)}) is impossible: it needs ")
    assert "Ann" in found.reason or "bank" in found.reason
    assert tracker.hand(ANN) == left
    assert tracker.approximate
    assert tracker.error_bound == 0
    assert tracker.events == (Gain(ANN, held), event)


@plain
def test_worlds_that_need_equally_few_cards_keep_their_odds():
    """Bob has wood or brick and builds a road: one card is missing in either world, so neither is the likelier for it."""
    tracker = mended(Gain(ANN, Cards(wood=2, brick=1)), Steal(BOB, ANN), Build(BOB, "road"))
    assert tracker.repairs[0].cards == 1
    assert tracker.steals[0].odds == pytest.approx({"wood": 2 / 3, "brick": 1 / 3})
    assert tracker.hand(BOB) == Cards()


@plain
def test_a_repair_can_resolve_a_steal():
    """Two wood: one card is missing if the steal was wood, two if it was brick."""
    tracker = mended(Gain(ANN, Cards(wood=1, brick=1)), Steal(BOB, ANN), Offer(BOB, Cards(wood=2), Cards()))
    assert tracker.repairs[0].cards == 1
    assert (tracker.steals[0].resolved, tracker.steals[0].resolved_by) == ("wood", 2)
    assert tracker.hand(BOB) == Cards(wood=2)


@plain
def test_an_unknown_card_is_any_card_of_the_bank():
    tracker = mended(Gain(ANN, Cards(wood=19)), HandCount(BOB, 1))
    assert tracker.repairs[0].cards == 1
    assert {name: marginal.expected for name, marginal in tracker.marginals(BOB).items()} == pytest.approx(
        {"wood": 0, "brick": 1 / 4, "sheep": 1 / 4, "wheat": 1 / 4, "ore": 1 / 4}
    )


@plain
def test_a_steal_from_an_empty_hand_takes_an_unknown_card():
    tracker = mended(Steal(BOB, ANN))
    assert tracker.repairs[0].cards == 1
    assert tracker.hand(ANN) == Cards()
    assert tracker.total(BOB).expected == pytest.approx(1)
    assert tracker.steals[0].odds == pytest.approx(dict.fromkeys(Cards._fields, 1 / 5))
    tracker.process(Offer(BOB, Cards(ore=1), Cards()))
    assert (tracker.steals[0].resolved, len(tracker.repairs)) == ("ore", 1)


@plain
def test_a_monopoly_of_too_many_cards_finds_them_with_somebody():
    tracker = mended(Gain(ANN, Cards(wood=1)), Monopoly(CEM, "wood", 3))
    assert tracker.repairs[0].cards == 2
    assert tracker.hand(CEM) == Cards(wood=3)
    assert tracker.hand(ANN) == tracker.hand(BOB) == Cards()


@plain
def test_a_trade_can_lack_cards_on_both_sides():
    tracker = mended(PlayerTrade(ANN, BOB, Cards(wood=1), Cards(ore=2)))
    assert tracker.repairs[0].cards == 3
    assert (tracker.hand(ANN), tracker.hand(BOB)) == (Cards(ore=2), Cards(wood=1))


@plain
def test_what_cannot_be_mended_is_ignored_and_said():
    """The bank cannot give out more than the box holds, nor hold it."""
    for event in (Gain(ANN, Cards(wood=25)), BankCount({"wood": 25})):
        tracker = mended(event)
        (found,) = tracker.repairs
        assert found.cards is None
        assert tracker.hand(ANN) == Cards()
        assert tracker.approximate


@plain
def test_cards_too_many_in_play_are_taken_from_somebody():
    tracker = mended(Gain(ANN, Cards(ore=10)), Gain(BOB, Cards(ore=8)), Gain(CEM, Cards(ore=2)))
    assert tracker.repairs[0].cards == 1
    assert tracker.bank()["ore"].distribution == pytest.approx({0: 1.0})
    assert tracker.hand(CEM) == Cards(ore=2)
    assert tracker.marginal(ANN, "ore").distribution == pytest.approx({9: 10 / 18, 10: 8 / 18})


@plain
def test_worlds_can_be_mended_directly():
    def even(counts: np.ndarray, cells: Any) -> np.ndarray:
        return np.ones((len(counts), len(cells)))

    worlds = WeightedWorlds([1, 0, 0, 0], labels=2)
    assert repair(worlds, (Rule((1,), at_least=2), Rule((0, 1), at_most=3)), even) == (2, [])
    assert worlds.counts().tolist() == [[1, 2, 0, 0]]
    assert repair(worlds, (Rule((2, 3), 1, 1),), even) == (1, [])
    assert sorted(worlds.counts().tolist()) == [[1, 2, 0, 1], [1, 2, 1, 0]]
    with pytest.raises(Impossible):
        repair(worlds, (Rule((0,), at_most=-1),), even)


# --- development cards ----------------------------------------------------------------------------------------


@plain
def test_a_played_card_that_nobody_bought_is_found():
    tracker = mended(PlayDevCard(ANN, "knight"))
    assert tracker.repairs[0].cards == 1
    assert tracker.dev_card_count(ANN) == 0


@plain
def test_a_card_played_too_early_is_another_one():
    tracker = mended(Gain(ANN, PRICE), BuyDevCard(ANN), PlayDevCard(ANN, "monopoly"))
    assert tracker.repairs[0].cards == 1
    assert tracker.dev_card_count(ANN) == 1


@plain
def test_a_purchase_from_an_empty_deck_is_paid_and_ignored():
    tracker = mended(*[event for _ in range(25) for event in (Gain(ANN, PRICE), BuyDevCard(ANN))])
    assert not tracker.repairs
    tracker.process_all([Gain(ANN, PRICE), BuyDevCard(ANN)])
    assert tracker.repairs[0].cards is None
    assert (tracker.dev_card_count(ANN), tracker.hand(ANN)) == (25, Cards())


@plain
def test_who_goes_on_with_ten_points_has_not_won():
    builds = [Build(ANN, "settlement", free=True) for _ in range(5)] + [Build(ANN, "city", free=True) for _ in range(5)]
    tracker = mended(*builds, Roll(ANN, 8))
    assert "fewer visible points" in tracker.repairs[0].reason
    assert tracker.approximate


# --- strict ---------------------------------------------------------------------------------------------------


@plain
@pytest.mark.parametrize(
    ("event", "text"),
    [
        (
            Build(ANN, "road"),
            "event 2 (Ann built a road) is impossible: it needs at least 1 brick with Ann; possible: 0 brick",
        ),
        (
            Steal(ANN, BOB),
            "event 2 (Ann stole a card from Bob) is impossible: it needs at least 1 card with Bob; possible: 0 cards",
        ),
        (
            BankCount({"wood": 17}),
            "event 2 (the bank holds 17 wood) is impossible: it needs 17 wood in the bank; possible: 18 wood",
        ),
        (
            Monopoly(CEM, "wood", 2),
            "event 2 (Cem took all wood, 2 cards) is impossible: it needs 2 wood with Ann and Bob; possible: 1 wood",
        ),
        (
            PlayDevCard(BOB, "monopoly"),
            "event 2 (Bob played monopoly) is impossible: "
            "it needs a monopoly that was bought before this turn; possible: no hidden card",
        ),
    ],
    ids=str,
)
def test_strict_names_the_event_the_player_what_is_needed_and_what_is_possible(event, text):
    tracker = HandTracker(NAMES)
    tracker.process(Gain(ANN, Cards(wood=1)))
    with pytest.raises(Contradiction) as caught:
        tracker.process(event)
    assert str(caught.value) == text
    assert (tracker.repairs, tracker.approximate) == ((), False)
    assert tracker.events == (Gain(ANN, Cards(wood=1)),)


# --- missing lines --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "discards"), [(2, False), (3, True), (4, False)])
def test_games_with_missing_lines_are_followed_to_the_end(players, discards):
    record = simulate(Board.random(players), ["builder"] * players, players, Rules(max_turns=60))
    log = events_of(record, hidden_discards=discards)
    for seed in range(3):
        chance = random.Random(seed)
        events = [event for event in log.events if chance.random() > 0.03]
        tracker = HandTracker(players, on_contradiction="repair", memory=1 << 26)
        for event in events:
            tracker.process(event)
        ask_everything(tracker)
        assert tracker.events == tuple(events)
        assert tracker.approximate == bool(tracker.repairs or tracker.error_bound)
        for found in tracker.repairs:
            assert found.reason.startswith(f"event {found.event + 1} ({events[found.event].text(tracker.names)}) is impossible")
        with pytest.raises(Contradiction) as caught:
            HandTracker(players).process_all(events)
        assert caught.value.index == tracker.repairs[0].event


def test_one_missing_roll_is_noticed_when_its_cards_are_used():
    record = simulate(Board.random(9), ["builder"] * 3, 9, Rules(max_turns=60))
    events = events_of(record).events
    whole = HandTracker(3, on_contradiction="repair")
    whole.process_all(events)
    assert not whole.approximate
    missing = next(i for i, event in enumerate(events) if isinstance(event, Roll) and event.gains)
    tracker = HandTracker(3, on_contradiction="repair")
    tracker.process_all(events[:missing] + events[missing + 1 :])
    assert tracker.approximate
    assert tracker.repairs[0].event >= missing


# --- nonsense -------------------------------------------------------------------------------------------------


@plain
@pytest.mark.parametrize("players", range(2, 7))
def test_nonsense_is_survived_at_every_table(players):
    chance = random.Random(players)
    tracker = HandTracker(players, on_contradiction="repair")
    nonsense = (wild_event(chance, players) for _ in range(60))
    tracker.process_all(
        event for event in nonsense if isinstance(event, (Build, BuyDevCard, PlayDevCard, BankTrade, Offer, Roll))
    )
    assert tracker.repairs
    ask_everything(tracker)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_any_nonsense_is_survived(players):
    for seed in range(12):
        chance = random.Random(f"{players}{seed}")
        tracker = HandTracker(players, on_contradiction="repair", memory=1 << 22)
        for _ in range(40):
            tracker.process(wild_event(chance, players))
        ask_everything(tracker)


@plain
def test_a_repair_respects_the_supply():
    mended(Gain(BOB, Cards(wood=19)), Offer(ANN, Cards(wood=1), Cards()))


@plain
def test_many_cards_of_a_kind_stay_of_that_kind():
    tracker = mended(Gain(ANN, Cards(wood=19)), Monopoly(CEM, "wood", losses={ANN: 19, BOB: 19}))
    for player in NAMES:
        assert tracker.marginal(player, "brick").max == 0


@plain
@pytest.mark.parametrize(
    "event",
    [
        Offer(ANN, Cards(wood=32), Cards()),
        Offer(ANN, Cards(200, 200, 200, 200, 200), Cards()),
        HandCount(ANN, 200),
        Discard(ANN, count=200),
        Discard(ANN, Cards(wood=40)),
        HandSeen(ANN, Cards(wood=31, ore=31)),
        PlayerTrade(ANN, BOB, Cards(wood=99), Cards(ore=99)),
        BankCount(dict.fromkeys(Cards._fields, 200)),
        Monopoly(ANN, "wood", 150),
        Roll(ANN, 8, {BOB: Cards(100, 100, 100, 100, 100)}),
    ],
    ids=lambda event: event.text(NAMES),
)
def test_more_cards_than_there_are_say_nothing(event):
    tracker = mended(Gain(ANN, Cards(wood=2)), event)
    assert tracker.repairs[0].cards is None
    assert tracker.approximate


def test_six_hands_that_are_all_too_large_are_mended_in_bounds():
    tracker = HandTracker(6, on_contradiction="repair")
    tracker.process_all(Gain(player, Cards(2, 2, 2, 2, 2)) for player in range(6))
    tracker.process_all(HandCount(player, 7) for player in range(6))
    tracker.check()
    assert [found.cards for found in tracker.repairs] == [3] * 6
    assert [tracker.total(player).expected for player in range(6)] == pytest.approx([7] * 6)
    assert 0 < tracker.error_bound < 1


@plain
def test_a_trade_of_a_resource_for_itself_that_cannot_be_mended_is_ignored():
    tracker = mended(Gain(ANN, Cards(wood=18)), BankTrade(ANN, Cards(wood=19), Cards(wood=1)))
    assert tracker.repairs[0].cards is None
