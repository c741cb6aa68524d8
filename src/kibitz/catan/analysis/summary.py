"""Figures of simulated games: how often each seat won, when, and what the robber took."""

from __future__ import annotations

from math import sqrt

import numpy as np
import numpy.typing as npt

from kibitz.catan.analysis.rollouts import DRAWN, Outcomes
from kibitz.catan.analysis.types import Difference, FullGameSummary
from kibitz.play.share import Share, Z, wilson


def summarize(outcomes: Outcomes, seats: int, numbers: npt.NDArray[np.int64] | None = None) -> FullGameSummary:
    """Win rates, turns to victory and length of some games.

    Where games of several candidates are taken together, those of one number may share their dice: with their `numbers` the
    intervals are those of so many independent numbers.
    """
    winners, turns = outcomes["winner"], outcomes["turn"]
    shares = {seat: Share(int((winners == seat).sum()), len(outcomes)) for seat in range(seats)}
    return FullGameSummary(
        rollout_count=len(outcomes),
        player_win_rates={seat: share.rate for seat, share in shares.items()},
        player_win_intervals={seat: _interval(winners == seat, share, numbers) for seat, share in shares.items()},
        expected_turns_to_victory={
            seat: float(turns[winners == seat].mean()) if share.won else None for seat, share in shares.items()
        },
        average_game_length_turns=float(turns.mean()) if len(outcomes) else 0.0,
        unfinished=int((winners == -1).sum()),
        drawn=int((winners == DRAWN).sum()),
    )


def _interval(won: npt.NDArray[np.bool_], share: Share, numbers: npt.NDArray[np.int64] | None) -> tuple[float, float]:
    """The interval of a share; games of one number count as one cluster (Kish's design effect shrinks their number)."""
    if numbers is None or not 0 < share.won < share.games:
        return share.interval
    surplus = np.bincount(numbers, won - share.rate)
    spread = float(surplus @ surplus) / share.games
    return wilson(share.rate, share.games / max(1.0, spread / (share.rate * (1 - share.rate))))


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
