"""Everything at once, with kills at random, and a count of what was lost: ``python -m benchmarks.soak`` (``make soak``)."""
