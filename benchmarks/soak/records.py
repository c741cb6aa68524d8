"""Games between bots, recorded by commands that are killed while they write, and replayed.

What a command said it has written stays: a later command for the same file that is killed leaves it as it was. That one
again goes on where it was killed, and the first one again writes the same bytes again. A bot from outside that is killed
loses decisions, not games; and when the command that plays is killed, the processes of its bots end with it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.soak.work import Work, lives

RECORDS, BOTS = "recorded games", "bots from outside"
#: By game: the cheap bots, the numbers of seats, the most games in a file, and options.
TABLES = {
    "onepiece": (("random", "greedy", "ismcts:2"), (2,), 4, ()),
    "catan": (("random", "builder", "seed", "ismcts:3"), (2, 3, 4), 4, ("--rule", "max_turns=60")),
    "coup": (("random", "honest", "heuristic", "ismcts:20", "solver"), (2, 3, 4, 5, 6), 30, ()),
}
#: A bot from outside, for every game.
BOT = """
import random


class Bot:
    def begin(self, seat, seed):
        self.random = random.Random(seed)

    def decide(self, observation, actions, events):
        return self.random.choice(actions)
"""


def one_round(work: Work, number: int) -> None:
    """One file: written, kept through a kill, written on and written anew; every second time with a bot that is killed."""
    chance = work.chance(number)
    bot = work.folder / "bot.py"
    bot.write_text(BOT)
    game = (*TABLES,)[number % len(TABLES)]
    known, seats, most, options = TABLES[game]
    players = [chance.choice(known) for _ in range(chance.choice(seats))]
    outside = number % 2 == 0
    if outside:
        players[chance.randrange(len(players))] = f"{bot}:Bot"
    games, seed = chance.randint(1, most), chance.randrange(10_000)
    path = work.folder / f"game.jsonl{chance.choice(('', '.gz'))}"
    path.unlink(missing_ok=True)
    command = [game, "simulate", "--players", ",".join(players), "--games", str(games), "--record", str(path), *options]
    command += ["--full"] if chance.random() < 0.5 else []

    span = _write(work, [*command, "--seed", str(seed)])
    kept = path.read_bytes()
    _replay(work, game, path, games)

    child = work.kibitz(*command, "--seed", str(seed + 1))
    if child.wait_for(lambda: _unfinished(command)):
        work.pause(span * chance.random())
    bots = child.children()
    if child.kill():
        work.ledger.killed(RECORDS)
    work.ledger.check(RECORDS, path.exists(), f"{command} was killed, and the record that was there is gone")
    if path.read_bytes() != kept:  # it was done with writing
        _replay(work, game, path, games)
    work.wait_for(lambda: not any(map(lives, bots)), f"bots of {command} outlive it")
    _write(work, [*command, "--seed", str(seed + 1)])
    _replay(work, game, path, games)
    work.ledger.check(RECORDS, not _unfinished(command), f"{command} leaves what the one that was killed had begun")
    _write(work, [*command, "--seed", str(seed)])
    work.ledger.check(RECORDS, path.read_bytes() == kept, f"{command} --seed {seed} writes another record than before")
    if outside:
        _kill_bot(work, [*command, "--seed", str(seed)], 0.5 * span * chance.random())
        _replay(work, game, path, games)


def _target(command: Sequence[str]) -> Path:
    return Path(command[command.index("--record") + 1])


def _unfinished(command: Sequence[str]) -> list[Path]:
    """What a command has begun to write, and what one that was killed has left behind."""
    path = _target(command)
    return [*path.parent.glob(f".{path.name}.*.partial")]


def _write(work: Work, command: Sequence[str]) -> float:
    """Run a command to its end; how many seconds it wrote."""
    path = _target(command)
    child = work.kibitz(*command)
    child.wait_for(lambda: _unfinished(command))
    began = time.monotonic()
    ended = child.wait()
    work.ledger.check(
        RECORDS, ended.fine and f"written: {path}" in ended.out.replace("\n", ""), f"{command} {ended.last_words}"
    )
    work.ledger.did(RECORDS, int(command[command.index("--games") + 1]))
    return time.monotonic() - began


def _replay(work: Work, game: str, path: Path, games: int) -> None:
    ended = work.kibitz(game, "replay", str(path)).wait()
    said = re.search(r": ([\d,]+) games?, ", ended.out)
    whole = ended.fine and said is not None and int(said[1].replace(",", "")) == games
    work.ledger.check("replayed games", whole, f"{game} replay {ended.last_words}")
    work.ledger.did("replayed games", games)


def _kill_bot(work: Work, command: Sequence[str], delay: float) -> None:
    """The same games, in which the process of the bot from outside is killed once."""
    child = work.kibitz(*command)
    if child.wait_for(lambda: _unfinished(command)):  # before, while it is loaded, there is no game yet
        work.pause(delay)
    for process in child.children()[:1]:
        process.kill()
        work.ledger.killed(BOTS)
    ended = child.wait()
    work.ledger.check(BOTS, ended.fine, f"{command}, its bot killed: {ended.last_words}")
    work.ledger.did(BOTS, int(command[command.index("--games") + 1]))
