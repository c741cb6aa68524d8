"""One moment of a game as the person at the table sees it, in the terms of a page: everything that it shows, and nothing else.

It knows no rules: what may be done is places on the board by their ids, buttons, and questions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from kibitz.catan.analysis.report import COLOURS, PALE, colour_of
from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.core.actions import Action, describe
from kibitz.catan.core.board import PORT_TYPES, RESOURCES
from kibitz.catan.core.codes import END_ROADS, OFFER, offer_code
from kibitz.catan.core.events import Event
from kibitz.catan.core.position import PHASES, points_of
from kibitz.catan.core.reasons import refuse
from kibitz.catan.core.state import CITIES, ROADS, SETTLEMENTS, board_of
from kibitz.catan.core.svg import Legend, draw_state
from kibitz.catan.core.topology import EDGE_BETWEEN
from kibitz.catan.pages.play.game import CatanTable
from kibitz.catan.review.words import move_words
from kibitz.game import States, legal_actions, to_dict, why_not_at
from kibitz.game.actions import InvalidAction
from kibitz.game.doors import sensible_actions
from kibitz.ground.texts import capitalised, chance_text
from kibitz.web.games import Session
from kibitz.web.pages.kibitzer import Thought
from kibitz.web.pages.table import TableMoment

#: What is done on the board: the tool, and the kinds of action that are its.
_TOOLS = {
    "place_setup_settlement": "settlement", "build_settlement": "settlement", "build_city": "city", "move_robber": "robber",
    "place_setup_road": "road", "build_road": "road", "place_free_road": "road",
}  # fmt: skip
#: What is done with one of several players or resources: where `Choices` has it, and by which of its data.
_CHOSEN = {
    "steal_resource": ("victims", "victim"), "confirm_trade": ("partners", "partner"),
    "play_monopoly": ("monopolies", "resource"), "play_year_of_plenty": ("plenties", "resources"),
}  # fmt: skip
#: Where there is nothing else to do, the tool is in the hand already.
_AT_ONCE = ("SETUP_SETTLEMENT", "SETUP_ROAD", "ROBBER_MOVE", "FREE_ROADS")
_SAID = {
    "SETUP_SETTLEMENT": "Place a settlement: click a corner",
    "SETUP_ROAD": "Place a road: click an edge beside the settlement",
    "TURN_START": "Your turn: roll the dice",
    "ROBBER_DISCARD": "A seven was rolled: click the cards to discard",
    "ROBBER_MOVE": "Move the robber: click a hex",
    "ROBBER_STEAL": "Who do you want to rob?",
    "MAIN": "Your turn: build, trade, play a card, or end it",
    "TRADE": "Your turn: trade, then go on to building",
    "BUILD": "Build, then go on to development cards",
    "DEV_PLAY": "Play a development card, or end your turn",
    "FREE_ROADS": "Place a free road: click an edge, or skip the rest",
    "TRADE_ANSWER": "Answer the offer",
    "TRADE_CHOICE": "Who do you want to trade with?",
}
#: How places light up that can be chosen: a colour that no terrain and no seat has.
LIGHT = "#FFE94A"
_DOES = {
    "SETUP_SETTLEMENT": "places a settlement", "SETUP_ROAD": "places a road", "TURN_START": "is about to roll",
    "ROBBER_DISCARD": "discards", "ROBBER_MOVE": "moves the robber", "ROBBER_STEAL": "robs somebody",
    "FREE_ROADS": "places a road", "TRADE_ANSWER": "answers the offer", "TRADE_CHOICE": "chooses a partner",
}  # fmt: skip


@dataclass(frozen=True)
class Choices:
    """What the person who sees `view` may do; nothing, if it is not their move."""

    view: States
    seat: int
    phase: str = ""
    places: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """By tool (``settlement``, ``road``, ``city``, ``robber``): the ids of places on the board and the codes."""
    buttons: Mapping[str, int] = field(default_factory=dict)
    """By kind of action: what needs no more than a click (``roll_dice``, ``buy_dev_card``, ``end_turn`` ...)."""
    victims: Mapping[int, int] = field(default_factory=dict)
    partners: Mapping[int, int] = field(default_factory=dict)
    monopolies: Mapping[str, int] = field(default_factory=dict)
    plenties: Mapping[tuple[str, ...], int] = field(default_factory=dict)
    bank: Mapping[tuple[str, int, str], int] = field(default_factory=dict)
    """Maritime trades: what is given, how many of it, and what is got."""
    may_offer: bool = False

    @classmethod
    def of(cls, view: States, seat: int) -> Self:
        """What `seat`, to move in `view`, may do."""
        found: dict[str, dict[Any, int]] = {
            name: {} for name in ("buttons", "victims", "partners", "monopolies", "plenties", "bank")
        }
        places: dict[str, dict[str, int]] = {}
        for code in legal_actions(view):
            if OFFER <= code < END_ROADS:
                continue
            action = Action.from_code(code)
            data = action.data
            if action.kind in _TOOLS:
                places.setdefault(_TOOLS[action.kind], {})[_element(data)] = code
            elif action.kind in _CHOSEN:
                field, name = _CHOSEN[action.kind]
                found[field][data[name]] = code
            elif action.kind == "trade_bank":
                ((give, rate),) = data["give"].items()
                found["bank"][give, rate, next(iter(data["receive"]))] = code
            elif action.kind != "discard_resource":
                found["buttons"][action.kind] = code
        phase = PHASES[int(view["phase"][0])]
        row = to_dict(view)
        offers = phase in ("MAIN", "TRADE") and bool(row["domestic_trade"]) and row["offers"] < row["offer_limit"]
        return cls(view, seat, phase, places, may_offer=offers and row["hand_size"][seat] > 0, **found)

    @property
    def open(self) -> bool:
        """Whether there is anything to decide."""
        return bool(self.phase)

    @property
    def sentence(self) -> str:
        """What is asked, in words."""
        if self.phase == "TURN_START" and self.can_play_card:
            return "Your turn: roll the dice, or play a card first"
        return _SAID.get(self.phase, "")

    @property
    def at_once(self) -> str | None:
        """The tool that is in the hand without being chosen."""
        return next(iter(self.places), None) if self.phase in _AT_ONCE else None

    @property
    def can_play_card(self) -> bool:
        """Whether a development card can be played."""
        return bool(self.monopolies or self.plenties or {"play_knight", "play_road_building", "reveal_vp"} & {*self.buttons})

    @property
    def to_discard(self) -> int:
        """How many cards must be discarded now."""
        return int(self.view["discards"][0, self.seat]) if self.phase == "ROBBER_DISCARD" else 0

    @property
    def hand(self) -> dict[str, int]:
        """The person's cards by resource."""
        return dict(zip((r.value for r in RESOURCES), self.view["hand"][0, self.seat].tolist(), strict=True))

    # --- trades and discards -------------------------------------------------------------------------------------

    def rates(self) -> dict[str, int]:
        """How many cards of a resource the bank takes for one."""
        own = int(self.view["settlements"][0, self.seat]) | int(self.view["cities"][0, self.seat])
        served = {kind for kind, mask in zip(PORT_TYPES, self.view["harbours"][0].tolist(), strict=True) if mask & own}
        usual = 3 if PORT_TYPES[0] in served else 4
        return {r.value: 2 if r.value in {kind.value for kind in served} else usual for r in RESOURCES}

    def bank_trade(self, give: Mapping[str, int], receive: Mapping[str, int]) -> list[int]:
        """The codes by which the bank gives that for this (several trades at once, if need be); empty if it does not."""
        wanted = [name for name, n in receive.items() for _ in range(n)]
        stock = dict(zip((r.value for r in RESOURCES), self.view["bank"][0].tolist(), strict=True))
        rates, codes = self.rates(), []
        for name, n in give.items():
            if n % rates[name] or n > self.hand[name] or (n and receive.get(name)) or receive.get(name, 0) > stock[name]:
                return []
            for _ in range(n // rates[name]):
                if not wanted:
                    return []
                codes.append(self.bank.get((name, rates[name], wanted.pop(0)), -1))
        return codes if codes and not wanted and -1 not in codes else []

    def offer(self, give: Mapping[str, int], receive: Mapping[str, int]) -> tuple[int | None, str]:
        """The code of an offer to the others, or None and why it cannot be made."""
        if not self.may_offer:
            return None, "no more offers this turn"
        try:
            code = offer_code(_signed(give, receive))
        except InvalidAction as error:
            return None, str(error)
        reason = int(why_not_at(self.view, 0, code))
        return (None, str(refuse(self.view, code, reason))) if reason else (code, "")

    def discard(self, cards: Mapping[str, int]) -> list[int]:
        """The codes of a whole discard; empty unless it is the right number of cards that are there."""
        if sum(cards.values()) != self.to_discard or any(n > self.hand[name] for name, n in cards.items()):
            return []
        return [Action("discard_resource", {"resource": name}).code for name, n in cards.items() for _ in range(n)]

    def counter(self, give: Mapping[str, int], receive: Mapping[str, int]) -> tuple[int | None, str]:
        """The offer that whoever is on turn would have to make, so that the person gives this for that; None and why not."""
        if not any(give.values()) or not any(receive.values()):
            return None, "no gifts: both sides must give something"
        if any(n > self.hand[name] for name, n in give.items()):
            return None, "you do not have these cards"
        if int(self.view["offers"][0]) >= int(self.view["offer_limit"][0]):
            return None, "no more offers this turn"
        if sum(receive.values()) > int(self.view["hand_size"][0, int(self.view["player"][0])]):
            return None, "they do not have that many cards"
        try:
            return offer_code([-n for n in _signed(give, receive)]), ""
        except InvalidAction as error:
            return None, str(error)

    def open_offer(self) -> tuple[int, dict[str, int], dict[str, int]] | None:
        """The offer on the table: who made it, what it gives and what it wants."""
        counts = self.view["offer"][0].tolist()
        if not any(counts):
            return None
        names = [r.value for r in RESOURCES]
        give = {name: n for name, n in zip(names, counts, strict=True) if n > 0}
        want = {name: -n for name, n in zip(names, counts, strict=True) if n < 0}
        return int(self.view["player"][0]), give, want


def _element(data: Mapping[str, Any]) -> str:
    """The id of the place that an action is about."""
    if "corner" in data:
        return f"corner-{data['corner']}"
    return f"hex-{data['hex']}" if "hex" in data else f"edge-{EDGE_BETWEEN[data['edge']]}"


def _signed(give: Mapping[str, int], receive: Mapping[str, int]) -> list[int]:
    for name in give:
        if give[name] and receive.get(name):
            raise InvalidAction(f"{name}: a resource cannot be on both sides of a trade")
    return [give.get(r.value, 0) - receive.get(r.value, 0) for r in RESOURCES]


def element_of(code: int) -> str | None:
    """The id of the place on the board that a step is about, if there is one.

    >>> element_of(Action.from_text("build_city 23").code), element_of(Action.from_text("end_turn").code)
    ('corner-23', None)
    """
    if not 0 <= code < OFFER:  # an offer, or what comes after offers, is about no place
        return None
    action = Action.from_code(code)
    return _element(action.data) if {"corner", "hex", "edge"} & {*action.data} else None


class Holding(NamedTuple):
    """What another player may hold: by resource the expected number and the chances of each number."""

    seat: int
    cards: int
    expected: tuple[float, ...]
    chances: tuple[dict[int, float], ...]
    victory_point: float | None
    """The chance of a hidden victory point card; None if there is no hidden card."""


def holdings(tracker: HandTracker, seat: int) -> list[Holding]:
    """What `seat` can know of all others' hands."""
    found = []
    for other in range(len(tracker.names)):
        if other != seat:
            marginals = [tracker.marginal(other, r.value) for r in RESOURCES]
            expected, chances = tuple(m.expected for m in marginals), tuple(m.distribution for m in marginals)
            ladder = tracker.hidden_points(other)  # [k] is the chance of k or more
            point = (ladder[1] if len(ladder) > 1 else 0.0) if tracker.dev_card_count(other) else None
            found.append(Holding(other, round(tracker.total(other).expected), expected, chances, point))
    return found


@dataclass(frozen=True, kw_only=True)
class Scene(TableMoment):
    """One moment, copied while nobody moved; the page can look at it as long as it likes."""

    seat: int
    names: tuple[str, ...]
    view: States
    """As the seat sees it; once the game is over, with open cards."""
    row: dict[str, Any]
    """The same in plain values."""
    actor: int
    choices: Choices
    labels: Mapping[int, str]
    """What the person may sensibly do now, in words."""
    holdings: tuple[Holding, ...]
    last: str | None
    """The place on the board that was last built on."""
    steps: int
    """How many there have been."""
    happened: tuple[tuple[int, Event], ...]
    """What happened last, each with the number of its step."""

    @classmethod
    def of(cls, session: Session[CatanTable], with_holdings: bool) -> Self:
        """The game now. To be called in a thread."""
        with session.lock:
            match, version, over, asks = session.match, session.version, session.over, session.asks
            seat, actor, witness = match.seat, match.actor, match.witness
            view = match.states.copy() if over else match.view(seat)
            log, last_codes, can_take_back = tuple(witness.log), match.codes[-3:], session.can_take_back
            steps, happened = len(match.codes), tuple(witness.happened)
            found = tuple(holdings(witness.belief.tracker, seat)) if with_holdings and not over else ()
        row, names, board = to_dict(view), witness.names, board_of(view)
        return cls(
            version=version,
            turn=row["turn"],
            log=log,
            over=over,
            result=_result(row, names) if over else "",
            can_take_back=can_take_back,
            seat=seat,
            names=names,
            view=view,
            row=row,
            actor=actor,
            choices=Choices.of(view, seat) if asks else Choices(view, seat),
            labels={code: capitalised(move_words(describe(code), board, names)) for code in sensible_actions(view)}
            if asks
            else {},
            holdings=found,
            last=next((place for code in reversed(last_codes) if (place := element_of(code))), None),
            steps=steps,
            happened=happened,
        )

    @property
    def status(self) -> str:
        """Whose move it is and what for, in words."""
        if self.over:
            return self.result
        if self.choices.open:
            return self.choices.sentence
        if self.actor < 0:
            return "Rolling…" if PHASES[self.row["phase"]] == "ROLLING" else "One moment…"
        if self.actor == self.seat:  # what is decided for the person
            return "One moment…"
        return f"{self.names[self.actor]} {_DOES.get(PHASES[self.row['phase']], 'is thinking')}…"

    def drawing(self, tool: str | None, thoughts: Sequence[Thought] = ()) -> str:
        """The board, with the places of a tool lit up; what the kibitzer thinks of a place is its colour and stands there."""
        legal = self.choices.places.get(tool or "", {})
        fill: dict[int | str, str] = dict.fromkeys(legal, LIGHT)
        spots = {place: one for one in reversed(thoughts) if (place := element_of(one.action))}  # the first of a place counts
        if tool is not None:
            spots = {place: one for place, one in spots.items() if place in legal}
        if not spots:
            return draw_state(self.view, names=self.names, hands=False, fill=fill, lastmove=self.last)
        chances = [one.chance for one in spots.values()]
        low, high = min(chances), max(chances)
        fill = {**dict.fromkeys(legal, PALE), **{place: colour_of(one.chance, low, high) for place, one in spots.items()}}
        ranks = {one.action: rank for rank, one in enumerate(thoughts, start=1)}
        marks: dict[int | str, str] = {place: f"{ranks[one.action]}\n{chance_text(one.chance)}" for place, one in spots.items()}
        best = next((place for place, one in spots.items() if one.best), None)
        lines = [*(["ringed: the best"] if best else []), *(["grey: not tried"] if len(fill) > len(spots) else [])]
        legend = Legend("you win", chance_text(low), chance_text(high), COLOURS, lines)
        return draw_state(
            self.view, names=self.names, hands=False, fill=fill, marks=marks, lastmove=best or self.last, legend=legend
        )


def pieces_left(row: Mapping[str, Any], seat: int) -> dict[str, int]:
    """How many pieces somebody can still build."""
    roads = sum(half.bit_count() for half in row["roads"][seat])
    settlements, cities = (row[name][seat].bit_count() for name in ("settlements", "cities"))
    return {"road": ROADS - roads, "settlement": SETTLEMENTS - settlements, "city": CITIES - cities}


def _result(row: Mapping[str, Any], names: tuple[str, ...]) -> str:
    """How a game ended, in words."""
    winner, turn = row["winner"], row["turn"]
    if winner < 0:
        return f"Turn limit reached after {turn} turns: nobody won"
    return f"{names[winner]} won with {points_of(row, winner)[1]} points on turn {turn}"
