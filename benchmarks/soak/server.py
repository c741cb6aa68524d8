"""Visitors of a server that is killed again and again: they play, ask, track and tidy up, and find everything afterwards.

A round ends with a kill, and with the next life of the server, in which all is looked for that was acknowledged.
"""

from __future__ import annotations

import random
import socket
import sys
import threading
from contextlib import ExitStack, suppress
from typing import Any, NamedTuple

import httpx

from benchmarks.logs.damage import damaged
from benchmarks.soak.books import ANSWERS, LOGS, PLAYED, SESSIONS, Books, Followed, Game
from benchmarks.soak.house import PREFIX
from benchmarks.soak.work import Child, Work
from kibitz.catan import Board, Rules
from kibitz.catan.core.record import simulate
from kibitz.catan.core.transcript import events_of
from kibitz.catan.pages.play.game import CatanSetup
from kibitz.onepiece.core.decks import STARTERS
from kibitz.onepiece.pages.matches import UNGUARDED
from kibitz.play.guarded import guards
from kibitz.play.names import YOU

SERVER = "the server"
#: Things that visitors do in one life of the server: at least, and at most.
LIFE = (10, 60)
#: Seconds after these in which the kill comes, while they go on.
LAST = 0.5
#: Games that are played at once, and decisions in one of them before visitors do something else.
TABLES, DECISIONS = 4, 10
#: Questions that are asked again and again.
QUESTIONS = 8
#: Formats of logs that people paste.
PASTED = ("colonist-text", "colonist-html", "jsettlers", "kibitz")
CATAN_BOTS = ("random", "builder", "seed", "ismcts:3")
COUP_BOTS = ("random", "honest", "heuristic", "ismcts:20")
ONEPIECE_BOTS = ("random", "greedy", "ismcts:2")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Life(NamedTuple):
    """A server, its visitors, and what their choices come from."""

    house: Child
    visit: Visit
    chance: random.Random


class Rounds:
    """The lives of the server."""

    def __init__(self) -> None:
        self._books: Books | None = None
        self._http: httpx.Client | None = None
        self._life: Life | None = None

    def __call__(self, work: Work, number: int) -> None:
        """Visitors come, the server is killed, and in its next life all is there that was acknowledged."""
        life, self._life = self._life or self._begin(work, number), None
        try:
            self._live(work, life)
        finally:
            life.house.kill()
        work.ledger.killed(SERVER)
        work.ledger.check(SERVER, "Traceback" not in life.house.said, f"its log: {life.house.said[-500:]}")
        self._life = self._begin(work, number + 1)

    def _begin(self, work: Work, number: int) -> Life:
        """Start the server for this round, and look for everything."""
        books = self._books = self._books or Books(work.ledger)
        port, chance = free_port(), work.chance(number)
        http = self._http = self._http or work.ends.enter_context(httpx.Client(timeout=120))
        http.base_url = f"http://127.0.0.1:{port}"
        house = work.start(sys.executable, "-m", "benchmarks.soak.house", str(port), name="house")
        with ExitStack() as failed:
            failed.callback(house.kill)
            house.wait_for(lambda: _is_up(http))
            if not house.runs:
                raise RuntimeError(f"the server does not start: {house.said[-500:]}")
            books.look_for_all(http)
            visit = Visit(work, chance, books, http)
            work.ledger.did(SERVER)
            failed.pop_all()
        return Life(house, visit, chance)

    def _live(self, work: Work, life: Life) -> None:
        """Let visitors come, and kill the server in the middle of something."""
        things = life.chance.randint(*LIFE)
        life.visit.one_of_each()
        for _ in range(things):
            work.pause(0.0)
            life.visit.something()
        killer = threading.Timer(LAST * life.chance.random(), life.house.kill)
        killer.start()
        with suppress(httpx.TransportError):
            while True:
                life.visit.something()
        killer.join()


def _is_up(http: httpx.Client) -> bool:
    try:
        return http.get("/api/health").status_code == 200
    except httpx.TransportError:
        return False


class Visit:
    """What visitors do in one life of the server; their choices come from `chance`."""

    def __init__(self, work: Work, chance: random.Random, books: Books, http: httpx.Client) -> None:
        self._ledger, self._chance, self._books, self._http = work.ledger, chance, books, http
        self._job: tuple[str, str] | None = None

    def one_of_each(self) -> None:
        """Do one thing of each kind, and wait for the answer to a question."""
        for do in (self._play, self._track, self._keep, self._ask):
            do()
        while self._job is not None:
            self._ask()

    def something(self) -> None:
        """Do one thing."""
        doings = (self._play, self._play, self._play, self._play, self._ask, self._track, self._track, self._keep, self._tidy)
        self._chance.choice(doings)()

    def _post(self, path: str, body: dict[str, Any]) -> Any:
        answer = self._http.post(path, json=body)
        if answer.status_code >= 300:
            raise RuntimeError(f"{path}: {answer.status_code} {answer.text[:300]}")
        return answer.json()

    # --- games ------------------------------------------------------------------------------------------------------

    def _play(self) -> None:
        """Decide a few things in a game that is under way, or begin another."""
        open_games = [id for id, game in self._books.games.items() if not game.over]
        if len(open_games) < TABLES:
            game = self._new_game()
            seen = self._post(f"{PREFIX}/games", {"game": game.name, "setup": game.setup})
            self._books.games[seen["id"]] = game
            self._books.shown(seen["id"], game, seen)
            return
        id = self._chance.choice(open_games)
        game = self._books.games[id]
        seen = self._http.get(f"{PREFIX}/games/{id}").json()
        self._books.shown(id, game, seen)
        for _ in range(DECISIONS):
            if not seen.get("choices"):
                return
            code = self._chance.choice(seen["choices"])
            seen = self._post(f"{PREFIX}/games/{id}", {"code": code, "at": len(game.moves)})
            self._books.shown(id, game, seen)
            self._ledger.check(PLAYED, "refused" not in seen, f"{game.name} {id}: {code} was refused: {seen.get('refused')}")

    def _new_game(self) -> Game:
        chance, seed = self._chance, self._chance.randrange(1_000_000)
        match chance.choice(("catan", "coup", "onepiece")):
            case "catan":
                seats = [chance.choice(CATAN_BOTS) for _ in range(chance.randint(1, 3))]
                seats.insert(chance.randint(0, len(seats)), YOU)
                rules = Rules(max_turns=chance.randint(5, 40))
                return Game("catan", CatanSetup(Board.random(seed), tuple(seats), seed, rules).to_json(), [])
            case "coup":
                bots = [chance.choice(COUP_BOTS) for _ in range(chance.randint(1, 5))]
                return Game("coup", {"seat": chance.randint(0, len(bots)), "bots": bots, "rules": {}, "seed": seed}, [])
            case _:
                guard = chance.choice((*guards(), UNGUARDED))
                decks = [chance.choice((*STARTERS,)) for _ in range(2)]
                bot = chance.choice(ONEPIECE_BOTS)
                return Game(
                    "onepiece", {"seat": chance.randint(0, 1), "decks": decks, "bot": bot, "guard": guard, "seed": seed}, []
                )

    # --- analyses ---------------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Ask what has been asked before, perhaps in another life; or look whether the answer is there."""
        if self._job is None:
            number = self._chance.randrange(QUESTIONS)
            mode, settings = (("full_game", {"full_game_rollouts": 20 + 5 * number}), ("mcts", {"mcts_iterations": 200}),
                              ("monte_carlo", {"mc_samples": 100}), ("static", {}))[number % 4]  # fmt: skip
            question = {"save": True, "mode": mode, "seats": 2 + number % 3, "config": {**settings, "mc_seed": number}}
            self._job = self._post("/api/analyse", question)["id"], repr(question)
            return
        id, asked = self._job
        job = self._http.get(f"/api/jobs/{id}", params={"wait": 1}).json()
        if job["state"] in ("waiting", "running"):
            return
        self._job = None
        self._ledger.check(ANSWERS, job["state"] == "done", f"{asked}: {job['state']} {job['error']}")
        if job["state"] == "done":
            self._books.answered(job["saved"], asked, job["result"])

    # --- tracking ---------------------------------------------------------------------------------------------------

    def _track(self) -> None:
        """Send a few events more; a game of which all are sent makes room for another, some of whose events are missing."""
        sessions = self._books.sessions
        id = next((id for id, session in sessions.items() if not session.over), None) or self._begin_tracking()
        session = sessions[id]
        more = session.events[session.taken : session.taken + self._chance.randint(1, 20)]
        session.sent = len(more)
        session.told = self._post(f"/api/track/{id}/events", {"events": more})
        session.taken, session.sent = session.taken + len(more), 0
        known = session.told["events"]
        self._ledger.check(SESSIONS, known == session.taken, f"{session.taken} events sent, {known} known")

    def _begin_tracking(self) -> str:
        seed = self._chance.randrange(1_000_000)
        record = simulate(Board.random(seed), ("builder",) * self._chance.randint(2, 4), seed, Rules(max_turns=40))
        log = events_of(record, None)
        events = [event.to_json() for event in log.events if self._chance.random() < 0.97]
        told = self._post("/api/track", {"players": list(log.players), "on_contradiction": "repair"})
        self._books.sessions[told["id"]] = Followed(events, told)
        self._ledger.did(SESSIONS)
        return str(told["id"])

    def _keep(self) -> None:
        """A damaged log, as it is pasted on the Track page; what cannot be read at all is refused."""
        bad = damaged(self._chance.choice(PASTED), self._chance.randrange(100_000))
        answer = self._http.post(f"{PREFIX}/logs", json={"text": bad.text.encode("utf-8", "replace").decode()})
        if answer.status_code == 200:
            found = answer.json()
            self._books.logs[found["id"]] = found["told"]
            self._ledger.did(LOGS)

    def _tidy(self) -> None:
        self._books.clear(self._http)
