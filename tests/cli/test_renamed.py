"""Options that were renamed: the old names still work, and stand for options that are there."""

import pytest
import typer.main

from kibitz import cli
from kibitz.cli.renamed import RENAMED, current
from tests.cli.results import done, refused

COMMANDS = typer.main.get_command(cli.app).commands


@pytest.mark.plain
@pytest.mark.parametrize(("game", "command"), RENAMED)
def test_new_names_are_options_and_old_ones_are_hidden(game, command):
    options = {name for option in COMMANDS[game].commands[command].params for name in option.opts}
    names = RENAMED[game, command]
    assert {new for new in names.values() if new} <= options
    assert not options & set(names)


@pytest.mark.plain
def test_other_words_stay_as_they_are():
    words = ["coup", "simulate", "--players", "3", "--record", "", "--rule=max_turns=9"]
    assert current(words) == words
    assert current([]) == []
    assert current(["onepiece", "tree", "--step", "9", "--game=--step"]) == ["onepiece", "tree", "--at", "9", "--game=--step"]


@pytest.mark.plain
def test_the_old_names_do_what_they_did(kibitz, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "games.jsonl"
    done(kibitz("coup", "simulate", "--players", 3, "--record", file))
    assert kibitz("coup", "show", file, "--step", 9) == kibitz("coup", "show", file, "--at", 9)
    asked = ("--game", 4, "--step", 9)
    assert refused(kibitz("coup", "advise", "--record", file, *asked)) == f"{file}: there is no game 4; the file holds 1"
    assert refused(kibitz("coup", "tree", "--players", 3, "--seat", 4)) == "--seat 4: the seats are 1 to 3"
    assert refused(kibitz("onepiece", "play", "--bot", "nobody")).startswith("--bots 'nobody': no such bot")
    assert "the game is a draw" in done(kibitz("loops", "lab", "both", "--model", "draw"))
