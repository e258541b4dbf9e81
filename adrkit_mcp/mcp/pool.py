"""The stdio transport for tools that wait, on a network say: their calls run on a few threads."""

from __future__ import annotations

import queue
import threading
import time

from .stdio import LIMIT, StdioTransport, TransportError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .stdio import Server, Work

_QUEUED = 256
_TICK = 0.05  # seconds between two looks at `stop`, which may not touch a lock
_CLOSING = 1.0  # seconds a last line has to get out


class PooledTransport(StdioTransport):
    """A transport whose calls run side by side, so that answers come in any order.

    Further calls queue, and when many do, the input waits. At the end of the input calls are waited
    for, unless cancelled, for `patience` seconds. The threads are daemons: a process that is to end
    must not wait for them and leaves with `os._exit`.
    """

    def __init__(
        self,
        server: Server,
        on_error: Callable[[str], None],
        limit: int = LIMIT,
        size: int = 8,
        patience: float = 30.0,
    ) -> None:
        super().__init__(server, on_error, limit)
        self._size = size
        self._patience = patience
        self._threads = 0
        self._queue: queue.SimpleQueue[Work] = queue.SimpleQueue()
        self._pending: list[Work] = []
        self._changed = threading.Condition()
        self._writing = threading.Lock()
        self._failure: TransportError | None = None

    def _serve(self) -> None:
        try:
            super()._serve()
        finally:
            self._writing.acquire(timeout=_CLOSING)  # for good: no thread writes from here on
        if self._failure is not None:
            raise self._failure

    def _dispatch(self, answer: bytes | Work) -> None:
        if isinstance(answer, bytes):
            self._send(answer)
            return
        self._wait_while(lambda: len(self._pending) >= _QUEUED, float("inf"))
        with self._changed:
            self._pending.append(answer)
        self._queue.put(answer)
        if self._threads < self._size:
            self._threads += 1
            threading.Thread(target=self._work, daemon=True).start()

    def _finish(self) -> None:
        self._wait_while(lambda: any(not work.cancelled for work in self._pending), self._patience)
        if not self._stopping:
            super()._finish()

    def _send(self, message: bytes) -> None:
        with self._writing:
            super()._send(message)

    def _work(self) -> None:
        while True:
            work = self._queue.get()
            response = work.run()
            try:
                if response is not None:
                    self._send(response)
            except TransportError as error:
                self._failure = error
                self.stop()
            with self._changed:
                self._pending.remove(work)
                self._changed.notify_all()

    def _wait_while(self, condition: Callable[[], bool], seconds: float) -> None:
        end = time.monotonic() + seconds
        with self._changed:
            while condition() and not self._stopping and time.monotonic() < end:
                self._changed.wait(_TICK)
