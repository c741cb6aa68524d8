"""A clock for the person, if they want one: so much time for each turn, their own and those of others.

>>> clock = Clock(30)
>>> clock.see(turn=5, asked=True, now=100.0)
>>> clock.left(110.0)
20.0
>>> clock.see(turn=5, asked=False, now=110.0)  # others are to move: it stands still
>>> clock.left(500.0), clock.left(999.0)
(20.0, 20.0)
>>> clock.see(turn=6, asked=True, now=1000.0)
>>> clock.left(1031.0)
0.0
"""

from nicegui import ui

from kibitz.catan.core.engine import GAME
from kibitz.catan.core.policy import BOTS
from kibitz.game import States
from kibitz.game.definition import seat_policies
from kibitz.game.doors import decide_at

#: Seconds for a turn that can be chosen.
TIMES = {0: "Off", 20: "20 seconds", 40: "40 seconds", 90: "90 seconds", 180: "3 minutes"}
#: Who decides when the time is up.
HABIT = "builder"


class Clock:
    """Runs while the person is asked, and begins anew with every turn; without `seconds` there is none."""

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        self._turn, self._used = -1, 0.0
        self._since: float | None = None

    def see(self, turn: int, asked: bool, now: float) -> None:
        """How it stands now: which turn it is, and whether the person is to decide."""
        if turn != self._turn:
            self._turn, self._used, self._since = turn, 0.0, None
        elif self._since is not None:
            self._used, self._since = self._used + now - self._since, None
        if asked:
            self._since = now

    def left(self, now: float) -> float | None:
        """Seconds that are left, at least 0; None without a clock."""
        if not self.seconds:
            return None
        running = 0.0 if self._since is None else now - self._since
        return max(0.0, self.seconds - self._used - running)


def clock_select(seconds: int) -> ui.select:
    """A choice of timers."""
    made = ui.select(TIMES, value=seconds if seconds in TIMES else 0, label="Turn timer")
    return made.props("outlined dense options-dense").classes("ct-clock-choice")


def habit(view: States) -> int:
    """What is done for somebody whose time is up: no offers, and else what `HABIT` would do."""
    xs = GAME.scratches()
    seat_policies(xs, [BOTS[HABIT]] * GAME.seats[1])
    silent = view.copy()
    silent["offers"] = silent["offer_limit"]
    return int(decide_at(silent, 0, xs, 0))
