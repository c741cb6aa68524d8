"""How fast and how right the hand tracker is: ``python benchmarks/tracker.py``.

Three tables: the cost of following a game with all marginals after every event (beside a plain exact filter in Python, in
the same run), the cost of large sets of worlds, and the table of the card tracker that this one replaces, on games of our
engine and on a simulator in which hands pile up.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import mean, median

import numpy as np
from tables import Bench, Figures, timed

from kibitz.belief.worlds import WeightedWorlds
from kibitz.catan import Board
from kibitz.catan.belief.evidence import KINDS, evidence_of, hand
from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.core.events import (
    Accept,
    Award,
    BankTrade,
    Build,
    Cards,
    Decline,
    Event,
    Monopoly,
    MoveRobber,
    Offer,
    PlayerTrade,
    Roll,
    Steal,
    Win,
)
from kibitz.catan.core.record import simulate
from kibitz.catan.core.transcript import events_of

Row = tuple[str, ...]
#: What the card counters among the peers do not look at.
SILENT = (Offer, Accept, Decline, MoveRobber, Award, Win)
#: The published figures of the peers: CPU a game of 240 events, all marginals after every event.
PEERS = {"card-tracker (JS, cap of 1,000 worlds)": 38, "cocaco (JS)": 213, "catan-counter (TS)": 886}


# --- following a game -------------------------------------------------------------------------------------------


def game_logs(games: int, observer: int | None = None) -> list[list[Event]]:
    """Games of the building policy as their card events, 240 of them on average."""
    logs = []
    for seed in range(games):
        record = simulate(Board.random(seed), ["builder"] * 4, seed=seed)
        logs.append([event for event in events_of(record, observer).events if not isinstance(event, SILENT)])
    return logs


def plain_filter(events: Sequence[Event]) -> None:
    """The obvious exact filter: a dict of worlds in plain Python, and all marginals after every event."""
    worlds: dict[tuple[int, ...], float] = {(0,) * 20: 1.0}
    for event in events:
        rules, change = evidence_of(event, 4, 19)
        fresh: defaultdict[tuple[int, ...], float] = defaultdict(float)
        for world, p in worlds.items():
            if any(not rule.at_least <= sum(world[c] for c in rule.cells) <= rule.at_most for rule in rules):
                continue
            if isinstance(event, Steal):
                held = [world[c] for c in hand(event.victim)]
                for r, n in enumerate(held):
                    if n:
                        after = list(world)
                        after[hand(event.victim)[r]] -= 1
                        after[hand(event.player)[r]] += 1
                        fresh[tuple(after)] += p * n / sum(held)
            else:
                fresh[tuple(map(sum, zip(world, change, strict=True))) if change else world] += p
        total = sum(fresh.values())
        worlds = {world: p / total for world, p in fresh.items()}
        marginals = [[0.0] * 20 for _ in range(20)]
        for world, p in worlds.items():
            for cell, n in enumerate(world):
                marginals[cell][n] += p


def follow(events: Sequence[Event], observer: int | None = None) -> int:
    """Our tracker, all marginals after every event; the largest number of worlds."""
    tracker = HandTracker(4, observer)
    most = 0
    for event in events:
        tracker.process(event)
        most = max(most, tracker.distributions().shape[0] and tracker.world_count)
    return most


def milliseconds(logs: Sequence[Sequence[Event]], run: Callable[[Sequence[Event]], object]) -> float:
    """The median over games of the best of three runs, for 240 events."""
    times = []
    for events in logs:
        best = min(timed(partial(run, events), time.process_time) for _ in range(3))
        times.append(best * 1000 * 240 / len(events))
    return median(times)


def following_rows(games: int) -> list[Row]:
    def ours(events: Sequence[Event]) -> None:
        tracker = HandTracker(4, victory_points=None)
        for event in events:
            tracker.process(event)
            tracker.distributions()

    logs = game_logs(games)
    ours(logs[0])
    spectator = milliseconds(logs, ours)
    worlds = sorted(follow(events) for events in logs)
    plain = milliseconds(logs[: -(-games // 3)], plain_filter)
    seat = milliseconds(game_logs(games, observer=0), ours)
    piled = [hoarding_game(seed, 60).events for seed in range(-(-games // 12))]
    many, many_plain = milliseconds(piled, ours), milliseconds(piled, plain_filter)
    note = f"{games} games of the engine, worlds at most: median {int(median(worlds))}, largest {worlds[-1]:,}"
    rows: list[Row] = [
        ("spectator", f"{spectator:.2f} ms", "at most 4", note),
        ("a player's view", f"{seat:.2f} ms", "", ""),
        ("plain exact filter in Python", f"{plain:.1f} ms", "", f"in this run; {plain / spectator:.1f} times as long"),
        (f"{len(piled)} games in which hands pile up", f"{many:.1f} ms", "", "60 turns of the simulator below"),
        ("plain exact filter in Python, the same games", f"{many_plain:.0f} ms", "", f"{many_plain / many:.0f} times as long"),
    ]
    return rows + [(name, f"{ms} ms", "", "published, on another machine") for name, ms in PEERS.items()]


# --- large sets -------------------------------------------------------------------------------------------------


def large_rows(size: int) -> list[Row]:
    worlds = WeightedWorlds([4, 4, 4, 4, 4] * 4)
    tag = 0
    while len(worlds) < size:
        thief, victim = tag % 4, (tag + 1 + tag // 4 % 3) % 4
        worlds.draw(KINDS * victim, KINDS * thief, KINDS, tag)
        tag += 1
    before = len(worlds)
    times = []
    for _ in range(3):
        copy = worlds.copy()
        began = time.process_time()
        copy.draw(KINDS, 0, KINDS, tag)
        times.append((time.process_time() - began) * 1000 * size / before)
    layer = copy.layers[-1]
    sweep = time.process_time()
    copy.all_odds()
    sweep = (time.process_time() - sweep) * 1000
    per_world = (copy.key.nbytes + copy.prob.nbytes) / len(copy)
    edges = sum(len(other.parent) for other in copy.layers)
    return [
        (
            f"a hidden steal on {size:,} worlds",
            f"{median(times):.0f} ms",
            "at most 100",
            f"with its layer; {len(copy):,} after it",
        ),
        ("a world", f"{per_world:.0f} bytes", "under 64", ""),
        ("an edge of a layer", f"{layer.nbytes / len(layer.parent):.0f} bytes", "under 24", ""),
        ("backward sweep", f"{sweep:.0f} ms", "", f"odds of all {len(copy.layers)} open steals, {edges:,} edges"),
    ]


# --- the seed's table -------------------------------------------------------------------------------------------


@dataclass
class Truth:
    """A log with the hands at its end."""

    events: list[Event]
    hands: list[Cards]


def engine_game(seed: int, turns: int) -> Truth:
    """A game of the engine, cut off after some turns."""
    record = simulate(Board.random(seed), ["builder"] * 4, seed=seed)
    events: list[Event] = []
    ended = 0
    for event in events_of(record).events:
        events.append(event)
        ended += event.kind == "end_turn"
        if ended == turns:
            break
    return Truth(events, hands_after(events_of(record, all_seeing=True).events[: len(events)]))


def hands_after(events: Sequence[Event]) -> list[Cards]:
    """The true hands, by following events with nothing hidden."""
    tracker = HandTracker(4)
    tracker.process_all(events)
    return list(tracker.worlds()[0].hands)


def hoarding_game(seed: int, turns: int) -> Truth:
    """Hands pile up: everybody earns a lot, builds little and is robbed; nobody discards.

    Like the simulator behind the figures of the card tracker.
    """
    chance = random.Random(seed)
    hands = [[0] * KINDS for _ in range(4)]
    events: list[Event] = []

    def move(player: int, cards: Cards, by: int) -> None:
        for r, n in enumerate(cards):
            hands[player][r] += by * n

    def affords(player: int, cards: Cards) -> bool:
        return all(held >= n for held, n in zip(hands[player], cards, strict=True))

    for turn in range(turns):
        player = turn % 4
        if chance.random() < 1 / 6:
            events.append(Roll(player, 7))
            victims = [p for p in range(4) if p != player and any(hands[p])]
            if victims:
                victim = chance.choice(victims)
                stolen = chance.choices(range(KINDS), hands[victim])[0]
                move(victim, single(stolen), -1)
                move(player, single(stolen), 1)
                events.append(Steal(player, victim))
        else:
            gains = {}
            for p in range(4):
                kinds = [chance.randrange(KINDS) for _ in range(chance.choice((0, 0, 1, 1, 2)))]
                cards = Cards(*(kinds.count(r) if sum(h[r] for h in hands) < 15 else 0 for r in range(KINDS)))
                move(p, cards, 1)
                gains[p] = cards
            events.append(Roll(player, 8, gains))
        for piece, price in PRICES.items():
            if affords(player, price) and chance.random() < 0.25:
                move(player, price, -1)
                events.append(Build(player, piece))
        most = max(range(KINDS), key=lambda r: hands[player][r])
        least = min(range(KINDS), key=lambda r: hands[player][r])
        if hands[player][most] >= 4 and chance.random() < 0.2:
            move(player, single(most, 4), -1)
            move(player, single(least), 1)
            events.append(BankTrade(player, single(most, 4), single(least)))
        partner = chance.choice([p for p in range(4) if p != player])
        if hands[player][most] and hands[partner][least] and most != least and chance.random() < 0.2:
            for who, cards, by in (
                (player, single(most), -1),
                (player, single(least), 1),
                (partner, single(least), -1),
                (partner, single(most), 1),
            ):
                move(who, cards, by)
            events.append(PlayerTrade(player, partner, single(most), single(least)))
        if chance.random() < 0.01:
            losses = {p: hands[p][most] for p in range(4) if p != player}
            for p, n in losses.items():
                move(p, single(most, n), -1)
            move(player, single(most, sum(losses.values())), 1)
            events.append(Monopoly(player, Cards._fields[most], sum(losses.values()), losses))
    return Truth(events, [Cards(*cards) for cards in hands])


PRICES = {
    "road": Cards(wood=1, brick=1),
    "settlement": Cards(wood=1, brick=1, sheep=1, wheat=1),
    "city": Cards(wheat=2, ore=3),
}


def single(resource: int, n: int = 1) -> Cards:
    return Cards(*(n if r == resource else 0 for r in range(KINDS)))


def seed_rows(games: int, lengths: Sequence[int]) -> Iterator[Row]:
    for name, play in (("our engine", engine_game), ("hoarding simulator", hoarding_game)):
        for turns in lengths:
            truths = [play(seed, turns) for seed in range(games)]
            began = time.process_time()
            trackers = []
            for truth in truths:
                tracker = HandTracker(4, victory_points=None)  # nobody wins: the simulator plays on
                for event in truth.events:
                    tracker.process(event)
                trackers.append(tracker)
            spent = time.process_time() - began
            found = [(tracker.distributions(), truth.hands) for tracker, truth in zip(trackers, truths, strict=True)]
            inside = sum(all(table[p, r, hands[p][r]] > 0 for p in range(4) for r in range(KINDS)) for table, hands in found)
            errors = [np.abs(table @ np.arange(table.shape[2]) - np.array(hands)).mean() for table, hands in found]
            counts = [tracker.world_count for tracker in trackers]
            yield (
                name,
                str(turns),
                f"{inside / games:.0%}",
                f"{mean(errors):.2f}",
                f"{mean(counts):,.0f}",
                f"{max(counts):,}",
                f"{spent * 1000:,.0f} ms",
                SEED_TABLE.get(turns, "") if play is hoarding_game else "",
            )


#: Success, error, worlds and time of the card tracker on its own simulator (20 games, cap of 1,000 worlds).
SEED_TABLE = {
    20: "100%, 0.20, 90, 17 ms",
    40: "100%, 0.33, 230, 56 ms",
    60: "100%, 0.41, 486, 139 ms",
    80: "95%, 0.44, 441, 200 ms",
}


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=int, default=60, help="games of the first table")


def main() -> None:
    bench = Bench(__doc__, "tracker.md", options)
    plain, games = ("what", "measured", "target", "note"), bench.many(20, 2)
    seed = ("games from", "turns", "success", "error a resource", "worlds at the end", "most", f"{games} games", "card-tracker")
    lengths = (20, 40, 60, 80, 100)[: bench.many(5)]
    following = following_rows(bench.many(bench.options.games))
    tables = [
        Figures("One game of 240 events, all marginals after every event", plain, following),
        Figures("Large sets of worlds", plain, large_rows(bench.many(200_000, 1000))),
        Figures(f"{games} games each: is the truth inside the ranges?", seed, list(seed_rows(games, lengths))),
    ]
    bench.publish("The hand tracker", tables)


if __name__ == "__main__":
    main()
