"""Sphinx: MyST pages, the API from the docstrings, tables generated from the code."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "src"), str(HERE / "_ext")]

os.environ["KIBITZ_JIT"] = "0"
import kibitz.ground.jit  # noqa: E402

# Show every function as it stands in the source: neither the compiled object nor its plain twin.
kibitz.ground.jit._compile = lambda f, twin: f

project = "Kibitz"
author = "Kibitz contributors"
copyright = "Kibitz contributors"  # the name that Sphinx wants
version = release = kibitz.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "tables", "commands", "routes", "packages", "proofs", "notebooks"]
extensions += ["strategy"]
exclude_patterns = ["_build", "_ext"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}

html_theme = "furo"
html_title = f"Kibitz {release}"
html_static_path = ["_static"]
html_css_files = ["kibitz.css"]

# Single backticks in docstrings name Python objects; what is no object is shown as code.
default_role = "py:obj"
add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_use_type_comments = False
# A name is described where it is defined, not where it is offered again.
autodoc_default_options = {"members": True, "ignore-module-all": True}
# A page of a package lists its modules at the side, not each of their names.
toc_object_entries = False
# What OpenSpiel has no wheel for.
autodoc_mock_imports = [name for name in ("gymnasium", "pettingzoo", "pyspiel", "stable_baselines3") if find_spec(name) is None]

# Where the tests are that these pages name for each rule.
proof_folders = {"rules": "tests/catan", "coup": "tests/coup", "onepiece": "tests/onepiece"}

myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
# Each game has its own Action, GameState and so on: a bare name in an annotation may mean several.
suppress_warnings = ["ref.python"]
