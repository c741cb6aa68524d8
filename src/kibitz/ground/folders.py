"""Where things are kept on this machine."""

import os
from pathlib import Path

import platformdirs


def data_folder() -> Path:
    """Where the library and games under way are kept: the folder named by KIBITZ_DATA, or the user's data folder."""
    return Path(os.environ.get("KIBITZ_DATA") or platformdirs.user_data_dir("kibitz"))


def from_here(file: Path | str) -> str:
    """The name of a file, from the folder we are in if it lies below it."""
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
