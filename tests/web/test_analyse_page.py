"""The Analyse page in a real browser, through its main tasks."""

import json
import re
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import expect

from kibitz.catan.analysis.question import Question
from kibitz.catan.core.board import Board
from kibitz.catan.core.record import simulate
from kibitz.catan.pages.diary import unfinished
from kibitz.compute.runtime import Info
from kibitz.play.share import Share, Standing
from kibitz.web.services import LIBRARY
from kibitz.web.store import Store
from tests.web.driver import LAPTOP, PHONE, at_once, clicks, fits_everywhere
from tests.web.site import played as captured

#: A few games only: the page is tested, not the analysis.
QUICK = "full_game_rollouts=20&full_game_candidate_vertices=4"
#: Long enough to be seen at work.
LONG = "full_game_rollouts=100000"
BEGINNER = Board.beginner().to_text().replace(" ", "+")


def link(settings="", **query):
    rest = "&".join(f"{name}={value}" for name, value in query.items())
    return f"/analyse?board={BEGINNER}&{settings}&{rest}"


def run(page):
    page.get_by_role("button", name="Analyse").click()


def test_a_board_is_analysed(visitor):
    page = visitor(link(QUICK), PHONE, dark=True)
    run(page)
    rows = page.locator(".an-ranking tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.first).to_contain_text("%")
    expect(page.locator(".board [id^='mark-corner']")).to_have_count(4)
    best = rows.first.locator(".place").first
    assert re.fullmatch(r"V\d+", best.get_attribute("title"))
    assert best.inner_text().startswith(("wood ", "brick ", "sheep ", "wheat ", "ore "))
    rate = rows.first.locator("td").last.locator(".strong").inner_text()
    expect(page.locator(".an-outlook tr", has_text="(you)")).to_contain_text(
        rate
    )  # what the best choice gives, not all of them
    expect(page.get_by_text("Saved to the library")).to_be_visible()
    fits_everywhere(page)


def test_a_row_lights_up_its_corner(visitor):
    page = visitor(link("mode=static"))
    run(page)
    row = page.locator(".an-ranking tbody tr").nth(1)
    row.hover()
    corner = row.get_attribute("data-spot")
    expect(page.locator(f".board [id='{corner}']")).to_have_class(re.compile("lit-corner"))
    page.locator(f".board [id='{corner}']").hover()
    expect(row).to_have_class(re.compile("lit"))


def test_an_analysis_is_cancelled_with_what_there_is(visitor):
    page = visitor(link(LONG))
    run(page)
    expect(page.get_by_text(re.compile(r"[\d,]+ of 1,000,000 games"))).to_be_visible()
    expect(page.locator(".board #legend")).to_contain_text("so far")
    settings = page.locator(".an-setup")
    assert settings.evaluate("settings => settings.inert"), "what was asked stays as it is"
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Partial: stopped")).to_be_visible()
    assert not settings.evaluate("settings => settings.inert")


def test_a_refresh_in_the_middle_of_an_analysis_goes_on_with_it(visitor):
    page = visitor(link(LONG))
    run(page)
    expect(page.get_by_text(re.compile("of 1,000,000 games"))).to_be_visible()
    page.wait_for_url("**job=**")
    page.reload()
    expect(page.get_by_text(re.compile("of 1,000,000 games"))).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Partial: stopped")).to_be_visible()
    page.wait_for_url("**saved=**")
    page.reload()
    expect(page.get_by_text("Partial: stopped")).to_be_visible()


def test_whoever_waits_sees_the_place_in_the_queue(visitor, api):
    long = {"config": {"full_game_rollouts": 100_000}}
    jobs = [api.post("/analyse", json=long).json()["id"] for _ in range(3)]  # two run, one waits
    page = visitor(link(QUICK))
    run(page)
    expect(page.get_by_text("Waiting: number 2 in the queue")).to_be_visible()
    for job in jobs:
        api.delete(f"/jobs/{job}")
    expect(page.locator(".an-ranking tbody tr")).to_have_count(4)


def test_two_users_do_not_disturb_each_other(visitor):
    one, other = visitor(link(QUICK)), visitor(link("mode=static"))
    other.get_by_role("button", name="Random").click()
    expect(other.get_by_text(re.compile(r"^Board \d+$"))).to_be_visible()
    run(one)
    run(other)
    expect(one.locator(".an-ranking tbody tr")).to_have_count(4)
    expect(other.locator(".an-ranking tbody tr")).to_have_count(5)
    expect(one.get_by_text("Beginner board").or_(one.get_by_text("Board from a link"))).to_be_visible()


def test_settlements_and_roads_are_placed_by_clicks_for_any_seat(visitor):
    page = visitor("/analyse")
    page.locator(".board #corner-41").click(force=True)
    expect(page.locator(".board #settlement-41.seat-0")).to_be_attached()
    page.locator(".board #edge-58").click(force=True)
    expect(page.locator(".board #road-58.seat-0")).to_be_attached()
    page.get_by_role("button", name="Pieces of Player 3").click()
    page.locator(".board #corner-13").click(force=True)
    expect(page.get_by_text("Player 2 settles before wood 9, sheep 4, brick 10 of Player 3")).to_be_visible()
    expect(page.get_by_role("button", name="Analyse")).to_be_disabled()
    page.locator(".board #corner-13").click(force=True)
    expect(page.locator(".board #settlement-13")).not_to_be_attached()
    expect(page.get_by_role("button", name="Analyse")).to_be_enabled()
    page.wait_for_url("**moves=place_setup_settlement+41.place_setup_road+41-42**")


def test_an_illegal_board_is_explained_in_place(visitor):
    page = visitor("/analyse")
    page.get_by_role("button", name="Edit board").click()
    page.get_by_role("button", name="ore", exact=True).click()
    page.locator(".board #hex-1").click(force=True)
    expect(page.get_by_text(re.compile("4 ore hexes: the box holds 3"))).to_be_visible()
    expect(page.get_by_text(re.compile("3 sheep hexes: one is missing"))).to_be_visible()
    expect(page.get_by_role("button", name="Analyse")).to_be_disabled()
    page.reload()
    expect(page.get_by_text(re.compile("4 ore hexes: the box holds 3"))).to_be_visible()
    page.get_by_role("button", name="Edit board").click()
    page.get_by_role("button", name="sheep", exact=True).click()
    page.locator(".board #hex-1").click(force=True)
    expect(page.get_by_role("button", name="Analyse")).to_be_enabled()


def test_no_click_is_lost_however_fast_they_come(visitor):
    page = visitor("/analyse")
    page.get_by_role("button", name="Edit board").click()
    page.get_by_role("button", name="ore", exact=True).click()
    expect(page.get_by_role("button", name="ore", exact=True)).to_have_attribute("aria-pressed", "true")
    clicks(page, [f"hex-{n}" for n in range(19)])
    expect(page.get_by_text("19 ore hexes")).to_be_visible()
    page.get_by_role("button", name="Swap hexes").click()
    expect(page.get_by_role("button", name="Swap hexes")).to_have_class(re.compile("chosen"))
    before = re.compile(re.escape(page.url))
    clicks(page, ["hex-0", "hex-18", "hex-0", "hex-18", "hex-1"])  # two swaps undo each other, a third waits for its second
    expect(page.locator(".board #hex-1 ~ * path[fill='#FFE94A'], .board path[fill='#FFE94A']")).to_have_count(1)
    expect(page).to_have_url(before)


def test_on_a_laptop_the_tools_fit_in_one_line(visitor):
    page = visitor("/analyse", LAPTOP)
    clear = page.get_by_role("button", name="Clear", exact=True)
    for first, last in ((page.get_by_role("button", name="Place pieces"), clear), seats(page, "Advice for Player")):
        expect(last).to_be_visible()
        assert middle(first) == pytest.approx(middle(last), abs=1)


def seats(page, name):
    return [page.get_by_role("button", name=f"{name} {number}", exact=True) for number in (1, 4)]


def middle(button):
    box = button.bounding_box()
    return box["y"] + box["height"] / 2


def test_of_clicks_in_one_moment_none_is_lost(visitor):
    """Neither in the left column nor among the tools above the board."""
    page = visitor("/analyse")
    names = ("3 players", "Advice for Player 2", "Blank")
    at_once(*(page.get_by_role("button", name=name, exact=True) for name in names))
    expect(page.get_by_text("19 hexes to paint")).to_be_visible()
    expect(page.get_by_role("button", name="3 players")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("button", name="Advice for Player 2")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("button", name="Advice for Player 4")).to_be_hidden()
    at_once(*(page.get_by_role("button", name=name, exact=True) for name in ("ore", "sheep", "Swap hexes", "number 8")))
    expect(page.get_by_role("button", name="number 8")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("button", name="ore", exact=True)).to_have_attribute("aria-pressed", "false")


def test_settings_stay_where_they_are_and_show_what_is_asked(visitor):
    page = visitor("/analyse")
    page.get_by_text("Rules", exact=True).click()
    page.locator(".rules-by-name").click()
    page.get_by_role("option", name="colonist-1v1").click()
    points = page.locator(".rule-victory_points input")
    expect(points).to_have_value("15")
    points.fill("12")
    page.wait_for_url("**victory_points**")
    expect(points).to_be_visible()  # what was opened stays open
    expect(page.locator(".rules-by-name")).not_to_contain_text("colonist-1v1")
    page.get_by_text("More settings").click()
    games = page.locator(".setting-full_game_rollouts input")
    games.fill("300")
    page.wait_for_url("**full_game_rollouts=300**")
    page.locator(".mode").click()
    page.get_by_role("option", name="Quick score").click()
    expect(games).to_have_count(0)


def test_a_blank_board_is_painted_with_one_brush(visitor):
    page = visitor("/analyse")
    page.get_by_role("button", name="Blank").click()
    expect(page.get_by_text("19 hexes to paint: 4 wood, 3 brick, 4 sheep, 4 wheat, 3 ore, 1 desert")).to_be_visible()
    board = page.locator(".board").bounding_box()
    clicks(page, [f"hex-{n}" for n in range(18)])
    expect(page.get_by_text("1 hex to paint: 1 desert")).to_be_visible()
    page.wait_for_url(re.compile("board=w[^&]*o.o.d"))  # the address holds the last click, too
    page.reload()
    expect(page.get_by_text("1 hex to paint: 1 desert")).to_be_visible()
    page.get_by_role("button", name="desert", exact=True).click()
    clicks(page, ["hex-18"])
    expect(page.get_by_role("button", name="Analyse")).to_be_enabled()
    assert page.locator(".board").bounding_box() == board, "what is said about a board does not move it"
    page.wait_for_url("**board=w5.w8.w4**")
    page.get_by_role("button", name="Standard numbers").click()
    page.wait_for_url(lambda url: "board=w5.w8.w4" not in url and "board=w" in url)


def test_the_board_of_a_game_elsewhere_is_taken_with_its_players(visitor, tmp_path):
    record = simulate(Board.random(3), ["builder"] * 3, seed=5)
    (tmp_path / "captured.json").write_text(json.dumps(captured(record, 0, ("Ann", "Bob", "Cem"), "1")[:60]))
    page = visitor("/analyse")
    page.get_by_role("button", name="Load").first.click()
    page.locator("input[type=file]").set_input_files(tmp_path / "captured.json")
    expect(page.get_by_text("Game of Ann, Bob, Cem")).to_be_visible()
    page.wait_for_url(f"**board={quote_plus(record.board.to_text())}**")
    expect(page.get_by_role("button", name="Advice for Bob")).to_be_visible()


def test_the_board_is_reached_by_the_keyboard(visitor):
    page = visitor("/analyse")
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to the content")).to_be_focused()
    expect(page.locator(".board")).to_have_attribute("data-legal", re.compile("corner-"))
    page.locator(".board").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".board .settlement")).to_have_count(1)


def test_files_come_and_go(visitor, tmp_path):
    page = visitor(link("mode=static", moves="41.112"))
    run(page)
    expect(page.locator(".an-ranking tbody tr")).to_have_count(5)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="JSON").click()
    waiting.value.save_as(tmp_path / "answer.json")
    assert json.loads((tmp_path / "answer.json").read_text())["question"]["moves"] == [
        "place_setup_settlement 41", "place_setup_road 41-42"
    ]  # fmt: skip
    with page.expect_download() as waiting:
        page.get_by_role("button", name="SVG").click()
    waiting.value.save_as(tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text().startswith("<svg")
    other = visitor("/analyse")
    other.get_by_role("button", name="Load").first.click()
    other.locator("input[type=file]").set_input_files(tmp_path / "answer.json")
    expect(other.locator(".an-ranking tbody tr")).to_have_count(5)
    expect(other.locator(".board #settlement-41")).to_be_attached()


def test_a_link_brings_position_and_settings(visitor):
    page = visitor(link("mode=monte_carlo&mc_samples=30&full_game_candidate_vertices=3", seats=3, seat=2))
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".q-notification")).to_contain_text("Link copied")
    other = visitor(page.evaluate("navigator.clipboard.readText()"))
    run(other)
    expect(other.get_by_text("Assumed: Player 1")).to_be_visible()
    expect(other.locator(".an-ranking tbody tr")).to_have_count(3)
    expect(other.locator(".an-chart canvas, .an-chart svg")).to_have_count(2)


@pytest.mark.parametrize("query", ["board=nonsense", f"board={BEGINNER}&moves=41.41", f"board={BEGINNER}&moves=41.112.400"])
def test_a_bad_link_is_explained(visitor, query):
    page = visitor(f"/analyse?{query}")
    expect(page.get_by_text("This link cannot be read")).to_be_visible()
    expect(page.locator(".board svg")).to_be_visible()


def test_an_analysis_that_ended_with_its_server_is_shown_as_far_as_it_was(visitor, server):
    question = Question.from_json({"board": "beginner", "seats": 3})
    standings = (Standing("V41", Share(30, 100), 0.3, True), Standing("V23", Share(1, 20), 0.05, False))
    store = Store(server.data / LIBRARY)
    id = store.save(
        "analysis", "Whole games: 120 of 800 games", unfinished(question, Info(120, 800, 1.0, standings)), over=True
    )
    store.close()
    page = visitor(f"/analyse?saved={id}")
    expect(page.get_by_text("This analysis ended early")).to_contain_text("after 120 of 800 games")
    rows = page.locator(".an-ranking tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("Wheat 6, brick 5, ore 3")
    expect(rows.first).to_contain_text("30.0 %")
    expect(page.locator(".board #mark-corner-41")).to_contain_text("30")
    page.get_by_role("button", name="Random").click()
    expect(page.get_by_text("This analysis ended early")).to_be_hidden()
