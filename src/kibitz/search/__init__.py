"""Search for any game: trees, and exact solutions of two-player games with hidden information."""
