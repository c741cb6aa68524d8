"""The pages of One Piece in a real browser, through their main tasks."""

import json
import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from kibitz.onepiece.core.decks import STARTERS, starter
from kibitz.onepiece.pages.matches import OnePieceKind
from kibitz.onepiece.pages.moment import look
from kibitz.web.games import Games, kept_game
from kibitz.web.services import LIBRARY
from kibitz.web.store import Store
from tests.web.driver import DESKTOP, PHONE, at_once


@pytest.fixture(scope="module", autouse=True)
def quiet(server):
    """Nothing goes wrong in the server that nobody sees."""
    log = server.data / "server.log"
    before = len(log.read_text())
    yield
    assert "Traceback" not in log.read_text()[before:]


def deal(page, seed=6, begins="You"):
    """Begin a game from the form, against a bot that does not let anybody wait."""
    page.get_by_role("group", name="Who goes first").get_by_role("button", name=begins).click()
    page.locator(".op-start .k-pace").click()
    page.get_by_role("option", name="Instant").click()
    page.get_by_text("Loop guard and seed").click()
    page.get_by_label("Seed of the draws").fill(str(seed))
    page.get_by_role("button", name="Deal the cards").click()
    expect(page.locator(".op-option.keep")).to_be_visible()


def moment(page):
    """What tells one moment of the game from another."""
    return page.locator(".k-lines").inner_text() + page.locator(".op-options").inner_text()


def settled(page):
    """The moment once nothing has changed for a while: the bot may still answer, and the page is drawn in pieces."""
    before = None
    for _ in range(200):
        if (now := moment(page)) == before:
            return now
        before = now
        page.wait_for_timeout(300)
    raise AssertionError("the page does not come to rest")


def do(page, act):
    """Do something, and wait until the game has gone on and asks again."""
    before = moment(page)
    act()
    page.wait_for_function(
        "before => document.querySelector('.k-lines').innerText + document.querySelector('.op-options').innerText !== before",
        arg=before,
    )
    expect(page.locator(".op-option, .op-ask .q-btn").first).to_be_visible()


def until_attack(page):
    """Play turns by the first buttons until somebody can attack."""
    for _ in range(40):
        if page.locator(".op-option.attack").count():
            return
        kinds = [
            kind for kind in ("keep", "play", "pass", "no", "done", "end_turn") if page.locator(f".op-option.{kind}").count()
        ]
        chosen = page.locator(f".op-option.{kinds[0]}" if kinds else ".op-option")
        do(page, chosen.first.click)
    raise AssertionError("nobody can attack")


def fits(page):
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def nothing_hidden_is_in(page):
    """Face-up cards of the other side are those on the field; of the hand there is a number."""
    theirs = page.locator(".op-side.theirs")
    assert theirs.locator("button.op-card").count() == theirs.locator(".op-field button.op-card").count() == 1
    assert "EM-" not in page.content().replace("EM-001", "")


def test_a_game_by_clicks_on_cards(visitor):
    """Play from the hand, attack with attacker and target, look into the trash; a refresh in the middle changes nothing."""
    page = visitor("/onepiece", DESKTOP)
    deal(page)
    expect(page.locator(".op-hand button.op-card")).to_have_count(5)
    do(page, page.locator(".op-option.keep").click)
    nothing_hidden_is_in(page)
    playable = page.locator(".op-hand button.op-card.can").first
    playable.hover()
    expect(page.locator(".op-preview .op-words")).to_contain_text("cost 1")
    playable.click()
    expect(page.locator(".op-hand button.op-card.chosen")).to_have_count(1)
    do(page, page.locator(".op-hand button.op-card.chosen").click)
    expect(page.locator(".op-side.mine .op-chars button.op-card, .op-side.mine .stage button.op-card").first).to_be_visible()
    until_attack(page)
    page.locator(".op-side.mine button.op-card.can").first.click()
    target = page.locator(".op-side.theirs button.op-card.target").first
    expect(target).to_be_visible()
    do(page, target.click)
    expect(page.locator(".op-card.chosen")).to_have_count(0)
    expect(page.locator(".k-lines")).to_contain_text(re.compile("Your .* attacks Bob's"))
    expect(page).to_have_url(re.compile(r"\?game="))
    before = settled(page)
    page.reload()
    expect(page.locator(".op-option").first).to_be_visible()
    assert settled(page) == before
    page.locator("[data-id=trash-op]").click()
    expect(page.get_by_text("The trash of Bob")).to_be_visible()
    page.get_by_role("button", name="Close").click()


def test_a_game_by_the_keyboard_to_its_end(visitor):
    """K keeps, E ends the turn, P passes, N says no: that loses, and the record can be had."""
    page = visitor("/onepiece", DESKTOP, dark=True)
    deal(page, begins="The bot")
    again = page.get_by_role("button", name="Play again")
    do(page, lambda: page.keyboard.press("k"))
    for _ in range(90):
        expect(page.locator(".op-option").first.or_(again)).to_be_visible()
        if again.is_visible():
            break
        key = next(
            (
                key
                for kind, key in (("pass", "p"), ("no", "n"), ("end_turn", "e"), ("done", "d"))
                if page.locator(f".op-option.{kind}").count()
            ),
            "1",
        )
        do(page, lambda key=key: page.keyboard.press(key))
    expect(page.locator(".op-ask h2")).to_have_text("Ann won.")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the record").click()
    lines = download.value.path().read_text().splitlines()
    assert json.loads(lines[-1])["winner"] == 0


def test_a_game_on_a_phone(visitor):
    page = visitor("/onepiece", PHONE, dark=True)
    deal(page)
    assert fits(page)
    do(page, page.locator(".op-option.keep").tap)
    page.locator(".op-side.theirs .lead button.op-card").tap()
    expect(page.locator(".op-reading")).to_contain_text("Leader")
    card = page.locator(".op-hand button.op-card.can").first
    card.tap()
    expect(page.locator(".op-reading")).to_contain_text("cost 1")
    do(page, page.locator(".op-option.play").first.tap)
    assert fits(page)


def test_a_card_is_picked_from_a_tray(visitor, server, tmp_path):
    """Cards that lie on no field and in no hand are laid out to be chosen from; each has a button, too."""
    page = visitor(f"/onepiece?game={keep_pick(server.data, tmp_path)}", DESKTOP)
    tray = page.locator(".op-tray button.op-card")
    expect(tray.first).to_be_visible()
    tray.first.hover()
    expect(page.locator(".op-preview .op-words")).to_contain_text("cost")
    laid = tray.count()
    do(page, tray.first.click)
    expect(tray).not_to_have_count(laid)


def test_the_kibitzer_tells_how_often_options_win(visitor):
    page = visitor("/onepiece", DESKTOP)
    deal(page)
    page.get_by_role("switch", name="Kibitzer").click()
    expect(page.locator(".k-thought").first).to_contain_text("%")
    expect(page).to_have_url(re.compile("kibitz=1"))
    do(page, page.locator(".op-option.keep").click)
    expect(page.locator(".k-thought").first).to_contain_text("%")


def test_of_clicks_in_one_moment_on_the_form_none_is_lost(visitor):
    page = visitor("/onepiece", DESKTOP)
    rows = {name: page.get_by_role("group", name=name) for name in ("Your deck", "Who goes first", "Level")}
    chosen = [rows["Your deck"].get_by_role("button").nth(1), rows["Who goes first"].get_by_role("button", name="Either"),
              rows["Level"].get_by_role("button", name="Hard")]  # fmt: skip
    for button in chosen:
        expect(button).to_have_attribute("aria-pressed", "false")
    at_once(*chosen)
    for button in chosen:
        expect(button).to_have_attribute("aria-pressed", "true")
    page.get_by_text("More: other bots").click()
    page.get_by_role("button", name="Greedy").click()
    expect(chosen[-1]).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".op-bot")).to_contain_text("rules of thumb")  # and what was opened stays open


def test_a_deck_of_ones_own(visitor):
    """Cards come first, then a deck of them; what is wrong is said; names are text, never markup."""
    hostile = "<img src=x onerror=alert(1)>"
    page = visitor("/onepiece", DESKTOP)
    page.get_by_text("A deck of your own").click()
    cards = starter("tide").cards
    table = "id,name,kind,colours,cost,power\n" + f'ZZ-1,"{hostile}",character,green,1,2000\n'
    listed = "\n".join(["1 TW-001", "4x ZZ-1", *(f"{n} {card.id}" for card, n in cards.items() if card.id != "TW-002")])
    bring(page, listed)
    expect(page.locator(".op-start .note.bad")).to_contain_text("'4x ZZ-1': no such card")
    bring(page, table)
    expect(page.locator(".op-start .note")).to_contain_text("Cards known now: 1.")
    bring(page, listed)
    expect(page.locator(".op-start .note")).to_contain_text("is among the decks now")
    expect(page.locator(".op-cards")).to_contain_text(hostile)
    for row in ("Your deck", "The bot's deck"):
        expect(page.get_by_role("group", name=row).get_by_role("button")).to_have_count(len(STARTERS) + 1)
    deal(page)
    page.reload()
    expect(page.locator(".op-option.keep")).to_be_visible()
    assert page.locator("img[src=x]").count() == 0


def bring(page, text):
    """Paste a deck or cards."""
    page.locator(".paste").fill(text)
    page.get_by_role("button", name="Read it").click()


def keep_pick(data, scratch):
    """Put a game into the library in which the person is to pick one of some cards that lie apart; its id."""
    store = Store(scratch / "games.sqlite3")
    games = Games(store)
    games.add(OnePieceKind())
    try:
        for seed in range(40):
            setup = {"seat": 0, "decks": ["tide", "ember"], "bot": "greedy", "guard": "onepiece", "seed": seed}
            session = games.new("onepiece", setup, pace=0)
            for _ in range(60):
                assert session.wait(60)
                now = look(session)
                if any(option.card is not None and not option.source for option in now.options):
                    library = Store(data / LIBRARY)
                    kept = kept_game("onepiece", setup, session.moves)
                    id = library.save("game", "One Piece: a test", kept)
                    library.close()
                    return id
                if session.over:
                    break
                session.play([chosen(now).code], now.version)
    finally:
        games.close()
        store.close()
    raise AssertionError("nobody picks a card")


def chosen(now):
    """Whatever leads on, cards and effects before the end of a turn."""
    order = ("yes", "activate", "play", "pick", "choose", "resolve")
    return min(now.options, key=lambda option: order.index(option.kind) if option.kind in order else len(order))


def test_the_lap_the_verdict_and_the_way_out(visitor):
    page = visitor("/onepiece/loops", DESKTOP)
    picture = page.locator(".lab-wide svg")
    expect(picture).to_contain_text("the smaller of two")
    expect(picture).to_contain_text("decline Cracked Waking")
    page.keyboard.press("f")
    expect(page.locator(".lab-wide svg")).to_contain_text("player 1 declares")
    page.locator(".lab-row", has_text="Mutual drain where neither").click()
    expect(page.locator(".lab-wide svg")).to_contain_text("progress")
    expect(page).to_have_url(re.compile("loop=harmless&flip=1"))
    page.locator("button", has_text="attack with").first.click()
    expect(page.locator(".lab-count")).to_contain_text("step 1 of")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".lab-count")).to_contain_text("step 2 of")
    expect(page.locator(".lab-wide svg")).to_contain_text("lap 1")
    expect(page).to_have_url(re.compile("step=2"))
    page.reload()
    expect(page.locator(".lab-count")).to_contain_text("step 2 of")
    page.get_by_role("button", name="One step back").click()
    expect(page.locator(".lab-count")).to_contain_text("step 1 of")


def test_other_rules_and_declared_numbers(visitor):
    page = visitor("/onepiece/loops?loop=both", DESKTOP, dark=True)
    expect(page.locator(".lab-wide svg")).to_contain_text("the smaller of two")
    page.get_by_label("Player 1 declares").fill("5")
    page.get_by_label("Player 2 declares").fill("2")
    expect(page.get_by_text("Player 2 stops after 2 more laps")).to_be_visible()
    page.get_by_label("Whose rules").click()
    page.get_by_role("option", name="Every loop is a draw").click()
    expect(page.get_by_text("Verdict: draw")).to_be_visible()
    page.get_by_text("As a tiny machine").click()
    expect(page.get_by_text("give a counter").first).to_be_visible()


def test_hostile_rules_are_refused_in_a_line(visitor):
    hostile = '{"infiniteLoopRules": {"<img src=x onerror=alert(1)>": 1}}'
    page = visitor(f"/onepiece/loops?loop=both&model=own&rules={quote(hostile)}", PHONE)
    expect(page.locator(".note.bad")).to_contain_text("<img src=x onerror=alert(1)>: unknown")
    assert page.locator("img[src=x]").count() == 0
    assert fits(page)
    page = visitor("/onepiece?game=<script>alert(1)</script>", DESKTOP)
    expect(page.get_by_text("no longer in the library")).to_be_visible()


def test_the_lab_on_a_phone(visitor):
    page = visitor("/onepiece/loops?loop=choices&flip=1", PHONE)
    expect(page.locator(".lab-tall svg")).to_contain_text("player 1 declares")
    assert fits(page)
    page.locator(".lab-pick").click()
    page.get_by_role("option", name="Mutual drain", exact=True).click()
    expect(page.locator(".lab-tall svg")).to_contain_text("draw")
