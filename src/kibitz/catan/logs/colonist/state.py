"""The state of a game of colonist.io: who sits at the table, and the position that merge patches change."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, Self, TypeAlias, TypeVar

from kibitz.catan.core.board import Board, InvalidBoard
from kibitz.catan.core.events import MOST_PLAYERS, Accept, BankCount, Cards, Decline, Event, HandCount, HandSeen
from kibitz.catan.core.state import Rules
from kibitz.catan.logs.base import LogError, Notebook, only_the_base_game
from kibitz.catan.logs.colonist.values import (
    ANY, BUILDINGS, COLOUR_NAMES, Places, as_dict, as_int, as_list, board_of, cards_of, key_number, merge, pile_of,
)  # fmt: skip

#: What a full state holds that is of use here.
_PARTS = ("bankState", "playerStates", "mechanicDevelopmentCardsState", "tradeState", "mapState", "mechanicRobberState")
_DEV_CARDS = ("mechanicDevelopmentCardsState", "players")
_Key = TypeVar("_Key")
_ROAD = 1
_ACCEPTED, _DECLINED = 1, 2
#: What points are counted for.
_AWARD_SOURCES = {"largest_army": "3", "longest_road": "4"}
#: Modes of a game that are played by other rules than ours.
_EXPANSIONS = {
    **dict.fromkeys((4, 5), "Seafarers"),
    **dict.fromkeys((6, 7), "Cities & Knights"),
    **dict.fromkeys((8, 9), "Cities & Knights with Seafarers"),
}
#: What the names of our rules are called in the settings of a game.
_SETTINGS = {
    "victory_points": "victoryPointsToWin",
    "discard_limit": "cardDiscardLimit",
    "friendly_robber": "friendlyRobber",
}


@dataclass(frozen=True)
class Roster:
    """The players in turn order, by colour and by name."""

    colours: tuple[int, ...]
    players: tuple[str, ...]
    #: The seat of each colour.
    seats: dict[int, int]

    @classmethod
    def of(cls, data: dict[str, Any], state: dict[str, Any]) -> Self:
        """From what surrounds a full state. Raises `LogError` if it does not say who plays."""
        told = data.get("playerUserStates")
        users = [as_dict(user) for user in (told.values() if isinstance(told, dict) else as_list(told))]
        colours = (
            _colours(as_list(data.get("playOrder")))
            or _colours(map(key_number, as_dict(state.get("playerStates"))))
            or _colours(user.get("selectedColor") for user in users)
        )
        if not 2 <= len(colours) <= MOST_PLAYERS:
            raise LogError(1, f"the full state does not say who plays: expected 2 to {MOST_PLAYERS} players in playOrder")
        named = {colour: user.get("username") for user in reversed(users) if (colour := as_int(user.get("selectedColor")))}
        return cls(tuple(colours), _names(colours, named), {colour: seat for seat, colour in enumerate(colours)})


def _colours(values: Iterable[Any]) -> list[int]:
    return list(dict.fromkeys(colour for value in values if (colour := as_int(value)) is not None and colour > 0))


def _names(colours: list[int], named: dict[int, Any]) -> tuple[str, ...]:
    """The players' names, all different; who has none is called by the colour."""
    names: list[str] = []
    for colour in colours:
        colour_name = COLOUR_NAMES.get(colour, f"Colour {colour}")
        name = named.get(colour)
        name = name.encode("utf-8", "replace").decode().strip() if isinstance(name, str) else ""
        name = name or colour_name
        while name in names:
            name = f"{name} ({colour_name})"
        names.append(name)
    return tuple(names)


def rules_of(settings: list[dict[str, Any]], notebook: Notebook) -> Rules:
    """The rules that a game is played by, from its settings (the first that names an option counts).

    Raises `LogError` for an expansion.
    """

    def setting(name: str) -> Any:
        return next((found[name] for found in settings if found.get(name) is not None), None)

    if (expansion := _EXPANSIONS.get(as_int(setting("modeSetting")) or 0)) is not None:
        raise only_the_base_game(1, expansion)
    rules = Rules()
    for option, name in _SETTINGS.items():
        value = setting(name)
        if value is None:
            continue
        try:
            rules = Rules(**{**rules.to_json(), option: value if isinstance(value, bool) else as_int(value)})
        except ValueError:
            notebook.note(1, f"{name}: a setting that our rules do not have")
    return rules


def read_board(state: dict[str, Any], notebook: Notebook) -> Board | None:
    """The board of a full state; a map that is not the base game's is worth a note."""
    map_state = as_dict(state.get("mapState"))
    if not as_dict(map_state.get("tileHexStates")):
        return None
    try:
        return board_of(map_state)
    except InvalidBoard as error:
        notebook.note(1, f"the board cannot be read: {error}")
        return None


#: An answer to an offer, by the offer, the colour and what it was.
Answer: TypeAlias = tuple[tuple[str, int, bool], Event]


class Placed(NamedTuple):
    """A piece on the board, with our number of the corner or edge (None: on a map that is not ours)."""

    piece: str
    colour: int
    place: int | None


@dataclass
class Changes:
    """What a patch changed."""

    #: The cards of every hand before and after, by colour; None where they are not told.
    hands: dict[int, tuple[list[int] | None, list[int] | None]] = field(default_factory=dict)
    placed: list[Placed] = field(default_factory=list)
    #: Development cards that came into a hand, by colour.
    drawn: list[tuple[int, int]] = field(default_factory=list)
    #: To offers that were open before the patch, and to those that it opens.
    answers: list[Answer] = field(default_factory=list)
    answers_to_new: list[Answer] = field(default_factory=list)


class SitePosition:
    """The latest state of a game."""

    def __init__(self, roster: Roster) -> None:
        self.roster = roster
        self.places = Places()
        self._state: dict[str, Any] = {}

    def replace(self, state: dict[str, Any]) -> None:
        """Begin (again) with a full state."""
        self._state = merge({}, {part: as_dict(state.get(part)) for part in _PARTS})
        self.places = Places.of(self._part("mapState"))

    def apply(self, patch: dict[str, Any]) -> Changes:
        """Apply a merge patch, and say what it changed."""
        changed = {part: as_dict(patch[part]) for part in _PARTS if part in patch}
        offers = as_dict(changed.get("tradeState", {}).get("activeOffers"))
        known = self._offers().keys() & offers.keys()
        pieces = set(self.pieces()) if "mapState" in changed else set()
        hands, dev_cards = self.hands(), self.dev_cards()
        merge(self._state, changed)
        changes = Changes()
        if "mapState" in changed:
            changes.placed = [piece for piece in self.pieces() if piece not in pieces]
        if "playerStates" in changed:
            changes.hands = {colour: (hands[colour], hand) for colour, hand in self.hands().items()}
        if "mechanicDevelopmentCardsState" in changed:
            changes.drawn = list(_drawn(dev_cards, self.dev_cards()))
        for offer, response in offers.items():
            found = changes.answers if offer in known else changes.answers_to_new
            found += self._answers(offer, as_dict(as_dict(response).get("playerResponses")))
        return changes

    def _part(self, *names: str) -> dict[str, Any]:
        found = self._state
        for name in names:
            found = as_dict(found.get(name))
        return found

    def _piles(self, holders: Sequence[str], *path: str) -> dict[int, list[int] | None]:
        """A pile of cards of each player, by colour."""
        found = {colour: self._part(*holders, str(colour), *path[:-1]).get(path[-1]) for colour in self.roster.colours}
        return {colour: pile_of(pile) for colour, pile in found.items()}

    def hands(self) -> dict[int, list[int] | None]:
        """The cards of each player, by colour: numbers, or 0 for each that is hidden."""
        return self._piles(["playerStates"], "resourceCards", "cards")

    def dev_cards(self) -> dict[int, list[int]]:
        """The development cards that each player holds, by colour."""
        piles = self._piles(_DEV_CARDS, "developmentCards", "cards")
        return {colour: pile or [] for colour, pile in piles.items()}

    def used_cards(self) -> dict[int, list[int]]:
        """The development cards that each player has played, by colour."""
        return {colour: pile or [] for colour, pile in self._piles(_DEV_CARDS, "developmentCardsUsed").items()}

    def awards(self) -> Iterator[tuple[int, str]]:
        """Who holds an award, by colour."""
        for colour in self.roster.colours:
            points = self._part("playerStates", str(colour), "victoryPointsState")
            for award, source in _AWARD_SOURCES.items():
                if (as_int(points.get(source)) or 0) > 0:
                    yield colour, award

    def pieces(self) -> Iterator[Placed]:
        """Everything on the board."""
        for key, value in self._part("mapState", "tileCornerStates").items():
            corner = as_dict(value)
            colour, building = as_int(corner.get("owner")), as_int(corner.get("buildingType"))
            if colour in self.roster.seats and building in BUILDINGS:
                yield Placed(BUILDINGS[building], colour, self.places.corners.get(key))
        for key, value in self._part("mapState", "tileEdgeStates").items():
            edge = as_dict(value)
            colour = as_int(edge.get("owner"))
            if colour in self.roster.seats and edge.get("type", _ROAD) == _ROAD:
                yield Placed("road", colour, self.places.edges.get(key))

    def _offers(self) -> dict[str, Any]:
        return self._part("tradeState", "activeOffers")

    def _answers(self, offer: str, responses: dict[str, Any]) -> Iterator[Answer]:
        """Answers to a counter-offer are left out: whose cards it would give is not told in one way."""
        terms = as_dict(self._offers().get(offer))
        creator = as_int(terms.get("creator"))
        give, receive = cards_of(terms.get("offeredResources"), ANY), cards_of(terms.get("wantedResources"), ANY)
        if creator not in self.roster.seats or give is None or receive is None or terms.get("counterOfferInResponseToTradeId"):
            return
        for key, response in responses.items():
            colour = key_number(key)
            if colour in self.roster.seats and colour != creator and as_int(response) in (_ACCEPTED, _DECLINED):
                player, partner, accepted = self.roster.seats[colour], self.roster.seats[creator], response == _ACCEPTED
                event = Accept(player, partner, receive, give) if accepted else Decline(player, partner)
                yield (offer, colour, accepted), event

    def robber(self, tile: dict[str, Any], now: bool) -> int | None:
        """The hex that the robber went to, by its terrain and number and, if that was `now`, by where it stands."""
        tiles = self._part("mapState", "tileHexStates")
        said = as_int(tile.get("tileType")), as_int(tile.get("diceNumber")) or 0
        alike = [
            number
            for key, number in self.places.hexes.items()
            if (as_int(as_dict(tiles.get(key)).get("type")), as_int(as_dict(tiles.get(key)).get("diceNumber")) or 0) == said
        ]
        here = self.places.hexes.get(str(as_int(self._part("mechanicRobberState").get("locationTileIndex"))))
        if now and (here in alike or "tileType" not in tile):
            return here
        return alike[0] if len(alike) == 1 else None

    def evidence(self) -> Iterator[Event]:
        """The hands and the bank, as far as they are told."""
        for colour, pile in self.hands().items():
            if pile is None or any(card > 5 for card in pile):
                continue
            cards = cards_of(pile)
            seat = self.roster.seats[colour]
            yield HandCount(seat, len(pile)) if cards is None else HandSeen(seat, cards)
        bank = self.bank()
        if bank is not None:
            yield BankCount(bank)

    def bank(self) -> dict[str, int] | None:
        """What the bank holds, None where it is hidden or not told in full."""
        state = self._part("bankState")
        told = as_dict(state.get("resourceCards"))
        counts = [as_int(told.get(str(number))) for number in range(1, 6)]
        if state.get("hideBankCards") or not all(n is not None and 0 <= n <= 99 for n in counts):
            return None
        return {name: n for name, n in zip(Cards._fields, counts, strict=True) if n is not None}


def _drawn(before: dict[int, list[int]], after: dict[int, list[int]]) -> Iterator[tuple[int, int]]:
    """The cards that each hand holds more of than before."""
    for colour, cards in after.items():
        rest = list(before[colour])
        for card in cards:
            if card in rest:
                rest.remove(card)
            else:
                yield colour, card


class Pairs(Generic[_Key]):
    """Events of the log, and what the position adds to them: mostly in the same patch, else in one before or after it."""

    def __init__(self, join: Callable[[int, int], None]) -> None:
        self._join = join
        self._events: dict[_Key, deque[int]] = {}
        self._values: dict[_Key, deque[int]] = {}

    def found(self, key: _Key, value: int) -> None:
        """The position has a value for an event."""
        self._values.setdefault(key, deque()).append(value)

    def expect(self, key: _Key, at: int | None) -> None:
        """The log has an event, at a place among the events: it takes a value, or waits for one."""
        if at is not None:
            if self._values.get(key):
                self._join(at, self._values[key].popleft())
            else:
                self._events.setdefault(key, deque()).append(at)

    def settle(self, told: bool) -> None:
        """The end of a patch: values that are left go to events that wait; the rest is dropped if the log has moved on."""
        for key, values in self._values.items():
            events = self._events.get(key, deque())
            while events and values:
                self._join(events.popleft(), values.popleft())
        if told:
            self._values = {}

    def forget(self) -> None:
        """Neither waits for the other any more."""
        self._events, self._values = {}, {}
