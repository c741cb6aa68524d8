"""What the proofs of the tracker and of the log formats are made of: logs, whole games, damage, and what is said of them."""
