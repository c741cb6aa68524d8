"""What a game of Coup is made of: the court, the struct that holds everything true in a game, and the codes of actions.

Fields that mean nothing in the present phase are zero (or `NOBODY`, `NONE`), so that equal positions are equal bytes. An
action is ``base + parameter``, one range of codes per kind, in the order of a turn; `kibitz.coup.core.actions` gives them names
and types.
"""

from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations_with_replacement
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from kibitz.game import structs
from kibitz.game.options import RuleOptions
from kibitz.ground.jit import Grid, Vector, struct, table


class Character(StrEnum):
    """The characters, in the order that is used everywhere."""

    DUKE = "duke"
    ASSASSIN = "assassin"
    CAPTAIN = "captain"
    AMBASSADOR = "ambassador"
    CONTESSA = "contessa"


CHARACTERS = tuple(Character)
KINDS = len(CHARACTERS)
DUKE, ASSASSIN, CAPTAIN, AMBASSADOR, CONTESSA = range(KINDS)
#: No character.
NONE = -1

COPIES = 3
CARDS = KINDS * COPIES

#: Two cards in no particular order, as the deck deals them and as an exchange returns them.
PAIRS = list(combinations_with_replacement(range(KINDS), 2))
PAIR_KINDS = len(PAIRS)
PAIR_FIRST: Vector = table([a for a, _ in PAIRS])
PAIR_SECOND: Vector = table([b for _, b in PAIRS])


def cards_of(counts: list[int]) -> list[str]:
    """The names of cards that are counted by character."""
    return [character.value for character, n in zip(CHARACTERS, counts, strict=True) for _ in range(n)]


SEATS = 6
NOBODY = -1

INFLUENCES = 2
COINS = 50

#: The actions of a turn, in the order of their codes; NO_ACTION before one is announced.
INCOME, FOREIGN_AID, TAX, EXCHANGE, COUP, ASSASSINATE, STEAL = range(7)
NO_ACTION = -1
#: Their names.
ACTIONS = ("income", "foreign_aid", "tax", "exchange", "coup", "assassinate", "steal")

# The phases: what the game waits for. DEAL, REPLACE and DRAW are chance events.
DEAL, ACTION, CHALLENGE, SHOW, REPLACE, LOSE, BLOCK, DRAW, RETURN, GAME_OVER = range(10)

#: What the winner scores. Who is left at the turn limit shares it: every number up to six divides it.
PRIZE = 60


class GamePhase(StrEnum):
    """What the game waits for (see ``docs/coup.md``), in the order of the numbers above."""

    DEAL = "DEAL"
    ACTION = "ACTION"
    CHALLENGE = "CHALLENGE"
    SHOW = "SHOW"
    REPLACE = "REPLACE"
    LOSE = "LOSE"
    BLOCK = "BLOCK"
    DRAW = "DRAW"
    RETURN = "RETURN"
    GAME_OVER = "GAME_OVER"


PHASES = tuple(phase.value for phase in GamePhase)


class CoupState(Protocol):
    """One game. Seats and characters are indices."""

    turn: int  # one player's turn; 0 during the deal
    max_turns: int
    hand: Grid  # [seat, character] cards face down
    revealed: Grid  # [seat, character] cards lost
    coins: Vector  # [seat]
    influence: Vector  # [seat] cards not lost; the hand has one less while a shown one is replaced, two more in an exchange
    claimed: Vector  # [seat] the character that it claimed last, while nothing speaks against it; NONE else
    deck: Vector  # [character]
    treasury: int  # coins that nobody has
    seats: int  # how many play
    phase: int  # what the game waits for
    player: int  # whose turn it is
    active: int  # the seat that decides, or for which chance draws
    action: int  # announced this turn, or NO_ACTION
    target: int  # of the action, or NOBODY
    claim: int  # the character claimed for the action or, later, for the block; NONE once the action takes effect
    blocker: int  # who claims to block, or NOBODY
    challenger: int  # whose challenge is being answered, or NOBODY
    winner: int  # or NOBODY
    target_may_block_after_failed_challenge: int
    refund_on_caught_bluff: int
    steal_from_zero: int


_SHAPES = {"hand": (SEATS, KINDS), "revealed": (SEATS, KINDS), "coins": (SEATS,), "influence": (SEATS,), "claimed": (SEATS,),
           "deck": (KINDS,)}  # fmt: skip
_KINDS = {"turn": np.int16, "max_turns": np.int16}
STATE = struct("coup", [(name, _KINDS.get(name, np.int8), _SHAPES.get(name, ())) for name in CoupState.__annotations__])


class CoupWorld(Protocol):
    """Everything hidden: the hands of all seats (the deck is what remains)."""

    hand: Grid


WORLD = struct("coup_world", [("hand", np.int8, (SEATS, KINDS))])

#: Room for the longest list of legal actions (4 without and 3 x 5 with a target) and of outcomes (15 pairs).
MAX_ACTIONS, MAX_OUTCOMES = 20, 15


@dataclass(frozen=True, repr=False)
class Rules(RuleOptions):
    """The named rule options.

    >>> Rules(steal_from_zero=True)
    Rules(steal_from_zero=True)
    """

    target_may_block_after_failed_challenge: bool = True
    """Whether an assassination or a theft that survived a challenge, anybody's, may still be blocked."""
    refund_on_caught_bluff: bool = True
    """Whether an assassin whose claim is caught gets the three coins back."""
    steal_from_zero: bool = False
    """Whether a player without coins may be named as the target of a theft."""
    max_turns: int = 1000
    """A game that reaches the end of this turn ends without a winner."""

    _BOUNDS: ClassVar = {"max_turns": (1, 30000)}


def new_states(seats: int = 2, rules: Rules = Rules(), n: int = 1) -> npt.NDArray[np.void]:  # noqa: B008
    """`n` fresh games before the deal. Everybody has two coins; with two players the one who starts has one."""
    if not 2 <= seats <= SEATS:
        raise ValueError(f"{seats} seats: Coup is for 2 to {SEATS} players")
    states = structs(STATE, n)
    states["seats"] = seats
    states["deck"] = COPIES
    states["influence"][:, :seats] = INFLUENCES
    states["coins"][:, :seats] = 2
    if seats == 2:
        states["coins"][:, 0] = 1
    states["treasury"] = COINS - states["coins"].sum(axis=1)
    states["action"] = NO_ACTION
    states["claim"] = NONE
    states["claimed"] = NONE
    for name in ("target", "blocker", "challenger", "winner"):
        states[name] = NOBODY
    for name, value in rules.to_json().items():
        states[name] = value
    return states


def rules_of(states: npt.NDArray[np.void], i: int = 0) -> Rules:
    """The rule options that a state is played with."""
    return Rules.from_struct(np.asarray(states)[i])


#: The ranges in ascending order, each with the number of its codes.
RANGES: dict[str, int] = {
    "income": 1, "foreign_aid": 1, "tax": 1, "exchange": 1, "coup": SEATS, "assassinate": SEATS, "steal": SEATS,
    "allow": 1, "challenge": 1, "block": KINDS, "show": KINDS, "lose": KINDS, "return_cards": PAIR_KINDS,
    "drawn": KINDS, "drawn_two": PAIR_KINDS,
}  # fmt: skip
BASE: dict[str, int] = {kind: sum(list(RANGES.values())[:i]) for i, kind in enumerate(RANGES)}

(
    DO_INCOME, DO_FOREIGN_AID, DO_TAX, DO_EXCHANGE, DO_COUP, DO_ASSASSINATE, DO_STEAL, ALLOW, DO_CHALLENGE, DO_BLOCK, DO_SHOW,
    DO_LOSE, DO_RETURN, DRAWN, DRAWN_TWO,
) = BASE.values()  # fmt: skip
ALL_CODES = DRAWN_TWO + RANGES["drawn_two"]

#: What others perceive of drawn cards (one, two) and of those that an exchange returns.
UNSEEN_CARD, UNSEEN_CARDS, UNSEEN_RETURN = -1, -2, -3

# By action: income, foreign aid, tax, exchange, coup, assassinate, steal.
COST: Vector = table([0, 0, 0, 0, 7, 3, 0])
#: What it brings: out of the treasury, and for a theft out of the target's coins.
GAIN: Vector = table([1, 2, 3, 0, 0, 0, 2])
CLAIMS: Vector = table([NONE, NONE, DUKE, AMBASSADOR, NONE, ASSASSIN, CAPTAIN])
#: The characters that block an action: one, and for a theft a second.
BLOCKED_BY: Vector = table([NONE, DUKE, NONE, NONE, NONE, CONTESSA, CAPTAIN])
BLOCKED_BY_TOO: Vector = table([NONE, NONE, NONE, NONE, NONE, NONE, AMBASSADOR])
