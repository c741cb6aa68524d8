"""Information-set MCTS: right decisions, right counts, the same result everywhere, and no look behind the cards."""

import json
import re
from itertools import permutations
from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest

from kibitz import game
from kibitz.compute.runtime import Limit, Runtime, Threads
from kibitz.coup.core.engine import GAME as COUP
from kibitz.coup.core.policy import HEURISTIC
from kibitz.coup.core.state import ACTION, DO_COUP
from kibitz.examples import kuhn, leduc, liars_dice
from kibitz.game.definition import as_structs
from kibitz.game.doors import decide_at, redeal_all, reseed_at
from kibitz.ground.jit import COMPILED, plain, uint64
from kibitz.ground.rng import child, reseed
from kibitz.search import grow as kernel
from kibitz.search.forest import Forest, Question, logarithms
from kibitz.search.ismcts import ActionStatistics, SearchConfig, SearchResult, search
from tests.search.searchable import RISK, SAFE, Choice, Dice, Differing, Guess, Renamed, Searchable, Secret, TheirGuess, wrapped
from tests.structs import mismatches

BOTH = pytest.mark.parametrize("observers", ["multiple", "single"])
ONE = Threads(1)


def everything(result: SearchResult) -> tuple[object, ...]:
    return result.actions, result.iterations, result.nodes, result.stopped, result.lines(10, 50)


def visits(result: SearchResult) -> dict[int, int]:
    return {one.action: one.visits for one in result.actions}


def values(result: SearchResult) -> dict[int, float]:
    return {one.action: one.values[result.seat] for one in result.actions}


# --- positions ------------------------------------------------------------------------------------------------


def kuhn_worlds(own: int, seat: int, *moves: int):
    """The two deals that a seat with this card (1 jack, 2 queen, 3 king) can imagine, after these moves."""
    states = game.structs(kuhn.STATE, 2)
    for i, other in enumerate(card for card in (1, 2, 3) if card != own):
        states["card"][i, seat], states["card"][i, 1 - seat] = own, other
    states["moves"][:, : len(moves)] = moves
    states["done"] = len(moves)
    return states


def played(new, steps: int, seed: int = 1):
    """A game some steps after its start, and then on until a player is to move."""
    xs = game.game_of(new).scratches()
    reseed_at(xs, 0, uint64(seed))
    while steps > 0 or game.actor_at(new, 0) == game.CHANCE:
        game.apply_at(new, 0, decide_at(new, 0, xs, 0))
        steps -= 1
    return new


def imagined(states, seat: int, n: int, seed: int = 7):
    """Worlds drawn from what a seat sees of a state, and from nothing else."""
    view = states.copy()
    game.hide_at(view, 0, seat)
    worlds = as_structs(np.repeat(np.asarray(view), n))
    redeal_all(worlds, game.game_of(states).scratches(), seat, uint64(seed))
    return worlds


def coup_position(seats: int = 2, steps: int = 0, seed: int = 1):
    states = played(COUP.new(seats, 0), steps, seed)
    assert game.actor_at(states, 0) >= 0
    return states


def asked(states) -> int:
    return int(game.actor_at(states, 0))


# --- counts ---------------------------------------------------------------------------------------------------


def upper_confidence(order: tuple[int, ...], iterations: int, exploration: float) -> dict[int, int]:
    """Visits of actions that are worth their code out of 10, when they are first tried in this order."""
    tried: dict[int, list[int]] = {}
    for i in range(iterations):
        for count in tried.values():
            count[1] += 1
        if i < len(order):
            tried[order[i]] = [1, 1]
            continue
        best = max(sorted(tried), key=lambda a: a / 10 + exploration * sqrt(log(tried[a][1]) / tried[a][0]))
        tried[best][0] += 1
    return {action: count[0] for action, count in tried.items()}


@pytest.mark.plain
@BOTH
@pytest.mark.parametrize("toy", [Choice, Renamed])
def test_one_decision_is_upper_confidence_bounds(toy, observers):
    result = search([toy()], 0, SearchConfig(iterations=60, trees=1, exploration=0.5, observers=observers))
    assert visits(result) in [upper_confidence(order, 60, 0.5) for order in permutations((3, 5, 6))]
    assert values(result) == {3: 0.3, 5: 0.5, 6: 0.6}
    assert [one.values[1] for one in result.actions] == pytest.approx([0.4, 0.5, 0.7])
    assert result.best.action == 6
    assert result.value == 0.6
    assert sorted(one.available for one in result.actions) == [58, 59, 60]  # one was tried at once, one third


@pytest.mark.plain
def test_all_iterations_are_done_and_divided_among_the_trees():
    result = search([Choice()], 0, SearchConfig(iterations=10, trees=4))
    assert result.iterations == sum(one.visits for one in result.actions) == 10
    assert search([Choice()], 0, SearchConfig(iterations=2, trees=4)).iterations == 2


@pytest.mark.plain
def test_the_standard_error_counts_one_more_result_at_each_end():
    one = search([Choice()], 0, SearchConfig(iterations=1)).best
    results = [0, one.action / 10, 1]
    assert one.errors[0] == pytest.approx(np.std(results) / sqrt(3))
    assert one.errors[0] == pytest.approx(one.errors[1])


@pytest.mark.plain
def test_availability_counts_the_worlds_that_allow_an_action():
    worlds = [Differing(0), Differing(1), Differing(2)]
    question = Question(worlds, 0, single=True, weights=[1, 2, 1])
    forest = Forest(question, SearchConfig(exploration=0.7), 5)
    logs = logarithms(100)
    x = question.scratches()[0]
    before: dict[int, int] = {}
    drawn = []
    for i in range(60):
        plain(reseed)(x, plain(child)(5, i))
        drawn.append(plain(kernel.draw_world)(x, question.worlds.until))
        forest.grow(1, logs)
        passed = forest.children(forest.root)[0]
        available = {label: int(forest.nodes["available"][node]) for label, node in forest.children(passed).items()}
        if i > 0:
            allowed = {0, 1 + drawn[-1]}
            grown = {label for label in available if available[label] != before.get(label, 0)}
            assert grown == allowed & {*available}
            assert all(available[label] == before.get(label, 0) + 1 for label in grown)
        before = available
    assert {*drawn} == {0, 1, 2}
    assert before[0] > max(before[1], before[2], before[3])
    assert drawn.count(1) > max(drawn.count(0), drawn.count(2))


@pytest.mark.plain
def test_actions_that_the_observer_cannot_tell_apart_are_one():
    single = search([Secret()], 0, SearchConfig(iterations=200, observers="single"))
    ((_, answer),) = single.lines()
    assert (answer.label, answer.seat) == (-1, 1)
    assert 0.1 < single.value < 0.3  # seat 1 plays any of its five cards
    multiple = search([Secret()], 0, SearchConfig(iterations=200))
    assert multiple.value < 0.1  # in its own tree seat 1 learns which card not to play


@pytest.mark.untraced
@pytest.mark.plain
@BOTH
def test_worlds_are_drawn_by_their_weights(observers):
    class Bet(Guess):
        def options(self) -> list[int]:
            return [0, 1] if self.done else [RISK]

    views = [(0, 0), (0, 1)]
    config = SearchConfig(iterations=600, observers=observers, exploration=0.3)
    assert search([Bet(0), Bet(1)], 0, config, views=views).value == pytest.approx(0.5, abs=0.1)
    assert search([Bet(0), Bet(1)], 0, config, views=views, weights=[1, 4]).value == pytest.approx(0.8, abs=0.1)
    assert search([Bet(0), Bet(1)], 0, config, views=views, weights=[0, 0.1]).value > 0.9


# --- hidden information ---------------------------------------------------------------------------------------


@pytest.mark.untraced
@pytest.mark.plain
@BOTH
def test_nobody_decides_by_what_it_cannot_know(observers):
    # Whoever solved each world by itself would always guess right, and take the risk.
    config = SearchConfig(iterations=800, observers=observers)
    result = search([Guess(0), Guess(1)], 0, config, views=[(0, 0), (0, 1)])
    assert result.best.action == SAFE
    assert values(result)[RISK] < 0.6


@pytest.mark.untraced
@pytest.mark.plain
def test_only_with_trees_of_their_own_opponents_use_what_they_know():
    worlds, views = [TheirGuess(0), TheirGuess(1)], [(0, 0), (0, 1)]
    multiple = search(worlds, 0, SearchConfig(iterations=800), views=views)
    assert multiple.best.action == SAFE
    assert values(multiple)[RISK] < 0.2
    single = search(worlds, 0, SearchConfig(iterations=800, observers="single"))
    assert single.best.action == RISK
    assert values(single)[RISK] > 0.4
    # An opponent who does not know either cannot use it, even in a tree of its own.
    assert search(worlds, 0, SearchConfig(iterations=800), views=[(0, 0), (0, 0)]).best.action == RISK


@BOTH
@pytest.mark.parametrize(
    ("own", "seat", "moves", "right"),
    [
        (3, 1, (kuhn.BET,), kuhn.BET),
        (1, 1, (kuhn.BET,), kuhn.PASS),
        (3, 1, (kuhn.PASS,), kuhn.BET),
        (3, 0, (kuhn.PASS, kuhn.BET), kuhn.BET),
        (1, 0, (kuhn.PASS, kuhn.BET), kuhn.PASS),
    ],
    ids=["king calls", "jack folds", "king bets", "king calls late", "jack folds late"],
)
def test_kuhn_poker_has_some_easy_decisions(own, seat, moves, right, observers):
    result = search(kuhn_worlds(own, seat, *moves), seat, SearchConfig(iterations=4000, observers=observers))
    assert result.best.action == right


def test_kuhn_poker_the_queen_passes():
    # A bet with the queen is called by the king and folded to by the jack: it can only lose.
    assert search(kuhn_worlds(2, 0), 0, SearchConfig(iterations=40_000)).best.action == kuhn.PASS


def test_leduc_raises_with_a_pair_on_the_table():
    states = game.structs(leduc.STATE)
    states["card"], states["paid"], states["public"], states["round"] = (3, 1), 1, 3, 1
    result = search(imagined(states, 0, 100), 0, SearchConfig(iterations=10_000))
    assert result.best.action == leduc.RAISE
    assert result.value > 0.5


@BOTH
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_coup_the_last_influence_is_couped(seats, observers):
    states = coup_position(seats)
    assert states["phase"][0] == ACTION
    states["coins"][0, 0] = 7
    states["influence"][0, 1:] = 0
    states["influence"][0, 1] = 1
    for other in range(1, seats):  # all cards but one are lost
        hand = np.asarray(states)["hand"][0, other]
        keep = int(np.flatnonzero(hand)[0]) if other == 1 else -1
        for card in range(5):
            lost = hand[card] - (card == keep)
            states["revealed"][0, other, card], states["hand"][0, other, card] = lost, card == keep
    result = search(imagined(states, 0, 50), 0, SearchConfig(iterations=1000, observers=observers))
    assert result.best.action == DO_COUP + 1
    assert result.value == 1.0
    assert result.best.errors[0] > 0


@BOTH
def test_the_hidden_truth_does_not_matter(observers):
    truth = coup_position(3, steps=4)
    seat = asked(truth)
    other = imagined(truth, seat, 1, seed=99)
    assert other.tobytes() != truth.tobytes()
    config = SearchConfig(iterations=2000, observers=observers, policy=HEURISTIC)
    one, two = (search(imagined(states, seat, 100), seat, config) for states in (truth, other))
    assert everything(one) == everything(two)


# --- one algorithm, one result --------------------------------------------------------------------------------

POSITIONS = {
    "kuhn": (lambda: kuhn_worlds(2, 0), 300 if COMPILED else 100),
    "leduc": (lambda: imagined(played(leduc.new(2, 0), 2), 0, 10), 250),
    "liar's dice": (lambda: imagined(played(liars_dice.start(1, 3), 2), 0, 10), 250),
    "coup": (lambda: imagined(coup_position(2, steps=3), asked(coup_position(2, steps=3)), 10), 80),
    "coup with three": (lambda: imagined(coup_position(3), 0, 5), 40),
}


@BOTH
@pytest.mark.parametrize("policies", ["random", "guided", "model", "halving"])
@pytest.mark.parametrize("name", [pytest.param("kuhn", marks=pytest.mark.plain), *list(POSITIONS)[1:]])
def test_a_game_in_plain_python_gives_the_same_statistics(name, policies, observers):
    make, iterations = POSITIONS[name]
    worlds = make()
    seat = asked(worlds)
    best = max(number for name, number in game.game_of(worlds).policies.items() if name != "net")  # whose scratch has more
    halving = {"policy": best, "guide": 1, "paired": True, "halving": True, "widening": 3}
    policy = {"random": {}, "guided": {"policy": best, "guide": 1}, "model": {"others": best}, "halving": halving}[policies]
    config = SearchConfig(iterations=iterations, trees=2, observers=observers, **policy)
    compiled = search(worlds, seat, config, workers=ONE)
    views = None if observers == "single" else views_of(worlds)
    assert everything(compiled) == everything(search(wrapped(worlds), seat, config, views=views, workers=ONE))


def views_of(worlds) -> list[list[int]]:
    """What each seat sees of each world, numbered in another way than the search does."""
    numbers: dict[bytes, int] = {}
    found = []
    for i in range(len(worlds)):
        found.append([])
        for seat in range(Searchable(worlds[:1]).seats):
            view = worlds[i : i + 1].copy()
            game.hide_at(view, 0, seat)
            found[-1].append(1000 - numbers.setdefault(view.tobytes(), len(numbers)))
    return found


@BOTH
def test_any_number_of_threads_gives_the_same_result(observers):
    worlds = imagined(coup_position(4), 0, 200)
    config = SearchConfig(iterations=5001, trees=3, observers=observers, seed=4)
    results = [everything(search(worlds, 0, config, workers=Threads(n))) for n in (1, 2, 3)]
    assert results[0] == results[1] == results[2]
    assert results[0] == everything(search(worlds, 0, config))


def test_another_seed_gives_another_result():
    worlds = imagined(coup_position(2), 0, 200)
    one, two = (search(worlds, 0, SearchConfig(iterations=500, seed=seed)) for seed in (1, 2))
    assert everything(one) != everything(two)


def test_how_often_the_search_is_interrupted_does_not_matter(monkeypatch):
    worlds = imagined(coup_position(2), 0, 200)
    before = everything(search(worlds, 0, SearchConfig(iterations=3000)))
    monkeypatch.setattr("kibitz.search.ismcts.LOOK", 1e-9)
    monkeypatch.setattr("kibitz.search.ismcts.FIRST_LOOK", 40)
    assert everything(search(worlds, 0, SearchConfig(iterations=3000))) == before


@pytest.mark.parametrize("wrap", [lambda states: states, wrapped], ids=["compiled", "plain"])
def test_trees_grow_from_the_smallest_room(monkeypatch, wrap):
    worlds = kuhn_worlds(3, 1, kuhn.BET)
    roomy = everything(search(worlds, 1, SearchConfig(iterations=200)))
    monkeypatch.setattr("kibitz.search.forest.FIRST_ROOM", 4)
    assert everything(search(wrap(worlds), 1, SearchConfig(iterations=200), views=[(0, 0), (1, 0)])) == roomy


@pytest.mark.plain
@BOTH
def test_many_chance_events_in_a_row_find_room(observers):
    result = search([Dice()], 0, SearchConfig(iterations=40, trees=1, observers=observers))
    assert sum(one.visits for one in result.actions) == 40
    assert len(result.lines(1, 200)[0]) > 64


@pytest.mark.plain
def test_structs_have_the_fields_that_type_hints_promise():
    assert mismatches(kernel.NODE, kernel.Node) == []
    assert mismatches(kernel.walk_struct(2, 3), kernel.Walk) == ["spread: float declared, int in the dtype"]


# --- policies -------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_the_guide_is_tried_first():
    config = SearchConfig(iterations=1, guide=1)
    assert {search([Choice()], 0, SearchConfig(iterations=1, guide=1, seed=seed)).best.action for seed in range(9)} == {5}
    assert search([Choice()], 0, config).iterations == 1
    assert len({search([Choice()], 0, SearchConfig(iterations=1, seed=seed)).best.action for seed in range(30)}) == 3


@pytest.mark.parametrize(("weights", "won"), [([1, 0], 1), ([0, 1], -1)], ids=["jack", "king"])
def test_the_policy_plays_the_rest(weights, won):
    # The honest queen passes. So does the jack, and is beaten; the king bets, and the queen folds.
    result = search(kuhn_worlds(2, 0), 0, SearchConfig(iterations=1, policy=1, guide=1), weights=weights)
    assert (result.best.action, result.value) == (kuhn.PASS, (won + 2) / 4)


@BOTH
def test_a_model_of_the_opponents_makes_bluffs_worth_a_try(observers):
    # Honest opponents bet and call with the king alone. A jack that bets wins 1 from the queen and loses 2 to the king, one
    # that passes always loses 1; but an opponent who learns that it has a jack before it calls every bet.
    worlds, bluff, honest = kuhn_worlds(1, 0), kuhn.BET, SearchConfig(iterations=8000, observers=observers, others=1)
    result = search(worlds, 0, honest)
    assert result.best.action == bluff
    assert 4 * values(result)[bluff] - 2 == pytest.approx((1 - 2) / 2, abs=0.1)
    assert search(worlds, 0, SearchConfig(iterations=8000, observers=observers)).best.action == kuhn.PASS


# --- doubts ---------------------------------------------------------------------------------------------------


def all_deals(*moves: int):
    """All six deals of Kuhn poker, as a spectator may imagine them."""
    states = game.structs(kuhn.STATE, 6)
    states["card"] = list(permutations((1, 2, 3), 2))
    states["moves"][:, : len(moves)] = moves
    states["done"] = len(moves)
    return states


def test_who_doubts_does_not_see_through_a_bluff():
    # Without doubts the queen has seen nothing but jacks bet and calls every bet: a bluff always loses 2. With doubts a bet
    # may be the king's. In equilibrium the queen calls one bet in three: the bluff wins 1 twice and loses 2 once of three
    # times, and against the king it always loses 2; so it is worth as much as to pass, -1.
    config = SearchConfig(iterations=40_000, trees=2)
    seen_through = 4 * values(search(kuhn_worlds(1, 0), 0, config))[kuhn.BET] - 2
    doubted = 4 * values(search(kuhn_worlds(1, 0), 0, config, doubts=all_deals()))[kuhn.BET] - 2
    assert seen_through == pytest.approx(-2, abs=0.2)
    assert doubted == pytest.approx(-1, abs=0.25)


@pytest.mark.untraced
@pytest.mark.plain
@pytest.mark.parametrize("shares", [1, 3])
def test_only_worlds_count_for_the_answer(shares):
    config = SearchConfig(iterations=400, trees=1, doubts=shares)
    result = search(kuhn_worlds(1, 0), 0, config, doubts=all_deals())
    assert result.iterations == 400
    assert sum(one.visits for one in result.actions) == 400 // (1 + shares)


@pytest.mark.parametrize("name", [pytest.param("kuhn", marks=pytest.mark.plain), "coup"])
def test_doubts_in_plain_python_give_the_same_statistics(name):
    if name == "kuhn":
        worlds, doubts = kuhn_worlds(2, 0), all_deals()
    else:
        states = coup_position(2, steps=3)
        worlds, doubts = imagined(states, asked(states), 8), imagined(states, -1, 8)
    seat = asked(worlds)
    config = SearchConfig(iterations=120, trees=2, doubts=2)
    views = views_of(as_structs(np.concatenate([np.asarray(worlds), np.asarray(doubts)])))
    compiled = search(worlds, seat, config, doubts=doubts, workers=ONE)
    assert everything(compiled) == everything(
        search(wrapped(worlds), seat, config, views=views, doubts=wrapped(doubts), workers=ONE)
    )


@pytest.mark.plain
def test_doubts_that_make_no_sense_are_refused():
    worlds = kuhn_worlds(1, 0)
    with pytest.raises(ValueError, match="with a single observer nobody else has a tree"):
        search(worlds, 0, SearchConfig(observers="single"), doubts=all_deals())
    with pytest.raises(ValueError, match="player 1 is not to move in doubt 0"):
        search(worlds, 0, doubts=all_deals(kuhn.BET))
    with pytest.raises(ValueError, match="no doubts: expected at least one"):
        search(worlds, 0, doubts=all_deals()[:0])


@pytest.mark.plain
def test_with_doubts_there_is_a_line_for_each_action_in_the_same_order():
    config = SearchConfig(iterations=60, trees=2, doubts=5, seed=2)  # most doubts bet, most worlds pass
    result = search(kuhn_worlds(1, 0), 0, config, doubts=all_deals())
    assert [line[0].label for line in result.lines(2)] == [one.action for one in result.actions]


# --- caution --------------------------------------------------------------------------------------------------


def found(habit: int | None, caution: float, **actions: tuple[int, float, float]) -> SearchResult:
    """A result with these visits, values and standard errors of the actions a0, a1 ..."""
    statistics = [
        ActionStatistics(int(name[1:]), visits, visits, (value, 1 - value), (error, error))
        for name, (visits, value, error) in actions.items()
    ]
    return SearchResult(0, 100, 1, None, tuple(statistics), (), habit, caution)


@pytest.mark.plain
def test_caution_keeps_the_habit_unless_another_action_is_better_beyond_doubt():
    close = {"a0": (60, 0.55, 0.03), "a1": (40, 0.50, 0.04)}  # 0.05 better, by a standard error of 0.05
    assert found(1, 0.0, **close).best.action == 0
    assert found(1, 0.9, **close).best.action == 0
    assert found(1, 1.1, **close).best.action == 1
    assert found(None, 0.0, **close).best.action == 0
    clear = {"a0": (60, 0.55, 0.03), "a1": (40, 0.30, 0.04), "a2": (20, 0.60, 0.05)}
    assert found(1, 1.0, **clear).best.action == 2  # not the most visited, but the best of those that are better


@pytest.mark.plain
def test_the_habit_is_what_the_guide_does():
    assert search([Choice()], 0, SearchConfig(iterations=9, guide=1)).habit == 5
    assert search([Choice()], 0, SearchConfig(iterations=9)).habit is None
    assert search(kuhn_worlds(3, 0), 0, SearchConfig(iterations=9, guide=1)).habit == kuhn.BET


# --- lines and files ------------------------------------------------------------------------------------------


def test_lines_follow_the_most_visited_steps():
    worlds = imagined(coup_position(2), 0, 200)
    result = search(worlds, 0, SearchConfig(iterations=20_000, policy=HEURISTIC))
    lines = result.lines(3, 6)
    assert [line[0].label for line in lines] == [one.action for one in result.actions[:3]]
    for line, one in zip(lines, result.actions, strict=False):
        assert (line[0].visits, line[0].seat) == (one.visits, 0)
        assert line[0].value == pytest.approx(one.values[0])
        assert [step.visits for step in line] == sorted((step.visits for step in line), reverse=True)
        assert len(line) == 6
    assert len(result.lines(100)) == len(result.actions)


def test_a_line_can_be_played():
    states = coup_position(2)
    result = search(imagined(states, 0, 200), 0, SearchConfig(iterations=20_000))
    (line,) = result.lines(1, 3)
    for step in line:
        assert game.actor_at(states, 0) == step.seat
        if step.seat == game.CHANCE:
            break
        assert step.label in game.legal_actions(states)
        game.apply_at(states, 0, step.label)


@pytest.mark.plain
def test_json():
    result = search([Choice()], 0, SearchConfig(iterations=20))
    written = json.loads(json.dumps(result.to_json()))
    assert written["iterations"] == 20
    assert written["actions"][0]["action"] == 6
    assert written["lines"][0][0] == {"label": 6, "seat": 0, "visits": result.best.visits, "value": 0.6}
    assert "forest" not in repr(result)


def test_the_example_in_the_docs_runs(capsys):
    page = Path(__file__).parents[2] / "docs" / "ismcts.md"
    example, *_ = (
        block for block in re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL) if "ismcts" in block
    )
    exec(example, {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"print\(.*\)  # (.*)", example)


# --- limits ---------------------------------------------------------------------------------------------------


def test_a_limit_of_iterations_is_exact():
    worlds = imagined(coup_position(2), 0, 50)
    limited = search(worlds, 0, SearchConfig(iterations=9999), runtime=Runtime(Limit(iterations=777)))
    assert (limited.iterations, limited.stopped) == (777, None)
    assert everything(limited) == everything(search(worlds, 0, SearchConfig(iterations=777)))


def test_a_limit_of_time_ends_the_search():
    worlds = imagined(coup_position(2), 0, 50)
    runtime = Runtime(Limit(time=0.2))
    result = search(worlds, 0, SearchConfig(iterations=10**9), runtime=runtime)
    assert result.stopped == "time"
    assert 0 < result.iterations == sum(one.visits for one in result.actions) < 10**9


def test_progress_is_heard_and_can_be_cancelled():
    heard = []

    def listen(info) -> None:
        heard.append(info)
        if len(heard) == 3:
            runtime.cancel()

    runtime = Runtime(on_info=listen)
    result = search(imagined(coup_position(2), 0, 50), 0, SearchConfig(iterations=10**9), runtime=runtime)
    assert result.stopped == "cancelled"
    assert [info.total for info in heard] == [10**9] * 3
    assert 0 < heard[0].done < heard[1].done < heard[2].done == result.iterations
    assert heard[2].ranking == result.actions
    assert all(isinstance(one, ActionStatistics) for one in heard[0].ranking)


@pytest.mark.plain
def test_who_is_stopped_at_once_has_an_answer_nevertheless():
    runtime = Runtime()
    runtime.cancel()
    for stopped, by in (("cancelled", runtime), ("time", Runtime(Limit(time=1e-9)))):
        result = search(kuhn_worlds(3, 1, kuhn.BET), 1, SearchConfig(iterations=1000), runtime=by)
        assert result.stopped == stopped
        assert 0 < result.best.visits < result.iterations < 1000


@pytest.mark.plain
def test_views_may_be_any_numbers():
    worlds = kuhn_worlds(2, 0)
    config = SearchConfig(iterations=100)
    large = search(worlds, 0, config, views=[[10**15, -(10**15)], [10**15, 10**15]])
    assert everything(large) == everything(search(worlds, 0, config, views=[[0, 0], [0, 1]]))


# --- errors ---------------------------------------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"iterations": 0}, "iterations=0: expected a whole number of at least 1"),
        ({"iterations": 2.5}, "iterations=2.5: expected a whole number"),
        ({"trees": 0}, "trees=0: expected a whole number of at least 1"),
        ({"exploration": -1.0}, "exploration=-1.0: expected a number of at least 0"),
        ({"exploration": float("nan")}, "exploration=nan: expected"),
        ({"observers": "none"}, "observers='none': expected one of multiple, single"),
        ({"policy": -1}, "policy=-1: expected a whole number of at least 0"),
        ({"guide": 0}, "guide=0: expected a whole number of at least 1"),
        ({"others": 0}, "others=0: expected a whole number of at least 1"),
        ({"widening": -1}, "widening=-1: expected a whole number of at least 0"),
        ({"halving": True}, "halving compares actions in the same worlds: it needs paired"),
        ({"doubts": 0}, "doubts=0: expected a whole number of at least 1"),
        ({"caution": -1.0, "guide": 1}, "caution=-1.0: expected a number of at least 0"),
        ({"caution": 1.0}, "caution needs a guide"),
        ({"seed": "x"}, "seed='x': expected a whole number"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, why):
    with pytest.raises(ValueError, match=why):
        SearchConfig(**settings)


@pytest.mark.plain
def test_what_cannot_be_searched_is_refused():
    worlds = kuhn_worlds(2, 0)
    with pytest.raises(ValueError, match="no worlds"):
        search(worlds[:0], 0)
    with pytest.raises(ValueError, match="player 2 is not to move"):
        search(worlds, 1)
    with pytest.raises(ValueError, match="seat=2: expected a number from 0 to 1"):
        search(worlds, 2)
    with pytest.raises(ValueError, match="policy=7: kuhn has the policies"):
        search(worlds, 0, SearchConfig(policy=7))
    for name in ("guide", "others"):
        with pytest.raises(ValueError, match=f"{name}=7: kuhn has"):
            search(worlds, 0, SearchConfig(**{name: 7}))
    for weights in ([1], [1, -1], [0, 0], [1, float("nan")]):
        with pytest.raises(ValueError, match="weights: expected 2 numbers"):
            search(worlds, 0, weights=weights)
    with pytest.raises(ValueError, match=r"views of shape \(2, 1\): expected \(2, 2\)"):
        search(worlds, 0, views=[[0], [0]])
    with pytest.raises(ValueError, match="several plain worlds need `views`"):
        search([Guess(0), Guess(1)], 0)


@pytest.mark.plain
def test_worlds_that_the_seat_could_tell_apart_are_refused():
    other = kuhn_worlds(2, 0)
    other["card"][1] = (3, 1)
    with pytest.raises(ValueError, match="world 1 is not what player 1 sees in world 0"):
        search(other, 0)
    with pytest.raises(ValueError, match="player 2 does not have the same legal actions in world 1 as in world 0"):
        search([Differing(0, (0,)), Differing(1, (0,))], 1, views=[(0, 0), (1, 0)])
