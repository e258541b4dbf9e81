"""Which modules of the package a program needs: those that it imports, at once or later."""

from __future__ import annotations

import ast
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def needed_files(root: str, *entries: str) -> dict[str, bytes]:
    """The sources of modules of one package, and of all in it that they lead to: path in `root` -> content.

    Imports under `if TYPE_CHECKING:` do not count, nor do those in functions of the package's own
    `__init__`, which serve other programs than these. Raises ValueError when a module is not found.
    """
    package = entries[0].split(".")[0]
    files: dict[str, bytes] = {}
    waiting = list(entries)
    while waiting:
        name = waiting.pop()
        path = _path(root, name)
        if path in files:
            continue
        with open(os.path.join(root, path), "rb") as stream:
            files[path] = stream.read()
        waiting.extend(_parents(name))
        tree = ast.parse(files[path], path)
        parent = name if path.endswith("/__init__.py") else name.rpartition(".")[0]
        for imported in _imports(tree, parent, name == package):
            if imported.split(".")[0] == package:
                waiting.append(_module(root, imported))
    return files


def _imports(node: ast.AST, package: str, skip_functions: bool) -> Iterator[str]:
    """Dotted names that the code below a node imports; the last part may be no module but a name in one."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            parts = package.split(".")[: 1 - child.level or None] if child.level else []
            source = ".".join([*parts, child.module] if child.module else parts)
            yield from (f"{source}.{alias.name}" for alias in child.names)
        elif isinstance(child, ast.If) and _is_type_checking(child.test):
            for other in child.orelse:
                yield from _imports(ast.Module([other], []), package, skip_functions)
        elif not (skip_functions and isinstance(child, ast.FunctionDef)):
            yield from _imports(child, package, skip_functions)


def _is_type_checking(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def _module(root: str, name: str) -> str:
    """The module that a dotted name is, or is in."""
    return name if _find(root, name) else name.rpartition(".")[0]


def _parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts))]


def _path(root: str, name: str) -> str:
    path = _find(root, name)
    if path is None:
        raise ValueError(f"there is no module {name}")
    return path


def _find(root: str, name: str) -> str | None:
    """A module's path below `root`, with `/` whatever the platform."""
    stem = name.replace(".", "/")
    for path in (f"{stem}/__init__.py", f"{stem}.py"):
        if os.path.isfile(os.path.join(root, path)):
            return path
    return None
