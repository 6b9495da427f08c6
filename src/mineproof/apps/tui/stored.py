"""What the app remembers: the player's choices and best times. Two small JSON files in the data folder."""

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
"""Best times that are kept for each kind of game."""


def home() -> Path:
    """The folder of the files."""
    return user_data_path("mineproof")


def _read(path: Path) -> tuple[dict[str, Any], str]:
    """The content of a file, and what is wrong with it, if anything."""
    try:
        found = json.loads(path.read_text())
    except FileNotFoundError:
        return {}, ""
    except (OSError, ValueError, RecursionError) as failure:
        return {}, f"{path} cannot be read ({failure}), and is ignored."
    return (found, "") if isinstance(found, dict) else ({}, f"{path} cannot be read, and is ignored.")


def _is_time(found: object) -> bool:
    """Milliseconds and a day, as `BestTimes` writes them."""
    return isinstance(found, list) and [*map(type, found)] == [int, str] and bool(found[0] >= 0)


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
        """The choices, and a sentence if they could not be read."""
        found, wrong = _read(home() / "terminal.json")
        kinds = {one.name: type(one.default) for one in fields(cls)}
        chosen: dict[str, Any] = {name: value for name, value in found.items() if type(value) is kinds.get(name)}
        return cls(**chosen), wrong

    def save(self) -> None:
        """Remember them."""
        _write(home() / "terminal.json", asdict(self))


@dataclass
class BestTimes:
    """The best times by kind of game: milliseconds, and the day."""

    times: dict[str, list[tuple[int, str]]] = field(default_factory=dict)

    @classmethod
    def load(cls) -> tuple[BestTimes, str]:
        """The times, and a sentence if they, or some of them, could not be read."""
        path = home() / "times.json"
        found, wrong = _read(path)
        times = {}
        for kind, some in found.items():
            all_of_them = some if isinstance(some, list) else [some]
            good = [(one[0], one[1]) for one in all_of_them if _is_time(one)]
            if len(good) < len(all_of_them):
                wrong = f"Some times in {path} cannot be read, and are ignored."
            times[kind] = sorted(good)[:MOST_TIMES]
        return cls(times), wrong

    def best(self, kind: str) -> int | None:
        """The best time of a kind of game, in milliseconds."""
        some = self.times.get(kind)
        return some[0][0] if some else None

    def add(self, kind: str, milliseconds: int) -> int | None:
        """Add a time and remember it; its place from 1 on, or None if it is not among the best. A file that could not
        be read stays, under another name.

        >>> BestTimes({"beginner": [(9000, "2026-01-01")]}).best("beginner")
        9000
        """
        entry = (milliseconds, time.strftime("%Y-%m-%d"))
        stored, wrong = self.load()  # another window may have added some
        some = sorted([*stored.times.get(kind, []), entry])[:MOST_TIMES]
        self.times = {**stored.times, kind: some}
        if entry not in some:
            return None
        path = home() / "times.json"
        if wrong:
            path.replace(path.with_name(f"times-damaged-{time.time_ns()}.json"))
        _write(path, self.times)
        return some.index(entry) + 1
