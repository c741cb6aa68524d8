"""Who plays in a chat log of colonist.io, in which order, and whose eyes saw it."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from kibitz.catan.core.events import MOST_PLAYERS
from kibitz.catan.logs.base import LogError
from kibitz.catan.logs.colonist.language import HIDDEN, NAMES, Language, Sentence


@dataclass(frozen=True)
class Row:
    """One row of the log: where it stands, what it says, and what the page tells about it."""

    line: int
    text: str
    #: The players that the page marks as such; empty where it marks none.
    names: frozenset[str] = frozenset()
    #: A turn ends with this row.
    separator: bool = False
    #: Rows before this one are missing, so many.
    after_gap: int = 0
    #: A row without cards and players is a note, even if nobody knows its wording.
    note: bool = False
    #: A program that watched the game has printed it, among other things: what names no player is not of the log.
    printed: bool = False


@dataclass(frozen=True)
class Panel:
    """What a page shows beside the log about one player, after the last row."""

    #: The texts in it, one of which may be the player's name, and who is written in the same colour elsewhere.
    texts: frozenset[str] = frozenset()
    same_colour: frozenset[str] = frozenset()
    #: The size of the hand.
    cards: int | None = None


class Cast:
    """The players, and how their names are written."""

    def __init__(self, language: Language, players: tuple[str, ...]) -> None:
        self.language = language
        self.players = players
        self.seats = {name: seat for seat, name in enumerate(players)}

    def is_you(self, name: str) -> bool:
        """Whether a name is the observer's "you", and nobody's name."""
        return name in self.language.you and name not in self.seats

    def known(self, name: str) -> str | None:
        """The player, or "you", that a name stands for: itself, or without the picture in front of it."""
        for written in (name, self.language.without_picture(name)):
            if written in self.seats or self.is_you(written):
                return written
        return None

    def choose(self, row: Row, readings: Iterable[Sentence]) -> Sentence | None:
        """The first reading of a row in which all names are players."""
        return next(_renamed(row, readings, self.known, self.language), None)

    def cards_in(self, sentence: Sentence) -> list[str]:
        """The cards that a sentence names."""
        return self.language.cards(sentence.slots.get("cards", ""))

    def expansion_of(self, row: Row) -> str | None:
        """The expansion that a player's row shows."""
        expansion, name = self.language.expansion(row.text) or (None, "")
        player = self.known(name)
        return expansion if player is not None and _marked(row, [player], self.language) else None

    def shown_in(self, panel: Panel) -> int | None:
        """Whom a panel shows, by name or by colour; nobody where these disagree."""
        found = [[seat for name, seat in self.seats.items() if name in names] for names in (panel.texts, panel.same_colour)]
        shown = {seats[0] for seats in found if len(seats) == 1}
        return shown.pop() if len(shown) == 1 else None


def _renamed(
    row: Row, readings: Iterable[Sentence], rename: Callable[[str], str | None], language: Language
) -> Iterator[Sentence]:
    """The readings of a row with other names, if there is one for each, and if the page marks them."""
    for sentence in readings:
        names = {slot: rename(sentence.slots[slot]) or "" for slot in NAMES if sentence.slots.get(slot)}
        if all(names.values()) and _marked(row, names.values(), language):
            yield Sentence(sentence.kind, {**sentence.slots, **names})


def _marked(row: Row, names: Iterable[str], language: Language) -> bool:
    """Whether the page marks these names, if it marks any."""
    return not row.names or all(name in row.names or name in language.you for name in names)


#: Who does this has a turn.
_TURNS = ("placed", "roll", "built")
#: Whoever a player does this with plays too.
_DEALS = ("trade", "dealt", "steal", "counter", "passed")


def players_of(
    language: Language, rows: Sequence[Row], readings: Sequence[Sequence[Sentence]], shown: frozenset[str]
) -> tuple[str, ...]:
    """Everybody who plays, in seat order. `shown` are texts beside the log, which confirm the names in it."""
    possible = _possible(language, rows, readings)
    sure = [found[0] for found in possible if len(found) == 1]
    settled = Counter(sentence.slots["player"] for sentence in sure if _is_settlement(language, sentence))
    you = _nobody(language, sure)
    for name in you:
        del settled[name]
    if len(settled) > 1 and set(settled.values()) == {2}:  # the whole set-up is there: nobody else plays
        if len(settled) > MOST_PLAYERS:
            raise LogError(1, f"{len(settled)} players: at most {MOST_PLAYERS} can be followed")
        return tuple(settled)
    known = {*you, *(sentence.slots["player"] for sentence in sure if sentence.kind in _TURNS)}
    known.update(name for found in possible for sentence in found[:1] for name in sentence.names() if name in shown)
    for found in possible:
        if _reading(found, known) is None:
            deals = [sentence for sentence in found if sentence.kind in _DEALS and sentence.slots["player"] in known]
            known.update(name for sentence in deals[:1] for name in sentence.names())
    known |= _well_attested(rows, possible, known)
    if len(known.difference(you)) < 2:
        known.update(name for found in possible for sentence in found[:1] for name in sentence.names())

    told = [sentence for found in possible if (sentence := _reading(found, known)) is not None]
    seen = Counter(name for sentence in told for name in sentence.names() if name not in you)
    players = {name for name, _ in seen.most_common(MOST_PLAYERS)}
    deeds = [(player, sentence) for sentence in told if (player := sentence.slots.get("player", "")) in players]
    order = _first_settlers(language, deeds)
    if len(order) < len(players):
        order = [*_rolling_order(deeds), *order, *(name for name in seen if name in players)]
    return tuple(dict.fromkeys(order))


def _nobody(language: Language, sure: Iterable[Sentence]) -> frozenset[str]:
    """The words for the observer that are nobody's name: of somebody called "You" the log tells turns, too."""
    return frozenset(language.you) - {sentence.slots["player"] for sentence in sure if sentence.kind in _TURNS}


def _possible(language: Language, rows: Sequence[Row], readings: Sequence[Sequence[Sentence]]) -> list[list[Sentence]]:
    """The readings of each row that agree with the names which the page marks; pictures in front of names are left out."""
    first = [sentence for found in readings for sentence in found[:1]]
    every = {*language.you, *(name for sentence in first for name in sentence.names())}
    rollers = {sentence.slots["player"] for sentence in first if sentence.kind in ("placed", "roll")}

    def clean(row: Row, name: str) -> str:
        bare = language.without_picture(name)
        return name if bare not in every or name in row.names or {name, bare} <= rollers else bare

    return [list(_renamed(row, found, partial(clean, row), language)) for row, found in zip(rows, readings, strict=True)]


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
            roll = row.line if sentence is not None and sentence.kind in ("roll", "dice") else None
        name = sentence.slots.get("player") if sentence is not None else None
        if sentence is None or name is None or name in known:
            continue
        gain = sentence.kind == "got"
        evidence.setdefault(name, set()).add(f"got {roll}" if gain else sentence.kind)
        if row.names and (roll is not None or not gain):
            evidence[name].add("marked")
    return {name for name, found in evidence.items() if len(found) > 1}


def begins_late(cast: Cast, sentences: Iterable[Sentence | None]) -> bool:
    """Whether the game goes on although not everybody has placed two settlements."""
    settled: Counter[str] = Counter()
    for sentence in filter(None, sentences):
        if _is_settlement(cast.language, sentence):
            settled[sentence.slots["player"]] += 1
        elif sentence.kind not in ("placed", "start"):
            return any(settled[player] != 2 for player in cast.players)
    return False


def runs_backwards(sentences: Iterable[Sentence | None]) -> bool:
    """Whether all cards to start with come after the last roll: copied from where the newest row is on top."""
    kinds = [sentence.kind for sentence in sentences if sentence is not None]
    return "roll" in kinds and "start" in kinds and "roll" not in kinds[kinds.index("start") :]


def _is_settlement(language: Language, sentence: Sentence) -> bool:
    return sentence.kind == "placed" and language.named("piece", sentence.slots["piece"]) == "settlement"


def _first_settlers(language: Language, told: Sequence[tuple[str, Sentence]]) -> list[str]:
    """The players in the order of their first settlements; who gets cards for one has placed the second."""
    following = [(player if sentence.kind == "start" else None) for player, sentence in told[1:]]
    settled = zip(told, [*following, None], strict=True) if told else ()
    return list(dict.fromkeys(p for (p, sentence), paid in settled if _is_settlement(language, sentence) and paid != p))


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


def observer_of(
    cast: Cast,
    rows: Sequence[Row],
    sentences: Sequence[Sentence | None],
    users: Iterable[Panel],
    proved: Collection[str] = (),
) -> int | None:
    """Whose eyes saw it: whom the page names, who is `proved`, whose turn it is when "you" steal, or who alone is left.

    "You" are never who is named beside you, nor a party to a theft whose card stays hidden.
    """
    named = {cast.shown_in(user) for user in users} - {None} or {cast.seats[name] for name in proved}
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
        elif sentence.kind == "steal" and set(cast.cards_in(sentence)) <= {HIDDEN}:
            outsiders.update(names)
        elif sentence.kind in ("roll", "used", "robber"):
            actor = sentence.slots["player"]
    possible = thieves - others if thieves else set(cast.players) - others - outsiders
    return cast.seats[possible.pop()] if others and len(possible) == 1 else None
