"""Whatever its own description allows, or does not: the server never fails, and every refusal is a sentence.

Each run asks something else. The last line of a run names its seed: MINEPROOF_FUZZ_SEED=… asks the same again.
"""

from __future__ import annotations

import base64
import os
import random
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from mineproof import AGENTS, FORMATS, LEVELS, METHODS, Game, write
from mineproof.agents.systems import SYSTEMS
from mineproof.apps.starting import DIFFICULTIES
from mineproof.apps.web import create_app
from mineproof.apps.web.boards import fresh
from mineproof.apps.web.settings import Settings
from mineproof.board.level import Level
from mineproof.board.rules import Rules
from support import recorded
from support.sizes import size
from support.web import client

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from schemathesis import Case
    from schemathesis.schemas import APIOperation
    from starlette.testclient import TestClient

SEED = int(os.environ["MINEPROOF_FUZZ_SEED"])
EXAMPLES = size(15, 300)
CHECKS = [not_a_server_error, status_code_conformance, response_schema_conformance]
HOST = {"Host": "127.0.0.1"}
BOARDS = [
    "4x3x3=418@C3", "4x3x3=418", "beginner/safe#7", "beginner/given:sqrt+no-flood#1", "?b=1&m=00000000000000001",
    "9x9:4,4,u0",
    "mineproof game 1\nbeginner/safe#7\nopen A1\nundo\n", '{"w":4,"h":3,"start":0,"mines":[3,5,8]}',
    "?analysis=afaeaaaeclTclTb2lTclT", "4096x4096x9/any#1", "2x1x1\n2H\n", "99999x99999x1/any#1",
]  # fmt: skip
CELLS = ["A1", "C3", "I9", "AD16", "ZZ99", "", "a1", "Ä1"]


def _rows(size: tuple[int, int]) -> st.SearchStrategy[str]:
    rows, cols = size
    row = st.text("0123HHHHFQS*?", min_size=cols, max_size=cols)
    return st.builds(
        lambda mines, some: "\n".join([f"{cols}x{rows}x{mines}", *some]),
        st.integers(0, rows * cols),
        st.lists(row, min_size=rows, max_size=rows),
    )


WORDS: dict[str, st.SearchStrategy[str]] = {
    "position": st.tuples(st.integers(1, 6), st.integers(1, 6)).flatmap(_rows) | st.sampled_from(BOARDS),
    "board": st.sampled_from(BOARDS),
    "base64": st.sampled_from(["", "BAMAAwEAAwEAAg==", "!", "bWluZXByb29mIGdhbWUgMQ=="]),
    "cell": st.sampled_from(CELLS),
    "level": st.sampled_from([*LEVELS, "9x9xp0.2", "5x4x20%", "1x1x1", "3x3x9", "0x0x0", "10000x10000x5"]),
    "first-click": st.sampled_from(
        ["any", "safe", "opening", "given", "given:3", "given:99999", "any+continue", "other"]
    ),
    "rules": st.sampled_from(["any+continue", "continue", "no-flood+questions", "given:sqrt", "+", ""]),
    "preset": st.sampled_from([*SYSTEMS, "kafafian", "none"]),
    "agent": st.sampled_from([*AGENTS, "sat+lowest-risk", "command:true", "single+best", "+"]),
    "method": st.sampled_from([*METHODS, "guess"]),
    "system": st.sampled_from([*SYSTEMS, "asp", "chaining:clauses=9", "none"]),
    "file-format": st.sampled_from([*FORMATS, "none"]),
    "move": st.builds(
        lambda kind, cell: f"{kind} {cell}".strip(),
        st.sampled_from(["open", "open", "flag", "unflag", "question", "chord", "undo"]),
        st.sampled_from([*CELLS, ""]),
    ),
    "difficulty": st.sampled_from([*DIFFICULTIES, "none"]),
    "day": st.sampled_from(["today", "2026-01-01", "1999-12-31", "2999-01-01", "yesterday"]),
    "token": st.sampled_from(["x", "A" * 22, "\x00" * 16]),
}


@pytest.fixture(scope="module")
def operations(tmp_path_factory: pytest.TempPathFactory) -> list[APIOperation[Any, Any, Any, Any]]:
    """All that the server says it can do; with short limits, for most of what is asked is nonsense."""
    folder: Path = tmp_path_factory.mktemp("fuzz")
    made = Settings(
        f"sqlite:///{folder / 'web.db'}", most_cells=900, seconds=0.5, most_seconds=0.5, games_a_minute=10**6
    )
    app = create_app(made)
    services = app.state.services
    services.store.migrate()
    rules = Rules("safe", questions=True)
    games = [services.games.create(None, fresh(Level.parse("beginner"), rules, seed, False))["id"] for seed in range(9)]
    for name, words in {**WORDS, "game": st.sampled_from([*games, "none", "%00"])}.items():
        schemathesis.openapi.format(name, words)
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", app, headers=HOST)
    found = [one.ok() for one in schema.get_all_operations() if isinstance(one, Ok)]
    return sorted(found, key=lambda one: one.method.lower() == "delete")  # what deletes games comes last


@pytest.mark.parametrize("mode", GenerationMode)
def test_nothing_breaks_the_server(operations: list[APIOperation[Any, Any, Any, Any]], mode: GenerationMode) -> None:
    assert len(operations) > 25
    seen: Counter[int] = Counter()
    for operation in operations:

        @seed(SEED)
        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(max_examples=EXAMPLES, derandomize=False, deadline=None, suppress_health_check=list(HealthCheck))
        def holds(case: Case[Any]) -> None:
            answer = case.call(headers=HOST)
            case.validate_response(answer, checks=CHECKS)
            seen[answer.status_code] += 1
            if answer.status_code >= 400:
                error = answer.json()["error"]
                assert set(error) >= {"kind", "message"}, error
                assert error["message"].isprintable()

        try:
            holds()
        except BaseException as failure:
            if type(failure).__name__ != "Unsatisfiable":  # nothing is wrong with a request that says nothing
                raise
    if mode is GenerationMode.POSITIVE:
        assert {200, 201, 204, 404, 409, 413, 422} <= set(seen)


@cache
def contents() -> dict[str, bytes]:
    """A game in every format that is written or was recorded elsewhere; what is no board at all; and damaged copies."""
    game = Game("beginner", "opening", seed=4)
    for move in ("open E5", "flag A1", "unflag A1"):
        game.play(move)
    whole = {name: write(game, name) for name, known in FORMATS.items() if known.write is not None}
    recording = recorded.Recording.of(game.replay())
    whole |= {make.__name__: make(recording) for make in (recorded.avf, recorded.evf, recorded.mvf, recorded.rmv)}
    whole |= {
        "nothing": b"",
        "zeros": bytes(64),
        "UTF-16": game.position.to_text().encode("utf-16"),
        "words": b"a cat\n",
    }
    rng, damaged = random.Random(SEED), {}
    for name, data in whole.items():
        end = rng.randrange(len(data) + 1)
        damaged[f"{name}, cut at {end}"] = data[:end]
        changed = bytearray(data)
        for _ in range(rng.randint(1, 4) if data else 0):
            changed[rng.randrange(len(changed))] = rng.randrange(256)
        damaged[f"{name}, changed"] = bytes(changed)
    return whole | damaged


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with client(tmp_path_factory.mktemp("files"), seconds=0.5, most_seconds=0.5, most_cells=900) as browser:
        yield browser


@pytest.mark.parametrize("name", [None, *FORMATS])
def test_every_content_as_every_format(web: TestClient, name: str | None) -> None:
    """A file is described, converted, rated and reviewed, or refused in a sentence, whatever it is said to be."""
    targets = random.Random(f"{SEED} {name}").choices(list(FORMATS), k=len(contents()))
    statuses: Counter[int] = Counter()
    for (content, data), target in zip(contents().items(), targets, strict=True):
        file = {"data": base64.b64encode(data).decode(), "from": name}
        described = web.post("/api/convert", json=file)
        answers = {"convert": described, "to": web.post("/api/convert", json={**file, "to": target})}
        if described.status_code == 200:
            answers["review"] = web.post("/api/review", json={**file, "playouts": 1})
            if name is None:
                answers["rate"] = web.post("/api/rate", json={"data": file["data"]})
        for what, answer in answers.items():
            assert answer.status_code in (200, 413, 422), (what, content, target, answer.text)
            if answer.status_code != 200:
                assert answer.json()["error"]["message"].isprintable(), (what, content)
            statuses[answer.status_code] += 1
    readable = name is None or FORMATS[name].read is not None
    assert (statuses[200] > 0) is readable
