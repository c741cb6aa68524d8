"""Golden games of Coup, one for each rule option: stored actions, replayed.

After a deliberate change of a rule, write the consequences anew and read the diff; or let the bots play a game anew:

    python -m tests.coup.test_golden --write
    python -m tests.coup.test_golden --record coup-honest
"""

import json
import re
from collections import Counter
from functools import partial
from typing import Any

import pytest

from kibitz.coup import Rules
from kibitz.coup.core.game_state import position
from kibitz.coup.core.state import new_states
from tests.playthrough import FOLDER, Header, Kind, check_golden, golden_command, golden_text, recorded, replayed

HOW = "python -m tests.coup.test_golden --write"

#: How the games were recorded: seed, bots and options.
GAMES = {
    "two-players": (1, ["random"] * 2, Rules()),
    "heuristic": (33, ["heuristic"] * 4, Rules()),
    "honest": (3, ["honest"] * 3, Rules()),
    "six-players": (4, ["random", "honest", "heuristic"] * 2, Rules()),
    "no-block-after-challenge": (17, ["random"] * 4, Rules(target_may_block_after_failed_challenge=False)),
    "no-refund": (6, ["random"] * 5, Rules(refund_on_caught_bluff=False)),
    "steal-from-zero": (31, ["random"] * 3, Rules(steal_from_zero=True)),
    "turn-limit": (8, ["heuristic", "honest"], Rules(max_turns=6)),
}


def start(header: Header) -> Any:
    """The first position, from the options that are not as usual, and the number of players."""
    return new_states(int(header["seats"]), Rules(**json.loads(header["rules"])))


def facts(states: Any) -> dict[tuple[str, str], int | bool | str]:
    """Coins and cards of everybody."""
    here = position(states)
    found: dict[tuple[str, str], int | bool | str] = {}
    for seat, coins in enumerate(here["coins"]):
        who = f"P{seat + 1}"
        found[who, "coins"] = coins
        found |= {(who, card): n for card, n in Counter(here["hands"][seat]).items()}
        found |= {(who, f"lost {card}"): n for card, n in Counter(here["revealed"][seat]).items()}
    found["", "winner"] = "" if here["winner"] is None else f"P{here['winner'] + 1}"
    return found


def turn(states: Any) -> str:
    """Whose turn it is."""
    here = position(states)
    return f"turn {here['turn']}, P{here['player'] + 1}" if here["turn"] else "deal"


KIND = Kind(start, facts, turn)


def record(name: str) -> str:
    """The file of a game that the bots play now."""
    seed, bots, rules = GAMES[name]
    changed = {option: value for option, value in rules.to_json().items() if value != Rules().to_json()[option]}
    return golden_text(KIND, [recorded(KIND, {"rules": json.dumps(changed), "seats": str(len(bots))}, bots, seed)])


@pytest.mark.plain
@pytest.mark.parametrize("name", GAMES)
def test_golden(name):
    check_golden(f"coup-{name}.txt", replayed(KIND, f"coup-{name}.txt"), HOW)


def test_the_games_show_what_their_options_do():
    text = {name: (FOLDER / f"coup-{name}.txt").read_text() for name in GAMES}
    everything = "".join(text.values())
    for kind in ("income", "foreign_aid", "tax", "exchange", "coup", "assassinate", "steal", "challenge", "block", "show"):
        assert f"  {kind}" in everything
    unblocked = r"assassinate \d.*\n(.*allow.*\n)*.*challenge.*\n.*show assassin.*\n.*lose \w+.*\n.*drawn \w+.*\n.*lose"
    assert re.search(unblocked, text["no-block-after-challenge"])
    assert re.search(r"P1: coins -2; (.*\n){2}.*P3 .* steal 1\n", text["steal-from-zero"])  # who has none left
    assert re.search(r"assassinate 5 \| P1: coins -3\n.*\n.*challenge\n.*lose captain \| .*\n--- turn 10", text["no-refund"])
    assert "--- turn 6," in text["turn-limit"]
    assert "--- turn 7," not in text["turn-limit"]
    assert all(len(content) < 24_000 for content in text.values())


if __name__ == "__main__":
    golden_command(KIND, {f"coup-{name}.txt": partial(record, name) for name in GAMES}, __doc__ or "")
