"""The bodies of requests, and of refusals. They are checked here once; `docs/web-api.md` says what they mean."""

from typing import Annotated

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt
from pydantic.fields import FieldInfo


def _text(kind: str, most: int = 100) -> FieldInfo:
    """Text in one of our formats, named in the description of the API."""
    field: FieldInfo = Field(max_length=most, json_schema_extra={"format": kind})
    return field


Agent = Annotated[str, _text("agent")]
Board = Annotated[str, _text("board", 1_000_000)]
Cell = Annotated[str, _text("cell")]
Data = Annotated[str, _text("base64", 1_000_000)]
Difficulty = Annotated[str, _text("difficulty")]
Day = Annotated[str, _text("day")]
FirstClick = Annotated[str, _text("first-click")]
Format = Annotated[str, _text("file-format")]
GameName = Annotated[str, Path(max_length=100, json_schema_extra={"format": "game"})]
Level = Annotated[str, _text("level")]
Method = Annotated[str, _text("method")]
MoveText = Annotated[str, _text("move")]
Position = Annotated[str, _text("position", 1_000_000)]
Preset = Annotated[str, _text("preset")]
RuleText = Annotated[str, _text("rules")]
SystemName = Annotated[str, Path(max_length=100, json_schema_extra={"format": "system"})]
Token = Annotated[str, _text("token")]
Seconds = Annotated[float | None, Field(default=None, gt=0, le=20)]
Seed = Annotated[StrictInt, Field(ge=0, lt=2**64)]
Command = Annotated[str, Field(pattern=r"^[!-~]{1,64}$")]


class Body(BaseModel):
    """Base of all requests: unknown fields are errors."""

    model_config = ConfigDict(extra="forbid")


class Ask(Body):
    """About a position."""

    position: Position
    seconds: Seconds


class AskCell(Ask):
    """About a cell of a position."""

    cell: Cell


class AskMethod(Ask):
    """About what one method sees."""

    method: Method = "sat"


class File(Body):
    """Text, or the bytes of a file in base 64."""

    text: Board | None = None
    data: Data | None = None
    format: Format | None = Field(default=None, alias="from")


class Convert(File):
    """What to convert it to; by default, describe it."""

    to: Format | None = None
    step: Annotated[StrictInt, Field(ge=0, le=10**9)] | None = None
    start: Cell | None = None


class Review(File):
    """A game: by its name here, or recorded."""

    game: Token | None = None
    playouts: Annotated[StrictInt, Field(ge=0, le=3_000)] | None = None
    seconds: Seconds


class Rate(Body):
    """A board, or some; or that of a game here."""

    game: Token | None = None
    board: Board | None = None
    data: Data | None = None
    start: Cell | None = None
    seconds: Seconds


class Generate(Body):
    """Boards."""

    level: Level = "expert"
    first_click: FirstClick = "safe"
    start: Cell | None = None
    seed: Seed | None = None
    count: Annotated[StrictInt, Field(ge=1, le=100)] = 1
    no_guess: StrictBool = False
    format: Format = "id"
    seconds: Seconds


class RuleOptions(Body):
    """Rules one by one."""

    continues: StrictBool | None = None
    flood: StrictBool | None = None
    questions: StrictBool | None = None
    open_flags: StrictBool | None = None


class NewGame(Body):
    """A game to create."""

    level: Level | None = None
    first_click: FirstClick | None = None
    rules: RuleText | RuleOptions | None = None
    preset: Preset | None = None
    no_guess: StrictBool = False
    difficulty: Difficulty | None = None
    seed: Seed | None = None
    board: Board | None = None
    share: Token | None = None
    again: Token | None = None
    daily: Day | None = None


class NewMove(Body):
    """A move, and the client's id of it."""

    move: MoveText
    command: Command | None = None


class Take(Body):
    """The code of a game that is handed over."""

    code: Token


class TakeOver(Body):
    """An agent for a turn."""

    agent: Agent = "best"
    mode: Annotated[str, Field(pattern="^(step|certain)$")] = "step"
    guess: StrictBool = False
    seconds: Seconds


class Why(BaseModel):
    """What was refused, and why."""

    kind: str
    message: str
    line: int | None = None
    column: int | None = None


class Problem(BaseModel):
    """The body of every refusal."""

    error: Why


REFUSALS: dict[int | str, dict[str, object]] = {"4XX": {"model": Problem, "description": "Refused: one sentence why"}}
