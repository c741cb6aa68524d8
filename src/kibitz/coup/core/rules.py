"""The rules of Coup for two to six players, in the order of a turn: action, challenge, block, challenge of the block, effect.

Several players may challenge, and several may block foreign aid. Such a *window* is played as a row of yes-or-no
questions, one seat after another from the player whose turn it is; the first yes closes it. `window` tells who may still
say yes, for those who look at the window as a whole.
"""

from kibitz.coup.core import reasons as no
from kibitz.coup.core.cards import claimant, deal_next, take_drawn, why_not_outcome
from kibitz.coup.core.state import (
    ACTION, ALLOW, ALL_CODES, ASSASSINATE, BLOCK, BLOCKED_BY, BLOCKED_BY_TOO, CHALLENGE, CLAIMS, COST, COUP, DEAL,
    DO_ASSASSINATE, DO_BLOCK, DO_CHALLENGE, DO_COUP, DO_EXCHANGE, DO_FOREIGN_AID, DO_INCOME, DO_LOSE, DO_RETURN, DO_SHOW,
    DO_STEAL, DO_TAX, DRAW, DRAWN, EXCHANGE, FOREIGN_AID, GAIN, GAME_OVER, INCOME, KINDS, LOSE, NOBODY, NONE, NO_ACTION,
    PAIR_FIRST, PAIR_KINDS, PAIR_SECOND, PRIZE, REPLACE, RETURN, SEATS, SHOW, STEAL, CoupState,
)  # fmt: skip
from kibitz.game import CHANCE, OVER, Scratch
from kibitz.ground.jit import jit

FORCED_COUP = 10


# --- whose move -------------------------------------------------------------------------------------------


@jit
def actor(s: CoupState) -> int:
    """The seat that decides, or chance, or nobody."""
    if s.phase == GAME_OVER:
        return OVER
    if s.phase == DEAL or s.phase == REPLACE or s.phase == DRAW:
        return CHANCE
    return s.active


@jit
def kind(s: CoupState) -> int:
    """What kind of step comes next: the phase."""
    return s.phase


@jit
def window(s: CoupState) -> int:
    """The seats that may still challenge or block, as a bit mask; none when no window is open.

    The one that is asked first, ``s.active``, is among them.
    """
    if s.phase != CHALLENGE and s.phase != BLOCK:
        return 0
    seats = 1 << s.active
    if s.phase == CHALLENGE or s.action == FOREIGN_AID:
        seat = next_asked(s, s.active)
        while seat != NOBODY:
            seats |= 1 << seat
            seat = next_asked(s, seat)
    return seats


@jit
def next_asked(s: CoupState, seat: int) -> int:
    """Who is asked after `seat`: the next living player who is not the claimant, until it comes round to the player."""
    while True:
        seat += 1
        if seat == s.seats:
            seat = 0
        if seat == s.player:
            return NOBODY
        if s.influence[seat] > 0 and seat != s.blocker:
            return seat


# --- what may be done -------------------------------------------------------------------------------------


@jit
def legal(s: CoupState, x: Scratch) -> int:
    """The legal actions in ascending order."""
    if s.phase == ACTION:
        return legal_announcements(s, x)
    if s.phase == CHALLENGE:
        x.actions[0], x.actions[1] = ALLOW, DO_CHALLENGE
        return 2
    if s.phase == BLOCK:
        x.actions[0], x.actions[1] = ALLOW, DO_BLOCK + BLOCKED_BY[s.action]
        if s.action != STEAL:
            return 2
        x.actions[2] = DO_BLOCK + BLOCKED_BY_TOO[s.action]
        return 3
    if s.phase == RETURN:
        return legal_returns(s, x)
    n = 0
    if s.phase == SHOW and s.hand[s.active, s.claim] > 0:
        x.actions[0] = DO_SHOW + s.claim
        n = 1
    for card in range(KINDS):
        if s.hand[s.active, card] > 0 and (s.phase == LOSE or card != s.claim):
            x.actions[n] = DO_LOSE + card
            n += 1
    return n


@jit
def legal_announcements(s: CoupState, x: Scratch) -> int:
    """What the player may announce; with ten coins or more only a coup."""
    n = 0
    coins = s.coins[s.player]
    if coins < FORCED_COUP:
        x.actions[0], x.actions[1], x.actions[2], x.actions[3] = DO_INCOME, DO_FOREIGN_AID, DO_TAX, DO_EXCHANGE
        n = 4
    if coins >= COST[COUP]:
        n = add_targets(s, x, n, DO_COUP)
    if coins < FORCED_COUP:
        if coins >= COST[ASSASSINATE]:
            n = add_targets(s, x, n, DO_ASSASSINATE)
        n = add_targets(s, x, n, DO_STEAL)
    return n


@jit
def add_targets(s: CoupState, x: Scratch, n: int, base: int) -> int:
    """Add an action against each living opponent (for a theft: who has something); how many actions there are then."""
    any_coins = base != DO_STEAL or s.steal_from_zero == 1
    for seat in range(s.seats):
        if seat != s.player and s.influence[seat] > 0 and (any_coins or s.coins[seat] > 0):
            x.actions[n] = base + seat
            n += 1
    return n


@jit
def legal_returns(s: CoupState, x: Scratch) -> int:
    """Exchange: any two of the cards in hand go back."""
    n = 0
    for pair in range(PAIR_KINDS):
        if holds_pair(s, s.active, pair):
            x.actions[n] = DO_RETURN + pair
            n += 1
    return n


@jit
def holds_pair(s: CoupState, seat: int, pair: int) -> bool:
    """Whether two given cards are in a hand."""
    first, second = PAIR_FIRST[pair], PAIR_SECOND[pair]
    return s.hand[seat, first] > (1 if first == second else 0) and s.hand[seat, second] > 0


@jit
def why_not(s: CoupState, a: int) -> int:
    """0 if `a` is legal, else the number of the rule that forbids it (see `kibitz.coup.core.reasons`)."""
    if not 0 <= a < ALL_CODES:
        return no.UNKNOWN_ACTION
    if s.phase == GAME_OVER:
        return no.GAME_IS_OVER
    if actor(s) == CHANCE:
        return why_not_outcome(s, a)
    if a >= DRAWN:
        return no.CHANCE_DECIDES
    if s.phase != phase_of(s, a):
        return no.WRONG_PHASE
    if a < ALLOW:
        return why_not_announce(s, a)
    if DO_BLOCK <= a < DO_SHOW:
        blocks = a - DO_BLOCK == BLOCKED_BY[s.action] or a - DO_BLOCK == BLOCKED_BY_TOO[s.action]
        return 0 if blocks else no.DOES_NOT_BLOCK
    if DO_SHOW <= a < DO_LOSE:
        if a - DO_SHOW != s.claim:
            return no.NOT_CLAIMED
        return 0 if s.hand[s.active, s.claim] > 0 else no.NOT_HELD
    if DO_LOSE <= a < DO_RETURN:
        if s.hand[s.active, a - DO_LOSE] == 0:
            return no.NOT_HELD
        return no.SHOW_OR_LOSE_ANOTHER if s.phase == SHOW and a - DO_LOSE == s.claim else 0
    if a >= DO_RETURN:
        return 0 if holds_pair(s, s.active, a - DO_RETURN) else no.NOT_HELD
    return 0


@jit
def phase_of(s: CoupState, a: int) -> int:
    """The phase in which a player does `a`: where there are two, the present one if it is one of them."""
    if a < ALLOW:
        return ACTION
    if a == ALLOW:
        return BLOCK if s.phase == BLOCK else CHALLENGE
    if a == DO_CHALLENGE:
        return CHALLENGE
    if a < DO_SHOW:
        return BLOCK
    if a < DO_LOSE:
        return SHOW
    if a < DO_RETURN:
        return LOSE if s.phase == LOSE else SHOW
    return RETURN


@jit
def action_of(a: int) -> int:
    """The action that a code announces."""
    if a < DO_COUP:
        return a
    if a < DO_ASSASSINATE:
        return COUP
    return ASSASSINATE if a < DO_STEAL else STEAL


@jit
def target_of(a: int) -> int:
    """Whom an announcement names, or nobody."""
    return NOBODY if a < DO_COUP else (a - DO_COUP) % SEATS


@jit
def why_not_announce(s: CoupState, a: int) -> int:
    """The action of a turn: forced coup, price, target."""
    action, target = action_of(a), target_of(a)
    if s.coins[s.player] >= FORCED_COUP and action != COUP:
        return no.MUST_COUP
    if s.coins[s.player] < COST[action]:
        return no.CANNOT_PAY
    if target == NOBODY:
        return 0
    if target >= s.seats:
        return no.NO_SUCH_PLAYER
    if target == s.player:
        return no.OWN_TARGET
    if s.influence[target] == 0:
        return no.TARGET_IS_OUT
    if action == STEAL and s.coins[target] == 0 and s.steal_from_zero == 0:
        return no.NOTHING_TO_STEAL
    return 0


# --- a turn -----------------------------------------------------------------------------------------------


@jit
def apply(s: CoupState, a: int) -> None:
    """Do `a`, which is legal."""
    if s.phase == ACTION:
        announce(s, a)
    elif s.phase == CHALLENGE:
        answer_claim(s, a)
    elif s.phase == BLOCK:
        answer_action(s, a)
    elif s.phase == SHOW:
        answer_challenge(s, a)
    elif s.phase == LOSE:
        give_up(s, a - DO_LOSE)
    elif s.phase == RETURN:
        return_card(s, PAIR_FIRST[a - DO_RETURN])
        return_card(s, PAIR_SECOND[a - DO_RETURN])
        s.claimed[s.active] = NONE
        end_turn(s)
    else:
        happen(s, a)


@jit
def happen(s: CoupState, a: int) -> None:
    """Cards are drawn. After the last hand the first turn begins; after a replacement the claim stands."""
    take_drawn(s, a)
    if s.phase == DRAW:
        s.phase = RETURN
    elif s.phase == REPLACE:
        if s.blocker == NOBODY and s.target_may_block_after_failed_challenge == 0:
            take_effect(s)
        else:
            let_stand(s)
    elif not deal_next(s):
        s.turn = 1
        s.phase, s.active = ACTION, s.player


@jit
def announce(s: CoupState, a: int) -> None:
    """The player names an action, a target, and pays. Income and coup can be neither challenged nor blocked."""
    s.action, s.target = action_of(a), target_of(a)
    s.claim = CLAIMS[s.action]
    s.coins[s.player] -= COST[s.action]
    s.treasury += COST[s.action]
    if s.action == INCOME or s.action == COUP:
        take_effect(s)
    elif s.action == FOREIGN_AID:
        open_block(s)
    else:
        s.phase, s.active = CHALLENGE, next_asked(s, s.player)


@jit
def answer_claim(s: CoupState, a: int) -> None:
    """Challenge: any other player may doubt a claim; the claimant must then answer. If nobody does, the claim stands."""
    if a == DO_CHALLENGE:
        s.challenger = s.active
        s.phase, s.active = SHOW, claimant(s)
        return
    s.active = next_asked(s, s.active)
    if s.active == NOBODY:
        s.claimed[claimant(s)] = s.claim
        let_stand(s)


@jit
def let_stand(s: CoupState) -> None:
    """A claim holds: a block ends the turn, and what the action cost stays spent; an action can still be blocked."""
    if s.blocker != NOBODY:
        end_turn(s)
    else:
        open_block(s)


@jit
def answer_challenge(s: CoupState, a: int) -> None:
    """A challenged player shows the claimed card, and the challenger loses one; or the claimant loses another.

    Who holds the card may decline to show it. A caught action fails, a caught block lets the action take effect.
    """
    if a < DO_LOSE:
        s.phase, s.active = LOSE, s.challenger
        return
    s.challenger = NOBODY
    s.claimed[s.active] = NONE
    if s.blocker == NOBODY:
        if s.refund_on_caught_bluff:
            s.coins[s.player] += COST[s.action]
            s.treasury -= COST[s.action]
        if lose_influence(s, s.active, a - DO_LOSE):
            end_turn(s)
    elif lose_influence(s, s.active, a - DO_LOSE):
        take_effect(s)


@jit
def open_block(s: CoupState) -> None:
    """Block: any player may block foreign aid, the target an assassination or a theft."""
    if s.action == FOREIGN_AID:
        s.phase, s.active = BLOCK, next_asked(s, s.player)
    elif s.target != NOBODY and s.influence[s.target] > 0:
        s.phase, s.active = BLOCK, s.target
    else:
        take_effect(s)


@jit
def answer_action(s: CoupState, a: int) -> None:
    """Who blocks claims a character, which anybody may challenge: the player first. If nobody blocks, the action is done."""
    if a == ALLOW:
        s.active = next_asked(s, s.active) if s.action == FOREIGN_AID else NOBODY
        if s.active == NOBODY:
            take_effect(s)
        return
    s.blocker, s.claim = s.active, a - DO_BLOCK
    s.phase, s.active = CHALLENGE, s.player


@jit
def give_up(s: CoupState, card: int) -> None:
    """A player loses an influence of own choice: to a coup, to an assassin, or to a challenge that failed.

    In that case the card that was shown is then shuffled into the deck, and another one is drawn.
    """
    challenged = s.challenger != NOBODY
    s.challenger = NOBODY
    if not lose_influence(s, s.active, card):
        return
    if challenged:
        s.phase, s.active = REPLACE, claimant(s)
        forget_claim(s, s.active, s.claim)
        return_card(s, s.claim)
    else:
        end_turn(s)


@jit
def take_effect(s: CoupState) -> None:
    """The action is done. A target that has left the game in the meantime loses nothing more."""
    s.blocker, s.claim = NOBODY, NONE
    if s.action == EXCHANGE:
        s.phase, s.active = DRAW, s.player
        return
    if (s.action == COUP or s.action == ASSASSINATE) and s.influence[s.target] > 0:
        s.phase, s.active = LOSE, s.target
        return
    if s.action == STEAL:
        stolen = min(GAIN[STEAL], s.coins[s.target])
        s.coins[s.target] -= stolen
        s.coins[s.player] += stolen
    else:
        earn(s, GAIN[s.action])
    end_turn(s)


@jit
def earn(s: CoupState, coins: int) -> None:
    """The player takes coins from the treasury, or what is left there."""
    taken = min(coins, s.treasury)
    s.coins[s.player] += taken
    s.treasury -= taken


@jit
def return_card(s: CoupState, card: int) -> None:
    """A card of the active player is shuffled into the deck."""
    s.hand[s.active, card] -= 1
    s.deck[card] += 1


@jit
def forget_claim(s: CoupState, seat: int, card: int) -> None:
    """A card has left a hand: that it was claimed tells nothing any more."""
    if s.claimed[seat] == card:
        s.claimed[seat] = NONE


@jit
def lose_influence(s: CoupState, seat: int, card: int) -> bool:
    """A card is turned up for good; whether the game goes on.

    Who has none left is out, and the coins go back. The last one left wins.
    """
    s.hand[seat, card] -= 1
    s.revealed[seat, card] += 1
    s.influence[seat] -= 1
    forget_claim(s, seat, card)
    if s.influence[seat] > 0:
        return True
    s.claimed[seat] = NONE
    s.treasury += s.coins[seat]
    s.coins[seat] = 0
    survivor = NOBODY
    for other in range(s.seats):
        if s.influence[other] > 0:
            if survivor != NOBODY:
                return True
            survivor = other
    finish(s, survivor)
    return False


@jit
def end_turn(s: CoupState) -> None:
    """The next living player's turn, unless this was the last one."""
    if s.turn == s.max_turns:
        finish(s, NOBODY)
        return
    clear(s)
    s.turn += 1
    seat = s.player
    while True:
        seat += 1
        if seat == s.seats:
            seat = 0
        if s.influence[seat] > 0:
            break
    s.player = seat
    s.phase, s.active = ACTION, seat


@jit
def clear(s: CoupState) -> None:
    """Nothing is announced."""
    s.action, s.claim = NO_ACTION, NONE
    s.target = s.blocker = s.challenger = NOBODY


@jit
def finish(s: CoupState, winner: int) -> None:
    """The game is over."""
    clear(s)
    for seat in range(s.seats):
        s.claimed[seat] = NONE
    s.winner = winner
    s.phase, s.active = GAME_OVER, 0


@jit
def score(s: CoupState, seat: int) -> int:
    """The prize for the winner; at the turn limit it is shared by all who are left."""
    if s.influence[seat] == 0:
        return 0
    left = 0
    for other in range(s.seats):
        if s.influence[other] > 0:
            left += 1
    return PRIZE // left
