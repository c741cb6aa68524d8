"""Turns by themselves: their paths, their solutions, what both players know after them, and the bot that plays so."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from kibitz import game
from kibitz.coup.blueprint import spots, sweep
from kibitz.coup.blueprint.lone import NOT_SHOWN, PATHS
from kibitz.coup.blueprint.matrices import ANSWERS_BEST, LEARNS, PLAYS
from kibitz.coup.blueprint.turns import legal_action
from kibitz.coup.core.cards import weights
from kibitz.coup.core.engine import GAME
from kibitz.coup.core.policy import EQUILIBRIUM, HEURISTIC
from kibitz.coup.core.sets import LAYERS, PAIR_NUMBER
from kibitz.coup.core.state import (
    ACTION,
    ASSASSINATE,
    COPIES,
    COST,
    COUP,
    DO_COUP,
    DO_SHOW,
    EXCHANGE,
    GAME_OVER,
    INFLUENCES,
    KINDS,
    PAIRS,
    RETURN,
    SHOW,
    Rules,
    new_states,
)
from kibitz.coup.resolving import network, table, turns
from kibitz.coup.resolving.network import OUTPUTS, VARIANT, Network, judge, named, read, shipped
from kibitz.coup.resolving.player import Resolver, answers_of, step_on_unshown
from kibitz.coup.resolving.table import START, TREMBLE, Start, Table, counted, number_of, public_start, step_on
from kibitz.coup.resolving.turns import BEGIN, ENDS, FEATURES, GO_BACK, LEAD, LOOK_AHEAD, QUESTIONS, SETTLE, SLOTS, VALUE
from kibitz.game import CHANCE, OVER, legal_actions, to_dict
from kibitz.game.doors import decide_at, redeal_at, reseed_at
from kibitz.game.tables import InvalidTable, TableFile
from kibitz.ground.jit import COMPILED, uint64
from kibitz.play.bots import Bot, PolicyPlayer, policy_bot
from kibitz.play.match import Table as Match
from kibitz.play.match import play_game
from tests.coup.positions import do, position
from tests.coup.test_sweep import returned


def any_network(width=8):
    """One that has learned nothing."""
    numbers = np.random.default_rng(3)

    def floats(*shape):
        return (numbers.standard_normal(shape) / 4).astype(np.float32)

    return Network(
        floats(FEATURES, width), floats(width), floats(width, width), floats(width), floats(width, OUTPUTS), floats(OUTPUTS)
    )


NETWORK = any_network()


@pytest.fixture(scope="module")
def returns():
    """What exchanges make of hands, if anything is returned."""
    made = np.zeros(spots.CLASSES * spots.ALL_KEPT, np.float32)
    sweep.spread(sweep.begin_returns(), sweep.every_draw(), made)
    return made


@pytest.fixture
def solved(monkeypatch, returns):
    """A table; the blueprint's exchanges are too much for plain Python."""
    monkeypatch.setattr(table, "exchanges", lambda: returns)
    return Table(NETWORK)


def tilted(mine, theirs, lost, seed):
    """What both might believe of hands: each more or less likely than by counting cards."""
    likely, numbers = counted(mine, theirs, lost), np.random.default_rng(seed)
    n, m = likely.shape
    likely = likely * np.exp(numbers.standard_normal(n))[:, None] * np.exp(numbers.standard_normal(m))
    return (likely / likely.sum()).astype(np.float32)


class Turn:
    """A turn by itself, whose ends may have a fixed worth."""

    def __init__(self, position, start, returns, tremble=TREMBLE):
        self.t, self.desk = turns.new_turns(1), turns.new_desk(returns, tremble)
        self.t.position[0], self.shape = position, start.shape
        self.t.start[0, : start.size] = start.ravel()
        self._seen, self._root = np.zeros((ENDS, FEATURES), np.float32), np.zeros(FEATURES, np.float32)
        self.act(BEGIN)

    def act(self, what, number=0, times=1):
        turns.act(self.t, 0, self.desk, what, self._seen, self._root, number, times)

    def learn(self, walks):
        """The average strategies after so many walks."""
        self.act(GO_BACK, 1, walks)
        self.act(SETTLE)

    def worth(self, mine=PLAYS, theirs=PLAYS):
        """[hands, hands of the other] of the turn, as it is played now or as somebody answers best."""
        how = self.t.how.copy()
        self.desk.learning[:] = mine, theirs
        self.act(VALUE)
        self.t.how[:], self.desk.learning[:] = how, LEARNS
        n, m = self.shape
        return self.t.after[0, : n * m].reshape(n, m).copy()

    @property
    def gaps(self):
        """What either side gains at most by other answers."""
        start = self.t.start[0, : self.shape[0] * self.shape[1]].reshape(self.shape)
        played = (start * self.worth()).sum()
        return (
            float((start * self.worth(mine=ANSWERS_BEST)).sum() - played),
            float(played - (start * self.worth(theirs=ANSWERS_BEST)).sum()),
        )

    def asked(self):
        """By path: the strategy [answers, hands]."""
        rows = self.t.asked[0, : self.t.met[0, 1], :4].tolist()
        return {path: self.t.how[0, at : at + n * hands].reshape(n, hands) for at, n, hands, path in rows}

    def ends(self):
        """By path: the number of the end."""
        return {path: e for e, path in enumerate(self.t.ends[0, : self.t.met[0, 2], 5].tolist())}


# --- paths --------------------------------------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize(("mine", "theirs"), [(2, 2), (2, 1), (1, 2), (1, 1)])
def test_every_question_and_every_end_has_a_path_of_its_own(returns, mine, theirs):
    purses = list(product(range(13), (0, 1, 2, 12))) if COMPILED else [(3, 2)]
    for coins, coins_too in purses:
        turn = Turn((mine, theirs, 0, coins, coins_too), counted(mine, theirs, 0), returns)
        slots, questions, ends = turn.t.met[0, :3].tolist()
        assert slots <= SLOTS
        assert 0 < questions <= QUESTIONS
        assert ends <= ENDS
        assert (ends == 0) == (theirs == 1 and coins >= COST[COUP])  # who can win at once does
        asked, over = turn.asked(), turn.ends()
        assert len(asked) == questions
        assert len(over) == ends
        assert not set(asked) & set(over)
        assert min([*asked, *over]) >= START
        for path, how in asked.items():
            legal = [path != START or legal_action(a, coins, coins_too, theirs) for a in range(len(how))]
            assert np.allclose(how.sum(axis=0), 1, atol=1e-6)
            assert (how[legal] > 0).all()
            assert not how[np.logical_not(legal)].any()


def decided(row, seat):
    """Whether there is something to decide that the solution of a turn answers."""
    if row["phase"] == RETURN:
        return False
    if row["phase"] == SHOW:
        doomed = row["action"] == ASSASSINATE and row["blocker"] == seat
        return row["hand"][seat][row["claim"]] == 0 and not doomed
    return True


def possible(start):
    """[hands, hands of the other] whether the cards allow them."""
    mine, theirs, lost, *_ = start.position
    gone = spots.GONE[4 - mine - theirs, lost]
    n, m = start.likely.shape
    held, too = np.array(spots.HELD[mine - 1][:n]), np.array(spots.HELD[theirs - 1][:m])
    return (held[:, None] + too[None] + gone <= COPIES).all(axis=2)


@pytest.mark.parametrize("seed", range(4))
def test_a_turn_has_a_place_for_every_step_of_a_game(solved, seed):
    """Whatever two players do at random is asked for, and leads where the rules lead."""
    xs, asked, ended = GAME.scratches(), set(), 0
    for number in range(40):
        states, start, path = new_states(), None, None
        reseed_at(xs, 0, uint64(1000 * seed + number))
        while (seat := game.actor_at(states, 0)) != OVER:
            row = to_dict(states)
            if row["phase"] == ACTION:
                start = start or public_start(states)
                solved.solve(start, walks=1 + row["turn"] % 3)
                path = START
            legal = legal_actions(states) if seat != CHANCE else []
            if path and len(legal) > 1 and decided(row, seat):
                shown = row["phase"] == SHOW
                how = solved.question(step_on_unshown(path) if shown else path)
                hands, hand = 15 if row["influence"][seat] == 2 else 5, number_of(row["hand"][seat])
                assert how.shape == (len(answers_of(row, seat)), hands)
                assert np.allclose(how.sum(axis=0), 1, atol=1e-5)
                assert (how >= 0).all()
                if row["phase"] != ACTION or row["coins"][seat] < COST[COUP] or row["influence"][1 - seat] == 2:
                    impossible = [code not in legal for code in answers_of(row, seat)]
                    assert not how[impossible, hand].any()
                    assert (how[:, hand] > 0).any()
                asked.add((row["phase"], row["action"], len(how)))
            code = int(decide_at(states, 0, xs, 0))
            before = states.copy()
            game.apply_at(states, 0, code)
            if path:
                path = step_on(path, before, code)
            if row["phase"] == ACTION and legal[-1] >= DO_COUP and row["influence"][1 - seat] == 1 <= row["coins"][seat] // 7:
                path = None  # whoever can win and does not, leaves what was solved
            if int(states["turn"][0]) > row["turn"] and game.actor_at(states, 0) != OVER:
                start = solved.after(path) if path else None
                if path and row["turn"] > 0:
                    ended += 1
                    assert start.position == public_start(states).position
                    assert float(start.likely.sum()) == pytest.approx(1, abs=1e-5)
                    assert ((start.likely > 0) == possible(start)).all()
    assert ended > 100
    assert len(asked) > 12


# --- solutions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("position", [(2, 2, 0, 4, 3), (1, 2, 2, 3, 5), (2, 1, 3, 6, 1), (1, 1, 7, 3, 2)])
def test_the_longer_a_turn_is_solved_the_less_can_be_gained(returns, position):
    numbers = np.random.default_rng(5)
    worth = numbers.uniform(-1, 1, (ENDS, turns.PAIRS_OF_HANDS)).astype(np.float32)
    found = []
    for walks in (20, 400):
        turn = Turn(position, tilted(*position[:3], seed=4), returns, tremble=1e-6)
        turn.t.worth[0] = worth
        turn.learn(walks)
        found.append(turn.gaps)
    (few, few_too), (many, many_too) = found
    assert -1e-5 < many < 5e-4
    assert -1e-5 < many_too < 5e-4
    assert many + many_too < 0.1 * (few + few_too)


def test_a_solution_says_where_it_leads_and_what_could_be_gained():
    solution, found = Table(NETWORK), []
    for walks in (4, 64):
        solution.solve(Start((2, 2, 0, 1, 0), counted(2, 2, 0)), walks)  # nobody can lose two cards: nothing can be stolen
        leads, (mover, other) = solution.ends(), solution.gains()
        assert sum(leads.values()) == pytest.approx(1, abs=1e-4)
        assert all(solution.after(path).position[:2] in {(2, 2), (1, 2), (2, 1)} for path in leads)
        assert min(mover, other) > -1e-6
        found.append(mover + other)
    assert found[1] < found[0] / 2
    solution.solve(Start((1, 1, 4, 7, 2), counted(1, 1, 4)), 4)  # a coup that wins
    assert solution.ends() == {}


class ByHand:
    """A turn between single cards by the rules, with each pair of hands: all the ways that it can go."""

    def __init__(self, turn, states, returns):
        self.turn, self.ends, self.returns = turn, turn.ends(), returns
        self.ways = {}
        for p, r in product(range(KINDS), range(KINDS)):
            dealt = states.copy()
            dealt["hand"][0, :2] = np.eye(KINDS, dtype=np.int8)[[p, r]]
            dealt["deck"][0] = COPIES - dealt["hand"][0].sum(axis=0) - dealt["revealed"][0].sum(axis=0)
            if (dealt["deck"] >= 0).all():
                self.ways[p, r] = list(self.walk(dealt, START, 1.0, ()))

    def walk(self, states, path, chance, answers):
        """Each way: its chance, who gave which answer to which question, and what it is worth."""
        row, seat = to_dict(states), game.actor_at(states, 0)
        if row["phase"] == GAME_OVER:
            yield chance, answers, 1.0 if row["winner"] == 0 else -1.0
            return
        if row["turn"] > 1:
            mine, theirs = (number_of(row["hand"][k]) for k in (0, 1))
            yield chance, answers, -float(self.turn.t.worth[0, self.ends[path], theirs * KINDS + mine])
            return
        for code, k, odds in self.choices(states, row, seat):
            after = states.copy()
            game.apply_at(after, 0, code)
            yield from self.walk(
                after, step_on(path, states, code), chance * odds, (*answers, *([(seat, path, k)] if k is not None else []))
            )

    def choices(self, states, row, seat):
        """What may be done: its code, and the number of the answer, or None and how likely it is."""
        if seat == CHANCE:
            xs = GAME.scratches()
            n = weights(states[0], xs[0])
            ways = xs["weights"][0][:n]
            return [(int(xs["actions"][0][e]), None, ways[e] / ways.sum()) for e in range(n)]
        if row["phase"] == RETURN:
            return [(code, None, odds) for code, odds in returned(states, seat, self.returns)]
        if row["phase"] == SHOW and row["hand"][seat][row["claim"]]:
            return [(DO_SHOW + row["claim"], None, 1.0)]
        legal = legal_actions(states)
        if len(legal) == 1:
            return [(legal[0], None, 1.0)]
        return [(code, k, 1.0) for k, code in enumerate(answers_of(row, seat)) if code in legal]

    def best(self, seat, start):
        """For each hand of a seat the most that any strategy brings against those of the other, which are mixed."""
        how = self.turn.asked()
        most = []
        for hand in range(KINDS):
            ways, own = [], {}
            for (p, r), found in self.ways.items():
                if (p, r)[seat] != hand:
                    continue
                for chance, answers, worth in found:
                    odds = chance * float(start[p, r])
                    for who, path, k in answers:
                        if who == seat:
                            own.setdefault(path, set()).add(k)
                        else:
                            odds *= float(how[path][k, (p, r)[who]])
                    ways.append((odds * (worth if seat == 0 else -worth), [(q, k) for who, q, k in answers if who == seat]))
            best = max(
                (
                    sum(worth for worth, answers in ways if all(pure[q] == k for q, k in answers))
                    for pure in (dict(zip(own, chosen, strict=True)) for chosen in product(*own.values()))
                ),
                default=0.0,
            )
            most.append(best)
        return most


@pytest.mark.plain
@pytest.mark.parametrize(("mine", "theirs", "coins"), [("D/C", "T/A", (3, 2)), ("A/M", "M/M", (2, 0))])
def test_the_best_answers_are_those_of_the_best_of_all_strategies(returns, mine, theirs, coins):
    states = position(mine, theirs, coins=list(coins))
    at, start = public_start(states).position, tilted(1, 1, table.lost_of(states), seed=2)
    turn = Turn(at, start, returns, tremble=1e-6)
    turn.t.worth[0] = np.random.default_rng(6).uniform(-1, 1, turn.t.worth[0].shape)
    turn.learn(4)
    by_hand = ByHand(turn, states, sweep.begin_returns())
    for seat, sides in enumerate([(ANSWERS_BEST, PLAYS), (PLAYS, ANSWERS_BEST)]):
        found = (start * turn.worth(*sides)).sum(axis=1 - seat) * (1 if seat == 0 else -1)
        assert found == pytest.approx(by_hand.best(seat, start), abs=1e-5)
    assert min(turn.gaps) > 0.001


@pytest.mark.plain
def test_a_turn_can_be_led_through_by_any_strategy(returns):
    """`LEAD` is the walk down alone, by the strategy as it stands."""
    turn = Turn((1, 1, 4, 3, 2), tilted(1, 1, 4, seed=1), returns, tremble=0.0)
    turn.act(LEAD)
    before = turn.t.mass[0].sum(axis=1).copy()
    turn.asked()[START][:] = np.eye(7)[0][:, None]  # everybody takes income
    turn.act(LEAD)
    after = turn.t.mass[0].sum(axis=1)
    assert 0 < before.sum() < 1
    assert np.flatnonzero(after).tolist() == [turn.ends()[START * PATHS + 1]]
    assert after.sum() == pytest.approx(1, abs=1e-5)


# --- what both know -----------------------------------------------------------------------------------------

PLAYS_OF_A_TURN = 16_000


def lots(numbers):
    """Numbers from 0 to 1, for ever."""
    while True:
        yield from numbers.random(1 << 16).tolist()


@pytest.mark.skipif(not COMPILED, reason="tens of thousands of turns")
@pytest.mark.parametrize(
    ("mine", "theirs", "coins", "walks"),
    [("DD", "AC", (4, 2), 2), ("DD", "A/C", (3, 1), 3), ("T/M", "CC", (3, 3), 2), ("T/M", "CC", (3, 3), 1)],
)
def test_what_is_believed_after_a_turn_is_what_happens(mine, theirs, coins, walks):
    """By Bayes without a formula: hands are dealt as believed, and everybody answers by the solution."""
    states, solution = position(mine, theirs, coins=list(coins)), Table(NETWORK)
    at = public_start(states).position
    start = Start(at, tilted(*at[:3], seed=8))
    solution.solve(start, walks)  # after one, everybody does anything
    numbers, xs = np.random.default_rng(9), GAME.scratches()
    xs["policy"] = EQUILIBRIUM
    luck, steps, met = lots(numbers), {}, {}
    held = [PAIRS if size == 2 else [(card,) for card in range(KINDS)] for size in at[:2]]
    flat = start.likely.ravel().astype(float)
    for number, pair in enumerate(numbers.choice(flat.size, PLAYS_OF_A_TURN, p=flat / flat.sum()).tolist()):
        dealt, path = states.copy(), START
        reseed_at(xs, 0, uint64(number))
        dealt["hand"][0, :2] = 0
        for seat, hand in enumerate((held[0][pair // len(held[1])], held[1][pair % len(held[1])])):
            np.add.at(dealt["hand"][0, seat], list(hand), 1)
        dealt["deck"][0] = COPIES - dealt["hand"][0].sum(axis=0) - dealt["revealed"][0].sum(axis=0)
        while int(dealt["turn"][0]) == 1 and (seat := game.actor_at(dealt, 0)) != OVER:
            phase = int(dealt["phase"][0])
            if seat == CHANCE or phase == RETURN:
                code = int(decide_at(dealt, 0, xs, 0))
            else:
                code = answer(dealt, seat, solution, path, luck)
            key = path, phase, code
            if key not in steps:
                steps[key] = step_on(path, dealt, code)
            path = steps[key]
            game.apply_at(dealt, 0, code)
        if int(dealt["turn"][0]) > 1:
            hands = [number_of(dealt["hand"][0, seat].tolist()) for seat in (1, 0)]
            met.setdefault(path, []).append(hands[0] * solution.after(path).likely.shape[1] + hands[1])
    shown = np.base_repr(NOT_SHOWN + 1, PATHS)
    for part in (list(met), [path for path in met if shown in np.base_repr(path, PATHS)]):
        distance, free = 0.0, 0
        for path in part:
            expected = solution.after(path).likely.ravel().astype(float) * len(met[path])
            seen, many = np.bincount(met[path], minlength=expected.size), expected >= 5
            distance += ((seen - expected)[many] ** 2 / expected[many]).sum()
            free += int(many.sum())
            assert (expected > 0)[seen > 0].all()
        assert free > 8
        assert distance < free + 3 * (2 * free) ** 0.5
    assert START * PATHS + 1 + EXCHANGE in {path // PATHS for path in met}


def answer(states, seat, solution, path, luck):
    """What a player does by the solution, but now and then anything."""
    row, legal = to_dict(states), legal_actions(states)
    if row["phase"] == SHOW and row["hand"][seat][row["claim"]]:
        return DO_SHOW + row["claim"]
    if len(legal) == 1:
        return legal[0]
    how = solution.question(step_on_unshown(path) if row["phase"] == SHOW else path)
    if how is None:
        return legal[0]
    codes, hand = answers_of(row, seat), number_of(row["hand"][seat])
    if next(luck) < TREMBLE:
        return legal[int(next(luck) * len(legal))]
    at = next(luck)
    for code, share in zip(codes, how[:, hand].tolist(), strict=True):
        at -= share
        if at < 0:
            return code
    return codes[-1] if codes[-1] in legal else legal[0]


# --- the bot ------------------------------------------------------------------------------------------------

RESOLVER = Bot("resolver", lambda: Resolver(NETWORK, walks=4))
SPARE = Bot("spare", lambda: PolicyPlayer(EQUILIBRIUM))


@pytest.mark.skipif(not COMPILED, reason="whole games")
def test_the_same_seed_is_the_same_game():
    games = [play_game(GAME, new_states(), [RESOLVER, policy_bot("h", HEURISTIC)], seed).codes for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]


@pytest.mark.skipif(not COMPILED, reason="whole games")
def test_a_game_that_is_played_again_from_its_steps_goes_on_in_the_same_way():
    """A server that was restarted shows a player all steps, and asks nothing."""
    match = Match(GAME, new_states(), [policy_bot("h", HEURISTIC)] * 2, 6)
    asked, shown = RESOLVER.player(), RESOLVER.player()
    for player in (asked, shown):
        player.begin(GAME, 0, match.view(0), 7)
    compared = 0
    while match.actor != OVER:
        before = match.view(0).copy()
        chosen = asked.decide(before) if match.actor == 0 else None
        if chosen is not None and int(before["turn"][0]) > 6 and len(legal_actions(before)) > 1:
            assert shown.decide(before) == chosen
            compared += 1
        match.step()
        for player in (asked, shown):
            player.saw(before, match.codes[-1], match.view(0))
    assert compared > 2


@pytest.mark.skipif(not COMPILED, reason="whole games")
def test_nothing_depends_on_hidden_cards_and_both_know_the_same():
    """Each is even shown other cards of its opponent, and takes no notice; what is known in public both know alike."""
    xs, compared, beliefs = GAME.scratches(), 0, 0
    for seed in range(6):
        made = []

        def sits(made=made):
            made.append(Resolver(NETWORK, walks=4))
            return made[-1]

        match = Match(GAME, new_states(), [Bot("resolver", sits)] * 2, seed)
        while match.actor != OVER:
            seat = match.actor
            if seat != CHANCE and len(legal_actions(match.states)) > 1:
                known = made[seat].mixture(match.view(seat))
                for number in range(3):
                    world = match.states.copy()
                    reseed_at(xs, 0, uint64(number))
                    redeal_at(world, 0, xs, 0, seat)
                    assert made[seat].mixture(world) == known
                    compared += 1
            match.step()
            one, other = (resolver._start for resolver in made)
            assert made[0]._path == made[1]._path
            assert (one is None) == (other is None)
            if one is not None:
                assert one.position == other.position
                assert (one.likely == other.likely).all()
                beliefs += 1
    assert compared > 100
    assert beliefs > 100


@pytest.mark.skipif(not COMPILED, reason="whole games")
@pytest.mark.parametrize(
    ("seats", "rules"),
    [(3, Rules()), (2, Rules(steal_from_zero=True)), (2, Rules(refund_on_caught_bluff=False)), (6, Rules(max_turns=50))],
)
def test_where_it_does_not_serve_it_plays_as_equilibrium(seats, rules):
    for seed in range(4):
        start = new_states(seats, rules)
        games = [play_game(GAME, start, [bot, *[policy_bot("h", HEURISTIC)] * (seats - 1)], seed) for bot in (RESOLVER, SPARE)]
        assert games[0].codes == games[1].codes


def both(view, seat, seed):
    """What the resolver and the blueprint do."""
    found = []
    for bot in (RESOLVER, SPARE):
        playing = bot.player()
        playing.begin(GAME, seat, view, seed)
        found.append(playing.decide(view))
    return found


@pytest.mark.skipif(not COMPILED, reason="asks the blueprint")
def test_the_last_turns_and_exchanges_are_those_of_equilibrium():
    limit = 40
    early = set()
    for turn in (limit - LAYERS, limit - LAYERS + 1, limit):
        view = position("D/A", "C/M", coins=[5, 4], turn=turn, rules=replace(Rules(), max_turns=limit))
        same = [np.subtract(*both(view, 0, seed)) == 0 for seed in range(40)]
        early.add(all(same))
        assert all(same) or turn == limit - LAYERS
    assert early == {False, True}
    drawn = do(position("MT", "CA"), "exchange", "allow", "drawn duke captain")
    assert all(np.subtract(*both(drawn, 0, seed)) == 0 for seed in range(20))


@pytest.mark.skipif(not COMPILED, reason="asks the blueprint")
def test_a_held_card_is_shown_and_a_coup_that_wins_is_taken():
    resolver = Resolver(NETWORK, walks=2)
    doubted = do(position("DA", "CT"), "tax", "challenge")
    resolver.begin(GAME, 0, doubted, 1)
    assert resolver.mixture(doubted) == {DO_SHOW: 1.0}
    winning = position("D/A", "C/M", coins=[7, 4])
    resolver.begin(GAME, 0, winning, 1)
    assert resolver.mixture(winning) == {DO_COUP + 1: 1.0}


@pytest.mark.skipif(not COMPILED, reason="asks the blueprint")
def test_what_is_not_known_from_its_beginning_is_left_to_the_blueprint():
    """A player who comes in the middle of a turn plays as equilibrium until the next one."""
    asked = do(position("DA", "CT"), "tax")
    resolver = Resolver(NETWORK, walks=2)
    resolver.begin(GAME, 1, asked, 1)
    assert resolver.mixture(asked) == {}
    after = do(asked, "allow")
    resolver.saw(asked, legal_actions(asked)[0], after)
    assert resolver.mixture(after)


# --- the network --------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_a_network_comes_back_from_its_file(tmp_path):
    NETWORK.file({"rounds": 3}).save(tmp_path / "made.resolver")
    back = read(tmp_path / "made.resolver")
    assert all(np.array_equal(mine, theirs) for mine, theirs in zip(NETWORK, back, strict=True))
    assert all(array.dtype == np.float32 for array in back)
    again = Network.of(NETWORK.file({}))
    assert all(np.array_equal(mine, theirs) for mine, theirs in zip(NETWORK, again, strict=True))


@pytest.mark.plain
def test_a_network_is_named_by_its_file_or_its_rules(tmp_path):
    path = tmp_path / "own.resolver"
    shipped()._replace(heads_bias=shipped().heads_bias + 1).file({}).save(path)
    assert named("2-players") is shipped()
    assert (named(str(path)).heads_bias == shipped().heads_bias + 1).all()
    with pytest.raises(InvalidTable, match=r"3-players: neither a file nor the network that comes with Kibitz \(2-players\)"):
        named("3-players")


@pytest.mark.plain
def test_files_that_are_no_network_are_refused(tmp_path):
    path, file = tmp_path / "some.resolver", NETWORK.file({})

    def refused(words):
        with pytest.raises(InvalidTable, match=words) as refusal:
            read(path)
        assert str(path) in str(refusal.value)

    refused("No such file")
    file.save(path)
    data = bytearray(path.read_bytes())
    data[-9] ^= 64
    path.write_bytes(bytes(data))
    refused("damaged")
    path.write_bytes(bytes(data[:-5]))
    refused("damaged")
    path.write_text("nothing")
    refused("not a table of Kibitz")
    TableFile("catan", VARIANT, file.layout, file.arrays).save(path)
    refused("for catan, not for coup")
    TableFile("coup", VARIANT, "00000000", file.arrays).save(path)
    refused("other information sets")
    TableFile("coup", VARIANT, file.layout, {"first": file.arrays["first"]}).save(path)
    refused("not a network of the bot resolver")
    TableFile("coup", "3-players", file.layout, file.arrays).save(path)
    refused("not a network of the bot resolver")
    TableFile("coup", VARIANT, file.layout, {**file.arrays, "heads": file.arrays["heads"][:-3]}).save(path)
    refused("not a network of the bot resolver")
    unknown = {**file.arrays, "heads_bias": np.full(OUTPUTS, np.nan, np.float32).view(np.int32)}
    TableFile("coup", VARIANT, file.layout, unknown).save(path)
    refused("not a network of the bot resolver")
    odd = {name: array.view(np.uint8)[:-1] for name, array in file.arrays.items()}
    TableFile("coup", VARIANT, file.layout, odd).save(path)
    refused("not a network of the bot resolver")


def by_numpy(net, seen, stand):
    """What the network says of a position, in sums of float64."""
    first, first_bias, second, second_bias, heads, heads_bias = (part.astype(np.float64) for part in net)
    hidden = np.maximum(np.maximum(seen.astype(np.float64) @ first + first_bias, 0) @ second + second_bias, 0)
    part = slice(network.HEADS[stand], network.HEADS[stand + 1])
    return np.clip(hidden @ heads[:, part] + heads_bias[part], -1, 1)


@pytest.mark.plain
@pytest.mark.parametrize("position", [(2, 2, 0, 4, 3), (1, 1, 7, 3, 2)] if COMPILED else [(1, 1, 7, 3, 2)])
def test_the_network_says_what_its_sums_are(returns, position):
    turn, hidden = Turn(position, tilted(*position[:3], seed=1), returns), np.zeros((2, len(NETWORK.first_bias)), np.float32)
    turn.act(LOOK_AHEAD)
    judge(turn.t, 0, NETWORK, turn._seen, hidden)
    for e in range(turn.t.met[0, 2]):
        mine, theirs = turn.t.ends[0, e, :2].tolist()
        expected = by_numpy(NETWORK, turn._seen[e], int(spots.stand(mine, theirs)))
        assert np.abs(turn.t.worth[0, e, : len(expected)] - expected).max() < 1e-4


@pytest.mark.plain
def test_the_network_sees_cards_coins_and_how_likely_hands_are():
    likely, seen = tilted(1, 2, 3, seed=1), np.zeros(FEATURES, np.float32)
    mass = np.zeros(turns.PAIRS_OF_HANDS, np.float32)
    mass[: likely.size] = likely.ravel() * 0.25  # how often play comes there makes no difference
    turns.features(np.array([1, 2, 3, 7, 0]), mass, seen)
    lost, purses = np.eye(KINDS)[3], np.eye(turns.PURSE)[[7, 0]]
    assert seen[: turns.OWN_AT].tolist() == [0, 1, *lost, *purses[0], *purses[1]]
    own, other = seen[turns.OWN_AT : turns.OWN_AT + turns.BELIEF], seen[turns.OWN_AT + turns.BELIEF :]
    assert own.tolist() == pytest.approx([*[0] * len(PAIRS), *likely.sum(axis=1)], abs=1e-6)
    assert other.tolist() == pytest.approx([*likely.sum(axis=0), *[0] * KINDS], abs=1e-6)


@pytest.mark.plain
def test_the_start_of_a_game_is_what_counting_says():
    states = position("DC", "TA", coins=[1, 2])
    start = public_start(states)
    assert start.position == (INFLUENCES, INFLUENCES, 0, 1, 2)
    assert start.likely.sum() == pytest.approx(1, abs=1e-5)
    dukes, both_dukes = (int(PAIR_NUMBER[0]), int(PAIR_NUMBER[1]))
    assert start.likely[dukes].sum() == pytest.approx(3 / 105, abs=1e-6)
    assert start.likely[dukes, dukes] == 0
    assert start.likely[both_dukes].sum() == pytest.approx(9 / 105, abs=1e-6)
