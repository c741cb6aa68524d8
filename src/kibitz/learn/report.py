"""What became of a training, as a page for people: one self-contained HTML file, rewritten after each generation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from math import fsum
from typing import Any

from kibitz.ground.intervals import Z, wilson
from kibitz.ground.signs import signed
from kibitz.ground.texts import counted, percent
from kibitz.learn.gate import SequentialTest, points
from kibitz.learn.plots import Plot
from kibitz.learn.results import Report

#: What people call the phases of a training.
PHASES = {"positions": "games", "training": "learning"}
STYLE = """
:root {
  --ink: #1f2a30; --muted: #5c6870; --line: #d9dfe2; --paper: #fff; --accent: #0b6e8a; --warm: #b4561b; --good: #2b7a3d;
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6ecef; --muted: #9fadb5; --line: #3a464d; --paper: #171d21; --accent: #4fb6d3; --warm: #e6935b; --good: #6cc481;
  }
}
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
body { max-width: 960px; margin: 32px auto; padding: 0 20px; }
h1 { font-size: 1.6rem; margin: 0; }
h2 { font-size: 1.3rem; margin: 34px 0 4px; }
h3 { font-size: 1.05rem; margin: 26px 0 6px; }
p { max-width: 78ch; margin: 8px 0; }
.muted { color: var(--muted); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .93em; font-variant-numeric: tabular-nums; }
th, td { padding: 5px 12px 5px 0; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { font-weight: 600; color: var(--muted); }
th:nth-child(2), td:nth-child(2) { text-align: left; white-space: normal; min-width: 150px; }
.plots { display: flex; flex-wrap: wrap; gap: 14px 22px; margin-top: 8px; }
svg { max-width: 100%; height: auto; }
svg text { font: 11.5px system-ui, sans-serif; fill: var(--muted); }
svg .title { font-weight: 600; font-size: 13px; fill: var(--ink); }
svg .said { fill: var(--ink); }
.grid { stroke: var(--line); }
.line { fill: none; stroke: var(--accent); stroke-width: 2; }
.even { stroke: var(--muted); stroke-dasharray: 4 4; fill: none; }
.bound { stroke: var(--warm); stroke-dasharray: 6 4; fill: none; }
.dot { fill: var(--accent); }
.dot.off { fill: var(--warm); }
.span { stroke: var(--accent); stroke-width: 1.6; }
.span.off { stroke: var(--warm); }
.mark { fill: var(--muted); }
.range { stroke: var(--line); stroke-width: 6; stroke-linecap: round; }
.taken { color: var(--good); font-weight: 600; }
details { margin-top: 30px; }
summary { cursor: pointer; font-weight: 600; }
"""


def page(game: str, facts: Mapping[str, Any], seats: int, reports: Sequence[Report]) -> str:
    """The whole page, the last generation first."""
    last = reports[-1]
    older = "".join(
        f"<details><summary>Generation {one.generation}</summary>{_generation(one, seats)}</details>" for one in reports[-2::-1]
    )
    rules = facts.get("rules")
    unusual = f" Rules: {escape(', '.join(f'{k} {v}' for k, v in rules.items()))}." if isinstance(rules, dict) else ""
    best = [one.generation for one in reports if one.accepted]
    verdict = f"The best player is generation {best[-1]}." if best else "No generation beat the player it learned from."
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Training: {escape(game)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body>'
        f"<h1>Training an evaluator: {escape(game)}, {seats} players</h1>"
        f'<p>{verdict}</p><p class="muted">{unusual}</p>{_table(reports, seats)}'
        f"<h2>Generation {last.generation}</h2>{_generation(last, seats)}{older}</body></html>\n"
    )


# --- the table of generations -----------------------------------------------------------------------------------------


def ratings(reports: Sequence[Report], seats: int) -> list[tuple[float, float, float]]:
    """By how many points each generation is stronger than the first teacher, with the ends of the 95 % interval.

    A match is against the last player that was taken, so the points of those add up, and so do the squares of their errors.
    """
    found, base, doubt = [], 0.0, 0.0
    for report in reports:
        wins, games = report.match["wins"], report.match["games"]
        low, high = (points(end, seats) for end in wilson(wins / games, games))
        gain = points(wins / games, seats)
        down, up = math.hypot(gain - low, doubt), math.hypot(high - gain, doubt)
        found.append((base + gain, base + gain - down, base + gain + up))
        if report.accepted:
            base, doubt = base + gain, max(down, up)
    return found


def _table(reports: Sequence[Report], seats: int) -> str:
    rows = []
    for report, (rating, low, high) in zip(reports, ratings(reports, seats), strict=True):
        wins, games = report.match["wins"], report.match["games"]
        ends = wilson(wins / games, games)
        cells = [
            str(report.generation),
            taught_by(report),
            f"{report.error:.3f}",
            f"{report.games_error[10]:.3f}",
            f"{percent(wins / games)} ({100 * ends[0]:.1f}-{100 * ends[1]:.1f})",
            f"{games:,}",
            f"{signed(rating)} ({signed(low)} to {signed(high)})",
            '<span class="taken">yes</span>' if report.accepted else "no",
            _time(fsum(report.seconds.values())),
        ]
        rows.append("".join(f"<td>{cell if cell.startswith('<') else escape(cell)}</td>" for cell in cells))
    heads = ("generation", "learned from", "error", "10 games", "won", "games", "rating", "taken", "time")
    head = "".join(f"<th>{word}</th>" for word in heads)
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return (
        f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
        '<p class="muted"><b>Error</b>: root mean square of what the network says, against many games from the same positions; '
        "<b>10 games</b>: what ten games from each would give instead. <b>Won</b>: alone against a table of the last player; "
        f"equals win {percent(1 / seats)}. <b>Rating</b>: points above the first teacher (400 are odds of 10 to 1). "
        "Ranges are 95 % intervals as if the number of games had been fixed: a match that ends early flatters its winner.</p>"
    )


def spent(report: Report) -> str:
    """How long each phase took, and the processor time of all cores."""
    phases = ", ".join(f"{PHASES.get(name, name)} {_time(seconds)}" for name, seconds in report.seconds.items())
    processor = fsum(report.processor.values())
    return f"{phases}; {_time(processor)} of processor time in all" if processor else phases


def taught_by(report: Report) -> str:
    """What a generation learned from."""
    if not report.judges:
        return f"{report.positions:,} positions of {report.teacher}"
    networks = counted(len(report.judges), "network")
    return f"{report.positions - report.judged:,} positions of {report.teacher}, {report.judged:,} judged by {networks}"


def _time(seconds: float) -> str:
    return f"{seconds / 3600:.1f} h" if seconds >= 3600 else f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"


# --- one generation ---------------------------------------------------------------------------------------------------


def _generation(report: Report, seats: int) -> str:
    phases = report.calibration_by.get("phase", {})
    by_seat = report.calibration_by.get("seat", {})
    parts = [
        "<h3>Learning</h3>",
        _plots([_losses(report)] if report.curve else []),
        f'<p class="muted">{escape(_learning(report))}</p>',
        "<h3>Error</h3>",
        _plots([_errors(report)]),
        "<h3>Calibration</h3>",
        '<p class="muted">Of seats to which the network gives 30 %, do 30 % win? Across: what it says; upward: what is seen. '
        "Dots on the dashed line say yes. Bars are 95 % intervals; a dot whose bar misses the line has another colour.</p>",
        _plots([_calibration("All positions", report.calibration, 280)]),
        _plots([_calibration(str(phase).capitalize(), bins) for phase, bins in phases.items()]),
        _plots([_calibration(f"Seat {seat}", bins) for seat, bins in by_seat.items()]),
        "<h3>The match</h3>",
        _plots([_match(report)] if report.match.get("course") else []),
        f"<p>{_verdict(report, seats)}</p>",
        f'<p class="muted">Time: {escape(spent(report))}.</p>',
    ]
    return "".join(parts)


def _learning(report: Report) -> str:
    """What the losses are losses of."""
    if report.judges:
        return (
            f"It learned what these networks say, on average, while everybody plays a round on: {', '.join(report.judges)}. "
            "Besides, it learned results of games, mixed with what it says itself of later positions."
        )
    return (
        "The first pass of the first generation learns who won; later ones mix that with what the network itself says of later "
        "positions. So the losses of two passes do not measure the same thing."
    )


def _plots(plots: Sequence[Plot]) -> str:
    return f'<div class="plots">{"".join(plot.svg() for plot in plots)}</div>' if plots else ""


def _losses(report: Report) -> Plot:
    """One curve for each pass, one after the other."""
    everything = [loss for one in report.curve for loss in one]
    settled = sorted(everything)[: max(1, int(0.97 * len(everything)))]  # the first steps are far above all others
    low, high = min(settled), max(settled)
    room = max(high - low, 1e-3) * 0.08
    plot = Plot(
        (0, len(report.curve)), (low - room, high + room), "Loss on the way", "pass",
        width=860, x_ticks=[n + 0.5 for n in range(len(report.curve))], x_words=lambda value: f"{value + 0.5:.0f}",
    )  # fmt: skip
    for number, losses in enumerate(report.curve):
        shown = [(number + (i + 0.5) / len(losses), min(loss, high + room)) for i, loss in enumerate(losses)]
        plot.line(shown)
        if number:
            plot.span((number, low - room), (number, high + room), "grid")
        plot.text((number + 0.97, high), f"ends at {report.loss[number]:.3f}", "said", "end")
    return plot


def _errors(report: Report) -> Plot:
    """A row for all positions and for each phase: the network, and what 1, 10 and 100 games would give."""
    rows = [("all positions", report.error, report.games_error)]
    rows += [
        (f"{phase} ({known['positions']:,})", report.by_phase[phase], known["games_error"])
        for phase, known in report.phases.items()
    ]
    if not report.phases:
        rows += [(phase, error, {}) for phase, error in report.by_phase.items()]
    most = max([*(error for _, error, _ in rows), *(one for _, _, beside in rows for one in beside.values())])
    plot = Plot(
        (0, most * 1.08), (-0.6, len(rows) - 0.4), "Error of the network (disc) and of 1, 10 and 100 games (bars)",
        "root mean square error of a seat's chance to win", width=860, height=84 + 44 * len(rows), left=130,
        y_ticks=range(len(rows)), y_words=lambda value: rows[len(rows) - 1 - round(value)][0],
    )  # fmt: skip
    for place, (name, error, beside) in enumerate(reversed(rows)):
        if beside:
            plot.span((min(beside.values()), place), (max(beside.values()), place), "range")
        for games, one in beside.items():
            plot.dot((one, place), "mark", f"{games} games: {one:.3f}", "bar")
            plot.text((one, place), str(games), anchor="middle", up=11)
        plot.dot((error, place), "dot", f"{name}: {error:.3f}")
        plot.text((error, place), f"{error:.3f}", "said", "middle", up=-19)
    return plot


def _calibration(title: str, bins: Sequence[Mapping[str, float]], size: int = 206) -> Plot:
    """What is said, and what is seen."""
    plot = Plot(
        (0, 1), (0, 1), title, "said", width=size, height=size + 16, left=46, x_ticks=(0, 0.5, 1), y_ticks=(0, 0.5, 1),
        x_words=lambda value: f"{100 * value:.0f} %", y_words=lambda value: f"{100 * value:.0f} %",
    )  # fmt: skip
    plot.line([(0, 0), (1, 1)], "even")
    for one in bins:
        margin = Z * one["error"]
        off = " off" if abs(one["said"] - one["seen"]) > margin else ""
        low, high = max(0.0, one["seen"] - margin), min(1.0, one["seen"] + margin)
        words = f"said {percent(one['said'])}, seen {percent(one['seen'])} ± {100 * margin:.1f}, {one['positions']:.0f} seats"
        plot.span((one["said"], low), (one["said"], high), f"span{off}")
        plot.dot((one["said"], one["seen"]), f"dot{off}", words)
    return plot


def _match(report: Report) -> Plot:
    """The sequential test: how the likelihood went, until it reached a bound."""
    match = report.match
    test = SequentialTest(match["equal"], match["sought"], match["error"])
    course = [(0.0, 0.0), *((float(games), test.likelihood(wins, games)) for games, wins in match["course"])]
    most = max(test.bound, *(abs(value) for _, value in course)) * 1.15
    end = float(match["games"])
    plot = Plot((0, end), (-most, most), "The sequential test (log likelihood of better against equal)", "games", width=860)
    for bound, words, up in ((test.bound, "better", 5.0), (-test.bound, "not better", -14.0)):
        plot.line([(0, bound), (end, bound)], "bound")
        plot.text((0, bound), f" {words}", "said", up=up)
    plot.line(course)
    plot.dot(course[-1], "dot", f"{match['wins']:,} wins in {match['games']:,} games")
    return plot


def ended(match: Mapping[str, Any]) -> str:
    """What the sequential test said in the end; where the games ran out before, nothing is shown.

    >>> ended({"better": False, "decided": True}), ended({"better": False, "decided": False})
    ('not better', 'not shown to be better')
    """
    return "better" if match["better"] else "not better" if match.get("decided") else "not shown to be better"


def _verdict(report: Report, seats: int) -> str:
    wins, games = report.match["wins"], report.match["games"]
    low, high = wilson(wins / games, games)
    return (
        f"Alone against {seats - 1} of the last player it won {wins:,} of {games:,} games, {percent(wins / games)} "
        f"({100 * low:.1f}-{100 * high:.1f}); equals win {percent(1 / seats)}. It is <b>{ended(report.match)}</b>."
    )
