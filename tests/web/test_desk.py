"""The desk of the Analyse page, without a page: boards that are painted, games from elsewhere, texts in people's words."""

import json

import pytest

from kibitz.catan.analysis import AnalysisMode
from kibitz.catan.core.actions import describe
from kibitz.catan.core.board import TERRAIN, TOKENS, Board
from kibitz.catan.core.record import simulate
from kibitz.catan.core.sketch import Sketch
from kibitz.catan.core.topology import ISLAND_CORNERS, spiral
from kibitz.catan.pages.analyse.desk import Desk, Tool
from kibitz.catan.pages.analyses import Question, title_of
from kibitz.catan.pages.files import read_any
from kibitz.catan.pages.play.game import CatanSetup
from kibitz.catan.pages.thumbnails import thumbnail
from kibitz.catan.tracking.keeping import saved_log
from kibitz.compute.runtime import Runtime
from kibitz.web.games import kept_game
from tests.web.site import played


@pytest.fixture(scope="module")
def record():
    return simulate(Board.random(3), ["builder"] * 3, seed=5)


@pytest.mark.plain
def test_nineteen_clicks_make_a_board():
    desk = Desk()
    desk.blank_board()
    for hex in range(19):
        assert desk.flaws
        desk.click(f"hex-{hex}")
    assert not desk.flaws
    board = desk.question().board
    assert [hex.resource for hex in board.hexes] == [terrain for terrain, n in TERRAIN.items() for _ in range(n)]
    laid = [board.hexes[hex].number for hex in spiral(ISLAND_CORNERS[0]) if board.hexes[hex].resource is not None]
    assert tuple(laid) == TOKENS
    desk.lay_numbers(1)
    assert desk.question().board != board


@pytest.mark.plain
def test_hexes_are_swapped_on_a_board_that_is_half_painted():
    """What is still to be painted moves with the hex; a hex that is clicked twice stays where it is."""
    desk = Desk()
    desk.blank_board()
    for hex in range(3):
        desk.click(f"hex-{hex}")
    desk.tool = Tool("swap")
    for hex in (0, 18, 1, 1):
        desk.click(f"hex-{hex}")
    assert desk.held is None
    assert desk.blank == {0, *range(3, 18)}
    assert [h for h, hex in enumerate(desk.sketch.hexes) if hex.resource is not None] == [1, 2, 18]
    assert desk.left("wood") == 1
    desk.tool = Tool("terrain", "wood")
    for hex in sorted(desk.blank):
        desk.click(f"hex-{hex}")
    assert not desk.flaws


@pytest.mark.plain
def test_a_painted_board_survives_a_refresh():
    desk, again = Desk(), Desk()
    desk.blank_board()
    for hex in (0, 5, 7):
        desk.click(f"hex-{hex}")
    again.read_query(desk.query())
    assert (again.sketch, again.blank) == (desk.sketch, desk.blank)


@pytest.mark.plain
def test_the_numbers_of_two_hexes_are_swapped_and_the_desert_has_none():
    desk = Desk()
    before = desk.sketch
    desert = next(h for h, hex in enumerate(before.hexes) if hex.resource is None)
    desk.tool = Tool("swap numbers")
    desk.click("hex-0")
    desk.click("hex-1")
    assert [hex.number for hex in desk.sketch.hexes[:2]] == [2, 10]
    assert [hex.resource for hex in desk.sketch.hexes] == [hex.resource for hex in before.hexes]
    desk.click("hex-0")
    desk.click(f"hex-{desert}")
    assert [hex.number for hex in desk.sketch.hexes[:2]] == [2, 10]


@pytest.mark.plain
def test_too_many_of_a_terrain_are_counted():
    desk = Desk(tool=Tool("terrain", "ore"))
    desk.click("hex-1")
    assert (desk.left("ore"), desk.left("sheep"), desk.left("wheat")) == (-1, 1, 0)


def test_captured_messages_bring_board_and_players(record):
    text = json.dumps(played(record, 0, ("Ann", "Bob", "Cem"), "1")[:60])
    desk = Desk()
    desk.take_log(read_any(text.encode(), Runtime()))
    assert (desk.sketch, desk.names, desk.seats) == (Sketch.of(record.board), ("Ann", "Bob", "Cem"), 3)
    assert desk.said("seat 2 settles before V41 of seat 3").startswith("Bob settles before ")


def test_what_is_nothing_is_refused_in_a_line():
    with pytest.raises(ValueError, match="no board, game or analysis of Kibitz"):
        read_any(b"hello\nworld", Runtime())


def test_titles_say_what_was_asked(record):
    early, later = (Question(record.board, 3, record.rules, record.codes[:n]) for n in (8, 60))
    assert title_of(early) == "Where to settle second (Whole games)"
    assert title_of(later, names=("Ann", "Bob", "Cem")).startswith("Move after 60 steps")
    static = Question(record.board, 3, seat=1, mode=AnalysisMode.STATIC)
    assert title_of(static, names=("Ann", "Bob", "Cem")) == "Where to settle first, Bob (Quick score)"


def test_whatever_holds_a_board_has_a_picture(record):
    question = Question(record.board, 3, record.rules, record.codes[:8])
    setup = CatanSetup(record.board, ("you", "builder", "builder"), record.seed, record.rules)
    game = kept_game("catan", {**setup.to_json(), "seat": 0}, [*map(describe, record.codes[:60])])
    for kind, data in (
        ("analysis", {"question": question.to_json()}),
        ("game", "\n".join(record.lines())),
        ("game", game),
        ("log", saved_log(json.dumps(played(record, 0, ("Ann", "Bob", "Cem"), "1")[:60]), [])),
        ("log", {**saved_log("nothing", []), "board": record.board.to_text()}),
    ):
        assert thumbnail(kind, data).count('class="hex"') == 19, kind
    for kind, data in (("game", {"game": "coup"}), ("review", {}), ("log", saved_log("nothing", [])), ("analysis", None)):
        assert thumbnail(kind, data) == ""
