"""The bots: what they do where it is clear what to do, who beats whom, and that they see no more than their seat."""

import pytest

from kibitz import game
from kibitz.compute.local import play, series
from kibitz.coup import GAME, Action
from kibitz.coup.core.policy import BOTS, HEURISTIC, HONEST, NET, ONE, PATIENCE, chance_of
from kibitz.coup.core.state import ACTION, BLOCK, CHALLENGE, new_states
from kibitz.game import CHANCE, OVER, verbs
from kibitz.game.doors import decide_at, redeal_at, reseed_at
from kibitz.ground.jit import uint64
from tests.coup.positions import do, position

NAMES = ("duke", "assassin", "captain", "ambassador", "contessa")
CLAIMS = {"tax": 0, "assassinate": 1, "steal": 2, "exchange": 3}


def choice(states, policy, seed=1):
    xs = GAME.scratches()
    reseed_at(xs, 0, uint64(seed))
    return Action.from_code(verbs.choose(states[0], xs[0], policy)).to_text()


def choices(states, policy):
    return {choice(states, policy, seed) for seed in range(40)}


@pytest.mark.plain
def test_honest_claims_and_blocks_only_what_it_holds():
    assert choices(position("AD", "CT", coins=[3, 2]), HONEST) == {"assassinate 2"}
    assert choices(position("AD", "CT"), HONEST) == {"tax"}
    assert choices(position("CT", "CT"), HONEST) == {"steal 2", "income"}
    assert choices(position("MT", "CT"), HONEST) == {"exchange", "income"}
    assert choices(position("TT", "CT"), HONEST) == {"foreign_aid", "income"}
    theft = ("steal 2", "allow")
    assert choices(do(position("DD", "MT"), *theft), HONEST) == {"block ambassador"}
    assert choices(do(position("DD", "TT"), *theft), HONEST) == {"allow"}


@pytest.mark.plain
def test_honest_challenges_only_what_cannot_be():
    assert choices(do(position("AA", "DD/", "MD"), "tax"), HONEST) == {"allow"}
    assert choices(do(position("AA", "DD", "M/D"), "tax"), HONEST) == {"challenge"}


@pytest.mark.plain
@pytest.mark.parametrize("policy", [HONEST, HEURISTIC])
def test_seven_coins_are_a_coup_and_a_held_card_is_shown(policy):
    assert choices(position("AA", "DD", "CT", coins=[7, 1, 4]), policy) == {"coup 3"}
    assert choices(do(position("DA", "CT"), "tax", "challenge"), policy) == {"show duke"}
    assert choices(do(position("MA", "CT"), "tax", "challenge"), policy) == {"lose ambassador"}


@pytest.mark.plain
def test_the_least_cards_are_returned():
    drawn = do(position("MT", "CA"), "exchange", "allow", "drawn duke captain")
    assert choices(drawn, HEURISTIC) == {"return_cards ambassador contessa"}
    drawn = do(position("DM", "CA"), "exchange", "allow", "drawn duke duke")
    assert choices(drawn, HEURISTIC) == {"return_cards duke duke"}


@pytest.mark.plain
def test_heuristic_bluffs_now_and_then():
    assert "tax" in choices(position("TT", "CA"), HEURISTIC)
    doomed = do(position("AD", "C/D", coins=[3, 2]), "assassinate 2", "allow")
    assert choices(doomed, HEURISTIC) == {"block contessa"}
    assert choices(do(position("TT", "DD", "A/D"), "tax"), HEURISTIC) == {"challenge"}


@pytest.mark.plain
def test_the_chance_of_a_card_is_hypergeometric():
    """Seat 0 sees its Duke and Assassin: two of 13 unseen cards are Dukes, and seat 1 holds two of those."""
    states = position("DA", "CT")
    assert abs(chance_of(states[0], 0, 1, 0) / ONE - (1 - 11 * 10 / (13 * 12))) < 0.001
    assert chance_of(position("DD", "C/D")[0], 0, 1, 0) == 0


def decisions(bots, games):
    """Every position in which a bot of these decides."""
    xs = GAME.scratches()
    xs["policy"][0, : len(bots)] = bots
    for seed in range(games):
        states = new_states(len(bots))
        reseed_at(xs, 0, uint64(seed))
        while (actor := game.actor_at(states, 0)) != OVER:
            action = decide_at(states, 0, xs, 0)
            if actor != CHANCE:
                yield states, actor, action
            game.apply_at(states, 0, action)


def test_honest_is_honest_in_whole_games():
    phases = set()
    for states, seat, action in decisions([HONEST] * 3, 20):
        kind, *words = Action.from_code(action).to_text().split()
        hand = states["hand"][0, seat].tolist()
        phases.add(int(states["phase"][0]))
        if kind in CLAIMS:
            assert hand[CLAIMS[kind]] > 0
        if kind == "block":
            assert words[0] in [name for name, n in zip(NAMES, hand, strict=True) if n]
    assert {ACTION, CHALLENGE, BLOCK} <= phases


@pytest.mark.parametrize(("policy", "seats"), [(HONEST, 4), (HEURISTIC, 4), (NET, 2)])
def test_no_bot_sees_more_than_its_seat(policy, seats):
    xs, worlds = GAME.scratches(), GAME.scratches()
    for number, (states, seat, _) in enumerate(decisions([policy] * seats, 5)):
        wanted = choice(states, policy, number)
        for seed in range(3):
            world = states.copy()
            reseed_at(worlds, 0, uint64(seed))
            redeal_at(world, 0, worlds, 0, seat)
            reseed_at(xs, 0, uint64(number))
            assert Action.from_code(verbs.choose(world[0], xs[0], policy)).to_text() == wanted


@pytest.mark.parametrize("seats", [2, 4, 6])
@pytest.mark.parametrize(("strong", "weak"), [("heuristic", "honest"), ("honest", "random")])
def test_each_bot_beats_the_next(seats, strong, weak):
    """One seat of the stronger against the weaker, every seat equally often: more than its share by over three deviations."""
    games = 1200 // seats
    won = 0
    for seat in range(seats):
        policies = [BOTS[weak]] * seats
        policies[seat] = BOTS[strong]
        won += int((play(series(GAME, new_states(seats), games, 7, policies), jobs=1).states["winner"] == seat).sum())
    share, played = 1 / seats, games * seats
    assert won / played > share + 3 * (share * (1 - share) / played) ** 0.5


@pytest.mark.parametrize("others", [HEURISTIC, HONEST])
def test_games_of_heuristics_end_long_before_the_turn_limit(others):
    """Three Captains in three hands, or two Contessas, must not go on for ever; in 0.1 one game of sixty did."""
    policies = [HEURISTIC, others] * 3
    ends = play(series(GAME, new_states(6), 3000, 7, policies), jobs=1).states
    assert ends["turn"].max() < 600
    assert ends["winner"].min() >= 0


@pytest.mark.plain
def test_where_nothing_can_end_the_heuristic_takes_its_income_at_last():
    stuck = position("C/D", "C/D", "C/D", coins=[3, 5, 4])
    assert "income" not in choices(stuck, HEURISTIC)
    assert "steal 2" in choices(stuck, HEURISTIC)
    stuck["turn"] = 4 * PATIENCE * 3
    assert choices(stuck, HEURISTIC) <= {"income", "foreign_aid", "tax"}
