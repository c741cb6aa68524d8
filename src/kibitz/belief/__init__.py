"""What an observer can know, for any game: weighted worlds, and who can hold which cards of a deck."""
