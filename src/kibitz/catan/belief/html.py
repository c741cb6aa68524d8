"""What a tracker knows as a table in HTML, for notebooks.

>>> from kibitz.catan.core.events import Roll, Steal
>>> tracker = HandTracker(["Ann", "<Bob>"])
>>> tracker.process_all([Roll(0, 8, {0: {"wood": 2, "ore": 1}}), Steal(1, 0)])
>>> text = hands_html(tracker)
>>> "<td>1 <small>67 %</small></td>" in text, "&lt;Bob&gt;" in text
(True, True)
"""

from __future__ import annotations

from html import escape

from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.belief.reports import Marginal
from kibitz.ground.figures import chance_text, counted


def hands_html(tracker: HandTracker) -> str:
    """Each player's most likely cards, with their chance where they are not certain."""
    rows = []
    for seat, name in enumerate(tracker.names):
        cells = [tracker.total(seat), *tracker.marginals(seat).values()]
        told = "".join(f"<td>{_cell(marginal)}</td>" for marginal in cells)
        rows.append(f"<tr><th>{escape(name)}</th>{told}<td>{chance_text(tracker.confidence(seat))}</td></tr>")
    head = "".join(f"<th>{word}</th>" for word in ("player", "cards", *tracker.marginals(0), "known"))
    caption = f"after event {len(tracker.events)}: {counted(tracker.world_count, 'possible world')}"
    return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _cell(marginal: Marginal) -> str:
    chance = marginal.distribution[marginal.most_likely]
    certain = marginal.min == marginal.max
    return str(marginal.most_likely) if certain else f"{marginal.most_likely} <small>{chance_text(chance)}</small>"
