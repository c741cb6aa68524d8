"""``kibitz doctor``: what is installed, compiled and cached here, and whether a GPU or a cluster can be used."""

import os
import platform
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import typer

from kibitz import __version__
from kibitz.cli.common import console, print_json
from kibitz.cli.options import ClusterOption, JsonOption

#: Extras for those who work on Kibitz itself.
FOR_DEVELOPERS = ("bench",)


def doctor(cluster: ClusterOption = None, as_json: JsonOption = False) -> None:
    """Check the installation: packages, compiled code, cache, and whether a GPU or a cluster is reachable.

    The exit code is 1 where something is missing that Kibitz cannot run without, or where the cluster that was named does not
    answer.
    """
    with console().status("looking"):
        found = examine(cluster)
    if as_json:
        print_json(found)
    else:
        print("\n".join(lines(found)))
    if found["problems"]:
        raise typer.Exit(1)


def examine(cluster: str | None = None) -> dict[str, Any]:
    """Everything that `kibitz doctor` says, by name."""
    needed, extras = packages()
    missing = [name for name, version in needed.items() if version is None]
    problems = [f"{name} is not installed" for name in missing]
    there = _cluster(cluster)
    if cluster is not None and not there["reachable"]:
        problems.append(f"cluster: {there['why']}")
    return {
        "kibitz": __version__,
        "folder": str(Path(__file__).parents[1]),
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "packages": needed,
        "extras": extras,
        "compiled": {} if missing else compiled(),
        "gpu": _gpu(),
        "cluster": there,
        "problems": problems,
    }


def packages() -> tuple[dict[str, str | None], dict[str, dict[str, str | None]]]:
    """The versions of the packages that Kibitz needs, and of those of each extra; None for what is not installed."""
    from importlib import metadata

    needed: dict[str, str | None] = {}
    extras: dict[str, dict[str, str | None]] = {}
    requirements: list[str] = []
    with suppress(metadata.PackageNotFoundError):  # run from its sources
        requirements = metadata.requires("kibitz") or []
    for requirement in requirements:
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        extra = re.search(r"extra\s*==\s*['\"]([\w-]+)['\"]", requirement)
        if extra is None:
            needed[name] = _version(name)
        elif extra[1] not in FOR_DEVELOPERS:
            extras.setdefault(extra[1], {})[name] = _version(name)
    return needed, extras


def _version(package: str) -> str | None:
    from importlib import metadata

    with suppress(metadata.PackageNotFoundError):
        return metadata.version(package)
    return None


def compiled() -> dict[str, Any]:
    """Whether the rules run compiled, where machine code is kept, how much of it, and how many functions of each part."""
    from kibitz.ground.jit import COMPILED, MODE, PACKAGE, cache_root, compiled_parts, source_hash

    root = cache_root() if COMPILED else None
    if root is None:
        return {"mode": MODE, "folder": None, "megabytes": 0.0, "versions": 0, "parts": {}}
    suffix = "" if MODE == "1" else f"-{MODE}"
    parts = {name or "games": root / f"{source_hash(name)}{suffix}" for name in ("", *compiled_parts(PACKAGE))}
    size = sum(file.stat().st_size for file in root.rglob("*") if file.is_file())
    return {
        "mode": MODE,
        "folder": str(root),
        "megabytes": round(size / 1e6, 1),
        "versions": sum(folder.is_dir() for folder in root.iterdir()),
        "parts": {name: sum(1 for _ in folder.rglob("*.nbi")) for name, folder in parts.items()},
    }


def _gpu() -> dict[str, Any]:
    try:
        from kibitz.compute.cuda import require_gpu

        require_gpu()
    except (ImportError, RuntimeError) as error:  # NoGpu is one
        return {"usable": False, "why": str(error)}
    from numba import cuda

    device = cuda.get_current_device()
    name = device.name.decode() if isinstance(device.name, bytes) else str(device.name)
    return {"usable": True, "name": name, "compute_capability": ".".join(map(str, device.compute_capability))}


def _cluster(address: str | None) -> dict[str, Any]:
    if address is None:
        return {"address": None, "reachable": None, "why": "not checked; name one with --cluster ADDRESS"}
    from kibitz.compute.cluster import Cluster, NoCluster

    try:
        with Cluster(address) as found:
            return {"address": address, "reachable": True, "threads": found.threads}
    except NoCluster as error:
        return {"address": address, "reachable": False, "why": str(error)}


def lines(found: dict[str, Any]) -> list[str]:
    """The same for people."""
    told = [
        f"kibitz      {found['kibitz']}, in {found['folder']}",
        f"python      {found['python']}, {found['platform']}, {found['cores']} cores ({sys.executable})",
        f"packages    {_versions(found['packages'])}",
    ]
    for extra, of in found["extras"].items():
        state = _versions(of) if all(of.values()) else f"not installed (pip install 'kibitz[{extra}]')"
        told.append(f"  {extra:9} {state}")
    told += _about_code(found["compiled"])
    gpu, cluster = found["gpu"], found["cluster"]
    told.append(f"gpu         {gpu['name']}, usable" if gpu["usable"] else f"gpu         {gpu['why']}")
    reached = f"{cluster['address']}: {cluster.get('threads')} threads"
    told.append(f"cluster     {reached if cluster['reachable'] else cluster['why']}")
    told += [f"problem     {problem}" for problem in found["problems"]]
    return told


def _versions(of: dict[str, str | None]) -> str:
    return ", ".join(f"{name} {version or 'MISSING'}" for name, version in of.items()) or "unknown: run from its sources"


def _about_code(code: dict[str, Any]) -> list[str]:
    if not code:
        return []
    if code["folder"] is None:
        why = (
            "plain Python (KIBITZ_JIT=0)"
            if code["mode"] == "0"
            else "compiled at every start, because the cache cannot be written"
        )
        return [f"rules       {why}"]
    kept = ", ".join(f"{name} {n}" for name, n in code["parts"].items() if n)
    waiting = ", ".join(name for name, n in code["parts"].items() if not n)
    return [
        f"rules       compiled{', with bounds checks' if code['mode'] == 'check' else ''}",
        *([f"  functions {kept}"] if kept else []),
        *([f"  not yet   {waiting}"] if waiting else []),
        f"cache       {code['folder']}, {code['megabytes']:.0f} MB, {code['versions']} folders",
    ]
