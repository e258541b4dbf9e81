"""Expressions over a path, matched by sets of positions instead of by backtracking.

An expression is a function from a set of positions where a match may end to the set of positions where
one can begin. A set is an integer: bit `size - p` stands for position `p`, so that one step back through
the path is one shift to the left, and a whole run of characters is one addition. A match evaluates every
expression on whole sets, a look-ahead once, and what is repeated at most once for each position it newly
reaches: the cost is bounded by the pattern's size times the path's.
"""

from __future__ import annotations

from functools import lru_cache

from .characters import Charset

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Callable, Union

    #: (ends, path, memo) -> starts. The memo keeps what one match need not find twice.
    Expression = Callable[[int, "Path", dict[object, int]], int]
    #: What stands in a sequence: plain text, or an expression.
    Item = Union[str, Expression]

_LINE_BREAKS = Charset(tuple((ord(char), ord(char)) for char in "\n\r\u2028\u2029"))


class Path:
    """A path of UTF-16 units, with the position sets that constant expressions read.

    A set names positions by what begins at them; `in_segment` and `in_tree` name those behind a unit that
    a star, and a globstar, may take.
    """

    __slots__ = ("all", "at_segment_end", "dot", "in_segment", "in_tree", "line", "size", "slash",
                 "start", "text")  # fmt: skip

    def __init__(self, text: str) -> None:
        self.text = text
        self.size = len(text)
        self.start = 1 << self.size
        self.all = (self.start << 1) - 1
        self.slash = self.occurrences("/")
        self.dot = self.occurrences(".")
        self.line = self.all - 1
        if not text.isprintable():
            self.line &= ~self.units(_LINE_BREAKS)
        segment_end = self.slash | 1
        self.at_segment_end = segment_end | (self.dot & (segment_end << 1))
        self.in_segment = (self.all - 1 & ~self.slash) >> 1
        hidden = self.dot & self.start | self.slash & (self.dot << 1)
        self.in_tree = (self.line & ~hidden) >> 1

    def occurrences(self, part: str) -> int:
        """The positions where `part` begins."""
        text, size, found = self.text, self.size, 0
        at = text.find(part)
        while at >= 0:
            found |= 1 << (size - at)
            at = text.find(part, at + 1)
        return found

    def units(self, charset: Charset) -> int:
        """The positions of the units of a set."""
        return int(self.text.translate(charset), 2) << 1


#: The candidates of one call are matched with every pattern of the corpus.
path_of = lru_cache(maxsize=512)(Path)


def merged(items: Iterable[Item]) -> list[Item]:
    """The items, with neighbouring texts made one and empty ones left out."""
    result: list[Item] = []
    texts: list[str] = []
    for item in (*items, None):
        if isinstance(item, str):
            texts.append(item)
            continue
        run = "".join(texts)
        if run:
            result.append(run)
        texts.clear()
        if item:
            result.append(item)
    return result


def sequence(items: Iterable[Item]) -> Expression:
    """One item after the other."""
    parts = [text(item) if isinstance(item, str) else item for item in merged(items)]
    if len(parts) == 1:
        return parts[0]
    parts.reverse()

    def starts(ends: int, path: Path, memo: dict[object, int]) -> int:
        for part in parts:
            ends = part(ends, path, memo)
            if not ends:
                return 0
        return ends

    return starts


def choice(branches: Iterable[Iterable[Item]]) -> Expression:
    """Any one of the branches."""
    parts = [sequence(branch) for branch in branches]
    if len(parts) == 1:
        return parts[0]

    def starts(ends: int, path: Path, memo: dict[object, int]) -> int:
        found = 0
        for part in parts:
            found |= part(ends, path, memo)
        return found

    return starts


def text(part: str) -> Expression:
    """A literal text."""
    length = len(part)

    def starts(ends: int, path: Path, memo: dict[object, int]) -> int:
        found = memo.get(part)
        if found is None:
            found = memo[part] = path.occurrences(part)
        return (ends << length) & found

    return starts


def unit_in(charset: Charset) -> Expression:
    """One unit of a set."""

    def starts(ends: int, path: Path, memo: dict[object, int]) -> int:
        found = memo.get(starts)
        if found is None:
            found = memo[starts] = path.units(charset)
        return (ends << 1) & found

    return starts


def optional(item: Item) -> Expression:
    """The item or nothing."""
    part = sequence([item])

    def starts(ends: int, path: Path, memo: dict[object, int]) -> int:
        return ends | part(ends, path, memo)

    return starts


def repeated(item: Item) -> Expression:
    """The item, one or more times.

    What a match reached once is not followed again, not even if a repetition around this one asks anew:
    that one unites all answers, so it needs only what is new.
    """
    part = sequence([item])

    def starts(ends: int, path: Path, memo: dict[object, int]) -> int:
        known, found = memo.get(starts, 0), 0
        while ends:
            ends = part(ends, path, memo) & ~known
            known |= ends
            found |= ends
        memo[starts] = known
        return found

    return starts


def not_followed_by(items: Iterable[Item]) -> Expression:
    """Nothing, at a position where no match of the items begins."""
    part = sequence(items)

    def starts(ends: int, path: Path, memo: dict[object, int]) -> int:
        found = memo.get(starts)
        if found is None:
            found = memo[starts] = part(path.all, path, memo)
        return ends & ~found

    return starts


# Constant expressions; they need no memo.


def start(ends: int, path: Path, memo: dict[object, int]) -> int:
    """Nothing, at the very start of the path."""
    return ends & path.start


def end(ends: int, path: Path, memo: dict[object, int]) -> int:
    """Nothing, at the very end of the path."""
    return ends & 1


def no_dot(ends: int, path: Path, memo: dict[object, int]) -> int:
    """Nothing, where no `.` follows."""
    return ends & ~path.dot


def no_dot_name(ends: int, path: Path, memo: dict[object, int]) -> int:
    """Nothing, behind a `.` that begins neither the segment `.` nor `..`."""
    return ends & ~path.at_segment_end


def some_unit(ends: int, path: Path, memo: dict[object, int]) -> int:
    """Nothing, where something other than a line break follows."""
    return ends & path.line


def any_unit(ends: int, path: Path, memo: dict[object, int]) -> int:
    """One unit but `/`."""
    return (ends & path.in_segment) << 1


def any_unit_but_dot(ends: int, path: Path, memo: dict[object, int]) -> int:
    """One unit but `/` and `.`."""
    return (ends & path.in_segment) << 1 & ~path.dot


def any_unit_of_line(ends: int, path: Path, memo: dict[object, int]) -> int:
    """One unit that is no line break."""
    return ends << 1 & path.line


def star(ends: int, path: Path, memo: dict[object, int]) -> int:
    """Any number of units but `/`."""
    return _run(ends, path.in_segment)


def globstar(ends: int, path: Path, memo: dict[object, int]) -> int:
    """Any number of units of a line, entering no segment that begins with `.`."""
    return _run(ends, path.in_tree)


def tree_below(ends: int, path: Path, memo: dict[object, int]) -> int:
    """`/**` at the end: everything below, or the end of the path."""
    return (_run(ends, path.in_tree) & ~path.dot) << 1 & path.slash | ends & 1


def closed_directories(ends: int, path: Path, memo: dict[object, int]) -> int:
    """`/**/` at the end: a slash, or directories between two slashes."""
    last = ends << 1 & path.slash
    return last | (_run(last, path.in_tree) & ~path.dot) << 1 & path.slash


def directories(ends: int, path: Path, memo: dict[object, int]) -> int:
    """`/**/` before more: the same, or the end of the path."""
    return closed_directories(ends, path, memo) | ends & 1


def leading_directories(ends: int, path: Path, memo: dict[object, int]) -> int:
    """`**/` at the start: nothing, a slash, or directories."""
    last = ends << 1 & path.slash
    return ends & path.start | last | _run(last, path.in_tree)


optional_slash = optional("/")


def _run(ends: int, behind: int) -> int:
    """`ends` and all that is reached from them by steps over the positions in `behind`.

    The addition carries each end through the run of ones that it stands in.
    """
    return (((ends & behind) + behind) ^ behind) | ends
