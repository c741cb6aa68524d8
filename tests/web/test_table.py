"""A table for any game: it is made from a profile alone, keeps what it must, hides what it must, and takes back what it may."""

from pathlib import Path

import pytest

from kibitz.play.profile import InvalidSetup, SetupOption
from kibitz.play.registry import profile
from kibitz.web.games import Games, NotNow
from kibitz.web.pages.anygame import KEYS, grouped, look, options
from kibitz.web.store import Store
from kibitz.web.table import AnyKind, chosen, own_bot

pytestmark = pytest.mark.plain

LETTER, NIM, KNOCK = "examples/love_letter.py", "tests/web/nim.py", "tests/examples/knock.py"


@pytest.fixture
def store(tmp_path):
    made = Store(tmp_path / "library.sqlite3")
    yield made
    made.close()


@pytest.fixture
def games(store):
    made = Games(store)
    for file in (LETTER, NIM):
        made.add(AnyKind(profile(file), "/table/x"))
    yield made
    made.close()


def setup(*bots, seat=0, seed=5, **options):
    return {"seat": seat, "bots": list(bots), "options": options, "seed": seed}


def play_on(game, session, steps=100, choice=0):
    """Take one of the options each time (the last by -1); what was seen before each."""
    seen = []
    for _ in range(steps):
        assert session.wait(60)
        if session.over:
            break
        seen.append(look(game, session))
        session.play([seen[-1].options[choice].code], seen[-1].version)
    assert session.wait(60)
    return seen


def test_a_game_is_played_to_its_end_and_its_record_holds(games):
    game = profile(LETTER)
    session = games.new("love_letter", setup("sly", "random", seat=1), pace=0)
    play_on(game, session)
    end = look(game, session)
    assert end.over
    assert end.result.endswith(("won", "share the win"))
    mine = [told for told in end.log if told.seat == 1]
    assert mine == [told for told in end.log if told.text.startswith("You: ")] != []
    [record] = game.records().check(session.kind.record(session.setup, session.moves).splitlines(), lambda steps: None)
    assert list(record.codes) == session.match.codes
    assert record.seats == ("sly", "you", "random")
    assert end.result in session.kind.title(session.setup, session.match)


@pytest.mark.parametrize("seed", [8, 11])
def test_a_game_that_is_taken_up_again_goes_on_as_it_would_have(games, store, seed, monkeypatch):
    """Also where bots draw lots: what they drew before is drawn again."""
    monkeypatch.setattr("kibitz.web.games.PAUSE", 0)
    game, chosen = profile(LETTER), setup("random", "random", seat=1, seed=seed)
    whole = games.new("love_letter", chosen, pace=0)
    play_on(game, whole)
    begun = games.new("love_letter", chosen, pace=0)
    play_on(game, begun, steps=2)
    again = Games(store, [AnyKind(game, "/table/x")])
    session = again.open(begun.id)
    play_on(game, session)
    again.close()
    assert session.moves == whole.moves


def test_a_game_without_turns_does_not_count_them(games):
    games.add(AnyKind(profile("kuhn"), "/table/x"))
    session = games.new("kuhn", setup("random"), pace=0)
    assert session.wait(60)
    assert session.kind.title(session.setup, session.match).endswith(": under way")
    assert look(profile("kuhn"), session).turn == 0


def test_what_the_others_hold_is_not_in_the_page(games):
    session = games.new("love_letter", setup("sly"), pace=0)
    for _ in range(4):
        assert session.wait(60)
        if session.over:
            break
        moment = look(profile(LETTER), session)
        held, known = session.match.states[0].held[1], session.match.states[0].known_to[1]
        session.match.states[0].held[1] = "priest" if held != "priest" else "baron"  # whatever the bot held
        if 0 not in known:
            assert look(profile(LETTER), session).picture == moment.picture
        session.match.states[0].held[1] = held
        session.play([moment.options[0].code], moment.version)


def test_it_goes_on_after_the_server_was_started_anew(games, store):
    session = games.new("love_letter", setup("sly", "random"), pace=0)
    play_on(profile(LETTER), session, 1)
    before = look(profile(LETTER), session)
    games.close()
    again = Games(store, [AnyKind(profile(LETTER), "/table/x")])
    after = look(profile(LETTER), again.open(session.id))
    assert (after.log, after.picture, after.options) == (before.log, before.picture, before.options)
    again.close()


# --- taking back -----------------------------------------------------------------------------------------------------


def test_where_nothing_is_hidden_everything_can_be_taken_back(games, store):
    game = profile(NIM)
    session = games.new("nim", setup("greedy"), pace=0)
    first = look(game, session)
    assert not first.can_take_back
    play_on(game, session, 2)  # 1, 3, 1, 3: two are left
    assert session.match.states[0].left == 2
    now = look(game, session)
    session.take_back(now.version)
    back = look(game, session)
    assert back.version > now.version
    assert (session.match.states[0].left, [told.text for told in back.log]) == (6, ["You: take 1", "Bob: take 3"])
    session.take_back(back.version)
    assert look(game, session).options == first.options
    assert store.load(session.id).data["moves"] == []
    with pytest.raises(NotNow, match="cannot be taken back"):
        session.take_back(session.version)
    play_on(game, session)
    assert session.over
    assert look(game, session).can_take_back  # a lost game too
    with pytest.raises(NotNow, match="look again"):
        session.take_back(0)


def test_what_chance_or_hidden_cards_have_told_stays(games):
    session = games.new("love_letter", setup("sly", "random"), pace=0)
    for moment in play_on(profile(LETTER), session):
        assert not moment.can_take_back  # since then, cards were drawn


def test_a_step_that_shows_hidden_cards_stays(store):
    games = Games(store, [AnyKind(profile(KNOCK), "/table/knock")])
    session = games.new("knock", setup("random"), pace=0)
    assert session.wait(60)
    session.play([profile(KNOCK).setup().game.parse("knock")], session.version)
    assert session.over
    assert not session.can_take_back
    games.close()


# --- what may be asked for ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (setup(), "2 to 4 players"),
        (setup("sly", "sly", "sly", "sly"), "2 to 4 players"),
        (setup("dragon"), "no such bot"),
        (setup("examples/my_bot.py:MyBot"), "no such bot"),  # no browser starts a program
        (setup("ismcts:99999999"), "iterations at most"),
        (setup("ismcts:60s"), "seconds at most"),
        (setup("sly", seat=3), "a seat at this table"),
        (setup("sly") | {"seed": "x"}, "a seed"),
        (setup("sly") | {"options": []}, "expected an object"),
    ],
)
def test_a_table_that_cannot_be_is_refused(games, given, problem):
    with pytest.raises(InvalidSetup, match=problem):
        games.new("love_letter", given)


def test_no_browser_names_a_file():
    known = [
        SetupOption("deck", "", "DECK", names=("tide",)),
        SetupOption("rule", "", "RULE", repeated=True, names=("points",)),
    ]
    assert chosen(known, {"deck": "tide", "rule": ["points=5"]}) == {"deck": "tide", "rule": ["points=5"]}
    for given in ({"deck": "/etc/passwd"}, {"deck": ["tide"]}, {"rule": ["points=a/b"]}, {"rule": ["points=deck.json"]}):
        with pytest.raises(InvalidSetup, match="cannot be chosen here"):
            chosen(known, given)
    assert chosen(known, {"cards": "cards.json"}) == {}  # which is no option of the game


def test_every_option_has_a_key_as_long_as_there_are_keys(games):
    session = games.new("love_letter", setup("sly", "sly", "sly"), pace=0)
    assert session.wait(60)
    found = list(options(profile(LETTER), session.match.view(0), 0))
    keys = [option.key for option in found if option.key]
    assert keys == KEYS[: len(found)]
    assert not {"k", "u"} & set(keys)
    assert sorted(option.words for _, group in grouped(found) for option in group) == sorted(option.words for option in found)


def test_a_level_may_think_no_longer_than_its_bot():
    assert own_bot(profile("catan"), "expert", 1000, 1.0).name == "expert"
    with pytest.raises(InvalidSetup, match="expert: a bot thinks for 999 iterations at most"):
        own_bot(profile("catan"), "expert", 999, 1.0)


@pytest.mark.parametrize("turn", [1, 2], ids=["at the person's move", "at the bot's move"])
def test_a_mistake_in_the_rules_is_told_to_their_author(tmp_path, store, turn):
    old = "        self.played[me] += (card,)"
    text = Path(LETTER).read_text(encoding="utf-8").replace(old, f"{old} if self.turn != {turn} else self.plaid")
    file = tmp_path / "broken.py"
    file.write_text(text.replace('"love_letter"', f'"broken_{turn}"'), encoding="utf-8")
    line = text[: text.index(old)].count("\n") + 1
    told = f"{file}, line {line}, in play: AttributeError: 'LoveLetter' object has no attribute 'plaid'"
    game = profile(str(file))
    games = Games(store, [AnyKind(game, "/table/x")])
    session = games.new(game.name, setup("random"), pace=0)
    assert session.wait(60)
    shown = look(game, session)
    if turn == 1:
        with pytest.raises(NotNow) as refused:
            session.play([shown.options[0].code], shown.version)
        assert str(refused.value) == told
    else:
        session.play([shown.options[0].code], shown.version)
    assert session.wait(60)
    assert session.trouble == told
    games.close()
