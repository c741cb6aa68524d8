"""The table of a game that has no page of its own: position, seats, what may be done, log and kibitzer, from its profile."""

import re
import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from itertools import groupby
from typing import Any

from nicegui import ui

from kibitz.game import States, legal_actions
from kibitz.play.names import YOU
from kibitz.play.profile import Profile, SetupOption
from kibitz.web.games import Session
from kibitz.web.layout import Link
from kibitz.web.pages import VisitedPage
from kibitz.web.pages.kibitzer import Kibitzer
from kibitz.web.pages.newgame import Again, Begin, Deal, GamePage, SeatChoice, SeedField, pace_select
from kibitz.web.pages.table import KIBITZ, TAKE_BACK, LogLines, TableMoment, TableView
from kibitz.web.parts import box, button, card, emptied, seat_mark, text, tooltip
from kibitz.web.services import Services
from kibitz.web.table import AnyKind, AnyTable, name_at, plain_words, winners

#: The keys of what may be done, in their order.
KEYS = [key for key in string.digits[1:] + string.ascii_lowercase if key not in (KIBITZ, TAKE_BACK)]
#: What there is to say about bots that every game has.
BOTS = {"random": "does anything that the rules allow", "ismcts": "plays the rest of the game many times in its mind"}


def any_page(profile: Profile) -> VisitedPage:
    """The page of a game."""
    path = f"/table/{profile.name}"

    def make(services: Services) -> GamePage:
        with box("stack"):
            text("h1", profile.title, "tb-title")
            return GamePage(services, profile.name, partial(AnyForm, profile), partial(AnyView, profile))

    link = Link(path, profile.title, "casino", profile.about, begin=f"Play {profile.title}")
    return VisitedPage(link, make, lambda: AnyKind(profile, path))


class AnyForm:
    """Who plays, where you sit, and whatever else the game lets you choose."""

    def __init__(self, profile: Profile, services: Services, begin: Begin) -> None:
        self._options: dict[str, Any] = {}
        bots = {name: (name, BOTS.get(name, "")) for name in profile.bots}
        usual = profile.levels[0].name if profile.levels else profile.usual_bot
        with box("tb-start"):
            with card("A new game", "tb-new"):
                self._seats = SeatChoice(profile, profile.usual_seats, bots, usual)
                with ui.expansion("Options and seed").props("dense"), box("stack"):
                    for option in profile.options:
                        if option.names:
                            self._option(option)
                    self._seed = SeedField("Seed of the game")
                Deal(begin, self._setup, "Start the game", "play_arrow")
            with box("stack"):
                self.unfinished = box("stack")
                with card("How to play"):
                    text("p", profile.about, "strong")
                    for paragraph in profile.how.split("\n\n"):
                        text("p", re.sub(r"\n(?!- )", " ", paragraph), "muted tb-how")  # lists keep their lines

    def _option(self, option: SetupOption) -> None:
        """A choice among names, or a field for each name that may have a value."""
        if not option.repeated:
            made = ui.select(list(option.names), value=option.default, label=option.name, clearable=True)
            made.on_value_change(lambda event: self._options.update({option.name: event.value}))
            tooltip(made.props("outlined dense options-dense"), option.help)
            return
        given: dict[str, str] = {}

        def change(name: str, value: str | None) -> None:
            given.pop(name, None)
            given.update({name: value} if value else {})
            self._options[option.name] = [f"{one}={typed}" for one, typed in given.items()]

        for name in option.names:
            field = ui.input(name.replace("_", " "), placeholder="as usual").props("outlined dense debounce=300")
            field.on_value_change(lambda event, name=name: change(name, event.value))
            tooltip(field, option.help)

    def _setup(self) -> dict[str, Any]:
        options = {name: value for name, value in self._options.items() if value}
        return {**self._seats.setup(), "options": options, "seed": self._seed.seed}


@dataclass(frozen=True, kw_only=True)
class Option:
    """Something that the person may do now; without a key where there are more options than keys."""

    code: int
    words: str
    key: str


@dataclass(frozen=True, kw_only=True)
class AnyMoment(TableMoment):
    """What the page shows."""

    names: tuple[str, ...]
    bots: tuple[str, ...]
    """Which bot each of them is; ``you`` is the person."""
    actor: int
    """For whom the game waits: a seat, chance, or nobody."""
    picture: str
    """The position as a piece of HTML."""
    asks: bool
    options: tuple[Option, ...]


def look(profile: Profile, session: Session[AnyTable]) -> AnyMoment:
    """The game as it is now. Takes a few milliseconds: not for the event loop."""
    with session.lock:
        match, version, over, asks = session.match, session.version, session.over, session.asks
        view, actor, log = match.view(match.seat), match.actor, tuple(match.witness.log)
        shown = match.states.copy() if over else view
        can_take_back, result = session.can_take_back, winners(match) if over else ""
    names = tuple(name_at(seat, match.seat) for seat in range(len(match.bots)))
    state = profile.state(shown, observer=None if over else match.seat)
    return AnyMoment(
        version=version,
        turn=state.turn_number,
        log=log,
        over=over,
        result=result,
        names=names,
        bots=match.bots,
        actor=actor,
        picture=profile.svg(state, names) if profile.svg else f"<pre>{escape(profile.text(state, names))}</pre>",
        asks=asks,
        options=tuple(options(profile, view, match.seat)) if asks else (),
        can_take_back=can_take_back,
    )


def options(profile: Profile, view: States, seat: int) -> Iterator[Option]:
    """What the person may do, in the order of the rules, with keys as far as there are keys."""
    state, keys = profile.state(view, observer=seat), iter(KEYS)
    for code in legal_actions(view):
        yield Option(code=code, words=plain_words(state.words_of(code)), key=next(keys, ""))


def grouped(found: Sequence[Option]) -> list[tuple[str, list[Option]]]:
    """Options by their first word, where several share it; the others stand together, under no word.

    >>> moves = [Option(code=code, words=words, key="") for code, words in enumerate(["pass", "guard 2 king", "guard 3 king"])]
    >>> [(word, [option.words for option in group]) for word, group in grouped(moves)]
    [('', ['pass']), ('guard', ['guard 2 king', 'guard 3 king'])]
    """
    by_word = {word: list(group) for word, group in groupby(sorted(found, key=_first), _first)}
    alone = [option for option in found if len(by_word[_first(option)]) == 1]
    several = {_first(option): by_word[_first(option)] for option in found if option not in alone}
    return [("", alone)] * bool(alone) + list(several.items())


def _first(option: Option) -> str:
    return option.words.split(" ", 1)[0]


class AnyView(TableView[AnyMoment]):
    """A game as one visitor sees it."""

    kibitzer: Kibitzer

    def __init__(
        self, profile: Profile, services: Services, session: Session[AnyTable], again: Again, query: dict[str, str]
    ) -> None:
        with box("tb-table") as everything:
            with box("stack"):
                self._seats = box("tb-seats")
                with box("card tb-stage", "section").props('aria-label="The position"'):
                    self._turn = text("p", "", "muted small num")
                    self._picture = (
                        ui.html("", sanitize=False).classes("tb-picture").props('tabindex=0 role=group aria-label="The table"')
                    )
                with box("card tb-choices", "section").props('aria-label="What you can do"') as self._choices:
                    question = text("h2", "").props("aria-live=assertive")
                    self._options = box("stack")
                    with box("line"):
                        self._back = button("Take back", self.take_back, "undo", key=TAKE_BACK.upper())
                        self._end = box("line")
            with box("stack"):
                self.kibitzer = Kibitzer(services.jobs, session, profile, query.get("kibitz") == "1", self.note_address)
                with card():
                    with box("line nowrap"):
                        text("h2", "What happened", "grow")
                        pace_select(session)
                    self._log = LogLines("")
        super().__init__(services, session, again, everything, question, partial(look, profile, session))

    def keys(self) -> Mapping[str, int]:
        """One key for each option."""
        return {option.key: option.code for option in self.moment.options if option.key} if self.moment else {}

    def show(self, moment: AnyMoment) -> None:
        """Show a moment."""
        self._show_seats(moment)
        self._turn.set_text(f"Turn {moment.turn}" if moment.turn else "")
        self._picture.set_content(moment.picture)
        self._log.show(moment.log)
        thinks = f"{moment.names[moment.actor]} is thinking…" if moment.actor >= 0 else "One moment…"
        end = f"{moment.result[:1].upper()}{moment.result[1:]}."
        self._question.set_text(end if moment.over else "Your move" if moment.asks else thinks)
        self._choices.classes(add="asked" if moment.asks else "", remove="" if moment.asks else "asked")
        self._show_options(moment)
        self._back.set_enabled(moment.can_take_back)
        with emptied(self._end):
            if moment.over:
                self.end_buttons()
        self.kibitzer.show(moment, {option.code: option.words for option in moment.options})

    def _show_seats(self, moment: AnyMoment) -> None:
        with emptied(self._seats):
            for seat, (name, bot) in enumerate(zip(moment.names, moment.bots, strict=True)):
                asked = seat == moment.actor
                with box(f"tb-seat{' asked' if asked else ''}").props(f"data-seat={seat}"):
                    seat_mark(seat)
                    with box("tb-who"):
                        text("span", name, "strong")
                        text("span", bot if bot != YOU else "", "muted small")
                    text("span", "to move" if asked else "", "tb-state small")

    def _show_options(self, moment: AnyMoment) -> None:
        with emptied(self._options):
            for word, group in grouped(moment.options):
                with box("tb-group") as row:
                    if word:
                        row.props["role"], row.props["aria-label"] = "group", word
                        text("span", word, "strong k-label")
                    with box("line tight"):
                        for option in group:
                            self._button(option, option.words.removeprefix(word).strip() or word)

    def _button(self, option: Option, label: str) -> None:
        made = button(label, partial(self.play, option.code), classes="tb-option", key=option.key.upper())
        made.props["aria-label"] = option.words
