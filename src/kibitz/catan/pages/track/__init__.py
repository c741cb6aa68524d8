"""The Track page: who can hold what, at every moment of a game."""
