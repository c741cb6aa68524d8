"""Has this happened before, and who can stop it? A guard against games that go in circles."""
