"""The same mistake is told in the same words by every command: one line on standard error, exit code 2, no traceback."""

import re
from pathlib import Path

import pytest

from kibitz.catan import Board, Rules
from kibitz.catan.core.record import simulate as catan_game
from kibitz.cli import create_app
from kibitz.coup.core.record import simulate as coup_game
from kibitz.onepiece.core.record import simulate as onepiece_game
from kibitz.play.registry import known
from tests.cli.results import refused

TOLD = "cards duke captain; coins 3 5"
#: Commands that read a record, by the words that come before and after its name.
READERS = {
    "catan replay": "catan", "catan show": "catan", "catan advise": "catan", "catan tree": "catan",
    "analyze": "catan", "export": "catan",
    "coup replay": "coup", "coup show": "coup", "coup advise": "coup",
    "onepiece replay": "onepiece", "onepiece show": "onepiece", "onepiece tree": "onepiece",
}  # fmt: skip
MORE = {"export": ["out.txt"], "catan tree": ["--at", "40"], "coup advise": ["--at", "40"], "onepiece tree": ["--at", "40"]}
#: Those that ask about one game of it.
OF_ONE_GAME = [command for command in READERS if not command.endswith("replay")]
#: Options that name bots.
BOTS = [
    ("catan simulate", "--players"), ("catan simulate", "--policy"), ("catan tournament", "--players"),
    ("catan play", "--bots"),
    ("coup simulate", "--players"), ("coup simulate", "--policy"), ("coup tournament", "--players"), ("coup play", "--bots"),
    ("onepiece simulate", "--players"), ("onepiece simulate", "--policy"), ("onepiece tournament", "--players"),
    ("onepiece play", "--bots"), ("analyze", "--policy"),
]  # fmt: skip


@pytest.fixture(scope="module")
def records(tmp_path_factory) -> dict[str, Path]:
    """A recorded game of each game."""
    folder = tmp_path_factory.mktemp("records")
    games = {
        "catan": catan_game(Board.beginner(), ["random"] * 3, 1, Rules(max_turns=9)),
        "coup": coup_game(["honest"] * 3, 1),
        "onepiece": onepiece_game(["random", "random"], seed=1),
    }
    for name, game in games.items():
        (folder / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in game.lines()), encoding="utf-8")
    return {name: folder / f"{name}.jsonl" for name in games}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)


def asked(command: str, file: object, *more: object) -> list[object]:
    return [*command.split(), file, *MORE.get(command, []), *more]


def with_records(words: list[str], records: dict[str, Path]) -> list[object]:
    """What is typed, where ``@coup`` stands for a record of Coup."""
    return [records[word[1:]] if word.startswith("@") else word for word in words]


def commands() -> list[str]:
    """All commands, as they are typed."""
    groups = {name: list(getattr(command.real, "commands", {})) for name, command in create_app().commands.items()}
    return [f"{name} {sub}".strip() for name, subs in groups.items() for sub in subs or [""]]


@pytest.mark.plain
@pytest.mark.parametrize("command", commands())
def test_an_unknown_option(kibitz, command):
    assert refused(kibitz(*command.split(), "--zzz")) == f"no such option: --zzz (see kibitz {command} --help)"


@pytest.mark.plain
@pytest.mark.parametrize(("command", "option"), BOTS)
def test_an_unknown_bot(kibitz, command, option):
    assert refused(kibitz(*command.split(), option, "nobody")).startswith(f"{option} 'nobody': no such bot; these are random, ")


@pytest.mark.plain
@pytest.mark.parametrize(
    "command",
    [
        "catan simulate", "catan tournament", "catan play", "coup simulate", "coup tournament", "coup play", "coup tree",
        "analyze",
    ],
)  # fmt: skip
def test_an_unknown_rule(kibitz, command):
    assert refused(kibitz(*command.split(), "--rule", "dragons")).startswith("--rule unknown rule 'dragons'; the rules are ")


@pytest.mark.plain
@pytest.mark.parametrize(
    "command",
    [
        "catan simulate", "catan tournament", "catan play", "coup simulate", "coup play", "onepiece simulate", "onepiece play",
        "loops lab",
        "analyze",
    ],
)  # fmt: skip
def test_an_unknown_guard(kibitz, command):
    assert refused(kibitz(*command.split(), "--guard", "dog")).startswith(
        "--guard 'dog': no such model; choose from onepiece, "
    )


@pytest.mark.plain
@pytest.mark.parametrize(
    ("command", "option", "expected"),
    [
        ("analyze", "--mode", "static, monte_carlo, mcts, full_game or ismcts"),
        ("analyze", "--device", "cpu or cuda"),
        ("analyze", "--rank-by", "score or win_rate"),
        ("catan simulate", "--device", "cpu or cuda"),
        ("catan advise x", "--mode", "full_game or ismcts"),
        ("catan tree x --at 1", "--format", "text, json, dot or svg"),
        ("coup tree", "--format", "text, json, dot or svg"),
        ("onepiece tree x --at 1", "--format", "text, json, dot or svg"),
        ("export x y", "--format", "kibitz or colonist-text"),
        ("track x", "--format", "kibitz, colonist-replay,"),
        ("import x", "--format", "kibitz, colonist-replay,"),
    ],
)
def test_a_name_that_is_none_of_those_to_choose_from(kibitz, command, option, expected):
    assert refused(kibitz(*command.split(), option, "luck")).startswith(f"{option} luck: expected {expected}")


@pytest.mark.plain
@pytest.mark.parametrize("command", [*READERS, "track", "import", "onepiece import"])
def test_a_file_that_is_not_there(kibitz, command):
    assert refused(kibitz(*asked(command, "missing.jsonl"))).startswith("missing.jsonl: no such file")


@pytest.mark.plain
@pytest.mark.parametrize(
    ("command", "option"),
    [("coup simulate", "--games"), ("catan tournament", "--games"), ("tournament kuhn", "--games"), ("coup tree", "--turns")],
)
def test_numbers_have_bounds(kibitz, command, option):
    error = refused(kibitz(*command.split(), option, "9" * 20))
    assert error.startswith(f"{option}: ")
    assert "less than or equal to" in error


@pytest.mark.plain
@pytest.mark.parametrize(
    "command",
    [
        "coup advise FILE", "coup tree FILE", "coup simulate --guard FILE", "catan simulate --board FILE",
        "onepiece import FILE", "onepiece simulate --decks FILE,tide", "onepiece simulate --cards FILE", "track FILE",
    ],
)  # fmt: skip
def test_a_file_that_is_too_large(kibitz, tmp_path, command):
    large = tmp_path / "large.json"
    with large.open("wb") as file:
        file.truncate((64 << 20) + 1)
    assert "64 MB" in refused(kibitz(*command.replace("FILE", str(large)).split()))


@pytest.mark.plain
def test_a_name_in_two_lines_is_told_in_one(kibitz):
    assert refused(kibitz("catan", "replay", "two\nlines\x1b[1m.jsonl")) == "two lines[1m.jsonl: no such file"


@pytest.mark.plain
@pytest.mark.parametrize("command", [command for command in READERS if command != "catan advise"])
def test_what_is_no_record(kibitz, command):
    Path("other.jsonl").write_text("no record\n")
    assert refused(kibitz(*asked(command, "other.jsonl"))).startswith("other.jsonl: line 1: not JSON: Expecting value")
    Path("other.jsonl").write_text('{"record": "chess", "version": 1}\n')
    assert refused(kibitz(*asked(command, "other.jsonl"))).startswith("other.jsonl: line 1: ")


@pytest.mark.plain
@pytest.mark.parametrize("command", READERS)
def test_a_record_of_another_game(kibitz, records, command):
    other = records["catan" if READERS[command] == "coup" else "coup"]
    assert refused(kibitz(*asked(command, other))).startswith(f"{other}: line 1: ")


@pytest.mark.plain
@pytest.mark.parametrize("command", OF_ONE_GAME)
def test_a_game_that_the_record_does_not_hold(kibitz, records, command):
    file = records[READERS[command]]
    assert refused(kibitz(*asked(command, file, "--game", 7))) == f"{file}: there is no game 7; the file holds 1"


@pytest.mark.plain
@pytest.mark.parametrize("command", [command for command in OF_ONE_GAME if command != "export"])
def test_a_step_that_the_game_does_not_have(kibitz, records, command):
    error = refused(kibitz(*command.split(), records[READERS[command]], "--at", 99999))
    assert re.fullmatch(r"--at 99999: the game has steps 0 to \d+", error)


@pytest.mark.plain
@pytest.mark.parametrize("game", ["catan", "coup", "onepiece"])
def test_a_turn_that_the_game_does_not_have(kibitz, records, game):
    error = refused(kibitz(game, "show", records[game], "--turn", 9999))
    assert re.fullmatch(r"--turn 9999: the game has turns 0 to \d+", error)
    assert refused(kibitz(game, "show", records[game], "--turn", 1, "--at", 1)) == (
        "--turn and --at: one position is shown; give one of the two"
    )


@pytest.mark.plain
@pytest.mark.parametrize(
    ("words", "seats"),
    [
        (["analyze", "beginner"], 4),
        (["analyze", "@catan"], 3),
        (["catan", "advise", "@catan", "--at", "0"], 3),
        (["export", "@catan", "out.txt"], 3),
        (["catan", "tree", "@catan", "--at", "40"], 3),
        (["coup", "advise", "@coup", "--at", "40"], 3),
        (["coup", "tree"], 2),
        (["catan", "play"], 4),
        (["coup", "play"], 2),
        (["onepiece", "play"], 2),
        (["onepiece", "tree", "@onepiece", "--at", "40"], 2),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
@pytest.mark.parametrize("seat", [0, 9])
def test_a_seat_that_is_not_at_the_table(kibitz, records, words, seats, seat):
    assert refused(kibitz(*with_records(words, records), "--seat", seat)) == f"--seat {seat}: the seats are 1 to {seats}"


@pytest.mark.plain
@pytest.mark.parametrize(
    "words",
    [["analyze"], ["catan", "advise", "@catan"], ["coup", "advise", TOLD], ["coup", "solve", "--coins", "6,6", "--turns", "1"]],
)
def test_a_time_that_is_none(kibitz, records, words):
    assert refused(kibitz(*with_records(words, records), "--time", -1)).startswith("--time -1.0: expected ")


@pytest.mark.plain
@pytest.mark.parametrize(
    "words",
    [
        ["catan", "simulate", "--record"], ["coup", "simulate", "--record"], ["onepiece", "simulate", "--record"],
        ["catan", "play", "--record"],
        ["coup", "play", "--record"], ["onepiece", "play", "--record"], ["analyze", "--svg"], ["coup", "tree", "--out"],
        ["catan", "show", "@catan", "--svg"], ["catan", "tree", "@catan", "--at", "40", "--out"],
        ["onepiece", "tree", "@onepiece", "--at", "40", "--out"], ["export", "@catan"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_file_that_cannot_be_written(kibitz, records, words):
    assert refused(kibitz(*with_records(words, records), "nowhere/file.txt")) == "nowhere/file.txt: there is no folder nowhere"


@pytest.mark.plain
@pytest.mark.parametrize(("option", "value"), [("--games", "0"), ("--games", "x"), ("--seed", "x"), ("--jobs", "0")])
@pytest.mark.parametrize("command", ["catan simulate", "catan tournament", "coup simulate", "coup tournament"])
def test_what_is_no_number(kibitz, command, option, value):
    error = refused(kibitz(*command.split(), option, value))
    assert error.startswith(f"{option}: ")
    assert error.endswith(f"(see kibitz {command} --help)")


@pytest.mark.plain
@pytest.mark.parametrize("game", ["catan", "coup", "onepiece"])
def test_too_many_and_too_few_players(kibitz, game):
    for players in ("0", "1", "7", "random", ",".join(["random"] * 7)):
        error = refused(kibitz(game, "simulate", "--players", players))
        title = re.escape(known(game).title)
        assert re.fullmatch(rf"--players {players}: {title} is for [\d to]+ players", error)
    for players in ("random", "random,random"):
        error = refused(kibitz(game, "tournament", "--players", players))
        assert error == f"--players {players}: name at least two bots, each once"
    error = refused(kibitz(game, "simulate", "--players", "random,random", "--policy", "random"))
    assert error == "--policy is for all seats; --players names a bot for each: give one of the two"
    error = refused(kibitz(game, "simulate", "--full"))
    assert error == "--full adds to what --record writes; name a file with --record FILE"


def test_a_board_that_is_no_text_is_refused_in_plain_words(kibitz, tmp_path):
    odd = tmp_path / "odd"
    odd.write_bytes(b"caf\xe9")
    for option, command in (("", ("analyze",)), ("--board ", ("catan", "simulate", "--board"))):
        code, out, err = kibitz(*command, odd)
        assert (code, out) == (2, "")
        assert err == f"kibitz: {option}{str(odd)[:80]}: not a text in UTF-8\n"


def test_a_link_to_itself_cannot_be_written(kibitz, tmp_path):
    loop, dangling = tmp_path / "loop.jsonl", tmp_path / "link.jsonl"
    loop.symlink_to(loop)
    assert kibitz("coup", "simulate", "--record", loop) == (2, "", f"kibitz: {loop}: is a symbolic link to itself\n")
    dangling.symlink_to(tmp_path / "new.jsonl")
    assert kibitz("coup", "simulate", "--record", dangling)[0] == 0
    assert (tmp_path / "new.jsonl").is_file()
