"""Pictures of every page for README and docs: ``make screenshots`` writes docs/images/web-*.png. Look at them."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, expect

from kibitz.analysis.question import Question
from kibitz.catan.board import Board
from kibitz.catan.record import simulate
from tests.web.driver import DESKTOP, PATIENCE, PHONE, browsing, chromium, serving, visit

IMAGES = Path(__file__).parents[2] / "docs" / "images"
BOARD = Board.random(42).to_text()


def link(**query: object) -> str:
    return "/analyse?" + urlencode({"board": BOARD, **query})


def analysed(page: Page) -> None:
    page.get_by_role("button", name="Analyse").click()
    page.locator(".ranking").wait_for()
    page.mouse.move(5, 5)


def running(page: Page) -> None:
    page.get_by_role("button", name="Analyse").click()
    expect(page.locator(".board #legend")).to_contain_text("so far")
    page.wait_for_timeout(4000)


def editing(page: Page) -> None:
    page.get_by_role("button", name="Edit board").click()
    page.get_by_role("button", name="ore", exact=True).click()
    page.locator(".board #hex-7").click(force=True)
    page.get_by_text("the box holds").first.wait_for()


def nothing(page: Page) -> None:
    page.locator("h1").first.wait_for()


def loaded(page: Page) -> None:
    """A game at a step where much can be done."""
    record = simulate(Board.random(42), ["builder"] * 4, seed=7)
    step = next(n for n, s in enumerate(record.states()) if int(s["turn"][0]) == 26 and s["phase"][0] == 8)
    question = Question(record.board, 4, record.rules, record.codes[:step])
    settings = {"mode": "full_game", "full_game_rollouts": "300"}
    page.goto("/analyse?" + urlencode({**question.to_query(), **settings}))
    analysed(page)


def one_piece(page: Page) -> None:
    """A game in the middle: Characters on both sides, and an attack to be declared."""
    page.locator(".op-start .op-pace").click()
    page.get_by_role("option", name="At once").click()
    page.get_by_text("Loop guard and seed").click()
    page.get_by_label("Seed of the draws").fill("7")
    page.get_by_role("button", name="Deal the cards").click()
    for _ in range(60):
        page.locator(".op-option").first.wait_for()
        turn = page.locator(".op-turn").inner_text().split()
        late = turn[0] == "Turn" and int(turn[1]) >= 7
        if late and page.locator(".op-option.attack").count() > 2:
            break
        before = page.locator(".op-lines").inner_text() + page.locator(".op-options").inner_text()
        for kind in ("keep", "counter", "block", "play", "choose", "pick", "yes", "end_turn"):
            if page.locator(f".op-option.{kind}").count():
                page.locator(f".op-option.{kind}").first.click()
                break
        else:
            page.locator(".op-option").first.click()
        page.wait_for_function(
            "b => document.querySelector('.op-lines').innerText + document.querySelector('.op-options').innerText !== b",
            arg=before,
        )
    page.locator(".op-side.mine .op-card.can").first.click()
    page.locator(".op-card.chosen").wait_for()


def lapped(page: Page) -> None:
    page.locator(".lab-wide svg, .lab-tall svg").first.wait_for(state="attached")


#: Name, page, what is done there, size, dark, and whether the whole page is shown.
PICTURES: list[tuple[str, str, Callable[[Page], None], tuple[int, int], bool, bool]] = [
    ("home", "/", nothing, DESKTOP, False, False),
    ("analyse", link(), analysed, DESKTOP, False, False),
    ("analyse-dark", link(), analysed, DESKTOP, True, False),
    ("analyse-running", link(full_game_rollouts=100_000), running, DESKTOP, False, False),
    ("analyse-edit", link(), editing, DESKTOP, False, False),
    ("analyse-dice", link(mode="monte_carlo"), analysed, DESKTOP, False, True),
    ("analyse-static", link(mode="static", seat=3), analysed, DESKTOP, True, True),
    ("analyse-game", "/analyse", loaded, DESKTOP, False, False),
    ("analyse-phone", link(), analysed, PHONE, False, True),
    ("analyse-phone-dark", link(mode="static"), analysed, PHONE, True, True),
    ("onepiece", "/onepiece", one_piece, DESKTOP, False, False),
    ("onepiece-start", "/onepiece", nothing, DESKTOP, True, False),
    ("onepiece-phone-dark", "/onepiece", one_piece, PHONE, True, False),
    ("onepiece-loops", "/onepiece/loops", lapped, DESKTOP, False, False),
    ("onepiece-loops-dark", "/onepiece/loops?loop=activate", lapped, DESKTOP, True, False),
    ("onepiece-loops-phone", "/onepiece/loops?loop=choices&flip=1", lapped, PHONE, True, False),
    ("library", "/library", nothing, DESKTOP, False, False),
    ("library-phone", "/library", nothing, PHONE, True, False),
    ("api", "/api/", nothing, DESKTOP, False, False),
]


def take(browser: Browser, url: str, wanted: list[str]) -> None:
    for name, path, act, size, dark, whole in PICTURES:
        if wanted and name not in wanted:
            continue
        visitor = visit(browser, url, size, dark, scale=1 if size == DESKTOP else 2)
        visitor.page.goto(path)
        visitor.page.locator("#content").wait_for()
        act(visitor.page)
        visitor.page.evaluate("scrollTo(0, 0)")
        visitor.page.wait_for_timeout(800)
        visitor.page.screenshot(path=IMAGES / f"web-{name}.png", full_page=whole)
        if visitor.problems:
            sys.exit(f"{name}: {visitor.problems}")
        visitor.page.context.close()
        print(f"docs/images/web-{name}.png", flush=True)


def main() -> None:
    executable = chromium()
    if executable is None:
        sys.exit("there is no Chromium on this machine")
    expect.set_options(timeout=PATIENCE)
    with tempfile.TemporaryDirectory() as data, serving(Path(data)) as server, browsing(executable) as browser:
        take(browser, server.url, sys.argv[1:])


if __name__ == "__main__":
    main()
