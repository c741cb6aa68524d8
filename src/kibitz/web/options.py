"""How the app is run: where it listens, where it keeps things, and what it allows.

>>> Options(host="127.0.0.1").token is None, Options(host="0.0.0.0").token is None
(True, False)
"""

from __future__ import annotations

import ipaddress
import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs


def data_folder() -> Path:
    """Where the library is kept: the folder named by KIBITZ_DATA, or the user's data folder."""
    return Path(os.environ.get("KIBITZ_DATA") or platformdirs.user_data_dir("kibitz"))


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a host.

    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("192.168.0.7")
    (True, True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class Options:
    """The options of ``kibitz web``, and the limits on what one request may cost."""

    host: str = "127.0.0.1"
    port: int = 8477
    data: Path = field(default_factory=data_folder)
    token: str | None = None
    """What a browser must show; made up where others can reach the app, none on this machine alone."""
    body: int = 8 << 20
    """The largest upload or request, in bytes."""
    job_workers: int = 2
    job_seconds: float = 600.0
    games: tuple[str, ...] = ()
    """Other games than those of this house: files, or examples. They are named here alone, never by a request."""
    memory: int = 1 << 30
    """Bytes for all that is known of the games that are followed at once, in pages and through the API."""

    def __post_init__(self) -> None:
        if self.token is None and not is_loopback(self.host):
            object.__setattr__(self, "token", secrets.token_urlsafe(24))

    @property
    def address(self) -> str:
        """Where it listens, as a browser on this machine is told."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)
        name = f"[{host}]" if ":" in host else host
        return f"http://{name}:{self.port}/"

    @property
    def url(self) -> str:
        """The address to open, with the token where one is needed."""
        return self.address + ("" if self.token is None else f"?token={self.token}")
