"""What the person can do: the buttons below the board, and your own cards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from kibitz.catan.belief.evidence import COSTS as PRICES
from kibitz.catan.core.notation import CARDS
from kibitz.catan.pages.play.pieces import NAMES, thing
from kibitz.catan.pages.play.prompt import Tray, small_card
from kibitz.catan.pages.play.scene import Choices, Scene
from kibitz.web.parts import box, button, emptied, text, tooltip

if TYPE_CHECKING:
    from kibitz.catan.pages.play.page import CatanView

#: Tools with their keys: what is clicked on the board then.
TOOLS = {"road": ("Road", "r"), "settlement": ("Settlement", "s"), "city": ("City", "c")}
#: What things cost, in words.
COSTS = {thing: ", ".join(f"{n} {name}" for name, n in cards.as_dict().items()) for thing, cards in PRICES.items()}
#: Buttons that end something, with their words; only one of them shows at a time.
_ENDS = {
    "end_road_building": "Skip the rest", "end_trade_phase": "End trading", "end_build_phase": "End building",
    "end_turn": "End turn",
}  # fmt: skip
_POINT = CARDS.index("victory_point")
_CARD_NAMES = ("Knight", "Victory Point", "Road Building", "Year of Plenty", "Monopoly")
_CARD_MEANS = (
    "Move the robber and steal a card.",
    "One point; it counts without being played.",
    "Two roads for free.",
    "Two cards of your choice from the bank.",
    "Take all cards of one resource from everybody.",
)


class ActionBar:
    """The buttons. They stay where they are; what is not possible now is greyed."""

    def __init__(self, page: CatanView) -> None:
        self._page = page
        with box("ct-actions").props('role=toolbar aria-label="Your actions"') as self.bar:
            self._tools: dict[str, ui.button] = {}
            self._left: dict[str, TextElement] = {}
            for tool, (label, key) in TOOLS.items():
                self._tools[tool] = made = button(label, partial(page.use, tool), key=key.upper())
                made.props["aria-label"] = label
                with made:
                    self._left[tool] = text("span", "", "ct-left-over num").props('aria-hidden="true"')
                tooltip(made, f"{COSTS[tool]}. Then click a highlighted place on the board.", above=True)
            self._buy = button("Dev card", lambda: page.press("buy_dev_card"), "style", key="B")
            tooltip(self._buy, f"Buy a development card: {COSTS['dev_card']}", above=True)
            self._trade = button("Trade", page.trade, "swap_horiz", key="T")
            tooltip(self._trade, "With the bank, at a harbour, or with the others: click your cards", above=True)
            self._roll = button("Roll", lambda: page.press("roll_dice"), "casino", "primary go", "D")
            self._end = button("End turn", page.end, "skip_next", "primary go", "E")

    def show(self, choices: Choices, tool: str | None, left: Mapping[str, int]) -> None:
        """Show what is possible, and how many pieces are `left`."""
        for name, n in left.items():
            self._left[name].set_text(str(n))
            self._tools[name].props["aria-description"] = f"{n} left"
        for name, made in self._tools.items():
            made.set_enabled(name in choices.places)
            made.classes(add="chosen" if name == tool else "", remove="chosen")
            made.props["aria-pressed"] = str(name == tool).lower()
        self._buy.set_enabled("buy_dev_card" in choices.buttons)
        self._trade.set_enabled(bool(choices.bank) or choices.may_offer)
        rolling, ending = "roll_dice" in choices.buttons, self.ending(choices)
        self._roll.set_visibility(rolling)
        self._end.set_visibility(not rolling)
        self._end.set_enabled(ending is not None)
        self._end.set_text(_ENDS[ending or "end_turn"])

    @staticmethod
    def ending(choices: Choices) -> str | None:
        """What the last button does now."""
        return next((name for name in _ENDS if name in choices.buttons), None)


class HandPanel:
    """Your own cards, and the development cards with a button to play them."""

    def __init__(self, page: CatanView) -> None:
        self._page = page
        self._counts: dict[str, Any] = {}
        with box("ct-hand").props('role=group aria-label="Your cards"'):
            for name in NAMES:
                made = box(f"ct-res-card terrain-{name}", "button").props(f"type=button data-fly=own-{name}")
                with made.on("click", partial(page.card, name)):
                    thing(name)
                    count = text("b", "0", "num")
                    text("small", name)
                self._counts[name] = (made, count)
            self._cards = box("ct-dev-cards")
        self._shown: Any = None

    def show(self, scene: Scene, tray: Tray | None) -> None:
        """Show the hand, less the cards that are being given away; a click gives another one."""
        row, choices = scene.row, scene.choices
        live = tray is not None or bool(choices.bank) or choices.may_offer
        for name, n in choices.hand.items():
            made, count = self._counts[name]
            left = n - (tray.give[name] if tray is not None else 0)
            count.set_text(str(left))
            made.classes(add="" if left else "none", remove="none")
            made.props["aria-label"] = f"{left} {name}" + (": give one" if live and left else "")
            made.props["aria-disabled"] = str(not (live and left)).lower()
            made.update()
        held = tuple(row["dev"][scene.seat])
        new = tuple(row["new_dev"]) if row["player"] == scene.seat else (0,) * len(held)
        playable = tuple(bool(self._way(choices, kind)) for kind in range(len(CARDS)))
        if (held, new, playable) == self._shown:
            return
        self._shown = (held, new, playable)
        with emptied(self._cards):
            for kind, n in enumerate(held):
                if n:
                    self._dev_card(kind, n, new[kind], playable[kind])

    def _dev_card(self, kind: int, n: int, new: int, playable: bool) -> None:
        times = f" \N{MULTIPLICATION SIGN} {n}" if n > 1 else ""
        with box("ct-dev-card") as made:
            text("b", f"{_CARD_NAMES[kind]}{times}")
            if playable:
                play = button("Play", partial(self._play, kind), classes="ct-small-btn primary")
                play.props["aria-label"] = f"Play {_CARD_NAMES[kind]}"
            else:
                text("small", "counts" if kind == _POINT else "new" if new == n else "not now", "muted")
        tooltip(made, _CARD_MEANS[kind] + (" You cannot play it on the turn you buy it." if new else ""), above=True)

    @staticmethod
    def _way(choices: Choices, kind: int) -> Any:
        """How a card can be played now, if it can."""
        if kind == CARDS.index("monopoly"):
            return choices.monopolies
        if kind == CARDS.index("year_of_plenty"):
            return choices.plenties
        return choices.buttons.get("reveal_vp" if kind == _POINT else f"play_{CARDS[kind].value}")

    async def _play(self, kind: int) -> None:
        choices = self._page.choices
        way = self._way(choices, kind)
        if isinstance(way, int):
            await self._page.play(way)
        elif kind == CARDS.index("monopoly"):
            await self._choose_monopoly(choices)
        else:
            await self._choose_plenty(choices)

    async def _choose_monopoly(self, choices: Choices) -> None:
        with ui.dialog() as dialog, ui.card().classes("stack ct-pick"):
            text("h2", "Monopoly: take all cards of which resource?")
            with box("line"):
                for name in choices.monopolies:
                    with button("", partial(dialog.submit, name), classes=f"ct-res-pick terrain-{name}").props(
                        f'aria-label="{name}"'
                    ):
                        thing(name)
                        text("span", name)
            button("Not now", lambda: dialog.submit(None), classes="quiet")
        name = await self._page.ask(dialog)
        if name:
            await self._page.play(choices.monopolies[name])

    async def _choose_plenty(self, choices: Choices) -> None:
        most = max(len(pair) for pair in choices.plenties)

        def chosen() -> tuple[str, ...]:
            return tuple(name for name in NAMES for _ in range(tray.give[name]))

        def changed() -> None:
            go.set_enabled(chosen() in choices.plenties)

        tray = Tray(dict.fromkeys(NAMES, most), most, changed)

        with ui.dialog() as dialog, ui.card().classes("stack ct-pick"):
            text("h2", f"Year of Plenty: take {'two cards' if most == 2 else 'a card'} from the bank")
            with box("ct-wants"):
                for name in NAMES:
                    small_card(name, "+", partial(tray.put, name), f"Take one more {name}")
            tray.show("give", "click what you want", "You take")
            with box("line"):
                go = button("Take", lambda: dialog.submit(chosen()), "check", "primary")
                button("Not now", lambda: dialog.submit(None), classes="quiet")
            go.set_enabled(False)
        pair = await self._page.ask(dialog)
        if pair:
            await self._page.play(choices.plenties[pair])
