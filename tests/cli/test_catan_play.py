"""``kibitz catan play``: whole games through standard input, what is shown and kept back, and polite ends.

The golden sessions are script and expectation in one: what stands behind "> " is typed, and what the bots did stands at the end
and is done again, whatever they would do today. After a change that is meant, write what is shown anew, or let them play anew:

    python -m tests.cli.test_catan_play --write
    python -m tests.cli.test_catan_play --record
"""

import contextlib
import io
import os
import re
import shlex
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any
from unittest import mock

import pytest
from rich.console import Console

from kibitz import cli
from kibitz.catan import Action
from kibitz.catan.commands.choices import Question, spoken
from kibitz.catan.commands.human import Human
from kibitz.catan.commands.table import players_table
from kibitz.catan.core.board import Board
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.game_state import GameState
from kibitz.catan.core.policy import BOTS
from kibitz.catan.core.record import check, read, simulate
from kibitz.catan.core.state import Rules, new_states
from kibitz.catan.manners import Considerate
from kibitz.catan.profile import PROFILE
from kibitz.game import apply_at, why_not_at
from kibitz.play.bots import PolicyPlayer
from tests.playthrough import FOLDER, check_golden, write_golden

SESSIONS = ("catan-play-won.txt", "catan-play-lost.txt")


@pytest.fixture
def kibitz(kibitz):
    return lambda typed, *arguments: kibitz("catan", "play", *arguments, typed=typed)


# --- golden sessions --------------------------------------------------------------------------------------


BOTS_DID = "--- what the bots did"


class Bots:
    """Does in the place of every bot what was stored; without stored actions the bots decide, and it is stored."""

    def __init__(self, out: io.StringIO, stored: Sequence[str] = ()) -> None:
        self.done: list[str] = []
        self._out = out
        self._stored = iter(stored) if stored else None
        self._decide = Considerate.decide

    def decide_for(self, bot: Considerate, view: Any) -> int:
        if not self._out.getvalue():  # a rehearsal that nobody sees
            return self._decide(bot, view)
        code = self._decide(bot, view) if self._stored is None else GAME.parse(next(self._stored))
        self.done.append(GAME.describe(code))
        assert why_not_at(view, 0, code) == 0, f"number {len(self.done)} of what the bots did: {self.done[-1]} is illegal now"
        return code


def session(name: str, record: bool = False) -> str:
    """Run the command of a golden session again, with what was typed in it and what the bots did."""
    shown, _, stored = (FOLDER / name).read_text(encoding="utf-8").partition(f"{BOTS_DID}\n")
    golden = shown.splitlines()
    command = golden[0].removeprefix("$ ")
    typed = iter([line[2:] for line in golden if line.startswith("> ")])
    out = io.StringIO()
    bots = Bots(out, () if record else stored.splitlines())

    def echo(prompt: str) -> str:
        if prompt != "> ":
            out.write(f"{prompt}\n")
            return ""
        text = next(typed, None)
        if text is None:
            raise EOFError
        out.write(f"{prompt}{text}\n")
        return text

    def decide(bot: Considerate, view: Any) -> int:
        return bots.decide_for(bot, view)

    with (
        contextlib.redirect_stdout(out),
        mock.patch("builtins.input", echo),
        mock.patch.object(Considerate, "decide", decide),
        mock.patch.object(sys, "argv", shlex.split(command)),
        mock.patch.dict(os.environ, {"COLUMNS": "80"}),
        contextlib.suppress(SystemExit),
    ):
        cli.main()
    assert not list(typed)
    return "\n".join([golden[0], *(line.rstrip() for line in out.getvalue().splitlines()), BOTS_DID, *bots.done, ""])


@pytest.mark.parametrize("name", SESSIONS)
def test_the_sessions_go_as_they_went(name):
    text = session(name)
    check_golden(name, text, "python -m tests.cli.test_catan_play --write")
    assert max(map(len, text.splitlines())) <= 80


def test_bots_mind_their_manners_at_a_table_with_a_person():
    bots = [PROFILE.with_person(PROFILE.bot_named(name)) for name in ("medium", "ismcts:10")]
    assert [type(bot.player()) for bot in bots] == [Considerate, Considerate]
    assert [bot.name for bot in bots] == ["medium", "ismcts:10"]


def test_the_page_shows_a_part_of_it():
    page = (FOLDER.parents[1] / "docs" / "howto" / "play_catan.md").read_text(encoding="utf-8")
    shown = re.search(r"```text\n(.*?)```", page, re.DOTALL)
    assert shown
    assert shown[1] in (FOLDER / "catan-play-won.txt").read_text(encoding="utf-8")


# --- whole games ------------------------------------------------------------------------------------------


class Typist:
    """Types what the bot `builder` would do, in the words of the choices."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.typed: list[str] = []
        self._bot = PolicyPlayer(BOTS["builder"])
        self._asked: Question | None = None
        choice = Human._choice

        def noticed(human: Human, view: Any, legal: list[int], only: bool = False) -> int:
            self._asked = Question(view, human.seat, legal)
            return choice(human, view, legal, only)

        monkeypatch.setattr(Human, "_choice", noticed)
        monkeypatch.setattr("builtins.input", lambda prompt: self.answer() if prompt == "> " else "")

    def answer(self) -> str:
        asked = self._asked
        assert asked is not None
        if not self.typed:
            self._bot.begin(GAME, asked.seat, asked.view, 7)
        view, texts = asked.view.copy(), []
        for _ in range(max(1, asked.row["discards"][asked.seat])):
            code = self._bot.decide(view)
            texts.append(spoken(Action.from_code(code)))
            apply_at(view, 0, code)
        self.typed.append(texts[0] if len(texts) == 1 else " ".join(text.replace("discard", "") for text in texts))
        return self.typed[-1]


def test_a_whole_game_in_words(kibitz, tmp_path, monkeypatch):
    """Ten points, four players, every kind of question; the record replays, and the same seed is the same game."""
    file = tmp_path / "game.jsonl"
    typist = Typist(monkeypatch)
    code, out, err = kibitz("", "--seed", 5, "--seat", 2, "--record", file)
    assert (code, err) == (0, "")
    assert re.search(r"^(Player \d \(builder\) has won|You have won) after \d+ turns", out, re.MULTILINE)
    lines = out.splitlines()
    assert max(len(line) for line in lines if str(file) not in line) <= 80
    assert f"written: {file}" in lines
    (record,) = check(file.read_text().splitlines())
    assert record.seats == ("builder", "you", "builder", "builder")
    words = {text.split()[0] for text in typist.typed}
    assert {"settlement", "road", "robber", "offer", "end"} <= words


def test_hidden_cards_stay_hidden_until_the_end(kibitz, monkeypatch):
    Typist(monkeypatch)
    _, out, _ = kibitz("", "--seed", 5, "--rule", "victory_points=4")
    rows = [line for line in out.splitlines() if re.match(r"^  [234] builder", line)]
    assert all("hidden" in row for row in rows[:-3])
    assert not any("hidden" in row for row in rows[-3:])
    assert not re.search(r"Player \d bought a (?!development card)", out)
    assert not re.search(r"Player \d stole (?!a card)\w+ from Player", out)


@pytest.mark.parametrize("typed", ["", "23\n", "q\n"])
def test_who_stops_typing_leaves_politely(kibitz, tmp_path, typed):
    file = tmp_path / "game.jsonl"
    code, out, err = kibitz(typed, "--seats", 2, "--seed", 1, "--record", file)
    assert (code, err) == (0, "")
    assert "You leave the table." in out
    assert f"written: {file}" in out
    (record,) = read(file)
    assert '"termination": "unfinished"' in file.read_text()
    assert len(record.codes) == bool("23" in typed)


def test_who_left_can_go_on(kibitz, tmp_path):
    """The golden game in two evenings: it ends as it did in one, and it is over then."""
    typed = re.findall(r"^> (.*)\n", (FOLDER / "catan-play-won.txt").read_text(), re.MULTILINE)
    setup = ["--seats", 3, "--seed", 9, "--rule", "victory_points=3", "--bots", "builder-0.1"]
    at_once, in_two = tmp_path / "once.jsonl", tmp_path / "two.jsonl"
    kibitz("\n".join(typed), *setup, "--record", at_once)
    _, out, _ = kibitz("\n".join([*typed[:14], "q"]), *setup, "--record", in_two)
    assert f"Go on: kibitz play catan --resume {in_two}" in out
    _, out, err = kibitz("\n".join(typed[14:]), "--resume", in_two)
    assert err == ""
    assert "Turn 1: you" not in out
    assert "You have won after 10 turns!" in out
    assert f"Look back: kibitz show catan {in_two} --turn N" in out
    assert in_two.read_text() == at_once.read_text()
    code, _, err = kibitz("", "--resume", in_two)
    assert (code, err) == (2, f"kibitz: {in_two}: the game is over\n")


def test_what_is_left_by_somebody_else_cannot_be_taken_up(kibitz, tmp_path):
    file = tmp_path / "game.jsonl"
    file.write_text("".join(f"{line}\n" for line in simulate(Board.beginner(), ["random"] * 2, 1, Rules(max_turns=2)).lines()))
    assert kibitz("", "--resume", file)[2] == f"kibitz: {file}: nobody at this table is called you\n"
    error = kibitz("", "--resume", file, "--seat", 2)[2]
    assert error == "kibitz: --resume: the record says who plays, and how; you can only add --hints and --record\n"


def test_other_games_of_a_file_are_not_written_over(kibitz, tmp_path):
    file, other = tmp_path / "games.jsonl", tmp_path / "other.jsonl"
    kibitz("23\nq", "--seats", 2, "--seed", 1, "--record", file)
    both = file.read_text() * 2
    file.write_text(both)
    code, _, err = kibitz("q", "--resume", file)
    assert (code, err) == (2, f"kibitz: {file}: it holds more than one game; name another file for this one with --record\n")
    assert kibitz("q", "--resume", file, "--record", other)[0] == 0
    assert (file.read_text(), other.read_text() * 2) == (both, both)


def test_control_c_leaves_politely(kibitz, monkeypatch):
    def interrupted(prompt):
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    code, out, err = kibitz("", "--seats", 2, "--seed", 1)
    assert (code, err) == (0, "")
    assert "You leave the table." in out


def test_the_kibitzer_says_what_it_would_play_and_why(kibitz):
    typed = "23\nwhy\nq\n\n"
    code, out, err = kibitz(typed, "--board", "beginner", "--seats", 2, "--seed", 1)
    assert (code, err) == (0, "")
    assert re.search(r"^1 +the road V\d+-V\d+ +\d+\.\d % ± \d+\.\d", out, re.MULTILINE)
    assert re.search(r"^It would play: road \d+-\d+$", out, re.MULTILINE)
    assert max(map(len, out.splitlines())) <= 80
    assert kibitz(typed, "--board", "beginner", "--seats", 2, "--seed", 1)[1] == out
    hinted = kibitz("q\n", "--seats", 2, "--seed", 1, "--hints")[1]
    assert re.search(r"^It would play: settlement \d+$", hinted, re.MULTILINE)
    assert "pips" in hinted


def test_any_seat_board_and_bots(kibitz):
    code, out, err = kibitz("q\n", "--bots", "random,seed,ismcts:5", "--seat", 4, "--seed", 3, "--board", "beginner")
    assert (code, err) == (0, "")
    assert "Catan for 4 players" in out
    assert "Player 3 placed a settlement on" in out
    assert Board.beginner().hexes[0].resource in out
    assert "(3:1)   1           3  (wheat)  5" in out


def test_a_loop_guard_may_sit_at_the_table(kibitz, tmp_path):
    file = tmp_path / "game.jsonl"
    code, _, err = kibitz("23\nq\n", "--seats", 2, "--seed", 1, "--guard", "draw", "--record", file)
    assert (code, err) == (0, "")
    (record,) = read(file)
    assert record.guard is not None


@pytest.mark.plain
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--bots", "builder,seed", "--seats", 2], "2 bots and you do not make 2 players"),
        (["--bots", "seed,seed,seed,seed"], "--bots seed,seed,seed,seed: Settlers of Catan is for 2 to 4 players"),
        (["--bots", "ismcts:soon"], "'soon': expected a number of iterations"),
        (["--seats", 5], "--seats 5: Settlers of Catan is for 2 to 4 players"),
        (["--board", "nowhere.txt"], "--board nowhere.txt: no such file"),
    ],
)
def test_what_the_user_can_mend_is_one_line(kibitz, arguments, words):
    code, out, err = kibitz("", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


def test_a_narrow_terminal_cuts_names_and_no_figures():
    out = Console(width=75, file=io.StringIO())
    out.print(players_table(GameState(new_states(Board.beginner(), 4)), ["a_bot.py:WithALongName"] * 4))
    shown = out.file.getvalue()
    assert shown.count("0r 0s 0c") == shown.count("…") == 4


if __name__ == "__main__":
    record = sys.argv[1:] == ["--record"]
    if record:
        sys.argv[1:] = ["--write"]
    write_golden({name: partial(session, name, record) for name in SESSIONS}, __doc__ or "")
