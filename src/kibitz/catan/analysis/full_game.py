"""The mode `full_game`: whole games from each candidate, counted.

In the draft the candidates are the best corners by static score (for the second settlement with each of its roads); in a
running game they are the actions that the seat may take. All seats are played by one bot; hidden cards are drawn from what the
seat can know. With `finalists` a glance of the evaluator decides for which candidates games are played; that costs next to
nothing, and how a candidate was chosen does not touch its games. Candidates of the draft are ranked by a blend of static score,
win rate and speed, or by win rate alone.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import inf
from typing import Any

import numpy as np

from kibitz.ground.signs import signed
from kibitz.catan.analysis.base import Analyzer, asked
from kibitz.catan.analysis.corners import rank_corners, with_corners
from kibitz.catan.analysis.draft import roads_from
from kibitz.catan.analysis.glance import Glance, choose_finalists, left_out
from kibitz.catan.analysis.position import Position, analysis_seed, bot_action
from kibitz.catan.analysis.race import Plan, Race, Sample
from kibitz.catan.analysis.rollouts import (
    Outcomes, after, average_robber_loss, average_win_turn, paired_difference, summarize, win_share,
)  # fmt: skip
from kibitz.catan.analysis.types import (
    AnalysisConfig, AnalysisMode, AnalysisResult, Difference, InvalidConfig, MoveScore, VertexScore,
)  # fmt: skip
from kibitz.catan.core.actions import Action, describe
from kibitz.catan.core.codes import PLACE_ROAD, PLACE_SETTLEMENT
from kibitz.catan.core.policy import BOTS
from kibitz.catan.words import say
from kibitz.compute.checkpoint import Checkpoint
from kibitz.compute.cuda import Gpu
from kibitz.compute.runtime import Runtime
from kibitz.compute.runtime import Workers, build
from kibitz.game import States
from kibitz.game.doors import sensible_actions
from kibitz.ground.texts import capitalised, percent
from kibitz.ground.rng import derive_seed
from kibitz.play.advice import ONLY, LineStep, played_by

# How games and static score are blended.
WIN_RATE_WEIGHT = 8.0
TURNS_TO_A_POINT = 60.0
BASELINE_WEIGHT = 0.45
#: The tempo of a win in the first turn.
TEMPO = 100.0
#: What a certain win covers.
COVERAGE = 5.0

#: The settings that decide a game.
DECIDING = (
    "mc_seed", "policy", "common_random_numbers", "full_game_max_turns", "full_game_trade_offer_limit", "guard",
)  # fmt: skip
#: A warning is due where more than this share of the games has no winner.
MANY_UNFINISHED = 0.01
#: Worlds that are drawn for a running game; its games take them in turn.
WORLDS = 4096
#: What a turn counts against a win: of actions that win equally often the quickest is the best, and nothing else changes.
HASTE = 1e-9
#: With fewer games in common nothing can be said about how many more it takes; and nobody plays so many times as many.
FEW_PAIRS, MUCH_MORE = 30, 100


def full_game_boost(win_rate: float, average_win_turn: float) -> float:
    """What simulated games add to a corner.

    >>> full_game_boost(0.25, 60.0)
    1.0
    """
    return WIN_RATE_WEIGHT * win_rate - average_win_turn / TURNS_TO_A_POINT


def full_game_total(baseline_total: float, boost: float) -> float:
    """The static score and the boost, blended.

    >>> full_game_total(2.0, 1.0)
    1.9
    """
    return BASELINE_WEIGHT * baseline_total + boost


def simulated_score(baseline: VertexScore, outcomes: Outcomes, seat: int, cap: int, road: int | None = None) -> VertexScore:
    """A corner's score with what came of its games."""
    share, turn = win_share(outcomes, seat), average_win_turn(outcomes, seat, cap)
    return replace(
        baseline,
        total=full_game_total(baseline.baseline_total, full_game_boost(share.rate, turn)),
        tempo_score=TEMPO / turn,
        recipe_coverage_score=COVERAGE * share.rate,
        robber_penalty=average_robber_loss(outcomes, seat),
        simulated=True,
        win_rate=share,
        road=road,
    )


class FullGameAnalyzer(Analyzer):
    """Plays thousands of whole games from each candidate and counts who wins."""

    mode = AnalysisMode.FULL_GAME
    ON_GPU = True
    RESUMES = True

    def _answer(self, position: Position, config: AnalysisConfig, runtime: Runtime, workers: Workers | Gpu) -> AnalysisResult:
        """Rank the candidates by whole games."""
        table = _Table(position, config, runtime, workers)
        return _openings(table) if position.in_draft else _moves(table)


class _Table:
    """What both kinds of question share: the rules of simulated games, seeds and the race itself."""

    def __init__(self, position: Position, config: AnalysisConfig, runtime: Runtime, workers: Workers | Gpu) -> None:
        if config.guard is not None and isinstance(workers, Gpu):
            raise InvalidConfig("guard: loop guards do not run on a GPU")
        self.position = position.limited(config.turn_cap, config.full_game_trade_offer_limit)
        self.config = config
        self.runtime = runtime
        self.workers = workers
        self.seed = analysis_seed(position.board, config.mc_seed, "full_game_rollout")

    @property
    def turn_cap(self) -> int:
        """The last turn of simulated games."""
        return int(self.position.states["max_turns"][0])

    def plan(self, name: str, starts: States, *words: int) -> Plan:
        """A candidate; with common random numbers all have the same dice."""
        seed = self.seed if self.config.common_random_numbers else derive_seed(self.seed, "candidate", *words)
        return Plan(name, seed, starts)

    def glance(self, worlds: States, candidates: Sequence[Sequence[int]], n: int, same: Sequence[object] = ()) -> Glance:
        """Which `n` candidates are worth whole games."""
        seed = derive_seed(self.seed, "glance")
        return choose_finalists(worlds, candidates, self.position.seat, seed, n, self.config.policy, same)

    def race(
        self, plans: Sequence[Plan], value: Callable[[int, Outcomes], float], choose_roads: bool = False
    ) -> tuple[Race, str | None]:
        """Let the plans race, with so many rollouts for each on average; why it was stopped early, if it was."""
        policies = (BOTS[self.config.policy],) * self.position.seats
        race = Race(plans, policies, self.position.seat, value, self.workers, self.config.guard_rules)
        games = self.runtime.limit.of(len(plans) * self.config.full_game_rollouts)
        with Checkpoint(self.runtime.checkpoint, self._work(plans)) as checkpoint:
            self.runtime.begin()
            stopped = race.run(games, self.config.adaptive, self.runtime, checkpoint, choose_roads)
        return race, stopped

    def _work(self, plans: Sequence[Plan]) -> dict[str, Any]:
        """What a checkpoint must agree with: all that decides a game, not how many are played."""
        digest = hashlib.blake2b(digest_size=8)
        for plan in plans:
            digest.update(f"{plan.name} {plan.seed} ".encode())
            digest.update(np.asarray(plan.starts).tobytes())
        return {
            "board": self.position.board.to_text(),
            "seats": self.position.seats,
            "seat": self.position.seat,
            **{name: getattr(self.config, name) for name in DECIDING},
            "position": digest.hexdigest(),
            "kibitz": build(),
        }

    def result(self, race: Race, stopped: str | None) -> AnalysisResult:
        """What every result holds."""
        every = np.concatenate([sample.all for sample in race.samples])
        numbers = np.concatenate([np.flatnonzero(sample.played) for sample in race.samples])
        summary = summarize(every, self.position.seats, numbers)
        return replace(
            asked(AnalysisMode.FULL_GAME, self.position, self.config),
            full_game_summary=summary,
            games=len(every),
            stopped=stopped,
            warnings=(
                *reached_the_cap(summary.unfinished, summary.rollout_count, self.turn_cap),
                *drawn_by_rule(summary.drawn, summary.rollout_count),
            ),
        )


# --- the draft ----------------------------------------------------------------------------------------------


def _openings(table: _Table) -> AnalysisResult:
    """Which corner to settle."""
    position, config = table.position, table.config
    ranking = rank_corners(position)
    worlds = position.worlds(1, table.seed)
    options = _with_roads(position, ranking[: config.full_game_candidate_vertices])
    candidates = [_placing(score, road) for score, road in options]
    # Corners are closer to each other than moves.
    first_look = table.glance(worlds, candidates, 2 * config.finalists, [score.vertex_id for score, _ in options])
    options = [options[number] for number in first_look.kept]
    plans = []
    for score, road in options:
        name, words = f"V{score.vertex_id}", [score.vertex_id]
        if road is not None:
            name, words = f"{name}-E{road}", [*words, road]
        plans.append(table.plan(name, after(worlds, _placing(score, road)), *words))

    def simulated(plan: int, outcomes: Outcomes) -> VertexScore:
        score, road = options[plan]
        return simulated_score(score, outcomes, position.seat, table.turn_cap, road)

    def value(plan: int, outcomes: Outcomes) -> float:
        return _value(simulated(plan, outcomes), config)

    race, stopped = table.race(plans, value, choose_roads=len(options) > len({score.vertex_id for score, _ in options}))
    ranked = []
    for plan in _best_of_each_corner(options, race.samples, value):
        sample = race.samples[plan]
        score = replace(simulated(plan, sample.reported), summary=summarize(sample.reported, position.seats))
        ranked.append((sample, score))
    ranked.sort(key=lambda pair: (-pair[0].rounds, -_value(pair[1], config), pair[1].vertex_id))
    simulated_corners = {score.vertex_id for _, score in ranked}
    order = (*(score for _, score in ranked), *(score for score in ranking if score.vertex_id not in simulated_corners))
    base = table.result(race, stopped)
    named = [(sample, f"V{score.vertex_id}") for sample, score in ranked]
    doubts = _doubts(named, position.seat, config, stopped, "{} wins more often than {}, which leads by score")
    return with_corners(replace(base, warnings=(*base.warnings, *doubts)), position, "FG", order)


def _placing(score: VertexScore, road: int | None) -> tuple[int, ...]:
    """The actions that settle a corner, with a road if one is given."""
    return (PLACE_SETTLEMENT + score.vertex_id,) if road is None else (PLACE_SETTLEMENT + score.vertex_id, PLACE_ROAD + road)


def _with_roads(position: Position, candidates: Sequence[VertexScore]) -> list[tuple[VertexScore, int | None]]:
    """The candidates with the roads to try: that of the bot (None) with the first settlement, every one with the second.

    All corners come with one road before any comes with another, so that a few games reach them all.
    """
    if position.picks_made < position.seats:
        return [(score, None) for score in candidates]
    roads = [enumerate(roads_from(position.states, score.vertex_id)) for score in candidates]
    numbered = [(n, score, road) for score, some in zip(candidates, roads, strict=True) for n, road in some]
    return [(score, road) for _, score, road in sorted(numbered, key=lambda option: option[0])]


def _value(score: VertexScore, config: AnalysisConfig) -> float:
    return score.total if config.rank_by == "score" or score.win_rate is None else score.win_rate.rate


def _best_of_each_corner(
    options: Sequence[tuple[VertexScore, int | None]], samples: Sequence[Sample], value: Callable[[int, Outcomes], float]
) -> list[int]:
    """For each corner the plan with the best road, by the games that are not reported: a choice by those would flatter it."""

    def merit(plan: int) -> tuple[int, float, int]:
        decided = samples[plan].decided
        return samples[plan].rounds, value(plan, decided) if len(decided) else -inf, -plan

    best: dict[int, int] = {}
    for plan, (score, _) in enumerate(options):
        if len(samples[plan].reported):
            rival = best.get(score.vertex_id, plan)
            best[score.vertex_id] = max(plan, rival, key=merit)
    return list(best.values())


def _doubts(
    ranked: Sequence[tuple[Sample, str]], seat: int, config: AnalysisConfig, stopped: str | None, second_is_better: str = ""
) -> list[str]:
    """A warning if the games do not show that the first of the named candidates wins more often than the second."""
    if len(ranked) < 2:
        return []
    (best, first), (other, second) = ranked[:2]
    pairs = other.paired_with(best)
    difference = paired_difference(*pairs, seat)
    if difference.tells_apart:
        return [second_is_better.format(second, first)] if difference.low > 0 and second_is_better else []
    return [not_told_apart(first, second, "" if stopped else _rollouts_hint(difference, len(pairs[0]), config))]


def not_told_apart(first: str, second: str, hint: str = "") -> str:
    """That the second candidate may be as good as the first."""
    return f"{second} cannot be told apart from {first} yet{hint}"


def _rollouts_hint(difference: Difference, pairs: int, config: AnalysisConfig) -> str:
    """How many rollouts would probably tell two candidates apart, where that can be said.

    The interval shrinks with the square root of the games; half as many again make it likely to exclude 0.
    """
    if pairs < FEW_PAIRS or not difference.mean:
        return ""
    factor = max(2.0, 1.5 * (difference.margin / abs(difference.mean)) ** 2)
    rollouts = float(f"{config.full_game_rollouts * factor:.1g}")
    return f" (--rollouts {rollouts:.0f})" if factor <= MUCH_MORE and rollouts <= config.MOST_ROLLOUTS else ""


def reached_the_cap(unfinished: int, games: int, cap: int) -> tuple[str, ...]:
    """A warning if many games ended without a winner.

    >>> reached_the_cap(5, 100, 300)
    ('5 % of the games had no winner by turn 300',)
    """
    share = unfinished / max(1, games)
    return (f"{percent(share, 0)} of the games had no winner by turn {cap}",) if share > MANY_UNFINISHED else ()


def drawn_by_rule(drawn: int, games: int) -> tuple[str, ...]:
    """How many games the loop guard made a draw, if any.

    >>> drawn_by_rule(3, 1000)
    ('3 of 1,000 games were drawn by the loop rule',)
    """
    return (f"{drawn:,} of {games:,} games were drawn by the loop rule",) if drawn else ()


# --- a running game -----------------------------------------------------------------------------------------


def _moves(table: _Table) -> AnalysisResult:
    """Which action to take."""
    position, config = table.position, table.config
    actions = candidate_actions(position, config)
    games = len(actions) * config.full_game_rollouts
    worlds = position.worlds(min(WORLDS, games), derive_seed(table.seed, "worlds"))
    first_look = table.glance(worlds, [(action,) for action in actions], config.finalists)
    racing = [actions[number] for number in first_look.kept]
    plans = [table.plan(describe(action), after(worlds, [action]), action) for action in racing]

    def value(plan: int, outcomes: Outcomes) -> float:
        return move_value(outcomes, position.seat)

    race, stopped = table.race(plans, value)
    result = move_result(table.result(race, stopped), position, config, racing, race.samples)
    values = dict(zip(actions, first_look.values, strict=False))
    return replace(result, options=(*result.options, *left_out(values, racing, position)))


def candidate_actions(position: Position, config: AnalysisConfig) -> list[int]:
    """The actions worth trying, ascending: the sensible ones (`kibitz.catan.core.policy`), and what the bot would do."""
    return sorted({*sensible_actions(position.states), bot_action(position.states, config.policy)})


def move_value(outcomes: Outcomes, seat: int) -> float:
    """How good an action is by its games: how often the seat wins, and between equals how soon."""
    return win_share(outcomes, seat).rate - HASTE * average_win_turn(outcomes, seat, cap=0)


def move_result(
    base: AnalysisResult, position: Position, config: AnalysisConfig, actions: Sequence[int], samples: Sequence[Sample]
) -> AnalysisResult:
    """The result of a running game: the actions, the best first."""
    seat = position.seat
    tried = [(code, sample) for code, sample in zip(actions, samples, strict=True) if len(sample.reported)]
    tried.sort(key=lambda pair: (-pair[1].rounds, -move_value(pair[1].reported, seat), pair[0]))
    moves = []
    for code, sample in tried:
        reported, best = sample.reported, tried[0][1]
        difference = Difference(0.0, 0.0, 0.0) if sample is best else paired_difference(*sample.paired_with(best), seat)
        action, share = Action.from_code(code), win_share(reported, seat)
        moves.append(
            MoveScore(
                action=action.to_text(),
                **action.to_json(),
                name=say(action.to_text(), position.board),
                value=share.rate,
                interval=share.interval,
                visits=share.games,
                line=(LineStep(seat=seat, action=action.to_text(), visits=share.games),),
                difference=difference,
                summary=summarize(reported, position.seats),
            )
        )
    habit = describe(bot_action(position.states, config.policy))
    named = [(sample, f"“{move.name}”") for (_, sample), move in zip(tried, moves, strict=True)]
    doubts = [] if base.stopped else _doubts(named, seat, config, None)
    return replace(
        base,
        options=tuple(replace(move, reason=" ".join(_reasons(move, moves, habit, config))) for move in moves),
        global_ranking=rank_corners(position),
        warnings=(*base.warnings, *doubts),
    )


def _reasons(move: MoveScore, moves: Sequence[MoveScore], habit: str, config: AnalysisConfig) -> Iterator[str]:
    yield f"{capitalised(move.name)}: wins {percent(move.value)} of the games (± {100 * move.margin:.1f})."
    if len(moves) == 1:
        yield ONLY
    if move is not moves[0] and (difference := move.difference) is not None:
        points, best = 100 * difference.mean, moves[0].name
        if difference.tells_apart:
            yield f"{round(abs(points), 1)} points {'less' if points < 0 else 'more'} than: {best}."
        else:
            yield f"Not told apart from: {best} ({signed(points, 1)} points)."
    if move.action == habit:
        yield played_by(config.policy)
