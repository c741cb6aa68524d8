"""Coup against bots: the form that begins a game; the table, what may be done, the log, and the kibitzer."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from nicegui import ui

from kibitz.coup.advise import CoupAdvice
from kibitz.coup.core.actions import Action
from kibitz.coup.core.state import CHARACTERS, Rules
from kibitz.coup.pages.matches import AIMED, CoupMatch, Moment, Option, Seat, look
from kibitz.coup.pages.pieces import Adviser, coins, hand, mark, picture, show_seat
from kibitz.coup.pages.tree import TreePanel
from kibitz.coup.profile import PROFILE
from kibitz.ground.texts import capitalised, chance_text, counted
from kibitz.web.games import Session
from kibitz.web.pages.newgame import Again, Begin, Deal, RuleFields, SeatChoice, SeedField, pace_select
from kibitz.web.pages.table import LogLines, TableView
from kibitz.web.parts import box, button, card, emptied, hint, seat_mark, text, tooltip
from kibitz.web.services import Services

#: What the kibitzer does.
AIDS = (
    "Beliefs: the chance that somebody holds at least one such card, exactly, from your cards, the lost ones and all claims. "
    "Advice: a search plays the game on."
)


#: The bots that may be chosen, with one sentence for each.
BOTS = {
    "random": ("Random", "does anything that the rules allow"),
    "honest": ("Honest", "never claims a card that it does not hold"),
    "heuristic": ("Heuristic", "bluffs and doubts by rules of thumb, at once"),
    "ismcts:500": ("Search, quick", "tries 500 lines of play"),
    "ismcts": ("Search", "tries 2,000 lines of play"),
    "ismcts:10000": ("Search, patient", "tries 10,000 lines of play"),
    "equilibrium": ("Mixed strategy", "draws from a mixed strategy, at once"),
    "resolver": ("Resolver", "with two players, solves every turn for all hands at once"),
    "solver": ("Solver", "searches, and draws from mixed strategies in solved endgames"),
}

#: What each character does, and blocks.
COURT = {
    "duke": "Tax: 3 coins. Blocks foreign aid.",
    "assassin": "For 3 coins a player loses a card.",
    "captain": "Steals 2 coins. Blocks theft.",
    "ambassador": "Exchanges cards with the deck. Blocks theft.",
    "contessa": "Blocks the Assassin.",
}
#: The game in three sentences.
HOW = (
    "Three cards of each. Everybody holds two, face down; any character may be claimed, and any claim challenged. Whoever is "
    "caught bluffing, or challenges a true claim, loses a card. A coup costs 7 coins and cannot be stopped; with 10 you must."
)
#: How many play, unless the person wants it otherwise: more than two bluff better.
USUAL_SEATS = 4


class StartForm:
    """Who plays, where you sit, by which rules."""

    def __init__(self, services: Services, begin: Begin) -> None:
        self._rules = Rules()
        with box("coup-start"):
            with card("A new game", "coup-new"):
                self._seats = SeatChoice(PROFILE, USUAL_SEATS, BOTS, "medium", "seat 1 begins")
                with ui.expansion("Rules and seed").props("dense"), box("stack"):
                    RuleFields(self._rules, lambda rules: setattr(self, "_rules", rules))
                    self._seed = SeedField("Seed of the deal")
                Deal(begin, self._setup)
            with box("stack"):
                self.unfinished = box("stack")
                with card("The court"):
                    with box("coup-court"):
                        for character in CHARACTERS:
                            with box("coup-courtier"):
                                picture(character.value)
                                hint(COURT[character])
                    hint(HOW)

    def _setup(self) -> dict[str, Any]:
        return {**self._seats.setup(), "rules": self._rules.to_json(), "seed": self._seed.seed}


class CoupView(TableView[Moment]):
    """A game as one visitor sees it."""

    def __init__(self, services: Services, session: Session[CoupMatch], again: Again, query: dict[str, str]) -> None:
        self._seats: dict[int, ui.element] = {}
        self._shown: dict[int, Seat] = {}
        self._chances: dict[int, Any] = {}
        with box("coup-table") as everything:
            with box("coup-main stack"):
                self._others = box("coup-others")
                with card("", "coup-stage"):
                    with box("coup-headline"):
                        self._claim = box("coup-claim")
                        headline = text("p", "").props("aria-live=polite")
                    self._count = text("p", "", "muted small num")
                self._mine = box("card coup-mine", "section").props('aria-label="You"')
                with card("The tree of this turn"):
                    self._tree = TreePanel()
            with box("coup-side stack"):
                with card("", "coup-aids"):
                    with box("line"):
                        self._beliefs = ui.switch("Beliefs", value=query.get("beliefs") != "0", on_change=self._show_beliefs)
                        self._advice = ui.switch("Advice", value=query.get("advice") == "1", on_change=self._switch_advice)
                        for switch in (self._beliefs, self._advice):
                            switch.props("dense")
                        box("grow")
                        pace_select(session)
                    hint(AIDS)
                    with box("stack") as self._advice_box:
                        self._adviser = Adviser(services.jobs, self._advised)
                with card("Log"):
                    self._log = LogLines("The deal")
        super().__init__(services, session, again, everything, headline, partial(look, session))
        self._show_beliefs()

    def address(self) -> dict[str, str]:
        """Which aids are shown."""
        return ({"advice": "1"} if self._advice.value else {}) | ({} if self._beliefs.value else {"beliefs": "0"})

    def keys(self) -> Mapping[str, int]:
        """Those on the buttons."""
        return {option.key: option.action.code for option in self.moment.options} if self.moment else {}

    def leave_moment(self) -> None:
        """Give the search up."""
        self._adviser.cancel()

    def show(self, moment: Moment) -> None:
        """Show a moment."""
        for seat in [*moment.seats[moment.you + 1 :], *moment.seats[: moment.you]]:
            self._show_other(seat)
        self._log.show(moment.log)
        now = [told.text for told in moment.log if told.turn == moment.log[-1].turn]
        self._question.set_text(" ".join(now[-2:]))
        with emptied(self._claim):
            if moment.claim:
                picture(moment.claim)
        self._count.set_text(f"Turn {moment.turn}; {moment.treasury} coins in the treasury, {moment.deck} cards in the deck")
        self._show_mine(moment)
        self._show_aids(moment)

    def _show_other(self, seat: Seat) -> None:
        if self._shown.get(seat.seat) == seat:
            return
        self._shown[seat.seat] = seat
        if seat.seat not in self._seats:
            with self._others:
                made = self._seats[seat.seat] = box("card coup-seat", "section").props(f"data-seat={seat.seat}")
            made.props["aria-label"] = seat.name
        show_seat(self._seats[seat.seat], seat)

    def _show_mine(self, moment: Moment) -> None:
        me = moment.seats[moment.you]
        self._chances.clear()
        self._mine.classes(remove="asked acts")
        self._mine.classes("asked" if moment.options else "acts" if me.acts else "")
        with emptied(self._mine):
            with box("coup-own"):
                hand(me, "big")
                with box("coup-name"):
                    seat_mark(me.seat)
                    with box("coup-who"):
                        text("span", "You", "strong")
                    coins(me.coins)
            with box("coup-choices"):
                if moment.over:
                    words = f"{capitalised(moment.result)}, after {counted(moment.turn, 'turn')}."
                    text("h2", words, "coup-question").props("aria-live=assertive")
                    with box("line"):
                        self.end_buttons()
                elif moment.options:
                    text("h2", moment.question, "coup-question").props("aria-live=assertive")
                    self._show_options(moment.options)
                else:
                    text("p", self._waiting(moment), "muted coup-question")

    def _waiting(self, moment: Moment) -> str:
        if moment.seats[moment.you].out:
            return "You are out. The others play on."
        asked = [seat.name for seat in moment.seats if seat.asked]
        return f"{asked[0]} is thinking." if asked else "Dealing the cards."

    def _show_options(self, options: tuple[Option, ...]) -> None:
        with box("coup-buttons"):
            for option in options:
                if option.action.kind not in AIMED:
                    self._option(option, option.label)
        for kind in AIMED:
            if aimed := [option for option in options if option.action.kind == kind]:
                with box("coup-aimed").props(f'role=group aria-label="{aimed[0].label}"'):
                    with box("line tight k-label"):
                        text("span", aimed[0].label, "strong")
                        if aimed[0].bluff:
                            text("span", "bluff", "coup-bluff")
                    with box("coup-buttons"):
                        for option in aimed:
                            self._option(option, option.target)

    def _option(self, option: Option, label: str) -> None:
        made = button("", partial(self.play, option.action.code), classes=f"coup-option {option.action.kind}").props("no-wrap")
        made.props["aria-label"] = f"{option.label} {option.target}".strip() + (", a bluff" if option.bluff else "")
        with made:
            if option.action.claim:
                mark(option.action.claim)
            text("span", label)
            if option.bluff and not option.target:
                text("span", "bluff", "coup-bluff")
            self._chances[option.action.code] = text("span", "", "coup-chance num")
            text("kbd", " ".join(option.key.upper())).props('aria-hidden="true"')
            if option.meaning:
                tooltip(made, option.meaning)

    def _show_aids(self, moment: Moment) -> None:
        if moment.over or moment.seats[moment.you].out or not moment.turn:
            self._tree.clear()
        elif moment.options:
            self._tree.offer(moment.view, moment.belief, moment.words)
        else:
            self._tree.clear("Wait until it's your turn to decide.")
        self._advise()

    def _advise(self) -> None:
        moment = self.moment
        self._advice_box.set_visibility(self._advice.value)
        if not self._advice.value or moment is None:
            self._adviser.cancel()
        elif moment.options:
            self._adviser.ask(moment.view, moment.belief, moment.words, seed=moment.version)
        else:
            self._adviser.say("The search thinks when it's your turn to decide.")

    def _advised(self, advice: CoupAdvice) -> None:
        for option in advice.options:
            if (found := self._chances.get(Action.from_text(option.action).code)) is not None:
                found.set_text(f"{'★ ' if option is advice.best else ''}{chance_text(option.value)}")

    def _switch_advice(self) -> None:
        for shown in self._chances.values():
            shown.set_text("")
        self._advise()
        self.note_address()

    def _show_beliefs(self) -> None:
        self._all.classes("" if self._beliefs.value else "no-beliefs", remove="no-beliefs" if self._beliefs.value else "")
        self.note_address()
