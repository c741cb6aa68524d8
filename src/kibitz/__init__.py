"""Kibitz: an analysis engine for tabletop games with hidden information.

Importing the package is cheap; `kibitz.catan` and the other games load the compiler when they are imported.
"""

__version__ = "0.2.0"

#: The games of this house. Each is a package with a module `profile`, which is all that anything generic knows of it.
GAMES = ("catan", "coup", "onepiece")
#: Small games that show how one is written: modules of `kibitz.examples` that are played by their names, too.
EXAMPLES = ("kuhn", "leduc", "liars_dice")
