"""Comparing agents: matches and tournaments."""
