"""What the solver asks about Fjords: topics, claims, reachability, and how far witnesses were carried."""
