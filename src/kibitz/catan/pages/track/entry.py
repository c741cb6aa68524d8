"""Saying by clicks what happened: who, what, and which cards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from nicegui import events, ui

from kibitz.catan.core.events import AWARDS, PIECES, Cards, Event, InvalidEvent
from kibitz.catan.core.notation import CARDS
from kibitz.catan.pages.track.form import ACTIONS, Form, next_form, nothing, whose_turn
from kibitz.catan.tracking.session import Moment
from kibitz.web.parts import box, button, hint, note, pressable, say, text

if TYPE_CHECKING:
    from kibitz.catan.pages.track.page import TrackPage

#: Cards of one resource in the box, with five or six players.
_MOST = 24
#: What needs nothing more than who did it.
_AT_ONCE = ("end", "win")


class EntryPanel:
    """The form, painted again after each click."""

    def __init__(self, page: TrackPage) -> None:
        self._page = page
        self.form = Form()
        self._doubt: tuple[str, list[Event]] | None = None
        self._typed = False
        self._adding = asyncio.Lock()
        self._layout: Any = None
        self._painters: list[Callable[[], None]] = []
        with box("card tk-entry", "details") as self._box:
            text("summary", "Add an event by hand")
            self._body = box("stack")
        self.is_open = False
        """Whether clicks on the board are meant for it."""
        self._box.on("toggle", self._toggled, js_handler="(event) => emit(event.target.open)")

    def set_open(self, is_open: bool) -> None:
        """Show it, or only its title."""
        self.is_open = is_open
        self._box.props("open") if is_open else self._box.props(remove="open")

    async def _toggled(self, event: events.GenericEventArguments) -> None:
        self.set_open(bool(event.args))
        self.refresh()
        await self._page.draw_board()

    def show(self, moment: Moment) -> None:
        """Another moment: an empty form for whoever acts next."""
        game = self._page.followed
        before = game.events[: self._page.at]
        self.form = next_form(before, len(game.players)) if self._setup else Form(seat=whose_turn(before, len(game.players)))
        self._doubt = None
        self.refresh()

    @property
    def _setup(self) -> bool:
        """Whether nobody has rolled yet."""
        moment = self._page.moment
        return moment is None or moment.told["turn"] == 0

    def refresh(self) -> None:
        """Show the form as it is now. What stays is only painted anew, so that no fast click meets something that is gone."""
        form = self.form
        gains = form.kind == "roll" and form.total not in (None, 7)
        behind = self._page.at if self._page.at < len(self._page.followed) else None
        others = form.seat if form.kind in ("trade", "steal") else None
        layout = id(self._page.game), self.is_open, behind, form.kind, form.card if form.kind == "play" else None, gains, others
        if layout != self._layout:
            self._layout = layout
            self._body.clear()
            self._painters = []
            if self.is_open:
                with self._body:
                    self._build(behind)
        for paint in self._painters:
            paint()

    def _build(self, behind: int | None) -> None:
        if behind is not None:
            hint(f"It goes after event {behind}; go to the end to go on with the game.")
        if self.form.kind != "bank_count":
            self._seats("Who", "seat", self._set_seat)
        with box("tk-actions").props("role=group aria-label='What happened'"):
            for kind, (label, about) in ACTIONS.items():
                made = self._chip(label, "kind", kind, lambda k=kind: self._set_kind(k))
                made.props["title"] = about
        hint(ACTIONS[self.form.kind][1])
        self._fields()
        self._end()

    def _fields(self) -> None:
        match self.form.kind:
            case "roll":
                self._numbers(range(2, 13), "total", self._set_total)
                if self.form.total not in (None, 7):
                    self._gains()
            case "build":
                self._choice(PIECES, "piece")
                free = self._chip("for free", "free", True, lambda: self._set("free", not self.form.free))
                free.props["title"] = "In the setup, or with Road Building"
                if self._page.followed.board is not None:
                    hint("Or click the place on the board: free corners, edges, hexes for the robber.")
            case "trade" | "bank" | "offer":
                if self.form.kind == "trade":
                    self._partners("With")
                self._cards("gives", "give")
                self._cards("gets", "receive")
            case "steal":
                self._partners("From")
                self._choice([None, *Cards._fields], "resource")
            case "discard":
                self._cards("cards", "give")
                hint("Or only how many:")
                self._numbers(range(1, 17), "count", lambda n: self._set("count", n))
            case "buy":
                self._choice([None, *(c.value for c in CARDS)], "card")
            case "play":
                self._choice([card.value for card in CARDS], "card")
                if self.form.card == "year_of_plenty":
                    self._cards("gets", "receive")
                elif self.form.card == "monopoly":
                    self._choice(Cards._fields, "resource")
                    hint("How many cards came (if you counted them):")
                    self._numbers(range(16), "count", lambda n: self._set("count", n))
            case "gain":
                self._cards("gets", "receive")
            case "count":
                self._numbers(range(24), "count", lambda n: self._set("count", n))
            case "bank_count":
                self._cards("bank", "receive")
            case "correct":
                self._cards("more", "receive")
                self._cards("less", "give")
            case "award":
                self._choice(AWARDS, "award")

    def _end(self) -> None:
        """The last lines: what will be added, or why not."""
        with box("line nowrap") as plain:
            add = button("Add", self.add, "add", "primary")
            said = text("span", "", "small tk-said")
        with box("stack") as doubtful:
            why = note("", "bad")
            with box("line"):
                button("Add it anyway", self._insist, "warning").props('title="The figures become approximate"')
                button("Change it", self._reconsider, classes="quiet")
            text("span", "Perhaps an event before it is missing.", "muted small")

        def paint() -> None:
            plain.set_visibility(self._doubt is None)
            doubtful.set_visibility(self._doubt is not None)
            if self._doubt is not None:
                why.set_text(f"This is impossible: {self._doubt[0]}.")
            try:
                said.set_text("; ".join(event.text(self._page.followed.players) for event in self.form.events(self._setup)))
                add.set_enabled(True)
            except InvalidEvent as error:
                said.set_text(f"{str(error).capitalize()}.")
                add.set_enabled(False)

        self._painters.append(paint)

    def _chip(self, label: str, field: str, value: Any, on_click: Any, classes: str = "") -> ui.element:
        """A button that is pressed while a field of the form has a value."""
        made = pressable(label, on_click, f"tk-chip {classes}", getattr(self.form, field) == value)

        def paint() -> None:
            pressed = str(getattr(self.form, field) == value).lower()
            if made.props["aria-pressed"] != pressed:
                made.props["aria-pressed"] = pressed
                made.update()

        self._painters.append(paint)
        return made

    def _seats(self, label: str, field: str, on_choice: Any, without: int | None = None) -> None:
        with box("line tight").props(f'role=group aria-label="{label}"'):
            text("span", label, "tk-label")
            for seat, name in enumerate(self._page.followed.players):
                if seat != without:
                    made = self._chip(name, field, seat, lambda s=seat: on_choice(s), f"tk-seat of-{seat}")
                    made.props["title"] = name

    def _partners(self, label: str) -> None:
        self._seats(label, "other", lambda seat: self._set("other", seat), self.form.seat)

    def _choice(self, names: Sequence[str | None], field: str) -> None:
        with box("line tight").props("role=group"):
            for name in names:
                label = "not seen" if name is None else name.replace("_", " ")
                look = f"r-{name}" if name in Cards._fields else ""
                self._chip(label, field, name, lambda n=name: self._set(field, n), look)

    def _numbers(self, numbers: Sequence[int], field: str, on_choice: Any) -> None:
        """One of some numbers; a second click takes it back."""
        with box("tk-numbers").props('role=group aria-label="Number"'):
            for n in numbers:

                def choose(n: int = n) -> None:
                    on_choice(None if getattr(self.form, field) == n else n)

                self._chip(str(n), field, n, choose, "num")

    def _cards(self, label: str, field: str, seat: int | None = None) -> None:
        """Five counters: a click adds a card, the minus takes one away."""
        with box("tk-counters").props("role=group"):
            text("span", label, "tk-label").props["title"] = label
            for r, resource in enumerate(Cards._fields):
                self._counter(label, lambda: self._counts(field, seat), r, resource)

    def _counts(self, field: str, seat: int | None) -> list[int]:
        if seat is not None:
            return self.form.gains.setdefault(seat, nothing())
        found: list[int] = getattr(self.form, field)
        return found

    def _counter(self, label: str, counts: Callable[[], list[int]], r: int, resource: str) -> None:
        with box(f"tk-counter r-{resource}"):
            more = pressable(resource, lambda: self._count(counts(), r, 1), "tk-plus", False)
            with more:
                number = text("b", "")
            less = pressable("-", lambda: self._count(counts(), r, -1), "tk-minus", name=f"{label}: one {resource} less")

        def paint() -> None:
            n = counts()[r]
            number.set_text(str(n) if n else "")
            less.set_visibility(n > 0)
            more.props["aria-pressed"] = str(n > 0).lower()
            more.props["aria-label"] = f"{label}: one more {resource}, now {n}"
            more.update()

        self._painters.append(paint)

    def _gains(self) -> None:
        line = hint("")

        def paint() -> None:
            known = self._page.followed.board is not None and not self._typed
            line.set_text("What the board brings:" if known else "What everybody got:")

        self._painters.append(paint)
        for seat, name in enumerate(self._page.followed.players):
            self._cards(name, "gains", seat)

    def _set(self, name: str, value: Any) -> None:
        setattr(self.form, name, value)
        self.refresh()

    async def _set_seat(self, seat: int) -> None:
        self.form.seat = seat
        self.form.other = None if self.form.other == seat else self.form.other
        self.refresh()
        await self._page.draw_board()

    async def _set_kind(self, kind: str) -> None:
        self.form = Form(kind, self.form.seat, free=self._setup, piece="settlement" if self._setup else "road")
        self._doubt = None
        if kind == "bank_count" and self._page.moment is not None:  # from what is likely a few clicks lead to what is seen
            self.form.receive = [marginal["most_likely"] for marginal in self._page.moment.told["bank"].values()]
        if kind in _AT_ONCE:
            await self.add()
        else:
            self.refresh()

    def _set_total(self, total: int | None) -> None:
        self.form.total, self.form.gains, self._typed = total, {}, False
        if total is not None and self._page.table is not None and self._page.moment is not None:
            found = self._page.table.gains(total, self._page.moment.told["bank"])
            self.form.gains = {seat: list(cards) for seat, cards in found.items()}
        self.refresh()

    def _count(self, counts: list[int], resource: int, change: int) -> None:
        counts[resource] = min(max(0, counts[resource] + change), _MOST)
        self._typed = True
        self.refresh()

    def _reconsider(self) -> None:
        self._doubt = None
        self.refresh()

    async def add(self) -> None:
        """Add what the form says, unless it is impossible: then ask."""
        try:
            said = self.form.events(self._setup)
        except InvalidEvent as error:  # a second click, after the form has been emptied
            say(str(error), "negative")
            return
        await self.put(said)

    async def put(self, said: list[Event]) -> None:
        """Add events, unless they are impossible: then ask."""
        async with self._adding:  # one after the other, however fast the clicks come
            doubt = await asyncio.to_thread(self._page.followed.trouble, self._page.at, said)
            if doubt:
                self._doubt = doubt, said
                self.refresh()
            else:
                await self._page.insert(said)

    async def _insist(self) -> None:
        doubt, self._doubt = self._doubt, None  # a second click finds nothing to add
        if doubt is not None:
            await self._page.insert(doubt[1])
