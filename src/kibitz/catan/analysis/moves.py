"""A running game: which actions are worth trying, and what came of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kibitz.catan.analysis.position import Position, bot_action
from kibitz.catan.analysis.race import Sample
from kibitz.catan.analysis.rollouts import Outcomes
from kibitz.catan.analysis.static import rank_corners
from kibitz.catan.analysis.summary import average_win_turn, paired_difference, summarize, win_share
from kibitz.catan.analysis.types import AnalysisConfig, AnalysisResult, Difference, MoveScore
from kibitz.catan.analysis.wording import say
from kibitz.catan.core.actions import Action
from kibitz.game.doors import sensible_actions
from kibitz.ground.figures import capitalised, percent
from kibitz.play.advice import ONLY, LineStep, played_by

#: What a turn counts against a win: of actions that win equally often the quickest is the best, and nothing else changes.
HASTE = 1e-9
#: With fewer games in common nothing can be said about how many more it takes; and nobody plays so many times as many.
FEW_PAIRS, MUCH_MORE = 30, 100


def candidate_actions(position: Position, config: AnalysisConfig) -> list[int]:
    """The actions worth trying, ascending: the sensible ones (`kibitz.catan.core.candidates`), and what the bot would do."""
    return sorted({*sensible_actions(position.states), bot_action(position.states, config.policy)})


def move_value(outcomes: Outcomes, seat: int) -> float:
    """How good an action is by its games: how often the seat wins, and between equals how soon."""
    return win_share(outcomes, seat).rate - HASTE * average_win_turn(outcomes, seat, cap=0)


def move_result(
    base: AnalysisResult, position: Position, config: AnalysisConfig, actions: Sequence[int], samples: Sequence[Sample]
) -> AnalysisResult:
    """The result of a running game: the actions, the best first."""
    seat = position.seat
    tried = [(code, sample) for code, sample in zip(actions, samples, strict=True) if len(sample.reported)]
    tried.sort(key=lambda pair: (-pair[1].rounds, -move_value(pair[1].reported, seat), pair[0]))
    moves = []
    for code, sample in tried:
        reported = sample.reported
        best = tried[0][1]
        difference = Difference(0.0, 0.0, 0.0) if sample is best else paired_difference(*sample.paired_with(best), seat)
        action, share = Action.from_code(code), win_share(reported, seat)
        move = MoveScore(
            action=action.to_text(),
            **action.to_json(),
            name=say(action.to_text(), position.board),
            value=share.rate,
            interval=share.interval,
            visits=share.games,
            line=(LineStep(seat=seat, action=action.to_text(), visits=share.games),),
            difference=difference,
            summary=summarize(reported, position.seats),
        )
        moves.append(move)
    habit = Action.from_code(bot_action(position.states, config.policy)).to_text()
    return replace(
        base,
        options=tuple(replace(move, reason=" ".join(_reasons(move, moves, habit, config))) for move in moves),
        global_ranking=rank_corners(position),
        warnings=(*base.warnings, *(() if base.stopped else _doubts(tried, moves, config))),
    )


def _reasons(move: MoveScore, moves: Sequence[MoveScore], habit: str, config: AnalysisConfig) -> Iterator[str]:
    yield f"{capitalised(move.name)}: wins {percent(move.value)} of the games (± {100 * move.margin:.1f})."
    if len(moves) == 1:
        yield ONLY
    if move is not moves[0] and move.difference is not None:
        yield _compared(move.difference, moves[0].name)
    if move.action == habit:
        yield played_by(config.policy)


def _compared(difference: Difference, best: str) -> str:
    """How an action compares with the best one."""
    points = round(100 * abs(difference.mean), 1)
    if not difference.tells_apart:
        return f"Not told apart from: {best} ({100 * difference.mean:+.1f} points)."
    return f"{points} points {'less' if difference.mean < 0 else 'more'} than: {best}."


def rollouts_hint(difference: Difference, pairs: int, config: AnalysisConfig) -> str:
    """How many rollouts would probably tell two candidates apart, where that can be said.

    The interval shrinks with the square root of the games; half as much again makes it likely to leave nought out.
    """
    if pairs < FEW_PAIRS or not difference.mean:
        return ""
    factor = max(2.0, 1.5 * (difference.margin / abs(difference.mean)) ** 2)
    rollouts = float(f"{config.full_game_rollouts * factor:.1g}")
    return f" (--rollouts {rollouts:.0f})" if factor <= MUCH_MORE and rollouts <= config.MOST_ROLLOUTS else ""


def _doubts(tried: Sequence[tuple[int, Sample]], moves: Sequence[MoveScore], config: AnalysisConfig) -> tuple[str, ...]:
    """A warning if the games do not show which of the first two wins more often."""
    difference = moves[1].difference if len(moves) > 1 else None
    if difference is None or difference.tells_apart:
        return ()
    pairs = len(tried[1][1].paired_with(tried[0][1])[0])
    return (not_told_apart(moves, rollouts_hint(difference, pairs, config)),)


def not_told_apart(moves: Sequence[MoveScore], hint: str = "") -> str:
    """That the second action may be as good as the first."""
    return f"“{moves[1].name}” cannot be told apart from “{moves[0].name}” yet{hint}"
