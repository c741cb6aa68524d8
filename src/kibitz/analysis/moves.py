"""A running game: which actions are worth trying, and what came of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kibitz import game
from kibitz.analysis.explain import capitalised
from kibitz.analysis.position import Position, bot_action
from kibitz.analysis.race import Sample
from kibitz.analysis.static import rank_corners
from kibitz.analysis.summary import average_win_turn, paired_difference, summarize, win_share
from kibitz.analysis.types import AnalysisConfig, AnalysisResult, Difference, LineExplanation, MoveScore
from kibitz.analysis.wording import say
from kibitz.catan.actions import Action
from kibitz.figures import percent
from kibitz.play.rollouts import Outcomes

#: What a turn counts against a win: of actions that win equally often the quickest is the best, and nothing else changes.
HASTE = 1e-9
#: With fewer games in common nothing can be said about how many more it takes; and nobody plays so many times as many.
FEW_PAIRS, MUCH_MORE = 30, 100


def candidate_actions(position: Position, config: AnalysisConfig) -> list[int]:
    """The actions worth trying, ascending: the sensible ones (see `kibitz.catan.candidates`), and what the bot would do."""
    return sorted({*game.sensible_actions(position.states), bot_action(position.states, config.policy)})


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
        action, summary = Action.from_code(code), summarize(reported, position.seats)
        moves.append(MoveScore(action.to_text(), action.kind, win_share(reported, seat), difference, summary))
    habit = Action.from_code(bot_action(position.states, config.policy)).to_text()
    return replace(
        base,
        moves=tuple(moves),
        global_ranking=rank_corners(position),
        explain_lines=tuple(
            _explain(number, move, moves, habit, position, config) for number, move in enumerate(moves[: config.top], start=1)
        ),
        warnings=(*base.warnings, *(() if base.partial else _doubts(tried, moves, position, config))),
    )


def _explain(
    number: int, move: MoveScore, moves: Sequence[MoveScore], habit: str, position: Position, config: AnalysisConfig
) -> LineExplanation:
    share, board = move.win_rate, position.board
    said = [f"{capitalised(say(move.action, board))}: wins {percent(share.rate)} of the games (± {100 * share.margin:.1f})."]
    if len(moves) == 1:
        said.append("It is the only move.")
    if number > 1 and move.difference is not None:
        said.append(_compared(move.difference, say(moves[0].action, board)))
    said += habit_said(move.action, habit, config)
    return LineExplanation(f"FG#{number} {move.action}", tuple(said), actions=(move.action,), value=share.rate)


def habit_said(action: str, habit: str, config: AnalysisConfig) -> Iterator[str]:
    """That the bot would play an action, if it would."""
    if action == habit:
        yield f"The bot {config.policy} would play this."


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


def _doubts(
    tried: Sequence[tuple[int, Sample]], moves: Sequence[MoveScore], position: Position, config: AnalysisConfig
) -> tuple[str, ...]:
    """A warning if the games do not show which of the first two wins more often."""
    difference = moves[1].difference if len(moves) > 1 else None
    if difference is None or difference.tells_apart:
        return ()
    pairs = len(tried[1][1].paired_with(tried[0][1])[0])
    return (not_told_apart(moves, position, rollouts_hint(difference, pairs, config)),)


def not_told_apart(moves: Sequence[MoveScore], position: Position, hint: str = "") -> str:
    """That the second action may be as good as the first."""
    second, first = (say(move.action, position.board) for move in (moves[1], moves[0]))
    return f"“{second}” cannot be told apart from “{first}” yet{hint}"
