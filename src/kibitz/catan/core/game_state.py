"""`GameState`: a friendly, immutable view of one game. It has no rules of its own: it encodes, asks the rules, decodes.

>>> from kibitz.catan import GameState, Board, place_setup_settlement
>>> state = GameState.new(Board.beginner(), seats=3, seed=1)
>>> state
<GameState: set-up, player 1 to place a settlement>
>>> after = state.apply(place_setup_settlement(20))
>>> after.players[0].settlements, state.players[0].settlements
({20}, set())
>>> after.apply(place_setup_settlement(21))
Traceback (most recent call last):
...
kibitz.game.actions.IllegalAction: place_setup_settlement 21 is not possible now: the game waits for SETUP_ROAD

The two special cards can be judged without a game: how long some roads are, and who holds a card.

>>> longest_road([(0, 1), (1, 2), (2, 3)]), longest_road([(0, 1), (1, 2), (2, 3)], blocked=[2])
(3, 2)
>>> award_holder([5, 6, 0], minimum=5, holder=0)
1
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from kibitz import game
from kibitz.catan.core import reasons
from kibitz.catan.core.actions import CARDS, Action, DevCardType, steps_of
from kibitz.catan.core.board import PORT_TYPES, RESOURCES, Board, PortType, Resource
from kibitz.catan.core.codes import SKIP_STEAL, STEAL, UNSEEN_DRAW, UNSEEN_STEAL
from kibitz.catan.core.position import PHASES, GamePhase, edges_of, members, points_of, position
from kibitz.catan.core.reasons import refuse_action
from kibitz.catan.core.rules.awards import trail_from
from kibitz.catan.core.state import KNIGHT, ROADS, Rules, board_of, new_states, rules_of
from kibitz.catan.core.topology import CORNERS, EDGE_BETWEEN, HALF
from kibitz.game import CHANCE
from kibitz.game.definition import seat_or_none
from kibitz.game.state import StructState
from kibitz.ground.jit import plain

#: What the player who is to move has to do, by phase.
WAITS_FOR = {
    "SETUP_SETTLEMENT": "to place a settlement",
    "SETUP_ROAD": "to place a road",
    "TURN_START": "to roll",
    "ROBBER_DISCARD": "to discard",
    "ROBBER_MOVE": "to move the robber",
    "ROBBER_STEAL": "to choose whom to rob",
    "MAIN": "to trade, build or play a card",
    "TRADE": "to trade",
    "BUILD": "to build",
    "DEV_PLAY": "to play a card",
    "FREE_ROADS": "to place a free road",
    "TRADE_ANSWER": "to answer the offer",
    "TRADE_CHOICE": "to choose a partner",
}


@dataclass(frozen=True)
class PlayerState:
    """One player, as the table (or one observer) sees it. What an observer cannot know is None."""

    seat: int
    hand: dict[Resource, int] | None
    hand_size: int
    settlements: set[int]
    cities: set[int]
    roads: set[tuple[int, int]]
    ports: set[PortType]
    dev_cards: dict[DevCardType, int] | None
    dev_card_count: int
    new_dev_cards: dict[DevCardType, int] | None
    played_dev_cards: dict[DevCardType, int]
    played_knights: int
    revealed_vp_cards: int
    played_non_vp_dev_this_turn: bool
    longest_road_length: int
    visible_victory_points: int
    total_victory_points: int | None


class GameState(StructState[Action]):
    """One game of Catan at one moment. `apply` returns a new state; nothing changes this one.

    Of the offers of domestic trade `legal_actions` lists only the small ones; `why_not` judges any.
    """

    __slots__ = ()

    UNSEEN: ClassVar[Mapping[int, str]] = {UNSEEN_STEAL: "stolen a card", UNSEEN_DRAW: "drawn a card"}

    @classmethod
    def new(cls, board: Board | None = None, seats: int = 4, rules: Rules = Rules(), seed: int = 0) -> Self:  # noqa: B008
        """A game before the first settlement; without a board on a random one. `seed` decides what `resolve` draws."""
        return cls(new_states(board or Board.random(seed), seats, rules), seed)

    @property
    def board(self) -> Board:
        """Hexes, tokens and harbours."""
        return board_of(self._states)

    @property
    def rules(self) -> Rules:
        """The rule options of this game."""
        return rules_of(self._states)

    @property
    def phase(self) -> GamePhase:
        """What the game waits for."""
        return GamePhase(PHASES[self._row["phase"]])

    @property
    def players(self) -> tuple[PlayerState, ...]:
        """All players in seat order."""
        return tuple(self._player(seat) for seat in range(self._row["seats"]))

    def _player(self, seat: int) -> PlayerState:
        row = self._row
        known = self.observer is None or self.observer == seat
        buildings = row["settlements"][seat] | row["cities"][seat]
        visible, total = points_of(row, seat)
        new = row["new_dev"] if seat == row["player"] else [0] * len(CARDS)
        return PlayerState(
            seat=seat,
            hand=dict(zip(RESOURCES, row["hand"][seat], strict=True)) if known else None,
            hand_size=row["hand_size"][seat],
            settlements=set(members(row["settlements"][seat])),
            cities=set(members(row["cities"][seat])),
            roads={(a, b) for a, b in edges_of(*row["roads"][seat])},
            ports={kind for kind, mask in zip(PORT_TYPES, row["harbours"], strict=True) if mask & buildings},
            dev_cards=dict(zip(CARDS, row["dev"][seat], strict=True)) if known else None,
            dev_card_count=row["dev_size"][seat],
            new_dev_cards=dict(zip(CARDS, new, strict=True)) if known else None,
            played_dev_cards=dict(zip(CARDS, row["played"][seat], strict=True)),
            played_knights=row["played"][seat][KNIGHT],
            revealed_vp_cards=row["played"][seat][CARDS.index(DevCardType.VICTORY_POINT)],
            played_non_vp_dev_this_turn=bool(row["dev_done"]) and seat == row["player"],
            longest_road_length=row["road_length"][seat],
            visible_victory_points=visible,
            total_victory_points=total if known else None,
        )

    @property
    def dice_roll(self) -> int | None:
        """The roll of this turn."""
        return self._row["roll"] or None

    @property
    def robber_hex(self) -> int:
        """The robber's hex."""
        return int(self._row["robber"])

    @property
    def robber_tile_id(self) -> int:
        """An older name of `robber_hex`."""
        return self.robber_hex

    @property
    def bank(self) -> dict[Resource, int]:
        """The supply."""
        return dict(zip(RESOURCES, self._row["bank"], strict=True))

    @property
    def dev_deck(self) -> dict[DevCardType, int] | None:
        """What the deck still holds, by type; None for an observer."""
        return dict(zip(CARDS, self._row["deck"], strict=True)) if self.observer is None else None

    @property
    def dev_deck_size(self) -> int:
        """How many development cards are left."""
        return int(self._row["deck_size"])

    @property
    def setup_order(self) -> list[int]:
        """The seats in the order in which they place: around the table and back."""
        around = list(range(self._row["seats"]))
        return around + around[::-1]

    @property
    def setup_index(self) -> int:
        """How many set-up settlements stand."""
        return int(self._row["placed"])

    @property
    def setup_corner(self) -> int | None:
        """The settlement that the next set-up road must touch."""
        return seat_or_none(self._row["corner"])

    @property
    def pending_setup_vertex_id(self) -> int | None:
        """An older name of `setup_corner`."""
        return self.setup_corner

    @property
    def discard_queue(self) -> list[int]:
        """Who still has to discard, in order."""
        order = [(self._row["player"] + i) % self._row["seats"] for i in range(self._row["seats"])]
        return [seat for seat in order if self._row["discards"][seat]]

    @property
    def pending_steal_target_ids(self) -> list[int]:
        """Who can be robbed now (which everybody sees)."""
        codes = game.legal_actions(self._states) if self.phase is GamePhase.ROBBER_STEAL else []
        return [code - STEAL for code in codes if STEAL <= code < SKIP_STEAL]

    @property
    def longest_road_owner(self) -> int | None:
        """Who holds Longest Road."""
        return seat_or_none(self._row["road_holder"])

    @property
    def longest_road_length(self) -> int:
        """The length of the holder's road, 0 if nobody holds the card."""
        return 0 if self.longest_road_owner is None else int(self._row["road_length"][self.longest_road_owner])

    @property
    def largest_army_owner(self) -> int | None:
        """Who holds Largest Army."""
        return seat_or_none(self._row["army_holder"])

    @property
    def largest_army_size(self) -> int:
        """The knights of the holder, 0 if nobody holds the card."""
        return 0 if self.largest_army_owner is None else int(self._row["played"][self.largest_army_owner][KNIGHT])

    def visible_victory_points(self, seat: int) -> int:
        """Points that everybody sees."""
        return self.players[seat].visible_victory_points

    def total_victory_points(self, seat: int) -> int | None:
        """Hidden victory point cards included; None where the observer cannot know."""
        return self.players[seat].total_victory_points

    def longest_road_length_for_player(self, seat: int) -> int:
        """The length of a player's longest road."""
        return int(self._row["road_length"][seat])

    def action_of(self, code: int) -> Action:
        """The action of a code."""
        return Action.from_code(code)

    def code_of(self, action: Action) -> int:
        """The code of an action."""
        return action.code

    def concerns(self) -> int:
        """Whose step comes next; dice and cards concern the player whose turn it is."""
        seat = int(game.actor_at(self._states, 0))
        return self.current_player_id if seat == CHANCE else seat

    def _steps(self, action: Action) -> list[Action]:
        if action.kind == "discard_resources" and self.discard_queue:
            if sum(action.data["resources"].values()) != self._row["discards"][self.discard_queue[0]]:
                raise refuse_action(self._states, action, reasons.DISCARD_HALF)
        return list(steps_of(action, self._row["seats"], self._row["player"]))

    def _waits_for(self) -> str:
        return WAITS_FOR[self.phase.name]

    def _facts(self) -> dict[str, Any]:
        return position(self._states)

    def _repr_svg_(self) -> str:
        from kibitz.catan.core.svg import draw_state

        return draw_state(self._states, observer=self.observer)


#: The same as functions.
initialize_game_state, list_legal_actions, apply_action = GameState.new, GameState.legal_actions, GameState.apply
player_visible_victory_points, player_total_victory_points = GameState.visible_victory_points, GameState.total_victory_points


def longest_road(roads: Iterable[tuple[int, int]], blocked: Iterable[int] = ()) -> int:
    """The length of the longest trail along some roads of one player, each a pair of corners.

    A trail uses each road once and may cross itself; at a `blocked` corner, where another player has built, it ends.
    Raises a `ValueError` for what is not an edge or corner of the island, and for more roads than a player has.
    """
    pairs = {(min(pair), max(pair)) for pair in roads}
    if strange := sorted(pairs - EDGE_BETWEEN.keys()):
        raise ValueError(f"{strange[0]}: no edge of the island joins these corners")
    if len(pairs) > ROADS:
        raise ValueError(f"{len(pairs)} roads: a player has {ROADS}")
    stops = set(blocked)
    if foreign := sorted(stops - set(range(CORNERS))):
        raise ValueError(f"corner {foreign[0]}: expected 0 to {CORNERS - 1}")
    blocks, edges = sum(1 << corner for corner in stops), sum(1 << EDGE_BETWEEN[pair] for pair in pairs)
    halves = edges & (1 << HALF) - 1, edges >> HALF
    starts = {corner for pair in pairs for corner in pair}
    return max((plain(trail_from)(*halves, blocks, corner)[0] for corner in starts), default=0)


def award_holder(counts: Sequence[int], minimum: int, holder: int | None = None) -> int | None:
    """Who holds Longest Road or Largest Army, given everybody's longest road or played knights; None: nobody.

    The `minimum` is `kibitz.catan.ROAD_MINIMUM` or `ARMY_MINIMUM`. The holder keeps the card on a tie; otherwise one
    player alone has to lead.
    """
    most = max(counts, default=0)
    if most < minimum:
        return None
    leaders = [seat for seat, count in enumerate(counts) if count == most]
    return holder if holder in leaders else leaders[0] if len(leaders) == 1 else None
