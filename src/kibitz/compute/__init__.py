"""Where the futures are played: threads here (`local`), a cluster, a GPU (`cuda`); limits, progress, checkpoints.

The same seed gives the same games everywhere.
"""
