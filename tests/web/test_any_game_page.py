"""The page of a game of one's own, in a real browser: made from its file, with nothing written for it."""

import re

from playwright.sync_api import expect

from kibitz.play.registry import profile
from tests.web.driver import DESKTOP, PHONE, fits_everywhere

LETTER = "examples/love_letter.py"


def begin(page, players=2, bot="sly", seed=3):
    """Begin a game from the form, with bots that do not let anybody wait."""
    if players > 2:
        page.get_by_role("button", name=f"{players} players").click()
    expect(page.locator(".k-bot")).to_have_count(players - 1)
    for number in range(players - 1):
        page.locator(".k-bot").nth(number).click()
        page.get_by_role("option", name=bot, exact=True).click()
    page.locator(".k-pace").click()
    page.get_by_role("option", name="Instant").click()
    page.get_by_text("Options and seed").click()
    page.get_by_label("Seed of the game").fill(str(seed))
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator(".tb-option").first).to_be_visible()


def told(page):
    """What tells one moment of the game from another."""
    return page.locator(".k-lines").inner_text()


def do(page, act):
    """Do something, and wait until it is told."""
    before = told(page)
    act()
    page.wait_for_function("was => document.querySelector('.k-lines').innerText != was", arg=before)


def test_love_letter_is_played_to_its_end(visitor, tmp_path):
    """By clicks and keys in turn; the record of it holds."""
    page = visitor("/table/love_letter", DESKTOP)
    begin(page, players=3)
    fits_everywhere(page)
    again = page.get_by_role("button", name="Play again")
    for number in range(20):
        expect(page.locator(".tb-choices.asked .tb-option").first.or_(again)).to_be_visible()
        if again.is_visible():
            break
        do(page, page.locator(".tb-option").last.click if number % 2 else lambda: page.keyboard.press("1"))
    expect(page.locator(".tb-choices h2")).to_have_text(re.compile("(won|share the win)[.]$"))
    fits_everywhere(page)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download the record").click()
    waiting.value.save_as(tmp_path / "game.jsonl")
    lines = (tmp_path / "game.jsonl").read_text().splitlines()
    [record] = profile(LETTER).records().check(lines, lambda steps: None)
    assert record.seats == ("you", "sly", "sly")
    again.click()
    expect(page.locator(".tb-choices.asked .tb-option").first.or_(again)).to_be_visible()


def test_a_refresh_in_the_middle_goes_on_with_the_game(visitor):
    page = visitor("/table/love_letter")
    begin(page, players=4, seed=8)
    page.wait_for_url("**game=**")
    before = told(page)
    page.reload()
    expect(page.locator(".tb-option").first).to_be_visible()
    assert told(page) == before
    other = visitor("/table/love_letter", PHONE, dark=True)
    expect(other.locator(".offer").first).to_contain_text("4 players, against sly: turn 1")
    other.goto("/library")
    other.get_by_role("link", name="Love Letter, 4 players").first.click()
    expect(other.locator(".tb-option").first).to_be_visible()


def test_the_kibitzer_tells_how_often_options_win(visitor):
    page = visitor("/table/love_letter")
    begin(page)
    page.keyboard.press("k")
    expect(page.locator(".k-thought").first).to_contain_text(re.compile(r"\d+ %"))
    page.wait_for_url("**kibitz=1**")


def test_a_decision_is_taken_back(visitor):
    page = visitor("/table/nim")
    begin(page, bot="greedy")
    back = page.get_by_role("button", name="Take back")
    expect(back).to_be_disabled()
    do(page, page.get_by_role("button", name="take 2", exact=True).click)
    expect(page.locator(".k-lines")).to_contain_text("Bob: take 3")
    page.keyboard.press("u")
    expect(page.locator(".k-lines")).not_to_contain_text("take")
    expect(back).to_be_disabled()
    do(page, lambda: page.keyboard.press("3"))
    expect(page.locator(".k-lines")).to_contain_text("You: take 3")


def test_every_game_has_a_tile_on_the_start_page(visitor):
    page = visitor("/")
    tile = page.locator(".home-tile", has_text="Love Letter")
    expect(tile).to_contain_text("Love Letter for two to four players")
    tile.click()
    expect(page.get_by_role("button", name="Start the game")).to_be_visible()


def test_a_game_that_is_not_served_has_no_page(visitor, server, browser):
    page = visitor("/table/love_letter?game=<script>alert(1)</script>")
    expect(page.get_by_text("This game is no longer in the library.")).to_be_visible()
    assert page.request.get("/table/examples/knock.py").status == 404
