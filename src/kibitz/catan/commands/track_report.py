"""What ``kibitz track`` has found, as tables for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from kibitz.catan.belief.evidence import RESOURCES
from kibitz.catan.belief.summary import dice, possible_worlds
from kibitz.cli.tables import GAP, LINES, packed
from kibitz.ground.texts import ROUNDING, chance_text, counted, likeliest_text, printable

if TYPE_CHECKING:
    from kibitz.catan.belief.hands import HandTracker, Marginal
    from kibitz.catan.logs import ImportedLog

#: What a table may take.
WIDTH = 80
#: Longer names are cut, so that the hands of four players fit a terminal.
NAME_WIDTH = 16
_DEV_HEADINGS = {
    "knight": "knight", "victory_point": "point", "road_building": "roads", "year_of_plenty": "plenty", "monopoly": "monopoly",
}  # fmt: skip


def report(imported: ImportedLog, tracker: HandTracker, ladder: bool, worlds: int = 0) -> RenderableType:
    """All tables below each other, among them that of so many worlds; then what is to be said about them."""
    tables = [_hands(imported, tracker)]
    if ladder:
        tables.append(_ladder(tracker))
    if any(tracker.dev_card_count(seat) for seat in range(len(tracker.names))):
        tables.append(_dev_cards(tracker))
    if any(steal.is_open for steal in tracker.steals):
        tables.append(_open_steals(tracker))
    if worlds:
        found = possible_worlds(tracker, worlds)
        tables.append(_worlds(tracker, found))
        if found["carriers"]:
            tables.append(_carriers(tracker, found["carriers"]))
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


def _names(tracker: HandTracker) -> list[str]:
    return [_name(tracker, seat) for seat in range(len(tracker.names))]


def _hands(imported: ImportedLog, tracker: HandTracker) -> RenderableType:
    when = f"after event {len(tracker.events)} of {len(imported.log.events)}, turn {tracker.turn}"
    return _titled(f"{when}: {counted(tracker.world_count, 'possible world')}", hands_table(tracker))


def hands_table(tracker: HandTracker) -> Table:
    """Everybody's hand and the bank: the most likely number of each card, with its chance where that is not certain."""
    table = _table("player", "cards", *RESOURCES, "known", "points")
    for seat, name in enumerate(_names(tracker)):
        cells = map(_cell, (tracker.total(seat), *tracker.marginals(seat).values()))
        table.add_row(Text(name), *cells, chance_text(tracker.confidence(seat)), f"{tracker.visible_points(seat)}")
    table.add_row("bank", "", *map(_cell, tracker.bank().values()), "", "")
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
    for seat, name in enumerate(_names(tracker)):
        ladders = [marginal.at_least[1:] for marginal in tracker.marginals(seat).values()]
        table.add_row(Text(name), *("\n".join(map(_sure, ladder)) or "none" for ladder in ladders))
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
    table = _table("steal", "thief", "victim", "turn", *RESOURCES)
    for steal in tracker.steals:
        if steal.is_open:
            odds = [chance_text(steal.odds[r]) if r in steal.odds else "-" for r in RESOURCES]
            thief, victim = Text(_name(tracker, steal.thief)), Text(_name(tracker, steal.victim))
            table.add_row(steal.id, thief, victim, str(steal.turn), *odds)
    return _titled("steals that nobody saw (s12 is event 12)", table)


def _worlds(tracker: HandTracker, found: Mapping[str, Any]) -> RenderableType:
    names = _names(tracker)
    table = _table("chance", "player", *RESOURCES)
    table.columns[1].justify = "left"
    table.add_column("steals that led there")
    room = WIDTH - max(map(cell_len, names)) - sum(len(heading) + GAP for heading in ("chance", "", *RESOURCES))
    for world in found["likeliest"]:
        columns = ["\n".join(str(cards.get(resource, 0)) for cards in world["hands"]) for resource in RESOURCES]
        steals = "\n".join(packed([f"{id} {likeliest_text(odds)}" for id, odds in world["steals"].items()], room))
        chance = chance_text(world["probability"])
        table.add_row(chance, Text("\n".join(names)), *columns, Text(steals), end_section=True)
    shown, count = len(found["likeliest"]), found["worlds"]
    return _titled(f"the likeliest {shown:,} of {counted(count, 'possible world')}", table)


def _carriers(tracker: HandTracker, cards: Sequence[Mapping[str, Any]]) -> RenderableType:
    """For each card that a steal can have taken who holds one of that kind now."""
    names = _names(tracker)
    table = _table("steal", "card", "chance")
    table.add_column("if so, who can hold one now")
    room = WIDTH - sum(len(heading) + GAP for heading in ("steal", "brick", "chance"))
    for card in cards:
        holders = [f"{name} {_sure(p)}" for name, p in zip(names, card["holders"], strict=True) if p > ROUNDING]
        lines = "\n".join(packed(holders, room)) or "nobody"
        table.add_row(card["steal"], card["resource"], chance_text(card["probability"]), Text(lines))
    return _titled("where the stolen cards can be (cards of a kind are alike)", table)


def _dice(tracker: HandTracker) -> RenderableType:
    """How often each sum was rolled, beside what is to be expected."""
    rolls = dice(tracker)
    total = sum(rolls.values())
    table = _table("sum", "rolled", "expected", "")
    table.columns[-1].justify = "left"
    for name, n in rolls.items():
        table.add_row(name, str(n), f"{total * (6 - abs(7 - int(name))) / 36:.1f}", "#" * n)
    return _titled(f"dice: {counted(total, 'roll')}", table)
