"""Database tables: games, their moves, and shared boards. Changes of these tables are migrations."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Index, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """Base of all tables."""

    type_annotation_map = {int: BigInteger, str: Text}  # noqa: RUF012  as SQLAlchemy has it


class GameRow(Base):
    """A game. Times are milliseconds since 1970."""

    __tablename__ = "games"
    __table_args__ = (Index("games_of_player", "player", "created"), Index("games_of_origin", "player", "origin"))

    id: Mapped[str] = mapped_column(primary_key=True)
    player: Mapped[str | None]
    """The owner: a hash of the player's token; None if the game belongs to nobody, and anyone may play it."""
    created: Mapped[int]
    origin: Mapped[str]
    """A name of the board that is the same for all games on it."""
    board: Mapped[str]
    """The id from which the game is created again. It reveals the mines, so it is sent only at the end."""
    level: Mapped[str]
    rules: Mapped[str]
    no_guess: Mapped[bool]
    difficulty: Mapped[str | None]
    laid: Mapped[bool]
    """Whether the board exists; one that needs no guess is searched for at the first click."""
    daily: Mapped[str | None]
    known: Mapped[bool]
    """Whether the player can know where the mines are."""
    helped: Mapped[str]
    """Kinds of help used, separated by commas."""
    seen: Mapped[bool]
    """Whether a loss has shown the mines, and was undone."""
    chance: Mapped[int]
    """The seed of the agents' random choices."""

    state: Mapped[str]
    seq: Mapped[int]
    undone: Mapped[int]
    elapsed: Mapped[int]
    """Milliseconds on the clock when it was last stopped."""
    running: Mapped[int | None]
    """When the clock was last started; None while it stands still."""
    paused: Mapped[bool]

    result: Mapped[str | None]
    """The first result, which counts."""
    result_ms: Mapped[int | None]
    counts: Mapped[bool]
    """Whether the game counts as the player's own; decided at its first end."""
    bbbv: Mapped[int | None]
    guesses: Mapped[str | None]
    """The totals of the game's review, as JSON; made on demand."""

    private: Mapped[bool]
    """Whether others than the owner may not even look."""
    offer: Mapped[str | None]
    """A hash of the code that makes its bearer the owner, until it is used or another is made."""
    offered_until: Mapped[int | None]
    """When that code expires."""


class MoveRow(Base):
    """An acknowledged move."""

    __tablename__ = "moves"
    __table_args__ = (UniqueConstraint("game", "command", name="move_once"),)

    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """The number of the move, from 1."""
    move: Mapped[str]
    by: Mapped[str | None]
    """The agent that made the move; None: the player."""
    at: Mapped[int]
    """Milliseconds on the clock at the move."""
    command: Mapped[str | None]
    """The client's id of the move: if it is sent again, it is not played again."""


class BoardRow(Base):
    """A board that is shared by a code, or is that of a day."""

    __tablename__ = "boards"
    __table_args__ = (UniqueConstraint("day", "level", name="one_a_day"),)

    code: Mapped[str] = mapped_column(primary_key=True)
    created: Mapped[int]
    origin: Mapped[str]
    board: Mapped[str]
    level: Mapped[str]
    rules: Mapped[str]
    no_guess: Mapped[bool]
    difficulty: Mapped[str | None]
    day: Mapped[str | None]
