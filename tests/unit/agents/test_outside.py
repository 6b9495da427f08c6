"""Programs that play: ours through the pipe, and programs that misbehave."""

from __future__ import annotations

import json
import shlex
import sys
import textwrap
import time
from typing import TYPE_CHECKING

import psutil
import pytest

from mineproof import AgentFault, Game, InvalidText, Level, Limit, MineproofError, Move, NeverAnswers, Position, Rules
from mineproof.agents.agent import Decision
from mineproof.agents.outside import OutsideAgent, answer, read_answer, read_request, request, serve
from mineproof.agents.registry import COMMAND, find_agent
from mineproof.arena.chunks import Chunk, digest, run
from mineproof.arena.match import finish, turns

if TYPE_CHECKING:
    from pathlib import Path

POSITION = Position.from_text("3x2x2\nHHF\n121")


def program(folder: Path, body: str) -> str:
    """The command of a program that does this with each line that it reads."""
    path = folder / "program.py"
    start = "import json, os, sys, time\nfor line in sys.stdin:\n    asked = json.loads(line)\n"
    path.write_text(start + textwrap.indent(textwrap.dedent(body), "    "))
    return shlex.join([sys.executable, "-u", str(path)])


def ours(name: str) -> str:
    return shlex.join([sys.executable, "-m", "mineproof", "agent", name])


@pytest.mark.parametrize(
    ("name", "level", "rules"),
    [("best", "beginner", "safe"), ("sat+random", "7x6x8", "any"), ("basic", "7x6x8", "any+goes-on"),
     ("matching", "beginner", "given:sqrt+no-flood")],
)  # fmt: skip
def test_ours_through_the_pipe_play_the_same_games(name: str, level: str, rules: str) -> None:
    for agents in (name, COMMAND + ours(name)), (COMMAND + ours(name), COMMAND + ours(name)):
        inside, outside = (run(Chunk(agent, 1, Level.parse(level), Rules.parse(rules), 5, 0, 12)) for agent in agents)
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


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('print(\'{"moves": ["open ZZ99"]}\')', "the agent chose open ZZ99"),
        ('print(\'{"moves": ["flag A1", "flag A1"]}\')', "the agent chose flag A1"),
        ('print(\'{"moves": ["undo"]}\')', "an agent cannot undo"),
        ("print('hello')", "its answer makes no sense: this is no JSON: 'hello'"),
        ('print(\'{"error": "help"}\')', "it says: 'help'"),
        ("sys.exit('out of ideas')", "it ended, saying: 'out of ideas'"),
        ("os.close(1); time.sleep(60)", "it ended"),
        ("sys.stdout.buffer.write(b'\\xff\\n')", "its answer makes no sense: it is no UTF-8"),
        ('print(\'{"moves": []}\\n{"moves": []}\')', "it said more than it was asked"),
        ('print(\'{"moves": [["\\\\ud800", 0, 0]]}\')', "its answer makes no sense: a move is"),
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


def test_time_is_up_while_it_thinks(tmp_path: Path) -> None:
    agent = OutsideAgent(program(tmp_path, "time.sleep(60 * asked['turn'])\nprint('{\"moves\": [\"flag A1\"]}')"))
    agent.choose(Position.blank(POSITION.grid, 2), Limit(0.3))
    with pytest.raises(AgentFault, match="did not answer in time"):
        agent.choose(Position.blank(POSITION.grid, 2), Limit(0.3))
    agent.reset(1)
    assert agent.choose(Position.blank(POSITION.grid, 2), Limit(0.3)).moves  # started again


def test_commands_that_are_none(tmp_path: Path) -> None:
    for bad in ("", "  ", "'"):
        with pytest.raises(InvalidText):
            find_agent(COMMAND + bad)
    with pytest.raises(FileNotFoundError):
        next(turns(f"{COMMAND}{tmp_path}/nobody", Game("beginner", "any", seed=1)))


def test_a_large_board_goes_through_the_pipe() -> None:
    agent = OutsideAgent(ours("single+stop"))
    position = Position.blank(Level(700, 700, 10).grid, 10)
    assert agent.choose(position, Limit(30)).stuck


def test_a_program_behind_a_shell_is_ended_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mineproof.agents.outside.START_SECONDS", 4.0)
    inner = program(tmp_path, f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid())); time.sleep(600)")
    agent = OutsideAgent(shlex.join(["sh", "-c", f"{inner}; true"]))
    with pytest.raises(AgentFault, match="did not answer"):
        agent.choose(POSITION, Limit(0.1))
    pid = int((tmp_path / "pid").read_text())
    for _ in range(500):  # to end takes a moment
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return
        time.sleep(0.01)
    pytest.fail("it goes on")


def test_who_never_answers_is_no_agent(tmp_path: Path) -> None:
    agent = OutsideAgent(program(tmp_path, "sys.exit('no such game')"))
    faults = [finish(agent, Game("beginner", "opening", seed=1)).fault for _ in range(2)]
    assert all(faults)
    with pytest.raises(NeverAnswers, match="never gave an answer: it ended, saying: 'no such game'"):
        finish(agent, Game("beginner", "opening", seed=1))


def test_only_flags_are_no_guesses(tmp_path: Path) -> None:
    agent = OutsideAgent(program(tmp_path, "print(json.dumps({'moves': [['flag', 0, 0], ['unflag', 0, 0]]}))"))
    result = finish(agent, Game("4x4x3", "any", seed=1))
    assert (result.guesses, result.moves, result.stuck) == (0, 0, True)


def test_risks_are_risks() -> None:
    for risk in (-0.2, 1.2, float("nan")):
        with pytest.raises(AgentFault, match="a risk is a number from 0 to 1"):
            Decision((), certain=False, risk=risk)


def test_another_protocol_is_refused() -> None:
    with pytest.raises(InvalidText, match="this speaks protocol 1, not 2"):
        read_request('{"protocol": 2, "mines": 1, "rows": ["HH"]}')


def test_what_is_said_too_late_is_no_fault_of_the_next_game(tmp_path: Path) -> None:
    body = "print('{\"moves\": []}', flush=True)\ntime.sleep(0.2)\nprint('and another thing', flush=True)"
    agent = OutsideAgent(program(tmp_path, body))
    results = []
    for _ in range(3):
        results.append(finish(agent, Game("beginner", "opening", seed=1)))
        time.sleep(0.5)
    assert [result.fault for result in results] == ["", "", ""]


def test_who_answers_without_reading_is_out_of_step(tmp_path: Path) -> None:
    path = tmp_path / "rash.py"
    path.write_text("import time\nprint('{\"moves\": []}', flush=True)\ntime.sleep(60)\n")
    agent = OutsideAgent(shlex.join([sys.executable, str(path)]))
    with pytest.raises(AgentFault, match="said more than it was asked"):
        agent.choose(Position.blank(Level(700, 700, 10).grid, 10), Limit(30))


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
