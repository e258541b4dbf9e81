"""Repeats `+(...)` and `*(...)` that the peer defuses, since backtracking would be exponential on them."""

from __future__ import annotations

import re

from ..ecma import WHITE_SPACE, trim

_escape = re.compile(r"(?s)\\(.)")
_operator = re.compile(r"[?*+@!()\[\]{}]")
_single = re.compile(r"@\(([^\\()\[\]{}|]+)\)")
_unit = r"[^?*+@!()\[\]{}|\\%s]" % WHITE_SPACE
_row_unit = re.compile(rf"\*\([{WHITE_SPACE}]*(?:@\(({_unit})\)|\\?({_unit}))[{WHITE_SPACE}]*\)")


def defused(branches: list[str], nested: bool) -> str | None:
    """What becomes of a repeat of these branches; `nested`: one of them is wholly a repeat itself.

    None: it is an ordinary repeat. Else it is plain text if the answer is "", and otherwise means any
    number of the answer's characters.
    """
    branches = [trim(branch) for branch in branches]
    words = [_word(branch) for branch in branches]
    if len(branches) > 1:
        runs = [word[0] for word in words if word and word == word[0] * len(word)]
        if len(runs) > len(set(runs)) or not all(branch.strip("*?") for branch in branches):
            return ""
    rows = [_row(branch) for branch in branches]
    if not any(rows):
        return "" if nested else None
    units = [row or (word if len(word) == 1 else "") for row, word in zip(rows, words)]
    return "".join(units) if all(units) else ""


def _word(branch: str) -> str:
    """The plain text of a branch, which may stand in `@(...)`; "" if there are operators in it."""
    single = _single.fullmatch(branch)
    text = single[1] if single else branch
    return "" if _operator.search(_escape.sub("", text)) else _escape.sub(r"\1", text)


def _row(branch: str) -> str:
    """The characters of a row like `*(a)*(b)`; "" for anything else."""
    units = list(_row_unit.finditer(branch))
    if sum(len(unit[0]) for unit in units) < len(branch):
        return ""
    return "".join(unit[1] or unit[2] for unit in units)
