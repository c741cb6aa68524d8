"""Whole games: they end by the rules, keep all cards, replay identically; `python -m tests.onepiece.test_games 2000`."""

import sys

import pytest

from kibitz.game import CHANCE, OVER
from kibitz.onepiece.core.decks import starter
from kibitz.onepiece.core.engine import decide, new, play_out, scratch
from kibitz.onepiece.core.record import check, simulate
from kibitz.onepiece.looplab import CARD_LAB
from kibitz.testing import check_game
from tests.onepiece.checks import (
    check_actions,
    check_copy,
    check_fingerprint,
    check_hiding,
    check_seen,
    check_world,
    facts,
    is_consistent,
    states_of,
)
from tests.onepiece.guarded import prove_silence
from tests.onepiece.positions import lab_steps

DECKS = ("tide", "ember")


def game(number, policies=(0, 0)):
    """A fresh game of a series: all pairs of decks, both seats beginning."""
    one, two = DECKS[number // 2 % 2], DECKS[number // 4 % 2]
    x = scratch(number)
    x.policy = list(policies)
    return new(starter(one), starter(two), number % 2), x


def prove(first, last):
    """Random games: each ends by the rules, keeps 50 + 10 cards per player at every step, and replays identically."""
    endings = {"damage": 0, "deck": 0}
    steps = 0
    for number in range(first, last):
        s, x = game(number)
        codes, prints = [], []
        while s.actor() != OVER:
            code = decide(s, x)
            codes.append(code)
            s.apply(code)
            prints.append(s.fingerprint())
            assert is_consistent(s), f"game {number}, step {len(codes)}"
            assert len(codes) < 5_000, f"game {number} has no end"
        assert s.winner in (0, 1)
        assert (len(s.life[1 - s.winner]) == 0) if s.ending == "damage" else s.deck_size(1 - s.winner) == 0
        again, _ = game(number)
        for code, expected in zip(codes, prints, strict=True):
            assert again.why_not(code) == 0
            again.apply(code)
            assert again.fingerprint() == expected
        assert facts(again) == facts(s)
        endings[s.ending] += 1
        steps += len(codes)
    return steps, endings


@pytest.mark.untraced
@pytest.mark.parametrize(("first", "last"), [pytest.param(0, 15, marks=pytest.mark.plain), (15, 60)])
def test_random_games_end_by_the_rules_keep_all_cards_and_replay_identically(first, last):
    steps, endings = prove(first, last)
    assert steps > 100 * (last - first)
    assert endings["damage"] > 0


def test_a_guard_has_nothing_to_say_about_games_that_are_no_loops():
    assert prove_silence(game(number, policies) for policies in ((0, 0), (1, 1)) for number in range(25)) == 50


@pytest.mark.parametrize(("number", "policies"), [(3, [0, 0]), (5, [1, 0]), (6, [1, 1])])
def test_every_promise_holds_at_every_step(number, policies):
    start, keys = states_of(game(number)[0]), {}

    def check(states):
        assert is_consistent(states[0])
        check_fingerprint(states[0], keys)

    assert check_game(start.game, 2, [number], policies, lambda seed: start, also=check, forgetful=True) > 50


@pytest.mark.parametrize("row", CARD_LAB)
def test_every_promise_holds_in_the_loop_lab(row):
    met, keys = {}, {}
    for s, code in lab_steps(row, 12):
        check_actions(s, met)
        check_fingerprint(s, keys)
        check_seen(s)
        check_copy(s, code)
        for seat in range(2):
            check_hiding(s, seat)
            check_world(s, seat, scratch(1))


def test_a_random_world_can_be_played_to_its_end():
    s, x = game(1)
    for step in range(200):
        if s.actor() == OVER:
            break
        if step % 20 == 0 and s.actor() != CHANCE:
            for seat in range(2):
                world = check_world(s, seat, x)
                play_out(world, x)
                assert is_consistent(world)
        s.apply(decide(s, x))


def test_the_same_seed_gives_the_same_game_and_draws_survive_other_choices():
    one, two = simulate(["greedy", "random"], 5), simulate(["greedy", "random"], 5)
    assert one.codes == two.codes
    a, x = game(0)
    b, y = game(0)
    for s, z, keep in ((a, x, 2), (b, y, 2)):
        while s.actor() == CHANCE:
            s.apply(decide(s, z))
        s.apply(keep)
    a.apply(2)
    b.apply(3)  # the other player redraws; player 1's next card is the same
    for s, z in ((a, x), (b, y)):
        while s.kind() != 3:
            s.apply(decide(s, z))
        for _ in range(2):
            s.apply(1)
            while s.actor() == CHANCE:
                s.apply(decide(s, z))
    assert sorted(a.hand[0]) == sorted(b.hand[0])


def test_records_of_all_pairs_of_decks_check():
    for number, (one, two) in enumerate([("tide", "tide"), ("ember", "ember"), ("ember", "tide")]):
        record = simulate(["greedy", "greedy"], number, (starter(one), starter(two)), first=number % 2)
        assert [found.codes for found in check(record.lines(full=True))] == [record.codes]


if __name__ == "__main__":
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    total, ends = prove(0, games)
    print(f"{games:,} random games, {total:,} steps: ended by {ends}; all cards kept, all replayed identically")
    print(f"{prove_silence(game(number) for number in range(games)):,} of them under a guard: no loop, no warning, no progress")
