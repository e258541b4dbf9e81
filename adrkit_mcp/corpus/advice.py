"""What to write instead: the message of a schema issue, with the repair for what people really write."""

from __future__ import annotations

import re

from ..schema import kind
from .findings import shown
from .record import FRONTMATTER, MATCHER, STATUSES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..schema import Issue

_ID_IN_TEXT = re.compile(r"[0-9]{1,8}")
_LARGEST_ID = 10**8
_REFERENCES = ("supersedes", "supersededBy", "relatesTo", "conflictsWith")
_PEOPLE = ("deciders", "consulted", "informed", "approvals")
_STATUS_WORDS = {
    "approved": "accepted",
    "adopted": "accepted",
    "decided": "accepted",
    "declined": "rejected",
    "obsolete": "deprecated",
    "replaced": "superseded",
    "pending": "proposed",
}
#: What a record cannot be without.
_EXAMPLES = {
    "id": 'id: "0007", the number that the file name starts with',
    "title": "title: Use Postgres",
    "status": "status: proposed",
    "date": "date: 2026-01-31",
}
#: Keys of other ADR formats, compared without case, hyphens and underscores.
_OTHER_NAMES = {
    "decisionmakers": "deciders",
    "decider": "deciders",
    "authors": "deciders",
    "author": "deciders",
    "owner": "deciders",
    "tag": "tags",
    "labels": "tags",
    "state": "status",
    "name": "title",
    "replaces": "supersedes",
    "replacedby": "supersededBy",
    "related": "relatesTo",
    "conflicts": "conflictsWith",
    "links": "externalRefs",
    "files": "affects",
    "paths": "affects",
    "scopes": "scope",
}


def advise(issue: Issue) -> str:
    """One sentence: what was expected, what stands there, and how to write it."""
    advice = _advice(issue)
    found = _found(issue)
    return issue.message + found + (": " + advice if advice else "")


def _found(issue: Issue) -> str:
    """The value, where it is a short text and the message does not tell it yet."""
    if issue.rule in ("invalid-enum-value", "invalid-format") and issue.value is not None:
        return ", got " + (
            shown(issue.value) if isinstance(issue.value, str) else kind(issue.value)
        )
    return ""


def _advice(issue: Issue) -> str:
    if issue.rule == "strict-unknown-key":
        return _for_unknown_key(issue)
    if issue.rule in ("invalid-enum-value", "invalid-type", "required-field"):
        return _for_shape(issue)
    if issue.rule == "invalid-format":
        return _for_format(issue)
    return ""


def _for_shape(issue: Issue) -> str:
    """Something of another type, or nothing, where a value was due."""
    value = issue.value
    if not issue.path:
        return "write id, title, status and date between the --- lines"
    if value is None:
        known = _EXAMPLES.get(issue.path[0]) if len(issue.path) == 1 else None
        missing = "a key without a value is null: give it a value or leave the key out"
        return "write " + known if known else missing if issue.rule == "invalid-type" else ""
    if _is_placeholder(value):
        return "this looks like a template's {placeholder}: put the value in its place"
    if issue.path == ["id"] or issue.path[0] in _REFERENCES:
        return _for_id(issue)
    if issue.path == ["status"]:
        return _for_status(value)
    if issue.rule == "invalid-enum-value":
        return _for_enum(issue)
    if issue.path[0] == "affects" and len(issue.path) <= 2:
        return 'a matcher is a map: write affects: [{type: path, pattern: "src/db/**"}]'
    if issue.message.startswith("expected a list"):
        return _for_list(issue.path[-1], value)
    if issue.message.startswith("expected a string") and kind(value) in ("a number", "a boolean"):
        return "write date: 2026-01-31" if issue.path == ["date"] else "put it in quotes"
    return ""


def _for_list(key: str, value: object) -> str:
    if not isinstance(value, str):
        return ""
    if value.startswith("-"):
        return "put a space behind the dash of each item"
    if key in _PEOPLE and not value.startswith(("@", "team:")):
        return 'write it as a list of @handle, team:slug or e-mail addresses: %s: ["@handle"]' % key
    return "write it as a list: %s: [%s]" % (key, shown(value))


def _for_format(issue: Issue) -> str:
    if issue.path[:1] == ["id"] or issue.path[0] in _REFERENCES:
        return _for_id(issue)
    return _for_tag(issue.value) if issue.path[0] == "tags" else ""


def _is_placeholder(value: object) -> bool:
    """`{proposed | accepted}`, which YAML reads as a map, or the same in quotes."""
    if isinstance(value, dict):
        return len(value) == 1 and next(iter(value.values())) is None
    return isinstance(value, str) and value.startswith("{") and value.endswith("}")


def _for_unknown_key(issue: Issue) -> str:
    *parents, key = issue.path
    known = MATCHER if parents[:1] == ["affects"] else FRONTMATTER
    plain = _plain(key)
    if not parents or known is MATCHER:
        for name in known.fields:
            if _plain(name) in (plain, plain + "s") and name != key:
                return "did you mean %s?" % name
    if not parents and plain in _OTHER_NAMES:
        return "did you mean %s?" % _OTHER_NAMES[plain]
    return "remove it, or put what it says into the body"


def _plain(key: str) -> str:
    return key.replace("-", "").replace("_", "").replace(" ", "").lower()


def _for_id(issue: Issue) -> str:
    """A number that lost its quotes and its leading zeros, or an id with its prefix."""
    value = issue.value
    if not isinstance(value, str) and not _is_bare_id(value):
        return ""
    if issue.rule == "invalid-type" and issue.message.startswith("expected a list"):
        example = _padded(str(value))
        return (
            "write it as a list: %s: [%s]" % (issue.path[-1], example)
            if example
            else "write it as a list"
        )
    if issue.rule not in ("invalid-type", "invalid-format"):
        return ""
    example = _padded(str(value))
    if not example:
        return ""
    reason = "an id without quotes is a number: " if not isinstance(value, str) else ""
    return "%swrite %s" % (
        reason,
        example if len(issue.path) > 1 else "%s: %s" % (issue.path[0], example),
    )


def _is_bare_id(value: Any) -> bool:
    return kind(value) == "a number" and 0 <= value < _LARGEST_ID and value % 1 == 0


def _padded(text: str) -> str:
    match = _ID_IN_TEXT.search(text[:80])
    return '"%s"' % match[0].zfill(4) if match else ""


def _for_status(value: object) -> str:
    if not isinstance(value, str):
        return "write status: proposed" if value is None else ""
    words = value.strip().lower()
    if words.startswith("superseded by") and _padded(words):
        return "write status: superseded and, on a line of its own, supersededBy: " + _padded(words)
    word = _STATUS_WORDS.get(words, words)
    return "write status: " + word if word in STATUSES else ""


def _for_enum(issue: Issue) -> str:
    if not isinstance(issue.value, str):
        return ""
    word = issue.value.strip().lower()
    allowed = issue.message.partition("one of ")[2].split(", ")
    return "write %s" % word if word in allowed else ""


def _for_tag(value: object) -> str:
    slug = "-".join(re.findall(r"[a-z0-9]+", str(value).lower()[:60]))
    return "write %s" % shown(slug) if slug else ""
