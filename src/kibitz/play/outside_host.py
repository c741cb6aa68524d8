"""The process in which a bot from outside runs: it loads the bot and answers one request after another.

Started by `kibitz.play.outside` as ``python -m kibitz.play.outside_host FILE CLASS MODULE``. Requests come on standard
input, pickled; answers go to standard output, a line of JSON each: the asking side never unpickles what a bot has made. What
the bot prints goes to standard error. When the other side is gone, the process ends at once, even in the middle of a thought,
and so do all that the bot has started.

Only the standard library is imported here, so that the process is there in a moment.
"""

import importlib
import importlib.util
import io
import json
import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from types import ModuleType
from typing import Any

#: No message about a bot is longer.
LONGEST_MESSAGE = 200
#: No action is written with more letters.
LONGEST_ACTION = 1000
#: Bytes that say how long a request is.
LENGTH = 4
#: Bytes of memory that a bot may take, where the system can tell (Linux): more is a MemoryError and does not stall the machine.
MEMORY = 4 << 30


class NotABot(Exception):
    """What was loaded cannot play; the message is one line for people."""


def main() -> None:
    """Load the bot, say whether that went well, and answer requests until there are no more."""
    file, name, module = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who plays, who ends this process
    bound_memory()
    requests: SimpleQueue[bytes] = SimpleQueue()
    asked, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    Thread(target=_listen, args=(asked, requests), daemon=True).start()

    def answer(reply: dict[str, Any]) -> None:
        print(json.dumps(reply), file=answers, flush=True)

    try:
        make = load(Path(file), name)
        check(make())
    except NotABot as error:
        answer({"failed": str(error)})
        return
    except BaseException as error:  # noqa: BLE001  (somebody else's code: whatever it raises is told to its author)
        answer({"failed": words(error, file)})
        return
    importlib.import_module(module)
    answer({"loaded": True})
    seat, process = Seat(make, file), os.getpid()
    while True:
        reply = seat.answer(requests.get())
        if os.getpid() != process:  # the bot has forked, and both return from its thought: one of them answers
            os._exit(0)
        answer(reply)


def bound_memory() -> None:
    """No more than `MEMORY`, or what was allowed before if that is less."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        least = min(limit for limit in (MEMORY, soft, hard) if limit != resource.RLIM_INFINITY)
        resource.setrlimit(resource.RLIMIT_DATA, (least, hard))


def _listen(asked: io.BufferedReader, requests: SimpleQueue[bytes]) -> None:
    """Hand on what is asked; when nobody can ask any more there is nothing left to do."""
    while len(length := asked.read(LENGTH)) == LENGTH:
        requests.put(asked.read(int.from_bytes(length)))
    if sys.platform != "win32" and os.getpgrp() == os.getpid():  # a group of its own, as it was started
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def run_file(file: Path, name: str) -> ModuleType:
    """The module that a file becomes under a name; modules beside the file can be imported by it."""
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError("not a Python file")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load(file: Path, name: str) -> Callable[[], Any]:
    """What a file calls `name`: a class, or a function that makes a bot."""
    made = getattr(run_file(file.resolve(), f"bot_{file.stem}"), name, None)
    if made is None:
        raise NotABot(f"there is no {name} in it")
    if not callable(made):
        raise NotABot(f"{name} is not a class")
    return made  # type: ignore[no-any-return]


def check(bot: Any) -> None:
    """Refuse what cannot decide."""
    if not callable(getattr(bot, "decide", None)):
        raise NotABot("it has no method decide(observation, actions, events)")


def words(error: BaseException, file: str) -> str:
    """An error in one line, with the line of the bot's own file where it came from.

    >>> words(ValueError("no such corner"), "my_bot.py")
    'ValueError: no such corner'
    """
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename) == Path(file)]
    if isinstance(error, SyntaxError) and error.filename == file:
        lines, text = [error.lineno], error.msg
    else:
        text = " ".join(str(error).split())
    message = f"{type(error).__name__}: {text}"[:LONGEST_MESSAGE].removesuffix(": ")
    return f"{message} (line {lines[-1]})" if lines else message


def text_of(action: Any) -> str:
    """An action as text, the way `kibitz` writes it; a text stays what it is."""
    text = action if isinstance(action, str) else action.to_text() if hasattr(action, "to_text") else None
    if not isinstance(text, str):
        raise TypeError(f"decide returned {action!r:.60}, which is not an action")
    return text[:LONGEST_ACTION]


class Seat:
    """Where the bots sit that this process makes, one after the other: a new one for each game."""

    def __init__(self, make: Callable[[], Any], file: str) -> None:
        self._make, self._file = make, file
        self._bot: Any = None

    def answer(self, request: bytes) -> dict[str, Any]:
        """What the bot does: its action, or what it raised, and whether it has begun the game."""
        purpose, (fresh, seat, seed), observation, actions, events = pickle.loads(request)
        if purpose == "warm":
            observation.legal_actions()  # so that loading the compiled rules takes nothing from the bot's time
            return {"warm": repr(observation)}
        if fresh:
            self._bot = None
        try:
            if self._bot is None:
                bot = self._make()
                if hasattr(bot, "begin"):
                    bot.begin(seat, seed)
                self._bot = bot
            return {"action": text_of(self._bot.decide(observation, actions, events)), "began": True}
        except BaseException as error:  # noqa: BLE001  (as above)
            return {"raised": words(error, self._file), "began": self._bot is not None}


if __name__ == "__main__":
    main()
