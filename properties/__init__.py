"""Properties: one list of checks over play, driven by seeded playouts and by state machines."""
