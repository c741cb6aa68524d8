"""Coup itself: rules, states, words, drawing."""
