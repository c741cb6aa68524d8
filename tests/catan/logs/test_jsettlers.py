"""Logs of JSettlers: what each observer is told, in the newer and in the older form, and our own games there and back."""

import random
import re

import pytest

from kibitz.catan import Board, Rules
from kibitz.catan.core.events import (
    Accept,
    Award,
    BankTrade,
    Build,
    BuyDevCard,
    Cards,
    Correction,
    CounterOffer,
    Decline,
    Discard,
    EndTurn,
    Gain,
    HandCount,
    HandSeen,
    Monopoly,
    MoveRobber,
    Offer,
    PlayDevCard,
    PlayerTrade,
    Roll,
    StartingResources,
    Steal,
    Win,
    YearOfPlenty,
)
from kibitz.catan.core.record import Record, simulate
from kibitz.catan.core.topology import EDGE_ENDS
from kibitz.catan.core.transcript import events_of
from kibitz.catan.logs import LogError, jsettlers, recognise
from kibitz.catan.logs.island import CORNER_AT, EDGE_AT, HEX_AT, cards_moved
from tests.catan.logs import jsettlers_writer
from tests.catan.logs.jsettlers_writer import CORNER_COORDINATES, EDGE_COORDINATES

HEADER = "SOC game event log: type=F, version=2500, created_at=1, now=2, game_name=g"
EVIDENCE = (HandCount, HandSeen)


def seated(*numbers: int) -> list[str]:
    return [f"all:SOCSitDown:game=g|nickname=N{n}|playerNumber={n}|robotFlag=true" for n in numbers]


def log(*lines: str, numbers: tuple[int, ...] = (0, 1, 2)) -> str:
    """A game in progress: the players sit, and it is the first one's turn."""
    return "\n".join(
        [HEADER, "# a comment", "", *seated(*numbers), f"all:SOCTurn:game=g|playerNumber={numbers[0]}|gameState=15", *lines]
    )


def old(*lines: str) -> str:
    """The same in the old form, three players."""
    sit = [f"SOCSitDown:game=g|nickname=N{n}|playerNumber={n}|robotFlag=false" for n in range(3)]
    opening = [*sit, "SOCTurn:game=g|playerNumber=0", "SOCGameState:game=g|state=15"]
    return "\n".join(f"2012:06:06:19:58:56:999:+0100:{line}" for line in [*opening, *lines])


def events(text: str, me: str | None = None, evidence: bool = False) -> list[object]:
    imported = jsettlers.read(text, me=me, strict=True)
    return [event for event in imported.log.events if evidence or not isinstance(event, EVIDENCE)]


def cards(clay: int = 0, ore: int = 0, sheep: int = 0, wheat: int = 0, wood: int = 0, unknown: int = 0) -> str:
    return f"clay={clay}|ore={ore}|sheep={sheep}|wheat={wheat}|wood={wood}|unknown={unknown}"


def element(player: int, action: int, kind: int, value: int = 1) -> str:
    return f"SOCPlayerElement:game=g|playerNum={player}|actionType={action}|elementType={kind}|value={value}"


# --- our own games, there and back ----------------------------------------------------------------------------

GAMES = {
    "four": (["builder"] * 4, Rules(max_turns=60)),
    "three": (["builder", "random", "builder"], Rules(max_turns=40, discard_limit=3)),
    "two": (["builder"] * 2, Rules(victory_points=8)),
    "phased": (["random"] * 4, Rules(phased_turns=True, max_turns=50, all_or_nothing_bank=True)),
}


def played(name: str, seed: int) -> Record:
    bots, rules = GAMES[name]
    return simulate(Board.random(seed), bots, seed, rules)


@pytest.mark.parametrize("old_form", [False, True], ids=["new", "old"])
@pytest.mark.parametrize("name", GAMES)
def test_our_games_read_back_as_everybody_saw_them(name, old_form):
    record = played(name, 11)
    text = jsettlers_writer.write(record, old=old_form)
    assert recognise(text) == "jsettlers"
    for seat in [None, *range(len(record.seats))]:
        imported = jsettlers.read(text, me=None if seat is None else f"p{seat}", strict=True)
        expected = events_of(record, seat, hidden_discards=True)
        found = tuple(event for event in imported.log.events if not isinstance(event, EVIDENCE))
        assert found == jsettlers_writer.carried(expected.events)
        assert (imported.log.players, imported.log.observer) == (expected.players, seat)
        assert imported.board == record.board
        assert imported.log.victory_points == record.rules.victory_points
        assert imported.everything == jsettlers_writer.carried(events_of(record, all_seeing=True).events)
        assert len(imported.lines) == len(imported.log.events)
        assert list(imported.lines) == sorted(imported.lines)
        assert len(imported.everything_lines or ()) == len(imported.everything or ())


@pytest.mark.parametrize("old_form", [False, True], ids=["new", "old"])
def test_the_evidence_of_our_games_is_true(old_form):
    record = played("four", 5)
    text = jsettlers_writer.write(record, old=old_form)
    imported = jsettlers.read(text, me="p1", strict=True)
    hands = [Cards()] * 4
    seen = 0
    everything = iter(imported.everything or ())
    for event in imported.log.events:
        if isinstance(event, HandSeen):
            assert (event.player, event.cards) == (1, hands[1])
            seen += 1
        elif isinstance(event, HandCount):
            assert event.count == hands[event.player].size
            seen += 1
        else:
            for seat, moved in cards_moved(next(everything)):
                hands[seat] = hands[seat].plus(moved)
    assert seen > 50


@pytest.mark.parametrize("old_form", [False, True], ids=["new", "old"])
def test_a_log_that_holds_everything_becomes_a_record(old_form):
    record = played("two", 3)
    again = jsettlers.read(jsettlers_writer.write(record, old=old_form)).record()
    assert events_of(again, all_seeing=True).events[-1] == events_of(record, all_seeing=True).events[-1]
    assert len(again.codes) == len(record.codes)


def test_what_breaks_a_rule_is_named_with_its_line():
    lines = jsettlers_writer.write(played("four", 5)).split("\n")
    at = next(i for i, line in enumerate(lines) if "SOCMoveRobber:" in line)
    lines[at] = re.sub(r"playerNumber=\d", "playerNumber=3" if "playerNumber=2" in lines[at] else "playerNumber=2", lines[at])
    with pytest.raises(LogError, match="it is the turn of") as caught:
        jsettlers.read("\n".join(lines)).record()
    assert caught.value.line == at + 1


def test_a_trade_with_the_bank_may_be_undone():
    record = played("two", 3)
    lines = jsettlers_writer.write(record).split("\n")
    at = next(i for i, line in enumerate(lines) if "SOCBankTrade:" in line)
    undone = re.sub("give=(.*)[|]get=(.*)[|]pn", r"give=\2|get=\1|pn", lines[at])
    imported = jsettlers.read("\n".join([*lines[: at + 1], undone, *lines[at:]]), strict=True)
    trades = [event for event in imported.log.events if isinstance(event, BankTrade)]
    assert trades[:3] == [trades[2], BankTrade(trades[2].player, trades[2].receive, trades[2].give), trades[2]]
    assert imported.record().codes == jsettlers.read("\n".join(lines)).record().codes


def test_only_that_an_offer_would_be_accepted_is_not_carried():
    accept = Accept(1, 0, {"ore": 1}, {"wood": 1})
    assert jsettlers_writer.carried([Roll(0, 5), accept, EndTurn(0)]) == (Roll(0, 5), EndTurn(0))


def test_names_may_be_odd_but_not_break_the_lines():
    record = played("two", 3)
    names = ("a=b: ,c", "Ωλ 'x'")
    for old_form in (False, True):
        assert jsettlers.read(jsettlers_writer.write(record, players=names, old=old_form), me=names[1]).log.players == names
    with pytest.raises(ValueError, match="cannot be written"):
        jsettlers_writer.write(record, players=("a|b", "c"))


def test_what_old_logs_hold_twice_happens_once():
    record = played("four", 11)
    text = jsettlers_writer.write(record, old=True)
    doubled = re.compile("SOC(PutPiece|MakeOffer|MoveRobber|AcceptOffer|SitDown|RejectOffer|CancelBuildRequest|DiceResult):")
    lines = [copy for line in text.split("\n") for copy in [line] * (2 if doubled.search(line) else 1)]
    assert len(lines) > len(text.split("\n")) + 100
    again = jsettlers.read("\n".join(lines), me="p0", strict=True)
    assert again.log == jsettlers.read(text, me="p0").log
    assert again.everything == jsettlers.read(text).everything


def test_coordinates_are_those_of_the_island():
    assert (len(HEX_AT), len(CORNER_AT), len(EDGE_AT)) == (19, 54, 72)
    # the top left hex, its northern corner, and the edge from there to the right
    assert (HEX_AT[0x37], CORNER_AT[0x38]) == (0, 1)
    assert EDGE_ENDS[EDGE_AT[0x38]] == (CORNER_AT[0x38], CORNER_AT[0x49])


# --- players ----------------------------------------------------------------------------------------------------


def test_seats_are_in_turn_order_from_whoever_begins_and_may_have_gaps():
    text = log("all:SOCTurn:game=g|playerNumber=1|gameState=15", numbers=(5, 1, 3))
    imported = jsettlers.read(text.replace("nickname=N1", "nickname=a = b"), me="p3")
    assert imported.log.players == ("N5", "a = b", "N3")
    assert imported.log.observer == 2
    assert jsettlers.read(text, me="N1").log.observer == 1
    with pytest.raises(LogError, match="there is no player 'p2'; the players are N5, N1, N3"):
        jsettlers.read(text, me="p2")


def test_who_leaves_before_the_game_has_no_seat_and_who_takes_over_gives_the_name():
    lines = [
        HEADER,
        *seated(0, 1, 2),
        "all:SOCLeaveGame:nickname=N1|host=-|game=g",
        "all:SOCTurn:game=g|playerNumber=2|gameState=15",
        "all:SOCDiceResult:game=g|param=3",
        "all:SOCLeaveGame:nickname=N0|host=-|game=g",
        "all:SOCSitDown:game=g|nickname=New|playerNumber=0|robotFlag=false",
    ]
    assert jsettlers.read("\n".join(lines)).log.players == ("N2", "New")
    assert jsettlers.read("\n".join(lines), me="N0").log.observer == 1


def test_players_without_a_name_are_called_by_their_numbers_and_namesakes_differ():
    text = "all:SOCDiceResult:game=g|param=8\nall:SOCDiceResultResources:game=g|p=2|p=2|p=5|p=2|p=3|p=0|p=3|p=1|p=1|p=1"
    assert jsettlers.read(text).log.players == ("Player 2", "Player 3")
    same = log("all:SOCSitDown:game=g|nickname=N0|playerNumber=2|robotFlag=true")
    assert jsettlers.read(same).log.players == ("N0", "N1", "N0 (2)")


def test_the_log_of_one_client_is_read_with_its_eyes():
    robbery = "SOCRobberyResult:game=g|perp=1|victim=2|resType=4|amount=1|isGainLose=true"
    imported = jsettlers.read(log(f"p1:{robbery}"))
    assert imported.log.observer == 1
    assert imported.log.events == (Steal(1, 2, "wheat"),)
    assert jsettlers.read(log(f"p1:{robbery}", f"p2:{robbery}")).log.observer is None


# --- messages of newer logs -------------------------------------------------------------------------------------


def test_a_roll_has_its_gains_and_shows_hands():
    text = log(
        "0:31.165:all:SOCDiceResult:game=g|param=8",
        "0:31.165:all:SOCDiceResultResources:game=g|p=2|p=1|p=6|p=2|p=3|p=1|p=5|p=0|p=2|p=1|p=1|p=1",
        "0:31.166:p1:SOCPlayerElements:game=g|playerNum=1|actionType=SET|e1=1,e2=1,e3=2,e4=0,e5=2,e6=0",
        "1:00.000:all:SOCGameState:game=g|state=20",
    )
    roll = Roll(0, 8, {1: {"sheep": 2, "wood": 1}, 2: {"brick": 1}})
    assert events(text, evidence=True) == [roll, HandCount(1, 6), HandCount(2, 1)]
    hand = HandSeen(1, {"brick": 1, "ore": 1, "sheep": 2, "wood": 2})
    assert events(text, "N1", evidence=True) == [roll, HandCount(1, 6), HandCount(2, 1), hand]


def test_without_a_list_of_gains_the_elements_after_the_dice_are_the_gains():
    text = log(
        "all:SOCDiceResult:game=g|param=9",
        "all:SOCPlayerElement:game=g|playerNum=1|actionType=GAIN|elementType=5|amount=2",
        "all:SOCPlayerElement:game=g|playerNum=2|actionType=GAIN|elementType=1|amount=1",
        "all:SOCGameState:game=g|state=20",
        "all:SOCPlayerElements:game=g|playerNum=0|actionType=GAIN|e2=5",
    )
    assert events(text) == [Roll(0, 9, {1: {"wood": 2}, 2: {"brick": 1}}), Gain(0, {"ore": 5})]


ROBBERY = (
    "all:SOCMoveRobber:game=g|playerNumber=0|coord=95",
    "p0:SOCRobberyResult:game=g|perp=0|victim=2|resType=5|amount=1|isGainLose=true",
    "p2:SOCReportRobbery:game=g|perp=0|victim=2|resType=5|amount=1|isGainLose=true",
    "!p[0, 2]:SOCRobberyResult:game=g|perp=0|victim=2|resType=6|amount=1|isGainLose=true",
)


@pytest.mark.parametrize(("me", "resource"), [(None, None), ("N0", "wood"), ("N1", None), ("N2", "wood")])
def test_a_stolen_card_is_seen_by_thief_and_victim(me, resource):
    assert events(log(*ROBBERY), me) == [MoveRobber(0), Steal(0, 2, resource)]
    assert jsettlers.read(log(*ROBBERY)).everything == (MoveRobber(0), Steal(0, 2, "wood"))


@pytest.mark.parametrize(("me", "shown"), [(None, False), ("N1", True), ("N2", False)])
def test_a_discard_is_seen_by_its_owner(me, shown):
    text = log(
        "all:SOCDiceResult:game=g|param=7",
        "f1:SOCDiscard:game=g|resources=" + cards(clay=2, wood=2),
        "p1:SOCDiscard:game=g|playerNum=1|resources=" + cards(clay=2, wood=2),
        "!p1:SOCDiscard:game=g|playerNum=1|resources=" + cards(unknown=4),
    )
    discard = Discard(1, {"brick": 2, "wood": 2}) if shown else Discard(1, count=4)
    assert events(text, me) == [Roll(0, 7), discard]


def test_what_is_open_to_all_is_seen_by_all():
    text = log(
        "all:SOCDiscard:game=g|playerNum=1|resources=" + cards(ore=1),
        "all:SOCRobberyResult:game=g|perp=0|victim=2|resType=2|amount=1|isGainLose=true",
        "all:SOCRobberyResult:game=g|perp=0|victim=2|peType=SCENARIO_CLOTH_COUNT|amount=4|isGainLose=false|victimAmount=3",
    )
    assert events(text) == [Discard(1, {"ore": 1}), Steal(0, 2, "ore")]


def test_prices_belong_to_what_is_built_and_bought():
    text = log(
        "all:SOCPlayerElements:game=g|playerNum=0|actionType=LOSE|e1=1,e5=1",
        "all:SOCGameState:game=g|state=30",
        "f0:SOCPutPiece:game=g|playerNumber=0|pieceType=0|coord=96",
        "all:SOCPutPiece:game=g|playerNumber=0|pieceType=0|coord=96",
        "all:SOCPlayerElements:game=g|playerNum=0|actionType=LOSE|e2=1,e3=1,e4=1",
        "p0:SOCDevCardAction:game=g|playerNum=0|actionType=DRAW|cardType=9",
        "!p0:SOCDevCardAction:game=g|playerNum=0|actionType=DRAW|cardType=0",
        "all:SOCPlayerElements:game=g|playerNum=0|actionType=LOSE|e2=1,e3=1,e4=1",
        "p0:SOCDevCardAction:game=g|playerNum=0|actionType=DRAW|cardType=6",
        "!p0:SOCDevCardAction:game=g|playerNum=0|actionType=DRAW|cardType=0",
        "all:SOCTurn:game=g|playerNumber=1|gameState=15",
    )
    assert events(text) == [Build(0, "road"), BuyDevCard(0), BuyDevCard(0), EndTurn(0)]
    assert events(text, "p0")[1:3] == [BuyDevCard(0, "knight"), BuyDevCard(0, "victory_point")]
    assert jsettlers.read(text).everything == tuple(events(text, "p0"))


def test_a_purchase_that_is_cancelled_is_paid_back():
    text = log(
        "all:SOCPlayerElements:game=g|playerNum=0|actionType=LOSE|e2=3,e4=2",
        "all:SOCGameState:game=g|state=32",
        "all:SOCPlayerElements:game=g|playerNum=0|actionType=GAIN|e2=3,e4=2",
        "all:SOCCancelBuildRequest:game=g|pieceType=2",
        "all:SOCGameState:game=g|state=20",
    )
    assert events(text) == []


@pytest.mark.parametrize("refund_first", [False, True])
def test_a_piece_can_be_taken_back(refund_first):
    road = [
        "all:SOCPlayerElements:game=g|playerNum=0|actionType=LOSE|e1=1,e5=1",
        "all:SOCPutPiece:game=g|playerNumber=0|pieceType=0|coord=56",
        "all:SOCGameState:game=g|state=20",
    ]
    undone = "all:SOCUndoPutPiece:game=g|playerNumber=0|pieceType=0|coord=56"
    refund = "all:SOCPlayerElements:game=g|playerNum=0|actionType=GAIN|e1=1,e5=1"
    back = [refund, undone] if refund_first else [undone, refund]
    refused = "p0:SOCUndoPutPiece:game=g|playerNumber=-1|pieceType=0|coord=56"
    begun = ["all:SOCTurn:game=g|playerNumber=0|gameState=15", "all:SOCDiceResult:game=g|param=2"]
    end = "all:SOCGameState:game=g|state=20"
    assert events(log(*begun, *road, *back, end, refused)) == events(log(*begun))
    assert events(log(*begun, *road, *back, end, *road)) == events(log(*begun, *road))


def test_cards_for_ships_and_for_nothing_are_gone():
    text = log(
        "all:SOCPlayerElements:game=g|playerNum=0|actionType=LOSE|e3=1,e5=1",
        "all:SOCPutPiece:game=g|playerNumber=0|pieceType=3|coord=602",
        "all:SOCPlayerElements:game=g|playerNum=0|actionType=LOSE|e2=2",
        "all:SOCTurn:game=g|playerNumber=1|gameState=15",
    )
    assert events(text) == [Correction(0, {"sheep": -1, "wood": -1}), Correction(0, {"ore": -2}), EndTurn(0)]


def test_road_building_brings_two_free_roads_and_can_be_taken_back():
    play = "all:SOCDevCardAction:game=g|playerNum=0|actionType=PLAY|cardType=1"
    road = "all:SOCPutPiece:game=g|playerNumber=0|pieceType=0|coord="
    free = Build(0, "road", free=True)
    text = log(play, road + "66", road + "77", road + "88")
    assert events(text) == [PlayDevCard(0, "road_building"), free, free, Build(0, "road")]
    assert events(log(play, "all:SOCDevCardAction:game=g|playerNum=0|actionType=ADD_OLD|cardType=1")) == []


def test_year_of_plenty_and_gold():
    pick = f"all:SOCPickResources:game=g|resources={cards(ore=1, wheat=1)}|pn=0|reason="
    play = "all:SOCDevCardAction:game=g|playerNum=0|actionType=PLAY|cardType=2"
    two = {"ore": 1, "wheat": 1}
    assert events(log(play, pick + "2", pick + "3")) == [PlayDevCard(0, "year_of_plenty"), YearOfPlenty(0, two), Gain(0, two)]


def test_a_monopoly_says_what_each_victim_lost():
    gains = "all:SOCDiceResultResources:game=g|p=3|p=0|p=1|p=1|p=3|p=0|p=1|p=4|p=3|p=3|p=1|p=5|p=0|p=2|p=2|p=1|p=3|p=1|p=1"
    text = log(
        "all:SOCDiceResult:game=g|param=8",
        gains,
        "all:SOCDevCardAction:game=g|playerNum=0|actionType=PLAY|cardType=3",
        "all:SOCPlayerElement:game=g|playerNum=0|actionType=SET|elementType=19|amount=1",
        "all:SOCGameState:game=g|state=53",
        "all:SOCPlayerElement:game=g|playerNum=1|actionType=SET|elementType=3|amount=0|news=Y",
        "all:SOCResourceCount:game=g|playerNum=1|count=1",
        "all:SOCPlayerElement:game=g|playerNum=2|actionType=SET|elementType=3|amount=0|news=Y",
        "all:SOCResourceCount:game=g|playerNum=2|count=1",
        "all:SOCPlayerElement:game=g|playerNum=0|actionType=GAIN|elementType=3|amount=4",
        "all:SOCSimpleAction:game=g|pn=0|actType=3|v1=4|v2=3",
        "all:SOCGameState:game=g|state=20",
    )
    monopoly = Monopoly(0, "sheep", 4, {1: 3, 2: 1})
    assert events(text)[1:] == [PlayDevCard(0, "monopoly"), monopoly]
    assert events(text, evidence=True)[-2:] == [HandCount(1, 1), HandCount(2, 1)]
    # where the sizes of the hands before it are not known, the total is
    assert events(text.replace(gains, ""))[-1] == Monopoly(0, "sheep", 4)


def test_trades_and_offers():
    one, other = cards(wheat=1), cards(ore=1, wood=1)
    text = log(
        f"all:SOCBankTrade:game=g|give={cards(wood=3)}|get={cards(clay=1)}|pn=0",
        f"all:SOCMakeOffer:game=g|offer=game=g|from=0|to=false,true,true,false|give={one}|get={other}",
        "all:SOCRejectOffer:game=g|playerNumber=1",
        "p0:SOCRejectOffer:game=g|playerNumber=0|reasonCode=1",
        f"all:SOCMakeOffer:game=g|from=2|to=true,false,false,false|give={other}|get={one}",
        "all:SOCRejectOffer:game=g|playerNumber=0",
        f"all:SOCAcceptOffer:game=g|accepting=0|offering=2|toAccepting={other}|toOffering={one}",
        "all:SOCClearOffer:game=g|playerNumber=-1",
    )
    wheat, goods = {"wheat": 1}, {"ore": 1, "wood": 1}
    assert events(text, "p0") == [
        BankTrade(0, {"wood": 3}, {"brick": 1}),
        Offer(0, wheat, goods),
        Decline(1, 0),
        CounterOffer(2, 0, goods, wheat),
        Decline(0, 2),
        PlayerTrade(2, 0, goods, wheat),
    ]


def test_awards_change_hands_once():
    text = log(
        "all:SOCDiceResult:game=g|param=8",
        "all:SOCGameElements:game=g|e6=-1,e5=2",
        "all:SOCLargestArmy:game=g|playerNumber=2",
        "all:SOCLongestRoad:game=g|playerNumber=1",
        "all:SOCGameElements:game=g|e6=-1",
    )
    assert events(text)[1:] == [Award(2, "largest_army"), Award(1, "longest_road"), Award(None, "longest_road")]


@pytest.mark.parametrize(
    "ending",
    [
        (
            "all:SOCGameElements:game=g|e4=0",
            "all:SOCGameState:game=g|state=1000",
            "all:SOCGameStats:game=g|10|2|2|0|false|true",
        ),
        ("all:SOCGameServerText:game=g|text=>>> N0 has won the game with 10 points.",),
        ("all:SOCGameStats:game=g|10|2|2|0|false|true",),
    ],
)
def test_the_winner(ending):
    assert events(log("all:SOCDiceResult:game=g|param=8", *ending)) == [Roll(0, 8), Win(0)]


def test_a_win_at_the_beginning_of_a_turn_ends_the_one_before():
    text = log("all:SOCDiceResult:game=g|param=8", "all:SOCTurn:game=g|playerNumber=1|gameState=1000")
    assert events(text) == [Roll(0, 8), EndTurn(0), Win(1)]


def test_a_win_by_largest_army_is_told_after_the_robber():
    text = log(
        "all:SOCDevCardAction:game=g|playerNum=0|actionType=PLAY|cardType=9",
        "all:SOCPlayerElement:game=g|playerNum=0|actionType=GAIN|elementType=15|amount=1",
        "all:SOCGameState:game=g|state=33",
        "all:SOCMoveRobber:game=g|playerNumber=0|coord=79",
        "p0:SOCRobberyResult:game=g|perp=0|victim=1|resType=4|amount=1|isGainLose=true",
        "p1:SOCRobberyResult:game=g|perp=0|victim=1|resType=4|amount=1|isGainLose=true",
        "!p[0, 1]:SOCRobberyResult:game=g|perp=0|victim=1|resType=6|amount=1|isGainLose=true",
        "all:SOCGameElements:game=g|e5=0",
        "all:SOCGameState:game=g|state=1000",
        "all:SOCGameServerText:game=g|text=>>> N0 has won the game with 10 points.",
        "all:SOCGameStats:game=g|10|2|2|0|false|true",
    )
    end = [Award(0, "largest_army"), Win(0)]
    for me, resource in ((None, None), ("p0", "wheat"), ("p1", "wheat"), ("p2", None)):
        assert events(text, me) == [PlayDevCard(0, "knight"), MoveRobber(0), Steal(0, 1, resource), *end]


@pytest.mark.parametrize(
    "stamp",
    ["0:31.165:", "12:00:31.165:", "2012:06:06:19:58:56:999:+0100:", "2012-06-06:19:58:56.9:-0030:", "1633920526:", "7.5:"],
)
def test_time_stamps_have_many_forms(stamp):
    lines = log("all:SOCDiceResult:game=g|param=8").split("\n")
    assert events("\n".join(stamp + line if ":SOC" in line else line for line in lines)) == [Roll(0, 8)]


def test_special_building_is_no_turn():
    text = log(
        "all:SOCDiceResult:game=g|param=8",
        "all:SOCTurn:game=g|playerNumber=2|gameState=100",
        "all:SOCPlayerElements:game=g|playerNum=2|actionType=LOSE|e1=1,e5=1",
        "all:SOCPutPiece:game=g|playerNumber=2|pieceType=0|coord=96",
        "all:SOCTurn:game=g|playerNumber=1|gameState=15",
        "all:SOCDiceResult:game=g|param=4",
    )
    assert events(text) == [Roll(0, 8), EndTurn(0), Build(2, "road"), Roll(1, 4)]


def test_who_joins_is_shown_the_past_which_is_nothing_new():
    text = log(
        "all:SOCDiceResult:game=g|param=8",
        "ob:SOCPutPiece:game=g|playerNumber=2|pieceType=1|coord=34",
        "ob:SOCDiceResult:game=g|param=8",
        "ob:SOCPlayerElements:game=g|playerNum=1|actionType=SET|e18=0,e6=3,e15=0",
        "un:SOCDevCardAction:game=g|playerNum=-1|actionType=CANNOT_PLAY|cardType=9",
        "all:SOCGameTextMsg:game=g|nickname=N1|text=N1 has won the game| hello = : SOCTurn",
        "all:SOCChangeFace:game=g|playerNumber=1|faceId=3",
    )
    assert events(text, evidence=True) == [Roll(0, 8)]


# --- set-up ------------------------------------------------------------------------------------------------------

BOARD = Board.beginner()


def setup_lines(*, layout: bool = True) -> list[str]:
    """Two players place; the first corner of hex 4, then around the table and back."""
    lines = [HEADER, *seated(1, 3)]
    if layout:
        lines.append(f"all:SOCBoardLayout:game=g|{jsettlers_writer.layout_text(BOARD)}")
    lines.append("all:SOCStartGame:game=g|gameState=5")
    for number, corner, road in ((3, 10, 9), (1, 22, 21), (1, 40, 39), (3, 31, 30)):
        second = corner in (40, 31)
        lines += [
            f"all:SOCTurn:game=g|playerNumber={number}|gameState={10 if second else 5}",
            f"all:SOCPutPiece:game=g|playerNumber={number}|pieceType=1|coord={CORNER_COORDINATES[corner]:x}",
            f"all:SOCGameState:game=g|state={11 if second else 6}",
            f"all:SOCPutPiece:game=g|playerNumber={number}|pieceType=0|coord={EDGE_COORDINATES[road, corner]:x}",
        ]
    return [*lines, "all:SOCTurn:game=g|playerNumber=3|gameState=15"]


def test_the_cards_of_the_second_settlement_come_from_the_board():
    imported = jsettlers.read("\n".join(setup_lines()), strict=True)
    around = [hex.resource for h, hex in enumerate(BOARD.hexes) if 31 in BOARD.to_json()["hexes"][h]["corners"]]
    assert imported.board == BOARD
    assert imported.log.players == ("N3", "N1")
    assert imported.log.events[0] == Build(0, "settlement", True, corner=10)
    assert imported.log.events[-3:] == (
        Build(0, "settlement", True, corner=31),
        StartingResources(0, Cards.of([str(r) for r in around if r])),
        Build(0, "road", True, edge=(30, 31)),
    )


def test_where_the_log_tells_the_starting_cards_they_count_once():
    gain = "all:SOCPlayerElements:game=g|playerNum=3|actionType=GAIN|e1=1,e2=1,e4=1"
    shown = "p3:SOCPlayerElements:game=g|playerNum=3|actionType=SET|e1=1,e2=1,e3=0,e4=1,e5=0"
    mine = StartingResources(0, {"brick": 1, "ore": 1, "wheat": 1})
    without = setup_lines(layout=False)
    assert not [event for event in events("\n".join(without)) if isinstance(event, StartingResources)]
    for line in (gain, shown):
        lines = [*without[:-2], line, *without[-2:]]
        assert [event for event in events("\n".join(lines), "p3") if isinstance(event, StartingResources)] == [mine]
    known = jsettlers.read("\n".join(setup_lines())).log.events[-2]
    assert isinstance(known, StartingResources)
    told = [
        f"e{i}={n}" for i, name in enumerate(("brick", "ore", "sheep", "wheat", "wood"), 1) if (n := getattr(known.cards, name))
    ]
    again = [
        *setup_lines()[:-2],
        f"all:SOCPlayerElements:game=g|playerNum=3|actionType=GAIN|{','.join(told)}",
        *setup_lines()[-2:],
    ]
    assert events("\n".join(again)) == events("\n".join(setup_lines()))


def test_a_settlement_of_the_set_up_can_be_taken_back():
    lines = setup_lines()
    wrong = f"all:SOCPutPiece:game=g|playerNumber=3|pieceType=1|coord={CORNER_COORDINATES[2]:x}"
    place = len(lines) - 4
    cancelled = [*lines[:place], wrong, "all:SOCCancelBuildRequest:game=g|pieceType=1", *lines[place:]]
    assert events("\n".join(cancelled)) == events("\n".join(lines))


def test_the_board_of_the_sea_expansion_tells_the_starting_cards():
    lines = [line for line in setup_lines(layout=False) if "PutPiece" not in line or "pieceType=0" in line]
    sea = "all:SOCBoardLayout2:game=g|bef=3|RH=777|LH={ 705 1 3 707 1 b 906 5 6 309 6 0 }|PL={ 0 }|VS={ -2 1 3 0 }"
    settlements = [f"all:SOCPutPiece:game=g|playerNumber=3|pieceType=1|coord={at}" for at in ("20a", "806")]
    text = "\n".join([*lines[:3], sea, "all:SOCTurn:game=g|playerNumber=3|gameState=5", *settlements])
    imported = jsettlers.read(text, strict=True)
    assert imported.board is None
    assert imported.log.events[-1] == StartingResources(0, {"brick": 2, "wood": 1})


# --- messages of older logs --------------------------------------------------------------------------------------


def test_old_rolls_tell_gains_hands_and_sizes():
    text = old(
        "SOCDiceResult:game=g|param=8",
        "SOCGameTextMsg:game=g|nickname=Server|text=N0 rolled a 3 and a 5.",
        "SOCGameState:game=g|state=20",
        element(1, 101, 5, 2),
        element(2, 101, 2),
        "SOCGameTextMsg:game=g|nickname=Server|text=N1 gets 2 wood. N2 gets 1 ore.",
        *(element(1, 100, kind, n) for kind, n in ((1, 0), (2, 1), (3, 0), (4, 0), (5, 2), (6, 0))),
        "SOCResourceCount:game=g|playerNum=1|count=3",
    )
    roll = Roll(0, 8, {1: {"wood": 2}, 2: {"ore": 1}})
    assert events(text, evidence=True) == [roll, HandCount(1, 3)]
    assert events(text, "N1", evidence=True) == [roll, HandSeen(1, {"ore": 1, "wood": 2}), HandCount(1, 3)]
    assert events(text, "N2", evidence=True) == [roll, HandCount(1, 3)]


@pytest.mark.parametrize("texts", [False, True])
@pytest.mark.parametrize(("me", "resource"), [(None, None), ("N0", "sheep"), ("N1", "sheep"), ("N2", None)])
def test_old_robberies_are_pairs_of_gains_and_losses(me, resource, texts):
    text = ["SOCGameTextMsg:game=g|nickname=Server|text=a sentence."] if texts else []
    known, hidden = [element(0, 101, 3), element(1, 102, 3)], [element(0, 101, 6), element(1, 102, 6)]
    lines = old("SOCMoveRobber:game=g|playerNumber=0|coord=95", *known, *text, *known, *text, *hidden, *text)
    assert events(lines, me) == [MoveRobber(0), Steal(0, 1, resource)]
    assert jsettlers.read(lines).everything == (MoveRobber(0), Steal(0, 1, "sheep"))


def test_old_discards_purchases_and_cards():
    text = old(
        "SOCDiceResult:game=g|param=7",
        "SOCDiscard:game=g|resources=" + cards(clay=2, wood=2),
        element(1, 102, 1, 2),
        element(1, 102, 5, 2),
        element(1, 102, 6, 4),
        "SOCMoveRobber:game=g|playerNumber=0|coord=95",
        element(0, 102, 2),
        element(0, 102, 3),
        element(0, 102, 4),
        "SOCDevCard:game=g|playerNum=0|actionType=0|cardType=0",
        "SOCDevCard:game=g|playerNum=0|actionType=0|cardType=9",
        "SOCDevCard:game=g|playerNum=0|actionType=1|cardType=2",
        f"SOCDiscoveryPick:game=g|resources={cards(ore=2)}",
        element(0, 101, 2, 2),
    )
    common = [PlayDevCard(0, "year_of_plenty"), YearOfPlenty(0, {"ore": 2})]
    assert events(text) == [Roll(0, 7), Discard(1, count=4), MoveRobber(0), BuyDevCard(0), *common]
    assert events(text, "N0")[3] == BuyDevCard(0, "knight")
    assert events(text, "N1")[1] == Discard(1, {"brick": 2, "wood": 2})


def test_old_trades_are_told_by_the_cards_and_by_the_request():
    give, get = cards(sheep=1), cards(ore=1)
    moves = [element(0, 102, 3), element(0, 101, 2), element(1, 102, 2), element(1, 101, 3)]
    offer = f"SOCMakeOffer:game=g|offer=game=g|from=0|to=false,true,true,false|give={give}|get={get}"
    accept = "SOCAcceptOffer:game=g|accepting=1|offering=0"
    trade = [Offer(0, {"sheep": 1}, {"ore": 1}), PlayerTrade(0, 1, {"sheep": 1}, {"ore": 1})]
    assert events(old(offer, accept, *moves, "SOCClearOffer:game=g|playerNumber=0", accept)) == trade
    assert events(old(offer, offer, *moves, accept)) == trade
    assert events(old(*moves)) == trade[1:]
    request = f"SOCBankTrade:game=g|give={cards(wood=4)}|get={cards(clay=1)}"
    bank = [element(0, 102, 5, 4), element(0, 101, 1)]
    twice = [BankTrade(0, {"wood": 4}, {"brick": 1})] * 2
    assert events(old(request, *bank, request, *bank)) == twice
    assert events(old(*bank, request, *bank, request)) == twice


# --- what cannot be read -----------------------------------------------------------------------------------------


def test_lines_that_cannot_be_read_are_listed_and_skipped():
    text = log(
        "all:SOCDiceResult:game=g|param=eight",
        "what is this",
        "all:SOCRobberyResult:game=g|perp=0|victim=9|resType=1|amount=1",
        "all:SOCDiceResultResources:game=g|p=3|p=0|p=1|p=1|p=3",
        "all:SOCPlayerElements:game=g|playerNum=0|actionType=SHRINK|e1=1",
        "all:SOCDiceResult:game=g|param=6",
    )
    imported = jsettlers.read(text)
    assert imported.log.events == (Roll(0, 6),)
    first = text.split("\n").index("what is this")
    assert [problem.line for problem in imported.problems] == [first, first + 1, first + 2, first + 3, first + 4]
    assert str(imported.problems[1]) == f"line {first + 1}: not a message of JSettlers: what is this"
    assert imported.everything is None
    with pytest.raises(LogError, match="not a message of JSettlers"):
        jsettlers.read(text, strict=True)


def test_a_log_must_have_messages_and_players():
    for text in ("", HEADER, "hello\nworld"):
        with pytest.raises(LogError, match="no message of JSettlers"):
            jsettlers.read(text)
    with pytest.raises(LogError, match="fewer than two players"):
        jsettlers.read("all:SOCVersion:2500|str=2.5.00")


@pytest.mark.parametrize(
    "text", ["", "{}", "<html>", "SOC", "all:hello", "Red rolled: 2 1", "\x00" * 100, "all:SOC:", "2012:06:06"]
)
def test_other_texts_are_not_recognised(text):
    assert not jsettlers.recognises(text)


@pytest.mark.parametrize("text", ["\ufeff" + HEADER, "# hello\n\nall:SOCTurn:game=g|playerNumber=1", old("SOCTurn:game=g")])
def test_logs_are_recognised(text):
    assert jsettlers.recognises(text)


def test_very_long_lines_are_read():
    """Quadratic work on these would take hours."""
    names = "|nickname=" * 200_000
    roll = "all:SOCDiceResult:game=g|param=8"
    sit = "all:SOCSitDown:game=g" + names
    leave = "all:SOCLeaveGame:game=g" + names
    places = sit + "|playerNumber=x" * 200_000
    hosts = leave + "|host" * 200_000
    text = "\n".join([HEADER, sit, leave, places, hosts, *seated(0, 1), roll])
    assert jsettlers.read(text).log.events == (Roll(0, 8),)


def test_settlements_may_be_taken_back_again_and_again():
    count = "all:SOCResourceCount:game=g|playerNum=3|count=0"
    put, back = "all:SOCPutPiece:game=g|playerNumber=3|pieceType=1|coord=34", "all:SOCCancelBuildRequest:game=g|pieceType=1"
    text = "\n".join([*setup_lines()[:5], *[count] * 2000, *[put, back] * 2000])
    builds = [event for event in jsettlers.read(text).log.events if not isinstance(event, EVIDENCE)]
    assert len(builds) < 5


def mutated(rng: random.Random, line: str) -> str:
    kind = rng.randrange(6)
    at = rng.randrange(len(line) + 1)
    if kind == 0:
        return line[:at]
    if kind == 1:
        return line[:at] + rng.choice(["\x00", "\ud800", "|", "=", ":", "-", "٣", "9" * 5000, "\r", "p[", "e1=,"]) + line[at:]
    if kind == 2:
        return re.sub(r"\d+", lambda _: str(rng.choice([-1, 0, 1, 2, 3, 5, 6, 7, 9, 13, 255, 10**12])), line)
    if kind == 3:
        parts = line.split("|")
        rng.shuffle(parts)
        return "|".join(parts)
    if kind == 4:
        return line.replace(rng.choice("=|:,"), rng.choice("=|:,"))
    return re.sub(
        "SOC[A-Za-z]+", lambda _: rng.choice(["SOCTurn", "SOCDiscard", "SOCMakeOffer", "SOCGameState", "SOCPutPiece"]), line
    )


@pytest.mark.parametrize("old_form", [False, True], ids=["new", "old"])
def test_damaged_logs_are_read_as_far_as_possible(old_form):
    rng = random.Random(7)
    lines = jsettlers_writer.write(played("three", 2), old=old_form).split("\n")
    for share in (0.02, 0.2, 0.9):
        damaged = [mutated(rng, line) if line and rng.random() < share else line for line in lines]
        if share > 0.5:
            rng.shuffle(damaged)
        for me in (None, "p1"):
            try:
                imported = jsettlers.read("\n".join(damaged), me=me)
            except LogError:
                continue
            assert len(imported.lines) == len(imported.log.events)
            assert imported.log.events
