"""Games that the package catanatron writes as JSON (`--output-format json`, or its `GameEncoder`), old and new.

The file holds the board, every action with the outcome of chance, and the last position: everything is known. What it
leaves out follows from the board: the cards of the second settlement, and what a roll brings. Tiles have cube coordinates,
and numbered nodes say where they lie.
"""

import reprlib
from collections.abc import Mapping
from typing import Any, TypeAlias

from kibitz.catan.core import events
from kibitz.catan.core.board import Harbour, PortType
from kibitz.catan.core.events import MOST_PLAYERS, Cards, Event, EventLog, InvalidEvent, is_text, seen_by
from kibitz.catan.core.state import SUPPLY, Rules
from kibitz.catan.core.topology import AXIAL
from kibitz.catan.logs import cube
from kibitz.catan.logs.base import ImportedLog, LogError, Notebook, seat_of
from kibitz.catan.logs.island import Island, cards_moved
from kibitz.ground.codec import parse_json

#: Tiles of land and sea, by their place.
_Tiles: TypeAlias = Mapping[tuple[int, int], Mapping[str, Any]]

#: Our names by theirs.
_RESOURCES = {name.upper(): name for name in Cards._fields}
_CARDS = {name.upper(): name for name in ("knight", "victory_point", "road_building", "year_of_plenty", "monopoly")}


def recognises(text: str) -> bool:
    """One JSON object with tiles, colours and actions."""
    return text.lstrip().startswith("{") and all(name in text for name in ('"tiles"', '"colors"', '"player_state"', '"action'))


def read(text: str, me: str | None = None, strict: bool = False) -> ImportedLog:
    """Read a game as `me` (a colour) or a spectator sees it; `everything` hides nothing. Lines are numbers of actions."""
    data = _file(text)
    colours = _colours(data.get("colors"))
    observer = None if me is None else seat_of(next((c for c in colours if c.casefold() == me.casefold()), me), colours)
    tiles = _tiles_of(data.get("tiles"))
    island = _island_of(tiles)
    board = island.board(_harbours_of(tiles))
    game = _Game(colours, _corners_of(data.get("nodes")), island, Notebook(len(colours), strict))
    for number, entry in enumerate(_actions(data), start=1):
        game.follow(number, entry)
    game.end(data)
    rules = Rules(game.victory_points(data), game.discard_limit())
    everything = tuple(game.notebook.events)
    log = EventLog(colours, tuple(seen_by(event, observer) for event in everything), observer, rules.victory_points)
    return game.notebook.imported("catanatron", log, board=board, rules=rules, everything=everything)


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


def _actions(data: Mapping[str, Any]) -> list[Any]:
    for name in ("action_records", "actions"):
        if isinstance(data.get(name), list):
            return list(data[name])
    raise LogError(1, "the field actions is missing")


# --- the board --------------------------------------------------------------------------------------------


def _axial(value: Any) -> tuple[int, int] | None:
    """Cube coordinates as our axial ones."""
    if not isinstance(value, list) or len(value) != 3 or not all(type(n) is int for n in value) or sum(value):
        return None
    return value[0], value[2]


def _tiles_of(value: Any) -> _Tiles:
    """The tiles of land and sea by their place."""
    tiles = {}
    for entry in value if isinstance(value, list) else []:
        at = _axial(entry.get("coordinate")) if isinstance(entry, dict) else None
        if at is not None and isinstance(entry.get("tile"), dict):
            tiles[at] = entry["tile"]
    if not tiles:
        raise LogError(1, "tiles: expected a list of objects with coordinate and tile")
    return tiles


def _island_of(tiles: _Tiles) -> Island:
    """The land; where it is not the whole island (catanatron has a small map too), the rest is empty."""
    hexes, desert = {}, None
    for hex, at in enumerate(AXIAL):
        tile = tiles.get(at, {})
        resource, number = tile.get("resource"), tile.get("number")
        if tile.get("type") == "DESERT":
            desert = hex
        elif isinstance(resource, str) and resource in _RESOURCES and type(number) is int:
            hexes[hex] = _RESOURCES[resource], number
    return Island(hexes, desert)


def _harbours_of(tiles: _Tiles) -> list[Harbour]:
    """A harbour lies on a sea tile, at the side that it points to."""
    harbours = []
    for at, tile in tiles.items():
        if tile.get("type") == "PORT" and tile.get("direction") in cube.SIDES:
            edge = cube.edge(at, tile["direction"])
            kind = _RESOURCES.get(str(tile.get("resource")), PortType.ANY_3TO1)
            harbours += [] if edge is None else [Harbour(edge, PortType(kind))]
    return harbours


def _corners_of(value: Any) -> dict[int, int]:
    """Our corner for each number of a node."""
    corners = {}
    for node in value.values() if isinstance(value, dict) else []:
        at = _axial(node.get("tile_coordinate")) if isinstance(node, dict) else None
        if at is not None and type(node.get("id")) is int and node.get("direction") in cube.CORNERS:
            corners[node["id"]] = cube.corner(at, node["direction"])
    found = {number: corner for number, corner in corners.items() if corner is not None}
    if not found:
        raise LogError(1, "nodes: expected objects with id, tile_coordinate and direction")
    return found


# --- values of actions ------------------------------------------------------------------------------------


def _resource(value: Any) -> str:
    if not isinstance(value, str) or value not in _RESOURCES:
        raise InvalidEvent("expected a resource")
    return _RESOURCES[value]


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


class _Game:
    """Follows the actions, and adds what they leave out."""

    def __init__(self, colours: tuple[str, ...], corners: Mapping[int, int], island: Island, notebook: Notebook) -> None:
        self.colours = colours
        self.corners = corners
        self.island = island
        self.notebook = notebook
        self.hands = [Cards() for _ in colours]
        #: Cards discarded by each seat that the file does not name.
        self.unnamed = [0] * len(colours)
        #: False once a card has moved that the file does not name.
        self.exact = True
        self.settlements = [0] * len(colours)
        self.setting_up = True
        self.free_roads = 0
        self.turn = 0
        #: What lies on the table: who gives what for what.
        self.offer: events.Offer | None = None
        #: After sevens: the largest hand that was kept, and the smallest that was not.
        self.kept, self.split = 0, 1000
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
            seat = self.seat(colour, "player")
            action = getattr(self, f"on_{kind.lower()}", None) if isinstance(kind, str) and kind.isupper() else None
            if action is None:
                raise InvalidEvent("no such action")
            action(seat, value, result)
        except InvalidEvent as error:
            self.notebook.problem(number, str(error), reprlib.repr(entry))

    def end(self, data: Mapping[str, Any]) -> None:
        """The winner; and the hands at the end, which must be those that we arrived at."""
        winner, state = data.get("winning_color"), data.get("player_state")
        if winner in self.colours:
            self.add(events.Win(self.colours.index(winner)))
        if not isinstance(state, dict) or not self.exact or self.notebook.problems:
            return
        for seat, hand in enumerate(self.hands):
            held = [state.get(f"P{seat}_{name}_IN_HAND", n) for name, n in zip(_RESOURCES, hand, strict=True)]
            if held != list(hand):
                self.notebook.problem(
                    self.number, f"by the actions {self.colours[seat]} ends with {hand.text()}, by the file not"
                )

    def victory_points(self, data: Mapping[str, Any]) -> int:
        """The file does not name them: as many as the winner has, if that is not what one step makes of 10."""
        state, winner = data.get("player_state"), data.get("winning_color")
        if isinstance(state, dict) and winner in self.colours:
            points = state.get(f"P{self.colours.index(winner)}_ACTUAL_VICTORY_POINTS")
            if type(points) is int and 3 <= points <= 20 and not 10 <= points <= 12:
                return points
        return Rules().victory_points

    def discard_limit(self) -> int:
        """The file does not name it: the limit nearest to the usual one that fits; where none fits, the usual one."""
        low, high = max(self.kept, 1), min(self.split - 1, 95)
        return min(max(7, low), high) if low <= high else 7

    def add(self, *told: Event) -> None:
        """Events, with the cards that they move."""
        for event in told:
            self.notebook.add(self.number, event)
            self.move(event)

    def move(self, event: Event) -> None:
        """The cards that an event moves."""
        for seat, cards in cards_moved(event):
            self.hands[seat] = self.hands[seat].plus(cards)

    def size(self, seat: int) -> int:
        """How many cards a hand holds."""
        return self.hands[seat].size - self.unnamed[seat]

    def seat(self, colour: Any, who: str) -> int:
        if colour not in self.colours:
            raise InvalidEvent(f"no such {who}")
        return self.colours.index(colour)

    def corner(self, value: Any) -> int:
        if type(value) is not int or value not in self.corners:
            raise InvalidEvent("expected a node of the island")
        return self.corners[value]

    # Pieces

    def on_build_settlement(self, seat: int, value: Any, _: Any) -> None:
        corner = self.corner(value)
        self.add(events.Build(seat, "settlement", self.setting_up, corner=corner))
        self.island.buildings[corner] = seat, 1
        self.settlements[seat] += 1
        cards = self.island.around(corner)
        if self.setting_up and self.settlements[seat] == 2 and cards.size:
            self.add(events.StartingResources(seat, cards))

    def on_build_city(self, seat: int, value: Any, _: Any) -> None:
        corner = self.corner(value)
        self.add(events.Build(seat, "city", corner=corner))
        self.island.buildings[corner] = seat, 2

    def on_build_road(self, seat: int, value: Any, _: Any) -> None:
        ends = [self.corner(node) for node in _list(value, 2, 2)]
        self.add(events.Build(seat, "road", self.setting_up or self.free_roads > 0, edge=(ends[0], ends[1])))
        self.free_roads = max(self.free_roads - 1, 0)

    # The roll and the robber

    def on_roll(self, seat: int, value: Any, result: Any) -> None:
        dice = _list(value if result is None else result, 2, 2)
        if not all(type(die) is int and 1 <= die <= 6 for die in dice):
            raise InvalidEvent("expected two dice")
        self.setting_up, self.turn = False, seat
        # catanatron pays nobody where the supply does not last, even if only one player asks
        left = [SUPPLY - sum(held) for held in zip(*self.hands, strict=True)]
        self.add(events.Roll(seat, sum(dice), self.island.produced(sum(dice), left, rest_to_one=False)))
        self.before_discards = {s: self.size(s) for s in range(len(self.hands))} if sum(dice) == 7 else {}

    def on_discard(self, seat: int, value: Any, result: Any) -> None:
        """A whole discard (in older files of unknown cards), or one card of it."""
        given = value if result is None else result
        if isinstance(given, str):
            given = [given]
        size = self.before_discards.pop(seat, None)
        if size is not None:
            self.split = min(self.split, size)
        if given is None:
            count = max(self.size(seat), 0) // 2
            self.add(events.Discard(seat, count=count))
            self.unnamed[seat] += count
            self.exact = False
            return
        cards = _cards(given, 100)
        last = self.notebook.events[-1] if self.notebook.events else None
        if isinstance(last, events.Discard) and last.player == seat and last.cards is not None:
            self.notebook.events[-1] = events.Discard(seat, last.cards.plus(cards))
            self.move(events.Discard(seat, cards))
        else:
            self.add(events.Discard(seat, cards))

    on_discard_resource = on_discard

    def on_move_robber(self, seat: int, value: Any, result: Any) -> None:
        at, victim, *card = _list(value, 2, 3)
        place = _axial(at)
        if place not in AXIAL:
            raise InvalidEvent("expected a hex of the island")
        stolen = card[0] if card and card[0] is not None else result
        robbed = None if victim is None else self.seat(victim, "victim")
        resource = None if stolen is None else _resource(stolen)
        self.kept = max([self.kept, *self.before_discards.values()])
        self.before_discards = {}
        self.island.robber = AXIAL.index(place)
        self.add(events.MoveRobber(seat, self.island.robber))
        if robbed is not None:
            self.add(events.Steal(seat, robbed, resource))
            self.exact = self.exact and resource is not None

    # Trade

    def on_maritime_trade(self, seat: int, value: Any, _: Any) -> None:
        *given, asked = _list(value, 2, 5)
        self.add(events.BankTrade(seat, _cards([name for name in given if name is not None], 4), _cards([asked], 1)))

    def on_offer_trade(self, seat: int, value: Any, _: Any) -> None:
        cards = _list(value, 10, 11)
        self.offer = events.Offer(seat, _counts(cards[:5]), _counts(cards[5:10]))
        self.add(self.offer)

    def on_accept_trade(self, seat: int, value: Any, _: Any) -> None:
        cards = _list(value, 10, 11)
        partner = self.offer.player if self.offer is not None else self.turn
        self.add(events.Accept(seat, partner, _counts(cards[5:10]), _counts(cards[:5])))

    def on_reject_trade(self, seat: int, value: Any, _: Any) -> None:
        self.add(events.Decline(seat, self.offer.player if self.offer is not None else self.turn))

    def on_confirm_trade(self, seat: int, value: Any, _: Any) -> None:
        *cards, partner = _list(value, 11, 11)
        self.add(events.PlayerTrade(seat, self.seat(partner, "partner"), _counts(cards[:5]), _counts(cards[5:])))
        self.offer = None

    def on_cancel_trade(self, seat: int, value: Any, _: Any) -> None:
        self.offer = None

    # Development cards

    def on_buy_development_card(self, seat: int, value: Any, result: Any) -> None:
        card = value if result is None else result
        if not isinstance(card, str) or card not in _CARDS:
            raise InvalidEvent("expected a development card")
        self.add(events.BuyDevCard(seat, _CARDS[card]))

    def on_play_knight_card(self, seat: int, value: Any, _: Any) -> None:
        self.add(events.PlayDevCard(seat, "knight"))

    def on_play_road_building(self, seat: int, value: Any, _: Any) -> None:
        self.add(events.PlayDevCard(seat, "road_building"))
        self.free_roads = 2

    def on_play_year_of_plenty(self, seat: int, value: Any, _: Any) -> None:
        self.add(events.PlayDevCard(seat, "year_of_plenty"), events.YearOfPlenty(seat, _cards(value, 2)))

    def on_play_monopoly(self, seat: int, value: Any, _: Any) -> None:
        resource = _resource(value)
        losses = {s: getattr(hand, resource) for s, hand in enumerate(self.hands) if s != seat}
        event = events.Monopoly(seat, resource, sum(losses.values()), losses)
        self.add(events.PlayDevCard(seat, "monopoly"), event if self.exact else events.Monopoly(seat, resource))
        if not self.exact:
            self.move(event)

    def on_end_turn(self, seat: int, value: Any, _: Any) -> None:
        self.free_roads = 0
        self.offer = None
        self.add(events.EndTurn(seat))
