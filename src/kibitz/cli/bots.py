"""``bots``: who can be played against, and how strong they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.cli.common import print_json
from kibitz.cli.options import JsonOption

if TYPE_CHECKING:
    from kibitz.play.ladder import Ladder
    from kibitz.play.profile import Profile


def bots(profile: Profile, as_json: JsonOption = False) -> None:
    """List the bots with their measured ratings: first the levels for human players, then all others.

    Every name can be given wherever a bot is asked for: play --level hard, play --bots easy,hard, simulate --players hard,net.
    """
    from kibitz.play.ladder import ladder_of

    ladder = ladder_of(profile)
    names = dict.fromkeys((*profile.bots, *(name for name in ladder.bots if name not in profile.bot_names)))
    if not as_json:
        _print(profile, ladder, list(names))
        return
    levels = [
        {"name": level.name, "bot": level.bot, "slips": level.slips, "about": level.about, **_measured(ladder, level.name)}
        for level in profile.levels
    ]
    others = [{"name": name, **_measured(ladder, name)} for name in names]
    print_json({"anchor": ladder.anchor or None, "made": ladder.made or None, "levels": levels, "bots": others})


def _measured(ladder: Ladder, name: str) -> dict[str, float | None]:
    rung = ladder.of(name)
    return {"rating": rung.rating, "margin": rung.margin, "games": rung.games} if rung else {"rating": None}


def _print(profile: Profile, ladder: Ladder, names: list[str]) -> None:
    from rich.console import Console

    from kibitz.cli.tables import fitted

    out = Console(highlight=False, markup=False)
    if profile.levels:
        rows = [
            {"level": level.name, "rating": str(ladder.of(level.name) or "-"), "how it plays": level.about}
            for level in profile.levels
        ]
        out.print(
            fitted(rows, ("level", "rating", "how it plays"), width=out.width, left=("level",), wrapped=("how it plays",))
        )
        out.print()
    rows = []
    for name in names:
        rung = ladder.of(name)
        rows.append({"bot": name, "rating": str(rung or "-"), "games": f"{rung.games:,}" if rung else ""})
    out.print(fitted(rows, ("bot", "rating", "games"), width=out.width, left=("bot",)))
    if ladder.anchor:
        out.print(
            f"A difference of 400 points means odds of 10 to 1; {ladder.anchor} is 1000 by definition. ± marks a 95 % interval."
        )
