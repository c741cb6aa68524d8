"""A game of Catan against bots: how it is set up, what the person at the table saw of it, and what need not be asked."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import quote

from kibitz.catan.bots import Memory, events_seen
from kibitz.catan.core.actions import Action, parse
from kibitz.catan.core.board import Board, InvalidBoard
from kibitz.catan.core.codes import ACCEPT, DECLINE, DISCARD, MOVE_ROBBER
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.events import Cards, CounterOffer, Decline, Discard, Event
from kibitz.catan.core.position import points_of
from kibitz.catan.core.record import Record
from kibitz.catan.core.state import MAIN, ROBBER_DISCARD, ROBBER_STEAL, TRADE, TRADE_ANSWER, TRADE_CHOICE, Rules, new_states
from kibitz.catan.manners import Counter, considerate, counts_of
from kibitz.catan.profile import PROFILE
from kibitz.catan.words import told
from kibitz.compute.runtime import Limit
from kibitz.game import OVER, Game, States, actor_at, legal_actions, to_dict
from kibitz.game.definition import Told
from kibitz.play.bots import Bot
from kibitz.play.names import YOU, is_bot, names_of
from kibitz.play.profile import InvalidSetup
from kibitz.play.search_bot import thinking_of
from kibitz.web.games import Setup
from kibitz.web.table import PersonTable, TableKind, Witness

#: Where people look back on games.
REVIEW = "/review?game="
#: Bytes that the worlds of one game may take.
MEMORY = 1 << 27
#: Which offers the person is asked about: a setting of the table. The others are declined.
ALL, GOOD, NONE = "all", "good", "none"
OFFERS = {ALL: "All", GOOD: "Only good ones", NONE: "None"}
#: How long the kibitzer thinks about an offer, in iterations.
JUDGING = 300
#: What happened last is remembered for so many events, for a page to show.
REMEMBERED = 60


class CatanWitness(Witness):
    """The person at the table: remembers what the seat saw, in lines, and what follows from it about the others' hands."""

    belief: Memory

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(PROFILE)
        self.names = names
        self.steps = 0
        self.happened: deque[tuple[int, Event]] = deque(maxlen=REMEMBERED)
        """The last events, each with the number of its step, from 1."""
        self._discard: Discard | None = None
        self._declined: list[int] = []

    def begin(self, game: Game, seat: int, view: States, seed: int) -> None:
        """Sit down."""
        self.seat, self.belief = seat, Memory(game, seat, view, memory=MEMORY)

    def saw(self, before: States, code: int, after: States) -> None:
        """Remember a step. Events that belong together become one line."""
        self.steps += 1
        for event in events_seen(self.seat, before, code, after):
            self.belief.tracker.process(event)
            self.happened.append((self.steps, event))
            self._note(event, int(before["turn"][0]), after)

    def _note(self, event: Event, turn: int, after: States) -> None:
        seat = getattr(event, "player", -1)
        if isinstance(event, Discard) and self._discard is not None and self._discard.player == event.player:
            event = Discard(event.player, (self._discard.cards or Cards()).plus(event.cards or Cards()))
            self.log.pop()
        self._discard = event if isinstance(event, Discard) else None
        words = told(event, self.names, after)
        if isinstance(event, Decline):
            if self._declined:
                self.log.pop()
                who = ", ".join(self.names[other] for other in self._declined)
                words = f"{who} and {words[:1].lower() if words.startswith('You ') else words[:1]}{words[1:]}"
                seat = -1
            self._declined.append(event.player)
        else:
            self._declined = []
        self.log.append(Told(turn, seat, words))

    def add_line(self, line: Told) -> None:
        """What was said beside the game; who declines afterwards gets a line of their own."""
        self._declined = []
        self.log.append(line)


class CatanTable(PersonTable[CatanWitness]):
    """A game of Catan against bots, who mind their manners. The person may take back whatever they decided last."""

    def __init__(
        self, start: States, seat: int, witness: CatanWitness, bots: Sequence[Bot], seed: int, offers: str = ALL
    ) -> None:
        """`offers` are those that the person is asked about: `ALL`, `GOOD` or `NONE`."""
        self.offers = offers
        self.counter: Counter | None = None
        """The person's counter-offer to whoever is on turn."""
        self._decisions: list[int] = []
        self._opinion: tuple[int, bool] | None = None
        super().__init__(GAME, start, seat, witness, [considerate(bot, lambda: self.counter) for bot in bots], seed)

    def step(self, code: int | None = None) -> None:
        """As always, and note what the person decided, and what became of a counter-offer."""
        actor, phase, at = self.actor, int(self.states["phase"][0]), len(self.codes)
        open = actor == self.seat and len(legal_actions(self.view(self.seat))) > 1
        super().step(code)
        if open and self.codes[-1] != DECLINE and not (phase == ROBBER_DISCARD and self._goes_on(at)):
            self._decisions.append(at)
        self._follow_counter(actor, phase)

    def _goes_on(self, at: int) -> bool:
        """Whether the person is in the middle of a discard."""
        return bool(self._decisions) and all(DISCARD <= code < MOVE_ROBBER for code in self.codes[self._decisions[-1] : at])

    @property
    def can_return_to(self) -> int | None:
        """Before the last decision, even if dice have fallen since: bots do not mind, and the same dice fall again."""
        return self._decisions[-1] if self._decisions else None

    # --- offers ------------------------------------------------------------------------------------------------------

    @property
    def is_offered(self) -> bool:
        """Whether the person is to answer an offer that they could accept."""
        if self.actor != self.seat or int(self.states["phase"][0]) != TRADE_ANSWER:
            return False
        return len(legal_actions(self.view(self.seat))) > 1

    @property
    def is_undecided(self) -> bool:
        """Whether the kibitzer has still to say if an offer is good."""
        return self.offers == GOOD and self.is_offered and not self._is_own and self._verdict is None

    @property
    def answer(self) -> int | None:
        """How an offer is answered without asking the person: as the setting says, and a counter-offer is meant."""
        if not self.is_offered:
            return None
        if self._is_own:
            return int(ACCEPT)
        unwanted = self.offers == NONE or (self.offers == GOOD and self._verdict is False)
        return int(DECLINE) if unwanted else None

    @property
    def _verdict(self) -> bool | None:
        """Whether the offer on the table is good, as far as that was judged."""
        return self._opinion[1] if self._opinion is not None and self._opinion[0] == len(self.codes) else None

    @property
    def _is_own(self) -> bool:
        """Whether the offer on the table is what the person proposed."""
        return self.counter is not None and self.states["offer"][0].tolist() == counts_of(self.counter.code)

    def judge(self) -> Callable[[], None]:
        """What finds out whether the offer on the table is good for the person, as the kibitzer would tell them."""
        step, seat, view = len(self.codes), self.seat, self.view(self.seat)
        how = thinking_of(PROFILE, Limit(iterations=JUDGING)).fitting(view)
        deals = how.deals(self.witness.belief, view, step)

        def think() -> None:
            self._opinion = step, how.search_in(*deals, seat, step).best.action == ACCEPT

        return think

    def propose(self, code: int) -> None:
        """The person would rather have another trade: `code` is the offer that whoever is on turn would have to make."""
        to, turn = int(self.states["player"][0]), int(self.states["turn"][0])
        self.counter = Counter(self.seat, to, turn, code)
        counts = counts_of(code)
        give, receive = Cards(*(max(0, -n) for n in counts)), Cards(*(max(0, n) for n in counts))
        words = told(CounterOffer(self.seat, to, give, receive), self.witness.names, self.states)
        self.witness.add_line(Told(turn, self.seat, words))

    def withdraw(self) -> None:
        """Forget what was just proposed."""
        self.counter = None
        self.witness.log.pop()

    def _follow_counter(self, actor: int, phase: int) -> None:
        """Forget a counter-offer that was refused, or that is done with."""
        counter = self.counter
        if counter is None or actor != counter.to or self.codes[-1] == counter.code:
            return
        if phase in (MAIN, TRADE):
            self.counter = None
            words = f"{self.witness.names[counter.to]} did not take up your counter-offer"
            self.witness.log.append(Told(counter.turn, counter.to, words))
        elif phase == TRADE_CHOICE and self._was_own(counter):
            self.counter = None

    def _was_own(self, counter: Counter) -> bool:
        """Whether the offer that was just settled was the person's counter-offer."""
        made = next((code for code in reversed(self.codes[:-1]) if code not in (ACCEPT, DECLINE)), None)
        return made == counter.code


@dataclass(frozen=True)
class CatanSetup:
    """How a game is set up: `seats` are the names of bots, and ``you`` once."""

    board: Board
    seats: tuple[str, ...]
    seed: int
    rules: Rules
    offers: str = ALL
    """Which offers the person is asked about."""

    @classmethod
    def of(cls, record: Record) -> Self:
        """How a recorded game was set up, for one that came from a file: nobody plays it here."""
        return cls(record.board, tuple(name if name != YOU else "You" for name in record.seats), record.seed or 0, record.rules)

    def to_json(self) -> dict[str, Any]:
        """For the library."""
        seat = self.seats.index(YOU) if YOU in self.seats else None
        return {
            "board": self.board.to_json(),
            "seats": list(self.seats),
            "seat": seat,
            "seed": self.seed,
            "rules": self.rules.to_json(),
            **({} if self.offers == ALL else {"offers": self.offers}),
        }

    @classmethod
    def from_json(cls, data: Setup) -> Self:
        """Read what `to_json` wrote. Raises `InvalidSetup`."""
        try:
            board, rules = Board.from_json(data["board"]), Rules.from_json(dict(data["rules"]))
        except (InvalidBoard, ValueError, KeyError, TypeError) as error:
            raise InvalidSetup(f"this game cannot be set up: {error}") from None
        offers = data.get("offers", ALL)
        if offers not in OFFERS:
            raise InvalidSetup(f"offers={offers!r:.20}: expected {', '.join(OFFERS)}")
        return cls(board, tuple(data["seats"]), int(data["seed"]), rules, offers)

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called at the table."""
        return names_of(self.seats, PROFILE.bot_names)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Which bot each of them is; empty for people."""
        return tuple(name if is_bot(name, PROFILE.bot_names) else "" for name in self.seats)

    @property
    def levels(self) -> tuple[str, ...]:
        """The same as people read it: levels by their titles."""
        return tuple(map(PROFILE.bot_title, self.kinds))

    def record(self, moves: Sequence[str]) -> Record:
        """The game so far as a record, from the texts of its steps. Raises `InvalidAction`."""
        return Record(self.board, self.rules, seats=self.seats, codes=tuple(map(parse, moves)), seed=self.seed)


class CatanKind(TableKind[CatanTable]):
    """Catan for the sessions: see `CatanSetup`."""

    most_seconds = 20.0
    titled = "Catan: "

    def __init__(self) -> None:
        super().__init__(PROFILE, "/play")

    def names(self, setup: Setup) -> list[str]:
        """The names of the bots; the person sits where the setup says ``you``."""
        seats = list(setup["seats"])
        if seats.count(YOU) != 1 or seats[setup["seat"]] != YOU:
            raise InvalidSetup("Catan is for 2 to 4 players, one of them you")
        return [name for name in seats if name != YOU]

    def table(self, setup: Setup, seat: int, bots: Sequence[Bot], seed: int) -> CatanTable:
        """A game at its beginning."""
        asked = CatanSetup.from_json(setup)
        start = new_states(asked.board, len(asked.seats), asked.rules)
        return CatanTable(start, seat, CatanWitness(asked.names), bots, seed, asked.offers)

    def stands(self, match: CatanTable) -> str:
        """Which turn it is, or who won."""
        turn, winner = int(match.states["turn"][0]), int(match.states["winner"][0])
        if match.actor == OVER:
            return f"{self._result(match, winner)} on turn {turn}" if winner >= 0 else f"no winner after turn {turn}"
        return f"turn {turn}" if turn else "setup"

    def _result(self, match: CatanTable, winner: int) -> str:
        """Who won, and by how much."""
        row, names = to_dict(match.states, 0), match.witness.names
        points = [points_of(row, seat)[1] for seat in range(row["seats"])]
        if match.seat == winner:
            return f"won by {points[winner] - max(p for seat, p in enumerate(points) if seat != winner)}"
        return f"lost by {points[winner] - points[match.seat]}; {names[winner]} won"

    def title(self, setup: Setup, match: CatanTable) -> str:
        """Who plays, and how far it is."""
        return f"{self.titled}{', '.join(match.witness.names)} · {self.stands(match)}"

    def recorded(self, setup: Setup, moves: Sequence[str]) -> Record:
        """The record of a game, also of one that nobody plays here."""
        return CatanSetup.from_json(setup).record(moves)

    def address(self, id: str, setup: Setup) -> str:
        """A game that nobody plays here came from a file, and opens in Review."""
        return f"{self.page if setup['seat'] is not None else REVIEW}{quote(id)}"

    def forced(self, match: CatanTable) -> int | None:
        """An answer, a victim, an end without a choice. Rolling and building are asked for, even if there is only one way."""
        if (answer := match.answer) is not None:
            return answer
        view = match.view(actor_at(match.states, 0))
        if int(view["phase"][0]) not in (TRADE_ANSWER, TRADE_CHOICE, ROBBER_STEAL):
            return None
        legal = legal_actions(view)
        return legal[0] if len(legal) == 1 else None

    def doubts(self, match: CatanTable) -> bool:
        """An offer of which only the kibitzer can say whether it is good."""
        return match.is_undecided

    def thought(self, match: CatanTable) -> Callable[[], None]:
        """Ask the kibitzer."""
        return match.judge()

    def adjust(self, match: CatanTable, setup: Setup) -> None:
        """Other offers are asked about."""
        match.offers = CatanSetup.from_json(setup).offers

    def pause(self, match: CatanTable, code: int) -> float:
        """Dice, building and offers stay in sight for a while; answers and the end of a turn pass by."""
        return _PAUSES.get(Action.from_code(code).kind, 1.0)


_PAUSES = {
    "roll_dice": 0.0, "steal_resource": 0.0, "buy_dev_card": 0.0, "skip_steal": 0.0, "cancel_offer": 0.2,
    "end_trade_phase": 0.0, "end_build_phase": 0.0, "end_turn": 0.5,
    "decline_offer": 0.25, "accept_offer": 0.8, "discard_resource": 0.2,
    "place_setup_settlement": 0.6, "place_setup_road": 0.6,
}  # fmt: skip
