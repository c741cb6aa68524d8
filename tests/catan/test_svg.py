"""The pictures: valid XML with the promised ids, what the state says and where, and nothing that an observer must not see."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pytest

from kibitz.catan.core.board import Board
from kibitz.catan.core.places import corner_words, edge_words
from kibitz.catan.core.state import GAME_OVER, MAIN, SEATS, SETUP_SETTLEMENT, TURN_START, new_states
from kibitz.catan.core.svg import HEIGHT, PANEL, SEAT_COLOURS, SIDE, TERRAIN_COLOURS, WIDTH, draw_board, draw_state
from kibitz.catan.core.topology import CORNERS, EDGE_CORNERS, EDGE_ENDS, EDGES, HALF, HEXES, corner_position, hex_position

States = npt.NDArray[np.void]
SVG = "{http://www.w3.org/2000/svg}"
COUNTS = {"hex": HEXES, "token": HEXES, "corner": CORNERS, "edge": EDGES, "harbour": 9}
FIXED = {"robber", *(f"{kind}-{n}" for kind, count in COUNTS.items() for n in range(count))}
#: seat -> settlements, cities, roads
PIECES = {0: ([10], [23], [0, 35, 36]), 1: ([40], [], [71]), 2: ([], [53], [50]), 3: ([0], [30], [])}


@pytest.fixture
def states() -> States:
    """A game of four in its middle, set by hand."""
    states = new_states(Board.beginner(), 4)
    s = states[0]
    for seat, (settlements, cities, roads) in PIECES.items():
        s["settlements"][seat] = sum(1 << c for c in settlements)
        s["cities"][seat] = sum(1 << c for c in cities)
        for edge in roads:
            s["roads"][seat, edge // HALF] |= 1 << edge % HALF
        s["hand"][seat] = [seat, 1, 2, 0, 3]
        s["hand_size"][seat] = 6 + seat
        s["dev"][seat] = [1, 1, 0, 0, 0]
        s["dev_size"][seat] = 2
        s["played"][seat, 0] = 4 - seat
        s["road_length"][seat] = 5 + seat
    s["phase"], s["turn"], s["player"], s["roll"], s["robber"] = MAIN, 17, 2, 8, 4
    s["army_holder"], s["road_holder"] = 0, 3
    return states


def parsed(picture: str) -> dict[str, ET.Element]:
    """All elements with an id, which must be unique."""
    found = [(e.get("id", ""), e) for e in ET.fromstring(picture).iter() if e.get("id")]
    assert len(found) == len(dict(found))
    return dict(found)


def title(element: ET.Element) -> str:
    return element.findtext(f"{SVG}title") or ""


def words(element: ET.Element) -> list[str]:
    return ["".join(text.itertext()) for text in element.iter(f"{SVG}text")]


def colours(element: ET.Element) -> set[str | None]:
    return {value for e in element.iter() for value in (e.get("fill"), e.get("stroke"))}


def point(position: tuple[float, float]) -> tuple[float, float]:
    return WIDTH / 2 + SIDE * position[0], HEIGHT / 2 + SIDE * position[1]


def moved(element: ET.Element) -> tuple[float, float]:
    match = re.match(r"translate\((\S+) (\S+)\)", element.get("transform", ""))
    assert match
    return float(match[1]), float(match[2])


def pieces(ids: dict[str, ET.Element]) -> Iterator[str]:
    return (name for name in ids if name.split("-")[0] in ("settlement", "city", "road"))


@pytest.mark.parametrize("board", [Board.beginner(), Board.random(3), Board.random(4, tokens="random", harbours="fixed")])
def test_a_board_has_every_id_and_the_right_terrain(board: Board) -> None:
    ids = parsed(draw_board(board, labels=True))
    assert set(ids) >= FIXED
    assert not list(pieces(ids))
    for h, (resource, number) in enumerate(board.hexes):
        terrain = "desert" if resource is None else resource.value
        assert TERRAIN_COLOURS[terrain] in colours(ids[f"hex-{h}"])
        assert title(ids[f"hex-{h}"]).startswith(f"hex {h}: {terrain}")
        assert words(ids[f"token-{h}"]) == ([] if number is None else [str(number)])
    for k, (_, kind) in enumerate(board.harbours):
        assert title(ids[f"harbour-{k}"]) == f"harbour {k}: " + ("3:1" if kind.value == "3:1" else f"2:1 {kind.value}")


def test_corners_and_edges_can_be_clicked_where_they_lie() -> None:
    board = Board.beginner()
    ids = parsed(draw_board(board))
    for c in range(CORNERS):
        e = ids[f"corner-{c}"]
        assert (e.get("class"), title(e)) == ("corner", f"{corner_words(board, c)} (V{c})")
        assert (float(e.get("cx", "")), float(e.get("cy", ""))) == pytest.approx(point(corner_position(c)), abs=0.06)
    for n in range(EDGES):
        e = ids[f"edge-{n}"]
        assert (e.get("class"), title(e)) == ("edge", f"{edge_words(board, EDGE_ENDS[n])} (edge {n})")
        ends = [point(corner_position(c)) for c in EDGE_CORNERS[n].tolist()]
        middle = ((float(e.get("x1", "")) + float(e.get("x2", ""))) / 2, (float(e.get("y1", "")) + float(e.get("y2", ""))) / 2)
        assert middle == pytest.approx(tuple(np.mean(ends, axis=0)), abs=0.11)


def test_six_and_eight_are_red_and_pips_are_the_odds() -> None:
    ids = parsed(draw_board(Board.beginner()))
    assert title(ids["hex-4"]) == "hex 4: brick 6, 5 of 36"
    assert title(ids["hex-9"]) == "hex 9: desert"
    red = {h for h in range(HEXES) if "#B3261E" in colours(ids[f"token-{h}"])}
    assert red == {h for h, hex in enumerate(Board.beginner().hexes) if hex.number in (6, 8)}
    assert len(list(ids["token-4"].iter(f"{SVG}circle"))) == 2 + 5  # shadow and disc, then the pips


def test_the_picture_is_accessible_self_contained_and_deterministic(states: States) -> None:
    pictures = [draw_board(Board.random(3)), draw_state(states)]
    assert pictures == [draw_board(Board.random(3)), draw_state(states)]
    for picture in pictures:
        root = ET.fromstring(picture)
        assert root.get("role") == "img"
        assert root.get("aria-label")
        assert picture.count("http") == picture.count('xmlns="http://www.w3.org/2000/svg"') == 1
        references = re.findall(r'(?:href="|url\()([^")]+)', picture)
        assert {name.removeprefix("#") for name in references} <= set(parsed(picture))


def test_pieces_stand_where_the_state_says(states: States) -> None:
    ids = parsed(draw_state(states))
    assert set(ids) >= FIXED | {f"player-{seat}" for seat in range(SEATS)}
    expected: dict[str, int] = {}
    for seat, lists in PIECES.items():
        for kind, numbers in zip(("settlement", "city", "road"), lists, strict=True):
            expected |= {f"{kind}-{n}": seat for n in numbers}
    assert set(pieces(ids)) == set(expected)
    for name, seat in expected.items():
        assert SEAT_COLOURS[seat][0] in colours(ids[name])
        kind, n = name.split("-")
        if kind == "road":  # as many dots as the number of the seat
            assert len(list(ids[name].iter(f"{SVG}circle"))) == seat + 1
            assert title(ids[f"edge-{n}"]).endswith(f" (edge {n}): road of Player {seat + 1}")
        else:
            assert words(ids[name]) == [str(seat + 1)]
            assert moved(ids[name]) == pytest.approx(point(corner_position(int(n))), abs=0.06)
            assert title(ids[f"corner-{n}"]).endswith(f" (V{n}): {kind} of Player {seat + 1}")


@pytest.mark.parametrize("robber", [0, 9, 18])
def test_the_robber_stands_on_its_hex_above_the_number(states: States, robber: int) -> None:
    states["robber"] = robber
    x, y = point(hex_position(robber))
    at = moved(parsed(draw_state(states))["robber"])
    assert at[0] == pytest.approx(x, abs=0.06)
    assert y - SIDE / 2 < at[1] + 2 < y - 11  # the token reaches up to 11 above the centre


def test_the_panel_counts_points_cards_and_pieces(states: States) -> None:
    ids = parsed(draw_state(states, names=["Ann"]))
    row = words(ids["player-0"])
    assert "Ann" in row
    assert "5 (6) points" in row
    assert row[-9:] == ["0", "1", "2", "0", "3", "Kn", "1", "VP", "1"]
    assert {"Army 4 ★", "Road 5"} <= set(row)
    tips = {title(e) for e in ids["player-0"].iter() if title(e)}
    assert {"road pieces left: 12", "settlement pieces left: 4", "city pieces left: 3", "ore: 3", "knight: 1"} <= tips
    assert {"Army 1", "Road 8 ★", "5 (6) points"} <= set(words(ids["player-3"]))
    assert "▶ Player 3" in words(ids["player-2"])
    assert words(ids["dice"]) == ["8"]
    assert words(ids["bank"]) == ["Bank", "19", "19", "19", "19", "19", "Dev", "25"]
    states["played"][0, 1, 1] = 1
    assert "2 (3) points" in words(parsed(draw_state(states))["player-1"])


def test_the_head_says_whose_turn_it_is(states: States) -> None:
    assert "Turn 17: Player 3" in draw_state(states)
    fresh = new_states(Board.beginner(), 2)
    assert fresh["phase"][0] == SETUP_SETTLEMENT
    assert "Set-up: Player 1" in draw_state(fresh)
    assert "player-2" not in parsed(draw_state(fresh))
    states["phase"], states["roll"] = TURN_START, 0
    assert words(parsed(draw_state(states))["dice"]) == ["?"]
    states["phase"], states["winner"] = GAME_OVER, 1
    assert "Player 2 won" in draw_state(states)


def test_an_observer_sees_only_the_number_of_other_cards(states: States) -> None:
    other = states.copy()
    other["hand"][0, 1] = [7, 0, 0, 0, 0]
    other["dev"][0, 1] = [0, 0, 0, 1, 1]
    other["new_dev"][0] = [0, 0, 0, 0, 1]
    other["deck"][0] = [13, 5, 2, 1, 1]
    assert draw_state(states, observer=0) == draw_state(other, observer=0)
    assert draw_state(states, observer=1) != draw_state(other, observer=1)
    assert draw_state(states) != draw_state(other)
    ids = parsed(draw_state(states, observer=0))
    row = words(ids["player-1"])
    assert "7 cards" in row
    assert "1 point" in row
    assert "VP" not in row
    assert "5 (6) points" in words(ids["player-0"])


def test_a_state_that_hides_hands_shows_their_sizes(states: States) -> None:
    states["hand"][0, 1:] = 0
    states["dev"][0, 1:] = 0
    row = words(parsed(draw_state(states))["player-1"])
    assert "7 cards" in row
    assert "Dev" in row


def test_without_hands_only_the_board_remains(states: States) -> None:
    picture = draw_state(states, hands=False, size=400)
    assert f'viewBox="0 0 {WIDTH} {HEIGHT}" width="400"' in picture
    assert "player-0" not in parsed(picture)
    assert f'viewBox="0 0 {WIDTH + PANEL} {HEIGHT}"' in draw_state(states)


def test_names_marks_and_colours_are_escaped(states: States) -> None:
    hostile = '<script>alert("1")</script>&\x00\u202e\'"'
    clean = hostile.replace("\x00", "").replace("\u202e", "")
    picture = draw_state(states, names=[hostile] * 4, marks={5: hostile}, fill={5: hostile})
    assert "<script" not in picture
    assert "\x00" not in picture
    ids = parsed(picture)
    assert clean in words(ids["player-0"])
    assert title(ids["corner-10"]).endswith(f" (V10): settlement of {clean}")


def test_fill_marks_arrows_lastmove_and_labels(states: States) -> None:
    plain = draw_state(states)
    picture = draw_state(states, fill={5: "#123456", "edge-7": "#234567", "hex-3": "#345678"}, marks={5: "1st", 6: "2nd"})
    assert all(colour in picture and colour not in plain for colour in ("#123456", "#234567", "#345678"))
    assert {"1st", "2nd"} <= set(words(ET.fromstring(picture)))
    assert draw_state(states, arrows=[(3, 20), (20, 41)]).count('class="arrow"') == 2
    for name in ("corner-5", "edge-12", "hex-3"):
        assert 'class="lastmove"' in draw_state(states, lastmove=name)
    labelled = [e for e in ET.fromstring(draw_state(states, labels=True)).iter() if e.get("class") == "label"]
    assert ["".join(e.itertext()) for e in labelled] == [str(c) for c in range(CORNERS)]
    ET.fromstring(draw_state(states, arrows=[(3, 3)], labels=True, fill={3: "red"}, lastmove="edge-71"))


@pytest.mark.parametrize("name", ["corner-54", "edge-72", "hex-19", "edge-", "robber", "", "corner--1", "hex-²"])
def test_unknown_elements_are_refused(states: States, name: str) -> None:
    with pytest.raises(ValueError, match="is not a corner, edge or hex"):
        draw_state(states, lastmove=name)
    with pytest.raises(ValueError, match="is not a corner, edge or hex"):
        draw_board(Board.beginner(), fill={name: "red"})


def test_numbers_outside_the_island_are_refused(states: States) -> None:
    for corner in (-1, CORNERS):
        with pytest.raises(ValueError, match="is not a corner"):
            draw_state(states, arrows=[(0, corner)])
        with pytest.raises(ValueError, match="is not a corner"):
            draw_board(Board.beginner(), marks={corner: "x"})


def test_any_game_of_an_array(states: States) -> None:
    both = np.concatenate([new_states(Board.random(3), 3), states])
    assert draw_state(both, 1) == draw_state(states)
    assert draw_state(both, -1) == draw_state(states)
    assert "player-3" not in parsed(draw_state(both, 0))


def test_the_number_of_a_coloured_hex_stays_free() -> None:
    board = Board.beginner()
    desert = next(h for h, hex in enumerate(board.hexes) if hex.number is None)
    paths = ET.fromstring(draw_board(board, fill={"hex-0": "#123456", f"hex-{desert}": "#654321"})).iter(f"{SVG}path")
    holes = {path.get("fill"): path.get("d", "").count("M") - 1 for path in paths if path.get("fill-rule") == "evenodd"}
    assert holes == {"#123456": 1, "#654321": 0}
