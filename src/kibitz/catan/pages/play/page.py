"""The Play page: a table with the person's decisions, and bots that move by themselves."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from functools import partial
from time import monotonic
from typing import Any

from nicegui import background_tasks, ui

from kibitz.catan.core.codes import DECLINE
from kibitz.catan.pages.board import BoardView
from kibitz.catan.pages.play.actions import TOOLS, ActionBar, HandPanel
from kibitz.catan.pages.play.clock import Clock, clock_select, habit
from kibitz.catan.pages.play.game import OFFERS, CatanSetup, CatanTable
from kibitz.catan.pages.play.motion import Motion, motions
from kibitz.catan.pages.play.pieces import BankPanel, DicePanel, SeatsPanel, show_costs, show_hands
from kibitz.catan.pages.play.prompt import INSTEAD, NO, YES, Prompt
from kibitz.catan.pages.play.scene import Choices, Scene, element_of, pieces_left
from kibitz.catan.profile import PROFILE
from kibitz.web.games import NotNow, Session
from kibitz.web.pages.kibitzer import Kibitzer, Thought
from kibitz.web.pages.newgame import Again, pace_select
from kibitz.web.pages.table import TAKE_BACK, LogLines, TableView
from kibitz.web.parts import box, button, card, emptied, lets_go, say, text
from kibitz.web.services import Services

#: Seconds between two drawings of what the kibitzer thinks so far.
SELDOM = 1.5


class CatanView(TableView[Scene]):
    """A game as one visitor sees it."""

    kibitzer: Kibitzer

    def __init__(self, services: Services, session: Session[CatanTable], again: Again, query: dict[str, str]) -> None:
        self.tool: str | None = None
        self._drawn, self._drawings = -1, 0
        self._asking = False
        self._thoughts: Sequence[Thought] = ()
        self._thought_at, self._looks = 0.0, ""
        self._seen_steps = -1
        self._robber = -1
        self._moving: list[Motion] = []
        self._clock = Clock(int(session.setup.get("clock", 0)))
        setup = CatanSetup.from_json(session.setup)
        text("h1", "A game of Catan", "hidden-visually")
        with box("ct-table ct-play") as everything:
            with box("ct-boards stack"):
                with box("ct-status"):
                    self._dice = DicePanel()
                    with box("grow"):
                        status = text("div", "", "strong").props("role=status aria-live=polite")
                        self._turn = text("div", "", "muted small num")
                    self._time = text("div", "", "ct-clock num").props('role=timer title="Your time for this turn"')
                self.board = BoardView(self._clicked)
                with box("ct-desk"):
                    self._end = box("line ct-end-of-game")
                    self._prompt = Prompt(self)
                    self._actions = ActionBar(self)
                    self._hand = HandPanel(self)
            with box("ct-left stack"):
                with card("Players"):
                    self._seats = SeatsPanel(setup.names, setup.levels)
                with card("Bank"):
                    self._bank = BankPanel()
                with box("line tight ct-game-tools"):
                    pace_select(session).classes("ct-pace")
                    asked = lets_go(ui.select(OFFERS, value=setup.offers, label="Offers"))
                    asked.props("outlined dense options-dense").classes("ct-offers")
                    asked.on_value_change(lambda event: self._adjust(offers=event.value))
                    clock = lets_go(clock_select(self._clock.seconds))
                    clock.on_value_change(lambda event: self._set_clock(int(event.value)))
                    self._back = button("Take back", self.take_back, "undo", "quiet")
                    self._back.props["aria-keyshortcuts"] = TAKE_BACK.upper()
                    self._back.props["title"] = "Your last decision, even if dice have fallen since: the same ones fall again"
                    sound = button("Sound", None, "volume_up", "quiet k-sound").props("aria-pressed=false")
                    sound.on("click", js_handler="(event) => kibitz.motion.flip(event.currentTarget)")
                    button("New game", partial(again, None, 1.0), "add", "quiet")
                with card("", "ct-costs-card"), box("", "details").props("open"):
                    text("summary", "Building costs")
                    show_costs()
            with box("ct-right stack"):
                on = query.get("kibitz") == "1"
                self.kibitzer = Kibitzer(services.jobs, session, PROFILE, on, self._switched, element_of, self._heard)
                with self.kibitzer.card:
                    self._holdings = box("stack")
                with card("Log", "ct-log-card"):
                    self._log = LogLines("Setup")
        super().__init__(
            services, session, again, everything, status, lambda: Scene.of(session, with_holdings=self.kibitzer.on)
        )
        ui.timer(0.5, self._tick)

    @property
    def choices(self) -> Choices:
        """What may be done now."""
        assert self.moment is not None
        return self.moment.choices

    def show(self, moment: Scene) -> None:
        """Show a moment."""
        row = moment.row
        self._question.set_text(moment.status)
        self._turn.set_text(f"Turn {row['turn']}, {moment.names[row['player']]}" if row["turn"] else "Setup")
        self._dice.show(row["roll"], row["turn"])
        self._seats.show(row, moment.actor, moment.over)
        self._bank.show(row["bank"], row["deck_size"])
        self._log.show(moment.log)
        self._prompt.show(moment)
        self._back.set_enabled(moment.can_take_back)
        self.show_hand()
        self.kibitzer.show(moment, moment.labels)
        self._clock.see(row["turn"], moment.choices.open, monotonic())
        with emptied(self._holdings):
            if moment.holdings:
                text("h3", "What the others may hold")
                with box("scroll-x"):
                    show_hands(moment.holdings, moment.names)
        self._actions.bar.set_visibility(not moment.over)
        with emptied(self._end):
            if moment.over:
                button("Review this game", None, "insights", "primary").props(f'href="/review?game={self.session.id}" tag=a')
                self.end_buttons()
        with self._client:
            ui.page_title(f"{'Your move' if moment.choices.open else 'Game over' if moment.over else 'Play'} · Catan · Kibitz")
        if moment.version != self._drawn:
            self._drawn = moment.version
            self._note_motions(moment)
            self._hold(moment.choices.at_once)

    def show_hand(self) -> None:
        """Show the hand, less what is being given away."""
        if self.moment is not None:
            self._hand.show(self.moment, self._prompt.tray)

    # --- the board ---------------------------------------------------------------------------------------------------

    def _note_motions(self, moment: Scene) -> None:
        """What has happened since the moment before, to be shown once the board is drawn."""
        before, self._seen_steps = self._seen_steps, moment.steps
        robber, self._robber = self._robber, moment.row["robber"]
        if before < 0 or moment.steps <= before or not self.session.pace:  # the first look, something taken back, or in haste
            self._moving = []
            return
        events = [event for step, event in moment.happened if step > before]
        self._moving += motions(events, moment.row, robber, moment.seat)
        if moment.choices.open:
            self._moving.append({"sound": "turn"})

    def _hold(self, tool: str | None) -> None:
        """Take a tool into the hand, or none, and draw the board with the places where it can be used."""
        self.tool = tool
        scene = self.moment
        assert scene is not None
        self._actions.show(self.choices, tool, pieces_left(scene.row, scene.seat))
        background_tasks.create(self._draw())

    async def _draw(self) -> None:
        scene, tool, thoughts = self.moment, self.tool, self._thoughts
        assert scene is not None
        self._drawings += 1
        number = self._drawings
        drawing = await asyncio.to_thread(scene.drawing, tool, thoughts)
        if number != self._drawings or self._all.is_deleted:  # another one is drawn by now
            return
        self.board.show(drawing, self._open_places(scene, tool))
        moving, self._moving = self._moving, []
        if moving and self._client.has_socket_connection:
            self._client.run_javascript(f"kibitz.motion.play({json.dumps(moving)})")

    def _heard(self, thoughts: Sequence[Thought]) -> None:
        """The kibitzer thinks something else: the board shows it, but not all the time while it is still thinking."""
        looks = repr([(one.action, round(100 * one.chance), one.best) for one in thoughts])
        decided = not thoughts or thoughts[0].best
        if looks == self._looks or (not decided and monotonic() - self._thought_at < SELDOM):
            return
        self._thoughts, self._looks, self._thought_at = thoughts, looks, monotonic()
        if self.moment is not None and self._drawn == self.moment.version:
            background_tasks.create(self._draw())

    def _switched(self) -> None:
        """The kibitzer was switched on or off: with it, what the others may hold is shown."""
        self.note_address()
        background_tasks.create(self.refresh(anew=True))

    def _open_places(self, scene: Scene, tool: str | None) -> dict[str, int]:
        """What can be clicked: the places of the tool or, without one, those that the kibitzer speaks of."""
        places = scene.choices.places
        if tool is not None:
            return dict(places.get(tool, {}))
        spoken = {element_of(one.action): one.action for one in self._thoughts}
        return {place: code for found in places.values() for place, code in found.items() if spoken.get(place) == code}

    async def _clicked(self, element: str) -> None:
        if self.moment is not None and (code := self._open_places(self.moment, self.tool).get(element)) is not None:
            await self.play(code)

    # --- what is decided ---------------------------------------------------------------------------------------------

    async def press(self, kind: str) -> None:
        """Carry out what needs no more than a click, if it is possible now."""
        if self.moment is not None and kind in self.choices.buttons:
            await self.play(self.choices.buttons[kind])

    async def end(self) -> None:
        """End the turn, or the part of it."""
        if self.moment is not None and (kind := ActionBar.ending(self.choices)):
            await self.press(kind)

    def use(self, tool: str | None) -> None:
        """Take a tool into the hand, or put it away."""
        if self.moment is not None and self.choices.at_once is None:
            self._hold(None if tool == self.tool or tool not in self.choices.places else tool)

    def trade(self) -> None:
        """Put a trade together, or put it away."""
        if self.moment is not None and (self.choices.bank or self.choices.may_offer):
            self._prompt.begin("" if self._prompt.trading else "trade")

    def card(self, name: str) -> None:
        """A click on a card in the hand: it goes to what is being given away, perhaps in a trade that begins with it."""
        if self._prompt.tray is None:
            self.trade()
        if self._prompt.tray is not None:
            self._prompt.tray.put(name)

    async def propose(self, code: int) -> None:
        """Decline the offer on the table, and propose another."""

        def act(version: int) -> None:
            with self.session.lock:
                if version != self.session.version:
                    raise NotNow("the game has moved on in the meantime: look again")
                self.session.match.propose(code)
                try:
                    self.session.play([DECLINE], version)
                except Exception:
                    self.session.match.withdraw()
                    raise

        await self._decide(act)

    async def ask(self, dialog: ui.dialog) -> Any:
        """Wait for the answer of a dialog, which has the keys for itself; None if it was put away."""
        self._asking = True
        try:
            return await dialog
        finally:
            self._asking = False
            dialog.delete()

    async def _adjust(self, **changes: Any) -> None:
        """Change a setting of this game."""
        try:
            await asyncio.to_thread(partial(self.session.adjust, **changes))
        except NotNow as error:
            say(str(error), "negative")
        await self.refresh(anew=True)

    async def _set_clock(self, seconds: int) -> None:
        self._clock = Clock(seconds)
        if self.moment is not None:
            self._clock.see(self.moment.row["turn"], self.moment.choices.open, monotonic())
        await self._adjust(clock=seconds)

    async def _tick(self) -> None:
        """Show the clock; when the time is up, what the person would have to decide is decided by habit."""
        left = self._clock.left(monotonic())
        self._time.set_text("" if left is None else f"{int(left) // 60}:{int(left) % 60:02}")
        self._time.classes(add="short" if left is not None and left < 10 else "", remove="short")
        if left == 0 and self.moment is not None and self.choices.open and not self._playing:
            moment = self.moment
            code = await asyncio.to_thread(habit, self.choices.view)
            if self.moment is moment and not self._playing:  # else the person was quicker
                await self.play(code)

    def keys(self) -> Mapping[str, int]:
        """Those of the buttons that need no more than a click."""
        if self.moment is None or self._asking or self._prompt.trading:
            return {}
        buttons = self.choices.buttons
        kinds = {"d": "roll_dice", "b": "buy_dev_card", "e": ActionBar.ending(self.choices) or ""}
        kinds |= {YES: "accept_offer", NO: "decline_offer"}
        return {key: buttons[kind] for key, kind in kinds.items() if kind in buttons}

    async def pressed(self, key: str) -> None:
        """Choose a tool, trade, take back, or ask the kibitzer."""
        if self._asking:
            return
        tools = {name: tool for tool, (_, name) in TOOLS.items()}
        if key == "escape":
            self._prompt.begin("")
            self.use(None)
        elif key == INSTEAD and self.moment is not None and self.choices.phase == "TRADE_ANSWER":
            self._prompt.begin("counter")
        elif key in tools:
            self.use(tools[key])
        elif key == "t":
            self.trade()
        else:
            await super().pressed(key)
