"""Max^n: hand-computed games, a slow reference on Coup, windows, horizons, and what it gets wrong about bluffs."""

import pytest

from kibitz.coup.core.state import Rules
from kibitz.examples import kuhn, leduc, liars_dice
from kibitz.search.maxn import Rollouts, maxn
from kibitz.search.tree import Tree
from tests.coup import tree_brute as brute
from tests.coup.positions import position
from tests.coup.tree_paths import at


@pytest.mark.plain
def test_kuhn_as_if_the_cards_lay_open():
    """The jack loses the ante and the king wins it: the other knows the card. The queen is even with a jack or a king."""
    jack, queen, king = Tree(kuhn.new(2, 0), 0).root.children
    assert maxn(jack).values == (0.25, 0.75)
    assert maxn(queen).values == (0.5, 0.5)
    assert maxn(king).values == (0.75, 0.25)
    assert maxn(jack.parent).values == pytest.approx((0.5, 0.5))
    assert [node.text for node in maxn(king).line] == ["unseen", "pass", "pass"]


@pytest.mark.plain
def test_at_an_end_there_is_nothing_to_choose():
    end = maxn(Tree(kuhn.new(2, 0), 0).root).line[-1]
    assert end.is_end
    found = maxn(end)
    assert found.values == end.values
    assert found.line == ()
    assert found.best is None


def test_a_win_in_one_step_is_found():
    found = maxn(Tree(position("DA", "T/C", coins=[7, 5]), 0).root, turns=1)
    assert found.best is not None
    assert found.best.text == "coup 2"
    assert found.values == (1.0, 0.0)


@pytest.mark.parametrize(
    ("states", "observer", "turns"),
    [
        (position("DC", "TA", coins=[3, 3]), 0, 1),
        (position("DC", "TA", coins=[3, 3]), 1, 1),
        (position("A/C", "T/D", coins=[3, 4]), 0, 2),
        (position("T/C", "A/M", "C/D", coins=[4, 4, 2], player=1), 0, 1),
        (position("TC", "A/M", "C/D", coins=[4, 4, 2], player=2, rules=Rules(refund_on_caught_bluff=False)), 0, 1),
    ],
)
def test_coup_agrees_with_a_slow_reference(states, observer, turns):
    """The reference asks every seat by itself: windows and interned parts make no difference."""
    values = maxn(Tree(states, observer).root, turns=turns).values
    assert values == pytest.approx(brute.maxn(brute.all_deals(states, observer), observer, 1 + turns))
    assert sum(values) == pytest.approx(1)


@pytest.mark.plain
def test_a_bluff_is_seen_through_and_an_honest_claim_believed():
    """What max^n gets wrong: the others play as if the observer's cards lay open."""
    root = Tree(position("AT", "CM"), 0).root
    assert [node.text for node in maxn(at(root, "tax"), turns=1).line] == ["challenge", "lose contessa"]
    honest = Tree(position("DT", "CM"), 0).root
    assert [(node.seat, node.text) for node in maxn(at(honest, "tax"), turns=1).line] == [(-1, "allow")]
    assert maxn(at(root, "tax"), turns=1).values[0] < maxn(at(root, "income"), turns=1).values[0]


def test_the_horizon():
    root = Tree(position("DC", "TA", coins=[3, 3]), 0).root
    assert maxn(root, depth=0).values == root.values
    assert len(maxn(root, depth=2).line) == 2
    assert maxn(root, turns=1).line[-1].turn == 2
    with pytest.raises(ValueError, match="depth -1"):
        maxn(root, depth=-1)
    with pytest.raises(ValueError, match="turns 0"):
        maxn(root, turns=0)
    with pytest.raises(ValueError, match="kuhn has no turns"):
        maxn(Tree(kuhn.new(2, 0), 0).root, turns=1)


@pytest.mark.plain
def test_where_a_game_has_no_heuristic_games_are_played():
    root = Tree(kuhn.new(2, 0), 0).root
    one = maxn(root, depth=2, rollouts=Rollouts(games=50, seed=3))
    assert one.values == maxn(root, depth=2, rollouts=Rollouts(games=50, seed=3)).values
    assert one.values != maxn(root, depth=2, rollouts=Rollouts(games=50, seed=4)).values
    assert all(0 <= value <= 1 for value in one.values)
    assert sum(one.values) == pytest.approx(1)
    with pytest.raises(ValueError, match="games 0"):
        Rollouts(games=0)


def test_rollouts_estimate_what_random_games_are_worth():
    root = Tree(liars_dice.start(1, 3), 0).root
    values = maxn(root, depth=0, rollouts=Rollouts(games=4000)).values
    again = maxn(root, depth=0, rollouts=Rollouts(games=4000, seed=1)).values
    assert values == pytest.approx(again, abs=0.04)


def test_leduc_by_an_independent_recursion():
    def worth(node) -> tuple[float, ...]:
        if node.is_end:
            return node.values
        below = [(child, worth(child)) for child in node.children]
        if not node.deciders:
            return tuple(sum(child.probability * values[seat] for child, values in below) for seat in (0, 1))
        return max((values for _, values in below), key=lambda values: values[node.deciders[0]])

    root = Tree(leduc.new(2, 0), 1).root
    assert maxn(root).values == pytest.approx(worth(root))
