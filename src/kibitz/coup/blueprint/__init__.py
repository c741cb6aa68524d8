"""A near-equilibrium player of Coup: how its strategy is trained, measured and told."""
