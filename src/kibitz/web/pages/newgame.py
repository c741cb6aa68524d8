"""What the pages that begin games share: how fast bots are, the rule options, and the way from a form to a table and back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Any, Generic, Protocol, TypeVar, cast

from nicegui import context, events, ui

from kibitz.ground.codec import docstrings
from kibitz.ground.rng import fresh_seed
from kibitz.play.ladder import ladder_of
from kibitz.play.names import name_of
from kibitz.play.profile import InvalidSetup, Profile
from kibitz.web.games import NotNow, Session, Setup
from kibitz.web.layout import arrive, note_address, patiently
from kibitz.web.pages.house import offer
from kibitz.web.parts import (
    box,
    button,
    choice,
    emptied,
    lets_go,
    note,
    patience,
    press,
    pressable,
    refuse,
    say,
    seat_mark,
    text,
    tooltip,
)  # fmt: skip
from kibitz.web.services import Services

#: How long people have to see what bots do, in shares of the usual time.
PACES = {1.6: "Slow", 1.0: "Normal", 0.4: "Fast", 0.0: "Instant"}
#: How many unfinished games are offered.
OFFERED = 5

Again = Callable[[Setup | None, float], Awaitable[None]]
"""Another game: by the same setup or, without one, by a new form."""
Begin = Callable[[Setup, float, Sequence[str]], Awaitable[str]]
"""Begins a game with a setup and a pace, perhaps with steps already done; says what is wrong with them, if anything is."""
R = TypeVar("R")


class Form(Protocol):
    """What begins a game."""

    unfinished: ui.element
    """Where the games that can go on are offered."""


class PageTable(Protocol):
    """A game as one visitor sees it."""

    async def refresh(self) -> None:
        """Show the game as it is now."""


class GamePage:
    """One visitor's page: a form, or a game."""

    def __init__(
        self,
        services: Services,
        kind: str,
        form: Callable[[Services, Begin], Form],
        table: Callable[[Services, Session[Any], Again, dict[str, str]], PageTable],
    ) -> None:
        """`kind` is the name of the game; form and table build themselves where they are called."""
        self._services, self._kind, self._form, self._table = services, kind, form, table
        self._client = context.client
        self._body = box("stack")

    async def begin(self, query: dict[str, str]) -> None:
        """Take up the game in the address, or offer a new one."""
        if "game" not in query:
            await self.offer()
            return
        with self._body:
            patience("Opening the game.", compiled=True)
        try:
            session = await patiently(self._client, asyncio.to_thread(self._services.games.open, query["game"]))
        except ValueError as error:
            await self.offer(f"This game cannot be opened: {error}")
            return
        if session is None or session.kind.name != self._kind:
            await self.offer("This game is no longer in the library.")
        else:
            await self._sit_down(session, query)

    async def offer(self, problem: str = "") -> None:
        """Show the form of a new game, and what is wrong with the address, if anything is."""
        with emptied(self._body):
            if problem:
                note(problem, "warn")
            form = self._form(self._services, self._new)
        found = await asyncio.to_thread(self._services.store.items, "game", OFFERED, game=self._kind, over=False)
        kind = self._services.games.kind(self._kind)
        if found and kind is not None:
            with form.unfinished:
                offer("Resume a game", found, kind.page, kind.titled)

    async def _new(self, setup: Setup, pace: float, moves: Sequence[str] = ()) -> str:
        try:
            session = await asyncio.to_thread(self._services.games.new, self._kind, setup, pace, moves)
        except (InvalidSetup, NotNow) as error:
            return str(error)
        await self._sit_down(session, {})
        return ""

    async def _sit_down(self, session: Session[Any], query: dict[str, str]) -> None:
        with emptied(self._body):
            table = self._table(self._services, session, self._again, query)
        arrive(self._client, session.kind.title(session.setup, session.match).partition(" · ")[0])
        await table.refresh()

    async def _again(self, setup: Setup | None, pace: float) -> None:
        if setup is not None:
            if problem := await self._new(setup, pace):
                say(problem, "negative")
        else:
            note_address(self._client, {})
            await self.offer()


class Deal:
    """The end of a form: the pace, the button that begins the game, and what is said while it is made or why it cannot be."""

    def __init__(
        self,
        begin: Begin,
        setup: Callable[[], Setup],
        label: str = "Deal the cards",
        icon: str = "style",
        moves: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        """`setup` and `moves` say what was chosen, once the game begins."""
        self._begin, self._setup, self._moves = begin, setup, moves
        with box("line"):
            self._pace = pace_select()
            box("grow")
            self._button = button(label, self._start, icon, "primary big")
        self._waits = box("stack")

    async def _start(self) -> None:
        self._button.disable()  # so that a second click does not begin a second game
        with emptied(self._waits):
            patience("Setting up the game.", compiled=True)
        if problem := await self._begin(self._setup(), self._pace.value, self._moves()):
            refuse(self._waits, problem)
            self._button.enable()


class LevelChoice:
    """How strong the bots are: a button for each level of a game, with a sentence on it and its measured rating."""

    def __init__(self, profile: Profile, choose: Callable[[str], None]) -> None:
        """`choose` is told the name of a level that is pressed."""
        ladder = ladder_of(profile)
        self._made: dict[str, ui.element] = {}
        with box("k-levels").props('role=group aria-label="Level"'):
            for level in profile.levels:
                made = box("k-level", "button").props("type=button").on("click", partial(choose, level.name))
                rung = ladder.of(level.name)
                with made:
                    text("span", level.title, "strong")
                    text("span", f"rating {rung}" if rung else "", "muted small num")
                    text("span", level.about, "small k-level-about")
                made.props["aria-label"] = f"{level.title}: {level.about}"
                self._made[level.name] = made

    def show(self, chosen: Collection[str]) -> None:
        """Mark the level that all bots have; none where they differ, or are others."""
        for name, made in self._made.items():
            press(made, set(chosen) == {name})


class SeatChoice:
    """How many play, where the person sits, and which bots the others are: one level for all, or each by itself."""

    def __init__(
        self,
        profile: Profile,
        usual: int,
        bots: Mapping[str, tuple[str, str]],
        bot: str,
        about: str = "",
        seat: int = 0,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        """`bots` may be chosen beside the levels, each with its name and a sentence; `bot` is the usual one.

        `about` is said of the seats: who begins. `changed` is called when another number of players is chosen.
        """
        low, high = profile.seats
        levels = {level.name: (level.title, level.about) for level in profile.levels}
        self._profile, self._range, self._known, self._about = profile, range(low, high + 1), {**levels, **bots}, about
        self._changed = changed
        self.seats, self.seat = usual, seat
        self.bots = [bot] * (high - 1)
        self._levels: LevelChoice | None = None
        self._selects: list[ui.select] = []
        self._counts: dict[int, ui.element] = {}
        with box("stack"):
            self._build(high)
        self._show()

    def setup(self) -> dict[str, Any]:
        """What was chosen, for the setup of a game."""
        return {"seat": self.seat, "bots": self.bots[: self.seats - 1]}

    def _build(self, most: int) -> None:
        """Everything that stays, whatever is chosen."""
        if len(self._range) > 1:
            with box("line").props('role=group aria-label="Players"'):
                text("span", "Players", "muted small k-label")
                for n in self._range:
                    self._counts[n] = choice(str(n), partial(self._set, seats=n), n == self.seats, f"{n} players")
        with box("line").props('role=group aria-label="Your seat"'):
            text("span", "Your seat", "muted small k-label")
            self._places = [
                pressable(str(n + 1), partial(self._set, seat=n), f"seat seat-{n}", n == self.seat, f"Seat {n + 1}")
                for n in range(most)
            ]
            text("span", self._about, "muted small")
        if self._profile.levels:
            text("span", "Your opponents", "muted small")
            self._levels = LevelChoice(self._profile, self._choose_level)
            with ui.expansion("More: choose each opponent").props("dense").classes("k-more"):
                self._others = box("stack")
        else:
            self._others = box("stack")

    def _show(self) -> None:
        """Show what is chosen, and a field for each opponent there is."""
        for n, made in self._counts.items():
            press(made, n == self.seats)
        for n, place in enumerate(self._places):
            press(place, n == self.seat)
            place.set_visibility(n < self.seats)
        self._selects = []
        with emptied(self._others):
            for number, seat in enumerate(seat for seat in range(self.seats) if seat != self.seat):
                self._opponent(number, seat)
        self._mark()

    def _choose_level(self, name: str) -> None:
        self.bots = [name] * len(self.bots)
        for select in self._selects:
            select.set_value(name)
        self._mark()

    def _mark(self) -> None:
        if self._levels is not None:
            self._levels.show(self.bots[: self.seats - 1])

    def _opponent(self, number: int, seat: int) -> None:
        with box("k-opponent"):
            with box("line tight nowrap k-label"):
                seat_mark(seat)
                text("span", name_of(seat), "strong")
            chosen = ui.select({name: label for name, (label, _) in self._known.items()}, value=self.bots[number])
            chosen.props(f'outlined dense options-dense aria-label="Who plays {name_of(seat)}"').classes("k-bot")
            about = text("span", self._known[self.bots[number]][1], "muted small")

            def change(event: events.ValueChangeEventArguments[Any]) -> None:
                self.bots[number] = event.value
                about.set_text(self._known[event.value][1])
                self._mark()

            chosen.on_value_change(change)
            self._selects.append(chosen)

    def _set(self, seats: int | None = None, seat: int | None = None) -> None:
        before, self.seats = self.seats, self.seats if seats is None else seats
        self.seat = min(self.seat if seat is None else seat, self.seats - 1)
        self._show()
        if self.seats != before:
            self._changed()


class SeedField:
    """A seed to be typed; none is a new one each time."""

    def __init__(self, label: str) -> None:
        self._field = ui.number(f"{label} (blank for a new one)", min=0, precision=0, format="%d")
        self._field.props("outlined dense clearable")

    @property
    def seed(self) -> int:
        """The seed of the next game."""
        return fresh_seed() if self._field.value is None else int(self._field.value)


def pace_select(session: Session[Any] | None = None) -> ui.select:
    """How fast bots are, to be chosen; where there is a session, for its game at once."""
    value = session.pace if session is not None and session.pace in PACES else 1.0
    made = ui.select(PACES, value=value, label="Bot speed").props("outlined dense options-dense").classes("k-pace")
    if session is not None:
        lets_go(made).on_value_change(lambda event: setattr(session, "pace", float(event.value)))
    return made


class RuleFields(Generic[R]):
    """A switch or a field for every rule option of a game; what the options forbid is said, and not taken."""

    def __init__(self, rules: R, changed: Callable[[R], None]) -> None:
        """`changed` is told of every choice."""
        self._rules, self._changed, self._kind = rules, changed, cast("Any", type(rules))
        self._named: ui.select | None = None
        if self._kind.presets():
            self._named = ui.select(list(self._kind.presets()), value=self._name(), label="Rule set")
            self._named.props("outlined dense options-dense").classes("rules-by-name")
            self._named.on_value_change(self._choose)
        self._fields = {option.name: self._field(option.name) for option in fields(self._kind)}

    def show(self, rules: R) -> None:
        """Show other rules. The fields stay the same, so no click on one is lost."""
        self._rules = rules
        for option, made in self._fields.items():
            made.set_value(getattr(rules, option))
        if self._named is not None:
            self._named.set_value(self._name())

    def _name(self) -> str | None:
        """What these rules are called, if they have a name."""
        return next((name for name in self._kind.presets() if self._kind.preset(name) == self._rules), None)

    def _field(self, name: str) -> ui.switch | ui.number:
        label, value = name.replace("_", " ").capitalize(), getattr(self._rules, name)
        made: ui.switch | ui.number
        if isinstance(value, bool):
            made = ui.switch(label, value=value)
        else:
            low, high = self._kind._BOUNDS[name]
            made = ui.number(label, value=value, min=low, max=high, precision=0).props("outlined dense debounce=400")
        made.on_value_change(partial(self._change, name)).classes(f"rule-{name}")
        tooltip(made, docstrings(self._kind)[name])
        return made

    def _choose(self, event: events.ValueChangeEventArguments[Any]) -> None:
        if event.value is not None and event.value != self._name():
            self._take(self._kind.preset(event.value))

    def _change(self, name: str, event: events.ValueChangeEventArguments[Any]) -> None:
        if event.value is None or event.value == getattr(self._rules, name):
            return
        given: dict[str, Any] = {name: event.value if isinstance(event.value, bool) else int(event.value)}
        try:
            rules = replace(self._rules, **given)  # type: ignore[type-var]
        except ValueError as error:
            say(str(error), "negative")
        else:
            self._take(rules)

    def _take(self, rules: R) -> None:
        self.show(rules)
        self._changed(rules)
