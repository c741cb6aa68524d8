"""Sentences about corners, checked by hand on the beginner board.

Corner 41 touches wheat 6 (5 pips), brick 5 (4) and ore 3 (2); corner 9 brick 6 (5), ore 10 (3) and wheat 12 (1); corner 1
only ore 10, at a 3:1 harbour; corner 7 only wheat 12, at the wood harbour; corner 45 sheep 5 (4) and sheep 11 (2), at the
sheep harbour.
"""

from math import dist, sqrt

import pytest

from kibitz.catan import Board
from kibitz.catan.analysis.corners import vertex_score
from kibitz.catan.analysis.explain import (
    WHY_WIDTH,
    character,
    explain,
    first_purchases,
    hexes_text,
    label,
    next_pick,
    sentences,
    why,
)
from kibitz.catan.analysis.position import Position
from kibitz.catan.analysis.types import AnalysisConfig, DraftPick, PlacementReport, VertexScore, Waiting
from kibitz.catan.core.board import RESOURCES
from kibitz.catan.core.topology import CORNERS, corner_position
from tests.catan.positions import Table

pytestmark = pytest.mark.plain

BEGINNER = Board.beginner()
OPENING = Position.opening(BEGINNER)


def at(corner: int, simulated: bool = False) -> VertexScore:
    return VertexScore(corner, 1.0, 1.0, {}, 0.0, 0.0, 0.0, simulated)


def picks(*corners: int) -> tuple[DraftPick, ...]:
    """A draft of two seats in which the first takes the first and the last of `corners`."""
    return tuple(
        DraftPick(i, seat, corner, None, 0.0) for i, (seat, corner) in enumerate(zip((0, 1, 1, 0), corners, strict=True))
    )


def waits(**means: float | None) -> PlacementReport:
    """Mean waiting times of 30 throws; None for what takes longer as a rule."""
    waiting = {
        name.replace("_", " "): Waiting(30.0 if mean is None else mean, None if mean is None else 1, (0.0,) * 31, 0.0)
        for name, mean in means.items()
    }
    return PlacementReport(41, {}, {}, waiting)


def test_labels():
    assert label("FG", 1, at(23, simulated=True)) == "FG#1 V23 (sim)"
    assert label("ST", 12, at(4)) == "ST#12 V4"


@pytest.mark.parametrize(
    ("corner", "text"),
    [
        (41, "wheat 6 · brick 5 · ore 3"),
        (20, "brick 6 · wood 11 · desert"),
        (1, "ore 10 · 3:1 harbour"),
        (7, "wheat 12 · 2:1 wood harbour"),
        (45, "sheep 5 · sheep 11 · 2:1 sheep harbour"),
    ],
)
def test_hexes_in_a_table(corner, text):
    assert hexes_text(BEGINNER, corner) == text


@pytest.mark.parametrize(
    ("pips", "kind"),
    [
        ((0, 2, 0, 5, 4), "city engine"),  # 9 of 11
        ((0, 4, 0, 5, 2), "balanced"),  # more brick than ore
        ((5, 1, 0, 0, 3), "balanced"),  # more ore than brick
        ((3, 5, 0, 0, 2), "road and settlement builder"),
        ((0, 0, 3, 4, 5), "development cards"),
        ((0, 0, 1, 4, 5), "city engine"),  # hardly any sheep
        ((0, 0, 2, 7, 1), "development cards"),  # more sheep than ore
        ((2, 0, 4, 0, 5), "balanced"),
        ((0, 4, 0, 0, 5), "ore and brick"),
        ((0, 0, 0, 1, 0), "wheat only"),
        ((0, 0, 0, 0, 0), "no production"),
    ],
)
def test_characters(pips, kind):
    assert character({resource: n for resource, n in zip(RESOURCES, pips, strict=True) if n}) == kind


def test_the_best_corner_of_the_beginner_board():
    """A next settlement on corner 39 (wood 8, brick 5) brings the wood; the picks 29 and 39 close corners 30 and 39."""
    assert sentences(OPENING, vertex_score(OPENING, 41), picks(41, 35, 29, 39)) == (
        "Wheat 6, brick 5 and ore 3: 11 pips.",
        "Balanced: no purchase stands out.",
        "No wood or sheep: wood comes from V39 in your next pick, sheep only by trade.",
        "Room for more: 4 corners two roads away are free after the draft, the best V43 (10 pips).",
        "The robber on wheat 6 would stop 5 of its 11 pips.",
    )


def test_room_counts_the_corners_at_the_right_distance():
    """Two roads away is the square root of three; corner 43 has wheat 6, wheat 4 and sheep 11: 5 + 3 + 2 pips."""
    away = [c for c in range(CORNERS) if abs(dist(corner_position(c), corner_position(41)) - sqrt(3)) < 1e-6]
    assert len(away) == 6
    assert 43 in away
    blocked = Position.of(Table(seats=2).build(1, settlements=[c for c in away if c != 43]).main(player=0))
    assert "Little room: of the corners two roads away only V43 is free (10 pips)." in sentences(blocked, at(41))
    full = Position.of(Table(seats=2).build(1, settlements=away[:3]).build(0, settlements=away[3:]).main(player=0))
    assert "No room: no corner two roads away is free." in sentences(full, at(41))


def test_room_is_what_the_draft_leaves():
    """Around corner 41 lie 30, 32, 39, 43, 48 and 50: other picks on or beside them close them."""
    assert "Room for more: 6 corners two roads away are free, the best V43 (10 pips)." in sentences(OPENING, at(41))
    taken = "Room for more: 5 corners two roads away are free after the draft, the best V30 (9 pips)."
    assert taken in sentences(OPENING, at(41), picks(41, 43, 0, 13))
    assert taken in sentences(OPENING, at(41), picks(41, 44, 0, 13)), "corner 44 is beside corner 43"
    assert "Little room: of the corners two roads away only V30 is free after the draft (9 pips)." in sentences(
        OPENING, at(41), (*picks(41, 43, 39, 32), *picks(13, 48, 50, 0)[1:3])
    )
    assert not any("after the draft" in sentence for sentence in sentences(OPENING, at(41), picks(40, 43, 0, 13)))


def test_what_is_lacking_and_where_it_comes_from():
    def lack(following: int) -> str:
        return sentences(OPENING, at(41), picks(41, 35, 29, following))[2]

    assert lack(13) == "No wood or sheep: they come from V13 in your next pick."  # wood 9, sheep 4, brick 10
    assert lack(0) == "No wood or sheep, and none from V0 in your next pick."  # ore 10
    assert sentences(OPENING, at(41))[2] == "No wood or sheep."
    assert sentences(OPENING, at(41), picks(40, 35, 29, 13))[2] == "No wood or sheep.", "picks after another corner say nothing"
    own_sheep = Position.of(Table(seats=2).build(0, settlements=[45]).main(player=0))
    assert sentences(own_sheep, at(41))[2] == "No wood."
    own_both = Position.of(Table(seats=2).build(0, cities=[13]).main(player=0))
    assert sentences(own_both, at(41))[2] == "With it you produce all five resources."
    nearly = Position.of(Table(seats=2).build(0, settlements=[45]).main(player=0))
    assert sentences(nearly, at(41), picks(41, 35, 29, 39))[2] == "No wood: it comes from V39 in your next pick."


def test_harbours():
    assert "Its harbour trades any three alike for one." in sentences(OPENING, at(1))
    assert "Its harbour trades two wood for one; but you produce none." in sentences(OPENING, at(7))
    assert "Its harbour trades two sheep for one; you have 6 pips of it." in sentences(OPENING, at(45))
    wood_city = Position.of(Table(seats=2).build(0, cities=[40]).main(player=0))  # wood 8, twice
    assert "Its harbour trades two wood for one; you have 10 pips of it." in sentences(wood_city, at(7))
    assert not any("harbour" in sentence for sentence in sentences(OPENING, at(41)))


def test_a_corner_of_one_hex_and_one_of_the_desert():
    assert "The robber on ore 10 would stop all of it." in sentences(OPENING, at(1))
    assert sentences(OPENING, at(1))[0] == "Ore 10: 3 pips."
    assert sentences(OPENING, at(7))[0] == "Wheat 12: 1 pip."
    coast = Board.from_text("d.s2.w9/g12.b6.s4.b10/g9.w11.o10.w3.o8/w8.o3.g4.s5/b5.g6.s11 ?go?s??bw")
    barren = Position.opening(coast)
    assert sentences(barren, at(1))[0] == "It touches nothing but desert."
    assert not any("robber" in sentence for sentence in sentences(barren, at(1)))
    assert why(barren, at(1)) == "no production; no wood, brick, sheep, wheat or ore"


def test_how_long_each_purchase_takes_by_itself():
    report = waits(road=6.6, settlement=15.2, city=None, development_card=11.0)
    assert sentences(OPENING, at(41), report=report)[-1] == (
        "Saved for alone, a road takes 7 throws on average, a development card 11 and a settlement 15; "
        "as a rule a city more than 30."
    )
    assert first_purchases(waits(road=0.0, city=1.2), 39) == (
        "Together with V39: saved for alone, a road takes no time and a city takes 1 throw on average."
    )
    assert first_purchases(waits(road=0.0, settlement=0.2, city=3.0)) == (
        "Saved for alone, a road and a settlement take no time and a city takes 3 throws on average."
    )
    assert first_purchases(waits(city=1.0)) == "Saved for alone, a city takes 1 throw on average."
    assert first_purchases(waits(road=None, city=None)) == "Nothing can be paid for within 30 throws, as a rule."


@pytest.mark.parametrize(
    ("following", "text"),
    [
        (39, "balanced; wood comes from V39; no sheep"),
        (13, "balanced; wood and sheep come from V13"),
        (0, "balanced; no wood or sheep"),
    ],
)
def test_why_in_a_table(following, text):
    assert why(OPENING, at(41), picks(41, 35, 29, following)) == text


def test_why_says_as_much_as_there_is_room_for():
    assert why(OPENING, at(42), picks(42, 35, 29, 13)) == "city engine; the rest comes from V13"  # wheat 6, wheat 4, ore 3
    assert why(OPENING, at(1)) == "ore only; no wood, brick, sheep or wheat; 3:1 harbour"
    everything = Position.of(Table(seats=2).build(0, settlements=[13]).main(player=0))
    assert why(everything, at(9)) == "balanced; all five resources"
    for corner in range(CORNERS):
        for following in (0, 13, 39):
            assert len(why(OPENING, at(corner), picks(corner, 35, 29, following))) <= WHY_WIDTH


def test_the_next_pick_is_that_of_the_seat():
    assert next_pick(OPENING, 41, picks(41, 35, 29, 39)) == 39
    assert next_pick(OPENING, 39, picks(41, 35, 29, 39)) is None
    assert next_pick(OPENING, 35, picks(41, 35, 29, 39)) is None
    assert next_pick(OPENING, 41, ()) is None


def test_a_line_says_what_the_first_two_settlements_pay_for():
    config = AnalysisConfig(mc_samples=3, mc_throws=5)
    line = explain("ST#1 V41", vertex_score(OPENING, 41), OPENING, config)
    assert line.sentences[0] == "Wheat 6, brick 5 and ore 3: 11 pips."
    assert line.sentences[-1].startswith("Together with V11: ")
    given = explain("MC#1 V41", vertex_score(OPENING, 41), OPENING, config, waits(road=2.0))
    assert given.sentences[-1] == "Saved for alone, a road takes 2 throws on average."
