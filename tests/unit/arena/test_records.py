"""Records: nothing lost, nothing foreign, the same data after any interruption."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tracemalloc
from statistics import mean, stdev
from typing import TYPE_CHECKING, Any

import portalocker
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mineproof import BadRecords, Layout, Level, Rules, UnknownName
from mineproof.arena.boards import Boards
from mineproof.arena.records import LOCK, Records, compare, plan_of, read_manifest
from mineproof.arena.request import Request
from mineproof.arena.rows import read_games
from mineproof.arena.tournament import Plan, tournament
from mineproof.files import UNFINISHED

if TYPE_CHECKING:
    from pathlib import Path

    from mineproof.arena.chunks import Chunk, Played
    from mineproof.arena.tournament import Standing

LEVELS = (Level.parse("beginner"), Level.parse("6x5x6"))
PLAN = Plan(("best", "single+random"), LEVELS, Rules("safe"), 130, 3)


class Cut(Exception):
    """The power goes out."""


def broken_off(folder: Path, after: int, plan: Plan = PLAN) -> None:
    """A run that ends after some chunks."""
    store = Records(folder, plan)
    save = Records.save

    def until(chunk: Chunk, played: Played) -> None:
        nonlocal after
        after -= 1
        if after < 0:
            raise Cut
        save(store, chunk, played)

    store.save = until  # type: ignore[method-assign]
    with pytest.raises(Cut), store:
        tournament(plan, store=store)


def data(folder: Path) -> dict[str, Any]:
    """All rows of all files, but for what the clock said."""
    found = {}
    for path in sorted((folder / "games").rglob("*.parquet")):
        table = pq.read_table(path).drop_columns(["microseconds", "slowest_microseconds"])
        found[str(path.relative_to(folder))] = table.to_pylist()
    return found


@pytest.fixture(scope="module")
def entire(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Standing]:
    """The plan, played without interruption."""
    folder = tmp_path_factory.mktemp("records") / "whole"
    return folder, tournament(PLAN, store=Records(folder, PLAN))


@pytest.mark.parametrize("after", [0, 1, 37])
def test_resumed_runs_have_the_same_data(tmp_path: Path, entire: tuple[Path, Standing], after: int) -> None:
    folder, whole = entire
    broken_off(tmp_path / "cut", after)
    assert len(data(tmp_path / "cut")) == after
    resumed = tournament(PLAN, store=Records(tmp_path / "cut", PLAN, resume=True))
    assert sum(work.games for work in resumed.played_now.values()) == PLAN.total - PLAN.size * after
    assert resumed.fingerprint == whole.fingerprint
    assert data(tmp_path / "cut") == data(folder)
    summaries = whole.summary(), resumed.summary()
    for summary in summaries:
        for row in summary["agents"]:
            for name in ("games_per_second", "seconds_per_game", "game_ms", "slowest_move_ms"):
                del row[name]
        del summary["seconds"]
    assert summaries[0] == summaries[1]


def test_the_mean_time_of_a_game_is_that_of_the_records(entire: tuple[Path, Standing]) -> None:
    folder, whole = entire
    again = tournament(PLAN, store=Records(folder, PLAN, resume=True))
    rows = pq.read_table(folder / "games").to_pylist()
    for (place, agent), tally in whole.tallies.items():
        times = [row["microseconds"] / 1e6 for row in rows if (row["level"], row["agent"]) == (place, agent)]
        assert tally.seconds_per_game == pytest.approx((mean(times), stdev(times)))
        assert tally.seconds_per_game == again.tallies[place, agent].seconds_per_game


def test_one_row_a_game(entire: tuple[Path, Standing]) -> None:
    table = pq.read_table(entire[0] / "games")
    assert table.num_rows == PLAN.total
    rows = table.filter(table["agent"].cast("string").to_numpy(zero_copy_only=False) == "best").to_pylist()
    assert sorted(row["board"] for row in rows if row["level"] == "beginner") == list(range(130))
    for row in rows:
        assert row["guesses"] == len(row["risks"]) == len(row["struck"])
        assert row["microseconds"] >= 0
        assert row["won"] != any(row["struck"])


def test_small_chunks_end_in_large_files(tmp_path: Path) -> None:
    plan = Plan("single+random", "6x5x6", games=1300)
    assert plan.size == 20
    tournament(plan, store=Records(tmp_path, plan))
    files = sorted((tmp_path / "games").rglob("*"))
    assert [pq.read_metadata(path).num_rows for path in files if path.is_file()] == [1000, 300]


@pytest.mark.parametrize("joined", [0, 1, 2])
def test_a_run_that_was_ended_while_it_joined_files_has_every_game_once(
    tmp_path: Path, entire: tuple[Path, Standing], joined: int
) -> None:
    """Before the joined file is there, after it, and after the first of the others was removed."""
    unlink, removed = type(tmp_path).unlink, 0

    def until(path: Path, missing_ok: bool = False) -> None:
        nonlocal removed
        if path.suffix == ".parquet":
            removed += 1
            if removed == joined:
                raise Cut
        unlink(path, missing_ok)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(tmp_path), "unlink", until)
        if not joined:
            patch.setattr("mineproof.arena.records.write_games", lambda *_: (_ for _ in ()).throw(Cut))
        with pytest.raises(Cut), Records(tmp_path, PLAN) as store:
            tournament(PLAN, store=store)
    assert compare(tmp_path, *PLAN.agents)["beginner"].games >= 128
    resumed = tournament(PLAN, store=Records(tmp_path, PLAN, resume=True))
    assert resumed.fingerprint == entire[1].fingerprint
    assert [len(rows) for rows in data(tmp_path).values()] == [130] * 4


def begun(folder: Path, plan: Plan = PLAN) -> Path:
    """A folder with one chunk in it."""
    broken_off(folder, 1, plan)
    return folder


def test_a_manifest_makes_its_plan_again(tmp_path: Path) -> None:
    begun(tmp_path / "seeded")
    assert plan_of(read_manifest(tmp_path / "seeded")) == PLAN
    layouts = [Layout.draw("beginner", "safe", "A1", seed=3, index=index) for index in range(4)]
    boards = Boards.of(layouts)
    given = Plan(("best", "sat"), (), Rules("safe"), 3, 0, boards)
    assert (given.boards, str(given.rules)) == (Boards.of(layouts[:3]), "any")
    begun(tmp_path / "given", given)
    assert plan_of(read_manifest(tmp_path / "given"), boards) == given
    with pytest.raises(BadRecords, match="give the same --boards again"):
        plan_of(read_manifest(tmp_path / "given"))
    with pytest.raises(BadRecords, match="holds another run: boards there: "):
        Records(
            tmp_path / "given", Plan(("best", "sat"), (), Rules("safe"), 3, 0, Boards.of(layouts[::-1])), resume=True
        )


def test_only_the_same_run_is_resumed(tmp_path: Path) -> None:
    begun(tmp_path)
    with pytest.raises(BadRecords, match="holds another run: agents there"):
        Records(tmp_path, Plan(PLAN.agents[::-1], LEVELS, PLAN.rules, 130, 3), resume=True)
    with pytest.raises(BadRecords, match=r"holds another run: seed there: 3, requested: 4"):
        Records(tmp_path, Plan(PLAN.agents, LEVELS, PLAN.rules, 130, 4), resume=True)
    with pytest.raises(BadRecords, match="is not empty; use --resume"):
        Records(tmp_path, PLAN)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").touch()
    with pytest.raises(BadRecords, match="is not empty; records need an empty folder"):
        Records(tmp_path / "other", PLAN, resume=True)


@pytest.mark.parametrize(
    "change",
    ["", "[]", "{}", '{"format": 3}', "\xff", {"format": 2}, {"limit": None}, {"limit": 5}, {"limit": ["abc"]},
     {"limit": [1, 2, 3]}, {"games": 10**14},
     {"levels": [3]},
     {"levels": None}, {"chunk": 0}, {"chunk": 16.5}, {"games": "x"}, {"levels": "beginner"},
     {"agents": {"best": 1}}, {"agents": ["best"]}, {"boards": 7}],
)  # fmt: skip
def test_a_damaged_manifest_is_named(tmp_path: Path, change: Any) -> None:
    path = begun(tmp_path) / "manifest.json"
    if isinstance(change, dict):
        change = json.dumps({**json.loads(path.read_text()), **change})
    path.write_text(change, encoding="latin-1")
    for use in (lambda: Records(tmp_path, PLAN, resume=True), lambda: compare(tmp_path, "best", "single+random")):
        with pytest.raises(BadRecords, match=r"manifest\.json is damaged"):
            use()


def test_one_run_at_a_time(tmp_path: Path) -> None:
    first = Records(tmp_path, PLAN)
    with pytest.raises(BadRecords, match="another run is writing to"):
        Records(tmp_path, PLAN, resume=True)
    assert (tmp_path / LOCK).exists()
    first.close()
    assert not (tmp_path / LOCK).exists()
    Records(tmp_path, PLAN, resume=True)


def test_the_lock_of_a_run_that_was_killed_is_free(tmp_path: Path) -> None:
    (tmp_path / LOCK).touch()
    assert tournament(PLAN, store=Records(tmp_path, PLAN)).games == PLAN.total


def test_a_lock_that_is_just_being_removed_is_not_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = portalocker.lock

    def removed_meanwhile(*args: Any) -> None:
        lock(*args)
        (tmp_path / LOCK).unlink()

    monkeypatch.setattr(portalocker, "lock", removed_meanwhile)
    with pytest.raises(BadRecords, match="another run is writing to"):
        Records(tmp_path, PLAN)


def test_a_file_system_without_locks_is_the_users_care(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: Any) -> None:
        raise portalocker.LockException("no locks available")

    monkeypatch.setattr(portalocker, "lock", none)
    assert tournament(PLAN, store=Records(tmp_path, PLAN)).games == PLAN.total


def test_a_run_that_never_began_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "film.part").touch()
    with pytest.raises(BadRecords, match="records need an empty folder"):
        Records(tmp_path / "theirs", PLAN)
    assert (tmp_path / "theirs" / "film.part").exists()
    shutil.rmtree(tmp_path / "theirs")
    with pytest.raises(Cut), Records(tmp_path, PLAN):
        raise Cut
    (tmp_path / f".manifest.json.x{UNFINISHED}").write_text("{")
    assert tournament(PLAN, store=Records(tmp_path, PLAN)).games == PLAN.total


def test_damaged_and_foreign_files_are_named_and_left_alone(tmp_path: Path) -> None:
    broken_off(tmp_path / "a", 9)
    other = Plan(PLAN.agents, LEVELS, PLAN.rules, 130, 99)
    broken_off(tmp_path / "b", 9, other)
    files = sorted((tmp_path / "a" / "games").rglob("*.parquet"))
    foreign = sorted((tmp_path / "b" / "games").rglob("*.parquet"))[0]
    whole = files[0].read_bytes()
    table = pq.read_table(files[0])
    changed = table.set_column(table.column_names.index("moves"), "moves", [[999] * table.num_rows])
    changed = changed.cast(table.schema)
    column = table.column_names.index("risks")
    nulls = table.set_column(
        column, table.schema.field("risks"), pa.nulls(table.num_rows, table.schema.field("risks").type)
    )
    for spoil, sentence in (
        (lambda: files[0].write_bytes(whole[:-20]), "is damaged, or not a record"),
        (lambda: files[0].write_bytes(b""), "is damaged, or not a record"),
        (lambda: files[0].write_bytes(b"PAR1" + bytes(50) + b"PAR1"), "is damaged, or not a record"),
        (lambda: pq.write_table(changed.replace_schema_metadata(None), files[0]), "is damaged, or not a record"),
        (lambda: pq.write_table(changed, files[0]), "its data has changed"),
        (lambda: pq.write_table(table.drop_columns(["hits"]), files[0]), "is damaged, or not a record"),
        (
            lambda: pq.write_table(table.replace_schema_metadata({"mineproof": "[]"}), files[0]),
            "is damaged, or not a record",
        ),
        (lambda: pq.write_table(nulls, files[0]), "is damaged, or not a record"),
        (lambda: shutil.copy(foreign, files[0]), "belongs to another run"),
        (lambda: shutil.copy(files[1], files[0]), "belongs to another run"),
    ):
        spoil()
        spoiled = files[0].read_bytes()
        with pytest.raises(BadRecords, match=sentence) as failure, Records(tmp_path / "a", PLAN, resume=True) as store:
            tournament(PLAN, store=store)
        assert str(files[0]) in str(failure.value)
        assert files[0].read_bytes() == spoiled
    files[0].unlink()
    (tmp_path / "a" / "games" / "notes.txt").touch()
    with pytest.raises(BadRecords, match=r"notes\.txt does not belong to this run"):
        Records(tmp_path / "a", PLAN, resume=True)


def test_a_short_file_makes_no_long_work(tmp_path: Path) -> None:
    """A file that says it has a hundred million games is not read."""
    path = begun(tmp_path) / "games" / "beginner" / "0-best" / "000000000000.parquet"
    table = pq.read_table(path)
    said = {"run": "x", "level": "beginner", "agent": "best", "first": 0, "games": 300_000, "digest": ""}
    rows = table.take(pa.array([0] * 300_000)).replace_schema_metadata({"mineproof": json.dumps(said)})
    pq.write_table(rows, path, compression="zstd")
    assert path.stat().st_size < 100_000
    tracemalloc.start()
    with pytest.raises(BadRecords, match="its data has changed"):
        read_games(path, {**said})
    assert tracemalloc.get_traced_memory()[1] < 2**20
    tracemalloc.stop()


def test_what_was_being_written_is_written_again(tmp_path: Path) -> None:
    broken_off(tmp_path, 5)
    files = sorted((tmp_path / "games").rglob("*.parquet"))
    unfinished = files[0].with_name(f".{files[0].name}.x{UNFINISHED}")
    files[0].rename(unfinished)
    assert tournament(PLAN, store=Records(tmp_path, PLAN, resume=True)).fingerprint == tournament(PLAN).fingerprint
    assert files[0].exists()
    assert not unfinished.exists()


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    """No file may grow beyond a size that some chunks need: the run ends with a sentence, and goes on later."""
    command = [sys.executable, "-m", "mineproof", "arena", "--level", "beginner", "--games", "6400", "--workers", "1"]
    run = [*command, "--out", str(tmp_path / "run")]
    limited = (
        "import os, resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000)); "
        f"os.execv({sys.executable!r}, {run!r})"
    )
    done = subprocess.run([sys.executable, "-c", limited], capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert "File too large" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.rglob("*" + UNFINISHED))
    done = subprocess.run(
        [*command[:4], "--out", str(tmp_path / "run"), "--resume", "--json"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    whole = tournament(plan_of(read_manifest(tmp_path / "run")))
    assert json.loads(done.stdout)["fingerprint"] == whole.fingerprint


def test_comparing(tmp_path: Path) -> None:
    standing = tournament(PLAN, store=Records(tmp_path, PLAN))
    found = compare(tmp_path, "best", "single+random")
    assert found == {place: standing.pairs[place, "best", "single+random"] for place in PLAN.places}
    back = compare(tmp_path, "single+random", "best")["beginner"]
    assert (back.first, back.second) == (found["beginner"].second, found["beginner"].first)
    mine, other = (sorted((tmp_path / "games" / "beginner" / name).iterdir()) for name in ("0-best", "1-single+random"))
    kept = other[0].read_bytes()
    shutil.copy(mine[0], other[0])
    with pytest.raises(BadRecords, match="belongs to another run"):
        compare(tmp_path, "best", "single+random")
    other[0].write_bytes(kept)
    with pytest.raises(UnknownName, match="did you mean 'best'"):
        compare(tmp_path, "bets", "best")
    with pytest.raises(BadRecords, match="has no records"):
        compare(tmp_path / "nowhere", "best", "sat")


@pytest.mark.parametrize("agents", [("best", "lowest-risk"), ("best", "single+random")])
def test_a_run_can_be_extended(tmp_path: Path, agents: tuple[str, ...]) -> None:
    """With the same data as if it had been that long from the beginning, however it is cut into chunks."""
    short, long = (Plan(agents, LEVELS, Rules("safe"), games, 3) for games in (130, 200))
    with Records(tmp_path, short) as store:
        store.finish(tournament(short, store=store).summary())
    longer = Request(games=200).resumed(tmp_path)
    assert (longer, longer.size) == (long, short.size)
    with Records(tmp_path, longer, resume=True) as store:
        assert not (tmp_path / "summary.json").exists()
        extended = tournament(longer, store=store)
    played = sum(work.games for work in extended.played_now.values())
    kept = 130 // short.size * short.size  # all chunks that were whole
    assert played == long.total - kept * len(agents) * len(LEVELS)
    assert extended.fingerprint == tournament(long).fingerprint
    assert compare(tmp_path, *agents)["beginner"].games == 200
    with pytest.raises(BadRecords, match="has 200 games, and --games 130 would shorten it"):
        Records(tmp_path, short, resume=True)


def test_a_run_whose_extension_was_cut_off_continues(tmp_path: Path) -> None:
    tournament(PLAN, store=Records(tmp_path, PLAN))
    longer = Request(games=200).resumed(tmp_path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mineproof.arena.records._write_json", lambda *_: (_ for _ in ()).throw(Cut))
        with pytest.raises(Cut):
            Records(tmp_path, longer, resume=True)
    assert tournament(PLAN, store=Records(tmp_path, PLAN, resume=True)).fingerprint == tournament(PLAN).fingerprint
