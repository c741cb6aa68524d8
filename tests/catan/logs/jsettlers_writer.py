"""Our games as logs of a JSettlers server, with the messages to every player."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from kibitz.catan.core.board import Board, PortType
from kibitz.catan.core.events import (
    Accept,
    Award,
    BankTrade,
    Build,
    BuyDevCard,
    Cards,
    Decline,
    Discard,
    EndTurn,
    Event,
    Monopoly,
    MoveRobber,
    Offer,
    PlayDevCard,
    PlayerTrade,
    Roll,
    Steal,
    Win,
    YearOfPlenty,
)
from kibitz.catan.core.record import Record
from kibitz.catan.core.topology import EDGE_ENDS, HEX_OUTLINES, HEXES
from kibitz.catan.core.transcript import events_of
from kibitz.catan.logs.island import CARD_COST, CORNER_AT, EDGE_AT, LAND, PIECE_COST, cards_moved
from kibitz.catan.logs.jsettlers.game import CARD_NAMES, EARLY_CARD_NAMES
from kibitz.catan.logs.jsettlers.messages import DESERT, GRID, HEADER, RESOURCES, TO_NEIGHBOURS, TOKENS, UNKNOWN, WATER, WORDS

_GAME = "game"
_PIECES = ("road", "settlement", "city")
CORNER_COORDINATES = {corner: at for at, corner in CORNER_AT.items()}
EDGE_COORDINATES = {EDGE_ENDS[edge]: at for at, edge in EDGE_AT.items()}


def layout_text(board: Board) -> str:
    """The fields of a message that lays out our board."""
    kinds = dict.fromkeys(GRID, WATER)
    tokens = dict.fromkeys(GRID, -1)
    for at, (resource, number) in zip(LAND, board.hexes, strict=True):
        kinds[at] = RESOURCES.index(resource.value) + 1 if resource else DESERT
        tokens[at] = TOKENS.index(number) if number else -1
    for edge, kind in board.harbours:
        ends = set(EDGE_ENDS[edge])
        land, side = next((h, k) for h in range(HEXES) for k in range(6) if ends == _side(h, k))
        facing = (side + 3) % 6 + 1
        goods = 0 if kind is PortType.ANY_3TO1 else RESOURCES.index(kind.value) + 1
        kinds[LAND[land] + TO_NEIGHBOURS[side]] = (facing << 4) + goods if goods else WATER + facing
    hexes, numbers = (" ".join(str(n) for n in by_hex.values()) for by_hex in (kinds, tokens))
    return f"hexLayout={{ {hexes} }}|numberLayout={{ {numbers} }}|robberHex=0x{LAND[board.desert]:x}"


def _side(hex: int, side: int) -> set[int]:
    """The corners at a side of a hex."""
    return {HEX_OUTLINES[hex][side], HEX_OUTLINES[hex][(side + 1) % 6]}


def carried(events: Iterable[Event]) -> tuple[Event, ...]:
    """What a log of JSettlers holds of a game: all but that an offer would be accepted, which there makes the trade."""
    return tuple(event for event in events if not isinstance(event, Accept))


def write(record: Record, observer: int | None = None, players: Sequence[str] | None = None, old: bool = False) -> str:
    """A game as the log of a server: in the form of version 2.5, or (old) with dates and without audiences.

    A server's log holds what everybody was told, whoever looks.
    Names with | in them cannot be written: it separates the fields.
    """
    log = events_of(record, players=players, all_seeing=True)
    if any(character in name for name in log.players for character in "|\r\n"):
        raise ValueError("a name with | or the end of a line in it cannot be written")
    writer = _OldWriter(len(log.players)) if old else _Writer(len(log.players))
    lines = [*writer.opening(record, log.players)]
    for event in carried(log.events):
        lines += writer.event(event)
    return "\n".join([*lines, ""])


class _Writer:
    """Keeps all hands, because the messages tell them."""

    def __init__(self, players: int) -> None:
        self.players = range(players)
        self.hands = [Cards()] * players
        #: Placements of the set-up so far: once around the table, and back.
        self.placements = 0

    # --- lines --------------------------------------------------------------------------------------------

    def line(self, audience: str, kind: str, *fields: str) -> str:
        """One message; the fields after the game."""
        return f"{audience}:SOC{kind}:" + "|".join([f"game={_GAME}", *fields])

    def all(self, kind: str, *fields: str) -> str:
        """A message to all."""
        return self.line("all", kind, *fields)

    def elements(self, audience: str, player: int, action: str, cards: Cards) -> Iterator[str]:
        """Cards of a player; all of a hand, or those that come or go."""
        values = _by_number(cards)
        shown = [f"e{kind}={n}" for kind, n in values.items() if n or action == "SET"]
        yield self.line(audience, "PlayerElements", f"playerNum={player}", f"actionType={action}", ",".join(shown))

    def state(self, state: int) -> str:
        """The state of the game."""
        return self.all("GameState", f"state={state}")

    def turn(self, player: int, state: int) -> Iterator[str]:
        """Whose turn it is."""
        yield self.all("Turn", f"playerNumber={player}", f"gameState={state}")

    def first_lines(self, record: Record) -> Iterator[str]:
        """What comes before the players."""
        yield f"{HEADER} type=F, version=2500, created_at=0, now=0, game_name={_GAME}"
        yield "all:SOCVersion:2500|str=2.5.00|verBuild=0|feats=;ch;|cliLocale=(null)"
        yield self.all("NewGameWithOptions", "param1=-1", f"param2=PL={len(record.seats)},VP=t{record.rules.victory_points}")

    def opening(self, record: Record, names: Sequence[str]) -> Iterator[str]:
        """The players sit down, and the board is laid out."""
        yield from self.first_lines(record)
        for player, name in enumerate(names):
            yield self.all("SitDown", f"nickname={name}", f"playerNumber={player}", "robotFlag=true")
            yield from self.elements(f"p{player}", player, "SET", Cards())
        yield self.all("BoardLayout", layout_text(record.board))
        yield self.all("StartGame", "gameState=5")
        yield from self.turn(0, 5)

    # --- events -------------------------------------------------------------------------------------------

    def event(self, event: Event) -> Iterator[str]:
        """The messages of an event, in which nothing is hidden."""
        before = list(self.hands)
        for seat, cards in cards_moved(event):
            self.hands[seat] = self.hands[seat].plus(cards)
        match event:
            case Roll(_, total, gains):
                yield from self.roll(total, gains)
            case Build(player, piece, free, corner, edge):
                yield from self.build(player, piece, free, corner, edge)
            case BuyDevCard(player, str(card)):
                yield from self.elements("all", player, "LOSE", CARD_COST)
                yield from self.draw(player, card)
                yield self.state(20)
            case PlayDevCard(player, card):
                yield self.card(f"playerNum={player}", "PLAY", card)
            case YearOfPlenty(player, cards):
                yield from self.plenty(player, cards)
            case Monopoly(player, resource):
                yield from self.monopoly(player, resource, before)
            case MoveRobber(player, int(hex)):
                yield self.all("MoveRobber", f"playerNumber={player}", f"coord={LAND[hex]:x}")
            case Steal(player, victim, str(resource)):
                yield from self.steal(player, victim, resource)
                yield self.state(20)
            case Discard(player, Cards() as cards):
                yield from self.discard(player, cards)
            case BankTrade(player, give, receive):
                yield from self.bank_trade(player, give, receive)
            case Offer(player, give, receive):
                to = ",".join("false" if seat == player else "true" for seat in self.players)
                fields = (f"from={player}", f"to={to}", f"give={_set(give)}", f"get={_set(receive)}")
                yield self.all("ClearOffer", f"playerNumber={player}")
                yield self.all("MakeOffer", *fields)
            case Decline(player):
                yield self.all("RejectOffer", f"playerNumber={player}")
            case PlayerTrade(player, partner, give, receive):
                yield from self.trade(player, partner, give, receive)
            case Award(player, award):
                yield self.award(award, -1 if player is None else player)
            case EndTurn(player):
                yield self.all("ClearOffer", "playerNumber=-1")
                yield from self.turn((player + 1) % len(self.players), 15)
            case Win(player):
                yield from self.win(player)

    def roll(self, total: int, gains: Mapping[int, Cards]) -> Iterator[str]:
        """The dice and what they bring."""
        yield self.all("DiceResult", f"param={total}")
        if gains:
            lists = [
                [seat, self.hands[seat].size, *(x for kind, n in _by_number(cards).items() if n for x in (n, kind))]
                for seat, cards in gains.items()
            ]
            numbers = [len(lists), *(n for i, numbers in enumerate(lists) for n in ([0] if i else []) + numbers)]
            yield self.all("DiceResultResources", *(f"p={n}" for n in numbers))
        for seat in gains:
            yield from self.elements(f"p{seat}", seat, "SET", self.hands[seat])
        yield self.state(20)

    def build(self, player: int, piece: str, free: bool, corner: int | None, edge: tuple[int, int] | None) -> Iterator[str]:
        """A piece, and its price before it; in the set-up, whose turn comes next."""
        if not free:
            yield from self.elements("all", player, "LOSE", PIECE_COST[piece])
        place = EDGE_COORDINATES[edge] if edge is not None else CORNER_COORDINATES[corner or 0]
        kind = _PIECES.index(piece)
        yield self.all("PutPiece", f"playerNumber={player}", f"pieceType={kind}", f"coord={place:x}")
        around = len(self.players)
        if self.placements < 2 * around:
            if piece == "settlement":
                yield self.state(6 if self.placements < around else 11)
                return
            self.placements += 1
            at = self.placements
            following = at if at < around else 2 * around - 1 - at if at < 2 * around else 0
            yield from self.turn(following, 5 if at < around else 10 if at < 2 * around else 15)
        else:
            yield self.state(20)

    def card(self, player: str, action: str, card: str | None, audience: str = "all") -> str:
        """A development card is drawn or played."""
        return self.line(audience, "DevCardAction", player, f"actionType={action}", f"cardType={CARD_NAMES.index(card)}")

    def draw(self, player: int, card: str) -> Iterator[str]:
        """A development card, and what the others see of it."""
        yield self.card(f"playerNum={player}", "DRAW", card, f"p{player}")
        yield self.card(f"playerNum={player}", "DRAW", None, f"!p{player}")

    def plenty(self, player: int, cards: Cards) -> Iterator[str]:
        """Cards of Year of Plenty."""
        yield self.all("PickResources", f"resources={_set(cards)}", f"pn={player}", "reason=2")

    def monopoly(self, player: int, resource: str, before: Sequence[Cards]) -> Iterator[str]:
        """What each victim has left, and what it brought."""
        kind = RESOURCES.index(resource) + 1
        for seat in self.players:
            if seat != player and self.hands[seat] != before[seat]:
                yield from self.one_element(seat, "SET", kind, 0)
                yield self.all("ResourceCount", f"playerNum={seat}", f"count={self.hands[seat].size}")
        total = self.hands[player].size - before[player].size
        yield from self.one_element(player, "GAIN", kind, total)
        yield self.all("SimpleAction", f"pn={player}", "actType=3", f"v1={total}", f"v2={kind}")

    def one_element(self, player: int, action: str, kind: int, amount: int) -> Iterator[str]:
        """Cards of one kind."""
        fields = (f"playerNum={player}", f"actionType={action}", f"elementType={kind}", f"amount={amount}")
        yield self.all("PlayerElement", *fields)

    def steal(self, player: int, victim: int, resource: str) -> Iterator[str]:
        """Thief and victim see the card."""
        for audience, kind in (
            (f"p{player}", RESOURCES.index(resource) + 1),
            (f"p{victim}", RESOURCES.index(resource) + 1),
            (f"!p[{player}, {victim}]", UNKNOWN),
        ):
            who = (f"perp={player}", f"victim={victim}")
            yield self.line(audience, "RobberyResult", *who, f"resType={kind}", "amount=1", "isGainLose=true")

    def discard(self, player: int, cards: Cards) -> Iterator[str]:
        """The others see how many cards."""
        for audience, resources in ((f"p{player}", _set(cards)), (f"!p{player}", _set(Cards(), cards.size))):
            yield self.line(audience, "Discard", f"playerNum={player}", f"resources={resources}")

    def bank_trade(self, player: int, give: Cards, receive: Cards) -> Iterator[str]:
        """A trade with the bank."""
        yield self.all("BankTrade", f"give={_set(give)}", f"get={_set(receive)}", f"pn={player}")

    def trade(self, player: int, partner: int, give: Cards, receive: Cards) -> Iterator[str]:
        """A trade between players."""
        goods = (f"toAccepting={_set(give)}", f"toOffering={_set(receive)}")
        yield self.all("AcceptOffer", f"accepting={partner}", f"offering={player}", *goods)
        yield self.all("ClearOffer", "playerNumber=-1")

    def award(self, award: str, player: int) -> str:
        """Who holds an award."""
        return self.all("GameElements", f"e{6 if award == 'longest_road' else 5}={player}")

    def win(self, player: int) -> Iterator[str]:
        """The end."""
        yield self.all("GameElements", f"e4={player}")
        yield self.state(1000)


class _OldWriter(_Writer):
    """The form with dates: no audiences, and cards come and go one kind at a time."""

    def line(self, audience: str, kind: str, *fields: str) -> str:
        """One message; what is for one player stands there like what is for all."""
        return f"2012:01:01:00:00:00:000:+0000:SOC{kind}:" + "|".join([f"game={_GAME}", *fields])

    def elements(self, audience: str, player: int, action: str, cards: Cards) -> Iterator[str]:
        """One line for each kind."""
        for kind, n in _by_number(cards).items():
            if n or action == "SET":
                yield from self.one_element(player, action, kind, n)

    def one_element(self, player: int, action: str, kind: int, amount: int) -> Iterator[str]:
        """Cards of one kind."""
        number = {"SET": 100, "GAIN": 101, "LOSE": 102}[action]
        fields = (f"playerNum={player}", f"actionType={number}", f"elementType={kind}", f"value={amount}")
        yield self.all("PlayerElement", *fields)

    def turn(self, player: int, state: int) -> Iterator[str]:
        """The state is a message of its own."""
        yield self.all("Turn", f"playerNumber={player}")
        yield self.state(state)

    def first_lines(self, record: Record) -> Iterator[str]:
        """There is no header."""
        yield self.all("NewGameWithOptions", "param1=-1", f"param2=VP=t{record.rules.victory_points}")

    def roll(self, total: int, gains: Mapping[int, Cards]) -> Iterator[str]:
        """The state comes before the gains."""
        yield self.all("DiceResult", f"param={total}")
        yield self.state(20)
        for seat, cards in gains.items():
            yield from self.elements("all", seat, "GAIN", cards)
        for seat in gains:
            yield from self.elements(f"p{seat}", seat, "SET", self.hands[seat])
            yield self.all("ResourceCount", f"playerNum={seat}", f"count={self.hands[seat].size}")

    def card(self, player: str, action: str, card: str | None, audience: str = "all") -> str:
        """The cards had other numbers."""
        number = {"DRAW": 0, "PLAY": 1}[action]
        return self.all("DevCard", player, f"actionType={number}", f"cardType={EARLY_CARD_NAMES.index(card)}")

    def plenty(self, player: int, cards: Cards) -> Iterator[str]:
        """As it was asked for, and then the cards."""
        yield self.all("DiscoveryPick", f"resources={_set(cards)}")
        yield from self.elements("all", player, "GAIN", cards)
        yield self.state(20)

    def monopoly(self, player: int, resource: str, before: Sequence[Cards]) -> Iterator[str]:
        """What everybody has of the resource now."""
        kind = RESOURCES.index(resource) + 1
        for seat in self.players:
            yield from self.one_element(seat, "SET", kind, getattr(self.hands[seat], resource))
            yield self.all("ResourceCount", f"playerNum={seat}", f"count={self.hands[seat].size}")
        yield self.state(20)

    def steal(self, player: int, victim: int, resource: str) -> Iterator[str]:
        """A card comes and goes: to the thief, to the victim, and unknown to the others."""
        for kind in (RESOURCES.index(resource) + 1, RESOURCES.index(resource) + 1, UNKNOWN):
            yield from self.one_element(player, "GAIN", kind, 1)
            yield from self.one_element(victim, "LOSE", kind, 1)

    def discard(self, player: int, cards: Cards) -> Iterator[str]:
        """The cards, and then how many for the others."""
        yield from self.elements(f"p{player}", player, "LOSE", cards)
        yield from self.one_element(player, "LOSE", UNKNOWN, cards.size)
        yield self.state(50)

    def bank_trade(self, player: int, give: Cards, receive: Cards) -> Iterator[str]:
        """As it was asked for, and then the cards."""
        yield self.all("BankTrade", f"give={_set(give)}", f"get={_set(receive)}")
        yield from self.elements("all", player, "LOSE", give)
        yield from self.elements("all", player, "GAIN", receive)
        yield self.state(20)

    def trade(self, player: int, partner: int, give: Cards, receive: Cards) -> Iterator[str]:
        """The cards, and then that the offer was accepted."""
        for seat, lost, gained in ((player, give, receive), (partner, receive, give)):
            yield from self.elements("all", seat, "LOSE", lost)
            yield from self.elements("all", seat, "GAIN", gained)
        yield self.all("AcceptOffer", f"accepting={partner}", f"offering={player}")
        yield self.all("ClearOffer", "playerNumber=-1")

    def award(self, award: str, player: int) -> str:
        """Who holds an award."""
        return self.all("LongestRoad" if award == "longest_road" else "LargestArmy", f"playerNumber={player}")

    def win(self, player: int) -> Iterator[str]:
        """The end."""
        yield self.all("SetTurn", f"playerNumber={player}")
        yield self.state(1000)


def _by_number(cards: Cards) -> dict[int, int]:
    """The counts by the numbers of the resources."""
    return {kind: getattr(cards, name) for kind, name in enumerate(RESOURCES, start=1)}


def _set(cards: Cards, unknown: int = 0) -> str:
    """A set of resources."""
    return "|".join([*(f"{word}={getattr(cards, name)}" for word, name in WORDS.items()), f"unknown={unknown}"])
