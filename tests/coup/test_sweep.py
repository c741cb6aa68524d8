"""A turn for all hands at once is the same as the turn by the rules, hand by hand."""

import numpy as np
import pytest

from kibitz import game
from kibitz.coup.blueprint import matrices, spots, sweep, turns
from kibitz.coup.blueprint.cells import from_cells, slots_of, to_cells
from kibitz.coup.blueprint.learners import rows_of
from kibitz.coup.blueprint.lone import no_lone
from kibitz.coup.core.cards import weights
from kibitz.coup.core.engine import GAME
from kibitz.coup.core.sets import (
    BIG,
    LEVELS,
    PAIR_NUMBER,
    QUESTIONS,
    RETURN_SLOTS,
    SLOTS,
    answers,
    big_hand_number,
    hand_number,
    means,
    question,
)
from kibitz.coup.core.state import DO_SHOW, KINDS, PAIRS, RETURN, SHOW
from kibitz.ground.jit import COMPILED
from tests.coup.positions import position

LETTERS = "DACMT"


def floats(n):
    return np.zeros(n, np.float32)


def any_strategy(numbers):
    """Every question is answered at random, by what is legal."""
    how = numbers.random(spots.ALL_SLOTS, np.float32)
    for k in range(spots.STANDS):
        n, first = int(spots.HANDS[k]), int(spots.SLOTS_AT[k])
        size = int(spots.LOST[k]) * spots.CLAIMS * LEVELS * LEVELS * SLOTS * n
        cells = how[first : first + size].reshape(-1, LEVELS, LEVELS, SLOTS, n)
        for coins in range(LEVELS):
            for coins_too in range(LEVELS):
                for action in range(turns.ACTIONS):
                    cells[:, coins, coins_too, action] *= turns.legal_action(action, coins, coins_too, 2 - k % 2)
        for at, width in QUESTIONS.values():
            asked = cells[:, :, :, at : at + width]
            asked /= asked.sum(axis=3, keepdims=True)
    return how


@pytest.fixture(scope="module")
def solver():
    """A side that does anything at random, and values at random."""
    numbers = np.random.default_rng(7)
    side = matrices.Side(
        how=any_strategy(numbers),
        gains=floats(spots.ALL_SLOTS),
        reach=floats(spots.ALL_SLOTS),
        returns=floats(spots.CLASSES * spots.ALL_KEPT),
        brought=floats(spots.CLASSES * spots.ALL_KEPT),
        traded=floats(spots.CLASSES * spots.ALL_HELD),
    )
    sweep.spread(sweep.begin_returns(), sweep.every_draw(), side.returns)
    return side, numbers.random(spots.ALL_VALUES, np.float32) * 2 - 1


def board_of(before, learning):
    likely, now, after, leads, visits = (floats(spots.ALL_VALUES) for _ in range(5))
    return matrices.Board(
        before, likely, now, after, leads, visits, matrices.new_room(), floats(1), np.full(2, learning, np.int64), True,
        False, no_lone(),
    )  # fmt: skip


def lost_of(states):
    gone = [card for card in range(KINDS) for _ in range(int(states["revealed"][0, :, card].sum()))]
    return 0 if not gone else gone[0] if len(gone) == 1 else int(PAIR_NUMBER[gone[0] * KINDS + gone[1]])


def asked_at(states, seat, slot):
    """Where the question to a seat lies."""
    own, other = int(states["influence"][0, seat]), int(states["influence"][0, 1 - seat])
    claims = spots.claims_of(int(states["claimed"][0, seat]), int(states["claimed"][0, 1 - seat]))
    coins = int(states["coins"][0, seat]), int(states["coins"][0, 1 - seat])
    return spots.slot_at(own, other, lost_of(states), claims, *coins, slot)


def returned(states, seat, returns):
    """What may go back in an exchange, and how likely: `returns` [classes, big hands, answers]."""
    xs = GAME.scratches()
    n = answers(states[0], xs[0], seat, 1 - seat, 1 - seat)
    coins, too = int(states["coins"][0, seat]), int(states["coins"][0, 1 - seat])
    group = (means(coins) * 3 + means(too)) * 2 + int(states["influence"][0, 1 - seat]) - 1
    at = (group * BIG + int(big_hand_number(states[0], seat))) * RETURN_SLOTS
    return [(code, float(returns[at + k])) for k, code in enumerate(xs["actions"][0][:n].tolist())]


class Rules:
    """The turn by the rules: a tree of positions."""

    def __init__(self, side, before, returns):
        self.side, self.before, self.returns, self.ends = side, before, returns, {}

    def worth(self, states, player, reach):
        """What a position is worth to the player whose turn it is; where play ends is noted."""
        s, xs = states[0], GAME.scratches()
        if int(states["phase"][0]) == 9:
            return 1.0 if int(states["winner"][0]) == player else -1.0
        if int(states["turn"][0]) > 1:
            claims = spots.claims_of(int(states["claimed"][0, 1 - player]), int(states["claimed"][0, player]))
            influence = int(states["influence"][0, 1 - player]), int(states["influence"][0, player])
            coins = int(states["coins"][0, 1 - player]), int(states["coins"][0, player])
            at = spots.value_at(*influence, lost_of(states), claims, *coins)
            hands = int(spots.HANDS[spots.stand(influence[1], influence[0])])
            at += int(hand_number(s, 1 - player)) * hands + int(hand_number(s, player))
            self.ends[at] = self.ends.get(at, 0.0) + reach
            return -float(self.before[at])
        total = 0.0
        for code, chance in self.likely(states, xs):
            after = states.copy()
            game.apply_at(after, 0, code)
            total += chance * self.worth(after, player, reach * chance)
        return total

    def likely(self, states, xs):
        """What may happen next, and how likely."""
        s, seat = states[0], game.actor_at(states, 0)
        if seat == game.CHANCE:
            n = weights(s, xs[0])
            ways = xs["weights"][0][:n] / xs["weights"][0][:n].sum()
            return list(zip(xs["actions"][0][:n].tolist(), ways.tolist(), strict=True))
        if int(states["phase"][0]) == SHOW and states["hand"][0, seat, int(states["claim"][0])] > 0:
            return [(DO_SHOW + int(states["claim"][0]), 1.0)]
        n = answers(s, xs[0], seat, 1 - seat, 1 - seat)
        codes = xs["actions"][0][:n].tolist()
        if int(states["phase"][0]) == RETURN:
            return returned(states, seat, self.returns)
        if n == 1:
            return [(codes[0], 1.0)]
        at, hands = asked_at(states, seat, question(s)), 15 if states["influence"][0, seat] == 2 else 5
        shares = [float(self.side.how[at + k * hands + int(hand_number(s, seat))]) for k in range(n)]
        if len([code for code in codes if code >= 0]) == 1:
            return [(code, 1.0) for code in codes if code >= 0]
        return list(zip(codes, shares, strict=True))


CASES = [("D/C", "T/A", (3, 5)), ("AC/", "M/D", (6, 2)), ("C/T", "DA/", (4, 1)), ("DD", "MT", (8, 3)), ("A/D", "C/D", (9, 10))]


@pytest.mark.plain
@pytest.mark.parametrize(("mine", "theirs", "coins"), CASES if COMPILED else CASES[:1])
@pytest.mark.parametrize("claims", [(-1, -1), (2, 0)])
def test_a_turn_for_all_hands_is_the_turn_by_the_rules(solver, mine, theirs, coins, claims):
    side, before = solver
    shape = position(mine.rstrip("/"), theirs.rstrip("/"), coins=list(coins))
    i, j, lost = int(shape["influence"][0, 0]), int(shape["influence"][0, 1]), lost_of(shape)
    returns = sweep.begin_returns()
    here = spots.value_at(i, j, lost, spots.claims_of(*claims), *coins)
    n, m = 15 if i == 2 else 5, 15 if j == 2 else 5
    held = [PAIRS if size == 2 else [(card,) for card in range(KINDS)] for size in (i, j)]
    checked = 0
    for p, r in [(0, m - 2), (n - 1, 3), (2, 1), (3, 3)]:
        states = shape.copy()
        states["hand"][0, :2] = 0
        for seat, hand in ((0, held[0][p]), (1, held[1][r])):
            for card in hand:
                states["hand"][0, seat, card] += 1
        states["deck"][0] = 3 - states["hand"][0].sum(axis=0) - states["revealed"][0].sum(axis=0)
        if (states["deck"] < 0).any():
            continue
        states["claimed"][0, :2] = claims
        board = board_of(before, learning=False)
        board.likely[here + p * m + r] = 1.0
        turns.turn(board, side, side, i, j, lost, *claims, *coins)
        turns.turn(board._replace(ahead=False), side, side, i, j, lost, *claims, *coins)
        after, leads = board.after, board.leads
        rules = Rules(side, before, returns)
        assert after[here + p * m + r] == pytest.approx(rules.worth(states, 0, 1.0), abs=1e-5)
        found = {int(at): float(leads[at]) for at in np.flatnonzero(leads > 1e-7)}
        assert found == pytest.approx({at: reach for at, reach in rules.ends.items() if reach > 1e-7}, abs=1e-5)
        checked += 1
    assert checked >= 2


@pytest.mark.plain
def test_what_is_learned_comes_back_from_the_file(solver):
    """Cells and hands are two ways to keep the same strategy, and a file forgets only what is rare."""
    side, _ = solver
    cells = to_cells(side.how)
    assert np.array_equal(from_cells(cells), side.how)
    rows = rows_of(cells[10, 3].astype(np.float64), None, 0.0)
    assert np.abs(slots_of(rows) - cells[10, 3]).max() < 1 / 100


@pytest.mark.plain
def test_answers_that_bring_more_are_given_more_often(solver):
    side, before = solver
    how = side.how.copy()
    board = board_of(before, learning=True)
    sweep.deal_all(board.likely, 1, 1, 3, 5, 4, 1.0)
    spot = int(spots.SPOTS_AT[3]) + ((3 * spots.CLAIMS) * spots.PURSE + 5) * spots.PURSE + 4
    played = np.zeros(3, np.int32)
    assert sweep.lead(board, side, side, np.arange(spot - 1, spot + 2, dtype=np.int32), 1e-6, played) == 1
    assert played[0] == spot
    sweep.look_back(board._replace(ahead=False), side, side, played, 1)
    at = spots.slot_at(1, 1, 3, 0, 5, 4, 0)
    gains = side.gains[at : at + 7 * 5].reshape(7, 5).copy()
    assert np.abs((gains * side.how[at : at + 35].reshape(7, 5)).sum(axis=0)).max() < 1e-6  # on average nothing is gained
    regrets, sums = floats(spots.ALL_SLOTS), floats(spots.ALL_SLOTS)
    cell = (at - int(spots.SLOTS_AT[3])) // SLOTS // 5
    sweep.step_cell(side, regrets, sums, 3, cell, 1)
    better = side.how[at : at + 35].reshape(7, 5)
    assert (better.argmax(axis=0) == gains.argmax(axis=0)).all()
    assert np.allclose(better.sum(axis=0), 1.0, atol=1e-5)
    side.how[:] = how


@pytest.mark.plain
def test_spots_come_in_the_order_of_a_game():
    """Whatever a turn leads to comes later, or within the same group; only a blocked assassin goes back."""
    groups = sweep.ordered()
    assert sorted(spot for group in groups for spot in group.tolist()) == list(range(spots.ALL_SPOTS))
    number = np.zeros(spots.ALL_SPOTS, np.int64)
    for at, group in enumerate(groups):
        number[group] = at

    def spot(i, j, lost, coins, coins_too):
        return int(spots.SPOTS_AT[spots.stand(i, j)]) + (lost * spots.CLAIMS * spots.PURSE + coins) * spots.PURSE + coins_too

    here = number[spot(2, 2, 0, 3, 4)]
    assert here < number[spot(2, 2, 0, 4, 4)]  # income
    assert here == number[spot(2, 2, 0, 2, 5)]  # a theft
    assert number[spot(2, 2, 0, 7, 9)] < number[spot(1, 2, 0, 0, 0)] < number[spot(1, 1, 0, 0, 0)]  # cards are lost
    assert number[spot(2, 1, 3, 2, 5)] == number[spot(1, 2, 3, 5, 2)]


@pytest.mark.skipif(not COMPILED, reason="deals to thousands of spots")
def test_games_begin_anywhere_in_turn():
    likely = floats(spots.ALL_VALUES)
    for number in range(sweep.TURNS_TAKEN):
        before = likely.sum(dtype=np.float64)
        sweep.scatter(likely, number, 1.0)
        assert likely.sum(dtype=np.float64) > before
    spots_without_claims = sum(int(spots.LOST[k]) for k in range(spots.STANDS)) * spots.PURSE**2
    assert likely.sum(dtype=np.float64) == pytest.approx(spots_without_claims, rel=1e-4)
