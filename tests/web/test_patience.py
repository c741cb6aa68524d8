"""A connection on which no request is ever finished is closed, and an honest one is not."""

import socket
import threading
import time

import pytest
import uvicorn

from kibitz.web import patience
from kibitz.web.server import listening


async def hello(scope, receive, send) -> None:
    """Answers when the body is there."""
    if scope["type"] == "http":
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"hi"})


@pytest.fixture(scope="module")
def port():
    """A server that waits a fifth of a second for the head of a request, and twice as long for its body."""
    patch = pytest.MonkeyPatch()
    patch.setattr(patience, "HEAD_WITHIN", 0.2)
    patch.setattr(patience, "BODY_WITHIN", 0.4)
    server = uvicorn.Server(uvicorn.Config(hello, http=patience.PatientProtocol, lifespan="off", log_level="error"))
    sock = listening("127.0.0.1", 0)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
    thread.start()
    yield sock.getsockname()[1]
    server.should_exit = True
    thread.join()
    patch.undo()


HEAD = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 4\r\n\r\n"


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost:", HEAD, HEAD + b"ab"], ids=["nothing", "half", "head", "body"])
def test_who_never_finishes_a_request_is_sent_away(port, sent):
    with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
        client.sendall(sent)
        assert client.recv(100) == b""  # closed, without an answer


def test_who_asks_slowly_but_surely_is_answered(port):
    with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
        for part in (HEAD, b"ab", b"cd"):
            client.sendall(part)
            time.sleep(0.1)
        assert client.recv(1000).endswith(b"hi")
        client.sendall(HEAD + b"abcd")  # and again on the same connection
        assert client.recv(1000).endswith(b"hi")
