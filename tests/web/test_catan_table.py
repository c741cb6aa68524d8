"""A table of Catan with a person: which offers they are asked about, counter-offers, and decisions that are taken back."""

from pathlib import Path

import pytest

from kibitz.catan.bots import CONFIG, TO_THE_END
from kibitz.catan.core.actions import describe, offer_trade
from kibitz.catan.core.codes import ACCEPT, DECLINE
from kibitz.catan.core.state import MAIN, ROBBER_DISCARD, TRADE_ANSWER, TURN_START, Rules
from kibitz.catan.manners import counts_of, is_offer
from kibitz.catan.pages.play.clock import habit
from kibitz.catan.pages.play.game import ALL, GOOD, NONE, YOU, CatanKind, CatanSetup
from kibitz.game import legal_actions
from kibitz.play.profile import InvalidSetup
from kibitz.play.search_bot import Thinking
from kibitz.web.games import Games, NotNow
from kibitz.web.store import Store
from tests.web.tables import moment, state_at


@pytest.fixture
def games():
    store = Store(Path(":memory:"))
    opened = Games(store, [CatanKind()])
    yield opened
    opened.close()
    store.close()


def sit_down(games, wanted, offers=ALL):
    """A game in which the person at the first seat is to do something."""
    record, step = moment(wanted)
    setup = CatanSetup(record.board, (YOU, *record.seats[1:]), record.seed, record.rules, offers).to_json()
    session = games.new("catan", setup, 0, [*map(describe, record.codes[:step])])
    assert session.wait(120)
    return session, record, step


def offered(s):
    return s["phase"][0] == TRADE_ANSWER and len(legal_actions(s)) == 2


def said(session):
    return " / ".join(told.text for told in session.match.witness.log)


def test_who_wants_no_offers_declines_them_all(games):
    session, _, step = sit_down(games, offered, NONE)
    assert session.match.codes[step] == DECLINE
    assert session.asks or session.over
    assert not session.match.is_offered


def test_who_wants_good_offers_is_asked_about_those_that_the_kibitzer_would_accept(games):
    session, _, step = sit_down(games, offered, GOOD)
    thought = session.kind.match(session.setup)  # the same game again, asked what it thinks
    for move in session.moves[:step]:
        thought.replay(thought.game.parse(move))
    assert thought.is_undecided
    thought.judge()()
    assert not thought.is_undecided
    asked = thought.answer is None
    assert (len(session.match.codes) == step) is asked
    assert asked or session.match.codes[step] == DECLINE


@pytest.mark.parametrize(("rules", "config"), [(Rules(), CONFIG), (Rules(victory_points=12), TO_THE_END)])
def test_an_offer_is_judged_by_whole_games_where_there_is_no_network(monkeypatch, rules, config):
    asked = []

    def search_in(how, worlds, doubts, seat, seed, runtime=None):
        asked.append(how.config)
        raise InterruptedError

    monkeypatch.setattr(Thinking, "search_in", search_in)
    record, step = moment(offered, rules)
    table = CatanKind().match(CatanSetup(record.board, (YOU, *record.seats[1:]), record.seed, rules, GOOD).to_json())
    for code in record.codes[:step]:
        table.replay(code)
    with pytest.raises(InterruptedError):
        table.judge()()
    assert asked == [config]


def test_the_setting_is_changed_at_the_table_and_kept(games):
    session, _, step = sit_down(games, offered)
    assert len(session.match.codes) == step
    session.adjust(offers=NONE)
    assert session.wait(120)
    assert session.match.codes[step] == DECLINE
    games._sessions.clear()
    assert games.open(session.id).match.offers == NONE
    with pytest.raises(InvalidSetup, match="offers='most': expected all, good, none"):
        session.adjust(offers="most")


def test_a_counter_offer_is_answered(games):
    """What helps nobody is refused; the other's own offer with more for them is taken up."""
    session, record, step = sit_down(games, offered)
    offer = state_at(record, step)["offer"][0].tolist()
    names = ("wood", "brick", "sheep", "wheat", "ore")
    want = {name: n for name, n in zip(names, offer, strict=True) if n > 0}
    give = {name: -n for name, n in zip(names, offer, strict=True) if n < 0}
    session.match.propose(offer_trade({name: n + 1 for name, n in want.items()}, give).code)
    session.play([DECLINE], session.version)
    assert session.wait(120)
    assert "instead" in said(session)
    assert session.match.counter is None
    taken = [code for code in session.match.codes[step:] if is_offer(code) and counts_of(code) == [n + (n > 0) for n in offer]]
    assert ("did not take up your counter-offer" in said(session)) is not bool(taken)


def test_the_last_decision_is_taken_back_and_the_same_dice_fall(games):
    session, _, step = sit_down(games, lambda s: s["phase"][0] == TURN_START and len(legal_actions(s)) > 1)
    (roll, *_) = legal_actions(session.match.view(0))
    session.play([roll], session.version)
    assert session.wait(120)
    before = list(session.match.codes)
    assert len(before) > step
    assert session.can_take_back
    session.take_back(session.version)
    assert session.match.codes == before[:step]
    session.play([roll], session.version)
    assert session.wait(120)
    assert session.match.codes[: len(before)] == before


def test_a_whole_discard_is_taken_back(games):
    session, record, step = sit_down(games, lambda s: s["phase"][0] == ROBBER_DISCARD and s["discards"][0, 0] >= 4)
    need = int(state_at(record, step)["discards"][0, 0])
    for _ in range(need):
        session.play([habit(session.match.view(0))], session.version)
    assert session.wait(120)
    assert session.can_take_back
    session.take_back(session.version)
    while len(session.match.codes) > step:  # the robber may have been the person's to move, too
        session.take_back(session.version)
    assert len(session.match.codes) == step


def test_before_the_first_decision_nothing_can_be_taken_back(games):
    setup = CatanSetup.from_json(sit_down(games, lambda s: s["phase"][0] == MAIN)[0].setup)
    session = games.new("catan", setup.to_json(), 0)
    assert not session.can_take_back
    with pytest.raises(NotNow, match="cannot be taken back"):
        session.take_back(session.version)


def test_an_offer_that_was_accepted_is_a_decision(games):
    session, _, step = sit_down(games, offered)
    session.play([ACCEPT], session.version)
    assert session.wait(120)
    session.take_back(session.version)
    assert len(session.match.codes) == step
