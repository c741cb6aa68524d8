"""Random legal walks never break an invariant, and `why_not` allows exactly what `legal` lists.

Hypothesis varies the seats, the board, the options and the style of the walk; the examples are the same in every run.
What the state keeps for speed is computed again from the rest, with the referee's search for the longest road.
"""

import random
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kibitz import game
from kibitz.catan import GAME, Board, Rules
from kibitz.catan.core.actions import Action
from kibitz.catan.core.codes import ALL_CODES, END_ROADS, OFFER, RANGES, offer_code
from kibitz.catan.core.position import PHASES, edges_of, members
from kibitz.catan.core.state import new_states
from kibitz.game import CHANCE, OVER
from kibitz.game.doors import redeal_at
from tests.catan.referee import longest_trail
from tests.catan.walks import STYLES, Walk

SUPPLY, DECK = 19, [14, 5, 2, 2, 2]
NOBODY = -1
EDGES = [tuple(edge) for edge in Board.beginner().to_json()["edges"]]
NEIGHBOURS = {c: {sum(edge) - c for edge in EDGES if c in edge} for c in range(54)}
TRADING = ("MAIN", "TRADE")

fixed = settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=False,
)


rules_strategy = st.builds(
    Rules,
    victory_points=st.integers(3, 12),
    discard_limit=st.integers(2, 9),
    domestic_trade=st.booleans(),
    offer_limit=st.integers(0, 5),
    friendly_robber=st.booleans(),
    all_or_nothing_bank=st.booleans(),
    phased_turns=st.booleans(),
    max_turns=st.integers(30, 160),
)
walks = st.builds(
    Walk,
    seats=st.integers(2, 4),
    seed=st.integers(0, 2**32),
    style=st.sampled_from(STYLES),
    rules=rules_strategy,
)


# --- invariants -----------------------------------------------------------------------------------------------


def check_cards(row: dict[str, Any]) -> None:
    for resource in range(5):
        assert row["bank"][resource] + sum(hand[resource] for hand in row["hand"]) == SUPPLY
    for card in range(5):
        assert (
            row["deck"][card] + sum(pile[seat][card] for pile in (row["dev"], row["played"]) for seat in range(4)) == DECK[card]
        )
    assert min(map(min, [row["bank"], row["deck"], row["new_dev"], *row["hand"], *row["dev"], *row["played"]])) >= 0
    assert all(new <= held for new, held in zip(row["new_dev"], row["dev"][row["player"]], strict=True))


def check_sums(row: dict[str, Any]) -> None:
    assert row["hand_size"] == [sum(hand) for hand in row["hand"]]
    assert row["dev_size"] == [sum(cards) for cards in row["dev"]]
    assert row["new_dev_size"] == sum(row["new_dev"])
    assert row["deck_size"] == sum(row["deck"])


def check_pieces(row: dict[str, Any]) -> None:
    roads = [edges_of(*row["roads"][seat]) for seat in range(4)]
    assert max(map(len, roads)) <= 15
    assert max(mask.bit_count() for mask in row["settlements"]) <= 5
    assert max(mask.bit_count() for mask in row["cities"]) <= 4
    built = [corner for seat in range(4) for corner in members(row["settlements"][seat]) + members(row["cities"][seat])]
    laid = [tuple(edge) for own in roads for edge in own]
    assert len(built) == len(set(built))
    assert len(laid) == len(set(laid))
    assert not any(NEIGHBOURS[corner] & set(built) for corner in built)


def check_network(row: dict[str, Any]) -> None:
    """`open`, `network` and `road_length` follow from the pieces."""
    buildings = [{*members(row["settlements"][seat]), *members(row["cities"][seat])} for seat in range(4)]
    built = set().union(*buildings)
    assert set(members(row["open"])) == {c for c in range(54) if c not in built and not NEIGHBOURS[c] & built}
    for seat in range(4):
        roads = [tuple(edge) for edge in edges_of(*row["roads"][seat])]
        assert set(members(row["network"][seat])) == {corner for road in roads for corner in road}
        assert row["road_length"][seat] == longest_trail(roads, built - buildings[seat])


def check_unused(row: dict[str, Any]) -> None:
    """What means nothing in the present phase is zero or nobody: equal positions are equal bytes."""
    phase = PHASES[row["phase"]]
    for seat in range(row["seats"], 4):
        assert not any(
            row[name][seat] for name in ("settlements", "cities", "network", "hand_size", "dev_size", "discards", "answers")
        )
    if phase not in ("TRADE_ANSWER", "TRADE_CHOICE"):
        assert not any(row["offer"] + row["answers"])
    if phase != "STEALING":
        assert row["victim"] == NOBODY
    if phase != "SETUP_ROAD":
        assert row["corner"] == NOBODY
    if phase != "ROBBER_DISCARD":
        assert not any(row["discards"])
    if phase != "FREE_ROADS":
        assert row["free_roads"] == 0
    if phase in ("SETUP_SETTLEMENT", "SETUP_ROAD", "TURN_START", "ROLLING"):
        assert row["roll"] == row["new_dev_size"] == row["offers"] == 0
    assert (row["winner"] == NOBODY) or phase == "GAME_OVER"
    assert row["offers"] <= row["offer_limit"]


def check_position(row: dict[str, Any], measured: set[tuple[Any, ...]]) -> None:
    check_cards(row)
    check_sums(row)
    check_unused(row)
    pieces = (*row["settlements"], *row["cities"], *map(tuple, row["roads"]), row["open"], *row["network"], *row["road_length"])
    if pieces not in measured:
        measured.add(pieces)
        check_pieces(row)
        check_network(row)


def check_judgement(states: Any, actions: list[int]) -> None:
    """Of all codes but the offers, exactly the listed ones are allowed; listed offers are allowed."""
    allowed = [a for a in (*range(OFFER), END_ROADS) if game.why_not_at(states, 0, a) == 0]
    assert allowed == [a for a in actions if not OFFER <= a < END_ROADS]
    assert all(game.why_not_at(states, 0, a) == 0 for a in actions)
    assert all(game.why_not_at(states, 0, a) != 0 for a in (-1, -(2**31), ALL_CODES, 2**31 - 1))


@given(walks)
@fixed
def test_random_walks_keep_every_invariant(walk):
    measured: set[tuple[Any, ...]] = set()
    row: dict[str, Any] = {}
    for states, row, actions in walk.positions():
        check_position(row, measured)
        check_judgement(states, actions)
        actor = game.actor_at(states, 0)
        assert bool(actions) == (actor != OVER)
        assert actor in (CHANCE, OVER, *range(walk.seats))
        assert row["turn"] <= walk.rules.max_turns
    points = [game.score_at(states, 0, seat) for seat in range(walk.seats)]
    if row["winner"] == NOBODY:
        assert row["turn"] == walk.rules.max_turns
    else:
        assert row["winner"] == row["player"]
        assert points[row["winner"]] >= walk.rules.victory_points


@pytest.mark.untraced
@pytest.mark.plain
@pytest.mark.parametrize("phased", [False, True])
def test_short_walks_keep_every_invariant(phased):
    measured: set[tuple[Any, ...]] = set()
    for style in ("any kind", "odd offers"):
        walk = Walk(3, 8, style, Rules(max_turns=8, phased_turns=phased, victory_points=4))
        for step, (states, row, actions) in enumerate(walk.positions()):
            check_position(row, measured)
            if step % 8 == 0:
                check_judgement(states, actions)
    assert len(measured) > 12


def test_the_walks_meet_every_phase_and_kind_of_action():
    phases, kinds = set(), set()
    for seed, (phased, style) in enumerate(product((False, True), ("any kind", "odd offers", "builds"))):
        for trial in range(2):
            walk = Walk(2 + trial % 3, 100 * trial + seed, style, Rules(phased_turns=phased, max_turns=120, discard_limit=5))
            for _, row, actions in walk.positions():
                phases.add(PHASES[row["phase"]])
                kinds |= {Action.from_code(a).kind for a in actions}
    assert phases == set(PHASES)
    assert kinds == set(RANGES)


# --- worlds ---------------------------------------------------------------------------------------------------


def check_worlds(walk: Walk, every: int) -> int:
    """Random worlds of every seat are whole decks and supplies; what is public, and the own cards, stay as they are."""
    xs = GAME.scratches()
    different = 0
    for step, (states, row, _) in enumerate(walk.positions()):
        if step % every:
            continue
        for seat in range(walk.seats):
            world = states.copy()
            redeal_at(world, 0, xs, 0, seat)
            dealt = game.to_dict(world)
            check_cards(dealt)
            check_sums(dealt)
            assert (dealt["hand"][seat], dealt["dev"][seat]) == (row["hand"][seat], row["dev"][seat])
            hidden = ("hand", "dev", "new_dev", "deck")
            assert {k: v for k, v in dealt.items() if k not in hidden} == {k: v for k, v in row.items() if k not in hidden}
            different += dealt != row
    return different


@pytest.mark.parametrize("style", STYLES)
def test_worlds_hold_every_card_once(style):
    assert check_worlds(Walk(4, 21, style, Rules(max_turns=150, phased_turns=style == "builds")), every=5) > 50


@pytest.mark.plain
def test_worlds_hold_every_card_once_in_a_short_walk():
    assert check_worlds(Walk(3, 4, "any kind", Rules(max_turns=12)), every=10) > 5


@pytest.mark.plain
def test_all_deals_of_unseen_cards_are_equally_likely():
    states = new_states(Board.beginner(), 3)
    for seat, hand in enumerate(([4, 0, 0, 0, 0], [1, 0, 1, 0, 0], [1, 0, 0, 0, 0])):
        states["hand"][0, seat], states["hand_size"][0, seat] = hand, sum(hand)
    states["bank"][0] = [13, 19, 18, 19, 19]
    xs, sheep = GAME.scratches(), [0, 0, 0]
    for _ in range(900):
        redeal_at(states, 0, xs, 0, 0)
        for seat in range(3):
            sheep[seat] += int(states["hand"][0, seat, 2])
    assert sheep[0] == 0
    assert sum(sheep) == 900
    assert abs(sheep[1] - 600) < 6 * 200**0.5  # two of the three unseen cards: six standard deviations


# --- offers ---------------------------------------------------------------------------------------------------


def may_offer(row: dict[str, Any], counts: list[int]) -> bool:
    """Both sides give something, the player holds what is given, trade is on, it is the time, and offers are left."""
    held = row["hand"][row["player"]]
    return (
        PHASES[row["phase"]] in TRADING
        and bool(row["domestic_trade"])
        and row["offers"] < row["offer_limit"]
        and all(n <= have for n, have in zip(counts, held, strict=True))
        and max(counts) > 0 > min(counts)
    )


@given(walks)
@fixed
def test_any_bundle_is_judged_as_by_brute_force(walk):
    chance = random.Random(walk.seed)
    for states, row, _ in walk.positions():
        for reach in (1, 2, 4, 19):
            counts = [chance.randint(-reach, reach) for _ in range(5)]
            assert (game.why_not_at(states, 0, offer_code(counts)) == 0) == may_offer(row, counts)


@pytest.mark.parametrize("phased", [False, True])
def test_all_small_bundles_are_judged_as_by_brute_force(phased):
    walk = Walk(4, 3, "any kind", Rules(phased_turns=phased, offer_limit=2, max_turns=60))
    looked_at = allowed = 0
    for states, row, actions in walk.positions():
        if PHASES[row["phase"]] not in TRADING or sum(row["hand"][row["player"]]) < 4:
            continue
        legal = set()
        for counts in product(range(-2, 3), repeat=5):
            code = offer_code(list(counts))
            if game.why_not_at(states, 0, code) == 0:
                legal.add(code)
            assert (code in legal) == may_offer(row, list(counts))
        assert {a for a in actions if OFFER <= a < END_ROADS} <= legal
        looked_at, allowed = looked_at + 1, allowed + bool(legal)
    assert looked_at > 20
    assert 0 < allowed < looked_at


def test_listed_offers_are_all_small_ones_that_are_allowed():
    small = []
    for give, want in product(range(5), repeat=2):
        for given_cards, wanted in ((1, 1), (2, 1), (1, 2)):
            if give != want:
                small.append([given_cards * (r == give) - wanted * (r == want) for r in range(5)])
    for _, row, actions in Walk(3, 5, "any kind", Rules(max_turns=40)).positions():
        offers = [a for a in actions if OFFER <= a < END_ROADS]
        assert offers == sorted(offer_code(counts) for counts in small if may_offer(row, counts))
