"""Minesweeper where every move has a proof, and every guess its exact odds.

>>> import mineproof
>>> game = mineproof.Game("beginner", "opening", seed=1)
>>> len(game.open("E5")), str(game.state)
(32, 'playing')
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from mineproof.board.formats import FORMATS, read, write
from mineproof.board.game import Game, State
from mineproof.board.grid import Cell, Cells, Grid
from mineproof.board.ids import GameId
from mineproof.board.layout import Layout, layouts
from mineproof.board.level import LEVELS, Level
from mineproof.board.metrics import Metrics, bbbv, measure
from mineproof.board.move import Move
from mineproof.board.position import Position, Status
from mineproof.board.replay import Replay
from mineproof.board.rules import Rules
from mineproof.errors import (
    AgentFault,
    BadRecords,
    Cancelled,
    CannotConvert,
    IllegalMove,
    InconsistentPosition,
    InvalidBoard,
    InvalidText,
    MineproofError,
    MissingExtra,
    NeverAnswers,
    OutOfTime,
    UnknownName,
)
from mineproof.limit import Limit

if TYPE_CHECKING:
    from mineproof.agents.agent import Agent, Decision
    from mineproof.agents.registry import AGENTS
    from mineproof.arena.match import play
    from mineproof.logic.deduction import Deduction, Deductions
    from mineproof.logic.methods import METHODS
    from mineproof.logic.proof import Proof, prove
    from mineproof.odds.analysis import Analysis, analyse
    from mineproof.odds.analyst import Analyst

__version__ = "0.1.0"

__all__ = [
    "AGENTS",
    "FORMATS",
    "LEVELS",
    "METHODS",
    "Agent",
    "AgentFault",
    "Analysis",
    "Analyst",
    "BadRecords",
    "Cancelled",
    "CannotConvert",
    "Cell",
    "Cells",
    "Decision",
    "Deduction",
    "Deductions",
    "Game",
    "GameId",
    "Grid",
    "IllegalMove",
    "InconsistentPosition",
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
    "OutOfTime",
    "Position",
    "Proof",
    "Replay",
    "Rules",
    "State",
    "Status",
    "UnknownName",
    "analyse",
    "bbbv",
    "layouts",
    "measure",
    "play",
    "prove",
    "read",
    "write",
]

_LATER = {
    "AGENTS": "mineproof.agents.registry",
    "Agent": "mineproof.agents.agent",
    "Decision": "mineproof.agents.agent",
    "play": "mineproof.arena.match",
    "METHODS": "mineproof.logic.methods",
    "Analysis": "mineproof.odds.analysis",
    "Analyst": "mineproof.odds.analyst",
    "Deduction": "mineproof.logic.deduction",
    "Deductions": "mineproof.logic.deduction",
    "Proof": "mineproof.logic.proof",
    "analyse": "mineproof.odds.analysis",
    "prove": "mineproof.logic.proof",
}


def __getattr__(name: str) -> Any:
    """Names that need more than the standard library are imported when they are first used."""
    if name not in _LATER:
        raise AttributeError(f"module 'mineproof' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_LATER[name]), name)
    return value
