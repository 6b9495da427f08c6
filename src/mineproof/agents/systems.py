"""The five systems of the reports: their games, their agents, and the settings of each. They are stated only here.

The registry makes their agents; the apps, the experiments and the documentation read everything else. ``not_stated``
names the settings that a report leaves open, and ``changed`` those that are different here on purpose.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mineproof.errors import Registry, UnknownName
from mineproof.logic.methods import METHODS, NO_LIMIT
from mineproof.logic.options import Option, with_defaults

if TYPE_CHECKING:
    from collections.abc import Mapping

STARTS = {"corner": "corner", "random": "random"}
CORNER = Option("start", "corner", "where it begins if the first click is safe", STARTS)
(RANDOM,) = with_defaults([CORNER], start="random")
WAITING_LIST = Option("waiting-list", False, "check a clue again only when a cell around it has changed")
ONE_BASE = Option("one-base", True, "one knowledge base for the whole game, not one per position")
MULTI_SHOT = Option("multi-shot", True, "one program for the whole game, told each new clue")
RESOLUTION = (
    Option("resolution-clauses", 600, "most clauses in resolution, which runs last", NO_LIMIT, 1),
    Option("set-of-support", False, "resolution makes only clauses that descend from the supposed one"),
)


@dataclass(frozen=True, slots=True)
class Player:
    """An agent of a system, as its report describes it."""

    name: str
    idea: str
    methods: tuple[str, ...]
    """Its inference methods, tried in turn."""
    policy: str
    """The policy by which it guesses where nothing is certain."""
    options: tuple[Option, ...]
    """Its options, with the report's settings as defaults."""
    keeps: str = ""
    """The keyword of the option that says whether it keeps its knowledge during a game."""
    note: str = ""
    """A note that is added to its source."""


@dataclass(frozen=True, slots=True)
class System:
    """A system of a report."""

    name: str
    """The name of an author, as in ``mineproof watch --as lee``."""
    authors: str
    report: str
    game: str
    """A description of what is special about its game, in a few sentences."""
    rules: str
    levels: tuple[str, ...]
    """Its levels; the first one is played by default."""
    players: tuple[Player, ...]
    """Its agents; the first one is meant by default."""
    year: int | None = None
    other_names: tuple[str, ...] = ()
    idea: str = ""
    """What its agent does; option names in braces stand for their values (`fill_in`)."""
    limit: str = ""
    """Why its agent misses cells; option names in braces stand for their values."""
    not_stated: Mapping[str, str] | None = None
    """Options that the report leaves open, each with what the report says about it."""
    changed: Mapping[str, str] | None = None
    """Options that are set differently here, each with its value in the report."""
    signs: Mapping[str, str] | None = None
    """The characters that its console shows for closed cells and marked mines, by the symbol of a position."""

    @property
    def agent(self) -> str:
        """The name of its agent."""
        return self.players[0].name

    @property
    def agents(self) -> tuple[str, ...]:
        """The names of all its agents."""
        return tuple(player.name for player in self.players)

    def fill_in(self, text: str) -> str:
        """Replace option names in braces by the values that its agent has for them.

        >>> find_system("lee").fill_in("It stops after {rounds} rounds.")
        'It stops after 11 rounds.'
        """
        return text.format_map({option.keyword: option.write(option.default) for option in self.players[0].options})

    @property
    def source(self) -> str:
        """The authors, and the year if it is known.

        >>> find_system("lee").source, find_system("harnjan").source
        ('Lee 2023', 'Harnjan')
        """
        return self.authors if self.year is None else f"{self.authors} {self.year}"

    @property
    def title(self) -> str:
        """The system in one line."""
        return f"{self.authors}, {self.report}" + (f" ({self.year})" if self.year else "")


SYSTEMS = Registry(
    "system",
    {
        system.name: system
        for system in (
            System(
                "mcintyre", "McIntyre", "Minesweeper",
                "The game lays the mines, then names one safe cell to start.",
                "given", ("beginner", "intermediate", "expert"),
                (
                    Player(
                        "chaining", "forward chaining, then resolution, otherwise a random cell",
                        ("chaining", "resolution"), "random", (*METHODS["chaining"].options, *RESOLUTION, CORNER),
                    ),
                ),
                2016,
                idea="Resolve all pairs of clauses in an area, up to {clauses}; then suppose the opposite of a cell, "
                "and resolve up to {resolution_clauses}.",
                limit="Clauses multiply: the limit is reached before longer chains.",
                not_stated={
                    "clauses": "about 300", "reach": "not stated", "resolution-clauses": "more than chaining",
                    "policy": "not stated; it guesses only when forced to",
                },
                changed={"literal": "yes"},
            ),
            System(
                "harnjan", "Harnjan", "Introduction to Logic Project",
                "The first click is an opening. Ask the solver to continue whenever you like; it stops where only "
                "guesses remain, and it is your turn again. A flag is only a note: a click opens a flagged cell.",
                "opening+open-flags", ("beginner", "intermediate", "expert"),
                (
                    Player(
                        "sat", "backbones by SAT; stops instead of guessing", ("sat",), "stop",
                        (*with_defaults(METHODS["sat"].options, mine_count=12), CORNER),
                    ),
                ),
                idea="A cell is certain if its opposite has no model. If no cell is safe by the clues, it counts the "
                "mines of up to {mine_count} closed cells.",
                limit="It counts the mines of {mine_count} closed cells at most.",
                not_stated={"rules": "those of its linked program"},
                changed={"encoding": "multiplied-out"},
            ),
            System(
                "smile", "Nguyen and Kafafian", "S.M.I.L.E.",
                "Every cell is a mine with the same probability, the first one too. An opened mine stays visible, and "
                "the game continues: flag as many others as you can.",
                "any+continue", ("9x9xp0.124", "9x9xp0.2", "16x16xp0.15"),
                (
                    Player(
                        "normal-form", "arrangements of two neighbouring clues, otherwise a random cell",
                        ("normal-form",), "random", (*METHODS["normal-form"].options, RANDOM),
                    ),
                    Player(
                        "basic", "single clues, otherwise a random cell", ("single",), "random", (WAITING_LIST, RANDOM),
                        "waiting_list",
                    ),
                ),
                2021, ("nguyen", "kafafian", "s.m.i.l.e."),
                idea="Write out a clue of up to {unknowns} cells and a neighbouring one as all their arrangements; try "
                "the rarest cell.",
                limit="It compares two clues at a time, and only their rarest cell.",
                changed={"literal": "yes"},
            ),
            System(
                "lee", "Lee", "AI Capstone HW3",
                "The game names as many safe cells as the square root of the number of cells. A zero opens alone.",
                "given:sqrt+no-flood", ("easy", "medium", "hard"),
                (
                    Player(
                        "matching", "clauses matched in pairs; never guesses", ("matching",), "stop",
                        (*METHODS["matching"].options, ONE_BASE, CORNER), "one_base",
                    ),
                ),
                2023,
                idea="Match all clauses in pairs: two resolve only if one of them has at most {literals} literals.",
                limit="Longer clauses do not resolve, and the mines are not counted.",
                changed={"store": "list"},
                signs={"H": "?", "S": "?", "Q": "?", "F": "X"},
            ),
            System(
                "sharma", "Sharma, Kallingal Joshy and Agrawal", "CSP Based Agent",
                "The first square is never a mine. Opening a mine does not end the game, but is counted. The levels "
                "have 10, 15 and 20 % mines.",
                "safe+continue", ("16x16xnaive", "16x16xmedium", "16x16xexpert"),
                (
                    Player(
                        "csp", "a finite-domain solver, otherwise a random cell", ("csp",), "random",
                        (*with_defaults(METHODS["csp"].options, mine_count=False), RANDOM),
                    ),
                    Player(
                        "asp", "an answer-set program, otherwise a random cell", ("asp",), "random",
                        (*with_defaults(METHODS["asp"].options, mine_count=False), MULTI_SHOT, RANDOM), "multi_shot",
                        ", planned",
                    ),
                ),
                None, ("kallingal", "joshy", "agrawal"),
                idea="One sum for each clue, solved over finite domains.",
                limit="Its report leaves out the number of mines.",
                not_stated={"size": "several sizes"},
            ),
        )
    },
)  # fmt: skip
"""The systems by author; `find_system` also knows the names of their agents, and other names."""
OTHER_NAMES = {name: system.name for system in SYSTEMS.values() for name in (*system.agents, *system.other_names)}


def find_system(name: str) -> System:
    """Return the system with this name: that of an author, of the system, or of one of its agents.

    >>> find_system("lee").agent, find_system("Kafafian").name, find_system("csp").rules
    ('matching', 'smile', 'safe+continue')
    >>> find_system("leee")
    Traceback (most recent call last):
    mineproof.errors.UnknownName: there is no system 'leee'; did you mean 'lee'?
    """
    plain = name.lower()
    plain = OTHER_NAMES.get(plain, plain)
    if plain not in SYSTEMS:
        raise UnknownName("system", name, [*SYSTEMS, *OTHER_NAMES])
    return SYSTEMS[plain]
