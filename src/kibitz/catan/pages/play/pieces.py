"""The small pieces of a table of Catan in a page: resource cards, steppers, players, bank, what the others may hold."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from nicegui import ui

from kibitz.catan.core.board import RESOURCES
from kibitz.catan.core.position import points_of
from kibitz.catan.core.state import KNIGHT
from kibitz.catan.core.svg import TERRAIN_COLOURS, draw_thing
from kibitz.catan.pages.play.scene import Holding
from kibitz.ground.texts import chance_text, counted
from kibitz.web.parts import box, emptied, pressable, seat_mark, text

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
                    pressable(MINUS, partial(self._change, name, -1), "ct-step", name=f"{label}: one {name} less")
                    self._shown[name] = text("b", "0", "num")
                    pressable("+", partial(self._change, name, 1), "ct-step", name=f"{label}: one {name} more")
                    text("small", name)

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


class SeatsPanel:
    """All players: points, cards, awards, and whose move it is; with `open_hands` also what they hold."""

    def __init__(self, names: Sequence[str], kinds: Sequence[str], open_hands: bool = False) -> None:
        """`kinds` says which bot somebody is; nothing for people."""
        with box("ct-seats" + (" open" if open_hands else "")):
            self._rows = [_SeatRow(seat, *who, open_hands) for seat, who in enumerate(zip(names, kinds, strict=True))]

    def show(self, position: Mapping[str, Any], actor: int, over: bool) -> None:
        """Show how it stands in a position, given in plain values; what that hides is not told."""
        for row in self._rows:
            row.show(position, actor, over)


class _SeatRow:
    """One player."""

    def __init__(self, seat: int, name: str, kind: str, open_hand: bool) -> None:
        self._seat, self._open = seat, open_hand
        with box("ct-seat-row") as self._row:
            seat_mark(seat)
            with box("grow"):
                with box("line tight nowrap"):
                    text("span", name, "strong ct-clip").props["title"] = name
                    if kind:
                        text("span", kind, "muted small")
                    self._turn = text("span", "", "ct-turn small")
                self._facts = text("div", "", "muted small num")
                self._awards = text("div", "", "small ct-awards")
                self._hand = box("ct-hand-open")
            self._points = text("div", "", "ct-points num")

    def show(self, row: Mapping[str, Any], actor: int, over: bool) -> None:
        seat = self._seat
        self._row.classes(add="on-turn" if not over and seat == row["player"] else "", remove="on-turn")
        winner = over and seat == row["winner"]
        self._turn.set_text("★ winner" if winner else "◀ to move" if not over and seat == actor else "")
        self._facts.set_text(_facts(row, seat))
        awards = [f"★ Longest road ({row['road_length'][seat]})"] * (row["road_holder"] == seat)
        awards += [f"★ Largest army ({row['played'][seat][KNIGHT]})"] * (row["army_holder"] == seat)
        self._awards.set_text(" · ".join(awards))
        points, total = points_of(row, seat)
        hidden = total - points if sum(row["dev"][seat]) == row["dev_size"][seat] else 0
        self._points.set_text(f"{points} + {hidden}" if hidden else f"{points}")
        self._points.props["title"] = f"{points} points" + (f", {hidden} hidden" if hidden else "")
        if self._open:
            with emptied(self._hand):
                bundle(dict(zip(NAMES, row["hand"][seat], strict=True)))


def _facts(row: Mapping[str, Any], seat: int) -> str:
    cards, dev, knights = row["hand_size"][seat], row["dev_size"][seat], row["played"][seat][KNIGHT]
    facts = [counted(cards, "card"), f"{dev} dev" * bool(dev), counted(knights, "knight") * bool(knights)]
    return " · ".join([*filter(None, facts), f"road {row['road_length'][seat]}"])


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


def show_hands(holdings: tuple[Holding, ...], names: tuple[str, ...]) -> None:
    """A table of the expected cards of each player."""
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
