"""Golden games of Catan, one for each set of rule options: stored actions, replayed.

After a deliberate change of a rule, write the consequences anew and read the diff; or let the bots play a game anew:

    python -m tests.catan.test_golden --write
    python -m tests.catan.test_golden --record catan-friendly-robber
"""

import json
import re
from functools import partial
from typing import Any

import pytest

from kibitz.catan import Board, Rules
from kibitz.catan.core.position import position
from kibitz.catan.core.state import new_states
from tests.playthrough import (
    FOLDER,
    Header,
    Kind,
    check_golden,
    golden_command,
    golden_text,
    recorded,
    replayed,
)  # fmt: skip

HOW = "python -m tests.catan.test_golden --write"

#: How the games were recorded: seed (of the board, too), bots and options.
GAMES = {
    "builder-trade": (1, ["builder-0.1"] * 4, Rules()),
    "random-no-trade": (2, ["random"] * 4, Rules(domestic_trade=False)),
    "random-trade": (3, ["random"] * 3, Rules(max_turns=30)),
    "two-players": (4, ["builder-0.1", "random"], Rules()),
    "three-players": (5, ["builder-0.1"] * 3, Rules(victory_points=8)),
    "friendly-robber": (6, ["builder-0.1", "random", "builder-0.1"], Rules(friendly_robber=True)),
    "all-or-nothing-bank": (
        7,
        ["builder-0.1"] * 4,
        Rules(all_or_nothing_bank=True, domestic_trade=False, discard_limit=95, victory_points=14, max_turns=250),
    ),
    "phased-turns": (51, ["builder-0.1", "random", "builder-0.1", "random"], Rules(phased_turns=True, offer_limit=1)),
    "declined-road": (90, ["random"] * 2, Rules(domestic_trade=False, max_turns=60)),
    "turn-limit": (10, ["random", "builder-0.1"], Rules(max_turns=12, discard_limit=4)),
}


def start(header: Header) -> Any:
    """The first position, from the board, the options that are not as usual, and the number of players."""
    board, rules = Board.from_text(header["board"]), Rules(**json.loads(header["rules"]))
    return new_states(board, int(header["seats"]), rules)


def facts(states: Any) -> dict[tuple[str, str], int | bool | str]:
    """What is on the table and in the hands."""
    here = position(states)
    found: dict[tuple[str, str], int | bool | str] = {("", "robber"): f"h{here['robber']}"}
    for seat, points in enumerate(here["visible_points"]):
        who = f"P{seat + 1}"
        found |= {(who, resource): n for resource, n in here["hands"][seat].items()}
        found |= {(who, f"{card} card"): n for card, n in here["dev_cards"][seat].items()}
        found |= {(who, f"played {card}"): n for card, n in here["played_dev_cards"][seat].items()}
        found |= {(who, f"road {a}-{b}"): True for a, b in here["roads"][seat]}
        found |= {(who, f"settlement {corner}"): True for corner in here["settlements"][seat]}
        found |= {(who, f"city {corner}"): True for corner in here["cities"][seat]}
        found[who, "road length"] = here["longest_road"]["lengths"][seat]
        found[who, "points"] = points
        found[who, "to discard"] = here["discards"][seat]
    for name, card in (("Longest Road:", "longest_road"), ("Largest Army:", "largest_army")):
        found["", name] = "" if here[card]["holder"] is None else f"P{here[card]['holder'] + 1}"
    found["", "winner"] = "" if here["winner"] is None else f"P{here['winner'] + 1}"
    return found


def turn(states: Any) -> str:
    """Whose turn it is."""
    here = position(states)
    return f"turn {here['turn']}, P{here['player'] + 1}" if here["turn"] else "set-up"


KIND = Kind(start, facts, turn)


def record(name: str) -> str:
    """The file of a game that the bots play now."""
    seed, bots, rules = GAMES[name]
    changed = {option: value for option, value in rules.to_json().items() if value != Rules().to_json()[option]}
    header = {"board": Board.random(seed).to_text(), "rules": json.dumps(changed), "seats": str(len(bots))}
    return golden_text(KIND, [recorded(KIND, header, bots, seed)])


@pytest.mark.untraced
@pytest.mark.plain
@pytest.mark.parametrize("name", GAMES)
def test_golden(name):
    check_golden(f"catan-{name}.txt", replayed(KIND, f"catan-{name}.txt"), HOW)


def test_the_games_show_what_their_options_do():
    text = {name: (FOLDER / f"catan-{name}.txt").read_text() for name in GAMES}
    assert "confirm_trade" in text["builder-trade"]
    assert "offer_trade" not in text["random-no-trade"]
    assert "reveal_vp" in text["phased-turns"]
    assert "skip_steal" in text["phased-turns"]
    assert re.search(r"play_road_building.*\n.*place_free_road.*\n.* end_road_building\n", text["declined-road"])
    assert "discard_resource" in text["turn-limit"]
    assert "--- turn 12," in text["turn-limit"]
    assert "--- turn 13," not in text["turn-limit"]
    choices = {name: {int(n) for n in re.findall(r"P\d +(\d+)  move_robber", content)} for name, content in text.items()}
    assert choices["builder-trade"] == {18}
    assert min(choices["friendly-robber"]) < 18
    assert all(len(content) < 80_000 for content in text.values())


if __name__ == "__main__":
    golden_command(KIND, {f"catan-{name}.txt": partial(record, name) for name in GAMES}, __doc__ or "")
