"""Small games that show how a game is added, and whose exact values are known."""
