"""Why a glob cannot be used."""

from __future__ import annotations


class GlobError(ValueError):
    """A pattern that is refused; `reason` is "leading-slash" or "invalid-glob".

    The message names the construct and says how to write what was probably meant.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class Unmatchable(Exception):
    """A pattern that is allowed but means nothing: it matches its own text only."""


def unsupported(construct: str, instead: str) -> GlobError:
    """The refusal of a construct whose meaning in the peer is an accident of its implementation."""
    shown = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in construct)
    return GlobError("invalid-glob", "%s is not supported; write %s" % (shown, instead))
