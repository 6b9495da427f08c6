"""How likely: exact counting of the boards that a position allows. It sees positions, never a layout or a game."""
