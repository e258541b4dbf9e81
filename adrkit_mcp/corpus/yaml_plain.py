"""Plain scalars of YAML (7.3.3) that are more than everyday: over several lines, with colons or hashes."""

from __future__ import annotations

import re

from .yaml_subset import check_tabs, skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .yaml_subset import Match

# Text up to the line end, a comment, or a colon that is not text: outside and inside of brackets.
TEXT = re.compile(r"[^\n:#\0]*(?:(?::(?![ \t\n])|(?<![ \t\n])#)[^\n:#\0]*)*").match
FLOW_TEXT = re.compile(
    r"[^\n:#,\[\]{}\0]*(?:(?::(?![ \t\n,\[\]{}])|(?<![ \t\n])#)[^\n:#,\[\]{}\0]*)*"
).match
_NEXT_LINE = re.compile(r"\n((?:[ \t]*\n)*)( *)[ \t]*").match


def plain(src: str, pos: int, least: int, match_text: Match) -> tuple[str, int]:
    """Folded plain text, and the position of the line end, comment or indicator that ends it."""
    end = skip(match_text, src, pos)
    parts = [src[pos:end].rstrip(" \t")]
    while src[end] == "\n":
        line = _NEXT_LINE(src, end)
        assert line is not None
        start = line.end()
        stop = skip(match_text, src, start)
        if stop == start or len(line[2]) < least:
            break
        check_tabs(src, end + 1, start, least)
        parts.append("\n" * line[1].count("\n") or " ")
        parts.append(src[start:stop].rstrip(" \t"))
        end = stop
    return "".join(parts), end
