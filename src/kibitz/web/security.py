"""Who may come in, and what browsers are told: one gate in front of everything, pages, API and sockets alike.

- Where only this machine is served, the name in the address must be this machine's: a foreign page that points a name of its
  own here (DNS rebinding) gets nothing.
- A page of another site may neither ask nor open a socket, since its ``Origin`` is not ours, nor make our pages part of itself:
  it may only lead to them. Browser extensions may.
- Where others can reach the app, a token is needed: in the link (it becomes a cookie), or as ``Authorization: Bearer``. A
  companion (`kibitz.web.companions`) has a token of its own, which its routes ask for.
- A request has a largest size.
"""

import json
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import SplitResult, parse_qs, urlencode, urlsplit

from fastapi import HTTPException

from kibitz.web.companions import EXTENSIONS
from kibitz.web.services import Options, is_loopback

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE = "kibitz-token"
#: Where companions ask: these routes look at the token of each themselves.
COMPANIONS = "/api/live/"
#: Vue compiles its templates in the browser, which needs eval; everything comes from this server.
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self' {sockets}; object-src 'none'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class TooLarge(HTTPException):
    """A body that is longer than it may be, found while it is read; whoever reads it may answer with this."""


class Gate:
    """The first thing that a request meets."""

    def __init__(self, app: App, options: Options) -> None:
        self._app = app
        self._options = options

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or say why not."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _refuse(scope, send, *refusal)
        elif self._options.token is not None and not scope["path"].startswith(COMPANIONS):
            if await self._is_known(scope, headers, send):
                await self._pass_on(scope, headers, receive, send)
        else:
            await self._pass_on(scope, headers, receive, send)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        host = headers.get("host", "")
        name = _split(f"//{host}").hostname or "" if _is_plain(host) else ""
        if is_loopback(self._options.host) and not is_loopback(name):
            return 403, "this address is not served: open the one that kibitz web printed"
        if _is_foreign(scope, headers, host):
            return 403, "a page of another site asked for this"
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit():
            return 400, "content-length: expected a number"
        if int(length[:20]) > self._options.body:
            return 413, self._too_large
        return None

    @property
    def _too_large(self) -> str:
        return f"the request is too large: at most {self._options.body >> 20} MB"

    async def _is_known(self, scope: Scope, headers: dict[str, str], send: Send) -> bool:
        """Whether the token was shown; if it came in the link, the answer is given here: a cookie instead."""
        token = self._options.token or ""
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        shown = query.pop("token", [""])[0]
        if scope["type"] == "http" and shown and _same(shown, token):
            rest = urlencode(query, doseq=True)
            path = scope.get("raw_path", b"/").decode("latin-1")
            target = "/" + path.lstrip("/\\") + (f"?{rest}" if rest else "")
            cookie = f"{COOKIE}={token}; HttpOnly; SameSite=Lax; Path=/; Max-Age=31536000"
            found = [("location", target), ("set-cookie", cookie), ("cache-control", "no-store")]
            await _answer(send, 303, "", found)
            return False
        scheme, _, shown = headers.get("authorization", "").strip().partition(" ")
        bearer = shown.strip() if scheme.lower() == "bearer" else ""  # the name of a scheme is the same in any case
        if _same(_cookie(headers.get("cookie", "")), token) or _same(bearer, token):
            return True
        await _refuse(scope, send, 401, "a token is needed: open the link that kibitz web printed")
        return False

    async def _pass_on(self, scope: Scope, headers: dict[str, str], receive: Receive, send: Send) -> None:
        host = headers.get("host", "")
        policy = _POLICY.format(sockets=f"ws://{host} wss://{host}" if _is_plain(host) else "")
        own = {**_HEADERS, "content-security-policy": policy}
        read, begun = 0, False

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            if message["type"] == "http.request":
                read += len(message.get("body", b""))
                if read > self._options.body:
                    raise TooLarge(413, self._too_large)
            return message

        async def marked(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                there = {name.lower() for name, _ in message["headers"]}
                extra = [(n.encode(), v.encode("latin-1")) for n, v in own.items() if n.encode() not in there]
                message["headers"] = [*message["headers"], *extra]
            await send(message)

        try:
            await self._app(scope, counted, marked)
        except TooLarge as error:
            if not begun:
                await _refuse(scope, send, error.status_code, error.detail)


def _is_plain(host: str) -> bool:
    """Whether a host can stand in a header of ours as it is."""
    return bool(host) and all(c.isalnum() or c in ".-:[]_" for c in host) and host.isascii()


def _is_foreign(scope: Scope, headers: dict[str, str], host: str) -> bool:
    """Whether a page of another site asks: it may lead here by a link, but not embed what is here."""
    if (origin := headers.get("origin")) is not None:
        found = _split(origin)
        ours = found.scheme in ("http", "https") and found.netloc.lower() == host.lower()
        return not ours and found.scheme not in EXTENSIONS
    if scope["type"] == "websocket" or scope["path"].startswith("/api/"):  # an extension need not name itself when it reads
        return False
    leads = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return headers.get("sec-fetch-site") in ("cross-site", "same-site") and not leads


def _split(address: str) -> SplitResult:
    """The parts of an address; empty for what is not an address."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def _same(a: str, b: str) -> bool:
    return secrets.compare_digest(a.encode("utf-8", "replace"), b.encode())


def _cookie(header: str) -> str:
    try:
        found = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return "" if found is None else found.value


async def _refuse(scope: Scope, send: Send, status: int, message: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": message})
    elif scope["path"].startswith("/api/"):
        await _answer(send, status, json.dumps({"error": message}), [("content-type", "application/json")])
    else:
        await _answer(send, status, message, [("content-type", "text/plain; charset=utf-8")])


async def _answer(send: Send, status: int, text: str, headers: list[tuple[str, str]]) -> None:
    body = text.encode()
    every = [*headers, ("content-length", str(len(body))), *_HEADERS.items()]
    encoded = [(name.encode(), value.encode("latin-1")) for name, value in every]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})
