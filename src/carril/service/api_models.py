"""Pydantic models of the API, for validation and for the OpenAPI description."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, model_validator

from carril.engine.registry import title_names
from carril.service.fields import MOST_SEED, JsonNumber, check_values
from carril.service.table_clocks.counting import LONGEST, Kind, Penalty, TimeControl
from carril.service.values import Visibility

_TITLE = title_names()[0]
Seconds = Annotated[int, Field(ge=0, le=LONGEST, strict=True)]
_BID = {"type": "bid", "amount": 105}


class Body(BaseModel):
    """A request body; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _check_texts(cls, values: Any) -> Any:
        return check_values(values)


# --- what comes ----------------------------------------------------------------------------


class ClockBody(Body):
    """The clock of a new table, in seconds."""

    kind: Kind = Field("none", description="No clock, a budget for the game, or days per move.")
    budget: Seconds = Field(0, description="What each player has for the game.")
    per_stock: Seconds = Field(0, description="More for all when a stock round begins.")
    per_company: Seconds = Field(0, description="More for each company that operates.")
    move: Seconds = Field(0, description="What a player has for each turn.")
    penalty: Penalty = Field(
        "none",
        description="When no time is left: nothing, a bot plays on, or the game ends as a loss.",
    )
    bot: str = Field("", max_length=40, description="The bot that plays on.")

    def control(self) -> TimeControl:
        """Return the clock."""
        return TimeControl(**self.model_dump())


class Credentials(Body):
    """A name and a password."""

    name: str = Field(max_length=80, examples=["Ana"])
    password: str = Field(max_length=200, examples=["correct horse battery staple"])


class GuestName(Body):
    """The name of a guest who accepts an invitation; not needed if signed in."""

    name: str = Field("", max_length=80, examples=["Cleo"])


class SeatBody(Body):
    """A seat: for me, for another person (by invitation), or for a bot."""

    kind: Literal["me", "person", "bot"]
    name: str = Field("", max_length=40, description="The player's name in the game.")
    bot: str = Field("", max_length=40, description="The name of the bot, for a bot's seat.")


class NewGameBody(Body):
    """The choices for a new game."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"title": _TITLE, "seats": [{"kind": "me"}, {"kind": "person", "name": "Ben"}]}
            ]
        },
    )
    title: str = Field(examples=[_TITLE], max_length=40)
    seats: list[SeatBody] = Field(min_length=1, max_length=12)
    edition: str = Field("", max_length=40)
    variants: list[str] = Field([], max_length=40)
    conventions: str = Field("rulebook", max_length=40)
    seed: int | None = Field(
        None, ge=0, le=MOST_SEED, strict=True, description="Random by default."
    )
    name: str = Field("", max_length=80)
    visibility: Visibility = Field(
        "unlisted",
        description="Who can see it: its people, whoever has the address, or everybody, in lists.",
    )
    rated: StrictBool = Field(True, description="Whether the result counts for ratings.")
    clock: ClockBody | None = Field(None, description="By default there is none.")


class ActBody(Body):
    """An action and the position it is meant for."""

    action: dict[str, Any] = Field(
        examples=[_BID],
        description="As in `options`; the schema of all kinds is at `/api/actions`.",
    )
    head: JsonNumber = Field(description="The number of actions before this one.")
    version: JsonNumber | None = Field(None, description="The version; it also detects an undo.")
    key: str = Field(
        "",
        max_length=80,
        description="Your own word for this request; sending it twice has no further effect.",
    )
    fork: str | None = None


class WhyBody(Body):
    """An action to be checked in a position."""

    action: dict[str, Any] = Field(examples=[_BID])
    at: JsonNumber | None = None
    fork: str | None = None


class ForkBody(Body):
    """The position where a what-if line starts."""

    at: JsonNumber


class RemarkBody(Body):
    """A line of chat."""

    text: str = Field(max_length=1000, examples=["Good luck!"])


# --- what goes -----------------------------------------------------------------------------


class ErrorDetail(BaseModel):
    """An error; if the rules refused an action, with the id of the rule in the ledger."""

    code: str = Field(examples=["bid-too-low"])
    message: str
    facts: dict[str, Any]
    rule: str = Field(examples=["AB-4.1.1-b"])


class ErrorAnswer(BaseModel):
    """The body of every error response."""

    error: ErrorDetail


class UserModel(BaseModel):
    """A user."""

    id: str
    name: str
    guest: bool


class SessionModel(BaseModel):
    """The user who is signed in; browsers send `csrf` as `X-CSRF-Token` with every change."""

    user: UserModel | None
    csrf: str


class VariantModel(BaseModel):
    """A variant of a title."""

    name: str
    about: dict[str, Any]


class SetupModel(BaseModel):
    """A set-up of a title; variants whose `about` says that they are optional can be added."""

    players: int
    variants: list[str]
    cash: int
    certificates: int


class TitleModel(BaseModel):
    """A title that can be played."""

    name: str
    version: str
    players: list[int]
    setups: list[SetupModel]
    editions: list[str]
    conventions: list[str]
    variants: list[VariantModel]
    bots: list[str]


class RuleModel(BaseModel):
    """A rule of a title's ledger."""

    id: str
    kind: str
    section: str
    text: str


class SeatModel(BaseModel):
    """A seat; only the owner of the game sees `invitation`, while it is open."""

    player: str
    kind: Literal["person", "bot", "record"]
    user: str
    user_name: str
    bot: str
    invitation: str


class GameModel(BaseModel):
    """A game as the lobby shows it."""

    id: str
    name: str
    title: str
    edition: str
    variants: list[str]
    conventions: str
    seed: int
    owner: str
    seats: list[SeatModel]
    read_only: bool
    round: str
    acting: str | None
    acting_user: str
    last: list[dict[str, Any]]
    finished: bool
    result: dict[str, int] | None
    head: int
    version: int
    heard: int
    created: datetime
    updated: datetime
    notes: list[str]
    visibility: Visibility
    rated: bool
    ended: str = Field(description='Why the game is over: "bank", "agreement", ...')
    rematch: str = Field(description="The table at which the same people play again.")


class StepModel(BaseModel):
    """The pending decision, described in one sentence."""

    kind: str
    company: str
    sentence: str


class StateModel(BaseModel):
    """A position: its number, whose turn it is, and the whole public state."""

    game: str
    fork: str
    at: int
    head: int
    version: int
    heard: int
    tag: str
    round: str
    acting: str | None
    step: StepModel | None
    finished: bool
    result: dict[str, int] | None
    state: dict[str, Any]


class RangeModel(BaseModel):
    """An amount to choose: put it into the named field of the action."""

    field: str
    least: int
    most: int
    step: int


class OptionModel(BaseModel):
    """A legal action, ready to be sent; if it has a range, with the least amount."""

    kind: str
    text: str
    action: dict[str, Any]
    range: RangeModel | None


class PendingModel(BaseModel):
    """What is known of the best run before it is proven."""

    value: int
    """What the best run found so far earns."""
    bound: int
    """No run earns more."""


class OptionsModel(BaseModel):
    """Every legal action of a position."""

    at: int
    head: int
    version: int
    acting: str | None
    options: list[OptionModel]
    pending: PendingModel | None
    """If the best run is still being searched: ask again, with `wait`."""


class WhyModel(BaseModel):
    """Why an action is refused; null if it is legal."""

    refusal: ErrorDetail | None


class ActedModel(BaseModel):
    """The result of an action."""

    head: int
    version: int
    events: list[dict[str, Any]]
    repeated: bool


class EntryModel(BaseModel):
    """A recorded action and its events."""

    number: int
    by: str
    action: dict[str, Any] | None
    text: str
    events: list[dict[str, Any]]
    sentences: list[str]
    when: datetime
    reason: str


class RemarkModel(BaseModel):
    """A line of chat."""

    number: int
    by: str
    user: str
    text: str
    when: datetime


class ForkModel(BaseModel):
    """A private what-if line."""

    id: str
    game: str
    base: int
    head: int
    version: int
    created: datetime


class InvitationModel(BaseModel):
    """The seat that an invitation offers."""

    game: str
    name: str
    title: str
    player: str
    taken: bool


class VerifiedModel(BaseModel):
    """The result of a check of the store."""

    records: int
    problems: list[str]
