"""A request to the arena, and the plan that follows from it: of a new run, or of one that is resumed from a folder."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from mineproof.agents.registry import COMMAND, program
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
    """The options of a run; None stands for one that was not given.

    >>> print(Request(games=50).plan().places, Request(games=50).plan().agents)
    ('expert',) ('best',)
    """

    agents: tuple[str, ...] | None = None
    levels: tuple[Level, ...] | None = None
    boards: Boards | None = None
    games: int | None = None
    seed: int | None = None
    first_click: str | None = None
    continues: bool | None = None
    flood: bool | None = None
    questions: bool | None = None
    open_flags: bool | None = None
    seconds: float | None = None

    def plan(self) -> Plan:
        """Return the plan of a new run. By default ``best`` plays 1,000 games at expert, or all given boards."""
        games = 1000 if self.boards is None else self.boards.count
        return self._over(Plan(("best",), (Level.parse("expert"),), Rules("safe"), games, 0))

    def resumed(self, folder: Path) -> Plan:
        """Return the plan of a resumed run. Defaults come from the run in the folder; `Records` checks that the given
        options match it, and that there are not fewer games."""
        from mineproof.arena.records import plan_of, read_manifest

        return self._over(plan_of(read_manifest(folder), self.boards))

    def _over(self, before: Plan) -> Plan:
        """Return a plan with these options, and those of the plan ``before`` where none is given."""
        rules = before.rules
        if self.first_click is not None:  # other rules may follow it, as in given:sqrt+no-flood
            named = Rules.parse(self.first_click)
            rules = named if "+" in self.first_click else replace(rules, first_click=named.first_click)
        return Plan(
            agents=_either(self.agents, before.agents),
            levels=() if self.boards is not None else _either(self.levels, before.levels),
            rules=Rules(
                rules.first_click,
                _either(self.continues, rules.continues),
                _either(self.flood, rules.flood),
                _either(self.questions, rules.questions),
                _either(self.open_flags, rules.open_flags),
            ),
            games=_either(self.games, before.games),
            seed=_either(self.seed, before.seed),
            boards=before.boards or self.boards,
            limit=before.limit if self.seconds is None else Limit(self.seconds, DEFAULT.memory),
            chunk=before.chunk,
        )

    def unnamed_programs(self, plan: Plan) -> list[str]:
        """Return the commands of the plan that the user did not name: they come from the folder of a run."""
        named = self.agents or ()
        return [program(agent)[1] for agent in plan.agents if agent.startswith(COMMAND) and agent not in named]


def _either(option: T | None, before: T) -> T:
    return before if option is None else option
