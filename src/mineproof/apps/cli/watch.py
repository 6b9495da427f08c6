"""``mineproof watch``: an agent's game or a replay in the terminal, with a reason for each move."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from functools import partial
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.agents.registry import COMMAND, find_agent, label
from mineproof.agents.systems import SYSTEMS, System
from mineproof.apps.cli import stage
from mineproof.apps.cli.album import Album
from mineproof.apps.cli.common import (
    board_options,
    check_as,
    draw,
    names_a_game,
    new_game,
    proved,
    read_content,
    rule_options,
    say,
    summary,
    system_option,
    theme_option,
    too_large,
    wants_colour,
)
from mineproof.apps.cli.keys import Keys
from mineproof.arena.match import turns
from mineproof.board.game import Game, Replay, State
from mineproof.board.render import to_signs
from mineproof.errors import AgentFault, BadRecords, InvalidBoard, InvalidText, UnknownName, visible
from mineproof.files import write_file
from mineproof.logic.knowledge import in_short
from mineproof.logic.reasoning import noted
from mineproof.plural import plural
from mineproof.seat.reasons import MoveReasons
from mineproof.seat.seat import Seat

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from mineproof.board.level import Level
    from mineproof.board.move import Move
    from mineproof.logic.reasoning import Reasoning

MOST_CELLS = 2**20
"""The most cells of a board that can be watched: each turn looks at all of them."""
PAUSE = 0.3
"""Seconds between turns on a terminal."""


@dataclass(frozen=True, slots=True)
class Act:
    """Moves that belong together, and what to say about all or some of them."""

    moves: tuple[Move, ...]
    guess: bool
    say: Callable[[tuple[Move, ...]], list[str]]
    notes: tuple[Reasoning, ...] = ()
    """What an agent of a report has written down."""


@click.command("watch")
@click.option("--agent", default=None, help="Agent that plays; see `mineproof agents`.  [default: best]")
@board_options(first_click="opening")
@rule_options
@system_option
@click.option("--id", "game_id", default=None, help="Watch the game with this id, such as expert/safe#42.")
@click.option("--load", default=None, help="Play back a saved or recorded game.")
@click.option("--run", type=click.Path(path_type=Path), default=None, help="Watch a board of this arena run.")
@click.option("--board", type=int, default=None, help="Number of the board in the run, from 0.")
@click.option("--save", type=click.Path(path_type=Path), default=None, help="Save the game to a file.")
@click.option("--delay", type=click.FloatRange(0, 60), default=None, help="Seconds between turns.  [0.3 on a terminal]")
@click.option("--step", is_flag=True, help="Advance one move at a time, with space or Enter.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with plain characters.")
@theme_option("Show what is proved, in these colours")
@click.option("--pictures", type=click.Path(path_type=Path), default=None, help="Draw each turn into this folder.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(
    agent: str | None,
    level: Level | None,
    first_click: str,
    seed: int | None,
    game_id: str | None,
    load: str | None,
    run: Path | None,
    board: int | None,
    save: Path | None,
    delay: float | None,
    step: bool,
    ascii_only: bool,
    theme: str | None,
    pictures: Path | None,
    as_json: bool,
    system: System | None,
    **rules: bool,
) -> None:
    """Watch an agent play, each move with its proof or its odds.

    On a terminal the board is redrawn after each turn: space pauses, q quits. In a pipe, prints one line per reason,
    and the board at the end.
    """
    if delay is not None and isnan(delay):
        raise click.UsageError("--delay must be a number of seconds")
    if (run is None) != (board is None):
        raise click.UsageError("--run and --board must be used together")
    if load is not None and agent is not None:
        raise click.UsageError("--load and --agent cannot be combined")
    check_as(system)
    names_a_game({"--id": game_id, "--load": load, "--run": run}, None if run is not None else level)
    replay = _replay(load) if load is not None else None
    if replay is not None:
        game = Game.from_id(replay.id)
    elif run is not None and board is not None:
        game, agent = _of_run(run, board, level, agent)
    elif game_id is not None:
        game = Game.from_id(game_id)
    else:
        if level is not None:
            _check_size(level)
        game = new_game(system, level, first_click, seed, **rules)
    _check_size(game.level)
    if agent is None:
        agent = "best" if system is None else system.agent
    who = "replay" if replay is not None else visible(label(find_agent(agent).name))
    acts = played_back(replay) if replay is not None else played(agent, Game.from_id(game.id))
    live = sys.stdout.isatty() and not as_json
    look = BoardStyle(ascii_only, theme, system)
    viewer = _Viewer(game, who, look, live=live, silent=as_json, step=step, pause=delay)
    if pictures is not None:
        viewer.album = Album(pictures, game.grid, f"{game.id}: {who}", theme)
    try:
        viewer.watch(acts)
    finally:
        acts.close()
        if viewer.album is not None:
            viewer.album.close(game, viewer.result)
    if save is not None:
        write_file(save, game.replay().to_text().encode())
    if as_json:
        fields = {**summary(game), "agent": who, "state": viewer.result, "guesses": viewer.guesses}
        click.echo(json.dumps(fields))
        return
    viewer.end()
    if save is not None:
        say(f"saved to {visible(save)}")


def _check_size(level: Level) -> None:
    if len(level.grid) > MOST_CELLS:
        raise InvalidBoard(f"boards of up to {MOST_CELLS:,} cells can be watched; this one has {len(level.grid):,}")


def _replay(source: str) -> Replay:
    content = read_content(source, None)
    if not isinstance(content, Replay) or not content.moves:
        raise InvalidText(f"{source}: there are no moves to play back")
    return content


def _of_run(folder: Path, board: int, level: Level | None, agent: str | None) -> tuple[Game, str]:
    """Return the game on a board of a run, and its agent: the named one, or the first. A program is run only if the
    user names it, because the folder may come from anyone."""
    from mineproof.arena.records import plan_of, read_manifest

    plan = plan_of(read_manifest(folder))
    if not 0 <= board < plan.games:
        raise InvalidBoard(f"board {board} is not in this run: it has boards 0 to {plan.games - 1}")
    if level is not None and level not in plan.levels:
        raise UnknownName("level of this run", str(level), plan.places)
    agents = {label(name): name for name in plan.agents}
    if agent is None and plan.agents[0].startswith(COMMAND):
        raise BadRecords(f"the run in {folder} starts a program: name it, or another of its agents, with --agent")
    if agent is not None and agent not in plan.agents and (agent not in agents or agents[agent].startswith(COMMAND)):
        raise UnknownName("agent of this run", agent, plan.agents)
    game = Game(level or plan.levels[0], plan.rules, seed=plan.seed, index=board)
    return game, plan.agents[0] if agent is None else agents.get(agent, agent)


def played(agent: str, game: Game) -> Generator[Act]:
    """Yield an agent's game, turn by turn."""
    spec = find_agent(agent)
    looks_ahead = spec.looks_ahead is True or spec.name.endswith("+best")
    methods = {name for system in SYSTEMS.values() for player in system.players for name in player.methods}
    seat = Seat.at(game)
    try:
        playing = turns(agent, game)
        while True:
            with noted() as reasonings:
                turn = next(playing, None)
            if turn is None:
                return
            guess = bool(turn.played) and not turn.decision.certain
            notes = tuple(note for note in reasonings if note.method in methods)
            reasons = MoveReasons(seat, turn.decision, looks_ahead=looks_ahead)
            yield Act(turn.played, guess, partial(_reason_lines, reasons), notes)
            seat = Seat.at(game)
    except AgentFault as fault:
        raise AgentFault(f"{label(agent)}: {fault}") from None


def _reason_lines(reasons: MoveReasons, moves: tuple[Move, ...]) -> list[str]:
    return list(reasons.lines(moves)) or [*map(str, moves)] or ["nothing is certain, and the agent does not guess"]


def played_back(replay: Replay) -> Generator[Act]:
    """Yield a replay, move by move."""
    game = Game.from_id(replay.id)
    for move in replay.moves:
        reasons = MoveReasons(Seat.at(game))
        game.play(move)
        yield Act((move,), reasons.is_guess(move), partial(_reason_lines, reasons))


@dataclass(frozen=True, slots=True)
class BoardStyle:
    """How the board is drawn."""

    ascii_only: bool
    theme: str | None
    system: System | None

    def draw(self, game: Game) -> str:
        """Return the board in the signs of the system, if it has any, or with proved cells in the colours of the
        theme."""
        if self.system is not None and self.system.signs and self.theme is None:
            return too_large(game.grid) or to_signs(game.position, self.system.signs)
        known = None if self.theme is None or too_large(game.grid) else proved(game.position)
        return draw(game, self.ascii_only, wants_colour(), known, self.theme)


class _Viewer:
    """Follows a game: draws it on a terminal, prints it in a pipe, or only plays it."""

    album: Album | None = None
    """The folder of pictures into which each turn is drawn."""

    def __init__(
        self, game: Game, who: str, look: BoardStyle, *, live: bool, silent: bool, step: bool, pause: float | None
    ) -> None:
        self.game = game
        self.who = who
        self.look = look
        self.live = live
        self.silent = silent
        self.step = step
        self.pause = (PAUSE if live else 0.0) if pause is None else pause
        self.paused = False
        self.stopped = False
        self.guesses = 0
        self._text: list[str] = []
        self._drawn = False

    def watch(self, acts: Generator[Act]) -> None:
        """Follow the game to its end, or until the user quits."""
        if not self.live and not self.silent:
            say(self._title())
        with Keys() as keys:
            for act in acts:
                self.guesses += act.guess
                parts = [(move,) for move in act.moves] if self.step and act.moves else [act.moves]
                for moves in parts:
                    before = self.game.position
                    for move in moves:
                        self.game.play(move)
                    if self.silent and self.album is None:
                        continue
                    reasons = act.say(moves)
                    if self.album is not None:
                        self.album.add(before, moves, reasons, act.notes, guess=act.guess)
                    if self.silent:
                        continue
                    short = in_short(act.notes) if self.look.system is not None else ""
                    self._show([*reasons, short] if short else reasons)
                    if self._wait(keys):
                        self.stopped = True
                        return

    def _title(self) -> str:
        game, doing = self.game, "" if self.who == "replay" else " plays"
        left = f"{game.mines_left} of {game.mines} mines left, move {game.step}"
        return f"{game.id}: {self.who}{doing}; {left}"

    def _show(self, text: list[str]) -> None:
        self._text = text
        if not self.live:
            for line in text:
                say(line)
            return
        keys = "space or Enter: next move, q: quit" if self.step else "space: pause, q: quit"
        if self.paused:
            keys = "paused; space: continue, Enter: next turn, q: quit"
        self._draw(keys)

    def _draw(self, footer: str) -> None:
        stage.show(self._title(), self.look.draw(self.game), self._text, footer, first=not self._drawn)
        self._drawn = True

    def _wait(self, keys: Keys) -> bool:
        """Wait for the next turn or for a key. Return whether to stop."""
        if self.step and not self.live:
            click.echo("Enter: next move, q: quit", err=True)
        while True:
            waits = self.step or self.paused
            key = keys.wait(None if waits else self.pause)
            if key in ("q", "Q"):
                return True
            if key == " " and not self.step:
                self.paused = not self.paused
                if self.live:
                    self._show(self._text)
                if not self.paused:
                    return False
            elif not waits or key in (" ", "\r", "\n"):
                return False

    @property
    def result(self) -> str:
        """How the game ended, in a word."""
        if self.game.state is not State.PLAYING:
            return str(self.game.state)
        return "stopped" if self.stopped or self.who == "replay" else "stuck"

    def end(self) -> None:
        """Show the result below the board."""
        game = self.game
        opened = len(game.position.where("012345678"))
        hits = f", {plural(game.hits, 'mine')} hit" if game.rules.continues else ""
        guesses = plural(self.guesses, "guess", "guesses")
        result = f"{self.result}: {opened} of {len(game.grid) - game.mines} safe cells open, {guesses}{hits}"
        if self.live:
            self._draw(result)
        else:
            click.echo(f"\n{self.look.draw(game)}\n\n{result}")
