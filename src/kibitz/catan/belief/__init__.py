"""What one observer can know of the hidden things of a game."""
