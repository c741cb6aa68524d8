"""An answer on the page: ranking, reasons, draft, charts, summary."""

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

from nicegui import ui

from kibitz.catan.analysis import AnalysisMode, report
from kibitz.catan.analysis.explain import why
from kibitz.catan.analysis.report import colour_of, element_of
from kibitz.catan.analysis.types import Difference, LineExplanation, PlacementReport
from kibitz.catan.core.board import RESOURCES
from kibitz.catan.core.places import corner_words, edge_words, in_words
from kibitz.catan.core.svg import SEAT_COLOURS, TERRAIN_COLOURS
from kibitz.catan.core.topology import EDGE_ENDS
from kibitz.catan.pages.analyses import Answer
from kibitz.catan.pages.places import called, told, with_names
from kibitz.ground.signs import minus, signed
from kibitz.ground.texts import capitalised, counted
from kibitz.web.parts import bar, box, card, hint, note, seat_mark, table, text

#: What is said where an answer will be, while it is worked out.
RUNNING = (
    "The corners take colour as the estimates sharpen. You need not wait here: the answer is saved to the library, and this "
    "address comes back to it. Cancel ends it with the results so far."
)


#: What is known to within so many points, and does not differ, is about as good.
CLOSE = 3.0
#: What is said below the line in a ranking.
BELOW = "Below the line: dropped early, with fewer games."


def show_hint() -> None:
    """What stands where an answer will be."""
    with card("What you will see"):
        hint("Every candidate takes colour on the board while it is played: dark is worst, yellow is best.")
        hint(
            "Then come the ranking with win rates and their 95 % intervals, the reasons, how the draft will probably continue, "
            "and how often everybody wins if you follow the advice. Point at a row to light up its corner."
        )


def show_answer(answer: Answer) -> None:
    """Everything that there is to say, the most important first."""
    result, position = answer.result, answer.position
    doubts = {} if result.options else report.doubts_of(result)
    with card("Best moves" if result.options else "Best corners", "an-ranking"):
        if partial := report.partial_text(result, 0):
            note(partial, "warn")
        if guess := report.assumed(position):
            told("p", capitalised(guess), position.board, answer.names, "muted small")
        if result.options:
            _moves(answer)
        else:
            _corners(answer, doubts)
    others = [warning for warning in result.warnings if warning not in doubts.values()]
    for warning in others:
        note(with_names(in_words(_hint(f"{capitalised(warning)}."), position.board), answer.names), "warn")
    if lines := report.explained(result):
        _why(lines, answer)
    if result.predicted_sequence:
        _draft(answer)
    if result.placements:
        _dice(answer)
    if result.mode is AnalysisMode.STATIC:
        _terms(answer)
    _summary(answer)


def _hint(warning: str) -> str:
    """A warning that names an option of the command line, as the page calls that option."""
    return re.sub(r" \(--rollouts (\d+)\)", lambda found: f"; {int(found[1]):,} games each might tell", warning)


def _scale(values: Iterable[float]) -> tuple[float, float]:
    found = list(values)
    return (min(found), max(found)) if found else (0.0, 0.0)


def _corners(answer: Answer, doubts: dict[int, str]) -> None:
    result, position = answer.result, answer.position
    scores = report.shown_corners(result)
    by_games = any(score.win_rate for score in scores)
    values = [score.win_rate.rate if score.win_rate else score.total for score in scores]
    ends = report.last_finalist(result, [score.win_rate.games if score.win_rate else 0 for score in scores])
    low, high = _scale(values)
    measure = "Win rate" if by_games else "Score"
    with table(("", "Corner", measure), right=(measure,)):
        for number, (score, value) in enumerate(zip(scores, values, strict=True)):
            retired = bool(ends) and number > ends[0]
            with _row(f"corner-{score.vertex_id}", retired, cut=number in ends):
                text("td", "" if retired else str(number + 1), "r muted")
                with ui.element("td"):
                    with box("line tight nowrap"):
                        colour = colour_of(value, low, high)
                        ui.element("span").classes("dot").style(f"background:{colour};margin:0")
                        told("span", f"V{score.vertex_id}", position.board, classes="strong")
                    if score.road is not None and position.picks_made >= position.seats:
                        text("div", f"road {edge_words(position.board, EDGE_ENDS[score.road])}", "small")
                    doubt = _hint(doubts.get(score.vertex_id, "").removeprefix(f"V{score.vertex_id} "))
                    reason = why(position, score, report.expected_draft(score, position, result))
                    told("div", capitalised(doubt or reason), position.board, answer.names, "why")
                with ui.element("td").classes("r"):
                    if share := score.win_rate:
                        _rate(share.rate, share.interval, share.games, colour)
                    else:
                        text("div", minus(score.total, 2), "strong")
    if ends:
        hint(BELOW)


def _row(spot: str | None, retired: bool = False, cut: bool = False) -> ui.element:
    row = ui.element("tr").classes(("retired " if retired else "") + ("cut" if cut else ""))
    if spot is not None:
        row.props["data-spot"] = spot
        row.props["tabindex"] = 0
    return row


def _rate(share: float, interval: tuple[float, float], games: int, colour: str) -> None:
    text("div", report.rate(share, *interval), "strong")
    bar(share, colour, *interval)
    text("div", counted(games, "game"), "muted small nowrap")


def _moves(answer: Answer) -> None:
    result = answer.result
    low, high = _scale(move.value for move in result.options)
    ends = report.last_finalist(result, [move.visits for move in result.options])
    with table(("", "Move", "Win rate"), right=("Win rate",)):
        for number, move in enumerate(result.options):
            retired = bool(ends) and number > ends[0]
            with _row(element_of(move.action), retired, cut=number in ends):
                text("td", "" if retired or not move.visits else str(number + 1), "r muted")
                with ui.element("td"):
                    told("div", capitalised(move.name), answer.position.board, answer.names, "strong")
                    if move.difference and number:
                        text("div", behind(move.difference), "why")
                with ui.element("td").classes("r"):
                    if move.visits:
                        _rate(move.value, move.interval, move.visits, colour_of(move.value, low, high))
                    else:
                        text("div", report.chance(move), "muted")
    for said in report.below_the_line(result, ends):
        hint(BELOW if said == report.BELOW else said)


def behind(gap: Difference) -> str:
    """How far a move lies behind the best, in points of a hundred games.

    >>> behind(Difference(-0.094, -0.11, -0.078)), behind(Difference(0.004, -0.01, 0.018))
    ('9.4 points behind (± 1.6)', 'about as good as the best (+0.4 ± 1.4 points)')
    >>> behind(Difference(0.05, -0.11, 0.21))
    'hard to tell from the best (+5.0 ± 16.0 points)'
    """
    points, margin = 100 * gap.mean, 100 * gap.margin
    if gap.tells_apart and points < 0:
        return f"{-points:.1f} points behind (± {margin:.1f})"
    how = "about as good as" if margin < CLOSE else "hard to tell from"
    return f"{how} the best ({signed(points, 1)} ± {margin:.1f} points)"


def _why(lines: Sequence[LineExplanation], answer: Answer) -> None:
    """The reasons of each recommendation; the first stands open."""
    with card("Why"):
        for number, line in enumerate(lines):
            with box("an-explain", "details") as found:
                if line.vertex_id is not None:
                    found.props["data-spot"] = f"corner-{line.vertex_id}"
                if not number:
                    found.props["open"] = True
                title = line.label.partition(" ")[2].removesuffix(" (sim)")
                named = with_names(in_words(title, answer.position.board), answer.names)
                text("summary", f"{number + 1}. {capitalised(named)}")
                told("p", " ".join(line.sentences), answer.position.board, answer.names, "small")


def _draft(answer: Answer) -> None:
    with card("Predicted draft"), box("an-draft"):
        for pick in answer.result.predicted_sequence:
            with box("me" if pick.seat == answer.result.seat else "", "span") as found:
                found.props["data-spot"] = f"corner-{pick.vertex_id}"
                seat_mark(pick.seat)
                text("span", f"{pick.pick + 1}. {corner_words(answer.position.board, pick.vertex_id)}")
                found.props["title"] = f"{called(pick.seat, answer.names)}, V{pick.vertex_id}"


def _dice(answer: Answer) -> None:
    shown = {None, *(score.vertex_id for score in answer.result.top_recommendations)}
    placements = [placement for placement in answer.result.placements if placement.vertex_id in shown]
    board = answer.position.board
    names = ["as it is" if one.vertex_id is None else corner_words(board, one.vertex_id) for one in placements]
    with card("Cards in 10 rolls"):
        income_chart(placements, names)
    with card(f"Rolls until you can afford it, with {names[0]}" if placements else ""):
        for placement in placements[:1]:
            waiting_chart(placement)


def _terms(answer: Answer) -> None:
    with card("Where the score comes from"), table(("Corner", *report.TERM_GROUPS), tuple(report.TERM_GROUPS), "dense"):
        for score in answer.result.top_recommendations:
            with _row(f"corner-{score.vertex_id}"):
                told("td", f"V{score.vertex_id}", answer.position.board, classes="strong")
                for value in report.term_sums(score).values():
                    text("td", minus(value, 2) if value else "-", "r")


def _summary(answer: Answer) -> None:
    """What becomes of the game with the recommended choice; what was tried beside it would only blur that."""
    result = answer.result
    best = result.options[0] if result.options else next(iter(report.shown_corners(result)), None)
    summary = None if best is None else best.summary
    if summary is None or not summary.rollout_count:
        return
    with card("If you follow the advice", "an-outlook"):
        hint(f"{counted(summary.rollout_count, 'simulated game')} with the best choice.")
        with table(("Player", "Wins", "Winning turn"), right=("Wins", "Winning turn")):
            for seat, share in summary.player_win_rates.items():
                turns = summary.expected_turns_to_victory[seat]
                low, high = summary.player_win_intervals[seat]
                with ui.element("tr"):
                    with ui.element("td"), box("line tight nowrap"):
                        seat_mark(seat)
                        name = called(seat, answer.names)
                        text("span", f"{name} (you)" if seat == result.seat else name)
                    with ui.element("td").classes("r"):
                        text("div", report.rate(share, low, high))
                        bar(share, SEAT_COLOURS[seat][0], low, high)
                    text("td", "-" if turns is None else f"{turns:.1f}", "r")
        unfinished = f"; {summary.unfinished:,} were stopped without a winner" if summary.unfinished else ""
        hint(f"A game lasts {summary.average_game_length_turns:.0f} turns on average{unfinished}.")


#: Legible on light and on dark ground.
_GREY = "#7F8B93"
_GRID = {"lineStyle": {"color": _GREY, "opacity": 0.25}}
_LINES = (("#0072B2", "solid"), ("#D55E00", "dashed"), ("#009E73", "dotted"), ("#CC79A7", "solid"))
_TEXT = {"textStyle": {"fontFamily": "Roboto, system-ui, sans-serif", "color": _GREY}, "animation": False}


def income_chart(placements: Sequence[PlacementReport], names: Sequence[str]) -> None:
    """Cards in ten throws, by resource, one bar for each corner."""
    series = [{
        "name": str(resource), "type": "bar", "stack": "cards",
        "itemStyle": {"color": TERRAIN_COLOURS[resource.value], "borderColor": "#1F2A30", "borderWidth": 0.5},
        "data": [round(report.INCOME_THROWS * placement.income.get(resource.value, 0.0), 2) for placement in placements],
    } for resource in RESOURCES]  # fmt: skip
    _chart("Chart: cards in ten rolls", {
        "tooltip": {"trigger": "axis", "axisPointer": {"type": "shadow"}},
        "legend": {"top": 0, "textStyle": {"color": _GREY}, "itemWidth": 12, "itemHeight": 12},
        "grid": {"left": 8, "right": 14, "top": 34, "bottom": 4, "containLabel": True},
        "xAxis": {"type": "value", "axisLabel": {"color": _GREY}, "splitLine": _GRID},
        "yAxis": {"type": "category", "data": names, "inverse": True,
                  "axisLabel": {"color": _GREY, "width": 150, "overflow": "break"}},
        "series": series,
    }, 90 + 26 * len(names))  # fmt: skip


def waiting_chart(placement: PlacementReport) -> None:
    """The chance that something can be paid for after a number of throws, for each purchase."""
    series = [{
        "name": name, "type": "line", "showSymbol": False,
        "lineStyle": {"width": 2.5, "color": colour, "type": kind}, "itemStyle": {"color": colour},
        "data": [round(100 * share, 1) for share in accumulate(waiting.distribution)],
    } for (name, waiting), (colour, kind) in zip(placement.waiting.items(), _LINES, strict=False)]  # fmt: skip
    throws = max(len(waiting.distribution) for waiting in placement.waiting.values())
    _chart("Chart: rolls until something can be paid for", {
        "tooltip": {"trigger": "axis"},
        "legend": {"top": 0, "textStyle": {"color": _GREY}, "itemWidth": 22},
        "grid": {"left": 8, "right": 14, "top": 34, "bottom": 20, "containLabel": True},
        "xAxis": {"type": "category", "data": list(range(throws)), "name": "rolls", "nameLocation": "middle", "nameGap": 24,
                  "axisLabel": {"color": _GREY}},
        "yAxis": {"type": "value", "max": 100, "axisLabel": {"color": _GREY, "formatter": "{value} %"},
                  "splitLine": _GRID},
        "series": series,
    }, 240)  # fmt: skip


def _chart(name: str, options: dict[str, Any], height: int) -> None:
    ui.echart({**_TEXT, **options}).classes("an-chart").style(f"height:{height}px").props("role=img").props["aria-label"] = name
