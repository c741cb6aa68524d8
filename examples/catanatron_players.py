"""Kibitz's bots for catanatron's command line: ``catanatron-play --code=examples/catanatron_players.py --players=K,F,F,F``.

``K`` is the bot builder; ``K:ismcts:1000`` names another bot and how long it thinks.
"""

from catanatron.cli import register_cli_player

from kibitz.catan.versus import KibitzPlayer

register_cli_player("K", KibitzPlayer)
