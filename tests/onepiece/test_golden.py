"""Playthroughs of the One Piece card game against the transcripts in `tests/golden/`.

After a deliberate change, write them anew and read the diff:

    python -m tests.onepiece.test_golden --write
"""

import sys
from pathlib import Path

import pytest

from kibitz.onepiece.core.decks import starter
from kibitz.onepiece.core.record import simulate
from kibitz.onepiece.looplab.cards import lab

pytestmark = pytest.mark.plain

FOLDER = Path(__file__).parent.parent / "golden"
HOW = "python -m tests.onepiece.test_golden --write"
#: Seed, bots and decks.
GAMES = {
    "greedy": (1, ["greedy", "greedy"], ("tide", "ember")),
    "random": (2, ["random", "random"], ("ember", "tide")),
}


def scoreboard(s):
    """A line at the beginning of each turn: Life, hand, deck, DON!! and the field of both players."""
    sides = []
    for seat in range(2):
        units = " ".join(f"{s.card(u).id}{'*' if u.rested else ''}" for u in s.units(seat))
        don = s.active[seat] + s.rested[seat]
        sides.append(f"life {len(s.life[seat])} hand {len(s.hand[seat])} deck {s.deck_size(seat)} don {don} {units}")
    return f"--- turn {s.turn} P{s.player + 1}: {' | '.join(sides)}"


def play(name):
    seed, bots, decks = GAMES[name]
    record = simulate(bots, seed, (starter(decks[0]), starter(decks[1])))
    lines = [f"seed    {seed}", f"seats   {', '.join(bots)}", f"decks   {', '.join(decks)}", "", " step actor legal action"]
    turn = 0
    for step, ((s,), code) in enumerate(zip(record.states(), record.codes, strict=False)):
        if s.turn != turn:
            turn = s.turn
            lines.append(scoreboard(s))
        actor = "chance" if s.actor() < 0 else f"P{s.actor() + 1}"
        lines.append(f"{step:5} {actor:6} {len(s.actions()):4} {record.action(code).to_text()}")
    *_, (last,) = record.states()
    return "\n".join([*lines, f"--- end: P{last.winner + 1} wins by {last.ending}", ""])


def loops():
    """The first steps of every loop of the lab."""
    from kibitz.onepiece.core.actions import Action
    from kibitz.onepiece.looplab.cards import ROWS

    lines = []
    for row in ROWS:
        for changed in (False, True):
            bench = lab(row, changed)
            lines.append(f"--- {row}{' (changed)' if changed else ''}: {bench.title}: {bench.verdict}")
            for s, code in bench.play(8):
                actor = "chance" if s.actor() < 0 else f"P{s.actor() + 1}"
                lines.append(f"  {actor:6} {len(s.actions()):3} {Action.from_code(code, s.table).to_text()}")
    return "\n".join([*lines, ""])


def transcripts():
    return {**{f"onepiece-{name}.txt": play(name) for name in GAMES}, "onepiece-loops.txt": loops()}


@pytest.mark.parametrize("file", ["onepiece-greedy.txt", "onepiece-random.txt", "onepiece-loops.txt"])
def test_the_game_is_played_as_it_was(file):
    assert transcripts()[file] == (FOLDER / file).read_text(encoding="utf-8"), f"if that was intended: {HOW}"


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        raise SystemExit(f"usage: {HOW}")
    for file, text in transcripts().items():
        (FOLDER / file).write_text(text, encoding="utf-8")
