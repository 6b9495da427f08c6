"""An agent of your own: a class with ``choose``, in a game and in a tournament."""

from mineproof import Decision, Limit, Move, Plan, Position, play, tournament


class First:
    """Opens the first closed cell."""

    def choose(self, position: Position, limit: Limit) -> Decision:  # noqa: ARG002
        return Decision(Move("open", position.where("H")[0]), certain=False)


print(play(First(), level="beginner", seed=1))
print(tournament(Plan([First, "best"], "beginner", games=50)))
