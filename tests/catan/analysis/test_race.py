"""The race between plans, run by workers who do not play: they look up who won.

So the truth is known: which plan is the best, and how often each wins in the long run.
"""

from collections.abc import Callable, Generator, Sequence
from itertools import pairwise
from math import inf, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.catan.analysis.race import FEWEST, Plan, Race, Round, Sample, schedule
from kibitz.catan.analysis.rollouts import OUTCOME, UNIT, Outcomes, Unit
from kibitz.compute.checkpoint import Checkpoint
from kibitz.compute.runtime import Info, Limit, Runtime
from kibitz.ground.rng import Stream
from kibitz.play.share import Share

pytestmark = pytest.mark.plain

fixed = settings(derandomize=True, database=None, deadline=None)
ANYWHERE = np.zeros(1, np.dtype([("nothing", np.int8)]))


class Oracle:
    """Workers who know every game: game i of the plan with the seed p is won by seat 0 if ``wins[p, i]``."""

    def __init__(self, wins: Any, order: int | None = None, at: Callable[[int], None] = lambda units: None) -> None:
        self.wins = np.asarray(wins)
        self.order = order
        self.at = at
        self.units: list[Unit] = []

    def map(self, function: object, pieces: Sequence[Any]) -> Generator[tuple[int, Any], None, None]:
        """In any order; `at` hears how many units were played."""
        numbers = list(range(len(pieces)))
        for number in numbers if self.order is None else Stream(self.order).shuffled(numbers):
            unit: Unit = pieces[number]
            found = np.zeros(unit.count, OUTCOME)
            found["winner"] = np.where(self.wins[unit.seed, unit.first : unit.first + unit.count], 0, 1)
            found["turn"] = unit.first + np.arange(unit.count)
            self.units.append(unit)
            self.at(len(self.units))
            yield number, found


def race_of(oracle: Oracle) -> Race:
    plans = [Plan(f"plan {p}", p, ANYWHERE) for p in range(len(oracle.wins))]
    return Race(plans, (1, 1), 0, rate, oracle)


def rate(plan: int, outcomes: Outcomes) -> float:
    assert len(outcomes)
    return float((outcomes["winner"] == 0).mean())


def run(oracle: Oracle, games: int, adaptive: bool = True, runtime: Runtime | None = None) -> Race:
    race = race_of(oracle)
    assert race.run(games, adaptive, runtime or Runtime(), Checkpoint(None, {})) is None
    return race


def drawn(rates: Sequence[float], games: int, seed: int) -> Any:
    """Games with these chances of winning; those of one number share their luck."""
    return np.random.default_rng(seed).random(games) < np.array(rates)[:, None]


def contents(race: Race) -> list[Any]:
    return [(s.rounds, s.outcomes.tobytes(), s.played.tolist(), s.deciding.tolist()) for s in race.samples]


# --- the schedule ---------------------------------------------------------------------------------------------


def test_schedules_by_hand():
    """1000 games of 4 plans: 600 for the first round, 150 each; 400 for the last, 200 each."""
    assert schedule(4, 1000) == [Round(4, 150), Round(2, 200)]
    assert schedule(2, 1000) == [Round(2, 500)]
    assert schedule(1, 1000) == [Round(1, 1000)]
    assert schedule(10, 30) == [Round(10, 3)], "too few to decide by"
    assert schedule(4, 1000, adaptive=False) == [Round(4, 250)]
    assert schedule(4, 3) == [Round(4, 0)]


@fixed
@given(st.integers(1, 162), st.integers(1, 200_000), st.booleans())
def test_any_schedule(plans, games, adaptive):
    rounds = schedule(plans, games, adaptive)
    assert schedule(plans, games, adaptive) == rounds
    assert rounds[0].plans == plans
    left_over = games - sum(r.plans * r.games for r in rounds)
    assert 0 <= left_over < rounds[-1].plans
    for before, after in pairwise(rounds):
        assert after.plans == (before.plans + 1) // 2
        assert FEWEST <= before.games <= after.games, "who stays plays more"
        assert before.games % 2 == 0, "half of them decide"
    if len(rounds) > 1:
        assert adaptive
        assert rounds[-1].plans == 2
        assert rounds[-1].plans * rounds[-1].games >= 0.4 * games - 2


@fixed
@given(st.integers(1, 54), st.integers(1, 500))
def test_more_games_never_mean_fewer_for_the_rounds_that_decide(plans, rollouts):
    fewer, more = schedule(plans, plans * rollouts), schedule(plans, plans * (rollouts + 1))
    assert len(fewer) <= len(more)
    if len(fewer) == len(more):
        assert all(a.games <= b.games for a, b in zip(fewer[:-1], more[:-1], strict=True))


# --- how many games -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("plans", [1, 2, 3, 4, 5, 10, 17, 54])
@pytest.mark.parametrize("rollouts", [1, 2, 3, 5, 8, 37, 150])
def test_exactly_as_many_games_as_were_asked_for(plans, rollouts):
    wins = drawn([0.3] * plans, plans * rollouts, seed=1)
    race = run(Oracle(wins), plans * rollouts)
    assert race.played == race.total == plans * rollouts
    even = run(Oracle(wins), plans * rollouts, adaptive=False)
    assert [len(sample.all) for sample in even.samples] == [rollouts] * plans
    assert [len(sample.reported) for sample in even.samples] == [rollouts] * plans


@fixed
@given(st.integers(1, 54), st.integers(0, 600))
def test_any_number_of_games_is_played(plans, games):
    """Also where some plans get one game more than others, or none: the first come first."""
    race = run(Oracle(drawn([0.5] * plans, games, seed=2)), games)
    assert race.played == games
    assert all(sample.played.all() for sample in race.samples)
    if games < plans:
        assert [len(sample.all) for sample in race.samples] == [1] * games + [0] * (plans - games)


def test_every_game_once_in_units_of_its_series():
    oracle = Oracle(drawn([0.5, 0.4, 0.3], 700, seed=3))
    race = run(oracle, 700)
    for p, sample in enumerate(race.samples):
        units = sorted((unit.first, unit.count) for unit in oracle.units if unit.seed == p)
        assert [first for first, _ in units] == np.cumsum([0, *(count for _, count in units)])[:-1].tolist()
        assert sum(count for _, count in units) == len(sample.all)
        assert sample.outcomes["turn"].tolist() == list(range(len(sample.all)))
        assert max(count for _, count in units) <= UNIT


# --- who stays ------------------------------------------------------------------------------------------------


def test_the_better_half_stays_by_the_games_that_decide():
    """Plans 2 and 3 of 4 win all odd games, 0 and 1 all even ones: the odd ones decide, the even ones are told."""
    wins = np.zeros((4, 1000), bool)
    wins[2:, 1::2] = True
    wins[:2, ::2] = True
    race = run(Oracle(wins), 1000)
    assert [sample.rounds for sample in race.samples] == [1, 1, 2, 2]
    assert [len(sample.all) for sample in race.samples] == [150, 150, 350, 350]
    assert [(sample.decided["winner"] == 0).mean() for sample in race.samples] == [0, 0, 1, 1]
    assert [win(sample) for sample in race.samples] == [Share(75, 75), Share(75, 75), Share(100, 275), Share(100, 275)]


def win(sample: Sample) -> Share:
    return Share(int((sample.reported["winner"] == 0).sum()), len(sample.reported))


def test_ties_go_to_the_first():
    for wins in (np.zeros((10, 2000), bool), np.ones((10, 2000), bool)):
        race = run(Oracle(wins), 2000)
        assert [sample.rounds for sample in race.samples] == [4, 4, 3, 2, 2, 1, 1, 1, 1, 1]


def test_no_game_both_decides_and_is_reported():
    race = run(Oracle(drawn([0.1 * p for p in range(10)], 4000, seed=4)), 4000)
    last = max(sample.rounds for sample in race.samples)
    for sample in race.samples:
        decided, reported = (set(games["turn"].tolist()) for games in (sample.decided, sample.reported))
        assert not decided & reported
        assert decided | reported == set(range(len(sample.all)))
        before = len(sample.all) if sample.rounds < last else sum(r.games for r in schedule(10, 4000)[:-1])
        assert decided == set(range(1, before, 2))


def test_the_best_plan_is_found():
    found = 0
    for seed in range(100):
        race = run(Oracle(drawn([0.2, 0.22, 0.3, 0.2, 0.18, 0.2, 0.21, 0.2], 2000, seed)), 1600)
        found += max(race.samples, key=lambda sample: (sample.rounds, win(sample).rate)) is race.samples[2]
    assert found >= 97


@pytest.mark.untraced
def test_reported_rates_are_true_in_the_long_run():
    """Ten plans of nearly equal strength, where luck decides: the reported rates of those who stay are not too high.

    Those of all their games would be; the intervals of the reported ones hold the truth in 95 % of the races.
    """
    rates = [0.25 + 0.01 * (p % 3) for p in range(10)]
    errors, all_errors, held = [], [], []
    for seed in range(400):
        race = run(Oracle(np.random.default_rng(seed).random((10, 3000)) < np.array(rates)[:, None]), 6000)
        for rate_, sample in zip(rates, race.samples, strict=True):
            low, high = win(sample).interval
            held.append((low <= rate_ <= high, sample.rounds))
            if sample.rounds == 4:
                errors.append(win(sample).rate - rate_)
                all_errors.append(float((sample.all["winner"] == 0).mean()) - rate_)
    assert abs(np.mean(errors)) < 3 * np.std(errors) / sqrt(len(errors))
    assert np.mean(all_errors) > 5 * np.std(all_errors) / sqrt(len(all_errors))
    for rounds in (1, 2, 3, 4):
        some = [ok for ok, n in held if n == rounds]
        assert abs(np.mean(some) - 0.95) < 0.02, rounds


# --- samples --------------------------------------------------------------------------------------------------


def test_the_games_that_two_plans_have_both_reported():
    """The first has played 6 games of a round that decides and 3 of the last, the second 4 and none; one is missing."""
    first, second = Sample("first"), Sample("second")
    assert first.make_room(6, deciding=True) == 0
    assert first.make_room(3, deciding=False) == 6
    assert second.make_room(4, deciding=True) == 0
    for sample in (first, second):
        sample.outcomes["turn"] = np.arange(len(sample.outcomes))
        sample.played[:] = True
    second.played[0] = False
    assert first.decided["turn"].tolist() == [1, 3, 5]
    assert first.reported["turn"].tolist() == [0, 2, 4, 6, 7, 8]
    assert second.all["turn"].tolist() == [1, 2, 3]
    ours, theirs = first.paired_with(second)
    assert ours["turn"].tolist() == theirs["turn"].tolist() == [2]
    assert [len(part) for part in first.paired_with(Sample("nothing"))] == [0, 0]


# --- any workers, stopped and resumed ---------------------------------------------------------------------------

WINS = drawn([0.2, 0.3, 0.25, 0.31, 0.28], 3000, seed=5)
GAMES = 1500


def test_the_order_in_which_results_arrive_does_not_matter():
    whole = contents(run(Oracle(WINS), GAMES))
    for order in range(5):
        assert contents(run(Oracle(WINS, order), GAMES)) == whole


def test_resumed_from_a_checkpoint_cut_anywhere(tmp_path):
    file = tmp_path / "race"
    oracle = Oracle(WINS)
    race = race_of(oracle)
    with Checkpoint(file, {"work": 1}) as checkpoint:
        race.run(GAMES, True, Runtime(), checkpoint)
    whole, lines = contents(race), file.read_bytes().splitlines(keepends=True)
    assert len(lines) == 1 + len(oracle.units) > 25
    for kept in range(len(lines)):
        for rest in (b"", lines[kept][: len(lines[kept]) // 2]):
            file.write_bytes(b"".join(lines[:kept]) + rest)
            again = Oracle(WINS, order=kept)
            race = race_of(again)
            with Checkpoint(file, {"work": 1}) as checkpoint:
                assert race.run(GAMES, True, Runtime(), checkpoint) is None
            assert contents(race) == whole
            assert len(again.units) == len(oracle.units) - max(0, kept - 1), "what was known is not played again"
            assert sorted(file.read_bytes().splitlines()[1:]) == sorted(line.strip() for line in lines[1:])


@pytest.mark.parametrize("after", [1, 2, 7, 13, 20])
def test_cancelled_it_has_what_was_played_and_goes_on_from_there(tmp_path, after):
    whole = run(Oracle(WINS), GAMES)
    runtime = Runtime()
    oracle = Oracle(WINS, at=lambda units: runtime.cancel() if units == after else None)
    race = race_of(oracle)
    with Checkpoint(tmp_path / "race", {}) as checkpoint:
        assert race.run(GAMES, True, runtime, checkpoint) == "cancelled"
    assert race.played == sum(unit.count for unit in oracle.units) < GAMES
    assert len(oracle.units) == after
    for sample, complete in zip(race.samples, whole.samples, strict=True):
        assert sample.all.tobytes() == complete.outcomes[: len(sample.played)][sample.played].tobytes()
    resumed = race_of(Oracle(WINS))
    with Checkpoint(tmp_path / "race", {}) as checkpoint:
        assert len(checkpoint) == after
        assert resumed.run(GAMES, True, Runtime(), checkpoint) is None
    assert contents(resumed) == contents(whole)


def test_cancelled_after_the_last_game_it_is_whole():
    whole = Oracle(WINS)
    run(whole, GAMES)
    runtime = Runtime()
    run(Oracle(WINS, at=lambda units: runtime.cancel() if units == len(whole.units) else None), GAMES, runtime=runtime)


def test_no_time_no_games():
    runtime = Runtime(Limit(time=1e-9))
    runtime.begin()
    race = race_of(Oracle(WINS))
    assert race.run(GAMES, True, runtime, Checkpoint(None, {})) == "time"
    assert race.played == 0
    assert race.standings() == ()


def test_an_error_of_the_workers_is_raised():
    def fail(units: int) -> None:
        if units == 3:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(Oracle(WINS, at=fail), GAMES)


# --- what is heard of it ----------------------------------------------------------------------------------------


def test_progress(monkeypatch):
    monkeypatch.setattr("kibitz.catan.analysis.race.REPORT_EVERY", -1.0)
    monkeypatch.setattr("kibitz.catan.analysis.race.REPORT_COST", inf)
    heard: list[Info] = []
    oracle = Oracle(WINS)
    run(oracle, GAMES, runtime=Runtime(on_info=heard.append))
    done = [info.done for info in heard]
    assert done == sorted(done)
    assert done[-1] == GAMES
    assert set(np.cumsum([unit.count for unit in oracle.units]).tolist()) == set(done)
    assert {info.total for info in heard} == {GAMES}


def test_standings():
    """Those in the race come first, the best of them first; games of all kinds count."""
    wins = np.zeros((4, 1000), bool)
    for p, share in enumerate((0.1, 0.4, 0.2, 0.3)):
        wins[p, : int(1000 * share)] = True
    race = run(Oracle(wins), 1000)
    found = race.standings()
    assert [(s.name, s.racing, s.win_rate) for s in found] == [
        ("plan 1", True, Share(350, 350)),
        ("plan 2", True, Share(200, 350)),
        ("plan 3", False, Share(150, 150)),
        ("plan 0", False, Share(100, 150)),
    ]
    assert [s.value for s in found] == [1.0, 200 / 350, 1.0, 100 / 150]


def test_all_plans_play_side_by_side_so_that_a_race_that_is_stopped_is_fair():
    runtime = Runtime()

    def stop(units: int) -> None:
        if units == 10:
            runtime.cancel()

    race = race_of(Oracle(drawn([0.5] * 4, 4000, seed=3), at=stop))
    assert race.run(4 * 20 * UNIT, adaptive=False, runtime=runtime, checkpoint=Checkpoint(None, {})) == "cancelled"
    games = [len(sample.all) for sample in race.samples]
    assert max(games) - min(games) <= UNIT
    assert min(games) > 0


def test_a_race_in_many_blocks_is_the_same_race(monkeypatch):
    wins = drawn([0.2, 0.3, 0.25, 0.4, 0.1], 5000, seed=4)
    whole = contents(run(Oracle(wins), 5000))
    monkeypatch.setattr("kibitz.catan.analysis.race.BLOCK", 3)
    assert contents(run(Oracle(wins), 5000)) == whole


def test_games_from_a_checkpoint_do_not_count_as_speed(tmp_path):
    wins, heard = drawn([0.2, 0.3], 2000, seed=5), []
    for _ in range(2):
        with Checkpoint(tmp_path / "games", {}) as checkpoint:
            race_of(Oracle(wins)).run(2000, True, Runtime(on_info=heard.append), checkpoint)
    assert heard[-1].resumed == heard[-1].done == 2000
    assert heard[-1].speed == 0
