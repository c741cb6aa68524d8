"""How the data of each kind of action are checked, written and read: the table behind `kibitz.catan.core.actions`.

A *step* has an integer code; its codec turns data into the number within the range of its kind and back. A *plan*
stands for several steps; its codec only puts its data in order. Both are written as words, as people type them.
"""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from functools import partial
from typing import Any, NamedTuple

from kibitz.catan.core.board import RESOURCES, Resource
from kibitz.catan.core.codes import BEST_RATE, DIGITS, OFFER, PLACES, PLENTY, RANGES, RATES, WORST_RATE, offer_code
from kibitz.catan.core.state import KINDS, SEATS, SUPPLY
from kibitz.catan.core.topology import CORNERS, EDGE_BETWEEN, EDGE_ENDS, HEXES, NONE
from kibitz.game.actions import InvalidAction

Edge = tuple[int, int]
Bundle = Mapping[str, int]
Data = Mapping[str, Any]


class DevCardType(StrEnum):
    """The development cards, in the order that is used everywhere."""

    KNIGHT = "knight"
    VICTORY_POINT = "victory_point"
    ROAD_BUILDING = "road_building"
    YEAR_OF_PLENTY = "year_of_plenty"
    MONOPOLY = "monopoly"


CARDS = tuple(DevCardType)


class StepCodec(NamedTuple):
    """The codec of a kind with codes: names of the data, number within the range, words."""

    names: tuple[str, ...]
    encode: Callable[..., int]
    decode: Callable[[int], tuple[Any, ...]]
    write: Callable[..., list[str]]
    read: Callable[..., tuple[Any, ...]]


class Plan(NamedTuple):
    """The codec of a kind that stands for several steps: its data in normal form, words."""

    normal: Callable[[Data], Data]
    write: Callable[[Data], list[str]]
    read: Callable[..., Data]


def check_names(kind: str, data: Data, required: Iterable[str], optional: Iterable[str] = ()) -> None:
    """Refuse data with missing or unknown names."""
    missing = [name for name in required if name not in data]
    unknown = [str(name) for name in data if name not in {*required, *optional}]
    if missing or unknown:
        problem = f"{missing[0]} is missing" if missing else f"{unknown[0]} does not belong there"
        raise InvalidAction(f"{kind}: {problem}; it takes {', '.join([*required, *optional]) or 'no data'}")


def _number(name: str, low: int, high: int, value: Any) -> int:
    if type(value) is not int or not low <= value <= high:
        raise InvalidAction(f"{name} {value!r}: expected a whole number from {low} to {high}")
    return value - low


def _edge(value: Any) -> int:
    pair = tuple(value) if isinstance(value, (list, tuple)) else ()
    if len(pair) != 2 or not all(type(c) is int for c in pair) or pair not in EDGE_BETWEEN:
        raise InvalidAction(f"edge {value!r}: not two neighbouring corners")
    return EDGE_BETWEEN[pair]


def _resource(value: Any) -> int:
    try:
        return RESOURCES.index(Resource(value))
    except ValueError:
        raise InvalidAction(f"{value!r}: not a resource; these are {', '.join(RESOURCES)}") from None


def _card(value: Any) -> int:
    try:
        return CARDS.index(DevCardType(value))
    except ValueError:
        raise InvalidAction(f"{value!r}: not a development card; these are {', '.join(CARDS)}") from None


def counts_of(bundle: Any) -> list[int]:
    """Cards by resource index; refuses anything but counts of resources."""
    if not isinstance(bundle, Mapping):
        raise InvalidAction(f"{bundle!r}: expected cards by resource, as in {{'wood': 1}}")
    counts = [0] * KINDS
    for resource, n in bundle.items():
        if type(n) is not int or not 0 <= n <= SUPPLY:
            raise InvalidAction(f"{resource} {n!r}: expected a number of cards from 0 to {SUPPLY}")
        counts[_resource(resource)] = n
    return counts


def bundle_of(counts: Iterable[int]) -> dict[str, int]:
    """Cards by the names of the resources, in their order, without zeros."""
    return {RESOURCES[r].value: n for r, n in enumerate(counts) if n}


_corner_number = partial(_number, "corner", 0, CORNERS - 1)
_hex_number = partial(_number, "hex", 0, HEXES - 1)
_seat_number = partial(_number, "seat", 0, SEATS - 1)
_total = partial(_number, "total", 2, 12)


def _integer(word: str) -> int:
    if not (word.isascii() and word.isdigit()):
        raise InvalidAction(f"{word!r}: expected a number")
    return int(word)


def _read_seat(word: str) -> int:
    if word[:1] not in ("P", "p") or not 1 <= _integer(word[1:]) <= SEATS:
        raise InvalidAction(f"{word!r}: expected a player, P1 to P{SEATS}")
    return int(word[1:]) - 1


def _write_seat(seat: int) -> str:
    return f"P{seat + 1}"


def _read_edge(word: str) -> Edge:
    a, b = word.split("-")
    return _integer(a), _integer(b)


def _write_edge(edge: Edge) -> str:
    return f"{edge[0]}-{edge[1]}"


def _read_bundle(words: tuple[str, ...]) -> dict[str, int]:
    if len(words) == 1:
        return {words[0]: 1}
    names = words[1::2]
    if len(set(names)) != len(names):
        raise InvalidAction(f"{' '.join(words)}: a resource twice")
    return {name: _integer(n) for n, name in zip(words[::2], names, strict=True)}


def _write_bundle(bundle: Bundle) -> list[str]:
    return [word for resource, n in bundle.items() for word in (str(n), str(resource))]


def _read_trade(*words: str) -> tuple[dict[str, int], dict[str, int]]:
    at = words.index("for")
    return _read_bundle(words[:at]), _read_bundle(words[at + 1 :])


def _encode_bank(give: Any, receive: Any) -> int:
    given, got = counts_of(give), counts_of(receive)
    gives, gets = [r for r in range(KINDS) if given[r]], [r for r in range(KINDS) if got[r]]
    if len(gives) != 1 or len(gets) != 1 or got[gets[0]] != 1 or not BEST_RATE <= given[gives[0]] <= WORST_RATE:
        raise InvalidAction("trade_bank: expected 2, 3 or 4 cards of one resource for one card")
    return (gives[0] * RATES + given[gives[0]] - BEST_RATE) * KINDS + gets[0]


def _decode_bank(n: int) -> tuple[dict[str, int], dict[str, int]]:
    give, rate = divmod(n // KINDS, RATES)
    return {RESOURCES[give].value: BEST_RATE + rate}, {RESOURCES[n % KINDS].value: 1}


def _encode_offer(give: Any, receive: Any) -> int:
    given, wanted = counts_of(give), counts_of(receive)
    for r in range(KINDS):
        if given[r] and wanted[r]:
            raise InvalidAction(f"{RESOURCES[r]}: a resource cannot be on both sides of a trade")
    return offer_code([g - w for g, w in zip(given, wanted, strict=True)]) - OFFER


def _decode_offer(n: int) -> tuple[dict[str, int], dict[str, int]]:
    counts = [n // place % DIGITS - SUPPLY for place in PLACES.tolist()]
    return bundle_of(max(c, 0) for c in counts), bundle_of(max(-c, 0) for c in counts)


def _encode_plenty(resources: Any) -> int:
    if not isinstance(resources, (list, tuple)) or len(resources) not in (1, 2):
        raise InvalidAction(f"{resources!r}: expected two resources (one if the supply holds only one card)")
    chosen = sorted(_resource(r) for r in resources)
    return PLENTY.index((chosen[0], chosen[1] if len(chosen) == 2 else NONE))


def _decode_plenty(n: int) -> tuple[tuple[str, ...]]:
    return (tuple(RESOURCES[r].value for r in PLENTY[n] if r != NONE),)


def _player(name: str) -> StepCodec:
    return StepCodec((name,), _seat_number, lambda n: (n,), lambda seat: [_write_seat(seat)], lambda word: (_read_seat(word),))


_nothing = StepCodec((), lambda: 0, lambda n: (), list, lambda: ())
_corner = StepCodec(("corner",), _corner_number, lambda n: (n,), lambda c: [str(c)], lambda word: (_integer(word),))
_hex = StepCodec(("hex",), _hex_number, lambda n: (n,), lambda h: [str(h)], lambda word: (_integer(word),))
_road = StepCodec(("edge",), _edge, lambda n: (EDGE_ENDS[n],), lambda e: [_write_edge(e)], lambda word: (_read_edge(word),))
_one_resource = StepCodec(("resource",), _resource, lambda n: (RESOURCES[n].value,), lambda r: [str(r)], lambda word: (word,))
_dice = StepCodec(("total",), _total, lambda n: (n + 2,), lambda t: [str(t)], lambda word: (_integer(word),))
_drawn = StepCodec(("card",), _card, lambda n: (CARDS[n].value,), lambda c: [str(c)], lambda word: (word,))
_plenty = StepCodec(("resources",), _encode_plenty, _decode_plenty, lambda rs: [str(r) for r in rs], lambda *words: (words,))
_bank = StepCodec(("give", "receive"), _encode_bank, _decode_bank, lambda g, r: [*_write_bundle(g), "for", *r], _read_trade)
_offer = StepCodec(
    ("give", "receive"), _encode_offer, _decode_offer, lambda g, r: [*_write_bundle(g), "for", *_write_bundle(r)], _read_trade
)

STEPS: dict[str, StepCodec] = {
    **dict.fromkeys(RANGES, _nothing),
    **dict.fromkeys(("place_setup_settlement", "build_settlement", "build_city"), _corner),
    **dict.fromkeys(("place_setup_road", "build_road", "place_free_road"), _road),
    **dict.fromkeys(("discard_resource", "play_monopoly", "stolen"), _one_resource),
    "move_robber": _hex,
    "steal_resource": _player("victim"),
    "confirm_trade": _player("partner"),
    "trade_bank": _bank,
    "offer_trade": _offer,
    "play_year_of_plenty": _plenty,
    "rolled": _dice,
    "drawn": _drawn,
}


def _normal_discard(data: Data) -> Data:
    check_names("discard_resources", data, ("resources",))
    bundle = bundle_of(counts_of(data["resources"]))
    if not bundle:
        raise InvalidAction("discard_resources: expected at least one card")
    return {"resources": bundle}


def _normal_knight(data: Data) -> Data:
    check_names("play_knight", data, ("hex",), ("victim",))
    _hex_number(data["hex"])
    if "victim" in data:
        _seat_number(data["victim"])
    return {name: data[name] for name in ("hex", "victim") if name in data}


def _normal_roads(data: Data) -> Data:
    check_names("play_road_building", data, ("edges",))
    if not isinstance(data["edges"], (list, tuple)) or len(data["edges"]) not in (1, 2):
        raise InvalidAction(f"play_road_building: expected one or two edges, found {data['edges']!r}")
    return {"edges": tuple(EDGE_ENDS[_edge(edge)] for edge in data["edges"])}


def _normal_trade(data: Data) -> Data:
    check_names("trade_player", data, ("partner", "give", "receive"))
    _seat_number(data["partner"])
    give, receive = _decode_offer(_encode_offer(data["give"], data["receive"]))
    return {"partner": data["partner"], "give": give, "receive": receive}


def _read_knight(hex: str, victim: str | None = None) -> Data:
    return {"hex": _integer(hex)} if victim is None else {"hex": _integer(hex), "victim": _read_seat(victim)}


def _read_trade_with(partner: str, *words: str) -> Data:
    give, receive = _read_trade(*words)
    return {"partner": _read_seat(partner), "give": give, "receive": receive}


PLANS: dict[str, Plan] = {
    "discard_resources": Plan(
        _normal_discard, lambda data: _write_bundle(data["resources"]), lambda *words: {"resources": _read_bundle(words)}
    ),
    "play_knight": Plan(
        _normal_knight,
        lambda data: [str(data["hex"]), *(_write_seat(data[name]) for name in ("victim",) if name in data)],
        _read_knight,
    ),
    "play_road_building": Plan(
        _normal_roads,
        lambda data: [_write_edge(edge) for edge in data["edges"]],
        lambda *words: {"edges": tuple(_read_edge(word) for word in words)},
    ),
    "trade_player": Plan(
        _normal_trade,
        lambda data: [_write_seat(data["partner"]), *_write_bundle(data["give"]), "for", *_write_bundle(data["receive"])],
        _read_trade_with,
    ),
}
