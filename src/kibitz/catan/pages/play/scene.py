"""One moment of a game as the person at the table sees it: everything that the page shows, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.core.board import RESOURCES, Board
from kibitz.catan.core.position import PHASES, points_of
from kibitz.catan.core.state import KNIGHT, board_of
from kibitz.catan.core.svg import draw_state
from kibitz.catan.pages.play.choices import Choices, element_of
from kibitz.catan.pages.play.game import CatanSetup, CatanTable, Line
from kibitz.game import OVER, States, to_dict
from kibitz.web.games import Session

#: How places light up that can be chosen: a colour that no terrain and no seat has.
LIGHT = "#FFE94A"
_DOES = {
    "SETUP_SETTLEMENT": "places a settlement", "SETUP_ROAD": "places a road", "TURN_START": "is to roll",
    "ROBBER_DISCARD": "discards", "ROBBER_MOVE": "moves the robber", "ROBBER_STEAL": "robs somebody",
    "FREE_ROADS": "places a road", "TRADE_ANSWER": "answers the offer", "TRADE_CHOICE": "chooses a partner",
}  # fmt: skip


@dataclass(frozen=True)
class SeatInfo:
    """What is said of one player."""

    name: str
    points: int
    hidden_points: int
    """Victory point cards on top of those, where they are known."""
    cards: int
    dev_cards: int
    knights: int
    road: int
    has_road: bool
    has_army: bool
    hand: tuple[int, ...] | None
    """By resource, where it is known."""
    pieces: tuple[int, int, int]
    """Roads, settlements and cities on the board."""


def seats_of(row: dict[str, Any], names: Sequence[str]) -> list[SeatInfo]:
    """All players of a position; what it hides is not told."""
    found = []
    for seat, name in enumerate(names):
        visible, total = points_of(row, seat)
        hand = tuple(row["hand"][seat])
        known = sum(row["dev"][seat]) == row["dev_size"][seat]
        found.append(
            SeatInfo(
                name=name,
                points=visible,
                hidden_points=total - visible if known else 0,
                cards=row["hand_size"][seat],
                dev_cards=row["dev_size"][seat],
                knights=row["played"][seat][KNIGHT],
                road=row["road_length"][seat],
                has_road=row["road_holder"] == seat,
                has_army=row["army_holder"] == seat,
                hand=hand if sum(hand) == row["hand_size"][seat] else None,
                pieces=(
                    sum(half.bit_count() for half in row["roads"][seat]),
                    row["settlements"][seat].bit_count(),
                    row["cities"][seat].bit_count(),
                ),
            )
        )
    return found


@dataclass(frozen=True)
class Holding:
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
        if other == seat:
            continue
        marginals = [tracker.marginal(other, r.value) for r in RESOURCES]
        hidden = tracker.hidden_points(other)
        found.append(
            Holding(
                seat=other,
                cards=round(tracker.total(other).expected),
                expected=tuple(m.expected for m in marginals),
                chances=tuple(m.distribution for m in marginals),
                victory_point=1 - hidden[0] if tracker.dev_card_count(other) else None,
            )
        )
    return found


@dataclass(frozen=True)
class Scene:
    """One moment, copied while nobody moved; the page can look at it as long as it likes."""

    version: int
    seat: int
    names: tuple[str, ...]
    view: States
    """As the seat sees it; once the game is over, with open cards."""
    actor: int
    choices: Choices
    lines: tuple[Line, ...]
    last: str | None
    trouble: str
    can_take_back: bool = False
    holdings: tuple[Holding, ...] = ()
    row: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, session: Session[CatanTable], with_holdings: bool = False) -> Scene:
        """The game now. To be called in a thread."""
        with session.lock:
            match, seat = session.match, session.seat
            witness = match.witness
            assert seat is not None
            over = match.actor == OVER
            view = match.states.copy() if over else match.view(seat)
            choices = Choices.of(view, seat) if session.asks else Choices(view, seat)
            return cls(
                version=session.version,
                seat=seat,
                names=CatanSetup.from_json(session.setup).names,
                view=view,
                actor=match.actor,
                choices=choices,
                lines=tuple(witness.lines),
                last=next((place for code in reversed(match.codes[-3:]) if (place := element_of(code))), None),
                trouble=session.trouble,
                can_take_back=session.can_take_back,
                holdings=tuple(holdings(witness.belief.tracker, seat)) if with_holdings and not over else (),
                row=to_dict(view),
            )

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.actor == OVER

    @property
    def board(self) -> Board:
        """The island."""
        return board_of(self.view)

    @property
    def status(self) -> str:
        """Whose move it is and what for, in words."""
        if self.over:
            winner = self.row["winner"]
            if winner < 0:
                return f"The turn limit ends the game after {self.row['turn']} turns: nobody has won"
            points = points_of(self.row, winner)[1]
            return f"{self.names[winner]} won with {points} points in turn {self.row['turn']}"
        if self.choices.open:
            return self.choices.sentence
        if self.actor < 0:
            return "Chance decides ..."
        return f"{self.names[self.actor]} {_DOES.get(PHASES[self.row['phase']], 'is thinking')} ..."

    def drawing(self, tool: str | None) -> str:
        """The board, with the places of a tool lit up."""
        places = self.choices.places.get(tool or "", {})
        fill: dict[int | str, str] = dict.fromkeys(places, LIGHT)
        return draw_state(self.view, names=self.names, hands=False, fill=fill, lastmove=self.last)
