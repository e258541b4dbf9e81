"""An MCP server of tools, in both eras of the protocol. Knows no tool by name and no transport.

The modern era is revision 2026-07-28: no handshake, every request carries its version and
capabilities in `_meta`. The legacy era is what `initialize` opens. The first exchange selects the
era for the life of the connection; `server/discover`, `ping`, notifications and whatever is answered by
an error select none, so that a client may probe first and fall back to `initialize`.
"""

from __future__ import annotations

from .. import jsontext
from . import jsonrpc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType
    from typing import Any, TypeAlias

    Answer: TypeAlias = "bytes | Work"

MODERN = "2026-07-28"
LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
UNSUPPORTED_VERSION = -32022

_BATCHES = "2025-03-26"  # the one revision with batches
_BATCH_LIMIT = 10_000
_SUBSCRIPTION_LIMIT = 1_000
_PREFIX = "io.modelcontextprotocol/"
_VERSION = _PREFIX + "protocolVersion"
_CAPABILITIES: dict[str, Any] = {"tools": {}}
_CACHE = {"ttlMs": 300_000, "cacheScope": "public"}
_LOG_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
_FLAGS = ("toolsListChanged", "promptsListChanged", "resourcesListChanged")
_NO_ERA = f"Neither a session nor _meta: call initialize first, or send {_VERSION} in params._meta"


class Tool:
    """A tool: its name, its member of `tools/list`, and the function that takes its arguments."""

    __slots__ = ("call", "definition", "name")

    def __init__(
        self, name: str, definition: dict[str, Any], call: Callable[[dict[str, Any]], ToolResult]
    ) -> None:
        self.name = name
        self.definition = definition
        self.call = call


class ToolResult:
    """What a tool answers.

    `text` is the first text block; `structured`, when there is any, follows as a second block of
    JSON and as `structuredContent`: some clients show the model only the one, some only the other.
    `content` replaces both blocks, for a result that was made elsewhere.
    """

    __slots__ = ("content", "is_error", "structured", "text")

    def __init__(
        self,
        text: str,
        structured: dict[str, Any] | None = None,
        is_error: bool = False,
        content: list[Any] | None = None,
    ) -> None:
        self.text = text
        self.structured = structured
        self.is_error = is_error
        self.content = content

    def members(self) -> dict[str, Any]:
        """The members of the wire result. Raises TypeError when JSON cannot hold `structured`."""
        members: dict[str, Any] = {"content": self.content}
        if self.content is None:
            members["content"] = [{"type": "text", "text": self.text}]
        if self.structured is not None:
            copy = jsontext.dumps(self.structured)
            if self.content is None:
                members["content"].append({"type": "text", "text": copy})
            members["structuredContent"] = jsonrpc.Encoded(copy)
        if self.is_error:
            members["isError"] = True
        return members


class Work:
    """An answer still to be worked out, by the transport's own thread or by another."""

    __slots__ = ("_respond", "cancelled")

    def __init__(self, respond: Callable[[], bytes | None]) -> None:
        self._respond = respond
        self.cancelled = False

    def run(self) -> bytes | None:
        """The response; None when there is none to send, as after a cancellation."""
        response = None if self.cancelled else self._respond()
        return None if self.cancelled else response


class _Refusal(Exception):
    """A request to answer with an error."""

    def __init__(self, code: int, text: str, data: dict[str, Any] | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.data = data


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
        self._tools: dict[str, Tool] = {}
        self._listing = ""  # the tools as JSON; empty until they are loaded
        self._modern = False
        self._revision = ""  # of the legacy session; empty without one
        self._subscriptions: dict[tuple[type, jsonrpc.Id], jsonrpc.Id] = {}
        self._running: dict[tuple[type, jsonrpc.Id], Work] = {}

    def receive(self, line: bytes) -> list[Answer]:
        """What to send for a line, in order: messages without line end, and work to run."""
        try:
            answer = self._answer(jsonrpc.parse(line))
        except Exception as error:
            self._on_error("a message could not be handled: " + _describe(error))
            answer = jsonrpc.error(None, jsonrpc.INTERNAL_ERROR, "Internal error")
        return [] if answer is None else [answer]

    def refuse_line(self, limit: int) -> bytes:
        """The answer to a line of more than `limit` bytes, which the transport has not kept."""
        text = f"Invalid request: the line is longer than {limit} bytes"
        return jsonrpc.error(None, jsonrpc.INVALID_REQUEST, text)

    def close(self) -> list[bytes]:
        """The last messages, at the end of the input: the result of each open subscription."""
        results = []
        for id in self._subscriptions.values():
            meta = {**_subscription(id), **self._meta}
            results.append(jsonrpc.result(id, {"resultType": "complete", "_meta": meta}))
        self._subscriptions.clear()
        return results

    def _batch(self, batch: jsonrpc.Batch) -> Answer | None:
        if self._revision != _BATCHES or not 0 < len(batch.members) <= _BATCH_LIMIT:
            text = "Invalid request: a batch is not allowed here"
            return jsonrpc.error(None, jsonrpc.INVALID_REQUEST, text)
        answers = [
            answer for answer in map(self._batch_answer, batch.messages()) if answer is not None
        ]

        def respond() -> bytes | None:
            ready = [item.run() if isinstance(item, Work) else item for item in answers]
            responses = [item for item in ready if item is not None]
            return jsonrpc.batch(responses) if responses else None

        return Work(respond)

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
        self._subscriptions.pop(_key(id), None)
        work = self._running.pop(_key(id), None)
        if work is not None:
            work.cancelled = True

    def _serve(self, request: jsonrpc.Request) -> Answer:
        meta = request.params.get("_meta", {})
        try:
            if not self._revision and isinstance(meta, dict) and _VERSION in meta:
                return self._serve_modern(request, meta)
            return self._serve_legacy(request, meta)
        except _Refusal as refusal:
            return jsonrpc.error(request.id, refusal.code, refusal.text, refusal.data)
        except Exception as error:
            self._on_error("a request could not be handled: " + _describe(error))
            return jsonrpc.error(request.id, jsonrpc.INTERNAL_ERROR, "Internal error")

    def _serve_modern(self, request: jsonrpc.Request, meta: dict[str, Any]) -> Answer:
        version = meta[_VERSION]
        if not isinstance(version, str):
            raise _Refusal(jsonrpc.INVALID_PARAMS, _VERSION + " must be a string")
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
            raise _Refusal(jsonrpc.INVALID_PARAMS, _NO_ERA)
        serve = _LEGACY_METHODS.get(request.method)
        if serve is None:
            raise _unknown_method(request.method)
        if not isinstance(meta, dict):
            raise _Refusal(jsonrpc.INVALID_PARAMS, "_meta must be an object")
        return serve(self, request)

    def _out_of_era(self, request: jsonrpc.Request) -> _Refusal:
        version = request.params.get("protocolVersion")
        if request.method == "initialize" and isinstance(version, str):
            return _unsupported(version)
        return _Refusal(jsonrpc.INVALID_PARAMS, "params._meta must hold " + _VERSION)

    def _initialize(self, request: jsonrpc.Request) -> bytes:
        params = request.params
        version = params.get("protocolVersion")
        if not isinstance(version, str):
            raise _Refusal(jsonrpc.INVALID_PARAMS, "protocolVersion must be a string")
        for name in ("capabilities", "clientInfo"):
            if not isinstance(params.get(name), dict):
                raise _Refusal(jsonrpc.INVALID_PARAMS, name + " must be an object")
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
            raise _Refusal(jsonrpc.INVALID_PARAMS, "Invalid cursor: all tools fit on one page")
        self._need_tools()
        members: dict[str, Any] = {"tools": jsonrpc.Encoded(self._listing)}
        if not self._revision:
            members.update(_CACHE)
        return jsonrpc.result(request.id, self._result(members))

    def _call_tool(self, request: jsonrpc.Request) -> Work:
        name = request.params.get("name")
        if not isinstance(name, str):
            raise _Refusal(jsonrpc.INVALID_PARAMS, "name must be a string: the name of a tool")
        self._need_tools()
        tool = self._tools.get(name)
        if tool is None:
            raise _Refusal(jsonrpc.INVALID_PARAMS, "Unknown tool: " + jsonrpc.shown(name))
        arguments = request.params.get("arguments", {})
        if not isinstance(arguments, dict):
            raise _Refusal(jsonrpc.INVALID_PARAMS, "arguments must be an object")
        key = _key(request.id)

        def respond() -> bytes:
            response = self._call(tool, arguments, request.id)
            if self._running.get(key) is work:
                self._running.pop(key, None)  # a cancellation may have been quicker
            return response

        work = self._running[key] = Work(respond)
        return work

    def _call(self, tool: Tool, arguments: dict[str, Any], id: jsonrpc.Id) -> bytes:
        try:
            return jsonrpc.result(id, self._result(tool.call(arguments).members()))
        except Exception as error:
            self._on_error(f"tool {tool.name} failed: {_describe(error)}")
            text = "The tool failed because of an error of the server, not of the call."
            return jsonrpc.result(id, self._result(ToolResult(text, is_error=True).members()))

    def _listen(self, request: jsonrpc.Request) -> bytes:
        _check_filter(request.params.get("notifications"))
        key = _key(request.id)
        if key in self._subscriptions or len(self._subscriptions) >= _SUBSCRIPTION_LIMIT:
            text = "Invalid request: this id has a subscription open, or too many are"
            raise _Refusal(jsonrpc.INVALID_REQUEST, text)
        self._subscriptions[key] = request.id
        return jsonrpc.notification(
            "notifications/subscriptions/acknowledged",
            {"_meta": _subscription(request.id), "notifications": {}},
        )

    def _need_tools(self) -> None:
        if self._listing:
            return
        tools = self._load_tools()
        self._tools = {tool.name: tool for tool in tools}
        self._listing = jsontext.dumps([tool.definition for tool in tools])

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
        raise _Refusal(jsonrpc.INVALID_PARAMS, _PREFIX + "clientCapabilities must be an object")
    info = meta.get(_PREFIX + "clientInfo", {"name": "", "version": ""})
    if not isinstance(info, dict) or not all(
        isinstance(info.get(member), str) for member in ("name", "version")
    ):
        text = _PREFIX + "clientInfo must be an object with the strings name and version"
        raise _Refusal(jsonrpc.INVALID_PARAMS, text)
    if meta.get(_PREFIX + "logLevel", "info") not in _LOG_LEVELS:
        text = _PREFIX + "logLevel must be one of " + ", ".join(_LOG_LEVELS)
        raise _Refusal(jsonrpc.INVALID_PARAMS, text)


def _check_filter(wanted: Any) -> None:
    if not isinstance(wanted, dict):
        raise _Refusal(jsonrpc.INVALID_PARAMS, "notifications must be an object")
    for flag in _FLAGS:
        if not isinstance(wanted.get(flag, False), bool):
            raise _Refusal(jsonrpc.INVALID_PARAMS, flag + " must be true or false")
    uris = wanted.get("resourceSubscriptions", [])
    if not isinstance(uris, list) or not all(isinstance(uri, str) for uri in uris):
        raise _Refusal(jsonrpc.INVALID_PARAMS, "resourceSubscriptions must be a list of strings")


def _unsupported(version: str) -> _Refusal:
    data = {"supported": [MODERN], "requested": version[:64]}
    return _Refusal(UNSUPPORTED_VERSION, "Unsupported protocol version", data)


def _unknown_method(method: str) -> _Refusal:
    return _Refusal(jsonrpc.METHOD_NOT_FOUND, "Method not found: " + jsonrpc.shown(method))


def _subscription(id: jsonrpc.Id) -> dict[str, Any]:
    return {_PREFIX + "subscriptionId": jsonrpc.wire_id(id)}


def _key(id: jsonrpc.Id) -> tuple[type, jsonrpc.Id]:
    """An id as a key: the string `"1"` and the integer 1 are two ids."""
    return type(id), id


def _describe(error: Exception) -> str:
    """The kind of an error and where it was raised; not its text, which may be private."""
    trace: TracebackType | None = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return type(error).__name__
    file = trace.tb_frame.f_code.co_filename.replace("\\", "/").rpartition("/")[2]
    return f"{type(error).__name__} in {file}, line {trace.tb_lineno}"
