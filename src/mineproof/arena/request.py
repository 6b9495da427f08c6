"""What somebody asks of the arena, and the plan that comes of it: new, or going on with a run in a folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from mineproof.agents.registry import COMMAND
from mineproof.arena.tournament import Plan
from mineproof.board.level import Level
from mineproof.board.rules import Rules
from mineproof.limit import DEFAULT, Limit

if TYPE_CHECKING:
    from pathlib import Path

    from mineproof.arena.boards import Boards

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be played. None is what was not said.

    >>> print(Request(games=50).plan().places, Request(games=50).plan().agents)
    ('expert',) ('best',)
    """

    agents: tuple[str, ...] | None = None
    levels: tuple[Level, ...] | None = None
    boards: Boards | None = None
    games: int | None = None
    seed: int | None = None
    first_click: str | None = None
    goes_on: bool | None = None
    flood: bool | None = None
    questions: bool | None = None
    seconds: float | None = None

    def plan(self) -> Plan:
        """What was not said is as usual: ``best``, 1,000 games at expert, or all boards that are given."""
        games = 1000 if self.boards is None else self.boards.count
        return self._over(Plan(("best",), (Level.parse("expert"),), Rules("safe"), games, 0))

    def resumed(self, folder: Path) -> Plan:
        """What was not said is as the run in the folder has it; whether what was said fits, its `Records` will tell."""
        from mineproof.arena.records import plan_of, read_manifest

        return self._over(plan_of(read_manifest(folder), self.boards))

    def _over(self, before: Plan) -> Plan:
        rules = before.rules
        return Plan(
            agents=_first(self.agents, before.agents),
            levels=() if self.boards is not None else _first(self.levels, before.levels),
            rules=Rules(
                _first(self.first_click, rules.first_click),
                _first(self.goes_on, rules.goes_on),
                _first(self.flood, rules.flood),
                _first(self.questions, rules.questions),
            ),
            games=_first(self.games, before.games),
            seed=_first(self.seed, before.seed),
            boards=before.boards or self.boards,
            limit=before.limit if self.seconds is None else Limit(self.seconds, DEFAULT.memory),
        )

    def unnamed_programs(self, plan: Plan) -> list[str]:
        """Commands that the plan would run and that nobody asked for: they come from the folder of a run."""
        named = self.agents or ()
        return [
            agent.removeprefix(COMMAND) for agent in plan.agents if agent.startswith(COMMAND) and agent not in named
        ]


def _first(said: T | None, before: T) -> T:
    return before if said is None else said
