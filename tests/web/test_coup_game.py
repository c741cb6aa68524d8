"""Games of Coup behind the page: sessions, moments without secrets, situations clicked together, endgames."""

from pathlib import Path

import pytest

from kibitz.compute.runtime import Runtime
from kibitz.coup.core.actions import assassinate, block, challenge, foreign_aid, steal
from kibitz.coup.core.record import check
from kibitz.coup.core.state import Rules
from kibitz.coup.endgames.solve import Endgame
from kibitz.coup.pages.endgames import endgame_in, solve
from kibitz.coup.pages.matches import CoupKind, look, options
from kibitz.coup.pages.pieces import spoken
from kibitz.coup.pages.situation import MOST_EXCHANGES, Sketch, understand
from kibitz.coup.pages.tree import Branches
from kibitz.coup.words import Words
from kibitz.game import hide_at, legal_actions
from kibitz.ground.texts import Mistake
from kibitz.play.profile import InvalidSetup
from kibitz.web.games import Games
from kibitz.web.store import Store
from tests.coup.positions import position


def setup(*bots, seat=0, seed=5, **rules):
    return {"seat": seat, "bots": list(bots), "rules": Rules(**rules).to_json(), "seed": seed}


@pytest.fixture
def store(tmp_path):
    made = Store(tmp_path / "library.sqlite3")
    yield made
    made.close()


@pytest.fixture
def games(store):
    made = Games(store)
    made.add(CoupKind())
    yield made
    made.close()


def play_on(session, steps=1000):
    """Take the first option each time; what was seen before each."""
    seen = []
    for _ in range(steps):
        assert session.wait(60)
        if session.over:
            break
        seen.append(look(session))
        session.play([seen[-1].options[0].action.code], seen[-1].version)
    return seen


def test_the_record_of_a_game_that_goes_on_is_a_record_that_ends_early(games, store):
    session = games.new("coup", setup("honest"), pace=0)
    play_on(session, 3)
    session.wait(60)
    [record] = check(games.record(store.load(session.id).data).splitlines())
    assert list(record.codes) == session.match.codes


# --- a game -----------------------------------------------------------------------------------------------


def test_a_game_is_played_to_its_end_and_its_record_holds(games):
    session = games.new("coup", setup("heuristic", "honest", seat=1), pace=0)
    play_on(session)
    moment = look(session)
    assert moment.over
    assert moment.result.endswith("won")
    [record] = check(session.kind.record(session.setup, session.moves).splitlines())
    assert list(record.codes) == session.match.codes
    assert moment.result in session.kind.title(session.setup, session.match)


def test_a_moment_has_no_secrets_until_the_end(games):
    session = games.new("coup", setup("heuristic", "heuristic"), pace=0)
    for moment in play_on(session, 8):
        others = [seat for seat in moment.seats if seat.seat != moment.you]
        assert all(card is None for seat in others for card in seat.cards)
        hidden = moment.view.copy()
        hide_at(hidden, 0, moment.you)
        assert hidden.tobytes() == moment.view.tobytes()
        assert all(
            set(seat.holds) == {"duke", "assassin", "captain", "ambassador", "contessa"} for seat in others if not seat.out
        )
        assert moment.deck + sum(len(seat.cards) + len(seat.lost) for seat in moment.seats) == 15


def test_a_game_goes_on_after_the_server_was_started_anew(games, store):
    session = games.new("coup", setup("heuristic", "ismcts:50"), pace=0)
    play_on(session, 4)
    session.wait(60)
    before = look(session)
    games.close()
    again = Games(store)
    again.add(CoupKind())
    reopened = again.open(session.id)
    after = look(reopened)
    assert after.log[: len(before.log)] == before.log
    assert [seat.cards for seat in after.seats] == [seat.cards for seat in before.seats]
    play_on(reopened, 2)
    assert len(look(reopened).log) > len(after.log)
    again.close()


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (setup(), "2 to 6 players"),
        (setup(*["random"] * 6), "2 to 6 players"),
        (setup("dragon"), "no such bot"),
        (setup("examples/my_bot.py:MyBot"), "no such bot"),  # no browser starts a program
        (setup("ismcts:1000000"), "50,000 iterations at most"),
        (setup("ismcts:60s"), "10 seconds at most"),
        (setup("random", seat=2), "a seat at this table"),
        (setup("random") | {"rules": {"max_turns": 0}}, "max_turns"),
    ],
)
def test_a_table_that_cannot_be_is_refused(games, given, problem):
    with pytest.raises(InvalidSetup, match=problem):
        games.new("coup", given)


def test_the_only_card_is_lost_without_a_question(games):
    session = games.new("coup", setup("heuristic", seed=3), pace=0)
    for moment in play_on(session):
        assert len(moment.options) > 1


def test_options_have_keys_of_their_own():
    words = Words(0, ("Ann", "Bob", "Cid"))
    turn = position("DC", "AT", "DM", coins=[7, 3, 2])
    found = options(turn, words)
    assert [option.action.code for option in found] == legal_actions(turn)
    assert len({option.key for option in found}) == len(found)
    keys = {f"{option.label} {option.target}".strip(): option.key for option in found}
    assert keys["Income"] == "i"
    assert (keys["Steal Bob"], keys["Steal Cid"], keys["Coup Cid"]) == ("s2", "s3", "c3")
    assert spoken(words, found[-1].action) == "Steal Cid"


# --- situations -------------------------------------------------------------------------------------------

TOLD = [
    "cards duke captain; coins 1 2",
    "players Ann Bob Cid; I am Bob, cards duke captain; coins 3 5 2; Ann lost contessa; Cid claimed duke; Ann assassinates me",
    "cards contessa; coins 3 3; I lost duke; 2 lost captain; 2 assassinates me; I allow",
    "coins 3 5; cards duke captain; 2 exchanged; 2 showed duke; I exchanged, drew duke duke, returned duke contessa; turn 2",
    "coins 3 5 4; cards duke captain; 3 did not show duke, lost captain; 2 steals from 3; 3 blocks with ambassador",
    "coins 3 5 4; cards duke captain; 2 steals from 3; 3 blocks with captain; I challenge; 3 to answer",
    "coins 3 5; cards duke captain; I showed duke, drew captain; 2 steals from 1; I block with captain; 2 challenges",
]


@pytest.mark.parametrize("text", TOLD)
def test_words_and_clicks_say_the_same(text):
    found = understand(text)
    again = understand(found.sketch.text())
    assert again.sketch == found.sketch
    assert again.states.tobytes() == found.states.tobytes()
    assert again.belief.events == found.belief.events


def test_a_situation_is_clicked_together():
    sketch = Sketch.fresh(2).seated(4).who_asks(1).hold("duke").hold("contessa").purse(0, 3).lose(2, "duke").claim(3, "captain")
    sketch = sketch.turn_of(0).say(0, assassinate(1))
    found = understand(sketch.text())
    assert found.sketch == sketch
    assert found.question == "Do you challenge Ann's Assassin?"
    assert [seat.lost for seat in found.seats] == [(), (), ("duke",), ()]
    assert found.seats[1].cards == ("duke", "contessa")
    assert found.seats[3].holds["captain"] > found.seats[0].holds["captain"]
    fewer = sketch.unsay().forget(0).seated(3)
    assert understand(fewer.text()).waits == "Ann"
    own = Sketch.fresh(2).lose(0, "captain")
    assert understand(own.text()).seats[0].cards == ("duke",)


def test_what_can_be_clicked_next_follows_from_the_rules():
    fresh = Sketch.fresh(3)
    assert fresh.answers() == []  # it is for the observer to decide
    assert len(fresh.turn_of(1).answers()) == 3 + 3 * 2
    stolen = fresh.turn_of(1).say(1, steal(0))
    assert [said.text(stolen.names) for said in stolen.answers()] == [
        "Ann allows", "Cid challenges", "Cid blocks with captain", "Cid blocks with ambassador",
    ]  # fmt: skip
    aid = fresh.turn_of(1).say(1, foreign_aid())
    assert [said.action for said in aid.answers() if said.action.kind == "block"] == [block("duke")]
    blocked = aid.say(2, block("duke"))
    assert {said.action.kind for said in blocked.answers()} == {"allow", "challenge"}
    assert blocked.say(1, challenge()).text().endswith("Cid to answer")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "say what you hold"),
        ("<script>alert(1)</script>", "expected the coins of everybody"),
        ("x" * 4000, "at most 3,000 letters"),
        ("coins 2 2 2; cards duke duke; 2 lost duke; 3 lost duke", "only three"),
        ("coins 2 2; cards duke captain" + "; 2 exchanged" * (MOST_EXCHANGES + 1), "exchanges"),
    ],
)
def test_what_is_not_understood_is_said(text, problem):
    with pytest.raises(Mistake, match=problem):
        understand(text)


# --- the tree, and endgames -------------------------------------------------------------------------------


def test_the_tree_tells_kinds_odds_and_beliefs():
    found = understand("players Ann Bob; cards duke captain; coins 3 5; Bob taxes; I challenge; Bob to answer")
    branches = Branches(found.states, found.belief, found.words)
    root = branches.root()
    below = branches.below(root.node)
    assert root.node.kind == "ChallengeResult"
    assert sum(one.node.probability for one in below) == pytest.approx(1)
    shown = next(one for one in below if one.label == "show duke")
    assert branches.held(shown.node)[1]["duke"] == pytest.approx(1)
    assert shown.node.probability == pytest.approx(found.belief.marginal(1)["duke"], abs=0.02)
    turn = understand("players Ann Bob Cid; cards duke captain; coins 3 5 2")
    branches = Branches(turn.states, turn.belief, turn.words)
    labels = {one.label: one for one in branches.below(branches.root().node)}
    assert labels["steal Bob"].what == "anybody may challenge: Bob or Cid"
    assert sum(one.best for one in labels.values()) == 1
    assert [one.label for one in branches.below(labels["tax"].node)] == ["challenge", "challenge", "nobody does"]


def test_an_endgame_is_solved_once_and_kept(tmp_path):
    endgame = Endgame(coins=(6, 6), turns=2)
    heard = []
    runtime = Runtime(on_info=heard.append)
    solved = solve(endgame, tmp_path, runtime)
    assert str(solved.solved.fraction) == "1/35"
    assert all(0 <= info.ranking[0] <= 1 for info in heard)
    assert len(solved.deals) == 25
    weights = {(a, b): 3 * (2 if a == b else 3) for a, b in solved.deals}
    mean = sum(weights[pair] * value for pair, value in solved.deals.items()) / sum(weights.values())
    assert mean == pytest.approx(1 / 35, abs=1e-5)
    assert {depth for depth, _ in solved.decisions} >= {1, 2}
    assert solve(endgame, tmp_path, Runtime()).solved.stored


def test_an_endgame_that_cannot_be_kept_is_solved_nevertheless(tmp_path, caplog):
    (tmp_path / "endgames").write_text("a file where a folder should be")
    assert str(solve(Endgame(coins=(6, 6), turns=2), tmp_path, Runtime()).solved.fraction) == "1/35"
    assert "cannot be kept" in caplog.text


def test_an_endgame_of_another_kind_is_refused_in_words():
    with pytest.raises(ValueError, match="from 1 to 12"):
        endgame_in({"turns": "900"})
    with pytest.raises(ValueError, match="dragon"):
        endgame_in({"revealed": "dragon"})
    with pytest.raises(ValueError, match="fewer turns"):
        solve(Endgame(coins=(3, 3), turns=5), Path("nowhere"), Runtime())
