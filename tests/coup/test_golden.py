"""Playthroughs of Coup, one for each rule option, against the transcripts in `tests/golden/`.

After a deliberate change, write them anew and read the diff:

    python -m tests.coup.test_golden --write
"""

import re
from functools import partial
from typing import Any

import pytest

from kibitz.coup import GAME, Rules
from kibitz.coup.core.position import position
from kibitz.coup.core.state import new_states
from tests.playthrough import FOLDER, check_golden, transcript, write_golden

HOW = "python -m tests.coup.test_golden --write"

#: Seed, bots and options.
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


class Scoreboard:
    """A line at the beginning of each turn: coins, cards and lost cards of everybody."""

    def __init__(self) -> None:
        self.turn = 0

    def __call__(self, states: Any) -> str | None:
        here = position(states)
        over = here["actor"] is None
        if here["turn"] == self.turn and not over:
            return None
        self.turn = here["turn"]
        players = [
            f"{coins} {' '.join(hand) or 'out'}{f' ({chr(32).join(lost)})' if lost else ''}"
            for coins, hand, lost in zip(here["coins"], here["hands"], here["revealed"], strict=True)
        ]
        title = "end" if over else f"turn {self.turn} P{here['player'] + 1}"
        return f"--- {title}: {' | '.join(players)}"


def play(name: str) -> str:
    seed, bots, rules = GAMES[name]
    lines = transcript(GAME, new_states(len(bots), rules), seed, [GAME.policies[bot] for bot in bots], Scoreboard())
    head = [f"rules   {rules!r}", f"seed    {seed}", f"seats   {', '.join(bots)}", "--- coins, cards (and those lost)"]
    return "\n".join([*head, "", " step actor legal action", *lines, ""])


@pytest.mark.plain
@pytest.mark.parametrize("name", GAMES)
def test_golden(name):
    check_golden(f"coup-{name}.txt", play(name), HOW)


def test_the_transcripts_show_what_their_options_do():
    text = {name: (FOLDER / f"coup-{name}.txt").read_text() for name in GAMES}
    everything = "".join(text.values())
    for kind in ("income", "foreign_aid", "tax", "exchange", "coup", "assassinate", "steal", "challenge", "block", "show"):
        assert f"  {kind}" in everything
    unblocked = r"assassinate \d\n(.*allow\n)*.*challenge\n.*show assassin\n.*lose \w+\n.*drawn \w+\n.*lose"
    assert re.search(unblocked, text["no-block-after-challenge"])
    thefts = re.findall(r"--- turn \d+ P\d: (.*)\n.*  steal (\d)", text["steal-from-zero"])
    assert any(players.split(" | ")[int(target) - 1].startswith("0 ") for players, target in thefts)
    assert re.search(r"P1: 4 .*\n.*assassinate 5\n.*\n.*challenge\n.*lose captain\n--- turn 10 P4: 1 ", text["no-refund"])
    assert "--- turn 6 " in text["turn-limit"]
    assert "--- turn 7 " not in text["turn-limit"]
    assert all(len(content) < 20_000 for content in text.values())


if __name__ == "__main__":
    write_golden({f"coup-{name}.txt": partial(play, name) for name in GAMES}, __doc__ or "")
