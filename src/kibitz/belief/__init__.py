"""What an observer can know, in any game: weighted worlds, and who can hold which cards of a deck."""
