"""The summary of a tracker: plain values, complete, and those of the tracker itself."""

import json

import pytest

from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.belief.summary import accuracy, dice, hands_html, possible_worlds, shown_hand, summary
from kibitz.catan.core.events import Build, BuyDevCard, Cards, EndTurn, Gain, Offer, Roll, Steal

pytestmark = pytest.mark.plain

ANN, BOB, CEM = range(3)
MARGINAL = {"expected", "min", "max", "most_likely", "distribution", "at_least"}


def story(**options: str) -> HandTracker:
    tracker = HandTracker(["Ann", "Bob", "Cem"], observer=CEM, **options)
    tracker.process_all(
        [
            Roll(ANN, 8, {ANN: Cards(wood=3, ore=1), BOB: Cards(sheep=1, wheat=1, ore=1)}),
            EndTurn(ANN),
            Roll(BOB, 7),
            Steal(BOB, ANN),
            BuyDevCard(BOB),
            EndTurn(BOB),
        ]
    )
    return tracker


def test_it_is_json_and_names_everything():
    found = json.loads(json.dumps(summary(story())))
    assert set(found) == {
        "events",
        "turn",
        "observer",
        "worlds",
        "players",
        "bank",
        "steals",
        "dice",
        "approximate",
        "error_bound",
        "repairs",
    }
    assert (found["events"], found["turn"], found["observer"], found["worlds"]) == (6, 3, CEM, 2)
    assert (found["approximate"], found["error_bound"], found["repairs"]) == (False, 0.0, [])
    for player in found["players"]:
        assert set(player) == {
            "name",
            "cards",
            "hand",
            "confidence",
            "can_afford",
            "dev_card_count",
            "dev_cards",
            "visible_points",
            "hidden_points",
            "wins_now",
        }
        assert set(player["cards"]) == MARGINAL
        assert all(set(marginal) == MARGINAL for marginal in (*player["hand"].values(), *player["dev_cards"].values()))
        assert list(player["hand"]) == list(found["bank"]) == ["wood", "brick", "sheep", "wheat", "ore"]
        assert list(player["can_afford"]) == ["road", "settlement", "city", "dev_card"]


def test_its_values_are_those_of_the_tracker():
    tracker = story()
    found = summary(tracker)
    assert [player["name"] for player in found["players"]] == ["Ann", "Bob", "Cem"]
    for seat, player in enumerate(found["players"]):
        assert player["confidence"] == tracker.confidence(seat)
        assert player["cards"]["expected"] == tracker.total(seat).expected
        assert player["dev_card_count"] == tracker.dev_card_count(seat)
        assert player["hidden_points"] == list(tracker.hidden_points(seat))
        assert player["visible_points"] == tracker.visible_points(seat)
        assert player["wins_now"] == tracker.wins_now(seat)
        assert player["can_afford"]["road"] == tracker.can_afford(seat, "road")
        for resource, marginal in tracker.marginals(seat).items():
            shown = player["hand"][resource]
            assert (shown["expected"], shown["min"], shown["max"]) == (marginal.expected, marginal.min, marginal.max)
            assert shown["distribution"] == {str(n): p for n, p in marginal.distribution.items()}
            assert shown["at_least"] == list(marginal.at_least)
            assert shown["most_likely"] == marginal.most_likely
    assert found["bank"]["wood"]["expected"] == tracker.bank()["wood"].expected


def test_events_are_counted_from_zero_and_ids_as_people_count():
    tracker = story()
    tracker.process(Offer(BOB, Cards(ore=1), Cards()))
    (steal,) = summary(tracker)["steals"]
    assert steal == {
        "id": "s4",
        "thief": BOB,
        "victim": ANN,
        "turn": 2,
        "event": 3,
        "odds": {"ore": 1.0},
        "resolved": "ore",
        "resolved_by": 6,
        "by_hand": False,
    }


def test_an_open_steal_has_odds_and_no_event_that_resolved_it():
    (steal,) = summary(story())["steals"]
    assert (steal["event"], steal["resolved"], steal["resolved_by"]) == (3, None, None)
    assert steal["odds"] == pytest.approx({"wood": 3 / 4, "ore": 1 / 4})


def test_a_repair_is_told():
    tracker = story(on_contradiction="repair")
    tracker.process(Build(CEM, "road"))
    found = summary(tracker)
    assert found["approximate"] is True
    ((mended),) = found["repairs"]
    assert (mended["event"], mended["cards"]) == (6, 2)
    assert mended["reason"].startswith("event 7 (Cem built a road) is impossible")


def test_the_dice_are_counted():
    tracker = story()
    assert dice(tracker) == {str(total): int(total in (7, 8)) for total in range(2, 13)}
    tracker.process(Roll(CEM, 8, {CEM: Cards(ore=1)}))
    tracker.process(Gain(CEM, Cards(ore=1)))
    assert dice(tracker)["8"] == 2


def test_the_likeliest_worlds_come_first_with_the_steals_that_led_to_them():
    tracker = story()
    found = json.loads(json.dumps(possible_worlds(tracker, 1)))
    assert found["worlds"] == 2
    (likeliest,) = found["likeliest"]
    assert likeliest["probability"] == pytest.approx(3 / 4)
    assert likeliest["hands"] == [{"wood": 2, "ore": 1}, {"wood": 1}, {}]
    assert likeliest["steals"] == {"s4": {"wood": 1.0}}
    wood, ore = found["carriers"]
    assert (wood["steal"], wood["resource"], wood["probability"]) == ("s4", "wood", pytest.approx(3 / 4))
    assert wood["holders"] == [1.0, 1.0, 0.0]
    assert (ore["resource"], ore["holders"]) == ("ore", [0.0, 1.0, 0.0])
    assert len(possible_worlds(tracker, 9)["likeliest"]) == 2


def test_a_steal_that_the_log_has_settled_is_told_no_more():
    tracker = story()
    tracker.process(Offer(BOB, Cards(ore=1), Cards()))
    found = possible_worlds(tracker, 9)
    assert (found["likeliest"][0]["steals"], found["carriers"]) == ({}, [])


def test_a_steal_that_was_resolved_by_hand_is_still_told():
    tracker = story()
    tracker.resolve("s4", "ore")
    found = possible_worlds(tracker, 9)
    assert [world["steals"] for world in found["likeliest"]] == [{"s4": {"ore": 1.0}}]
    assert found["carriers"] == [
        {"steal": "s4", "thief": BOB, "victim": ANN, "resource": "ore", "probability": 1.0, "holders": [0.0, 1.0, 0.0]}
    ]


@pytest.mark.parametrize(
    ("bound", "words"),
    [
        (0.0, ""),
        (0.001, "Unlikely worlds were dropped: no chance is off by more than 1 percentage point."),
        (0.31, "Unlikely worlds were dropped: no chance is off by more than 31 percentage points."),
        (0.97, "There are too many possible worlds to follow them all: the chances are estimates."),
    ],
)
def test_how_far_off_chances_may_be(bound, words):
    assert accuracy(bound) == words


def test_a_card_that_may_be_any_is_not_shown_as_none():
    tracker = HandTracker(["Ann", "Bob"])
    tracker.process_all([Roll(0, 8, {0: Cards(1, 1, 1, 1, 1)}), Steal(1, 0)])
    assert shown_hand(tracker, 1) == [(1, pytest.approx(0.2))] * 5
    assert shown_hand(tracker, 0) == [(1, pytest.approx(0.8))] * 5
    assert "<td>1 <small>20 %</small></td>" * 5 in hands_html(tracker)


def test_a_hand_that_is_not_known_but_likely_is_shown_as_it_likely_is():
    tracker = HandTracker(["Ann", "Bob"])
    tracker.process_all([Roll(0, 8, {0: Cards(wood=3, ore=1)}), Steal(1, 0)])
    assert shown_hand(tracker, 1) == [(1, pytest.approx(0.75)), (0, 1.0), (0, 1.0), (0, 1.0), (0, pytest.approx(0.75))]
