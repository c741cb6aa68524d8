"""The commands of the One Piece card game alone; its profile says where each is."""
