"""Options that had other names before 0.1: what is typed in the old way still works."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

#: By command, the old name and the new one; what is an argument now has none.
RENAMED: Mapping[tuple[str, str], Mapping[str, str]] = {
    ("catan", "advise"): {"--engine": "--mode"},
    ("catan", "show"): {"--step": "--at"},
    ("coup", "advise"): {"--step": "--at", "--record": ""},
    ("coup", "play"): {"--players": "--seats"},
    ("coup", "show"): {"--step": "--at"},
    ("coup", "tree"): {"--players": "--seats"},
    ("loops", "lab"): {"--model": "--guard", "--rules": "--guard"},
    ("onepiece", "play"): {"--bot": "--bots"},
    ("onepiece", "tree"): {"--step": "--at"},
}


def current(words: Sequence[str]) -> list[str]:
    """A command line with the names of today.

    >>> current(["coup", "advise", "--record", "games.jsonl", "--step=31"])
    ['coup', 'advise', 'games.jsonl', '--at=31']
    """
    names = RENAMED.get((words[0], words[1]), {}) if len(words) > 1 else {}
    found = []
    for word in words:
        option, equals, value = word.partition("=")
        if option not in names:
            found.append(word)
        elif new := names[option]:
            found.append(f"{new}{equals}{value}")
        elif equals:
            found.append(value)
    return found
