"""The README's commands, run as they stand there, in order, in one folder; what it shows must be what comes out."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def shown() -> list[tuple[str, str]]:
    """Each ``$ command`` of the README with the output that stands below it."""
    found: list[tuple[str, str]] = []
    for block in re.findall(r"(?:^    .*\n)+", (ROOT / "README.md").read_text(), re.MULTILINE):
        for part in re.split(r"^    \$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, re.sub(r"^    ", "", output, flags=re.MULTILINE)))
    return found


def test_the_readme_shows_what_its_commands_print(tmp_path: Path) -> None:
    (tmp_path / "model").symlink_to(ROOT / "model")
    environment = os.environ | {"HARNESS_PYTHON": sys.executable}
    commands = shown()
    assert len(commands) >= 5
    for command, output in commands:
        script = f'lawspeaker() {{ "$HARNESS_PYTHON" -m lawspeaker "$@"; }}; {command}'
        done = subprocess.run(["bash", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, output), command
