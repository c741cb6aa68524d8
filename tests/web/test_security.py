"""Who comes in and who does not: hosts, origins, tokens, sizes, and what browsers are told."""

import os
import subprocess
import sys
from contextlib import suppress

import httpx
import pytest

from kibitz.web.security import COOKIE, Gate
from kibitz.web.services import Options
from tests.web.driver import free_port

LOCAL = {"host": "127.0.0.1:8477"}


async def echo(scope, receive, send):
    """An app that reads everything and says how much it was."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    size, more = 0, True
    while more:
        message = await receive()
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
    await send({"type": "http.response.body", "body": str(size).encode()})


def ask(options, method="GET", path="/", query="", kind="http", body=(b"",), **headers):
    """The messages that the gate sends for one request; its first, with the headers by name."""
    sent = []
    parts = [{"type": "http.request", "body": part, "more_body": n < len(body) - 1} for n, part in enumerate(body)]

    async def receive():
        return parts.pop(0)

    async def send(message):
        sent.append(message)

    named = {**LOCAL, **{name.replace("_", "-"): value for name, value in headers.items()}}
    scope = {
        "type": kind, "method": method, "path": path, "raw_path": path.encode(), "query_string": query.encode(),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in named.items()],
    }  # fmt: skip
    run = Gate(echo, options)(scope, receive, send)
    with pytest.raises(StopIteration):  # nothing in it waits
        run.send(None)
    first = sent[0]
    return first, {name.decode(): value.decode() for name, value in first.get("headers", [])}, sent


HERE, OPEN = Options(), Options(host="0.0.0.0", token="secret-token")


@pytest.mark.parametrize("host", ["127.0.0.1:8477", "localhost:8477", "[::1]:8477", "LOCALHOST"])
def test_this_machine_is_served(host):
    first, headers, _ = ask(HERE, host=host)
    assert first["status"] == 200
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "'self'" in headers["content-security-policy"]
    assert "http:" not in headers["content-security-policy"].replace(f"ws://{host}", "")
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8477", "127.0.0.1.evil.example", "", "[", "a b", "127.0.0.1@evil"]
)
def test_a_name_that_is_not_ours_is_not(host):
    assert ask(HERE, host=host)[0]["status"] == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "http://[", "file://"])
def test_a_page_of_another_site_changes_nothing(origin):
    assert ask(HERE, "POST", "/api/analyse", origin=origin)[0]["status"] == 403
    assert ask(HERE, "GET", "/_nicegui_ws/socket.io/", origin=origin)[0]["status"] == 403
    assert ask(HERE, kind="websocket", origin=origin)[0]["type"] == "websocket.close"


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_page_of_another_site_may_lead_here_but_not_embed_anything(site):
    def asked(mode, dest, path="/track"):
        return ask(HERE, path=path, sec_fetch_site=site, sec_fetch_mode=mode, sec_fetch_dest=dest)[0]["status"]

    assert asked("navigate", "document") == 200
    assert asked("navigate", "iframe") == 403
    assert asked("no-cors", "image") == 403
    assert asked("cors", "empty", "/api/health") == 200  # an extension; a page could not read the answer
    assert ask(HERE, sec_fetch_site="same-origin", sec_fetch_mode="no-cors", sec_fetch_dest="script")[0]["status"] == 200


@pytest.mark.parametrize("origin", ["http://127.0.0.1:8477", "chrome-extension://abcdef", "moz-extension://abcdef"])
def test_our_own_page_and_extensions_may(origin):
    assert ask(HERE, "POST", "/api/analyse", origin=origin)[0]["status"] == 200
    assert ask(HERE, kind="websocket", origin=origin)[0]["type"] == "websocket.accept"


def test_a_large_request_is_refused_whether_it_says_so_or_not():
    small = Options(body=1000)
    assert ask(small, "POST", content_length="1001")[0]["status"] == 413
    assert ask(small, "POST", body=(b"x" * 600, b"x" * 600))[0]["status"] == 413
    assert ask(small, "POST", body=(b"x" * 600, b"x" * 400))[0]["status"] == 200
    assert ask(small, "POST", content_length="many")[0]["status"] == 400
    assert ask(small, "POST", content_length="9" * 500)[0]["status"] == 413


def test_refusals_of_the_api_are_json():
    _, headers, sent = ask(HERE, "POST", "/api/analyse", origin="http://evil.example")
    assert headers["content-type"] == "application/json"
    assert sent[1]["body"] == b'{"error": "a page of another site asked for this"}'


def test_others_need_the_token():
    assert ask(OPEN, host="192.168.0.7")[0]["status"] == 401
    assert ask(OPEN, host="192.168.0.7", query="token=wrong")[0]["status"] == 401
    assert ask(OPEN, cookie=f"{COOKIE}=wrong")[0]["status"] == 401
    assert ask(OPEN, cookie=f"{COOKIE}=secret-token")[0]["status"] == 200
    assert ask(OPEN, authorization="Bearer secret-token")[0]["status"] == 200
    assert ask(OPEN, authorization="bearer secret-token")[0]["status"] == 200
    assert ask(OPEN, authorization="Basic secret-token")[0]["status"] == 401
    assert ask(OPEN, kind="websocket")[0]["type"] == "websocket.close"
    assert ask(OPEN, kind="websocket", cookie=f"a=b; {COOKIE}=secret-token")[0]["type"] == "websocket.accept"


def test_the_token_in_a_link_becomes_a_cookie_and_leaves_the_address():
    first, headers, _ = ask(OPEN, path="/analyse", query="mode=static&token=secret-token")
    assert first["status"] == 303
    assert headers["location"] == "/analyse?mode=static"
    assert headers["set-cookie"].startswith(f"{COOKIE}=secret-token; HttpOnly; SameSite=Lax")
    for path in ("//evil.example/", "/\\evil.example/", "\\\\evil.example/"):
        assert ask(OPEN, path=path, query="token=secret-token")[1]["location"] == "/evil.example/"


@pytest.mark.parametrize("path", ["/api/analyse", "/api/track/frames", "/_nicegui_ws/socket.io/"])
def test_a_body_without_a_length_is_not_read_for_ever(server, path):
    def endless():
        for _ in range(68):
            yield b" " * (1 << 20)

    headers = {"content-type": "application/json"}
    with suppress(httpx.WriteError, httpx.ReadError):  # where the server hangs up before all is sent
        assert httpx.post(f"{server.url}{path}", content=endless(), headers=headers).status_code in (400, 413)
    assert httpx.get(f"{server.url}/api/health").status_code == 200


def test_the_link_leads_to_where_the_server_listens():
    assert Options(host="0.0.0.0", token="t").url == "http://127.0.0.1:8477/?token=t"
    assert Options(host="::", token="t").url == "http://[::1]:8477/?token=t"
    assert Options(host="::1").url == "http://[::1]:8477/"


def test_the_real_server_is_behind_the_gate(server):
    assert httpx.get(server.url, headers={"host": "evil.example"}).status_code == 403
    assert httpx.post(f"{server.url}/api/analyse", json={}, headers={"origin": "http://evil.example"}).status_code == 403
    answer = httpx.get(f"{server.url}/analyse")
    assert answer.headers["x-frame-options"] == "DENY"
    assert "content-security-policy" in answer.headers


def run_web(*options, env=None):
    command = [sys.executable, "-m", "kibitz", "web", "--no-open", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=env)


def test_a_port_that_is_taken_is_one_line(server, tmp_path):
    port = server.url.rpartition(":")[2]
    ended = run_web("--port", port, env={**os.environ, "KIBITZ_DATA": str(tmp_path)})
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr.startswith(f"kibitz: --host 127.0.0.1 --port {port}: cannot listen there (")
    assert ended.stderr.count("\n") == 1


def test_a_second_server_on_the_same_library_says_where_the_first_one_is(server):
    for port in (free_port(), server.url.rpartition(":")[2]):
        ended = run_web("--port", str(port), env={**os.environ, "KIBITZ_DATA": str(server.data)})
        assert ended.returncode == 2
        expected = f"kibitz: kibitz web is running already at {server.url}/, with the library in {server.data}\n"
        assert (ended.stdout, ended.stderr) == ("", expected)


def test_a_folder_that_cannot_hold_the_library_is_one_line(tmp_path):
    (tmp_path / "file").write_text("in the way")
    ended = run_web("--port", str(free_port()), env={**os.environ, "KIBITZ_DATA": str(tmp_path / "file" / "deep")})
    assert ended.returncode == 2
    assert "the library cannot be kept there" in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_without_the_extra_it_says_how_to_get_it(tmp_path):
    (tmp_path / "nicegui.py").write_text("raise ModuleNotFoundError('no', name='nicegui')")
    (tmp_path / "uvicorn.py").write_text("raise ModuleNotFoundError('no', name='uvicorn')")
    ended = run_web(env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert ended.returncode == 2
    assert ended.stderr == "kibitz: Kibitz in the browser needs an extra: pip install 'kibitz[web]'\n"


def test_a_host_that_others_reach_comes_with_a_warning_and_a_token(monkeypatch, capsys):
    from kibitz.cli.web import web
    from kibitz.web import server as module

    served = []

    def serve(options, open_browser, on_ready):
        served.append((options, open_browser))
        on_ready()

    monkeypatch.setattr(module, "serve", serve)
    web(port=8477, host="0.0.0.0", no_open=True)
    out, err = capsys.readouterr()
    options, opened = served[0]
    assert len(options.token) > 20
    assert f"?token={options.token}" in out
    assert "others on the network can reach this" in err
    assert not opened
    web(port=8477, host="127.0.0.1", no_open=True)
    assert served[1][0].token is None
    assert "token" not in capsys.readouterr().out
