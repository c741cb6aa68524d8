"""Where games are found: those of this house and its examples by their names, those of somebody else by their files.

>>> profile("coup").title
'Coup'
>>> profile("chess")
Traceback (most recent call last):
...
kibitz.play.registry.UnknownGame: 'chess': no such game; expected catan, coup, onepiece, kuhn, leduc, liars_dice, or FILE.py

A file is Python with a `kibitz.game.Game` called ``GAME`` in it, or a whole `kibitz.play.profile.Profile` called ``PROFILE``.
Loading it runs it: `profile` is for what a user of this machine types. What comes from elsewhere, as in a request of the web,
is looked up with `known`, which never opens a file.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING
from zlib import crc32

import kibitz

if TYPE_CHECKING:
    from kibitz.play.profile import Profile

#: How the name of a file ends that holds a game.
SUFFIX = ".py"
#: Games that were loaded from files, by their names; and the files.
_LOADED: dict[str, Profile] = {}
_FILES: dict[str, Path] = {}


class UnknownGame(ValueError):
    """A name that no game has, or a file that holds none; the message is one line for people."""


def profile(text: str) -> Profile:
    """The profile of the game that a text names: one of this house, an example, or a file. Raises `UnknownGame`."""
    return _of_file(text) if text.endswith(SUFFIX) else known(text)


def known(name: str) -> Profile:
    """The same, but no file is opened: of this house, an example, or a game that was loaded before. Raises `UnknownGame`."""
    if name in _LOADED:
        return _LOADED[name]
    if name in kibitz.GAMES:
        found: Profile = import_module(f"kibitz.{name}.profile").PROFILE
        return found
    if name in kibitz.EXAMPLES:
        return _example(name)
    games = ", ".join((*kibitz.GAMES, *kibitz.EXAMPLES))
    raise UnknownGame(f"{name[:40]!r}: no such game; expected {games}, or FILE{SUFFIX}")


def profiles() -> list[Profile]:
    """All games of this house, in their order, and then those that were loaded from files."""
    return [*(known(name) for name in kibitz.GAMES), *_LOADED.values()]


def source_of(name: str) -> str:
    """What `profile` finds a game by in another process: its name, or its file."""
    return str(_FILES.get(name, name))


def files() -> frozenset[Path]:
    """The files of games that were loaded."""
    return frozenset(_FILES.values())


@cache
def _example(name: str) -> Profile:
    return _in_module(import_module(f"kibitz.examples.{name}"), name)


def _of_file(text: str) -> Profile:
    path = Path(text)
    if not path.is_file():
        raise UnknownGame(f"{text}: {'is a folder' if path.is_dir() else 'no such file'}")
    path = path.resolve()
    for name, file in _FILES.items():
        if file == path:
            return _LOADED[name]
    if path.parent == Path(kibitz.__file__).parent / "examples" and path.stem in kibitz.EXAMPLES:
        return _example(path.stem)
    try:
        found = _in_module(_module(path, text), text)
        if found.name in (*kibitz.GAMES, *kibitz.EXAMPLES, *_LOADED):
            raise UnknownGame(f"{text}: there is another game named {found.name}")
    except UnknownGame:
        sys.modules.pop(_module_name(path), None)
        raise
    _LOADED[found.name], _FILES[found.name] = found, path
    return found


def _module(path: Path, text: str) -> ModuleType:
    """What a file holds, once it has run."""
    from kibitz.play.outside_host import run_file, words

    loaded = next((m for m in list(sys.modules.values()) if getattr(m, "__file__", None) == str(path)), None)
    if loaded is not None:
        return loaded
    try:
        return run_file(path, _module_name(path))
    except (Exception, SystemExit) as error:
        raise UnknownGame(f"{text}: {words(error, str(path))}") from error


def _module_name(path: Path) -> str:
    """The same in every process, and another for a file of the same name in another folder."""
    return f"kibitz_game_{path.stem}_{crc32(str(path).encode()):08x}"


def _in_module(module: ModuleType, text: str) -> Profile:
    """The profile in a module, or one for the game in it."""
    from kibitz.game import Game
    from kibitz.play.any_game import profile_of
    from kibitz.play.profile import Profile

    found, game = getattr(module, "PROFILE", None), getattr(module, "GAME", None)
    if isinstance(found, Profile):
        return found
    if not isinstance(game, Game):
        raise UnknownGame(f"{text}: there is no GAME in it (a kibitz.game.Game of that name)")
    first, _, rest = cleandoc(module.__doc__ or "").partition("\n")
    return profile_of(game, first, rest.strip())
