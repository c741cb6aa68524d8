"""``kibitz catan tune``: weights of the policy `builder`, found by evolution."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.common import compile_notice, print_json, progress
from kibitz.cli.options import JobsOption, JsonOption, SeedOption, file_option, number

#: Games against each opponent that show what the weights are worth, with dice that evolution has not seen.
PROOF = 4000


def tune(
    generations: Annotated[int, number("How many generations.")] = 16,
    games: Annotated[int, number("How many games each candidate plays.")] = 1600,
    population: Annotated[int, number("How many candidates in a generation.", min=4)] = 20,
    state: Annotated[Path | None, file_option("Save every generation in this file, and resume from it.")] = None,
    seed: SeedOption = 0,
    jobs: JobsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tune the weights of the bot builder by evolution.

    Candidates start as builder and play alone against three of builder, builder-0.1 or seed; the result is tested
    with fresh dice.
    """
    with compile_notice():
        from kibitz.catan.core.habits import EVOLVED_WEIGHTS, NAMES
        from kibitz.catan.tuning import OPPONENT_NAMES, Arena, tuned, within_bounds

        with progress("evolving", generations * population, "candidates") as advance:
            last = tuned(generations, games, population, seed, jobs, state, lambda: advance(1))
        weights = tuple(within_bounds(last.weights))
        with progress("testing", len(OPPONENT_NAMES), "opponents") as advance:
            shares = {}
            for opponent, name in OPPONENT_NAMES.items():
                shares[name] = Arena(PROOF, seed - 1, jobs=jobs).wins(weights, opponent, PROOF)
                advance(1)
    found = dict(zip(NAMES, weights, strict=True))
    if as_json:
        print_json({"generations": last.number, "weights": found, "wins": shares, "games": PROOF})
        return
    for name, weight, today in zip(NAMES, weights, EVOLVED_WEIGHTS, strict=True):
        typer.echo(f"{name:32}{weight:6}{'' if weight == today else f'  (builder: {today})'}")
    for name, share in shares.items():
        typer.echo(f"alone against three {name}: {100 * share:.1f} % of {PROOF:,} games (an equal bot would win 25 %)")
