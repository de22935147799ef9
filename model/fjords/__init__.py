"""Fjords: two players lay a landscape of hexagons, then claim its farmland.  Three rounds."""
