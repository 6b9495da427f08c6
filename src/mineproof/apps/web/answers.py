"""Answers as JSON about boards, files, recorded games, and what an agent of the five systems writes down.

Each is a function of plain values and a limit; none knows of games or of the web. What a player may ask about a
position is in `seat.answers`.
"""

from __future__ import annotations

import base64
import binascii
from itertools import chain
from typing import TYPE_CHECKING, Any

from mineproof.agents.reasoner import Reasoner
from mineproof.agents.registry import find_agent
from mineproof.agents.systems import find_system
from mineproof.apps import contents
from mineproof.apps.web.boards import check_size
from mineproof.apps.web.problems import InvalidInput
from mineproof.board.formats import FORMATS, Content, as_layouts, as_position, find_format, read_bytes
from mineproof.board.game import Replay
from mineproof.board.layout import Layout
from mineproof.board.position import Position
from mineproof.errors import InconsistentPosition
from mineproof.hindsight.review import PLAYOUTS, review
from mineproof.logic.conflict import inconsistent, refused
from mineproof.logic.deduction import Deductions
from mineproof.logic.knowledge import MOST, in_short, written
from mineproof.logic.reasoning import noted
from mineproof.odds.analysis import analyse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mineproof.agents.agent import Agent
    from mineproof.agents.registry import AgentSpec
    from mineproof.board.grid import Cell
    from mineproof.limit import Limit

Answer = dict[str, Any]
MOST_BOARDS = 100
"""The most boards that are rated at once."""


def pairs(cells: Iterable[Cell]) -> list[list[int]]:
    """Return cells for JSON, sorted."""
    return [list(cell) for cell in sorted(cells)]


# -- what is sent ------------------------------------------------------------------------------------------------


def read_data(text: str | None, data: str | None, format_name: str | None, most_cells: int) -> Content:
    """Read a text, or the bytes of a file in base64."""
    if (text is None) == (data is None):
        raise InvalidInput("send either text or data")
    raw = (text or "").encode("utf-8", "surrogatepass")  # never the path of a file
    if data is not None:
        try:
            raw = base64.b64decode(data, validate=True)
        except (binascii.Error, ValueError):
            raise InvalidInput("the data of a file must be base64") from None
    content = read_bytes(raw, format_name)
    for board in content if isinstance(content, list) else [content]:
        check_size(board.id.board.grid if isinstance(board, Replay) else board.grid, most_cells)
    return content


def read_position(text: str, most_cells: int) -> Position:
    """Return the position in a text of any format."""
    return as_position(read_data(text, None, None, most_cells))


# -- answers -----------------------------------------------------------------------------------------------------


def agent_of(name: str) -> AgentSpec:
    """Return the agent of one of the five systems: that of a system, or one by its own name, perhaps with options.

    >>> agent_of("sharma").name, agent_of("asp").name, agent_of("chaining:clauses=100").name
    ('csp', 'asp', 'chaining:clauses=100')
    """
    plain, colon, options = name.lower().partition(":")
    system = find_system(plain)
    return find_agent(f"{plain if plain in system.agents else system.agent}{colon}{options}")


def of_system(position: Position, name: str, limit: Limit, player: Agent | None = None) -> Answer:
    """Return what an agent of the five systems writes down, concludes and misses. A ``player`` is an agent that follows
    a game; it stops when it has a move."""
    clock = limit.start()
    spec = agent_of(name)
    agent = player or spec.make()
    assert isinstance(agent, Reasoner)
    answer: Answer = {
        "system": find_system(spec.name.partition(":")[0]).name, "agent": spec.name,
        "options": {method.name: method.chosen for method in agent.methods}, "consistent": False, "complete": False,
        "safe": [], "mined": [], "steps": [], "misses": None, "cut": False, "short": "", "knowledge": {},
    }  # fmt: skip
    try:
        with noted() as reasonings:
            if player is None:
                deductions = agent.conclude(position, clock.rest(0.6))
            else:
                results = agent.certain(position, clock.rest(0.6))
                deductions = Deductions(
                    chain.from_iterable(results), complete=any(result.complete for result in results)
                )
        knowledge = written(reasonings, clock.rest(0.5))
    except InconsistentPosition as failure:
        return {**answer, **refused(failure)}
    answer |= {"short": in_short(reasonings), "cut": knowledge.pop("cut"), "knowledge": knowledge}
    analysis = analyse(position, clock.rest())
    if analysis.consistent is False:
        text = f"no board is consistent with it; {spec.name} does not find that out"
        return {**answer, **refused(inconsistent(position, clock)), "text": text}
    if analysis.complete:
        answer["misses"] = {
            "safe": pairs(analysis.safe - deductions.safe),
            "mined": pairs(analysis.mined - deductions.mined),
        }
    fields = deductions.fields()
    steps = fields.pop("deductions")
    return {
        **answer, **fields, "consistent": True, "steps": steps[:MOST], "cut": answer["cut"] or len(steps) > MOST
    }  # fmt: skip


def rated(content: Content, start: str | None, limit: Limit) -> Answer:
    """Measure and rate boards; if time runs out, the rest are only measured."""
    layouts = as_layouts(content)
    if len(layouts) > MOST_BOARDS:
        raise InvalidInput(f"at most {MOST_BOARDS} boards can be rated at once, not {len(layouts):,}")
    clock = limit.start()
    return {"boards": [contents.rated(layout, start, clock.rest())[1] for layout in layouts]}


def reviewed(content: Content, playouts: int | None, limit: Limit) -> Answer:
    """Return what each move of a game was worth, and what was luck."""
    if not isinstance(content, Replay) or not content.moves:
        raise InvalidInput("there are no moves to review")
    clock = limit.start()
    game_review = review(content, clock.rest(0.8), playouts=PLAYOUTS if playouts is None else playouts)
    return game_review.fields(clock.rest())


def converted(content: Content, came_from: str, to: str, step: int | None) -> Answer:
    """Return the content in another format."""
    target = find_format(to)
    if step is not None:
        if not isinstance(content, Replay):
            raise InvalidInput("step applies to recorded games")
        content = contents.cut(content, step)
    data = target.encode(content)
    answer = {"from": came_from, "format": target.name}
    if is_text(target.name):
        return {**answer, "text": data.decode()}
    return {**answer, "data": base64.b64encode(data).decode()}


def looked_at(content: Content, came_from: str) -> Answer:
    """Return what a file holds."""
    first = content[0] if isinstance(content, list) and content else content
    if isinstance(first, list):
        raise InvalidInput("it contains no board")
    if isinstance(first, Replay):
        game = first.game()
        moves = [str(move) for move in first.moves]
        answer: Answer = {"kind": "game", "mines": game.mines, "moves": moves, "times_ms": first.times}
        position: Position | None = game.position
        grid = game.grid
    else:
        grid = first.grid
        answer = {"kind": "position" if isinstance(first, Position) else "board", "mines": first.mines}
        position = first if isinstance(first, Position) else None
        if isinstance(content, list) and len(content) > 1:
            answer = {**answer, "kind": "boards", "count": len(content)}
        if isinstance(first, Layout):
            answer["starts"] = [list(cell) for cell in first.starts]
    text = None if position is None else position.to_text()
    return {"from": came_from, **answer, "rows": grid.rows, "cols": grid.cols, "position": text}


def is_text(name: str) -> bool:
    """Return whether files of a format are text."""
    return name not in ("mbf", "avf", "mvf", "rmv", "evf", "png", "gif")


def formats() -> list[Answer]:
    """Return all formats that can be read or written."""
    return [
        {
            "name": known.name,
            "about": known.about,
            "suffixes": list(known.suffixes),
            "reads": known.read is not None,
            "writes": known.write is not None,
            "text": is_text(known.name),
        }
        for known in FORMATS.values()
    ]


def format_of(text: str | None, data: str | None) -> str:
    """Return the format that text, or data that was read already, looks like."""
    raw = base64.b64decode(data) if data is not None else (text or "").encode("utf-8", "surrogatepass")
    return find_format(None, data=raw).name
