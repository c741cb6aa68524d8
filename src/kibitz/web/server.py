"""The app as a server of this machine."""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
import webbrowser

import uvicorn

from kibitz.web.jobs import step_back
from kibitz.web.options import Options

#: Threads that work in the background give way to those that answer clicks so often, in seconds.
SWITCH = 0.001


def serve(options: Options, open_browser: bool) -> None:
    """Serve until Ctrl-C."""
    os.environ.setdefault("NICEGUI_STORAGE_PATH", str(options.data / "nicegui"))
    from kibitz.web.app import create_app
    from kibitz.web.services import Services

    sys.setswitchinterval(SWITCH)
    app = create_app(Services.start(options))
    config = uvicorn.Config(
        app, host=options.host, port=options.port, log_level="warning", access_log=False, ws_max_size=options.body,
        limit_concurrency=2000, timeout_keep_alive=30, server_header=False,
    )  # fmt: skip
    threading.Thread(target=_load_rules, daemon=True).start()
    if open_browser:
        threading.Thread(target=_open_when_ready, args=(options,), daemon=True).start()
    uvicorn.Server(config).run()


def _load_rules() -> None:
    """Load the rules before somebody needs them; the first time they are compiled."""
    from kibitz.cli.common import warm_up

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
    for _ in range(100):
        time.sleep(0.1)
        if not is_free(options.host, options.port):
            webbrowser.open(options.url)
            return
