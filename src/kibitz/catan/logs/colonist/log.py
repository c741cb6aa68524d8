"""The log entries of colonist.io, in a captured game and in a replay, become events.

A game is one full state, then merge patches. Each patch may bring entries of the log, which say what happened, and the
change of the position, which says where it happened and with which cards.
"""

from dataclasses import replace
from typing import Any

from kibitz.catan.core import events
from kibitz.catan.core.events import AWARDS, Cards, Event, InvalidEvent
from kibitz.catan.core.topology import EDGE_ENDS
from kibitz.catan.logs.base import Notebook, only_the_base_game
from kibitz.catan.logs.colonist.opening import begins_late, opening
from kibitz.catan.logs.colonist.state import Answer, Changes, Pairs, Roster, SitePosition
from kibitz.catan.logs.colonist.values import (
    ANY, BACK, COMMODITIES, DEV_CARDS, EXPANSION_PIECES, PIECES, as_dict, as_int, as_list, cards_of, key_number, pile_of,
)  # fmt: skip

#: Entries that say nothing about cards or pieces: who comes and goes, notes to the players, nobody to rob, embargoes.
_SILENT = {0, 2, 3, 22, 23, 24, 25, 37, 39, 46, 49, 58, 60, 64, 74, 112, 113, 114, 139}
#: Entries that only expansions have: knights, city improvements, progress cards and commodities; ships that move.
_EXPANSIONS = {
    **dict.fromkeys((7, 8, 9, 12, 17, 18, 19, 61, 62, 95, 103, 104, 105, 106, 107, 132, 133), "Cities & Knights"),
    6: "Seafarers",
}
_NOTHING_LEFT = 143
_MOST_IN_BANK = 99
_AT_THE_START, _BY_ROLL = 0, 1
_FREE, _TO_THIEF, _TO_VICTIM, _TO_OTHERS = 4, 14, 15, 16
_LOST = 67
#: What is told about hands and bank besides what happens.
_EVIDENCE = (events.HandCount, events.HandSeen, events.BankCount)


class Narrator:
    """Tells a game from its full states and patches, into a notebook."""

    def __init__(self, roster: Roster, notebook: Notebook, observer: int | None = None) -> None:
        self.position = SitePosition(roster)
        self._roster = roster
        self._notebook = notebook
        self._observer = observer
        self._told: set[int] = set()
        self._line = 0
        self._changes = Changes()
        self._live = False  # whether the position is the one that the entries tell of
        self._answered: set[tuple[str, int, bool]] = set()
        self._movements: dict[tuple[int, str], dict[int, int]] = {}  # by receiver and resource: what each gave
        self._places: Pairs[tuple[str, int]] = Pairs(self._put)
        self._draws: Pairs[int] = Pairs(self._name_card)
        self._forget_turn()
        self._won = False
        self._begun = False
        #: Whether the capture begins in the middle of the game.
        self.incomplete = False

    def _forget_turn(self) -> None:
        self._roller: int | None = None
        self._roll: int | None = None  # the event that gains still belong to
        self._shortages: list[tuple[str, int]] = []
        self._steal_told: set[int] = {_TO_THIEF, _TO_VICTIM, _TO_OTHERS}  # the types of entry that told of the last steal
        self._monopoly: int | None = None  # the event whose victims are not known yet

    # --- states and patches -------------------------------------------------------------------------------

    def start(self, state: dict[str, Any]) -> None:
        """A full state: the first, or after a lost connection. Its log may hold the whole game so far."""
        self.position.replace(state)
        self._changes, self._live = Changes(), False
        late = not self._begun and begins_late(self.position, as_dict(state.get("gameLogState")))
        before = len(self._notebook.events)
        self._tell_all(state)
        if late:
            self._open()
        if len(self._notebook.events) > before:
            self._add_evidence()
        self._begun = True
        self._places.forget()
        self._draws.forget()

    def _open(self) -> None:
        """Begin with the position: what the log tells of has led to it. Only whose turn it is, and the end, still count."""
        self.incomplete = True
        notebook, roller = self._notebook, self._roller
        end = [event for event in notebook.events if isinstance(event, events.Win)]
        notebook.events.clear()
        notebook.lines.clear()
        self._forget_turn()
        self._roller = roller
        for event in (*opening(self.position, self._observer), *end):
            notebook.add(self._line, event)

    def patch(self, patch: dict[str, Any]) -> None:
        """A merge patch."""
        self._changes, self._live = self.position.apply(patch), True
        changes = self._changes
        for piece, colour, place in changes.placed:
            if place is not None:
                self._places.found((piece, colour), place)
        for colour, card in changes.drawn:
            if card in DEV_CARDS:
                self._draws.found(colour, card)
        self._answer(changes.answers)
        before = len(self._notebook.events)
        unreadable = self._tell_all(patch)
        self._report_shortages()
        if len(self._notebook.events) > before and isinstance(self._notebook.events[-1], events.EndTurn) and not unreadable:
            self._add_evidence()
        self._places.settle(told="gameLogState" in patch)
        self._draws.settle(told="gameLogState" in patch)
        self._answer(changes.answers_to_new)

    def movement(self, payload: dict[str, Any]) -> None:
        """Cards that fly from one player to another: a message of its own for each victim of a monopoly."""
        colours = (as_int(payload.get(name)) or 0 for name in ("givingPlayer", "receivingPlayer"))
        giver, receiver = (self._roster.seats.get(colour) for colour in colours)
        cards = cards_of(payload.get("givingCards"))
        if giver is None or receiver is None or cards is None:
            return
        for resource, n in cards.as_dict().items():
            given = self._movements.setdefault((receiver, resource), {})
            given[giver] = given.get(giver, 0) + n
        self._split_monopoly()

    def _tell_all(self, state: dict[str, Any]) -> bool:
        """The new entries of the log, in their order; whether one that follows the last event could not be read."""
        entries = as_dict(state.get("gameLogState"))
        unreadable = False
        for index, key in sorted((number, key) for key in entries if (number := key_number(key)) is not None):
            if index in self._told or entries[key] is None:
                continue
            self._told.add(index)
            self._line = index
            told, problems = len(self._notebook.events), len(self._notebook.problems)
            try:
                self._tell(as_dict(entries[key]))
            except InvalidEvent as error:
                self._notebook.problem(index, str(error))
            if len(self._notebook.events) > told:
                unreadable = False
            elif len(self._notebook.problems) > problems:
                unreadable = True
        if entries:
            self._movements = {}
        return unreadable

    def _add(self, event: Event) -> int | None:
        """One more event; its place among them, or None if it names players who are not there."""
        self._roll = None
        return self._notebook.add(self._line, event)

    def _change(self, at: int, **values: Any) -> None:
        self._notebook.events[at] = replace(self._notebook.events[at], **values)

    def _add_evidence(self) -> None:
        for event in self.position.evidence():
            self._notebook.add(self._line, event)

    def _answer(self, answers: list[Answer]) -> None:
        for key, event in answers:
            if key not in self._answered:
                self._answered.add(key)
                self._add(event)

    # --- what an entry and its patch say together ---------------------------------------------------------

    def _put(self, at: int, place: int) -> None:
        event = self._notebook.events[at]
        if isinstance(event, events.Build):
            self._change(at, **({"edge": EDGE_ENDS[place]} if event.piece == "road" else {"corner": place}))

    def _name_card(self, at: int, card: int) -> None:
        self._change(at, card=DEV_CARDS[card])

    def _split_monopoly(self, losses: dict[int, int] | None = None) -> None:
        """Name the victims, if what each gave (by default: by the movements of cards) adds up to the total."""
        if self._monopoly is None:
            return
        event = self._notebook.events[self._monopoly]
        if isinstance(event, events.Monopoly):
            losses = self._movements.get((event.player, event.resource), {}) if losses is None else losses
            if sum(losses.values()) == event.total and event.player not in losses:
                self._change(self._monopoly, losses=losses)
                self._monopoly = None

    def _report_shortages(self) -> None:
        """What the bank is left with after a roll that it could not pay, if nothing has happened since."""
        bank = self.position.bank()
        if self._roll is not None:
            gains = getattr(self._notebook.events[self._roll], "gains", {})
            for resource, held in self._shortages:
                left = held - sum(getattr(cards, resource) for cards in gains.values())
                if left >= 0 and (bank is None or bank[resource] == left):
                    self._notebook.add(self._line, events.BankCount({resource: left}))
        self._shortages = []

    # --- fields -------------------------------------------------------------------------------------------

    def _seat(self, colour: Any, what: str = "playerColor") -> int:
        seat = self._roster.seats.get(as_int(colour) or 0)
        if seat is None:
            raise InvalidEvent(f"{what}: not the colour of a player")
        return seat

    def _player(self, text: dict[str, Any]) -> int:
        return self._seat(text.get("playerColor"))

    def _cards(self, text: dict[str, Any], name: str, ignore: int | None = None) -> Cards:
        cards = cards_of(text.get(name), ignore)
        if cards is None:
            if any(card in COMMODITIES for card in pile_of(text.get(name)) or ()):
                raise only_the_base_game(self._line, "Cities & Knights")
            raise InvalidEvent(f"{name}: not a list of resource cards")
        return cards

    def _traded(self, text: dict[str, Any]) -> tuple[Cards, Cards]:
        return self._cards(text, "givenCardEnums"), self._cards(text, "receivedCardEnums")

    def _offered(self, text: dict[str, Any]) -> tuple[Cards, Cards]:
        return self._cards(text, "offeredCardEnums", ANY), self._cards(text, "wantedCardEnums", ANY)

    @staticmethod
    def _resource(card: Any) -> str:
        number = as_int(card)
        if number is None or not 1 <= number <= 5:
            raise InvalidEvent("not a resource card")
        return Cards._fields[number - 1]

    # --- entries ------------------------------------------------------------------------------------------

    def _tell(self, entry: dict[str, Any]) -> None:
        text = {"playerColor": entry.get("from"), **as_dict(entry.get("text"))}
        match as_int(text.get("type")):
            case 1:
                player = self._player(text)
                self._draws.expect(self._roster.colours[player], self._add(events.BuyDevCard(player)))
            case (4 | 5) as kind:
                self._build(text, free=kind == _FREE)
            case 10:
                self._roll_dice(text)
            case 141:  # the dice roll for whose turn it is; in a game without turns for nobody, and only gains follow
                self._roll = None
                if "firstDice" in text and as_int(text.get("playerColor")) in self._roster.seats:
                    self._roll_dice(text)
            case 11:
                player = self._player(text)
                self._add(events.MoveRobber(player, self.position.robber(as_dict(text.get("tileInfo")), self._live)))
            case 13:
                if as_int(text.get("cardEnum")) not in DEV_CARDS:
                    self._add(events.Gain(self._player(text), Cards.of({self._resource(text.get("cardEnum")): 1})))
            case (14 | 15 | 16) as kind:
                self._rob(kind, text, entry)
            case 20:
                card = DEV_CARDS.get(as_int(text.get("cardEnum")) or 0)
                if card is None:
                    raise InvalidEvent("cardEnum: not a development card of the base game")
                player = self._player(text)
                if card != "victory_point":
                    self._take_turn(player)
                self._add(events.PlayDevCard(player, card))
            case 21:
                self._add(events.YearOfPlenty(self._player(text), self._cards(text, "cardEnums")))
            case 44:
                self._end_turn()
            case 45:
                self._win(self._player(text))
            case 47:
                self._gain(text)
            case 48 | 143 | 144 | 145 | 146 as kind:
                held = as_int(text.get("bankCount", 0 if kind == _NOTHING_LEFT else None))
                if held is not None and 0 <= held <= _MOST_IN_BANK and "cardEnum" in text:
                    self._shortages.append((self._resource(text["cardEnum"]), held))
            case 55:
                self._discard(text)
            case (66 | 67 | 68) as kind:
                self._award(text, kind == _LOST)
            case 86:
                self._monopolise(text)
            case 115:
                partner = self._seat(text.get("acceptingPlayerColor"))
                self._add(events.PlayerTrade(self._player(text), partner, *self._traded(text)))
            case 116:
                self._add(events.BankTrade(self._player(text), *self._traded(text)))
            case 117:
                player, partner = self._seat(text.get("playerColorCreator")), self._seat(text.get("playerColorOffered"))
                self._add(events.CounterOffer(player, partner, *self._offered(text)))
            case 118:
                self._add(events.Offer(self._player(text), *self._offered(text)))
            case None:
                raise InvalidEvent("a log entry without a type")
            case 147:
                if self._roller is not None:
                    self._add(events.MoveRobber(self._roller, self.position.robber({}, self._live)))
            case kind if kind in _EXPANSIONS:
                raise only_the_base_game(self._line, _EXPANSIONS[kind])
            case kind if kind not in _SILENT:
                raise InvalidEvent(f"a log entry of the unknown type {kind}")

    def _build(self, text: dict[str, Any], free: bool) -> None:
        number = as_int(text.get("pieceEnum"))
        if number in EXPANSION_PIECES:
            raise only_the_base_game(self._line, EXPANSION_PIECES[number])
        piece = PIECES.get(-1 if number is None else number)
        if piece is None:
            raise InvalidEvent("pieceEnum: not a piece of the base game")
        player = self._player(text)
        self._places.expect((piece, self._roster.colours[player]), self._add(events.Build(player, piece, free)))

    def _roll_dice(self, text: dict[str, Any]) -> None:
        """A turn has one roll: one that was made for the player may be told twice."""
        dice = [as_int(text.get(name)) or 0 for name in ("firstDice", "secondDice")]
        if not all(1 <= die <= 6 for die in dice):
            raise InvalidEvent("firstDice, secondDice: not two dice")
        player = self._player(text)
        self._take_turn(player)
        if self._roller is None:
            self._roller = player
            self._roll = self._add(events.Roll(player, sum(dice)))

    def _take_turn(self, player: int) -> None:
        """Whoever does what only the player with the turn may do has the turn, even where no separator says so."""
        if self._roller not in (None, player):
            self._end_turn()

    def _end_turn(self) -> None:
        if self._roller is not None and not self._won:
            self._add(events.EndTurn(self._roller))
        self._forget_turn()

    def _win(self, player: int) -> None:
        """Whoever wins has the turn: a separator just before does not end it."""
        found = self._notebook.events
        last = next((at for at in range(len(found) - 1, -1, -1) if not isinstance(found[at], _EVIDENCE)), None)
        if last is not None and found[last] == events.EndTurn(player):
            del found[last], self._notebook.lines[last]
        self._add(events.Win(player))
        self._won = True

    def _award(self, text: dict[str, Any], lost: bool) -> None:
        """An award goes to its new holder; only where none is named, it may be nobody's."""
        award, holder = as_int(text.get("achievementEnum")), text.get("playerColorNew")
        if award not in (0, 1):
            raise InvalidEvent("achievementEnum: an award that the base game does not have")
        nobody = holder is None and (lost or text.get("playerColorOld") is not None)
        player = None if nobody else self._player(text) if holder is None else self._seat(holder)
        self._add(events.Award(player, AWARDS[award]))

    def _gain(self, text: dict[str, Any]) -> None:
        player, cards = self._player(text), self._cards(text, "cardsToBroadcast")
        kind = as_int(text.get("distributionType"))
        if not cards.size:
            return
        if kind == _AT_THE_START:
            self._add(events.StartingResources(player, cards))
        elif self._roll is not None and kind in (None, _BY_ROLL):
            roll = self._notebook.events[self._roll]
            gains = dict(getattr(roll, "gains", {}))
            gains[player] = cards.plus(gains.get(player, Cards()))
            self._change(self._roll, gains=gains)
        else:
            self._add(events.Gain(player, cards))

    def _rob(self, kind: int, text: dict[str, Any], entry: dict[str, Any]) -> None:
        """Thief, victim and all others are told of the same card by entries of their own; a replay holds them all."""
        other = next(iter(as_list(entry.get("specificRecipients"))), None)
        if other is None and self._observer is not None:
            other = self._roster.colours[self._observer]
        if kind == _TO_THIEF:
            thief = self._seat(entry.get("from") if other is None else other, "thief")
            victim = self._player(text)
        elif kind == _TO_VICTIM:
            thief, victim = self._player(text), self._seat(other, "specificRecipients")
        else:
            thief, victim = self._seat(text.get("playerColorThief")), self._seat(text.get("playerColorVictim"))
        cards = as_list(text.get("cardEnums"))
        resource = self._resource(cards[0]) if cards and cards[0] != BACK else self._moved_card(thief, victim)
        last = self._notebook.events[-1] if self._notebook.events else None
        if isinstance(last, events.Steal) and (last.player, last.victim) == (thief, victim) and kind not in self._steal_told:
            self._steal_told.add(kind)
            self._change(-1, resource=last.resource or resource)
        else:
            self._add(events.Steal(thief, victim, resource))
            self._steal_told = {kind}

    def _moved_card(self, thief: int, victim: int) -> str | None:
        """The one card that went from a hand to another in this patch, if both are told in clear."""
        gained, lost = self._change_of(thief), self._change_of(victim)
        if gained is None or lost is None or sorted(gained) != [0, 0, 0, 0, 1] or gained.plus(lost) != Cards():
            return None
        return Cards._fields[gained.index(1)]

    def _change_of(self, seat: int) -> Cards | None:
        before, after = self._changes.hands.get(self._roster.colours[seat], (None, None))
        had, has = cards_of(before), cards_of(after)
        return None if had is None or has is None else has.minus(had)

    def _discard(self, text: dict[str, Any]) -> None:
        player, pile = self._player(text), pile_of(text.get("cardEnums"))
        if pile is None or not all(card <= 5 for card in pile):
            raise InvalidEvent("cardEnums: not a list of resource cards")
        if pile:
            cards = None if BACK in pile else self._cards(text, "cardEnums")
            self._add(events.Discard(player, cards, len(pile)))

    def _monopolise(self, text: dict[str, Any]) -> None:
        player, resource = self._player(text), self._resource(text.get("cardEnum"))
        total = as_int(text.get("amountStolen"))
        at = self._add(events.Monopoly(player, resource, total))
        if at is None or total is None:
            return
        self._monopoly = at
        sizes = {
            self._roster.seats[colour]: len(before) - len(after)
            for colour, (before, after) in self._changes.hands.items()
            if before is not None and after is not None and len(before) > len(after)
        }
        self._split_monopoly(sizes)
        self._split_monopoly()
