"""The blueprint of Coup, a mixed strategy learned by self-play: how it is trained, measured and told."""
