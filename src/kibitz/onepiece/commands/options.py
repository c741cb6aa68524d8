"""The options that several commands of the One Piece card game have."""

from __future__ import annotations

from typing import Annotated

from kibitz.cli.options import setup_option
from kibitz.onepiece.profile import PROFILE

DecksOption = Annotated[str, setup_option(PROFILE.options[0])]
CardsOption = Annotated[str | None, setup_option(PROFILE.options[1])]
