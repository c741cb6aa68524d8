"""The loop lab: every kind of loop with real cards, played out and judged."""
