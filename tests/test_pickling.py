"""Every error, every decision and every public value passes through pickle, and arrives as it was."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import types
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, partial
from importlib import import_module
from multiprocessing import get_context
from pkgutil import walk_packages
from random import Random
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

import mineproof
from mineproof import (
    AGENTS,
    FORMATS,
    METHODS,
    SYSTEMS,
    Agent,
    Analysis,
    Analyst,
    Cell,
    Cells,
    Decision,
    Game,
    Grid,
    InvalidArgument,
    Layout,
    Level,
    Limit,
    Move,
    OutOfTime,
    Plan,
    Position,
    Rules,
    State,
    Status,
)
from mineproof.agents.chooser import Why, best_player, survey
from mineproof.agents.optimal import optimum
from mineproof.agents.reasoner import Reasoner
from mineproof.agents.registry import find_agent, spec_of
from mineproof.arena.boards import Boards
from mineproof.arena.chunks import play_chunk
from mineproof.arena.luck import lead, win_rate
from mineproof.arena.match import turns
from mineproof.arena.request import Request
from mineproof.arena.tournament import Work
from mineproof.board.svg import Highlight
from mineproof.hindsight.marks import MoveMark as Verdict
from mineproof.hindsight.report import Spent
from mineproof.limit import DEFAULT
from mineproof.logic.clue_table import clue_table
from mineproof.logic.constraints import problem_of
from mineproof.odds.scenarios import scenario_of
from mineproof.reference import analyse_exactly, frontier_of
from mineproof.seat.seat import Seat
from mineproof.seat.turn import take_turn
from support.failing import run_out

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)
POSITION = Position.from_text("5x4x4\n001HH\n112HH\n1F2HH\n112HH")
WRONG = Position.from_text("3x1x1\n1H1").with_symbol("B1", "0")

UNSENT = {
    "arena.engines.Engine",  # belongs to a process
    "arena.experiments.experiment.Experiment",  # its name is sent, or one of its functions
    *("explain.argument.Argument", "explain.argument.Implication", "hindsight.walk.GuessToWeigh", "odds.hard.Estimate"),
    *("logic.asp.Consequences", "logic.chaining.Area", "logic.chaining.Saturated", "logic.subset.Group"),
    *("logic.refutation.Origin", "logic.refutation.Refutation"),
    "seat.answers.Overview",  # it is sent as JSON
}
"""Values that stay inside a function."""


@cache
def classes() -> list[type]:
    """All public classes of the package, the apps included."""
    names = [module.name for module in walk_packages(mineproof.__path__, "mineproof.")]
    modules = [import_module(name) for name in names if "__main__" not in name and "migrations" not in name]
    return [
        value
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, type) and value.__module__ == module.__name__ and not name.startswith("_")
    ]


def values() -> set[type]:
    """Classes of values: public names, and what is made of named fields or is one of several. Apps keep theirs."""
    public = {value for name in mineproof.__all__ if isinstance(value := getattr(mineproof, name), type)}
    made = {
        kind
        for kind in classes()
        if not kind.__module__.startswith(("mineproof.apps", "mineproof._native"))
        and (is_dataclass(kind) or hasattr(kind, "_fields") or issubclass(kind, Enum))
        and f"{kind.__module__}.{kind.__name__}".removeprefix("mineproof.") not in UNSENT
    }
    return {kind for kind in public | made if not issubclass(kind, Exception)}


class Own(Agent):
    """An agent of another module."""

    def choose(self, position: Position, limit: Limit = DEFAULT) -> Decision:  # noqa: ARG002
        return Decision(Move("open", position.where("H")[0]), certain=False)


def errors() -> list[BaseException]:
    """One of each class of the package, with all that it can carry."""
    special: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
        "InvalidText": (("no",), {"line": 3, "column": 4}),
        "UnknownName": (("level", "exprt", ["expert"]), {}),
        "InconsistentPosition": (("no", mineproof.find_conflict(WRONG)), {}),
        "MissingExtra": (("it", "OR-tools", "logic"), {}),
        "Contradiction": ((frozenset({1}),), {}),
    }
    found = []
    for kind in classes():
        if issubclass(kind, BaseException):
            args, keywords = special.get(kind.__name__, (("the sentence",), {}))
            found.append(kind(*args, **keywords))
    return found


def decisions() -> list[Decision]:
    """What each agent decides: in a new game, where something is certain, and where nothing is."""
    guess = Position.from_text("5x2x4\nHHHHH\n2HHH2")
    positions = (Position.blank(Grid(3, 3), 2), Position.from_text("3x2x2\nHHH\n121"), POSITION, guess)
    return [spec.make().choose(position) for spec in AGENTS.values() for position in positions]


def examples() -> list[object]:
    """Values, each as a public function returns it. What they are made of counts as well."""
    layout = Layout.draw("beginner", "opening", "E5", seed=1)
    game = Game("beginner", "opening", seed=1)
    changed = game.open("E5")
    lost = Game(Layout.of(Grid(3, 3), ["A1", "C3"], ["B2"]), "any")
    lost.open("C1")
    lost.open("A1")
    result = mineproof.play("best", "beginner", seed=1)
    plan = Plan(["best", "careful"], "beginner", games=2)
    standing = mineproof.tournament(plan)
    chunk = next(iter(plan.chunks()))
    boards = Plan("best", boards=Boards.of([layout]))
    turn = take_turn(Seat.at(game), find_agent("best").make(), Limit())
    return [
        *(AGENTS, FORMATS, METHODS, SYSTEMS, mineproof.LEVELS, *State, *Status, *Why, *Verdict),
        *(layout, game, changed, changed[:3], lost, lost.position, lost.replay(), result),
        *(plan, standing, chunk, boards),
        *(mineproof.GameId.parse(game.id), Move("undo"), Rules("any", continues=True), Level(3, 3, probability=0.2)),
        *(mineproof.analyse(POSITION), mineproof.analyse(WRONG), Analyst(POSITION), Limit(seconds=2), Limit()),
        *(mineproof.measure(layout), mineproof.rate(layout, "E5"), mineproof.solve(layout, "E5")),
        *mineproof.no_guess("beginner", seed=1),
        *(mineproof.prove(POSITION, "D1"), mineproof.why(POSITION, "D1"), mineproof.hint(POSITION)),
        *(mineproof.hint(Position.from_text("3x1x1\nHHH")), mineproof.show(POSITION, odds=True, why="D1")),
        *(mineproof.find_conflict(WRONG), mineproof.winning_chance(POSITION), METHODS["sat"].infer(POSITION)),
        *(mineproof.review(lost), optimum("3x3x2"), survey(POSITION, best_player(), Limit()), play_chunk(chunk)),
        next(turns(find_agent("best").make(), Game("beginner", seed=1))),
        *(spec_of(find_agent("csp:start=random").make()), find_agent("command:a=python x.py"), find_agent("sat+best")),
        *(find_agent(name).make() for name in (*AGENTS, "command:python x.py", "matching:one-base", "asp")),
        *(Request(games=50), Work(), Highlight((Cell(0, 0),), (), False)),
        *(win_rate([result] * 4), lead([(n, result) for n in range(4)], [(n, result) for n in range(4)])),
        *(problem_of(POSITION), frontier_of(POSITION), analyse_exactly(POSITION), clue_table(POSITION)),
        *(scenario_of(problem_of(POSITION).constraints[:2]), Plan(Own, "beginner"), Plan([Own(), "best"], "beginner")),
        *(mineproof.analyse(POSITION).least_risk, Analyst(POSITION).proved(), Spent(10)),
        *mineproof.solve(Layout.parse("5x1x2=60"), "A1").guesses,
        *mineproof.analyse(Position.from_text("3x1x1\nHHH")).outlooks("A1").values(),
        *(turn, *turn.reasons(turn.left, Limit())),
    ]


def parts(value: object) -> list[object] | None:
    """What a value is made of; None if it is compared as a whole."""
    if isinstance(value, Analysis):  # its counter stays in its process
        return [getattr(value, field.name) for field in fields(value) if field.name != "_counted"]
    if isinstance(value, Analyst):
        return [value.position, value.limit, value.analysis()]
    if isinstance(value, Seat):  # its analysis is found again
        return [value.position, value.laying, value.start, value.state]
    if isinstance(value, Game):
        return [value.replay(), value.position, value.deaths_undone]
    if isinstance(value, Decision):
        return [*(getattr(value, field.name) for field in fields(value) if field.name != "explain"), value.reasons]
    if isinstance(value, BaseException):
        return [value.args, str(value), vars(value)]
    if isinstance(value, Reasoner):  # what it keeps of a game stays with it
        return [each for name, each in vars(value).items() if name != "minds"]
    if isinstance(value, Random):
        return [value.getstate()]
    if isinstance(value, partial):
        return [value.func, value.args, value.keywords]
    if isinstance(value, np.ndarray):
        return list(value.tolist())
    if isinstance(value, dict):
        return [*value.items(), *vars_of(value)]
    if isinstance(value, frozenset | set):
        return sorted(value, key=repr)
    if isinstance(value, list | tuple | Cells):
        return [*value, *vars_of(value)]
    if isinstance(value, Enum) or type(value).__module__.startswith("mineproof._native"):
        return None
    return vars_of(value) if type(value).__module__.startswith(("mineproof.", __name__)) else None


def vars_of(value: object) -> list[object]:
    """All that is in the attributes of an object."""
    names = [*getattr(value, "__dict__", ()), *(name for kind in type(value).__mro__ for name in slots(kind))]
    return [getattr(value, name) for name in names if hasattr(value, name)]


def slots(kind: type) -> list[str]:
    """The names of a class's own slots."""
    return [name for name, value in vars(kind).items() if isinstance(value, types.MemberDescriptorType)]


def same(one: object, other: object) -> bool:
    """Whether two values are equal, all the way down."""
    if type(one) is not type(other):
        return False
    inside, others = parts(one), parts(other)
    if inside is None or others is None:
        native = type(one).__module__.startswith("mineproof._native")
        return native or one == other or (one != one and other != other)  # NaN
    return len(inside) == len(others) and all(map(same, inside, others))


def reached(value: object, found: set[type]) -> set[type]:
    """The classes of a value and of all that it is made of."""
    found.add(type(value))
    for part in parts(value) or ():
        reached(part, found)
    return found


@cache
def all_examples() -> list[object]:
    return [*errors(), *decisions(), *examples()]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_value_arrives_as_it_was(protocol: int) -> None:
    assert [value for value in all_examples() if not same(pickle.loads(pickle.dumps(value, protocol)), value)] == []


def test_every_public_value_has_an_example() -> None:
    found: set[type] = set()
    for value in all_examples():
        reached(value, found)
    missing = values() - found - {Agent}  # a protocol
    assert not missing


def test_copies_are_as_their_originals() -> None:
    for copied in (copy.copy, copy.deepcopy):
        assert [value for value in all_examples() if not same(copied(value), value)] == []


def test_a_limit_that_this_process_may_cancel_does_not_leave_it() -> None:
    limit = Limit(cancel=Event())
    with pytest.raises(InvalidArgument, match="cannot leave its process"):
        pickle.dumps(limit)
    assert copy.copy(limit).cancel is copy.deepcopy(limit).cancel is limit.cancel


def test_a_copy_of_an_analyst_follows_on_its_own() -> None:
    analyst = Analyst(Position.from_text("3x1x1\nHHH"), Limit(cancel=Event()))
    for other in (copy.copy(analyst), copy.deepcopy(analyst)):
        other.see(["A1"], ["1"])
        assert (other.analysis().solutions, other.limit) == (1, analyst.limit)
        assert analyst.position["A1"] == "H"
        assert analyst.analysis().solutions == 3


def test_running_out_of_time_in_a_worker_arrives() -> None:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        failure = pool.submit(run_out, 0).exception()
        assert (type(failure), str(failure)) == (OutOfTime, "the limit was reached")
        assert pool.submit(abs, -1).result() == 1  # the pool goes on


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_an_analyst_goes_on_in_a_forked_process() -> None:
    """The lock of an analyst may belong to a thread that a forked process does not have."""
    analyst = Analyst(Position.from_text("3x1x1\nHHH"))
    taken, done = Event(), Event()

    def hold() -> None:
        with analyst._lock:
            taken.set()
            done.wait()

    thread = Thread(target=hold)
    thread.start()
    taken.wait()
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        proved = analyst.see(["A1"], ["1"])
        os._exit(0 if [str(cell) for cell in proved.mined] == ["B1"] and analyst.analysis().solutions == 1 else 1)
    done.set()
    thread.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert analyst.position == Position.from_text("3x1x1\nHHH")
