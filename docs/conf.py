"""Sphinx: MyST pages, the API from the docstrings, tables generated from the code."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "src"), str(HERE / "_ext")]

os.environ["KIBITZ_JIT"] = "0"
import kibitz.jit  # noqa: E402

# Show every function as it stands in the source: neither the compiled object nor its plain twin.
kibitz.jit._compile = lambda f, twin: f

project = "Kibitz"
author = "Kibitz contributors"
copyright = "Kibitz contributors"  # the name that Sphinx wants
version = release = kibitz.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "tables"]
exclude_patterns = ["_build", "_ext"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}

html_theme = "furo"
html_title = f"Kibitz {release}"

# Single backticks in docstrings name Python objects; what is no object is shown as code.
default_role = "py:obj"
add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True}
toc_object_entries_show_parents = "hide"

myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
# Each game has its own Action, GameState and so on: a bare name in an annotation may mean several.
suppress_warnings = ["ref.python"]
