"""Random boards, positions, rules and games for hypothesis. Grids are seldom square: a square hides swapped axes."""

from __future__ import annotations

from hypothesis import strategies as st

from mineproof import Cell, Game, GameId, Grid, IllegalMove, Layout, Level, Move, Position, Replay, Rules
from mineproof.board.move import KINDS

grids = st.builds(Grid, rows=st.integers(1, 7), cols=st.integers(1, 9))
seeds = st.integers(0, 2**64 - 1)
rules = st.builds(
    Rules,
    first_click=st.sampled_from(["any", "safe", "opening", "given", "given:2", "given:sqrt"]),
    continues=st.booleans(),
    flood=st.booleans(),
    questions=st.booleans(),
)


@st.composite
def layouts(draw: st.DrawFn, most_starts: int = 0) -> Layout:
    grid = draw(grids)
    mask = bytes(draw(st.lists(st.sampled_from([0, 0, 0, 1]), min_size=len(grid), max_size=len(grid))))
    starts = draw(st.lists(st.integers(0, len(grid) - 1), max_size=most_starts, unique=True))
    return Layout(grid, mask, tuple(map(grid.cell, starts)))


@st.composite
def positions(draw: st.DrawFn, symbols: str = "012345678HFQS*?") -> Position:
    grid = draw(grids)
    cells = "".join(draw(st.lists(st.sampled_from(symbols), min_size=len(grid), max_size=len(grid))))
    return Position(grid, draw(st.integers(0, len(grid))), cells.encode())


def cells_of(grid: Grid) -> st.SearchStrategy[Cell]:
    return st.builds(Cell, st.integers(0, grid.rows - 1), st.integers(0, grid.cols - 1))


@st.composite
def move_lists(draw: st.DrawFn, grid: Grid, kinds: tuple[str, ...] = KINDS) -> list[Move]:
    """Moves on this grid, many of which a game will refuse."""
    drawn = draw(st.lists(st.tuples(st.sampled_from(kinds), cells_of(grid)), max_size=40))
    return [Move(kind, None if kind == "undo" else cell) for kind, cell in drawn]


@st.composite
def explicit_ids(draw: st.DrawFn) -> GameId:
    """An explicit layout under any rules whose promise its starts keep."""
    layout = draw(layouts(most_starts=3))
    kept = ["any"]
    if layout.starts and not any(map(layout.has_mine, layout.starts)):
        kept.append(f"given:{len(layout.starts)}")
        if len(layout.starts) == 1:
            kept += ["given", "safe"]
            if not layout.number(layout.starts[0]):
                kept.append("opening")
    others = draw(rules)
    return GameId(layout, Rules(draw(st.sampled_from(kept)), others.continues, others.flood, others.questions))


@st.composite
def seeded_ids(draw: st.DrawFn) -> GameId:
    """A seeded level with room for its first click."""
    chosen = draw(rules)
    grid = draw(grids)
    most = chosen.most_mines(grid)
    if most < 0:
        chosen = Rules("any")
        most = len(grid)
    if draw(st.booleans()):
        level = Level(grid.rows, grid.cols, draw(st.integers(0, most)))
    else:
        level = Level(grid.rows, grid.cols, probability=draw(st.floats(0, 0.5)))
        chosen = Rules("any", chosen.continues, chosen.flood, chosen.questions)
    return GameId(level, chosen, draw(seeds), draw(seeds))


def game_ids() -> st.SearchStrategy[GameId]:
    """Ids of games that can be made."""
    return explicit_ids() | seeded_ids()


@st.composite
def played(draw: st.DrawFn, ids: st.SearchStrategy[GameId], kinds: tuple[str, ...] = KINDS) -> Replay:
    """A game in which random moves were played; with times or without."""
    game = Game.from_id(draw(ids))
    for move in draw(move_lists(game.grid, kinds)):
        try:
            game.play(move)
        except IllegalMove:
            continue
    replay = game.replay()
    if draw(st.booleans()) and replay.moves:
        size = len(replay.moves)
        times = draw(st.lists(st.integers(-(10**9), 10**9), min_size=size, max_size=size))
        replay = Replay(replay.id, replay.moves, tuple(times))
    return replay
