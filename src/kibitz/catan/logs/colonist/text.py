"""The chat log of colonist.io as copied text, in its new and its old wording, in and out.

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

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from kibitz.catan.core.board import Board
from kibitz.catan.core.events import (
    Accept,
    Award,
    BankCount,
    BankTrade,
    Build,
    BuyDevCard,
    Cards,
    Correction,
    CounterOffer,
    Decline,
    Discard,
    EndTurn,
    Event,
    EventLog,
    Gain,
    HandCount,
    HandSeen,
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
from kibitz.catan.core.record import Record
from kibitz.catan.core.transcript import events_of
from kibitz.catan.logs.base import ImportedLog
from kibitz.catan.logs.colonist import wordings
from kibitz.catan.logs.colonist.cast import Row
from kibitz.catan.logs.colonist.language import Language, is_separator, squeeze
from kibitz.catan.logs.colonist.rows import read_rows
from kibitz.catan.logs.colonist.wordings import ENGLISH
from kibitz.ground.messages import writable

#: The colours of the seats, as the names of pictures have them.
COLOURS = ("red", "blue", "orange", "green", "black", "brown")


def recognises(text: str) -> bool:
    """At least one line is a sentence of the log with a player in it."""
    return any(
        sentence.names()
        for line in filter(str.strip, text.splitlines())
        for language in wordings.LANGUAGES
        for sentence in language.sentences(line)
    )


def read(text: str, me: str | None = None, strict: bool = False) -> ImportedLog:
    """Read copied chat, one message a line. `me` says who "You" is, where the log does not show it."""
    rows: list[Row] = []
    for number, line in enumerate(writable(text).splitlines(), start=1):
        if is_separator(line.strip()):
            rows.append(Row(number, "", separator=True))
        elif squeeze(line):
            whole = f"{rows[-1].text} {line}" if rows else line
            if rows and not any(map(_is_sentence, (rows[-1].text, line))) and _is_sentence(whole):
                rows[-1] = replace(rows[-1], text=whole)  # copying has broken it where the page has a box of its own
            else:
                rows.append(Row(number, line))
    return read_rows("colonist-text", rows, me, strict)


def _is_sentence(line: str) -> bool:
    return any(language.sentences(line) for language in wordings.LANGUAGES)


# --- out --------------------------------------------------------------------------------------------------


class Part(NamedTuple):
    """A piece of a row: plain text, a player's name, or a picture with the word that stands for it."""

    kind: str
    text: str
    #: The name of a picture's file.
    file: str = ""


def write(record: Record, observer: int | None = None, players: Sequence[str] | None = None, old: bool = False) -> str:
    """A game as the chat text that `observer` (None: a spectator) saw, in the new or the old wording."""
    lines = []
    for parts in parts_of(events_of(record, observer, players=players), record.board, ENGLISH, old):
        text = "".join(_plain(part, old) for part in parts) or "<hr>"
        lines.append(f" {text}" if old else squeeze(text))
    return "\n".join([*lines, ""])


def _plain(part: Part, old: bool) -> str:
    if part.kind != "picture":
        return part.text
    if not old:
        return f" {part.text} "
    word = part.file if part.file.startswith(("settlement", "road", "city")) else part.text.lower()
    return f" {word.removeprefix('dice_')}"


def parts_of(log: EventLog, board: Board, language: Language, old: bool = False) -> Iterator[list[Part]]:
    """The rows of a log; an empty one is the rule between two turns."""
    holders: dict[str, int] = {}
    rolled = False
    for event in log.events:
        rolled = rolled or isinstance(event, Roll)
        if isinstance(event, EndTurn):
            yield []
            continue
        for kind, slots in _sentences(event, log, board, language, holders):
            yield _filled(language.template(kind, old), slots)
        if isinstance(event, Build) and event.piece == "road" and not rolled:
            yield []
        if isinstance(event, Award):
            holders.pop(event.award, None)
            if event.player is not None:
                holders[event.award] = event.player


Slots = Mapping[str, Sequence[Part]]


def _filled(template: str, slots: Slots) -> list[Part]:
    parts: list[Part] = []
    for piece in re.split(r"(\{[a-z_]+\})", template):
        parts += slots.get(piece[1:-1], ()) if piece.startswith("{") else [Part("text", piece)] if piece else []
    return [*parts, *slots.get("points", ())]


def _sentences(
    event: Event, log: EventLog, board: Board, language: Language, holders: Mapping[str, int]
) -> Iterator[tuple[str, Slots]]:
    """The kinds of sentences that tell an event, with what is filled into them."""

    def name(seat: int) -> list[Part]:
        return [Part("name", log.players[seat])]

    def cards(hand: Cards) -> list[Part]:
        return [_card(resource, language) for resource in hand.names()]

    match event:
        case StartingResources(player, hand):
            yield "start", {"player": name(player), "cards": cards(hand)}
        case Roll(player, total, gains):
            first = max(1, total - 6)
            dice = [Part("picture", f"dice_{n}", f"dice_{n}") for n in (first, total - first)]
            yield "roll", {"player": name(player), "dice": dice}
            for seat, hand in gains.items():
                yield "got", {"player": name(seat), "cards": cards(hand)}
        case Build(player, piece, free):
            word = Part("picture", language.pieces[piece][0], f"{piece}_{COLOURS[player]}")
            points = [Part("text", f" (+1 {language.points[0]})")] if piece != "road" and not free else []
            yield "placed" if free else "built", {"player": name(player), "piece": [word], "points": points}
        case BuyDevCard(player):
            back = Part("picture", language.dev_back[0], "card_devcardback")
            yield "bought", {"player": name(player), "dev_back": [back]}
        case PlayDevCard(player, card):
            picture = Part("picture", language.dev_cards[card][0], f"card_{card.replace('_', '')}")
            yield "used", {"player": name(player), "dev_card": [Part("text", language.dev_cards[card][0]), picture]}
        case YearOfPlenty(player, hand):
            yield "plenty", {"player": name(player), "cards": cards(hand)}
        case Monopoly(player, resource, total):
            count = [Part("text", str(total))]
            yield "monopoly", {"player": name(player), "count": count, "card": [_card(resource, language)]}
        case BankTrade(player, give, receive):
            yield "bank", {"player": name(player), "give": cards(give), "receive": cards(receive)}
        case PlayerTrade(player, partner, give, receive):
            slots = {"player": name(player), "partner": name(partner), "give": cards(give), "receive": cards(receive)}
            yield "trade", slots
        case Offer(player, give, receive):
            yield "offer", {"player": name(player), "give": cards(give), "receive": cards(receive)}
        case CounterOffer(player, partner, give, receive):
            slots = {"player": name(player), "partner": name(partner), "give": cards(give), "receive": cards(receive)}
            yield "counter", slots
        case MoveRobber(player, hex):
            yield "robber", {"player": name(player), "any": _tile(board, hex, language)}
        case Steal(player, victim, stolen):
            thief = [Part("name", language.you[0])] if player == log.observer else name(player)
            robbed = [Part("text", language.you[1])] if victim == log.observer else name(victim)
            yield "steal", {"player": thief, "partner": robbed, "cards": [_card(stolen, language)]}
        case Discard(player, known, count):
            thrown = cards(known) if known is not None else [_card(None, language)] * (count or 0)
            yield "discard", {"player": name(player), "cards": thrown}
        case Award(player, award):
            medal = [Part("text", language.awards[award][0])]
            points = [Part("text", f" (+2 {language.points[-1]})")]
            if player is None:
                yield "lost", {"player": name(holders[award]), "award": medal}
            elif award in holders:
                slots = {"player": name(player), "partner": name(holders[award]), "award": medal, "points": points}
                yield "passed", slots
            else:
                yield "award", {"player": name(player), "award": medal, "points": points}
        case Win(player):
            yield "won", {"player": name(player)}
        case _:  # answers to offers, which the log does not show
            pass


def _card(resource: str | None, language: Language) -> Part:
    if resource is None:
        return Part("picture", language.hidden[0], "card_rescardback")
    return Part("picture", language.resources[resource][0], f"card_{ENGLISH.resources[resource][0].lower()}")


def _tile(board: Board, hex: int | None, language: Language) -> list[Part]:
    if hex is None:
        return []
    tile, number = board.hexes[hex].resource, board.hexes[hex].number
    picture = language.tiles[tile or "desert"]
    pictures = [Part("picture", picture, f"tile_{ENGLISH.tiles[tile or 'desert'].partition(' ')[0]}")]
    return [Part("picture", f"prob_{number}", f"prob_{number}"), *pictures] if number else pictures


def carried(events: Iterable[Event]) -> tuple[Event, ...]:
    """What of these events a chat log can tell: no answers to offers, no places, no counts, no victims of a monopoly."""
    return tuple(told for told in map(_carried, events) if told is not None)


def _carried(event: Event) -> Event | None:
    match event:
        case Accept() | Decline() | HandCount() | HandSeen() | Correction() | BankCount() | Gain():
            return None
        case Build():
            return replace(event, corner=None, edge=None)
        case MoveRobber():
            return replace(event, hex=None)
        case BuyDevCard():
            return replace(event, card=None)
        case Monopoly():
            return replace(event, losses=None)
        case _:
            return event
