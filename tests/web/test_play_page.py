"""The Play page in a real browser: a game against bots through all that a person does in one."""

import re

from playwright.sync_api import expect

from kibitz.catan.core.board import RESOURCES
from kibitz.catan.core.codes import BUILD_CITY, BUILD_ROAD, BUILD_SETTLEMENT
from kibitz.catan.core.state import FREE_ROADS, MAIN, MONOPOLY, ROBBER_DISCARD, ROBBER_MOVE, TRADE_ANSWER, TURN_START
from kibitz.catan.pages.play.game import GOOD, YOU, CatanKind, CatanSetup
from kibitz.game import actor_at, legal_actions
from tests.web.driver import PHONE, fits_everywhere
from tests.web.tables import keep, moment, played, state_at

#: A small laptop, and a phone whose browser takes part of the screen.
LAPTOP, SHORT = (1366, 768), (390, 664)


def status(page):
    return page.locator(".ct-status [role=status]")


def log(page):
    return page.locator(".k-log")


def place(page, kind):
    """Click the first place of a kind that is lit."""
    board = page.locator(".board")
    expect(board).to_have_attribute("data-legal", re.compile(f"{kind}-"))
    first = board.get_attribute("data-legal").split()[0]
    page.locator(f".board [id='{first}']").click(force=True)
    return first


def sit_down(visitor, server, wanted, **options):
    record, step = moment(wanted)
    return visitor(f"/play?game={keep(server.data, record, step)}", **options), record, step


def test_a_game_is_begun(visitor):
    page = visitor("/play", PHONE, dark=True)
    page.get_by_role("group", name="Players").get_by_role("button", name="2").click()
    page.get_by_role("button", name="Beginner").click()
    page.get_by_role("button", name="Start the game").click()
    for _ in range(2):
        expect(status(page)).to_contain_text("Place a settlement")
        place(page, "corner")
        expect(status(page)).to_contain_text("Place a road")
        place(page, "edge")
    expect(status(page)).to_contain_text("roll the dice")
    page.get_by_role("button", name="Roll").click()
    expect(page.locator(".ct-dice")).to_have_text(re.compile(r"\d+"))
    expect(log(page)).to_contain_text(re.compile(r"You rolled \d+"))
    expect(page).to_have_url(re.compile(r"/play\?game="))
    fits_everywhere(page)


def test_a_level_is_chosen_for_all_or_for_one(visitor):
    page = visitor("/play")
    levels = page.get_by_role("group", name="Level").get_by_role("button")
    expect(levels).to_have_count(4)
    expect(levels.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(levels.first).to_contain_text("for your first games")
    expect(levels.first).to_contain_text(re.compile(r"rating \d+ ± \d+"))
    levels.first.click()
    expect(levels.first).to_have_attribute("aria-pressed", "true")
    expect(levels.nth(1)).to_have_attribute("aria-pressed", "false")
    page.get_by_text("More: choose each opponent").click()
    expect(page.locator(".k-bot")).to_have_count(3)
    page.locator(".k-bot").nth(1).click()
    page.get_by_role("option", name="Seed").click()
    expect(levels.first).to_have_attribute("aria-pressed", "false")
    page.get_by_role("button", name="Start the game").click()
    expect(status(page)).to_contain_text("Place a settlement")
    expect(page.locator(".ct-seats")).to_contain_text("Easy")
    expect(page.locator(".ct-seats")).to_contain_text("seed")


def test_clicks_in_the_same_moment_all_count(visitor):
    """The form is not built anew between them."""
    page = visitor("/play")
    levels = page.get_by_role("group", name="Level").get_by_role("button")
    expect(levels).to_have_count(4)
    page.evaluate("""() => ['[aria-label="3 players"]', '[aria-label="Seat 3"]', '.k-level']
      .forEach((found) => document.querySelector(found).click())""")
    expect(levels.first).to_have_attribute("aria-pressed", "true")
    for name in ("3 players", "Seat 3"):
        expect(page.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("group", name="Your seat").get_by_role("button")).to_have_count(3)


def test_rules_are_chosen_by_name(visitor):
    page = visitor("/play")
    page.get_by_text("Rules", exact=True).click()
    page.locator(".rules-by-name").click()
    page.get_by_role("option", name="colonist-1v1").click()
    for option, value in (("victory_points", "15"), ("discard_limit", "8")):
        expect(page.locator(f".rule-{option} input")).to_have_value(value)
    expect(page.locator(".rule-friendly_robber")).to_have_attribute("aria-checked", "true")


def test_a_refresh_and_another_tab_go_on_with_the_same_game_and_others_have_their_own(visitor, server):
    page, _, _ = sit_down(visitor, server, lambda s: s["phase"][0] == MAIN and s["turn"][0] > 3)
    expect(log(page)).to_contain_text("You rolled")
    before = log(page).inner_text()
    other = visitor(page.url.replace(server.url, ""))
    expect(status(other)).to_contain_text("Your turn")
    stranger = visitor("/play")
    expect(stranger.get_by_role("button", name="Start the game")).to_be_visible()
    page.reload()
    expect(status(page)).to_contain_text("Your turn")
    expect(log(page)).to_contain_text("You rolled")
    assert log(page).inner_text() == before
    page.get_by_role("button", name="End turn").click()
    expect(log(other)).to_contain_text("You ended the turn")
    expect(status(other)).not_to_contain_text("Your turn: build")


def hand_is_in_view(page, size):
    """Wait until the whole hand can be seen without scrolling."""
    page.wait_for_function(
        """([width, height]) => innerWidth === width && innerHeight === height && (() => {
          const box = document.querySelector(".ct-hand").getBoundingClientRect();
          return box.height > 20 && box.top >= 0 && box.bottom <= innerHeight;
        })()""",
        arg=size,
    )


def seen_everywhere(page):
    """The hand is in view on a laptop, on a phone, and on a phone whose browser takes part of the screen."""
    for width, height in (LAPTOP, PHONE, SHORT):
        page.set_viewport_size({"width": width, "height": height})
        hand_is_in_view(page, [width, height])


def test_the_right_number_of_cards_is_discarded_by_clicking_them(visitor, server):
    page, record, step = sit_down(visitor, server, lambda s: s["phase"][0] == ROBBER_DISCARD and s["discards"][0, 0] >= 4)
    states = state_at(record, step)
    need, hand = int(states["discards"][0, 0]), states["hand"][0, 0].tolist()
    go = page.locator(".ct-prompt").get_by_role("button", name="Discard", exact=True)
    expect(page.locator(".discard-count")).to_have_text(f"0 of {need}")
    seen_everywhere(page)
    chosen = [str(name) for name, n in zip(RESOURCES, hand, strict=True) for _ in range(n)][:need]
    for number, name in enumerate(chosen, start=1):
        expect(go).to_be_disabled()
        page.locator(f".ct-res-card.terrain-{name}").click()
        expect(page.locator(".discard-count")).to_have_text(f"{number} of {need}")
    page.get_by_role("group", name="You give").get_by_role("button", name=f"{chosen[-1]}: take one back").click()
    expect(go).to_be_disabled()
    page.locator(f".ct-res-card.terrain-{chosen[-1]}").click()
    go.click()
    expect(log(page)).to_contain_text("You discarded")


def test_the_robber_goes_where_it_is_sent_by_keyboard(visitor, server):
    page, _, _ = sit_down(visitor, server, lambda s: s["phase"][0] == ROBBER_MOVE)
    expect(status(page)).to_contain_text("Move the robber")
    expect(page.locator(".board")).to_have_attribute("data-legal", re.compile("hex"))
    page.locator(".board").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(log(page)).to_contain_text("You moved the robber to")


def test_trades_with_the_bank_and_with_players(visitor, server):
    def rich(s):
        return s["phase"][0] == MAIN and s["hand"][0, 0].max() >= 4 and s["offers"][0] == 0 and s["bank"][0].min() > 0

    page, record, step = sit_down(visitor, server, rich)
    hand = dict(zip(RESOURCES, state_at(record, step)["hand"][0, 0].tolist(), strict=True))
    much = max(hand, key=hand.get)
    other = next(name for name in hand if name != much)
    expect(status(page)).to_contain_text("Your turn")
    page.keyboard.press("t")
    prompt = page.locator(".ct-prompt")
    expect(prompt.get_by_role("button", name="Trade with the bank")).to_be_disabled()
    prompt.get_by_role("button", name=f"You get: one more {other}").click()
    rate = int(re.search(rf"{much} (\d):1", prompt.inner_text())[1])
    for number in range(rate):
        page.locator(f".ct-res-card.terrain-{much}").click()
        expect(page.locator(f".ct-res-card.terrain-{much} b")).to_have_text(str(hand[much] - number - 1))
    prompt.get_by_role("button", name="Trade with the bank").click()
    expect(log(page)).to_contain_text("to the bank for 1 " + other)
    page.locator(f".ct-res-card.terrain-{other}").click()
    prompt.get_by_role("button", name=f"You get: one more {much}").click()
    prompt.get_by_role("button", name="Offer to everyone").click()
    expect(log(page)).to_contain_text(f"You offered 1 {other} for 1 {much}")
    taken = page.get_by_role("button", name=re.compile("Trade with|Withdraw the offer")).first
    expect(status(page)).to_contain_text(re.compile("Your turn|trade with"))
    if taken.is_visible():
        taken.click()
        expect(status(page)).to_contain_text("Your turn")


def one_more(page, answer):
    """What the log says when the person has given this answer once more than it says now."""
    said = f"[Yy]ou (and \\w+ )?{answer}"
    return re.compile(f"({said}.*){{{len(re.findall(said, log(page).inner_text())) + 1}}}", re.DOTALL)


def offered(s):
    return s["phase"][0] == TRADE_ANSWER and len(legal_actions(s)) == 2


def test_an_offer_is_accepted_with_a_key_and_the_hand_stays_in_view(visitor, server):
    page, _, _ = sit_down(visitor, server, offered)
    expect(page.locator(".ct-prompt")).to_contain_text("offers you")
    seen_everywhere(page)
    accepted = one_more(page, "accepted")
    page.keyboard.press("y")
    expect(log(page)).to_contain_text(accepted)


def test_an_offer_is_answered_with_another_by_clicking_cards(visitor, server):
    page, _, _ = sit_down(visitor, server, offered)
    expect(page.locator(".ct-prompt")).to_contain_text("offers you")
    page.keyboard.press("c")
    prompt = page.locator(".ct-prompt")
    go = prompt.get_by_role("button", name="Offer this to")
    expect(go).to_be_enabled()  # what was offered, to begin with
    prompt.get_by_role("group", name="You get").get_by_role("button").first.click()
    expect(go).to_be_disabled()
    held = page.locator(".ct-hand").inner_text()
    prompt.get_by_role("group", name="Wanted").get_by_role("button").last.click()
    expect(go).to_be_enabled()
    assert page.locator(".ct-hand").inner_text() == held
    go.click()
    expect(log(page)).to_contain_text("instead")
    expect(log(page)).to_contain_text(re.compile("did not take up your counter-offer|gave you .* for"))


def test_who_wants_no_offers_is_not_asked(visitor, server):
    page, _, _ = sit_down(visitor, server, offered)
    expect(page.locator(".ct-prompt")).to_contain_text("offers you")
    declined = one_more(page, "declined")
    page.locator(".ct-offers").click()
    page.get_by_role("option", name="None").click()
    expect(page.locator(".ct-prompt")).not_to_contain_text("offers you")
    expect(log(page)).to_contain_text(declined)


def test_who_wants_good_offers_is_asked_about_no_other(visitor, server):
    """One offer that the kibitzer would take, and one that it would not: who wants all of them is asked about both."""
    asked = {good: next(found for found in judged_offers() if found[2] is good) for good in (True, False)}
    for good, (record, step, _) in asked.items():
        page = visitor(f"/play?game={keep(server.data, record, step)}")
        expect(page.locator(".ct-prompt")).to_contain_text("offers you")
        answered = one_more(page, "accepted" if good else "declined")
        page.goto(f"/play?game={keep(server.data, record, step, offers=GOOD)}")
        expect(page.locator(".ct-offers")).to_contain_text("Only good ones")
        if good:
            page.locator(".ct-prompt").get_by_role("button", name="Accept").click()
        expect(log(page)).to_contain_text(answered)


def judged_offers():
    """Offers to the first seat, and whether the kibitzer would accept them."""
    for seed in range(40):
        record = played(seed)
        for step, states in enumerate(record.states()):
            if actor_at(states, 0) == 0 and offered(states):
                seats = (YOU, *record.seats[1:])
                table = CatanKind().match(CatanSetup(record.board, seats, record.seed, record.rules, GOOD).to_json())
                for code in record.codes[:step]:
                    table.replay(code)
                table.judge()()
                yield record, step, table.answer is None


def test_a_throw_moves_the_dice_and_can_be_taken_back_but_falls_the_same_again(visitor, server):
    page, _, _ = sit_down(visitor, server, lambda s: s["phase"][0] == TURN_START and len(legal_actions(s)) > 1)
    expect(status(page)).to_contain_text("roll the dice")
    page.evaluate("() => { window.told = []; kibitz.motion.play = (motions) => window.told.push(...motions); }")
    page.keyboard.press("d")
    page.wait_for_function("() => window.told.some((motion) => motion.dice)")
    total = page.locator(".ct-dice").inner_text()
    dice = page.evaluate("() => window.told.find((motion) => motion.dice).dice")
    assert total == str(sum(dice))
    expect(page.locator(".ct-die circle")).to_have_count(sum(dice))
    expect(page.get_by_role("button", name="Take back")).to_be_enabled()
    page.keyboard.press("u")
    expect(status(page)).to_contain_text("roll the dice")
    page.keyboard.press("d")
    expect(log(page)).to_contain_text(f"You rolled {total}")
    expect(page.locator(".ct-dice")).to_have_text(total)


def test_cards_fly_unless_somebody_wants_rest_and_a_click_ends_it(visitor, server):
    page, _, _ = sit_down(visitor, server, lambda s: s["phase"][0] == MAIN)
    expect(page.locator(".board svg")).to_be_visible()
    motions = [{"dice": [3, 4], "hexes": ["hex-1"], "cards": [{"from": "hex-1", "to": "seat-1", "picture": "ore"}] * 3}]
    motions.append({"robber": ["hex-1", "hex-2"]})
    page.evaluate("(motions) => { kibitz.motion.play(motions); }", motions)
    page.evaluate("() => new Promise((done) => setTimeout(done, 200))")
    assert page.locator(".k-flight").count() == 0  # the visitors of tests want rest
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate("(motions) => { kibitz.motion.play(Array(40).fill(motions).flat()); }", motions)
    expect(page.locator(".k-flight").first).to_be_attached()
    page.keyboard.press("Shift")
    expect(page.locator(".k-flight")).to_have_count(0)
    expect(page.locator(".pays")).to_have_count(0)
    sound = page.get_by_role("button", name="Sound")
    expect(sound).to_have_attribute("aria-pressed", "false")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "true")
    page.emulate_media(reduced_motion="reduce")


def test_a_clock_runs_and_the_costs_and_the_pieces_are_in_view(visitor, server):
    page, _, _ = sit_down(visitor, server, lambda s: s["phase"][0] == MAIN)
    expect(page.get_by_role("table", name="Building costs").get_by_role("row")).to_have_count(4)
    expect(page.get_by_role("button", name=re.compile("^Road"))).to_contain_text(re.compile(r"\d+$"))
    expect(page.get_by_role("timer")).to_be_hidden()
    page.locator(".ct-clock-choice").click()
    page.get_by_role("option", name="3 minutes").click()
    expect(page.get_by_role("timer")).to_have_text(re.compile(r"^2:\d\d$"))
    page.reload()
    expect(page.get_by_role("timer")).to_have_text(re.compile(r"^2:\d\d$"))


def test_a_development_card_is_played(visitor, server):
    def monopolist(s):
        return s["phase"][0] == MAIN and s["dev"][0, 0, MONOPOLY] > s["new_dev"][0, MONOPOLY] and not s["dev_done"][0]

    page, _, _ = sit_down(visitor, server, monopolist)
    page.get_by_role("button", name="Play Monopoly").click()
    page.get_by_role("dialog").get_by_role("button", name="sheep").click()
    expect(log(page)).to_contain_text("You took all sheep")


def test_a_free_road_is_declined(visitor, server):
    page, _, _ = sit_down(visitor, server, lambda s: s["phase"][0] == FREE_ROADS and s["free_roads"][0] == 1)
    expect(status(page)).to_contain_text("or skip the rest")
    page.get_by_role("button", name="Skip the rest").click()
    expect(status(page)).to_contain_text("Your turn")


def test_a_road_is_taken_back(visitor, server):
    def builder(s):
        return s["phase"][0] == MAIN and any(BUILD_ROAD <= code < BUILD_SETTLEMENT for code in legal_actions(s))

    page, _, _ = sit_down(visitor, server, builder)
    back = page.get_by_role("button", name="Take back")
    expect(status(page)).to_contain_text("Your turn")
    before = page.locator(".ct-hand").inner_text()
    page.get_by_role("button", name="Road", exact=True).click()
    place(page, "edge")
    expect(log(page)).to_contain_text("You built a road")
    expect(page.locator(".ct-hand")).not_to_have_text(before)
    expect(back).to_be_enabled()
    page.keyboard.press("u")
    expect(page.locator(".ct-hand .num").first).to_be_visible()
    page.wait_for_function("was => document.querySelector('.ct-hand').innerText == was", arg=before)


def test_the_kibitzer_tells_hands_and_best_moves_on_the_board_and_stops_when_you_move(visitor, server):
    def open_choice(s):
        roads = sum(BUILD_ROAD <= code < BUILD_SETTLEMENT for code in legal_actions(s))
        return s["phase"][0] == MAIN and len(legal_actions(s)) > 8 and roads > 2

    page, _, _ = sit_down(visitor, server, open_choice, dark=True)
    expect(page.locator(".ct-holdings")).to_be_hidden()
    page.keyboard.press("k")
    expect(page.locator(".ct-holdings tbody tr")).to_have_count(2)
    expect(page.locator(".k-thought").first).to_contain_text("%", timeout=300_000)  # where the search is compiled first
    expect(page.locator(".k-kibitzer")).to_contain_text("what the evaluator says on average")
    expect(page).to_have_url(re.compile("kibitz=1"))
    rows = page.locator(".k-thought:not(.less)").all_inner_texts()  # at one moment: it goes on thinking
    chances = [int(re.search(r"(\d+) %", row)[1]) for row in rows]
    assert chances == sorted(chances, reverse=True)
    expect(page.locator(".board #legend")).to_contain_text("you win")
    spot = page.locator(".k-thought[data-spot]").first.get_attribute("data-spot")
    expect(page.locator(f".board #mark-{spot}")).to_contain_text("%")
    page.keyboard.press("e")
    expect(page.locator(".board #legend")).to_have_count(0)


def test_the_last_move_wins_and_leads_to_the_review(visitor, server):
    for seed in range(300):
        record = played(seed)
        *_, states = (s.copy() for s in record.states())
        if states["winner"][0] == 0 and BUILD_SETTLEMENT <= record.codes[-1] < BUILD_CITY + 54:
            break
    page = visitor(f"/play?game={keep(server.data, record, len(record.codes) - 1)}")
    tool, base = ("City", BUILD_CITY) if record.codes[-1] >= BUILD_CITY else ("Settlement", BUILD_SETTLEMENT)
    page.get_by_role("button", name=tool).click()
    corner = page.locator(f".board #corner-{record.codes[-1] - base}")
    expect(page.locator(".board")).to_have_attribute("data-legal", re.compile(f"corner-{record.codes[-1] - base}"))
    corner.click(force=True)
    expect(status(page)).to_contain_text(re.compile(r"You won with 1\d points"))
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download the record").click()
    assert waiting.value.path().read_text().count("\n") == len(record.codes) + 2
    page.get_by_role("link", name="Review this game").click()
    expect(page.locator(".rv-page .board svg")).to_be_visible()
    page.get_by_role("button", name="Stop").click()


def test_a_game_that_is_not_there_is_explained(visitor):
    page = visitor("/play?game=%3Cscript%3E")
    expect(page.get_by_text("no longer in the library")).to_be_visible()


def test_hidden_cards_never_reach_the_page(visitor, server):
    """What the page is sent is what the seat sees: the hands of the others are numbers of cards."""
    page, _, _ = sit_down(visitor, server, lambda s: s["phase"][0] == MAIN and s["turn"][0] > 20 and actor_at(s, 0) == 0)
    expect(page.locator(".ct-seat-row").nth(1)).to_contain_text("card")
    assert page.locator(".ct-seats .ct-bundle").count() == 0


def test_keys_work_again_after_a_choice_from_a_list_and_the_whole_board_is_in_view(visitor, server):
    page, _, _ = sit_down(visitor, server, lambda s: s["phase"][0] == TURN_START and s["turn"][0] > 3, size=LAPTOP)
    expect(status(page)).to_contain_text("roll the dice")
    expect(page.locator(".board svg")).to_be_visible()
    page.wait_for_function(
        """() => document.querySelector(".board svg").getBoundingClientRect().bottom
          <= document.querySelector(".ct-desk").getBoundingClientRect().top"""
    )
    page.locator(".ct-pace").click()
    page.get_by_role("option", name="Fast").click()
    expect(page.get_by_role("option")).to_have_count(0)
    page.keyboard.press("d")
    expect(status(page)).not_to_contain_text("roll the dice")
    expect(page.locator(".ct-pace")).to_contain_text("Fast")
