"""Learns Catan for two from nothing, by playing itself: ``python examples/ppo_catan.py FOLDER --device cuda``."""

from ppo import Recipe, main

from kibitz.catan import Rules

#: Made for a GPU; a test trains a small one on a processor.
CATAN = Recipe(
    game="catan",
    seats=2,
    rival="builder-0.1",
    options={"rules": Rules(domestic_trade=False)},
    places=4096,
    steps=64,
    updates=1500,
    epochs=2,
    batches=16,
    width=512,
    depth=3,
    rate=5e-4,
    entropy=0.01,
    discount=0.999,
    measure_every=50,
)

if __name__ == "__main__":
    main(CATAN, __doc__)
