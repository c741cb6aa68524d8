"""Love Letter, the game of the tutorial: it keeps the promises of every game, and its rules are those that it tells."""

import pytest

from examples.love_letter import GAME, PRIZE
from kibitz import game
from kibitz.testing import check_game


def after(seats: int, *names: str):
    """The position after these steps, each of them by the rules; whose card is drawn or shown need not be said."""
    states = GAME.new(seats, 0)
    for name in names:
        code = GAME.parse(whole(states[0], name))
        assert game.why_not_at(states, 0, code) == 0, (name, states[0].outcomes() if states[0].due else states[0].plays())
        game.apply_at(states, 0, code)
    return states


def whole(state, name: str) -> str:
    """What happens, with the seat to which it happens."""
    word, *words = name.split()
    if word not in ("draw", "show"):
        return name
    return f"open {words[0]}" if state.due[0] == ("open",) else f"{word} {state.due[0][1] + 1} {words[0]}"


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("policy", [0, 1])
def test_it_keeps_its_promises(seats, policy):
    assert check_game(GAME, seats, range(3), [policy] * seats) > 25


def views(states, seat: int):
    """What a seat sees of all hands."""
    view = states.copy()
    game.hide_at(view, 0, seat)
    return view[0].held


# --- the cards ---------------------------------------------------------------------------------------------------------


def test_a_guard_that_names_the_card_knocks_its_holder_out():
    states = after(3, "draw king", "draw priest", "draw baron", "draw guard", "guard 2 priest", "lay 2 priest")
    assert states[0].inside() == [0, 2]
    assert states[0].player == 2  # the next one who is in


def test_a_guard_that_is_wrong_does_nothing_and_cannot_name_a_guard():
    states = after(3, "draw king", "draw priest", "draw baron", "draw guard")
    assert not any(play.endswith("guard") and play != "guard" for play in states[0].plays())
    states = after(3, "draw king", "draw priest", "draw baron", "draw guard", "guard 2 baron", "nothing")
    assert (states[0].inside(), states[0].player) == ([0, 1, 2], 1)


def test_a_priest_shows_the_card_to_nobody_else():
    states = after(3, "draw king", "draw princess", "draw baron", "draw priest", "priest 2")
    shown = GAME.parse("show 2 princess")
    assert [game.seen_at(states, 0, shown, seat) == shown for seat in (0, 1, 2, -1)] == [True, True, False, False]
    game.apply_at(states, 0, shown)
    assert [views(states, seat)[1] for seat in range(3)] == ["princess", "princess", "?"]


def test_what_a_priest_saw_is_known_until_it_may_have_been_played():
    steps = ["draw king", "draw handmaid", "draw baron", "draw priest", "priest 2", "show handmaid", "draw guard"]
    assert views(after(3, *steps, "guard 3 king", "nothing"), 0)[1] == "handmaid"
    assert views(after(3, *steps, "handmaid"), 0)[1] == "?"


def test_a_baron_knocks_the_lower_card_out_and_the_others_learn_only_that():
    states = after(
        3, "draw king", "draw priest", "draw guard", "draw baron", "baron 2", "show priest", "show king", "lay 2 priest"
    )
    assert (states[0].out, states[0].played[1]) == ([False, True, False], ("priest",))
    assert [views(states, seat)[0] for seat in range(3)] == ["king", "king", "?"]


def test_equal_cards_survive_a_baron_and_are_known_to_both():
    states = after(
        2,
        *["draw guard"] * 3,
        "draw handmaid",
        "draw handmaid",
        "draw baron",
        "baron 2",
        "show handmaid",
        "show handmaid",
        "nothing",
    )
    assert states[0].inside() == [0, 1]
    assert (views(states, 0), views(states, 1)) == (["handmaid"] * 2, ["handmaid"] * 2)


def test_nobody_can_choose_whoever_played_a_handmaid_until_their_next_turn():
    steps = ["draw handmaid", "draw guard", "draw baron", "draw guard", "handmaid", "draw priest"]
    assert {play.split()[1] for play in after(3, *steps)[0].plays()} == {"3"}
    steps += ["priest 3", "show baron", "draw king"]
    assert {play.split()[1] for play in after(3, *steps)[0].plays()} == {"2"}
    steps += ["baron 2", "show guard", "show king", "lay 2 guard", "draw countess"]
    assert not after(3, *steps)[0].safe[0]


def test_a_card_for_which_nobody_can_be_chosen_does_nothing_but_a_prince_falls_back_on_its_player():
    steps = [*["draw guard"] * 3, "draw handmaid", "draw priest", "draw king", "handmaid"]
    assert sorted(after(2, *steps, "draw guard")[0].plays()) == ["guard", "priest"]
    assert sorted(after(2, *steps, "draw prince")[0].plays()) == ["priest", "prince 2"]
    states = after(2, *steps, "draw guard", "guard")
    assert (states[0].player, states[0].inside()) == (0, [0, 1])


def test_a_prince_makes_a_player_discard_and_draw():
    states = after(3, "draw king", "draw priest", "draw guard", "draw prince", "prince 2", "lay 2 priest", "draw baron")
    assert (states[0].held[1], states[0].played[1], states[0].player) == ("baron", ("priest",), 1)


def test_a_prince_drives_the_princess_out():
    states = after(3, "draw guard", "draw princess", "draw guard", "draw prince", "prince 2", "lay 2 princess")
    assert states[0].inside() == [0, 2]


def test_a_king_trades_and_both_know():
    states = after(3, "draw guard", "draw princess", "draw baron", "draw king", "king 2", "show princess", "show guard")
    assert states[0].held == ["princess", "guard", "baron"]
    assert [views(states, seat)[:2] for seat in range(3)] == [["princess", "guard"], ["princess", "guard"], ["?", "?"]]


@pytest.mark.parametrize("other", ["king", "prince"])
def test_the_countess_must_be_played_with_a_king_or_a_prince(other):
    states = after(3, "draw countess", "draw guard", "draw guard", f"draw {other}")
    assert states[0].plays() == ["countess"]
    code = GAME.parse(f"{other} 2")
    assert "must play the countess" in str(GAME.refuse(states, code, game.why_not_at(states, 0, code)))


def test_who_plays_the_princess_is_out():
    states = after(3, "draw princess", "draw guard", "draw guard", "draw priest", "princess", "lay 1 priest")
    assert (states[0].inside(), states[0].played[0]) == ([1, 2], ("princess", "priest"))


# --- the deck, and the end ---------------------------------------------------------------------------------------------


def test_with_two_players_three_cards_lie_face_up():
    states = after(2, "draw guard", "draw priest", "draw king", "draw guard", "draw baron", "draw prince")
    assert states[0].face_up == ("guard", "priest", "king")
    assert game.seen_at(GAME.new(2, 0), 0, GAME.parse("open king"), 1) == GAME.parse("open king")
    assert after(3, "draw guard")[0].face_up == ()


def test_the_last_one_left_wins_everything():
    states = after(2, *["draw guard"] * 3, "draw priest", "draw king", "draw guard", "guard 2 king", "lay 2 king")
    assert game.actor_at(states, 0) == game.OVER
    assert ([states[0].score(seat) for seat in (0, 1)], states[0].winner) == ([PRIZE, 0], 0)


def at_the_end(held: list[str], played: list[tuple[str, ...]]):
    """Two or more players whose cards have been compared."""
    states = GAME.new(len(held), 0)
    states[0].due, states[0].over = [], True
    states[0].played = [(*cards, last) for cards, last in zip(played, held, strict=True)]
    return states[0]


def test_the_highest_card_wins_when_the_deck_is_empty():
    assert at_the_end(["priest", "king"], [("countess",), ()]).winner == 1


def test_of_equal_cards_the_higher_sum_of_discards_wins():
    assert at_the_end(["priest", "priest", "guard"], [("guard",), ("baron",), ("countess", "king")]).winner == 1


def test_if_even_that_is_equal_the_win_is_shared():
    state = at_the_end(["priest", "priest", "guard"], [("guard", "priest"), ("baron",), ()])
    assert ([state.score(seat) for seat in range(3)], state.winner) == ([PRIZE // 2, PRIZE // 2, 0], -1)


def test_the_deck_is_drawn_but_for_the_card_set_aside_which_a_prince_may_get():
    states = GAME.new(2, 0)
    states[0].due, states[0].stock, states[0].turn, states[0].player = [], 1, 9, 0
    states[0].held, states[0].drawn = ["king", "guard"], "prince"
    states[0].known_to = [frozenset([0]), frozenset([1])]
    for name in ("prince 2", "lay 2 guard", "draw 2 baron", "lay 1 king", "lay 2 baron"):
        assert states[0].why_not(GAME.parse(name)) == 0, name
        states[0].apply(GAME.parse(name))
    assert (states[0].stock, states[0].over, states[0].winner) == (0, True, 0)


# --- bots and people ---------------------------------------------------------------------------------------------------


def test_sly_names_what_a_priest_has_shown():
    steps = [
        "draw guard",
        "draw prince",
        "draw guard",
        "draw priest",
        "priest 2",
        "show prince",
        "draw guard",
        "guard 1 king",
        "nothing",
    ]
    states = after(3, *steps, "draw priest", "priest 2", "show prince", "draw king")
    assert states[0].sly() == "guard 2 prince"


def test_sly_beats_random():
    from kibitz.play.bots import policy_bot
    from kibitz.play.match import play_game

    bots = [policy_bot("sly", 1), policy_bot("random", 0)]
    won = sum(play_game(GAME, GAME.new(2, 0), bots, seed).end[0].winner == 0 for seed in range(200))
    assert won > 120


def test_a_position_can_be_read():
    states = after(2, *["draw guard"] * 2, "draw king", "draw handmaid", "draw priest", "draw baron", "handmaid")
    game.hide_at(states, 0, 0)
    assert str(states[0]) == "\n".join(
        [
            "deck: 9 cards, face up: guard guard king",
            "  1  baron               played: handmaid (protected)",
            "* 2  ?                   played: -",
        ]
    )
