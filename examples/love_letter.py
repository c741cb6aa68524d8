"""Love Letter for two to four players: the game of the tutorial for engine authors, in one file.

Everybody courts the Princess and holds one card. On your turn you draw a second card and play one of the two:

- guard (1, five copies): name a player and a card, not the guard; if they hold it, they are out
- priest (2, two copies): look at a player's card
- baron (3, two copies): compare cards with a player, in private; the lower one is out
- handmaid (4, two copies): nobody can choose you until your next turn
- prince (5, two copies): a player, perhaps you, discards a card and draws another
- king (6, one copy): trade cards with a player
- countess (7, one copy): does nothing, but you must play her if your other card is a king or a prince
- princess (8, one copy): if you ever discard her, you are out

If nobody can be chosen, a card does nothing. The last player left wins. When the deck is empty, the highest card wins; if
cards are equal, the player who discarded the higher sum; if that is equal, too, the win is shared. One card is set aside
unseen at the start (a prince draws it if the deck is empty), and with two players three more, face up. A game is one round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kibitz.game import CHANCE, OVER
from kibitz.game.plain import PlainState, plain_game

COPIES = {"guard": 5, "priest": 2, "baron": 2, "handmaid": 2, "prince": 2, "king": 1, "countess": 1, "princess": 1}
CARDS = tuple(COPIES)
VALUE = {card: value for value, card in enumerate(CARDS, start=1)}
NO_CARD, HIDDEN = "", "?"
PRIZE = 12  # which two, three or four winners can share
SEATS = "1234"  # as people count; in the code they begin with 0


class LoveLetter(PlainState):
    """A round of Love Letter at one moment."""

    NAMES = (
        *CARDS,
        *(f"guard {seat} {guess}" for seat in SEATS for guess in CARDS[1:]),
        *(f"{card} {seat}" for card in ("priest", "baron", "prince", "king") for seat in SEATS),
        *(f"{event} {seat} {card}" for event in ("draw", "show", "lay") for seat in SEATS for card in (*CARDS, HIDDEN)),
        *(f"open {card}" for card in CARDS),
        "nothing",
    )
    BOTS = ("sly",)

    def __init__(self, seats: int) -> None:
        self.seats, self.player, self.turn, self.over = seats, seats - 1, 0, False
        self.held = [NO_CARD] * seats
        self.known_to = [frozenset[int]()] * seats
        """Who knows the card that a player holds."""
        self.drawn = NO_CARD
        """The second card of the player whose turn it is."""
        self.played: list[tuple[str, ...]] = [()] * seats
        self.safe, self.out = [False] * seats, [False] * seats
        self.face_up: tuple[str, ...] = ()
        self.stock = sum(COPIES.values())
        """How many cards have not been dealt, the one set aside among them."""
        self.due: list[tuple[Any, ...]] = [("open",)] * (3 if seats == 2 else 0) + [("draw", seat) for seat in range(seats)]
        """What has to happen before a player is asked: cards to deal, and whatever a played card brings to light."""

    # --- whose move it is, and what may be done

    def actor(self) -> int:
        """Chance acts if something is due; otherwise it is a player's move."""
        return OVER if self.over else CHANCE if self.due else self.player

    def inside(self) -> list[int]:
        """Who has not been knocked out."""
        return [seat for seat in range(self.seats) if not self.out[seat]]

    def plays(self) -> list[str]:
        """What the player may do."""
        me, hand = self.player, {self.held[self.player], self.drawn}
        if "countess" in hand and hand & {"prince", "king"}:
            return ["countess"]
        others = [SEATS[seat] for seat in self.inside() if seat != me and not self.safe[seat]]
        found = []
        for card in hand:
            targets = {"handmaid": [], "prince": [*others, SEATS[me]], "countess": [], "princess": []}.get(card, others)
            guesses = [f" {guess}" for guess in CARDS[1:]] if card == "guard" else [""]
            found += [f"{card} {seat}{guess}" for seat in targets for guess in guesses] or [card]
        return found

    def objection(self, name: str) -> str:
        """Why something may not be done."""
        if not self.due and self.plays() == ["countess"]:
            return "with a king or a prince in hand, you must play the countess"
        return super().objection(name)

    def worthwhile(self) -> list[str]:
        """Keep a search from throwing away the princess, or guessing what cannot be right."""
        return [play for play in self.plays() if play != "princess" and self.chances(play)] or self.plays()

    def chances(self, play: str) -> int:
        """How many unseen cards make a guess right, as the player sees it; 1 for anything else."""
        if not play.startswith("guard "):
            return 1
        _, seat, guess = play.split()
        view = self.copy()
        view.hide(self.player)
        held = view.held[SEATS.index(seat)]
        return view.unseen()[guess] if held == HIDDEN else 16 * (held == guess)

    # --- what it does

    def do(self, name: str) -> None:
        """Play a card, or carry out what is due; then go on."""
        if self.due:
            self.happen(*name.split())
        else:
            self.play(*name.split())
        if self.due or self.drawn:
            return
        inside = self.inside()
        if len(inside) > 1 and self.stock > 1:
            self.player = min(inside, key=lambda seat: (seat - self.player - 1) % self.seats)
            self.turn += 1
            self.safe[self.player] = False
            self.due = [("draw", self.player)]
        elif len(inside) > 1 and any(self.held):
            self.due = [("compare", seat) for seat in inside]
        else:
            self.over = True

    def play(self, card: str, seat: str = "", guess: str = "") -> None:
        """Discard a card; what it does is due."""
        me, you = self.player, SEATS.find(seat)
        if card == self.held[me]:
            self.held[me], self.known_to[me] = self.drawn, frozenset([me])
        self.drawn = NO_CARD
        self.played[me] += (card,)
        self.safe[me] = card == "handmaid"
        if card == "princess":
            self.due = [("fall", me)]
        elif seat:
            self.due = {
                "guard": [("guess", you, guess)],
                "priest": [("show", you, me)],
                "baron": [("show", you, me), ("show", me, you), ("duel", me, you)],
                "prince": [("discard", you)],
                "king": [("show", you, me), ("trade", me, you)],
            }[card]

    def happen(self, word: str, *words: str) -> None:
        """Carry out the first thing that is due, in this way."""
        what, *eyes = self.due.pop(0)
        seat, card = (SEATS.find(words[0]), words[-1]) if words else (-1, NO_CARD)
        self.stock -= word in ("open", "draw")
        if word == "open":
            self.face_up += (card,)
        elif word == "draw":
            if self.held[seat]:
                self.drawn = card
            else:
                self.held[seat], self.known_to[seat] = card, frozenset([seat])
        elif word == "show":
            self.known_to[seat] |= {*eyes}
            if what == "trade":
                me, you = eyes
                self.held[me], self.held[you] = self.held[you], self.held[me]
                self.known_to[me] = self.known_to[you] = frozenset(eyes)
        elif word == "lay":
            self.held[seat], self.known_to[seat] = NO_CARD, frozenset()
            self.played[seat] += (card,)
            self.out[seat] = what in ("guess", "duel", "fall") or (what == "discard" and card == "princess")
            if what == "discard" and card != "princess":
                self.due = [("draw", seat)]

    # --- chance

    def unseen(self) -> dict[str, int]:
        """How many copies of each card are nowhere to be seen."""
        cards = [*self.face_up, *self.held, self.drawn, *(card for cards in self.played for card in cards)]
        return {card: copies - cards.count(card) for card, copies in COPIES.items()}

    def outcomes(self) -> Mapping[str, int]:
        """Any unseen card may be dealt; everything else depends on the hands, and has only one outcome."""
        what, *about = self.due[0]
        if what in ("open", "draw"):
            words = " ".join([what, *(SEATS[seat] for seat in about)])
            return {f"{words} {card}": copies for card, copies in self.unseen().items() if copies}
        seat = about[0]
        if what in ("show", "trade"):
            return {f"show {SEATS[seat]} {self.held[seat]}": 1}
        if what == "duel":
            seat = min(about, key=lambda seat: VALUE[self.held[seat]])
        missed = self.held[seat] != about[1] if what == "guess" else what == "duel" and len({self.held[s] for s in about}) == 1
        return {"nothing" if missed else f"lay {SEATS[seat]} {self.held[seat]}": 1}

    def moment(self) -> int:
        """Which card is dealt: the same seed deals the same cards, whatever the players do."""
        return self.stock if self.due[0][0] in ("open", "draw") else 100 + self.events

    # --- the end

    def score(self, seat: int) -> int:
        """A share of the prize for the last player, or for the highest card and the highest sum of cards played."""
        worth = {seat: [VALUE[card] for card in self.played[seat]] for seat in self.inside()}
        ranks = {seat: (values[-1:], sum(values)) for seat, values in worth.items()}
        winners = [seat for seat, rank in ranks.items() if rank == max(ranks.values())]
        return PRIZE // len(winners) if seat in winners else 0

    # --- what is hidden

    def perceived(self, name: str, seat: int) -> str:
        """Only certain players see a card that is drawn or shown; everything else is seen by everybody."""
        word, *words = name.split()
        secret = word in ("draw", "show") and seat not in self.due[0]
        return f"{word} {words[0]} {HIDDEN}" if secret else name

    def hide(self, seat: int) -> None:
        """Blank the cards that a seat does not know, and who else knows them."""
        for owner in range(self.seats):
            if self.held[owner] and seat not in self.known_to[owner]:
                self.held[owner] = HIDDEN
            if owner != seat:
                self.known_to[owner] &= {seat}
        if self.drawn and seat != self.player:
            self.drawn = HIDDEN

    def imagine(self, seat: int, below: Callable[[int], int]) -> None:
        """Deal the hidden cards from those that are nowhere to be seen."""
        deck = [card for card, copies in self.unseen().items() for _ in range(copies)]
        for owner in range(self.seats):
            if self.held[owner] == HIDDEN:
                self.held[owner] = deck.pop(below(len(deck)))
            self.known_to[owner] |= {owner} if self.held[owner] else set()
        if self.drawn == HIDDEN:
            self.drawn = deck.pop(below(len(deck)))

    # --- a bot, and how it looks

    def sly(self) -> str:
        """Keep the higher card, and guess the most likely card with a guard."""
        return min(self.worthwhile(), key=lambda play: (VALUE[play.split()[0]], -self.chances(play), play))

    def __str__(self) -> str:
        lines = [f"deck: {max(self.stock - 1, 0)} cards{', face up: ' if self.face_up else ''}{' '.join(self.face_up)}"]
        for seat in range(self.seats):
            hand = f"{self.held[seat]} {self.drawn if seat == self.player else NO_CARD}"
            marks = " (out)" * self.out[seat] + " (protected)" * self.safe[seat]
            turn = "*" if seat == self.player else " "
            lines.append(f"{turn} {SEATS[seat]}  {hand:18}  played: {' '.join(self.played[seat]) or '-'}{marks}")
        return "\n".join(lines)


GAME = plain_game(LoveLetter, "love_letter", seats=(2, 4), scores=(0, PRIZE), max_turns=13)
