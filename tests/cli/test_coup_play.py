"""``kibitz coup play``: a whole game through standard input, what is understood, and polite ends."""

import re

import pytest

from kibitz.cli.keyboard import NotUnderstood
from kibitz.coup import GAME, Action
from kibitz.coup.commands.human import NotPossible, read_choice
from kibitz.coup.core.record import check, read
from kibitz.coup.words import Words
from kibitz.game import apply_at, hide_at, legal_actions, seen_at
from tests.coup.positions import do, position


@pytest.fixture
def kibitz(kibitz):
    return lambda typed, *arguments: kibitz("coup", "play", *arguments, typed=typed)


def code(text: str) -> int:
    return Action.from_text(text).code


# --- what is typed ----------------------------------------------------------------------------------------

TURN = ["income", "foreign_aid", "tax", "exchange", "coup 2", "coup 3", "assassinate 2", "assassinate 3", "steal 2", "steal 3"]


@pytest.mark.plain
@pytest.mark.parametrize(
    ("typed", "legal", "meant"),
    [
        ("3", TURN, "tax"),
        ("tax", TURN, "tax"),
        (" TAX ", TURN, "tax"),
        ("foreign aid", TURN, "foreign_aid"),
        ("aid", TURN, "foreign_aid"),
        ("steal 2", TURN, "steal 2"),
        ("steal from player 3", TURN, "steal 3"),
        ("s P2", TURN, "steal 2"),
        ("kill 3", TURN, "assassinate 3"),
        ("coup against 2", TURN, "coup 2"),
        ("c", ["allow", "challenge"], "challenge"),
        ("pass", ["allow", "challenge"], "allow"),
        ("block", ["allow", "block contessa"], "block contessa"),
        ("block captain", ["allow", "block captain", "block ambassador"], "block captain"),
        ("block with the Ambassador", ["allow", "block captain", "block ambassador"], "block ambassador"),
        ("lose duke", ["show captain", "lose duke"], "lose duke"),
        ("show", ["show captain", "lose duke"], "show captain"),
        ("return assassin, duke", ["return_cards duke assassin", "return_cards duke duke"], "return_cards duke assassin"),
        ("return d d", ["return_cards duke assassin", "return_cards duke duke"], "return_cards duke duke"),
    ],
)
def test_what_is_understood(typed, legal, meant):
    assert GAME.describe(read_choice(typed, [code(text) for text in legal])) == meant


@pytest.mark.plain
@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", "Type a number"),
        ("hello", "'hello' is not one of the choices"),
        ("steal", "Which one: steal 2 or steal 3?"),
        ("0", "There is no choice 0; choose 1 to 10"),
        ("11", "There is no choice 11"),
        ("steal 2 3", "not one of the choices"),
        ("²", "not one of the choices"),
    ],
)
def test_what_is_not_understood_is_explained(typed, words):
    with pytest.raises(NotUnderstood, match=re.escape(words)):
        read_choice(typed, [code(text) for text in TURN])


@pytest.mark.plain
def test_an_action_at_the_wrong_time_is_told_apart_from_nonsense():
    with pytest.raises(NotPossible, match="Block contessa is not possible now") as error:
        read_choice("block contessa", [code("allow"), code("challenge")])
    assert error.value.code == code("block contessa")


# --- sentences --------------------------------------------------------------------------------------------


def told(states, *texts: str, you: int = 0) -> list[str]:
    """The steps as seat `you` hears of them."""
    words, sentences = Words(you), []

    def view(of):
        copy = of.copy()
        hide_at(copy, 0, you)
        return copy

    states = states.copy()
    for text in texts:
        before, seen = view(states), seen_at(states, 0, code(text), you)
        apply_at(states, 0, code(text))
        sentences += words.tell(before, seen, view(states))
    return sentences


THREE = position("DC", "AT", "MT", coins=[5, 5, 5])


@pytest.mark.plain
@pytest.mark.parametrize(
    ("texts", "sentences"),
    [
        (["income"], ["You take income."]),
        (["tax", "allow", "allow"], ["You claim the Duke, for tax.", "You take 3 coins."]),
        (
            ["steal 2", "allow", "allow", "allow"],
            ["You claim the Captain, to steal from player 2.", "You take 2 coins from player 2."],
        ),
        (
            ["steal 2", "allow", "allow", "block ambassador", "challenge", "lose assassin"],
            [
                "You claim the Captain, to steal from player 2.",
                "Player 2 claims the Ambassador, to block.",
                "You challenge player 2's Ambassador.",
                "Player 2 loses the Assassin without showing the Ambassador.",
                "You take 2 coins from player 2.",
            ],
        ),
        (
            ["foreign_aid", "allow", "block duke", "allow", "allow"],
            ["You ask for foreign aid.", "Player 3 claims the Duke, to block.", "The block stands."],
        ),
        (
            ["tax", "challenge", "show duke", "lose contessa", "drawn duke"],
            [
                "You claim the Duke, for tax.",
                "Player 2 challenges your Duke.",
                "You show the Duke.",
                "Player 2 loses the Contessa.",
                "You draw the Duke.",
                "You take 3 coins.",
            ],
        ),
        (
            ["assassinate 3", "challenge", "lose duke"],
            [
                "You pay 3 coins and claim the Assassin, against player 3.",
                "Player 2 challenges your Assassin.",
                "You lose the Duke without showing the Assassin.",
                "You get the 3 coins back.",
            ],
        ),
    ],
)
def test_steps_in_sentences(texts, sentences):
    assert told(THREE, *texts) == sentences


@pytest.mark.plain
def test_what_others_draw_and_return_stays_hidden():
    exchange = ["exchange", "allow", "allow", "drawn duke captain", "return_cards duke captain"]
    assert told(position("DC", "AT", "MT", player=2), *exchange) == [
        "Player 3 claims the Ambassador, to exchange cards.",
        "Player 3 draws two cards.",
        "Player 3 returns two cards.",
    ]
    assert told(position("DC", "AT", "MT", player=2), *exchange, you=2)[1:] == [
        "You draw the Duke and the Captain.",
        "You return the Duke and the Captain.",
    ]
    shown = ["tax", "allow", "challenge", "show duke", "lose contessa", "drawn captain"]
    assert told(position("DC", "A/A", "MT"), *shown, you=1)[-2:] == ["Player 1 draws a new card.", "Player 1 takes 3 coins."]


@pytest.mark.plain
def test_who_falls_is_told():
    states = position("DC", "T/A", "MT", coins=[7, 2, 2])
    assert told(states, "coup 2", "lose contessa") == [
        "You pay 7 coins for a coup against player 2.",
        "Player 2 loses the Contessa.",
        "Player 2 is out.",
    ]
    assert told(states, "coup 2", "lose contessa", you=1)[-1] == "You are out."


@pytest.mark.plain
def test_choices_name_bluffs_and_questions_name_the_claim():
    words = Words(1)
    asked = do(THREE, "steal 2")
    assert words.situation(asked) == "Do you challenge player 1's Captain?"
    assert [words.choice(asked, a)[:2] for a in legal_actions(asked)] == [("allow", False), ("challenge", False)]
    blocks = do(asked, "allow", "allow")
    assert words.situation(blocks) == "Do you block the theft?"
    assert [words.choice(blocks, a)[:2] for a in legal_actions(blocks)] == [
        ("allow", False),
        ("block captain", True),
        ("block ambassador", True),
    ]
    mine = position("DC", "AT", "MT", coins=[5, 5, 5], player=1)
    assert words.situation(mine) == "It is your turn."
    assert {words.choice(mine, a).text: words.choice(mine, a).bluff for a in legal_actions(mine)} == {
        "income": False, "foreign aid": False, "tax": True, "exchange": True,
        "assassinate 1": False, "assassinate 3": False, "steal 1": True, "steal 3": True,
    }  # fmt: skip
    caught = do(mine, "tax", "challenge")
    assert words.situation(caught) == "Your Duke is challenged by player 3."


# --- whole games ------------------------------------------------------------------------------------------


def test_a_whole_game_by_numbers(kibitz, tmp_path):
    """The first choice every time: income, allow, lose. The record replays."""
    file = tmp_path / "game.jsonl"
    code, out, err = kibitz("1\n" * 500, "--seats", 3, "--seed", 5, "--record", file)
    assert (code, err) == (0, "")
    assert "You are dealt two Assassins." in out
    assert "You take income." in out
    assert re.search(r"^(Player \d \(heuristic\) has won|You have won) after \d+ turns", out, re.MULTILINE)
    assert "hidden" not in out[out.rindex("player") :]  # at the end all cards lie open
    assert max(len(line) for line in out.splitlines() if str(file) not in line) <= 80
    assert f"written: {file}" in out
    (record,) = check(file.read_text().splitlines())
    assert record.seats == ("you", "heuristic", "heuristic")


def test_words_help_and_mistakes(kibitz):
    typed = "hello\nassassinate 2\nblock duke\n\nsteal\n?\nq\n"
    code, out, err = kibitz(typed, "--seats", 3, "--seed", 5)
    assert (code, err) == (0, "")
    for words in (
        "'hello' is not one of the choices",
        "You cannot pay for it.",
        "Block duke is not possible now.",
        "Type a number or words, or ? for help.",
        "Which one: steal 2 or steal 3?",
        "leave the game",
        "You leave the table.",
    ):
        assert words in out


def test_why_shows_chances_and_beliefs(kibitz):
    code, out, err = kibitz("why\nq\n", "--seats", 3, "--seed", 5)
    assert (code, err) == (0, "")
    assert re.search(r"^foreign aid +\d+\.\d % ± \d+\.\d +[\d,]+$", out, re.MULTILINE)
    assert re.search(r"^It would choose: (income|foreign aid|tax|exchange|steal \d)$", out, re.MULTILINE)
    # two Assassins in hand: one among 13 unseen cards, so 2 of 13 that an opponent holds it
    assert re.search(r"^2 +42 % +15 % +42 % +42 % +42 %$", out, re.MULTILINE)
    assert max(map(len, out.splitlines())) <= 80
    assert "you win" in kibitz("q\n", "--seats", 3, "--seed", 5, "--hints")[1]


@pytest.mark.parametrize("typed", ["", "income\n", "q\n"])
def test_who_stops_typing_leaves_politely(kibitz, tmp_path, typed):
    file = tmp_path / "game.jsonl"
    code, out, err = kibitz(typed, "--seats", 2, "--seed", 1, "--record", file)
    assert (code, err) == (0, "")
    assert "You leave the table." in out
    (record,) = read(file)
    assert '"termination": "unfinished"' in file.read_text()
    assert len(record.codes) >= 2


def test_control_c_leaves_politely(kibitz, monkeypatch):
    def interrupted(prompt):
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    code, out, err = kibitz("", "--seats", 2, "--seed", 1)
    assert (code, err) == (0, "")
    assert "You leave the table." in out


def test_the_record_is_offered_at_the_end(kibitz, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = iter(["nowhere/mine.jsonl", "mine.jsonl"])
    monkeypatch.setattr("builtins.input", lambda prompt: "1" if prompt == "> " else next(names))
    code, out, err = kibitz("", "--seats", 2, "--seed", 5)
    assert (code, err) == (0, "")
    assert "nowhere/mine.jsonl: there is no folder nowhere." in out
    assert "written: mine.jsonl" in out
    (record,) = check((tmp_path / "mine.jsonl").read_text().splitlines())
    assert record.seats == ("you", "heuristic")


def test_any_seat_and_any_bots(kibitz):
    code, out, err = kibitz("q\n", "--bots", "honest,random,ismcts:50", "--seat", 2, "--seed", 3)
    assert (code, err) == (0, "")
    assert "Coup for 4 players" in out
    assert re.search(r"^ +1 honest", out, re.MULTILINE)
    assert re.search(r"^ +2 you", out, re.MULTILINE)
    assert re.search(r"^ +4 ismcts:50", out, re.MULTILINE)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--bots", "nobody"], "--bots 'nobody': no such bot; these are random"),
        (["--bots", "honest,random", "--seats", 2], "2 bots and you do not make 2 players"),
        (["--bots", "honest,random,honest,random,honest,random"], "2 to 6 players"),
        (["--bots", "ismcts:soon"], "'soon': expected a number of iterations"),
        (["--seats", 2, "--seat", 3], "--seat 3: the seats are 1 to 2"),
        (["--seats", 7], "--seats 7: Coup is for 2 to 6 players"),
        (["--rule", "dragons"], "unknown rule"),
        (["--record", "/nowhere/at/all"], "there is no folder"),
    ],
)
def test_what_the_user_can_mend_is_one_line(kibitz, arguments, words):
    code, out, err = kibitz("", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


def test_a_level_is_chosen_by_its_name(kibitz, tmp_path):
    for arguments, bots in ((("--level", "medium"), ("medium", "medium")), (("--bots", "easy,hard"), ("easy", "hard"))):
        file = tmp_path / f"{bots[0]}.jsonl"
        ended, out, _ = kibitz("q\n", *arguments, "--seats", 3, "--seed", 1, "--record", file)
        assert ended == 0
        assert "Go on: kibitz play coup --resume" in out
        (game,) = read(file)
        assert game.seats == ("you", *bots)
        assert kibitz("q\n", "--resume", file)[0] == 0
