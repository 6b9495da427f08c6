"""Why a cell is safe, or a mine: the fewest clues that force it, and the way a person would find it."""
