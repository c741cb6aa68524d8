"""An answer in the words that every report of it uses, on the command line and in the browser.

For notebooks it is a table in HTML:

>>> from kibitz.catan.analysis.position import Position
>>> from kibitz.catan.analysis.corners import StaticAnalyzer
>>> from kibitz.catan import Board
>>> text = result_html(StaticAnalyzer().analyze(Position.opening(Board.beginner())))
>>> text.count("<tr>"), "<th>1</th><td>V41</td>" in text
(6, True)
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from kibitz.catan.analysis.draft import predict, seat_of
from kibitz.catan.analysis.position import Position
from kibitz.catan.analysis.types import (
    AnalysisConfig,
    AnalysisMode,
    AnalysisResult,
    DraftPick,
    LineExplanation,
    PlacementReport,
    VertexScore,
)
from kibitz.catan.core.actions import Action
from kibitz.catan.core.codes import PLACE_ROAD, PLACE_SETTLEMENT
from kibitz.catan.core.game_state import GameState
from kibitz.catan.core.topology import EDGE_ENDS
from kibitz.ground.figures import counted, with_margin
from kibitz.play.share import Share, margin_of

#: Income is told for so many throws.
INCOME_THROWS = 10
#: A candidate of a race with fewer games than this share of the leader's has retired before the last round.
RETIRED = 2 / 3
#: How the lines of a mode that tries moves are labelled.
LABELS = {AnalysisMode.FULL_GAME: "FG", AnalysisMode.ISMCTS: "IS"}
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
        parts[1] = _when(position)
    corners = min(config.full_game_candidate_vertices, int(position.states["open"][0]).bit_count())
    if mode == AnalysisMode.FULL_GAME and position.in_draft and position.picks_made >= position.seats:
        parts.append(f"{counted(corners, 'corner')}, each with its roads")
    elif mode == AnalysisMode.MONTE_CARLO or (mode == AnalysisMode.FULL_GAME and position.in_draft):
        parts.append(counted(corners, "candidate"))
    if total:
        throws = f" of {counted(config.mc_throws, 'throw')}"
        parts.append(counted(total, "sequence") + throws if mode == AnalysisMode.MONTE_CARLO else counted(total, "game"))
    return " · ".join(parts)


def assumed(position: Position) -> str:
    """What is assumed of the seats that placed before the one that asks; nothing if none did."""
    corners = [code - PLACE_SETTLEMENT for code in position.assumed if PLACE_SETTLEMENT <= code < PLACE_ROAD]
    first = position.picks_made - len(corners)
    seats = [seat_of(pick, position.seats) + 1 for pick in range(first, position.picks_made)]
    picks = ", ".join(f"seat {seat} V{corner}" for seat, corner in zip(seats, corners, strict=True))
    return f"assumed: {picks}" if picks else ""


def _when(position: Position) -> str:
    """The step of the record, if it is one, and who is to do what."""
    when, what = GameState(position.states).title.split(", ", 1)
    who = f"seat {position.seat + 1} of {position.seats}"
    step = f"step {position.origin['step']}, " if "step" in position.origin else ""
    return f"{step}{when}: {what.replace(f'player {position.seat + 1}', who)}"


def term_sums(score: VertexScore) -> dict[str, float]:
    """The terms of a static score, added up by their groups."""
    return {
        heading: sum(value for term, value in score.terms.items() if term.startswith(prefix))
        for heading, prefix in TERM_GROUPS.items()
    }


def shown_corners(result: AnalysisResult) -> Sequence[VertexScore]:
    """The corners that a ranking shows: the simulated ones, or the recommended ones where none were."""
    return [score for score in result.global_ranking if score.simulated] or result.top_recommendations


def partial_text(result: AnalysisResult, total: int) -> str:
    """Why the analysis ended early, if it did; `total` is how much work there would have been (0: not known)."""
    if result.stopped is None:
        return ""
    if result.mode == AnalysisMode.ISMCTS and result.stopped == "time":
        return f"{counted(result.games, 'game')} in the time; by the clock, another run may differ."
    reason = "stopped" if result.stopped == "cancelled" else "the time was up"
    of_all = f" of {total:,}" if total else ""
    done = f" after {result.games:,}{of_all} games" if result.games else ""
    return f"Partial: {reason}{done}."


def explained(result: AnalysisResult) -> Sequence[LineExplanation]:
    """Why: of the recommended corners, or of the best moves, with labels for people."""
    return result.explain_lines or [
        LineExplanation(f"{LABELS[result.mode]}#{number} {move.name}", (move.reason,))
        for number, move in enumerate(result.options[: result.config.top], start=1)
    ]


def doubts_of(result: AnalysisResult) -> dict[int, str]:
    """The warnings about one corner, which stand in its row."""
    found = {}
    for score in result.global_ranking:
        for warning in result.warnings:
            if warning.startswith(f"V{score.vertex_id} cannot be told apart"):
                found[score.vertex_id] = warning
    return found


def win_rate(share: Share | None) -> str:
    """A rate with its margin."""
    return "-" if share is None else with_margin(share.rate, share.margin)


def rate(share: float, low: float, high: float) -> str:
    """A rate with its margin, from its interval."""
    return with_margin(share, margin_of(share, low, high))


def last_finalist(result: AnalysisResult, games: Sequence[int]) -> list[int]:
    """The row below which those stand that retired from a race before its last round; none if nobody did."""
    if result.mode != AnalysisMode.FULL_GAME or not result.config.adaptive:
        return []
    retired = [number for number, n in enumerate(games) if n < RETIRED * games[0]]
    return [retired[0] - 1] if retired else []


def expected_draft(score: VertexScore, position: Position, result: AnalysisResult) -> Sequence[DraftPick]:
    """The draft after a corner: as far as its line goes by the line, then by the bot."""
    actions = [action for line in result.explain_lines if line.vertex_id == score.vertex_id for action in line.actions]
    settled = [parsed.data["corner"] for parsed in map(Action.from_text, actions) if "corner" in parsed.data]
    return predict(position, result.config.policy, settled or [score.vertex_id], score.road)


def corner_name(score: VertexScore, position: Position) -> str:
    """The corner and, for a second settlement, where its road leads."""
    if score.road is None or position.picks_made < position.seats:
        return f"V{score.vertex_id}"
    (end,) = (end for end in EDGE_ENDS[score.road] if end != score.vertex_id)
    return f"V{score.vertex_id} → V{end}"


def place_name(placement: PlacementReport) -> str:
    """The corner of a placement."""
    return "as it is" if placement.vertex_id is None else f"V{placement.vertex_id}"


# --- in a notebook ----------------------------------------------------------------------------------------


def result_html(result: AnalysisResult) -> str:
    """The recommendations, the best first, with win rates where games were played."""
    rows = (
        [(move.action, _rate(move.value, move.margin, move.visits), "") for move in result.options]
        if result.options
        else [(f"V{corner.vertex_id}", _share(corner.win_rate), f"{corner.total:.2f}") for corner in result.top_recommendations]
    )
    head = "".join(f"<th>{word}</th>" for word in ("", "move" if result.options else "corner", "win rate", "games", "score"))
    body = "".join(
        f"<tr><th>{rank}</th><td>{escape(name)}</td>{rate}<td>{score}</td></tr>"
        for rank, (name, rate, score) in enumerate(rows, 1)
    )
    caption = f"{result.mode} · seat {result.seat + 1} of {result.seats} · {counted(result.games, 'game')}"
    return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _share(share: Share | None) -> str:
    return "<td></td><td></td>" if share is None else _rate(share.rate, share.margin, share.games)


def _rate(rate: float, margin: float, games: int) -> str:
    return f"<td>{with_margin(rate, margin)}</td><td>{games:,}</td>"
