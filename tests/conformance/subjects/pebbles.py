"""The reference of the toy game as a process."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from toy import ROOM, Pebbles

from lawspeaker.conformance.server import serve
from lawspeaker.conformance.session import Session

serve(Session(Pebbles(), ROOM), sys.stdin.buffer, sys.stdout.buffer)
