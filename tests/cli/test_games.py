"""A command that every game has: named by its name or its file, before the game or after it."""

import json
from pathlib import Path

import pytest

from tests.cli.results import done, refused

pytestmark = pytest.mark.plain
KNOCK = str(Path(__file__).parents[1] / "examples" / "knock.py")


@pytest.mark.parametrize(
    ("game", "verb", "more"),
    [
        ("coup", "simulate", ["--games", "2", "--players", "3", "--rule", "max_turns=20", "--json"]),
        ("onepiece", "tournament", ["--games", "2", "--json"]),
        ("onepiece", "simulate", ["--help"]),
        ("kuhn", "simulate", ["--games", "5", "--json"]),
        (KNOCK, "simulate", ["--games", "5", "--json"]),
    ],
)
def test_both_orders_are_one_command(kibitz, game, verb, more):
    before, after = done(kibitz(game, verb, *more)), done(kibitz(verb, game, *more))
    assert before.replace(f"kibitz {game} {verb}", f"kibitz {verb} {game}") == after


def test_a_file_is_played_recorded_replayed_and_shown(kibitz, tmp_path):
    games = tmp_path / "games.jsonl"
    out = done(kibitz("simulate", KNOCK, "--games", 3, "--players", "cautious,random", "--guard", "draw", "--record", games))
    assert "loops: none in 3 games" in out
    assert json.loads(games.read_text().splitlines()[0])["record"] == "knock"
    assert "3 games, " in done(kibitz("replay", KNOCK, games))
    out = done(kibitz("show", KNOCK, games, "--game", 1, "--at", 4))
    assert out.startswith("game 1: ")
    assert "places: " in out
    assert "step 0 turn 0 chance deal " in done(kibitz("show", KNOCK, games, "--at", 3))
    assert json.loads(done(kibitz("show", KNOCK, games, "--at", 3, "--json")))["position"] == "knock"


def test_bots_of_any_game_meet(kibitz):
    result = json.loads(done(kibitz("tournament", KNOCK, "--players", "cautious,random,ismcts:5", "--games", 6, "--json")))
    assert {bot["name"] for bot in result["bots"]} == {"cautious", "random", "ismcts:5"}
    out = done(kibitz("tournament", KNOCK, "--players", "cautious,random", "--one-against", "--games", 4))
    assert out.startswith("cautious against 1 random, 2 games from each seat\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["simulate", "chess"], "'chess': no such game; expected catan, coup, onepiece, kuhn, leduc, liars_dice, or FILE.py"),
        (["replay", "nothing.py", "x"], "nothing.py: no such file"),
        (["nothing.py", "replay", "x"], "nothing.py: no such file"),
        (["simulate", KNOCK, "--players", "3"], "--players 3: Knock is for 2 players"),
        (["simulate", KNOCK, "--device", "cpu"], f"no such option: --device (see kibitz simulate {KNOCK} --help)"),
        (
            ["tournament", KNOCK, "--players", "random,nobody"],
            "--players 'nobody': no such bot; these are random, cautious, ismcts",
        ),
    ],
)
def test_what_the_user_can_mend_is_one_line(kibitz, arguments, message):
    assert refused(kibitz(*arguments)) == message


def test_a_record_of_another_game_is_refused(kibitz, tmp_path):
    games = tmp_path / "games.jsonl"
    done(kibitz("simulate", "kuhn", "--record", games))
    assert 'expected the header of a game, with "record": "knock"' in refused(kibitz("replay", KNOCK, games))


def test_an_option_of_a_setup_may_have_a_dash(kibitz, tmp_path):
    """What is typed for it reaches the game by its name."""
    file = tmp_path / "dashed.py"
    file.write_text(
        "from dataclasses import replace\n"
        "from kibitz.examples import kuhn\n"
        "from kibitz.game import Game\n"
        "from kibitz.play.any_game import AnySetup, profile_of\n"
        "from kibitz.play.profile import SetupOption\n"
        "def typed(options, seed):\n"
        "    print(options)\n"
        "    return AnySetup(kuhn.GAME, seed)\n"
        "PROFILE = replace(profile_of(kuhn.GAME), name='dashed', typed=typed,\n"
        "                  options=(SetupOption('deck-size', 'How many cards.', 'N', '3'),))\n"
    )
    assert "{'deck-size': '5'}" in done(kibitz("simulate", file, "--deck-size", 5))
