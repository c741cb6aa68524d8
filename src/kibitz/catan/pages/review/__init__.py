"""The Review page: a game of Catan looked back on."""
