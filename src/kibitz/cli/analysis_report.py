"""The answer of ``kibitz analyze`` as tables and sentences for a terminal of any width."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from rich.box import SIMPLE
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from kibitz.analysis.draft import predict
from kibitz.analysis.explain import hexes_text, why
from kibitz.analysis.types import AnalysisMode
from kibitz.analysis.wording import say
from kibitz.catan.board import RESOURCES
from kibitz.catan.topology import EDGE_ENDS

if TYPE_CHECKING:
    from kibitz.analysis import AnalysisConfig, AnalysisResult, Position
    from kibitz.analysis.types import DraftPick, FullGameSummary, MoveScore, PlacementReport, VertexScore, Waiting
    from kibitz.play.share import Share

#: Below this width a table keeps only the most important columns.
NARROW = 72
#: Of the corners that were not simulated, so many are named.
OTHERS_NAMED = 5
#: Income is told for so many throws.
INCOME_THROWS = 10
#: Bars in the drawing of a distribution.
BARS = 12

#: The terms of the static score that are shown in one column, by its heading.
TERM_GROUPS = {
    "pips": "pips",
    "diversity": "diversity",
    "scarcity": "scarcity",
    "recipes": "coverage",
    "harbour": "harbour",
    "room": "room",
    "robber": "exposure",
}


def headline(name: str, position: Position, config: AnalysisConfig, mode: str, total: int) -> str:
    """What is analysed, and how much work it will be (0: nothing to speak of)."""
    parts = [name, f"seat {position.seat + 1} of {position.seats}", mode]
    free = int(position.states["open"][0]).bit_count()
    if mode == AnalysisMode.MONTE_CARLO or (mode == AnalysisMode.FULL_GAME and position.in_draft):
        parts.append(f"{min(config.full_game_candidate_vertices, free)} candidates")
    if total:
        parts.append(
            f"{total:,} sequences of {config.mc_throws} throws" if mode == AnalysisMode.MONTE_CARLO else f"{total:,} games"
        )
    return " · ".join(parts)


def report(result: AnalysisResult, position: Position, total: int, width: int) -> RenderableType:
    """The whole answer: what is best, why, what will happen, and what is uncertain about it."""
    doubts = {} if result.moves else _doubts(result)
    parts: list[RenderableType] = [*_partial(result, total)]
    if result.moves:
        parts += _section("", _moves(result.moves))
    else:
        parts += _section("", _ranking(result, position, doubts, width), *_others(result.global_ranking))
    if result.mode == AnalysisMode.STATIC:
        parts += _section("Where the score comes from", _terms(result.top_recommendations))
    if result.placements:
        parts += _dice(result)
    for line in result.explain_lines:
        parts += _section(line.label, _indented(Text(" ".join(line.sentences))))
    if result.predicted_sequence:
        parts += _section("Predicted draft", _indented(_draft(result)))
    if result.full_game_summary is not None and result.full_game_summary.rollout_count:
        parts += _summary(result.full_game_summary, result.seat)
    parts += [Text(f"{warning}.", style="yellow") for warning in result.warnings if warning not in doubts.values()]
    return Group(*parts)


def _partial(result: AnalysisResult, total: int) -> Iterator[Text]:
    if result.partial is not None:
        reason = "stopped" if result.partial == "cancelled" else "the time was up"
        done = f" after {result.games:,} of {total:,} games" if result.games else ""
        yield Text(f"Partial: {reason}{done}.", style="bold yellow")


def _doubts(result: AnalysisResult) -> dict[int, str]:
    """The warnings about one corner, which stand in its row."""
    found = {}
    for score in result.global_ranking:
        for warning in result.warnings:
            if warning.startswith(f"V{score.vertex_id} cannot be told apart"):
                found[score.vertex_id] = warning
    return found


def percent(share: Share | None) -> str:
    """A rate with the half width of its interval."""
    return "-" if share is None else _rate(share.rate, share.margin)


def _rate(rate: float, margin: float) -> str:
    return f"{100 * rate:.1f} % ± {100 * margin:.1f}"


def _section(title: str, *parts: RenderableType) -> Iterator[RenderableType]:
    """Something with an empty line above it and, perhaps, a title."""
    yield Text("")
    if title:
        yield Text(title, style="bold")
    yield from parts


def _indented(text: Text) -> Padding:
    return Padding(text, (0, 0, 0, 2), expand=False)


def _table(*headings: str, left: Sequence[str] = ()) -> Table:
    table = Table(box=SIMPLE, show_edge=False, padding=(0, 1, 0, 0))
    for heading in headings:
        wraps = heading in ("hexes", "why", "move")
        justify: Literal["left", "right"] = "left" if wraps or heading in left else "right"
        table.add_column(heading, justify=justify, no_wrap=not wraps, overflow="fold")
    return table


def _ranking(result: AnalysisResult, position: Position, doubts: Mapping[int, str], width: int) -> Table:
    """The simulated corners, or the recommended ones where none were."""
    by_games = any(score.win_rate for score in result.global_ranking)
    measures = ("win rate", "games") if by_games else ("score",)
    headings = ("#", "corner", *measures, "hexes", "why") if width >= NARROW else ("#", "corner", measures[0], "why")
    table = _table(*headings, left=("corner",))
    scores = [score for score in result.global_ranking if score.simulated] or result.top_recommendations
    for number, score in enumerate(scores, start=1):
        share, own = score.win_rate, f"V{score.vertex_id} "
        doubt = doubts.get(score.vertex_id, "").removeprefix(own)
        cells = {
            "#": str(number),
            "corner": _corner(score, position),
            "win rate": percent(share),
            "games": f"{share.games:,}" if share else "",
            "score": f"{score.total:.2f}",
            "hexes": hexes_text(position.board, score.vertex_id),
            "why": doubt or why(position, score, _picks(score, position, result)),
        }
        table.add_row(*(cells[heading] for heading in headings), style="bold" if number == 1 else None)
    return table


def _picks(score: VertexScore, position: Position, result: AnalysisResult) -> Sequence[DraftPick]:
    return predict(position, result.config.policy, score.vertex_id, score.road)


def _corner(score: VertexScore, position: Position) -> str:
    """The corner and, for a second settlement, where its road leads."""
    if score.road is None or position.picks_made < position.seats:
        return f"V{score.vertex_id}"
    (end,) = (end for end in EDGE_ENDS[score.road] if end != score.vertex_id)
    return f"V{score.vertex_id} → V{end}"


def _others(ranking: Sequence[VertexScore]) -> Iterator[Text]:
    """What was not simulated, where something was."""
    rest = [score for score in ranking if not score.simulated]
    if rest and len(rest) < len(ranking):
        named = ", ".join(f"V{score.vertex_id} {score.total:.2f}" for score in rest[:OTHERS_NAMED])
        more = " ..." if len(rest) > OTHERS_NAMED else ""
        yield Text(f"{len(rest)} not simulated, by static score: {named}{more}", style="dim")


def _terms(scores: Sequence[VertexScore]) -> Table:
    """The static scores, term by term."""
    table = _table("corner", "score", *TERM_GROUPS, left=("corner",))
    for score in scores:
        sums = [sum(v for term, v in score.terms.items() if term.startswith(prefix)) for prefix in TERM_GROUPS.values()]
        table.add_row(f"V{score.vertex_id}", f"{score.total:.2f}", *(f"{value:.2f}" if value else "-" for value in sums))
    return table


def _moves(moves: Sequence[MoveScore]) -> Table:
    table = _table("#", "move", "win rate", "to the best", "games")
    for number, move in enumerate(moves, start=1):
        low, high = move.difference.low, move.difference.high
        gap = f"{100 * move.difference.mean:+.1f} ± {50 * (high - low):.1f}" if number > 1 else ""
        row = (str(number), say(move.action), percent(move.win_rate), gap, f"{move.win_rate.games:,}")
        table.add_row(*row, style="bold" if number == 1 else None)
    return table


# --- dice -----------------------------------------------------------------------------------------------------


def _dice(result: AnalysisResult) -> Iterator[RenderableType]:
    """Income and waiting times of the recommended corners, and of what the seat has already."""
    shown = {None, *(score.vertex_id for score in result.top_recommendations)}
    placements = [placement for placement in result.placements if placement.vertex_id in shown]
    income = _table("corner", *RESOURCES, "all", left=("corner",))
    for placement in placements:
        cards = [INCOME_THROWS * n for n in placement.income.values()]
        income.add_row(_place(placement), *(f"{n:.1f}" if n else "-" for n in cards), f"{sum(cards):.1f}")
    headings = ("corner", "first", "mean", "median", "later", "when")
    waits = _table(*headings, left=("corner", "first", "when"))
    for placement in placements:
        for name, waiting in placement.waiting.items():
            median = "-" if waiting.median is None else str(waiting.median)
            row = (f"{waiting.mean:.1f}", median, f"{waiting.later:.0%}", bars(waiting))
            waits.add_row(_place(placement), name, *row, end_section=name == "development card")
    yield from _section(f"Cards in {INCOME_THROWS} throws", income)
    yield from _section(f"Throws until it can be paid for, of {result.config.mc_throws}", waits)


def _place(placement: PlacementReport) -> str:
    return "as it is" if placement.vertex_id is None else f"V{placement.vertex_id}"


def bars(waiting: Waiting) -> str:
    """The distribution of a waiting time, drawn in a line: the first bar is for the first throws.

    >>> from kibitz.analysis.types import Waiting
    >>> bars(Waiting(mean=2.0, median=2, distribution=(0.0, 0.5, 0.25, 0.125, 0.125), later=0.0))
    ' █▄▂▂'
    """
    chances = waiting.distribution
    edges = [len(chances) * k // BARS for k in range(BARS + 1)] if len(chances) > BARS else list(range(len(chances) + 1))
    sums = [sum(chances[a:b]) for a, b in pairwise(edges)]
    highest = max(sums) or 1.0
    return "".join(" ▁▂▃▄▅▆▇█"[-int(-8 * value // highest)] for value in sums)


# --- the rest of the game -------------------------------------------------------------------------------------


def _draft(result: AnalysisResult) -> Text:
    text = Text()
    for pick in result.predicted_sequence:
        text.append(", " if text else "")
        mine = pick.seat == result.seat
        text.append(f"{'you' if mine else f'seat {pick.seat + 1}'} V{pick.vertex_id}", style="bold" if mine else "")
    return text


def _summary(summary: FullGameSummary, seat: int) -> Iterator[RenderableType]:
    table = _table("seat", "win rate", "turns to victory", left=("seat",))
    for player, rate in summary.player_win_rates.items():
        low, high = summary.player_win_intervals[player]
        turns = summary.expected_turns_to_victory[player]
        you = " (you)" if player == seat else ""
        table.add_row(f"{player + 1}{you}", _rate(rate, (high - low) / 2), "-" if turns is None else f"{turns:.1f}")
    yield from _section(f"All {summary.rollout_count:,} games", table)
    unfinished = f"; {summary.unfinished:,} reached the turn cap" if summary.unfinished else ""
    yield Text(f"A game lasts {summary.average_game_length_turns:.1f} turns on average{unfinished}.")
