"""Search that any game can use: trees, and exact solutions of two-player games with hidden information."""
