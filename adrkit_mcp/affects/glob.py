"""Globs of `path` matchers, with the meaning that the peer's matcher gives them.

That matcher (npm picomatch 4, without its options `dot` and `nocase`, a leading `!` being plain text) reads
a pattern by one of three routes; the rules around them are the peer's own. Matching never backtracks.
"""

from __future__ import annotations

import re

from .errors import GlobError, Unmatchable
from .expression import (
    any_unit,
    any_unit_but_dot,
    choice,
    end,
    globstar,
    merged,
    no_dot,
    optional,
    optional_slash,
    path_of,
    repeated,
    sequence,
    some_unit,
    star,
    start,
)
from .translation import read_escape, translate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

    from .expression import Item

__all__ = ["MAX_LENGTH", "GlobError", "compile_glob"]

#: UTF-16 units of a pattern.
MAX_LENGTH = 65_536

_astral = re.compile("[\U00010000-\U0010ffff]")
_dot_segment = re.compile(r"(?:\A|/)\.(?!\.?(?:/|\Z))")
_simple = re.compile(r"(\*|\.\*|\*\.\*|\*/\*|\*\*|\*\*/(?:\*|\*\.\*|\.\*))((?:\.[A-Za-z0-9_]+)*)")
_full = re.compile(r"[*!]|[^/()\[\]{}\"]*[/()\[\]{}\"]")
_flat_run = re.compile(r"(\w+)|([^\w\\])\2*", re.ASCII)

_top_directories = optional(sequence([no_dot, globstar, "/"]))
_SIMPLE: dict[str, list[Item]] = {
    "*": [no_dot, some_unit, star],
    ".*": [".", some_unit, star],
    "*.*": [no_dot, star, ".", some_unit, star],
    "*/*": [no_dot, star, "/", some_unit, no_dot, star],
    "**": [no_dot, globstar],
    "**/*": [_top_directories, no_dot, some_unit, star],
    "**/*.*": [_top_directories, no_dot, star, ".", some_unit, star],
    "**/.*": [_top_directories, ".", some_unit, star],
}
_WHOLE = {"***": "*", "**/**": "**", "**/**/**": "**"}


def compile_glob(pattern: str) -> Callable[[str], bool]:
    """The predicate of a glob: whether it matches a path, relative and written with `/` or with `\\`.

    Raises GlobError, its reason "leading-slash" or "invalid-glob". Cost: linear in the pattern, and a
    match is bounded by the product of both sizes.
    """
    if pattern.startswith("/"):
        raise GlobError("leading-slash", "paths are relative to the repository root; leave out the first /")
    pattern = _units(pattern)
    if not 0 < len(pattern) <= MAX_LENGTH:
        raise GlobError("invalid-glob", "a pattern has 1 to %d characters" % MAX_LENGTH)
    try:
        branches = [merged(branch) for branch in _branches(pattern)]
    except Unmatchable:
        branches = []
    hidden = _dot_segment.search(pattern) is not None
    prefix, suffixes = _literal_ends(branches)
    expression = choice(branches) if branches else None

    def match(path: str) -> bool:
        if "\\" in path:
            path = path.replace("\\", "/")
        if path.startswith("./"):
            path = path[2:]
        if not path.isascii():
            path = _units(path)
        if path == pattern:
            return True
        if not expression or not path or not path.startswith(prefix) or not path.endswith(suffixes):
            return False
        if not hidden and ("/." in path or path[0] == ".") and _dot_segment.search(path):
            return False
        scanned = path_of(path)
        return expression(1, scanned, {}) & scanned.start != 0

    return match


def _units(text: str) -> str:
    """The text with each character outside the BMP as its two UTF-16 units."""
    return text if text.isascii() else _astral.sub(_surrogates, text)


def _surrogates(match: re.Match[str]) -> str:
    offset = ord(match[0]) - 0x10000
    return chr(0xD800 + (offset >> 10)) + chr(0xDC00 + (offset & 0x3FF))


def _literal_ends(branches: list[list[Item]]) -> tuple[str, tuple[str, ...]]:
    """A text that every match begins with, and texts of which every match ends with one."""
    if len(branches) != 1 or not branches[0]:
        return "", ("",)
    items = branches[0]
    prefix = items[0] if isinstance(items[0], str) else ""
    last = items[-1]
    if isinstance(last, str):
        return prefix, (last,)
    if last is optional_slash and isinstance(items[-2], str):
        return prefix, (items[-2], items[-2] + "/")
    return prefix, ("",)


def _branches(pattern: str) -> list[list[Item]]:
    if pattern[0] in "*.":
        simple = _simple.fullmatch(_WHOLE.get(pattern, pattern[2:] if pattern.startswith("./") else pattern))
        if simple:
            return [[*_SIMPLE[simple[1]], simple[2], optional_slash]]
    pattern = _WHOLE.get(pattern, pattern)
    if pattern.startswith("./"):
        pattern = pattern[2:]
    return translate(pattern) if _full.match(pattern) else _flat(pattern)


def _flat(pattern: str) -> list[list[Item]]:
    """A pattern without slashes, groups, classes and braces, read run by run of one character."""
    branches: list[list[Item]] = [[]]
    index = 0
    while index < len(pattern):
        escaped = pattern[index] == "\\"
        run = _flat_run.match(pattern, index + escaped)
        if not run or (escaped and run[1]):
            item, index = read_escape(pattern, index + 1)
            branches[-1].append(item)
            continue
        first = index == 0
        index = run.end()
        branches[-1] += _flat_items(run[0], escaped, first)
        if run[2] == "|":
            branches += [[] for _ in run[0][1:]]
    return branches


def _flat_items(run: str, escaped: bool, first: bool) -> list[Item]:
    """A run of one character; only the first of several is sure to be literal."""
    char, more = run[0], len(run) - 1
    if char == "*":
        return ["*", *[star][:more]] if escaped else [star]
    if char == "?":
        return ["?" if escaped else any_unit_but_dot if first else any_unit, *[any_unit] * more]
    if char == "|":
        return ["|"]
    if not more or char not in "+$^":
        return [run]
    if char != "+":
        return [char, end if char == "$" else start]
    if more > 1:
        raise Unmatchable
    return [repeated("+")]
