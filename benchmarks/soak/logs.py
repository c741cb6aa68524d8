"""Games as logs of other programs: written by commands that are killed, tracked whole and damaged, by the command line.

A whole log gives the same answer before and after a kill; a damaged one an answer, or one line that says what is wrong.
"""

from __future__ import annotations

from benchmarks.logs.damage import damaged
from benchmarks.soak.work import Work
from kibitz.catan import Board, Rules
from kibitz.catan.core.record import simulate
from kibitz.catan.logs import FORMATS, WRITERS

TRACKED, EXPORTED, DAMAGED = "tracked logs", "exported logs", "damaged logs"
SEATS = (("builder",) * 4, ("builder", "random", "seed"), ("random", "builder"))


def one_round(work: Work, number: int) -> None:
    """One game: exported, tracked, killed at both, done again; and a damaged log of some format."""
    chance = work.chance(number)
    seed = chance.randrange(10_000)
    record = simulate(Board.random(seed), chance.choice(SEATS), seed, Rules(max_turns=chance.randint(5, 60)))
    game, log = work.folder / "game.jsonl", work.folder / "log.txt"
    game.write_text("\n".join(record.lines()) + "\n")
    export = ["export", str(game), str(log), "--format", WRITERS[number % len(WRITERS)]]
    export += ["--seat", str(chance.randint(1, len(record.seats)))] if chance.random() < 0.5 else []
    track = ["track", str(log), "--json"]

    ended = work.kibitz(*export).wait()
    work.ledger.check(EXPORTED, ended.fine and log.exists(), f"{export} {ended.last_words}")
    work.ledger.did(EXPORTED)
    whole = log.read_bytes()
    told = _tracked(work, track)

    for command, kind in ((export, EXPORTED), (track, TRACKED)):
        child = work.kibitz(*command)
        work.pause(3.0 * chance.random())
        if child.kill():
            work.ledger.killed(kind)
        work.ledger.check(EXPORTED, log.read_bytes() == whole, f"{command} was killed, and the log is not what it was")
    work.ledger.check(TRACKED, _tracked(work, track) == told, f"{track} tells something else than before")

    bad = damaged((*FORMATS,)[number % len(FORMATS)], chance.randrange(100_000))
    log.write_text(bad.text, encoding="utf-8", errors="replace")
    ended = work.kibitz(*track, "--format", bad.format).wait()
    one_line = ended.code == 2 and ended.err.startswith("kibitz: ") and "Traceback" not in ended.err
    work.ledger.check(DAMAGED, ended.fine or one_line, f"{bad.format} {bad.index}: {ended.last_words}")
    work.ledger.did(DAMAGED)


def _tracked(work: Work, command: list[str]) -> str:
    ended = work.kibitz(*command).wait()
    work.ledger.check(TRACKED, ended.fine, f"{command} {ended.last_words}")
    work.ledger.did(TRACKED)
    return ended.out
