"""What a shell completes: asked in the way in which the scripts that Kibitz installs ask."""

import os
import subprocess
import sys

import pytest

from kibitz.cli.options import DEVICES, guard_names
from kibitz.play.registry import known
from tests.cli.results import done

#: How each shell hands over what has been typed.
SHELLS = {
    "bash": lambda words: {"COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)},
    "zsh": lambda words: {"_TYPER_COMPLETE_ARGS": " ".join(words)},
    "fish": lambda words: {"_TYPER_COMPLETE_ARGS": " ".join(words), "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
}
#: The program; at its end it tells whether something slow was loaded.
PROGRAM = """
import atexit, sys
from kibitz.cli import main
atexit.register(lambda: print("HEAVY", [name for name in ("numba", "numpy", "kibitz.ground.jit") if name in sys.modules]))
main()
"""


def run(*arguments: str, **more: str) -> str:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], capture_output=True, text=True, check=True, env={**os.environ, **more}
    )
    out, _, heavy = ended.stdout.rpartition("HEAVY ")
    assert heavy.strip() == "[]"
    return out


@pytest.fixture
def completed(kibitz, monkeypatch):
    """What a shell would offer for a line that has been typed so far."""

    def offers(line: str, shell: str = "bash") -> str:
        for name, value in SHELLS[shell](["kibitz", *line.split(" ")]).items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("_KIBITZ_COMPLETE", f"complete_{shell}")
        return done(kibitz())

    return offers


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_completes_commands_and_names(completed, shell):
    out = completed("catan simulate --policy b", shell)
    assert "builder" in out
    assert "random" not in out
    assert "simulate" in completed("coup s", shell)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ana", ["analyze"]),
        ("coup ", ["simulate", "replay", "show", "advise", "bots", "play", "solve", "tournament", "train", "tree"]),
        ("catan simulate --de", ["--device"]),
        ("catan simulate --device ", DEVICES),
        ("catan simulate --players builder,is", ["builder,ismcts", "builder,ismcts-0.1"]),
        ("coup play --bots so", ["solver"]),
        ("catan play --bots builder,is", ["builder,ismcts", "builder,ismcts-0.1"]),
        ("catan play --board be", ["beginner"]),
        ("onepiece tournament --players ", known("onepiece").bot_names),
        ("simulate ", ["catan", "coup", "onepiece", "kuhn", "leduc", "liars_dice"]),
        ("simulate catan --de", ["--device"]),
        (
            "tournament coup --players heuristic,h",
            ["heuristic,honest", "heuristic,heuristic", "heuristic,heuristic-0.1", "heuristic,hard"],
        ),
        ("onepiece simulate --decks tide,", ["tide,tide", "tide,ember"]),
        ("coup simulate --rule s", ["steal_from_zero"]),
        ("catan tournament --rule v", ["victory_points"]),
        ("coup simulate --guard ", [*guard_names(), "none"]),
        ("analyze --mode m", ["monte_carlo", "mcts"]),
        ("analyze be", ["beginner"]),
        ("catan advise --mode ", ["ismcts", "full_game"]),
        ("export --format col", ["colonist-text"]),
        ("track --format cat", ["catanatron", "catanlog"]),
        ("coup tree --format ", ["text", "json", "dot", "svg"]),
        ("coup tree --cards duke,con", ["duke,contessa"]),
        ("loops lab gr", ["growth"]),
    ],
    ids=lambda value: value.strip() if isinstance(value, str) else "",
)
def test_names_are_completed(completed, line, expected):
    assert sorted(completed(line).split()) == sorted(expected)


def test_completion_loads_nothing_slow():
    words = ["kibitz", "catan", "simulate", "--players", ""]
    assert run(_KIBITZ_COMPLETE="complete_bash", **SHELLS["bash"](words)).split() == list(known("catan").bot_names)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_of_a_shell_is_shown_and_installed(shell, tmp_path):
    chosen = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1", "HOME": str(tmp_path)}
    script = run("--show-completion", shell, **chosen)
    assert f"complete_{shell}" in script
    assert f"{shell} completion installed in" in run("--install-completion", shell, **chosen)
    assert any(script.strip() in file.read_text() for file in tmp_path.rglob("*kibitz*"))
