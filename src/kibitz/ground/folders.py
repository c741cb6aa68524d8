"""Where things are kept on this machine."""

import os
from pathlib import Path

import platformdirs


def data_folder() -> Path:
    """Where the library and games under way are kept: the folder named by KIBITZ_DATA, or the user's data folder."""
    return Path(os.environ.get("KIBITZ_DATA") or platformdirs.user_data_dir("kibitz"))
