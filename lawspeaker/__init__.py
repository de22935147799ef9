"""Lawspeaker: verify a rulebook, and test implementations of its game against it.

The six working folders (``model``, ``properties``, ...) stand at the top of the checkout, where
people look for them; code imports them as ``lawspeaker.model`` and so on.  Links inside this
package make that work.  In a checkout whose links did not survive (an archive, some Windows
clones) the folder above this one is searched as well.
"""

from pathlib import Path

__version__ = "0.1.0"

_HERE = Path(__file__).resolve().parent
if not (_HERE / "model").is_dir() and (_HERE.parent / "model" / "core").is_dir():
    __path__.append(str(_HERE.parent))
