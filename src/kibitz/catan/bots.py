"""The bots by their short names, without loading the compiler: what the command line needs to check its options."""

#: Name of each compiled policy, with its number (see `kibitz.catan.policy`).
BOTS = {"random": 0, "builder": 1}
