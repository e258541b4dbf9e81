"""Cursors: a known reason to refuse one, or the page of an offset that a written cursor could have."""

import base64
import hashlib
import json

from adrkit_mcp.tools.cursor import MESSAGES, Channel, InvalidCursor

from .checks import outcome, timely

_FINGERPRINT = "f" * 64
_SCOPE = "search.results"
_SHAPE = ["queue", [], [], [], 2]
_QUERY_HASH = hashlib.sha256(b'["queue",[],[],[],2]').hexdigest()
_COUNT, _LIMIT = 7, 2
_JSON = b"{"  # an input that starts with it is encoded, any other is a cursor already


def _payload(**changes):
    payload = {"v": 1, "scope": _SCOPE, "fp": _FINGERPRINT, "qh": _QUERY_HASH, "offset": 2}
    return json.dumps({**payload, **changes}, separators=(",", ":")).encode()


def _encoded(payload):
    return base64.urlsafe_b64encode(payload).rstrip(b"=")


_PAYLOADS = [
    _payload(),
    _payload(v=2),
    _payload(v=True),
    _payload(scope="superseded"),
    _payload(fp=""),
    _payload(qh=None),
    *(_payload(offset=offset) for offset in (0, 1, 6, 7, 2.5, -1, 2**53, 1e300, "2", True)),
]
SEEDS = [*_PAYLOADS, *map(_encoded, _PAYLOADS), b"", b"bm8", b"e30"]
FRAGMENTS = [
    *(b'"v":', b'"scope":', b'"fp":', b'"qh":', b'"offset":', b"1", b"2.0", b"1e0", b"-0", b"NaN"),
    *(b"1E400", b"9" * 400, b"null", b"true", b"[", b"]", b"{", b"}", b",", b'"', b"\\ud800", b" "),
    *(b"=", b"+", b"/", b"-", b"_", b"\xff", "\u0141é😀".encode(), b"A", b"eyJ", b"[" * 999),
]


def check(data):
    encoded = _encoded(data) if data.startswith(_JSON) else data
    cursor = encoded.decode("utf-8", "surrogateescape")
    page, error = timely(outcome, InvalidCursor, _page, cursor)
    if error is not None:
        assert error.reason in MESSAGES.keys() - {"cursor-not-applicable"}, error.reason
        _check_refusal(cursor, error)
        return
    items, following = page
    offset = items[0]
    assert 1 <= offset < _COUNT
    assert items == list(range(offset, min(offset + _LIMIT, _COUNT)))
    assert _page(_encoded(_payload(offset=offset)).decode()) == page
    if following is None:
        assert items[-1] == _COUNT - 1
    else:
        assert _page(following)[0][0] == items[-1] + 1


def _page(cursor):
    page = Channel(_SCOPE, _SHAPE, _LIMIT, cursor).page(range(_COUNT), _FINGERPRINT)
    return page.items, page.cursor


def _check_refusal(cursor, error):
    """A list that has no pages refuses the cursor for the same reason, if it is not its offset."""
    try:
        Channel(_SCOPE, _SHAPE, _LIMIT, cursor).refuse(_FINGERPRINT)
    except InvalidCursor as other:
        past = error.reason == "offset-out-of-range"
        assert other.reason == ("cursor-not-applicable" if past else error.reason)
    else:
        raise AssertionError("not refused")
