"""The rules of Catan (base game, 2 to 4 players): a module for each chapter, in the order of the rule book.

`costs`, `turn`, `setup`, `production`, `robber`, `trade`, `awards`, `building`, `dev_cards`: none needs a later one. Each
lists what may be done (``list_*`` writes legal actions), says why something may not (``refuse_*`` returns a number of
`kibitz.catan.core.reasons`), and does it. `kibitz.catan.core.verbs` makes a game of them.

Everything works on one struct (`kibitz.catan.core.state.CatanState`), in integers, without allocation: the same source
runs on the CPU, on the GPU and in plain Python.
"""
