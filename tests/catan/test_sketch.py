"""Boards in the making: what is told about them, and that nothing is told about a board."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.catan.core.board import PORT_TYPES, RESOURCES, TOKENS, Board, InvalidBoard
from kibitz.catan.core.sketch import Sketch
from kibitz.catan.core.svg import draw_board

pytestmark = pytest.mark.plain

HEX = st.integers(0, 18)
CHANGES = st.lists(
    st.one_of(
        st.tuples(st.just("resource"), HEX, st.sampled_from([*RESOURCES, None])),
        st.tuples(st.just("number"), HEX, st.sampled_from(TOKENS)),
        st.tuples(st.just("harbour"), st.integers(0, 8), st.sampled_from(PORT_TYPES)),
    ),
    max_size=6,
)


def changed(changes):
    sketch = Sketch.of(Board.beginner())
    for kind, place, value in changes:
        sketch = getattr(sketch, f"with_{kind}")(place, value)
    return sketch


@settings(deadline=None)
@given(CHANGES)
def test_a_sketch_has_flaws_exactly_when_it_is_no_board(changes):
    sketch = changed(changes)
    flaws = sketch.flaws()
    if flaws:
        with pytest.raises(InvalidBoard):
            sketch.board()
    else:
        assert sketch.board().to_text() == sketch.to_text()
    assert Sketch.from_text(sketch.to_text()) == sketch
    picture = draw_board(sketch)
    assert all(f'id="{element}"' in picture for flaw in flaws for element in flaw.elements)


def test_swapped_hexes_make_a_board():
    board = Sketch.of(Board.beginner()).swapped(0, 9).board()
    assert board.hexes[9] == Board.beginner().hexes[0]
    assert board.desert == 0


def test_what_is_missing_and_what_is_too_much_are_told():
    sketch = Sketch.of(Board.beginner()).with_number(0, 6)
    assert [flaw.text for flaw in sketch.flaws()] == ["3 tokens 6: the box holds 2", "1 token 10: one is missing"]
    assert sketch.flaws()[0].elements == ("hex-0", "hex-4", "hex-17")


def test_a_desert_has_no_number_and_a_former_desert_wants_one():
    sketch = Sketch.of(Board.beginner()).with_resource(9, RESOURCES[0])
    assert "1 hex without a number" in [flaw.text for flaw in sketch.flaws()]
    assert Sketch.of(Board.beginner()).with_number(9, 8) == Sketch.of(Board.beginner())
    assert Sketch.of(Board.beginner()).with_resource(0, None).hexes[0].number is None


@pytest.mark.parametrize("text", ["", "a b", "o10.s2.w9/g12.b6.s4.b10/g9.w11.d.w3.o8/w8.o3.g4.s5/b5.g6.s11 1?,2?"])
def test_what_is_no_island_is_refused(text):
    with pytest.raises(InvalidBoard):
        Sketch.from_text(text)
