"""Pictures of the browser extension on a page of ours, and of the games that it tells of (see screenshots.py)."""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import BrowserContext, Page

from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.core.board import Board
from kibitz.catan.core.record import simulate
from kibitz.catan.core.svg import draw_board
from kibitz.catan.logs import read
from kibitz.web.companions import Companions
from tests.web.driver import browsing_with, free_port, resize, serving
from tests.web.site import Site, extension_for, message, played, playing, rejoined
from tests.web.test_extension import Panel

#: Draws a picture of a page under a name.
Draw = Callable[[str, Page], None]
SIZE = (1180, 700)


def take_live(folder: Path, draw: Draw) -> None:
    """The panel: not paired, open, dark, folded, joined late; and what Kibitz shows beside it."""
    board = Board.random(42)
    drawn = base64.b64encode(draw_board(board).encode()).decode()
    frames = played(simulate(board, ["builder"] * 4, seed=7), 0, ("Ann", "Bob", "Cem", "Dora"), "1")
    with playing(f"url(data:image/svg+xml;base64,{drawn})") as site:
        files = extension_for(site, folder / "extension")
        with browsing_with(files, folder / "profile") as context:
            _draw_all(folder, context, site, frames[: _doubtful(frames)], draw)
    shutil.rmtree(folder)


def _doubtful(frames: list[dict[str, object]]) -> int:
    """How many messages lead to a moment in which much is open."""
    moments = range(len(frames) // 3, len(frames) * 4 // 5, 10)
    return max(moments, key=lambda n: HandTracker.of(read(json.dumps(frames[:n])).log).world_count)


def _draw_all(folder: Path, context: BrowserContext, site: Site, frames: list[dict[str, object]], draw: Draw) -> None:
    (folder / "data").mkdir()
    port = free_port()
    page = context.new_page()
    resize(page, SIZE, False)
    page.goto(f"{site.url}#four")
    site.send("four", frames)
    panel = Panel(page)
    panel.until(lambda shown: shown["title"] == "not paired")
    draw("extension-unpaired", page)
    with serving(folder / "data", port=port):
        panel.pair(f"{Companions(folder / 'data').new_code()}-{port}")
        panel.until(lambda shown: shown["rows"])
        draw("extension", page)
        resize(page, SIZE, True)
        draw("extension-dark", page)
        resize(page, SIZE, False)
        panel.call("function() { this.querySelector('header button').click(); }")
        draw("extension-folded", page)
        panel.call("function() { this.querySelector('header button').click(); }")
        other = context.new_page()
        resize(other, SIZE, False)
        other.goto(f"{site.url}#late")
        late = rejoined(frames[: len(frames) // 2], log_from=10**9)
        late[0]["data"]["payload"] = {"databaseGameId": "2"}
        site.send("late", [*late, message(991, {}, 4)])
        Panel(other).until(lambda shown: shown["rows"] and len(shown["notes"]) > 1)
        draw("extension-late", other)
        other.close()
        live = context.new_page()
        for dark in (False, True):
            resize(live, (1280, 900), dark)
            live.goto(f"http://127.0.0.1:{port}/track/live")
            live.get_by_role("button", name="Show a code").click()
            live.locator(".tk-live .tk-hands").first.wait_for()
            live.wait_for_timeout(1500)
            live.evaluate("scrollTo(0, 0)")
            draw("live-dark" if dark else "live", live)
