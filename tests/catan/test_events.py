"""Events: each kind is checked, reads well, and survives JSON, a file, a pickle and a set."""

import json
import pickle

import pytest

from kibitz.catan.core.events import (
    EVENTS,
    MOST_PLAYERS,
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
    EventLog,
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
    check_seats,
    name_of,
    read_event,
    read_header,
    read_log,
)

pytestmark = pytest.mark.plain

NAMES = ("Ann", "Bob", "Cem")
WOOD, ORE = Cards(wood=1), Cards(ore=1)

#: Every kind of event, with and without what an observer may not see: what is written, and how people read it.
EXAMPLES: list[tuple[Event, dict, str]] = [
    (
        StartingResources(0, {"wood": 1, "ore": 1}),
        {"player": 0, "cards": {"wood": 1, "ore": 1}},
        "Ann received 1 wood, 1 ore to start with",
    ),
    (Roll(0, 6), {"player": 0, "total": 6}, "Ann rolled 6"),
    (
        Roll(1, 8, {2: ORE, 0: {"wood": 2}}),
        {"player": 1, "total": 8, "gains": {"0": {"wood": 2}, "2": {"ore": 1}}},
        "Bob rolled 8: Ann got 2 wood, Cem got 1 ore",
    ),
    (Gain(2, WOOD), {"player": 2, "cards": {"wood": 1}}, "Cem got 1 wood"),
    (
        Build(0, "settlement", free=True, corner=10),
        {"player": 0, "piece": "settlement", "free": True, "corner": 10},
        "Ann built a settlement for free",
    ),
    (Build(0, "road", edge=(1, 0)), {"player": 0, "piece": "road", "edge": [0, 1]}, "Ann built a road"),
    (Build(1, "city"), {"player": 1, "piece": "city"}, "Bob built a city"),
    (BuyDevCard(0), {"player": 0}, "Ann bought a development card"),
    (BuyDevCard(0, "victory_point"), {"player": 0, "card": "victory_point"}, "Ann bought a victory point"),
    (PlayDevCard(1, "road_building"), {"player": 1, "card": "road_building"}, "Bob played road building"),
    (
        YearOfPlenty(1, {"brick": 2}),
        {"player": 1, "cards": {"brick": 2}},
        "Bob took 2 brick from the bank",
    ),
    (
        Monopoly(0, "wheat", 3, {1: 2, 2: 1}),
        {"player": 0, "resource": "wheat", "total": 3, "losses": {"1": 2, "2": 1}},
        "Ann took all wheat, 3 cards: Bob gave 2, Cem gave 1",
    ),
    (Monopoly(0, "wheat", 4), {"player": 0, "resource": "wheat", "total": 4}, "Ann took all wheat, 4 cards"),
    (
        BankTrade(0, {"wood": 4}, ORE),
        {"player": 0, "give": {"wood": 4}, "receive": {"ore": 1}},
        "Ann gave 4 wood to the bank for 1 ore",
    ),
    (
        PlayerTrade(0, 1, WOOD, ORE),
        {"player": 0, "partner": 1, "give": {"wood": 1}, "receive": {"ore": 1}},
        "Ann gave 1 wood to Bob for 1 ore",
    ),
    (
        Offer(0, WOOD, Cards()),
        {"player": 0, "give": {"wood": 1}, "receive": {}},
        "Ann offered 1 wood for nothing",
    ),
    (
        CounterOffer(1, 0, ORE, {"wood": 2}),
        {"player": 1, "partner": 0, "give": {"ore": 1}, "receive": {"wood": 2}},
        "Bob offered Ann 1 ore for 2 wood instead",
    ),
    (
        Accept(1, 0, ORE, WOOD),
        {"player": 1, "partner": 0, "give": {"ore": 1}, "receive": {"wood": 1}},
        "Bob would give 1 ore to Ann for 1 wood",
    ),
    (Decline(1, 0), {"player": 1, "partner": 0}, "Bob declined the offer of Ann"),
    (MoveRobber(0), {"player": 0}, "Ann moved the robber to another hex"),
    (Steal(0, 1), {"player": 0, "victim": 1}, "Ann stole a card from Bob"),
    (Steal(0, 1, "sheep"), {"player": 0, "victim": 1, "resource": "sheep"}, "Ann stole sheep from Bob"),
    (
        Discard(0, {"wood": 3, "ore": 1}),
        {"player": 0, "cards": {"wood": 3, "ore": 1}, "count": 4},
        "Ann discarded 3 wood, 1 ore",
    ),
    (Discard(0, count=4), {"player": 0, "count": 4}, "Ann discarded 4 cards"),
    (HandCount(0, 7), {"player": 0, "count": 7}, "Ann holds 7 cards"),
    (UnknownCards(0, 3), {"player": 0, "count": 3}, "Ann holds 3 cards that nobody saw"),
    (HandSeen(0, {"ore": 2}), {"player": 0, "cards": {"ore": 2}}, "Ann holds 2 ore"),
    (HandSeen(0, Cards()), {"player": 0, "cards": {}}, "Ann holds nothing"),
    (BankCount({"ore": 3, "wood": 19}), {"counts": {"wood": 19, "ore": 3}}, "the bank holds 19 wood, 3 ore"),
    (
        Correction(0, {"wood": -1, "ore": 2}),
        {"player": 0, "change": {"wood": -1, "ore": 2}},
        "by hand: -1 wood, 2 ore for Ann",
    ),
    (Award(1, "longest_road"), {"player": 1, "award": "longest_road"}, "Bob has longest road"),
    (Award(None, "largest_army"), {"player": None, "award": "largest_army"}, "nobody has largest army"),
    (EndTurn(0), {"player": 0}, "Ann ended the turn"),
    (Win(2), {"player": 2}, "Cem won"),
]
EVERY_KIND = pytest.mark.parametrize(
    ("event", "fields", "text"), EXAMPLES, ids=[f"{event.kind}-{i}" for i, (event, *_) in enumerate(EXAMPLES)]
)


def test_the_examples_are_every_kind_of_event():
    assert {event.kind for event, *_ in EXAMPLES} == set(EVENTS)


@EVERY_KIND
def test_an_event_is_written_as_an_object_without_what_it_does_not_say(event, fields, text):
    assert event.to_json() == {"event": event.kind, **fields}


@EVERY_KIND
def test_an_event_reads_back_from_json(event, fields, text):
    again = Event.from_json(json.loads(json.dumps(event.to_json())))
    assert again == event
    assert type(again) is type(event)


@EVERY_KIND
def test_an_event_reads_well(event, fields, text):
    assert event.text(NAMES) == text


@EVERY_KIND
def test_without_names_players_are_numbered_from_one(event, fields, text):
    said = event.text()
    for seat, name in enumerate(NAMES):
        text = text.replace(name, f"P{seat + 1}")
    assert said == text
    assert "None" not in said


@EVERY_KIND
def test_events_can_be_pickled_and_put_into_sets(event, fields, text):
    assert pickle.loads(pickle.dumps(event)) == event
    assert {event, Event.from_json(event.to_json())} == {event}


@EVERY_KIND
def test_an_event_cannot_be_changed(event, fields, text):
    with pytest.raises(AttributeError):
        event.player = 5


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (HandCount(0, 1), "P1 holds 1 card"),
        (Discard(0, count=1), "P1 discarded 1 card"),
        (Monopoly(0, "ore", 1), "P1 took all ore, 1 card"),
        (Monopoly(0, "ore"), "P1 took all ore"),
        (MoveRobber(0, 5), "P1 moved the robber to hex 5"),
    ],
    ids=str,
)
def test_small_numbers_and_unknown_ones_read_well(event, text):
    assert event.text() == text


# --- cards ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given",
    [
        {"ore": 1, "wood": 2},
        (2, 0, 0, 0, 1),
        [2, 0, 0, 0, 1],
        ["wood", "ore", "wood"],
        ("ore", "wood", "wood"),
        Cards(2, 0, 0, 0, 1),
    ],
    ids=str,
)
def test_cards_are_given_by_name_in_order_or_one_by_one(given):
    assert Cards.of(given) == Cards(wood=2, ore=1) == (2, 0, 0, 0, 1)


def test_no_cards_are_nothing():
    assert Cards.of({}) == Cards.of([]) == Cards()
    assert (Cards().size, Cards().as_dict(), Cards().names(), Cards().text(), repr(Cards())) == (
        0,
        {},
        [],
        "nothing",
        "Cards()",
    )


def test_cards_can_be_counted_listed_and_read():
    cards = Cards(wood=2, wheat=1)
    assert cards.size == 3
    assert cards.as_dict() == {"wood": 2, "wheat": 1}
    assert cards.names() == ["wood", "wood", "wheat"]
    assert cards.text() == "2 wood, 1 wheat"
    assert repr(cards) == "Cards(wood=2, wheat=1)"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"gold": 1}, "'gold': not a resource; these are wood, brick, sheep, wheat, ore"),
        (["gold"], "'gold': not a resource"),
        ("wood", "'wood': expected cards by resource"),
        ([1, 2], "expected cards by resource"),
        ([1, 2, 3, 4, 5, 6], "expected cards by resource"),
    ],
    ids=str,
)
def test_what_are_no_cards_is_refused(given, message):
    with pytest.raises(InvalidEvent, match=message):
        Cards.of(given)


@pytest.mark.parametrize("given", [[1, "wood", 2, 3, 4], [1, 2.5, 3, 4, 5], [1, None, 0, 0, 0]], ids=str)
def test_five_values_must_all_be_whole_numbers(given):
    with pytest.raises(InvalidEvent):
        Gain(0, given)


# --- what is refused ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"event": "roll", "player": 6, "total": 8}, "roll: player 6: expected a whole number from 0 to 5"),
        ({"event": "roll", "player": -1, "total": 8}, "roll: player -1: expected"),
        ({"event": "roll", "player": True, "total": 8}, "roll: player True: expected"),
        ({"event": "roll", "player": "0", "total": 8}, "roll: player '0': expected"),
        ({"event": "roll", "player": None, "total": 8}, "roll: player None: expected"),
        ({"event": "roll", "player": 0, "total": 1}, "roll: total 1: expected a whole number from 2 to 12"),
        ({"event": "roll", "player": 0, "total": 8.0}, "roll: total 8.0: expected"),
        ({"event": "roll", "player": 0, "total": 10**30}, "roll: total 1000"),
        ({"event": "roll", "player": 0, "total": 8, "gains": []}, r"roll: gains \[\]: expected an object by seat"),
        ({"event": "roll", "player": 0, "total": 8, "gains": {"6": {}}}, "roll: gains '6': expected a whole number"),
        ({"event": "roll", "player": 0, "total": 8, "gains": {"1": {"gold": 1}}}, "roll: gains 'gold': not a resource"),
        ({"event": "roll", "player": 0, "total": 8, "gains": {"1": 5}}, "roll: gains 5: expected cards by resource"),
        ({"event": "gain", "player": 0, "cards": {"wood": -1}}, "gain: cards -1: expected a number of cards from 0 to 200"),
        ({"event": "gain", "player": 0, "cards": {"wood": 201}}, "gain: cards 201: expected"),
        ({"event": "gain", "player": 0, "cards": {"wood": 1.5}}, "gain: cards 1.5: expected"),
        ({"event": "gain", "player": 0, "cards": {"wood": True}}, "gain: cards True: expected"),
        ({"event": "gain", "player": 0, "cards": "wood"}, "gain: cards 'wood': expected cards by resource"),
        ({"event": "gain", "player": 0, "cards": None}, "gain: cards None: expected cards by resource"),
        ({"event": "build", "player": 0, "piece": "castle"}, "build: piece 'castle': expected one of road, settlement, city"),
        ({"event": "build", "player": 0, "piece": []}, r"build: piece \[\]: expected one of"),
        ({"event": "build", "player": 0, "piece": "city", "free": 1}, "build: free 1: expected true or false"),
        (
            {"event": "build", "player": 0, "piece": "city", "corner": 54},
            "build: corner 54: expected a whole number from 0 to 53",
        ),
        (
            {"event": "build", "player": 0, "piece": "road", "edge": [0, 53]},
            r"build: edge \[0, 53\]: not two neighbouring corners",
        ),
        ({"event": "build", "player": 0, "piece": "road", "edge": [0]}, r"build: edge \[0\]: not two neighbouring corners"),
        ({"event": "build", "player": 0, "piece": "road", "edge": [[], {}]}, "build: edge .*: not two neighbouring corners"),
        (
            {"event": "build", "player": 0, "piece": "road", "edge": [False, True]},
            "build: edge .*: not two neighbouring corners",
        ),
        (
            {"event": "buy_dev_card", "player": 0, "card": "spy"},
            "buy_dev_card: card 'spy': expected one of knight, victory_point",
        ),
        ({"event": "play_dev_card", "player": 0, "card": None}, "play_dev_card: card None: expected one of"),
        ({"event": "monopoly", "player": 0, "resource": "gold"}, "monopoly: resource 'gold': expected one of wood"),
        ({"event": "monopoly", "player": 0, "resource": "ore", "total": -1}, "monopoly: total -1: expected"),
        ({"event": "monopoly", "player": 0, "resource": "ore", "losses": {"1": {}}}, "monopoly: losses {}: expected"),
        ({"event": "move_robber", "player": 0, "hex": 19}, "move_robber: hex 19: expected a whole number from 0 to 18"),
        ({"event": "steal", "player": 0, "victim": 9}, "steal: victim 9: expected"),
        ({"event": "steal", "player": 0, "victim": 1, "resource": "gold"}, "steal: resource 'gold': expected one of"),
        ({"event": "discard", "player": 0}, "discard: neither cards nor count is given"),
        ({"event": "discard", "player": 0, "count": 3, "cards": {"ore": 2}}, "discard: 2 cards are given, but count is 3"),
        ({"event": "discard", "player": 0, "count": "3"}, "discard: count '3': expected"),
        ({"event": "hand_count", "player": 0, "count": 201}, "hand_count: count 201: expected"),
        ({"event": "bank_count", "counts": {"gold": 1}}, "bank_count: counts 'gold': expected one of wood"),
        ({"event": "bank_count", "counts": {"ore": -1}}, "bank_count: counts -1: expected"),
        ({"event": "bank_count", "counts": [1]}, r"bank_count: counts \[1\]: expected counts by resource"),
        ({"event": "correction", "player": 0, "change": {"ore": -201}}, "correction: change -201: expected"),
        ({"event": "award", "player": 0, "award": "best_beard"}, "award: award 'best_beard': expected one of longest_road"),
        ({"event": "roll", "player": 0}, "roll: total is missing"),
        ({"event": "win"}, "win: player is missing"),
        ({"event": "win", "player": 0, "points": 10}, "win: points does not belong there"),
        ({"event": "juggle", "player": 0}, "'juggle': no such event; these are starting_resources, roll"),
        ({"event": 7}, "expected an object with the field event"),
        ({"player": 0}, "expected an object with the field event"),
        ([], "expected an object with the field event"),
        (None, "expected an object with the field event"),
    ],
    ids=str,
)
def test_wrong_values_are_refused_with_the_field_named(fields, message):
    with pytest.raises(InvalidEvent, match=f"^{message}"):
        Event.from_json(fields)


def test_events_take_their_normal_form():
    assert Roll(0, 8, {2: [0, 0, 0, 0, 1], 1: {}, 0: {"wood": 1}}).gains == {0: WOOD, 2: ORE}
    assert list(Roll(0, 8, {2: ORE, 0: WOOD}).gains) == [0, 2]
    assert Build(0, "road", edge=[1, 0]).edge == (0, 1)
    assert Monopoly(0, "ore", losses={1: 0, 2: 3}).losses == {2: 3}
    assert Discard(0, ["ore", "ore"]) == Discard(0, {"ore": 2}, count=2)
    assert list(BankCount({"ore": 1, "wood": 2}).counts) == ["wood", "ore"]


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (Roll(3, 8), "roll: there is no seat 3, only 0 to 2"),
        (Roll(0, 8, {4: WOOD}), "roll: there is no seat 4, only 0 to 2"),
        (Steal(0, 3), "steal: there is no seat 3"),
        (PlayerTrade(0, 5, WOOD, ORE), "player_trade: there is no seat 5"),
        (Monopoly(0, "ore", losses={3: 1}), "monopoly: there is no seat 3"),
        (Award(4, "longest_road"), "award: there is no seat 4"),
        (Steal(1, 1), "steal: seat 1 is named twice"),
        (PlayerTrade(0, 0, WOOD, ORE), "player_trade: seat 0 is named twice"),
        (Decline(2, 2), "decline: seat 2 is named twice"),
    ],
    ids=str,
)
def test_seats_that_do_not_exist_or_rob_themselves_are_refused(event, message):
    with pytest.raises(InvalidEvent, match=message):
        check_seats(event, 3)
    with pytest.raises(InvalidEvent, match=message):
        read_event(json.dumps(event.to_json()), 3)


@EVERY_KIND
def test_seats_that_exist_are_accepted(event, fields, text):
    check_seats(event, 3)


def test_a_player_without_a_name_has_a_number():
    assert [name_of(seat, ("Ann",)) for seat in range(3)] == ["Ann", "P2", "P3"]


# --- files ----------------------------------------------------------------------------------------------------

LOG = EventLog(NAMES, tuple(event for event, *_ in EXAMPLES), observer=1, victory_points=12)


def test_a_log_reads_back_from_its_lines():
    lines = list(LOG.lines())
    assert len(lines) == len(LOG.events) + 1
    assert read_log(lines) == LOG
    assert read_log([line for text in lines for line in (text + "\n", "", "  \n")]) == LOG


def test_names_keep_their_letters():
    log = EventLog(("Zoë", "李", 'A "quoted" \\ name'), ())
    assert "Zoë" in next(log.lines())
    assert read_log(log.lines()) == log


def test_a_header_may_leave_out_the_observer_and_the_points():
    log = read_header('{"events": "catan", "version": 1, "players": ["A", "B"]}')
    assert (log.observer, log.victory_points) == (None, 10)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "the file is empty"),
        ("{", "line 1: "),
        ("[]", "line 1: expected a header"),
        ('{"record": "catan"}', "line 1: expected a header"),
        ('{"events": "catan", "version": 2, "players": ["A", "B"]}', "line 1: version 2 of the format is unknown"),
        ('{"events": "catan", "version": 1}', "line 1: players: expected 2 to 6 different names"),
        ('{"events": "catan", "version": 1, "players": ["A"]}', "line 1: players: expected"),
        ('{"events": "catan", "version": 1, "players": ["A", "A"]}', "line 1: players: expected"),
        ('{"events": "catan", "version": 1, "players": ["A", 5]}', "line 1: players: expected"),
        ('{"events": "catan", "version": 1, "players": ["A", "B"], "observer": 2}', "line 1: observer 2: expected null"),
        ('{"events": "catan", "version": 1, "players": ["A", "B"], "observer": true}', "line 1: observer True: expected"),
        ('{"events": "catan", "version": 1, "players": ["A", "B"], "victory_points": 2}', "line 1: victory_points 2"),
        ('{"events": "catan", "version": 1, "players": ["A", "B"], "victory_points": "x"}', "line 1: victory_points 'x'"),
    ],
)
def test_a_wrong_header_is_refused(line, message):
    with pytest.raises(InvalidEvent, match=message):
        read_log([line])


@pytest.mark.parametrize(
    "line",
    ["{", "[" * 5000, '{"event": "win", "player": 3}', '{"event": NaN}', "7", "null"],
    ids=["broken", "deep", "no such seat", "no number", "number", "null"],
)
def test_the_first_wrong_line_is_named(line):
    lines = [*list(LOG.lines())[:3], "", line]
    with pytest.raises(InvalidEvent, match=r"^line 5: "):
        read_log(lines)


def test_up_to_six_players_fit_at_a_table():
    names = tuple("ABCDEF")
    assert len(names) == MOST_PLAYERS
    log = EventLog(names, (Win(5), Roll(5, 6, dict.fromkeys(range(6), WOOD))), observer=5)
    assert read_log(log.lines()) == log
