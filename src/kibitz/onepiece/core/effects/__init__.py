"""The effect language: one module for each family of primitives."""
