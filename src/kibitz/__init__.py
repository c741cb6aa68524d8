"""Kibitz: an analysis engine for tabletop games with hidden information.

Importing the package is cheap; `kibitz.catan` and the other games load the compiler when they are imported.
"""

__version__ = "0.1.0"
