"""Solver: topics, claims and questions about a rulebook, answered by z3."""
