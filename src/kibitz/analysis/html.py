"""An answer as a table in HTML, for notebooks.

>>> from kibitz.analysis.position import Position
>>> from kibitz.analysis.static import StaticAnalyzer
>>> from kibitz.catan import Board
>>> text = result_html(StaticAnalyzer().analyze(Position.opening(Board.beginner())))
>>> text.count("<tr>"), "<th>1</th><td>V41</td>" in text
(6, True)
"""

from __future__ import annotations

from html import escape

from kibitz.analysis.types import AnalysisResult
from kibitz.figures import counted, with_margin
from kibitz.play.share import Share


def result_html(result: AnalysisResult) -> str:
    """The recommendations, the best first, with win rates where games were played."""
    rows = (
        [(move.action, move.win_rate, "") for move in result.moves]
        if result.moves
        else [(f"V{corner.vertex_id}", corner.win_rate, f"{corner.total:.2f}") for corner in result.top_recommendations]
    )
    head = "".join(f"<th>{word}</th>" for word in ("", "move" if result.moves else "corner", "win rate", "games", "score"))
    body = "".join(
        f"<tr><th>{rank}</th><td>{escape(name)}</td>{_rate(share)}<td>{score}</td></tr>"
        for rank, (name, share, score) in enumerate(rows, 1)
    )
    caption = f"{result.mode} · seat {result.seat + 1} of {result.seats} · {counted(result.games, 'game')}"
    return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _rate(share: Share | None) -> str:
    if share is None:
        return "<td></td><td></td>"
    return f"<td>{with_margin(share.rate, share.margin)}</td><td>{share.games:,}</td>"
