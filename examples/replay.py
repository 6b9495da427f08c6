"""Replay: save a game as text, load it again, and look at any step."""

from mineproof import Game, Replay

game = Game("beginner", "opening", seed=7)
game.open("C3")
game.flag("I9")
text = game.replay().to_text()
replay = Replay.from_text(text)
for step, position in enumerate(replay.positions()):
    print(f"step {step}: {position.mines_left} mines left")
assert replay.game().position == game.position
