"""Analyses of the command line that are killed, again and again, and go on from their checkpoint to the very same answer.

Every third one is interrupted instead, as by Ctrl-C: it has to answer with what it has and call that partial.
"""

from __future__ import annotations

import json
import signal
from pathlib import Path

from benchmarks.soak.work import Child, Work
from kibitz.cli.common import STOPPING

ANALYSES, PARTIAL = "analyses", "interrupted analyses"
#: By mode: how much is asked for, at least and at most.
SIZES = {"full_game": ("--rollouts", 100, 400), "mcts": ("--iterations", 1_000, 4_000)}
#: The most kills of one analysis.
KILLS = 3


def one_round(work: Work, number: int) -> None:
    """One question, asked undisturbed, and with kills."""
    chance = work.chance(number)
    mode = (*SIZES,)[number % len(SIZES)]
    option, least, most = SIZES[mode]
    words = ["analyze", "--seed", str(chance.randrange(10_000)), "--seats", str(chance.randint(2, 4)), "--mode", mode]
    words += [option, str(chance.randint(least, most)), "--jobs", "1", "--json"]
    path = work.folder / "analysis.checkpoint"
    path.unlink(missing_ok=True)
    if number % 3 == 2:
        _interrupt(work, words, path)
        return
    expected = work.kibitz(*words).wait()
    work.ledger.check(ANALYSES, expected.fine, f"{words} {expected.last_words}")
    for _ in range(chance.randint(1, KILLS)):
        child = work.kibitz(*words, "--checkpoint", str(path))
        _let_work(work, child, path, chance.random())
        kept = _whole_lines(path)
        if not child.kill():
            break
        work.ledger.killed(ANALYSES)
        work.ledger.check(ANALYSES, _whole_lines(path).startswith(kept), f"{path.name} of {words} has lost units that it held")
    kept = _whole_lines(path)
    ended = work.kibitz(*words, "--checkpoint", str(path)).wait()
    known = kept.count(b'{"key"') > 0
    work.ledger.check(ANALYSES, ended.out == expected.out, f"{words} gives another answer after a kill: {ended.last_words}")
    work.ledger.check(ANALYSES, ("games resumed" in ended.err) == known, f"{words} does not go on from its checkpoint")
    work.ledger.check(ANALYSES, path.read_bytes().startswith(kept), f"the checkpoint of {words} has lost units that it held")
    work.ledger.did(ANALYSES)


def _let_work(work: Work, child: Child, path: Path, more: float) -> None:
    """Let it finish a few units more than there are, and then a moment."""
    units = _whole_lines(path).count(b"\n") + 1 + int(5 * more)
    if child.wait_for(lambda: _whole_lines(path).count(b"\n") > units):
        work.pause(0.2 * more)


def _whole_lines(path: Path) -> bytes:
    data = path.read_bytes() if path.exists() else b""
    return data[: data.rfind(b"\n") + 1]


def _interrupt(work: Work, words: list[str], path: Path) -> None:
    child = work.kibitz(*words, "--checkpoint", str(path))
    child.wait_for(lambda: _whole_lines(path).count(b"\n") > 2)
    child.process.send_signal(signal.SIGINT)
    ended = child.wait()
    heard = STOPPING in ended.err  # else it had its answer already
    honest = ended.fine and json.loads(ended.out)["stopped"] == ("cancelled" if heard else None)
    work.ledger.check(PARTIAL, honest, f"{words} was interrupted and does not say so: {ended.last_words}")
    work.ledger.did(PARTIAL)
