"""The terminal app, with Textual: play by keyboard and mouse, see the odds, ask why, hand over, analyse, review.

`app` starts it. `board` is the widget that shows a position, and `looks` how a cell looks. `session` is a game that is
being played, with its clock. `work` asks the rooms that reason, in threads. `screens` has a module for each screen.
"""
