"""The positions around a lap as a graph, and who can force the game out of it.

From the positions of the lap all actions of everybody are followed, those first that need the fewest decisions; a forced
step is not one. A small game is walked through to its last position, and every answer about it is exact. In a large one the
walk ends after `max_nodes` positions, and those that were not looked into are its edge.
"""

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from kibitz.game import CHANCE, OVER
from kibitz.loops.protocol import WatchedGame


def all_actions(position: WatchedGame) -> list[int]:
    """Every legal action."""
    return position.actions()


@dataclass
class Graph:
    """Positions by number; all lists but `start` are [nodes]."""

    positions: list[WatchedGame] = field(default_factory=list)
    actors: list[int] = field(default_factory=list)
    actions: list[list[int]] = field(default_factory=list)
    """What may be done (nothing where the node was not looked into)."""
    successors: list[list[int]] = field(default_factory=list)
    """The node behind each action."""
    depths: list[int] = field(default_factory=list)
    """How many decisions away from the lap."""
    looked_into: list[bool] = field(default_factory=list)
    start: list[int] = field(default_factory=list)
    """The nodes of the positions that it was explored from, in their order."""

    def __len__(self) -> int:
        return len(self.actors)

    @property
    def seats(self) -> list[int]:
        """Who has a move somewhere, ascending."""
        return sorted({actor for actor in self.actors if actor >= 0})

    def closed(self) -> bool:
        """Whether everything was looked into."""
        return all(self.looked_into)

    def outside(self, horizon: int) -> tuple[set[int], set[int]]:
        """The nodes that are out of the loop, and those that would have to be looked into to know.

        Out is where the game is over, or has gone on for `horizon` decisions without coming back.
        """
        out = {node for node, actions in enumerate(self.actions) if self.looked_into[node] and not actions}
        edge = {node for node, looked in enumerate(self.looked_into) if not looked}
        far = {node for node in edge if self.depths[node] >= horizon}
        return out | far, edge - far

    def held(self, seats: Collection[int], targets: Iterable[int]) -> list[bool]:
        """[nodes] whether the others can force the game into `targets` from there, whatever `seats` do.

        Chance is nobody's enemy: what it can do, it will do some day.
        """
        held = [False] * len(self.actors)
        fresh = list(targets)
        for node in fresh:
            held[node] = True
        left = [len(successors) for successors in self.successors]
        friends = {CHANCE, *seats}
        actors, predecessors = self.actors, self._predecessors
        while fresh:
            for before in predecessors[fresh.pop()]:
                if not held[before]:
                    left[before] -= 1
                    if actors[before] not in friends or not left[before]:
                        held[before] = True
                        fresh.append(before)
        return held

    def distances(self, targets: Iterable[int]) -> dict[int, int]:
        """How many actions lead from a node to one of `targets` at the least, if everybody wants it."""
        found = dict.fromkeys(targets, 0)
        waiting = deque(found)
        while waiting:
            node = waiting.popleft()
            for before in self._predecessors[node]:
                if before not in found:
                    found[before] = found[node] + 1
                    waiting.append(before)
        return found

    def ways_to(self, targets: Iterable[int], closed: list[bool]) -> set[int]:
        """The nodes from which a way leads to one of `targets` that touches no node that is closed."""
        found = {node for node in targets if not closed[node]}
        fresh = list(found)
        while fresh:
            for before in self._predecessors[fresh.pop()]:
                if not closed[before] and before not in found:
                    found.add(before)
                    fresh.append(before)
        return found

    @cached_property
    def _predecessors(self) -> list[list[int]]:
        """The nodes before each node, once for each action; nothing is added to the graph any more."""
        before: list[list[int]] = [[] for _ in self.actors]
        for node, successors in enumerate(self.successors):
            for successor in successors:
                before[successor].append(node)
        return before


def explore(lap: Sequence[WatchedGame], max_nodes: int, allowed: Callable[[WatchedGame], list[int]] = all_actions) -> Graph:
    """The graph around the positions of a lap, of about `max_nodes` nodes; `allowed` says what may be done in a position."""
    graph = Graph()
    levels: dict[int, list[int]] = {}
    by_key: dict[Hashable, int] = {}
    by_fingerprint: dict[int, int] = {}
    keyed: set[int] = set()

    def find(position: WatchedGame) -> int:
        """The node of an equal position; the number of the next one, if there is none.

        A game that keeps a fingerprint is asked for full keys only where two fingerprints are equal.
        """
        following = len(graph)
        if position.keeps_fingerprint:
            first = by_fingerprint.setdefault(position.fingerprint(), following)
            if first == following:
                return following
            if first not in keyed:
                keyed.add(first)
                by_key[graph.positions[first].key()] = first
        return by_key.setdefault(position.key(), following)

    def add(position: WatchedGame, depth: int) -> int:
        number = find(position)
        if number < len(graph):
            if depth < graph.depths[number] and not graph.looked_into[number]:
                graph.depths[number] = depth
                levels.setdefault(depth, []).append(number)
            return number
        actor = position.actor()
        graph.positions.append(position)
        graph.actors.append(actor)
        graph.actions.append([])
        graph.successors.append([])
        graph.depths.append(depth)
        graph.looked_into.append(actor == OVER)
        levels.setdefault(depth, []).append(number)
        return number

    graph.start = [add(position, 0) for position in lap]
    depth = 0
    while depth in levels and len(graph) < max_nodes:
        waiting = levels[depth]
        while waiting and len(graph) < max_nodes:
            node = waiting.pop()
            if graph.looked_into[node]:
                continue
            position = graph.positions[node]
            actions = allowed(position)
            further = depth + (len(actions) > 1)
            for action in actions:
                following = position.copy()
                following.apply(action)
                graph.successors[node].append(add(following, further))
            graph.actions[node] = actions
            graph.looked_into[node] = True
        depth += 1
    return graph
