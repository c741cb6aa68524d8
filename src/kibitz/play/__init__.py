"""Bots at one table: series of games."""
