"""An answer as a table in HTML, for notebooks.

>>> from kibitz.catan.analysis.position import Position
>>> from kibitz.catan.analysis.static import StaticAnalyzer
>>> from kibitz.catan import Board
>>> text = result_html(StaticAnalyzer().analyze(Position.opening(Board.beginner())))
>>> text.count("<tr>"), "<th>1</th><td>V41</td>" in text
(6, True)
"""

from __future__ import annotations

from html import escape

from kibitz.catan.analysis.types import AnalysisResult
from kibitz.ground.figures import counted, with_margin
from kibitz.play.share import Share


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
