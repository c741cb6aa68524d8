"""``kibitz onepiece play``: a game in the terminal against a bot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import UserError
from kibitz.cli.guards import FORBIDDEN, GuardOption, guarded, read_guard
from kibitz.cli.onepiece import CardsOption, DecksOption, _bots, _cards, _decks, app

if TYPE_CHECKING:
    from kibitz.game import States
    from kibitz.loops.config import Config
    from kibitz.onepiece.actions import Action
    from kibitz.onepiece.game_state import GameState

HELP = """Type the number of a choice, or its words (play TW-004). Also:
  show  the table, with the texts of your cards    card TW-004  what a card says
  log   what happened this turn                    ?  this help    q  leave
Places: L is a Leader, C1 to C5 are Characters, S is a Stage. In your turn play
cards, give DON!! (+1000 power each, this turn only) and attack, in any order.
Who takes damage with no Life left loses, and who has no card left in the deck."""


@app.command()
def play(
    bot: Annotated[
        str, typer.Option(help="Who plays against you: random, greedy or ismcts (ismcts:200, ismcts:2s).")
    ] = "greedy",
    decks: DecksOption = "tide,ember",
    cards: CardsOption = None,
    seat: Annotated[int, typer.Option(help="Your seat: 1 begins.", min=1, max=2)] = 1,
    seed: Annotated[int, typer.Option(help="What the draws depend on.")] = 0,
    guard: GuardOption = None,
    record: Annotated[Path | None, typer.Option(help="Write the game to this file when it ends.")] = None,
) -> None:
    """Play a game against a bot."""
    from kibitz.cli.onepiece_words import folded
    from kibitz.onepiece.game_state import GameState
    from kibitz.records import check_target

    (name,) = _bots(bot, 1, 1, "--bot")
    pair, loop_rules = _decks(decks, _cards(cards)), read_guard(guard)
    if record is not None:
        check_target(record)
    state = GameState.new(*pair, seed=seed)
    me = seat - 1
    other = Opponent(name, state, 1 - me)
    referee = Referee(loop_rules, state)
    print(HELP)
    shown = -1
    try:
        while state.actor is not None and not referee.drawn:
            action = referee.demanded(state)
            if action is None and state.actor == me:
                action = _ask(state, me, name, fresh=state.turn_number != shown)
                shown = state.turn_number
                if action is None:
                    break
                if not referee.allows(state, action):
                    print(FORBIDDEN)
                    continue
            elif action is None:
                action = other.decide(state) if state.actor != "chance" else _chance(state)
                if state.actor != "chance" and not referee.allows(state, action):
                    action = referee.first_allowed(state)
            told = _told(state, action, me, name)
            if told:
                print(folded(" ", told, 1))
            before, state = state, state.step(action)
            other.saw(before, action, state)
            referee.saw(before, action, state)
    except (EOFError, KeyboardInterrupt):
        print()
    _finish(state, me, name, record, referee)


class Referee:
    """The loop guard of a game, if it has one."""

    def __init__(self, rules: Config | None, state: GameState) -> None:
        from kibitz.loops.drive import position_of

        self.rules, self.drawn = rules, False
        self._hook = guarded(rules)
        if self._hook:
            self._hook.begin(position_of(state.state))

    def demanded(self, state: GameState) -> Action | None:
        """What has to be done here, whatever the player wants."""
        from kibitz.loops.drive import position_of
        from kibitz.onepiece.actions import Action

        code = self._hook.demanded(position_of(state.state)) if self._hook else None
        return None if code is None else Action.from_code(code, state.state.table)

    def allows(self, state: GameState, action: Action) -> bool:
        """Whether the player may choose an action."""
        from kibitz.loops.drive import may_choose, position_of

        return self._hook is None or may_choose(position_of(state.state), action.code(state.state.table), self._hook)

    def first_allowed(self, state: GameState) -> Action:
        """What a bot does instead of what it may not do."""
        return next(action for action in state.legal_actions() if self.allows(state, action))

    def saw(self, before: GameState, action: Action, after: GameState) -> None:
        """Hear of a step."""
        from kibitz.loops.drive import position_of

        if self._hook:
            by, code = before.state.actor(), action.code(before.state.table)
            self.drawn = self._hook.after(position_of(after.state), code, by).draw


def _chance(state: GameState) -> Action:
    """What chance decides, as the seed says."""
    from kibitz.onepiece.actions import Action
    from kibitz.onepiece.engine import draw, scratch

    s = state.state
    return Action.from_code(int(draw(s, scratch(state.seed))), s.table)


class Opponent:
    """A bot at its seat: it sees what its seat sees, and no more."""

    def __init__(self, name: str, state: GameState, seat: int) -> None:
        from kibitz.onepiece.engine import game_with
        from kibitz.play.onepiece_bots import bot_named

        self.name, self.seat = name, seat
        self.game = game_with(*state.state.table.decks)
        bot = bot_named(name)
        self.thinks = bot.policy is None
        self.player = bot.player()
        self.player.begin(self.game, seat, self._view(state), state.seed)

    def _view(self, state: GameState) -> States:
        from kibitz.game import PlainStates

        view = state.state
        view.hide(self.seat)
        return PlainStates(self.game, [view])

    def decide(self, state: GameState) -> Action:
        """The bot's action; one that searches is seen to think."""
        from rich.console import Console

        from kibitz.onepiece.actions import Action

        view = self._view(state)
        if not self.thinks:
            code = self.player.decide(view)
        else:
            with Console(stderr=True).status(f"{self.name} thinks"):
                code = self.player.decide(view)
        return Action.from_code(code, state.state.table)

    def saw(self, before: GameState, action: Action, after: GameState) -> None:
        """A step was taken."""
        s = before.state
        self.player.saw(self._view(before), s.seen(action.code(s.table), self.seat), self._view(after))


def _told(state: GameState, action: Action, me: int, bot: str) -> str:
    """A line about what happens, as the player sees it; nothing about the player's own choices, which are known."""
    from kibitz.cli.onepiece_words import action_words

    s = state.state
    seen = s.seen(action.code(s.table), me)
    if state.actor == "chance":
        owner, of_life, _ = s.drawing
        whose = "your" if owner == me else f"{bot}'s"
        if seen < 0:
            return "" if of_life or not state.turn_number else f"{bot}: takes or looks at a card of the deck"
        return f"{whose} {'Life' if of_life else 'deck'}: {action.card} {action_words(s, action)}"
    if state.actor == me:
        return ""
    if seen < 0:
        return f"{bot}: chooses a card, unseen"
    if action.kind in ("keep", "redraw", "end_turn"):
        return f"{bot}: {action.to_text()}"
    words = action_words(s, action)
    return f"{bot}: {words}" if action.kind in ("yes", "no", "pass") else f"{bot}: {action.to_text()} - {words}"


def _ask(state: GameState, me: int, bot: str, fresh: bool) -> Action | None:
    """The player's choice; None to leave. The first one of a turn shows the table."""
    from kibitz.cli.onepiece_table import position_text
    from kibitz.cli.onepiece_words import action_words, battle_words, folded
    from kibitz.onepiece.actions import Action, InvalidAction

    s = state.state
    actions = state.legal_actions()
    view = state.observe(me)
    names = ("you", bot) if me == 0 else (bot, "you")
    if fresh or state.waiting == "MAIN":
        print(position_text(view, names, texts=fresh and state.current_player_id == me))
    if battle := battle_words(s):
        print(f"battle: {battle}")
    print(f"{repr(view)[12:-1].partition(', as ')[0]}:")
    for i, action in enumerate(actions, start=1):
        print(folded(f"{i:3} {action.to_text()}", action_words(s, action), 18))
    while True:
        answer = input("> ").strip()
        if answer in ("q", "quit"):
            return None
        if answer in ("?", "help"):
            print(HELP)
        elif answer == "show":
            print(position_text(view, names, texts=True))
        elif answer == "log":
            print("\n".join(line for line in view.event_log if line.startswith(f"turn {state.turn_number} ")))
        elif answer.split(" ")[0] == "card":
            _print_card(state, answer[4:].strip())
        elif answer.isascii() and answer.isdigit() and len(answer) < 6:
            if 1 <= int(answer) <= len(actions):
                return actions[int(answer) - 1]
            print(f"expected a number from 1 to {len(actions)}")
        elif answer:
            try:
                chosen = Action.from_text(answer)
                refusal = state.why_not(chosen)
            except InvalidAction as error:
                print(error)
                continue
            if refusal is None:
                return chosen
            print(refusal)


def _print_card(state: GameState, identity: str) -> None:
    """What is printed on a card of this match."""
    from kibitz.cli.onepiece_words import card_lines

    table = state.state.table
    if identity in table.number:
        print("\n".join(card_lines(table.cards[table.number[identity]])))
    else:
        print(f"{identity!r}: no such card in this match; type card and the number of a card, as in card {table.cards[0].id}")


def _finish(state: GameState, me: int, bot: str, record: Path | None, referee: Referee) -> None:
    from kibitz.onepiece.record import Record
    from kibitz.records import writing

    outcome = state.outcome
    if referee.drawn:
        print(f"a draw by the loop rule after {state.turn_number} turns")
    elif outcome is None:
        print("left before the end")
    else:
        who = "nobody wins" if outcome.winner is None else "you win" if outcome.winner == me else f"{bot} wins"
        print(f"{who} ({outcome.termination}) after {state.turn_number} turns")
    if record is None:
        return
    s = state.state
    seats = ("you", bot) if me == 0 else (bot, "you")
    codes = tuple(action.code(s.table) for action in state.actions)
    try:
        with writing(record) as write_line:
            header = referee.rules.to_json() if referee.rules else None
            played = Record(s.table.decks, seats, codes, s.first, state.seed, guard=header, drawn=referee.drawn)
            for line in played.lines():
                write_line(line)
    except OSError as error:
        raise UserError(f"{record}: {error.strerror}") from None
    print(f"written: {record}")
