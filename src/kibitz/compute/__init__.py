"""Where the futures are played: threads on this machine (`local`), a GPU (`cuda`). The same seed gives the same games."""
