"""Replays of colonist.io: nothing is hidden in them, and they become complete records that replay under our rules."""

import copy
import json
import random
from typing import Any

import pytest

from kibitz import game
from kibitz.catan import Action, Board, Rules
from kibitz.catan.core.board import RESOURCES
from kibitz.catan.core.events import (
    BuyDevCard,
    EndTurn,
    Event,
    HandCount,
    HandSeen,
    Monopoly,
    Roll,
    Steal,
)
from kibitz.catan.core.record import Record, simulate
from kibitz.catan.core.transcript import events_of
from kibitz.catan.logs import ImportedLog, LogError, read, recognise
from kibitz.catan.logs.colonist.replay import read as read_replay
from kibitz.catan.logs.colonist.replay import recognises
from tests.catan.logs.colonist_writer import carried_by_messages, map_of
from tests.catan.logs.colonist_writer import replay as write

Json = dict[str, Any]

BOARD = Board.random(11)
RED, BLACK, BLUE = 1, 5, 2
ANN, BOB, CEM = range(3)


def replay(*changes: Json, **state: Any) -> Json:
    """Three players in the order black, red, blue."""
    initial = {
        "bankState": {"hideBankCards": False, "resourceCards": {str(r): 19 for r in range(1, 6)}},
        "playerStates": {str(c): {"resourceCards": {"cards": []}} for c in (RED, BLACK, BLUE)},
        "mechanicDevelopmentCardsState": {
            "players": {str(c): {"developmentCards": {"cards": []}} for c in (RED, BLACK, BLUE)},
        },
        "mapState": map_of(BOARD),
        "mechanicRobberState": {"locationTileIndex": BOARD.desert},
        "gameLogState": {},
    }
    users = [{"username": n, "selectedColor": c} for n, c in (("Bob", RED), ("Ann", BLACK), ("Cem", BLUE))]
    return {
        "data": {
            "databaseGameId": "17",
            "playerPerspective": BLUE,
            "playOrder": [BLACK, RED, BLUE],
            "playerUserStates": users,
            "gameSettings": {"cardDiscardLimit": 7, "victoryPointsToWin": 10, "friendlyRobber": True},
            "eventHistory": {
                "initialState": initial | state,
                "events": [{"input": {"deltaS": 0.6}, "stateChange": change} for change in changes],
            },
        }
    }


def imported(*changes: Json, me: str | None = None) -> ImportedLog:
    found = read(json.dumps(replay(*changes)), me=me)
    assert found.problems == ()
    return found


def told(*changes: Json, me: str | None = None) -> tuple[Event, ...]:
    return carried_by_messages(imported(*changes, me=me).log.events)


def everything(*changes: Json) -> tuple[Event, ...]:
    found = imported(*changes).everything
    assert found is not None
    return carried_by_messages(found)


def entry(kind: int, colour: int | None = None, to: int | None = None, **fields: Any) -> Json:
    text = {"type": kind} | ({} if colour is None else {"playerColor": colour}) | fields
    return {"text": text} | ({} if to is None else {"specificRecipients": [to], "toSpectators": False})


def log(*entries: Json, first: int = 10, **parts: Any) -> Json:
    return {"gameLogState": {str(first + i): e for i, e in enumerate(entries)}} | parts


def hands(*cards: tuple[int, list[int]]) -> Json:
    return {str(colour): {"resourceCards": {"cards": pile}} for colour, pile in cards}


# --- who sees what --------------------------------------------------------------------------------------------

THEFT = (
    entry(14, BLACK, RED, cardEnums=[2]),
    entry(15, RED, BLACK, cardEnums=[2]),
    entry(16, None, BLUE, playerColorThief=RED, playerColorVictim=BLACK, cardBacks=[0]),
)


def test_three_entries_tell_of_one_steal():
    for entries in (THEFT, THEFT[:2], THEFT[::-1], THEFT[1:]):
        assert everything(log(*entries)) == (Steal(BOB, ANN, "brick"),)
        assert told(log(*entries)) == told(log(*entries), me="Cem") == (Steal(BOB, ANN),)
        assert told(log(*entries), me="Ann") == told(log(*entries), me="Bob") == (Steal(BOB, ANN, "brick"),)


def test_the_next_steal_is_another():
    robber = entry(11, RED, pieceEnum=5)
    assert len(everything(log(*THEFT, robber, *THEFT))) == 3
    assert len(everything(log(*THEFT), log(*THEFT, first=20))) == 2


def test_a_hidden_steal_is_found_in_the_hands():
    before = {"playerStates": hands((RED, [1, 4]), (BLACK, [5, 5, 2]))}
    after = hands((RED, [4, 1, 5]), (BLACK, [2, 5]))
    assert everything(before, log(THEFT[2], playerStates=after)) == (Steal(BOB, ANN, "ore"),)
    assert told(before, log(THEFT[2], playerStates=after)) == (Steal(BOB, ANN),)
    assert everything(before, log(THEFT[2], playerStates=hands((RED, [4, 1, 5])))) == (Steal(BOB, ANN),)


def test_development_cards_are_in_clear():
    changes = [
        log(entry(1, RED), mechanicDevelopmentCardsState={"players": {"1": {"developmentCards": {"cards": [15]}}}}),
        log(
            entry(1, RED), first=11, mechanicDevelopmentCardsState={"players": {"1": {"developmentCards": {"cards": [15, 11]}}}}
        ),
    ]
    assert everything(*changes) == (BuyDevCard(BOB, "year_of_plenty"), BuyDevCard(BOB, "knight"))
    assert told(*changes) == told(*changes, me="Ann") == (BuyDevCard(BOB), BuyDevCard(BOB))
    assert told(*changes, me="Bob") == everything(*changes)


def test_the_victims_of_a_monopoly_are_found_in_the_hands():
    before = {"playerStates": hands((RED, [1]), (BLACK, [5, 5, 2]), (BLUE, [5]))}
    after = hands((RED, [1, 5, 5, 5]), (BLACK, [2]), (BLUE, []))
    events = told(before, log(entry(86, RED, cardEnum=5, amountStolen=3), playerStates=after))
    assert events == (Monopoly(BOB, "ore", 3, {ANN: 2, CEM: 1}),)


def test_hands_are_shown_to_their_owner_only():
    turn = log(entry(10, BLACK, firstDice=1, secondDice=1), entry(44), playerStates=hands((RED, [1]), (BLACK, [2, 2])))
    shown = imported(turn, me="Ann").log.events[2:5]
    assert shown == (HandSeen(ANN, {"brick": 2}), HandCount(BOB, 1), HandCount(CEM, 0))
    assert imported(turn).log.events[2:5] == (HandCount(ANN, 2), HandCount(BOB, 1), HandCount(CEM, 0))
    all_hands = imported(turn).everything
    assert all_hands is not None
    assert all_hands[2:5] == (HandSeen(ANN, {"brick": 2}), HandSeen(BOB, {"wood": 1}), HandSeen(CEM, {}))


def test_the_table():
    found = imported(me="Bob")
    assert found.format == "colonist-replay"
    assert (found.log.players, found.log.observer) == (("Ann", "Bob", "Cem"), BOB)
    assert imported().log.observer is None
    assert (found.board, found.rules) == (BOARD, Rules(friendly_robber=True))
    with pytest.raises(LogError, match="no player 'Dan'"):
        imported(me="Dan")


def test_patches_merge_at_every_depth():
    """The upgrade to a city repeats neither the owner nor the coordinates."""
    town = log(entry(5, RED, pieceEnum=2), mapState={"tileCornerStates": {"9": {"owner": RED, "buildingType": 1}}})
    city = log(entry(5, RED, pieceEnum=3), first=11, mapState={"tileCornerStates": {"9": {"buildingType": 2}}})
    assert [(e.piece, e.corner) for e in everything(town, city)] == [("settlement", 9), ("city", 9)]  # type: ignore[attr-defined]


# --- our own games --------------------------------------------------------------------------------------------


def in_any_order(record: Record) -> list[int]:
    """The codes of a game with the cards of each discard sorted: a log does not tell which card went first."""
    codes: list[int] = []
    discard: list[int] = []
    for code in record.codes:
        if Action.from_code(code).kind == "discard_resource":
            discard.append(code)
            continue
        codes += [*sorted(discard), code]
        discard = []
    return codes + sorted(discard)


@pytest.mark.parametrize(
    ("bots", "rules"),
    [
        (["builder"] * 4, Rules()),
        (["builder"] * 3, Rules(victory_points=8, discard_limit=5)),
        (["builder", "random"], Rules(victory_points=6, friendly_robber=True)),
        (["random"] * 4, Rules(max_turns=60)),
    ],
    ids=["four", "three", "two", "random"],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_our_games_come_back(bots, rules, seed):
    record = simulate(Board.random(seed), bots, seed=seed, rules=rules)
    text = write(record)
    assert recognise(text) == "colonist-replay"
    found = read(text, me="Player 2")
    assert found.problems == ()
    assert found.board == record.board
    assert found.everything is not None
    assert carried_by_messages(found.log.events) == carried_by_messages(events_of(record, 1).events)
    assert carried_by_messages(found.everything) == carried_by_messages(events_of(record, all_seeing=True).events)
    assert carried_by_messages(read(text).log.events) == carried_by_messages(events_of(record).events)
    if rules.max_turns == Rules().max_turns:
        rebuilt = found.record()
        assert in_any_order(rebuilt) == in_any_order(record)
        assert end_of(rebuilt) == end_of(record)


def end_of(record: Record) -> dict[str, Any]:
    *_, last = record.states()
    return {name: value for name, value in game.to_dict(last).items() if name != "offer_limit"}


def test_names_may_be_given():
    record = simulate(BOARD, ["builder"] * 2, seed=1, rules=Rules(max_turns=5))
    assert read(write(record, players=["Zoë", "日本"]), me="日本").log.players == ("Zoë", "日本")


def test_a_replay_that_breaks_off_still_has_its_events():
    record = simulate(BOARD, ["builder"] * 3, seed=4)
    data = json.loads(write(record))
    events = data["data"]["eventHistory"]["events"]
    del events[len(events) // 2 :]
    events.append({"stateChange": log(entry(112, 1), first=90_000)})
    found = read(json.dumps(data))
    assert found.problems == ()
    assert (
        carried_by_messages(found.log.events)
        == carried_by_messages(events_of(record).events)[: len(carried_by_messages(found.log.events))]
    )
    assert any(isinstance(event, EndTurn) for event in found.log.events)


def test_another_map_has_no_record():
    larger = map_of(BOARD)
    larger["tileHexStates"]["19"] = {"x": 3, "y": 0, "type": 1 + RESOURCES.index(RESOURCES[0]), "diceNumber": 4}
    data = replay(log(entry(10, RED, firstDice=1, secondDice=1)), mapState=larger)
    found = read(json.dumps(data))
    assert "20 hexes" in found.problems[0].reason
    assert found.log.events == (Roll(BOB, 2),)
    with pytest.raises(LogError, match="no board"):
        found.record()
    assert read(json.dumps(data), strict=True) == found


# --- files ----------------------------------------------------------------------------------------------------


def test_the_history_may_lie_at_another_depth():
    data = replay(log(entry(10, RED, firstDice=1, secondDice=1)))
    for text in (json.dumps(data["data"]), json.dumps({"data": data}), json.dumps(data, indent=1)):
        assert recognises(text)
        assert read(text).log.events == (Roll(BOB, 2),)


def test_a_replay_without_a_position_still_has_its_events():
    """Only who plays must be known."""
    data = replay(log(entry(10, RED, firstDice=5, secondDice=1), entry(47, RED, cardsToBroadcast=[5], distributionType=1)))
    data["data"]["eventHistory"]["initialState"] = {}
    found = read(json.dumps(data))
    assert (found.problems, found.board, found.log.events) == ((), None, (Roll(BOB, 6, {BOB: {"ore": 1}}),))


def test_events_that_cannot_be_read_are_problems():
    data = replay(log(entry(10, RED, firstDice=1, secondDice=1)), log(entry(44), first=11))
    data["data"]["eventHistory"]["events"][1:1] = ["?", {"stateChange": 3}, {}, {"stateChange": None}]
    found = read(json.dumps(data))
    assert [problem.line for problem in found.problems] == [2, 3]
    assert carried_by_messages(found.log.events) == (Roll(BOB, 2), EndTurn(BOB))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "\x00",
        '{"data": ' * 50_000,
        '{"eventHistory": {"initialState": {}}}',
        '{"data": {"eventHistory": {"initialState": {"playerStates": {"1": {}}}}}}',
        '{"data": {"eventHistory": [], "playOrder": [1, 2]}}',
    ],
)
def test_what_holds_no_game_is_a_log_error(text):
    with pytest.raises(LogError):
        read_replay(text)


def deep(depth: int) -> str:
    return '{"a":' * depth + "1" + "}" * depth


def test_deep_values_inside_a_game_do_no_harm():
    text = json.dumps(replay({"playerStates": "DEEP"}, log(entry(10, RED, firstDice=1, secondDice=1), {"text": "DEEP"})))
    for depth in (100, 900, 5000):
        try:
            events = read_replay(text.replace('"DEEP"', deep(depth))).log.events
        except LogError:
            continue
        assert carried_by_messages(events) == (Roll(BOB, 2),)


NONSENSE = [None, True, -1, 0, 3, 10**30, 1.5, "", "1", "\x00", "\ud800", [], [[]], [None], {}, {"1": {}}, {"type": []}]


def spoil(value: Any, rng: random.Random) -> Any:
    if rng.random() < 0.12 or not isinstance(value, (dict, list)) or not value:
        return copy.deepcopy(rng.choice(NONSENSE))
    spoiled = copy.copy(value)
    at: Any = rng.randrange(len(spoiled)) if isinstance(spoiled, list) else rng.choice(list(spoiled))
    spoiled[at] = spoil(spoiled[at], rng)
    return spoiled


def test_spoiled_replays_never_break_the_reader():
    rng = random.Random(6)
    data = json.loads(write(simulate(BOARD, ["random"] * 3, seed=2, rules=Rules(max_turns=25))))
    for _ in range(300):
        broken = data
        for _ in range(rng.randrange(1, 8)):
            broken = spoil(broken, rng)
        try:
            found = read_replay(json.dumps(broken))
            found.record()
        except LogError:
            continue
