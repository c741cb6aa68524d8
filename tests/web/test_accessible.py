"""Everybody can use the pages: axe-core finds nothing serious in whatever state they are, and fingers find what they press."""

import pytest
from playwright.sync_api import expect

from kibitz.catan.core.state import MAIN, ROBBER_DISCARD
from tests.web.axe import nothing_in_the_way, obstacles
from tests.web.tables import keep, moment, played
from tests.web.test_analyse_page import QUICK, link


def press(page, name, **how):
    page.get_by_role("button", name=name, **how).first.click()


@pytest.mark.parametrize("path", ["/", "/analyse", "/track", "/track/live", "/play", "/review", "/coup", "/coup/endgames",
                                  "/onepiece", "/onepiece/loops", "/table/love_letter", "/library"])  # fmt: skip
def test_every_page(visitor, path):
    page = visitor(path)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.locator("html")).to_have_attribute("lang", "en-US")
    nothing_in_the_way(page)


def test_the_description_of_the_api(browser, server):
    page = browser.new_page(base_url=server.url)
    page.goto("/api/")
    page.locator("details.route").first.click()
    assert obstacles(page) == []
    page.close()


def test_boards_that_are_edited_answered_and_loaded(visitor):
    page = visitor(link(QUICK))
    press(page, "Analyse")
    expect(page.locator(".an-ranking tbody tr")).to_have_count(4)
    page.locator(".an-explain summary").nth(1).click()
    nothing_in_the_way(page)
    press(page, "Edit board")
    press(page, "ore", exact=True)
    page.locator(".board #hex-1").click(force=True)
    expect(page.get_by_text("4 ore hexes")).to_be_visible()
    nothing_in_the_way(page)


def test_a_dialog(visitor):
    page = visitor("/analyse")
    expect(page.locator(".board svg")).to_be_visible()
    press(page, "Load")
    expect(page.get_by_role("dialog", name="Load a board or a game")).to_be_visible()
    nothing_in_the_way(page)


def test_a_game_that_is_followed(visitor):
    page = visitor("/track")
    press(page, "Try an example")
    expect(page.locator(".tk-row").first).to_be_visible()
    nothing_in_the_way(page)


def test_games_that_are_played_and_looked_back_on(visitor, server):
    record, step = moment(lambda s: s["phase"][0] == MAIN and s["turn"][0] > 10 and s["hand_size"][0, 0] > 3)
    page = visitor(f"/play?game={keep(server.data, record, step)}")
    expect(page.locator(".ct-hand")).to_be_visible()
    nothing_in_the_way(page)
    record, step = moment(lambda s: s["phase"][0] == ROBBER_DISCARD)
    page.goto(f"/play?game={keep(server.data, record, step)}")
    expect(page.locator(".ct-hand")).to_be_visible()
    nothing_in_the_way(page)
    over = played(3)
    page.goto(f"/review?game={keep(server.data, over, len(over.codes))}")
    expect(page.locator(".rv-chances")).to_be_visible()
    nothing_in_the_way(page)
