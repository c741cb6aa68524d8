"""Our bots in catanatron itself, where it is installed (release 3.2 or its repository)."""

import random

import pytest

pytest.importorskip("catanatron")

from catanatron import ActionType, Color, Game, RandomPlayer
from catanatron.players.weighted_random import WeightedRandomPlayer

from kibitz.catan.versus import KibitzPlayer
from kibitz.catan.versus.window import CARD_NAMES, RESOURCES

COLOURS = (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)
#: What their rules change in a view of ours, and what they do not let our bots do; release 3.2 has stranger ones.
CORRECTED = {"road_holder"}
STRANGE = {"only knights before the roll", "Road Building only for who could pay"}
DIFFERENT = {"Road Building must be used up", "the best rate alone", "only who holds cards is robbed", *STRANGE}
TRADES = {"OFFER_TRADE", "ACCEPT_TRADE", "REJECT_TRADE", "CONFIRM_TRADE", "CANCEL_TRADE"}


def log_of(game):
    state = game.state
    return [record.action for record in state.action_records] if hasattr(state, "action_records") else state.actions


def test_every_kind_of_action_is_followed_and_chosen():
    """Four players of ours follow each other's random games: nothing but Longest Road is ever seen otherwise."""
    kinds = set()
    for seed in range(6):
        players = [KibitzPlayer(colour, "random", seed=10 * seed + i) for i, colour in enumerate(COLOURS)]
        game = Game(players, seed=seed)
        game.play()
        kinds |= {action.action_type.name for action in log_of(game)}
        for player in players:
            assert set(player.resynchronisations) <= CORRECTED
            assert set(player.differences) <= DIFFERENT
            assert player.refused == 0
    assert kinds >= {kind.name for kind in ActionType} - TRADES


@pytest.mark.skipif(not hasattr(ActionType, "DISCARD_RESOURCE"), reason="release 3.2 does not ask anybody about offers")
def test_offers_are_made_answered_and_followed():
    kinds = set()
    for seed in range(3):
        players = [KibitzPlayer(colour, "random", seed=seed, domestic_trade=True) for colour in COLOURS]
        game = Game(players, seed=seed)
        while len(log_of(game)) < 600 and game.winning_color() is None:
            game.play_tick()
        kinds |= {action.action_type.name for action in log_of(game)}
        for player in players:
            assert set(player.resynchronisations) <= CORRECTED
            assert player.refused == 0
    assert kinds >= TRADES


@pytest.mark.parametrize("other", [RandomPlayer, WeightedRandomPlayer])
def test_a_builder_among_others(other):
    won = 0
    for seed in range(8):
        ours = KibitzPlayer(COLOURS[0], "builder", seed=seed)
        won += Game([ours, *map(other, COLOURS[1:])], seed=seed).play() == ours.color
        assert set(ours.resynchronisations) <= CORRECTED
        assert set(ours.differences) <= STRANGE
        assert ours.refused == 0
    assert won >= 6


def redealt(game, colour, seed):
    """The same game with other cards wherever a player sees none, also in the log."""
    rng, other = random.Random(seed), game.copy()
    state = other.state
    hidden = [i for i, one in enumerate(state.colors) if one != colour]
    for names, spare in ((RESOURCES, []), (CARD_NAMES, list(state.development_listdeck))):
        sizes = [sum(state.player_state[f"P{i}_{name}_IN_HAND"] for name in names) for i in hidden]
        pool = [name for i in hidden for name in names for _ in range(state.player_state[f"P{i}_{name}_IN_HAND"])] + spare
        rng.shuffle(pool)
        for i, size in zip(hidden, sizes, strict=True):
            dealt, pool = pool[:size], pool[size:]
            for name in names:
                state.player_state[f"P{i}_{name}_IN_HAND"] = dealt.count(name)
        if spare:
            state.development_listdeck = pool
    if hasattr(state, "action_records"):
        state.action_records = [unseen(record, colour, rng) for record in state.action_records]
    else:
        state.actions = [masked(action, colour, rng) for action in state.actions]
    return other


def unseen(record, colour, rng):
    action = masked(record.action, colour, rng)
    hides = action.action_type.name in ("BUY_DEVELOPMENT_CARD", "MOVE_ROBBER") and record.result is not None
    if not hides or colour in (action.color, action.action_type.name == "MOVE_ROBBER" and action.value[1]):
        return record
    return record._replace(action=action, result=rng.choice(RESOURCES))


def masked(action, colour, rng):
    if action.color == colour:
        return action
    if action.action_type.name == "BUY_DEVELOPMENT_CARD":
        return action._replace(value=rng.choice(CARD_NAMES))
    if action.action_type.name == "MOVE_ROBBER" and len(action.value) == 3 and action.value[1] not in (None, colour):
        return action._replace(value=(*action.value[:2], rng.choice(RESOURCES)))
    return action


class TwoWorlds(KibitzPlayer):
    """Is asked the same in a game in which hidden cards lie otherwise."""

    def __init__(self, color, *bot, seed):
        super().__init__(color, *bot, seed=seed)
        self.other = KibitzPlayer(color, *bot, seed=seed)

    def decide(self, game, playable_actions):
        action = super().decide(game, playable_actions)
        elsewhere = redealt(game, self.color, seed=self.decisions)
        assert self.other.decide(elsewhere, playable_actions) == action
        return action


@pytest.mark.parametrize(("bot", "games"), [("builder", 3), ("ismcts:16", 1)])
def test_hidden_cards_decide_nothing(bot, games):
    for seed in range(games):
        ours = TwoWorlds(COLOURS[seed], bot, seed=seed)
        others = [WeightedRandomPlayer(colour) for colour in COLOURS if colour != ours.color]
        Game([ours, *others], seed=seed).play()
        assert ours.decisions > 20
