"""The kibitzer at the shoulder: what the others may hold, and how often each move wins, as the person could know it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nicegui import ui

from kibitz.catan.analysis import AnalysisConfig, AnalysisMode, AnalysisResult, Position, create_analyzer
from kibitz.catan.core.actions import Action
from kibitz.catan.core.svg import TERRAIN_COLOURS
from kibitz.catan.pages.play.choices import element_of
from kibitz.catan.pages.play.game import CatanTable
from kibitz.catan.pages.play.pieces import NAMES, NOTHING, thing
from kibitz.catan.pages.play.scene import Holding, Scene
from kibitz.catan.pages.play.words import move_words
from kibitz.compute.runtime import Limit, Runtime
from kibitz.game.doors import sensible_actions
from kibitz.ground.figures import chance_text
from kibitz.play.advice import IN_DOUBT
from kibitz.play.share import Share
from kibitz.web.games import Session
from kibitz.web.jobs import Job, Jobs, JobState, QueueFull
from kibitz.web.parts import bar, box, card, seat_mark, text

if TYPE_CHECKING:
    from kibitz.catan.pages.play.page import PlayPage

#: How long it thinks about one decision, and how many moves it shows.
SECONDS, SHOWN = 6.0, 5
#: Why the first move need not be the one with the highest bar.
ORDER = "The moves that the search looks at most come first. The marks on the bars: 95 % intervals."
#: So many iterations are never reached in that time.
_ENOUGH = 1_000_000


@dataclass(frozen=True)
class Advised:
    """A move and how often it wins."""

    action: str
    share: Share

    @property
    def place(self) -> str | None:
        """Where on the board."""
        return element_of(Action.from_text(self.action).code)


class Adviser:
    """Asks the queue what to do, one question at a time: a new one ends the one before. No UI of its own."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._version = -1
        self.job: Job | None = None
        self.trouble = ""

    def ask(self, session: Session[CatanTable], scene: Scene, seconds: float = SECONDS) -> None:
        """See to it that what is thought about is this moment. To be called in a thread."""
        if scene.version == self._version:
            return
        self.stop()
        self._version = scene.version
        if not scene.choices.open or len(sensible_actions(scene.view)) < 2:
            return
        with session.lock:
            witness = session.match.witness
            if session.version != scene.version or witness is None:
                return
            tracker = witness.tracker.copy()
        config = replace(AnalysisConfig(), ismcts_iterations=_ENOUGH, mc_seed=scene.version)

        def work(runtime: Runtime) -> AnalysisResult:
            position = Position.seen(scene.view, scene.seat, tracker, config.policy)
            return create_analyzer(AnalysisMode.ISMCTS).analyze(position, config, runtime)

        try:
            self.job = self._jobs.submit("kibitzer", work, session.id, Limit(time=seconds))
        except QueueFull as error:
            self.trouble = str(error)

    def stop(self) -> None:
        """Think no more."""
        if self.job is not None:
            self._jobs.cancel(self.job)
        self.job, self.trouble, self._version = None, "", -1

    def moves(self) -> list[Advised]:
        """The best moves so far."""
        job = self.job
        if job is None:
            return []
        if job.state is JobState.DONE and job.result is not None:
            return [Advised(move.action, move.share) for move in job.result.options]
        if job.info is None:
            return []
        found = [Advised(standing.name, standing.win_rate) for standing in job.info.ranking]
        return sorted(found, key=lambda one: -one.share.games)

    def doubt(self) -> str:
        """Why the first move is not the one that has won most often, if it is so."""
        result = self.job.result if self.job is not None and self.job.state is JobState.DONE else None
        return next((f"{warning}." for warning in result.warnings if warning == IN_DOUBT), "") if result else ""

    def state(self) -> str:
        """How far it is, in words."""
        job = self.job
        if job is None:
            return self.trouble
        if place := self._jobs.place(job):
            return f"Waiting: number {place} in the queue"
        if job.state is JobState.FAILED:
            return job.error
        if job.info is None and not job.over:
            return "getting ready ..."
        games = sum(move.share.games for move in self.moves())
        return f"{games:,} games" + ("" if job.over else " so far ...")


class KibitzerPanel:
    """A card with a switch; while it is off nothing is thought and nothing is shown."""

    def __init__(self, page: PlayPage, on: bool) -> None:
        self.adviser = Adviser(page.services.jobs)
        self._page = page
        self._shown: tuple[object, ...] = ()
        with card(classes="ct-kibitzer"):
            with box("line nowrap"):
                text("h2", "Kibitzer", "grow")
                self._switch = ui.switch(value=on, on_change=lambda event: page.kibitz(bool(event.value)))
                self._switch.props('aria-label="Kibitzer at your shoulder" aria-keyshortcuts=K')
                text("kbd", "K").props('aria-hidden="true"')
            self._off = text("p", "Switch it on for the others' likely hands and the win rates of your moves.", "muted small")
            self._body = box("stack")
            with self._body:
                with box("stack advice"):
                    with box("line nowrap"):
                        text("h3", "Your best moves", "grow")
                        self._state = text("span", "", "muted small num")
                    self._moves = box("ct-advice-list")
                    self._doubt = text("p", "", "muted small")
                text("h3", "What the others may hold")
                self._hands = box("scroll-x")

    @property
    def on(self) -> bool:
        """Whether it is asked."""
        return bool(self._switch.value)

    def flip(self) -> None:
        """The other way round."""
        self._switch.set_value(not self._switch.value)

    def show(self, scene: Scene) -> None:
        """Show what it knows about a moment."""
        self._off.set_visibility(not self.on)
        self._body.set_visibility(self.on)
        if self.on and scene.holdings:
            self._hands.clear()
            with self._hands:
                _hands(scene.holdings, scene.names)
        self.look(scene)

    def look(self, scene: Scene) -> None:
        """Show what it thinks by now."""
        if not self.on:
            return
        moves = self.adviser.moves()[:SHOWN]
        state = self.adviser.state()
        if self.adviser.job is None and not state:
            state = "the game is over" if scene.over else "nothing to decide now" if not scene.choices.open else "only one way"
        self._state.set_text(state)
        self._doubt.set_text(self.adviser.doubt() or (ORDER if moves else ""))
        shown = tuple((move.action, move.share) for move in moves)
        if shown == self._shown:
            return
        self._shown = shown
        self._moves.clear()
        with self._moves:
            for number, move in enumerate(moves, start=1):
                with box("ct-advice-row") as row:
                    text("span", str(number), "muted num")
                    with box("grow"):
                        words = move_words(move.action, scene.board, scene.names)
                        text("div", words, "ct-clip").props["title"] = words
                        bar(move.share.rate, "var(--accent)", *move.share.interval)
                    text("span", f"{100 * move.share.rate:.1f} %", "num strong").props(
                        f'title="± {100 * move.share.margin:.1f} points, {move.share.games:,} games"'
                    )
                if move.place:
                    row.props["data-spot"] = move.place
                    row.props["tabindex"] = 0


def _hands(holdings: tuple[Holding, ...], names: tuple[str, ...]) -> None:
    with box("k-table ct-holdings", "table"):
        with box("", "thead"), box("", "tr"):
            text("th", "Expected cards")
            for name in NAMES:
                with box("r", "th").props(f'title="{name}"'):
                    thing(name)
                    text("span", name, "hidden-visually")
            text("th", "VP").props('title="the chance of a hidden victory point card"')
        with box("", "tbody"):
            for held in holdings:
                with box("", "tr"):
                    with box("", "td"), box("line tight nowrap"):
                        seat_mark(held.seat)
                        text("span", f"{held.cards}", "num strong").props(f'title="{names[held.seat]}: {held.cards} cards"')
                    for name, expected, chances in zip(NAMES, held.expected, held.chances, strict=True):
                        _cell(name, expected, chances)
                    text("td", NOTHING if held.victory_point is None else chance_text(held.victory_point), "r num")


def _cell(name: str, expected: float, chances: dict[int, float]) -> None:
    some = 1 - chances.get(0, 0.0)
    certain = max(chances.values()) > 0.995
    said = ", ".join(f"{n}: {chance_text(p)}" for n, p in chances.items() if p >= 0.005)
    with box("r num", "td").props(f'title="{name}: {said}"') as cell:
        cell.classes("certain" if certain else "")
        text("span", f"{expected:.0f}" if certain else f"{expected:.1f}", "muted" if expected < 0.005 else "")
        with box("ct-chance").props('aria-hidden="true"'):
            box("", "i").style(f"width:{100 * some:.0f}%;background:{TERRAIN_COLOURS[name]}")
