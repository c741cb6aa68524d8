"""Compiled games as the guard sees them: what is in a key, and what is not."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.coup.core.actions import Action
from kibitz.examples import kuhn
from kibitz.game import CHANCE, OVER
from kibitz.loops.protocol import OMNISCIENT, PUBLIC, PlainGame, StructGame, kept_parts
from tests.coup.positions import position
from tests.loops.games import Cards, Walk, walk

pytestmark = pytest.mark.plain


def coup(*hands: str, **more: object) -> StructGame:
    return StructGame(position(*hands, **more))  # type: ignore[arg-type]


def test_the_number_of_the_turn_is_no_part_of_a_key() -> None:
    early, late = coup("DA", "CT", turn=1), coup("DA", "CT", turn=9)
    assert early.key() == late.key()
    assert early.fingerprint() == late.fingerprint()
    assert (early.turn(), late.turn()) == (1, 9)
    assert not late.unchanged_since(early)
    assert late.unchanged_since(late.copy())


def test_everything_else_is() -> None:
    keys = {
        game.key()
        for game in (
            coup("DA", "CT"),
            coup("DA", "CT", coins=[3, 2]),
            coup("DA", "CT", player=1),
            coup("DA", "CM"),
            coup("DA", "C/T"),
        )
    }
    assert len(keys) == 5


def test_views_hide_what_they_must() -> None:
    one, other = coup("DA", "CT"), coup("DA", "MM")
    assert one.key(OMNISCIENT) != other.key(OMNISCIENT)
    assert one.key(0) == other.key(0)
    assert one.key(1) != other.key(1)
    assert one.key(PUBLIC) == other.key(PUBLIC) != one.key(0)
    assert one.key(PUBLIC) != coup("DA", "CT", coins=[3, 2]).key(PUBLIC)


def test_moves_resources_and_words() -> None:
    game = coup("DA", "CT")
    steal, income = Action.from_text("steal 2").code, Action.from_text("income").code
    assert game.actor() == game.turn_player() == 0
    assert steal in game.actions()
    assert game.may(steal)
    assert not game.may(Action.from_text("steal 1").code)
    assert game.describe(steal) == "steal 2"
    before = game.copy()
    game.apply(income)
    assert game.resources()["coins of player 1"] == before.resources()["coins of player 1"] + 1 == 3
    assert set(game.resources()) == {
        "coins of player 1", "coins of player 2", "influence of player 1", "influence of player 2", "treasury",
    }  # fmt: skip
    assert before.key() == coup("DA", "CT").key()


def test_any_compiled_game_can_be_watched() -> None:
    game = StructGame(kuhn.GAME.new(2, 0))
    assert game.actor() == CHANCE
    assert game.resources() == {}
    while game.actor() != OVER:
        game.apply(game.actions()[0])
    assert game.actions() == []


def test_excluded_fields_are_cut_out_wherever_they_are() -> None:
    states = np.asarray(position("DA", "CT"))
    changed = states.copy()
    changed["turn"], changed["treasury"], changed["coins"] = 7, 1, 9

    def kept(array: np.ndarray, *excluded: str) -> list[bytes]:
        return [array.tobytes()[part] for part in kept_parts(array.dtype, excluded)]

    assert kept(states, "turn", "treasury", "coins", "no such field") == kept(changed, "turn", "treasury", "coins")
    assert kept(states, "turn", "treasury") != kept(changed, "turn", "treasury")


def test_a_plain_game_needs_little() -> None:
    game = PlainGame(Cards())
    assert (game.turn(), game.turn_player(), game.resources(), game.describe(1)) == (0, 0, {}, "action 1")
    assert game.fingerprint() == PlainGame(Cards()).fingerprint() != PlainGame(Cards(player=1)).fingerprint()
    assert game.may(1)
    assert not game.may(2)


class Strict(Walk):
    def why_not(self, a: int) -> int:
        return 0 if a == 7 else 1


def test_a_plain_game_that_judges_actions_itself_is_asked() -> None:
    assert PlainGame(Strict(((0,),))).may(7)
    assert not PlainGame(Strict(((0,),))).may(0)
    assert walk([[0]]).may(0)


def test_the_core_is_the_key_without_what_is_counted() -> None:
    poor, rich = coup("DA", "CT", coins=[2, 2]), coup("DA", "CT", coins=[5, 0])
    assert poor.core() == rich.core()
    assert poor.core() != coup("DA", "CM").core()
    assert poor.core() != coup("DA", "CT", player=1).core()
    assert StructGame(kuhn.GAME.new(2, 0)).core() == StructGame(kuhn.GAME.new(2, 0)).key()


def test_who_has_won() -> None:
    game = coup("DA", "T/C", coins=[7, 2])
    assert game.winner() is None
    game.apply(Action.from_text("coup 2").code)
    while game.actor() != OVER:
        game.apply(game.actions()[0])
    assert game.winner() == 0
    assert walk([[]]).winner() is None
    won = Walk(((1,), ()))
    won.winner = 1  # type: ignore[attr-defined]
    position = PlainGame(won)
    assert position.winner() is None
    position.apply(0)
    assert position.winner() == 1


def test_only_a_fingerprint_of_the_game_s_own_is_kept_up_to_date() -> None:
    assert walk([[0]]).keeps_fingerprint
    assert not PlainGame(Cards()).keeps_fingerprint
    assert not coup("DA", "CT").keeps_fingerprint
