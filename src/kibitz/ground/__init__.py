"""What everything stands on: compiled code and its cache, randomness, small sets, JSON, texts for people."""
