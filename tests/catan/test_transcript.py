"""A recorded game as events: they tell the whole game, and no observer sees what is hidden from him."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from kibitz import game
from kibitz.catan import Board, Rules
from kibitz.catan.core.actions import Action
from kibitz.catan.core.events import (
    Accept,
    Award,
    Build,
    BuyDevCard,
    Cards,
    Decline,
    Discard,
    EndTurn,
    Event,
    EventLog,
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
    check_seats,
    read_log,
)
from kibitz.catan.core.record import Record, simulate
from kibitz.catan.core.transcript import events_of
from kibitz.game.definition import seat_or_none
from tests.catan.belief.brute import Hands, Leaf, leaves_after

GAMES = {
    "builders": (4, ["builder"] * 4, Rules()),
    "three": (5, ["builder"] * 3, Rules(discard_limit=3)),
    "two": (6, ["builder"] * 2, Rules(victory_points=8)),
    "random": (7, ["random"] * 4, Rules(max_turns=100, discard_limit=4, offer_limit=3)),
    "short": (3, ["builder"] * 2, Rules(max_turns=12, discard_limit=3)),
}
EACH_GAME = pytest.mark.parametrize("name", list(GAMES))


@cache
def recorded(name: str) -> Record:
    seed, bots, rules = GAMES[name]
    return simulate(Board.random(seed), bots, seed, rules)


@cache
def everything(name: str) -> tuple[Event, ...]:
    return events_of(recorded(name), all_seeing=True).events


@cache
def views(name: str, hidden_discards: bool = False) -> list[EventLog]:
    """What the spectator and every seat see."""
    record = recorded(name)
    return [events_of(record, observer, hidden_discards=hidden_discards) for observer in (None, *range(len(record.seats)))]


@cache
def replayed(name: str) -> list[Hands]:
    """The hands after each event, worked out from the events alone."""
    leaf = Leaf((Cards(),) * len(recorded(name).seats), Fraction(1))
    found = []
    for event in everything(name):
        (leaf,) = leaves_after(leaf, event)
        found.append(leaf.hands)
    return found


@cache
def positions(name: str) -> list[tuple[str, dict[str, Any]]]:
    """Each step of the record: the kind of its action, and the position after it."""
    record = recorded(name)
    states = record.start()
    found = []
    for code in record.codes:
        game.apply_at(states, 0, code)
        found.append((Action.from_code(code).kind, game.to_dict(states)))
    return found


def true_hands(row: dict[str, Any]) -> Hands:
    return tuple(Cards(*row["hand"][seat]) for seat in range(row["seats"]))


# --- the whole game -------------------------------------------------------------------------------------------


def check_hands(name: str) -> None:
    """The hands that the events lead to are those of the record, at the end of every turn and of the game."""
    hands = replayed(name)
    ends = [hands[i] for i, event in enumerate(everything(name)) if isinstance(event, EndTurn)]
    assert ends == [true_hands(row) for kind, row in positions(name) if kind == "end_turn"]
    assert hands[-1] == true_hands(positions(name)[-1][1])


@EACH_GAME
def test_the_events_alone_lead_to_the_hands_of_the_record(name):
    check_hands(name)


@pytest.mark.plain
def test_a_short_game_in_events():
    check_hands("short")
    events = everything("short")
    assert events[0] == replace(events[0], player=0, piece="settlement", free=True)
    assert [type(event) for event in events[:8]] == [Build, Build, Build, Build, Build, StartingResources, Build, Build]
    assert [event.player for event in events[:8]] == [0, 0, 1, 1, 1, 1, 1, 0]


@EACH_GAME
def test_everybody_sees_the_same_things_happen(name):
    kinds = [event.kind for event in everything(name)]
    for log in views(name):
        assert [event.kind for event in log.events] == kinds
    for log in views(name, hidden_discards=True):
        assert [event.kind for event in log.events] == kinds


@EACH_GAME
def test_set_up_gives_each_player_two_settlements_two_roads_and_the_cards_of_the_second(name):
    events = everything(name)
    first_roll = next(i for i, event in enumerate(events) if isinstance(event, (Roll, PlayDevCard)))
    setup = events[:first_roll]
    seats = len(recorded(name).seats)
    built = [event for event in setup if isinstance(event, Build)]
    assert all(event.free for event in built)
    assert [event.player for event in built[::2]] == [*range(seats), *reversed(range(seats))]
    assert Counter((event.player, event.piece) for event in built) == {
        (seat, piece): 2 for seat in range(seats) for piece in ("settlement", "road")
    }
    assert not any(isinstance(event, EndTurn) for event in setup)
    for i, event in enumerate(setup):
        if isinstance(event, StartingResources):
            before = setup[i - 1]
            assert isinstance(before, Build)
            assert (before.player, before.piece) == (event.player, "settlement")
            assert 1 <= event.cards.size <= 3


@EACH_GAME
def test_each_turn_has_one_roll_and_one_end(name):
    events = [event for event in everything(name) if isinstance(event, (Roll, EndTurn))]
    for roll, end in zip(events[::2], events[1::2], strict=False):
        assert isinstance(roll, Roll)
        assert isinstance(end, EndTurn)
        assert roll.player == end.player


@EACH_GAME
def test_places_are_told_and_no_place_twice(name):
    builds = [event for event in everything(name) if isinstance(event, Build)]
    assert all((event.edge is None) == (event.piece != "road") for event in builds)
    assert all((event.corner is None) == (event.piece == "road") for event in builds)
    edges = [event.edge for event in builds if event.piece == "road"]
    corners = [event.corner for event in builds if event.piece == "settlement"]
    assert len(set(edges)) == len(edges)
    assert len(set(corners)) == len(corners)
    assert {event.corner for event in builds if event.piece == "city"} <= set(corners)


@EACH_GAME
def test_every_view_is_a_log_that_can_be_written_and_read(name):
    assert [log.observer for log in views(name)] == [None, *range(len(recorded(name).seats))]
    for log in views(name):
        assert read_log(log.lines()) == log
        assert log.victory_points == recorded(name).rules.victory_points
        for event in log.events:
            check_seats(event, len(log.players))


# --- who sees what --------------------------------------------------------------------------------------------


@EACH_GAME
def test_a_stolen_card_is_seen_by_thief_and_victim_only(name):
    truth = everything(name)
    assert any(isinstance(event, Steal) for event in truth)
    for log in views(name):
        for seen, true in zip(log.events, truth, strict=True):
            if isinstance(seen, Steal):
                assert isinstance(true, Steal)
                assert true.resource is not None
                involved = log.observer in (true.player, true.victim)
                assert seen.resource == (true.resource if involved else None)
                assert (seen.player, seen.victim) == (true.player, true.victim)


@EACH_GAME
def test_a_bought_card_is_seen_by_its_buyer_only(name):
    truth = everything(name)
    for log in views(name):
        for seen, true in zip(log.events, truth, strict=True):
            if isinstance(seen, BuyDevCard):
                assert isinstance(true, BuyDevCard)
                assert true.card is not None
                assert seen.card == (true.card if log.observer == true.player else None)


@EACH_GAME
def test_all_else_is_open(name):
    truth = everything(name)
    for log in views(name):
        for seen, true in zip(log.events, truth, strict=True):
            if not isinstance(true, (Steal, BuyDevCard)):
                assert seen == true


@pytest.mark.parametrize("name", ["three", "random"])
def test_hidden_discards_are_only_counted_by_others(name):
    truth = everything(name)
    assert any(isinstance(event, Discard) for event in truth)
    for log in views(name, hidden_discards=True):
        for seen, true in zip(log.events, truth, strict=True):
            if isinstance(true, Discard):
                assert isinstance(seen, Discard)
                assert seen == (true if log.observer == true.player else Discard(true.player, count=true.count))


# --- single rules ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["three", "random"])
def test_the_cards_of_one_discard_are_one_event(name):
    limit = recorded(name).rules.discard_limit
    hands = replayed(name)
    events = everything(name)
    for i, event in enumerate(events):
        if isinstance(event, Discard):
            held = hands[i - 1][event.player].size
            assert held > limit
            assert event.count == held // 2
            assert isinstance(events[i - 1], (Roll, Discard))
            assert isinstance(events[i + 1], (Discard, MoveRobber))


@EACH_GAME
def test_nobody_gets_anything_for_a_seven_and_a_robber_follows(name):
    events = everything(name)
    for event, after in pairwise(events):
        if isinstance(event, Roll) and event.total == 7:
            assert not event.gains
            assert isinstance(after, (Discard, MoveRobber))


@EACH_GAME
def test_a_played_card_is_followed_by_what_it_brings(name):
    events = everything(name)
    for event, after in pairwise(events):
        if isinstance(event, PlayDevCard) and event.card == "year_of_plenty":
            assert isinstance(after, YearOfPlenty)
            assert after.player == event.player
        if isinstance(event, PlayDevCard) and event.card == "monopoly":
            assert isinstance(after, Monopoly)
            assert after.player == event.player
            assert after.total == sum(after.losses.values())
            assert event.player not in after.losses
    kinds = {type(event): i for i, event in enumerate(events)}
    for kind, card in ((YearOfPlenty, "year_of_plenty"), (Monopoly, "monopoly")):
        if kind in kinds:
            assert events[kinds[kind] - 1] == PlayDevCard(events[kinds[kind]].player, card)


def test_a_trade_is_offered_accepted_and_made():
    trades = 0
    for name in GAMES:
        offer: Offer | None = None
        accepted: dict[int, Accept] = {}
        for event in everything(name):
            if isinstance(event, Offer):
                offer, accepted = event, {}
            elif isinstance(event, Accept):
                assert offer is not None
                assert event == Accept(event.player, offer.player, offer.receive, offer.give)
                accepted[event.player] = event
            elif isinstance(event, Decline):
                assert offer is not None
                assert event.partner == offer.player
            elif isinstance(event, PlayerTrade):
                assert offer is not None
                assert event.partner in accepted
                assert event == PlayerTrade(offer.player, event.partner, offer.give, offer.receive)
                trades += 1
    assert trades > 0


@EACH_GAME
def test_awards_change_hands_as_in_the_record(name):
    holders: dict[str, int | None] = {}
    changes = []
    for _, row in positions(name):
        for award, holder in (("longest_road", row["road_holder"]), ("largest_army", row["army_holder"])):
            seat = seat_or_none(holder)
            if holders.get(award) != seat:
                holders[award] = seat
                changes.append(Award(seat, award))
    assert [event for event in everything(name) if isinstance(event, Award)] == changes


@EACH_GAME
def test_the_winner_is_the_last_event(name):
    winner = seat_or_none(positions(name)[-1][1]["winner"])
    *before, last = everything(name)
    assert not any(isinstance(event, Win) for event in before)
    assert last == Win(winner) if winner is not None else isinstance(last, EndTurn)
    assert winner is not None or recorded(name).rules.max_turns <= 100


def test_at_the_turn_limit_nobody_wins():
    events = events_of(simulate(Board.beginner(), ["random"] * 3, 1, Rules(max_turns=4))).events
    assert not any(isinstance(event, Win) for event in events)
    assert sum(isinstance(event, EndTurn) for event in events) == 4


# --- names and mistakes ---------------------------------------------------------------------------------------


@pytest.mark.plain
def test_players_are_numbered_unless_they_have_names():
    assert events_of(recorded("short")).players == ("Player 1", "Player 2")
    assert events_of(recorded("short"), players=["Ann", "Bob"]).players == ("Ann", "Bob")


@pytest.mark.plain
def test_names_and_observers_must_fit_the_table():
    with pytest.raises(ValueError, match="3 names for 2 players"):
        events_of(recorded("short"), players=["Ann", "Bob", "Cem"])
    for observer in (-1, 2):
        with pytest.raises(ValueError, match=f"observer {observer}: expected None or a seat from 0 to 1"):
            events_of(recorded("short"), observer)


@pytest.mark.plain
def test_an_unfinished_game_has_events_up_to_where_it_stops():
    record = recorded("short")
    events = everything("short")
    found = events_of(replace(record, codes=record.codes[:40]), all_seeing=True).events
    assert 0 < len(found) < len(events)
    assert found[:-1] == events[: len(found) - 1]
