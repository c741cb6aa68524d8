"""Companions: browser extensions that may tell this Kibitz what they see, each after it was paired once with a code.

>>> from tempfile import mkdtemp
>>> kept = Companions(Path(mkdtemp()))
>>> code, origin = kept.new_code(), "chrome-extension://abcdefgh"
>>> kept.pair("WRONG", origin) is None
True
>>> token = kept.pair(code, origin)
>>> kept.known(token, origin), kept.known(token, "chrome-extension://other")
(True, False)
>>> kept.pair(code, origin) is None  # a code is good once
True

All is in one small file, so that a code can be made on the command line while the server runs. Whoever writes last wins: of
what two processes write at the same moment one part may be lost, and the code has to be made once more. Codes and tokens are
kept as hashes alone.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import tempfile
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

#: The file in the data folder.
FILE = "companions.json"
#: How the address of a browser extension begins, which no page can claim.
EXTENSIONS = ("chrome-extension", "moz-extension", "safari-web-extension")
#: Letters of a code: none that look alike.
_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
_LENGTH = 8
#: Seconds for which a code is good, and wrong ones that it survives.
LASTS, TRIES = 600.0, 5
#: Companions that are kept; the oldest make room.
MOST = 20


def is_extension(origin: str) -> bool:
    """Whether an origin is that of a browser extension.

    >>> is_extension("moz-extension://1b2c"), is_extension("https://example.org"), is_extension("")
    (True, False, False)
    """
    try:
        found = urlsplit(origin)
    except ValueError:
        return False
    return found.scheme in EXTENSIONS and bool(found.netloc)


class Companions:
    """Who is paired, the code of the moment, and what was set for them. For any thread of one server."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.Lock()

    def new_code(self) -> str:
        """A code that pairs one companion within ten minutes; the one before it is void."""
        letters = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
        with self._lock:
            kept = self._read()
            kept["code"] = {"hash": _hashed(letters), "until": time.time() + LASTS, "tries": TRIES}
            self._write(kept)
        return f"{letters[:4]}-{letters[4:]}"

    def pair(self, code: str, origin: str) -> str | None:
        """The token of a companion that has shown the code; None for a wrong one, or where there is none."""
        typed = "".join(letter for letter in code.upper() if letter.isalnum())[:64]
        with self._lock:
            kept = self._read()
            waiting = kept["code"]
            if waiting is None or not is_extension(origin):
                return None
            if waiting["until"] < time.time() or not hmac.compare_digest(waiting["hash"], _hashed(typed)):
                waiting["tries"] -= 1
                kept["code"] = waiting if waiting["tries"] > 0 and waiting["until"] > time.time() else None
                self._write(kept)
                return None
            token = secrets.token_urlsafe(32)
            paired = {"token": _hashed(token), "origin": origin, "since": datetime.now(UTC).isoformat(timespec="seconds")}
            kept |= {"code": None, "paired": [*kept["paired"], paired][-MOST:]}
            self._write(kept)
        return token

    def known(self, token: str, origin: str) -> bool:
        """Whether a companion with this token was paired, from this origin."""
        if not token or not is_extension(origin):
            return False
        shown = _hashed(token)
        with self._lock:
            paired = self._read()["paired"]
        return any(one["origin"] == origin and hmac.compare_digest(one["token"], shown) for one in paired)

    def paired(self) -> list[str]:
        """Since when each is, the latest last."""
        with self._lock:
            return [one["since"] for one in self._read()["paired"]]

    def forget(self) -> None:
        """Pair with nobody any more."""
        with self._lock:
            self._write({**self._read(), "paired": [], "code": None})

    def setting(self, name: str, default: str) -> str:
        """What was set for all companions."""
        with self._lock:
            return str(self._read()["settings"].get(name, default))

    def set(self, name: str, value: str) -> None:
        """Set something for all companions."""
        with self._lock:
            kept = self._read()
            kept["settings"][name] = value
            self._write(kept)

    def _read(self) -> dict[str, Any]:
        try:
            kept = json.loads(self._path.read_text(encoding="utf-8"))
            return {"code": kept["code"], "paired": [*kept["paired"]], "settings": {**kept["settings"]}}
        except (OSError, ValueError, KeyError, TypeError):  # there is none yet, or it is damaged: then nobody is paired
            return {"code": None, "paired": [], "settings": {}}

    def _write(self, kept: dict[str, Any]) -> None:
        """Write all of it, whole or not at all, for this user's eyes alone."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=f".{FILE}")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(kept, file)
        Path(name).replace(self._path)


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
