"""The chat log of colonist.io, row by row: what a copied text and a saved page have in common.

Rows are read in two passes. The first finds every way to read each row, and from all of them who plays, in which order,
and who the observer is. The second takes the reading in which only these players appear and turns it into events.
A row that may be a stranger's chat makes nobody a player: who plays has a turn, or is named in several ways.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace

from kibitz.catan.core import events
from kibitz.catan.core.events import Cards, Event, EventLog, InvalidEvent
from kibitz.catan.logs.base import ImportedLog, LogError, Notebook, Problem, only_the_base_game, seat_of
from kibitz.catan.logs.colonist import wordings
from kibitz.catan.logs.colonist.cast import Cast, Panel, Row, begins_late, observer_of, players_of, runs_backwards
from kibitz.catan.logs.colonist.deals import Deals
from kibitz.catan.logs.colonist.language import ANY, HIDDEN, NAMES, Language, Sentence, dice_total, squeeze
from kibitz.catan.logs.colonist.seeming import seeming
from kibitz.catan.logs.colonist.steals import told_once
from kibitz.catan.logs.colonist.window import opening, seen_by_all, unexplained

_LATE = "the log begins in the middle of the game: what everybody held then is a guess"
_LOST = "a part of the log is missing: what everybody held after it is a guess"
_GAPS = "rows of the log are missing"
#: So few rows that are missing do not change the hands much.
_SMALL_GAP = 2


def read_rows(
    format: str,
    rows: Sequence[Row],
    me: str | None,
    strict: bool,
    users: Iterable[Panel] = (),
    panels: Sequence[Panel] = (),
    missing: Sequence[Problem] = (),
) -> ImportedLog:
    """The events of all rows. `users` show who the observer is, `panels` the hands; `missing` are gaps already known.

    Raises `LogError` where too few play, too many, or by other rules, and where the last row comes first.
    """
    language, readings = _read(rows)
    players = players_of(language, rows, readings, frozenset(text for panel in panels for text in panel.texts))
    if len(players) < 2:
        other = seeming([row.text for row in rows])
        why = f"its rows seem to be {other}" if other else "fewer than two players were found"
        raise LogError(1, f"{why}; languages that can be read: {wordings.readable()}")
    cast = Cast(language, players)
    sentences = [cast.choose(row, found) for row, found in zip(rows, readings, strict=True)]
    if runs_backwards(sentences):
        raise LogError(rows[-1].line, "the log runs backwards: the newest row must be the last")
    for row, sentence in zip(rows, sentences, strict=True):
        if sentence is None and (expansion := cast.expansion_of(row)) is not None:
            raise only_the_base_game(row.line, expansion)
    steals = told_once(cast, rows, sentences)
    sentences = steals.sentences
    observer = observer_of(cast, rows, sentences, users, steals.observers)
    if me is not None:
        observer = seat_of(squeeze(me), players)
        shown = observer_of(cast, rows, sentences, (), steals.observers)
        if shown not in (None, observer):
            raise LogError(1, f"by its steals this is what {players[shown or 0]} saw, not {players[observer]}")
    late = begins_late(cast, sentences)

    def told(observer: int | None, strict: bool) -> tuple[Notebook, _Story]:
        notebook = Notebook(len(players), strict, problems=list(missing))
        story = _Story(cast, observer, notebook)
        for row, found, sentence, repeated in zip(rows, readings, sentences, steals.repeated, strict=True):
            story.tell(replace(row, note=row.note or repeated), sentence, bool(found))
        story.finish_roll()
        story.count_hands(rows[-1].line, panels)
        return notebook, story

    if observer is None and not late and not missing:
        seats = [cast.seats[name] for name in _possible_observers(cast, sentences)]
        fitting = [seat for seat in seats if not unexplained(told(seat, False)[0].events, len(players))]
        observer = fitting[0] if len(fitting) == 1 else None
    notebook, story = told(observer, strict)
    if late or story.lost_at:
        _open(notebook, story.lost_at)
    log = EventLog(players, tuple(notebook.events), observer, victory_points=None)
    why = _LATE if late and not story.lost_at else _LOST if story.lost_at else _GAPS if missing else ""
    return notebook.imported(format, log, missing=why)


def _possible_observers(cast: Cast, sentences: Iterable[Sentence | None]) -> list[str]:
    """Who "you" can be, where nothing tells: who is not named beside you. Nobody where "you" do nothing."""
    beside = {name for each in sentences if each is not None and any(map(cast.is_you, each.names())) for name in each.names()}
    return [player for player in cast.players if player not in beside] if beside else []


def _open(notebook: Notebook, start: int) -> None:
    """Nobody knows the hands before the event number `start`: say what they can have been."""
    before = [
        (line, told)
        for line, event in zip(notebook.lines, notebook.events[:start], strict=False)
        for told in seen_by_all(event)
    ]
    line = notebook.lines[start] if start < len(notebook.lines) else 0
    hands = [(line, told) for told in opening(notebook.events[start:], notebook.players)]
    after = zip(notebook.lines[start:], notebook.events[start:], strict=True)
    found = [*before, *hands, *after]
    notebook.lines[:], notebook.events[:] = [line for line, _ in found], [event for _, event in found]


def _read(rows: Sequence[Row]) -> tuple[Language, list[list[Sentence]]]:
    """The language in which most rows make sense, and all readings of each row in it."""
    language = wordings.likeliest([row.text for row in rows if row.text])
    return language, [language.sentences(row.text) for row in rows]


@dataclass
class _Roll:
    """The rows of one roll: the dice (unless their row is missing), everybody's gains, what the bank was short of."""

    line: int
    player: int | None = None
    total: int = 0
    gains: list[tuple[int, int, Cards]] = field(default_factory=list)
    shortages: list[tuple[int, str, int]] = field(default_factory=list)


#: The sentences whose slots are the fields of an event.
PLAIN: dict[str, type[Event]] = {
    "start": events.StartingResources,
    "gain": events.Gain,
    "plenty": events.YearOfPlenty,
    "bank": events.BankTrade,
    "trade": events.PlayerTrade,
    "offer": events.Offer,
    "counter": events.CounterOffer,
    "bought": events.BuyDevCard,
    "robber": events.MoveRobber,
    "won": events.Win,
}
#: By what a turn is known whose dice are missing.
_OWN_TURN = ("built", "bought", "bank", "used", "plenty", "monopoly", "monopolised", "dealt")


@dataclass
class _Story:
    """Turns sentences into events, and remembers whose turn it is."""

    cast: Cast
    observer: int | None
    notebook: Notebook
    roll: _Roll | None = None
    turn: int | None = None  # who has rolled, or done what only who has the turn does, and not ended it
    has_rolled: bool = False
    builder: int | None = None  # who has played Road Building this turn
    free_roads: int = 0
    deals: Deals = field(default_factory=Deals)
    lost_at: int = 0  # how many events came before the last hole in the log that is too large to see over

    def tell(self, row: Row, sentence: Sentence | None, readable: bool) -> None:
        """One row."""
        if row.after_gap:
            self.end_turn(row.line)
            if row.after_gap > _SMALL_GAP:
                self.lost_at = len(self.notebook.events)
        try:
            if sentence is not None:
                self.say(row.line, sentence)
            elif row.text and not (row.note or self.is_aside(row) or self.is_chat(squeeze(row.text))):
                reason = "one of the players is unknown" if readable else "not a sentence of the game log"
                self.notebook.problem(row.line, reason, row.text)
        except InvalidEvent as error:
            self.notebook.problem(row.line, str(error), row.text)
        if row.separator:
            self.end_turn(row.line)

    def is_aside(self, row: Row) -> bool:
        """Whether a row says nothing about the game."""
        names_nobody = row.printed and not any(player in row.text for player in self.cast.players)
        return names_nobody or self.cast.language.is_note(row.text)

    def is_chat(self, text: str) -> bool:
        """Whether a row is "name: words", of a player or of a stranger, and not a sentence that cannot be read."""
        name = text.partition(":")[0].strip()
        if self.cast.known(name) is not None:
            return True
        begins_with_player = any(name.startswith(f"{player} ") for player in self.cast.players)
        return text.startswith(f"{name}: ") and not begins_with_player and self.cast.language.is_name(name)

    def count_hands(self, line: int, panels: Iterable[Panel]) -> None:
        """The hands as the page shows them after the last row; of several panels of a player the last counts."""
        counts: dict[int, int] = {}
        for panel in panels:
            seat = self.cast.shown_in(panel)
            if seat is not None and panel.cards is not None:
                counts[seat] = panel.cards
        for seat, count in sorted(counts.items()):
            try:
                self.notebook.add(line, events.HandCount(seat, count))
            except InvalidEvent as error:
                self.notebook.problem(line, str(error))

    def seat(self, name: str) -> int:
        """The seat of a player, or of "you"."""
        if not self.cast.is_you(name):
            return self.cast.seats[name]
        if self.observer is None:
            raise InvalidEvent(f"nothing says who {name!r} is: name the observer")
        return self.observer

    def cards(self, text: str, skip: str = "") -> Cards:
        """The cards in a slot, all of them known."""
        cards = [card for card in self.cast.language.cards(text) if card != skip]
        if HIDDEN in cards or ANY in cards:
            raise InvalidEvent("some of the cards are hidden")
        return Cards.of(cards)

    def say(self, line: int, sentence: Sentence) -> None:
        """One sentence. Raises `InvalidEvent`."""
        slots = sentence.slots
        player = self.seat(slots["player"]) if "player" in slots else 0
        roll = self.roll or _Roll(line)
        if sentence.kind not in ("got", "shortage"):
            self.finish_roll()
        match sentence.kind:
            case "shortage":  # what the bank held before it handed out the cards of this roll
                roll.shortages.append((line, self.resource(slots["card"]), int(slots["left"])))
                self.roll = roll
            case "got":
                roll.gains.append((line, player, self.cards(slots["cards"])))
                self.roll = roll
            case "dice":  # for nobody: only gains follow
                self.roll = _Roll(line)
            case "roll":
                if self.has_rolled or player != self.turn:
                    self.end_turn(line)
                self.roll, self.turn, self.has_rolled = _Roll(line, player, dice_total(slots["dice"])), player, True
            case kind:
                if kind == "won":
                    self.take_back_end(player)
                if kind == "monopolised":
                    self.notebook.add(line, self.event(line, Sentence("used", slots), player))
                event = self.plain_event(sentence) if kind in PLAIN else self.event(line, sentence, player)
                if isinstance(event, events.Offer):
                    self.deals.offer(event, self.seat(slots["partner"]) if slots.get("partner") else None)
                self.notebook.add(line, event)
                if isinstance(event, events.Win):
                    self.turn = None
                elif self.turn is None and kind in _OWN_TURN:
                    self.turn = player

    def plain_event(self, sentence: Sentence) -> Event:
        """The event whose fields a sentence fills; a wish for a card of any kind is not one for a card."""
        kind = PLAIN[sentence.kind]
        wish = {"receive": ANY} if sentence.kind in ("offer", "counter") else {}
        given = {each.name: sentence.slots[each.name] for each in fields(kind) if each.name in sentence.slots}
        return kind(
            **{name: self.seat(text) if name in NAMES else self.cards(text, wish.get(name, "")) for name, text in given.items()}
        )

    def event(self, line: int, sentence: Sentence, player: int) -> Event:
        """The event of any other sentence that stands for itself."""
        slots = sentence.slots
        match sentence.kind:
            case "placed" | "built":
                piece = self.cast.language.named("piece", slots["piece"])
                return events.Build(player, piece, free=self.is_free(player, piece, placed=sentence.kind == "placed"))
            case "used":
                card = self.cast.language.named("dev_card", slots["dev_card"])
                if player != self.turn:  # who plays a card before the dice shows that the turn before is over
                    self.end_turn(line)
                if card == "road_building":
                    self.builder, self.free_roads = player, 2
                return events.PlayDevCard(player, card)
            case "dealt":
                event, sure = self.deals.accepted(player, self.seat(slots["partner"]))
                if not sure:
                    self.notebook.note(
                        line, "the log does not say which of two offers was accepted: the player's own is assumed"
                    )
                return event
            case "monopolised":
                return events.Monopoly(player, self.resource(slots["card"]))
            case "held":
                return events.HandCount(player, int(slots["count"]))
            case "revealed":
                raise InvalidEvent("the log does not say whose card was stolen")
            case "monopoly":
                return events.Monopoly(player, self.resource(slots["card"]), int(slots["count"]))
            case "steal":
                stolen = self.cast.cards_in(sentence)
                if len(stolen) > 1:
                    raise InvalidEvent("more than one card is stolen")
                resource = stolen[0] if stolen and stolen[0] != HIDDEN else None
                return events.Steal(player, self.seat(slots["partner"]), resource)
            case "discard":
                thrown = self.cast.language.cards(slots["cards"])
                if set(thrown) == {HIDDEN}:
                    return events.Discard(player, count=len(thrown))
                return events.Discard(player, self.cards(slots["cards"]))
            case "award" | "passed":
                return events.Award(player, self.cast.language.named("award", slots["award"]))
            case "lost":
                return events.Award(None, self.cast.language.named("award", slots["award"]))
            case unknown:
                raise InvalidEvent(f"{unknown}: the table of the language has a kind that is not known")

    def resource(self, text: str) -> str:
        """The single resource in a slot."""
        return self.cards(text).names()[0]

    def is_free(self, player: int, piece: str, placed: bool) -> bool:
        """What is placed is free; of what is built, the two roads after Road Building (some wordings build those)."""
        if piece != "road" or player != self.builder or not self.free_roads:
            return placed
        self.free_roads = 0 if placed else self.free_roads - 1
        return True

    def finish_roll(self) -> None:
        """The roll with all its gains as one event, then what it has left in the bank."""
        roll, self.roll = self.roll, None
        if roll is None:
            return
        try:
            if roll.player is not None:
                seats = {seat for _, seat, _ in roll.gains}
                gains = {seat: _total(cards for _, other, cards in roll.gains if other == seat) for seat in seats}
                self.notebook.add(roll.line, events.Roll(roll.player, roll.total, gains))
            else:
                for line, seat, cards in roll.gains:
                    self.notebook.add(line, events.Gain(seat, cards))
            handed_out = _total(cards for _, _, cards in roll.gains)
            for line, resource, left in roll.shortages:
                self.notebook.add(line, events.BankCount({resource: left - getattr(handed_out, resource)}))
        except InvalidEvent as error:
            self.notebook.problem(roll.line, str(error))

    def take_back_end(self, winner: int) -> None:
        """A rule between the last turn and who won it does not end that turn: whoever wins has the turn."""
        if self.notebook.events and self.notebook.events[-1] == events.EndTurn(winner):
            self.notebook.events.pop()
            self.notebook.lines.pop()

    def end_turn(self, line: int) -> None:
        """The turn is over, if one has begun."""
        self.finish_roll()
        self.deals = Deals()
        if self.turn is not None:
            self.notebook.add(line, events.EndTurn(self.turn))
        self.turn, self.has_rolled, self.free_roads = None, False, 0


def _total(hands: Iterable[Cards]) -> Cards:
    return Cards(*map(sum, zip(Cards(), *hands, strict=True)))
