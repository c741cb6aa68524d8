"""The mode `mcts`: a tree search over the draft itself, judged by whole games.

The draft is a game of its own for `kibitz.search`: an action is a corner (with the road that the policy gives it), out of the
best by static score for the seat that picks, and its end is worth one whole game by the policy, the rest of the draft
included. Everybody picks what is best for itself: so lines get visits by how good they are for those who choose them, the
opponents as well as the seat that asks.

Several independent trees grow in slices, each game with a seed of its own that depends on the tree and the number of the game:
any number of workers gives the same trees.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import game
from kibitz.catan.analysis.base import Analyzer, asked
from kibitz.catan.analysis.corners import rank_corners
from kibitz.catan.analysis.draft import place, predict
from kibitz.catan.analysis.explain import all_sentences, label
from kibitz.catan.analysis.full_game import drawn_by_rule, simulated_score
from kibitz.catan.analysis.glance import choose_finalists
from kibitz.catan.analysis.position import InvalidPosition, Position, analysis_seed
from kibitz.catan.analysis.race import outcomes_of
from kibitz.catan.analysis.rollouts import OUTCOME, Outcomes, play_list, summarize
from kibitz.catan.analysis.types import AnalysisConfig, AnalysisMode, AnalysisResult, DraftPick, LineExplanation, VertexScore
from kibitz.catan.core.actions import describe
from kibitz.catan.core.codes import PLACE_ROAD, PLACE_SETTLEMENT
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.policy import BOTS
from kibitz.catan.core.scores import MARKED, SCORE, best_corner
from kibitz.catan.core.state import SEATS, SETUP_SETTLEMENT
from kibitz.catan.core.topology import CORNERS
from kibitz.compute.checkpoint import Checkpoint
from kibitz.compute.cuda import Gpu
from kibitz.compute.local import Games
from kibitz.compute.runtime import Runtime, Workers, build
from kibitz.game import OVER, States
from kibitz.ground.jit import integers, plain
from kibitz.ground.rng import child, derive_seed
from kibitz.ground.texts import with_margin
from kibitz.loops.config import Config
from kibitz.play.share import Share, Standing
from kibitz.search.forest import Forest, Piece, Question, grow_piece, logarithms
from kibitz.search.ismcts import SearchConfig, SearchResult, statistics

#: Iterations of all trees together between two reports: a few tenths of a second of one core.
SLICE = 512
#: The evaluator chooses among so many first picks, those with the highest static scores.
LOOKED_AT = 10
#: Replies with fewer visits are not spoken of.
CLOSELY = 10
#: The policies of the draft as a game: the best corner by static score, and to leave the rest to the bots.
BEST, LEAVE = 1, 2
#: What the second of them does.
LEFT = CORNERS


# --- the draft as a game ----------------------------------------------------------------------------------


@dataclass
class Ledger:
    """What all positions of one tree share: how they go on, and how the games from them ended."""

    policy: str
    candidates: int
    guard: Config | None
    corners: dict[tuple[int, ...], list[int]] = field(default_factory=dict)
    """After some picks: the best corners for the next."""
    roads: dict[tuple[int, ...], int] = field(default_factory=dict)
    """The road of the last of some picks."""
    ends: dict[int, np.void] = field(default_factory=dict)
    """How the game with a seed ended."""
    began: dict[int, int] = field(default_factory=dict)
    """With which corner it began."""


class DraftGame:
    """A position of the draft, as `kibitz.search` takes it."""

    __slots__ = ("ledger", "left", "path", "seed", "states")
    stakes = (0, 1)

    def __init__(self, states: States, ledger: Ledger, path: tuple[int, ...] = (), seed: int = 0) -> None:
        self.states, self.ledger, self.path, self.seed = states, ledger, path, seed
        self.left = False

    @property
    def seats(self) -> int:
        """How many play."""
        return int(self.states["seats"][0])

    def actor(self) -> int:
        """Who picks."""
        return OVER if self.left or self.states["phase"][0] != SETUP_SETTLEMENT else int(game.actor_at(self.states, 0))

    def legal(self, x: Any) -> int:
        """The candidates, ascending."""
        self.seed = x.seed
        corners = self._corners()
        x.actions[: len(corners)] = sorted(corners)
        return len(corners)

    sensible = legal

    def apply(self, a: int) -> None:
        """Settle a corner, or leave the rest to the bots."""
        if a == LEFT:
            self.left = True
            return
        self.path = (*self.path, a)
        road = self.ledger.roads.get(self.path)
        if road is None:
            self.ledger.roads[self.path] = place(self.states, a, None, self.ledger.policy)
        else:
            game.apply_at(self.states, 0, PLACE_SETTLEMENT + a)
            game.apply_at(self.states, 0, PLACE_ROAD + road)

    def choose(self, x: Any, policy: int) -> int:
        """The best corner that is left, or to leave it to the bots."""
        return LEFT if policy == LEAVE else self._corners()[0]

    def _corners(self) -> list[int]:
        found = self.ledger.corners.get(self.path)
        if found is None:
            found = best_corners(self.states, int(game.actor_at(self.states, 0)), self.ledger.candidates)
            self.ledger.corners[self.path] = found
        return found

    def prize(self, seat: int) -> int:
        """1 for the winner of the game that is played on from here."""
        ledger, seed = self.ledger, self.seed
        if seed not in ledger.ends:
            seeds = integers(np.array([seed], np.uint64))
            games = Games(GAME, self.states, np.zeros(1, np.int32), seeds, (BOTS[ledger.policy],) * SEATS)
            ledger.ends[seed] = play_list(games, ledger.guard)[0]
        ledger.began[seed] = self.path[0]
        return int(ledger.ends[seed]["winner"] == seat)

    score = prize

    def seen(self, a: int, seat: int) -> int:
        """Everybody sees everything."""
        return a

    def weights(self, x: Any) -> int:
        """Chance has no part in the draft."""
        return 0

    def moment(self) -> int:
        """There is none."""
        return 0

    def copy(self) -> DraftGame:
        """An independent copy; the ledger is that of the tree."""
        return DraftGame(self.states.copy(), self.ledger, self.path, self.seed)


def best_corners(states: States, seat: int, n: int) -> list[int]:
    """The `n` open corners (or all, if they are fewer) with the highest static scores, best first."""
    found: list[int] = []
    rest = int(states["open"][0])
    while rest and len(found) < n:
        found.append(best_corner(states[0], seat, rest, SCORE, MARKED))
        rest &= ~(1 << found[-1])
    return found


def _first_picks(start: States, seat: int, config: AnalysisConfig, seed: int) -> list[int]:
    """The corners that are searched: of those with the highest static scores the ones that the evaluator likes best.

    Under rules for which there is no network those with the highest static scores.
    """
    corners = best_corners(start, seat, max(LOOKED_AT, config.mcts_candidates))
    placed = [(PLACE_SETTLEMENT + corner,) for corner in corners]
    found = choose_finalists(start, placed, seat, derive_seed(seed, "glance"), config.mcts_candidates, config.policy)
    return [corners[number] for number in found.kept][: config.mcts_candidates]


# --- the search -------------------------------------------------------------------------------------------


class DraftSearch:
    """All trees of a search, and all of its games."""

    def __init__(self, position: Position, config: AnalysisConfig, iterations: int) -> None:
        seed = analysis_seed(position.board, config.mc_seed, "mcts")
        start = position.limited(config.turn_cap, config.full_game_trade_offer_limit).worlds(1, seed)
        self.turn_cap = int(start["max_turns"][0])
        self.seat, self.iterations = position.seat, iterations
        self.done = self.resumed = 0
        self._forests = []
        first = _first_picks(start, position.seat, config, seed)
        for number in range(min(config.mcts_trees, iterations)):
            draft = DraftGame(start, Ledger(config.policy, config.mcts_candidates, config.guard_rules, {(): first}))
            question = Question([draft], position.seat, single=True)
            tree = derive_seed(seed, "tree", number)
            search = SearchConfig(exploration=config.mcts_exploration, policy=LEAVE, guide=BEST)
            self._forests.append(Forest(question, search, tree))
        self._ends: list[np.void] = []
        self._began: list[int] = []

    def grow(self, workers: Workers, checkpoint: Checkpoint) -> None:
        """Let every tree go on for a slice; what the checkpoint knows is not played again."""
        n = len(self._forests)
        pieces, goals = [], []
        for number, forest in enumerate(self._forests):
            share = self.iterations // n + (number < self.iterations % n)
            goals.append((forest.done, min(forest.done + max(1, SLICE // n), share)))
            first, last = goals[-1]
            known = checkpoint.get(_key(number, first, last))
            if known is not None:
                ends = outcomes_of(known, last - first)
                _ledger(forest).ends |= {_seed(forest, i): ends[i - first] for i in range(first, last)}
                self.resumed += last - first
            pieces.append(Piece(forest, last - first, logarithms(last + 1)))
        for number, forest in workers.map(grow_piece, pieces):
            self._forests[number] = forest
            first, last = goals[number]
            ledger, seeds = _ledger(forest), [_seed(forest, i) for i in range(first, last)]
            games = np.array([ledger.ends[seed] for seed in seeds], OUTCOME)
            checkpoint.put(_key(number, first, last), games.tobytes())
            self._ends += list(games)
            self._began += [ledger.began[seed] for seed in seeds]
        self.done = sum(forest.done for forest in self._forests)

    def games(self) -> tuple[Outcomes, npt.NDArray[np.int8]]:
        """How all games ended, and with which pick each of them began."""
        return np.array(self._ends, OUTCOME), np.array(self._began, np.int8)

    @property
    def result(self) -> SearchResult:
        """What was found out about the first pick."""
        found = statistics(self._forests)
        return SearchResult(self.seat, self.done, sum(forest.size for forest in self._forests), None, found, self._forests)

    def first_picks(self) -> dict[int, Share]:
        """The corners that were tried: visits, and how many of them the seat won."""
        return {one.action: Share(round(one.values[self.seat] * one.visits), one.visits) for one in self.result.actions}

    def lines(self) -> dict[int, list[tuple[int, int]]]:
        """By the first pick, the most visited line: corners with their visits in all trees."""
        found = self.result.lines(n=CORNERS, depth=2 * SEATS) if self.done else ()
        return {line[0].label: [(step.label, step.visits) for step in line] for line in found}

    def road(self, corner: int) -> int:
        """The road that goes with a first pick."""
        return next(_ledger(forest).roads[corner,] for forest in self._forests if (corner,) in _ledger(forest).roads)


def _key(number: int, first: int, last: int) -> str:
    """What a checkpoint calls a slice."""
    return f"tree {number}, {last - first} from {first}"


def _ledger(forest: Forest) -> Ledger:
    ledger: Ledger = forest.states[0].ledger
    return ledger


def _seed(forest: Forest, iteration: int) -> int:
    return int(plain(child)(forest.seed, iteration))


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
        search = DraftSearch(position, config, runtime.limit.of(config.mcts_iterations))
        runtime.begin()
        with Checkpoint(runtime.checkpoint, _work(position, config)) as checkpoint:
            while search.done < search.iterations and runtime.stopped is None:
                search.grow(workers, checkpoint)
                runtime.report(search.done, search.iterations, _standings(search, config), search.resumed)
        return self._result(position, config, search, runtime.stopped if search.done < search.iterations else None)

    def _result(self, position: Position, config: AnalysisConfig, search: DraftSearch, stopped: str | None) -> AnalysisResult:
        static = rank_corners(position)
        outcomes, corners = search.games()
        summary = summarize(outcomes, position.seats)
        tried = []
        for score in static:
            games = outcomes[corners == score.vertex_id]
            if len(games):
                simulated = simulated_score(score, games, position.seat, search.turn_cap, search.road(score.vertex_id))
                tried.append(replace(simulated, summary=summarize(games, position.seats)))
        tried.sort(key=lambda score: _rank(score.vertex_id, _share(score), config))
        known = {score.vertex_id for score in tried}
        ranking = (*tried, *(score for score in static if score.vertex_id not in known))
        top = ranking[: config.top]
        lines = search.lines()
        best = [corner for corner, _ in lines.get(ranking[0].vertex_id, ())]
        return replace(
            asked(self.mode, position, config),
            global_ranking=ranking,
            predicted_sequence=predict(position, config.policy, best),
            top_recommendations=top,
            explain_lines=tuple(
                _explain(number, score, lines[score.vertex_id], position, config, search.done)
                for number, score in enumerate(tried[: config.top], start=1)
            ),
            full_game_summary=summary,
            warnings=(*_warnings(tried), *drawn_by_rule(summary.drawn, summary.rollout_count)),
            games=search.done,
            stopped=stopped,
        )


def _work(position: Position, config: AnalysisConfig) -> dict[str, Any]:
    """What a checkpoint belongs to. How many iterations are asked for does not matter: more of them go on where fewer ended."""
    settings = {name: value for name, value in config.to_json().items() if name != "mcts_iterations"}
    state = hashlib.blake2b(np.asarray(position.states).tobytes(), digest_size=8).hexdigest()
    return {"mode": "mcts", "seat": position.seat, "config": settings, "position": state, "kibitz": build()}


def _standings(search: DraftSearch, config: AnalysisConfig) -> tuple[Standing, ...]:
    tried = search.first_picks()
    order = sorted(tried, key=lambda corner: _rank(corner, tried[corner], config))
    return tuple(Standing(f"V{corner}", tried[corner], tried[corner].rate, racing=True) for corner in order)


def _rank(corner: int, share: Share, config: AnalysisConfig) -> tuple[float, float, int]:
    first, second = (share.rate, share.games) if config.rank_by == "win_rate" else (share.games, share.rate)
    return -first, -second, corner


def _share(score: VertexScore) -> Share:
    return score.win_rate or Share(0, 0)


def _explain(
    number: int, score: VertexScore, line: Sequence[tuple[int, int]], position: Position, config: AnalysisConfig, games: int
) -> LineExplanation:
    """A first pick, and the line after it that the search went down most often."""
    picks = predict(position, config.policy, [corner for corner, _ in line])
    searched = [pick for pick in picks if pick.pick >= position.picks_made][: len(line)]
    share = _share(score)
    won = with_margin(share.rate, share.margin)
    return LineExplanation(
        label=label("MCTS", number, score),
        sentences=(
            f"Tried in {share.games:,} of {games:,} games, of which you won {won}.",
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
