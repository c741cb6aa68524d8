"""A picture of an answer: the position with what was tried on it, coloured by how often it wins.

>>> from kibitz.catan.analysis.corners import StaticAnalyzer
>>> from kibitz.catan import Board
>>> position = Position.opening(Board.beginner())
>>> picture = draw_result(StaticAnalyzer().analyze(position), position)
>>> 'id="mark-corner-41"' in picture, 'id="legend"' in picture
(True, True)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kibitz.catan.analysis.position import Position
from kibitz.catan.analysis.report import shown_corners
from kibitz.catan.analysis.types import AnalysisResult
from kibitz.catan.core.actions import Action
from kibitz.catan.core.svg import Legend, draw_state
from kibitz.catan.core.topology import EDGE_BETWEEN
from kibitz.game import States
from kibitz.ground.figures import percent
from kibitz.play.share import Standing

#: From the worst to the best: evenly rising in lightness, and safe for colour-blind eyes (stops of the scale viridis).
COLOURS = ("#440154", "#3B528B", "#21918C", "#5EC962", "#FDE725")
RING = "ring: recommended"
#: What is no longer tried.
RETIRED = "#B9BEC2"
BADGES = "small discs: the draft"


class Picture(str):
    """SVG text, which a notebook draws."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


@dataclass(frozen=True)
class Spot:
    """Something that was tried and has a place on the board: its element id, its rank from 1, and how good it is."""

    element: str
    rank: int
    value: float


def draw_result(result: AnalysisResult, position: Position, size: int = 800) -> Picture:
    """The position that was analysed, with the candidates of the result; `size` is the width of the board in pixels.

    Every candidate has its rank and, below, its corner or hex and its win rate (or its score, where no games were played).
    Small discs number the picks of the predicted draft. In a running game the players' panel is drawn too, as the seat sees
    it.
    """
    by_rate = bool(result.options) or any(score.win_rate for score in result.global_ranking)
    spots = _moves(result) if result.options else _corners(result)
    values = [spot.value for spot in spots]
    low, high = (min(values), max(values)) if values else (0.0, 0.0)
    fill: dict[int | str, str] = {spot.element: colour_of(spot.value, low, high) for spot in spots}
    best = spots[0].element if spots and spots[0].rank == 1 else None
    picks = [pick for pick in result.predicted_sequence if pick.pick >= position.picks_made]
    road = picks[0].road if picks else None
    if road is not None and best is not None:
        fill = {f"edge-{road}": fill[best], **fill}
    lines = [*([RING] if best else []), *([BADGES] if picks else [])]
    legend = Legend("win rate" if by_rate else "score", _value_text(low, by_rate), _value_text(high, by_rate), COLOURS, lines)
    drawing = draw_state(
        position.states,
        hands=not position.in_draft,
        observer=position.seat,
        fill=fill,
        marks={spot.element: f"{spot.rank}\n{_named(spot.element, _value_text(spot.value, by_rate))}" for spot in spots},
        badges={pick.vertex_id: (str(pick.pick + 1), pick.seat) for pick in picks},
        lastmove=best,
        legend=legend if spots else None,
        size=size,
    )
    return Picture(drawing)


def draw_standings(standings: Sequence[Standing], states: States, size: int = 800) -> str:
    """The position while an analysis runs: what is tried, coloured by how it stands; who has retired is left pale.

    >>> from kibitz.catan import Board
    >>> from kibitz.catan.core.state import new_states
    >>> from kibitz.play.share import Share
    >>> picture = draw_standings([Standing("V41", Share(3, 4), 0.7, True)], new_states(Board.beginner()))
    >>> 'id="mark-corner-41"' in picture, "75 %" in picture
    (True, True)
    """
    best: dict[str, Standing] = {}
    for standing in standings:
        element = _element_of_plan(standing.name)
        if element is not None and (element not in best or standing.value > best[element].value):
            best[element] = standing
    by_rate = any(standing.win_rate.games for standing in best.values())
    values = {element: s.win_rate.rate if by_rate else s.value for element, s in best.items()}
    low, high = (min(values.values()), max(values.values())) if values else (0.0, 0.0)
    legend = Legend(
        "win rate so far" if by_rate else "score so far", _value_text(low, by_rate), _value_text(high, by_rate), COLOURS
    )
    return draw_state(
        states,
        hands=False,
        fill={e: colour_of(value, low, high) if best[e].racing else RETIRED for e, value in values.items()},
        marks={e: f"\n{_value_text(value, by_rate)}" for e, value in values.items()},
        legend=legend if values else None,
        size=size,
    )


def _element_of_plan(name: str) -> str | None:
    """The element that a candidate is about: ``V23``, ``V23-E45``, or the text of an action."""
    return f"corner-{name[1:].partition('-')[0]}" if name[:1] == "V" else element_of(name)


def colour_of(value: float, low: float, high: float) -> str:
    """The colour of a value on the scale from `low` to `high`; one value alone is the best.

    >>> colour_of(0.1, 0.1, 0.3), colour_of(0.2, 0.1, 0.3), colour_of(0.5, 0.5, 0.5)
    ('#440154', '#21918C', '#FDE725')
    """
    share = (value - low) / (high - low) if high > low else 1.0
    at = share * (len(COLOURS) - 1)
    below = min(int(at), len(COLOURS) - 2)
    a, b = (_channels(colour) for colour in COLOURS[below : below + 2])
    return "#" + "".join(f"{round(x + (y - x) * (at - below)):02X}" for x, y in zip(a, b, strict=True))


def _channels(colour: str) -> list[int]:
    return [int(colour[k : k + 2], 16) for k in (1, 3, 5)]


def _value_text(value: float, by_rate: bool) -> str:
    return percent(value, 0) if by_rate else f"{value:.2f}"


def _named(element: str, value: str) -> str:
    """A value with the name of its place; an edge has no short one."""
    kind, _, number = element.partition("-")
    name = {"corner": f"V{number} · ", "hex": f"hex {number} · "}.get(kind, "")
    return f"{name}{value}"


def _corners(result: AnalysisResult) -> list[Spot]:
    """The simulated corners, or the recommended ones where none were."""
    return [
        Spot(f"corner-{score.vertex_id}", rank, score.total if score.win_rate is None else score.win_rate.rate)
        for rank, score in enumerate(shown_corners(result), start=1)
    ]


def _moves(result: AnalysisResult) -> list[Spot]:
    """The best moves, as far as they have a place on the board; those behind them were tried in too few games."""
    best = enumerate(result.options[: result.config.top], start=1)
    ranked = [(element_of(move.action), rank, move.value) for rank, move in best]
    return [Spot(element, rank, rate) for element, rank, rate in ranked if element is not None]


def element_of(action: str) -> str | None:
    """The element of the picture that an action is about.

    >>> element_of("build_city 23"), element_of("build_road 19-20"), element_of("end_turn")
    ('corner-23', 'edge-28', None)
    """
    data = Action.from_text(action).data
    if "corner" in data:
        return f"corner-{data['corner']}"
    if "edge" in data:
        return f"edge-{EDGE_BETWEEN[tuple(data['edge'])]}"
    return f"hex-{data['hex']}" if "hex" in data else None
