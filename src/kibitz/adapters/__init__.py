"""Kibitz's games as other libraries know them: Gymnasium, PettingZoo, OpenSpiel. Each module needs its library installed."""
