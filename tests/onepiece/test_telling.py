"""The game told to one player: sentences about what is seen, and about nothing else."""

from __future__ import annotations

import pytest

from kibitz.onepiece.core.actions import Action, attack, give, simple
from kibitz.onepiece.core.arena import Wait
from kibitz.onepiece.core.decks import starter
from kibitz.onepiece.core.engine import OnePieceState
from kibitz.onepiece.core.record import simulate
from kibitz.onepiece.core.svg import draw_art
from kibitz.onepiece.core.words import Teller, picks_from_hand
from kibitz.onepiece.looplab import laid_out

pytestmark = pytest.mark.plain
ME = Teller(0, "Greedy")


def told(state: OnePieceState, action: Action, teller: Teller = ME) -> list[str]:
    """What one player hears of an action, which is done."""
    code = action.code(state.table)
    seen, before = state.seen(code, teller.you), state.copy()
    before.hide(teller.you)
    state.apply(code)
    after = state.copy()
    after.hide(teller.you)
    return [one.text for one in teller.tell(before, seen, after)]


def test_an_attack_from_declaration_to_damage() -> None:
    """5000 against 5000: no counter is discarded, a Life card comes to the hand."""
    state = laid_out(("LL-002",), ())
    name, theirs = (state.card(state.leader(seat)).name for seat in (0, 1))
    assert told(state, give("L")) == [f"You give a DON!! to {name}, who has 6000 power now."]
    assert told(state, attack("L", "L")) == [f"Your {name} 6000 attacks Greedy's {theirs} 5000."]
    assert state.waiting == Wait.COUNTER
    other = Teller(1, "Random")
    question, about = other.question(state)
    assert (question, about) == ("Counter?", f"{name} 6000 attacks your {theirs} 5000. More than +1000 stops it.")
    assert told(state, simple("pass")) == ["Greedy does not counter any more."]
    life = len(state.life[1])
    assert told(state, simple("no")) == ["Greedy takes the Life card to the hand.", f"Greedy has {life - 1} Life left."]


def test_the_same_seen_from_the_other_seat() -> None:
    state = laid_out(("LL-002",), ())
    name = state.card(state.leader(0)).name
    assert told(state, attack("L", "L"), Teller(1, "Random")) == [f"Random's {name} 5000 attacks your {name} 5000."]
    assert told(state, simple("pass"), Teller(1, "Random")) == ["You do not counter any more."]


def test_what_the_other_draws_is_not_told() -> None:
    """A whole game, told to both: a draw is told with the card to its owner alone, and the end to both."""
    record = simulate(["greedy", "greedy"], seed=4)
    state = record.start()[0]
    heard: dict[int, list[str]] = {0: [], 1: []}
    for code in record.codes:
        after = state.copy()
        after.apply(code)
        for seat, lines in heard.items():
            views = [state.copy(), after.copy()]
            for view in views:
                view.hide(seat)
            lines += [one.text for one in Teller(seat, "Other").tell(views[0], state.seen(code, seat), views[1])]
        state = after
    assert heard[state.winner][-1] == "You win by damage at 0 Life."
    assert heard[1 - state.winner][-1] == "Other wins by damage at 0 Life."
    for lines in heard.values():
        assert {text for text in lines if text.startswith("Other draws")} == {"Other draws a card."}
        assert any(text.startswith("You draw ") and text != "You draw a card." for text in lines)


def test_only_cards_of_the_own_hand_are_picked_from_the_hand() -> None:
    assert not picks_from_hand(laid_out(("LL-002",), ()), 0)


def test_every_design_has_a_picture_of_its_own() -> None:
    decks = [starter("tide"), starter("ember")]
    cards = [card for deck in decks for card in (deck.leader, *deck.cards)]
    assert len({draw_art(card) for card in cards}) == len(cards)
