"""Reviews of games: mistakes are found, luck is not taken for skill, and what is said holds."""

from dataclasses import replace
from importlib import import_module

import pytest

from kibitz.catan.core.actions import Action, describe
from kibitz.catan.core.board import Board
from kibitz.catan.core.codes import END_ROADS, END_TURN, OFFER
from kibitz.catan.core.record import simulate
from kibitz.catan.core.state import Rules
from kibitz.catan.review import Review, ReviewConfig, look_back
from kibitz.catan.review.again import loss_of
from kibitz.catan.review.decisions import Table, cases_of, decision_at, merits_of, sensible_moves
from kibitz.catan.review.measure import is_proven
from kibitz.catan.review.types import GRADES, LEAST
from kibitz.catan.review.words import reasons_in_words
from kibitz.compute.runtime import Runtime, Threads
from kibitz.game import actor_at, legal_actions
from kibitz.game.doors import hidden_from

SMALL = ReviewConfig(worlds=8, games=4000, tries=16, pairs=300)
SOON = Rules(victory_points=3, offer_limit=1)


def short(seed=3, seats=2):
    return simulate(Board.beginner(), ["builder"] * seats, seed, SOON)


def with_a_missed_win():
    """Somebody who could have won ends the turn instead."""
    for seed in range(50):
        record = short(seed, seats=4)
        states = [s.copy() for s in record.states()][-2]
        if actor_at(states, 0) >= 0 and END_TURN in legal_actions(states):
            return replace(record, codes=(*record.codes[:-1], END_TURN)), int(states["player"][0])
    raise AssertionError


@pytest.fixture(scope="module")
def missed():
    record, seat = with_a_missed_win()
    return record, seat, look_back(record, SMALL)


def test_who_misses_a_win_is_told_so(missed):
    record, seat, found = missed
    last = len(record.codes) - 1
    (entry,) = (entry for entry in found.of_seat(seat) if last in entry.steps)
    assert entry.verdict.grade == "blunder"
    assert entry.verdict.played == "end_turn"
    assert entry.verdict.loss.mean > 0.1
    assert entry.why.line[0] == entry.verdict.best
    assert reasons_in_words(entry, record.board, record.seats)
    assert entry in found.of_seat(None)
    assert all(entry.seat == seat for entry in found.of_seat(seat))


def test_what_is_listed_was_measured_and_costs_something(missed):
    _, _, found = missed
    verdicts = {verdict.step: verdict for verdict in found.verdicts}
    losses = [entry.verdict.loss.mean for entry in found.entries]
    assert losses == sorted(losses, reverse=True)
    for entry in found.entries:
        assert entry.verdict == verdicts[entry.verdict.step]
        assert all(verdicts[step].games > 0 and is_proven(verdicts[step].loss) for step in entry.steps)
        moves = [option.move for option in entry.options]
        assert moves[0] == entry.verdict.best
        assert entry.verdict.played in moves
    for verdict in found.verdicts:
        if not verdict.games:  # the evaluator alone accuses nobody
            assert verdict.grade in GRADES[:3]


def test_who_tries_again_is_answered_by_games(missed):
    """The best move costs nothing, what was played what it was measured to cost, anything else what games say now."""
    record, seat, found = missed
    (entry,) = (entry for entry in found.of_seat(seat) if len(record.codes) - 1 in entry.steps)
    verdict = entry.verdict
    assert loss_of(record, verdict, verdict.best, SMALL).mean == 0
    assert loss_of(record, verdict, verdict.played, SMALL) == verdict.loss
    other = next(option.move for option in entry.options if option.move not in (verdict.best, verdict.played))
    loss = loss_of(record, verdict, other, SMALL)
    assert loss.mean > 0.1  # whatever does not win at once
    assert loss == loss_of(record, verdict, other, SMALL, Threads(1))
    with pytest.raises(LookupError, match="no decision"):
        decision_at(record, next(n for n, states in enumerate(record.states()) if actor_at(states, 0) < 0), 0)


def test_what_one_seat_leaves_over_serves_the_others(missed, monkeypatch):
    record, _, _ = missed
    scarce = replace(SMALL, games=1500)
    shared = look_back(record, scarce)
    spent = [verdict.games for verdict in shared.verdicts]
    monkeypatch.setattr(import_module("kibitz.catan.review.look_back")._Reviewer, "_share", lambda *_: True)
    alone = [verdict.games for verdict in look_back(record, scarce).verdicts]
    assert sum(spent) > sum(alone)
    assert all(more >= fewer for more, fewer in zip(spent, alone, strict=True))


def test_the_account_of_every_seat_adds_up(missed):
    _, _, found = missed
    for seat, account in enumerate(found.accounts):
        assert account.start + account.luck + account.own + account.others == account.result
        assert account.own == account.correction - account.losses
        assert sum(account.grades.values()) == account.decisions
        assert account.decisions == sum(verdict.seat == seat for verdict in found.verdicts)
        assert account.accuracy is None or 0 <= account.accuracy <= 1


def test_any_number_of_threads_finds_the_same():
    record = short()
    assert look_back(record, SMALL, workers=Threads(1)) == look_back(record, SMALL, workers=Threads(3))


def test_whose_review_it_is_changes_the_order_alone(missed):
    record, seat, found = missed
    assert look_back(record, replace(SMALL, seat=seat)) == found


def test_a_review_is_the_same_from_json(missed):
    assert Review.from_json(missed[2].to_json()) == missed[2]


def test_it_reports_at_once_and_can_be_stopped():
    heard = []

    def hear(info):
        heard.append(info)
        if len(heard) == 3:
            runtime.cancel()

    runtime = Runtime(on_info=hear)
    stopped = look_back(short(), SMALL, runtime)
    assert len(heard) <= 4
    first = heard[0].ranking
    assert first.moments  # the chart and luck are there before anything is judged
    assert first.fortunes
    assert not first.verdicts
    assert stopped.partial == "cancelled"


@pytest.mark.plain
def test_every_choice_is_a_decision_and_nothing_else():
    """Also to end the turn; but what cannot be helped, or what an offer only proposes, is none."""
    record = short()
    table, cases = Table(record.start()), {case.step: case for case in cases_of(record, 1)}
    for step, code in enumerate(record.codes):
        actor = actor_at(table.states, 0)
        if step in cases:
            case = cases[step]
            assert case.seat == actor
            assert case.played == code
            assert len(case.moves) > 1
            assert {*case.moves} <= {*legal_actions(table.states)}
            seen = hidden_from(table.states, actor)
            assert all((hidden_from(case.worlds[i : i + 1], actor) == seen).all() for i in range(2))  # what they could know
        elif actor >= 0 and not OFFER <= code < END_ROADS:
            assert sensible_moves(hidden_from(table.states, actor)) == [code]  # there was no other way
        table.go(code)
    assert any(Action.from_code(case.played).kind == "end_turn" for case in cases.values())


@pytest.mark.plain
def test_in_one_world_all_moves_meet_the_same_dice():
    """A move is worth the same, whatever else is tried."""
    case = next(case for case in cases_of(short(), 1) if case.turn > 1 and len(case.moves) > 2)
    together = merits_of(case, case.moves, 3)
    alone = merits_of(case, case.moves[1:2], 3)
    assert together[:, 1].tolist() == alone[:, 0].tolist()


@pytest.mark.plain
def test_a_small_review_in_plain_python():
    """From the first glance to the last figure."""
    record = simulate(Board.beginner(), ["random"] * 2, 1, SOON)
    cut = replace(record, codes=record.codes[:24])
    found = look_back(cut, ReviewConfig(worlds=1, games=8, tries=1, pairs=2), workers=Threads(1))
    assert found.partial is None
    assert len(found.moments) > 4
    assert found.served is False
    assert sum(account.decisions for account in found.accounts) == len(found.verdicts)
    assert set(LEAST) < set(GRADES)
    verdict = found.verdicts[-1]
    assert describe(decision_at(cut, verdict.step, 0).played) == verdict.played
    assert loss_of(cut, verdict, verdict.best).mean == 0
