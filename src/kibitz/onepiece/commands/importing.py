"""``kibitz onepiece import``: card files of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.common import UserError, readable
from kibitz.cli.records import write_lines


def import_cards(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A card file: JSON or CSV (see docs/onepiece_cards.md).")],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the cards as a card file of Kibitz.")] = None,
) -> None:
    """Read a card file of your own: which effects can be played, and which texts could not be read."""
    import json

    from kibitz.ground.figures import counted
    from kibitz.onepiece.core.importing import cards
    from kibitz.onepiece.core.reading import CardError

    try:
        found = cards.import_cards(readable(file))
    except (CardError, UnicodeDecodeError) as error:
        raise UserError(str(error)) from None
    lost = {part.card for part in found.unread}
    print(f"{counted(len(found.cards), 'card')}, {len(found.cards) - len(lost)} of them with all effects")
    print(f"fields: {', '.join(f'{name} = {meaning}' for name, meaning in found.fields.items())}")
    if found.ignored:
        print(f"ignored: {', '.join(found.ignored)}")
    if found.repeated:
        print(f"there more than once: {', '.join(found.repeated)}")
    for part in found.unread:
        print(f"  {part.card}: not read: {part.text}")
    if out is not None:
        write_lines(out, [json.dumps(found.to_json(file.stem), indent=1, ensure_ascii=False)])
