"""A moment of a game as the person at the table may see it: both sides, the question, and what can be done."""

from collections.abc import Sequence
from dataclasses import dataclass

from kibitz.game import CHANCE
from kibitz.ground.texts import capitalised
from kibitz.onepiece.core.actions import PLACES, Action
from kibitz.onepiece.core.arena import UNKNOWN, Arena, CardInPlay, Wait
from kibitz.onepiece.core.cards import Card
from kibitz.onepiece.core.effects.power import cost_in_hand
from kibitz.onepiece.core.engine import OnePieceState
from kibitz.onepiece.core.keys import unit_facts
from kibitz.onepiece.core.words import action_words, battle_words, card_of, picks_from_hand, short
from kibitz.onepiece.pages.matches import OnePieceMatch
from kibitz.onepiece.profile import PROFILE
from kibitz.web.games import Session
from kibitz.web.pages.table import TableMoment


@dataclass(frozen=True)
class Unit:
    """A card as it is now, on the field or off it."""

    id: str
    """Which element of the page it is: ``me-C1``, ``op-L``."""
    card: Card
    power: int
    cost: int
    keywords: tuple[str, ...]
    rested: bool = False
    fresh: bool = False
    """Whether it was played this turn."""
    don: int = 0
    role: str = ""
    """``attacks``, ``attacked``, or nothing."""


@dataclass(frozen=True)
class Held:
    """A card in a hand, and what it costs now; None if it is not known. Copies of a card are the same to the rules."""

    id: str
    card: Card | None
    cost: int = 0


@dataclass(frozen=True)
class Side:
    """One player, as the person sees it."""

    id: str
    """Which of the sides it is: ``me``, or ``op`` on the other side of the table."""
    seat: int
    name: str
    deck_name: str
    units: dict[str, Unit]
    """By place."""
    hand: tuple[Held, ...]
    life: int
    deck: int
    trash: tuple[Card, ...]
    active: int
    rested: int
    don_deck: int
    acts: bool
    """Whether it is this player's turn."""


@dataclass(frozen=True)
class Option:
    """Something that the person may do now."""

    code: int
    kind: str
    label: str
    words: str
    source: str
    """The element that it begins with; empty for none."""
    target: str
    """The element that it is aimed at; empty for none."""
    card: Card | None
    """The card that it names, for those that lie on no field."""


@dataclass(frozen=True, kw_only=True)
class Moment(TableMoment):
    """All that the page shows of a game; nothing that the person cannot know is in it."""

    me: Side
    opponent: Side
    battle: str
    question: str
    about: str
    main: bool
    """Whether it is the person's Main Phase, where things are done with one card after another."""
    options: tuple[Option, ...]
    thinks: bool


def look(session: Session[OnePieceMatch]) -> Moment:
    """The game as it is now. Takes a few milliseconds: not for the event loop."""
    with session.lock:
        match, version = session.match, session.version
        view: OnePieceState = match.view(match.seat)[0]
        actor, over, asks = match.actor, session.over, session.asks
        log, legal = tuple(match.witness.log), match.allowed() if asks else []
        result = match.stands() if over else ""
    seat, teller = match.seat, match.witness.teller
    question, about = teller.question(view) if asks else ("", "")
    decks = [short(deck.leader) for deck in match.decks]
    return Moment(
        version=version,
        me=side_of(view, seat, "me", "You", decks[seat]),
        opponent=side_of(view, 1 - seat, "op", match.other, f"{PROFILE.bot_title(match.bot)}, {decks[1 - seat]}"),
        turn=view.turn,
        battle=battle_words(view),
        log=log,
        question=question,
        about=about,
        main=asks and view.waiting == Wait.MAIN,
        options=tuple(_options(view, legal, seat)),
        thinks=not over and actor not in (seat, CHANCE),
        over=over,
        result=result,
    )


def side_of(s: OnePieceState, seat: int, id: str, name: str, deck_name: str) -> Side:
    """One player; `s` is what somebody sees."""
    cards = s.table.cards
    known = sorted((d for d in s.hand[seat] if d != UNKNOWN), key=lambda d: (cards[d].cost, cards[d].id))
    held = [Held(f"{'hand' if id == 'me' else 'known'}-{cards[d].id}", cards[d], cost_in_hand(s, seat, d)) for d in known]
    hidden = [Held("", None)] * (len(s.hand[seat]) - len(known))
    return Side(
        id=id,
        seat=seat,
        name=name,
        deck_name=deck_name,
        units={PLACES[u.slot]: unit_of(s, u, id) for u in s.units(seat)},
        hand=(*held, *hidden),
        life=len(s.life[seat]),
        deck=s.deck_size(seat),
        trash=tuple(cards[d] for d in s.trash[seat]),
        active=s.active[seat],
        rested=s.rested[seat],
        don_deck=s.don_deck[seat],
        acts=s.turn > 0 and s.player == seat and s.waiting != Wait.OVER,
    )


def unit_of(s: Arena, unit: CardInPlay, side: str) -> Unit:
    """A card on the field, for the page."""
    facts = unit_facts(s, unit)
    role = {s.attacker: "attacks", s.target: "attacked"}.get(unit.serial, "")
    return Unit(
        f"{side}-{PLACES[unit.slot]}", s.card(unit), facts["power"], facts["cost"], tuple(facts["keywords"]),
        unit.rested, unit.fresh, unit.don, role,
    )  # fmt: skip


#: The words on buttons.
LABELS = {
    "keep": "Keep",
    "redraw": "Redraw",
    "end_turn": "End the turn",
    "done": "No more",
    "settle": "Go on",
    "return_rested": "Return a rested DON!!",
    "return_active": "Return an active DON!!",
    "play": "Play",
    "counter": "Discard",
    "pick": "Choose",
    "give": "Give a DON!! to",
    "block": "Block with",
    "return_given": "Return a DON!! of",
    "choose": "Choose",
    "attack": "Attack with",
    "activate": "Use",
    "resolve": "Resolve",
    "decline": "Leave",
    "option": "",
    "yes": "Yes",
    "no": "No",
}


def _options(s: OnePieceState, legal: Sequence[int], seat: int) -> list[Option]:
    """What the person may do, with the elements of the page that it is done with."""
    from_hand = picks_from_hand(s, seat)
    found = []
    for code in legal:
        action = Action.from_code(code, s.table)
        source = target = ""
        card = card_of(s, action) if action.card is not None else None
        if card is not None:
            if action.kind in ("play", "counter") or from_hand:
                source = f"hand-{card.id}"
        elif action.place is not None:
            owner = seat if action.player is None else action.player
            source = f"{'me' if owner == seat else 'op'}-{action.place}"
            target = f"op-{action.target}" if action.target is not None else ""
        label, words = _worded(s, action, card)
        found.append(Option(code, action.kind, label, words, source, target, card))
    return found


def _worded(s: OnePieceState, action: Action, card: Card | None) -> tuple[str, str]:
    """The words on a button, and what it comes to."""
    kind, words, label = action.kind, action_words(s, action), LABELS.get(action.kind, "")
    head, _, rest = words.partition(": ")
    if kind == "pass":
        return ("Do not block", "") if s.waiting == Wait.BLOCK else ("No counter", "the attack goes on as it is")
    if card is not None:
        return f"{label} {card.name}", rest
    if kind == "attack":
        (attacker, mine), (target, theirs) = (one.rsplit(" ", 1) for one in words.split(" attacks "))
        return f"{attacker} attacks {target}", f"{mine} against {theirs}"
    if kind == "give":
        return f"{label} {head}", f"{rest} power then, this turn"
    if kind in ("activate", "resolve", "decline"):
        return f"{label} {head}", rest
    if kind in ("block", "choose", "return_given"):
        name, _, power = words.rpartition(" ")
        return (f"{label} {name}", f"{power} power") if power.lstrip("-").isdigit() else (f"{label} {words}", "")
    if kind == "option":
        return capitalised(words), ""
    if kind in ("yes", "no"):
        return capitalised(head), rest
    return label, "" if kind in ("end_turn", "done") else words
