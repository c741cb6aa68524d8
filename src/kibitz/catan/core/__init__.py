"""Catan itself: rules, states, boards, events, records, drawing."""
