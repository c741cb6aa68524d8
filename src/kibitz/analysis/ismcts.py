"""The mode `ismcts`: information-set MCTS from a position, over worlds drawn from what the seat can know.

The actions are the sensible ones (`kibitz.catan.candidates`), in the draft the best corners. Each is worth what the games that
began with it were worth, while the search went deeper where it won; the line is what it looked at most. The search is that of
the bot `ismcts` (`kibitz.play.catan_bots`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from kibitz.analysis.base import Analyzer, asked
from kibitz.analysis.draft import predict
from kibitz.analysis.explain import capitalised
from kibitz.analysis.full_game import WORLDS, reached_the_cap
from kibitz.analysis.moves import habit_said, not_told_apart
from kibitz.analysis.position import Position, bot_action
from kibitz.analysis.race import Standing
from kibitz.analysis.seeding import analysis_seed
from kibitz.analysis.static import rank_corners
from kibitz.analysis.types import (
    AnalysisConfig,
    AnalysisMode,
    AnalysisResult,
    LineExplanation,
    MoveScore,
    VertexScore,
)
from kibitz.analysis.wording import say
from kibitz.catan.actions import Action
from kibitz.catan.codes import END_TURN
from kibitz.catan.policy import BOTS
from kibitz.compute.cuda import Gpu
from kibitz.compute.runtime import Info, Runtime
from kibitz.compute.workers import Workers
from kibitz.figures import percent
from kibitz.game import CHANCE
from kibitz.play.catan_bots import CONFIG
from kibitz.play.share import Share
from kibitz.rng import derive_seed
from kibitz.search.ismcts import ActionStatistics, SearchConfig, SearchResult, Step, search

#: A line is told as far as so many games went along it, and so many steps long.
CLOSELY, STEPS = 20, 12
IN_DOUBT = "The first is what the bot would play: others have won more often, but not by more than chance explains"
NOT_INDEPENDENT = "The search looked longer at what won more: its games are no independent sample, and the ± is a rough guide"


class IsmctsAnalyzer(Analyzer):
    """Searches what may follow each action, over everything that may be hidden."""

    mode = AnalysisMode.ISMCTS

    def _answer(self, position: Position, config: AnalysisConfig, runtime: Runtime, workers: Workers | Gpu) -> AnalysisResult:
        """Search; a limit on games or iterations bounds those of the config."""
        assert not isinstance(workers, Gpu)
        limited = position.limited(config.turn_cap, config.full_game_trade_offer_limit)
        seed = analysis_seed(position.board, config.mc_seed, "ismcts")
        iterations = runtime.limit.of(config.ismcts_iterations)
        worlds = limited.worlds(min(WORLDS, iterations), derive_seed(seed, "worlds"))
        found = search(
            worlds,
            position.seat,
            search_config(config, iterations, seed),
            runtime=_overheard(runtime, position.seat),
            workers=workers,
        )
        return _result(found, position, config, int(limited.states["max_turns"][0]))


def search_config(config: AnalysisConfig, iterations: int, seed: int) -> SearchConfig:
    """The bot's search with the settings of an analysis."""
    policy = BOTS[config.policy]
    return replace(
        CONFIG,
        iterations=iterations,
        trees=config.ismcts_trees,
        exploration=config.ismcts_exploration,
        policy=policy,
        guide=policy or None,
        others=policy or None,
        caution=CONFIG.caution if policy else 0.0,  # nobody trusts chance in case of doubt
        seed=seed,
    )


def _overheard(runtime: Runtime, seat: int) -> Runtime:
    """A runtime for the search: it hears actions by number, the caller by name; and what the caller stops is stopped."""

    def hear(info: Info) -> None:
        runtime.on_info(replace(info, ranking=tuple(_standing(action, seat) for action in info.ranking)))
        if runtime.stopped == "cancelled":
            inner.cancel()

    inner = Runtime(runtime.limit, hear)
    return inner


def _standing(found: ActionStatistics, seat: int) -> Standing:
    share = _share(found, seat)
    return Standing(Action.from_code(found.action).to_text(), share, share.rate, racing=True)


def _share(found: ActionStatistics, seat: int) -> Share:
    """The games that began with an action, and how many of them the seat won."""
    return Share(round(found.values[seat] * found.visits), found.visits)


def _result(found: SearchResult, position: Position, config: AnalysisConfig, cap: int) -> AnalysisResult:
    order = sorted(found.actions, key=lambda action: action is not found.best)
    moves = [_move(action, position.seat) for action in order]
    habit = Action.from_code(bot_action(position.states, config.policy)).to_text()
    ranking = rank_corners(position)
    top = tuple(_corners(moves[: config.top], ranking)) if position.in_draft else ()
    lines = {line[0].label: line for line in found.lines(len(order), STEPS)}
    unfinished = sum(round((1 - sum(action.values)) * action.visits) for action in found.actions)
    return replace(
        asked(AnalysisMode.ISMCTS, position, config),
        global_ranking=ranking,
        predicted_sequence=predict(position, config.policy, top[0].vertex_id) if top else (),
        top_recommendations=top,
        explain_lines=tuple(
            _explain(number, move, lines[action.action], habit, len(moves) == 1, position, config)
            for number, (move, action) in enumerate(zip(moves[: config.top], order, strict=False), start=1)
        ),
        moves=tuple(moves),
        warnings=(
            *reached_the_cap(unfinished, found.iterations, cap),
            *_doubts(moves, found.best.action == found.habit, position),
        ),
        games=found.iterations,
        partial=found.stopped,
    )


def _move(found: ActionStatistics, seat: int) -> MoveScore:
    action = Action.from_code(found.action)
    return MoveScore(action.to_text(), action.kind, _share(found, seat))


def _corners(moves: Sequence[MoveScore], ranking: Sequence[VertexScore]) -> Iterator[VertexScore]:
    """The corners that moves of the draft settle, with how often they win."""
    scores = {score.vertex_id: score for score in ranking}
    for move in moves:
        yield replace(scores[Action.from_text(move.action).data["corner"]], win_rate=move.win_rate)


def _explain(
    number: int, move: MoveScore, line: Sequence[Step], habit: str, alone: bool, position: Position, config: AnalysisConfig
) -> LineExplanation:
    share, board = move.win_rate, position.board
    steps = list(_decisions(line))
    said = [
        f"{capitalised(say(move.action, board))}: wins {percent(share.rate)} of its {share.games:,} games"
        f" (± {100 * share.margin:.1f})."
    ]
    if len(steps) > 1:
        said.append(f"Then: {', '.join(_said(steps[1:], position))}.")
    if alone:
        said.append("It is the only move.")
    said += habit_said(move.action, habit, config)
    return LineExplanation(
        f"IS#{number} {move.action}",
        tuple(said),
        actions=tuple(Action.from_code(step.label).to_text() for step in steps),
        value=share.rate,
        visits=share.games,
    )


def _decisions(line: Sequence[Step]) -> Iterator[Step]:
    """A line up to the next chance event (one outcome is as good as another) or turn, as far as it was looked at closely."""
    for number, step in enumerate(line):
        if step.seat == CHANCE or (number and step.visits < CLOSELY):
            return
        yield step
        if step.label == END_TURN:
            return


def _said(steps: Sequence[Step], position: Position) -> Iterator[str]:
    """Steps in words; what several others do one after the other is said once."""
    for label, same in groupby(steps, key=lambda step: step.label):
        seats = [step.seat for step in same]
        *most, last = (str(seat + 1) for seat in seats)
        who = f"seats {', '.join(most)} and {last}: " if most else f"seat {last}: "
        words = say(Action.from_code(label).to_text(), position.board)
        yield words if seats == [position.seat] else f"{who}{words}"


def _doubts(moves: Sequence[MoveScore], is_habit: bool, position: Position) -> Iterator[str]:
    """What the figures do not say; whether the first is what the bot would play decides which."""
    if len(moves) > 1:
        if moves[1].win_rate.interval[1] >= moves[0].win_rate.interval[0]:
            yield not_told_apart(moves, position)
        if is_habit and any(move.win_rate.rate > moves[0].win_rate.rate for move in moves[1:]):
            yield IN_DOUBT
        yield NOT_INDEPENDENT
