"""The end of the time that a call may take."""

from __future__ import annotations

import time

from .endpoint import TIMEOUT
from .failures import Failure


class Deadline:
    """The end of the time that one call may take; `phase` is what the call is busy with."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds
        self.phase = ""

    def left(self) -> float:
        """Seconds, more than none. Raises Failure when the time is over."""
        seconds = self._end - time.monotonic()
        if seconds <= 0:
            raise self.failure()
        return seconds

    def allows(self, pause: float) -> bool:
        """Whether a pause of so many seconds ends before the deadline."""
        return time.monotonic() + pause < self._end

    def failure(self) -> Failure:
        """That the time is over."""
        limit = f"{self._seconds:g} s ({TIMEOUT})"
        return Failure(f"no answer within {limit}: the time was over while {self.phase}")
