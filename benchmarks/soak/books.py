"""What the server has acknowledged, and how each of these things is found again after a kill.

Of a request that a kill cut off nobody knows whether it was done. So a game may have gone on, but never back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from benchmarks.soak.house import PREFIX
from benchmarks.soak.ledger import Ledger
from kibitz.catan.core import record as catan_record
from kibitz.catan.pages.play.game import CatanKind
from kibitz.coup.core import record as coup_record
from kibitz.coup.pages.matches import CoupKind
from kibitz.game import CHANCE
from kibitz.game.files import RecordError
from kibitz.onepiece.core import record as onepiece_record
from kibitz.onepiece.pages.matches import OnePieceKind
from kibitz.web.games import GameKind

PLAYED, ANSWERS, SAVED, SESSIONS, LOGS, DELETED = (
    "games at the server", "answers of the server", "saved answers", "tracking sessions", "kept logs", "deleted things",
)  # fmt: skip
KINDS: Mapping[str, GameKind[Any]] = {kind.name: kind for kind in (CatanKind(), CoupKind(), OnePieceKind())}
CHECKS: Mapping[str, Callable[[Iterable[str]], Iterable[Any]]] = {
    "catan": catan_record.check, "coup": coup_record.check, "onepiece": onepiece_record.check,
}  # fmt: skip
#: So many finished things of a kind are looked for after every kill; older ones are deleted.
KEPT = 12


@dataclass
class Game:
    """A game that is played at the server: all steps that were shown."""

    name: str
    setup: dict[str, Any]
    moves: list[str]
    over: bool = False


@dataclass
class Followed:
    """A session that follows a game: its events, how many were taken, and what was last told."""

    events: list[dict[str, Any]]
    told: dict[str, Any]
    taken: int = 0
    sent: int = 0
    """Events in a request that was not answered yet."""

    @property
    def over(self) -> bool:
        return self.taken == len(self.events)


@dataclass
class Books:
    """Everything that was acknowledged, by id."""

    ledger: Ledger
    games: dict[str, Game] = field(default_factory=dict)
    answers: dict[str, Any] = field(default_factory=dict)
    logs: dict[str, Any] = field(default_factory=dict)
    sessions: dict[str, Followed] = field(default_factory=dict)
    deleted: list[str] = field(default_factory=list)
    known: dict[str, Any] = field(default_factory=dict)
    """Answers by question: the same question has the same answer, whatever happens in between."""

    def look_for_all(self, http: httpx.Client) -> None:
        """Look for everything at a server that was started anew."""
        for id, game in self.games.items():
            self.shown(id, game, http.get(f"{PREFIX}/games/{id}").json())
        for id, result in self.answers.items():
            found = http.get(f"/api/library/{id}")
            whole = found.status_code == 200 and found.json()["data"]["result"] == result
            self.ledger.did(SAVED)
            self.ledger.check(SAVED, whole, f"answer {id} is not what it was: {found.text[:200]}")
        for id, told in self.logs.items():
            self.ledger.check(LOGS, http.get(f"{PREFIX}/logs/{id}").json().get("told") == told, f"log {id} is not what it was")
        for id, session in self.sessions.items():
            self.told(id, session, http.get(f"/api/track/{id}").json())
        for id in self.deleted:
            self.ledger.check(DELETED, http.get(f"/api/library/{id}").status_code == 404, f"{id} was deleted, and is back")
        del self.deleted[:-KEPT]

    def shown(self, id: str, game: Game, seen: dict[str, Any]) -> None:
        """Take in what is shown of a game: nothing of what was shown before may be gone."""
        if seen["id"] is None:
            self.ledger.check(PLAYED, False, f"{game.name} {id} is gone")
            return
        moves = seen["moves"]
        same = moves[: len(game.moves)] == game.moves and not seen["trouble"]
        self.ledger.check(
            PLAYED, same, f"{game.name} {id}: {len(game.moves)} steps were shown, now {len(moves)} {seen['trouble']}"
        )
        ends = seen["over"] and not game.over
        game.moves, game.over = moves, seen["over"]
        if ends:
            self.ledger.did(PLAYED)
            self.ledger.check(PLAYED, same_dice(game), f"{game.name} {id}: other dice fell after a kill")
            self.ledger.check(PLAYED, replays(game), f"{game.name} {id}: its record does not replay")

    def told(self, id: str, session: Followed, told: dict[str, Any]) -> None:
        """Take in what a session tells after a kill: what it told before, or that it has taken what was sent last."""
        went_on = session.sent > 0 and told.get("events") == session.told["events"] + session.sent
        whole = went_on or told == session.told
        self.ledger.check(SESSIONS, whole, f"session {id} is not what it was: {session.taken} events, now {str(told)[:200]}")
        if went_on:
            session.taken, session.told = session.taken + session.sent, told
        session.sent = 0

    def answered(self, id: str, question: str, result: Any) -> None:
        """Take in an answer that the server says it has saved."""
        self.answers[id] = result
        same = self.known.setdefault(question, result) == result
        self.ledger.did(ANSWERS)
        self.ledger.check(ANSWERS, same, f"{question} was answered otherwise before")

    def clear(self, http: httpx.Client) -> None:
        """Delete the oldest of what is done with."""
        done = [id for id, game in self.games.items() if game.over]
        for things, ids in ((self.games, done), (self.answers, [*self.answers]), (self.logs, [*self.logs])):
            for id in ids[:-KEPT]:
                del things[id]  # whether it is deleted nobody knows until the answer
                if http.delete(f"/api/library/{id}").status_code == 204:
                    self.deleted.append(id)
                    self.ledger.did(DELETED)
        for id in [id for id, session in self.sessions.items() if session.over][:-KEPT]:
            del self.sessions[id]
            http.delete(f"/api/track/{id}")


def same_dice(game: Game) -> bool:
    """Whether chance did what it does in a game that nobody disturbs."""
    match = KINDS[game.name].match(game.setup)
    for move in game.moves:
        code = match.game.parse(move)
        if match.actor == CHANCE and match.choose() != code:
            return False
        match.step(code)
    return True


def replays(game: Game) -> bool:
    """Whether the game as a record is by the rules."""
    text = KINDS[game.name].record(game.setup, game.moves)
    try:
        return sum(1 for _ in CHECKS[game.name](text.splitlines())) == 1
    except RecordError:
        return False
