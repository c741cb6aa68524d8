"""Small mistakes in the sources, made on purpose, and whether the tests notice: ``python -m benchmarks.mutants``."""
