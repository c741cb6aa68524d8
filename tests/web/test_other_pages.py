"""The start page, the library and the page of the API, in a real browser."""

import re
import sqlite3
from dataclasses import replace
from pathlib import Path

import httpx
import nicegui
import pytest
from playwright.sync_api import expect

from kibitz import GAMES
from kibitz.catan import Board
from kibitz.catan.core.record import check, simulate
from kibitz.play.registry import known
from kibitz.web.app import static_files
from kibitz.web.pages.house import PAGE
from kibitz.web.services import LIBRARY
from kibitz.web.store import Store
from tests.web.driver import PHONE, fits_everywhere, newcomer, visit
from tests.web.tables import keep


@pytest.mark.parametrize("path", ["/", "/library", "/api/"])
def test_every_page_fits_the_window(visitor, path):
    page = visitor(path, PHONE, dark=True)
    expect(page.locator("h1").first).to_be_visible()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    fits_everywhere(page)


@pytest.mark.parametrize("path", ["/", "/api/"])
def test_the_theme_is_switched_and_remembered(visitor, path):
    page = visitor(path, dark=True)
    theme = "document.documentElement.dataset.theme"
    page.get_by_role("button", name=re.compile("Theme")).click()
    assert page.evaluate(theme) == "light"
    page.reload()
    page.wait_for_selector("#content")
    assert page.evaluate(theme) == "light"


def test_the_navigation_leads_to_the_pages(visitor):
    page = visitor("/")
    page.get_by_role("navigation").get_by_text("Analyse").click()
    expect(page).to_have_url(re.compile("/analyse"))
    expect(page.get_by_role("navigation").get_by_text("Analyse")).to_have_attribute("aria-current", "page")


def test_on_a_phone_the_navigation_is_behind_a_button(visitor):
    page = visitor("/library", PHONE)
    menu = page.get_by_role("button", name="Menu")
    expect(page.get_by_role("navigation")).to_be_hidden()
    menu.press("Enter")
    expect(menu).to_have_attribute("aria-expanded", "true")
    expect(page.get_by_role("navigation").get_by_text("Library")).to_have_attribute("aria-current", "page")
    page.keyboard.press("Escape")
    expect(page.get_by_role("navigation")).to_be_hidden()
    menu.click()
    page.get_by_role("navigation").get_by_text("Track").click()
    expect(page).to_have_url(re.compile("/track"))


def test_the_navigation_fits_in_one_line(visitor):
    page = visitor("/", (1024, 768))
    nav = page.get_by_role("navigation")
    expect(nav.get_by_text("Library")).to_be_visible()
    assert nav.evaluate("nav => nav.scrollWidth <= nav.clientWidth")


def test_a_navigation_with_many_games_is_scrolled_and_not_the_page(visitor):
    page = visitor("/", (701, 768))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("navigation").get_by_text("Library").click()
    expect(page).to_have_url(re.compile("/library"))


def test_the_start_page_leads_to_everything(visitor):
    page = visitor("/")
    paths = {link.get_attribute("href") for link in page.locator(".home-tile").all()}
    named = {link.get_attribute("href") for link in page.get_by_role("navigation").get_by_role("link").all()}
    assert paths == named | {"/api/"}
    page.get_by_role("link", name="API").click()
    expect(page.locator("details.route").first).to_be_visible()


def sheets():
    files = static_files(known(game) for game in GAMES)
    return {name: content.decode() for name, content in files.items() if name.endswith(".css")}


def test_every_part_of_the_style_sheets_is_closed():
    """A brace that is lost in a merge puts all that follows into one media query."""
    for sheet in sheets().values():
        assert sheet.count("{") == sheet.count("}")


def test_games_bring_their_own_style_sheets(visitor):
    assert list(sheets()) == ["frame.css", "kibitz.css", "catan.css", "coup.css", "onepiece.css"]
    assert not re.search(r"\.(coup|op|lab|ct|an|rv|tk)-", sheets()["kibitz.css"])
    page = visitor("/coup")
    loaded = page.evaluate("[...document.styleSheets].map(sheet => sheet.href).filter(href => href?.includes('/static/'))")
    assert [re.search(r"/static/(\w+\.css)\?v=\w+$", href)[1] for href in loaded] == list(sheets())[1:]


def test_what_is_painted_first_needs_nothing_but_the_page(server):
    """The style sheets come later; header, links and heading stand in the page, before all scripts of NiceGUI."""
    text = httpx.get(f"{server.url}/analyse").text
    assert not re.search(r'<link rel="stylesheet"(?![^>]*media="print")', text)
    (imports,) = re.findall(r"<style([^>]*)>\s*@layer", text)
    assert 'media="print"' in imports
    assert not re.search(r"<script src", text)
    header, heading, app = (text.index(part) for part in ('<header class="k-header">', "<h1>Analyse</h1>", '<div id="app"'))
    assert header < heading < app
    assert text[header:heading].count('aria-current="page"') == 1


def test_our_files_are_packed(server):
    for path in ("/static/kibitz.css", "/static/kibitz.js", "/analyse", f"/_nicegui/{nicegui.__version__}/static/nicegui.js"):
        answer = httpx.get(server.url + path, headers={"accept-encoding": "gzip"})
        assert (path, answer.status_code, answer.headers.get("content-encoding")) == (path, 200, "gzip")
    plain = httpx.get(f"{server.url}/static/kibitz.css", headers={"accept-encoding": "identity"})
    assert (plain.headers.get("content-encoding"), plain.text) == (None, sheets()["kibitz.css"])


def test_an_analysis_is_found_opened_downloaded_and_deleted(visitor, api, server):
    started = api.post("/analyse", json={"mode": "static", "seat": 0, "save": True}).json()
    saved = api.get(f"/jobs/{started['id']}", params={"wait": 30}).json()["saved"]
    page = visitor("/library")
    row = page.locator(f"[data-id='{saved}']")
    expect(row).to_contain_text("Settle on wheat 6, brick 5, ore 3, Player 1")
    picture = httpx.get(f"{server.url}{row.locator('img').get_attribute('src')}")
    assert (picture.headers["content-type"], picture.text.count('class="hex"')) == ("image/svg+xml", 19)
    with page.expect_download() as waiting:
        row.get_by_role("button", name="Download").click()
    assert waiting.value.suggested_filename == f"kibitz-analysis-{saved}.json"
    row.get_by_role("link").click()
    expect(page.locator(".an-ranking tbody tr")).to_have_count(5)
    page.goto("/library")
    row.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(row).to_have_count(0)
    assert api.get(f"/library/{saved}").status_code == 404


def test_an_unknown_address_leads_home(server, browser):
    page = visit(newcomer(browser, server.url), server.url).page  # the browser logs that it was a 404
    assert page.goto("/no/such/<script>page").status == 404
    expect(page.get_by_role("heading", name="There is no such page")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("link", name="To the start page").click()
    expect(page.get_by_role("heading", name="Somebody at your shoulder")).to_be_visible()
    page.context.close()


def test_programs_are_told_in_a_line_that_there_is_nothing(server):
    answer = httpx.get(f"{server.url}/no/such/picture.png")
    assert (answer.status_code, answer.text) == (404, "There is no such page")


def test_the_api_is_found_without_its_last_letter(visitor):
    page = visitor("/api")
    expect(page).to_have_url(re.compile("/api/$"))
    expect(page.locator("details.route").first).to_be_visible()


def test_the_library_has_pages_and_is_searched(visitor, server):
    store = Store(server.data / LIBRARY)
    ids = [store.save("log", f"a log of giraffes {n}", {}) for n in range(PAGE + 5)]
    ids.append(store.save("log", "a log of an okapi", {}))
    page = visitor("/library")
    expect(page.get_by_text("okapi")).to_be_visible()
    page.get_by_label("Search").fill("GIRAFFES")
    expect(page.get_by_text("okapi")).to_have_count(0)
    rows = page.locator(".shelf > [data-id]")
    expect(page.get_by_text(f"1 to {PAGE}", exact=True)).to_be_visible()
    expect(rows).to_have_count(PAGE)
    page.get_by_role("button", name="Older").click()
    expect(page.get_by_text(f"{PAGE + 1} to {PAGE + 5}", exact=True)).to_be_visible()
    expect(rows).to_have_count(5)
    page.get_by_role("button", name="Newer").click()
    expect(rows).to_have_count(PAGE)
    page.get_by_label("Search").fill("no such animal")
    expect(page.get_by_text("Nothing matches your search.")).to_be_visible()
    for id in ids:
        store.delete(id)
    store.close()


def test_a_game_that_is_not_over_is_downloaded_after_a_warning(visitor, server):
    record = simulate(Board.beginner(), ["builder"] * 3, seed=4)
    page = visitor("/library")
    row = page.locator(f"[data-id='{keep(server.data, record, 40)}']")
    page.reload()
    row.get_by_role("button", name="Download").click()
    expect(page.get_by_role("dialog")).to_contain_text("shows what is hidden")
    with page.expect_download() as waiting:
        page.get_by_role("dialog").get_by_role("button", name="Download").click()
    (found,) = check(Path(waiting.value.path()).read_text().splitlines())
    assert found.codes == record.codes[:40]


def test_a_library_that_cannot_be_written_is_told_in_the_page(visitor, server):
    page = visitor("/play")
    start = page.get_by_role("button", name="Start the game")
    other = sqlite3.connect(server.data / LIBRARY, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")  # as long as somebody writes, nobody else can
    start.click()
    expect(page.get_by_text("could not be saved: database is locked").first).to_be_visible()
    other.execute("ROLLBACK")
    other.close()
    start.click()
    expect(page).to_have_url(re.compile(r"game="))


def test_a_game_with_hostile_names_runs_no_script(visitor, tmp_path):
    played = simulate(Board.beginner(), ["builder"] * 4, seed=5)
    hostile = '<script>window.hacked=1</script><img src=x onerror="window.hacked=1">'
    record = replace(played, seats=(hostile, "`${hacked=1}`", "{{hacked=1}}", "</td>"), codes=played.codes[:60])
    file = tmp_path / "game.jsonl"
    file.write_text("\n".join(record.lines()))
    page = visitor("/analyse")
    page.get_by_role("button", name="Load").first.click()
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text(re.compile("Step 60 of 60"))).to_be_visible()
    page.get_by_role("button", name="One step back").click()
    expect(page.get_by_text(re.compile("Step 59 of 60"))).to_be_visible()
    page.goto("/library")
    page.get_by_text(hostile).click()
    expect(page.get_by_text(re.compile("Step 60 of 60"))).to_be_visible()
    assert page.evaluate("window.hacked") is None


def test_a_review_has_the_picture_of_its_game(server):
    store = Store(server.data / LIBRARY)
    game = keep(server.data, simulate(Board.beginner(), ["builder"] * 3, seed=4), 40)
    pictures = []
    for data in ({"game": game}, {"game": "no such game"}):
        review = store.save("review", "a review", data)
        pictures.append(httpx.get(f"{server.url}/thumbnail/{review}").text.count('class="hex"'))
        store.delete(review)
    store.close()
    assert pictures == [19, 0]
