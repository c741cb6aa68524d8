"""Steals that a chat log tells twice, and who "you" are where a player has that name.

In 2020 everybody read that a card was stolen, and then thief and victim which: "Red stole card from: Blue" and "You stole: wool
from: Blue" (or, for the victim, "Red stole: wool") are one steal. Without that colon, as the site writes today, they are two.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from kibitz.catan.logs.colonist.cast import Cast, Row
from kibitz.catan.logs.colonist.language import HIDDEN, Sentence


@dataclass
class Steals:
    """What the rows tell, each steal once; and whom they prove to be the observer."""

    sentences: list[Sentence | None]
    #: Whether a row says only what the next one says better.
    repeated: list[bool]
    observers: set[str] = field(default_factory=set)


def told_once(cast: Cast, rows: Sequence[Row], sentences: Sequence[Sentence | None]) -> Steals:
    """Join what is told twice, and name the thief where a player is called "You"."""
    found = Steals(list(sentences), [False] * len(rows))
    actor: str | None = None
    before: int | None = None  # the row of a steal whose card is hidden, if nothing has happened since
    for at, (row, sentence) in enumerate(zip(rows, sentences, strict=True)):
        if row.after_gap or row.separator:
            before, actor = None, None if row.after_gap else actor
        if sentence is None:
            continue
        if sentence.kind in ("roll", "used", "robber", "placed", "built"):
            actor = sentence.slots["player"]
        named = _named(cast, sentence, actor) if sentence.kind == "steal" else sentence
        found.sentences[at] = named
        hidden = found.sentences[before] if before is not None and ":" in row.text else None
        if hidden is not None and before is not None and _reveals(cast, hidden, named):
            _observe(cast, found, hidden, named)
            found.sentences[at] = Sentence("steal", {**hidden.slots, "cards": named.slots["cards"]})
            found.sentences[before], found.repeated[before] = None, True
        before = at if named.kind == "steal" and not _is_seen(cast, named) else None
    return found


def _is_seen(cast: Cast, sentence: Sentence) -> bool:
    cards = cast.cards_in(sentence)
    return len(cards) == 1 and cards[0] != HIDDEN


def _named(cast: Cast, sentence: Sentence, actor: str | None) -> Sentence:
    """Where "You" is a player's name, too, a steal by "you" who read the log with another word.

    Only thief and victim see the card: a card that "You" stole from somebody was stolen by whose turn it is.
    """
    subject, other = cast.language.you
    thief = sentence.slots["player"]
    if thief != subject or thief not in cast.seats or not _is_seen(cast, sentence) or cast.is_you(sentence.slots["partner"]):
        return sentence
    if actor in (None, thief) or other in cast.seats:
        return sentence
    return Sentence("steal", {**sentence.slots, "player": other})


def _reveals(cast: Cast, hidden: Sentence, sentence: Sentence) -> bool:
    """Whether a sentence tells the card of the steal before it."""
    if sentence.kind not in ("steal", "revealed") or not _is_seen(cast, sentence):
        return False
    thief, victim = sentence.slots["player"], sentence.slots.get("partner")
    same_thief = thief == hidden.slots["player"] or cast.is_you(thief)
    return same_thief and (victim is None or victim == hidden.slots["partner"] or cast.is_you(victim))


def _observe(cast: Cast, found: Steals, hidden: Sentence, sentence: Sentence) -> None:
    """Who reads the card is the thief, called "you", or else the victim."""
    party = "player" if cast.is_you(sentence.slots["player"]) else "partner"
    if not cast.is_you(hidden.slots[party]):
        found.observers.add(hidden.slots[party])
