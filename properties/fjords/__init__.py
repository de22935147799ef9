"""Properties of Fjords: its history, its map seen through networkx, its symmetries."""
