"""Games that were played, looked at again: what each move was worth, and what was luck."""
