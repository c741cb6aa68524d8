"""A slow referee of Coup, written from the rules alone: it shares no code and no data structure with `kibitz.coup`.

A game is a coroutine that reads like the rule book. It stops at every decision and at every draw and says who is asked
and what the answers are, as texts; `Referee.answer` goes on from there. Cards are words in lists.
"""

from collections.abc import Generator
from dataclasses import dataclass, field
from itertools import combinations

COURT = ("duke", "assassin", "captain", "ambassador", "contessa")
CHANCE = "chance"


@dataclass
class Player:
    """Somebody at the table."""

    coins: int = 2
    cards: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


@dataclass
class Question:
    """Who is asked, and the possible answers; for chance with their weights."""

    who: int | str
    answers: dict[str, int]


Asking = Generator[Question, str, None]
AskingYesNo = Generator[Question, str, bool]


class Referee:
    """One game from the deal to the end."""

    def __init__(
        self,
        players: int,
        block_after_challenge: bool = True,
        refund: bool = True,
        steal_from_zero: bool = False,
        last_turn: int = 1000,
    ) -> None:
        self.block_after_challenge, self.refund, self.steal_from_zero = block_after_challenge, refund, steal_from_zero
        self.last_turn = last_turn
        self.players = [Player() for _ in range(players)]
        if players == 2:
            self.players[0].coins = 1
        self.deck = [card for card in COURT for _ in range(3)]
        self.turn = self.player = 0
        self.question: Question | None = None
        self._game = self._play()
        self._ask(None)

    @property
    def treasury(self) -> int:
        """50 coins in all."""
        return 50 - sum(player.coins for player in self.players)

    def alive(self, seat: int) -> bool:
        """Whether a player still has influence (before the deal everybody has)."""
        return len(self.players[seat].lost) < 2

    def survivors(self) -> list[int]:
        return [seat for seat in range(len(self.players)) if self.alive(seat)]

    def answer(self, text: str) -> None:
        """Go on with one of the answers to the question."""
        assert self.question is not None
        assert text in self.question.answers
        self._ask(text)

    def _ask(self, text: str | None) -> None:
        try:
            self.question = next(self._game) if text is None else self._game.send(text)
        except StopIteration:
            self.question = None

    # --- the course of the game -----------------------------------------------------------------------------

    def _play(self) -> Asking:
        for player in self.players:
            yield from self._draw(player, 2)
        while len(self.survivors()) > 1 and self.turn < self.last_turn:
            if self.turn:
                self.player = self._after(self.player)[0]
            self.turn += 1
            yield from self._turn()

    def _after(self, seat: int) -> list[int]:
        """The living players after `seat`, around the table."""
        around = [*range(seat + 1, len(self.players)), *range(seat)]
        return [other for other in around if self.alive(other)]

    def _turn(self) -> Asking:
        me = self.players[self.player]
        text = yield Question(self.player, dict.fromkeys(self._possible_actions(), 1))
        name, *rest = text.split()
        target = int(rest[0]) - 1 if rest else None
        cost = {"coup": 7, "assassinate": 3}.get(name, 0)
        me.coins -= cost
        claimed = {"tax": "duke", "assassinate": "assassin", "steal": "captain", "exchange": "ambassador"}.get(name)
        was_challenged = False
        if claimed:
            for doubter in self._after(self.player):
                if (yield Question(doubter, {"allow": 1, "challenge": 1})) == "challenge":
                    was_challenged = True
                    if not (yield from self._prove(self.player, claimed, doubter, cost if self.refund else 0)):
                        return
                    break
        if len(self.survivors()) < 2:
            return
        if not was_challenged or self.block_after_challenge:
            if (yield from self._is_blocked(name, target)):
                return
        if len(self.survivors()) > 1:
            yield from self._effect(name, target)

    def _possible_actions(self) -> list[str]:
        coins = self.players[self.player].coins
        others = sorted(self._after(self.player))
        coups = [f"coup {seat + 1}" for seat in others]
        if coins >= 10:
            return coups
        free = ["income", "foreign_aid", "tax", "exchange"]
        free += [f"steal {seat + 1}" for seat in others if self.steal_from_zero or self.players[seat].coins]
        free += [f"assassinate {seat + 1}" for seat in others] if coins >= 3 else []
        return free + (coups if coins >= 7 else [])

    def _is_blocked(self, name: str, target: int | None) -> AskingYesNo:
        """Whether the action is blocked for good."""
        characters = {"foreign_aid": ["duke"], "assassinate": ["contessa"], "steal": ["captain", "ambassador"]}.get(name, [])
        if not characters:
            return False
        for blocker in self._after(self.player) if target is None else [target] if self.alive(target) else []:
            answer = yield Question(blocker, {"allow": 1, **{f"block {card}": 1 for card in characters}})
            if answer != "allow":
                for doubter in [self.player, *self._after(self.player)]:
                    if doubter != blocker:
                        if (yield Question(doubter, {"allow": 1, "challenge": 1})) == "challenge":
                            return (yield from self._prove(blocker, answer.split()[1], doubter, 0))
                return True
        return False

    def _prove(self, claimant: int, claimed: str, doubter: int, refund: int) -> AskingYesNo:
        """A challenge; whether the claim was proved."""
        player = self.players[claimant]
        answers = [f"lose {card}" for card in player.cards if card != claimed]
        if claimed in player.cards:
            answers.append(f"show {claimed}")
        answer = yield Question(claimant, dict.fromkeys(answers, 1))
        if answer.startswith("lose"):
            player.coins += refund
            self._turn_up(player, answer.split()[1])
            return False
        yield from self._lose(doubter)
        if len(self.survivors()) > 1:
            player.cards.remove(claimed)
            self.deck.append(claimed)
            yield from self._draw(player, 1)
        return True

    def _effect(self, name: str, target: int | None) -> Asking:
        me = self.players[self.player]
        if name in ("income", "foreign_aid", "tax"):
            me.coins += min({"income": 1, "foreign_aid": 2, "tax": 3}[name], self.treasury)
        elif name == "exchange":
            yield from self._draw(me, 2)
            pairs = {f"return_cards {' '.join(sorted(two, key=COURT.index))}": 1 for two in combinations(me.cards, 2)}
            for card in (yield Question(self.player, pairs)).split()[1:]:
                me.cards.remove(card)
                self.deck.append(card)
        elif target is not None and self.alive(target):
            if name == "steal":
                loot = min(2, self.players[target].coins)
                self.players[target].coins -= loot
                me.coins += loot
            else:
                yield from self._lose(target)

    # --- cards ----------------------------------------------------------------------------------------------

    def _draw(self, player: Player, n: int) -> Asking:
        ways: dict[str, int] = {}
        for cards in combinations(self.deck, n):
            text = f"drawn {' '.join(sorted(cards, key=COURT.index))}"
            ways[text] = ways.get(text, 0) + 1
        for card in (yield Question(CHANCE, ways)).split()[1:]:
            self.deck.remove(card)
            player.cards.append(card)

    def _lose(self, seat: int) -> Asking:
        player = self.players[seat]
        answer = yield Question(seat, {f"lose {card}": 1 for card in player.cards})
        self._turn_up(player, answer.split()[1])

    def _turn_up(self, player: Player, card: str) -> None:
        player.cards.remove(card)
        player.lost.append(card)
        if len(player.lost) == 2:
            player.coins = 0
