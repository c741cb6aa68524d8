"""What can be seen before scripts and style sheets are there: the header with the links, and the heading of the page.

A browser paints nothing while a style sheet of the head is on its way. So the frame's own rules stand in the page itself, and
the others are loaded beside the painting (as sheets for printing, until they are there); what needs them is hidden that long.
"""

import hashlib
from collections.abc import Mapping

from jinja2 import BaseLoader, ChoiceLoader, DictLoader
from nicegui.client import templates

#: The rules that stand in every page.
FRAME = "frame.css"
#: The theme before the first paint, and the end of hiding: the page is shown once all its style sheets have come, or failed.
_SCRIPT = """<script>(() => {{
  const root = document.documentElement;
  let chosen = "auto";
  try {{ chosen = localStorage.getItem("kibitz-theme") || chosen; }} catch {{ /* a browser that keeps nothing */ }}
  const dark = chosen === "dark" || (chosen === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.dataset.theme = dark ? "dark" : "light";
  let left = {sheets};
  window.kibitzStyled = (sheet) => {{
    sheet.onload = sheet.onerror = null;
    sheet.media = "all";
    if (!--left) root.classList.add("k-styled");
  }};
  setTimeout(() => root.classList.add("k-styled"), 8000);
}})()</script>"""
_LATER = 'media="print" onload="kibitzStyled(this)" onerror="kibitzStyled(this)"'
#: How NiceGUI's page begins its own style sheets, which import all others of it.
_THEIRS = "<style>\n      @layer "


def head(files: Mapping[str, bytes]) -> str:
    """What every page has in its head. Addresses change with the content, so that browsers may keep what is there."""
    addresses = [f"/static/{name}?v={version(content)}" for name, content in files.items() if name != FRAME]
    sheets = [address for address in addresses if ".css?" in address]
    return "".join([
        f"<style>{files[FRAME].decode()}</style>",
        *(f'<script defer src="{address}"></script>' for address in addresses if ".js?" in address),
        *(f'<link rel="stylesheet" href="{address}" {_LATER}>' for address in sheets),
    ])  # fmt: skip


def version(content: bytes) -> str:
    """A name for a content, which changes with it."""
    return hashlib.blake2b(content, digest_size=6).hexdigest()


def paint_early(files: Mapping[str, bytes]) -> bool:
    """Let NiceGUI's own style sheets wait, too; whether its page is as we know it (otherwise it is only painted later)."""
    theirs = templates.env.loader
    assert theirs is not None
    if isinstance(theirs, _Early):  # another app in this process: their page, and not ours of it
        theirs = theirs.theirs
    source, _, _ = theirs.get_source(templates.env, "index.html")
    known = _THEIRS in source
    sheets = sum(name.endswith(".css") and name != FRAME for name in files) + known
    script = _SCRIPT.format(sheets=sheets)
    changed = source.replace(_THEIRS, _THEIRS.replace("<style>", f"<style {_LATER}>"), 1) if known else source
    changed = changed.replace("<head>", f"<head>{script}", 1)
    templates.env.loader = _Early(changed, theirs)
    return known


class _Early(ChoiceLoader):
    """Our form of NiceGUI's page, before all of theirs."""

    def __init__(self, page: str, theirs: BaseLoader) -> None:
        super().__init__([DictLoader({"index.html": page}), theirs])
        self.theirs = theirs
