"""The verbs' dispatch, registration, exact chances, and drivers that give the same games however they are run."""

import hashlib
import os
import pickle
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from kibitz import catan, game
from kibitz.adapters.setting import setting
from kibitz.catan.core.record import simulate
from kibitz.catan.core.state import new_states
from kibitz.compute.local import CHUNK, game_seed, play, series
from kibitz.examples import kuhn
from kibitz.game import CHANCE, OVER, register, verbs
from kibitz.game.doors import decide_at, reseed_at
from kibitz.ground.jit import rows, struct, uint64
from kibitz.ground.plain_states import PlainStates
from kibitz.ground.rng import derive_seed

GAMES = 3 * CHUNK + 5


def play_to(states, wanted: str, seed: int = 0):
    """Random play until the phase has this name."""
    xs = catan.GAME.scratches()
    reseed_at(xs, 0, uint64(seed))
    while catan.GameState(states).phase.name != wanted:
        game.apply_at(states, 0, decide_at(states, 0, xs, 0))
    return states


@pytest.mark.plain
def test_a_copy_of_states_is_independent():
    island, arena = play_to(new_states(catan.Board.beginner(), 2), "ROLLING"), setting("onepiece").start(1)
    for states, look in ((island, lambda states: states.tobytes()), (arena, lambda states: states[0].exact())):
        copies, before = game.copied(states), look(states)
        assert [type(copies), game.game_of(copies), look(copies)] == [type(states), game.game_of(states), before]
        game.apply_at(copies, 0, game.legal_actions(copies)[0])
        assert look(copies) != before
        assert look(states) == before


# --- chance ---------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_two_dice_have_their_exact_chances():
    states = play_to(new_states(catan.Board.beginner(), 2), "ROLLING")
    ways = {total: sum(a + b == total for a in range(1, 7) for b in range(1, 7)) for total in range(2, 13)}
    expected = [(catan.rolled(total).code, Fraction(n, 36)) for total, n in ways.items()]
    assert game.outcomes(states) == expected


@pytest.mark.plain
def test_a_stolen_card_is_any_card_of_the_victim():
    states = play_to(new_states(catan.Board.beginner(), 2), "TURN_START")
    states["hand"][0, 1], states["hand_size"][0, 1] = [3, 0, 1, 0, 2], 6
    states["phase"], states["roll"], states["victim"] = 7, 7, 1
    assert catan.GameState(states).phase.name == "STEALING"
    assert game.outcomes(states) == [
        (catan.stolen("wood").code, Fraction(1, 2)),
        (catan.stolen("sheep").code, Fraction(1, 6)),
        (catan.stolen("ore").code, Fraction(1, 3)),
    ]


@pytest.mark.plain
def test_a_drawn_card_is_any_card_of_the_deck():
    states = new_states(catan.Board.beginner(), 2)
    states["phase"] = 12
    assert catan.GameState(states).phase.name == "DRAWING"
    chances = {catan.Action.from_code(a).data["card"]: p for a, p in game.outcomes(states)}
    assert chances == {
        "knight": Fraction(14, 25),
        "victory_point": Fraction(1, 5),
        "road_building": Fraction(2, 25),
        "year_of_plenty": Fraction(2, 25),
        "monopoly": Fraction(2, 25),
    }


@pytest.mark.plain
def test_dice_are_drawn_by_their_weights():
    states = play_to(new_states(catan.Board.beginner(), 2), "ROLLING")
    xs = catan.GAME.scratches()
    counts = dict.fromkeys(range(2, 13), 0)
    for i in range(3600):
        reseed_at(xs, 0, uint64(derive_seed(3, i)))
        counts[decide_at(states, 0, xs, 0) - catan.rolled(2).code + 2] += 1
    expected = {total: 100 * (6 - abs(7 - total)) for total in counts}
    assert sum((counts[t] - expected[t]) ** 2 / expected[t] for t in counts) < 10 + 6 * 20**0.5


@pytest.mark.plain
def test_legal_actions_are_outcomes_at_chance_and_none_at_the_end():
    states = kuhn.new(2, 0)
    assert game.legal_actions(states) == [2, 3, 4]
    for action in (3, 2, 0, 0):
        game.apply_at(states, 0, action)
    assert game.actor_at(states, 0) == OVER
    assert game.legal_actions(states) == []


# --- registration and dispatch --------------------------------------------------------------------------------


@pytest.mark.plain
def test_registration_refuses_a_second_game_of_the_same_name_or_struct():
    with pytest.raises(ValueError, match="a game named kuhn is registered already"):
        register(kuhn.GAME)
    with pytest.raises(ValueError, match="poker: kuhn has the same struct"):
        register(replace(kuhn.GAME, name="poker"))
    other = replace(
        kuhn.GAME, name="poker", state=struct("poker", [("card", np.int8)]), rules=SimpleNamespace(actor=kuhn.actor)
    )
    with pytest.raises(TypeError, match="poker: the rules lack legal, why_not, apply, weights"):
        register(other)


@pytest.mark.plain
def test_a_state_knows_its_game():
    assert game.game_of(kuhn.new(2, 0)) is kuhn.GAME
    assert game.game_of(catan.GAME.new(3, 1)) is catan.GAME
    assert game.game_of(rows(np.zeros(1, kuhn.STATE))[0]) is kuhn.GAME


class Coin:
    """A game too rich for a struct brings its verbs as methods."""

    up = 0

    def actor(self):
        return CHANCE if self.up == 0 else OVER

    def apply(self, a):
        self.up = a

    def copy(self):
        twin = Coin()
        twin.up = self.up
        return twin


@pytest.mark.plain
def test_verbs_serve_structs_rows_and_plain_objects():
    coins = PlainStates(None, [Coin(), Coin()])
    verbs.apply(coins[0], 2)
    assert (verbs.actor(coins[0]), verbs.actor(coins[1])) == (OVER, CHANCE)
    verbs.copy(coins, 1, 0)
    assert coins[1].up == 2
    assert coins[1] is not coins[0]
    struct_state, row = kuhn.new(2, 0), rows(np.zeros(1, kuhn.STATE))
    for s in (struct_state[0], row[0]):
        assert verbs.actor(s) == CHANCE
        verbs.apply(s, 4)
        assert verbs.why_not(s, 4) == kuhn.CARD_IS_GONE
    assert struct_state.tobytes() == row.tobytes()


@pytest.mark.plain
def test_states_of_a_plain_game_are_values_as_structs_are():
    coins = PlainStates(kuhn.GAME, [Coin(), Coin(), Coin()])
    verbs.apply(coins[2], 2)
    chosen, masked, part = coins[[2, 2]], coins[np.array([True, False, True])], coins[1:]
    assert [coin.up for coin in chosen] == [2, 2]
    assert len({id(coin) for coin in [*coins, *chosen, *masked, *coins.copy()]}) == 3 + 2 + 2 + 3
    part[0] = coins[2]  # a slice shares its states with the whole
    assert (coins[1].up, coins[1] is coins[2]) == (2, False)
    sent = pickle.loads(pickle.dumps(PlainStates("a game", coins)))
    assert (sent.game, [coin.up for coin in sent]) == ("a game", [0, 2, 2])
    assert {states.game for states in (chosen, masked, part, coins.copy())} == {kuhn.GAME}
    assert len(PlainStates(None, [])) == len(PlainStates(None, []).copy()) == 0
    with pytest.raises(TypeError, match="keys, not bytes"):
        coins.tobytes()


# --- drivers --------------------------------------------------------------------------------------------------


def catan_starts(n: int, rules: catan.Rules):
    return new_states([catan.Board.random(seed) for seed in range(n)], 3, rules)


@pytest.mark.plain
def test_the_number_of_jobs_and_the_split_into_ranges_change_nothing():
    one = play(series(kuhn.GAME, kuhn.new(2, 0), GAMES, 5, [0, 0]), jobs=1)
    heard = []
    for jobs in (2, 3):
        other = play(series(kuhn.GAME, kuhn.new(2, 0), GAMES, 5, [0, 0]), jobs=jobs, progress=heard.append)
        assert other.states.tobytes() == one.states.tobytes()
        assert other.steps == one.steps
    assert sum(heard) == 2 * GAMES
    fewer = play(series(kuhn.GAME, kuhn.new(2, 0), 10, 5, [0, 0]))
    assert fewer.states.tobytes() == one.states[:10].tobytes()
    assert play(series(kuhn.GAME, kuhn.new(2, 0), GAMES, 6, [0, 0])).states.tobytes() != one.states.tobytes()


def test_catan_gives_the_same_games_for_any_number_of_jobs():
    starts = catan_starts(GAMES, catan.Rules(max_turns=60))
    ends = [play(series(catan.GAME, starts, GAMES, 9, [0, 1, 0]), jobs=jobs) for jobs in (1, 2, 3)]
    assert len({batch.states.tobytes() for batch in ends}) == 1
    assert len({batch.steps for batch in ends}) == 1
    assert len({row.tobytes() for row in np.asarray(ends[0].states)}) == GAMES


FINGERPRINT = """
import hashlib
from kibitz import catan
from kibitz.catan.core.state import new_states
from kibitz.compute.local import play, series
starts = new_states([catan.Board.random(seed) for seed in range(40)], 3, catan.Rules(max_turns=60))
batch = play(series(catan.GAME, starts, 40, 9, [0, 1, 0]))
print(hashlib.blake2b(batch.states.tobytes()).hexdigest(), batch.steps)
"""


def test_another_process_plays_the_same_games():
    env = {**os.environ, "PYTHONHASHSEED": "7"}
    runs = [
        subprocess.run([sys.executable, "-c", FINGERPRINT], env=env, capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    batch = play(series(catan.GAME, catan_starts(40, catan.Rules(max_turns=60)), 40, 9, [0, 1, 0]))
    own = f"{hashlib.blake2b(batch.states.tobytes()).hexdigest()} {batch.steps}"
    assert [run.stdout.strip() for run in runs] == [own, own]


@pytest.mark.untraced
@pytest.mark.plain
def test_a_series_plays_the_games_that_are_recorded_one_by_one():
    boards = [catan.Board.random(seed) for seed in range(3)]
    rules = catan.Rules(max_turns=8)
    batch = play(series(catan.GAME, new_states(boards, 2, rules), 3, 21, [1, 0]))
    for i, board in enumerate(boards):
        *_, last = simulate(board, ["builder", "random"], game_seed(21, i), rules).states()
        assert last.tobytes() == batch.states[i : i + 1].tobytes()


def dice_of(bots: list[str], seed: int, rules: catan.Rules) -> dict[int, int]:
    record = simulate(catan.Board.beginner(), bots, seed, rules)
    low = catan.rolled(2).code
    return {
        int(states["turn"][0]): code - low + 2
        for states, code in zip(record.states(), record.codes, strict=False)
        if low <= code <= low + 10
    }


@pytest.mark.untraced
@pytest.mark.plain
def test_games_with_the_same_seed_roll_the_same_dice():
    rules = catan.Rules(max_turns=25)
    first = dice_of(["random"] * 3, 4, rules)
    assert len(first) == 25
    assert len(set(first.values())) > 5
    for bots, options in (
        (["builder"] * 3, rules),
        (["builder", "random"], rules),
        (["random"] * 4, catan.Rules(max_turns=25, domestic_trade=False, phased_turns=True)),
    ):
        other = dice_of(bots, 4, options)
        assert other == {turn: first[turn] for turn in other}
        assert len(other) > 20
    assert dice_of(["random"] * 3, 5, rules) != first


# --- files ----------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_a_state_is_described_by_the_names_of_its_fields():
    states = kuhn.new(2, 0)
    game.apply_at(states, 0, 4)
    assert game.to_dict(states) == {"card": [3, 0], "moves": [0, 0, 0], "done": 0}
    with pytest.raises(KeyError, match="done"):
        game.from_dict(kuhn.GAME, {"card": [3, 0], "moves": [0, 0, 0]})
