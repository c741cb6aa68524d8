"""A network for two-player Catan that knows the island: corners, edges and hexes share their weights.

The observation is rotated so that the observer is always the first seat. Each corner is described by its surroundings,
exchanges information with its neighbours twice, and is scored for what can be built there; an edge is scored by its two
corners, and a hex by its six. Two wide layers, which also see the evaluator's inputs (the verb `inputs`), score everything
else and the value.
"""

from __future__ import annotations

import torch
from torch import nn

from kibitz.adapters.setting import Setting
from kibitz.catan.core.topology import CORNER_HEXES, CORNERS, EDGE_BETWEEN, EDGES, HEXES

#: Parts of an observation with a row for each seat, and those that name a seat.
BY_SEAT = ("settlements", "cities", "roads", "hand_size", "dev_size", "played", "road_length", "discards")
NAMES = ("player", "road_holder", "army_holder", "victim")
#: Other parts that are used as they are.
AMOUNTS = (
    "hand", "hand_size", "bank", "dev", "new_dev", "dev_size", "new_dev_size", "played", "deck_size", "road_length",
    "discards", "roll", "placed", "dev_done", "free_roads", "turn",
)  # fmt: skip
PHASES = 17
SEATS = 2
#: Standardised numbers are clipped here.
FAR = 6.0


def links() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """``[corner, hex]``, ``[corner, edge]``, ``[corner, corner]``: 1 where they touch; and ``[edge, 2]`` its corners."""
    hexes, edges, near = torch.zeros(CORNERS, HEXES), torch.zeros(CORNERS, EDGES), torch.zeros(CORNERS, CORNERS)
    ends = torch.zeros(EDGES, 2, dtype=torch.int64)
    for (a, b), edge in EDGE_BETWEEN.items():
        edges[a, edge] = near[a, b] = 1
        ends[edge] = torch.tensor(sorted((a, b)))
    for corner in range(CORNERS):
        for at in range(3):
            if CORNER_HEXES[corner, at] >= 0:
                hexes[corner, CORNER_HEXES[corner, at]] = 1
    return hexes, edges, near, ends


class CatanNet(nn.Module):
    """Maps an observation to the logits of all ids and to the value of the game."""

    def __init__(self, here: Setting, inputs: int, width: int = 512, corner_width: int = 64) -> None:
        super().__init__()
        self.slices, self.shapes = here.layout.slices, {part.name: part.shape for part in here.layout.parts}
        self.ids = self.places_of(here)
        hexes, edges, near, ends = links()
        for name, fixed in (("hexes", hexes), ("edges", edges), ("near", near / 3), ("ends", ends)):
            self.register_buffer(name, fixed, persistent=False)
        self.register_buffer("pips", torch.tensor([0.0, 0, 1, 2, 3, 4, 5, 0, 5, 4, 3, 2, 1]) / 5, persistent=False)
        amounts = sum(self.shapes_size(name) for name in AMOUNTS)
        self.plain = SEATS * inputs + amounts
        self.register_buffer("count", torch.zeros(()))
        self.register_buffer("mean", torch.zeros(self.plain))
        self.register_buffer("squares", torch.zeros(self.plain))
        told = self.plain + PHASES + SEATS * len(NAMES)
        c = corner_width
        self.corner = nn.Linear(23, c)
        self.meet = nn.ModuleList(nn.Linear(2 * c, c) for _ in range(2))
        self.first, self.second = nn.Linear(told + 4 * c, width), nn.Linear(width, width)
        self.norms = nn.ModuleList((nn.LayerNorm(width), nn.LayerNorm(width)))
        self.context = nn.Linear(width, 3 * c)
        self.at_corner, self.at_edge, self.at_hex = nn.Linear(c, c), nn.Linear(c + 2, c), nn.Linear(c + 8, c)
        self.corner_logits, self.edge_logits, self.hex_logits = nn.Linear(c, 3), nn.Linear(c, 3), nn.Linear(c, 1)
        self.policy, self.value = nn.Linear(width, len(here.actions)), nn.Linear(width, 1)
        for head in (self.policy, self.corner_logits, self.edge_logits, self.hex_logits, self.value):
            nn.init.normal_(head.weight, std=0.01)
            nn.init.zeros_(head.bias)

    @staticmethod
    def places_of(here: Setting) -> dict[str, int]:
        """The first id of each kind of action that has a place."""
        first: dict[str, int] = {}
        for number in range(len(here.actions)):
            first.setdefault(here.actions.describe(number).split()[0], number)
        return first

    def shapes_size(self, name: str) -> int:
        """How many numbers of a part are used."""
        part = self.slices[name]
        rows = part.stop - part.start
        return rows * SEATS // 4 if name in BY_SEAT else rows

    def part(self, seen: torch.Tensor, name: str, seat: torch.Tensor) -> torch.Tensor:
        """A part of the observation, ``[n, seat, ...]`` with the observer first where it has a row for each seat."""
        found = seen[:, self.slices[name]]
        if name not in BY_SEAT:
            return found
        rows = found.unflatten(1, (4, -1))[:, :SEATS]
        return torch.where((seat == 0)[:, None, None], rows, rows.flip(1))

    def numbers(self, seen: torch.Tensor, inputs: torch.Tensor, seat: torch.Tensor) -> torch.Tensor:
        """The amounts to be standardised."""
        amounts = [self.part(seen, name, seat).flatten(1) for name in AMOUNTS]
        return torch.cat([inputs.flatten(1), *amounts], 1).float()

    @torch.no_grad()
    def learn_moments(self, seen: torch.Tensor, inputs: torch.Tensor) -> None:
        """Update the means and variances with some observations."""
        numbers = self.numbers(seen, inputs, seen[:, 0])
        new, mean = len(numbers), numbers.mean(0)
        count, apart = self.count + new, mean - self.mean
        self.squares += ((numbers - mean) ** 2).sum(0) + apart**2 * (self.count * new / count)
        self.mean += apart * (new / count)
        self.count.copy_(count)

    def forward(self, seen: torch.Tensor, inputs: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """``[n, ids]`` log-probabilities, those of illegal ids near minus infinity; ``[n]`` values."""
        seat = seen[:, 0]
        spread = (self.squares / self.count.clamp(min=1)).sqrt()
        told = (self.numbers(seen, inputs, seat) - self.mean) / torch.where(spread > 1e-4, spread, torch.ones_like(spread))
        phase = nn.functional.one_hot(seen[:, self.slices["phase"]][:, 0].long(), PHASES)
        names = torch.cat([seen[:, self.slices[name]] for name in NAMES], 1)
        own, other = names == seat[:, None], names == 1 - seat[:, None]
        told = torch.cat([told.clamp(-FAR, FAR), phase, own, other], 1)

        terrain, number = seen[:, self.slices["terrain"]].long(), seen[:, self.slices["number"]].long()
        lands = nn.functional.one_hot(terrain + 1, 6).float() * self.pips[number][..., None]
        lands[..., 0] = seen[:, self.slices["robber"]] == torch.arange(HEXES, device=seen.device)
        dtype = told.dtype
        pieces = torch.cat([self.part(seen, "settlements", seat), self.part(seen, "cities", seat)], 1).to(dtype)
        roads = self.part(seen, "roads", seat).to(dtype)
        harbours = seen[:, self.slices["harbours"]].unflatten(1, (6, CORNERS)).to(dtype)
        setup = seen[:, self.slices["corner"]] == torch.arange(CORNERS, device=seen.device)
        built = pieces.sum(1)
        crowded = built + built @ self.near.T
        around = torch.einsum("nhk,ch->nck", lands, self.hexes)
        ends = roads @ self.edges.T
        corners = torch.cat(
            [
                around, harbours.mT, pieces.mT, ends.mT, crowded[..., None], setup[..., None].to(dtype),
                (around > 0).sum(-1, keepdim=True).to(dtype) / 3, around[..., 1:].sum(-1, keepdim=True),
                (crowded == 0)[..., None].to(dtype),
            ], -1,
        )  # fmt: skip
        h = self.corner(corners).relu()
        for meet in self.meet:
            h = meet(torch.cat([h, self.near.to(h.dtype) @ h], -1)).relu()
        mine, theirs = ((pieces[:, k] + pieces[:, 2 + k]).to(h.dtype)[:, None] for k in (0, 1))
        pooled = [h.mean(1), h.amax(1), (mine @ h)[:, 0] / 4, (theirs @ h)[:, 0] / 4]

        wide = self.norms[0](self.first(torch.cat([told, *pooled], 1))).relu()
        wide = self.norms[1](self.second(wide)).relu() + wide
        context = self.context(wide)[:, None].chunk(3, -1)
        corner_logits = self.corner_logits((self.at_corner(h) + context[0]).relu())
        along = h[:, self.ends].sum(2)
        edge_logits = self.edge_logits((self.at_edge(torch.cat([along, roads.mT.to(h.dtype)], -1)) + context[1]).relu())
        hexes = self.hexes.to(h.dtype)
        near = torch.cat([hexes.T @ h, lands.to(h.dtype), (mine @ hexes).mT, (theirs @ hexes).mT], -1)
        hex_logits = self.hex_logits((self.at_hex(near) + context[2]).relu())
        logits = self.policy(wide).float()
        for first, more in self.structured(corner_logits.float(), edge_logits.float(), hex_logits.float()):
            logits[:, first : first + more.shape[1]] += more
        return logits.masked_fill(~masks, -1e9).log_softmax(-1), self.value(wide).squeeze(-1).float()

    def structured(self, corners: torch.Tensor, edges: torch.Tensor, hexes: torch.Tensor) -> list[tuple[int, torch.Tensor]]:
        """The logits of places, each with the first id that it is for."""
        ids = self.ids
        return [
            (ids["place_setup_settlement"], corners[..., 0]), (ids["build_settlement"], corners[..., 1]),
            (ids["build_city"], corners[..., 2]), (ids["place_setup_road"], edges[..., 0]), (ids["build_road"], edges[..., 1]),
            (ids["place_free_road"], edges[..., 2]), (ids["move_robber"], hexes[..., 0]),
        ]  # fmt: skip
