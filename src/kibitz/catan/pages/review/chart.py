"""The wide chart of a review: everybody's chances, and below them everybody's luck, over the draft and the turns."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

from nicegui import events, ui

from kibitz.catan.review.types import Moment, Review, points

#: Legible on light and on dark ground.
_GREY = "#7F8B93"
#: A colour, a dash and a symbol for each seat: those of the board, where they can be seen as a line.
_LOOKS = (("#D55E00", "solid", "circle"), ("#0072B2", "dashed", "rect"), ("#8A949B", "dotted", "triangle"),
          ("#CC79A7", [8, 3, 2, 3], "diamond"))  # fmt: skip
#: The least that the axis of luck shows, in points.
_LEAST = 10


class ReviewChart:
    """Lines for each seat; a click anywhere goes to its turn."""

    def __init__(self, names: Sequence[str], on_step: Callable[[int], Any]) -> None:
        self._names, self._on_step = names, on_step
        self._steps: list[int] = []
        self._chart = ui.echart(self._options((), None), on_point_click=self._clicked).classes("rv-chances")
        self._chart.props["role"] = "img"
        self._chart.props["aria-label"] = "Chart: chances to win and luck of all players, turn by turn"

    def show(self, review: Review | None, step: int, seat: int | None) -> None:
        """Show what is known, where we are, and whose lines matter."""
        moments = review.moments if review is not None else ()
        self._steps = [moment.step for moment in moments]
        options = self._options(moments, seat)
        if self._steps:
            at = max(0, bisect_right(self._steps, step) - 1)
            line = {"symbol": "none", "silent": True, "label": {"show": False}, "data": [{"xAxis": at}],
                    "lineStyle": {"color": _GREY, "width": 2, "type": "solid"}}  # fmt: skip
            for series in options["series"]:
                if series["name"] in ("where", "where in luck"):
                    series["markLine"] = line
        if dict(self._chart.options) != options:
            self._chart.options.clear()
            self._chart.options.update(options)
            self._chart.update()

    def _options(self, moments: Sequence[Moment], chosen: int | None) -> dict[str, Any]:
        luck = [[round(points(moment.luck[seat]), 1) for moment in moments] for seat in range(len(self._names))]
        most = max([_LEAST, *(abs(value) for line in luck for value in line)])
        most = -(-most // 10) * 10
        chances = [[round(points(moment.chances[seat]), 1) for moment in moments] for seat in range(len(self._names))]
        labels = [f"D{moment.pick}" if moment.pick else str(moment.turn) for moment in moments]
        everywhere = [100] * len(moments), [most] * len(moments), [-most] * len(moments)
        series = [_click_area("where", 0, everywhere[0]), _click_area("where in luck", 1, everywhere[1])]
        series.append(_click_area("below", 1, everywhere[2]))
        for seat, name in enumerate(self._names):
            for axis, lines in enumerate((chances, luck)):
                series.append(_line(seat, f"{seat + 1} {name}", axis, lines[seat], faint=chosen not in (None, seat)))
        return {
            "textStyle": {"fontFamily": "Roboto, system-ui, sans-serif", "color": _GREY}, "animation": False,
            "tooltip": {"trigger": "axis", "order": "seriesAsc", "confine": True, ":formatter": _TOLD},
            "axisPointer": {"link": [{"xAxisIndex": "all"}]},
            "legend": {"top": 0, "textStyle": {"color": _GREY}, "itemWidth": 26,
                       "data": [f"{seat + 1} {name}" for seat, name in enumerate(self._names)]},
            "grid": [_grid(top=30, height="45%"), _grid(bottom=22, height="27%")],
            "xAxis": [_turns(labels, 0, show=False), _turns(labels, 1, show=True)],
            "yAxis": [_axis("to win", 0, 100, 0, "{value} %"), _axis("luck", -most, most, 1, "{value}")],
            "series": series,
        }  # fmt: skip

    def _clicked(self, event: events.EChartPointClickEventArguments) -> Any:
        if 0 <= event.data_index < len(self._steps):
            return self._on_step(self._steps[event.data_index])
        return None


#: Chances in per cent, luck in points; what only takes clicks is not told. Names of strangers are escaped.
_TOLD = """(rows) => {
  const safe = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
  const lines = {};
  for (const row of rows) {
    if (row.seriesType !== 'line') continue;
    const found = lines[row.seriesName] ??= { marker: row.marker, values: [] };
    found.values[row.axisIndex ?? 0] = row.value;
  }
  const at = String(rows[0].axisValue);
  const head = at.startsWith('D') ? `Draft, settlement ${safe(at.slice(1))}` : `Turn ${safe(at)}`;
  const said = Object.entries(lines).map(([name, { marker, values }]) => {
    const luck = values[1] ?? 0;
    return `${marker}${safe(name)}: ${values[0] ?? 0} %, luck ${luck > 0 ? '+' : ''}${String(luck).replace('-', '\u2212')}`;
  });
  return [head, ...said].join('<br>');
}"""


def _click_area(name: str, axis: int, data: list[float] | list[int]) -> dict[str, Any]:
    """Bars that nobody sees, over the whole height: a click between the lines is a click on one of them."""
    return {"name": name, "type": "bar", "xAxisIndex": axis, "yAxisIndex": axis, "data": list(data), "barWidth": "100%",
            "barGap": "-100%", "itemStyle": {"color": "rgba(0,0,0,0)"}, "emphasis": {"disabled": True}, "z": 5,
            "cursor": "pointer"}  # fmt: skip


def _line(seat: int, name: str, axis: int, data: list[float], faint: bool) -> dict[str, Any]:
    colour, dash, symbol = _LOOKS[seat]
    size, width, opacity = (3, 1.2, 0.45) if faint else (4, 2.6, 1)
    return {"name": name, "type": "line", "xAxisIndex": axis, "yAxisIndex": axis, "symbol": symbol, "symbolSize": size,
            "lineStyle": {"width": width, "color": colour, "type": dash, "opacity": opacity},
            "itemStyle": {"color": colour, "opacity": opacity}, "data": data}  # fmt: skip


def _grid(**place: Any) -> dict[str, Any]:
    """Room for a plot: each turn stands below itself, however wide the labels of the axes are."""
    return {"left": 56, "right": 14, "outerBoundsMode": "none", **place}


def _turns(labels: list[str], grid: int, show: bool) -> dict[str, Any]:
    return {"type": "category", "gridIndex": grid, "data": labels, "axisLabel": {"color": _GREY, "show": show},
            "axisTick": {"show": show}, "boundaryGap": True}  # fmt: skip


def _axis(name: str, low: float, high: float, grid: int, form: str) -> dict[str, Any]:
    return {"type": "value", "gridIndex": grid, "min": low, "max": high, "interval": (high - low) / 2, "name": name,
            "nameLocation": "middle", "nameGap": 42, "nameTextStyle": {"color": _GREY},
            "axisLabel": {"color": _GREY, "formatter": form, "fontSize": 10},
            "splitLine": {"lineStyle": {"color": _GREY, "opacity": 0.25}}}  # fmt: skip
