"""Our bots at a table that looks like catanatron's and is played by our rules: `tests/catan/versus/fake.py`."""

import pytest

from kibitz.catan import Rules
from kibitz.catan.core.codes import END_ROADS, PLAY_ROAD_BUILDING
from kibitz.catan.core.state import GAME_OVER
from kibitz.catan.versus import KibitzPlayer
from kibitz.catan.versus.view import SeatView, Unclear
from kibitz.game.definition import exact
from kibitz.game.doors import hidden_from
from kibitz.play.search_bot import AnyDeal
from tests.catan.versus.fake import COLOURS, KINDS, NO_TRADE, FakeGame, Stranger

TRADE = Rules(all_or_nothing_bank=True)


class Observed(KibitzPlayer):
    """Looks whether the view that it followed is what the rules let its seat see."""

    def _catch_up(self, window):
        super()._catch_up(window)
        self.seen = self._view.states.copy()

    def decide(self, game, playable_actions):
        action = super().decide(game, playable_actions)
        assert exact(self.seen) == exact(hidden_from(game.truth, self._view.seat))
        assert action in playable_actions or action.action_type.name == "OFFER_TRADE"
        return action


def table(seat, bot, seed, **settings):
    players = [Stranger(10 * seed + other) for other in range(4)]
    players[seat] = Observed(COLOURS[seat], bot, seed=seed, **settings)
    return players


@pytest.mark.plain
@pytest.mark.parametrize("bot", ["random", "builder"])
def test_a_player_sees_what_the_rules_let_it_see_and_wants_what_is_listed(bot):
    for seed in range(2):
        seat, game = 1 + seed, FakeGame(seed)
        players = table(seat, bot, seed)
        game.play(players, 300)
        ours = players[seat]
        assert ours.decisions > 30
        assert (ours.resynchronisations, ours.refused) == ({}, 0)
        assert set(ours.differences) <= {"Road Building must be used up"}


def test_every_kind_of_action_is_followed_and_chosen():
    kinds = set()
    for seed in range(20):
        game = FakeGame(seed, rules=TRADE)
        players = [Observed(COLOURS[seat], "random", seed=4 * seed + seat, domestic_trade=True) for seat in range(4)]
        game.play(players, 800)
        kinds |= {record.action.action_type.name for record in game.records}
        assert all((player.resynchronisations, player.refused) == ({}, 0) for player in players)
        if kinds == set(KINDS.split()):
            return
    pytest.fail(f"never seen: {set(KINDS.split()) - kinds}")


def test_a_search_follows_with_its_hand_tracker():
    game, seat = FakeGame(3), 2
    players = table(seat, "ismcts:20", 3)
    game.play(players, 250)
    tracker = players[seat]._player.belief.tracker
    assert [tracker.total(other).expected for other in range(4)] == players[seat]._view.states["hand_size"][0].tolist()
    assert (players[seat].resynchronisations, players[seat].refused) == ({}, 0)


class TwoWorlds(KibitzPlayer):
    """Is asked the same in a game in which hidden cards lie otherwise."""

    def __init__(self, color, *bot, seed):
        super().__init__(color, *bot, seed=seed)
        self.other = KibitzPlayer(color, *bot, seed=seed)

    def decide(self, game, playable_actions):
        action = super().decide(game, playable_actions)
        elsewhere = game.redealt(COLOURS.index(self.color), seed=self.decisions)
        assert self.other.decide(elsewhere, playable_actions) == action
        return action


@pytest.mark.parametrize(("bot", "steps"), [("random", 400), ("builder", 800), ("ismcts:16", 300)])
def test_hidden_cards_decide_nothing(bot, steps):
    for seed in range(2):
        game, players = FakeGame(seed), [Stranger(seed) for _ in range(4)]
        players[seed] = TwoWorlds(COLOURS[seed], bot, seed=seed)
        game.play(players, steps)
        assert players[seed].decisions > 20


def test_another_game_begins_anew():
    player = KibitzPlayer(COLOURS[1], "builder")
    for seed in (5, 6):
        players = [Stranger(seed), player, Stranger(seed), Stranger(seed)]
        game = FakeGame(seed)
        game.play(players, 300)
    assert not player.resynchronisations
    player.reset_state()
    FakeGame(6).play([Stranger(6), player, Stranger(6), Stranger(6)], 100)
    assert not player.resynchronisations


def test_its_name_can_be_split_at_the_colons_as_their_command_line_does():
    assert repr(KibitzPlayer(COLOURS[0], "ismcts", "200")) == "KibitzPlayer:RED(ismcts:200)"
    assert repr(KibitzPlayer(COLOURS[0])) == "KibitzPlayer:RED(builder)"


@pytest.mark.plain
def test_where_the_log_leads_elsewhere_the_view_is_what_is_shown():
    """A log that lacks something is like a rule that differs: the game goes on with what everybody sees."""
    game, seat = FakeGame(2), 0
    players = [Stranger(seat) for seat in range(4)]
    players[seat] = KibitzPlayer(COLOURS[seat], "builder")
    game.play(players, 120)
    game.records[60:] = [record for record in game.records[60:] if record.action.action_type.name != "ROLL"]
    late = KibitzPlayer(COLOURS[seat], "builder")
    while game.actor != seat:
        game.execute(game.playable()[0])
    assert late.decide(game, game.playable()) in game.playable()
    assert late.resynchronisations["bank"] == late.resynchronisations["belief"] == 1
    assert late._view.states["hand"].tolist() == hidden_from(game.truth, seat)["hand"].tolist()


def test_a_search_goes_on_without_what_it_cannot_have_seen(monkeypatch):
    """Two Monopolies at once: from here on any deal that agrees with the view is as likely as another."""
    game, seat = FakeGame(2), 0
    player = KibitzPlayer(COLOURS[seat], "ismcts:16")
    players = [player, *map(Stranger, range(1, 4))]
    game.play(players, 80)
    assert not player.resynchronisations

    def unclear(view, told, sizes):
        raise Unclear

    with monkeypatch.context() as patch:
        patch.setattr(SeatView, "_losses", unclear)
        while player.resynchronisations["belief"] == 0:
            game.play(players, 1)
    game.play(players, 80)
    assert isinstance(player._player.belief, AnyDeal)
    assert (dict(player.resynchronisations), player.refused) == ({"belief": 1}, 0)


@pytest.mark.plain
def test_longest_road_is_whose_catanatron_says():
    game, seat = FakeGame(4, rules=NO_TRADE), 1
    player = KibitzPlayer(COLOURS[seat], "builder")
    players = [Stranger(seat) for seat in range(4)]
    players[seat] = player
    game.play(players, 100)
    while game.actor != seat:
        game.execute(game.playable()[0])
    game.truth["road_holder"] = 3
    player.decide(game, game.playable())
    assert dict(player.resynchronisations) == {"road_holder": 1}
    assert player._view.states["road_holder"][0] == 3


class Stubborn:
    """A bot that wants one thing."""

    def __init__(self, code):
        self.code = code

    def begin(self, game, seat, view, seed):
        pass

    def saw(self, before, code, after):
        pass

    def decide(self, view):
        return self.code


@pytest.mark.plain
def test_what_is_not_listed_is_counted_and_something_else_done():
    game = FakeGame(1)
    player = KibitzPlayer(COLOURS[0])
    player.decide(game, game.playable())
    for code, counts in ((END_ROADS, (1, 0)), (PLAY_ROAD_BUILDING, (2, 0)), (0, (2, 1))):
        player._player = Stubborn(code)
        listed = game.playable()[5:]
        assert player.decide(game, listed) == listed[0]
        assert (player.differences.total(), player.refused) == counts


def test_games_end():
    game = FakeGame(9)
    game.play([KibitzPlayer(colour, "builder") for colour in COLOURS])
    assert game.truth["phase"][0] == GAME_OVER
