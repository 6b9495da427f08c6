"""Games as files: Parquet, with one row per game, and metadata that says whose games they are.

A file holds the digest of its data: damaged and foreign files are reported, and not used.
"""

from __future__ import annotations

import hashlib
import json
import struct
from math import isnan, nan
from typing import TYPE_CHECKING, Any

from mineproof.arena.chunks import digest
from mineproof.arena.match import Result
from mineproof.errors import BadRecords, MissingExtra
from mineproof.files import write_file

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError as missing:
    raise MissingExtra("keeping records", str(missing.name), "arena") from None

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from mineproof.arena.chunks import Chunk

SCHEMA = pa.schema(
    [
        ("level", pa.dictionary(pa.int8(), pa.string())),
        ("agent", pa.dictionary(pa.int8(), pa.string())),
        ("board", pa.int64()),
        ("won", pa.bool_()),
        ("stuck", pa.bool_()),
        ("guesses", pa.int32()),
        ("moves", pa.int32()),
        ("hits", pa.int32()),
        ("score", pa.float64()),
        ("risks", pa.list_(pa.float64())),
        ("struck", pa.list_(pa.bool_())),
        ("fault", pa.string()),
        ("microseconds", pa.int64()),
        ("slowest_microseconds", pa.int64()),
    ]
)
"""One row per game. ``board`` is its index in the seed or the file; ``risks`` and ``struck`` have an item per guess."""


def file_identity(run: str, level: str, agent: str, first: int) -> dict[str, Any]:
    """Return the part of a file's metadata that says which file it is."""
    return {"run": run, "level": level, "agent": agent, "first": first}


def encode(chunk: Chunk, results: Sequence[Result], digested: int) -> bytes:
    """Return the file of a chunk as bytes; its results have this digest."""
    return write_games(chunk.place, chunk.agent, chunk.run, chunk.first, results, digested)


def write_games(
    level: str, agent: str, run: str, first: int, results: Sequence[Result], digested: int | None = None
) -> bytes:
    """Return a file of games as bytes; they are on consecutive boards from ``first``."""
    metadata = file_identity(run, level, agent, first) | {"games": len(results)}
    metadata["digest"] = f"{digest(results, first) if digested is None else digested:064x}"
    metadata["checksum"] = checksum(results)
    return _parquet(_table(level, agent, first, results).replace_schema_metadata({"mineproof": json.dumps(metadata)}))


def write_table(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Write rows as a Parquet file."""
    write_file(path, _parquet(pa.Table.from_pylist(list(rows))))


def _parquet(table: Any) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    return bytes(sink.getvalue())


def _table(level: str, agent: str, first: int, results: Sequence[Result]) -> Any:
    def repeated(text: str) -> Any:
        return pa.DictionaryArray.from_arrays(pa.array([0] * len(results), pa.int8()), [text])

    columns: dict[str, Any] = {
        "level": repeated(level),
        "agent": repeated(agent),
        "board": range(first, first + len(results)),
        "score": [None if isnan(result.score) else result.score for result in results],
        "risks": [[None if isnan(risk) else risk for risk in result.risks] for result in results],
        "struck": [list(result.struck) for result in results],
        "fault": [result.fault or None for result in results],
        "microseconds": [round(result.seconds * 1e6) for result in results],
        "slowest_microseconds": [round(result.slowest * 1e6) for result in results],
    }
    for name in ("won", "stuck", "guesses", "moves", "hits"):
        columns[name] = [getattr(result, name) for result in results]
    arrays = [
        column if isinstance(column, pa.Array) else pa.array(column, SCHEMA.field(name).type)
        for name, column in ((name, columns[name]) for name in SCHEMA.names)
    ]
    return pa.Table.from_arrays(arrays, schema=SCHEMA)


def checksum(results: Sequence[Result]) -> str:
    """Return a checksum of the computed numbers that the digest leaves out because they may differ between machines. It
    shows whether a file has changed."""
    checksum = hashlib.sha256()
    for result in results:
        checksum.update(struct.pack(f"<di{len(result.risks)}d", result.score, len(result.risks), *result.risks))
    return checksum.hexdigest()


def read_games(path: Path, identity: dict[str, Any]) -> list[Result]:
    """Read the games of a file, and check that they are unchanged and that the file has this `file_identity`."""
    try:
        file = pq.ParquetFile(path)
        metadata = json.loads((file.schema_arrow.metadata or {})[b"mineproof"])
        foreign = any(metadata.get(name) != value for name, value in identity.items())
        rows = file.metadata.num_rows  # a game takes more than a byte: a short file cannot cause long work
        changed = rows != metadata.get("games") or rows > path.stat().st_size
        results = [] if foreign or changed else _results(file.read().select(SCHEMA.names))
        actual = f"{digest(results, metadata['first']):064x}"
        changed = changed or metadata.get("digest") != actual or metadata.get("checksum") != checksum(results)
    except (pa.ArrowException, OSError, KeyError, ValueError, TypeError, AttributeError, struct.error) as failure:
        if isinstance(failure, OSError) and failure.errno is not None:
            raise
        raise BadRecords(
            f"{path} is damaged, or not a record of games: delete it, and --resume plays it again"
        ) from None
    if foreign:
        raise BadRecords(f"{path} belongs to another run: delete it, and --resume plays it again")
    if changed:
        raise BadRecords(f"{path} is damaged: its data has changed; delete it, and --resume plays it again")
    return results


def _results(table: Any) -> list[Result]:
    """Return the rows of a table as results."""
    names = (
        "won", "stuck", "moves", "hits", "score", "risks", "struck", "microseconds", "slowest_microseconds", "fault"
    )  # fmt: skip
    return [
        Result(
            won=won,
            stuck=stuck,
            moves=moves,
            hits=hits,
            score=nan if score is None else score,
            risks=tuple(nan if risk is None else risk for risk in risks),
            struck=tuple(struck),
            seconds=microseconds / 1e6,
            slowest=slowest / 1e6,
            fault=fault or "",
        )
        for won, stuck, moves, hits, score, risks, struck, microseconds, slowest, fault in zip(
            *(table[name].to_pylist() for name in names), strict=True
        )
    ]
