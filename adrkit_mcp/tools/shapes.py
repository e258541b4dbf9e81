"""JSON Schemas of what tools answer: the pieces that they share."""

from __future__ import annotations

from ..corpus.record import STATUSES
from ..corpus.roots import MESSAGES as UNAVAILABLE
from .cursor import MESSAGES as INVALID_CURSOR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    Schema = dict[str, Any]

STRING: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "minimum": 0}
CURSOR: Schema = {"anyOf": [{"type": "string"}, {"type": "null"}]}


def choice(values: Iterable[str]) -> Schema:
    return {"type": "string", "enum": list(values)}


def constant(value: str) -> Schema:
    return {"type": "string", "const": value}


def array(item: Schema) -> Schema:
    return {"type": "array", "items": item}


def closed(properties: Schema, optional: tuple[str, ...] = ()) -> Schema:
    """An object with these properties and no others, all of them required but the optional."""
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


STRINGS = array(STRING)
SUMMARY_FIELDS: Schema = {
    "id": STRING,
    "title": STRING,
    "status": choice(STATUSES),
    "sourcePath": STRING,
}
SUMMARY = closed(SUMMARY_FIELDS)
FINDING = closed(
    {
        "rule": STRING,
        "severity": choice(("error", "warn", "info")),
        "message": STRING,
        "path": STRING,
        "id": STRING,
        "field": STRING,
        "pattern": STRING,
    },
    optional=("path", "id", "field", "pattern"),
)
FINDINGS = closed({"items": array(FINDING), "cursor": CURSOR})
HEALTH = closed({"fingerprint": STRING, "recordCount": COUNT, "excludedCount": COUNT})


def outcome(name: str, properties: Schema) -> Schema:
    """The branch of `result` with this outcome; every one but a failure has a page of findings."""
    return closed({"outcome": constant(name), **properties, "findings": FINDINGS})


_FAILURES = [
    closed(
        {"outcome": constant("invalid-cursor"), "reason": choice(INVALID_CURSOR), "message": STRING}
    ),
    closed(
        {
            "outcome": constant("corpus-unavailable"),
            "reason": choice(UNAVAILABLE),
            "message": STRING,
        }
    ),
]


def answer(*outcomes: Schema) -> Schema:
    """The schema of `structuredContent`: `{corpusHealth?, result}`, the union inside `result`."""
    branches = [*outcomes, *_FAILURES]
    return closed(
        {"corpusHealth": HEALTH, "result": {"type": "object", "anyOf": branches}},
        optional=("corpusHealth",),
    )
