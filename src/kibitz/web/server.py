"""The app as a server of this machine."""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
import webbrowser
from types import FrameType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import uvicorn

from kibitz.web.jobs import step_back
from kibitz.web.options import Options

if TYPE_CHECKING:
    from kibitz.web.services import Services

#: Threads that work in the background give way to those that answer clicks so often, in seconds.
SWITCH = 0.001
#: Seconds that requests under way have when the server ends.
LAST_WAIT = 3


def serve(options: Options, open_browser: bool) -> None:
    """Serve until Ctrl-C."""
    os.environ.setdefault("NICEGUI_STORAGE_PATH", str(options.data / "nicegui"))
    from kibitz.web.app import create_app
    from kibitz.web.services import Services

    sys.setswitchinterval(SWITCH)
    services = Services.start(options)
    app = create_app(services)
    config = uvicorn.Config(
        app, host=options.host, port=options.port, log_level="warning", access_log=False, ws_max_size=options.body,
        limit_concurrency=2000, timeout_keep_alive=30, timeout_graceful_shutdown=LAST_WAIT, server_header=False,
    )  # fmt: skip
    threading.Thread(target=_load_rules, daemon=True).start()
    if open_browser:
        threading.Thread(target=_open_when_ready, args=(options,), daemon=True).start()
    _Server(config, services).run()


class _Server(uvicorn.Server):
    """A server that stops all work when it is told to end, so that no request waits for it any more."""

    def __init__(self, config: uvicorn.Config, services: Services) -> None:
        super().__init__(config)
        self._services = services

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        threading.Thread(target=self._services.jobs.close, daemon=True).start()
        super().handle_exit(sig, frame)


def _load_rules() -> None:
    """Load the rules before somebody needs them; the first time they are compiled."""
    from kibitz.cli.catan_input import warm_up

    step_back()
    warm_up()


def is_free(host: str, port: int) -> bool:
    """Whether nobody listens at an address yet."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def _open_when_ready(options: Options) -> None:
    address = urlsplit(options.url).hostname, options.port
    for _ in range(100):
        time.sleep(0.1)
        try:
            socket.create_connection(address, timeout=1).close()
        except OSError:  # not yet
            continue
        webbrowser.open(options.url)
        return
