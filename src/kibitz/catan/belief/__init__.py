"""What one observer can know about the hidden cards of a game of Catan."""
