"""Block scalars of YAML (8.1): literal (|) and folded (>) text."""

from __future__ import annotations

import re

from .yaml_subset import END, SPACES, UNFINISHED, content, fail, skip

_BLOCK_HEADER = re.compile(
    r"[|>](?:([1-9])([+-])?|([+-])([1-9])?)?[ \t]*(?:(?<=[ \t])#[^\n]*)?\n"
).match
_EMPTY_LINES = re.compile(r"(?: *\n)*( *)").match
_BAD_HEADER = (
    "after {0} only an indentation digit, + or - and a comment may follow: put the text on the "
    "next line, or quote a value that starts with {0}"
)


def block_scalar(src: str, pos: int, parent: int) -> tuple[str, int, int]:
    """Literal (|) or folded (>) text (8.1)."""
    header = _BLOCK_HEADER(src, pos)
    if header is None:
        fail(_BAD_HEADER.format(src[pos]), src, pos)
    digit, chomping = header[1] or header[4], header[2] or header[3]
    start = header.end()
    empty = _EMPTY_LINES(src, start)
    assert empty is not None
    first, width = empty.start(1), len(empty[1])
    if digit and parent < 0:
        fail("an indentation digit is not supported at the top level: remove it", src, pos)
    if digit:
        lines, end = _block_lines(src, start, parent + int(digit))
        # Implementations differ on spaces at the end of a text that starts deeper than its digit.
        doubtful = width != parent + int(digit) and _ends_in_spaces(lines)
    elif width > parent and src[empty.end()] != END:
        lines, end = _block_lines(src, start, width)
        doubtful = any(lines[: src.count("\n", start, first)])
    else:
        lines, end = [""] * src.count("\n", start, first), first
        doubtful = False
    if doubtful:
        fail("a blank line of this text has more spaces than its first line: remove them", src, pos)
    if src.endswith(UNFINISHED, end) and chomping == "+":
        fail("this text ends in spaces without a line feed: remove the spaces", src, pos)
    after = skip(SPACES, src, end)
    if src[after] == "\t":
        fail("a tab cannot indent a block of text: use spaces", src, after)
    return (_chomp(lines, src[pos], chomping), *content(src, end))


def _block_lines(src: str, pos: int, indent: int) -> tuple[list[str], int]:
    """The lines that have `indent` spaces, or only fewer, from `pos` on, without these spaces."""
    lines: list[str] = []
    while src[pos] != END:
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
