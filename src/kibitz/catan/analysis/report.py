"""An answer for people, on the command line, in the browser and in notebooks: in words, as a table, as a picture.

>>> from kibitz.catan.analysis.corners import StaticAnalyzer
>>> from kibitz.catan import Board
>>> position = Position.opening(Board.beginner())
>>> result = StaticAnalyzer().analyze(position)
>>> text = result_html(result)
>>> text.count("<tr>"), "<th>1</th><td>V41</td>" in text
(6, True)

The picture shows the position with what was tried on it, coloured by how often it wins:

>>> picture = draw_result(result, position)
>>> 'id="mark-corner-41"' in picture, 'id="legend"' in picture
(True, True)
"""

from collections.abc import Collection, Iterator, Sequence
from html import escape
from math import fsum
from typing import NamedTuple

from kibitz.ground.intervals import margin_of
from kibitz.ground.signs import minus
from kibitz.catan.analysis.draft import predict, seat_of
from kibitz.catan.analysis.position import Position
from kibitz.catan.analysis.types import (
    AnalysisConfig, AnalysisMode, AnalysisResult, DraftPick, LineExplanation, MoveScore, PlacementReport, VertexScore,
)  # fmt: skip
from kibitz.catan.core.actions import Action
from kibitz.catan.core.codes import PLACE_ROAD, PLACE_SETTLEMENT
from kibitz.catan.core.game_state import GameState
from kibitz.catan.core.svg import Legend, draw_state
from kibitz.catan.core.topology import EDGE_BETWEEN, EDGE_ENDS
from kibitz.game import States
from kibitz.ground.texts import counted, percent, with_margin
from kibitz.play.share import Share, Standing

#: Income is told for so many throws.
INCOME_THROWS = 10
#: A candidate of a race with fewer games than this share of the leader's has retired before the last round.
RETIRED = 2 / 3
#: How the lines of a mode that tries moves are labelled.
LABELS = {AnalysisMode.FULL_GAME: "FG", AnalysisMode.ISMCTS: "IS"}
BELOW = "Below the line: dropped earlier, after fewer games; ranked by how long they stayed."
#: Of moves that a glance of the evaluator ruled out.
NO_GAMES = "Without games (~): the evaluator's estimate after two rounds. It chose the others; its error is about 9 points."

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
        heading: fsum(value for term, value in score.terms.items() if term.startswith(prefix))
        for heading, prefix in TERM_GROUPS.items()
    }


def shown_corners(result: AnalysisResult) -> Sequence[VertexScore]:
    """The corners that a ranking shows: the simulated ones, or the recommended ones where none were."""
    return [score for score in result.global_ranking if score.simulated] or result.top_recommendations


def ends_by_the_clock(result: AnalysisResult) -> bool:
    """Whether it went on as long as there was time, as advice does, and nothing is missing."""
    return result.stopped == "time" and (result.mode == AnalysisMode.ISMCTS or result.config.finalists > 0)


def partial_text(result: AnalysisResult, total: int) -> str:
    """Why the analysis ended early, if it did; `total` is how much work there would have been (0: not known)."""
    if result.stopped is None:
        return ""
    if ends_by_the_clock(result):
        return f"{counted(result.games, 'game')} in the time limit; another run may differ."
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
    retired = [number for number, n in enumerate(games) if 0 < n < RETIRED * games[0]]
    return [retired[0] - 1] if retired else []


def chance(move: MoveScore) -> str:
    """How often a move wins, or what the evaluator says where no games were played with it."""
    return with_margin(move.value, move.margin) if move.visits else f"~ {percent(move.value, 0)}"


def below_the_line(result: AnalysisResult, ends: Collection[int]) -> Iterator[str]:
    """What there is to say of the moves that were not compared to the end."""
    if ends:
        yield BELOW
    if any(not move.visits for move in result.options):
        yield NO_GAMES


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
        [(move.action, f"<td>{chance(move)}</td><td>{move.visits:,}</td>", "") for move in result.options]
        if result.options
        else [
            (f"V{corner.vertex_id}", _share(corner.win_rate), minus(corner.total, 2)) for corner in result.top_recommendations
        ]
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


# --- in a picture -----------------------------------------------------------------------------------------


#: From the worst to the best: evenly rising in lightness, and safe for colour-blind eyes (stops of the scale viridis).
COLOURS = ("#440154", "#3B528B", "#21918C", "#5EC962", "#FDE725")
RING = "ring: recommended"
#: What is no longer tried.
PALE = "#B9BEC2"
BADGES = "small discs: the draft"


class Picture(str):
    """SVG text, which a notebook draws."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


class Spot(NamedTuple):
    """Something that was tried and has a place on the board: its element id, its rank from 1, and how good it is."""

    element: str
    rank: int
    value: float


def draw_result(
    result: AnalysisResult, position: Position, size: int = 800, discs: bool = False, names: Sequence[str] = ()
) -> Picture:
    """The position that was analysed, with the candidates of the result; `size` is the width of the board in pixels.

    Every candidate has its rank and, below, its corner or hex and its win rate (or its score, where no games were played).
    Small discs number the picks of the predicted draft. In a running game the players' panel is drawn too, as the seat sees
    it. With `discs` there is one disc for each candidate and nothing else, with its win rate in per cent: for small screens,
    and where a table tells the rest.
    """
    by_rate = bool(result.options) or any(score.win_rate for score in result.global_ranking)
    spots = _moves(result) if result.options else _corners(result)
    values = [spot.value for spot in spots]
    low, high = min(values, default=0.0), max(values, default=0.0)
    fill: dict[int | str, str] = {spot.element: colour_of(spot.value, low, high) for spot in spots}
    best = spots[0].element if spots and spots[0].rank == 1 else None
    picks = [pick for pick in result.predicted_sequence if pick.pick >= position.picks_made]
    road = picks[0].road if picks else None
    if road is not None and best is not None:
        fill = {f"edge-{road}": fill[best], **fill}
    lines = [*([RING] if best else []), *([BADGES] if picks and not discs else [])]
    drawing = draw_state(
        position.states,
        hands=not position.in_draft,
        observer=position.seat,
        fill=fill,
        marks={
            spot.element: _bare(spot.value, by_rate)
            if discs
            else f"{spot.rank}\n{_named(spot.element, _value_text(spot.value, by_rate))}"
            for spot in spots
        },
        badges={} if discs else {pick.vertex_id: (str(pick.pick + 1), pick.seat) for pick in picks},
        names=names,
        lastmove=best,
        legend=_legend(values, by_rate, "", lines),
        size=size,
    )
    return Picture(drawing)


def draw_standings(standings: Sequence[Standing], states: States, size: int = 800) -> str:
    """The position while an analysis runs: what is tried, coloured by how it stands; who has retired is left pale.

    >>> from kibitz.catan import Board
    >>> from kibitz.catan.core.state import new_states
    >>> from kibitz.play.share import Share
    >>> picture = draw_standings([Standing("V41", Share(3, 4), 0.7, True)], new_states(Board.beginner()))
    >>> 'id="mark-corner-41"' in picture, ">75<" in picture
    (True, True)
    """
    best: dict[str, Standing] = {}
    for standing in standings:
        name = standing.name  # V23, V23-E45, or the text of an action
        element = f"corner-{name[1:].partition('-')[0]}" if name.startswith("V") else element_of(name)
        if element is not None and (element not in best or standing.value > best[element].value):
            best[element] = standing
    by_rate = any(standing.win_rate.games for standing in best.values())
    values = {element: s.win_rate.rate if by_rate else s.value for element, s in best.items()}
    low, high = min(values.values(), default=0.0), max(values.values(), default=0.0)
    return draw_state(
        states,
        hands=False,
        fill={e: colour_of(value, low, high) if best[e].racing else PALE for e, value in values.items()},
        marks={e: _bare(value, by_rate) for e, value in values.items()},
        legend=_legend(values.values(), by_rate, " so far"),
        size=size,
    )


def _legend(values: Collection[float], by_rate: bool, when: str, lines: Sequence[str] = ()) -> Legend | None:
    """What the colours mean; None where nothing is coloured."""
    if not values:
        return None
    low, high = _value_text(min(values), by_rate), _value_text(max(values), by_rate)
    return Legend(("win rate" if by_rate else "score") + when, low, high, COLOURS, lines)


def colour_of(value: float, low: float, high: float) -> str:
    """The colour of a value on the scale from `low` to `high`; one value alone is the best.

    >>> colour_of(0.1, 0.1, 0.3), colour_of(0.2, 0.1, 0.3), colour_of(0.5, 0.5, 0.5)
    ('#440154', '#21918C', '#FDE725')
    """
    share = (value - low) / (high - low) if high > low else 1.0
    at = share * (len(COLOURS) - 1)
    below = min(int(at), len(COLOURS) - 2)
    a, b = (bytes.fromhex(colour[1:]) for colour in COLOURS[below : below + 2])
    return "#" + "".join(f"{round(x + (y - x) * (at - below)):02X}" for x, y in zip(a, b, strict=True))


def _value_text(value: float, by_rate: bool) -> str:
    return percent(value, 0) if by_rate else minus(value, 2)


def _bare(value: float, by_rate: bool) -> str:
    """A value for a disc, where the legend says what it means."""
    return f"{100 * value:.0f}" if by_rate else minus(value, 2)


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
