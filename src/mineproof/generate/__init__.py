"""Boards that need no guess, of any level; the solution of a board, and its difficulty."""
