"""What the person can do: the buttons below the board, the questions of the game, your own cards, and trading."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from nicegui import ui

from kibitz.catan.belief.evidence import COSTS as PRICES
from kibitz.catan.core.notation import CARDS
from kibitz.catan.core.state import SUPPLY
from kibitz.catan.pages.play.pieces import NAMES, Steppers, bundle, thing
from kibitz.catan.pages.play.scene import Choices, Scene
from kibitz.web.parts import box, button, emptied, hint, text, tooltip

if TYPE_CHECKING:
    from kibitz.catan.pages.play.page import CatanView

#: Tools with their keys: what is clicked on the board then.
TOOLS = {"road": ("Road", "r"), "settlement": ("Settlement", "s"), "city": ("City", "c")}
#: What things cost, in words.
COSTS = {thing: ", ".join(f"{n} {name}" for name, n in cards.as_dict().items()) for thing, cards in PRICES.items()}
#: Buttons that end something, with their words; only one of them shows at a time.
_ENDS = {
    "end_road_building": "No more roads", "end_trade_phase": "End trading", "end_build_phase": "End building",
    "end_turn": "End turn",
}  # fmt: skip
#: What a trade still lacks.
CHOOSE = "Choose what you give and what you get."
_POINT = CARDS.index("victory_point")
_CARD_NAMES = ("Knight", "Victory point", "Road building", "Year of plenty", "Monopoly")
_CARD_MEANS = (
    "Move the robber and rob somebody.",
    "One point; it counts by itself.",
    "Two roads for free.",
    "Two cards of your choice from the bank.",
    "All cards of one resource from everybody.",
)


class ActionBar:
    """The buttons. They stay where they are; what is not possible now is greyed."""

    def __init__(self, page: CatanView) -> None:
        self._page = page
        with box("ct-actions").props('role=toolbar aria-label="Your actions"'):
            self._tools = {}
            for tool, (label, key) in TOOLS.items():
                self._tools[tool] = button(label, partial(page.use, tool), key=key.upper())
                tooltip(self._tools[tool], f"{COSTS[tool]}. Then click a lit place on the board.")
            self._buy = button("Card", lambda: page.press("buy_dev_card"), "style", key="B")
            tooltip(self._buy, f"Buy a development card: {COSTS['dev_card']}")
            self._trade = button("Trade", page.trade, "swap_horiz", key="T")
            tooltip(self._trade, "With the bank, at a harbour, or with the others")
            self._roll = button("Roll", lambda: page.press("roll_dice"), "casino", "primary go", "D")
            self._end = button("End turn", page.end, "skip_next", "primary go", "E")

    def show(self, choices: Choices, tool: str | None) -> None:
        """Show what is possible."""
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


class Prompt:
    """What the game asks: discards, whom to rob, an answer, a partner."""

    def __init__(self, page: CatanView) -> None:
        self._page = page
        self._box = box("ct-prompt").props("role=status aria-live=polite")
        self._shown: tuple[int, str] | None = None

    def show(self, scene: Scene) -> None:
        """Ask, if there is something to ask."""
        choices = scene.choices
        asks = choices.phase in ("ROBBER_DISCARD", "ROBBER_STEAL", "TRADE_ANSWER", "TRADE_CHOICE")
        waits = scene.row["player"] == scene.seat and choices.open_offer() is not None
        kind = choices.phase if asks else "TRADE_WAIT" if waits else ""
        if (scene.version, kind) == self._shown:
            return
        self._shown = (scene.version, kind)
        self._box.set_visibility(bool(kind))
        with emptied(self._box):
            match kind:
                case "ROBBER_DISCARD":
                    self._discard(choices)
                case "ROBBER_STEAL":
                    for seat, code in choices.victims.items():
                        cards = scene.row["hand_size"][seat]
                        button(f"Rob {scene.names[seat]} ({cards} cards)", partial(self._page.play, code), classes="primary")
                case "TRADE_ANSWER":
                    self._offer(scene, mine=False)
                case "TRADE_CHOICE":
                    for seat, code in choices.partners.items():
                        button(f"Trade with {scene.names[seat]}", partial(self._page.play, code), "check", "primary")
                    button("Take it back", partial(self._page.press, "cancel_offer"), "close")
                case "TRADE_WAIT":
                    self._offer(scene, mine=True)

    def _discard(self, choices: Choices) -> None:
        need = choices.to_discard

        def changed() -> None:
            count.set_text(f"{steppers.total} of {need}")
            go.set_enabled(steppers.total == need)

        with box("line"):
            steppers = Steppers("Discard", choices.hand, changed)
            count = text("span", f"0 of {need}", "num strong discard-count")
            go = button("Discard", lambda: self._page.play(*choices.discard(steppers.values)), "delete_sweep", "primary")
            go.set_enabled(False)

    def _offer(self, scene: Scene, mine: bool) -> None:
        """The offer on the table: the person's own, or one to be answered."""
        offer = scene.choices.open_offer()
        assert offer is not None
        who, give, want = offer
        with box("line"):
            text("span", "You offer" if mine else f"{scene.names[who]} gives you")
            bundle(give)
            text("span", "for" if mine else "for your")
            bundle(want)
            if mine:
                text("span", "and wait for answers", "muted")
            else:
                button("Accept", partial(self._page.press, "accept_offer"), "check", "primary")
                button("Decline", partial(self._page.press, "decline_offer"), "close")


class HandPanel:
    """Your own cards, and the development cards with a button to play them."""

    def __init__(self, page: CatanView) -> None:
        self._page = page
        self._counts: dict[str, Any] = {}
        with box("ct-hand").props('role=group aria-label="Your cards"'):
            for name in NAMES:
                with box(f"ct-res-card terrain-{name}") as made:
                    thing(name)
                    count = text("b", "0", "num")
                    text("small", name)
                self._counts[name] = (made, count)
            self._cards = box("ct-dev-cards")
        self._shown: Any = None

    def show(self, scene: Scene) -> None:
        """Show the hand."""
        row, choices = scene.row, scene.choices
        for name, n in choices.hand.items():
            made, count = self._counts[name]
            count.set_text(str(n))
            made.classes(add="" if n else "none", remove="none")
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
        tooltip(made, _CARD_MEANS[kind] + (" Not in the turn in which it was bought." if new else ""))

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
            return tuple(name for name in NAMES for _ in range(steppers.values[name]))

        def changed() -> None:
            go.set_enabled(chosen() in choices.plenties)

        with ui.dialog() as dialog, ui.card().classes("stack ct-pick"):
            text("h2", f"Year of plenty: take {'two cards' if most == 2 else 'a card'} from the bank")
            steppers = Steppers("Take", dict.fromkeys(NAMES, most), changed)
            with box("line"):
                go = button("Take", lambda: dialog.submit(chosen()), "check", "primary")
                button("Not now", lambda: dialog.submit(None), classes="quiet")
            go.set_enabled(False)
        pair = await self._page.ask(dialog)
        if pair:
            await self._page.play(choices.plenties[pair])


async def trade_dialog(page: CatanView) -> None:
    """Put a trade together: with the bank at the best rate, or as an offer to all others."""
    choices = page.choices
    rates = choices.rates()

    def changed() -> None:
        codes = choices.bank_trade(give.values, receive.values)
        code, why = choices.offer(give.values, receive.values)
        bank.set_enabled(bool(codes))
        offer.set_enabled(code is not None)
        empty = not give.total or not receive.total
        said.set_text(CHOOSE if empty else "" if codes or code is not None else why)
        said.classes(add="muted" if empty else "ct-warn-text", remove="ct-warn-text" if empty else "muted")

    with ui.dialog() as dialog, ui.card().classes("stack ct-pick trade-dialog"):
        text("h2", "Trade")
        text("div", "You give", "strong")
        give = Steppers("You give", choices.hand, changed)
        text("div", "You get", "strong")
        receive = Steppers("You get", dict.fromkeys(NAMES, SUPPLY), changed)
        best = ", ".join(f"{name} {rate}:1" for name, rate in rates.items())
        hint(f"Bank and harbours: {best}")
        said = text("p", CHOOSE, "small ct-said muted").props("role=status aria-live=polite")
        with box("line"):
            bank = button("With the bank", lambda: dialog.submit("bank"), "account_balance", "primary")
            offer = button("Offer to all", lambda: dialog.submit("offer"), "campaign", "primary")
            button("Cancel", lambda: dialog.submit(None), classes="quiet")
        bank.set_enabled(False)
        offer.set_enabled(False)
    answer = await page.ask(dialog)
    if answer == "bank":
        await page.play(*choices.bank_trade(give.values, receive.values))
    elif answer == "offer":
        code, _ = choices.offer(give.values, receive.values)
        if code is not None:
            await page.play(code)
