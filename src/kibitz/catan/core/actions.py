"""Actions and outcomes as typed objects, with constructors, a text notation, JSON, and their integer codes.

>>> build_road((18, 17))
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
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from kibitz.catan.core.codes import ALL_CODES, BASE, RANGES
from kibitz.catan.core.notation import CARDS, PLANS, STEPS, Bundle, Data, DevCardType, Edge, check_names
from kibitz.game.actions import InvalidAction, kind_and_data

__all__ = ["CARDS", "Action", "DevCardType"]

_KINDS, _BASES = list(BASE), list(BASE.values())
_NO_DATA: Data = MappingProxyType({})


class Action:
    """What a player does, or what chance decides: a kind and its data (see the table in ``docs/record.md``).

    The data are checked and put in normal form (an edge in ascending order, resources by name and in their order), so
    that equal actions are equal, whichever way they were written. Raises `InvalidAction` for what is not an action.
    """

    __slots__ = ("_code", "data", "kind")
    kind: str
    data: Data
    _code: int | None

    def __init__(self, kind: str, data: Data = _NO_DATA) -> None:
        if not isinstance(data, Mapping):
            raise InvalidAction(f"{kind}: expected data by name, found {data!r}")
        if kind in PLANS and (data or kind not in STEPS):
            self._set(kind, PLANS[kind].normal(data), None)
        elif kind in STEPS:
            step = STEPS[kind]
            check_names(kind, data, step.names)
            number = step.encode(*(data[name] for name in step.names))
            self._set(kind, dict(zip(step.names, step.decode(number), strict=True)), BASE[kind] + number)
        else:
            raise InvalidAction(f"{kind!r}: no such action")

    def _set(self, kind: str, data: Data, code: int | None) -> None:
        object.__setattr__(self, "kind", kind)
        frozen = {name: MappingProxyType(value) if isinstance(value, dict) else value for name, value in data.items()}
        object.__setattr__(self, "data", MappingProxyType(frozen))
        object.__setattr__(self, "_code", code)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an action does not change; {name} cannot be set")

    @property
    def is_plan(self) -> bool:
        """Whether it stands for several steps of the game."""
        return self._code is None

    @property
    def code(self) -> int:
        """The integer that compiled code uses. A plan has none."""
        if self._code is None:
            raise InvalidAction(f"{self.kind} is a plan of several steps: it has no code of its own")
        return self._code

    @classmethod
    def from_code(cls, code: int) -> Action:
        """The action of an integer code."""
        if not 0 <= code < ALL_CODES:
            raise InvalidAction(f"{code} is not an action; codes run from 0 to {ALL_CODES - 1}")
        kind = _KINDS[bisect.bisect_right(_BASES, code) - 1]
        step = STEPS[kind]
        action = cls.__new__(cls)
        action._set(kind, dict(zip(step.names, step.decode(code - BASE[kind]), strict=True)), code)
        return action

    def to_text(self) -> str:
        """One line, as people write it: players count from 1."""
        words = PLANS[self.kind].write(self.data) if self.is_plan else STEPS[self.kind].write(*self.data.values())
        return " ".join([self.kind, *words])

    @classmethod
    def from_text(cls, text: str) -> Action:
        """Read what `to_text` wrote."""
        kind, *words = text.split() or [""]
        try:
            if kind in PLANS and (words or kind not in STEPS):
                return cls(kind, PLANS[kind].read(*words))
            if kind in STEPS:
                return cls(kind, dict(zip(STEPS[kind].names, STEPS[kind].read(*words), strict=True)))
        except InvalidAction:
            raise
        except (ValueError, TypeError):  # too few or too many words, or one that cannot be split
            raise InvalidAction(f"{text!r}: cannot be read; expected for example {_example(kind)!r}") from None
        raise InvalidAction(f"{kind!r}: no such action")

    def to_json(self) -> dict[str, Any]:
        """`kind` and `data`, with plain lists."""
        return {"kind": self.kind, "data": _plain(self.data)}

    @classmethod
    def from_json(cls, value: Any) -> Action:
        """Read what `to_json` wrote."""
        return cls(*kind_and_data(value))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Action) and self.to_text() == other.to_text()

    def __hash__(self) -> int:
        return hash(self.to_text())

    def __reduce__(self) -> tuple[type[Action], tuple[str, dict[str, Any]]]:
        return Action, (self.kind, _plain(self.data))

    def __repr__(self) -> str:
        data = {name: dict(value) if isinstance(value, Mapping) else value for name, value in self.data.items()}
        return f"Action({self.kind!r}, {data!r})" if data else f"Action({self.kind!r})"


def _example(kind: str) -> str:
    """How an action of this kind is written."""
    written = {
        "trade_bank": "trade_bank 4 wood for ore",
        "offer_trade": "offer_trade 1 wood for 2 ore",
        "discard_resources": "discard_resources 2 wood 2 ore",
        "trade_player": "trade_player P2 1 wood for 2 ore",
    }
    return written.get(kind) or Action.from_code(BASE[kind] + RANGES[kind] // 2).to_text()


def _plain(value: Any) -> Any:
    """With dicts and lists, as JSON has them."""
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def describe(code: int) -> str:
    """The text of an action code."""
    return Action.from_code(code).to_text()


def parse(text: str) -> int:
    """The code of an action's text."""
    return Action.from_text(text).code


# --- constructors -----------------------------------------------------------------------------------------


def place_setup_settlement(corner: int) -> Action:
    """Set-up: a settlement."""
    return Action("place_setup_settlement", {"corner": corner})


def place_setup_road(edge: Edge) -> Action:
    """Set-up: a road at the settlement just placed."""
    return Action("place_setup_road", {"edge": edge})


def roll_dice() -> Action:
    """Roll; chance answers with `rolled`."""
    return Action("roll_dice")


def discard_resource(resource: str) -> Action:
    """After a seven: one card."""
    return Action("discard_resource", {"resource": resource})


def discard_resources(resources: Bundle) -> Action:
    """After a seven: a whole discard, as a plan of single cards."""
    return Action("discard_resources", {"resources": resources})


def move_robber(hex: int) -> Action:
    """Move the robber."""
    return Action("move_robber", {"hex": hex})


def steal_resource(victim: int) -> Action:
    """Rob a player; chance answers with `stolen`."""
    return Action("steal_resource", {"victim": victim})


def skip_steal() -> Action:
    """Phased turns: there is nobody to rob."""
    return Action("skip_steal")


def trade_bank(give: str, receive: str, rate: int = 4) -> Action:
    """Maritime trade: `rate` cards of one resource for one of another."""
    return Action("trade_bank", {"give": {give: rate}, "receive": {receive: 1}})


def offer_trade(give: Bundle, receive: Bundle) -> Action:
    """Domestic trade: an offer to all others."""
    return Action("offer_trade", {"give": give, "receive": receive})


def accept_offer() -> Action:
    """Answer yes."""
    return Action("accept_offer")


def decline_offer() -> Action:
    """Answer no."""
    return Action("decline_offer")


def confirm_trade(partner: int) -> Action:
    """Trade with one of those who accepted."""
    return Action("confirm_trade", {"partner": partner})


def cancel_offer() -> Action:
    """Trade with nobody after all."""
    return Action("cancel_offer")


def trade_player(partner: int, give: Bundle, receive: Bundle) -> Action:
    """Domestic trade as one plan: the offer, the partner accepts, all others decline, the trade."""
    return Action("trade_player", {"partner": partner, "give": give, "receive": receive})


def end_trade_phase() -> Action:
    """Phased turns: go on to building."""
    return Action("end_trade_phase")


def build_road(edge: Edge) -> Action:
    """Pay for a road."""
    return Action("build_road", {"edge": edge})


def build_settlement(corner: int) -> Action:
    """Pay for a settlement."""
    return Action("build_settlement", {"corner": corner})


def build_city(corner: int) -> Action:
    """Pay for a city in place of a settlement."""
    return Action("build_city", {"corner": corner})


def buy_dev_card() -> Action:
    """Pay for a development card; chance answers with `drawn`."""
    return Action("buy_dev_card")


def end_build_phase() -> Action:
    """Phased turns: go on to development cards."""
    return Action("end_build_phase")


def play_knight(hex: int | None = None, victim: int | None = None) -> Action:
    """Play a knight; with a hex (and a victim) as one plan."""
    given = {"hex": hex, "victim": victim}
    return Action("play_knight", {name: value for name, value in given.items() if value is not None})


def play_road_building(first: Edge | None = None, second: Edge | None = None) -> Action:
    """Play Road Building; with one or two edges as one plan."""
    edges = [edge for edge in (first, second) if edge is not None]
    return Action("play_road_building", {"edges": edges}) if edges else Action("play_road_building")


def place_free_road(edge: Edge) -> Action:
    """A road of Road Building."""
    return Action("place_free_road", {"edge": edge})


def end_road_building() -> Action:
    """Place no more roads of Road Building."""
    return Action("end_road_building")


def play_year_of_plenty(first: str, second: str | None = None) -> Action:
    """Take two cards from the supply (one if it holds no second)."""
    return Action("play_year_of_plenty", {"resources": (first,) if second is None else (first, second)})


def play_monopoly(resource: str) -> Action:
    """Take all cards of a resource from all others."""
    return Action("play_monopoly", {"resource": resource})


def reveal_vp() -> Action:
    """Phased turns: show a victory point card."""
    return Action("reveal_vp")


def end_turn() -> Action:
    """Pass the dice."""
    return Action("end_turn")


def rolled(total: int) -> Action:
    """Chance: the dice."""
    return Action("rolled", {"total": total})


def stolen(resource: str) -> Action:
    """Chance: the stolen card."""
    return Action("stolen", {"resource": resource})


def drawn(card: str) -> Action:
    """Chance: the drawn development card."""
    return Action("drawn", {"card": card})


def steps_of(action: Action, seats: int, player: int) -> list[Action]:
    """The single steps of an action: itself, or the steps of a plan as `player` carries it out among `seats`."""
    if not action.is_plan:
        return [action]
    data = action.data
    if action.kind == "discard_resources":
        return [discard_resource(resource) for resource, n in data["resources"].items() for _ in range(n)]
    if action.kind == "play_knight":
        steal = [steal_resource(data["victim"])] if "victim" in data else []
        return [play_knight(), move_robber(data["hex"]), *steal]
    if action.kind == "play_road_building":
        return [play_road_building(), *(place_free_road(edge) for edge in data["edges"])]
    if data["partner"] == player or data["partner"] >= seats:
        raise InvalidAction(f"trade_player: P{data['partner'] + 1} is not another player at this table")
    others = [(player + i) % seats for i in range(1, seats)]
    answers = [accept_offer() if seat == data["partner"] else decline_offer() for seat in others]
    return [offer_trade(data["give"], data["receive"]), *answers, confirm_trade(data["partner"])]


# --- the codes of Kibitz 0.1, in which links and libraries of that time name the steps of games --------------

#: The ranges of codes in Kibitz 0.1, in ascending order, each with the number of its codes.
OLD_RANGES = {
    "place_setup_settlement": 54, "place_setup_road": 72, "roll_dice": 1, "discard_resource": 5, "move_robber": 19,
    "steal_resource": 4, "skip_steal": 1, "trade_bank": 75, "accept_offer": 1, "decline_offer": 1, "confirm_trade": 4,
    "cancel_offer": 1, "end_trade_phase": 1, "build_road": 72, "build_settlement": 54, "build_city": 54, "buy_dev_card": 1,
    "end_build_phase": 1, "play_knight": 1, "play_road_building": 1, "place_free_road": 72, "play_year_of_plenty": 20,
    "play_monopoly": 5, "reveal_vp": 1, "end_turn": 1, "rolled": 11, "stolen": 5, "drawn": 5, "offer_trade": 39**5,
}  # fmt: skip


def old_moves(setup: Mapping[str, Any], codes: Iterable[int]) -> list[str]:
    """The texts of actions that were kept as codes, whatever the setup of their game. Raises `InvalidAction`.

    Codes shifted whenever a kind of action was added; nothing that is kept or sent names an action by its code any more.

    >>> old_moves({}, [41, 112, 126])
    ['place_setup_settlement 41', 'place_setup_road 41-42', 'roll_dice']
    """
    return [describe(today(code)) for code in codes]


def today(code: int) -> int:
    """The code that an action of Kibitz 0.1 has now. Raises `InvalidAction`."""
    number = code
    for kind, count in OLD_RANGES.items():
        if 0 <= number < count:
            return BASE[kind] + number
        number -= count
    raise InvalidAction(f"{code}: no action had this number")
