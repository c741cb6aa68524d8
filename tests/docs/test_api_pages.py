"""The pages of the API name every module that people may import."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: The command line and the browser are described by their commands and routes.
NOT_FOR_IMPORT = {"kibitz.cli", "kibitz.web"}


def test_every_module_has_its_place() -> None:
    pages = (ROOT / "docs" / "reference" / "api").glob("*.rst")
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    named = set(re.findall(r"^   (kibitz[\w.]*)$", text, re.MULTILINE))
    top = {f"kibitz.{path.stem}" for path in (ROOT / "src" / "kibitz").iterdir() if path.suffix == ".py" or path.is_dir()}
    assert {name for name in top if "__" not in name} - NOT_FOR_IMPORT == named
