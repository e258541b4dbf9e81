"""An MCP server of tools, in both eras of the protocol. Knows no tool by name and no transport.

The modern era is revision 2026-07-28: no handshake, every request carries its version and
capabilities in `_meta`. The legacy era is what `initialize` opens. The first exchange selects the
era for the life of the connection; `server/discover`, `ping`, notifications and whatever is answered by
an error select none, so that a client may probe first and fall back to `initialize`.
"""

from __future__ import annotations

from . import jsonrpc
from .jsonrpc import Refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeAlias

    from .calls import Calls, Tool, Work
    from .subscriptions import Subscriptions

    Answer: TypeAlias = "bytes | Work"

MODERN = "2026-07-28"
LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
UNSUPPORTED_VERSION = -32022

_BATCHES = "2025-03-26"  # the one revision with batches
_BATCH_LIMIT = 10_000
_PREFIX = "io.modelcontextprotocol/"
_VERSION = _PREFIX + "protocolVersion"
_CAPABILITIES: dict[str, Any] = {"tools": {}}
_CACHE = {"ttlMs": 300_000, "cacheScope": "public"}
_LOG_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
_NO_ERA = f"Neither a session nor _meta: call initialize first, or send {_VERSION} in params._meta"


class Server:
    """The state of one connection: its era, its open subscriptions, its running calls.

    `load_tools` is called at the first request that needs the tools, never for the handshake.
    `on_error` gets one line for each failure of the server's own; a client's mistakes are none.
    """

    def __init__(
        self,
        name: str,
        version: str,
        instructions: str,
        load_tools: Callable[[], Sequence[Tool]],
        on_error: Callable[[str], None],
    ) -> None:
        self._info = {"name": name, "version": version}
        self._meta = {_PREFIX + "serverInfo": self._info}
        self._instructions = instructions
        self._load_tools = load_tools
        self._on_error = on_error
        self._modern = False
        self._revision = ""  # of the legacy session; empty without one
        # Made when they are needed: the handshake is answered without their modules.
        self._calls: Calls | None = None
        self._subscriptions: Subscriptions | None = None

    def receive(self, line: bytes) -> list[Answer]:
        """What to send for a line, in order: messages without line end, and work to run."""
        try:
            answer = self._answer(jsonrpc.parse(line))
        except Exception as error:
            answer = self._failed("a message", error, None)
        return [] if answer is None else [answer]

    def refuse_line(self, limit: int) -> bytes:
        """The answer to a line of more than `limit` bytes, which the transport has not kept."""
        text = f"Invalid request: the line is longer than {limit} bytes"
        return jsonrpc.error(None, jsonrpc.INVALID_REQUEST, text)

    def close(self) -> list[bytes]:
        """The last messages, at the end of the input: the result of each open subscription."""
        return [] if self._subscriptions is None else self._subscriptions.close()

    def _batch(self, batch: jsonrpc.Batch) -> Answer:
        if self._revision != _BATCHES or not 0 < len(batch.members) <= _BATCH_LIMIT:
            text = "Invalid request: a batch is not allowed here"
            return jsonrpc.error(None, jsonrpc.INVALID_REQUEST, text)
        from .calls import together

        answers = map(self._batch_answer, batch.messages())
        return together([answer for answer in answers if answer is not None])

    def _batch_answer(self, message: jsonrpc.Message) -> Answer | None:
        if isinstance(message, jsonrpc.Request) and message.method == "initialize":
            text = "Invalid request: initialize must not be part of a batch"
            return jsonrpc.error(message.id, jsonrpc.INVALID_REQUEST, text)
        return self._answer(message)

    def _answer(self, message: jsonrpc.Message) -> Answer | None:
        if isinstance(message, jsonrpc.Request):
            return self._serve(message)
        if isinstance(message, jsonrpc.Batch):
            return self._batch(message)
        if isinstance(message, jsonrpc.Invalid):
            return jsonrpc.error(message.id, message.code, message.text)
        if isinstance(message, jsonrpc.Notification):
            self._note(message)
        return None

    def _note(self, message: jsonrpc.Notification) -> None:
        id: Any = message.params.get("requestId")
        if message.method != "notifications/cancelled" or not jsonrpc.is_id(id):
            return
        if self._subscriptions is not None:
            self._subscriptions.cancel(id)
        if self._calls is not None:
            self._calls.cancel(id)

    def _serve(self, request: jsonrpc.Request) -> Answer:
        meta = request.params.get("_meta", {})
        try:
            if not self._revision and isinstance(meta, dict) and _VERSION in meta:
                return self._serve_modern(request, meta)
            return self._serve_legacy(request, meta)
        except Refusal as refusal:
            return jsonrpc.error(request.id, refusal.code, refusal.text, refusal.data)
        except Exception as error:
            return self._failed("a request", error, request.id)

    def _failed(self, what: str, error: Exception, id: jsonrpc.Id | None) -> bytes:
        from .calls import describe

        self._on_error(f"{what} could not be handled: {describe(error)}")
        return jsonrpc.error(id, jsonrpc.INTERNAL_ERROR, "Internal error")

    def _serve_modern(self, request: jsonrpc.Request, meta: dict[str, Any]) -> Answer:
        version = meta[_VERSION]
        if not isinstance(version, str):
            raise Refusal(jsonrpc.INVALID_PARAMS, _VERSION + " must be a string")
        if version != MODERN:
            raise _unsupported(version)
        serve = _MODERN_METHODS.get(request.method)
        if serve is None:
            raise _unknown_method(request.method)
        _check_envelope(meta)
        answer = serve(self, request)
        if request.method != "server/discover":
            self._modern = True
        return answer

    def _serve_legacy(self, request: jsonrpc.Request, meta: Any) -> Answer:
        if self._modern:
            raise self._out_of_era(request)
        if not self._revision and request.method in _MODERN_METHODS:
            raise Refusal(jsonrpc.INVALID_PARAMS, _NO_ERA)
        serve = _LEGACY_METHODS.get(request.method)
        if serve is None:
            raise _unknown_method(request.method)
        if not isinstance(meta, dict):
            raise Refusal(jsonrpc.INVALID_PARAMS, "_meta must be an object")
        return serve(self, request)

    def _out_of_era(self, request: jsonrpc.Request) -> Refusal:
        if request.method == "initialize":
            version = request.params.get("protocolVersion")
            return _unsupported(version if isinstance(version, str) else "")
        return Refusal(jsonrpc.INVALID_PARAMS, "params._meta must hold " + _VERSION)

    def _initialize(self, request: jsonrpc.Request) -> bytes:
        params = request.params
        version = params.get("protocolVersion")
        if not isinstance(version, str):
            raise Refusal(jsonrpc.INVALID_PARAMS, "protocolVersion must be a string")
        for name in ("capabilities", "clientInfo"):
            if not isinstance(params.get(name), dict):
                raise Refusal(jsonrpc.INVALID_PARAMS, name + " must be an object")
        self._revision = version if version in LEGACY else LEGACY[-1]
        members = {
            "protocolVersion": self._revision,
            "capabilities": _CAPABILITIES,
            "serverInfo": self._info,
            "instructions": self._instructions,
        }
        return jsonrpc.result(request.id, members)

    def _ping(self, request: jsonrpc.Request) -> bytes:
        return jsonrpc.result(request.id, {})

    def _discover(self, request: jsonrpc.Request) -> bytes:
        members = {
            "supportedVersions": [MODERN],
            "capabilities": _CAPABILITIES,
            "instructions": self._instructions,
            **_CACHE,
        }
        return jsonrpc.result(request.id, self._result(members))

    def _list_tools(self, request: jsonrpc.Request) -> bytes:
        if request.params.get("cursor") is not None:
            raise Refusal(jsonrpc.INVALID_PARAMS, "Invalid cursor: all tools fit on one page")
        members: dict[str, Any] = {"tools": self._need_calls().listing()}
        if not self._revision:
            members.update(_CACHE)
        return jsonrpc.result(request.id, self._result(members))

    def _call_tool(self, request: jsonrpc.Request) -> Work:
        return self._need_calls().call(request)

    def _listen(self, request: jsonrpc.Request) -> bytes:
        if self._subscriptions is None:
            from .subscriptions import Subscriptions

            self._subscriptions = Subscriptions(self._meta)
        return self._subscriptions.listen(request)

    def _need_calls(self) -> Calls:
        if self._calls is None:
            from .calls import Calls

            self._calls = Calls(self._load_tools, self._result, self._on_error)
        return self._calls

    def _result(self, members: dict[str, Any]) -> dict[str, Any]:
        """A result in the shape of the connection's era: only modern ones say what they are."""
        if self._revision:
            return members
        return {"resultType": "complete", **members, "_meta": self._meta}


_MODERN_METHODS: dict[str, Callable[[Server, jsonrpc.Request], Answer]] = {
    "server/discover": Server._discover,
    "tools/list": Server._list_tools,
    "tools/call": Server._call_tool,
    "subscriptions/listen": Server._listen,
}

_LEGACY_METHODS: dict[str, Callable[[Server, jsonrpc.Request], Answer]] = {
    "initialize": Server._initialize,
    "ping": Server._ping,
    "tools/list": Server._list_tools,
    "tools/call": Server._call_tool,
}


def _check_envelope(meta: dict[str, Any]) -> None:
    if not isinstance(meta.get(_PREFIX + "clientCapabilities"), dict):
        raise Refusal(jsonrpc.INVALID_PARAMS, _PREFIX + "clientCapabilities must be an object")
    info = meta.get(_PREFIX + "clientInfo", {"name": "", "version": ""})
    if not isinstance(info, dict) or not all(
        isinstance(info.get(member), str) for member in ("name", "version")
    ):
        text = _PREFIX + "clientInfo must be an object with the strings name and version"
        raise Refusal(jsonrpc.INVALID_PARAMS, text)
    if meta.get(_PREFIX + "logLevel", "info") not in _LOG_LEVELS:
        text = _PREFIX + "logLevel must be one of " + ", ".join(_LOG_LEVELS)
        raise Refusal(jsonrpc.INVALID_PARAMS, text)


def _unsupported(version: str) -> Refusal:
    data = {"supported": [MODERN], "requested": version[:64]}
    return Refusal(UNSUPPORTED_VERSION, "Unsupported protocol version", data)


def _unknown_method(method: str) -> Refusal:
    return Refusal(jsonrpc.METHOD_NOT_FOUND, "Method not found: " + jsonrpc.shown(method))
