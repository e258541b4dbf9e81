"""JSON-RPC 2.0 messages: one line of bytes to a message, and answers back to bytes. No I/O.

The MCP schemas narrow JSON-RPC: an id is a string or an integer and never null, params are an
object, and an error whose request id cannot be told has no `id` member.
"""

from __future__ import annotations

from .. import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Id: TypeAlias = str | int
    Message: TypeAlias = "Request | Notification | Invalid | Batch | None"

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603

_SHOWN = 64


class Request:
    """A call that wants exactly one answer; absent params are an empty object."""

    __slots__ = ("id", "method", "params")

    def __init__(self, id: Id, method: str, params: dict[str, Any]) -> None:
        self.id = id
        self.method = method
        self.params = params


class Notification:
    """A call that must not be answered; params that are absent or no object are empty."""

    __slots__ = ("method", "params")

    def __init__(self, method: str, params: dict[str, Any]) -> None:
        self.method = method
        self.params = params


class Invalid:
    """What cannot be served: the error to answer, with the id when that one is usable."""

    __slots__ = ("code", "id", "text")

    def __init__(self, code: int, text: str, id: Id | None = None) -> None:
        self.code = code
        self.text = text
        self.id = id


class Batch:
    """An array of messages, empty or not; whether batches are allowed is not decided here."""

    __slots__ = ("members",)

    def __init__(self, members: list[Any]) -> None:
        self.members = members

    def messages(self) -> list[Message]:
        """The members as messages, in order; a batch within the batch is invalid."""
        return [_message(member) for member in self.members]


def parse(line: bytes) -> Message:
    """The message of one line; None for what wants no answer: a blank line, or a response."""
    if not line.strip(b" \t\r\n"):
        return None
    try:
        value = jsontext.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        return Invalid(PARSE_ERROR, "Parse error: the line is not UTF-8")
    except jsontext.JsonError as error:
        return Invalid(PARSE_ERROR, f"Parse error: {error}")
    if isinstance(value, list):
        return Batch(value)
    return _message(value)


def _message(value: Any) -> Message:
    if not isinstance(value, dict):
        return Invalid(INVALID_REQUEST, "Invalid request: a message is an object")
    if "method" not in value and ("result" in value or "error" in value):
        return None
    id = value.get("id")
    usable = id if is_id(id) else None
    if value.get("jsonrpc") != "2.0":
        return Invalid(INVALID_REQUEST, 'Invalid request: jsonrpc must be "2.0"', usable)
    method = value.get("method")
    if not isinstance(method, str):
        return Invalid(INVALID_REQUEST, "Invalid request: method must be a string", usable)
    params = value.get("params", {})
    if "id" not in value:
        return Notification(method, params if isinstance(params, dict) else {})
    if usable is None:
        return Invalid(INVALID_REQUEST, "Invalid request: id must be a string or an integer")
    if not isinstance(params, dict):
        return Invalid(INVALID_PARAMS, "Invalid params: params must be an object", usable)
    return Request(usable, method, params)


def is_id(value: Any) -> bool:
    """Whether a value can be a request id: a string or an integer, not `1.0` and not `true`."""
    return type(value) in (str, int)


def result(id: Id, value: Any) -> bytes:
    """The response that carries a result. Raises TypeError when JSON cannot hold it."""
    return encode({"jsonrpc": "2.0", "id": wire_id(id), "result": value})


def error(id: Id | None, code: int, text: str, data: Any = None) -> bytes:
    """The response that carries an error; without `id` when the request's is not known."""
    message: dict[str, Any] = {"jsonrpc": "2.0"}
    if id is not None:
        message["id"] = wire_id(id)
    message["error"] = {"code": code, "message": text}
    if data is not None:
        message["error"]["data"] = data
    return encode(message)


def notification(method: str, params: dict[str, Any]) -> bytes:
    """A notification."""
    return encode({"jsonrpc": "2.0", "method": method, "params": params})


def batch(responses: list[bytes]) -> bytes:
    """The one message that answers a batch."""
    return b"[" + b",".join(responses) + b"]"


def encode(message: Any) -> bytes:
    """A message as one line of UTF-8, without its end."""
    return jsontext.encode(jsontext.dumps(message))


def wire_id(id: Id) -> Any:
    """An id to the digit: integers beyond 2**53 must come back as they were sent, not rounded."""
    return id if isinstance(id, str) else jsontext.Encoded(repr(id))


def shown(text: str) -> str:
    """The client's own text for a message: cut short, with escapes for what does not print."""
    cut = text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in cut)


class Refusal(Exception):
    """A request to answer with an error."""

    def __init__(self, code: int, text: str, data: dict[str, Any] | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.data = data


def id_key(id: Id) -> tuple[type, Id]:
    """An id as a key: the string `"1"` and the integer 1 are two ids."""
    return type(id), id
