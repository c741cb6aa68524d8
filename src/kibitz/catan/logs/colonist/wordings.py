"""The sentences of the colonist.io chat log, as tables: one `Language` each.

To add a language, add another table to `kibitz.catan.logs.colonist.translations`.

>>> likeliest(["Ann hat 5 1 gewürfelt", "Bob bekam Holz"]).name
'German'
"""

from collections.abc import Sequence

from kibitz.catan.logs.colonist.language import Language
from kibitz.catan.logs.colonist.translations import translations

ENGLISH = Language(
    code="en",
    name="English",
    resources={
        "wood": ("Lumber", "Wood"),
        "brick": ("Brick",),
        "sheep": ("Wool", "Sheep"),
        "wheat": ("Grain", "Wheat"),
        "ore": ("Ore",),
    },
    pieces={"road": ("Road",), "settlement": ("Settlement",), "city": ("City",)},
    dev_cards={
        "knight": ("Knight",),
        "victory_point": ("Victory Point", "VictoryPoint"),
        "road_building": ("Road Building", "RoadBuilding", "Road Builder"),
        "year_of_plenty": ("Year of Plenty", "YearOfPlenty"),
        "monopoly": ("Monopoly",),
    },
    awards={"longest_road": ("Longest Road",), "largest_army": ("Largest Army",)},
    hidden=("Resource Card", "card", "myth", "rescardback"),
    any=("Any Resource", "AnyResource", "Any", "?"),
    dev_back=("Development Card", "devcardback", "devcard", "dev card", "card"),
    you=("You", "you"),
    points=("VP", "VPs"),
    tiles={
        "wood": "lumber tile",
        "brick": "brick tile",
        "sheep": "wool tile",
        "wheat": "grain tile",
        "ore": "ore tile",
        "desert": "desert tile",
    },
    pictures=("Guest", "User", "bot", "trophy"),
    faces=("Player avatar", "Profile picture"),
    templates={
        "placed": ("{player} placed a {piece}", "{player} placed an {piece}"),
        "start": ("{player} received starting resources {cards}",),
        "dice": ("Dice rolled {dice}",),
        "roll": ("{player} rolled {dice}", "{player} rolled a {dice}"),
        "built": ("{player} built a {piece}",),
        "bought": ("{player} bought {dev_back}", "{player} bought a {dev_back}", "{player} bought"),
        "bank": ("{player} gave bank {give} and took {receive}",),
        "trade": (
            "{player} gave {give} and got {receive} from {partner}",
            "{player} traded {give} for {receive} with {partner}",
        ),
        "dealt": ("{player} traded with {partner}",),
        "offer": ("{player} wants to give {give} for {receive}", "{player} wants to give {partner} {give} for {receive}"),
        "counter": ("{player} proposed counter offer to {partner}, offering {give} for {receive}",),
        "monopoly": ("{player} stole {count} {card}",),
        "monopolised": ("{player} used {dev_card} & stole all of {card}", "{player} used {dev_card} and stole all {card}"),
        "steal": ("{player} stole {cards} from {partner}", "{player} stole from {partner}"),
        "revealed": ("{player} stole {cards}",),
        "got": ("{player} got {cards}",),
        "gain": ("{player} selected {cards} from gold tile", "{player} received {cards}"),
        "used": ("{player} used {dev_card}",),
        "plenty": ("{player} took from bank {cards}",),
        "discard": ("{player} discarded {cards}",),
        "held": ("{player} has {count} card|cards. Needs to discard {needed} card|cards",),
        "robber": ("{player} moved Robber to {any}", "{player} moved Robber {any}", "{player} moved the Robber {any}"),
        "shortage": (
            "Not enough {card} for all players. {left} {any} left, and {needed} {any} needed.",
            "Insufficient {card} in bank to distribute: {left} in bank when {needed} {any} required",
        ),
        "award": ("{player} received {award} {any}",),
        "passed": ("{award} passed from {partner} to {player}", "{award} has passed from {partner} to {player}"),
        "lost": ("{player} lost {award} {any}",),
        "won": ("{player} won the game! {any}",),
    },
    notes=(
        # the robber
        "{any} is blocked by {any}",
        "No player to steal from{any}",
        "Player has no cards{any}",
        "Players don't have any cards{any}",
        "{any} could not steal {any}",
        "{any} automatically moved{any}",
        "{any}Friendly Robber is active{any}",
        # who comes and goes
        "{any} disconnected{any}",
        "{any} reconnected{any}",
        "Reconnecting{any}",
        "{any} kicked{any}",
        "{any} bot will take over{any}",
        "{any} resigned{any}",
        "{any} has left{any}",
        "{any} left the game{any}",
        "{any} joined the game{any}",
        "{any} spectating{any}",
        "Half or more of the players left{any}",
        "You are the last player remaining{any}",
        "{any} rematch{any}",
        "The game ended because{any}",
        # who is about to do something
        "Bot is {any}",
        "Bot selecting {any}",
        "{any} is selecting {any}",
        "{any} is discarding{any}",
        "{any} discarding resource cards{any}",
        "{any} turn to place {any}",
        "{any} Special Build Phase{any}",
        "Giving out starting resources{any}",
        # the bank, of which only some wordings tell how much it holds
        "Not enough {any}",
        "Insufficient {any}",
        "No resources left in the bank{any}",
        "{any} because bank has insufficient {any}",
        # talk
        "{any} embargo{any}",
        "{any}blocked trading with {any}",
        "{any} started a vote {any}",
        "Vote to {any}",
        "The vote has been canceled{any}",
        "There is already an active vote{any}",
        "You cannot start a vote{any}",
        "You can only start a vote{any}",
        "Game Paused",
        "Game Resumed",
        "Happy settling{any}",
        "Learn how to play{any}",
        "Info{any}Help at our{any}",
        "Info{any}at our{any}",
        "Help at our{any}",
        "Disable chat with{any}",
        "Type {any}help{any} for more commands",
        "Karma System{any}",
        "Leavers will receive{any}",
        "{any} is inactive{any}",
        "{any} started the game{any}",
        "Good luck{any}",
        "List of commands{any}",
        "You have reached {any}",
        "{any} Victory Point{any}",
    ),
    commodities=("Cloth", "Coin", "Paper"),
    expansions={
        "Cities & Knights": (
            "{player} upgraded {any} to level {any}",
            "{player} activated knight{any}",
            "{player} removed knight{any}",
            "{player} placed a Knight{any}",
            "{player} built a Knight{any}",
            "{player} built a City Wall{any}",
            "{player} built a city_wall{any}",
            "{player} placed {any} Metropolis{any}",
            "{player} selected {any} from Aqueduct",
            "{player} got {any}{commodity}{any}",
            "{player} gave bank {any}{commodity}{any}",
            "{player} discarded {any}{commodity}{any}",
        ),
        "Seafarers": (
            "{player} built a Ship{any}",
            "{player} placed a Ship{any}",
            "{player} moved a Ship{any}",
            "{player} moved Pirate{any}",
            "{player} settled on Foreign Land{any}",
        ),
    },
)

#: Every language whose pages can be read.
LANGUAGES = [ENGLISH, *translations(ENGLISH)]
#: So many rows, spread over a log, tell its language.
_SAMPLE = 300


def likeliest(texts: Sequence[str]) -> Language:
    """The language in which most rows of a log make sense; English if none does in any."""
    sample = texts[:: max(1, len(texts) // _SAMPLE)]
    scores = [sum(bool(LANGUAGES[0].sentences(text)) for text in sample)]
    if 2 * scores[0] > len(sample):  # the tables of all others take longer to prepare than most logs to read
        return LANGUAGES[0]
    scores += [sum(bool(language.sentences(text)) for text in sample) for language in LANGUAGES[1:]]
    if not any(scores) and len(sample) < len(texts):
        return next((language for language in LANGUAGES if any(map(language.sentences, texts))), LANGUAGES[0])
    return LANGUAGES[scores.index(max(scores))]


def is_sentence(line: str) -> bool:
    """Whether a line can be read, in any language."""
    return any(language.sentences(line) for language in LANGUAGES)


def readable() -> str:
    """The languages that can be read, for people."""
    *names, last = [language.name for language in LANGUAGES]
    return f"{', '.join(names)} and {last}" if names else last
