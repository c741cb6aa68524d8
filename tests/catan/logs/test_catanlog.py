"""Catanlogs: every sentence of every version, production from the board, and what was taken back."""

import random
from collections.abc import Iterator

import pytest

from kibitz import game
from kibitz.catan import Board, Rules
from kibitz.catan.core.actions import Action
from kibitz.catan.core.board import PortType
from kibitz.catan.core.events import (
    Accept,
    Award,
    BankTrade,
    Build,
    BuyDevCard,
    Cards,
    Decline,
    Discard,
    EndTurn,
    Event,
    Monopoly,
    MoveRobber,
    Offer,
    PlayDevCard,
    PlayerTrade,
    Roll,
    StartingResources,
    Steal,
    Win,
    YearOfPlenty,
)
from kibitz.catan.core.record import Record, simulate
from kibitz.catan.core.topology import EDGE_BETWEEN, EDGE_ENDS, HEX_OUTLINES
from kibitz.catan.core.transcript import events_of
from kibitz.catan.logs import LogError, recognise
from kibitz.catan.logs.catanlog import UNSURE, read, recognises
from kibitz.catan.logs.catanlog.hands import Hands

#: The number of the tile on each hex, row by row, as the package draws them.
TILES = [1, 12, 11, 2, 13, 18, 10, 3, 14, 19, 17, 9, 4, 15, 16, 8, 5, 6, 7]
CORNERS = ["N", "NE", "SE", "S", "SW", "NW"]
SIDES = ["NE", "E", "SE", "SW", "W", "NW"]
COLOURS = ["green", "blue", "orange", "red"]
NAMES = ["ann", "bob", "cem", "dan"]

HEADER = """\
catanlog v0.10.0
timestamp: 2020-02-15 13:14:43
players: 3
name: ann, color: green, seat: 1
name: bob, color: blue, seat: 2
name: cem d., color: orange, seat: 3
terrain: ore wood wheat sheep wheat brick wood wood brick ore ore wood wheat desert brick sheep wheat sheep sheep
numbers: 3 8 5 6 9 11 4 9 12 6 4 11 3 None 5 10 2 10 8
ports: sheep(2 NW) 3:1(3 W) ore(4 SW) wheat(6 SW) 3:1(7 SE) wood(8 E) brick(10 E) 3:1(11 NE) 3:1(12 NW)
...CATAN!
"""
SET_UP = """\
green buys settlement, builds at (1 N)
green buys road, builds at (1 NE)
green ends turn after 3s
blue buys settlement, builds at (5 SW)
blue buys road, builds at (5 SW)
blue ends turn after 3s
orange buys settlement, builds at (7 S)
orange buys road, builds at (7 SE)
orange ends turn after 3s
orange buys settlement, builds at (15 NE)
orange buys road, builds at (15 E)
orange ends turn after 3s
blue buys settlement, builds at (4 N)
blue buys road, builds at (4 NE)
blue ends turn after 3s
green buys settlement, builds at (13 N)
green buys road, builds at (13 NW)
green ends turn after 3s
"""


def events(*lines: str, start: str = HEADER + SET_UP) -> list[Event]:
    """What lines after the set-up mean."""
    before = len(read(start).log.events)
    return list(read(start + "\n".join(lines), strict=True).log.events[before:])


# --- the header and the set-up --------------------------------------------------------------------------------


def test_the_board_is_that_of_the_header():
    board = read(HEADER).board
    assert board is not None
    assert [hex.resource for hex in board.hexes[:3]] == ["ore", "wood", "ore"]
    assert [hex.number for hex in board.hexes[:3]] == [3, 11, 4]
    assert board.hexes[board.desert].number is None
    assert TILES[board.desert] == 14
    sheep = next(harbour for harbour in board.harbours if harbour.kind is PortType.SHEEP)
    outline = HEX_OUTLINES[TILES.index(2)]
    assert set(EDGE_ENDS[sheep.edge]) == {outline[5], outline[0]}, "the north-west edge of tile 2"


def test_the_set_up_is_free_and_yields():
    found = read(HEADER + SET_UP, strict=True).log
    corner = HEX_OUTLINES[TILES.index(15)][1]
    assert found.players == ("ann", "bob", "cem d.")
    assert found.observer is None
    assert found.events[6:9] == (
        Build(2, "settlement", True, corner=corner),
        StartingResources(2, {"brick": 1, "sheep": 2}),
        Build(2, "road", True, edge=(corner, HEX_OUTLINES[TILES.index(15)][2])),
    )
    assert not any(isinstance(event, EndTurn) for event in found.events)


def test_seats_begin_with_whoever_plays_first():
    found = read(HEADER + "orange rolls 4\ngreen rolls 5\n").log
    assert found.players == ("cem d.", "ann", "bob")
    assert [event.player for event in found.events if isinstance(event, Roll)] == [0, 1]


def test_the_observer_is_a_spectator_even_by_name():
    assert read(HEADER, me="bob").log.observer is None
    assert read(HEADER, me="orange").log.observer is None
    with pytest.raises(LogError, match="no player 'zed'; the players are ann, bob, cem d"):
        read(HEADER, me="zed")


def test_equal_names_give_way_to_colours():
    assert read(HEADER.replace("bob", "ann")).log.players == ("green", "blue", "orange")


def test_a_log_cannot_become_a_record():
    with pytest.raises(LogError, match="cannot become a record"):
        read(HEADER + SET_UP).record()


# --- sentences ------------------------------------------------------------------------------------------------


def test_a_roll_pays_what_the_board_says():
    assert events("green rolls 10") == [Roll(0, 10, {2: {"sheep": 1}})]
    assert events("green rolls 3") == [Roll(0, 3, {0: {"wheat": 1, "ore": 2}})]
    assert events("green rolls 2 ...DEUCES!") == [Roll(0, 2)]
    assert events("green rolls 6 ") == [Roll(0, 6, {1: {"sheep": 1}})]


def test_a_city_pays_twice_and_the_robber_blocks():
    turn = ["green rolls 4", "green buys city, builds at (1 N)", "green ends turn after 1s"]
    assert events(*turn, "blue rolls 3")[-1] == Roll(1, 3, {0: {"wheat": 1, "ore": 3}})
    blocked = ["blue rolls 7", "blue moves robber to 1, steals from nobody", "blue ends turn", "orange rolls 3"]
    assert events(*turn, *blocked)[-1] == Roll(2, 3, {0: {"wheat": 1}})


def test_the_robber_steals_a_card_that_nobody_names():
    moved = MoveRobber(0, TILES.index(7))
    assert events("green rolls 7", "green moves robber to 7, steals from orange") == [Roll(0, 7), moved, Steal(0, 2)]
    assert events("green rolls 7", "green moves robber to 7, steals from nobody") == [Roll(0, 7), moved]


def test_who_holds_no_card_loses_none():
    start = HEADER + "green rolls 12\n"
    found = events("green moves robber to 7, steals from orange", start=start)
    assert found == [MoveRobber(0, TILES.index(7))]


def test_a_knight_in_both_wordings():
    meant = [PlayDevCard(0, "knight"), MoveRobber(0, TILES.index(15)), Steal(0, 2)]
    assert events("green rolls 2", "green plays knight", "green moves robber to 15, steals from orange")[1:] == meant
    assert events("green rolls 2", "green plays dev card: knight, moves robber to 15, steals from orange")[1:] == meant


@pytest.mark.parametrize("card", ["", "dev card: "])
def test_development_cards_in_both_wordings(card):
    one = HEX_OUTLINES[TILES.index(1)]
    assert events("green rolls 2", "green buys dev card")[1:] == [BuyDevCard(0)]
    assert events("green rolls 2", f"green plays {card}road builder, builds at (1 NW) and (1 W)")[1:] == [
        PlayDevCard(0, "road_building"),
        Build(0, "road", True, edge=(one[5], one[0])),
        Build(0, "road", True, edge=(one[4], one[5])),
    ]
    assert events("green rolls 2", f"green plays {card}year of plenty, takes wood and brick")[1:] == [
        PlayDevCard(0, "year_of_plenty"),
        YearOfPlenty(0, {"wood": 1, "brick": 1}),
    ]
    assert events("green rolls 2", f"green plays {card}monopoly on ore")[1:] == [PlayDevCard(0, "monopoly"), Monopoly(0, "ore")]
    assert events("green rolls 2", f"green plays {card}victory point")[1:] == [PlayDevCard(0, "victory_point")]


def test_trades():
    assert events("green rolls 2", "green trades [6 wheat] to port wheat for [3 ore]")[1:] == [
        BankTrade(0, {"wheat": 6}, {"ore": 3})
    ]
    assert events("green rolls 2", "green trades [1 wheat, 1 brick] to player orange for [2 sheep]")[1:] == [
        PlayerTrade(0, 2, {"wheat": 1, "brick": 1}, {"sheep": 2})
    ]


def test_the_end():
    assert events("green rolls 2", "green ends turn after 15s", "blue wins")[1:] == [EndTurn(0), Win(1)]


def test_places_by_numbers_of_the_old_grid():
    """Version 0.3: one number for a tile, a corner or an edge, as in JSettlers."""
    centre = TILES.index(19)
    outline = HEX_OUTLINES[centre]
    found = events(
        "green rolls 2",
        f"green buys settlement, builds at {0x78}",
        f"green buys road, builds at {0x88}",
        f"green moves robber to {0x77}, steals from nobody",
    )
    assert found[1:] == [
        Build(0, "settlement", corner=outline[0]),
        Build(0, "road", edge=(outline[1], outline[2])),
        MoveRobber(0, centre),
    ]


def test_ports_without_end_do_no_harm():
    header = HEADER[: HEADER.index("ports:")] + f"ports: {'x' * 1_000_000}\n...CATAN!\n"
    assert read(header).log.events == ()


def test_the_oldest_header_has_no_places_for_its_ports():
    header = HEADER.replace("catanlog v0.10.0", "CatanGameRecord v0.0.1")
    header = header[: header.index("ports:")] + "ports: 3:1 3:1 sheep2:1 3:1 3:1 ore2:1 brick2:1 wheat2:1 wood2:1\n...CATAN!\n"
    found = read(header + SET_UP + "green rolls 7\ngreen is robbed\n", strict=True)
    assert found.board is None
    assert found.log.events[-1] == Roll(0, 7)


# --- what follows from the rest -------------------------------------------------------------------------------


def test_a_seven_costs_half_of_a_large_hand():
    rich = ["green plays year of plenty, takes wood and ore"] * 3
    found = events("green rolls 2", *rich, "green ends turn", "blue rolls 7")
    assert found[-1] == Discard(0, count=4), "two cards of the set-up and six more"


def test_a_monopoly_of_known_hands_leaves_them_known():
    rich = ["orange plays year of plenty, takes ore and ore"] * 4
    lines = ["green rolls 2", "green ends turn", "blue rolls 2", "blue ends turn", "orange rolls 2", *rich, "orange ends turn"]
    found = events(*lines, "green rolls 2", "green plays monopoly on ore", "green ends turn", "blue rolls 7")
    assert found[-1] == Discard(0, count=5), "nine or ten cards"


def test_a_number_that_cannot_be_known_is_a_problem():
    rich = "\n".join(["orange plays year of plenty, takes ore and wood"] * 3)
    text = f"{HEADER}{SET_UP}green rolls 2\n{rich}\ngreen moves robber to 15, steals from orange\n"
    text += "orange plays year of plenty, takes wood and wood\nblue plays monopoly on ore\ngreen ends turn\nblue rolls 7\n"
    (problem,) = read(text).problems
    assert problem.reason.startswith("how many cards orange discards")  # if the stolen card was ore, orange kept one more
    assert problem.line == len(text.splitlines())


def test_a_supply_that_does_not_last_gives_what_is_left_to_one_claimant():
    taken = ["blue plays year of plenty, takes ore and ore"] * 8 + ["blue plays year of plenty, takes ore and wood"]
    found = events("green rolls 2", "green ends turn", "blue rolls 2", *taken, "blue ends turn", "orange rolls 3")
    assert found[-1] == Roll(2, 3, {0: {"wheat": 1, "ore": 1}}), "17 cards of ore lie with blue, one with green"


def test_a_supply_that_does_not_last_gives_nothing_to_two():
    taken = ["blue plays year of plenty, takes sheep and sheep"] * 7
    shared = ["orange buys settlement, builds at (4 SE)", "orange ends turn", "green rolls 6"]
    turn = ["green rolls 2", "green ends turn", "blue rolls 2", *taken, "blue ends turn", "orange rolls 2"]
    assert events(*turn, *shared)[-1] == Roll(0, 6, {1: {"sheep": 1}, 2: {"sheep": 1}})
    more = [*taken, "blue plays year of plenty, takes sheep and wood"]
    turn = ["green rolls 2", "green ends turn", "blue rolls 2", *more, "blue ends turn", "orange rolls 2"]
    assert events(*turn, *shared)[-1] == Roll(0, 6, {1: {"sheep": 1}, 2: {"sheep": 1}})
    more = [*more, "blue plays year of plenty, takes sheep and wood"]
    turn = ["green rolls 2", "green ends turn", "blue rolls 2", *more, "blue ends turn", "orange rolls 2"]
    assert events(*turn, *shared)[-1] == Roll(0, 6)


# --- what was taken back --------------------------------------------------------------------------------------


def test_the_second_roll_of_a_turn_counts():
    assert events("green rolls 3", "green rolls 2", "green ends turn") == [Roll(0, 2), EndTurn(0)]


def test_a_turn_that_goes_on_had_not_ended():
    buy = "green buys dev card"
    assert events("green rolls 2", "green ends turn", buy, "green ends turn", "blue rolls 2") == [
        Roll(0, 2),
        BuyDevCard(0),
        EndTurn(0),
        Roll(1, 2),
    ]


def test_the_next_roll_may_have_been_taken_back_too():
    found = events(
        "green rolls 2", "green ends turn", "blue rolls 7", "green buys dev card", "green ends turn", "blue rolls 12"
    )
    assert found == [Roll(0, 2), BuyDevCard(0), EndTurn(0), Roll(1, 12)]


def test_a_roll_after_the_end_replaces_the_first():
    assert events("green rolls 3", "green ends turn", "green rolls 2", "green ends turn") == [Roll(0, 2), EndTurn(0)]


def test_the_same_piece_twice_is_one():
    city = "green buys city, builds at (1 N)"
    found = events("green rolls 2", city, city)
    assert found == [Roll(0, 2), Build(0, "city", corner=HEX_OUTLINES[0][0])]


def test_others_may_speak_in_a_turn():
    found = events(
        "green rolls 2",
        "green ends turn",
        "blue rolls 2",
        "green trades [1 wheat] to player blue for [1 ore]",
        "blue ends turn",
    )
    assert found[-3:] == [Roll(1, 2), PlayerTrade(0, 1, {"wheat": 1}, {"ore": 1}), EndTurn(1)]


def test_a_placement_may_be_taken_back():
    wrong = "green buys settlement, builds at (9 N)\n"
    assert read(HEADER + wrong + SET_UP).log.events == read(HEADER + SET_UP).log.events
    again = SET_UP.replace(
        "green ends turn after 3s\nblue", "green ends turn after 3s\ngreen buys road, builds at (1 NW)\nblue", 1
    )
    one = HEX_OUTLINES[0]
    assert read(HEADER + again).log.events[1] == Build(0, "road", True, edge=(one[5], one[0]))
    assert len(read(HEADER + again).log.events) == len(read(HEADER + SET_UP).log.events)


# --- our own games --------------------------------------------------------------------------------------------


def location(places: list[str], numbers: list[list[int]], number: int) -> str:
    """A corner or an edge by the tile with the lowest number."""
    found = [(TILES[hex], places[k]) for hex in range(19) for k in range(6) if numbers[hex][k] == number]
    tile, direction = min(found)
    return f"({tile} {direction})"


EDGES = [[EDGE_BETWEEN[row[k], row[(k + 1) % 6]] for k in range(6)] for row in HEX_OUTLINES]


def corner(number: int) -> str:
    return location(CORNERS, HEX_OUTLINES, number)


def edge(ends: tuple[int, int]) -> str:
    return location(SIDES, EDGES, EDGE_BETWEEN[ends])


def bundle(cards: dict[str, int]) -> str:
    return "[" + ", ".join(f"{n} {name}" for name, n in cards.items()) + "]"


def written(record: Record) -> Iterator[str]:
    """A game as the package would log it."""
    board = record.board
    seats = range(len(record.seats))
    order = [TILES.index(tile) for tile in range(1, 20)]
    yield "catanlog v0.10.0"
    yield "timestamp: 2020-01-01 00:00:00"
    yield f"players: {len(seats)}"
    for seat in seats:
        yield f"name: {NAMES[seat]}, color: {COLOURS[seat]}, seat: {seat + 1}"
    yield "terrain: " + " ".join(board.hexes[hex].resource or "desert" for hex in order)
    yield "numbers: " + " ".join(str(board.hexes[hex].number) for hex in order)
    yield "ports: " + " ".join(f"{h.kind}{location(SIDES, EDGES, h.edge)}" for h in board.harbours)
    yield "...CATAN!"
    states = record.start()
    roads: list[tuple[int, int]] = []
    where = 0
    for code in record.codes:
        before, action = game.to_dict(states), Action.from_code(code)
        game.apply_at(states, 0, code)
        after = game.to_dict(states)
        who, data = COLOURS[before["player"]], action.data
        match action.kind:
            case "place_setup_settlement" | "build_settlement":
                yield f"{who} buys settlement, builds at {corner(data['corner'])}"
            case "place_setup_road" | "build_road":
                yield f"{who} buys road, builds at {edge(data['edge'])}"
                if action.kind == "place_setup_road":
                    yield f"{who} ends turn after 1s"
            case "build_city":
                yield f"{who} buys city, builds at {corner(data['corner'])}"
            case "rolled":
                yield f"{who} rolls {data['total']}"
            case "move_robber":
                where = TILES[data["hex"]]
                if after["phase"] != before["phase"] + 1:
                    yield f"{who} moves robber to {where}, steals from nobody"
            case "steal_resource":
                yield f"{who} moves robber to {where}, steals from {COLOURS[data['victim']]}"
            case "trade_bank":
                yield f"{who} trades {bundle(data['give'])} to port 4:1 for {bundle(data['receive'])}"
            case "confirm_trade":
                give = {name: n for name, n in zip(Cards._fields, before["offer"], strict=True) if n > 0}
                take = {name: -n for name, n in zip(Cards._fields, before["offer"], strict=True) if n < 0}
                yield f"{who} trades {bundle(give)} to player {COLOURS[data['partner']]} for {bundle(take)}"
            case "buy_dev_card":
                yield f"{who} buys dev card"
            case "play_knight":
                yield f"{who} plays knight"
            case "place_free_road":
                roads.append(data["edge"])
                if before["free_roads"] == 1 or after["free_roads"] == 0:
                    yield f"{who} plays road builder, builds at {edge(roads[0])} and {edge(roads[-1])}"
                    roads.clear()
            case "play_year_of_plenty":
                yield f"{who} plays year of plenty, takes {data['resources'][0]} and {data['resources'][-1]}"
            case "play_monopoly":
                yield f"{who} plays monopoly on {data['resource']}"
            case "end_turn":
                yield f"{who} ends turn after 9s"
    if after["winner"] >= 0:
        yield f"{COLOURS[after['winner']]} wins"


def comparable(event: Event) -> Event:
    return Monopoly(event.player, event.resource) if isinstance(event, Monopoly) else event


@pytest.mark.parametrize("seed", range(8))
def test_a_game_of_ours_comes_back(seed):
    record = simulate(Board.random(seed), ["builder"] * (2 + seed % 3), seed, Rules(max_turns=300))
    found = read("\n".join(written(record)))
    assert found.board == record.board
    unsure = [problem.line for problem in found.problems if problem.reason.startswith(UNSURE)]
    assert (seed in (2, 5)) == bool(unsure)
    sure = sum(line < min(unsure, default=line + 1) for line in found.lines)
    said = [comparable(event) for event in events_of(record, hidden_discards=True).events]
    said = [event for event in said if not isinstance(event, Award | Offer | Accept | Decline)]
    assert all(problem.reason.startswith(("how many cards", UNSURE)) for problem in found.problems)
    read_right = list(found.log.events[:sure])
    if found.problems:
        read_right, said = ([e for e in events if not isinstance(e, Discard)] for events in (read_right, said))
        said = said[: len(read_right)]
    assert read_right == said


def test_a_theft_does_not_hide_that_the_bank_is_empty():
    """Nobody says what was stolen, but it is still in somebody's hand."""
    hands = Hands(2)
    hands.change(0, Cards(ore=10))
    hands.change(1, Cards(ore=8, wood=1))
    hands.steal(0, 1)
    assert hands.of[1].low[4] == 7
    assert [bound[4] for bound in hands.in_bank()] == [1, 1]
    hands.monopoly(1, 4)
    assert (hands.of[1].low[4], hands.of[1].high[4], hands.of[0].high[4]) == (18, 18, 0)


def test_a_discard_may_hide_it():
    hands = Hands(2)
    hands.change(0, Cards(ore=10))
    hands.change(1, Cards(ore=7, wood=1))
    assert hands.discard(0) == 5
    assert [bound[4] for bound in hands.in_bank()] == [7, 7]  # ten ore less five
    assert hands.discard(1) == 4
    assert [bound[4] for bound in hands.in_bank()] == [10, 11]  # three or four of them ore
    hands.change(1, Cards(wood=-1))  # so the wood was kept
    assert [bound[4] for bound in hands.in_bank()] == [11, 11]


def test_what_is_paid_was_there():
    hands = Hands(3)
    hands.change(0, Cards(wood=1, ore=1))
    hands.steal(1, 0)
    hands.steal(2, 1)
    hands.change(2, Cards(ore=-1))
    assert [bound[4] for bound in hands.in_bank()] == [19, 19]
    assert (hands.of[2].most, hands.of[0].least) == (0, 1)


def test_a_roll_that_was_perhaps_not_paid():
    hands = Hands(2)
    hands.change(0, Cards(ore=3))
    hands.maybe(0, Cards(ore=2))
    assert [bound[4] for bound in hands.in_bank()] == [14, 16]
    assert (hands.of[0].least, hands.of[0].most) == (3, 5)


# --- damaged files --------------------------------------------------------------------------------------------


def test_the_format_is_recognised():
    assert recognises(HEADER)
    assert recognises("\n\n" + HEADER)
    assert recognises("catanlog 0.5.10\n")
    assert not recognises("green rolls 8")
    assert not recognises("")
    assert recognise(HEADER) == "catanlog"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("green dances", "not a sentence"),
        ("purple rolls 8", "not a sentence"),
        ("green rolls 13", "expected a whole number from 2 to 12"),
        ("green rolls eight", "not a sentence"),
        ("green buys road, builds at (20 NW)", "no such place"),
        ("green buys road, builds at (1 N)", "no such place"),
        ("green buys city, builds at (1 E)", "no such place"),
        ("green buys road, builds at 999", "no such place"),
        ("green moves robber to 25, steals from blue", "no such place"),
        ("green moves robber to 2, steals from purple", "no such player"),
        ("green moves robber to 2, steals from green", "named twice"),
        ("green trades [1 gold] to port 3:1 for [1 ore]", "expected a number of cards"),
        ("green trades [999 ore] to port 3:1 for [1 wood]", "from 0 to 200"),
        ("green plays monopoly on gold", "expected one of"),
        ("green plays year of plenty, takes gold and ore", "not a resource"),
        ("green rolls " + "8" * 100_000, "not a sentence"),
        ("green \x00", "not a sentence"),
    ],
)
def test_an_unreadable_line_is_a_problem(line, reason):
    text = HEADER + SET_UP + "green rolls 2\n" + line + "\ngreen ends turn\n"
    (problem,) = read(text).problems
    assert problem.line == len((HEADER + SET_UP).splitlines()) + 2
    assert reason in problem.reason
    with pytest.raises(LogError, match=f"line {problem.line}: "):
        read(text, strict=True)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the header has no end"),
        ("catanlog v1\n", "the header has no end"),
        ("catanlog v1\n...CATAN!\n", "expected 2 to 6 players"),
        (HEADER.replace("blue", "green"), "expected 2 to 6 players"),
        (HEADER.replace("terrain: ore", "terrain:"), "expected 19 of each"),
        (HEADER.replace("numbers:", "figures:"), "expected 19 of each"),
    ],
)
def test_a_header_that_says_too_little_is_refused(text, reason):
    with pytest.raises(LogError, match=reason):
        read(text)


def test_a_board_that_the_box_cannot_make_is_none():
    found = read(HEADER.replace("sheep sheep\n", "sheep brick\n") + SET_UP + "green rolls 3\n")
    assert found.board is None
    assert found.log.events[-1] == Roll(0, 3, {0: {"wheat": 1, "ore": 2}})


def test_damage_anywhere_never_surprises():
    rng = random.Random(11)
    text = "\n".join(written(simulate(Board.random(1), ["builder"] * 3, 1)))
    lines = text.splitlines()
    for _ in range(120):
        damaged = list(lines)
        for _ in range(rng.randint(1, 30)):
            i = rng.randrange(len(damaged))
            damaged[i] = broken(rng, damaged[i], lines)
        try:
            found = read("\n".join(damaged))
        except LogError:
            continue
        assert len(found.lines) == len(found.log.events)


def broken(rng: random.Random, line: str, lines: list[str]) -> str:
    at = rng.randint(0, len(line))
    return rng.choice(
        [
            lambda: "",
            lambda: line[:at],
            lambda: line[:at] + chr(rng.choice([0, 32, 48, 0x660, 0xD800, 0x2028])) + line[at:],
            lambda: rng.choice(lines),
            lambda: line.replace(rng.choice("0123456789 ,()["), rng.choice(["9", "99", "-1", ""])),
        ]
    )()


def test_long_logs_are_read_in_one_go():
    """Many lines of one kind, which a careless reader would go over again and again."""
    for line in ("green buys dev card", "green ends turn", "green rolls 8", "green buys road, builds at (1 W)", "blue wins"):
        found = read(HEADER + SET_UP + "green rolls 2\n" + (line + "\n") * 20_000)
        assert found.log.events
