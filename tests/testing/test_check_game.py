"""A game that breaks a promise is told which, and where: one broken game for each promise."""

import re
from types import SimpleNamespace
from typing import Any

import pytest

from examples.love_letter import GAME, LoveLetter
from kibitz.examples import kuhn
from kibitz.game.plain import plain_game
from kibitz.ground.plain_states import PlainStates
from kibitz.search.flat import flatten
from kibitz.testing import BrokenPromise, check_game, check_twin
from tests.testing.peeking import DEAL, LOOK, STOP, UNSEEN, Peek, peek_game

pytestmark = pytest.mark.plain


def test_the_whole_game_keeps_its_promises():
    assert check_game(peek_game(), 2, range(30)) > 30 * 3
    assert check_twin(peek_game(), 2, 1) > 2


class Unlabelled(Peek):
    """Who looks sees the card in the state, but no label tells it."""

    def news(self, a: int, seat: int) -> int:
        return 0


def test_what_a_seat_learns_and_no_label_tells_is_found():
    """The Priest of Love Letter without a label: solvers would take two information sets for one."""
    with pytest.raises(BrokenPromise) as broken:
        check_game(peek_game(Unlabelled), 2, range(30))
    assert re.fullmatch(
        r"peek, seed \d+, step 2, seat 0, action 'look': in worlds that look the same to the seat it has one label "
        r"\(0, of seen and news\), but different views follow: the seat learns what no label tells",
        str(broken.value),
    )
    assert (broken.value.step, broken.value.seat, broken.value.action) == (2, 0, "look")


class Blindfold(LoveLetter):
    """Love Letter whose Priest shows a card that no label tells."""

    def perceived(self, name: str, seat: int) -> str:
        return f"{name[:6]} ?" if name.startswith("show") else super().perceived(name, seat)


def test_love_letter_without_the_label_of_its_priest_fails():
    game = plain_game(Blindfold, "blindfold", seats=(2, 4), scores=GAME.scores, max_turns=13)
    with pytest.raises(BrokenPromise, match=r"blindfold, seed \d+, step \d+, seat \d, action 'show \d \w+': .* no label tells"):
        check_game(game, 3, range(10))


def test_without_the_label_a_solver_takes_two_information_sets_for_one():
    told, untold = (flatten(peek_game(rules).new(2, 0)) for rules in (Peek, Unlabelled))
    assert len(told.actor) == len(untold.actor)
    assert (len(told.set_seat), len(untold.set_seat)) == (20, 12)


class NeverHidden(Peek):
    """`redeal` returns the true world, so that no world differs: what was perceived from the start on still tells."""

    news = Unlabelled.news

    def redeal(self, x: Any, seat: int) -> None:
        pass


def test_it_is_found_even_where_redeal_changes_nothing():
    with pytest.raises(BrokenPromise, match=r"step 2, seat 0, action 'look': .* different views follow"):
        check_game(peek_game(NeverHidden), 2, range(30))


def broken(verb: str, does: Any) -> type[Peek]:
    """The game with another implementation of a verb."""
    return type("Broken", (Peek,), {verb: does})


def listing(*actions: int) -> Any:
    def legal(self: Peek, x: Any) -> int:
        for i, action in enumerate(actions):
            x.actions[i] = action
        return len(actions)

    return legal


def shared_copy(self: Peek) -> Peek:
    twin = Peek.copy(self)
    if 0 not in self.cards:
        twin.known = self.known
    return twin


def apply_by_luck(self: Peek, a: int) -> None:
    Peek.apply(self, a)
    apply_by_luck.calls += 1
    self.known[1] = apply_by_luck.calls % 2 == 0


apply_by_luck.calls = 0


def hide_more(self: Peek, seat: int) -> None:
    Peek.hide(self, seat)
    self.turn += 2


def hide_the_move(self: Peek, seat: int) -> None:
    Peek.hide(self, seat)
    self.turn = 0


def peek_half(self: Peek, w: Any) -> None:
    w.cards = (self.cards[0], self.cards[0])


def redeal_all(self: Peek, x: Any, seat: int) -> None:
    Peek.redeal(self, x, seat)
    self.cards[seat] = min(1, self.cards[seat])


def endless_apply(self: Peek, a: int) -> None:
    if a >= DEAL:
        Peek.apply(self, a)


def zero_weights(self: Peek, x: Any) -> int:
    n = Peek.weights(self, x)
    x.weights[1] = 0
    return n


FAULTS = {
    "actor": (broken("actor", lambda self: 2), "actor says 2, which is nobody here"),
    "kind": (broken("kind", lambda self: 63), "kind says 63: expected 0 to 62"),
    "twice": (broken("legal", listing(STOP, STOP)), "legal lists [1, 1]: expected each once, in ascending order"),
    "none": (broken("legal", listing()), "legal lists nothing, but the game is not over"),
    "refused": (broken("legal", listing(STOP, DEAL)), "legal lists it, but why_not says 1"),
    "unlisted": (broken("why_not", lambda self, a: 0), "why_not allows -1, but weights does not list it"),
    "sensible": (broken("sensible", listing(DEAL)), "sensible lists what legal does not, or in disorder"),
    "no sense": (broken("sensible", listing()), "sensible lists nothing"),
    "weight": (broken("weights", zero_weights), "weights gives it the probability 0"),
    "moment": (broken("moment", lambda self: 0), "moment says 0, as at an earlier chance event of this game"),
    "shared": (broken("copy", shared_copy), "done to a copy, it changes the original"),
    "luck": (broken("apply", apply_by_luck), "done twice, it leads to two positions"),
    "hides more": (broken("hide", hide_more), "to hide what is hidden changes the view"),
    "hides the move": (broken("hide", hide_the_move), "hide changes whose move it is"),
    "peeks half": (broken("peek", peek_half), "the peeked world, dealt to the view, is another position"),
    "redeals all": (broken("redeal", redeal_all), "redeal changes what the seat sees"),
    "own action": (
        broken("seen", lambda self, a, seat: UNSEEN if a == LOOK else Peek.seen(self, a, seat)),
        "seen says -1 to the seat that does it: expected 0",
    ),
    "leak": (broken("seen", lambda self, a, seat: UNSEEN if a >= DEAL else a), "the seat learns what no label tells"),
    "score": (broken("score", lambda self, seat: 7), "the score is 7: declared are -1 to 1"),
    "prize": (broken("prize", lambda self, seat: 3), "the prize is 3: declared are -1 to 1"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_every_broken_promise_is_named(fault):
    rules, promise = FAULTS[fault]
    with pytest.raises(BrokenPromise, match=r"^peek, seed \d+, step \d+") as broken:
        check_game(peek_game(rules), 2, range(30))
    assert promise in str(broken.value)


def test_names_must_be_read_back_and_differ():
    with pytest.raises(BrokenPromise, match=r"seed 0, step 0, action 'deal 1': parse reads 0, not 2"):
        check_game(peek_game(parse=lambda text: 0), 2, [0])
    read = iter(range(2, 6))
    with pytest.raises(BrokenPromise, match="action 'deal': two actions have this name"):
        check_game(peek_game(describe=lambda a: "deal", parse=lambda text: next(read)), 2, [0])


def dealt(rules: type[Peek]) -> Any:
    """A start after the deal."""

    def start(seed: int) -> PlainStates:
        states = peek_game(rules).new(2, seed)
        states[0].cards[:] = [2, 3]
        return states

    return start


def test_a_choice_must_not_depend_on_what_the_player_cannot_know():
    def choices(self: Peek) -> list[int]:
        return [STOP] if self.known[self.turn % 2] or (self.turn == 0 and self.cards[1] == 4) else [LOOK, STOP]

    rules = broken("_choices", choices)
    with pytest.raises(BrokenPromise, match="step 0, seat 0: what the seat may do depends on what it cannot know"):
        check_game(peek_game(rules), 2, range(5), start=dealt(rules))
    with pytest.raises(BrokenPromise, match=r"step 1, seat 0, action 'deal \d': .*, but different choices follow"):
        check_game(peek_game(rules), 2, range(5))


def test_the_declared_codes_are_a_promise():
    assert check_game(peek_game(codes=((LOOK, STOP), range(DEAL, DEAL + 4))), 2, range(3)) > 0
    with pytest.raises(BrokenPromise, match=r"action 'look': Game\.codes does not list 0"):
        check_game(peek_game(codes=((STOP,), range(DEAL, DEAL + 4))), 2, range(3))


def test_the_declared_turns_are_a_promise():
    with pytest.raises(BrokenPromise, match=r"turn \d: declared are at most 0"):
        check_game(peek_game(max_turns=0), 2, range(5))


def test_a_policy_must_choose_what_is_legal():
    rules = broken("choose", lambda self, x, policy: STOP if self.turn == 3 else LOOK)
    with pytest.raises(BrokenPromise, match="step 4, seat 0, action 'look': a policy chooses what is not legal"):
        check_game(peek_game(rules, policies={"curious": 1}), 2, range(5), [1, 1])


def test_a_game_without_end_is_found(monkeypatch):
    monkeypatch.setattr("kibitz.testing.games.MANY_STEPS", 50)
    with pytest.raises(BrokenPromise, match="no end after 50 steps"):
        check_game(peek_game(broken("apply", endless_apply)), 2, [0])


def test_an_error_of_the_rules_says_where_it_was_met():
    def fails(self, a):
        raise KeyError("no such card")

    with pytest.raises(KeyError) as error:
        check_game(peek_game(broken("apply", fails)), 2, [4])
    assert error.value.__notes__ == ["while checking peek, seed 4, step 0"]


def test_missing_verbs_and_impossible_tables_are_refused():
    rules = SimpleNamespace(**dict.fromkeys(("actor", "legal", "apply")))
    with pytest.raises(TypeError, match="peek: the rules lack why_not, weights, moment, score, seen, hide"):
        check_game(peek_game(rules), 2, [0])
    with pytest.raises(ValueError, match="3 seats: peek declares 2 to 2"):
        check_game(peek_game(), 3, [0])


def test_twins_that_differ_are_named(monkeypatch):
    from kibitz.testing import games as twins

    def other(game):
        rules = twins.__dict__["_uncompiled"](game)
        rules.score = lambda s, seat: 0
        return rules

    monkeypatch.setattr(twins, "_uncompiled", twins.uncompiled, raising=False)
    monkeypatch.setattr(twins, "uncompiled", other)
    with pytest.raises(
        BrokenPromise, match=r"kuhn, seed 1, step \d: score: the plain rules and the compiled ones differ: 0 and"
    ):
        check_twin(kuhn.GAME, 2, 1)
