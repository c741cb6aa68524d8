"""One moment of a game as the person at the table sees it: everything that the page shows, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.core.actions import describe
from kibitz.catan.core.board import RESOURCES
from kibitz.catan.core.position import PHASES, points_of
from kibitz.catan.core.state import board_of
from kibitz.catan.core.svg import draw_state
from kibitz.catan.pages.play.choices import Choices, element_of, move_words
from kibitz.catan.pages.play.game import CatanTable
from kibitz.game import States, to_dict
from kibitz.game.doors import sensible_actions
from kibitz.web.games import Session
from kibitz.web.pages.table import TableMoment

#: How places light up that can be chosen: a colour that no terrain and no seat has.
LIGHT = "#FFE94A"
_DOES = {
    "SETUP_SETTLEMENT": "places a settlement", "SETUP_ROAD": "places a road", "TURN_START": "is to roll",
    "ROBBER_DISCARD": "discards", "ROBBER_MOVE": "moves the robber", "ROBBER_STEAL": "robs somebody",
    "FREE_ROADS": "places a road", "TRADE_ANSWER": "answers the offer", "TRADE_CHOICE": "chooses a partner",
}  # fmt: skip


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
            point = 1 - tracker.hidden_points(other)[0] if tracker.dev_card_count(other) else None
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

    @classmethod
    def of(cls, session: Session[CatanTable], with_holdings: bool) -> Scene:
        """The game now. To be called in a thread."""
        with session.lock:
            match, version, over, asks = session.match, session.version, session.over, session.asks
            seat, actor, witness = match.seat, match.actor, match.witness
            view = match.states.copy() if over else match.view(seat)
            log, last_codes, can_take_back = tuple(witness.log), match.codes[-3:], session.can_take_back
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
            labels={code: move_words(describe(code), board, names) for code in sensible_actions(view)} if asks else {},
            holdings=found,
            last=next((place for code in reversed(last_codes) if (place := element_of(code))), None),
        )

    @property
    def status(self) -> str:
        """Whose move it is and what for, in words."""
        if self.over:
            return self.result
        if self.choices.open:
            return self.choices.sentence
        if self.actor < 0:
            return "Chance decides ..."
        return f"{self.names[self.actor]} {_DOES.get(PHASES[self.row['phase']], 'is thinking')} ..."

    def drawing(self, tool: str | None) -> str:
        """The board, with the places of a tool lit up."""
        fill: dict[int | str, str] = dict.fromkeys(self.choices.places.get(tool or "", {}), LIGHT)
        return draw_state(self.view, names=self.names, hands=False, fill=fill, lastmove=self.last)


def _result(row: Mapping[str, Any], names: tuple[str, ...]) -> str:
    """How a game ended, in words."""
    winner, turn = row["winner"], row["turn"]
    if winner < 0:
        return f"The turn limit ends the game after {turn} turns: nobody has won"
    return f"{names[winner]} won with {points_of(row, winner)[1]} points in turn {turn}"
