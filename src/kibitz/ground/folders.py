"""Where things are kept on this machine, and texts in files that anybody may name."""

import os
from pathlib import Path

import platformdirs

from kibitz.ground.texts import Mistake

#: Bytes of the largest text that is read at once.
MOST_BYTES = 64 << 20


def data_folder() -> Path:
    """Where the library and games under way are kept: the folder named by KIBITZ_DATA, or the user's data folder."""
    return Path(os.environ.get("KIBITZ_DATA") or platformdirs.user_data_dir("kibitz"))


def from_here(file: Path | str) -> str:
    """The name of a file, from the folder we are in if it lies below it."""
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def text_in(file: Path) -> str:
    """The text in a file. Raises `Mistake` for one that is too large or endless, or is not UTF-8."""
    with file.open("rb") as opened:
        found = opened.read(MOST_BYTES + 1)
    if len(found) > MOST_BYTES:
        raise Mistake(f"{file}: is larger than {MOST_BYTES >> 20} MB")
    try:
        text = found.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Mistake(f"{file}: not a text in UTF-8") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")
