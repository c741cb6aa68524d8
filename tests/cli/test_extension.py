"""``kibitz extension``: the folder, the zip, and the code that pairs it."""

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import kibitz
from kibitz.catan.commands import extension as command
from kibitz.cli.common import UserError
from kibitz.web.companions import Companions
from kibitz.web.services import data_folder

pytestmark = [pytest.mark.plain, pytest.mark.once]

ROOT = Path(__file__).parents[2]


def test_the_folder_and_the_zip_hold_the_same_and_three_lines_say_how_to_load_it(tmp_path, capsys):
    for _ in range(2):  # again over what is there
        command.extension(tmp_path / "companion")
        lines = capsys.readouterr().out.splitlines()
        assert [line.partition(":")[0] for line in lines] == [
            "Chrome, Edge",
            "Firefox",
            "Then run kibitz web and kibitz extension --code, and enter that code on the site. For extension stores",
        ]
        assert all(str(tmp_path) in line for line in lines)
    written = {p.relative_to(tmp_path / "companion").as_posix() for p in (tmp_path / "companion").rglob("*") if p.is_file()}
    assert {"manifest.json", "hook.js", "content.js", "overlay.js", "background.js", "icons/128.png"} == written - {
        "icons/16.png",
        "icons/48.png",
    }
    with zipfile.ZipFile(tmp_path / "companion.zip") as made:
        assert set(made.namelist()) == written
        assert made.read("hook.js") == (ROOT / "extension" / "hook.js").read_bytes()


def test_it_asks_for_storage_and_two_hosts_and_nothing_else(tmp_path):
    command.write(tmp_path / "companion")
    manifest = json.loads((tmp_path / "companion" / "manifest.json").read_text())
    assert manifest["version"] == kibitz.__version__
    assert manifest["permissions"] == ["storage"]
    assert manifest["host_permissions"] == ["https://colonist.io/*", "http://127.0.0.1/*"]
    assert {match for script in manifest["content_scripts"] for match in script["matches"]} == {"https://colonist.io/*"}
    assert "connect-src http://127.0.0.1:*" in manifest["content_security_policy"]["extension_pages"]
    addresses = {
        found for path in (ROOT / "extension").glob("*.js") for found in re.findall(r"\w+://[^/`\"]+", path.read_text())
    }
    assert {address.partition(":$")[0] for address in addresses} == {"http://127.0.0.1"}


def test_another_folder_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("of years")
    with pytest.raises(UserError, match="something else"):
        command.write(tmp_path)
    with pytest.raises(UserError, match="a file"):
        command.write(tmp_path / "thesis.txt")
    (tmp_path / "companion.zip").write_text("of years")
    with pytest.raises(UserError, match=r"companion\.zip: exists and holds something else"):
        command.write(tmp_path / "companion")
    assert (tmp_path / "companion.zip").read_text() == "of years"
    assert not (tmp_path / "companion").exists()
    with pytest.raises(UserError, match="name a folder"):
        command.extension()


def test_a_code_names_the_port_where_it_is_not_the_usual_one(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path))
    assert re.fullmatch(r"\w{4}-\w{4}", command.new_code())
    (tmp_path / "server.lock").write_text("http://127.0.0.1:9000/")
    command.extension(code=True)
    code = capsys.readouterr().out.split()[0]
    assert re.fullmatch(r"\w{4}-\w{4}-9000", code)
    assert Companions(data_folder()).pair(code[:9], "moz-extension://abc")


def test_missing_files_are_said(tmp_path, monkeypatch):
    monkeypatch.setattr(kibitz, "__file__", str(tmp_path / "lib" / "kibitz" / "__init__.py"))
    with pytest.raises(UserError, match="missing"):
        command.source()


def test_the_command_line_has_it(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "kibitz", "extension", str(tmp_path / "it")], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr, len(done.stdout.splitlines())) == (0, "", 3)
