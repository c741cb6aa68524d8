"""What a guard found out about a loop, in sentences: for players, for `kibitz loops lab` and for the page of the loop lab."""

from collections.abc import Callable, Iterator, Sequence

from kibitz.ground.signs import signed
from kibitz.ground.texts import counted
from kibitz.loops.guard import EventKind, LoopResult
from kibitz.loops.lab import Note
from kibitz.loops.lap import Ending, Progress
from kibitz.loops.protocol import WatchedGame
from kibitz.loops.stopping import Answer, Stopping
from kibitz.loops.verdict import Case, Settlement, Verdict

#: So many ways out of a loop are suggested; so many to a player at the table.
WAYS, WAYS_AT_TABLE = 5, 3
#: An action in a position, as the players call it.
Describe = Callable[[WatchedGame, int], str]


def said(note: Note) -> str:
    """What the guard said of the position before it."""
    result = note.result
    if result.warning:
        return f"this state has been seen {result.count} times: once more, and it is a loop"
    if result.suspected:
        return f"what is public has been the same {result.count} times"
    if result.progress:
        return f"{result.progress.done} laps, the same but for what each lap changes: {result.words}"
    return f"this state has been seen {result.count} times: {result.words}"


def told(kind: EventKind, result: LoopResult, position: WatchedGame, seat: int, describe: Describe) -> str | None:
    """What to tell the player at `seat` about a loop, or shortly before one: how things stand, and how they can leave it.

    >>> from kibitz.loops.config import MODELS
    >>> from kibitz.loops.drive import Guarded, choose_first, play
    >>> from kibitz.loops.guard import LoopGuard
    >>> from kibitz.loops.lab import LAB
    >>> def tell(kind, result, position):
    ...     print(told(kind, result, position, 1, lambda there, action: there.describe(action)))
    >>> hook = Guarded(LoopGuard(MODELS["declare"], listener=tell))
    >>> ending = play(LAB["other"].start(), choose_first, hook)
    this position has come up 4 times: once more, and it is a loop; you can leave it: leave the card rested
    this position has come up 5 times: player 2 declares; you can leave it: leave the card rested
    """
    if kind not in (EventKind.WARNING, EventKind.LOOP):
        return None
    what = "once more, and it is a loop" if kind == EventKind.WARNING else result.words
    around = result.lap.follow(position) if result.lap and result.stopping else None
    ways = []
    if around and result.stopping:
        ways = [describe(around[one.step], one.action) for one in result.stopping.breaks_of(seat)]
    out = f"; you can leave it: {', or '.join(list(dict.fromkeys(ways))[:WAYS_AT_TABLE])}" if ways else ""
    return f"this position has come up {result.count} times: {what}{out}"


def changes(found: Progress) -> Iterator[str]:
    """What each lap changes.

    >>> from kibitz.loops.lap import Lap
    >>> list(changes(Progress(Lap(()), {"player 1 power": 1000})))
    ['player 1 power +1000']
    """
    return (f"{name} {signed(change)}" for name, change in found.changes.items())


def leads_to(found: Progress) -> str:
    """What a lap that is repeated comes to, and when."""
    when = "" if found.laps is None else f" after {counted(found.laps, 'more lap')}"
    what = f"{found.first}{when}" if found.first else f"the end{when}"
    if found.bounded:
        return f"{found.first} pays for it: for {found.done + (found.laps or 0)} laps in all"
    if found.ending == Ending.GAME_OVER:
        wins = "the game is over" if found.winner is None else f"player {found.winner + 1} wins"
        return f"reaches its threshold first: {what}; then {wins}"
    if found.ending == Ending.CIRCLE:
        return f"reaches its threshold first: {what}; from there on it is a loop"
    return f"how it ends: {found.ending}{when}"


def who_can(stopping: Stopping) -> str:
    """Who can stop a loop, and how much was looked at to find out."""
    answers = ", ".join(f"player {seat + 1} {answer}" for seat, answer in stopping.answers.items())
    if stopping.together:
        *most, last = [str(seat + 1) for seat in stopping.together]
        answers += f"; only together: players {', '.join(most)} and {last}"
    if stopping.by_chance != Answer.NO:
        answers += f"; chance {stopping.by_chance}"
    looked = f"{stopping.nodes:,} positions looked at{', all there are' if stopping.exact else ''}"
    return f"{answers or 'nobody knows'} ({looked})"


def ways_out(ways: Sequence[str]) -> list[str]:
    """The best ways out, and how many others there are."""
    others = [f"and {len(ways) - WAYS} other ways"] if len(ways) > WAYS else []
    return [*ways[:WAYS], *others]


def stops(settlement: Settlement) -> str:
    """Who stops, and when."""
    seat, laps, played = settlement.seat, settlement.laps, settlement.laps_played
    if laps == 0:
        return f"player {seat + 1} stops at once"
    skipped = f": {played} played, {laps - played:,} skipped, since they change nothing" if laps > played else ""
    return f"player {seat + 1} stops after {counted(laps, 'more lap')}{skipped}"


def rule(verdict: Verdict) -> str:
    """What the rules under which players declare say in such a case."""
    return {
        Case.BOTH: "rule 11-1: the turn player declares a number of laps, then the other; the smaller is played",
        Case.ONE: "rule 11-1: the one who can stop it declares a number of laps and then stops",
        Case.NEITHER: "rule 11-1: neither player can stop it, so the game is a draw",
        Case.TOGETHER: "rule 11-1: neither player can stop it alone, so the game is a draw",
        Case.CHANCE: "the next lap may be another: the game goes on",
        Case.UNKNOWN: "nobody knows who can stop it: the game goes on",
    }[verdict.case]
