"""The small pieces that pages are made of. All text goes through Vue, which escapes it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from kibitz.ground.texts import capitalised, shortened

Handler = Callable[..., Any]


def text(tag: str, content: str, classes: str = "") -> TextElement:
    """An element with nothing but text."""
    element = TextElement(tag=tag, text=content)
    return element.classes(classes) if classes else element


def hint(content: str) -> TextElement:
    """A paragraph in small print."""
    return text("p", content, "muted small")


def box(classes: str, tag: str = "div") -> ui.element:
    """An element to put others into."""
    return ui.element(tag).classes(classes)


def emptied(holder: ui.element) -> ui.element:
    """An element without what was in it, to put other things into."""
    holder.clear()
    return holder


@contextmanager
def card(title: str = "", classes: str = "") -> Iterator[ui.element]:
    """A section with a frame and, perhaps, a title."""
    with box(f"card {classes}", "section") as section:
        if title:
            text("h2", title)
        yield section


def button(
    label: str, on_click: Handler | None = None, icon: str | None = None, classes: str = "", key: str = "", name: str = ""
) -> ui.button:
    """A button in our look; ``primary``, ``big``, ``quiet`` and ``chosen`` are looks of it.

    Its `key` is written on it; `name` is for those who point at it, or hear of it, where it shows an icon alone.
    """
    made = ui.button(label, on_click=on_click, icon=icon, color=None).classes(f"k-btn {classes}")
    if key:
        made.props["aria-keyshortcuts"] = key
        with made:
            text("kbd", key).props('aria-hidden="true"')
    if name:
        made.props["aria-label"] = made.props["title"] = name
    return made.props("unelevated no-caps")


def choice(label: str, on_click: Handler, chosen: bool, name: str = "") -> ui.button:
    """One of several buttons of which one is chosen."""
    made = button(label, on_click, classes="chosen" if chosen else "").props(f"aria-pressed={str(chosen).lower()}")
    made.props["aria-label"] = name or label
    return made


def press(made: ui.element, pressed: bool) -> None:
    """Mark a button as chosen or not. It stays the same button, so no click on it is lost."""
    made.props["aria-pressed"] = str(pressed).lower()
    made.classes(add="chosen" if pressed else "", remove="" if pressed else "chosen")
    made.update()


def note(message: str, look: str = "") -> TextElement:
    """A remark: plain, ``warn`` or ``bad``. Screen readers hear of it."""
    return text("div", capitalised(shortened(message)), f"note {look}").props("role=status")


def refuse(where: ui.element, problem: str) -> None:
    """Say in an element, instead of what it said, why something cannot be done."""
    with emptied(where):
        note(problem, "bad")


def patience(doing: str, compiled: bool = False) -> None:
    """A bar that only says that something goes on; if it needs rules that are `compiled`, how long that may take."""
    first = " The very first time this takes about a minute: the rules are compiled for this machine." if compiled else ""
    with box("stack").props("role=status"):
        with box("progress busy"):
            ui.element("i")
        text("p", f"{doing}{first}", "muted small")


def tooltip(element: ui.element, message: str, above: bool = False) -> None:
    """Say something when the pointer rests on an element: below it, or `above` it, where nothing else may be covered."""
    with element:
        made = ui.tooltip(message).props("delay=250 max-width=320px")
    if above:
        made.props("anchor='top middle' self='bottom middle'")


def lets_go(select: ui.select) -> ui.select:
    """The same select, which gives the keyboard back to the page when its list closes: the keys of a game work again."""
    return select.on("popup-hide", js_handler="() => kibitz.letGo()")


def seat_mark(seat: int) -> TextElement:
    """A disc with the number of a seat, in its colour."""
    return text("span", str(seat + 1), f"seat seat-{seat}").props(f'title="Seat {seat + 1}"')


def pressable(label: str, on_click: Handler, classes: str, pressed: bool | None = None, name: str = "") -> TextElement:
    """A plain button: a place to go to, or (where it is `pressed` or not) a seat, a colour, a number."""
    made = text("button", label, classes).props("type=button").on("click", on_click)
    made.props["aria-label"] = name or label
    if pressed is not None:
        made.props["aria-pressed"] = str(pressed).lower()
    return made


def table(headings: Sequence[str], right: Sequence[str] = (), classes: str = "") -> ui.element:
    """The body of a table; headings in `right` stand over columns of numbers. ``dense`` is a look of it."""
    with box("scroll-x"), box(f"k-table {classes}", "table"):
        with ui.element("thead"), ui.element("tr"):
            for heading in headings:
                text("th", heading, "r" if heading in right else "")
        return ui.element("tbody")


def bar(value: float, colour: str, low: float | None = None, high: float | None = None) -> None:
    """A bar from 0 to 1, with its interval."""
    with box("bar").props('aria-hidden="true"'):
        ui.element("i").style(f"width:{100 * value:.1f}%;background:{colour}")
        if low is not None and high is not None:
            ui.element("b").style(f"left:{100 * low:.1f}%;width:{100 * max(0.0, high - low):.1f}%")


class ProgressBar:
    """How far some work is, for the eye and for screen readers."""

    def __init__(self, label: str = "Progress") -> None:
        self._box = box("progress").props("role=progressbar aria-valuemin=0 aria-valuemax=100 aria-valuenow=0")
        self._box.props["aria-label"] = label
        with self._box:
            self._fill = ui.element("i").style("width:0")

    def show(self, share: float | None) -> None:
        """This share of it is done, from 0 to 1; None where nobody knows."""
        if share is None:
            self._box.classes(add="busy").props(remove="aria-valuenow")
            self._fill.style(replace="")
            return
        self._box.classes(remove="busy").props(f"aria-valuenow={round(100 * share)}")
        self._fill.style(f"width:{100 * share:.1f}%")


def say(message: str, look: Literal["info", "positive", "negative"] = "info") -> None:
    """A short message at the edge of the page; ``info``, ``positive`` or ``negative``."""
    ui.notify(capitalised(shortened(message)), type=look, position="bottom")
