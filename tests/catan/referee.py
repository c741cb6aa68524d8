"""A slow, plain referee for Settlers of Catan.

It reads one game of a `--full` record (docs/record.md), keeps its own position from the header and the actions alone,
and compares with it, step by step, who acted, what was legal and what the position became. It was written from the
rule text and shares no code with the engine: sets, dicts and exhaustive search instead of bits and tables.

    python tests/catan/referee.py games.jsonl
"""

import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Line = dict[str, Any]
Edge = tuple[int, int]
Cards = Counter[str]

RESOURCES = ("wood", "brick", "sheep", "wheat", "ore")
HEXES = {"wood": 4, "brick": 3, "sheep": 4, "wheat": 4, "ore": 3, "desert": 1}
TOKENS = {None: 1, 2: 1, 3: 2, 4: 2, 5: 2, 6: 2, 8: 2, 9: 2, 10: 2, 11: 2, 12: 1}
HARBOURS = {"3:1": 4, "wood": 1, "brick": 1, "sheep": 1, "wheat": 1, "ore": 1}
DECK = {"knight": 14, "victory_point": 5, "road_building": 2, "year_of_plenty": 2, "monopoly": 2}
SUPPLY, ROADS, SETTLEMENTS, CITIES = 19, 15, 5, 4
ROAD: Cards = Counter({"wood": 1, "brick": 1})
SETTLEMENT: Cards = Counter({"wood": 1, "brick": 1, "sheep": 1, "wheat": 1})
CITY: Cards = Counter({"wheat": 2, "ore": 3})
DEV_CARD: Cards = Counter({"sheep": 1, "wheat": 1, "ore": 1})
OPTIONS = {"victory_points", "discard_limit", "domestic_trade", "offer_limit", "friendly_robber", "max_turns"}
OPTIONS |= {"all_or_nothing_bank", "phased_turns"}


class Violation(AssertionError):
    """A recorded game breaks a rule, or the record its format."""


def demand(rule: str, expected: object, found: object) -> None:
    """Complain in the name of a rule if what was found is not what it says."""
    if expected != found:
        raise Violation(f"{rule}: expected {expected}, found {found}")


@dataclass
class Summary:
    """What happened in a game, so that a test can see that the rules in question really occurred."""

    game: int = 0
    steps: int = 0
    turns: int = 0
    winner: int | None = None
    points: list[int] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)  # steps by kind of action
    bank_trades: Counter[int] = field(default_factory=Counter)  # by rate: 4, 3 or 2 for one
    trades_made: int = 0  # between players
    unlisted_offers: int = 0  # bundles that `legal` does not spell out
    shortages: int = 0  # a roll that the supply of one resource could not serve
    sole_claimant_shortages: int = 0  # ... with one player entitled to it
    partial_payments: int = 0  # ... who took what was left
    longest_road_changes: int = 0
    longest_road_set_aside: int = 0  # changes after which nobody held it
    roads_cut: int = 0  # a settlement shortened somebody's longest road
    roads_blocked: int = 0  # steps at which an enemy building forbade a road that was paid for
    largest_army_changes: int = 0
    dev_cards_played: Counter[str] = field(default_factory=Counter)  # by type, revealed victory points included
    cards_before_roll: int = 0
    short_road_building: int = 0  # Road Building that placed fewer than two roads
    short_plenty: int = 0  # Year of Plenty that took one card only
    empty_victims: int = 0  # robbed without a card in hand
    friendly_refusals: int = 0  # moves at which the friendly robber shunned a hex
    friendly_fallbacks: int = 0  # moves at which it had to shun all, and so none
    off_turn_points: int = 0  # a player reached the winning points in another's turn
    wins_at_turn_start: int = 0


# --- The board ---------------------------------------------------------------------------------------------------------


class Board:
    """The geometry and the luck of one board, as its header spells it out, checked against the rule book's island."""

    def __init__(self, raw: Line) -> None:
        self.resources: list[str] = [h["resource"] for h in raw["hexes"]]
        self.numbers: list[int | None] = [h["number"] for h in raw["hexes"]]
        self.hexes: list[list[int]] = [h["corners"] for h in raw["hexes"]]  # per hex, its corners
        self.harbours: list[tuple[str, set[int]]] = [(h["kind"], set(h["corners"])) for h in raw["harbours"]]
        self.edges: list[Edge] = [(a, b) for a, b in raw["edges"]]
        check_island(self)
        check_luck(self)
        corners = range(54)
        self.edges_at = {c: {edge for edge in self.edges if c in edge} for c in corners}
        self.neighbours = {c: {sum(edge) - c for edge in self.edges_at[c]} for c in corners}


def sides(corners: Sequence[int]) -> list[Edge]:
    """The six sides of a hex whose corners are given in order."""
    return [(min(pair), max(pair)) for pair in zip(corners, [*corners[1:], corners[0]], strict=True)]


def check_island(board: Board) -> None:
    """19 hexes in rows of 3-4-5-4-3, corners clockwise from the north; their 72 sides are the edges.

    Every corner gets a place in the plane; hexes that touch must name it alike, whatever its number.
    """
    centres = [(2 * i - width + 1, 3 * row) for row, width in enumerate((3, 4, 5, 4, 3)) for i in range(width)]
    demand("board: corners of each hex", [6] * 19, [len(corners) for corners in board.hexes])
    places: dict[tuple[int, int], int] = {}
    for (x, y), corners in zip(centres, board.hexes, strict=True):
        around = [(x, y - 2), (x + 1, y - 1), (x + 1, y + 1), (x, y + 2), (x - 1, y + 1), (x - 1, y - 1)]
        for place, corner in zip(around, corners, strict=True):
            demand(f"board: the corner at {place} as its hexes name it", places.setdefault(place, corner), corner)
    demand("board: corners", list(range(54)), sorted(places.values()))
    demand("board: edges", sorted({side for corners in board.hexes for side in sides(corners)}), sorted(board.edges))


def check_luck(board: Board) -> None:
    """The box holds fixed numbers of hexes, tokens and harbours; the desert has no token; harbours lie on the coast."""
    demand("board: hexes by resource", HEXES, dict(Counter(board.resources)))
    demand("board: tokens", TOKENS, dict(Counter(board.numbers)))
    demand("board: the hex without a token", board.resources.index("desert"), board.numbers.index(None))
    demand("board: harbours by kind", HARBOURS, dict(Counter(kind for kind, _ in board.harbours)))
    demand("board: corners with a harbour", 18, len({corner for _, corners in board.harbours for corner in corners}))
    coast = [set(side) for side, hexes in Counter(s for h in board.hexes for s in sides(h)).items() if hexes == 1]
    demand("board: harbours away from the coast", [], [h for h in board.harbours if h[1] not in coast])


# --- The position ------------------------------------------------------------------------------------------------------


@dataclass
class Offer:
    """An offer of domestic trade on the table."""

    give: Cards
    receive: Cards
    answers: list[str | None]  # per seat


class Position:
    """Everything true in a game, at first: nothing built, the robber on the desert, seat 0 begins."""

    def __init__(self, header: Line) -> None:
        demand("header: record and version", ("catan", 1), (header["record"], header["version"]))
        demand("header: rule options", sorted(OPTIONS), sorted(header["rules"]))
        demand("header: two to four seats", True, len(header["seats"]) in (2, 3, 4))
        self.rules: Line = header["rules"]
        self.board = Board(header["board"])
        self.seats = range(len(header["seats"]))
        self.summary = Summary(game=header["game"])
        self.phase = "SETUP_SETTLEMENT"
        self.player = 0
        self.turn = 0
        self.roll: int | None = None
        self.hands: list[Cards] = [Counter() for _ in self.seats]
        self.bank: Cards = Counter(dict.fromkeys(RESOURCES, SUPPLY))
        self.dev_cards: list[Cards] = [Counter() for _ in self.seats]
        self.new_dev_cards: Cards = Counter()
        self.played: list[Cards] = [Counter() for _ in self.seats]
        self.deck: Cards = Counter(DECK)
        self.roads: list[set[Edge]] = [set() for _ in self.seats]
        self.settlements: list[set[int]] = [set() for _ in self.seats]
        self.cities: list[set[int]] = [set() for _ in self.seats]
        self.robber = self.board.resources.index("desert")
        self.lengths = [0 for _ in self.seats]
        self.road_holder: int | None = None
        self.army_holder: int | None = None
        self.dev_card_played = False
        self.free_roads = 0
        self.discards = [0 for _ in self.seats]
        self.victim: int | None = None
        self.setup_corner: int | None = None
        self.offer: Offer | None = None
        self.offers_made = 0
        self.winner: int | None = None

    @property
    def hand(self) -> Cards:
        """The cards of the player whose turn it is."""
        return self.hands[self.player]

    def buildings(self, seat: int) -> set[int]:
        """The corners with a settlement or city of a seat."""
        return self.settlements[seat] | self.cities[seat]

    def enemy_buildings(self, seat: int) -> set[int]:
        """The corners with a settlement or city of anybody else."""
        return {corner for other in self.seats if other != seat for corner in self.buildings(other)}

    def clockwise(self) -> list[int]:
        """All seats in turn order, from the player whose turn it is."""
        return [(self.player + i) % len(self.seats) for i in self.seats]

    def visible_points(self, seat: int) -> int:
        """Settlements one, cities two, Longest Road two, Largest Army two, and revealed victory point cards."""
        awards = (self.road_holder == seat) + (self.army_holder == seat)
        return len(self.settlements[seat]) + 2 * len(self.cities[seat]) + 2 * awards + self.played[seat]["victory_point"]

    def total_points(self, seat: int) -> int:
        """The visible points and the hidden victory point cards."""
        return self.visible_points(seat) + self.dev_cards[seat]["victory_point"]

    def actor(self) -> int | str | None:
        """Whose action is next: chance, nobody, the next clockwise to discard or to answer, else the player."""
        if self.phase in ("ROLLING", "STEALING", "DRAWING"):
            return "chance"
        if self.phase == "GAME_OVER":
            return None
        if self.phase == "ROBBER_DISCARD":
            return next(seat for seat in self.clockwise() if self.discards[seat])
        if self.offer and self.phase == "TRADE_ANSWER":
            return next(seat for seat in self.clockwise()[1:] if self.offer.answers[seat] is None)
        return self.player

    def resume(self) -> None:
        """Go on with the turn after a robber, a card or a trade.

        With phased turns cards are played in the last phase only, and all other interruptions come before or in TRADE.
        """
        later = "MAIN" if not self.rules["phased_turns"] else "DEV_PLAY" if self.dev_card_played else "TRADE"
        self.phase = "TURN_START" if self.roll is None else later


def move(cards: Cards, source: Cards, target: Cards) -> None:
    """Move cards from one pile to another; the first must hold them."""
    demand(f"cards {dict(cards)} are paid by a pile that holds them", True, source >= cards or dict(source))
    source.subtract(cards)
    target.update(cards)


# --- Roads, settlements, cities ----------------------------------------------------------------------------------------


def road_spots(p: Position, past_enemies: bool = False) -> set[Edge]:
    """A road goes on a free edge next to an own building, or continues an own road at a corner without an enemy building.

    `past_enemies` tells what could be built if enemy buildings did not block.
    """
    if len(p.roads[p.player]) >= ROADS:
        return set()
    ends = {corner for road in p.roads[p.player] for corner in road}
    starts = ends if past_enemies else ends - p.enemy_buildings(p.player)
    return {edge for corner in starts | p.buildings(p.player) for edge in p.board.edges_at[corner]} - set().union(*p.roads)


def free_corners(p: Position) -> set[int]:
    """Distance rule: a settlement needs a free corner whose neighbours are free too."""
    built = {corner for seat in p.seats for corner in p.buildings(seat)}
    return {c for c in p.board.neighbours if c not in built and not p.board.neighbours[c] & built}


def settlement_spots(p: Position) -> set[int]:
    """A settlement obeys the distance rule and joins an own road; five pieces."""
    ends = {corner for road in p.roads[p.player] for corner in road}
    return free_corners(p) & ends if len(p.settlements[p.player]) < SETTLEMENTS else set()


def city_spots(p: Position) -> set[int]:
    """A city replaces an own settlement; four pieces."""
    return p.settlements[p.player] if len(p.cities[p.player]) < CITIES else set()


def longest_trail(roads: Iterable[Edge], blocked: set[int]) -> int:
    """The longest trail in edges: an edge counts once, a corner may repeat.

    It may start or end at an enemy building (`blocked`), never pass through it.
    """
    at: dict[int, list[Edge]] = {}
    for road in roads:
        for corner in road:
            at.setdefault(corner, []).append(road)

    def onward(corner: int, used: frozenset[Edge]) -> int:
        if used and corner in blocked:
            return 0
        return max((1 + onward(sum(e) - corner, used | {e}) for e in at[corner] if e not in used), default=0)

    return max((onward(corner, frozenset()) for corner in at), default=0)


def longest_road_holder(holder: int | None, lengths: Sequence[int]) -> int | None:
    """Longest Road: at least five; the holder keeps it while nobody is longer; else one leader alone takes it; else nobody."""
    best = max(lengths)
    leaders = [seat for seat, length in enumerate(lengths) if length == best]
    if best < 5:
        return None
    if holder in leaders:
        return holder
    return leaders[0] if len(leaders) == 1 else None


def update_longest_road(p: Position) -> None:
    """Measure every road anew after a road or settlement was built, and pass the card on."""
    lengths = [longest_trail(p.roads[seat], p.enemy_buildings(seat)) for seat in p.seats]
    p.summary.roads_cut += sum(new < old for new, old in zip(lengths, p.lengths, strict=True))
    holder = longest_road_holder(p.road_holder, lengths)
    p.summary.longest_road_changes += holder != p.road_holder
    p.summary.longest_road_set_aside += holder is None and p.road_holder is not None
    p.lengths, p.road_holder = lengths, holder


def largest_army_holder(holder: int | None, sizes: Sequence[int]) -> int | None:
    """Largest Army: the first with three played knights; taken only by strictly more."""
    for seat, size in enumerate(sizes):
        if size >= 3 and (holder is None or size > sizes[holder]):
            holder = seat
    return holder


# --- Dice, production, robber ------------------------------------------------------------------------------------------


def claims(p: Position, total: int, resource: str) -> dict[int, int]:
    """What each player is owed: one card per settlement, two per city, on a hex with this number and without the robber."""
    owed: Counter[int] = Counter()
    for index, corners in enumerate(p.board.hexes):
        if p.board.numbers[index] == total and p.board.resources[index] == resource and index != p.robber:
            for seat in p.seats:
                owed[seat] += len(p.settlements[seat] & set(corners)) + 2 * len(p.cities[seat] & set(corners))
    return {seat: cards for seat, cards in owed.items() if cards}


def payouts(owed: dict[int, int], supply: int, all_or_nothing: bool) -> dict[int, int]:
    """If the supply cannot serve all, nobody gets the resource; one claimant takes what is left, unless all or nothing."""
    if sum(owed.values()) <= supply:
        return owed
    return dict.fromkeys(owed, supply) if len(owed) == 1 and not all_or_nothing else {}


def produce(p: Position, total: int) -> None:
    """Resource production, one resource after the other."""
    for resource in RESOURCES:
        owed = claims(p, total, resource)
        paid = payouts(owed, p.bank[resource], p.rules["all_or_nothing_bank"])
        if paid != owed:
            p.summary.shortages += 1
            p.summary.sole_claimant_shortages += len(owed) == 1
            p.summary.partial_payments += sum(paid.values()) > 0
        for seat, cards in paid.items():
            move(Counter({resource: cards}), p.bank, p.hands[seat])


def cards_to_discard(hand: int, limit: int) -> int:
    """A seven: with more cards than the limit, half of them, rounded down."""
    return hand // 2 if hand > limit else 0


def robber_hexes(p: Position) -> set[int]:
    """The robber moves to another hex; a friendly one shuns players with fewer than three visible points, if it can."""
    others = set(range(len(p.board.hexes))) - {p.robber}
    if not p.rules["friendly_robber"]:
        return others
    poor = {corner for seat in p.seats if p.visible_points(seat) < 3 for corner in p.buildings(seat)}
    return {h for h in others if not poor & set(p.board.hexes[h])} or others


def victims(p: Position) -> set[int]:
    """Whoever else has built at the robber's hex, with phased turns only those who hold cards."""
    here = set(p.board.hexes[p.robber])
    built = {seat for seat in p.seats if seat != p.player and p.buildings(seat) & here}
    return {seat for seat in built if p.hands[seat].total()} if p.rules["phased_turns"] else built


# --- What is legal -----------------------------------------------------------------------------------------------------


def maritime_rates(kinds: set[str], resource: str) -> set[int]:
    """Maritime trade: 4:1 always, 3:1 at a generic harbour, 2:1 at the matching one; any rate one qualifies for."""
    return {4} | ({3} if "3:1" in kinds else set()) | ({2} if resource in kinds else set())


def bank_trades(p: Position) -> Iterator[str]:
    """Every maritime trade that the player can pay and the supply can serve, never like for like; phased: the best rate."""
    kinds = {kind for kind, corners in p.board.harbours if corners & p.buildings(p.player)}
    for give in RESOURCES:
        rates = maritime_rates(kinds, give)
        for rate in {min(rates)} if p.rules["phased_turns"] else rates:
            for receive in RESOURCES:
                if p.hand[give] >= rate and give != receive and p.bank[receive]:
                    yield f"trade_bank {rate} {give} for {receive}"


def may_offer(p: Position, give: Cards, receive: Cards) -> bool:
    """Domestic trade: no gifts, no resource on both sides, the offerer holds his part; so many offers a turn."""
    limit = p.rules["offer_limit"]
    allowed = p.rules["domestic_trade"] and (limit is None or p.offers_made < limit)
    return bool(allowed and give and receive and not set(give) & set(receive) and p.hand >= give)


def listed_offers(p: Position) -> Iterator[str]:
    """Of all offers the record lists one for one, two alike for one and one for two alike."""
    for a in RESOURCES:
        for b in RESOURCES:
            for m, n in ((1, 1), (2, 1), (1, 2)):
                if may_offer(p, Counter({a: m}), Counter({b: n})):
                    yield f"offer_trade {m} {a} for {n} {b}"


def builds(p: Position) -> Iterator[str]:
    """Everything that can be paid for and has a place, or a card left in the deck."""
    if p.hand >= ROAD:
        yield from (f"build_road {a}-{b}" for a, b in road_spots(p))
    if p.hand >= SETTLEMENT:
        yield from (f"build_settlement {corner}" for corner in settlement_spots(p))
    if p.hand >= CITY:
        yield from (f"build_city {corner}" for corner in city_spots(p))
    if p.hand >= DEV_CARD and p.deck.total():
        yield "buy_dev_card"


def plenty_choices(bank: Cards) -> set[tuple[str, ...]]:
    """Year of Plenty: two cards that the supply holds, or the single card that is all it holds."""
    pairs = [(a, b) for i, a in enumerate(RESOURCES) for b in RESOURCES[i:]]
    singles = [(a,) for a in RESOURCES if bank.total() == 1]
    return {choice for choice in [*pairs, *singles] if bank >= Counter(choice)}


def card_plays(p: Position) -> Iterator[str]:
    """One card other than a victory point a turn, not one bought this turn; Road Building needs a place for a road."""
    old = [] if p.dev_card_played else [card for card in DECK if p.dev_cards[p.player][card] > p.new_dev_cards[card]]
    if "knight" in old:
        yield "play_knight"
    if "road_building" in old and road_spots(p):
        yield "play_road_building"
    if "year_of_plenty" in old:
        yield from (f"play_year_of_plenty {' '.join(choice)}" for choice in plenty_choices(p.bank))
    if "monopoly" in old:
        yield from (f"play_monopoly {resource}" for resource in RESOURCES)


def robber_actions(p: Position) -> Iterator[str]:
    """Discard a card in hand; move the robber; rob somebody (with phased turns, skip it if there is nobody)."""
    seat = p.actor()
    if p.phase == "ROBBER_DISCARD" and isinstance(seat, int):
        yield from (f"discard_resource {resource}" for resource in +p.hands[seat])
    elif p.phase == "ROBBER_MOVE":
        yield from (f"move_robber {h}" for h in robber_hexes(p))
    else:
        yield from [f"steal_resource P{victim + 1}" for victim in victims(p)] or ["skip_steal"]


def trade_actions(p: Position, offer: Offer) -> Iterator[str]:
    """Decline, or accept with the wanted cards in hand; then trade with one of those who accepted, or with nobody."""
    seat = p.actor()
    if p.phase == "TRADE_CHOICE":
        yield from ("cancel_offer", *(f"confirm_trade P{s + 1}" for s in p.seats if offer.answers[s] == "accepted"))
    elif isinstance(seat, int):
        yield from ("decline_offer", *(["accept_offer"] if p.hands[seat] >= offer.receive else []))


def turn_actions(p: Position) -> Iterator[str]:
    """After the dice trade, build and play cards in any order, cards before the dice too; or all that phase by phase."""
    phased = p.rules["phased_turns"]
    if p.phase == "TURN_START":
        yield "roll_dice"
    if p.phase in ("MAIN", "TRADE"):
        yield from (*bank_trades(p), *listed_offers(p), *(["end_trade_phase"] if phased else []))
    if p.phase in ("MAIN", "BUILD"):
        yield from (*builds(p), *(["end_build_phase"] if phased else []))
    if p.phase in ("MAIN", "DEV_PLAY"):
        yield "end_turn"
    if p.phase in ("MAIN", "DEV_PLAY") or (p.phase == "TURN_START" and not phased):
        yield from card_plays(p)
    if p.phase == "DEV_PLAY" and p.dev_cards[p.player]["victory_point"]:
        yield "reveal_vp"


def legal(p: Position) -> set[str]:
    """All legal actions of the actor, or outcomes of chance, in text form (of the offers, the listed ones)."""
    if p.phase == "SETUP_SETTLEMENT":
        return {f"place_setup_settlement {corner}" for corner in free_corners(p)}
    if p.setup_corner is not None:  # the road must touch the settlement just placed
        return {f"place_setup_road {a}-{b}" for a, b in p.board.edges_at[p.setup_corner] - set().union(*p.roads)}
    if p.phase == "ROLLING":
        return {f"rolled {total}" for total in range(2, 13)}
    if p.victim is not None:
        return {f"stolen {resource}" for resource in +p.hands[p.victim]}
    if p.phase == "DRAWING":
        return {f"drawn {card}" for card in +p.deck}
    if p.phase == "FREE_ROADS":
        declined = p.free_roads == 1 if p.rules["phased_turns"] else True
        return {f"place_free_road {a}-{b}" for a, b in road_spots(p)} | ({"end_road_building"} if declined else set())
    if p.offer:
        return set(trade_actions(p, p.offer))
    return set(robber_actions(p) if p.phase.startswith("ROBBER") else turn_actions(p))


def text_of(kind: str, data: Line) -> str:
    """An action in the text form of the record; anything but the documented data makes a text that is never legal."""
    match kind, data:
        case (_, {"corner": int(n)}) | (_, {"hex": int(n)}) | (_, {"total": int(n)}) if len(data) == 1:
            return f"{kind} {n}"
        case (_, {"resource": str(word)}) | (_, {"card": str(word)}) if len(data) == 1:
            return f"{kind} {word}"
        case (_, {"victim": int(seat)}) | (_, {"partner": int(seat)}) if len(data) == 1:
            return f"{kind} P{seat + 1}"
        case _, {"edge": [int(a), int(b)]} if len(data) == 1:
            return f"{kind} {a}-{b}"
        case _, {"resources": [*words]} if len(data) == 1:
            return " ".join([kind, *map(str, words)])
        case "trade_bank", {"give": dict(give), "receive": dict(receive)} if len(data) == 2 and [*receive.values()] == [1]:
            return f"{kind} {bundle_text(give)} for {''.join(receive)}"
        case "offer_trade", {"give": dict(give), "receive": dict(receive)} if len(data) == 2:
            return f"{kind} {bundle_text(give)} for {bundle_text(receive)}"
    return f"{kind} {data}" if data else kind


def bundle_text(cards: Line) -> str:
    """Some cards in words; every count is a positive number of a resource."""
    sound = all(resource in RESOURCES and isinstance(n, int) and n > 0 for resource, n in cards.items())
    demand("format: a bundle counts resources", True, sound or cards)
    return " + ".join(f"{n} {resource}" for resource, n in cards.items())


# --- What actions do ---------------------------------------------------------------------------------------------------


def place_setup_settlement(p: Position, corner: int) -> None:
    """Set-up: the second settlement yields one card per adjacent hex, the desert none."""
    p.settlements[p.player].add(corner)
    if len(p.settlements[p.player]) == 2:
        adjacent = [p.board.resources[h] for h, corners in enumerate(p.board.hexes) if corner in corners]
        move(Counter(resource for resource in adjacent if resource != "desert"), p.bank, p.hand)
    p.setup_corner, p.phase = corner, "SETUP_ROAD"


def place_setup_road(p: Position, edge: Edge) -> None:
    """Set-up goes round once and back (snake order); then seat 0 has the first turn."""
    add_road(p, edge)
    placed, order = sum(len(roads) for roads in p.roads), [*p.seats, *reversed(p.seats)]
    p.setup_corner = None
    if placed < len(order):
        p.player, p.phase = order[placed], "SETUP_SETTLEMENT"
    else:
        begin_turn(p, 0)


def begin_turn(p: Position, player: int) -> None:
    """The next turn begins, and with it, perhaps, the game ends (see `check_win`)."""
    p.turn, p.player, p.phase = p.turn + 1, player, "TURN_START"
    p.summary.wins_at_turn_start += p.total_points(player) >= p.rules["victory_points"]


def end_turn(p: Position) -> None:
    """Pass the dice on, or end the game at the turn limit."""
    p.roll, p.dev_card_played, p.offers_made, p.new_dev_cards = None, False, 0, Counter()
    if p.rules["max_turns"] is not None and p.turn >= p.rules["max_turns"]:
        p.phase = "GAME_OVER"
    else:
        begin_turn(p, p.clockwise()[1])


def check_win(p: Position) -> None:
    """One wins only in one's own turn, as soon as one has the points, hidden ones included; also when it begins."""
    if p.turn and p.phase != "GAME_OVER" and p.total_points(p.player) >= p.rules["victory_points"]:
        p.phase, p.winner, p.free_roads = "GAME_OVER", p.player, 0


def roll(p: Position, total: int) -> None:
    """A seven makes players discard and moves the robber; anything else produces."""
    p.roll = total
    if total == 7:
        p.discards = [cards_to_discard(hand.total(), p.rules["discard_limit"]) for hand in p.hands]
        p.phase = "ROBBER_DISCARD" if any(p.discards) else "ROBBER_MOVE"
    else:
        produce(p, total)
        p.resume()


def discard(p: Position, seat: int, resource: str) -> None:
    """One card of the own choice to the supply; when all have done their part, the robber moves."""
    move(Counter([resource]), p.hands[seat], p.bank)
    p.discards[seat] -= 1
    if not any(p.discards):
        p.phase = "ROBBER_MOVE"


def move_robber(p: Position, target: int) -> None:
    """Then the player robs somebody with a building there, if there is one; with phased turns that is always a step."""
    p.robber = target
    p.resume()
    if victims(p) or p.rules["phased_turns"]:
        p.phase = "ROBBER_STEAL"


def rob(p: Position, victim: int) -> None:
    """Chance draws a card of the victim; one without cards yields nothing."""
    if p.hands[victim].total():
        p.victim, p.phase = victim, "STEALING"
    else:
        p.summary.empty_victims += 1
        p.resume()


def answer(p: Position, offer: Offer, seat: int, word: str) -> None:
    """After the last answer the player chooses, or, if nobody accepted, the offer is gone."""
    offer.answers[seat] = word
    if all(offer.answers[other] for other in p.seats if other != p.player):
        p.phase = "TRADE_CHOICE"
        if "accepted" not in offer.answers:
            trade(p, offer, None)


def trade(p: Position, offer: Offer, partner: int | None) -> None:
    """Both sides hand over what they promised, if the player chose a partner; the offer is gone."""
    if partner is not None:
        p.summary.trades_made += 1
        move(offer.give, p.hand, p.hands[partner])
        move(offer.receive, p.hands[partner], p.hand)
    p.offer = None
    p.resume()


def add_road(p: Position, edge: Edge) -> None:
    """A road is built: roads are measured anew."""
    p.roads[p.player].add(edge)
    update_longest_road(p)


def place_free_road(p: Position, edge: Edge) -> None:
    """Road Building: another road may follow if it has a piece and a place."""
    add_road(p, edge)
    p.free_roads -= 1
    if not p.free_roads or not road_spots(p):
        end_road_building(p)


def end_road_building(p: Position) -> None:
    """The card is done with: "you may place" two roads, so fewer are allowed, too."""
    p.summary.short_road_building += p.free_roads > 0
    p.free_roads = 0
    p.resume()


def build(p: Position, kind: str, data: Line) -> None:
    """Pay and build: a settlement may cut somebody's road; a city returns its settlement; chance draws the card."""
    move({"build_road": ROAD, "build_settlement": SETTLEMENT, "build_city": CITY}.get(kind, DEV_CARD), p.hand, p.bank)
    if kind == "build_road":
        add_road(p, (data["edge"][0], data["edge"][1]))
    elif kind == "build_settlement":
        p.settlements[p.player].add(data["corner"])
        update_longest_road(p)
    elif kind == "build_city":
        p.settlements[p.player].remove(data["corner"])
        p.cities[p.player].add(data["corner"])
    else:
        p.phase = "DRAWING"


def draw(p: Position, card: str) -> None:
    """The card is held, and marked as bought this turn."""
    move(Counter([card]), p.deck, p.dev_cards[p.player])
    p.new_dev_cards[card] += 1
    p.phase = "BUILD" if p.rules["phased_turns"] else "MAIN"


def play_card(p: Position, card: str, data: Line) -> None:
    """Play the one card of this turn and do what it says."""
    move(Counter([card]), p.dev_cards[p.player], p.played[p.player])
    p.dev_card_played = True
    p.summary.dev_cards_played[card] += 1
    p.summary.cards_before_roll += p.roll is None
    if card == "knight":  # the robber moves, even before the dice
        holder = largest_army_holder(p.army_holder, [cards["knight"] for cards in p.played])
        p.summary.largest_army_changes += holder != p.army_holder
        p.army_holder, p.phase = holder, "ROBBER_MOVE"
    elif card == "road_building":  # up to two free roads
        p.free_roads, p.phase = 2, "FREE_ROADS"
    elif card == "year_of_plenty":  # the chosen cards come from the supply
        p.summary.short_plenty += len(data["resources"]) == 1
        move(Counter(data["resources"]), p.bank, p.hand)
    elif card == "monopoly":  # every other player hands over all cards of the resource
        for seat in p.clockwise()[1:]:
            move(Counter({data["resource"]: p.hands[seat][data["resource"]]}), p.hands[seat], p.hand)


def reveal_vp(p: Position) -> None:
    """Phased turns: a victory point card is shown, one bought this turn first; it is not the one card of the turn."""
    move(Counter(["victory_point"]), p.dev_cards[p.player], p.played[p.player])
    p.new_dev_cards.subtract(["victory_point"] if p.new_dev_cards["victory_point"] else [])
    p.summary.dev_cards_played["victory_point"] += 1


def act(p: Position, seat: int | str | None, kind: str, data: Line) -> None:
    """Carry out one legal action of a seat, or outcome of chance."""
    match kind, seat, p.offer, p.victim:
        case "place_setup_settlement", *_:
            place_setup_settlement(p, data["corner"])
        case "place_setup_road", *_:
            place_setup_road(p, (data["edge"][0], data["edge"][1]))
        case "roll_dice", *_:
            p.phase = "ROLLING"
        case "rolled", *_:
            roll(p, data["total"])
        case "discard_resource", int(seat), *_:
            discard(p, seat, data["resource"])
        case "move_robber", *_:
            move_robber(p, data["hex"])
        case "steal_resource", *_:
            rob(p, data["victim"])
        case "stolen", _, _, int(victim):
            move(Counter([data["resource"]]), p.hands[victim], p.hand)
            p.victim = None
            p.resume()
        case "skip_steal", *_:
            p.resume()
        case "trade_bank", *_:
            p.summary.bank_trades[sum(data["give"].values())] += 1
            move(Counter(data["give"]), p.hand, p.bank)
            move(Counter(data["receive"]), p.bank, p.hand)
        case "offer_trade", *_:
            p.offer = Offer(Counter(data["give"]), Counter(data["receive"]), [None for _ in p.seats])
            p.offers_made, p.phase = p.offers_made + 1, "TRADE_ANSWER"
        case "accept_offer" | "decline_offer", int(seat), Offer() as offer, _:
            answer(p, offer, seat, "accepted" if kind == "accept_offer" else "declined")
        case "confirm_trade" | "cancel_offer", _, Offer() as offer, _:
            trade(p, offer, data["partner"] if kind == "confirm_trade" else None)
        case "build_road" | "build_settlement" | "build_city" | "buy_dev_card", *_:
            build(p, kind, data)
        case "drawn", *_:
            draw(p, data["card"])
        case "place_free_road", *_:
            place_free_road(p, (data["edge"][0], data["edge"][1]))
        case "end_road_building", *_:
            end_road_building(p)
        case "end_trade_phase", *_:
            p.phase = "BUILD"
        case "end_build_phase", *_:
            p.phase = "DEV_PLAY"
        case "reveal_vp", *_:
            reveal_vp(p)
        case "end_turn", *_:
            end_turn(p)
        case _:
            play_card(p, kind.removeprefix("play_"), data)


# --- Judging a record --------------------------------------------------------------------------------------------------


def snapshot(p: Position) -> Line:
    """The position in the form of the record's `state`."""
    return {
        "phase": p.phase,
        "actor": p.actor(),
        "player": p.player,
        "turn": p.turn,
        "roll": p.roll,
        "hands": p.hands,
        "bank": p.bank,
        "dev_cards": p.dev_cards,
        "new_dev_cards": p.new_dev_cards,
        "played_dev_cards": p.played,
        "dev_deck": p.deck,
        "roads": [sorted(roads) for roads in p.roads],
        "settlements": [sorted(corners) for corners in p.settlements],
        "cities": [sorted(corners) for corners in p.cities],
        "robber": p.robber,
        "visible_points": [p.visible_points(seat) for seat in p.seats],
        "total_points": [p.total_points(seat) for seat in p.seats],
        "longest_road": {"holder": p.road_holder, "lengths": p.lengths},
        "largest_army": {"holder": p.army_holder, "sizes": [cards["knight"] for cards in p.played]},
        "dev_card_played": p.dev_card_played,
        "free_roads": min(p.free_roads, ROADS - len(p.roads[p.player])),
        "discards": p.discards,
        "victim": p.victim,
        "setup_corner": p.setup_corner,
        "offer": p.offer and vars(p.offer),
        "offers_made": p.offers_made,
        "winner": p.winner,
    }


def tidy(value: Any) -> Any:
    """A value as plain JSON; counts of cards without their zeros, which a record may write or not."""
    if isinstance(value, dict):
        counts = all(key in RESOURCES or key in DECK for key in value)
        return {key: tidy(item) for key, item in value.items() if not (counts and item == 0)}
    return [tidy(item) for item in value] if isinstance(value, (list, tuple)) else value


def check_legal(own: set[str], recorded: list[str]) -> None:
    """The recorded legal actions are the referee's own, sorted as strings, each once."""
    missing, extra = sorted(own - set(recorded)), sorted(set(recorded) - own)
    demand("legal actions", "missing [], forbidden []", f"missing {missing}, forbidden {extra}")
    demand("legal actions are sorted, each once", sorted(own), recorded)


def check_chosen(p: Position, own: set[str], kind: str, data: Line) -> None:
    """The chosen action is legal; an offer may be any bundle, where offers are legal at all."""
    text = text_of(kind, data)
    fine = text in own
    if kind == "offer_trade" and p.phase in ("MAIN", "TRADE"):
        fine = may_offer(p, Counter(data["give"]), Counter(data["receive"]))
        p.summary.unlisted_offers += text not in own
    demand(f"the action is legal in {p.phase}", True, fine or f"{text}, with {dict(p.hand)} in the player's hand")


def check_state(p: Position, state: Line) -> None:
    """The recorded position equals the referee's own, field by field."""
    own, recorded = tidy(snapshot(p)), tidy(state)
    demand("format: fields of state", sorted(own), sorted(recorded))
    wrong = [f"{name}: expected {own[name]}, found {recorded[name]}" for name in own if own[name] != recorded[name]]
    if wrong:
        raise Violation("state after the step: " + "; ".join(wrong))


def check_invariants(p: Position) -> None:
    """19 cards of each resource, 25 development cards, 15 roads, 5 settlements and 4 cities a player; nothing twice."""
    for resource in RESOURCES:
        demand(f"cards of {resource}", SUPPLY, p.bank[resource] + sum(hand[resource] for hand in p.hands))
    for card, count in DECK.items():
        demand(f"cards of {card}", count, p.deck[card] + sum(pile[card] for pile in [*p.dev_cards, *p.played]))
    piles = [p.bank, p.deck, p.new_dev_cards, *p.hands, *p.dev_cards, *p.played]
    demand("negative piles", [], [pile for pile in piles if min(pile.values(), default=0) < 0])
    for pieces, limit in ((p.roads, ROADS), (p.settlements, SETTLEMENTS), (p.cities, CITIES)):
        demand(f"seats with more than {limit} pieces of a kind", [], [s for s in p.seats if len(pieces[s]) > limit])
    for built in (p.roads, [p.buildings(seat) for seat in p.seats]):
        demand("spots that are built on", len(set().union(*built)), sum(len(own) for own in built))


def observe(p: Position, actions: set[str]) -> None:
    """Note what a position shows about the rules, before it changes."""
    if p.phase == "ROBBER_MOVE" and p.rules["friendly_robber"]:
        poor = [p.buildings(seat) for seat in p.seats if p.visible_points(seat) < 3]
        shunned = [h for h in p.board.hexes if set(h) & set().union(*poor)]
        p.summary.friendly_refusals += len(actions) < 18
        p.summary.friendly_fallbacks += len(actions) == 18 and len(shunned) >= 18
    if p.phase in ("MAIN", "BUILD") and p.hand >= ROAD:
        p.summary.roads_blocked += road_spots(p) != road_spots(p, past_enemies=True)


def judge_step(p: Position, line: Line) -> None:
    """One step: who, what was legal, what was done, what came of it."""
    seat, actions, before = p.actor(), legal(p), [p.total_points(seat) for seat in p.seats]
    demand("format: missing fields of a --full step", [], [f for f in ("kind", "data", "legal", "state") if f not in line])
    demand("the game is not over yet", True, p.phase != "GAME_OVER")
    demand("number of the step", p.summary.steps, line.get("step"))
    demand("turn, phase and actor", (p.turn, p.phase, seat), (line.get("turn"), line.get("phase"), line.get("actor")))
    check_legal(actions, line["legal"])
    check_chosen(p, actions, line["kind"], line["data"])
    observe(p, actions)
    act(p, seat, line["kind"], line["data"])
    check_win(p)
    check_state(p, line["state"])
    check_invariants(p)
    p.summary.steps += 1
    p.summary.kinds[line["kind"]] += 1
    reached = [s for s in p.seats if before[s] < p.rules["victory_points"] <= p.total_points(s)]
    p.summary.off_turn_points += sum(s != p.player for s in reached)


def judge_end(p: Position, line: Line) -> Summary:
    """The end line tells the result of a game that is over."""
    demand("phase at the end", "GAME_OVER", p.phase)
    p.summary.turns, p.summary.winner, p.summary.points = p.turn, p.winner, [p.total_points(seat) for seat in p.seats]
    result: Line = {"end": True, "termination": "turn limit" if p.winner is None else "victory", "winner": p.winner}
    result |= {"turns": p.turn, "steps": p.summary.steps, "points": p.summary.points}
    demand("end line", result, {name: line.get(name) for name in result})
    return p.summary


def referee(lines: Iterable[Line]) -> Summary:
    """Judge one game, header to end line; raise `Violation` at the first rule broken, else tell what happened."""
    p: Position | None = None
    summary: Summary | None = None
    where = "game"
    for line in lines:
        where = f"game {p.summary.game if p else line.get('game')}, "
        where += "end" if "end" in line else "step {} (turn {}, {}, actor {}, {} {})" if p else "header"
        where = where.format(*(line.get(name) for name in ("step", "turn", "phase", "actor", "kind", "data")))
        try:
            demand("the end line is the last", True, summary is None)
            if p is None:
                p = Position(line)
            elif "end" in line:
                summary = judge_end(p, line)
            else:
                judge_step(p, line)
        except Violation as violation:
            raise Violation(f"{where}: {violation}") from None
        except KeyError as missing:
            raise Violation(f"{where}: format: field {missing} is missing") from missing
    if summary is None:
        raise Violation(f"{where}: the record breaks off: expected an end line, found nothing")
    return summary


def games(path: Path) -> Iterator[list[Line]]:
    """The games of a record, each as its lines."""
    lines: list[Line] = []
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        for line in map(json.loads, file):
            if "record" in line and lines:
                yield lines
                lines = []
            lines.append(line)
    yield lines


if __name__ == "__main__":
    for name in sys.argv[1:]:
        for game in games(Path(name)):
            print(referee(game))
