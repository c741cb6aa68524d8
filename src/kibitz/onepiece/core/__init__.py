"""The One Piece card game itself: rules, states, effects, words, drawing."""
