"""Drawings of trees: what stands in them, what is too large, and that nothing breaks a format."""

import json
import re
from xml.etree import ElementTree

import pytest

from kibitz.examples import kuhn
from kibitz.search.tree import Tree
from kibitz.search.tree_draw import TooLarge, as_dot, as_json, as_svg, as_text, count_nodes, draw
from tests.coup.positions import position
from tests.coup.tree_paths import at

SPECTATOR = -1


@pytest.mark.plain
def test_a_game_without_words_of_its_own():
    """The jack has bet: whoever holds it, the other calls, two are lost."""
    jack = Tree(kuhn.new(2, 0), 0).root.children[0]
    assert as_text(draw(jack.children[0].children[1], depth=1)).splitlines() == [
        "decision P2  0.00",
        "├─ P2 pass  end  0.75",
        "└─ P2 bet  end  0.00  *",
    ]
    assert as_text(draw(jack, depth=1)).splitlines()[1].startswith("└─ unseen  100 %  decision P1  0.")


@pytest.mark.plain
def test_who_is_out_is_said():
    root = Tree(position("D/A", "TT", "CM", coins=[2, 7, 2], player=1), 0).root
    text = as_text(draw(at(root, "coup 1"), depth=1))
    assert text.splitlines()[1] == "└─ P1 lose duke  ObserverOut  0.00  *"


@pytest.mark.plain
def test_a_spectator_sees_everybodys_value():
    text = as_text(draw(Tree(position("DA", "TT"), SPECTATOR).root, depth=0))
    assert re.fullmatch(r"PrimaryAction P1  0\.\d\d 0\.\d\d", text)


def test_below_the_impossible_there_is_something_to_draw():
    """All Dukes have passed through the observer's hands: the other cannot show one, whatever the table shows."""
    root = Tree(position("DC", "TT"), 0).root
    asked = at(root, "exchange", "nobody", "drawn duke duke", "return_cards duke duke", "tax")
    text = as_text(draw(asked, depth=5))
    assert "P2 show duke  0 %  RevealedCard P1" in text
    assert "└─ draws a card  0 %  PrimaryAction P1" in text


@pytest.mark.plain
def test_the_number_of_nodes_is_limited():
    root = Tree(kuhn.new(2, 0), 0).root
    assert count_nodes(root, 9, 100) == 31
    assert len(list(draw(root, 9, max_nodes=31).walk())) == 31
    with pytest.raises(TooLarge, match="more than 30 nodes at depth"):
        draw(root, 9, max_nodes=30)
    with pytest.raises(TooLarge, match="the tree has 31 nodes, and a picture holds 30 at most"):
        as_svg(draw(root, 9), max_nodes=30)


@pytest.mark.plain
def test_all_formats_hold_all_nodes():
    drawn = draw(Tree(kuhn.new(2, 0), 1).root, 9)
    count = len(list(drawn.walk()))
    assert len(as_text(drawn).splitlines()) == count
    assert as_json(drawn).count('"form"') == count
    assert json.loads(as_json(drawn))["form"] == "stochastic"
    assert len(re.findall(r"^  n\d+ \[", as_dot(drawn), re.MULTILINE)) == count
    assert len(re.findall(r"^  n\d+ -> n\d+ \[", as_dot(drawn), re.MULTILINE)) == count - 1
    picture = ElementTree.fromstring(as_svg(drawn, 'Title with <angles> & "quotes"'))
    assert sum((element.get("id") or "").startswith("node-") for element in picture.iter()) == count


@pytest.mark.plain
def test_progress_hears_of_every_node():
    heard: list[int] = []
    drawn = draw(Tree(kuhn.new(2, 0), 0).root, 9, advance=heard.append)
    assert sum(heard) == len(list(drawn.walk()))


@pytest.mark.plain
def test_no_two_boxes_of_a_picture_overlap():
    picture = ElementTree.fromstring(as_svg(draw(Tree(kuhn.new(2, 0), 0).root, 9)))
    boxes = [
        tuple(float(rect.get(name) or 0) for name in ("x", "y", "width", "height"))
        for group in picture.iter("{http://www.w3.org/2000/svg}g")
        if (group.get("id") or "").startswith("node-")
        for rect in group.iter("{http://www.w3.org/2000/svg}rect")
    ]
    assert len(boxes) == 31
    for i, (x, y, w, h) in enumerate(boxes):
        for x2, y2, w2, h2 in boxes[:i]:
            assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y
