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
_STATUS_WORDS = {
    "approved": "accepted",
    "adopted": "accepted",
    "decided": "accepted",
    "declined": "rejected",
    "obsolete": "deprecated",
    "replaced": "superseded",
    "pending": "proposed",
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
    if not issue.path:
        return (
            "write id, title, status and date between the --- lines"
            if issue.rule == "invalid-type"
            else ""
        )
    if issue.rule == "strict-unknown-key":
        return _for_unknown_key(issue)
    top, leaf = issue.path[0], issue.path[-1]
    value = issue.value
    if (
        isinstance(value, dict)
        and issue.rule in ("invalid-enum-value", "invalid-type")
        and _is_placeholder(value)
    ):
        return "this looks like a template's {placeholder}: put the value in its place"
    if issue.path == ["id"] or top in _REFERENCES:
        return _for_id(issue)
    if issue.path == ["status"]:
        return _for_status(value)
    if issue.rule == "invalid-enum-value":
        return _for_enum(issue)
    if top == "affects" and issue.rule == "invalid-type" and len(issue.path) <= 2:
        return 'a matcher is a map: write affects: [{type: path, pattern: "src/db/**"}]'
    if (
        issue.rule == "invalid-type"
        and issue.message.startswith("expected a list")
        and isinstance(value, str)
    ):
        return "write it as a list: %s: [%s]" % (leaf, shown(value))
    if issue.rule == "invalid-type" and issue.message.startswith("expected a string"):
        return "put it in quotes" if isinstance(value, (int, float, bool)) else ""
    if issue.rule == "invalid-type" and value is None:
        return "a key without a value is null: give it a value or leave the key out"
    if top == "tags" and issue.rule == "invalid-format":
        return _for_tag(value)
    return ""


def _is_placeholder(value: dict[str, object]) -> bool:
    return len(value) == 1 and next(iter(value.values())) is None


def _for_unknown_key(issue: Issue) -> str:
    key = issue.path[-1]
    known = MATCHER if issue.path[0] == "affects" else FRONTMATTER
    plain = _plain(key)
    for name in known.fields:
        if _plain(name) in (plain, plain + "s"):
            return "did you mean %s?" % name
    other = _OTHER_NAMES.get(plain)
    if other and len(issue.path) == 1:
        return "did you mean %s?" % other
    return ""


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
    return "write %s" % slug if slug else ""
