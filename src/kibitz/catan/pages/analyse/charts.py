"""Charts of what dice bring: income and waiting times. Colours are those of the terrain, and each bar has its name."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from nicegui import ui

from kibitz.catan.analysis.report import INCOME_THROWS, place_name
from kibitz.catan.analysis.types import PlacementReport
from kibitz.catan.core.board import RESOURCES
from kibitz.catan.core.svg import TERRAIN_COLOURS

#: Legible on light and on dark ground.
_GREY = "#7F8B93"
_GRID = {"lineStyle": {"color": _GREY, "opacity": 0.25}}
_LINES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
_TEXT = {"textStyle": {"fontFamily": "Roboto, system-ui, sans-serif", "color": _GREY}, "animation": False}


def income_chart(placements: Sequence[PlacementReport]) -> None:
    """Cards in ten throws, by resource, one bar for each corner."""
    names = [place_name(placement) for placement in placements]
    series = [
        {
            "name": str(resource),
            "type": "bar",
            "stack": "cards",
            "itemStyle": {"color": TERRAIN_COLOURS[resource.value], "borderColor": "#1F2A30", "borderWidth": 0.5},
            "data": [round(INCOME_THROWS * placement.income.get(resource.value, 0.0), 2) for placement in placements],
        }
        for resource in RESOURCES
    ]
    _chart({
        "tooltip": {"trigger": "axis", "axisPointer": {"type": "shadow"}},
        "legend": {"top": 0, "textStyle": {"color": _GREY}, "itemWidth": 12, "itemHeight": 12},
        "grid": {"left": 8, "right": 14, "top": 34, "bottom": 4, "containLabel": True},
        "xAxis": {"type": "value", "axisLabel": {"color": _GREY}, "splitLine": _GRID},
        "yAxis": {"type": "category", "data": names, "inverse": True, "axisLabel": {"color": _GREY}},
        "series": series,
    }, 90 + 26 * len(names))  # fmt: skip


def waiting_chart(placement: PlacementReport) -> None:
    """The chance that something can be paid for by so many throws, for each purchase."""
    series = [
        {
            "name": name,
            "type": "line",
            "showSymbol": False,
            "lineStyle": {"width": 2.5, "color": colour, "type": kind},
            "itemStyle": {"color": colour},
            "data": [round(100 * share, 1) for share in accumulate(waiting.distribution)],
        }
        for (name, waiting), colour, kind in zip(
            placement.waiting.items(), _LINES, ("solid", "dashed", "dotted", "solid"), strict=False
        )
    ]
    throws = max(len(waiting.distribution) for waiting in placement.waiting.values())
    _chart({
        "tooltip": {"trigger": "axis"},
        "legend": {"top": 0, "textStyle": {"color": _GREY}, "itemWidth": 22},
        "grid": {"left": 8, "right": 14, "top": 34, "bottom": 20, "containLabel": True},
        "xAxis": {"type": "category", "data": list(range(throws)), "name": "throws", "nameLocation": "middle", "nameGap": 24,
                  "axisLabel": {"color": _GREY}},
        "yAxis": {"type": "value", "max": 100, "axisLabel": {"color": _GREY, "formatter": "{value} %"},
                  "splitLine": _GRID},
        "series": series,
    }, 240)  # fmt: skip


def _chart(options: dict[str, Any], height: int) -> None:
    ui.echart({**_TEXT, **options}).classes("an-chart").style(f"height:{height}px")
