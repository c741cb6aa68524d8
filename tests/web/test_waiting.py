"""Who waits at a table is told why, if something is being compiled."""

from functools import partial
from time import monotonic
from types import SimpleNamespace

import pytest

from kibitz.web.compiling import COMPILING
from kibitz.web.pages import table as module
from kibitz.web.pages.table import LONG, TableView
from tests.web.driver import awaited

pytestmark = pytest.mark.plain


class Waiting(TableView):
    """A page without a window. Its person waits for what they have decided, or for bots."""

    def __init__(self, playing):
        self.session = SimpleNamespace(moving=not playing, version=3, trouble="")
        self.moment, self.said = SimpleNamespace(version=3, over=False), ""
        self._question = SimpleNamespace(set_text=partial(setattr, self, "said"))
        self._playing, self._since = playing, monotonic() - 2 * LONG

    def show(self, moment):
        """Nothing to see."""

    def keys(self):
        return {}


@pytest.mark.parametrize("playing", [True, False])
def test_who_waits_for_the_compiler_is_told(monkeypatch, playing):
    """Not where it was only a moment, nor where nothing is compiled."""
    monkeypatch.setattr(module, "compiling", lambda: True)
    page = Waiting(playing)
    awaited(page._look)
    assert page.said == COMPILING
    page._since, page.said = monotonic(), ""
    awaited(page._look)
    assert page.said == ""
    page._since = monotonic() - 2 * LONG
    monkeypatch.setattr(module, "compiling", lambda: False)
    awaited(page._look)
    assert page.said == ""
