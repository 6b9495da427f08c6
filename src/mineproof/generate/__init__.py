"""Boards with a property: those that need no guess, of any level; what solves a board, and how difficult it is."""
