"""What ``kibitz track`` has found, as tables for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from kibitz.belief.evidence import RESOURCES
from kibitz.belief.summary import dice
from kibitz.cli.tables import GAP, LINES
from kibitz.figures import ROUNDING, chance_text, counted, printable

if TYPE_CHECKING:
    from kibitz.belief.hands import HandTracker, Marginal
    from kibitz.formats import ImportedLog

#: Longer names are cut, so that the hands of four players fit a terminal.
NAME_WIDTH = 16
_DEV_HEADINGS = {
    "knight": "knight",
    "victory_point": "point",
    "road_building": "roads",
    "year_of_plenty": "plenty",
    "monopoly": "monopoly",
}


def report(imported: ImportedLog, tracker: HandTracker, ladder: bool) -> RenderableType:
    """All tables below each other, then what is to be said about them."""
    tables = [_hands(imported, tracker)]
    if ladder:
        tables.append(_ladder(tracker))
    if any(tracker.dev_card_count(seat) for seat in range(len(tracker.names))):
        tables.append(_dev_cards(tracker))
    if any(steal.resolved is None or steal.by_hand for steal in tracker.steals):
        tables.append(_open_steals(tracker))
    tables.append(_dice(tracker))
    parts: list[RenderableType] = [part for table in tables for part in (table, Text())]
    parts += [Text(f"{imported.format}: {problem} (skipped)", style="yellow") for problem in imported.problems]
    for mended in tracker.repairs:
        how = "ignored" if mended.cards is None else f"mended with {counted(mended.cards, 'unknown card')}"
        parts.append(Text(f"line {imported.lines[mended.event]}: {mended.reason} ({how})", style="yellow"))
    if tracker.repairs:
        parts.append(Text("The figures are approximate: the log contradicts itself (see above).", style="bold yellow"))
    if imported.incomplete or imported.problems:
        parts.append(Text("The figures are approximate: a part of the log is missing (see above).", style="bold yellow"))
    if tracker.error_bound:
        parts.append(Text(f"The figures are approximate: each may be off by {tracker.error_bound:.2g}.", style="bold yellow"))
    return Group(*parts)


def _table(*headings: str) -> Table:
    table = Table(box=LINES, show_edge=False, padding=(0, GAP - 1, 0, 0), pad_edge=False)
    for i, heading in enumerate(headings):
        table.add_column(heading, justify="right" if i else "left", no_wrap=True)
    return table


def _titled(title: str, table: Table) -> RenderableType:
    return Group(Text(title, style="bold"), table)


def _name(tracker: HandTracker, seat: int) -> str:
    return printable(tracker.names[seat])[:NAME_WIDTH] + (" (you)" if seat == tracker.observer else "")


def _hands(imported: ImportedLog, tracker: HandTracker) -> RenderableType:
    title = (
        f"after event {len(tracker.events)} of {len(imported.log.events)}, turn {tracker.turn}: "
        f"{counted(tracker.world_count, 'possible world')}"
    )
    return _titled(title, hands_table(tracker))


def hands_table(tracker: HandTracker) -> Table:
    """Everybody's hand and the bank: the most likely number of each card, with its chance where that is not certain."""
    table = _table("player", "cards", *RESOURCES, "known", "points")
    rows = [(_name(tracker, seat), tracker.total(seat), tracker.marginals(seat)) for seat in range(len(tracker.names))]
    for seat, (name, total, marginals) in enumerate(rows):
        points = f"{tracker.visible_points(seat)}"
        table.add_row(
            Text(name), _cell(total), *(_cell(m) for m in marginals.values()), chance_text(tracker.confidence(seat)), points
        )
    table.add_row("bank", "", *(_cell(marginal) for marginal in tracker.bank().values()), "", "")
    return table


def _cell(marginal: Marginal) -> Text:
    chance = marginal.distribution[marginal.most_likely]
    if chance > 1 - ROUNDING:
        return Text(str(marginal.most_likely), style="bold" if marginal.most_likely else "dim")
    return Text.assemble((str(marginal.most_likely), "bold"), (f" {chance_text(chance)}", "cyan"))


def _sure(chance: float) -> str:
    return "sure" if chance > 1 - ROUNDING else chance_text(chance)


def _ladder(tracker: HandTracker) -> RenderableType:
    table = _table("player", *RESOURCES)
    for seat in range(len(tracker.names)):
        ladders = [marginal.at_least[1:] for marginal in tracker.marginals(seat).values()]
        cells = ["\n".join(_sure(p) for p in ladder) or "none" for ladder in ladders]
        table.add_row(Text(_name(tracker, seat)), *cells)
    return _titled("chances of 1 or more, 2 or more ... cards", table)


def _dev_cards(tracker: HandTracker) -> RenderableType:
    table = _table("player", "held", *_DEV_HEADINGS.values(), "wins now")
    for seat in range(len(tracker.names)):
        if tracker.dev_card_count(seat):
            marginals = tracker.dev_cards(seat)
            chances = [1 - marginals[card].distribution.get(0, 0.0) for card in _DEV_HEADINGS]
            cells = ["-" if p < ROUNDING else _sure(p) for p in [*chances, tracker.wins_now(seat)]]
            table.add_row(Text(_name(tracker, seat)), str(tracker.dev_card_count(seat)), *cells)
    return _titled("hidden development cards, chance of at least one", table)


def _open_steals(tracker: HandTracker) -> RenderableType:
    table = _table("thief", "victim", "turn", "event", *RESOURCES, "id")
    for steal in tracker.steals:
        if steal.resolved is None or steal.by_hand:
            odds = [chance_text(steal.odds[r]) if r in steal.odds else "-" for r in RESOURCES]
            names = Text(_name(tracker, steal.thief)), Text(_name(tracker, steal.victim))
            table.add_row(*names, str(steal.turn), str(steal.event + 1), *odds, steal.id)
    return _titled("steals that nobody saw", table)


def _dice(tracker: HandTracker) -> RenderableType:
    """How often each sum was rolled, beside what is to be expected."""
    rolls = dice(tracker)
    total = sum(rolls.values())
    table = _table("sum", "rolled", "expected", "")
    table.columns[-1].justify = "left"
    for name, n in rolls.items():
        table.add_row(name, str(n), f"{total * (6 - abs(7 - int(name))) / 36:.1f}", "#" * n)
    return _titled(f"dice: {counted(total, 'roll')}", table)
