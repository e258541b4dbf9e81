"""YAML frontmatter: the exact value of a subset of YAML 1.2 (core schema), or a refusal.

Refused by name: anchors, aliases, tags, complex keys, keys that are not text, pairs in a list
(`[a: b]`), directives, document markers. The rest is read; what implementations dispute is refused.

Read here are lists, maps, keys of one word, and everyday scalars of one line. Other scalars have a
module for each style, `yaml_plain`, `yaml_quoted` and `yaml_block`, other keys `yaml_keys`, and
refusals that look closer `yaml_refusals`; they are imported when a text needs them.

Functions take the whole text and a position in it. The text ends with a line feed and a NUL, so no
look at a next character needs a bounds check. On the block level they return a value with position
and column (from 0) of the content that follows; inside a line, a value and the position behind it.
`parent` is the column of the key or dash a value belongs to, -1 at the top; `least` is the smallest
column at which further lines of a value may start. Numbers in brackets are sections of YAML 1.2.2.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, NoReturn, Optional

    Flow = Callable[[str, int, int, int, int], tuple[Any, int]]
    Match = Callable[[str, int], Optional[re.Match[str]]]

__all__ = ["YamlError", "parse"]

_MAX_BLOCK_DEPTH = 64
_MAX_FLOW_DEPTH = 512
_MAX_DIGITS = 400
_BYTE_ORDER_MARK = "\ufeff"
END = "\0"
#: Stands for END in a text whose last line is only spaces and has no line feed.
UNFINISHED = "\0\0"

_CONTROL = re.compile(r"[\0-\x08\x0b-\x1f\x7f]").search

# An everyday scalar needs no second look: it is of one line, without escapes, colons and hashes.
_ONE_LINE_QUOTED = r""""[^"\\\n]*"|'[^'\n]*'"""
_FIRST = r"""[^-?:#,\[\]{}&*!|>'"%@` \t\n\0]"""
_FLOW_SCALAR = re.compile(
    rf"({_ONE_LINE_QUOTED}|{_FIRST}(?:[^\t\n:#,\[\]{{}}]*[^ \t\n:#,\[\]{{}}])?) *(?:, *|(?=[\]}}]|: ))"
).match
# Such a scalar, the end of its line, and the indentation of the next one, which has content.
_SCALAR_LINE = rf"({_ONE_LINE_QUOTED}|{_FIRST}(?:[^\t\n:#]*[^ \t\n:#])?) *\n( *)(?![ \t\n#])"
# A dash, and a key of one word, with the white space behind them and, where it is one, that line.
_DASH = re.compile(rf"-([ \t]+|(?=\n))(?:{_SCALAR_LINE})?").match
_WORD_KEY = re.compile(
    rf"([A-Za-z_][A-Za-z0-9_-]{{0,99}}):([ \t]+|(?=\n))(?:{_SCALAR_LINE})?"
).match

# White space and comments: to the end of a line, over whole lines, inside brackets.
_REST = re.compile(r"[ \t]*(?:(?<=[ \t])#[^\n]*)?\n").match
_BLANK_LINES = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*( *)").match
_GAP = re.compile(r"(?:[ \t\n]+|(?<=[ \t\n])#[^\n]*)*").match
SPACES = re.compile(r" *").match

# The core schema (10.3.2); what matches nothing is a string.
_WORDS = {
    "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_NUMBER_START = frozenset("+-.0123456789")
# With a group for what makes it no integer.
_NUMBER = re.compile(r"[-+]?(?=\.?[0-9])[0-9]*(\.[0-9]*)?([eE][-+]?[0-9]+)?").fullmatch
_RADIXES = {"0o": (8, "01234567"), "0x": (16, "0123456789abcdefABCDEF")}
_NOT_FINITE = frozenset(".inf .Inf .INF +.inf +.Inf +.INF -.inf -.Inf -.INF .nan .NaN .NAN".split())

#: `yaml_refusals` says of each why no plain scalar starts with it.
_INDICATORS = frozenset("-?:&*!,]}#|>[{@`%")
#: What makes `-`, `?` and `:` indicators by following them, outside and inside of brackets.
WHITE = " \t\n"
FLOW_WHITE = " \t\n,[]{}"
QUOTES = "\"'"
UNCLOSED = (
    "this {} is not closed, or a line below is not indented deeper than the key: {}, or indent "
    "the lines with spaces"
)
_MISALIGNED = "the indentation fits no entry above: align this line with the entries it belongs to"
_MISPLACED_MARK = "a byte order mark can only stand before a key in column 1: remove it"


class YamlError(ValueError):
    """Text that is not YAML, or not of the supported subset.

    `problem` says what is wrong and what to write instead. `line` and `column` count from 1 in the
    text given to `parse`, columns in characters, without a byte order mark.
    """

    def __init__(self, problem: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {problem}")
        self.problem = problem
        self.line = line
        self.column = column


def parse(text: str) -> Any:
    """The value of a YAML document: dict (in source order), list, str, int, float, bool or None.

    Integers are exact; numbers beyond the largest double are infinities. A text of only comments
    and blank lines is None. Takes time linear in the length of the text. Raises YamlError.
    """
    # Most texts are one line, since entries are read one by one: that line needs no search for others.
    line = _WORD_KEY(text, 0)
    if line and line.end() == len(text) and not _CONTROL(text):
        key, _, scalar, indentation = line.groups()
        if scalar and not indentation and key not in _WORDS:
            return {key: resolve(scalar)}
    src = _source(text)
    pos, column = content(src, 0)
    if src[pos] == END:
        return None
    if src[pos] == "%":
        fail("directives are not supported: remove this line, or quote the text", src, pos)
    if src[pos] == _BYTE_ORDER_MARK and pos:
        fail(_MISPLACED_MARK, src, pos)
    value, pos, column = _node(src, pos, column, -1, 0)
    if src[pos] != END:
        fail(_MISALIGNED, src, pos)
    return value


def _source(text: str) -> str:
    """The text without byte order mark and CR, terminated; refused if it can be no document."""
    if text.startswith(_BYTE_ORDER_MARK):
        if text.startswith((" ", "-"), 1):
            fail(_MISPLACED_MARK, text, 0)
        text = text[1:]
    text = text.replace("\r\n", "\n")
    control = _CONTROL(text)
    if control:
        name = f"control character U+{ord(control[0]):04X}"
        fail(f"{name}: remove it, or escape it in double quotes", text, control.start())
    if "---" in text or "..." in text:
        from .yaml_refusals import check_markers

        check_markers(text)
    last = text[text.rfind("\n") + 1 :]
    if not last:
        return text + END
    if last.strip(" \t"):
        return text + "\n" + END
    if "\t" in last:
        fail("the last line is only white space: remove it", text, len(text))
    return text + "\n" + UNFINISHED


# --- block level ------------------------------------------------------------------------------


def _node(src: str, pos: int, column: int, parent: int, depth: int) -> tuple[Any, int, int]:
    """Whatever starts at `pos`, with only white space and dashes before it on its line."""
    if _DASH(src, pos):
        return _sequence(src, pos, column, depth + 1)
    return _mapping(src, pos, column, depth + 1) or _inline(src, pos, parent)


def _mapping(src: str, pos: int, indent: int, depth: int) -> tuple[dict[str, Any], int, int] | None:
    """The entries whose keys start at column `indent`; None if there is none."""
    entries: dict[str, Any] = {}
    starts: list[int] = []
    column = indent
    while column == indent and src[pos] != END:
        word = _WORD_KEY(src, pos)
        if word:
            key, _, text, indentation = word.groups()
            after = word.end(2)
            if key in _WORDS:
                fail_not_text(src, pos, key)
        else:
            found = _unusual_key(src, pos)
            if found is None and not entries:
                return None
            key, after = found or _fail_without_key(src, pos)
            text = None
        if not entries:
            _check_depth(src, pos, depth, _MAX_BLOCK_DEPTH)
        if key in entries:
            _fail_duplicate(src, pos, key, starts[list(entries).index(key)])
        starts.append(pos)
        if word and text and (len(indentation) <= indent or text[0] in QUOTES):
            entries[key], pos, column = resolve(text), word.end(), len(indentation)
        else:
            entries[key], pos, column = _value(src, after, indent, depth)
    return entries, pos, column


def _value(src: str, pos: int, indent: int, depth: int) -> tuple[Any, int, int]:
    """The value of a key at column `indent`, from behind its colon and white space."""
    if src[pos] not in "\n#":
        return _inline(src, pos, indent)
    pos, column = _below(src, pos, indent)
    if column > indent:
        return _node(src, pos, column, indent, depth)
    if column == indent and _DASH(src, pos):
        return _sequence(src, pos, column, depth + 1)
    return None, pos, column


def _sequence(src: str, pos: int, indent: int, depth: int) -> tuple[list[Any], int, int]:
    """The items whose dashes stand at column `indent`."""
    _check_depth(src, pos, depth, _MAX_BLOCK_DEPTH)
    items: list[Any] = []
    column = indent
    while column == indent:
        dash = _DASH(src, pos)
        if dash is None:
            break
        _, text, indentation = dash.groups()
        if text and (len(indentation) <= indent or text[0] in QUOTES):
            value, pos, column = resolve(text), dash.end(), len(indentation)
        else:
            value, pos, column = _item(src, pos, dash.end(1), indent, depth)
        items.append(value)
    return items, pos, column


def _item(src: str, dash: int, pos: int, indent: int, depth: int) -> tuple[Any, int, int]:
    """The item of the dash at `dash`, in column `indent`, from behind the white space after it."""
    if src[pos] in "\n#":
        pos, column = _below(src, pos, indent)
        if column > indent:
            return _node(src, pos, column, indent, depth)
        return None, pos, column
    if "\t" in src[dash:pos] and (_DASH(src, pos) or _is_key(src, pos)):
        fail("a tab cannot indent a list or a map: write spaces after the dash", src, pos)
    return _node(src, pos, indent + pos - dash, indent, depth)


def _inline(src: str, pos: int, parent: int) -> tuple[Any, int, int]:
    """A scalar or a flow collection, with nothing but a comment behind it."""
    char = src[pos]
    value: Any
    if char in "|>":
        from .yaml_block import block_scalar

        return block_scalar(src, pos, parent)
    if char in "[{":
        value, end = _FLOW_COLLECTIONS[char](src, pos, parent + 1, parent, 1)
    elif char in QUOTES:
        value, end = _quoted(src, pos, parent + 1)
    else:
        from .yaml_plain import TEXT, plain

        _check_start(src, pos, WHITE)
        text, end = plain(src, pos, parent + 1, TEXT)
        value = resolve(text)
    rest = _REST(src, end)
    if rest is None:
        from .yaml_refusals import refuse_after_value

        refuse_after_value(src, pos, end)
    return (value, *content(src, rest.end()))


def _is_key(src: str, pos: int) -> bool:
    word = _WORD_KEY(src, pos)
    if word and word[1] in _WORDS:
        fail_not_text(src, pos, word[1])
    return bool(word or _unusual_key(src, pos))


def _unusual_key(src: str, pos: int) -> tuple[str, int] | None:
    from .yaml_keys import unusual_key

    return unusual_key(src, pos)


def content(src: str, line: int) -> tuple[int, int]:
    """Position and column of the first content from the start of a line on; 0 at the end."""
    if src[line] not in " \t#\n":
        return line, 0
    blank = _BLANK_LINES(src, line)
    assert blank is not None
    pos = blank.end()
    if src[pos] == "\t":
        fail("a tab cannot indent a line: use spaces", src, pos)
    return pos, pos - blank.start(1)


def _below(src: str, pos: int, indent: int) -> tuple[int, int]:
    """The content below the line of `pos`, which ends a key or dash in column `indent`."""
    line = src.index("\n", pos) + 1
    pos, column = content(src, line)
    if column <= indent or "#" in src[line:pos]:
        check_tabs(src, line, pos, indent + 1)
    return pos, column


# --- scalars ----------------------------------------------------------------------------------


def resolve(text: str) -> Any:
    """The value of a scalar of one line: plain by the core schema, or quoted without escapes."""
    first = text[0]
    if first in QUOTES:
        return text[1:-1]
    if first not in _NUMBER_START:
        return _WORDS.get(text, text)
    number = _NUMBER(text)
    if number is None:
        return _unusual_number(text)
    if number.lastindex or len(text) > _MAX_DIGITS:
        return float(text)
    return _finite(int(text))


def _unusual_number(text: str) -> Any:
    """The value of a plain scalar that is no decimal number but may be another."""
    if text in _NOT_FINITE:
        return float(text.replace(".", "", 1))
    radix, digits = _RADIXES.get(text[:2], (0, ""))
    if radix and text[2:] and not text[2:].strip(digits):
        return _finite(int(text[2:], radix))
    return text


def _finite(value: int) -> int | float:
    """The integer itself, or an infinity if no double can hold it."""
    try:
        float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
    return value


def _quoted(src: str, pos: int, least: int) -> tuple[str, int]:
    from .yaml_quoted import quoted

    return quoted(src, pos, least)


# --- flow collections -------------------------------------------------------------------------
# `closing` is the smallest column of the closing bracket. People write the outermost one in the
# column of its key, which the grammar does not allow and parsers read.


def _flow_sequence(
    src: str, start: int, least: int, closing: int, depth: int
) -> tuple[list[Any], int]:
    _check_depth(src, start, depth, _MAX_FLOW_DEPTH)
    items: list[Any] = []
    pos = _gap(src, start + 1, least, closing, start)
    while src[pos] != "]":
        scalar = _FLOW_SCALAR(src, pos)
        if scalar and src[scalar.end()] not in ":}":
            items.append(resolve(scalar[1]))
            pos = _gap(src, scalar.end(), least, closing, start)
            continue
        read = _FLOW_COLLECTIONS.get(src[pos])
        if read:
            value, pos = read(src, pos, least, least, depth + 1)
        else:
            value, pos = _flow_scalar(src, pos, least)
        items.append(value)
        pos = _gap(src, pos, least, closing, start)
        if src[pos] == ":":
            fail("a pair in a list is not supported: write {a: b}, or quote the text", src, pos)
        pos = _flow_next(src, pos, "]", least, closing, start)
    return items, pos + 1


def _flow_mapping(
    src: str, start: int, least: int, closing: int, depth: int
) -> tuple[dict[str, Any], int]:
    _check_depth(src, start, depth, _MAX_FLOW_DEPTH)
    entries: dict[str, Any] = {}
    starts: list[int] = []
    pos = _gap(src, start + 1, least, closing, start)
    while src[pos] != "}":
        key_start = pos
        key, pos = _flow_scalar(src, pos, least)
        if not isinstance(key, str):
            fail_not_text(src, key_start, src[key_start:pos].rstrip(" \t"))
        if key in entries:
            _fail_duplicate(src, key_start, key, starts[list(entries).index(key)])
        starts.append(key_start)
        entries[key] = None
        pos = _gap(src, pos, least, closing, start)
        if src[pos] == ":":
            pos = _gap(src, pos + 1, least, closing, start)
            read = _FLOW_COLLECTIONS.get(src[pos])
            if read:
                entries[key], end = read(src, pos, least, least, depth + 1)
            elif src[pos] in ",}":
                end = pos
            else:
                entries[key], end = _flow_scalar(src, pos, least)
            pos = _gap(src, end, least, closing, start)
            if "\n#" in src[end:pos]:  # implementations differ on it
                fail("a comment between a value and its end needs a space before #", src, end)
        pos = _flow_next(src, pos, "}", least, closing, start)
    return entries, pos + 1


_FLOW_COLLECTIONS: dict[str, Flow] = {"[": _flow_sequence, "{": _flow_mapping}


def _flow_scalar(src: str, pos: int, least: int) -> tuple[Any, int]:
    scalar = _FLOW_SCALAR(src, pos)
    if scalar:
        return resolve(scalar[1]), scalar.end(1)
    if src[pos] in QUOTES:
        return _quoted(src, pos, least)
    from .yaml_plain import FLOW_TEXT, plain

    _check_start(src, pos, FLOW_WHITE)
    text, end = plain(src, pos, least, FLOW_TEXT)
    return resolve(text), end


def _flow_next(src: str, pos: int, close: str, least: int, closing: int, start: int) -> int:
    """From the comma behind an entry to the next entry; a closing bracket stays."""
    if src[pos] == ",":
        return _gap(src, pos + 1, least, closing, start)
    if src[pos] != close:
        fail(f"expected a comma or {close}: add it, or quote the whole text", src, pos)
    return pos


def _gap(src: str, pos: int, least: int, closing: int, start: int) -> int:
    """Over white space, line breaks and comments inside the brackets opened at `start`."""
    if src[pos] == " ":
        pos += 1
    if src[pos] not in " \t\n#":
        return pos
    end = skip(_GAP, src, pos)
    line = src.rfind("\n", pos, end) + 1
    if line:
        column = skip(SPACES, src, line) - line
        if src[end] == END or column < (closing if src[end] in "]}" else least):
            fail(UNCLOSED.format(src[start], "add the closing bracket"), src, start)
    return end


# --- checks and refusals ----------------------------------------------------------------------


def skip(match_always: Match, src: str, pos: int) -> int:
    """The end of what a pattern that cannot fail matches at `pos`."""
    match = match_always(src, pos)
    assert match is not None
    return match.end()


def fail(problem: str, src: str, pos: int) -> NoReturn:
    raise YamlError(problem, src.count("\n", 0, pos) + 1, pos - src.rfind("\n", 0, pos))


def indicator_at(src: str, pos: int, white: str) -> str | None:
    """The indicator at `pos` that keeps a plain scalar from starting there (7.3.3)."""
    char = src[pos]
    if char not in _INDICATORS or (char in "-?:" and src[pos + 1] not in white):
        return None
    return char


def check_tabs(src: str, pos: int, end: int, least: int) -> None:
    """Refuses a tab before column `least` on a blank line (6.4) or, where others err, a comment."""
    if src.find("\t", pos, end) >= 0:
        from .yaml_refusals import check_tab_lines

        check_tab_lines(src, pos, end, least)


def _check_depth(src: str, pos: int, depth: int, limit: int) -> None:
    if depth > limit:
        fail(f"maps and lists nested deeper than {limit} levels are not supported", src, pos)


def _check_start(src: str, pos: int, white: str) -> None:
    indicator = indicator_at(src, pos, white)
    if indicator:
        from .yaml_refusals import refuse_indicator

        refuse_indicator(src, pos, indicator)


def _fail_duplicate(src: str, pos: int, key: str, first: int) -> NoReturn:
    from .yaml_refusals import refuse_duplicate

    refuse_duplicate(src, pos, key, first)


def fail_not_text(src: str, pos: int, key: str) -> NoReturn:
    from .yaml_refusals import refuse_not_text

    refuse_not_text(src, pos, key)


def _fail_without_key(src: str, pos: int) -> NoReturn:
    from .yaml_refusals import refuse_without_key

    refuse_without_key(src, pos)
