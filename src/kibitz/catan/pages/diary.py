"""What a running analysis has so far, kept in the library: it is there when the server is killed, marked as ended early."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Any, Self

from kibitz.catan.analysis.question import InvalidQuestion, Question
from kibitz.catan.analysis.report import draw_standings
from kibitz.catan.core.actions import Action
from kibitz.catan.core.topology import CORNERS, EDGES
from kibitz.compute.runtime import Info, Runtime
from kibitz.play.share import Share, Standing
from kibitz.web.store import NotSaved, Store

#: Seconds between two entries.
EVERY = 2.0
_SO_FAR = "so_far"
#: A corner, and perhaps an edge, as candidates are named.
_CORNER = re.compile(r"V(\d{1,2})(?:-E(\d{1,2}))?", re.ASCII)


class Diary:
    """Writes down how an analysis stands, from time to time; at its end the answer takes that place."""

    def __init__(self, store: Store, question: Question, title: str, id: str | None = None) -> None:
        """Begin with nothing done; `id` is what it is called in the library."""
        self._store, self._question, self._title, self._id = store, question, title, id
        self._written = 0.0
        self._kept = self._lost = False
        self._note(Info(0, 0, 0.0))

    def follow(self, runtime: Runtime) -> None:
        """Hear how the work goes, beside whoever hears of it already."""
        tell = runtime.on_info

        def on_info(info: Info) -> None:
            tell(info)
            if monotonic() - self._written >= EVERY:
                self._note(info)

        runtime.on_info = on_info

    def _note(self, info: Info) -> None:
        self._written = monotonic()
        if self._was_deleted():
            return
        try:
            title = f"{self._title}: {info.done:,}{f' of {info.total:,}' if info.total else ''} games"
            self._id = self._store.save("analysis", title, unfinished(self._question, info), self._id, over=False)
            self._kept = True
        except NotSaved:  # the store has logged why; perhaps the answer itself can be saved
            pass

    def end(self, title: str, data: dict[str, Any]) -> str:
        """The answer is there: its id in the library; nothing, if it was deleted before it was there. Raises `NotSaved`."""
        if self._was_deleted():
            return ""
        return self._store.save("analysis", title, data, self._id, over=True)

    def drop(self) -> None:
        """There will be no answer: forget what was kept."""
        if self._kept and self._id is not None:
            with suppress(NotSaved):  # the store has logged why
                self._store.delete(self._id)

    def _was_deleted(self) -> bool:
        """Whether somebody deleted it meanwhile: it does not come back."""
        self._lost = self._lost or (self._kept and self._id is not None and self._store.changed(self._id) is None)
        return self._lost


def unfinished(question: Question, info: Info) -> dict[str, Any]:
    """How an analysis stands, for the library."""
    standings = [
        {"name": one.name, "win_rate": one.win_rate.to_json(), "value": one.value, "racing": one.racing} for one in info.ranking
    ]
    so_far = {"done": info.done, "total": info.total, "standings": standings}
    return {"analysis": "catan", "version": 1, "question": question.to_json(), _SO_FAR: so_far}


def is_unfinished(data: Any) -> bool:
    """Whether the library has no answer, but only how it stood."""
    return isinstance(data, dict) and _SO_FAR in data


@dataclass(frozen=True)
class Unfinished:
    """An analysis that ended before its answer: what was asked, and how it stood."""

    question: Question
    done: int
    total: int
    standings: tuple[Standing, ...]

    @classmethod
    def of(cls, data: Any) -> Self:
        """Read what `unfinished` wrote. Raises `InvalidQuestion`."""
        try:
            so_far = data[_SO_FAR]
            standings = tuple(
                Standing(str(one["name"]), _share(one["win_rate"]), float(one["value"]), bool(one["racing"]))
                for one in so_far["standings"]
            )
            for one in standings:
                check_candidate(one.name)
            return cls(Question.from_json(data["question"]), int(so_far["done"]), int(so_far["total"]), standings)
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidQuestion(f"this analysis cannot be read: {error}") from None

    @property
    def told(self) -> str:
        """That it ended early, in words."""
        if not self.done:
            return "This analysis ended early: the server stopped before there were any results."
        of_all = f" of {self.total:,}" if self.total else ""
        return f"This analysis ended early, after {self.done:,}{of_all} games: the server stopped."

    def drawing(self) -> str:
        """The board with the candidates as they stood."""
        return draw_standings(self.standings, self.question.states())


def check_candidate(name: str) -> None:
    """Whether it is a corner with or without a road (``V23``, ``V23-E45``), or the text of an action. Raises a ValueError.

    >>> check_candidate("V41"), check_candidate("V23-E45"), check_candidate("build_city 23")
    (None, None, None)
    >>> check_candidate("V54")
    Traceback (most recent call last):
    ...
    ValueError: 'V54' is no candidate
    """
    found = _CORNER.fullmatch(name)
    if found is None:
        Action.from_text(name)
    elif int(found[1]) >= CORNERS or int(found[2] or 0) >= EDGES:
        raise ValueError(f"{name!r} is no candidate")


def _share(data: dict[str, Any]) -> Share:
    return Share(int(data["won"]), int(data["games"]), data.get("fair"), data.get("as_good_as"))
