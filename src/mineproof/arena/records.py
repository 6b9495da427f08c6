"""Results on disk: Parquet, one file a chunk, and a manifest that says what they are.

    DIR/manifest.json                       what is played: agents and versions, levels, rules, seed, boards
    DIR/games/LEVEL/NUMBER-AGENT/….parquet  one row a game; the name is the first board of the chunk
    DIR/summary.json                        when all is done

A file gets its name only when it is whole, so a run can be stopped at any time, by anything, and resumed. Each carries
the run that it belongs to and the digest of its data; what is damaged or foreign is named, and not used.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import struct
from math import isnan, nan
from typing import TYPE_CHECKING, Any

import mineproof
from mineproof.agents.registry import find_agent
from mineproof.arena.chunks import Chunk, Played, digest, summed
from mineproof.arena.match import Result
from mineproof.arena.statistics import Pairs
from mineproof.arena.tournament import MOST_GAMES, Plan
from mineproof.board.level import Level
from mineproof.board.rules import Rules
from mineproof.errors import BadRecords, MissingExtra, UnknownName, shorten
from mineproof.files import UNFINISHED, remove_unfinished, write_file
from mineproof.limit import Limit

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    raise MissingExtra("keeping records", "pyarrow", "arena") from None

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from mineproof.arena.boards import Boards

FORMAT = 2
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
"""One row a game. ``board`` is its index in the seed or the file; ``risks`` and ``struck`` have an item a guess."""


# -- what a run is -----------------------------------------------------------------------------------------------------


def manifest_of(plan: Plan) -> dict[str, Any]:
    """All that the data depend on."""
    return {
        "format": FORMAT,
        "mineproof": mineproof.__version__,
        "agents": [[agent, find_agent(agent).version] for agent in plan.agents],
        "levels": list(plan.places),
        "rules": str(plan.rules),
        "games": plan.games,
        "seed": plan.seed,
        "chunk": plan.size,
        "limit": [plan.limit.seconds, plan.limit.memory],
        "boards": None if plan.boards is None else plan.boards.digest,
    }


def read_manifest(folder: Path) -> dict[str, Any]:
    """What a folder holds."""
    path = folder / "manifest.json"
    if not path.is_file():
        raise BadRecords(f"{folder} has no records: there is no manifest.json in it")
    found = read_json(path)
    if not isinstance(found, dict) or found.get("format", FORMAT) != FORMAT:
        raise BadRecords(f"{path} is damaged, or of a format that this version does not know: it knows format {FORMAT}")
    try:
        agents = all(isinstance(name, str) and isinstance(version, int) for name, version in found["agents"])
        bounds = {"games": (1, MOST_GAMES), "chunk": (1, MOST_GAMES), "seed": (0, 2**64 - 1)}
        numbers = all(type(found[name]) is int and low <= found[name] <= high for name, (low, high) in bounds.items())
        texts = isinstance(found["levels"], list) and all(
            isinstance(t, str) for t in (found["rules"], *found["levels"])
        )
        seconds, memory = found["limit"]
        Limit(seconds, memory)
        whole = agents and numbers and texts and (found["boards"] is None or isinstance(found["boards"], str))
    except (KeyError, TypeError, ValueError):
        whole = False
    if not whole:
        raise BadRecords(f"{path} is damaged, or no manifest of a tournament")
    return found


def plan_of(manifest: dict[str, Any], boards: Boards | None = None) -> Plan:
    """The plan that a manifest tells of; the boards of a file are not in it."""
    if manifest["boards"] and boards is None:
        raise BadRecords("this run has its boards from a file: give the same --boards again")
    levels = tuple(map(Level.parse, manifest["levels"])) if boards is None else ()
    agents = tuple(name for name, _ in manifest["agents"])
    rules, limit = Rules.parse(manifest["rules"]), Limit(*manifest["limit"])
    return Plan(agents, levels, rules, manifest["games"], manifest["seed"], boards, limit)


def read_json(path: Path) -> Any:
    """What a file of JSON says."""
    try:
        return json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        raise BadRecords(f"{path} is damaged: it is no JSON") from None


def _write_json(path: Path, fields: dict[str, Any]) -> None:
    write_file(path, (json.dumps(fields, indent=1) + "\n").encode(), durable=True)


def run_key(manifest: dict[str, Any]) -> str:
    """A name for a run: the same for the same."""
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()[:16]


def file_of(folder: Path, manifest: dict[str, Any], level: str, agent: str, first: int) -> Path:
    """Where the games of a chunk are kept."""
    number = [name for name, _ in manifest["agents"]].index(agent)
    return folder / "games" / _plain(level) / f"{number}-{_plain(agent)}" / f"{first:012}.parquet"


def _first_board(path: Path, manifest: dict[str, Any]) -> int | None:
    """The first board of the chunk that a file is named after, if it is named after one of the run."""
    found = re.fullmatch(r"([0-9]{12,20})\.parquet", path.name, re.ASCII)
    first = -1 if found is None else int(found[1])
    named = first % manifest["chunk"] == 0 and 0 <= first < manifest["games"] and path.name == f"{first:012}.parquet"
    return first if named else None


def _plain(name: str) -> str:
    """A name as file names can have it."""
    return re.sub(r"[^A-Za-z0-9.+_-]+", "_", name)[:60]


def about(run: str, level: str, agent: str, first: int, games: int) -> dict[str, Any]:
    """What the file of a chunk says of itself."""
    return {"run": run, "level": level, "agent": agent, "first": first, "games": games}


# -- a run in its folder -----------------------------------------------------------------------------------------------


class Records:
    """The folder of a run. One process at a time has it."""

    def __init__(self, folder: Path, plan: Plan, *, resume: bool = False) -> None:
        self._lock: int | None = None
        self.folder = folder
        self.manifest = manifest_of(plan)
        self.run = run_key(self.manifest)
        self._new = False  # nothing was there before, and nothing was played yet
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = os.open(folder, os.O_RDONLY)
        try:
            self._take(resume)
        except BaseException:
            self.close()
            raise

    def _take(self, resume: bool) -> None:
        """The folder, if it is free, and empty or of this run."""
        assert self._lock is not None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadRecords(f"another run is writing to {self.folder}") from None
        except OSError:  # a file system without locks: then it is the user's care
            self.close()
        path = self.folder / "manifest.json"
        for name in ("manifest.json", "summary.json"):
            remove_unfinished(self.folder, name)
        if resume and path.exists():
            self._agree(read_manifest(self.folder))
            self._tidy()
        elif any(self.folder.iterdir()):
            hint = "give --resume to go on with it" if path.exists() else "records want a folder of their own"
            raise BadRecords(f"{self.folder} is not empty; {hint}")
        else:
            _write_json(path, self.manifest)
            self._new = True

    def close(self) -> None:
        """Leave the folder to others."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Records:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """A run that failed before it played anything leaves the folder as it was; one that was ended goes on."""
        if self._new and kind is not None and issubclass(kind, Exception):
            (self.folder / "manifest.json").unlink()
        self.close()

    def __del__(self) -> None:
        self.close()

    def _agree(self, found: dict[str, Any]) -> None:
        """Only the same run can be resumed."""
        for name, wanted in self.manifest.items():
            if found.get(name) != wanted:
                there, here = shorten(found.get(name), 200), shorten(wanted, 200)
                raise BadRecords(f"{self.folder} holds another run: {name} there: {there}, asked for: {here}")

    def _tidy(self) -> None:
        """What was being written when the run was cut off goes; what is not ours is named."""
        homes = {
            file_of(self.folder, self.manifest, level, agent, 0).parent
            for level in self.manifest["levels"]
            for agent, _ in self.manifest["agents"]
        }
        for path in (self.folder / "games").rglob("*"):
            if path.is_dir():
                continue
            if path.name.endswith(UNFINISHED):
                path.unlink()
            elif path.parent not in homes or _first_board(path, self.manifest) is None:
                raise BadRecords(f"{path} does not belong to this run")

    def path(self, chunk: Chunk) -> Path:
        """Where the games of a chunk are kept."""
        return file_of(self.folder, self.manifest, chunk.place, chunk.agent, chunk.first)

    def load(self, chunk: Chunk) -> Played | None:
        """What came of a chunk that was played before."""
        path = self.path(chunk)
        if not path.exists():
            return None
        return summed(chunk, read_games(path, about(self.run, chunk.place, chunk.agent, chunk.first, chunk.games)))

    def save(self, chunk: Chunk, played: Played) -> None:
        """Keep what came of a chunk."""
        self._new = False
        path = self.path(chunk)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, played.records, durable=True)

    def finish(self, summary: dict[str, Any]) -> None:
        """The run is done."""
        _write_json(self.folder / "summary.json", summary)


def compare(folder: Path, first: str, second: str) -> dict[str, Pairs]:
    """Two agents on the boards that both have played so far, by level."""
    manifest = read_manifest(folder)
    run = run_key(manifest)
    known = [name for name, _ in manifest["agents"]]
    for agent in (first, second):
        if agent not in known:
            raise UnknownName("agent", agent, known)
    found = {level: Pairs() for level in manifest["levels"]}
    for level, pairs in found.items():
        home = file_of(folder, manifest, level, first, 0).parent
        starts = [_first_board(path, manifest) for path in home.glob("*.parquet")]
        for start in sorted(start for start in starts if start is not None):
            files = {agent: file_of(folder, manifest, level, agent, start) for agent in (first, second)}
            if all(file.exists() for file in files.values()):
                games = min(manifest["chunk"], manifest["games"] - start)
                pairs.add(
                    *(
                        [game.won for game in read_games(file, about(run, level, agent, start, games))]
                        for agent, file in files.items()
                    )
                )
    return found


# -- games as files ----------------------------------------------------------------------------------------------------


def encode(chunk: Chunk, results: Sequence[Result], digested: bytes) -> bytes:
    """The file of a chunk, whose results have this digest."""
    said = about(chunk.run, chunk.place, chunk.agent, chunk.first, chunk.games)
    said["digest"], said["checksum"] = digested.hex(), checksum(results)
    return _parquet(_table(chunk, results).replace_schema_metadata({"mineproof": json.dumps(said)}))


def write_table(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Rows as Parquet."""
    write_file(path, _parquet(pa.Table.from_pylist(list(rows))))


def _parquet(table: Any) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    return bytes(sink.getvalue())


def _table(chunk: Chunk, results: Sequence[Result]) -> Any:
    def repeated(text: str) -> Any:
        return pa.DictionaryArray.from_arrays(pa.array([0] * len(results), pa.int8()), [text])

    columns: dict[str, Any] = {
        "level": repeated(chunk.place),
        "agent": repeated(chunk.agent),
        "board": range(chunk.first, chunk.first + len(results)),
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
    """Of what the digest leaves out: numbers that were computed. It tells whether a file is as it was written, and is
    not the same on every machine."""
    found = hashlib.sha256()
    for result in results:
        found.update(struct.pack(f"<di{len(result.risks)}d", result.score, len(result.risks), *result.risks))
    return found.hexdigest()


def read_games(path: Path, wanted: dict[str, Any]) -> list[Result]:
    """The games of a file, when it is whole and what it should be."""
    try:
        file = pq.ParquetFile(path)
        said = json.loads((file.schema_arrow.metadata or {})[b"mineproof"])
        foreign = any(said.get(name) != value for name, value in wanted.items())
        rows = file.metadata.num_rows  # a game takes more than a byte: no short file makes long work
        changed = rows != said.get("games") or rows > path.stat().st_size
        results = [] if foreign or changed else _results(file.read().select(SCHEMA.names))
        changed = changed or said.get("digest") != digest(results).hex() or said.get("checksum") != checksum(results)
    except (pa.ArrowException, OSError, KeyError, ValueError, TypeError, AttributeError, struct.error) as failure:
        if isinstance(failure, OSError) and failure.errno is not None:
            raise
        raise BadRecords(f"{path} is damaged or no record of games: delete it, and --resume plays it again") from None
    if foreign:
        raise BadRecords(f"{path} belongs to another run: delete it, and --resume plays it again")
    if changed:
        raise BadRecords(f"{path} is damaged: its data have changed; delete it, and --resume plays it again")
    return results


def _results(table: Any) -> list[Result]:
    """Rows as results."""
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
