"""Minesweeper where every move has a proof, and every guess its exact odds.

>>> import mineproof
>>> game = mineproof.Game("beginner", "opening", seed=1)
>>> len(game.open("E5")), str(game.state)
(32, 'playing')
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from mineproof.board import front as _front

if TYPE_CHECKING:
    from pathlib import Path

    from mineproof.agents.agent import Agent, Decision
    from mineproof.agents.chance import Chance, winning_chance
    from mineproof.agents.registry import AGENTS, AgentSpec
    from mineproof.agents.systems import SYSTEMS
    from mineproof.arena.match import Result, finish, play
    from mineproof.arena.tournament import Plan, Standing, tournament
    from mineproof.board.formats import FORMATS, read, save, write
    from mineproof.board.game import Game, Replay, State
    from mineproof.board.grid import Cell, Cells, CellSet, Grid
    from mineproof.board.html import Picture
    from mineproof.board.ids import GameId
    from mineproof.board.layout import Layout, layouts
    from mineproof.board.level import LEVELS, Level
    from mineproof.board.metrics import Metrics, bbbv, measure
    from mineproof.board.move import Move
    from mineproof.board.position import Position, Status
    from mineproof.board.rules import Rules
    from mineproof.errors import (
        AgentFault,
        BadRecords,
        Cancelled,
        CannotConvert,
        IllegalMove,
        InconsistentPosition,
        InvalidArgument,
        InvalidBoard,
        InvalidText,
        MineproofError,
        MissingExtra,
        NeverAnswers,
        NoneFound,
        OutOfTime,
        TooHard,
        UnknownName,
    )
    from mineproof.explain.explanation import Explanation, why
    from mineproof.explain.hint import Hint, hint
    from mineproof.explain.show import show
    from mineproof.generate.no_guess import NoGuess, needs_guess, no_guess
    from mineproof.generate.rating import Rating, rate
    from mineproof.generate.solution import Solution, solve
    from mineproof.hindsight.report import Review
    from mineproof.hindsight.review import review
    from mineproof.limit import Limit
    from mineproof.logic.conflict import Conflict
    from mineproof.logic.deduction import Deduction, Deductions
    from mineproof.logic.methods import METHODS
    from mineproof.logic.proof import Proof, prove
    from mineproof.logic.sat import find_conflict
    from mineproof.odds.analysis import Analysis, analyse
    from mineproof.odds.analyst import Analyst

__version__ = "0.1.0"

__all__ = [
    "AGENTS",
    "FORMATS",
    "LEVELS",
    "METHODS",
    "SYSTEMS",
    "Agent",
    "AgentFault",
    "AgentSpec",
    "Analysis",
    "Analyst",
    "BadRecords",
    "Cancelled",
    "CannotConvert",
    "Cell",
    "CellSet",
    "Cells",
    "Chance",
    "Conflict",
    "Decision",
    "Deduction",
    "Deductions",
    "Explanation",
    "Game",
    "GameId",
    "Grid",
    "Hint",
    "IllegalMove",
    "InconsistentPosition",
    "InvalidArgument",
    "InvalidBoard",
    "InvalidText",
    "Layout",
    "Level",
    "Limit",
    "Metrics",
    "MineproofError",
    "MissingExtra",
    "Move",
    "NeverAnswers",
    "NoGuess",
    "NoneFound",
    "OutOfTime",
    "Plan",
    "Position",
    "Proof",
    "Rating",
    "Replay",
    "Result",
    "Review",
    "Rules",
    "Solution",
    "Standing",
    "State",
    "Status",
    "TooHard",
    "UnknownName",
    "analyse",
    "bbbv",
    "find_conflict",
    "finish",
    "hint",
    "layouts",
    "measure",
    "needs_guess",
    "no_guess",
    "play",
    "prove",
    "rate",
    "read",
    "review",
    "save",
    "show",
    "solve",
    "tournament",
    "why",
    "winning_chance",
    "write",
]

_LATER = {
    "AGENTS": "mineproof.agents.registry",
    "FORMATS": "mineproof.board.formats",
    "LEVELS": "mineproof.board.level",
    "METHODS": "mineproof.logic.methods",
    "SYSTEMS": "mineproof.agents.systems",
    "Agent": "mineproof.agents.agent",
    "AgentFault": "mineproof.errors",
    "AgentSpec": "mineproof.agents.registry",
    "Analysis": "mineproof.odds.analysis",
    "Analyst": "mineproof.odds.analyst",
    "BadRecords": "mineproof.errors",
    "Cancelled": "mineproof.errors",
    "CannotConvert": "mineproof.errors",
    "Cell": "mineproof.board.grid",
    "CellSet": "mineproof.board.grid",
    "Cells": "mineproof.board.grid",
    "Chance": "mineproof.agents.chance",
    "Conflict": "mineproof.logic.conflict",
    "Decision": "mineproof.agents.agent",
    "Deduction": "mineproof.logic.deduction",
    "Deductions": "mineproof.logic.deduction",
    "Explanation": "mineproof.explain.explanation",
    "Game": "mineproof.board.game",
    "GameId": "mineproof.board.ids",
    "Grid": "mineproof.board.grid",
    "Hint": "mineproof.explain.hint",
    "IllegalMove": "mineproof.errors",
    "InconsistentPosition": "mineproof.errors",
    "InvalidArgument": "mineproof.errors",
    "InvalidBoard": "mineproof.errors",
    "InvalidText": "mineproof.errors",
    "Layout": "mineproof.board.layout",
    "Level": "mineproof.board.level",
    "Limit": "mineproof.limit",
    "Metrics": "mineproof.board.metrics",
    "MineproofError": "mineproof.errors",
    "MissingExtra": "mineproof.errors",
    "Move": "mineproof.board.move",
    "NeverAnswers": "mineproof.errors",
    "NoGuess": "mineproof.generate.no_guess",
    "NoneFound": "mineproof.errors",
    "OutOfTime": "mineproof.errors",
    "Plan": "mineproof.arena.tournament",
    "Position": "mineproof.board.position",
    "Proof": "mineproof.logic.proof",
    "Rating": "mineproof.generate.rating",
    "Replay": "mineproof.board.game",
    "Result": "mineproof.arena.match",
    "Review": "mineproof.hindsight.report",
    "Rules": "mineproof.board.rules",
    "Solution": "mineproof.generate.solution",
    "Standing": "mineproof.arena.tournament",
    "State": "mineproof.board.game",
    "Status": "mineproof.board.position",
    "TooHard": "mineproof.errors",
    "UnknownName": "mineproof.errors",
    "analyse": "mineproof.odds.analysis",
    "bbbv": "mineproof.board.metrics",
    "find_conflict": "mineproof.logic.sat",
    "finish": "mineproof.arena.match",
    "hint": "mineproof.explain.hint",
    "layouts": "mineproof.board.layout",
    "measure": "mineproof.board.metrics",
    "needs_guess": "mineproof.generate.no_guess",
    "no_guess": "mineproof.generate.no_guess",
    "play": "mineproof.arena.match",
    "prove": "mineproof.logic.proof",
    "rate": "mineproof.generate.rating",
    "read": "mineproof.board.formats",
    "review": "mineproof.hindsight.review",
    "save": "mineproof.board.formats",
    "show": "mineproof.explain.show",
    "solve": "mineproof.generate.solution",
    "tournament": "mineproof.arena.tournament",
    "why": "mineproof.explain.explanation",
    "winning_chance": "mineproof.agents.chance",
    "write": "mineproof.board.formats",
}


def __getattr__(name: str) -> Any:
    """Import a name on first use, so that importing the package is cheap."""
    if name not in _LATER:
        raise AttributeError(f"module 'mineproof' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_LATER[name]), name)
    return value


def _show(*given: Any, **how: Any) -> "Picture":
    from mineproof.explain.show import show

    return show(*given, **how)


def _save(game: "Game", path: "str | Path") -> None:
    from mineproof.board.formats import save

    save(game, path)


def _load(path: "str | Path") -> "Game":
    from mineproof.board.formats import as_game, read_file

    return as_game(read_file(path))


_front.show, _front.save, _front.load = _show, _save, _load


def __dir__() -> list[str]:
    """The public names only, whether or not they have been used."""
    return list(__all__)
