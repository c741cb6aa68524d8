"""Bots, and games between them: matches, series and tournaments."""
