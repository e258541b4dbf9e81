"""Keys of YAML maps that are more than one word of letters, digits, hyphens and underscores."""

from __future__ import annotations

import re

from ..ecma import utf16_length
from .yaml_plain import TEXT
from .yaml_subset import QUOTES, WHITE, fail, fail_not_text, indicator_at, resolve, skip

_MAX_KEY = 1024
_COLON = re.compile(r"[ \t]*:(?:[ \t]+|(?=\n))").match


def unusual_key(src: str, pos: int) -> tuple[str, int] | None:
    """The key at `pos` and the position of its value, or None if no key with a colon is there."""
    is_quoted = src[pos] in QUOTES
    if is_quoted:
        from .yaml_quoted import quoted

        key, end = quoted(src, pos, 0)
    elif indicator_at(src, pos, WHITE):
        return None
    else:
        end = skip(TEXT, src, pos)
        key = src[pos:end].rstrip(" \t")
    colon = _COLON(src, end)
    if colon is None or "\n" in src[pos:end]:
        return None
    if utf16_length(src[pos : colon.start()]) > _MAX_KEY:
        fail(f"a key cannot be longer than {_MAX_KEY} characters", src, pos)
    if not is_quoted and not isinstance(resolve(key), str):
        fail_not_text(src, pos, key)
    return key, colon.end()
