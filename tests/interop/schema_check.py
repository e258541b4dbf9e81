"""Checks wire messages against the official MCP schemas, and answers against their tools' own schemas.

For development: needs `jsonschema`, and the schema files of the specification, REVISION.json, in
../shared/mcp/schema. `missing()` says what is not there; the other functions may then not be called.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

try:
    import jsonschema
except ImportError:
    jsonschema = None

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "mcp" / "schema"
REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
RESULTS = {
    "initialize": "InitializeResult",
    "ping": "EmptyResult",
    "server/discover": "DiscoverResult",
    "tools/list": "ListToolsResult",
    "tools/call": "CallToolResult",
    "subscriptions/listen": "SubscriptionsListenResult",
}


class Mismatch(AssertionError):
    """A message or an answer that its schema refuses; the text names every place and reason."""


def missing() -> str:
    """Why nothing can be checked here; empty when all that is needed is there."""
    if jsonschema is None:
        return "jsonschema is not installed"
    if not all((FOLDER / f"{revision}.json").is_file() for revision in REVISIONS):
        return "the MCP schemas are not in ../shared/mcp/schema"
    return ""


def validate_message(message: dict[str, Any], revision: str, request_method: str = "") -> None:
    """Checks a message that a server sends. Raises `Mismatch`.

    `request_method` is the method of the request that a result answers.
    """
    if "method" in message:
        _validate(message, revision, _by_method(revision)[message["method"]])
    elif "error" in message:
        _validate_error(message, revision)
    else:
        _validate(message, revision, _defined(revision, "JSONRPCResultResponse", "JSONRPCResponse"))
        _validate(message["result"], revision, RESULTS[request_method])


def validate_structured(tool_definition: dict[str, Any], structured: Any) -> None:
    """Checks the `structuredContent` of a tool, as `tools/list` defines it. Raises `Mismatch`.

    Both schemas of the definition are checked to be schemas of draft 2020-12 as well.
    """
    draft = jsonschema.Draft202012Validator
    for name in ("inputSchema", "outputSchema"):
        try:
            draft.check_schema(tool_definition[name])
        except jsonschema.SchemaError as error:
            raise Mismatch(f"{tool_definition['name']} {name}: {error.message}") from error
    _refuse(draft(tool_definition["outputSchema"]), structured, tool_definition["name"])


def _validate_error(message: dict[str, Any], revision: str) -> None:
    # Up to 2025-06-18 no error may be without id, not even that of a line whose id is unreadable.
    identified = message if revision > "2025-06-18" else {"id": 0, **message}
    _validate(identified, revision, _defined(revision, "JSONRPCErrorResponse", "JSONRPCError"))
    if message["error"]["code"] == -32022:
        _validate(message, revision, "UnsupportedProtocolVersionError")


def _validate(value: Any, revision: str, definition: str) -> None:
    _refuse(_validator(revision, definition), value, f"{revision} {definition}")


def _refuse(validator: Any, value: Any, what: str) -> None:
    reasons = [
        f"{error.json_path}: {error.message[:300]}" for error in validator.iter_errors(value)
    ]
    if reasons:
        raise Mismatch(f"no {what}: " + "; ".join(reasons))


@cache
def _schema(revision: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads((FOLDER / f"{revision}.json").read_text(encoding="utf-8"))
    return schema


def _definitions(revision: str) -> dict[str, Any]:
    schema = _schema(revision)
    definitions: dict[str, Any] = schema.get("$defs") or schema["definitions"]
    return definitions


def _defined(revision: str, *names: str) -> str:
    """The first of the names that the revision defines: the later ones renamed some."""
    return next(name for name in names if name in _definitions(revision))


@cache
def _by_method(revision: str) -> dict[str, str]:
    """The names of the definitions of notifications and requests, by their method."""
    return {
        definition["properties"]["method"]["const"]: name
        for name, definition in _definitions(revision).items()
        if "const" in definition.get("properties", {}).get("method", {})
    }


@cache
def _validator(revision: str, definition: str) -> Any:
    schema = _schema(revision)
    key = "$defs" if "$defs" in schema else "definitions"
    entry = {**schema, "allOf": [{"$ref": f"#/{key}/{definition}"}]}
    return jsonschema.validators.validator_for(schema)(entry)
