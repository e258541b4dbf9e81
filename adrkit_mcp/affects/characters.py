"""Escapes and character classes, as ECMAScript regular expressions read them without the Unicode flag.

Both reach into globs, since the peer turns a glob into such an expression. Characters are UTF-16 units.
"""

from __future__ import annotations

import re

from ..ecma import WHITE_SPACE
from .errors import Unmatchable, unsupported

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Union

    Ranges = tuple[tuple[int, int], ...]
    #: One unit, or the units a class escape such as `\d` stands for.
    Escaped = Union[str, Ranges]

_DIGITS: Ranges = ((0x30, 0x39),)
_WORDS: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
_SPACES: Ranges = tuple((ord(char), ord(char)) for char in WHITE_SPACE)
_CLASSES = {"d": _DIGITS, "w": _WORDS, "s": _SPACES}
_CONTROLS = {"f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_hexadecimal = re.compile("x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})")

#: POSIX names of ASCII characters, as text of a class.
_NAMED = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "ascii": r"\x00-\x7F",
    "blank": r" \t",
    "cntrl": r"\x00-\x1F\x7F",
    "digit": "0-9",
    "graph": r"\x21-\x7E",
    "lower": "a-z",
    "print": r"\x20-\x7E ",
    "punct": r"\-!-/:-@\[-`{-}~",
    "space": r" \t\r\n\v\f",
    "upper": "A-Z",
    "word": "A-Za-z0-9_",
    "xdigit": "A-Fa-f0-9",
}
_LONGEST_NAME = max(map(len, _NAMED))


class Charset(dict[int, str]):
    """A table from a unit to "1" if it belongs to the set and "0" if not, filled as units are met."""

    __slots__ = ("_negated", "_ranges")

    def __init__(self, ranges: Ranges, negated: bool = False) -> None:
        self._ranges = ranges
        self._negated = negated

    def __missing__(self, unit: int) -> str:
        inside = any(low <= unit <= high for low, high in self._ranges)
        self[unit] = bit = "0" if inside is self._negated else "1"
        return bit


def escaped_units(text: str, index: int) -> tuple[Escaped, int]:
    """What the character at `index`, behind a backslash, stands for, and the index after it.

    `\\b`, which means one thing in a class and another outside, is not for this function.
    """
    char = text[index]
    if char in "dws":
        return _CLASSES[char], index + 1
    if char in "DWS":
        return _complement(_CLASSES[char.lower()]), index + 1
    if char in _CONTROLS:
        return _CONTROLS[char], index + 1
    if char == "c" or "0" <= char <= "9":
        raise unsupported("\\" + char, "/ between directories, or the character alone")
    code = _hexadecimal.match(text, index)
    if code:
        return chr(int(code[1] or code[2], 16)), code.end()
    return char, index + 1


def read_class(pattern: str, index: int) -> tuple[str, bool, bool, int] | None:
    """The text of the class whose `[` stands before `index`, as a regular expression has it.

    With it, whether a `[:name:]` seemed to begin in it, whether one was found, and the index after the
    closing `]`; None if the class never ends.
    """
    text, naming, named = "", False, False
    while index < len(pattern):
        char, following = pattern[index], pattern[index + 1 : index + 2]
        index += 1
        if char == "\\":
            if not following:
                return None
            if pattern.startswith("\\\\\\", index):
                raise unsupported("a row of backslashes", "/ between directories")
            if following not in "/.;":
                text += char + following
                index += 1
            continue
        if char == "]":
            if text not in ("", "^"):
                return text, naming, named, index
            char = "\\]"
        elif char == ":" and "[" in text:
            naming = True
            opening = text.rfind("[", -_LONGEST_NAME - 2)
            source = _NAMED.get(text[opening + 2 :]) if opening >= 0 else None
            if source:
                if text[opening + 1] != ":" or following != "]":
                    raise unsupported("[:name without :]", "[[:name:]]")
                text = text[:opening] + source
                named = True
                index += 1
                continue
        elif char == "[" and following != ":":
            char = "\\["
        elif char == "-" and following == "]":
            char = "\\-"
        text += char
    return None


def class_charset(text: str) -> Charset:
    """The set that a class of this text, without its brackets, stands for.

    Raises Unmatchable for a range that runs backwards.
    """
    negated = text.startswith("^")
    index = 1 if negated else 0
    ranges: list[tuple[int, int]] = []
    while index < len(text):
        first, index = _class_atom(text, index)
        if text[index : index + 1] != "-" or index + 1 == len(text):
            ranges.extend(_ranges(first))
            continue
        last, index = _class_atom(text, index + 1)
        if not isinstance(first, str) or not isinstance(last, str):
            ranges.extend((*_ranges(first), *_ranges("-"), *_ranges(last)))
        elif first > last:
            raise Unmatchable
        else:
            ranges.append((ord(first), ord(last)))
    return Charset(tuple(ranges), negated)


def _class_atom(text: str, index: int) -> tuple[Escaped, int]:
    if text[index] != "\\":
        return text[index], index + 1
    if text[index + 1] == "b":
        return "\b", index + 2
    return escaped_units(text, index + 1)


def _ranges(escaped: Escaped) -> Ranges:
    return ((ord(escaped), ord(escaped)),) if isinstance(escaped, str) else escaped


def _complement(ranges: Ranges) -> Ranges:
    result, low = [], 0
    for first, last in sorted(ranges):
        result.append((low, first - 1))
        low = last + 1
    return (*result, (low, 0xFFFF))
