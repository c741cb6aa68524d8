"""The pieces that the pages of Coup share: cards, coins, what somebody may hold, a player, and what a search advises."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from nicegui import ui

from kibitz.compute.runtime import Info
from kibitz.coup.advise import CONFIG, ONE_ACTION, CoupAdvice, advise
from kibitz.coup.belief import InfluenceBelief
from kibitz.coup.core.actions import Action
from kibitz.coup.core.state import CHARACTERS
from kibitz.coup.core.svg import SHORT, draw_card, draw_coins, draw_mark
from kibitz.coup.pages.matches import BUTTONS, Seat
from kibitz.coup.profile import PROFILE
from kibitz.coup.words import Words
from kibitz.game import States
from kibitz.ground.texts import capitalised, chance_text, counted
from kibitz.play.advice import IN_DOUBT
from kibitz.web.jobs import Jobs
from kibitz.web.pages.work import JobBox
from kibitz.web.parts import bar, box, emptied, hint, seat_mark, table, text


def picture(card: str | None, *, lost: bool = False, classes: str = "") -> ui.html:
    """A card, face up or (None) face down."""
    return ui.html(draw_card(card, lost=lost), sanitize=False).classes(f"coup-face {classes}")


def mark(character: str) -> ui.html:
    """A small drawing of a character, to stand beside words."""
    return ui.html(draw_mark(character), sanitize=False, tag="span").classes("coup-marked")


def coins(count: int) -> None:
    """A pile of coins and their number."""
    with box("coup-purse"):
        text("span", str(count), "num strong").props(f'aria-label="{counted(count, "coin")}"')
        ui.html(draw_coins(count), sanitize=False, tag="span").props('aria-hidden="true"')


def holdings(holds: Mapping[str, float]) -> ui.html:
    """Bars: how likely somebody holds at least one card of each character."""
    rows = "".join(_row(str(character), holds[character]) for character in CHARACTERS)
    said = ", ".join(f"{character.title()} {chance_text(holds[character])}" for character in CHARACTERS)
    return ui.html(rows, sanitize=False).classes("coup-holds").props(f'role=img aria-label="{said}"')


def _row(character: str, chance: float) -> str:
    return (
        f'<span class="who" title="{character.title()}">{SHORT[character]}</span>'
        f'<span class="rail"><i style="width:{100 * chance:.1f}%;background:var(--c-{character})"></i></span>'
        f'<span class="num">{chance_text(chance)}</span>'
    )


def hand(seat: Seat, classes: str = "") -> None:
    """The cards of a player, and those that were lost."""
    with box(f"coup-hand {classes}"):
        for held in seat.cards:
            picture(held)
        for lost in seat.lost:
            picture(lost, lost=True)


def show_seat(panel: ui.element, seat: Seat) -> None:
    """Fill the panel of a player anew."""
    panel.classes(remove="acts out asked")
    panel.classes(" ".join(name for name in ("acts", "out", "asked") if getattr(seat, name)))
    with emptied(panel):
        with box("coup-name"):
            seat_mark(seat.seat)
            with box("coup-who"):
                text("span", seat.name, "strong")
                if seat.bot:
                    text("span", PROFILE.bot_title(seat.bot), "muted small")
            text("span", _state(seat), "coup-state small")
        with box("coup-holding"):
            hand(seat)
            coins(seat.coins)
        if seat.holds:
            holdings(seat.holds)


def _state(seat: Seat) -> str:
    """What a player is about, in two words."""
    if seat.out:
        return "out"
    you = seat.bot == "you"
    if seat.asked:
        return "you decide" if you else "is thinking…"
    return "" if not seat.acts else "your turn" if you else "their turn"


#: How many games the search plays in its mind, for somebody who waits for a move.
QUICK = 20_000
#: What the job of a search is called.
TITLE = "Coup: advice "
#: What should be done less often than this is not mentioned.
LEAST = 0.005
#: The colour of a bar of chances.
BLUE = "var(--accent)"
#: The colours of actions that claim no character, by their first word; all others are grey.
PLAIN = {
    "income": "#8CA0AC", "foreign": "#5F8F7C", "coup": "#A0566E", "allow": "#A8A294", "let": "#A8A294", "challenge": "#B8665C"
}  # fmt: skip
GREY = "#7A7F85"


class Adviser(JobBox):
    """A box in which advice appears."""

    def __init__(self, jobs: Jobs, on_advice: Callable[[CoupAdvice], None] = lambda advice: None) -> None:
        self.words: Words | None = None
        self._on_advice = on_advice
        super().__init__(jobs, self._advised, _games, "thinking", "coup-advice")

    def ask(
        self, view: States, belief: InfluenceBelief, words: Words, iterations: int = QUICK, seed: int = 0, about: str = ""
    ) -> None:
        """Begin to search; `about` tells one question from another."""
        self.words = words
        config = replace(CONFIG, iterations=iterations, seed=seed)
        self.submit(TITLE + about, lambda runtime: advise(view, belief, config, runtime=runtime))

    def _advised(self, advice: CoupAdvice) -> None:
        assert self.words is not None
        show_advice(advice, self.words)
        self._on_advice(advice)


def _games(info: Info) -> tuple[float, str]:
    total = max(1, info.total)
    return info.done / total, f"{info.done:,} of {total:,} games"


#: What the advice measures, and what the tree does: the same words, so that nobody takes one for the other.
HIDDEN, OPEN = "You win, cards hidden", "You win, cards open"


def show_advice(advice: CoupAdvice, words: Words) -> None:
    """Each option with its chance to win, what the search expects, and the mixed strategy of a solved endgame."""
    if advice.equilibrium is not None:
        _solved(advice, words)
    with table(("", "Option", HIDDEN), right=(HIDDEN,)).classes("coup-options"):
        for number, option in enumerate(advice.options):
            action = Action.from_text(option.action)
            with ui.element("tr").classes("best" if not number else ""):
                text("td", "★" if not number else "", "coup-star").props(
                    'title="what the search advises"' if not number else ""
                )
                with ui.element("td"):
                    with box("line tight"):
                        if action.claim:
                            mark(action.claim)
                        text("span", spoken(words, action), "strong" if not number else "")
                        if option.bluffs:
                            text("span", "a bluff", "coup-bluff")
                    line = list(words.line(option.line))[1:]
                    if line:
                        text("div", "then " + "; ".join(line), "why")
                with ui.element("td").classes("r"):
                    text("div", f"{100 * option.value:.1f} %", "strong").props(f'title="± {100 * option.margin:.1f} %"')
                    bar(option.value, BLUE, *option.interval)
                    text("div", f"{option.visits:,} games", "muted small")
    others = "; others have won more often, but not by more than chance explains" if IN_DOUBT in advice.warnings else ""
    hint(f"How often you win with your cards hidden, so that bluffs can work: {advice.games:,} simulated games{advice.effort}. "
         f"★ is the advice{others}. The marks on the bars are 95 % intervals, if the games were independent.")  # fmt: skip
    if ONE_ACTION in advice.warnings:
        hint(ONE_ACTION)


def spoken(words: Words, action: Action) -> str:
    """An option in words, with the names of players instead of numbers."""
    return BUTTONS["allow"][1] if action.kind == "allow" else capitalised(words.deed(action))


def _solved(advice: CoupAdvice, words: Words) -> None:
    assert advice.equilibrium is not None
    turns = "this turn" if advice.solved_turns == 1 else f"the next {advice.solved_turns} turns"
    shares = sorted(advice.equilibrium.items(), key=lambda share: -share[1])
    with box("coup-solved stack"):
        text("h3", f"Solved for {turns}")
        actions = [(Action.from_text(text), p) for text, p in shares if p >= LEAST]
        mixed([(spoken(words, action), action.claim, p) for action, p in actions])
        hint("At these frequencies no opponent can exploit you, bluffs included (without exchanges).")


def mixed(shares: list[tuple[str, str | None, float]]) -> None:
    """A mixed strategy as a bar cut into shares, and in words: what, which character it claims, how often."""
    with box("coup-mixed").props('aria-hidden="true"'):
        for label, claim, p in shares:
            ui.element("i").style(f"width:{100 * p:.1f}%;background:{f'var(--c-{claim})' if claim else _plain(label)}")
    with box("line coup-shares"):
        for label, claim, p in shares:
            with box("line tight nowrap"):
                if claim:
                    mark(claim)
                else:
                    box("coup-plain", "span").style(f"background:{_plain(label)}")
                text("span", label)
                text("span", "always" if p > 1 - LEAST else chance_text(p), "strong num")


def _plain(label: str) -> str:
    return PLAIN.get(label.lower().split()[0].rstrip(","), GREY)
