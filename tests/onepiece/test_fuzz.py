"""Decks of random cards with every primitive, cost, condition and event: no game breaks a promise, whatever meets."""

import pytest

from kibitz.game import OVER
from kibitz.ground.rng import Stream
from kibitz.onepiece.core.cards import BANS, EVENTS, KEYWORDS
from kibitz.onepiece.core.decks import Deck
from kibitz.onepiece.core.engine import decide, new, scratch
from kibitz.onepiece.core.schema import read_card
from tests.onepiece.checks import (
    check_actions,
    check_copy,
    check_fingerprint,
    check_hiding,
    check_seen,
    check_world,
    is_consistent,
)
from tests.onepiece.positions import leader

#: Mandatory effects may feed each other for ever: a game is left after so many steps.
STEPS = 250
#: Some of the games are also played where every line of a rule is seen.
SEEDS = [*(pytest.param(seed, marks=pytest.mark.plain) for seed in range(12)), *range(12, 30)]

SELECTIONS = [
    {"of": "opponent"},
    {"of": "both", "max": 2},
    {"from": "field", "min": 1},
    {"from": "hand"},
    {"from": "hand", "hidden": True},
    {"from": "trash", "max": 2},
    {"from": "leaders", "of": "both"},
    {"from": "stages", "of": "both"},
    {"from": "life"},
    {"from": "life", "hidden": True},
    {"from": "life", "of": "opponent", "by": "opponent", "hidden": True},
    {"from": "hand", "of": "opponent", "by": "you"},
    {"from": "hand", "hidden": True, "max": 2, "cost": {"max": 2}},
    {"from": "top", "max": 2},
    {"of": "opponent", "by": "opponent", "min": 1},
    {"from": "hand", "of": "opponent", "by": "opponent", "min": 1},
    {"of": "both", "power": {"max": 4000}, "cost": {"max": 4}},
    {"keyword": "blocker", "other": True},
]
ON_CARDS = [
    {"ko": "x"},
    {"trash": "x"},
    {"rest": "x"},
    {"setActive": "x"},
    {"returnToHand": "x"},
    {"returnToDeck": "x", "at": "bottom"},
    {"returnToDeck": "x", "at": "top", "hidden": True},
    {"addToLife": "x"},
    {"play": "x"},
    {"play": "x", "rested": True},
    {"giveDon": 1, "rested": True, "to": "x"},
    {"toHand": "x", "hidden": True},
]
ALONE = [
    {"draw": 1},
    {"draw": 1, "who": "opponent"},
    {"mill": 2},
    {"discard": 1},
    {"discard": 1, "who": "opponent"},
    {"shuffle": True},
    {"addDon": 1},
    {"orientDon": 2, "rested": True},
    {"returnDon": 1},
    {"returnDon": 1, "who": "opponent"},
    {"lifeToHand": 1},
    {"lifeTrash": 1, "who": "opponent"},
    {"deckToLife": 1},
    {"deckToLife": 1, "faceUp": True},
    {"damage": 1, "who": "opponent"},
    {"reveal": 1},
    {"lookTop": 1, "life": True},
    {"playSelf": True},
    {"rest": "self"},
    {"setActive": "leader"},
    {"reveal": 1, "of": "opponent"},
    {"lookTop": 2, "of": "opponent"},
    {"orderRest": "bottom"},
    {"reuse": "play"},
    {"reuse": "main"},
]
LOOKING = [
    [{"lookTop": 3}, {"select": {"from": "top"}, "as": "x"}, {"toHand": "x"}, {"orderRest": "bottom"}],
    [
        {"lookTop": 4},
        {"select": {"from": "top", "hidden": True}, "as": "x"},
        {"toHand": "x", "hidden": True},
        {"orderRest": "top"},
    ],
    [{"lookTop": 2}, {"select": {"from": "top", "cost": {"max": 5}}, "as": "x"}, {"play": "x"}, {"orderRest": "trash"}],
    [{"lookTop": 3, "of": "opponent"}, {"orderRest": "top"}],
    [
        {"lookTop": 3, "of": "opponent"},
        {"select": {"from": "top", "of": "opponent", "by": "you", "hidden": True, "max": 2}, "as": "x"},
        {"returnToDeck": "x", "at": "bottom", "hidden": True},
        {"orderRest": "top"},
    ],
    [{"lookTop": 4}, {"draw": 1}, {"select": {"from": "top", "max": 2}, "as": "x"}, {"returnToDeck": "x", "at": "top"}],
]
CONDITIONS = [
    {"life": {"max": 3}},
    {"turn": "yours"},
    {"count": {"who": "both", "power": {"min": 6000}, "min": 1}},
    {"donGiven": 1},
    {"not": {"hand": {"max": 2}}},
    {"any": [{"trash": {"min": 5}}, {"don": {"min": 6}}]},
    {"self": {"rested": True}},
    {"attacking": True},
]
COSTS = [
    {"restDon": 1},
    {"returnDon": 1},
    {"restSelf": True},
    {"trashSelf": True},
    {"discard": 1},
    {"discard": 1, "cost": {"max": 1}},
    {"lifeToHand": 1},
    {"returnCharacter": {"other": True}},
    {"trashCharacter": {}},
    {"restCharacter": {}},
    {"restLeader": True},
    {"lifeTrash": 1},
]


def steps(r, depth=0):
    """A few random steps."""
    found = []
    for _ in range(1 + r.below(2)):
        what = r.below(10)
        if what < 4:
            found.append(r.choice(ALONE))
        elif what < 6:
            found += [{"select": r.choice(SELECTIONS), "as": "x"}, r.choice(ON_CARDS)]
        elif what == 6:
            found += r.choice(LOOKING)
        elif what == 7:
            change = r.choice([("addPower", 1000), ("addPower", -3000), ("setBasePower", 7000), ("modifyCost", -2)])
            words = r.choice(
                [("grantKeyword", r.choice(list(KEYWORDS))), ("setLegality", r.choice(list(BANS))), change, change]
            )
            times = ["battle", "turn", "yourNextStart", "opponentsNextEnd"]
            found.append({words[0]: words[1], "to": r.choice(["self", "leader", "opponentLeader"]), "for": r.choice(times)})
        elif depth < 2:
            inner = steps(r, depth + 1)
            found.append(
                r.choice(
                    [
                        {"if": r.choice(CONDITIONS), "then": inner, "else": steps(r, depth + 1)},
                        {"ifYouDo": inner},
                        {"may": inner},
                        {"choice": [{"label": "a", "do": inner}, {"label": "b", "do": [{"draw": 1}]}]},
                        {"forEach": {"of": "both", "cost": {"max": 3}}, "do": [{"rest": "it"}]},
                    ]
                )
            )
    return found or [{"draw": 1}]


def ability(r, kind):
    """A random effect for a kind of card."""
    if kind == "event":
        return {"on": r.choice(["main", "counter", "trigger"]), "do": steps(r)}
    timings = [
        "play",
        "attack",
        "opponentAttack",
        "block",
        "ko",
        "activate",
        "trigger",
        "turnStart",
        "turnEnd",
        "when",
        "when",
        "replace",
        "permanent",
    ]
    if kind == "stage":
        timings = ["play", "activate", "trigger", "turnStart", "opponentTurnEnd", "when", "permanent"]
    timing = r.choice(timings)
    if timing == "permanent":
        found = {"on": timing, "whose": r.choice(["self", "you", "opponent", "both", "hand"]), "power": 1000 * (r.below(5) - 2)}
        return {**found, "cost": -1, "if": r.choice(CONDITIONS), "keywords": [r.choice(list(KEYWORDS))], "don": r.below(2)}
    found = {"on": timing, "do": steps(r), "once": timing == "activate" or r.below(2) == 0}
    if r.below(3) == 0:
        found |= {"cost": [r.choice(COSTS)], "optional": True}
    elif r.below(3) == 0:
        found |= {"optional": True}
    if r.below(3) == 0:
        found["if"] = r.choice(CONDITIONS)
    if timing == "when":
        found |= {"event": r.choice(EVENTS), "whose": r.choice(["you", "opponent", "any", "self"])}
    if timing == "replace":
        found |= {"event": r.choice(["ko", "left"]), "whose": r.choice(["you", "self"])}
        found["by"] = r.choice(["any", "battle", "effect", "opponentsEffect"])
    return found


def random_deck(r, letter):
    """A deck of 13 random designs."""
    cards = {}
    for i in range(13):
        kind = r.choice(["character", "character", "character", "event", "stage"])
        value = {"id": f"{letter}{i:02}", "name": f"{letter}{i:02}", "kind": kind, "colours": ["red"], "cost": r.below(5)}
        if kind == "character":
            value |= {"power": 1000 * (1 + r.below(8)), "counter": 1000 * r.below(3), "keywords": [r.choice(list(KEYWORDS))]}
        effects = [ability(r, kind) for _ in range(1 + r.below(2))]
        if kind == "event":  # one of each timing
            effects = list({effect["on"]: effect for effect in effects}.values())
        value["abilities"] = effects
        cards[read_card(value, "fuzz")] = 4 if i < 12 else 2
    return Deck(letter, leader(f"{letter}-leader"), cards)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_cards_break_nothing(seed):
    r = Stream(seed)
    s = new(random_deck(r, "A"), random_deck(r, "B"), seed % 2)
    x, other = scratch(seed), scratch(seed + 100)
    met, keys = {}, {}
    for step in range(STEPS):
        assert is_consistent(s)
        check_fingerprint(s, keys)
        if step % 6 == 0:
            check_actions(s, met)
            for seat in range(2):
                check_hiding(s, seat)
                check_world(s, seat, other)
        if s.actor() == OVER:
            break
        action = decide(s, x)
        if step % 6 == 0:
            check_copy(s, action)
        if step % 12 == 0:
            check_seen(s)
        s.apply(action)
