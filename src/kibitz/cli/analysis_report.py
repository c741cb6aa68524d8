"""The answer of ``kibitz analyze`` as tables and sentences for a terminal of any width."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from kibitz.analysis.draft import predict_line, seat_of
from kibitz.analysis.explain import hexes_text, why
from kibitz.analysis.types import AnalysisMode
from kibitz.analysis.wording import say
from kibitz.catan.actions import Action
from kibitz.catan.board import RESOURCES
from kibitz.catan.codes import PLACE_ROAD, PLACE_SETTLEMENT
from kibitz.catan.topology import EDGE_ENDS
from kibitz.cli.common import moment
from kibitz.cli.tables import fitted

if TYPE_CHECKING:
    from kibitz.analysis import AnalysisConfig, AnalysisResult, Position
    from kibitz.analysis.types import DraftPick, FullGameSummary, LineExplanation, PlacementReport, VertexScore, Waiting
    from kibitz.catan.board import Board
    from kibitz.play.share import Share

#: Of the corners that were not simulated, so many are named.
OTHERS_NAMED = 5
#: Income is told for so many throws.
INCOME_THROWS = 10
#: Bars in the drawing of a distribution.
BARS = 12
#: A candidate of a race with fewer games than this share of the leader's has retired before the last round.
RETIRED = 2 / 3
BELOW = "Below the line: retired earlier, with fewer games; ranked by how long they stayed."

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
    if "step" in position.origin or position.turn:
        parts[1] = _moment(position)
    corners = min(config.full_game_candidate_vertices, int(position.states["open"][0]).bit_count())
    if mode == AnalysisMode.FULL_GAME and position.in_draft and position.picks_made >= position.seats:
        parts.append(f"{_count(corners, 'corner')}, each with its roads")
    elif mode == AnalysisMode.MONTE_CARLO or (mode == AnalysisMode.FULL_GAME and position.in_draft):
        parts.append(_count(corners, "candidate"))
    if total:
        throws = f" of {_count(config.mc_throws, 'throw')}"
        parts.append(_count(total, "sequence") + throws if mode == AnalysisMode.MONTE_CARLO else _count(total, "game"))
    return " · ".join(parts)


def assumed(position: Position) -> str:
    """What is assumed of the seats that placed before the one that asks; nothing if none did."""
    corners = [code - PLACE_SETTLEMENT for code in position.assumed if PLACE_SETTLEMENT <= code < PLACE_ROAD]
    first = position.picks_made - len(corners)
    seats = [seat_of(pick, position.seats) + 1 for pick in range(first, position.picks_made)]
    picks = ", ".join(f"seat {seat} V{corner}" for seat, corner in zip(seats, corners, strict=True))
    return f"assumed: {picks}" if picks else ""


def _moment(position: Position) -> str:
    """The step of the record, if it is one, and who is to do what."""
    when, what = moment(position.states).split(", ", 1)
    who = f"seat {position.seat + 1} of {position.seats}"
    step = f"step {position.origin['step']}, " if "step" in position.origin else ""
    return f"{step}{when}: {what.replace(f'player {position.seat + 1}', who)}"


def _count(n: int, word: str) -> str:
    return f"{n:,} {word}" if n == 1 else f"{n:,} {word}s"


def report(result: AnalysisResult, position: Position, total: int, width: int) -> RenderableType:
    """The whole answer: what is best, why, what will happen, and what is uncertain about it."""
    doubts = {} if result.moves else _doubts(result)
    parts: list[RenderableType] = [*_partial(result, total)]
    if result.moves:
        parts += _section("", *_moves(result, position.board, width))
    elif position.in_draft or result.mode not in (AnalysisMode.FULL_GAME, AnalysisMode.ISMCTS):
        parts += _section("", *_ranking(result, position, doubts, width), *_others(result.global_ranking))
    if result.mode == AnalysisMode.STATIC:
        parts += _section("Where the score comes from", _terms(result.top_recommendations, width))
    if result.placements:
        parts += _dice(result, width)
    for line in result.explain_lines:
        parts += _section(_title(line, result, position.board), _indented(Text(" ".join(line.sentences))))
    if result.predicted_sequence:
        parts += _section("Predicted draft", _indented(_draft(result)))
    if result.full_game_summary is not None and result.full_game_summary.rollout_count:
        parts += _summary(result.full_game_summary, result.seat, width)
    parts += [Text(f"{warning}.", style="yellow") for warning in result.warnings if warning not in doubts.values()]
    return Group(*parts)


def _title(line: LineExplanation, result: AnalysisResult, board: Board) -> str:
    """The label of a line; that of a move in words."""
    if not result.moves:
        return line.label
    number, _, _ = line.label.partition(" ")
    return f"{number} {say(line.actions[0], board)}"


def _partial(result: AnalysisResult, total: int) -> Iterator[Text]:
    if result.mode == AnalysisMode.ISMCTS and result.partial == "time":
        yield Text(f"{_count(result.games, 'game')} in the time; by the clock, another run may differ.", style="dim")
    elif result.partial is not None:
        reason = "stopped" if result.partial == "cancelled" else "the time was up"
        of_all = f" of {total:,}" if total else ""
        done = f" after {result.games:,}{of_all} games" if result.games else ""
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
    """A rate with its margin."""
    return "-" if share is None else _rate(share.rate, *share.interval)


def _rate(rate: float, low: float, high: float) -> str:
    return f"{100 * rate:.1f} % ± {100 * max(high - rate, rate - low):.1f}"


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
    scores = [score for score in result.global_ranking if score.simulated] or result.top_recommendations
    rows = []
    for number, score in enumerate(scores, start=1):
        share, own = score.win_rate, f"V{score.vertex_id} "
        doubt = doubts.get(score.vertex_id, "").removeprefix(own)
        rows.append(
            {
                "#": str(number),
                "corner": _corner(score, position),
                "win rate": percent(share),
                "games": f"{share.games:,}" if share else "",
                "score": f"{score.total:.2f}",
                "hexes": hexes_text(position.board, score.vertex_id),
                "why": doubt or why(position, score, _picks(score, position, result)),
            }
        )
    ends = _last_finalist(result, [score.win_rate.games if score.win_rate else 0 for score in scores])
    yield fitted(
        rows,
        ("#", "corner", *measures, "hexes", "why"),
        ("#", "corner", measures[0], "why"),
        width=width,
        names=2,
        left=("corner",),
        wrapped=("hexes", "why"),
        ends=ends,
        bold_first=True,
    )
    if ends:
        yield Text(BELOW, style="dim")


def _last_finalist(result: AnalysisResult, games: Sequence[int]) -> list[int]:
    """The row below which those stand that retired from a race before its last round; none if nobody did."""
    if result.mode != AnalysisMode.FULL_GAME or not result.config.adaptive:
        return []
    retired = [number for number, n in enumerate(games) if n < RETIRED * games[0]]
    return [retired[0] - 1] if retired else []


def _picks(score: VertexScore, position: Position, result: AnalysisResult) -> Sequence[DraftPick]:
    """The draft after a corner: as far as its line goes by the line, then by the bot."""
    actions = [action for line in result.explain_lines if line.vertex_id == score.vertex_id for action in line.actions]
    settled = [parsed.data["corner"] for parsed in map(Action.from_text, actions) if "corner" in parsed.data]
    return predict_line(position, result.config.policy, settled or [score.vertex_id], score.road)


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


def _terms(scores: Sequence[VertexScore], width: int) -> RenderableType:
    """The static scores, term by term."""
    rows = []
    for score in scores:
        sums = {
            heading: sum(value for term, value in score.terms.items() if term.startswith(prefix))
            for heading, prefix in TERM_GROUPS.items()
        }
        values = {heading: f"{value:.2f}" if value else "-" for heading, value in sums.items()}
        rows.append({"corner": f"V{score.vertex_id}", "score": f"{score.total:.2f}", **values})
    return fitted(rows, ("corner", "score", *TERM_GROUPS), width=width, left=("corner",))


def _moves(result: AnalysisResult, board: Board, width: int) -> Iterator[RenderableType]:
    rows = []
    for number, move in enumerate(result.moves, start=1):
        gap = move.difference
        rows.append(
            {
                "#": str(number),
                "move": say(move.action, board),
                "win rate": percent(move.win_rate),
                "to the best": f"{100 * gap.mean:+.1f} ± {100 * gap.margin:.1f}" if gap and number > 1 else "",
                "games": f"{move.win_rate.games:,}",
            }
        )
    with_gaps = any(move.difference for move in result.moves)
    if len(rows) == 1 and with_gaps and result.partial is None:
        rows[0]["to the best"] = "the only move"
    ends = _last_finalist(result, [move.win_rate.games for move in result.moves])
    yield fitted(
        rows,
        ("#", "move", "win rate", *(("to the best",) if with_gaps else ()), "games"),
        width=width,
        names=2,
        wrapped=("move",),
        ends=ends,
        bold_first=True,
    )
    if ends:
        yield Text(BELOW, style="dim")


# --- dice -----------------------------------------------------------------------------------------------------


def _dice(result: AnalysisResult, width: int) -> Iterator[RenderableType]:
    """Income and waiting times of the recommended corners, and of what the seat has already."""
    shown = {None, *(score.vertex_id for score in result.top_recommendations)}
    income, waits, ends = [], [], []
    for placement in result.placements:
        if placement.vertex_id not in shown:
            continue
        cards = {str(resource): INCOME_THROWS * n for resource, n in placement.income.items()}
        texts = {resource: f"{n:.1f}" if n else "-" for resource, n in cards.items()}
        income.append({"corner": _place(placement), **texts, "all": f"{sum(cards.values()):.1f}"})
        waits += [{"corner": _place(placement), **_waiting(name, found)} for name, found in placement.waiting.items()]
        ends.append(len(waits) - 1)
    yield from _section(
        f"Cards in {INCOME_THROWS} throws",
        fitted(income, ("corner", *map(str, RESOURCES), "all"), width=width, left=("corner",)),
    )
    yield from _section(
        f"Throws until it can be paid for, of {result.config.mc_throws}",
        fitted(
            waits,
            ("corner", "first", "mean", "median", "later", "when"),
            ("corner", "first", "mean", "median", "later"),
            ("corner", "first", "mean", "median"),
            width=width,
            names=2,
            left=("corner", "first", "when"),
            ends=ends[:-1],
        ),
    )


def _waiting(name: str, waiting: Waiting) -> dict[str, str]:
    return {
        "first": name,
        "mean": f"{waiting.mean:.1f}",
        "median": "-" if waiting.median is None else str(waiting.median),
        "later": f"{waiting.later:.0%}",
        "when": bars(waiting),
    }


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


def _summary(summary: FullGameSummary, seat: int, width: int) -> Iterator[RenderableType]:
    rows = []
    for player, rate in summary.player_win_rates.items():
        turns = summary.expected_turns_to_victory[player]
        rows.append(
            {
                "seat": f"{player + 1}{' (you)' if player == seat else ''}",
                "win rate": _rate(rate, *summary.player_win_intervals[player]),
                "turns to victory": "-" if turns is None else f"{turns:.1f}",
            }
        )
    table = fitted(rows, ("seat", "win rate", "turns to victory"), width=width, left=("seat",))
    yield from _section(f"All {_count(summary.rollout_count, 'game')}, all candidates together", table)
    unfinished = f"; {summary.unfinished:,} reached the turn cap" if summary.unfinished else ""
    drawn = f"; {summary.drawn:,} drawn by the loop rule" if summary.drawn else ""
    yield Text(f"A game lasts {summary.average_game_length_turns:.1f} turns on average{unfinished}{drawn}.")
