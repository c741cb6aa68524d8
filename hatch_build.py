"""What the package says of itself on an index: the README without what only a checkout can show, and links where there are any.

A page of an index shows no file beside the README: pictures are left out, and a link into the tree becomes the words that it
stood on. Where the project is at home is known to whoever releases it: ``KIBITZ_HOME=https://... python -m build`` puts that
address into the metadata; without it there are no links, rather than invented ones.
"""

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

#: A picture, or a link, whose words may run over a line; nothing that has an address of its own.
PICTURE = re.compile(r"^!\[[^\]]*\]\((?!https?:)[^)]+\)\n\n?", re.MULTILINE)
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:)[^)]+\)")


def long_description(readme: str) -> str:
    """A README that can be read anywhere.

    >>> long_description("See [the figures](docs/figures.md) and [the index](https://example.org).")
    'See the figures and [the index](https://example.org).'
    """
    return LINK.sub(r"\1", PICTURE.sub("", readme))


class PageOnAnIndex(MetadataHookInterface):
    """The readme and the links of the package."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Write them into the metadata."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": long_description(text)}
        home = os.environ.get("KIBITZ_HOME")
        metadata["urls"] = {"Homepage": home} if home else {}
