"""Pydantic models of the API for accounts and for the health of the service."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from carril.service.api_models import Body
from carril.service.values import Scope


class NewTokenBody(Body):
    """The purpose of a bearer token, what it allows, and for how long."""

    label: str = Field("", max_length=80, examples=["my bot"])
    scope: Literal["read", "play", "account"] = Field(
        "play",
        description="`read`: only reading; `play`: also games; `account`: also the account itself.",
    )
    days: int = Field(365, ge=1, le=3650, strict=True, description="Days before it expires.")


class NewPasswordBody(Body):
    """The present password and a new one."""

    old: str = Field(max_length=200)
    new: str = Field(max_length=200)


class PasswordBody(Body):
    """The password, as a confirmation; guests have none."""

    password: str = Field("", max_length=200)


class LinkModel(BaseModel):
    """The token of a return link; the page of the link is `/return/` and the token."""

    token: str


class TokenModel(BaseModel):
    """A bearer token; it is shown only once."""

    token: str


class TokenInfoModel(BaseModel):
    """A bearer token; the token itself cannot be shown again."""

    id: str
    label: str
    scope: Scope
    created: datetime
    expires: datetime | None


class SessionInfoModel(BaseModel):
    """A browser session; `current` is the one that asks."""

    id: str
    created: datetime
    expires: datetime
    current: bool


class HealthModel(BaseModel):
    """The process answers requests."""

    status: Literal["ok"]


class ReadyModel(BaseModel):
    """Whether requests can be served; damaged games are named in the log."""

    ready: bool
    database: Literal["ok", "unreachable"]
    verified_games: int
    damaged_games: int
