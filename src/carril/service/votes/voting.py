"""Agreement at a table: somebody proposes something, and the other people agree or decline.

There is one mechanism for all kinds of proposals. A kind is registered with `register` and says
what is checked, who must agree, what happens then, and whether an action makes an open request
lapse. If nobody else has to agree, the proposal is carried out at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Row, bindparam, insert, select, update

from carril.service.errors import BadRequest, Finished, Forbidden, NotFound, ReadOnly, Stale
from carril.service.game_store import GameStore, Reader
from carril.service.operations import operation
from carril.service.store.journal import Line, now, publish
from carril.service.store.tables import requests
from carril.service.values import GameInfo, Proposal, Request, Undone, User


class Case(Struct, frozen=True):
    """A proposal, its author, and the table as it is in the transaction that decides."""

    reader: Reader
    line: Line
    info: GameInfo
    user: User
    """The author of the proposal."""
    proposal: Proposal


def all_others(case: Case) -> tuple[str, ...]:
    """Return the ids of the other people at the table."""
    return case.info.others(case.user)


class Kind(Struct, frozen=True):
    """A kind of proposal."""

    name: str
    check: Callable[[Case], Proposal]
    """Returns the proposal with all details; raises an error if it cannot be fulfilled.

    It is asked when the proposal is made, and again before it is fulfilled.
    """
    fulfil: Callable[[Case], Line]
    """Carries the proposal out and returns the line as it is then."""
    voters: Callable[[Case], tuple[str, ...]] = all_others
    """Returns the ids of the users who must agree."""
    lapses: bool = True
    """Whether any action, undo or redo makes an open request lapse."""


KINDS: dict[str, Kind] = {}
"""All kinds of proposals by name."""


def register(kind: Kind) -> Kind:
    """Add a kind of proposal."""
    KINDS[kind.name] = kind
    return kind


def kind_named(name: str) -> Kind:
    """Return a kind of proposal; raise BadRequest if there is none of this name."""
    if name not in KINDS:
        raise BadRequest(f"There is no kind of request {name[:40]!r}.", {"kinds": sorted(KINDS)})
    return KINDS[name]


# --- proposing -----------------------------------------------------------------------------


@operation
def propose(
    store: GameStore, game: str, user: User, proposal: Proposal, seen: int | None
) -> Undone:
    """Carry a proposal out, or ask the others to agree.

    `seen` is the version of the game for which the user decided; None stands for any.
    """
    kind_named(proposal.kind)
    with store.writing(game=game) as reader:
        line, info = reader.line(game), reader.info(game)
        check_takes_part(info, user)
        check_seen(line, seen)
        line, request = fulfil_or_ask(Case(reader, line, info, user, proposal))
    store.changed(line)
    return Undone(line.head, line.version, request)


def check_takes_part(info: GameInfo, user: User) -> None:
    """Raise an error unless a user plays at a table, or owns it, and it can be changed."""
    if info.read_only:
        raise ReadOnly("An imported game cannot be changed. Start a what-if line instead.")
    if not info.seats_of(user) and info.owner != user.id:
        raise Forbidden("Only players at this table can do this.")


def check_not_over(case: Case) -> None:
    """Raise Finished if the game is over."""
    if case.line.ended:
        raise Finished("The game is over.")


def check_seen(line: Line, seen: int | None) -> None:
    """Raise Stale unless a line is as the user saw it."""
    if seen not in (None, line.version):
        raise Stale("Somebody else acted first. Look at the new position and try again.")


def fulfil_or_ask(case: Case) -> tuple[Line, Request | None]:
    """Carry a proposal out if nobody else has to agree; otherwise ask them."""
    kind = kind_named(case.proposal.kind)
    case = msgspec.structs.replace(case, proposal=kind.check(case))
    waiting = kind.voters(case)
    if not waiting:
        return kind.fulfil(case), None
    return case.line, _ask(case, waiting)


def _ask(case: Case, waiting: tuple[str, ...]) -> Request:
    connection, line, user, proposal = case.reader.connection, case.line, case.user, case.proposal
    if any(one.kind == proposal.kind for one in open_requests(connection, line)):
        raise BadRequest("There is already a request. It must be answered first.")
    moment = now()
    values = {"game": line.game, "user": user.id, "name": user.name, "to": proposal.to}
    values |= {"version": line.version, "status": "open", "waiting": _json(waiting)}
    values |= {"series": proposal.series, "kind": proposal.kind, "about": _json(proposal.about)}
    added = connection.execute(insert(requests).values(**values, created=moment))
    assert added.inserted_primary_key is not None
    request = Request(
        id=added.inserted_primary_key[0],
        by=user.id,
        by_name=user.name,
        to=proposal.to,
        status="open",
        waiting=waiting,
        when=moment,
        series=proposal.series,
        kind=proposal.kind,
        about=proposal.about,
    )
    publish(connection, line.id, "request", msgspec.to_builtins(request))
    return request


# --- open requests -------------------------------------------------------------------------


_OPEN = (
    select(requests)
    .where(requests.c.game == bindparam("wanted"), requests.c.status == "open")
    .order_by(requests.c.id)
)


def open_requests(connection: Connection, line: Line) -> tuple[Request, ...]:
    """Return the open requests at a table, oldest first, without those that have lapsed."""
    rows = connection.execute(_OPEN, {"wanted": line.game}).all()
    return tuple(_request(row) for row in rows if _is_alive(row, line))


def _is_alive(row: Row[Any], line: Line) -> bool:
    kind = KINDS.get(row.kind)
    return kind is not None and (not kind.lapses or row.version == line.version)


def _request(row: Row[Any]) -> Request:
    waiting = tuple(msgspec.json.decode(row.waiting))
    known = (row.id, row.user, row.name, row.to, row.status, waiting, row.created, row.series)
    return Request(*known, row.kind, msgspec.json.decode(row.about))


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


# --- answering -----------------------------------------------------------------------------


@operation
def answer(store: GameStore, game: str, user: User, number: int, accept: bool) -> Undone:
    """Agree to a request or decline it; the user who made it can withdraw it by declining."""
    with store.writing(game=game) as reader:
        line, info = reader.line(game), reader.info(game)
        found = (one for one in open_requests(reader.connection, line) if one.id == number)
        request = next(found, None)
        if request is None:
            raise NotFound("There is no such request, or somebody has acted since.")
        request = _answered(request, user, accept)
        if request.status == "done":
            asker = User(request.by, request.by_name)
            line = _fulfil(Case(reader, line, info, asker, request.proposal))
        _store(reader.connection, line, request)
    store.changed(line)
    return Undone(line.head, line.version, request)


def _fulfil(case: Case) -> Line:
    """Carry a proposal out to which all have agreed."""
    kind = kind_named(case.proposal.kind)
    return kind.fulfil(msgspec.structs.replace(case, proposal=kind.check(case)))


def _answered(request: Request, user: User, accept: bool) -> Request:
    if user.id != request.by and user.id not in request.waiting:
        raise Forbidden("You are not asked to answer this request.")
    if not accept:
        return msgspec.structs.replace(request, status="declined", waiting=())
    if user.id == request.by:
        raise Forbidden("Your own request must be answered by the other players.")
    waiting = tuple(one for one in request.waiting if one != user.id)
    return msgspec.structs.replace(request, status="open" if waiting else "done", waiting=waiting)


def _store(connection: Connection, line: Line, request: Request) -> None:
    """Store the answer to a request, and tell the table."""
    chosen = update(requests).where(requests.c.id == request.id, requests.c.status == "open")
    values = {"status": request.status, "waiting": _json(request.waiting)}
    if connection.execute(chosen.values(**values)).rowcount != 1:
        raise Stale("Somebody else answered first.")
    publish(connection, line.id, "request", msgspec.to_builtins(request))


# --- people who come and go ----------------------------------------------------------------


def end_requests_of(connection: Connection, line: Line, user: str) -> None:
    """Decline the open requests that a user made or has not answered, because they leave."""
    for request in open_requests(connection, line):
        if user in (request.by, *request.waiting):
            over = msgspec.structs.replace(request, status="declined", waiting=())
            _store(connection, line, over)


def ask_newcomer(connection: Connection, line: Line, user: str) -> None:
    """Let somebody who has joined the table answer the open requests as well."""
    for request in open_requests(connection, line):
        if user not in (request.by, *request.waiting):
            waiting = (*request.waiting, user)
            _store(connection, line, msgspec.structs.replace(request, waiting=waiting))
