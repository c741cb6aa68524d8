"""Why a move is better: both moves are played on with the same dice, and what differs is counted.

What the player does in this turn, what the dice bring to everybody once it is over, whose points come when, who holds the
awards, and who settles on a corner that was left to them.
"""

from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import game
from kibitz.catan.core.actions import describe
from kibitz.catan.core.codes import OFFER
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.rules.production import DICE
from kibitz.catan.core.state import KINDS, VICTORY_POINT
from kibitz.catan.core.topology import CORNERS, HEX_MASK, HEXES
from kibitz.catan.review.decisions import Case
from kibitz.catan.review.kernels import follow_move, line_after
from kibitz.catan.review.types import AWARDS, Award, Why
from kibitz.game.definition import as_structs
from kibitz.ground.jit import integers, uint64
from kibitz.ground.rng import derive_seed

#: Games after each of the two moves, and rounds after which points are compared.
GAMES, ROUNDS = 96, (1, 3, 6)
#: Worlds in which the rest of the turn is looked at, and the most steps of a turn.
LINES, LONGEST = 15, 120
#: What is not worth a word: steps that only end something, or answer what was asked.
QUIET = ("end_turn", "roll_dice", "decline_offer", "cancel_offer", "confirm_trade", "end_trade_phase", "end_build_phase",
         "discard_resource")  # fmt: skip
#: A corner or an award that is lost in fewer games is not spoken of.
OFTEN = 0.2
#: Which of the moments that are looked at is soon: the end of the turn is the first, then come `ROUNDS`.
SOON = 1 + ROUNDS.index(3)

_PIPS = np.zeros(13, np.int64)
_PIPS[2:] = DICE.tolist()
_BITS = np.array([[int(mask) >> corner & 1 for corner in range(CORNERS)] for mask in HEX_MASK.tolist()], np.int64)


def reasons(case: Case, better: int) -> Why:
    """Why `better` is better than what was played in this decision."""
    seats = int(np.asarray(case.worlds)["seats"][0])
    turns = [case.turn + 1, *(case.turn + 1 + seats * rounds for rounds in ROUNDS)]
    good, bad = (_followed(case, move, turns) for move in (better, case.played))
    gains = income(good[:, 0]).mean(axis=0) - income(bad[:, 0]).mean(axis=0)
    blocked = [0.0 if seat == case.seat else -float(gains[seat].sum()) for seat in range(seats)]
    cards = float((good[:, 0]["hand_size"][:, case.seat] - bad[:, 0]["hand_size"][:, case.seat].astype(float)).mean())
    when = [(r, _points(good[:, k + 1], case.seat), _points(bad[:, k + 1], case.seat)) for k, r in enumerate(ROUNDS)]
    return Why(
        line=line_of(case, better),
        income=tuple(round(float(gain), 2) for gain in gains[case.seat]),
        blocked=tuple(round(gain, 2) for gain in blocked),
        cards=round(cards, 2),
        points=tuple(when),
        lost=_lost(good, bad, case.seat),
        award=_award(good, bad, case.seat),
    )


def _followed(case: Case, move: int, turns: list[int]) -> npt.NDArray[Any]:
    """[game, moment] the positions at the beginnings of some turns after a move."""
    worlds = case.worlds[np.arange(GAMES) % len(case.worlds)]
    seen = GAME.room(GAMES * len(turns))
    seed = uint64(derive_seed(case.seed, "reasons"))
    follow_move(as_structs(worlds), move, integers(np.array(turns, np.int64)), seen, GAME.scratches(), seed)
    found: npt.NDArray[Any] = np.asarray(seen).reshape(GAMES, len(turns))
    return found


def income(states: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """[state, seat, resource] the cards that 36 throws bring, the robber's hex left out.

    >>> from kibitz.catan import Board
    >>> from kibitz.catan.core.state import new_states
    >>> float(income(new_states(Board.beginner(), 2)).sum())
    0.0
    """
    n, seats = len(states), int(states["seats"][0])
    pips = _PIPS[states["number"]] * (np.arange(HEXES) != states["robber"][:, None])
    found = np.zeros((n, seats, KINDS))
    bits = 1 << np.arange(CORNERS)
    for seat in range(seats):
        built = ((states["settlements"][:, seat, None] & bits) > 0) + 2 * ((states["cities"][:, seat, None] & bits) > 0)
        cards = pips * (built.astype(np.int64) @ _BITS.T)
        for kind in range(KINDS):
            found[:, seat, kind] = (cards * (states["terrain"] == kind)).sum(axis=1)
    return found


def _points(states: npt.NDArray[Any], seat: int) -> float:
    """The mean of a seat's points, hidden ones included."""
    bits = 1 << np.arange(CORNERS)
    built = sum(k * ((states[name][:, seat, None] & bits) > 0).sum(axis=1) for k, name in ((1, "settlements"), (2, "cities")))
    cards = states["played"][:, seat, VICTORY_POINT] + states["dev"][:, seat, VICTORY_POINT]
    awards = 2 * (states["road_holder"] == seat) + 2 * (states["army_holder"] == seat)
    return round(float((built + cards + awards).mean()), 2)


def _lost(good: npt.NDArray[Any], bad: npt.NDArray[Any], seat: int) -> tuple[int, int, float] | None:
    """A corner of the player's after the better move, soon, on which somebody else settles after what was played."""
    bits = 1 << np.arange(CORNERS)

    def owned(states: npt.NDArray[Any], who: int) -> npt.NDArray[np.float64]:
        return np.asarray((((states["settlements"] | states["cities"])[:, who, None] & bits) > 0).mean(axis=0))

    mine = owned(good[:, SOON], seat) - owned(bad[:, SOON], seat)
    best: tuple[int, int, float] | None = None
    for other in range(int(good["seats"][0, 0])):
        theirs = owned(bad[:, SOON], other) - owned(good[:, SOON], other)
        both = np.minimum(mine, theirs)
        corner = int(both.argmax())
        if other != seat and both[corner] >= OFTEN and (best is None or both[corner] > best[2]):
            best = corner, other, round(float(both[corner]), 2)
    return best


def _award(good: npt.NDArray[Any], bad: npt.NDArray[Any], seat: int) -> Award | None:
    """The award that the player holds more often soon, or else one that somebody else holds more seldom."""
    found = []
    for name in AWARDS:
        for who in range(int(good["seats"][0, 0])):
            best, played = (float((states[f"{name}_holder"][:, SOON] == who).mean()) for states in (good, bad))
            change = best - played if who == seat else played - best
            if change >= OFTEN:
                found.append((who == seat, change, Award(name, who, round(best, 2), round(played, 2))))
    return max(found, key=lambda one: one[:2])[2] if found else None


def line_of(case: Case, move: int) -> tuple[str, ...]:
    """What the player does from a move to the end of the turn, in most worlds."""
    room, xs, codes = GAME.room(1), GAME.scratches(), integers(np.zeros(LONGEST, np.int64))
    seed, lines = uint64(derive_seed(case.seed, "line")), []
    for i in range(min(LINES, len(case.worlds))):
        steps = line_after(case.worlds, i, move, case.turn + 1, room, xs, seed, codes)
        lines.append(tuple(_own(case, i, [int(code) for code in codes[:steps]])))
    return Counter(lines).most_common(1)[0][0]


def _own(case: Case, i: int, codes: list[int]) -> list[str]:
    """What the player does among some steps; in the draft, until others have had their say."""
    states, found = case.worlds[i : i + 1].copy(), []
    for number, code in enumerate(codes):
        who = game.actor_at(states, 0)
        if number and case.turn == 0 and who != case.seat:
            break
        if who == case.seat and (number == 0 or (not code >= OFFER and describe(code).split()[0] not in QUIET)):
            found.append(describe(code))
        game.apply_at(states, 0, code)
    return found
