"""``kibitz doctor``: what is here, what is missing, and the exit code."""

import json
from importlib import import_module, metadata

from kibitz import __version__


def test_doctor_says_what_is_here(kibitz):
    code, out, _ = kibitz("doctor")
    assert code == 0
    assert out.startswith(f"kibitz      {__version__}")
    for word in ("python", "packages", "numba", "gpu", "cluster"):
        assert word in out


def test_doctor_tells_what_is_compiled_already():
    lines = import_module("kibitz.cli.doctor")._about_code(
        {"mode": "1", "folder": "cache", "megabytes": 3.2, "versions": 1, "parts": {"games": 65, "belief": 0, "search": 0}}
    )
    assert lines == [
        "rules       compiled",
        "  functions games 65",
        "  not yet   belief, search",
        "cache       cache, 3 MB, 1 folders",
    ]


def test_doctor_as_json(kibitz):
    code, out, _ = kibitz("doctor", "--json")
    found = json.loads(out)
    assert (code, found["problems"]) == (0, [])
    assert found["packages"]["numpy"] == metadata.version("numpy")
    assert "bench" not in found["extras"]


def test_doctor_names_what_is_missing(kibitz, monkeypatch):
    needed = ["no-such-package>=1", "nor-this; extra == 'web'", 'pytest; extra == "bench"']
    monkeypatch.setattr(metadata, "requires", lambda name: needed)
    code, out, _ = kibitz("doctor")
    assert code == 1
    assert "no-such-package MISSING" in out
    assert "web       not installed (pip install 'kibitz[web]')" in out
    assert "problem     no-such-package is not installed" in out


def test_doctor_tries_a_cluster(kibitz):
    code, out, _ = kibitz("doctor", "--cluster", "tcp://127.0.0.1:1")
    assert code == 1
    assert "problem     cluster: no Dask scheduler answers at tcp://127.0.0.1:1" in out
