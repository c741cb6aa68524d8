"""The Analyse page: where to settle or what to play on any board, and why."""
