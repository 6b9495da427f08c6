"""What a player of a game may know and ask: help, answers, an agent's turn, and the reasons of moves."""
