"""Learning from games that Kibitz plays with itself: positions, targets, training, measuring, and who is better."""
