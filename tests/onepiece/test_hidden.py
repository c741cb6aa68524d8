"""What each seat can know, and what `GameState` shows of it."""

import pickle
from fractions import Fraction

import pytest

from kibitz.onepiece import GameState, IllegalAction, pick, simple
from kibitz.onepiece.core.engine import scratch
from tests.onepiece.checks import check_hiding, check_world, facts, hidden
from tests.onepiece.positions import PLAIN, Position, card, event

pytestmark = pytest.mark.plain


def test_a_drawn_card_is_seen_by_its_owner_alone():
    t = Position(hand=[event("E", main=[{"draw": 1}])])
    t.do("play E", chance=False)
    assert t.s.actor() == -1
    a, b = t.s.actions()[:2]
    assert [t.s.seen(x, 0) for x in (a, b)] == [a, b]
    assert t.s.seen(a, 1) == t.s.seen(b, 1) == t.s.seen(a, -1) == -1


def test_a_milled_card_is_seen_by_everybody():
    t = Position(hand=[event("E", main=[{"mill": 1}])])
    t.do("play E", chance=False)
    a = t.s.actions()[0]
    assert [t.s.seen(a, seat) for seat in (0, 1, -1)] == [a, a, a]


def test_what_came_to_the_hand_openly_stays_known_until_it_leaves():
    back = event("E", main=[{"select": {}, "as": "x"}, {"returnToHand": "x"}])
    t = Position(mine=[PLAIN], hand=[back, card("A")], don=9)
    t.do("play E", "choose P1.C1")
    number = t.s.table.number
    view = t.s.copy()
    view.hide(1)
    assert sorted(view.hand[0]) == [-1, number["plain"]]
    for seed in range(5):
        world = t.s.copy()
        world.redeal(scratch(seed), 1)
        assert number["plain"] in world.hand[0]
    t.do("play plain")
    assert t.s.shown[0] == {}


def test_cards_that_leave_a_hand_secretly_make_the_known_ones_uncertain():
    t = Position(mine=[PLAIN], hand=[card("A")])
    t.s.add_hand(0, t.s.table.number["A"], shown=True)
    t.s.drop_hand(0, t.s.table.number["A"], secretly=True)
    assert t.s.shown[0] == {}


def test_cards_put_at_the_bottom_are_known_to_their_owner():
    steps = [{"lookTop": 2}, {"orderRest": "bottom"}]
    t = Position(hand=[event("E", main=steps)], top=[card("A"), card("B")])
    t.do("play E", "pick A")
    mine, theirs = t.s.copy(), t.s.copy()
    mine.hide(0)
    theirs.hide(1)
    assert len(mine.bottom[0]) == 2
    assert theirs.bottom[0] == []
    assert theirs.deck_size(0) == t.s.deck_size(0)


def test_the_order_of_the_rest_is_not_seen():
    t = Position(hand=[event("E", main=[{"lookTop": 2}, {"orderRest": "bottom"}])], top=[card("A"), card("B")])
    t.do("play E")
    assert {t.s.seen(a, 1) for a in t.s.actions()} == {-2}
    assert [t.s.seen(a, 0) for a in t.s.actions()] == t.s.actions()


def test_only_life_cards_that_one_knows_can_be_selected():
    steps = [{"select": {"from": "life"}, "as": "x"}, {"toHand": "x"}]
    t = Position(hand=[event("E", main=steps), event("F", main=[{"lookTop": 1, "life": True}, *steps])], life=[None, card("A")])
    t.do("play E")
    assert t.waiting == "MAIN 1"
    t.do("play F")
    assert t.legal() == ["done", "pick A"]
    t.do("pick A")
    assert t.names("hand") == ["A"]


def test_who_saw_a_card_put_on_the_deck_knows_it_in_the_hand():
    up = event("E", main=[{"select": {"min": 1}, "as": "x"}, {"returnToDeck": "x", "at": "top"}])
    t = Position(mine=[PLAIN], hand=[up, event("F", main=[{"draw": 2}])])
    t.do("play E", "play F")
    assert t.s.shown[0] == {t.s.table.number["plain"]: 1}


def test_cards_that_were_picked_openly_are_known_in_every_world():
    t = Position(hand=[event("E", main=[{"discard": 2}]), card("A"), card("B"), card("C")])
    t.do("play E", "pick A")
    number = t.s.table.number["A"]
    for seed in range(5):
        world = check_world(t.s, 1, scratch(seed))
        assert [ref.design for ref in world.frames[-1].picked] == [number]
        assert number in world.hand[0]
    t.do("pick B")
    assert t.s.shown[0] == {}


def test_a_life_card_that_was_picked_secretly_is_not_seen():
    steps = [{"lookTop": 1, "life": True}, {"select": {"from": "life", "hidden": True, "max": 2}, "as": "x"}]
    t = Position(hand=[event("E", main=[*steps, {"toHand": "x", "hidden": True}])], life=[None, card("B"), card("A")])
    t.s.life[0][1] |= 1  # player 1 has looked at it before
    t.do("play E", "pick A")
    assert [ref.design for ref in hidden(t.s, 1).frames[-1].picked] == [-1]
    designs = {check_world(t.s, 1, scratch(seed)).frames[-1].picked[0].design for seed in range(20)}
    assert len(designs) > 5


def test_only_cards_that_one_knows_can_be_selected_from_the_others_hand():
    steps = [{"select": {"from": "hand", "of": "opponent", "by": "you"}, "as": "x"}, {"trash": "x"}]
    t = Position(hand=[event("E", main=steps)], their_hand=[card("A"), card("B")])
    t.s.shown[1] = {t.s.table.number["B"]: 1}
    t.do("play E")
    assert t.legal() == ["done", "pick B"]
    check_hiding(t.s, 0)
    t.do("pick B")
    assert (t.names("hand", 1), t.names("trash", 1)) == (["A"], ["B"])


def test_a_card_that_everybody_knows_can_be_picked_unseen():
    take = [{"select": {"from": "top", "hidden": True}, "as": "x"}, {"toHand": "x", "hidden": True}]
    steps = [{"lookTop": 2}, *take, {"orderRest": "bottom"}]
    t = Position(hand=[event("E", main=steps)], top=[card("A"), card("B")])
    t.s.top[0][-1] |= 3
    t.do("play E")
    views = []
    for text in ("pick A", "pick B"):
        after = t.s.copy()
        after.apply(next(a for a in after.actions() if after.describe(a) == text))
        views.append(facts(hidden(after, 1)))
    assert views[0] == views[1]


def test_who_looks_at_the_other_deck_orders_it_unseen():
    steps = [{"lookTop": 2, "of": "opponent"}, {"orderRest": "bottom"}]
    t = Position(hand=[event("E", main=steps)])
    t.do("play E")
    assert len(t.legal()) == 2
    assert {t.s.seen(a, 1) for a in t.s.actions()} == {-2}
    t.do(t.legal()[1])
    assert (t.waiting, len(t.s.bottom[1]), t.s.bottom[0]) == ("MAIN 1", 2, [])
    assert hidden(t.s, 1).bottom[1] == []


def test_who_cannot_pay_with_hidden_cards_is_asked_all_the_same():
    ring = {"cost": [{"discard": 1, "types": ["Bell"]}], "optional": True}
    watcher = card("W", {"on": "opponentAttack", **ring, "do": [{"draw": 1}]})
    saved = card("S", {"on": "replace", "event": "ko", "whose": "self", **ring, "do": []}, power=1000)
    for held, attack, save in (
        (card("A"), ["decline 1"], ["no"]),
        (card("B", types=["Bell"]), ["resolve 1", "decline 1"], ["yes", "no"]),
    ):
        t = Position(theirs=[watcher, saved], their_hand=[held])
        t.at("P2.C2").rested = True
        t.do("attack L C2")
        assert (t.waiting, t.legal()) == ("RESOLVE 2", attack)
        t.do("decline 1", "pass")
        assert (t.waiting, t.legal()) == ("CONFIRM 2", save)
        t.do("no")
        assert t.names("trash", 1) == ["S"]


def test_redeal_gives_every_card_its_fair_chance():
    t = Position(their_hand=[PLAIN])
    counts = {}
    x = scratch(3)
    for _ in range(600):
        world = t.s.copy()
        world.redeal(x, 0)
        (design,) = world.hand[1]
        counts[design] = counts.get(design, 0) + 1
    number = t.s.table.number["plain"]
    assert 2 <= counts[number] <= 30  # 1 of 50: 12 expected
    assert len(counts) == 14


def test_game_state_is_immutable_and_explains_itself():
    state = GameState.new(seed=1).resolve()
    after = state.apply(simple("redraw")).resolve()
    assert state.phase == "MULLIGAN"
    assert state.players[0].hand != after.players[0].hand
    assert after.actions[-1].kind == "drawn"
    with pytest.raises(IllegalAction, match="yes is none of the choices: the game waits for keep or redraw") as error:
        state.apply(simple("yes"))
    assert error.value.reason == "NOT_OFFERED"
    assert str(pickle.loads(pickle.dumps(error.value))) == str(error.value)
    assert state.why_not(simple("keep")) is None
    assert state.is_legal(simple("keep"))
    assert not state.is_legal(pick("TW-002"))


def test_an_observer_sees_its_own_cards_and_the_sizes_of_others():
    state = GameState.new(seed=1).resolve().apply(simple("keep")).apply(simple("keep"))
    view = state.observe(1)
    assert view.players[0].hand == (None,) * 5
    assert None not in view.players[1].hand
    assert view.players[0].life == 5
    assert "drawn (unseen)" in view.event_log[0]
    assert repr(view) == "<GameState: turn 1, player 1 in the Main Phase, as player 2 sees it>"
    for refused in (view.legal_actions, lambda: view.apply(simple("end_turn")), lambda: view.observe(0), lambda: view.actions):
        with pytest.raises(ValueError, match=r"\w"):
            refused()
    assert state.observe(None).players[1].hand == (None,) * 5
    with pytest.raises(ValueError, match="seat 2: expected 0 to 1"):
        state.observe(2)


def test_chance_has_exact_probabilities():
    state = GameState.new(seed=1)
    outcomes = state.outcomes()
    assert sum(p for _, p in outcomes) == 1
    assert max(p for _, p in outcomes) == Fraction(4, 50)
    assert state.resolve().outcomes() == []


def test_states_compare_by_what_is_true():
    a, b = GameState.new(seed=1).resolve(), GameState.new(seed=1).resolve()
    assert a == b
    assert hash(a) == hash(b)
    assert a != a.apply(simple("keep"))
    assert a.outcome is None
    assert a.position()["waiting"] == "MULLIGAN"
