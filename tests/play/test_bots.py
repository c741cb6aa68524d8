"""Bots by name, and players that see no more than their seat."""

import numpy as np
import pytest

from kibitz import game
from kibitz.compute.runtime import Limit
from kibitz.coup import GAME
from kibitz.coup.bots import Cards, bot_named
from kibitz.coup.core.state import ACTION, ALLOW, BLOCK, CHALLENGE, DO_COUP, DO_INCOME, new_states
from kibitz.coup.endgames import policy as coup_endgame
from kibitz.coup.endgames.policy import equilibrium, is_endgame
from kibitz.coup.profile import PROFILE
from kibitz.play.bots import Bot, PolicyPlayer, UnknownBot, effort
from kibitz.play.match import Table, play_game
from kibitz.play.search_bot import AnyDeal, SearchPlayer, Thinking
from kibitz.search.ismcts import SearchConfig
from tests.coup.positions import do, position


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "limit"),
    [("1", Limit(iterations=1)), ("2000", Limit(iterations=2000)), ("0.5s", Limit(time=0.5)), ("3s", Limit(time=3.0))],
)
def test_efforts(text, limit):
    assert effort(text) == limit


@pytest.mark.plain
@pytest.mark.parametrize("text", ["", "0", "0s", "-5", "1.5", "s", "1e3", "2000 ", "٣", "1ms"])
def test_what_is_no_effort(text):
    with pytest.raises(UnknownBot, match="expected a number of iterations"):
        effort(text)


@pytest.mark.plain
def test_bots_by_name():
    for name in PROFILE.bots:
        assert bot_named(name).name == name
        assert (bot_named(name).policy is None) == (name in ("ismcts", "solver", "resolver"))
    assert bot_named("ismcts:0.5s").name == "ismcts:0.5s"
    for text, words in (
        ("nobody", "'nobody': no such bot; these are random, honest, heuristic, heuristic-0.1, equilibrium"),
        ("", "no such bot"),
        ("random:5", "'random:5': random takes no parameter"),
        ("ismcts:", "'': expected a number of iterations"),
        ("ismcts:many", "'many': expected a number of iterations"),
    ):
        with pytest.raises(UnknownBot, match=words):
            bot_named(text)


class Quiet(PolicyPlayer):
    """Takes income, lets everything pass, and strikes when it must: nothing that it does depends on its cards."""

    def decide(self, view):
        if view["phase"][0] == ACTION:
            mine = int(view["active"][0])
            target = next(seat for seat, left in enumerate(view["influence"][0].tolist()) if left and seat != mine)
            return DO_INCOME if view["coins"][0, mine] < 10 else DO_COUP + target
        return ALLOW if view["phase"][0] in (CHALLENGE, BLOCK) else super().decide(view)


def seen_by_first(bot: str, states, steps: int = 60):
    """What seat 0, played by a bot, perceives against quiet players, and which of that it did itself."""
    table = Table(GAME, states, [bot_named(bot), *[Bot("quiet", lambda: Quiet(0))] * (int(states["seats"][0]) - 1)], seed=5)
    perceived = []
    while table.actor != game.OVER and len(perceived) < steps:
        before, seat = table.states.copy(), table.actor
        table.step()
        perceived.append((seat, game.seen_at(before, 0, table.codes[-1], 0)))
    return perceived


@pytest.mark.parametrize("bot", ["ismcts:200", "solver:200"])
@pytest.mark.parametrize("hands", [("TT", "DA", "DA"), ("DA", "DC", "TT"), ("CM", "AM", "DT")])
def test_a_search_does_not_see_the_others_cards(bot, hands):
    """As long as the first seat has perceived the same it does the same, whatever the others hold."""
    own, *others = hands
    compared = 0
    first = seen_by_first(bot, position(own, *others, coins=[2, 2, 2]))
    for twin in (("CC", "MM"), ("MM", "CC"), tuple(others[::-1])):
        second = seen_by_first(bot, position(own, *twin, coins=[2, 2, 2]))
        for (seat, code), (other_seat, other_code) in zip(first, second, strict=False):
            if code != other_code:
                assert (seat, other_seat) != (0, 0), "a decision of its own was the first difference"
                break
            compared += seat == 0
    assert compared > 5


def test_a_search_plays_the_same_game_again_and_another_with_another_seed():
    table = [bot_named("ismcts:100"), bot_named("heuristic")]
    first = play_game(GAME, new_states(2), table, seed=11)
    assert play_game(GAME, new_states(2), table, seed=11).codes == first.codes
    assert play_game(GAME, new_states(2), table, seed=12).codes != first.codes


def test_a_search_by_the_clock_ends_its_game():
    played = play_game(GAME, new_states(2), [bot_named("ismcts:0.001s"), bot_named("honest")], seed=1)
    assert game.actor_at(played.end, 0) == game.OVER


def test_the_last_strike_is_found():
    """The only opponent has one card left and could strike next: the coup wins at once, all else loses."""
    states = position("D/A", "T/A", coins=[7, 9])
    view = states.copy()
    game.hide_at(view, 0, 0)
    for name in ("ismcts:200", "solver:200"):
        player = bot_named(name).player()
        player.begin(GAME, 0, view, 3)
        assert GAME.describe(player.decide(view)) == "coup 2"


def test_forced_moves_take_no_search():
    class NoBelief(AnyDeal):
        def worlds(self, view, n, seed):
            raise AssertionError

    player = SearchPlayer(Thinking(SearchConfig(), Limit(iterations=10), 5, NoBelief))
    view = position("D/A", "T/A", coins=[10, 6])
    game.hide_at(view, 0, 0)
    player.begin(GAME, 0, view, 1)
    assert GAME.describe(player.decide(view)) == "coup 2"


def test_who_remembers_nothing_deals_anything():
    """Each of the 13 unseen cards is as likely as the others: two of them are Dukes, so 1 - C(11,2)/C(13,2) hold one."""
    view = position("DC", "AT")
    game.hide_at(view, 0, 0)
    worlds = AnyDeal(GAME, 0, view).worlds(view, 4000, seed=2)
    duke = np.asarray(worlds["hand"])[:, 1, 0] > 0
    assert duke.mean() == pytest.approx(1 - 55 / 78, abs=0.03)
    assert (np.asarray(worlds["hand"])[:, 0] == np.asarray(view["hand"])[0, 0]).all()


# --- endgames ---------------------------------------------------------------------------------------------


def seen_from_first(*hands: str, coins: list[int]):
    """A solver on seat 0 and what it sees of a position."""
    view = position(*hands, coins=coins)
    game.hide_at(view, 0, 0)
    player = bot_named("solver:50").player()
    player.begin(GAME, 0, view, 3)
    return player, view


@pytest.mark.plain
def test_what_an_endgame_is():
    assert is_endgame(position("D/A", "T/C", coins=[4, 6]))
    assert is_endgame(position("D/A", "/AA", "T/C", coins=[4, 0, 6]))
    assert not is_endgame(position("D/A", "T/C", coins=[3, 6]))
    assert not is_endgame(position("D/A", "TC", coins=[6, 6]))
    assert not is_endgame(position("D/A", "T/C", "C/M", coins=[6, 6, 6]))
    attack = do(position("D/A", "T/C", coins=[4, 6]), "assassinate 2")
    assert attack["coins"][0, 0] == 1
    assert is_endgame(attack)
    assert not is_endgame(do(position("D/A", "T/C", coins=[6, 6]), "exchange", "allow", "drawn duke duke"))


@pytest.mark.parametrize("hands", [("A/D", "T/C"), ("A/D", "/TT", "T/C"), ("T/D", "M/C")])
def test_endgames_are_played_by_a_mixed_strategy_over_legal_actions(hands):
    coins = [6, *[0 if hand.startswith("/") else 6 for hand in hands[1:]]]
    player, view = seen_from_first(*hands, coins=coins)
    mixed = equilibrium(view, player.belief.influence).actions
    assert sum(mixed.values()) == pytest.approx(1)
    assert set(mixed) <= set(game.legal_actions(view))
    assert player.decide(view) in {action for action, p in mixed.items() if p > 0}
    drawn = set()
    for seed in range(12):
        player.begin(GAME, 0, view, seed)
        drawn.add(player.decide(view))
    likely = {action for action, p in mixed.items() if p > 0.4}
    assert likely <= drawn


def test_who_cannot_be_beaten_any_more_strikes():
    """Seven coins against one influence: whatever both hold, the coup wins."""
    player, view = seen_from_first("T/D", "T/C", coins=[7, 9])
    assert {GAME.describe(action): p for action, p in equilibrium(view, player.belief.influence).actions.items()} == {
        "coup 2": 1.0
    }


@pytest.mark.parametrize("own", ["T", "D"])
def test_the_assassin_is_blocked(own):
    """With the Contessa or without it: to let the assassin pass loses at once."""
    view = do(position("A/M", f"{own}/C", coins=[4, 4]), "assassinate 2", "allow")
    game.hide_at(view, 0, 1)
    player = bot_named("solver:50").player()
    player.begin(GAME, 1, view, 3)
    assert equilibrium(view, player.belief.influence).actions[GAME.parse("block contessa")] > 0.99


def test_what_is_too_large_to_be_solved_is_searched(monkeypatch):
    player, view = seen_from_first("A/D", "T/C", coins=[6, 6])
    monkeypatch.setattr(coup_endgame, "NODES", 5)
    assert equilibrium(view, player.belief.influence) is None
    assert player.decide(view) in game.legal_actions(view)


def test_nobody_is_talked_into_anything_in_an_endgame():
    """What the opponent has claimed changes nothing; what the player itself has claimed does, since the opponent heard it."""
    player, view = seen_from_first("A/D", "M/C", coins=[6, 6])
    before = equilibrium(view, player.belief.influence).actions
    told = player.belief.influence
    for _ in range(6):
        told = told.claimed(1, "contessa")
    assert equilibrium(view, told).actions == before
    heard = player.belief.influence
    for _ in range(6):
        heard = heard.claimed(0, "assassin")
    assert equilibrium(view, heard).actions != before


# --- what the others may imagine --------------------------------------------------------------------------


def imagined(*claims: str, n: int = 4000):
    """Worlds of seat 0, which holds a Duke and a Captain, after own claims; and the same as the others imagine them."""
    view = position("DC", "AT", "MT")
    game.hide_at(view, 0, 0)
    belief = Cards(GAME, 0, view, bluff=0.5)
    for card in claims:
        belief.influence = belief.influence.claimed(0, card)
    worlds = belief.worlds(view, n, 7)
    return np.asarray(worlds), np.asarray(belief.doubts(worlds, 8))


def test_doubts_change_the_own_cards_alone():
    worlds, doubts = imagined(n=200)
    assert (doubts["hand"][:, 1:] == worlds["hand"][:, 1:]).all()
    assert (doubts["hand"][:, 0].sum(axis=1) == 2).all()
    assert (doubts["hand"].sum(axis=1) + doubts["deck"] == 3).all()
    assert len(np.unique(doubts["hand"][:, 0], axis=0)) > 10
    for field in ("coins", "turn", "phase", "influence", "revealed"):
        assert (doubts[field] == worlds[field]).all()


def test_doubts_follow_from_counting_and_claims():
    """Nothing is known of the own two cards: any of the 15, less what the others hold in a world.

    A claim makes hands without the card half as likely as before.
    """

    def holds_duke(*claims: str) -> tuple[float, float]:
        worlds, doubts = imagined(*claims)
        left = 3 - worlds["hand"][:, 1:, 0].sum(axis=1)  # Dukes among the 11 cards that others do not hold
        without = (11 - left) * (10 - left) / 110
        bluff = 0.5 ** len(claims)
        return (doubts["hand"][:, 0, 0] > 0).mean(), ((1 - without) / (1 - without + bluff * without)).mean()

    for claims in ((), ("duke",), ("duke", "duke")):
        found, expected = holds_duke(*claims)
        assert found == pytest.approx(expected, abs=0.03)


def test_doubts_are_the_same_for_the_same_seed():
    assert imagined(n=50)[1].tobytes() == imagined(n=50)[1].tobytes()
