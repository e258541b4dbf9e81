"""The stdio transport: lines in, lines out, an orderly end. Knows nothing of what the lines say.

Bytes only, on the descriptors themselves, so that nothing depends on locale, buffering or platform.
"""

from __future__ import annotations

import os
import select
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, Protocol, TextIO

    class Work(Protocol):
        """An answer still to be worked out; None if there is nothing to send after all."""

        @property
        def cancelled(self) -> bool: ...
        def run(self) -> bytes | None: ...

    class Server(Protocol):
        """What is served: a line in, lines and work out; the last lines at the end of the input."""

        def receive(self, line: bytes) -> Sequence[bytes | Work]: ...
        def refuse_line(self, limit: int) -> bytes: ...
        def close(self) -> Sequence[bytes]: ...

else:
    try:
        import _signal as signal  # what `signal` wraps in enums: importing `enum` takes 2 ms
    except ImportError:
        import signal


LIMIT = 64 * 1024 * 1024
_CHUNK = 64 * 1024
_BOM = b"\xef\xbb\xbf"
_GRACE = 1  # seconds a signal leaves to the line in work


class TransportError(Exception):
    """A standard stream failed; the text is one line for a person."""


class Diagnostics:
    """Writes lines to stderr, few and short; waits for no reader, and a lost line is no failure."""

    def __init__(self, program: str, lines: int = 20) -> None:
        self._program = program
        self._left = lines

    def __call__(self, text: str) -> None:
        if self._left <= 0:
            return
        self._left -= 1
        line = " ".join(f"{self._program}: {text}".split())[:500] + "\n"
        try:
            if sys.platform == "win32" or select.select([], [2], [], 0)[1]:
                os.write(2, line.encode("utf-8", "backslashreplace"))
        except OSError:
            pass


class StdioTransport:
    """Serves one connection on the standard streams, in the thread that calls `run`."""

    def __init__(self, server: Server, on_error: Callable[[str], None], limit: int = LIMIT) -> None:
        """`limit`: bytes in a line; a longer one is refused and skipped without being kept."""
        self._server = server
        self._on_error = on_error
        self._limit = limit
        self._out = -1
        self._waker = -1
        self._wakened = -1
        self._stopping = False
        self.received = 0  # bytes of input so far

    def run(self) -> int:
        """Serve until the input ends or `stop` is called (0), or a stream fails (1).

        Meanwhile stdout is the transport's own; whatever else is written there goes to stderr.
        """
        try:
            self._out, give_back = _take_stdout()
            try:
                self._serve_wakeable()
            finally:
                give_back()
        except (OSError, TransportError) as error:
            self._on_error(str(error))
            return 1
        return 0

    def stop(self) -> None:
        """End `run` once the line in work is answered. For signal handlers and other threads.

        On Windows, which cannot wait for a pipe, it takes effect when the next input arrives.
        """
        self._stopping = True
        if self._waker >= 0:
            os.write(self._waker, b"\0")

    def _serve_wakeable(self) -> None:
        self._wakened, self._waker = os.pipe()
        ends = (self._wakened, self._waker)
        try:
            self._serve()
        finally:
            self._waker = -1
            for end in ends:
                os.close(end)

    def _serve(self) -> None:
        for line in self._lines():
            if self._stopping:
                return
            if line is None:
                self._send(self._server.refuse_line(self._limit))
                continue
            for answer in self._server.receive(line):
                self._dispatch(answer)
        if not self._stopping:
            self._finish()

    def _dispatch(self, answer: bytes | Work) -> None:
        response = answer if isinstance(answer, bytes) else answer.run()
        if response is not None:
            self._send(response)

    def _finish(self) -> None:
        for message in self._server.close():
            self._send(message)

    def _lines(self) -> Iterator[bytes | None]:
        """The input's lines without their ends, the last one perhaps unended; None: too long."""
        head = _BOM
        for line in self._cut():
            yield line[len(head) :] if line is not None and line.startswith(head) else line
            head = b""

    def _cut(self) -> Iterator[bytes | None]:
        line = bytearray()
        keeping = True
        for chunk in iter(self._read, b""):
            *ended, rest = chunk.split(b"\n")
            for piece in ended:
                if keeping:
                    line += piece
                    whole = bytes(line) if len(line) <= self._limit else None
                    line.clear()
                    yield whole
                keeping = True
            if keeping:
                line += rest
                if len(line) > self._limit:
                    keeping = False
                    line.clear()
                    yield None
        if line:
            yield bytes(line)

    def _read(self) -> bytes:
        """Some input; nothing at its end or when it is time to stop."""
        while not self._stopping:
            _await((0, self._wakened))
            if self._stopping:
                break
            try:
                chunk = os.read(0, _CHUNK)
            except BlockingIOError:
                os.set_blocking(0, True)  # another process that shares it has changed it
                continue
            except ConnectionResetError:  # a socket whose other end died with answers unread
                break
            except OSError as error:
                raise TransportError(f"stdin cannot be read: {error.strerror}") from None
            self.received += len(chunk)
            return chunk
        return b""

    def _send(self, message: bytes) -> None:
        rest = memoryview(message + b"\n")
        while rest:
            try:
                rest = rest[os.write(self._out, rest) :]
            except BlockingIOError:
                os.set_blocking(self._out, True)
            except OSError as error:
                raise TransportError(f"stdout cannot be written: {error.strerror}") from None


def serve(transport: StdioTransport) -> int:
    """Run a transport as all this process does: the exit code, to be passed to `os._exit`.

    SIGINT, SIGTERM and SIGHUP end it with 0: at once while it waits for input, otherwise after the
    line in work, but within a second. The handlers stay, so that this holds to the very end.
    """

    def end() -> None:
        if hasattr(signal, "alarm"):
            signal.signal(signal.SIGALRM, lambda number, frame: os._exit(0))
            signal.alarm(_GRACE)
        transport.stop()

    handle_signals(end)
    return transport.run()


def handle_signals(handler: Callable[[], None]) -> Callable[[], None]:
    """Let the signals that end a process call a handler; the result puts the former handlers back.

    An ignored SIGHUP stays ignored (`nohup`). Nothing happens outside the main thread, where Python
    allows no handlers.
    """
    former: list[tuple[int, Any]] = []
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is None or (name == "SIGHUP" and signal.getsignal(number) == signal.SIG_IGN):
            continue
        try:
            former.append((number, signal.signal(number, lambda number, frame: handler())))
        except ValueError:
            break

    def restore() -> None:
        for number, previous in former:
            signal.signal(number, previous)

    return restore


def _await(descriptors: tuple[int, ...]) -> None:
    """Wait until one of them can be read."""
    if sys.platform == "win32":
        return
    try:
        select.select(descriptors, [], [])
    except (OSError, ValueError):  # what is wrong with it, reading will tell
        pass


def _take_stdout() -> tuple[int, Callable[[], None]]:
    """A new descriptor for stdout, whose own number and object now lead to stderr, and the undoing.

    Raises TransportError if stdout is closed.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            if number == 1:
                raise TransportError("stdout is closed") from None
            os.open(os.devnull, os.O_RDWR)  # takes this number, before another file does
    out = os.dup(1)
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(0, os.O_BINARY)
        msvcrt.setmode(out, os.O_BINARY)
    os.dup2(2, 1)
    former, sys.stdout = sys.stdout, sys.stderr
    _flush(former)  # what was printed before is not for the client either

    def give_back() -> None:
        _flush(former)
        os.dup2(out, 1)
        os.close(out)
        sys.stdout = former

    return out, give_back


def _flush(stream: TextIO | None) -> None:
    try:
        if stream is not None:
            stream.flush()
    except (OSError, ValueError):
        pass
