"""Results on disk: Parquet files, and a manifest that describes them.

    DIR/manifest.json                       the run: agents and versions, levels, rules, seed, boards
    DIR/games/LEVEL/NUMBER-AGENT/….parquet  one row per game; the name is the number of the first board
    DIR/summary.json                        the summary, when the run is finished
    DIR/.lock                               a lock, held by the process that writes here

A file holds a chunk. When all chunks of a *lot*, of at least a thousand games, are there, they are joined: the file of
the first chunk is replaced by one that holds the whole lot, and then the other files are removed.

A file gets its name only when it is complete, so a run can be stopped at any time, by anything, and resumed. Each file
holds the name of its run and the digest of its data; damaged or foreign files are reported, and not used.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import mineproof
from mineproof.agents.registry import find_agent, label
from mineproof.arena.chunks import summarise
from mineproof.arena.rows import file_identity, read_games, write_games
from mineproof.arena.statistics import Pairs
from mineproof.arena.tournament import MOST_GAMES, Plan
from mineproof.board.level import Level
from mineproof.board.rules import Rules
from mineproof.errors import BadRecords, MissingExtra, UnknownName, shorten
from mineproof.files import UNFINISHED, remove_unfinished, write_file
from mineproof.limit import Limit
from mineproof.system import WINDOWS

try:
    import portalocker
except ImportError as missing:
    raise MissingExtra("keeping records", str(missing.name), "arena") from None

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

    from mineproof.arena.boards import Boards
    from mineproof.arena.chunks import Chunk, Played
    from mineproof.arena.match import Result

FORMAT = 3
LOT = 1000
"""The least number of games in a lot."""
LOCK = ".lock"


# -- the manifest ------------------------------------------------------------------------------------------------------


def manifest_of(plan: Plan) -> dict[str, Any]:
    """Return the manifest of a plan: everything that the results depend on."""
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
    """Read and check the manifest of a folder."""
    path = folder / "manifest.json"
    if not path.is_file():
        raise BadRecords(f"{folder} has no records: it has no manifest.json")
    manifest = read_json(path)
    if not isinstance(manifest, dict) or manifest.get("format", FORMAT) != FORMAT:
        raise BadRecords(f"{path} is damaged, or not of format {FORMAT}, which this version reads")
    try:
        agents = all(isinstance(name, str) and isinstance(version, int) for name, version in manifest["agents"])
        bounds = {"games": (1, MOST_GAMES), "chunk": (1, MOST_GAMES), "seed": (0, 2**64 - 1)}
        numbers = all(
            type(manifest[name]) is int and low <= manifest[name] <= high for name, (low, high) in bounds.items()
        )
        texts = isinstance(manifest["levels"], list) and all(
            isinstance(text, str) for text in (manifest["rules"], *manifest["levels"])
        )
        seconds, memory = manifest["limit"]
        Limit(seconds, memory)
        valid = agents and numbers and texts and isinstance(manifest["boards"], str | None)
    except (KeyError, TypeError, ValueError):
        valid = False
    if not valid:
        raise BadRecords(f"{path} is damaged, or not the manifest of a tournament")
    return manifest


def plan_of(manifest: dict[str, Any], boards: Boards | None = None) -> Plan:
    """Return the plan of a manifest; if its boards came from a file, they must be given again."""
    if manifest["boards"] and boards is None:
        raise BadRecords("this run took its boards from a file: give the same --boards again")
    levels = tuple(map(Level.parse, manifest["levels"])) if boards is None else ()
    agents = tuple(name for name, _ in manifest["agents"])
    rules, limit = Rules.parse(manifest["rules"]), Limit(*manifest["limit"])
    return Plan(agents, levels, rules, manifest["games"], manifest["seed"], boards, limit, manifest["chunk"])


def read_json(path: Path) -> Any:
    """Read a JSON file. Raises `BadRecords` if it is damaged."""
    try:
        return json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        raise BadRecords(f"{path} is damaged: it is not JSON") from None


def _write_json(path: Path, fields: dict[str, Any]) -> None:
    write_file(path, (json.dumps(fields, indent=1) + "\n").encode(), durable=True)


def run_key(manifest: dict[str, Any]) -> str:
    """Return the name of a run, which does not depend on its number of games."""
    fixed = {name: value for name, value in manifest.items() if name != "games"}
    return hashlib.sha256(json.dumps(fixed, sort_keys=True).encode()).hexdigest()[:16]


def file_of(folder: Path, manifest: dict[str, Any], level: str, agent: str, first: int) -> Path:
    """Return the file that holds the games of the chunk with this first board."""
    number = [name for name, _ in manifest["agents"]].index(agent)
    return folder / "games" / _plain(level) / f"{number}-{_plain(agent)}" / f"{first:012}.parquet"


def _first_board(path: Path, manifest: dict[str, Any]) -> int | None:
    """Return the first board of the chunk in this file, by its name; None if the run has no such chunk."""
    match = re.fullmatch(r"([0-9]{12,20})\.parquet", path.name, re.ASCII)
    first = -1 if match is None else int(match[1])
    exists = first % manifest["chunk"] == 0 and 0 <= first < manifest["games"] and path.name == f"{first:012}.parquet"
    return first if exists else None


def _plain(name: str) -> str:
    """Return a name with all characters replaced that may not be in a file name."""
    return re.sub(r"[^A-Za-z0-9.+_-]+", "_", name)[:60]


def lot_of(manifest: dict[str, Any], board: int) -> range:
    """Return the boards of the lot of this board: those that are in one file when all of them have been played.

    >>> lot_of({"chunk": 15, "games": 1300}, 1006), lot_of({"chunk": 2000, "games": 9000}, 2001)
    (range(1005, 1300), range(2000, 4000))
    """
    size = manifest["chunk"] * -(-LOT // manifest["chunk"])
    first = board // size * size
    return range(first, min(first + size, manifest["games"]))


def read_file(folder: Path, manifest: dict[str, Any], level: str, agent: str, first: int) -> list[Result]:
    """Read the games of the file with this first board: a chunk or, if a lot begins there, perhaps joined chunks."""
    path = file_of(folder, manifest, level, agent, first)
    games = read_games(path, file_identity(run_key(manifest), level, agent, first))
    lot, end = lot_of(manifest, first), first + len(games)
    chunk = min(manifest["chunk"], manifest["games"] - first)
    joined = first == lot.start and chunk < len(games) <= len(lot)
    if len(games) != chunk and not (joined and (end == lot.stop or end % manifest["chunk"] == 0)):
        raise BadRecords(f"{path} belongs to another run: delete it, and --resume plays it again")
    return games


# -- the folder of a run -----------------------------------------------------------------------------------------------


class Records:
    """The folder of a run, used by one process at a time."""

    def __init__(self, folder: Path, plan: Plan, *, resume: bool = False) -> None:
        self._lock: BinaryIO | None = None
        self.folder = folder
        self.manifest = manifest_of(plan)
        self.run = run_key(self.manifest)
        self._new = False  # the folder was empty, and no game has been played yet
        self._last_file: dict[tuple[str, str], tuple[int, list[Result]]] = {}  # the last file read, by level and agent
        self._lot_games: dict[tuple[str, str, int], int] = {}  # the number of games in each lot that is not joined yet
        folder.mkdir(parents=True, exist_ok=True)
        self._refuse_other_files()
        self._lock = self._acquire_lock()
        try:
            self._take_over(resume)
        except BaseException:
            self.close()
            raise

    def _refuse_other_files(self) -> None:
        """Refuse a folder without a manifest that has other files, before anything is written there."""
        names = {path.name for path in self.folder.iterdir() if not path.name.startswith(".manifest.json.")}
        if "manifest.json" not in names and names - {LOCK}:
            raise BadRecords(f"{self.folder} is not empty; records need an empty folder")

    def _acquire_lock(self) -> BinaryIO | None:
        """Lock the folder until the returned file is closed. Return None on a file system without locks: there, users
        must take care themselves."""
        lock = (self.folder / LOCK).open("ab")
        try:
            portalocker.lock(lock, portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING)
            ours = os.fstat(lock.fileno()).st_nlink > 0  # otherwise its last owner has just removed it
        except portalocker.AlreadyLocked:
            ours = False
        except portalocker.LockException:
            lock.close()
            return None
        if not ours:
            lock.close()
            raise BadRecords(f"another run is writing to {self.folder}")
        return lock

    def _take_over(self, resume: bool) -> None:
        """Prepare the folder for writing, if it is empty or belongs to this run."""
        path = self.folder / "manifest.json"
        for name in ("manifest.json", "summary.json"):
            remove_unfinished(self.folder, name)
        if resume and path.exists():
            manifest = read_manifest(self.folder)
            self._check_same_run(manifest)
            self._tidy()
            if manifest["games"] < self.manifest["games"]:
                self._extend(manifest)
        elif path.exists():
            raise BadRecords(f"{self.folder} is not empty; use --resume to continue it")
        else:
            self._refuse_other_files()
            _write_json(path, self.manifest)
            self._new = True

    def close(self) -> None:
        """Release the folder."""
        lock, self._lock = self._lock, None
        if lock is not None:
            if WINDOWS:  # it removes no open file; if another process has it open by now, it stays
                lock.close()
            with suppress(OSError):
                (self.folder / LOCK).unlink()
            lock.close()

    def __enter__(self) -> Records:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Restore the folder after a run that failed before any game; an interrupted run can be resumed."""
        if self._new and kind is not None and issubclass(kind, Exception):
            (self.folder / "manifest.json").unlink()
        self.close()

    def __del__(self) -> None:
        self.close()

    def _check_same_run(self, manifest: dict[str, Any]) -> None:
        """Check that the manifest in the folder is of the same run, perhaps with fewer games."""
        for name, requested in self.manifest.items():
            if name == "games":
                if manifest[name] > requested:
                    raise BadRecords(
                        f"the run in {self.folder} has {manifest[name]:,} games, and --games {requested} would shorten "
                        "it: name more games to extend it, or leave --games out"
                    )
            elif manifest.get(name) != requested:
                values = f"there: {shorten(manifest.get(name), 200)}, requested: {shorten(requested, 200)}"
                raise BadRecords(f"{self.folder} holds another run: {name} {values}")

    def _tidy(self) -> None:
        """Remove unfinished files of an interrupted run, and report foreign files."""
        folders = {
            file_of(self.folder, self.manifest, level, agent, 0).parent
            for level in self.manifest["levels"]
            for agent, _ in self.manifest["agents"]
        }
        for path in (self.folder / "games").rglob("*"):
            if path.is_dir():
                continue
            if path.name.endswith(UNFINISHED):
                path.unlink()
            elif path.parent not in folders or _first_board(path, self.manifest) is None:
                raise BadRecords(f"{path} does not belong to this run")

    def _extend(self, before: dict[str, Any]) -> None:
        """Extend the run of the manifest ``before`` to more games. If its last chunk was short, it becomes longer: its
        games are removed, and played again. The manifest is written last, so that an interruption loses nothing."""
        (self.folder / "summary.json").unlink(missing_ok=True)
        short = before["games"] % before["chunk"]
        for level in before["levels"] if short else ():
            for agent, _ in before["agents"]:
                self._remove_last_chunk(before, level, agent, before["games"] - short)
        _write_json(self.folder / "manifest.json", self.manifest)

    def _remove_last_chunk(self, before: dict[str, Any], level: str, agent: str, start: int) -> None:
        """Remove the games of the last chunk, which begins with board ``start``."""
        first = lot_of(before, start).start
        path = file_of(self.folder, before, level, agent, first)
        if first < start and path.exists():
            games = read_file(self.folder, before, level, agent, first)
            if first + len(games) > start:
                write_file(path, write_games(level, agent, self.run, first, games[: start - first]), durable=True)
        file_of(self.folder, before, level, agent, start).unlink(missing_ok=True)

    def path(self, chunk: Chunk, first: int | None = None) -> Path:
        """Return the file of a chunk, or that of the chunk of the same agent and level that begins with ``first``."""
        return file_of(self.folder, self.manifest, chunk.place, chunk.agent, chunk.first if first is None else first)

    def load(self, chunk: Chunk) -> Played | None:
        """Return the outcome of a chunk; None if it has not been played yet."""
        for first in dict.fromkeys((lot_of(self.manifest, chunk.first).start, chunk.first)):
            games = self._file_games(chunk, first)[chunk.first - first :][: chunk.games]
            if games:
                self._count(chunk)
                return summarise(chunk, games)
        return None

    def _file_games(self, chunk: Chunk, first: int) -> list[Result]:
        """Return the games of a file. Those of the last file are kept: a joined file is asked for chunk by chunk."""
        key = chunk.place, chunk.agent
        if self._last_file.get(key, (None,))[0] != first:
            if not self.path(chunk, first).exists():
                return []
            self._last_file[key] = first, read_file(self.folder, self.manifest, *key, first)
        return self._last_file[key][1]

    def save(self, chunk: Chunk, played: Played) -> None:
        """Save the outcome of a chunk."""
        self._new = False
        path = self.path(chunk)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, played.records, durable=True)
        self._count(chunk)

    def _count(self, chunk: Chunk) -> None:
        """Count the games of a chunk that is on disk, and join its lot if that is complete."""
        lot = lot_of(self.manifest, chunk.first)
        key = chunk.place, chunk.agent, lot.start
        self._lot_games[key] = self._lot_games.get(key, 0) + chunk.games
        if self._lot_games[key] == len(lot):
            del self._lot_games[key]
            self._join(chunk, lot)

    def _join(self, chunk: Chunk, lot: range) -> None:
        """Join the files of a lot. The other files are removed only when the first one holds all games."""
        starts = [first for first in lot[:: self.manifest["chunk"]] if self.path(chunk, first).exists()]
        if len(starts) == 1:
            return
        games: list[Result] = []
        for first in starts:
            if first == lot.start + len(games):  # otherwise it was left by an interruption, and is in the first file
                games += read_file(self.folder, self.manifest, chunk.place, chunk.agent, first)
        data = write_games(chunk.place, chunk.agent, self.run, lot.start, games)
        write_file(self.path(chunk, lot.start), data, durable=True)
        for first in starts[1:]:
            self.path(chunk, first).unlink()
        self._last_file.pop((chunk.place, chunk.agent), None)

    def finish(self, summary: dict[str, Any]) -> None:
        """Write the summary of the finished run."""
        _write_json(self.folder / "summary.json", summary)


def compare(folder: Path, first: str, second: str) -> dict[str, Pairs]:
    """Compare two agents by level, on the boards that both have played so far."""
    manifest = read_manifest(folder)
    known = {label(name): name for name, _ in manifest["agents"]}
    for agent in (first, second):
        if agent not in known:
            raise UnknownName("agent", agent, known)
    first, second = known[first], known[second]
    by_level = {level: Pairs() for level in manifest["levels"]}
    for level, pairs in by_level.items():
        for lot in _lots(folder, manifest, level, first):
            own, other = (_lot_results(folder, manifest, level, agent, lot) for agent in (first, second))
            both = sorted(own.keys() & other.keys())
            pairs.add([own[board].won for board in both], [other[board].won for board in both])
    return by_level


def every_game(folder: Path, manifest: dict[str, Any], level: str, agent: str) -> Iterator[tuple[int, Result]]:
    """Yield the games that an agent has played so far with the numbers of their boards, in this order."""
    for lot in _lots(folder, manifest, level, agent):
        yield from sorted(_lot_results(folder, manifest, level, agent, lot).items())


def _lots(folder: Path, manifest: dict[str, Any], level: str, agent: str) -> list[int]:
    """Return the first boards of the lots of which an agent has played any game."""
    games = file_of(folder, manifest, level, agent, 0).parent
    starts = [_first_board(path, manifest) for path in games.glob("*.parquet")]
    return sorted({lot_of(manifest, start).start for start in starts if start is not None})


def _lot_results(folder: Path, manifest: dict[str, Any], level: str, agent: str, lot: int) -> dict[int, Result]:
    """Return the games of a lot by board. The first file is read last: a run that joins the lot at the same time
    replaces this file before it removes the others."""
    results: dict[int, Result] = {}
    for first in reversed(lot_of(manifest, lot)[:: manifest["chunk"]]):
        with suppress(FileNotFoundError):
            results.update(enumerate(read_file(folder, manifest, level, agent, first), start=first))
    return results
