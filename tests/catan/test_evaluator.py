"""Catan's evaluator: the same on turned islands and with seats renamed, within its bounds, and refused under other rules."""

import numpy as np
import pytest

from kibitz.catan import GAME, Board, Rules
from kibitz.catan.core.evaluator import VARIANTS, check_served, phase_of, variant_of
from kibitz.catan.core.game_state import GameState
from kibitz.catan.core.layout import MOST
from kibitz.catan.core.policy import BUILDER
from kibitz.catan.core.state import new_states
from kibitz.game import OVER, actor_at, apply_at, structs, verbs
from kibitz.game.definition import seat_policies
from kibitz.game.doors import decide_at, reseed_at
from kibitz.game.evaluator import SURE
from kibitz.game.nets import NoNetwork
from kibitz.ground.jit import COMPILED, plain, rows, uint64
from kibitz.learn.measure import evaluated
from tests.catan import slow_inputs
from tests.catan.analysis.symmetry import SYMMETRIES


def played(states, seed: int, steps: int):
    """Let builders play so many steps."""
    xs = GAME.scratches()
    seat_policies(xs, [BUILDER] * 4)
    reseed_at(xs, 0, uint64(seed))
    for _ in range(steps):
        if actor_at(states, 0) == OVER:
            break
        apply_at(states, 0, int(decide_at(states, 0, xs, 0)))
    return states


def values(states):
    xs = GAME.scratches()
    assert verbs.value(states[0], xs[0]) == 1
    return xs["values"][0, : int(states["seats"][0])].tolist()


def test_every_input_lies_within_its_bounds():
    for seed in range(3):
        states, xs = new_states(Board.random(seed), 4), GAME.scratches()
        for _ in range(30):
            verbs.inputs(played(states, seed, 20)[0], xs[0])
            assert 0 <= xs["inputs"].min() <= xs["inputs"].max() <= MOST


@pytest.mark.plain
@pytest.mark.parametrize(("seats", "seed"), [(2, 1), (3, 2), (4, 3), (4, 4)])
def test_inputs_are_what_step_by_step_counting_gives(seats, seed):
    states, xs = new_states(Board.random(seed), seats), GAME.scratches()
    looked, slow = 0, rows(np.asarray(GAME.scratches()))
    while actor_at(states, 0) != OVER and looked < (60 if COMPILED else 15):
        played(states, 10 * seed + looked, 9)
        n = verbs.inputs(states[0], xs[0])
        assert slow_inputs.inputs(rows(np.asarray(states))[0], slow[0]) == n
        assert np.asarray(xs)["inputs"][0, : seats * n].tolist() == np.asarray(slow)["inputs"][0, : seats * n].tolist()
        looked += 1


def turned(states, symmetry):
    """The same position on the turned island."""
    board = symmetry.board(GameState(states).board)
    there = new_states(board, int(states["seats"][0]))
    old, new = np.asarray(states), np.asarray(there)
    of_board = ("terrain", "number", "land", "tokens", "harbours", "open", "robber", "corner")
    for name in old.dtype.names[:-1]:
        if name not in (*of_board, "settlements", "cities", "roads", "network"):
            new[name] = old[name]

    def corners(mask: int) -> int:
        return sum(1 << symmetry.corner(c) for c in range(54) if mask >> c & 1)

    for name in ("settlements", "cities", "network"):
        for seat in range(4):
            new[name][0, seat] = corners(int(old[name][0, seat]))
    new["open"][0] = corners(int(old["open"][0]))
    new["robber"][0] = symmetry.hex(int(old["robber"][0]))
    for seat in range(4):
        edges = [e for e in range(72) if int(old["roads"][0, seat, e // 36]) >> (e % 36) & 1]
        for edge in map(symmetry.edge, edges):
            new["roads"][0, seat, edge // 36] |= 1 << (edge % 36)
    return there


@pytest.mark.parametrize("steps", [16, 120, 400])
def test_a_turned_or_mirrored_island_has_the_same_values_to_the_last_bit(steps):
    states = played(new_states(Board.random(steps)), 3, steps)
    for symmetry in SYMMETRIES:
        assert values(turned(states, symmetry)) == values(states), symmetry


def test_seats_renamed_in_their_order_keep_their_values():
    states = played(new_states(Board.random(8)), 5, 300)
    there = structs(GAME.state)
    old, new = np.asarray(states), np.asarray(there)
    new[:] = old
    pieces, cards = (
        ("settlements", "cities", "roads", "network", "road_length"),
        ("hand", "hand_size", "dev", "dev_size", "played"),
    )
    for name in (*pieces, *cards, "discards"):
        new[name][0] = np.roll(old[name][0], 1, axis=0)
    for name in ("player", "road_holder", "army_holder"):
        new[name][0] = old[name][0] if old[name][0] < 0 else (old[name][0] + 1) % 4
    assert values(there) == np.roll(values(states), 1).tolist()


@pytest.mark.plain
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_compiled_and_plain_agree_to_the_bit(seats):
    """The layers work on several seats at once: on four, on two, or on one that is left over."""
    states = played(new_states(Board.random(2), seats), 1, 200)
    xs = rows(np.asarray(GAME.scratches()))
    assert plain(GAME.rules.value)(rows(np.asarray(states))[0], xs[0]) == 1
    assert np.asarray(xs)["values"][0, :seats].tolist() == values(states)


def test_whoever_has_won_is_sure_of_it():
    states = played(new_states(Board.random(4), 2), 1, 10_000)
    winner = int(states["winner"][0])
    assert values(states) == [SURE if seat == winner else 0 for seat in range(2)]


def test_chances_add_up_to_one_and_tell_who_leads():
    states = played(new_states(Board.random(1)), 2, 500)
    assert evaluated(GAME, states).sum() == pytest.approx(1, abs=1e-3)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("seats", "rules", "name"),
    [
        (2, Rules(), "2-players-offers"),
        (4, Rules(domestic_trade=False), "4-players"),
        (4, Rules(domestic_trade=False, all_or_nothing_bank=True), "4-players"),  # catanatron's
    ],
)
def test_each_number_of_players_has_its_network(seats, rules, name):
    assert variant_of(new_states(Board.beginner(), seats, rules)) == name
    assert name in VARIANTS
    check_served(new_states(Board.beginner(), seats, rules), 0)


@pytest.mark.plain
def test_other_rules_and_other_books_are_refused_by_name():
    with pytest.raises(NoNetwork, match=r"victory_points=10, not 12; train one: kibitz train catan FOLDER --players 4 --rule"):
        check_served(new_states(Board.beginner(), 4, Rules(victory_points=12)), 0)
    duel = Rules(victory_points=15, friendly_robber=True, domestic_trade=False, max_turns=400)
    command = "FOLDER --players 2 --rule victory_points=15 --rule domestic_trade=false --rule friendly_robber=true"
    with pytest.raises(NoNetwork, match=f"{command}$"):
        check_served(new_states(Board.beginner(), 2, duel), 0)
    with pytest.raises(NoNetwork, match="there is no network for 4-players-offers games of Catan"):
        check_served(new_states(Board.beginner()), 9)


@pytest.mark.plain
def test_a_game_is_told_in_phases():
    states = new_states([Board.beginner()] * 3)
    np.asarray(states)["turn"] = [0, 4, 90]
    assert phase_of(states).tolist() == ["draft", "turns 1 to 5", "turns 21 to 25"]
