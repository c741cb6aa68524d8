"""The chat log of colonist.io as copied text: read in its new and its old wording, written in the new one.

>>> text = '''
... Red placed a Settlement
... Blue placed a Settlement
... Red rolled dice_5 dice_1
... Blue got Ore Ore
... '''
>>> log = read(text).log
>>> log.events[-1].text(log.players)
'Red rolled 6: Blue got 2 ore'
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from kibitz.catan.core import events
from kibitz.catan.core.board import Board
from kibitz.catan.core.events import Cards, Event, EventLog
from kibitz.catan.core.record import Record
from kibitz.catan.core.transcript import events_of
from kibitz.catan.logs.base import ImportedLog, LogError
from kibitz.catan.logs.colonist import wordings
from kibitz.catan.logs.colonist.cast import Row
from kibitz.catan.logs.colonist.html import unescaped, words_of_tag
from kibitz.catan.logs.colonist.language import NAMES, is_separator, squeeze
from kibitz.catan.logs.colonist.rows import PLAIN, read_rows
from kibitz.catan.logs.colonist.wordings import ENGLISH
from kibitz.ground.texts import writable

#: What a browser's console puts before a line: the time, and where in which script it was printed.
_PRINTED = re.compile(
    r"^\W{0,4}(?:[0-9:.]{5,15}\]?\s+)?(?:[\w.$-]{1,60}\.(?:m?js|ts|html?)(?:\?\S{0,60}?)?|VM[0-9]{1,9})(?::[0-9]{1,7}){1,2}\s+"
)
_TAG = re.compile(r"<[a-zA-Z/][^<>]{0,1000}>")
#: Lines that tell whether a text is a log.
_LOOKED_AT = 20_000


def recognises(text: str) -> bool:
    """At least one line is a sentence of the log with a player in it."""
    lines = [_bare(line) for line in text.splitlines() if line.strip()][:_LOOKED_AT]
    language = wordings.likeliest(lines)
    return any(sentence.names() for line in lines for sentence in language.sentences(line))


def read(text: str, me: str | None = None, strict: bool = False) -> ImportedLog:
    """Read copied chat, one message a line. `me` says who "You" is, where the log does not show it."""
    rows: list[Row] = []
    lines = [_bare(line) for line in writable(text).splitlines()]
    language = wordings.likeliest([line for line in lines if line.strip()])
    printed = any(map(_PRINTED.match, text.splitlines()[:_LOOKED_AT]))
    for number, line in enumerate(lines, start=1):
        if is_separator(squeeze(line)):
            rows.append(Row(number, "", separator=True))
        elif squeeze(line) and not _is_value(squeeze(line)):
            whole = f"{rows[-1].text} {line}" if rows else line
            if rows and not any(map(language.sentences, (rows[-1].text, line))) and language.sentences(whole):
                rows[-1] = replace(rows[-1], text=whole)  # copying has broken it where the page has a box of its own
            else:
                rows.append(Row(number, line, printed=printed))
    if not rows:
        raise LogError(1, "there is no row of a game log in it")
    return read_rows("colonist-text", rows, me, strict)


def _bare(line: str) -> str:
    """A line without what a console puts before it, and with words for what is left of a page's tags in it."""
    line = _PRINTED.sub("", line)
    if "<" in line:
        line = _TAG.sub(lambda tag: tag[0] if is_separator(tag[0]) else f" {words_of_tag(tag[0])} ", line)
    return unescaped(line) if "&" in line else line


def _is_value(line: str) -> bool:
    """Whether a line is a value that a program has printed: no row begins like this."""
    return line.startswith('{"') and line.endswith("}")


#: The sentences that are filled in from the fields of an event alone.
_PLAIN = {event: kind for kind, event in {**PLAIN, "discard": events.Discard}.items()}


def write(record: Record, observer: int | None = None, players: Sequence[str] | None = None) -> str:
    """A game as the chat text that `observer` (None: a spectator) saw."""
    lines = _lines(events_of(record, observer, players=players), record.board)
    return "\n".join([*(squeeze(line) or "<hr>" for line in lines), ""])


def _lines(log: EventLog, board: Board) -> Iterator[str]:
    """The rows of a log; an empty one is the rule between two turns."""
    holders: dict[str, int] = {}
    rolled = False
    for event in log.events:
        rolled = rolled or isinstance(event, events.Roll)
        for kind, slots in _sentences(event, log, board, holders):
            yield ENGLISH.templates[kind][0].format_map(defaultdict(str, slots)) + slots.get("points", "")
        if isinstance(event, events.EndTurn) or (isinstance(event, events.Build) and event.piece == "road" and not rolled):
            yield ""
        if isinstance(event, events.Award):
            holders.pop(event.award, None)
            if event.player is not None:
                holders[event.award] = event.player


def _sentences(
    event: Event, log: EventLog, board: Board, holders: Mapping[str, int]
) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The kinds of sentences that tell an event, with what is filled into them; answers to offers the log does not show."""
    slots = {slot: log.players[seat] for slot in NAMES if (seat := getattr(event, slot, None)) is not None}
    slots |= {slot: _cards(hand) for slot in ("cards", "give", "receive") if (hand := getattr(event, slot, None)) is not None}
    match event:
        case events.Roll(_, total, gains):
            first = max(1, total - 6)
            yield "roll", {**slots, "dice": f"dice_{first} dice_{total - first}"}
            for seat, hand in gains.items():
                yield "got", {"player": log.players[seat], "cards": _cards(hand)}
        case events.Build(_, piece, free):
            points = f" (+1 {ENGLISH.points[0]})" if piece != "road" and not free else ""
            yield "placed" if free else "built", {**slots, "piece": ENGLISH.pieces[piece][0], "points": points}
        case events.BuyDevCard():
            yield "bought", {**slots, "dev_back": ENGLISH.dev_back[0]}
        case events.PlayDevCard(_, card):
            yield "used", {**slots, "dev_card": f"{ENGLISH.dev_cards[card][0]} {ENGLISH.dev_cards[card][0]}"}
        case events.Monopoly(_, resource, total):
            yield "monopoly", {**slots, "count": str(total), "card": ENGLISH.resources[resource][0]}
        case events.MoveRobber(_, hex):
            tile, number = (None, None) if hex is None else board.hexes[hex]
            token = f"prob_{number} " if number else ""
            yield "robber", {**slots, "any": "" if hex is None else token + ENGLISH.tiles[tile or "desert"]}
        case events.Steal(player, victim, stolen):
            thief = ENGLISH.you[0] if player == log.observer else log.players[player]
            robbed = ENGLISH.you[1] if victim == log.observer else log.players[victim]
            card = ENGLISH.hidden[0] if stolen is None else ENGLISH.resources[stolen][0]
            yield "steal", {"player": thief, "partner": robbed, "cards": card}
        case events.Discard(_, None, count):
            yield "discard", {**slots, "cards": " ".join([ENGLISH.hidden[0]] * (count or 0))}
        case events.Award(player, award):
            slots |= {"award": ENGLISH.awards[award][0]}
            points = f" (+2 {ENGLISH.points[-1]})"
            if player is None:
                yield "lost", {**slots, "player": log.players[holders[award]]}
            elif award in holders:
                yield "passed", {**slots, "partner": log.players[holders[award]], "points": points}
            else:
                yield "award", {**slots, "points": points}
        case _ if type(event) in _PLAIN:
            yield _PLAIN[type(event)], slots


def _cards(hand: Cards) -> str:
    return " ".join(ENGLISH.resources[resource][0] for resource in hand.names())
