"""Advice as all games give it: what was asked, each option with how likely it wins, and how sure that is.

A game's own advice adds what there is to say in it alone: what the others may hold, which corners are worth most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from kibitz.game import CHANCE, OVER, actor_at, game_of, seats_of
from kibitz.game.actions import AnyAction
from kibitz.ground.codec import encode_fields
from kibitz.ground.intervals import margin_of, wilson
from kibitz.ground.texts import capitalised, counted, percent
from kibitz.play.search_bot import ENDLESS, B, Thinking, belief_after, thinking_of
from kibitz.play.share import Share
from kibitz.search.ismcts import ActionStatistics, SearchConfig, SearchResult, SearchStep

if TYPE_CHECKING:
    from kibitz.compute.runtime import Limit, Runtime
    from kibitz.game.record import GameRecord
    from kibitz.game.state import FriendlyState
    from kibitz.play.profile import Profile

S = TypeVar("S", bound="SearchAdvice")

#: How many steps of a line are told.
DEPTH = 8
#: What the figures of a search do not say.
IN_DOUBT = (
    "The first is what the bot that guides the search would play: others won more often, but by no more than chance explains"
)
NOT_INDEPENDENT = (
    "The search looked longer at what won more: its games are not an independent sample, and the ± is a rough guide"
)
#: Of an option that stands alone.
ONLY = "It is the only move."


@dataclass(frozen=True, kw_only=True)
class LineStep:
    """One step of what is expected to happen."""

    seat: int | None
    """Who takes it; None: chance."""
    action: str | None
    """None where the seat that asks does not see all of it."""
    visits: int
    """In how many games it was taken."""


@dataclass(frozen=True, kw_only=True)
class Option:
    """Something that the seat may do."""

    action: str
    """As records and commands write it."""
    kind: str
    """The first word of that."""
    data: dict[str, Any]
    """The rest of it, by name."""
    name: str
    """In words."""
    value: float
    """The chance to win with it (a share of the prize, where a game may end without a winner)."""
    interval: tuple[float, float]
    """Where that lies, with 95 % confidence, if its games were independent."""
    visits: int
    """In how many games it was tried."""
    line: tuple[LineStep, ...] = ()
    """What is expected to happen, this option first, as far as the seat will see it."""
    reason: str = ""
    """What speaks for it or against it, in sentences."""

    @property
    def share(self) -> Share:
        """Its games, and how many of them were won."""
        return Share(round(self.value * self.visits), self.visits)

    @property
    def margin(self) -> float:
        """The number after the ±."""
        return margin_of(self.value, *self.interval)


@dataclass(frozen=True, kw_only=True)
class Advice:
    """What there is to say about a position."""

    #: The game, as the first field of the JSON names it.
    NAME: ClassVar[str]
    VERSION: ClassVar[int] = 1

    mode: str
    """How it was found out."""
    seats: int
    """How many play."""
    seat: int
    """Who asks."""
    position: dict[str, Any]
    """What was asked about: phase, turn, and the step of a record where it came from one."""
    seed: int = 0
    """What everything random depends on."""
    options: tuple[Option, ...] = ()
    """What may be done, the best first."""
    warnings: tuple[str, ...] = ()
    """What is uncertain."""
    games: int = 0
    """How many games were played: in a search, its iterations."""
    stopped: str | None = None
    """Why it ended early: ``"cancelled"`` or ``"time"``."""

    @property
    def best(self) -> Option:
        """What is advised."""
        return self.options[0]

    @property
    def early(self) -> str:
        """Why it ended early, after a number of games; empty where it did not."""
        return {"time": ", until the time was up", "cancelled": ", then stopped"}.get(self.stopped or "", "")

    def to_json(self) -> dict[str, Any]:
        """Everything, by name, after a header; seats count from 0."""
        return {"advice": self.NAME, "version": self.VERSION, **encode_fields(self)}


def nobody_decides(actor: int) -> str:
    """Why there is nothing to advise; empty where a player is to move."""
    return {CHANCE: "nobody decides there, chance does", OVER: "nobody decides there, the game is over"}.get(actor, "")


def position_told(phase: str, turn: int, step: int | None) -> dict[str, Any]:
    """What was asked about, with the step of a record where it came from one."""
    return {"phase": phase, "turn": turn, **({} if step is None else {"step": step})}


def guide_of(config: SearchConfig, policies: Mapping[str, int]) -> str:
    """The name of the bot whose choice a search tries first; empty where it has none."""
    return next((name for name, number in policies.items() if number == config.guide), "")


def played_by(bot: str) -> str:
    """That a bot would choose an option."""
    return f"The bot {bot} would play this."


def search_warnings(found: SearchResult) -> Iterator[str]:
    """What the figures of a search do not say."""
    seat, best = found.seat, found.best
    if len(found.actions) > 1:
        if best.action == found.habit and any(one.values[seat] > best.values[seat] for one in found.actions):
            yield IN_DOUBT
        yield NOT_INDEPENDENT


def options_of(
    found: SearchResult, action_of: Callable[[int], AnyAction], name_of: Callable[[int], str], bot: str, depth: int = DEPTH
) -> Iterator[tuple[ActionStatistics, Option]]:
    """What a search tried, the advised one first; `bot` is the name of its guide (`guide_of`)."""

    def told(step: SearchStep) -> LineStep:
        action = action_of(step.label).to_text() if step.label >= 0 else None
        return LineStep(seat=None if step.seat == CHANCE else step.seat, action=action, visits=step.visits)

    lines = {line[0].label: line for line in found.lines(len(found.actions), depth)}
    for one in sorted(found.actions, key=lambda one: one is not found.best):
        action, value = action_of(one.action), one.values[found.seat]
        option = Option(
            action=action.to_text(),
            **action.to_json(),
            name=name_of(one.action),
            value=value,
            interval=wilson(value, one.visits),
            visits=one.visits,
            line=tuple(map(told, lines.get(one.action, ()))),
        )
        said = [
            f"{capitalised(option.name)}: wins {percent(value)} of its {counted(one.visits, 'game')}"
            f" (± {100 * option.margin:.1f})."
        ]
        said += [ONLY] if len(found.actions) == 1 else []
        said += [played_by(bot)] if one.action == found.habit else []
        yield one, replace(option, reason=" ".join(said))


@dataclass(frozen=True, kw_only=True)
class SearchAdvice(Advice):
    """What a search has to say about a position."""

    config: SearchConfig


@cache
def kind_of(game: str) -> type[SearchAdvice]:
    """The advice of a game that says nothing more than a search does."""
    return type("SearchAdvice", (SearchAdvice,), {"NAME": game})


def advise_at(
    profile: Profile, record: GameRecord, step: int, limit: Limit | None = None, seed: int = 0, runtime: Runtime | None = None
) -> SearchAdvice:
    """What the player who decides a step of a recorded game should have done, as the game's search bot finds out.

    Only what that seat has seen is used. Raises a ValueError where no player decides.
    """
    seat = int(actor_at(record.before(step), 0))
    if reason := nobody_decides(seat):
        raise ValueError(f"step {step}: {reason}")
    view, belief = belief_after(profile.belief, record.start(), record.codes[:step], seat)
    state, how = profile.state(view, observer=seat), thinking_of(profile, limit).fitting(view)
    return searched(kind_of(record.name), state, how, belief, seed, runtime, step)


def searched(
    kind: type[S],
    state: FriendlyState[Any],
    how: Thinking[B],
    belief: B,
    seed: int = 0,
    runtime: Runtime | None = None,
    step: int | None = None,
) -> S:
    """What the observer of a state, who is to move there, should do, as a search finds out.

    The `step` of a record is told again in the advice. Raises a ValueError where it is not for the observer to decide.
    """
    view, seat = state.states, state.observer
    if seat is None or actor_at(view, 0) != seat:
        raise ValueError("advice is for the player who is to decide")
    found = how.search(belief, view, seat, seed, runtime)
    guide = guide_of(how.config, game_of(view).policies)

    def name_of(code: int) -> str:
        return state.sentence(code) or state.action_of(code).to_text()

    return kind(
        mode="ismcts",
        seats=seats_of(view),
        seat=seat,
        position=position_told(str(state.phase), state.turn_number, step),
        seed=seed,
        options=tuple(option for _, option in options_of(found, state.action_of, name_of, guide)),
        warnings=tuple(search_warnings(found)),
        games=found.iterations,
        stopped=found.stopped,
        config=replace(how.config, iterations=how.limit.iterations or ENDLESS, seed=seed),
    )
