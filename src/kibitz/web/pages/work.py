"""What visitors bring and wait for: a field for texts and files, reading them in the queue, and a box that follows a job."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from typing import Any, TypeVar

from nicegui import context, events, ui

from kibitz.compute.runtime import Info, Runtime
from kibitz.ground.texts import capitalised
from kibitz.web.jobs import READING, Job, Jobs, JobState, QueueFull
from kibitz.web.parts import ProgressBar, box, button, card, emptied, hint, note, patience, refuse, text
from kibitz.web.services import Services

T = TypeVar("T")

#: Seconds after which a page says that it is still reading, and between two looks at work that runs.
SOON, LOOK = 0.4, 0.2
_DROP = """(event) => {{
  event.preventDefault();
  const files = event.dataTransfer.files;
  if (files.length) getElement({upload}).$refs.qRef.addFiles(files);
  else event.target.setRangeText(event.dataTransfer.getData("text"));
}}"""
#: A pasted text travels as a file does: however long it is, the page stays connected.
_READ = """() => {{
  const field = document.getElementById("{field}");
  const file = () => new File([field.value], "pasted.txt", {{ lastModified: Date.now() }});
  if (field.value.trim()) getElement({upload}).$refs.qRef.addFiles([file()]);
  else field.focus();
}}"""


class PasteField:
    """The field; its buttons are put where the page wants them."""

    def __init__(
        self,
        what: str,
        limit: int,
        on_data: Callable[[bytes], Awaitable[None]],
        on_trouble: Callable[[str], None],
        rows: int = 5,
    ) -> None:
        """`what` is asked for; `on_data` is handed what arrives, at most `limit` bytes of it."""
        self._limit, self._on_data, self._on_trouble = limit, on_data, on_trouble
        upload = ui.upload(auto_upload=True, max_file_size=limit, on_upload=self._uploaded, on_rejected=self._rejected)
        self._upload = upload.classes("paste-upload")
        self._field = ui.element("textarea").classes("paste").props(f"rows={rows} spellcheck=false")
        self._field.props["aria-label"] = f"{what}: paste it here, or drop a file"
        self._field.props["placeholder"] = f"Paste {what[:1].lower()}{what[1:]} here, or drop a file on this field."
        self._field.on("drop", js_handler=_DROP.format(upload=upload.id))
        self._field.on("dragover", js_handler="(event) => event.preventDefault()")

    def read_button(self, label: str, icon: str) -> ui.button:
        """The button that takes what was pasted."""
        made = button(label, None, icon, "primary")
        return made.on("click", js_handler=_READ.format(upload=self._upload.id, field=self._field.html_id))

    def file_button(self) -> ui.button:
        """The button that asks for a file."""
        pick = f"() => getElement({self._upload.id}).$refs.qRef.pickFiles()"
        return button("Choose a file", None, "upload_file").on("click", js_handler=pick)

    async def _uploaded(self, event: events.UploadEventArguments) -> None:
        self._upload.reset()
        await self._on_data(await event.file.read())

    def _rejected(self) -> None:
        self._upload.reset()
        self._on_trouble(f"This is too large: at most {self._limit >> 20} MB.")


async def in_turn(
    services: Services, work: Callable[[Runtime], T], said: ui.element, doing: str = "Reading the file."
) -> T | None:
    """What `work` finds, in the queue: a large file must not hold up others, and whoever waits for one can stop it.

    Meanwhile `said` shows what goes on; what is wrong, if anything is, is said there, too, and nothing is found.
    """
    client = context.client

    def begun(runtime: Runtime) -> T:
        runtime.begin()
        return work(runtime)

    try:
        job = services.jobs.submit(doing, begun, client.id, READING, large=True)
    except QueueFull as error:
        refuse(said, str(error))
        return None
    client.on_delete(lambda: services.jobs.leave(job, client.id))
    finished = asyncio.ensure_future(job.finished())
    await asyncio.wait([finished], timeout=SOON)
    if not finished.done():
        with emptied(said):
            patience(doing)
            button("Cancel", lambda: services.jobs.cancel(job), "stop")
        await finished
        said.clear()
    stopped = job.runtime.stopped == "cancelled"  # even if a part was read
    if stopped or job.state is not JobState.DONE:
        refuse(said, "This was stopped." if stopped else job.error)
        return None
    found: T = job.result
    return found


class Latest:
    """Work that is done once at a time; what is asked for while it goes on is done once more after it, however often."""

    def __init__(self, work: Callable[[], Awaitable[None]]) -> None:
        self._work, self._busy, self._again = work, False, False

    async def __call__(self) -> None:
        """Do it, or let it be done again."""
        self._again = True
        if self._busy:
            return
        self._busy = True
        try:
            while self._again:
                self._again = False
                await self._work()
        finally:
            self._busy = False


class JobBox:
    """A box in which an answer appears: the work runs as a job, tells how far it is, and may be stopped."""

    def __init__(
        self,
        jobs: Jobs,
        show: Callable[[Any], object],
        told: Callable[[Info], tuple[float, str]],
        doing: str,
        classes: str = "",
    ) -> None:
        """`show` puts the result into the page; `told` is how far the work is, as a share and in words."""
        self._jobs, self._show, self._told, self._doing = jobs, show, told, doing
        self._owner = context.client.id
        self.job: Job | None = None
        self._box = box(f"stack {classes}").props("aria-live=polite")
        self._timer = ui.timer(LOOK, self._look, active=False)
        context.client.on_delete(self._left)

    def submit(self, title: str, work: Callable[[Runtime], Any], heading: str = "", large: bool = False) -> None:
        """Begin; what was asked before is given up. `title` tells one question from another."""
        self.cancel()
        try:
            job = self._jobs.submit(title, work, self._owner, large=large)
        except QueueFull as error:
            self.say(str(error), "bad")
        else:
            self.follow(job, heading)

    def follow(self, job: Job, heading: str = "") -> None:
        """Show the work until it is over."""
        self._jobs.follow(job, self._owner)
        self.job = job
        with emptied(self._box), card(heading) if heading else nullcontext():
            self._bar = ProgressBar(self._doing)
            with box("line"):
                self._state = text("span", self._doing, "muted small num")
                box("grow")
                button("Stop", self.stop, classes="quiet")
        self._timer.activate()

    def stop(self) -> None:
        """End the work with what it has."""
        if self.job is not None:
            self._jobs.cancel(self.job)

    def _left(self) -> None:
        """The page is gone; after a refresh another one may have taken the work up."""
        if self.job is not None:
            self._jobs.leave(self.job, self._owner)

    def cancel(self) -> None:
        """Forget the work."""
        self.stop()
        self.job = None
        self._timer.deactivate()

    def say(self, message: str, look: str = "") -> None:
        """Show a sentence instead."""
        self.cancel()
        with emptied(self._box):
            if look:
                note(capitalised(message), look)
            else:
                hint(message)

    def _look(self) -> None:
        job = self.job
        if job is None:
            self._timer.deactivate()
        elif job.over:
            self._timer.deactivate()
            self._box.clear()
            if job.state is JobState.DONE:
                with self._box:
                    self._show(job.result)
            elif job.state is JobState.FAILED:
                self.say(job.error, "bad")
        elif place := self._jobs.place(job):
            self._progress(0.0, f"number {place} in the queue")
        elif job.info is not None:
            self._progress(*self._told(job.info))

    def _progress(self, share: float, words: str) -> None:
        self._bar.show(share)
        self._state.set_text(words)
