"""One exchange with the endpoint: a `tools/call` is posted, its result is read from the response.

The request is a plain one: no handshake before it, and no `_meta` of revision 2026-07-28 in it. That is
what the description of the record asks for, and what stateless servers of either era of MCP take.
"""

from __future__ import annotations

import socket
import time
from http.client import HTTPException, IncompleteRead

from .. import __version__, jsontext
from .connection import connect, head
from .endpoint import TOKEN, URL
from .events import messages
from .failures import SAFE, Failure, Passing, RemoteError, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterator
    from http.client import HTTPResponse
    from typing import Any

    from .connection import Stream
    from .deadline import Deadline
    from .endpoint import Endpoint

#: The oldest revision with `structuredContent`; later ones are refused by servers that lag behind.
REVISION = "2025-06-18"
MOST_BYTES = 8 * 1024 * 1024
_MOST_ERROR_BYTES = 64 * 1024
_CHUNK = 64 * 1024
_MOST_SHOWN = 300
_JSON = "application/json"
_EVENTS = "text/event-stream"

_ADVICE = {
    401: f"the token in {TOKEN} was rejected or has expired",
    403: "the token lacks the scope mcp:read",
    404: f"wrong {URL}?",
    405: f"wrong {URL}?",
    407: "a proxy on the way wants a user and a password: set HTTPS_PROXY",
    429: "too many calls",
}
_PASSING = (502, 503, 504)


class Exchange:
    """The call of one tool. `run` is one attempt at it, on a connection of its own."""

    def __init__(self, endpoint: Endpoint, id: int, tool: str, arguments: dict[str, Any]) -> None:
        self._endpoint = endpoint
        self._id = str(id)
        params = {"name": tool, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}
        self._body = jsontext.encode(jsontext.dumps(message))

    def run(self, context: ssl.SSLContext | None, deadline: Deadline) -> Any:
        """The result of the call, its numbers spelled as they came; `context` is for TLS.

        Raises Failure.
        """
        stream = connect(self._endpoint, context, deadline)
        try:
            return self._talk(stream, deadline)
        except socket.timeout:
            raise deadline.failure() from None
        except (OSError, HTTPException) as error:
            raise self._broken(error, stream.received) from None
        finally:
            stream.close()

    def _talk(self, stream: Stream, deadline: Deadline) -> Any:
        deadline.phase = f"sending the call to {self._endpoint}"
        stream.send(self._request())
        deadline.phase = f"waiting for the answer of {self._endpoint}"
        response = stream.response("POST")
        deadline.phase = f"reading the answer of {self._endpoint}"
        if response.status != 200:
            raise self._refusal(response)
        message = self._message(response)
        error = message.get("error")
        if error is None:
            return self._endpoint.hide(message.get("result"))
        if not _is_error(message, self._id):
            raise self._unfit(response, "a JSON-RPC error without a message")
        raise RemoteError(self._endpoint.hide(_describe(error)))

    def _request(self) -> bytes:
        fields = {
            "Host": str(self._endpoint),
            "Authorization": f"Bearer {self._endpoint.token}",
            "Content-Type": _JSON,
            "Content-Length": str(len(self._body)),
            "Accept": f"{_JSON}, {_EVENTS}",
            "MCP-Protocol-Version": REVISION,
            "User-Agent": f"decisionscope/{__version__}",
            "Connection": "close",
        }
        return head(f"POST {self._endpoint.target} HTTP/1.1", fields) + self._body

    def _message(self, response: HTTPResponse) -> Any:
        """The JSON-RPC response to this call. Raises Failure when there is none."""
        if response.getheader("Content-Encoding", "identity").lower() != "identity":
            raise self._unfit(response, "compressed, which was not asked for")
        kind = _media_type(response)
        pieces = self._pieces(response, MOST_BYTES)
        if kind == _EVENTS:
            return self._find(response, messages(pieces))
        if kind not in (_JSON, ""):
            raise self._unfit(response, f"not JSON: a login page, or wrong {URL}?")
        body = b"".join(pieces)
        message = _parse(body)
        if self._answers(message) or _is_error(message, None):
            return message
        raise self._unfit(response, "no JSON-RPC response to this call" if body else "no body")

    def _find(self, response: HTTPResponse, events: Iterator[bytes]) -> Any:
        for data in events:
            message = _parse(data)
            if self._answers(message):
                return message
        raise self._unfit(response, "the events ended without the answer")

    def _answers(self, message: Any) -> bool:
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return False
        id = message.get("id")
        same = isinstance(id, jsontext.Number) and id == self._id
        return same and ("result" in message or "error" in message)

    def _pieces(self, response: HTTPResponse, most: int) -> Iterator[bytes]:
        """The body as it comes. Raises Failure for more than `most` bytes, or fewer than announced."""
        announced = response.length
        count = 0
        while announced is None or count < announced:
            if max(count, announced or 0) > most:
                raise self._unfit(response, f"more than {most} bytes, the limit of an answer")
            piece = response.read1(_CHUNK if announced is None else min(_CHUNK, announced - count))
            if not piece:
                break
            count += len(piece)
            yield piece
        if announced is not None and count < announced:
            raise self._broken_off()

    def _refusal(self, response: HTTPResponse) -> Failure:
        """What a status other than 200 means."""
        status = response.status
        text = self._found(response)
        if 300 <= status < 400:
            return Failure(text + self._redirection(response))
        if status in _ADVICE:
            text += ": " + _ADVICE[status]
        elif status < 300:
            text += f": no answer to the call, wrong {URL}?"
        wait = retry_after(response.getheader("Retry-After", ""), response.getheader("Date", ""))
        if wait is not None:
            text += f"; it asks to wait for {wait:.0f} s"
        text += self._remark(response)
        if status == 429 or status in _PASSING:
            return Passing(text + SAFE, status == 429 or wait is not None, wait)
        return Failure(text + SAFE if status >= 500 else text)

    def _redirection(self, response: HTTPResponse) -> str:
        from urllib.parse import urlsplit

        try:
            target = urlsplit(self._endpoint.hide(response.getheader("Location", ""))).netloc
        except ValueError:
            target = ""
        host = self._shown(target.rpartition("@")[2]) or "another address of the same host"
        meaning = "it may mean that the token has expired"
        return f": a redirect to {host}, which is not followed; {meaning}"

    def _remark(self, response: HTTPResponse) -> str:
        """What the JSON-RPC error says that came with the status, if one did."""
        if _media_type(response) != _JSON:
            return ""
        try:
            message = _parse(b"".join(self._pieces(response, _MOST_ERROR_BYTES)))
        except (OSError, HTTPException, Failure):
            return ""
        if not _is_error(message, self._id):
            return ""
        return f'; it says: "{self._shown(_describe(message["error"]))}"'

    def _broken(self, error: Exception, received: int) -> Failure:
        if not received:
            return Passing(f"{self._endpoint} broke the connection before it answered{SAFE}")
        if isinstance(error, (OSError, IncompleteRead)):
            return self._broken_off()
        return Failure(f"{self._endpoint} does not speak HTTP: wrong {URL}?")

    def _broken_off(self) -> Failure:
        return Failure(f"{self._endpoint} broke the connection in the middle of the answer{SAFE}")

    def _unfit(self, response: HTTPResponse, what: str) -> Failure:
        return Failure(f"{self._found(response)}: {what}")

    def _found(self, response: HTTPResponse) -> str:
        kind = self._shown(response.getheader("Content-Type", "").partition(";")[0].strip())
        return f"{self._endpoint} answered {response.status}" + (f" ({kind})" if kind else "")

    def _shown(self, text: str) -> str:
        return one_line(self._endpoint.hide(text), _MOST_SHOWN)


def retry_after(value: str, date: str) -> float | None:
    """Seconds that a `Retry-After` field asks for (RFC 9110 section 10.2.3); None for nonsense.

    A date is compared with that of the response, `date`, so that a wrong clock here does no harm.
    """
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    then = _seconds(value)
    if then is None:
        return None
    now = _seconds(date)
    return max(0.0, then - (time.time() if now is None else now))


def _seconds(date: str) -> float | None:
    """An HTTP date as seconds since 1970."""
    from email.utils import mktime_tz, parsedate_tz

    try:
        parsed = parsedate_tz(date)
        return None if parsed is None else float(mktime_tz(parsed))
    except (ValueError, OverflowError, TypeError, IndexError):
        return None


def _media_type(response: HTTPResponse) -> str:
    """The media type in lower case, empty where none is told."""
    kind: str = response.getheader("Content-Type", "")
    return kind.partition(";")[0].strip().lower()


def _parse(data: bytes) -> Any:
    """A JSON value with exact numbers; None when it is none."""
    try:
        return jsontext.loads_exact(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, jsontext.JsonError):
        return None


def _is_error(message: Any, id: str | None) -> bool:
    """Whether it is a JSON-RPC error for the call of this id, or for one whose id it cannot tell."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return False
    if message.get("id") not in (None, id):
        return False
    error = message.get("error")
    return isinstance(error, dict) and isinstance(error.get("message"), str)


def _describe(error: dict[str, Any]) -> str:
    code = error.get("code")
    known = isinstance(code, jsontext.Number)
    return f"{error['message']} (JSON-RPC error {code})" if known else str(error["message"])
