"""Scenarios: worked examples and crafted cases, one YAML file each, and the code that runs them."""
