"""What a soak has done, killed, checked and lost. All parts write to one ledger, from threads of their own."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

#: So many losses are told in words; the others are only counted.
TOLD = 20


@dataclass
class Line:
    """The counts of one kind of thing."""

    done: int = 0
    killed: int = 0
    checks: int = 0
    lost: int = 0


@dataclass
class Ledger:
    """The counts by kind, in the order in which the kinds came up, and the first losses in words."""

    lines: dict[str, Line] = field(default_factory=dict)
    losses: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def _line(self, kind: str) -> Line:
        return self.lines.setdefault(kind, Line())

    def did(self, kind: str, times: int = 1) -> None:
        with self._lock:
            self._line(kind).done += times

    def killed(self, kind: str) -> None:
        with self._lock:
            self._line(kind).killed += 1

    def check(self, kind: str, holds: bool, otherwise: str) -> None:
        """Count a check; where it does not hold, something is lost: `otherwise` says what."""
        with self._lock:
            line = self._line(kind)
            line.checks += 1
            if not holds:
                line.lost += 1
                if len(self.losses) < TOLD:
                    self.losses.append(f"{kind}: {otherwise}")

    @property
    def total(self) -> Line:
        """All kinds together."""
        with self._lock:
            lines = list(self.lines.values())
        return Line(*(sum(getattr(line, name) for line in lines) for name in ("done", "killed", "checks", "lost")))
