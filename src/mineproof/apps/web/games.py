"""Games as database rows: created, played, paused, shared, viewed. The only module that sees both the mines and what is
sent to the player.

Nothing is kept outside the database except copies of games, which are checked against it by their number of moves. What
a player may know is decided in `view` and `moved`.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections import Counter, OrderedDict
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import islice
from secrets import randbits, token_urlsafe
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from mineproof.apps.starting import started_again, without_guess
from mineproof.apps.web import boards
from mineproof.apps.web.boards import Board
from mineproof.apps.web.problems import Busy, NotFound, NotOver, NotYours, Paused, TooMany
from mineproof.apps.web.schema import BoardRow, GameRow, MoveRow
from mineproof.board.game import Game, Replay, State
from mineproof.board.ids import GameId
from mineproof.board.level import Level
from mineproof.board.metrics import measure
from mineproof.board.move import Move
from mineproof.board.rules import Rules
from mineproof.errors import InvalidText, UnknownName, shorten
from mineproof.limit import Limit
from mineproof.seat.seat import Seat

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy.orm import Session

    from mineproof.apps.web.settings import Settings
    from mineproof.apps.web.store import Store
    from mineproof.board.grid import Cell
    from mineproof.board.position import Position

Answer = dict[str, Any]
KEPT = 500
"""The most copies of games that are kept."""
SEATS = 50
"""The most games for which answers to the last questions are kept."""
OFFERED_MS = 24 * 3600 * 1000
"""How long a link that hands a game over is valid, in milliseconds."""
NO_GAME = "there is no such game"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{16,40}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Planned:
    """A move to make, the agent that makes it (None: the player), and the client's id of it."""

    move: Move
    by: str | None = None
    command: str | None = None


class TakenSeat(NamedTuple):
    """The seat of a game's player, as a helper takes it."""

    id: str
    seq: int
    seat: Seat
    chance: int
    """A seed for random choices, independent of the board's."""


class Games:
    """All games of a database."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self._copies: OrderedDict[str, Game] = OrderedDict()
        self._seats: OrderedDict[str, Seat] = OrderedDict()
        self._pages: Counter[str] = Counter()
        self._lock = Lock()

    # -- new games -----------------------------------------------------------------------------------------------

    def create(self, player: str | None, board: Board) -> Answer:
        """Return a game on a board."""
        created = now()
        row = GameRow(
            id=token_urlsafe(16), player=None, created=created, origin=board.origin, board=str(board.id),
            level=board.level, rules=board.rules, no_guess=board.no_guess, difficulty=board.difficulty,
            laid=board.laid, daily=board.daily, known=board.known, helped="", seen=False, chance=randbits(62),
            state="playing", seq=0, undone=0, elapsed=0, running=None, paused=False, result=None, result_ms=None,
            counts=False, bbbv=None, guesses=None, private=False, offer=None, offered_until=None,
        )  # fmt: skip
        with self.store.write() as session:
            if player is not None:
                self._own(session, row, player)
            session.add(row)
        return self.view(row, self._game(row, []), [], player)

    def _own(self, session: Session, row: GameRow, player: str) -> None:
        """Make this player the owner of a game that is not yet theirs."""
        self._check_room(session, player)
        others = (GameRow.player == player) & (GameRow.origin == row.origin)
        if session.scalar(select(func.count()).select_from(GameRow).where(others)):
            row.known = True  # the mines of other running games on this board could be learnt from this one
            session.execute(update(GameRow).where(others, GameRow.result.is_(None)).values(known=True))
        row.player = player

    def _check_room(self, session: Session, player: str) -> None:
        unfinished = (GameRow.player == player) & GameRow.result.is_(None)
        most = self.settings.most_games
        if (session.scalar(select(func.count()).select_from(GameRow).where(unfinished)) or 0) >= most:
            raise TooMany(f"you have {most:,} unfinished games; finish or delete some of them first")

    def again(self, game_id: str, player: str | None) -> Board:
        """Return the board of a game, to play again; it counts as known. Others can do so when the game is over."""
        with self.store.write() as session:
            row = self._row(session, game_id, lock=True)
            _check(row, player, plays=row.result is None)
            game = self._load(session, row)
            if row.result is None:
                row.known = True
            board = started_again(game) if row.laid else GameId.parse(row.board)
        return Board(
            board, row.level, str(board.rules), row.origin, row.no_guess, row.difficulty, row.laid, True, row.daily
        )

    def share(self, game_id: str) -> str:
        """Return a code with which others can play the board of a game; it reveals nothing."""
        with self.store.write() as session:
            row = self._row(session, game_id, lock=True)
            same = started_again(self._load(session, row)) if row.laid else GameId.parse(row.board)
            code = token_urlsafe(12)
            shared = BoardRow(
                code=code, created=now(), origin=row.origin, board=str(same), level=row.level, rules=str(same.rules),
                no_guess=row.no_guess, difficulty=row.difficulty, day=None,
            )  # fmt: skip
            session.add(shared)
        return code

    def shared(self, code: str) -> Board:
        """Return the board of a code."""
        with self.store.read() as session:
            row = session.get(BoardRow, code) if _TOKEN.fullmatch(code) else None
        if row is None:
            raise NotFound("there is no shared board of this code")
        return _as_board(row)

    def daily(self, day: str, level: str, limit: Limit) -> Board:
        """Return the board of a day, drawn on the first request. It needs no guess, and names its start."""
        day = check_day(day)
        if level not in boards.DAILY_LEVELS:
            raise UnknownName("level of the day", level, boards.DAILY_LEVELS)
        query = select(BoardRow).where(BoardRow.day == day, BoardRow.level == level)
        with self.store.read() as session:
            row = session.scalar(query)
        if row is None:
            game_id = without_guess(GameId(Level.parse(level), Rules("given"), randbits(64)), None, None, limit)
            new_row = BoardRow(
                code=token_urlsafe(12), created=now(), origin=f"{day} {level}", board=str(game_id), level=level,
                rules=str(game_id.rules), no_guess=True, difficulty=None, day=day,
            )  # fmt: skip
            try:
                with self.store.write() as session:
                    session.add(new_row)
            except IntegrityError:
                pass  # another request was first: use its board
            with self.store.read() as session:
                row = session.scalars(query).one()
        return _as_board(row)

    # -- owners --------------------------------------------------------------------------------------------------

    def check(self, game_id: str, player: str | None, *, plays: bool) -> None:
        """Check that a player may look at a game, or play it."""
        with self.store.read() as session:
            _check(self._row(session, game_id), player, plays=plays)

    def hide(self, game_id: str, private: bool) -> None:
        """Hide a game from all but its owner, or let others look again."""
        with self.store.write() as session:
            self._row(session, game_id, lock=True).private = private

    def offer(self, game_id: str) -> tuple[str, int]:
        """Return a code that makes the first who takes it the owner of a game, and when it expires. Only the last code
        of a game is valid."""
        code, until = token_urlsafe(16), now() + OFFERED_MS
        with self.store.write() as session:
            row = self._row(session, game_id, lock=True)
            row.offer, row.offered_until = _hashed(code), until
        return code, until

    def take(self, game_id: str, code: str, player: str | None) -> None:
        """Make a player the owner by an offered code. The game then counts as helped. The owner uses no code up."""
        if player is None:
            raise NotYours("a game is handed over to a player: GET /api/me makes you one")
        with self.store.write() as session:
            row = self._row(session, game_id, lock=True)
            if row.player == player:
                return
            if row.offer is None or row.offer != _hashed(code) or now() > (row.offered_until or 0):
                raise NotYours("this link to take over the game was used before, replaced, or has expired")
            self._own(session, row, player)
            help_with(row, "handover")
            row.counts, row.offer, row.offered_until = False, None, None

    # -- playing -------------------------------------------------------------------------------------------------

    def move(self, game_id: str, planned: Sequence[Planned], since: int | None = None) -> Answer:
        """Make moves, all or none; with ``since``, only if no move was made since then."""
        opened = next((plan.move.cell for plan in planned if plan.move.kind == "open"), None)
        answer = self._move(game_id, planned, since, opened)
        if answer is None:
            assert opened is not None
            self._lay(game_id, opened)
            answer = self._move(game_id, planned, since, None)
            assert answer is not None
        return answer

    def _move(self, game_id: str, planned: Sequence[Planned], since: int | None, opened: Cell | None) -> Answer | None:
        """Make the moves, or return None if a board that needs no guess must first be found for the opened cell."""
        with self.store.write() as session:
            row = self._row(session, game_id, lock=True)
            if opened is not None and not row.laid:
                return None
            if len(planned) == 1 and planned[0].command and self._done(session, game_id, planned[0].command):
                return self._repeated(session, row)
            if row.paused:
                raise Paused("the game is paused: resume it first")
            if since is not None and since != row.seq:
                raise Busy("another move was made in the meantime")
            if row.seq + len(planned) > self.settings.most_moves:
                raise TooMany(f"a game can have at most {self.settings.most_moves:,} moves here")
            game = self._load(session, row)
            before, was = game.position, row.seq
            played = [str(plan.move) for plan in planned if self._play(session, row, game, plan)]
            answer = self.moved(row, game, was, _changed(before.cells, game.position.cells, game.grid.cols))
            if game.over:
                answer["over"] = self._over(session, row, game)
        self._keep(row, game)
        return {**answer, "moves": played}

    def _play(self, session: Session, row: GameRow, game: Game, planned: Planned) -> bool:
        """Make one move, update the clock and the result, and return True. An agent's move is skipped if the game is
        over or the cell is already open."""
        cell = planned.move.cell
        if planned.by is not None and cell is not None:
            if game.over or (planned.move.kind == "open" and game[cell].isdigit()):
                return False
            help_with(row, "agent")
        was_over, was_lost = game.over, game.state is State.LOST
        game.play(planned.move)
        time_now = now()
        if planned.move.kind in ("open", "chord") and row.running is None:
            row.running = time_now
        if planned.move.kind == "undo":
            row.undone += 1
            row.seen |= was_lost and not game.over
            if was_over and not game.over:
                row.running = time_now
        row.seq += 1
        row.state = str(game.state)
        values = {"game": row.id, "seq": row.seq, "move": str(planned.move), "by": planned.by}
        values |= {"at": elapsed(row, time_now), "command": planned.command}
        session.execute(insert(MoveRow).values(values))
        if game.over:
            row.elapsed, row.running = elapsed(row, time_now), None
            if row.result is None:
                assert game.layout is not None
                row.result, row.result_ms = row.state, row.elapsed
                row.bbbv = measure(game.layout).bbbv
                row.counts = not (row.known or row.helped or row.seen)
        return True

    def _lay(self, game_id: str, start: Cell) -> None:
        """Find a board that needs no guess from this start, if not yet done. It may take a while, and only the player
        waits for it."""
        with self.store.read() as session:
            row = self._row(session, game_id)
            if row.laid:
                return
            game = self._load(session, row)
            if row.paused or game.position[start] not in "HQS":
                return
        limit = Limit(seconds=self.settings.most_seconds)
        board = without_guess(GameId.parse(row.board), start, row.difficulty, limit)
        with self.store.write() as session:
            row = self._row(session, game_id, lock=True)
            if not row.laid:
                row.board, row.laid = str(board), True
        with self._lock:
            self._copies.pop(game_id, None)

    def _done(self, session: Session, game_id: str, command: str) -> bool:
        return (
            session.scalar(select(MoveRow.seq).where(MoveRow.game == game_id, MoveRow.command == command)) is not None
        )

    def _repeated(self, session: Session, row: GameRow) -> Answer:
        game = self._load(session, row)
        blank = b"H" * len(game.grid)
        answer = self.moved(row, game, 0, _changed(blank, game.position.cells, game.grid.cols))
        if game.over:
            answer["over"] = self._over(session, row, game)
        self._keep(row, game)
        return {**answer, "repeated": True}

    def pause(self, game_id: str, paused: bool) -> None:
        """Stop the clock, or let it run again."""
        with self.store.write() as session:
            row = self._row(session, game_id, lock=True)
            if row.state == "playing" and row.paused is not paused:
                row.paused = paused
                set_clock(row, not paused)

    def attend(self, game_id: str, change: int) -> None:
        """Add 1 to, or subtract 1 from, this process's open pages of the game. While there are none, its clock stands
        still."""
        with self.store.write() as session:
            row = session.get(GameRow, game_id, with_for_update=True) if _TOKEN.fullmatch(game_id) else None
            with self._lock:
                self._pages[game_id] += change
                shown = self._pages[game_id] > 0
                self._pages += Counter()  # removes counts of 0
            if row is not None and row.state == "playing" and not row.paused:
                set_clock(row, shown)

    def helped(self, game_id: str, kind: str) -> TakenSeat:
        """Return the seat of the player, for a helper, and record this kind of help."""
        with self.store.write() as session:
            row = self._row(session, game_id, lock=True)
            if row.paused:
                raise Paused("the game is paused: resume it first")
            help_with(row, kind)
            game = self._load(session, row)
            chance = row.chance + row.seq
            with self._lock:
                seat = self._seats[game_id] = Seat.at(game, self._seats.pop(game_id, None))
                while len(self._seats) > SEATS:
                    self._seats.popitem(last=False)
        self._keep(row, game)
        return TakenSeat(game_id, row.seq, seat, chance)

    def still(self, game_id: str) -> Answer:
        """Return the answer to no move: the game has not changed."""
        with self.store.read() as session:
            row = self._row(session, game_id)
            game = self._load(session, row)
            answer = self.moved(row, game, row.seq, [])
        self._keep(row, game)
        return {**answer, "moves": []}

    def positions(self, game_id: str, first: int, end: int) -> Iterator[Position]:
        """Yield what the player knew after ``first`` moves, after one more, and so on, before ``end`` moves."""
        with self.store.read() as session:
            row = self._row(session, game_id)
            moves = select(MoveRow.move).where(MoveRow.game == game_id).order_by(MoveRow.seq).limit(end - 1)
            game, played = Game.from_id(row.board), list(map(Move.parse, session.scalars(moves)))

        def known() -> Iterator[Position]:
            yield Seat.at(game).position
            for move in played:
                game.play(move)
                yield Seat.at(game).position

        return islice(known(), first, end)

    # -- looking -------------------------------------------------------------------------------------------------

    def get(self, game_id: str, player: str | None) -> Answer:
        """Return a game as a player may see it: the owner, or another if the owner lets others look."""
        with self.store.read() as session:
            row = self._row(session, game_id)
            _check(row, player, plays=False)
            game = self._load(session, row)
            answer = self.view(row, game, [str(move) for move in game.moves], player)
            if game.over:
                answer["over"] = self._over(session, row, game)
        self._keep(row, game)
        return answer

    def replay(self, game_id: str) -> Replay:
        """Return a whole game, when it is over."""
        with self.store.read() as session:
            row = self._row(session, game_id)
            if row.result is None:
                raise NotOver("the mines are shown when the game is over")
            times = session.scalars(select(MoveRow.at).where(MoveRow.game == game_id).order_by(MoveRow.seq)).all()
            game = self._load(session, row)
        return Replay(GameId.parse(game.id), tuple(game.moves), tuple(times))

    def first_end(self, game_id: str) -> Replay:
        """Return a game up to its first end, which counts."""
        whole = self.replay(game_id)
        game = Game.from_id(whole.id)
        for number, move in enumerate(whole.moves, start=1):
            game.play(move)
            if game.over:
                return Replay(whole.id, whole.moves[:number])
        return whole

    def remove(self, game_id: str) -> None:
        """Forget a game."""
        with self.store.write() as session:
            row = self._row(session, game_id, lock=True)
            session.execute(delete(MoveRow).where(MoveRow.game == game_id))
            session.delete(row)

    def view(self, row: GameRow, game: Game, moves: list[str], player: str | None) -> Answer:
        """Return everything that a player may know about a game, except what is only shown at its end, under
        ``over``."""
        return {
            "id": row.id,
            "yours": _may_play(row, player),
            "private": row.private,
            "state": str(game.state),
            "seq": row.seq,
            "level": row.level,
            "rules": row.rules,
            "unlaid": Seat.at(game).unlaid,
            "rows": game.grid.rows,
            "cols": game.grid.cols,
            "mines": game.mines,
            "mines_left": game.mines_left,
            "hits": game.hits,
            "position": game.position.to_text(),
            "moves": moves,
            "given": [list(cell) for cell in game.given],
            "no_guess": row.no_guess,
            "difficulty": row.difficulty,
            "daily": row.daily,
            "known": row.known,
            "helped": row.helped.split(",") if row.helped else [],
            "counts": row.counts if row.result is not None else not (row.known or row.helped or row.seen),
            "undone": row.undone,
            "deaths_undone": game.deaths_undone,
            "seen": row.seen,
            "elapsed_ms": elapsed(row),
            "running": row.running is not None,
            "paused": row.paused,
            "created": iso(row.created),
            "over": None,
        }

    def moved(self, row: GameRow, game: Game, since: int, changed: list[list[Any]]) -> Answer:
        """Return what a move has changed."""
        return {
            "since": since,
            "seq": row.seq,
            "changed": changed,
            "state": str(game.state),
            "mines_left": game.mines_left,
            "hits": game.hits,
            "elapsed_ms": elapsed(row),
            "undone": row.undone,
            "deaths_undone": game.deaths_undone,
            "seen": row.seen,
            "over": None,
        }

    def _over(self, session: Session, row: GameRow, game: Game) -> Answer:
        """Return what is shown at the end."""
        assert game.layout is not None
        measures = measure(game.layout)
        clicks = sum(move.kind != "undo" for move in game.moves)
        won = game.state is State.WON
        seconds = elapsed(row) / 1000
        by = select(MoveRow.by, func.count()).where(MoveRow.game == row.id, MoveRow.move != "undo").group_by(MoveRow.by)
        return {
            "layout": str(game.layout),
            "game_id": game.id,
            "won": won,
            "result": row.result,
            "counts": row.counts,
            "elapsed_ms": elapsed(row),
            "clicks": clicks,
            **measures.fields(),
            "efficiency": measures.bbbv / clicks if won and clicks else None,
            "3bv_per_second": measures.bbbv / seconds if won and seconds else None,
            "score": game.score,
            "moves_by": {who or "you": count for who, count in session.execute(by)},
        }

    # -- rows ----------------------------------------------------------------------------------------------------

    def _row(self, session: Session, game_id: str, *, lock: bool = False) -> GameRow:
        row = session.get(GameRow, game_id, with_for_update=lock) if _TOKEN.fullmatch(game_id) else None
        if row is None:
            raise NotFound(NO_GAME)
        return row

    def _load(self, session: Session, row: GameRow) -> Game:
        """Return the game of a row: an up-to-date copy, or replayed. The caller may store it again afterwards."""
        with self._lock:
            copy = self._copies.pop(row.id, None)
        if copy is not None and copy.step == row.seq and copy.id == row.board:
            return copy
        return self._game(
            row, session.scalars(select(MoveRow.move).where(MoveRow.game == row.id).order_by(MoveRow.seq)).all()
        )

    def _game(self, row: GameRow, moves: Sequence[str]) -> Game:
        game = Game.from_id(row.board)
        for move in moves:
            game.play(move)
        return game

    def _keep(self, row: GameRow, game: Game) -> None:
        """Store a copy for the next move; writers do so after the commit."""
        with self._lock:
            self._copies[row.id] = game
            while len(self._copies) > KEPT:
                self._copies.popitem(last=False)


def _may_play(row: GameRow, player: str | None) -> bool:
    return row.player is None or row.player == player


def _check(row: GameRow, player: str | None, *, plays: bool) -> None:
    """Check that a player may look at a game, or play it. A private game of another does not seem to exist."""
    if not _may_play(row, player):
        if row.private:
            raise NotFound(NO_GAME)
        if plays:
            raise NotYours("this is another player's game: you can watch it, but not play it")


def _hashed(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()


def now() -> int:
    """Return milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def iso(time_ms: int) -> str:
    """Return a time for JSON."""
    return datetime.fromtimestamp(time_ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def elapsed(row: GameRow, at: int | None = None) -> int:
    """Return milliseconds on the clock of a game."""
    return row.elapsed + (0 if row.running is None else max(0, (now() if at is None else at) - row.running))


def set_clock(row: GameRow, runs: bool) -> None:
    """Stop the clock, or let it run if the first cell was opened."""
    started = row.elapsed > 0 or row.running is not None
    row.elapsed, row.running = elapsed(row), None
    if runs and started:
        row.running = now()


def help_with(row: GameRow, kind: str) -> None:
    """Record that the player had help."""
    kinds = row.helped.split(",") if row.helped else []
    if row.result is None and kind not in kinds:
        row.helped = ",".join([*kinds, kind])


def check_day(text: str) -> str:
    """Return a day that has begun somewhere on earth, as 2026-11-16."""
    today = datetime.now(UTC).date()
    try:
        day = today if text == "today" else date.fromisoformat(text)
    except ValueError:
        raise InvalidText(f"a day must be like {today}, not {shorten(text)}") from None
    if not date(2026, 1, 1) <= day <= today:
        raise NotFound(f"there are boards of the day from 2026-01-01 to {today}")
    return day.isoformat()


def _as_board(row: BoardRow) -> Board:
    game_id = GameId.parse(row.board)
    laid = not row.no_guess or not isinstance(game_id.board, Level)
    return Board(game_id, row.level, row.rules, row.origin, row.no_guess, row.difficulty, laid, False, row.day)


def _changed(before: bytes, after: bytes, cols: int) -> list[list[Any]]:
    """Return the cells that show something else now."""
    old, new = np.frombuffer(before, np.uint8), np.frombuffer(after, np.uint8)
    return [[index // cols, index % cols, chr(after[index])] for index in np.flatnonzero(old != new).tolist()]
