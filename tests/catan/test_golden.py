"""Playthroughs of Catan, one for each set of rule options, against the transcripts in `tests/golden/`.

After a deliberate change, write them anew and read the diff:

    python -m tests.catan.test_golden --write
"""

import re
from functools import partial
from typing import Any

import pytest

from kibitz.catan import GAME, Board, Rules
from kibitz.catan.core.position import points_of
from kibitz.catan.core.state import new_states
from kibitz.game import to_dict
from tests.playthrough import FOLDER, check_golden, transcript, write_golden

HOW = "python -m tests.catan.test_golden --write"
HEAD, TAIL = 320, 160

#: Seed (of the board, too), bots and options.
GAMES = {
    "builder-trade": (1, ["builder"] * 4, Rules()),
    "random-no-trade": (2, ["random"] * 4, Rules(domestic_trade=False)),
    "random-trade": (3, ["random"] * 3, Rules(max_turns=30)),
    "two-players": (4, ["builder", "random"], Rules()),
    "three-players": (5, ["builder"] * 3, Rules(victory_points=8)),
    "friendly-robber": (6, ["builder", "random", "builder"], Rules(friendly_robber=True)),
    "all-or-nothing-bank": (
        7,
        ["builder"] * 4,
        Rules(all_or_nothing_bank=True, domestic_trade=False, discard_limit=95, victory_points=14, max_turns=250),
    ),
    "phased-turns": (51, ["builder", "random", "builder", "random"], Rules(phased_turns=True, offer_limit=1)),
    "turn-limit": (10, ["random", "builder"], Rules(max_turns=12, discard_limit=4)),
}


class Scoreboard:
    """A line at the beginning of each turn: points (with hidden ones), cards, development cards, road, knights."""

    def __init__(self) -> None:
        self.turn = 0

    def __call__(self, states: Any) -> str | None:
        row = to_dict(states)
        over = row["phase"] == 16
        if row["turn"] == self.turn and not over:
            return None
        self.turn = row["turn"]
        players = []
        for seat in range(row["seats"]):
            visible, total = points_of(row, seat)
            hand = "".join(f"{letter}{n}" for letter, n in zip("WBSGO", row["hand"][seat], strict=True) if n) or "-"
            marks = "r" * (row["road_holder"] == seat) + "a" * (row["army_holder"] == seat)
            built = f"l{row['road_length'][seat]} k{row['played'][seat][0]}"
            players.append(f"{visible}({total}){marks} {hand} d{row['dev_size'][seat]} {built}")
        title = "end" if over else f"turn {row['turn']} P{row['player'] + 1}"
        return f"--- {title}: {' | '.join(players)}"


def play(name: str) -> str:
    seed, bots, rules = GAMES[name]
    board = Board.random(seed)
    lines = transcript(
        GAME,
        new_states(board, len(bots), rules),
        seed,
        [GAME.policies[bot] for bot in bots],
        Scoreboard(),
        head=HEAD,
        tail=TAIL,
    )
    head = [f"board   {board.to_text()}", f"rules   {rules!r}", f"seed    {seed}", f"seats   {', '.join(bots)}"]
    legend = "--- points (hidden ones too) r: Longest Road, a: Largest Army; hand; d: development cards; l: road; k: knights"
    return "\n".join([*head, legend, "", " step actor legal action", *lines, ""])


@pytest.mark.parametrize("name", GAMES)
def test_golden(name):
    check_golden(f"catan-{name}.txt", play(name), HOW)


@pytest.mark.plain
def test_golden_in_a_short_game():
    check_golden("catan-turn-limit.txt", play("turn-limit"), HOW)


def test_the_transcripts_show_what_their_options_do():
    text = {name: (FOLDER / f"catan-{name}.txt").read_text() for name in GAMES}
    assert "confirm_trade" in text["builder-trade"]
    assert "offer_trade" not in text["random-no-trade"]
    assert "reveal_vp" in text["phased-turns"]
    assert "skip_steal" in text["phased-turns"]
    assert "discard_resource" in text["turn-limit"]
    assert "--- turn 12 " in text["turn-limit"]
    assert "--- turn 13 " not in text["turn-limit"]
    choices = {name: {int(n) for n in re.findall(r"P\d +(\d+)  move_robber", content)} for name, content in text.items()}
    assert choices["builder-trade"] == {18}
    assert min(choices["friendly-robber"]) < 18
    assert all(len(content) < 60_000 for content in text.values())


if __name__ == "__main__":
    write_golden({f"catan-{name}.txt": partial(play, name) for name in GAMES}, __doc__ or "")
