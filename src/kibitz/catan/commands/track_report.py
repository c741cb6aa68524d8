"""What ``kibitz track`` has found, as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from kibitz.catan.belief.evidence import RESOURCES
from kibitz.catan.belief.summary import accuracy, dice, possible_worlds, shown, shown_hand
from kibitz.catan.profile import PROFILE
from kibitz.cli.tables import GAP, LINES, packed
from kibitz.ground.texts import ROUNDING, chance_text, counted, likeliest_text, printable
from kibitz.play.names import with_bots

if TYPE_CHECKING:
    from kibitz.catan.belief.hands import HandTracker
    from kibitz.catan.logs import ImportedLog

#: Lines about what could not be read and what contradicts itself.
MOST_DETAILS = 20
#: What a table may take.
WIDTH = 80
#: Longer names are cut, so that the hands of four players fit a terminal.
NAME_WIDTH = 16
#: The same for a name with its bot: ``Dora (ismcts:0.5s)`` is whole.
TITLE_WIDTH = 20
_DEV_HEADINGS = {
    "knight": "knight", "victory_point": "point", "road_building": "roads", "year_of_plenty": "plenty", "monopoly": "monopoly",
}  # fmt: skip


def report(imported: ImportedLog, tracker: HandTracker, ladder: bool, worlds: int = 0) -> RenderableType:
    """What makes the figures doubtful; all tables below each other, among them that of so many worlds; then the details."""
    tables = [_hands(imported, tracker)]
    if ladder:
        tables.append(_ladder(tracker))
    if any(tracker.dev_card_count(seat) for seat in range(len(tracker.names))):
        tables.append(_dev_cards(tracker))
    if tracker.steals:
        tables.append(_steals(tracker))
    if worlds:
        found = possible_worlds(tracker, worlds)
        tables.append(_worlds(tracker, found))
        if found["carriers"]:
            tables.append(_carriers(tracker, found["carriers"]))
    tables.append(_dice(tracker))
    doubts = [Text(line, style="bold yellow") for line in _doubts(imported, tracker)]
    parts: list[RenderableType] = [*doubts, *([Text()] if doubts else [])]
    parts += [part for table in tables for part in (table, Text())]
    parts += [Text(line, style="yellow") for line in _details(imported, tracker)]
    return Group(*parts)


def _doubts(imported: ImportedLog, tracker: HandTracker) -> Iterator[str]:
    """Why the figures are not certain, in a line each."""
    if imported.missing:
        yield f"The figures are approximate: {imported.missing}."
    unread = sum(problem.count for problem in imported.problems if problem.text)
    if unread:
        yield f"The figures are approximate: {counted(unread, 'line')} of the log could not be read (see below)."
    elif imported.problems and not imported.missing:
        yield f"The figures are approximate: see the {counted(len(imported.problems), 'remark')} below."
    if tracker.repairs:
        yield f"The figures are approximate: the log contradicts itself, {counted(len(tracker.repairs), 'time')} (see below)."
    if tracker.error_bound:
        yield f"The figures are approximate. {accuracy(tracker.error_bound)}"


def _details(imported: ImportedLog, tracker: HandTracker) -> Iterator[str]:
    """What could not be read, and what contradicts itself."""
    told = [f"{imported.format}: {problem}" + (" (skipped)" if problem.text else "") for problem in imported.problems]
    for mended in tracker.repairs:
        how = "ignored" if mended.cards is None else f"repaired with {counted(mended.cards, 'unknown card')}"
        told.append(f"line {imported.lines[mended.event]}: {mended.reason} ({how})")
    yield from told[:MOST_DETAILS]
    if len(told) > MOST_DETAILS:
        yield f"and {len(told) - MOST_DETAILS:,} more (see --json)"


def _table(*headings: str) -> Table:
    table = Table(box=LINES, show_edge=False, padding=(0, GAP - 1, 0, 0), pad_edge=False)
    for i, heading in enumerate(headings):
        table.add_column(heading, justify="right" if i else "left", no_wrap=True)
    return table


def _titled(title: str, table: Table) -> RenderableType:
    return Group(Text(title, style="bold"), table)


def _name(tracker: HandTracker, seat: int, titles: Sequence[str] = ()) -> str:
    name = printable(titles[seat]) if titles else printable(tracker.names[seat])[:NAME_WIDTH]
    if len(name) > TITLE_WIDTH:
        name = f"{name[: TITLE_WIDTH - 2]}…" + (")" if name.endswith(")") else "")
    return name + (" (you)" if seat == tracker.observer else "")


def _titles(imported: ImportedLog) -> Sequence[str]:
    """The players as a table heads its rows, bots with what they are; nothing where no seats are told."""
    return with_bots(imported.log.players, imported.seats, PROFILE.bot_names) if imported.seats else ()


def _names(tracker: HandTracker) -> list[str]:
    return [_name(tracker, seat) for seat in range(len(tracker.names))]


def _hands(imported: ImportedLog, tracker: HandTracker) -> RenderableType:
    when = f"after event {len(tracker.events)} of {len(imported.log.events)}, turn {tracker.turn}"
    title = f"{when}: {counted(tracker.world_count, 'possible world')}"
    return _titled(title, hands_table(tracker, bool(imported.missing), _titles(imported)))


def hands_table(tracker: HandTracker, late: bool = False, titles: Sequence[str] = ()) -> Table:
    """Everybody's hand and the bank: the most likely number of each card, with its chance where that is not certain.

    Of a log that begins `late`, points from before it are not known.
    """
    table = _table("player", "cards", *RESOURCES, "known", "points")
    for seat in range(len(tracker.names)):
        name = _name(tracker, seat, titles)
        cells = [_cell(*found) for found in (shown(tracker.total(seat)), *shown_hand(tracker, seat))]
        points = f"{tracker.visible_points(seat)}" + ("+" if late else "")
        table.add_row(Text(name), *cells, chance_text(tracker.confidence(seat)), points)
    table.add_row("bank", "", *(_cell(*shown(marginal)) for marginal in tracker.bank().values()), "", "")
    return table


def _cell(number: int, chance: float) -> Text:
    if chance > 1 - ROUNDING:
        return Text(str(number), style="bold" if number else "dim")
    return Text.assemble((str(number), "bold"), (f" {chance_text(chance)}", "cyan"))


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


def _steals(tracker: HandTracker) -> RenderableType:
    """All steals whose card the observer did not see; of those that are settled the card, and which event proved it."""
    table = _table("steal", "thief", "victim", "turn", *RESOURCES, "proved by")
    sure = "likely" if tracker.approximate else "sure"
    for steal in tracker.steals:
        odds = [chance_text(steal.odds[r]) if r in steal.odds else "-" for r in RESOURCES]
        by = ""
        if steal.resolved is not None:
            odds = [sure if r == steal.resolved else "-" for r in RESOURCES]
            by = "you" if steal.by_hand else f"event {steal.resolved_by + 1}" if steal.resolved_by is not None else ""
        thief, victim = Text(_name(tracker, steal.thief)), Text(_name(tracker, steal.victim))
        table.add_row(steal.id, thief, victim, str(steal.turn), *odds, by)
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
    return _titled(f"the most likely {shown:,} of {counted(count, 'possible world')}", table)


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
