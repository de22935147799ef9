"""Answers kept from one run to the next, each good only for the very source it was worked out from."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from time import perf_counter

import msgspec
import z3
from msgspec.structs import replace

from lawspeaker.model.core.records import FindingRecord, TopicRow

from .asking import Answer, Claim

FORMAT = "lawspeaker-answers/1"


def committed_file(game: str) -> Path:
    """Return the file of answers that is committed with a game's source, so that a fresh checkout need not ask."""
    return Path(__file__).parent / game / "answers.json"


def local_file(game: str) -> Path:
    """Return where answers for a source that was changed since are kept on this machine."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "lawspeaker" / f"{game}-answers.json"


class Kept(msgspec.Struct, frozen=True):
    """What one question came to: its findings and its row."""

    findings: tuple[FindingRecord, ...]
    row: TopicRow


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: str
    digest: str
    answers: Mapping[str, Kept]


def source_digest(game: str) -> str:
    """Return the digest of all that an answer depends on: solver, formulas, the game's model, z3's version."""
    solver = Path(__file__).parent
    model = solver.parent / "model"
    folders = (solver, solver / game, model / "core", model / game)
    whole = sha256(z3.get_version_string().encode())
    for folder in folders:
        for path in sorted([*folder.glob("*.py"), *folder.glob("*.yaml")]):
            whole.update(f"{folder.name}/{path.name}".encode() + path.read_bytes())
    return whole.hexdigest()


class Store:
    """A game's kept answers for the present source; what was worked out from another source is not seen."""

    def __init__(self, game: str, *paths: Path) -> None:
        self.digest = source_digest(game)
        self._paths = paths or (committed_file(game), local_file(game))
        self._kept: dict[str, Kept] = {}
        self._new = False
        for path in self._paths:
            self._kept.update(self._read(path))

    def _read(self, path: Path) -> Mapping[str, Kept]:
        try:
            file = msgspec.json.decode(path.read_bytes(), type=_File)
        except (OSError, msgspec.DecodeError):
            return {}
        return file.answers if file.format == FORMAT and file.digest == self.digest else {}

    def get(self, question: str) -> Kept | None:
        """Return the kept answer to a question, or None."""
        return self._kept.get(question)

    def put(self, question: str, kept: Kept) -> None:
        """Keep an answer; ``save`` writes it."""
        self._kept[question], self._new = kept, True

    def save(self, path: Path | None = None) -> None:
        """Write the answers if there are new ones (to *path* in any case).

        The default is the last of the store's files; a folder that cannot be written is left alone.
        """
        if not self._new and path is None:
            return
        to = path or self._paths[-1]
        file = _File(FORMAT, self.digest, dict(sorted(self._kept.items())))
        try:
            to.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile("wb", dir=to.parent, delete=False) as draft:
                draft.write(msgspec.json.format(msgspec.json.encode(file), indent=1) + b"\n")
            Path(draft.name).replace(to)
        except OSError:
            if path is not None:
                raise


def results_of(
    claims: Iterable[Claim], ask: Callable[[Claim], Answer], store: Store, deep: bool = False
) -> Iterator[tuple[FindingRecord | None, TopicRow]]:
    """Yield what each claim came to; heavy ones from the store unless *deep*, shown as stored.

    A heavy claim that is not stored for this source is asked all the same.
    """
    for claim in claims:
        kept = store.get(f"claim {claim.id}") if claim.deep and not deep else None
        if kept is not None:
            yield kept.findings[0], replace(kept.row, said=f"{kept.row.said} (stored)")
            continue
        began = perf_counter()
        finding, row, _ = ask(claim)
        if claim.deep and finding is not None:
            store.put(f"claim {claim.id}", Kept((finding,), row))
        yield finding, replace(row, milliseconds=round(1000 * (perf_counter() - began)))
