"""The API of mail addresses and password recovery."""

from __future__ import annotations

from fastapi import APIRouter, BackgroundTasks, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from carril.service.api_models import Body, UserModel
from carril.service.api_shapes import answer
from carril.service.errors import NotSignedIn
from carril.service.names import skeleton
from carril.service.settings import Rate
from carril.service.visitors import (
    AccountHolder,
    TheAccounts,
    address,
    limit,
    settings_of,
    wrong_passwords,
)

router = APIRouter(tags=["account"])

RECOVERIES = Rate(5, 0.1)
"""How often recovery can be asked for one name or address."""


class AddressBody(Body):
    """A mail address, and the password as a confirmation; guests have none."""

    address: str = Field(max_length=254, description="Empty to remove it.")
    password: str = Field("", max_length=200)


class AddressModel(BaseModel):
    """My mail address, and the one that I have yet to confirm."""

    address: str
    awaited: str


class RecoveryBody(Body):
    """The name or the mail address of an account."""

    account: str = Field(max_length=254)


class NewPassword(Body):
    """A new password."""

    password: str = Field(max_length=200)


def count_recovery(request: Request, account: str) -> None:
    """Limit how often recovery is asked for, per address and per account, existing or not."""
    limit(request, "sign-in", address(request), settings_of(request).sign_ins)
    limit(request, "recover", skeleton(account)[:254], RECOVERIES)


@router.get("/address", response_model=AddressModel)
def mail_address(accounts: TheAccounts, who: AccountHolder) -> Response:
    """Return my mail address."""
    if who.user is None:
        raise NotSignedIn("Sign in first.")
    known, awaited = accounts.address(who.user)
    return answer({"address": known, "awaited": awaited})


@router.put("/address", response_model=AddressModel)
def change_address(
    request: Request, body: AddressBody, accounts: TheAccounts, who: AccountHolder
) -> Response:
    """Set my mail address: a link is sent to it, which confirms it. An empty one is removed."""
    if who.user is None:
        raise NotSignedIn("Sign in first.")
    with wrong_passwords(request, skeleton(who.user.name)):
        accounts.change_address(who.user, body.password, body.address)
    known, awaited = accounts.address(who.user)
    return answer({"address": known, "awaited": awaited})


@router.post("/address/{token}", status_code=204)
def confirm_address(request: Request, token: str, accounts: TheAccounts) -> Response:
    """Confirm a mail address with the token of a link, which works once."""
    limit(request, "sign-in", address(request), settings_of(request).sign_ins)
    accounts.confirm_address(token)
    return Response(status_code=204)


@router.post("/recovery", status_code=202, response_class=Response)
def ask_recovery(
    request: Request, body: RecoveryBody, accounts: TheAccounts, background: BackgroundTasks
) -> Response:
    """Send a link for a new password; the answer is the same if there is no such account."""
    count_recovery(request, body.account)
    background.add_task(accounts.send_recovery, body.account)
    return Response(status_code=202, background=background)


@router.post("/recovery/{token}", response_model=UserModel)
def recover(request: Request, token: str, body: NewPassword, accounts: TheAccounts) -> Response:
    """Set a new password with the token of a link; this ends all sessions and tokens."""
    limit(request, "sign-in", address(request), settings_of(request).sign_ins)
    return answer(accounts.recover(token, body.password))
