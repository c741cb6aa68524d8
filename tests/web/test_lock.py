"""One server for each library, also after a kill."""

import os
import signal
import subprocess
import sys

import pytest

from kibitz.web.server import LOCK, AlreadyServed, ServerLock

pytestmark = pytest.mark.plain

HOLDER = """
import sys
from pathlib import Path
from kibitz.web.server import ServerLock
lock = ServerLock(Path(sys.argv[1]), "http://127.0.0.1:1234/")
print("held", flush=True)
sys.stdin.read()
"""


def test_the_second_is_told_where_the_first_one_is(tmp_path):
    folder = tmp_path / "deep" / "data"
    first = ServerLock(folder, "http://127.0.0.1:8477/")
    with pytest.raises(AlreadyServed, match=r"running already at http://127\.0\.0\.1:8477/, with the library in .*data"):
        ServerLock(folder, "http://127.0.0.1:9000/")
    assert (folder / LOCK).read_text() == "http://127.0.0.1:8477/"
    ServerLock(tmp_path / "other", "http://127.0.0.1:9000/").release()
    first.release()
    assert (folder / LOCK).read_text() == ""
    ServerLock(folder, "http://127.0.0.1:9000/").release()


@pytest.mark.skipif(os.name == "nt", reason="kill -9 is of Unix")
def test_a_kill_gives_the_library_back(tmp_path):
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(AlreadyServed, match="1234"):
        ServerLock(tmp_path, "")
    os.kill(holder.pid, signal.SIGKILL)
    holder.communicate()
    ServerLock(tmp_path, "http://127.0.0.1:8477/").release()
