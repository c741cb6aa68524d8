"""Games that the package catanatron writes as JSON (`--output-format json`, or its `GameEncoder`), old and new.

The file holds the board, every action with the outcome of chance, and the last position: everything is known. What it
leaves out follows from the board: the cards of the second settlement, and what a roll brings.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kibitz.catan.core.events import (
    MOST_PLAYERS,
    Accept,
    BankTrade,
    Build,
    BuyDevCard,
    Cards,
    Decline,
    Discard,
    EndTurn,
    Event,
    EventLog,
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
    is_text,
    seen_by,
)
from kibitz.catan.core.rules.costs import CITY_COST, DEV_COST, ROAD_COST, SETTLEMENT_COST
from kibitz.catan.core.state import SUPPLY, Rules
from kibitz.catan.core.topology import AXIAL
from kibitz.catan.logs.base import ImportedLog, LogError, Notebook
from kibitz.catan.logs.catanatron.board import RESOURCES, axial, corners_of, harbours_of, island_of, tiles_of
from kibitz.catan.logs.island import Island
from kibitz.ground.codec import parse_json

_CARDS = {name.upper(): name for name in ("knight", "victory_point", "road_building", "year_of_plenty", "monopoly")}


def recognises(text: str) -> bool:
    """One JSON object with tiles, colours and actions."""
    return text.lstrip().startswith("{") and all(name in text for name in ('"tiles"', '"colors"', '"player_state"', '"action'))


def read(text: str, me: str | None = None, strict: bool = False) -> ImportedLog:
    """Read a game as `me` (a colour) or a spectator sees it; `everything` hides nothing. Lines are numbers of actions."""
    data = _file(text)
    colours = _colours(data.get("colors"))
    observer = None if me is None else _seat_of(me, colours)
    tiles = tiles_of(data.get("tiles"))
    island = island_of(tiles)
    board = island.board(harbours_of(tiles))
    game = _Game(colours, corners_of(data.get("nodes")), island, Notebook(len(colours), strict))
    for number, entry in enumerate(_actions(data), start=1):
        game.follow(number, entry)
    game.end(data)
    rules = Rules(game.victory_points(data), game.limit.found())
    everything = tuple(game.notebook.events)
    log = EventLog(colours, tuple(seen_by(event, observer) for event in everything), observer, rules.victory_points)
    lines, problems = tuple(game.notebook.lines), tuple(game.notebook.problems)
    return ImportedLog("catanatron", log, lines, problems, board, rules, everything, lines)


# --- the file ---------------------------------------------------------------------------------------------


def _file(text: str) -> dict[str, Any]:
    try:
        data = parse_json(text)
    except ValueError as error:
        raise LogError(1, str(error)) from None
    if not isinstance(data, dict):
        raise LogError(1, "expected an object with the fields tiles, colors and actions")
    return data


def _colours(value: Any) -> tuple[str, ...]:
    """The players, in the order of their seats."""
    names = value if isinstance(value, list) and all(isinstance(name, str) and is_text(name) for name in value) else []
    if not 2 <= len(names) <= MOST_PLAYERS or len(set(names)) < len(names):
        raise LogError(1, f"colors: expected 2 to {MOST_PLAYERS} different names")
    return tuple(names)


def _seat_of(me: str, colours: tuple[str, ...]) -> int:
    for seat, colour in enumerate(colours):
        if me.casefold() == colour.casefold():
            return seat
    raise LogError(1, f"there is no player {me!r}; the players are {', '.join(colours)}")


def _actions(data: Mapping[str, Any]) -> list[Any]:
    for name in ("action_records", "actions"):
        if isinstance(data.get(name), list):
            return list(data[name])
    raise LogError(1, "the field actions is missing")


# --- values of actions ------------------------------------------------------------------------------------


def _resource(value: Any) -> str:
    if not isinstance(value, str) or value not in RESOURCES:
        raise InvalidEvent("expected a resource")
    return RESOURCES[value]


def _list(value: Any, low: int, high: int) -> list[Any]:
    if not isinstance(value, list) or not low <= len(value) <= high:
        raise InvalidEvent(f"expected a list of {low} to {high} values" if low < high else f"expected a list of {low} values")
    return value


def _cards(value: Any, most: int) -> Cards:
    return Cards.of([_resource(name) for name in _list(value, 0, most)])


def _counts(value: list[Any]) -> Cards:
    if not all(type(n) is int and n >= 0 for n in value):
        raise InvalidEvent("expected numbers of cards")
    return Cards(*value)


# --- the game ---------------------------------------------------------------------------------------------


@dataclass
class _DiscardLimit:
    """What a game shows of its discard limit, which the file does not name."""

    kept: int = 0
    split: int = 1000

    def found(self) -> int:
        """The limit nearest to the usual one that fits; where none fits, the usual one."""
        low, high = max(self.kept, 1), min(self.split - 1, 95)
        return min(max(7, low), high) if low <= high else 7


class _Game:
    """Follows the actions, and adds what they leave out."""

    def __init__(self, colours: tuple[str, ...], corners: Mapping[int, int], island: Island, notebook: Notebook) -> None:
        self.colours = colours
        self.corners = corners
        self.island = island
        self.notebook = notebook
        self.hands = [Cards() for _ in colours]
        self.bank = Cards(*[SUPPLY] * len(Cards._fields))
        #: Cards discarded by each seat that the file does not name.
        self.unnamed = [0] * len(colours)
        #: False once a card has moved that the file does not name.
        self.exact = True
        self.settlements = [0] * len(colours)
        self.setting_up = True
        self.free_roads = 0
        self.turn = 0
        #: What lies on the table: who gives what for what.
        self.offer: Offer | None = None
        self.limit = _DiscardLimit()
        #: After a seven: the hands before anybody discarded, by seat.
        self.before_discards: dict[int, int] = {}
        self.number = 0

    def follow(self, number: int, entry: Any) -> None:
        """One action: colour, type and value; in newer files a pair of that and its result."""
        self.number = number
        try:
            result = None
            if isinstance(entry, list) and len(entry) == 2:
                entry, result = entry
            colour, kind, value = _list(entry, 3, 3)
            if not isinstance(colour, str) or colour not in self.colours:
                raise InvalidEvent("no such player")
            if not isinstance(kind, str) or kind not in _KINDS:
                raise InvalidEvent("no such action")
            _KINDS[kind](self, self.colours.index(colour), value, result)
        except InvalidEvent as error:
            self.notebook.problem(number, str(error), reprlib.repr(entry))

    def end(self, data: Mapping[str, Any]) -> None:
        """The winner; and the hands at the end, which must be those that we arrived at."""
        winner = data.get("winning_color")
        if isinstance(winner, str) and winner in self.colours:
            self.add(Win(self.colours.index(winner)))
        state = data.get("player_state")
        if not isinstance(state, dict) or not self.exact or self.notebook.problems:
            return
        for seat, hand in enumerate(self.hands):
            held = [state.get(f"P{seat}_{name}_IN_HAND", n) for name, n in zip(RESOURCES, hand, strict=True)]
            if held != list(hand):
                self.notebook.problem(
                    self.number, f"by the actions {self.colours[seat]} ends with {hand.text()}, by the file not"
                )

    def victory_points(self, data: Mapping[str, Any]) -> int:
        """The file does not name them: as many as the winner has, if that is not what one step makes of 10."""
        state, winner = data.get("player_state"), data.get("winning_color")
        if isinstance(state, dict) and isinstance(winner, str) and winner in self.colours:
            points = state.get(f"P{self.colours.index(winner)}_ACTUAL_VICTORY_POINTS")
            if type(points) is int and 3 <= points <= 20 and not 10 <= points <= 12:
                return points
        return Rules().victory_points

    def add(self, *events: Event) -> None:
        for event in events:
            self.notebook.add(self.number, event)

    def gain(self, seat: int, cards: Cards) -> None:
        """Cards from the bank into a hand."""
        self.hands[seat], self.bank = self.hands[seat].plus(cards), self.bank.minus(cards)

    def pay(self, seat: int, cards: Cards) -> None:
        """Cards from a hand into the bank."""
        self.hands[seat], self.bank = self.hands[seat].minus(cards), self.bank.plus(cards)

    def pass_on(self, giver: int, taker: int, cards: Cards) -> None:
        """Cards from hand to hand."""
        self.pay(giver, cards)
        self.gain(taker, cards)

    def size(self, seat: int) -> int:
        """How many cards a hand holds."""
        return self.hands[seat].size - self.unnamed[seat]

    def corner(self, value: Any) -> int:
        if type(value) is not int or value not in self.corners:
            raise InvalidEvent("expected a node of the island")
        return self.corners[value]

    # Pieces

    def settlement(self, seat: int, value: Any, _: Any) -> None:
        corner = self.corner(value)
        self.add(Build(seat, "settlement", self.setting_up, corner=corner))
        self.island.buildings[corner] = seat, 1
        self.settlements[seat] += 1
        if not self.setting_up:
            self.pay(seat, Cards(*SETTLEMENT_COST))
        elif self.settlements[seat] == 2:
            cards = self.island.around(corner)
            self.gain(seat, cards)
            if cards.size:
                self.add(StartingResources(seat, cards))

    def city(self, seat: int, value: Any, _: Any) -> None:
        corner = self.corner(value)
        self.add(Build(seat, "city", corner=corner))
        self.island.buildings[corner] = seat, 2
        self.pay(seat, Cards(*CITY_COST))

    def road(self, seat: int, value: Any, _: Any) -> None:
        ends = [self.corner(node) for node in _list(value, 2, 2)]
        free = self.setting_up or self.free_roads > 0
        self.add(Build(seat, "road", free, edge=(ends[0], ends[1])))
        self.free_roads = max(self.free_roads - 1, 0)
        if not free:
            self.pay(seat, Cards(*ROAD_COST))

    # The roll and the robber

    def roll(self, seat: int, value: Any, result: Any) -> None:
        dice = _list(value if result is None else result, 2, 2)
        if not all(type(die) is int and 1 <= die <= 6 for die in dice):
            raise InvalidEvent("expected two dice")
        self.setting_up, self.turn = False, seat
        claims = self.island.claims(sum(dice))
        short = [sum(cards[r] for cards in claims.values()) > self.bank[r] for r in range(len(Cards._fields))]
        # catanatron pays nobody where the supply does not last, also if only one player asks
        gains = {s: Cards(*(0 if short[r] else n for r, n in enumerate(cards))) for s, cards in claims.items()}
        self.add(Roll(seat, sum(dice), gains))
        for s, cards in gains.items():
            self.gain(s, cards)
        self.before_discards = {s: self.size(s) for s in range(len(self.hands))} if sum(dice) == 7 else {}

    def discard(self, seat: int, value: Any, result: Any) -> None:
        """A whole discard (in older files of unknown cards), or one card of it."""
        given = value if result is None else result
        if isinstance(given, str):
            given = [given]
        size = self.before_discards.pop(seat, None)
        if size is not None:
            self.limit.split = min(self.limit.split, size)
        if given is None:
            count = max(self.size(seat), 0) // 2
            self.add(Discard(seat, count=count))
            self.unnamed[seat] += count
            self.exact = False
            return
        cards = _cards(given, 100)
        self.pay(seat, cards)
        last = self.notebook.events[-1] if self.notebook.events else None
        if isinstance(last, Discard) and last.player == seat and last.cards is not None:
            self.notebook.events[-1] = Discard(seat, last.cards.plus(cards))
        else:
            self.add(Discard(seat, cards))

    def robber(self, seat: int, value: Any, result: Any) -> None:
        at, victim, *card = _list(value, 2, 3)
        place = axial(at)
        if place not in AXIAL:
            raise InvalidEvent("expected a hex of the island")
        stolen = card[0] if card and card[0] is not None else result
        if victim is not None and (not isinstance(victim, str) or victim not in self.colours):
            raise InvalidEvent("no such victim")
        resource = None if stolen is None else _resource(stolen)
        self.limit.kept = max([self.limit.kept, *self.before_discards.values()])
        self.before_discards = {}
        self.island.robber = AXIAL.index(place)
        self.add(MoveRobber(seat, self.island.robber))
        if victim is not None:
            robbed = self.colours.index(victim)
            self.add(Steal(seat, robbed, resource))
            if resource is None:
                self.exact = False
            else:
                self.pass_on(robbed, seat, Cards.of({resource: 1}))

    # Trade

    def maritime(self, seat: int, value: Any, _: Any) -> None:
        *given, asked = _list(value, 2, 5)
        give, receive = _cards([name for name in given if name is not None], 4), _cards([asked], 1)
        self.add(BankTrade(seat, give, receive))
        self.pay(seat, give)
        self.gain(seat, receive)

    def make_offer(self, seat: int, value: Any, _: Any) -> None:
        cards = _list(value, 10, 11)
        self.offer = Offer(seat, _counts(cards[:5]), _counts(cards[5:10]))
        self.add(self.offer)

    def accept(self, seat: int, value: Any, _: Any) -> None:
        cards = _list(value, 10, 11)
        partner = self.offer.player if self.offer is not None else self.turn
        self.add(Accept(seat, partner, _counts(cards[5:10]), _counts(cards[:5])))

    def reject(self, seat: int, value: Any, _: Any) -> None:
        self.add(Decline(seat, self.offer.player if self.offer is not None else self.turn))

    def confirm(self, seat: int, value: Any, _: Any) -> None:
        *cards, partner = _list(value, 11, 11)
        if not isinstance(partner, str) or partner not in self.colours:
            raise InvalidEvent("no such partner")
        trade = PlayerTrade(seat, self.colours.index(partner), _counts(cards[:5]), _counts(cards[5:]))
        self.add(trade)
        self.offer = None
        self.pass_on(seat, trade.partner, trade.give)
        self.pass_on(trade.partner, seat, trade.receive)

    def cancel(self, seat: int, value: Any, _: Any) -> None:
        self.offer = None

    # Development cards

    def buy_card(self, seat: int, value: Any, result: Any) -> None:
        card = value if result is None else result
        if not isinstance(card, str) or card not in _CARDS:
            raise InvalidEvent("expected a development card")
        self.add(BuyDevCard(seat, _CARDS[card]))
        self.pay(seat, Cards(*DEV_COST))

    def knight(self, seat: int, value: Any, _: Any) -> None:
        self.add(PlayDevCard(seat, "knight"))

    def road_building(self, seat: int, value: Any, _: Any) -> None:
        self.add(PlayDevCard(seat, "road_building"))
        self.free_roads = 2

    def year_of_plenty(self, seat: int, value: Any, _: Any) -> None:
        cards = _cards(value, 2)
        self.add(PlayDevCard(seat, "year_of_plenty"), YearOfPlenty(seat, cards))
        self.gain(seat, cards)

    def monopoly(self, seat: int, value: Any, _: Any) -> None:
        resource = _resource(value)
        losses = {s: getattr(hand, resource) for s, hand in enumerate(self.hands) if s != seat}
        event = Monopoly(seat, resource, sum(losses.values()), losses) if self.exact else Monopoly(seat, resource)
        self.add(PlayDevCard(seat, "monopoly"), event)
        for s, n in losses.items():
            self.pass_on(s, seat, Cards.of({resource: n}))

    def end_turn(self, seat: int, value: Any, _: Any) -> None:
        self.free_roads = 0
        self.offer = None
        self.add(EndTurn(seat))


_KINDS: dict[str, Callable[[_Game, int, Any, Any], None]] = {
    "BUILD_SETTLEMENT": _Game.settlement,
    "BUILD_CITY": _Game.city,
    "BUILD_ROAD": _Game.road,
    "ROLL": _Game.roll,
    "DISCARD": _Game.discard,
    "DISCARD_RESOURCE": _Game.discard,
    "MOVE_ROBBER": _Game.robber,
    "MARITIME_TRADE": _Game.maritime,
    "OFFER_TRADE": _Game.make_offer,
    "ACCEPT_TRADE": _Game.accept,
    "REJECT_TRADE": _Game.reject,
    "CONFIRM_TRADE": _Game.confirm,
    "CANCEL_TRADE": _Game.cancel,
    "BUY_DEVELOPMENT_CARD": _Game.buy_card,
    "PLAY_KNIGHT_CARD": _Game.knight,
    "PLAY_ROAD_BUILDING": _Game.road_building,
    "PLAY_YEAR_OF_PLENTY": _Game.year_of_plenty,
    "PLAY_MONOPOLY": _Game.monopoly,
    "END_TURN": _Game.end_turn,
}
