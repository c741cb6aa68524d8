"""The loop guard: whether this has happened before, and what the rules say about it.

>>> from kibitz.loops.lab import LAB
>>> from kibitz.loops.config import MODELS
>>> position = LAB["mandatory"].start()
>>> guard = LoopGuard(MODELS["declare"])
>>> result = guard.observe(position)
>>> while not result.loop_detected:
...     action = position.actions()[0]
...     position.apply(action)
...     result = guard.observe(position, action)
>>> result.resolution, result.lap.seats, len(result.lap)
(<Consequence.DRAW: 'draw'>, (0, 1), 2)

A fingerprint is never trusted: from the first time that one comes up again, full keys are kept and compared, and a loop is
only detected when more than `max_repeats` states are equal in full. The very first of them was no more than a fingerprint;
in its place the lap is played once more, on a copy, and must come back to the same state.
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from kibitz.loops.config import Config, Consequence
from kibitz.loops.lap import SEAT_BITS, Lap, Progress, project
from kibitz.loops.memory import FIRST_VISIT, NO_ACTION, History, Memory, Visit
from kibitz.loops.protocol import OMNISCIENT, PUBLIC, View, WatchedGame, hash_key
from kibitz.loops.stopping import NO_STATISTICS, Answer, Statistics, Stopping, label, who_can_stop
from kibitz.loops.verdict import Declare, Settlement, Verdict, declared, judge, settle

#: What was found out about so many states of loops is kept.
SEARCHES_KEPT = 1024
#: So many laps in a row are taken for one, at most, where a single one cannot be repeated.
LAPS_TRIED = 6
#: What is known of a lap that cannot be repeated.
UNSEARCHED = Stopping(by_chance=Answer.UNKNOWN)


class EventKind(StrEnum):
    """What a guard has to say."""

    WARNING = "warning"
    """One lap more, and it is a loop; said once in a lap."""
    LOOP = "loop"
    PROGRESS = "progress"
    SUSPECTED = "suspected"


@dataclass(frozen=True)
class LoopResult:
    """What the guard found at one state."""

    loop_detected: bool = False
    resolution: Consequence = Consequence.CONTINUES
    stopping_player: int | None = None
    """The player who has to stop the loop (or declares when to), where the rules name one."""
    count: int = 1
    """How often this state has been seen."""
    lap: Lap | None = None
    """How the game came back to it; with a warning, only when it is first said in a lap."""
    warning: bool = False
    """Whether one lap more makes a loop."""
    suspected: bool = False
    """Whether only what this view sees has come back so often: nothing is judged by that."""
    progress: Progress | None = None
    """Where a repeated lap leads that is not a loop, when it is first noticed."""
    stopping: Stopping | None = None
    """Who can stop it; with a warning, if somebody listens and the lap can be repeated."""
    verdict: Verdict | None = None

    @property
    def words(self) -> str:
        """The verdict in a few words; nothing where there is none to give."""
        if self.verdict is None:
            if self.progress:
                return "bounded" if self.progress.bounded else "progress"
            return "suspected only" if self.suspected else ""
        return self.verdict.words


NOTHING = LoopResult()
#: Hears what the guard says, and in which position.
Listener = Callable[[EventKind, LoopResult, WatchedGame], None]


def _silent(kind: EventKind, result: LoopResult, position: WatchedGame) -> None:
    """Nobody listens."""


class LoopGuard:
    """Watches one game. What it remembers of it is `memory`, a value; what it has learnt about breaking loops, `statistics`.

    A guard that does not see everything (`view` is a seat, or `PUBLIC`) suspects and never judges.
    """

    def __init__(
        self,
        config: Config = Config(),  # noqa: B008
        memory: Memory | None = None,
        view: View = OMNISCIENT,
        listener: Listener = _silent,
        statistics: Statistics = NO_STATISTICS,
    ) -> None:
        self.config = config
        self.view = view
        self.listener = listener
        self.statistics = statistics
        self.memory = memory or self.fresh()
        self._searched: dict[Hashable, tuple[Lap, int, Stopping]] = {}
        """By a state and what tells most laps through it apart: the lap, the step at which that state is, who can stop it."""
        self._sees_all = view == OMNISCIENT
        self._limits = dict(config.action_limits)
        self._turns_matter = config.max_age is not None or bool(self._limits)

    def fresh(self) -> Memory:
        """The memory of a new game."""
        window, age = self.config.window, self.config.max_age
        return Memory(History(window, age), History(window, age) if self.config.suspect else None)

    def observe(self, position: WatchedGame, action: int | None = None, by: int | None = None) -> LoopResult:
        """Record the state that `action` led to, and check it: what a driver calls after every action."""
        self.record_state(position, action, by)
        memory = self.memory
        if memory.visit is FIRST_VISIT and memory.public is None and not memory.streak.due:
            return NOTHING  # what `check_for_loop` would say, at half the cost
        return self.check_for_loop(position)

    def record_state(self, position: WatchedGame, action: int | None = None, by: int | None = None) -> int:
        """Remember a state and the action that led to it; the fingerprint.

        The action is `by` the one who was to act before, unless told otherwise: say it always or never. No action: the engine
        went on by itself, with a trigger or a phase. (Or somebody did what this view does not see: laps name what was told.)
        """
        memory = self.memory
        turn = position.turn() if self._turns_matter else 0
        if by is None:
            by = memory.actor
            memory.actor = position.actor()
        code = NO_ACTION if action is None else action
        if self._sees_all:
            fingerprint = position.fingerprint()
            visit = memory.states.record(fingerprint, code, by, turn, position.key)
        else:
            fingerprint, visit = _record_view(memory.states, self.view, position, code, by, turn)
        if memory.public is not None:
            _, memory.public_visit = _record_view(memory.public, PUBLIC, position, code, by, turn)
        if action is not None and by >= 0:
            memory.streak.add(action << SEAT_BITS | by)
        else:
            memory.streak.due = False
        if memory.expected is not None and code not in (memory.expected, NO_ACTION) and by >= 0:
            self.statistics = self.statistics.counted(label(position.describe(code)), broke=visit.times == 1)
        if self._limits:
            self._count_limited(position, action, turn)
        memory.visit, memory.expected = visit, None
        if visit.previous:  # what was done when this state was seen before, if anybody did anything
            before = memory.states.action(visit.previous + 1)
            memory.expected = None if before == NO_ACTION else before
        return fingerprint

    def check_for_loop(self, position: WatchedGame) -> LoopResult:
        """What the state that was recorded last means."""
        memory = self.memory
        visit = memory.visit
        if visit.times >= self.config.max_repeats and visit.previous:
            return self._repeated(position, visit, visit.previous)
        if memory.public is not None and memory.public_visit.times > self.config.max_repeats:
            return self._suspect(position, memory.public, memory.public_visit)
        if memory.streak.due and self._sees_all:
            progress = self._look_for_progress(position)
            if progress:
                found = LoopResult(count=visit.times, lap=progress.lap, progress=progress)
                return self._say(EventKind.PROGRESS, found, position)
        return NOTHING if visit.times == 1 else LoopResult(count=visit.times)

    def repeat_count(self, position: WatchedGame) -> int:
        """How often a state has been seen and is remembered."""
        fingerprint = position.fingerprint() if self._sees_all else hash_key(position.key(self.view))
        return self.memory.states.count(fingerprint, position.turn(), lambda: position.key(self.view))

    def allowed(self, position: WatchedGame, actions: list[int] | None = None) -> list[int]:
        """The legal actions without those that are banned here or over their limit, as long as others are left.

        A ban comes before a limit, where not both can be kept.
        """
        actions = position.actions() if actions is None else actions
        left = actions
        if self.memory.banned and position.fingerprint() in self.memory.banned:
            banned = self.memory.bans.get(position.key(), frozenset())
            left = [action for action in actions if _key_after(position, action) not in banned] or actions
        if self._limits and position.turn() == self.memory.turn:
            full = {words for words, most in self._limits.items() if self.memory.taken.get(words, 0) >= most}
            left = [action for action in left if full.isdisjoint(self._limited(position, action))] or left
        return left

    def ban(self, position: WatchedGame, actions: Iterable[int]) -> None:
        """Forbid some actions in a state, and whatever else leads to the same states.

        The states are kept, not the actions: equal states may have other numbers for the same actions.
        """
        self.memory.ban(position.fingerprint(), position.key(), [_key_after(position, action) for action in actions])
        self._searched.clear()

    def plan(self, position: WatchedGame, result: LoopResult, declare: Declare) -> Settlement | None:
        """What a verdict that makes somebody stop demands: the declared laps, the way to the stop. Going on is then banned.

        `position` stays as it is: whoever drives the game plays the steps. None where nobody has to stop.
        """
        if result.verdict is None or result.lap is None or result.stopping is None:
            return None
        if result.resolution in (Consequence.CONTINUES, Consequence.DRAW):
            return None
        seat, laps = declared(result.verdict, result.lap, position.turn_player(), declare)
        there = position.copy()
        settlement = settle(there, result.lap, result.stopping, seat, laps)
        if settlement.banned:
            self.ban(there, settlement.banned)
        return settlement

    def settle(self, position: WatchedGame, result: LoopResult, declare: Declare) -> Settlement | None:
        """Plan, and play the steps in `position` itself, which is then where that player has to choose something else."""
        settlement = self.plan(position, result, declare)
        if settlement:
            for _, action in settlement.steps:
                position.apply(action)
            self.memory.actor = position.actor()
            self.memory.expected = settlement.banned[0] if settlement.banned else None
        return settlement

    def _repeated(self, position: WatchedGame, visit: Visit, previous: int) -> LoopResult:
        """A state that has been seen often: a warning, a suspicion or a verdict."""
        states, limit = self.memory.states, self.config.max_repeats
        if visit.times == limit:
            last, self.memory.warned = self.memory.warned, states.now
            if last == states.now - 1:  # said of this lap already, at the state before
                return LoopResult(count=visit.times, warning=True)
        lap = states.lap(previous)
        if visit.times == limit:
            heard = self.listener is not _silent and self._sees_all and lap.returns(position)
            stopping = self._who_can_stop(position, lap) if heard else None
            result = LoopResult(count=visit.times, lap=lap, warning=True, stopping=stopping)
            return self._say(EventKind.WARNING, result, position)
        if not self._sees_all:
            return self._suspect(position, states, visit)
        stopping = self._known(position, lap)
        if stopping is None:
            whole = self._repeatable(position, previous)
            if whole is None and visit.equal <= limit:
                return LoopResult(count=visit.times, lap=lap)
            lap = whole or lap
            stopping = self._search(position, lap) if whole else UNSEARCHED
        verdict = judge(stopping, visit.times, self.config)
        if self.config.once_per_loop:  # no step of a player may be taken again in the state in which it was taken
            for there, (seat, action) in zip(lap.follow(position) or (), lap.steps, strict=False):
                if seat >= 0:
                    self.ban(there, [action])
        player = verdict.stopping_player
        result = LoopResult(True, verdict.outcome, player, visit.times, lap, stopping=stopping, verdict=verdict)
        return self._say(EventKind.LOOP, result, position)

    def _suspect(self, position: WatchedGame, history: History, visit: Visit) -> LoopResult:
        """What some see has come back too often; what they do not see may have changed."""
        lap = history.lap(visit.previous or history.now)
        return self._say(EventKind.SUSPECTED, LoopResult(count=visit.times, lap=lap, suspected=True), position)

    def _repeatable(self, position: WatchedGame, previous: int) -> Lap | None:
        """The shortest lap back to an earlier visit that leads to this state once more.

        That since the last visit need not: equal states may have other numbers for the same actions, such as places that two
        cards swap in every lap. Then it takes some laps until the numbers are the same again.
        """
        states = self.memory.states
        for _ in range(LAPS_TRIED):
            lap = states.lap(previous)
            if lap.returns(position):
                return lap
            known = len(lap) == states.now - previous  # what the engine did by itself cannot be played again
            previous = states.earlier(previous)
            if not previous or not known:
                break
        return None

    def _known(self, position: WatchedGame, lap: Lap) -> Stopping | None:
        """What was found out about a lap holds wherever in it one looks: the game may go round in it for long."""
        known = self._searched.get((position.key(), len(lap), lap.steps[:1]))
        if known is None or known[0].told_from(known[1]) != lap:
            return None
        return known[2].seen_from(known[1], len(lap))

    def _search(self, position: WatchedGame, lap: Lap) -> Stopping:
        """Who can stop a lap that leads back to where it starts."""
        known = self._known(position, lap)
        if known is not None:
            return known
        found = self._who_can_stop(position, lap)
        if len(self._searched) + len(lap) > SEARCHES_KEPT:
            self._searched.clear()
        for step, there in enumerate((lap.follow(position) or [])[:-1]):
            self._searched[there.key(), len(lap), lap.steps[step : step + 1]] = (lap, step, found)
        return found

    def _who_can_stop(self, position: WatchedGame, lap: Lap) -> Stopping:
        return who_can_stop(position, lap, self.config.search_nodes, self.config.horizon, self.allowed, self.statistics)

    def _look_for_progress(self, position: WatchedGame) -> Progress | None:
        """A lap of the players that has come back to the same state but for what it changes, and where that leads."""
        streak = self.memory.streak
        streak.due = False
        core = position.core()
        if core is None:
            return None
        repeated = streak.mark((position.turn(), core), position.resources(), self.config.max_repeats)
        return project(position, repeated) if repeated else None

    def _count_limited(self, position: WatchedGame, action: int | None, turn: int) -> None:
        """Count an action in the turn in which it was taken."""
        memory = self.memory
        if turn != memory.turn:
            memory.turn = turn
            memory.taken = {}
        elif action is not None:
            for words in self._limited(position, action):
                memory.taken[words] = memory.taken.get(words, 0) + 1

    def _limited(self, position: WatchedGame, action: int) -> list[str]:
        """The limits that an action falls under."""
        text = f"{position.describe(action)} "
        return [words for words in self._limits if text.startswith(f"{words} ")]

    def _say(self, kind: EventKind, result: LoopResult, position: WatchedGame) -> LoopResult:
        self.listener(kind, result, position)
        return result


def _key_after(position: WatchedGame, action: int) -> Hashable:
    """The key of the state to which an action leads."""
    following = position.copy()
    following.apply(action)
    return following.key()


def _record_view(history: History, view: View, position: WatchedGame, code: int, by: int, turn: int) -> tuple[int, Visit]:
    """Record what `view` sees; its fingerprint is made of its key."""
    key = position.key(view)
    fingerprint = hash_key(key)
    return fingerprint, history.record(fingerprint, code, by, turn, lambda: key)
