"""Figures of simulated games: how often each seat won, when, and what the robber took."""

from __future__ import annotations

from math import sqrt

import numpy as np

from kibitz.analysis.types import Difference, FullGameSummary
from kibitz.play.rollouts import Outcomes
from kibitz.play.share import Share, Z


def summarize(outcomes: Outcomes, seats: int) -> FullGameSummary:
    """Win rates, turns to victory and length of some games."""
    winners, turns = outcomes["winner"], outcomes["turn"]
    shares = {seat: Share(int((winners == seat).sum()), len(outcomes)) for seat in range(seats)}
    return FullGameSummary(
        rollout_count=len(outcomes),
        player_win_rates={seat: share.rate for seat, share in shares.items()},
        player_win_intervals={seat: share.interval for seat, share in shares.items()},
        expected_turns_to_victory={
            seat: float(turns[winners == seat].mean()) if share.won else None for seat, share in shares.items()
        },
        average_game_length_turns=float(turns.mean()) if len(outcomes) else 0.0,
        unfinished=int((winners < 0).sum()),
    )


def win_share(outcomes: Outcomes, seat: int) -> Share:
    """How often a seat won."""
    return Share(int((outcomes["winner"] == seat).sum()), len(outcomes))


def average_win_turn(outcomes: Outcomes, seat: int, cap: int) -> float:
    """The mean turn of victory over the games that the seat won; the turn cap if it won none."""
    turns = outcomes["turn"][outcomes["winner"] == seat]
    return float(turns.mean()) if len(turns) else float(cap)


def average_robber_loss(outcomes: Outcomes, seat: int) -> float:
    """Cards that the seat lost to blocked hexes, steals and sevens, a game."""
    return float(outcomes["lost"][:, seat].mean()) if len(outcomes) else 0.0


def paired_difference(outcomes: Outcomes, best: Outcomes, seat: int) -> Difference:
    """How much more often a seat won in `outcomes` than in `best`, game by game as far as both go.

    Games of the same number share their dice, so that luck cancels out. The interval is that of Bonett and Price (2012),
    which imagines one game more that was won instead of lost and one the other way round: honest where few games differ.
    """
    n = min(len(outcomes), len(best))
    gains = (outcomes["winner"][:n] == seat).astype(np.int64) - (best["winner"][:n] == seat)
    better, worse = int((gains > 0).sum()), int((gains < 0).sum())
    centre = (better - worse) / (n + 2)
    margin = Z * sqrt(((better + worse + 2) / (n + 2) - centre * centre) / (n + 2))
    return Difference((better - worse) / n if n else 0.0, max(-1.0, centre - margin), min(1.0, centre + margin))
