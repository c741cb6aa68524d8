"""Why an action is illegal: the numbers that `rules.why_not` returns, and what they tell a person, in words."""

from kibitz.catan.core.actions import Action
from kibitz.catan.core.position import PHASES
from kibitz.catan.core.state import CITIES, FRIENDLY_POINTS, ROADS, SETTLEMENTS
from kibitz.game import States, actor_at
from kibitz.game.actions import IllegalAction, no_action, numbered

_TEXTS = {
    "CORNER_TAKEN": "corner {corner} is taken",
    "TOO_CLOSE": "corner {corner} is next to another settlement or city (distance rule)",
    "NO_ROAD_TO_CORNER": "none of your roads leads to corner {corner}",
    "EDGE_TAKEN": "there is a road on {edge} already",
    "NOT_AT_NEW_SETTLEMENT": "road {edge} does not touch the settlement just placed",
    "NOT_CONNECTED": "road {edge} does not touch your network",
    "BLOCKED_BY_BUILDING": "road {edge} cannot continue through another player's building",
    "NOT_YOUR_SETTLEMENT": "you have no settlement on corner {corner}",
    "NO_ROADS_LEFT": "you have no road left ({roads} in all)",
    "NO_SETTLEMENTS_LEFT": "you have no settlement left ({settlements} in all)",
    "NO_CITIES_LEFT": "you have no city left ({cities} in all)",
    "CANNOT_PAY": "you cannot pay for it",
    "DECK_EMPTY": "no development card is left",
    "NO_SUCH_CARD": "you do not have that development card",
    "BOUGHT_THIS_TURN": "a development card cannot be played in the turn in which it was bought",
    "ONE_CARD_A_TURN": "only one development card may be played a turn",
    "NOWHERE_TO_BUILD": "there is no place for a free road",
    "BANK_HAS_NONE": "the supply does not hold these cards",
    "TAKE_TWO": "two cards must be taken while the supply holds two",
    "ROBBER_MUST_MOVE": "the robber must move to another hex",
    "FRIENDLY_ROBBER": "hex {hex} is next to a player with fewer than {friendly_points} visible points (friendly robber)",
    "NOBODY_TO_ROB": "player {seat} cannot be robbed on this hex",
    "MUST_STEAL": "there is somebody to rob",
    "NOT_YOUR_CARD": "these cards are not in the hand of player {actor}",
    "SAME_RESOURCE": "a resource cannot be traded for itself",
    "NO_SUCH_RATE": "you have no harbour with that rate",
    "NO_DOMESTIC_TRADE": "trade between players is off in this game",
    "TOO_MANY_OFFERS": "no more offers this turn",
    "NO_GIFTS": "both sides must give something",
    "DID_NOT_ACCEPT": "player {seat} has not accepted the offer",
    "DISCARD_HALF": "a whole discard is half of the hand, rounded down",
    "PLACE_FIRST_ROAD": "with phased turns the first road of Road Building must be placed",
    "BETTER_RATE": "with phased turns only your best rate counts, and you have a better one",
}

#: The number of each reason by name (0 means legal), and the sentence of each number.
NUMBERS, TEXTS = numbered(_TEXTS)
#: The name of each number.
NAMES = {number: name for name, number in NUMBERS.items()}

(
    UNKNOWN_ACTION, GAME_IS_OVER, WRONG_PHASE, CHANCE_DECIDES, NO_SUCH_OUTCOME, CORNER_TAKEN, TOO_CLOSE,
    NO_ROAD_TO_CORNER, EDGE_TAKEN, NOT_AT_NEW_SETTLEMENT, NOT_CONNECTED, BLOCKED_BY_BUILDING, NOT_YOUR_SETTLEMENT,
    NO_ROADS_LEFT, NO_SETTLEMENTS_LEFT, NO_CITIES_LEFT, CANNOT_PAY, DECK_EMPTY, NO_SUCH_CARD, BOUGHT_THIS_TURN, ONE_CARD_A_TURN,
    NOWHERE_TO_BUILD, BANK_HAS_NONE, TAKE_TWO, ROBBER_MUST_MOVE, FRIENDLY_ROBBER, NOBODY_TO_ROB, MUST_STEAL,
    NOT_YOUR_CARD, SAME_RESOURCE, NO_SUCH_RATE, NO_DOMESTIC_TRADE, TOO_MANY_OFFERS, NO_GIFTS, DID_NOT_ACCEPT,
    DISCARD_HALF, PLACE_FIRST_ROAD, BETTER_RATE,
) = NUMBERS.values()  # fmt: skip


def refuse(states: States, code: int, reason: int) -> IllegalAction:
    """Why the action of a code is illegal in ``states[0]``, from the number of the rule that it breaks."""
    return no_action(code) if reason == UNKNOWN_ACTION else refuse_action(states, Action.from_code(code), reason)


def refuse_action(states: States, action: Action, reason: int) -> IllegalAction:
    """The same for any action, a plan too."""
    data = action.data
    values = {
        "action": action.to_text(),
        "phase": PHASES[int(states["phase"][0])],
        "actor": actor_at(states, 0) + 1,
        "corner": data.get("corner"),
        "hex": data.get("hex"),
        "edge": "-".join(map(str, data.get("edge", ()))),
        "seat": data.get("victim", data.get("partner", -1)) + 1,
        "roads": ROADS,
        "settlements": SETTLEMENTS,
        "cities": CITIES,
        "friendly_points": FRIENDLY_POINTS,
    }
    return IllegalAction(action, NAMES[reason], TEXTS[reason].format(**values))
