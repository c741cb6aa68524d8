"""Pictures of every page: ``make screenshots`` writes them. Look at them. It ends where axe-core finds something serious.

Those that README or a page of the docs shows go to docs/images, the others to build/screenshots.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, expect

from kibitz.catan.analysis.question import Question
from kibitz.catan.core.board import Board
from kibitz.catan.core.events import Build
from kibitz.catan.core.record import simulate
from kibitz.catan.core.state import MAIN, ROBBER_DISCARD, TRADE_ANSWER
from kibitz.catan.core.topology import EDGE_BETWEEN
from kibitz.catan.core.transcript import events_of
from kibitz.game import legal_actions
from tests.web.axe import obstacles
from tests.web.driver import DESKTOP, LAPTOP, PATIENCE, PHONE, browsing, chromium, clicks, newcomer, serving, visit
from tests.web.live_pictures import take_live
from tests.web.pictures import smaller
from tests.web.tables import keep, moment, played

ROOT = Path(__file__).parents[2]
BOARD = Board.random(42).to_text()
#: How pictures of live games are called.
LIVE = ("extension", "live")
#: The library of the pictures; the page of the library names it.
DATA = Path(tempfile.gettempdir()) / "kibitz-pictures"


def link(**query: object) -> str:
    return "/analyse?" + urlencode({"board": BOARD, **query})


def analysed(page: Page) -> None:
    page.get_by_role("button", name="Analyse").click()
    page.locator(".an-ranking").wait_for()
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


def painting(page: Page) -> None:
    page.get_by_role("button", name="Blank").click()
    page.get_by_text("19 hexes to paint").wait_for()
    clicks(page, [f"hex-{n}" for n in range(12)])
    page.get_by_text("7 hexes to paint").wait_for()


def menu(page: Page) -> None:
    page.get_by_role("button", name="Menu").click()


def nothing(page: Page) -> None:
    page.locator("h1").first.wait_for()


def described(page: Page) -> None:
    page.locator("details.route").first.click()


def loaded(page: Page) -> None:
    """A game at a step where much can be done."""
    record = simulate(Board.random(42), ["builder"] * 4, seed=7)
    step = next(n for n, s in enumerate(record.states()) if int(s["turn"][0]) == 26 and s["phase"][0] == 8)
    question = Question(record.board, 4, record.rules, record.codes[:step])
    settings = {"mode": "full_game", "full_game_rollouts": "300"}
    page.goto("/analyse?" + urlencode({**question.to_query(), **settings}))
    analysed(page)


def keep_games(data: Path) -> None:
    """A game in the middle, where much can be done, and one that is over; the person has the first seat."""
    record, step = moment(lambda s: 24 < s["turn"][0] < 40 and s["phase"][0] == MAIN and s["hand_size"][0, 0] > 5, seats=4)
    keep(data, record, step, "middle")
    record, step = moment(lambda s: s["turn"][0] > 20 and s["phase"][0] == ROBBER_DISCARD, seats=4)
    keep(data, record, step, "seven")
    record, step = moment(lambda s: s["turn"][0] > 12 and s["phase"][0] == TRADE_ANSWER and len(legal_actions(s)) == 2, seats=4)
    keep(data, record, step, "offer")
    record = played(7, seats=4)
    keep(data, record, len(record.codes), "over")


def advised(page: Page) -> None:
    expect(page.locator(".k-kibitzer")).to_contain_text(re.compile("games|tries"), timeout=180_000)
    expect(page.locator(".k-kibitzer")).not_to_contain_text("so far", timeout=180_000)
    expect(page.locator(".board #legend")).to_contain_text("ringed")


def trading(page: Page) -> None:
    page.locator(".ct-res-card:not(.none)").first.click()
    page.get_by_role("button", name="You get: one more ore").click()
    page.locator(".ct-chosen .ct-chip").nth(1).wait_for()


def discarding(page: Page) -> None:
    page.locator(".discard-count").wait_for()
    page.locator(".ct-res-card:not(.none)").first.click()
    expect(page.locator(".discard-count")).to_contain_text("1 of")


def countering(page: Page) -> None:
    page.get_by_role("button", name="Counter").click()
    page.get_by_role("button", name="Offer this to").wait_for()


def reviewed(page: Page) -> None:
    expect(page.get_by_text("Judged by what each player could know")).to_be_visible(timeout=600_000)
    page.locator(".rv-slip").nth(1).click()
    page.get_by_role("button", name="Try it yourself").wait_for()


def coup_game(page: Page) -> None:
    """A game of Coup at a decision of some weight, with the kibitzer at work."""
    page.get_by_text("Rules and seed").click()
    page.get_by_label("Seed of the deal").fill("7")
    page.locator(".coup-new .k-pace").click()
    page.get_by_role("option", name="Instant").click()
    page.get_by_role("button", name="Deal the cards").click()
    for _ in range(6):
        page.locator(".coup-option").first.wait_for()
        before = page.locator(".k-lines").inner_text()
        page.locator(".coup-option").first.click()
        page.wait_for_function("was => document.querySelector('.k-lines').innerText !== was", arg=before)
    page.locator(".coup-option").first.wait_for()
    page.get_by_role("switch", name="Advice").click()
    page.locator(".coup-options").wait_for()
    page.get_by_role("button", name="Grow the tree").click()
    page.locator(".coup-branch .coup-arrow").first.click()


def coup_start(page: Page) -> None:
    page.get_by_role("button", name="Deal the cards").wait_for()


def coup_advised(page: Page) -> None:
    page.get_by_role("button", name="What should I do?").click()
    page.locator(".coup-options").wait_for()


def coup_solved(page: Page) -> None:
    page.get_by_role("button", name="Solve").click()
    page.locator(".coup-strategy").first.wait_for()


def tracked(page: Page) -> None:
    """The example in the middle of the game, with a closer look at one number."""
    page.get_by_role("button", name="Try an example").click()
    page.wait_for_url("**at=654")
    page.goto(page.url.replace("at=654", "at=337"))
    page.locator(".tk-row").first.wait_for()
    page.locator(".tk-cell").nth(9).focus()


def told(page: Page) -> None:
    """A game at the table, told by clicks: the set-up, a roll, and the next one in the form."""
    record = simulate(Board.random(42), ["builder"] * 4, seed=7)
    page.get_by_label("Board (optional)").fill(BOARD)
    page.get_by_role("button", name="Begin").click()
    pieces = [event for event in events_of(record).events if isinstance(event, Build) and event.free]
    for n, piece in enumerate(pieces[:16], 1):
        place = f"corner-{piece.corner}" if piece.edge is None else f"edge-{EDGE_BETWEEN[piece.edge]}"
        page.locator(f".board #{place}").click(force=True)
        expect(page.locator(".board [class*=seat-]")).to_have_count(n)
    for number in ("6", "8"):
        page.get_by_role("group", name="Number").get_by_role("button", name=number, exact=True).click()
        if number == "6":
            page.get_by_role("button", name="Add", exact=True).click()
            expect(page.locator(".tk-event")).to_contain_text("rolled 6")
            page.get_by_role("button", name="End turn").click()
            expect(page.locator(".tk-event")).to_contain_text("ended the turn")


def one_piece(page: Page) -> None:
    """A game in the middle: Characters on both sides, and an attack to be declared."""
    page.locator(".op-start .k-pace").click()
    page.get_by_role("option", name="Instant").click()
    page.get_by_text("Loop guard and seed").click()
    page.get_by_label("Seed of the draws").fill("7")
    page.get_by_role("button", name="Deal the cards").click()
    for _ in range(60):
        page.locator(".op-option").first.wait_for()
        turn = page.locator(".op-turn").inner_text().split()
        late = turn[0] == "Turn" and int(turn[1]) >= 7
        if late and page.locator(".op-option.attack").count() > 2:
            break
        before = page.locator(".k-lines").inner_text() + page.locator(".op-options").inner_text()
        for kind in ("keep", "counter", "block", "play", "choose", "pick", "yes", "end_turn"):
            if page.locator(f".op-option.{kind}").count():
                page.locator(f".op-option.{kind}").first.click()
                break
        else:
            page.locator(".op-option").first.click()
        page.wait_for_function(
            "b => document.querySelector('.k-lines').innerText + document.querySelector('.op-options').innerText !== b",
            arg=before,
        )
    page.locator(".op-side.mine .op-card.can").first.click()
    page.locator(".op-card.chosen").wait_for()


def lapped(page: Page) -> None:
    page.locator(".lab-wide svg, .lab-tall svg").first.wait_for(state="attached")


def own_game(page: Page) -> None:
    """A game from a file, with the kibitzer at work."""
    page.get_by_role("button", name="3 players").click()
    expect(page.locator(".k-bot")).to_have_count(2)
    for number in range(2):
        page.locator(".k-bot").nth(number).click()
        page.get_by_role("option", name="sly", exact=True).click()
    page.get_by_text("Options and seed").click()
    page.get_by_label("Seed of the game").fill("4")
    page.locator(".k-pace").click()
    page.get_by_role("option", name="Instant").click()
    page.get_by_role("button", name="Start the game").click()
    page.locator(".tb-option").first.click()
    page.locator(".tb-choices.asked .tb-option").nth(1).wait_for()
    page.keyboard.press("k")
    page.get_by_text("★").wait_for()


#: Name, page, what is done there, size, dark, and whether the whole page is shown.
PICTURES: list[tuple[str, str, Callable[[Page], None], tuple[int, int], bool, bool]] = [
    ("home", "/", nothing, DESKTOP, False, False),
    ("home-phone", "/", menu, PHONE, True, False),
    ("analyse", link(), analysed, DESKTOP, False, False),
    ("analyse-dark", link(), analysed, DESKTOP, True, False),
    ("analyse-running", link(full_game_rollouts=100_000), running, DESKTOP, False, False),
    ("analyse-edit", link(), editing, DESKTOP, False, False),
    ("analyse-blank", "/analyse", painting, DESKTOP, False, False),
    ("analyse-dice", link(mode="monte_carlo"), analysed, DESKTOP, False, True),
    ("analyse-static", link(mode="static", seat=3), analysed, DESKTOP, True, True),
    ("analyse-game", "/analyse", loaded, DESKTOP, False, False),
    ("analyse-phone", link(), analysed, PHONE, False, True),
    ("analyse-phone-dark", link(mode="static"), analysed, PHONE, True, True),
    ("play-start", "/play", nothing, DESKTOP, False, False),
    ("play", "/play?game=middle&kibitz=1", advised, DESKTOP, False, False),
    ("play-trade", "/play?game=middle", trading, DESKTOP, True, False),
    ("play-laptop", "/play?game=middle&kibitz=1", advised, LAPTOP, False, False),
    ("play-offer", "/play?game=offer", countering, LAPTOP, True, False),
    ("play-offer-phone", "/play?game=offer", countering, PHONE, False, False),
    ("play-discard", "/play?game=seven", discarding, PHONE, False, False),
    ("play-phone", "/play?game=middle&kibitz=1", advised, PHONE, True, False),
    ("review", "/review?game=over", reviewed, DESKTOP, False, False),
    ("review-dark", "/review?game=over", reviewed, DESKTOP, True, False),
    ("review-phone", "/review?game=over", reviewed, PHONE, True, False),
    ("coup-start", "/coup", coup_start, DESKTOP, False, False),
    ("coup", "/coup", coup_game, DESKTOP, False, True),
    ("coup-phone-dark", "/coup", coup_game, PHONE, True, True),
    ("coup-advise", "/coup/advise", coup_advised, DESKTOP, False, True),
    ("coup-advise-phone-dark", "/coup/advise", coup_advised, PHONE, True, True),
    ("coup-endgames", "/coup/endgames", coup_solved, DESKTOP, True, True),
    ("coup-endgames-phone", "/coup/endgames", coup_solved, PHONE, False, True),
    ("track-start", "/track", nothing, DESKTOP, False, False),
    ("track", "/track", tracked, DESKTOP, False, False),
    ("track-dark", "/track", tracked, DESKTOP, True, False),
    ("track-table", "/track", told, DESKTOP, False, False),
    ("track-phone", "/track", tracked, PHONE, False, True),
    ("track-phone-dark", "/track", tracked, PHONE, True, False),
    ("onepiece", "/onepiece", one_piece, DESKTOP, False, False),
    ("onepiece-start", "/onepiece", nothing, DESKTOP, True, False),
    ("onepiece-phone-dark", "/onepiece", one_piece, PHONE, True, False),
    ("onepiece-loops", "/onepiece/loops", lapped, DESKTOP, False, False),
    ("onepiece-loops-dark", "/onepiece/loops?loop=activate", lapped, DESKTOP, True, False),
    ("onepiece-loops-phone", "/onepiece/loops?loop=choices&flip=1", lapped, PHONE, True, False),
    ("table", "/table/love_letter", own_game, DESKTOP, False, False),
    ("table-start", "/table/love_letter", nothing, DESKTOP, True, False),
    ("table-phone-dark", "/table/love_letter", own_game, PHONE, True, True),
    ("library", "/library", nothing, DESKTOP, False, False),
    ("library-phone", "/library", nothing, PHONE, True, False),
    ("api", "/api/", described, DESKTOP, False, False),
]


#: Whether all small pictures that are in view have come.
_DRAWN = """() => [...document.querySelectorAll("img.thumb")]
  .every((one) => one.naturalWidth > 0 || !one.checkVisibility() || one.getBoundingClientRect().top > innerHeight)"""


def shown() -> str:
    """README and all pages of the docs."""
    return "".join(page.read_text(encoding="utf-8") for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")))


def take(browser: Browser, url: str, wanted: list[str], own: bool) -> None:
    """Take the pictures that are wanted (all, if none is named) of our own games, or of those of this house."""
    pages = shown()
    for name, path, act, size, dark, whole in PICTURES:
        if (wanted and name not in wanted) or path.startswith("/table/") != own:
            continue
        visitor = visit(newcomer(browser, url, size, dark, scale=1.5 if size == PHONE else 1), url)
        visitor.page.set_default_timeout(3 * PATIENCE)
        visitor.page.goto(path)
        visitor.page.locator("#content").wait_for()
        act(visitor.page)
        visitor.page.evaluate("scrollTo(0, 0)")
        visitor.page.wait_for_timeout(800)
        visitor.page.wait_for_function(_DRAWN)
        keep_picture(browser, name, visitor.page.screenshot(full_page=whole), pages)
        if problems := [*visitor.problems, *obstacles(visitor.page)]:
            sys.exit(f"{name}: {problems}")
        visitor.page.context.close()


def keep_picture(browser: Browser, name: str, png: bytes, pages: str) -> None:
    """Write a picture to where it belongs."""
    file = f"web-{name}.png"
    file = f"docs/images/{file}" if f"images/{file}" in pages else f"build/screenshots/{file}"
    (ROOT / file).write_bytes(smaller(browser, png))
    print(file, flush=True)


def main() -> None:
    executable = chromium()
    if executable is None:
        sys.exit("there is no Chromium on this machine")
    expect.set_options(timeout=PATIENCE)
    shutil.rmtree(DATA, ignore_errors=True)
    DATA.mkdir(parents=True)
    keep_games(DATA)
    wanted, pages = sys.argv[1:], shown()
    (ROOT / "build" / "screenshots").mkdir(parents=True, exist_ok=True)
    taken: list[tuple[str, bytes]] = []
    if not wanted or any(name.startswith(LIVE) for name in wanted):
        take_live(DATA / "live", lambda name, page: taken.append((name, page.screenshot())))
    with browsing(executable) as browser:
        for name, png in taken:
            if not wanted or name in wanted:
                keep_picture(browser, name, png, pages)
        for games in ((), ("examples/love_letter.py",)):
            with serving(DATA, *games) as server:
                take(browser, server.url, wanted, own=bool(games))
    shutil.rmtree(DATA)


if __name__ == "__main__":
    main()
