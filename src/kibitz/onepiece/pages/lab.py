"""The page of the loop lab: a row, its lap as a circle, the verdict, the way out, step by step."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import lru_cache, partial
from html import escape
from typing import Any

from nicegui import context, events, ui

from kibitz.ground.texts import capitalised
from kibitz.loops.config import InvalidRules
from kibitz.loops.lab import LAB
from kibitz.loops.lap import who
from kibitz.loops.svg import draw_tall, draw_wide
from kibitz.loops.words import changes, said, stops, ways_out, who_can
from kibitz.onepiece.looplab import CARD_LAB
from kibitz.onepiece.pages.bench import LONGEST, MODEL_WORDS, MOST_LAPS, OWN, Bench, Wish, is_cards
from kibitz.onepiece.pages.drawing import draw_side
from kibitz.onepiece.pages.moment import side_of
from kibitz.web.layout import left, patiently
from kibitz.web.parts import box, button, card, emptied, hint, patience, refuse, text
from kibitz.web.services import Services

#: Seconds between two steps that are played automatically.
PACE = 0.9
#: What can be written into the rules of one's own.
EXAMPLE = '{"infiniteLoopRules": {"maxRepeats": 2, "resolution": {"oneCanStop": "stopping_player_must_stop"}}}'
ABOUT = (
    "Twelve ways in which a game goes round in circles, each also with one card changed so that the verdict flips. The guard "
    "finds the lap, searches who can stop it and how, and judges by the rules."
)


@lru_cache(maxsize=64)
def played(wish: Wish) -> Bench:
    """How a wish is played: the same for everybody."""
    return Bench.play(wish)


class LabPage:
    """One visitor's page."""

    def __init__(self, services: Services) -> None:
        self._client = context.client
        self.wish = Wish()
        self.bench: Bench | None = None
        self.step = 0
        self._rows: dict[str, Any] = {}
        with box("lab-page"):
            with box("lab-rows stack"), card("Loops"):
                hint(ABOUT)
                with box("lab-list", "nav").props('aria-label="Loops"'):
                    for name, row in CARD_LAB.items():
                        self._row(name, row.title)
            with box("lab-main stack"):
                loops = {name: capitalised(row.title) for name, row in CARD_LAB.items()}
                self._pick = ui.select(loops, value=self.wish.name, label="Loop", on_change=self._sets("name"))
                self._pick.props("outlined dense options-dense").classes("lab-pick")
                with card("", "lab-picture"):
                    self._title = text("h2", "")
                    self._change = text("p", "", "muted small")
                    self._wide = ui.html("", sanitize=False).classes("lab-wide")
                    self._tall = ui.html("", sanitize=False).classes("lab-tall")
                    self._waits = box("stack")
                    self._controls()
                with card("The table at this step", "lab-table"):
                    self._field = ui.html("", sanitize=False).classes("lab-field").props("inert")
            with box("lab-side stack"):
                with card("Change something"):
                    self._settings()
                self._facts = box("stack")
        self._timer = ui.timer(PACE, self._tick, active=False)
        ui.keyboard(on_key=self._key, ignore=["input", "select", "textarea"])

    def _row(self, name: str, title: str) -> None:
        made = text("a", "").props(f'href="/onepiece/loops?loop={name}"').classes("lab-row")
        with made:
            text("span", capitalised(title), "lab-title")
            self._rows[name] = (made, text("span", "", "lab-verdict small"))
        made.on("click", partial(self._set, name=name), js_handler="(event) => { event.preventDefault(); emit(); }")

    def _controls(self) -> None:
        with box("lab-controls"):
            button("", partial(self._go, -1), "skip_previous", "quiet", name="One step back")
            self._play = button("", self._play_or_pause, "play_arrow", "quiet").props('aria-label="Play the steps"')
            button("", partial(self._go, 1), "skip_next", "quiet", name="One step forward")
            self._slider = ui.slider(min=0, max=1, step=1, value=0, on_change=self._slid)
            self._slider.props('aria-label="Step"').classes("grow")
            self._count = text("span", "", "num small lab-count")
        with box("lab-now"):
            self._now = text("p", "").props("aria-live=polite")
            self._said = text("p", "", "lab-said")
        with box("line lab-keys muted small"):
            for keys, meaning in (("←→", "step by step"), ("F", "flip the verdict")):
                for key in keys:
                    text("kbd", key).props('aria-hidden="true"')
                text("span", meaning)

    def _settings(self) -> None:
        self._flip = ui.switch("With the one change that flips the verdict", on_change=self._sets("flipped"))
        self._flip_about = text("p", "", "muted small")
        self._machine = ui.switch("As a tiny machine, without cards", on_change=self._sets("machine"))
        self._model = ui.select(MODEL_WORDS, value="onepiece", label="Whose rules", on_change=self._modelled)
        self._model.props("outlined dense options-dense")
        with box("stack") as self._own:
            self._rules = ui.textarea("A rules file (JSON)", placeholder=EXAMPLE).classes("lab-rules")
            self._rules.props(f"outlined autogrow maxlength={LONGEST}")
            button("Judge by these rules", self._own_rules, "gavel")
        self._own.set_visibility(False)
        with box("line nowrap"):
            self._numbers = [
                ui.number(f"Player {seat + 1} declares", value=1, min=0, max=MOST_LAPS, precision=0, on_change=self._declared)
                .props("outlined dense debounce=400 suffix=laps")
                .classes("grow")
                for seat in range(2)
            ]
        self._problem = box("stack")

    # --- what is wanted -----------------------------------------------------------------------------------------------

    async def begin(self, query: dict[str, str]) -> None:
        """Show what the address asks for."""
        self.wish = wish = Wish.from_query(query)
        self._flip.value, self._machine.value, self._model.value = wish.flipped, wish.machine, wish.model
        self._rules.value = wish.rules
        for number, value in zip(self._numbers, wish.numbers, strict=True):
            number.value = value
        await self.refresh(int(query["step"]) if query.get("step", "").isdigit() and len(query["step"]) < 5 else None)

    async def _set(self, **change: Any) -> None:
        wish = replace(self.wish, **change)
        if wish != self.wish:
            self.wish = wish
            await self.refresh()

    def _sets(self, name: str) -> Callable[[events.ValueChangeEventArguments[Any]], Awaitable[None]]:
        """What takes a changed value over into the wish."""
        return lambda event: self._set(**{name: event.value})

    async def _modelled(self, event: events.ValueChangeEventArguments[Any]) -> None:
        self._own.set_visibility(event.value == OWN)
        if event.value == OWN and not self._rules.value:
            self._rules.value = EXAMPLE
        await self._set(model=event.value, rules=str(self._rules.value or "") if event.value == OWN else "")

    async def _own_rules(self) -> None:
        await self._set(model=OWN, rules=str(self._rules.value or "")[:LONGEST])

    async def _declared(self, event: events.ValueChangeEventArguments[Any]) -> None:
        values = [number.value for number in self._numbers]
        if all(value is not None and 0 <= value <= MOST_LAPS for value in values):
            await self._set(numbers=(int(values[0]), int(values[1])))

    async def refresh(self, step: int | None = None) -> None:
        """Play what is wanted, and show it."""
        wish = self.wish
        self._timer.deactivate()
        self._problem.clear()
        with emptied(self._waits):
            patience("Playing the loop while the guard looks for a way out.")
        try:
            bench = await patiently(self._client, asyncio.to_thread(played, wish))
        except InvalidRules as error:
            self._waits.clear()
            refuse(self._problem, str(error))
            return
        if wish != self.wish or left(self._client):  # something else is wanted meanwhile, or nothing any more
            return
        self._waits.clear()
        self.bench = bench
        self.step = len(bench.trial.steps) if step is None else min(step, len(bench.trial.steps))
        self._slider.props(f"max={len(bench.trial.steps)}")
        self._slider.value = self.step
        self._show_row(bench)
        self._show_facts(bench)
        self._show_step()

    # --- showing it ---------------------------------------------------------------------------------------------------

    def _show_row(self, bench: Bench) -> None:
        wish, row = bench.wish, bench.wish.row
        self._pick.value = wish.name
        self._title.set_text(capitalised(row.title))
        self._change.set_text(f"With one change: {row.change}." if wish.flipped else "")
        self._flip_about.set_text(f"{capitalised(row.change)}.")
        rows = LAB if wish.machine else CARD_LAB
        for name, (made, verdict) in self._rows.items():
            chosen = name == wish.name
            made.props('aria-current="true"' if chosen else "", remove="" if chosen else "aria-current")
            other = rows[name]
            verdict.set_text(bench.trial.verdict if chosen else f"{other.expected} · flipped: {other.flipped_to}")

    def _show_facts(self, bench: Bench) -> None:
        with emptied(self._facts):
            with card("What makes it" if not bench.wish.machine else "The machine"):
                for line in bench.wish.row.texts(bench.wish.flipped):
                    head, _, rest = line.partition(": ")
                    with box("lab-text small"):
                        text("span", f"{head}: ", "strong")
                        text("span", rest)
            with card("What the guard found"):
                self._show_findings(bench)
            with card("All steps"):
                steps = ui.html(_steps(bench), sanitize=False).classes("lab-steps")
                steps.on("click", self._jumped, js_handler=_STEP)

    def _show_findings(self, bench: Bench) -> None:
        found = bench.note
        if found is None:
            text("p", f"No loop: {bench.trial.ending}.", "small")
            return
        result = found.result
        lines = [f"Verdict: {bench.trial.verdict}; {bench.trial.ending}."]
        if result.progress:
            lines.append(f"Each lap: {', '.join(changes(result.progress))}.")
        if why := bench.why(found):
            lines.append(f"{capitalised(why)}.")
        if result.stopping:
            lines.append(f"Who can stop it: {who_can(result.stopping)}.")
        if found.settlement:
            lines.append(f"{stops(found.settlement).capitalize()}.")
            lines.append(f"Banned in that state from now on: {', '.join(found.banned)}.")
        for line in lines:
            text("p", line, "small")
        for heading, tag, items in (
            ("Ways out, the best first", "ul", ways_out(found.ways)),
            ("A whole line out of it", "ol", found.escape),
        ):
            if items:
                text("h3", heading)
                with box("lab-ways small", tag):
                    for item in items:
                        text("li", item)

    def _show_step(self) -> None:
        bench = self.bench
        if bench is None:
            return
        cycle = bench.cycle(self.step)
        self._wide.set_content(draw_wide(cycle))
        self._tall.set_content(draw_tall(cycle))
        total = len(bench.trial.steps)
        self._count.set_text(f"step {self.step} of {total}")
        if self.step:
            step = bench.trial.steps[self.step - 1]
            lap = f" (lap {bench.laps(self.step)})" if bench.laps(self.step) else ""
            self._now.set_text(f"{who(step.seat).capitalize()}: {step.text}{lap}")
        else:
            self._now.set_text("Before the first step.")
        spoken = [one for one in bench.trial.notes if one.after == self.step]
        over = f"The end: {bench.trial.ending}." if self.step == total else ""
        self._said.set_text(f"The guard: {said(spoken[0])}." if spoken else over)
        self._field.set_content(_field(bench.state(self.step)))
        query = bench.wish.to_query() + (f"&step={self.step}" if self.step != total else "")
        self._client.run_javascript(f"kibitz.address({query!r}); {_NOW.format(step=self.step)}")

    # --- step by step -------------------------------------------------------------------------------------------------

    def _to(self, step: int) -> None:
        if self.bench is not None:
            self._slider.value = max(0, min(step, len(self.bench.trial.steps)))

    def _jumped(self, event: events.GenericEventArguments) -> None:
        if isinstance(event.args, int):
            self._pause()
            self._to(event.args)

    def _go(self, by: int) -> None:
        self._pause()
        self._to(self.step + by)

    def _slid(self, event: events.ValueChangeEventArguments[Any]) -> None:
        if int(event.value) != self.step:
            self.step = int(event.value)
            self._show_step()

    def _play_or_pause(self) -> None:
        if self._timer.active:
            self._pause()
            return
        if self.bench is not None and self.step == len(self.bench.trial.steps):
            self._to(0)
        self._timer.activate()
        self._play.props('icon=pause aria-label="Pause"')

    def _pause(self) -> None:
        self._timer.deactivate()
        self._play.props('icon=play_arrow aria-label="Play the steps"')

    def _tick(self) -> None:
        if self.bench is None or self.step >= len(self.bench.trial.steps):
            self._pause()
        else:
            self._to(self.step + 1)

    def _key(self, event: events.KeyEventArguments) -> None:
        modifiers = event.modifiers
        if not event.action.keydown or modifiers.ctrl or modifiers.alt or modifiers.meta:
            return
        if event.key.arrow_left or event.key.arrow_right:
            self._go(1 if event.key.arrow_right else -1)
        elif str(event.key).lower() == "f" and not event.action.repeat:
            self._flip.value = not self._flip.value


#: A step of the list was pressed.
_STEP = """(event) => {
  const found = event.target.closest("[data-step]");
  if (found) emit(Number(found.dataset.step));
}"""
#: The present step is marked in the list, which scrolls to it.
_NOW = """setTimeout(() => {{
  document.querySelectorAll(".lab-step").forEach((line, i) => line.classList.toggle("now", i + 1 === {step}));
  const now = document.querySelector(".lab-step.now"), list = now?.closest(".lab-steps");
  if (list) list.scrollTop = now.offsetTop - list.offsetTop - list.clientHeight / 2;
}}, 150)"""


def _steps(bench: Bench) -> str:
    """All steps, each a button."""
    lines = []
    for number, step in enumerate(bench.trial.steps, start=1):
        demanded = '<span class="lab-demanded">by the verdict</span>' if step.demanded else ""
        words = escape(f"{who(step.seat)}: {step.text}")
        made = f'<button type="button" class="lab-step-button" data-step="{number}">{words}</button>'
        lines.append(f'<li class="lab-step">{made}{demanded}</li>')
    return f"<ol>{''.join(lines)}</ol>"


def _field(state: Any) -> str:
    """What lies on the table."""
    if is_cards(state):
        sides = [side_of(state, seat, id, f"Player {seat + 1}", "") for seat, id in ((1, "op"), (0, "me"))]
        return "".join(draw_side(side, "theirs" if side.id == "op" else "mine", (), "", ()) for side in sides)
    counters = "".join(f"<tr><td>{escape(name)}</td><td class=r>{value}</td></tr>" for name, value in state.counters.items())
    place = f"<tr><td>place</td><td class=r>{escape(state.place)}</td></tr>"
    return f'<table class="k-table">{place}{counters}</table>'
