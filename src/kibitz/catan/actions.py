"""Actions and outcomes as typed objects, with constructors, a text notation, JSON, and their integer codes.

>>> build_road((17, 18))
Action('build_road', {'edge': (17, 18)})
>>> build_road((17, 18)).to_text()
'build_road 17-18'
>>> Action.from_text("trade_bank 4 wood for ore")
Action('trade_bank', {'give': {'wood': 4}, 'receive': {'ore': 1}})

Some constructors take more than one step of the game at once (a whole discard, a knight with hex and victim, two
roads, a trade with a partner): such an action is a *plan*, which `GameState.apply` carries out step by step.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from kibitz.catan.board import RESOURCES, Resource
from kibitz.catan.codes import ALL_CODES, BASE, BEST_RATE, DIGITS, PLACES, PLENTY, RANGES, RATES, WORST_RATE, offer_code
from kibitz.catan.state import KINDS, SEATS, SUPPLY
from kibitz.catan.topology import CORNERS, EDGE_BETWEEN, EDGE_ENDS, HEXES, NONE


class DevCardType(StrEnum):
    """The development cards, in the order that is used everywhere."""

    KNIGHT = "knight"
    VICTORY_POINT = "victory_point"
    ROAD_BUILDING = "road_building"
    YEAR_OF_PLENTY = "year_of_plenty"
    MONOPOLY = "monopoly"


CARDS = tuple(DevCardType)
#: The kinds of the seed's model that stand for several steps.
PLANS = ("discard_resources", "trade_player", "play_knight", "play_road_building")

Edge = tuple[int, int]
Bundle = Mapping[str, int]


class InvalidAction(ValueError):
    """Not an action at all: the kind is unknown, or its data make no sense (while `IllegalAction` breaks a rule)."""


@dataclass(frozen=True)
class Action:
    """What a player does, or what chance decides: a kind and its data (see the table in ``docs/record.md``)."""

    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.kind, repr(sorted(self.data.items(), key=lambda item: item[0]))))

    def __repr__(self) -> str:
        return f"Action({self.kind!r}, {dict(self.data)!r})" if self.data else f"Action({self.kind!r})"

    @property
    def code(self) -> int:
        """The integer that compiled code uses. A plan has none."""
        if self.kind not in RANGES:
            raise InvalidAction(
                f"{self.kind}: no such kind of step" if self.kind not in PLANS else f"{self.kind} is a plan of several steps"
            )
        codec = _CODECS[self.kind]
        if set(self.data) != set(codec.names):
            expected = ", ".join(codec.names) or "no data"
            raise InvalidAction(f"{self.kind}: expected {expected}, found {', '.join(map(str, self.data)) or 'no data'}")
        return BASE[self.kind] + codec.encode(*(self.data[name] for name in codec.names))

    @classmethod
    def from_code(cls, code: int) -> Action:
        """The action of an integer code."""
        if not 0 <= code < ALL_CODES:
            raise InvalidAction(f"{code} is no action; codes run from 0 to {ALL_CODES - 1}")
        kind = _KINDS[bisect.bisect_right(_BASES, code) - 1]
        codec = _CODECS[kind]
        return cls(kind, dict(zip(codec.names, codec.decode(code - BASE[kind]), strict=True)))

    def to_text(self) -> str:
        """One line, as people write it: players count from 1."""
        return " ".join([self.kind, *_CODECS[self.kind].words(*self.data.values())])

    @classmethod
    def from_text(cls, text: str) -> Action:
        """Read what `to_text` wrote."""
        kind, *words = text.split() or [""]
        if kind not in RANGES:
            raise InvalidAction(f"{kind!r}: no such action")
        codec = _CODECS[kind]
        try:
            values = codec.parse(*words)
            action = cls(kind, dict(zip(codec.names, values, strict=True)))
            return cls.from_code(action.code)
        except (ValueError, TypeError, KeyError) as error:
            if isinstance(error, InvalidAction):
                raise
            raise InvalidAction(f"{text!r}: cannot be read; expected for example {codec.example!r}") from None

    def to_json(self) -> dict[str, Any]:
        """`kind` and `data`, with plain lists."""
        data = {name: list(value) if isinstance(value, tuple) else value for name, value in self.data.items()}
        return {"kind": self.kind, "data": data}

    @classmethod
    def from_json(cls, value: Any) -> Action:
        """Read what `to_json` wrote."""
        if (
            not isinstance(value, Mapping)
            or not isinstance(value.get("kind"), str)
            or not isinstance(value.get("data"), Mapping)
        ):
            raise InvalidAction("expected an object with the fields kind and data")
        return cls.from_code(cls(value["kind"], value["data"]).code)


def describe(code: int) -> str:
    """The text of an action code."""
    return Action.from_code(code).to_text()


def parse(text: str) -> int:
    """The code of an action's text."""
    return Action.from_text(text).code


# --- how the parameters of each kind are encoded, checked and written -------------------------------------


class _Codec(NamedTuple):
    """The data of a kind: their names, to and from the number within its range, to and from words."""

    names: tuple[str, ...]
    encode: Callable[..., int]
    decode: Callable[[int], tuple[Any, ...]]
    words: Callable[..., list[str]]
    parse: Callable[..., tuple[Any, ...]]
    example: str


def _number(name: str, low: int, high: int) -> Callable[[Any], int]:
    def check(value: Any) -> int:
        if type(value) is not int or not low <= value <= high:
            raise InvalidAction(f"{name} {value!r}: expected a whole number from {low} to {high}")
        return value - low

    return check


def _edge(value: Any) -> int:
    pair = tuple(value) if isinstance(value, (list, tuple)) else ()
    if len(pair) != 2 or not all(type(c) is int for c in pair) or pair not in EDGE_BETWEEN:
        raise InvalidAction(f"edge {value!r}: no two neighbouring corners")
    return EDGE_BETWEEN[pair]


def _resource(value: Any) -> int:
    try:
        return RESOURCES.index(Resource(value))
    except ValueError:
        raise InvalidAction(f"{value!r}: no resource; these are {', '.join(RESOURCES)}") from None


def _card(value: Any) -> int:
    try:
        return CARDS.index(DevCardType(value))
    except ValueError:
        raise InvalidAction(f"{value!r}: no development card; these are {', '.join(CARDS)}") from None


def bundle_counts(bundle: Any) -> list[int]:
    """Cards by resource index; refuses anything but positive counts of resources."""
    if not isinstance(bundle, Mapping):
        raise InvalidAction(f"{bundle!r}: expected cards by resource, as in {{'wood': 1}}")
    counts = [0] * KINDS
    for resource, n in bundle.items():
        if type(n) is not int or not 0 <= n <= SUPPLY:
            raise InvalidAction(f"{resource} {n!r}: expected a number of cards from 0 to {SUPPLY}")
        counts[_resource(resource)] = n
    return counts


def _bundle(counts: Iterable[int]) -> dict[str, int]:
    return {RESOURCES[r].value: n for r, n in enumerate(counts) if n}


def _encode_bank(give: Any, receive: Any) -> int:
    given, got = bundle_counts(give), bundle_counts(receive)
    gives, gets = [r for r in range(KINDS) if given[r]], [r for r in range(KINDS) if got[r]]
    if len(gives) != 1 or len(gets) != 1 or got[gets[0]] != 1 or not BEST_RATE <= given[gives[0]] <= WORST_RATE:
        raise InvalidAction("trade_bank: expected 2, 3 or 4 cards of one resource for one card")
    return (gives[0] * RATES + given[gives[0]] - BEST_RATE) * KINDS + gets[0]


def _decode_bank(n: int) -> tuple[dict[str, int], dict[str, int]]:
    give, rate = divmod(n // KINDS, RATES)
    return {RESOURCES[give].value: BEST_RATE + rate}, {RESOURCES[n % KINDS].value: 1}


def _encode_offer(give: Any, receive: Any) -> int:
    given, wanted = bundle_counts(give), bundle_counts(receive)
    for r in range(KINDS):
        if given[r] and wanted[r]:
            raise InvalidAction(f"{RESOURCES[r]}: a resource cannot be on both sides of a trade")
    return offer_code([g - w for g, w in zip(given, wanted, strict=True)]) - BASE["offer_trade"]


def _decode_offer(n: int) -> tuple[dict[str, int], dict[str, int]]:
    counts = [n // place % DIGITS - SUPPLY for place in PLACES.tolist()]
    return _bundle(max(c, 0) for c in counts), _bundle(max(-c, 0) for c in counts)


def _encode_plenty(resources: Any) -> int:
    if not isinstance(resources, (list, tuple)) or len(resources) not in (1, 2):
        raise InvalidAction(f"{resources!r}: expected two resources (one if the supply holds only one card)")
    chosen = sorted(_resource(r) for r in resources)
    return PLENTY.index((chosen[0], chosen[1] if len(chosen) == 2 else NONE))


def _decode_plenty(n: int) -> tuple[tuple[str, ...]]:
    return (tuple(RESOURCES[r].value for r in PLENTY[n] if r != NONE),)


def _bundle_words(bundle: Bundle) -> list[str]:
    return [word for resource, n in bundle.items() for word in (str(n), str(resource))]


def _parse_bundle(words: tuple[str, ...]) -> dict[str, int]:
    if len(words) == 1:
        return {words[0]: 1}
    return {resource: int(n) for n, resource in zip(words[::2], words[1::2], strict=True)}


def _parse_trade(*words: str) -> tuple[dict[str, int], dict[str, int]]:
    at = words.index("for")
    return _parse_bundle(words[:at]), _parse_bundle(words[at + 1 :])


def _parse_seat(word: str) -> tuple[int]:
    if word[:1] not in "Pp" or not word:
        raise InvalidAction(f"{word!r}: expected a player, as in P2")
    return (int(word[1:]) - 1,)


_nothing = _Codec((), lambda: 0, lambda n: (), list, lambda: (), "")
_corner = _Codec(
    ("corner",), _number("corner", 0, CORNERS - 1), lambda n: (n,), lambda c: [str(c)], lambda w: (int(w),), "build_city 23"
)
_road = _Codec(
    ("edge",), _edge, lambda n: (EDGE_ENDS[n],), lambda e: [f"{e[0]}-{e[1]}"],
    lambda w: (tuple(int(c) for c in w.split("-")),), "build_road 17-18",
)  # fmt: skip
_one_resource = _Codec(
    ("resource",), _resource, lambda n: (RESOURCES[n].value,), lambda r: [str(r)], lambda w: (w,), "play_monopoly ore"
)


_hex = _Codec(("hex",), _number("hex", 0, HEXES - 1), lambda n: (n,), lambda h: [str(h)], lambda w: (int(w),), "move_robber 7")
_dice = _Codec(("total",), _number("total", 2, 12), lambda n: (n + 2,), lambda t: [str(t)], lambda w: (int(w),), "rolled 8")
_drawn = _Codec(("card",), _card, lambda n: (CARDS[n].value,), lambda c: [str(c)], lambda w: (w,), "drawn knight")
_bank_trade = _Codec(
    names=("give", "receive"),
    encode=_encode_bank,
    decode=_decode_bank,
    words=lambda give, receive: [*_bundle_words(give), "for", *receive],
    parse=_parse_trade,
    example="trade_bank 4 wood for ore",
)
_offer = _Codec(
    names=("give", "receive"),
    encode=_encode_offer,
    decode=_decode_offer,
    words=lambda give, receive: [*_bundle_words(give), "for", *_bundle_words(receive)],
    parse=_parse_trade,
    example="offer_trade 1 wood for 2 ore",
)
_plenty = _Codec(
    names=("resources",),
    encode=_encode_plenty,
    decode=_decode_plenty,
    words=lambda resources: [str(r) for r in resources],
    parse=lambda *words: (words,),
    example="play_year_of_plenty wood ore",
)


def _player(name: str) -> _Codec:
    return _Codec(
        (name,), _number(name, 0, SEATS - 1), lambda n: (n,), lambda seat: [f"P{seat + 1}"], _parse_seat, "steal_resource P2"
    )


_CODECS = {
    **dict.fromkeys(RANGES, _nothing),
    **dict.fromkeys(("place_setup_settlement", "build_settlement", "build_city"), _corner),
    **dict.fromkeys(("place_setup_road", "build_road", "place_free_road"), _road),
    **dict.fromkeys(("discard_resource", "play_monopoly", "stolen"), _one_resource),
    "move_robber": _hex,
    "steal_resource": _player("victim"),
    "confirm_trade": _player("partner"),
    "trade_bank": _bank_trade,
    "offer_trade": _offer,
    "play_year_of_plenty": _plenty,
    "rolled": _dice,
    "drawn": _drawn,
}
_KINDS, _BASES = list(BASE), list(BASE.values())


# --- constructors -----------------------------------------------------------------------------------------


def _step(kind: str, **data: Any) -> Action:
    """A step, normalised (an edge in ascending order, resources by name) and checked."""
    return Action.from_code(Action(kind, data).code)


def place_setup_settlement(corner: int) -> Action:
    """Set-up: a settlement."""
    return _step("place_setup_settlement", corner=corner)


def place_setup_road(edge: Edge) -> Action:
    """Set-up: a road at the settlement just placed."""
    return _step("place_setup_road", edge=edge)


def roll_dice() -> Action:
    """Roll; chance answers with `rolled`."""
    return _step("roll_dice")


def discard_resource(resource: str) -> Action:
    """After a seven: one card."""
    return _step("discard_resource", resource=resource)


def discard_resources(resources: Bundle) -> Action:
    """After a seven: a whole discard, as a plan of single cards."""
    bundle_counts(resources)
    return Action("discard_resources", {"resources": {str(Resource(r)): n for r, n in resources.items() if n}})


def move_robber(hex: int) -> Action:
    """Move the robber."""
    return _step("move_robber", hex=hex)


def steal_resource(victim: int) -> Action:
    """Rob a player; chance answers with `stolen`."""
    return _step("steal_resource", victim=victim)


def skip_steal() -> Action:
    """Phased turns: there is nobody to rob."""
    return _step("skip_steal")


def trade_bank(give: str, receive: str, rate: int = 4) -> Action:
    """Maritime trade: `rate` cards of one resource for one of another."""
    return _step("trade_bank", give={give: rate}, receive={receive: 1})


def offer_trade(give: Bundle, receive: Bundle) -> Action:
    """Domestic trade: an offer to all others."""
    return _step("offer_trade", give=give, receive=receive)


def accept_offer() -> Action:
    """Answer yes."""
    return _step("accept_offer")


def decline_offer() -> Action:
    """Answer no."""
    return _step("decline_offer")


def confirm_trade(partner: int) -> Action:
    """Trade with one of those who accepted."""
    return _step("confirm_trade", partner=partner)


def cancel_offer() -> Action:
    """Trade with nobody after all."""
    return _step("cancel_offer")


def trade_player(partner: int, give: Bundle, receive: Bundle) -> Action:
    """Domestic trade as one plan: the offer, the partner accepts, all others decline, the trade."""
    offer, seat = offer_trade(give, receive), confirm_trade(partner)
    return Action("trade_player", {**seat.data, **offer.data})


def end_trade_phase() -> Action:
    """Phased turns: go on to building."""
    return _step("end_trade_phase")


def build_road(edge: Edge) -> Action:
    """Pay for a road."""
    return _step("build_road", edge=edge)


def build_settlement(corner: int) -> Action:
    """Pay for a settlement."""
    return _step("build_settlement", corner=corner)


def build_city(corner: int) -> Action:
    """Pay for a city in the place of a settlement."""
    return _step("build_city", corner=corner)


def buy_dev_card() -> Action:
    """Pay for a development card; chance answers with `drawn`."""
    return _step("buy_dev_card")


def end_build_phase() -> Action:
    """Phased turns: go on to development cards."""
    return _step("end_build_phase")


def play_knight(hex: int | None = None, victim: int | None = None) -> Action:
    """Play a knight; with a hex (and a victim) as one plan."""
    if hex is None:
        return _step("play_knight")
    data = dict(move_robber(hex).data)
    return Action("play_knight", data if victim is None else {**data, **steal_resource(victim).data})


def play_road_building(first: Edge | None = None, second: Edge | None = None) -> Action:
    """Play Road Building; with one or two edges as one plan."""
    edges = tuple(place_free_road(edge).data["edge"] for edge in (first, second) if edge is not None)
    return Action("play_road_building", {"edges": edges}) if edges else _step("play_road_building")


def place_free_road(edge: Edge) -> Action:
    """A road of Road Building."""
    return _step("place_free_road", edge=edge)


def play_year_of_plenty(first: str, second: str | None = None) -> Action:
    """Take two cards from the supply (one if it holds no second)."""
    return _step("play_year_of_plenty", resources=(first,) if second is None else (first, second))


def play_monopoly(resource: str) -> Action:
    """Take all cards of a resource from all others."""
    return _step("play_monopoly", resource=resource)


def reveal_vp() -> Action:
    """Phased turns: show a victory point card."""
    return _step("reveal_vp")


def end_turn() -> Action:
    """Pass the dice."""
    return _step("end_turn")


def rolled(total: int) -> Action:
    """Chance: the dice."""
    return _step("rolled", total=total)


def stolen(resource: str) -> Action:
    """Chance: the stolen card."""
    return _step("stolen", resource=resource)


def drawn(card: str) -> Action:
    """Chance: the drawn development card."""
    return _step("drawn", card=card)


def steps_of(action: Action, seats: int, player: int) -> list[Action]:
    """The single steps of an action: itself, or the steps of a plan as `player` carries it out among `seats`."""
    data = dict(action.data)
    if action.kind == "discard_resources":
        return [discard_resource(r) for r, n in data["resources"].items() for _ in range(n)]
    if action.kind == "play_knight" and data:
        steal = [steal_resource(data["victim"])] if "victim" in data else []
        return [play_knight(), move_robber(data["hex"]), *steal]
    if action.kind == "play_road_building" and data:
        return [play_road_building(), *(place_free_road(edge) for edge in data["edges"])]
    if action.kind == "trade_player":
        others = [(player + i) % seats for i in range(1, seats)]
        answers = [accept_offer() if seat == data["partner"] else decline_offer() for seat in others]
        return [offer_trade(data["give"], data["receive"]), *answers, confirm_trade(data["partner"])]
    return [action]
