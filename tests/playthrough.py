"""Golden playthroughs: readable transcripts of seeded games under `tests/golden/`, played again and compared.

A changed rule shows up as a diff that a person can judge. Tests that use this say at their top how to write the files anew.
"""

import difflib
import hashlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from kibitz import game as verbs
from kibitz.game import CHANCE, OVER, Game
from kibitz.ground.jit import uint64

FOLDER = Path(__file__).parent / "golden"

Status = Callable[[Any], str | None]


def transcript(
    game: Game,
    states: Any,
    seed: int,
    policies: Sequence[int],
    status: Status = lambda states: None,
    head: int = 10**9,
    tail: int = 0,
) -> list[str]:
    """Play a game in `states` and write it down, a line for each step: number, actor, how many actions were legal, the action.

    `status` may add a line before a step. Of a long game the first `head` and the last `tail` lines are shown; the last
    line of all has a hash of every step.
    """
    xs = game.scratches()
    xs["policy"][0, : len(policies)] = policies
    verbs.reseed_at(xs, 0, uint64(seed))
    lines, steps = [], []
    while (actor := verbs.actor_at(states, 0)) != OVER:
        if note := status(states):
            lines.append(note)
        action = int(verbs.decide_at(states, 0, xs, 0))
        who = "chance" if actor == CHANCE else f"P{actor + 1}"
        steps.append(f"{len(steps):5} {who:<6} {len(verbs.legal_actions(states)):3}  {game.describe(action)}")
        lines.append(steps[-1])
        verbs.apply_at(states, 0, action)
    if len(lines) > head + tail:
        lines[head : len(lines) - tail] = [f"... {len(lines) - head - tail} lines ..."]
    if note := status(states):
        lines.append(note)
    scores = ", ".join(f"P{seat + 1} {verbs.score_at(states, 0, seat)}" for seat in range(len(policies)))
    digest = hashlib.blake2b("\n".join(steps).encode(), digest_size=8).hexdigest()
    return [*lines, f"over after {len(steps)} steps: {scores}; all steps {digest}"]


def check_golden(name: str, text: str, how: str) -> None:
    """Compare with the file; the failure shows the diff and says how to accept it."""
    golden = (FOLDER / name).read_text(encoding="utf-8")
    if text != golden:
        diff = list(difflib.unified_diff(golden.splitlines(), text.splitlines(), f"golden/{name}", "now", lineterm="", n=2))
        raise AssertionError(
            "\n".join([f"{name} has changed; if that is right: {how}", *diff[:60], f"({len(diff)} lines of diff)"])
        )


def write_golden(texts: dict[str, Callable[[], str]], usage: str) -> None:
    """What ``python -m ... --write`` does."""
    if sys.argv[1:] != ["--write"]:
        sys.exit(usage)
    for name, text in texts.items():
        (FOLDER / name).write_text(text(), encoding="utf-8")
        print(f"{FOLDER / name}: {(FOLDER / name).stat().st_size:,} bytes")
