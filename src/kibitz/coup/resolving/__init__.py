"""Two players who solve every turn anew, from what both can know of the cards: nothing is forgotten."""
