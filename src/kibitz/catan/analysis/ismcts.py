"""The mode `ismcts`: information-set MCTS from a position, over worlds drawn from what the seat can know.

The actions are the sensible ones (`kibitz.catan.core.policy`), in the draft the best corners. Each is worth what the games
that began with it were worth, while the search went deeper where it won; the line is what it looked at most. The search is that
of the bot `ismcts` (`kibitz.catan.bots`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from math import fsum

from kibitz.catan.analysis.base import Analyzer, asked
from kibitz.catan.analysis.corners import rank_corners
from kibitz.catan.analysis.draft import predict
from kibitz.catan.analysis.full_game import WORLDS, not_told_apart, reached_the_cap
from kibitz.catan.analysis.position import Position, analysis_seed
from kibitz.catan.analysis.types import AnalysisConfig, AnalysisMode, AnalysisResult, MoveScore, VertexScore
from kibitz.catan.bots import TO_THE_END
from kibitz.catan.core.actions import Action, describe
from kibitz.catan.core.policy import BOTS
from kibitz.catan.words import say
from kibitz.compute.cuda import Gpu
from kibitz.compute.runtime import Info, Runtime, Workers
from kibitz.ground.rng import derive_seed
from kibitz.play.advice import LineStep, Option, options_of, search_warnings
from kibitz.play.share import Share, Standing
from kibitz.search.ismcts import ActionStatistics, SearchConfig, SearchResult, search

#: A line is told as far as so many games went along it, and so many steps long.
CLOSELY, STEPS = 20, 12


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
        TO_THE_END,
        iterations=iterations,
        trees=config.ismcts_trees,
        exploration=config.ismcts_exploration,
        policy=policy,
        guide=policy or None,
        others=policy or None,
        caution=TO_THE_END.caution if policy else 0.0,  # nobody trusts chance in case of doubt
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
    return Standing(describe(found.action), share, share.rate, racing=True)


def _share(found: ActionStatistics, seat: int) -> Share:
    """The games that began with an action, and how many of them the seat won."""
    return Share(round(found.values[seat] * found.visits), found.visits)


def _result(found: SearchResult, position: Position, config: AnalysisConfig, cap: int) -> AnalysisResult:
    board = position.board
    tried = options_of(found, Action.from_code, lambda code: say(describe(code), board), config.policy, STEPS)
    moves = [_move(option, position) for _, option in tried]
    ranking = rank_corners(position)
    top = tuple(_corners(moves[: config.top], ranking)) if position.in_draft else ()
    unfinished = sum(round((1 - fsum(action.values)) * action.visits) for action in found.actions)
    return replace(
        asked(AnalysisMode.ISMCTS, position, config),
        global_ranking=ranking,
        predicted_sequence=predict(position, config.policy, [top[0].vertex_id]) if top else (),
        top_recommendations=top,
        options=tuple(moves),
        warnings=(*reached_the_cap(unfinished, found.iterations, cap), *_close(moves), *search_warnings(found)),
        games=found.iterations,
        stopped=found.stopped,
    )


def _move(option: Option, position: Position) -> MoveScore:
    """An option with as much of its line as is worth a word."""
    line = tuple(_decisions(option.line))
    then = f" Then: {', '.join(_said(line[1:], position))}." if len(line) > 1 else ""
    return MoveScore(**vars(replace(option, line=line, reason=option.reason + then)))


def _corners(moves: Sequence[MoveScore], ranking: Sequence[VertexScore]) -> Iterator[VertexScore]:
    """The corners that moves of the draft settle, with how often they win."""
    scores = {score.vertex_id: score for score in ranking}
    for move in moves:
        yield replace(scores[move.data["corner"]], win_rate=move.share)


def _decisions(line: Sequence[LineStep]) -> Iterator[LineStep]:
    """A line up to the next chance event (one outcome is as good as another) or turn, as far as it was looked at closely."""
    for number, step in enumerate(line):
        if step.seat is None or (number and step.visits < CLOSELY):
            return
        yield step
        if step.action == "end_turn":
            return


def _said(steps: Sequence[LineStep], position: Position) -> Iterator[str]:
    """Steps in words; what several others do one after the other is said once."""
    for action, same in groupby(steps, key=lambda step: step.action):
        assert action is not None  # in Catan only chance does what is not seen
        seats = [step.seat for step in same]
        *most, last = (str(seat + 1) for seat in seats if seat is not None)
        who = f"seats {', '.join(most)} and {last}: " if most else f"seat {last}: "
        words = say(action, position.board)
        yield words if seats == [position.seat] else f"{who}{words}"


def _close(moves: Sequence[MoveScore]) -> Iterator[str]:
    """A warning if the games do not show which of the first two wins more often."""
    if len(moves) > 1 and moves[1].interval[1] >= moves[0].interval[0]:
        yield not_told_apart(*(f"“{move.name}”" for move in moves[:2]))
