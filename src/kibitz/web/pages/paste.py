"""Texts and files that visitors bring: a field to paste them into or to drop them on, and reading them in the queue."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from nicegui import context, events, ui

from kibitz.compute.runtime import Runtime
from kibitz.web.jobs import READING, JobState, QueueFull
from kibitz.web.parts import button, emptied, patience, refuse
from kibitz.web.services import Services

T = TypeVar("T")

#: Seconds after which a page says that it is still reading.
SOON = 0.4
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


async def in_turn(services: Services, work: Callable[[Runtime], T], said: ui.element) -> T | None:
    """What `work` reads, in the queue: a large file must not hold up others, and whoever waits for one can stop it.

    Meanwhile `said` shows that it goes on; what is wrong, if anything is, is said there, too, and nothing is found.
    """
    client = context.client

    def begun(runtime: Runtime) -> T:
        runtime.begin()
        return work(runtime)

    try:
        job = services.jobs.submit("reading a file", begun, client.id, READING, large=True)
    except QueueFull as error:
        refuse(said, str(error))
        return None
    client.on_delete(lambda: services.jobs.leave(job, client.id))
    finished = asyncio.ensure_future(job.finished())
    await asyncio.wait([finished], timeout=SOON)
    if not finished.done():
        with emptied(said):
            patience("The file is read.")
            button("Cancel", lambda: services.jobs.cancel(job), "stop")
        await finished
        said.clear()
    stopped = job.runtime.stopped == "cancelled"  # even if a part was read
    if stopped or job.state is not JobState.DONE:
        refuse(said, "reading was stopped" if stopped else job.error)
        return None
    found: T = job.result
    return found
