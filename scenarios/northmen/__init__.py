"""Scenarios of Northmen, and how a position of which only some fields are given is completed."""
