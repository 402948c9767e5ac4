"""Pydantic models of the API for messages to people."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, Field, StrictBool

from carril.service.api_models import Body
from carril.service.store.notices import HookKind, Mails, Notices

_Hour = Field(None, ge=0, le=23, strict=True)


class NoticesBody(Body):
    """How I want to be told that it is my turn."""

    mails: Mails = Field("turn", description="Never, for each turn, or once a day.")
    push: StrictBool = True
    zone: str = Field("UTC", max_length=40)
    digest_hour: int = Field(8, ge=0, le=23, strict=True)
    quiet_from: int | None = _Hour
    quiet_to: int | None = _Hour
    delay: int = Field(30, ge=0, le=3600, strict=True, description="Seconds to wait first.")

    def chosen(self) -> Notices:
        """Return the choices."""
        return Notices(**self.model_dump())


class NoticesModel(NoticesBody):
    """How I am told that it is my turn."""


class HookBody(Body):
    """An address to post to, for my turns, or for all turns at a table of mine."""

    kind: HookKind = "json"
    url: str = Field(max_length=1000)
    game: str | None = Field(None, max_length=40)


class HookModel(BaseModel):
    """A web-hook; the secret signs messages of the kind `json`."""

    id: str
    user: str
    game: str | None
    kind: HookKind
    url: str
    secret: str
    created: datetime


class PushBody(Body):
    """The subscription of a browser."""

    endpoint: str = Field(max_length=1000)
    key: str = Field(max_length=200)
    auth: str = Field(max_length=100)


class PushModel(BaseModel):
    """A browser that is subscribed."""

    id: str


class PushKeyModel(BaseModel):
    """The public key with which browsers subscribe."""

    key: str
