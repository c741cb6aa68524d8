"""The answer of ``kibitz analyze`` as tables and sentences for a terminal of any width."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import fsum
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from kibitz.catan.analysis import report as words
from kibitz.catan.analysis.explain import hexes_text, why
from kibitz.catan.analysis.types import AnalysisMode
from kibitz.catan.core.board import RESOURCES
from kibitz.cli.tables import fitted
from kibitz.ground.signs import minus, signed
from kibitz.ground.texts import counted, percent

if TYPE_CHECKING:
    from kibitz.catan.analysis import AnalysisResult, Position
    from kibitz.catan.analysis.types import FullGameSummary, VertexScore, Waiting

#: Of the corners that were not simulated, so many are named.
OTHERS_NAMED = 5
#: Bars in the drawing of a distribution.
BARS = 12


def report(result: AnalysisResult, position: Position, total: int, width: int) -> RenderableType:
    """The whole answer: what is best, why, what will happen, and what is uncertain about it."""
    doubts = {} if result.options else words.doubts_of(result)
    parts: list[RenderableType] = []
    if text := words.partial_text(result, total):
        parts.append(Text(text, style="dim" if words.ends_by_the_clock(result) else "bold yellow"))
    if result.options:
        parts += _section("", *_moves(result, width))
    elif position.in_draft or result.mode not in (AnalysisMode.FULL_GAME, AnalysisMode.ISMCTS):
        parts += _section("", *_ranking(result, position, doubts, width), *_others(result.global_ranking))
    if result.mode == AnalysisMode.STATIC:
        parts += _section("How the score is made up", _terms(result.top_recommendations, width))
    if result.placements:
        parts += _dice(result, width)
    for line in words.explained(result):
        parts += _section(line.label, _indented(Text(" ".join(line.sentences))))
    if result.predicted_sequence:
        parts += _section("Predicted draft", _indented(_draft(result)))
    if result.full_game_summary is not None and result.full_game_summary.rollout_count:
        parts += _summary(result.full_game_summary, result.seat, width)
    parts += [Text(f"{warning}.", style="yellow") for warning in result.warnings if warning not in doubts.values()]
    return Group(*parts)


def _section(title: str, *parts: RenderableType) -> Iterator[RenderableType]:
    """Something with an empty line above it and, perhaps, a title."""
    yield Text("")
    if title:
        yield Text(title, style="bold")
    yield from parts


def _indented(text: Text) -> Padding:
    return Padding(text, (0, 0, 0, 2), expand=False)


def _ranking(result: AnalysisResult, position: Position, doubts: Mapping[int, str], width: int) -> Iterator[RenderableType]:
    """The simulated corners, or the recommended ones where none were."""
    by_games = any(score.win_rate for score in result.global_ranking)
    measures = ("win rate", "games") if by_games else ("score",)
    scores = words.shown_corners(result)
    rows = []
    for number, score in enumerate(scores, start=1):
        share, own = score.win_rate, f"V{score.vertex_id} "
        doubt = doubts.get(score.vertex_id, "").removeprefix(own)
        rows.append(
            {
                "#": str(number),
                "corner": words.corner_name(score, position),
                "win rate": words.win_rate(share),
                "games": f"{share.games:,}" if share else "",
                "score": minus(score.total, 2),
                "hexes": hexes_text(position.board, score.vertex_id),
                "why": doubt or why(position, score, words.expected_draft(score, position, result)),
            }
        )
    ends = words.last_finalist(result, [score.win_rate.games if score.win_rate else 0 for score in scores])
    choices = ("#", "corner", *measures, "hexes", "why"), ("#", "corner", measures[0], "why")
    yield from _ranked(
        rows, *choices, width=width, wrapped=("hexes", "why"), ends=ends, said=words.below_the_line(result, ends)
    )


def _ranked(
    rows: list[dict[str, str]],
    *choices: Sequence[str],
    width: int,
    wrapped: Sequence[str],
    ends: Collection[int],
    said: Iterable[str],
) -> Iterator[RenderableType]:
    """What was compared, the best first; below a line those that were given up on the way."""
    yield fitted(rows, *choices, width=width, names=2, left=("corner",), wrapped=wrapped, ends=ends, bold_first=True)
    yield from (Text(text, style="dim") for text in said)


def _others(ranking: Sequence[VertexScore]) -> Iterator[Text]:
    """What was not simulated, where something was."""
    rest = [score for score in ranking if not score.simulated]
    if rest and len(rest) < len(ranking):
        named = ", ".join(f"V{score.vertex_id} {minus(score.total, 2)}" for score in rest[:OTHERS_NAMED])
        more = " ..." if len(rest) > OTHERS_NAMED else ""
        yield Text(f"{len(rest)} not simulated, by static score: {named}{more}", style="dim")


def _terms(scores: Sequence[VertexScore], width: int) -> RenderableType:
    """The static scores, term by term."""
    rows = []
    for score in scores:
        values = {heading: minus(value, 2) if value else "-" for heading, value in words.term_sums(score).items()}
        rows.append({"corner": f"V{score.vertex_id}", "score": minus(score.total, 2), **values})
    return fitted(rows, ("corner", "score", *words.TERM_GROUPS), width=width, left=("corner",))


def _moves(result: AnalysisResult, width: int) -> Iterator[RenderableType]:
    rows = []
    for number, move in enumerate(result.options, start=1):
        gap = move.difference
        rows.append(
            {
                "#": str(number),
                "move": move.name,
                "win rate": words.chance(move),
                "to the best": f"{signed(100 * gap.mean, 1)} ± {100 * gap.margin:.1f}" if gap and number > 1 else "",
                "games": f"{move.visits:,}" if move.visits else "-",
            }
        )
    with_gaps = any(move.difference for move in result.options)
    if len(rows) == 1 and with_gaps and result.stopped is None:
        rows[0]["to the best"] = "the only move"
    ends = words.last_finalist(result, [move.visits for move in result.options])
    headings = ("#", "move", "win rate", *(("to the best",) if with_gaps else ()), "games")
    yield from _ranked(rows, headings, width=width, wrapped=("move",), ends=ends, said=words.below_the_line(result, ends))


def _dice(result: AnalysisResult, width: int) -> Iterator[RenderableType]:
    """Income and waiting times of the recommended corners, and of what the seat has already."""
    shown = {None, *(score.vertex_id for score in result.top_recommendations)}
    income, waits, ends = [], [], []
    for placement in result.placements:
        if placement.vertex_id not in shown:
            continue
        cards = {str(resource): words.INCOME_THROWS * n for resource, n in placement.income.items()}
        texts = {resource: f"{n:.1f}" if n else "-" for resource, n in cards.items()}
        income.append({"corner": words.place_name(placement), **texts, "all": f"{fsum(cards.values()):.1f}"})
        waits += [{"corner": words.place_name(placement), **_waiting(name, found)} for name, found in placement.waiting.items()]
        ends.append(len(waits) - 1)
    cards_table = fitted(income, ("corner", *map(str, RESOURCES), "all"), width=width, left=("corner",))
    yield from _section(f"Cards in {words.INCOME_THROWS} throws", cards_table)
    headings = ("corner", "first", "mean", "median", "later", "when")
    choices, left = (headings, headings[:5], headings[:4]), ("corner", "first", "when")
    waits_table = fitted(waits, *choices, width=width, names=2, left=left, ends=ends[:-1])
    yield from _section(f"Throws until it can be paid for, of {result.config.mc_throws}", waits_table)


def _waiting(name: str, waiting: Waiting) -> dict[str, str]:
    median = "-" if waiting.median is None else str(waiting.median)
    figures = {"mean": f"{waiting.mean:.1f}", "median": median, "later": percent(waiting.later, 0)}
    return {"first": name, **figures, "when": bars(waiting)}


def bars(waiting: Waiting) -> str:
    """The distribution of a waiting time, drawn in a line: the first bar is for the first throws.

    >>> from kibitz.catan.analysis.types import Waiting
    >>> bars(Waiting(mean=2.0, median=2, distribution=(0.0, 0.5, 0.25, 0.125, 0.125), later=0.0))
    ' █▄▂▂'
    """
    chances = waiting.distribution
    edges = [len(chances) * k // BARS for k in range(BARS + 1)] if len(chances) > BARS else list(range(len(chances) + 1))
    sums = [fsum(chances[a:b]) for a, b in pairwise(edges)]
    highest = max(sums) or 1.0
    return "".join(" ▁▂▃▄▅▆▇█"[-int(-8 * value // highest)] for value in sums)


def _draft(result: AnalysisResult) -> Text:
    text = Text()
    for pick in result.predicted_sequence:
        text.append(", " if text else "")
        mine = pick.seat == result.seat
        text.append(f"{'you' if mine else f'seat {pick.seat + 1}'} V{pick.vertex_id}", style="bold" if mine else "")
    return text


def _summary(summary: FullGameSummary, seat: int, width: int) -> Iterator[RenderableType]:
    rows = []
    for player, share in summary.player_win_rates.items():
        turns = summary.expected_turns_to_victory[player]
        rows.append(
            {
                "seat": f"{player + 1}{' (you)' if player == seat else ''}",
                "win rate": words.rate(share, *summary.player_win_intervals[player]),
                "turns to victory": "-" if turns is None else f"{turns:.1f}",
            }
        )
    table = fitted(rows, ("seat", "win rate", "turns to victory"), width=width, left=("seat",))
    yield from _section(f"All {counted(summary.rollout_count, 'game')} of all candidates together", table)
    unfinished = f"; {summary.unfinished:,} reached the turn cap" if summary.unfinished else ""
    drawn = f"; {summary.drawn:,} drawn by the loop rule" if summary.drawn else ""
    yield Text(f"A game lasts {summary.average_game_length_turns:.1f} turns on average{unfinished}{drawn}.")
