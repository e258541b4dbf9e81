"""YAML frontmatter: the exact value of a subset of YAML 1.2 (core schema), or a refusal.

Refused by name: anchors, aliases, tags, complex keys, keys that are not text, pairs in a list
(`[a: b]`), directives, document markers. The rest is read; what implementations dispute is refused.

Functions take the whole text and a position in it. The text ends with a line feed and a NUL, so no
look at a next character needs a bounds check. On the block level they return a value with position
and column (from 0) of the content that follows; inside a line, a value and the position behind it.
`parent` is the column of the key or dash a value belongs to, -1 at the top; `least` is the smallest
column at which further lines of a value may start. Numbers in brackets are sections of YAML 1.2.2.
"""

from __future__ import annotations

import re

from ..ecma import utf16_length

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, NoReturn, Optional

    Flow = Callable[[str, int, int, int, int], tuple[Any, int]]
    Match = Callable[[str, int], Optional[re.Match[str]]]

__all__ = ["YamlError", "parse"]

_MAX_BLOCK_DEPTH = 64
_MAX_FLOW_DEPTH = 512
_MAX_KEY = 1024
_MAX_SHOWN = 30
_MAX_DIGITS = 400
_BYTE_ORDER_MARK = "\ufeff"
_END = "\0"
#: Stands for _END in a text whose last line is only spaces and has no line feed.
_UNFINISHED = "\0\0"

_CONTROL = re.compile(r"[\0-\x08\x0b-\x1f\x7f]").search
_MARKER = re.compile(r"^(?:---|\.\.\.)(?=[ \t\n]|\Z)", re.MULTILINE).search

# Everyday lines and items: a scalar that needs no second look, with all up to what follows it.
_ONE_LINE_QUOTED = r""""[^"\\\n]*"|'[^'\n]*'"""
_FIRST = r"""[^-?:#,\[\]{}&*!|>'"%@` \t\n\0]"""
_SCALAR_LINE = re.compile(
    rf"({_ONE_LINE_QUOTED}|{_FIRST}(?:[^\t\n:#]*[^ \t\n:#])?) *\n( *)(?![ \t\n#])"
).match
_FLOW_ITEM = re.compile(
    rf"({_ONE_LINE_QUOTED}|{_FIRST}(?:[^\t\n:#,\[\]{{}}]*[^ \t\n:#,\[\]{{}}])?) *(?:, *|(?=\]))"
).match
_WORD_KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_-]{0,99}):(?:[ \t]+|(?=\n))").match

# Plain text up to the line end, a comment, or a colon that is not text (7.3.3).
_TEXT = re.compile(r"[^\n:#\0]*(?:(?::(?![ \t\n])|(?<![ \t\n])#)[^\n:#\0]*)*").match
_FLOW_TEXT = re.compile(
    r"[^\n:#,\[\]{}\0]*(?:(?::(?![ \t\n,\[\]{}])|(?<![ \t\n])#)[^\n:#,\[\]{}\0]*)*"
).match
_COLON = re.compile(r"[ \t]*:(?:[ \t]+|(?=\n))").match
_DASH = re.compile(r"-(?:[ \t]+|(?=\n))").match

# White space and comments: to the end of a line, over whole lines, inside brackets.
_REST = re.compile(r"[ \t]*(?:(?<=[ \t])#[^\n]*)?\n").match
_BLANK_LINES = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*( *)").match
_NEXT_LINE = re.compile(r"\n((?:[ \t]*\n)*)( *)[ \t]*").match
_GAP = re.compile(r"(?:[ \t\n]+|(?<=[ \t\n])#[^\n]*)*").match
_SPACES = re.compile(r" *").match
_TAB_LINES = re.compile(r"^( *)\t[ \t]*(?:#|$)", re.MULTILINE).finditer

_BLOCK_HEADER = re.compile(
    r"[|>](?:([1-9])([+-])?|([+-])([1-9])?)?[ \t]*(?:(?<=[ \t])#[^\n]*)?\n"
).match
_EMPTY_LINES = re.compile(r"(?: *\n)*( *)").match

_SINGLE_QUOTED = re.compile(r"'([^']*(?:''[^']*)*)'(?!')").match
_DOUBLE_QUOTED = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"', re.DOTALL).match
# An escaped line break before a blank line is no valid escape here: implementations differ on it.
_VALID_ESCAPES = re.compile(
    r'[^\\]*(?:\\(?:[0abtnvfre "/\\N_LP\t]|\n(?![ \t]*\n)|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}'
    r"|U(?:000[0-9a-fA-F]|0010)[0-9a-fA-F]{4})[^\\]*)*"
).match
_replace_white_escapes = re.compile(r"\\(\n[ \t]*|.)").sub
_replace_escapes = re.compile(r"\\(x..|u.{4}|U.{8}|.)").sub
_ESCAPED = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r",
    "e": "\x1b", " ": " ", '"': '"', "/": "/", "\\": "\\", "\t": "\t",
    "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip

# The core schema (10.3.2); what matches nothing is a string.
_WORDS = {
    "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_NUMBER_START = frozenset("+-.0123456789")
_NUMBER = re.compile(
    r"0o([0-7]+)|0x([0-9a-fA-F]+)|([-+]?[0-9]+)"
    r"|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
).fullmatch
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)").fullmatch

#: What makes `-`, `?` and `:` indicators by following them, outside and inside of brackets.
_WHITE = " \t\n"
_FLOW_WHITE = " \t\n,[]{}"
_QUOTES = "\"'"
_MISALIGNED = "the indentation fits no entry above: align this line with the entries it belongs to"
_UNCLOSED = (
    "this {} is not closed, or a line below is not indented deeper than the key: {}, or indent "
    "the lines with spaces"
)
_DOCUMENT_MARKER = (
    "the document marker {0} is not supported: remove it, or remove what follows it if it is to "
    "be a fence"
)
_MISPLACED_MARK = "a byte order mark can only stand before a key in column 1: remove it"
_BAD_ESCAPE = (
    "is no valid escape in double quotes: write \\\\ for a backslash, or use single quotes"
)
_BAD_HEADER = (
    "after {0} only an indentation digit, + or - and a comment may follow: put the text on the "
    "next line, or quote a value that starts with {0}"
)
_COLON_BELOW = (
    "this line is indented and so continues the value above, where a colon and a space cannot "
    "stand: align it with the key above, or quote the whole value"
)
_COLLECTION_KEY = "a list or map as a key is not supported: quote the text"
_INDICATORS = {
    "-": "a list cannot start here: put each item on its own line under the key, or write [a, b]",
    "?": 'complex keys ("? ") are not supported: write key: value',
    ":": "a value cannot start with a colon, and a key cannot be empty: quote it",
    "&": "anchors are not supported: repeat the value where it is needed, or quote the text",
    "*": "aliases are not supported: repeat the value, or quote the text",
    "!": "tags are not supported: remove the tag, or quote the text",
    ",": "there is no value before this comma: remove the comma, or quote the text",
    "]": "this ] closes nothing: remove it, or quote the text",
    "}": "this } closes nothing: remove it, or quote the text",
    "#": "a comment needs a space before its #: add one, or quote the text",
    "|": "a block of text cannot stand inside brackets: quote the text",
    ">": "a block of text cannot stand inside brackets: quote the text",
    "[": _COLLECTION_KEY,
    "{": _COLLECTION_KEY,
    "@": "a value cannot start with @: quote it",
    "`": "a value cannot start with `: quote it",
    "%": "a value cannot start with %: quote it",
}


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
    src = _source(text)
    pos, column = _content(src, 0)
    if src[pos] == _END:
        return None
    if src[pos] == "%":
        _fail("directives are not supported: remove this line, or quote the text", src, pos)
    if src[pos] == _BYTE_ORDER_MARK and pos:
        _fail(_MISPLACED_MARK, src, pos)
    value, pos, column = _node(src, pos, column, -1, 0)
    if src[pos] != _END:
        _fail(_MISALIGNED, src, pos)
    return value


def _source(text: str) -> str:
    """The text without byte order mark and CR, terminated; refused if it can be no document."""
    if text.startswith(_BYTE_ORDER_MARK):
        if text.startswith((" ", "-"), 1):
            _fail(_MISPLACED_MARK, text, 0)
        text = text[1:]
    text = text.replace("\r\n", "\n")
    _check_characters(text)
    last = text[text.rfind("\n") + 1 :]
    if not last:
        return text + _END
    if last.strip(" \t"):
        return text + "\n" + _END
    if "\t" in last:
        _fail("the last line is only white space: remove it", text, len(text))
    return text + "\n" + _UNFINISHED


def _check_characters(src: str) -> None:
    control = _CONTROL(src)
    if control:
        name = f"control character U+{ord(control[0]):04X}"
        _fail(f"{name}: remove it, or escape it in double quotes", src, control.start())
    marker = _MARKER(src) if "---" in src or "..." in src else None
    if marker:
        _fail(_DOCUMENT_MARKER.format(marker[0]), src, marker.start())


# --- block level ------------------------------------------------------------------------------


def _node(src: str, pos: int, column: int, parent: int, depth: int) -> tuple[Any, int, int]:
    """Whatever starts at `pos`, with only white space and dashes before it on its line."""
    if _DASH(src, pos):
        return _sequence(src, pos, column, depth + 1)
    if _key(src, pos):
        return _mapping(src, pos, column, depth + 1)
    return _inline(src, pos, parent)


def _mapping(src: str, pos: int, indent: int, depth: int) -> tuple[dict[str, Any], int, int]:
    """The entries whose keys start at column `indent`."""
    _check_depth(src, pos, depth, _MAX_BLOCK_DEPTH)
    entries: dict[str, Any] = {}
    starts: list[int] = []
    column = indent
    while column == indent and src[pos] != _END:
        found = _key(src, pos)
        if found is None:
            _fail_without_key(src, pos)
        key, after = found
        if key in entries:
            _fail_duplicate(src, pos, key, starts[list(entries).index(key)])
        starts.append(pos)
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
        value, pos, column = _item(src, pos, dash.end(), indent, depth)
        items.append(value)
    return items, pos, column


def _item(src: str, dash: int, pos: int, indent: int, depth: int) -> tuple[Any, int, int]:
    """The item of the dash at `dash`, in column `indent`, from behind the white space after it."""
    if src[pos] in "\n#":
        pos, column = _below(src, pos, indent)
        if column > indent:
            return _node(src, pos, column, indent, depth)
        return None, pos, column
    if "\t" in src[dash:pos] and (_DASH(src, pos) or _key(src, pos)):
        _fail("a tab cannot indent a list or a map: write spaces after the dash", src, pos)
    return _node(src, pos, indent + pos - dash, indent, depth)


def _inline(src: str, pos: int, parent: int) -> tuple[Any, int, int]:
    """A scalar or a flow collection, with nothing but a comment behind it."""
    line = _SCALAR_LINE(src, pos)
    if line:
        text, indentation = line.groups()
        column = len(indentation)
        if text[0] in _QUOTES:
            return text[1:-1], line.end(), column
        if column <= parent:
            return _resolve(text), line.end(), column
    char = src[pos]
    if char in "|>":
        return _block_scalar(src, pos, parent)
    value: Any
    if char in _QUOTES:
        value, end = _quoted(src, pos, parent + 1)
    elif char in "[{":
        value, end = _FLOW_COLLECTIONS[char](src, pos, parent + 1, parent, 1)
    else:
        _check_start(src, pos, _WHITE)
        text, end = _plain(src, pos, parent + 1, _TEXT)
        value = _resolve(text)
    rest = _REST(src, end)
    if rest is None:
        _fail_after_value(src, pos, end)
    return (value, *_content(src, rest.end()))


def _key(src: str, pos: int) -> tuple[str, int] | None:
    """The key at `pos` and the position of its value, or None if no key with a colon is there."""
    word = _WORD_KEY(src, pos)
    if word is None:
        return _unusual_key(src, pos)
    key = word[1]
    if key in _WORDS:
        _fail_not_text(src, pos, key)
    return key, word.end()


def _unusual_key(src: str, pos: int) -> tuple[str, int] | None:
    quoted = src[pos] in _QUOTES
    if quoted:
        key, end = _quoted(src, pos, 0)
    elif _indicator_at(src, pos, _WHITE):
        return None
    else:
        end = _skip(_TEXT, src, pos)
        key = src[pos:end].rstrip(" \t")
    colon = _COLON(src, end)
    if colon is None or "\n" in src[pos:end]:
        return None
    if utf16_length(src[pos : colon.start()]) > _MAX_KEY:
        _fail(f"a key cannot be longer than {_MAX_KEY} characters", src, pos)
    if not quoted and not isinstance(_resolve(key), str):
        _fail_not_text(src, pos, key)
    return key, colon.end()


def _content(src: str, line: int) -> tuple[int, int]:
    """Position and column of the first content from the start of a line on; 0 at the end."""
    blank = _BLANK_LINES(src, line)
    assert blank is not None
    pos = blank.end()
    if src[pos] == "\t":
        _fail("a tab cannot indent a line: use spaces", src, pos)
    return pos, pos - blank.start(1)


def _below(src: str, pos: int, indent: int) -> tuple[int, int]:
    """The content below the line of `pos`, which ends a key or dash in column `indent`."""
    line = src.index("\n", pos) + 1
    pos, column = _content(src, line)
    if column <= indent or "#" in src[line:pos]:
        _check_tab_lines(src, line, pos, indent + 1)
    return pos, column


# --- scalars ----------------------------------------------------------------------------------


def _resolve(text: str) -> Any:
    """The value of a plain scalar by the core schema."""
    if text[0] not in _NUMBER_START:
        return _WORDS.get(text, text)
    number = _NUMBER(text)
    if number is None:
        return float(text.replace(".", "", 1)) if _NOT_FINITE(text) else text
    octal, hexadecimal, decimal = number.groups()
    if decimal and len(decimal) <= _MAX_DIGITS:
        return _finite(int(decimal))
    if octal or hexadecimal:
        return _finite(int(octal, 8) if octal else int(hexadecimal, 16))
    return float(text)


def _finite(value: int) -> int | float:
    """The integer itself, or an infinity if no double can hold it."""
    try:
        float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
    return value


def _plain(src: str, pos: int, least: int, match_text: Match) -> tuple[str, int]:
    """Folded plain text, and the position of the line end, comment or indicator that ends it."""
    end = _skip(match_text, src, pos)
    parts = [src[pos:end].rstrip(" \t")]
    while src[end] == "\n":
        line = _NEXT_LINE(src, end)
        assert line is not None
        start = line.end()
        stop = _skip(match_text, src, start)
        if stop == start or len(line[2]) < least:
            break
        _check_tab_lines(src, end + 1, start, least)
        parts.append("\n" * line[1].count("\n") or " ")
        parts.append(src[start:stop].rstrip(" \t"))
        end = stop
    return "".join(parts), end


def _quoted(src: str, pos: int, least: int) -> tuple[str, int]:
    """The text of a quoted scalar, and the position behind its closing quote."""
    double = src[pos] == '"'
    match = _DOUBLE_QUOTED(src, pos) if double else _SINGLE_QUOTED(src, pos)
    if match is None:
        _fail("this quote is not closed: close it, or quote the text with the other kind", src, pos)
    raw = match[1]
    if "\n" in raw:
        _check_further_lines(src, pos, raw, least)
    text = _unescape(src, pos + 1, raw) if double else _fold(raw).replace("''", "'")
    return text, match.end()


def _check_further_lines(src: str, pos: int, raw: str, least: int) -> None:
    """All lines but the first are only spaces or start at column `least`, the last one always."""
    _, *middle, last = raw.split("\n")
    for line in [line for line in middle if line.strip(" ")] + [last]:
        if len(line) - len(line.lstrip(" ")) < least:
            _fail(_UNCLOSED.format("quote", "close it"), src, pos)


def _fold(raw: str) -> str:
    """Quoted text as one line (6.5): a line break is a space, n blank lines are n line feeds."""
    if "\n" not in raw:
        return raw
    first, *middle, last = raw.split("\n")
    parts = [first.rstrip(" \t")]
    blank = 0
    for line in middle:
        line = line.strip(" \t")
        if line:
            parts.append("\n" * blank or " ")
            parts.append(line)
            blank = 0
        else:
            blank += 1
    parts.append("\n" * blank or " ")
    parts.append(last.lstrip(" \t"))
    return "".join(parts)


def _unescape(src: str, pos: int, raw: str) -> str:
    """The double-quoted text `raw`, which starts at `pos`, folded and with its escapes replaced."""
    valid = _skip(_VALID_ESCAPES, raw, 0)
    if valid != len(raw):
        _fail(f"{_show(raw[valid : valid + 2])} {_BAD_ESCAPE}", src, pos + valid)
    if "\n" in raw:
        raw = _fold(_replace_white_escapes(_white_escape, raw))
    text = _replace_escapes(_escaped_character, raw)
    try:
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        _fail("half of a surrogate pair is no character: write both halves, or \\U", src, pos)


def _white_escape(match: re.Match[str]) -> str:
    """An escaped line break joins two lines; escaped white space is guarded from folding."""
    escape = match[1]
    if escape[0] == "\n":
        return ""
    return {" ": "\\x20", "\t": "\\t"}.get(escape, match[0])


def _escaped_character(match: re.Match[str]) -> str:
    escape = match[1]
    return _ESCAPED[escape] if len(escape) == 1 else chr(int(escape[1:], 16))


def _block_scalar(src: str, pos: int, parent: int) -> tuple[str, int, int]:
    """Literal (|) or folded (>) text (8.1)."""
    header = _BLOCK_HEADER(src, pos)
    if header is None:
        _fail(_BAD_HEADER.format(src[pos]), src, pos)
    digit, chomping = header[1] or header[4], header[2] or header[3]
    start = header.end()
    empty = _EMPTY_LINES(src, start)
    assert empty is not None
    first, width = empty.start(1), len(empty[1])
    if digit and parent < 0:
        _fail("an indentation digit is not supported at the top level: remove it", src, pos)
    if digit:
        lines, end = _block_lines(src, start, parent + int(digit))
        # Implementations differ on spaces at the end of a text that starts deeper than its digit.
        doubtful = width != parent + int(digit) and _ends_in_spaces(lines)
    elif width > parent and src[empty.end()] != _END:
        lines, end = _block_lines(src, start, width)
        doubtful = any(lines[: src.count("\n", start, first)])
    else:
        lines, end = [""] * src.count("\n", start, first), first
        doubtful = False
    if doubtful:
        _fail(
            "a blank line of this text has more spaces than its first line: remove them", src, pos
        )
    if src.endswith(_UNFINISHED, end) and chomping == "+":
        _fail("this text ends in spaces without a line feed: remove the spaces", src, pos)
    after = _skip(_SPACES, src, end)
    if src[after] == "\t":
        _fail("a tab cannot indent a block of text: use spaces", src, after)
    return (_chomp(lines, src[pos], chomping), *_content(src, end))


def _block_lines(src: str, pos: int, indent: int) -> tuple[list[str], int]:
    """The lines that have `indent` spaces, or only fewer, from `pos` on, without these spaces."""
    lines: list[str] = []
    while src[pos] != _END:
        end = src.index("\n", pos)
        line = src[pos:end]
        if line[:indent].strip(" "):
            break
        lines.append(line[indent:])
        pos = end + 1
    return lines, pos


def _ends_in_spaces(lines: list[str]) -> bool:
    return next((not line.strip(" ") for line in reversed(lines) if line), False)


def _chomp(lines: list[str], style: str, chomping: str | None) -> str:
    trailing = 0
    while lines and not lines[-1]:
        lines.pop()
        trailing += 1
    text = "\n".join(lines) if style == "|" else _fold_block(lines)
    if chomping == "-":
        return text
    if chomping == "+":
        return text + "\n" * (trailing + bool(lines))
    return text + "\n" if lines else ""


def _fold_block(lines: list[str]) -> str:
    """Folded like quoted text, except around lines that start with white space (8.1.3)."""
    parts: list[str] = []
    before = ""
    blank = 0
    for line in lines:
        if not line:
            blank += 1
            continue
        if not before:
            parts.append("\n" * blank)
        elif line[0] in " \t" or before[0] in " \t":
            parts.append("\n" * (blank + 1))
        else:
            parts.append("\n" * blank or " ")
        parts.append(line)
        before = line
        blank = 0
    return "".join(parts)


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
        item = _FLOW_ITEM(src, pos)
        if item:
            text = item[1]
            items.append(text[1:-1] if text[0] in _QUOTES else _resolve(text))
            pos = _gap(src, item.end(), least, closing, start)
            continue
        read = _FLOW_COLLECTIONS.get(src[pos])
        if read:
            value, pos = read(src, pos, least, least, depth + 1)
        else:
            value, pos = _flow_scalar(src, pos, least)
        items.append(value)
        pos = _gap(src, pos, least, closing, start)
        if src[pos] == ":":
            _fail("a pair in a list is not supported: write {a: b}, or quote the text", src, pos)
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
            _fail_not_text(src, key_start, src[key_start:pos].rstrip(" \t"))
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
                _fail("a comment between a value and its end needs a space before #", src, end)
        pos = _flow_next(src, pos, "}", least, closing, start)
    return entries, pos + 1


_FLOW_COLLECTIONS: dict[str, Flow] = {"[": _flow_sequence, "{": _flow_mapping}


def _flow_scalar(src: str, pos: int, least: int) -> tuple[Any, int]:
    if src[pos] in _QUOTES:
        return _quoted(src, pos, least)
    _check_start(src, pos, _FLOW_WHITE)
    text, end = _plain(src, pos, least, _FLOW_TEXT)
    return _resolve(text), end


def _flow_next(src: str, pos: int, close: str, least: int, closing: int, start: int) -> int:
    """From the comma behind an entry to the next entry; a closing bracket stays."""
    if src[pos] == ",":
        return _gap(src, pos + 1, least, closing, start)
    if src[pos] != close:
        _fail(f"expected a comma or {close}: add it, or quote the whole text", src, pos)
    return pos


def _gap(src: str, pos: int, least: int, closing: int, start: int) -> int:
    """Over white space, line breaks and comments inside the brackets opened at `start`."""
    if src[pos] not in " \t\n#":
        return pos
    end = _skip(_GAP, src, pos)
    line = src.rfind("\n", pos, end) + 1
    if line:
        column = _skip(_SPACES, src, line) - line
        if src[end] == _END or column < (closing if src[end] in "]}" else least):
            _fail(_UNCLOSED.format(src[start], "add the closing bracket"), src, start)
    return end


# --- checks and refusals ----------------------------------------------------------------------


def _skip(match_always: Match, src: str, pos: int) -> int:
    """The end of what a pattern that cannot fail matches at `pos`."""
    match = match_always(src, pos)
    assert match is not None
    return match.end()


def _fail(problem: str, src: str, pos: int) -> NoReturn:
    raise YamlError(problem, src.count("\n", 0, pos) + 1, pos - src.rfind("\n", 0, pos))


def _show(text: str) -> str:
    """A short, printable quotation."""
    shown = text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "…"
    return f'"{shown}"' if shown.isprintable() else ascii(shown)


def _check_depth(src: str, pos: int, depth: int, limit: int) -> None:
    if depth > limit:
        _fail(f"maps and lists nested deeper than {limit} levels are not supported", src, pos)


def _check_tab_lines(src: str, pos: int, end: int, least: int) -> None:
    """Refuses a tab before column `least` on a blank line (6.4) or, where others err, a comment."""
    for line in _TAB_LINES(src, pos, end):
        if len(line[1]) < least:
            _fail("a tab cannot indent a line in or below a value: remove it", src, line.end(1))


def _indicator_at(src: str, pos: int, white: str) -> str | None:
    """The indicator at `pos` that keeps a plain scalar from starting there (7.3.3)."""
    char = src[pos]
    if char not in _INDICATORS or (char in "-?:" and src[pos + 1] not in white):
        return None
    return char


def _check_start(src: str, pos: int, white: str) -> None:
    indicator = _indicator_at(src, pos, white)
    if indicator is None:
        return
    problem = _INDICATORS[indicator]
    if indicator in "@`%*&!":
        word = src[pos : _skip(_FLOW_TEXT, src, pos)].split(" ", 1)[0]
        problem += f", as in {_show(word)}"
    _fail(problem, src, pos)


def _fail_duplicate(src: str, pos: int, key: str, first: int) -> NoReturn:
    above = src.count("\n", first, pos)
    where = f"{above} line{'s' * (above > 1)} above" if above else "on the same line"
    _fail(f"duplicate key {_show(key)}, already used {where}: keep one of them", src, pos)


def _fail_not_text(src: str, pos: int, key: str) -> NoReturn:
    _fail(f"the key {_show(key)} is a number, boolean or null: quote it to make it text", src, pos)


def _fail_without_key(src: str, pos: int) -> NoReturn:
    """Refuses the line at `pos`, where the next key of a map is due."""
    if _DASH(src, pos):
        _fail("a list item cannot stand between keys: put it under a key without a value", src, pos)
    if src[pos] in _QUOTES:
        _fail('expected a key: write "key": value on one line, a space after the colon', src, pos)
    _check_start(src, pos, _WHITE)
    if ":" in src[pos : _skip(_TEXT, src, pos)]:
        _fail("expected key: value: add a space after the colon", src, pos)
    _fail("expected key: value: add a colon, or indent what continues the value above", src, pos)


def _fail_after_value(src: str, pos: int, end: int) -> NoReturn:
    """Refuses what stands at `end`, behind the value that starts at `pos`."""
    opening, char = src[pos], src[end]
    if opening in "[{" and char == ":":
        _fail(_COLLECTION_KEY, src, pos)
    if opening in "\"'[{":
        if char == "#":
            _fail(_INDICATORS["#"], src, end)
        if char == ":":
            _fail('unexpected colon: write "key": value on one line, or quote all', src, end)
        _fail(f"unexpected text after the closing {src[end - 1]}: quote the whole value", src, end)
    if "\n" in src[pos:end]:
        _fail(_COLON_BELOW, src, end)
    _fail("a colon and a space cannot stand in a plain value: quote the whole value", src, end)
