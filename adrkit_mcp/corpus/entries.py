"""Frontmatter entry by entry, so that what records have in the same words is read only once.

An entry is a line that starts with a letter, and the lines below it up to the next that does. A value of the
top level ends before such a line, so frontmatter of which each entry is valid alone, and no key comes
twice, has the value of its entries. All other frontmatter is left to who reads it whole.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..ecma import canonical_json
from ..jsontext import dumps_sorted
from .record import FRONTMATTER, broken_invariants
from .yaml_subset import YamlError, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

    from ..schema import Issue

    Entry = Optional[tuple[str, Any, str]]

_entries = re.compile(r"[A-Za-z_][^\n]*\n(?:(?![A-Za-z_])[^\n]*\n)*").findall

#: So many entries are kept, the last that were met, and none of more characters.
_KEPT = 1024
_LONGEST_KEPT = 512


def read_entries(text: str) -> tuple[dict[str, Any], str] | None:
    """(the frontmatter in the order of the schema, defaults filled; its canonical JSON).

    None for frontmatter that is not valid, or not made of entries with a key of one word.
    """
    entries = _entries(text)
    if sum(map(len, entries)) != len(text):
        return None
    values = _DEFAULT_VALUES.copy()
    members = _DEFAULT_MEMBERS.copy()
    names = set()
    for entry in entries:
        read = _read_known(entry) if len(entry) <= _LONGEST_KEPT else _read(entry)
        if read is None or read[0] in names:
            return None
        name, values[name], members[name] = read
        names.add(name)
    if not names.issuperset(_REQUIRED):
        return None
    frontmatter = {name: value for name, value in values.items() if value is not None}
    if broken_invariants(frontmatter):
        return None
    return frontmatter, "{" + ",".join(filter(None, members.values())) + "}"


def _read(entry: str) -> Entry:
    """(name, value, member of the canonical JSON) of an entry that is valid.

    Records share the value, so nobody may change it.
    """
    try:
        data = parse(entry)
    except YamlError:
        return None
    if not isinstance(data, dict) or len(data) != 1:
        return None
    [(name, value)] = data.items()
    if name not in FRONTMATTER.fields:
        return None
    issues: list[Issue] = []
    value = FRONTMATTER.fields[name].node.check(value, issues)
    return None if issues else (name, value, _member(name, value))


_read_known = lru_cache(_KEPT)(_read)


def _member(name: str, value: Any) -> str:
    """`"name":value` as canonical JSON; only evaluations hold fractions, and keys of people's choice."""
    encode = canonical_json if name == "evaluation" else dumps_sorted
    return encode({name: value})[1:-1]


_REQUIRED = [name for name, field in FRONTMATTER.fields.items() if field.is_required]
#: None, or no text, for fields without a default.
_DEFAULT_VALUES = {name: field.default for name, field in FRONTMATTER.fields.items()}
_DEFAULT_MEMBERS = {
    name: "" if _DEFAULT_VALUES[name] is None else _member(name, _DEFAULT_VALUES[name])
    for name in sorted(_DEFAULT_VALUES)
}
