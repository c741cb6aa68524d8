"""Saying by clicks what happened: who, what, and which cards."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nicegui import events

from kibitz.catan.events import AWARDS, PIECES, Cards, Event, InvalidEvent
from kibitz.catan.notation import CARDS
from kibitz.web.followed import InvalidGame, Moment
from kibitz.web.pages.track.form import ACTIONS, Form, next_form, nothing, whose_turn
from kibitz.web.parts import box, button, note, pressable, say, text

if TYPE_CHECKING:
    from kibitz.web.pages.track.page import TrackPage

#: What needs nothing more than who did it.
_AT_ONCE = ("end", "win")


class EntryPanel:
    """The form, drawn anew after each click."""

    def __init__(self, page: TrackPage) -> None:
        self._page = page
        self.form = Form()
        self._doubt: tuple[str, list[Event]] | None = None
        self._typed = False
        with box("card tk-entry", "details") as self._box:
            text("summary", "Add an event by hand")
            self._body = box("stack")
        self._open = False
        self._box.on("toggle", self._toggled, js_handler="(event) => emit(event.target.open)")

    @property
    def is_open(self) -> bool:
        """Whether clicks on the board are meant for it."""
        return self._open

    def set_open(self, is_open: bool) -> None:
        """Show it, or only its title."""
        self._open = is_open
        self._box.props("open") if is_open else self._box.props(remove="open")

    def _toggled(self, event: events.GenericEventArguments) -> None:
        self.set_open(bool(event.args))
        self._page.draw_board()
        self.refresh()

    def reset(self) -> None:
        """Another moment: an empty form for whoever acts next."""
        game = self._page.followed
        before = game.events[: self._page.at]
        self.form = next_form(before, len(game.players)) if self._setup else Form(seat=whose_turn(before, len(game.players)))
        self._doubt = None

    def show(self, moment: Moment) -> None:
        """Another moment."""
        self.reset()
        self.refresh()

    @property
    def _setup(self) -> bool:
        """Whether nobody has rolled yet."""
        moment = self._page.moment
        return moment is None or moment.told["turn"] == 0

    # --- what is shown --------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Draw the form."""
        self._body.clear()
        if not self._open:
            return
        game, at = self._page.followed, self._page.at
        with self._body:
            if at < len(game):
                text("p", f"It is put behind event {at}; go to the end to go on with the game.", "muted small")
            self._seats("Who", self.form.seat, self._set_seat)
            with box("tk-actions").props("role=group aria-label='What happened'"):
                for kind, (label, about) in ACTIONS.items():
                    made = pressable(label, lambda k=kind: self._set_kind(k), "tk-chip", kind == self.form.kind)
                    made.props["title"] = about
            text("p", ACTIONS[self.form.kind][1], "muted small")
            self._fields()
            self._end()

    def _fields(self) -> None:
        form = self.form
        match form.kind:
            case "roll":
                self._numbers(range(2, 13), form.total, self._set_total)
                if form.total is not None and form.total != 7:
                    self._gains()
            case "build":
                self._choice(PIECES, form.piece, "piece")
                free = pressable("free of charge", lambda: self._set("free", not form.free), "tk-chip", form.free)
                free.props["title"] = "In the set-up, or by Road Building"
                if self._page.followed.board is not None:
                    text("p", "Or click the place on the board: free corners, edges, hexes for the robber.", "muted small")
            case "trade" | "bank" | "offer":
                if form.kind == "trade":
                    self._seats("With", form.other, lambda seat: self._set("other", seat), form.seat)
                self._cards("gives", form.give)
                self._cards("gets", form.receive)
            case "steal":
                self._seats("From", form.other, lambda seat: self._set("other", seat), form.seat)
                self._resources("not seen")
            case "discard":
                self._cards("discards", form.give)
                if not any(form.give):
                    text("p", "Or only how many:", "muted small")
                    self._numbers(range(1, 13), form.count, lambda n: self._set("count", n))
            case "buy":
                self._choice([None, *(c.value for c in CARDS)], form.card, "card")
            case "play":
                self._choice([card.value for card in CARDS], form.card, "card")
                if form.card == "year_of_plenty":
                    self._cards("gets", form.receive)
                elif form.card == "monopoly":
                    self._resources(None)
                    text("p", "How many cards came (if you counted them):", "muted small")
                    self._numbers(range(13), form.count, lambda n: self._set("count", n))
            case "gain":
                self._cards("gets", form.receive)
            case "count":
                self._numbers(range(16), form.count, lambda n: self._set("count", n))
            case "correct":
                self._cards("more", form.receive)
                self._cards("less", form.give)
            case "award":
                self._choice(AWARDS, form.award, "award")

    def _end(self) -> None:
        if self._doubt:
            note(f"This is impossible: {self._doubt[0]}.", "bad")
            with box("line"):
                button("Add it anyway", self._insist, "warning").props('title="The figures become approximate"')
                button("Change it", self._reconsider, classes="quiet")
                text("span", "Perhaps an event before it is missing.", "muted small")
            return
        try:
            said = self.form.events(self._setup)
        except InvalidEvent as error:
            with box("line nowrap"):
                button("Add", None, "add", "primary").set_enabled(False)
                text("span", f"{str(error).capitalize()}.", "muted small")
            return
        with box("line nowrap"):
            button("Add", self.add, "add", "primary")
            text("span", "; ".join(event.text(self._page.followed.players) for event in said), "small tk-said")

    # --- pieces of the form -----------------------------------------------------------------------------------------

    def _seats(self, label: str, chosen: int | None, on_choice: Any, without: int | None = None) -> None:
        with box("line tight").props(f'role=group aria-label="{label}"'):
            text("span", label, "tk-label")
            for seat, name in enumerate(self._page.followed.players):
                if seat != without:
                    made = pressable(name, lambda s=seat: on_choice(s), f"tk-chip tk-seat of-{seat}", seat == chosen)
                    made.props["title"] = name

    def _choice(self, names: Sequence[str | None], chosen: str | None, field: str) -> None:
        with box("line tight").props("role=group"):
            for name in names:
                label = "not seen" if name is None else name.replace("_", " ")
                pressable(label, lambda n=name: self._set(field, n), "tk-chip", name == chosen)

    def _resources(self, none: str | None) -> None:
        with box("line tight").props('role=group aria-label="Resource"'):
            if none is not None:
                pressable(none, lambda: self._set("resource", None), "tk-chip", self.form.resource is None)
            for name in Cards._fields:
                pressable(name, lambda n=name: self._set("resource", n), f"tk-chip r-{name}", self.form.resource == name)

    def _numbers(self, numbers: Sequence[int], chosen: int | None, on_choice: Any) -> None:
        with box("tk-numbers").props('role=group aria-label="Number"'):
            for n in numbers:
                pressable(str(n), lambda n=n: on_choice(None if n == chosen else n), "tk-chip num", n == chosen)

    def _cards(self, label: str, counts: list[int], name: str = "") -> None:
        """Five counters: a click adds a card, the minus takes one away."""
        with box("tk-counters").props("role=group"):
            text("span", label, "tk-label").props["title"] = name or label
            for r, resource in enumerate(Cards._fields):
                with box(f"tk-counter r-{resource}"):
                    add = pressable(resource, lambda r=r: self._count(counts, r, 1), "tk-plus", counts[r] > 0)
                    add.props["aria-label"] = f"{name or label}: one more {resource}, now {counts[r]}"
                    with add:
                        text("b", str(counts[r]) if counts[r] else "")
                    if counts[r]:
                        less = text("button", "-", "tk-minus").props("type=button")
                        less.props["aria-label"] = f"{name or label}: one {resource} less"
                        less.on("click", lambda r=r: self._count(counts, r, -1))

    def _gains(self) -> None:
        known = self._page.followed.board is not None and not self._typed
        text("p", "What the board brings:" if known else "What everybody got:", "muted small")
        for seat, name in enumerate(self._page.followed.players):
            self._cards(name, self.form.gains.setdefault(seat, nothing()), name)

    # --- clicks -----------------------------------------------------------------------------------------------------

    def _set(self, name: str, value: Any) -> None:
        setattr(self.form, name, value)
        self.refresh()

    def _set_seat(self, seat: int) -> None:
        self.form.seat = seat
        self.form.other = None if self.form.other == seat else self.form.other
        self._page.draw_board()
        self.refresh()

    async def _set_kind(self, kind: str) -> None:
        self.form = Form(kind, self.form.seat, free=self._setup, piece="settlement" if self._setup else "road")
        self._doubt = None
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
        counts[resource] = min(max(0, counts[resource] + change), 19)
        self._typed = True
        self.refresh()

    def _reconsider(self) -> None:
        self._doubt = None
        self.refresh()

    async def add(self) -> None:
        """Add what the form says, unless it is impossible: then ask."""
        await self.put(self.form.events(self._setup))

    async def put(self, said: list[Event]) -> None:
        """Add events, unless they are impossible: then ask."""
        doubt = await asyncio.to_thread(self._page.followed.trouble, self._page.at, said)
        if doubt:
            self._doubt = doubt, said
            self.refresh()
            return
        await self._insert(said)

    async def _insist(self) -> None:
        if self._doubt is not None:
            await self._insert(self._doubt[1])

    async def _insert(self, said: list[Event]) -> None:
        try:
            await self._page.insert(said)
        except InvalidGame as error:
            say(str(error), "negative")
