"""Recorded games of other programs: any game there and back, and hundreds of damaged files: no crash, no hang."""

from __future__ import annotations

import random
from itertools import takewhile

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mineproof import Game, GameId, InvalidText, Layout, Replay, Rules, read
from mineproof.board.formats import FORMATS
from support import recorded, strategies
from support.recorded import Event, Recording

EXPLICIT = st.builds(GameId, strategies.layouts(), st.just(Rules("any")))
DAMAGED = 120
"""Files of each format."""


@pytest.mark.parametrize("name", recorded.WRITERS)
@given(replay=strategies.played(EXPLICIT, kinds=("open", "open", "flag", "unflag", "chord")))
@settings(max_examples=30)
def test_there_and_back(name: str, replay: Replay) -> None:
    early = [move.kind for move in takewhile(lambda move: move.kind != "open", replay.moves)]
    assume(replay.moves)
    assume(name != "rmv" or (len(early) < len(replay.moves) and "unflag" not in early))  # there it is a list of flags
    timed = Replay(replay.id, replay.moves, tuple(range(0, 30 * len(replay.moves), 30)))
    again = read(recorded.WRITERS[name](Recording.of(timed)), name)
    if name == "rmv":  # these flags have no time
        assert isinstance(again, Replay)
        timed = Replay(timed.id, timed.moves, again.times)
    assert again == timed


@given(
    layout=strategies.layouts(),
    done=st.lists(st.tuples(st.sampled_from("llrrm"), st.integers(0, 7), st.integers(0, 9)), max_size=60),
)
@settings(max_examples=80)
def test_whatever_the_mouse_does_our_board_and_theirs_agree(layout: Layout, done: list[tuple[str, int, int]]) -> None:
    """Buttons pressed and let go in any order, on the board and beside it; `read` would refuse what differs."""
    assume(layout.mines < len(layout.grid))  # where there is nothing but mines, our game is won before it begins
    events = [Event(0, "lc", 8, 8), Event(0, "lr", 8, 8)]
    held: set[str] = set()
    for button, row, col in done:
        events.append(Event(0, button + ("r" if button in held else "c"), 16 * col + 8, 16 * row + 8))
        held ^= {button}
    assert isinstance(read(recorded.evf(Recording(layout, events, won=False)), "evf"), Replay)


def expert(name: str) -> bytes:
    """A file with a long game: every safe cell is opened, some mines are flagged, some chords are played."""
    layout = Layout.draw("expert", "opening", "D4", seed=7)
    game = Game(layout, "any")
    game.open("D4")
    for row in range(layout.grid.rows):
        for col in range(layout.grid.cols):
            cell = (row, col)
            if not game.over and game[cell] == "H":
                (game.flag if layout.has_mine(cell) else game.open)(cell)
    moves = game.replay().moves
    replay = Replay(game.replay().id, moves, tuple(range(0, 100 * len(moves), 100)))
    return recorded.WRITERS[name](Recording.of(replay))


def damage(data: bytes, chance: random.Random) -> bytes:
    """Bits turned, bytes set, parts cut off, taken out or put in twice; seldom far from the start, where sizes are."""
    broken = bytearray(data)
    for _ in range(chance.choice([1, 1, 2, 8])):
        at = int(len(broken) * chance.random() ** chance.choice([1, 4, 10]))
        match chance.randrange(6):
            case 0 | 1:
                broken[at] ^= 1 << chance.randrange(8)
            case 2:
                broken[at] = chance.choice([0, 1, 127, 128, 255])
            case 3:
                del broken[max(1, at) :]
            case 4:
                del broken[at : at + chance.randrange(1, 9)]
            case _:
                broken[at:at] = broken[at : at + chance.randrange(1, 99)]
        if not broken:
            break
    return bytes(broken)


@pytest.mark.parametrize("name", recorded.WRITERS)
def test_damaged_files_are_refused_in_one_sentence_or_can_be_played(name: str) -> None:
    chance, whole = random.Random(name), expert(name)
    assert isinstance(read(whole, name), Replay)
    refused = []
    for _ in range(DAMAGED):
        try:
            replay = read(damage(whole, chance), name)
        except InvalidText as failure:
            refused.append(str(failure))
        else:
            assert isinstance(replay, Replay)
            replay.game()
    assert len(refused) > DAMAGED // 10
    assert "\n" not in "".join(refused)


@pytest.mark.parametrize("name", recorded.WRITERS)
def test_whatever_is_recognised_has_its_ending_too(name: str) -> None:
    looks_like = FORMATS[name].looks_like
    assert looks_like is not None
    assert looks_like.match(expert(name))
    assert FORMATS[name].suffixes == (f".{name}",)
