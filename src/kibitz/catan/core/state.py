"""The struct that holds everything true in a game of Catan, and the rule options that are part of it.

Fields that mean nothing in the present phase are zero (or `NOBODY`), so that equal positions are equal bytes.
`network`, `open`, `hand_size`, `dev_size`, `road_length` follow from the others and are kept for speed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np

from kibitz.catan.core.board import PORT_TYPES, RESOURCES, Board, Harbour, Hex
from kibitz.catan.core.layout import INPUTS, WIDE
from kibitz.catan.core.topology import ALL_CORNERS, COAST_EDGES, CORNERS, EDGE_ENDS, EDGE_MASK, HEXES
from kibitz.game import States, scratch_fields, structs
from kibitz.game.evaluator import Judging, evaluator_fields
from kibitz.game.options import RuleOptions
from kibitz.ground.jit import Grid, Structs, Vector, struct

SEATS = 4
NOBODY = -1
DESERT = -1

WOOD, BRICK, SHEEP, WHEAT, ORE = range(5)
KNIGHT, VICTORY_POINT, ROAD_BUILDING, YEAR_OF_PLENTY, MONOPOLY = range(5)
KINDS = 5  # as many kinds of resource as of development card

SUPPLY = 19
DECK = (14, 5, 2, 2, 2)
DECK_SIZE = sum(DECK)
ROADS, SETTLEMENTS, CITIES = 15, 5, 4
#: Under the friendly robber, players with fewer visible points are left alone.
FRIENDLY_POINTS = 3

# The phases: what the game waits for. ROLLING, STEALING and DRAWING are chance events; TRADE, BUILD and DEV_PLAY
# exist only with the option phased_turns, in place of MAIN.
(
    SETUP_SETTLEMENT, SETUP_ROAD, TURN_START, ROLLING, ROBBER_DISCARD, ROBBER_MOVE, ROBBER_STEAL, STEALING, MAIN,
    TRADE, BUILD, DEV_PLAY, DRAWING, FREE_ROADS, TRADE_ANSWER, TRADE_CHOICE, GAME_OVER,
) = range(17)  # fmt: skip

#: Answers to an offer.
ACCEPTED, DECLINED = 1, 2


class CatanState(Protocol):
    """One game. Corners and edges are bit masks as in `kibitz.catan.core.topology`; seats, hexes and kinds are indices."""

    settlements: Vector  # [seat] corners
    cities: Vector  # [seat] corners
    roads: Grid  # [seat, half] edges
    network: Vector  # [seat] corners at the ends of own roads
    harbours: Vector  # [0 for 3:1, 1 + resource] corners that it serves
    land: Vector  # [resource] hexes of that terrain
    tokens: Vector  # [number] hexes that carry it
    open: int  # corners where the distance rule allows a settlement
    turn: int  # one player's turn; 0 during set-up
    max_turns: int
    terrain: Vector  # [hex] resource or DESERT
    number: Vector  # [hex] token, 0 for the desert
    hand: Grid  # [seat, resource]
    hand_size: Vector  # [seat]
    bank: Vector  # [resource]
    dev: Grid  # [seat, card] held, those bought this turn included
    dev_size: Vector  # [seat]
    new_dev: Vector  # [card] bought this turn
    new_dev_size: int  # how many they are
    played: Grid  # [seat, card] played or revealed
    deck: Vector  # [card]
    deck_size: int  # how many they are
    road_length: Vector  # [seat]
    discards: Vector  # [seat] cards still to be discarded after a seven
    offer: Vector  # [resource] what the player gives (+) and wants (-)
    answers: Vector  # [seat] to the offer: 0 none yet, else ACCEPTED or DECLINED
    seats: int  # how many play
    phase: int  # what the game waits for
    player: int  # whose turn it is
    roll: int  # 0 before the dice are rolled
    robber: int  # its hex
    road_holder: int  # of Longest Road, or NOBODY
    army_holder: int  # of Largest Army, or NOBODY
    winner: int  # or NOBODY
    placed: int  # how many set-up settlements stand
    corner: int  # the settlement that the next set-up road must touch
    victim: int  # who is being robbed
    dev_done: int  # 1 once a card other than a victory point was played this turn
    free_roads: int  # that Road Building still gives, whether or not there are pieces for them
    offers: int  # made this turn
    victory_points: int
    discard_limit: int
    domestic_trade: int
    offer_limit: int
    friendly_robber: int
    all_or_nothing_bank: int
    phased_turns: int


STATE = struct(
    "catan",
    [
        ("settlements", np.int64, (SEATS,)), ("cities", np.int64, (SEATS,)), ("roads", np.int64, (SEATS, 2)),
        ("network", np.int64, (SEATS,)), ("harbours", np.int64, (1 + KINDS,)), ("open", np.int64),
        ("land", np.int32, (KINDS,)), ("tokens", np.int32, (13,)), ("turn", np.int16), ("max_turns", np.int16),
        ("terrain", np.int8, (HEXES,)), ("number", np.int8, (HEXES,)),
        ("hand", np.int8, (SEATS, KINDS)), ("hand_size", np.int8, (SEATS,)), ("bank", np.int8, (KINDS,)),
        ("dev", np.int8, (SEATS, KINDS)), ("dev_size", np.int8, (SEATS,)), ("new_dev", np.int8, (KINDS,)),
        ("new_dev_size", np.int8), ("played", np.int8, (SEATS, KINDS)), ("deck", np.int8, (KINDS,)),
        ("road_length", np.int8, (SEATS,)), ("discards", np.int8, (SEATS,)), ("offer", np.int8, (KINDS,)),
        ("answers", np.int8, (SEATS,)),
        *(
            (name, np.int8)
            for name in (
                "deck_size", "seats", "phase", "player", "roll", "robber", "road_holder", "army_holder", "winner", "placed",
                "corner", "victim", "dev_done", "free_roads", "offers", "victory_points", "discard_limit", "domestic_trade",
                "offer_limit", "friendly_robber", "all_or_nothing_bank", "phased_turns",
            )
        ),
    ],
)  # fmt: skip


class CatanWorld(Protocol):
    """Everything hidden: the hands and the development cards of all seats (the deck is what remains)."""

    hand: Grid
    dev: Grid
    new_dev: Vector


WORLD = struct(
    "catan_world", [("hand", np.int8, (SEATS, KINDS)), ("dev", np.int8, (SEATS, KINDS)), ("new_dev", np.int8, (KINDS,))]
)

#: Room for the longest list of legal actions: 72 roads, 54 + 9 corners, 75 bank trades, 60 offers, 28 cards and ends.
MAX_ACTIONS = 320
#: How many weights the policy `builder` has.
WEIGHTS = 38
#: Room for what a policy works out while it chooses one action; nothing in it outlives the choice.
NOTES = 152
SCRATCH = struct(
    "catan_scratch",
    [
        ("world", STATE, (2,)),
        ("sites", np.int64, (4 * (SEATS + 1),)),
        ("lands", np.int64, (2 * (HEXES + 1) + CORNERS,)),
        *scratch_fields(SEATS, MAX_ACTIONS, outcomes=12),
        ("notes", np.int32, (NOTES,)),
        ("style", np.int32),
        ("habits", np.int32, (WEIGHTS,)),
        ("candidate", np.int32, (WEIGHTS,)),
        ("tries", np.int32, (MAX_ACTIONS,)),
        ("then", np.int32, (MAX_ACTIONS,)),
        ("merits", np.int32, (MAX_ACTIONS,)),
        *evaluator_fields(SEATS, INPUTS, WIDE),
    ],
)


class Notes(Judging, Protocol):
    """The scratch struct of Catan: what the generic drivers and the evaluator need, and what policies work with."""

    world: Structs  # whole states in which a policy tries what it might do
    sites: Vector  # [seat, roads] the corners on which it could settle after so many roads; then those where several could
    lands: Vector  # what the evaluator notes of the hexes and corners
    notes: Vector  # what a policy works out
    style: int  # whose weights `builder` has taken up
    habits: Vector  # these weights
    candidate: Vector  # those of a candidate in evolution
    tries: Vector  # the actions that are tried
    then: Vector  # what is done after each of them; -1: what `builder` does
    merits: Vector  # what came of each


@dataclass(frozen=True, repr=False)
class Rules(RuleOptions):
    """The named rule options. The defaults are the official base game; some sets of options have names.

    >>> Rules(victory_points=12)
    Rules(victory_points=12)
    >>> Rules.preset("seed")
    Rules(all_or_nothing_bank=True, phased_turns=True)
    """

    victory_points: int = 10
    """Points that win."""
    discard_limit: int = 7
    """A seven makes everyone with more cards than this discard half."""
    domestic_trade: bool = True
    """Whether players trade with each other."""
    offer_limit: int = 4
    """Offers that a player may make in one turn, so that a turn always ends."""
    friendly_robber: bool = False
    """The robber may not go next to a player with fewer than 3 visible points (while another hex is left)."""
    all_or_nothing_bank: bool = False
    """Any shortage of a resource blocks it for everybody, even for a single claimant."""
    phased_turns: bool = False
    """Trade, then build, then play a development card, each phase ended explicitly; no cards before the roll."""
    max_turns: int = 1000
    """A game that reaches the end of this turn ends without a winner."""

    #: ``official``: the rule book. ``seed``: the house rules of the description that the bot `seed` comes from. ``colonist``: a
    #: game for four on colonist.io, which plays by the book. ``colonist-1v1``: two players there.
    _PRESETS: ClassVar = {
        "official": {},
        "seed": {"all_or_nothing_bank": True, "phased_turns": True},
        "colonist": {"victory_points": 10, "discard_limit": 7, "friendly_robber": False},
        "colonist-1v1": {"victory_points": 15, "discard_limit": 8, "friendly_robber": True},
    }
    _BOUNDS: ClassVar = {"victory_points": (3, 20), "discard_limit": (1, 95), "offer_limit": (0, 100), "max_turns": (1, 30000)}


def new_states(board: Board | Sequence[Board], seats: int = 4, rules: Rules = Rules()) -> States:  # noqa: B008
    """Fresh games before the first settlement: one on `board`, or one on each of several boards."""
    if not 2 <= seats <= SEATS:
        raise ValueError(f"{seats} seats: Catan is for 2 to {SEATS} players")
    boards = [board] if isinstance(board, Board) else board
    states = structs(STATE, len(boards))
    for name, column in zip(("terrain", "number", "robber", "land", "tokens", "harbours"), _board_columns(boards), strict=True):
        states[name] = column
    states["seats"] = seats
    states["open"] = ALL_CORNERS
    states["bank"] = SUPPLY
    states["deck"] = DECK
    states["deck_size"] = DECK_SIZE
    for name in ("road_holder", "army_holder", "winner", "corner", "victim"):
        states[name] = NOBODY
    for name, value in rules.to_json().items():
        states[name] = value
    return states


def _board_columns(boards: Sequence[Board]) -> Iterator[list[Any]]:
    """The fields that a board decides, for all boards at once."""
    terrain = [[DESERT if h.resource is None else RESOURCES.index(h.resource) for h in board.hexes] for board in boards]
    number = [[h.number or 0 for h in board.hexes] for board in boards]
    yield terrain
    yield number
    yield [board.desert for board in boards]
    yield [[sum(1 << h for h, t in enumerate(row) if t == resource) for resource in range(KINDS)] for row in terrain]
    yield [[sum(1 << h for h, n in enumerate(row) if n == token) if token else 0 for token in range(13)] for row in number]
    yield [_harbour_masks(board) for board in boards]


def _harbour_masks(board: Board) -> list[int]:
    masks = [0] * (1 + KINDS)
    for harbour in board.harbours:
        masks[PORT_TYPES.index(harbour.kind)] |= int(EDGE_MASK[harbour.edge])
    return masks


def board_of(states: States, i: int = 0) -> Board:
    """The board that a state is played on."""
    row = np.asarray(states)[i]
    hexes = tuple(
        Hex(None if t == DESERT else RESOURCES[t], None if t == DESERT else n)
        for t, n in zip(row["terrain"].tolist(), row["number"].tolist(), strict=True)
    )
    harbours = []
    for edge in COAST_EDGES.tolist():
        a, b = EDGE_ENDS[edge]
        for kind, mask in zip(PORT_TYPES, row["harbours"].tolist(), strict=True):
            if mask >> a & 1 and mask >> b & 1:
                harbours.append(Harbour(edge, kind))
    return Board(hexes, tuple(harbours))


def rules_of(states: States, i: int = 0) -> Rules:
    """The rule options that a state is played with."""
    return Rules.from_struct(np.asarray(states)[i])
