"""The games in OpenSpiel: its own tests, what a seat cannot know, and its Python ISMCTS over our beliefs."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

import pyspiel

import kibitz.adapters.spiel
from kibitz.ground.rng import Stream

GAMES = [
    *(f"python_kibitz_catan(players={seats},max_turns=8)" for seats in (2, 3, 4)),
    *(f"python_kibitz_coup(players={seats})" for seats in range(2, 7)),
    "python_kibitz_onepiece",
]
#: Games for which nothing was written.
OTHERS = [kibitz.adapters.spiel.register(name) for name in ("leduc", "examples/love_letter.py")]


@pytest.mark.parametrize("name", [*GAMES, *OTHERS, f"{OTHERS[1]}(players=4)"])
def test_openspiel_has_no_complaints(name, capfd):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


def at_step(name, steps, seed=3):
    """A state after some random steps, with somebody to move."""
    stream = Stream(seed)
    state = pyspiel.load_game(name).new_initial_state()
    while steps > 0 or state.is_chance_node():
        steps -= 1
        if state.is_chance_node():
            state.apply_action(stream.choice([outcome for outcome, _ in state.chance_outcomes()]))
        else:
            state.apply_action(stream.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize(("name", "steps"), [(GAMES[2], 150), ("python_kibitz_coup(players=3)", 6), (GAMES[-1], 40)])
def test_a_resampled_state_looks_the_same(name, steps):
    state = at_step(name, steps)
    assert not state.is_terminal()
    worlds = set()
    for seat in range(state.get_game().num_players()):
        for number in range(5):
            world = state.resample_from_infostate(seat, lambda number=number: number / 5)
            assert world.information_state_string(seat) == state.information_state_string(seat)
            assert world.observation_string(seat) == state.observation_string(seat)
            if seat == state.current_player():
                assert world.legal_actions() == state.legal_actions()
            others = [other for other in range(state.get_game().num_players()) if other != seat]
            worlds.add(tuple(world.observation_string(other) for other in others))
            assert all(world.information_state_string(o) != state.information_state_string(o) for o in others)
    assert len(worlds) > 3


@pytest.mark.parametrize(("name", "steps"), [(GAMES[2], 150), ("python_kibitz_coup(players=3)", 6), (GAMES[-1], 40)])
def test_a_resampled_state_plays_on_and_is_resampled_again(name, steps):
    """For everybody, after steps that may be illegal in the true world; and it survives being written and read."""
    state, stream = at_step(name, steps), Stream(1)
    world = state.resample_from_infostate(state.current_player(), lambda: 0.3)
    for _ in range(12):
        if world.is_terminal():
            break
        choices = [o for o, _ in world.chance_outcomes()] if world.is_chance_node() else world.legal_actions()
        world.apply_action(stream.choice(choices))
        for seat in range(state.get_game().num_players()):
            again = world.resample_from_infostate(seat, lambda: 0.7)
            assert again.information_state_string(seat) == world.information_state_string(seat)
            assert again.observation_string(seat) == world.observation_string(seat)
            if not again.is_chance_node() and not again.is_terminal():
                again.apply_action(again.legal_actions()[0])
            third = again.resample_from_infostate(seat, lambda: 0.1)
            assert third.observation_string(seat) == again.observation_string(seat)
    read = state.get_game().deserialize_state(world.serialize())
    assert [read.observation_string(s) for s in range(2)] == [world.observation_string(s) for s in range(2)]


def test_what_nobody_saw_is_in_no_information_state():
    """Two deals of Coup that differ in the second player's cards."""
    game = pyspiel.load_game("python_kibitz_coup(players=2)")
    lines = []
    for other in (6, 7):
        state = game.new_initial_state()
        for outcome in (5, other):
            state.apply_action(outcome)
        lines.append(state)
    assert lines[0].information_state_string(0) == lines[1].information_state_string(0)
    assert lines[0].information_state_string(1) != lines[1].information_state_string(1)


SIMULATIONS = 6


def searched(state, simulations):
    """What OpenSpiel's search plays."""
    from open_spiel.python.algorithms import ismcts, mcts

    dice = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, dice)
    bot = ismcts.ISMCTSBot(
        game=state.get_game(), evaluator=evaluator, uct_c=1.0, max_simulations=simulations, random_state=dice
    )
    return bot.step(state)


@pytest.mark.parametrize(("name", "steps"), [(GAMES[2], 150), ("python_kibitz_coup(players=3)", 4), (GAMES[-1], 4)])
def test_its_search_plays_by_what_the_seat_knows(name, steps, monkeypatch):
    """It resamples for every simulation, and does the same in another world that looks the same to the seat."""
    pytest.importorskip("absl", reason="OpenSpiel's algorithms need it")
    sampled = []
    resample = kibitz.adapters.spiel.SpielState.resample_from_infostate

    def counted(state, player, sampler):  # its own sampler takes its seed from the clock
        sampled.append(player)
        return resample(state, player, lambda: len(sampled) % SIMULATIONS / SIMULATIONS)

    state = at_step(name, steps)
    seat = state.current_player()
    world = state.resample_from_infostate(seat, lambda: 0.6)
    others = [other for other in range(state.get_game().num_players()) if other != seat]
    assert any(world.observation_string(other) != state.observation_string(other) for other in others)
    monkeypatch.setattr(kibitz.adapters.spiel.SpielState, "resample_from_infostate", counted)
    actions = [searched(one, SIMULATIONS) for one in (state, world)]
    assert actions[0] in state.legal_actions()
    assert actions[0] == actions[1]
    assert sampled == [seat] * 2 * SIMULATIONS


def test_its_search_plays_a_whole_game():
    pytest.importorskip("absl", reason="OpenSpiel's algorithms need it")
    state, stream = at_step("python_kibitz_coup(players=2)", 0), Stream(2)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(stream.choice([outcome for outcome, _ in state.chance_outcomes()]))
        else:
            state.apply_action(searched(state, 8) if state.current_player() == 0 else stream.choice(state.legal_actions()))
    assert sum(state.returns()) == 1


def test_a_game_from_a_file_is_known_in_another_process():
    """A line that was pickled finds the file again, where nobody has loaded it yet."""
    line = at_step(OTHERS[1], 5).line
    program = "import pickle, sys; print(pickle.load(sys.stdin.buffer).codes)"
    ended = subprocess.run([sys.executable, "-c", program], input=pickle.dumps(line), capture_output=True, check=True)
    assert ended.stdout.decode().strip() == str(line.codes)
