"""The commands of Coup alone; its profile says where each is."""
