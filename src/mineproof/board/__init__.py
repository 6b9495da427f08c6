"""The game: cells, layouts, rules, moves, positions, formats, pictures and measures. It does not reason."""
