"""A learning curve as a picture: how often the network won against a bot, over training time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kibitz.ground.intervals import wilson
from kibitz.learn.plots import Plot

STYLE = """<style>
svg { background: #fff; color-scheme: light dark; }
text { font: 11.5px system-ui, sans-serif; fill: #5c6870; }
.title { font-weight: 600; font-size: 13px; fill: #1f2a30; }
.grid { stroke: #d9dfe2; } .even { stroke: #5c6870; stroke-dasharray: 4 4; fill: none; }
.line { fill: none; stroke: #0b6e8a; stroke-width: 2; } .dot { fill: #0b6e8a; } .span { stroke: #0b6e8a; stroke-width: 1.6; }
@media (prefers-color-scheme: dark) {
  svg { background: #171d21; } text { fill: #9fadb5; } .title { fill: #e6ecef; } .grid { stroke: #3a464d; }
  .even { stroke: #9fadb5; } .line { stroke: #4fb6d3; } .dot { fill: #4fb6d3; } .span { stroke: #4fb6d3; }
}
</style>"""


def curve_svg(curve: Sequence[Mapping[str, float]], rival: str, games: int) -> str:
    """A self-contained SVG picture, with the 95 % interval of each measurement."""
    longest = max((point["seconds"] for point in curve), default=0.0) / 60 or 1.0
    plot = Plot(
        (0, longest * 1.02), (0, 1), f"Games won against {rival}", "minutes of training", width=640, height=300,
        y_words=lambda value: f"{100 * value:.0f} %",
    )  # fmt: skip
    plot.line([(0, 0.5), (longest * 1.02, 0.5)], "even")
    plot.line([(point["seconds"] / 60, point["won"]) for point in curve])
    for point in curve:
        at, (low, high) = point["seconds"] / 60, wilson(point["won"], games)
        plot.span((at, low), (at, high))
        plot.dot((at, point["won"]), words=f"{point['won']:.1%} after {point['decisions'] / 1e6:.0f} million decisions")
    return plot.svg().replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1).replace(">", f">{STYLE}", 1) + "\n"
