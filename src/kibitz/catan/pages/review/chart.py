"""Everybody's chances over the turns of a game."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

from nicegui import events, ui

from kibitz.catan.analysis.review import Review

#: Legible on light and on dark ground.
_GREY = "#7F8B93"
#: A colour, a dash and a symbol for each seat: those of the board, where they can be seen as a line.
_LOOKS = (("#D55E00", "solid", "circle"), ("#0072B2", "dashed", "rect"), ("#8A949B", "dotted", "triangle"),
          ("#CC79A7", [8, 3, 2, 3], "diamond"))  # fmt: skip


class ChancesChart:
    """A line for each seat; a click on a point goes to its turn."""

    def __init__(self, names: Sequence[str], on_step: Callable[[int], Any]) -> None:
        self._names, self._on_step = names, on_step
        self._steps: list[int] = []
        self._chart = ui.echart(self._options([], []), on_point_click=self._clicked).classes("rv-chances")
        self._chart.props["aria-label"] = "Chart: the chances of all players, turn by turn"

    def _options(self, turns: Sequence[int], lines: Sequence[Sequence[float]]) -> dict[str, Any]:
        series = []
        for seat, name in enumerate(self._names):
            colour, dash, symbol = _LOOKS[seat]
            series.append({
                "name": f"{seat + 1} {name}", "type": "line", "symbol": symbol, "symbolSize": 5, "triggerLineEvent": True,
                "lineStyle": {"width": 2.4, "color": colour, "type": dash}, "itemStyle": {"color": colour},
                "data": list(lines[seat]) if lines else [],
            })  # fmt: skip
        return {
            "textStyle": {"fontFamily": "Roboto, system-ui, sans-serif", "color": _GREY}, "animation": False,
            "tooltip": {"trigger": "axis", "order": "valueDesc"},
            "legend": {"top": 0, "textStyle": {"color": _GREY}, "itemWidth": 26},
            "grid": {"left": 4, "right": 14, "top": 54 if len(self._names) > 2 else 34, "bottom": 22, "containLabel": True},
            "xAxis": {"type": "category", "data": list(turns), "name": "turn", "nameLocation": "middle", "nameGap": 24,
                      "axisLabel": {"color": _GREY}, "boundaryGap": False},
            "yAxis": {"type": "value", "min": 0, "max": 100, "axisLabel": {"color": _GREY, "formatter": "{value} %"},
                      "splitLine": {"lineStyle": {"color": _GREY, "opacity": 0.25}}},
            "series": series,
        }  # fmt: skip

    def show(self, review: Review | None, step: int) -> None:
        """Show what is known, and where we are."""
        moments = review.moments if review is not None else ()
        self._steps = [moment.step for moment in moments]
        lines = [[round(100 * moment.chances[seat], 1) for moment in moments] for seat in range(len(self._names))]
        options = self._options([moment.turn for moment in moments], lines)
        if self._steps:
            at = max(0, bisect_right(self._steps, step) - 1)
            options["series"][0]["markLine"] = {
                "symbol": "none", "silent": True, "label": {"show": False}, "data": [{"xAxis": at}],
                "lineStyle": {"color": _GREY, "width": 2, "type": "solid"},
            }  # fmt: skip
        if dict(self._chart.options) != options:
            self._chart.options.clear()
            self._chart.options.update(options)
            self._chart.update()

    def _clicked(self, event: events.EChartPointClickEventArguments) -> Any:
        if 0 <= event.data_index < len(self._steps):
            return self._on_step(self._steps[event.data_index])
        return None
