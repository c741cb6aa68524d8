"""Doctests of modules whose library is not installed are left out."""

from importlib.util import find_spec

NEEDS = {"gymnasium": ("gym", "vector", "zoo"), "pettingzoo": ("zoo",), "pyspiel": ("spiel",)}
collect_ignore = [
    f"src/kibitz/adapters/{module}.py" for library, modules in NEEDS.items() if find_spec(library) is None for module in modules
]
