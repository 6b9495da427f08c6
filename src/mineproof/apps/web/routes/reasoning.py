"""Questions about positions and boards, for the page and for other programs."""

from collections.abc import Callable
from secrets import randbits
from typing import Any

from fastapi import APIRouter, Request

import mineproof
from mineproof.agents.policies import POLICIES
from mineproof.agents.registry import registered
from mineproof.agents.systems import SYSTEMS, System
from mineproof.apps.starting import DIFFICULTIES
from mineproof.apps.web import answers, boards
from mineproof.apps.web.problems import InvalidInput
from mineproof.apps.web.routes import models
from mineproof.apps.web.services import Use
from mineproof.board.formats import find_format
from mineproof.board.layout import Layout
from mineproof.board.level import LEVELS, Level
from mineproof.board.rules import FIRST_CLICKS, Rules
from mineproof.generate.no_guess import no_guess
from mineproof.limit import Limit
from mineproof.logic.methods import METHODS
from mineproof.seat.answers import deduced, explained, hinted, overview, proved
from mineproof.seat.seat import Seat

router = APIRouter(prefix="/api", tags=["reasoning"], responses=models.REFUSALS)
Answer = dict[str, Any]


@router.get("/health")
def health() -> Answer:
    """Whether the server is ready."""
    return {"ok": True, "version": mineproof.__version__}


async def _about(request: Request, use: Use, asked: models.Ask, ask: Callable[[Seat, Limit], Answer]) -> Answer:
    """The answer to a question about a position; reading the position may take a while too."""
    most = use.settings.most_cells
    return await use.work.answer(
        request, lambda limit: ask(Seat(answers.read_position(asked.position, most)), limit), asked.seconds
    )


@router.post("/analyse")
async def analyse(request: Request, use: Use, asked: models.Ask) -> Answer:
    """Every certain cell of a position, and the odds of all others."""
    return await _about(request, use, asked, lambda seat, limit: overview(seat, limit).fields())


@router.post("/explain")
async def explain(request: Request, use: Use, asked: models.AskCell) -> Answer:
    """Why a cell is safe, or a mine."""
    return await _about(request, use, asked, lambda seat, limit: explained(seat, asked.cell, limit))


@router.post("/hint")
async def hint(request: Request, use: Use, asked: models.Ask) -> Answer:
    """What to do next, in portions."""
    return await _about(request, use, asked, hinted)


@router.post("/prove")
async def prove(request: Request, use: Use, asked: models.AskCell) -> Answer:
    """A resolution proof, checked."""
    return await _about(request, use, asked, lambda seat, limit: proved(seat, asked.cell, limit))


@router.post("/deduce")
async def deduce(request: Request, use: Use, asked: models.AskMethod) -> Answer:
    """What one method of inference sees."""
    return await _about(request, use, asked, lambda seat, limit: deduced(seat, asked.method, limit))


@router.post("/systems/{system}")
async def system(request: Request, use: Use, system: models.SystemName, asked: models.Ask) -> Answer:
    """What one of the five systems writes down, concludes and misses."""
    return await _about(request, use, asked, lambda seat, limit: answers.of_system(seat.position, system, limit))


@router.post("/convert")
async def convert(request: Request, use: Use, asked: models.Convert) -> Answer:
    """Between formats; or what a file holds."""
    most = use.settings.most_cells

    def ask(_: Limit) -> Answer:
        content = answers.read_data(asked.text, asked.data, asked.format, most)
        came_from = asked.format or answers.format_of(asked.text, asked.data)
        content = answers.started(content, asked.start)
        if asked.to is None:
            return answers.looked_at(content, came_from)
        return answers.converted(content, came_from, asked.to, asked.step)

    return await use.work.answer(request, ask)


@router.post("/generate")
async def generate(request: Request, use: Use, asked: models.Generate) -> Answer:
    """Boards, as many as wanted."""
    level, rules = Level.parse(asked.level), Rules.parse(asked.first_click)
    boards.check_size(level.grid, use.settings.most_cells)
    if not answers.is_text(asked.format):
        raise InvalidInput(f"{asked.format} is not text; convert the boards one by one")
    written = find_format(asked.format)
    seed = asked.seed if asked.seed is not None else randbits(64)

    def ask(limit: Limit) -> Answer:
        clock = limit.start()
        if asked.no_guess:
            searched = no_guess(level, start=asked.start, seed=seed, count=asked.count, limit=clock.rest())
            found = []
            for board in searched:
                clock.check()
                found.append(board.layout)
        else:
            found = []
            for index in range(asked.count):
                clock.check()
                found.append(Layout.draw(level, rules, asked.start, seed=seed, index=index))
        texts = [written.encode(layout).decode().rstrip("\n") for layout in found]
        return {"boards": texts, "format": written.name, "seed": str(seed)}

    return await use.work.answer(request, ask, asked.seconds)


@router.get("/levels")
def levels(use: Use) -> Answer:
    """What can be chosen for a new game."""
    return {
        "levels": [
            {"name": name, "rows": level.rows, "cols": level.cols, "mines": level.mines}
            for name, level in LEVELS.items()
        ],
        "difficulties": [{"name": name, "text": text} for name, (_, _, text) in DIFFICULTIES.items()],
        "daily": list(boards.DAILY_LEVELS),
        "first_clicks": [*FIRST_CLICKS, "given:k", "given:sqrt"],
        "presets": list(map(_described, SYSTEMS.values())),
        "most": {"cells": use.settings.most_cells},
    }


@router.get("/agents")
def agents() -> Answer:
    """The agents that can take over, and the five systems."""
    fields = ("name", "version", "idea", "complete", "source", "rules")
    return {
        "agents": [{field: getattr(spec, field) for field in fields} for spec in registered().values()],
        "methods": [
            {"name": one.name, "idea": one.idea, "complete": one.complete, "source": one.source}
            for one in METHODS.values()
        ],
        "policies": list(POLICIES),
        "systems": list(map(_described, SYSTEMS.values())),
    }


def _described(system: System) -> Answer:
    """One of the five systems, with the settings of its agent."""
    fields = ("name", "authors", "title", "game", "rules", "levels", "agent", "agents")
    return {
        **{field: getattr(system, field) for field in fields},
        "names": [system.name, *system.agents, *system.other_names],
        "options": {option.name: option.write(option.default) for option in system.players[0].options},
        "idea": system.fill_in(system.idea),
        "limit": system.fill_in(system.limit),
    }


@router.get("/formats")
def formats() -> Answer:
    """What files can be read and written."""
    return {"formats": answers.formats()}
