"""The chat of colonist.io as rows of words, names and pictures: what its page shows, and what was copied from it years ago."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from kibitz.catan.core import events
from kibitz.catan.core.board import Board
from kibitz.catan.core.events import Cards, Event, EventLog
from kibitz.catan.logs.colonist.html import COLOURS
from kibitz.catan.logs.colonist.language import NAMES
from kibitz.catan.logs.colonist.wordings import ENGLISH


class Part(NamedTuple):
    """A piece of a row: plain text, a player's name, or a picture with the word that stands for it."""

    kind: str
    text: str
    #: The name of a picture's file.
    file: str = ""


Slots = Mapping[str, Sequence[Part]]

#: The sentences that are filled in from the fields of an event alone.
_PLAIN: dict[type[Event], str] = {
    events.StartingResources: "start",
    events.YearOfPlenty: "plenty",
    events.BankTrade: "bank",
    events.PlayerTrade: "trade",
    events.Offer: "offer",
    events.CounterOffer: "counter",
    events.Discard: "discard",
    events.Win: "won",
}
_TEMPLATES = {kind: templates[0] for kind, templates in ENGLISH.templates.items()}


def parts_of(log: EventLog, board: Board, templates: Mapping[str, str] = _TEMPLATES) -> Iterator[list[Part]]:
    """The rows of a log; an empty one is the rule between two turns."""
    holders: dict[str, int] = {}
    rolled = False
    for event in log.events:
        rolled = rolled or isinstance(event, events.Roll)
        if isinstance(event, events.EndTurn):
            yield []
            continue
        for kind, slots in _sentences(event, log, board, holders):
            yield _filled(templates[kind], slots)
        if isinstance(event, events.Build) and event.piece == "road" and not rolled:
            yield []
        if isinstance(event, events.Award):
            holders.pop(event.award, None)
            if event.player is not None:
                holders[event.award] = event.player


def _filled(template: str, slots: Slots) -> list[Part]:
    parts: list[Part] = []
    for piece in re.split(r"(\{[a-z_]+\})", template):
        parts += slots.get(piece[1:-1], ()) if piece.startswith("{") else [Part("text", piece)] if piece else []
    return [*parts, *slots.get("points", ())]


def _sentences(event: Event, log: EventLog, board: Board, holders: Mapping[str, int]) -> Iterator[tuple[str, Slots]]:
    """The kinds of sentences that tell an event, with what is filled into them; answers to offers the log does not show."""

    def name(seat: int) -> list[Part]:
        return [Part("name", log.players[seat])]

    def cards(hand: Cards) -> list[Part]:
        return [_card(resource) for resource in hand.names()]

    slots = {slot: name(seat) for slot in NAMES if (seat := getattr(event, slot, None)) is not None}
    slots |= {slot: cards(hand) for slot in ("cards", "give", "receive") if (hand := getattr(event, slot, None)) is not None}
    match event:
        case events.Roll(_, total, gains):
            first = max(1, total - 6)
            yield "roll", {**slots, "dice": [Part("picture", f"dice_{n}", f"dice_{n}") for n in (first, total - first)]}
            for seat, hand in gains.items():
                yield "got", {"player": name(seat), "cards": cards(hand)}
        case events.Build(player, piece, free):
            word = Part("picture", ENGLISH.pieces[piece][0], f"{piece}_{COLOURS[player]}")
            points = [Part("text", f" (+1 {ENGLISH.points[0]})")] if piece != "road" and not free else []
            yield "placed" if free else "built", {**slots, "piece": [word], "points": points}
        case events.BuyDevCard():
            yield "bought", {**slots, "dev_back": [Part("picture", ENGLISH.dev_back[0], "card_devcardback")]}
        case events.PlayDevCard(_, card):
            title = ENGLISH.dev_cards[card][0]
            picture = Part("picture", title, f"card_{card.replace('_', '')}")
            yield "used", {**slots, "dev_card": [Part("text", title), picture]}
        case events.Monopoly(_, resource, total):
            yield "monopoly", {**slots, "count": [Part("text", str(total))], "card": [_card(resource)]}
        case events.MoveRobber(_, hex):
            yield "robber", {**slots, "any": [] if hex is None else _tile(board, hex)}
        case events.Steal(player, victim, stolen):
            thief = [Part("name", ENGLISH.you[0])] if player == log.observer else name(player)
            robbed = [Part("text", ENGLISH.you[1])] if victim == log.observer else name(victim)
            yield "steal", {"player": thief, "partner": robbed, "cards": [_card(stolen)]}
        case events.Discard(_, None, count):
            yield "discard", {**slots, "cards": [_card(None)] * (count or 0)}
        case events.Award(player, award):
            slots |= {"award": [Part("text", ENGLISH.awards[award][0])]}
            points = [Part("text", f" (+2 {ENGLISH.points[-1]})")]
            if player is None:
                yield "lost", {**slots, "player": name(holders[award])}
            elif award in holders:
                yield "passed", {**slots, "partner": name(holders[award]), "points": points}
            else:
                yield "award", {**slots, "points": points}
        case _ if type(event) in _PLAIN:
            yield _PLAIN[type(event)], slots


def _card(resource: str | None) -> Part:
    if resource is None:
        return Part("picture", ENGLISH.hidden[0], "card_rescardback")
    word = ENGLISH.resources[resource][0]
    return Part("picture", word, f"card_{word.lower()}")


def _tile(board: Board, hex: int) -> list[Part]:
    resource, number = board.hexes[hex]
    word = ENGLISH.tiles[resource or "desert"]
    tokens = [Part("picture", f"prob_{number}", f"prob_{number}")] if number else []
    return [*tokens, Part("picture", word, f"tile_{word.partition(' ')[0]}")]
