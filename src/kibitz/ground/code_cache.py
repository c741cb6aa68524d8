"""How Numba keeps what it compiles: in a folder of ours or not at all, and never at the cost of an answer."""

import shutil
import time
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any


class CacheWarning(UserWarning):
    """What is compiled cannot be kept for the next start."""


#: What has been said of it.
_WARNED: list[Path] = []


def warn(root: Path, reason: str) -> None:
    """Say that nothing can be kept; once a process."""
    if not _WARNED:
        _WARNED.append(root)
        warnings.warn(f"cannot write {root} ({reason}): what is compiled now is compiled again next time", CacheWarning, 3)


def prune(root: Path, keep: int) -> None:
    """Delete all but the `keep` most recently used caches (never one used within the last hour)."""
    used = {}
    for folder in root.iterdir():
        with suppress(OSError):  # another process may have pruned it just now
            used[folder] = folder.stat().st_mtime
    for folder in sorted(used, key=lambda f: used[f], reverse=True)[keep:]:
        if folder.is_dir() and time.time() - used[folder] > 3600:
            shutil.rmtree(folder, ignore_errors=True)


def keep_in(folder: Path, made: Any) -> None:
    """Let Numba keep what it compiles there and nowhere else: beside the sources it would not notice an edited callee."""
    nothing = made._cache
    with suppress(RuntimeError):  # no room there, nor anywhere else
        made.enable_caching()
    if made._cache is not nothing and Path(made._cache.cache_path).is_relative_to(folder):
        keep_if_possible(made._cache)
    else:
        made._cache = nothing
        warn(folder.parent, "no room for more files")


def keep_if_possible(cache: Any) -> None:
    """Let a full, vanished or damaged disk cost the cache, not the answer."""
    load, save = cache.load_overload, cache.save_overload

    def loaded(*what: Any) -> Any:
        try:
            return load(*what)
        except Exception:  # noqa: BLE001  (whatever comes of bytes that are not those that were written)
            with suppress(OSError):
                cache.flush()
            return None

    def saved(*what: Any) -> None:
        try:
            save(*what)
        except OSError as error:
            warn(Path(cache.cache_path), str(error.strerror))

    cache.load_overload, cache.save_overload = loaded, saved
