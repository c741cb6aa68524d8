"""The wheel, as an index would show it: built here, without a network."""

import re
import subprocess
import sys
import zipfile
from email import message_from_string
from pathlib import Path

import pytest

pytest.importorskip("hatchling", reason="the tools are not installed (make setup)")

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.once


def built(folder, **environment):
    """The metadata of a wheel."""
    build = f"import hatchling.build; print(hatchling.build.build_wheel({str(folder)!r}))"
    done = subprocess.run([sys.executable, "-c", build], cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    with zipfile.ZipFile(folder / done.stdout.split()[-1]) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        return message_from_string(wheel.read(name).decode())


@pytest.fixture(scope="module")
def metadata(tmp_path_factory):
    return built(tmp_path_factory.mktemp("wheel"))


def test_the_page_shows_nothing_that_is_not_there(metadata):
    text = metadata.get_payload()
    assert re.findall(r"\]\((?!https?://)[^)]*\)", text) == []
    assert "![" not in text
    assert text.startswith("# Kibitz")
    assert "ask for any seat, at any point of the draft" in text
    assert "The figures, each with the command that reproduces it" in text
    assert metadata["Description-Content-Type"] == "text/markdown"


def test_links_are_those_of_who_releases_it(metadata, tmp_path):
    assert metadata["Project-URL"] is None
    assert metadata["Dynamic"] is None
    assert built(tmp_path, KIBITZ_HOME="https://example.org/kibitz")["Project-URL"] == "Homepage, https://example.org/kibitz"


def test_no_tool_is_pinned_for_users(metadata):
    needs = metadata.get_all("Requires-Dist")
    assert [need for need in needs if "==" in need.partition(";")[0]] == []
    assert "dev" not in metadata.get_all("Provides-Extra")
    assert [need for need in needs if re.match(r"(pytest|ruff|mypy|sphinx)\b", need)] == []
