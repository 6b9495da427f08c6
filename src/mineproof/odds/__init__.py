"""Odds: exact counting of the boards consistent with a position. It sees positions, never a layout or a game."""
