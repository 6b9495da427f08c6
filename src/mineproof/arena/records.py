"""Results on disk: Parquet, and a manifest that describes it.

    DIR/manifest.json                       what is played: agents and versions, levels, rules, seed, boards
    DIR/games/LEVEL/NUMBER-AGENT/….parquet  one row per game; the name is the first board in the file
    DIR/summary.json                        when the run is finished
    DIR/.lock                               while a process writes here, which has locked it

A file holds a chunk. When all chunks of a *lot*, of at least a thousand games, are there, they are joined: the file of
the first one is replaced by one that holds all, and then the others are removed.

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
from mineproof.arena.chunks import summed
from mineproof.arena.rows import about, read_games, write_games
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
"""The fewest games in a file, if that many were played."""
LOCK = ".lock"


# -- what a run is -----------------------------------------------------------------------------------------------------


def manifest_of(plan: Plan) -> dict[str, Any]:
    """Everything that the data depends on."""
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
    """The manifest of a folder."""
    path = folder / "manifest.json"
    if not path.is_file():
        raise BadRecords(f"{folder} has no records: it has no manifest.json")
    found = read_json(path)
    if not isinstance(found, dict) or found.get("format", FORMAT) != FORMAT:
        raise BadRecords(f"{path} is damaged, or not of format {FORMAT}, which this version reads")
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
        raise BadRecords(f"{path} is damaged, or not the manifest of a tournament")
    return found


def plan_of(manifest: dict[str, Any], boards: Boards | None = None) -> Plan:
    """The plan of a manifest; boards from a file are not included."""
    if manifest["boards"] and boards is None:
        raise BadRecords("this run took its boards from a file: give the same --boards again")
    levels = tuple(map(Level.parse, manifest["levels"])) if boards is None else ()
    agents = tuple(name for name, _ in manifest["agents"])
    rules, limit = Rules.parse(manifest["rules"]), Limit(*manifest["limit"])
    return Plan(agents, levels, rules, manifest["games"], manifest["seed"], boards, limit, manifest["chunk"])


def read_json(path: Path) -> Any:
    """The content of a JSON file."""
    try:
        return json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        raise BadRecords(f"{path} is damaged: it is not JSON") from None


def _write_json(path: Path, fields: dict[str, Any]) -> None:
    write_file(path, (json.dumps(fields, indent=1) + "\n").encode(), durable=True)


def run_key(manifest: dict[str, Any]) -> str:
    """A name for a run, independent of its number of games."""
    fixed = {name: value for name, value in manifest.items() if name != "games"}
    return hashlib.sha256(json.dumps(fixed, sort_keys=True).encode()).hexdigest()[:16]


def file_of(folder: Path, manifest: dict[str, Any], level: str, agent: str, first: int) -> Path:
    """Where the games of a chunk are kept."""
    number = [name for name, _ in manifest["agents"]].index(agent)
    return folder / "games" / _plain(level) / f"{number}-{_plain(agent)}" / f"{first:012}.parquet"


def _first_board(path: Path, manifest: dict[str, Any]) -> int | None:
    """The first board of the chunk of this file name; None if it is not a chunk of the run."""
    found = re.fullmatch(r"([0-9]{12,20})\.parquet", path.name, re.ASCII)
    first = -1 if found is None else int(found[1])
    named = first % manifest["chunk"] == 0 and 0 <= first < manifest["games"] and path.name == f"{first:012}.parquet"
    return first if named else None


def _plain(name: str) -> str:
    """A name that is valid as a file name."""
    return re.sub(r"[^A-Za-z0-9.+_-]+", "_", name)[:60]


def lot_of(manifest: dict[str, Any], board: int) -> range:
    """The boards that are kept in one file with this board, when all have been played.

    >>> lot_of({"chunk": 15, "games": 1300}, 1006), lot_of({"chunk": 2000, "games": 9000}, 2001)
    (range(1005, 1300), range(2000, 4000))
    """
    size = manifest["chunk"] * -(-LOT // manifest["chunk"])
    first = board // size * size
    return range(first, min(first + size, manifest["games"]))


def kept_games(folder: Path, manifest: dict[str, Any], level: str, agent: str, first: int) -> list[Result]:
    """The games of the file of this name: those of a chunk or, if it is the first of a lot, perhaps of more."""
    path = file_of(folder, manifest, level, agent, first)
    found = read_games(path, about(run_key(manifest), level, agent, first))
    lot, end = lot_of(manifest, first), first + len(found)
    chunk = min(manifest["chunk"], manifest["games"] - first)
    joined = first == lot.start and chunk < len(found) <= len(lot)
    if len(found) != chunk and not (joined and (end == lot.stop or end % manifest["chunk"] == 0)):
        raise BadRecords(f"{path} belongs to another run: delete it, and --resume plays it again")
    return found


# -- a run in its folder -----------------------------------------------------------------------------------------------


class Records:
    """The folder of a run, used by one process at a time."""

    def __init__(self, folder: Path, plan: Plan, *, resume: bool = False) -> None:
        self._lock: BinaryIO | None = None
        self.folder = folder
        self.manifest = manifest_of(plan)
        self.run = run_key(self.manifest)
        self._new = False  # the folder was empty, and no game has been played yet
        self._read: dict[tuple[str, str], tuple[int, list[Result]]] = {}  # the last file read, by level and agent
        self._there: dict[tuple[str, str, int], int] = {}  # how many games of a lot are there, until it is joined
        folder.mkdir(parents=True, exist_ok=True)
        self._refuse_theirs()
        self._lock = self._locked()
        try:
            self._take(resume)
        except BaseException:
            self.close()
            raise

    def _refuse_theirs(self) -> None:
        """Refuse a folder that holds anything else, before writing there."""
        there = {path.name for path in self.folder.iterdir() if not path.name.startswith(".manifest.json.")}
        if "manifest.json" not in there and there - {LOCK}:
            raise BadRecords(f"{self.folder} is not empty; records need an empty folder")

    def _locked(self) -> BinaryIO | None:
        """The lock, ours until it is closed. None on a file system without locks: the user must take care."""
        lock = (self.folder / LOCK).open("ab")
        try:
            portalocker.lock(lock, portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING)
            ours = os.fstat(lock.fileno()).st_nlink > 0  # else whoever had it has just removed it
        except portalocker.AlreadyLocked:
            ours = False
        except portalocker.LockException:
            lock.close()
            return None
        if not ours:
            lock.close()
            raise BadRecords(f"another run is writing to {self.folder}")
        return lock

    def _take(self, resume: bool) -> None:
        """Take the folder, if it is empty or belongs to this run."""
        path = self.folder / "manifest.json"
        for name in ("manifest.json", "summary.json"):
            remove_unfinished(self.folder, name)
        if resume and path.exists():
            found = read_manifest(self.folder)
            self._agree(found)
            self._tidy()
            if found["games"] < self.manifest["games"]:
                self._extend(found)
        elif path.exists():
            raise BadRecords(f"{self.folder} is not empty; use --resume to continue it")
        else:
            self._refuse_theirs()
            _write_json(path, self.manifest)
            self._new = True

    def close(self) -> None:
        """Release the folder."""
        lock, self._lock = self._lock, None
        if lock is not None:
            if WINDOWS:  # removes no open file: if somebody has it by now, it stays
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

    def _agree(self, found: dict[str, Any]) -> None:
        """Check that it is the same run, perhaps with more games."""
        for name, wanted in self.manifest.items():
            if name == "games" and found[name] > wanted:
                raise BadRecords(
                    f"the run in {self.folder} has {found[name]:,} games, and --games {wanted} would shorten it: "
                    "name more games to extend it, or leave --games out"
                )
            if name == "games":
                continue
            if found.get(name) != wanted:
                there, here = shorten(found.get(name), 200), shorten(wanted, 200)
                raise BadRecords(f"{self.folder} holds another run: {name} there: {there}, requested: {here}")

    def _tidy(self) -> None:
        """Remove unfinished files of an interrupted run, and report foreign files."""
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

    def _extend(self, found: dict[str, Any]) -> None:
        """Extend the run to more games. The last chunk may become longer, so it is played again, and its games are
        removed. The manifest is written last, so that an interruption loses nothing."""
        (self.folder / "summary.json").unlink(missing_ok=True)
        short = found["games"] % found["chunk"]
        for level in found["levels"] if short else ():
            for agent, _ in found["agents"]:
                self._cut(found, level, agent, found["games"] - short)
        _write_json(self.folder / "manifest.json", self.manifest)

    def _cut(self, found: dict[str, Any], level: str, agent: str, at: int) -> None:
        """Remove the games from this board on, which are those of the last chunk."""
        first = lot_of(found, at).start
        path = file_of(self.folder, found, level, agent, first)
        if first < at and path.exists():
            games = kept_games(self.folder, found, level, agent, first)
            if first + len(games) > at:
                write_file(path, write_games(level, agent, self.run, first, games[: at - first]), durable=True)
        file_of(self.folder, found, level, agent, at).unlink(missing_ok=True)

    def path(self, chunk: Chunk, first: int | None = None) -> Path:
        """Where the games of a chunk are kept, or those of another chunk of the same agent and level."""
        return file_of(self.folder, self.manifest, chunk.place, chunk.agent, chunk.first if first is None else first)

    def load(self, chunk: Chunk) -> Played | None:
        """The outcome of a chunk that was played before."""
        for first in dict.fromkeys((lot_of(self.manifest, chunk.first).start, chunk.first)):
            games = self._games(chunk, first)[chunk.first - first :][: chunk.games]
            if games:
                self._count(chunk)
                return summed(chunk, games)
        return None

    def _games(self, chunk: Chunk, first: int) -> list[Result]:
        """The games of a file. Those of the last one are remembered, because a joined file is read chunk by chunk."""
        key = chunk.place, chunk.agent
        if self._read.get(key, (None,))[0] != first:
            if not self.path(chunk, first).exists():
                return []
            self._read[key] = first, kept_games(self.folder, self.manifest, *key, first)
        return self._read[key][1]

    def save(self, chunk: Chunk, played: Played) -> None:
        """Save the outcome of a chunk."""
        self._new = False
        path = self.path(chunk)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, played.records, durable=True)
        self._count(chunk)

    def _count(self, chunk: Chunk) -> None:
        """Count the games of a chunk that is there, and join its lot if it is complete."""
        lot = lot_of(self.manifest, chunk.first)
        key = chunk.place, chunk.agent, lot.start
        self._there[key] = self._there.get(key, 0) + chunk.games
        if self._there[key] == len(lot):
            del self._there[key]
            self._join(chunk, lot)

    def _join(self, chunk: Chunk, lot: range) -> None:
        """Join the files of a lot. The others are removed only after the first holds all games."""
        files = [first for first in lot[:: self.manifest["chunk"]] if self.path(chunk, first).exists()]
        if len(files) == 1:
            return
        games: list[Result] = []
        for first in files:
            if first == lot.start + len(games):  # else an interruption has left it: it is in the first file already
                games += kept_games(self.folder, self.manifest, chunk.place, chunk.agent, first)
        data = write_games(chunk.place, chunk.agent, self.run, lot.start, games)
        write_file(self.path(chunk, lot.start), data, durable=True)
        for first in files[1:]:
            self.path(chunk, first).unlink()
        self._read.pop((chunk.place, chunk.agent), None)

    def finish(self, summary: dict[str, Any]) -> None:
        """Finish the run."""
        _write_json(self.folder / "summary.json", summary)


def compare(folder: Path, first: str, second: str) -> dict[str, Pairs]:
    """Compare two agents on the boards that both have played so far, by level."""
    manifest = read_manifest(folder)
    known = {label(name): name for name, _ in manifest["agents"]}
    for agent in (first, second):
        if agent not in known:
            raise UnknownName("agent", agent, known)
    first, second = known[first], known[second]
    found = {level: Pairs() for level in manifest["levels"]}
    for level, pairs in found.items():
        for lot in _lots(folder, manifest, level, first):
            mine, other = (_kept(folder, manifest, level, agent, lot) for agent in (first, second))
            both = sorted(mine.keys() & other.keys())
            pairs.add([mine[board].won for board in both], [other[board].won for board in both])
    return found


def every_game(folder: Path, manifest: dict[str, Any], level: str, agent: str) -> Iterator[tuple[int, Result]]:
    """The games of an agent that have been played so far with their boards, in the order of these."""
    for lot in _lots(folder, manifest, level, agent):
        yield from sorted(_kept(folder, manifest, level, agent, lot).items())


def _lots(folder: Path, manifest: dict[str, Any], level: str, agent: str) -> list[int]:
    """The first boards of all lots of which an agent has played some."""
    home = file_of(folder, manifest, level, agent, 0).parent
    starts = [_first_board(path, manifest) for path in home.glob("*.parquet")]
    return sorted({lot_of(manifest, start).start for start in starts if start is not None})


def _kept(folder: Path, manifest: dict[str, Any], level: str, agent: str, lot: int) -> dict[int, Result]:
    """The games of a lot by their boards. The first file is read last: a run that joins the lot meanwhile replaces it
    before it removes the others."""
    found: dict[int, Result] = {}
    for first in reversed(lot_of(manifest, lot)[:: manifest["chunk"]]):
        with suppress(FileNotFoundError):
            games = kept_games(folder, manifest, level, agent, first)
            found.update(enumerate(games, start=first))
    return found
