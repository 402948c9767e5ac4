"""The shapes of what the API takes and gives, for its description and for checking what comes."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

_BID = {"type": "bid", "amount": 105}


class Body(BaseModel):
    """What a request may hold: nothing else is taken."""

    model_config = ConfigDict(extra="forbid")


# --- what comes ----------------------------------------------------------------------------


class Credentials(Body):
    """A name and a password."""

    name: str = Field(max_length=80, examples=["Ana"])
    password: str = Field(max_length=200, examples=["correct horse battery staple"])


class GuestName(Body):
    """The name of a guest who follows an invitation; not needed if signed in."""

    name: str = Field("", max_length=80, examples=["Cleo"])


class TokenLabel(Body):
    """What a program's token is for."""

    label: str = Field("", max_length=80, examples=["my bot"])


class SeatBody(Body):
    """A seat: mine, a person's who gets an invitation, or a bot's."""

    kind: Literal["me", "person", "bot"]
    name: str = Field("", max_length=40, description="The player's name in the game.")
    bot: str = Field("", max_length=40, description="Which bot, if it is a bot's.")


class NewGameBody(Body):
    """A game to set up."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"title": "18EU", "seats": [{"kind": "me"}, {"kind": "person", "name": "Ben"}]}
            ]
        },
    )
    title: str = Field(examples=["18EU"], max_length=40)
    seats: list[SeatBody] = Field(min_length=1, max_length=12)
    edition: str = Field("", max_length=40)
    variants: list[str] = Field([], max_length=40)
    conventions: str = Field("rulebook", max_length=40)
    seed: int | None = Field(None, ge=0, lt=1 << 63, description="Drawn if not given.")
    name: str = Field("", max_length=80)


class ActBody(Body):
    """An action and the position it is meant for."""

    action: dict[str, Any] = Field(
        examples=[_BID],
        description="As in `options`; the schema of all kinds is at `/api/actions`.",
    )
    head: int = Field(ge=0, description="How many actions stood when the decision was made.")
    version: int | None = Field(None, description="The version then: notices undo as well.")
    key: str = Field(
        "",
        max_length=80,
        description="Any word of your own: a request that is sent twice is done once.",
    )
    fork: str | None = None


class WhyBody(Body):
    """An action to be tried on a position."""

    action: dict[str, Any] = Field(examples=[_BID])
    at: int | None = None
    fork: str | None = None


class UndoBody(Body):
    """Up to which action to take back."""

    to: int = Field(ge=0)
    fork: str | None = None


class AnswerBody(Body):
    """Yes or no to a request."""

    accept: bool


class ForkBody(Body):
    """Where a what-if line begins."""

    at: int = Field(ge=0)


class SayBody(Body):
    """A line of chat."""

    text: str = Field(max_length=1000, examples=["Good luck!"])


# --- what goes -----------------------------------------------------------------------------


class ErrorDetail(BaseModel):
    """What went wrong; for an action refused by the rules, with the rule's id in the ledger."""

    code: str = Field(examples=["bid-too-low"])
    message: str
    facts: dict[str, Any]
    rule: str = Field(examples=["EU-4.1.1-b"])


class ErrorAnswer(BaseModel):
    """The body of every answer that is not a success."""

    error: ErrorDetail


class UserModel(BaseModel):
    """A user."""

    id: str
    name: str
    guest: bool


class SessionModel(BaseModel):
    """Who is signed in; `csrf` goes into the header `X-CSRF-Token` of a browser's changes."""

    user: UserModel | None
    csrf: str


class TokenModel(BaseModel):
    """A program's token; it is shown this once."""

    token: str


class VariantModel(BaseModel):
    """A variant of a title."""

    name: str
    about: dict[str, Any]


class TitleModel(BaseModel):
    """A title that can be played."""

    name: str
    version: str
    players: list[int]
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
    """A seat; `invitation` is told only to whoever set the game up, while it is open."""

    player: str
    kind: Literal["person", "bot", "record"]
    user: str
    user_name: str
    bot: str
    invitation: str


class GameModel(BaseModel):
    """A game as a lobby shows it."""

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


class StepModel(BaseModel):
    """The decision that is due, with what may be done now in one sentence."""

    kind: str
    company: str
    sentence: str


class StateModel(BaseModel):
    """A position: where, whose turn, and the whole public state."""

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
    """A legal action, ready to be sent; with a range its least amount is filled in."""

    kind: str
    text: str
    action: dict[str, Any]
    range: RangeModel | None


class OptionsModel(BaseModel):
    """Every legal action of a position."""

    at: int
    head: int
    version: int
    acting: str | None
    options: list[OptionModel]


class WhyModel(BaseModel):
    """Why an action is refused; null if it is legal."""

    refusal: ErrorDetail | None


class ActedModel(BaseModel):
    """An action that was taken up."""

    head: int
    version: int
    events: list[dict[str, Any]]
    repeated: bool


class EntryModel(BaseModel):
    """An action on record and what it did."""

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


class RequestModel(BaseModel):
    """A request to take back, and who has not answered."""

    id: int
    by: str
    by_name: str
    to: int
    status: Literal["open", "done", "declined", "lapsed"]
    waiting: list[str]
    when: datetime


class UndonePointsModel(BaseModel):
    """Where undo leads, and the request that is open."""

    step: int | None
    turn: int | None
    at_once: bool
    request: RequestModel | None


class UndoneModel(BaseModel):
    """What came of an undo: done, or asked for."""

    head: int
    version: int
    request: RequestModel | None


class ForkModel(BaseModel):
    """A private what-if line."""

    id: str
    game: str
    base: int
    head: int
    version: int
    created: datetime


class InvitationModel(BaseModel):
    """What an invitation leads to."""

    game: str
    name: str
    title: str
    player: str
    taken: bool


class VerifiedModel(BaseModel):
    """What a check of the store found."""

    records: int
    problems: list[str]
