"""The small pieces of a table of Catan in a page: resource cards, steppers, players, bank, log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from kibitz.catan.core.board import RESOURCES
from kibitz.catan.core.svg import draw_thing
from kibitz.catan.pages.play.game import Line
from kibitz.catan.pages.play.scene import SeatInfo
from kibitz.web.parts import box, seat_mark, text

#: Signs that look better than what a keyboard has.
MINUS, NOTHING = "\N{MINUS SIGN}", "\N{EN DASH}"
NAMES = tuple(resource.value for resource in RESOURCES)


def thing(name: str) -> ui.html:
    """A small picture of a resource or a piece."""
    return ui.html(draw_thing(name), sanitize=False, tag="span").classes(f"ct-pic pic-{name}")


def bundle(cards: Mapping[str, int]) -> None:
    """Some cards as pictures with their numbers; screen readers hear words."""
    with box("ct-bundle", "span"):
        for name, n in cards.items():
            if n:
                with box(f"ct-chip terrain-{name}", "span").props(f'title="{n} {name}"'):
                    thing(name)
                    text("b", str(n), "num")
                    text("span", name, "hidden-visually")


class Steppers:
    """Chooses a number of cards of each resource."""

    def __init__(self, label: str, most: Mapping[str, int], on_change: Callable[[], None]) -> None:
        self.values = dict.fromkeys(NAMES, 0)
        self._most, self._on_change = most, on_change
        self._shown = {}
        with box("ct-steppers").props("role=group") as group:
            group.props["aria-label"] = label
            for name in NAMES:
                with box(f"ct-stepper terrain-{name}"):
                    thing(name)
                    self._key(MINUS, name, -1, f"{label}: one {name} less")
                    self._shown[name] = text("b", "0", "num")
                    self._key("+", name, 1, f"{label}: one {name} more")
                    text("small", name)

    def _key(self, label: str, name: str, by: int, said: str) -> None:
        made = text("button", label, "ct-step").props("type=button")
        made.props["aria-label"] = said
        made.on("click", partial(self._change, name, by))

    def _change(self, name: str, by: int) -> None:
        value = min(max(0, self.values[name] + by), self._most.get(name, 0))
        if value != self.values[name]:
            self.values[name] = value
            self._shown[name].set_text(str(value))
            self._on_change()

    @property
    def total(self) -> int:
        """How many cards are chosen."""
        return sum(self.values.values())


@dataclass
class _SeatRow:
    row: ui.element
    turn: TextElement
    facts: TextElement
    awards: TextElement
    points: TextElement
    hand: ui.element


class SeatsPanel:
    """All players: points, cards, awards, and whose move it is; with `open_hands` also what they hold."""

    def __init__(self, names: Sequence[str], kinds: Sequence[str], open_hands: bool = False) -> None:
        """`kinds` says which bot somebody is; nothing for people."""
        self._open = open_hands
        with box("ct-seats" + (" open" if open_hands else "")):
            self._rows = [self._row(seat, *who) for seat, who in enumerate(zip(names, kinds, strict=True))]

    def _row(self, seat: int, name: str, kind: str) -> _SeatRow:
        with box("ct-seat-row") as row:
            seat_mark(seat)
            with box("grow"):
                with box("line tight nowrap"):
                    text("span", name, "strong ct-clip").props["title"] = name
                    if kind:
                        text("span", kind, "muted small")
                    turn = text("span", "", "ct-turn small")
                facts = text("div", "", "muted small num")
                awards = text("div", "", "small ct-awards")
                hand = box("ct-hand-open")
            points = text("div", "", "ct-points num")
        return _SeatRow(row, turn, facts, awards, points, hand)

    def show(self, seats: Sequence[SeatInfo], player: int, actor: int, over: bool, winner: int) -> None:
        """Show how it stands."""
        for seat, (info, made) in enumerate(zip(seats, self._rows, strict=True)):
            made.row.classes(add="on-turn" if not over and seat == player else "", remove="on-turn")
            made.turn.set_text("★ winner" if over and seat == winner else "◀ to move" if not over and seat == actor else "")
            made.facts.set_text(_facts(info))
            awards = [f"★ Longest road ({info.road})"] * info.has_road + [f"★ Largest army ({info.knights})"] * info.has_army
            made.awards.set_text(" · ".join(awards))
            hidden = f" + {info.hidden_points}" if info.hidden_points else ""
            made.points.set_text(f"{info.points}{hidden}")
            made.points.props["title"] = f"{info.points} points" + (f", {info.hidden_points} hidden" if hidden else "")
            if self._open and info.hand is not None:
                made.hand.clear()
                with made.hand:
                    bundle(dict(zip(NAMES, info.hand, strict=True)))


def _facts(info: SeatInfo) -> str:
    cards = f"{info.cards} card{'s' * (info.cards != 1)}"
    dev = f" · {info.dev_cards} dev" if info.dev_cards else ""
    knights = f" · {info.knights} knight{'s' * (info.knights != 1)}" if info.knights else ""
    return f"{cards}{dev}{knights} · road {info.road}"


class BankPanel:
    """What the bank still has."""

    def __init__(self) -> None:
        self._counts = []
        with box("ct-bank line tight").props('aria-label="Bank"'):
            for name in NAMES:
                with box(f"ct-chip terrain-{name}", "span").props(f'title="{name} in the bank"'):
                    thing(name)
                    self._counts.append(text("b", "", "num"))
                    text("span", name, "hidden-visually")
            with box("ct-chip dev", "span").props('title="development cards in the deck"'):
                text("span", "Dev")
                self._counts.append(text("b", "", "num"))

    def show(self, bank: Sequence[int], deck: int) -> None:
        """Show how much there is."""
        for made, n in zip(self._counts, (*bank, deck), strict=True):
            made.set_text(str(n))


class LogPanel:
    """What happened, the newest first."""

    #: Older lines are in the record.
    MOST = 150

    def __init__(self) -> None:
        self._shown: list[Line] = []
        self._rows: list[ui.element] = []
        self._list = box("ct-log", "ol").props('role=log aria-label="What happened" tabindex=0')

    def show(self, lines: Sequence[Line]) -> None:
        """Show the lines; those that are there already stay."""
        recent = list(lines[-self.MOST :])
        same = 0
        start = 0
        if self._shown and recent:
            start = next((i for i, line in enumerate(self._shown) if line == recent[0]), len(self._shown))
            kept = self._shown[start:]
            while same < len(kept) and same < len(recent) and kept[same] == recent[same]:
                same += 1
        for row in [*self._rows[:start], *self._rows[start + same :]]:
            row.delete()
        self._rows = self._rows[start : start + same]
        with self._list:
            for line in recent[same:]:
                with box("ct-log-line" + (" minor" if line.minor else ""), "li") as row:
                    if line.seat is not None:
                        text("span", str(line.seat + 1), f"ct-dot-seat seat-{line.seat}").props('aria-hidden="true"')
                    text("span", line.text, "grow")
                    text("span", f"{line.turn}" if line.turn else "", "muted small num").props('title="turn"')
                row.move(target_index=0)
                self._rows.append(row)
        self._shown = recent
