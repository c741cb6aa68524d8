"""``kibitz GAME bots``: the levels with a sentence and a rating, then all other bots."""

import json

import pytest

pytestmark = pytest.mark.plain


@pytest.mark.parametrize("game", ["catan", "coup", "onepiece"])
def test_levels_come_first(kibitz, game):
    code, out, err = kibitz(game, "bots")
    assert (code, err) == (0, "")
    lines = [line.split()[0] for line in out.splitlines() if line.split()]
    places = [lines.index(name) for name in ("easy", "medium", "hard", "expert", "random")]
    assert places == sorted(places)


def test_json_has_the_same(kibitz):
    code, out, _ = kibitz("bots", "catan", "--json")
    assert code == 0
    data = json.loads(out)
    assert data["anchor"] == "builder-0.1"
    levels = {level["name"]: level for level in data["levels"]}
    assert list(levels) == ["easy", "medium", "hard", "expert"]
    assert levels["easy"]["slips"] > 0
    assert levels["easy"]["rating"] < levels["medium"]["rating"] < levels["hard"]["rating"]
    assert next(bot for bot in data["bots"] if bot["name"] == "builder-0.1")["rating"] == 1000


def test_a_game_without_levels_lists_its_bots(kibitz):
    code, out, _ = kibitz("kuhn", "bots")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[2:]] == ["random", "honest", "ismcts"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--level", "heroic"], "--level heroic: expected easy, medium, hard or expert"),
        (["--level", "easy", "--bots", "honest"], "--level and --bots both say who your opponents are; give one of the two"),
        (["--level", "easy", "--bots", "heuristic"], "--level and --bots both say who your opponents are; give one of the two"),
    ],
)
def test_what_the_user_can_mend_is_one_line(kibitz, arguments, message):
    """`heuristic` would be the opponent if nobody were named."""
    code, out, err = kibitz("coup", "play", *arguments)
    assert (code, out) == (2, "")
    assert err == f"kibitz: {message}\n"
