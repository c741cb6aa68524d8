"""A situation in words: what each way to say something means, and how what is not understood is refused."""

import pickle

import pytest

from kibitz import game
from kibitz.coup import Action, GameState, Rules
from kibitz.coup.core.setup import Fact, SetupError
from kibitz.coup.core.situation import SituationError, read_situation
from kibitz.ground.rng import Stream
from tests.coup.positions import options

pytestmark = pytest.mark.plain

TWO = "coins 7 7; cards duke captain;"
THREE = "coins 7 7 7; cards duke captain;"


def waits_for(told):
    return GameState(told.states).phase.name, game.actor_at(told.states, 0)


# --- who and what ---------------------------------------------------------------------------------------------------


def test_cards_and_coins_are_enough():
    told = read_situation("cards duke captain; coins 1 2")
    assert (told.names, told.observer, told.dealt, told.facts, told.seen) == (("1", "2"), 0, ("duke", "captain"), (), ())
    assert waits_for(told) == ("ACTION", 0)
    assert [player.coins for player in GameState(told.states).players] == [1, 2]


def test_the_example_of_the_docs():
    told = read_situation("""
        players 3               # or their names
        I am 1, cards duke captain
        coins 3 5 2
        revealed 2: contessa
        claims: 2 duke, 3 ambassador, 2 duke
        turn 2
        2 assassinates 1
    """)
    assert waits_for(told) == ("CHALLENGE", 0)
    claims = [Fact("claimed", 1, ("duke",)), Fact("claimed", 2, ("ambassador",)), Fact("claimed", 1, ("duke",))]
    assert told.facts == (Fact("lost", 1, ("contessa",)), *claims)
    assert [Action.from_code(step.code).to_text() for step in told.seen] == ["assassinate 1", "allow"]
    assert GameState(told.states).players[1].coins == 2  # the assassin is paid


@pytest.mark.parametrize(
    "text",
    [
        "players Ann Bob; coins 3 5; I am Bob; cards duke captain; Ann taxes",
        "coins 3 5; players Ann, Bob; I'm bob, cards Duke Captain; ann tax",
        "Players: Ann Bob\nCOINS: 3, 5\nI am Bob with the duke and the captain\nPlayer 1 taxes.",
        "coins 3 5; I am 2 cards du cap; p1 taxes; me to answer",
        "i am player 2; players 2; coins 3 5; cards dukes captain; P1 taxes; 2 to decide",
    ],
)
def test_there_is_more_than_one_way_to_say_it(text):
    told = read_situation(text)
    assert told.observer == 1
    assert waits_for(told) == ("CHALLENGE", 1)
    assert told.states.tobytes() == read_situation("coins 3 5; cards duke captain; 1 taxes", seat=1).states.tobytes()


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("2 claimed duke", [Fact("claimed", 1, ("duke",))]),
        ("2 taxed", [Fact("claimed", 1, ("duke",))]),
        ("2 assassinated 3", [Fact("claimed", 1, ("assassin",))]),
        ("2 stole from me", [Fact("claimed", 1, ("captain",))]),
        ("2 blocked with contessa", [Fact("claimed", 1, ("contessa",))]),
        ("2 exchanged", [Fact("claimed", 1, ("ambassador",)), Fact("exchanged", 1)]),
        ("2 showed the duke", [Fact("showed", 1, ("duke",))]),
        ("2 lost duke", [Fact("lost", 1, ("duke",))]),
        ("revealed 2 duke, 3 captain", [Fact("lost", 1, ("duke",)), Fact("lost", 2, ("captain",))]),
        ("2 did not show duke, lost captain", [Fact("declined", 1, ("duke", "captain"))]),
        ("2 didn't show duke; 2 lost captain", [Fact("declined", 1, ("duke", "captain"))]),
        ("2 claimed duke, showed duke", [Fact("claimed", 1, ("duke",)), Fact("showed", 1, ("duke",))]),
    ],
)
def test_what_happened_before(text, facts):
    assert list(read_situation(f"{THREE} {text}").facts) == facts


def test_own_cards_are_followed_back_to_the_deal():
    told = read_situation(
        "coins 3 3; cards contessa; I exchanged, drew assassin ambassador, returned duke captain; I lost assassin;"
        "I showed ambassador, drew contessa"
    )
    assert told.dealt == ("duke", "captain")
    told = read_situation("coins 3 3; cards duke; I did not show captain, lost contessa")
    assert sorted(told.dealt) == ["contessa", "duke"]
    assert GameState(told.states).players[0].revealed == ("contessa",)


@pytest.mark.parametrize(
    ("text", "phase", "legal"),
    [
        (f"{TWO} 2 taxes", "CHALLENGE", ["allow", "challenge"]),
        (f"{TWO} 2 takes foreign aid", "BLOCK", ["allow", "block duke"]),
        (f"{TWO} 2 aid", "BLOCK", ["allow", "block duke"]),
        (f"{TWO} 2 steals from 1, I allow", "BLOCK", ["allow", "block captain", "block ambassador"]),
        (f"{TWO} 2 assassinates me; I pass", "BLOCK", ["allow", "block contessa"]),
        (f"{TWO} 2 coups me", "LOSE", ["lose duke", "lose captain"]),
        (f"{TWO} 2 exchanges; I challenge; 2 shows ambassador", "LOSE", ["lose duke", "lose captain"]),
        (f"{TWO} I tax; 2 challenges", "SHOW", ["show duke", "lose captain"]),
        (f"{TWO} I assassinate 2; 2 blocks", "CHALLENGE", ["allow", "challenge"]),
        (f"{TWO} 2 takes foreign aid; I block; 2 challenges", "SHOW", ["show duke", "lose captain"]),
        (f"{TWO} I exchange; I draw contessa assassin", "RETURN", None),
        (f"{THREE} I steal from 3; 2 challenges; I show captain; 2 loses duke; I draw duke; 3 blocks with captain",
         "CHALLENGE", ["allow", "challenge"]),
    ],
)  # fmt: skip
def test_the_turn_under_way(text, phase, legal):
    told = read_situation(text)
    assert waits_for(told) == (phase, 0)
    if legal is not None:
        assert options(told.states) == legal


def test_whose_turn_it_is_and_who_is_to_answer():
    assert waits_for(read_situation(f"{TWO} turn 2")) == ("ACTION", 1)
    assert waits_for(read_situation(f"{THREE} 2 taxes; 3 to answer")) == ("CHALLENGE", 2)


@pytest.mark.parametrize(
    ("text", "phase", "seat"),
    [
        (f"{THREE} 2 coups 3", "LOSE", 2),
        (f"{THREE} 2 assassinates 3; I allow", "BLOCK", 2),
        (f"{THREE} 2 taxes", "CHALLENGE", 2),
        (f"{THREE} 2 taxes; 1 to answer", "CHALLENGE", 0),
        (f"{THREE} 2 taxes; 3 challenges", "SHOW", 1),
        (f"{THREE} 2 takes income", "ACTION", 2),
        (f"{THREE} I exchange; 2 allows; 3 allows", "DRAW", game.CHANCE),
        (f"{THREE} turn 3", "ACTION", 2),
        (THREE, "ACTION", 0),
    ],
)
def test_the_position_right_after_what_is_told(text, phase, seat):
    told = read_situation(text, to_observer=False)
    assert waits_for(told) == (phase, seat)
    assert told.observer == 0


def test_rules_and_seat_can_be_given():
    text = "coins 2 0; cards duke captain; 1 steals from 2; 2 to answer"
    assert waits_for(read_situation(text, seat=1, rules=Rules(steal_from_zero=True))) == ("CHALLENGE", 1)
    with pytest.raises(SetupError, match="player 2 has no coins"):
        read_situation(text, seat=1)


# --- what is refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "say the coins of each player"),
        ("coins 2 2", "say which cards you hold"),
        ("coins two two", "line 1: 'coins two two': expected the coins of each player, in the order of the seats"),
        ("players 3; coins 2 2; cards duke captain", "there are 3 players, but coins for 2"),
        ("players 9", "Coup is for 2 to 6 players"),
        (f"players {'9' * 5000}", "expected a number of players"),
        ("players Ann ann", "two players have the same name"),
        ("players Ann Duke", "'Duke' has a meaning of its own here"),
        ("players Ann 2", "expected a number of players, or their names"),
        ("players 2; players 3", "the players are known already"),
        ("I am 1; I am 2", "who you are is known already"),
        ("I am", "expected a player"),
        ("coins 2 2; I am 3; cards duke captain", "line 1: 'I am 3': expected a player: 1, 2"),
        ("cards duke captain; cards duke captain", "your cards are known already"),
        ("cards duke c", "'c' can be more than one character: captain, contessa"),
        ("cards duke dragon", "'dragon' is not a character; these are duke"),
        (f"{TWO} 3 taxes", "expected a player (1, 2), or one of: players"),
        ("2 taxes", "expected the coins of everybody (coins 3 5 2)"),
        ("coin 2 2", "did you mean 'coins'?"),
        (f"{TWO} 2 assasinates 1", "what does player 2 do? did you mean 'assassinates'?"),
        (f"{TWO} 2 sleeps in", "what does player 2 do? these are taxes, takes foreign aid"),
        (f"{TWO} 2", "what does player 2 do?"),
        (f"{TWO} 2 steals from 3", "expected a player: 1, 2"),
        (f"{TWO} 2 taxes duke", "expected 0 cards, found 1"),
        (f"{TWO} 2 steals from me; I block", "expected the card that blocks, as in '2 blocks with captain'"),
        (f"{TWO} 2 showed", "expected one card after 'showed'"),
        (f"{TWO} claims: 2", "expected a player and a card, as in 'claims 2 duke'"),
        (f"{TWO} 2 drew duke", "'drew' belongs after 'showed' or 'exchanged'"),
        (f"{TWO} 2 did not show duke, lost duke", "who does not show the Duke loses another card"),
        (f"{TWO} 2 did not show duke", "who does not show a card loses another (player 2 declined)"),
        (f"{TWO} 2 showed duke, drew captain", "only your own cards are known to you"),
        (f"{TWO} I showed duke", "you know your own cards"),
        (f"{TWO} I showed duke, drew contessa", "you showed and drew contessa, which you neither returned nor hold now"),
        (f"{TWO} I lost duke", "you hold 2 and have lost 1 of your cards, but two were dealt"),
        (f"{TWO} 2 taxes; 2 claimed duke", "say what happened in earlier turns before what happens in this one"),
        (f"{TWO} 2 taxes; coins 2 2", "say the coins first"),
        ("coins 2 2; 2 taxes; cards duke captain", "say your cards first"),
        (f"{TWO} turn 2; I tax", "it is the turn of player 2, but player 1 acts first"),
        (f"{THREE} 2 coups 3", "player 1 has nothing to decide now: player 3 loses a card first; say which ('3 loses duke')"),
        (f"{THREE} 2 coups 3; I tax", "player 1 cannot tax now: player 3 loses a card first; say which ('3 loses duke')"),
        (f"{THREE} 2 coups 3; 3 loses duke", "the turn of player 2 is over; tell the next one from its start"),
        (f"{THREE} 2 assassinates 3; I allow", "player 3 may block first; say '3 blocks' with which card, or '3 allows'"),
        (f"{THREE} 2 assassinates 3; I allow, 3 allows", "player 3 loses a card first"),
        (f"{THREE} I steal from 3", "player 2 may challenge first; say '2 challenges' or '2 allows'"),
        (f"{THREE} I tax; I show duke", "player 1 cannot show duke now: the turn of player 1 is over"),
        (f"{THREE} 2 taxes; 3 challenges", "player 2 is challenged; say '2 shows' or '2 loses' which card"),
        (f"{THREE} I exchange", "player 1 has nothing to decide now: say first what player 1 drew"),
        (f"{THREE} 2 to answer", "player 2 has nothing to decide now: it is the turn of player 1"),
        (f"{THREE} 2 to be or not to be", "line 1: '2 to be or not to be': expected '2 to answer', or 'turn 2'"),
        (f"{THREE} 2 to move", "expected '2 to answer', or 'turn 2' where a turn begins"),
        (f"{THREE} 2 to answer; 3 to answer", "player 2 is to answer already"),
        (f"{THREE} 3 to answer; 2 taxes", "say '3 to answer' last"),
        (f"{THREE} turn 2; turn 3", "it is known already whose turn it is"),
        (f"{THREE} coins 2 2 2", "the coins are known already"),
        ("coins 3.5 2.5; cards duke captain", "expected the coins of each player"),
        (f"{THREE} 2 taxed heavily", "expected nothing after 'taxed'"),
        (f"{THREE} 2 stole from 4", "expected a player: 1, 2, 3"),
        (f"{THREE} 2 takes foreign policy", "expected nothing after 'foreign aid'"),
        (f"{THREE} 2 exchanged, drew", "expected all cards once after 'drew'"),
        (f"{THREE} I showed duke, drew captain, drew captain", "expected all cards once after 'drew'"),
        ("coins 3 3 3; cards duke; revealed 1 duke, 2 duke, 3 duke",
         "three Dukes are revealed and you hold one: there are only three"),
        ("coins 2 10; cards duke captain; 2 taxes", "a player with 10 or more coins must coup"),
    ],
)  # fmt: skip
def test_what_is_not_understood_or_cannot_be_is_refused(text, words):
    with pytest.raises(SetupError) as caught:
        read_situation(text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_line_is_named():
    with pytest.raises(SituationError) as caught:
        read_situation("coins 2 2\n\ncards duke captain; 2 flies")
    assert (caught.value.line, caught.value.clause) == (3, "2 flies")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_another_seat_than_the_text_says_is_refused():
    with pytest.raises(SetupError, match="the text says 'I am 2', the seat that was asked for is 1"):
        read_situation("I am 2; coins 2 2; cards duke captain", seat=0)
    with pytest.raises(SetupError, match="there is no player 3"):
        read_situation("coins 2 2; cards duke captain", seat=2)


VOCABULARY = """
    duke assassin captain ambassador contessa 1 2 3 I me am players coins cards revealed claims turn to not did show ; ; ; , , :
    # takes tax taxes taxed steals stole coups blocks blocked challenges allows shows showed loses lost draws drew returned
    exchanges exchanged
"""


def test_every_text_is_read_or_refused():
    words, stream, understood = VOCABULARY.split(), Stream(5), 0
    for _ in range(3000):
        facts = " ".join(stream.choice(words) for _ in range(stream.below(9)))
        try:
            read_situation(f"{THREE} {facts}")
        except SetupError:
            continue
        understood += 1
    assert understood > 50


CLAUSES = """
    I am 2|cards duke captain|coins 7 7 7|revealed 2: contessa|claims: 2 duke|turn 2|2 claimed duke|2 taxed|2 stole from 3
    2 assassinated 3|2 exchanged|2 blocked with contessa|2 showed duke|2 lost duke|2 did not show duke, lost captain
    I showed duke, drew captain|I exchanged, drew duke duke, returned duke captain|2 taxes|2 takes foreign aid|2 takes income
    2 exchanges|2 assassinates 1|2 steals from 1|2 coups 1|2 challenges|2 blocks with duke|2 allows|2 shows duke|2 loses duke
    I draw duke captain|2 to answer
"""


@pytest.mark.parametrize("clause", [clause.strip() for clause in CLAUSES.replace("\n", "|").split("|") if clause.strip()])
def test_a_word_too_many_is_refused_with_its_clause(clause):
    stream = Stream(sum(map(ord, clause)))
    for _ in range(40):
        words = clause.split()
        word = "".join(stream.choice("bghijkqvwxyz") for _ in range(2 + stream.below(6)))
        words.insert(stream.below(len(words) + 1), word)
        garbled = " ".join(words)
        with pytest.raises(SituationError) as caught:
            read_situation(f"players 3\n{garbled}\ncoins 7 7 7")
        assert (caught.value.line, caught.value.clause in garbled) == (2, True), garbled
        assert word in caught.value.clause, (garbled, str(caught.value))
