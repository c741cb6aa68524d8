"""Our games as logs of other programs: what the readers are tested with."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.catan import logs
from kibitz.catan.core.record import Record
from tests.catan.logs import colonist_writer, jsettlers_writer

_OWN = {
    "colonist-html": colonist_writer.page,
    "colonist-frames": colonist_writer.frames,
    "colonist-replay": colonist_writer.replay,
    "jsettlers": jsettlers_writer.write,
}
#: Every format that can be written, here or by `kibitz export`.
WRITERS = (*logs.WRITERS, *_OWN)


def write(record: Record, format: str, observer: int | None = None, players: Sequence[str] | None = None) -> str:
    """A recorded game as a log, as `observer` (None: a spectator) would have got it.

    A replay and a JSettlers log hold what everybody saw, whoever looks.
    """
    return _OWN[format](record, observer, players) if format in _OWN else logs.write(record, format, observer, players)
