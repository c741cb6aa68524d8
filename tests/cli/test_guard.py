"""``--guard`` on the commands that play games: what is printed and written, and what is refused in one line."""

import json
import re

import pytest

HEURISTIC = ("coup", "simulate", "--players", 4, "--policy", "heuristic-0.1", "--games", 60)


def test_simulate_says_what_the_guard_found_and_replay_agrees(kibitz, tmp_path):
    file = tmp_path / "games.jsonl"
    code, out, err = kibitz(*HEURISTIC, "--guard", "draw", "--record", file)
    assert (code, err) == (0, "")
    found = re.search(r"loops: in (\d+) of 60 games, (\d+) games? drawn by the loop rule", out)
    assert found
    assert "turn limit" not in out
    assert file.read_text().count('"termination": "loop"') == int(found[2]) >= 1
    assert kibitz("coup", "replay", file)[0] == 0
    assert found[0] in kibitz(*HEURISTIC, "--guard", "draw")[1]
    first, *rest = file.read_text().splitlines()
    header = json.loads(first)
    header["guard"]["infiniteLoopRules"]["actionLimits"] = {"allow": 1}
    file.write_text("\n".join([json.dumps(header), *rest]))
    for command in ("replay", "show"):
        code, _, err = kibitz("coup", command, file)
        assert code == 2
        assert re.search(r"line \d+: step \d+: .*the loop rule forbids it here\n$", err)


def test_without_a_guard_the_same_games_reach_the_turn_limit(kibitz):
    out = kibitz(*HEURISTIC)[1]
    assert "without a winner" in out
    assert "loop" not in out


def test_a_rules_file_of_ones_own(kibitz, tmp_path):
    file = tmp_path / "rules.json"
    file.write_text('{"infiniteLoopRules": {"model": "draw", "maxRepeats": 2}}')
    code, out, _ = kibitz(*HEURISTIC, "--guard", file)
    assert code == 0
    assert re.search(r"loops: in \d+ of 60 games", out)
    file.write_text('{"infiniteLoopRules": {"maxRepeats": 0}}')
    code, _, err = kibitz(*HEURISTIC, "--guard", file)
    assert code == 2
    assert "infiniteLoopRules.maxRepeats: 0: expected a whole number" in err
    assert err.count("\n") == 1


def test_tournaments_count_draws(kibitz):
    options = ("--players", "heuristic,honest", "--seats", 3, "--games", 200, "--guard", "draw")
    code, out, _ = kibitz("coup", "tournament", *options)
    assert code == 0
    drawn = re.search(r"(\d+) games? drawn by the loop rule", out)
    assert drawn
    assert json.loads(kibitz("coup", "tournament", *options, "--json")[1])["drawn"] == int(drawn[1])


def test_catan_and_one_piece_take_a_guard_too(kibitz, tmp_path):
    file = tmp_path / "games.jsonl"
    options = ("--guard", "onepiece", "--record", file)
    code, out, _ = kibitz("catan", "simulate", "--games", 2, "--policy", "builder", "--players", 2, *options)
    assert (code, "loops: none in 2 games" in out) == (0, True)
    assert kibitz("catan", "replay", file)[0] == 0
    code, out, _ = kibitz("onepiece", "simulate", "--games", 2, *options)
    assert (code, "loops: none in 2 games" in out) == (0, True)
    assert kibitz("onepiece", "replay", file)[0] == 0
    assert kibitz("onepiece", "tournament", "--games", 2, "--guard", "draw")[0] == 0
    assert kibitz("catan", "tournament", "--games", 2, "--players", "seed,random", "--seats", 2, "--guard", "draw")[0] == 0


def test_a_person_can_play_under_a_guard(kibitz, tmp_path):
    file = tmp_path / "game.jsonl"
    code, _, _ = kibitz(
        "coup", "play", "--seats", 2, "--guard", "onepiece", "--seed", 1, "--record", file, typed="1\n" * 60 + "q\n"
    )
    assert code == 0
    assert "guard" in json.loads(file.read_text().splitlines()[0])
    assert kibitz("coup", "replay", file)[0] == 0
    code, _, _ = kibitz("onepiece", "play", "--guard", "onepiece", "--record", file, typed="1\n" * 40 + "q\n")
    assert code == 0
    assert kibitz("onepiece", "replay", file)[0] == 0


def test_rollouts_of_an_analysis_can_be_guarded(kibitz, tmp_path):
    file = tmp_path / "rules.json"
    file.write_text('{"infiniteLoopRules": {"model": "draw"}}')
    options = ("analyze", "beginner", "--seats", 2, "--rollouts", 10, "--candidates", 2, "--json")
    free, named, own = (json.loads(kibitz(*options, *more)[1]) for more in ((), ("--guard", "draw"), ("--guard", file)))
    assert named["full_game_summary"] == own["full_game_summary"]
    for same in ("rollout_count", "expected_turns_to_victory", "average_game_length_turns", "unfinished"):
        assert named["full_game_summary"][same] == free["full_game_summary"][same]  # the same games, counted as they are
    assert (free["config"]["guard"], named["config"]["guard"]) == (None, "draw")
    assert "infiniteLoopRules" in own["config"]["guard"]
    searched = kibitz("analyze", "beginner", "--mode", "mcts", "--seats", 2, "--iterations", 20, "--guard", "draw", "--json")
    assert json.loads(searched[1])["config"]["guard"] == "draw"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("coup", "simulate", "--guard", "nope"),
            "--guard 'nope': no such model; choose from onepiece, declare, seed",
        ),
        (("catan", "simulate", "--guard", "draw", "--device", "cuda"), "--device cuda: loop guards do not run"),
        (("analyze", "--mode", "ismcts", "--guard", "draw"), "--guard: only for full_game and mcts, not for ismcts"),
        (("analyze", "--guard", "draw", "--device", "cuda"), "--guard and --device cuda"),
        (("onepiece", "play", "--guard", "nope"), "--guard 'nope'"),
    ],
)
def test_refusals_in_one_line(kibitz, arguments, words):
    code, out, err = kibitz(*arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


def test_a_person_is_warned_before_a_loop_and_told_the_way_out(capsys):
    """Player 2 alone can stop it: only player 2 hears how."""
    from kibitz.cli.players import guarded
    from kibitz.loops.config import MODELS
    from kibitz.loops.drive import play
    from kibitz.onepiece.looplab import CARD_LAB, at_position

    row = CARD_LAB["other"]
    for seat, way in ((0, ""), (1, "; you can leave it: decline Worn Lullaby Post")):
        play(row.start(), row.choose(), guarded(MODELS["declare"], seat, at_position), max_steps=11)
        assert capsys.readouterr().out.splitlines() == [
            f"loop guard: this position has come up 4 times: once more, and it is a loop{way}",
            f"loop guard: this position has come up 5 times: player 2 declares{way}",
        ]


def test_a_loop_that_is_let_go_on_is_told_once(capsys):
    from kibitz.cli.players import guarded
    from kibitz.loops.config import MODELS
    from kibitz.loops.drive import play
    from kibitz.loops.lab import LAB

    play(LAB["both"].start(), lambda position, actions: actions[0], guarded(MODELS["seed"], 0), max_steps=30)
    lines = capsys.readouterr().out.splitlines()
    assert ["is a loop" in line for line in lines] == [True, False]
    assert "the game continues" in lines[1]
