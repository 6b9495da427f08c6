"""What people try first works, or gets a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import mineproof
from mineproof import (
    AGENTS,
    FORMATS,
    LEVELS,
    METHODS,
    Agent,
    AgentFault,
    AgentSpec,
    Analyst,
    CannotConvert,
    Cell,
    Decision,
    Game,
    GameId,
    IllegalMove,
    InconsistentPosition,
    InvalidArgument,
    InvalidText,
    Layout,
    Level,
    Limit,
    MissingExtra,
    Move,
    OutOfTime,
    Plan,
    Position,
    Replay,
    Rules,
    UnknownName,
    analyse,
    bbbv,
    find_conflict,
    hint,
    layouts,
    measure,
    needs_guess,
    play,
    prove,
    rate,
    read,
    save,
    solve,
    tournament,
    why,
    winning_chance,
    write,
)
from mineproof.agents.optimal import optimum
from mineproof.arena.engines import processes
from mineproof.errors import TooHard
from mineproof.limit import DEFAULT
from mineproof.logic.reasoning import Reasoning

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def game() -> Game:
    begun = Game("beginner", "opening", seed=1)
    begun.open("E5")
    return begun


# -- a game where a position belongs ---------------------------------------------------------------------------------


def test_what_reasons_takes_a_game(game: Game) -> None:
    position = game.position
    assert analyse(game).safe == analyse(position).safe
    assert METHODS["sat"].infer(game) == METHODS["sat"].infer(position)
    assert str(prove(game, "F2")) == str(prove(position, "F2"))
    assert str(hint(game)) == str(hint(position))
    assert str(why(game, "F2")) == str(why(position, "F2"))
    assert analyse(game.replay()).safe == analyse(position).safe
    assert Analyst(game).position == position
    small = Game(Layout.parse("4x2x2=50"))
    assert winning_chance(small) == winning_chance(small.position)


@pytest.mark.parametrize("given", ["3x1x1\n1HH", None, 5, Layout.parse("3x1x1=2")])
@pytest.mark.parametrize(
    "call", [analyse, hint, find_conflict, Analyst, METHODS["sat"].infer, lambda x: prove(x, "A1")]
)
def test_what_is_no_position_gets_a_sentence(call: Any, given: Any) -> None:
    with pytest.raises(InvalidArgument, match="takes a position or a game, not"):
        call(given)


@pytest.mark.parametrize("call", [rate, solve, needs_guess, measure, bbbv])
def test_what_needs_the_mines_takes_a_game(call: Any, game: Game) -> None:
    assert call(game) == call(game.layout)
    with pytest.raises(InvalidArgument, match="this game has no mines yet"):
        call(Game("beginner", seed=1))
    for wrong in ("beginner", None, 5, ["best"], game.position):
        with pytest.raises(InvalidArgument, match="this takes a layout or a game, not"):
            call(wrong)


BEGINNER = Game("beginner", "any", seed=1)
TAKERS: list[Any] = [
    tournament, mineproof.review, mineproof.Standing, mineproof.no_guess, layouts, play,
    Game, Game.from_id, Analyst, Plan, Position.from_text, Replay.from_text, Move.of,
    *(kind.parse for kind in (Cell, GameId, Layout, Level, Move, Rules)),
    lambda x: mineproof.finish("best", x),
    lambda x: Analyst(BEGINNER, x),
    lambda x: Layout(BEGINNER.grid, x),
    lambda x: Layout(x, b""),
    lambda x: layouts("beginner", x),
    lambda x: Game(Level(9, 9, 10), x),
    lambda x: Plan("best", "beginner", x),
    lambda x: save(BEGINNER, x),
    lambda x: write(BEGINNER, x),
    lambda x: write(x, "mine"),
    lambda x: Decision(x, certain=True),
]  # fmt: skip


@pytest.mark.parametrize("wrong", [["nobody"], 5, 1.5, {"a": 1}, object()], ids=lambda wrong: type(wrong).__name__)
@pytest.mark.parametrize("number", range(len(TAKERS)))
def test_what_is_of_a_wrong_kind_gets_a_sentence(number: int, wrong: Any) -> None:
    with pytest.raises(mineproof.MineproofError):
        TAKERS[number](wrong)


@pytest.mark.parametrize("name", ["best", "sat"])
def test_an_agent_is_shown_positions_only(name: str, game: Game) -> None:
    with pytest.raises(InvalidArgument, match="an agent needs a position"):
        AGENTS[name].make().choose(game)  # type: ignore[arg-type]


# -- files -----------------------------------------------------------------------------------------------------------


def test_games_are_saved_and_loaded(game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "g.game"
    game.save(path)
    game.save(str(path))
    again = Game.load(path)
    assert (again.id, again.moves, again.position) == (game.id, game.moves, game.position)
    monkeypatch.chdir(tmp_path)
    for source in (path, str(path), "g.game", path.read_bytes(), path.read_text()):
        assert read(source) == game.replay()
    assert read("g.game", "game") == game.replay()
    save(game.position, tmp_path / "g.mine")
    assert read(tmp_path / "g.mine") == game.position
    with pytest.raises(CannotConvert, match="cannot be played"):
        Game.load("g.mine")
    save(Layout.parse("4x3x3=418@C3"), "b.tatham")
    assert Game.load("b.tatham").mines == 3
    with pytest.raises(InvalidText, match="format of g is not clear"):
        game.save("g")
    assert sorted(found.name for found in tmp_path.iterdir()) == ["b.tatham", "g.game", "g.mine"]


def test_what_cannot_be_read_says_what_it_was_taken_for(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no-such"):
        read(tmp_path / "no-such.game")
    with pytest.raises(InvalidText, match="nor an existing file"):
        read("no-such.game")
    (tmp_path / "bad.mine").write_text("3x1x1\n1H\n")
    with pytest.raises(InvalidText, match=r"bad\.mine: line 2.*2 cells, not 3"):
        read(str(tmp_path / "bad.mine"))
    with pytest.raises(InvalidText, match=r"^line 2"):
        read("3x1x1\n1H\n")
    with pytest.raises(InvalidArgument, match="a path, bytes or text, not 5"):
        read(5)  # type: ignore[arg-type]


def test_bytes_never_name_a_file(tmp_path: Path) -> None:
    path = tmp_path / "g.mine"
    path.write_text("2x1x1\n1H\n")
    assert read(str(path)) == Position.from_text("2x1x1\n1H")
    with pytest.raises(InvalidText, match="format of this is not clear"):
        read(str(path).encode())


# -- names that are not there ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "wrong", "right"),
    [(METHODS, "SAT", "sat"), (AGENTS, "Best", "best"), (LEVELS, "exprt", "expert"), (FORMATS, "JSONL", "jsonl")],
)
def test_a_name_that_is_not_there_suggests_one(names: dict[str, Any], wrong: str, right: str) -> None:
    with pytest.raises(UnknownName, match=f"there is no .* '{wrong}'; did you mean '{right}'"):
        names[wrong]
    with pytest.raises(KeyError):
        names[wrong]
    assert names.get(wrong) is None
    assert wrong not in names


# -- playing ---------------------------------------------------------------------------------------------------------


class First:
    """Opens the first closed cell."""

    def choose(self, position: Position, limit: Limit | None = None) -> Decision:  # noqa: ARG002
        return Decision(Move("open", position.where("H")[0]), certain=False)


class Says:
    def __init__(self, said: Any) -> None:
        self.said = said

    def choose(self, *_: object) -> Any:
        return self.said


def test_play_takes_games_levels_and_agents_of_all_kinds(game: Game) -> None:
    played = play("best", game)
    assert played.won
    assert game.over
    assert played.replay == game.replay()
    assert Replay.from_text(game.replay().to_text()).game().over
    with pytest.raises(InvalidArgument, match="already has its rules and seed"):
        play("best", game, seed=2)
    wanted = play("best", level="beginner", rules="opening", seed=1)
    assert play(AGENTS["best"], level="beginner", rules="opening", seed=1).replay == wanted.replay
    assert wanted.replay is not None
    assert wanted.replay.game().state == "won"
    for agent in (First, First(), AgentSpec("first", 1, "the first cell", False, "tests", "safe", First)):  # type: ignore[arg-type]
        assert play(agent, level="beginner", seed=1).replay == play(First(), "beginner", seed=1).replay
    assert play("best", "beginner").replay != play("best", "beginner").replay  # a new seed each time


@pytest.mark.parametrize("said", [None, "open A1", Move("open", "A1"), (0, 0)])
def test_an_agent_that_decides_nothing_gets_a_sentence(said: Any) -> None:
    with pytest.raises(AgentFault, match="an agent's choose must return a Decision, not"):
        play(Says(said), "beginner", seed=1)


def test_moves_may_be_text() -> None:
    board = Layout.parse("3x1x1=8")
    assert Decision(["open A1"], certain=False) == Decision("open A1", certain=False)
    assert play(Says(Decision(("open B1", "open B1", "open C1"), certain=False)), board).moves == 2
    with pytest.raises(UnknownName, match="there is no move 'opne'"):
        Decision("opne A1", certain=False)
    with pytest.raises(InvalidArgument, match="a decision needs a move, or a tuple of moves, not 5"):
        Decision(5, certain=False)  # type: ignore[arg-type]


def test_an_agent_that_opens_what_is_open_gets_a_sentence() -> None:
    with pytest.raises(IllegalMove, match=r"^the agent Says chose open A1, but A1 is already open$"):
        play(Says(Decision("open A1", certain=False)), "beginner", "any", seed=2)
    with pytest.raises(IllegalMove, match=r"^the agent Says chose undo, but an agent cannot undo$"):
        play(Says(Decision("undo", certain=False)), "beginner", seed=2)


def test_an_agent_is_a_class_with_choose_only() -> None:
    class Subclass(Agent):
        def choose(self, position: Position, limit: Limit = DEFAULT) -> Decision:  # noqa: ARG002
            return Decision(Move("open", position.where("H")[0]), certain=False)

    class WithoutLimit:
        def choose(self, position: Position) -> Decision:
            return Decision((), certain=not position)

    assert play(Subclass(), "beginner", seed=1).replay == play(First, "beginner", seed=1).replay
    assert tournament(Plan([Subclass, First()], "beginner", games=3)).games == 6
    with pytest.raises(InvalidArgument, match="choose of the agent WithoutLimit must take a position and a limit"):
        play(WithoutLimit, "beginner", seed=1)  # type: ignore[arg-type]


def test_what_is_no_agent_gets_a_sentence() -> None:
    with pytest.raises(InvalidArgument, match="an agent must be a name, an AgentSpec, or have a method choose, not 5"):
        play(5)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="a level must be a name or a size"):
        play("best", 5)  # type: ignore[arg-type]


def test_agents_of_ones_own_in_a_tournament() -> None:
    plan = Plan([First, "best"], "beginner", "opening", games=20, seed=1)
    assert plan.agents == ("First", "best")
    standing = tournament(plan)
    assert standing.tallies["beginner", "First"].games == 20
    assert standing.tallies["beginner", "First"].wins < standing.tallies["beginner", "best"].wins
    assert Plan("best", Level(rows=9, cols=9, mines=10), games=5).levels == (LEVELS["beginner"],)
    with pytest.raises(InvalidArgument, match="there is already an agent best"):
        Plan(AgentSpec("best", 1, "", False, "", "safe", First))  # type: ignore[arg-type]


def test_an_agent_that_cannot_travel_is_told_before_the_games() -> None:
    class Local(First):
        pass

    with processes(2) as engine, pytest.raises(InvalidArgument, match="Local cannot be sent to other processes"):
        tournament(Plan(Local, "beginner", games=20), engine)


def test_an_analyst_sees_lists() -> None:
    one, other = (Analyst(Position.from_text("3x1x1\nHHH")) for _ in range(2))
    assert one.see(["A1"], ["1"]) == other.see(["A1"], "1")
    assert one.position == other.position
    for symbols in (["12"], [1], ["x"], []):
        with pytest.raises(InvalidArgument):
            one.see(["A1"], symbols)  # type: ignore[arg-type]


# -- seeds, sizes ----------------------------------------------------------------------------------------------------


def test_seeds_may_be_left_out() -> None:
    assert next(layouts("expert", "any")) != next(layouts("expert", "any"))
    assert Layout.draw("expert", "any") != Layout.draw("expert", "any")
    blank = analyse(Game("expert", "any", seed=1))
    assert (blank.samples(1) != blank.samples(1)).any()
    assert next(mineproof.no_guess("beginner")).layout != next(mineproof.no_guess("beginner")).layout


def test_rows_and_cols_are_everywhere() -> None:
    game = Game("expert", "any", seed=1)
    assert game.layout is not None
    for thing in (game, game.position, game.layout, game.level, game.grid):
        assert (thing.rows, thing.cols) == (16, 30)
    assert eval(repr(game.level)) == game.level
    assert eval(repr(Level(rows=2, cols=3, probability=0.5))) == Level(rows=2, cols=3, probability=0.5)


# -- errors by kind --------------------------------------------------------------------------------------------------


def test_errors_are_of_the_kind_that_python_has_for_them() -> None:
    assert issubclass(OutOfTime, TimeoutError)
    assert issubclass(MissingExtra, ImportError)
    assert str(MissingExtra("this", "that", "images")).endswith("pip install 'mineproof[images]'")
    with pytest.raises(TooHard, match="too many to play perfectly"):
        optimum("expert")
    with pytest.raises(InvalidArgument, match="a limit must be a Limit"):
        analyse(Position.from_text("2x1x1\n1H"), 5)  # type: ignore[arg-type]


CONTRADICTION = Position.from_text("5x1x1\n1H0H1")
MISCOUNT = Position.from_text("5x1x1\n1HHH1")


@pytest.mark.parametrize(("position", "clues", "count"), [(CONTRADICTION, "A1 C1", False), (MISCOUNT, "", True)])
def test_an_inconsistent_position_carries_its_conflict(position: Position, clues: str, count: bool) -> None:
    calls: list[Any] = [
        lambda: analyse(position, strict=True),
        lambda: METHODS["sat"].infer(position),
        lambda: prove(position, "B1"),
        lambda: hint(position),
        lambda: why(position, "B1"),
        lambda: winning_chance(position),
    ]
    for call in calls:
        with pytest.raises(InconsistentPosition) as caught:
            call()
        conflict = caught.value.conflict
        assert conflict is not None
        assert (conflict.clues, conflict.mine_count) == (mineproof.CellSet.parse(clues), count)
        assert str(caught.value) == str(conflict)
        assert conflict == find_conflict(position) == analyse(position).conflict


def test_a_consistent_position_has_no_conflict() -> None:
    assert find_conflict(Position.from_text("4x1x1\n1HHH")) is None
    assert find_conflict(Game("expert", seed=1)) is None
    assert isinstance(Reasoning(Game("expert", seed=1), "test", Limit()).position, Position)


# -- what is shown ---------------------------------------------------------------------------------------------------


def test_results_are_shown_in_a_line(game: Game) -> None:
    guess = Position.from_text("2x1x1\nHH")
    standing = tournament(Plan(["best", "careful"], "beginner", games=20, seed=1))
    shown = {
        repr(GameId.parse(game.id)): "GameId.parse('beginner/opening#1')",
        repr(analyse(game)): "<Analysis of 9x9x10: 12 cells safe, 7 mined, exact odds>",
        repr(analyse(CONTRADICTION)): "<Analysis of 5x1x1: inconsistent>",
        repr(Analyst(game)): "<Analyst of 9x9x10, 32 cells open>",
        repr(hint(game)): "<Hint: B3 is safe>",
        repr(hint(guess)): "<Hint: A1 is the best guess>",
        repr(why(game, "F2")): "<Explanation: F2 is safe, in 4 steps>",
        repr(why(guess, "A1")): "<Explanation: A1 is not certain>",
        repr(prove(game, "F2")): "<Proof: F2 is safe, in 11 steps>",
        repr(rate(game)): "<Rating from E5: difficulty 5.7, 15 steps of level 1>",
        repr(solve(game)): "<Solution of beginner from E5: 15 steps of level 1>",
        repr(mineproof.review(game)): "<Review of beginner/opening#1: Playing after 1 move: 0 certain, 0 guesses>",
        repr(standing): "<Standing: 40 of 40 games, 2 agents>",
        repr(standing.tallies["beginner", "best"]): "<Tally: 19 of 20 games won, 95.0 % (95 %: 76.4 to 99.1 %)>",
        str(standing).splitlines()[0]: "best on beginner: 19 of 20 games won, 95.0 % (95 %: 76.4 to 99.1 %)",
    }
    assert list(shown) == list(shown.values())
