"""A weighted set of worlds: evidence, draws, what is remembered of them, answers from outside, and forgetting."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from kibitz.belief.kernels import MOST
from kibitz.belief.pieces import Rule
from kibitz.belief.worlds import Impossible, Resolved, WeightedWorlds
from kibitz.ground.rng import Stream

pytestmark = pytest.mark.plain

# Two hands of three kinds each: cells 0 1 2 and 3 4 5.
KINDS = 3
#: Draws that somebody asks about.
STEAL, FIRST, SECOND, THERE, BACK, MORE = range(6)


def two_hands(*counts: int) -> WeightedWorlds:
    return WeightedWorlds([*counts, *[0] * (2 * KINDS - len(counts))], labels=KINDS)


def as_dict(worlds: WeightedWorlds) -> dict[tuple[int, ...], float]:
    worlds.check()
    return {tuple(row.tolist()): p for row, p in worlds}


def approx(expected: dict) -> dict:
    return pytest.approx({key: float(p) for key, p in expected.items()}, abs=1e-12)


def drawn() -> WeightedWorlds:
    """One card of 3 + 2 + 1 changes hands unseen."""
    worlds = two_hands(3, 2, 1)
    assert worlds.draw(0, KINDS, KINDS, tag=STEAL) == []
    return worlds


def state(worlds: WeightedWorlds) -> tuple:
    """Everything that can be asked."""
    odds = {tag: found.tolist() for tag, found in worlds.all_odds().items()}
    return as_dict(worlds), odds, worlds.answers, worlds.error_bound, worlds.nbytes, len(worlds.layers)


# --- draws and evidence ---------------------------------------------------------------------------------------


def test_it_begins_with_one_certain_world():
    worlds = two_hands(3, 2, 1)
    assert (len(worlds), as_dict(worlds), worlds.layers) == (1, {(3, 2, 1, 0, 0, 0): 1.0}, [])


def test_every_card_of_a_hand_is_drawn_with_the_same_chance():
    worlds = drawn()
    assert as_dict(worlds) == approx({(2, 2, 1, 1, 0, 0): 1 / 2, (3, 1, 1, 0, 1, 0): 1 / 3, (3, 2, 0, 0, 0, 1): 1 / 6})
    assert worlds.odds(STEAL).tolist() == pytest.approx([1 / 2, 1 / 3, 1 / 6])


def test_the_likeliest_world_comes_first():
    assert [round(p, 3) for _, p in drawn()] == [0.5, 0.333, 0.167]


def test_the_mass_of_a_refuted_world_is_shared_by_all_others():
    worlds = drawn()
    worlds.filter((Rule((0,), at_least=3),))  # not the first kind
    assert as_dict(worlds) == approx({(3, 1, 1, 0, 1, 0): 2 / 3, (3, 2, 0, 0, 0, 1): 1 / 3})


def test_the_mass_is_renormalised_over_all_worlds_not_only_over_siblings():
    """Two draws: what refutes children of one parent scales the children of the others too."""
    worlds = two_hands(1, 1)
    worlds.draw(0, KINDS, KINDS, tag=FIRST)  # (0 1 | 1 0) or (1 0 | 0 1), evenly
    worlds.shift((4, 0, 0, 0, 0, 0))  # (4 1 | 1 0) or (5 0 | 0 1)
    worlds.draw(0, KINDS, KINDS, tag=SECOND)
    half, fifth = Fraction(1, 2), Fraction(1, 5)
    assert as_dict(worlds) == approx({(3, 1, 0, 2, 0, 0): half * 4 * fifth, (4, 0, 0, 1, 1, 0): half * fifth + half})
    worlds.filter((Rule((4,), at_least=1),))
    assert worlds.odds(FIRST).tolist() == pytest.approx([1 / 6, 5 / 6, 0])


def test_a_draw_that_was_seen_is_evidence_about_the_hand():
    worlds = two_hands(1, 1)
    worlds.draw(0, KINDS, KINDS, tag=FIRST)
    worlds.shift((0, 3, 0, 0, 0, 0))  # (0 4 | 1 0) or (1 3 | 0 1)
    change = (0, -1, 0, 0, 1, 0)
    assert worlds.weigh_draw(1, 0, KINDS, change) == []  # a card of the second kind is drawn: 4 of 4, or 3 of 4
    assert as_dict(worlds) == approx({(0, 3, 0, 1, 1, 0): 4 / 7, (1, 2, 0, 0, 2, 0): 3 / 7})


def test_cards_that_go_away_unseen_are_any_choice_of_the_hand():
    worlds = two_hands(3, 2, 1)
    worlds.take(0, KINDS, 3)
    expected = {
        (3 - a, 2 - b, 1 - c, 0, 0, 0): Fraction(comb(3, a) * comb(2, b) * comb(1, c), comb(6, 3))
        for a in range(4)
        for b in range(3)
        for c in range(2)
        if a + b + c == 3
    }
    assert as_dict(worlds) == approx(expected)


def test_or_any_different_bundle():
    worlds = two_hands(3, 1)
    worlds.take(0, KINDS, 1, by_card=False)
    assert as_dict(worlds) == approx({(2, 1, 0, 0, 0, 0): 1 / 2, (3, 0, 0, 0, 0, 0): 1 / 2})
    worlds.take(0, KINDS, 2, by_card=False)
    assert as_dict(worlds) == approx({(1, 0, 0, 0, 0, 0): 1 / 2 * 1 / 2 + 1 / 2, (0, 1, 0, 0, 0, 0): 1 / 4})


def test_all_or_none_of_a_hand_can_go_away():
    worlds = two_hands(2, 1)
    worlds.take(0, KINDS, 0)
    assert as_dict(worlds) == {(2, 1, 0, 0, 0, 0): 1.0}
    worlds.take(0, KINDS, 3)
    assert as_dict(worlds) == {(0, 0, 0, 0, 0, 0): 1.0}


def test_worlds_with_too_few_cards_die_when_cards_are_drawn_or_go_away():
    for step in (
        lambda worlds: worlds.draw(KINDS, 0, KINDS, tag=SECOND),
        lambda worlds: worlds.take(KINDS, KINDS, 1),
    ):
        worlds = two_hands(1, 1)
        worlds.draw(0, KINDS, KINDS, tag=FIRST)
        worlds.gather([3], 0)  # (1 1 | 0 0) or (1 0 | 0 1): in one of them the second hand is empty
        resolved = step(worlds)
        assert Resolved(FIRST, 1) in resolved
        assert len(as_dict(worlds)) == 1


def test_too_few_cards_in_every_world_are_impossible():
    with pytest.raises(Impossible):
        two_hands(1).take(0, KINDS, 2)
    with pytest.raises(Impossible):
        two_hands(0).draw(0, KINDS, KINDS, tag=STEAL)


def test_worlds_that_become_equal_merge_and_their_pasts_are_kept():
    worlds = two_hands(1, 1, 0, 1, 1)
    worlds.draw(0, KINDS, KINDS, tag=THERE)
    worlds.draw(KINDS, 0, KINDS, tag=BACK)
    assert as_dict(worlds) == approx({(1, 1, 0, 1, 1, 0): 2 / 3, (2, 0, 0, 0, 2, 0): 1 / 6, (0, 2, 0, 2, 0, 0): 1 / 6})
    assert worlds.odds(THERE).tolist() == pytest.approx([1 / 2, 1 / 2, 0])
    assert worlds.odds(BACK).tolist() == pytest.approx([1 / 2, 1 / 2, 0])
    for number, row in enumerate(worlds.counts().tolist()):
        there, back = (worlds.odds(tag, number).tolist() for tag in (THERE, BACK))
        if row == [2, 0, 0, 0, 2, 0]:
            assert (there, back) == ([0, 1, 0], [1, 0, 0])
        if row == [1, 1, 0, 1, 1, 0]:
            assert there == back == pytest.approx([1 / 2, 1 / 2, 0])


def test_gathered_cards_hide_who_had_them_and_nothing_is_counted_twice():
    worlds = drawn()
    worlds.gather([0], 3)  # all of the first kind go to the second hand
    assert as_dict(worlds) == approx({(0, 2, 1, 3, 0, 0): 1 / 2, (0, 1, 1, 3, 1, 0): 1 / 3, (0, 2, 0, 3, 0, 1): 1 / 6})
    worlds.gather([1, 2], 3)  # and all others turn into it
    assert as_dict(worlds) == approx({(0, 0, 0, 6, 0, 0): 1 / 2, (0, 0, 0, 5, 1, 0): 1 / 3, (0, 0, 0, 5, 0, 1): 1 / 6})
    worlds.gather([4, 5], 3)
    assert as_dict(worlds) == approx({(0, 0, 0, 6, 0, 0): 1})
    assert worlds.odds(STEAL).tolist() == pytest.approx([1 / 2, 1 / 3, 1 / 6])


def test_what_no_world_allows_is_refused_and_changes_nothing():
    worlds = drawn()
    before = state(worlds)
    attempts = [
        lambda: worlds.filter((Rule((0, 1, 2), at_least=6),)),
        lambda: worlds.filter((Rule((0,), 3, 3), Rule((4, 5), 0, 0))),
        lambda: worlds.weigh(np.zeros(len(worlds))),
        lambda: worlds.take(0, KINDS, 6),
    ]
    for attempt in attempts:
        with pytest.raises(Impossible):
            attempt()
        assert state(worlds) == before


def test_a_change_is_added_to_every_world():
    worlds = drawn()
    worlds.filter((), (-2, 1, 0, 0, 0, 5))
    assert as_dict(worlds) == approx({(0, 3, 1, 1, 0, 5): 1 / 2, (1, 2, 1, 0, 1, 5): 1 / 3, (1, 3, 0, 0, 0, 6): 1 / 6})


def test_a_branch_of_any_kind_keeps_what_led_to_it():
    worlds = drawn()
    rows = worlds.counts().astype(np.int64)
    parent = np.repeat(np.arange(len(worlds), dtype=np.int32), 2)
    fresh = np.repeat(rows, 2, axis=0)
    fresh[1::2, 5] += 1
    worlds.branch(parent, fresh, np.repeat(worlds.prob, 2) / 2)
    assert len(as_dict(worlds)) == 6
    assert worlds.probability((Rule((2, 5), at_least=2),)) == pytest.approx(1 / 2)
    assert worlds.odds(STEAL).tolist() == pytest.approx([1 / 2, 1 / 3, 1 / 6])


@pytest.mark.untraced
def test_six_hands_of_five_kinds_fit():
    worlds = WeightedWorlds([3] * 30)
    for thief in range(6):
        worlds.draw(5 * ((thief + 1) % 6), 5 * thief, 5, tag=thief)
    worlds.check()
    assert worlds.counts().sum(axis=1).tolist() == [90] * len(worlds)
    assert (worlds.counts().reshape(len(worlds), 6, 5).sum(axis=1) == 18).all()
    assert all(worlds.odds(tag).sum() == pytest.approx(1) for tag in range(6))


def test_a_cell_holds_up_to_thirty_one():
    worlds = two_hands(MOST, 0, MOST)
    worlds.take(0, KINDS, 1)
    assert as_dict(worlds) == approx({(MOST - 1, 0, MOST, 0, 0, 0): 1 / 2, (MOST, 0, MOST - 1, 0, 0, 0): 1 / 2})


# --- questions ------------------------------------------------------------------------------------------------


def test_distributions_of_cells_and_of_sums():
    worlds = drawn()
    table = worlds.distributions()
    assert table.shape == (2 * KINDS, MOST + 1)
    assert table[0, 2:4].tolist() == pytest.approx([1 / 2, 1 / 2])
    assert table[5, :2].tolist() == pytest.approx([5 / 6, 1 / 6])
    assert worlds.distribution_of_sum([0, 1, 2])[5] == pytest.approx(1)
    assert worlds.distribution_of_sum([0, 4])[2:5].tolist() == pytest.approx([1 / 2, 1 / 6, 1 / 3])


def test_how_likely_a_rule_holds():
    worlds = drawn()
    assert worlds.probability((Rule((0,), at_most=2),)) == pytest.approx(1 / 2)
    assert worlds.probability((Rule((0, 1), 5, 5),)) == pytest.approx(1 / 6)
    assert worlds.probability((Rule((0,), at_least=9),)) == 0


def test_a_world_is_found_by_its_counts():
    worlds = drawn()
    for number, row in enumerate(worlds.counts().tolist()):
        assert worlds.find(row) == number
    with pytest.raises(Impossible):
        worlds.find([6, 0, 0, 0, 0, 0])
    worlds.answer(STEAL, 1)
    with pytest.raises(Impossible):
        worlds.find([2, 2, 1, 1, 0, 0])
    assert worlds.probabilities()[worlds.find([3, 1, 1, 0, 1, 0])] == 1


def test_carriers_share_out_the_probability_of_an_answer():
    worlds = drawn()
    for label, p in enumerate((1 / 2, 1 / 3, 1 / 6)):
        assert worlds.carriers(STEAL, label).sum() == pytest.approx(p)


def test_samples_follow_the_posterior_and_the_stream():
    worlds = drawn()
    places = worlds.sample(Stream(5), 3000)
    assert (places == worlds.sample(Stream(5), 3000)).all()
    assert np.abs(np.bincount(places, minlength=3) / 3000 - worlds.prob).max() < 0.04


def test_samples_can_be_asked_to_keep_rules():
    worlds = drawn()
    places = worlds.sample(Stream(5), 600, (Rule((KINDS + 2,), at_most=0),))  # it was not the third kind: 1/2 to 1/3
    counts = worlds.counts(places)
    assert (counts == worlds.counts()[places]).all()
    assert counts[:, KINDS + 2].max() == 0
    assert abs(counts[:, KINDS].mean() - 3 / 5) < 0.06
    with pytest.raises(Impossible):
        worlds.sample(Stream(5), 600, (Rule((0,), at_least=9),))


# --- resolution -----------------------------------------------------------------------------------------------


def test_a_question_with_one_answer_left_is_resolved_and_folds_away():
    worlds = drawn()
    assert worlds.filter((Rule((2,), at_most=0),)) == [Resolved(STEAL, 2)]
    assert worlds.layers == []
    assert as_dict(worlds) == {(3, 2, 0, 0, 0, 1): 1.0}


def test_a_draw_from_one_kind_is_resolved_at_once():
    worlds = two_hands(4)
    assert worlds.draw(0, KINDS, KINDS, tag=STEAL) == [Resolved(STEAL, 0)]


def test_later_evidence_resolves_earlier_draws():
    worlds = two_hands(1, 1, 0, 0, 0, 0)
    worlds.draw(0, KINDS, KINDS, tag=FIRST)
    worlds.filter((), (2, 2, 2, 0, 0, 0))
    worlds.draw(0, KINDS, KINDS, tag=SECOND)
    assert worlds.filter((Rule((3,), 2, 2),)) == [Resolved(FIRST, 0), Resolved(SECOND, 0)]
    worlds = two_hands(1, 1)
    worlds.draw(0, KINDS, KINDS, tag=FIRST)
    worlds.filter((), (2, 2, 4, 0, 0, 0))
    worlds.draw(0, KINDS, KINDS, tag=SECOND)
    assert worlds.filter((Rule((3,), at_most=0),)) == [Resolved(FIRST, 1)]
    assert worlds.odds(SECOND).tolist() == pytest.approx([0, 1 / 3, 2 / 3])


# --- answers from outside -------------------------------------------------------------------------------------


def test_an_answer_hides_the_other_worlds_and_taking_it_back_shows_them_again():
    worlds = drawn()
    before = state(worlds)
    worlds.answer(STEAL, 2)
    assert worlds.answers == {STEAL: 2}
    assert {row: p for row, p in as_dict(worlds).items() if p} == {(3, 2, 0, 0, 0, 1): 1.0}
    assert worlds.odds(STEAL).tolist() == [0, 0, 1]
    assert worlds.carriers(STEAL, 0).sum() == 0
    assert worlds.unanswer(STEAL) == []
    assert state(worlds) == before


def test_an_answer_to_an_early_draw_changes_the_odds_of_a_late_one():
    worlds = two_hands(1, 1)
    worlds.draw(0, KINDS, KINDS, tag=FIRST)
    worlds.shift((1, 0, 0, 0, 0, 0))  # (1 1 | 1 0) or (2 0 | 0 1)
    worlds.draw(0, KINDS, KINDS, tag=SECOND)
    assert worlds.odds(SECOND).tolist() == pytest.approx([3 / 4, 1 / 4, 0])
    worlds.answer(FIRST, 0)
    assert worlds.odds(SECOND).tolist() == pytest.approx([1 / 2, 1 / 2, 0])
    worlds.answer(SECOND, 1)
    assert as_dict(worlds) == {(1, 0, 0, 1, 1, 0): 1.0}
    worlds.forget_answers()
    assert worlds.odds(SECOND).tolist() == pytest.approx([3 / 4, 1 / 4, 0])


def test_an_impossible_answer_is_refused():
    worlds = drawn()
    worlds.filter((Rule((1,), at_least=2),))
    before = state(worlds)
    with pytest.raises(Impossible):
        worlds.answer(STEAL, 1)
    assert state(worlds) == before


def test_evidence_against_an_answer_is_refused_and_changes_nothing():
    worlds = drawn()
    worlds.answer(STEAL, 2)
    before = state(worlds)
    for attempt in (
        lambda: worlds.filter((Rule((2,), at_least=1),)),
        lambda: worlds.weigh_draw(2, 0, KINDS, ()),
        lambda: worlds.keep_only(np.array([0])),
    ):
        with pytest.raises(Impossible):
            attempt()
        assert state(worlds) == before


def test_an_answer_that_is_proved_later_stays_an_answer_until_it_is_taken_back():
    worlds = drawn()
    worlds.answer(STEAL, 2)
    assert worlds.filter((Rule((2,), at_most=0),)) == [Resolved(STEAL, 2)]
    assert worlds.answers == {STEAL: 2}
    assert worlds.unanswer(STEAL) == [Resolved(STEAL, 2)]
    assert worlds.layers == []


def test_a_copy_lives_its_own_life():
    worlds = drawn()
    worlds.answer(STEAL, 1)
    before = state(worlds)
    copy = worlds.copy()
    assert state(copy) == before
    copy.unanswer(STEAL)
    copy.filter((Rule((2,), at_most=0),), (1, 1, 1, 1, 1, 1))
    copy.draw(0, KINDS, KINDS, tag=MORE)
    assert state(worlds) == before


# --- forgetting -----------------------------------------------------------------------------------------------


def test_nothing_is_dropped_unless_asked():
    worlds = drawn()
    assert worlds.prune() == worlds.prune(3) == worlds.prune(100, 0.01) == []
    assert (len(worlds), worlds.error_bound) == (3, 0.0)


def test_the_likeliest_worlds_are_kept_and_the_rest_bounds_the_error():
    worlds = drawn()
    assert worlds.prune(most=2) == []
    assert as_dict(worlds) == approx({(2, 2, 1, 1, 0, 0): 3 / 5, (3, 1, 1, 0, 1, 0): 2 / 5})
    assert worlds.error_bound == pytest.approx(1 / 6)


def test_worlds_below_a_threshold_are_dropped_but_never_all():
    worlds = drawn()
    assert worlds.prune(threshold=0.4) == [Resolved(STEAL, 0)]
    assert worlds.error_bound == pytest.approx(1 / 2)
    worlds = drawn()
    worlds.prune(threshold=0.9)
    assert len(worlds) == 1


def test_evidence_that_the_dropped_worlds_could_explain_raises_the_bound():
    worlds = drawn()
    worlds.prune(most=2)
    worlds.filter((Rule((1,), at_most=1),))  # of the kept ones only that with 2/5 = 1/3 of all; the dropped 1/6 may fit
    assert worlds.error_bound == pytest.approx((1 / 6) / (1 / 3 + 1 / 6))


def test_an_answer_raises_the_bound_as_evidence_does():
    worlds = drawn()
    worlds.prune(most=2)
    worlds.answer(STEAL, 1)
    assert worlds.error_bound == pytest.approx((1 / 6) / (1 / 3 + 1 / 6))


def test_little_memory_drops_worlds_before_a_draw_or_a_discard():
    for step in (
        lambda worlds, memory: worlds.draw(0, KINDS, KINDS, tag=MORE, memory=memory),
        lambda worlds, memory: worlds.take(0, KINDS, 2, memory=memory),
    ):
        roomy, tight = drawn(), drawn()
        step(roomy, 1 << 20)
        assert roomy.error_bound == 0
        step(tight, 500)
        tight.check()
        assert len(tight) < len(roomy)
        assert tight.error_bound > 0


def test_what_is_resolved_because_memory_is_short_is_told():
    assert Resolved(STEAL, 0) in drawn().draw(0, KINDS, KINDS, tag=MORE, memory=1)
    assert Resolved(STEAL, 0) in drawn().take(0, KINDS, 2, memory=1)


def test_a_broken_set_is_noticed():
    for damage in (
        lambda worlds: worlds.prob.__imul__(2),
        lambda worlds: worlds.key.__setitem__(0, worlds.key[1]),
        lambda worlds: worlds.layers[0].share.__imul__(0.5),
        lambda worlds: setattr(worlds.layers[0], "parents", 2),
    ):
        worlds = drawn()
        worlds.check()
        damage(worlds)
        with pytest.raises(AssertionError):
            worlds.check()
