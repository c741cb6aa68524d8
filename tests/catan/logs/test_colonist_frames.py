"""Captured games of colonist.io: each kind of entry becomes its event, our own games come back, nothing breaks the reader."""

import copy
import json
import random
from typing import Any

import pytest

from kibitz.catan import Board, Rules
from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.core.board import PORT_TYPES, RESOURCES
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
from kibitz.catan.core.topology import AXIAL, CORNER_HEXES, CORNERS, EDGE_ENDS, EDGES, HEXES, NONE
from kibitz.catan.core.transcript import events_of
from kibitz.catan.logs import ImportedLog, LogError, recognise
from kibitz.catan.logs import read as read_any
from kibitz.catan.logs.colonist.frames import read, recognises
from kibitz.catan.logs.colonist.values import CORNER_AT, EDGE_AT, HEX_AT, Places, board_of, merge
from tests.catan.logs.colonist_writer import carried_by_messages, map_of
from tests.catan.logs.colonist_writer import frames as write

Json = dict[str, Any]

BOARD = Board.random(7)
RECORD = simulate(Board.random(3), ["builder"] * 4, seed=3, rules=Rules(victory_points=7))


def full_state(**parts: Any) -> Json:
    """Four players in the order blue, orange, red, green; red is watching."""
    state = {
        "bankState": {"hideBankCards": False, "resourceCards": {str(r): 19 for r in range(1, 6)}},
        "playerStates": {str(c): {"resourceCards": {"cards": []}} for c in range(1, 5)},
        "mechanicDevelopmentCardsState": {"players": {str(c): {"developmentCards": {"cards": []}} for c in range(1, 5)}},
        "mapState": map_of(BOARD),
        "mechanicRobberState": {"locationTileIndex": BOARD.desert},
        "tradeState": {"activeOffers": {}},
        "gameLogState": {"0": {"text": {"type": 2}}, "1": {"text": {"type": 44}}},
    }
    users = [
        {"username": name, "selectedColor": i, "isBot": i > 1} for i, name in enumerate(("Ruth", "Bo", "Ole", "Gil"), start=1)
    ]
    settings = {"cardDiscardLimit": 7, "victoryPointsToWin": 10, "friendlyRobber": False}
    return {
        "playerColor": 1,
        "playOrder": [2, 3, 1, 4],
        "gameState": state | parts,
        "playerUserStates": users,
        "gameSettings": settings,
    }


BO, OLE, RUTH, GIL = range(4)
BLUE, ORANGE, RED, GREEN = 2, 3, 1, 4


def messages(*payloads: tuple[int, Any]) -> str:
    found: list[Json] = [{"v0": 2, "v1": 2, "str": "lobby", "message": {"action": 9, "payload": False}}]
    found += [
        {"id": "130", "data": {"type": kind, "sequence": 100 + i, "payload": payload}}
        for i, (kind, payload) in enumerate(payloads)
    ]
    return json.dumps(found)


def capture(*patches: Json, start: Json | None = None) -> ImportedLog:
    return read(messages((4, start or full_state()), *((91, {"diff": patch}) for patch in patches)))


def entry(kind: int, colour: int | None = None, **fields: Any) -> Json:
    text = {"type": kind} | ({} if colour is None else {"playerColor": colour}) | fields
    return {"text": text} | ({} if colour is None else {"from": colour})


def log(*entries: Json, first: int = 10, **parts: Any) -> Json:
    return {"gameLogState": {str(first + i): e for i, e in enumerate(entries)}} | parts


def hands(**cards: list[int]) -> Json:
    colours = {"red": 1, "blue": 2, "orange": 3, "green": 4}
    return {str(colours[name]): {"resourceCards": {"cards": pile}} for name, pile in cards.items()}


def told(*patches: Json, start: Json | None = None) -> tuple[Event, ...]:
    """The events of patches that must all be readable, without counts."""
    imported = capture(*patches, start=start)
    assert imported.problems == ()
    return carried_by_messages(imported.log.events)


# --- geometry -------------------------------------------------------------------------------------------------


def test_every_place_of_the_island_has_its_coordinates():
    assert sorted(HEX_AT.values()) == list(range(HEXES))
    assert sorted(CORNER_AT.values()) == list(range(CORNERS))
    assert sorted(EDGE_AT.values()) == list(range(EDGES))


def hexes_around(x: int, y: int, z: int) -> set[tuple[int, int]]:
    """A north corner touches its hex and the two above it, a south corner its hex and the two below it."""
    return {(x, y), (x + 1, y - 1), (x, y - 1)} if z == 0 else {(x, y), (x, y + 1), (x - 1, y + 1)}


def test_a_corner_touches_the_same_hexes_here_and_there():
    for spot, corner in CORNER_AT.items():
        ours = {AXIAL[h] for h in CORNER_HEXES[corner].tolist() if h != NONE}
        assert hexes_around(*spot) & set(AXIAL) == ours


def ends_of(x: int, y: int, z: int) -> set[tuple[int, int, int]]:
    north, north_west, south_west, south = (x, y, 0), (x, y - 1, 1), (x - 1, y + 1, 0), (x, y, 1)
    return [{north_west, north}, {south_west, north_west}, {south, south_west}][z]


def test_an_edge_has_the_same_ends_here_and_there():
    for spot, edge in EDGE_AT.items():
        assert {CORNER_AT[end] for end in ends_of(*spot)} == set(EDGE_ENDS[edge])
    ends = {frozenset(ends_of(*spot)) for spot in EDGE_AT}
    assert len(ends) == EDGES


@pytest.mark.parametrize("seed", range(5))
def test_a_board_comes_back_whatever_its_keys_are(seed):
    board = Board.random(seed, tokens="random")
    shuffled = {}
    for part, places in map_of(board).items():
        keys = [str(key) for key in random.Random(seed).sample(range(1000), len(places))]
        shuffled[part] = dict(zip(keys, places.values(), strict=True))
    assert board_of(shuffled) == board
    places = Places.of(shuffled)
    assert sorted(places.corners.values()) == list(range(CORNERS))
    assert sorted(places.edges.values()) == list(range(EDGES))


def test_terrain_and_harbours_are_numbered_as_on_the_site():
    parts = map_of(BOARD)
    for h, tile in parts["tileHexStates"].items():
        resource = BOARD.hexes[int(h)].resource
        assert tile["type"] == (0 if resource is None else 1 + RESOURCES.index(resource))
    assert sorted(port["type"] for port in parts["portEdgeStates"].values()) == [1, 1, 1, 1, 2, 3, 4, 5, 6]
    assert [PORT_TYPES[port["type"] - 1] for port in parts["portEdgeStates"].values()] == [h.kind for h in BOARD.harbours]


def larger_map() -> Json:
    larger = map_of(BOARD)
    larger["tileHexStates"]["19"] = {"x": 3, "y": 0, "type": 1, "diceNumber": 4}
    return larger


def second_desert() -> Json:
    changed = map_of(BOARD)
    changed["tileHexStates"][str((BOARD.desert + 1) % HEXES)] |= {"type": 0, "diceNumber": 0}
    return changed


def harbour_inland() -> Json:
    changed = map_of(BOARD)
    changed["portEdgeStates"]["0"] |= {"x": 0, "y": 0, "z": 0}
    return changed


def crowded_harbours() -> Json:
    changed = map_of(BOARD)
    changed["portEdgeStates"]["1"] |= {**changed["portEdgeStates"]["0"], "type": 1}
    return changed


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (larger_map, "20 hexes"),
        (second_desert, "one desert too many"),
        (harbour_inland, "does not lie on the coast"),
        (crowded_harbours, "harbour"),
    ],
)
def test_another_map_gives_no_board_but_the_events(make, reason):
    start = full_state(mapState=make())
    imported = capture(log(entry(10, BLUE, firstDice=1, secondDice=2)), start=start)
    assert imported.board is None
    assert len(imported.problems) == 1
    assert reason in imported.problems[0].reason
    assert carried_by_messages(imported.log.events) == (Roll(BO, 3),)
    assert read(messages((4, start)), strict=True).problems == imported.problems


# --- the table ------------------------------------------------------------------------------------------------


def test_players_sit_in_the_order_of_play():
    imported = capture()
    assert imported.log.players == ("Bo", "Ole", "Ruth", "Gil")
    assert imported.log.observer == RUTH
    assert imported.board == BOARD
    assert imported.rules == Rules()
    assert imported.everything is None
    assert imported.log.events == ()


def test_players_may_be_listed_by_number():
    users = full_state()["playerUserStates"]
    start = full_state() | {"playerUserStates": {str(i): user for i, user in enumerate(users)}}
    assert capture(start=start).log.players == ("Bo", "Ole", "Ruth", "Gil")


def test_players_without_a_name_are_called_by_their_colour():
    start = full_state() | {"playerUserStates": [{"username": "Blue", "selectedColor": 1}, {"selectedColor": 2}, "?", None]}
    assert capture(start=start).log.players == ("Blue", "Orange", "Blue (Red)", "Green")


@pytest.mark.parametrize("colour", [None, 0, 7, "1", {}])
def test_a_spectator_has_no_seat(colour):
    start = full_state() | {"playerColor": colour}
    assert capture(start=start).log.observer is None
    text = messages((4, start))
    assert read(text, me="Gil").log.observer == GIL


def test_whose_messages_they_are_cannot_be_contradicted():
    text = messages((4, full_state()))
    assert read(text, me="Ruth").log.observer == RUTH
    with pytest.raises(LogError, match="messages to Ruth, not to Gil"):
        read(text, me="Gil")
    with pytest.raises(LogError, match="no player 'Ann'"):
        read(text, me="Ann")


def test_settings_may_come_in_a_message_of_their_own():
    start = full_state()
    del start["gameSettings"]
    settings = {"cardDiscardLimit": 9, "victoryPointsToWin": 15, "friendlyRobber": True}
    imported = read(messages((44, settings), (4, start)))
    assert imported.rules == Rules(discard_limit=9, victory_points=15, friendly_robber=True)
    assert imported.log.victory_points == 15


def test_settings_that_our_rules_do_not_have_are_noted():
    start = full_state() | {"gameSettings": {"victoryPointsToWin": 99, "cardDiscardLimit": 8}}
    imported = capture(start=start)
    assert imported.rules == Rules(discard_limit=8)
    assert ["victoryPointsToWin" in problem.reason for problem in imported.problems] == [True]
    assert read(messages((4, start)), strict=True) == imported


# --- what an entry says ---------------------------------------------------------------------------------------


def test_the_set_up():
    corner, road = 20, [20, 31]
    edge = str(EDGE_ENDS.index((20, 31)))
    built = {"mapState": {"tileCornerStates": {str(corner): {"owner": BLUE, "buildingType": 1}}}}
    events = told(
        log(
            entry(4, BLUE, pieceEnum=2),
            entry(47, BLUE, cardsToBroadcast=[4, 1], distributionType=0),
            **built,
            playerStates=hands(blue=[0, 0]),
        ),
        log(
            entry(4, BLUE, pieceEnum=0),
            entry(44),
            first=12,
            mapState={"tileEdgeStates": {edge: {"owner": BLUE, "type": 1}}},
        ),
    )
    assert events == (
        Build(BO, "settlement", True, corner=corner),
        StartingResources(BO, {"wood": 1, "wheat": 1}),
        Build(BO, "road", True, edge=tuple(road)),
    )


def test_gains_join_the_roll():
    events = told(
        log(
            entry(10, BLUE, firstDice=6, secondDice=2),
            entry(49, tileInfo={"tileType": 1, "diceNumber": 8}),
            entry(47, RED, cardsToBroadcast=[5], distributionType=1),
            entry(47, GREEN, cardsToBroadcast=[1, 1], distributionType=1),
            entry(47, RED, cardsToBroadcast=[1, 5], distributionType=1),
            entry(44),
        )
    )
    assert events == (Roll(BO, 8, {RUTH: {"wood": 1, "ore": 2}, GIL: {"wood": 2}}), EndTurn(BO))


def test_gains_may_come_a_patch_later_but_not_after_other_events():
    gain = entry(47, RED, cardsToBroadcast=[5], distributionType=1)
    roll = log(entry(10, BLUE, firstDice=6, secondDice=2))
    assert told(roll, log(gain, first=20)) == (Roll(BO, 8, {RUTH: {"ore": 1}}),)
    trade = entry(116, BLUE, givenCardEnums=[1, 1, 1, 1], receivedCardEnums=[2])
    assert told(roll, log(trade, gain, first=20))[-1] == Gain(RUTH, {"ore": 1})
    assert told(log(entry(47, RED, cardsToBroadcast=[3], distributionType=2))) == (Gain(RUTH, {"sheep": 1}),)
    assert told(log(entry(13, RED, cardEnum=3), entry(13, RED, cardEnum=11))) == (Gain(RUTH, {"sheep": 1}),)


def test_a_roll_that_was_made_for_the_player_is_one_roll():
    dice = {"firstDice": 2, "secondDice": 3}
    assert told(log(entry(141, BLUE, **dice), entry(10, BLUE, **dice), entry(44))) == (Roll(BO, 5), EndTurn(BO))
    assert told(log(entry(141, BLUE), entry(10, BLUE, **dice), entry(44))) == (Roll(BO, 5), EndTurn(BO))


def test_dice_that_roll_for_nobody_bring_cards():
    dice = {"firstDice": 6, "secondDice": 2}
    gain = entry(47, RED, cardsToBroadcast=[5], distributionType=1)
    assert told(log(entry(10, BLUE, **dice), entry(141, **dice), gain)) == (Roll(BO, 8), Gain(RUTH, {"ore": 1}))


def test_the_robber_may_move_by_itself():
    hex = 0 if BOARD.desert else 1
    dice = {"firstDice": 6, "secondDice": 1}
    moved = log(entry(10, BLUE, **dice), entry(147), mechanicRobberState={"locationTileIndex": hex})
    assert told(moved) == (Roll(BO, 7), MoveRobber(BO, hex))
    assert told(log(entry(147))) == ()


def test_a_turn_ends_only_after_a_roll():
    dice = {"firstDice": 2, "secondDice": 3}
    events = told(log(entry(44), entry(10, BLUE, **dice), entry(44), entry(44), entry(20, RED, cardEnum=11), entry(44)))
    assert events == (Roll(BO, 5), EndTurn(BO), PlayDevCard(RUTH, "knight"))


def test_a_turn_ends_without_a_separator_when_somebody_else_plays():
    rolls = [entry(10, colour, firstDice=1, secondDice=4) for colour in (BLUE, BLUE, ORANGE, RED)]
    knight = entry(20, GREEN, cardEnum=11)
    later = [entry(20, ORANGE, cardEnum=12), entry(10, GREEN, firstDice=3, secondDice=3), entry(45, GREEN)]
    assert told(log(*rolls, knight), log(*later, first=20)) == (
        Roll(BO, 5),
        EndTurn(BO),
        Roll(OLE, 5),
        EndTurn(OLE),
        Roll(RUTH, 5),
        EndTurn(RUTH),
        PlayDevCard(GIL, "knight"),
        PlayDevCard(OLE, "victory_point"),
        Roll(GIL, 6),
        Win(GIL),
    )


def test_building_with_its_place():
    corner = {"owner": BLUE, "buildingType": 1}
    events = told(
        log(entry(5, BLUE, pieceEnum=2, isVp=True), mapState={"tileCornerStates": {"7": corner}}),
        log(entry(5, BLUE, pieceEnum=3, isVp=True), first=11, mapState={"tileCornerStates": {"7": {"buildingType": 2}}}),
        log(entry(5, BLUE, pieceEnum=0, isVp=False), first=12, mapState={"tileEdgeStates": {"5": {"owner": BLUE}}}),
    )
    assert events == (
        Build(BO, "settlement", corner=7),
        Build(BO, "city", corner=7),
        Build(BO, "road", edge=EDGE_ENDS[5]),
    )


def test_the_place_may_come_a_patch_earlier_or_later():
    built = {"mapState": {"tileCornerStates": {"7": {"owner": BLUE, "buildingType": 1}}}}
    word = log(entry(5, BLUE, pieceEnum=2))
    assert told(built, word) == told(word, built) == (Build(BO, "settlement", corner=7),)
    assert told(word) == (Build(BO, "settlement"),)
    other = {"mapState": {"tileCornerStates": {"7": {"owner": RED, "buildingType": 1}}}}
    assert told(word, other) == (Build(BO, "settlement"),)
    second = log(
        entry(5, BLUE, pieceEnum=2), first=30, mapState={"tileCornerStates": {"9": {"owner": BLUE, "buildingType": 1}}}
    )
    assert told(word, second) == (Build(BO, "settlement"), Build(BO, "settlement", corner=9))


def test_several_turns_in_one_patch_keep_their_places():
    corners = {"7": {"owner": BLUE, "buildingType": 1}, "9": {"owner": ORANGE, "buildingType": 1}}
    patch = log(entry(4, BLUE, pieceEnum=2), entry(44), entry(4, ORANGE, pieceEnum=2), mapState={"tileCornerStates": corners})
    assert told(patch) == (Build(BO, "settlement", True, corner=7), Build(OLE, "settlement", True, corner=9))


def test_road_building():
    edges = {str(e): {"owner": RED, "type": 1} for e in (5, 6)}
    events = told(
        log(
            entry(20, RED, cardEnum=14),
            entry(4, RED, pieceEnum=0),
            entry(4, RED, pieceEnum=0),
            mapState={"tileEdgeStates": edges},
        )
    )
    assert events == (
        PlayDevCard(RUTH, "road_building"),
        Build(RUTH, "road", True, edge=EDGE_ENDS[5]),
        Build(RUTH, "road", True, edge=EDGE_ENDS[6]),
    )


def dev_cards(colour: int, *cards: int) -> Json:
    return {"players": {str(colour): {"developmentCards": {"cards": list(cards)}}}}


def test_only_the_buyer_sees_a_development_card():
    events = told(
        log(entry(1, RED), mechanicDevelopmentCardsState=dev_cards(RED, 13)),
        log(entry(1, BLUE), first=11, mechanicDevelopmentCardsState=dev_cards(BLUE, 10)),
        log(entry(1, RED), first=12, mechanicDevelopmentCardsState=dev_cards(RED, 12, 13)),
        log(entry(1, ORANGE), first=13, mechanicDevelopmentCardsState=dev_cards(ORANGE, 11)),  # older captures
    )
    assert events == (BuyDevCard(RUTH, "monopoly"), BuyDevCard(BO), BuyDevCard(RUTH, "victory_point"), BuyDevCard(OLE))


@pytest.mark.parametrize(("number", "card"), [(11, "knight"), (12, "victory_point"), (14, "road_building")])
def test_a_played_card(number, card):
    assert told(log(entry(20, GREEN, cardEnum=number))) == (PlayDevCard(GIL, card),)


def test_year_of_plenty():
    events = told(log(entry(20, RED, cardEnum=15), entry(21, RED, cardEnums=[5, 2])))
    assert events == (PlayDevCard(RUTH, "year_of_plenty"), YearOfPlenty(RUTH, {"ore": 1, "brick": 1}))


MONOPOLY = log(entry(20, RED, cardEnum=13), entry(86, RED, cardEnum=5, amountStolen=3))


def test_the_victims_of_a_monopoly_are_known_by_the_sizes_of_their_hands():
    before = {"playerStates": hands(red=[1], blue=[0, 0, 0], green=[0, 0], orange=[0])}
    after = hands(red=[1, 5, 5, 5], blue=[0], green=[0], orange=[0])
    events = told(before, MONOPOLY | {"playerStates": after})
    assert events == (PlayDevCard(RUTH, "monopoly"), Monopoly(RUTH, "ore", 3, {BO: 2, GIL: 1}))


@pytest.mark.parametrize("order", ["before", "after"])
def test_the_victims_of_a_monopoly_are_known_by_the_movements_of_cards(order):
    flights = [(43, {"givingPlayer": c, "givingCards": [5] * n, "receivingPlayer": RED}) for c, n in ((BLUE, 2), (GREEN, 1))]
    noise = [(43, {"givingPlayer": RED, "givingCards": [13], "receivingPlayer": 0, "receivingCards": []}), (43, None)]
    patch = [(91, {"diff": MONOPOLY})]
    found = [*noise, *flights, *patch] if order == "before" else [*patch, *noise, *flights]
    assert read(messages((4, full_state()), *found)).log.events[1] == Monopoly(RUTH, "ore", 3, {BO: 2, GIL: 1})


def test_a_monopoly_whose_victims_are_not_known_has_its_total():
    assert told(MONOPOLY)[1] == Monopoly(RUTH, "ore", 3)
    assert told(log(entry(86, RED, cardEnum=5, amountStolen=0))) == (Monopoly(RUTH, "ore", 0, {}),)


def test_the_robber():
    target = 0 if BOARD.desert != 0 else 1
    hex = BOARD.hexes[target]
    tile = {"tileType": 1 + RESOURCES.index(hex.resource), "diceNumber": hex.number}
    moved = entry(11, ORANGE, pieceEnum=5, tileInfo=tile)
    here = {"mechanicRobberState": {"locationTileIndex": target}}
    assert told(log(moved) | here) == (MoveRobber(OLE, target),)
    assert told(log(entry(11, ORANGE)) | here) == (MoveRobber(OLE, target),)
    home = entry(11, ORANGE, pieceEnum=5, tileInfo={"tileType": 0, "diceNumber": 0})
    assert told(log(home)) == (MoveRobber(OLE, BOARD.desert),)
    for note in (39, 74, 139, 60):
        assert told(log(home, entry(note, ORANGE))) == (MoveRobber(OLE, BOARD.desert),)


def test_a_steal_as_thief_as_victim_and_between_others():
    to_thief = entry(14, BLUE, cardEnums=[2]) | {"from": RED, "specificRecipients": [RED], "toSpectators": False}
    to_victim = entry(15, BLUE, cardEnums=[4]) | {"specificRecipients": [RED]}
    hidden = entry(16, playerColorThief=BLUE, playerColorVictim=GREEN, cardBacks=[0]) | {"from": BLUE}
    assert told(log(to_thief)) == (Steal(RUTH, BO, "brick"),)
    assert told(log(to_victim)) == (Steal(BO, RUTH, "wheat"),)
    assert told(log(hidden)) == (Steal(BO, GIL),)
    for steal in (to_thief, to_victim):
        del steal["specificRecipients"]
    assert told(log(to_thief)) == (Steal(RUTH, BO, "brick"),)
    assert told(log(to_victim)) == (Steal(BO, RUTH, "wheat"),)


def test_two_steals_in_a_row_are_two():
    hidden = entry(16, playerColorThief=BLUE, playerColorVictim=GREEN, cardBacks=[0])
    assert told(log(hidden, hidden)) == (Steal(BO, GIL), Steal(BO, GIL))


def test_trades():
    events = told(
        log(
            entry(118, RED, wantedCardEnums=[9, 1], offeredCardEnums=[4, 4]),
            entry(117, playerColorCreator=GREEN, playerColorOffered=RED, wantedCardEnums=[4], offeredCardEnums=[1]),
            entry(115, RED, acceptingPlayerColor=GREEN, givenCardEnums=[4], receivedCardEnums=[1]),
            entry(116, RED, givenCardEnums=[3, 3], receivedCardEnums=[5]),
        )
    )
    assert events == (
        Offer(RUTH, {"wheat": 2}, {"wood": 1}),
        CounterOffer(GIL, RUTH, {"wood": 1}, {"wheat": 1}),
        PlayerTrade(RUTH, GIL, {"wheat": 1}, {"wood": 1}),
        BankTrade(RUTH, {"sheep": 2}, {"ore": 1}),
    )


def offer(**fields: Any) -> Json:
    terms = {
        "id": "abcd",
        "creator": BLUE,
        "offeredResources": [1],
        "wantedResources": [5, 5],
        "playerResponses": {"1": 0, "3": 0, "4": 0},
    }
    return {"tradeState": {"activeOffers": {"abcd": terms | fields}}}


def answers(**responses: int) -> Json:
    responses = {colour.removeprefix("c"): value for colour, value in responses.items()}
    return {"tradeState": {"activeOffers": {"abcd": {"playerResponses": responses}}}}


OFFER = log(entry(118, BLUE, wantedCardEnums=[5, 5], offeredCardEnums=[1]))
YES = Accept(GIL, BO, {"ore": 2}, {"wood": 1})


def test_answers_are_told_once():
    patches = [OFFER | offer(), answers(c4=1), answers(c4=1, c1=2), answers(c1=0), answers(c1=2), answers(c2=1, c9=1)]
    assert told(*patches) == (Offer(BO, {"wood": 1}, {"ore": 2}), YES, Decline(RUTH, BO))


def test_an_answer_stands_between_its_offer_and_the_trade():
    deal = log(entry(115, BLUE, acceptingPlayerColor=GREEN, givenCardEnums=[1], receivedCardEnums=[5, 5]), first=30)
    trade = PlayerTrade(BO, GIL, {"wood": 1}, {"ore": 2})
    assert told(OFFER | offer(), deal | answers(c4=1)) == (Offer(BO, {"wood": 1}, {"ore": 2}), YES, trade)
    assert told(OFFER | offer(playerResponses={"4": 1}))[1:] == (YES,)


def test_answers_to_a_counter_offer_prove_nothing():
    assert told(OFFER | offer(counterOfferInResponseToTradeId="wxyz", playerResponses={"4": 1}))[1:] == ()


def test_a_discard():
    events = told(log(entry(64, RED), entry(55, RED, cardEnums=[1, 5, 1, 3]), entry(55, BLUE, cardEnums=[0, 0])))
    assert events == (Discard(RUTH, {"wood": 2, "sheep": 1, "ore": 1}), Discard(BO, count=2))


def test_awards_and_the_end():
    events = told(
        log(
            entry(66, RED, achievementEnum=0),
            entry(68, achievementEnum=0, playerColorOld=RED, playerColorNew=BLUE),
            entry(67, BLUE, achievementEnum=0),
            entry(66, GREEN, achievementEnum=1),
            entry(10, RED, firstDice=1, secondDice=1),
            entry(45, RED),
            entry(44),
        )
    )
    roads = [Award(RUTH, "longest_road"), Award(BO, "longest_road"), Award(None, "longest_road")]
    assert events == (*roads, Award(GIL, "largest_army"), Roll(RUTH, 2), Win(RUTH))


@pytest.mark.parametrize("kind", [66, 67, 68])
def test_an_award_belongs_to_its_new_holder(kind):
    passed = entry(kind, RED, achievementEnum=1, playerColorOld=RED, playerColorNew=BLUE)
    lost = entry(kind, RED, achievementEnum=1, playerColorOld=RED)
    assert told(log(passed, lost)) == (Award(BO, "largest_army"), Award(None, "largest_army"))


@pytest.mark.parametrize("kind", [0, 2, 24, 39, 49, 60, 64, 74, 112, 113, 114, 139])
def test_notes_are_silent(kind):
    assert told(log(entry(kind, RED), entry(kind))) == ()


@pytest.mark.parametrize(
    ("shown", "expansion"),
    [
        (entry(7, RED), "Cities & Knights"),
        (entry(62, RED), "Cities & Knights"),
        (entry(17, RED), "Cities & Knights"),
        (entry(133, RED), "Cities & Knights"),
        (entry(5, RED, pieceEnum=4), "Cities & Knights"),
        (entry(47, RED, cardsToBroadcast=[5, 7], distributionType=1), "Cities & Knights"),
        (entry(115, RED, acceptingPlayerColor=BLUE, givenCardEnums=[6], receivedCardEnums=[2]), "Cities & Knights"),
        (entry(4, RED, pieceEnum=1), "Seafarers"),
        (entry(6, RED, pieceEnum=1), "Seafarers"),
    ],
)
def test_an_expansion_is_refused_where_the_log_shows_it(shown, expansion):
    with pytest.raises(LogError, match=f"^line 10: this is a game of {expansion}; only the base game can be read"):
        capture(log(shown, entry(45, RED)))


@pytest.mark.parametrize(("mode", "expansion"), [(4, "Seafarers"), (6, "Cities & Knights"), (9, "Cities & Knights with")])
def test_an_expansion_is_refused_by_its_settings(mode, expansion):
    with pytest.raises(LogError, match=f"this is a game of {expansion}"):
        capture(start=full_state() | {"gameSettings": {"modeSetting": mode}})


@pytest.mark.parametrize("mode", [0, 2, 12])
def test_other_modes_are_the_base_game(mode):
    assert capture(start=full_state() | {"gameSettings": {"modeSetting": mode}}).problems == ()


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (entry(999, RED), "unknown type 999"),
        ({"text": {}}, "without a type"),
        ({"text": "?"}, "without a type"),
        ("?", "without a type"),
        (entry(10, RED, firstDice=0, secondDice=7), "not two dice"),
        (entry(10, 9, firstDice=1, secondDice=2), "not the colour of a player"),
        (entry(47, RED, cardsToBroadcast=[9], distributionType=1), "not a list of resource cards"),
        (entry(5, RED, pieceEnum=5), "not a piece"),
        (entry(20, RED, cardEnum=30), "not a development card"),
        (entry(86, RED, cardEnum=9, amountStolen=1), "not a resource card"),
        (entry(86, RED, cardEnum=1, amountStolen=-1), "total"),
        (entry(66, RED, achievementEnum=5), "award"),
        (entry(115, RED, acceptingPlayerColor=RED, givenCardEnums=[1], receivedCardEnums=[2]), "named twice"),
        (entry(15, BLUE, cardEnums=[1]) | {"specificRecipients": [BLUE]}, "named twice"),
    ],
)
def test_an_entry_that_cannot_be_read_is_a_problem_with_its_index(bad, reason):
    imported = capture(log(bad, entry(45, RED), first=70))
    assert [problem.line for problem in imported.problems] == [70]
    assert reason in imported.problems[0].reason
    assert (imported.log.events, imported.lines) == ((Win(RUTH),), (71,))
    with pytest.raises(LogError, match="line 70: "):
        read(messages((4, full_state()), (91, {"diff": log(bad, first=70)})), strict=True)


# --- evidence -------------------------------------------------------------------------------------------------


TURN = log(
    entry(10, BLUE, firstDice=2, secondDice=3),
    entry(44),
    playerStates=hands(red=[5, 1], blue=[0, 0, 0], orange=[0]),
    bankState={"resourceCards": {"1": 18}},
)
BANK = {"wood": 18, "brick": 19, "sheep": 19, "wheat": 19, "ore": 19}
COUNTS = (HandCount(BO, 3), HandCount(OLE, 1), HandSeen(RUTH, {"wood": 1, "ore": 1}), HandCount(GIL, 0), BankCount(BANK))


def test_the_end_of_a_turn_shows_the_hands_and_the_bank():
    assert capture(TURN).log.events == (Roll(BO, 5), EndTurn(BO), *COUNTS)
    spectator = full_state() | {"playerColor": None}
    shown = capture(TURN | {"playerStates": hands(red=[0, 0], blue=[0, 0, 0], orange=[0])}, start=spectator).log.events
    assert shown[2:] == (*COUNTS[:2], HandCount(RUTH, 2), *COUNTS[3:])


def test_a_hidden_bank_is_not_shown():
    start = full_state(bankState={"hideBankCards": True, "resourceCards": {}})
    assert capture(TURN, start=start).log.events[2:] == COUNTS[:4]


def test_a_state_that_is_ahead_of_the_log_shows_nothing():
    ahead = copy.deepcopy(TURN)
    ahead["gameLogState"]["12"] = entry(1, ORANGE)
    assert capture(ahead).log.events == (Roll(BO, 5), EndTurn(BO), BuyDevCard(OLE))
    ahead["gameLogState"]["12"] = entry(999, ORANGE)
    assert capture(ahead).log.events == (Roll(BO, 5), EndTurn(BO))
    ahead["gameLogState"]["12"] = entry(115, RED, acceptingPlayerColor=RED, givenCardEnums=[1], receivedCardEnums=[2])
    assert capture(ahead).log.events == (Roll(BO, 5), EndTurn(BO))
    ahead["gameLogState"]["12"] = entry(24, ORANGE)
    assert capture(ahead).log.events == (Roll(BO, 5), EndTurn(BO), *COUNTS)


def shortage(**fields: Any) -> Json:
    return log(
        entry(10, BLUE, firstDice=4, secondDice=4),
        entry(146, cardEnum=5, requiredCount=4, playerColors=[1, 2], **fields),
        bankState={"resourceCards": {"5": 2}},
    )


def test_a_shortage_tells_what_the_bank_holds():
    roll, held = Roll(BO, 8), BankCount({"ore": 2})
    assert capture(shortage(bankCount=2)).log.events == (roll, held)
    assert capture(shortage(bankCount=3)).log.events == (roll,), "the bank shows another number"
    assert capture(shortage()).log.events == (roll,)
    hidden = full_state(bankState={"hideBankCards": True})
    assert capture(shortage(bankCount=2), start=hidden).log.events == (roll, held)


def test_a_single_claimant_takes_what_the_bank_has_left():
    patch = shortage(bankCount=2)
    patch["gameLogState"]["12"] = entry(47, RED, cardsToBroadcast=[5, 5], distributionType=1)
    patch["bankState"] = {"resourceCards": {"5": 0}}
    assert capture(patch).log.events == (Roll(BO, 8, {RUTH: {"ore": 2}}), BankCount({"ore": 0}))


# --- messages -------------------------------------------------------------------------------------------------


def test_a_full_state_that_comes_again_replaces_the_state_and_repeats_nothing():
    again = full_state(playerStates=hands(red=[5], blue=[0], orange=[], green=[]))
    again["gameState"]["gameLogState"] |= TURN["gameLogState"] | {"12": entry(1, ORANGE)}
    later = log(entry(10, ORANGE, firstDice=1, secondDice=1), entry(44), first=13)
    text = messages((4, full_state()), (91, {"diff": TURN}), (4, again), (91, {"diff": TURN}), (91, {"diff": later}))
    events = read(text).log.events
    assert carried_by_messages(events) == (Roll(BO, 5), EndTurn(BO), BuyDevCard(OLE), Roll(OLE, 2), EndTurn(OLE))
    assert events[-5:-1] == (HandCount(BO, 3), HandCount(OLE, 1), HandSeen(RUTH, {"ore": 1, "wood": 1}), HandCount(GIL, 0))


def test_a_capture_may_begin_in_the_middle_of_a_game():
    start = full_state(playerStates=hands(red=[5], blue=[0], orange=[], green=[]))
    start["gameState"]["gameLogState"] |= log(
        entry(4, BLUE, pieceEnum=2), entry(10, BLUE, firstDice=2, secondDice=3), entry(44), entry(1, ORANGE)
    )["gameLogState"]
    imported = capture(start=start)
    assert imported.problems == ()
    assert carried_by_messages(imported.log.events) == (
        Build(BO, "settlement", True),
        Roll(BO, 5),
        EndTurn(BO),
        BuyDevCard(OLE),
    )
    assert imported.log.events[4:7] == (HandCount(BO, 1), HandCount(OLE, 0), HandSeen(RUTH, {"ore": 1}))


BANK_LEFT = Cards(wood=18, brick=16, sheep=19, wheat=19, ore=18)


def test_a_position_that_no_log_explains_becomes_events():
    corners, edges = (
        {str(n): {**spot} for n, spot in map_of(BOARD)[part].items()} for part in ("tileCornerStates", "tileEdgeStates")
    )
    corners["0"] |= {"owner": BLUE, "buildingType": 1}
    corners["20"] |= {"owner": RED, "buildingType": 2}
    edges["5"] |= {"owner": RED, "type": 1}
    dev_cards = {
        str(RED): {"developmentCards": {"cards": [12]}, "developmentCardsUsed": [13]},
        str(GREEN): {"developmentCards": {"cards": [10]}, "developmentCardsUsed": []},
    }
    players = hands(red=[5, 1], blue=[0, 0, 0], orange=[])
    players[str(BLUE)]["victoryPointsState"] = {"0": 1, "4": 1}
    start = full_state(
        mapState=map_of(BOARD) | {"tileCornerStates": corners, "tileEdgeStates": edges},
        mechanicDevelopmentCardsState={"players": dev_cards},
        playerStates=players,
        bankState={"resourceCards": {"1": 18, "2": 16, "3": 19, "4": 19, "5": 18}},
    )
    partial = [entry(116, BLUE, givenCardEnums=[1] * 4, receivedCardEnums=[2]), entry(10, BLUE, firstDice=2, secondDice=3)]
    price = Cards(sheep=1, wheat=1, ore=1)
    opened = (
        *(Gain(RUTH, price), BuyDevCard(RUTH, "victory_point"), Gain(RUTH, price), BuyDevCard(RUTH, "monopoly")),
        *(Gain(GIL, price), BuyDevCard(GIL), EndTurn(GIL), PlayDevCard(RUTH, "monopoly")),
        *(Build(BO, "settlement", True, 0), Build(RUTH, "settlement", True, 20), Build(RUTH, "city", True, 20)),
        *(Build(RUTH, "road", True, edge=EDGE_ENDS[5]), Award(BO, "longest_road")),
        *(Correction(RUTH, {"ore": 1, "wood": 1}), Correction(BO, BANK_LEFT), UnknownCards(BO, 3)),
        Correction(BO, Cards().minus(BANK_LEFT)),
        *(HandCount(BO, 3), HandCount(OLE, 0), HandSeen(RUTH, {"ore": 1, "wood": 1})),
        BankCount(BANK_LEFT.as_dict()),
    )
    separator = log(entry(44), first=20)
    for entries, ended in (((), ()), (partial, (EndTurn(BO),))):
        start["gameState"]["gameLogState"] = log(*entries)["gameLogState"]
        imported = capture(start=start)
        assert (imported.log.events, imported.incomplete, imported.problems) == (opened, True, ())
        assert carried_by_messages(capture(separator, start=start).log.events[len(opened) :]) == ended
        tracker = HandTracker.of(imported.log, on_contradiction="raise")
        assert tracker.hand("Bo") == Cards(brick=3)
        assert [tracker.visible_points(name) for name in ("Bo", "Ole", "Ruth", "Gil")] == [3, 0, 2, 0]
        assert [tracker.dev_card_count(name) for name in ("Bo", "Ole", "Ruth", "Gil")] == [0, 0, 1, 1]
    assert not capture().incomplete


def test_a_capture_may_begin_with_backs_only():
    start = full_state(playerStates=hands(red=[0, 0], blue=[0]), gameLogState={}) | {"playerColor": None}
    for me in (None, "Ruth"):
        imported = read(messages((4, start)), me=me)
        assert imported.log.events[:4] == (UnknownCards(BO, 1), UnknownCards(RUTH, 2), HandCount(BO, 1), HandCount(RUTH, 2))
        assert imported.incomplete


def begun_late(record: Record, observer: int | None, cut: int, kept: int) -> str:
    """A capture of our game that begins with the state after so many patches, and a log of the last entries."""
    whole = json.loads(write(record, observer))
    payload = whole[0]["data"]["payload"]
    for message in whole[1:cut]:
        merge(payload["gameState"], message["data"]["payload"]["diff"])
    entries = payload["gameState"]["gameLogState"]
    payload["gameState"]["gameLogState"] = dict(list(entries.items())[len(entries) - kept :])
    return json.dumps([whole[0], *whole[cut:]])


@pytest.mark.parametrize("observer", [0, 2])
@pytest.mark.parametrize("kept", [0, 9])
def test_a_game_can_be_tracked_from_the_middle(observer, kept):
    record = simulate(Board.random(5), ["builder"] * 3, seed=5, rules=Rules(victory_points=6))
    patches = len(json.loads(write(record, observer)))
    late = read(begun_late(record, observer, patches * 3 // 4, kept))
    assert (late.incomplete, late.problems) == (True, ())
    tracker = HandTracker.of(late.log, on_contradiction="raise")
    (*_, states) = record.states()
    held = [Cards(*hand) for hand in states["hand"][0].tolist()[:3]]
    assert tracker.hand(observer) == held[observer]
    assert [tracker.total(seat).expected for seat in range(3)] == pytest.approx([hand.size for hand in held])
    assert [tracker.dev_card_count(seat) for seat in range(3)] == states["dev"][0].sum(axis=1).tolist()[:3]


@pytest.mark.parametrize("cut", [1, 2, 9, 30, 200])
def test_a_capture_that_begins_late_with_the_whole_log_misses_nothing(cut):
    whole, late = read(write(RECORD, 1)), read(begun_late(RECORD, 1, cut, 10**6))
    assert not late.incomplete
    without_answers = [
        [type(e) for e in carried_by_messages(log.log.events) if not isinstance(e, (Accept, Decline))] for log in (whole, late)
    ]
    assert without_answers[0] == without_answers[1]


def wrapped(text: str) -> list[str]:
    found = json.loads(text)
    return [
        text,
        json.dumps(found, indent=2),
        json.dumps({"game": 1, "frames": found}),
        json.dumps([{"direction": "in", "message": message} for message in found]),
        "\n".join(json.dumps(message) for message in found) + "\n",
    ]


def test_messages_may_be_wrapped_or_one_a_line():
    for text in wrapped(messages((4, full_state()), (91, {"diff": TURN}))):
        assert recognises(text)
        assert recognise(text) == "colonist-frames"
        assert read_any(text).log.events == (Roll(BO, 5), EndTurn(BO), *COUNTS)


def test_a_broken_line_is_a_problem():
    lines = wrapped(messages((4, full_state()), (91, {"diff": TURN})))[-1].splitlines()
    imported = read("\n".join([*lines[:2], '{"id": "130", "da', *lines[2:]]))
    assert [problem.line for problem in imported.problems] == [3]
    assert len(carried_by_messages(imported.log.events)) == 2


def test_the_replay_at_the_end_is_not_taken_for_the_game():
    end = {"eventHistory": {"initialState": {}, "events": []}}
    text = messages((4, full_state()), (91, {"diff": TURN}), (45, end))
    assert recognise(text) == "colonist-frames"
    assert read(text).problems == ()


def test_only_the_first_game_of_a_capture_is_read():
    second = (91, {"diff": log(entry(45, RED), first=50)})
    ids = [(1, {"databaseGameId": "17"}), (1, {"databaseGameId": "18"})]
    for follow in ([ids[0], ids[1]], [(4, full_state() | {"playOrder": [1, 2, 3, 4]})]):
        imported = read(messages((4, full_state()), (91, {"diff": TURN}), *follow, second))
        assert [problem.reason for problem in imported.problems] == ["another game begins here: only the first is read"]
        assert carried_by_messages(imported.log.events) == (Roll(BO, 5), EndTurn(BO))
    assert read(messages((4, full_state()), ids[0], second, ids[0])).problems == ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00",
        "[]",
        "{}",
        "null",
        "[" * 100_000,
        '{"id": "130", "data": {"type": 91, "payload": {"diff": {}}}}',
        messages((4, {}), (4, None), (4, {"gameState": []})),
        messages((4, {"gameState": {"mapState": {}}})),
        messages((4, {"gameState": {"playerStates": {"1": {}}}, "playOrder": [1]})),
        messages((4, {"gameState": {"playerStates": {"1": {}}}, "playOrder": [1, 2, 3, 4, 5, 6, 7]})),
    ],
)
def test_what_holds_no_game_is_a_log_error(text):
    with pytest.raises(LogError):
        read(text)


@pytest.mark.parametrize("payload", [None, 7, [], {"diff": None}, {"diff": [1]}, {}])
def test_a_message_that_cannot_be_read_is_a_problem_with_its_sequence(payload):
    imported = read(messages((4, full_state()), (91, payload), (91, {"diff": TURN})))
    assert [problem.line for problem in imported.problems] == [101]
    assert len(carried_by_messages(imported.log.events)) == 2


def test_a_missing_map_is_no_problem():
    start = full_state()
    del start["gameState"]["mapState"]
    imported = capture(log(entry(4, BLUE, pieceEnum=2)), start=start)
    assert (imported.board, imported.problems, imported.log.events) == (None, (), (Build(BO, "settlement", True),))


# --- our own games --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bots", "rules"),
    [
        (["builder"] * 4, Rules(max_turns=90)),
        (["random"] * 3, Rules(max_turns=60)),
        (["builder", "random"], Rules(discard_limit=4, victory_points=6, friendly_robber=True, max_turns=90)),
        (["random"] * 4, Rules(phased_turns=True, max_turns=60)),
    ],
    ids=["four", "three", "two", "phased"],
)
@pytest.mark.parametrize("observer", [None, 0, 1])
def test_our_games_come_back(bots, rules, observer):
    seed = 0 if observer is None else 1 + observer
    record = simulate(Board.random(seed), bots, seed=seed, rules=rules)
    names = ["Zoë", "Bo #2", "日本", "🎲"][: len(bots)]
    imported = read_any(write(record, observer, names))
    expected = events_of(record, observer, players=names)
    assert imported.problems == ()
    assert imported.board == record.board
    assert imported.rules == Rules(**{n: getattr(rules, n) for n in ("discard_limit", "victory_points", "friendly_robber")})
    assert carried_by_messages(imported.log.events) == carried_by_messages(expected.events)
    assert (imported.log.players, imported.log.observer) == (expected.players, expected.observer)
    assert len(imported.lines) == len(imported.log.events)


def test_what_the_site_shows_is_what_our_game_holds():
    """The counts at the end of each turn, against the hands of the recorded positions."""
    shown = [e for e in read(write(RECORD, 1)).log.events if isinstance(e, (HandCount, HandSeen, BankCount))]
    expected: list[Event] = []
    before = 0
    for states in RECORD.states():
        if int(states["turn"][0]) > before > 0:
            held = [Cards(*hand) for hand in states["hand"][0].tolist()]
            expected += [HandSeen(s, hand) if s == 1 else HandCount(s, hand.size) for s, hand in enumerate(held)]
            expected.append(BankCount(dict(zip(Cards._fields, states["bank"][0].tolist(), strict=True))))
        before = int(states["turn"][0])
    assert shown == expected


# --- hostile input --------------------------------------------------------------------------------------------

NONSENSE = [None, True, -1, 0, 3, 10**30, 1.5, "", "1", "\x00", "\ud800", [], [[]], [None], {}, {"1": {}}, {"type": []}]


def spoil(value: Any, rng: random.Random) -> Any:
    """A copy in which one thing is something else, missing, or there twice."""
    if rng.random() < 0.12 or not isinstance(value, (dict, list)) or not value:
        return copy.deepcopy(rng.choice(NONSENSE))
    spoiled = copy.copy(value)
    if isinstance(spoiled, list):
        at = rng.randrange(len(spoiled))
        spoiled[at : at + 1] = rng.choice([[], [spoil(spoiled[at], rng)], [spoiled[at]] * 2])
    else:
        key = rng.choice(list(spoiled))
        if rng.random() < 0.1:
            spoiled[rng.choice(["1", "x", "-1", "٣", "9" * 5000])] = spoiled.pop(key)
        else:
            spoiled[key] = spoil(spoiled[key], rng)
    return spoiled


def test_spoiled_captures_never_break_the_reader():
    rng = random.Random(5)
    found = json.loads(write(RECORD, 1))[:60]
    for _ in range(400):
        broken = list(found)
        for _ in range(rng.randrange(1, 6)):
            at = 0 if rng.random() < 0.3 else rng.randrange(len(broken))
            broken[at] = spoil(broken[at], rng)
        text = json.dumps(broken)
        if rng.random() < 0.1:
            text = text[: rng.randrange(len(text))]
        assert recognises(text) in (True, False)
        try:
            imported = read(text, me=rng.choice([None, "Player 2"]))
        except LogError:
            continue
        assert len(imported.lines) == len(imported.log.events)
