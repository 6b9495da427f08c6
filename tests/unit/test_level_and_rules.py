import numpy as np
import pytest

from mineproof import LEVELS, Game, Grid, InvalidBoard, InvalidText, Level, MineproofError, Rules, UnknownName


def test_numbers_of_numpy_are_numbers() -> None:
    assert Level(np.int64(9), np.int32(8), np.int16(7)) == Level(9, 8, 7)  # type: ignore[arg-type]
    assert str(Level(9, 9, probability=np.float64(0.2))) == "9x9xp0.2"
    assert Level.share(9, 9, np.float64(0.15)) == Level.share(9, 9, 0.15)
    assert Game("beginner", seed=np.uint64(7)).id == "beginner/safe#7"  # type: ignore[arg-type]
    assert Level.parse("EXPERT") == Level.parse("30X16X99") == LEVELS["expert"]


def test_the_named_levels() -> None:
    assert {name: (level.rows, level.cols, level.mines) for name, level in LEVELS.items()} == {
        "beginner": (9, 9, 10),
        "beginner-classic": (8, 8, 10),
        "medium": (16, 16, 25),
        "intermediate": (16, 16, 40),
        "expert": (16, 30, 99),
    }


@pytest.mark.parametrize("text", ["expert", "1x1x0", "30x20x145", "9x9xp0.2", "7x3xp0.0", "5x4xp1.0", "5x5xp1e-05"])
def test_levels_survive_their_text(text: str) -> None:
    assert str(Level.parse(text)) == text
    assert eval(repr(Level.parse(text))) == Level.parse(text)


@pytest.mark.parametrize(
    ("text", "mines"), [("30x30x10%", 90), ("30x30x15%", 135), ("30x30x20%", 180), ("7x3x33.3%", 7)]
)
def test_shares(text: str, mines: int) -> None:
    assert Level.parse(text).mines == mines


@pytest.mark.parametrize("text", ["3x3x10", "0x3x0", "3x3x101%", "3x3xp1.5", "99999x99999x5", "999999999x999999999x1"])
def test_boards_that_cannot_be(text: str) -> None:
    with pytest.raises(InvalidBoard):
        Level.parse(text)


@pytest.mark.parametrize("text", ["3x3", "3x3x", "3x3x-1", "3x3x1.2.3%", "3x3xp1.2.3", "3x3xp", "3x3x٣", "3 x 3 x 1"])
def test_bad_text(text: str) -> None:
    with pytest.raises(InvalidText):
        Level.parse(text)


def test_a_mistyped_name_gets_a_suggestion() -> None:
    with pytest.raises(UnknownName, match="did you mean 'intermediate'"):
        Level.parse("intermediat")
    with pytest.raises(UnknownName, match="did you mean 'opening'"):
        Rules("openning")
    with pytest.raises(UnknownName, match="did you mean 'no-flood'"):
        Rules.parse("safe+noflood")


@pytest.mark.parametrize(
    "text", ["any", "safe", "given:7+continue+no-flood+questions", "given:sqrt", "opening+questions"]
)
def test_rules_survive_their_text(text: str) -> None:
    assert str(Rules.parse(text)) == text
    assert eval(repr(Rules.parse(text))) == Rules.parse(text)


def test_a_game_names_no_millions_of_cells() -> None:
    """16 characters must not cost gigabytes."""
    assert Rules("given:100000").given(Grid(1000, 1000)) == 100_000
    with pytest.raises(InvalidBoard, match="a game can name up to 100,000 safe cells, not 100,001"):
        Rules("given:100001")


def test_given_counts() -> None:
    grid = Grid(16, 16)
    counts = {text: Rules(text).given(grid) for text in ("any", "safe", "opening", "given", "given:5", "given:sqrt")}
    assert counts == {"any": 0, "safe": 0, "opening": 0, "given": 1, "given:5": 5, "given:sqrt": 16}


@pytest.mark.parametrize(
    ("rule", "most"), [("any", 12), ("safe", 11), ("opening", 8), ("given", 11), ("given:5", 7), ("given:sqrt", 9)]
)
def test_as_many_mines_as_fit(rule: str, most: int) -> None:
    """3 rows of 4: a corner opening keeps four cells free."""
    game = Game(Level(3, 4, most), rule, seed=1)
    if not game.over:  # a board of mines only is won before it starts
        game.open(game.given[0] if game.given else "A1")
    assert game.layout is not None
    assert game.layout.mines == most
    if most < 12:
        with pytest.raises(InvalidBoard, match=f"at most {most} mines"):
            Game(Level(3, 4, most + 1), rule, seed=1)


def test_a_probability_that_leaves_no_start_is_refused_soon() -> None:
    with pytest.raises(MineproofError, match="too few safe cells"):
        Game("2000x2000xp1.0", "given", seed=1)
