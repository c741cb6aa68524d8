"""Golden games of the One Piece card game, and the loops of the lab: stored actions, replayed.

After a deliberate change of a rule, write the consequences anew and read the diff; or let the bots play a game anew:

    python -m tests.onepiece.test_golden --write
    python -m tests.onepiece.test_golden --record onepiece-greedy
"""

from collections import Counter
from functools import partial

import pytest

from kibitz.ground.plain_states import PlainStates
from kibitz.onepiece.core.decks import starter
from kibitz.onepiece.core.engine import game_with
from kibitz.onepiece.core.keys import position
from kibitz.onepiece.looplab import CARD_LAB
from tests.onepiece.positions import lab_steps
from tests.playthrough import Kind, check_golden, golden_command, golden_text, recorded, replayed

pytestmark = pytest.mark.plain

HOW = "python -m tests.onepiece.test_golden --write"
#: How the games were recorded: seed, bots and decks.
GAMES = {
    "greedy": (1, ["greedy", "greedy"], ("tide", "ember")),
    "random": (2, ["random", "random"], ("ember", "tide")),
}


def start(header):
    """The position before the deal, from the decks; or where a loop of the lab begins."""
    if "loop" in header:
        row, _, changed = header["loop"].partition(", ")
        state = CARD_LAB[row].state(bool(changed))
        return PlainStates(game_with(*state.table.decks), [state])
    return game_with(*map(starter, header["decks"].split())).new(2, 0)


def facts(states):
    """Both players' cards and DON!!."""
    here = position(states[0])
    found = {}
    for seat, side in enumerate(here["seats"]):
        who = f"P{seat + 1}"
        for zone in ("hand", "trash"):
            found |= {(who, f"{zone} {card}"): n for card, n in Counter(side[zone]).items()}
        found[who, "deck"] = side["deck"]["size"]
        found[who, "life"] = len(side["life"])
        found |= {(who, f"DON!! {where}"): n for where, n in side["don"].items()}
        for place, unit in side["field"].items():
            found[who, f"{place} {unit['card']}"] = True
            found[who, f"{place} rested"] = unit["rested"]
            found[who, f"{place} power"] = unit["power"]
    found["", "winner"] = "" if here["winner"] is None else f"P{here['winner'] + 1}"
    return found


def turn(states):
    """Whose turn it is."""
    return f"turn {states[0].turn}, P{states[0].player + 1}" if states[0].turn else "deal"


KIND = Kind(start, facts, turn)


def record(name):
    """The file of a game that the bots play now."""
    seed, bots, decks = GAMES[name]
    return golden_text(KIND, [recorded(KIND, {"decks": " ".join(decks)}, bots, seed)])


def record_loops():
    """The first steps of every loop of the lab."""
    games = []
    for name, row in CARD_LAB.items():
        for changed, verdict in ((False, row.expected), (True, row.flipped_to)):
            header = {"loop": f"{name}{', changed' if changed else ''}", "verdict": f"{row.title}: {verdict}"}
            games.append((header, [state.describe(code) for state, code in lab_steps(name, 8, changed)]))
    return golden_text(KIND, games)


RECORD = {**{f"onepiece-{name}.txt": partial(record, name) for name in GAMES}, "onepiece-loops.txt": record_loops}


@pytest.mark.parametrize("file", RECORD)
def test_golden(file):
    check_golden(file, replayed(KIND, file), HOW)


if __name__ == "__main__":
    golden_command(KIND, RECORD, __doc__ or "")
