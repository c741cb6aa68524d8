"""Levels: every game's are bots of it, a careless player is reproducible, and a network that is missing has a spare."""

import pytest

from kibitz import GAMES
from kibitz.catan import Rules
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.policy import BOTS
from kibitz.catan.setup import setup
from kibitz.game.doors import sensible_actions
from kibitz.game.nets import NoNetwork
from kibitz.play.bots import Careless, UnknownBot, level_bot, policy_bot, served
from kibitz.play.match import play_game
from kibitz.play.profile import Level
from kibitz.play.registry import known
from kibitz.play.series import Plan, play_plan

ODD = setup(seed=1, rules=Rules(victory_points=4, max_turns=30))
NAMES = ("easy", "medium", "hard", "expert")


@pytest.mark.plain
@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_four_levels_that_are_bots_of_it(game):
    profile = known(game)
    assert tuple(level.name for level in profile.levels) == NAMES
    assert profile.bot_names[:4] == NAMES
    assert not set(NAMES) & set(profile.bots)
    for level in profile.levels:
        bot = profile.bot_named(level.name)
        assert bot.name == level.name
        assert level.about.endswith(".")
        assert (bot.policy is None) == (level.slips > 0 or profile.bot_named(level.bot).policy is None)
    with pytest.raises(UnknownBot, match="'easy:5': easy takes no parameter"):
        profile.bot_named("easy:5")


class First:
    """Always wants the first sensible action."""

    def begin(self, game, seat, view, seed):
        self.seen = 0

    def saw(self, before, code, after):
        self.seen += 1

    def decide(self, view):
        return sensible_actions(view)[0]


def decisions(slips, seed):
    """What a careless player does at the start, again and again."""
    view = ODD.starts(4, 0, 1)
    player = Careless(First(), slips)
    player.begin(GAME, 0, view, seed)
    found = []
    for _ in range(200):
        found.append(player.decide(view))
        assert player.decide(view) == found[-1]  # asked again, it does not draw again
        player.saw(view, 0, view)
    return found


def test_a_careless_player_errs_as_often_as_it_should_and_in_the_same_places():
    first = sensible_actions(ODD.starts(4, 0, 1))[0]
    assert decisions(0, 1) == [first] * 200
    found = decisions(40, 1)
    assert found == decisions(40, 1) != decisions(40, 2)
    assert 50 < sum(action != first for action in found) < 110


def test_games_of_a_careless_level_depend_on_the_seed_alone():
    easy, builder = known("catan").bot_named("easy"), known("catan").bot_named("builder-0.1")
    table = (easy, builder, easy, builder)
    one, two = (play_plan(Plan(ODD, table, 5, 6), jobs=jobs) for jobs in (1, 2))
    assert one.states.tobytes() == two.states.tobytes()
    assert play_plan(Plan(ODD, table, 6, 6), jobs=1).states.tobytes() != one.states.tobytes()


@pytest.mark.plain
def test_under_rules_without_a_network_the_spare_plays():
    starts = ODD.starts(2, 0, 1)
    assert served(GAME, starts, BOTS["net"], BOTS["builder-0.1"]) == BOTS["builder-0.1"]
    assert served(GAME, setup(seed=1).starts(2, 0, 1), BOTS["net"], BOTS["builder-0.1"]) == BOTS["net"]
    with pytest.raises(NoNetwork):
        served(GAME, starts, BOTS["net"])
    hard = known("catan").bot_named("hard")
    assert (hard.policy, hard.spare) == (BOTS["net"], BOTS["builder"])
    short = setup(seed=1, rules=Rules(victory_points=3, max_turns=4, domestic_trade=False)).starts(2, 0, 1)
    spare = policy_bot("builder", BOTS["builder"])
    by_level = play_game(GAME, short, [hard, hard], seed=3)
    assert by_level.codes == play_game(GAME, short, [spare, spare], seed=3).codes


@pytest.mark.plain
def test_a_level_of_a_search_is_the_search_under_another_name():
    profile = known("coup")
    bot = level_bot(Level("sharp", "ismcts:7", "Thinks."), profile.bot_named)
    assert (bot.name, bot.policy) == ("sharp", None)
    assert bot.player().thinking.limit.iterations == 7
