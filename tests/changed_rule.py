"""What a changed number in the rules changes in the golden games of Catan, without touching a source file:

    python -m tests.changed_rule ARMY_MINIMUM=4

Prints the changed lines of every golden game, and how many there are. The rules run as plain Python, where a module's
constants can be replaced.
"""

import difflib
import os
import sys


def set_constant(name: str, value: int) -> int:
    """Give a constant of Catan another value in every module that knows it; how many do."""
    modules = [module for path, module in sys.modules.items() if path.startswith("kibitz.catan.core") and hasattr(module, name)]
    for module in modules:
        setattr(module, name, value)
    return len(modules)


def main(arguments: list[str]) -> int:
    """Replay all games with one constant changed."""
    name, _, value = (arguments or [""])[0].partition("=")
    if len(arguments) != 1 or not value.isdigit():
        sys.exit(__doc__)
    os.environ["KIBITZ_JIT"] = "0"
    from tests.catan.test_golden import GAMES, KIND  # only now: the rules are to run as plain Python
    from tests.playthrough import FOLDER, changed_lines, replayed

    if not set_constant(name, int(value)):
        sys.exit(f"{name}: no module of kibitz.catan.core has a constant of this name")
    total = 0
    for file in (f"catan-{game}.txt" for game in GAMES):
        before, after = (FOLDER / file).read_text(encoding="utf-8"), replayed(KIND, file)
        if before != after:
            diff = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
            print(file, *(line for line in diff if line[:3] not in ("---", "+++", "@@ ")), sep="\n")
            total += changed_lines(before, after)
    print(f"{total} lines of the golden games change with {name}={value}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
