"""The subcommands: one module each, whose docstring's first line is its help and whose ``command`` runs."""
