"""The handle that programs get on a server in their own process."""

from __future__ import annotations

import os

from .corpus.roots import DEFAULT_DIR, Reading, absolute, locate
from .mcp.stdio import Diagnostics
from .service import NAME, connect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

    from .mcp.stdio import StdioTransport


class ServerHandle:
    """A server that can be started and closed, each once, and nothing else."""

    __slots__ = ("close", "start")

    def __init__(
        self, cwd: str | None, dir: str | None, on_error: Callable[[str], None] | None
    ) -> None:
        directory = DEFAULT_DIR if dir is None else dir
        report = Diagnostics(NAME) if on_error is None else on_error
        transport: StdioTransport | None = None
        closed = False

        def start() -> None:
            nonlocal transport
            if closed or transport is not None:
                return
            root = absolute(os.curdir if cwd is None else cwd)
            locate(root, directory)
            transport = connect(root, directory, Reading(), report)
            transport.run()

        def close() -> None:
            nonlocal closed
            closed = True
            if transport is not None:
                transport.stop()

        object.__setattr__(self, "start", start)
        object.__setattr__(self, "close", close)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a server handle cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a server handle cannot be changed")
