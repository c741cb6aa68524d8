"""The Track page in a real browser, through its main tasks."""

import json
import re
from pathlib import Path
from urllib.parse import quote_plus

import httpx
import pytest
from playwright.sync_api import expect

from kibitz.catan.core.board import Board
from kibitz.catan.core.events import Build, Discard, EventLog, Roll, Steal
from tests.web.driver import PHONE, fits_everywhere, newcomer, paste, serving, visit

EXAMPLES = Path(__file__).parents[2] / "examples"
CHAT = (EXAMPLES / "chat.txt").read_text()
ROLL = Roll(0, 8, {0: {"wood": 1, "ore": 1}, 1: {"sheep": 1}})


def log(*events, players=("Ann", "Bob", "Cem")):
    return "\n".join(EventLog(players, events).lines())


def follow(page, text):
    paste(page, text)
    page.get_by_role("button", name="Follow it").click()
    expect(page.locator(".tk-bar")).to_be_visible()


def drop(page, content):
    """A file on the field for logs, as the browser tells of it."""
    data = page.evaluate_handle(
        """(bytes) => {
          const data = new DataTransfer();
          data.items.add(new File([Uint8Array.from(bytes)], "game.gz"));
          return data;
        }""",
        list(content),
    )
    page.locator(".paste").dispatch_event("drop", {"dataTransfer": data})


def where(page, words):
    expect(page.locator(".tk-where")).to_contain_text(words)


def cell(page, player, resource):
    return page.get_by_role("img", name=re.compile(f"^{re.escape(player)}, {resource}:"))


def click(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def in_row(page, group, name):
    page.get_by_role("group", name=group).get_by_role("button", name=name, exact=True).click()


def test_a_pasted_log_is_followed(visitor):
    page = visitor("/track", PHONE)
    follow(page, CHAT)
    where(page, "Event 654 of 654")
    page.wait_for_url("**at=654")
    page.goto(page.url.replace("at=654", "at=337"))
    where(page, "Event 337 of 654 · turn 46 · 50 possible worlds")
    bob = cell(page, "Bob B.", "wood")
    expect(bob).to_have_attribute("aria-label", "Bob B., wood: expected 0.69; 0: 33 %, 1: 66 %, 2: 2 %")
    bob.focus()
    expect(bob.get_by_text("expected 0.69")).to_be_visible()
    expect(page.get_by_text("52 % known")).to_be_visible()
    expect(page.locator(".tk-steal")).to_have_count(7)
    expect(page.locator(".tk-die").nth(5)).to_have_attribute("title", "7: 14 times, 7.7 expected")
    fits_everywhere(page)


def test_a_game_is_stepped_through_and_survives_a_refresh(visitor):
    page = visitor("/track")
    page.locator("input[type=file]").set_input_files(EXAMPLES / "game.jsonl.gz")
    where(page, "Event 720 of 720")
    expect(page.locator(".board .city, .board .settlement").first).to_be_attached()
    page.keyboard.press("Home")
    where(page, "Event 0 of 720")
    expect(page.locator(".board .settlement")).to_have_count(0)
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    where(page, "Event 11 of 720")
    page.keyboard.press("Shift+ArrowRight")
    where(page, "turn 2 ")
    page.locator(".tk-range").fill("300")
    where(page, "Event 300 of 720")
    page.wait_for_url("**at=300")
    page.reload()
    where(page, "Event 300 of 720")
    page.get_by_role("button", name=re.compile("^Play to the end")).click()
    expect(page.locator(".tk-where")).to_contain_text(re.compile(r"Event (30[2-9]|3[1-9]\d) of 720"))
    page.get_by_role("button", name=re.compile("^Stop")).click()
    page.locator(".tk-row", has_text="Dora rolled 5").first.click()
    expect(page.locator(".tk-event")).to_contain_text("Dora rolled 5")


def test_a_steal_is_resolved_by_hand_and_stays_so(visitor):
    page = visitor("/track")
    follow(page, log(ROLL, Steal(1, 0)))
    odds = page.get_by_role("group", name="Which card was it?").get_by_role("button")
    expect(odds.nth(0)).to_contain_text("50 %")
    expect(odds.nth(1)).to_be_disabled()
    odds.nth(4).click()
    expect(odds.nth(4)).to_have_attribute("aria-pressed", "true")
    expect(cell(page, "Bob", "ore")).to_have_attribute("aria-label", "Bob, ore: expected 1.00; 1: 100 %")
    page.reload()
    expect(odds.nth(4)).to_have_attribute("aria-pressed", "true")
    odds.nth(4).click()
    expect(odds.nth(4)).to_contain_text("50 %")


def test_the_possible_worlds_are_unfolded(visitor):
    page = visitor("/track", PHONE, dark=True)
    follow(page, log(ROLL, Steal(1, 0), Steal(2, 1)))
    panel = page.locator(".tk-worlds")
    panel.get_by_text("Possible worlds").click()
    expect(panel).to_contain_text("4 worlds: the hands")
    likeliest, carriers = panel.locator("tbody").first, panel.locator("tbody").last
    expect(likeliest.locator("tr")).to_have_count(4)
    expect(likeliest.locator("tr").first).to_contain_text("2: ")
    expect(likeliest.get_by_role("img", name="1 sheep")).not_to_have_count(0)
    expect(carriers.locator("tr").first).to_have_text(re.compile("Bob from Ann, event 2.*wood.*50 %.*-.*50 %.*50 %"))
    page.keyboard.press("ArrowLeft")
    expect(panel).to_contain_text("2 worlds: the hands")
    page.get_by_role("group", name="Which card was it?").get_by_role("button").nth(4).click()
    expect(panel).to_contain_text("1 world: the hands")
    fits_everywhere(page)


def test_what_the_bank_holds_is_counted(visitor):
    page = visitor("/track")
    follow(page, log(ROLL, Steal(1, 0), Discard(0, count=1)))
    expect(cell(page, "the bank", "wood")).to_have_attribute("aria-label", re.compile("18: 50 %, 19: 50 %"))
    page.locator(".tk-entry summary").click()
    click(page, "Bank count")
    expect(page.locator(".tk-entry .tk-said")).to_have_text(re.compile("[Tt]he bank holds 18 wood, 19 brick, 18 sheep"))
    page.get_by_role("button", name="bank: one more wood, now 18").click()
    page.get_by_role("button", name="bank: one more ore").click()
    click(page, "Add")
    expect(page.get_by_text("This is impossible")).to_be_visible()
    click(page, "Change it")
    page.get_by_role("button", name="bank: one ore less").click()
    click(page, "Add")
    where(page, "Event 4 of 4 · turn 1 · 1 possible world")


def test_contradictions_are_marked_where_they_are(visitor):
    page = visitor("/track")
    follow(page, log(ROLL, Build(1, "city"), Steal(2, 0)))
    expect(page.get_by_text("The figures are approximate")).to_be_visible()
    expect(page.locator(".tk-repair")).to_contain_text("it needs at least")
    expect(page.locator(".tk-row.mended")).to_have_count(1)
    page.get_by_role("button", name="Event 2", exact=True).click()
    where(page, "Event 2 of 3")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("The figures are approximate")).not_to_be_visible()
    page.keyboard.press("ArrowRight")
    click(page, "Remove event")
    where(page, "Event 1 of 2")
    page.keyboard.press("End")
    expect(page.get_by_text("The figures are approximate")).not_to_be_visible()
    page.keyboard.press("u")
    expect(page.get_by_text("The figures are approximate")).to_be_visible()


def test_what_two_windows_change_is_kept_twice(visitor, server):
    page = visitor("/track")
    follow(page, log(ROLL, Roll(1, 9, {0: {"wood": 1}}), Roll(2, 5, {1: {"brick": 1}})))
    page.wait_for_url("**at=3")
    first, other = page.url, visitor(page.url.removeprefix(server.url))
    where(other, "Event 3 of 3")
    click(other, "Remove event")
    where(other, "Event 2 of 2")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    where(page, "Event 1 of 3")
    click(page, "Remove event")
    expect(page.get_by_text("changed in another window")).to_be_visible()
    page.wait_for_url(lambda url: url != first and "at=0" in url and first.partition("&")[0] not in url)
    page.reload()
    expect(page.locator(".tk-row")).to_have_text(["The game begins", re.compile("Bob rolled 9"), re.compile("Cem rolled 5")])
    other.reload()
    expect(other.locator(".tk-row")).to_have_text(["The game begins", re.compile("Ann rolled 8"), re.compile("Bob rolled 9")])


def test_what_is_clicked_twice_in_haste_takes_out_two_events(visitor):
    page = visitor("/track")
    follow(page, log(ROLL, Roll(1, 9, {0: {"wood": 1}}), Roll(2, 5, {1: {"brick": 1}}), Roll(0, 4, {2: {"sheep": 1}})))
    page.keyboard.press("ArrowLeft")
    where(page, "Event 3 of 4")
    page.get_by_role("button", name="Remove event").dblclick()
    where(page, "Event 1 of 2")
    expect(page.locator(".tk-row")).to_have_text(["The game begins", re.compile("Ann rolled 8"), re.compile("Ann rolled 4")])


def test_what_is_impossible_is_added_once_however_often_it_is_clicked(visitor):
    page = visitor("/track")
    follow(page, log(ROLL))
    page.locator(".tk-entry summary").click()
    click(page, "Buy card")
    click(page, "Add")
    page.get_by_role("button", name="Add it anyway").dblclick()
    where(page, "Event 2 of 2")
    page.keyboard.press("Home")
    where(page, "Event 0 of 2")


def test_a_game_at_the_table_is_told_by_clicks(visitor, tmp_path):
    page = visitor("/track", PHONE, dark=True)
    page.get_by_label("Players, in the order").fill("Ann, Bob")
    click(page, "Begin")
    click(page, "Roll")
    in_row(page, "Number", "8")
    page.get_by_role("button", name=re.compile("^Bob: one more wood")).click()
    page.get_by_role("button", name=re.compile("^Bob: one more wood, now 1")).click()
    page.get_by_role("button", name=re.compile("^Bob: one more ore")).click()
    click(page, "Add")
    expect(cell(page, "Bob", "wood")).to_have_attribute("aria-label", "Bob, wood: expected 2.00; 2: 100 %")
    click(page, "Steal")
    in_row(page, "From", "Bob")
    click(page, "Add")
    expect(cell(page, "Ann", "wood")).to_have_attribute("aria-label", "Ann, wood: expected 0.67; 0: 33 %, 1: 67 %")
    click(page, "Buy card")
    click(page, "Add")
    expect(page.get_by_text("This is impossible")).to_contain_text("possible: 0 sheep")
    click(page, "Change it")
    click(page, "End turn")
    where(page, "Event 3 of 3 · turn 2")
    page.wait_for_url("**at=3")
    page.reload()
    where(page, "Event 3 of 3 · turn 2")
    click(page, "Undo")
    where(page, "Event 2 of 2 · turn 1")
    with page.expect_download() as waiting:
        click(page, "Download")
    waiting.value.save_as(tmp_path / "events.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    assert lines[1:] == [
        {"event": "roll", "player": 0, "total": 8, "gains": {"1": {"wood": 2, "ore": 1}}},
        {"event": "steal", "player": 0, "victim": 1},
    ]
    fits_everywhere(page)


def test_with_a_board_rolls_bring_their_cards(visitor):
    page = visitor("/track")
    page.get_by_label("Players, in the order").fill("Ann of Green Gables, Bob the Builder, Cem")
    page.get_by_label("Board (optional)").fill(f"http://host/analyse?board={quote_plus(Board.beginner().to_text())}")
    click(page, "Begin")
    for place in ("corner-41", "edge-58", "corner-13"):
        page.locator(f".board #{place}").click(force=True)
        expect(page.locator(f".board [id$='-{place.partition('-')[2]}'].seat-{int(place == 'corner-13')}")).to_be_attached()
    click(page, "Roll")
    in_row(page, "Number", "6")
    expect(page.get_by_text("What the board brings:")).to_be_visible()
    expect(page.locator(".tk-entry .tk-said")).to_contain_text("got 1")
    fits_everywhere(page)  # however long the sentence is that will be added
    click(page, "Add")
    expect(page.locator(".tk-event")).to_have_text(re.compile("rolled 6: (Ann|Bob) .*got 1"))


def test_a_dropped_file_with_other_eyes_in_the_library(visitor):
    page = visitor("/track")
    drop(page, (EXAMPLES / "game.jsonl.gz").read_bytes())
    where(page, "Event 720 of 720")
    page.get_by_label("Point of view").click()
    page.get_by_role("option", name="Bob").click()
    expect(page.locator(".tk-me")).to_have_text("you")
    page.goto("/library")
    page.get_by_role("link", name=re.compile("Kibitz game: Ann, Bob")).first.click()
    where(page, "Event 720 of 720")
    expect(page.locator(".tk-me")).to_have_text("you")


def test_a_hostile_log_runs_no_script(visitor):
    evil = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
    page = visitor("/track")
    follow(page, log(ROLL, Steal(1, 0), players=(evil, "{{7*7}}", "Cem")))
    where(page, "Event 2 of 2")
    expect(page.locator(".tk-player").first).to_have_text(evil)
    page.locator(".tk-entry summary").click()
    expect(page.get_by_role("group", name="Who").get_by_role("button", name=evil)).to_be_visible()
    page.keyboard.press("Home")
    page.get_by_label("Point of view").click()
    expect(page.get_by_role("option", name="{{7*7}}")).to_be_visible()
    page.goto("/track")
    expect(page.locator(".offer").first).to_contain_text(evil)
    assert page.evaluate("window.hacked") is None


def test_what_cannot_be_followed_is_said(visitor, tmp_path):
    page = visitor("/track")
    for content, message in (
        ("no log at all", "no known format"),
        ("x" * (65 << 20), "too large"),
        ("x" * (4 << 20), "no known format"),
        (log(*[ROLL] * 20_001), "at most 20,000"),
    ):
        (tmp_path / "log.txt").write_text(content)
        page.locator("input[type=file]").set_input_files(tmp_path / "log.txt")
        expect(page.locator(".tk-said .note")).to_contain_text(message)
    follow(page, log(ROLL))
    where(page, "Event 1 of 1")


def running(server):
    """How many jobs the server works on."""
    return httpx.get(f"{server.url}/api/health", timeout=60).json()["running"]


def wait_until_idle(page, server):
    while running(server):
        page.wait_for_timeout(100)


@pytest.fixture(scope="module")
def long_log(tmp_path_factory):
    """One that takes some seconds to read."""
    path = tmp_path_factory.mktemp("logs") / "log.txt"
    path.write_text(CHAT * (39_000 // len(CHAT.splitlines())))
    return path


def test_reading_a_long_log_is_cancelled_and_stops_when_the_visitor_leaves(visitor, server, api, long_log):
    page, kept = visitor("/track"), api.get("/library", params={"kind": "log"}).json()
    page.locator("input[type=file]").set_input_files(long_log)
    expect(page.get_by_text("Reading the log")).to_be_visible()
    assert running(server) == 1
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".paste")).to_be_visible()
    wait_until_idle(page, server)
    page.locator("input[type=file]").set_input_files(long_log)
    page.wait_for_url("**job=*")
    page.reload()
    expect(page.get_by_text("Reading the log")).to_be_visible()
    page.goto("/library")
    wait_until_idle(page, server)
    assert api.get("/library", params={"kind": "log"}).json() == kept


def test_games_share_their_memory_and_one_that_gave_it_up_is_worked_out_again(browser, tmp_path):
    with serving(tmp_path, memory=1) as server:
        first, second = (visit(newcomer(browser, server.url), server.url) for _ in range(2))
        for found in (first, second):
            found.page.goto("/track")
            follow(found.page, CHAT)
            where(found.page, "Event 654 of 654")
        first.page.keyboard.press("Home")
        expect(first.page.get_by_text("other games needed the memory of this one")).to_be_visible()
        where(first.page, "Event 0 of 654")
        first.page.locator(".tk-range").fill("337")
        where(first.page, "Event 337 of 654 · turn 46 · 50 possible worlds")
        for found in (first, second):
            found.page.context.close()
            assert found.problems == []


def test_a_log_that_is_gone_is_said(visitor):
    page = visitor("/track?saved=nothing&at=12")
    expect(page.locator(".tk-said .note")).to_contain_text("no longer in the library")
