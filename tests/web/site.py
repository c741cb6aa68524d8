"""A site that plays games as colonist.io does, on this machine: a page with a board, and a WebSocket with packed messages.

The games are our own; only the shape of the messages is the site's.
"""

from __future__ import annotations

import json
import shutil
import struct
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import deepcopy
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

from kibitz.catan.core.record import Record
from tests.catan.logs.writers import write

EXTENSION = Path(__file__).parents[2] / "extension"
_PAGE = """<!doctype html><title>A game</title><style>
body { margin: 0; font: 14px sans-serif; background: #2f7fb0; }
canvas { width: calc(100vw - 330px); height: 100vh; display: block; background: #8ec6e6 %s center / contain no-repeat; }
aside { position: fixed; right: 0; top: 0; width: 330px; height: 100vh; background: #e9e3cf; }
</style><canvas></canvas><aside>The log of the game</aside><script>
window.heard = 0;
const socket = new WebSocket("ws://127.0.0.1:%d/" + location.hash.slice(1));
socket.binaryType = location.hash === "#two" ? "blob" : "arraybuffer";
socket.onmessage = () => { window.heard += 1; };
</script>"""


def pack(value: Any) -> bytes:
    """MessagePack, as far as JSON goes."""
    match value:
        case None | bool():
            return {None: b"\xc0", False: b"\xc2", True: b"\xc3"}[value]
        case int():
            return bytes([value]) if 0 <= value < 128 else struct.pack(">Bq", 0xD3, value)
        case float():
            return struct.pack(">Bd", 0xCB, value)
        case str():
            data = value.encode()
            return (bytes([0xA0 | len(data)]) if len(data) < 32 else struct.pack(">BI", 0xDB, len(data))) + data
        case list():
            head = bytes([0x90 | len(value)]) if len(value) < 16 else struct.pack(">BI", 0xDD, len(value))
            return head + b"".join(map(pack, value))
        case dict():
            head = bytes([0x80 | len(value)]) if len(value) < 16 else struct.pack(">BI", 0xDF, len(value))
            return head + b"".join(pack(key) + pack(item) for key, item in value.items())
    raise TypeError(f"{value!r} cannot be packed")


def message(type: int, payload: Any, sequence: int) -> dict[str, Any]:
    return {"id": "130", "data": {"type": type, "payload": payload, "sequence": sequence}}


def played(record: Record, observer: int | None, players: Sequence[str], number: str) -> list[dict[str, Any]]:
    """What the site sends of a game: its number first, then the full state, then patches, and what tells nothing of cards."""
    state, *patches = json.loads(write(record, "colonist-frames", observer, players))
    sent = [(1, {"databaseGameId": number, "serverId": "0a1b"}), (4, state["data"]["payload"]), (80, {})]
    sent += [(one["data"]["type"], one["data"]["payload"]) for one in patches]
    return [message(type, payload, n) for n, (type, payload) in enumerate(sent, start=1)]


def merged(state: Any, patch: Any) -> Any:
    """A state after a merge patch (RFC 7396)."""
    if not isinstance(patch, dict):
        return patch
    found = dict(state) if isinstance(state, dict) else {}
    for name, value in patch.items():
        if value is None:
            found.pop(name, None)
        else:
            found[name] = merged(found.get(name), value)
    return found


def rejoined(messages: Sequence[dict[str, Any]], log_from: int = 0) -> list[dict[str, Any]]:
    """What a page that is loaded again is sent first: the game's number and its full state now, perhaps without its old log."""
    first = deepcopy(messages[1]["data"]["payload"])
    for one in messages[2:]:
        first["gameState"] = merged(first["gameState"], one["data"]["payload"].get("diff", {}))
    log = first["gameState"]["gameLogState"]
    first["gameState"]["gameLogState"] = {key: entry for key, entry in log.items() if int(key) >= log_from}
    return [message(1, messages[0]["data"]["payload"], 1), message(4, first, 2), message(80, {}, 3)]


class Site:
    """The page is at `url`, followed by ``#`` and the name of a table; each table is played by a test."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.sockets: dict[str, ServerConnection] = {}
        self.opened = threading.Condition()

    def send(self, table: str, messages: Sequence[Any], binary: bool = True) -> None:
        """Send messages to whoever sits at a table now."""
        with self.opened:
            assert self.opened.wait_for(lambda: table in self.sockets, 30)
            socket = self.sockets[table]
        for one in messages:
            socket.send(pack(one) if binary else json.dumps(one))

    def leave(self, table: str) -> None:
        """The page is about to be loaded again: wait for another connection."""
        with self.opened:
            self.sockets.pop(table, None)


@contextmanager
def playing(drawing: str = "") -> Iterator[Site]:
    """A site, until the end of the block; its board may have a picture (a CSS image)."""
    page = b""

    class Pages(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, *_: Any) -> None:
            pass

    pages = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    site = Site(f"http://127.0.0.1:{pages.server_port}/")

    def joined(socket: ServerConnection) -> None:
        assert socket.request is not None
        with site.opened:
            site.sockets[socket.request.path[1:]] = socket
            site.opened.notify_all()
        with suppress(ConnectionClosed):
            while True:
                socket.recv()

    with serve(joined, "127.0.0.1", 0, max_size=None) as sockets:
        page = (_PAGE % (drawing, sockets.socket.getsockname()[1])).encode()
        threading.Thread(target=pages.serve_forever, daemon=True).start()
        threading.Thread(target=sockets.serve_forever, daemon=True).start()
        try:
            yield site
        finally:
            sockets.shutdown()
            pages.shutdown()
            pages.server_close()


def extension_for(site: Site, folder: Path) -> Path:
    """A copy of the extension that also runs on the page of a site of ours; nothing else in it is changed."""
    shutil.copytree(EXTENSION, folder)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    for script in manifest["content_scripts"]:
        script["matches"].append("http://127.0.0.1/*")
        script["include_globs"] = [f"{site.url}*"]  # Kibitz's own pages are on this machine, too
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder
