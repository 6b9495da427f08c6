"""A game that is being played: its board, its clock, what help was used, and the file in which it is kept.

No part of this is drawn; `screens.play` shows it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mineproof.apps.kept import keep
from mineproof.apps.starting import check_no_guess
from mineproof.apps.tui.claim import Claim
from mineproof.board.game import Game, Replay, State
from mineproof.board.level import LEVELS, Level
from mineproof.board.move import Move
from mineproof.board.render import symbols
from mineproof.board.rules import Rules
from mineproof.errors import IllegalMove, InvalidBoard
from mineproof.files import write_file
from mineproof.seat.seat import Seat

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mineproof.board.grid import Cell, Grid
    from mineproof.board.ids import GameId
now: Callable[[], float] = time.monotonic
"""The clock of all games; tests replace it with one that they control."""

OPENING = Rules("opening")
MOST_CELLS = 2**20
MOST_TIME = 10**15
"""The longest time that is believed, in milliseconds; a file with a longer one is damaged."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The kind of game that the player wants."""

    level: Level = LEVELS["expert"]
    rules: Rules = OPENING
    no_guess: bool = False
    difficulty: str | None = None
    """The difficulty of a board that needs no guess; None for any."""
    seed: int | None = None

    def __post_init__(self) -> None:
        check_no_guess(self.level, self.no_guess, self.difficulty)
        if self.no_guess and not self.rules.laid_after_click:
            raise InvalidBoard("a board that needs no guess needs a first click that is safe or an opening")

    @classmethod
    def parse(cls, level: str, rules: str, no_guess: bool, difficulty: str) -> Wanted:
        """Read a kind of game from `words`."""
        return cls(Level.parse(level), Rules.parse(rules), no_guess, difficulty or None)

    @property
    def words(self) -> dict[str, str | bool]:
        """The text form of each field, which `parse` reads.

        >>> Wanted.parse(**Wanted(no_guess=True, difficulty="hard").words).name
        'expert, no guess, hard'
        """
        return {
            "level": str(self.level), "rules": str(self.rules), "no_guess": self.no_guess,
            "difficulty": self.difficulty or "",
        }  # fmt: skip

    @property
    def name(self) -> str:
        """The name of this kind of game, in titles and best times.

        >>> Wanted(LEVELS["beginner"], no_guess=True, difficulty="hard").name
        'beginner, no guess, hard'
        """
        rules = "" if self.rules == OPENING else f", {self.rules}"
        difficulty = f", {self.difficulty}" if self.difficulty else ""
        return f"{self.level}{rules}{', no guess' * self.no_guess}{difficulty}"

    def game(self) -> Game:
        """Return a new game of this kind; if it is to need no guess, its board is found at the first click."""
        check_size(self.level.grid)
        return Game(self.level, self.rules, seed=self.seed)


class Session:
    """A game that is being played."""

    def __init__(self, game: Game, wanted: Wanted, times: tuple[int, ...] | None = (), *, fresh: bool) -> None:
        self.game = game
        self.wanted = wanted
        self.fresh = fresh
        """Whether the board was drawn for this game, so that nobody could know it, and the clock has counted all of its
        time."""
        self.helped = False
        """Whether the player had help, or took a move back."""
        self.path: Path | None = None
        """The file in which the game is kept, from its first move on."""
        self._claim: Claim | None = None
        self._seat: Seat | None = None
        self._times = list(times) if times is not None else None if game.step else []
        self._before = self._times[-1] if self._times else 0  # milliseconds on the clock when it was last stopped
        self._since: float | None = None  # when the clock was last started
        if game.step:
            self.resume()

    @classmethod
    def new(cls, wanted: Wanted) -> Session:
        """Return a new game."""
        return cls(wanted.game(), wanted, fresh=wanted.seed is None)

    @classmethod
    def of(cls, game: Game, times: tuple[int, ...] | None = (), *, fresh: bool = False) -> Session:
        """Return a game that exists already: from a file, or by its id."""
        check_size(game.grid)
        return cls(game, Wanted(game.level, game.rules), times, fresh=fresh)

    @classmethod
    def kept(cls, path: Path) -> Session:
        """Return a kept game, which is kept in the same file from now on. Raises `IllegalMove` if another window plays
        it."""
        claim = Claim.take(path)
        try:  # from here on nobody else writes the file
            replay = Replay.from_text(path.read_text())
            session = cls.of(replay.game(), replay.times if replay.moves else ())
        except BaseException:
            claim.release(over=False)
            raise
        session.path, session._claim = path, claim
        session._take_up(claim.read())
        session._note_leaving(fresh=False)
        return session

    # -- the clock -----------------------------------------------------------------------------------------------

    @property
    def elapsed(self) -> int:
        """Milliseconds on the clock."""
        return self._before + (0 if self._since is None else round(1000 * (now() - self._since)))

    @property
    def running(self) -> bool:
        """Whether the clock runs."""
        return self._since is not None

    @property
    def paused(self) -> bool:
        """Whether the clock was stopped in the middle of a game."""
        return bool(self.game.step) and not self.game.over and not self.running

    def pause(self) -> None:
        """Stop the clock."""
        self._before, self._since = self.elapsed, None

    def resume(self) -> None:
        """Let the clock run, if the game is not over."""
        if self._since is None and not self.game.over:
            self._since = now()

    # -- moves ---------------------------------------------------------------------------------------------------

    @property
    def needs_board(self) -> bool:
        """Whether the first click must first find a board that needs no guess."""
        return self.wanted.no_guess and self.seat.unlaid

    def lay(self, board: GameId) -> None:
        """Play on this board from now on. The notes that were made stay."""
        game = Game.from_id(board)
        for move in self.game.moves:
            game.play(move)
        self.game = game

    def play(self, move: Move) -> None:
        """Make a move."""
        self.game.play(move)
        self._note_time()

    def undo(self) -> None:
        """Take the last move back, even one that ended the game."""
        self.game.undo()
        self.helped = True
        self._note_time()

    def _note_time(self) -> None:
        self.resume()
        if self._times is not None:
            self._times.append(self.elapsed)
        if self.game.over:
            self.pause()

    def opening(self, cell: Cell) -> Move:
        """Return what Enter does: open a cell; on a number, open the rest around it."""
        return Move("chord" if self.game[cell].isdigit() else "open", cell)

    def flagging(self, cell: Cell) -> Move:
        """Return what F does: flag a cell, then a question mark if the game has them, then nothing."""
        symbol = self.game[cell]
        if symbol == "F":
            return Move("question" if self.game.rules.questions else "unflag", cell)
        return Move("unflag" if symbol == "Q" else "flag", cell)

    @property
    def seat(self) -> Seat:
        """What the player may ask now."""
        self._seat = Seat.at(self.game, self._seat)
        return self._seat

    @property
    def symbols(self) -> str:
        """What is shown: the position, and after the game wrong flags too."""
        return symbols(self.game.position, self.game.layout if self.game.over else None)

    # -- the file ------------------------------------------------------------------------------------------------

    def replay(self) -> Replay:
        """Return the game so far, with its times."""
        return replace(self.game.replay(), times=None if self._times is None else tuple(self._times))

    def save(self) -> None:
        """Write the game to its file; after `leave` another window may own that."""
        if not self.game.step:
            return
        if self.path is None:
            self._keep()
        elif self._claim is not None:
            write_file(self.path, self.replay().to_text().encode())

    def _keep(self) -> None:
        """Keep the game in a new file, and claim that."""
        while self._claim is None:
            path = keep(self.replay())
            try:
                self._claim = Claim.take(path)
            except IllegalMove:  # a new window has already continued that game: keep this one in another file
                continue
            except OSError:
                path.unlink(missing_ok=True)  # the next move tries again, with another file
                raise
            self.path = path
        self._note_leaving(fresh=False)

    def leave(self) -> None:
        """Stop the clock, keep the game, and let other windows have it."""
        self.pause()
        self.save()
        if self._claim is not None:
            self._note_leaving(fresh=self.fresh)
            self._claim.release(over=self.game.over)
            self._claim = None

    def _note_leaving(self, *, fresh: bool) -> None:
        """Write down how the game is left. If the app crashes before `leave`, the last seconds are not known, and the
        game does not count."""
        assert self._claim is not None
        self._claim.write({**self.wanted.words, "elapsed": self.elapsed, "fresh": fresh, "helped": self.helped})

    def _take_up(self, left: dict[str, Any]) -> None:
        """Continue a game as it was left; if that is not known, by its moves alone."""
        try:
            wanted = Wanted.parse(*(left[name] for name in self.wanted.words))
            elapsed, *flags = left["elapsed"], wanted.no_guess, left["fresh"], left["helped"]
        except (KeyError, TypeError, ValueError):  # errors of Mineproof are ValueErrors
            return  # written by another version, or damaged: the game does not count
        whole = type(elapsed) is int and 0 <= elapsed < MOST_TIME
        if whole and wanted.level == self.game.level and all(type(flag) is bool for flag in flags):
            self.wanted, self._before = wanted, max(self._before, elapsed)
            _, self.fresh, self.helped = flags

    @property
    def counts(self) -> bool:
        """Whether a win is one for the best times: on a board that nobody could know, without help."""
        return self.fresh and not self.helped and self.game.state is State.WON


def check_size(grid: Grid) -> None:
    """Refuse a board that is too large to look at."""
    if len(grid) > MOST_CELLS:
        raise InvalidBoard(f"the app shows boards of up to {MOST_CELLS:,} cells; `mineproof play --plain` plays any")


def clock_text(milliseconds: int) -> str:
    """Return minutes and seconds.

    >>> clock_text(65_400), clock_text(3_600_000)
    ('1:05', '60:00')
    """
    minutes, seconds = divmod(max(0, milliseconds) // 1000, 60)
    return f"{minutes}:{seconds:02}"
