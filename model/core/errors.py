"""The one error that bad input raises."""

from __future__ import annotations


class BadInput(ValueError):
    """Input from outside that cannot be used: what is wrong, where, and what would be right.

    The command line prints it as one message and exits with code 2; it never shows a traceback.
    """

    def __init__(self, what: str, *, where: str = "", hint: str = "") -> None:
        self.what, self.where, self.hint = what, where, hint
        text = f"{where}: {what}" if where else what
        super().__init__(f"{text}; {hint}" if hint else text)

    def within(self, where: str) -> BadInput:
        """Return the same complaint with *where* put before its place."""
        place = f"{where}: {self.where}" if self.where else where
        return BadInput(self.what, where=place, hint=self.hint)
