"""Quoted scalars of YAML (7.3.1, 7.3.2), with all that they may hold: escapes, and several lines."""

from __future__ import annotations

import re

from .yaml_subset import UNCLOSED, fail, skip

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
_BAD_ESCAPE = (
    "is no valid escape in double quotes: write \\\\ for a backslash, or use single quotes"
)


def quoted(src: str, pos: int, least: int) -> tuple[str, int]:
    """The text of a quoted scalar, and the position behind its closing quote."""
    double = src[pos] == '"'
    match = _DOUBLE_QUOTED(src, pos) if double else _SINGLE_QUOTED(src, pos)
    if match is None:
        fail("this quote is not closed: close it, or quote the text with the other kind", src, pos)
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
            fail(UNCLOSED.format("quote", "close it"), src, pos)


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
    valid = skip(_VALID_ESCAPES, raw, 0)
    if valid != len(raw):
        from .yaml_refusals import show

        fail(f"{show(raw[valid : valid + 2])} {_BAD_ESCAPE}", src, pos + valid)
    if "\n" in raw:
        raw = _fold(_replace_white_escapes(_white_escape, raw))
    text = _replace_escapes(_escaped_character, raw)
    try:
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        fail("half of a surrogate pair is no character: write both halves, or \\U", src, pos)


def _white_escape(match: re.Match[str]) -> str:
    """An escaped line break joins two lines; escaped white space is guarded from folding."""
    escape = match[1]
    if escape[0] == "\n":
        return ""
    return {" ": "\\x20", "\t": "\\t"}.get(escape, match[0])


def _escaped_character(match: re.Match[str]) -> str:
    escape = match[1]
    return _ESCAPED[escape] if len(escape) == 1 else chr(int(escape[1:], 16))
