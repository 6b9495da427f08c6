"""Play from Python: open a cell, then all that single clues prove safe, as far as they go."""

from mineproof import Game
from mineproof.logic.single import infer

game = Game("beginner", "opening", seed=7)
game.open("C3")
while not game.over and (moves := [d for d in infer(game.position) if not d.mine]):
    for cell in moves[0].cells:
        if game[cell] == "H":
            game.open(cell)
print(game, game.state, sep="\n")
