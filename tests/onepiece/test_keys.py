"""The canonical form of a position: what is in it, what is not, and for whom."""

import subprocess
import sys

import pytest

from kibitz.onepiece.core.keys import OMNISCIENT, PUBLIC
from tests.onepiece.positions import PLAIN, Position, card, event, lab_steps

pytestmark = pytest.mark.plain


def test_the_place_of_a_character_and_the_number_of_a_unit_do_not_matter():
    a, b = Position(mine=[PLAIN, card("B")]), Position(mine=[card("B"), PLAIN])
    assert a.s.key() == b.s.key()
    assert a.s.fingerprint() == b.s.fingerprint()
    a.at("P1.C1").serial = 99
    assert a.s.key() == b.s.key()


def test_the_order_of_hand_and_trash_does_not_matter():
    one, two = card("A"), card("B")
    a, b = Position(hand=[one, two], trash=[one, two]), Position(hand=[two, one], trash=[two, one])
    assert a.s.key() == b.s.key()
    assert a.s.fingerprint() == b.s.fingerprint()


def test_the_turn_number_does_not_matter_but_the_first_turns_do():
    t = Position()
    later = t.s.copy()
    later.turn = 9
    assert later.key() == t.s.key()
    assert later.fingerprint() == t.s.fingerprint()
    later.turn = 2
    assert later.key() != t.s.key()


def test_history_does_not_matter():
    t = Position(mine=[PLAIN])
    later = t.s.copy()
    later.drawn = [7, 7]
    assert (later.key(), later.fingerprint()) == (t.s.key(), t.s.fingerprint())


@pytest.mark.parametrize(
    "change",
    [
        lambda t: setattr(t.at("P1.C1"), "used", 1),
        lambda t: setattr(t.at("P1.C1"), "rested", True),
        lambda t: setattr(t.at("P1.C1"), "fresh", True),
        lambda t: setattr(t.at("P1.C1"), "mods", ((0, 1000, 1),)),
        lambda t: setattr(t.s, "attacker", t.at("P1.C1").serial),
        lambda t: t.s.triggers.append((0, t.at("P1.C1").design, 0, t.at("P1.C1").serial, None)),
        lambda t: t.s.life[0].pop(),
        lambda t: t.s.active.__setitem__(0, 1),
        lambda t: setattr(t.s, "player", 1),
        lambda t: t.s.add_trash(0, t.s.hand[0][0]),
    ],
)
def test_everything_else_matters(change):
    wheel = card("W", {"on": "activate", "once": True, "do": [{"draw": 1}]})
    t = Position(mine=[wheel], hand=[PLAIN])
    before, bits = t.s.key(), t.s.fingerprint()
    change(t)
    for unit in t.s.units(0):
        unit.hashed = 0
    t.s.ordered = 0
    assert t.s.key() != before
    assert t.s.fingerprint() != bits


def test_there_and_back_again_is_the_same_position():
    t = Position(hand=[PLAIN])
    before, bits = t.s.key(), t.s.fingerprint()
    number = t.s.table.number["plain"]
    t.s.drop_hand(0, number)
    t.s.add_trash(0, number)
    assert t.s.fingerprint() != bits
    t.s.drop_trash(0, number)
    t.s.add_hand(0, number)
    assert (t.s.key(), t.s.fingerprint()) == (before, bits)


def test_an_effect_that_was_begun_is_part_of_the_position():
    def begun():
        steps = [{"select": {"of": "opponent", "max": 2}, "as": "x"}, {"rest": "x"}]
        return Position(theirs=[PLAIN, PLAIN], hand=[event("E", main=steps)]).do("play E")

    t = begun()
    before, bits = t.s.key(), t.s.fingerprint()
    t.do("choose P2.C1")
    assert t.s.key() != before
    assert t.s.fingerprint() != bits
    other = begun().do("choose P2.C2")
    assert other.s.key() == t.s.key()  # the two are equal cards


def test_which_of_two_equal_cards_attacks_matters_only_where_they_differ():
    def attacked(by, rested):
        t = Position(mine=[PLAIN, PLAIN], their_hand=[PLAIN])
        t.at(f"P1.{rested}").mods = ((0, 1000, 1),)
        return t.do(f"attack {by} L").s.key()

    assert attacked("C1", "C1") == attacked("C2", "C2")
    assert attacked("C1", "C1") != attacked("C1", "C2")


def test_views_hide_what_they_must():
    one = Position(hand=[PLAIN, card("A")], their_hand=[PLAIN])
    other = one.s.copy()
    a = one.s.table.number["A"]
    filler = one.s.table.number["z00"]
    other.drop_hand(0, a)
    other.add_pool(0, a)
    other.add_pool(0, filler, -1)
    other.add_hand(0, filler)
    assert other.key(OMNISCIENT) != one.s.key(OMNISCIENT)
    assert other.key(0) != one.s.key(0)
    assert other.key(1) == one.s.key(1)
    assert other.key(PUBLIC) == one.s.key(PUBLIC)
    other.add_trash(1, other.hand[1][0])
    assert other.key(PUBLIC) != one.s.key(PUBLIC)


def test_resources_count_what_can_grow_or_drain():
    t = Position(mine=[PLAIN], hand=[event("E", main=[{"draw": 1}, {"addPower": 1000, "to": "leader"}])])
    before = t.s.resources()
    t.do("play E")
    after = t.s.resources()
    assert {name: after[name] - before[name] for name in after if after[name] != before[name]} == {
        "player 1 deck": -1,
        "player 1 trash": 1,
        "player 1 activeDon": -1,
        "player 1 power": 1000,
    }


def test_the_fingerprint_is_the_same_in_every_process():
    program = (
        "from tests.onepiece.positions import lab_steps\nfor row in ('mandatory', 'hidden', 'growth'):\n"
        "    print([s.fingerprint() for s, _ in lab_steps(row, 12)])"
    )
    runs = {
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout for _ in range(2)
    }
    here = "".join(f"{[s.fingerprint() for s, _ in lab_steps(row, 12)]}\n" for row in ("mandatory", "hidden", "growth"))
    assert runs == {here}
