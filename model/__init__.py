"""Reference models: one folder a game, and ``core`` that all of them share."""
