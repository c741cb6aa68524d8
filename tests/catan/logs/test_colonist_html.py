"""Saved pages of colonist.io: rows by structure, in any order and with gaps, however broken; our games there and back."""

import quopri
import random
import re

import pytest

from kibitz.catan import Board, Rules
from kibitz.catan.core.events import (
    BankCount,
    Build,
    BuyDevCard,
    Discard,
    EndTurn,
    Gain,
    HandCount,
    Offer,
    PlayDevCard,
    Roll,
    Steal,
    Win,
)
from kibitz.catan.core.record import simulate
from kibitz.catan.core.transcript import events_of
from kibitz.catan.logs import ImportedLog, LogError, recognise
from kibitz.catan.logs.colonist import html
from kibitz.catan.logs.colonist.html import recognises
from tests.catan.logs.colonist_writer import carried_by_chat, without_opening
from tests.catan.logs.colonist_writer import page as write

AVATAR = '<div class="k26Z"><img class="JNCo" src="https://example.invalid/dist/assets/icon_bot.fe8f.svg"/></div>'


def read(text: str, me: str | None = None, strict: bool = False) -> ImportedLog:
    """A page; of one that begins in the middle, what it tells itself (`test_real_shapes.py` has the rest)."""
    return without_opening(html.read(text, me=me, strict=strict))


def row(index: int, text: str, avatar: str = AVATAR) -> str:
    """A row: `*name*` is a player, `[alt]` a picture, `---` a rule."""
    text = re.sub(r"\*(.+?)\*", r'<span style="font-weight: 600; word-break: break-all; color: #e27174">\1</span>', text)
    text = re.sub(r"\[(.+?)\]", r'<img src="assets/picture.77.svg" alt="\1" class="lobby-chat-text-icon"/>', text)
    text = text.replace("---", "<hr/>")
    style = f"transform: translateY({index * 27}px)"
    return (
        f'<div data-index="{index}" class="WXX2" style="{style}"><div class="O8TL">{avatar}\n  <span>{text}</span></div></div>'
    )


def page(*texts: str, start: int = 0) -> str:
    return "\n".join(["<div>", *(row(index, text) for index, text in enumerate(texts, start)), "</div>"])


def events(text: str) -> list:
    imported = read(text)
    assert imported.problems == ()
    return list(imported.log.events)


GAME = (
    "Happy settling! Learn how to play in the <a href='#'>rulebook</a>",
    "*Red Seat* placed a [settlement]",
    "*Blue #3* placed a [settlement]",
    "*Red Seat* rolled [dice_5] [dice_1]",
    "*Blue #3* got [Ore][Ore]",
    "[prob_5] [wool tile] is blocked by the Robber. No resources produced",
    "*Red Seat* wants to give [Wool] for [Any Resource] ",
    "*Red Seat* built a [city] <span class='vp-text'>(+1 VP)</span>",
    "*Red Seat* bought [Development Card]",
    "---",
    "*Blue #3* used Knight [Knight]",
    "*Blue #3* stole [Resource Card] from *Red Seat*",
    "*Blue #3* rolled [dice_4] [dice_3]",
    "Bot is selecting cards to discard for *Red Seat*",
    "*Red Seat* discarded [wool][ore]",
    "---",
    "*Red Seat* won the game!",
)
GAME_EVENTS = [
    Build(0, "settlement", free=True),
    Build(1, "settlement", free=True),
    Roll(0, 6, {1: {"ore": 2}}),
    Offer(0, {"sheep": 1}, {}),
    Build(0, "city"),
    BuyDevCard(0),
    EndTurn(0),
    PlayDevCard(1, "knight"),
    Steal(1, 0),
    Roll(1, 7),
    Discard(0, {"sheep": 1, "ore": 1}),
    EndTurn(1),
    Win(0),
]


def test_a_page():
    imported = read(page(*GAME))
    assert imported.format == "colonist-html"
    assert imported.problems == ()
    assert imported.log.players == ("Red Seat", "Blue #3")
    assert imported.log.observer is None
    assert list(imported.log.events) == GAME_EVENTS
    assert imported.lines == (1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16)


def test_the_shape_of_the_page_does_not_matter():
    text = page(*GAME)
    for change in (
        lambda text: re.sub(r' class="[^"]*"', "", text),
        lambda text: text.replace("font-weight: 600;", "font-weight:600;").replace("data-index=", "DATA-INDEX = "),
        lambda text: text.replace("<span>", "<p><b>").replace("</span></div></div>", "</b></div>"),
        lambda text: text.replace("</div>", "").replace("/>", ">"),
        lambda text: text.replace(" rolled", "<!-- a > b --> rolled<!---->").replace(" got", " <i>got</i>\n\t"),
        lambda text: text.replace('"', "'"),
        lambda text: f"<html><script>'<div data-index=\"3\">'</script><style>a > b {{}}</style>{text}<p>Blue #3 got Ore",
        lambda text: text.replace(AVATAR, '<div><img src="a.png" alt="User"></div>'),
        lambda text: text.replace("/>", ' alt="Ore"/>').replace('alt="Ore"/></div>', "/></div>"),
        lambda text: text.replace("Red Seat", "R&#101;d&nbsp; Seat"),
    ):
        assert events(change(text)) == GAME_EVENTS


def test_pictures_without_words_are_known_by_their_files():
    text = page("*A* rolled [dice_1][dice_2]", "*B* got X", "*A* stole Y from *B*", "*B* bought Z")
    for mark, file in {"X": "card_ore", "Y": "card_rescardback", "Z": "card_devcardback"}.items():
        text = text.replace(f" {mark}", f' <img src="./page_files/{file}.1a.svg?rev=2">')
    assert events(text) == [Roll(0, 3, {1: {"ore": 1}}), Steal(0, 1), BuyDevCard(1)]


def test_words_in_names_do_not_matter_because_names_are_marked():
    names = ("X got Ore from", "stole 3 Ore", "X")
    told = events(
        page(
            *(f"*{name}* placed a [settlement]" for name in names),
            "*X got Ore from* stole [Ore] from *X*",
            "*X* rolled [dice_1] [dice_1]",
            "*stole 3 Ore* got [Ore]",
            "*X got Ore from* got [Wool]",
        )
    )
    assert told[3:] == [Steal(0, 2, "ore"), Roll(2, 2, {0: {"sheep": 1}, 1: {"ore": 1}})]


def test_chat_and_unknown_notes_are_no_news():
    chat = (
        "*A*: I rolled 5 1",
        "*B*: *A* got [Ore]",
        "Welcome to a brand new note!",
        "*A* has disconnected. A bot will take over",
    )
    assert events(page("*A* rolled 1 1", *chat, "*B* got [Ore]", *chat)) == [Roll(0, 2, {1: {"ore": 1}})]


def test_a_short_bank():
    text = page("*A* rolled 4 4", "*B* got [Ore]", "Not enough [Ore] for all players. 1 are left, and 2 were needed.")
    assert events(text) == [Roll(0, 8, {1: {"ore": 1}}), BankCount({"ore": 0})]


def test_who_watches_does_not_play():
    text = page("*A* rolled [dice_1][dice_1]", "---", "*B* rolled [dice_1][dice_1]", "---", "*Watcher* got [Ore]")
    imported = read(text)
    assert imported.log.players == ("A", "B")
    assert [str(problem) for problem in imported.problems] == ["line 4: one of the players is unknown: Watcher got Ore"]


def test_who_gets_cards_from_a_roll_plays():
    text = page("*A* rolled [dice_1][dice_1]", "*me2* got [Ore]", "---", "*B* rolled [dice_1][dice_1]")
    assert read(text).log.players == ("A", "B", "me2")


def test_no_page_tells_how_many_points_win():
    assert read(page(*GAME)).log.victory_points is None


# --- rows: missing, twice, in any order -----------------------------------------------------------------------


def test_rows_are_sorted_and_taken_once():
    rows = page(*GAME).splitlines()[1:-1]
    rows = re.findall(r"<div data-index=.*?</span></div></div>", "".join(rows))
    assert len(rows) == len(GAME)
    random.Random(1).shuffle(rows)
    assert events("".join([*rows, *rows[:5]])) == GAME_EVENTS


def test_of_two_rows_with_the_same_index_the_readable_one_counts():
    chat = page("hello", "*Zed* is here", "*Zed* says *gg*")
    assert events(chat + page(*GAME)) == GAME_EVENTS


def test_gaps_are_reported_but_not_fatal():
    text = page("*A* rolled 1 1", "*B* got [Ore]", start=31) + row(40, "*B* got [Wool]") + row(42, "---")
    for strict in (False, True):
        imported = read(text, strict=strict)
        assert [str(problem) for problem in imported.problems] == [
            "line 0: rows 0 to 30 are missing",
            "line 33: rows 33 to 39 are missing",
            "line 41: row 41 is missing",
        ]
        assert [event.kind for event in imported.log.events] == ["roll", "end_turn", "gain"]
        assert imported.incomplete


WHOLE = (
    *("*A* placed a [settlement]", "*B* placed a [settlement]", "*B* placed a [settlement]", "*A* placed a [settlement]"),
    *("*A* rolled [dice_1][dice_2]", "*B* got [Ore]", "---", "*B* rolled [dice_1][dice_2]", "---"),
)


def test_a_page_with_gaps_is_incomplete():
    assert not read(page(*WHOLE)).incomplete
    assert not read(page(*WHOLE, start=1)).incomplete
    assert read(page(*WHOLE, start=2)).incomplete
    rows = [row(index, text) for index, text in enumerate(WHOLE)]
    for at in range(1, len(rows) - 1):
        assert read("".join(rows[:at] + rows[at + 1 :])).incomplete
    few = row(70, "*A* rolled [dice_1][dice_2]") + row(71, "*B* got [Ore]") + row(80, "*B* rolled [dice_1][dice_1]")
    imported = read(few)
    assert imported.incomplete
    assert [problem.line for problem in imported.problems] == [0, 72]


def test_a_page_from_the_first_row_without_the_set_up_is_incomplete():
    assert read(page(*WHOLE[1:])).incomplete


def test_a_turn_ends_with_a_gap():
    start = page("*B* rolled [dice_1][dice_1]", "---", "*A* bought [Development Card]")
    assert after_gap(start, "*A* used Knight [Knight]") == [
        Roll(0, 2),
        EndTurn(0),
        BuyDevCard(1),
        EndTurn(1),
        PlayDevCard(1, "knight"),
    ]
    start = page("*B* rolled [dice_1][dice_1]", "---", "*A* rolled [dice_1][dice_1]", "*A* used Road Building [Road Building]")
    assert after_gap(start, "*A* built a [road]")[-3:] == [PlayDevCard(1, "road_building"), EndTurn(1), Build(1, "road")]
    start = page("*B* rolled [dice_1][dice_1]", "*A* rolled [dice_1][dice_1]")
    assert after_gap(start, "*B* got [Ore]")[-3:] == [Roll(1, 2), EndTurn(1), Gain(0, {"ore": 1})]


def after_gap(start: str, text: str) -> list:
    """All events, the last of them after a gap. B rolls first, A is the other player."""
    imported = read(start + row(start.count("data-index") + 2, text))
    assert imported.log.players == ("B", "A")
    return list(imported.log.events)


def test_unreadable_rows():
    text = page("*A* rolled 1 1", "*B* gto [Ore]", "*B* rolled 1 1", "*C* got [Ore] too")
    imported = read(text)
    assert [str(problem) for problem in imported.problems] == [
        "line 1: not a sentence of the game log: B gto Ore",
        "line 3: not a sentence of the game log: C got Ore too",
    ]
    with pytest.raises(LogError, match="line 1: not a sentence"):
        read(text, strict=True)


# --- the observer ---------------------------------------------------------------------------------------------


def test_you():
    start = ("*me2* rolled [dice_3][dice_4]", "*You* stole [Grain] from *Blue #3*", "---", "*Blue #3* rolled [dice_3][dice_4]")
    text = page(*start, "*Blue #3* stole [Ore] from you", "*Blue #3* stole [Resource Card] from *Red Seat*")
    imported = read(text)
    assert imported.problems == ()
    assert imported.log.players == ("me2", "Blue #3", "Red Seat")
    assert imported.log.observer == 0
    steals = [event for event in imported.log.events if isinstance(event, Steal)]
    assert steals == [Steal(0, 1, "wheat"), Steal(1, 0, "ore"), Steal(1, 2)]


def test_a_few_rows_from_the_middle():
    few = ("*Red Seat* rolled [dice_5] [dice_1]", "*me2* got [Ore][Ore]")
    late = ("*Red Seat* stole [Resource Card] from *Blue #3*", "*You* stole [Grain] from *Blue #3*", "---")
    imported = read(page(*few, start=31) + page(*late, start=40))
    assert imported.incomplete
    assert imported.log.players == ("Red Seat", "me2", "Blue #3")
    assert imported.log.observer == 1
    assert imported.log.events == (Roll(0, 6), EndTurn(0), Steal(0, 2), Steal(1, 2, "wheat"))


def test_the_page_may_say_who_looks_at_it():
    panel = '<div class="row-1a currentUser-7f"><div>7</div><div><b> Blue #3 </b></div></div><p>Red Seat</p>'
    assert read(panel + page(*GAME)).log.observer == 1
    assert read(panel + page(*GAME), me="Red Seat").log.observer == 0
    with pytest.raises(LogError, match="the players are Red Seat, Blue #3"):
        read(page(*GAME), me="Red")


# --- panels ---------------------------------------------------------------------------------------------------

INKS = {"Red Seat": "#e27174", "Blue #3": "rgb(34, 54, 151)"}


def inked(*texts: str, start: int = 0) -> str:
    """A page on which each player is written in a colour."""
    text = page(*texts, start=start)
    for name, ink in INKS.items():
        text = text.replace(f'color: #e27174">{name}<', f'color: {ink}">{name}<')
    return text


def panel(colour: str, cards: str, name: str = "", user: str = "") -> str:
    return (
        f'<div data-player-information-container="" class="x-1 {user}"><div data-player-color="{colour}"><p>{name}</p></div>'
        f"<div>{cards}<div data-development-card='2'>2</div></div></div>"
    )


HANDS = [HandCount(0, 4), HandCount(1, 11)]


@pytest.mark.parametrize(
    "panels",
    [
        panel("1", '<b data-resource-card="4"></b>', "Red Seat") + panel("2", '<b data-resource-card="11"></b>', "Blue #3"),
        panel("2", "<b data-resource-card>11</b>", "Blue #3") + panel("1", "<b data-resource-card> 4 </b>", "Red Seat"),
        panel("#E27174", "<b data-resource-card=''>4</b>") + panel("#223697", "<b data-resource-card='x'><i>11</i></b>"),
        panel("red", "<b data-resource-card=''>4</b>") + panel("blue", "<b data-resource-card=''>11</b>", "Blue #3"),
        "<div data-player-information-container>"
        "<p data-player-color=1><b>Red Seat</b><b data-resource-card=4></b></p>"
        "<p data-player-color=2><b>Blue #3</b><b data-resource-card=11></b></p></div>",
        "<p data-player-information-container data-player-color=1 data-resource-card=4>Red Seat 4 9</p>"
        "<p data-player-information-container data-player-color=2 data-resource-card=11>Blue #3</p>",
    ],
    ids=["attributes", "texts", "inks", "pieces", "one container", "one element"],
)
def test_panels_count_hands_after_the_last_row(panels):
    game = [text.replace("[city]", "[city_red]") for text in GAME]
    game[1], game[2] = "*Red Seat* placed a [settlement_red]", "*Blue #3* placed a [settlement_blue]"
    for text in (panels + inked(*game), inked(*game) + panels):
        assert events(text) == [*GAME_EVENTS, *HANDS]
        assert read(text).lines[-3:] == (16, 16, 16)


#: The panels as the site nests them: opponents in a box of their own, with points and awards between the numbers.
NESTED = """
<div class="container-a1 gamePlayerInformationContainer-b2" data-player-information-container="true">
 <div data-simplebar="init"><div class="simplebar-content" tabindex="0">
  <div class="opponentPlayerRow-c3 playerRow-d4" data-player-color="1"><div id="roll-dice-button"><img src="dice_1.svg"></div>
   <div class="playerInformation-e5 active-f6"><div class="username-g7">Red Seat</div><button><img alt="Player avatar"
     src="icon_player_loggedin.1.svg"></button><span class="victoryPoints-h8">7 (8)</span>
    <div data-resource-card="true"><div><img src="card_rescardback.2.svg"><div style="background-color: rgb(40, 95, 189);"
     ><div class="count-i9">4</div></div></div></div>
    <div data-development-card="true"><div><img src="card_devcardback.3.svg"><div>2</div></div></div>
    <div><img src="icon_largest_army.4.svg"><div>0</div></div></div></div>
 </div></div>
 <div class="playerRow-d4" data-player-color="2"><div class="playerInformation-e5 currentUser-j0">
  <div class="usernameLarge-k1">Blue #3</div><span class="victoryPoints-h8">3</span><div class="x currentUser-l2">
   <div data-resource-card="true"><div><img src="card_rescardback.2.svg"><div><div class="count-i9">11</div></div></div></div>
   <div data-development-card="true"><div><div>1</div></div></div></div></div></div></div>
"""


def test_panels_as_the_site_nests_them():
    imported = read(page(*GAME) + NESTED)
    assert list(imported.log.events) == [*GAME_EVENTS, *HANDS]
    assert imported.log.observer == 1


def test_panels_of_nobody_count_nothing():
    cards = '<b data-resource-card="4"></b>'
    for panels in (
        panel("1", cards, "Zed"),
        panel("9", cards),
        panel("", "<b data-resource-card='many'></b>", "Red Seat"),
        panel("", "<b data-resource-card='4444'></b>", "Red Seat"),
        panel("#e27174", cards, "Blue #3"),  # the colour of another
        panel("", cards, "<i>Red Seat</i><i>Blue #3</i>"),
        f"<p>Red Seat</p>{cards}",
    ):
        assert events(panels + inked(*GAME)) == GAME_EVENTS


def test_a_hand_of_more_cards_than_there_are_is_a_problem():
    imported = read(inked(*GAME) + panel("", "<b data-resource-card=999></b>", "Red Seat"))
    assert list(imported.log.events) == GAME_EVENTS
    assert [problem.line for problem in imported.problems] == [16]


def test_of_several_panels_of_a_player_the_last_counts():
    panels = "".join(panel("", f"<b data-resource-card={n}></b>", "Red Seat") for n in (3, 1, 2))
    assert events(panels + inked(*GAME)) == [*GAME_EVENTS, HandCount(0, 2)]


def test_the_panel_of_the_current_user():
    assert read(inked(*GAME) + panel("#223697", "", "", "currentUser-8a")).log.observer == 1
    assert read(inked(*GAME) + panel("", "", "Red Seat", "currentUser")).log.observer == 0


def test_who_is_in_a_panel_plays():
    text = page("*A* rolled [dice_1][dice_1]", "---", "*B* rolled [dice_1][dice_1]", "*A* built a [road]", "*C* got [Ore]")
    assert read(text).log.players == ("A", "B")
    assert read(text + panel("", "", "C")).log.players == ("A", "B", "C")


# --- any input ------------------------------------------------------------------------------------------------


def test_recognition():
    assert recognises(page(*GAME))
    assert recognise(page(*GAME)) == "colonist-html"
    for text in ("", "data-index=1", "<div>data-index=", "< data-index=1>", "Red got Ore", "<div data-index"):
        assert not recognises(text)


SIZE = 50_000


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<div data-index=1>",
        "<div data-index=99999999999999999999>x",
        "<div data-index=\u0661>x",
        "<" * SIZE,
        "<a " * SIZE,
        "<!--" * SIZE,
        "<![" * SIZE,
        "<script>" * SIZE,
        "<div><span>" * SIZE + "</div>" * SIZE,
        "<div data-index=1 " + "a" * SIZE + ">",
        "<div data-index=1 " + "a='\"" * SIZE + ">",
        "<div data-index=1>&#" + "9" * SIZE + ";",
        "<div data-index=1>" + "&" * SIZE,
        "<div data-player-information-container data-player-color=1 data-resource-card>" * SIZE + "<div data-index=1>x",
        "<p data-player-information-container>"
        + "<p data-player-color=1>1<p data-player-color=2>" * SIZE
        + "<p data-index=1>x",
        "<div data-index=1><span style='font-weight:600'>" + "x got " * SIZE,
        "<div data-index=1>\0\ud800</div>" * 100,
    ],
    ids=lambda text: text[:24].encode("unicode_escape").decode(),
)
def test_no_log_at_all(text):
    with pytest.raises(LogError):
        read(text)


def test_damaged_pages_never_raise_anything_else():
    rng = random.Random(6)
    text = write(simulate(Board.random(9), ["builder"] * 3, 9, Rules(max_turns=6)), 1)
    for _ in range(120):
        damaged = text
        for _ in range(rng.randrange(1, 12)):
            cut = rng.randrange(len(damaged))
            end = min(len(damaged), cut + rng.choice((0, 1, 5, 40)))
            damaged = (
                damaged[:cut] + rng.choice(("", "<", ">", '"', "&#", "</div>", "<hr>", "\0", "\ud800", "9")) + damaged[end:]
            )
        imported = read(damaged)
        assert len(imported.log.events) == len(imported.lines)


# --- there and back -------------------------------------------------------------------------------------------

GAMES = {
    "four": simulate(Board.random(14), ["builder"] * 4, 14),
    "three": simulate(Board.random(12), ["builder", "random", "builder"], 12, Rules(discard_limit=4)),
    "two": simulate(Board.random(13), ["builder"] * 2, 13),
    "random": simulate(Board.random(14), ["random"] * 4, 14, Rules(max_turns=40)),
}
NAMES = ["Red", "Red 2", 'a<b> & "c"', "who got rolled"]


@pytest.mark.parametrize("name", GAMES)
def test_games_there_and_back(name):
    record = GAMES[name]
    players = NAMES[: len(record.seats)]
    for observer in (None, *range(len(players))):
        me = None if observer is None else players[observer]
        imported = read(write(record, observer, players), me=me, strict=True)
        assert imported.problems == ()
        assert imported.log.players == tuple(players)
        assert imported.log.observer == observer
        assert imported.log.events == carried_by_chat(events_of(record, observer).events)


@pytest.mark.parametrize("seat", range(4))
def test_the_observer_of_a_game_is_found(seat):
    text = write(GAMES["four"], seat)
    assert ">You</span> stole" in text
    assert read(text).log.observer == seat


# --- other ways to save a page ----------------------------------------------------------------------------------


def test_a_page_saved_as_one_file_with_its_pictures():
    packed = quopri.encodestring(f"<html><body>{page(*GAME)}</body></html>".encode()).decode()
    text = (
        "From: <Saved by Blink>\nSubject: A game\nMIME-Version: 1.0\n"
        'Content-Type: multipart/related;\n\ttype="text/html";\n\tboundary="--part--"\n\n\n'
        "----part--\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n"
        f"{packed}\n----part--\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw0=\n----part----\n"
    )
    assert recognise(text) == "colonist-html"
    assert events(text) == events(text.replace("\n", "\r\n")) == GAME_EVENTS


def test_a_page_of_the_years_when_rows_had_no_index():
    face = '<img class="lobby-chat-text-icon" src="icon_player.svg" alt="User">'
    texts = [re.sub(r"\*(.+?)\*", r"\1", text) for text in GAME]
    rows = [re.sub(r"\[(.+?)\]", r'<img src="x.svg" alt="\1">', text).replace("---", "<hr>") for text in texts]
    old = "".join(f'<div class="message_post" style="color: #E27174">{face}{text}</div>' for text in rows)
    assert recognise(f'<div id="game-log-text">{old}</div>') == "colonist-html"
    assert events(old) == GAME_EVENTS


def test_a_page_of_the_years_when_rows_were_posts_and_names_semibold():
    """Attributes without a value, line breaks inside of tags and sentences, a name marked by its class alone."""
    told = [
        '<span class="semibold"\n style="color:#62B95D">Ann</span> has\n reconnected',
        '<span class="semibold">Ann</span> rolled\n <img src="/images/dice_2.svg?rev=1" alt="dice_2"\n> <img alt="dice_3">',
        '<span class="semibold">Ann Lee</span>\n got <img src="/images/card_grain.svg?rev=2"\n alt="grain">',
        "<hr>",
        '<span class="semibold">Ann Lee</span> rolled <img alt="dice_3"> <img alt="dice_4">',
        '<span class="semibold">Ann Lee</span> stole <img\n src="/images/card_rescardback.svg?rev=3"\n alt="card"> from\n'
        ' <span class="semibold">Ann</span>',
    ]
    face = '<img class id\n alt="User"\n src="/images/icon_player_loggedin.svg?rev=4">'
    text = "".join(
        f'<div class="message-post" id style="color: rgb(50, 50, 50);">{face}<span>{row}</span></div>\n' for row in told
    )
    assert recognise(text) == "colonist-html"
    imported = read(text)
    assert imported.log.players == ("Ann", "Ann Lee")
    assert not imported.problems
    assert [event.text(imported.log.players) for event in imported.log.events] == [
        "Ann rolled 5: Ann Lee got 1 wheat",
        "Ann ended the turn",
        "Ann Lee rolled 7",
        "Ann Lee stole a card from Ann",
    ]


def test_an_expansion_is_refused():
    with pytest.raises(LogError, match="line 4: this is a game of Cities & Knights"):
        read(page(*GAME[:4], "*Blue #3* got [Ore][Coin]"))
