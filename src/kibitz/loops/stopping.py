"""Who can stop a loop: a search over the decisions of the lap and what follows them.

A player *can stop* the loop who has a move in the lap after which the others cannot force the game back into it, and from
where a way leads out: to the end of the game, or to where it has gone on for some decisions without coming back. A small game
is searched to its last position; to go round in another circle, from which nobody gets out, is not to stop. (Where others
could get out of it, that circle is a loop of its own, and theirs to stop.)

`Statistics` say which kinds of action have broken laps before: a small value that orders what is tried first.

>>> seen = Statistics().counted("end", broke=True).counted("offer", broke=False)
>>> seen.rate("end") > seen.rate("build") > seen.rate("offer")
True
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import combinations

from kibitz.game import CHANCE
from kibitz.loops.graph import Graph, all_actions, explore
from kibitz.loops.lap import Lap, LapStep
from kibitz.loops.protocol import WatchedGame


def label(text: str) -> str:
    """What kind of action a text describes: its first word."""
    return text.partition(" ")[0]


@dataclass(frozen=True)
class Statistics:
    """How often actions of a kind left a lap, and how often the game then really was somewhere else."""

    tried: dict[str, int] = field(default_factory=dict)
    broke: dict[str, int] = field(default_factory=dict)

    def counted(self, kind: str, broke: bool) -> Statistics:
        """With one more action that left a lap."""
        tried = {**self.tried, kind: self.tried.get(kind, 0) + 1}
        return Statistics(tried, {**self.broke, kind: self.broke.get(kind, 0) + broke})

    def rate(self, kind: str) -> float:
        """How often such an action breaks a lap; one half where nothing is known."""
        return (self.broke.get(kind, 0) + 1) / (self.tried.get(kind, 0) + 2)


NO_STATISTICS = Statistics()


class Answer(StrEnum):
    """Whether a player can stop a loop."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Break:
    """A move that leaves the lap."""

    step: int
    """Instead of this step of the lap."""
    seat: int
    action: int
    text: str
    sure: bool
    """Whether nobody can force the game back; if not, somebody else has to help."""
    back_in: int | None = None
    """After how many further actions the game could be back in the lap; None if it never can, as far as was seen."""


@dataclass(frozen=True)
class Stopping:
    """Who can stop a loop, and how."""

    answers: Mapping[int, Answer] = field(default_factory=dict)
    """By seat."""
    together: tuple[int, ...] | None = ()
    """If nobody can alone: the smallest group that can; None where that is unknown."""
    by_chance: Answer = Answer.NO
    """Whether chance can end it without anybody's help."""
    breaks: tuple[Break, ...] = ()
    """The moves that do it, the best first."""
    leading_back: tuple[tuple[int, int], ...] = ()
    """Other moves that surely stop nothing, whatever everybody does, but lead back into the lap or into another circle: the
    step, and the action."""
    nodes: int = 0
    """How many positions were looked at."""
    exact: bool = False
    """Whether those are all that can ever come up."""

    @property
    def able(self) -> tuple[int, ...]:
        """The seats that can."""
        return tuple(seat for seat, answer in self.answers.items() if answer == Answer.YES)

    @property
    def unknown(self) -> bool:
        """Whether the search had to leave open what the verdict depends on; who surely can stop it is enough."""
        if self.able:
            return self.by_chance == Answer.UNKNOWN
        return self.together is None or Answer.UNKNOWN in (self.by_chance, *self.answers.values())

    def seen_from(self, step: int, length: int) -> Stopping:
        """The same about a lap of `length` steps that begins at another of its steps."""
        if step == 0:
            return self
        breaks = tuple(replace(one, step=(one.step - step) % length) for one in self.breaks)
        return replace(self, breaks=breaks, leading_back=tuple(((at - step) % length, act) for at, act in self.leading_back))

    def breaks_of(self, seat: int) -> list[Break]:
        """The moves with which a seat can stop the loop by itself, the best first."""
        return [one for one in self.breaks if one.seat == seat and one.sure]


class _Around:
    """A lap with the graph around it: the questions that the public functions put together."""

    def __init__(
        self, start: WatchedGame, lap: Lap, max_nodes: int, horizon: int, allowed: Callable[[WatchedGame], list[int]]
    ) -> None:
        positions = lap.follow(start)
        if positions is None or positions[-1].key() != start.key():
            raise ValueError("the lap does not lead back to where it starts")
        self.lap = lap
        self.graph: Graph = explore(positions[:-1], max_nodes, allowed)
        self.out, self.unclear = self.graph.outside(horizon)
        self.nodes = self.graph.start
        self._steps = {node: step for step, node in reversed([*enumerate(self.nodes)])}
        self._ways_out: dict[tuple[int, ...], set[int]] = {}

    def deviations(self, seats: tuple[int, ...]) -> list[tuple[int, LapStep, int]]:
        """What `seats` could do instead of the lap's steps: which step, the action, the node it leads to.

        A lap may come by the same node more than once, with other numbers for the same actions: the first time counts.
        """
        found = []
        for node, step in self._steps.items():
            seat = self.graph.actors[node]
            if seat in seats:
                for action, successor in zip(self.graph.actions[node], self.graph.successors[node], strict=True):
                    if action != self.lap.steps[step].action:
                        found.append((step, LapStep(seat, action), successor))
        return found

    def ways_out(self, seats: tuple[int, ...]) -> set[int]:
        """The nodes from which `seats` together can keep away from the lap, and from which a way leads out."""
        if seats not in self._ways_out:
            held = self.graph.held(seats, (*self.nodes, *self.unclear))
            self._ways_out[seats] = self.graph.ways_to(self.out, held)
        return self._ways_out[seats]

    def perhaps_out(self, seats: tuple[int, ...]) -> set[int]:
        """The same if everything unknown lies outside."""
        if not self.unclear:
            return self.ways_out(seats)
        return self.graph.ways_to(self.out | self.unclear, self.graph.held(seats, self.nodes))

    def can(self, seats: tuple[int, ...]) -> Answer:
        """Whether `seats` can stop the loop together, whatever the others do."""
        moves = [successor for _, _, successor in self.deviations(seats)]
        if not self.ways_out(seats).isdisjoint(moves):
            return Answer.YES
        if any(self.graph.actors[node] in seats and not self.graph.looked_into[node] for node in self.nodes):
            return Answer.UNKNOWN
        return Answer.NO if self.perhaps_out(seats).isdisjoint(moves) else Answer.UNKNOWN

    def leading_back(self) -> tuple[tuple[int, int], ...]:
        """The moves beside the lap from which nobody, not even everybody together, gets out."""
        everybody = tuple(self.graph.seats)
        perhaps_out = self.perhaps_out(everybody)
        return tuple((step, move.action) for step, move, to in self.deviations(everybody) if to not in perhaps_out)


def who_can_stop(
    start: WatchedGame,
    lap: Lap,
    max_nodes: int = 1000,
    horizon: int = 2,
    allowed: Callable[[WatchedGame], list[int]] = all_actions,
    statistics: Statistics = NO_STATISTICS,
) -> Stopping:
    """Who can stop the loop that `lap` makes from `start`; raises ValueError if it makes none."""
    around = _Around(start, lap, max_nodes, horizon, allowed)
    graph = around.graph
    seats = graph.seats
    answers = {seat: around.can((seat,)) for seat in seats}
    together: tuple[int, ...] | None = ()
    if all(answer == Answer.NO for answer in answers.values()):
        together = _smallest_group(around)
    return Stopping(
        answers, together, around.can((CHANCE,)), _ranked(around, statistics), around.leading_back(), len(graph), graph.closed()
    )


def _smallest_group(around: _Around) -> tuple[int, ...] | None:
    """The fewest players who can stop it together; none if nobody can, None where the search cannot tell."""
    seats = around.graph.seats
    none: tuple[int, ...] | None = ()
    for group in (group for size in range(2, len(seats) + 1) for group in combinations(seats, size)):
        answer = around.can(group)
        if answer == Answer.YES:
            return group
        if answer == Answer.UNKNOWN:
            none = None
    return none


def _ranked(around: _Around, statistics: Statistics) -> tuple[Break, ...]:
    """The moves that leave the lap, the best first.

    Those that need no help; those from which nothing leads back; those whose kind has often broken laps; the farther away.
    """
    back = around.graph.distances(around.nodes)
    everybody = tuple(around.graph.seats)
    found = []
    for step, (seat, action), successor in around.deviations(everybody):
        if successor in around.ways_out(everybody):
            text = around.graph.positions[around.nodes[step]].describe(action)
            sure = successor in around.ways_out((seat,))
            found.append(Break(step, seat, action, text, sure, back.get(successor)))

    def worth(one: Break) -> tuple[float, ...]:
        returns = one.back_in is not None
        return (not one.sure, returns, -statistics.rate(label(one.text)), -(one.back_in or 0), one.step, one.action)

    return tuple(sorted(found, key=worth))


@dataclass(frozen=True)
class Escape:
    """A way out: go back to a step of the lap, and play this line instead."""

    step: int
    line: tuple[LapStep, ...]


def break_loop(
    start: WatchedGame,
    lap: Lap,
    seats: tuple[int, ...] | None = None,
    max_nodes: int = 1000,
    horizon: int = 2,
    allowed: Callable[[WatchedGame], list[int]] = all_actions,
    statistics: Statistics = NO_STATISTICS,
) -> Escape | None:
    """A path out of the loop, found by going back: the latest decision of `seats` (anybody's, by default) first.

    There the alternatives are tried in the order of how often such actions have broken laps; where one only leads back, the
    next is tried, and then the decision before. None if no path leaves the loop as far as the search could see.
    """
    around = _Around(start, lap, max_nodes, horizon, allowed)
    graph = around.graph
    seen = set(around.nodes)

    def moves(node: int) -> list[tuple[LapStep, int]]:
        """What can be done at a node, and the node that it leads to; the likeliest to break a lap first."""

        def rate(move: tuple[LapStep, int]) -> float:
            return statistics.rate(label(graph.positions[node].describe(move[0].action)))

        steps = [LapStep(graph.actors[node], action) for action in graph.actions[node]]
        return sorted(zip(steps, graph.successors[node], strict=True), key=rate, reverse=True)

    def way_out(first: LapStep, node: int) -> tuple[LapStep, ...] | None:
        """A line that begins with `first`, which leads to `node`, and ends outside; goes back where it leads back."""
        line: list[LapStep] = []
        untried = [iter([(first, node)])]
        while untried:
            move = next(untried[-1], None)
            if move is None:
                untried.pop()
                line = line[:-1]
            elif move[1] in around.out:
                return (*line, move[0])
            elif move[1] not in seen:
                seen.add(move[1])
                line.append(move[0])
                untried.append(iter(moves(move[1])))
        return None

    for step in reversed(range(len(lap))):
        node = around.nodes[step]
        if graph.actors[node] >= 0 and (seats is None or graph.actors[node] in seats):
            for move, successor in moves(node):
                line = way_out(move, successor) if move.action != lap.steps[step].action else None
                if line is not None:
                    return Escape(step, line)
    return None
