"""Learns two-player Coup from scratch and beats `heuristic` within two minutes: ``python examples/ppo_coup.py FOLDER``."""

from ppo import Recipe, main

#: Half of the games against itself, half against the rival.
COUP = Recipe(
    game="coup",
    seats=2,
    rival="heuristic",
    tables=((None, None), (None, "heuristic"), (None, None), ("heuristic", None)),
    updates=60,
    measure_every=20,
)

if __name__ == "__main__":
    main(COUP, __doc__)
