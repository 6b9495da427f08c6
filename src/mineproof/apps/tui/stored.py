"""What the app remembers, in two small JSON files in the data folder: the player's choices and best times."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any

from platformdirs import user_data_path

from mineproof.files import write_file

if TYPE_CHECKING:
    from pathlib import Path

MOST_TIMES = 10
"""The most best times that are kept for each kind of game."""


def home() -> Path:
    """Return the folder of the files."""
    return user_data_path("mineproof")


def _read(path: Path) -> tuple[dict[str, Any], str]:
    """Return the content of a file, and what is wrong with it, if anything."""
    try:
        content = json.loads(path.read_text())
    except FileNotFoundError:
        return {}, ""
    except (OSError, ValueError, RecursionError) as failure:
        return {}, f"{path} cannot be read ({failure}), and is ignored."
    return (content, "") if isinstance(content, dict) else ({}, f"{path} cannot be read, and is ignored.")


def _is_time(entry: object) -> bool:
    """Return milliseconds and a day, as `BestTimes` writes them."""
    return isinstance(entry, list) and [*map(type, entry)] == [int, str] and bool(entry[0] >= 0)


def _write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, (json.dumps(content, indent=1) + "\n").encode())


@dataclass
class Choices:
    """What the player chose last."""

    theme: str = ""
    level: str = "expert"
    rules: str = "opening"
    no_guess: bool = False
    difficulty: str = ""
    agent: str = "best"

    @classmethod
    def load(cls) -> tuple[Choices, str]:
        """Return the choices, and a sentence if they could not be read."""
        content, problem = _read(home() / "terminal.json")
        kinds = {choice.name: type(choice.default) for choice in fields(cls)}
        chosen: dict[str, Any] = {name: value for name, value in content.items() if type(value) is kinds.get(name)}
        return cls(**chosen), problem

    def save(self) -> None:
        """Write the choices to their file."""
        _write(home() / "terminal.json", asdict(self))


@dataclass
class BestTimes:
    """The best times by kind of game: milliseconds, and the day."""

    times: dict[str, list[tuple[int, str]]] = field(default_factory=dict)

    @classmethod
    def load(cls) -> tuple[BestTimes, str]:
        """Return the times, and a sentence if they, or some of them, could not be read."""
        path = home() / "times.json"
        content, problem = _read(path)
        times = {}
        for kind, entries in content.items():
            entries = entries if isinstance(entries, list) else [entries]
            good = [(entry[0], entry[1]) for entry in entries if _is_time(entry)]
            if len(good) < len(entries):
                problem = f"Some times in {path} cannot be read, and are ignored."
            times[kind] = sorted(good)[:MOST_TIMES]
        return cls(times), problem

    def best(self, kind: str) -> int | None:
        """Return the best time of a kind of game, in milliseconds."""
        times = self.times.get(kind)
        return times[0][0] if times else None

    def add(self, kind: str, milliseconds: int) -> int | None:
        """Add a time to the file, and return its place from 1 on, or None if it is not among the best. A file that
        could not be read is kept under another name.

        >>> BestTimes({"beginner": [(9000, "2026-01-01")]}).best("beginner")
        9000
        """
        entry = (milliseconds, time.strftime("%Y-%m-%d"))
        stored, problem = self.load()  # another window may have added times
        times = sorted([*stored.times.get(kind, []), entry])[:MOST_TIMES]
        self.times = {**stored.times, kind: times}
        if entry not in times:
            return None
        path = home() / "times.json"
        if problem:
            path.replace(path.with_name(f"times-damaged-{time.time_ns()}.json"))
        _write(path, self.times)
        return times.index(entry) + 1
