"""Cards in other people's files: their fields found, their texts read."""
