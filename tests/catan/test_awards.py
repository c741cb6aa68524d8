"""The special cards without a game: lengths of roads against a simple search, holders against the rules in whole games."""

import pytest

from kibitz import catan
from kibitz.catan import ARMY_MINIMUM, ROAD_MINIMUM, award_holder, longest_road
from kibitz.catan.core.state import KNIGHT, NOBODY
from kibitz.catan.core.topology import CORNERS, EDGE_ENDS, HALF
from kibitz.ground.rng import Stream
from tests.catan.walks import Walk

#: Around the hex in the middle, and a road away from it.
RING = [(21, 22), (22, 33), (33, 32), (32, 31), (31, 20), (20, 21)]


def searched(roads, blocked):
    """The longest trail, tried out from every corner."""

    def onward(corner, left):
        steps = [road for road in left if corner in road]
        return max(
            (1 + (0 if (end := sum(road) - corner) in blocked else onward(end, left - {road})) for road in steps), default=0
        )

    return max((onward(corner, frozenset(roads)) for road in roads for corner in road), default=0)


@pytest.mark.plain
def test_lengths_by_hand():
    assert longest_road([]) == 0
    assert longest_road([(1, 0)]) == longest_road([(0, 1), (1, 0)]) == 1
    assert longest_road(RING) == 6
    assert longest_road(RING, blocked=[21]) == 6  # it begins and ends there
    assert longest_road(RING, blocked=[21, 32]) == 3
    assert longest_road([*RING, (11, 21)]) == 7
    assert longest_road([*RING, (11, 21)], blocked=[21]) == 6


@pytest.mark.plain
def test_lengths_against_a_search():
    stream, lengths = Stream(4), set()
    for _ in range(150):
        corner, roads = stream.below(CORNERS), set()
        for _ in range(stream.below(catan.ROADS + 1)):  # a network that grows where it stands, so that rings close
            reached = {corner, *(end for road in roads for end in road)}
            roads.add(stream.choice([road for road in EDGE_ENDS if reached & {*road} and road not in roads]))
        blocked = [corner for corner in range(CORNERS) if stream.below(8) == 0]
        lengths.add(found := longest_road(roads, blocked))
        assert found == searched(roads, blocked), (roads, blocked)
    assert len(lengths) > 10


@pytest.mark.plain
@pytest.mark.parametrize(
    ("roads", "blocked", "words"),
    [
        ([(0, 53)], [], r"\(0, 53\): no edge of the island"),
        ([(0, 1)], [54], "corner 54: expected 0 to 53"),
        (EDGE_ENDS[:16], [], "16 roads: a player has 15"),
    ],
)
def test_what_cannot_be_is_refused(roads, blocked, words):
    with pytest.raises(ValueError, match=words):
        longest_road(roads, blocked)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("counts", "holder", "then"),
    [
        ([4, 4, 0], None, None),
        ([5, 4, 0], None, 0),
        ([5, 5, 0], 0, 0),
        ([5, 6, 0], 0, 1),
        ([4, 5, 5], 0, None),
        ([4, 3, 2], 0, None),
        ([5, 5, 0], None, None),
    ],
)
def test_who_holds_the_longest_road(counts, holder, then):
    assert award_holder(counts, ROAD_MINIMUM, holder) == then


def test_whole_games_agree():
    """Lengths whenever something was built, and both cards, in all positions of some games."""
    changes = 0
    for seed in range(3):
        road = army = seen = None
        for _, row, _ in Walk(3, seed, "builds", catan.Rules(domestic_trade=False)).positions():
            built = [row["settlements"][seat] | row["cities"][seat] for seat in range(3)]
            for seat in range(3) if (row["roads"], built) != seen else ():
                roads = [EDGE_ENDS[e] for e in range(2 * HALF) if row["roads"][seat][e // HALF] >> e % HALF & 1]
                others = [c for c in range(CORNERS) if any(built[other] >> c & 1 for other in range(3) if other != seat)]
                assert longest_road(roads, others) == row["road_length"][seat]
            before, seen = (road, army), (row["roads"], built)
            road = award_holder(row["road_length"][:3], ROAD_MINIMUM, road)
            army = award_holder([row["played"][seat][KNIGHT] for seat in range(3)], ARMY_MINIMUM, army)
            assert [NOBODY if holder is None else holder for holder in (road, army)] == [row["road_holder"], row["army_holder"]]
            changes += before != (road, army)
    assert changes >= 4


@pytest.mark.plain
def test_costs_and_pieces():
    resources, cards = list(catan.Resource), list(catan.DevCardType)
    assert dict(zip(resources, catan.CITY_COST, strict=True)) == {"wood": 0, "brick": 0, "sheep": 0, "wheat": 2, "ore": 3}
    assert [sum(cost) for cost in (catan.ROAD_COST, catan.SETTLEMENT_COST, catan.DEV_COST)] == [2, 4, 3]
    assert dict(zip(cards, catan.DECK, strict=True))["knight"] == 14
    assert (catan.ROADS, catan.SETTLEMENTS, catan.CITIES, catan.SUPPLY, sum(catan.DECK)) == (15, 5, 4, 19, 25)
