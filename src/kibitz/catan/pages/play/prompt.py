"""What the game asks, and trades: cards are chosen by clicking them, those in the hand and those of the bank."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from nicegui import ui

from kibitz.catan.pages.play.pieces import NAMES, bundle, thing
from kibitz.catan.pages.play.scene import Choices, Scene
from kibitz.ground.texts import counted
from kibitz.web.parts import box, button, emptied, text

if TYPE_CHECKING:
    from kibitz.catan.pages.play.page import CatanView

#: Keys for an offer.
YES, NO, INSTEAD = "y", "n", "c"
#: What a trade still lacks.
CHOOSE = "Click the cards you give and the ones you want."
#: Questions of the game, by its phases.
_ASKED = ("ROBBER_DISCARD", "ROBBER_STEAL", "TRADE_ANSWER", "TRADE_CHOICE")


class Tray:
    """Cards that are being chosen: what is given, out of the hand, and perhaps what is wanted for it."""

    def __init__(self, hand: Mapping[str, int], most: int | None, changed: Callable[[], None]) -> None:
        """At most `most` cards are given."""
        self._hand, self._most, self._changed = hand, most, changed
        self.give, self.get = dict.fromkeys(NAMES, 0), dict.fromkeys(NAMES, 0)
        self._shown: dict[str, ui.element] = {}

    @property
    def given(self) -> int:
        """How many cards are given."""
        return sum(self.give.values())

    def put(self, name: str) -> None:
        """One more card out of the hand, if there is one and it may be given."""
        if self.give[name] < self._hand[name] and (self._most is None or self.given < self._most):
            self._change(self.give, name, 1)

    def want(self, name: str) -> None:
        """One more card is wanted."""
        self._change(self.get, name, 1)

    def _change(self, side: dict[str, int], name: str, by: int) -> None:
        side[name] += by
        self._draw()
        self._changed()

    def show(self, side: str, empty: str, label: str = "") -> None:
        """Where the chosen cards lie: a click takes one back. `side` is ``give`` or ``get``."""
        self._shown[side] = box("ct-chosen").props("role=group")
        self._shown[side].props["aria-label"] = label or ("You give" if side == "give" else "You get")
        self._shown[side].props["data-empty"] = empty

    def _draw(self) -> None:
        for side, place in self._shown.items():
            cards: dict[str, int] = getattr(self, side)
            with emptied(place):
                for name, n in cards.items():
                    if n:
                        small_card(name, str(n), partial(self._change, cards, name, -1), f"{n} {name}: take one back")


def small_card(name: str, label: str, on_click: Callable[[], Any], said: str) -> ui.element:
    """A small card that can be clicked."""
    made = box(f"ct-chip ct-pick-card terrain-{name}", "button").props("type=button").on("click", on_click)
    made.props["aria-label"] = made.props["title"] = said
    with made:
        thing(name)
        text("b", label, "num")
    return made


class Prompt:
    """What the game asks (discards, whom to rob, an answer, a partner), or a trade that is being put together."""

    def __init__(self, page: CatanView) -> None:
        self._page = page
        self._box = box("ct-prompt").props('role=group aria-label="The question"')
        self._shown: tuple[int, str] | None = None
        self.tray: Tray | None = None
        self._trading = ""

    @property
    def trading(self) -> str:
        """``trade`` or ``counter`` while one is being put together, else nothing."""
        return self._trading

    def show(self, scene: Scene) -> None:
        """Ask, if there is something to ask; what was being put together in another moment is put away."""
        choices = scene.choices
        if self._shown is None or self._shown[0] != scene.version:
            self._trading = ""
        waits = scene.row["player"] == scene.seat and choices.open_offer() is not None
        kind = self._trading or (choices.phase if choices.phase in _ASKED else "TRADE_WAIT" if waits else "")
        if (scene.version, kind) == self._shown:
            return
        self._shown, self.tray = (scene.version, kind), None
        self._box.set_visibility(bool(kind))
        with emptied(self._box):
            match kind:
                case "trade":
                    self._trade(choices)
                case "counter":
                    self._counter(scene)
                case "ROBBER_DISCARD":
                    self._discard(choices)
                case "ROBBER_STEAL":
                    for seat, code in choices.victims.items():
                        cards = scene.row["hand_size"][seat]
                        button(
                            f"Rob {scene.names[seat]} ({counted(cards, 'card')})",
                            partial(self._page.play, code),
                            classes="primary",
                        )
                case "TRADE_ANSWER":
                    self._offer(scene, mine=False)
                case "TRADE_CHOICE":
                    for seat, code in choices.partners.items():
                        button(f"Trade with {scene.names[seat]}", partial(self._page.play, code), "check", "primary")
                    button("Withdraw the offer", partial(self._page.press, "cancel_offer"), "close")
                case "TRADE_WAIT":
                    self._offer(scene, mine=True)
        self._page.show_hand()

    def begin(self, what: str) -> None:
        """Put a ``trade`` or a ``counter``-offer together, or (with nothing) put it away."""
        scene = self._page.moment
        if scene is not None and what != self._trading:
            self._trading = what
            self._shown = (scene.version, "-")
            self.show(scene)

    def _discard(self, choices: Choices) -> None:
        need = choices.to_discard

        def changed() -> None:
            count.set_text(f"{tray.given} of {need}")
            go.set_enabled(tray.given == need)
            self._page.show_hand()

        self.tray = tray = Tray(choices.hand, need, changed)
        text("span", "You discard")
        tray.show("give", "click your cards")
        count = text("span", f"0 of {need}", "num strong discard-count").props("role=status aria-live=polite")
        go = button("Discard", lambda: self._page.play(*choices.discard(tray.give)), "delete_sweep", "primary")
        go.set_enabled(False)

    def _offer(self, scene: Scene, mine: bool) -> None:
        """The offer on the table: the person's own, or one to be answered."""
        offer = scene.choices.open_offer()
        assert offer is not None
        who, give, want = offer
        with box("line tight").props("role=status aria-live=polite"):
            text("span", "You offer" if mine else f"{scene.names[who]} offers you")
            bundle(give)
            text("span", "for" if mine else "for your")
            bundle(want)
            if mine:
                text("span", "waiting for answers", "muted")
        if not mine:
            button("Accept", partial(self._page.press, "accept_offer"), "check", "primary", YES.upper())
            button("Decline", partial(self._page.press, "decline_offer"), "close", key=NO.upper())
            button("Counter", partial(self.begin, "counter"), "swap_horiz", "quiet", INSTEAD.upper())

    def _two_sides(self, changed: Callable[[], None], choices: Choices) -> Tray:
        """Both sides of a trade, and the cards that can be wanted."""
        self.tray = tray = Tray(choices.hand, None, changed)
        with box("ct-tray"):
            text("span", "You give", "muted small")
            tray.show("give", "click your cards")
            text("span", "You get", "muted small")
            tray.show("get", "click what you want")
            with box("ct-wants").props('role=group aria-label="Wanted"'):
                for name in NAMES:
                    small_card(name, "+", partial(tray.want, name), f"You get: one more {name}")
        return tray

    def _trade(self, choices: Choices) -> None:
        """With the bank at the best rate, or as an offer to all others."""

        def changed() -> None:
            codes = choices.bank_trade(tray.give, tray.get)
            code, why = choices.offer(tray.give, tray.get)
            bank.set_enabled(bool(codes))
            offer.set_enabled(code is not None)
            whole = tray.given and sum(tray.get.values())
            said.set_text(rates if not whole else "" if codes or code is not None else why)
            self._page.show_hand()

        async def with_bank() -> None:
            await self._page.play(*choices.bank_trade(tray.give, tray.get))

        async def with_all() -> None:
            code, _ = choices.offer(tray.give, tray.get)
            if code is not None:
                await self._page.play(code)

        rates = f"{CHOOSE} Bank: {', '.join(f'{name} {rate}:1' for name, rate in choices.rates().items())}"
        tray = self._two_sides(changed, choices)
        bank = button("Trade with the bank", with_bank, "account_balance", "primary")
        offer = button("Offer to everyone", with_all, "campaign", "primary")
        button("Cancel", partial(self.begin, ""), classes="quiet")
        said = text("p", rates, "small ct-said muted").props("role=status aria-live=polite")
        bank.set_enabled(False)
        offer.set_enabled(False)

    def _counter(self, scene: Scene) -> None:
        """Something else instead of what is offered, to whoever is on turn."""
        choices = scene.choices
        offer = choices.open_offer()
        assert offer is not None
        who, their, ours = offer

        def changed() -> None:
            code, why = choices.counter(tray.give, tray.get)
            go.set_enabled(code is not None)
            said.set_text("" if code is not None else why if tray.given and sum(tray.get.values()) else CHOOSE)
            self._page.show_hand()

        async def propose() -> None:
            code, _ = choices.counter(tray.give, tray.get)
            if code is not None:
                await self._page.propose(code)

        tray = self._two_sides(changed, choices)
        go = button(f"Offer this to {scene.names[who]}", propose, "swap_horiz", "primary")
        button("Back", partial(self.begin, ""), classes="quiet")
        said = text("p", "", "small ct-said muted").props("role=status aria-live=polite")
        for cards, put in ((ours, tray.put), (their, tray.want)):
            for name, n in cards.items():
                for _ in range(n):
                    put(name)
