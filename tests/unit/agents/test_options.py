"""Options in the names of agents: read in one place, shown, refused with a sentence; and agents play as reports say."""

from __future__ import annotations

from collections import Counter

import pytest

from mineproof import AGENTS, METHODS, Game, InvalidArgument, InvalidText, Limit, Position, UnknownName, play
from mineproof.agents.counting import Counting
from mineproof.agents.policies import densities
from mineproof.agents.reasoner import Reasoner
from mineproof.agents.registry import AgentSpec, find_agent
from mineproof.arena.chunks import Chunk, run
from mineproof.arena.match import finish, turns
from mineproof.board.level import Level
from mineproof.board.rules import Rules
from mineproof.logic.matching import Follower
from mineproof.logic.methods import find_method
from mineproof.logic.options import Option, read_options


def made(name: str) -> Reasoner:
    agent = find_agent(name).make()
    assert isinstance(agent, Reasoner)
    return agent


@pytest.mark.parametrize(
    ("name", "error", "said"),
    [
        ("chaining:claues=3", UnknownName, "chaining has no option 'claues'; did you mean 'clauses'?"),
        (
            "chaining:clauses=0",
            InvalidText,
            "the option clauses must be a whole number of at least 1, or unlimited, not '0'",
        ),
        ("chaining:clauses=-1", InvalidText, "not '-1'"),
        ("chaining:clauses=9999999999", InvalidText, "the option clauses is 1,000,000,000 at most, not '9999999999'"),
        ("best:closed=101", InvalidText, "the option closed must be a whole number from 1 to 100, not '101'"),
        ("chaining:clauses=²", InvalidText, "not '²'"),
        ("chaining:clauses", InvalidText, "not 'yes'"),
        ("chaining:literal=maybe", InvalidText, "the option literal must be yes or no, not 'maybe'"),
        ("chaining:literal,literal", InvalidText, "the option literal is named twice"),
        ("chaining:", UnknownName, "chaining has no option ''"),
        ("csp:start=edge", InvalidText, "the option start must be corner or random, not 'edge'"),
        ("careful:depth=2", InvalidText, "careful has no options; this asks for 'depth=2'"),
        ("best:ded=no", UnknownName, "best has no option 'ded'; did you mean 'dead'?"),
        ("sat+best:encoding=short", InvalidText, "cardinality or direct or multiplied-out, not 'short'"),
        ("bets:x", UnknownName, "there is no agent 'bets'; did you mean 'best'?"),
    ],
)
def test_bad_options_are_one_sentence(name: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error) as caught:
        find_agent(name)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("spec", AGENTS.values(), ids=lambda spec: spec.name)
def test_every_option_is_what_the_agent_does_without_it(spec: AgentSpec) -> None:
    """Defaults written out make the same agent; and each option has a default that it can read again."""
    for option in spec.options:
        assert option.read(option.write(option.default)) == option.default
    if spec.options and spec.looks_ahead is None:
        name = f"{spec.name}:{','.join(map(str, spec.options))}"
        plain, written = made(spec.name), made(name)
        assert (plain.start, plain.remembers, plain.policy) == (written.start, written.remembers, written.policy)
        assert [m.chosen for m in plain.methods] == [m.chosen for m in written.methods]


def test_options_of_best_written_out_change_nothing() -> None:
    written = f"best:{','.join(map(str, AGENTS['best'].options))}"
    level, version = Level.parse("20x16x66"), AGENTS["best"].version
    usual, same = (run(Chunk(name, version, level, Rules("safe"), 3, 0, 30)) for name in ("best", written))
    assert [(one.won, one.moves) for one in usual] == [(one.won, one.moves) for one in same]


@pytest.mark.parametrize(
    ("option", "level", "index"),
    [
        ("dead", "expert", 92),
        ("living", "20x16x66", 12),
        ("tossups", "20x16x66", 20),
        ("dominance", "20x16x66", 5),
        ("isolated", "20x16x66", 17),
    ],
)
def test_each_part_of_best_can_be_switched_off(option: str, level: str, index: int) -> None:
    """A game in which it matters."""
    games, board = [], Level.parse(level)
    for name in ("best:boards=0", f"best:boards=0,{option}=no"):
        agent = find_agent(name).make()
        assert isinstance(agent, Counting)
        (game,) = agent.player.play_seeded(board.rows, board.cols, board.mines or 0, 0, 0, 3, index, 1, Limit(600))
        assert game is not None
        games.append(game[:3])
    assert games[0] != games[1]


def test_only_best_has_options() -> None:
    with pytest.raises(InvalidArgument, match="the guess policy stop has no options"):
        Counting("stop", boards=5)


def test_methods_take_options_too() -> None:
    assert find_method("basic") is METHODS["single"]
    assert find_method("resolution:clauses=unlimited,mine-count").chosen == {"clauses": None, "mine_count": True}
    with pytest.raises(InvalidText, match="single has no options"):
        find_method("single:x")
    assert read_options("x", "a=no", [Option("a", True, "")]) == {"a": False}


def test_the_named_agents_are_those_of_the_reports() -> None:
    chosen = {name: [dict(m.chosen) for m in made(name).methods] for name in ("chaining", "matching", "sat")}
    assert chosen["chaining"][0]["clauses"] == 300
    assert chosen["chaining"][0]["every"] == 5
    assert chosen["chaining"][1]["clauses"] == 600
    assert not any(one["subsumption"] or one["literal"] for one in chosen["chaining"])
    assert chosen["matching"] == [{"literals": 2, "keep_parents": False, "rounds": 11, "store": "index"}]
    assert made("matching").remembers
    assert chosen["sat"] == [{"mine_count": 12, "encoding": "cardinality"}]
    assert made("normal-form").methods[0].chosen == {"unknowns": 3, "literal": False}
    for name in ("csp", "asp"):
        assert made(name).methods[0].chosen == {"mine_count": False}
    starts = {name: made(name).start for name, spec in AGENTS.items() if spec.options and spec.looks_ahead is None}
    assert [name for name, start in starts.items() if start == "random"] == ["normal-form", "basic", "csp", "asp"]
    assert [name for name, start in starts.items() if start == "corner"] == ["chaining", "sat", "matching"]
    rules = {name: AGENTS[name].rules for name in ("chaining", "sat", "basic", "matching", "csp")}
    assert rules == {
        "chaining": "given",
        "sat": "opening+open-flags",
        "basic": "any+continue",
        "matching": "given:sqrt+no-flood",
        "csp": "safe+continue",
    }


def first_cell(name: str, index: int) -> str:
    game = Game("9x9x10", "safe", seed=7, index=index)
    return str(next(turns(name, game)).played[0].cell)


@pytest.mark.parametrize("name", ["csp", "asp", "basic"])
def test_a_random_start_is_random_safe_and_no_guess(name: str) -> None:
    starts = Counter(first_cell(name, index) for index in range(60))
    assert len(starts) > 25
    assert first_cell(name, 3) == first_cell(name, 3)
    assert {first_cell(f"{name}:start=corner", index) for index in range(5)} == {"A1"}
    turn = next(turns(name, Game("4x4x15", "safe", seed=1)))
    assert turn.decision.certain


def test_a_random_start_on_a_crowded_board_with_an_opening() -> None:
    assert play("csp", "4x4x12", "opening", seed=1).moves >= 1


def test_sat_counts_mines_only_where_its_report_does() -> None:
    few = Position.from_text("5x2x1\n1HHHH\n1HHHH")  # 8 closed cells, which only the mine count decides
    many = Position.from_text("8x2x1\n1HHHHHHH\n1HHHHHHH")  # 14
    for name, on_few, on_many in (
        ("sat", True, False),
        ("sat:mine-count=8", True, False),
        ("sat:mine-count=7", False, False),
        ("sat:mine-count=no", False, False),
        ("sat:mine-count=yes", True, True),
        ("sat:encoding=multiplied-out", True, False),
        ("sat:encoding=direct,mine-count=14", True, True),
    ):
        agent = find_agent(name).make()
        assert agent.choose(few).certain is on_few, name
        assert agent.choose(many).certain is on_many, name


def test_csp_reads_the_clues_alone_unless_asked() -> None:
    position = Position.from_text("5x2x1\n1HHHH\n1HHHH")
    for name in ("csp", "asp", "asp:multi-shot=no"):
        assert not find_agent(name).make().choose(position).certain
        asked = f"{name}{',' if ':' in name else ':'}mine-count"
        assert find_agent(asked).make().choose(position).certain


def test_one_knowledge_base_for_the_game() -> None:
    """It is told each clue once; and it is stuck after eleven rounds at most."""
    agent = made("matching")
    game = Game("medium", "given:8+no-flood", seed=5)
    finish(agent, game)
    (mind,) = agent.minds
    assert isinstance(mind, Follower)
    assert len(mind.base.facts) >= len(game.position.where("012345678"))
    agent.reset(1)
    assert agent.minds[0] is not mind


def test_proved_mines_are_flagged_before_a_guess() -> None:
    position = Position.from_text("5x3x4\n1HHHH\nHHHHH\nHHH3H".replace("1HHHH", "3HHHH"))
    decision = find_agent("basic").make().choose(position)
    assert [str(move) for move in decision.moves[:-1]] == ["flag B1", "flag A2", "flag B2"]
    assert decision.moves[-1].kind == "open"
    assert not decision.certain


def test_density_takes_proved_mines_out() -> None:
    """A1 says that B1 is a mine. C1 has found it in B1: D1 is safe, and gets nothing."""
    board = Position.from_text("6x1x2\n1H1HHH")
    closed = board.where("H")
    assert densities(board, closed[1:])[0, 3] == 0
    assert densities(board, closed)[0, 3] == 0.5


def test_density_grows_with_explored_neighbours_and_their_numbers() -> None:
    rates = []
    for text in ("3x3x2\nHHH\nHHH\nHHH", "3x3x2\n1HH\nHHH\nHHH", "3x3x2\n1H1\nHHH\nHHH", "3x3x2\n2H1\nHHH\nHHH"):
        board = Position.from_text(text)
        rates.append(densities(board, board.where("H"))[1, 1])
    assert rates == sorted(set(rates))


def test_hand_over_back_and_forth() -> None:
    """The solver stops, the person probes a cell, and the solver goes on from there."""
    handed = 0
    for index in range(12):
        game = Game("intermediate", "opening", seed=4, index=index)
        while not finish("sat", game).won and not game.over:
            handed += 1
            assert not find_agent("sat").make().choose(game.position).moves
            assert game.layout is not None
            cell = next(cell for cell in game.position.where("H") if not game.layout.has_mine(cell))
            game.open(cell)
        assert game.hits == 0
    assert handed > 3


def test_names_of_the_reports_levels() -> None:
    assert Level.parse("easy") == Level.parse("beginner")
    assert Level.parse("hard") == Level.parse("expert")
    assert [Level.parse(f"20x10x{name}").mines for name in ("naive", "medium", "expert")] == [20, 30, 40]
    assert str(Level.parse("hard")) == "expert"
    with pytest.raises(UnknownName, match="did you mean 'easy'"):
        Level.parse("eazy")
    with pytest.raises(InvalidText, match="a size must be"):
        Level.parse("20x10xnive")


def test_a_literal_agent_ends_its_games() -> None:
    """Its rules are wrong now and then: it opens mines that it did not guess, and never ends in a contradiction."""
    wrong = Counter[str]()
    for name in ("normal-form:literal", "chaining:literal", "chaining:literal,clauses=60"):
        for seed in range(3):
            result = play(name, "8x8x14", "any+continue", seed=seed, limit=Limit(20))
            wrong[name] += result.hits - sum(result.struck)
    assert wrong["normal-form:literal"]
    assert wrong["chaining:literal"]
