"""The Review page in a real browser: a game is loaded, stepped through and judged."""

import gzip
import re
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import expect

from kibitz.catan import Board
from kibitz.catan.core.codes import END_TURN
from kibitz.catan.core.events import BankTrade, PlayerTrade, Roll
from kibitz.catan.core.record import simulate
from kibitz.catan.core.state import MAIN, Rules
from kibitz.catan.logs import read
from kibitz.catan.pages.review import story
from kibitz.game import actor_at, legal_actions
from kibitz.web.store import Store
from tests.web.axe import nothing_in_the_way
from tests.web.driver import PHONE, fits_everywhere, paste
from tests.web.tables import keep, moment, played, state_at

EXAMPLES = Path(__file__).parents[2] / "examples"
#: What stands below the mistakes when everything is judged.
DONE = "Judged by what each player could know"
HOSTILE = '<img src=x onerror="window.hacked=1">'


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    """A game that is over soon, with names of somebody who means no good."""
    record = replace(played(3, Rules(victory_points=3), seats=2), seats=(HOSTILE, "{{hacked=1}}"))
    file = tmp_path_factory.mktemp("records") / "game.jsonl"
    file.write_text("\n".join(record.lines()))
    return record, file


def test_a_record_is_judged_and_stepped_through(visitor, short):
    record, file = short
    page = visitor("/review", PHONE, dark=True)
    page.locator("input[type=file]").set_input_files(file)
    where = page.locator(".ct-status")
    expect(where).to_contain_text(f"Step {len(record.codes)} of {len(record.codes)}")
    expect(page.locator(".rv-chances canvas").first).to_be_visible()
    expect(page.get_by_text(DONE)).to_be_visible()
    expect(page.locator(".progress")).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    expect(where).to_contain_text(f"Step {len(record.codes) - 1} of")
    page.keyboard.press("Home")
    expect(where).to_contain_text("The board before the first settlement")
    page.get_by_role("button", name="One step forward").click()
    expect(where).to_contain_text("Step 1 of")
    expect(where).to_contain_text("placed a settlement")
    expect(page).to_have_url(re.compile("step=1$"))
    page.reload()
    expect(where).to_contain_text("Step 1 of")
    expect(page.locator(".progress")).to_be_hidden()  # the review was kept
    assert page.evaluate("window.hacked") is None
    fits_everywhere(page)


def test_a_file_whose_reading_is_cancelled_is_not_opened_in_part(visitor, tmp_path):
    record = "\n".join(simulate(Board.random(0), ["random"] * 4, seed=0).lines())
    file = tmp_path / "games.jsonl.gz"
    file.write_bytes(gzip.compress("\n".join([record] * 100).encode(), 1))
    page = visitor("/review")
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("This was stopped")).to_be_visible()
    expect(page).to_have_url(re.compile("/review$"))


def test_a_record_that_comes_again_is_the_same_game(short, tmp_path):
    store = Store(tmp_path / "library.sqlite3")
    ids = {story.keep(store, story.Story(short[0])) for _ in range(2)}
    assert [item.id for item in store.items()] == [*ids]
    store.close()


def test_a_costly_move_leads_to_its_position(visitor):
    """Somebody who could have won ends the turn instead."""
    full = next(r for r in (played(seed, Rules(victory_points=3), seats=4) for seed in range(50)) if ends_by_choice(r))
    missed = replace(full, codes=(*full.codes[:-1], END_TURN), seats=("Ann", "Bob", "Cem", "Dora"))
    page = visitor("/review")
    paste(page, "\n".join(missed.lines()))
    page.get_by_role("button", name="Review").click()
    expect(page.locator(".rv-chances canvas").first).to_be_visible()
    nothing_in_the_way(page, ".rv-report")  # while it is judged
    expect(page.get_by_text(DONE)).to_be_visible()
    states = state_at(missed, len(missed.codes) - 1)
    turn, loser = int(states["turn"][0]), missed.seats[int(states["player"][0])]
    page.get_by_role("button", name=f"Report for {loser}").click()
    expect(page.locator(".rv-sentence")).to_contain_text(f"points to {loser}")
    page.locator(".rv-slip").filter(has_text=f"turn {turn}").filter(has_text="End the turn").click()
    where, verdict = page.locator(".ct-status"), page.locator(".rv-verdict")
    expect(where).to_contain_text(f"Step {len(missed.codes) - 1} of")
    expect(verdict).to_contain_text("Better:")
    page.get_by_role("button", name="Try it yourself").click()  # you play, it answers
    nothing_in_the_way(page)
    verdict.get_by_role("button", name="Buy a development card").click()  # not measured by the review: games are played now
    expect(verdict.locator(".rv-answer")).to_have_text(re.compile(r"Buy a development card: \w.*, .\d+ ± \d+ points"))
    verdict.get_by_role("button", name="End the turn").click()
    expect(verdict).to_contain_text("End the turn (as in the game): blunder")
    nothing_in_the_way(page, ".rv-verdict")
    page.get_by_role("button", name="Show the best").click()
    expect(verdict).to_contain_text("the best move")
    verdict.get_by_role("button", name="Next mistake").click()  # this was the last one, so it is the first one's turn
    expect(where).not_to_contain_text(f"Step {len(missed.codes) - 1} of")
    expect(page.locator(".rv-slip[aria-current=true]")).to_have_count(1)
    expect(verdict).to_contain_text("Better:")
    expect(verdict.get_by_role("button", name="Try it yourself")).to_be_visible()
    page.keyboard.press("Home")
    page.keyboard.press("n")
    expect(page.locator(".rv-slip[aria-current=true]")).to_have_count(1)
    chart = page.locator(".rv-chances canvas").first
    size = chart.bounding_box()
    chart.click(position={"x": 0.5 * size["width"], "y": 0.3 * size["height"]})  # anywhere, not only on a line
    expect(where).not_to_contain_text("Step 0 of")
    with page.expect_download() as shared:
        page.get_by_role("button", name="Share this review").click()
    page.goto("/review")
    page.locator("input[type=file]").set_input_files(shared.value.path())
    expect(page.get_by_text(DONE)).to_be_visible()
    expect(page.locator(".rv-progress")).to_be_hidden()


def test_of_several_games_one_is_chosen(visitor, short):
    record, _ = short
    other = replace(record, seats=("Ann", "Bob"), codes=record.codes[:-2], game=1)
    page = visitor("/review")
    paste(page, "\n".join([*record.lines(), *other.lines()]))
    page.get_by_role("button", name="Review").click()
    page.get_by_role("button", name="Game 1: Ann, Bob").click()
    expect(page.locator(".ct-status")).to_contain_text(f"of {len(other.codes)}")


def ends_by_choice(record):
    """Whether the winner could have ended the turn instead."""
    states = state_at(record, len(record.codes) - 1)
    return actor_at(states, 0) >= 0 and END_TURN in legal_actions(states)


def test_what_is_no_game_is_explained(visitor, tmp_path):
    file = tmp_path / "nonsense.jsonl"
    page = visitor("/review")
    for content, complaint in (
        ("<script>window.hacked=1</script>", "no known format"),
        ('{"record": "catan", "version": 99}', "version 99"),
        ("x" * 200_000, "no known format"),
    ):
        file.write_text(content)
        page.locator("input[type=file]").set_input_files(file)
        expect(page.get_by_text(re.compile(complaint))).to_be_visible()
    assert page.evaluate("window.hacked") is None


def test_a_game_that_is_still_played_is_not_told(visitor, server):
    record, step = moment(lambda s: s["phase"][0] == MAIN)
    page = visitor(f"/review?game={keep(server.data, record, step)}")
    expect(page.get_by_text("still being played")).to_be_visible()


def test_a_chat_says_what_is_missing_and_shows_what_it_tells(visitor):
    page = visitor("/review")
    paste(page, (EXAMPLES / "chat.txt").read_text(encoding="utf-8"))
    page.get_by_role("button", name="Review it").click()
    expect(page.get_by_text("This cannot be reviewed: this colonist-text log holds no board.")).to_be_visible()
    expect(page.get_by_text("A review replays every position")).to_be_visible()
    rolled = page.locator(".rv-dice tbody tr").first.locator("td").all_inner_texts()[1:]
    log = read((EXAMPLES / "chat.txt").read_text(encoding="utf-8")).log
    assert [int(n) for n in rolled] == [sum(isinstance(e, Roll) and e.total == n for e in log.events) for n in range(2, 13)]
    trades = [int(cell) for cell in page.locator(".rv-trades tbody td.r").all_inner_texts()]
    assert sum(trades) == sum(isinstance(e, PlayerTrade | BankTrade) for e in log.events)
    page.get_by_role("link", name="Hands at every moment").click()
    expect(page.locator(".tk-where")).to_contain_text("Event 654 of 654")
