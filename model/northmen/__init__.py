"""Saga of the Northmen: two to four players rally Kingdoms, march for plunder, and plan.  Three rounds."""
