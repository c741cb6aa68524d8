"""``kibitz play`` for any game: a whole round of Love Letter, what is understood, taking back, going on another day."""

import re
from pathlib import Path

import pytest

from kibitz.cli.keyboard import NotUnderstood, choice_of
from kibitz.game import apply_at
from kibitz.play.registry import profile
from tests.cli.results import refused

LOVE = Path(__file__).parents[2] / "examples" / "love_letter.py"

pytestmark = pytest.mark.plain


@pytest.fixture
def play(kibitz, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # whoever types too many answers names a file for the record
    return lambda typed, *arguments: kibitz("play", LOVE, *arguments, typed=typed)


def test_a_whole_round_by_numbers_is_told_and_replays(kibitz, play, tmp_path):
    file = tmp_path / "round.jsonl"
    code, out, err = play("1\n" * 40, "--seats", 3, "--seed", 4, "--record", file)
    assert (code, err) == (0, "")
    assert "Love Letter for 3 players; --seed 4 deals the same again." in out
    assert "  (draw 2 ?)" in out
    assert "  Player 2 (sly): " in out
    assert re.search(r"^(You have|Player \d \(sly\) has) won after \d+ turns\.$", out, re.MULTILINE)
    assert re.search(rf"^Look back: kibitz show \S*love_letter.py {file} --turn N$", out, re.MULTILINE)
    assert kibitz("replay", LOVE, file)[0] == 0


def test_others_cards_are_not_shown_before_the_end(play):
    _, out, _ = play("1\n" * 40, "--seats", 3, "--seed", 4)
    *during, end = re.split(r"^deck: ", out, flags=re.MULTILINE)[1:]
    assert all(re.search(r"^. 2  \?", position, re.MULTILINE) for position in during)
    assert "?" not in end.partition("\n\n")[0]


def test_help_log_table_and_advice_can_be_asked_for(play):
    code, out, err = play("?\nlog\nshow\nwhy\nq\n", "--seats", 3, "--seed", 4)
    assert (code, err) == (0, "")
    assert "take back your last step" in out
    assert out.count("(draw 1 baron)") == 2
    assert out.count("deck: 11 cards") == 2
    assert re.search(r"^handmaid +\d+\.\d % ± \d+\.\d +\d+$", out, re.MULTILINE)
    assert "It would choose: " in out
    assert "You leave the table." in out


def test_hints_come_with_every_question(play):
    assert "It would choose: " in play("q\n", "--seats", 2, "--seed", 4, "--hints")[1]


def test_who_left_can_go_on(play, tmp_path):
    once, twice = tmp_path / "once.jsonl", tmp_path / "twice.jsonl"
    play("1\n" * 40, "--seats", 3, "--seed", 4, "--record", once)
    _, out, _ = play("1\nq\n", "--seats", 3, "--seed", 4, "--record", twice)
    assert re.search(rf"^Go on: kibitz play \S*love_letter.py --resume {twice}$", out, re.MULTILINE)
    code, out, err = play("1\n" * 40, "--resume", twice)
    assert (code, err) == (0, "")
    assert "won after" in out
    assert twice.read_text() == once.read_text()
    assert refused(play("", "--resume", twice)) == f"{twice}: the game is over"


def test_what_was_revealed_cannot_be_taken_back(play):
    _, out, _ = play("1\nundo\nq\n", "--seats", 3, "--seed", 4)
    assert "You cannot take that back: something has been revealed since." in out


def test_a_step_that_told_nothing_is_taken_back(kibitz, tmp_path):
    """In One Piece DON!! can be given, and taken back while nothing has happened since."""
    file = tmp_path / "game.jsonl"
    typed = "keep\ngive L\nundo\nend_turn\nq\n"
    _, out, err = kibitz("play", "onepiece", "--seed", 4, "--record", file, typed=typed)
    assert err == ""
    assert "Taken back." in out
    assert '"kind": "give"' not in file.read_text()
    assert kibitz("replay", "onepiece", file)[0] == 0


# --- what is typed ------------------------------------------------------------------------------------------------------


@pytest.fixture
def view():
    """Player 1 of three holds a guard and a king."""
    game = profile(str(LOVE)).setup().game
    states = game.new(3, 0)
    for name in ("draw 1 king", "draw 2 guard", "draw 3 guard", "draw 1 guard"):
        apply_at(states, 0, game.parse(name))
    return states


def meant(typed: str, view) -> str:
    from kibitz.game import game_of, legal_actions

    return game_of(view).describe(choice_of(typed, legal_actions(view), view))


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("guard 2 baron", "guard 2 baron"),
        ("G 3 pries", "guard 3 priest"),
        ("king 2", "king 2"),
        ("k 3", "king 3"),
        ("1", "guard 2 priest"),
    ],
)
def test_what_is_understood(view, typed, action):
    assert meant(typed, view) == action


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", "Type a number or words, or ? for help."),
        ("sing", "'sing' is not one of the choices. Type a number or words, or ? for help."),
        ("king", "Which one: king 2 or king 3?"),
        ("99", "There is no choice 99; choose 1 to 16."),
        ("princess", "Princess: not possible now."),
    ],
)
def test_what_is_not_understood_is_explained(view, typed, words):
    with pytest.raises(NotUnderstood, match=re.escape(words)):
        meant(typed, view)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--bots", "nobody"], "--bots 'nobody': no such bot; these are random, sly, ismcts"),
        (["--bots", "sly,random", "--seats", 2], "--bots sly,random: 2 bots and you do not make 2 players"),
        (["--seats", 5], "--seats 5: Love Letter is for 2 to 4 players"),
        (["--seats", 2, "--seat", 3], "--seat 3: the seats are 1 to 2"),
        (["--guard", "nope"], "--guard 'nope': no such model"),
    ],
)
def test_what_the_user_can_mend_is_one_line(play, arguments, words):
    assert refused(play("", *arguments)).startswith(words)


def test_a_game_that_counts_no_turns_ends_without_them(kibitz):
    _, out, _ = kibitz("play", "kuhn", "--bots", "random", "--seed", 3, typed="1\n")
    assert re.search(r"^(You have won!|Player 2 \(random\) has won\.)$", out, re.MULTILINE)


@pytest.mark.parametrize(("game", "guard"), [("onepiece", "onepiece"), ("coup", "none")])
def test_the_help_names_the_loop_rules_under_which_a_person_plays(kibitz, game, guard):
    assert re.search(rf"rules file, or none\.\W+\[default: \({guard}\)\]", kibitz("play", game, "--help")[1])
