"""Files are written whole or not at all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from mineproof.files import UNFINISHED, remove_unfinished, whole_file, write_file

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("durable", [False, True])
def test_what_fails_leaves_what_was_there(tmp_path: Path, durable: bool) -> None:
    path = tmp_path / "x"
    write_file(path, b"old", durable=durable)

    def fail(failure: BaseException) -> None:
        with whole_file(path, durable=durable) as file:
            file.write(b"new")
            file.flush()
            assert path.read_bytes() == b"old"
            raise failure

    for failure in (KeyboardInterrupt(), SystemExit(1), ZeroDivisionError()):
        with pytest.raises(type(failure)):
            fail(failure)
        assert [found.read_bytes() for found in tmp_path.iterdir()] == [b"old"]
    with pytest.raises(OSError, match="No space left") as told:
        fail(OSError(28, "No space left on device"))
    assert told.value.filename == str(path)
    with pytest.raises(FileNotFoundError) as told:
        fail(FileNotFoundError(2, "No such file", "another"))
    assert told.value.filename == "another"
    with pytest.raises(FileNotFoundError) as told:
        write_file(tmp_path / "nowhere" / "x", b"", durable=durable)
    assert told.value.filename == str(tmp_path / "nowhere" / "x")
    write_file(path, b"new", durable=durable)
    assert path.read_bytes() == b"new"


def test_what_is_left_of_a_file_can_be_removed(tmp_path: Path) -> None:
    for name in (f".x.1{UNFINISHED}", f".y.1{UNFINISHED}", f"x{UNFINISHED}", "x"):
        (tmp_path / name).touch()
    remove_unfinished(tmp_path, "x")
    assert sorted(path.name for path in tmp_path.iterdir()) == [f".y.1{UNFINISHED}", "x", f"x{UNFINISHED}"]


@pytest.mark.parametrize("name", ["manifest.json", "x" * 255, "é" * 127, "[x]*"])
def test_what_a_killed_process_leaves_is_found_by_the_name_of_the_file(tmp_path: Path, name: str) -> None:
    with whole_file(tmp_path / name):
        (part,) = tmp_path.iterdir()
    part.touch()  # as if its process had been killed
    remove_unfinished(tmp_path, name)
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.skipif(os.name != "posix", reason="needs permissions")
def test_a_file_keeps_its_permissions_and_a_new_one_gets_the_usual_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = os.umask(0o027)
    try:
        with monkeypatch.context() as patch:
            patch.setattr(os, "umask", None)  # it is one for all threads: whole_file must not change it
            for mode, expected in ((None, 0o640), (0o600, 0o600), (0o666, 0o666)):
                if mode is not None:
                    (tmp_path / "x").chmod(mode)
                with whole_file(tmp_path / "x"):
                    (part,) = tmp_path.glob(f".x.*{UNFINISHED}")
                    assert part.stat().st_mode & 0o777 & ~expected == 0  # nobody may read more, not even for a moment
                assert (tmp_path / "x").stat().st_mode & 0o777 == expected
    finally:
        os.umask(before)
