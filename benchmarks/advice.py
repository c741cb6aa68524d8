"""Does quick advice say what whole games say? ``python benchmarks/advice.py``.

Positions are drawn from recorded games: decisions of running games, and picks of the draft. Each is judged by whole games with
ten times the usual budget (the reference), and by the advice that asks the evaluator first. Where the reference is clear, both
should name the same choice.

References take hours of one core. They are kept in a file (``--kept``), one line a position, and a later run goes on there.
With ``--reference`` nothing else is done; with ``--gpu`` whole games are played on one.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from tables import ROOT, Bench, Figures, add_jobs, kept_lines

from kibitz import game
from kibitz.catan import Board, Rules
from kibitz.catan.analysis import AnalysisConfig, AnalysisMode, AnalysisResult, Position, create_analyzer
from kibitz.catan.analysis.glance import FINALISTS, LOOKS, ROLLOUTS, glance
from kibitz.catan.core.actions import Action
from kibitz.catan.core.codes import PLACE_SETTLEMENT
from kibitz.catan.core.record import Record, simulate
from kibitz.catan.core.state import SEATS, SETUP_SETTLEMENT
from kibitz.compute.cuda import Gpu
from kibitz.compute.runtime import Threads
from kibitz.game.doors import hidden_from, sensible_actions
from kibitz.ground.rng import Stream, derive_seed
from kibitz.play.advice import IN_DOUBT
from kibitz.play.share import Share
from kibitz.play.tournament import with_interval

SEED = 18
KEPT = ROOT / "build" / "advice.jsonl"
#: Who plays the recorded games, from seat 1 on; turned from game to game.
TABLE = ("net", "builder-0.1", "builder", "builder")
#: So many times the usual budget.
TIMES = 10
#: What a reference is made by: a search as it was before the evaluator (whole games in a tree), or whole games alone.
SEARCH, GAMES = "search", "games"


@dataclass(frozen=True)
class Case:
    """A position to be judged, by its number."""

    kind: str
    """``moves`` or ``draft``"""
    number: int


def recorded(number: int) -> Record:
    """A game among bots; every second one without offers."""
    turned = [TABLE[(seat + number) % SEATS] for seat in range(SEATS)]
    seed = derive_seed(SEED, "advice", number) >> 1
    return simulate(Board.random(seed % 2**32), turned, seed, Rules(domestic_trade=number % 2 == 0))


def position_of(case: Case) -> Position:
    """A decision of a running game with a choice, any with equal chances; or a pick of the draft."""
    record = recorded(case.number)
    stream = Stream(derive_seed(SEED, case.kind, case.number))
    found = []
    for step, states in enumerate(record.states()):
        seat, drafting = game.actor_at(states, 0), states["turn"][0] == 0
        if seat < 0 or drafting != (case.kind == "draft"):
            continue
        if states["phase"][0] == SETUP_SETTLEMENT if drafting else len(sensible_actions(hidden_from(states, seat))) > 1:
            found.append(step)
    return Position.at(record, found[stream.below(len(found))])


# --- the reference ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Judgement:
    """What somebody says of a position: the best choice, whether it is clear, and how good each choice seems."""

    best: int
    clear: bool
    values: dict[int, float]
    seconds: float = 0.0


def told_apart(values: Sequence[float], errors: Sequence[float]) -> bool:
    """Whether the first value is higher than all others beyond what chance explains."""
    gaps = zip(values[1:], errors[1:], strict=True)
    return all(values[0] - value > 1.96 * float(np.hypot(errors[0], error)) for value, error in gaps)


def judged(result: AnalysisResult, seconds: float) -> Judgement:
    """An answer as a judgement."""
    if result.options:
        codes = [Action.from_text(option.action).code for option in result.options]
        values = [option.value for option in result.options]
        errors = [(option.interval[1] - option.interval[0]) / 3.92 for option in result.options]
    else:
        scores = [score for score in result.global_ranking if score.win_rate]
        codes = [PLACE_SETTLEMENT + score.vertex_id for score in scores]
        shares = [score.win_rate for score in scores if score.win_rate]
        values = [share.rate for share in shares]
        errors = [(share.interval[1] - share.interval[0]) / 3.92 for share in shares]
    clear = not any("told apart" in warning or warning == IN_DOUBT for warning in result.warnings)
    if result.mode is not AnalysisMode.FULL_GAME:  # its pairs of games say more than intervals of each
        clear = clear and told_apart(values, errors)
    return Judgement(codes[0], clear, dict(zip(codes, values, strict=True)), seconds)


def reference(case: Case, by: str, settings: dict[str, Any], gpu: bool = False) -> Judgement:
    """What whole games say: in a search, or (`GAMES`) from each candidate."""
    position = position_of(case)
    began = time.process_time()
    mode = "full_game" if by == GAMES else "ismcts" if case.kind == "moves" else "mcts"
    config = replace(AnalysisConfig(mc_seed=SEED, rank_by="win_rate", adaptive=False), **settings)
    result = create_analyzer(mode).analyze(position, config, workers=Gpu() if gpu else Threads(1))
    return judged(result, time.process_time() - began)


def line_of(case: Case, by: str, settings: dict[str, Any], found: Judgement) -> str:
    """A line of the file."""
    return json.dumps(
        {
            "kind": case.kind, "number": case.number, "by": by, "settings": settings, "best": found.best, "clear": found.clear,
            "values": {str(code): round(value, 5) for code, value in found.values.items()}, "seconds": round(found.seconds, 2),
        }
    )  # fmt: skip


def known(file: Path, by: str, settings: dict[str, Any]) -> dict[Case, Judgement]:
    """The lines of the file that were made with these settings."""
    found = {}
    for line in kept_lines(file):
        try:
            row: dict[str, Any] = json.loads(line)
        except json.JSONDecodeError:  # cut off by a kill
            continue
        if row["by"] == by and row["settings"] == settings:
            values = {int(code): value for code, value in row["values"].items()}
            found[Case(row["kind"], row["number"])] = Judgement(row["best"], row["clear"], values, row["seconds"])
    return found


def _work(by: str, settings: dict[str, Any], gpu: bool, case: Case) -> tuple[Case, Judgement]:
    return case, reference(case, by, settings, gpu)


def make_references(bench: Bench, cases: Sequence[Case], by: str, settings: dict[str, Any]) -> dict[Case, Judgement]:
    """The reference of every case; what the file does not hold is worked out, and added to it."""
    options = bench.options
    found = known(options.kept, by, settings) if not bench.quick else {}
    missing = [case for case in cases if case not in found]
    work = partial(_work, by, settings, options.gpu)
    for case, judgement in bench.spread(work, missing, 1 if options.gpu else options.jobs, "reference"):
        found[case] = judgement
        if not bench.quick:
            options.kept.parent.mkdir(parents=True, exist_ok=True)
            with options.kept.open("a", encoding="utf-8") as file:
                file.write(line_of(case, by, settings, judgement) + "\n")
    return {case: found[case] for case in cases}


def settings_of(bench: Bench, kind: str, by: str) -> dict[str, int]:
    """The budget of a reference: so many times what is usual."""
    if by == GAMES:
        return {"full_game_rollouts": bench.many(TIMES * bench.options.rollouts, 4)}
    if kind == "moves":
        return {"ismcts_iterations": bench.many(TIMES * bench.options.iterations, 20)}
    return {"mcts_iterations": bench.many(TIMES * bench.options.draft_iterations, 20)}


# --- the advice -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Advised:
    """What quick advice says of a position, beside the reference."""

    agrees: bool
    by_glance: bool
    """Whether the evaluator alone would say the same."""
    in_finals: bool
    """Whether the reference's choice is among those that whole games are played for."""
    lost: float
    """What the advised choice is worth less, by the reference."""
    seconds: float


def advised(case: Case, rollouts: int, known: Judgement) -> Advised:
    """Ask as `kibitz catan advise` does."""
    position = position_of(case)
    config = AnalysisConfig(
        mc_seed=SEED + 1, rank_by="win_rate", full_game_rollouts=rollouts, finalists=FINALISTS, adaptive=False
    )
    began = time.process_time()
    result = create_analyzer("full_game").analyze(position, config, workers=Threads(1))
    found = judged(result, time.process_time() - began)
    finals = set(found.values)
    if result.options:
        finals = {Action.from_text(option.action).code for option in result.options if option.visits}
    candidates = [(code,) for code in known.values]
    seen = glance(position.worlds(LOOKS, SEED), candidates, position.seat, SEED).mean(axis=1)
    first = list(known.values)[int(seen.argmax())]
    return Advised(
        found.best == known.best,
        first == known.best,
        known.best in finals,
        known.values[known.best] - known.values.get(found.best, 0.0),
        found.seconds,
    )


def _advise(rollouts: int, piece: tuple[Case, Judgement]) -> tuple[Case, Advised]:
    return piece[0], advised(piece[0], rollouts, piece[1])


def agreement(bench: Bench, kind: str, clear: dict[Case, Judgement]) -> Sequence[object]:
    """A row of the table."""
    rollouts = bench.many(bench.options.finals, 4)
    found = dict(bench.spread(partial(_advise, rollouts), list(clear.items()), bench.options.jobs, "advice"))
    n = max(1, len(found))

    def share(of: Callable[[Advised], bool]) -> str:
        return with_interval(Share(sum(map(of, found.values())), n))

    return (
        kind, len(found), share(lambda one: one.agrees), share(lambda one: one.in_finals), share(lambda one: one.by_glance),
        f"{100 * sum(one.lost for one in found.values()) / n:.2f}", f"{sum(one.seconds for one in found.values()) / n:.1f} s",
    )  # fmt: skip


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--moves", type=int, default=300, help="positions of running games")
    parser.add_argument("--drafts", type=int, default=100, help="positions of the draft")
    parser.add_argument("--by", choices=(SEARCH, GAMES), default=GAMES, help="how the reference is found")
    parser.add_argument("--rollouts", type=int, default=800, help="usual games a candidate, in references of whole games")
    parser.add_argument("--iterations", type=int, default=2000, help="usual iterations of a search, in references of searches")
    parser.add_argument("--draft-iterations", type=int, default=4000, help="the same in the draft")
    parser.add_argument("--finals", type=int, default=ROLLOUTS, help="games of the advice for each finalist, on average")
    parser.add_argument("--kept", type=Path, default=KEPT, help="the file with references")
    parser.add_argument("--reference", action="store_true", help="only work out references")
    parser.add_argument("--gpu", action="store_true", help="play whole games of references on a GPU")
    add_jobs(parser)


def main() -> None:
    """Work out references, and compare."""
    bench = Bench(__doc__ or "", "advice.md", options)
    chosen = bench.options
    rows, budgets = [], []
    for kind, n in (("moves", chosen.moves), ("draft", chosen.drafts)):
        settings = settings_of(bench, kind, chosen.by)
        cases = [Case(kind, number) for number in range(bench.many(n, 1))]
        references = make_references(bench, cases, chosen.by, settings)
        budgets.append(f"{kind}: {len(cases)} positions, {', '.join(f'{name} {value:,}' for name, value in settings.items())}")
        if not chosen.reference:
            clear = {case: one for case, one in references.items() if one.clear or bench.quick}
            rows.append(agreement(bench, kind, clear))
    headings = (
        "positions",
        "clear",
        "same choice",
        "among the finalists",
        "the evaluator's own",
        "points lost",
        "time",
    )
    said = f"References by {chosen.by}: {'; '.join(budgets)}. Advice: {FINALISTS} finalists, {chosen.finals:,} games each."
    if not chosen.reference:
        bench.publish("Advice", [Figures("Advice beside whole games with ten times the budget", headings, rows, said)])


if __name__ == "__main__":
    main()
