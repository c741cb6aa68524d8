"""Windows from the middle of games whose end is known: they say so, and do not rule out what was true."""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pytest

from kibitz.catan import Board, Rules
from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.core.events import Cards
from kibitz.catan.core.record import Record, simulate
from kibitz.catan.logs import LogError, read
from kibitz.ground.rng import derive_seed
from tests.catan.logs import colonist_writer
from tests.catan.logs.writers import write

FORMATS = ("colonist-text", "colonist-html", "old wording")
_TABLES = ((4, None), (3, 6), (2, None), (4, 7))


@dataclass(frozen=True)
class Window:
    """The end of a game's log, from a line in the middle."""

    format: str
    index: int
    text: str
    truth: tuple[Cards, ...]


@cache
def _game(number: int) -> Record:
    seats, points = _TABLES[number % len(_TABLES)]
    rules = Rules() if points is None else Rules(victory_points=points)
    return simulate(Board.random(number), ["builder"] * seats, number, rules)


def window(format: str, index: int) -> Window:
    """One window; it depends on the format and the index alone."""
    chance = random.Random(derive_seed(2026, "windows", format, index))
    record = _game(chance.randrange(12))
    observer = chance.choice([None, 0, 1])
    if format == "colonist-html":
        rows = re.split(r"(?=<div[^>]*data-index)", colonist_writer.page(record, observer))[1:]
    else:
        text = colonist_writer.old_chat(record, observer) if format == "old wording" else write(record, format, observer)
        rows = text.splitlines(keepends=True)
    first = chance.randrange(len(rows) // 8, len(rows) * 7 // 8)
    (*_, states) = record.states()
    hands = tuple(Cards(*hand) for hand in states["hand"][0].tolist()[: len(record.seats)])
    return Window(format, index, "".join(rows[first:]), hands)


def judge(case: Window) -> list[str]:
    """What is wrong with what is said of a window; nothing where too few rows are left to tell who plays."""
    try:
        imported = read(case.text)
    except LogError:
        return []
    if len(imported.log.players) < len(case.truth):
        return [] if imported.doubts else ["a player is missing, and nothing says so"]
    wrong = []
    if not imported.incomplete:
        wrong.append("it does not say that it begins in the middle")
    tracker = HandTracker.of(imported.log, on_contradiction="repair")
    json.dumps(imported.doubts.added_to({"approximate": tracker.approximate}))
    order = _seats(imported.log.players, len(case.truth))
    for seat, hand in zip(order, case.truth, strict=True):
        for resource, n in hand._asdict().items():
            chance = tracker.marginal(seat, resource).distribution.get(n, 0.0)
            if chance <= 0:
                wrong.append(f"{imported.log.players[seat]} holds {n} {resource}, which is said to be impossible")
    return wrong


def _seats(players: tuple[str, ...], count: int) -> Iterator[int]:
    """Where each player of the game sits in the log: a window may begin with anybody's turn."""
    for number in range(count):
        yield players.index(f"Player {number + 1}")


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("index", [2, 6, 9])
def test_a_window_does_not_rule_out_what_was_true(format, index):
    assert judge(window(format, index)) == []
