"""Boards with a property: today, boards that provably need no guess."""
