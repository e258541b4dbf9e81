"""Subscriptions: acknowledged with an empty filter, since nothing ever changes, and kept to the end."""

from __future__ import annotations

from . import jsonrpc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LIMIT = 1_000
_FLAGS = ("toolsListChanged", "promptsListChanged", "resourcesListChanged")


class Subscriptions:
    """The open `subscriptions/listen` requests of one connection."""

    def __init__(self, server_meta: dict[str, Any]) -> None:
        self._server_meta = server_meta
        self._open: dict[tuple[type, jsonrpc.Id], jsonrpc.Id] = {}

    def listen(self, request: jsonrpc.Request) -> bytes:
        """The acknowledgement of a request, which then stays open. Raises Refusal."""
        _check_filter(request.params.get("notifications"))
        key = jsonrpc.id_key(request.id)
        if key in self._open or len(self._open) >= _LIMIT:
            text = "Invalid request: this id has a subscription open, or too many are"
            raise jsonrpc.Refusal(jsonrpc.INVALID_REQUEST, text)
        self._open[key] = request.id
        return jsonrpc.notification(
            "notifications/subscriptions/acknowledged",
            {"_meta": _meta(request.id), "notifications": {}},
        )

    def cancel(self, id: jsonrpc.Id) -> None:
        self._open.pop(jsonrpc.id_key(id), None)

    def close(self) -> list[bytes]:
        """The result of each open request, which ends it."""
        results = []
        for id in self._open.values():
            meta = {**_meta(id), **self._server_meta}
            results.append(jsonrpc.result(id, {"resultType": "complete", "_meta": meta}))
        self._open.clear()
        return results


def _meta(id: jsonrpc.Id) -> dict[str, Any]:
    return {"io.modelcontextprotocol/subscriptionId": jsonrpc.wire_id(id)}


def _check_filter(wanted: Any) -> None:
    if not isinstance(wanted, dict):
        raise jsonrpc.Refusal(jsonrpc.INVALID_PARAMS, "notifications must be an object")
    for flag in _FLAGS:
        if not isinstance(wanted.get(flag, False), bool):
            raise jsonrpc.Refusal(jsonrpc.INVALID_PARAMS, flag + " must be true or false")
    uris = wanted.get("resourceSubscriptions", [])
    if not isinstance(uris, list) or not all(isinstance(uri, str) for uri in uris):
        raise jsonrpc.Refusal(
            jsonrpc.INVALID_PARAMS, "resourceSubscriptions must be a list of strings"
        )
