"""A Catan bot that beats `random`: `kibitz catan simulate --players examples/settler.py:Settler,random --games 20`."""

#: The kinds of actions it prefers, best first.
WISHES = (
    "reveal_vp", "build_city", "build_settlement", "accept_offer", "buy_dev_card", "play_knight", "build_road",
    "place_free_road", "play_road_building", "roll_dice", "decline_offer", "end_turn",
)  # fmt: skip


class Settler:
    """Settles where the numbers come up often, builds what it can, and robs where it hurts."""

    def begin(self, seat, seed):
        """Remember which seat this is."""
        self.seat = seat

    def decide(self, observation, actions, events):
        """The best action of the best kind."""
        board = observation.board
        kinds = {kind: [action for action in actions if action.kind == kind] for kind in {action.kind for action in actions}}
        if "place_setup_settlement" in kinds:
            return max(kinds["place_setup_settlement"], key=lambda action: self.worth(board.corners[action.data["corner"]]))
        if "move_robber" in kinds:
            return max(kinds["move_robber"], key=lambda action: self.harm(observation, action.data["hex"]))
        kind = next((kind for kind in WISHES if kind in kinds), actions[0].kind)
        if kind in ("build_settlement", "build_city"):
            return max(kinds[kind], key=lambda action: self.worth(board.corners[action.data["corner"]]))
        return kinds[kind][0]

    def worth(self, corner):
        """How often its hexes produce, and a little for variety and for a harbour."""
        return corner.pips + len({hex.resource for hex in corner.hexes}) + (corner.harbour is not None)

    def harm(self, observation, number):
        """What the robber would take from the others on a hex, less what it would take from this seat."""
        hex, harm = observation.board.hexes[number], 0
        for player in observation.players:
            count = len(player.settlements & {*hex.corners}) + 2 * len(player.cities & {*hex.corners})
            harm += count * hex.pips * (-1 if player.seat == self.seat else 1)
        return harm
