"""``kibitz onepiece play``: a game in the terminal against a bot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import UserError
from kibitz.cli.onepiece import DecksOption, _bots, _decks, app

if TYPE_CHECKING:
    from kibitz.onepiece.actions import Action
    from kibitz.onepiece.game_state import GameState

HELP = "Type the number of a choice or its words (play TW-004); show: the table; log: this turn; ?: this help; q: leave."


@app.command()
def play(
    bot: Annotated[str, typer.Option(help="Who plays against you: greedy or random.")] = "greedy",
    decks: DecksOption = "tide,ember",
    seat: Annotated[int, typer.Option(help="Your seat: 1 begins.", min=1, max=2)] = 1,
    seed: Annotated[int, typer.Option(help="What the draws depend on.")] = 0,
    record: Annotated[Path | None, typer.Option(help="Write the game to this file when it ends.")] = None,
) -> None:
    """Play a game against a bot."""
    from kibitz.onepiece.engine import POLICIES
    from kibitz.onepiece.game_state import GameState
    from kibitz.records import check_target

    (name,) = _bots(bot, 1, 1, "--bot")
    pair = _decks(decks)
    if record is not None:
        check_target(record)
    state = GameState.new(*pair, seed=seed).resolve()
    me = seat - 1
    print(HELP)
    told = 0
    try:
        while state.actor is not None:
            told = _tell(state, me, told)
            action = _ask(state, me) if state.actor == me else _bot_action(state, POLICIES[name])
            if action is None:
                break
            state = state.apply(action)
    except (EOFError, KeyboardInterrupt):
        print()
    _finish(state, me, name, record)


def _bot_action(state: GameState, policy: int) -> Action:
    """The bot sees what its seat sees, and no more."""
    from kibitz.onepiece.actions import Action
    from kibitz.onepiece.engine import scratch

    view = state.state
    view.hide(view.asked)
    return Action.from_code(view.choose(scratch(len(state.event_log)), policy), view.table)


def _tell(state: GameState, me: int, told: int) -> int:
    """What happened since the last choice, as the player saw it; how many lines of the log are told."""
    log = state.observe(me).event_log
    for line in log[told:]:
        if f"P{me + 1} " not in line or "drawn" in line:
            print(f"  {_named(state, line)}")
    return len(log)


def _named(state: GameState, line: str) -> str:
    """A line with the name of its card."""
    cards = state.state.table.number
    words = [word for word in line.split() if word in cards]
    return line + (f" ({state.state.table.cards[cards[words[0]]].name})" if words else "")


def _ask(state: GameState, me: int) -> Action | None:
    """The player's choice; None to leave."""
    from kibitz.cli.onepiece_table import position_text
    from kibitz.onepiece.actions import Action, InvalidAction

    actions = state.legal_actions()
    view = state.observe(me)
    if state.waiting == "MAIN":
        print(position_text(view, ("you", "") if me == 0 else ("", "you")))
    print(f"{repr(view)[12:-1].partition(', as ')[0]}:")
    for i, action in enumerate(actions, start=1):
        print(f"{i:3} {_named(state, action.to_text())}{_effect_text(state, action)}")
    while True:
        answer = input("> ").strip()
        if answer in ("q", "quit"):
            return None
        if answer in ("?", "help"):
            print(HELP)
        elif answer == "show":
            print(position_text(view, ("you", "") if me == 0 else ("", "you")))
        elif answer == "log":
            print("\n".join(line for line in view.event_log if line.startswith(f"turn {state.turn_number} ")))
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


def _effect_text(state: GameState, action: Action) -> str:
    """What an effect or an option is called."""
    from kibitz.onepiece.effects.control import Branch
    from kibitz.onepiece.interpreter import instruction

    s = state.state
    if action.kind in ("resolve", "decline"):
        card = s.table.cards[s.triggers[(action.number or 1) - 1][1]]
        return f" ({card.id} {card.name})"
    if action.kind == "option":
        branch = instruction(s).args
        return f" {branch.labels[(action.number or 1) - 1]}" if isinstance(branch, Branch) else ""
    if action.kind in ("attack", "give", "block", "activate", "choose"):
        from kibitz.onepiece.actions import PLACES

        owner = action.player if action.player is not None else s.asked
        unit = s.field[owner][PLACES.index(action.place or "L")]
        return f" ({s.card(unit).name})" if unit is not None else ""
    return ""


def _finish(state: GameState, me: int, bot: str, record: Path | None) -> None:
    from kibitz.onepiece.record import Record
    from kibitz.records import writing

    outcome = state.outcome
    if outcome is None:
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
            for line in Record(s.table.decks, seats, codes, s.first, state.seed).lines():
                write_line(line)
    except OSError as error:
        raise UserError(f"{record}: {error.strerror}") from None
    print(f"written: {record}")
