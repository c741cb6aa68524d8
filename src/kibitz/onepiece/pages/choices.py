"""What the person may do, as a list of buttons: one piece of HTML, with a key for each as far as there are keys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from kibitz.onepiece.pages.drawing import draw_held
from kibitz.onepiece.pages.moment import Held, Moment, Option

#: The keys of choices that are always the same; all others have numbers.
KEYS = {"end_turn": "e", "keep": "k", "redraw": "r", "pass": "p", "done": "d", "yes": "y", "no": "n"}
#: The kinds of the Main Phase, in the order of their groups.
GROUPS = {"attack": "Attack", "play": "Play", "activate": "Use an effect", "give": "Give a DON!!"}


class Choice(NamedTuple):
    """An option with its key; empty where the keys have run out."""

    option: Option
    key: str


def offered(moment: Moment, chosen: str) -> list[Choice]:
    """The options that are shown, in their order: those of the chosen card, if it has any, and what always goes."""
    mine = [option for option in moment.options if chosen and option.source == chosen]
    rest = [option for option in moment.options if not option.source and option.card is None]
    shown = [*mine, *rest] if mine else list(moment.options)
    order = list(GROUPS)
    shown.sort(
        key=lambda option: (option in rest and option.kind in KEYS, order.index(option.kind) if option.kind in order else 0)
    )
    numbers = iter("123456789")
    return [Choice(option, KEYS.get(option.kind) or next(numbers, "")) for option in shown]


def draw_choices(moment: Moment, choices: Sequence[Choice], chosen: str) -> str:
    """The list, in groups where it is long."""
    grouped = moment.main and not any(choice.option.source == chosen for choice in choices if chosen)
    parts: list[str] = []
    last = ""
    for choice in choices:
        kind = choice.option.kind
        if grouped and kind in GROUPS and kind != last:
            parts.append(f"<h3>{GROUPS[kind]}</h3>")
        last = kind
        parts.append(_choice(choice))
    return _tray(choices) + "".join(parts)


def _choice(choice: Choice) -> str:
    option, key = choice
    words = f"<small>{escape(option.words)}</small>" if option.words else ""
    cap = f'<kbd aria-hidden="true">{key.upper()}</kbd>' if key else ""
    return (
        f'<button type="button" class="op-option {option.kind}" data-code="{option.code}" data-from="{escape(option.source)}">'
        f"<span>{escape(option.label)}{words}</span>{cap}</button>"
    )


def _tray(choices: Iterable[Choice]) -> str:
    """The cards that can be picked and lie on no field and in no hand of the person."""
    faces = [
        draw_held(Held(f"pick-{option.card.id}", option.card, option.card.cost), True, False)
        for option, _ in choices
        if option.card is not None and not option.source
    ]
    return f'<div class="op-tray">{"".join(faces)}</div>' if faces else ""
