"""Turns, what belongs into them, points and the end of the game."""

from kibitz.ground.bits import count
from kibitz.catan.core.state import BUILD, DEV_PLAY, GAME_OVER, KINDS, MAIN, TRADE, TURN_START, VICTORY_POINT, CatanState
from kibitz.ground.jit import jit


@jit
def visible_points(s: CatanState, seat: int) -> int:
    """Settlements 1, cities 2, each special card 2, revealed victory point cards 1."""
    points = count(s.settlements[seat]) + 2 * count(s.cities[seat]) + s.played[seat, VICTORY_POINT]
    if s.road_holder == seat:
        points += 2
    if s.army_holder == seat:
        points += 2
    return points


@jit
def total_points(s: CatanState, seat: int) -> int:
    """The visible points and the victory point cards that are still hidden."""
    return visible_points(s, seat) + s.dev[seat, VICTORY_POINT]


@jit
def check_victory(s: CatanState) -> None:
    """You win as soon as you have 10 points in your own turn; hidden victory point cards count.

    Asked after every action, so also when a turn begins: who reached 10 in another's turn wins then.
    """
    if total_points(s, s.player) >= s.victory_points:
        s.winner = s.player
        s.free_roads = 0
        s.phase = GAME_OVER


@jit
def begin_turn(s: CatanState, seat: int) -> None:
    """The dice go to `seat`."""
    s.player = seat
    s.turn += 1
    s.phase = TURN_START


@jit
def resume(s: CatanState) -> None:
    """Go on with the turn after the robber, a card or a trade."""
    if s.roll == 0:
        s.phase = TURN_START
    elif not s.phased_turns:
        s.phase = MAIN
    elif s.dev_done:
        s.phase = DEV_PLAY
    else:
        s.phase = TRADE


@jit
def may_trade(s: CatanState) -> bool:
    """Trade comes after the roll."""
    return s.phase == MAIN or s.phase == TRADE


@jit
def may_build(s: CatanState) -> bool:
    """Building comes after the roll."""
    return s.phase == MAIN or s.phase == BUILD


@jit
def may_play_card(s: CatanState) -> bool:
    """Development cards may be played before the roll too (not in phased turns)."""
    return s.phase == MAIN or s.phase == DEV_PLAY or (s.phase == TURN_START and not s.phased_turns)


@jit
def may_end_turn(s: CatanState) -> bool:
    """The turn ends after the roll (in phased turns: after the cards)."""
    return s.phase == MAIN or s.phase == DEV_PLAY


@jit
def end_turn(s: CatanState) -> None:
    """Pass the dice. A game that has had its last turn ends without a winner."""
    s.roll = 0
    s.dev_done = 0
    s.offers = 0
    s.new_dev_size = 0
    for card in range(KINDS):
        s.new_dev[card] = 0
    if s.turn >= s.max_turns:
        s.phase = GAME_OVER
    else:
        begin_turn(s, (s.player + 1) % s.seats)
