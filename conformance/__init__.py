"""Conformance: the protocol, the referee that drives an implementation, the reference as a server, faults."""
