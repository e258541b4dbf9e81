"""Why a call has no answer: a line for people, without the token and without the body of an answer."""

from __future__ import annotations

SAFE = "; safe to try again, these tools only read"


class Failure(Exception):
    """A call that has no answer."""


class BadSetting(Failure):
    """A variable of the environment that cannot be used as it is."""


class Passing(Failure):
    """A failure that may be over in a moment, so that the call is worth repeating.

    `asked`: the endpoint wants fewer calls; `wait`: the seconds it says to wait, None when it says none.
    """

    def __init__(self, text: str, asked: bool = False, wait: float | None = None) -> None:
        super().__init__(text)
        self.asked = asked
        self.wait = wait


class RemoteError(Failure):
    """What the endpoint itself answered that went wrong."""

    def __init__(self, text: str) -> None:
        super().__init__("the endpoint answered: " + text)


def one_line(text: str, most: int) -> str:
    """Foreign text on one line: spaces folded, what does not print escaped, cut to `most` characters."""
    line = " ".join(text.split())
    if len(line) > most:
        line = line[:most] + "..."
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in line)
