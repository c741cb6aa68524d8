"""Solved endgames: the question, the value with its bounds, and what to do with which cards how often.

A question stands in the address of the page:

>>> asked = endgame_in({"coins": "6,5", "turns": "3", "revealed": "duke,duke"})
>>> asked.revealed, query_of(asked)["coins"], endgame_in(query_of(asked)) == asked
(('duke', 'duke'), '6,5', True)
>>> endgame_in({"coins": "6"})
Traceback (most recent call last):
...
ValueError: coins: expected two numbers, as in 6,5
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from math import fsum
from pathlib import Path
from typing import Any

from nicegui import context, ui

from kibitz.compute.runtime import Info, Runtime
from kibitz.coup.core.actions import Action
from kibitz.coup.core.state import CHARACTERS, COPIES, DRAWN, UNSEEN_CARD, UNSEEN_CARDS
from kibitz.coup.core.svg import SHORT
from kibitz.coup.endgames.solve import Endgame, SolvedEndgame, TooLarge, falling, solve_endgame
from kibitz.coup.endgames.store import load, save, store_path
from kibitz.coup.endgames.strategy import SELDOM, Decision, act, decisions, question
from kibitz.coup.pages.pieces import mark, mixed
from kibitz.ground.signs import MINUS, signed
from kibitz.ground.texts import Mistake, capitalised
from kibitz.web.layout import note_address
from kibitz.web.pages.work import JobBox
from kibitz.web.parts import box, button, card, emptied, hint, note, say, seat_mark, text, tooltip
from kibitz.web.services import Services

#: The names of the two.
NAMES = ("Player 1", "Player 2")
HOW = (
    "Two players are left, with hidden cards from what is not revealed; player 1 moves first. A win counts +1, a loss "
    f"{MINUS}1, a draw after the last turn 0. The answer is an equilibrium: whoever plays by it cannot be exploited. "
    "Both bounds are proven."
)
HINT = "Choose an endgame and press Solve. Small ones take a second, and what was solved is kept."
#: What the job of a solution is called.
TITLE = "Coup endgame: "
#: What is asked for at first.
USUAL = Endgame(coins=(3, 3), turns=3)
#: The largest tree that is made here, and the most turns that may be asked for.
MAX_NODES, MOST_TURNS = 1_500_000, 12
#: How many decisions deep strategies are told, and how likely play must come there.
DEPTH, RARE = 4, 2e-3
#: How far the strategies are shown.
DEPTHS = {1: "the first decision", 2: "two decisions deep", 3: "three deep", 4: "four deep"}
#: At most this many moments of a game are shown.
MOST_SHOWN = 60


logger = logging.getLogger(__name__)


# --- the question and its answer ------------------------------------------------------------------------------------


def endgame_in(query: Mapping[str, str]) -> Endgame:
    """Read what `query_of` wrote. Raises a ValueError that says what is wrong."""
    turns = query.get("turns", str(USUAL.turns))[:6]
    if not (turns.isascii() and turns.isdigit() and 1 <= int(turns) <= MOST_TURNS):
        raise ValueError(f"turns: expected a number from 1 to {MOST_TURNS}")
    revealed = tuple(name for name in query.get("revealed", "")[:200].split(",") if name)
    coins, influence = _pair(query, "coins", USUAL.coins), _pair(query, "influence", USUAL.influence)
    return Endgame(coins, int(turns), revealed, influence, query.get("exchange") == "1")


def _pair(query: Mapping[str, str], name: str, usual: tuple[int, int]) -> tuple[int, int]:
    if name not in query:
        return usual
    parts = query[name][:20].split(",")
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() for part in parts):
        raise ValueError(f"{name}: expected two numbers, as in 6,5")
    return int(parts[0]), int(parts[1])


def query_of(endgame: Endgame) -> dict[str, str]:
    """The question for an address."""
    return {
        "coins": "{},{}".format(*endgame.coins),
        "turns": str(endgame.turns),
        "influence": "{},{}".format(*endgame.influence),
        **({"revealed": ",".join(endgame.revealed)} if endgame.revealed else {}),
        **({"exchange": "1"} if endgame.exchange else {}),
    }


@dataclass(frozen=True, eq=False)
class Solved:
    """A solution with all that the page shows of it."""

    solved: SolvedEndgame
    deals: dict[tuple[str, str], float]
    """What the strategies give player 1 with the first card against the second, where each has one."""
    decisions: tuple[tuple[int, Decision], ...]
    """The decisions of the strategies, each with how many it lies below the deal: 1 is the first."""


def solve(endgame: Endgame, data: Path, runtime: Runtime) -> Solved:
    """Solve an endgame, or take its solution from the files in the data folder. Raises `Mistake`.

    What `runtime` hears is how far the work is, as a share and in words.
    """
    path = data / "endgames" / store_path(endgame).name
    found = load(endgame, path)
    if found is None:
        try:
            nodes = endgame.count(MAX_NODES)
        except TooLarge as error:
            raise Mistake(f"{error}: ask for fewer turns, or without the exchange") from None
        runtime.report(0, 0, (0.0, f"making a tree of {nodes:,} nodes"))
        flat = endgame.tree(nodes)
        tell, told = runtime.on_info, falling()

        def on_info(info: Info) -> None:
            tell(replace(info, ranking=told(info)))

        runtime.on_info = on_info
        found = solve_endgame(endgame, runtime=runtime, flat=flat)
        if not found.stopped:
            try:
                save(found, path)
            except OSError as error:  # it is an answer nevertheless
                logger.error("the solution of an endgame cannot be kept: %s", error)
    deals = {}
    if endgame.influence == (1, 1):
        left = [(character.value, COPIES - endgame.revealed.count(character.value)) for character in CHARACTERS]
        for mine, n in left:
            for theirs, m in left:
                if n > 0 and m > (mine == theirs):
                    deals[mine, theirs] = found.value_of_deal([mine], [theirs])
    return Solved(found, deals, tuple((_depth(one), one) for one in decisions(found, DEPTH, RARE)))


def _depth(decision: Decision) -> int:
    """How many decisions were made before it, this one included; a card that was drawn is none."""
    codes = [step.code for step in decision.history]
    return 1 + sum(code not in (UNSEEN_CARD, UNSEEN_CARDS) and code < DRAWN for code in codes)


# --- the page -------------------------------------------------------------------------------------------------------


class EndgamePage:
    """One visitor's page."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._client = context.client
        self._asked = USUAL
        with box("coup-ask endgames"):
            with box("stack"):
                with card("The endgame"):
                    self._form = box("stack")
                    button("Solve", self.start, "calculate", "primary big")
                with card("How to read it"):
                    hint(HOW)
            self._work = JobBox(services.jobs, Answer, lambda info: info.ranking, "counting the nodes")

    async def begin(self, query: dict[str, str]) -> None:
        """Take up the question in the address; one that was asked is asked again."""
        self._work.say(HINT)
        try:
            self._asked = endgame_in(query)
        except ValueError as error:
            self._work.say(f"This link cannot be read: {error}", "bad")
            query = {}
        self._show_form()
        if "job" not in query:
            return
        job = self._services.jobs.get(query["job"])
        if job is not None and job.title == TITLE + question(self._asked):
            self._work.follow(job, capitalised(question(self._asked)))
        else:
            self.start()  # the server was started anew, or the link comes from elsewhere; what was solved is kept in a file

    def _show_form(self) -> None:
        asked = self._asked
        with emptied(self._form):
            for seat, name in enumerate(NAMES):
                with box("line coup-side-line"):
                    seat_mark(seat)
                    text("span", name, "strong k-label")
                    self._stepper(f"{name}: coins", asked.coins[seat], 0, 12, partial(self._of_both, "coins", seat), "coins")
                    change = partial(self._of_both, "influence", seat)
                    self._stepper(f"{name}: cards", asked.influence[seat], 1, 2, change, "cards")
            with box("line"):
                text("span", "Draw after", "muted small k-label")
                self._stepper("turns", asked.turns, 1, MOST_TURNS, lambda turns: self._change(turns=turns), "turns")
            text("span", "Revealed cards, out of play", "muted small")
            with box("coup-revealed"):
                for character in CHARACTERS:
                    with box("line tight nowrap"):
                        mark(character.value)
                        n = asked.revealed.count(character.value)
                        self._stepper(f"{character.title()} revealed", n, 0, COPIES, partial(self._reveal, character.value))
            switch = ui.switch("The Ambassador exchanges", value=asked.exchange).props("dense")
            switch.on_value_change(lambda event: self._change(exchange=bool(event.value)))
            tooltip(switch, "A far larger tree. The Ambassador blocks theft in any case.")

    def _stepper(self, name: str, value: int, low: int, high: int, change: Callable[[int], None], unit: str = "") -> None:
        def step(label: str, to: int, said: str) -> None:
            made = button(label, partial(change, to), classes="coup-mini")
            made.props["aria-label"] = f"{name}: {said}"
            made.set_enabled(low <= to <= high)

        with box("line tight nowrap coup-stepper").props(f'role=group aria-label="{name}"'):
            step(MINUS, value - 1, "less")
            text("span", str(value), "num strong coup-count")
            step("+", value + 1, "more")
            if unit:
                text("span", unit, "muted small")

    def _of_both(self, field: str, seat: int, number: int) -> None:
        """One of the two has this many coins, or cards."""
        both = list(getattr(self._asked, field))
        both[seat] = number
        self._change(**{field: tuple(both)})

    def _reveal(self, card: str, count: int) -> None:
        """This many cards of a character lie open."""
        self._change(revealed=(*(name for name in self._asked.revealed if name != card), *[card] * count))

    def _change(self, **changes: Any) -> None:
        """Ask something else, if it can be: the answer to the old question is put away."""
        try:
            self._asked = replace(self._asked, **changes)
        except Mistake as error:
            say(str(error), "negative")
            return
        self._work.say(HINT)
        self._show_form()
        self._note_address()

    def _note_address(self) -> None:
        job = self._work.job
        note_address(self._client, query_of(self._asked) | ({"job": job.id} if job else {}))

    def start(self) -> None:
        """Solve it in the background."""
        asked = question(self._asked)
        work = partial(solve, self._asked, self._services.options.data)
        self._work.submit(TITLE + asked, work, capitalised(asked), large=True)
        self._note_address()


class Answer:
    """A solved endgame in a page."""

    def __init__(self, solved: Solved) -> None:
        self._solved = solved
        self._value()
        with card("Value by cards"):
            self._deals()
        with card("What to do"):
            with box("line"):
                text("span", "Shown", "muted small")
                self._depth = ui.select(DEPTHS, value=2, on_change=self._show_decisions).props("outlined dense options-dense")
            self._decisions = box("stack")
        self._show_decisions()

    def _value(self) -> None:
        found = self._solved.solved
        exact = found.fraction
        with card("The value for player 1"):
            with box("coup-worth"):
                shown = found.value if exact is None else float(exact)
                text("span", str(exact).replace("-", MINUS) if exact is not None else signed(shown, 4), "coup-big num")
                won = f"player 1 wins {100 * (1 + shown) / 2:.1f} % if a draw is half a win"
                text("span", f"{signed(shown, 6)}; {won}", "muted")
            with box("coup-scale").props('aria-hidden="true"'):
                ui.element("i").style(f"left:{50 * (1 + shown):.2f}%")
            with box("line coup-ends").props('aria-hidden="true"'):
                text("span", f"{MINUS}1: player 2 wins", "muted small")
                box("grow")
                text("span", "+1: player 1 wins", "muted small")
            text("p", f"Proven: between {signed(found.low, 7)} and {signed(found.high, 7)}. {found.nodes:,} nodes, "
                 f"{found.sets:,} information sets, {found.iterations:,} iterations"
                 f"{'; solved before' if found.stored else ''}.", "muted small num")  # fmt: skip
            if found.stopped:
                note("Stopped early: the strategies are not the best yet, and the bounds lie apart.", "warn")

    def _deals(self) -> None:
        deals = self._solved.deals
        if not deals:
            hint("With two cards in a hand there are too many deals for a table.")
            return
        mine = list(dict.fromkeys(pair[0] for pair in deals))
        theirs = list(dict.fromkeys(pair[1] for pair in deals))
        with box("scroll-x"), box("coup-deals", "table"):
            with ui.element("thead"), ui.element("tr"):
                text("th", "Player 1 ╲ player 2")
                for other in theirs:
                    with ui.element("th"):
                        mark(other)
                        text("div", SHORT[other], "small")
            with ui.element("tbody"):
                for own in mine:
                    with ui.element("tr"):
                        with ui.element("th"), box("line tight nowrap"):
                            mark(own)
                            text("span", own.title())
                        for other in theirs:
                            self._deal(deals.get((own, other)))
        hint("What the two strategies give player 1 with the card of the row against the card of the column.")

    def _deal(self, value: float | None) -> None:
        if value is None:
            text("td", "", "r")
            return
        tint = "var(--seat-0)" if value >= 0 else "var(--seat-1)"  # whose favour it is in
        cell = text("td", signed(value, 2), "num r")
        cell.style(f"background:color-mix(in srgb, {tint} {abs(value) * 42:.0f}%, transparent)")

    def _show_decisions(self) -> None:
        found = [one for depth, one in self._solved.decisions if depth <= self._depth.value]
        with emptied(self._decisions):
            groups = [list(group) for _, group in groupby(found, key=lambda one: (one.history, one.seat))]
            for number, group in enumerate(groups[:MOST_SHOWN]):
                self._group(number, group)
            if len(groups) > MOST_SHOWN:
                hint(f"and {len(groups) - MOST_SHOWN} more moments: kibitz coup solve --json tells them all")

    def _group(self, number: int, decisions: list[Decision]) -> None:
        history, seat = decisions[0].history, decisions[0].seat
        with box("coup-decision", "details") as shown:
            if number < 2:
                shown.props["open"] = True
            with box("", "summary"), box("line tight"):
                for step in history:
                    seat_mark(step.seat)
                    text("span", act(step.code))
                    text("span", "→", "muted")
                seat_mark(seat)
                text("span", "decides" if history else "begins", "strong")
                if history:
                    reach = fsum(decision.reach for decision in decisions)
                    text("span", f"in {100 * reach:.1f} % of all games", "muted small")
            with box("coup-strategies"):
                for decision in decisions:
                    with box("coup-strategy"):
                        with box("coup-with"):
                            for held in decision.cards:
                                mark(held)
                            text("span", " and ".join(map(str.title, decision.cards)), "strong")
                        shares = sorted(decision.actions.items(), key=lambda share: -share[1])
                        with box("stack coup-mix"):
                            mixed([
                                (f"{act(code)}{', a bluff' if decision.bluffs(code) else ''}", Action.from_code(code).claim, p)
                                for code, p in shares
                                if p > SELDOM
                            ])  # fmt: skip
