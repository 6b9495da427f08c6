"""The review of a game: each move is judged by what could be known before it.

First every move is marked (`walk`), which is fast. Then guesses get their winning chances (`weigh`), which takes nearly
all of the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.agents.chance import MOST_PLAYOUTS, PLAYOUTS, Chance
from mineproof.board.game import Game, Replay, State
from mineproof.board.grid import whole
from mineproof.errors import InvalidArgument, shorten
from mineproof.hindsight.report import Review, Spent, summarise
from mineproof.hindsight.walk import Walk
from mineproof.hindsight.weigh import Contest, apply_chances, play_out
from mineproof.limit import DEFAULT, Clock, Limit

if TYPE_CHECKING:
    from collections.abc import Callable


__all__ = ["MOST_PLAYOUTS", "PLAYOUTS", "review"]

MARKING = 0.7
"""The share of the time limit for marking the moves."""


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
    >>> for reviewed in review(game).moves:
    ...     print(reviewed.number, reviewed.move, reviewed.mark, reviewed.luck, sep=", ")
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
    report = progress or _ignore_progress
    walk = Walk(Game.from_id(replay.id), clock.part(MARKING))
    for number, move in enumerate(replay.moves, start=1):
        walk.play(number, move)
        report(number, len(replay.moves) + len(walk.guesses))
    moves = walk.reviewed
    state = walk.game.state
    end = None if state is State.PLAYING else Chance(0.0 if state is State.LOST else 1.0)
    spent = Spent(playouts)
    contests = [Contest(guess.position, guess) for guess in walk.guesses]
    if contests and end is None:
        contests.append(Contest(walk.position))
    if contests and playouts:
        hard = [contest for contest in contests if contest.search(clock)]
        done, guesses = len(moves), len(walk.guesses)
        spent = play_out(hard, playouts, clock, lambda share: report(done + int(share * guesses), done + guesses))
        end = contests[-1].before if end is None else end
    for reviewed in apply_chances(contests, end):
        moves[reviewed.number - 1] = reviewed
    return Review(replay, tuple(moves), summarise(moves, state, end, walk.wrong_flags(), spent))


def _ignore_progress(_done: int, _total: int) -> None:
    """Do nothing: the caller does not follow the progress."""
