"""The picture of an answer: well-formed, with every candidate marked where it belongs and coloured by how good it is."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from kibitz.catan.analysis import AnalysisConfig, AnalysisResult, Position, create_analyzer
from kibitz.catan.analysis.report import COLOURS, colour_of, draw_result, element_of
from kibitz.catan.analysis.types import AnalysisMode, Difference, FullGameSummary, MoveScore
from kibitz.catan.core.actions import Action
from kibitz.catan.core.board import Board
from kibitz.catan.core.state import ROBBER_MOVE, TURN_START, new_states
from kibitz.catan.core.svg import SEAT_COLOURS, draw_board
from kibitz.catan.core.topology import EDGE_ENDS

SVG = "{http://www.w3.org/2000/svg}"
CONFIG = AnalysisConfig(
    full_game_rollouts=8, full_game_candidate_vertices=4, mc_samples=20, mcts_iterations=24, ismcts_iterations=24, top=3
)


def ids(picture: str) -> dict[str, ET.Element]:
    """All elements with an id, which must be unique."""
    found = [(e.get("id", ""), e) for e in ET.fromstring(picture).iter() if e.get("id")]
    assert len(found) == len(dict(found))
    return dict(found)


def words(element: ET.Element) -> list[str]:
    return ["".join(text.itertext()) for text in element.iter(f"{SVG}text")]


def disc_colour(picture: str, corner: ET.Element) -> str | None:
    """The colour of the disc below the hit area of a corner."""
    place = corner.get("cx"), corner.get("cy")
    discs = (e for e in ET.fromstring(picture).iter(f"{SVG}circle") if (e.get("cx"), e.get("cy"), e.get("r")) == (*place, "15"))
    return next((disc.get("fill") for disc in discs), None)


@pytest.mark.parametrize("mode", list(AnalysisMode))
@pytest.mark.parametrize("seat", [0, 2])
def test_every_mode_is_drawn(mode: AnalysisMode, seat: int) -> None:
    position = Position.opening(Board.random(3), seat=seat)
    result = create_analyzer(mode).analyze(position, CONFIG)
    picture = draw_result(result, position)
    found = ids(picture)
    shown = [score for score in result.global_ranking if score.simulated] or result.top_recommendations
    assert [name for name in found if name.startswith("mark-")] == [f"mark-corner-{score.vertex_id}" for score in shown]
    for rank, score in enumerate(shown, start=1):
        value = f"{score.total:.2f}" if score.win_rate is None else f"{100 * score.win_rate.rate:.0f} %"
        assert words(found[f"mark-corner-{score.vertex_id}"]) == [str(rank), f"V{score.vertex_id} · {value}"]
    title, low, high, *_ = words(found["legend"])
    assert title == ("score" if mode in (AnalysisMode.STATIC, AnalysisMode.MONTE_CARLO) else "win rate")
    values = [score.total if score.win_rate is None else 100 * score.win_rate.rate for score in shown]
    assert [float(end.removesuffix(" %")) for end in (low, high)] == pytest.approx([min(values), max(values)], abs=0.51)
    assert draw_result(result, position) == picture


def test_colours_rise_with_the_value() -> None:
    position = Position.opening(Board.random(3))
    result = create_analyzer("full_game").analyze(position, CONFIG)
    picture = draw_result(result, position)
    found = ids(picture)
    rates = {s.vertex_id: s.win_rate.rate for s in result.global_ranking if s.win_rate}
    assert len(set(rates.values())) > 1
    for corner, rate in rates.items():
        colour = disc_colour(picture, found[f"corner-{corner}"])
        assert colour == colour_of(rate, min(rates.values()), max(rates.values()))
        assert (colour == COLOURS[-1]) == (rate == max(rates.values()))
        assert (colour == COLOURS[0]) == (rate == min(rates.values()))


def test_the_recommended_corner_and_its_road_stand_out() -> None:
    position = Position.opening(Board.random(3))
    result = create_analyzer("static").analyze(position, CONFIG)
    picture = draw_result(result, position)
    found = ids(picture)
    best = result.top_recommendations[0].vertex_id
    (_, rim) = (e for e in ET.fromstring(picture).iter() if e.get("class") == "lastmove")
    assert (rim.get("cx"), rim.get("cy")) == (found[f"corner-{best}"].get("cx"), found[f"corner-{best}"].get("cy"))
    road = result.predicted_sequence[0].road
    assert road is not None
    assert best in EDGE_ENDS[road]
    lines = [e for e in ET.fromstring(picture).iter(f"{SVG}line") if e.get("stroke") == COLOURS[-1]]
    assert len(lines) == 1


def test_the_draft_is_numbered_from_the_pick_that_is_asked_about() -> None:
    position = Position.opening(Board.beginner(), seat=2)
    result = create_analyzer("static").analyze(position, CONFIG)
    found = ids(draw_result(result, position))
    badges = {name: element for name, element in found.items() if name.startswith("badge-")}
    expected = {f"badge-{pick.vertex_id}": pick for pick in result.predicted_sequence if pick.pick >= 2}
    assert list(badges) == list(expected)
    for name, pick in expected.items():
        assert words(badges[name]) == [str(pick.pick + 1)]
        assert badges[name].find(f"{SVG}circle").get("fill") == SEAT_COLOURS[pick.seat][0]  # type: ignore[union-attr]
    placed = [pick.vertex_id for pick in result.predicted_sequence if pick.pick < 2]
    assert [f"settlement-{corner}" in found for corner in placed] == [True, True]


def move(action: str, won: int) -> MoveScore:
    summary = FullGameSummary(100, {}, {}, {}, 60.0)
    return MoveScore(
        action=action,
        **Action.from_text(action).to_json(),
        name=action,
        value=won / 100,
        interval=(0.0, 1.0),
        visits=100,
        difference=Difference(0.0, 0.0, 0.0),
        summary=summary,
    )


def running(phase: int, *moves: MoveScore, top: int = 5) -> str:
    states = new_states(Board.beginner(), 3)
    states["phase"], states["turn"] = phase, 9
    states["settlements"][0, 0] = 1 << 23
    position = Position.of(states, 0)
    result = AnalysisResult(
        mode=AnalysisMode.FULL_GAME,
        board=Board.beginner().to_text(),
        seats=3,
        seat=0,
        config=AnalysisConfig(top=top),
        options=moves,
        games=100,
    )
    return draw_result(result, position)


def test_a_running_game_shows_the_moves_that_have_a_place() -> None:
    moves = move("build_city 23", 40), move("end_turn", 35), move("build_road 22-23", 30)
    found = ids(running(TURN_START, *moves))
    edge = EDGE_ENDS.index((22, 23))
    assert [name for name in found if name.startswith("mark-")] == ["mark-corner-23", f"mark-edge-{edge}"]
    assert words(found["mark-corner-23"]) == ["1", "V23 · 40 %"]
    assert words(found[f"mark-edge-{edge}"]) == ["3", "30 %"]
    assert "player-2" in found


def test_the_robber_is_shown_on_its_best_hex() -> None:
    picture = running(ROBBER_MOVE, move("move_robber 4", 40), move("move_robber 7", 30), move("move_robber 8", 20), top=2)
    found = ids(picture)
    assert [name for name in found if name.startswith("mark-")] == ["mark-hex-4", "mark-hex-7"]
    assert words(found["mark-hex-4"]) == ["1", "hex 4 · 40 %"]
    assert sum(e.get("class") == "lastmove" for e in ET.fromstring(picture).iter(f"{SVG}path")) == 2
    assert words(found["legend"])[:3] == ["win rate", "30 %", "40 %"]


def test_without_a_place_there_is_nothing_to_mark() -> None:
    found = ids(running(TURN_START, move("roll_dice", 40)))
    assert not [name for name in found if name.startswith(("mark-", "legend"))]


@pytest.mark.plain
@pytest.mark.parametrize(
    ("action", "element"),
    [
        ("place_setup_settlement 7", "corner-7"),
        ("build_settlement 53", "corner-53"),
        ("place_free_road 0-1", "edge-0"),
        ("move_robber 18", "hex-18"),
        ("offer_trade 1 wood for 1 ore", None),
    ],
)
def test_where_an_action_happens(action: str, element: str | None) -> None:
    assert element_of(action) == element


def test_nobody_else_sees_more_cards_than_the_seat() -> None:
    states = new_states(Board.beginner(), 2)
    states["phase"], states["turn"] = TURN_START, 3
    states["hand"][0] = [[1, 0, 0, 0, 0], [0, 2, 0, 0, 0], [0] * 5, [0] * 5]
    states["hand_size"][0] = [1, 2, 0, 0]
    position = Position.of(states, 0)
    base = AnalysisResult(
        mode=AnalysisMode.FULL_GAME, board=Board.beginner().to_text(), seats=2, seat=0, config=AnalysisConfig()
    )
    found = ids(draw_result(replace(base, options=(move("roll_dice", 50),)), position))
    assert "2 cards" in words(found["player-1"])
    assert "1 card" not in words(found["player-0"])


@pytest.mark.plain
def test_the_picture_of_the_numbers_is_what_is_drawn() -> None:
    """To draw it again where this fails, write what is compared here into the file."""
    drawn = draw_board(Board.random(42), labels=True)
    assert (Path(__file__).parents[3] / "docs/images/numbers.svg").read_text() == drawn + "\n"
    assert {"hex 0", "hex 18", "0", "53"} <= set(words(ET.fromstring(drawn)))
