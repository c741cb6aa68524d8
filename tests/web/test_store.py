"""The library: what was shown as saved is there after a kill, and a file that is no library is left alone."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading

import pytest

from kibitz.web.store import OLDEST, VERSION, NotSaved, Store, StoreError

pytestmark = pytest.mark.plain

SAVER = """
import sys
from pathlib import Path
from kibitz.web.store import Store
store = Store(Path(sys.argv[1]))
for n in range(100000):
    print(store.save("log", f"number {n}", {"n": n, "padding": "x" * 2000}), flush=True)
"""


@pytest.fixture
def store(tmp_path):
    made = Store(tmp_path / "deep" / "library.sqlite3")
    yield made
    made.close()


def test_things_are_saved_listed_changed_and_deleted(store):
    first = store.save("analysis", "one", {"a": [1, None, "é"]})
    store.save("game", "two", "line\nline")
    assert [item.title for item in store.items()] == ["two", "one"]
    assert [item.title for item in store.items("analysis")] == ["one"]
    assert store.load(first).data == {"a": [1, None, "é"]}
    store.save("analysis", "one again", {"a": 2}, first)
    assert [item.title for item in store.items()] == ["one again", "two"]
    assert store.delete(first)
    assert not store.delete(first)
    assert store.load(first) is None


def test_what_others_have_changed_meanwhile_is_not_written_over(store):
    id = store.save("log", "as it was", {})
    seen = store.changed(id)
    assert store.save("log", "mine", {}, id, seen=seen) == id
    other = store.save("log", "theirs", {}, id, seen=seen)
    assert other != id
    assert (store.load(id).title, store.load(other).title) == ("mine", "theirs")
    store.delete(id)
    assert store.changed(id) is None
    assert store.save("log", "again", {}, id, seen=seen) == id


def test_what_belongs_to_something_is_deleted_with_it(store):
    game, other = store.save("game", "a game", {}), store.save("game", "another", {})
    for id in (game, other):
        store.save("review", "its review", {}, f"{id}.review", parent=id)
    assert store.delete(game)
    assert {item.id for item in store.items()} == {other, f"{other}.review"}
    with pytest.raises(NotSaved, match="what it belongs to was deleted"):  # a review that was still running
        store.save("review", "its review", {}, f"{game}.review", parent=game)


def test_games_are_listed_by_whether_they_are_over(store):
    store.save("game", "Catan: won", {}, "one", game="catan", over=False)
    store.save("game", "Catan: all", {}, "two", game="catan", over=True)
    store.save("game", "Coup, won", {}, "three", game="coup", over=False)
    assert [item.id for item in store.items("game", game="catan", over=False)] == ["one"]
    assert [item.id for item in store.items(game="catan", over=True)] == ["two"]
    store.save("game", "Catan: won", {}, "one", game="catan", over=True)
    assert store.items("game", game="catan", over=False) == []
    assert store.load("one").over


def test_everything_is_found_page_by_page_and_by_words(store):
    for n in range(25):
        store.save("log", f"number {n}: 50 % of_it", n)
    pages = [store.items("log", 10, first) for first in range(0, 30, 10)]
    assert [len(page) for page in pages] == [10, 10, 5]
    assert [item.title for page in pages for item in page] == [f"number {n}: 50 % of_it" for n in range(24, -1, -1)]
    assert [item.title for item in store.items(words="NUMBER 7")] == ["number 7: 50 % of_it"]
    assert len(store.items(words="50 % of_i")) == 25
    assert store.items(words="\ud83d") == []
    assert store.items(words="of it") == []  # what stands for any letter elsewhere is itself here


def test_a_title_is_data_and_not_a_statement(store):
    title = "'); DROP TABLE items; --<script>"
    id = store.save("log", title, None)
    assert store.load(id).title == title


def test_a_title_of_half_letters_is_saved_without_them(store):
    id = store.save("log", "Ann\ud83d", {"name": "Ann\ud83d"})
    assert store.load(id).title == "Ann?"
    assert store.load(id).data == {"name": "Ann\ud83d"}


def test_a_full_disk_loses_only_what_was_said_to_be_lost(store):
    kept = store.save("log", "kept", 1)
    store._connection.execute(f"PRAGMA max_page_count={store._connection.execute('PRAGMA page_count').fetchone()[0]}")
    with pytest.raises(NotSaved, match="could not be saved: database or disk is full"):
        store.save("log", "too much", "x" * 100_000)
    assert [item.title for item in store.items()] == ["kept"]
    store._connection.execute("PRAGMA max_page_count=1000000")
    store.save("log", "again", "x" * 100_000)
    assert store.load(kept).data == 1
    assert len(store.items()) == 2


def test_a_kind_that_nobody_knows_is_refused(store):
    with pytest.raises(ValueError, match="expected one of analysis, game, log"):
        store.save("secret", "title", None)


def test_many_threads_may_save_at_once(store):
    def save(name):
        for n in range(20):
            store.save("log", f"{name} {n}", n)

    threads = [threading.Thread(target=save, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({item.title for item in store.items()}) == 80


@pytest.mark.skipif(os.name == "nt", reason="kill -9 is of Unix")
def test_what_was_saved_outlives_a_kill(tmp_path):
    path = tmp_path / "library.sqlite3"
    saver = subprocess.Popen([sys.executable, "-c", SAVER, str(path)], stdout=subprocess.PIPE, text=True)
    shown = [saver.stdout.readline().strip() for _ in range(30)]
    os.kill(saver.pid, signal.SIGKILL)
    saver.wait()
    saver.stdout.close()
    store = Store(path)
    for n, id in enumerate(shown):
        assert store.load(id).data["n"] == n
    assert store.save("log", "after", None)
    store.close()


def test_a_file_that_is_no_library_is_not_touched(tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text("Dear library, " * 100)
    with pytest.raises(StoreError, match=r"letter\.txt: not a library of Kibitz"):
        Store(path)
    assert path.read_text().startswith("Dear library")


@pytest.mark.parametrize(("version", "complaint"), [(VERSION + 1, "a later version"), (OLDEST - 1, "that is too old")])
def test_a_library_of_another_version_is_refused(tmp_path, version, complaint):
    path = tmp_path / "library.sqlite3"
    Store(path).close()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version={version}")
    connection.close()
    with pytest.raises(StoreError, match=complaint):
        Store(path)


def test_saving_waits_for_the_disk(store):
    assert store._connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
    assert store._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
