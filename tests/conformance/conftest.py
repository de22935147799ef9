"""Makes the toy game importable, here and in the subjects' processes."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
