"""The island as text."""

import pytest

from kibitz.catan import Board, GameState
from kibitz.catan.core.chart import draw_chart
from kibitz.catan.core.topology import CORNERS, HEXES
from tests.catan.positions import Table, chain


def text(state: GameState) -> str:
    return "\n".join(line.text for line in draw_chart(state.states))


@pytest.mark.plain
def test_every_place_has_its_name_within_80_columns():
    for seed in range(6):
        drawn = text(GameState.new(Board.random(seed), 4))
        words = drawn.split()
        assert {f"h{hex}" for hex in range(HEXES)} <= set(words)
        assert {str(corner) for corner in range(CORNERS)} <= set(words)
        assert len([word for word in words if word.startswith("(")]) == 9
        assert max(map(len, drawn.splitlines())) <= 80
        assert len(drawn.splitlines()) == 23


@pytest.mark.plain
def test_pieces_carry_the_number_of_their_player():
    table = Table(seats=3).build(0, settlements=[20], roads=chain(20, 31, 32)).build(2, cities=[41], roads=[(41, 42)])
    lines = text(table.robber(17).main()).splitlines()
    assert " 1s20 " in lines[10]
    assert "|1|" in lines[11]
    assert "\\1\\" in lines[13]
    assert " 3c41 " in lines[18]
    assert "/3/" in lines[17]
    assert "6 robber" in lines[19]
    inks = {run.text: run.ink for line in draw_chart(table.main().states) for run in line.runs}
    assert (inks["1s20"], inks["3c41"], inks["robber"]) == ("seat 1", "seat 3", "robber")


@pytest.mark.plain
def test_the_desert_has_no_token():
    lines = text(Table(seats=2).robber(0).main()).splitlines()
    assert "desert" in lines[10]
    assert "10 robber" in lines[3]
    assert lines[11].count("*") == 4 + 2 + 2 + 5
