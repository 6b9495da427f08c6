"""Oracles and strategies: slow, obvious twins of the fast code, and random input for both."""
