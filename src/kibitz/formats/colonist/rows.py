"""The chat log of colonist.io, row by row: what a copied text and a saved page have in common.

Rows are read in two passes. The first finds every way to read each row, and from all of them who plays, in which order,
and who the observer is. The second takes the reading in which only these players appear and turns it into events.
A row that may be a stranger's chat makes nobody a player: who plays has a turn, or is named in several ways.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from kibitz.catan.events import (
    MOST_PLAYERS,
    Award,
    BankCount,
    BankTrade,
    Build,
    BuyDevCard,
    Cards,
    CounterOffer,
    Discard,
    EndTurn,
    Event,
    EventLog,
    Gain,
    HandCount,
    InvalidEvent,
    Monopoly,
    MoveRobber,
    Offer,
    PlayDevCard,
    PlayerTrade,
    Roll,
    StartingResources,
    Steal,
    Win,
    YearOfPlenty,
)
from kibitz.formats.base import ImportedLog, LogError, Notebook, Problem, seat_of
from kibitz.formats.colonist import wordings
from kibitz.formats.colonist.wordings import ANY, HIDDEN, NAMES, Language, Sentence, dice_total


@dataclass(frozen=True)
class Row:
    """One row of the log: where it stands, what it says, and what the page tells about it."""

    line: int
    text: str
    #: The players that the page marks as such; empty where it marks none.
    names: frozenset[str] = frozenset()
    #: A turn ends with this row.
    separator: bool = False
    #: Rows before this one are missing.
    after_gap: bool = False
    #: A row without cards and players is a note, even if nobody knows its wording.
    note: bool = False


@dataclass(frozen=True)
class Panel:
    """What a page shows beside the log about one player, after the last row."""

    #: The texts in it, one of which may be the player's name, and who is written in the same colour elsewhere.
    texts: frozenset[str] = frozenset()
    same_colour: frozenset[str] = frozenset()
    #: The size of the hand.
    cards: int | None = None


def read_rows(
    format: str,
    rows: Sequence[Row],
    me: str | None,
    strict: bool,
    users: Iterable[Panel] = (),
    panels: Sequence[Panel] = (),
    missing: Sequence[Problem] = (),
) -> ImportedLog:
    """The events of all rows. `users` show who the observer is, `panels` the hands; `missing` are gaps already known."""
    language, readings = _read(rows)
    players = _players(language, rows, readings, frozenset(text for panel in panels for text in panel.texts))
    if len(players) < 2:
        raise LogError(1, "fewer than two players were found")
    cast = _Cast(language, players)
    sentences = [cast.choose(row, found) for row, found in zip(rows, readings, strict=True)]
    observer = seat_of(wordings.squeeze(me), players) if me is not None else _observer(cast, rows, sentences, users)
    notebook = Notebook(len(players), strict, problems=list(missing))
    story = _Story(cast, observer, notebook)
    for row, found, sentence in zip(rows, readings, sentences, strict=True):
        story.tell(row, sentence, bool(found))
    story.finish_roll()
    story.count_hands(rows[-1].line, panels)
    problems = sorted(notebook.problems, key=lambda problem: problem.line)
    log = EventLog(players, tuple(notebook.events), observer, victory_points=None)
    incomplete = bool(missing) or _begins_late(cast, sentences)
    return ImportedLog(format, log, tuple(notebook.lines), tuple(problems), incomplete=incomplete)


def _read(rows: Sequence[Row]) -> tuple[Language, list[list[Sentence]]]:
    """The language in which most rows make sense, and all readings of each row in it."""
    every = ((language, [language.sentences(row.text) for row in rows]) for language in wordings.LANGUAGES)
    return max(every, key=lambda readings: sum(map(bool, readings[1])))


# --- who plays --------------------------------------------------------------------------------------------


class _Cast:
    """The players, and how their names are written."""

    def __init__(self, language: Language, players: tuple[str, ...]) -> None:
        self.language = language
        self.players = players
        self.seats = {name: seat for seat, name in enumerate(players)}

    def is_you(self, name: str) -> bool:
        return name in self.language.you

    def known(self, name: str) -> str | None:
        """The player, or "you", that a name stands for: itself, or without the picture in front of it."""
        for written in (name, self.language.without_picture(name)):
            if written in self.seats or self.is_you(written):
                return written
        return None

    def choose(self, row: Row, readings: Iterable[Sentence]) -> Sentence | None:
        """The first reading of a row in which all names are players."""
        for sentence in readings:
            names = {slot: self.known(sentence.slots[slot]) or "" for slot in NAMES if slot in sentence.slots}
            if all(names.values()) and _marked(row, names.values(), self.language):
                return Sentence(sentence.kind, {**sentence.slots, **names})
        return None

    def shown_in(self, panel: Panel) -> int | None:
        """Whom a panel shows, by name or by colour; nobody where these disagree."""
        found = [[seat for name, seat in self.seats.items() if name in names] for names in (panel.texts, panel.same_colour)]
        shown = {seats[0] for seats in found if len(seats) == 1}
        return shown.pop() if len(shown) == 1 else None


def _marked(row: Row, names: Iterable[str], language: Language) -> bool:
    """Whether the page marks these names, if it marks any."""
    return not row.names or all(name in row.names or name in language.you for name in names)


#: Who does this has a turn.
_TURNS = ("placed", "roll", "built")
#: Whoever a player does this with plays too.
_DEALS = ("trade", "steal", "counter", "passed")


def _players(
    language: Language, rows: Sequence[Row], readings: Sequence[Sequence[Sentence]], shown: frozenset[str]
) -> tuple[str, ...]:
    """Everybody who plays, in seat order. `shown` are texts beside the log, which confirm the names in it."""
    possible = _possible(language, rows, readings)
    sure = [found[0] for found in possible if len(found) == 1]
    settled = Counter(sentence.slots["player"] for sentence in sure if _is_settlement(language, sentence))
    for you in language.you:
        del settled[you]
    if len(settled) > 1 and set(settled.values()) == {2}:  # the whole set-up is there: nobody else plays
        return tuple(settled)[:MOST_PLAYERS]
    known = {*language.you, *(sentence.slots["player"] for sentence in sure if sentence.kind in _TURNS)}
    known.update(name for found in possible for sentence in found[:1] for name in sentence.names() if name in shown)
    for found in possible:
        if _reading(found, known) is None:
            deals = [sentence for sentence in found if sentence.kind in _DEALS and sentence.slots["player"] in known]
            known.update(name for sentence in deals[:1] for name in sentence.names())
    known |= _well_attested(rows, possible, known)
    if len(known.difference(language.you)) < 2:
        known.update(name for found in possible for sentence in found[:1] for name in sentence.names())

    told = [sentence for found in possible if (sentence := _reading(found, known)) is not None]
    seen = Counter(name for sentence in told for name in sentence.names() if name not in language.you)
    players = {name for name, _ in seen.most_common(MOST_PLAYERS)}
    deeds = [(player, sentence) for sentence in told if (player := sentence.slots.get("player", "")) in players]
    order = _first_settlers(language, deeds)
    if len(order) < len(players):
        order = [*_rolling_order(deeds), *order, *(name for name in seen if name in players)]
    return tuple(dict.fromkeys(order))


def _possible(language: Language, rows: Sequence[Row], readings: Sequence[Sequence[Sentence]]) -> list[list[Sentence]]:
    """The readings of each row that agree with the names which the page marks; pictures in front of names are left out."""
    first = [sentence for found in readings for sentence in found[:1]]
    every = {*language.you, *(name for sentence in first for name in sentence.names())}
    rollers = {sentence.slots["player"] for sentence in first if sentence.kind in ("placed", "roll")}

    def clean(name: str, row: Row) -> str:
        bare = language.without_picture(name)
        return name if bare not in every or name in row.names or {name, bare} <= rollers else bare

    possible = []
    for row, found in zip(rows, readings, strict=True):
        names = [{slot: clean(sentence.slots[slot], row) for slot in NAMES if slot in sentence.slots} for sentence in found]
        possible.append(
            [
                Sentence(sentence.kind, {**sentence.slots, **clean_names})
                for sentence, clean_names in zip(found, names, strict=True)
                if all(clean_names.values()) and _marked(row, clean_names.values(), language)
            ]
        )
    return possible


def _reading(found: Iterable[Sentence], known: Collection[str]) -> Sentence | None:
    """The first reading in which nobody is unknown."""
    return next((sentence for sentence in found if all(name in known for name in sentence.names())), None)


def _well_attested(rows: Sequence[Row], possible: Sequence[Sequence[Sentence]], known: Collection[str]) -> set[str]:
    """Of the unknown names those that two things speak for: different kinds of rows, gains from different rolls, a mark.

    A mark alone does not make a player of whoever "got" something while nobody has rolled.
    """
    evidence: dict[str, set[str]] = {}
    roll = None
    for row, found in zip(rows, possible, strict=True):
        sentence = _reading(found, known) or next(iter(found), None)
        if row.after_gap or row.separator or (sentence is not None and sentence.kind not in ("got", "shortage")):
            roll = row.line if sentence is not None and sentence.kind == "roll" else None
        name = sentence.slots.get("player") if sentence is not None else None
        if sentence is None or name is None or name in known:
            continue
        gain = sentence.kind == "got"
        evidence.setdefault(name, set()).add(f"got {roll}" if gain else sentence.kind)
        if row.names and (roll is not None or not gain):
            evidence[name].add("marked")
    return {name for name, found in evidence.items() if len(found) > 1}


def _begins_late(cast: _Cast, sentences: Iterable[Sentence | None]) -> bool:
    """Whether the game goes on although not everybody has placed two settlements."""
    settled: Counter[str] = Counter()
    for sentence in filter(None, sentences):
        if _is_settlement(cast.language, sentence):
            settled[sentence.slots["player"]] += 1
        elif sentence.kind not in ("placed", "start"):
            return any(settled[player] != 2 for player in cast.players)
    return False


def _is_settlement(language: Language, sentence: Sentence) -> bool:
    return sentence.kind == "placed" and language.piece(sentence.slots["piece"]) == "settlement"


def _first_settlers(language: Language, told: Sequence[tuple[str, Sentence]]) -> list[str]:
    """The players in the order of their first settlements; who gets cards for one has placed the second."""
    order: dict[str, None] = {}
    last = None
    for player, sentence in told:
        if last is not None and not (sentence.kind == "start" and player == last):
            order[last] = None
        last = player if _is_settlement(language, sentence) else None
    if last is not None:
        order[last] = None
    return list(order)


def _rolling_order(told: Sequence[tuple[str, Sentence]]) -> list[str]:
    """The players in the order of their rolls, from the first: after each comes who most often rolled next."""
    rolls = [player for player, sentence in told if sentence.kind == "roll"]
    following: dict[str, Counter[str]] = {player: Counter() for player in rolls}
    for player, after in pairwise(rolls):
        following[player][after] += 1
    order: dict[str, None] = {}
    turn = rolls[0] if rolls else None
    while turn is not None and turn not in order:
        order[turn] = None
        turn = next((after for after, _ in following[turn].most_common(1)), None)
    return list(dict.fromkeys([*order, *rolls]))


def _observer(cast: _Cast, rows: Sequence[Row], sentences: Sequence[Sentence | None], users: Iterable[Panel]) -> int | None:
    """Whose eyes saw it: whom the page names, whose turn it is when "you" steal, or who alone is left.

    "You" are never who is named beside you, nor a party to a theft whose card stays hidden.
    """
    named = {cast.shown_in(user) for user in users} - {None}
    if len(named) == 1:
        return named.pop()
    others, outsiders, thieves = set(), set(), set()
    actor = None
    for row, sentence in zip(rows, sentences, strict=True):
        actor = None if row.after_gap else actor
        if sentence is None:
            continue
        names = sentence.names()
        if any(map(cast.is_you, names)):
            others.update(names)
            if sentence.kind == "steal" and cast.is_you(sentence.slots["player"]) and actor is not None:
                thieves.add(actor)
        elif sentence.kind == "steal" and set(_cards(cast.language, sentence)) <= {HIDDEN}:
            outsiders.update(names)
        elif sentence.kind in ("roll", "used", "robber"):
            actor = sentence.slots["player"]
    possible = thieves - others if thieves else set(cast.players) - others - outsiders
    return cast.seats[possible.pop()] if others and len(possible) == 1 else None


def _cards(language: Language, sentence: Sentence) -> list[str]:
    return language.cards(sentence.slots.get("cards", ""))


# --- what happened ----------------------------------------------------------------------------------------


@dataclass
class _Roll:
    """The rows of one roll: the dice (unless their row is missing), everybody's gains, what the bank was short of."""

    line: int
    player: int | None = None
    total: int = 0
    gains: list[tuple[int, int, Cards]] = field(default_factory=list)
    shortages: list[tuple[int, str, int]] = field(default_factory=list)


#: By what a turn is known whose dice are missing.
_OWN_TURN = ("built", "bought", "bank", "used", "plenty", "monopoly")


class _Story:
    """Turns sentences into events, and remembers whose turn it is."""

    def __init__(self, cast: _Cast, observer: int | None, notebook: Notebook) -> None:
        self.cast = cast
        self.language = cast.language
        self.observer = observer
        self.notebook = notebook
        self.roll: _Roll | None = None
        self.turn: int | None = None  # who has rolled, or done what only who has the turn does, and not ended it
        self.has_rolled = False
        self.builder: int | None = None  # who has played Road Building this turn
        self.free_roads = 0

    def tell(self, row: Row, sentence: Sentence | None, readable: bool) -> None:
        """One row."""
        if row.after_gap:
            self.finish_roll()
            self.end_turn(row.line)
        try:
            if sentence is not None:
                self.say(row.line, sentence)
            elif row.text and not self.is_note(row):
                reason = "one of the players is unknown" if readable else "not a sentence of the game log"
                self.notebook.problem(row.line, reason, row.text)
        except InvalidEvent as error:
            self.notebook.problem(row.line, str(error), row.text)
        if row.separator:
            self.finish_roll()
            self.end_turn(row.line)

    def is_note(self, row: Row) -> bool:
        """Whether a row is no news: a wording that is known to say nothing, or chat."""
        return row.note or self.language.is_note(row.text) or self.is_chat(wordings.squeeze(row.text))

    def is_chat(self, text: str) -> bool:
        """Whether a row is "name: words", of a player or of a stranger, and not a sentence that cannot be read."""
        name = text.partition(":")[0].strip()
        if self.cast.known(name) is not None:
            return True
        begins_with_player = any(name.startswith(f"{player} ") for player in self.cast.players)
        return text.startswith(f"{name}: ") and not begins_with_player and self.language.is_name(name)

    def count_hands(self, line: int, panels: Iterable[Panel]) -> None:
        """The hands as the page shows them after the last row; of several panels of a player the last counts."""
        counts: dict[int, int] = {}
        for panel in panels:
            seat = self.cast.shown_in(panel)
            if seat is not None and panel.cards is not None:
                counts[seat] = panel.cards
        for seat, count in sorted(counts.items()):
            try:
                self.notebook.add(line, HandCount(seat, count))
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
        cards = [card for card in self.language.cards(text) if card != skip]
        if HIDDEN in cards or ANY in cards:
            raise InvalidEvent("some of the cards are hidden")
        return Cards.of(cards)

    def say(self, line: int, sentence: Sentence) -> None:
        """One sentence. Raises `InvalidEvent`."""
        slots = sentence.slots
        if sentence.kind == "shortage":
            self.shortage(line, slots)
            return
        player = self.seat(slots["player"])
        if sentence.kind == "got":
            self.got(line, player, self.cards(slots["cards"]))
            return
        self.finish_roll()
        if sentence.kind == "roll":
            self.rolled(line, player, dice_total(slots["dice"]))
            return
        event = self.event(line, sentence, player, slots)
        self.notebook.add(line, event)
        if isinstance(event, Win):
            self.turn = None
        elif self.turn is None and sentence.kind in _OWN_TURN:
            self.turn = player

    def event(self, line: int, sentence: Sentence, player: int, slots: Mapping[str, str]) -> Event:
        """The event of a sentence that stands for itself."""
        match sentence.kind:
            case "placed" | "built":
                piece = self.language.piece(slots["piece"])
                return Build(player, piece, free=self.is_free(player, piece, placed=sentence.kind == "placed"))
            case "start":
                return StartingResources(player, self.cards(slots["cards"]))
            case "bought":
                return BuyDevCard(player)
            case "used":
                return self.used(line, player, self.language.dev_card(slots["dev_card"]))
            case "plenty":
                return YearOfPlenty(player, self.cards(slots["cards"]))
            case "monopoly":
                return Monopoly(player, self.resource(slots["card"]), int(slots["count"]))
            case "bank":
                return BankTrade(player, self.cards(slots["give"]), self.cards(slots["receive"]))
            case "trade":
                partner = self.seat(slots["partner"])
                return PlayerTrade(player, partner, self.cards(slots["give"]), self.cards(slots["receive"]))
            case "offer":
                return Offer(player, self.cards(slots["give"]), self.cards(slots["receive"], skip=ANY))
            case "counter":
                partner = self.seat(slots["partner"])
                return CounterOffer(player, partner, self.cards(slots["give"]), self.cards(slots["receive"], skip=ANY))
            case "robber":
                return MoveRobber(player)
            case "steal":
                return Steal(player, self.seat(slots["partner"]), self.stolen(_cards(self.language, sentence)))
            case "discard":
                return self.discard(player, slots["cards"])
            case "award" | "passed":
                return Award(player, self.language.award(slots["award"]))
            case "lost":
                return Award(None, self.language.award(slots["award"]))
            case "won":
                return Win(player)
            case unknown:
                raise InvalidEvent(f"{unknown}: the table of the language has a kind that is not known")

    def resource(self, text: str) -> str:
        """The single resource in a slot."""
        return self.cards(text).names()[0]

    def stolen(self, cards: Sequence[str]) -> str | None:
        """The stolen card, None where it stays hidden."""
        if len(cards) > 1:
            raise InvalidEvent("more than one card is stolen")
        return cards[0] if cards and cards[0] != HIDDEN else None

    def is_free(self, player: int, piece: str, placed: bool) -> bool:
        """What is placed is free; of what is built, the two roads after Road Building (some wordings build those)."""
        if piece != "road" or player != self.builder or not self.free_roads:
            return placed
        self.free_roads = 0 if placed else self.free_roads - 1
        return True

    def discard(self, player: int, text: str) -> Discard:
        """Known cards, or only their number."""
        cards = self.language.cards(text)
        if set(cards) == {HIDDEN}:
            return Discard(player, count=len(cards))
        return Discard(player, self.cards(text))

    def used(self, line: int, player: int, card: str) -> PlayDevCard:
        """A development card; who plays one before the dice shows that the turn before is over."""
        if player != self.turn:
            self.end_turn(line)
        if card == "road_building":
            self.builder, self.free_roads = player, 2
        return PlayDevCard(player, card)

    # --- rolls and turns ------------------------------------------------------------------------------------

    def rolled(self, line: int, player: int, total: int) -> None:
        """The dice; the gains follow row by row."""
        if self.has_rolled or player != self.turn:
            self.end_turn(line)
        self.roll, self.turn, self.has_rolled = _Roll(line, player, total), player, True

    def got(self, line: int, player: int, cards: Cards) -> None:
        """A gain of the roll before."""
        self.roll = self.roll or _Roll(line)
        self.roll.gains.append((line, player, cards))

    def shortage(self, line: int, slots: Mapping[str, str]) -> None:
        """What the bank held before it handed out the cards of this roll."""
        self.roll = self.roll or _Roll(line)
        self.roll.shortages.append((line, self.resource(slots["card"]), int(slots["left"])))

    def finish_roll(self) -> None:
        """The roll with all its gains as one event, then what it has left in the bank."""
        roll, self.roll = self.roll, None
        if roll is None:
            return
        try:
            if roll.player is not None:
                seats = {seat for _, seat, _ in roll.gains}
                gains = {seat: _total(cards for _, other, cards in roll.gains if other == seat) for seat in seats}
                self.notebook.add(roll.line, Roll(roll.player, roll.total, gains))
            else:
                for line, seat, cards in roll.gains:
                    self.notebook.add(line, Gain(seat, cards))
            handed_out = _total(cards for _, _, cards in roll.gains)
            for line, resource, left in roll.shortages:
                self.notebook.add(line, BankCount({resource: left - getattr(handed_out, resource)}))
        except InvalidEvent as error:
            self.notebook.problem(roll.line, str(error))

    def end_turn(self, line: int) -> None:
        """The turn is over, if one has begun."""
        if self.turn is not None:
            self.notebook.add(line, EndTurn(self.turn))
        self.turn, self.has_rolled, self.free_roads = None, False, 0


def _total(hands: Iterable[Cards]) -> Cards:
    return Cards(*map(sum, zip(Cards(), *hands, strict=True)))
