"""Globs of `path` matchers, with the meaning that the peer's matcher gives them.

That matcher, npm's picomatch 4 with its options `dot` and `nocase` off and a leading `!` being plain text,
reads a pattern by one of three routes. Here are the rules around it, and its two lesser routes.
"""

from __future__ import annotations

import re

from . import expression as ex
from .errors import GlobError, Unmatchable, unsupported
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

#: Patterns taken for simpler ones, as a whole only.
_SYNONYMS = {"***": "*", "**/**": "**", "**/**/**": "**"}
_simple = re.compile(r"(\*|\.\*|\*\.\*|\*/\*|\*\*|\*\*/(?:\*|\*\.\*|\.\*))((?:\.[A-Za-z0-9_]+)*)")
_full = re.compile(r"\A[*!]|[/()\[\]{}\"]")
_not_star = re.compile(r"[^\w*?]", re.ASCII)
_flat_run = re.compile(r"(\w+)|([^\w\\])\2*", re.ASCII)

_top_directories = ex.optional(ex.sequence([ex.no_dot, ex.globstar, "/"]))
_SIMPLE: dict[str, list[Item]] = {
    "*": [ex.no_dot, ex.some_unit, ex.star],
    ".*": [".", ex.some_unit, ex.star],
    "*.*": [ex.no_dot, ex.star, ".", ex.some_unit, ex.star],
    "*/*": [ex.no_dot, ex.star, "/", ex.some_unit, ex.no_dot, ex.star],
    "**": [ex.no_dot, ex.globstar],
    "**/*": [_top_directories, ex.no_dot, ex.some_unit, ex.star],
    "**/*.*": [_top_directories, ex.no_dot, ex.star, ".", ex.some_unit, ex.star],
    "**/.*": [_top_directories, ".", ex.some_unit, ex.star],
}


def compile_glob(pattern: str) -> Callable[[str], bool]:
    """The test of a path, relative and written with `/` or with backslashes, against a pattern.

    The cost of a test is bounded by the product of both sizes, whatever the pattern. Raises GlobError,
    its reason "leading-slash" or "invalid-glob".
    """
    if pattern.startswith("/"):
        raise GlobError("leading-slash", "paths are relative to the repository; leave out the /")
    pattern = _utf16(pattern)
    if not 0 < len(pattern) <= MAX_LENGTH:
        raise GlobError("invalid-glob", "a pattern has 1 to %d UTF-16 units" % MAX_LENGTH)
    try:
        branches = [ex.merged(branch) for branch in _branches(pattern)]
    except Unmatchable:
        branches = []
    expression = ex.choice(branches)
    prefix, suffixes = _literal_ends(branches)
    reaches_hidden = _dot_segment.search(pattern) is not None

    def match(path: str) -> bool:
        if "\\" in path:
            path = path.replace("\\", "/")
        if path.startswith("./"):
            path = path[2:]
        if not path.isascii():
            path = _utf16(path)
        if path == pattern:
            return True
        if not path.startswith(prefix) or not path.endswith(suffixes) or not path:
            return False
        if not reaches_hidden and ("/." in path or path[0] == ".") and _dot_segment.search(path):
            return False
        scanned = ex.path_of(path)
        return expression(1, scanned, {}) & scanned.start != 0

    return match


def _utf16(text: str) -> str:
    """The text with each character outside the BMP as its two surrogates."""
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
    before = items[-2] if last is ex.optional_slash else ""
    return prefix, (before, before + "/") if isinstance(before, str) else ("",)


def _branches(pattern: str) -> list[list[Item]]:
    """What the pattern means by its route."""
    simple_allowed = pattern[0] in "*."
    pattern = _SYNONYMS.get(pattern, pattern)
    if pattern.startswith("./"):
        pattern = pattern[2:]
    simple = _simple.fullmatch(pattern) if simple_allowed else None
    if simple:
        return [[*_SIMPLE[simple[1]], simple[2], ex.optional_slash]]
    return translate(pattern) if _full.search(pattern) else _flat(pattern)


def _flat(pattern: str) -> list[list[Item]]:
    """A pattern without slashes, groups, classes and braces, read run by run of one character."""
    branches: list[list[Item]] = [[]]
    index = 0
    while index < len(pattern):
        escaped = pattern[index] == "\\"
        run = _flat_run.match(pattern, index + escaped)
        if not run or (escaped and run[1]):
            item, index = read_escape(pattern, index + 1)
            if item == "\\" and _not_star.match(pattern, index):
                raise unsupported("\\\\" + pattern[index], "/ between directories")
            branches[-1].append(item)
            continue
        branches[-1] += _flat_items(run[0], escaped, index == 0)
        if run[2] == "|":
            branches += [[] for _ in run[0][1:]]
        index = run.end()
    return branches


def _flat_items(run: str, escaped: bool, first: bool) -> list[Item]:
    """A word, or a run of one other character, of which only the first is sure to be literal."""
    char, more = run[0], len(run) - 1
    if char == "*":
        return ["*", *[ex.star][:more]] if escaped else [ex.star]
    if char == "?":
        once = "?" if escaped else ex.any_unit_but_dot if first else ex.any_unit
        return [once, *[ex.any_unit] * more]
    if char == "|":
        return ["|"]
    if not more or char not in "+$^":
        return [run]
    if char != "+":
        return [char, ex.end if char == "$" else ex.start]
    if more > 1:
        raise Unmatchable
    return [ex.repeated("+")]
