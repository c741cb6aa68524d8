"""Kibitz at the tables of other programs: its bots as players of catanatron (see ``docs/howto/versus_catanatron.md``)."""

from kibitz.catan.versus.player import KibitzPlayer

__all__ = ["KibitzPlayer"]
