"""How sentences of the colonist.io chat log are read, in whatever language: `Language` is a table and its matcher.

A template is a sentence with slots. A colon after a word and punctuation at the end may be there or not, and a blank
may be missing beside cards, so that one template covers most of what the site has written over the years. Of words with a
bar between them one must be there, and a word with a question mark may be missing ("has|have?"):

>>> from kibitz.catan.logs.colonist.wordings import ENGLISH
>>> ENGLISH.sentences("Red  traded: ore for:  lumberlumber with: Blue")
[Sentence(kind='trade', slots={'player': 'Red', 'give': 'ore', 'receive': 'lumberlumber', 'partner': 'Blue'})]
>>> ENGLISH.cards("Lumber lumberwool & 2 card")
['wood', 'wood', 'sheep', 'hidden', 'hidden']
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

#: Cards of which a log does not say what they are, and a wish for a card of any kind.
HIDDEN = "hidden"
ANY = "any"

#: The slots that hold players.
NAMES = ("player", "partner")

#: No sentence of the site is longer; longer lines are not looked at, which keeps matching cheap on any input.
LONGEST_LINE = 1000
_LONGEST_NAME = 60

_LAZY, _GREEDY = (f"[^:]{{1,{_LONGEST_NAME}}}{mark}" for mark in ("?", ""))
_NUMBER = "[0-9]{1,3}"
_DICE = r"(?:dice[_ ]?)?[1-6][\s,+]*dice[_ ]?[1-6]|[1-6][\s,+]+[1-6]|1[0-2]|[2-9]"
_DICE_NUMBER = re.compile("1[0-2]|[1-9]")
_RULE = re.compile(r"<\s?hr\b[^>]*>|hr|[-_=*\u2013\u2014\u2500]{3,}", re.IGNORECASE)
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad"))
_PARTS = re.compile(r"\{[a-z_]+\}|\s+|[:.,!]+|[^\s{}:.,!]+")
#: What may stand between two cards, and before or after one to say how many.
_BETWEEN_CARDS = r"[\s,;&+\[\]()]"
_TIMES_BEFORE, _TIMES_AFTER = r"[0-9]{1,2}\s?[x\u00d7*]?\s?", r"\s?[x\u00d7*]\s?[0-9]{1,2}\b"
#: "And" between two cards, in every language.
_AND = r"\b(?:and|und|et|y|e|\u0438|i|oraz|ve)\b"
#: Sentences about the observer that do not name him: the slot that is missing.
_UNNAMED = {"steal_by_you": "player", "steal_from_you": "partner"}


def squeeze(text: str) -> str:
    """A line with single blanks and without characters that nobody sees."""
    return " ".join(text.translate(_INVISIBLE).split())


def is_separator(line: str) -> bool:
    """Whether a line is the rule between two turns: `<hr>`, hr, or dashes."""
    return len(line) <= LONGEST_LINE and _RULE.fullmatch(line) is not None


def dice_total(text: str) -> int:
    """The sum of two dice (`dice_5 dice_1`, `5 1`), or the total itself."""
    return sum(int(number) for number in _DICE_NUMBER.findall(text))


@dataclass(frozen=True)
class Sentence:
    """What a line says: the kind of sentence, and the text in each slot."""

    kind: str
    slots: Mapping[str, str]

    def names(self) -> list[str]:
        """The players as the line writes them."""
        return [self.slots[slot] for slot in NAMES if self.slots.get(slot)]


@dataclass(frozen=True, eq=False)
class Language:
    """Everything that depends on the language of the page. Of several words or templates the first is written."""

    code: str
    name: str
    resources: Mapping[str, Sequence[str]]
    pieces: Mapping[str, Sequence[str]]
    dev_cards: Mapping[str, Sequence[str]]
    awards: Mapping[str, Sequence[str]]
    #: A resource card seen from behind, a wished card of any kind, a development card seen from behind.
    hidden: Sequence[str]
    any: Sequence[str]
    dev_back: Sequence[str]
    #: The observer as who does something, and as whom it is done to.
    you: tuple[str, str]
    #: The unit of points at the end of a line: "(+1 VP)".
    points: Sequence[str]
    #: What the picture of a hex is called, by what it produces (or "desert").
    tiles: Mapping[str, str]
    #: Names of pictures that copying may leave in front of a player, and those of them that are in no player's name.
    pictures: Sequence[str]
    faces: Sequence[str]
    #: The templates by kind, in the order in which they are tried.
    templates: Mapping[str, Sequence[str]]
    #: Lines that say nothing about the game.
    notes: Sequence[str] = ()
    #: Cards and sentences that only games of an expansion have.
    commodities: Sequence[str] = ()
    expansions: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def sentences(self, line: str) -> list[Sentence]:
        """Every way to read a line, the likeliest first; the names of players are whatever stands there."""
        if len(line) > LONGEST_LINE:
            return []
        text = self._bare(line)
        lower = text.lower()
        found: list[Sentence] = []
        for kind, word, patterns in self._patterns:
            if word in lower:
                for match in filter(None, (pattern.fullmatch(text) for pattern in patterns)):
                    slots = {slot: value.strip(" :,") for slot, value in match.groupdict().items()}
                    if kind in _UNNAMED:
                        slots[_UNNAMED[kind]] = self.you[NAMES.index(_UNNAMED[kind])]
                    sentence = Sentence("steal" if kind in _UNNAMED else kind, slots)
                    if sentence not in found:
                        found.append(sentence)
        to_several = [sentence for sentence in found if sentence.kind == "offer" and "&" in sentence.slots.get("partner", "")]
        return found + [Sentence("offer", {**each.slots, "partner": ""}) for each in to_several[:1]]

    def is_note(self, line: str) -> bool:
        """Whether a line says nothing about the game."""
        return len(line) <= LONGEST_LINE and any(pattern.fullmatch(squeeze(line)) for pattern in self._notes)

    def expansion(self, line: str) -> tuple[str, str] | None:
        """The expansion whose game a line is from, and the player whom it names."""
        if len(line) > LONGEST_LINE:
            return None
        text = self._bare(line)
        matches = ((name, pattern.fullmatch(text)) for name, patterns in self._expansions for pattern in patterns)
        return next(((name, match["player"]) for name, match in matches if match is not None), None)

    def _bare(self, line: str) -> str:
        """A line without the face in front of it and the points at its end."""
        return self._points.sub("", self._face.sub("", squeeze(line)))

    def is_name(self, text: str) -> bool:
        """Whether a text has the length of a name, and no word of any sentence in it."""
        return 0 < len(text) <= _LONGEST_NAME and self._words.isdisjoint(text.lower().split())

    def cards(self, text: str) -> list[str]:
        """The cards in a slot: resources, `HIDDEN` and `ANY`."""
        found: list[str] = []
        for match in self._counted_card.finditer(text):
            found += [str(next(name for name in self._card_table if match[name]))] * int(match["before"] or match["after"] or 1)
        return found

    def named(self, slot: str, text: str) -> str:
        """The piece, the development card (`dev_card`) or the award in a slot."""
        return _names_in(self._named[slot], text)[0]

    def without_picture(self, name: str) -> str:
        """A player's name without the name of a picture in front of it."""
        return self._picture.sub("", name, count=1)

    @cached_property
    def _card_table(self) -> dict[str, Sequence[str]]:
        return {**self.resources, HIDDEN: self.hidden, ANY: self.any}

    @cached_property
    def _counted_card(self) -> re.Pattern[str]:
        """A card with how many there are of it; the group of its name tells which it is."""
        before, after = r"(?:(?P<before>[0-9]{1,2})\s?[x\u00d7*]?\s?)?", r"(?:\s?[x\u00d7*]\s?(?P<after>[0-9]{1,2})\b)?"
        return re.compile(f"{before}(?:{_named(self._card_table).pattern}){after}", re.IGNORECASE)

    @cached_property
    def _named(self) -> dict[str, re.Pattern[str]]:
        tables = {"card": self._card_table, "piece": self.pieces, "dev_card": self.dev_cards, "award": self.awards}
        return {slot: _named(table) for slot, table in tables.items()}

    @cached_property
    def _points(self) -> re.Pattern[str]:
        return re.compile(rf"\s?[:(]?\s?\+[0-9]{{1,3}}\s?{_one_of(self.points)}\s?\)?$", re.IGNORECASE)

    @cached_property
    def _picture(self) -> re.Pattern[str]:
        return re.compile(rf"^(?:(?:{_one_of(self.pictures)}|(?>icon_[a-z_]{{1,30}})|[^\w\s#])\s?){{1,8}}(?=\S)")

    @cached_property
    def _face(self) -> re.Pattern[str]:
        return re.compile(rf"^(?:{_one_of(self.faces)}\s?)(?=\S)", re.IGNORECASE)

    @cached_property
    def _slots(self) -> dict[str, str]:
        """The pattern of each slot but the names. What repeats is never tried again with fewer repetitions (`(?>`)."""
        card = _one_of([*_words(self.resources), *self.hidden, *self.any])
        dev_card = _one_of(_words(self.dev_cards))
        counted = f"(?:{_TIMES_BEFORE})?{card}(?:{_TIMES_AFTER})?"
        cards = rf"(?>{_BETWEEN_CARDS}*(?:{counted}(?:{_BETWEEN_CARDS}|{_AND}(?=\s*{counted}))*)+)"
        return {
            "cards": cards,
            "give": cards,
            "receive": cards,
            "card": card,
            "dice": _DICE,
            "commodity": _one_of(self.commodities),
            "piece": rf"(?>(?:{_one_of(_words(self.pieces))}(?:_(?!wall)[a-z]{{1,20}}(?![a-z]))?\s?)+)",
            "dev_card": rf"(?>{dev_card}(?:[\s:]*(?:{dev_card}|{_one_of(self.hidden)}))*)",
            "dev_back": rf"(?>(?:{_one_of([*self.dev_back, *_words(self.dev_cards)])}\s?)+)",
            "award": rf"(?>(?:{_one_of(_words(self.awards))}\s?)+)",
            "count": _NUMBER,
            "left": _NUMBER,
            "needed": _NUMBER,
        }

    @cached_property
    def _patterns(self) -> list[tuple[str, str, list[re.Pattern[str]]]]:
        """Kind, a word that must be in the line, and the patterns of each template."""
        return [
            (kind, _longest_word(template), self._compiled(template))
            for kind, templates in self.templates.items()
            for template in templates
        ]

    @cached_property
    def _words(self) -> frozenset[str]:
        parts = [part for template in _words(self.templates) for part in _PARTS.findall(template)]
        return frozenset(word.lower() for part in parts if part[0].isalpha() for word in part.rstrip("?").split("|"))

    @cached_property
    def _notes(self) -> list[re.Pattern[str]]:
        pictures = [re.compile(rf"(?:{_one_of([*self.pictures, *self.faces])}\s?)+", re.IGNORECASE)]
        return pictures + [pattern for template in self.notes for pattern in self._compiled(template)]

    @cached_property
    def _expansions(self) -> list[tuple[str, list[re.Pattern[str]]]]:
        return [
            (expansion, [pattern for template in templates for pattern in self._compiled(template)])
            for expansion, templates in self.expansions.items()
        ]

    def _compiled(self, template: str) -> list[re.Pattern[str]]:
        """The pattern of a template; with two names in it, also that in which they are as long as possible."""
        parts = ["", *_PARTS.findall(template), ""]
        names = [name for name in NAMES if f"{{{name}}}" in template]
        patterns = []
        for name_pattern in (_LAZY, _GREEDY) if len(names) > 1 else (_LAZY,):
            slots = {**self._slots, **dict.fromkeys(names, name_pattern)}
            pieces = [self._pattern_of(part, parts[at], parts[at + 2], slots) for at, part in enumerate(parts[1:-1])]
            for at, part in enumerate(parts[1:-1]):
                if _is_optional(part):  # with the blank after it, or before it if it is the last word
                    blank = at + 1 if at + 1 < len(pieces) else at - 1
                    both = pieces[at] + pieces[blank] if blank > at else pieces[blank] + pieces[at]
                    pieces[at], pieces[blank] = f"(?:{both})?", ""
            patterns.append(re.compile("".join(pieces), re.IGNORECASE))
        return patterns

    def _pattern_of(self, part: str, before: str, after: str, slots: Mapping[str, str]) -> str:
        """The pattern of a slot, a blank, punctuation or a word, given its neighbours."""
        if part == "{any}":
            return ".*?"
        if part.startswith("{"):
            return f"(?P<{part[1:-1]}>{slots[part[1:-1]]})"
        if part.isspace():
            neighbours = {before[1:-1], after[1:-1]}
            if "any" in neighbours:
                return r"\s?"
            if neighbours & self._slots.keys():
                return r"[\s:]*"
            return r"\s" if before == "{player}" else r":?\s"
        if part[0] in ":.,!":
            return f"(?:{re.escape(part)})?"
        return _one_of(part.rstrip("?").split("|"))


def _one_of(words: Iterable[str]) -> str:
    """A pattern of alternatives, longer words before those with which they begin."""
    return f"(?:{'|'.join(map(re.escape, sorted(words, key=lambda word: (-len(word), word))))})"


def _words(table: Mapping[str, Sequence[str]]) -> list[str]:
    return [word for words in table.values() for word in words]


def _named(table: Mapping[str, Sequence[str]]) -> re.Pattern[str]:
    """A pattern whose last group tells which name a word stands for."""
    return re.compile("|".join(f"(?P<{name}>{_one_of(words)})" for name, words in table.items()), re.IGNORECASE)


def _names_in(pattern: re.Pattern[str], text: str) -> list[str]:
    return [str(match.lastgroup) for match in pattern.finditer(text)]


def _is_optional(part: str) -> bool:
    return part.endswith("?") and part[0] != "{"


def _longest_word(template: str) -> str:
    """The longest word that every line of a template has."""
    words = (part for part in _PARTS.findall(template) if part[0] not in "{:.,!" and "|" not in part and not _is_optional(part))
    return max(words, key=len, default="").lower()
