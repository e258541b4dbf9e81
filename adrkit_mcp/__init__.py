"""Decision memory for coding agents: a read-only MCP server over a Git-kept corpus of ADRs."""

# Imports nothing, not even `__future__`: see `__main__`.

__version__ = "0.1.0"
__all__ = ["__version__", "create_server"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .handle import ServerHandle


def create_server(
    cwd: "str | None" = None,
    dir: "str | None" = None,
    on_error: "Callable[[str], None] | None" = None,
) -> "ServerHandle":
    """A server for the repository `cwd` (default: the current directory when it starts) and the ADR
    directory `dir` in it (default: docs/adr). Touches no file until it is started.

    `start()` checks both, raising `adrkit_mcp.corpus.roots.CorpusUnavailable` when they cannot be used,
    then serves one connection on stdin and stdout until it ends or `close()` is called. `on_error` gets
    one line for each failure in the background; without it the line goes to stderr.
    """
    from .handle import ServerHandle

    return ServerHandle(cwd, dir, on_error)
