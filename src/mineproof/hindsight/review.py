"""A game, move by move: what could be known before each, and what the move made of it.

First every move is marked (`walk`), which is quick. Then guesses get their winning chances, which take nearly all of
the time: exact where the rest of the game can be searched, else estimated with so many playouts for all together.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from mineproof.agents.chance import Chance, play_out, search
from mineproof.board.game import Game, State
from mineproof.board.grid import whole
from mineproof.errors import CannotConvert, InvalidBoard, OutOfTime
from mineproof.hindsight.report import Mark, Review, summed_up
from mineproof.hindsight.walk import Walk
from mineproof.limit import DEFAULT, Clock, Limit
from mineproof.odds.analysis import EQUAL

if TYPE_CHECKING:
    from collections.abc import Callable

    from mineproof.board.position import Position
    from mineproof.board.replay import Replay
    from mineproof.hindsight.report import Reviewed
    from mineproof.hindsight.walk import Plan

PLAYOUTS = 300
"""For all estimates of a review together, unless told otherwise."""
MOST_PLAYOUTS = 1_000_000
WORK = 6e5
"""For each of them, on average, in units of about a nanosecond: some positions take twenty times as long as most."""
POOR = 0.01
"""A guess is poor that cost more winning chance than this, and more than two standard errors."""
MARKING = 0.7
"""Share of the time that finding out what was certain may take."""


def review(
    played: Game | Replay,
    limit: Limit = DEFAULT,
    *,
    playouts: int = PLAYOUTS,
    progress: Callable[[int, int], object] | None = None,
) -> Review:
    """Mark each move of a game, and weigh its guesses.

    ``playouts`` are for all estimates of winning chances together; with 0, guesses are judged by their risk alone.
    ``progress`` is told how much is done, and of how much. Raises `OutOfTime` when the limit is too short to find out
    what was certain; winning chances that it leaves no time for are left out.

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
    if not 0 <= whole(playouts, "the number of playouts") <= MOST_PLAYOUTS:
        raise InvalidBoard(f"a review takes from 0 to {MOST_PLAYOUTS:,} playouts, not {playouts:,}")
    if not replay.moves:
        raise CannotConvert("there is nothing to review: no move was played")
    tell = progress or _nobody
    walk = Walk(Game.from_id(replay.id), clock.part(MARKING))
    for number, move in enumerate(replay.moves, start=1):
        walk.play(number, move)
        tell(number, len(replay.moves) + len(walk.plans))
    moves = walk.told
    end = _end(walk)
    if walk.plans:
        wanted = [*chain.from_iterable(map(_wanted, walk.plans)), *([walk.position] if end is None else [])]
        chances = _chances(wanted, playouts, clock, lambda done, of: tell(len(moves) + done, len(moves) + of))
        end = chances.get(walk.position) if end is None else end
        for told in _weighed(walk.plans, chances, end):
            moves[told.number - 1] = told
    return Review(replay, tuple(moves), summed_up(moves, walk.game.state, end, walk.wrong_flags()))


def _nobody(_done: int, _total: int) -> None:
    """Wants to know how far it is."""


def _end(walk: Walk) -> Chance | None:
    """The chance of a game that is over; None when it is not."""
    state = walk.game.state
    return None if state is State.PLAYING else Chance(0.0 if state is State.LOST else 1.0)


def _wanted(plan: Plan) -> list[Position]:
    """The positions whose chances tell what a guess cost: the one before it, and the one in which it is safe."""
    if plan.share and plan.named is None:
        return []
    return ([] if plan.same else [plan.position]) + ([] if plan.named is None else [plan.named])


def _chances(
    positions: list[Position], playouts: int, clock: Clock, tell: Callable[[int, int], object]
) -> dict[Position, Chance]:
    """The winning chances of these positions, as far as there is time. What can be searched comes first."""
    found: dict[Position, Chance] = {}
    hard = []
    for position in dict.fromkeys(positions) if playouts else ():
        exact = None if clock.over else search(position, clock.part(0.2))
        if exact is not None:
            found[position] = exact
        else:
            hard.append(position)
    for done, position in enumerate(hard, start=1):
        if clock.over:
            break
        with suppress(OutOfTime):  # what is missing is None in the report
            games = max(2, playouts // max(len(hard), 3))
            found[position] = play_out(position, games, clock, WORK * games)
        tell(done, len(hard))
    return found


def _weighed(plans: list[Plan], chances: dict[Position, Chance], end: Chance | None) -> list[Reviewed]:
    """The guesses with their chances, the last one first."""
    found = []
    for plan in reversed(plans):
        with_it = Chance(0.0) if plan.named is None else chances.get(plan.named)
        with_it = None if with_it is None or (plan.share and plan.named is None) else with_it.times(plan.share)
        before = with_it if plan.same else chances.get(plan.position)
        told = replace(plan.told, before=before, with_it=with_it, behind=Chance(0.0) if plan.told.mines else end)
        found.append(replace(told, mark=_verdict(told, same=plan.same)))
        end = before
    return found


def _verdict(told: Reviewed, *, same: bool) -> Mark:
    """Whether a guess that had to be was good."""
    if told.mark is not Mark.GOOD or same:
        return told.mark
    cost = told.cost
    if cost is None:  # only the risk is known
        return Mark.POOR if (told.extra_risk or 0.0) > EQUAL else Mark.GOOD
    return Mark.POOR if cost.value > max(POOR, 2 * cost.error) else Mark.GOOD
