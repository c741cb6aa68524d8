"""Boards: the one of the rule book, random ones by the official rules, text and JSON, and what is wrong with wrong ones."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from kibitz.catan import Board, Harbour, Hex, InvalidBoard, PortType, Resource
from kibitz.catan.core.board import red_neighbours
from kibitz.catan.core.topology import COAST_EDGES, EDGE_BETWEEN, EDGE_CORNERS, HEX_CORNERS, spiral

pytestmark = pytest.mark.plain

BEGINNER = "o10.s2.w9/g12.b6.s4.b10/g9.w11.d.w3.o8/w8.o3.g4.s5/b5.g6.s11 ?go?s??bw"
LAND = ["ore", "sheep", "wood", "wheat", "brick", "sheep", "brick", "wheat", "wood", "desert"]
LAND += ["wood", "ore", "wood", "ore", "wheat", "sheep", "brick", "wheat", "sheep"]
NUMBERS = [10, 2, 9, 12, 6, 4, 10, 9, 11, None, 3, 8, 8, 3, 4, 5, 5, 6, 11]
#: The tokens of the box from A to R.
SPIRAL = [5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11]
#: The corners that the harbours of the printed frame serve, clockwise.
PLACES = [(0, 1), (3, 4), (14, 15), (26, 37), (45, 46), (50, 51), (47, 48), (28, 38), (7, 17)]
HARBOURS = ["3:1", "wheat", "ore", "3:1", "sheep", "3:1", "3:1", "brick", "wood"]
#: Hexes that share two corners.
ADJACENT = [(a, b) for a in range(19) for b in range(a) if len({*HEX_CORNERS[a].tolist()} & {*HEX_CORNERS[b].tolist()}) == 2]


def land(board: Board) -> list[str]:
    return [hex.resource.value if hex.resource else "desert" for hex in board.hexes]


def numbers(board: Board) -> list[int | None]:
    return [hex.number for hex in board.hexes]


def places(board: Board) -> list[tuple[int, ...]]:
    return [tuple(EDGE_CORNERS[harbour.edge].tolist()) for harbour in board.harbours]


def kinds(board: Board) -> list[str]:
    return [harbour.kind.value for harbour in board.harbours]


def check_contents(board: Board) -> None:
    assert Counter(land(board)) == {"wood": 4, "sheep": 4, "wheat": 4, "brick": 3, "ore": 3, "desert": 1}
    assert sorted(n for n in numbers(board) if n) == sorted(SPIRAL)
    assert numbers(board).index(None) == land(board).index("desert") == board.desert
    assert Counter(kinds(board)) == {"3:1": 4, "wood": 1, "brick": 1, "sheep": 1, "wheat": 1, "ore": 1}
    assert places(board) == PLACES


# --- the board of the rule book ---------------------------------------------------------------------------


def test_beginner_board_terrain_tokens_and_harbours() -> None:
    board = Board.beginner()
    assert land(board) == LAND
    assert numbers(board) == NUMBERS
    assert places(board) == PLACES
    assert kinds(board) == HARBOURS
    assert board.desert == 9
    assert board.hexes[4] == Hex(Resource.BRICK, 6)
    assert board.harbours[1] == Harbour(EDGE_BETWEEN[3, 4], PortType.WHEAT)
    check_contents(board)


def test_beginner_board_has_no_red_tokens_side_by_side() -> None:
    assert not red_neighbours(NUMBERS)
    assert [pair for pair in ADJACENT if {NUMBERS[h] for h in pair} <= {6, 8}] == []


def test_red_neighbours_sees_a_6_next_to_an_8() -> None:
    swapped = list(NUMBERS)
    swapped[10], swapped[5] = 8, 6  # hexes 5 and 10 share a side
    assert red_neighbours(swapped)


# --- random boards ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("tokens", ["spiral", "random"])
@pytest.mark.parametrize("harbours", ["fixed", "shuffled"])
def test_random_board_holds_what_the_box_holds(tokens: Any, harbours: Any) -> None:
    for seed in range(40):
        check_contents(Board.random(seed, tokens=tokens, harbours=harbours))


def test_random_board_is_the_same_for_the_same_seed_only() -> None:
    assert Board.random(5) == Board.random(5)
    assert len({Board.random(seed) for seed in range(40)}) == 40


@pytest.mark.parametrize("start", [0, 2, 7, 11, 16, 18])
def test_random_board_spiral_from_any_corner_skips_the_desert(start: int) -> None:
    deserts = set()
    for seed in range(60):
        board = Board.random(seed, start=start)
        deserts.add(board.desert)
        assert [numbers(board)[h] for h in spiral(start) if h != board.desert] == SPIRAL
    assert len(deserts) > 10, "the desert is shuffled with the other hexes"


def test_random_board_spiral_begins_at_a_random_corner() -> None:
    found = set()
    for seed in range(60):
        board = Board.random(seed)
        starts = {c for c in (0, 2, 7, 11, 16, 18) if [numbers(board)[h] for h in spiral(c) if h != board.desert] == SPIRAL}
        assert starts
        found |= starts
    assert found == {0, 2, 7, 11, 16, 18}


def test_random_board_spiral_refuses_another_start() -> None:
    with pytest.raises(ValueError, match="hex 9 is not a corner of the island"):
        Board.random(1, start=9)


def test_random_board_random_tokens_have_no_two_of_6_and_8_adjacent() -> None:
    arrangements = set()
    for seed in range(150):
        found = numbers(Board.random(seed, tokens="random"))
        arrangements.add(tuple(found))
        assert [pair for pair in ADJACENT if {found[h] for h in pair} <= {6, 8}] == []
    assert len(arrangements) == 150


def test_random_board_harbours_fixed_or_shuffled() -> None:
    assert {tuple(kinds(Board.random(seed, harbours="fixed"))) for seed in range(20)} == {tuple(HARBOURS)}
    assert len({tuple(kinds(Board.random(seed, harbours="shuffled"))) for seed in range(20)}) > 15


def test_random_board_refuses_unknown_options() -> None:
    with pytest.raises(ValueError, match="tokens='abc': expected 'spiral' or 'random'"):
        Board.random(1, tokens="abc")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="harbours='none': expected 'fixed' or 'shuffled'"):
        Board.random(1, harbours="none")  # type: ignore[arg-type]


# --- text and JSON ----------------------------------------------------------------------------------------


def rotated(steps: int) -> Board:
    """The beginner board with all harbours moved along the coast."""
    moved = sorted(
        ((COAST_EDGES.tolist().index(harbour.edge) + steps) % 30, harbour.kind) for harbour in Board.beginner().harbours
    )
    return Board(Board.beginner().hexes, tuple(Harbour(int(COAST_EDGES[place]), kind) for place, kind in moved))


BOARDS = [Board.beginner(), *(Board.random(seed) for seed in range(10)), *(rotated(steps) for steps in (1, 2, 15, 29))]


def test_text_of_the_beginner_board() -> None:
    assert Board.beginner().to_text() == BEGINNER


def test_text_of_harbours_off_the_printed_places_names_the_places() -> None:
    assert rotated(1).to_text().split()[1] == "1?,4g,8o,11?,14s,18?,21?,24b,28w"
    assert rotated(0) == Board.beginner()


@pytest.mark.parametrize("board", BOARDS)
def test_text_round_trip(board: Board) -> None:
    assert Board.from_text(board.to_text()) == board


@pytest.mark.parametrize("board", BOARDS)
def test_json_round_trip(board: Board) -> None:
    text = json.dumps(board.to_json())
    assert Board.from_json(text) == board
    assert Board.from_json(json.loads(text)) == board


def test_json_spells_out_the_geometry() -> None:
    data = Board.beginner().to_json()
    assert sorted(data) == ["edges", "harbours", "hexes"]
    assert data["hexes"][0] == {"resource": "ore", "number": 10, "corners": [1, 2, 10, 9, 8, 0]}
    assert data["hexes"][9] == {"resource": "desert", "number": None, "corners": [21, 22, 33, 32, 31, 20]}
    assert data["harbours"][0] == {"kind": "3:1", "corners": [0, 1]}
    assert len(data["edges"]) == 72
    assert data["edges"][:3] == [[0, 1], [0, 8], [1, 2]]


def test_json_geometry_may_be_left_out() -> None:
    data = Board.beginner().to_json()
    del data["edges"]
    for hex in data["hexes"]:
        del hex["corners"]
    assert Board.from_json(data) == Board.beginner()


def test_json_harbour_corners_in_either_order() -> None:
    data = Board.beginner().to_json()
    data["harbours"][0]["corners"] = [1, 0]
    assert Board.from_json(data) == Board.beginner()


def test_boards_are_values() -> None:
    assert Board.beginner() == Board.beginner()
    assert hash(Board.beginner()) == hash(Board.from_text(BEGINNER))
    assert Board.beginner() != Board.random(1)


def test_board_draws_itself() -> None:
    assert Board.beginner()._repr_svg_().startswith("<svg")


# --- wrong boards -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (" ", "", "expected the hexes, a blank and the harbours, as in 'o10.s2.w9/"),
        (" ", " 1 ", "expected the hexes, a blank and the harbours"),
        ("o10.", "", "expected rows of 3, 4, 5, 4 and 3 hexes, found 2, 4, 5, 4, 3"),
        ("/b5", ".b5", "expected rows of 3, 4, 5, 4 and 3 hexes, found 3, 4, 5, 7"),
        ("o10", "x10", "hex 0: cannot read 'x10'; expected a letter of wbsgod and a number, as in o10"),
        ("o10", "", "hex 0: cannot read ''"),
        ("s11", "s1x", "hex 18: cannot read 's1x'"),
        ("s11", "s-1", "hex 18: cannot read 's-1'"),
        ("s11", "s1111", "hex 18: cannot read 's1111'"),
        ("b6", "b", "hex 4: brick without a number"),
        ("b6", "b7", "hex 4: there is no token 7"),
        ("b6", "b13", "hex 4: there is no token 13"),
        ("b6", "b0", "hex 4: there is no token 0"),
        ("b6", "b2", "hex 4: one token 2 too many, the box holds 1"),
        ("w11", "w9", "hex 8: one token 9 too many, the box holds 2"),
        (".d.", ".d7.", "hex 9: the desert has no number, found 7"),
        ("s5", "d", "hex 15: one desert too many, the box holds 1"),
        ("s5", "w5", "hex 15: one wood too many, the box holds 4"),
        ("b5", "o5", "hex 16: one ore too many, the box holds 3"),
        (".d.", ".w2.", "hex 9: one token 2 too many"),
        ("?go", "go", "expected 9 harbours, found 8 in 'go?s??bw'"),
        ("bw", "bww", "expected 9 harbours, found 10"),
        ("?go", "?do", "harbour 1: unknown kind 'd'; expected one of ? w b s g o"),
        ("?go", "???", "harbour 5: one 3:1 harbour too many"),
        ("?go", "?gg", "harbour 2: one wheat harbour too many"),
        ("?go?s??bw", "0?,3g,7o,10?,13s,17?,20?,23b,30w", "harbour 8: no place '30' on the coast; expected 0 to 29"),
        ("?go?s??bw", "0?,3g,7o,10?,13s,17?,20?,23b,w", "harbour 8: no place '' on the coast; expected 0 to 29"),
        ("?go?s??bw", "0?,3g,7o,10?,13s,17?,20?,23b,", "harbour 8: unknown kind ''"),
        ("?go?s??bw", "0?,3g,7o,10?,13s,17?,20?,23b", "expected 9 harbours, found 8"),
        ("?go?s??bw", "3g,0?,7o,10?,13s,17?,20?,23b,27w", "harbours: expected in clockwise order from the north-west"),
        (
            "?go?s??bw",
            "0?,2g,7o,10?,13s,17?,20?,23b,27w",
            "harbour 0: at least two edges of the coast lie between two harbours",
        ),
        (
            "?go?s??bw",
            "0?,3g,7o,10?,13s,17?,20?,23b,28w",
            "harbour 8: at least two edges of the coast lie between two harbours",
        ),
        (
            "?go?s??bw",
            "0?,3g,3o,10?,13s,17?,20?,23b,27w",
            "harbour 1: at least two edges of the coast lie between two harbours",
        ),
    ],
)
def test_wrong_text_names_the_hex_or_harbour(old: str, new: str, message: str) -> None:
    assert BEGINNER.count(old) == 1 or old == "?go"
    with pytest.raises(InvalidBoard) as error:
        Board.from_text(BEGINNER.replace(old, new, 1))
    assert str(error.value).startswith(message)


def _set(*path: Any, to: Any) -> Callable[[dict[str, Any]], None]:
    def change(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = to

    return change


def _drop(*path: Any) -> Callable[[dict[str, Any]], None]:
    def change(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        del data[path[-1]]

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_drop("hexes"), "board: the field hexes is missing"),
        (_drop("harbours"), "board: the field harbours is missing"),
        (_set("hexes", to={}), "hexes: expected a list, found dict"),
        (_set("harbours", to=None), "harbours: expected a list, found NoneType"),
        (_drop("hexes", 18), "hex 18: missing; expected 19 hexes, found 18"),
        (lambda data: data["hexes"].append(data["hexes"][0]), "hex 19: one hex too many; expected 19 hexes, found 20"),
        (_set("hexes", 3, to="wheat"), "hex 3: expected an object, found str"),
        (_drop("hexes", 3, "resource"), "hex 3: the field resource is missing"),
        (_drop("hexes", 3, "number"), "hex 3: the field number is missing"),
        (_set("hexes", 3, "resource", to="gold"), "hex 3: unknown resource 'gold'"),
        (_set("hexes", 3, "resource", to=None), "hex 3: unknown resource None"),
        (_set("hexes", 3, "number", to="12"), "hex 3: the number '12' is not a whole number"),
        (_set("hexes", 3, "number", to=12.0), "hex 3: the number 12.0 is not a whole number"),
        (_set("hexes", 3, "number", to=True), "hex 3: the number True is not a whole number"),
        (_set("hexes", 3, "number", to=None), "hex 3: wheat without a number"),
        (_set("hexes", 3, "number", to=7), "hex 3: there is no token 7"),
        (_set("hexes", 3, "number", to=2), "hex 3: one token 2 too many, the box holds 1"),
        (_set("hexes", 9, "number", to=7), "hex 9: the desert has no number, found 7"),
        (_set("hexes", 3, "corners", to=[1, 2, 3]), "hex 3: its corners are [8, 9, 19, 18, 17, 7], found [1, 2, 3]"),
        (_set("edges", to=[[0, 1]]), "edges: not the 72 edges of the island"),
        (_drop("harbours", 4), "expected 9 harbours, found 8"),
        (_set("harbours", 4, to=[45, 46]), "harbour 4: expected an object, found list"),
        (_drop("harbours", 4, "kind"), "harbour 4: the field kind is missing"),
        (_drop("harbours", 4, "corners"), "harbour 4: the field corners is missing"),
        (_set("harbours", 4, "kind", to="gold"), "harbour 4: unknown kind 'gold'"),
        (_set("harbours", 4, "kind", to="ore"), "harbour 4: one ore harbour too many"),
        (_set("harbours", 4, "corners", to=[45, 47]), "harbour 4: [45, 47] are not the two corners of an edge"),
        (_set("harbours", 4, "corners", to=[45]), "harbour 4: [45] are not the two corners of an edge"),
        (_set("harbours", 4, "corners", to="45-46"), "harbour 4: '45-46' are not the two corners of an edge"),
        (_set("harbours", 4, "corners", to=[44, 45]), f"harbour 4: edge {EDGE_BETWEEN[44, 45]} is not on the coast"),
        (_set("harbours", 4, "corners", to=[36, 37]), "harbour 3: at least two edges of the coast lie between two harbours"),
    ],
)  # fmt: skip
def test_wrong_json_names_the_hex_or_harbour(change: Callable[[dict[str, Any]], None], message: str) -> None:
    data = json.loads(json.dumps(Board.beginner().to_json()))
    change(data)
    with pytest.raises(InvalidBoard) as error:
        Board.from_json(data)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("data", [[], 5, None, "[]"])
def test_wrong_json_that_is_no_object(data: Any) -> None:
    with pytest.raises(InvalidBoard, match="expected an object with the fields hexes and harbours"):
        Board.from_json(data)


def test_wrong_json_text() -> None:
    with pytest.raises(InvalidBoard, match=re.escape("not JSON: Expecting value at line 1, column 1")):
        Board.from_json("o10.s2")


def test_wrong_boards_cannot_be_made_by_hand_either() -> None:
    board = Board.beginner()
    with pytest.raises(InvalidBoard, match="hex 18: missing; expected 19 hexes, found 18"):
        Board(board.hexes[:18], board.harbours)
    with pytest.raises(InvalidBoard, match="expected 9 harbours, found 8"):
        Board(board.hexes, board.harbours[:8])
