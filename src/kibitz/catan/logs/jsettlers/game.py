"""From the messages of a JSettlers server to events: what the messages of a game mean, one after the other."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from kibitz.catan.core import events
from kibitz.catan.core.events import Cards, Event, InvalidEvent
from kibitz.catan.core.topology import EDGE_ENDS
from kibitz.catan.logs.island import CORNER_AT, EDGE_AT, HEX_AT, PIECE_COST
from kibitz.catan.logs.jsettlers.journal import Journal
from kibitz.catan.logs.jsettlers.messages import UNKNOWN, Message, Unreadable, resource_name

#: States of a game: the first after the set-up; building out of turn (with 5 or 6 players); the end.
_TURNS, _SPECIAL_BUILDING, _OVER = 15, 100, 1000
_WAITING_FOR_MONOPOLY = 53
_PIECES = ("road", "settlement", "city")
_POINTS = ("victory_point",) * 5
#: The development cards by number (None: not shown), and as the first versions counted them.
CARD_NAMES = (None, "road_building", "year_of_plenty", "monopoly", *_POINTS, "knight")
EARLY_CARD_NAMES = ("knight", "road_building", "year_of_plenty", "monopoly", *_POINTS, None)
#: A ship of the sea expansion.
_SHIP, _SHIP_COST = 3, Cards(wood=1, sheep=1)
#: Elements of a game.
_CURRENT_PLAYER, _LARGEST_ARMY, _LONGEST_ROAD = 4, 5, 6
_CARD_ACTIONS = {"DRAW": "DRAW", "BUY": "DRAW", "PLAY": "PLAY", "ADD_OLD": "RETURN", "0": "DRAW", "1": "PLAY", "3": "RETURN"}
#: Why resources are picked, and what a simple action is.
_GOLD, _MONOPOLIZED = 3, 3
_SERVER = "Server"
_WON = re.compile(r"(?:>>> ?)?(.{1,200}) has won the game")

_ELEMENTS = ("PlayerElement", "PlayerElements")
#: Messages between a monopoly and its result.
_DURING_MONOPOLY = (
    "GameState", "ResourceCount", "SimpleAction", "MonopolyPick", "PickResourceType", "GameServerText", "GameTextMsg",
)  # fmt: skip


@dataclass
class Game(Journal):
    """Reads message by message: SOCDiceResult by `on_dice_result`, and so on."""

    #: Pieces on the board: player, kind, place.
    placed: dict[tuple[int, int, int], None] = field(default_factory=dict)
    rolled: bool = False

    # --- the frame ----------------------------------------------------------------------------------------

    def read_all(self, messages: Iterable[Message], last_line: int) -> None:
        """The whole game."""
        for message in messages:
            self.read(message)
        self.conclude(last_line)

    def read(self, message: Message) -> None:
        """One more message; what cannot be read is a problem."""
        handler = getattr(self, "on" + re.sub("(?=[A-Z])", "_", message.kind).lower(), None)
        if handler is None or not (message.sent if self.all_seeing else message.reaches(self.observer)):
            return
        if message.kind == "GameTextMsg" and message.get("nickname") != _SERVER:
            return
        if message.kind not in _ELEMENTS:
            self.conclude(message.line, message.kind)
        try:
            handler(message)
        except (Unreadable, InvalidEvent) as error:
            self.notebook.problem(message.line, str(error), f"SOC{message.kind}:{message.body}")

    def conclude(self, line: int, kind: str = "") -> None:
        """What earlier messages began is over when one of this kind follows (without a kind: the log ends)."""
        try:
            self.settle()
            if self.monopoly is not None and kind not in _DURING_MONOPOLY:
                self.end_monopoly(line)
        except (Unreadable, InvalidEvent) as error:
            self.notebook.problem(line, str(error))

    def player_of(self, message: Message, *names: str) -> int:
        """The player of a message, or (in old logs) whose turn it is."""
        if message.audience is None and message.get(*names) is None and self.current is not None:
            return self.current
        return message.number(*names)

    # --- turns --------------------------------------------------------------------------------------------

    def on_turn(self, message: Message) -> None:
        """SOCTurn: the turn before it ends."""
        number, state = message.number("playerNumber"), message.maybe("gameState")
        self.seat(number)
        for player in list(self.paid):
            self.write_off(message.line, player)
        if self.current is not None and self.acted and not self.setup and not self.special:
            self.add(message.line, events.EndTurn(self.seat(self.current)))
        self.current, self.acted = number, False
        self.special = state == _SPECIAL_BUILDING
        self.rolled = self.rolling = self.discarding = self.plenty = False
        self.free_roads = 0
        self.offers.clear()
        if state is not None:
            self.enter(message, state)

    def on_set_turn(self, message: Message) -> None:
        """SOCSetTurn and SOCRollDicePrompt: whose turn it is."""
        number = message.number("playerNumber")
        self.seat(number)
        self.current = number

    on_roll_dice_prompt = on_set_turn

    def on_game_state(self, message: Message) -> None:
        """SOCGameState and SOCStartGame."""
        state = message.maybe("state", "gameState")
        if state is not None:
            if self.monopoly is not None and state != _WAITING_FOR_MONOPOLY:
                self.end_monopoly(message.line)
            self.enter(message, state)

    on_start_game = on_game_state

    def enter(self, message: Message, state: int) -> None:
        """The game enters a state."""
        if message.audience is not None:
            self.rolling = False
        if _TURNS <= state < _OVER:
            self.setup = False
        elif state == _OVER:
            self.win(message.line, self.current)

    def on_game_server_text(self, message: Message) -> None:
        """Sentences of the server repeat what other messages say; only of the winner a short log may hold nothing else."""
        found = _WON.match(message.body.partition("text=")[2])
        if found:
            names = self.table.names
            self.win(message.line, self.table.numbers[names.index(found[1])] if found[1] in names else self.current)

    on_game_text_msg = on_game_server_text

    def on_game_stats(self, message: Message) -> None:
        """SOCGameStats: the final points, player by player."""
        points = [int(word) for word in message.body.split("|") if re.fullmatch("[0-9]{1,3}", word)]
        if points and points.count(max(points)) == 1:
            self.win(message.line, points.index(max(points)))

    def on_game_elements(self, message: Message) -> None:
        """SOCGameElements: whose turn it is, and who holds the awards."""
        elements = message.elements()
        current = elements.get(_CURRENT_PLAYER, -1)
        if current >= 0:
            self.seat(current)
            self.current = current
        for element, award in ((_LONGEST_ROAD, "longest_road"), (_LARGEST_ARMY, "largest_army")):
            if element in elements:
                self.award(message.line, award, elements[element])

    def on_longest_road(self, message: Message) -> None:
        """SOCLongestRoad and SOCLargestArmy: who holds it."""
        award = "longest_road" if message.kind == "LongestRoad" else "largest_army"
        self.award(message.line, award, message.number("playerNumber"))

    on_largest_army = on_longest_road

    # --- the dice -----------------------------------------------------------------------------------------

    def on_dice_result(self, message: Message) -> None:
        """SOCDiceResult; what everybody gets follows."""
        total = message.number("param")
        if not 2 <= total <= 12:  # who joins is told that there was no roll yet
            return
        if message.audience is None and self.rolled:  # as it was asked for, and as it was done
            return
        self.rolled = True
        self.setup = False
        roller = self.table.numbers[0] if self.current is None else self.current
        self.add(message.line, events.Roll(self.seat(roller), total))
        self.discarding = total == 7
        self.rolling = not self.discarding

    def on_dice_result_resources(self, message: Message) -> None:
        """SOCDiceResultResources: the new cards of each player, and how many it holds now."""
        gains: dict[int, Cards] = {}
        counts: dict[int, int] = {}
        for number, total, cards in message.gains():
            gains[self.seat(number)], counts[self.seat(number)] = cards, total
        self.gain_by_roll(message.line, gains)
        self.rolling = False
        for seat, total in counts.items():
            self.evidence(message.line, events.HandCount(seat, total))

    # --- building -----------------------------------------------------------------------------------------

    def on_put_piece(self, message: Message) -> None:
        """SOCPutPiece. Old logs hold it twice: as it was asked for, and as it was done."""
        number, kind, at = message.number("playerNumber"), message.number("pieceType"), message.coordinate()
        seat = self.seat(number)
        paid = self.paid.pop(number, None) is not None
        if message.audience is None and (number, kind, at) in self.placed:
            return
        self.placed[number, kind, at] = None
        free = not paid and (self.setup or (kind in (0, _SHIP) and self.free_roads > 0))
        if free and not self.setup:
            self.free_roads -= 1
        if kind == _SHIP and not free:
            self.add(message.line, events.Correction(seat, Cards().minus(_SHIP_COST)))
        if not 0 <= kind < len(_PIECES):
            return
        layout = self.table.layout
        known = layout is not None and layout.board is not None
        corner = CORNER_AT.get(at) if known and kind else None
        edge = EDGE_ENDS[EDGE_AT[at]] if known and not kind and at in EDGE_AT else None
        self.add(message.line, events.Build(seat, _PIECES[kind], free, corner, edge))
        if self.setup and kind == 1:
            self.settlements[number] += 1
            cards = layout.resources_at(at) if layout else Cards()
            if self.settlements[number] == 2 and layout:
                self.starting.add(number)
                self.derived[number] = cards
                if cards.size:
                    self.add(message.line, events.StartingResources(seat, cards))

    def on_cancel_build_request(self, message: Message) -> None:
        """SOCCancelBuildRequest: a settlement of the set-up may be taken back (another purchase is paid back)."""
        if message.maybe("pieceType") != 1 or not self.setup:
            return
        latest = self.latest
        number = self.table.numbers[latest.player] if isinstance(latest, (events.StartingResources, events.Build)) else None
        if isinstance(latest, events.StartingResources):
            self.undo()
        latest = self.latest
        if isinstance(latest, events.Build) and latest.piece == "settlement" and number is not None:
            self.undo()
            self.settlements[number] -= 1
            self.starting.discard(number)
            self.derived.pop(number, None)
            self.placed.popitem()

    def on_undo_put_piece(self, message: Message) -> None:
        """SOCUndoPutPiece: the last piece goes, and its price comes back before or after (-1: the server refuses)."""
        number, kind = message.number("playerNumber"), message.number("pieceType")
        if number < 0 or self.setup or not 0 <= kind < len(_PIECES):
            return
        seat, price = self.seat(number), PIECE_COST[_PIECES[kind]]
        refund = self.latest if self.latest == events.Gain(seat, price) else None
        if refund is not None:
            self.undo()
        built = self.latest
        if isinstance(built, events.Build) and (built.player, built.piece) == (seat, _PIECES[kind]):
            self.undo()
            self.placed.pop((number, kind, message.coordinate()), None)
            if built.free:
                self.free_roads += 1
            elif refund is None:
                self.paid[number] = price
        elif refund is not None:  # something else has happened since: the cards are back, and the board shows the rest
            self.add(message.line, refund)

    # --- development cards --------------------------------------------------------------------------------

    def on_dev_card_action(self, message: Message) -> None:
        """SOCDevCardAction: a card is bought, played, or (Road Building, when nothing was built) taken back."""
        number, action = message.number("playerNum", "playerNumber"), _CARD_ACTIONS.get(message.get("actionType") or "")
        kind = message.maybe("cardType")
        if action is None or kind is None:
            return
        seat = self.seat(number)
        names = EARLY_CARD_NAMES if message.early else CARD_NAMES
        if not 0 <= kind < len(names):
            raise Unreadable(f"cardType {kind}: there is no such card")
        card = names[kind]
        if action == "DRAW":
            self.draw(message, number, card)
        elif action == "PLAY":
            self.play(message.line, seat, card or "knight")
        elif self.free_roads == 2 and self.latest == events.PlayDevCard(seat, "road_building") and card == "road_building":
            self.undo()
            self.free_roads = 0

    def on_pick_resources(self, message: Message) -> None:
        """SOCPickResources and (older) SOCDiscoveryPick: Year of Plenty, or cards of a gold hex."""
        number = self.player_of(message, "pn", "playerNum")
        cards, _ = message.cards("resources")
        seat, reason = self.seat(number), message.maybe("reason")
        if reason != _GOLD and (self.plenty or reason is not None):
            self.plenty = False
            self.add(message.line, events.YearOfPlenty(seat, cards))
        elif message.audience is not None:
            self.add(message.line, events.Gain(seat, cards))

    on_discovery_pick = on_pick_resources

    def on_monopoly_pick(self, message: Message) -> None:
        """SOCMonopolyPick: the resource, as it was asked for."""
        if self.monopoly is not None:
            self.monopoly.resource = resource_name(message.number("resource", "resType"))

    on_pick_resource_type = on_monopoly_pick

    def on_simple_action(self, message: Message) -> None:
        """SOCSimpleAction: among other things the result of a monopoly."""
        if self.monopoly is not None and message.maybe("actType") == _MONOPOLIZED:
            self.monopoly.total, self.monopoly.resource = message.number("v1"), resource_name(message.number("v2"))
            self.end_monopoly(message.line)

    # --- the robber ---------------------------------------------------------------------------------------

    def on_move_robber(self, message: Message) -> None:
        """SOCMoveRobber; the pirate of the sea expansion has a negative place."""
        number, at = message.number("playerNumber"), message.coordinate()
        self.discarding = False
        event = events.MoveRobber(self.seat(number), HEX_AT.get(at) if self.table.layout and self.table.layout.board else None)
        if at > 0 and not (message.audience is None and self.latest == event):
            self.add(message.line, event)

    def on_robbery_result(self, message: Message) -> None:
        """SOCRobberyResult; cloth may be robbed too."""
        kind, victim = message.maybe("resType"), message.maybe("victim")
        if kind is None or victim is None or victim < 0 or message.maybe("amount") == 0:
            return
        perpetrator = message.number("perp")
        resource = resource_name(kind) if kind != UNKNOWN and self.shown(message, perpetrator, victim) else None
        self.steal(message.line, perpetrator, victim, resource)

    def on_discard(self, message: Message) -> None:
        """SOCDiscard (without a player: what a client asked for)."""
        number = message.maybe("playerNum", "playerNumber")
        if number is not None:
            self.throw(message, number, *message.cards("resources"))

    # --- trade --------------------------------------------------------------------------------------------

    def on_bank_trade(self, message: Message) -> None:
        """SOCBankTrade; a negative player is a refusal."""
        number = self.player_of(message, "pn")
        (give, _), (get, _) = message.cards("give"), message.cards("get")
        if number >= 0:
            self.bank(message.line, self.seat(number), give, get, "message")

    def on_make_offer(self, message: Message) -> None:
        """SOCMakeOffer: by whose turn it is, or by somebody else, to that player."""
        number = message.number("from")
        seat = self.seat(number)
        (give, _), (get, _) = message.cards("give"), message.cards("get")
        event: Event = events.Offer(seat, give, get)
        if self.current not in (None, number):
            event = events.CounterOffer(seat, self.seat(self.current), give, get)
        repeated = self.offers.pop(number, None) == (give, get)  # still open: a request, and now the offer itself
        self.offers[number] = give, get
        if not (message.audience is None and repeated and self.latest == event):
            self.add(message.line, event)

    def on_clear_offer(self, message: Message) -> None:
        """SOCClearOffer: of one player, or of all."""
        number = message.number("playerNumber")
        if number < 0:
            self.offers.clear()
        self.offers.pop(number, None)

    def on_reject_offer(self, message: Message) -> None:
        """SOCRejectOffer (with a reason, it is the server that refuses)."""
        number = message.number("playerNumber")
        others = [self.current, *self.offers] if number != self.current else [*self.offers]
        partners = [other for other in others if other not in (None, number)]
        if message.maybe("reasonCode") or not partners:
            return
        partner = partners[0] if number != self.current else partners[-1]
        event = events.Decline(self.seat(number), self.seat(partner))
        if self.latest != event:
            self.add(message.line, event)

    def on_accept_offer(self, message: Message) -> None:
        """SOCAcceptOffer: the trade itself; old logs say its cards in the offer."""
        accepting, offering = message.number("accepting"), message.number("offering")
        latest, partners = self.latest, {self.seat(accepting), self.seat(offering)}
        if message.get("toAccepting") is not None:
            (give, _), (get, _) = message.cards("toAccepting"), message.cards("toOffering")
        elif isinstance(latest, events.PlayerTrade) and {latest.player, latest.partner} == partners:
            return
        elif offering in self.offers:
            give, get = self.offers[offering]
        else:
            raise Unreadable("an offer is accepted that nobody made")
        self.trade(message.line, offering, accepting, give, get)
