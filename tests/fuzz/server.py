"""The protocol: whatever lines come, each is answered at most once, and the server still works after them."""

import json
import time

from adrkit_mcp.mcp.server import LEGACY

from ..mcp.support import Connection, envelope, initialize, line, modern, notification, request
from .checks import TIME_LIMIT, strict_json

#: What the stub tools report of themselves; anything else is a failure of the server's own.
_EXPECTED = ("tool crash failed", "tool unencodable failed")
_PROBES = (request("probe-1", "ping"), modern("probe-2", "tools/list"))
_LISTEN = {"notifications": {"toolsListChanged": True}, "_meta": envelope()}

_SESSIONS = [
    [
        initialize(version=version),
        notification("notifications/initialized"),
        request(1, "tools/list"),
    ]
    for version in LEGACY
]
_SESSIONS += [
    [modern(1, "server/discover"), modern(2, "tools/list"), request(3, "ping")],
    [modern(1, "tools/call", name="echo", arguments={"a": 1, "b": [None, "é😀"]})],
    [modern(1, "tools/call", name="crash"), modern(2, "tools/call", name="unencodable")],
    [
        modern("1", "tools/call", name="refuse"),
        notification("notifications/cancelled", requestId="1"),
    ],
    [
        request(1, "subscriptions/listen", **_LISTEN),
        notification("notifications/cancelled", requestId=1),
    ],
    [initialize(version="2025-03-26"), [request(1, "ping"), notification("x"), request(2, "y")]],
    [initialize(), request(1, "tools/call", name="echo", arguments={}), {"id": 2, "result": {}}],
    [[], [[]], 1, None],
    [request(id, "ping") for id in (True, None, 1.0, 10**30, "\ud800", "", [])],
    [
        modern("\ud800", "\ud800"),
        modern(1, "tools/call", name="echo", arguments={"\ud800": "\ud801"}),
    ],
]
SEEDS = [b"\n".join(map(line, session)) for session in _SESSIONS]
FRAGMENTS = [
    *(line(message) + b"\n" for session in _SESSIONS for message in session),
    *(
        b"\n",
        b"\r\n",
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b'"',
        b"\\",
        b"\\ud800",
        b"\\u0000",
        b"\xff",
    ),
    *(b"null", b"true", b"1.0", b"-0", b"NaN", b"1e999", b"9" * 400, b"1", b'"1"', b"{}", b"[]"),
    *(
        b'"id":',
        b'"method":',
        b'"params":',
        b'"_meta":',
        b'"jsonrpc":"2.0"',
        b'"result":',
        b"[" * 999,
    ),
    *(b'"echo"', b'"tools/call"', b'"initialize"', b'"2025-03-26"', b'"name":', b'"a":' * 400),
    *("\u2028é😀".encode(), b"\xed\xa0\x80", b"\xef\xbb\xbf"),
]


def check(data):
    connection = Connection()
    for sent in data.split(b"\n"):
        # Sent again, a line has other effects: time the first attempt, generously.
        start = time.process_time()
        answers = connection.send_raw(sent)
        assert time.process_time() - start < 2 * TIME_LIMIT
        _check_answers(sent, answers)
    served = [_probe(connection, message) for message in _PROBES]
    assert any(served)
    for closing in connection.server.close():
        _message(closing)
    unexpected = [text for text in connection.errors if not text.startswith(_EXPECTED)]
    assert not unexpected, unexpected


def _check_answers(sent, answers):
    """At most one message, of at most as many responses as the line has requests."""
    assert len(answers) <= 1, answers
    if not answers:
        return
    messages = _message(answers[0])
    requests = _requests(sent)
    if isinstance(messages, dict):
        messages = [messages]
        requests = requests or [{}]
    assert 0 < len(messages) <= len(requests), answers
    ids = [member.get("id") for member in requests if isinstance(member, dict)]
    for message in messages:
        _check_response(message, ids)


def _check_response(message, ids):
    assert message["jsonrpc"] == "2.0"
    if message.get("method") == "notifications/subscriptions/acknowledged":
        return
    assert ("result" in message) != ("error" in message), message
    if "id" in message:
        assert type(message["id"]) in (str, int), message
        assert message["id"] in ids, (message, ids)
    else:
        assert type(message["error"]["code"]) is int


def _requests(sent):
    """The members of a line that may each have one response."""
    try:
        value = json.loads(sent)
    except (ValueError, RecursionError):
        return []
    return value if isinstance(value, list) else [value]


def _message(answer):
    """The value of a message, which is one line."""
    assert b"\n" not in answer and b"\r" not in answer, answer
    return strict_json(answer.decode("utf-8"))


def _probe(connection, message):
    """Whether a harmless request is served; it must have an answer of its own in any case."""
    (answer,) = map(_message, connection.send_raw(message))
    assert answer["id"] == message["id"], answer
    return "result" in answer
