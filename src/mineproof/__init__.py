"""Minesweeper where every move has a proof, and every guess its exact odds.

>>> import mineproof
>>> game = mineproof.Game("beginner", "opening", seed=1)
>>> len(game.open("E5")), str(game.state)
(32, 'playing')
"""

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
    CannotConvert,
    IllegalMove,
    InvalidBoard,
    InvalidText,
    MineproofError,
    UnknownName,
)

__version__ = "0.1.0"

__all__ = [
    "FORMATS",
    "LEVELS",
    "CannotConvert",
    "Cell",
    "Cells",
    "Game",
    "GameId",
    "Grid",
    "IllegalMove",
    "InvalidBoard",
    "InvalidText",
    "Layout",
    "Level",
    "Metrics",
    "MineproofError",
    "Move",
    "Position",
    "Replay",
    "Rules",
    "State",
    "Status",
    "UnknownName",
    "bbbv",
    "layouts",
    "measure",
    "read",
    "write",
]
