"""The board of Catan in a page: one drawing at a time, clicks by the ids of its elements.

It knows no rules: it is given a drawing of `kibitz.catan.core.svg` and the elements that may be chosen now. A row of a table
with ``data-spot="corner-23"`` and the corner light each other up when the pointer is on one of them. The keyboard reaches the
board with Tab, its elements with the arrow keys, and chooses with Enter.
"""

from collections.abc import Awaitable, Callable, Iterable

from nicegui import events, ui

from kibitz.web.parts import box

#: What kibitz.js says of a press or a key: the id of the element.
_PICK = "(event) => emit(event.detail)"


class BoardView:
    """A board that shows what it is told to show."""

    def __init__(self, on_click: Callable[[str], Awaitable[None] | None], label: str = "Board of Catan") -> None:
        """`on_click` hears the id of the element: ``corner-23``, ``edge-12``, ``hex-4``, ``harbour-0``."""
        self._on_click = on_click
        with box("board-holder"):
            self._html = ui.html("", sanitize=False).classes("board").props("tabindex=0 role=application")
            self._html.props["aria-label"] = f"{label}: arrow keys move, Enter chooses"
            box("hidden-visually").props("aria-live=polite")
        self._html.on("pick", self._clicked, js_handler=_PICK)

    async def _clicked(self, event: events.GenericEventArguments) -> None:
        if isinstance(event.args, str):
            answer = self._on_click(event.args)
            if answer is not None:
                await answer

    def show(self, drawing: str, legal: Iterable[str] = ()) -> None:
        """Show a drawing (ours, never a stranger's); of its elements those in `legal` answer to the pointer and the keys."""
        self._html.props["data-legal"] = " ".join(legal)
        self._html.set_content(drawing)
