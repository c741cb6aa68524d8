"""What is typed in a game of Catan in the terminal, as the steps that are meant by it.

The words are those of `kibitz.catan.commands.choices`, cut short as one likes; a number stands for a row of the choices, or
for the place that is asked for. Whether the rules allow it is another question.
"""

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches

from kibitz.catan.commands.choices import TURN, WORD, Question
from kibitz.catan.core.actions import Action
from kibitz.catan.core.board import RESOURCES
from kibitz.catan.core.position import GamePhase
from kibitz.catan.core.topology import CORNER_NEIGHBOURS, CORNERS, EDGE_BETWEEN, HEXES, NONE
from kibitz.catan.words import hex_words
from kibitz.cli.common import is_number, joined
from kibitz.cli.keyboard import NotUnderstood
from kibitz.game.actions import InvalidAction
from kibitz.ground.texts import counted

WORDS = tuple(dict.fromkeys(WORD.values()))
#: Other words that people use.
ALIASES = {
    "settle": "settlement", "village": "settlement", "house": "settlement", "town": "city", "upgrade": "city", "throw": "roll",
    "dice": "roll", "steal": "rob", "victim": "rob", "thief": "robber", "card": "buy", "development": "buy", "dev": "buy",
    "bank": "trade", "swap": "trade", "port": "trade", "harbour": "trade", "propose": "offer", "yes": "accept", "y": "accept",
    "ok": "accept", "no": "decline", "n": "decline", "refuse": "decline", "pass": "end", "done": "end", "next": "end",
    "finish": "end", "soldier": "knight", "year": "plenty", "invention": "plenty", "mono": "monopoly", "confirm": "deal",
    "drop": "discard",
}  # fmt: skip
_GOODS = {
    "lumber": "wood", "timber": "wood", "clay": "brick", "bricks": "brick", "wool": "sheep", "lamb": "sheep", "grain": "wheat",
    "corn": "wheat", "hay": "wheat", "stone": "ore", "rock": "ore", "iron": "ore", "ores": "ore", "woods": "wood",
}  # fmt: skip
#: Words that change nothing.
_FILLERS = {
    "a", "an", "the", "to", "on", "at", "with", "from", "of", "my", "and", "player", "cards", "please", "build", "place",
    "play", "move", "corner", "between", "turn",
}  # fmt: skip
#: Words that say again what the first one said.
_REPEATED = {"card", "development", "dice"}
#: What is meant where only a place, a player or cards are named.
_ASKED = {
    GamePhase.SETUP_SETTLEMENT: "settlement", GamePhase.SETUP_ROAD: "road", GamePhase.FREE_ROADS: "road",
    GamePhase.ROBBER_MOVE: "robber", GamePhase.ROBBER_STEAL: "rob", GamePhase.ROBBER_DISCARD: "discard",
    GamePhase.TRADE_CHOICE: "deal",
}  # fmt: skip
#: What a word means in some phase instead.
_HERE = {
    ("end", GamePhase.TRADE_ANSWER): "decline", ("end", GamePhase.TRADE_CHOICE): "cancel",
    ("decline", GamePhase.TRADE_CHOICE): "cancel", ("trade", GamePhase.TRADE_CHOICE): "deal",
    ("knight", GamePhase.ROBBER_MOVE): "robber",
}  # fmt: skip


def read_steps(text: str, asked: Question) -> list[Action]:
    """The steps that somebody typed. Raises `NotUnderstood`, which says what was expected."""
    words = _normal(text)
    if not words:
        raise NotUnderstood("Type a number or words, or ? for help.")
    try:
        word, *rest = _with_verb(words, asked)
        rest = [one for one in rest if one not in _REPEATED]
        if not rest and len(ends := asked.ends(word)) == 1:
            rest = _normal(ends[0])
        return _READERS[word](rest, asked)
    except InvalidAction as error:
        text = re.sub(r"^\w+: ", "", str(error))
        raise NotUnderstood(f"{text[0].upper()}{text[1:]}.") from None


def _normal(text: str) -> list[str]:
    """The words that count: ``3-4`` is two numbers, ``4wood`` a number and a word, V3 a corner and P2 a player."""
    text = text.lower().replace("year of plenty", "plenty").replace("road building", "roads").replace("->", " for ")
    text = re.sub(r"(?<![a-z0-9])[vp](?=\d)", "", text)
    text = re.sub(r"(?<=\d)(?=[a-z])|(?<=\d)\s*-\s*(?=\d)|[,;:_/]", " ", text)
    return [word for word in text.split() if word not in _FILLERS]


def _with_verb(words: list[str], asked: Question) -> list[str]:
    """The words with one of `WORDS` in front."""
    first = words[0]
    if asked.phase in TURN and len(words) == 1 and is_number(first):
        rows = asked.choices
        if not 1 <= int(first) <= len(rows):
            raise NotUnderstood(f"There is no choice {int(first)}; choose 1 to {len(rows)}.")
        return [rows[int(first) - 1].word]
    verb = _verb(first, asked)
    if verb == "buy" and len(words) > 1 and words[1] in ("road", "settlement", "city"):
        return words[1:]
    if verb is not None:
        return [_HERE.get((verb, asked.phase), verb), *words[1:]]
    if asked.phase in _ASKED and (first[0].isdigit() or re.fullmatch(r"h(ex)?\d*|desert", first) or _good(first)):
        return [_ASKED[asked.phase], *words]
    close = get_close_matches(first, [*WORDS, *ALIASES], 1)
    hint = f"did you mean {close[0]}?" if close else "type a number or words, or ? for help."
    raise NotUnderstood(f"{first[:40]!r} is not a move: {hint}")


def _verb(first: str, asked: Question) -> str | None:
    if first in WORDS or first in ALIASES:
        return ALIASES.get(first, first)
    found = [word for word in WORDS if word.startswith(first)]
    possible = [choice.word for choice in asked.choices if choice.word in found]
    if len(possible) == 1 or len(found) == 1:
        return (possible or found)[0]
    if found:
        raise NotUnderstood(f"Which one: {joined(possible or found, 'or')}?")
    return None


def _corner(words: Sequence[str], word: str, asked: Question) -> int:
    if len(words) != 1 or not is_number(words[0]):
        raise NotUnderstood(_which(word, asked, f"{word} 23"))
    if int(words[0]) >= CORNERS:
        raise NotUnderstood(f"The corners are 0 to {CORNERS - 1}.")
    return int(words[0])


def _which(word: str, asked: Question, example: str) -> str:
    """What may stand behind a word, if that is not too much."""
    ends = asked.ends(word)
    return f"Which one: {word} {joined(ends, 'or')}?" if 0 < len(ends) < HEXES else f"Say where, as in {example}."


def _edge(words: Sequence[str], asked: Question) -> tuple[int, int]:
    """An edge by its two ends, or by one where that is enough."""
    numbers = [int(word) for word in words if is_number(word)]
    if len(numbers) != len(words) or len(numbers) not in (1, 2):
        raise NotUnderstood(_which("road", asked, "road 3-4"))
    if max(numbers) >= CORNERS:
        raise NotUnderstood(f"The corners are 0 to {CORNERS - 1}.")
    if len(numbers) == 1:
        roads = [action.data["edge"] for action in asked.actions if WORD[action.kind] == "road"]
        found: list[tuple[int, int]] = [edge for edge in roads if numbers[0] in edge]
        if len(found) != 1:
            raise NotUnderstood(_which("road", asked, "road 3-4"))
        return found[0]
    a, b = numbers
    if (a, b) not in EDGE_BETWEEN:
        beside = [str(corner) for corner in sorted(CORNER_NEIGHBOURS.tolist()[a]) if corner != NONE]
        raise NotUnderstood(f"Corners {a} and {b} are not neighbours: next to {a} are {joined(beside)}.")
    return a, b


def _hex(words: Sequence[str], asked: Question) -> int:
    """A hex by its number (h9), by what lies there (wood 6, desert), or by a number that can only mean one."""
    text = re.sub(r"^hex|^h ", "h", " ".join(words)).replace("h ", "h")
    if (numbered := re.fullmatch(r"h(\d{1,2})", text)) and int(numbered[1]) < HEXES:
        return int(numbered[1])
    numbers = {int(word) for word in words if is_number(word)}
    goods = {word if word == "desert" else _resource(word) for word in words if not is_number(word)}
    found = [
        h
        for h, hex in enumerate(asked.state.board.hexes)
        if words and goods <= {hex.resource or "desert"} and numbers <= ({hex.number} if goods else {hex.number, h})
    ]
    if len(found) == 1:
        return found[0]
    if not found:
        raise NotUnderstood(f"Which hex? Type h0 to h{HEXES - 1}, or what it shows, as in robber wheat 6.")
    raise NotUnderstood(f"Which one: {joined([f'h{h} ({hex_words(asked.view, h)})' for h in found], 'or')}?")


def _seat(words: Sequence[str], asked: Question) -> int:
    seats = asked.row["seats"]
    if len(words) != 1 or not is_number(words[0]) or not 1 <= int(words[0]) <= seats:
        raise NotUnderstood(f"Which player? The players are 1 to {seats}.")
    return int(words[0]) - 1


def _good(word: str) -> str | None:
    """The resource that a word means, perhaps cut short."""
    if word in _GOODS:
        return _GOODS[word]
    found = [resource.value for resource in RESOURCES if resource.startswith(word)]
    return found[0] if len(found) == 1 else None


def _resource(word: str) -> str:
    resource = _good(word)
    if resource is None:
        close = get_close_matches(word, RESOURCES, 1)
        meant = f"did you mean {close[0]}?" if close else f"these are {joined(RESOURCES)}."
        raise NotUnderstood(f"{word[:40]!r} is not a resource: {meant}")
    return resource


def _cards(words: Sequence[str]) -> dict[str, int]:
    """``2 wood ore``: two wood and one ore."""
    found: dict[str, int] = {}
    count = 1
    for i, word in enumerate(words):
        if is_number(word) and i + 1 < len(words):
            count = int(word)
            continue
        resource = _resource(word)
        found[resource] = found.get(resource, 0) + count
        count = 1
    return found


def _sides(words: Sequence[str], word: str) -> dict[str, dict[str, int]]:
    """What is given and what is wanted."""
    if words.count("for") != 1 or words[0] == "for" or words[-1] == "for":
        raise NotUnderstood(f"Say what for what, as in {word} {'4 wood' if word == 'trade' else 'wood'} for ore.")
    at = list(words).index("for")
    return {"give": _cards(words[:at]), "receive": _cards(words[at + 1 :])}


def _plain(kind: str) -> Callable[[Sequence[str], Question], list[Action]]:
    """Something that is said in a word."""

    def read(words: Sequence[str], asked: Question) -> list[Action]:
        if words:
            raise NotUnderstood(f"{WORD[kind]} takes no further words: {' '.join(words)[:40]!r} does not belong there.")
        return [Action(kind)]

    return read


def _settlement(words: Sequence[str], asked: Question) -> list[Action]:
    kind = "place_setup_settlement" if asked.phase is GamePhase.SETUP_SETTLEMENT else "build_settlement"
    return [Action(kind, {"corner": _corner(words, "settlement", asked)})]


def _road(words: Sequence[str], asked: Question) -> list[Action]:
    kinds = {GamePhase.SETUP_ROAD: "place_setup_road", GamePhase.FREE_ROADS: "place_free_road"}
    return [Action(kinds.get(asked.phase, "build_road"), {"edge": _edge(words, asked)})]


def _roads(words: Sequence[str], asked: Question) -> list[Action]:
    pairs = [words[i : i + 2] for i in range(0, len(words), 2)]
    return [Action("play_road_building"), *(Action("place_free_road", {"edge": _edge(pair, asked)}) for pair in pairs)]


def _robber(words: Sequence[str], asked: Question) -> list[Action]:
    """``h9``, ``wheat 6``, and perhaps whom to rob: ``h9 2``, ``wheat 6 rob 2``."""
    victim: Sequence[str] = ()
    at = next((i for i, word in enumerate(words) if word in ("rob", "steal")), None)
    if at is not None:
        words, victim = words[:at], words[at + 1 :]
    elif len(words) > 1 and re.fullmatch(r"h\d+", words[0]):
        words, victim = words[:1], words[1:]
    steps = [Action("move_robber", {"hex": _hex(words, asked)})]
    return [*steps, Action("steal_resource", {"victim": _seat(victim, asked)})] if at is not None or victim else steps


def _discard(words: Sequence[str], asked: Question) -> list[Action]:
    cards, wanted = _cards(words), asked.row["discards"][asked.seat]
    named = sum(cards.values())
    if not wanted:
        raise NotUnderstood("There is nothing to discard now.")
    if named != wanted:
        raise NotUnderstood(
            f"You must discard {counted(wanted, 'card')}, in one line, as in discard 2 wood 1 ore; you named {named}."
        )
    return [Action("discard_resource", {"resource": resource}) for resource, n in cards.items() for _ in range(n)]


def _trade(words: Sequence[str], asked: Question) -> list[Action]:
    sides = _sides(words, "trade")
    if list(sides["give"].values()) == [1] and not is_number(words[0]):
        sides["give"] = {resource: asked.rate(resource) for resource in sides["give"]}
    return [Action("trade_bank", sides)]


def _plenty(words: Sequence[str], asked: Question) -> list[Action]:
    cards = [resource for resource, n in _cards(words).items() for _ in range(n)]
    if len(cards) not in (1, 2):
        raise NotUnderstood("Name two cards, as in plenty wood ore.")
    return [Action("play_year_of_plenty", {"resources": cards})]


def _monopoly(words: Sequence[str], asked: Question) -> list[Action]:
    if len(words) != 1:
        raise NotUnderstood("Name one resource, as in monopoly ore.")
    return [Action("play_monopoly", {"resource": _resource(words[0])})]


def _end(words: Sequence[str], asked: Question) -> list[Action]:
    kinds = {
        GamePhase.FREE_ROADS: "end_road_building", GamePhase.TRADE: "end_trade_phase", GamePhase.BUILD: "end_build_phase",
    }  # fmt: skip
    return _plain(kinds.get(asked.phase, "end_turn"))(words, asked)


_READERS: dict[str, Callable[[Sequence[str], Question], list[Action]]] = {
    **{WORD[kind]: _plain(kind) for kind in (
        "roll_dice", "accept_offer", "decline_offer", "cancel_offer", "skip_steal", "buy_dev_card", "reveal_vp",
    )},
    "settlement": _settlement, "road": _road, "roads": _roads, "robber": _robber,
    "city": lambda words, asked: [Action("build_city", {"corner": _corner(words, "city", asked)})],
    "knight": lambda words, asked: [Action("play_knight"), *(_robber(words, asked) if words else [])],
    "offer": lambda words, asked: [Action("offer_trade", _sides(words, "offer"))],
    "rob": lambda words, asked: [Action("steal_resource", {"victim": _seat(words, asked)})],
    "deal": lambda words, asked: [Action("confirm_trade", {"partner": _seat(words, asked)})],
    "discard": _discard, "trade": _trade, "plenty": _plenty, "monopoly": _monopoly, "end": _end,
}  # fmt: skip
