"""What the PPO recipes share: the folder of a training, its checksum, and how an action is drawn."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import torch
from learning_curve import curve_svg
from torch import nn


class TrainingFolder:
    """Keeps a network, its optimiser and the curve, so that the same command resumes where it was stopped."""

    def __init__(self, path: Path, recipe: dict[str, Any], net: nn.Module, optimiser: torch.optim.Optimizer) -> None:
        path.mkdir(parents=True, exist_ok=True)
        self.path, self.recipe, self.net, self.optimiser = path, recipe, net, optimiser

    @property
    def file(self) -> Path:
        """What is kept."""
        return self.path / "training.pt"

    def load(self, device: torch.device) -> dict[str, Any] | None:
        """The network, the optimiser and whatever else was saved; None if nothing was."""
        if not self.file.is_file():
            return None
        kept: dict[str, Any] = torch.load(self.file, map_location=device, weights_only=True)
        if kept["recipe"] != self.recipe:
            raise SystemExit(f"{self.path} holds another training: name another folder, or delete it")
        self.net.load_state_dict(kept["net"])
        self.optimiser.load_state_dict(kept["optimiser"])
        return kept

    def save(self, curve: list[dict[str, float]], rival: str, games: int, **more: Any) -> None:
        """Keep everything; a kill in the middle of it loses nothing."""
        kept = {"recipe": self.recipe, "net": self.net.state_dict(), "optimiser": self.optimiser.state_dict(), "curve": curve}
        new = self.file.with_suffix(".new")
        torch.save({**kept, **more}, new)
        new.replace(self.file)
        (self.path / "curve.json").write_text(json.dumps(curve, indent=1) + "\n", encoding="utf-8")
        if curve:
            (self.path / "curve.svg").write_text(curve_svg(curve, rival, games), encoding="utf-8")


def checksum(net: nn.Module) -> str:
    """The checksum of the weights: the same network always has the same."""
    parts = (value.cpu().numpy().tobytes() for value in net.state_dict().values())
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


def drawn(logs: torch.Tensor) -> torch.Tensor:
    """One id for each row of log-probabilities (the Gumbel trick: cheaper than `multinomial`)."""
    return (logs - torch.empty_like(logs).exponential_().log()).argmax(dim=-1)
