"""What real logs look like: windows from the middle, pictures, wordings of 2020, harmless rows, names that are words."""

import json

import pytest

from kibitz.catan import Board
from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.core.events import (
    Award,
    BankTrade,
    Build,
    Cards,
    Correction,
    Discard,
    EndTurn,
    HandCount,
    Monopoly,
    Offer,
    PlayDevCard,
    PlayerTrade,
    Roll,
    Steal,
    UnknownCards,
    Win,
)
from kibitz.catan.core.record import simulate
from kibitz.catan.logs import LogError, read
from kibitz.catan.logs.base import Doubts, Problem, distinct
from kibitz.catan.logs.colonist.window import opening
from kibitz.catan.tracking.reading import begun
from kibitz.ground.jit import COMPILED
from tests.catan.logs.colonist_writer import old_chat, page
from tests.catan.logs.writers import write

pytestmark = pytest.mark.plain

SETUP = """\
Ann placed a settlement
Ann placed a road
Bob placed a settlement
Bob placed a road
Cem placed a settlement
Cem placed a road
Cem placed a settlement
Cem placed a road
Bob placed a settlement
Bob placed a road
Ann placed a settlement
Ann placed a road
"""
ANN, BOB, CEM = range(3)
FREE = len(SETUP.splitlines())


def after_setup(text: str, me: str | None = None) -> list:
    """The events after the set-up, without any problem."""
    imported = read(SETUP + text, me=me)
    assert (imported.problems, imported.missing) == ((), "")
    return list(imported.log.events[FREE:])


def named(text: str) -> str:
    """A row with the names of players marked as a page marks them."""
    for name in ("Ann", "Bob", "Cem"):
        text = text.replace(f"*{name}*", f'<span class="semibold" style="font-weight: 600">{name}</span>')
    return text


def rows(*texts: str, start: int = 0) -> str:
    return "".join(f'<div data-index="{start + n}"><span>{named(text)}</span></div>\n' for n, text in enumerate(texts))


# --- windows from the middle ----------------------------------------------------------------------------------

WINDOW = """\
Ann rolled 5 1
Bob got wool
Ann built a road
<hr>
Bob rolled 2 2
Cem got ore
Bob gave bank ore ore ore ore and took grain
<hr>
Cem rolled 1 1
Cem wants to give grain for brick
<hr>
"""


def test_a_window_says_so_and_begins_with_unknown_hands():
    imported = read(WINDOW)
    assert imported.incomplete
    assert "begins in the middle" in imported.missing
    assert imported.log.events[:6] == (
        Correction(ANN, Cards(wood=1, brick=1)),  # what she pays for the road later
        UnknownCards(ANN, 0, 5),
        Correction(BOB, Cards(ore=4)),
        UnknownCards(BOB, 0, 3),
        Correction(CEM, Cards(wheat=1)),
        UnknownCards(CEM, 0, 6),
    )


@pytest.mark.skipif(
    not COMPILED, reason="twenty thousand worlds: a sample of them is dealt in tests/catan/belief/test_hands.py"
)
def test_nothing_of_a_window_is_certain_but_what_it_shows():
    tracker = HandTracker.of(read(WINDOW).log)
    assert tracker.repairs == ()
    for seat in (ANN, BOB, CEM):
        assert tracker.hand(seat) is None
        assert tracker.confidence(seat) < 0.5
        assert tracker.total(seat).min < tracker.total(seat).max
    assert tracker.marginal(CEM, "ore").min == 1
    assert tracker.approximate
    assert Doubts(missing=read(WINDOW).missing).added_to({"approximate": False})["incomplete"]


def test_a_whole_log_begins_with_nothing():
    assert after_setup("Ann rolled 5 1\nBob got wool\n") == [Roll(ANN, 6, {BOB: Cards(sheep=1)})]


def test_a_page_shows_how_many_cards_there_were():
    panels = "".join(
        f'<div data-player-information-container><b>{name}</b><i data-resource-card="{n}"></i></div>'
        for name, n in (("Ann", 3), ("Bob", 1))
    )
    few = rows("*Ann* rolled 2 2", "*Bob* got [ore]", "<hr>", "*Bob* rolled 1 1", "*Bob* built a road", start=40)
    events = read(few + panels).log.events
    assert events[:4] == (
        UnknownCards(ANN, 3),
        Correction(BOB, Cards(wood=1, brick=1)),
        Roll(ANN, 4, {BOB: Cards(ore=1)}),
        EndTurn(ANN),
    )
    tracker = HandTracker.of(read(few + panels).log, on_contradiction="repair")
    assert (tracker.repairs, tracker.hand(BOB), tracker.total(ANN).distribution) == ((), Cards(ore=1), {3: pytest.approx(1)})


def test_after_a_large_hole_nobody_knows_the_hands():
    whole = rows(*(named(line.replace("Ann", "*Ann*")) for line in SETUP.splitlines()))
    before = rows("*Ann* rolled 2 2", "*Bob* got [ore]", "*Ann* built a road", start=FREE)
    later = rows("*Bob* rolled 1 1", "*Bob* got [wool]", start=FREE + 30)
    imported = read(whole + before + later)
    assert "a part of the log is missing" in imported.missing
    hidden = [event for event in imported.log.events if isinstance(event, UnknownCards)]
    assert hidden == [UnknownCards(seat, 0, 7) for seat in (ANN, BOB, CEM)]
    assert Roll(ANN, 4) in imported.log.events  # the dice were seen, the hands are forgotten
    assert Build(ANN, "road", free=True) in imported.log.events


def test_a_small_hole_changes_little():
    whole = rows(*(named(line.replace("Ann", "*Ann*")) for line in SETUP.splitlines()))
    later = rows("*Bob* rolled 1 1", "*Bob* got [wool]", start=FREE + 1)
    imported = read(whole + later)
    assert imported.missing == "rows of the log are missing"
    assert not any(isinstance(event, UnknownCards) for event in imported.log.events)


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        ([HandCount(0, 4)], [UnknownCards(0, 4), UnknownCards(1, 0, 7)]),
        ([Discard(0, Cards(ore=4))], [Correction(0, Cards(ore=4)), UnknownCards(0, 4, 5), UnknownCards(1, 0, 7)]),
        ([Steal(0, 1)], [UnknownCards(0, 0, 7), UnknownCards(1, 1, 7)]),
        ([Steal(0, 1), Build(0, "road")], [Correction(0, Cards(brick=1)), UnknownCards(0, 0, 6), UnknownCards(1, 1, 7)]),
        ([Monopoly(0, "ore", 2), HandCount(1, 3)], [UnknownCards(0, 0, 7), UnknownCards(1, 0, 7)]),
        (
            [PlayerTrade(0, 1, Cards(wood=1), Cards(ore=2)), BankTrade(1, Cards(wood=4), Cards(ore=1))],
            [Correction(0, Cards(wood=1)), UnknownCards(0, 0, 6), Correction(1, Cards(wood=3, ore=2)), UnknownCards(1, 0, 2)],
        ),
    ],
)
def test_what_was_held_at_the_beginning(log, expected):
    assert opening(log, players=2) == expected


# --- pictures, rules, old classes -----------------------------------------------------------------------------


def picture(name: str) -> str:
    return f'<img src="https://example.invalid/assets/{name}.77ab.svg" alt="{name.removeprefix("icon_").replace("_", " ")}">'


def test_awards_are_pictures():
    page_of_today = rows(
        *(named(line.replace("Ann", "*Ann*")) for line in SETUP.splitlines()),
        f'*Ann* received {picture("icon_longest_road")} (<span class="vp-text">+2 VPs</span>)',
        f'{picture("icon_longest_road")} passed from *Ann* to *Bob* (<span class="vp-text">+2 VPs</span>)',
        f'*Cem* received {picture("icon_largest_army")} (<span class="vp-text">+2 VPs</span>)',
    )
    imported = read(page_of_today)
    assert imported.problems == ()
    awards = [Award(ANN, "longest_road"), Award(BOB, "longest_road"), Award(CEM, "largest_army")]
    assert imported.log.events[FREE:] == tuple(awards)
    tracker = HandTracker.of(imported.log)
    assert [tracker.visible_points(seat) for seat in range(3)] == [2, 4, 4]


def test_the_faces_of_players_are_no_words():
    row = f'{picture("icon_bot")}*Ann* rolled <img alt="dice_1"><img alt="dice_1">'
    assert read(rows(row, "*Bob* rolled 1 1")).log.players == ("Ann", "Bob")


GAME = simulate(Board.beginner(), ["builder"] * 3, seed=4)
RULED = {
    "text": lambda: _rule_before_the_win(write(GAME, "colonist-text", 0), "<hr>\n"),
    "old text": lambda: _rule_before_the_win(old_chat(GAME, 0), " <hr>\n"),
    "page": lambda: page(GAME, 0).replace("</body>", ""),
    "messages": lambda: _separator_before_the_win(write(GAME, "colonist-frames", 0)),
}


def _rule_before_the_win(text: str, rule: str) -> str:
    lines = text.splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if "won the game" in line)
    return "".join([*lines[:at], rule, *lines[at:]])


def _separator_before_the_win(text: str) -> str:
    messages = json.loads(text)
    for message in messages:
        log = message.get("data", {}).get("payload", {}).get("diff", {}).get("gameLogState", {}) if "data" in message else {}
        for index in [index for index, entry in log.items() if entry["text"]["type"] == 45]:
            log[str(int(index) + 500)] = log.pop(index)
            log[str(int(index) + 499)] = {"text": {"type": 44}}
    return json.dumps(messages)


@pytest.mark.parametrize("wording", RULED)
def test_a_rule_before_the_win_ends_no_turn(wording):
    log = read(RULED[wording]()).log
    assert isinstance(log.events[-1], Win) or any(isinstance(event, Win) for event in log.events[-6:])
    win = next(n for n, event in enumerate(log.events) if isinstance(event, Win))
    assert log.events[win - 1] != EndTurn(log.events[win].player)
    HandTracker.of(log)  # nothing contradicts itself


def test_a_page_of_2022():
    posts = "".join(f'<div class="message-post"><span>{named(text)}</span></div>' for text in (
        "*Ann* has reconnected",
        "*Bob* wants to give <img alt='grain' src='/dist/images/card_grain.svg?rev=1'> for <img alt='ore'>",
        "<hr>",
        "*Cem* rolled <img alt='dice_2'> <img alt='dice_5'>",
        "*Ann* got <img src='/dist/images/card_lumber.svg?rev=77/a' alt='lumber'>",
    ))  # fmt: skip
    imported = read(f'<div class="game_chat_text_div">{posts}</div>')
    assert (imported.format, imported.problems) == ("colonist-html", ())
    assert imported.log.players == ("Cem", "Bob", "Ann")
    assert Roll(0, 7, {2: Cards(wood=1)}) in imported.log.events


# --- messages -------------------------------------------------------------------------------------------------


def numbered() -> list:
    """The messages of a game, as the site counts them, with one that means nothing here."""
    found = json.loads(write(GAME, "colonist-frames", 0))
    found.insert(1, {"id": "130", "data": {"type": 80, "payload": None}})
    for number, message in enumerate(found, start=5):
        message["data"]["sequence"] = number
    return found


def test_messages_that_are_missing_are_named():
    whole = numbered()
    assert not read(json.dumps(whole)).doubts
    imported = read(json.dumps([*whole[:20], *whole[23:]]))
    assert "message" in imported.missing
    assert "messages 25 to 27 are missing" in [problem.reason for problem in imported.problems]


def test_numbers_mean_nothing_where_messages_were_sifted():
    whole = numbered()
    sifted = [message for message in whole if message["data"]["type"] in (4, 91)]
    assert not read(json.dumps([message for message in sifted if message is not whole[1]])).doubts


def test_a_session_tells_its_doubts():
    whole = numbered()
    session = begun({"frames": whole[:20], "me": None})
    assert session.summary()["problems"] == []
    assert (session.summary()["approximate"], session.summary()["incomplete"]) == (False, False)
    odd = {
        "id": "130",
        "data": {"type": 91, "sequence": 25, "payload": {"diff": {"gameLogState": {"900": {"text": {"type": 999}}}}}},
    }
    session.take({"frames": [odd, odd]})
    told = session.summary()
    assert told["approximate"]
    assert [(problem["line"], problem["count"]) for problem in told["problems"]] == [(900, 1)]
    assert "unknown type 999" in told["problems"][0]["reason"]
    session.take({"frames": whole[25:40]})
    told = session.summary()
    assert told["incomplete"]
    assert told["missing"] == "some of the game's messages are missing"
    assert session.moment(3).told["incomplete"]


# --- the wording of 2020 --------------------------------------------------------------------------------------


def test_a_steal_that_is_told_to_all_and_to_the_thief_is_one():
    text = "Bob rolled: 3 4\nBob moved robberto tile: 8\nBob stole card from: Ann\nYou stole: wool from: Ann\n"
    imported = read(SETUP + text)
    assert imported.log.observer == BOB
    assert [event for event in imported.log.events if isinstance(event, Steal)] == [Steal(BOB, ANN, "sheep")]
    assert imported.problems == ()


def test_a_steal_that_is_told_to_all_and_to_the_victim_is_one():
    text = "Bob rolled: 3 4\nBob moved robberto tile: 8\nBob stole card from: Ann\nBob stole:wool\n"
    imported = read(SETUP + text)
    assert imported.log.observer == ANN
    assert [event for event in imported.log.events if isinstance(event, Steal)] == [Steal(BOB, ANN, "sheep")]


def test_other_steals_in_a_row_are_several():
    text = "Bob rolled: 3 4\nBob stole card from: Ann\nBob used knight\nBob stole card from: Cem\n"
    assert [event for event in after_setup(text) if isinstance(event, Steal)] == [Steal(BOB, ANN), Steal(BOB, CEM)]


def test_a_stolen_card_of_nobody_is_a_problem():
    (problem,) = read(SETUP + "Bob rolled: 3 4\nBob stole: wool\n").problems
    assert "whose card" in problem.reason


def test_a_trade_has_the_terms_of_the_last_offer():
    text = "Ann rolled: 1 1\nAnn wants to give: ore for: wool\nAnn wants to give: ore ore for: wool\nAnn traded with: Bob\n"
    assert after_setup(text)[-1] == PlayerTrade(ANN, BOB, Cards(ore=2), Cards(sheep=1))


def test_a_counter_offer_on_the_same_terms_leaves_no_doubt():
    text = "Ann rolled: 1 1\nAnn wants to give: ore for: wool\nBob wants to give Ann : wool for: ore\nAnn traded with: Bob\n"
    assert after_setup(text)[-1] == PlayerTrade(ANN, BOB, Cards(ore=1), Cards(sheep=1))


def test_a_counter_offer_on_other_terms_leaves_a_doubt():
    text = "Ann rolled: 1 1\nAnn wants to give: ore for: wool\nBob wants to give Ann : wool for: brick\nAnn traded with: Bob\n"
    imported = read(SETUP + text)
    assert imported.log.events[-1] == PlayerTrade(ANN, BOB, Cards(ore=1), Cards(sheep=1))
    assert ["which of two offers" in problem.reason for problem in imported.problems] == [True]
    assert imported.doubts


def test_a_trade_without_an_offer_is_a_problem():
    (problem,) = read(SETUP + "Ann rolled: 1 1\nAnn traded with: Bob\n").problems
    assert "the offer is missing" in problem.reason


def test_a_monopoly_of_which_the_number_is_not_told():
    text = "Ann rolled: 1 1\nAnn used monopoly & stole all of:ore\n"
    assert after_setup(text)[-2:] == [PlayDevCard(ANN, "monopoly"), Monopoly(ANN, "ore")]


def test_who_must_discard_has_so_many_cards():
    assert after_setup("Ann rolled: 3 4\nBob has: 9 card. Needs to discard: 4 card\n")[-1] == HandCount(BOB, 9)


# --- harmless rows, repeated problems -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "row",
    [
        "\u200b",
        "\u200b \u2060",
        "Bob discarding resource cards",
        "Info & Help at our wiki",
        "Help at our forum",
        'Disable chat with "/off"',
        'Type "/help" for more commands',
        "Karma System: Active",
    ],
)
def test_harmless_rows_are_no_gaps(row):
    assert after_setup(f"Ann rolled 1 1\n{row}\nBob got ore\n") == [Roll(ANN, 2, {BOB: Cards(ore=1)})]


def test_a_rule_with_invisible_letters_is_a_rule():
    assert after_setup("Ann rolled 1 1\n\u200b<hr>\u200b\n")[-1] == EndTurn(ANN)


def test_repeated_problems_are_counted():
    text = "".join(f"{name} juggled {n} balls\n" for n in range(1000) for name in ("Ann", "Bob", "Cem"))
    (problem,) = read(SETUP + "Ann rolled 1 1\n" + text).problems
    assert (problem.line, problem.count) == (FREE + 2, 3000)
    assert str(problem) == f"line {FREE + 2}: not a sentence of the game log: Ann juggled 0 balls (3,000 times)"


def test_different_problems_stay_apart():
    problems = [Problem(5, "gap", ""), Problem(3, "gap", ""), Problem(4, "other", "Ann waves"), Problem(9, "other", "Ann nods")]
    assert [(found.line, found.count) for found in distinct(problems, ["Ann"])] == [(3, 2), (4, 1), (9, 1)]


# --- names ----------------------------------------------------------------------------------------------------


def called_you(text: str) -> str:
    return (SETUP + text).replace("Ann", "You")


def test_a_player_called_you():
    imported = read(called_you("Ann rolled 1 1\nBob got ore\nAnn got wool\n"))
    assert imported.log.players == ("You", "Bob", "Cem")
    assert imported.problems == ()
    assert imported.log.events[-1] == Roll(0, 2, {0: Cards(sheep=1), 1: Cards(ore=1)})


def test_you_who_steal_in_your_turn_are_the_player():
    imported = read(called_you("Ann rolled 3 4\nAnn moved Robber to prob_5\nYou stole Ore from Bob\n"))
    assert imported.log.events[-1] == Steal(0, 1, "ore")


def test_you_who_steal_in_the_turn_of_another_read_the_log():
    imported = read(called_you("Bob rolled 3 4\nBob moved Robber to prob_5\nYou stole Ore from Cem\n"))
    assert (imported.log.observer, imported.log.events[-1]) == (1, Steal(1, 2, "ore"))


def test_a_card_that_you_steal_unseen_was_stolen_by_who_is_called_so():
    imported = read(called_you("Ann rolled 3 4\nYou stole Resource Card from Bob\n"))
    assert (imported.log.observer, imported.log.events[-1]) == (None, Steal(0, 1))


def test_the_wrong_eyes_are_refused():
    text = SETUP + "Bob rolled 3 4\nBob moved Robber to prob_5\nYou stole Ore from Ann\n"
    assert read(text, me="bob").log.observer == BOB
    with pytest.raises(LogError, match="this is what Bob saw, not Cem"):
        read(text, me="Cem")
    with pytest.raises(LogError, match="no player 'Dan'; the players are Ann, Bob, Cem"):
        read(text, me="Dan")


ROBBED = "Ann rolled 1 1\nBob got brick\nCem got wool\n<hr>\nBob rolled 3 4\nAnn stole Brick from you\n"


def test_you_are_who_alone_can_have_held_the_card():
    imported = read(SETUP + ROBBED)
    assert (imported.log.observer, imported.problems) == (BOB, ())
    assert imported.log.events[-1] == Steal(ANN, BOB, "brick")


def test_you_are_nobody_where_several_can_have_held_it():
    imported = read(SETUP + ROBBED.replace("Cem got wool", "Cem got brick"))
    assert imported.log.observer is None
    assert "name the observer" in imported.problems[0].reason


@pytest.mark.parametrize(
    ("cards", "held"),
    [
        ("wool & ore", Cards(sheep=1, ore=1)),
        ("wool, ore", Cards(sheep=1, ore=1)),
        ("2 wool & 1 ore", Cards(sheep=2, ore=1)),
        ("wool x2 ore", Cards(sheep=2, ore=1)),
        ("wool and ore", Cards(sheep=1, ore=1)),
        ("[wool] [ore]", Cards(sheep=1, ore=1)),
    ],
)
def test_cards_may_be_joined_and_counted(cards, held):
    assert after_setup(f"Ann rolled 1 1\nAnn wants to give {cards} for brick\n")[-1] == Offer(ANN, held, Cards(brick=1))


@pytest.mark.parametrize("joined", ["Bob & Cem", "Bob &amp; Cem"])
def test_an_offer_to_several_players_is_an_offer(joined):
    text = f"Ann rolled: 1 1\nAnn wants to give {joined} :  wool  for:  ore \nAnn traded with: Cem\n"
    terms = Cards(sheep=1), Cards(ore=1)
    assert after_setup(text)[-2:] == [Offer(ANN, *terms), PlayerTrade(ANN, CEM, *terms)]


# --- what a console printed -----------------------------------------------------------------------------------


@pytest.mark.parametrize("prefix", ["watch.js:71 ", "12:01:07.123 watch.js:71:5 ", "VM123:4 ", "[12:01:07] content.js:9 "])
def test_rows_that_a_console_printed(prefix):
    game = SETUP + "Ann rolled: 1 1\nBob got: ore\n<hr>\nBob rolled: 2 2\n"
    noise = ["watching", '{"name":"Ann","ore":0}', "request = [object Object]"]
    text = "".join(f"{prefix}{line}\n{prefix}{noise[n % 3]}\n" for n, line in enumerate(game.splitlines()))
    imported = read(text)
    assert (imported.format, imported.problems, imported.missing) == ("colonist-text", (), "")
    assert imported.log.events[FREE:] == (Roll(ANN, 2, {BOB: Cards(ore=1)}), EndTurn(ANN), Roll(BOB, 4))


def test_what_names_a_player_and_cannot_be_read_is_a_problem_there_too():
    text = "".join(f"watch.js:7 {line}\n" for line in [*SETUP.splitlines(), "Ann rolled 1 1", "Bob juggled", "ready"])
    assert [problem.text for problem in read(text).problems] == ["Bob juggled"]


def test_tags_in_a_text_are_read_as_on_a_page():
    award = '<img src="../dist/images/icon_longest_road.svg?v1" alt="longest road" height="20">'
    text = f"Ann rolled: 1 1\nAnn received {award}: +2 VPs\nInfo/Help at our <a href='#'>place</a>\n"
    text += "Bob got <img src='x/card_ore.1.svg'> <img alt='wool'>\n"
    assert after_setup(text)[1:] == [Award(ANN, "longest_road"), *after_setup("Bob got ore wool\n")]
