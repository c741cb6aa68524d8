"""Games of One Piece behind the page: sessions, moments without secrets, the loop lab."""

import json

import pytest

from kibitz.game import OVER
from kibitz.loops.config import MODELS, InvalidRules
from kibitz.loops.drive import Guarded, play
from kibitz.loops.guard import LoopGuard
from kibitz.onepiece.core.actions import SETTLE
from kibitz.onepiece.core.decks import starter
from kibitz.onepiece.core.engine import scratch
from kibitz.onepiece.core.reading import CardError
from kibitz.onepiece.core.record import check
from kibitz.onepiece.looplab import CARD_LAB
from kibitz.onepiece.pages.bench import MOST_NODES, OWN, Bench, Wish
from kibitz.onepiece.pages.drawing import draw_choices, draw_hand, draw_table, offered
from kibitz.onepiece.pages.matches import OnePieceKind, read_brought
from kibitz.onepiece.pages.moment import look
from kibitz.play.guarded import check_guards
from kibitz.play.profile import InvalidSetup
from kibitz.web.games import Games, NotNow
from kibitz.web.store import Store


def setup(**changes):
    return {"seat": 0, "decks": ["tide", "ember"], "bot": "greedy", "guard": "onepiece", "seed": 5} | changes


@pytest.fixture
def store(tmp_path):
    made = Store(tmp_path / "library.sqlite3")
    yield made
    made.close()


@pytest.fixture
def games(store):
    made = Games(store)
    made.add(OnePieceKind())
    yield made
    made.close()


def drawn(moment):
    """All that a page shows of a moment."""
    parts = [draw_table(moment), draw_hand(moment.me.hand, (), ""), draw_choices(moment, offered(moment, ""), "")]
    return "".join(parts) + repr(moment.log)


def play_on(session, decisions):
    """Take the first option so often; whether the game goes on."""
    for _ in range(decisions):
        assert session.wait(60)
        if session.over:
            return False
        moment = look(session)
        session.play([moment.options[0].code], moment.version)
    assert session.wait(60)
    return not session.over


def test_the_record_of_a_game_that_goes_on_is_a_record_that_ends_early(games, store):
    session = games.new("onepiece", setup(), pace=0)
    assert play_on(session, 5)
    (record,) = check(games.record(store.load(session.id).data).splitlines())
    assert list(record.codes) == session.match.codes


def test_the_log_warns_of_a_loop_and_names_the_way_out_once():
    match = OnePieceKind().match(setup(seat=1))
    row = CARD_LAB["other"]
    for _ in range(2):
        hook = Guarded(LoopGuard(MODELS["declare"], listener=match.guard.guard.listener))
        play(row.start(), row.choose(), hook, max_steps=11)
    assert [told.text for told in match.witness.log] == [
        "The loop guard: this position has come up 4 times: once more, and it is a loop; "
        "you can leave it: decline Worn Lullaby Post.",
        "The loop guard: this position has come up 5 times: player 2 declares; you can leave it: decline Worn Lullaby Post.",
    ]


@pytest.mark.parametrize("seat", [0, 1])
def test_a_game_to_its_end_is_a_valid_record(games, store, seat):
    session = games.new("onepiece", setup(seat=seat), pace=0)
    assert not play_on(session, 400)
    moment = look(session)
    assert moment.over
    assert moment.result in ("you won", "Ann won", "Bob won", "a draw by the loop rule")
    lines = games.record(store.load(session.id).data).splitlines()
    (record,) = check_guards(check(lines))
    assert record.codes == tuple(session.match.codes)
    assert record.seats[seat] == "you"


def test_a_game_goes_on_after_the_server_was_killed(games, store):
    session = games.new("onepiece", setup(), pace=0)
    assert play_on(session, 8)
    before = look(session)
    others = Games(store)
    others.add(OnePieceKind())
    again = others.open(session.id)
    assert drawn(look(again)) == drawn(before)
    assert again.match.codes == session.match.codes
    others.close()


def test_a_moment_holds_nothing_that_the_person_cannot_know(games):
    """Whatever else the bot might hold, the page is the same to the letter."""
    session = games.new("onepiece", setup(seed=11), pace=0)
    for number in range(12):
        if not play_on(session, 1):
            break
        shown = drawn(look(session))
        truth = session.match.states[0]
        other = truth.copy()
        other.redeal(scratch(number), 0)
        other.hide(0)
        assert sorted(other.hand[1]) == sorted(session.match.view(0)[0].hand[1])
        session.match._views[0][0] = other
        assert drawn(look(session)) == shown


def test_options_lead_to_cards_of_the_page(games):
    session = games.new("onepiece", setup(), pace=0)
    for _ in range(30):
        if not play_on(session, 1):
            break
        moment = look(session)
        page = draw_table(moment) + draw_hand(moment.me.hand, (), "")
        for option in moment.options:
            for element in filter(None, (option.source, option.target)):
                assert f'data-id="{element}"' in page
        keys = [choice.key for choice in offered(moment, "") if choice.key]
        assert len(keys) == len(set(keys))


def test_a_decision_too_late_or_illegal_is_refused(games):
    session = games.new("onepiece", setup(), pace=0)
    assert session.wait(60)
    moment = look(session)
    with pytest.raises(NotNow):
        session.play([SETTLE], moment.version)
    with pytest.raises(NotNow):
        session.play([moment.options[0].code], moment.version - 1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"decks": ["tide"]}, {"decks": ["tide", "<script>"]}, {"decks": None}, {"seat": 2}, {"seat": True}, {"guard": "police"},
        {"bot": "nobody"}, {"bot": "examples/my_bot.py:MyBot"}, {"bot": "ismcts:1000000"}, {"bot": "ismcts:100s"},
        {"seed": "1"},
    ],
)  # fmt: skip
def test_setups_that_make_no_sense(wrong):
    with pytest.raises(InvalidSetup):
        OnePieceKind().match(setup(**wrong))


# --- the loop lab -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CARD_LAB)
@pytest.mark.parametrize("flipped", [False, True])
def test_every_row_is_drawn_at_every_step(name, flipped):
    wish = Wish(name, flipped)
    bench = Bench.play(wish)
    expected = wish.row.flipped_to if flipped else wish.row.expected
    total = len(bench.trial.steps)
    assert bench.trial.verdict == expected
    assert bench.cycle(total).verdict == expected
    for step in range(total + 1):
        cycle = bench.cycle(step)
        assert sum(node.lit for node in cycle.nodes) <= 1
        if bench.note is not None and step < bench.note.after:
            assert cycle.verdict.startswith("lap ")
    assert bench.state(total).actor() == OVER or total > 0


def test_the_way_out_that_was_taken_is_marked_once_it_is_taken():
    bench = Bench.play(Wish("both", numbers=(3, 1)))
    note = bench.note
    assert note.settlement.seat == 1
    taken = [one for one in bench.cycle(len(bench.trial.steps)).exits if one.taken]
    assert [(one.seat, one.text) for one in taken] == [(1, "decline Worn Lullaby Post")]
    assert not any(one.taken for one in bench.cycle(note.after).exits)


def test_a_million_declared_laps_are_as_fast_as_one():
    bench = Bench.play(Wish("activate", numbers=(1_000_000, 1)))
    assert bench.note.settlement.laps == 1_000_000
    assert len(bench.trial.steps) < 20


def test_rules_of_ones_own():
    rules = {"infiniteLoopRules": {"maxRepeats": 2, "searchNodes": 1_000_000}}
    wish = Wish("other", model=OWN, rules=json.dumps(rules))
    assert wish.config().search_nodes == MOST_NODES
    bench = Bench.play(wish)
    assert bench.trial.verdict == "player 2 must stop"
    assert bench.note.after < Bench.play(Wish("other")).note.after
    for text in ("", "[", "{}", '{"infiniteLoopRules": {"maxRepeats": 0}}', "[" * 4000):
        with pytest.raises(InvalidRules):
            Wish(model=OWN, rules=text).config()


def test_an_address_is_read_as_far_as_it_makes_sense():
    wish = Wish("drain", True, True, "cap", (3, 5))
    assert Wish.from_query(dict(part.split("=") for part in wish.to_query().replace("%2C", ",").split("&"))) == wish
    hostile = {"loop": "<script>", "model": "../x", "declare": "9" * 99 + ",1", "flip": "yes", "machine": "2"}
    assert Wish.from_query(hostile) == Wish()


TIDE = "\n".join(f"{n} {card.id}" for card, n in starter("tide").cards.items())


def test_a_deck_that_somebody_brings_is_kept_with_the_game(games, store):
    brought = read_brought(f"# mine\n1 TW-001\n{TIDE}".encode())
    session = games.new("onepiece", setup(decks=[brought.entry, "ember"]), pace=0)
    assert play_on(session, 3)
    assert store.items("game")[0].title.startswith("One Piece, Maris Veil against Brannoch")
    assert look(session).me.deck_name == "Maris Veil"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (b"\xff\xfe", "not text in UTF-8"),
        (b"4 TW-002", "0 Leaders"),
        (b"1 TW-001\n4 TW-002", "4 cards"),
        (b"1 TW-001\n4 XX-999", "line 2: '4 XX-999': no such card"),
        (b"{", "this text: "),
        (b'{"leader": "TW-001", "cards": 3}', "expected card ids"),
        (b"id,name\nX-1,Nobody", "kind"),
        (b"[" * 100_000, "this text: "),
    ],
)
def test_what_is_wrong_with_a_deck_is_said(text, complaint):
    with pytest.raises(CardError) as error:
        read_brought(text)
    assert complaint in str(error.value)


@pytest.mark.parametrize(
    "entry", [3, "<script>", {}, {"deck": "4 TW-002", "cards": ""}, {"deck": "x" * (3 << 20), "cards": ""}]
)
def test_a_setup_without_a_deck_is_refused(games, entry):
    with pytest.raises(InvalidSetup):
        games.new("onepiece", setup(decks=[entry, "ember"]), pace=0)
