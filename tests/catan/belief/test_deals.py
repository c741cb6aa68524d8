"""Positions dealt from a belief: exactly the posterior, never the truth, and always positions that the rules know."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, sqrt
from typing import Any

import numpy as np
import pytest

from kibitz import game
from kibitz.catan import GAME, Board, Rules
from kibitz.catan.belief.deals import belief_at, deals, uniform_deals
from kibitz.catan.belief.dev_cards import DevCards, ImpossibleCards
from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.core.actions import Action, buy_dev_card, offer_trade
from kibitz.catan.core.events import BuyDevCard, Cards, Discard, EndTurn, Event, Gain, PlayDevCard, Steal
from kibitz.catan.core.position import points_of
from kibitz.catan.core.record import Record, simulate
from kibitz.catan.core.state import (
    ACCEPTED,
    DECK,
    DRAWING,
    GAME_OVER,
    KNIGHT,
    MAIN,
    MONOPOLY,
    SUPPLY,
    VICTORY_POINT,
    new_states,
)
from kibitz.catan.core.transcript import events_of
from kibitz.game import CHANCE, OVER
from kibitz.game.doors import decide_at, reseed_at
from kibitz.ground.jit import uint64
from tests.catan.belief import brute
from tests.catan.belief.brute import COSTS, Deal, Hands, Reference, bank_of, normal, plays_on
from tests.catan.belief.proof import too_large
from tests.catan.belief.short_logs import ShortLog, short_log
from tests.catan.positions import Table
from tests.catan.walks import Walk

States = Any
CARDS = tuple(brute.DECK)
ANN, BOB, CEM = range(3)
plain = pytest.mark.plain


def view(states: States, seat: int) -> bytes:
    hidden = states[:1].copy()
    game.hide_at(hidden, 0, seat)
    return np.asarray(hidden).tobytes()


PRICE = COSTS["dev_card"]


def followed(*events: Event, observer: int | None = None) -> HandTracker:
    tracker = HandTracker(3, observer)
    tracker.process_all(events)
    return tracker


# --- exactly the posterior ------------------------------------------------------------------------------------

Counts = tuple[int, ...]
Dealt = tuple[Hands, tuple[Counts, ...], Counts]


def counts_of(cards: Sequence[str]) -> Counts:
    return tuple(cards.count(card) for card in CARDS)


def held_by(deal: Deal, player: int, since: int = 0) -> Counts:
    """What a player hides, or what of it was bought in a turn or later."""
    return counts_of([card for card, turn in deal.held[player] if turn >= since])


class Scene:
    """A log up to a point where the reference can still enumerate everything, and the true position there."""

    def __init__(self, log: ShortLog, observer: int | None) -> None:
        self.log, self.observer = log, observer
        self.reference, truth = (Reference(log.players, log.victory_points) for _ in range(2))
        seen, self.events = log.seen_by(observer), list[Event]()
        for number, event in enumerate(log.events[: self._length(log)]):
            if not too_large(self.reference):
                self.reference.process(seen[number])
                self.events.append(seen[number])
                truth.process(event)
        (self.leaf,), (self.deal,) = truth.everything, truth.deals
        self.table = truth.table
        self.player = next((e.player for e in self._turn(self.events) if plays_on(e) is not None), 0)

    def _length(self, log: ShortLog) -> int:
        """Until somebody wins; or shows a point in the turn of a purchase, where the reference would show the older card."""
        truth = Reference(log.players, log.victory_points)
        for number, event in enumerate(log.events):
            shows = isinstance(event, PlayDevCard) and event.card == "victory_point"
            if shows and any(isinstance(e, BuyDevCard) for e in self._turn(log.events[:number])):
                return number
            truth.process(event)
            if any(truth.wins_now(player) for player in range(log.players)):
                return number
        return len(log.events)

    @staticmethod
    def _turn(events: Sequence[Event]) -> Sequence[Event]:
        """The events of the present turn."""
        return events[max((n + 1 for n, event in enumerate(events) if isinstance(event, EndTurn)), default=0) :]

    def states(self) -> States:
        """The true position: cards and points as in the log, the rest of the board does not matter."""
        states = new_states(Board.beginner(), self.log.players, Rules(victory_points=self.log.victory_points))
        states["phase"], states["turn"], states["roll"], states["player"] = MAIN, self.table.turn + 1, 8, self.player
        played = Counter((event.player, event.card) for event in self.events if isinstance(event, PlayDevCard))
        for seat in range(self.log.players):
            states["settlements"][0, seat] = (1 << self.table.settlements[seat]) - 1
            states["cities"][0, seat] = ((1 << self.table.cities[seat]) - 1) << 27
            states["hand"][0, seat], states["dev"][0, seat] = self.leaf.hands[seat], held_by(self.deal, seat)
            states["played"][0, seat] = [played[seat, card] for card in CARDS]
        holders = dict(self.table.awards)
        for field, award in (("road_holder", "longest_road"), ("army_holder", "largest_army")):
            states[field] = -1 if holders.get(award) is None else holders[award]
        states["new_dev"] = held_by(self.deal, self.player, self.table.turn)
        states["bank"] = bank_of(self.leaf.hands)
        states["deck"] = DECK - states["dev"].sum(axis=1) - states["played"].sum(axis=1)
        for size, cards in (("hand_size", "hand"), ("dev_size", "dev"), ("new_dev_size", "new_dev"), ("deck_size", "deck")):
            states[size] = states[cards].sum(axis=-1)
        return states

    def exact(self, seat: int) -> dict[Dealt, Fraction]:
        """How likely every deal is that agrees with what a seat sees: own cards, sizes, bank, and that the game goes on."""

        def seen(hands: Hands) -> tuple[object, ...]:
            return hands[seat], bank_of(hands), [hand.size for hand in hands]

        hands = normal((hands, p) for hands, p in self.reference.worlds().items() if seen(hands) == seen(self.leaf.hands))
        to_win = self.log.victory_points - self.table.points(self.player)
        cards = normal((self.shown(deal), deal.weight) for deal in self.reference.deals if self.agrees(deal, seat, to_win))
        return {(held, *dealt): p * q for (held, p), (dealt, q) in product(hands.items(), cards.items())}

    def shown(self, deal: Deal) -> tuple[tuple[Counts, ...], Counts]:
        held = tuple(held_by(deal, player) for player in range(self.log.players))
        return held, held_by(deal, self.player, self.table.turn)

    def agrees(self, deal: Deal, seat: int, to_win: int) -> bool:
        dealt, true = self.shown(deal), self.shown(self.deal)
        own_turn = seat != self.player or dealt[1] == true[1]
        return dealt[0][seat] == true[0][seat] and own_turn and deal.hidden(self.player, "victory_point") < to_win


def read(dealt: States, players: int) -> Counter[Dealt]:
    rows = zip(dealt["hand"].tolist(), dealt["dev"].tolist(), dealt["new_dev"].tolist(), strict=True)
    return Counter(
        (tuple(Cards(*h) for h in hands[:players]), tuple(tuple(c) for c in dev[:players]), tuple(new))
        for hands, dev, new in rows
    )


def chi_square(found: Mapping[Any, int], exact: Mapping[Any, Fraction], n: int) -> tuple[float, int]:
    """How far the frequencies are off, and the degrees of freedom; what is rare is one class. Nothing else occurs."""
    assert set(found) <= set(exact)
    classes = [(found.get(key, 0), float(p) * n) for key, p in exact.items()]
    common = [pair for pair in classes if pair[1] >= 5]
    rare = [pair for pair in classes if pair[1] < 5]
    if rare:
        common.append((sum(o for o, _ in rare), sum(e for _, e in rare)))
    return sum((o - e) ** 2 / e for o, e in common), len(common) - 1


N = 1500


@pytest.mark.parametrize("spectator", [False, True])
def test_the_draws_follow_the_exact_joint_posterior(spectator):
    """As a seat followed the log; and as a spectator did, given what a seat sees in the end."""
    total, freedom, new = 0.0, 0, 0
    for index in range(163, 198):
        log = short_log(index)
        for seat in range(index % 2, log.players, 2):
            scene = Scene(log, None if spectator else seat)
            tracker = HandTracker(log.players, scene.observer, victory_points=log.victory_points)
            tracker.process_all(scene.events)
            states = scene.states()
            dealt = deals(tracker, states, seat, N, seed=index)
            assert {view(dealt[i:], seat) for i in range(0, N, 100)} == {view(states, seat)}
            statistic, degrees = chi_square(read(dealt, log.players), scene.exact(seat), N)
            assert statistic <= degrees + 5 * sqrt(2 * degrees) + 10, (index, seat)
            total, freedom, new = total + statistic, freedom + degrees, new + int(states["new_dev_size"][0])
    assert freedom > 300
    assert new > 10
    assert abs(total - freedom) < 4 * sqrt(2 * freedom)


def test_a_wrong_posterior_would_be_noticed():
    """The statistic of the test above, for draws that leave the history aside."""
    scene = Scene(short_log(3), 0)
    dealt = uniform_deals(scene.states(), 0, N, seed=1)
    exact = scene.exact(0)
    found = {key: n for key, n in read(dealt, scene.log.players).items() if key in exact}
    statistic, degrees = chi_square(found, exact, N)
    assert statistic > degrees + 20 * sqrt(2 * degrees) + 10


# --- development cards ----------------------------------------------------------------------------------------


def frequencies(cards: np.ndarray[Any, Any]) -> dict[Counts, float]:
    found = Counter(map(tuple, cards.tolist()))
    return {key: n / len(cards) for key, n in found.items()}


@plain
def test_cards_are_drawn_together_not_player_by_player():
    """Ann and Bob hold one card each: of 25 * 24 pairs 5 * 4 are two points. Ann then sees both monopolies: Bob has none."""
    cards = DevCards(2).bought(0).turn_ended().bought(1).turn_ended()
    drawn = cards.sample(3000, seed=1).sum(axis=2)
    both = (drawn[:, :, VICTORY_POINT] == 1).all(axis=1).mean()
    assert abs(both - 5 * 4 / (25 * 24)) < 0.012
    for _ in range(2):
        cards = cards.bought(0, MONOPOLY)
    assert cards.sample(500, seed=2)[:, 1].sum(axis=1)[:, MONOPOLY].max() == 0


@plain
def test_a_card_that_was_played_was_an_old_one():
    """Two old cards and a new one; a knight is played: the new one is any of 24, a knight in 13."""
    cards = DevCards(2).bought(0).bought(0).turn_ended().bought(0).played(0, KNIGHT)
    drawn = cards.sample(4000, seed=3)[:, 0]
    assert (drawn.sum(axis=2) == [1, 1]).all()
    assert abs(drawn[:, 1, KNIGHT].mean() - 13 / 24) < 0.03
    pairs = comb(14, 2) + 14 * 11  # of old cards with a knight: in comb(14, 2) of them another knight is left
    assert abs(drawn[:, 0, KNIGHT].mean() - comb(14, 2) / pairs) < 0.03


@plain
def test_a_new_point_is_shown_before_an_old_one():
    """As the rules count: with an old and a new victory point, the one that is left can be no new card."""
    cards = DevCards(2).bought(0, VICTORY_POINT).turn_ended().bought(0, VICTORY_POINT).played(0, VICTORY_POINT)
    assert frequencies(cards.sample(10, seed=1)[:, 0].sum(axis=2)) == {(1, 0): 1.0}


@plain
def test_cards_that_are_seen_change_what_others_hold():
    cards = DevCards(2).bought(0).bought(1).turn_ended()
    seen = cards.given(0, lambda old, new: old[MONOPOLY] == 1)
    assert seen.distribution(1, MONOPOLY).tolist() == pytest.approx([23 / 24, 1 / 24, 0])
    with pytest.raises(ImpossibleCards):
        cards.given(0, lambda old, new: sum(new) == 1)


@plain
def test_who_is_on_turn_has_not_won():
    """Ann has 9 points on the board and one card. Nobody has said so, but the game goes on: it is no victory point."""
    state = Table(3).build(ANN, settlements=[49], cities=[20, 22, 35, 45]).cards(ANN, knight=1).main()
    tracker = followed(Gain(ANN, PRICE), BuyDevCard(ANN), EndTurn(ANN), EndTurn(BOB), EndTurn(CEM), observer=BOB)
    assert tracker.dev_cards(ANN)["victory_point"].expected == pytest.approx(5 / 25)
    found = frequencies(deals(tracker, state._states, BOB, 400, seed=1)["dev"][:, ANN])
    assert (0, 1, 0, 0, 0) not in found
    assert abs(found[1, 0, 0, 0, 0] - 14 / 20) < 0.08
    # Cem has as many, but it is not his turn: he may hold one.
    state = Table(3).build(CEM, settlements=[49], cities=[20, 22, 35, 45]).cards(CEM, knight=1).main()
    tracker = followed(Gain(CEM, PRICE), BuyDevCard(CEM), EndTurn(CEM), observer=BOB)
    assert abs(frequencies(deals(tracker, state._states, BOB, 400, seed=1)["dev"][:, CEM])[0, 1, 0, 0, 0] - 5 / 25) < 0.07


@plain
def test_new_cards_are_those_of_this_turn():
    """Ann bought a card before and one now; a knight was played: the card that is left is the new one."""
    state = Table(3).bought(ANN, monopoly=1).played(ANN, knight=1).main()
    buys = Gain(ANN, PRICE), BuyDevCard(ANN), EndTurn(ANN), Gain(ANN, PRICE), BuyDevCard(ANN), PlayDevCard(ANN, "knight")
    dealt = deals(followed(*buys, observer=CEM), state._states, CEM, 300, seed=5)
    assert (dealt["new_dev"] == dealt["dev"][:, ANN]).all()
    assert abs(dealt["new_dev"][:, KNIGHT].mean() - 13 / 24) < 0.1
    own = deals(followed(*buys[:-2], BuyDevCard(ANN, "monopoly"), buys[-1], observer=ANN), state._states, ANN, 20, seed=5)
    assert frequencies(own["new_dev"]) == {(0, 0, 0, 0, 1): 1.0}


# --- hands ----------------------------------------------------------------------------------------------------


@plain
def test_a_card_being_drawn_is_paid_for():
    """Ann has bought a card that is not drawn yet. Whatever Bob stole before, she had the price."""
    state = Table(3).give(ANN, wood=3, sheep=1, wheat=1, ore=1).give(BOB, wood=1).main(player=ANN)
    tracker = followed(Gain(ANN, PRICE.plus(Cards(wood=4))), Steal(BOB, ANN), observer=CEM)
    assert tracker.world_count == 4
    bought = state.apply(buy_dev_card())
    assert bought._states["phase"][0] == DRAWING
    dealt = deals(tracker, bought._states, CEM, 50, seed=1)
    assert dealt.tobytes() == np.repeat(np.asarray(bought._states), 50).tobytes()
    assert (uniform_deals(bought._states, CEM, 50, seed=1)["hand"][:, ANN].sum(axis=1) == 3).all()


@plain
def test_the_bank_and_an_offer_are_evidence():
    """Ann discarded a card that nobody saw: the bank shows which. Then she offers wood, which Bob has stolen or not."""
    gain = Gain(ANN, Cards(wood=1, brick=1, ore=1))
    tracker = followed(gain, Discard(ANN, count=1))
    assert tracker.world_count == 3
    state = Table(3).give(ANN, wood=1, brick=1).main(player=ANN)
    assert frequencies(deals(tracker, state._states, CEM, 20, seed=1)["hand"][:, ANN]) == {(1, 1, 0, 0, 0): 1.0}
    tracker = followed(gain, Steal(BOB, ANN))
    state = Table(3).give(ANN, wood=1, ore=1).give(BOB, brick=1).main(player=ANN)
    assert len(frequencies(deals(tracker, state._states, CEM, 50, seed=1)["hand"][:, BOB])) == 3
    offered = state.apply(offer_trade({"wood": 1}, {"brick": 1}))
    assert set(frequencies(deals(tracker, offered._states, CEM, 50, seed=1)["hand"][:, BOB])) == {
        (0, 1, 0, 0, 0),
        (0, 0, 0, 0, 1),
    }
    accepted = offered.apply(Action("accept_offer", {}))
    assert set(frequencies(deals(tracker, accepted._states, CEM, 50, seed=1)["hand"][:, BOB])) == {(0, 1, 0, 0, 0)}
    for seed in range(20):
        assert (uniform_deals(accepted._states, CEM, 5, seed)["hand"][:, BOB] == [0, 1, 0, 0, 0]).all()


@plain
def test_all_deals_of_unseen_cards_are_equally_likely_without_a_history():
    """Ann holds two of the cards wood, sheep, ore, Bob the third."""
    state = Table(3).give(ANN, wood=1, sheep=1).give(BOB, ore=1).give(CEM, brick=2).main(player=CEM)
    dealt = uniform_deals(state._states, CEM, 600, seed=4)
    assert (dealt["hand"][:, CEM] == [0, 2, 0, 0, 0]).all()
    assert all(abs(dealt["hand"][:, BOB, kind].mean() - 1 / 3) < 0.08 for kind in (0, 2, 4))


# --- never the truth ------------------------------------------------------------------------------------------

GAMES = {
    "two": (2, ["builder", "random"], Rules(victory_points=8)),
    "three": (3, ["builder"] * 3, Rules(discard_limit=4)),
    "four": (1, ["builder"] * 4, Rules()),
    "random": (5, ["random"] * 4, Rules(max_turns=40)),
}
WALKS = {
    "phased": Walk(3, 21, "builds", Rules(max_turns=60, phased_turns=True, victory_points=6)),
    "offers": Walk(4, 22, "odd offers", Rules(max_turns=40)),
    "kinds": Walk(2, 23, "any kind", Rules(max_turns=60)),
}


@cache
def recorded(name: str) -> Record:
    if name in WALKS:
        return WALKS[name].record()
    seed, bots, rules = GAMES[name]
    return simulate(Board.random(seed), bots, seed, rules)


@cache
def positions(name: str) -> list[States]:
    """The position before each step."""
    return [states.copy() for states in recorded(name).states()][:-1]


def steps_of(name: str, every: int) -> list[int]:
    """Some steps of all kinds: one of each phase in each stretch of the game."""
    found: dict[tuple[int, int], int] = {}
    for step, states in enumerate(positions(name)):
        found.setdefault((step // every, int(states["phase"][0])), step)
    return sorted(found.values())


def other_outcome(states: States, code: int, seat: int) -> int | None:
    """Another outcome of chance that looks to a seat like this one."""
    if game.actor_at(states, 0) != CHANCE:
        return None
    alike = (a for a in game.legal_actions(states) if game.seen_at(states, 0, a, seat) == game.seen_at(states, 0, code, seat))
    return next((a for a in alike if a != code), None)


@pytest.mark.parametrize("name", ["three", "four"])
def test_another_truth_that_looks_alike_gives_the_same_draws(name):
    record, seat, compared = recorded(name), 1, Counter[str]()
    for step, code in enumerate(record.codes[:-1]):
        other = other_outcome(positions(name)[step], code, seat)
        kind = Action.from_code(code).kind
        if other is None or compared[kind] == 4:
            continue
        twin = replace(record, codes=(*record.codes[:step], other))
        states = [*twin.states()][-1]
        if game.actor_at(states, 0) == OVER:
            continue
        truth = positions(name)[step + 1]
        assert truth.tobytes() != states.tobytes()
        found = deals(belief_at(record, step + 1, seat), truth, seat, 40, seed=step)
        assert deals(belief_at(twin, step + 1, seat), states, seat, 40, seed=step).tobytes() == found.tobytes()
        assert uniform_deals(states, seat, 40, seed=2).tobytes() == uniform_deals(truth, seat, 40, seed=2).tobytes()
        compared[kind] += 1
    assert compared["drawn"] == 4
    assert compared["stolen"] > 0


@pytest.mark.parametrize("name", ["two", "four", "phased"])
def test_a_draw_is_as_good_a_source_as_the_truth(name):
    record, seat = recorded(name), 0
    for step in steps_of(name, len(record.codes) // 3)[::3]:
        tracker = belief_at(record, step, seat)
        found = deals(tracker, positions(name)[step], seat, 30, seed=9)
        for i in (0, 29):
            assert deals(tracker, found[i : i + 1], seat, 30, seed=9).tobytes() == found.tobytes()


# --- always a position ----------------------------------------------------------------------------------------


def check_positions(dealt: States) -> None:
    """No card is lost, none is there twice, and all sums are right."""
    assert (dealt["bank"] + dealt["hand"].sum(axis=1) == SUPPLY).all()
    assert (dealt["deck"] + dealt["dev"].sum(axis=1) + dealt["played"].sum(axis=1) == DECK).all()
    for size, cards in (("hand_size", "hand"), ("dev_size", "dev"), ("new_dev_size", "new_dev"), ("deck_size", "deck")):
        assert (dealt[size] == dealt[cards].sum(axis=-1)).all()
        assert dealt[cards].min() >= 0
    assert (dealt["new_dev"] <= dealt["dev"][np.arange(len(dealt)), dealt["player"]]).all()


def check_legal(dealt: States) -> None:
    """The player on turn has not won, and what was offered and accepted is there."""
    for i in range(len(dealt)):
        row = game.to_dict(dealt, i)
        assert points_of(row, row["player"])[1] < row["victory_points"]
        assert all(held >= n for held, n in zip(row["hand"][row["player"]], row["offer"], strict=True))
        accepted = [hand for hand, answer in zip(row["hand"], row["answers"], strict=True) if answer == ACCEPTED]
        assert all(held >= -n for hand in accepted for held, n in zip(hand, row["offer"], strict=True))


def play_on(states: States, seed: int) -> States:
    xs = GAME.scratches()
    reseed_at(xs, 0, uint64(seed))
    states = states.copy()
    for _ in range(300):
        if game.actor_at(states, 0) == OVER:
            break
        code = decide_at(states, 0, xs, 0)
        assert game.why_not_at(states, 0, code) == 0
        game.apply_at(states, 0, code)
    return states


def check_step(name: str, step: int, seat: int, n: int) -> None:
    truth, tracker = positions(name)[step], belief_at(recorded(name), step, seat)
    for dealt in (deals(tracker, truth, seat, n, seed=step), uniform_deals(truth, seat, n, seed=step)):
        assert {view(dealt[i : i + 1], seat) for i in range(n)} == {view(truth, seat)}
        check_positions(dealt)
        check_legal(dealt)
        if game.actor_at(truth, 0) == seat:
            assert game.legal_actions(dealt, n - 1) == game.legal_actions(truth)
        check_positions(play_on(dealt[:1], seed=step))


@pytest.mark.parametrize("name", [*GAMES, *WALKS])
def test_every_deal_is_a_position_that_looks_the_same(name):
    for step in steps_of(name, max(60, len(recorded(name).codes) // 4)):
        check_step(name, step, seat=step % len(recorded(name).seats), n=8)


def test_these_steps_are_of_every_kind():
    """The games above wait for everything that a game can wait for."""
    met = {int(states["phase"][0]) for name in (*GAMES, *WALKS) for states in positions(name)}
    assert met == set(range(GAME_OVER))


@pytest.mark.untraced
@plain
def test_the_deals_of_a_short_game_are_positions():
    for step in steps_of("kinds", 100)[:8]:
        check_step("kinds", step, seat=step % 2, n=3)


# --- the belief -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*GAMES, *WALKS])
def test_the_belief_at_a_step_is_what_the_seat_saw_until_then(name):
    record = recorded(name)
    for seat in range(len(record.seats)):
        whole = events_of(record, seat).events
        for step in range(0, len(record.codes), len(record.codes) // 3):
            tracker, row = belief_at(record, step, seat), game.to_dict(positions(name)[step])
            if row["discards"] == [0] * 4:  # a discard that goes on is one event in the end
                assert tracker.events == whole[: len(tracker.events)]
            assert (tracker.observer, tracker.config.victory_points) == (seat, record.rules.victory_points)
            assert not tracker.approximate
            if row["phase"] != DRAWING:
                assert tracker.hand(seat) == Cards(*row["hand"][seat])
                assert [tracker.total(p).most_likely for p in range(row["seats"])] == row["hand_size"][: row["seats"]]
            own = [marginal.most_likely for marginal in tracker.dev_cards(seat).values()]
            assert own == row["dev"][seat]
            assert all(len(marginal.distribution) == 1 for marginal in tracker.dev_cards(seat).values())


def test_the_whole_record_is_a_belief_too():
    record = recorded("four")
    assert belief_at(record, len(record.codes), 0).events == events_of(record, 0).events
    for step in (-1, len(record.codes) + 1):
        with pytest.raises(ValueError, match=rf"step {step}: expected 0 to {len(record.codes)}"):
            belief_at(record, step, 0)


# --- seeds ----------------------------------------------------------------------------------------------------


def test_draws_depend_on_their_number_and_the_seed_alone():
    record = recorded("four")
    step = max(range(300, len(record.codes)), key=lambda step: int(positions("four")[step]["dev_size"][0].sum()))
    truth, tracker = positions("four")[step], belief_at(record, step, 1)
    found = deals(tracker, truth, 1, 200, seed=6)
    assert deals(belief_at(record, step, 1), truth, 1, 200, seed=6).tobytes() == found.tobytes()
    assert deals(tracker, truth, 1, 37, seed=6).tobytes() == found[:37].tobytes()
    assert deals(tracker, truth, 1, 200, seed=7).tobytes() != found.tobytes()
    uniform = uniform_deals(truth, 1, 200, seed=6)
    assert uniform_deals(truth, 1, 37, seed=6).tobytes() == uniform[:37].tobytes()
    assert uniform_deals(truth, 1, 200, seed=7).tobytes() != uniform.tobytes()
    assert len(deals(tracker, truth, 1, 0, seed=6)) == len(uniform_deals(truth, 1, 0, seed=6)) == 0


# --- what does not fit ----------------------------------------------------------------------------------------


@plain
def test_a_belief_and_a_position_must_fit_together():
    states = Table(3).give(ANN, wood=2).main(player=ANN)._states
    wood = Gain(ANN, Cards(wood=2))
    assert len(deals(followed(wood), states, BOB, 2, seed=0)) == 2
    with pytest.raises(ValueError, match="the belief is about 2 players, the position has 3"):
        deals(HandTracker(2), states, BOB, 2, seed=0)
    with pytest.raises(ValueError, match="the belief is that of seat 0, not of seat 1"):
        deals(HandTracker(3, observer=ANN), states, BOB, 2, seed=0)
    with pytest.raises(
        ValueError, match="no possible world has 17 wood in the bank, 2 cards with Player 1; possible: 19 wood, 0 cards"
    ):
        deals(HandTracker(3), states, BOB, 2, seed=0)
    with pytest.raises(ValueError, match="do not agree about the development cards"):
        deals(followed(wood, Gain(BOB, PRICE), BuyDevCard(BOB)), states, BOB, 2, seed=0)
    with pytest.raises(ValueError, match="seat 3: expected 0 to 2"):
        uniform_deals(states, 3, 2, seed=0)


def test_a_game_that_is_over_is_not_played_on():
    record = recorded("two")
    end = [*record.states()][-1]
    with pytest.raises(ValueError, match="the game is over"):
        deals(belief_at(record, len(record.codes), 0), end, 0, 2, seed=0)
    with pytest.raises(ValueError, match="the game is over"):
        uniform_deals(end, 0, 2, seed=0)
