"""Reading uploaded files."""

from __future__ import annotations

from fastapi import Request, UploadFile

from carril.service.names import is_visible
from carril.service.values import User
from carril.service.visitors import limit, settings_of

_LONGEST_NAME = 80


def read_upload(request: Request, user: User, file: UploadFile) -> tuple[bytes, str]:
    """Return an uploaded file and its name without folders; it counts against the user's limit.

    Call this in a worker thread: it reads from disk.
    """
    limit(request, "import", user.id, settings_of(request).imports)
    data = file.file.read(settings_of(request).upload_bytes + 1)
    name = (file.filename or "game").replace("\\", "/").rpartition("/")[2][:_LONGEST_NAME]
    return data, name if name and is_visible(name) else "game"
