"""The small pieces of a table of Catan in a page: resource cards, dice, costs, players, bank, what the others may hold."""

from collections.abc import Mapping, Sequence
from typing import Any

from nicegui import ui

from kibitz.catan.belief.evidence import COSTS as PRICES
from kibitz.catan.core.board import RESOURCES
from kibitz.catan.core.position import points_of
from kibitz.catan.core.state import KNIGHT
from kibitz.catan.core.svg import TERRAIN_COLOURS, draw_thing
from kibitz.catan.pages.play.motion import two_dice
from kibitz.catan.pages.play.scene import Holding, pieces_left
from kibitz.ground.texts import chance_text, counted
from kibitz.web.parts import box, emptied, seat_mark, text

#: A sign that looks better than what a keyboard has.
NOTHING = "\N{EN DASH}"
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


class DicePanel:
    """Both dice, and what they come to."""

    def __init__(self) -> None:
        with box("ct-dice").props('role=img aria-label="not rolled yet"') as self._box:
            self._dice = [ui.html("", sanitize=False, tag="span").classes("ct-die k-die") for _ in range(2)]
            self._total = text("b", "", "num")

    def show(self, total: int, turn: int) -> None:
        """Show a throw; 0 is none yet."""
        self._total.set_text(str(total) if total else NOTHING)
        self._box.props["aria-label"] = f"rolled {total}" if total else "not rolled yet"
        self._box.classes(add="seven" if total == 7 else "", remove="seven")
        self._box.update()
        for made, pips in zip(self._dice, two_dice(total, turn) if total else (0, 0), strict=True):
            made.set_content(draw_die(pips))


def draw_die(pips: int) -> str:
    """A die that shows so many pips; none for 0.

    >>> draw_die(5).count("<circle")
    5
    """
    places = [(50, 50)] * (pips % 2) + [(25, 25), (75, 75)] * (pips > 1) + [(75, 25), (25, 75)] * (pips > 3)
    places += [(25, 50), (75, 50)] * (pips == 6)
    dots = "".join(f'<circle cx="{x}" cy="{y}" r="10"/>' for x, y in places)
    return f'<svg viewBox="0 0 100 100" aria-hidden="true"><rect x="3" y="3" width="94" height="94" rx="20"/>{dots}</svg>'


def show_costs() -> None:
    """What everything costs, on one card."""
    with box("ct-costs").props('role=table aria-label="Building costs"'):
        for thing_, label in (("road", "Road"), ("settlement", "Settlement"), ("city", "City"), ("dev_card", "Dev card")):
            with box("ct-cost").props("role=row"):
                text("span", label).props("role=rowheader")
                with box("ct-cost-cards", "span").props("role=cell"):
                    bundle(PRICES[thing_].as_dict())


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
        with box("ct-seat-row").props(f"data-fly=seat-{seat}") as self._row:
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
        roads, settlements, cities = pieces_left(row, seat).values()
        self._facts.props["title"] = f"left to build: {roads} roads, {settlements} settlements, {cities} cities"
        awards = [f"★ Longest Road ({row['road_length'][seat]})"] * (row["road_holder"] == seat)
        awards += [f"★ Largest Army ({row['played'][seat][KNIGHT]})"] * (row["army_holder"] == seat)
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
    facts = [counted(cards, "card"), counted(dev, "dev card") * bool(dev), counted(knights, "knight") * bool(knights)]
    whole = [*filter(None, facts), f"road {row['road_length'][seat]}"]
    return " · ".join(fact.replace(" ", "\N{NO-BREAK SPACE}") for fact in whole)


class BankPanel:
    """What the bank still has."""

    def __init__(self) -> None:
        self._counts = []
        with box("ct-bank line tight").props('aria-label="Bank" role=group data-fly=bank'):
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
