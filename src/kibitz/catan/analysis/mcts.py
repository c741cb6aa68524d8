"""The mode `mcts`: a tree search over the draft itself, judged by whole games.

A node of the tree is the draft after some picks; its children are the best corners by static score for the seat that picks
next (a settlement, with the road that the policy gives it). An iteration walks down the tree, where each seat picks what is
best for itself (UCT: its wins, and a premium for what it has seldom tried), adds one node, and plays one whole game from there
by the policy, the rest of the draft included; the winner is counted in every node on the way. So lines get visits by how good
they are for those who choose them, the opponents as well as the seat that asks.

Several independent trees grow in slices, each game with a seed of its own that depends on the tree and the number of the game:
any number of workers gives the same trees.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import log, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import game
from kibitz.catan.analysis.base import Analyzer, asked
from kibitz.catan.analysis.draft import place, predict_line, seat_of
from kibitz.catan.analysis.explain import label
from kibitz.catan.analysis.full_game import drawn_by_rule, simulated_score
from kibitz.catan.analysis.lines import all_sentences
from kibitz.catan.analysis.position import InvalidPosition, Position
from kibitz.catan.analysis.race import outcomes_of
from kibitz.catan.analysis.rollouts import OUTCOME, Outcomes, play_list
from kibitz.catan.analysis.seeding import analysis_seed
from kibitz.catan.analysis.static import rank_corners
from kibitz.catan.analysis.summary import summarize
from kibitz.catan.analysis.types import (
    AnalysisConfig,
    AnalysisMode,
    AnalysisResult,
    DraftPick,
    LineExplanation,
    VertexScore,
)
from kibitz.catan.core.actions import describe
from kibitz.catan.core.codes import PLACE_ROAD, PLACE_SETTLEMENT
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.policy import BOTS
from kibitz.catan.core.scores import MARKED, SCORE, best_corner
from kibitz.catan.core.state import SEATS, STATE
from kibitz.compute.build import build
from kibitz.compute.checkpoint import Checkpoint
from kibitz.compute.cuda import Gpu
from kibitz.compute.local import series
from kibitz.compute.runtime import Runtime
from kibitz.compute.workers import Workers
from kibitz.ground.figures import with_margin
from kibitz.ground.rng import derive_seed
from kibitz.loops.config import Config
from kibitz.play.share import Share, Standing

#: Iterations of all trees together between two reports: a few tenths of a second of one core.
SLICE = 512
#: Replies with fewer visits are not spoken of.
CLOSELY = 10


# --- a tree -----------------------------------------------------------------------------------------------


class Node:
    """The draft after a pick: how many games went through it and how many of them each seat won."""

    __slots__ = ("children", "corner", "road", "untried", "visits", "wins")

    def __init__(self, corner: int, road: int, seats: int) -> None:
        self.corner, self.road = corner, road
        self.visits, self.wins = 0, [0] * seats
        self.children: list[Node] = []
        #: Candidates that have no node yet, the best last; None until they are asked for.
        self.untried: list[int] | None = None


class Tree:
    """One search: where it starts, its settings, and what it has found. Positions are not kept; a walk makes them anew."""

    def __init__(
        self,
        start: npt.NDArray[np.void],
        policy: str,
        candidates: int,
        exploration: float,
        seed: int,
        guard: Config | None = None,
    ) -> None:
        self.start = np.asarray(start)
        self.guard = guard
        self.policy, self.candidates, self.exploration, self.seed = policy, candidates, exploration, seed
        self.seats = int(self.start["seats"][0])
        self.root = Node(-1, -1, self.seats)

    def grow(self, iterations: int, known: Outcomes | None = None) -> tuple[Outcomes, npt.NDArray[np.int8]]:
        """Go on for so many iterations; how their games ended, and with which pick each of them began.

        Games that are `known` already (from a checkpoint) are not played again.
        """
        games = series(GAME, game.as_structs(self.start), iterations, self.seed, (BOTS[self.policy],) * SEATS, self.root.visits)
        ends = game.structs(STATE, iterations)
        tallies = np.zeros((iterations, SEATS), np.int32)
        xs = GAME.scratches()
        xs["policy"][0] = games.policies
        states = game.structs(STATE)
        outcomes = np.zeros(iterations, OUTCOME) if known is None else known
        corners = np.zeros(iterations, np.int8)
        for i in range(iterations):
            path = self._walk(states)
            corners[i] = path[1].corner
            if known is None and self.guard is None:
                game.play_range(states, games.which, games.seeds, ends, tallies, xs, 0, i, i + 1)
                outcomes[i] = ends["winner"][i], ends["turn"][i], tallies[i]
            elif known is None:
                one = replace(games, starts=states, which=games.which[i : i + 1], seeds=games.seeds[i : i + 1])
                outcomes[i] = play_list(one, self.guard)[0]
            winner = int(outcomes["winner"][i])
            for node in path:
                node.visits += 1
                if winner >= 0:
                    node.wins[winner] += 1
        return outcomes, corners

    def _walk(self, states: npt.NDArray[np.void]) -> list[Node]:
        """Down the tree to a node that is new, or to the end of the draft; ``states[0]`` becomes the position there."""
        states[0] = self.start[0]
        node, path = self.root, [self.root]
        for pick in range(int(self.start["placed"][0]), 2 * self.seats):
            seat = seat_of(pick, self.seats)
            if node.untried is None:
                node.untried = best_corners(states, seat, self.candidates)[::-1]
            if node.untried:
                corner = node.untried.pop()
                child = Node(corner, place(states, corner, None, self.policy), self.seats)
                node.children.append(child)
                return [*path, child]
            node = self._favourite(node, seat)
            path.append(node)
            game.apply_at(states, 0, PLACE_SETTLEMENT + node.corner)
            game.apply_at(states, 0, PLACE_ROAD + node.road)
        return path

    def _favourite(self, node: Node, seat: int) -> Node:
        """The child with the highest upper confidence bound for a seat; of equal ones the best by static score."""
        spread = self.exploration * self.exploration * log(node.visits)
        return max(node.children, key=lambda child: child.wins[seat] / child.visits + sqrt(spread / child.visits))


def best_corners(states: npt.NDArray[np.void], seat: int, n: int) -> list[int]:
    """The `n` open corners (or all, if they are fewer) with the highest static scores, best first."""
    found: list[int] = []
    rest = int(states["open"][0])
    while rest and len(found) < n:
        found.append(best_corner(states[0], seat, rest, SCORE, MARKED))
        rest &= ~(1 << found[-1])
    return found


@dataclass(frozen=True)
class Slice:
    """A piece of work: some more iterations of a tree, whose games may be known already."""

    number: int
    tree: Tree
    iterations: int
    known: Outcomes | None


@dataclass(frozen=True)
class Grown:
    """What comes back: the tree, and the games of the slice with the first pick of each."""

    tree: Tree
    outcomes: Outcomes
    corners: npt.NDArray[np.int8]


def grow(piece: Slice) -> Grown:
    """Do a piece of work. A worker in this process lets the tree itself grow, another one a copy of it."""
    return Grown(piece.tree, *piece.tree.grow(piece.iterations, piece.known))


# --- many trees -------------------------------------------------------------------------------------------


class Forest:
    """All trees of a search, and all of its games."""

    def __init__(self, position: Position, config: AnalysisConfig, iterations: int) -> None:
        seed = analysis_seed(position.board, config.mc_seed, "mcts")
        start = position.limited(config.turn_cap, config.full_game_trade_offer_limit).worlds(1, seed)
        self.turn_cap = int(start["max_turns"][0])
        self.iterations = iterations
        self.trees = [
            Tree(
                start,
                config.policy,
                config.mcts_candidates,
                config.mcts_exploration,
                derive_seed(seed, "tree", number),
                config.guard_rules,
            )
            for number in range(min(config.mcts_trees, iterations))
        ]
        self.done = 0
        self.resumed = 0
        self._games: list[tuple[Outcomes, npt.NDArray[np.int8]]] = []

    def grow(self, workers: Workers, checkpoint: Checkpoint) -> None:
        """Let every tree go on for a slice; what the checkpoint knows is not played again."""
        n = len(self.trees)
        keys, pieces = [], []
        for number, tree in enumerate(self.trees):
            share = self.iterations // n + (number < self.iterations % n)
            iterations = min(max(1, SLICE // n), share - tree.root.visits)
            if iterations:
                keys.append(f"tree {number}, {iterations} from {tree.root.visits}")
                known = checkpoint.get(keys[-1])
                pieces.append(Slice(number, tree, iterations, None if known is None else outcomes_of(known, iterations)))
        results: dict[int, Grown] = {}
        for i, result in workers.map(grow, pieces):
            results[i] = result
            checkpoint.put(keys[i], result.outcomes.tobytes())
        for i, piece in enumerate(pieces):
            self.trees[piece.number] = results[i].tree
            self._games.append((results[i].outcomes, results[i].corners))
            self.done += piece.iterations
            self.resumed += piece.iterations if piece.known is not None else 0

    def games(self) -> tuple[Outcomes, npt.NDArray[np.int8]]:
        """How all games ended, and with which pick each of them began."""
        outcomes, corners = zip(*self._games, strict=True) if self._games else ((), ())
        return np.concatenate([np.zeros(0, OUTCOME), *outcomes]), np.concatenate([np.zeros(0, np.int8), *corners])

    def first_picks(self, seat: int) -> dict[int, Share]:
        """The corners that were tried, in the order of their static scores: visits, and how many of them `seat` won."""
        found: dict[int, Share] = {}
        for tree in self.trees:
            for child in tree.root.children:
                so_far = found.get(child.corner, Share(0, 0))
                found[child.corner] = Share(so_far.won + child.wins[seat], so_far.games + child.visits)
        return found

    def line(self, first: int | None = None) -> list[tuple[int, int]]:
        """The most visited line, from the pick `first` if it is given: corners with their visits in all trees."""
        return list(_line([tree.root for tree in self.trees], first))

    def road(self, corner: int) -> int:
        """The road that goes with a first pick."""
        return next(child.road for tree in self.trees for child in tree.root.children if child.corner == corner)


def _line(nodes: Sequence[Node], first: int | None) -> Iterator[tuple[int, int]]:
    """Of equally visited corners the one that was tried first: the best by static score."""
    while True:
        visits: dict[int, int] = {}
        for node in nodes:
            for child in node.children:
                visits[child.corner] = visits.get(child.corner, 0) + child.visits
        if not visits:
            return
        corner = max(visits, key=lambda c: visits[c]) if first is None else first
        yield corner, visits[corner]
        nodes = [child for node in nodes for child in node.children if child.corner == corner]
        first = None


# --- the answer -------------------------------------------------------------------------------------------


class MctsAnalyzer(Analyzer):
    """Searches the draft: what everybody picks if you take a corner, judged by whole games.

    The corners that the seat considered are ranked by their visits (or, as the config says, by win rate); they are scored as in
    `full_game`. A win rate is that of all games after the pick, those in which somebody tried a poor reply included: it says
    less than a rate of `full_game`.
    """

    mode = AnalysisMode.MCTS
    RESUMES = True

    def _answer(self, position: Position, config: AnalysisConfig, runtime: Runtime, workers: Workers | Gpu) -> AnalysisResult:
        """Search; a limit on games or iterations bounds those of the config."""
        if not position.in_draft:
            raise InvalidPosition("mcts searches the draft: here no settlement of the draft is to be placed")
        assert not isinstance(workers, Gpu)
        forest = Forest(position, config, runtime.limit.of(config.mcts_iterations))
        static = rank_corners(position)
        runtime.begin()
        with Checkpoint(runtime.checkpoint, _work(position, config)) as checkpoint:
            while forest.done < forest.iterations and runtime.stopped is None:
                forest.grow(workers, checkpoint)
                runtime.report(forest.done, forest.iterations, _standings(forest, position.seat, config), forest.resumed)
        return self._result(position, config, forest, static, runtime.stopped if forest.done < forest.iterations else None)

    def _result(
        self, position: Position, config: AnalysisConfig, forest: Forest, static: tuple[VertexScore, ...], stopped: str | None
    ) -> AnalysisResult:
        outcomes, corners = forest.games()
        summary = summarize(outcomes, position.seats)
        tried = []
        for score in static:
            games = outcomes[corners == score.vertex_id]
            if len(games):
                simulated = simulated_score(score, games, position.seat, forest.turn_cap, forest.road(score.vertex_id))
                tried.append(replace(simulated, summary=summarize(games, position.seats)))
        tried.sort(key=lambda score: _rank(score.vertex_id, _share(score), config))
        known = {score.vertex_id for score in tried}
        ranking = (*tried, *(score for score in static if score.vertex_id not in known))
        top = ranking[: config.top]
        best = [corner for corner, _ in forest.line(ranking[0].vertex_id)] if tried else []
        return replace(
            asked(self.mode, position, config),
            global_ranking=ranking,
            predicted_sequence=predict_line(position, config.policy, best),
            top_recommendations=top,
            explain_lines=tuple(
                _explain(number, score, position, config, forest) for number, score in enumerate(tried[: config.top], start=1)
            ),
            full_game_summary=summary,
            warnings=(*_warnings(tried), *drawn_by_rule(summary.drawn, summary.rollout_count)),
            games=forest.done,
            stopped=stopped,
        )


def _work(position: Position, config: AnalysisConfig) -> dict[str, Any]:
    """What a checkpoint belongs to. How many iterations are asked for does not matter: more of them go on where fewer ended."""
    settings = {name: value for name, value in config.to_json().items() if name != "mcts_iterations"}
    state = hashlib.blake2b(np.asarray(position.states).tobytes(), digest_size=8).hexdigest()
    return {"mode": "mcts", "seat": position.seat, "config": settings, "position": state, "kibitz": build()}


def _standings(forest: Forest, seat: int, config: AnalysisConfig) -> tuple[Standing, ...]:
    tried = forest.first_picks(seat)
    order = sorted(tried, key=lambda corner: _rank(corner, tried[corner], config))
    return tuple(Standing(f"V{corner}", tried[corner], tried[corner].rate, racing=True) for corner in order)


def _rank(corner: int, share: Share, config: AnalysisConfig) -> tuple[float, float, int]:
    first, second = (share.rate, share.games) if config.rank_by == "win_rate" else (share.games, share.rate)
    return -first, -second, corner


def _share(score: VertexScore) -> Share:
    return score.win_rate or Share(0, 0)


def _explain(number: int, score: VertexScore, position: Position, config: AnalysisConfig, forest: Forest) -> LineExplanation:
    """A first pick, and the line after it that the search went down most often."""
    line = forest.line(score.vertex_id)
    picks = predict_line(position, config.policy, [corner for corner, _ in line])
    searched = [pick for pick in picks if pick.pick >= position.picks_made][: len(line)]
    share = _share(score)
    won = with_margin(share.rate, share.margin)
    return LineExplanation(
        label=label("MCTS", number, score),
        sentences=(
            f"Tried in {share.games:,} of {forest.done:,} games, of which you won {won}.",
            *_replies(searched, [visits for _, visits in line], position.seat),
            *all_sentences(position, score, picks, config),
        ),
        vertex_id=score.vertex_id,
        actions=tuple(_actions(searched)),
        value=share.rate,
        visits=share.games,
    )


def _actions(picks: Sequence[DraftPick]) -> Iterator[str]:
    for pick in picks:
        yield describe(PLACE_SETTLEMENT + pick.vertex_id)
        if pick.road is not None:
            yield describe(PLACE_ROAD + pick.road)


def _replies(picks: Sequence[DraftPick], visits: Sequence[int], seat: int) -> Iterator[str]:
    """Who takes what after the first of these picks, as far as the search looked closely."""
    names = [
        f"{'you take' if pick.seat == seat else f'seat {pick.seat + 1} takes'} V{pick.vertex_id} ({n:,} visits)"
        for pick, n in zip(picks[1:], visits[1:], strict=True)
        if n >= CLOSELY
    ]
    if names:
        yield f"Then {', '.join(names)}."


def _warnings(tried: Sequence[VertexScore]) -> tuple[str, ...]:
    if len(tried) < 2 or _share(tried[1]).interval[1] < _share(tried[0]).interval[0]:
        return ()
    return (f"V{tried[0].vertex_id} and V{tried[1].vertex_id} cannot be told apart yet: more iterations would help",)
