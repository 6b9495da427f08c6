"""A player's history: lists, statistics, export and deletion.

Statistics include only games that count: finished by the player alone, on a board that could not be known. The first
end of a game is its result, whatever was undone later.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from datetime import datetime
from statistics import fmean, median
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, exists, func, select, update

from mineproof.apps.web import boards
from mineproof.apps.web.games import elapsed, iso
from mineproof.apps.web.schema import GameRow, MoveRow
from mineproof.errors import InvalidText, OutOfTime, shorten
from mineproof.hindsight.report import MoveMark
from mineproof.hindsight.review import review

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Select

    from mineproof.apps.web.games import Games
    from mineproof.apps.web.store import Store
    from mineproof.limit import Limit

Answer = dict[str, Any]
TIMES = 500
"""The most recent games per level whose times are listed."""


def summary(row: GameRow) -> Answer:
    """Return a game in a list."""
    return {
        "id": row.id,
        "level": row.level,
        "rules": row.rules,
        "state": row.state,
        "result": row.result,
        "created": iso(row.created),
        "elapsed_ms": elapsed(row),
        "moves": row.seq,
        "no_guess": row.no_guess,
        "daily": row.daily,
        "known": row.known,
        "helped": row.helped.split(",") if row.helped else [],
        "counts": row.counts,
        "3bv": row.bbbv if row.state != "playing" else None,
    }


def _played(player: str | None) -> Select[GameRow]:
    """Return a query of the games in which this player made a move."""
    own = exists().where(MoveRow.game == GameRow.id, MoveRow.by.is_(None))
    return select(GameRow).where(GameRow.player == player, own)


def games_of(store: Store, player: str | None, limit: int, before: str | None) -> list[Answer]:
    """Return a player's games, newest first."""
    if player is None:
        return []
    query = _played(player).order_by(GameRow.created.desc(), GameRow.id).limit(limit)
    if before is not None:
        try:
            time = datetime.fromisoformat(before)
            query = query.where(GameRow.created < int(time.timestamp() * 1000))
        except (ValueError, OverflowError, OSError):
            raise InvalidText(f"a time must be like 2026-11-16T15:00:00Z, not {shorten(before)}") from None
    with store.read() as session:
        return [summary(row) for row in session.scalars(query)]


def day_of(store: Store, player: str | None, day: str) -> list[Answer]:
    """Return the levels of a day, each with the first game of this player."""
    first_games: dict[str, GameRow] = {}
    if player is not None:
        query = select(GameRow).where(GameRow.player == player, GameRow.daily == day).order_by(GameRow.created)
        with store.read() as session:
            for row in session.scalars(query):
                first_games.setdefault(row.level, row)
    return [
        {"level": level, "game": row.id if row else None, "state": row.state if row else None}
        for level, row in ((level, first_games.get(level)) for level in boards.DAILY_LEVELS)
    ]


def count_guesses(games: Games, player: str | None, limit: Limit) -> None:
    """Review counted games that have no review yet, as many as there is time for; the next call continues."""
    clock = limit.start()
    query = select(GameRow.id).where(GameRow.player == player, GameRow.counts, GameRow.guesses.is_(None))
    with games.store.read() as session:
        ids = session.scalars(query.order_by(GameRow.created.desc())).all() if player is not None else []
    for game_id in ids:
        if clock.over:
            return
        try:
            summary = review(games.first_end(game_id), clock.rest(), playouts=0).summary
            totals = {"marks": summary.marks, "expected_mines": summary.expected_mines, "mines": summary.mines}
        except OutOfTime:
            return
        with games.store.write() as session:
            session.execute(update(GameRow).where(GameRow.id == game_id).values(guesses=json.dumps(totals)))


def guesses(rows: Iterable[GameRow]) -> Answer:
    """Return what was skill and what was luck: certain moves, forced guesses, needless guesses, mistakes, mines."""
    totals = [json.loads(row.guesses) for row in rows if row.guesses is not None]
    marks = sum((Counter(game_totals["marks"]) for game_totals in totals), Counter[str]())
    return {
        "games": len(totals),
        "certain": marks[MoveMark.CERTAIN],
        "forced": marks[MoveMark.GOOD] + marks[MoveMark.POOR],
        "poor": marks[MoveMark.POOR],
        "needless": marks[MoveMark.NEEDLESS],
        "mistakes": marks[MoveMark.MISTAKE],
        "expected_mines": sum(game_totals["expected_mines"] for game_totals in totals),
        "mines": sum(game_totals["mines"] for game_totals in totals),
    }


def statistics(store: Store, player: str | None) -> Answer:
    """Return all figures of a player."""
    with store.read() as session:
        query = _played(player).order_by(GameRow.created)
        rows = list(session.scalars(query)) if player is not None else []
    counted = [row for row in rows if row.counts]
    kinds: dict[tuple[str, str, bool], list[GameRow]] = defaultdict(list)
    for row in counted:
        kinds[row.level, row.rules, row.no_guess].append(row)
    now, best = streaks(counted)
    finished = [row for row in rows if row.result is not None and not row.counts]
    return {
        "games": len(rows),
        "counted": len(counted),
        "streak": now,
        "best_streak": best,
        "guesses": guesses(counted),
        "levels": [_level(*kind, kind_rows) for kind, kind_rows in sorted(kinds.items())],
        "not_counted": {
            "helped": sum(bool(row.helped) for row in finished),
            "known": sum(row.known and not row.helped for row in finished),
            "unfinished": sum(row.result is None for row in rows),
        },
    }


def _level(level: str, rules: str, no_guess: bool, rows: list[GameRow]) -> Answer:
    won = [row for row in rows if row.result == "won"]
    times = [row.result_ms or 0 for row in won]
    now, best = streaks(rows)
    fastest = [1000 * (row.bbbv or 0) / row.result_ms for row in won if row.result_ms]
    return {
        "level": level,
        "rules": rules,
        "no_guess": no_guess,
        "games": len(rows),
        "wins": len(won),
        "win_rate": len(won) / len(rows),
        "best_ms": min(times, default=None),
        "mean_ms": fmean(times) if times else None,
        "median_ms": median(times) if times else None,
        "best_3bv_per_second": max(fastest, default=None),
        "streak": now,
        "best_streak": best,
        "times": [[iso(row.created), row.result_ms] for row in won[-TIMES:]],
    }


def streaks(rows: Iterable[GameRow]) -> tuple[int, int]:
    """Return how many games were won in a row: up to now, and at the most."""
    now = best = 0
    for row in rows:
        now = now + 1 if row.result == "won" else 0
        best = max(best, now)
    return now, best


def export(store: Store, player: str | None) -> Answer:
    """Return all data of a player. It includes the mines of finished games only."""
    if player is None:
        return {"games": []}
    with store.read() as session:
        moves: dict[str, list[Answer]] = defaultdict(list)
        query = select(MoveRow).join(GameRow, GameRow.id == MoveRow.game).where(GameRow.player == player)
        for move in session.scalars(query.order_by(MoveRow.game, MoveRow.seq)):
            moves[move.game].append({"move": move.move, "by": move.by or "you", "at_ms": move.at})
        rows = session.scalars(select(GameRow).where(GameRow.player == player).order_by(GameRow.created)).all()
        games = [
            {
                **summary(row),
                "board": row.board if row.result is not None else None,
                "result_ms": row.result_ms,
                "undone": row.undone,
                "seen": row.seen,
                "moves": moves[row.id],
            }
            for row in rows
        ]
    return {"games": games}


def count(store: Store, player: str | None) -> int:
    """Return the number of games that a player has played."""
    with store.read() as session:
        return session.scalar(select(func.count()).select_from(_played(player).subquery())) or 0


def forget(store: Store, player: str | None) -> None:
    """Delete all data of a player."""
    if player is None:
        return
    with store.write() as session:
        theirs = select(GameRow.id).where(GameRow.player == player)
        session.execute(delete(MoveRow).where(MoveRow.game.in_(theirs)))
        session.execute(delete(GameRow).where(GameRow.player == player))
