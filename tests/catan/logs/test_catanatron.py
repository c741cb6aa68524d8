"""Games of catanatron: every action becomes its event, what the file leaves out is added, and games replay under our rules."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from kibitz import game
from kibitz.catan import Board, Rules
from kibitz.catan import logs as formats
from kibitz.catan.core.actions import Action
from kibitz.catan.core.events import (
    Accept,
    Award,
    BankTrade,
    Build,
    BuyDevCard,
    Cards,
    Decline,
    Discard,
    Event,
    Monopoly,
    MoveRobber,
    Offer,
    PlayDevCard,
    PlayerTrade,
    Roll,
    Steal,
    YearOfPlenty,
)
from kibitz.catan.core.record import Record, check, simulate
from kibitz.catan.core.topology import AXIAL, EDGE_BETWEEN, EDGE_ENDS, HEX_OUTLINES
from kibitz.catan.core.transcript import events_of
from kibitz.catan.logs import LogError
from kibitz.catan.logs.catanatron import read, recognises

COLOURS = ["RED", "BLUE", "WHITE", "ORANGE"]
CORNERS = ["NORTH", "NORTHEAST", "SOUTHEAST", "SOUTH", "SOUTHWEST", "NORTHWEST"]
#: The direction of each side of a hex, the step to the hex there, and the direction from there back.
SIDES = [
    ("NORTHEAST", (1, -1), "SOUTHWEST"),
    ("EAST", (1, 0), "WEST"),
    ("SOUTHEAST", (0, 1), "NORTHWEST"),
    ("SOUTHWEST", (-1, 1), "NORTHEAST"),
    ("WEST", (-1, 0), "EAST"),
    ("NORTHWEST", (0, -1), "SOUTHEAST"),
]
#: Nodes are numbered in an order of their own.
NODE = [(7 * corner + 3) % 54 for corner in range(54)]


# --- a writer of such files -----------------------------------------------------------------------------------


def cube(hex: int) -> list[int]:
    q, r = AXIAL[hex]
    return [q, -q - r, r]


def tiles(board: Board) -> list[dict[str, Any]]:
    land = []
    for hex, (resource, number) in enumerate(board.hexes):
        kind = {"type": "RESOURCE_TILE", "resource": resource.upper(), "number": number} if resource else {"type": "DESERT"}
        land.append({"coordinate": cube(hex), "tile": {"id": hex, **kind}})
    sea = []
    for harbour in board.harbours:
        hex, side = next((h, k) for h in range(19) for k in range(6) if edge_of(h, k) == harbour.edge)
        q, r = AXIAL[hex][0] + SIDES[side][1][0], AXIAL[hex][1] + SIDES[side][1][1]
        resource = None if harbour.kind == "3:1" else harbour.kind.upper()
        sea.append({"coordinate": [q, -q - r, r], "tile": {"type": "PORT", "direction": SIDES[side][2], "resource": resource}})
    return [*land, *sea, {"coordinate": [3, 0, -3], "tile": {"type": "WATER"}}]


def edge_of(hex: int, side: int) -> int:
    return EDGE_BETWEEN[HEX_OUTLINES[hex][side], HEX_OUTLINES[hex][(side + 1) % 6]]


def nodes() -> dict[str, dict[str, Any]]:
    found = {}
    for hex in range(19):
        for k, corner in enumerate(HEX_OUTLINES[hex]):
            found[str(NODE[corner])] = {"id": NODE[corner], "tile_coordinate": cube(hex), "direction": CORNERS[k]}
    found["99"] = {"id": 99, "tile_coordinate": [3, -3, 0], "direction": "EAST"}
    return found


def ten(offer: list[int]) -> list[int]:
    return [max(n, 0) for n in offer] + [max(-n, 0) for n in offer]


def actions(record: Record, single_discards: bool) -> list[list[Any]]:
    """The steps of a game as [[colour, kind, value], result]."""
    found: list[list[Any]] = []
    states = record.start()

    def add(seat: int, kind: str, value: Any = None, result: Any = None) -> None:
        found.append([[COLOURS[seat], kind, value], result])

    for code in record.codes:
        before, actor = game.to_dict(states), game.actor_at(states, 0)
        player = before["player"]
        action = Action.from_code(code)
        data = action.data
        match action.kind:
            case "place_setup_settlement" | "build_settlement":
                add(actor, "BUILD_SETTLEMENT", NODE[data["corner"]])
            case "place_setup_road" | "build_road" | "place_free_road":
                add(actor, "BUILD_ROAD", [NODE[corner] for corner in data["edge"]])
            case "build_city":
                add(actor, "BUILD_CITY", NODE[data["corner"]])
            case "rolled":
                dice = [min(data["total"] - 1, 6), data["total"] - min(data["total"] - 1, 6)]
                add(player, "ROLL", dice, dice)
            case "discard_resource":
                card = data["resource"].upper()
                last = found[-1]
                if single_discards:
                    add(actor, "DISCARD_RESOURCE", card, card)
                elif last[0][:2] == [COLOURS[actor], "DISCARD"]:
                    last[0][2].append(card)
                else:
                    add(actor, "DISCARD", [card])
            case "move_robber":
                add(actor, "MOVE_ROBBER", [cube(data["hex"]), None])
            case "stolen":
                found[-1][0][2][1] = COLOURS[before["victim"]]
                found[-1][1] = data["resource"].upper()
            case "trade_bank":
                (give, n), (receive, _) = *data["give"].items(), *data["receive"].items()
                add(actor, "MARITIME_TRADE", [give.upper()] * n + [None] * (4 - n) + [receive.upper()])
            case "offer_trade":
                offer = [data["give"].get(name, 0) - data["receive"].get(name, 0) for name in Cards._fields]
                add(actor, "OFFER_TRADE", ten(offer))
            case "accept_offer":
                add(actor, "ACCEPT_TRADE", [*ten(before["offer"]), player])
            case "decline_offer":
                add(actor, "REJECT_TRADE", [*ten(before["offer"]), player])
            case "confirm_trade":
                add(actor, "CONFIRM_TRADE", [*ten(before["offer"]), COLOURS[data["partner"]]])
            case "cancel_offer":
                add(actor, "CANCEL_TRADE")
            case "drawn":
                add(player, "BUY_DEVELOPMENT_CARD", data["card"].upper(), data["card"].upper())
            case "play_knight":
                add(actor, "PLAY_KNIGHT_CARD")
            case "play_road_building":
                add(actor, "PLAY_ROAD_BUILDING")
            case "play_year_of_plenty":
                add(actor, "PLAY_YEAR_OF_PLENTY", [name.upper() for name in data["resources"]])
            case "play_monopoly":
                add(actor, "PLAY_MONOPOLY", data["resource"].upper())
            case "end_turn":
                add(actor, "END_TURN")
        game.apply_at(states, 0, code)
    return found


def old(entry: list[Any]) -> list[Any]:
    """How version 3 wrote it: the result of a theft is the last part of its value."""
    (colour, kind, value), result = entry
    return [colour, kind, [*value, result] if kind == "MOVE_ROBBER" else value]


def written(record: Record, new: bool = True) -> dict[str, Any]:
    (*_, states) = record.states()
    last = game.to_dict(states)
    state = {}
    for seat in range(len(record.seats)):
        state[f"P{seat}_ACTUAL_VICTORY_POINTS"] = int(game.score_at(states, 0, seat))
        for name, n in zip(Cards._fields, last["hand"][seat], strict=True):
            state[f"P{seat}_{name.upper()}_IN_HAND"] = n
    entries = actions(record, single_discards=new)
    return {
        "tiles": tiles(record.board),
        "nodes": nodes(),
        **({"action_records": entries} if new else {"actions": [old(entry) for entry in entries]}),
        "player_state": state,
        "colors": COLOURS[: len(record.seats)],
        "winning_color": COLOURS[last["winner"]] if last["winner"] >= 0 else None,
    }


def told(record: Record, observer: int | None = None, all_seeing: bool = False) -> tuple[Event, ...]:
    """Our own events, without the awards, of which catanatron says nothing."""
    events = events_of(record, observer, all_seeing=all_seeing).events
    return tuple(event for event in events if not isinstance(event, Award))


GAME = simulate(Board.random(4), ["builder"] * 3, 4)
FILE = written(GAME)


def changed(change: Callable[[dict[str, Any]], None]) -> str:
    data = json.loads(json.dumps(FILE))
    change(data)
    return json.dumps(data)


def position(kind: str) -> int:
    return next(i for i, entry in enumerate(FILE["action_records"]) if entry[0][1] == kind)


# --- whole games ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("new", [False, True], ids=["actions", "action_records"])
@pytest.mark.parametrize(
    ("bots", "rules", "seed"),
    [
        (["builder"] * 4, Rules(), 1),
        (["builder"] * 3, Rules(discard_limit=4), 2),
        (["builder"] * 2, Rules(victory_points=8), 3),
        (["random"] * 3, Rules(max_turns=120), 4),
        (["random"] * 4, Rules(max_turns=150, discard_limit=9, offer_limit=8), 5),
    ],
)
def test_a_game_of_ours_comes_back(bots, rules, seed, new):
    record = simulate(Board.random(seed), bots, seed, rules)
    found = read(json.dumps(written(record, new)), strict=True)
    assert found.everything == told(record, all_seeing=True)
    assert found.log.events == told(record)
    assert found.log.players == tuple(COLOURS[: len(bots)])
    assert len(found.lines) == len(found.log.events)
    assert found.board == record.board
    assert found.rules is not None
    assert found.rules.victory_points == rules.victory_points
    rebuilt = found.record()
    (*_, mine), (*_, theirs) = record.states(), rebuilt.states()
    for name in ("hand", "dev", "settlements", "cities", "roads", "robber", "winner", "road_holder", "army_holder"):
        assert mine[name].tolist() == theirs[name].tolist()


def test_a_player_sees_the_own_secrets():
    for seat, colour in enumerate(["RED", "blue", "White"]):
        found = read(json.dumps(FILE), me=colour)
        assert found.log.observer == seat
        assert found.log.events == told(GAME, seat)
    with pytest.raises(LogError, match="no player 'green'; the players are RED, BLUE, WHITE"):
        read(json.dumps(FILE), me="green")


def test_the_format_is_recognised():
    assert recognises(json.dumps(FILE))
    assert recognises("\n " + json.dumps(FILE, indent=1))
    assert not recognises("[" + json.dumps(FILE) + "]")
    assert not recognises('{"tiles": []}')
    assert not recognises("")
    assert formats.FORMATS["catanatron"] == "catanatron"


def test_a_game_without_an_end_gives_what_there_is():
    def cut(data: dict[str, Any]) -> None:
        del data["action_records"][40:]
        data["winning_color"] = None
        data["player_state"] = {}

    found = read(changed(cut), strict=True)
    record = found.record()
    assert record.codes
    assert len(found.log.events) >= 40


# --- single actions -------------------------------------------------------------------------------------------


def events_after(*entries: list[Any], at: int | None = None) -> list[Event]:
    """The events of actions that are put behind the set-up and the first roll (or elsewhere)."""
    start = position("ROLL") + 1 if at is None else at

    def insert(data: dict[str, Any]) -> None:
        data["action_records"][start:] = list(entries)
        data.update(winning_color=None, player_state={})

    found = read(changed(insert), strict=True)
    assert found.everything is not None
    return [event for event, line in zip(found.everything, found.lines, strict=True) if line > start]


def test_a_trade_between_players():
    ten_cards = [1, 0, 0, 0, 0, 0, 0, 0, 0, 2]
    assert events_after(
        [["RED", "OFFER_TRADE", ten_cards], None],
        [["BLUE", "ACCEPT_TRADE", [*ten_cards, 0]], None],
        [["WHITE", "REJECT_TRADE", None], None],
        [["RED", "CONFIRM_TRADE", [*ten_cards, "BLUE"]], None],
    ) == [
        Offer(0, {"wood": 1}, {"ore": 2}),
        Accept(1, 0, {"ore": 2}, {"wood": 1}),
        Decline(2, 0),
        PlayerTrade(0, 1, {"wood": 1}, {"ore": 2}),
    ]
    assert events_after([["RED", "OFFER_TRADE", ten_cards], None], [["RED", "CANCEL_TRADE", None], None]) == [
        Offer(0, {"wood": 1}, {"ore": 2})
    ]


def test_maritime_trade_at_every_rate():
    assert events_after(["RED", "MARITIME_TRADE", ["ORE", "ORE", None, None, "WOOD"]]) == [
        BankTrade(0, {"ore": 2}, {"wood": 1})
    ]
    assert events_after(["RED", "MARITIME_TRADE", ["ORE"] * 4 + ["WOOD"]]) == [BankTrade(0, {"ore": 4}, {"wood": 1})]


def test_the_robber_in_both_versions():
    hex = next(h for h, tile in enumerate(GAME.board.hexes) if tile.resource is not None)
    moved, stolen = MoveRobber(0, hex), Steal(0, 1, "ore")
    assert events_after(["RED", "MOVE_ROBBER", [cube(hex), "BLUE", "ORE"]]) == [moved, stolen]
    assert events_after([["RED", "MOVE_ROBBER", [cube(hex), "BLUE"]], "ORE"]) == [moved, stolen]
    assert events_after([["RED", "MOVE_ROBBER", [cube(hex), None]], None]) == [moved]
    assert events_after(["RED", "MOVE_ROBBER", [cube(hex), None, None]]) == [moved]


def test_roads_are_free_in_set_up_and_with_road_building():
    road = [["RED", "BUILD_ROAD", [NODE[corner] for corner in EDGE_ENDS[0]]], None]
    built = events_after([["RED", "PLAY_ROAD_BUILDING", None], None], road, road, road)
    assert built[0] == PlayDevCard(0, "road_building")
    assert [event.free for event in built[1:] if isinstance(event, Build)] == [True, True, False]
    built = events_after([["RED", "PLAY_ROAD_BUILDING", None], None], road, [["RED", "END_TURN", None], None], road)
    assert [event.free for event in built if isinstance(event, Build)] == [True, False]


def test_cards_and_their_effects():
    assert events_after([["RED", "BUY_DEVELOPMENT_CARD", None], "MONOPOLY"]) == [BuyDevCard(0, "monopoly")]
    assert events_after(["RED", "PLAY_YEAR_OF_PLENTY", ["ORE", "WOOD"]]) == [
        PlayDevCard(0, "year_of_plenty"),
        YearOfPlenty(0, {"ore": 1, "wood": 1}),
    ]
    held = [Cards(), Cards(), Cards()]
    setup = read(json.dumps(FILE)).everything or ()
    for event in setup[: next(i for i, e in enumerate(setup) if isinstance(e, Roll)) + 1]:
        gains = event.gains if isinstance(event, Roll) else {event.player: getattr(event, "cards", Cards())}
        for seat, cards in gains.items():
            held[seat] = Cards(*(a + b for a, b in zip(held[seat], cards, strict=True)))
    losses = {1: held[1].wheat, 2: held[2].wheat}
    assert events_after(["RED", "PLAY_MONOPOLY", "WHEAT"]) == [
        PlayDevCard(0, "monopoly"),
        Monopoly(0, "wheat", sum(losses.values()), losses),
    ]


def test_a_discard_that_is_not_itemised_is_counted():
    more = [["RED", "PLAY_YEAR_OF_PLENTY", ["ORE", "WOOD"]]] * 4
    *_, last = events_after(*more, ["RED", "ROLL", [3, 4]], ["RED", "DISCARD", None])
    assert isinstance(last, Discard)
    assert last.cards is None
    assert last.count in (5, 6)


def test_nobody_is_paid_when_the_supply_does_not_last():
    """Unlike in our rules, where a single claimant takes what is left: such a game becomes no record."""

    def empty_bank(data: dict[str, Any]) -> None:
        records = data["action_records"]
        start = position("ROLL")
        drain = [["RED", "PLAY_YEAR_OF_PLENTY", [name, name]] for name in ("WOOD", "BRICK", "SHEEP", "WHEAT", "ORE")] * 9
        last = ["RED", "PLAY_YEAR_OF_PLENTY", []]
        rolls = [["RED", "ROLL", [min(total - 1, 6), total - min(total - 1, 6)]] for total in range(2, 13)]
        records[start:] = [*drain, *drain[:5], last, *rolls]
        data.update(winning_color=None, player_state={})

    found = read(changed(empty_bank))
    assert found.everything is not None
    assert all(not event.gains for event in found.everything if isinstance(event, Roll))
    with pytest.raises(LogError, match=r"event \d+ \(RED took .*\): "):
        found.record()


def test_a_broken_rule_is_named_and_the_events_stay():
    def rob_the_bank(data: dict[str, Any]) -> None:
        data["action_records"].insert(position("ROLL") + 1, [["RED", "BUILD_CITY", 0], None])

    found = read(changed(rob_the_bank))
    assert len(found.log.events) > 100
    with pytest.raises(LogError, match=r"event \d+ \(RED built a city\): you have no settlement on corner \d+"):
        found.record()


def test_hands_at_the_end_are_compared():
    text = changed(lambda data: data["player_state"].update(P1_ORE_IN_HAND=17))
    (problem,) = read(text).problems
    assert problem.reason.startswith("by the actions BLUE ends with")
    with pytest.raises(LogError, match="by the file not"):
        read(text, strict=True)


def test_a_small_map_has_events_but_no_board():
    text = changed(lambda data: data.update(tiles=[t for t in data["tiles"] if max(map(abs, t["coordinate"])) < 2]))
    found = read(text)
    assert found.board is None
    assert any(isinstance(event, Roll) and event.gains for event in found.log.events)
    with pytest.raises(LogError, match="holds no board"):
        found.record()


# --- damaged files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (None, "expected a list of 3 values"),
        (["RED"], "expected a list of 3 values"),
        (["GREEN", "END_TURN", None], "no such player"),
        (["RED", "DANCE", None], "no such action"),
        (["RED", ["ROLL"], None], "no such action"),
        (["RED", "ROLL", [7, 1]], "expected two dice"),
        (["RED", "ROLL", [True, 1]], "expected two dice"),
        (["RED", "BUILD_CITY", 99], "expected a node of the island"),
        (["RED", "BUILD_ROAD", [NODE[0], NODE[53]]], "not two neighbouring corners"),
        (["RED", "MOVE_ROBBER", [[3, 0, -3], None]], "expected a hex of the island"),
        (["RED", "MOVE_ROBBER", [[0, 0, 0], "GREEN"]], "no such victim"),
        (["RED", "MOVE_ROBBER", [[0, 0, 0], "BLUE", "GOLD"]], "expected a resource"),
        (["RED", "DISCARD", [1]], "expected a resource"),
        (["RED", "OFFER_TRADE", [1] * 9], "expected a list of 10 to 11 values"),
        (["RED", "OFFER_TRADE", [-1] * 10], "expected numbers of cards"),
        (["RED", "OFFER_TRADE", [10**30] * 10], "expected a number of cards"),
        (["RED", "CONFIRM_TRADE", [0] * 11], "no such partner"),
        (["RED", "CONFIRM_TRADE", [0] * 10 + ["RED"]], "named twice"),
        (["RED", "BUY_DEVELOPMENT_CARD", "JOKER"], "expected a development card"),
    ],
)
def test_an_unreadable_action_is_a_problem(entry, reason):
    at = position("ROLL") + 1
    text = changed(lambda data: data["action_records"].insert(at, entry))
    found = read(text)
    assert found.problems[0].line == at + 1
    assert reason in found.problems[0].reason
    with pytest.raises(LogError, match=f"line {at + 1}: "):
        read(text, strict=True)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not JSON"),
        ("[1]", "expected an object"),
        ('{"tiles": []}', "colors: expected"),
        ('{"colors": ["RED", "RED"]}', "colors: expected"),
        ('{"colors": ["RED", "BLUE"]}', "tiles: expected"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": ' + "9" * 10_000 + "}", "too long"),
    ],
)
def test_a_file_that_is_none_is_refused(text, reason):
    with pytest.raises(LogError, match=reason):
        read(text)


@pytest.mark.parametrize("name", ["tiles", "nodes", "action_records", "colors"])
def test_a_missing_field_is_named(name):
    with pytest.raises(LogError, match=name.removesuffix("_records")):
        read(changed(lambda data: data.pop(name)))


ODD = [None, True, 10**40, -1, 1.5, float("nan"), "", "\ud800", "RED", [], {}, [[]], {"a": 1}, "WOOD", [0, 0, 0]]


def test_damage_anywhere_never_surprises():
    rng = random.Random(7)
    for _ in range(60):
        data = json.loads(json.dumps(FILE))
        for _ in range(rng.randint(1, 6)):
            damage(rng, data)
        try:
            found = read(json.dumps(data))
        except LogError:
            continue
        assert len(found.lines) == len(found.log.events)
        try:
            found.record()
        except LogError:
            continue


def damage(rng: random.Random, value: Any) -> None:
    """Change one thing, somewhere down in it."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            return
        key = rng.choice(keys)
        if isinstance(value[key], dict | list) and rng.random() < 0.8:
            value = value[key]
            continue
        if rng.random() < 0.3:
            del value[key]
        else:
            value[key] = rng.choice(ODD)
        return


def test_the_record_of_a_file_can_be_checked():
    record = read(json.dumps(FILE)).record()
    assert list(check(record.lines())) == [record]
