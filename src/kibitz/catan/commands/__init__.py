"""The commands of Catan alone; its profile says where each is."""
