"""Builds the wheel and installs it into empty environments: it brings what it needs and no more, and works there.

    python benchmarks/prove_package.py                     the package alone
    python benchmarks/prove_package.py --extras cluster    and each of these extras, alone

``--quick`` builds and installs nothing (that needs a network): what must run in those environments runs in this one.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

from tables import ROOT, Bench

#: Where commands are run, and where what they compile and save is kept: nothing of the sources is near.
CLEAN = tempfile.mkdtemp()
ALONE = {**os.environ, "KIBITZ_CACHE": CLEAN, "KIBITZ_DATA": CLEAN}
ALONE.pop("PYTHONPATH", None)
#: What an empty environment may hold besides.
TOOLS = {"pip", "setuptools", "kibitz"}
#: What must run with an extra.
OF_EXTRA = {
    "web": "import kibitz.web.server; from kibitz.web.app import create_app; from kibitz.web.services import Options; "
    "from kibitz.web.services import Services; create_app(Services.start(Options()))",
    "cluster": "import cloudpickle, distributed; from kibitz.compute.cluster import Cluster; "
    "print(Cluster(distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=None).scheduler_address).threads)",
    "cuda": "import kibitz.compute.cuda, numba.cuda",
    "adapters": "from kibitz.adapters.gym import SeatEnv; from kibitz.adapters.zoo import TableEnv; "
    "env, table = SeatEnv('coup'), TableEnv('coup'); env.reset(seed=1); env.step(0); table.reset(seed=1); table.step(0)",
    "spiel": "import pyspiel, kibitz.adapters.spiel; pyspiel.load_game('python_kibitz_coup').new_initial_state()",
}
#: Run inside the environment: the packages that the wheel needs, with all that those need, and those that are there.
CLOSURE = """
import json, re, sys
from importlib.metadata import PackageNotFoundError, distribution, distributions
from pip._vendor.packaging.requirements import Requirement

def plain(name): return re.sub(r"[-_.]+", "-", name).lower()

def needs(name, extras):
    try:
        texts = distribution(name).requires or []
    except PackageNotFoundError:
        return
    for text in texts:
        one = Requirement(text)
        if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            if (key := (plain(one.name), frozenset(one.extras))) not in known:
                known.add(key)
                needs(one.name, one.extras)

known = set()
needs("kibitz", sys.argv[1:])
print(json.dumps({"needed": sorted({name for name, _ in known}), "there": sorted(plain(d.name) for d in distributions())}))
"""


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--extras", nargs="*", default=[], choices=list(OF_EXTRA))


def main() -> None:
    """Prove it; the first thing that does not hold ends the run."""
    bench = Bench(__doc__, None, options)
    if bench.quick:
        ALONE.clear()
        ALONE.update(os.environ, KIBITZ_JIT="0")  # starts at once
        check_work(Path(sys.executable), None)
        run(sys.executable, "-P", "-c", OF_EXTRA["adapters"])
        print("what must run runs here; nothing was built")
        return
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", work, ROOT)
        (wheel,) = work.glob("kibitz-*.whl")
        check_files(wheel)
        for extra in (None, *bench.options.extras):
            check_install(work, wheel, extra)
    shutil.rmtree(CLEAN)
    print("all of it holds")


def check_files(wheel: Path) -> None:
    """Every file of the package is in the wheel, and nothing else."""
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    source = ROOT / "src"
    ours = {str(f.relative_to(source).as_posix()) for f in source.rglob("*") if f.is_file() and "__pycache__" not in f.parts}
    ours |= {f"kibitz/{file.relative_to(ROOT).as_posix()}" for file in (ROOT / "extension").rglob("*") if file.is_file()}
    expect(packed == ours, f"the wheel lacks or adds {sorted(packed ^ ours)[:5]}")
    print(f"{wheel.name}: {len(packed)} files, {wheel.stat().st_size / 1e3:,.0f} kB")


def check_install(work: Path, wheel: Path, extra: str | None) -> None:
    """Install the wheel into an environment of its own, look at what came along, and play there."""
    home = work / (extra or "alone")
    venv.create(home, with_pip=True)
    python = home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    run(python, "-m", "pip", "install", "--quiet", f"{wheel}[{extra}]" if extra else wheel)
    names = json.loads(run(python, "-P", "-c", CLOSURE, *([extra] if extra else [])))
    surplus = set(names["there"]) - set(names["needed"]) - TOOLS
    expect(not surplus, f"{extra or 'kibitz'} brought {sorted(surplus)}, which nothing needs")
    if extra:
        run(python, "-P", "-c", OF_EXTRA[extra])
    check_work(python, extra)
    print(f"{extra or 'kibitz'}: {len(names['there'])} packages, all needed; works")


def check_work(python: Path, extra: str | None) -> None:
    """What an environment says of itself, and games played there."""
    found = json.loads(run(python, "-P", "-m", "kibitz", "doctor", "--json"))
    expect(not found["problems"], str(found["problems"]))
    expect(extra is None or all(found["extras"][extra].values()), f"{extra}: {found['extras']}")
    expect(found["kibitz"] in run(python, "-P", "-m", "kibitz", "--version"), "two versions")
    if extra is None:
        run(python, "-P", "-m", "kibitz", "onepiece", "simulate", "--games", "2")
        run(python, "-P", "-m", "kibitz", "coup", "simulate", "--games", "10", "--policy", "heuristic")


def expect(holds: bool, otherwise: str) -> None:
    """End the run where something does not hold."""
    if not holds:
        sys.exit(f"failed: {otherwise}")


def run(*command: object) -> str:
    """What a command prints; its failure ends the run."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, cwd=CLEAN, env=ALONE)
    expect(done.returncode == 0, f"{' '.join(map(str, command[:6]))}: {done.stderr.strip()[-600:]}")
    return done.stdout


if __name__ == "__main__":
    main()
