"""Records from events: the same game comes back, and an event that cannot have happened is named."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from kibitz import game
from kibitz.catan import Board, Rules
from kibitz.catan.core.actions import Action
from kibitz.catan.core.codes import DISCARD, MOVE_ROBBER
from kibitz.catan.core.events import (
    Accept,
    Award,
    BankCount,
    BankTrade,
    Build,
    BuyDevCard,
    Cards,
    Correction,
    CounterOffer,
    Decline,
    Discard,
    EndTurn,
    Event,
    Gain,
    HandCount,
    HandSeen,
    Monopoly,
    MoveRobber,
    Offer,
    PlayDevCard,
    PlayerTrade,
    Roll,
    StartingResources,
    Steal,
    Win,
    YearOfPlenty,
)
from kibitz.catan.core.record import Record, check, simulate
from kibitz.catan.core.transcript import events_of
from kibitz.catan.logs.base import LogError
from kibitz.catan.logs.rebuild import rebuild

GAMES = [
    (["builder"] * 4, Rules()),
    (["builder"] * 3, Rules(discard_limit=4, victory_points=8)),
    (["builder"] * 2, Rules(friendly_robber=True)),
    (["random"] * 4, Rules(max_turns=60)),
    (["random", "builder", "random"], Rules(max_turns=80, discard_limit=3, offer_limit=9)),
    (["random"] * 2, Rules(max_turns=80, all_or_nothing_bank=True)),
    (["builder", "random"], Rules(domestic_trade=False, max_turns=100)),
]
RECORD = simulate(Board.random(2), ["builder", "random", "builder"], 2)
EVENTS = events_of(RECORD, all_seeing=True).events
NAMES = ("Ann", "Bob", "Cem")


def again(record: Record, events: Sequence[Event], **rules: int) -> Record:
    """Rebuilt, and found to replay."""
    names = [f"Player {seat + 1}" for seat in range(len(record.seats))]
    rebuilt = rebuild(record.board, replace(record.rules, **rules), names, events)
    if game.actor_at(last_state(rebuilt), 0) == game.OVER:
        assert list(check(rebuilt.lines())) == [rebuilt]
    return rebuilt


def last_state(record: Record):
    (*_, states) = record.states()
    return states


def end(record: Record) -> bytes:
    return last_state(record).tobytes()


def without_discard_order(codes: Sequence[int]) -> list[int]:
    """The cards of one discard in ascending order: a log does not say which went first."""
    runs = [list(run) for _, run in itertools.groupby(codes, key=lambda code: DISCARD <= code < MOVE_ROBBER)]
    return [code for run in runs for code in (sorted(run) if DISCARD <= run[0] < MOVE_ROBBER else run)]


def position_of(kind: type[Event], holds: Callable[[Event], bool] = lambda event: True) -> int:
    return next(i for i, event in enumerate(EVENTS) if isinstance(event, kind) and holds(event))


def complaint(events: Sequence[Event], number: int | None = None) -> str:
    with pytest.raises(LogError) as caught:
        rebuild(RECORD.board, RECORD.rules, NAMES, events)
    assert number is None or caught.value.line == number + 1
    assert caught.value.message.startswith(f"event {caught.value.line} (")
    return caught.value.message.partition("): ")[2]


def changed(at: int, *events: Event) -> list[Event]:
    """The events with others in the place of one."""
    return [*EVENTS[:at], *events, *EVENTS[at + 1 :]]


# --- there and back -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(len(GAMES)))
@pytest.mark.parametrize("seed", range(3))
def test_a_game_comes_back_from_its_events(number, seed):
    bots, rules = GAMES[number]
    record = simulate(Board.random(10 * number + seed), bots, seed, rules)
    rebuilt = again(record, events_of(record, all_seeing=True).events)
    assert end(rebuilt) == end(record)
    assert rebuilt.rules == record.rules
    assert without_discard_order(rebuilt.codes) == without_discard_order(record.codes)
    assert rebuilt.seats == tuple(f"Player {seat + 1}" for seat in range(len(bots)))


@pytest.mark.parametrize("number", [0, 4])
def test_offers_and_answers_may_be_missing(number):
    bots, rules = GAMES[number]
    record = simulate(Board.random(number), bots, 7, rules)
    events = events_of(record, all_seeing=True).events
    bare = [event for event in events if not isinstance(event, Offer | Accept | Decline | Award)]
    trades = sum(isinstance(event, PlayerTrade) for event in events)
    assert trades, "a game without trades shows nothing"
    rebuilt = again(record, bare)
    assert hands(rebuilt) == hands(record)
    assert sum(Action.from_code(code).kind == "confirm_trade" for code in rebuilt.codes) == trades


def hands(record: Record) -> list[list[int]]:
    return last_state(record)["hand"][0].tolist()[: len(record.seats)]


def test_a_trade_may_be_told_by_the_other_side():
    events = [event for event in EVENTS if not isinstance(event, Offer | Accept | Decline)]
    mirrored = [
        PlayerTrade(event.partner, event.player, event.receive, event.give) if isinstance(event, PlayerTrade) else event
        for event in events
    ]
    assert mirrored != events
    assert again(RECORD, mirrored).codes == again(RECORD, events).codes


def test_others_who_would_have_accepted_are_kept_with_the_trade():
    record = simulate(Board.random(0), ["random"] * 4, 1, Rules(max_turns=200))
    events = events_of(record, all_seeing=True).events
    turns = [i for i, event in enumerate(events) if isinstance(event, PlayerTrade)]
    several = [i for i in turns if [type(event) for event in events[i - 3 : i]].count(Accept) > 1]
    assert several
    assert without_discard_order(again(record, events).codes) == without_discard_order(record.codes)


def test_players_may_discard_in_any_order():
    record = simulate(Board.random(5), ["builder"] * 4, 5, Rules(discard_limit=2, max_turns=60))
    events = list(events_of(record, all_seeing=True).events)
    for i in range(len(events) - 1):
        if isinstance(events[i], Discard) and isinstance(events[i + 1], Discard):
            events[i], events[i + 1] = events[i + 1], events[i]
    assert events != list(events_of(record, all_seeing=True).events)
    assert end(again(record, events)) == end(record)


def test_a_discard_may_come_in_parts():
    at = position_of(Discard, lambda event: event.cards.size > 1)
    first, *rest = EVENTS[at].cards.names()
    parts = [Discard(EVENTS[at].player, Cards.of([first])), Discard(EVENTS[at].player, Cards.of(rest))]
    assert end(again(RECORD, changed(at, *parts))) == end(RECORD)


def test_bank_trades_may_be_joined():
    record = simulate(Board.random(8), ["random"] * 3, 8, Rules(domestic_trade=False, max_turns=400))
    events = list(events_of(record, all_seeing=True).events)
    pairs = [i for i in range(len(events) - 1) if joinable(events[i], events[i + 1])]
    assert pairs
    for i in reversed(pairs):
        one, other = events[i], events[i + 1]
        if joinable(one, other):
            events[i : i + 2] = [BankTrade(one.player, plus(one.give, other.give), plus(one.receive, other.receive))]
    assert end(again(record, events)) == end(record)


def test_a_bank_trade_that_is_undone_is_no_step():
    at = position_of(BankTrade)
    trade = EVENTS[at]
    assert isinstance(trade, BankTrade)
    undo = BankTrade(trade.player, trade.receive, trade.give)
    assert end(again(RECORD, changed(at, trade, undo, trade))) == end(RECORD)
    assert end(again(RECORD, changed(at, trade, trade, undo, undo, trade))) == end(RECORD)
    assert "allow no such trade" in complaint(changed(at, undo), at)


def joinable(one: Event, other: Event) -> bool:
    """Two bank trades that could be one: no resource on both sides, each given at one rate."""
    if not isinstance(one, BankTrade) or not isinstance(other, BankTrade) or one.receive.size > 1 or other.receive.size > 1:
        return False
    given, wanted = plus(one.give, other.give), plus(one.receive, other.receive)
    return not any(g and w for g, w in zip(given, wanted, strict=True)) and one.give.size == other.give.size


def plus(one: Cards, other: Cards) -> Cards:
    return Cards(*(a + b for a, b in zip(one, other, strict=True)))


def test_remarks_about_the_table_are_compared():
    hand = [Cards(*counts) for counts in hands(RECORD)]
    bank = BankCount(dict(zip(Cards._fields, last_state(RECORD)["bank"][0].tolist(), strict=True)))
    right = [*(HandSeen(seat, cards) for seat, cards in enumerate(hand)), HandCount(0, hand[0].size), bank]
    assert again(RECORD, [*EVENTS, *right, Gain(0, {}), Correction(0, {})]).codes
    last = len(EVENTS)
    more = plus(hand[0], Cards(1))
    assert complaint([*EVENTS, HandSeen(0, more)], last) == f"by the rules Ann holds {hand[0].text()}"
    assert complaint([*EVENTS, HandCount(0, more.size)], last) == f"by the rules Ann holds {hand[0].text()}"
    assert complaint([*EVENTS, BankCount({"wood": 20})], last).startswith("by the rules the bank holds")
    assert complaint([*EVENTS, Correction(0, {"wood": -1})], last) == "our rules know no cards from outside of a roll"
    assert complaint([*EVENTS, Award(None, "largest_army"), Award(2, "longest_road")]).endswith("has it")


# --- limits and ends ------------------------------------------------------------------------------------------


def test_limits_are_raised_where_the_game_went_beyond_them():
    turns = sum(isinstance(event, EndTurn) for event in EVENTS) + 1
    rebuilt = again(RECORD, EVENTS, max_turns=5, offer_limit=0)
    assert rebuilt.rules.max_turns == turns
    assert 0 < rebuilt.rules.offer_limit <= RECORD.rules.offer_limit
    assert rebuilt.codes == again(RECORD, EVENTS).codes


def test_offers_without_end_are_dropped():
    at = position_of(Roll, lambda event: event.total != 7 and event.gains.get(event.player, Cards()).size > 0)
    player, gain = EVENTS[at].player, EVENTS[at].gains[EVENTS[at].player]
    give = gain.names()[0]
    offer = Offer(player, Cards.of({give: 1}), {"wheat" if give != "wheat" else "wood": 1})
    rebuilt = again(RECORD, [*EVENTS[: at + 1], *[offer] * 300, *EVENTS[at + 1 :]])
    assert 50 <= rebuilt.rules.offer_limit <= 100
    assert hands(rebuilt) == hands(RECORD)


@pytest.mark.parametrize(
    "odd",
    [
        Offer(0, {"wood": 1}, {"wood": 2}),
        Offer(0, {"wood": 200}, {"ore": 1}),
        Offer(0, {"wood": 1}, {}),
        Offer(1, {"wood": 1}, {"ore": 1}),
        CounterOffer(1, 0, {"ore": 1}, {"wood": 1}),
        Accept(1, 2, {"ore": 1}, {"wood": 1}),
        Decline(1, 0),
    ],
)
def test_offers_that_our_rules_cannot_hold_are_dropped(odd):
    at = position_of(Roll)
    rebuilt = again(RECORD, [*EVENTS[: at + 1], odd, *EVENTS[at + 1 :]])
    assert rebuilt.codes == again(RECORD, EVENTS).codes


@pytest.mark.parametrize("length", [0, 1, 5, 40, 90, len(EVENTS) // 2])
def test_a_game_that_breaks_off_ends_where_it_does(length):
    rebuilt = rebuild(RECORD.board, RECORD.rules, NAMES, EVENTS[:length])
    whole = rebuild(RECORD.board, RECORD.rules, NAMES, EVENTS)
    assert len(rebuilt.codes) < len(whole.codes)
    assert game.actor_at(last_state(rebuilt), 0) != game.OVER
    steps = without_discard_order(rebuilt.codes)
    assert steps == without_discard_order(whole.codes)[: len(steps)]


def test_what_the_winner_does_after_the_win_is_passed_over():
    winner = EVENTS[-1].player
    after = [MoveRobber(winner, 0), Steal(winner, (winner + 1) % 3, "ore"), EndTurn(winner), Win(winner)]
    assert again(RECORD, [*EVENTS[:-1], *after]).codes == again(RECORD, EVENTS).codes
    assert complaint([*EVENTS, Roll(winner, 8)], len(EVENTS)) == "the game is over"
    assert complaint([*EVENTS, EndTurn((winner + 1) % 3)], len(EVENTS)) == "the game is over"


def test_a_shown_victory_point_is_no_step():
    record, at = next(
        (record, next(i for i, event in enumerate(events) if isinstance(event, BuyDevCard) and event.card == "victory_point"))
        for seed in range(20)
        for record in [simulate(Board.random(seed), ["builder"] * 3, seed)]
        for events in [events_of(record, all_seeing=True).events]
        if BuyDevCard(0, "victory_point") in events
    )
    events = events_of(record, all_seeing=True).events
    shown = [*events[: at + 1], PlayDevCard(events[at].player, "victory_point"), *events[at + 1 :]]
    assert again(record, shown).codes == again(record, events).codes


def test_only_tables_that_our_rules_know():
    for names in (["Ann"], list("abcde")):
        with pytest.raises(LogError, match="our rules are for 2 to 4"):
            rebuild(RECORD.board, RECORD.rules, names, EVENTS)
    with pytest.raises(LogError, match="phased turns"):
        rebuild(RECORD.board, Rules(phased_turns=True), NAMES, EVENTS)


# --- what cannot have happened --------------------------------------------------------------------------------


def test_production_must_be_that_of_the_board():
    at = position_of(Roll, lambda event: event.gains)
    seat, cards = next(iter(EVENTS[at].gains.items()))
    more = {**EVENTS[at].gains, seat: plus(cards, Cards(1))}
    wrong = replace(EVENTS[at], gains=more)
    assert complaint(changed(at, wrong), at) == f"by the rules {NAMES[seat]} gets {cards.text()}, not {more[seat].text()}"


def test_starting_resources_must_be_those_of_the_second_settlement():
    at = position_of(StartingResources)
    player, cards = EVENTS[at].player, EVENTS[at].cards
    assert (
        complaint(changed(at, StartingResources(player, {"ore": 3})), at)
        == f"by the rules {NAMES[player]} receives {cards.text()}"
    )


def test_a_broken_rule_is_named():
    at = position_of(Build, lambda event: not event.free and event.piece == "road")
    taken = EVENTS[1].edge
    message = complaint(changed(at, replace(EVENTS[at], edge=taken)), at)
    assert message == f"there is a road on {taken[0]}-{taken[1]} already"
    assert complaint([EVENTS[0], replace(EVENTS[1], edge=(52, 53))], 1).endswith("does not touch the settlement just placed")


def test_who_is_not_on_turn_cannot_act():
    at = position_of(Roll)
    wrong = (EVENTS[at].player + 1) % 3
    assert complaint(changed(at, Roll(wrong, 8)), at) == f"it is the turn of {NAMES[EVENTS[at].player]}"
    assert complaint(changed(at, EndTurn(EVENTS[at].player)), at).startswith("end_turn is not possible now")
    trade = PlayerTrade(1, 2, {"wood": 1}, {"ore": 1})
    assert complaint([*EVENTS[: at + 1], trade], at + 1) == "it is the turn of Ann, who takes no part"


def test_discards_must_be_whole_and_held():
    at = position_of(Discard)
    event = EVENTS[at]
    name = NAMES[event.player]
    assert complaint(changed(at), at) == f"{name} must discard first"
    assert complaint(changed(at, Discard(event.player, count=event.count)), at) == "the log does not say which cards"
    too_many = Discard(event.player, plus(event.cards, Cards(1, 1, 1, 1, 1)))
    assert complaint(changed(at, too_many), at) == f"by the rules {name} discards {event.count} cards"
    others = Discard(event.player, {next(n for n, k in zip(Cards._fields, event.cards, strict=True) if k == 0): event.count})
    assert complaint(changed(at, others), at).startswith(f"by the rules {name} holds")


def test_thefts_must_be_possible_and_complete():
    at = position_of(Steal)
    event = EVENTS[at]
    assert complaint(changed(at), at).startswith("the robber's victim is missing")
    assert complaint(changed(at, replace(event, resource=None)), at) == "the log does not say which card"
    third = ({0, 1, 2} - {event.player, event.victim}).pop()
    lonely = position_of(MoveRobber, lambda move: EVENTS[EVENTS.index(move) + 1] == event)
    if lonely + 1 == at and third not in victims_at(at):
        assert complaint(changed(at, replace(event, victim=third)), at).endswith("cannot be robbed on this hex")
    assert complaint(changed(lonely, MoveRobber(event.player)), lonely) == "the log does not say where"


def victims_at(at: int) -> list[int]:
    states = last_state(rebuild(RECORD.board, RECORD.rules, NAMES, EVENTS[:at]))
    return [seat for seat in range(3) if game.why_not_at(states, 0, Action("steal_resource", {"victim": seat}).code) == 0]


def test_cards_must_be_named_and_had():
    at = position_of(BuyDevCard)
    assert complaint(changed(at, replace(EVENTS[at], card=None)), at) == "the log does not say which card"
    first = position_of(Roll)
    player = EVENTS[first].player
    for card in ("knight", "road_building"):
        assert complaint([*EVENTS[:first], PlayDevCard(player, card)], first) == "you do not have that development card"
    shown = PlayDevCard(player, "victory_point")
    assert complaint([*EVENTS[:first], shown], first) == "by the rules Ann holds no such card"
    plenty = [PlayDevCard(player, "year_of_plenty"), YearOfPlenty(player, {"ore": 2})]
    assert complaint([*EVENTS[:first], *plenty], first + 1) == "you do not have that development card"
    assert complaint([*EVENTS[:first], plenty[1]], first) == "the card for it was not played"
    assert complaint([*EVENTS[:first], plenty[0], Roll(player, 8)], first + 1).startswith("the log does not say what")


def test_a_monopoly_must_take_what_there_is():
    record, events, at = next(
        (record, events, next(i for i, event in enumerate(events) if isinstance(event, Monopoly)))
        for seed in range(40)
        for record in [simulate(Board.random(seed), ["builder"] * 3, seed)]
        for events in [events_of(record, all_seeing=True).events]
        if any(isinstance(event, Monopoly) for event in events)
    )
    right = events[at]
    for wrong, message in [
        (Monopoly(right.player, right.resource, right.total + 1), f"by the rules it takes {right.total} cards"),
        (Monopoly(right.player, right.resource, losses={(right.player + 1) % 3: 19}), "gives"),
    ]:
        with pytest.raises(LogError, match=message):
            again(record, [*events[:at], wrong, *events[at + 1 :]])
    assert again(record, [*events[:at], Monopoly(right.player, right.resource), *events[at + 1 :]]).codes


def test_the_winner_must_have_won():
    at = position_of(Roll)
    message = complaint([*EVENTS[:at], Win(1)], at)
    assert message == "by the rules nobody has won, and Bob has 2 points (the game waits for TURN_START)"


def test_pieces_need_a_place():
    assert complaint([Build(0, "settlement", True)], 0) == "the log does not say where"
    at = position_of(Roll)
    free = Build(EVENTS[at].player, "city", True, corner=5)
    assert complaint([*EVENTS[: at + 1], free], at + 1) == "it is free only in the setup"


def test_a_seat_that_does_not_exist_is_refused():
    assert complaint([Build(5, "settlement", True, corner=3)], 0) == "build: there is no seat 5, only 0 to 2"
