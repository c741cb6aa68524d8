"""The example of a client in the docs is a client."""

import os
import re
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "web.md").read_text()


def test_the_client_of_the_docs_runs(server):
    (code,) = re.findall(r"```py\n(.*?)```", TEXT, re.DOTALL)
    environment = {**os.environ, "KIBITZ_URL": server.url}
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    first, second = ended.stdout.splitlines()
    assert re.fullmatch(r"V\d+ wins \d+% of its games", first)
    assert second == "Bob holds ore with a chance of 33%"


def test_every_route_of_the_docs_exists(api):
    routes = {f"/api{path}" for path in api.get("/openapi.json").json()["paths"]}
    named = {path.partition("?")[0] for path in re.findall(r"`(?:[A-Z]+ )?(/api/[^`]+)`", TEXT)}
    assert named - {"/api/", "/api/openapi.json"} <= routes | {
        "/api/track/{id}/stream"
    }  # events, which the description of the API cannot tell


def test_the_client_in_javascript_runs(server, visitor):
    (code,) = re.findall(r"```javascript\n(.*?)```", (DOCS / "howto" / "http_api.md").read_text(), re.DOTALL)
    told = visitor("/").evaluate(f"async () => {{{code.replace('http://127.0.0.1:8477', server.url)}}}")
    assert round(told, 3) == 0.333
