"""Programs that play: ours through the pipe, and programs that misbehave."""

from __future__ import annotations

import gc
import json
import shlex
import sys
import textwrap
import tracemalloc
from typing import TYPE_CHECKING

import psutil
import pytest

from mineproof import AgentFault, Game, InvalidText, Level, Limit, MineproofError, Move, NeverAnswers, Position, Rules
from mineproof.agents import program as programs
from mineproof.agents.agent import Decision
from mineproof.agents.outside import OutsideAgent, answer, read_answer, read_request, request, serve
from mineproof.agents.registry import COMMAND, find_agent
from mineproof.arena.chunks import Chunk, digest, run
from mineproof.arena.match import finish, turns
from support.processes import gone, number_in, wait_for

if TYPE_CHECKING:
    from pathlib import Path

POSITION = Position.from_text("3x2x2\nHHF\n121")


@pytest.fixture(params=[programs.KeptProgram, programs.TreeProgram], ids=["kept", "tree"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """How programs are started and ended: as on POSIX, and as on Windows."""
    monkeypatch.setattr(programs, "start", request.param)


both_ways = pytest.mark.usefixtures("way")


def program(folder: Path, body: str, start: str = "") -> str:
    """The command of a program that does this with each line that it reads."""
    path = folder / "program.py"
    start = f"import json, os, signal, sys, time\n{start}\nfor line in sys.stdin:\n    asked = json.loads(line)\n"
    path.write_text(start + textwrap.indent(textwrap.dedent(body), "    "))
    return shlex.join([sys.executable, "-u", str(path)])


def ours(name: str) -> str:
    return shlex.join([sys.executable, "-m", "mineproof", "agent", name])


@both_ways
@pytest.mark.parametrize(
    ("name", "level", "rules"),
    [("best", "beginner", "safe"), ("sat+random", "7x6x8", "any"), ("basic", "7x6x8", "any+continue"),
     ("matching", "beginner", "given:sqrt+no-flood")],
)  # fmt: skip
def test_ours_through_the_pipe_play_the_same_games(name: str, level: str, rules: str) -> None:
    for agents in (name, COMMAND + ours(name)), (COMMAND + ours(name), COMMAND + ours(name)):
        inside, outside = (
            run(Chunk(agent, find_agent(agent).version, Level.parse(level), Rules.parse(rules), 5, 0, 12))
            for agent in agents
        )
        for here, there in zip(inside, outside, strict=True):
            assert (there.won, there.stuck, there.hits, there.fault) == (here.won, here.stuck, here.hits, "")
            assert there.risks == pytest.approx(here.risks, nan_ok=True)
    if name != "best":  # which is compiled: it opens in another order, and keeps no score of lost games
        assert digest(inside) == digest(outside)


def test_questions_and_answers_come_back_whole() -> None:
    assert read_request(request(POSITION, 7, 3, Limit(2.5))) == (POSITION, 7, 3, Limit(2.5))
    for decision in (
        Decision((Move.parse("open B1"), Move.parse("flag C1")), certain=True, risk=0.0),
        Decision((Move.parse("open B1"),), certain=False),
        Decision((), certain=False),
    ):
        assert read_answer(answer(decision)) == decision
    assert read_answer('{"moves": [["open", 0, 1]], "extra": 1}') == Decision((Move.parse("open B1"),), certain=False)


@pytest.mark.parametrize(
    "line",
    ["", "x", "[]", "{}", '{"moves": 1}', '{"moves": [1]}', '{"moves": ["jump A1"]}', '{"moves": [["open", 1]]}',
     '{"moves": [["open", 1, true]]}', '{"moves": [], "certain": 1}', '{"moves": [], "risk": 2}',
     '{"moves": [], "risk": "x"}',
     '{"moves": [["open", -1, 0]], "risk": NaN}', "[" * 100_000],
)  # fmt: skip
def test_answers_that_make_no_sense(line: str) -> None:
    with pytest.raises(MineproofError):
        read_answer(line)


def test_serving() -> None:
    lines = [
        "nonsense",
        "",
        "{}",
        '{"rows": [1], "mines": 1}',
        '{"rows": ["H"], "mines": 1.5}',
        '{"rows": ["H1H"], "mines": 2}',
    ]
    said = [json.loads(line) for line in serve(find_agent("careful").make(), lines)]
    assert all("error" in answered for answered in said[:4])
    assert said[4]["error"] == "the clues can all be right, but not with this number of mines"
    asked = request(POSITION, 1, 0, Limit())
    assert json.loads(next(serve(find_agent("careful").make(), [asked]))) == {
        "moves": ["flag A1", "open B1"], "certain": True, "risk": 0.0
    }  # fmt: skip


@both_ways
@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('print(\'{"moves": ["open ZZ99"]}\')', "the agent chose open ZZ99"),
        ('print(\'{"moves": ["flag A1", "flag A1"]}\')', "the agent chose flag A1"),
        ('print(\'{"moves": ["undo"]}\')', "an agent cannot undo"),
        ("print('hello')", "its answer is invalid: not JSON: 'hello'"),
        ('print(\'{"error": "help"}\')', "it says: 'help'"),
        ("sys.exit('out of ideas')", "it exited, saying: 'out of ideas'"),
        ("os.close(1); time.sleep(60)", "it exited"),
        ("sys.stdout.buffer.write(b'\\xff\\n')", "its answer is not UTF-8"),
        ('print(\'{"moves": []}\\n{"moves": []}\')', "it wrote more than one line"),
        ('print(\'{"moves": [["\\\\ud800", 0, 0]]}\')', "its answer is invalid: a move must be like"),
    ],
)
def test_faults_lose_the_game_and_nothing_else(tmp_path: Path, body: str, fault: str) -> None:
    agent = OutsideAgent(
        program(tmp_path, f"if asked['seed'] != 2:\n    {body}\nelse:\n    print('{{\"moves\": []}}')")
    )
    results = [finish(agent, Game("beginner", "opening", seed=1), seed=seed) for seed in (2, 1, 2, 3)]
    assert [fault in result.fault for result in results] == [False, True, False, True]
    assert [result.stuck for result in results] == [True, False, True, False]
    assert not any(result.won for result in results)


@both_ways
def test_time_is_up_while_it_thinks(tmp_path: Path) -> None:
    agent = OutsideAgent(program(tmp_path, "time.sleep(60 * asked['turn'])\nprint('{\"moves\": [\"flag A1\"]}')"))
    agent.choose(Position.blank(POSITION.grid, 2), Limit(0.3))
    with pytest.raises(AgentFault, match="did not answer in time"):
        agent.choose(Position.blank(POSITION.grid, 2), Limit(0.3))
    agent.reset(1)
    assert agent.choose(Position.blank(POSITION.grid, 2), Limit(0.3)).moves  # started again


@both_ways
def test_commands_that_are_none(tmp_path: Path) -> None:
    for bad in ("", "  ", "'"):
        with pytest.raises(InvalidText):
            find_agent(COMMAND + bad)
    with pytest.raises(FileNotFoundError):
        next(turns(f"{COMMAND}{tmp_path}/nobody", Game("beginner", "any", seed=1)))


@both_ways
def test_a_large_board_goes_through_the_pipe() -> None:
    agent = OutsideAgent(ours("single+stop"))
    position = Position.blank(Level(700, 700, 10).grid, 10)
    assert agent.choose(position, Limit(30)).stuck


NOTED = """
def note(name):
    with open(os.path.join(os.path.dirname(__file__), name), "w") as file:
        file.write(f"{os.getpid()}\\n")
"""


def noting(folder: Path, body: str) -> str:
    """A program that tells the number of its process, and answers the first question."""
    start = "note('program')\nif asked['turn'] == 0:\n    print('{\"moves\": []}', flush=True)\n    continue\n"
    return program(folder, start + body, NOTED)


@both_ways
def test_a_program_behind_a_shell_is_ended_too(tmp_path: Path) -> None:
    agent = OutsideAgent(shlex.join(["sh", "-c", f"{noting(tmp_path, 'time.sleep(600)')}; true"]))
    agent.choose(POSITION)
    with pytest.raises(AgentFault, match="did not answer"):
        agent.choose(POSITION, Limit(0.1))
    assert gone(number_in(tmp_path / "program") or 0)


@pytest.mark.parametrize("how", ["close", "fault", "forgotten"])
def test_whatever_a_program_has_started_ends_with_it(tmp_path: Path, how: str) -> None:
    """Also what has left its session and its parent, and does not want to be told."""
    body = """
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            note('daemon')
            time.sleep(600)
        os._exit(0)
    while not os.path.exists(os.path.join(os.path.dirname(__file__), 'daemon')):
        time.sleep(0.01)
    if asked['turn'] == 1:
        print('{"moves": []}', flush=True)
    else:
        sys.exit(1)
    """
    agent = OutsideAgent(noting(tmp_path, textwrap.dedent(body)))
    agent.choose(POSITION)
    agent.choose(POSITION)
    wait_for(lambda: number_in(tmp_path / "daemon"))
    if how == "close":
        agent.close()
    elif how == "fault":
        with pytest.raises(AgentFault):
            agent.choose(POSITION, Limit(1))
    else:
        del agent
        gc.collect()
    for name in ("program", "daemon"):
        assert gone(number_in(tmp_path / name) or 0)


@pytest.mark.parametrize("how", ["close", "fault", "forgotten"])
def test_the_tree_below_a_program_ends_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    """Without a keeper: also what has left its session, does not want to be told, and goes on starting others."""
    monkeypatch.setattr(programs, "start", programs.TreeProgram)
    body = """
    def child(name, then):
        if os.fork() == 0:
            os.setsid()
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            then()
            note(name)
            while True:
                if os.fork() == 0:
                    time.sleep(1)
                    os._exit(0)
                time.sleep(0.01)
    child('child', lambda: child('grandchild', lambda: None))
    while not all(os.path.exists(os.path.join(os.path.dirname(__file__), n)) for n in ('child', 'grandchild')):
        time.sleep(0.01)
    if asked['turn'] == 1:
        print('{"moves": []}', flush=True)
    time.sleep(600)
    """
    agent = OutsideAgent(noting(tmp_path, textwrap.dedent(body)))
    agent.choose(POSITION)
    agent.choose(POSITION)
    names = ("program", "child", "grandchild")
    wait_for(lambda: all(number_in(tmp_path / name) for name in names))
    assert not any(gone(number_in(tmp_path / name) or 0) for name in names)
    if how == "close":
        agent.close()
    elif how == "fault":
        with pytest.raises(AgentFault):
            agent.choose(POSITION, Limit(0.1))
    else:
        del agent
        gc.collect()
    assert all(gone(number_in(tmp_path / name) or 0) for name in names)


def test_a_program_that_kills_its_keeper_is_a_fault_and_ends(tmp_path: Path) -> None:
    agent = OutsideAgent(noting(tmp_path, "os.kill(os.getppid(), signal.SIGKILL)\ntime.sleep(600)"))
    agent.choose(POSITION)
    with pytest.raises(AgentFault, match="it exited"):
        agent.choose(POSITION, Limit(600))
    wait_for(lambda: gone(number_in(tmp_path / "program") or 0))


FLOOD = "for _ in range(4000):\n    os.write(2, b'x' * 9_999 + b'\\n')\n"
"""Forty megabytes on standard error."""
ANSWER = "print('{\"moves\": []}', flush=True)\n"


CLOSE = "if asked['turn'] == 0:\n    os.close(2)\n"


@both_ways
@pytest.mark.parametrize("body", [FLOOD + ANSWER, ANSWER + FLOOD, CLOSE + ANSWER], ids=["before", "after", "no"])
def test_what_a_program_complains_of_is_kept_in_little_room(tmp_path: Path, body: str) -> None:
    """Whenever it does, it neither fills memory or disk, nor is in anybody's way."""
    pipe = "import stat\nassert stat.S_ISFIFO(os.fstat(2).st_mode)\n" if "close" not in body else ""
    agent = OutsideAgent(program(tmp_path, pipe + body))
    tracemalloc.start()
    for _ in range(3):
        assert agent.choose(POSITION, Limit(600)).stuck
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 2**21
    agent.close()


@both_ways
def test_complaints_without_end_do_not_stop_the_clock(tmp_path: Path) -> None:
    agent = OutsideAgent(noting(tmp_path, "while True:\n    os.write(2, b'and another thing\\n' * 1000)"))
    agent.choose(POSITION)
    with pytest.raises(AgentFault, match="it did not answer in time"):
        agent.choose(POSITION, Limit(0.3))


@both_ways
def test_the_last_words_are_the_last(tmp_path: Path) -> None:
    agent = OutsideAgent(noting(tmp_path, FLOOD + "sys.exit('enough')"))
    agent.choose(POSITION)
    with pytest.raises(AgentFault, match="it exited, saying: 'enough'"):
        agent.choose(POSITION, Limit(600))


@both_ways
@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("print(json.dumps({'moves': ['flag A1', 'unflag A1'] * 12}))", ""),
        ("print(json.dumps({'moves': ['flag A1', 'unflag A1'] * 13}))",
         "its answer is invalid: 26 moves are too many; this board allows at most 24"),
        ("print('{\"moves\": [' + '[],' * 30_000)", "its answer is too long"),
    ],
)  # fmt: skip
def test_an_answer_is_no_longer_than_the_board_wants(tmp_path: Path, body: str, fault: str) -> None:
    agent = OutsideAgent(program(tmp_path, body))
    if not fault:
        assert len(agent.choose(POSITION).moves) == 24
        return
    with pytest.raises(AgentFault) as told:
        agent.choose(POSITION)
    assert str(told.value) == fault


@both_ways
def test_who_never_answers_is_no_agent(tmp_path: Path) -> None:
    agent = OutsideAgent(program(tmp_path, "sys.exit('no such game')"))
    faults = [finish(agent, Game("beginner", "opening", seed=1)).fault for _ in range(2)]
    assert all(faults)
    with pytest.raises(NeverAnswers, match="never gave an answer: it exited, saying: 'no such game'"):
        finish(agent, Game("beginner", "opening", seed=1))


def test_only_flags_are_no_guesses(tmp_path: Path) -> None:
    agent = OutsideAgent(program(tmp_path, "print(json.dumps({'moves': [['flag', 0, 0], ['unflag', 0, 0]]}))"))
    result = finish(agent, Game("4x4x3", "any", seed=1))
    assert (result.guesses, result.moves, result.stuck) == (0, 0, True)


def test_risks_are_risks() -> None:
    for risk in (-0.2, 1.2, float("nan")):
        with pytest.raises(AgentFault, match="a risk must be a number from 0 to 1"):
            Decision((), certain=False, risk=risk)


def test_another_protocol_is_refused() -> None:
    with pytest.raises(InvalidText, match="the protocol is 1, not 2"):
        read_request('{"protocol": 2, "mines": 1, "rows": ["HH"]}')


@both_ways
def test_what_is_said_too_late_is_no_fault_of_the_next_game(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    wait = f"while not os.path.exists({str(gate)!r}):\n    time.sleep(0.01)\n"
    agent = OutsideAgent(program(tmp_path, f"{ANSWER}{wait}print('and another thing', flush=True)"))
    for _ in range(3):
        assert finish(agent, Game("beginner", "opening", seed=1)).fault == ""
        assert agent._program is not None
        gate.touch()
        wait_for(agent._program.has_more)
        gate.unlink()


@both_ways
def test_who_answers_without_reading_is_out_of_step(tmp_path: Path) -> None:
    path = tmp_path / "rash.py"
    path.write_text("import time\nprint('{\"moves\": []}', flush=True)\ntime.sleep(60)\n")
    agent = OutsideAgent(shlex.join([sys.executable, str(path)]))
    with pytest.raises(AgentFault, match="wrote more than one line"):
        agent.choose(Position.blank(Level(700, 700, 10).grid, 10), Limit(30))


@both_ways
def test_programs_end_with_their_chunk(tmp_path: Path) -> None:
    marks = tmp_path / "pids"
    marks.mkdir()
    command = program(
        tmp_path, f"open(f'{marks}/{{os.getpid()}}', 'w').close()\nprint('{{\"moves\": []}}', flush=True)"
    )
    results = run(Chunk(COMMAND + command, 1, Level.parse("beginner"), Rules("safe"), 1, 0, 4))
    assert [result.fault for result in results] == [""] * 4
    (mark,) = marks.iterdir()
    assert not psutil.pid_exists(int(mark.name))
