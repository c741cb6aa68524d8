"""Games while they are played: ``/track/live`` follows all that a browser extension tells of, ``/track/ID`` any one session."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from nicegui import background_tasks, context, ui

from kibitz.catan.commands.extension import with_port
from kibitz.catan.core.events import BankCount, Correction, HandCount, HandSeen, UnknownCards
from kibitz.catan.pages import analyses
from kibitz.catan.pages.track.hands import HandsPanel
from kibitz.catan.pages.track.side import DevCards, Dice, Steals
from kibitz.catan.tracking.live import ADVICE, LiveGame, LiveGames, live_games
from kibitz.catan.tracking.sessions import Look, NoSession
from kibitz.catan.words import say as in_words
from kibitz.ground.texts import Mistake, capitalised, counted, with_margin
from kibitz.web.jobs import JobState, QueueFull
from kibitz.web.layout import arrive
from kibitz.web.pages.house import offer
from kibitz.web.pages.work import Latest
from kibitz.web.parts import box, button, card, emptied, hint, note, patience, refuse, say, text
from kibitz.web.services import Services
from kibitz.web.store import NotSaved

#: Why advice rests while a game is played.
FAIR = (
    "Kibitz counts what everybody has seen. Unless you change it, advice is off while a game runs, since the others play "
    "without it, and is offered when the game is over."
)
#: Events that are listed, and games of former days.
_LATEST, _RECENT = 14, 6
#: Events that tell what is there, not what happened.
_EVIDENCE = (BankCount, Correction, HandCount, HandSeen, UnknownCards)
#: Moves that advice names, and seconds that it takes.
_MOVES, _SECONDS = 4, 3.0


@dataclass
class _Seen:
    """The game as panels know it."""

    players: tuple[str, ...] = ()
    observer: int | None = None
    answers: Mapping[int, str] = field(default_factory=dict)


class LiveView:
    """One session, shown as it is now and after every change."""

    def __init__(self, services: Services, games: LiveGames, id: str) -> None:
        self._services, self._games, self.id = services, games, id
        self.followed = _Seen()
        self.refresh = Latest(self._refresh)
        self._client = context.client
        self._root = box("tk-page tk-live")
        with self._root:
            with box("tk-main stack"):
                with card(classes="tk-game"):
                    self._title = text("h2", "")
                    self._where = text("div", "", "muted num").props("role=status aria-live=polite")
                    self._ways = box("line tight")
                self._doubts = box("stack")
                self._hands = HandsPanel(self)
                self._steals = Steals(self)
            with box("tk-side stack"):
                self._advice = box("stack")
                self._cards = DevCards(self)
                self._dice = Dice()
                with card("Latest events", "tk-log"):
                    self._latest = box("stack small", "ol").props('aria-label="Latest events, the latest first"')
        self._shown: Any = None
        self.over = False

    async def go(self, number: int) -> None:
        """A live view has one moment: earlier ones are shown by the Track page."""
        ui.navigate.to(f"/track?session={self.id}&at={number}")

    async def resolve(self, steal: str, resource: str | None) -> None:
        """Say which card a steal took."""
        try:
            await asyncio.to_thread(self._games.sessions.tell, self.id, {"steal": steal, "resource": resource})
        except (ValueError, NotSaved) as error:
            with self._root:
                say(str(error), "negative")

    async def _refresh(self) -> None:
        try:
            look, answers = await asyncio.to_thread(self._look)
        except NoSession:
            with emptied(self._root):
                note("Kibitz no longer follows this game: it was deleted, or made room for others.", "warn")
            return
        game = await asyncio.to_thread(self._games.game, self.id)
        with self._root:
            self._show(look, answers, game)

    def _look(self) -> tuple[Look, dict[int, str]]:
        look = self._games.sessions.look(self.id, 4 * _LATEST)
        with self._games.sessions.using(self.id) as session:
            return look, dict(session.answers)

    def _show(self, look: Look, answers: Mapping[int, str], game: LiveGame | None) -> None:
        anew = (self.followed.players, self.followed.observer) != (look.players, look.observer)
        self.followed = _Seen(look.players, look.observer, answers)
        if anew:
            self._title.set_text(", ".join(look.players))
            self._hands.reset()
        told = look.moment.told
        state = "over" if look.over else "under way"
        self._where.set_text(f"{state} · turn {told['turn']} · {counted(told['worlds'], 'possible world')}")
        for panel in (self._hands, self._steals, self._cards, self._dice):
            panel.show(look.moment)
        with emptied(self._latest):
            told_of = [event for event in look.latest if not isinstance(event, _EVIDENCE)]
            for event in reversed(told_of[-_LATEST:]):
                text("li", event.text(look.players))
        notes = doubts_of(look, game)
        self.over, advised = look.over, game is not None and self._games.advises(game)
        shown = notes, look.over, advised
        if shown == self._shown:
            return
        self._shown = shown
        with emptied(self._doubts):
            if notes:
                with box("note warn tk-trust").props("role=status"):
                    text("div", "The figures are approximate.", "strong")
                    for line in notes:
                        text("div", line)
        with emptied(self._ways):
            if look.over:
                self._way("Review this game", f"/review?log={self.id}", "primary")
            self._way("Step through it", f"/track?session={self.id}")
        with emptied(self._advice):
            if game is not None and not look.over:
                AdviceCard(self._services, self._games, game)

    def _way(self, label: str, to: str, look: str = "") -> None:
        text("a", label, f"q-btn k-btn {look}").props["href"] = to


def doubts_of(look: Look, game: LiveGame | None) -> list[str]:
    """Why the figures may be wrong, in words."""
    doubts, told = look.doubts, look.moment.told
    lines = [f"No longer followed: {game.trouble}" if game and game.trouble else "", capitalised(doubts.missing)]
    lines += [f"{counted(game.lost, 'message')} lost on the way." if game and game.lost else ""]
    for problem in doubts.problems:
        times = f" ({problem.count} times)" if problem.count > 1 else ""
        lines.append(capitalised(f"{problem.reason}{times}"))
    lines += [f"Repaired: {repair['reason']}" for repair in told["repairs"][-3:]]
    return [line for line in lines if line]


class AdviceCard:
    """What should I play? Only where the setting allows it, while a game runs."""

    def __init__(self, services: Services, games: LiveGames, game: LiveGame) -> None:
        self._services, self._games, self._game = services, games, game
        self._client = context.client
        with card("Advice"):
            self._said = box("stack")
            if games.advises(game):
                button("What should I play?", self._ask, "insights", "primary")
            else:
                hint(FAIR)

    async def _ask(self) -> None:
        if not self._games.advises(self._games.game(self._game.session) or self._game):  # the setting has changed since
            refuse(self._said, FAIR)
            return
        asked = {"mode": "ismcts", "config": {"mc_seed": 0}, "time": _SECONDS, "seat": None}
        frames = await asyncio.to_thread(self._games.frames, self._game.session)
        try:
            content = "\n".join(map(json.dumps, frames))
            job = analyses.submit_log(self._services, content, asked, self._client.id, False)
        except (Mistake, QueueFull) as error:
            refuse(self._said, str(error))
            return
        with emptied(self._said):
            patience("Kibitz is thinking.", compiled=True)
        await job.finished()
        if job.state is not JobState.DONE:
            refuse(self._said, job.error or "it was stopped")
            return
        with emptied(self._said), box("", "ol"):
            for option in job.result.result.options[:_MOVES]:
                text("li", f"{in_words(option.action)}: {with_margin(option.value, option.margin)}")


class _Watching:
    """A page that is told when a session changes, for as long as somebody looks at it."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.games = services.one(live_games)
        self.client = context.client

    def watch(self, changed: Callable[[str], Any]) -> None:
        """Call `changed` with the id of every session that changes."""
        loop, stack = asyncio.get_running_loop(), ExitStack()

        def heard(id: str) -> None:
            loop.call_soon_threadsafe(lambda: background_tasks.create(changed(id)))

        stack.enter_context(self.games.sessions.watched(heard))
        self.client.on_delete(stack.close)


class SessionPage(_Watching):
    """One session."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._root = box("stack")

    async def begin(self, query: dict[str, str]) -> None:
        """Show the session of the address; one that has ended is in the library."""
        id = query.get("id", "")
        if not await asyncio.to_thread(self.games.sessions.knows, id):
            found = await asyncio.to_thread(self.services.store.load, id)
            if found is not None and "session" not in found.data:
                ui.navigate.to(f"/track?saved={id}")
                return
            with self._root:
                note("There is no such game: it was deleted, or made room for others.", "warn")
            return
        with self._root:
            text("h1", "Live games", "hidden-visually")
            view = LiveView(self.services, self.games, id)

        async def changed(other: str) -> None:
            if other == id:
                await view.refresh()

        self.watch(changed)
        await view.refresh()
        arrive(self.client, f"{', '.join(view.followed.players)} · Track")


class LivePage(_Watching):
    """All games under way, how to pair an extension, what it may do, and the games of former days."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._views: dict[str, LiveView] = {}
        self.refresh = Latest(self._refresh)
        with box("stack"):
            with box("stack"):
                text("h1", "Live")
                self._about = text("p", "", "muted")
            self._games = box("stack")
            with box("tk-ways tk-below"):
                with box("stack"):
                    self._pairing()
                with box("stack"):
                    self._recent = box("stack")
                    self._fairness()

    async def begin(self, query: dict[str, str]) -> None:
        """Show what is under way."""

        async def changed(id: str) -> None:
            if id in self._views:
                await self._views[id].refresh()
                if self._views[id].over:
                    await self.refresh()
            elif await asyncio.to_thread(self.games.game, id):
                await self.refresh()

        self.watch(changed)
        await self.refresh()

    async def _refresh(self) -> None:
        under_way = await asyncio.to_thread(self.games.under_way)
        kept = await asyncio.to_thread(self.services.store.items, "log", _RECENT, words="Live: ")
        now = [game.session for game in under_way]
        about = "Games that you play in a browser with the Kibitz extension appear here as they happen."
        self._about.set_text(about if now else f"{about} None right now.")
        for id in [id for id in now if id not in self._views]:
            with self._games:
                self._views[id] = LiveView(self.services, self.games, id)
            await self._views[id].refresh()
        with emptied(self._recent):
            if kept:
                over = [game.session for game in self.games.games() if game.over]
                if over:
                    text("a", "Review my last game", "q-btn k-btn primary").props["href"] = f"/review?log={over[0]}"
                offer("Games that are over", kept, "/track?saved=", "Live: ")

    def _pairing(self) -> None:
        with card("Pair your browser"):
            hint(
                "Run kibitz extension FOLDER, load that folder into your browser as an extension, open the site, and type this "
                "code into the panel there. Only a paired browser can send games."
            )
            self._code = text("div", "", "tk-code num strong").props("role=status aria-live=polite")
            with box("line"):
                button("Show a code", self._new_code, "key", "primary")
                button("Unpair all browsers", self._forget, "link_off", "quiet")
            self._paired = text("p", "", "muted small")
            self._count()

    def _count(self) -> None:
        paired = self.games.companions.paired()
        since = f", the last one since {paired[-1][:10]}" if paired else ""
        self._paired.set_text(f"{counted(len(paired), 'browser') if paired else 'No browsers'} paired{since}.")

    async def _new_code(self) -> None:
        code = await asyncio.to_thread(self.games.companions.new_code)
        self._code.set_text(with_port(code, self.services.options.port))

    async def _forget(self) -> None:
        await asyncio.to_thread(self.games.companions.forget)
        self._code.set_text("")
        self._count()

    def _fairness(self) -> None:
        with card("Fair play"):
            hint(FAIR)
            now = self.games.companions.setting("advice", "never")
            chosen = ui.select(ADVICE, value=now, label="Advice", on_change=lambda event: self._set(event.value))
            chosen.props("outlined dense")

    async def _set(self, value: str) -> None:
        await asyncio.to_thread(self.games.companions.set, "advice", value)
        for view in self._views.values():
            await view.refresh()
