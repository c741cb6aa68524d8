"""Figures of simulated games: how often each seat won, when, and what the robber took."""

from __future__ import annotations

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

    Games of the same number share their dice, so that luck cancels out.
    """
    n = min(len(outcomes), len(best))
    if n == 0:
        return Difference(0.0, -1.0, 1.0)
    gains = (outcomes["winner"][:n] == seat).astype(np.float64) - (best["winner"][:n] == seat)
    mean = float(gains.mean())
    # One game more that went either way keeps the interval honest where few games differ (as Agresti and Coull do).
    spread = (float(gains @ gains) + 1) / (n + 1) - mean * mean
    margin = Z * float(np.sqrt(max(0.0, spread) / n))
    return Difference(mean, mean - margin, mean + margin)
