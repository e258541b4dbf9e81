"""Expressions over a path, matched by sets of positions instead of by backtracking.

An expression is a function from a set of positions where a match may end to the set of positions where
one can begin. A set is an integer: bit `size - p` stands for position `p`, so that one step back through
the path is one shift left and a whole run of characters is one addition. Every expression is applied to
whole sets, a look-ahead once a match, and a repetition at most once for each position it newly reaches:
the cost is bounded by the pattern's size times the path's, whatever the pattern.
"""

from __future__ import annotations

from functools import lru_cache

from .characters import Charset

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Callable, Union

    Expression = Callable[[int, "Path", dict[object, int]], int]
    #: What stands in a sequence: plain text, or an expression.
    Item = Union[str, Expression]

_LINE_BREAKS = Charset(tuple((ord(char), ord(char)) for char in "\n\r\u2028\u2029"))


class Path:
    """A path of UTF-16 units and the position sets that the constant expressions read.

    The sets name positions by what begins there, except `in_segment` and `in_tree`: the positions behind
    a unit that a star, or a globstar, may take.
    """

    __slots__ = (
        "all",
        "before_segment_end",
        "dot",
        "in_segment",
        "in_tree",
        "line",
        "size",
        "slash",
        "start",
        "text",
    )

    def __init__(self, text: str) -> None:
        self.text = text
        self.size = len(text)
        self.start = 1 << self.size
        self.all = (self.start << 1) - 1
        self.slash = self.occurrences("/")
        self.dot = self.occurrences(".")
        self.line = self.all & ~1
        if not text.isprintable():
            self.line &= ~self.units(_LINE_BREAKS)
        self.in_segment = (self.all & ~1 & ~self.slash) >> 1
        self.in_tree = (
            self.line & ~(self.dot & self.start) & ~(self.slash & (self.dot << 1))
        ) >> 1
        segment_end = self.slash | 1
        self.before_segment_end = segment_end | (self.dot & (segment_end << 1))

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
        return int(self.text.translate(charset) or "0", 2) << 1


#: The candidates of a call are matched with every pattern of the corpus.
path_of = lru_cache(maxsize=512)(Path)


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


def merged(items: Iterable[Item]) -> list[Item]:
    """The items with neighbouring texts made one, and empty ones left out."""
    result: list[Item] = []
    for item in items:
        if item == "":
            continue
        if isinstance(item, str) and result and isinstance(result[-1], str):
            result[-1] += item
        else:
            result.append(item)
    return result


def choice(branches: list[list[Item]]) -> Expression:
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

    What was reached once is not followed again, not even when a repetition around this one asks anew:
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


# Constant expressions. `memo` is theirs only by the common signature.


def start(ends: int, path: Path, memo: dict[object, int]) -> int:
    """Nothing, at the very start of the path."""
    return ends & path.start


def end(ends: int, path: Path, memo: dict[object, int]) -> int:
    """Nothing, at the very end of the path."""
    return ends & 1


def no_dot(ends: int, path: Path, memo: dict[object, int]) -> int:
    """Nothing, where no `.` follows."""
    return ends & ~path.dot


def some_unit(ends: int, path: Path, memo: dict[object, int]) -> int:
    """Nothing, where something other than a line break follows."""
    return ends & path.line


def no_dot_name(ends: int, path: Path, memo: dict[object, int]) -> int:
    """Nothing, where the segment goes on, and not with one last `.`."""
    return ends & ~path.before_segment_end


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
    """Any number of units, entering no segment that begins with `.`."""
    return _run(ends, path.in_tree)


def tree_below(ends: int, path: Path, memo: dict[object, int]) -> int:
    """`/**` at the end: everything below, or nothing."""
    return (_run(ends, path.in_tree) & ~path.dot) << 1 & path.slash | ends & 1


def directories(ends: int, path: Path, memo: dict[object, int]) -> int:
    """`/**/`: a slash, directories between two slashes, or the end of the path."""
    return closed_directories(ends, path, memo) | ends & 1


def closed_directories(ends: int, path: Path, memo: dict[object, int]) -> int:
    """`/**/` with nothing behind it: a slash, or directories between two slashes."""
    last = ends << 1 & path.slash
    return last | (_run(last, path.in_tree) & ~path.dot) << 1 & path.slash


def leading_directories(ends: int, path: Path, memo: dict[object, int]) -> int:
    """`**/` at the start: nothing, a slash, or directories."""
    last = ends << 1 & path.slash
    return ends & path.start | last | _run(last, path.in_tree)


optional_slash = optional("/")


def _run(ends: int, behind: int) -> int:
    """`ends`, and all that is reached from them by steps over positions in `behind`."""
    return (((ends & behind) + behind) ^ behind) | ends
