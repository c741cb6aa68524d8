"""Are the figures of docs/figures.md those of benchmarks/results? ``python -m tests.docs.figures`` lists those that are not.

A number counts as found if a table of a script that its section names holds one that is the same when it is rounded as the page
rounds it, in the same unit or in one that is 100, a thousand, a million or a billion times as large or as small. What stands
behind *published* is somebody else's.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?:e-?\d+)?(?![\w])")
SCRIPT = re.compile(r"\b(\w+)\.py\b")
PUBLISHED = re.compile(r"published.*?(?=\||$)")
UNITS = (1.0, 1e2, 1e3, 1e6, 1e9)


def numbers(text: str) -> list[str]:
    """The numbers of a text as they are written; those of dates, versions and names are none."""
    return [found.rstrip(",") for found in NUMBER.findall(text)]


def value(written: str) -> float:
    return float(written.replace(",", ""))


def step(written: str) -> float:
    """The last place of a number that counts: of 1.6 a tenth, of 937,000 a thousand."""
    digits, _, power = written.replace(",", "").partition("e")
    whole, _, rest = digits.partition(".")
    place = -len(rest) if rest else len(whole) - len(whole.rstrip("0") or whole)
    return 10.0 ** (place + int(power or 0))


def is_among(written: str, measured: list[float]) -> bool:
    """Whether a number is one of those that were measured, rounded, perhaps in another unit."""
    told, half = value(written), 0.5 * step(written) * (1 + 1e-9)
    return any(abs(one * unit - told) <= half or abs(one / unit - told) <= half for one in measured for unit in UNITS)


def strangers(page: str, tables: Mapping[str, str]) -> Iterator[tuple[int, str, str]]:
    """Each number of a page that no table of its section holds: its line, the number, and the line's text."""
    lines = page.splitlines()
    begins = [i for i, line in enumerate(lines) if line.startswith("## ")]
    for begin, end in zip(begins, [*begins[1:], len(lines)], strict=True):
        named = {name for line in lines[begin:end] for name in SCRIPT.findall(line)}
        held = [text for table, text in tables.items() if any(table.startswith(name) for name in named)]
        held += [text for table, text in tables.items() if f"{table.removesuffix('_gpu')}_gpu" == table]
        measured = [value(written) for text in held for written in numbers(text)]
        for number, line in enumerate(lines[begin:end], begin + 1):
            for written in numbers(PUBLISHED.sub("", line)):
                if not is_among(written, measured):
                    yield number, written, line


def main() -> int:
    tables = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "benchmarks" / "results").glob("*.md")}
    found = list(strangers((ROOT / "docs" / "figures.md").read_text(encoding="utf-8"), tables))
    for number, written, line in found:
        print(f"docs/figures.md:{number}: {written} is in no table: {line[:100]}")
    print(f"{len(found)} figures to look at" if found else "every figure is in its table")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
