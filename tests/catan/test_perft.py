"""Perft: how many ways there are to play on from fixed positions, outcomes of chance included.

`tests/golden/perft.json` holds the positions (as the moves that lead to them), the number of ways for each depth, and for
the greatest depth a breakdown by the first action: when a count is wrong, the breakdown tells which action it is.

After a deliberate change of a rule, count again and read the diff:

    python -m tests.catan.test_perft --write
"""

import copy
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from kibitz import game
from kibitz.catan import Action, Board, Rules
from kibitz.catan.core.record import Record
from kibitz.catan.core.state import new_states
from kibitz.game import structs, verbs
from tests.catan.referee import Position, act, check_win, legal

FILE = Path(__file__).parents[1] / "golden" / "perft.json"
POSITIONS: dict[str, dict[str, Any]] = json.loads(FILE.read_text())


def reach(position: dict[str, Any]) -> Any:
    """The state after the moves of a position, each of which must be legal."""
    states = new_states(Board.from_text(position["board"]), position["seats"], Rules(**position["rules"]))
    for number, text in enumerate(position["moves"]):
        code = Action.from_text(text).code
        assert game.why_not_at(states, 0, code) == 0, f"move {number}, {text}, is not legal"
        game.apply_at(states, 0, code)
    return states


def perft(states: Any, depth: int, level: int = 0) -> int:
    """The number of different ways to take `depth` more steps from ``states[level]``; the rows below are work space."""
    actions = game.legal_actions(states, level)
    if depth == 1:
        return len(actions)
    ways = 0
    for a in actions:
        verbs.copy(states, level + 1, level)
        game.apply_at(states, level + 1, a)
        ways += perft(states, depth - 1, level + 1)
    return ways


def with_work_space(states: Any, depth: int) -> Any:
    """An array of states whose first one is the given one."""
    wide = structs(states.dtype, depth + 1)
    wide[:1] = states
    return wide


def divide(states: Any, depth: int) -> dict[str, int]:
    """`perft` by the first action."""
    ways = {}
    for a in game.legal_actions(states):
        after = with_work_space(states, depth)
        game.apply_at(after, 0, a)
        ways[Action.from_code(a).to_text()] = perft(after, depth - 1) if depth > 1 else 1
    return ways


def differences(expected: dict[str, int], found: dict[str, int]) -> list[str]:
    """One line for each first action whose count is not the expected one."""
    lines = []
    for action in {**expected, **found}:
        before, now = expected.get(action, "not legal"), found.get(action, "not legal")
        if before != now:
            lines.append(f"{action}: expected {before}, found {now}")
    return lines


@pytest.mark.parametrize("name", POSITIONS)
def test_perft(name):
    position = POSITIONS[name]
    states = reach(position)
    depth = len(position["ways"])
    ways = divide(states, depth)
    assert differences(position["divide"], ways) == []
    shallower = [perft(with_work_space(states, d), d) for d in range(1, depth)]
    assert [*shallower, sum(ways.values())] == position["ways"]


@pytest.mark.plain
@pytest.mark.parametrize("name", POSITIONS)
def test_perft_at_small_depths(name):
    position = POSITIONS[name]
    states = reach(position)
    assert [perft(with_work_space(states, d), d) for d in (1, 2)] == position["ways"][:2]


# --- counts that need no engine -------------------------------------------------------------------------------


def island() -> dict[tuple[int, int], set[tuple[int, int]]]:
    """The neighbours of every corner, from the shape of the island alone."""
    shape = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)]
    near: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for row, width in enumerate((3, 4, 5, 4, 3)):
        for x in range(1 - width, width, 2):
            corners = [(x + dx, 3 * row + dy) for dx, dy in shape]
            for i in range(6):
                near.setdefault(corners[i], set()).update((corners[i - 1], corners[(i + 1) % 6]))
    return near


def setup_ways(near: dict[Any, set[Any]], free: set[Any], depth: int) -> int:
    """Set-up by hand: a settlement on a free corner closes its neighbours; each of its edges can take the road."""
    if depth < 2:
        return len(free) if depth else 1
    return sum(len(near[corner]) * setup_ways(near, free - {corner} - near[corner], depth - 2) for corner in free)


@pytest.mark.parametrize("name", [name for name in POSITIONS if name.startswith("start")])
def test_the_ways_of_set_up_follow_from_the_shape_of_the_island(name):
    near = island()
    assert len(near) == 54
    assert sum(map(len, near.values())) == 2 * 72
    ways = POSITIONS[name]["ways"]
    assert ways[:3] == [54, 144, 36 * 3 * 50 + 18 * 2 * 51]  # 36 corners have three neighbours, 18 have two
    assert ways == [setup_ways(near, set(near), depth) for depth in range(1, len(ways) + 1)]


def test_the_dice_and_the_robber_give_known_counts():
    ways = POSITIONS["after set-up"]["ways"]
    assert ways[:2] == [1, 11]
    assert POSITIONS["knight"]["ways"][0] == 18


def test_answers_to_an_offer_double_with_each_player_who_can_accept():
    position = POSITIONS["answers to an offer"]
    states = reach(position)
    row = game.to_dict(states)
    others = [seat for seat in range(position["seats"]) if seat != row["player"]]
    able = [seat for seat in others if all(row["hand"][seat][r] >= -row["offer"][r] for r in range(5))]
    assert position["ways"][len(others) - 1] == 2 ** len(able)
    assert len(able) == 2


def referee_position(position: dict[str, Any]) -> Position:
    """The referee's own idea of a position."""
    seats = ("",) * position["seats"]
    p = Position(Record(Board.from_text(position["board"]), Rules(**position["rules"]), seats=seats, codes=()).header())
    for text in position["moves"]:
        referee_step(p, text)
    return p


def referee_step(p: Position, text: str) -> None:
    action = Action.from_text(text).to_json()
    act(p, p.actor(), action["kind"], action["data"])
    check_win(p)


@pytest.mark.parametrize("name", [name for name in POSITIONS if not name.startswith("start")])
def test_the_referee_counts_the_same_ways(name):
    position = POSITIONS[name]
    p = referee_position(position)
    ways = {}
    for text in legal(p):
        after = copy.deepcopy(p)
        referee_step(after, text)
        ways[text] = len(legal(after))
    assert [len(ways), sum(ways.values())] == position["ways"][:2]
    assert differences(divide(reach(position), 2), ways) == []


def test_a_wrong_count_is_named():
    position = POSITIONS["after set-up"]
    right = position["divide"]
    wrong = {**right, "roll_dice": right["roll_dice"] + 1, "end_turn": 1}
    assert differences(wrong, divide(reach(position), len(position["ways"]))) == [
        f"roll_dice: expected {right['roll_dice'] + 1}, found {right['roll_dice']}",
        "end_turn: expected 1, found not legal",
    ]


def write() -> None:
    """Count again, to the depths that the file has."""
    for name, position in POSITIONS.items():
        states, depth = reach(position), len(position["ways"])
        position["divide"] = divide(states, depth)
        position["ways"] = [perft(with_work_space(states, d), d) for d in range(1, depth + 1)]
        print(name, position["ways"])
    FILE.write_text(json.dumps(POSITIONS, indent=1) + "\n")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    write()
