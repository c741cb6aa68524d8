"""Live games in Kibitz's own pages: shown as they change, advised on only where that is set, and stepped through."""

import base64
import re

import pytest
from playwright.sync_api import expect

from kibitz.catan.core.board import Board
from kibitz.catan.core.record import simulate
from kibitz.web.companions import Companions
from tests.web.driver import fits_everywhere
from tests.web.site import pack, played

ORIGIN = "chrome-extension://of-the-tests"
NAMES = ("Gus", "Hal", "Ida")


@pytest.fixture(scope="module")
def tell(api, server):
    """Tells of a game as a paired extension does; the answer of the last message."""
    code = Companions(server.data).new_code()
    token = api.post("/live/pair", json={"code": code}, headers={"origin": ORIGIN}).json()["token"]
    headers = {"origin": ORIGIN, "x-kibitz-companion": token}
    frames = played(simulate(Board.random(5), ["builder-0.1"] * 3, seed=9), 0, NAMES, "501")
    own = next(n for n in range(120, len(frames)) if _rolled(frames[n], 1))

    def say(first, last):
        messages = ["b" + base64.b64encode(pack(frame)).decode() for frame in frames[first:last]]
        return api.post(
            "/live/messages", json={"connection": "of-the-tests", "first": first, "messages": messages}, headers=headers
        )

    return say, own + 1, len(frames)


def _rolled(frame, colour):
    entries = frame["data"]["payload"].get("diff", {}).get("gameLogState", {}).values()
    texts = [entry["text"] for entry in entries]
    return any(t["type"] == 10 and t["playerColor"] == colour and t["firstDice"] + t["secondDice"] != 7 for t in texts)


def test_a_live_game_from_its_middle_to_its_end(visitor, tell):
    say, middle, end = tell
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
