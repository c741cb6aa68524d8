"""Whole games of the engine, judged by the referee: the series of `test_referee_games.py` and of `benchmarks/prove.py`.

Game `index` of a series depends on the name of the series and the index alone.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace

from kibitz.catan import Board, Rules
from kibitz.catan.core.record import simulate
from kibitz.ground.rng import derive_seed
from tests.catan.referee import Summary, Violation, referee


@dataclass(frozen=True)
class Series:
    """Games with the same options; `tables` are taken in turn."""

    name: str
    tables: tuple[tuple[str, ...], ...]
    rules: Rules = field(default_factory=Rules)

    def game(self, index: int) -> tuple[Board, tuple[str, ...], int]:
        """The board, the bots and the seed of one game."""
        seed = derive_seed(2025, self.name, index)
        tokens, harbours = ("spiral", "random")[index % 2], ("shuffled", "fixed")[index // 2 % 2]
        return Board.random(seed, tokens=tokens, harbours=harbours), self.tables[index % len(self.tables)], seed


def alike(bot: str, *seats: int) -> tuple[tuple[str, ...], ...]:
    """Tables with the same bot on every seat."""
    return tuple((bot,) * n for n in seats)


MIXED = (
    ("builder", "random", "builder-0.1", "random"),
    ("random", "builder"),
    ("builder-0.1",) * 3,
    ("builder", "random", "random"),
)
# Without trade and discards the supply runs short.
HOARDING = Rules(domestic_trade=False, discard_limit=95, victory_points=14, max_turns=300)

SERIES = {
    series.name: series
    for series in (
        Series("random", alike("random", 4, 3, 2), Rules(domestic_trade=False)),
        Series("random, trade", alike("random", 2, 3, 4)),
        Series("builder, trade", alike("builder", 4, 3, 2)),
        Series("friendly robber", MIXED, Rules(friendly_robber=True, offer_limit=1)),
        Series("phased turns", MIXED, Rules(phased_turns=True, all_or_nothing_bank=True, offer_limit=1)),
        Series("hoarders", alike("builder", 4, 3), HOARDING),
        Series("hoarders, phased", alike("builder", 4, 3), replace(HOARDING, phased_turns=True, all_or_nothing_bank=True)),
        Series("turn limit", MIXED, Rules(max_turns=40)),
        Series("odd numbers", MIXED, Rules(victory_points=13, discard_limit=4, offer_limit=2, max_turns=300)),
    )
}


@dataclass(frozen=True)
class Verdict:
    """What the referee says about one game."""

    series: str
    index: int
    summary: Summary | None
    digest: str
    violation: str | None


def judge(series: str, index: int) -> Verdict:
    """Play one game, write it down in full, and let the referee follow it."""
    board, bots, seed = SERIES[series].game(index)
    record = simulate(board, bots, seed, SERIES[series].rules, number=index)
    lines = list(record.lines(full=True))
    digest = hashlib.blake2b("\n".join(lines).encode(), digest_size=16).hexdigest()
    try:
        return Verdict(series, index, referee(map(json.loads, lines)), digest, None)
    except Violation as violation:
        where = f"seed {seed}, {','.join(bots)} on {board.to_text()}, {SERIES[series].rules}"
        return Verdict(series, index, None, digest, f"{series}, game {index} ({where}): {violation}")


def occurrences(summaries: Iterable[Summary]) -> Counter[str]:
    """How often each thing that the referee notes happened in several games."""
    totals: Counter[str] = Counter()
    for summary in summaries:
        totals["games"] += 1
        totals["games won"] += summary.winner is not None
        for item in fields(summary):
            value = getattr(summary, item.name)
            if isinstance(value, Counter):
                totals.update({f"{item.name} {key}": n for key, n in value.items()})
            elif item.name not in ("game", "winner", "points"):
                totals[item.name] += value
    return totals


def judged(series: str, indices: Sequence[int]) -> Counter[str]:
    """Judge some games of a series; raises on the first violation."""
    verdicts = [judge(series, index) for index in indices]
    for verdict in verdicts:
        if verdict.violation:
            raise Violation(verdict.violation)
    return occurrences(verdict.summary for verdict in verdicts if verdict.summary)
