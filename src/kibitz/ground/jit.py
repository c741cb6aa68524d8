"""The one decorator for compiled code, its cache, and its plain-Python twin.

``@jit`` compiles a function with Numba and keeps the machine code in the user's cache folder, under a
hash of every source file that compiled code depends on: Numba itself does not notice when a *called*
function changes in another file, the hash does.

The environment variable ``KIBITZ_JIT`` chooses how the same source is run:

========== ======================================================================
``1``      compiled (the default)
``check``  compiled with bounds checks: an index out of range raises
``0``      plain Python, about 3,000 times slower: for coverage and for debugging
========== ======================================================================

``plain(f)`` is the uncompiled twin of a compiled function inside the same process:

>>> @jit
... def double(n: int) -> int:
...     return 2 * n
>>> double(21), plain(double)(21)
(42, 42)
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar, overload

import numpy as np
import numpy.typing as npt
import platformdirs

from kibitz.ground.code_cache import keep_in, prune, warn
from kibitz.ground.inner import inner_options

P = ParamSpec("P")
R = TypeVar("R")

MODE = os.environ.get("KIBITZ_JIT", "0" if os.environ.get("NUMBA_DISABLE_JIT") == "1" else "1")
if MODE not in ("0", "1", "check"):
    raise ValueError(f"KIBITZ_JIT={MODE!r}: expected 1 (compiled), check (with bounds checks) or 0 (plain Python)")
COMPILED = MODE != "0"

if TYPE_CHECKING or not COMPILED:
    int64 = uint64 = int  # to mypy every integer in compiled code is one, and in plain mode it is
else:
    int64, uint64 = np.int64, np.uint64

PACKAGE = Path(__file__).parents[1]
#: How many caches of older sources are kept beside the current one (several checkouts may share the folder).
CACHES_KEPT = 16
#: What is said when something has to be compiled. Another command may need more, and says so again.
NOTICE = "compiling what this needs, once"


#: Where in a cache the functions without an entry for Python lie; Numba's index does not tell them from those with one.
INNER = "inner"
#: The packages that the rules of games stand on. With the games' cores they share one cache; every other package has its own:
#: editing one of those recompiles neither the rules nor the others.
BELOW_THE_GAMES = ("ground", "game", "compute", "examples")


# --- where machine code is kept ---------------------------------------------------------------------------


def hash_of(files: list[Path], root: Path) -> str:
    """A short hash of the names and contents of `files`."""
    digest = hashlib.blake2b(digest_size=8)
    for file in sorted(files):
        digest.update(f"{file.relative_to(root)}\0".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


def compiled_sources(package: Path, part: str = "") -> list[Path]:
    """The files that compiled code depends on: those that use this module's makers, and all that they import.

    The code of the games and of all below them or, with `part`, of one package above them. Editing any other file (a
    page, a drawing, a file format) must not recompile the rules. This runs at every start, so it looks at the text;
    `tests/ground/test_jit.py` compares it with what the syntax trees say.
    """
    files = _files(package)
    makers = [file for file in files if _part_of(file, package) in ("", part) and _makes(_imports(file))]
    found = [package / "ground" / "jit.py", *makers]
    for file in found:
        for module, names in _imports(file):
            base = package.joinpath(*module.split(".")[1:])
            targets = [base.with_suffix(".py"), *(base / f"{name}.py" for name in re.findall(r"\w+", names))]
            found += [target for target in targets if target in files and target not in found]
    return found


def compiled_parts(package: Path) -> list[str]:
    """The packages above the games' cores that have compiled code of their own, such as ``search``."""
    return sorted({_part_of(file, package) for file in _files(package) if _makes(_imports(file))} - {""})


@cache
def _files(package: Path) -> frozenset[Path]:
    return frozenset(package.rglob("*.py"))


@cache
def _imports(file: Path) -> list[tuple[str, str]]:
    """What a file imports of Kibitz: modules, and the names out of them."""
    return _IMPORT.findall(file.read_text(encoding="utf-8"))


def _makes(statements: list[tuple[str, str]]) -> bool:
    """Whether a file with these imports makes compiled code, or something that is built into it."""
    return any(module == "kibitz.ground.jit" and _MAKERS & {*re.findall(r"\w+", names)} for module, names in statements)


#: What makes compiled code or is built into it.
_MAKERS = {"jit", "table", "struct"}
_IMPORT = re.compile(r"^from (kibitz[\w.]*) import (\([^)]*\)|.*)", re.MULTILINE)


def _part_of(file: Path, package: Path) -> str:
    """The package above the games' cores to which a file belongs, if any."""
    parts = file.relative_to(package).parent.parts
    return "" if parts[:1] == () or parts[0] in BELOW_THE_GAMES or "core" in parts else "/".join(parts[:2])


@cache
def source_hash(part: str = "") -> str:
    """A hash of the source files of Kibitz that compiled code (of the games, or of one part above them) depends on."""
    return hash_of(compiled_sources(PACKAGE, part), PACKAGE)


@cache
def _sources_beside(folder: Path, module: str) -> str:
    """The hash for compiled functions that live outside Kibitz, in a user's `folder`.

    What Numba keeps names the `module` that it was compiled for; the same file may be another one in the next process: imported
    by a script, loaded by a command, moved elsewhere.
    """
    named = hashlib.blake2b(module.encode(), digest_size=4).hexdigest()
    return hash_of(list(folder.glob("*.py")), folder) + named + source_hash()


def sources_of(file: str, module: str) -> str:
    """The hash of the sources that compiled code of a `module` in `file` depends on."""
    path = Path(file)
    if not path.is_file():  # typed at a prompt
        return source_hash()
    return source_hash(_part_of(path, PACKAGE)) if path.is_relative_to(PACKAGE) else _sources_beside(path.parent, module)


@cache
def cache_root() -> Path | None:
    """The folder that holds all caches, or None (said once) where nothing can be written."""
    root = Path(os.environ.get("KIBITZ_CACHE") or platformdirs.user_cache_dir("kibitz")) / "compiled"
    try:
        root.mkdir(parents=True, exist_ok=True)
        probe = root / f".writable-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        warn(root, str(error.strerror))
        return None
    return root


@cache
def _cache_folder(key: str) -> Path | None:
    root = cache_root()
    if root is None:
        return None
    folder = root / (key if MODE == "1" else f"{key}-{MODE}")
    fresh = not folder.exists()
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        warn(root, str(error.strerror))
        return None
    with suppress(PermissionError):  # a folder that another user made
        os.utime(folder)
    if fresh:
        prune(root, CACHES_KEPT)
    return folder


# --- the decorator ----------------------------------------------------------------------------------------

_PLAIN: dict[Any, Callable[..., Any]] = {}
#: Numba takes the folder of a cache from a setting of the whole process.
_ONE_AT_A_TIME = threading.Lock()


@overload
def jit(f: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def jit(*, twin: Callable[P, R]) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def jit(f: Any = None, /, *, twin: Any = None) -> Any:
    """Compile `f` (no allocation, no recursion, structs as arguments), cache it and keep its signature for mypy.

    A few functions cannot share one source between the compiler and Python (64-bit wrap-around, machine
    instructions); they name their plain twin: ``@jit(twin=slow)``.
    """
    if f is None:
        return lambda f: _compile(f, twin)
    return _compile(f, None)


def _compile(f: Any, twin: Any) -> Any:
    if not COMPILED:
        return twin or f
    file = f.__code__.co_filename
    folder = _cache_folder(sources_of(file, f.__module__)) if Path(file).is_file() else None
    dispatcher = _dispatcher(f, folder)
    if twin is not None:
        _PLAIN[dispatcher] = twin
    _serve_compiled_callers(dispatcher, cache(lambda: _dispatcher(f, folder and folder / INNER, **inner_options())))
    return dispatcher


def _dispatcher(f: Any, folder: Path | None, **options: Any) -> Any:
    """Numba's compiler for one function, with its cache in `folder`."""
    import numba

    with _ONE_AT_A_TIME:
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder or "")
        try:
            made = numba.njit(nogil=True, boundscheck=MODE == "check", **options)(f)
            if folder is not None:
                keep_in(folder, made)
        finally:
            numba.config.CACHE_DIR = before
    return made


def _serve_compiled_callers(dispatcher: Any, inner: Callable[[], Any]) -> None:
    """Let compiled callers use `inner()`, which is code for linking alone, and hand every signed integer over as 64 bits.

    Entries for Python and machine code for every function would more than double the compile time (`kibitz.ground.inner`).
    And Numba would otherwise compile a function again for each width of each argument (a field of 8 bits, a literal,
    a result of 64): half as many compilations more, for the same machine code.
    """
    from numba import types

    def get_call_template(args: Any, kws: Any) -> Any:
        wide = tuple(types.int64 if isinstance(a, types.Integer) and a.signed else a for a in args)
        return inner().get_call_template(wide, kws)

    dispatcher.get_call_template = get_call_template
    dispatcher.get_overload = lambda signature: inner().get_overload(signature)
    dispatcher.inner = inner


def _say_compiling() -> None:
    print(f"kibitz: {NOTICE}", file=sys.stderr, flush=True)


_on_compile: Callable[[], None] = _say_compiling
_said = False


@contextmanager
def on_compile(callback: Callable[[], None]) -> Iterator[None]:
    """While open, `callback` is what says that something has to be compiled (not merely loaded); once a process."""
    global _on_compile
    before, _on_compile = _on_compile, callback
    try:
        yield
    finally:
        _on_compile = before


def _install_listener() -> None:
    from numba.core import event

    class Listener(event.Listener):  # type: ignore[misc]
        """Says once, at the first compilation of one of our functions, what the user is waiting for."""

        def on_start(self, compilation: Any) -> None:
            global _said
            file = compilation.data["dispatcher"].py_func.__code__.co_filename
            if not _said and Path(file).is_relative_to(PACKAGE):
                _said = True
                _on_compile()

        def on_end(self, compilation: Any) -> None:
            pass

    event.register("numba:compile", Listener())


if COMPILED:
    _install_listener()


# --- the plain twin ---------------------------------------------------------------------------------------


class Ints(np.ndarray[Any, Any]):
    """An integer array whose elements are Python integers, so that arithmetic never overflows."""

    def __getitem__(self, index: Any) -> Any:
        value = super().__getitem__(index)
        return value if isinstance(value, np.ndarray) else value.item()


class Row:
    """One struct in plain mode: attributes read and write the fields as Python integers."""

    __slots__ = ("array", "dtype")
    array: npt.NDArray[np.void]
    dtype: np.dtype[np.void]

    def __init__(self, array: npt.NDArray[np.void]) -> None:
        object.__setattr__(self, "array", array)
        object.__setattr__(self, "dtype", array.dtype)

    def __getattr__(self, name: str) -> Any:
        try:
            field = self.array[name]
        except ValueError as error:
            raise AttributeError(str(error)) from None
        if field.dtype.names:
            return field.view(Rows)
        return field.view(Ints) if field.ndim else field.item()

    def __setattr__(self, name: str, value: int) -> None:
        self.array[name] = value


class Rows(np.ndarray[Any, Any]):
    """An array of structs whose elements are `Row` objects: what compiled code is handed in plain mode."""

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, int):
            return Row(np.asarray(self)[index, ...])
        if isinstance(index, str):
            return np.asarray(self)[index]
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(index, value.array if isinstance(value, Row) else value)


def rows(structs: npt.NDArray[np.void]) -> Any:
    """View `structs` so that plain functions can use it as compiled ones use the bare array."""
    return structs.view(Rows)


def table(values: Any, dtype: type[np.signedinteger[Any]] = np.int8) -> Any:
    """A constant array for compiled code, read-only."""
    array = np.array(values, dtype)
    array.flags.writeable = False
    return integers(array)


def integers(array: npt.NDArray[Any]) -> Any:
    """An array of integers as compiled code (or plain mode) wants it."""
    return array if COMPILED else array.view(Ints)


_NAMESPACES: dict[str, dict[str, Any]] = {}


def plain(f: Callable[P, R]) -> Callable[P, R]:
    """The uncompiled twin of `f`, which calls only uncompiled twins itself."""
    if f in _PLAIN:
        return _PLAIN[f]
    function = getattr(f, "py_func", f)
    if not COMPILED:
        return f
    namespace = _plain_namespace(function.__module__, function.__globals__)
    twin = types.FunctionType(function.__code__, namespace, function.__name__, function.__defaults__)
    _PLAIN[f] = twin
    return twin


def _plain_namespace(module: str, names: dict[str, Any]) -> dict[str, Any]:
    """The globals of `module` with every compiled function and every table replaced by its plain twin."""
    if module in _NAMESPACES:
        return _NAMESPACES[module]
    namespace = _NAMESPACES[module] = dict(names)
    for name, value in names.items():
        if hasattr(value, "py_func"):
            namespace[name] = plain(value)
        elif type(value) is np.ndarray and value.dtype.names is None:
            namespace[name] = value.view(Ints)
        elif isinstance(value, types.ModuleType) and any(hasattr(v, "py_func") for v in vars(value).values()):
            namespace[name] = _PlainModule(value)
    return namespace


class _PlainModule:
    """Stands for an imported module inside a plain twin: ``rng.below`` then finds the twin of `below`."""

    def __init__(self, module: types.ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return _plain_namespace(self._module.__name__, vars(self._module))[name]


# --- types for mypy ---------------------------------------------------------------------------------------


class Vector(Protocol):
    """A field with one index."""

    def __getitem__(self, i: int, /) -> int: ...
    def __setitem__(self, i: int, value: int, /) -> None: ...
    def __len__(self) -> int: ...
    def tolist(self) -> list[int]: ...  # noqa: D102


class Grid(Protocol):
    """A field with two indices."""

    def __getitem__(self, ij: tuple[int, int], /) -> int: ...
    def __setitem__(self, ij: tuple[int, int], value: int, /) -> None: ...
    def tolist(self) -> list[list[int]]: ...  # noqa: D102


class Structs(Protocol):
    """A field that holds structs."""

    def __getitem__(self, i: int, /) -> Any: ...
    def __setitem__(self, i: int, value: Any, /) -> None: ...


def struct(name: str, fields: list[tuple[Any, ...]]) -> np.dtype[np.void]:
    """An aligned dtype that is nobody else's: its last field is empty and names it and the sources it belongs to.

    Two games are then never the same type to the compiler, and an edited rule never meets old machine code.
    What alignment needs at the end is an explicit field of zeros, so that equal states are equal bytes; give the
    fields in descending order of size, for padding between them is refused.
    """
    aligned = np.dtype(fields, align=True)
    end = max(offset + kind.itemsize for kind, offset in _placed(aligned))
    if end != sum(kind.itemsize for kind, _ in _placed(aligned)):
        raise TypeError(f"{name}: padding between the fields; order them by descending size")
    caller = sys._getframe(1)
    sources = sources_of(caller.f_code.co_filename, caller.f_globals["__name__"])
    padding = [("padding", np.uint8, (aligned.itemsize - end,))] if end < aligned.itemsize else []
    return np.dtype([*fields, *padding, (f"{name}_{sources}", np.uint8, (0,))], align=True)


def _placed(dtype: np.dtype[np.void]) -> list[tuple[np.dtype[Any], int]]:
    return [(entry[0], entry[1]) for entry in (dtype.fields or {}).values()]


def field_names(dtype: np.dtype[np.void]) -> list[str]:
    """The fields of a struct that mean something: without the padding and the name at its end."""
    return [name for name in (dtype.names or ())[:-1] if name != "padding"]
