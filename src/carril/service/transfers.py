"""Files that are uploaded and downloaded; reading and writing them is left to worker processes."""

from __future__ import annotations

from fastapi import Request, UploadFile
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from carril.service.asking import asking
from carril.service.games import Games
from carril.service.jobs.tasks import export_game, import_game
from carril.service.jobs.waiting import call
from carril.service.names import is_visible
from carril.service.values import GameInfo, User
from carril.service.visitors import limit, settings_of

_LONGEST_NAME = 80


async def import_upload(request: Request, games: Games, user: User, file: UploadFile) -> GameInfo:
    """Import a game from an uploaded file, which counts against the user's limit."""
    limit(request, "import", user.id, settings_of(request).imports)
    most = settings_of(request).upload_bytes
    data = await run_in_threadpool(file.file.read, most + 1)
    args = (games.store.address, user, data, _name(file), most)
    made: GameInfo = await call(games.jobs, import_game, *args, user=user.id)
    return made


def _name(file: UploadFile) -> str:
    """Return the name of an uploaded file without folders."""
    name = (file.filename or "game").replace("\\", "/").rpartition("/")[2][:_LONGEST_NAME]
    return name if name and is_visible(name) else "game"


async def save_file(games: Games, game: str, fork: str | None, user: User | None) -> Response:
    """Return a game as a file for download."""
    args = (games.store.address, game, fork, user)
    text = await call(games.jobs, export_game, *args, user=asking().user, table=game)
    headers = {"Content-Disposition": f'attachment; filename="carril-{game}.json"'}
    return Response(text, 200, headers, media_type="application/json")
