"""Positions from logs that hide something: what a seat sees is found again, and what is missing or contradictory is said."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import numpy as np
import numpy.typing as npt
import pytest

from kibitz import game
from kibitz.catan import Board, Rules
from kibitz.catan import logs as formats
from kibitz.catan.analysis import Position
from kibitz.catan.belief.deals import deals
from kibitz.catan.core.codes import CANCEL, END_ROADS, OFFER
from kibitz.catan.core.events import (
    BuyDevCard,
    EventLog,
    HandSeen,
    Monopoly,
    Offer,
    PlayerTrade,
    StartingResources,
    Steal,
    UnknownCards,
)
from kibitz.catan.core.record import Record, simulate
from kibitz.catan.core.transcript import events_of
from kibitz.catan.logs.base import LogError
from kibitz.catan.logs.reconstruct import reconstruct, reconstruct_log
from tests.catan.logs import writers

GAMES = [
    (["builder-0.1"] * 4, Rules()),
    (["builder-0.1"] * 3, Rules(discard_limit=4, victory_points=8)),
    (["builder-0.1"] * 2, Rules(friendly_robber=True)),
    (["random", "builder-0.1", "random"], Rules(max_turns=60, discard_limit=3, offer_limit=9)),
    (["random"] * 2, Rules(max_turns=80, all_or_nothing_bank=True)),
]
RECORDS = [simulate(Board.random(number), bots, number, rules) for number, (bots, rules) in enumerate(GAMES)]
#: Every so many steps of each game are looked at.
STRIDE = 23


def upto(record: Record, step: int, seat: int, hidden_discards: bool = False) -> EventLog:
    return events_of(replace(record, codes=record.codes[:step]), seat, hidden_discards=hidden_discards)


def view(states: npt.NDArray[np.void], seat: int) -> npt.NDArray[np.void]:
    seen = states.copy()
    game.hide_at(seen, 0, seat)
    return seen


def decisions(record: Record) -> Iterator[tuple[int, int, npt.NDArray[np.void]]]:
    """Steps at which a seat decides, with the true state; not where an offer was taken back, which no log tells."""
    for step, states in islice(enumerate(record.states()), 0, len(record.codes), STRIDE):
        seat = game.actor_at(states, 0)
        if seat >= 0 and CANCEL not in record.codes[max(0, step - 1) : step]:
            yield step, seat, states.copy()


def differences(one: npt.NDArray[np.void], other: npt.NDArray[np.void]) -> set[str]:
    a, b = game.to_dict(one), game.to_dict(other)
    return {name for name in a if a[name] != b[name]}


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: "-".join(record.seats))
def test_a_seat_finds_again_what_it_sees(record):
    looked = 0
    for step, seat, states in decisions(record):
        found = reconstruct(record.board, record.rules, upto(record, step, seat))
        assert differences(found.states, view(states, seat)) == set(), step
        assert not found.bank_assumed
        looked += 1
    assert looked > 15


def test_whoever_is_not_to_move_sees_it_too():
    record = RECORDS[0]
    for step, mover, states in islice(decisions(record), 5, None, 5):
        for seat in {0, 1, 2, 3} - {mover}:
            found = reconstruct(record.board, record.rules, upto(record, step, seat))
            assert differences(found.states, view(states, seat)) == set(), step


@pytest.mark.parametrize("record", [RECORDS[1], RECORDS[3]], ids=["builders", "mixed"])
def test_only_the_bank_is_assumed_where_discards_are_hidden(record):
    """All worlds that are drawn then have that bank."""
    assumed = 0
    for step, seat, states in islice(decisions(record), 0, None, 3):
        found = reconstruct(record.board, record.rules, upto(record, step, seat, hidden_discards=True))
        assert differences(found.states, view(states, seat)) <= ({"bank"} if found.bank_assumed else set()), step
        worlds = deals(found.tracker, found.states, seat, 20, seed=0)
        assert (worlds["hand"].sum(axis=1) + worlds["bank"] == 19).all()
        assert int(found.states["bank"].sum()) == int(states["bank"].sum())
        assumed += found.bank_assumed
    assert assumed


def test_the_tracker_knows_what_the_seat_knows():
    record = RECORDS[0]
    step, seat, states = next(islice(decisions(record), 20, None))
    found = reconstruct(record.board, record.rules, upto(record, step, seat))
    assert list(found.tracker.hand(seat) or ()) == states["hand"][0, seat].tolist()
    worlds = deals(found.tracker, found.states, seat, 50, seed=1)
    assert (worlds["hand_size"] == states["hand_size"]).all()


# --- what is missing or contradictory ---------------------------------------------------------------------------

RECORD = RECORDS[0]
LOG = events_of(RECORD, 2, players=("Ann", "Bob", "Cem", "Dan"))


def refusal(log: EventLog) -> str:
    with pytest.raises(LogError) as error:
        reconstruct(RECORD.board, RECORD.rules, log)
    return error.value.message


def place(kind: type, player: int | None = None) -> int:
    """The place of the first event of a kind (of a player)."""
    return next(i for i, e in enumerate(LOG.events) if isinstance(e, kind) and player in (None, getattr(e, "player", None)))


def test_a_game_that_is_over():
    assert refusal(LOG).endswith("the game is over: Cem has won")


def test_a_spectator_has_no_cards():
    assert "a spectator" in refusal(replace(LOG, observer=None, events=()))


def test_own_cards_must_be_told():
    at = place(BuyDevCard, 2)
    events = (*LOG.events[:at], BuyDevCard(2))
    assert refusal(replace(LOG, events=events)).endswith("the log does not say which card")
    at = next(i for i, e in enumerate(LOG.events) if isinstance(e, Steal) and 2 in (e.player, e.victim))
    hidden = replace(LOG.events[at], resource=None)
    assert refusal(replace(LOG, events=(*LOG.events[:at], hidden))).endswith("the log does not say which card")


def test_what_contradicts_the_log_is_named():
    at = place(Steal)
    wrong = HandSeen(2, {"wood": 19})
    assert "by the rules Cem holds" in refusal(replace(LOG, events=(*LOG.events[:at], wrong)))
    assert "the game waits for SETUP_SETTLEMENT" in refusal(replace(LOG, events=LOG.events[1:]))
    assert "our rules know nothing like it" in refusal(replace(LOG, events=(*LOG.events[:20], UnknownCards(0, 2))))


def test_a_hand_that_nobody_saw_must_be_able_to_pay():
    """Ann trades away more cards than she has."""
    at = place(PlayerTrade)
    trade = LOG.events[at]
    assert isinstance(trade, PlayerTrade)
    events = (*LOG.events[:at], replace(trade, give={"ore": 18}))
    assert f"event {at + 1} " in refusal(replace(LOG, events=events))


def test_a_card_whose_effect_is_not_told_yet():
    record, log = monopoly_log(losses=True)
    with pytest.raises(LogError, match="does not say what the last card did"):
        reconstruct(record.board, record.rules, replace(log, events=log.events[:-1]))


def test_an_offer_on_the_table_waits_for_its_answers():
    at = place(Offer)
    offer = LOG.events[at]
    assert isinstance(offer, Offer)
    states = reconstruct(RECORD.board, RECORD.rules, replace(LOG, events=LOG.events[: at + 1])).states
    assert game.actor_at(states, 0) == (offer.player + 1) % 4


def monopoly_log(losses: bool) -> tuple[Record, EventLog]:
    """A log that ends with a monopoly, with or without what each victim gave."""
    for seed in range(100):
        record = simulate(Board.random(seed), ["builder-0.1"] * 3, seed)
        log = events_of(record, 0)
        for at, event in enumerate(log.events):
            if isinstance(event, Monopoly) and event.player:
                end = event if losses else Monopoly(event.player, event.resource)
                return record, replace(log, events=(*log.events[:at], end))
    raise AssertionError("no monopoly in a hundred games")


def test_a_monopoly_takes_what_each_player_held():
    record, log = monopoly_log(losses=True)
    exact = reconstruct(record.board, record.rules, log)
    _, vague = monopoly_log(losses=False)
    try:
        found = reconstruct(record.board, record.rules, vague)
    except LogError as error:
        assert "the log does not say how many cards" in str(error)  # noqa: PT017
    else:
        assert differences(found.states, exact.states) == set()


# --- files ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["colonist-frames", "jsettlers"])
def test_logs_of_other_programs(format):
    """Written as one seat got them, read again: the same position."""
    record = RECORDS[0]
    for step, seat, states in islice(decisions(record), 6, None, 6):
        cut = replace(record, codes=record.codes[:step])
        text = writers.write(cut, format, observer=seat)
        players = formats.read(text).log.players
        found = reconstruct_log(formats.read(text, me=players[seat]))
        assert differences(found.states, view(states, seat)) <= {"bank"}, step


def test_a_chat_holds_no_board():
    text = writers.write(RECORD, "colonist-text", observer=0)
    with pytest.raises(LogError, match="holds no board"):
        reconstruct_log(formats.read(text))


def test_a_log_that_begins_in_the_middle():
    imported = formats.read(writers.write(RECORD, "colonist-frames", observer=0))
    with pytest.raises(LogError, match="a part of the game is missing"):
        reconstruct_log(replace(imported, missing="the first turns are missing"))


@pytest.mark.parametrize("format", ["colonist-replay", "jsettlers"])
def test_what_lies_on_the_table_is_in_the_record(format):
    """A log that hides nothing may also end with an offer that waits for answers."""
    record = RECORDS[0]
    (at, *_) = (i for i, code in enumerate(record.codes) if OFFER <= code < END_ROADS)
    for step in (at + 1, at + 2):
        cut = replace(record, codes=record.codes[:step])
        *_, states = cut.states()
        *_, found = formats.read(writers.write(cut, format)).record().states()
        assert differences(found, states) == set()


def test_starting_cards_need_not_be_told_and_are_not_counted_twice():
    log = upto(RECORDS[0], 200, 2)
    told = reconstruct(RECORDS[0].board, RECORDS[0].rules, log)
    for events in (
        [event for event in log.events if not isinstance(event, StartingResources)],
        [same for event in log.events for same in [event] * (2 if isinstance(event, StartingResources) else 1)],
    ):
        found = reconstruct(RECORDS[0].board, RECORDS[0].rules, replace(log, events=tuple(events)))
        assert differences(found.states, told.states) == set()
        assert [found.tracker.marginals(seat) for seat in range(4)] == [told.tracker.marginals(seat) for seat in range(4)]


def test_in_the_draft_all_hands_are_known():
    for step in range(10, 16):
        states = next(islice(RECORD.states(), step, None))
        seat = game.actor_at(states, 0)
        found = reconstruct(RECORD.board, RECORD.rules, upto(RECORD, step, seat))
        assert differences(Position.seen(found.states, seat, found.tracker).states, states) == set(), step
