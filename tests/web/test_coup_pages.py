"""The pages of Coup in a real browser, through their main tasks."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from kibitz.coup.core.record import check
from tests.web.axe import nothing_in_the_way
from tests.web.driver import DESKTOP, PHONE, fits_everywhere

#: Milliseconds for what may have to compile the rules first.
SLOW = 180_000
ANN = "players Ann Bob Cid; I am Ann, cards duke captain; coins 3 5 2; Bob lost contessa; Bob assassinates me"


@pytest.fixture(scope="module", autouse=True)
def quiet(server):
    """Nothing goes wrong in the server that nobody sees."""
    log = server.data / "server.log"
    before = len(log.read_text())
    yield
    assert "Traceback" not in log.read_text()[before:]


def deal(page, players=2, bot="Honest", seed=3):
    """Begin a game from the form, with bots that do not let anybody wait."""
    page.get_by_text("More: choose each opponent").click()
    bots = page.locator(".k-bot")
    expect(bots.first).to_be_visible()
    if bots.count() != players - 1:  # else the bots would be drawn anew while they are chosen
        page.get_by_role("button", name=f"{players} players").click()
    expect(bots).to_have_count(players - 1)
    for number in range(players - 1):
        bots.nth(number).click()
        page.get_by_role("option", name=bot, exact=True).click()
        expect(page.get_by_role("option")).to_have_count(0)
    page.locator(".coup-new .k-pace").click()
    page.get_by_role("option", name="Instant").click()
    page.get_by_text("Rules and seed").click()
    page.get_by_label("Seed of the deal").fill(str(seed))
    page.get_by_role("button", name="Deal the cards").click()
    expect(page.locator(".coup-option").first).to_be_visible(timeout=SLOW)


def version(page):
    """What tells one moment of the game from another."""
    return page.locator(".k-lines").inner_text() + page.locator(".coup-question").inner_text()


def fits(page):
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_game_is_played_to_its_end(visitor, tmp_path):
    page = visitor("/coup", DESKTOP, dark=True)
    deal(page)
    expect(page.locator(".coup-others .coup-card[aria-label='a card, face down']")).to_have_count(2)
    again = page.get_by_role("button", name="Play again")
    for _ in range(80):
        expect(page.locator(".coup-option").first.or_(again)).to_be_visible()
        if again.is_visible():
            break
        before = version(page)
        page.locator(".coup-option").last.click()
        page.wait_for_function("was => document.querySelector('.k-lines').innerText"
                               " + document.querySelector('.coup-question').innerText != was", arg=before)  # fmt: skip
    expect(page.locator(".coup-question")).to_contain_text(re.compile("won, after [0-9]+ turns"))
    expect(page.locator(".coup-card[aria-label='a card, face down']")).to_have_count(0)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download the record").click()
    waiting.value.save_as(tmp_path / "game.jsonl")
    [record] = check((tmp_path / "game.jsonl").read_text().splitlines())
    assert record.seats == ("you", "honest")


def test_a_refresh_in_the_middle_goes_on_with_the_game(visitor):
    page = visitor("/coup", PHONE)
    deal(page, players=4, bot="Heuristic")
    page.keyboard.press("i")
    expect(page.locator(".k-lines")).to_contain_text("You take income.")
    expect(page.locator(".coup-option").first).to_be_visible()
    page.wait_for_url("**game=**")
    before = version(page)
    page.reload()
    expect(page.locator(".coup-option").first).to_be_visible()
    assert version(page) == before
    assert fits(page)
    other = visitor("/coup", PHONE, dark=True)
    link = other.locator(".offer").first
    expect(link).to_contain_text("4 players, against heuristic")


def test_a_game_that_is_gone_is_said(visitor):
    page = visitor("/coup?game=<script>alert(1)</script>")
    expect(page.get_by_text("This game is no longer in the library.")).to_be_visible()
    expect(page.get_by_role("button", name="Deal the cards")).to_be_visible()


def test_the_kibitzer_advises_and_grows_the_tree(visitor):
    page = visitor("/coup")
    deal(page, players=3, bot="Heuristic")
    bars = page.locator(".coup-others .coup-holds")
    expect(bars).to_have_count(2)
    assert page.locator(".coup-holds .rail i").first.evaluate("bar => bar.getBoundingClientRect().width") > 10
    expect(bars.first).to_contain_text("%")
    page.get_by_role("switch", name="Beliefs").click()
    expect(bars.first).to_be_hidden()
    page.get_by_role("switch", name="Advice").click()
    expect(page.locator(".coup-options tr").first).to_contain_text("★", timeout=SLOW)
    expect(page.locator(".coup-option .coup-chance", has_text="★")).to_have_count(1)
    page.get_by_role("button", name="Grow the tree").click()
    tree = page.get_by_role("tree")
    tree.get_by_role("button", name="What follows: tax").click()
    expect(tree.get_by_text("nobody does")).to_be_visible()
    tree.get_by_role("button", name="What follows: challenge").first.click()
    expect(tree.get_by_text("What you would believe then").first).to_be_visible()
    for measure in ("You win, cards hidden", "You win, cards open"):  # the advice and the tree
        expect(page.get_by_text(measure, exact=True)).to_be_visible()
    nothing_in_the_way(page)
    page.wait_for_url("**advice=1**")
    page.reload()
    expect(page.locator(".coup-options tr").first).to_contain_text("★")
    expect(page.locator(".coup-others .coup-holds").first).to_be_hidden()


def test_two_users_have_two_games(visitor):
    one, other = visitor("/coup"), visitor("/coup")
    deal(one, seed=3)
    deal(other, seed=4)
    one.wait_for_url("**game=**")
    other.wait_for_url("**game=**")
    assert one.url != other.url
    one.locator(".coup-option", has_text="Income").click()
    expect(one.locator(".k-lines")).to_contain_text("You take income.")
    expect(other.locator(".k-lines")).not_to_contain_text("You take income.")


def test_advice_about_words(visitor):
    page = visitor(f"/coup/advise?q={quote(ANN)}", PHONE, dark=True)
    expect(page.locator(".coup-question")).to_have_text("Do you challenge Bob's Assassin?")
    expect(page.locator(".coup-seat", has_text="Bob").locator(".coup-holds")).to_contain_text("%")
    page.get_by_label("Simulated games").click()
    page.get_by_role("option", name="20,000 games").click()
    page.get_by_role("button", name="What should I do?").click()
    expect(page.locator(".coup-options tr")).to_have_count(2, timeout=SLOW)
    nothing_in_the_way(page)
    expect(page.locator(".coup-options tr", has_text="show assassin")).to_be_visible()
    fits_everywhere(page)
    page.wait_for_url("**job=**")
    page.reload()
    expect(page.locator(".coup-options tr")).to_have_count(2)


def test_a_situation_is_clicked_together(visitor):
    page = visitor("/coup/advise")
    words = page.get_by_label("The situation in words")
    page.get_by_role("button", name="An endgame").click()
    expect(page.locator(".coup-question")).to_have_text("It is your turn.")
    page.get_by_role("button", name="3 players").click()
    expect(words).to_have_value(re.compile("^players 3; I am 1"))
    expect(page.locator(".coup-seat")).to_have_count(3)
    page.get_by_role("button", name="2: a coin more").click()
    expect(words).to_have_value(re.compile("coins 4 6 2"))
    page.get_by_role("button", name="2 claimed Duke", exact=True).click()
    expect(page.get_by_role("button", name="Forget: 2 claimed duke")).to_have_count(2)
    page.get_by_role("button", name="2's turn").click()
    page.get_by_role("button", name="steals from you").click()
    expect(page.locator(".coup-question")).to_have_text("Do you challenge player 2's Captain?")


def test_what_is_not_understood_is_said_in_place(visitor):
    page = visitor("/coup/advise?q=" + quote("coins 3 3; cards <script>alert(1)</script>"))
    expect(page.locator(".note.bad")).to_contain_text("'<script>alert(1)</script>' is not a character")
    expect(page.get_by_role("button", name="What should I do?")).to_be_disabled()
    page.get_by_label("The situation in words").fill(f"players {'A' * 300} Bob; cards duke captain; coins 3 5; turn Bob")
    expect(page.locator(".coup-question")).to_have_text("It's up to Bob: say what they do.")
    assert fits(page)


def test_an_endgame_is_solved(visitor):
    page = visitor("/coup/endgames?coins=6,6&turns=2", PHONE)
    page.get_by_role("button", name="Solve").click()
    expect(page.locator(".coup-big")).to_have_text("1/35", timeout=SLOW)
    expect(page.locator(".coup-deals tbody td")).to_have_count(25)
    expect(page.locator(".coup-strategy").first).to_contain_text("%")
    assert fits(page)
    nothing_in_the_way(page)
    page.wait_for_url("**job=**")
    page.reload()
    expect(page.locator(".coup-big")).to_have_text("1/35")
    page.get_by_role("button", name="turns: more").click()
    expect(page.get_by_text("press Solve")).to_be_visible()


def test_an_endgame_that_is_too_large_is_refused(visitor):
    page = visitor("/coup/endgames?coins=3,3&turns=5")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator(".note.bad")).to_contain_text("ask for fewer turns")
    page = visitor("/coup/endgames?revealed=dragon")
    expect(page.get_by_text("'dragon' is not a character")).to_be_visible()
