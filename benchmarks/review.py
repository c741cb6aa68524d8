"""How long a review takes: until there is something to see, and until all is measured.

    python benchmarks/review.py             one game of about 70 turns between four bots; a minute of one core

Processor time, with as many threads as there are cores: on two of them it takes about half as long.
"""

import time
from itertools import count

from tables import Bench, Figures

from kibitz.catan import Board
from kibitz.catan.core.record import Record, simulate
from kibitz.catan.core.state import Rules
from kibitz.catan.review import Review, ReviewConfig, look_back
from kibitz.compute.runtime import Info, Runtime

BOTS = ("net", "builder", "builder-0.1", "net")
#: How many turns the game should have, and may have more or less.
TURNS, ABOUT = 70, 3


def game(bench: Bench) -> Record:
    """A game of the wanted length; in a quick run a short one."""
    if bench.quick:
        return simulate(Board.beginner(), ["builder-0.1"] * 2, 3, Rules(victory_points=3))
    for seed in count(1):
        record = simulate(Board.random(seed), BOTS, seed)
        if abs(turns_of(record) - TURNS) <= ABOUT:
            return record
    raise AssertionError


def turns_of(record: Record) -> int:
    """How many turns a game had."""
    return int(record.before(len(record.codes))["turn"][0])


def main() -> None:
    bench = Bench(__doc__, "review.md")
    record = game(bench)
    config = ReviewConfig(worlds=4, games=200, tries=4, pairs=16) if bench.quick else ReviewConfig()
    if not bench.quick:
        look_back(game(bench), ReviewConfig(worlds=1, games=2000, tries=2, pairs=50))  # compiles everything
    marks: dict[str, float] = {}
    began = time.process_time()

    def hear(info: Info) -> None:
        now, review = time.process_time() - began, info.ranking
        assert isinstance(review, Review)
        marks.setdefault("chances and luck of everybody, all turns", now)
        if review.verdicts:
            marks.setdefault("first decisions judged by the evaluator", now)
        if info.done >= len(record.codes):
            marks.setdefault("all decisions judged by the evaluator", now)
        if review.entries:
            marks.setdefault("first mistake confirmed by games", now)

    found = look_back(record, config, Runtime(on_info=hear))
    marks["the whole review"] = time.process_time() - began
    rows = [(what, f"{seconds:.1f} s") for what, seconds in marks.items()]
    note = f"{turns_of(record)} turns, {len(found.verdicts)} decisions, {len(found.entries)} mistakes listed."
    bench.publish("How long a review takes", [Figures("Processor time", ("until", "takes"), rows)], note)


if __name__ == "__main__":
    main()
