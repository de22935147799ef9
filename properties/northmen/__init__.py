"""Checks over play that only Saga of the Northmen has."""
