"""What somebody may do in a game of Catan in the terminal: in the words that are typed, and why something is not possible.

>>> from kibitz.catan import Action
>>> [spoken(Action.from_text(text)) for text in ("build_road 3-4", "trade_bank 4 wood for ore", "move_robber 9")]
['road 3-4', 'trade 4 wood for ore', 'robber h9']
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from kibitz.catan.core import reasons
from kibitz.catan.core.actions import Action
from kibitz.catan.core.board import RESOURCES, PortType
from kibitz.catan.core.game_state import WAITS_FOR, GameState
from kibitz.catan.core.position import GamePhase
from kibitz.catan.core.reasons import refuse
from kibitz.catan.core.rules.costs import CITY_COST, DEV_COST, ROAD_COST, SETTLEMENT_COST
from kibitz.cli.common import joined
from kibitz.cli.keyboard import NotUnderstood
from kibitz.game import OVER, States, actor_at, apply_at, to_dict, why_not_at

#: The word for each kind of action, in the order in which choices are listed.
WORD = {
    "roll_dice": "roll", "accept_offer": "accept", "decline_offer": "decline", "confirm_trade": "deal",
    "cancel_offer": "cancel", "discard_resource": "discard", "move_robber": "robber", "steal_resource": "rob",
    "skip_steal": "skip",
    "place_setup_settlement": "settlement", "place_setup_road": "road", "place_free_road": "road",
    "build_road": "road", "build_settlement": "settlement", "build_city": "city", "buy_dev_card": "buy",
    "play_knight": "knight", "play_road_building": "roads", "play_year_of_plenty": "plenty", "play_monopoly": "monopoly",
    "reveal_vp": "reveal", "trade_bank": "trade", "offer_trade": "offer",
    "end_road_building": "end", "end_trade_phase": "end", "end_build_phase": "end", "end_turn": "end",
}  # fmt: skip
#: What each word does, where the list does not say it.
_MEANS = {
    "roll": "the dice", "knight": "move the robber and rob somebody", "roads": "Road Building: two free roads",
    "plenty": "Year of Plenty: two cards from the bank, as in plenty ore ore",
    "monopoly": "take all cards of one resource from everybody, as in monopoly ore",
    "reveal": "a victory point card", "offer": "to the others, as in offer wood for ore",
    "skip": "rob nobody", "cancel": "trade with nobody",
}  # fmt: skip
_COSTS = {"road": ROAD_COST, "settlement": SETTLEMENT_COST, "city": CITY_COST, "buy": DEV_COST}
_ENDS = {
    "end_road_building": "the card: no more roads", "end_trade_phase": "the trading", "end_build_phase": "the building",
    "end_turn": "your turn",
}  # fmt: skip
#: Words whose possible ends are many: an example says it in the list.
_EXAMPLES = ("offer", "plenty", "monopoly")
#: The phases of one's turn in which there is much to choose from, and in which one pays for what one builds.
TURN = (GamePhase.TURN_START, GamePhase.MAIN, GamePhase.TRADE, GamePhase.BUILD, GamePhase.DEV_PLAY)
#: So many places are named after a refusal.
FEW = 12


class Choice(NamedTuple):
    """A row of what may be done: the word, what may stand behind it, and what it means."""

    word: str
    ends: tuple[str, ...]
    meaning: str


@dataclass(frozen=True)
class Question:
    """What a seat is asked: what it sees, and what it may do (of the offers only the small ones are listed)."""

    view: States
    seat: int
    legal: Sequence[int]

    @cached_property
    def row(self) -> dict[str, Any]:
        """The fields of the view."""
        return to_dict(self.view)

    @cached_property
    def state(self) -> GameState:
        """The view as a friendly object."""
        return GameState(self.view, observer=self.seat)

    @property
    def phase(self) -> GamePhase:
        """What the game waits for."""
        return self.state.phase

    @cached_property
    def actions(self) -> list[Action]:
        """What may be done."""
        return [Action.from_code(code) for code in self.legal]

    def ends(self, word: str) -> list[str]:
        """What may stand behind a word."""
        return [spoken(action).removeprefix(word).strip() for action in self.actions if WORD[action.kind] == word]

    @cached_property
    def choices(self) -> list[Choice]:
        """What may be done, a row for each word; of trades with the bank those at the best rate."""
        words = dict.fromkeys(WORD[action.kind] for action in sorted(self.actions, key=lambda a: list(WORD).index(a.kind)))
        return [self._choice(word) for word in words]

    def _choice(self, word: str) -> Choice:
        if word == "trade":
            return Choice(word, tuple(f"{self.rate(give)} {give} for {joined(got, 'or')}" for give, got in self._bank()), "")
        meaning = _MEANS.get(word, "")
        if word in _COSTS and self.phase in TURN:
            meaning = f"costs {cards_text(_COSTS[word])}"
        elif word == "end":
            meaning = next(_ENDS[action.kind] for action in self.actions if action.kind in _ENDS)
        ends = [] if word in _EXAMPLES else [end for end in self.ends(word) if end]
        return Choice(word, tuple(ends), meaning)

    def _bank(self) -> Iterable[tuple[str, list[str]]]:
        """What the bank gives for cards of each resource, at the best rate."""
        found: dict[str, list[str]] = {}
        for action in self.actions:
            if action.kind == "trade_bank":
                ((give, n),), (got,) = action.data["give"].items(), action.data["receive"]
                if n == self.rate(give):
                    found.setdefault(give, []).append(got)
        return found.items()

    def rate(self, resource: str) -> int:
        """How many cards of a resource the bank takes for one."""
        ports = self.state.players[self.seat].ports
        return 2 if PortType(resource) in ports else 3 if PortType.ANY_3TO1 in ports else 4

    def carried_out(self, steps: Sequence[Action]) -> list[int]:
        """The codes of some steps in a row, if the rules allow them all. Raises `Refused`, which says why."""
        view = self.view.copy()
        for step in steps:
            if actor_at(view, 0) == OVER:
                break  # a plan that wins need not be carried on
            if reason := int(why_not_at(view, 0, step.code)):
                if reason == reasons.WRONG_PHASE and step is not steps[0]:
                    raise Refused(f"After that, {spoken(step)} is not possible.")
                raise Refused(self._why_not(view, step, reason))
            apply_at(view, 0, step.code)
        return [step.code for step in steps]

    def _why_not(self, view: States, action: Action, reason: int) -> str:
        word = WORD[action.kind]
        if reason == reasons.WRONG_PHASE:
            return f"Not now: you are {WAITS_FOR[self.phase]}."
        if reason == reasons.CANNOT_PAY:
            costs = _COSTS.get(word) or _counts(action.data["give"])
            lacks = [max(0, cost - held) for cost, held in zip(costs, to_dict(view)["hand"][self.seat], strict=True)]
            return f"You cannot pay for it: {spoken(action)} costs {cards_text(costs)}, and you lack {cards_text(lacks)}."
        text = str(refuse(view, action.code, reason)).replace(f"in the hand of player {self.seat + 1}", "in your hand")
        others = [end for end in self.ends(word) if end]
        possible = f" Possible: {word} {joined(others, 'or')}." if 0 < len(others) <= FEW and word not in _EXAMPLES else ""
        return f"{text[0].upper()}{text[1:]}.{possible}"


class Refused(NotUnderstood):
    """The rules forbid it; the message says why."""


def spoken(action: Action) -> str:
    """An action as it may be typed."""
    ends = action.to_text().split()[1:]
    if action.kind in ("steal_resource", "confirm_trade"):
        ends = [ends[0].removeprefix("P")]
    elif action.kind == "move_robber":
        ends = [f"h{ends[0]}"]
    return " ".join([WORD[action.kind], *ends])


def cards_text(counts: Sequence[int]) -> str:
    """Cards by resource: ``2 wood, 1 ore``; ``nothing`` where there are none."""
    return ", ".join(f"{n} {resource}" for n, resource in zip(counts, RESOURCES, strict=True) if n) or "nothing"


def _counts(bundle: Mapping[str, int]) -> list[int]:
    return [bundle.get(resource.value, 0) for resource in RESOURCES]
