"""JSON Schemas of what the tools answer. Only `tools/list` shows them, so no call imports this."""

from __future__ import annotations

from ..corpus.record import STATUSES
from ..corpus.roots import MESSAGES as UNAVAILABLE
from .cursor import MESSAGES as INVALID_CURSOR
from .search_decisions import FIELDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    Schema = dict[str, Any]

STRING: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "minimum": 0}
STRING_OR_NULL: Schema = {"anyOf": [{"type": "string"}, {"type": "null"}]}
CURSOR = STRING_OR_NULL


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


_REQUESTED = {"requestedRef": STRING}
_GET_DECISION = answer(
    outcome(
        "found",
        {
            "decision": closed({
                **_REQUESTED,
                **SUMMARY_FIELDS,
                "frontmatter": {
                    "type": "object",
                    "properties": {"id": STRING, "title": STRING, "date": STRING},
                    "required": ["schemaVersion", "id", "title", "status", "date", "deciders"],
                },
                "body": STRING,
            })
        },
    ),
    outcome("not-found", _REQUESTED),
    outcome("ambiguous-local-id", {**_REQUESTED, "candidates": array(SUMMARY), "cursor": CURSOR}),
    outcome("federated-log-unavailable", {**_REQUESTED, "log": STRING, "id": STRING}),
)  # fmt: skip

_ENTRY = closed({
    **SUMMARY_FIELDS,
    "firedMatchers": array(closed({"type": STRING, "pattern": STRING})),
    "relations": closed({
        "supersedes": STRINGS,
        "supersededBy": STRING_OR_NULL,
        "relatesTo": STRINGS,
        "conflictsWith": STRINGS,
    }),
})  # fmt: skip
_GET_DECISION_CONTEXT = answer(
    outcome(
        "matches",
        {
            "governing": array(_ENTRY),
            "activeProposals": array(_ENTRY),
            "history": array(_ENTRY),
            "cursor": CURSOR,
        },
    )
)

_UNRESOLVED = {"resolved": {"type": "boolean", "const": False}, "targetRef": STRING}
_SUCCESSOR = {
    "type": "object",
    "anyOf": [
        closed({"resolved": {"type": "boolean", "const": True}, "target": SUMMARY}),
        closed({**_UNRESOLVED, "reason": constant("dangling")}),
        closed({**_UNRESOLVED, "reason": constant("ambiguous"), "candidateCount": COUNT}),
        closed({
            **_UNRESOLVED,
            "reason": constant("federated-unavailable"),
            "log": STRING,
            "id": STRING,
        }),
    ],
}  # fmt: skip
_LIST_SUPERSEDED = answer(
    outcome(
        "entries",
        {
            "items": array(closed({**SUMMARY_FIELDS, "supersededBy": _SUCCESSOR})),
            "cursor": CURSOR,
        },
    )
)

_SEARCH_DECISIONS = answer(
    outcome(
        "results",
        {
            "items": array(
                closed({
                    **SUMMARY_FIELDS,
                    "matchedFields": array(choice(FIELDS)),
                })
            ),
            "cursor": CURSOR,
        },
    )
)  # fmt: skip

#: The output schema of each tool, by its name.
OUTPUTS = {
    "get_decision": _GET_DECISION,
    "get_decision_context": _GET_DECISION_CONTEXT,
    "list_superseded": _LIST_SUPERSEDED,
    "search_decisions": _SEARCH_DECISIONS,
}
