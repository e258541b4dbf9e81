"""Source without what only type checkers read; comments, docstrings and line numbers stay as they are.

An archive holds no bytecode, so that each start compiles what it needs; types are a sixth of that work.
"""

from __future__ import annotations

import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_FUTURE = b"from __future__ import annotations\n"


def untyped(source: bytes) -> bytes:
    """A module's source without annotations, and with `pass` for what is under `if TYPE_CHECKING:`."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    text = bytearray()
    done = 0
    for start, end, instead in sorted(_cuts(ast.parse(source), source, starts)):
        if start >= done:
            text += source[done:start] + instead
            done = end
    return bytes(text + source[done:]).replace(_FUTURE, b"\n", 1)


def _cuts(tree: ast.AST, source: bytes, starts: list[int]) -> Iterator[tuple[int, int, bytes]]:
    """(start, end, what comes instead) of the parts to leave out; some lie within others."""

    def start(node: ast.stmt | ast.expr) -> int:
        return starts[node.lineno - 1] + node.col_offset

    def end(node: ast.stmt | ast.expr | ast.arg) -> int:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return starts[node.end_lineno - 1] + node.end_col_offset

    for node in ast.walk(tree):
        if isinstance(node, ast.arg) and node.annotation:
            name = starts[node.lineno - 1] + node.col_offset + len(node.arg.encode())
            yield name, end(node.annotation), b""
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.returns:
            yield source.rindex(b" ->", 0, start(node.returns)), end(node.returns), b""
        elif isinstance(node, ast.AnnAssign) and node.value:
            yield end(node.target), end(node.annotation), b""
        elif isinstance(node, ast.AnnAssign):
            yield start(node), end(node), b"pass"
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            first, last = start(node.body[0]), end(node.body[-1])
            yield first, last, b"pass" + b"\n" * source.count(b"\n", first, last)
