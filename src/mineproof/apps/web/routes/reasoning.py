"""Questions about positions and boards, for the page and for other programs."""

from collections.abc import Callable
from secrets import randbits

from fastapi import APIRouter, Request

import mineproof
from mineproof.agents.policies import POLICIES
from mineproof.agents.registry import registered
from mineproof.agents.systems import SYSTEMS, System
from mineproof.apps.contents import started
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
from mineproof.seat.answers import Answer, deduced, explained, hinted, overview, proved
from mineproof.seat.seat import Seat

router = APIRouter(prefix="/api", tags=["reasoning"], responses=models.REFUSALS)


@router.get("/health")
def health() -> Answer:
    """Whether the server is ready."""
    return {"ok": True, "version": mineproof.__version__}


async def _about(request: Request, services: Use, body: models.Ask, ask: Callable[[Seat, Limit], Answer]) -> Answer:
    """The answer to a question about a position; reading the position may take a while too."""
    most = services.settings.most_cells
    return await services.work.answer(
        request, lambda limit: ask(Seat(answers.read_position(body.position, most)), limit), body.seconds
    )


@router.post("/analyse")
async def analyse(request: Request, services: Use, body: models.Ask) -> Answer:
    """Every certain cell of a position, and the odds of all others."""
    return await _about(request, services, body, lambda seat, limit: overview(seat, limit).fields())


@router.post("/explain")
async def explain(request: Request, services: Use, body: models.AskCell) -> Answer:
    """Why a cell is safe, or a mine."""
    return await _about(request, services, body, lambda seat, limit: explained(seat, body.cell, limit))


@router.post("/hint")
async def hint(request: Request, services: Use, body: models.Ask) -> Answer:
    """What to do next, in portions."""
    return await _about(request, services, body, hinted)


@router.post("/prove")
async def prove(request: Request, services: Use, body: models.AskCell) -> Answer:
    """A resolution proof, checked."""
    return await _about(request, services, body, lambda seat, limit: proved(seat, body.cell, limit))


@router.post("/deduce")
async def deduce(request: Request, services: Use, body: models.AskMethod) -> Answer:
    """What one method of inference sees."""
    return await _about(request, services, body, lambda seat, limit: deduced(seat, body.method, limit))


@router.post("/systems/{system}")
async def system(request: Request, services: Use, system: models.SystemName, body: models.Ask) -> Answer:
    """What one of the five systems writes down, concludes and misses."""
    return await _about(request, services, body, lambda seat, limit: answers.of_system(seat.position, system, limit))


@router.post("/convert")
async def convert(request: Request, services: Use, body: models.Convert) -> Answer:
    """Between formats; or what a file holds."""
    most = services.settings.most_cells

    def ask(_: Limit) -> Answer:
        content = answers.read_data(body.text, body.data, body.format, most)
        came_from = body.format or answers.format_of(body.text, body.data)
        content = started(content, body.start, InvalidInput)
        if body.to is None:
            return answers.looked_at(content, came_from)
        return answers.converted(content, came_from, body.to, body.step)

    return await services.work.answer(request, ask)


@router.post("/generate")
async def generate(request: Request, services: Use, body: models.Generate) -> Answer:
    """Boards, as many as wanted."""
    level, rules = Level.parse(body.level), Rules.parse(body.first_click)
    boards.check_size(level.grid, services.settings.most_cells)
    if not answers.is_text(body.format):
        raise InvalidInput(f"{body.format} is not text; convert the boards one by one")
    written = find_format(body.format)
    seed = body.seed if body.seed is not None else randbits(64)

    def ask(limit: Limit) -> Answer:
        clock = limit.start()
        if body.no_guess:
            searched = no_guess(level, start=body.start, seed=seed, count=body.count, limit=clock.rest())
            layouts = []
            for board in searched:
                clock.check()
                layouts.append(board.layout)
        else:
            layouts = []
            for index in range(body.count):
                clock.check()
                layouts.append(Layout.draw(level, rules, body.start, seed=seed, index=index))
        texts = [written.encode(layout).decode().rstrip("\n") for layout in layouts]
        return {"boards": texts, "format": written.name, "seed": str(seed)}

    return await services.work.answer(request, ask, body.seconds)


@router.get("/levels")
def levels(services: Use) -> Answer:
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
        "most": {"cells": services.settings.most_cells},
    }


@router.get("/agents")
def agents() -> Answer:
    """The agents that can take over, and the five systems."""
    fields = ("name", "version", "idea", "complete", "source", "rules")
    return {
        "agents": [{field: getattr(spec, field) for field in fields} for spec in registered().values()],
        "methods": [
            {"name": method.name, "idea": method.idea, "complete": method.complete, "source": method.source}
            for method in METHODS.values()
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
