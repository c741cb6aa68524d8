"""Advice for one seat in a game of Coup: how likely each option wins, and what the others may hold.

>>> from kibitz.coup.situation import read_situation
>>> told = read_situation("coins 7 2; cards duke; I lost contessa; 2 lost captain; 2 claimed duke")
>>> advice = advise(told.states, belief_of(told), replace(CONFIG, iterations=400))
>>> advice.best.action.to_text(), advice.best.value  # the coup costs player 2 the last card
('coup 2', 1.0)
>>> f"{advice.belief.marginal(1)['duke']:.2f}"  # two Dukes among 12 unseen cards, and half of all claims are bluffs
'0.29'
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from kibitz import game
from kibitz.belief.influence import InfluenceBelief
from kibitz.compute.runtime import Runtime
from kibitz.compute.workers import Workers
from kibitz.coup.actions import Action
from kibitz.coup.position import PHASES
from kibitz.coup.record import Record
from kibitz.coup.situation import Situation
from kibitz.game import States
from kibitz.play import coup_bots
from kibitz.play.coup_bots import BLUFF, DECLINE
from kibitz.play.coup_endgame import equilibrium
from kibitz.rng import derive_seed
from kibitz.search.ismcts import ActionStatistics, SearchConfig, SearchResult, Step, search

#: How somebody searches who is asked for advice: as the bot does, only more patiently.
CONFIG = replace(coup_bots.CONFIG, iterations=100_000, trees=coup_bots.HINT_TREES)
#: How many deals are drawn from a belief for one search.
WORLDS = 4000
#: How many steps of a line are told.
DEPTH = 8


@dataclass(frozen=True)
class Option:
    """Something that the seat may do."""

    action: Action
    value: float
    """The chance to win with it (a share of the prize, where a game ends at the turn limit)."""
    error: float
    """The standard error of that, as if the tries had been independent."""
    visits: int
    """How often the search tried it."""
    values: tuple[float, ...]
    """The same chance for everybody, in seat order."""
    line: tuple[Step, ...]
    """What the search expects to happen, this option first, as far as the seat will see it."""
    bluffs: bool
    """Whether it claims a card that the seat does not hold."""

    def to_json(self) -> dict[str, Any]:
        """The option by the names of the fields; a step that is not seen as a whole has no action."""
        line = [{"seat": step.seat, "action": _text(step.label), "visits": step.visits} for step in self.line]
        return {
            "action": self.action.to_text(),
            **self.action.to_json(),
            "value": self.value,
            "error": self.error,
            "visits": self.visits,
            "values": list(self.values),
            "bluffs": self.bluffs,
            "line": line,
        }


@dataclass(frozen=True, eq=False)
class Advice:
    """What there is to say about a position."""

    states: States
    """What the seat sees (an array of one)."""
    seat: int
    belief: InfluenceBelief
    options: tuple[Option, ...]
    """The best first."""
    iterations: int
    stopped: str | None
    """What ended the search before its time: ``"time"`` or ``"cancelled"``."""
    equilibrium: dict[Action, float] | None
    """How often each option should be taken, where an endgame was solved (`kibitz.play.coup_endgame`)."""
    solved_turns: int | None
    """How many turns ahead it was solved, this one included."""

    @property
    def best(self) -> Option:
        """What the search advises."""
        return self.options[0]

    def to_json(self) -> dict[str, Any]:
        """Everything, for files; seats are numbered from 0."""
        seats = range(self.belief.seats)
        return {
            "advice": "coup",
            "version": 1,
            "seat": self.seat,
            "phase": PHASES[int(self.states["phase"][0])],
            "options": [option.to_json() for option in self.options],
            "belief": [{"holds": self.belief.marginal(seat), "expected": self.belief.expected(seat)} for seat in seats],
            "bluff": self.belief.bluff,
            "iterations": self.iterations,
            "stopped": self.stopped,
            "equilibrium": self.equilibrium and {action.to_text(): p for action, p in self.equilibrium.items()},
            "solved_turns": self.solved_turns,
        }


def advise(
    states: States,
    belief: InfluenceBelief,
    config: SearchConfig = CONFIG,
    *,
    worlds: int = WORLDS,
    runtime: Runtime | None = None,
    workers: Workers | None = None,
) -> Advice:
    """What the observer of a belief, who is to move in ``states[0]``, should do.

    Information-set Monte Carlo tree search over `worlds` deals drawn from the belief. Of ``states`` only what the observer
    sees is used. Raises a ValueError where it is not for the observer to decide.
    """
    seat = belief.observer
    if seat is None or game.actor_at(states, 0) != seat:
        raise ValueError("advice is for the player who is to decide")
    view = states[:1].copy()
    game.hide_at(view, 0, seat)
    dealt = belief.deal(view, min(worlds, config.iterations), derive_seed(config.seed, "worlds"))
    doubts = coup_bots.doubts_of(belief, dealt, derive_seed(config.seed, "doubts"))
    config = replace(config, seed=derive_seed(config.seed, "search"))
    result = search(dealt, seat, config, doubts=doubts, runtime=runtime, workers=workers)
    lines = {line[0].label: line for line in result.lines(len(result.actions), DEPTH)}
    (held,) = belief.hands(seat)
    ranked = sorted(result.actions, key=lambda found: found is not result.best)
    options = tuple(_option(result, found, lines.get(found.action, ()), held) for found in ranked)
    solved = equilibrium(view, belief)
    return Advice(
        states=view,
        seat=seat,
        belief=belief,
        options=options,
        iterations=result.iterations,
        stopped=result.stopped,
        equilibrium=solved and {Action.from_code(code): p for code, p in solved.actions.items()},
        solved_turns=solved and solved.turns,
    )


def _option(result: SearchResult, found: ActionStatistics, line: tuple[Step, ...], held: tuple[str, ...]) -> Option:
    action, seat = Action.from_code(found.action), result.seat
    bluffs = action.claim is not None and action.claim not in held
    return Option(action, found.values[seat], found.errors[seat], found.visits, found.values, line, bluffs)


def _text(label: int) -> str | None:
    return Action.from_code(label).to_text() if label >= 0 else None


# --- what is believed ---------------------------------------------------------------------------------------------


def belief_of(told: Situation, bluff: float = BLUFF, decline: float = DECLINE) -> InfluenceBelief:
    """What the player who tells of a situation can know: all facts since the deal, and this turn so far.

    Raises a `Contradiction` where these cannot all be true.
    """
    belief = InfluenceBelief(len(told.names), told.observer, bluff=bluff, decline=decline)
    for seat in range(len(told.names)):
        belief = belief.drew(seat, cards=told.dealt) if seat == told.observer else belief.drew(seat, 2)
    for kind, seat, cards, drew, returned in told.facts:
        if kind == "claimed":
            belief = belief.claimed(seat, cards[0])
        elif kind == "lost":
            belief = belief.lost(seat, cards[0])
        elif kind == "declined":
            belief = belief.declined(seat, *cards)
        elif kind == "showed":
            belief = belief.shown(seat, cards[0]).replaced(seat, cards[0], *drew)
        else:
            belief = belief.exchanged(seat, drew, returned)
    for step in told.seen:
        belief = belief.see(step.states, 0, step.code)
    return belief


def recorded(record: Record, step: int, bluff: float = BLUFF, decline: float = DECLINE) -> tuple[States, InfluenceBelief]:
    """What the player who decides step number `step` of a recorded game saw and could know then.

    Raises a ValueError if no player decides there.
    """
    if not 0 <= step < len(record.codes):
        raise ValueError(f"step {step}: the game has steps 0 to {len(record.codes) - 1}")
    states = next(states.copy() for number, states in enumerate(record.states()) if number == step)
    seat = game.actor_at(states, 0)
    if seat < 0:
        raise ValueError(f"step {step}: nobody decides there, cards are drawn")
    belief = InfluenceBelief.following(record.start(), record.codes[:step], seat, bluff=bluff, decline=decline)
    game.hide_at(states, 0, seat)
    return states, belief
