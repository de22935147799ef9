"""Checks of Fire & Axe that only it has: its map and weather by an independent reading."""
