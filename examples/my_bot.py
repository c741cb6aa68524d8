"""A bot of Coup from outside Kibitz: `kibitz coup simulate --players examples/my_bot.py:MyBot,heuristic --games 20`."""

import random


class MyBot:
    """Never bluffs, remembers who was caught bluffing, and challenges those."""

    def begin(self, seat, seed):
        """A game begins, and this object is for it alone."""
        self.seat = seat
        self.random = random.Random(seed)
        self.liars = set()

    def decide(self, observation, actions, events):
        """One of `actions`, from what this seat sees (`observation`) and what happened since the last decision (`events`)."""
        claimed = None
        for event in events:
            if event.action is not None and event.action.claim:
                claimed = event.seat
            elif event.action is not None and event.action.kind == "challenge":
                claimed = None if claimed is None else claimed
            elif event.action is not None and event.action.kind == "lose" and event.seat == claimed:
                self.liars.add(event.seat)  # who can show the card does not lose one
        mine = observation.players[self.seat].cards
        honest = [action for action in actions if action.claim is None or action.claim in mine]
        by_kind = {action.kind: action for action in honest}
        if "challenge" in by_kind:
            suspect = observation.blocker if observation.blocker is not None else observation.current_player_id
            return by_kind["block" if "block" in by_kind else "challenge" if suspect in self.liars else "allow"]
        for kind in ("coup", "assassinate", "block", "tax", "steal", "show"):
            if kind in by_kind:
                return by_kind[kind]
        return self.random.choice(honest)
