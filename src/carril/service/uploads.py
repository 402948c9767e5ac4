"""Files that come with a request."""

from __future__ import annotations

from fastapi import Request, UploadFile

from carril.service.values import User
from carril.service.visitors import limit, settings_of

_LONGEST_NAME = 80


def taken(request: Request, user: User, file: UploadFile) -> tuple[bytes, str]:
    """Return a file that somebody brings and its plain name; counted against his limit.

    To be called in a thread of its own: it reads from disk.
    """
    limit(request, "import", user.id, settings_of(request).imports)
    data = file.file.read(settings_of(request).upload_bytes + 1)
    name = (file.filename or "game").replace("\\", "/").rpartition("/")[2][:_LONGEST_NAME]
    return data, name or "game"
