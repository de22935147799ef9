"""Writing report files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from lawspeaker.model.core.errors import BadInput


def write_whole(path: Path, text: str) -> None:
    """Write *text* to *path* in one go: a reader sees the old file or the new one, never half of it.

    Folders are made as needed.  Raises BadInput where the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", where=str(path)) from None
    fresh = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        fresh.chmod(0o644)
        fresh.replace(path)
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", where=str(path)) from None
    finally:
        fresh.unlink(missing_ok=True)
