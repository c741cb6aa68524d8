"""Learning from games that Kibitz plays with itself: positions, targets, training, measuring, and whether the pupil is better."""
