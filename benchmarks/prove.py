"""The proof of the rules: hundreds of whole games, each judged step by step by the independent referee.

    python benchmarks/prove.py                 about ten minutes of one core
    python benchmarks/prove.py --full          more than a thousand games
    python benchmarks/prove.py --games 50      a smaller proof

The referee (`tests/catan/referee.py`) shares no code with the engine. It keeps a position of its own and compares, before
and after every step, who is to act, the complete list of legal actions, and every field of the position. Any violation is
printed and makes the exit code 1.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from collections import Counter
from collections.abc import Sequence

from tables import Bench, Figures, add_full, add_jobs

from tests.catan.proof import SERIES, Verdict, judge, occurrences

#: Random games, and in full.
GAMES, FULL = 300, 1000
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


def happenings(verdicts: Sequence[Verdict]) -> Figures:
    """What happened in the games of each series."""
    totals = {name: occurrences(v.summary for v in verdicts if v.series == name and v.summary) for name in SERIES}
    everything: Counter[str] = sum(totals.values(), Counter())
    columns = [*totals.values(), everything]
    text = (
        f"{len(verdicts):,} games ({everything['steps']:,} steps) of the engine, each followed step by step by an independent"
        " referee (`tests/catan/referee.py`): who acts, all legal actions, every field of the position."
    )
    rows = [(said, *(column[key] for column in columns)) for key, said in ROWS.items()]
    return Figures("What happened", ("what happened", *totals, "all"), rows, text)


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--games", type=int, help=f"random games; the other series are scaled alike ({GAMES}, or {FULL} with --full)"
    )
    add_full(parser)
    add_jobs(parser)


def main() -> None:
    bench = Bench(__doc__, "prove.md", options)
    games, jobs = bench.options.games or bench.many(GAMES, full=FULL), bench.options.jobs
    judge("turn limit", 0)  # compiles the rules once, before the processes start
    work = [(name, i) for name, share in SHARES.items() for i in range(-(-share * games // 1000))]
    if bench.quick:
        work = [("turn limit", 0)]  # tests/catan/test_referee_games.py plays more
    began = time.monotonic()
    order = {job: i for i, job in enumerate(work)}
    verdicts = sorted(bench.spread(judge_one, work, jobs, "judging games"), key=lambda v: order[v.series, v.index])
    minutes = (time.monotonic() - began) / 60
    wrong = [verdict.violation for verdict in verdicts if verdict.violation]
    digest = hashlib.blake2b("".join(v.digest for v in verdicts).encode(), digest_size=16).hexdigest()
    series = [(s.name, f"`{s.rules!r}`", "; ".join(", ".join(table) for table in s.tables)) for s in SERIES.values()]
    note = (
        f"**{f'{len(wrong)} violations' if wrong else 'No violation'}.** Fingerprint of all records: `{digest}` (the same seeds"
        f" give the same records on every machine). {minutes:.1f} minutes with --jobs {jobs}."
    )
    tables = [happenings(verdicts), Figures("The series", ("series", "rules", "tables"), series)]
    bench.publish("Proof of the rules", tables, note, wrong)


if __name__ == "__main__":
    main()
