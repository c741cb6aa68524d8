"""axe-core finds nothing serious in the states that a page goes through while it is used.

Those of reviews and of Coup, which take a while to reach, are judged by the tests of these pages.
"""

from playwright.sync_api import expect

from kibitz.catan.analysis.question import Question
from kibitz.catan.core.state import (
    MAIN,
    MONOPOLY,
    ROBBER_DISCARD,
    ROBBER_MOVE,
    ROBBER_STEAL,
    SETUP_SETTLEMENT,
    TRADE_ANSWER,
    TRADE_CHOICE,
    YEAR_OF_PLENTY,
)  # fmt: skip
from kibitz.catan.pages.diary import unfinished
from kibitz.compute.runtime import Info
from kibitz.game import legal_actions
from kibitz.play.share import Share, Standing
from kibitz.web.services import LIBRARY
from kibitz.web.store import Store
from tests.web import test_any_game_page, test_onepiece_pages
from tests.web.axe import nothing_in_the_way
from tests.web.driver import paste
from tests.web.tables import keep, moment, played
from tests.web.telling import pair
from tests.web.test_accessible import press
from tests.web.test_analyse_page import LONG, link

#: Parts of the Play page.
PROMPT, HAND = ".ct-prompt", ".ct-hand"


def sit(page, server, wanted, bot="builder"):
    """A game at a moment; the first seat is the person's."""
    record, step = moment(wanted, bot=bot)
    page.goto(f"/play?game={keep(server.data, record, step)}")
    expect(page.locator(HAND)).to_be_visible()


def holds(card):
    """Whether the first seat may play a development card now."""
    return lambda s: s["phase"][0] == MAIN and s["dev"][0, 0, card] > s["new_dev"][0, card] and not s["dev_done"][0]


def test_an_analysis_that_runs_is_stopped_and_one_that_ended_early(visitor, server):
    page = visitor(link(LONG))
    press(page, "Analyse")
    expect(page.locator(".board #legend")).to_contain_text("so far")
    nothing_in_the_way(page)
    press(page, "Cancel")
    expect(page.get_by_text("Partial: stopped")).to_be_visible()
    nothing_in_the_way(page, ".an-ranking")
    standings = (Standing("V41", Share(30, 100), 0.3, True), Standing("V23", Share(1, 20), 0.05, False))
    store = Store(server.data / LIBRARY)
    id = store.save(
        "analysis", "Whole games", unfinished(Question.from_json({"board": "beginner"}), Info(1, 8, 1.0, standings))
    )
    store.close()
    page.goto(f"/analyse?saved={id}")
    expect(page.get_by_text("This analysis ended early")).to_be_visible()
    nothing_in_the_way(page, ".an-ranking")


def test_answers_of_every_method_and_a_game_that_is_stepped_through(visitor, tmp_path):
    page = visitor(link("mode=static"))
    for method, part in (("static", "Where the score comes from"), ("monte_carlo", "Cards in 10 rolls")):
        page.goto(link(f"mode={method}"))
        press(page, "Analyse")
        expect(page.get_by_text(part)).to_be_visible()
        nothing_in_the_way(page, ".an-result")
    press(page, "Copy link")
    expect(page.locator(".q-notification")).to_contain_text("Link copied")
    nothing_in_the_way(page, ".q-notification")
    file = tmp_path / "game.jsonl"
    file.write_text("\n".join(played(3).lines()))
    press(page, "Load")
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_role("button", name="Leave the game")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    nothing_in_the_way(page)


def test_a_blank_board_and_what_cannot_be_loaded(visitor, tmp_path):
    page = visitor("/analyse?board=nonsense")
    expect(page.get_by_text("This link cannot be read")).to_be_visible()
    press(page, "Blank")
    expect(page.get_by_text("19 hexes to paint")).to_be_visible()
    nothing_in_the_way(page)
    press(page, "Load")
    file = tmp_path / "nonsense.txt"
    file.write_text("no game at all")
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("this is no board, game or analysis of Kibitz")).to_be_visible()
    nothing_in_the_way(page)


def test_the_draft_and_a_trade_that_others_answer(visitor, server):
    page = visitor("/play")
    sit(page, server, lambda s: s["phase"][0] == SETUP_SETTLEMENT)
    nothing_in_the_way(page, PROMPT if page.locator(PROMPT).is_visible() else HAND)
    sit(page, server, lambda s: s["phase"][0] == MAIN and s["hand_size"][0, 0] > 3 and s["turn"][0] > 5)
    page.locator(".ct-res-card:not(.none)").first.click()
    press(page, "You get: one more ore")
    expect(page.locator(".ct-chosen .ct-chip")).to_have_count(2)
    nothing_in_the_way(page)
    sit(page, server, lambda s: s["phase"][0] == TRADE_CHOICE)
    expect(page.get_by_role("button", name="Trade with")).to_have_count(1)
    nothing_in_the_way(page, PROMPT)


def test_an_offer_and_the_answer_to_it(visitor, server):
    page = visitor("/play")
    sit(page, server, lambda s: s["phase"][0] == TRADE_ANSWER and len(legal_actions(s)) > 1 and s["dev_size"][0, 0] > 0)
    expect(page.locator(".ct-dev-card").first).to_be_visible()
    expect(page.get_by_role("button", name="Decline")).to_be_visible()
    nothing_in_the_way(page, PROMPT)
    press(page, "Counter")
    expect(page.get_by_role("button", name="Offer this to")).to_be_visible()
    nothing_in_the_way(page)


def test_what_a_seven_and_a_card_ask(visitor, server):
    page = visitor("/play")
    sit(page, server, lambda s: s["phase"][0] == ROBBER_DISCARD)
    page.locator(".ct-res-card:not(.none)").first.click()
    expect(page.locator(".discard-count")).to_contain_text("1 of")
    nothing_in_the_way(page, PROMPT)
    sit(page, server, lambda s: s["phase"][0] == ROBBER_MOVE)
    nothing_in_the_way(page, ".ct-status")
    sit(page, server, lambda s: s["phase"][0] == ROBBER_STEAL and len(legal_actions(s)) > 1, "random")
    expect(page.get_by_role("button", name="Rob ").first).to_be_visible()
    nothing_in_the_way(page, PROMPT)
    for card, name in ((MONOPOLY, "Monopoly"), (YEAR_OF_PLENTY, "Year of Plenty")):
        sit(page, server, holds(card))
        press(page, f"Play {name}")
        expect(page.get_by_role("dialog")).to_contain_text(name)
        nothing_in_the_way(page)
        page.keyboard.press("Escape")


def test_the_kibitzer_a_clock_and_the_end_of_a_game(visitor, server):
    page = visitor("/play")
    sit(page, server, lambda s: s["phase"][0] == MAIN and len(legal_actions(s)) > 8)
    page.locator(".ct-clock-choice").click()
    page.get_by_role("option", name="3 minutes").click()
    expect(page.get_by_role("timer")).to_be_visible()
    page.keyboard.press("k")
    expect(page.locator(".k-thought").first).to_contain_text("%")
    expect(page.locator(".ct-holdings tbody tr").first).to_be_visible()
    nothing_in_the_way(page)
    over = played(3)
    page.goto(f"/play?game={keep(server.data, over, len(over.codes))}")
    expect(page.get_by_role("link", name="Review this game")).to_be_visible()
    nothing_in_the_way(page)


def test_games_that_cannot_be_reviewed_or_followed(visitor):
    page = visitor("/review")
    paste(page, "no game at all")
    press(page, "Review it")
    expect(page.get_by_text("no known format")).to_be_visible()
    nothing_in_the_way(page)
    page.goto("/track")
    paste(page, "no game at all")
    press(page, "Follow it")
    expect(page.get_by_text("no known format")).to_be_visible()
    nothing_in_the_way(page)


def test_a_table_without_a_log(visitor):
    page = visitor("/track")
    press(page, "Begin", exact=True)
    expect(page.locator(".tk-bar")).to_be_visible()
    nothing_in_the_way(page)


def test_worlds_and_events_by_hand(visitor):
    page = visitor("/track")
    press(page, "Try an example")
    expect(page.locator(".tk-row").first).to_be_visible()
    page.goto(page.url.replace("at=654", "at=337"))
    page.locator(".tk-worlds summary").click()
    expect(page.locator(".tk-likeliest tbody tr").first).to_be_visible()
    nothing_in_the_way(page, ".tk-worlds")
    page.locator(".tk-entry summary").click()
    for kind in ("Trade", "Discard", "Play card", "Correct"):
        page.get_by_role("group", name="What happened").get_by_role("button", name=kind, exact=True).click()
        nothing_in_the_way(page, ".tk-entry")


def test_a_live_game(visitor, api, server):
    say, middle, _ = pair(api, server, "601", ("Joe", "Kim", "Lou"))
    say(0, middle)
    page = visitor("/track/live")
    expect(page.locator(".tk-live .tk-player").first).to_be_visible()
    press(page, "Show a code")
    expect(page.locator(".tk-code")).not_to_be_empty()
    nothing_in_the_way(page)


def test_one_piece(visitor):
    page = visitor("/onepiece")
    test_onepiece_pages.deal(page)
    nothing_in_the_way(page, ".op-ask")
    test_onepiece_pages.do(page, page.locator(".op-option.keep").click)
    page.locator(".op-hand button.op-card.can").first.click()
    nothing_in_the_way(page)


def test_a_game_of_ones_own(visitor):
    page = visitor("/table/love_letter")
    test_any_game_page.begin(page, players=3)
    page.keyboard.press("k")
    expect(page.locator(".k-thought").first).to_be_visible()
    nothing_in_the_way(page)


def test_a_library_with_everything_and_with_nothing(visitor, server):
    store = Store(server.data / LIBRARY)
    for kind in ("analysis", "log", "review"):
        store.save(kind, f"a {kind}", {})
    record = played(3)
    id = keep(server.data, record, 40)
    page = visitor("/library")
    expect(page.locator(f"[data-id='{id}']")).to_be_visible()
    nothing_in_the_way(page)
    page.get_by_label("Search").fill("nothing is called so")
    expect(page.get_by_text("Nothing matches your search.")).to_be_visible()
    nothing_in_the_way(page)
    page.get_by_label("Search").fill("")
    page.locator(f"[data-id='{id}']").get_by_role("button", name="Download").click()
    expect(page.get_by_role("dialog")).to_contain_text("This game is not over")
    nothing_in_the_way(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator(f"[data-id='{id}']").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("dialog")).to_contain_text("Delete this?")
    nothing_in_the_way(page)
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    for item in store.items(limit=10_000):
        store.delete(item.id)
    store.close()
    for path in ("/library", "/review", "/"):
        page.goto(path)
        expect(page.locator("h1").first).to_be_visible()
        nothing_in_the_way(page)
