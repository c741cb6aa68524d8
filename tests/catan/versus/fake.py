"""A stand-in for catanatron's `Game`, played by our own rules: the fields that a player finds there, and its words for actions.

It shares no code with `kibitz.catan.versus`: places have other numbers here than with us, and catanatron's words are written
down a second time.
"""

import random
from collections import namedtuple
from enum import Enum
from types import SimpleNamespace

from kibitz.catan import Action as Ours
from kibitz.catan import Board, Rules
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.state import (
    FREE_ROADS,
    ROBBER_DISCARD,
    ROBBER_MOVE,
    ROBBER_STEAL,
    SETUP_ROAD,
    SETUP_SETTLEMENT,
    TRADE_ANSWER,
    TRADE_CHOICE,
    new_states,
)
from kibitz.catan.core.topology import AXIAL, EDGE_ENDS, HALF, HEX_OUTLINES
from kibitz.game import CHANCE, OVER, actor_at, apply_at, to_dict
from kibitz.game.doors import legal_actions, outcomes, redeal_at, reseed_at
from kibitz.ground.jit import uint64

Action = namedtuple("Action", ["color", "action_type", "value"])
ActionRecord = namedtuple("ActionRecord", ["action", "result"])
KINDS = (
    "ROLL MOVE_ROBBER DISCARD_RESOURCE BUILD_ROAD BUILD_SETTLEMENT BUILD_CITY BUY_DEVELOPMENT_CARD PLAY_KNIGHT_CARD "
    "PLAY_YEAR_OF_PLENTY PLAY_MONOPOLY PLAY_ROAD_BUILDING MARITIME_TRADE OFFER_TRADE ACCEPT_TRADE REJECT_TRADE CONFIRM_TRADE "
    "CANCEL_TRADE END_TURN"
)
ActionType = Enum("ActionType", {name: name for name in KINDS.split()})
Color = Enum("Color", {name: name for name in ("RED", "BLUE", "ORANGE", "WHITE")})
COLOURS = tuple(Color)
WINDS = ("NORTH", "NORTHEAST", "EAST", "SOUTHEAST", "SOUTH", "SOUTHWEST", "WEST", "NORTHWEST")
Direction = Enum("Direction", {name: name for name in WINDS})
CORNERS = [Direction[name] for name in WINDS if name not in ("EAST", "WEST")]
SIDES = [Direction[name] for name in WINDS if name not in ("NORTH", "SOUTH")]
#: Steps to the neighbours of a hex, in the order of its sides.
NEIGHBOURS = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)]
RESOURCES = ["WOOD", "BRICK", "SHEEP", "WHEAT", "ORE"]
DEV_CARDS = ["KNIGHT", "VICTORY_POINT", "ROAD_BUILDING", "YEAR_OF_PLENTY", "MONOPOLY"]
PLAIN = {
    "roll_dice": "ROLL",
    "buy_dev_card": "BUY_DEVELOPMENT_CARD",
    "play_knight": "PLAY_KNIGHT_CARD",
    "play_road_building": "PLAY_ROAD_BUILDING",
    "accept_offer": "ACCEPT_TRADE",
    "decline_offer": "REJECT_TRADE",
    "cancel_offer": "CANCEL_TRADE",
    "end_turn": "END_TURN",
}
NO_TRADE = Rules(domestic_trade=False, all_or_nothing_bank=True)


def node(corner):
    """Their number of a corner."""
    return 7 * corner % 54


def tile(hex):
    """Their place of a hex."""
    q, r = AXIAL[hex]
    return q, -q - r, r


def map_of(board):
    land = {}
    for hex, terrain in enumerate(board.hexes):
        nodes = {direction: node(corner) for direction, corner in zip(CORNERS, HEX_OUTLINES[hex], strict=True)}
        land[tile(hex)] = SimpleNamespace(
            resource=terrain.resource and terrain.resource.value.upper(), number=terrain.number, nodes=nodes
        )
    sea = {}
    for harbour in board.harbours:
        for hex, (q, r) in enumerate(AXIAL):
            outline = HEX_OUTLINES[hex]
            for k in range(6):
                if {outline[k], outline[(k + 1) % 6]} == set(EDGE_ENDS[harbour.edge]):
                    (dq, dr), kind = NEIGHBOURS[k], harbour.kind.value
                    at = (q + dq, -q - dq - r - dr, r + dr)
                    resource = kind.upper() if kind.upper() in RESOURCES else None
                    sea[at] = SimpleNamespace(resource=resource, direction=SIDES[(k + 3) % 6])
    return SimpleNamespace(land_tiles=land, tiles={**land, **sea})


def told(ours, row, *, victim=None):
    """An action of ours in their words: kind and value."""
    data, kind = ours.data, ours.kind
    if kind in PLAIN:
        return PLAIN[kind], None
    if kind in ("place_setup_settlement", "build_settlement", "build_city"):
        return ("BUILD_CITY" if kind == "build_city" else "BUILD_SETTLEMENT"), node(data["corner"])
    if kind in ("place_setup_road", "build_road", "place_free_road"):
        return "BUILD_ROAD", tuple(sorted(node(corner) for corner in data["edge"]))
    if kind == "discard_resource":
        return "DISCARD_RESOURCE", str(data["resource"]).upper()
    if kind == "move_robber":
        return "MOVE_ROBBER", (tile(data["hex"]), None if victim is None else COLOURS[victim])
    if kind == "play_year_of_plenty":
        return "PLAY_YEAR_OF_PLENTY", tuple(str(resource).upper() for resource in data["resources"])
    if kind == "play_monopoly":
        return "PLAY_MONOPOLY", str(data["resource"]).upper()
    if kind == "trade_bank":
        (give, rate), (asked, _) = *data["give"].items(), *data["receive"].items()
        return "MARITIME_TRADE", (*[give.upper()] * rate, *[None] * (4 - rate), asked.upper())
    if kind == "offer_trade":
        return "OFFER_TRADE", tuple(
            data[side].get(resource.lower(), 0) for side in ("give", "receive") for resource in RESOURCES
        )
    assert kind == "confirm_trade"
    offer = [max(n, 0) for n in row["offer"]] + [max(-n, 0) for n in row["offer"]]
    return "CONFIRM_TRADE", (*offer, COLOURS[data["partner"]])


class FakeGame:
    """One game: the truth is ours, `state` shows it as catanatron does."""

    def __init__(self, seed=0, seats=4, rules=NO_TRADE, states=None, records=()):
        self.id, self.seed, self.seats = f"game {seed}", seed, seats
        self.rng = random.Random(seed)
        self.truth = new_states(Board.random(seed), seats, rules) if states is None else states
        self.vps_to_win = rules.victory_points
        self.records = list(records)
        self.map = map_of(Board.random(seed))
        self.last = {}

    def redealt(self, seat, seed):
        """The same game with other cards wherever a seat sees none, also in the log."""
        states, xs = self.truth.copy(), GAME.scratches()
        reseed_at(xs, 0, uint64(seed))
        redeal_at(states, 0, xs, 0, seat)
        rng, records = random.Random(seed), []
        for record in self.records:
            action, kind = record.action, record.action.action_type.name
            if kind == "BUY_DEVELOPMENT_CARD" and action.color != COLOURS[seat]:
                card = rng.choice(DEV_CARDS)
                records.append(ActionRecord(action._replace(value=card), card))
            elif kind == "MOVE_ROBBER" and record.result and COLOURS[seat] not in (action.color, action.value[1]):
                records.append(ActionRecord(action, rng.choice(RESOURCES)))
            else:
                records.append(record)
        other = FakeGame(self.seed, self.seats, states=states, records=records)
        other.vps_to_win, other.last = self.vps_to_win, self.last
        return other

    @property
    def actor(self):
        return actor_at(self.truth, 0)

    @property
    def state(self):
        row = to_dict(self.truth)
        seats, colours = range(self.seats), COLOURS[: self.seats]
        player_state = {}
        for seat in seats:
            facts = {
                "HAS_ROAD": row["road_holder"] == seat,
                "HAS_ARMY": row["army_holder"] == seat,
                "HAS_ROLLED": row["player"] == seat and row["roll"] > 0,
                "HAS_PLAYED_DEVELOPMENT_CARD_IN_TURN": row["player"] == seat and bool(row["dev_done"]),
                "LONGEST_ROAD_LENGTH": row["road_length"][seat],
            }
            facts |= {f"{name}_IN_HAND": row["hand"][seat][i] for i, name in enumerate(RESOURCES)}
            facts |= {f"{name}_IN_HAND": row["dev"][seat][i] for i, name in enumerate(DEV_CARDS)}
            facts |= {f"PLAYED_{name}": row["played"][seat][i] for i, name in enumerate(DEV_CARDS)}
            player_state |= {f"P{seat}_{name}": value for name, value in facts.items()}
        buildings = {
            node(corner): (colours[seat], kind.upper())
            for kind, field in (("settlement", "settlements"), ("city", "cities"))
            for seat in seats
            for corner in range(54)
            if row[field][seat] >> corner & 1
        }
        roads = {}
        for seat in seats:
            for edge, (a, b) in enumerate(EDGE_ENDS):
                if row["roads"][seat][edge // HALF] >> edge % HALF & 1:
                    roads[node(a), node(b)] = roads[node(b), node(a)] = colours[seat]
        deck = [name for i, name in enumerate(DEV_CARDS) for _ in range(row["deck"][i])]
        board = SimpleNamespace(map=self.map, buildings=buildings, roads=roads, robber_coordinate=tile(row["robber"]))
        return SimpleNamespace(
            colors=colours,
            player_state=player_state,
            board=board,
            resource_freqdeck=list(row["bank"]),
            development_listdeck=deck,
            buildings_by_color={colours[seat]: {"SETTLEMENT": self.last.get(seat, [])} for seat in seats},
            discard_limit=row["discard_limit"],
            friendly_robber=bool(row["friendly_robber"]),
            current_turn_index=row["player"],
            current_prompt=SimpleNamespace(value=prompt(row["phase"])),
            is_road_building=row["phase"] == FREE_ROADS,
            free_roads_available=row["free_roads"],
            action_records=self.records,
        )

    def playable(self):
        """What the seat to move may do, in their words; a robber and whom it robs are one action."""
        row, found = to_dict(self.truth), []
        for code in legal_actions(self.truth):
            ours = Ours.from_code(code)
            if ours.kind == "move_robber":
                found += [self.action(ours, row, victim) for victim in self.victims(code) or [None]]
            elif ours.kind not in ("end_road_building", "offer_trade"):
                found.append(self.action(ours, row))
        return found

    def action(self, ours, row, victim=None):
        kind, value = told(ours, row, victim=victim)
        return Action(COLOURS[self.actor], ActionType[kind], value)

    def victims(self, code):
        """Who can be robbed after a move of the robber, if they hold cards."""
        after = self.truth.copy()
        apply_at(after, 0, code)
        if after["phase"][0] != ROBBER_STEAL:
            return []
        found = [Ours.from_code(steal).data["victim"] for steal in legal_actions(after)]
        return [seat for seat in found if after["hand_size"][0, seat]]

    def execute(self, action):
        """Do it, let chance answer, and note both."""
        row = to_dict(self.truth)
        steps = {code: Ours.from_code(code) for code in legal_actions(self.truth)}
        steps = {code: ours for code, ours in steps.items() if ours.kind != "end_road_building"}
        if action.action_type.name == "MOVE_ROBBER":
            (code,) = (c for c, ours in steps.items() if told(ours, row)[1][0] == action.value[0])
            apply_at(self.truth, 0, code)
            result = None
            if self.truth["phase"][0] == ROBBER_STEAL:
                seats = [Ours.from_code(steal).data["victim"] for steal in legal_actions(self.truth)]
                victim = seats[0] if action.value[1] is None else COLOURS.index(action.value[1])
                apply_at(self.truth, 0, Ours("steal_resource", {"victim": victim}).code)
                result = self.chance()
        elif action.action_type.name == "OFFER_TRADE":
            give, want = (dict(zip((r.lower() for r in RESOURCES), part, strict=True)) for part in halves(action.value))
            apply_at(self.truth, 0, Ours("offer_trade", {"give": positive(give), "receive": positive(want)}).code)
            result = None
        else:
            wanted = (action.action_type.name, action.value)
            code = next(c for c, ours in steps.items() if told(ours, row) == wanted)
            if wanted[0] == "BUILD_SETTLEMENT":
                self.last.setdefault(self.actor, []).append(action.value)
            apply_at(self.truth, 0, code)
            result = self.chance()
        if action.action_type.name == "BUY_DEVELOPMENT_CARD":
            action = action._replace(value=result)
        self.records.append(ActionRecord(action, result))

    def chance(self):
        """What chance does now, in their words; None where it has no part."""
        if self.actor != CHANCE:
            return None
        codes, weights = zip(*outcomes(self.truth), strict=True)
        (code,) = self.rng.choices(codes, [float(weight) for weight in weights])
        ours = Ours.from_code(code)
        apply_at(self.truth, 0, code)
        if ours.kind == "rolled":
            low = max(1, ours.data["total"] - 6)
            return low, ours.data["total"] - low
        return str(*ours.data.values()).upper()

    def play(self, players, steps=10_000):
        """To the end, or for so many decisions."""
        for _ in range(steps):
            if self.actor == OVER:
                return
            self.execute(players[self.actor].decide(self, self.playable()))


class Stranger:
    """A player of theirs: takes anything."""

    def __init__(self, seed=0):
        self.rng = random.Random(seed)

    def decide(self, game, playable):
        return self.rng.choice(playable)


def halves(value):
    return value[:5], value[5:10]


def positive(counts):
    return {name: n for name, n in counts.items() if n}


def prompt(phase):
    named = {
        SETUP_SETTLEMENT: "BUILD_INITIAL_SETTLEMENT",
        SETUP_ROAD: "BUILD_INITIAL_ROAD",
        ROBBER_DISCARD: "DISCARD",
        ROBBER_MOVE: "MOVE_ROBBER",
        TRADE_ANSWER: "DECIDE_TRADE",
        TRADE_CHOICE: "DECIDE_ACCEPTEES",
    }
    return named.get(phase, "PLAY_TURN")
