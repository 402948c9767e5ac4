"""The API of messages to people: choices, web-hooks, push subscriptions."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from carril.service.api_shapes import answer
from carril.service.notifications import api_models as models
from carril.service.notifications import choices
from carril.service.notifications.safe_post import check_address
from carril.service.notifications.web_push import public_key
from carril.service.store.notices import hooks_of, notices_of
from carril.service.visitors import SignedIn, TheGames, settings_of

router = APIRouter(tags=["messages"])


@router.get("/notices", response_model=models.NoticesModel)
def notices(games: TheGames, user: SignedIn) -> Response:
    """Return how I am told that it is my turn."""
    with games.reading() as reader:
        return answer(notices_of(reader.connection, user.id))


@router.put("/notices", response_model=models.NoticesModel)
def set_notices(body: models.NoticesBody, games: TheGames, user: SignedIn) -> Response:
    """Choose how I am told that it is my turn."""
    return answer(choices.set_notices(games.store, user, body.chosen()))


@router.get("/hooks", response_model=list[models.HookModel])
def hooks(games: TheGames, user: SignedIn, game: str = "") -> Response:
    """List my web-hooks, or mine at a table."""
    with games.reading() as reader:
        found = hooks_of(reader.connection, user.id, game)
    return answer([one for one in found if one.user == user.id])


@router.post("/hooks", response_model=models.HookModel, status_code=201)
def new_hook(request: Request, body: models.HookBody, games: TheGames, user: SignedIn) -> Response:
    """Add a web-hook for my turns, or for all turns at a table of mine."""
    url = check_address(body.url, private=settings_of(request).private_hooks)
    return answer(choices.add_hook(games.store, user, body.kind, url, body.game), 201)


@router.delete("/hooks/{hook_id}", status_code=204)
def remove_hook(hook_id: str, games: TheGames, user: SignedIn) -> Response:
    """Remove a web-hook."""
    choices.remove_hook(games.store, user, hook_id)
    return Response(status_code=204)


@router.get("/push", response_model=models.PushKeyModel)
def push_key(games: TheGames) -> Response:
    """Return the public key with which browsers subscribe."""
    return answer({"key": public_key(choices.push_private_key(games.store))})


@router.post("/push", response_model=models.PushModel, status_code=201)
def subscribe(request: Request, body: models.PushBody, games: TheGames, user: SignedIn) -> Response:
    """Subscribe a browser to push messages."""
    endpoint = check_address(body.endpoint, private=settings_of(request).private_hooks)
    made = choices.add_push(games.store, user, endpoint, body.key, body.auth)
    return answer({"id": made.id}, 201)


@router.delete("/push/{push_id}", status_code=204)
def unsubscribe(push_id: str, games: TheGames, user: SignedIn) -> Response:
    """End the subscription of a browser."""
    choices.remove_push(games.store, user, push_id)
    return Response(status_code=204)
