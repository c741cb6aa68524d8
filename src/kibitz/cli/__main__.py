"""``python -m kibitz.cli``."""

from kibitz.__main__ import main

main()
