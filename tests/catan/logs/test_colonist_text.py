"""Copied chat of colonist.io: both wordings, all special sentences, other languages, our games there and back."""

import random
import subprocess
import sys
from dataclasses import replace

import pytest

from kibitz.catan import Board, Rules
from kibitz.catan.core.events import (
    Award,
    BankCount,
    BankTrade,
    Build,
    BuyDevCard,
    Cards,
    CounterOffer,
    Discard,
    EndTurn,
    Gain,
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
from kibitz.catan.core.transcript import events_of
from kibitz.catan.logs import LogError, recognise
from kibitz.catan.logs.colonist import wordings
from kibitz.catan.logs.colonist.text import read, recognises, write
from kibitz.catan.logs.colonist.wordings import ENGLISH
from tests.catan.logs.colonist_writer import carried_by_chat, old_chat, without_opening

SETUP = """\
Red placed a Settlement
Red placed a Road
Blue placed a Settlement
Blue placed a Road
Blue placed a Settlement
Blue received starting resources Wool Ore Grain
Blue placed a Road
Red placed a Settlement
Red received starting resources Lumber Brick
Red placed a Road
"""
SETUP_EVENTS = read(SETUP).log.events


def events(text: str, me: str | None = None) -> list:
    """What follows the set-up, without any problem."""
    imported = read(SETUP + text, me=me)
    assert imported.problems == ()
    assert imported.log.players == ("Red", "Blue")
    assert imported.log.events[: len(SETUP_EVENTS)] == SETUP_EVENTS
    return list(imported.log.events[len(SETUP_EVENTS) :])


def reasons(text: str, me: str | None = None) -> list[str]:
    return [str(problem) for problem in read(text, me=me).problems]


def three(text: str, me: str | None = None):
    """A log without set-up in which Ann, Bob and Cem have rolled."""
    return read("Ann rolled 1 1\n<hr>\nBob rolled 1 1\n<hr>\nCem rolled 1 1\n<hr>\n" + text, me=me)


# --- sentences ------------------------------------------------------------------------------------------------


def test_the_set_up():
    log = read(SETUP).log
    assert log.players == ("Red", "Blue")
    assert log.observer is None
    assert log.events[4:7] == (
        Build(1, "settlement", free=True),
        StartingResources(1, Cards(sheep=1, wheat=1, ore=1)),
        Build(1, "road", free=True),
    )


def test_a_game_in_the_new_wording():
    text = """\
Red rolled dice_5 dice_1
Blue got Ore Ore
Red got Wool
prob_5 wool tile is blocked by the Robber. No resources produced
Red wants to give Wool for Ore Ore
Blue proposed counter offer to Red, offering Grain for Wool
Red gave Wool and got Ore from Blue
Red gave bank Lumber Lumber Lumber Lumber and took Ore
Red built a Road
Red built a City (+1 VP)
Red bought Development Card
<hr>
Blue used Knight Knight
Blue moved Robber to prob_5 wool tile
Blue stole Resource Card from Red
Blue rolled dice_3 dice_4
Red discarded Wool Ore Ore Ore
Blue moved Robber to desert tile
No player to steal from
Blue used Monopoly Monopoly
Blue stole 3 Brick
<hr>
Red rolled dice_1 dice_1
Red used Year of Plenty Year of Plenty
Red took from bank Ore Grain
Red received Largest Army (+2 VPs)
Largest Army passed from Red to Blue (+2 VPs)
Blue lost Largest Army
trophy Red won the game!
<hr>
"""
    assert events(text) == [
        Roll(0, 6, {0: {"sheep": 1}, 1: {"ore": 2}}),
        Offer(0, {"sheep": 1}, {"ore": 2}),
        CounterOffer(1, 0, {"wheat": 1}, {"sheep": 1}),
        PlayerTrade(0, 1, {"sheep": 1}, {"ore": 1}),
        BankTrade(0, {"wood": 4}, {"ore": 1}),
        Build(0, "road"),
        Build(0, "city"),
        BuyDevCard(0),
        EndTurn(0),
        PlayDevCard(1, "knight"),
        MoveRobber(1),
        Steal(1, 0),
        Roll(1, 7),
        Discard(0, {"sheep": 1, "ore": 3}),
        MoveRobber(1),
        PlayDevCard(1, "monopoly"),
        Monopoly(1, "brick", 3),
        EndTurn(1),
        Roll(0, 2),
        PlayDevCard(0, "year_of_plenty"),
        YearOfPlenty(0, {"ore": 1, "wheat": 1}),
        Award(0, "largest_army"),
        Award(1, "largest_army"),
        Award(None, "largest_army"),
        Win(0),
    ]


def test_the_old_wording():
    text = """\
 Red rolled: 2 1
 Blue got: wool grain
 Red wants to give:  ore  for:  lumber
 Red wants to give: Blue: ore for: ?
 Red traded:  ore  for:  lumber  with: Blue
 Red gave bank: wool wool wool wool  and took: ore
 Red built a city: +1 VP
 Red bought  development card
 Red stole  card from: Blue
 Red stole  myth from: Blue
 You stole: brick from: Blue
 Blue stole: ore from you
 Red used Year of Plenty card year of plenty
 Red took from bank: oreore
 Red stole 7: brick
 Red discarded: wool ore ore
 Longest road has passed from: Blue to: Red: +2 VPs
 <hr>
"""
    assert events(text, me="Red") == [
        Roll(0, 3, {1: {"sheep": 1, "wheat": 1}}),
        Offer(0, {"ore": 1}, {"wood": 1}),
        Offer(0, {"ore": 1}, {}),
        PlayerTrade(0, 1, {"ore": 1}, {"wood": 1}),
        BankTrade(0, {"sheep": 4}, {"ore": 1}),
        Build(0, "city"),
        BuyDevCard(0),
        Steal(0, 1),
        Steal(0, 1, "brick"),  # told to everybody, then to the thief
        Steal(1, 0, "ore"),
        PlayDevCard(0, "year_of_plenty"),
        YearOfPlenty(0, {"ore": 2}),
        Monopoly(0, "brick", 7),
        Discard(0, {"sheep": 1, "ore": 2}),
        Award(0, "longest_road"),
        EndTurn(0),
    ]


def test_wordings_may_be_mixed_and_glued():
    text = "Red rolled: dice_2dice_1\nBlue got: woolgrain\nRed traded: lumberfor: brickbrick with: Blue\n"
    assert events(text) == [Roll(0, 3, {1: {"sheep": 1, "wheat": 1}}), PlayerTrade(0, 1, {"wood": 1}, {"brick": 2})]


@pytest.mark.parametrize(
    "dice", ["dice_5 dice_1", "dice_5dice_1", "5 1", "5, 1", "5 + 1", "6", "Dice_1 Dice_5", ": 5 1", "a: dice_5 dice_1"]
)
def test_dice(dice):
    assert events(f"Red rolled {dice}\n".replace(" :", ":")) == [Roll(0, 6)]


def test_cards_that_nobody_sees_are_counted_when_discarded():
    assert events("Red discarded Resource Card Resource Card\n") == [Discard(0, count=2)]


def test_any_card_may_be_wanted():
    assert events("Red wants to give Ore for ? Wool\n") == [Offer(0, {"ore": 1}, {"sheep": 1})]


@pytest.mark.parametrize(
    "note",
    [
        "Red has disconnected. A bot will take over next turn",
        "Bot is selecting cards to discard for Red",
        "Bot is placing a Road for Blue",
        "Bot is placing a Settlement for Blue",
        "Red has reconnected",
        "Blue was kicked for inactivity",
        "Friendly Robber is active, tiles available to block are limited",
        "Player has no cards",
        "Happy settling! Learn how to play in the rulebook",
        "Red: I got Ore, who wants it?",
        "Blue: Red rolled 5 1",
        "Red: had 2 Victory Point cards",
        "Watcher: I got Ore, you got: Ore",
        "robber Friendly Robber is active, no available tiles to block",
        "You are the last player remaining. You will be awarded the win in 100 seconds if your opponent does not reconnect.",
        "Red is inactive and was kicked.",
        "Blue blocked trading with Red",
        "Blue unblocked trading with Red",
        "Red could not steal Resource Card from: Blue",
        "Players don't have any cards",
        "Robber automatically moved: no one could be robbed",
        "Red started a vote to pause the game",
        "Vote to pause game declined",
        "Game Paused",
        "Karma System: vote to disable karma succeeded",
        "Half or more of the players left. Karma has been disabled",
        "Watcher has started spectating!",
        "Red created a rematch and is waiting for you!",
        "Insufficient Ore in bank to distribute. Only distributed 1 out of 2 required.",
        "Not enough Ore. Red got 1 instead of 2.",
        "No resources left in the bank to distribute",
        "Red entered Special Build Phase",
        "Player avatar",
        "bot",
    ],
)
def test_notes_and_chat_are_no_news(note):
    assert events(f"{note}\nRed rolled 1 1\n{note}\nBlue got Ore\n{note}\n") == [Roll(0, 2, {1: {"ore": 1}})]


def test_a_sentence_that_copying_has_broken_is_put_together():
    text = "Player avatar\nRed rolled 3 4\nPlayer avatar\nRed used \n Knight Knight \nPlayer avatar\nBlue\ngot Ore\n"
    assert events(text) == [Roll(0, 7), PlayDevCard(0, "knight"), Gain(1, {"ore": 1})]
    assert reasons(SETUP + "Red used\nsomething\n") == [
        "line 11: not a sentence of the game log: Red used",
        "line 12: not a sentence of the game log: something",
    ]


def test_a_face_is_no_part_of_a_name():
    assert events("Player avatarRed rolled 1 1\nProfile picture Blue got Ore\n") == [Roll(0, 2, {1: {"ore": 1}})]


def test_dice_that_nobody_rolls_bring_cards_all_the_same():
    assert events("Dice rolled dice_3 dice_5\nBlue got Ore\nRed built a Road\n") == [Gain(1, {"ore": 1}), Build(0, "road")]


@pytest.mark.parametrize(
    ("line", "expansion"),
    [
        ("Red got Ore Cloth", "Cities & Knights"),
        ("Red gave bank Paper Paper Paper and took Ore", "Cities & Knights"),
        ("Red built a City Wall", "Cities & Knights"),
        ("Red built a city_wall", "Cities & Knights"),
        ("Red upgraded Trade to level 2", "Cities & Knights"),
        ("Blue activated knight knight_blue", "Cities & Knights"),
        ("Blue placed Trade Metropolis metropolis (+2 VPs)", "Cities & Knights"),
        ("Blue built a Ship ship_blue", "Seafarers"),
        ("Blue placed a Ship", "Seafarers"),
        ("Blue moved Pirate to sea", "Seafarers"),
    ],
)
def test_an_expansion_is_refused(line, expansion):
    with pytest.raises(LogError, match=f"^line 11: this is a game of {expansion}; only the base game can be read$"):
        read(f"{SETUP}{line}\n")


def test_talk_of_an_expansion_is_talk():
    assert events("Red: upgraded my road to level 2\nWatcher: Red built a Ship\n") == []


def test_a_log_whose_newest_line_is_on_top_is_refused():
    lines = (SETUP + "Red rolled 1 1\nBlue got Ore\n<hr>\nBlue rolled 1 1\n").splitlines()
    with pytest.raises(LogError, match="line 14: the log runs backwards: the newest row must be the last"):
        read("\n".join(reversed(lines)))


def test_too_many_players_are_refused():
    names = [f"P{i}" for i in range(7)]
    text = "".join(f"{name} placed a Settlement\n{name} placed a Road\n" for name in [*names, *reversed(names)])
    with pytest.raises(LogError, match="7 players: at most 6 can be followed"):
        read(text)


#: Every template of the reference, in the new wording and (where it was another) in the old one.
LINES = [
    ("Ann placed a Settlement", Build(0, "settlement", free=True)),
    ("Ann placed a settlement_red", Build(0, "settlement", free=True)),
    ("Ann placed a Road", Build(0, "road", free=True)),
    ("Ann placed a road_red", Build(0, "road", free=True)),
    ("Ann received starting resources Wool Ore Grain", StartingResources(0, Cards(sheep=1, wheat=1, ore=1))),
    ("Ann received starting resources:  wool ore grain", StartingResources(0, Cards(sheep=1, wheat=1, ore=1))),
    ("Ann rolled dice_5dice_1", Roll(0, 6)),
    ("Ann rolled: 5 1", Roll(0, 6)),
    ("Ann got Lumber Brick Wool Grain Ore", Gain(0, Cards(1, 1, 1, 1, 1))),
    ("Ann got: lumber brick wool grain ore", Gain(0, Cards(1, 1, 1, 1, 1))),
    ("Ann built a Road", Build(0, "road")),
    ("Ann built a road_red", Build(0, "road")),
    ("Ann built a Settlement (+1 VP)", Build(0, "settlement")),
    ("Ann built a City (+1 VP)", Build(0, "city")),
    ("Ann built a city: +1 VP", Build(0, "city")),
    ("Ann bought Development Card", BuyDevCard(0)),
    ("Ann bought devcardback", BuyDevCard(0)),
    ("Ann bought devcard", BuyDevCard(0)),
    ("Ann gave bank Wool Wool and took Ore", BankTrade(0, Cards(sheep=2), Cards(ore=1))),
    ("Ann gave bank: wool wool  and took: ore", BankTrade(0, Cards(sheep=2), Cards(ore=1))),
    ("Ann gave Wool Wool and got Ore from Bob", PlayerTrade(0, 1, Cards(sheep=2), Cards(ore=1))),
    ("Ann traded: wool wool for: ore with: Bob", PlayerTrade(0, 1, Cards(sheep=2), Cards(ore=1))),
    ("Ann wants to give Wool for Ore", Offer(0, Cards(sheep=1), Cards(ore=1))),
    ("Ann wants to give Wool for AnyResource", Offer(0, Cards(sheep=1), Cards())),
    ("Ann wants to give: wool for: ?", Offer(0, Cards(sheep=1), Cards())),
    ("Ann proposed counter offer to Bob, offering Wool for Ore", CounterOffer(0, 1, Cards(sheep=1), Cards(ore=1))),
    ("You stole Ore from Bob", Steal(0, 1, "ore")),
    ("You stole: ore from: Bob", Steal(0, 1, "ore")),
    ("Bob stole Ore from you", Steal(1, 0, "ore")),
    ("Bob stole: ore from you", Steal(1, 0, "ore")),
    ("Ann stole Resource Card from Bob", Steal(0, 1)),
    ("Ann stole rescardback from Bob", Steal(0, 1)),
    ("Ann stole  myth from: Bob", Steal(0, 1)),
    ("Ann stole  card from: Bob", Steal(0, 1)),
    ("Ann used Knight Knight", PlayDevCard(0, "knight")),
    ("Ann used Knight", PlayDevCard(0, "knight")),
    ("Ann used Monopoly Monopoly", PlayDevCard(0, "monopoly")),
    ("Ann used Year of Plenty Year of Plenty", PlayDevCard(0, "year_of_plenty")),
    ("Ann used Road Building Road Building", PlayDevCard(0, "road_building")),
    ("Ann stole 7 Brick", Monopoly(0, "brick", 7)),
    ("Ann stole 7: brick", Monopoly(0, "brick", 7)),
    ("Ann took from bank Ore Grain", YearOfPlenty(0, Cards(ore=1, wheat=1))),
    ("Ann took from bank: ore grain", YearOfPlenty(0, Cards(ore=1, wheat=1))),
    ("Ann discarded Wool Ore Ore", Discard(0, Cards(sheep=1, ore=2))),
    ("Ann discarded: wool ore ore", Discard(0, Cards(sheep=1, ore=2))),
    ("Ann moved Robber to prob_5 wool tile", MoveRobber(0)),
    ("prob_5 wool tile is blocked by the Robber. No resources produced", None),
    ("No player to steal from", None),
    ("Player has no cards", None),
    ("Friendly Robber is active, tiles available to block are limited", None),
    ("Not enough Ore for all players. 3 are left, and 4 were needed.", BankCount({"ore": 3})),
    ("Insufficient Ore in bank to distribute: 1 in bank when 3 were required", BankCount({"ore": 1})),
    ("Ann selected Ore Wool from gold tile", Gain(0, Cards(ore=1, sheep=1))),
    ("Ann received Ore", Gain(0, Cards(ore=1))),
    ("Ann moved Robber robber to prob_11 ore tile", MoveRobber(0)),
    ("trophy Ann won the game! trophy", Win(0)),
    ("trophy Ann won the game!", Win(0)),
    ("Ann won the game!", Win(0)),
    ("Ann received Longest Road (+2 VPs)", Award(0, "longest_road")),
    ("Ann received Largest Army (+2 VPs)", Award(0, "largest_army")),
    ("Longest Road passed from Bob to Ann (+2 VPs)", Award(0, "longest_road")),
    ("Largest Army passed from Bob to Ann", Award(0, "largest_army")),
    ("Longest road has passed from: Bob to: Ann: +2 VPs", Award(0, "longest_road")),
    ("Ann has disconnected. A bot will take over next turn", None),
    ("Bot is selecting cards to discard for Ann", None),
    ("Bot is placing a Road for Ann", None),
    ("Ann has reconnected", None),
    ("Ann was kicked for inactivity", None),
]


@pytest.mark.parametrize(("line", "event"), LINES, ids=[line for line, _ in LINES])
def test_every_template(line, event):
    start = SETUP.replace("Red", "Ann").replace("Blue", "Bob")
    imported = read(start + line, me="Ann")
    assert imported.problems == ()
    assert list(imported.log.events[len(SETUP_EVENTS) :]) == ([] if event is None else [event])


# --- rolls, turns, free roads ---------------------------------------------------------------------------------


def test_several_gains_of_a_roll_are_added_up():
    assert events("Red rolled 1 1\nBlue got Ore\nBlue got Ore Wool\n") == [Roll(0, 2, {1: {"ore": 2, "sheep": 1}})]


def test_a_gain_without_a_roll_stands_alone():
    assert events("Blue got Ore\nRed rolled 1 1\nRed built a Road\nRed got Wool\n") == [
        Gain(1, {"ore": 1}),
        Roll(0, 2),
        Build(0, "road"),
        Gain(0, {"sheep": 1}),
    ]


def test_a_short_bank_is_counted_after_the_roll():
    short = "Not enough Ore for all players. 3 are left, and 4 were needed.\n"
    roll = "Red rolled 4 4\n"
    assert events(roll + short) == [Roll(0, 8), BankCount({"ore": 3})]
    got = "Blue got Ore Ore Ore Wool\n"
    left = [Roll(0, 8, {1: {"ore": 3, "sheep": 1}}), BankCount({"ore": 0})]
    assert events(roll + short + got) == left
    assert events(roll + got + short) == left
    two = short + "Not enough Wool for all players. 1 are left, and 2 were needed.\n"
    assert events(roll + two + "Blue got Brick\n") == [
        Roll(0, 8, {1: {"brick": 1}}),
        BankCount({"ore": 3}),
        BankCount({"sheep": 1}),
    ]


def test_a_bank_cannot_hand_out_more_than_it_has():
    text = SETUP + "Red rolled 4 4\nBlue got Ore Ore\nNot enough Ore for all players. 1 are left, and 4 were needed.\n"
    assert "bank_count" in reasons(text)[0]


def test_separators_end_turns_once():
    turns = "<hr>\nRed rolled 1 1\n<hr>\n<hr/>\nBlue rolled 1 2\n-----\nhr\nRed rolled 1 3\n"
    assert events(turns) == [Roll(0, 2), EndTurn(0), Roll(1, 3), EndTurn(1), Roll(0, 4)]


def test_turns_end_without_separators_too():
    assert events("Red rolled 1 1\nBlue rolled 1 2\nRed used Knight\nRed rolled 1 3\n") == [
        Roll(0, 2),
        EndTurn(0),
        Roll(1, 3),
        EndTurn(1),
        PlayDevCard(0, "knight"),
        Roll(0, 4),
    ]


@pytest.mark.parametrize("verb", ["built", "placed"])
def test_roads_of_road_building_are_free(verb):
    text = f"Red rolled 1 1\nRed used Road Building Road Building\nRed {verb} a Road\nRed {verb} a Road\nRed built a Road\n"
    assert events(text) == [
        Roll(0, 2),
        PlayDevCard(0, "road_building"),
        Build(0, "road", free=True),
        Build(0, "road", free=True),
        Build(0, "road"),
    ]


def test_free_roads_end_with_the_turn_and_are_nobody_elses():
    text = "Red used Road Building\nRed rolled 1 1\nRed built a Road\n{}Red built a Road\nBlue built a Road\n"
    assert [event.free for event in events(text.format("")) if isinstance(event, Build)] == [True, True, False]
    later = text.format("<hr>\nBlue rolled 1 1\n<hr>\nRed rolled 1 1\n")
    assert [event.free for event in events(later) if isinstance(event, Build)] == [True, False, False]


def test_a_turn_of_which_the_dice_are_missing_ends_too():
    text = "Ann bought Development Card\n<hr>\nBob rolled 1 1\n<hr>\nAnn used Knight\nAnn rolled 1 1\n"
    kinds = ["buy_dev_card", "end_turn", "roll", "end_turn", "play_dev_card", "roll"]
    for each in (text, text.replace("<hr>\n", "")):
        assert [event.kind for event in without_opening(read(each)).log.events] == kinds


def test_a_log_that_begins_after_the_set_up_is_incomplete():
    roll = "Red rolled 1 1\n"
    for whole in (SETUP, SETUP + roll, "Red placed a Settlement\nBlue placed a Settlement\n"):
        assert not read(whole).incomplete
    for part in (SETUP.partition("Road\n")[2] + roll, "Red placed a Settlement\nBlue placed a Settlement\n" + roll):
        assert read(part).incomplete
    assert three("").incomplete


def test_no_log_tells_how_many_points_win():
    assert read(SETUP).log.victory_points is None


# --- names and seats ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "names",
    [
        ("Red", "Red 2"),
        ("me too", "Blue #3"),
        ("who got", "rolled from"),
        ("Ore", "Road"),
        ("stole 7", "gave bank"),
        ("(*_*)", "[Tag] Bob"),
        ("Bot", "bot Bot"),
        ("\u00c4\u00f6\u00fc", "\u6e38\u6232"),
    ],
)
def test_names_may_be_anything(names):
    record = renamed_games()[0]
    for writer in (write, old_chat):
        imported = read(writer(record, 1, names), me=names[1])
        assert imported.problems == ()
        assert imported.log.players == names
        assert imported.log.events == carried_by_chat(events_of(record, 1).events)


def renamed_games() -> list[Record]:
    return [simulate(Board.random(7), ["builder", "builder"], 7, Rules(victory_points=6))]


def test_pictures_in_front_of_names_are_no_part_of_them():
    text = "GuestAnn rolled: dice_2 dice_6\nUserBob got: ore\nbotBob stole card from: Ann\nGuestAnn stole card from: Bob\n"
    imported = read(text)
    assert imported.problems == ()
    assert imported.log.players == ("Ann", "Bob")
    assert Roll(0, 8, {1: {"ore": 1}}) in imported.log.events


def test_seats_follow_the_set_up():
    text = SETUP.replace("Red", "Zoe") + "Blue rolled 1 1\nZoe rolled 1 1\n"
    assert read(text).log.players == ("Zoe", "Blue")


def test_seats_without_a_set_up_follow_the_dice():
    rolls = "Bob rolled 1 1\nCem rolled 1 1\nAnn rolled 1 1\nBob rolled 1 1\n"
    assert read("Cem got Ore\n" + rolls).log.players == ("Bob", "Cem", "Ann")
    gap = "Ann rolled 1 1\nCem rolled 1 1\nAnn rolled 1 1\nBob rolled 1 1\nCem rolled 1 1\nAnn rolled 1 1\nBob rolled 1 1\n"
    assert read(gap).log.players == ("Ann", "Bob", "Cem")


def test_seats_when_only_the_second_half_of_the_set_up_is_there():
    text = SETUP.partition("Blue placed a Road\n")[2] + "Red rolled 1 1\nBlue rolled 1 1\n"
    assert read(text).log.players == ("Red", "Blue")


def test_whoever_only_gets_cards_plays_too():
    imported = read("Ann rolled 1 1\nBob got Ore\nAnn stole card from Cem\nAnn rolled 1 1\nBob got Ore\n")
    assert imported.log.players == ("Ann", "Bob", "Cem")
    assert read("Ann rolled 1 1\nBob got Ore\n").log.players == ("Ann", "Bob")


@pytest.mark.parametrize(
    "line",
    [
        "haha you all got ore",
        "the guest discarded Ore Ore",
        "somebody stole card from Bob",
        "nobody gave Ore and got Wool from Ann",
    ],
)
@pytest.mark.parametrize("at", [0, 1, 3, 9])
def test_strangers_do_not_play(line, at):
    lines = [f"{name} rolled 1 1" for name in ("Ann", "Bob", "Cem") * 3]
    lines.insert(at, line)
    imported = read("\n".join(lines))
    assert imported.log.players == ("Ann", "Bob", "Cem")
    assert [problem.line for problem in imported.problems] == [at + 1]


def test_who_is_seen_in_several_ways_plays():
    start = "Ann rolled 1 1\nBob rolled 1 1\n"
    assert read(start + "Cem discarded Ore\n").log.players == ("Ann", "Bob")
    assert read(start + "Cem discarded Ore\nCem wants to give Ore for Wool\n").log.players == ("Ann", "Bob", "Cem")
    assert read(start + "Bob gave Ore and got Wool from Cem\nCem stole card from Dan\n").log.players[2:] == ("Cem", "Dan")


def test_names_with_sentences_in_them_without_a_set_up():
    imported = read(
        """\
Ann got Ore rolled 1 1
Ann got Ore got Wool
Bob got Ore
Bob rolled 3 4
Bob stole card from Ann got Ore
Bob gave Ore and got Wool from Ann got Ore
Ann got Ore stole card from Bob
"""
    )
    assert imported.problems == ()
    assert imported.log.players == ("Ann got Ore", "Bob")
    assert without_opening(imported).log.events == (
        Roll(0, 2, {0: {"sheep": 1}, 1: {"ore": 1}}),
        EndTurn(0),
        Roll(1, 7),
        Steal(1, 0),
        PlayerTrade(1, 0, {"ore": 1}, {"sheep": 1}),
        Steal(0, 1),
    )


def test_who_is_not_in_the_set_up_does_not_play():
    imported = read(SETUP + "Rd rolled 1 1\nRed rolled 1 1\n")
    assert imported.log.players == ("Red", "Blue")
    assert [str(problem) for problem in imported.problems] == ["line 11: one of the players is unknown: Rd rolled 1 1"]


def test_at_most_six_players():
    lines = [f"P{n} rolled 1 1" for n in (1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6)]
    imported = read("\n".join(lines))
    assert imported.log.players == ("P1", "P2", "P3", "P4", "P5", "P6")
    assert [problem.line for problem in imported.problems] == [7]


# --- the observer ---------------------------------------------------------------------------------------------


def test_the_thief_is_whose_turn_it_is():
    imported = three("Bob used Knight\nBob moved Robber to prob_5\nYou stole Ore from Ann\nCem stole Wool from you\n")
    assert imported.problems == ()
    assert imported.log.observer == 1
    assert imported.log.events[-2:] == (Steal(1, 0, "ore"), Steal(2, 1, "sheep"))


def test_who_is_robbed_is_found_by_elimination():
    imported = three("Ann stole Ore from you\nAnn stole card from Cem\n")
    assert imported.log.observer == 1
    assert imported.log.events[-2:] == (Steal(0, 1, "ore"), Steal(0, 2))


def test_whose_turn_it_is_counts_more_than_elimination():
    imported = three("Bob rolled 3 4\nBob stole card from Ann\nYou stole Ore from Cem\n")
    assert imported.problems == ()
    assert imported.log.observer == 1


def test_nothing_is_guessed():
    imported = three("Ann stole Ore from you\n")
    assert imported.log.observer is None
    assert [problem.line for problem in imported.problems] == [7]
    assert "name the observer" in imported.problems[0].reason
    assert three("Ann stole Ore from you\n", me="Cem").log.events[-1] == Steal(0, 2, "ore")


def test_contradictions_name_nobody():
    text = "Ann rolled 3 4\nYou stole Ore from Bob\n<hr>\nBob rolled 3 4\nYou stole Ore from Ann\n"
    assert three(text).log.observer is None
    assert [problem.count for problem in three(text).problems] == [2]


def test_a_spectator_is_not_somebody():
    assert three("Ann stole card from Cem\n").log.observer is None


def test_the_observer_can_be_named():
    assert read(SETUP, me="Blue").log.observer == 1
    with pytest.raises(LogError, match="no player 'Green'; the players are Red, Blue"):
        read(SETUP, me="Green")


def test_nobody_robs_himself():
    (problem,) = read(SETUP + "Red rolled 3 4\nYou stole Ore from Red\n", me="Red").problems
    assert "named twice" in problem.reason


# --- what cannot be read --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Red gto Ore", "not a sentence"),
        ("Red got", "not a sentence"),
        ("Red got Orr", "not a sentence"),
        ("Red rolled 7 7", "not a sentence"),
        ("Red built a Castle", "not a sentence"),
        ("Red got Resource Card", "hidden"),
        ("Red gave bank ? and took Ore", "hidden"),
        ("Red stole Ore Ore from Blue", "more than one"),
        ("Red stole 900 Ore", "900"),
        ("Red stole 3 card", "hidden"),
        ("Green got Ore", "unknown"),
        ("Red gave Ore and got Wool from Green", "unknown"),
        ("Red gave Ore and got Wool from Red", "named twice"),
        ("Red got " + "Ore" * 250, "expected a number of cards"),
        ("Red got " + "Ore" * 2500, "not a sentence"),
    ],
)
def test_unreadable_lines_are_skipped_and_listed(line, reason):
    text = SETUP + f"Red rolled 1 1\n{line}\nBlue rolled 1 1\n"
    imported = read(text)
    (problem,) = imported.problems
    assert reason in problem.reason
    assert problem.line in (11, 12)
    with pytest.raises(LogError, match=r"line 1[12]: "):
        read(text, strict=True)


def test_lines_of_events_are_those_of_the_text():
    imported = read(SETUP + "\n\nRed rolled 1 1\nBlue got Ore\n<hr>\n")
    assert imported.lines == (*range(1, 11), 13, 15)


@pytest.mark.parametrize("text", ["", "\n", "hello\nworld", "Red rolled 1 1", "\0", "\ud800", "{}" * 100, "<hr>\n" * 9])
def test_no_log_at_all(text):
    with pytest.raises(LogError):
        read(text)


def test_recognition():
    assert recognises(SETUP)
    assert recognises("chat\n Red got: ore\n")
    assert recognise(SETUP) == "colonist-text"
    assert recognise(old_chat(renamed_games()[0])) == "colonist-text"
    for text in ("", "green rolls 8", "all:SOCDiceResult:game=test|param=8", '{"a": 1}', "No player to steal from"):
        assert not recognises(text)


@pytest.mark.parametrize(
    "line", ["got ore ", "a got ", "ore", "x gave ore and got ", "Longest Road passed from a to ", " ", "\u3000a", "+1 VP "]
)
def test_long_lines_are_no_trouble(line):
    imported = read(SETUP + line * (100_000 // len(line)))
    assert len(imported.problems) <= 1


def test_no_line_is_slow():
    """Words of each template again and again: within seconds for all of them, where one might take years."""
    ran = subprocess.run([sys.executable, "-c", HOSTILE], capture_output=True, text=True, timeout=300, check=True)
    assert int(ran.stdout) > 1000


HOSTILE = """
import re
from kibitz.catan.logs.colonist.language import LONGEST_LINE
from kibitz.catan.logs.colonist.wordings import ENGLISH

WORDS = {
    "player": "a got", "partner": "b from", "piece": "road_roadroad", "cards": "Ore,", "give": "card ", "receive": "any?",
    "card": "Ore", "dice": "dice_1+", "dev_card": "Knight:card", "dev_back": "card dev card", "award": "Longest Road",
    "count": "1", "left": "1", "needed": "1", "any": ":", "commodity": "Coin",
}
told = sum(ENGLISH.templates.values(), ())
lines = ["X placed a " + "road_roadroadroad" * 50 + "!", "icon_" * 12, "!" * 60, "bot" * 20 + " "]
for template in (*told, *ENGLISH.notes, *sum(ENGLISH.expansions.values(), ())):
    parts = [WORDS.get(part[1:-1], part) for part in re.split(r"(\\{[a-z_]+\\})", template)]
    for blank in ("", " ", ": "):
        lines.append(blank.join(parts) * 100)
        for at, part in enumerate(parts):
            lines.append("".join([*parts[:at], (part + blank) * 200, *parts[at + 1 :]]))
for line in lines:
    for end in ("", "!"):
        long = line[: LONGEST_LINE - 1] + end
        ENGLISH.sentences(long), ENGLISH.is_note(long), ENGLISH.without_picture(long), ENGLISH.expansion(long)
print(len(lines))
"""


def test_damaged_logs_never_raise_anything_else():
    rng = random.Random(5)
    lines = write(simulate(Board.random(9), ["builder"] * 3, 9, Rules(max_turns=12)), 1).splitlines()
    alphabet = "Red :?+,()<>hr\u0130\u017f\u212a\0\ud800 card YouB1"
    for _ in range(120):
        damaged = lines.copy()
        for _ in range(rng.randrange(1, 8)):
            at = rng.randrange(len(damaged))
            line = damaged[at]
            cut, end = sorted((rng.randrange(len(line) + 1), rng.randrange(len(line) + 1)))
            damaged[at] = rng.choice(
                [
                    line[:cut] + line[end:],
                    line[:cut] + rng.choice(alphabet) * rng.randrange(1, 5) + line[cut:],
                    line + rng.choice(damaged),
                    line.swapcase(),
                    line.replace("i", "\u0131").replace("s", "\u017f").replace("k", "\u212a"),
                ]
            )
        imported = read("\n".join(damaged))
        assert len(imported.log.events) == len(imported.lines)


# --- languages ------------------------------------------------------------------------------------------------

INVENTED = replace(
    ENGLISH,
    code="xx",
    resources={"wood": ("Holto",), "brick": ("Zego",), "sheep": ("Vollo",), "wheat": ("Korno",), "ore": ("Erzo",)},
    pieces={"road": ("Vojo",), "settlement": ("Domo",), "city": ("Urbo",)},
    hidden=("Karto",),
    you=("Vi", "vin"),
    templates={
        "placed": ("{player} metis {piece}",),
        "start": ("al {player} unue {cards}",),
        "roll": ("{dice} por {player}",),
        "got": ("{player} ricevis {cards}",),
        "steal": ("{player} rabis {cards} de {partner}",),
        "won": ("venkis {player}!",),
    },
    notes=("Neniu {any}",),
)


def test_a_language_is_a_table(monkeypatch):
    text = """\
Ann metis Domo
Bob metis Domo
Bob metis Domo
al Bob unue Erzo Vollo
Ann metis Domo
5 1 por Ann
Bob ricevis Korno Korno
Vi rabis Erzo de Bob
Bob rabis Zego de vin
Neniu scias
venkis Ann!
"""
    assert not recognises(text)
    monkeypatch.setattr(wordings, "LANGUAGES", [ENGLISH, INVENTED])
    assert recognises(text)
    imported = read(text)
    assert imported.problems == ()
    assert imported.log.players == ("Ann", "Bob")
    assert imported.log.observer == 0
    assert imported.log.events[3] == StartingResources(1, Cards(sheep=1, ore=1))
    assert imported.log.events[5:] == (
        Roll(0, 6, {1: {"wheat": 2}}),
        Steal(0, 1, "ore"),
        Steal(1, 0, "brick"),
        Win(0),
    )
    assert read(SETUP).log.events == SETUP_EVENTS


# --- there and back -------------------------------------------------------------------------------------------

GAMES = {
    "four": simulate(Board.random(1), ["builder"] * 4, 1),
    "three": simulate(Board.random(2), ["builder", "random", "builder"], 2),
    "two": simulate(Board.random(3), ["builder"] * 2, 3),
    "discards": simulate(Board.random(4), ["builder"] * 4, 4, Rules(discard_limit=3, max_turns=40)),
    "random": simulate(Board.random(5), ["random"] * 3, 5, Rules(max_turns=60)),
    "phased": simulate(Board.random(6), ["random", "builder"], 6, Rules(phased_turns=True, max_turns=60)),
}


@pytest.mark.parametrize("writer", [write, old_chat], ids=["new", "old"])
@pytest.mark.parametrize("name", GAMES)
def test_games_there_and_back(name, writer):
    record = GAMES[name]
    for observer in (None, *range(len(record.seats))):
        wanted = events_of(record, observer)
        me = None if observer is None else wanted.players[observer]
        imported = read(writer(record, observer), me=me, strict=True)
        assert imported.log.players == wanted.players
        assert imported.log.observer == observer
        assert imported.log.events == carried_by_chat(wanted.events)


@pytest.mark.parametrize("seat", range(4))
def test_the_observer_of_a_game_is_found(seat):
    text = write(GAMES["four"], seat)
    assert "You stole" in text
    assert read(text).log.observer == seat


def test_a_game_reads_the_same_without_separators():
    record = GAMES["four"]
    text = write(record).replace("<hr>\n", "")
    assert read(text).log.events == carried_by_chat(events_of(record).events)


@pytest.mark.parametrize("start", [50, 120, 200])
def test_a_part_of_a_game(start):
    text = write(GAMES["four"], 2)
    part = "\n".join(text.splitlines()[start:])
    imported = read(part, me="Player 3")
    whole = read(text)
    rename = [imported.log.players[(seat + whole.log.players.index(imported.log.players[0])) % 4] for seat in range(4)]
    assert sorted(rename) == sorted(whole.log.players)
    assert [type(event) for event in imported.log.events[-40:]] == [type(event) for event in whole.log.events[-40:]]
    assert imported.problems == ()
