"""The routes of programs: their list, the forms that give them, and withdrawing them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import HTMLResponse, Response
from starlette.datastructures import FormData

from carril.page import render
from carril.page.program_list import form_model
from carril.page.table_request import OpenPosition, shown_table
from carril.page.urls import TableUrls
from carril.programs import convert_program
from carril.programs.kinds import Given
from carril.service.errors import BadRequest
from carril.service.fields import parse_number
from carril.service.games import Games
from carril.service.visitors import AnyVisitor, SignedIn, TheGames, Visitor

router = APIRouter(prefix="/table", include_in_schema=False)


async def _form(request: Request) -> FormData:
    return await request.form()


TheForm = Annotated[FormData, Depends(_form)]


@router.get("/{game}/programs/new")
def forms(asked: OpenPosition, user: SignedIn, player: str = "") -> HTMLResponse:
    """Return the forms for programs that make sense now."""
    return asked.fragment("programs_new.html", **form_model(asked.look, player))


@router.get("/{game}/programs")
def listed(
    request: Request, visitor: AnyVisitor, user: SignedIn, games: TheGames, game: str
) -> HTMLResponse:
    """Return the list of my programs, which changes when one stops."""
    return _part(request, visitor, games, game)


@router.post("/{game}/programs")
def give(
    request: Request, visitor: AnyVisitor, user: SignedIn, games: TheGames, game: str, form: TheForm
) -> HTMLResponse:
    """Give a program."""
    games.give_program(game, user, read_program(form), str(form.get("player", "")))
    return _part(request, visitor, games, game)


@router.post("/{game}/programs/withdraw")
def withdraw(
    request: Request,
    visitor: AnyVisitor,
    user: SignedIn,
    games: TheGames,
    game: str,
    program: Annotated[str, Form(max_length=40)],
) -> HTMLResponse:
    """Withdraw a program, or forget one that has stopped."""
    games.withdraw_program(game, user, program)
    return _part(request, visitor, games, game)


@router.post("/{game}/plan")
def plan(user: SignedIn, games: TheGames, game: str, fork: str) -> Response:
    """Play a what-if line in the game, as long as everybody follows it."""
    games.plan_line(game, user, fork)
    return Response(headers={"HX-Redirect": TableUrls(game, "").table})


def _part(request: Request, visitor: Visitor, games: Games, game: str) -> HTMLResponse:
    shown = shown_table(request, visitor, games.table(game, visitor.user))
    made = render.environment().get_template("parts/programs.html").render(shown.context())
    return render.Html(render.part("programs", made).replacing() + render.notice(""))


# --- reading the forms ---------------------------------------------------------------------


def read_program(form: FormData) -> Given:
    """Return the program that a form describes."""
    kind = str(form.get("program", ""))
    values: dict[str, Any] = {"program": kind, "stops": _stops(form)}
    names = {
        "pass": ("until",),
        "buy": ("company",),
        "bid": ("lot", "then"),
        "answer": ("kind", "company"),
        "operate": ("company", "dividend"),
        "skip": ("company",),
    }
    values |= {name: str(form.get(name, "")) for name in names.get(kind, ())}
    if kind == "bid":
        values["limit"] = _number(form, "limit")
    if kind == "buy":
        values |= {"count": _number(form, "count"), "until_float": "until_float" in form}
    if kind == "answer":
        values |= {"accept": form.get("accept") == "yes", "least": _number(form, "least")}
    if kind == "skip":
        values |= {"track": "track" in form, "station": "station" in form}
    return convert_program(values)


def _stops(form: FormData) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [{"stop": str(one)} for one in form.getlist("stop")]
    if form.get("price_company") and form.get("price"):
        company = str(form.get("price_company"))
        found.append({"stop": "price", "company": company, "price": _number(form, "price")})
    return found


def _number(form: FormData, name: str) -> int:
    """Return a number of a form; an empty field is 0."""
    text = str(form.get(name, "")).strip() or "0"
    found = parse_number(text, None)
    if found is None:
        raise BadRequest(f"{text!r} is not a whole number.", {"field": name})
    return found
