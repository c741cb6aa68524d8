"""The One Piece card game."""
