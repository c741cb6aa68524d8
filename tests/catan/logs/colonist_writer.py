"""Recorded games in the words of colonist.io: a full state, then one merge patch for each thing that happens."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import groupby
from typing import Any, NamedTuple

from kibitz import game
from kibitz.catan.core.actions import CARDS, Action
from kibitz.catan.core.board import PORT_TYPES, RESOURCES, Board
from kibitz.catan.core.events import (
    AWARDS,
    Accept,
    BankCount,
    Build,
    BuyDevCard,
    Cards,
    Correction,
    Decline,
    Event,
    Gain,
    HandCount,
    HandSeen,
    Monopoly,
    MoveRobber,
    UnknownCards,
)
from kibitz.catan.core.position import members
from kibitz.catan.core.record import Record
from kibitz.catan.core.state import VICTORY_POINT
from kibitz.catan.core.topology import AXIAL, HALF
from kibitz.catan.core.transcript import events_of
from kibitz.catan.logs.base import ImportedLog
from kibitz.catan.logs.colonist.values import BACK, CORNER_AT, DEV_BACK, DEV_CARDS, EDGE_AT, PIECES, Spot
from kibitz.catan.logs.colonist.wordings import ENGLISH
from kibitz.game.definition import seat_or_none
from tests.catan.logs.chat_rows import Part, parts_of

_SEPARATOR = {"text": {"type": 44}}
_ACCEPTED, _DECLINED = 1, 2
GAME, FULL_STATE, PATCH = "130", 4, 91
DEV_CARD_NUMBERS = {name: number for number, name in DEV_CARDS.items()}
PIECE_NUMBERS = {name: number for number, name in PIECES.items()}
CORNER_SPOTS = {corner: spot for spot, corner in CORNER_AT.items()}
EDGE_SPOTS = {edge: spot for spot, edge in EDGE_AT.items()}


#: The former wording of the chat.
OLD_TEMPLATES = {
    **{kind: templates[0] for kind, templates in ENGLISH.templates.items()},
    "start": "{player} received starting resources: {cards}",
    "roll": "{player} rolled: {dice}",
    "got": "{player} got: {cards}",
    "bank": "{player} gave bank: {give} and took: {receive}",
    "trade": "{player} traded: {give} for: {receive} with: {partner}",
    "offer": "{player} wants to give: {give} for: {receive}",
    "monopoly": "{player} stole {count}: {card}",
    "steal": "{player} stole: {cards} from: {partner}",
    "plenty": "{player} took from bank: {cards}",
    "discard": "{player} discarded: {cards}",
    "passed": "{award} has passed from: {partner} to: {player}",
}


def map_of(board: Board) -> dict[str, Any]:
    """The `mapState` of a board before the first settlement, listed under our own numbers."""
    tiles = {
        str(h): {
            "x": AXIAL[h][0],
            "y": AXIAL[h][1],
            "type": 0 if hex.resource is None else RESOURCES.index(hex.resource) + 1,
            "diceNumber": hex.number or 0,
        }
        for h, hex in enumerate(board.hexes)
    }
    return {
        "tileHexStates": tiles,
        "tileCornerStates": {str(c): _coordinates(CORNER_SPOTS[c]) for c in sorted(CORNER_SPOTS)},
        "tileEdgeStates": {str(e): _coordinates(EDGE_SPOTS[e]) for e in sorted(EDGE_SPOTS)},
        "portEdgeStates": {
            str(i): {**_coordinates(EDGE_SPOTS[harbour.edge]), "type": PORT_TYPES.index(harbour.kind) + 1}
            for i, harbour in enumerate(board.harbours)
        },
    }


def _coordinates(spot: Spot) -> dict[str, int]:
    return dict(zip("xyz", spot, strict=True))


def numbers_of(cards: Cards) -> list[int]:
    """The card numbers of resources."""
    return [number for number, n in enumerate(cards, start=1) for _ in range(n)]


class _Step(NamedTuple):
    """An action with the positions around it; the single cards of one player's discard are one step."""

    actor: int
    action: Action
    before: dict[str, Any]
    after: dict[str, Any]


class Scribe:
    """Writes a game as the observer (None: a spectator) was told it, or with nothing hidden."""

    def __init__(
        self, record: Record, players: Sequence[str] | None = None, observer: int | None = None, all_seeing: bool = False
    ) -> None:
        self._record = record
        self._players = events_of(record, observer, players=players).players
        self._observer = observer
        self._all_seeing = all_seeing
        self._index = 0
        self._offers = 0

    def _sees(self, *seats: int) -> bool:
        return self._all_seeing or self._observer in seats

    # --- the full state -----------------------------------------------------------------------------------

    def header(self) -> dict[str, Any]:
        """What surrounds the full state: the players and the settings."""
        rules = self._record.rules
        users = [
            {"username": name, "selectedColor": colour, "isBot": False} for colour, name in enumerate(self._players, start=1)
        ]
        perspective = {} if self._observer is None else {"playerColor": self._observer + 1}
        return perspective | {
            "playOrder": list(range(1, len(self._players) + 1)),
            "playerUserStates": users,
            "gameSettings": {
                "victoryPointsToWin": rules.victory_points,
                "cardDiscardLimit": rules.discard_limit,
                "friendlyRobber": rules.friendly_robber,
                "hideBankCards": False,
            },
        }

    def state(self) -> dict[str, Any]:
        """The position before the first settlement."""
        row = game.to_dict(self._record.start())
        limit = self._record.rules.discard_limit
        colours = [str(seat + 1) for seat in range(row["seats"])]
        return {
            "bankState": {"hideBankCards": False, "resourceCards": _by_number(row["bank"])},
            "playerStates": {
                colour: {"color": int(colour), "resourceCards": {"cards": []}, "cardDiscardLimit": limit} for colour in colours
            },
            "mechanicDevelopmentCardsState": {
                "bankDevelopmentCards": {"cards": self._deck(row)},
                "players": {colour: {"developmentCards": {"cards": []}, "developmentCardsUsed": []} for colour in colours},
            },
            "mechanicRobberState": {"locationTileIndex": row["robber"], "isActive": True},
            "mapState": map_of(self._record.board),
            "tradeState": {"activeOffers": {}, "closedOffers": {}},
            "gameLogState": {},
        }

    def _deck(self, row: dict[str, Any]) -> list[int]:
        return _dev_cards(row["deck"]) if self._all_seeing else [DEV_BACK] * row["deck_size"]

    # --- the patches --------------------------------------------------------------------------------------

    def patches(self) -> Iterator[dict[str, Any]]:
        """The merge patches of the whole game; those that say nothing are left out."""
        for step in self._steps():
            patch = self._changes(step.before, step.after) | self._trade(step)
            log = {}
            for entry in (*self._entries(step), *_awards(step), *_end(step)):
                if entry is not None:
                    log[str(self._index)] = entry
                self._index += 1
            if log:
                patch["gameLogState"] = log
            if patch:
                yield patch

    def _steps(self) -> Iterator[_Step]:
        states = self._record.start()
        before = game.to_dict(states)
        steps = []
        for code in self._record.codes:
            actor = game.actor_at(states, 0)
            game.apply_at(states, 0, code)
            after = game.to_dict(states)
            steps.append(_Step(actor, Action.from_code(code), before, after))
            before = after
        for (kind, _), group in groupby(steps, key=lambda step: (step.action.kind, step.actor)):
            alike = list(group)
            if kind == "discard_resource":
                yield alike[0]._replace(after=alike[-1].after)
            else:
                yield from alike

    def _changes(self, before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
        """What differs between two positions."""
        patch: dict[str, Any] = {}
        seats = range(after["seats"])
        hands = {str(s + 1): self._hand(s, after) for s in seats if after["hand"][s] != before["hand"][s]}
        if hands:
            patch["playerStates"] = hands
        if after["bank"] != before["bank"]:
            old = _by_number(before["bank"])
            patch["bankState"] = {"resourceCards": {key: n for key, n in _by_number(after["bank"]).items() if n != old[key]}}
        dev_cards = {
            str(s + 1): self._dev_cards(s, after)
            for s in seats
            if (after["dev"][s], after["played"][s]) != (before["dev"][s], before["played"][s])
        }
        if dev_cards:
            patch["mechanicDevelopmentCardsState"] = {
                "bankDevelopmentCards": {"cards": self._deck(after)},
                "players": dev_cards,
            }
        if after["robber"] != before["robber"]:
            patch["mechanicRobberState"] = {"locationTileIndex": after["robber"]}
        pieces = _pieces(before, after)
        return patch | ({"mapState": pieces} if pieces else {})

    def _hand(self, seat: int, row: dict[str, Any]) -> dict[str, Any]:
        cards = numbers_of(Cards(*row["hand"][seat]))
        return {"resourceCards": {"cards": cards if self._sees(seat) else [BACK] * len(cards)}}

    def _dev_cards(self, seat: int, row: dict[str, Any]) -> dict[str, Any]:
        cards = _dev_cards(row["dev"][seat])
        return {
            "developmentCards": {"cards": cards if self._sees(seat) else [DEV_BACK] * len(cards)},
            "developmentCardsUsed": _dev_cards(row["played"][seat]),
        }

    def _trade(self, step: _Step) -> dict[str, Any]:
        """The offer, the answers to it, and its end."""
        kind, row = step.action.kind, step.before
        offer: dict[str, Any] | None
        if kind == "offer_trade":
            self._offers += 1
            offer = {
                "id": f"T{self._offers}",
                "creator": step.actor + 1,
                "offeredResources": _numbers(step.action.data["give"]),
                "wantedResources": _numbers(step.action.data["receive"]),
                "playerResponses": {str(seat + 1): 0 for seat in range(row["seats"]) if seat != step.actor},
            }
        elif kind in ("accept_offer", "decline_offer"):
            offer = {"playerResponses": {str(step.actor + 1): _ACCEPTED if kind == "accept_offer" else _DECLINED}}
        elif kind in ("confirm_trade", "cancel_offer", "end_turn") and self._offers:
            offer = None
        else:
            return {}
        return {"tradeState": {"activeOffers": {f"T{self._offers}": offer}}}

    # --- the log ------------------------------------------------------------------------------------------

    def _entries(self, step: _Step) -> Iterator[dict[str, Any] | None]:
        """The entries of a step; None stands for one that is not sent to the observer."""
        actor, (kind, data) = step.actor, (step.action.kind, step.action.data)
        player, row = step.before["player"], step.before
        gained = [Cards(*step.after["hand"][s]).minus(Cards(*row["hand"][s])) for s in range(row["seats"])]
        match kind:
            case "place_setup_settlement":
                yield _entry(actor, 4, pieceEnum=PIECE_NUMBERS["settlement"])
                if gained[actor].size:
                    yield _entry(actor, 47, cardsToBroadcast=numbers_of(gained[actor]), distributionType=0)
            case "place_setup_road":
                yield _entry(actor, 4, pieceEnum=PIECE_NUMBERS["road"])
                yield _SEPARATOR
            case "place_free_road":
                yield _entry(actor, 4, pieceEnum=PIECE_NUMBERS["road"])
            case "build_road" | "build_settlement" | "build_city":
                piece = kind.removeprefix("build_")
                yield _entry(actor, 5, pieceEnum=PIECE_NUMBERS[piece], isVp=piece != "road")
            case "rolled":
                first = max(1, data["total"] - 6)
                yield _entry(player, 10, firstDice=first, secondDice=data["total"] - first)
                for seat, cards in enumerate(gained):
                    if cards.size:
                        yield _entry(seat, 47, cardsToBroadcast=numbers_of(cards), distributionType=1)
            case "discard_resource":
                lost = Cards().minus(gained[actor])
                yield _entry(actor, 55, cardEnums=numbers_of(lost), areResourceCards=True)
            case "move_robber":
                hex = self._record.board.hexes[data["hex"]]
                terrain = 0 if hex.resource is None else Cards._fields.index(hex.resource) + 1
                yield _entry(actor, 11, pieceEnum=5, tileInfo={"tileType": terrain, "diceNumber": hex.number or 0})
            case "stolen":
                yield from self._theft(player, row["victim"], _numbers({data["resource"]: 1}), row["seats"])
            case "trade_bank":
                yield _entry(actor, 116, givenCardEnums=_numbers(data["give"]), receivedCardEnums=_numbers(data["receive"]))
            case "offer_trade":
                yield _entry(actor, 118, offeredCardEnums=_numbers(data["give"]), wantedCardEnums=_numbers(data["receive"]))
            case "confirm_trade":
                given, received = (numbers_of(Cards(*(max(sign * n, 0) for n in row["offer"]))) for sign in (1, -1))
                yield _entry(
                    actor, 115, acceptingPlayerColor=data["partner"] + 1, givenCardEnums=given, receivedCardEnums=received
                )
            case "drawn":
                yield _entry(player, 1)
            case "play_knight" | "play_road_building" | "play_year_of_plenty" | "play_monopoly":
                yield _entry(actor, 20, cardEnum=DEV_CARD_NUMBERS[kind.removeprefix("play_")])
                if kind == "play_year_of_plenty":
                    yield _entry(actor, 21, cardEnums=numbers_of(gained[actor]))
                if kind == "play_monopoly":
                    (card,) = _numbers({data["resource"]: 1})
                    yield _entry(actor, 86, cardEnum=card, amountStolen=gained[actor].size)
            case "reveal_vp":
                yield _entry(actor, 20, cardEnum=DEV_CARD_NUMBERS[CARDS[VICTORY_POINT].value])
            case "end_turn":
                yield _SEPARATOR
            case _:  # what no entry tells of
                pass

    def _theft(self, thief: int, victim: int, cards: list[int], seats: int) -> Iterator[dict[str, Any] | None]:
        """One entry for the thief, one for the victim, one for all others."""
        to_thief = _entry(victim, 14, cardEnums=cards) | {"from": thief + 1, "specificRecipients": [thief + 1]}
        to_victim = _entry(thief, 15, cardEnums=cards) | {"specificRecipients": [victim + 1]}
        others = [seat + 1 for seat in range(seats) if seat not in (thief, victim)]
        text = {"type": 16, "playerColorThief": thief + 1, "playerColorVictim": victim + 1, "cardBacks": [BACK]}
        to_others = {"text": text, "from": thief + 1, "specificRecipients": others}
        yield to_thief | {"toSpectators": False} if self._sees(thief) else None
        yield to_victim | {"toSpectators": False} if self._sees(victim) else None
        yield to_others if self._all_seeing or self._observer not in (thief, victim) else None


def _entry(seat: int, type: int, **fields: Any) -> dict[str, Any]:
    return {"text": {"type": type, "playerColor": seat + 1, **fields}, "from": seat + 1}


def _awards(step: _Step) -> Iterator[dict[str, Any]]:
    for number, award in enumerate(AWARDS):
        holder = f"{award.removeprefix('longest_').removeprefix('largest_')}_holder"
        old, new = seat_or_none(step.before[holder]), seat_or_none(step.after[holder])
        if old == new:
            continue
        if old is None and new is not None:
            yield _entry(new, 66, achievementEnum=number)
        elif old is not None and new is None:
            yield _entry(old, 67, achievementEnum=number)
        elif old is not None and new is not None:
            text = {"type": 68, "achievementEnum": number, "playerColorOld": old + 1, "playerColorNew": new + 1}
            yield {"text": text, "from": new + 1}


def _end(step: _Step) -> Iterator[dict[str, Any]]:
    winner = seat_or_none(step.after["winner"])
    if winner is not None:
        yield _entry(winner, 45)


def _pieces(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """What was built, as part of a `mapState`: only the fields that change."""
    corners: dict[str, dict[str, int]] = {}
    edges: dict[str, dict[str, int]] = {}
    for seat in range(after["seats"]):
        for corner in members(after["settlements"][seat] & ~before["settlements"][seat]):
            corners[str(corner)] = {"owner": seat + 1, "buildingType": 1}
        for corner in members(after["cities"][seat] & ~before["cities"][seat]):
            corners[str(corner)] = {"buildingType": 2}
        for half in (0, 1):
            for edge in members(after["roads"][seat][half] & ~before["roads"][seat][half]):
                edges[str(edge + half * HALF)] = {"owner": seat + 1, "type": 1}
    parts = {"tileCornerStates": corners, "tileEdgeStates": edges}
    return {name: part for name, part in parts.items() if part}


def _by_number(counts: list[int]) -> dict[str, int]:
    return {str(number): n for number, n in enumerate(counts, start=1)}


def _numbers(bundle: Any) -> list[int]:
    return numbers_of(Cards.of(dict(bundle)))


def _dev_cards(counts: list[int]) -> list[int]:
    return [DEV_CARD_NUMBERS[card.value] for card, n in zip(CARDS, counts, strict=True) for _ in range(n)]


# --- the files ----------------------------------------------------------------------------------------------


def frames(record: Record, observer: int | None = None, players: Sequence[str] | None = None) -> str:
    """The messages that the observer (None: a spectator) would have been sent of a recorded game."""
    scribe = Scribe(record, players, observer)
    payloads = [(FULL_STATE, scribe.header() | {"gameState": scribe.state()})]
    payloads += [(PATCH, {"diff": patch}) for patch in scribe.patches()]
    written = [
        {"id": GAME, "data": {"type": type, "sequence": sequence, "payload": payload}}
        for sequence, (type, payload) in enumerate(payloads, start=1)
    ]
    return json.dumps(written)


def replay(record: Record, observer: int | None = None, players: Sequence[str] | None = None) -> str:
    """A recorded game as a replay, which shows everything, whoever looks."""
    scribe = Scribe(record, players, all_seeing=True)
    events = [{"input": {}, "stateChange": patch} for patch in scribe.patches()]
    history = {"initialState": scribe.state(), "events": events}
    return json.dumps({"data": scribe.header() | {"eventHistory": history}})


_STYLE = "font-weight: 600; word-break: break-all; color: "
_INKS = ("#e27174", "#223697", "#e09742", "#62b95d", "#3e3e3e", "#8b5a2b")


def page(record: Record, observer: int | None = None, players: Sequence[str] | None = None) -> str:
    """A game as the saved page of `observer` (None: a spectator), with all its rows."""
    log = events_of(record, observer, players=players)
    inks = dict(zip(log.players, _INKS, strict=False))
    if observer is not None:
        inks[ENGLISH.you[0]] = _INKS[observer]
    rows = []
    for index, parts in enumerate(parts_of(log, record.board)):
        avatar = '<div><img src="assets/icon_player.svg"/></div>' if parts else ""
        content = "".join(_marked_up(part, inks) for part in parts) or "<hr/>"
        rows.append(f'<div data-index="{index}"><div>{avatar}<span>{content}</span></div></div>')
    return "\n".join(["<html><body><div>", *rows, "</div></body></html>", ""])


def _marked_up(part: Part, inks: dict[str, str]) -> str:
    if part.kind == "picture":
        return f' <img src="assets/{part.file}.svg" alt="{escape(part.text)}"/>'
    if part.kind == "name":
        return f'<span style="{_STYLE}{inks[part.text]}">{escape(part.text)}</span>'
    return escape(part.text)


def old_chat(record: Record, observer: int | None = None, players: Sequence[str] | None = None) -> str:
    """A game as the chat text that `observer` (None: a spectator) saw, in the old wording."""
    rows = parts_of(events_of(record, observer, players=players), record.board, OLD_TEMPLATES)
    return "\n".join([*(f" {''.join(map(_old_word, parts)) or '<hr>'}" for parts in rows), ""])


def _old_word(part: Part) -> str:
    if part.kind != "picture":
        return part.text
    word = part.file if part.file.startswith(("settlement", "road", "city")) else part.text.lower()
    return f" {word.removeprefix('dice_')}"


def without_opening(imported: ImportedLog) -> ImportedLog:
    """A log without what everybody can have held where it begins, if that is in the middle of a game."""
    told = [
        (line, event)
        for line, event in zip(imported.lines, imported.log.events, strict=True)
        if not isinstance(event, (UnknownCards, Correction))
    ]
    log = replace(imported.log, events=tuple(event for _, event in told))
    return replace(imported, log=log, lines=tuple(line for line, _ in told))


# --- what arrives -------------------------------------------------------------------------------------------


def carried_by_messages(events: Iterable[Event]) -> tuple[Event, ...]:
    """What messages and replays can carry of a game's events: all but counts and corrections.

    Counts are told by the position at the end of each turn instead.
    """
    return tuple(event for event in events if not isinstance(event, (HandCount, HandSeen, BankCount, Correction)))


def carried_by_chat(events: Iterable[Event]) -> tuple[Event, ...]:
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
