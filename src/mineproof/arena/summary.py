"""The summary of a finished run, read from its folder. It may come from anywhere, so everything in it is checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mineproof.arena.records import read_json, read_manifest
from mineproof.errors import BadRecords

if TYPE_CHECKING:
    from pathlib import Path

LARGEST = 1e18


def read_summary(folder: Path) -> dict[str, Any]:
    """The summary of a finished run."""
    read_manifest(folder)
    path = folder / "summary.json"
    if not path.is_file():
        raise BadRecords(f"the run in {folder} is not finished: mineproof arena --out {folder} --resume")
    found = read_json(path)
    if not isinstance(found, dict) or not isinstance(found.get("fingerprint"), str) or not _rows(found.get("agents")):
        raise BadRecords(f"{path} is damaged; delete it, and --resume writes it again")
    return found


def _rows(found: object) -> bool:
    """Whether these are agents, with all fields that are used."""
    return isinstance(found, list) and all(isinstance(row, dict) and _row(row) for row in found)


def _row(row: dict[str, Any]) -> bool:
    rate, speed, bins = row.get("win_rate"), row.get("games_per_second"), row.get("calibration")
    times = row.get("seconds_per_game", [0, 0])  # older versions did not write it
    texts = all(isinstance(row.get(name), str) for name in ("agent", "level"))
    counts = all(_number(row.get(name)) for name in ("games", "stuck", "guesses", "hits", "slowest_move_ms", "faults"))
    rated = isinstance(rate, list) and len(rate) == 3 and all(_number(part, 1) for part in rate)
    timed = isinstance(times, list) and len(times) == 2 and all(map(_number, times))
    told = isinstance(row.get("first_fault", ""), str) and bool("first_fault" in row) == bool(row.get("faults"))
    calibrated = isinstance(bins, list) and all(isinstance(one, dict) and _bin(one) for one in bins)
    return texts and counts and rated and timed and told and calibrated and (speed is None or _number(speed))


def _bin(found: dict[str, Any]) -> bool:
    """Whether this is a row of a calibration: guesses of nearly the same risk."""
    guesses = found.get("guesses")
    return _number(guesses) and _number(found.get("struck"), guesses) and _number(found.get("predicted"), 1)


def _number(found: object, most: Any = LARGEST) -> bool:
    return isinstance(found, (int, float)) and not isinstance(found, bool) and 0 <= found <= most
