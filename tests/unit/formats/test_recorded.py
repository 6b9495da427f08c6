"""Recorded games of other programs: what the mouse did becomes moves, and what is wrong becomes one sentence."""

from __future__ import annotations

import tempfile
from functools import partial
from typing import TYPE_CHECKING

import ms_toollib
import pytest

from mineproof import CannotConvert, Cell, Game, InvalidText, Layout, MissingExtra, Replay, Rules, read, write
from mineproof.board.formats import recording, transcriber
from support import recorded
from support.recorded import Event, Recording

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# 001?1
# 11211
# 1?100
LAYOUT = Layout.parse("5x3x2=1010")
WON = ["open A1", "flag D1", "chord C1", "flag B3", "chord C2", "chord B2", "chord D2"]
GAMES = {
    "won": WON,
    "flagged first": ["flag B3", "flag D1", "open A1", "chord C1", "chord C2", "chord B2", "chord D2"],
    "lost": ["open A1", "flag B3", "unflag B3", "open D1"],
    "lost by a chord": ["open A1", "flag D2", "chord C1"],
    "unfinished": ["open A1", "flag D1", "chord C1", "flag E1"],
}
FILES: dict[str, tuple[str, Callable[[Recording], bytes]]] = {
    "avf": ("avf", recorded.avf),
    "mvf": ("mvf", recorded.mvf),
    **{f"rmv {version}": ("rmv", partial(recorded.rmv, version=version)) for version in (1, 2)},
    **{f"evf {version}": ("evf", partial(recorded.evf, version=version)) for version in (0, 1, 2, 3)},
}
EVF = recorded.evf(Recording(LAYOUT, [Event(0, "lc", 8, 8), Event(0, "lr", 8, 8)], won=False))


def played(moves: list[str], *, questions: bool = False) -> Replay:
    game = Game(LAYOUT, Rules("any", questions=questions))
    for move in moves:
        game.play(move)
    return Replay(game.replay().id, tuple(game.moves), tuple(range(0, 70 * len(moves), 70)))


def clicks(*events: str) -> list[Event]:
    """Events on cells, as in ``lc A1``; ``out`` is beside the board."""
    found = []
    for time, (name, where) in enumerate(event.split() for event in events):
        row, col = (200, 200) if where == "out" else Cell.parse(where)
        found.append(Event(10 * time, name, 16 * col + 8, 16 * row + 8))
    return found


def moves_of(data: bytes, name: str | None = None) -> list[str]:
    replay = read(data, name)
    assert isinstance(replay, Replay)
    return [str(move) for move in replay.moves]


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_read_as_it_was_played(file: str, game: str) -> None:
    name, write_file = FILES[file]
    replay = played(GAMES[game])
    data = write_file(Recording.of(replay))
    again = read(data, name)
    assert isinstance(again, Replay)
    assert again.moves == replay.moves
    assert again.id == replay.id
    assert again.game().position == replay.game().position
    assert again == read(data)  # nobody has to say what it is
    if "rmv" not in file or game != "flagged first":  # these flags have no time there
        assert again.times == replay.times


@pytest.mark.parametrize("file", [file for file in FILES if file not in ("evf 0", "evf 1", "evf 2")])
def test_question_marks_where_they_were_on(file: str) -> None:
    name, write_file = FILES[file]
    moves = [
        "open A1",
        "flag E1",
        "question E1",
        "unflag E1",
        "flag D1",
        "chord C1",
        "flag E3",
        "question E3",
        "open E3",
    ]
    replay = played(moves, questions=True)
    again = read(write_file(Recording.of(replay)), name)
    assert isinstance(again, Replay)
    assert again.id.rules.questions
    assert again.moves == replay.moves


@pytest.mark.parametrize(
    ("events", "moves"),
    [
        (["l A1", "l A1", "r D1", "r D1", "m C1", "m C1"], ["open A1", "flag D1", "chord C1"]),
        (["lc A1", "lr A1", "rc D1", "rr D1", "lc C1", "cc C1", "lr C1", "rr C1"], ["open A1", "flag D1", "chord C1"]),
        (["lc A1", "lr A1", "rc D1", "rr D1", "cc C1", "rr C1", "lr C1"], ["open A1", "flag D1", "chord C1"]),
        (["pf D1", "pf B3", "lc A1", "lr A1"], ["flag D1", "flag B3", "open A1"]),
        (["lc A1", "lr A1", "mc out", "mr out", "lc E3", "lr out"], ["open A1"]),
        (["rc D1", "rr D1", "rc D1", "rr D1", "lc A1", "lr A1"], ["flag D1", "unflag D1", "open A1"]),
    ],
)
def test_events_that_only_some_programs_write(events: list[str], moves: list[str]) -> None:
    if events[0] == "l A1":  # nothing but a press can come first
        events[:2] = ["lc A1", "lr A1"]
    assert moves_of(recorded.evf(Recording(LAYOUT, clicks(*events), won=False)), "evf") == moves


@pytest.mark.parametrize("version", [0, 3, 4])  # its own version 2 says that it is 0, and cannot be read
def test_what_ms_toollib_records_itself(version: int) -> None:
    numbers = [
        [-1 if LAYOUT.has_mine((row, col)) else LAYOUT.number((row, col)) for col in range(5)] for row in range(3)
    ]
    video = ms_toollib.BaseVideo(numbers, 20)
    for event in Recording.of(played(WON)).events:
        video.step(event.name, (event.y * 20 // 16, event.x * 20 // 16))
    video.software, video.country = "元3.2.0", "XX"
    video.mode, video.is_official, video.is_fair = 0, True, True
    getattr(video, f"generate_evf_v{version}_raw_data")()
    data = bytes(video.raw_data)
    assert moves_of(data) == WON
    again = read(data, "evf")
    assert isinstance(again, Replay)
    assert again.times is not None
    assert list(again.times) == sorted(again.times)
    assert str(again.game().state) == "won"


@pytest.mark.parametrize(("file", "kind"), [("avf", "AvfVideo"), ("mvf", "MvfVideo"), ("rmv 2", "RmvVideo")])
def test_what_ms_toollib_converts_is_the_same_game(file: str, kind: str) -> None:
    name, write_file = FILES[file]
    data = write_file(Recording.of(played(WON)))
    video = getattr(ms_toollib, kind)(raw_data=data)
    video.parse()
    video.analyse()
    video.generate_evf_v4_raw_data()
    assert moves_of(bytes(video.raw_data), "evf") == moves_of(data, name) == WON


@pytest.mark.parametrize("name", recorded.WRITERS)
@pytest.mark.parametrize(
    "data", [b"", b"\0", b"*rmv", b"*rmv\0\1" + bytes(99), b"\x11M" + bytes(200), bytes(5) + b"\3" * 99, b"\4" * 300]
)
def test_what_is_no_such_file(name: str, data: bytes) -> None:
    with pytest.raises(
        InvalidText, match=rf"^this {name.upper()} file cannot be read: it is damaged, or not an .* file$"
    ):
        read(data, name)


@pytest.mark.parametrize("file", ["mvf", "rmv 1", "rmv 2", "evf 3"])
def test_a_win_that_the_clicks_do_not_make(file: str) -> None:
    name, write_file = FILES[file]
    claimed = Recording.of(played(GAMES["unfinished"]))._replace(won=True)
    with pytest.raises(
        InvalidText, match=f"^the clicks of this {name.upper()} file do not lead to the result that it states"
    ):
        read(write_file(claimed), name)


def test_mines_that_are_not_as_many_as_announced() -> None:
    data = bytearray(recorded.rmv(Recording.of(played(WON))))
    at = data.index(b"\3\0\1\2")  # D1, then B3: now twice the same
    data[at : at + 4] = b"\3\0\3\0"
    with pytest.raises(InvalidText, match="cannot be read"):
        read(bytes(data), "rmv")


def test_a_file_that_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "MOST_BYTES", len(EVF) - 1)
    with pytest.raises(InvalidText, match="too long to be a recorded game"):
        read(EVF, "evf")


def test_a_file_that_has_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """ms-toollib counts the days since 1970 one year after the other."""
    data = recorded.avf(Recording.of(played(WON)), year="9" * 19)
    monkeypatch.setattr(recording, "SECONDS", 0.5)
    with pytest.raises(InvalidText, match=r"^this AVF file could not be read in 0\.5 seconds$"):
        read(data, "avf")


def hindered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: str) -> None:
    """Another ms-toollib for the process that reads."""
    (tmp_path / "ms_toollib.py").write_text(code)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    hindered(monkeypatch, tmp_path, "raise ImportError")
    with pytest.raises(MissingExtra) as refused:
        read(EVF, "evf")
    assert str(refused.value) == "reading EVF files needs ms-toollib; install it with: pip install 'mineproof[replays]'"


HOSTILE = {
    "memory": "hoard = []\nwhile True: hoard.append(bytes(2**24))",
    "a crash": "import os; os.abort()",
    "output": "import os\nwhile True: os.write(3, b'0' * 2**20)",
    "prose": "import os\nos.write(3, b'1 ' + b'1' * 99 + b'\\nNonsense')\nos._exit(0)",
    "bytes": "import os\nos.write(3, bytes(range(256)) * 99)\nos._exit(0)",
    "silence": "import os\nos._exit(0)",
    "exit": "import sys\nsys.exit('enough')",
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_library_that_does_what_it_likes(what: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its memory and its output have an end, and what it says is not believed."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    in_folder(monkeypatch, folder)
    hindered(monkeypatch, tmp_path, HOSTILE[what])
    with pytest.raises(InvalidText, match="cannot be read: it is damaged"):
        read(EVF, "evf")
    assert not list(folder.iterdir())


def in_folder(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """We are there, and what is temporary goes there too."""
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.chdir(folder)


def test_nothing_is_left_behind_or_written_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """When ms-toollib gives up it writes a file of this name."""
    ours = tmp_path / "crash.log"
    ours.write_text("ours")
    in_folder(monkeypatch, tmp_path)
    assert moves_of(EVF) == ["open A1"]
    with pytest.raises(InvalidText):
        read(EVF[:-20], "evf")
    assert list(tmp_path.iterdir()) == [ours]
    assert ours.read_text() == "ours"


@pytest.mark.parametrize("name", recorded.WRITERS)
def test_they_are_not_written(name: str) -> None:
    with pytest.raises(CannotConvert, match=f"^{name} can be read but not written$"):
        write(played(WON), name)


def test_every_format_that_ms_toollib_reads_is_here() -> None:
    assert set(recorded.WRITERS) == set(transcriber.VIDEOS) == set(recording.BEGINNINGS)
