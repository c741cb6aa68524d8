"""A Coup bot of your own: `kibitz coup simulate --players examples/my_bot.py:MyBot,heuristic --games 20`."""

import random


class MyBot:
    """Never bluffs, and challenges players whom it has seen bluff."""

    def begin(self, seat, seed):
        """A game begins; every game has its own object."""
        self.seat = seat
        self.random = random.Random(seed)
        self.liars = set()
        self.challenged = False

    def decide(self, observation, actions, events):
        """One of `actions`, from what this seat sees (`observation`) and what happened since its last decision (`events`)."""
        for event in events:
            kind = event.action.kind if event.action else None
            if kind == "lose" and self.challenged:  # a player who has the card shows it
                self.liars.add(event.seat)
            self.challenged = kind == "challenge"
        mine = observation.players[self.seat].cards
        honest = {action.kind: action for action in actions if action.claim is None or action.claim in mine}
        if "challenge" in honest and "block" not in honest:
            claimant = observation.current_player_id if observation.blocker is None else observation.blocker
            return honest["challenge" if claimant in self.liars else "allow"]
        for kind in ("coup", "assassinate", "block", "tax", "steal", "show"):
            if kind in honest:
                return honest[kind]
        return self.random.choice(list(honest.values()))
