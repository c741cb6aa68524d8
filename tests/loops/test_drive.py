"""Games under a guard: coins stolen back and forth, offers in circles, and many games without any loop."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

import pytest

from kibitz.catan import Rules as CatanRules
from kibitz.catan.core.actions import Action as CatanAction
from kibitz.coup import GAME as COUP
from kibitz.coup.core.actions import Action
from kibitz.loops.config import MODELS, Config, Consequence
from kibitz.loops.drive import Choose, Ending, Guarded, LoopRuleBroken, Policies, choose_first, play, replay
from kibitz.loops.guard import LoopGuard
from kibitz.loops.lap import LapStep
from kibitz.loops.protocol import StructGame, WatchedGame
from kibitz.loops.stopping import Answer, break_loop
from tests.catan.positions import Table
from tests.coup.positions import position
from tests.loops.games import walk


def prefer(codes: Iterable[int]) -> Choose:
    """Choose the first of these actions that is allowed, else the first action of all."""
    wanted = list(codes)
    return lambda position, actions: next((code for code in wanted if code in actions), actions[0])


def coup_codes(*texts: str) -> list[int]:
    return [Action.from_text(text).code for text in texts]


STEALING = coup_codes("steal 2", "steal 1", "allow", "income")


def thieves() -> StructGame:
    """Two captains with two coins each, who steal from each other turn by turn and let it happen."""
    return StructGame(position("CC", "CT", coins=[2, 2]))


# --- Coup -------------------------------------------------------------------------------------------------------------


def test_stealing_back_and_forth_is_a_loop_that_both_can_stop() -> None:
    hook = Guarded(LoopGuard(MODELS["seed"]))
    game = thieves()
    ending, _ = play(game, prefer(STEALING), hook, max_steps=40)
    assert ending == Ending.LIMIT
    found = next(result for result in hook.found if result.loop_detected)
    assert found.lap is not None
    assert found.lap.seats == (0, 1)
    assert [game.describe(action).split()[0] for _, action in found.lap.steps] == ["steal", "allow", "allow"] * 2
    assert found.stopping is not None
    assert found.stopping.answers == {0: Answer.YES, 1: Answer.YES}
    assert found.resolution == Consequence.CONTINUES
    assert hook.verdict == "the game continues"


def test_declared_laps_of_stealing_are_played_since_turns_are_counted() -> None:
    hook = Guarded(LoopGuard(MODELS["declare"]), lambda seat, lap, smallest: 20 + seat)
    game = thieves()
    play(game, prefer(STEALING), hook, max_steps=6 * 24 + 1)
    (settlement,) = hook.settled
    assert (settlement.seat, settlement.laps) == (0, 20)
    assert game.describe(settlement.banned[0]).startswith(("steal", "allow"))
    assert game.turn() >= 1 + 2 * 24


def test_more_laps_than_the_game_has_turns_end_it() -> None:
    game = thieves()
    game.states["max_turns"] = 60
    hook = Guarded(LoopGuard(MODELS["declare"]), lambda seat, lap, smallest: 10**9)
    ending, _ = play(game, prefer(STEALING), hook)
    assert ending == Ending.OVER
    assert game.turn() == 60
    assert not hook.settled[0].banned  # nobody comes to stop it


def test_a_plain_draw_ends_it() -> None:
    ending, steps = play(thieves(), prefer(STEALING), Guarded(LoopGuard(MODELS["draw"])))
    assert (ending, steps) == (Ending.DRAW, 4 * 6)


def test_a_way_out_of_the_stealing() -> None:
    hook = Guarded(LoopGuard(MODELS["draw"]))
    game = thieves()
    play(game, prefer(STEALING), hook)
    lap = hook.found[-1].lap
    assert lap is not None
    escape = break_loop(game, lap)
    assert escape is not None
    for _, action in (*lap.steps[: escape.step], *escape.line):
        assert game.may(action)
        game.apply(action)


def test_random_games_of_coup_are_no_loops_and_the_guard_changes_nothing() -> None:
    for seed in range(20):
        guarded, free = StructGame(COUP.new(3, seed)), StructGame(COUP.new(3, seed))
        hook = Guarded(LoopGuard(replace(MODELS["declare"], suspect=True)))
        ending, steps = play(guarded, Policies(COUP, ["random"] * 3, seed), hook)
        assert play(free, Policies(COUP, ["random"] * 3, seed)) == (ending, steps)
        assert ending == Ending.OVER
        assert not any(result.loop_detected for result in hook.found)
        assert guarded.states.tobytes() == free.states.tobytes()


# --- Catan ------------------------------------------------------------------------------------------------------------


def offerer(offer_limit: int = 100) -> tuple[StructGame, list[int]]:
    """One who offers a brick for an ore again and again, though all decline."""
    table = Table(seats=3, rules=CatanRules(offer_limit=offer_limit))
    for seat, (corner, end) in enumerate([(20, 21), (40, 41), (10, 11)]):
        table.build(seat, settlements=[corner], roads=[(corner, end)]).give(seat, brick=1)
    state = table.main(player=0)
    texts = ("offer_trade 1 brick for 1 ore", "decline_offer", "end_turn")
    return StructGame(state.states), [CatanAction.from_text(text).code for text in texts]


def test_offers_in_circles_are_a_loop_that_their_maker_can_stop() -> None:
    game, codes = offerer()
    hook = Guarded(LoopGuard(MODELS["seed"]))
    play(game, prefer(codes), hook, max_steps=12)
    (found,) = [result for result in hook.found if result.loop_detected]
    assert found.lap is not None
    assert [game.describe(action).split()[0] for _, action in found.lap.steps] == [
        "offer_trade",
        "decline_offer",
        "decline_offer",
    ]
    assert found.stopping is not None
    assert 0 in found.stopping.able
    assert (found.resolution, found.stopping_player) == (Consequence.MUST_STOP, 0)
    assert codes[0] not in hook.guard.allowed(game)
    assert codes[2] in hook.guard.allowed(game)


def test_offers_can_be_limited() -> None:
    game, codes = offerer()
    hook = Guarded(LoopGuard(Config(action_limits={"offer_trade": 2})))
    made = []

    def choose(position: WatchedGame, actions: list[int]) -> int:
        made.append(prefer(codes)(position, actions))
        return made[-1]

    play(game, choose, hook, max_steps=7)
    assert [game.describe(action).split()[0] for action in made] == [
        "offer_trade", "decline_offer", "decline_offer", "offer_trade", "decline_offer", "decline_offer", "end_turn",
    ]  # fmt: skip


def test_an_offer_that_is_not_listed_is_allowed_until_it_is_banned() -> None:
    """Three bricks for two ores is legal, but in no list of legal actions."""
    table = Table(seats=3, rules=CatanRules(offer_limit=100))
    for seat, (corner, end) in enumerate([(20, 21), (40, 41), (10, 11)]):
        table.build(seat, settlements=[corner], roads=[(corner, end)]).give(seat, brick=3)
    game = StructGame(table.main(player=0).states)
    offer, decline = (CatanAction.from_text(text).code for text in ("offer_trade 3 brick for 2 ore", "decline_offer"))
    assert offer not in game.actions()
    made = []

    def choose(position: WatchedGame, actions: list[int]) -> int:
        made.append(position.actor())
        return offer if position.actor() == 0 else decline

    hook = Guarded(LoopGuard(MODELS["seed"]))
    play(game, choose, hook, max_steps=12)
    assert made == [0, 1, 2] * 4
    (found,) = [result for result in hook.found if result.loop_detected]
    assert found.stopping_player == 0
    other = game.copy()
    play(other, choose, hook, max_steps=1)
    refused = game.copy()
    refused.apply(offer)
    assert other.key() != refused.key()


# --- the driver -------------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_without_a_hook_a_loop_goes_on() -> None:
    assert play(walk([[1], [0]]), choose_first, max_steps=50) == (Ending.LIMIT, 50)


@pytest.mark.plain
def test_with_a_guard_a_random_walk_in_a_maze_gets_out() -> None:
    """Whoever always goes the same way is made to try another, until the way out is found."""
    maze = [[1, 2], [0, 2], [0, 3], [2, 4], []]
    hook = Guarded(LoopGuard(MODELS["declare"]))
    ending, _ = play(walk(maze), choose_first, hook, max_steps=1000)
    assert ending == Ending.OVER
    assert hook.settled


def test_only_compiled_games_have_policies() -> None:
    with pytest.raises(TypeError, match="coup"):
        Policies(COUP, ["random"], 0)(walk([[0]]), [0])


# --- the hook -----------------------------------------------------------------------------------------------------------


def test_a_hook_never_moves_the_position_and_says_what_is_to_be_played() -> None:
    """Two further laps of six steps are declared by both; the turn player stops, where the lap begins."""
    hook = Guarded(LoopGuard(MODELS["declare"]), lambda seat, lap, smallest: 2)
    game = thieves()
    hook.begin(game)
    draw = False
    while not hook.due:
        action, seat = prefer(STEALING)(game, game.actions()), game.actor()
        game.apply(action)
        before = game.states.tobytes()
        draw = hook.after(game, action, seat)
        assert game.states.tobytes() == before
    lap, banned = hook.found[-1].lap, hook.settled[-1].banned
    assert lap is not None
    assert hook.due == lap.steps * 2
    assert not draw
    assert game.describe(banned[0]).startswith("steal")
    for seat, action in hook.due:
        assert (game.actor(), hook.demanded(game)) == (seat, action)
        game.apply(action)
        assert not hook.after(game, action, seat)
    assert hook.demanded(game) is None
    assert banned[0] in game.actions()
    assert banned[0] not in hook.allowed(game, game.actions())


@pytest.mark.plain
def test_of_a_million_laps_that_change_nothing_one_is_played() -> None:
    hook = Guarded(LoopGuard(MODELS["declare"]), lambda seat, lap, smallest: 1_000_000)
    ending, steps = play(walk([[1, 2], [0], []]), choose_first, hook)
    assert (ending, hook.settled[0].laps) == (Ending.OVER, 1_000_000)
    assert steps == 2 * (4 + 1) + 1


@pytest.mark.plain
def test_what_was_demanded_is_dropped_where_chance_does_something_else() -> None:
    hook = Guarded(LoopGuard(MODELS["declare"]), due=(LapStep(-1, 1), LapStep(0, 1)))
    start = walk([[1], [0]])
    hook.after(start, 0, -1)
    assert hook.due == ()
    hook.due = (LapStep(1, 0),)
    assert hook.demanded(start) is None
    assert hook.due == ()


def test_a_recorded_game_has_to_do_what_was_demanded_and_not_what_was_forbidden() -> None:
    """After four laps one more is declared; then the thief whose turn it is has to do something else."""

    def hook() -> Guarded:
        return Guarded(LoopGuard(MODELS["declare"]), lambda seat, lap, smallest: 1)

    done: list[int] = []
    play(thieves(), prefer(STEALING), hook(), max_steps=33, told=done.append)
    income, steal = coup_codes("income", "steal 2")
    assert done[24:30] == done[:6]
    assert done[30] == income
    assert not replay(thieves(), done, hook())
    with pytest.raises(LoopRuleBroken, match=r"^step 24: income: the loop rule demands steal 2"):
        replay(thieves(), [*done[:24], income], hook())
    with pytest.raises(LoopRuleBroken, match=r"^step 30: steal 2: the loop rule forbids it here"):
        replay(thieves(), [*done[:30], steal], hook())


@pytest.mark.plain
def test_a_restored_hook_goes_on_in_the_middle_of_what_is_due() -> None:
    hook = Guarded(LoopGuard(MODELS["seed"]), due=(LapStep(0, 1),))
    position = walk([[1], [0]])
    hook.begin(position)
    restored = Guarded.from_json(json.loads(json.dumps(hook.to_json())))
    restored.begin(position)
    assert restored.due == hook.due
    assert restored.guard.memory.to_json() == hook.guard.memory.to_json()
    assert restored.guard.repeat_count(position) == 1
