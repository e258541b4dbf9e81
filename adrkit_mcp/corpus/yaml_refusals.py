"""Refusals of YAML that look closer, to say what is wrong and what to write instead."""

from __future__ import annotations

import re

from .yaml_plain import FLOW_TEXT, TEXT
from .yaml_subset import QUOTES, WHITE, fail, indicator_at, skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

_MAX_SHOWN = 30
_MARKER = re.compile(r"^(?:---|\.\.\.)(?=[ \t\n]|\Z)", re.MULTILINE).search
_TAB_LINES = re.compile(r"^( *)\t[ \t]*(?:#|$)", re.MULTILINE).finditer
_DOCUMENT_MARKER = (
    "the document marker {0} is not supported: remove it, or remove what follows it if it is to "
    "be a fence"
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


def show(text: str) -> str:
    """A short, printable quotation."""
    shown = text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "…"
    return f'"{shown}"' if shown.isprintable() else ascii(shown)


def check_markers(src: str) -> None:
    """Refuses a line that begins or ends a document (9.1.2)."""
    marker = _MARKER(src)
    if marker:
        fail(_DOCUMENT_MARKER.format(marker[0]), src, marker.start())


def check_tab_lines(src: str, pos: int, end: int, least: int) -> None:
    """Refuses a tab before column `least` on a blank line (6.4) or, where others err, a comment."""
    for line in _TAB_LINES(src, pos, end):
        if len(line[1]) < least:
            fail("a tab cannot indent a line in or below a value: remove it", src, line.end(1))


def refuse_indicator(src: str, pos: int, indicator: str) -> NoReturn:
    """Refuses a plain scalar that starts with an indicator."""
    problem = _INDICATORS[indicator]
    if indicator in "@`%*&!":
        word = src[pos : skip(FLOW_TEXT, src, pos)].split(" ", 1)[0]
        problem += f", as in {show(word)}"
    fail(problem, src, pos)


def refuse_duplicate(src: str, pos: int, key: str, first: int) -> NoReturn:
    """Refuses the key at `pos`, which stands at `first` too."""
    above = src.count("\n", first, pos)
    where = f"{above} line{'s' * (above > 1)} above" if above else "on the same line"
    fail(f"duplicate key {show(key)}, already used {where}: keep one of them", src, pos)


def refuse_not_text(src: str, pos: int, key: str) -> NoReturn:
    """Refuses a key that the core schema makes something else than text."""
    fail(f"the key {show(key)} is a number, boolean or null: quote it to make it text", src, pos)


def refuse_without_key(src: str, pos: int) -> NoReturn:
    """Refuses the line at `pos`, where the next key of a map is due."""
    indicator = indicator_at(src, pos, WHITE)
    if indicator == "-":
        fail("a list item cannot stand between keys: put it under a key without a value", src, pos)
    if src[pos] in QUOTES:
        fail('expected a key: write "key": value on one line, a space after the colon', src, pos)
    if indicator:
        refuse_indicator(src, pos, indicator)
    if ":" in src[pos : skip(TEXT, src, pos)]:
        fail("expected key: value: add a space after the colon", src, pos)
    fail("expected key: value: add a colon, or indent what continues the value above", src, pos)


def refuse_after_value(src: str, pos: int, end: int) -> NoReturn:
    """Refuses what stands at `end`, behind the value that starts at `pos`."""
    opening, char = src[pos], src[end]
    if opening in "[{" and char == ":":
        fail(_COLLECTION_KEY, src, pos)
    if opening in "\"'[{":
        if char == "#":
            fail(_INDICATORS["#"], src, end)
        if char == ":":
            fail('unexpected colon: write "key": value on one line, or quote all', src, end)
        fail(f"unexpected text after the closing {src[end - 1]}: quote the whole value", src, end)
    if "\n" in src[pos:end]:
        fail(_COLON_BELOW, src, end)
    fail("a colon and a space cannot stand in a plain value: quote the whole value", src, end)
