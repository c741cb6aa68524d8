"""From page to page: a tracked game is reviewed, a position is analysed and played on, and nobody loses the way."""

import re
from pathlib import Path

from playwright.sync_api import expect

from kibitz.catan.core.board import Board

EXAMPLE = Path(__file__).parents[2] / "examples" / "game.jsonl.gz"


def click(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def test_a_tracked_game_is_reviewed_from_its_turn_and_played_on(visitor):
    page = visitor("/track")
    page.locator("input[type=file]").set_input_files(EXAMPLE)
    expect(page.locator(".tk-where")).to_contain_text("Event 720 of 720")
    expect(page).to_have_title(re.compile("^Kibitz game: Ann, Bob, Cid, Dora · Track · Kibitz$"))
    expect(page.locator("#content")).to_be_focused()
    page.locator(".tk-range").fill("300")
    expect(page.locator(".tk-where")).to_contain_text("Event 300 of 720")
    turn = re.search(r"turn (\d+)", page.locator(".tk-where").inner_text())[1]
    click(page, "Review")
    page.wait_for_url("**/review?game=*step=*")
    expect(page.get_by_text(re.compile(rf"^Step \d+ of 825, turn {turn}$"))).to_be_visible()
    click(page, "Stop")
    click(page, "Play on from here")
    page.wait_for_url("**/play?board=*")
    expect(page.get_by_text("The game continues after")).to_be_visible()
    click(page, "Start the game")
    expect(page.locator(".ct-status")).to_contain_text(f"Turn {turn}, You")
    expect(page).to_have_title("Your move · Catan · Kibitz")
    expect(page.locator("#content")).to_be_focused()
    page.reload()
    expect(page.locator(".ct-status")).to_contain_text(f"Turn {turn}, You")


def test_a_position_of_a_game_is_analysed(visitor):
    page = visitor("/review")
    page.locator("input[type=file]").set_input_files(EXAMPLE)
    expect(page.get_by_role("button", name="Play on from here")).to_be_disabled()
    expect(page.locator("#content")).to_be_focused()
    click(page, "Stop")
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Step 3 of 825")).to_be_visible()
    click(page, "Analyse this position")
    page.wait_for_url("**/analyse?board=*moves=*")
    expect(page.locator(".board .settlement")).to_have_count(2)
    click(page, "Play from here")
    page.wait_for_url("**/play?board=*moves=*")
    expect(page.get_by_text("The game continues after 3 steps")).to_be_visible()
    expect(page.locator(".board .settlement")).to_have_count(2)
    click(page, "Random")
    expect(page.locator(".board .settlement")).to_have_count(0)


def test_a_position_that_is_none_is_said(visitor):
    page = visitor("/play?board=nonsense")
    expect(page.get_by_text("This position cannot be played")).to_be_visible()
    expect(page.get_by_role("button", name="Start the game")).to_be_visible()


def test_the_board_of_a_tracked_game_is_analysed(visitor):
    page = visitor("/track")
    page.get_by_label("Players, in the order").fill("Ann, Bob, Cem")
    page.get_by_label("Board (optional)").fill(Board.beginner().to_text())
    click(page, "Begin")
    click(page, "Analyse the board")
    page.wait_for_url("**/analyse?board=*seats=3*")
