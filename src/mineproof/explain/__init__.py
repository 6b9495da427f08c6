"""Why a cell is safe, or a mine: the fewest clues that prove it, and how a person would find it."""
