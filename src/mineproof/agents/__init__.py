"""Agents: the `Agent` protocol, guess policies, the players and their registry. They see positions only."""
