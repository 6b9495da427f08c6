"""Reviews of games: the value of each move, and what was luck."""
