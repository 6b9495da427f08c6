"""Tournaments: the same for any number of workers, on seeds and on given boards."""

from __future__ import annotations

import logging
import multiprocessing
import time
import tracemalloc
from collections import Counter
from concurrent.futures import Executor, Future
from concurrent.futures.process import _ExecutorManagerThread
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest

from mineproof import (
    AGENTS,
    BadRecords,
    Grid,
    InvalidArgument,
    InvalidText,
    Layout,
    Level,
    Limit,
    MineproofError,
    Rules,
    UnknownName,
    play,
)
from mineproof.arena.boards import Boards
from mineproof.arena.chunks import Chunk, digest, play_chunk, run
from mineproof.arena.engines import Engine, cluster, processes, work
from mineproof.arena.match import Result
from mineproof.arena.statistics import Tally
from mineproof.arena.tournament import Plan, Standing, tournament
from mineproof.board.formats import jsonl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BEGINNER = Level.parse("beginner")
BEST = AGENTS["best"].version


def plan(*agents: str, games: int = 20, **others: Any) -> Plan:
    return Plan(
        **{"agents": agents, "levels": (BEGINNER,), "rules": Rules("safe"), "games": games, "seed": 3, **others}
    )


class Backwards(Executor):
    """Does nothing until its window is full, and then the last first."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Future[Any], Any, Any]] = []

    def submit(self, fn: Any, /, *args: Any, **_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.waiting.append((future, fn, args))
        if len(self.waiting) == 9:
            for waiting, call, given in reversed(self.waiting):
                waiting.set_result(call(*given))
            self.waiting.clear()
        return future


@pytest.mark.parametrize("agent", ["best", "sat+random"])
def test_any_number_of_workers_and_any_order(agent: str) -> None:
    wanted = plan(agent, "single+random", games=27, levels=(BEGINNER, Level.parse("6x5x6")))
    assert len(list(wanted.chunks())) == 4 * 27
    assert all(chunk.games == 1 for chunk in wanted.chunks())
    one = tournament(wanted)
    with processes(2) as engine:
        two = tournament(wanted, engine)
    other = tournament(wanted, Engine(Backwards(), lambda: 9))
    for standing in (two, other):
        assert standing.fingerprint == one.fingerprint
        assert standing.pairs == one.pairs
        assert [tally.wins for tally in standing.tallies.values()] == [tally.wins for tally in one.tallies.values()]
    assert one.games == wanted.total == 108
    assert tournament(replace(wanted, seed=4)).fingerprint != one.fingerprint


def test_chunks_cover_every_board_once() -> None:
    for games, agents, levels in ((1, ["best"], 1), (129, ["best", "sat"], 2), (200_001, ["best"], 1)):
        wanted = plan(*agents, games=games, levels=(BEGINNER, Level(5, 5, 5))[:levels])
        seen = Counter(
            (chunk.level, chunk.agent, board)
            for chunk in wanted.chunks()
            for board in range(chunk.first, chunk.first + chunk.games)
        )
        assert len(seen) == wanted.total
        assert set(seen.values()) == {1}


def test_given_boards_start_where_they_say() -> None:
    boards = tuple(Layout.draw("beginner", "safe", "A1", seed=3, index=index) for index in range(20))
    for agent in ("best", "single+lowest-risk"):
        given = tournament(plan(agent, boards=Boards.of(boards), levels=()))
        seeded = tournament(plan(agent))
        assert given.tallies["boards", agent].wins == seeded.tallies["beginner", agent].wins
    assert plan("best", games=17, boards=Boards.of(boards)).total == 17
    assert tournament(plan("sat", games=50, boards=Boards.of(boards[:3]))).games == 3


def test_given_boards_are_not_held(tmp_path: Path) -> None:
    """Memory does not depend on how many there are, and little on how large."""
    peaks = []
    for count in (20, 60):
        path = tmp_path / f"{count}.jsonl"
        path.write_text('{"w":1000,"h":1000,"start":0,"mines":[]}\n' * count)

        def read(path: Path = path) -> Iterator[Layout]:
            with path.open() as lines:
                yield from jsonl.read_lines(lines)

        tracemalloc.start()
        wanted = plan("best", games=count, boards=Boards.counted(read), levels=())
        assert wanted.size == 8
        assert tournament(wanted).tallies["boards", "best"].wins == count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]
    huge = plan("best", games=1, boards=Boards.of([Layout(Grid(4096, 4096), bytes(2**24))]))
    assert huge.size == 1


def test_given_boards_that_change_are_noticed() -> None:
    layouts = [Layout.draw("beginner", "safe", "A1", seed=3, index=index) for index in range(30)]
    held = list(layouts)
    wanted = plan("sat", games=30, boards=Boards.counted(lambda: held))
    held.append(layouts[0])  # a file that only grows is as it was
    assert tournament(wanted).games == 30
    for changed in (layouts[:-1], layouts[1:] + layouts[:1], []):
        held[:] = changed
        with pytest.raises(BadRecords, match="changed during the run"):
            tournament(wanted)
    with pytest.raises(InvalidArgument, match="there are no boards"):
        Boards.of([])


@pytest.mark.parametrize("rules", ["any", "safe", "opening", "given"])
@pytest.mark.parametrize("agent", ["careful", "best", "csp", "sat+random"])
def test_a_start_that_the_board_names_is_opened_first(agent: str, rules: str) -> None:
    board = Layout.parse("4x3x1=200@D3")
    result = play(agent, board, rules)
    assert result.replay is not None
    assert str(result.replay.moves[0]) == "open D3"
    assert (result.won, result.risks) == (True, ())


def test_a_start_that_is_a_mine_is_not_opened() -> None:
    board = Layout.parse("4x3x1=200@C1")
    assert play("careful", board).stuck
    assert run(chunk_of("careful", board))[0].stuck
    assert run(chunk_of("best", board))[0].risks[0] == pytest.approx(1 / 12)


def test_given_boards_are_played_alike_in_compiled_code() -> None:
    boards = [Layout.draw("beginner", "safe", "B3", seed=3, index=index) for index in range(20)]
    started = [replace(board, starts=(board.grid.at("B3"),)) for board in boards]
    for board, compiled in zip(started, run(chunk_of("best", *started)), strict=True):
        plain = play("best", board)
        assert (plain.won, plain.struck) == (compiled.won, compiled.struck)


def chunk_of(agent: str, *boards: Layout) -> Chunk:
    return Chunk(agent, AGENTS[agent].version, None, Rules("any"), 1, 0, len(boards), boards)


def test_boards_that_name_no_start_begin_with_a_guess() -> None:
    boards = Boards.of([Layout.of(BEGINNER.grid, ["F1", "C3"])])
    assert tournament(plan("best", boards=boards)).tallies["boards", "best"].guesses >= 1


def test_a_first_click_that_may_be_a_mine_is_a_guess() -> None:
    for result in run(Chunk("best", BEST, Level(5, 5, 12), Rules("any"), 1, 0, 50)):
        assert result.risks[0] == 12 / 25
        assert result.struck[:-1] == (False,) * (result.guesses - 1)
        assert result.won != result.struck[-1]


def test_bad_tournaments() -> None:
    with pytest.raises(UnknownName):
        plan("nobody")
    for bad in ({"games": 0}, {"levels": (Level(5, 5, 24),), "rules": Rules("opening")}, {"seed": -1}, {"levels": ()}):
        with pytest.raises(InvalidArgument):
            plan("best", **bad)
    with pytest.raises(InvalidArgument, match="best is named twice"):
        plan("best", "best")
    with pytest.raises(InvalidArgument, match=f"version {BEST} here; the run was started with version {BEST + 1}"):
        run(Chunk("best", BEST + 1, BEGINNER, Rules(), 0, 0, 1))


def test_what_fails_in_a_worker_is_told() -> None:
    with pytest.raises(InvalidArgument, match=f"version {BEST} here"), processes(2) as engine:
        engine.executor.submit(run, Chunk("best", BEST + 1, BEGINNER, Rules(), 0, 0, 1)).result()


def test_the_fingerprint_sees_what_happened_and_nothing_that_was_computed() -> None:
    result = Result(True, False, 10, 0, 1.0, (0.5, 0.25), (False, False), 0.1, 0.02)
    for same in ({"seconds": 7.0}, {"slowest": 7.0}, {"score": 0.5}, {"risks": (0.5, 0.3)}):
        assert digest([replace(result, **same)]) == digest([result])
    for change in (
        {"won": False}, {"stuck": True}, {"moves": 11}, {"hits": 1}, {"struck": (False, True)}, {"fault": "x"},
    ):  # fmt: skip
        assert digest([replace(result, **change)]) != digest([result])


def test_the_fingerprint_does_not_depend_on_how_games_are_cut_into_chunks() -> None:
    wanted = plan("best", "single+random", games=40)
    assert len({tournament(replace(wanted, chunk=size)).fingerprint for size in (1, 7, 40)}) == 1
    results = run(Chunk("best", BEST, BEGINNER, Rules("safe"), 0, 0, 3))
    assert digest(results) == sum(digest([result], board) for board, result in enumerate(results)) % 2**256
    assert digest(results) != digest(results[::-1])


def test_files_have_a_thousand_games_unless_the_agent_is_slow() -> None:
    for games in (1, 1000, 30_000, 10**6):
        assert plan("best", "lowest-risk", games=games).size >= 1000
    assert plan("sat", games=1000).size == 15  # seconds' worth, so that all cores work, and little is lost
    with pytest.raises(InvalidArgument, match="this run can have at most 15,000,000 games"):
        replace(plan("sat", games=1000), chunk=15, games=10**9)


def test_programs_have_names() -> None:
    assert plan("command:mine=./agent --fast", "best").agents[0] == "command:mine=./agent --fast"
    with pytest.raises(InvalidArgument, match="the agent mine is named twice"):
        plan("command:mine=./agent", "command:mine=./other")
    with pytest.raises(InvalidText, match="there is already an agent best"):
        plan("command:best=./agent")


def test_speed_is_of_what_was_played_now() -> None:
    wanted = plan("best", games=1)
    chunk = next(wanted.chunks())
    known, played = Standing(wanted), Standing(wanted)
    known.add(chunk, play_chunk(chunk), known=True)
    played.add(chunk, play_chunk(chunk))
    assert known.rate("beginner", "best") is None
    assert (played.rate("beginner", "best") or 0) > 0


def test_play_takes_an_agent_or_its_name() -> None:
    assert play("best", "beginner", "opening", seed=1).won
    with pytest.raises(UnknownName):
        play("nobody")


def test_scores() -> None:
    """All mines are found on a board that was won; those that were opened are lost to the score."""
    won = play("single+best", "beginner", "opening", seed=1)
    assert (won.won, won.score) == (True, 1.0)
    hurt = next(
        result
        for seed in range(9)
        if (result := play("basic", "8x8x16", "any+continue", seed=seed)).hits and not result.stuck
    )
    assert hurt.score == 1 - hurt.hits / 16
    stuck = [play(agent, "16x16x51", "safe", seed=1, limit=Limit(60)) for agent in ("careful", "sat")]
    assert all(result.stuck for result in stuck)
    assert stuck[0].score == stuck[1].score > 0


def test_a_board_does_not_depend_on_its_neighbours() -> None:
    """Boards with a start are played by compiled code, whoever else is in the chunk."""
    boards = [Layout.draw("beginner", "safe", "A1", seed=3, index=index) for index in range(4)]
    bare = Layout.of(BEGINNER.grid, ["F1", "C3"])
    chunk = Chunk("best", BEST, None, Rules("any"), 0, 0, 5, (*boards, bare))
    alone = [run(replace(chunk, first=index, games=1, boards=(board,)))[0] for index, board in enumerate(chunk.boards)]
    assert digest(run(chunk)) == digest(alone)


def test_workers_of_others_are_left_alone() -> None:
    """A tournament that fails ends its own workers, and nobody else's."""
    other = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(60,))
    other.start()
    try:
        with pytest.raises(ZeroDivisionError), processes(2) as engine:  # noqa: PT012
            engine.executor.submit(time.sleep, 0).result()
            raise ZeroDivisionError
        assert other.is_alive()
    finally:
        other.kill()
        other.join()


def test_a_pool_that_fails_leaves_no_thread_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    end = _ExecutorManagerThread.join_executor_internals

    def late(self: _ExecutorManagerThread) -> None:  # so that Python, as it exits, would find it closing its pipe
        time.sleep(0.3)
        end(self)

    monkeypatch.setattr(_ExecutorManagerThread, "join_executor_internals", late)
    with pytest.raises(ZeroDivisionError), processes(2) as engine:  # noqa: PT012
        engine.executor.submit(time.sleep, 0).result()
        thread = engine.executor._executor_manager_thread  # type: ignore[attr-defined]
        raise ZeroDivisionError
    assert not thread.is_alive()


def test_a_cluster_silences_its_libraries_only_for_a_while(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    distributed = pytest.importorskip("distributed")
    logger = logging.getLogger("distributed.client")
    connect = distributed.Client

    def failing(*args: Any, **others: Any) -> Any:
        logger.error("meanwhile")
        return connect(*args, **others)

    monkeypatch.setattr(distributed, "Client", failing)
    monkeypatch.setattr("mineproof.arena.engines.CLUSTER_SECONDS", 0.2)
    levels = {name: logging.getLogger(name).level for name in list(logging.root.manager.loggerDict)}
    with pytest.raises(MineproofError, match="there is no scheduler"), cluster("tcp://127.0.0.1:9"):
        pass
    logger.error("afterwards")
    assert [record.message for record in caplog.records if record.name == logger.name] == ["afterwards"]
    assert {name: logging.getLogger(name).level for name in levels} == levels


def test_what_is_good_is_not_lost_when_something_fails() -> None:
    class Both(Executor):
        def submit(self, fn: Any, /, *args: Any, **_: Any) -> Future[Any]:
            future: Future[Any] = Future()
            if args[0] == 0:
                future.set_exception(ZeroDivisionError())
            else:
                future.set_result(fn(*args))
            return future

    found = work(Engine(Both(), lambda: 4), abs, range(4))
    assert sorted(item for item, _ in islice(found, 3)) == [1, 2, 3]
    with pytest.raises(ZeroDivisionError):
        next(found)


def test_tallies_are_the_same_in_any_order() -> None:
    results = run(Chunk("best", BEST, Level(9, 9, 20), Rules("safe"), 1, 0, 60))
    results[40] = replace(results[40], fault="late")
    results[7] = replace(results[7], fault="early")
    whole = Tally()
    whole.add(results)
    merged = Tally()
    for first in (40, 0, 20):
        part = Tally()
        part.add(results[first : first + 20], first)
        merged.merge(part)
    one, two = whole.fields(), merged.fields()
    assert one == two
    assert one["first_fault"] == "early"


def test_memory_does_not_grow_with_the_games() -> None:
    wanted = plan("best", "lowest-risk", games=10**9)
    assert wanted.size == 10_000
    small = plan("best", "lowest-risk", games=100)
    played = {chunk.agent: play_chunk(chunk) for chunk in small.chunks()}
    standing = Standing(wanted)
    held = []
    tracemalloc.start()
    for number, chunk in enumerate(islice(wanted.chunks(), 12_000)):
        standing.add(chunk, played[chunk.agent])
        if number in (2_000, 11_999):
            held.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert standing.games == 12_000 * 100
    assert held[1] - held[0] < 20_000  # bytes, for a hundred million games
