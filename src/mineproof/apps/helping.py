"""Help in a running game, shared by the apps: hints, what an agent would do, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mineproof.agents.agent import Decision, close, opening, reset
from mineproof.errors import IllegalMove, MineproofError
from mineproof.explain.explanation import analyse_or_refuse, deriver_of, why_with
from mineproof.explain.hint import Hint, first_hint, hint
from mineproof.limit import DEFAULT, Limit
from mineproof.percent import percent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mineproof.agents.agent import Agent
    from mineproof.agents.registry import AgentSpec
    from mineproof.board.game import Game
    from mineproof.board.grid import Cell
    from mineproof.board.move import Move
    from mineproof.board.position import Position

MOST_WORDS = 12
"""The most cells of a turn that are explained."""


def game_hint(game: Game, limit: Limit = DEFAULT) -> Hint:
    """A hint for a game: before the first click, where to begin. `IllegalMove` when the game is over.

    >>> from mineproof import Game
    >>> print(game_hint(Game("beginner", "opening", seed=1)))
    The first click is always safe in this game; C3 is a good one.
    >>> print(game_hint(Game.from_id("9x9x10/opening=0103081000200a0004008@E5")))
    Start at E5, which is safe.
    """
    if game.over:
        raise IllegalMove(f"the game is {game.state}, so there is no next move to hint at")
    return first_of(game) or hint(game.position, limit)


def first_of(game: Game) -> Hint | None:
    """Where to begin a game; None if a cell is open, or no start is known to be safe."""
    return first_hint(game.position, game.rules if game.layout is None else None, game.safe_start)


def decide(position: Position, first: Hint | None, spec: AgentSpec, seed: int, limit: Limit) -> Decision:
    """What an agent does now that sees the game for the first time."""
    agent = spec.make()
    try:
        reset(agent, seed)
        return move_of(agent, position, first, limit)
    finally:
        close(agent)


def move_of(agent: Agent, position: Position, first: Hint | None, limit: Limit) -> Decision:
    """What an agent does now; before the first click, ``first`` says where to begin."""
    if first is not None and first.cell is not None:
        return Decision(opening(position, first.cell), certain=True, risk=0.0)
    return agent.choose(position, limit)


class Reason(NamedTuple):
    """Why an agent made a move."""

    cell: Cell
    verdict: str
    """``safe``, ``mine`` or ``guess``."""
    text: str
    clues: tuple[Cell, ...] = ()
    level: int | None = None
    """Of the explanation, if the text is one."""


def reasons(position: Position, decision: Decision, played: Iterable[Move], limit: Limit) -> Iterator[Reason]:
    """Why each move: in words where it is certain, else its risk."""
    cells = [move.cell for move in played if move.kind != "unflag" and move.cell is not None]
    if not decision.certain:
        for cell in cells:
            risk = "" if decision.risk is None else f": {percent(decision.risk)} risk of a mine"
            yield Reason(cell, "guess", f"Guess {cell}{risk}.")
        return
    own = {cell: one for one in decision.reasons for cell in one.cells}
    try:
        clock = Limit(min(2.0, limit.seconds), cancel=limit.cancel).start()
        analysis = analyse_or_refuse(position, clock)
        deriver = deriver_of(analysis, clock) if any(cell in own for cell in cells[:MOST_WORDS]) else None
    except MineproofError:
        analysis, deriver = None, None
    for number, cell in enumerate(cells):
        found = own.get(cell)
        if found is None:
            yield Reason(cell, "safe", f"{cell} is the first click.")
            continue
        verdict, clues = "mine" if found.mine else "safe", tuple(sorted(found.because))
        if analysis is not None and deriver is not None and number < MOST_WORDS:
            try:
                words = why_with(analysis, cell, clock, deriver)
            except MineproofError:
                deriver = None  # out of time: from here on, the agent's own reasons
            else:
                yield Reason(cell, verdict, words.text, clues, words.level)
                continue
        yield Reason(cell, verdict, f"{cell} is {'a mine' if found.mine else 'safe'}, {found.reason}.", clues)
