"""The client: a tool call forwarded to the endpoint, repeated within reason, its answer given back."""

from __future__ import annotations

import itertools
import time

from .answer import Answer, read_answer
from .deadline import Deadline
from .endpoint import read_endpoint
from .failures import Failure, Passing

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ssl
    from collections.abc import Mapping, Sequence
    from typing import Any

    from .endpoint import Endpoint
    from .exchange import Exchange

DELAYS = (0.25, 1.0)
MOST_WAIT = 5.0


class Client:
    """Calls the tools of the endpoint that the environment names. Threads may share one."""

    def __init__(self, environment: Mapping[str, str], delays: Sequence[float] = DELAYS) -> None:
        """`delays`: seconds before each further attempt."""
        self._environment = environment
        self._delays = delays
        self._ids = itertools.count(1)
        self._context: ssl.SSLContext | None = None

    def call(self, tool: str, arguments: dict[str, Any]) -> Answer:
        """What a tool answers to checked arguments. Raises Failure."""
        endpoint = read_endpoint(self._environment)
        deadline = Deadline(endpoint.timeout)
        from .exchange import Exchange  # the network, most of what a call needs to import

        exchange = Exchange(endpoint, next(self._ids), tool, arguments)
        try:
            answer = read_answer(self._run(exchange, self._trust(endpoint), deadline))
            return Answer(endpoint.hide(answer.data), answer.content)
        except RecursionError:
            raise Failure(f"{endpoint} answered with JSON that is nested too deeply") from None

    def _run(self, exchange: Exchange, context: ssl.SSLContext | None, deadline: Deadline) -> Any:
        retries = Retries(self._delays)
        while True:
            try:
                return exchange.run(context, deadline)
            except Passing as failure:
                pause = retries.pause_after(failure)
                if pause is None or not deadline.allows(pause):
                    raise
            time.sleep(pause)

    def _trust(self, endpoint: Endpoint) -> ssl.SSLContext | None:
        """What TLS is checked with; None where there is no TLS."""
        if not endpoint.tls:
            return None
        if self._context is None:
            from .certificates import make_context

            self._context = make_context()
        return self._context


class Retries:
    """When to try again: after a few delays, and once when the endpoint wants to be asked less."""

    def __init__(self, delays: Sequence[float]) -> None:
        self._delays = list(delays)
        self._was_asked = False

    def pause_after(self, failure: Passing) -> float | None:
        """Seconds to wait before the next attempt; None when there is to be none."""
        if not self._delays or (failure.asked and self._was_asked):
            return None
        pause = self._delays.pop(0)
        if not failure.asked:
            return pause
        self._was_asked = True
        if failure.wait is None:
            return pause
        return failure.wait if failure.wait <= MOST_WAIT else None
