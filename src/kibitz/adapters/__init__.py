"""Kibitz's games for other libraries: Gymnasium, PettingZoo, OpenSpiel. Each module needs its library installed."""
