"""Which language a log seems to be in that cannot be read: by its letters, and by words that only such rows have.

>>> seeming(["Ann gooide dice_5 dice_1", "Bob kreeg 2 wol", "Ann heeft een weg gebouwd"])
'Dutch'
>>> seeming(["This is a letter.", "It has two lines."])
''
"""

import re
from collections import Counter
from collections.abc import Iterable

#: Letters that (almost) only one language of the site has.
_LETTERS = {
    "Korean": r"[\uac00-\ud7a3]",
    "Japanese": r"[\u3040-\u30ff]",
    "Thai": r"[\u0e00-\u0e7f]",
    "Hebrew": r"[\u0590-\u05ff]",
    "Arabic": r"[\u0600-\u06ff]",
    "Greek": r"[\u0370-\u03ff]",
    "Hindi": r"[\u0900-\u097f]",
    "Ukrainian": r"[\u0456\u0457\u0454\u0491]",
    "Serbian": r"[\u0458\u0459\u045a\u045b\u0452\u045f]",
    "Vietnamese": r"[\u0111\u01a1\u01b0\u1ea0-\u1ef9]",
    "Chinese": r"[\u4e00-\u9fff]",
}
#: Verbs of the rows, and words for what they are about.
_VERBS = {
    "Dutch": "kreeg|gaf|gooide|gerold|geplaatst|gebouwd|kocht|gestolen|weggegooid|heeft|gebruikt",
    "Afrikaans": "gekry|gekoop|geplaas|gebou|gesteel|gerol|weggegooi",
    "Swedish": "fick|rullade|kastade|byggde|placerade|k\u00f6pte|stal|kasserade|gav",
    "Norwegian": "fikk|kastet|bygget|bygde|plasserte|kj\u00f8pte|stjal|forkastet|mottok|rullet",
    "Danish": "fik|k\u00f8bte|byggede|placerede|stjal|kasseret|modtog|rullede|slog",
    "Finnish": "sai|osti|rakensi|asetti|varasti|heitti|antoi|pankille|hyl\u00e4tty|vastaanotti",
    "Czech": "dostal|koupil|postavil|um\u00edstil|ukradl|hodil|dal|vyhodil|odhodil",
    "Slovak": "dostal|k\u00fapil|postavil|umiestnil|ukradol|hodil|zahodil",
    "Hungarian": "kapott|v\u00e1s\u00e1rolt|\u00e9p\u00edtett|ellopta|dobott|helyezett|adott|eldobott",
    "Romanian": "primit|cump\u0103rat|construit|plasat|furat|aruncat|rulat|folosit|b\u0103ncii",
    "Catalan": "rebut|agafar|comprar|construir|col\u00b7locar|robar|robat|descartat|donar|obtenir",
    "Croatian": "dobio|kupio|sagradio|postavio|ukrao|bacio|odbacio",
    "Indonesian": "mendapat|membeli|membangun|menempatkan|mencuri|melempar|membuang|menerima",
}
#: What only rows of a game have.
_GAME = re.compile(r"dice_[1-6]|card_(?:lumber|brick|wool|grain|ore)\b|prob_[0-9]", re.IGNORECASE)
#: So many rows must speak for a language if nothing else shows that this is a game.
_ENOUGH = 2


def seeming(texts: Iterable[str]) -> str:
    """The language that most rows seem to be in; nothing if these do not seem to be rows of a game."""
    lines = [text[:1000].lower() for text in texts if text.strip()]
    votes: Counter[str] = Counter()
    verbs = {language: re.compile(rf"\b(?:{words})\b") for language, words in _VERBS.items()}
    letters = {language: re.compile(pattern) for language, pattern in _LETTERS.items()}
    for line in lines:
        votes.update(language for language, pattern in verbs.items() if pattern.search(line))
        votes.update([language for language, pattern in letters.items() if pattern.search(line)][:1])
    if not votes:
        return ""
    language, count = votes.most_common(1)[0]
    in_game = sum(bool(_GAME.search(line)) for line in lines)
    return language if in_game >= 1 or (count >= _ENOUGH and language in _VERBS) else ""
