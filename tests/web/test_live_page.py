"""Live games in Kibitz's own pages: shown as they change, advised on only where that is set, and stepped through."""

import re

from playwright.sync_api import expect

from tests.web.driver import fits_everywhere
from tests.web.telling import NAMES, pair


def test_a_live_game_from_its_middle_to_its_end(visitor, api, server):
    say, middle, end = pair(api, server, "501")
    game = say(0, middle - 1).json()["game"]
    page = visitor("/track/live")
    view = page.locator(".tk-live", has_text=", ".join(NAMES))
    expect(view.locator(".tk-player")).to_have_text(list(NAMES))
    expect(view.get_by_text("advice is off while a game runs")).to_be_visible()
    before = view.locator(".tk-dice").inner_text()
    say(middle - 1, middle)
    expect(view.locator(".tk-dice")).not_to_have_text(before)  # without a reload
    fits_everywhere(page)
    page.get_by_label("Advice").click()
    page.get_by_role("option", name="in every game").click()
    view.get_by_role("button", name="What should I play?").click()
    expect(view.locator(".card", has_text="Advice").locator("li").first).to_have_text(re.compile(r"\d %"))
    page.get_by_label("Advice").click()
    page.get_by_role("option", name="never").click()
    expect(view.get_by_text("advice is off while a game runs")).to_be_visible()
    page.goto(game["page"])
    expect(page.locator(".tk-where, .tk-game")).to_contain_text("under way")
    page.get_by_role("link", name="Step through it").click()
    expect(page.locator(".tk-where")).to_contain_text("Event")
    page.reload()
    expect(page.locator(".tk-where")).to_contain_text("Event")
    page.goto(game["page"])
    say(middle, end)
    page.get_by_role("link", name="Review this game").click()
    page.get_by_role("button", name="Download the record").wait_for()


def test_a_session_that_is_not_there_is_said(visitor):
    page = visitor("/track/nothing-like-it")
    expect(page.get_by_text("There is no such game")).to_be_visible()
