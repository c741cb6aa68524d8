"""A field to paste a text into or to drop a file on: the same on every page that reads games, boards or logs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from nicegui import events, ui

from kibitz.web.parts import button

OnData = Callable[[bytes], Awaitable[None]]

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
