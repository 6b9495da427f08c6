"""The game: cells, layouts, rules, moves, positions, formats, pictures and measures. No reasoning."""
