"""The reference of the toy game as a process."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from toy import ROOM, Pebbles  # noqa: E402

from lawspeaker.conformance.server import serve  # noqa: E402
from lawspeaker.conformance.session import Session  # noqa: E402

serve(Session(Pebbles(), ROOM), sys.stdin.buffer, sys.stdout.buffer)
