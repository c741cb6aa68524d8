"""The Review page: looking back on a game of Catan."""
