"""The review of a game: what could be known before each move, and what the move did with it.

First every move is marked (`walk`), which is fast. Then guesses get their winning chances (`weigh`), which takes nearly
all of the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.agents.chance import MOST_PLAYOUTS, PLAYOUTS, Chance
from mineproof.board.game import Game, Replay, State
from mineproof.board.grid import whole
from mineproof.errors import InvalidArgument, shorten
from mineproof.hindsight.report import Review, Spent, summed_up
from mineproof.hindsight.walk import Walk
from mineproof.hindsight.weigh import Contest, play_out, weighed
from mineproof.limit import DEFAULT, Clock, Limit

if TYPE_CHECKING:
    from collections.abc import Callable


__all__ = ["MOST_PLAYOUTS", "PLAYOUTS", "review"]

MARKING = 0.7
"""The share of the time for finding certain cells."""


def review(
    played: Game | Replay,
    limit: Limit = DEFAULT,
    *,
    playouts: int = PLAYOUTS,
    progress: Callable[[int, int], object] | None = None,
) -> Review:
    """Mark each move of a game, and weigh its guesses.

    ``playouts`` is the total for all estimates of winning chances; with 0, guesses are judged by their risk alone.
    ``progress`` is called with the amount done and the total. Raises `OutOfTime` if the limit is too short to find the
    certain cells; if only the playouts run out of time, the remaining winning chances are left out.

    >>> from mineproof import Game, Layout
    >>> game = Game(Layout.parse("4x2x2=50"))
    >>> for move in ("open A1", "open B2", "open D2"):
    ...     changed = game.play(move)
    >>> for told in review(game).moves:
    ...     print(told.number, told.move, told.mark, told.luck, sep=", ")
    1, open A1, start, None
    2, open B2, good guess, +16.7
    3, open D2, needless guess, +50.0
    """
    clock = Clock(limit)
    replay = played.replay() if isinstance(played, Game) else played
    if not isinstance(replay, Replay):
        raise InvalidArgument(f"a review takes a game or a replay, not {shorten(played)}")
    if not 0 <= whole(playouts, "the number of playouts") <= MOST_PLAYOUTS:
        raise InvalidArgument(f"a review can use 0 to {MOST_PLAYOUTS:,} playouts, not {playouts:,}")
    if not replay.moves:
        raise InvalidArgument("there is nothing to review: no move was played")
    tell = progress or _nobody
    walk = Walk(Game.from_id(replay.id), clock.part(MARKING))
    for number, move in enumerate(replay.moves, start=1):
        walk.play(number, move)
        tell(number, len(replay.moves) + len(walk.plans))
    moves = walk.told
    state = walk.game.state
    end = None if state is State.PLAYING else Chance(0.0 if state is State.LOST else 1.0)
    spent = Spent(playouts)
    contests = [Contest(plan.position, plan) for plan in walk.plans]
    if contests and end is None:
        contests.append(Contest(walk.position))
    if contests and playouts:
        hard = [one for one in contests if one.look(clock)]
        plans = len(walk.plans)
        spent = play_out(hard, playouts, clock, lambda share: tell(len(moves) + int(share * plans), len(moves) + plans))
        end = contests[-1].before if end is None else end
    for told in weighed(contests, end):
        moves[told.number - 1] = told
    return Review(replay, tuple(moves), summed_up(moves, state, end, walk.wrong_flags(), spent))


def _nobody(_done: int, _total: int) -> None:
    """Is called with the amount done and the total."""
