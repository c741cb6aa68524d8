"""Laps as pictures: every step and every way out is in them, texts are escaped, everything lies within the frame."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from kibitz.loops.svg import Cycle, Exit, Node, draw_tall, draw_wide, in_words

pytestmark = pytest.mark.plain
LAP = (Node(0, "resolve the <bell>"), Node(1, "resolve the post", lit=True), Node(-1, "a card is drawn"))


def words(drawing: str) -> str:
    return " ".join("".join(element.itertext()) for element in ElementTree.fromstring(drawing).iter("tspan"))


@pytest.mark.parametrize("draw", [draw_wide, draw_tall])
@pytest.mark.parametrize("steps", [1, 2, 3])
@pytest.mark.parametrize("closed", [True, False])
def test_everything_is_drawn(draw, steps, closed) -> None:
    exits = (Exit(0, 0, "decline it", taken=True), Exit(steps - 1, 1, "leave it & go", sure=False))
    cycle = Cycle(LAP[:steps], "player 1 declares", "rule 11-1", exits, closed, more=3)
    found = words(draw(cycle))
    for node in cycle.nodes:
        assert node.text in found
    assert "decline it" in found
    assert "leave it & go (if others help)" in found
    assert "player 1 declares" in found
    assert "and 3 other ways out" in draw(cycle)


@pytest.mark.parametrize("draw", [draw_wide, draw_tall])
def test_nothing_lies_outside_of_the_picture(draw) -> None:
    exits = tuple(Exit(step, step % 2, "a move with a long description that needs lines") for step in (0, 0, 0, 1, 1))
    drawing = draw(Cycle(LAP[:2], "the smaller of two declared numbers", "rule " * 20, exits))
    left, top, width, height = map(float, re.search(r'viewBox="([^"]+)"', drawing)[1].split())
    for x, y, w, h in re.findall(r'<rect x="([\d.-]+)" y="([\d.-]+)" width="([\d.]+)" height="([\d.]+)" rx="12"', drawing):
        assert left <= float(x)
        assert float(x) + float(w) <= left + width
        assert top <= float(y)
        assert float(y) + float(h) <= top + height


def test_ways_out_do_not_cover_each_other() -> None:
    exits = tuple(Exit(0, 0, f"way {n}") for n in range(5))
    drawing = draw_wide(Cycle(LAP[:1], "player 1 declares", "", exits))
    boxes = [
        tuple(map(float, found)) for found in re.findall(r'x="([\d.-]+)" y="([\d.-]+)" width="204" height="([\d.]+)"', drawing)
    ]
    assert len(boxes) == 5
    for i, (x, y, h) in enumerate(boxes):
        assert all(x != ox or y + h <= oy or oy + oh <= y for j, (ox, oy, oh) in enumerate(boxes) if i != j)


def test_who_does_not_see_it_hears_it() -> None:
    cycle = Cycle(LAP[:2], "draw", exits=(Exit(1, 1, "decline"),))
    assert in_words(cycle).endswith("and again from 1. Verdict: draw. Way out instead of 2, player 2: decline.")
    assert "does not come back" in in_words(Cycle(LAP[:1], "no loop", closed=False))


@pytest.mark.parametrize("draw", [draw_wide, draw_tall])
def test_the_picture_keeps_its_size_while_the_guard_is_silent(draw) -> None:
    exits = (Exit(1, 1, "decline it"),)
    told = draw(Cycle(LAP[:2], "player 2 declares", "rule 11-1", exits, more=2))
    silent = draw(Cycle(LAP[:2], "lap 1", "the guard has not spoken yet", exits, more=2, told=False))
    assert re.search(r'viewBox="[^"]+"', told)[0] == re.search(r'viewBox="[^"]+"', silent)[0]
    assert "decline it" in told
    assert "decline it" not in silent
