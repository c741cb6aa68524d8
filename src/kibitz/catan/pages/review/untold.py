"""Logs on the Review page: those that hold a board become a game to review; of the others, what they can tell is shown."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import groupby

from nicegui import ui

from kibitz.catan.core.events import BankTrade, Cards, EventLog, PlayerTrade, Roll
from kibitz.catan.logs import ImportedLog, LogError, read_bounded
from kibitz.catan.pages.review.story import Story, keep, likely_story, read_stories
from kibitz.catan.tracking.followed import KNOWN, Followed, InvalidGame
from kibitz.catan.tracking.keeping import saved_log, session_text
from kibitz.catan.tracking.live import live_games, tracking
from kibitz.compute.runtime import Runtime
from kibitz.ground.texts import Mistake, counted
from kibitz.web.parts import box, card, hint, note, table, text
from kibitz.web.services import Services
from kibitz.web.store import Store

#: What a review needs, and where it comes from.
CHATS = ("colonist-text", "colonist-html")
NEEDED = (
    "A review replays every position, so it needs the board and every placement. The site's chat has neither. "
    "These have both: a game that the browser extension followed, the messages in a HAR file, or the site's replay."
)


@dataclass(frozen=True)
class Untold:
    """A log that cannot be reviewed: why not, and what it tells."""

    log: EventLog
    format: str
    why: str
    text: str
    id: str = ""
    """Where it is in the library."""

    def kept(self, store: Store) -> Untold:
        """The same, in the library. Raises `NotSaved`."""
        title = f"{KNOWN[self.format]}: {', '.join(self.log.players)}"
        return replace(self, id=store.save("log", title, saved_log(self.text, [])))


def read_game(content: str, runtime: Runtime | None = None) -> tuple[Story, ...] | Untold:
    """The games that a text holds or, of a log without a board, what it tells. Raises `InvalidQuestion`."""
    if content.lstrip().startswith("{") and '"record"' in content[:200]:
        return read_stories(content, runtime)
    try:
        imported = read_bounded(content, runtime=runtime)
    except LogError:
        return read_stories(content, runtime)  # which says what is wrong with it
    return _reviewable(imported, content)


def _reviewable(imported: ImportedLog, content: str) -> tuple[Story, ...] | Untold:
    try:
        return (likely_story(imported),)
    except LogError as error:
        return Untold(imported.log, imported.format, error.message, content)


def log_of(services: Services, id: str) -> str | Untold | None:
    """The id of the record of a log or of a live game, which is made if there is none yet. Raises `Mistake` or `NotSaved`."""
    games = services.one(live_games)
    live = games.wait_for(id)
    if live is not None and live.under_way and not games.advises(live):
        raise Mistake("this game is still being played: its review is offered when it is over")
    if live is not None and live.kept is not None and live.kept.record and services.store.changed(live.kept.record):
        return live.kept.record
    try:
        if services.one(tracking).knows(id):
            content = Followed.from_file(session_text(services.one(tracking), id)).source.text
        else:
            found = services.store.load(id)
            if found is None:
                return None
            content = found.data if isinstance(found.data, str) else Followed.from_json(found.data).source.text
    except InvalidGame:
        return None
    game = read_game(content)
    return replace(game, id=id) if isinstance(game, Untold) else keep(services.store, game[0])


def tell(untold: Untold) -> None:
    """Say what would be needed, and show what there is: dice and trades here, the hands at every moment on the Track page."""
    note(f"This cannot be reviewed: {untold.why}.", "warn")
    with card("What this log tells"):
        if untold.format in CHATS:
            hint(NEEDED)
        if untold.id:
            with box("line"):
                text("a", "Hands at every moment", "q-btn k-btn primary").props["href"] = f"/track?saved={untold.id}"
        _dice(untold.log)
        _trades(untold.log)


def _dice(log: EventLog) -> None:
    rolls = Counter(event.total for event in log.events if isinstance(event, Roll))
    total = sum(rolls.values())
    text("h3", f"Dice: {counted(total, 'roll')}")
    sums = [str(n) for n in range(2, 13)]
    with table(("", *sums), sums, "dense rv-dice"):
        with ui.element("tr"):
            text("td", "rolled")
            for n in range(2, 13):
                text("td", str(rolls[n]), "r")
        with ui.element("tr"):
            text("td", "expected", "muted")
            for n in range(2, 13):
                text("td", f"{total * (6 - abs(7 - n)) / 36:.1f}", "r muted")


def _trades(log: EventLog) -> None:
    """Who traded with whom, how often, and what each gave and got in all."""
    deals = [(e.player, e.partner, e.give, e.receive) for e in log.events if isinstance(e, PlayerTrade)]
    deals += [(e.player, -1, e.give, e.receive) for e in log.events if isinstance(e, BankTrade)]
    text("h3", f"Trades: {len(deals)}")
    names = {-1: "the bank", **dict(enumerate(log.players))}
    with table(("Player", "with", "times", "gave", "got"), ("times",), "dense rv-trades"):
        for (player, partner), alike in groupby(sorted(deals), key=lambda deal: deal[:2]):
            given, got, times = Cards(), Cards(), 0
            for _, _, give, receive in alike:
                given, got, times = given.plus(give), got.plus(receive), times + 1
            with ui.element("tr"):
                for value in (names[player], names[partner], times, given.text(), got.text()):
                    text("td", str(value), "r" if isinstance(value, int) else "")
