"""The pages of the API name every module that people may import, each once."""

import re
from collections import Counter
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

ROOT = Path(__file__).parents[2]


def packages():
    """The extension that makes the pages."""
    spec = spec_from_file_location("packages", ROOT / "docs" / "_ext" / "packages.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_module_has_its_place():
    pages = (ROOT / "docs" / "reference" / "api").glob("*.rst")
    lines = [line for page in pages for line in re.findall(r"^   (kibitz.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)]
    extension = packages()
    described = Counter(module for line in lines for module in extension.modules(line))
    games = {line.split()[0] for line in lines}
    faces = {f"{game}.{part}" for game in games for part in extension.PARTS_OF_FACES} | set(extension.FACES) | {"kibitz"}
    there = {
        module
        for module in extension.modules("kibitz")
        if not any(module == face or module.startswith(f"{face}.") for face in faces - {"kibitz"}) and module != "kibitz"
    }
    assert set(described) == there
    assert [module for module, times in described.items() if times > 1] == []
