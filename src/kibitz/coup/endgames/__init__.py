"""Endgames of Coup, solved."""
