"""The browser extension in a real Chromium: a page of ours plays games over a WebSocket, and its panel tells who holds what."""

import json
import os
import re
import shutil
import time
from contextlib import ExitStack

import httpx
import pytest

from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.core.board import Board
from kibitz.catan.core.events import Roll
from kibitz.catan.core.record import simulate
from kibitz.catan.core.state import Rules
from kibitz.catan.logs import read
from kibitz.ground.texts import ROUNDING, chance_text
from kibitz.web.companions import Companions
from tests.web.driver import NAMES, browsing_with, free_port, serving
from tests.web.site import extension_for, message, played, playing, rejoined

FOUR, TWO = ("Ann", "Bob B.", "Cem #3", "<b>Dora</b>"), ("You", "Eve")
RESOURCES = ("wood", "brick", "sheep", "wheat", "ore")
#: What the panel shows, as text: it is in a closed shadow root, which only the browser's own tools look into.
_READ = """function() {
  const texts = (list) => [...list].map((one) => one.innerText.trim().replace(/\\s+/g, " "));
  const rows = [...this.querySelectorAll("table tr:not(.pays)")].slice(1);
  return {
    title: this.querySelector("header span").innerText, folded: Boolean(this.querySelector(".folded")),
    notes: texts(this.querySelectorAll(".note")), rows: rows.map((row) => texts(row.cells)),
    pays: texts(this.querySelectorAll("tr.pays")), steals: texts(this.querySelectorAll(".steals div")),
    dice: texts(this.querySelectorAll(".dice div")), links: [...this.querySelectorAll("a")].map((a) => a.href),
    at: (({ left, top, right, bottom }) => [left, top, right, bottom])(this.querySelector(".panel").getBoundingClientRect()),
  };
}"""


class Panel:
    """The panel on a page."""

    def __init__(self, page):
        self.page = page
        self._tools = page.context.new_cdp_session(page)

    def call(self, function):
        nodes, found = [self._tools.send("DOM.getDocument", {"depth": -1, "pierce": True})["root"]], None
        while nodes and found is None:
            node = nodes.pop()
            found = next(iter(node.get("shadowRoots", ())), None)
            nodes += node.get("children", ())
        if found is None:
            return None
        made = self._tools.send("DOM.resolveNode", {"backendNodeId": found["backendNodeId"]})["object"]["objectId"]
        asked = {"functionDeclaration": function, "objectId": made, "returnByValue": True}
        return self._tools.send("Runtime.callFunctionOn", asked)["result"].get("value")

    def shows(self, frames):
        """What it shows, once it tells all of these messages."""
        table = expected(frames)
        return self.until(lambda shown: shown["rows"] == table)

    def until(self, holds, seconds=60):
        """What it shows, as soon as something holds."""
        end = time.monotonic() + seconds
        while not ((shown := self.call(_READ)) and holds(shown)):
            assert time.monotonic() < end, shown
            self.page.wait_for_timeout(100)
        return shown

    def pair(self, code):
        typed = f"this.querySelector('input').value = {json.dumps(code)}; this.querySelector('form').requestSubmit();"
        self.call("function() { " + typed + " }")


def expected(frames):
    """What ``kibitz track`` says of the same messages, in the panel's words."""
    log = read(json.dumps(frames)).log
    tracker = HandTracker.of(log, on_contradiction="repair")

    def cell(marginal, some=False):
        known = {number: chance for number, chance in marginal.distribution.items() if number or not some}  # as in Track
        number = max(known, key=lambda number: (known[number], -number), default=0)
        chance = known.get(number, 1.0)
        return str(number) + ("" if chance > 1 - ROUNDING else f" {chance_text(chance)}")

    rows = []
    for seat, name in enumerate(log.players):
        hand = [tracker.marginal(seat, card) for card in RESOURCES]
        some = sum(marginal.most_likely for marginal in hand) < tracker.total(seat).min
        cells = [cell(marginal, some) for marginal in hand]
        counts = str(tracker.dev_card_count(seat)), str(tracker.visible_points(seat))
        rows.append([name, cell(tracker.total(seat)), *cells, *counts])
    return rows


@pytest.fixture(scope="module")
def games():
    four = simulate(Board.random(3), ["builder"] * 4, seed=5)
    two = simulate(Board.random(4), ["builder"] * 2, seed=6, rules=Rules.preset("colonist-1v1"))
    return played(four, 0, FOUR, "4001"), played(two, 1, TWO, "4002")


@pytest.fixture(scope="module")
def site():
    with playing() as running:
        yield running


@pytest.fixture(scope="module")
def browser_with_extension(site, tmp_path_factory):
    if not any(shutil.which(name) for name in NAMES[1:]):
        if os.environ.get("CI"):
            pytest.fail("there is no whole Chromium: .ci/run should have installed it")
        pytest.skip("there is no whole Chromium on this machine: install it to test the extension")
    folder = tmp_path_factory.mktemp("extension")
    with browsing_with(extension_for(site, folder / "files"), folder / "profile") as context:
        yield context


class Home:
    """Where Kibitz keeps things, and its port: both outlive its restarts."""

    def __init__(self, data, stack):
        self.data, self.port, self._stack = data, free_port(), stack
        self.paired = False

    def start(self):
        self._server = self._stack.enter_context(serving(self.data, port=self.port))

    def pair(self, panel):
        """Type its code into a panel, which follows its games from now on."""
        panel.pair(f"{Companions(self.data).new_code()}-{self.port}")
        self.paired = True

    def kill(self):
        self._server.process.kill()
        self._server.process.wait()


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    with ExitStack() as stack:
        yield Home(tmp_path_factory.mktemp("data"), stack)


def stop_worker(context):
    """The browser stops the service worker, as it does when it was idle for half a minute."""
    page = context.new_page()
    tools = context.new_cdp_session(page)
    tools.send("ServiceWorker.enable")
    tools.send("ServiceWorker.stopAllWorkers")
    page.close()


def open_table(context, site, table):
    page = context.new_page()
    page.goto(f"{site.url}#{table}")
    return page, Panel(page)


def test_a_game_is_followed_whatever_stops_in_the_middle(browser_with_extension, site, home, games):
    context, frames = browser_with_extension, games[0]
    third = len(frames) // 3
    page, panel = open_table(context, site, "four")
    site.send("four", frames[:40])
    shown = panel.until(lambda shown: shown["title"] == "not paired")
    assert "kibitz extension --code" in shown["notes"][0]
    home.start()
    panel.pair(f"AAAA-AAAA-{home.port}")
    panel.until(lambda shown: any("not the code" in note for note in shown["notes"]))
    home.pair(panel)
    shown = panel.shows(frames[:40])
    board = page.locator("canvas").bounding_box()
    assert not shown["folded"]
    assert shown["at"][0] >= board["x"] + board["width"]
    site.send("four", frames[40:third])
    panel.shows(frames[:third])
    home.kill()
    site.send("four", frames[third : third + 50])
    panel.until(lambda shown: shown["title"] == "not running" and "kept for it" in shown["notes"][0])
    stop_worker(context)
    site.send("four", frames[third + 50 : 2 * third])
    page.wait_for_function(f"window.heard === {2 * third}")
    page.wait_for_timeout(300)  # a page that is loaded again at once may take its last messages with it
    site.leave("four")
    page.reload()
    again = [message(one["data"]["type"], one["data"]["payload"], n) for n, one in enumerate(frames[2 * third :], start=4)]
    sent = frames[: 2 * third] + rejoined(frames[: 2 * third]) + again
    site.send("four", sent[2 * third : 2 * third + 3])
    home.start()
    panel = Panel(page)
    panel.shows(sent[: 2 * third + 3])
    stop_worker(context)
    site.send("four", again)
    shown = panel.until(lambda shown: shown["title"] == "game over")
    assert (shown["rows"], shown["notes"]) == (expected(sent), [])
    assert [row[0] for row in shown["rows"]] == list(FOUR)
    rolls = sum(isinstance(event, Roll) for event in read(json.dumps(sent)).log.events)
    assert sum(int(text.split()[0]) for text in shown["dice"] if " " in text) == rolls
    kept = httpx.get(f"http://127.0.0.1:{home.port}/api/library", params={"words": "Live:"}, timeout=60).json()
    assert [item["kind"] for item in kept] == ["log"]
    page.goto(next(link for link in shown["links"] if "/review?log=" in link))
    page.get_by_role("button", name="Download the record").wait_for()
    assert re.search(r"won on turn \d+", page.title())


def test_two_tables_one_joined_late_and_what_is_not_understood(browser_with_extension, site, home, games):
    four, two = games
    half = len(four) // 2
    (page, mine), (other, late) = (open_table(browser_with_extension, site, table) for table in ("two", "late"))
    joined = rejoined(four[:half], log_from=10**9)
    joined[0]["data"]["payload"] = {"databaseGameId": "4003"}
    site.send("late", joined)
    site.send("two", two[:-30])
    if not home.paired:  # the other test of this browser has not run before, or in another process
        home.start()
        late.until(lambda shown: shown["title"] == "not paired")
        home.pair(late)
    shown = late.shows(joined)
    assert any("begin in the middle" in note for note in shown["notes"])
    assert "not sure" in shown["title"]
    assert mine.shows(two[:-30])["notes"] == []
    odd = message(991, {"what": "nobody knows"}, two[-31]["data"]["sequence"] + 1)
    site.send("two", [odd, {"id": "136", "data": {"type": 3}}])
    shown = mine.until(lambda shown: shown["notes"])
    assert [note for note in shown["notes"] if "Not understood" in note and "991" in note]
    rest = [message(one["data"]["type"], one["data"]["payload"], one["data"]["sequence"] + 3) for one in two[-30:]]
    site.send("two", rest)
    shown = mine.until(lambda shown: shown["title"] == "game over")
    assert shown["rows"] == expected([*two[:-30], odd, *rest])
    assert any("2 messages missing" in note for note in shown["notes"])
    page.goto(f"http://127.0.0.1:{home.port}/track/live")
    page.locator(".tk-live .tk-trust").wait_for()
    assert (
        page.get_by_role("heading", name=", ".join(FOUR)).count() == 1
    )  # the one that was joined late; the other two are over
    site.send("late", [message(91, {"diff": {"gameLogState": {"900": {"text": {"type": 44}}}}}, 9)])
    page.get_by_text("Messages 4 to 8 are missing").wait_for()
    other.close()
    page.get_by_role("link", name="Review my last game").click()
    page.get_by_role("button", name="Download the record").wait_for()
