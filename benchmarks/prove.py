"""The proof of the rules: more than a thousand whole games, each judged step by step by the independent referee.

    python benchmarks/prove.py                 about a quarter of an hour on two cores
    python benchmarks/prove.py --games 50      a smaller proof

The referee (`tests/catan/referee.py`) shares no code with the engine. It keeps a position of its own and compares, before
and after every step, who is to act, the complete list of legal actions, and every field of the position. The result is
the table in `benchmarks/results/prove.md`; any violation is printed and makes the exit code 1.
"""

import hashlib
import multiprocessing
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.catan.proof import SERIES, Verdict, judge, occurrences  # noqa: E402

#: How many games of each series there are for a thousand random ones.
SHARES = {
    "random": 1000,
    "random, trade": 100,
    "builder, trade": 120,
    "friendly robber": 60,
    "phased turns": 60,
    "hoarders": 40,
    "hoarders, phased": 40,
    "turn limit": 60,
    "odd numbers": 60,
}

#: The rows of the table: what the referee notes, and how to say it.
ROWS = {
    "games": "games",
    "games won": "won (the others reached the turn limit)",
    "turns": "turns",
    "steps": "**steps judged**",
    "kinds discard_resource": "cards discarded after a seven",
    "kinds stolen": "cards stolen",
    "empty_victims": "victims without a card",
    "kinds skip_steal": "nobody to rob (phased turns)",
    "friendly_refusals": "hexes shunned by the friendly robber",
    "friendly_fallbacks": "... with no hex left to go to",
    "shortages": "rolls that the supply could not serve",
    "sole_claimant_shortages": "... with a single claimant",
    "partial_payments": "... who took what was left",
    "bank_trades 4": "maritime trades at 4:1",
    "bank_trades 3": "maritime trades at 3:1",
    "bank_trades 2": "maritime trades at 2:1",
    "kinds offer_trade": "offers",
    "kinds accept_offer": "offers accepted, per answer",
    "trades_made": "trades between players",
    "kinds build_road": "roads built",
    "roads_blocked": "roads forbidden by another's building",
    "kinds build_settlement": "settlements built",
    "kinds build_city": "cities built",
    "longest_road_changes": "Longest Road changed hands",
    "roads_cut": "roads cut by a settlement",
    "longest_road_set_aside": "Longest Road set aside",
    "largest_army_changes": "Largest Army changed hands",
    "kinds buy_dev_card": "development cards bought",
    "dev_cards_played knight": "knights played",
    "dev_cards_played road_building": "Road Building played",
    "short_road_building": "... for one road only",
    "dev_cards_played year_of_plenty": "Year of Plenty played",
    "short_plenty": "... for one card only",
    "dev_cards_played monopoly": "Monopoly played",
    "dev_cards_played victory_point": "victory points revealed (phased turns)",
    "cards_before_roll": "cards played before the roll",
    "off_turn_points": "winning points reached in another's turn",
    "wins_at_turn_start": "wins at the start of a turn",
}


def judge_one(job: tuple[str, int]) -> Verdict:
    """One game; what a worker process does."""
    return judge(*job)


def judge_all(jobs: list[tuple[str, int]], processes: int, console: Console) -> list[Verdict]:
    """All games, in any order, returned in theirs."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    verdicts = []
    with Progress(*columns, console=console) as bar, multiprocessing.get_context("spawn").Pool(processes) as pool:
        task = bar.add_task("judging games", total=len(jobs))
        for verdict in pool.imap_unordered(judge_one, jobs):
            verdicts.append(verdict)
            bar.advance(task)
            if verdict.violation:
                console.print(f"VIOLATION: {verdict.violation}", highlight=False, markup=False)
    order = {job: i for i, job in enumerate(jobs)}
    return sorted(verdicts, key=lambda verdict: order[verdict.series, verdict.index])


def report(verdicts: list[Verdict], minutes: float, processes: int) -> str:
    """The table, as Markdown. Only the duration depends on the machine."""
    totals = {name: occurrences(v.summary for v in verdicts if v.series == name and v.summary) for name in SERIES}
    everything: Counter[str] = sum(totals.values(), Counter())
    columns = [*totals.values(), everything]
    digest = hashlib.blake2b("".join(v.digest for v in verdicts).encode(), digest_size=16).hexdigest()
    wrong = [v for v in verdicts if v.violation]
    lines = [
        "# Proof of the rules",
        "",
        f"{len(verdicts):,} games ({everything['steps']:,} steps) of the engine, each followed step by step by an independent"
        " referee (`tests/catan/referee.py`): who acts, all legal actions, every field of the position.",
        "",
        f"**{len(wrong)} violations.**" if wrong else "**No violation.**",
        "",
        "| what happened | " + " | ".join([*totals, "all"]) + " |",
        "|---|" + "---:|" * len(columns),
        *(f"| {text} | " + " | ".join(f"{column[key]:,}" for column in columns) + " |" for key, text in ROWS.items()),
        "",
        "| series | rules | tables |",
        "|---|---|---|",
        *(f"| {s.name} | `{s.rules!r}` | {'; '.join(', '.join(table) for table in s.tables)} |" for s in SERIES.values()),
        "",
        f"Fingerprint of all records: `{digest}`. The same seeds give the same records on every machine.",
        "",
        f"Duration: {minutes:.1f} minutes with {processes} processes.",
        "",
    ]
    return "\n".join(lines)


def main(
    games: Annotated[int, typer.Option(help="Random games; the other series are scaled alike.", min=1)] = 1000,
    processes: Annotated[int, typer.Option(help="How many games are judged at once.", min=1)] = 2,
    output: Annotated[Path, typer.Option(help="Where the table goes.")] = ROOT / "benchmarks" / "results" / "prove.md",
) -> None:
    """Let the referee judge whole games of the engine."""
    console = Console(stderr=True)
    judge("turn limit", 0)  # compiles the rules once, before the processes start
    jobs = [(name, i) for name, share in SHARES.items() for i in range(-(-share * games // 1000))]
    began = time.monotonic()
    verdicts = judge_all(jobs, processes, console)
    text = report(verdicts, (time.monotonic() - began) / 60, processes)
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(text, encoding="utf-8")
    print(text)
    console.print(f"written: {output}")
    if any(verdict.violation for verdict in verdicts):
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
