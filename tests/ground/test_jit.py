"""The decorator: its cache, its modes, its plain twins, its structs, and what the compiler made of the rules."""

import ast
import errno
import os
import re
import shutil
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Protocol

import numpy as np
import pytest

from kibitz.catan.core import state as catan
from kibitz.coup.core import layout as coup_layout
from kibitz.coup.core import state as coup
from kibitz.examples import kuhn, leduc, liars_dice
from kibitz.game import Scratch, structs
from kibitz.ground.code_cache import CacheWarning, keep_if_possible, prune
from kibitz.ground.jit import (
    COMPILED,
    PACKAGE,
    Grid,
    Ints,
    Vector,
    compiled_parts,
    compiled_sources,
    field_names,
    jit,
    plain,
    rows,
    struct,
)
from kibitz.ground.rng import below
from tests.ground.compiled_samples import PAIR, PRIMES, add, by_module, by_name, word
from tests.structs import mismatches

NOTICE = "kibitz: compiling what this needs, once"


def python(script: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a script, saved in `folder`, with a cache of its own there.

    No bytecode is written: Python itself would miss an edit of the same length within the same second.
    """
    file = folder / "script.py"
    file.write_text(textwrap.dedent(script))
    settings = {"KIBITZ_CACHE": str(folder / "cache"), "KIBITZ_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    env = {**os.environ, **settings, **environment}
    return subprocess.run([sys.executable, str(file)], env=env, capture_output=True, text=True, check=False, timeout=300)


# --- the cache ------------------------------------------------------------------------------------------------

SHOWDOWN = """
    from kibitz.examples import kuhn
    from kibitz.game import score_at

    states = kuhn.new(2, 0)
    states["card"][0], states["moves"][0], states["done"][0] = (3, 1), (1, 1, 0), 2
    print(score_at(states, 0, 0))
"""


def test_the_cache_is_used_until_a_called_function_changes_in_another_file(tmp_path):
    package = tmp_path / "kibitz"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))

    def result(cached: bool) -> str:
        done = python(SHOWDOWN, tmp_path, PYTHONPATH=str(tmp_path))
        assert done.returncode == 0, done.stderr
        assert done.stderr.count(NOTICE) == (0 if cached else 1)
        return done.stdout.strip()

    def edit(file: str, old: str, new: str) -> None:
        text = (package / file).read_text()
        assert text.count(old) == 1
        (package / file).write_text(text.replace(old, new))

    assert result(cached=False) == "2"
    edit("examples/kuhn.py", "stake = 2 if", "stake = 5 if")
    assert result(cached=False) == "5"
    for other in ("cli/common.py", "belief/kernels.py"):
        (package / other).write_text((package / other).read_text() + "# edited\n")
    assert result(cached=True) == "5"
    edit("examples/kuhn.py", "stake = 5 if", "stake = 2 if")
    assert result(cached=True) == "2"


def test_the_cache_notices_changes_in_a_users_own_folder(tmp_path):
    helper = "from kibitz.ground.jit import jit\n@jit\ndef answer(n: int) -> int:\n    return n + {}\n"
    script = """
        from helper import answer
        from kibitz.ground.jit import jit

        @jit
        def twice(n: int) -> int:
            return 2 * answer(n)

        print(twice(20), sum(twice.stats.cache_hits.values()))
    """
    (tmp_path / "helper.py").write_text(helper.format(1))
    assert python(script, tmp_path).stdout.split() == ["42", "0"]
    assert python(script, tmp_path).stdout.split() == ["42", "1"]
    (tmp_path / "helper.py").write_text(helper.format(2))
    assert python(script, tmp_path).stdout.split() == ["44", "0"]


def test_the_cache_notices_changes_in_a_users_own_game(tmp_path):
    """The generic drivers are compiled for the user's struct, whose name changes with the user's sources."""
    own = (Path(kuhn.__file__)).read_text().replace('"kuhn', '"own')
    script = """
        import owngame
        from kibitz.game import apply_at, score_at

        states = owngame.GAME.new(2, 0)
        for action in (4, 2, 1, 1):
            apply_at(states, 0, action)
        print(score_at(states, 0, 0))
    """
    (tmp_path / "owngame.py").write_text(own)
    assert python(script, tmp_path).stdout.split() == ["2"]
    (tmp_path / "owngame.py").write_text(own.replace("stake = 2 if", "stake = 5 if"))
    assert python(script, tmp_path).stdout.split() == ["5"]


def test_without_a_writable_folder_it_warns_once_and_works(tmp_path):
    (tmp_path / "file").touch()
    done = python(SHOWDOWN, tmp_path, KIBITZ_CACHE=str(tmp_path / "file" / "below"))
    assert (done.returncode, done.stdout.strip()) == (0, "2")
    assert done.stderr.count("compiled again next time") == 1
    assert "cannot write" in done.stderr


def imports_by_syntax(file: Path) -> set[tuple[str, str]]:
    """The (module, name) pairs that a file of the package imports from Kibitz at its top level."""
    pairs = set()
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("kibitz"):
            pairs |= {(str(node.module), alias.name) for alias in node.names}
        elif isinstance(node, ast.Import):
            pairs |= {(alias.name, "") for alias in node.names if alias.name.startswith("kibitz")}
    return pairs


@pytest.mark.parametrize("part", ["", *compiled_parts(PACKAGE)])
def test_the_cache_depends_on_all_that_compiled_code_is_made_of(part):
    files = {".".join(("kibitz", *f.relative_to(PACKAGE).with_suffix("").parts)): f for f in PACKAGE.rglob("*.py")}
    imports = {module: imports_by_syntax(file) for module, file in files.items()}
    others = tuple(f"kibitz.{other.replace('/', '.')}." for other in compiled_parts(PACKAGE) if other != part)
    makers = {("kibitz.ground.jit", maker) for maker in ("jit", "table", "struct")}
    needed = {m for m, pairs in imports.items() if pairs & makers and not m.startswith(others)}
    while True:
        more = {x for m in needed for module, name in imports[m] for x in (module, f"{module}.{name}") if x in files}
        if more <= needed:
            break
        needed |= more
    sources = {f.relative_to(PACKAGE).as_posix() for f in compiled_sources(PACKAGE, part)}
    assert sources == {files[module].relative_to(PACKAGE).as_posix() for module in needed}
    assert ("belief/kernels.py" in sources) == (part in ("belief", "catan/belief"))
    assert {"ground/jit.py", "ground/rng.py", "game/verbs.py", "catan/core/rules/turn.py", "examples/kuhn.py"} <= sources
    assert not {"cli/__init__.py", "catan/core/svg.py", "catan/core/record.py"} & sources


@pytest.mark.plain
def test_old_caches_are_pruned_and_recent_ones_kept(tmp_path):
    now = time.time()
    ages = {"newest": 0, "hour": 1000, "day": 90_000, "week": 600_000, "month": 3_000_000}
    for name, age in ages.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "code.nbc").touch()
        os.utime(tmp_path / name, (now - age, now - age))
    (tmp_path / "file").touch()
    os.utime(tmp_path / "file", (0, 0))
    prune(tmp_path, keep=3)
    assert {f.name for f in tmp_path.iterdir()} == {"newest", "hour", "day", "file"}
    prune(tmp_path, keep=0)
    assert {f.name for f in tmp_path.iterdir()} == {"newest", "hour", "file"}


@pytest.mark.skipif(not COMPILED, reason="needs the compiler")
def test_other_packages_keep_their_cache_folder():
    import numba

    before = numba.config.CACHE_DIR
    try:
        numba.config.CACHE_DIR = "/elsewhere"

        @jit
        def nothing(n: int) -> int:
            return n

        assert numba.config.CACHE_DIR == "/elsewhere"
    finally:
        numba.config.CACHE_DIR = before


# --- the modes ------------------------------------------------------------------------------------------------

BAD_INDEX = """
    import numpy as np
    from kibitz.game import structs
    from kibitz.ground.jit import jit, struct

    THREE = struct("three", [("values", np.int64, (3,))])

    @jit
    def value(states, i: int, k: int) -> int:
        return states[i].values[k]

    print(value(structs(THREE), 0, 2))
    value(structs(THREE), 0, 3)
"""


@pytest.mark.parametrize("mode", ["check", "0"])
def test_a_bad_index_raises_where_it_is_asked_for(mode, tmp_path):
    done = python(BAD_INDEX, tmp_path, KIBITZ_JIT=mode)
    assert done.stdout.strip() == "0"
    assert done.returncode == 1
    assert "IndexError" in done.stderr


def test_an_unknown_mode_is_refused(tmp_path):
    done = python("import kibitz.ground.jit", tmp_path, KIBITZ_JIT="fast")
    assert done.returncode == 1
    assert "KIBITZ_JIT='fast': expected 1 (compiled), check (with bounds checks) or 0 (plain Python)" in done.stderr


# --- the plain twin -------------------------------------------------------------------------------------------


def test_a_named_twin_takes_the_place_of_the_compiled_function():
    assert word(0) == ("compiled" if COMPILED else "plain")
    assert plain(word)(0) == "plain"
    assert plain(below)(rows(np.zeros(1, PAIR))[0], 10) == below(structs(PAIR)[0], 10)


@pytest.mark.parametrize("f", [by_name, by_module], ids=["name", "module"])
def test_a_twin_calls_only_twins(f):
    array, twin = structs(PAIR), rows(np.zeros(1, PAIR))
    drawn = [f(array[0], n) for n in range(1, 200)]
    assert [plain(f)(twin[0], n) for n in range(1, 200)] == drawn
    assert array.tobytes() == twin.tobytes()
    assert len(set(drawn)) > 50
    assert not hasattr(plain(f), "py_func")
    assert plain(f) is plain(f)


@pytest.mark.plain
def test_plain_rows_are_python_integers_that_do_not_overflow():
    states = rows(np.zeros(2, PAIR))
    s = states[1]
    s.small[2] = 120
    assert type(s.small[2]) is int
    assert type(s.big) is int
    assert plain(add)(s, 2, 7) == 127 * 9_000_000_000
    assert np.asarray(states)["small"].tolist() == [[0, 0, 0], [0, 0, 127]]
    assert np.asarray(states)["big"].tolist() == [0, 127_000_000_000]
    with pytest.raises(OverflowError):
        s.small[2] = s.small[2] + 1
    with pytest.raises(AttributeError, match="tiny"):
        _ = s.tiny
    states[0] = states[1]
    s.small[2] = 1
    assert states[0].small[2] == 127


@pytest.mark.plain
def test_columns_of_plain_rows_are_ordinary_arrays():
    states = rows(np.zeros(2, PAIR))
    states["big"] = 5
    states["small"][1] = [1, 2, 3]
    assert int(states["big"][1]) == 5
    assert states["small"][1].tolist() == [1, 2, 3]
    assert int(states["small"][1, 2]) == 3


@pytest.mark.plain
def test_tables_are_read_only():
    assert isinstance(PRIMES, np.ndarray if COMPILED else Ints)
    with pytest.raises(ValueError, match="read-only"):
        PRIMES[0] = 1


# --- structs --------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_structs_with_equal_fields_are_different_types():
    fields = [("value", np.int32)]
    one, two = struct("one", fields), struct("two", fields)
    assert one != two
    assert one == struct("one", fields)
    assert one.itemsize == two.itemsize == 4


@pytest.mark.plain
def test_padding_is_a_field_and_refused_between_fields():
    padded = struct("padded", [("big", np.int64), ("small", np.int8)])
    assert padded.itemsize == sum(field[0].itemsize for field in padded.fields.values()) == 16
    assert padded["padding"].shape == (7,)
    assert field_names(padded) == ["big", "small"]
    assert field_names(struct("tight", [("big", np.int64), ("small", np.int8, (8,))])) == ["big", "small"]
    with pytest.raises(TypeError, match="loose: padding between the fields"):
        struct("loose", [("small", np.int8), ("big", np.int64)])


@pytest.mark.plain
@pytest.mark.parametrize(
    ("dtype", "protocol"),
    [
        (catan.STATE, catan.CatanState),
        (catan.WORLD, catan.CatanWorld),
        (catan.SCRATCH, catan.Notes),
        (coup.STATE, coup.CoupState),
        (coup.WORLD, coup.CoupWorld),
        (coup_layout.SCRATCH, coup_layout.Notes),
        (kuhn.STATE, kuhn.KuhnState),
        (kuhn.SCRATCH, Scratch),
        (leduc.STATE, leduc.LeducState),
        (liars_dice.STATE, liars_dice.LiarsDiceState),
    ],
    ids=[
        "catan",
        "catan world",
        "catan scratch",
        "coup",
        "coup world",
        "coup scratch",
        "kuhn",
        "kuhn scratch",
        "leduc",
        "liar's dice",
    ],
)
def test_protocols_match_their_structs(dtype, protocol):
    assert mismatches(dtype, protocol) == []


@pytest.mark.plain
def test_mismatches_are_named():
    class Twin(Protocol):
        big: int
        smal: Vector
        grid: Grid

    dtype = struct("twin", [("big", np.int64), ("small", np.int8, (2,)), ("grid", np.int8, (3,))])
    assert mismatches(dtype, Twin) == [
        "smal: Vector declared, None in the dtype",
        "grid: Grid declared, Vector in the dtype",
        "small: None declared, Vector in the dtype",
    ]


# --- what the compiler made of the rules ----------------------------------------------------------------------

# Prints the code for linking of all verbs, with all that they call, and the names of the compiled functions of the rules.
LLVM = """
    import json
    from numba import from_dtype, types
    from kibitz.catan.core import builder_policy
    from kibitz.catan.core import codes
    from kibitz.catan.core import engine
    from kibitz.catan.core import hidden
    from kibitz.catan.core import policy
    from kibitz.catan.core import scores
    from kibitz.catan.core import seed_policy
    from kibitz.catan.core import verbs
    from kibitz.catan.core.rules import awards, building, costs, dev_cards, production, robber, setup, trade, turn
    from kibitz.coup.core import cards as coup_cards
    from kibitz.coup.core import engine as coup
    from kibitz.coup.core import policy as coup_policy
    from kibitz.coup.core import rules as coup_rules
    from kibitz.examples import kuhn, leduc, liars_dice
    from kibitz.game.verbs import VERBS

    code = []

    def compile(f, *signature):
        f.inner().compile(signature)
        code.extend(str(result.library._get_module_for_linking()) for result in f.inner().overloads.values())

    for game in (engine.GAME, coup.GAME, kuhn.GAME, leduc.GAME, liars_dice.GAME):
        types_of = {"s": game.state, "x": game.scratch, "w": game.world}
        for verb in VERBS.values():
            signature = [from_dtype(types_of[name]) if name in types_of else types.int64 for name in verb.arguments]
            compile(verb.of(game.rules), *signature)
    compile(coup_rules.window, from_dtype(coup.GAME.state))

    catan_rules = (costs, turn, setup, production, robber, trade, awards, building, dev_cards)
    catan_modules = (codes, verbs, scores, seed_policy, builder_policy, policy, hidden)
    modules = (*catan_rules, *catan_modules, coup_rules, coup_cards, coup_policy, coup, kuhn, leduc, liars_dice)
    functions = [f.py_func for module in modules for f in vars(module).values() if hasattr(f, "py_func")]
    names = sorted({f"{f.__module__}.{f.__name__}" for f in functions if f.__module__.startswith("kibitz")})
    print(json.dumps([names, code]))
"""
FLOATING = re.compile(r"(?<![%.@\w])(double|float|half|fadd|fsub|fmul|fdiv|frem|fneg|fcmp|sitofp|uitofp|fptosi|fptoui)\b")


def native(module: str) -> list[str]:
    """The compiled functions in a module of LLVM code, without the wrappers for calls from Python and from C."""
    functions = [text.split("\n}", 1)[0] for text in re.split(r"(?m)^define ", module)[1:]]
    return [f for f in functions if not re.match(r"[^\n]*@\"?(_ZN7cpython|cfunc\.|NRT_)", f)]


def head(function: str) -> str:
    """The line with its symbol."""
    return function.split("\n", 1)[0]


def mangled(name: str) -> str:
    """How the symbol of a function begins, whatever its arguments are."""
    return "_ZN" + "".join(f"{len(part)}{part}" for part in name.split(".")) + "B"


@pytest.mark.skipif(not COMPILED, reason="needs the compiler")
def test_rules_and_policies_count_no_references_and_use_no_floating_point(tmp_path):
    """With the cache of all tests: it holds the code for linking."""
    import json

    done = python(LLVM, tmp_path, KIBITZ_CACHE=os.environ.get("KIBITZ_CACHE", ""))
    assert done.returncode == 0, done.stderr
    names, code = json.loads(done.stdout)
    assert {name.rsplit(".", 1)[0] for name in names} >= {
        "kibitz.catan.core.rules.turn", "kibitz.catan.core.rules.awards", "kibitz.catan.core.verbs", "kibitz.catan.core.policy",
        "kibitz.catan.core.hidden", "kibitz.examples.kuhn",
        "kibitz.coup.core.rules", "kibitz.coup.core.cards", "kibitz.coup.core.policy",
        "kibitz.examples.leduc", "kibitz.examples.liars_dice", "kibitz.catan.core.scores",
        "kibitz.catan.core.seed_policy", "kibitz.catan.core.builder_policy",
    }  # fmt: skip
    functions = {f for module in code for f in native(module)}
    symbols = " ".join(head(f) for f in functions)
    assert [name for name in names if mangled(name) not in symbols] == [], "never compiled: no verb needs it"
    assert [head(f) for f in functions if "NRT_" in f] == []
    assert [head(f) for f in functions if FLOATING.search(f)] == []


@pytest.mark.skipif(not COMPILED, reason="needs the compiler")
def test_the_search_in_compiled_code_can_find_something():
    import numba

    @numba.njit
    def half_of(values, n):
        return values.copy()[0] / n

    half_of(np.ones(2, np.int64), 2)
    (module,) = half_of.inspect_llvm().values()
    assert any(FLOATING.search(f) for f in native(module))
    assert any("NRT_" in f for f in native(module))


@pytest.fixture
def silent_so_far(monkeypatch):
    """Nothing has been said yet of a cache that cannot be written."""
    monkeypatch.setattr("kibitz.ground.code_cache._WARNED", [])


def full(*_):
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_costs_the_cache_and_not_the_answer_and_is_said_once(silent_so_far):
    class FullDisk:
        cache_path = "somewhere"
        load_overload, save_overload = None, full

    for elsewhere in ("somewhere", "somewhere else"):
        cache = FullDisk()
        cache.cache_path = elsewhere
        keep_if_possible(cache)
        if elsewhere == "somewhere":
            with pytest.warns(CacheWarning, match=r"cannot write somewhere .No space left on device.: what is compiled now"):
                cache.save_overload("a signature", "its code")
        else:
            cache.save_overload("a signature", "its code")  # a second warning would be an error


@pytest.mark.skipif(not COMPILED, reason="needs the compiler")
def test_where_there_is_no_room_nothing_is_kept_beside_the_sources_either(silent_so_far, monkeypatch):
    """Numba would take the folder of the sources instead, and never notice there that a callee was edited."""
    from numba.core.caching import UserProvidedCacheLocator

    monkeypatch.setattr(UserProvidedCacheLocator, "ensure_cache_path", full)
    before = {*Path(__file__).parent.rglob("*.nb[ic]")}
    with pytest.warns(CacheWarning, match="compiled again next time"):

        @jit
        def one_more(n: int) -> int:
            return n + 1

    assert one_more(41) == 42
    assert {*Path(__file__).parent.rglob("*.nb[ic]")} == before


@pytest.mark.parametrize("damaged", ["*.nbi", "*.nbc"])
def test_a_damaged_cache_is_made_again(tmp_path, damaged):
    assert python(SHOWDOWN, tmp_path).stdout.strip() == "2"
    for file in (tmp_path / "cache").rglob(damaged):
        file.write_bytes(file.read_bytes()[:100])
    again = python(SHOWDOWN, tmp_path)
    assert (again.returncode, again.stdout.strip(), again.stderr.strip()) == (0, "2", NOTICE)
    assert python(SHOWDOWN, tmp_path).stderr == ""


def test_a_game_of_ones_own_is_compiled_for_each_module_that_its_file_becomes(tmp_path):
    """What is kept names the module; a command calls it otherwise than a script that imports it, and files are moved."""
    own = (Path(kuhn.__file__)).read_text().replace('"kuhn', '"own')
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "owngame.py").write_text(own)
    by_file = f"""
        from kibitz.play.series import play

        print(play("{tmp_path}/FOLDER/owngame.py", ["random", "random"], games=2, seed=1).steps)
    """
    imported = f"""
        import sys

        sys.path.insert(0, "{tmp_path}/one")
        import owngame
        from kibitz.play.any_game import profile_of
        from kibitz.play.series import play

        print(play(profile_of(owngame.GAME), ["random", "random"], games=2, seed=1).steps)
    """
    one, two = by_file.replace("FOLDER", "one"), by_file.replace("FOLDER", "two")
    runs = [python(script, tmp_path) for script in (one, imported, two, one, imported)]
    assert {(run.returncode, run.stdout) for run in runs} == {(0, "8\n")}
    assert [run.stderr.strip() for run in runs] == [NOTICE, NOTICE, NOTICE, "", ""]
