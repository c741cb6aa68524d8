"""``kibitz onepiece``: what it prints and writes, and what it refuses in one line."""

import json
import re
from functools import partial

import pytest

from kibitz.onepiece.core.record import read
from kibitz.onepiece.core.schema import builtin_text
from kibitz.onepiece.looplab import lab_cards, lab_deck

pytestmark = [pytest.mark.plain, pytest.mark.once]  # One Piece is plain Python either way


@pytest.fixture
def kibitz(kibitz):
    return partial(kibitz, "onepiece")


@pytest.fixture
def record(kibitz, tmp_path):
    file = tmp_path / "games.jsonl"
    code, out, err = kibitz("simulate", "--games", 3, "--players", "greedy,random", "--record", file, "--full")
    assert (code, err) == (0, "")
    assert f"written: {file}" in out.replace("\n", "") or f"written: {file}" in out
    return file


def test_simulate_sums_games_up(kibitz):
    code, out, err = kibitz("simulate", "--games", 10, "--seed", 4)
    assert (code, err) == (0, "")
    rows = re.findall(r"^(\d) +greedy +(\w+) +(\d+) ", out, re.MULTILINE)
    assert [row[:2] for row in rows] == [("1", "tide"), ("2", "ember")]
    assert sum(int(row[2]) for row in rows) == 10
    assert "games/s" not in out
    assert max(map(len, out.splitlines())) <= 80


def test_the_recorded_games_are_the_played_ones(kibitz, record):
    played = kibitz("simulate", "--games", 3, "--players", "greedy,random")[1]
    winners = [list(found.states())[-1][0].winner for found in read(record)]
    assert re.search(rf"greedy +tide +{winners.count(0)} ", played)


def test_replay_verifies_every_step(kibitz, record):
    code, out, err = kibitz("replay", record)
    assert (code, err) == (0, "")
    assert re.search(r"3 games, [\d,]+ steps, all according to the rules\n$", out)


def test_show_prints_a_position_and_its_turn(kibitz, record):
    code, out, err = kibitz("show", record, "--game", 1, "--turn", 4)
    assert (code, err) == (0, "")
    assert "game 1: turn 5" in out
    assert "TW-001" in out
    assert re.search(r"^step \d+ turn 4 P\d \w+", out, re.MULTILINE)
    assert "turn 3 " not in out
    assert max(map(len, out.splitlines())) <= 80
    assert re.search(r"over after turn \d+, player \d won", kibitz("show", record)[1])


def test_tournament(kibitz):
    code, out, err = kibitz("tournament", "--games", 10)
    assert (code, err) == (0, "")
    assert re.search(r"10 games, 2 tables of 2\nbot +rating +won", out)
    won = {bot: int(n) for bot, n in re.findall(r"^(greedy|random) .* (\d+) of 10 ", out, re.MULTILINE)}
    assert won["greedy"] > won["random"]
    assert sum(won.values()) == 10
    assert re.search(r"^deck 1 tide: [\d.]+ %.*\ndeck 2 ember: .*\nwho began: ", out, re.MULTILINE)
    assert max(map(len, out.splitlines())) <= 80
    value = json.loads(kibitz("tournament", "--games", 4, "--json")[1])
    assert value["games"] == 4
    assert {bot["name"] for bot in value["bots"]} == {"greedy", "random"}
    assert [(deck["seat"], deck["deck"]) for deck in value["decks"]] == [(0, "tide"), (1, "ember")]
    assert sum(deck["wins"]["won"] for deck in value["decks"]) == 4


def test_import_lists_what_it_could_not_read(kibitz, tmp_path):
    file, out_file = tmp_path / "mine.csv", tmp_path / "mine.json"
    file.write_text("id,name,category,color,cost,power,effect\nU-1,Cook,character,red,2,3000,[On Play] Fry an egg.\n")
    code, out, err = kibitz("import", file, "--out", out_file)
    assert (code, err) == (0, "")
    assert "1 card, 0 of them with all effects" in out
    assert "U-1: not read: [On Play] Fry an egg." in out
    assert "fields: id = id, " in out
    assert json.loads(out_file.read_text())["cards"][0]["id"] == "U-1"


def test_one_id_cannot_mean_two_cards(kibitz, tmp_path):
    deck = tmp_path / "own.json"
    deck.write_text(builtin_text("tidewatch.json"))
    assert kibitz("simulate", "--decks", f"{deck},tide")[0] == 0
    deck.write_text(builtin_text("tidewatch.json").replace('"Lock Apprentice"', '"Another"'))
    code, out, err = kibitz("simulate", "--decks", f"{deck},tide")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "TW-002: the decks hold two different cards with this id" in err


def test_own_decks_can_be_played_and_replayed(kibitz, tmp_path):
    deck, cards, games = tmp_path / "own.json", tmp_path / "cards.json", tmp_path / "games.jsonl"
    text = builtin_text("emberline.json").replace("EM-", "OW-")
    deck.write_text(text)
    cards.write_text(text)
    code, _, err = kibitz("simulate", "--decks", f"{deck},tide", "--record", games)
    assert (code, err) == (0, "")
    assert kibitz("replay", games)[0] == 2
    assert kibitz("replay", games, "--cards", cards)[0] == 0


CSV = """Card Number,Name,Category,Color,Cost,Power,Counter,Rarity,Text
MY-01,Quill,LEADER,Red,5,5000,,L,
"""


def test_cards_and_a_deck_list_of_ones_own_play_and_replay(kibitz, tmp_path):
    cards, deck, games = tmp_path / "mine.csv", tmp_path / "mine.txt", tmp_path / "games.jsonl"
    texts = ["", "[Blocker]", "[On Play] Draw 1 card.", "[On K.O.] K.O. up to 1 of your opponent's Characters."]
    rows = [f"MY-{i},Hand {i},CHARACTER,Red,{1 + i % 5},{1000 * (2 + i % 5)},1000,C,{texts[i % 4]}" for i in range(10, 23)]
    cards.write_text(CSV + "\n".join(rows) + "\n")
    deck.write_text("1 MY-01\n" + "\n".join(f"{4 if i < 22 else 2}x MY-{i}" for i in range(10, 23)))
    code, out, err = kibitz("import", cards)
    assert (code, err) == (0, "")
    assert "14 cards, 14 of them with all effects" in out
    assert "Card Number = id" in out
    assert "ignored: Rarity" in out
    code, _, err = kibitz("simulate", "--decks", f"{deck},tide", "--cards", cards, "--games", 3, "--record", games, "--full")
    assert (code, err) == (0, "")
    assert kibitz("replay", games, "--cards", cards)[0] == 0
    assert "Hand 1" in kibitz("show", games, "--cards", cards)[1]
    code, out, err = kibitz("play", "--seed", 0, "--decks", f"{deck},tide", "--cards", cards, typed="card MY-12\ncard XX\n")
    assert (code, err) == (0, "")
    assert "    [On Play] Draw 1 card." in out
    assert "'XX': no such card in this match" in out
    code, _, err = kibitz("simulate", "--decks", f"{deck},tide")
    assert (code, err.count("\n")) == (2, 1)
    assert "no such card (known cards only)" in err


def test_play_shows_what_a_stranger_needs(kibitz, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the last answer names a file for the record
    code, out, err = kibitz("play", "--seat", 2, "--seed", 3, typed="keep\n" + "1\n" * 40)
    assert (code, err) == (0, "")
    assert "player 2 (you)" in out
    assert "hand: 5 unseen" in out
    assert re.search(r"Greedy's Maris Veil \d+ attacks your Brannoch \d+\.", out)
    assert re.search(r"^battle: .+ \d+ attacks Brannoch \d+$", out, re.MULTILINE)
    assert max(len(line.removeprefix("> ")) for line in out.splitlines()) <= 80


def test_a_bot_that_searches_can_be_played_against(kibitz, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the last answer names a file for the record
    code, out, _ = kibitz("play", "--bots", "ismcts:2", typed="1\n" * 12)
    assert code == 0
    assert "Ismcts:2 keeps the hand." in out or "Ismcts:2 puts the hand back" in out


def test_play_a_game_to_the_end_from_a_pipe(kibitz, tmp_path):
    games = tmp_path / "mine.jsonl"
    code, out, err = kibitz("play", "--bots", "random", "--seed", 0, "--record", games, typed="1\n" * 2000)
    assert (code, err) == (0, "")
    assert re.search(r"^(You have won after \d+ turns!|Random has won after \d+ turns\.) \((damage|deck)\)$", out, re.MULTILINE)
    assert kibitz("replay", games)[0] == 0


def test_play_explains_wrong_input_and_leaves_politely(kibitz, tmp_path):
    games = tmp_path / "mine.jsonl"
    typed = "?\nshow\nlog\n99\nsing\nattack L L\nkeep\nplay EM-002\nq\n"
    code, out, err = kibitz("play", "--seat", 1, "--seed", 0, "--record", games, typed=typed)
    assert (code, err) == (0, "")
    assert "There is no choice 99; choose 1 to 2." in out
    assert "'sing' is not one of the choices." in out
    assert "Attack L L is none of the choices: the game waits for keep or redraw" in out
    assert "Lock Apprentice: cost 1, 3000 power, counter 1000" in out
    assert "does not hold that card" in out
    assert "You leave the table." in out
    assert kibitz("replay", games)[0] == 0
    assert "You leave the table." in kibitz("play", "--seat", 2, typed="")[1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["simulate", "--full"], "--record"),
        (["simulate", "--players", "greedy"], "--players greedy: The One Piece card game is for 2 players"),
        (["simulate", "--players", "greedy,nobody"], "'nobody': no such bot; these are random, greedy"),
        (["simulate", "--decks", "tide"], "expected two decks"),
        (["simulate", "--decks", "tide,storm"], "'storm': no such deck"),
        (["tournament", "--players", "greedy,greedy"], "each once"),
        (["play", "--bots", "greedy,random"], "is for 2 players"),
        (["replay", "nowhere"], "no such file"),
        (["import", "nowhere"], "no such file"),
    ],
)
def test_refusals_in_one_line(kibitz, arguments, words):
    code, out, err = kibitz(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


def test_files_that_are_no_records_or_decks_are_refused_in_one_line(kibitz, record, tmp_path):
    empty, coup, bad = tmp_path / "empty", tmp_path / "coup", tmp_path / "bad.json"
    empty.touch()
    coup.write_text('{"record": "coup"}\n')
    bad.write_text(builtin_text("tidewatch.json").replace('"TW-002": 4', '"TW-002": 3'))
    for arguments, words in (
        (["replay", empty], "the file holds no game"),
        (["replay", coup], 'line 1: expected the header of a game, with "record": "onepiece"'),
        (["show", record, "--game", 3], "there is no game 3; the file holds 3"),
        (["show", record, "--turn", 999], "--turn 999: the game has turns 0 to"),
        (["simulate", "--decks", f"{bad},ember"], "49 cards (exactly 50 cards)"),
        (["replay", record, "--cards", coup], "--cards: "),
        (["import", coup], "expected a list of cards"),
    ):
        code, out, err = kibitz(*arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert words in err


def test_decks_of_ones_own_play_under_the_loop_rules_of_the_game(kibitz, tmp_path):
    """Two Characters that undo each other's work for ever: somebody has to stop, or it is a draw."""
    deck, cards, games = tmp_path / "deck.json", tmp_path / "cards.json", tmp_path / "games.jsonl"
    cards.write_text(builtin_text("loop_lab.json"))
    deck.write_text(json.dumps(lab_deck(["LL-101"] * 4 + ["LL-103"] * 4, lab_cards()).to_json()))
    code, out, err = kibitz("simulate", "--decks", f"{deck},{deck}", "--cards", cards, "--record", games)
    assert (code, err) == (0, "")
    assert "loops: " in out
    assert json.loads(games.read_text().splitlines()[0])["guard"]["infiniteLoopRules"]
    assert kibitz("replay", games)[0] == 0
    code, out, _ = kibitz("simulate", "--decks", f"tide,{deck}", "--cards", cards, "--guard", "none")
    assert code == 0
    assert "loops: " not in out
